package source

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/internal/compileopt"
)

func mustLoad(t *testing.T, src string) *Text {
	t.Helper()
	text, ds := Load(src, compileopt.Options{})
	if len(ds) > 0 {
		t.Fatalf("%q: %v", src, ds)
	}
	return text
}

// body takes the carrier off.
func body(text *Text) string {
	return strings.TrimSuffix(strings.TrimPrefix(text.JS, prefix), "}\n")
}

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"plain", "return 1", "return 1"},
		{"byte order mark", "\uFEFFreturn 1", "return 1"},
		{"carriage returns", "const a = 1\r\nreturn a\r", "const a=1;return a"},
		{"interpreter line", "#!/usr/bin/env node\nreturn 1", "return 1"},
		{"fence", "```js\nreturn 1\n```", "return 1"},
		{"fence without a mark", "```\nreturn 1\n```\n", "return 1"},
		{"fence with prose", "Here's the program:\n\n```typescript\nreturn 1 as number\n```\nIt returns one.", "return 1"},
		{"unclosed fence", "Sure!\n```ts\nreturn 1", "return 1"},
		{"last script fence", "```js\nreturn 1\n```\nor\n```js\nreturn 2\n```\ngives\n```json\n2\n```", "return 2"},
		{"marked before unmarked", "```js\nreturn 1\n```\n```\n1\n```", "return 1"},
		{"fence with carriage returns", "```js\r\nreturn 1\r\n```\r\n", "return 1"},
		{"longer fence", "````js\nreturn `a`\n````", "return`a`"},
		{"fence inside a template", "const s = `x\n\\`\\`\\`js\nfoo\n\\`\\`\\`\n`; return s", "const s=`x\n\\`\\`\\`js\nfoo\n\\`\\`\\`\n`;return s"},
		{"fence inside a comment", "/*\n```js\nfoo()\n```\n*/\nreturn 1", "return 1"},
		{"fence in a string", "return \"```js\\nfoo\\n```\"", "return\"```js\\nfoo\\n```\""},
		{"template in a fence", "```js\nconst s = `a\n\\`\\`\\`\n`;\nreturn s\n```", "const s=`a\n\\`\\`\\`\n`;return s"},
		{"export default function", "export default async function main() { return 1 }", "async function main(){return 1}"},
		{"export default arrow", "export default async () => { return 1 }", "return async()=>{return 1}"},
		{"export default anonymous", "export default function () { return 1 }", "return function(){return 1}"},
		{"export function", "export async function main() { return 1 }", "async function main(){return 1}"},
		{"export const", "/* a */ export const run = async () => {\n  return 1 }", "const run=async()=>{return 1}"},
		{"export of types", "export interface A { a: 1 }\nexport type B = A\nexport enum C { D }\nexport abstract class E {}\nexport let [f] = `${{a: 1}}`\nreturn f", "let C;(C2=>{C2[C2[\"D\"]=0]=\"D\"})(C||(C={}));class E{}let[f]=`${{a:1}}`;return f"},
		{"export default value", "const a = 1\nexport default { a }", "const a=1;return{a}"},
		{"only types", "interface A { b: string }", `async function __main(){"use strict"`},
	} {
		if got := strings.TrimSuffix(body(mustLoad(t, c.src)), ";"); !sameCode(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func sameCode(a, b string) bool {
	squeeze := func(s string) string { return strings.NewReplacer("\\n", "\n", " ", "").Replace(strings.TrimSpace(s)) }
	return squeeze(a) == squeeze(b)
}

func TestNotesSayWhatWasLeftOut(t *testing.T) {
	for src, want := range map[string]string{
		"```js\n1\n```":                               "the program was taken from a Markdown code block",
		"```js\n1\n```\n```json\n1\n```":              "the program was taken from a Markdown code block; other code blocks were left out",
		"#!/usr/bin/env node\n1":                      "the interpreter line (#!) was left out",
		"export default async function main() {}":     "export default was left out",
		"export const a = 1\nreturn a":                "export was left out",
		"export interface A {}\nexport type B<T> = T": "export was left out",
	} {
		if notes := mustLoad(t, src).Notes; len(notes) != 1 || notes[0] != want {
			t.Errorf("%q: %q", src, notes)
		}
	}
	if notes := mustLoad(t, "return 1").Notes; len(notes) != 0 {
		t.Errorf("plain: %q", notes)
	}
}

// TestLocate marks a name by ‹› in the submitted text and expects it there.
func TestLocate(t *testing.T) {
	for _, marked := range []string{
		"return ‹target›",
		"\n\n  return ‹target›",
		"const x: number = 1\r\nreturn ‹target›",
		"const x = 'é𝒳'; return ‹target›",
		"const 名 = `𝒳\r\n𝒳`; return ‹target›",
		"type A = { x: string }; interface B {}\nfunction f<T extends A>(a: T): void { ‹target›(a as any) }",
		"Prose 𝒳 first.\n```ts\nlet a: string\n/* 𝒳 */ ‹target›(a!)\n```",
		"export default async function main() { return ‹target› }",
		"#!/x\nreturn ‹target›",
		"let x = 1; { let x = 2; ‹target›(x) }",
		"enum E { A = 'a', B = 'b' }\r\n‹target›(E.A)",
		"const s = 'a\u2028b'; ‹target›",
		"a\rb\r‹target›",
		"const { a = 1,\n  ...‹target› } = f()",
		"x\n  .y\n  .‹target›()",
		"class A { constructor(private readonly ‹target›: string) {} }",
	} {
		off := strings.Index(marked, "‹")
		src := strings.NewReplacer("‹", "", "›", "").Replace(marked)
		text := mustLoad(t, src)
		pos := strings.Index(text.JS, "target")
		loc := text.Locate(int32(pos))
		lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(marked[:off]), "\n")
		want := diagnostics.Location{Line: len(lines), Column: units(lines[len(lines)-1]) + 1}
		want.EndColumn = want.Column + len("target")
		if loc != want {
			t.Errorf("%q: got %+v, want %+v", marked, loc, want)
		}
	}
	if loc := mustLoad(t, "1").Locate(-1); !loc.IsZero() {
		t.Errorf("no place: %v", loc)
	}
}

func TestNameIsTheSubmittedOne(t *testing.T) {
	text := mustLoad(t, "let value = 1; { let value = 2; f(value) }")
	for i, want := range map[int]string{
		strings.Index(text.JS, "value2=2"): "value",
		strings.Index(text.JS, "value2)"):  "value",
		strings.Index(text.JS, "value=1"):  "",
		strings.Index(text.JS, "f("):       "",
	} {
		if got := text.Name(int32(i)); got != want {
			t.Errorf("at %d: %q, want %q", i, got, want)
		}
	}
}

func TestSnippetIsTheSubmittedText(t *testing.T) {
	text := mustLoad(t, "const f = function (a: number) { /* keep */ return a + 1 };\nreturn f")
	start := strings.Index(text.JS, "function(a)")
	end := strings.Index(text.JS, "};return f") + 1
	if got := text.Snippet(int32(start), int32(end)); got != "function (a: number) { /* keep */ return a + 1 }" {
		t.Errorf("%q", got)
	}
}

func TestTextIsSharedSafely(t *testing.T) {
	text := mustLoad(t, "let a = 1; { let a = 2; f(a) }")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if text.Locate(int32(strings.Index(text.JS, "f("))).Column != 25 || text.Name(int32(strings.Index(text.JS, "a2)"))) != "a" {
				t.Error("wrong place")
			}
		})
	}
	wg.Wait()
}

// TestUnsupported expects every place at once.
func TestUnsupported(t *testing.T) {
	for src, want := range map[string][]string{
		"import fs from 'fs'\nimport * as a from 'b'\nreturn fs": {"1:1", "2:1"},
		"import type { A } from './a'\nreturn 1":                 {"1:1"},
		"export type { A } from './a'":                           {"1:1"},
		"export * from './a'; export const a = 1":                {"1:1"},
		"if (a) { export const b = 1 }":                          {"1:10"},
		"const s = `${{ a: 1 }}`; export { s }":                  {"1:26"},
		"export { a }":                                           {"1:1"},
		"@dec class A { @log() m() {} }":                         {"1:1", "1:16"},
		"using a = b\nawait using c = d":                         {"1:1", "2:7"},
		"for (using a of b) ;":                                   {"1:6"},
		"class A { accessor x = 1; static accessor 'y' }":        {"1:11", "1:34"},
		"with (a) { b }":                                         {"1:1"},
		"namespace N { export const a = 1 } export const b = 1":  {"1:1"},
	} {
		_, ds := Load(src, compileopt.Options{})
		var got []string
		for _, d := range ds {
			if d.Kind != diagnostics.UnsupportedSyntax || d.Message == "" || len(d.Suggestions) == 0 || d.Origin != diagnostics.OriginProgram {
				t.Errorf("%q: %+v", src, d)
			}
			got = append(got, d.Location.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", src, got, want)
		}
	}
}

func TestWordsOfUnsupportedFormsAreOrdinaryNames(t *testing.T) {
	for _, src := range []string{
		"const using = 1; using + 1", "f(using, accessor)", "a.import.export.with(1)", "({ import: 1, export: 2, with: 3, using, accessor: 4 })",
		"class A { accessor = 1; using() {}; with() {}; import() {} }", "class A { accessor\nx = 1 }", "const namespace = 1; namespace", "a = b as unknown; using in a",
		"const module = {}; module.x = 1", "[1, 2].with(0, 3)", "`@a`; '@b'; /@c/", "x.using\ny = 1", "type T = { import: string; accessor: number }",
	} {
		if _, ds := Load(src, compileopt.Options{}); len(ds) > 0 {
			t.Errorf("%q: %v", src, ds)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ src, at, message, hint string }{
		{"", "1:1", "the program is empty", "send a JavaScript"},
		{" // nothing\n", "1:1", "the program is empty", ""},
		{"```js\n```", "2:1", "the program is empty", ""},
		{"const a = 1;\nif (a > 0 { return a }", "2:11", "Unexpected token '{': expected ')'", ""},
		{"if (a) {\n  b()\n", "3:1", "Unexpected end of input", "the '{' at line 1, column 8 is never closed"},
		{"const s = “hello”;", "1:11", "Unexpected token", "typographic quotes (line 1, column 11)"},
		{"npm install foo", "1:5", "Unexpected token 'install'", "looks like a shell command"},
		{"def main():\n    return 1", "1:5", "Unexpected token", "looks like Python"},
		{"const y = 1\nx = [i for i in y]", "2:8", "Unexpected token 'for'", "write list.map(x => …)"},
		{"x = {k: v for k, v in y}", "1:11", "Unexpected token 'for'", "write Object.fromEntries("},
		{`const s = f"abc {x}"`, "1:12", "Unexpected token", "between backticks: `abc ${x}`"},
		{"const s = r'a'", "1:12", "Unexpected token", "no letter in front"},
		{`let s = """abc"""`, "1:11", "Unexpected token", "between backticks"},
		{"return 'it's'", "1:12", "Unexpected token 's'", `written \', or`},
		{"return not true", "1:12", "Unexpected token 'true'", "write ! for not"},
		{"if (x not in y) return 1", "1:7", "Unexpected token 'not'", "write !list.includes(x)"},
		{"if (a and b) return 1", "1:7", "Unexpected token 'and'", "write && for and"},
		{"if (x is None) return 1", "1:7", "Unexpected token 'is'", "write === for is"},
		{"return 1 if true else 2", "1:10", "Unexpected token 'if'", "write condition ? a : b"},
		{"return f(x) if g else 2", "1:13", "Unexpected token 'if'", "write condition ? a : b"},
		{`return list({repo="a"})`, "1:18", "Unexpected token '='", "{ repo: … }"},
		{"const m = {'a': 1, 'b' = 2}", "1:24", "Unexpected token '='", "{ 'b': … }"},
		{"const o = {a => 1}", "1:14", "Unexpected token '=>'", "{ a: … }"},
		{"const x = await tools.a.b(repo: 'x')", "1:31", "Unexpected token ':'", "tools take one object: ({ repo: … })"},
		{"return <div>hi</div>", "1:21", "Unterminated regular expression", "JSX is not supported"},
		{"const a = <Foo x={1} />;\nreturn a", "1:16", "Unexpected token 'x'", "JSX is not supported"},
		{"const s = 'abc\ndef'\nreturn s", "1:15", "Unterminated string literal", "between backticks"},
		{"const q = 1\nfor x in q:\n  print(x)", "2:5", "Unexpected token 'x'", "looks like Python"},
		{"const q = 1\ntry:\n  q()\nexcept E:\n  q()", "2:4", "Unexpected token ':'", "looks like Python"},
		{"const q = lambda x: x + 1", "1:18", "Unexpected token 'x'", "write x => …"},
		{"return 1 # comment", "1:11", "Invalid or unexpected token", "begins with //"},
		{"x := 5", "1:4", "Unexpected token '='", "write const x = …"},
		{"return (a, b) -> a + b", "1:16", "Unexpected token '>'", "write => for ->"},
		{"f(**opts)", "1:3", "Unexpected token '**'", "write ...x for **x"},
		{"raise ValueError('x')", "1:7", "Unexpected token 'ValueError'", "write throw new Error"},
		{"Here is the code you asked for:\nreturn 1", "1:6", "Unexpected token 'is'", "starts with prose"},
		{`{"tool": "list", "args": {}}`, "1:8", "Unexpected token ':'", "this is data"},
		{"{\n  \"tool\": \"list\"\n}", "2:9", "Unexpected token ':'", "this is data"},
		{"let a = 1\nlet a = 2", "2:5", "Identifier 'a' has already been declared", ""},
		{"const x;", "1:7", "Missing initializer in const declaration", ""},
		{"function f() { await g() }", "1:16", "await is only valid in async functions", ""},
		{"const a = 010", "1:11", "Legacy octal literals cannot be used in strict mode", ""},
		{"a = 1\nb = 'abc", "2:9", "Unterminated string literal", ""},
		{"Text.\n```js\nreturn 𝒳𝒳 +;\n```", "3:14", "Unexpected token ';'", ""},
		{"for (;;) {}\nbreak", "2:1", "Illegal break statement", ""},
	} {
		_, ds := Load(c.src, compileopt.Options{})
		if len(ds) == 0 {
			t.Errorf("%q: accepted", c.src)
			continue
		}
		d := ds[0]
		if d.Kind != diagnostics.ParseError || d.Location.String() != c.at || !strings.Contains(d.Message, c.message) || !strings.Contains(strings.Join(d.Suggestions, ";"), c.hint) {
			t.Errorf("%q: %+v", c.src, d)
		}
	}
}

func TestAllParseErrorsAreTold(t *testing.T) {
	_, ds := Load("let a, a; let b, b", compileopt.Options{})
	if len(ds) != 2 {
		t.Fatalf("%v", ds)
	}
	if d := Primary(ds); d.Location.Column != 8 || len(d.Related) != 1 || d.Related[0].Location.Column != 18 {
		t.Errorf("%+v", d)
	}
}

// TestLegalCodeIsNotRefused covers shapes that come near the guard's measures.
func TestLegalCodeIsNotRefused(t *testing.T) {
	for name, src := range map[string]string{
		"conditionals":        "x = " + strings.Repeat("a ? (b) : ", 100) + "c",
		"arrows in branches":  "x = [" + strings.Repeat("a ? (b) : c => d,", 100) + "]",
		"no semicolons":       strings.Repeat("x = a + b\n", 3000),
		"ifs in a row":        strings.Repeat("if (a) b()\n", 3000),
		"ifs with blocks":     strings.Repeat("if (a) { b() }\n", 3000),
		"arrows in a row":     "f(" + strings.Repeat("a => a,", 3000) + ")",
		"arrows over lines":   strings.Repeat("const f = a => a\n", 1)[:0] + strings.Repeat("x = a => a\n", 3000),
		"methods":             "class A {" + strings.Repeat("m() { return 1 }\n", 3000) + "}",
		"object":              "return {" + strings.Repeat("'k': 1 + 2,\n", 4000) + "}",
		"array":               "return [" + strings.Repeat("1 + 2,\n", 5000) + "]",
		"union":               "type A = " + strings.Repeat("| 'a' ", 800),
		"enum":                "enum A { " + strings.Repeat("", 0) + "X = 'x', Y = 'y', Z = X + Y } return A.Z",
		"flags":               "enum F { A = 1, B = 1 << 1, C = A | B, D = A + B + C + C + C } return F.D",
		"division and quotes": "const f = (a) => (a) / 2; const s = \"it's\"; g(a[0] / 3, '/', {b: 1}['b'] / 4)",
		"non-null division":   "const y = x! / 2 + z! / 3; const q = '{{{'",
		"regexps":             "if (a) /[{(]/.test(b); x = a ? /}}/ : /'/; return /`/.exec(c)",
	} {
		if _, ds := Load(src, compileopt.Options{}); len(ds) > 0 {
			t.Errorf("%s: %v", name, ds[0])
		}
	}
}

func BenchmarkLoadTenLines(b *testing.B) {
	const src = `const issues: Issue[] = await tools.github.list({ repo: "a/b", state: "open" });
const counts = new Map<string, number>();
for (const issue of issues) {
  for (const label of issue.labels) {
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
}
const top = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5);
console.log(top.length);
return Object.fromEntries(top);`
	for b.Loop() {
		if _, ds := Load(src, compileopt.Options{}); len(ds) > 0 {
			b.Fatal(ds)
		}
	}
}

func TestABlockOfAnotherLanguageIsRefusedAtItsFence(t *testing.T) {
	for _, c := range []struct{ src, message, place string }{
		{"```python\nprint(1)\n```", "this is a Python block; programs are JavaScript or TypeScript", "1:1"},
		{"Sure, here's it:\n\n```python\nx = [1]\nprint(x)\n```\nDone.", "this is a Python block; programs are JavaScript or TypeScript", "3:1"},
		{"~~~sh\nls\n~~~", "this is a shell block; programs are JavaScript or TypeScript", "1:1"},
		{"  ```bash\nls -la\n", "this is a shell block; programs are JavaScript or TypeScript", "1:3"},
		{"```json\n{\"a\": 1}\n```", "this is a block of data (JSON), not a program; programs are JavaScript or TypeScript", "1:1"},
		{"```brainfuck\n+\n```", "this is a 'brainfuck' block; programs are JavaScript or TypeScript", "1:1"},
	} {
		_, ds := Load(c.src, compileopt.Options{})
		if len(ds) != 1 || ds[0].Kind != diagnostics.ParseError || ds[0].Message != c.message || ds[0].Location.String() != c.place || len(ds[0].Suggestions) != 1 {
			t.Errorf("%q: %v", c.src, ds)
		}
	}
	for _, src := range []string{
		"const re = /`/; const s = `\n\\`\\`\\`\n`\nreturn `a\n` + s",
		"/*\n```python\n*/ return 1",
		"```python\nx\n```\n```js\nreturn 1\n```",
		"const a = /[`]/, b = `\n~~~python\nx\n`; return a", // the fence stands in a template
	} {
		if _, ds := Load(src, compileopt.Options{}); len(ds) > 0 && strings.Contains(ds[0].Message, "block") {
			t.Errorf("%q: %v", src, ds)
		}
	}
}

func TestSuggestionsForTextOfAnotherKind(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"ps aux | grep node", "shell"}, {"grep -r foo .", "shell"}, {"find . -name x", "shell"}, {"rm -rf /", "shell"}, {"cd /tmp && ls -la src", "shell"},
		{"cat a.txt | head -5", "tools.<namespace>.<tool>({ … })"}, {"$ kubectl get pods", "shell"}, {"make build", "shell"},
		{"SELECT * FROM users", "SQL"}, {"select a\nfrom b\nwhere c = 1;", "SQL"}, {"INSERT INTO t VALUES (1)", "SQL"},
		{"for i in range(10):\n    print(i)", "Python"}, {"for i in range(10): print(i)", "Python"}, {"async def f():\n  pass", "Python"}, {"try:\n  x()", "Python"},
		{"{a:1, b:2}", "return { … }"}, {"{\n  a: 1,\n  b: 2\n};", "return { … }"},
		{"f({repo: \"a\", state: \"open\")", "the '{' at line 1, column 3 is never closed"},
		{"const x = [1, 2)", "the '[' at line 1, column 11 is never closed"},
		{"if (a { b() }", "the '(' at line 1, column 4 is never closed"},
		{"return 5 – 3", "replace the en dash – (line 1, column 10) by -"}, {"return 5 — 3", "em dash"}, {"return 5 − 3", "minus sign"},
		{"f(1，2)", "replace the full-width form ， (line 1, column 4) by ,"}, {"return f（1）", "by ("}, {"return 1 ≠ 2", "by !=="},
		{"return 1\u200b + 2", "invisible character U+200B (line 1, column 9)"},
	} {
		_, ds := Load(c.src, compileopt.Options{})
		if len(ds) == 0 || !strings.Contains(strings.Join(ds[0].Suggestions, "|"), c.want) {
			t.Errorf("%q: %v, want %s", c.src, ds, c.want)
		} else if ds[0].Kind != diagnostics.ParseError || ds[0].Location.IsZero() {
			t.Errorf("%q: %+v", c.src, ds[0])
		}
	}
	for _, src := range []string{"find = 3; x y", "const sort = [1, 2, 3; return 'select a from b'", "let s = 'a – b', t = `（`; return s t", "if (a) {\n b(\n}"} {
		_, ds := Load(src, compileopt.Options{})
		if len(ds) == 0 {
			t.Errorf("%q is accepted", src)
			continue
		}
		for _, s := range ds[0].Suggestions {
			if strings.Contains(s, "looks like") || strings.HasPrefix(s, "replace") {
				t.Errorf("%q: %s", src, s)
			}
		}
	}
}

// TestOtherMistakesHaveNoAdvice: what only looks like a habit of another language is not explained by it.
func TestOtherMistakesHaveNoAdvice(t *testing.T) {
	for _, src := range []string{
		"const a = ;", "if (a b) c", "return a b", "f(a b)", "const not = 1; not; b c", "for (const x of y z) {}", "const a = { b: 1 c: 2 }", "a.not b", "x = a\nif b) c else d",
		"const a = b - > c", "return 1 2", "const o = { a: 1, b; }", "const x = <T>(a: T => a", "a ? b c", "const f = (a, b) = > a",
	} {
		_, ds := Load(src, compileopt.Options{})
		if len(ds) == 0 {
			t.Errorf("%q: accepted", src)
		} else if s := ds[0].Suggestions; len(s) > 0 && !strings.Contains(s[0], "is never closed") {
			t.Errorf("%q: %q", src, s)
		}
	}
}

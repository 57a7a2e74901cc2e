package syntax

import (
	"strings"
	"testing"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter/internal/source"
)

func TestWrappersAreUnwrapped(t *testing.T) {
	const (
		unwrapped = "the program was one wrapper function; its body was run"
		called    = "the function that the program ends with was called"
		declared  = "the program only declared "
	)
	uncalled := func(name, call string) string {
		return name + " was declared but never called, and the program has no result: end it with return " + call
	}
	for _, c := range []struct{ src, want, note string }{
		{"async () => { return 1 }", "return 1;", unwrapped},
		{"() => 1", "return 1;", unwrapped},
		{"(async () => { await f(); 2 })()", "(await (f())); (2);", unwrapped},
		{"await (async () => { return 1 })();", "return 1;", unwrapped},
		{"return (async () => 1)()", "return 1;", unwrapped},
		{"async ({ tools }) => { return tools }", "return tools;", unwrapped},
		{"(tools, console) => tools", "return tools;", unwrapped},
		{"(async function () { return 1 })()", "return 1;", unwrapped},
		{"async function () { return 1 }", "return 1;", unwrapped},
		{"// the answer\nasync function ({ tools }) { return tools }; // done", "return tools;", unwrapped},
		{"function () { return 1 }", "return 1;", unwrapped},
		{"function* () { yield 1 }", "(function*(){ (yield(1)); });", ""},
		{"return () => 1", "return 1;", unwrapped},
		{"const x = 1; return async () => x", "const x=1; return (async()=>(x))();", called},
		{"export default async () => { return 1 }", "return 1;", unwrapped},
		{"export default async function () { return 1 }", "return 1;", unwrapped},
		{"export default function handler() { return 1 }", "function handler() { return 1; }", uncalled("handler", "handler()")},
		{"export default async function main() { return 1 }", "async function main() { return 1; } return main();", declared + "main; it was called"},
		{"async function main() { return 1 }", "async function main() { return 1; } return main();", declared + "main; it was called"},
		{"const run = async () => 1;", "const run=async()=>(1); return run();", declared + "run; it was called"},
		{"enum A { B } function execute() { return A.B }", "", declared + "execute; it was called"},
		{"interface A {} const x = 1; function main({ tools }) { return x }", "const x=1; function main({tools,},) { return x; } return main({tools, });", declared + "main; it was called"},
		{"function main() { return main }", "function main() { return main; } return main();", declared + "main; it was called"},
		{"const x = 1; async () => x", "const x=1; return (async()=>(x))();", called},
		// Not wrappers.
		{"function main() { return 1 } main()", "function main() { return 1; } (main());", ""},
		{"function main() {} const x = main()", "function main() { } const x=main();", ""},
		{"const x = main(); function main() {}", "const x=main(); function main() { }", ""},
		{"function other() {}", "function other() { }", uncalled("other", "other()")},
		{"async function other() {}", "async function other() { }", uncalled("other", "await other()")},
		{"const other = async (a) => a", "const other=async(a,)=>(a);", uncalled("other", "await other(…)")},
		{"function other() {} const x = other()", "function other() { } const x=other();", ""},
		{"function main(a) {}", "function main(a,) { }", uncalled("main", "main(…)")},
		{"function* main() {}", "function* main() { }", uncalled("main", "main()")},
		{"{a: 1}", "", "the braces around a: … are a block and not an object: to return an object, write return { a: … }"},
		{"{ a: for (;;) break a }", "", ""},
		{"x => x", "(x,)=>(x);", ""},
		{"f(); () => 1", "(f()); ()=>(1);", ""},
		{"(async () => 1)().catch(f)", "((async()=>(1))().catch(f));", ""},
		{"(function () { return arguments.length })()", "((function() { return arguments.length; })());", ""},
		{"return 1; function main() {}", "return 1; function main() { }", ""},
	} {
		text, ds := source.Load(c.src, compileopt.Options{})
		if len(ds) > 0 {
			if c.want != "" {
				t.Errorf("%q: %v", c.src, ds)
			}
			continue
		}
		prog := parseText(t, text)
		notes := strings.Join(prog.Notes, ";")
		if got := strings.Join(strings.Fields(printBody(prog.Main)), " "); c.want != "" && got != strings.ReplaceAll(c.want, ") {", "){") {
			t.Errorf("%q:\nhave %s\nwant %s", c.src, got, c.want)
		}
		if notes != c.note {
			t.Errorf("%q: note %q, want %q", c.src, notes, c.note)
		}
	}
}

func TestUnsupportedFormsAreToldTogether(t *testing.T) {
	text, ds := source.Load("await import('a');\nconst b = import.meta;\n  import(c)", compileopt.Options{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	_, ps := Parse(text.JS, nil)
	var at []string
	for _, p := range ps {
		if !p.Unsupported || p.Message == "" {
			t.Errorf("%+v", p)
		}
		at = append(at, text.Locate(int32(p.Pos)).String())
	}
	if got := strings.Join(at, " "); got != "1:7 2:11 3:3" {
		t.Errorf("%s", got)
	}
}

func TestBraceThatClosesTheProgram(t *testing.T) {
	text, ds := source.Load("f();\n} evil(); {", compileopt.Options{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	_, ps := Parse(text.JS, nil)
	if len(ps) != 1 || text.Locate(int32(ps[0].Pos)).String() != "2:1" {
		t.Errorf("%+v", ps)
	}
}

// TestPlaces checks the places of nodes that have no name of their own.
func TestPlaces(t *testing.T) {
	const src = "const f = async (a: string) => {\n  throw new Error(await g(a.b.c(1)));\n};\nreturn f;"
	text, _ := source.Load(src, compileopt.Options{})
	prog := parseText(t, text)
	fn := prog.Main.Body[0].(*VarDecl).Decls[0].Init.(*FunctionExpr).Func
	throw := fn.Body[0].(*Throw)
	construct := throw.X.(*New)
	await := construct.Args[0].(*Await)
	inner := await.X.(*Call).Args[0].(*Call)
	for name, c := range map[string]struct {
		at   Pos
		want string
	}{
		"throw": {throw.Pos, "2:3"}, "new": {construct.Pos, "2:9"}, "await": {await.Pos, "2:19"}, "call": {await.X.Start(), "2:25"},
		"method call": {inner.Pos, "2:31"}, "argument": {inner.Args[0].Start(), "2:33"}, "function": {fn.Pos, "1:11"},
	} {
		if got := text.Locate(int32(c.at)).String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := text.Snippet(int32(fn.Pos), int32(fn.End)); got != src[10:strings.Index(src, ";\nreturn")] {
		t.Errorf("snippet %q", got)
	}
}

func TestCookedText(t *testing.T) {
	// Pairs of literal and value; the values were printed by an engine as UTF-8.
	for lit, want := range map[string]string{
		`'\n\t\r\b\f\v\0'`:   "\n\t\r\b\f\v\x00",
		`'\x41\u0042\u{43}'`: "ABC",
		`'\u{1F600}'`:        "😀",
		`'\uD83D\uDE00'`:     "😀",
		`'\uD83D'`:           "\xed\xa0\xbd",
		`'\uDE00\uD83D'`:     "\xed\xb8\x80\xed\xa0\xbd",
		`'\q\'\"'`:           `q'"`,
		"'a\\\nb'":           "ab",
	} {
		text, ds := source.Load("return "+lit, compileopt.Options{})
		if len(ds) > 0 {
			t.Fatal(ds)
		}
		got := parseText(t, text).Main.Body[0].(*Return).X.(*StringLit).Value
		if got != want {
			t.Errorf("%s: %q, want %q", lit, got, want)
		}
	}
}

func FuzzLoadAndParse(f *testing.F) {
	for _, h := range hostile {
		f.Add(h.program[:min(len(h.program), 300)])
	}
	for _, src := range []string{"```js\nreturn 1\n```", "export default async () => {}", "a\r\n`${b}`", "class A { #x; static { this.#x } }", "({x} = {x: /}/}) => x", "enum A { B = `${C}` }"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		text, ds := source.Load(src, compileopt.Options{})
		for _, d := range ds {
			if d.Message == "" || d.Location.Line < 1 || d.Location.Column < 1 {
				t.Errorf("%q: %+v", src, d)
			}
		}
		if len(ds) > 0 {
			return
		}
		prog, ps := Parse(text.JS, func(p Pos) string { return text.Name(int32(p)) })
		for _, p := range ps {
			if strings.HasPrefix(p.Message, "the parser failed") {
				t.Errorf("%q: %s", src, p.Message)
			}
			text.Locate(int32(p.Pos))
		}
		if len(ps) == 0 {
			printBody(prog.Main)
		}
	})
}

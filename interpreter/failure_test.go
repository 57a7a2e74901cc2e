package interpreter_test

import (
	"strings"
	"testing"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

func TestAnErrorOfTheProgramsOwnClassIsPlacedAtItsNew(t *testing.T) {
	const class = "class E extends Error {\n  constructor(m) {\n    super(m)\n    this.name = 'E'\n  }\n}\nclass F extends E {}\n"
	for _, c := range []struct{ src, place string }{
		{class + "if (true)\n  throw new E('x')", "9:9"},
		{class + "throw new F('x')", "8:7"},
		{class + "throw new E(...['x'])", "8:7"},
		{class + "const e = new E('x')\n\nthrow e", "8:11"},
		{class + "const fail = m => { throw new E(m) }\nfail('x')", "8:27"},
		{class + "new F(...await Promise.all([Promise.reject(new E('a'))]))", "8:44"},
		{class + "throw new Error('x')", "8:7"},
		{"class A extends Error { constructor(m) { super(m); null.x } }\nthrow new A('x')", "1:57"},
	} {
		f := run(t, c.src, 0).Failure
		if f == nil || f.Location.String() != c.place {
			t.Errorf("%s: %v, want %s", c.src, f, c.place)
		}
	}
}

func TestNotesSayWhatWasUnwrappedOrLeftUncalled(t *testing.T) {
	for src, want := range map[string]string{
		"async () => 1":                          "the program was one wrapper function; its body was run",
		"async function () { return 1 }":         "the program was one wrapper function; its body was run",
		"```js\nconst main = async () => 1\n```": "the program was taken from a Markdown code block|the program only declared main; it was called",
		"async function execute() { return 1 }":  "the program only declared execute; it was called",
		"const x = 1; return () => x":            "the function that the program ends with was called",
		"return 1":                               "",
	} {
		p, d := interpreter.Compile(src, compileopt.Options{})
		if d != nil {
			t.Fatal(d)
		}
		if got := strings.Join(p.Notes(), "|"); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
		if got := text(run(t, src, 0)); got != "1" {
			t.Errorf("%s: %s", src, got)
		}
	}
	if f := run(t, "async function () {\n  return null.x\n}", 0).Failure; f == nil || f.Location.String() != "2:15" {
		t.Errorf("%v", f)
	}
	if f := run(t, "function () { return null.x }", 0).Failure; f == nil || f.Location.String() != "1:27" {
		t.Errorf("%v", f)
	}
}

func TestAMessageShowsTheObjectThatAnUndefinedValueWasReadFrom(t *testing.T) {
	const res = "const res = { items: [1, 2, 3], total: 3, next: null };\n"
	const shape = "res is { items: Array(3), total: number, next: null }"
	for src, want := range map[string]string{
		"return res.content[0].text":                                 "TypeError: Cannot read properties of undefined (reading '0'): res.content is undefined; " + shape,
		"return res['content'].text":                                 "TypeError: Cannot read properties of undefined (reading 'text'): res[\"content\"] is undefined; " + shape,
		"return res.next.page":                                       "TypeError: Cannot read properties of null (reading 'page'): res.next is null; " + shape,
		"return res.data.map(x => x)":                                "TypeError: Cannot read properties of undefined (reading 'map'): res.data is undefined; " + shape,
		"return res.data['map'](x => x)":                             "TypeError: Cannot read properties of undefined (reading 'map'): res.data is undefined; " + shape,
		"return (() => res.content[0])()":                            "TypeError: Cannot read properties of undefined (reading '0'): res.content is undefined; " + shape,
		"res.meta.seen = true":                                       "TypeError: Cannot set properties of undefined (setting 'seen'): res.meta is undefined; " + shape,
		"res.meta['seen'] = true":                                    "TypeError: Cannot set properties of undefined (setting 'seen'): res.meta is undefined; " + shape,
		"res.meta.seen += 1":                                         "TypeError: Cannot read properties of undefined (reading 'seen'): res.meta is undefined; " + shape,
		"return res.items[7].id":                                     "TypeError: Cannot read properties of undefined (reading 'id'): res.items[7] is undefined; res.items is Array(3)",
		"return (await { r: res }).r.content.text":                   "TypeError: Cannot read properties of undefined (reading 'text'): (intermediate value).r.content is undefined",
		"const f = async () => res; return (await f()).content.text": "TypeError: Cannot read properties of undefined (reading 'text'): f(...).content is undefined; f(...) is { items: Array(3), total: number, next: null }",
		"const { a } = res.content":                                  "TypeError: Cannot destructure property 'a' of 'res.content' as it is undefined. " + shape,
		"const [a] = res.rows":                                       "TypeError: res.rows is not iterable (it is undefined); " + shape,
		"const [a] = res":                                            "TypeError: res is not iterable (it is { items: Array(3), total: number, next: null }); use res.items",
		"for (const i of res) ;":                                     "TypeError: res is not iterable (it is { items: Array(3), total: number, next: null }); use res.items",
		"for (const i of res.rows) ;":                                "TypeError: res.rows is not iterable (it is undefined); " + shape,
		"return [...res]":                                            "TypeError: res is not iterable (it is { items: Array(3), total: number, next: null }); use res.items",
		"const big = Object.fromEntries([...Array(99).keys()].map(i => ['k' + i, i])); big.x.y":             "TypeError: Cannot read properties of undefined (reading 'y'): big.x is undefined; big is { k0: number, k1: number, k2: number, k3: number, k4: number, k5: number, … }",
		"for (const o of [{ a: 1 }, { b: { c: 2 } }]) { try { o.b.c } catch { } } const u = undefined; u.x": "TypeError: Cannot read properties of undefined (reading 'x'): u is undefined",
	} {
		f := run(t, res+src, 0).Failure
		if f == nil || f.Message != want {
			t.Errorf("%s\n got %v\nwant %s", src, f, want)
		}
	}
}

func TestTheCauseAndTheFieldsOfAnErrorAreTold(t *testing.T) {
	for src, want := range map[string]string{
		"throw new Error('a', { cause: new TypeError('b', { cause: 'c' }) })":        "cause: TypeError: b at 1:31|cause: 'c' at ",
		"throw Object.assign(new Error('a'), { code: 'E1', status: 404 })":           "its fields: { code: 'E1', status: 404 } at ",
		"const e = new Error('a'); e.cause = e; throw e":                             "",
		"class E extends Error { name = 'E'; code = 7 } throw new E('a')":            "its fields: { code: 7 } at ",
		"throw new AggregateError([new Error('x')], 'a', { cause: new Error('y') })": "cause: Error: y at 1:58|Error: x at 1:27",
		"throw new Error('a')": "",
	} {
		f := run(t, src, 0).Failure
		if f == nil {
			t.Fatal(src)
		}
		var got []string
		for _, r := range f.Related {
			got = append(got, r.Message+" at "+r.Location.String())
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
	f := run(t, "throw Object.assign(new Error('a'), { body: 'x'.repeat(1e6), get secret() { throw 1 } })", 0).Failure
	if f != nil && len(f.Related) == 1 && len(f.Related[0].Message) > 400 {
		t.Errorf("%d bytes of fields", len(f.Related[0].Message))
	}
}

// oneNamespace is a host with tools.issues alone.
type oneNamespace struct{ noTools }

func (oneNamespace) Lookup(path []string) (isTool, isNamespace bool) {
	return false, len(path) == 0 || len(path) == 1 && path[0] == "issues"
}

// Keys implements interpreter.Host.
func (oneNamespace) Keys(path []string) ([]string, bool) { return []string{"issues"}, len(path) == 0 }

func TestAnUndeclaredNameIsOneThatEndedOrIsSpeltOtherwise(t *testing.T) {
	const ended = " is not defined. It is declared in a block or function that has ended here; declare it with let before that block"
	for src, want := range map[string]string{
		"const result = 1; return reslt":                         "reslt is not defined. Did you mean result?",
		"function f(count) { return () => conut } return f(1)()": "conut is not defined. Did you mean count?",
		"try { const rows = [1] } catch {} return rows.length":   "rows" + ended,
		"for (const row of [1]) ; row.id = 1":                    "row" + ended,
		"function f() { let total = 1 } f(); total++":            "total" + ended,
		"return Jason.parse('1')":                                "Jason is not defined. Did you mean JSON?",
		"const { a } = promise.all([])":                          "promise is not defined. Did you mean Promise?",
		"return typeof reslt === 'undefined' && zzzz":            "zzzz is not defined",
		"const fetched = 1; return fetch('x')":                   "fetch is not defined. ",
	} {
		if f := run(t, src, 0).Failure; f == nil || !strings.HasPrefix(f.Message, "ReferenceError: "+want) {
			t.Errorf("%s: %v, want %q", src, f, want)
		}
	}
}

func TestWhatIsNotIterableIsShown(t *testing.T) {
	for src, want := range map[string]string{
		"new Map({ a: 1 })":             "{ a: number } is not iterable; use Object.entries(…) or Object.values",
		"new Set({ items: [1] })":       `{ items: Array(1) } is not iterable; use its member "items"`,
		"await Promise.all({ a: 1 })":   "{ a: number } is not iterable; pass an array: Promise.all(Object.values(…))",
		"await Promise.all({ a: [1] })": `{ a: Array(1) } is not iterable; pass its member "a"`,
		"const p = Promise.resolve(1); await Promise.allSettled({ p, s: '' })":           "{ p: Promise, s: string } is not iterable; pass an array: Promise.allSettled(Object.values(…))",
		"await Promise.all(Promise.resolve(1))":                                          "a Promise is not iterable; pass an array: Promise.all([a, b]), or await the Promise first if it gives one",
		"Object.fromEntries(7)":                                                          "7 is not iterable",
		"new Set(Promise.resolve([]))":                                                   "a Promise is not iterable; await it first",
		"new Map(Promise.resolve([]))":                                                   "a Promise is not iterable; await it first",
		"const q = { items: Array(10) }; for (const i of q) ;":                           "q is not iterable (it is { items: Array(10) }); use q.items",
		"const q = { 'my items': [] }; [...q]":                                           `q is not iterable (it is { my items: Array(0) }); use q["my items"]`,
		"const q = { a: 1 }; Math.max(...q)":                                             "q is not iterable (it is { a: number }); use Object.entries(q) or Object.values",
		"const q = { a: [], b: [] }; const [x] = q":                                      "q is not iterable (it is { a: Array(0), b: Array(0) }); use Object.entries(q) or Object.values",
		"const f = () => [1]; for (const x of f) ;":                                      "f is not iterable; it is a function: call it first",
		"const p = Promise.resolve(1); for (const x of p) ;":                             "p is not iterable; it is a Promise: await it first",
		"const q = { rows: [1] }; Object.keys(q.data)":                                   "Cannot convert undefined or null to object; q.data is undefined; q is { rows: Array(1) }",
		"const q = { rows: [1] }; await Promise.all(q.data)":                             "undefined is not iterable: q.data is undefined; q is { rows: Array(1) }",
		"for (const x of [null, 0]) Object.keys(x)":                                      "Cannot convert undefined or null to object; x is null",
		"const f = x => Object.keys(x.y); try { f({}) } catch {} Object.keys(undefined)": "Cannot convert undefined or null to object",
		"new Map([1])": "Iterator value 1 is not an entry object",
		"const p = Promise.resolve([1]); return p[0].id":    "Cannot read properties of undefined (reading 'id'): p[0] is undefined, since it was read from a Promise: await the Promise first",
		"const p = Promise.resolve([1]); const { a } = p.b": "Cannot destructure property 'a' of 'p.b' as it is undefined, since it was read from a Promise: await the Promise first.",
	} {
		if f := run(t, src, 0).Failure; f == nil || f.Message != "TypeError: "+want {
			t.Errorf("%s\n got %v\nwant %s", src, f, want)
		}
	}
}

// A variable that is never assigned to keeps where its value came from.
func TestAnUndefinedVariableNamesItsOrigin(t *testing.T) {
	const name = "Cannot read properties of undefined (reading 'name'): first is undefined"
	for src, want := range map[string]string{
		"const m = { items: [] }; const first = m.items[0]; return first.name":                  name + "; it is m.items[0], and m.items is Array(0)",
		"const m = { items: [] }; let first = m.items[0]; const f = () => m; return first.name": name + "; it is m.items[0], and m.items is Array(0)",
		"const m = { a: { rows: 1 } }; const first = m.a['b']; return first.name":               name + "; it is m.a[\"b\"], and m.a is { rows: number }",
		"const m = { items: [] }; let first; first = m.items[0]; return first.name":             name,
		"const m = { items: [] }; const first = m.items[0]; m.items.push(1); return first.name": name,
		"let m = { items: [] }; const first = m.items[0]; m = 1; return first.name":             name,
		"const m = { get items() { return [] } }; const first = m.items[0]; return first.name":  name,
		"const m = [{ id: 1 }]; const first = m.find(x => x.id == 2); return first.name":        name + "; it is what m.find(...) gave",
		"const f = async () => {}; const first = await f(); const { name } = first":             "Cannot destructure property 'name' of 'first' as it is undefined. It is what f(...) gave",
		"const { first } = await (async () => ({ rows: [1], total: 1 }))(); return first.name":  name + "; it was taken from an object, which has rows, total",
		"const q = { rows: [1] }; const { data: first } = q; return first.name":                 name + "; it was taken from q, which has rows",
		"const q = {}; const { first } = q; return first.name":                                  name + "; it was taken from q, which is {}",
		"const q = {}; const { first = undefined } = q; return first.name":                      name,
		"let { first } = { a: 1 }; first = undefined; return first.name":                        name,
		"const f = ({ first }) => first.name; f({ first: 1 }); return f({ rows: 1 })":           name + "; it was taken from an object, which has rows",
		"const { first } = { rows: 1 }; for (const x of first) ;":                               "first is not iterable (it is undefined); it was taken from an object, which has rows",
	} {
		if f := run(t, src, 0).Failure; f == nil || f.Message != "TypeError: "+want {
			t.Errorf("%s\n got %v\nwant %s", src, f, want)
		}
	}
}

func TestAnUndeclaredNameLeadsToTheTools(t *testing.T) {
	for src, want := range map[string]string{
		"issues.list()":            "ReferenceError: issues is not defined. Did you mean tools.issues?",
		"isues.list()":             "ReferenceError: isues is not defined. Did you mean tools.issues?",
		"searchTools('x')":         "ReferenceError: searchTools is not defined. Object.keys(tools) lists what there is; where the host offers the search, it is search({ query: \"…\" })",
		"callTool('x')":            "ReferenceError: callTool is not defined. Call a tool by its path: await tools.<namespace>.<tool>({ … })",
		"rm -rf /tmp/x":            "ReferenceError: rm is not defined. There is no shell: programs are JavaScript or TypeScript that call tools: await tools.<namespace>.<tool>({ … })",
		"if (typeof rm) find('a')": "ReferenceError: find is not defined",
	} {
		p, d := interpreter.Compile(src, compileopt.Options{})
		if d != nil {
			t.Fatal(src, d)
		}
		f := p.Run(t.Context(), interpreter.RunOptions{Host: oneNamespace{}}).Failure
		if f == nil || f.Message != want {
			t.Errorf("%s\n got %v\nwant %s", src, f, want)
		}
	}
}

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

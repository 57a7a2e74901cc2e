package syntax

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter/internal/source"
)

// otherwise lists the programs on which the front end and the engine part on purpose.
var otherwise = map[string]string{
	"/(/":                             "patterns are checked when the program is compiled",
	"/a{2,1}/":                        "patterns are checked when the program is compiled",
	"/\\k<n>/u":                       "patterns are checked when the program is compiled",
	"/(?<n>a)(?<n>b)/":                "patterns are checked when the program is compiled",
	"/a/uv":                           "patterns are checked when the program is compiled",
	"++a ** 2":                        "the parser rejects it",
	"for (var {x = y in z} = {};;) ;": "the parser rejects it",
	"for (x?.[a in b];;) ;":           "the parser rejects it",
	"for (f() of c) ;":                "rejected early; the engine throws when it runs",
	"f() = 1":                         "rejected early; the engine throws when it runs",
	"f()++":                           "rejected early; the engine throws when it runs",
	"++f()":                           "rejected early; the engine throws when it runs",
	"new await a":                     "accepted: erasure adds the parentheses",
	"(a,)":                            "accepted: erasure drops the comma",
	"({a: (b = 1)} = c)":              "accepted: erasure drops the parentheses",
	"let {if} = a":                    "accepted: erasure renames the binding",
	"class A { a: 1 }":                "a literal type in TypeScript",
	"a ! = b":                         "a non-null assertion in TypeScript",
	"import(\"a\")":                   "refused by the product",
	"import(a, {})":                   "refused by the product",
	"export default 1":                "a wrapper that is unwrapped",
	"export const a = 1":              "export before a declaration is left out",
	"function () {}":                  "a wrapper that is unwrapped",
	"// abc":                          "an empty program is refused",
}

// TestVerdicts compares with what V8 says about each text as the body of a strict async function.
func TestVerdicts(t *testing.T) {
	f, err := os.Open("testdata/verdicts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
		var v struct{ Src, Error string }
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		message := verdict(v.Src)
		if reason, ok := otherwise[v.Src]; ok {
			if (message == "") == (v.Error == "") {
				t.Errorf("%q no longer differs: %s", v.Src, reason)
			}
			continue
		}
		if (message == "") != (v.Error == "") {
			t.Errorf("%q: got %q, the engine says %q", v.Src, message, v.Error)
		}
	}
	if n < 400 {
		t.Errorf("only %d programs", n)
	}
}

func verdict(src string) string {
	text, ds := source.Load(src, compileopt.Options{})
	if len(ds) > 0 {
		return ds[0].Message
	}
	if _, ps := Parse(text.JS, nil); len(ps) > 0 {
		return ps[0].Message
	}
	return ""
}

package interpreter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

// texts answers every call with one text.
type texts struct {
	noTools
	answer data.Value
}

func (texts) Lookup(path []string) (bool, bool) { return len(path) > 0, len(path) == 0 }

func (h texts) Invoke(c interpreter.Call) error { c.Done(h.answer, nil); return nil }

// A field of a text that looks like JSON is undefined as of any text, but what comes of that says what to do.
func TestFieldsOfTextsThatLookLikeJSON(t *testing.T) {
	for _, c := range []struct{ answer, program, failure, warning string }{
		{`{"rows":[{"id":7}]}`, `const r = await tools.db.find({}); return r.rows[0].id`, "r.rows is undefined; the result of tools.db.find is a string that looks like JSON: use JSON.parse", ""},
		{` [1, 2] `, `const r = await tools.db.find({}); return r.map(x => x)`, "r.map is not a function; the result of tools.db.find is a string that looks like JSON: use JSON.parse", ""},
		{`{"rows":[]}`, `const r = await tools.db.find({}); return r.rows`, "", ".rows is undefined: the result of tools.db.find is a string that looks like JSON"},
		{`{"rows":[]}`, `const r = await tools.db.find({}); return r.rows?.length ?? 0`, "", ".rows is undefined"},
		{`{"rows":[{"id":7}]}`, `const r = JSON.parse(await tools.db.find({})); return r.rows[0].id`, "", ""},
		{`{"rows":[]}`, `const r = await tools.db.find({}); return r.length + r.trim().indexOf("rows")`, "", ""},
		{`{"rows":[]}`, `const r = await tools.db.find({}); if (r.length) return JSON.parse(r)`, "", ""},
		{`{"rows"`, `const r = await tools.db.find({}); return r.length + r[0] + [...r]`, "", ""},
		{`{"rows"`, `const r = await tools.db.find({}); return r.rows`, "", ""},
		{`42`, `const r = await tools.db.find({}); return typeof r + r.rows`, "", ""},
		{``, `const s = '{"a":1}'; return s.a.b`, "s.a is undefined; it is a string that looks like JSON: use JSON.parse first", ""},
		{``, `const s = '{"a":1}'; return s.a`, "", ""},
	} {
		p, problem := interpreter.Compile(c.program, compileopt.Options{})
		if problem != nil {
			t.Fatal(problem)
		}
		out := p.Run(context.Background(), interpreter.RunOptions{Host: texts{answer: data.String(c.answer)}})
		failure, warning := "", ""
		if out.Failure != nil {
			failure = out.Failure.Message
		}
		if len(out.Warnings) > 0 {
			warning = out.Warnings[0].Message
		}
		if !strings.Contains(failure, c.failure) || !strings.Contains(warning, c.warning) || (c.failure == "") != (failure == "") || (c.warning == "") != (warning == "") {
			t.Errorf("%s\nfailure %q, want %q\nwarning %q, want %q", c.program, failure, c.failure, warning, c.warning)
		}
	}
}

// What is made of a tool's answer that looks like JSON as if it were parsed fails with what to do, or is warned of once for each place.
func TestUsesOfAnswersThatLookLikeJSON(t *testing.T) {
	const hint = "the result of tools.db.find is a string that looks like JSON: use JSON.parse on it first"
	for use, want := range map[string]string{
		"for (const y of r.rows) ;":            "TypeError: r.rows is not iterable (it is undefined); ",
		"[...r.rows]":                          "TypeError: r.rows is not iterable (it is undefined); ",
		"Math.max(...r.rows)":                  "TypeError: r.rows is not iterable (it is undefined); ",
		"const [a] = r.rows":                   "TypeError: r.rows is not iterable (it is undefined); ",
		"const { rows: [a] } = r":              "TypeError: r.rows is not iterable (it is undefined); ",
		"const { rows: { a } } = r":            "TypeError: Cannot destructure property 'a' of 'r.rows' as it is undefined. ",
		"const { a } = r.rows":                 "TypeError: Cannot destructure property 'a' of 'r.rows' as it is undefined. ",
		"const { rows } = r; rows.map(x => x)": "TypeError: Cannot read properties of undefined (reading 'map'): rows is undefined; ",
		"await Promise.all(r.rows)":            "TypeError: undefined is not iterable: r.rows is undefined; ",
		"Array.from(r.rows)":                   "TypeError: undefined is not iterable: r.rows is undefined; ",
		"Map.groupBy(r.rows, x => x)":          "TypeError: undefined is not iterable: r.rows is undefined; ",
		"Object.fromEntries(r.rows)":           "TypeError: undefined is not iterable: r.rows is undefined; ",
		"Object.entries(r.rows)":               "TypeError: Cannot convert undefined or null to object; r.rows is undefined; ",
		"Object.assign(r.rows, {})":            "TypeError: Cannot convert undefined or null to object; r.rows is undefined; ",
		`"rows" in r`:                          `TypeError: Cannot use 'in' operator to search for 'rows' in {"rows":[{"id":7}]}; `,
		"r.length":                             "the length is that of a text: ",
		"r?.length":                            "the length is that of a text: ",
		"const { length } = r":                 "the length is that of a text: ",
		"r[0]":                                 "[0] is a character of a text: ",
		"for (const i of [0, 0, 0]) r[i]":      "[0] is a character of a text: ",
		"Object.keys(r).length":                "the properties listed are the characters of a text: ",
		"Object.values(r)":                     "the properties listed are the characters of a text: ",
		"Object.entries(r)":                    "the properties listed are the characters of a text: ",
		"({ ...r })":                           "the properties listed are the characters of a text: ",
		"({ a: 1, ...r })":                     "the properties listed are the characters of a text: ",
		"Object.assign({}, r)":                 "the properties listed are the characters of a text: ",
		"for (const k in r) ;":                 "the names iterated are those of the characters of a text: ",
		"for (const x of r) ;":                 "the items iterated are the characters of a text: ",
		"[...r]":                               "the items iterated are the characters of a text: ",
		"Array.from(r)":                        "the items iterated are the characters of a text: ",
		"new Set(r).size":                      "the items iterated are the characters of a text: ",
		"const [a] = r":                        "the items iterated are the characters of a text: ",
		"Object.assign({}, r.rows)":            ".rows is undefined: ",
	} {
		p, problem := interpreter.Compile("const r = await tools.db.find({});\n"+use, compileopt.Options{})
		if problem != nil {
			t.Fatal(problem)
		}
		out := p.Run(context.Background(), interpreter.RunOptions{Host: texts{answer: data.String(`{"rows":[{"id":7}]}`)}})
		var got []string
		if out.Failure != nil {
			got = append(got, out.Failure.Message)
		}
		for _, w := range out.Warnings {
			if got = append(got, w.Message); w.Location.Line != 2 {
				t.Errorf("%s: the warning is at %v", use, w.Location)
			}
		}
		said := hint
		if strings.HasSuffix(want, ". ") {
			said = "T" + hint[1:]
		}
		if len(got) != 1 || got[0] != want+said {
			t.Errorf("%s\n got %q\nwant %q", use, got, want+said)
		}
	}
}

// A failure that comes of a character taken for an item is explained by the warning.
func TestFailureAfterACharacterOfAnAnswer(t *testing.T) {
	p, _ := interpreter.Compile("const r = await tools.db.find({}); return r[0].id.trim()", compileopt.Options{})
	out := p.Run(context.Background(), interpreter.RunOptions{Host: texts{answer: data.String(`[{"id":"a"}]`)}})
	if out.Failure == nil || len(out.Warnings) != 1 || !strings.HasPrefix(out.Warnings[0].Message, "[0] is a character of a text: ") {
		t.Errorf("%v %v", out.Failure, out.Warnings)
	}
}

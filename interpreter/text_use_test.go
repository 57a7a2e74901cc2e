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

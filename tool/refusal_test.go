package tool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// Arguments that are wrong for their schema never reach the tool, and the
// message says what is allowed.
func TestWrongArguments(t *testing.T) {
	ran := 0
	modes := func(additional string) *tool.Tool {
		return tool.Raw("", schema.New(parse(`{"type":"object","properties":{"n":{"type":"integer","minimum":1},"mode":{"type":"string","enum":["fast","slow"]},"deep":{"type":"object","properties":{"a/b":{"type":"number"}}},"note":{"type":"string"}},"required":["n"]`+additional+`}`)),
			func(context.Context, data.Value) (data.Value, error) { ran++; return data.Null{}, nil })
	}
	p := tooltest.New(t, tool.Tree{"closed": modes(`,"additionalProperties":false`), "open": modes("")})
	for _, c := range []struct {
		path  string
		input []any
		want  string
	}{
		{"closed", []any{map[string]any{"n": "3"}}, `input.n: expected integer, got string "3"`},
		{"closed", []any{map[string]any{"n": 0}}, `input.n: must be ≥ 1, got number 0`},
		{"closed", []any{map[string]any{"n": 1, "mode": "Fast"}}, `input.mode: expected "fast" or "slow", got string "Fast" (did you mean "fast"?)`},
		{"closed", []any{map[string]any{"n": 1, "extra": 1}}, `input.extra: unknown field (expected fields: n, mode, deep, note)`},
		{"closed", []any{map[string]any{"n": 1, "nte": "x"}}, `input.nte: unknown field (did you mean "note"?)`},
		{"closed", []any{map[string]any{"n": 1, "note": nil}}, `input.note: expected string, got null (leave it out if there is none)`},
		{"closed", []any{map[string]any{"n": 1, "mode": nil}}, `input.mode: expected "fast" or "slow", got null (leave it out if there is none)`},
		{"closed", []any{map[string]any{"n": 1, "mode": 7}}, `input.mode: expected "fast" or "slow", got number 7`},
		{"closed", []any{map[string]any{"n": 1, "deep": map[string]any{"a/b": nil}}}, `input.deep["a/b"]: expected number, got null (NaN and Infinity become null in JSON; leave it out if there is none)`},
		{"closed", []any{map[string]any{"n": nil}}, `input.n: expected integer, got null (NaN and Infinity become null in JSON)`},
		{"closed", nil, `input.n: required`},
		{"closed", []any{"3"}, `input: expected object, got string "3"`},
		{"closed", []any{1, "fast"}, `got 2 arguments, want one object, tools.closed({ n, mode, deep, note })`},
	} {
		if message := p.Fails(diagnostics.InvalidToolInput, c.path, c.input...); !strings.Contains(message, c.want) || !strings.HasPrefix(message, "tools.closed was not called: ") ||
			!strings.HasSuffix(message, `
signature: tools.closed(input: { n: number; mode?: "fast" | "slow"; deep?: { "a/b"?: number }; note?: string }): Promise<unknown>`) {
			t.Errorf("%v: %s", c.input, message)
		}
	}
	if ran != 0 {
		t.Errorf("the tool ran %d times", ran)
	}
	tooltest.Result[any](p, "open", map[string]any{"n": 1, "extra": 1})
	tooltest.Result[any](p, "closed", map[string]any{"n": 1.0, "mode": "slow"})
	if ran != 2 {
		t.Errorf("the tool ran %d times", ran)
	}
}

// One bad schema costs nobody else anything: each tool can be called and shown.
func TestOddSchemas(t *testing.T) {
	tree := tool.Tree{}
	for name, text := range map[string]string{
		"empty": `{}`, "true": `true`, "nullable": `{"type":["object","null"]}`, "foreign": `{"$ref":"http://x/y"}`, "misspelt": `{"type":"objekt"}`,
		"comment": `{"description":"*/ ${x} $&","properties":{"a":{"description":"*/ ${x} $&"}}}`, "mixed": `{"properties":{"a":{"enum":["x",1,null]}}}`,
		"patterns": `{"patternProperties":{"^a":{"type":"string"}}}`, "not": `{"not":{"type":"string"}}`, "if": `{"if":{"required":["a"]},"then":{"required":["b"]}}`, "five": `5`,
		"enum": `{"properties":{"a":{"enum":[]}}}`, "reference": `{"properties":{"a":{"$ref":"#/$defs/none"}}}`,
	} {
		tree[name] = tool.Raw("*/ ${x} $&", schema.New(parse(text)), null)
	}
	tree["absent"] = tool.Raw("", nil, null)
	p := tooltest.New(t, tree)
	c, err := tool.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.All() {
		if got := tooltest.Result[any](p, e.Expression); got != nil {
			t.Errorf("%s: %v", e.Expression, got)
		}
		declaration := e.Declaration()
		if strings.Count(declaration, "/*") != strings.Count(declaration, "*/") || !strings.Contains(e.Signature(), "): Promise<unknown>") {
			t.Errorf("%s", declaration)
		}
		if e.Tool.Description() != "" && !strings.Contains(declaration, "* / ${x} $&") {
			t.Errorf("the text is altered: %s", declaration)
		}
	}
}

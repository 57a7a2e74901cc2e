package tool_test

import (
	"context"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// An unchecked output is shown by its schema and passed on as it is; the input
// is checked all the same, also behind code around the tool.
func TestUncheckedOutput(t *testing.T) {
	input, _ := schema.Parse([]byte(`{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}`))
	output, _ := schema.Parse([]byte(`{"type":"number"}`))
	lies := func(context.Context, data.Value) (data.Value, error) { return data.String("x"), nil }
	trusted := tool.Raw("", input, lies, tool.OutputSchema(output), tool.UncheckedOutput())
	around := trusted.Around(func(ctx context.Context, next func(context.Context) (data.Value, error)) (data.Value, error) {
		return next(ctx)
	})
	p := tooltest.New(t, tool.Tree{"trusted": trusted, "around": around, "checked": tool.Raw("", input, lies, tool.OutputSchema(output))})
	for _, path := range []string{"trusted", "around"} {
		if got := tooltest.Result[string](p, path, map[string]any{"n": 1}); got != "x" {
			t.Errorf("%s: got %q", path, got)
		}
		p.Fails(diagnostics.InvalidToolInput, path, map[string]any{"n": "1"})
	}
	p.Fails(diagnostics.InvalidToolOutput, "checked", map[string]any{"n": 1})
	if got, want := p.Signature("trusted"), "tools.trusted(input: { n: number }): Promise<number>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

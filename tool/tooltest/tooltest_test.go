package tooltest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type in struct {
	Name  string `json:"name"`
	Times int    `json:"times,omitempty"`
}

var errSecret = errors.New("password=hunter2")

func tree(t *testing.T) tool.Tree {
	number, err := schema.Parse([]byte(`{"type":"number"}`))
	if err != nil {
		t.Fatal(err)
	}
	return tool.Tree{"demo": tool.Tree{
		"greet-all": tool.New("Greet", func(ctx context.Context, in in) (string, error) {
			tool.Attach(ctx, tool.Attachment{Name: in.Name})
			return strings.Repeat("hello "+in.Name, max(1, in.Times)), nil
		}),
		"secret": tool.New("", func(context.Context, in) (string, error) { return "", errSecret }),
		"told":   tool.New("", func(context.Context, in) (string, error) { return "", tool.Errorf("no such name") }),
		"panics": tool.New("", func(context.Context, in) (string, error) { panic("oh") }),
		"lies":   tool.Raw("", nil, func(context.Context, data.Value) (data.Value, error) { return data.String("x"), nil }, tool.OutputSchema(number)),
	}}
}

func TestOutcomes(t *testing.T) {
	p := tooltest.New(t, tree(t))
	if got := tooltest.Result[string](p, `tools.demo["greet-all"]`, in{Name: "Ann"}); got != "hello Ann" {
		t.Error(got)
	}
	if got := tooltest.Result[string](p, "demo.greet-all", map[string]any{"name": "Bo", "times": 2}); got != "hello Bohello Bo" {
		t.Error(got)
	}
	for _, c := range []struct {
		kind    diagnostics.Kind
		path    string
		input   []any
		message string
	}{
		{diagnostics.InvalidToolInput, "demo.greet-all", []any{map[string]any{"name": 5}}, `input.name: expected string, got number 5`},
		{diagnostics.InvalidToolInput, "demo.greet-all", []any{"a", "b"}, `got 2 arguments`},
		{diagnostics.InvalidToolInput, "demo.greet-all", nil, `input.name: required`},
		{diagnostics.InvalidToolOutput, "demo.lies", nil, `expected number, got string "x"`},
		{diagnostics.UnknownTool, "demo.greet_all", nil, `tools.demo["greet-all"]`},
		{diagnostics.ToolFailure, "demo.told", []any{in{Name: "x"}}, "no such name"},
		{diagnostics.ToolFailure, "demo.panics", []any{in{Name: "x"}}, "internal to the host"},
	} {
		if message := p.Fails(c.kind, c.path, c.input...); !strings.Contains(message, c.message) {
			t.Errorf("%s: %s", c.path, message)
		}
	}
	o := p.Call("demo.secret", in{Name: "x"})
	if o.Failure == nil || strings.Contains(o.Failure.Message, "hunter2") || !errors.Is(o.Cause, errSecret) || o.Value != nil {
		t.Errorf("%+v", o)
	}
	if a := p.Attachments(); len(a) != 2 || a[0].Name != "Ann" {
		t.Errorf("%v", a)
	}
	if calls := p.Calls(); len(calls) != 6 || calls[0].Status != tool.Completed || calls[5].Status != tool.Failed {
		t.Errorf("%v", calls)
	}
	if got := p.Signature("demo.greet-all"); got != `tools.demo["greet-all"](input: { name: string; times?: number }): Promise<string>` {
		t.Error(got)
	}
}

func TestManyAtOnce(t *testing.T) {
	p := tooltest.New(t, tree(t))
	var wait sync.WaitGroup
	for range 40 {
		wait.Go(func() {
			if o := p.Call("demo.secret", in{Name: "x"}); !errors.Is(o.Cause, errSecret) {
				t.Error(o.Failure)
			}
			if o := p.Call("demo.greet-all", in{Name: "x"}); o.Cause != nil || o.Failure != nil {
				t.Error(o.Failure)
			}
		})
	}
	wait.Wait()
}

// recorder is a test whose failure does not fail this one.
type recorder struct {
	testing.TB
	failed string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = format
	panic(r)
}

func TestFailuresFailTheTest(t *testing.T) {
	for name, f := range map[string]func(r *recorder){
		"tree":     func(r *recorder) { tooltest.New(r, tool.Tree{"": nil}) },
		"result":   func(r *recorder) { tooltest.Result[string](tooltest.New(r, tree(t)), "demo.told", in{Name: "x"}) },
		"decoding": func(r *recorder) { tooltest.Result[int](tooltest.New(r, tree(t)), "demo.greet-all", in{Name: "x"}) },
		"input":    func(r *recorder) { tooltest.New(r, tree(t)).Call("demo.told", make(chan int)) },
		"success": func(r *recorder) {
			tooltest.New(r, tree(t)).Fails(diagnostics.ToolFailure, "demo.greet-all", in{Name: "x"})
		},
		"kind": func(r *recorder) { tooltest.New(r, tree(t)).Fails(diagnostics.UnknownTool, "demo.told", in{Name: "x"}) },
	} {
		r := &recorder{TB: t}
		func() {
			defer func() {
				if recover() != any(r) {
					t.Errorf("%s: the test goes on", name)
				}
			}()
			f(r)
		}()
	}
}

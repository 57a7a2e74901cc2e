package tool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

type quiet struct{}

func (*quiet) Error() string { return "never asked" }

// shaky panics when it is asked what it wraps.
type shaky struct{}

func (shaky) Error() string { return "shaky" }
func (shaky) Unwrap() error { panic("boom") }

// A nil pointer returned as an error is the tool's own bug: the program reads
// the generic sentence, the host of a defect.
func TestNilErrors(t *testing.T) {
	failing := func(err error) *tool.Tool {
		return tool.New("", func(context.Context, struct{}) (int, error) { return 1, err })
	}
	var none *tool.Error
	p := tooltest.New(t, tool.Tree{
		"nil":     failing(none),
		"other":   failing((*quiet)(nil)),
		"wrapped": failing(fmt.Errorf("inside: %w", none)),
		"shaky":   failing(shaky{}),
	})
	for _, path := range []string{"nil", "other", "shaky", "wrapped"} {
		o := p.Call(path, struct{}{})
		if o.Failure == nil || o.Failure.Message != "tools."+path+" failed; the reason is internal to the host, which has the details" || o.Failure.Kind != diagnostics.ToolFailure {
			t.Errorf("%s: the program is told %+v", path, o.Failure)
		}
		if o.Cause == nil || o.Cause.HasDies() != (path != "wrapped") {
			t.Errorf("%s: the host is told %v", path, o.Cause)
		}
		if path != "wrapped" && path != "shaky" && !strings.Contains(o.Cause.Error(), "nil *tool") {
			t.Errorf("%s: %v", path, o.Cause)
		}
	}
}

// What is turned away before the function ran has not started, says the ledger.
func TestRefusals(t *testing.T) {
	locked := errors.New("locked")
	next := tool.New("", func(context.Context, struct{}) (int, error) { return 1, nil })
	refusing := next.Around(func(context.Context, func(context.Context) (data.Value, error)) (data.Value, error) {
		return nil, tool.Refusef("not today: %w", locked)
	})
	told := tool.CallEnd{}
	b := open(t, tool.Tree{"a": refusing}, tool.SessionOptions{Hooks: tool.Hooks{OnToolCallEnd: func(e tool.CallEnd) { told = e }}}, 0)
	b.call("a")
	b.wait.Wait()
	if r := b.session.Ledger().Calls[0]; r.Status != tool.NotStarted || !r.Started.IsZero() || r.Duration != 0 || r.Message != "not today: locked" {
		t.Errorf("%+v", r)
	}
	if told.Outcome != tool.NotStarted || !errors.Is(told.Cause, locked) {
		t.Errorf("%+v", told)
	}
	b.scope.Close(scope.Exit{})
}

// As long as what stands around a tool has not called it, the call has not
// started, however it ends; and it does not start afterwards.
func TestCallsThatAreTurnedAway(t *testing.T) {
	type next = func(context.Context) (data.Value, error)
	ran := 0
	inner := tool.New("", func(context.Context, struct{}) (int, error) {
		if ran++; ran < 3 {
			return 0, errors.New("boom")
		}
		panic("boom")
	})
	release, late, begun := make(chan struct{}), make(chan error, 1), make(chan bool)
	turns := map[string]func(context.Context, next) (data.Value, error){
		"error": func(context.Context, next) (data.Value, error) { return nil, errors.New("secret") },
		"told":  func(context.Context, next) (data.Value, error) { return nil, tool.Errorf("not today") },
		"nil":   func(context.Context, next) (data.Value, error) { var none *tool.Error; return nil, none },
		"panic": func(context.Context, next) (data.Value, error) { panic("boom") },
		"stopped": func(ctx context.Context, _ next) (data.Value, error) {
			begun <- true
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
		"abandoned": func(ctx context.Context, run next) (data.Value, error) {
			begun <- true
			<-release
			v, err := run(context.Background())
			late <- err
			return v, err
		},
		"after": func(_ context.Context, run next) (data.Value, error) { return run(context.Background()) },
		"then":  func(ctx context.Context, run next) (data.Value, error) { run(ctx); panic("boom") },
	}
	tree := tool.Tree{}
	for name, f := range turns {
		tree[name] = inner.Around(f).Around(func(ctx context.Context, run next) (data.Value, error) { return run(ctx) })
	}
	defects := make(chan string, 8)
	b := open(t, tree, tool.SessionOptions{OnDefect: func(c *scope.Cause) { defects <- c.Error() }}, time.Second)
	order := []string{"error", "told", "nil", "panic", "after", "then", "stopped", "abandoned"}
	for _, name := range order {
		b.call(name)
		for name != "stopped" && name != "abandoned" && b.session.Outstanding() > 0 {
			runtime.Gosched()
		}
	}
	<-begun
	<-begun
	b.scope.SetGrace(time.Millisecond)
	b.session.Stop(&scope.Interrupt{Reason: scope.Timeout})
	b.scope.Close(scope.Exit{})
	b.session.Finish()
	close(release)
	if err := <-late; err == nil {
		t.Error("the tool began after the end")
	}
	for i, r := range b.session.Ledger().Calls {
		want := tool.NotStarted
		if order[i] == "after" || order[i] == "then" {
			want = tool.Failed
		}
		if r.Status != want || r.Started.IsZero() != (want == tool.NotStarted) {
			t.Errorf("%s: %s, started %v: %s", order[i], r.Status, r.Started, r.Message)
		}
	}
	if ran != 2 || len(defects) != 2 {
		t.Errorf("ran %d times, %d defects", ran, len(defects))
	}
}

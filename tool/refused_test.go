package tool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

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
		"around": failing(nil).Around(func(context.Context, func(context.Context) (data.Value, error)) (data.Value, error) {
			return nil, none
		}),
	})
	for _, path := range []string{"nil", "other", "around", "shaky", "wrapped"} {
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

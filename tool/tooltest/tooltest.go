// Package tooltest defines how tests of tools call them: the way a program
// does, through the session that checks inputs and outputs, bounds and records
// calls and keeps the host's internals from what the program is told.
package tooltest

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// Program stands for a program that calls tools. Any goroutine of the test may
// use it.
type Program struct {
	t       testing.TB
	catalog *tool.Catalog
	session *tool.Session
	invoke  sync.Mutex

	mu     sync.Mutex
	causes map[int]*scope.Cause
}

// grace is how long the end of a test waits for a tool that ignores its context.
const grace = 5 * time.Second

// New makes a program that can call the tools of a tree. A tree that has
// something wrong fails the test. What calls have left running is interrupted
// when the test ends, and given up after 5 seconds.
func New(t testing.TB, tree tool.Tree) *Program {
	t.Helper()
	catalog, err := tool.Resolve(tree)
	if err != nil {
		t.Fatalf("the tree of tools: %v", err)
	}
	p := &Program{t: t, catalog: catalog, causes: map[int]*scope.Cause{}}
	s := scope.Open(t.Context(), scope.Options{Name: t.Name(), Grace: grace})
	p.session = tool.NewSession(s, catalog, tool.SessionOptions{
		Hooks:    tool.Hooks{OnToolCallEnd: p.ended},
		OnDefect: func(c *scope.Cause) { t.Errorf("a defect: %v", c) },
	})
	t.Cleanup(func() {
		s.Close(scope.Exit{})
		p.session.Finish()
	})
	return p
}

func (p *Program) ended(end tool.CallEnd) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.causes[end.Index] = end.Cause
}

// Outcome is how a call ended.
type Outcome struct {
	// Value is what the program gets, nil if the call failed.
	Value data.Value
	// Failure is what the program is told, nil if the call succeeded: its Kind,
	// such as diagnostics.InvalidToolInput or ToolFailure, its Message and who is
	// to blame for it.
	Failure *diagnostics.Diagnostic
	// Cause is the whole failure as the host's hook sees it, errors that no
	// program may read included; nil if the tool did not run or succeeded.
	Cause *scope.Cause
}

// Call calls a tool and waits until it has ended. path is that of the tool,
// with dots ("github.list_issues") or as the expression a program writes
// ("tools.github["list-issues"]"). input is one Go value, which the program
// would pass as its JSON form, a data.Value, or nothing; more than one is a call with
// several arguments.
func (p *Program) Call(path string, input ...any) Outcome {
	p.t.Helper()
	var args []data.Value
	for _, v := range input {
		arg, err := data.From(v)
		if err != nil {
			p.t.Fatalf("%s: the input has no JSON form: %v", path, err)
		}
		args = append(args, arg)
	}
	done := make(chan Outcome, 1)
	index := -1
	call := tool.Call{
		Path: p.segments(path), Argc: len(args),
		Args: func() ([]data.Value, error) { return args, nil },
		Done: func(v data.Value, err error) { done <- outcome(v, err) },
	}
	p.invoke.Lock()
	err := p.session.Invoke(call)
	if calls := p.session.Ledger().Calls; err == nil && len(calls) > 0 {
		index = calls[len(calls)-1].Index
	}
	p.invoke.Unlock()
	if err != nil {
		return outcome(nil, err)
	}
	o := <-done
	p.mu.Lock()
	defer p.mu.Unlock()
	o.Cause = p.causes[index]
	return o
}

// segments reads a path; a tool's expression is taken as well.
func (p *Program) segments(path string) []string {
	for _, e := range p.catalog.All() {
		if e.Expression == path {
			return e.Path
		}
	}
	return strings.Split(strings.TrimPrefix(path, "tools."), ".")
}

func outcome(v data.Value, err error) Outcome {
	if err == nil {
		return Outcome{Value: v}
	}
	var known diagnostics.Diagnosable
	if errors.As(err, &known) {
		d := known.Diagnostic()
		return Outcome{Failure: &d}
	}
	return Outcome{Failure: &diagnostics.Diagnostic{Kind: diagnostics.ExecutionFailure, Message: err.Error()}}
}

// Result calls a tool that must succeed and decodes what the program gets. See
// [Program.Call].
func Result[Out any](p *Program, path string, input ...any) Out {
	p.t.Helper()
	var out Out
	o := p.Call(path, input...)
	if o.Failure != nil {
		p.t.Fatalf("%s: %s: %s", path, o.Failure.Kind, o.Failure.Message)
	}
	if err := data.Decode(o.Value, &out); err != nil {
		p.t.Fatalf("%s: %v", path, err)
	}
	return out
}

// Fails calls a tool that must fail with a kind and returns the message that
// the program gets. See [Program.Call].
func (p *Program) Fails(kind diagnostics.Kind, path string, input ...any) string {
	p.t.Helper()
	o := p.Call(path, input...)
	if o.Failure == nil {
		p.t.Fatalf("%s: got %s, want a failure of kind %s", path, data.JSON(o.Value), kind)
	}
	if o.Failure.Kind != kind {
		p.t.Fatalf("%s: got a failure of kind %s, want %s: %s", path, o.Failure.Kind, kind, o.Failure.Message)
	}
	return o.Failure.Message
}

// Attachments are what the tools attached so far, in the order of the calls.
func (p *Program) Attachments() []tool.Attachment { return p.session.Attachments() }

// Calls is the record of the calls so far; inputs that were refused are not in
// it.
func (p *Program) Calls() []tool.Record { return p.session.Ledger().Calls }

// Signature is how a program's author sees a tool. An unknown path fails the
// test.
func (p *Program) Signature(path string) string {
	p.t.Helper()
	segments := p.segments(path)
	for _, e := range p.catalog.All() {
		if strings.Join(e.Path, ".") == strings.Join(segments, ".") {
			return e.Signature()
		}
	}
	p.t.Fatal(p.catalog.Miss(segments).Error())
	return ""
}

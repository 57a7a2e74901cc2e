package registry

// This file defines how a direct tool is called: as by a program that makes this one call.

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// anyObject is the schema of an input of which nothing is known.
var anyObject = schema.New(data.NewObject([]data.Member{{Key: "type", Value: data.String("object")}}))

func (s *Snapshot) directTool(n named) Tool {
	t := n.entry.Tool
	input := t.Input()
	if input == nil {
		input = anyObject
	}
	return Tool{
		Name: n.name, Description: t.Description(), InputSchema: input, OutputSchema: t.Output(), Annotations: t.Annotations(), Path: n.entry.Path,
		run: func(ctx context.Context, id string, input data.Value) (*Output, error) {
			return s.callDirect(ctx, id, n, input)
		},
	}
}

func (s *Snapshot) callDirect(ctx context.Context, id string, n named, input data.Value) (*Output, error) {
	catalog, err := tool.Resolve(tool.Tree{n.key: n.guarded})
	if err != nil {
		return nil, err
	}
	inner, v := s.invoke(ctx, id, true)
	c := &directCall{snapshot: s, named: n, start: time.Now()}
	c.scope = scope.Open(inner, scope.Options{Name: n.name, Grace: c.grace()})
	c.clock()
	c.session = tool.NewSession(c.scope, catalog, tool.SessionOptions{Hooks: v.hooks(), Deadline: c.deadline, OnDefect: c.defect})
	c.run(input)
	r, err := c.close(ctx)
	return s.outputOf("", r, false), err
}

// directCall is one direct call on the goroutine of its caller.
type directCall struct {
	snapshot *Snapshot
	named    named
	start    time.Time
	scope    *scope.Scope
	deadline *scope.Deadline // nil without a timeout
	late     *scope.Interrupt
	session  *tool.Session

	mu       sync.Mutex
	answered bool
	value    data.Value
	err      error
	defects  []error
}

func (c *directCall) grace() time.Duration {
	if g := c.snapshot.registry.options.InterruptGrace; g > 0 {
		return g
	}
	return codemode.DefaultInterruptGrace
}

// timeout is how long the call may take, zero for no limit.
func (c *directCall) timeout() time.Duration {
	ms := c.snapshot.step.Limits.TimeoutMs
	if ms == nil {
		ms = c.snapshot.registry.options.Limits.TimeoutMs
	}
	if ms == nil {
		return 0
	}
	return time.Duration(*ms) * time.Millisecond
}

// clock starts the deadline.
func (c *directCall) clock() {
	d, most := c.timeout(), c.snapshot.registry.options.MaxWait
	if d == 0 {
		return
	}
	if most == 0 {
		most = -1
	}
	c.late = &scope.Interrupt{Reason: scope.Timeout, By: "the limit of the call"}
	c.deadline = scope.NewDeadline(d, most, func() { c.scope.InterruptWith(c.late) })
}

func (c *directCall) defect(cause *scope.Cause) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.defects = append(c.defects, cause)
}

// run makes the call and waits for its answer or an interruption.
func (c *directCall) run(input data.Value) {
	done := make(chan struct{})
	err := c.session.Invoke(tool.Call{
		Path: c.named.entry.Path, Argc: 1, Args: func() ([]data.Value, error) { return []data.Value{input}, nil },
		Done: func(v data.Value, err error) {
			c.answer(v, err)
			close(done)
		},
	})
	if err != nil {
		c.answer(nil, err)
		return
	}
	select {
	case <-done:
	case <-c.scope.Context().Done():
	}
}

func (c *directCall) answer(v data.Value, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answered, c.value, c.err = true, v, err
}

// close ends the call and makes its result. An interruption by the host and defects are errors.
func (c *directCall) close(ctx context.Context) (*codemode.Result, error) {
	i := scope.InterruptOf(c.scope.Context())
	switch {
	case i == nil:
		i = &scope.Interrupt{Reason: scope.ScopeClosed, By: "the end of the call"}
	case i == c.late:
		c.scope.SetGrace(min(c.grace(), max(c.timeout(), 250*time.Millisecond)))
	}
	c.session.Stop(i)
	left := c.scope.Close(scope.Exit{})
	c.session.Finish()
	r := c.result(i)
	c.mu.Lock()
	causes := c.defects
	c.mu.Unlock()
	if left.HasDies() {
		causes = append(causes, left)
	}
	if !r.OK && r.Error == nil {
		causes = append(causes, i)
	}
	cause := scope.NewCause(causes...)
	if cause == nil {
		return r, nil
	}
	var err error = &codemode.Ended{Result: r, Cause: cause}
	if cause.HasInterrupts() && ctx.Err() != nil {
		err = errors.Join(err, ctx.Err()) // which a cause of the host's own may hide
	}
	return r, err
}

// result is what came of a call that i ended if it had no answer.
func (c *directCall) result(i *scope.Interrupt) *codemode.Result {
	r := &codemode.Result{Calls: c.session.Ledger().Calls}
	for _, a := range c.session.Attachments() {
		r.Attachments = append(r.Attachments, codemode.Attachment(a))
	}
	r.Stats = codemode.Stats{ToolCalls: len(r.Calls)}
	if c.deadline != nil {
		c.deadline.Stop()
		r.Stats.WaitedMs = float64(c.deadline.Waited().Microseconds()) / 1000
	}
	r.Stats.DurationMs = float64(time.Since(c.start).Microseconds()) / 1000
	c.mu.Lock()
	defer c.mu.Unlock()
	var told diagnostics.Diagnosable
	switch {
	case c.answered && c.err == nil:
		r.OK, r.Value = true, c.value
	case c.answered && !scope.CauseOf(c.err).HasInterruptsOnly() && errors.As(c.err, &told):
		r.Error = c.renamed(told.Diagnostic())
	case i == c.late:
		r.Error = &codemode.Diagnostic{Kind: diagnostics.TimeoutExceeded, Origin: diagnostics.OriginRuntime, Path: c.named.name,
			Message: c.named.name + " was interrupted: it took longer than the " + strconv.FormatInt(c.timeout().Milliseconds(), 10) +
				" ms it has; " + effect(r.Calls)}
	}
	return r
}

// effect says what is known of the effect of a call that was interrupted.
func effect(calls []tool.Record) string {
	if len(calls) == 1 && calls[0].Status == tool.NotStarted {
		return "it was not called"
	}
	return "whether it took effect is unknown"
}

// renamed is d in terms of the name that the model knows.
func (c *directCall) renamed(d codemode.Diagnostic) *codemode.Diagnostic {
	from := c.named.entry.Expression
	d.Message = strings.ReplaceAll(d.Message, from, c.named.name)
	if d.Path == from {
		d.Path = c.named.name
	}
	return &d
}

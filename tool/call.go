// This file defines how one call runs on its fiber.

package tool

import (
	"context"
	"errors"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
)

type runner = func(context.Context) (data.Value, error)

type callState uint8

const (
	queuedCall callState = iota
	runningCall
	overCall
)

// call is an admitted call.
type call struct {
	session *Session
	entry   *entry
	record  *Record
	input   data.Value
	run     runner
	hint    error
	done    func(data.Value, error)
	start   time.Time
	space   *scope.Ticket // of the namespace, or nil
	own     bool          // of a tool of the runtime: no permit, no hooks

	// Guarded by the session's lock.
	state   callState
	permit  *scope.Ticket
	entered bool            // the tool's own function has begun
	waiting int             // how often Waiting was called and not resumed
	limit   *scope.Deadline // of the tool's own time, or nil
}

// serve is called when the call's turn has come.
func (c *call) serve(t *scope.Ticket) {
	s := c.session
	s.mu.Lock()
	if c.state != queuedCall {
		s.mu.Unlock()
		c.giveBack(t)
		return
	}
	c.permit = t
	s.mu.Unlock()
	fiber := s.scope.Fork(c.record.Path, c.fiber)
	if fiber.Refused() {
		exit, _ := fiber.Await(context.Background())
		c.refused(exit)
	}
}

// refused ends a call whose scope takes no more fibers.
func (c *call) refused(exit scope.Exit) {
	s := c.session
	s.mu.Lock()
	over := c.state == overCall
	c.state = overCall
	delete(s.live, c)
	s.mu.Unlock()
	c.giveBack(c.permit)
	if !over {
		c.done(nil, exit.Err())
	}
}

func (c *call) giveBack(t *scope.Ticket) {
	if t != nil {
		t.Return()
	}
	if c.space != nil {
		c.space.Return()
	}
}

// begin moves the call from the queue to its run, unless the session stopped.
func (c *call) begin() bool {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.state != queuedCall || s.stopped != nil {
		return false
	}
	c.state = runningCall
	c.entered = !c.entry.tool.around
	c.start = time.Now()
	c.record.Started = c.start
	return true
}

// enter records that the tool's own function begins, unless the call is over.
func (c *call) enter() bool {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.state != runningCall {
		return false
	}
	c.entered = true
	return true
}

// turnedAway reports whether the tool's own function has not begun.
func (c *call) turnedAway() bool {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	return !c.entered
}

func (c *call) fiber(ctx context.Context) error {
	if !c.begin() {
		c.refused(scope.Exit{}) // Stop has answered it
		return nil
	}
	s := c.session
	if d := s.options.Deadline; d != nil {
		d.Busy(1)
		defer func() { c.offClock(d) }()
	}
	if hook := s.options.Hooks.OnToolCallStart; hook != nil && !c.own {
		s.guard(func() { hook(CallStart{c.record.Index, c.record.Path, c.input}) })
	}
	returned := false
	defer func() {
		if !returned { // the tool ended its goroutine (runtime.Goexit), as t.Fatal does
			c.finish(c.failed(ctx, ctx, scope.NewCause(&scope.Die{Value: "runtime.Goexit"})))
		}
	}()
	o := c.outcome(ctx)
	returned = true
	c.finish(o)
	return nil
}

// offClock takes the call off the deadline, also if it still waits.
func (c *call) offClock(d *scope.Deadline) {
	c.session.mu.Lock()
	waiting := c.waiting > 0
	c.session.mu.Unlock()
	if waiting {
		d.Waiting(-1)
		return
	}
	d.Busy(-1)
}

// outcome is how a call ended.
type outcome struct {
	status Status
	value  data.Value
	err    error // for the program
	cause  *scope.Cause
}

func (c *call) outcome(ctx context.Context) outcome {
	tool := c.entry.tool
	inner := context.WithValue(ctx, callKey{}, c)
	if tool.timeout > 0 {
		var stop func()
		inner, stop = c.limited(inner, tool.timeout)
		defer stop()
	}
	var v data.Value
	err := scope.Protect(func() (err error) {
		if v, err = c.run(inner); err != nil {
			err = asked(err)
		}
		return err
	})
	if err == nil {
		return c.checked(v)
	}
	var bad *badOutput
	if errors.As(err, &bad) {
		return c.misshapen(bad.err)
	}
	return c.failed(ctx, inner, err)
}

// limited is ctx until the tool's own time is over, in which waiting for a
// person does not count.
func (c *call) limited(ctx context.Context, d time.Duration) (limited context.Context, stop func()) {
	limited, end := context.WithCancelCause(ctx)
	limit := scope.NewDeadline(d, -1, func() { end(errTimeout) })
	limit.Busy(1)
	c.session.mu.Lock()
	c.limit = limit
	c.session.mu.Unlock()
	return limited, func() {
		limit.Stop()
		end(nil)
	}
}

// checked validates the output.
func (c *call) checked(v data.Value) outcome {
	tool := c.entry.tool
	if v == nil {
		v = data.Null{}
	}
	if tool.validation != Off && !tool.trusting {
		if tool.typed {
			v = tool.output.Normalize(v)
		}
		if err := tool.output.Validate("output", v); err != nil {
			return c.misshapen(err)
		}
	}
	return outcome{status: Completed, value: v}
}

func (c *call) misshapen(err error) outcome {
	message := "the call ran, but its output is not what " + c.record.Path + " promises: " + err.Error()
	return outcome{Failed, nil, callError(diagnostics.InvalidToolOutput, diagnostics.OriginTool, c.record.Path, message), scope.NewCause(err)}
}

// errTimeout is the cause of a call's context when its tool's own time is over.
var errTimeout error = &scope.Interrupt{Reason: scope.Timeout, By: "the tool's own limit"}

// failed sorts out an error of the tool. ctx is the fiber's context and inner
// the one the tool was given.
func (c *call) failed(ctx, inner context.Context, err error) outcome {
	exit := scope.ExitOf(ctx, err)
	late := context.Cause(inner) == errTimeout
	path, away := c.record.Path, c.turnedAway()
	if ctx.Err() != nil && !late && exit.Cause.HasInterruptsOnly() {
		if away {
			return outcome{NotStarted, nil, exit.Err(), exit.Cause}
		}
		return outcome{Interrupted, nil, exit.Err(), exit.Cause}
	}
	status, what, told := Failed, " failed", toldBy(err)
	if away {
		status, what = NotStarted, " was not called"
	}
	message, origin := path+what+"; the reason is internal to the host, which has the details", diagnostics.OriginHost
	switch {
	case exit.Cause.HasDies():
		if away && c.session.options.OnDefect != nil { // of what stands around the tool
			c.session.options.OnDefect(exit.Cause)
		}
	case told != nil:
		if told.Refused {
			status = NotStarted
		}
		message, origin = told.Message, diagnostics.OriginTool
		if c.hint != nil && !away {
			message += "\nwhat does not fit the input schema: " + c.hint.Error() + "\nsignature: " + c.entry.usage()
		}
	case late:
		message = path + " took longer than its limit of " + c.entry.tool.timeout.String() + " and was interrupted"
		origin = diagnostics.OriginRuntime
	}
	return outcome{status, nil, callError(diagnostics.ToolFailure, origin, path, message), exit.Cause}
}

// finish records the outcome, tells the host, and hands the value over, unless
// the call was abandoned meanwhile.
func (c *call) finish(o outcome) {
	if !c.close(&o) {
		c.giveBack(c.ticket())
		return
	}
	c.notify(o)
	c.giveBack(c.ticket())
	c.done(o.value, o.err)
	c.release()
}

// close writes the outcome to the ledger; only the first one counts.
func (c *call) close(o *outcome) bool {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.state != runningCall {
		return false
	}
	c.state = overCall
	if o.status == Abandoned && !c.entered { // and enter lets it begin no more
		o.status = NotStarted
	}
	c.record.Status = o.status
	if c.record.Duration = time.Since(c.start); o.status == NotStarted {
		c.record.Started, c.record.Duration = time.Time{}, 0
	}
	if o.err != nil {
		c.record.Message = clip(o.err.Error(), maxMessage)
	}
	return true
}

func (c *call) release() {
	s := c.session
	s.mu.Lock()
	delete(s.live, c)
	s.mu.Unlock()
}

func (c *call) ticket() *scope.Ticket {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	return c.permit
}

func (c *call) notify(o outcome) {
	hook := c.session.options.Hooks.OnToolCallEnd
	if hook == nil || c.own {
		return
	}
	end := CallEnd{Index: c.record.Index, Path: c.record.Path, Input: c.input, Duration: c.record.Duration, Outcome: o.status, Value: o.value, Cause: o.cause}
	if o.err != nil {
		end.Message = o.err.Error()
	}
	c.session.guard(func() { hook(end) })
}

// abandon ends a call whose tool has not returned within the grace.
func (c *call) abandon() {
	i := &scope.Interrupt{Reason: scope.ScopeClosed, By: "the end of the grace", Fiber: c.record.Path}
	o := outcome{Abandoned, nil, i, scope.NewCause(i)}
	if c.close(&o) {
		c.notify(o)
		c.done(nil, i)
		c.release()
	}
}

// guard runs a hook; its panic is the host's defect.
func (s *Session) guard(hook func()) {
	err := scope.Protect(func() error { hook(); return nil })
	if err != nil && s.options.OnDefect != nil {
		s.options.OnDefect(scope.CauseOf(err))
	}
}

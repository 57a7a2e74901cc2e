package registry

// This file defines what happens around one call of a tool: statuses, rules, questions and hooks.

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// Call is one call of a tool, by a program or directly.
type Call struct {
	// ID is that of the model's call, for a call by a program with its number: "parent/1", "parent/2", … in the order of
	// the calls.
	ID string
	// Parent is the id of the call of the tool that runs programs, or empty for a direct call.
	Parent string
	// Entry is the tool as it was registered, with its path.
	Entry tool.Entry
	Input data.Value
}

// Outcome is how a call ended.
type Outcome struct {
	Status   tool.Status // completed, failed, not_started (turned away before the tool ran), interrupted or abandoned
	Value    data.Value  // what the program gets, nil unless completed
	Message  string      // what the program is told, empty if completed
	Cause    *scope.Cause
	Duration time.Duration
}

// Status is how a call stands: Running, Waiting, or how it ended, in the words of [tool.Status].
type Status string

// The statuses of calls that have not ended.
const (
	Running Status = "running"
	Waiting Status = "waiting" // for an answer to a question that a rule asks
)

// CallStatus is a call with how it stands.
type CallStatus struct {
	Call
	Status   Status
	Message  string        // what the program is told, if the call failed or did not start
	Duration time.Duration // if it ended and had started
}

// Question asks whether a call may run.
type Question struct {
	Call
	Reason string // of the rule
}

// Decision answers a Question.
type Decision struct {
	Allow bool
	// Reason is told to the model if the call is refused.
	Reason string
}

// invocation is one call by the model. The calls that come of it find it in their contexts.
type invocation struct {
	snapshot *Snapshot
	id       string
	direct   bool
	ctx      context.Context // for hooks

	mu    sync.Mutex
	calls map[int]*call // that have started and not ended
}

type invocationKey struct{}

// invoke makes an invocation and the context that carries it.
func (s *Snapshot) invoke(ctx context.Context, id string, direct bool) (context.Context, *invocation) {
	v := &invocation{snapshot: s, id: id, direct: direct, ctx: context.WithoutCancel(ctx), calls: map[int]*call{}}
	return context.WithValue(ctx, invocationKey{}, v), v
}

// call is a call that has started.
type call struct {
	Call
	invocation *invocation
	definition *definition

	mu   sync.Mutex // held while a status is told, so that none comes after the last
	over bool
}

// hooks observe the calls of an invocation, and have the host's observe them too.
func (v *invocation) hooks() codemode.Hooks {
	host := v.snapshot.registry.hooks
	return codemode.Hooks{
		OnToolCallStart: func(c tool.CallStart) {
			if host.OnToolCallStart != nil {
				defer host.OnToolCallStart(c)
			}
			v.begin(c)
		},
		OnToolCallEnd: func(c tool.CallEnd) {
			if host.OnToolCallEnd != nil {
				defer host.OnToolCallEnd(c)
			}
			v.end(c)
		},
	}
}

func (v *invocation) begin(start tool.CallStart) {
	d := v.snapshot.surface.edition.byExpression[start.Path]
	c := &call{Call: Call{ID: v.id, Entry: d.entry, Input: start.Input}, invocation: v, definition: d}
	if !v.direct {
		c.ID, c.Parent = v.id+"/"+strconv.Itoa(start.Index+1), v.id
	}
	v.mu.Lock()
	v.calls[start.Index] = c
	v.mu.Unlock()
	c.tell(CallStatus{Call: c.Call, Status: Running})
}

func (v *invocation) end(end tool.CallEnd) {
	v.mu.Lock()
	c := v.calls[end.Index]
	delete(v.calls, end.Index)
	v.mu.Unlock()
	if c == nil { // its start was a defect of the host's
		return
	}
	defer c.last(CallStatus{Call: c.Call, Status: Status(end.Outcome), Message: end.Message, Duration: end.Duration})
	if after := v.snapshot.step.After; after != nil {
		after(v.ctx, c.Call, Outcome{Status: end.Outcome, Value: end.Value, Message: end.Message, Cause: end.Cause, Duration: end.Duration})
	}
}

// tell tells how the call stands, unless it has ended.
func (c *call) tell(s CallStatus) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if told := c.invocation.snapshot.step.OnStatus; told != nil && !c.over {
		told(s)
	}
}

// last tells how the call ended.
func (c *call) last(s CallStatus) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if told := c.invocation.snapshot.step.OnStatus; told != nil {
		told(s)
	}
}

// run is what stands around the function of every registered tool.
func (d *definition) run(ctx context.Context, next func(context.Context) (data.Value, error)) (data.Value, error) {
	v, _ := ctx.Value(invocationKey{}).(*invocation)
	at, _ := tool.Current(ctx)
	if v == nil {
		return nil, errors.New("registry: a call outside of a snapshot")
	}
	v.mu.Lock()
	c := v.calls[at.Index]
	v.mu.Unlock()
	if c == nil {
		return nil, errors.New("registry: a call that did not start")
	}
	if err := c.admit(ctx); err != nil {
		return nil, err
	}
	return next(ctx)
}

// admit decides whether the call runs; the error says why not.
func (c *call) admit(ctx context.Context) error {
	s := c.invocation.snapshot
	if err := c.fresh(); err != nil {
		return err
	}
	if r := deciding(s.rules, c.definition, c.Input); r != nil {
		switch r.Effect {
		case Deny:
			return c.refusal("the host does not allow this call", r.Reason)
		case Ask:
			if err := c.ask(ctx, r.Reason); err != nil {
				return err
			}
			if err := c.fresh(); err != nil { // answering takes time
				return err
			}
		}
	}
	if s.step.Before != nil {
		return s.step.Before(ctx, c.Call)
	}
	return nil
}

// fresh refuses a call whose tool does not count any more. It says the same whether the tool went or another came, which
// the step might not show.
func (c *call) fresh() error {
	s := c.invocation.snapshot
	if s.registry.Revision() == s.Revision() || !c.definition.stale() {
		return nil
	}
	return tool.Refusef("%s was not called: it has been removed or replaced since this step began; the next step sees the tools as they are then",
		c.Entry.Expression)
}

func (c *call) refusal(what, reason string) error {
	if reason != "" {
		what += ": " + reason
	}
	return tool.Refusef("%s was not called: %s", c.Entry.Expression, what)
}

// ask asks the host, off the clock.
func (c *call) ask(ctx context.Context, reason string) error {
	c.tell(CallStatus{Call: c.Call, Status: Waiting})
	resume := tool.Waiting(ctx)
	decision, err := c.invocation.snapshot.step.Ask(ctx, Question{c.Call, reason})
	if interrupted := resume(); interrupted != nil || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	if !decision.Allow {
		return c.refusal("permission was asked for and refused", decision.Reason)
	}
	c.tell(CallStatus{Call: c.Call, Status: Running})
	return nil
}

package codemode

// This file defines the Go error of an execution that the host interrupted or in which something was defective.

import (
	"context"

	"github.com/codemode-go/codemode/scope"
)

// Ended is the error of an execution that ended by an interruption of the host or by a defect. For an interruption
// errors.Is finds context.Canceled or context.DeadlineExceeded, and the cause the host gave its context. For a defect
// Cause has a part *scope.Die with the stack.
type Ended struct {
	// Result is what there was: calls and logs, and the whole outcome if only a hook of the host was defective.
	Result *Result
	Cause  *scope.Cause

	context error // of the interrupted context, or nil
}

// Error implements error.
func (e *Ended) Error() string { return "codemode: the execution ended: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *Ended) Unwrap() error { return e.Cause }

// Is reports whether target is the error of the context whose end interrupted the execution.
func (e *Ended) Is(target error) bool { return e.context != nil && target == e.context }

// carried is a cause of the same kind whose parts carry e, since computing with causes keeps parts and drops wrappers.
func (e *Ended) carried() error {
	var parts []error
	for _, part := range e.Cause.Parts() {
		switch p := part.(type) {
		case *scope.Die:
			part = &scope.Die{Value: e, Stack: p.Stack, Fiber: p.Fiber}
		case *scope.Interrupt:
			part = &scope.Interrupt{Reason: p.Reason, By: p.By, Err: e, Fiber: p.Fiber}
		}
		parts = append(parts, part)
	}
	return scope.NewCause(parts...)
}

// ended makes the error of an execution under ctx.
func ended(ctx context.Context, r *Result, c *scope.Cause) *Ended {
	e := &Ended{Result: r, Cause: c}
	if c.HasInterrupts() {
		e.context = ctx.Err()
	}
	return e
}

// This file defines what a host can put around the function of a tool.

package tool

import (
	"context"
	"errors"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/scope"
)

// Around is t with f around its function: f decides whether and when next,
// which runs t itself, is called, and what becomes of its outcome. An error of
// f is treated like one of t: only the text of an [*Error] reaches the program.
// As long as f has not called next, the call has not started: if it ends so with
// an error, a panic or an interruption, the ledger has it as NotStarted, and a
// panic is a defect of the host. The input has been validated by then and the
// output is afterwards; schemas, annotations and all else stay t's. f runs on the
// call's fiber.
func (t *Tool) Around(f func(ctx context.Context, next func(context.Context) (data.Value, error)) (data.Value, error)) *Tool {
	w := &Tool{
		description: t.description, input: t.input, output: t.output, annotations: t.annotations, examples: t.examples, pinned: t.pinned,
		validation: t.validation, trusting: t.trusting, timeout: t.timeout, typed: t.typed, around: true, err: t.err,
	}
	if f == nil {
		w.err = errors.Join(w.err, errors.New("around: got nil"))
	}
	w.prepare = func(input data.Value) (func(context.Context) (data.Value, error), error) {
		run, err := t.prepare(input)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (data.Value, error) {
			c, ok := ctx.Value(callKey{}).(*call)
			return f(ctx, func(ctx context.Context) (data.Value, error) {
				if ok && !t.around && !c.enter() {
					return nil, &scope.Interrupt{Reason: scope.ScopeClosed, By: "the end of the call", Fiber: c.record.Path}
				}
				return run(ctx)
			})
		}, nil
	}
	return w
}

// Current is the call that ctx belongs to; false outside a call. The runtime's
// own tools have no place in the order of calls: their Index is -1.
func Current(ctx context.Context) (CallStart, bool) {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return CallStart{}, false
	}
	if c.own {
		return CallStart{-1, c.record.Path, c.input}, true
	}
	return CallStart{c.record.Index, c.record.Path, c.input}, true
}

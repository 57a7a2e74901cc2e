// This file defines masks: regions that interruption does not reach.

package scope

import "context"

type maskKey struct{}

// Uninterruptible returns a context with the values of ctx that is never done,
// for a region that must run to its end.
func Uninterruptible(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), maskKey{}, ctx)
}

// Interruptible returns a context that is done when ctx is or, inside a region
// of [Uninterruptible], when the context around that region is. The caller must
// call release when it leaves.
func Interruptible(ctx context.Context) (inner context.Context, release func()) {
	outer, _ := ctx.Value(maskKey{}).(context.Context)
	if outer == nil {
		return ctx, func() {}
	}
	inner, cancel := context.WithCancelCause(ctx)
	if outer.Err() != nil {
		cancel(context.Cause(outer))
		return inner, func() {}
	}
	stop := context.AfterFunc(outer, func() { cancel(context.Cause(outer)) })
	return inner, func() {
		stop()
		cancel(nil)
	}
}

// This file defines how effects handle failure and clean up.

package fx

import (
	"context"

	"github.com/codemode-go/codemode/scope"
)

// expected reports that err, returned under ctx, is a failure and neither a
// defect nor an interruption.
func expected(ctx context.Context, err error) bool {
	c := scope.ExitOf(ctx, err).Cause
	return !c.HasDies() && !c.HasInterrupts()
}

// Catch runs the effect that f makes of e's failure. Defects and interruption
// pass by.
func Catch[A any](e Effect[A], f func(error) Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		a, err := e.Do(ctx)
		if err == nil || !expected(ctx, err) {
			return a, err
		}
		return f(err).Do(ctx)
	}}
}

// CatchCause runs the effect that f makes of whatever e ended with other than
// success, defects and interruption included. If e was interrupted from
// outside, that effect finds itself interrupted too.
func CatchCause[A any](e Effect[A], f func(*scope.Cause) Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		exit := attempt(ctx, e)
		if exit.OK() {
			return exit.Value, nil
		}
		return f(exit.Cause).Do(ctx)
	}}
}

// MapError replaces e's failure by f of it.
func MapError[A any](e Effect[A], f func(error) error) Effect[A] {
	return Catch(e, func(err error) Effect[A] { return Fail[A](f(err)) })
}

// OrElse runs other if e fails.
func OrElse[A any](e, other Effect[A]) Effect[A] {
	return Catch(e, func(error) Effect[A] { return other })
}

// Fold continues with one of two effects, by whether e failed.
func Fold[A, B any](e Effect[A], failed func(error) Effect[B], succeeded func(A) Effect[B]) Effect[B] {
	return Effect[B]{func(ctx context.Context) (b B, _ error) {
		a, err := e.Do(ctx)
		switch {
		case err == nil:
			return succeeded(a).Do(ctx)
		case expected(ctx, err):
			return failed(err).Do(ctx)
		}
		return b, err
	}}
}

// ToExit makes how e ends its result; it always succeeds.
func ToExit[A any](e Effect[A]) Effect[Exit[A]] {
	return Effect[Exit[A]]{func(ctx context.Context) (Exit[A], error) { return attempt(ctx, e), nil }}
}

// Ensuring runs finalizer, masked from interruption, when e has ended in
// whatever way. A failure of the finalizer is added to e's.
func Ensuring[A, B any](e Effect[A], finalizer Effect[B]) Effect[A] {
	return OnExit(e, func(Exit[A]) Effect[B] { return finalizer })
}

// OnExit is [Ensuring] with a finalizer that is told how e ended.
func OnExit[A, B any](e Effect[A], f func(Exit[A]) Effect[B]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		exit := attempt(ctx, e)
		masked := scope.Uninterruptible(ctx)
		after := attempt(masked, Suspend(func() Effect[B] { return f(exit) }))
		if after.OK() {
			return exit.Result()
		}
		exit.Cause = scope.NewCause(asError(exit.Cause), asError(after.Cause))
		return exit.Result()
	}}
}

// asError is c as an error that is nil if c is.
func asError(c *scope.Cause) error { return scope.Exit{Cause: c}.Err() }

// Scoped runs e in a scope of its own and closes it: what e acquired is
// released and what it forked has ended when Scoped's effect ends.
func Scoped[A any](e Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		s := scope.Open(ctx, scope.Options{Name: "scoped"})
		return closing(s, s.Context(), e).Result()
	}}
}

// AcquireRelease acquires a resource, masked from interruption, and has the
// current scope release it when it closes, masked too. It dies where there is
// no scope.
func AcquireRelease[A, B any](acquire Effect[A], release func(A, scope.Exit) Effect[B]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		s := current(ctx)
		masked := scope.Uninterruptible(ctx)
		a, err := acquire.Do(masked)
		if err != nil {
			return a, err
		}
		s.AddFinalizer(func(exit scope.Exit) {
			// A finalizer has nobody to return an error to but its scope.
			if _, err := Scoped(release(a, exit)).Do(masked); err != nil {
				panic(err)
			}
		})
		return a, nil
	}}
}

func current(ctx context.Context) *scope.Scope {
	s := scope.From(ctx)
	if s == nil {
		panic("fx: there is no scope; use Run or Scoped")
	}
	return s
}

// Uninterruptible runs e so that interruption does not reach it.
func Uninterruptible[A any](e Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) { return e.Do(scope.Uninterruptible(ctx)) }}
}

// Interruptible lets interruption reach e inside [Uninterruptible].
func Interruptible[A any](e Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		inner, release := scope.Interruptible(ctx)
		defer release()
		return e.Do(inner)
	}}
}

// This file defines fibers of effects and what runs several effects at once.

package fx

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codemode-go/codemode/scope"
)

// Fiber is an effect that runs on a goroutine of its own.
type Fiber[A any] struct {
	fiber *scope.Fiber
	value A // valid when the fiber has ended
}

// Fiber returns the fiber below, for its name and its Done channel.
func (f *Fiber[A]) Fiber() *scope.Fiber { return f.fiber }

// Fork starts e on a fiber of the current scope and goes on. The fiber sees the
// services provided here.
func Fork[A any](e Effect[A]) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{func(ctx context.Context) (*Fiber[A], error) {
		return ForkIn(current(ctx), "fiber", e).Do(ctx)
	}}
}

// ForkIn is Fork in the scope s, with a name for causes and traces.
func ForkIn[A any](s *scope.Scope, name string, e Effect[A]) Effect[*Fiber[A]] {
	return Effect[*Fiber[A]]{func(ctx context.Context) (*Fiber[A], error) {
		f := &Fiber[A]{}
		f.fiber = s.ForkWith(ctx, name, func(ctx context.Context) (err error) {
			f.value, err = e.Do(ctx)
			return err
		})
		return f, nil
	}}
}

// Join waits for f and ends as it did.
func Join[A any](f *Fiber[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (a A, _ error) {
		exit, err := f.fiber.Await(ctx)
		if err != nil {
			return a, err
		}
		return Exit[A]{f.value, exit.Cause}.Result()
	}}
}

// Await waits for f and has its exit as the result.
func Await[A any](f *Fiber[A]) Effect[Exit[A]] {
	return Effect[Exit[A]]{func(ctx context.Context) (Exit[A], error) {
		exit, err := f.fiber.Await(ctx)
		if err != nil {
			return Exit[A]{}, err
		}
		return Exit[A]{f.value, exit.Cause}, nil
	}}
}

// Interrupt interrupts f and waits for its exit.
func Interrupt[A any](f *Fiber[A]) Effect[Exit[A]] {
	return Effect[Exit[A]]{func(ctx context.Context) (Exit[A], error) {
		f.fiber.Interrupt(scope.Host)
		return Await(f).Do(ctx)
	}}
}

// All runs effects, at most n at a time or all at once if n is 0, and collects
// their results in order. The first failure interrupts the others and is All's.
func All[A any](n int, effects ...Effect[A]) Effect[[]A] {
	return ForEach(n, effects, func(e Effect[A]) Effect[A] { return e })
}

// ForEach runs the effect that f makes of each item. See [All].
func ForEach[T, A any](n int, items []T, f func(T) Effect[A]) Effect[[]A] {
	return Effect[[]A]{func(ctx context.Context) ([]A, error) {
		if n == 1 || len(items) <= 1 {
			return inTurn(ctx, items, f)
		}
		return together(ctx, n, items, f)
	}}
}

func inTurn[T, A any](ctx context.Context, items []T, f func(T) Effect[A]) ([]A, error) {
	results := make([]A, len(items))
	for i, item := range items {
		if ctx.Err() != nil {
			return nil, interrupted(ctx)
		}
		var err error
		if results[i], err = f(item).Do(ctx); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func together[T, A any](ctx context.Context, n int, items []T, f func(T) Effect[A]) ([]A, error) {
	s := scope.Open(ctx, scope.Options{Name: "all"})
	results := make([]A, len(items))
	var next atomic.Int64
	var once sync.Once
	var first *scope.Cause
	worker := func(ctx context.Context) error {
		for i := next.Add(1) - 1; i < int64(len(items)) && ctx.Err() == nil; i = next.Add(1) - 1 {
			exit := attempt(ctx, Suspend(func() Effect[A] { return f(items[i]) }))
			if !exit.OK() {
				once.Do(func() { first = exit.Cause; s.Interrupt(scope.ScopeClosed) })
				return nil
			}
			results[i] = exit.Value
		}
		return nil
	}
	workers := len(items)
	if n > 0 {
		workers = min(n, workers)
	}
	fibers := make([]*scope.Fiber, workers)
	for i := range fibers {
		fibers[i] = s.Fork("all", worker)
	}
	for _, fiber := range fibers {
		<-fiber.Done()
	}
	outer := interrupted(ctx)
	cause := s.Close(scope.Exit{})
	switch {
	case outer != nil:
		return nil, outer
	case first != nil:
		return Exit[[]A]{Cause: first}.Result()
	case cause != nil:
		return nil, cause
	}
	return results, nil
}

// Race runs effects at once; the first that succeeds wins. The others are
// interrupted and awaited. If none succeeds, Race fails with all failures.
func Race[A any](effects ...Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		return race(ctx, effects, func(e Exit[A]) bool { return e.OK() })
	}}
}

// RaceFirst is [Race] in which the first that ends wins, also by failing.
func RaceFirst[A any](effects ...Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		return race(ctx, effects, func(Exit[A]) bool { return true })
	}}
}

func race[A any](ctx context.Context, effects []Effect[A], wins func(Exit[A]) bool) (none A, _ error) {
	s := scope.Open(ctx, scope.Options{Name: "race"})
	exits := make(chan Exit[A], len(effects))
	for _, e := range effects {
		s.Fork("race", func(ctx context.Context) error {
			exits <- attempt(ctx, e)
			return nil
		})
	}
	won := Exit[A]{}
	var failures []error
	for range effects {
		select {
		case won = <-exits:
		case <-ctx.Done():
			s.Close(scope.Exit{})
			return none, interrupted(ctx)
		}
		if wins(won) {
			s.Interrupt(scope.RaceLost)
			return finishRace(s, won)
		}
		failures = append(failures, asError(won.Cause))
	}
	if len(effects) == 0 {
		s.Close(scope.Exit{})
		return Never[A]().Do(ctx)
	}
	return finishRace(s, Exit[A]{Cause: scope.NewCause(failures...)})
}

func finishRace[A any](s *scope.Scope, won Exit[A]) (A, error) {
	if cause := s.Close(scope.Exit{}); cause != nil {
		won.Cause = scope.NewCause(asError(won.Cause), cause)
	}
	return won.Result()
}

// ErrTimeout is what errors.Is finds in the failure of [Timeout]; it is a context.DeadlineExceeded.
var ErrTimeout error = timeoutError{}

type timeoutError struct{}

// Error implements error.
func (timeoutError) Error() string { return "timed out" }

// Is makes the error a context.DeadlineExceeded for errors.Is.
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// lateError is ErrTimeout with what the interrupted effect ended with. That is no part of the failure, which is no
// interruption: errors.As finds the errors in it alone.
type lateError struct {
	timeoutError
	exit *scope.Cause
}

// Is makes the error an ErrTimeout.
func (l lateError) Is(target error) bool { return target == ErrTimeout || l.timeoutError.Is(target) }

// As finds an error that the interrupted effect ended with.
func (l lateError) As(target any) bool {
	switch target.(type) {
	case **scope.Cause, **scope.Fail, **scope.Die, **scope.Interrupt:
		return false
	}
	return errors.As(l.exit, target)
}

// Timeout interrupts e after d and fails with [ErrTimeout] once e has ended; errors.As finds what e ended with, such as
// the partial result of a program. If e succeeds all the same, because it is masked, its result stands.
func Timeout[A any](e Effect[A], d time.Duration) Effect[A] {
	return Effect[A]{func(ctx context.Context) (a A, _ error) {
		exit, late := timed(ctx, e, d)
		if late {
			return a, lateError{exit: exit.Cause}
		}
		return exit.Result()
	}}
}

// TimeoutTo runs other instead of failing when e times out. See [Timeout].
func TimeoutTo[A any](e Effect[A], d time.Duration, other Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		exit, late := timed(ctx, e, d)
		if late {
			return other.Do(ctx)
		}
		return exit.Result()
	}}
}

// timed runs e for at most d; late reports that this is what interrupted it.
func timed[A any](ctx context.Context, e Effect[A], d time.Duration) (exit Exit[A], late bool) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ours := &scope.Interrupt{Reason: scope.Timeout, By: "Timeout"}
	timer := time.AfterFunc(d, func() { cancel(ours) })
	defer timer.Stop()
	exit = attempt(inner, e)
	late = exit.Cause.HasInterruptsOnly() && errors.Is(exit.Cause, ours) && ctx.Err() == nil
	return exit, late
}

// Sleep waits for d.
func Sleep(d time.Duration) Effect[Unit] {
	return Effect[Unit]{func(ctx context.Context) (Unit, error) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return Unit{}, nil
		case <-ctx.Done():
			return Unit{}, interrupted(ctx)
		}
	}}
}

// Never waits until it is interrupted.
func Never[A any]() Effect[A] {
	return Effect[A]{func(ctx context.Context) (a A, _ error) {
		<-ctx.Done()
		return a, interrupted(ctx)
	}}
}

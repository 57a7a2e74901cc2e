// This file defines what fibers share: deferred results, permits, references
// and services.

package fx

import (
	"context"
	"reflect"
	"sync"

	"github.com/codemode-go/codemode/scope"
)

// Deferred is a result that is set once and awaited by any number of fibers.
type Deferred[A any] struct {
	once sync.Once
	done chan struct{}
	exit Exit[A]
}

// NewDeferred makes a deferred that is not set.
func NewDeferred[A any]() *Deferred[A] { return &Deferred[A]{done: make(chan struct{})} }

// Complete sets the outcome; its result says whether it was the first to do so.
func (d *Deferred[A]) Complete(exit Exit[A]) Effect[bool] {
	return Sync(func() (first bool) {
		d.once.Do(func() {
			d.exit, first = exit, true
			close(d.done)
		})
		return first
	})
}

// Succeed sets a result. See [Deferred.Complete].
func (d *Deferred[A]) Succeed(a A) Effect[bool] { return d.Complete(Exit[A]{Value: a}) }

// Fail sets a failure. See [Deferred.Complete].
func (d *Deferred[A]) Fail(err error) Effect[bool] {
	return d.Complete(Exit[A]{Cause: scope.CauseOf(err)})
}

// Await waits for the outcome and ends with it.
func (d *Deferred[A]) Await() Effect[A] {
	return Effect[A]{func(ctx context.Context) (a A, _ error) {
		select {
		case <-d.done:
			return d.exit.Result()
		case <-ctx.Done():
			return a, interrupted(ctx)
		}
	}}
}

// Semaphore hands out permits in the order of asking.
type Semaphore struct{ permits *scope.Semaphore }

// NewSemaphore makes a semaphore with n permits.
func NewSemaphore(n int) *Semaphore { return &Semaphore{scope.NewSemaphore(n)} }

// WithPermit runs e while holding a permit of s.
func WithPermit[A any](s *Semaphore, e Effect[A]) Effect[A] {
	return Effect[A]{func(ctx context.Context) (a A, _ error) {
		ticket, err := s.permits.Acquire(ctx)
		if err != nil {
			return a, err
		}
		defer ticket.Return()
		return e.Do(ctx)
	}}
}

// Ref is a value that fibers change one at a time.
type Ref[A any] struct {
	mu    sync.Mutex
	value A
}

// NewRef makes a reference with the value a.
func NewRef[A any](a A) *Ref[A] { return &Ref[A]{value: a} }

// Get has the current value as its result.
func (r *Ref[A]) Get() Effect[A] { return r.Update(func(a A) A { return a }) }

// Set replaces the value.
func (r *Ref[A]) Set(a A) Effect[A] { return r.Update(func(A) A { return a }) }

// Update replaces the value by f of it; its result is the new one. f must not
// use r.
func (r *Ref[A]) Update(f func(A) A) Effect[A] {
	return Sync(func() A {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.value = f(r.value)
		return r.value
	})
}

type serviceKey[S any] struct{}

// Provide gives e, and all it forks, the service s under its type.
func Provide[S, A any](e Effect[A], s S) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		return e.Do(WithService(ctx, s))
	}}
}

// WithService is [Provide] for a context.
func WithService[S any](ctx context.Context, s S) context.Context {
	return context.WithValue(ctx, serviceKey[S]{}, s)
}

// Service has the service of type S as its result and dies if none is provided.
func Service[S any]() Effect[S] {
	return Effect[S]{func(ctx context.Context) (S, error) {
		s, ok := ctx.Value(serviceKey[S]{}).(S)
		if !ok {
			panic("fx: no service of type " + reflect.TypeFor[S]().String() + " is provided")
		}
		return s, nil
	}}
}

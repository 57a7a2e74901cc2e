// This file defines fibers: the goroutines of a scope.

package scope

import (
	"context"
	"sync/atomic"
	"time"
)

// Fiber is a computation on a goroutine of its own, owned by a scope. All
// methods may be called from any goroutine.
type Fiber struct {
	name       string
	scope      *Scope
	interrupt  context.CancelCauseFunc
	done       chan struct{}
	exit       Exit // valid when done is closed
	next, prev *Fiber
	observed   atomic.Bool
	abandoned  atomic.Bool
	refused    bool
	info       *FiberInfo // nil without a tracer
}

// Fork starts f on a fiber of s. The context of f is done when the fiber or s
// is interrupted. A scope that is interrupted, closing or closed refuses: f
// does not run, and the fiber has ended with the interruption.
func (s *Scope) Fork(name string, f func(ctx context.Context) error) *Fiber {
	fiber := &Fiber{name: name, scope: s, done: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(s.ctx)
	fiber.interrupt = cancel
	spare, i := s.enter(fiber)
	if i != nil {
		cancel(i)
		fiber.refused, fiber.exit = true, Exit{NewCause(i).named(name)}
		fiber.observed.Store(true)
		close(fiber.done)
		return fiber
	}
	if s.tracer != nil {
		fiber.start(ctx)
		ctx = context.WithValue(ctx, fiberKey{}, fiber)
	}
	if spare != nil {
		spare.next <- task{fiber, ctx, f}
	} else {
		go new(runner).run(task{fiber, ctx, f})
	}
	return fiber
}

// enter adds the fiber to s, or says why not. It takes a spare goroutine for it if there is one.
func (s *Scope) enter(f *Fiber) (spare *runner, refused *Interrupt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := InterruptOf(s.ctx); i != nil {
		return nil, i
	}
	if s.state != open {
		return nil, &Interrupt{Reason: ScopeClosed, By: s.name}
	}
	if f.next = s.fibers; f.next != nil {
		f.next.prev = f
	}
	s.fibers = f
	s.running++
	if n := len(s.spare); n > 0 {
		spare = s.spare[n-1]
		s.spare = s.spare[:n-1]
	}
	return spare, nil
}

// leave removes the fiber, wakes Close, and reports whether the fiber's goroutine is kept for the next fiber; nil is none
// to keep.
func (s *Scope) leave(f *Fiber, on *runner) (kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.prev == nil {
		s.fibers = f.next
	} else {
		f.prev.next = f.next
	}
	if f.next != nil {
		f.next.prev = f.prev
	}
	f.next, f.prev = nil, nil
	s.running--
	if s.running == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
	// A scope whose last fiber ends is likely to close; its goroutine is not worth keeping.
	if on == nil || s.state != open || s.running == 0 || len(s.spare) == maxSpare {
		return false
	}
	if on.next == nil {
		on.next = make(chan task, 1)
	}
	s.spare = append(s.spare, on)
	return true
}

// end publishes the exit. A failure counts for the scope until someone awaits
// the fiber; since an awaiter may come any time, the scope keeps the fiber and
// asks it again when it closes. See leave for the rest.
func (f *Fiber) end(on *runner) (kept bool) {
	if f.info != nil {
		f.info.End = time.Now()
		f.scope.tracer.FiberEnded(*f.info, f.exit)
	}
	if f.exit.Cause.HasFails() || f.exit.Cause.HasDies() {
		f.scope.record(&unobserved{f})
	}
	f.interrupt(nil)
	close(f.done)
	return f.scope.leave(f, on)
}

// unobserved stands for a failed fiber in the scope's failures.
type unobserved struct{ fiber *Fiber }

// Error implements error.
func (u *unobserved) Error() string { return u.fiber.exit.Cause.Error() }

// seen reports whether somebody awaited the failed fiber since.
func seen(failure error) bool {
	u, ok := failure.(*unobserved)
	return ok && u.fiber.observed.Load()
}

// Name is the name the fiber was forked with.
func (f *Fiber) Name() string { return f.name }

// Done is closed when the fiber has ended.
func (f *Fiber) Done() <-chan struct{} { return f.done }

// Refused reports that the scope did not take the fiber: its function was not
// run.
func (f *Fiber) Refused() bool { return f.refused }

// Abandoned reports that the closing scope gave up on the fiber.
func (f *Fiber) Abandoned() bool { return f.abandoned.Load() }

// Interrupt interrupts the fiber; it does not wait. It is idempotent.
func (f *Fiber) Interrupt(reason Reason) { f.InterruptWith(&Interrupt{Reason: reason}) }

// InterruptWith is Interrupt with the whole reason.
func (f *Fiber) InterruptWith(i *Interrupt) { f.interrupt(i) }

// Await waits until the fiber has ended or ctx is done. The error is nil or why
// ctx is done.
func (f *Fiber) Await(ctx context.Context) (Exit, error) {
	select {
	case <-f.done:
	default:
		select {
		case <-f.done:
		case <-ctx.Done():
			return Exit{}, InterruptOf(ctx)
		}
	}
	f.observed.Store(true)
	return f.exit, nil
}

// Join waits like Await and returns the fiber's failure as its own.
func (f *Fiber) Join(ctx context.Context) error {
	exit, err := f.Await(ctx)
	if err != nil {
		return err
	}
	return exit.Err()
}

// ForkWith is Fork for a function that also sees the values of another
// context, such as the one it is forked under; interruption still comes from
// the fiber and s alone.
func (s *Scope) ForkWith(values context.Context, name string, f func(ctx context.Context) error) *Fiber {
	return s.Fork(name, func(ctx context.Context) error {
		return f(&valuesContext{ctx, context.WithoutCancel(values)})
	})
}

// valuesContext is a context with the values of another one in front of its
// own. What ties it to scopes and interruption stays its own.
type valuesContext struct {
	context.Context
	values context.Context
}

// Value implements context.Context.
func (c *valuesContext) Value(key any) any {
	switch key.(type) {
	case scopeKey, fiberKey, maskKey:
		return c.Context.Value(key)
	}
	// A value of context.Context is the context package's own bookkeeping.
	if v := c.values.Value(key); v != nil {
		if _, ok := v.(context.Context); !ok {
			return v
		}
	}
	return c.Context.Value(key)
}

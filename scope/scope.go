// Package scope defines structured concurrency: a [Scope] owns fibers, nested
// scopes and finalizers, and none of them outlives it.
//
//	s := scope.Open(ctx, scope.Options{Name: "import", Grace: 5 * time.Second})
//	reader := s.Fork("reader", read)
//	s.Fork("watcher", watch) // interrupted by Close
//	err := reader.Join(ctx)
//	cause := s.Close(scope.Exit{Cause: scope.CauseOf(err)})
//
// A [Fiber] is a goroutine with an owner. It ends with an [Exit]: success, or a
// [Cause], which is a list of expected failures ([Fail]), defects ([Die], a panic
// with its stack) and interruptions ([Interrupt], with a [Reason]). The failure of
// a fiber that nobody joined is part of what Close returns.
//
// Interruption travels through contexts, with the [Interrupt] as their cause.
// [Uninterruptible] keeps it out of a region. Closing a scope interrupts
// everything in it and waits, for ever, or for a bounded grace after which the
// rest is recorded as abandoned; then finalizers run, newest first.
//
// [Semaphore] and [Deadline] are for calls that take turns and clocks that can
// stand still; a [Tracer] sees every fiber. A Fork with its Join takes about 1.5
// µs, and closing a scope takes time in proportion to its fibers.
package scope

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Options configure a scope.
type Options struct {
	// Name appears in causes and traces.
	Name string
	// Grace bounds how long Close waits for fibers, nested scopes and each
	// finalizer. Zero takes over the parent's; without one Close waits for ever.
	Grace time.Duration
	// Tracer observes fibers of this scope and those nested in it. Nil takes
	// over the parent's.
	Tracer Tracer
}

type state uint8

const (
	open state = iota
	closing
	closed
)

// Scope owns fibers, nested scopes and finalizers. All methods may be called
// from any goroutine.
type Scope struct {
	name      string
	ctx       context.Context
	interrupt context.CancelCauseFunc
	parent    *Scope
	tracer    Tracer

	mu         sync.Mutex
	state      state
	grace      time.Duration
	fibers     *Fiber // the running ones, newest first
	running    int
	spare      []*runner      // idle goroutines
	nested     map[*Scope]int // to their age
	births     int
	idle       chan struct{} // closed when nothing runs; made by a waiter
	finalizers []func(Exit)
	failures   []error // of fibers that nobody observed, and of finalizers
	abandoned  []left
	exit       Exit
	cause      *Cause
	done       chan struct{} // closed when closed
}

type scopeKey struct{}

// From is the innermost scope that ctx belongs to, or nil.
func From(ctx context.Context) *Scope {
	s, _ := ctx.Value(scopeKey{}).(*Scope)
	return s
}

// With returns ctx with s as its scope. It does not tie ctx to s's
// interruption.
func With(ctx context.Context, s *Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// Open makes a scope under ctx, whose interruption reaches it, nested in the
// scope of ctx if there is one that is open. The caller must Close it.
func Open(ctx context.Context, options Options) *Scope {
	s := &Scope{name: options.Name, grace: options.Grace, tracer: options.Tracer, done: make(chan struct{})}
	inner, cancel := context.WithCancelCause(ctx)
	s.ctx, s.interrupt = With(inner, s), cancel
	if parent := From(ctx); parent != nil {
		parent.adopt(s)
	}
	return s
}

func (s *Scope) adopt(child *Scope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if child.grace == 0 {
		child.grace = s.grace
	}
	if child.tracer == nil {
		child.tracer = s.tracer
	}
	// A finalizer of a closing scope may open one of its own; it closes it.
	if s.state != open {
		return
	}
	child.parent = s
	if s.nested == nil {
		s.nested = map[*Scope]int{}
	}
	s.births++
	s.nested[child] = s.births
}

// Name is the name the scope was opened with.
func (s *Scope) Name() string { return s.name }

// Context is done when the scope is interrupted or closed; its cause is an
// [*Interrupt] or the cause of the context the scope was opened under.
func (s *Scope) Context() context.Context { return s.ctx }

// Done is closed when the scope has closed.
func (s *Scope) Done() <-chan struct{} { return s.done }

// SetGrace changes the grace for a Close that has not begun.
func (s *Scope) SetGrace(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grace = d
}

// Interrupt interrupts all that runs in the scope; it neither waits nor closes.
// Only the first interruption of a scope counts.
func (s *Scope) Interrupt(reason Reason) { s.InterruptWith(&Interrupt{Reason: reason}) }

// InterruptWith is Interrupt with the whole reason.
func (s *Scope) InterruptWith(i *Interrupt) { s.interrupt(i) }

// AddFinalizer registers f to run once when the scope closes, after all fibers
// and nested scopes have ended, newest first. In a closed scope f runs at once,
// on the caller's goroutine.
func (s *Scope) AddFinalizer(f func(Exit)) {
	s.mu.Lock()
	if s.state != closed {
		s.finalizers = append(s.finalizers, f)
		s.mu.Unlock()
		return
	}
	exit := s.exit
	s.mu.Unlock()
	if err := Protect(func() error { f(exit); return nil }); err != nil {
		s.record(err)
	}
}

// maxFailures bounds what a scope remembers of fibers nobody looked at.
const maxFailures = 100

func (s *Scope) record(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.failures) >= maxFailures {
		s.failures = slices.DeleteFunc(s.failures, seen)
	}
	if len(s.failures) < maxFailures {
		s.failures = append(s.failures, err)
	}
}

// left is a fiber or finalizer that Close gave up on.
type left struct {
	name string
	done <-chan struct{}
}

func (l left) ended() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// Abandoned are the names of the fibers and finalizers that Close gave up on and
// that have not ended since, those of nested scopes that have closed included.
func (s *Scope) Abandoned() (names []string) {
	for _, l := range s.leftBehind() {
		names = append(names, l.name)
	}
	return names
}

func (s *Scope) leftBehind() []left {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.abandoned = slices.DeleteFunc(s.abandoned, left.ended)
	return slices.Clone(s.abandoned)
}

// Running is the number of fibers that have not ended.
func (s *Scope) Running() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// Close ends the scope with exit, which finalizers are given: it interrupts
// what runs, waits for fibers, closes nested scopes, newest first, and runs the
// finalizers. It returns exit's cause combined with the failures of fibers that
// nobody joined and the defects of finalizers; interruptions of fibers are not
// among them. Closing again waits for the first Close and returns the same. A
// fiber must not close its own scope.
func (s *Scope) Close(exit Exit) *Cause {
	s.mu.Lock()
	if s.state != open {
		s.mu.Unlock()
		<-s.done
		return s.cause
	}
	s.state, s.exit = closing, exit
	grace := s.grace
	for _, g := range s.spare {
		close(g.next)
	}
	s.spare = nil
	s.mu.Unlock()

	s.interrupt(&Interrupt{Reason: ScopeClosed, By: s.name})
	s.awaitFibers(grace)
	s.closeNested(exit)
	for f := s.nextFinalizer(); f != nil; f = s.nextFinalizer() {
		s.finalize(f, exit, grace)
	}
	s.finish(exit)
	return s.cause
}

func (s *Scope) awaitFibers(grace time.Duration) {
	s.mu.Lock()
	if s.running == 0 {
		s.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	s.idle = idle
	s.mu.Unlock()
	if !within(idle, grace) {
		s.abandon()
	}
}

// within waits for done, at most for the grace unless that is zero.
func within(done <-chan struct{}, grace time.Duration) bool {
	if grace <= 0 {
		<-done
		return true
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// abandon gives up on the fibers that still run.
func (s *Scope) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for f := s.fibers; f != nil; f = f.next {
		f.abandoned.Store(true)
		s.abandoned = append(s.abandoned, left{f.name, f.done})
	}
}

func (s *Scope) closeNested(exit Exit) {
	s.mu.Lock()
	scopes := make([]*Scope, 0, len(s.nested))
	for child := range s.nested {
		scopes = append(scopes, child)
	}
	slices.SortFunc(scopes, func(a, b *Scope) int { return s.nested[b] - s.nested[a] })
	s.mu.Unlock()
	for _, child := range scopes {
		child.Close(exit)
	}
}

// inherit takes over what a nested scope abandoned. What has ended since is
// forgotten, so that a scope that lives long holds no more than still runs.
func (s *Scope) inherit(abandoned []left) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.abandoned = append(slices.DeleteFunc(s.abandoned, left.ended), abandoned...)
}

func (s *Scope) nextFinalizer() func(Exit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.finalizers)
	if n == 0 {
		s.state = closed
		return nil
	}
	f := s.finalizers[n-1]
	s.finalizers[n-1] = nil
	s.finalizers = s.finalizers[:n-1]
	return f
}

func (s *Scope) finalize(f func(Exit), exit Exit, grace time.Duration) {
	run := func() {
		if err := Protect(func() error { f(exit); return nil }); err != nil {
			s.record(CauseOf(err).named(s.name))
		}
	}
	if grace <= 0 {
		run()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	if !within(done, grace) {
		s.mu.Lock()
		s.abandoned = append(s.abandoned, left{"finalizer", done})
		s.mu.Unlock()
	}
}

func (s *Scope) finish(exit Exit) {
	s.mu.Lock()
	errs := []error{exit.Err()}
	for _, failure := range slices.DeleteFunc(s.failures, seen) {
		if u, ok := failure.(*unobserved); ok {
			failure = u.fiber.exit.Cause
		}
		errs = append(errs, failure)
	}
	s.failures = nil
	s.cause = NewCause(errs...)
	s.mu.Unlock()
	if s.parent != nil {
		s.parent.inherit(s.leftBehind())
		s.parent.mu.Lock()
		delete(s.parent.nested, s)
		s.parent.mu.Unlock()
	}
	close(s.done)
}

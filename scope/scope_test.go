package scope_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/scope"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errBoom = errors.New("boom")

// forever ends when it is interrupted.
func forever(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func background(name string) *scope.Scope {
	return scope.Open(context.Background(), scope.Options{Name: name})
}

func TestJoinGivesTheExit(t *testing.T) {
	s := background("s")
	ok := s.Fork("ok", func(context.Context) error { return nil })
	fails := s.Fork("fails", func(context.Context) error { return errBoom })
	dies := s.Fork("dies", func(context.Context) error { panic("no") })
	ctx := context.Background()
	if err := ok.Join(ctx); err != nil {
		t.Errorf("ok: %v", err)
	}
	if err := fails.Join(ctx); !errors.Is(err, errBoom) || !scope.CauseOf(err).HasFails() {
		t.Errorf("fails: %v", err)
	}
	err := dies.Join(ctx)
	var die *scope.Die
	if !errors.As(err, &die) || die.Value != "no" || !strings.Contains(string(die.Stack), "TestJoinGivesTheExit") || die.Fiber != "dies" {
		t.Errorf("dies: %#v", err)
	}
	if cause := s.Close(scope.Exit{}); cause != nil {
		t.Errorf("joined failures came back: %v", cause)
	}
}

func TestCloseReturnsWhatNobodyLookedAt(t *testing.T) {
	synctest.Test(t, closeUnobserved)
}

func closeUnobserved(t *testing.T) {
	s := background("s")
	s.Fork("fails", func(context.Context) error { return errBoom })
	f := s.Fork("dies", func(context.Context) error { panic("no") })
	<-f.Done()
	s.Fork("waits", forever)
	s.AddFinalizer(func(scope.Exit) { panic("in a finalizer") })
	synctest.Wait()
	cause := s.Close(scope.Exit{Cause: scope.NewCause(errors.New("first"))})
	if got := len(cause.Parts()); got != 4 || !strings.HasPrefix(cause.Error(), "first; ") || !errors.Is(cause, errBoom) || cause.HasInterrupts() {
		t.Errorf("%v", cause.Pretty())
	}
	if again := s.Close(scope.Exit{}); again != cause {
		t.Errorf("second Close: %v", again)
	}
}

func TestFinalizersRunOnceNewestFirstAfterFibersAndNestedScopes(t *testing.T) {
	var mu sync.Mutex
	var log []string
	say := func(s string) { mu.Lock(); defer mu.Unlock(); log = append(log, s) }
	s := background("outer")
	s.AddFinalizer(func(e scope.Exit) { say(fmt.Sprint("1 ", e.OK())) })
	s.AddFinalizer(func(scope.Exit) {
		say("2")
		s.AddFinalizer(func(scope.Exit) { say("added while closing") })
		panic("goes on")
	})
	inner := scope.Open(s.Context(), scope.Options{Name: "inner"})
	inner.AddFinalizer(func(scope.Exit) { say("inner") })
	newer := scope.Open(s.Context(), scope.Options{Name: "newer"})
	newer.AddFinalizer(func(scope.Exit) { say("newer") })
	s.Fork("fiber", func(ctx context.Context) error { <-ctx.Done(); say("fiber"); return nil })
	cause := s.Close(scope.Exit{Cause: scope.NewCause(errBoom)})
	want := "fiber, newer, inner, 2, added while closing, 1 false"
	if got := strings.Join(log, ", "); got != want || !cause.HasDies() {
		t.Errorf("%s, want %s; cause %v", got, want, cause)
	}
	s.AddFinalizer(func(e scope.Exit) { say("late") })
	if log[len(log)-1] != "late" {
		t.Error("a late finalizer did not run at once")
	}
}

func TestClosedAndInterruptedScopesRefuse(t *testing.T) {
	for name, end := range map[string]func(*scope.Scope){
		"closed":      func(s *scope.Scope) { s.Close(scope.Exit{}) },
		"interrupted": func(s *scope.Scope) { s.Interrupt(scope.Limit) },
	} {
		s := background("s")
		end(s)
		f := s.Fork("late", func(context.Context) error { t.Error("ran"); return nil })
		exit, err := f.Await(context.Background())
		if err != nil || !f.Refused() || !exit.Cause.HasInterruptsOnly() {
			t.Errorf("%s: %v %v", name, exit.Cause, err)
		}
		s.Close(scope.Exit{})
	}
}

func TestInterruptReasons(t *testing.T) {
	hostCtx, cancel := context.WithCancel(context.Background())
	timeoutCtx, cancelTimeout := context.WithTimeout(context.Background(), 0)
	defer cancelTimeout()
	for name, c := range map[string]struct {
		ctx    context.Context
		end    func(*scope.Scope, *scope.Fiber)
		reason scope.Reason
		is     error
	}{
		"fiber":        {context.Background(), func(_ *scope.Scope, f *scope.Fiber) { f.Interrupt(scope.RaceLost); f.Interrupt(scope.Limit) }, scope.RaceLost, context.Canceled},
		"scope":        {context.Background(), func(s *scope.Scope, _ *scope.Fiber) { s.Interrupt(scope.Timeout) }, scope.Timeout, context.DeadlineExceeded},
		"closing":      {context.Background(), func(s *scope.Scope, _ *scope.Fiber) { s.Close(scope.Exit{}) }, scope.ScopeClosed, context.Canceled},
		"host":         {hostCtx, func(*scope.Scope, *scope.Fiber) { cancel() }, scope.Host, context.Canceled},
		"host timeout": {timeoutCtx, func(*scope.Scope, *scope.Fiber) {}, scope.Host, context.DeadlineExceeded},
	} {
		s := scope.Open(c.ctx, scope.Options{})
		f := s.Fork("f", forever)
		c.end(s, f)
		err := f.Join(context.Background())
		var i *scope.Interrupt
		if !errors.As(err, &i) || i.Reason != c.reason || !errors.Is(err, c.is) || !scope.CauseOf(err).HasInterruptsOnly() {
			t.Errorf("%s: %v", name, err)
		}
		s.Close(scope.Exit{})
	}
}

func TestInterruptionReachesEveryDescendant(t *testing.T) {
	synctest.Test(t, interruptTree)
}

func interruptTree(t *testing.T) {
	s := background("s")
	var ended atomic.Int32
	var grow func(ctx context.Context, depth int) error
	grow = func(ctx context.Context, depth int) error {
		inner := scope.Open(ctx, scope.Options{})
		defer inner.Close(scope.Exit{})
		if depth > 0 {
			for range 3 {
				inner.Fork("child", func(ctx context.Context) error { return grow(ctx, depth-1) })
			}
		}
		<-ctx.Done()
		if i := scope.InterruptOf(ctx); i == nil || i.Reason != scope.Timeout {
			t.Errorf("%v", i)
		}
		ended.Add(1)
		return nil
	}
	f := s.Fork("root", func(ctx context.Context) error { return grow(ctx, 3) })
	synctest.Wait()
	s.Interrupt(scope.Timeout)
	f.Join(context.Background())
	s.Close(scope.Exit{})
	if n := ended.Load(); n != 1+3+9+27 {
		t.Errorf("%d ended", n)
	}
}

func TestGraceAbandonsWhoeverIgnoresInterruption(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scope.Open(context.Background(), scope.Options{Grace: 5 * time.Second})
		release := make(chan struct{})
		stubborn := s.Fork("stubborn", func(context.Context) error { <-release; return errBoom })
		s.Fork("polite", forever)
		s.AddFinalizer(func(scope.Exit) { <-release })
		ran := false
		s.AddFinalizer(func(scope.Exit) { ran = true })
		start := time.Now()
		cause := s.Close(scope.Exit{})
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("took %v, want the grace for the fiber and for the finalizer", took)
		}
		if got := fmt.Sprint(s.Abandoned()); got != "[stubborn finalizer]" || !stubborn.Abandoned() || !ran || cause != nil {
			t.Errorf("abandoned %s, cause %v", got, cause)
		}
		close(release)
		synctest.Wait()
		if got := s.Abandoned(); got != nil {
			t.Errorf("%v have ended", got)
		}
	})
}

// What a nested scope gave up on is its parent's for as long as it runs.
func TestAbandonedOfNestedScopes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scope.Open(context.Background(), scope.Options{})
		release := make(chan struct{})
		s.Fork("parent", func(ctx context.Context) error {
			for range 3 {
				nested := scope.Open(ctx, scope.Options{Grace: time.Second})
				nested.Fork("stubborn", func(context.Context) error { <-release; return nil })
				nested.Close(scope.Exit{})
			}
			return nil
		}).Join(context.Background())
		if got := fmt.Sprint(s.Abandoned()); got != "[stubborn stubborn stubborn]" {
			t.Error(got)
		}
		close(release)
		synctest.Wait()
		if got := s.Abandoned(); got != nil {
			t.Errorf("%v have ended", got)
		}
		s.Close(scope.Exit{})
	})
}

type key struct{}

func TestMasks(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), key{}, "v"))
	masked := scope.Uninterruptible(ctx)
	open, release := scope.Interruptible(masked)
	defer release()
	cancel(&scope.Interrupt{Reason: scope.Timeout})
	if masked.Err() != nil || scope.InterruptOf(masked) != nil || masked.Value(key{}) != "v" {
		t.Error("the mask let an interruption through or lost a value")
	}
	<-open.Done()
	if i := scope.InterruptOf(open); i == nil || i.Reason != scope.Timeout || open.Value(key{}) != "v" {
		t.Errorf("restored: %v", i)
	}
	late, releaseLate := scope.Interruptible(scope.Uninterruptible(open))
	defer releaseLate()
	if late.Err() == nil {
		t.Error("restoring inside an interrupted context")
	}
}

func TestCausePrintsForPeople(t *testing.T) {
	s := background("s")
	die := func(context.Context) error { panic("no") }
	a := s.Fork("a", func(ctx context.Context) error { return errBoom }).Join(context.Background())
	b := s.Fork("b", die).Join(context.Background())
	s.Close(scope.Exit{})
	text := scope.NewCause(a, b, b, &scope.Interrupt{Reason: scope.Timeout, By: "the host"}).Pretty()
	for _, want := range []string{"1. fiber \"a\": boom\n", "2. fiber \"b\": panic: no\n", "3. fiber \"b\": panic: no\n   stack as in 2\n", "4. interrupted: timeout by the host\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "goroutine") > 1 || strings.Contains(text, "conc/panics") && strings.Index(text, "conc/panics") < strings.Index(text, "TestCausePrints") {
		t.Errorf("stack not trimmed:\n%s", text)
	}
	joined := scope.CauseOf(errors.Join(errBoom, fmt.Errorf("around: %w", b)))
	if !joined.HasFails() || !joined.HasDies() {
		t.Errorf("joined: %v", joined.Pretty())
	}
	if c := scope.CauseOf(nil); c != nil || scope.NewCause(nil, nil) != nil {
		t.Error("nil is success")
	}
}

func TestTicketsAreServedInOrder(t *testing.T) {
	sem := scope.NewSemaphore(2)
	var served []int
	tickets := make([]*scope.Ticket, 6)
	for i := range tickets {
		tickets[i] = sem.Ticket(func(*scope.Ticket) { served = append(served, i) })
	}
	if tickets[3].Return() {
		t.Error("3 had not been granted")
	}
	if !tickets[1].Return() || tickets[1].Return() {
		t.Error("1 had been granted, once")
	}
	tickets[0].Return()
	tickets[2].Return()
	if got := fmt.Sprint(served); got != "[0 1 2 4 5]" {
		t.Error(got)
	}
}

func TestServeMayGiveBackAtOnce(t *testing.T) {
	sem := scope.NewSemaphore(1)
	var order []int
	first := sem.Ticket(func(*scope.Ticket) {})
	for i := range 1000 {
		sem.Ticket(func(ticket *scope.Ticket) { order = append(order, i); ticket.Return() })
	}
	first.Return()
	if len(order) != 1000 || order[999] != 999 {
		t.Errorf("%d served", len(order))
	}
}

func TestAcquireIsInterruptible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sem := scope.NewSemaphore(1)
		held, _ := sem.Acquire(context.Background())
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := sem.Acquire(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		held.Return()
		if again, err := sem.Acquire(context.Background()); err != nil || !again.Return() {
			t.Errorf("the permit was lost: %v", err)
		}
	})
}

func TestDeadlineStandsWhileOnlyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var expired time.Duration
		d := scope.NewDeadline(10*time.Second, -1, func() { expired = time.Since(start) })
		time.Sleep(4 * time.Second)
		d.Busy(1)
		d.Waiting(1) // does not stand yet: somebody is busy
		time.Sleep(time.Second)
		d.Busy(-1)
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := d.Left(); got != 5*time.Second || expired != 0 {
			t.Errorf("left %v", got)
		}
		d.Waiting(-1)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if want := time.Hour + 10*time.Second; expired != want || d.Waited() != time.Hour {
			t.Errorf("expired after %v, want %v", expired, want)
		}
	})
}

func TestDeadlineBoundsTheWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var expired time.Duration
		d := scope.NewDeadline(10*time.Second, time.Minute, func() { expired = time.Since(start) })
		d.Waiting(1)
		time.Sleep(40 * time.Second)
		d.Waiting(-1)
		d.Waiting(1)
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := 70 * time.Second; expired != want {
			t.Errorf("expired after %v, want %v", expired, want)
		}
		stopped := scope.NewDeadline(time.Second, 0, func() { t.Error("a stopped deadline expired") })
		if !stopped.Stop() {
			t.Error("Stop")
		}
		time.Sleep(time.Minute)
	})
}

type tracer struct {
	mu   sync.Mutex
	log  []string
	info map[string]scope.FiberInfo
}

func (r *tracer) FiberStarted(i scope.FiberInfo) { r.add("start "+i.Name, i) }
func (r *tracer) FiberEnded(i scope.FiberInfo, e scope.Exit) {
	r.add(fmt.Sprint("end ", i.Name, " ", e.OK()), i)
}
func (r *tracer) add(line string, i scope.FiberInfo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, line)
	r.info[i.Name] = i
}

func TestTracerSeesFibers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &tracer{info: map[string]scope.FiberInfo{}}
		s := scope.Open(context.Background(), scope.Options{Name: "outer", Tracer: r})
		f := s.Fork("parent", func(ctx context.Context) error {
			inner := scope.Open(ctx, scope.Options{Name: "inner"})
			inner.Fork("child", func(context.Context) error { time.Sleep(time.Second); return errBoom }).Join(ctx)
			return scope.Exit{Cause: inner.Close(scope.Exit{})}.Err()
		})
		f.Join(context.Background())
		s.Close(scope.Exit{})
		if got := strings.Join(r.log, ", "); got != "start parent, start child, end child false, end parent true" {
			t.Error(got)
		}
		child := r.info["child"]
		if child.Parent != r.info["parent"].ID || child.Scope != "inner" || child.End.Sub(child.Start) != time.Second {
			t.Errorf("%+v", child)
		}
	})
}

func TestHammer(t *testing.T) {
	s := background("s")
	var finalized, served atomic.Int32
	sem := scope.NewSemaphore(3)
	var inside atomic.Int32
	for range 8 {
		s.Fork("worker", func(ctx context.Context) error {
			for round := 0; ; round++ {
				inner := scope.Open(ctx, scope.Options{})
				inner.AddFinalizer(func(scope.Exit) { finalized.Add(1) })
				a := inner.Fork("a", func(ctx context.Context) error {
					ticket, err := sem.Acquire(ctx)
					if err != nil {
						return err
					}
					defer ticket.Return()
					if n := inside.Add(1); n > 3 {
						t.Errorf("%d inside", n)
					}
					served.Add(1)
					inside.Add(-1)
					return nil
				})
				f := inner.Fork("b", forever)
				if round%2 == 0 {
					a.Join(ctx)
				}
				f.Interrupt(scope.RaceLost)
				inner.Close(scope.Exit{})
				if ctx.Err() != nil {
					return nil
				}
			}
		})
	}
	time.Sleep(100 * time.Millisecond)
	if cause := s.Close(scope.Exit{}); cause != nil {
		t.Errorf("%v", cause)
	}
	if finalized.Load() == 0 || served.Load() == 0 || s.Running() != 0 {
		t.Errorf("%d finalized, %d served, %d running", finalized.Load(), served.Load(), s.Running())
	}
	all := make([]*scope.Ticket, 3)
	for i := range all {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		var err error
		if all[i], err = sem.Acquire(ctx); err != nil {
			t.Fatalf("permit %d was lost", i)
		}
		cancel()
	}
}

func BenchmarkForkJoin(b *testing.B) {
	s := background("s")
	defer s.Close(scope.Exit{})
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		s.Fork("f", func(context.Context) error { return nil }).Join(ctx)
	}
}

func BenchmarkClose(b *testing.B) {
	for _, n := range []int{25_000, 50_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				s := background("s")
				for range n {
					s.Fork("f", forever)
				}
				s.Close(scope.Exit{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/fiber")
		})
	}
}

// A goroutine is kept for the next fiber, but for one that its fiber ended; Close ends them all.
func TestGoroutinesAreKept(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := scope.Open(context.Background(), scope.Options{})
	hold := make(chan struct{})
	main := s.Fork("main", func(context.Context) error { <-hold; return nil })
	count := 0
	for i := range 20 {
		var ends []*scope.Fiber
		for range 16 {
			ends = append(ends, s.Fork("f", func(context.Context) error {
				if i == 1 {
					runtime.Goexit()
				}
				return nil
			}))
		}
		for _, f := range ends {
			if exit, err := f.Await(context.Background()); err != nil || exit.OK() == (i == 1) {
				t.Fatalf("round %d: got %v, %v", i, exit, err)
			}
			count++
		}
	}
	close(hold)
	if err := main.Join(context.Background()); err != nil || count != 320 {
		t.Error(err, count)
	}
	if cause := s.Close(scope.Exit{}); cause != nil && !cause.HasDies() {
		t.Error(cause)
	}
}

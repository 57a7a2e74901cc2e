package proptest

// This file defines the laws of scopes, permits and the pausable deadline, against small models of them.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/scope"
	"pgregory.net/rapid"
)

// plan is a scope before it is opened.
type plan struct {
	Finalizers int
	Fibers     []plannedFiber
	Nested     []*plan
	name       string
}

type plannedFiber struct {
	Obeys   bool          // ends when it is interrupted
	Cleanup time.Duration // and takes this long, or runs this long from its start
	Fails   bool
}

func drawPlan(t *rapid.T, name string, depth int, fibers *int) *plan {
	p := &plan{name: name, Finalizers: rapid.IntRange(0, 3).Draw(t, "finalizers")}
	for range rapid.IntRange(0, 3).Draw(t, "fibers") {
		*fibers++
		p.Fibers = append(p.Fibers, plannedFiber{
			Obeys: rapid.Bool().Draw(t, "obeys"), Fails: rapid.IntRange(0, 3).Draw(t, "fails") == 0,
			Cleanup: time.Duration(rapid.IntRange(0, 40).Draw(t, "ms"))*time.Millisecond + time.Duration(*fibers), // no two end at once
		})
	}
	if depth > 0 {
		for i := range rapid.IntRange(0, 2).Draw(t, "nested") {
			p.Nested = append(p.Nested, drawPlan(t, fmt.Sprint(name, ".", i), depth-1, fibers))
		}
	}
	return p
}

func (p *plan) open(ctx context.Context, j *journal, grace time.Duration) *scope.Scope {
	s := scope.Open(ctx, scope.Options{Name: p.name, Grace: grace})
	for i, f := range p.Fibers {
		s.Fork(fmt.Sprint(p.name, " fiber ", i), func(ctx context.Context) error {
			if f.Obeys {
				<-ctx.Done()
			}
			time.Sleep(f.Cleanup)
			j.write(fmt.Sprint(p.name, " fiber ", i))
			if f.Fails {
				return errA
			}
			return nil
		})
	}
	for _, n := range p.Nested {
		n.open(s.Context(), j, grace)
	}
	for i := range p.Finalizers {
		s.AddFinalizer(func(scope.Exit) { j.write(fmt.Sprint(p.name, " finalizer ", i)) })
	}
	return s
}

// close plays Close of the plan at a time and returns when it is over. All interruptions happen at zero.
func (p *plan) close(now, grace time.Duration, m *closing) time.Duration {
	over, late := now, false
	for i, f := range p.Fibers {
		ends := f.Cleanup
		m.lines = append(m.lines, fmt.Sprint(ends, " ", p.name, " fiber ", i))
		if grace > 0 && ends > now+grace {
			late = true
			m.abandoned = append(m.abandoned, leftFiber{fmt.Sprint(p.name, " fiber ", i), ends})
		}
		over = max(over, ends)
		if f.Fails && !(grace > 0 && ends > now+grace) {
			m.failures++
		}
	}
	if late {
		over = now + grace
	}
	for i := len(p.Nested) - 1; i >= 0; i-- {
		over = p.Nested[i].close(over, grace, m)
	}
	for i := p.Finalizers - 1; i >= 0; i-- {
		m.lines = append(m.lines, fmt.Sprint(over, " ", p.name, " finalizer ", i))
		m.finalizers = append(m.finalizers, fmt.Sprint(p.name, " finalizer ", i))
	}
	return over
}

type closing struct {
	lines, finalizers []string
	abandoned         []leftFiber
	failures          int
}

// leftFiber is a fiber that a scope gave up on.
type leftFiber struct {
	name string
	ends time.Duration
}

// running are those abandoned that still run at a time, sorted.
func (m *closing) running(now time.Duration) (names []string) {
	for _, f := range m.abandoned {
		if f.ends > now {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	return names
}

func TestNoFiberOutlivesItsScopeUnlessAbandoned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t, "s", 2, new(int))
		grace := time.Duration(rapid.IntRange(0, 50).Draw(t, "grace")) * time.Millisecond
		rapid.SyncTest(t, func(t *rapid.T) {
			j := &journal{start: time.Now()}
			s := p.open(context.Background(), j, grace)
			m := &closing{}
			over := p.close(0, grace, m)
			cause := s.Close(scope.Exit{})
			if took := time.Since(j.start); took != over {
				t.Fatalf("Close took %v, want %v", took, over)
			}
			abandoned := s.Abandoned()
			slices.Sort(abandoned)
			if want := m.running(over); !slices.Equal(abandoned, want) {
				t.Fatalf("abandoned %v, want %v", abandoned, want)
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			if left := s.Abandoned(); left != nil {
				t.Fatalf("abandoned %v, which have ended", left)
			}
			got, order := j.timed(), []string{}
			for _, line := range j.lines {
				if strings.Contains(line, "finalizer") {
					order = append(order, line)
				}
			}
			if !slices.Equal(order, m.finalizers) {
				t.Fatalf("finalizers ran as %v, want %v", order, m.finalizers)
			}
			slices.Sort(got)
			slices.Sort(m.lines)
			if !slices.Equal(got, m.lines) {
				t.Fatalf("did %q, want %q", got, m.lines)
			}
			if p.Nested == nil && len(cause.Parts()) != m.failures {
				t.Fatalf("the cause %v, want %d failures", cause, m.failures)
			}
			closedScope(t, s)
		})
	})
}

// closedScope checks that a closed scope takes nothing more and that closing it again changes nothing.
func closedScope(t *rapid.T, s *scope.Scope) {
	f := s.Fork("late", func(context.Context) error { t.Error("a closed scope ran a fiber"); return nil })
	if exit, _ := f.Await(context.Background()); !f.Refused() || !exit.Cause.HasInterruptsOnly() {
		t.Fatalf("a late fiber ended with %v", exit.Cause)
	}
	ran := false
	s.AddFinalizer(func(scope.Exit) { ran = true })
	if !ran {
		t.Fatal("a late finalizer did not run at once")
	}
	if again := s.Close(scope.Exit{Cause: scope.NewCause(errB)}); again != nil && errors.Is(again, errB) {
		t.Fatal("the second Close counted")
	}
	if n := s.Running(); n != 0 {
		t.Fatalf("%d fibers run", n)
	}
}

func TestFailureOfAFiberNobodyJoinedIsTheScopes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		joined := rapid.SliceOfN(rapid.Bool(), 0, 6).Draw(t, "joined")
		rapid.SyncTest(t, func(t *rapid.T) {
			s := scope.Open(context.Background(), scope.Options{})
			want := 0
			for i, join := range joined {
				f := s.Fork("f", func(context.Context) error {
					if i%2 == 0 {
						panic(i)
					}
					return errA
				})
				if !join {
					want++
					continue
				}
				if err := f.Join(context.Background()); err == nil {
					t.Fatal("joined a success")
				}
			}
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			if cause := s.Close(scope.Exit{}); len(cause.Parts()) != want {
				t.Fatalf("%v, want %d parts", cause, want)
			}
		})
	})
}

func TestPermitsAreServedInTheOrderOfAsking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "permits")
		s := scope.NewSemaphore(n)
		var served, want []int
		var tickets []*scope.Ticket
		var queue, held []int // the model
		serveNext := func() {
			for len(held) < n && len(queue) > 0 {
				held, want = append(held, queue[0]), append(want, queue[0])
				queue = queue[1:]
			}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if len(tickets) == 0 || rapid.Bool().Draw(t, "ask") {
				id := len(tickets)
				tickets = append(tickets, nil)
				queue = append(queue, id)
				serveNext()
				tickets[id] = s.Ticket(func(*scope.Ticket) { served = append(served, id) })
			} else {
				id := rapid.IntRange(0, len(tickets)-1).Draw(t, "return")
				had := slices.Contains(held, id)
				held = slices.DeleteFunc(held, func(x int) bool { return x == id })
				queue = slices.DeleteFunc(queue, func(x int) bool { return x == id })
				serveNext()
				if got := tickets[id].Return(); got != had {
					t.Fatalf("Return of %d is %v", id, got)
				}
			}
			if !slices.Equal(served, want) {
				t.Fatalf("served %v, want %v", served, want)
			}
			if s.Held() != len(held) {
				t.Fatalf("%d held, want %d", s.Held(), len(held))
			}
		}
	})
}

func TestDeadlineStandsOnlyWhileSomebodyWaitsAndNobodyIsBusy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		allowed := time.Duration(rapid.IntRange(1, 60).Draw(t, "allowed"))*time.Millisecond + 300*time.Microsecond // nothing happens at the same time as a step
		maxWait := time.Duration(rapid.IntRange(-1, 60).Draw(t, "max wait")) * time.Millisecond
		if maxWait > 0 {
			maxWait += 70 * time.Microsecond
		}
		type step struct {
			waiting, busy int
			then          time.Duration
		}
		var steps []step
		waiting, busy := 0, 0
		for range rapid.IntRange(0, 10).Draw(t, "steps") {
			w, b := rapid.IntRange(-waiting, 1).Draw(t, "waiting"), rapid.IntRange(-busy, 1).Draw(t, "busy")
			waiting, busy = waiting+w, busy+b
			steps = append(steps, step{w, b, time.Duration(rapid.IntRange(0, 20).Draw(t, "then")) * time.Millisecond})
		}
		want := time.Duration(-1)
		left, waitLeft, now := allowed, maxWait, time.Duration(0)
		waiting, busy = 0, 0
		for i := 0; i <= len(steps) && want < 0; i++ {
			spell := time.Second
			if i < len(steps) {
				waiting, busy, spell = waiting+steps[i].waiting, busy+steps[i].busy, steps[i].then
			}
			for spell > 0 && want < 0 {
				clock := &left
				if waiting > 0 && busy <= 0 && waitLeft != 0 {
					clock = &waitLeft
				}
				d := spell
				if *clock > 0 {
					d = min(d, *clock)
					*clock -= d
				}
				now, spell = now+d, spell-d
				if left == 0 {
					want = now
				}
			}
		}
		rapid.SyncTest(t, func(t *rapid.T) {
			start, expired := time.Now(), time.Duration(-1)
			c := scope.NewDeadline(allowed, maxWait, func() { expired = time.Since(start) })
			for _, s := range steps {
				c.Waiting(s.waiting)
				c.Busy(s.busy)
				time.Sleep(s.then)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if expired != want {
				t.Fatalf("expired after %v, want %v", expired, want)
			}
			if c.Stop() != (want < 0) {
				t.Fatal("Stop")
			}
		})
	})
}

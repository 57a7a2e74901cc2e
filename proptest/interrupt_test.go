package proptest

// This file defines what holds when an effect is interrupted: nothing leaks, whenever that is.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"pgregory.net/rapid"
)

// everyStep runs a random effect undisturbed, and then once for each of its steps, interrupted there.
func everyStep(t *rapid.T, check func(o observation)) {
	f := newForest(rapid.Bool().Draw(t, "concurrent"))
	tree := f.draw(t, rapid.IntRange(1, 4).Draw(t, "depth"))
	t.Logf("e = %v", tree)
	whole := observe(t, tree.build, -1, -1)
	check(whole)
	for step := range min(whole.steps, 40) {
		check(observe(t, tree.build, -1, step))
	}
	check(observe(t, tree.build, time.Duration(rapid.IntRange(0, 30_000).Draw(t, "µs"))*time.Microsecond+1, -1))
}

// lines are what an observation did, without the times.
func (o observation) lines() []string {
	var out []string
	for _, line := range o.did {
		_, text, _ := strings.Cut(line, " ")
		out = append(out, text)
	}
	return out
}

func TestAcquireReleaseNeverLeaksUnderInterruptionAtAnyPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		everyStep(t, func(o observation) {
			held := map[string]int{}
			for _, line := range o.lines() {
				if id, ok := strings.CutPrefix(line, "acquired "); ok {
					held[id]++
				}
				if id, ok := strings.CutPrefix(line, "released "); ok {
					held[id]--
				}
			}
			for id, n := range held {
				if n != 0 {
					t.Fatalf("resource %s is held %d times: %v", id, n, o)
				}
			}
		})
	})
}

func TestFinalizersRunExactlyOnceInReverseOnEveryExit(t *testing.T) {
	ends := map[string]effect{
		"success": fx.Succeed(1), "failure": fx.Fail[int](errA), "defect": fx.Die[int]("x"), "interruption": fx.Never[int](),
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "finalizers")
		end := rapid.SampledFrom([]string{"success", "failure", "defect", "interruption"}).Draw(t, "end")
		bad := rapid.IntRange(-1, n-1).Draw(t, "the one that panics")
		nested := rapid.Bool().Draw(t, "nested")
		o := observe(t, func(j *journal) effect {
			e := ends[end]
			for i := n - 1; i >= 0; i-- {
				inner, in := e, i
				e = fx.FlatMap(fx.AcquireRelease(fx.Succeed(i), func(_ int, exit scope.Exit) effect {
					j.write(fmt.Sprint(in, exit.OK()))
					if in == bad {
						panic("finalizer")
					}
					return fx.Succeed(0)
				}), func(int) effect { return inner })
				if nested && i == n/2 {
					e = fx.Scoped(e)
				}
			}
			return e
		}, time.Millisecond, -1)
		var want []string
		for i := n - 1; i >= 0; i-- {
			// A panic of a finalizer in the nested scope fails the scope around it.
			ok := end == "success" && !(nested && bad >= n/2 && i < n/2)
			want = append(want, fmt.Sprint(i, ok))
		}
		if got := o.lines(); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		if strings.Contains(o.ended, "panic: finalizer") != (bad >= 0) {
			t.Fatalf("the defect of a finalizer: %v", o)
		}
	})
}

func TestExitOfAnythingIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := newForest(true).draw(t, rapid.IntRange(0, 4).Draw(t, "depth"))
		t.Logf("e = %v", tree)
		rapid.SyncTest(t, func(t *rapid.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rapid.IntRange(1, 40).Draw(t, "ms"))*time.Millisecond+13)
			defer cancel()
			j := &journal{start: time.Now()}
			exit := fx.RunExit(ctx, tree.build(j))
			v, err := exit.Result()
			if exit.OK() != (err == nil) || exit.OK() != (exit.Cause == nil) || !exit.OK() && v != 0 {
				t.Fatalf("%+v is %v, %v", exit, v, err)
			}
			if !exit.OK() {
				totalCause(t, exit.Cause, err)
			}
		})
	})
}

// totalCause checks that a cause is made of the three kinds of part, that its predicates tell them, and that errors.Is
// and errors.As see through it.
func totalCause(t *rapid.T, c *scope.Cause, err error) {
	var fails, dies, interrupts bool
	for _, part := range c.Parts() {
		switch p := part.(type) {
		case *scope.Fail:
			fails = true
			if !errors.Is(err, p.Err) {
				t.Fatalf("%v hides %v", err, p.Err)
			}
		case *scope.Die:
			dies = true
			if len(p.Stack) == 0 {
				t.Fatalf("a defect without a stack: %v", p)
			}
		case *scope.Interrupt:
			interrupts = true
			if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("%v is no context error", err)
			}
		default:
			t.Fatalf("a part %T", part)
		}
		if !strings.Contains(c.Pretty(), part.Error()) {
			t.Fatalf("%q lacks %q", c.Pretty(), part)
		}
	}
	if c.HasFails() != fails || c.HasDies() != dies || c.HasInterrupts() != interrupts || c.HasInterruptsOnly() != (interrupts && !fails && !dies) || !fails && !dies && !interrupts {
		t.Fatalf("the predicates of %v", c)
	}
}

func TestInterruptionIsIdempotent(t *testing.T) {
	reasons := []scope.Reason{scope.Host, scope.Timeout, scope.RaceLost, scope.ScopeClosed, scope.Limit}
	rapid.Check(t, func(t *rapid.T) {
		tree := newForest(true).draw(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		t.Logf("e = %v", tree)
		wait := time.Duration(rapid.IntRange(0, 20_000).Draw(t, "µs"))*time.Microsecond + 3
		first := rapid.SampledFrom(reasons).Draw(t, "reason")
		more := rapid.SliceOfN(rapid.SampledFrom(reasons), 1, 4).Draw(t, "more reasons")
		run := func(times int) (o observation) {
			rapid.SyncTest(t, func(t *rapid.T) {
				j := &journal{start: time.Now()}
				s := scope.Open(context.Background(), scope.Options{})
				e := tree.build(j)
				f, err := fx.ForkIn(s, "it", fx.Scoped(e)).Do(s.Context())
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(wait)
				f.Fiber().Interrupt(first)
				for _, reason := range more[:times] {
					f.Fiber().Interrupt(reason)
					s.Interrupt(reason)
				}
				exit, _ := fx.Await(f).Do(context.Background())
				s.Close(scope.Exit{})
				o = observation{ended: describe(exit), did: j.timed(), took: time.Since(j.start)}.unordered()
			})
			return o
		}
		if once, often := run(0), run(len(more)); fmt.Sprint(once) != fmt.Sprint(often) {
			t.Fatalf("%v\n%v", once, often)
		}
	})
}

func TestParentsInterruptReachesEveryDescendant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rapid.SyncTest(t, func(t *rapid.T) {
			reason := rapid.SampledFrom([]scope.Reason{scope.Host, scope.Timeout, scope.Limit}).Draw(t, "reason")
			root := scope.Open(context.Background(), scope.Options{})
			reached, born := map[int]scope.Reason{}, 0
			lock := make(chan struct{}, 1)
			var grow func(s *scope.Scope, depth int)
			grow = func(s *scope.Scope, depth int) {
				for range rapid.IntRange(0, 3).Draw(t, "fibers") {
					id := born
					born++
					s.Fork("descendant", func(ctx context.Context) error {
						<-ctx.Done()
						lock <- struct{}{}
						reached[id] = scope.InterruptOf(ctx).Reason
						<-lock
						return ctx.Err()
					})
				}
				if depth > 0 {
					for range rapid.IntRange(0, 2).Draw(t, "scopes") {
						grow(scope.Open(s.Context(), scope.Options{}), depth-1)
					}
				}
			}
			grow(root, 3)
			time.Sleep(time.Second)
			synctest.Wait()
			if len(reached) > 0 {
				t.Fatalf("%d of %d ended before", len(reached), born)
			}
			root.Interrupt(reason)
			if cause := root.Close(scope.Exit{}); cause != nil {
				t.Fatal(cause)
			}
			if len(reached) != born {
				t.Fatalf("reached %d of %d", len(reached), born)
			}
			for id, got := range reached {
				if got != reason {
					t.Fatalf("fiber %d was told %v, want %v", id, got, reason)
				}
			}
		})
	})
}

func TestInterruptibleRestoresInsideAMaskAlsoWhatCameBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := func(name string) time.Duration {
			return time.Duration(rapid.IntRange(1, 20).Draw(t, name)) * time.Millisecond
		}
		masked, restored, after := span("masked"), span("restored"), span("masked again")
		at := time.Duration(rapid.IntRange(0, 60).Draw(t, "interrupted"))*time.Millisecond + 1
		o := observe(t, func(j *journal) effect {
			region := fx.Uninterruptible(fx.FlatMap(fx.Sleep(masked), func(fx.Unit) effect {
				return fx.FlatMap(fx.Interruptible(fx.Sleep(restored)), func(fx.Unit) effect { return fx.As(fx.Sleep(after), 1) })
			}))
			return fx.OnExit(region, func(fx.Exit[int]) effect { return j.say("left") })
		}, at, -1)
		want, ended := masked+restored+after, "value 1"
		if at < masked+restored {
			want, ended = max(at, masked), "*scope.Interrupt interrupted: host"
		}
		if o.took != want || o.ended != ended {
			t.Fatalf("%v, want %s after %v", o, ended, want)
		}
	})
}

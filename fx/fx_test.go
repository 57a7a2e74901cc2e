package fx_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	errA = errors.New("a")
	errB = errors.New("b")
)

// journal is what effects of a test write to.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) say(line string) fx.Effect[int] {
	return fx.Sync(func() int {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.lines = append(j.lines, line)
		return len(line)
	})
}

func (j *journal) take() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	lines := j.lines
	j.lines = nil
	return lines
}

// generator draws random effects. Without races their order is determined.
type generator struct {
	j     *journal
	races bool
	alone bool // not to be interrupted from outside
	lines int
}

func (g *generator) draw(t *rapid.T, depth int) fx.Effect[int] {
	top := 6
	if depth > 0 {
		top = 18
	}
	if depth > 0 && g.races {
		top = 22
	}
	g.lines++
	id := g.lines
	sub := func() fx.Effect[int] { return g.draw(t, depth-1) }
	plus := func(n int) fx.Effect[int] { return fx.Map(sub(), func(m int) int { return m + n }) }
	// No two sums of waits are the same, so that no two timers fire together.
	wait := time.Duration(rapid.IntRange(1, 20).Draw(t, "ms"))*time.Millisecond + time.Duration(id*2654435761%999983)
	switch rapid.IntRange(0, top).Draw(t, "op") {
	case 0:
		return fx.Succeed(id)
	case 1:
		return fx.Fail[int](errA)
	case 2:
		return fx.Die[int]("defect")
	case 3, 4:
		return g.j.say(fmt.Sprint("did ", id))
	case 5:
		return fx.As(fx.Sleep(wait), id)
	case 6:
		return fx.Try(func(ctx context.Context) (int, error) { time.Sleep(wait); return id, ctx.Err() })
	case 7:
		return plus(id)
	case 8, 9:
		next := plus(1)
		return fx.FlatMap(sub(), func(int) fx.Effect[int] { return next })
	case 10:
		other := sub()
		return fx.Catch(sub(), func(error) fx.Effect[int] { return other })
	case 11:
		return fx.Ensuring(sub(), g.j.say(fmt.Sprint("ensured ", id)))
	case 12:
		inner := sub()
		return fx.Scoped(fx.FlatMap(g.resource(), func(int) fx.Effect[int] { return inner }))
	case 13:
		return fx.Timeout(sub(), wait)
	case 14:
		return fx.Uninterruptible(sub())
	case 15:
		return fx.Interruptible(sub())
	case 16:
		return fx.FlatMap(fx.Fork(sub()), fx.Join[int])
	case 17:
		return fx.Retry(sub(), fx.Recurs(2))
	case 18:
		other := sub()
		return fx.CatchCause(sub(), func(*scope.Cause) fx.Effect[int] { return other })
	case 19:
		return fx.Race(sub(), sub())
	case 20:
		return fx.Map(fx.All(rapid.IntRange(0, 3).Draw(t, "n"), sub(), sub(), sub()), func(all []int) int { return len(all) })
	case 21:
		return fx.RaceFirst(sub(), sub())
	}
	return fx.As(fx.Fork(sub()), id) // left to the scope
}

// resource is acquired and released with a line each.
func (g *generator) resource() fx.Effect[int] {
	g.lines++
	id := g.lines
	return fx.AcquireRelease(g.j.say(fmt.Sprint("acquired ", id)), func(int, scope.Exit) fx.Effect[int] {
		return fx.Tap(g.j.say(fmt.Sprint("released ", id)), func(int) fx.Effect[fx.Unit] { return fx.Sleep(time.Millisecond) })
	})
}

// observe runs e in virtual time, interrupted after the given time if that is
// not negative, and tells how it ended and what it did.
func observe(t *testing.T, j *journal, e fx.Effect[int], interruptAfter time.Duration) (ended string, did []string) {
	synctest.Test(t, func(*testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if interruptAfter >= 0 {
			timer := time.AfterFunc(interruptAfter, cancel)
			defer timer.Stop()
		}
		exit := fx.RunExit(ctx, e)
		ended = describe(exit)
		j.mu.Lock()
		n := len(j.lines)
		j.mu.Unlock()
		time.Sleep(time.Hour)
		j.mu.Lock()
		defer j.mu.Unlock()
		if len(j.lines) != n {
			ended += " and went on afterwards"
		}
	})
	return ended, j.take()
}

func describe(e fx.Exit[int]) string {
	if e.OK() {
		return fmt.Sprint("value ", e.Value)
	}
	var parts []string
	for _, p := range e.Cause.Parts() {
		text := fmt.Sprintf("%T %v", p, p)
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}

// equal checks that two effects cannot be told apart.
func equal(t *testing.T, name string, law func(*rapid.T, *generator) (a, b fx.Effect[int])) {
	t.Run(name, func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			g := &generator{j: &journal{}}
			a, b := law(rt, g)
			after := time.Duration(rapid.IntRange(-1, 25).Draw(rt, "interrupt after"))*time.Millisecond + 500*time.Microsecond
			if after < time.Millisecond || g.alone {
				after = -1
			}
			endA, didA := observe(t, g.j, a, after)
			endB, didB := observe(t, g.j, b, after)
			if endA != endB || !slices.Equal(didA, didB) {
				rt.Fatalf("%s, %v\n%s, %v", endA, didA, endB, didB)
			}
		})
	})
}

func TestLaws(t *testing.T) {
	double := func(n int) int { return 2 * n }
	equal(t, "functor identity", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e := g.draw(t, 3)
		return fx.Map(e, func(n int) int { return n }), e
	})
	equal(t, "functor composition", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e := g.draw(t, 3)
		return fx.Map(fx.Map(e, double), func(n int) int { return n + 1 }), fx.Map(e, func(n int) int { return 2*n + 1 })
	})
	equal(t, "monad left identity", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e := g.draw(t, 3)
		f := func(n int) fx.Effect[int] { return fx.Map(e, func(m int) int { return n + m }) }
		return fx.FlatMap(fx.Succeed(7), f), f(7)
	})
	equal(t, "monad associativity", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e, f, h := g.draw(t, 2), g.draw(t, 2), g.draw(t, 2)
		then := func(x fx.Effect[int]) func(int) fx.Effect[int] { return func(int) fx.Effect[int] { return x } }
		return fx.FlatMap(fx.FlatMap(e, then(f)), then(h)), fx.FlatMap(e, func(int) fx.Effect[int] { return fx.FlatMap(f, then(h)) })
	})
	equal(t, "catch with fail is the effect", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e := g.draw(t, 3)
		return fx.Catch(e, fx.Fail[int]), e
	})
	equal(t, "catch of a failure is the handler", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e := g.draw(t, 3)
		return fx.Catch(fx.Fail[int](errB), func(error) fx.Effect[int] { return e }), e
	})
	equal(t, "map error composes", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e := g.draw(t, 3)
		f := func(err error) error { return fmt.Errorf("f %w", err) }
		return fx.MapError(fx.MapError(e, f), f), fx.MapError(e, func(err error) error { return f(f(err)) })
	})
	// Unless it is interrupted: a join ends at once then, an effect may go on.
	equal(t, "fork then join is the effect", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		g.alone = true
		e := g.draw(t, 3)
		return fx.FlatMap(fx.Fork(e), fx.Join[int]), e
	})
	equal(t, "restoring inside a mask is the effect", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e := g.draw(t, 3)
		return fx.Uninterruptible(fx.Interruptible(e)), e
	})
	equal(t, "one at a time is in turn", func(t *rapid.T, g *generator) (a, b fx.Effect[int]) {
		e, f := g.draw(t, 2), g.draw(t, 2)
		sum := func(all []int) int { return all[0] + all[1] }
		return fx.Map(fx.All(1, e, f), sum), fx.FlatMap(e, func(n int) fx.Effect[int] { return fx.Map(f, func(m int) int { return n + m }) })
	})
}

// Whatever happens, and whenever it is interrupted: what was acquired is
// released once and in reverse, nothing runs afterwards, and the exit is total.
func TestNothingLeaksUnderInterruptionAtAnyPoint(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := &generator{j: &journal{}, races: true}
		e := g.draw(rt, 4)
		after := time.Duration(rapid.IntRange(0, 40).Draw(rt, "interrupt after"))*time.Millisecond - time.Millisecond
		ended, did := observe(t, g.j, e, after)
		if ended == "" || strings.Contains(ended, "afterwards") {
			rt.Fatalf("%s", ended)
		}
		held := map[string]int{}
		for _, line := range did {
			if id, ok := strings.CutPrefix(line, "acquired "); ok {
				held[id]++
			}
			if id, ok := strings.CutPrefix(line, "released "); ok {
				held[id]--
			}
		}
		for id, n := range held {
			if n != 0 {
				rt.Fatalf("resource %s is held %d times: %v", id, n, did)
			}
		}
	})
}

func TestFinalizersRunInReverseOnEveryExit(t *testing.T) {
	j := &journal{}
	acquire := func(name string) fx.Effect[int] {
		return fx.AcquireRelease(j.say("+"+name), func(_ int, exit scope.Exit) fx.Effect[int] { return j.say(fmt.Sprint("-", name, " ", exit.OK())) })
	}
	for name, end := range map[string]fx.Effect[int]{
		"true": fx.Succeed(1), "false fail": fx.Fail[int](errA), "false die": fx.Die[int]("x"), "false interrupt": fx.Never[int](),
	} {
		e := fx.Scoped(fx.FlatMap(acquire("a"), func(int) fx.Effect[int] { return fx.FlatMap(acquire("b"), func(int) fx.Effect[int] { return end }) }))
		_, did := observe(t, j, e, time.Second)
		ok, _, _ := strings.Cut(name, " ")
		if got, want := strings.Join(did, ", "), fmt.Sprintf("+a, +b, -b %s, -a %s", ok, ok); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestRaceInterruptsAndAwaitsTheLoser(t *testing.T) {
	j := &journal{}
	slow := fx.Ensuring(fx.As(fx.Sleep(time.Hour), 1), fx.FlatMap(fx.Sleep(time.Second), func(fx.Unit) fx.Effect[int] { return j.say("loser cleaned up") }))
	fast := fx.As(fx.Sleep(time.Millisecond), 2)
	e := fx.FlatMap(fx.Race(slow, fast, fx.Fail[int](errA)), func(n int) fx.Effect[int] { return fx.As(j.say("won"), n) })
	if ended, did := observe(t, j, e, -1); ended != "value 2" || fmt.Sprint(did) != "[loser cleaned up won]" {
		t.Errorf("%s %v", ended, did)
	}
	for want, e := range map[string]fx.Effect[int]{
		"*scope.Fail a; *scope.Fail b": fx.Race(fx.Fail[int](errA), fx.FlatMap(fx.Sleep(1), func(fx.Unit) fx.Effect[int] { return fx.Fail[int](errB) })),
		"*scope.Fail a":                fx.RaceFirst(fx.Fail[int](errA), fast),
		"value 2":                      fx.RaceFirst(fast, slow),
	} {
		if ended, _ := observe(t, j, e, -1); ended != want {
			t.Errorf("%s, want %s", ended, want)
		}
	}
}

func TestAllKeepsOrderAndStopsAtTheFirstFailure(t *testing.T) {
	j := &journal{}
	after := func(ms int, e fx.Effect[int]) fx.Effect[int] {
		return fx.FlatMap(fx.Sleep(time.Duration(ms)*time.Millisecond), func(fx.Unit) fx.Effect[int] { return e })
	}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got, err := fx.Run(context.Background(), fx.All(2, after(30, fx.Succeed(1)), after(10, fx.Succeed(2)), after(10, fx.Succeed(3)), after(10, fx.Succeed(4))))
		if fmt.Sprint(got, err) != "[1 2 3 4] <nil>" || time.Since(start) != 30*time.Millisecond {
			t.Errorf("%v %v after %v", got, err, time.Since(start))
		}
	})
	e := fx.Map(fx.All(0, after(20, j.say("late")), after(10, fx.Fail[int](errA)), fx.Ensuring(fx.Never[int](), j.say("interrupted"))), func([]int) int { return 0 })
	if ended, did := observe(t, j, e, -1); ended != "*scope.Fail a" || fmt.Sprint(did) != "[interrupted]" {
		t.Errorf("%s %v", ended, did)
	}
}

func TestTimeouts(t *testing.T) {
	j := &journal{}
	second := fx.As(fx.Sleep(time.Second), 1)
	for want, e := range map[string]fx.Effect[int]{
		"*scope.Fail timed out": fx.Timeout(second, time.Millisecond),
		"value 1":               fx.Timeout(fx.Uninterruptible(second), time.Millisecond),
		"value 5":               fx.TimeoutTo(second, time.Millisecond, fx.Succeed(5)),
		"value 7":               fx.Catch(fx.Timeout(fx.Timeout(second, time.Minute), time.Millisecond), func(err error) fx.Effect[int] { return fx.Succeed(7) }),
		"*scope.Fail a":         fx.Timeout(fx.Fail[int](errA), time.Second),
	} {
		if ended, _ := observe(t, j, e, -1); ended != want {
			t.Errorf("%s, want %s", ended, want)
		}
	}
	if !errors.Is(fx.ErrTimeout, context.DeadlineExceeded) {
		t.Error("ErrTimeout")
	}
}

func TestRetryAndRepeatFollowTheirSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		start := time.Now()
		flaky := fx.Try(func(context.Context) (int, error) {
			if runs++; runs < 4 {
				return 0, errA
			}
			return runs, nil
		})
		schedule := fx.Exponential(time.Second, 2).And(fx.Recurs(5))
		if n, err := fx.Run(context.Background(), fx.Retry(flaky, schedule)); n != 4 || err != nil || time.Since(start) != 7*time.Second {
			t.Errorf("%d %v after %v, want 4 after 1+2+4 s", n, err, time.Since(start))
		}
		runs = -100
		if _, err := fx.Run(context.Background(), fx.Retry(flaky, fx.Recurs(3))); err != errA || runs != -96 {
			t.Errorf("%v after %d runs", err, runs+100)
		}
		runs = 10
		if n, err := fx.Run(context.Background(), fx.Repeat(flaky, fx.Spaced(time.Second).UpTo(3*time.Second))); n != 14 || err != nil {
			t.Errorf("%d %v", n, err)
		}
		delay, _ := fx.Spaced(time.Second).Jittered()(0, 0)
		if delay < 800*time.Millisecond || delay > 1200*time.Millisecond {
			t.Errorf("jittered %v", delay)
		}
	})
}

func TestRunReturnsOrdinaryErrors(t *testing.T) {
	if _, err := fx.Run(context.Background(), fx.Fail[int](errA)); err != errA {
		t.Errorf("%v", err)
	}
	if _, err := fx.Run(context.Background(), fx.Die[int](errA)); !scope.CauseOf(err).HasDies() || !errors.Is(err, errA) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fx.Run(ctx, fx.Never[int]()); !errors.Is(err, context.Canceled) || !scope.CauseOf(err).HasInterruptsOnly() {
		t.Errorf("%v", err)
	}
	if _, err := fx.Run(context.Background(), fx.As(fx.Fork(fx.Fail[int](errA)), 1)); err == nil {
		// The fiber may be interrupted before it fails; then there is nothing to tell.
		t.Log("interrupted first")
	}
	if _, err := fx.Run(context.Background(), fx.Effect[int]{}); !scope.CauseOf(err).HasDies() {
		t.Errorf("zero effect: %v", err)
	}
}

func TestServicesReachForkedEffects(t *testing.T) {
	type clock struct{ now int }
	read := fx.Map(fx.Service[clock](), func(c clock) int { return c.now })
	e := fx.Provide(fx.FlatMap(fx.Fork(read), fx.Join[int]), clock{42})
	if n, err := fx.Run(context.Background(), e); n != 42 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if _, err := fx.Run(context.Background(), read); err == nil || !strings.Contains(err.Error(), "fx_test.clock") {
		t.Errorf("%v", err)
	}
}

func TestInterruptedForksEndWithTheirOwnScope(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := fx.FlatMap(fx.Fork(fx.Uninterruptible(fx.As(fx.Sleep(time.Second), 3))), func(f *fx.Fiber[int]) fx.Effect[fx.Exit[int]] {
			return fx.FlatMap(fx.Sleep(time.Millisecond), func(fx.Unit) fx.Effect[fx.Exit[int]] { return fx.Interrupt(f) })
		})
		exit, err := fx.Run(context.Background(), e)
		if err != nil || exit.Value != 3 || !exit.OK() {
			t.Errorf("%+v %v", exit, err)
		}
	})
}

func TestDeferredSemaphoreRef(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, r, s := fx.NewDeferred[int](), fx.NewRef(0), fx.NewSemaphore(2)
		bump := fx.WithPermit(s, fx.Tap(r.Update(func(n int) int { return n + 1 }), func(int) fx.Effect[fx.Unit] { return fx.Sleep(time.Second) }))
		start := time.Now()
		e := fx.Zip(fx.All(0, bump, bump, bump, bump), fx.Zip(d.Succeed(9), fx.Zip(d.Fail(errA), d.Await())))
		got, err := fx.Run(context.Background(), e)
		if err != nil || time.Since(start) != 2*time.Second || fmt.Sprint(got.Second) != "{true {false 9}}" {
			t.Errorf("%+v %v after %v", got, err, time.Since(start))
		}
		if n, _ := fx.Run(context.Background(), r.Get()); n != 4 {
			t.Errorf("ref %d", n)
		}
	})
}

func BenchmarkMap(b *testing.B) {
	e := fx.Succeed(1)
	for range 100 {
		e = fx.Map(e, func(n int) int { return n + 1 })
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		e.Do(ctx)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/step")
}

func BenchmarkFlatMap(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e := fx.Succeed(1)
	for range 100 {
		e = fx.FlatMap(e, func(n int) fx.Effect[int] { return fx.Succeed(n + 1) })
	}
	b.ReportAllocs()
	for b.Loop() {
		e.Do(ctx)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/step")
}

func BenchmarkForkJoin(b *testing.B) {
	s := scope.Open(context.Background(), scope.Options{})
	defer s.Close(scope.Exit{})
	e := fx.FlatMap(fx.Fork(fx.Succeed(1)), fx.Join[int])
	b.ReportAllocs()
	for b.Loop() {
		e.Do(s.Context())
	}
}

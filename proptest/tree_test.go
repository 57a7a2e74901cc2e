package proptest

// This file defines random effects: trees that can be printed, built and observed.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"pgregory.net/rapid"
)

var (
	errA = errors.New("a")
	errB = errors.New("b")
)

// journal is what effects of a test write to, with the virtual time.
type journal struct {
	mu    sync.Mutex
	start time.Time
	lines []string
	times []time.Duration
	// steps counts what the effects do; at counts[at] the run is interrupted.
	steps, at int
	interrupt func()
}

func (j *journal) write(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
	j.times = append(j.times, time.Since(j.start))
	j.step()
}

func (j *journal) step() {
	if j.interrupt != nil && j.steps == j.at {
		j.interrupt()
	}
	j.steps++
}

// touch is a step without a line.
func (j *journal) touch() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.step()
}

func (j *journal) say(line string) fx.Effect[int] {
	return fx.Sync(func() int { j.write(line); return len(line) })
}

// tree is a random effect before it is built.
type tree struct {
	op   string
	id   int
	n    int
	wait time.Duration
	kids []*tree
}

func (t *tree) String() string {
	text := t.op
	switch t.op {
	case "sleep", "deaf", "timeout", "timeoutTo":
		text += fmt.Sprintf("[%v]", t.wait)
	case "succeed", "say", "acquire":
		text += fmt.Sprintf("[%d]", t.id)
	case "all", "retry", "repeat":
		text += fmt.Sprintf("[%d]", t.n)
	}
	if len(t.kids) == 0 {
		return text
	}
	var kids []string
	for _, k := range t.kids {
		kids = append(kids, k.String())
	}
	return text + "(" + strings.Join(kids, ", ") + ")"
}

// leaves, and how many parts the other operations have.
var (
	leafOps       = []string{"succeed", "say", "fail", "sleep", "die", "deaf", "fail wrapped"}
	sequentialOps = map[string]int{
		"map": 1, "flatMap": 2, "zip": 2, "tap": 2, "as": 1, "suspend": 1, "do": 1, "catch": 2, "catchCause": 2, "mapError": 1, "orElse": 2,
		"fold": 3, "toExit": 1, "ensuring": 2, "onExit": 1, "acquire": 1, "scoped": 1, "timeout": 1, "timeoutTo": 2,
		"retry": 1, "repeat": 1, "uninterruptible": 1, "interruptible": 1, "permit": 1, "provide": 1, "in turn": 2, "forkJoin": 1,
	}
	concurrentOps = map[string]int{"forkAwait": 1, "forkInterrupt": 1, "forkLeft": 1, "all": 3, "forEach": 2, "race": 2, "raceFirst": 2, "deferred": 1}
)

// forest draws trees. Those with concurrency have waits of their own at the start of each branch, so that what happens
// and when is determined, and only the order at one instant is not.
type forest struct {
	ids  int
	used bool // an operation that runs things at once was drawn
	ops  []string
}

func newForest(concurrent bool) *forest {
	f := &forest{}
	for op := range sequentialOps {
		f.ops = append(f.ops, op)
	}
	if concurrent {
		for op := range concurrentOps {
			f.ops = append(f.ops, op)
		}
	}
	sort.Strings(f.ops)
	return f
}

// without leaves operations out.
func (f *forest) without(ops ...string) *forest {
	f.ops = slices.DeleteFunc(f.ops, func(op string) bool { return slices.Contains(ops, op) })
	return f
}

// unique is a part of a millisecond. Sums of such parts differ, so that no two timers fire together.
func (f *forest) unique() time.Duration {
	h := uint64(f.ids) * 0x9E3779B97F4A7C15
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return time.Duration((h^h>>31)%999_983) + 1
}

func (f *forest) draw(t *rapid.T, depth int) *tree {
	f.ids++
	node := &tree{id: f.ids, n: rapid.IntRange(0, 2).Draw(t, "n"), wait: time.Duration(rapid.IntRange(1, 20).Draw(t, "ms"))*time.Millisecond + f.unique()}
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		node.op = rapid.SampledFrom(leafOps).Draw(t, "op")
		return node
	}
	node.op = rapid.SampledFrom(f.ops).Draw(t, "op")
	parts, concurrent := concurrentOps[node.op]
	if !concurrent {
		parts = sequentialOps[node.op]
	}
	f.used = f.used || concurrent
	for range parts {
		kid := f.draw(t, depth-1)
		if concurrent {
			f.ids++
			kid = &tree{op: "after", wait: f.unique() + time.Microsecond, kids: []*tree{kid}}
		}
		node.kids = append(node.kids, kid)
	}
	return node
}

type service struct{ n int }

func (t *tree) build(j *journal) fx.Effect[int] {
	kid := func(i int) fx.Effect[int] {
		e := t.kids[i].build(j)
		return fx.Suspend(func() fx.Effect[int] { j.touch(); return e })
	}
	add := func(n int) int { return n + t.id }
	switch t.op {
	case "succeed":
		return fx.Succeed(t.id)
	case "say":
		return j.say(fmt.Sprint("did ", t.id))
	case "fail":
		return fx.Fail[int](errA)
	case "fail wrapped":
		return fx.Fail[int](fmt.Errorf("%d: %w", t.id, errB))
	case "die":
		return fx.Die[int](fmt.Sprint("defect ", t.id))
	case "sleep":
		return fx.As(fx.Sleep(t.wait), t.id)
	case "deaf":
		return fx.Try(func(ctx context.Context) (int, error) { time.Sleep(t.wait); return t.id, ctx.Err() })
	case "after":
		e := kid(0)
		return fx.FlatMap(fx.Sleep(t.wait), func(fx.Unit) fx.Effect[int] { return e })
	case "map":
		return fx.Map(kid(0), add)
	case "as":
		return fx.As(kid(0), t.id)
	case "flatMap":
		return fx.FlatMap(kid(0), func(n int) fx.Effect[int] { return fx.Map(kid(1), func(m int) int { return n + m }) })
	case "zip":
		return fx.Map(fx.Zip(kid(0), kid(1)), func(p fx.Pair[int, int]) int { return p.First - p.Second })
	case "tap":
		return fx.Tap(kid(0), func(int) fx.Effect[int] { return kid(1) })
	case "suspend":
		return fx.Suspend(func() fx.Effect[int] { return kid(0) })
	case "do":
		return fx.Try(kid(0).Do)
	case "catch":
		return fx.Catch(kid(0), func(err error) fx.Effect[int] { return fx.Map(kid(1), func(n int) int { return n + len(err.Error()) }) })
	case "catchCause":
		return fx.CatchCause(kid(0), func(c *scope.Cause) fx.Effect[int] { return kid(1) })
	case "mapError":
		return fx.MapError(kid(0), func(err error) error { return fmt.Errorf("%d %w", t.id, err) })
	case "orElse":
		return fx.OrElse(kid(0), kid(1))
	case "fold":
		return fx.Fold(kid(0), func(error) fx.Effect[int] { return kid(1) }, func(int) fx.Effect[int] { return kid(2) })
	case "toExit":
		return fx.Map(fx.ToExit(kid(0)), func(x fx.Exit[int]) int { return len(x.Cause.Parts())*1000 + x.Value })
	case "ensuring":
		return fx.Ensuring(kid(0), kid(1))
	case "onExit":
		return fx.OnExit(kid(0), func(x fx.Exit[int]) fx.Effect[int] { return j.say(fmt.Sprintf("exit %d %v", t.id, x.OK())) })
	case "acquire":
		return fx.Scoped(fx.FlatMap(t.resource(j, 1), func(int) fx.Effect[int] {
			return fx.FlatMap(t.resource(j, 2), func(int) fx.Effect[int] { return kid(0) })
		}))
	case "scoped":
		return fx.Scoped(kid(0))
	case "timeout":
		return fx.Timeout(kid(0), t.wait)
	case "timeoutTo":
		return fx.TimeoutTo(kid(0), t.wait, kid(1))
	case "retry":
		return fx.Retry(kid(0), fx.Recurs(t.n))
	case "repeat":
		return fx.Repeat(kid(0), fx.Spaced(t.wait).And(fx.Recurs(t.n)))
	case "uninterruptible":
		return fx.Uninterruptible(kid(0))
	case "interruptible":
		return fx.Interruptible(kid(0))
	case "permit":
		permits := fx.NewSemaphore(1)
		return fx.WithPermit(permits, fx.FlatMap(kid(0), func(n int) fx.Effect[int] { return fx.Succeed(n) }))
	case "provide":
		return fx.Provide(fx.FlatMap(fx.Service[service](), func(s service) fx.Effect[int] { return fx.Map(kid(0), func(n int) int { return n + s.n }) }), service{t.id})
	case "in turn":
		return fx.Map(fx.All(1, kid(0), kid(1)), func(all []int) int { return all[0]*3 + all[1] })
	case "forkJoin":
		return fx.FlatMap(fx.Fork(kid(0)), fx.Join[int])
	case "forkAwait":
		return fx.Map(fx.FlatMap(fx.Fork(kid(0)), fx.Await[int]), func(x fx.Exit[int]) int { return x.Value })
	case "forkInterrupt":
		return fx.Map(fx.FlatMap(fx.Fork(kid(0)), fx.Interrupt[int]), func(x fx.Exit[int]) int { return x.Value })
	case "forkLeft":
		return fx.As(fx.Fork(kid(0)), t.id)
	case "all":
		return fx.Map(fx.All(t.n, kid(0), kid(1), kid(2)), func(all []int) int { return all[0]*9 + all[1]*3 + all[2] })
	case "forEach":
		return fx.Map(fx.ForEach(t.n, []int{0, 1}, kid), func(all []int) int { return all[0] * all[1] })
	case "race":
		return fx.Race(kid(0), kid(1))
	case "raceFirst":
		return fx.RaceFirst(kid(0), kid(1))
	case "deferred":
		return fx.Suspend(func() fx.Effect[int] {
			d := fx.NewDeferred[int]()
			set := fx.FlatMap(fx.ToExit(kid(0)), d.Complete)
			// An interrupted scope refuses to fork; then nobody sets it.
			return fx.FlatMap(fx.Fork(set), func(f *fx.Fiber[bool]) fx.Effect[int] {
				return fx.FlatMap(fx.Join(f), func(bool) fx.Effect[int] { return d.Await() })
			})
		})
	}
	panic("no operation " + t.op)
}

// resource is acquired and released with a line each.
func (t *tree) resource(j *journal, n int) fx.Effect[int] {
	name := fmt.Sprintf("%d.%d", t.id, n)
	return fx.AcquireRelease(j.say("acquired "+name), func(int, scope.Exit) fx.Effect[fx.Unit] {
		return fx.FlatMap(j.say("released "+name), func(int) fx.Effect[fx.Unit] { return fx.Sleep(time.Millisecond) })
	})
}

// observation is all that can be seen of a run.
type observation struct {
	ended string
	did   []string
	took  time.Duration
	steps int
}

func (o observation) String() string {
	return fmt.Sprintf("%s after %v, did %q", o.ended, o.took, o.did)
}

// observe runs e in virtual time, interrupted from outside after a time that is not negative or, in step mode, at a step
// of the journal.
func observe(t *rapid.T, e func(*journal) fx.Effect[int], after time.Duration, step int) (o observation) {
	rapid.SyncTest(t, func(t *rapid.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		j := &journal{start: time.Now()}
		if step >= 0 {
			j.at, j.interrupt = step, cancel
		}
		if after >= 0 {
			defer time.AfterFunc(after, cancel).Stop()
		}
		exit := fx.RunExit(ctx, e(j))
		o.took = time.Since(j.start)
		j.mu.Lock()
		o.did, o.steps = j.timed(), j.steps
		j.mu.Unlock()
		o.ended = describe(exit)
		time.Sleep(time.Hour)
		synctest.Wait()
		if j.steps != o.steps {
			t.Fatalf("it went on after its end: %v", j.lines)
		}
	})
	return o
}

// timed are the lines with their times, in order.
func (j *journal) timed() []string {
	var out []string
	for i, line := range j.lines {
		out = append(out, fmt.Sprintf("%v %s", j.times[i], line))
	}
	return out
}

// unordered forgets the order at one instant.
func (o observation) unordered() observation {
	o.did = slices.Clone(o.did)
	slices.Sort(o.did)
	parts := strings.Split(o.ended, "; ")
	slices.Sort(parts)
	o.ended = strings.Join(parts, "; ")
	return o
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

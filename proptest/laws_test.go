package proptest

// This file defines the laws that say two effects cannot be told apart.

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"pgregory.net/rapid"
)

type effect = fx.Effect[int]

// law is a pair of effects made of random ones.
type law struct {
	name string
	// trees is how many random effects the law is about.
	trees int
	// alone: the law holds unless the effect is interrupted from outside.
	alone bool
	// ordered: the law is about effects in which nothing runs at once.
	ordered bool
	pair    func(j *journal, e []effect, n int) (a, b effect)
}

func double(n int) int { return 2 * n }

func constant(e effect) func(int) effect { return func(int) effect { return e } }

func handled(e effect) func(error) effect { return func(error) effect { return e } }

func plus(e effect, n int) effect { return fx.Map(e, func(m int) int { return n + m }) }

func wrap(err error) error { return fmt.Errorf("wrapped %w", err) }

const ages = 10000 * time.Hour

var laws = []law{
	{name: "functor identity", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Map(e[0], func(n int) int { return n }), e[0]
	}},
	{name: "functor composition", trees: 1, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		return fx.Map(fx.Map(e[0], double), func(m int) int { return m + n }), fx.Map(e[0], func(m int) int { return 2*m + n })
	}},
	{name: "monad left identity", trees: 1, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		f := func(n int) effect { return plus(e[0], n) }
		return fx.FlatMap(fx.Succeed(n), f), f(n)
	}},
	{name: "monad right identity", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.FlatMap(e[0], fx.Succeed[int]), e[0]
	}},
	{name: "monad associativity", trees: 3, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		f := func(n int) effect { return plus(e[1], n) }
		g := func(n int) effect { return plus(e[2], n) }
		return fx.FlatMap(fx.FlatMap(e[0], f), g), fx.FlatMap(e[0], func(n int) effect { return fx.FlatMap(f(n), g) })
	}},
	{name: "as is a constant map", trees: 1, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		return fx.As(e[0], n), fx.Map(e[0], func(int) int { return n })
	}},
	{name: "zip is flatMap and map", trees: 2, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Map(fx.Zip(e[0], e[1]), func(p fx.Pair[int, int]) int { return p.First*7 + p.Second }),
			fx.FlatMap(e[0], func(n int) effect { return fx.Map(e[1], func(m int) int { return n*7 + m }) })
	}},
	{name: "tap keeps the result", trees: 2, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Tap(e[0], constant(e[1])), fx.FlatMap(e[0], func(n int) effect { return fx.As(e[1], n) })
	}},
	{name: "suspend is the effect", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Suspend(func() effect { return e[0] }), e[0]
	}},
	{name: "try of do is the effect", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Try(e[0].Do), e[0]
	}},
	{name: "catch with fail is the effect", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Catch(e[0], fx.Fail[int]), e[0]
	}},
	{name: "catch of a failure is the handler", trees: 1, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		return fx.Catch(fx.Fail[int](errB), handled(e[0])), e[0]
	}},
	{name: "catch of a success is the success", trees: 1, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		return fx.Catch(fx.Succeed(n), handled(e[0])), fx.Succeed(n)
	}},
	{name: "catch of a defect is the defect", trees: 1, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		return fx.Catch(fx.Die[int](n), handled(e[0])), fx.Die[int](n)
	}},
	{name: "catch associativity", trees: 3, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		return fx.Catch(fx.Catch(e[0], handled(e[1])), handled(e[2])), fx.Catch(e[0], func(error) effect { return fx.Catch(e[1], handled(e[2])) })
	}},
	{name: "mapError identity", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.MapError(e[0], func(err error) error { return err }), e[0]
	}},
	{name: "mapError composition", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.MapError(fx.MapError(e[0], wrap), wrap), fx.MapError(e[0], func(err error) error { return wrap(wrap(err)) })
	}},
	{name: "orElse is a constant catch", trees: 2, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.OrElse(e[0], e[1]), fx.Catch(e[0], handled(e[1]))
	}},
	{name: "fold of a success and of a failure", trees: 2, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		fold := func(x effect) effect { return fx.Fold(x, handled(e[0]), constant(e[1])) }
		return both(fold(fx.Fail[int](errA)), fold(fx.Succeed(n))), both(e[0], e[1])
	}},
	{name: "catchCause with the same cause is the effect", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.CatchCause(e[0], func(c *scope.Cause) effect { return fx.Fail[int](c) }), e[0]
	}},
	{name: "an exit taken apart is the effect", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.FlatMap(fx.ToExit(e[0]), func(x fx.Exit[int]) effect {
			return fx.Try(func(context.Context) (int, error) { return x.Result() })
		}), e[0]
	}},
	{name: "toExit never fails", trees: 1, alone: true, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		return fx.As(fx.ToExit(e[0]), n), fx.CatchCause(fx.As(e[0], n), func(*scope.Cause) effect { return fx.Succeed(n) })
	}},
	{name: "ensuring nothing is the effect", trees: 1, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		return fx.Ensuring(e[0], fx.Succeed(n)), e[0]
	}},
	{name: "ensuring is a constant onExit", trees: 2, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Ensuring(e[0], e[1]), fx.OnExit(e[0], func(fx.Exit[int]) effect { return e[1] })
	}},
	{name: "a failure of a finalizer is not lost", trees: 1, alone: true, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		failing := fx.Ensuring(fx.Ensuring(e[0], fx.Fail[int](errB)), fx.Fail[int](errA))
		return failing, fx.FlatMap(fx.ToExit(e[0]), func(x fx.Exit[int]) effect {
			return fx.Fail[int](scope.NewCause(scope.Exit{Cause: x.Cause}.Err(), errB, errA))
		})
	}},
	{name: "a scope without resources is the effect", trees: 1, ordered: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Scoped(e[0]), e[0]
	}},
	{name: "fork then join is the effect", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.FlatMap(fx.Fork(e[0]), fx.Join[int]), e[0]
	}},
	{name: "a timeout that does not come is the effect", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Timeout(e[0], ages), e[0]
	}},
	{name: "timeout of never is the other effect", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		wait := 3*time.Millisecond + 77
		return fx.TimeoutTo(fx.Never[int](), wait, e[0]), fx.FlatMap(fx.Sleep(wait), func(fx.Unit) effect { return e[0] })
	}},
	{name: "one at a time is in turn", trees: 3, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		sum := func(all []int) int { return all[0] + 3*all[1] + 9*all[2] }
		return fx.Map(fx.All(1, e...), sum), fx.FlatMap(e[0], func(x int) effect {
			return fx.FlatMap(e[1], func(y int) effect { return fx.Map(e[2], func(z int) int { return x + 3*y + 9*z }) })
		})
	}},
	{name: "all at once is as many at a time", trees: 3, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		sum := func(all []int) int { return all[0] + 3*all[1] + 9*all[2] }
		spread := spread(e)
		return fx.Map(fx.All(0, spread...), sum), fx.Map(fx.All(3, spread...), sum)
	}},
	{name: "forEach is all of a map", trees: 2, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		sum := func(all []int) int { return all[0] + 3*all[1] }
		spread := spread(e)
		return fx.Map(fx.ForEach(2, []int{0, 1}, func(i int) effect { return spread[i] }), sum), fx.Map(fx.All(2, spread...), sum)
	}},
	{name: "a race of one is the effect", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Race(e[0]), e[0]
	}},
	{name: "never loses the race", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.RaceFirst(e[0], fx.Never[int]()), e[0]
	}},
	{name: "a race is symmetric", trees: 2, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		spread := spread(e)
		return fx.Race(spread[0], spread[1]), fx.Race(spread[1], spread[0])
	}},
	{name: "retry is orElse again", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Retry(e[0], fx.Recurs(2)), fx.OrElse(e[0], checked(fx.OrElse(e[0], checked(e[0]))))
	}},
	{name: "repeat is flatMap again", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Repeat(e[0], fx.Recurs(2)), fx.FlatMap(e[0], constant(fx.FlatMap(e[0], constant(e[0]))))
	}},
	{name: "a mask without interruption is the effect", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Uninterruptible(e[0]), e[0]
	}},
	{name: "a mask in a mask is the mask", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Uninterruptible(fx.Uninterruptible(e[0])), fx.Uninterruptible(e[0])
	}},
	{name: "restoring inside a mask is the effect", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Uninterruptible(fx.Interruptible(e[0])), e[0]
	}},
	{name: "restoring outside a mask is the effect", trees: 1, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Interruptible(e[0]), e[0]
	}},
	{name: "a free permit is the effect", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		permits := fx.NewSemaphore(1)
		return fx.WithPermit(permits, e[0]), e[0]
	}},
	{name: "a permit comes back", trees: 2, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		permits := fx.NewSemaphore(1)
		return fx.CatchCause(fx.WithPermit(permits, e[0]), func(*scope.Cause) effect { return fx.WithPermit(permits, e[1]) }),
			fx.CatchCause(e[0], func(*scope.Cause) effect { return e[1] })
	}},
	{name: "a service is the innermost one provided", trees: 1, pair: func(_ *journal, e []effect, n int) (a, b effect) {
		inner := fx.FlatMap(fx.Service[service](), func(s service) effect { return plus(e[0], s.n) })
		return fx.Provide(fx.Provide(inner, service{n}), service{n + 1}), plus(e[0], n)
	}},
	{name: "a deferred is the exit it was given", trees: 1, alone: true, pair: func(_ *journal, e []effect, _ int) (a, b effect) {
		return fx.Suspend(func() effect {
			d := fx.NewDeferred[int]()
			set := fx.FlatMap(fx.ToExit(e[0]), d.Complete)
			return fx.FlatMap(set, func(bool) effect { return fx.FlatMap(d.Succeed(-1), func(bool) effect { return d.Await() }) })
		}), e[0]
	}},
}

// spread has a wait of its own before each effect.
func spread(e []effect) []effect {
	var out []effect
	for i, x := range e {
		out = append(out, fx.FlatMap(fx.Sleep(time.Duration(i*37+11)*time.Nanosecond), func(fx.Unit) effect { return x }))
	}
	return out
}

// checked does not start e when it is interrupted, as loops do not.
func checked(e effect) effect { return fx.FlatMap(fx.Succeed(0), constant(e)) }

// TestLaw checks each law on random effects, interrupted at random times, for the exit, the side effects and their
// order, the finalizers and the time it took.
func TestLaw(t *testing.T) {
	for _, l := range laws {
		t.Run(l.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				f, interrupted := newForest(!l.ordered && rapid.Bool().Draw(t, "concurrent")), !l.alone && rapid.Bool().Draw(t, "interrupted")
				if interrupted {
					// Whether these see their own interruption or the end of what they wait for is open.
					f.without("race", "raceFirst", "forkAwait", "forkInterrupt", "deferred")
				}
				var trees []*tree
				for i := range l.trees {
					trees = append(trees, f.draw(t, rapid.IntRange(0, 3).Draw(t, "depth")))
					t.Logf("e%d = %v", i, trees[i])
				}
				n, after := rapid.IntRange(-5, 5).Draw(t, "n"), time.Duration(-1)
				if interrupted {
					after = time.Duration(rapid.IntRange(0, 30_000).Draw(t, "µs"))*time.Microsecond + 1
				}
				side := func(second bool) observation {
					return observe(t, func(j *journal) effect {
						var e []effect
						for _, tree := range trees {
							e = append(e, tree.build(j))
						}
						a, b := l.pair(j, e, n)
						if second {
							return b
						}
						return a
					}, after, -1)
				}
				a, b := side(false), side(true)
				if f.used || strings.Contains(l.name, "at once") {
					a, b = a.unordered(), b.unordered()
				}
				if a.ended != b.ended || fmt.Sprint(a.did) != fmt.Sprint(b.did) || a.took != b.took {
					t.Fatalf("interrupted after %v\n%v\n%v", after, a, b)
				}
			})
		})
	}
}

func both(a, b effect) effect {
	return fx.Map(fx.Zip(a, b), func(p fx.Pair[int, int]) int { return p.First + 5*p.Second })
}

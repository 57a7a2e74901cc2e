package proptest

// This file defines the laws of what runs several effects at once, against small models of them.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"pgregory.net/rapid"
)

// runner is an effect with a script: it takes a time, fails or not, takes a time to clean up if it is interrupted, and
// may be masked.
type runner struct {
	ID      int
	Takes   time.Duration
	Cleanup time.Duration
	Fails   bool
	Masked  bool
}

func drawRunners(t *rapid.T, least, most int) []runner {
	all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) runner {
		return runner{
			Takes:   time.Duration(rapid.IntRange(1, 30).Draw(t, "takes")) * time.Millisecond,
			Cleanup: time.Duration(rapid.IntRange(0, 30).Draw(t, "cleanup")) * time.Millisecond,
			Fails:   rapid.IntRange(0, 3).Draw(t, "fails") == 0,
			Masked:  rapid.IntRange(0, 3).Draw(t, "masked") == 0,
		}
	}), least, most).Draw(t, "runners")
	for i := range all {
		all[i].ID = i
		// No two sums of these are equal, so that no two runners end at the same instant, one after others or not.
		all[i].Takes += time.Microsecond << i
	}
	return all
}

type runnerError int

func (e runnerError) Error() string { return fmt.Sprint("runner ", int(e)) }

func (r runner) effect(j *journal) effect {
	e := fx.FlatMap(fx.Sleep(r.Takes), func(fx.Unit) effect {
		j.write(fmt.Sprint("done ", r.ID))
		if r.Fails {
			return fx.Fail[int](runnerError(r.ID))
		}
		return fx.Succeed(r.ID)
	})
	if r.Masked {
		e = fx.Uninterruptible(e)
	}
	return fx.OnExit(e, func(x fx.Exit[int]) fx.Effect[fx.Unit] {
		if !x.Cause.HasInterrupts() {
			return fx.Succeed(fx.Unit{})
		}
		var i *scope.Interrupt
		errors.As(x.Cause, &i)
		j.write(fmt.Sprintf("interrupted %d: %v", r.ID, i.Reason))
		return fx.FlatMap(fx.Sleep(r.Cleanup), func(fx.Unit) fx.Effect[fx.Unit] {
			return fx.Sync(func() fx.Unit { j.write(fmt.Sprint("cleaned ", r.ID)); return fx.Unit{} })
		})
	})
}

// ends says when a runner that began at a time is over if it is interrupted at another, and what it wrote.
func (r runner) ends(began, interrupted time.Duration) (over time.Duration, finished bool) {
	if natural := began + r.Takes; r.Masked || natural <= interrupted {
		return natural, true
	}
	return interrupted + r.Cleanup, false
}

func TestRaceInterruptsAndAwaitsTheLosers(t *testing.T) {
	for _, first := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			all := drawRunners(t, 1, 5)
			// The model: the winner is the first that ends (well), then all others are interrupted and awaited.
			order := slices.Clone(all)
			slices.SortFunc(order, func(a, b runner) int { return int(a.Takes - b.Takes) })
			winner, decided := -1, order[len(order)-1].Takes
			for _, r := range order {
				if first || !r.Fails {
					winner, decided = r.ID, r.Takes
					break
				}
			}
			want, took := []string{}, decided
			for _, r := range all {
				over, finished := r.ends(0, decided)
				took = max(took, over)
				if finished {
					want = append(want, fmt.Sprint("done ", r.ID))
				} else {
					want = append(want, fmt.Sprintf("interrupted %d: race lost", r.ID), fmt.Sprint("cleaned ", r.ID))
				}
			}
			slices.Sort(want)
			o := observe(t, func(j *journal) effect {
				var effects []effect
				for _, r := range all {
					effects = append(effects, r.effect(j))
				}
				if first {
					return fx.RaceFirst(effects...)
				}
				return fx.Race(effects...)
			}, -1, -1)
			got := o.lines()
			slices.Sort(got)
			ended := fmt.Sprint("value ", winner)
			switch {
			case winner < 0:
				ended = ""
				for i, r := range order {
					if i > 0 {
						ended += "; "
					}
					ended += fmt.Sprint("*scope.Fail runner ", r.ID)
				}
			case all[winner].Fails:
				ended = fmt.Sprint("*scope.Fail runner ", winner)
			}
			if o.ended != ended || o.took != took || !slices.Equal(got, want) {
				t.Fatalf("%v\nwant %s after %v, did %v", o, ended, took, want)
			}
		})
	}
}

func TestRaceAwaitsADeafLoserOnlyUpToTheGrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rapid.SyncTest(t, func(t *rapid.T) {
			grace := time.Duration(rapid.IntRange(1, 50).Draw(t, "grace"))*time.Millisecond + 1
			deaf := time.Duration(rapid.IntRange(1, 100).Draw(t, "deaf")) * time.Millisecond
			s := scope.Open(context.Background(), scope.Options{Grace: grace})
			start := time.Now()
			loser := fx.Try(func(context.Context) (int, error) { time.Sleep(deaf); return 1, nil })
			won, err := fx.RaceFirst(fx.As(fx.Sleep(time.Microsecond), 2), loser).Do(s.Context())
			if took, want := time.Since(start), min(deaf, time.Microsecond+grace); won != 2 || err != nil || took != want {
				t.Fatalf("%d %v after %v, want %v", won, err, took, want)
			}
			s.Close(scope.Exit{})
			if abandoned := s.Abandoned(); (deaf > grace+time.Microsecond) != (len(abandoned) == 1 && abandoned[0] == "race") {
				t.Fatalf("abandoned %v", abandoned)
			}
			time.Sleep(time.Second)
			synctest.Wait()
		})
	})
}

func TestAllKeepsOrderStopsAtTheFirstFailureAndInterruptsSiblings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawRunners(t, 0, 7)
		n := rapid.IntRange(0, 4).Draw(t, "at a time")
		ended, took, want := modelOfAll(all, n)
		o := observe(t, func(j *journal) effect {
			return fx.Map(fx.ForEach(n, all, func(r runner) effect { return r.effect(j) }), func(got []int) int {
				j.write(fmt.Sprint(got))
				return len(got)
			})
		}, -1, -1)
		got := o.lines()
		slices.Sort(got)
		if o.ended != ended || o.took != took || !slices.Equal(got, want) {
			t.Fatalf("%v\nwant %s after %v, did %v", o, ended, took, want)
		}
	})
}

// modelOfAll plays n workers that take the next runner when they are free.
func modelOfAll(all []runner, n int) (ended string, took time.Duration, did []string) {
	if n == 0 || n > len(all) {
		n = len(all)
	}
	type run struct {
		runner
		began time.Duration
	}
	var runs []run
	free := make([]time.Duration, n)
	failedAt, failed := time.Duration(1<<62), -1
	for _, r := range all {
		w := 0
		for i := range free {
			if free[i] < free[w] {
				w = i
			}
		}
		if free[w] >= failedAt {
			break
		}
		runs = append(runs, run{r, free[w]})
		free[w] += r.Takes
		if r.Fails && free[w] < failedAt {
			failedAt, failed = free[w], r.ID
		}
	}
	for _, r := range runs {
		if r.began >= failedAt {
			continue
		}
		over, finished := r.ends(r.began, failedAt)
		took = max(took, over)
		if finished {
			did = append(did, fmt.Sprint("done ", r.ID))
		} else {
			did = append(did, fmt.Sprintf("interrupted %d: scope closed", r.ID), fmt.Sprint("cleaned ", r.ID))
		}
	}
	if failed >= 0 {
		slices.Sort(did)
		return fmt.Sprint("*scope.Fail runner ", failed), took, did
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	did = append(did, fmt.Sprint(order))
	slices.Sort(did)
	return fmt.Sprint("value ", len(all)), took, did
}

func TestTimeoutOfAMaskedRegionWaitsForIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRunners(t, 1, 1)[0]
		limit := time.Duration(rapid.IntRange(1, 40).Draw(t, "limit")) * time.Millisecond
		over, finished := r.ends(0, limit)
		want := "*scope.Fail timed out"
		switch {
		case finished && r.Fails:
			want = "*scope.Fail runner 0"
		case finished:
			want = "value 0"
		}
		o := observe(t, func(j *journal) effect { return fx.Timeout(r.effect(j), limit) }, -1, -1)
		if o.ended != want || o.took != over || !finished && o.lines()[0] != "interrupted 0: timeout" {
			t.Fatalf("%v, want %s after %v", o, want, over)
		}
		if !errors.Is(fx.ErrTimeout, context.DeadlineExceeded) {
			t.Fatal("ErrTimeout")
		}
	})
}

func TestSchedulesDelayAsTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := time.Duration(rapid.IntRange(1, 2000).Draw(t, "base")) * time.Millisecond
		factor := float64(rapid.IntRange(1, 4).Draw(t, "factor"))
		recurs := rapid.IntRange(0, 6).Draw(t, "recurs")
		upTo := time.Duration(rapid.IntRange(1, 20_000).Draw(t, "up to"))*time.Millisecond + 1
		kind := rapid.SampledFrom([]string{"recurs", "spaced", "exponential"}).Draw(t, "kind")
		jittered, bounded := rapid.Bool().Draw(t, "jittered"), rapid.Bool().Draw(t, "bounded")
		s := map[string]fx.Schedule{"recurs": fx.Recurs(9), "spaced": fx.Spaced(base), "exponential": fx.Exponential(base, factor)}[kind]
		if jittered {
			s = s.Jittered()
		}
		s = s.And(fx.Recurs(recurs))
		if bounded {
			s = s.UpTo(upTo)
		}
		failing := rapid.Bool().Draw(t, "failing")
		rapid.SyncTest(t, func(t *rapid.T) {
			var at []time.Duration
			start := time.Now()
			e := fx.Try(func(context.Context) (int, error) {
				at = append(at, time.Since(start))
				if failing {
					return 0, errA
				}
				return 1, nil
			})
			if failing {
				e = fx.Retry(e, s)
			} else {
				e = fx.Repeat(e, s)
			}
			if _, err := fx.Run(context.Background(), e); (err != nil) != failing {
				t.Fatal(err)
			}
			delay := map[string]time.Duration{"recurs": 0, "spaced": base, "exponential": base}[kind]
			for i := 1; i < len(at); i++ {
				gap := float64(at[i] - at[i-1])
				if low, high := float64(delay)*0.8, float64(delay)*1.2; gap < low-1 || gap > high+1 || !jittered && gap != float64(delay) {
					t.Fatalf("%d. delay %v, want %v", i, time.Duration(gap), delay)
				}
				if kind == "exponential" {
					delay = min(time.Hour, time.Duration(float64(delay)*factor))
				}
				if bounded && at[i-1] >= upTo {
					t.Fatalf("went on at %v, after %v", at[i-1], upTo)
				}
			}
			if !bounded && len(at) != recurs+1 || len(at) > recurs+1 || bounded && len(at) <= recurs && at[len(at)-1] < upTo {
				t.Fatalf("%d runs, the last at %v", len(at), at[len(at)-1])
			}
		})
	})
}

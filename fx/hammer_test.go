package fx_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/fx"
)

// TestHammer uses all that fibers share from many at once, in real time, while they are interrupted at random. It is for
// the race detector, and checks what must be whole at the end.
func TestHammer(t *testing.T) {
	const workers, rounds = 16, 60
	permits, count := fx.NewSemaphore(3), fx.NewRef(0)
	var inside, bumped atomic.Int64
	bump := fx.WithPermit(permits, fx.Try(func(ctx context.Context) (int, error) {
		if n := inside.Add(1); n > 3 {
			t.Errorf("%d hold one of 3 permits", n)
		}
		defer inside.Add(-1)
		defer bumped.Add(1)
		return count.Update(func(n int) int { return n + 1 }).Do(ctx)
	}))
	round := fx.Suspend(func() fx.Effect[int] {
		first := fx.NewDeferred[int]()
		set := func(n int) fx.Effect[bool] { return first.Succeed(n) }
		racing := fx.Race(bump, fx.As(fx.Sleep(time.Microsecond), 1), fx.Timeout(fx.Never[int](), time.Microsecond))
		return fx.FlatMap(fx.All(0, set(1), set(2), fx.FlatMap(racing, set)), func(won []bool) fx.Effect[int] {
			winners := 0
			for _, w := range won {
				if w {
					winners++
				}
			}
			if winners != 1 {
				t.Errorf("%d set a deferred", winners)
			}
			return first.Await()
		})
	})
	one := fx.Repeat(round, fx.Recurs(rounds))
	all := make([]fx.Effect[int], workers)
	for i := range all {
		all[i] = one
		if i%4 == 0 { // these are interrupted on the way
			all[i] = fx.FlatMap(fx.Fork(one), func(f *fx.Fiber[int]) fx.Effect[int] {
				return fx.FlatMap(fx.Sleep(time.Millisecond), func(fx.Unit) fx.Effect[int] { return fx.As(fx.Interrupt(f), 0) })
			})
		}
	}
	if exit := fx.RunExit(context.Background(), fx.All(0, all...)); !exit.OK() {
		t.Fatal(exit.Cause.Pretty())
	}
	if n, _ := count.Get().Do(context.Background()); int64(n) != bumped.Load() || n == 0 {
		t.Errorf("counted %d of %d", n, bumped.Load())
	}
	three := fx.All(0, fx.WithPermit(permits, fx.Sleep(1)), fx.WithPermit(permits, fx.Sleep(1)), fx.WithPermit(permits, fx.Sleep(1)))
	if _, err := fx.Run(context.Background(), fx.Timeout(three, 10*time.Second)); err != nil {
		t.Error("a permit was lost: ", err)
	}
}

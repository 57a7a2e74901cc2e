package fx_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
)

// The plain ones: what an ordinary function becomes, and how results go on.
func ExampleTry() {
	length := fx.Try(func(ctx context.Context) (int, error) { return len("four"), ctx.Err() })
	both := fx.Zip(length, fx.Sync(func() string { return "and text" }))
	logged := fx.Tap(both, func(p fx.Pair[int, string]) fx.Effect[fx.Unit] {
		fmt.Println("saw", p.First)
		return fx.Succeed(fx.Unit{})
	})
	fmt.Println(fx.Run(context.Background(), logged))
	// Output:
	// saw 4
	// {4 and text} <nil>
}

// A failure can be replaced, turned into a result, or looked at as an exit.
func ExampleFold() {
	failing := fx.Fail[int](errors.New("no route"))
	fmt.Println(fx.Run(context.Background(), fx.OrElse(failing, fx.Succeed(1))))
	fmt.Println(fx.Run(context.Background(), fx.MapError(failing, func(err error) error { return fmt.Errorf("dialling: %w", err) })))
	fmt.Println(fx.Run(context.Background(), fx.Fold(failing,
		func(err error) fx.Effect[string] { return fx.Succeed("failed: " + err.Error()) },
		func(n int) fx.Effect[string] { return fx.Succeed("fine") })))
	exit, _ := fx.Run(context.Background(), fx.ToExit(fx.Die[int]("a defect")))
	fmt.Println(exit.OK(), exit.Cause.HasDies())
	// Output:
	// 1 <nil>
	// 0 dialling: no route
	// failed: no route <nil>
	// false true
}

func ExampleCatchCause() {
	broken := fx.Die[string]("nil map")
	e := fx.CatchCause(broken, func(c *scope.Cause) fx.Effect[string] { return fx.Succeed("survived " + c.Error()) })
	fmt.Println(fx.Run(context.Background(), e))
	// Output: survived panic: nil map <nil>
}

// What must happen in the end happens however the effect ends, and interruption does not reach it.
func ExampleOnExit() {
	e := fx.OnExit(fx.Fail[int](errors.New("disk full")), func(x fx.Exit[int]) fx.Effect[fx.Unit] {
		return fx.Sync(func() fx.Unit { fmt.Println("ok:", x.OK()); return fx.Unit{} })
	})
	fmt.Println(fx.Run(context.Background(), fx.Ensuring(e, fx.Sync(func() fx.Unit { fmt.Println("and then"); return fx.Unit{} }))))
	// Output:
	// ok: false
	// and then
	// 0 disk full
}

func ExampleRetry() {
	tries := 0
	flaky := fx.Try(func(context.Context) (string, error) {
		if tries++; tries < 3 {
			return "", errors.New("busy")
		}
		return fmt.Sprint("after ", tries), nil
	})
	schedule := fx.Exponential(time.Microsecond, 2).Jittered().And(fx.Recurs(5)).UpTo(time.Minute)
	fmt.Println(fx.Run(context.Background(), fx.Retry(flaky, schedule)))
	fmt.Println(fx.Run(context.Background(), fx.Repeat(flaky, fx.Spaced(time.Microsecond).And(fx.Recurs(2)))))
	// Output:
	// after 3 <nil>
	// after 6 <nil>
}

func ExampleTimeout() {
	slow := fx.As(fx.Sleep(time.Hour), "result")
	_, err := fx.Run(context.Background(), fx.Timeout(slow, time.Millisecond))
	fmt.Println(err, errors.Is(err, context.DeadlineExceeded))
	fmt.Println(fx.Run(context.Background(), fx.TimeoutTo(slow, time.Millisecond, fx.Succeed("cached"))))
	// Output:
	// timed out true
	// cached <nil>
}

// Inside a mask nothing is interrupted but what asks for it.
func ExampleUninterruptible() {
	commit := fx.Uninterruptible(fx.FlatMap(
		fx.ToExit(fx.Interruptible(fx.Never[int]())), // waiting may be cut short
		func(fx.Exit[int]) fx.Effect[string] { return fx.Succeed("written") }))
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	fmt.Println(commit.Do(ctx))
	// Output: written <nil>
}

func ExampleAll() {
	ages := fx.All(2, fx.Succeed(31), fx.Succeed(28), fx.Succeed(45)) // two at a time
	fmt.Println(fx.Run(context.Background(), ages))
	_, err := fx.Run(context.Background(), fx.All(0, fx.Never[int](), fx.Fail[int](errors.New("the first failure ends it"))))
	fmt.Println(err)
	// Output:
	// [31 28 45] <nil>
	// the first failure ends it
}

// Fibers wait for each other through a Deferred, take turns with a Semaphore and count in a Ref.
func ExampleDeferred() {
	ready, count, one := fx.NewDeferred[string](), fx.NewRef(0), fx.NewSemaphore(1)
	bump := fx.WithPermit(one, count.Update(func(n int) int { return n + 1 }))
	e := fx.FlatMap(fx.Fork(fx.FlatMap(fx.All(0, bump, bump, bump), func([]int) fx.Effect[bool] { return ready.Succeed("counted") })),
		func(*fx.Fiber[bool]) fx.Effect[fx.Pair[string, int]] { return fx.Zip(ready.Await(), count.Get()) })
	fmt.Println(fx.Run(context.Background(), e))
	// Output: {counted 3} <nil>
}

func ExampleInterrupt() {
	forever := fx.Ensuring(fx.Never[int](), fx.Sync(func() fx.Unit { fmt.Println("cleaned up"); return fx.Unit{} }))
	e := fx.FlatMap(fx.Fork(forever), func(f *fx.Fiber[int]) fx.Effect[fx.Exit[int]] {
		return fx.FlatMap(fx.Sleep(time.Millisecond), func(fx.Unit) fx.Effect[fx.Exit[int]] { return fx.Interrupt(f) })
	})
	exit, _ := fx.Run(context.Background(), e)
	fmt.Println(exit.Cause.HasInterruptsOnly())
	// Output:
	// cleaned up
	// true
}

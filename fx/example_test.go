package fx_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
)

// A pipeline is put together first and run later, as often as one likes.
func Example() {
	read := fx.Try(func(ctx context.Context) (string, error) { return "42", nil })
	parse := fx.FlatMap(read, func(text string) fx.Effect[int] {
		var n int
		if _, err := fmt.Sscan(text, &n); err != nil {
			return fx.Fail[int](err)
		}
		return fx.Succeed(n)
	})
	careful := fx.Timeout(fx.Retry(parse, fx.Exponential(time.Second, 2).And(fx.Recurs(3))), time.Minute)
	n, err := fx.Run(context.Background(), careful)
	fmt.Println(n, err)
	// Output: 42 <nil>
}

func ExampleCatch() {
	missing := errors.New("missing")
	e := fx.Catch(fx.Fail[int](missing), func(err error) fx.Effect[int] {
		if errors.Is(err, missing) {
			return fx.Succeed(0)
		}
		return fx.Fail[int](err)
	})
	fmt.Println(fx.Run(context.Background(), e))
	// Output: 0 <nil>
}

func ExampleAcquireRelease() {
	open := func(name string) fx.Effect[string] {
		return fx.AcquireRelease(
			fx.Sync(func() string { fmt.Println("open", name); return name }),
			func(name string, _ scope.Exit) fx.Effect[fx.Unit] {
				return fx.Sync(func() fx.Unit { fmt.Println("close", name); return fx.Unit{} })
			})
	}
	both := fx.FlatMap(open("source"), func(source string) fx.Effect[string] {
		return fx.FlatMap(open("target"), func(target string) fx.Effect[string] {
			return fx.Fail[string](errors.New("copying failed"))
		})
	})
	_, err := fx.Run(context.Background(), both)
	fmt.Println(err)
	// Output:
	// open source
	// open target
	// close target
	// close source
	// copying failed
}

func ExampleRace() {
	slow := fx.As(fx.Sleep(time.Hour), "slow")
	fast := fx.Succeed("fast")
	fmt.Println(fx.Run(context.Background(), fx.Race(slow, fast)))
	// Output: fast <nil>
}

func ExampleForEach() {
	square := func(n int) fx.Effect[int] { return fx.Succeed(n * n) }
	fmt.Println(fx.Run(context.Background(), fx.ForEach(2, []int{1, 2, 3}, square)))
	// Output: [1 4 9] <nil>
}

func ExampleFork() {
	e := fx.FlatMap(fx.Fork(fx.Succeed(20)), func(f *fx.Fiber[int]) fx.Effect[int] {
		return fx.Map(fx.Join(f), func(n int) int { return n + 1 })
	})
	fmt.Println(fx.Run(context.Background(), e))
	// Output: 21 <nil>
}

func ExampleService() {
	type greeting struct{ text string }
	hello := fx.Map(fx.Service[greeting](), func(g greeting) string { return g.text + ", world" })
	fmt.Println(fx.Run(context.Background(), fx.Provide(hello, greeting{"hello"})))
	// Output: hello, world <nil>
}

func ExampleEffect_Do() {
	double := fx.Map(fx.Succeed(4), func(n int) int { return 2 * n })
	e := fx.Try(func(ctx context.Context) (string, error) {
		n, err := double.Do(ctx) // an effect inside an ordinary function
		return fmt.Sprint("got ", n), err
	})
	fmt.Println(fx.Run(context.Background(), e))
	// Output: got 8 <nil>
}

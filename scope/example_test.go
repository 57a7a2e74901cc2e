package scope_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/scope"
)

func Example() {
	s := scope.Open(context.Background(), scope.Options{Name: "job"})
	s.AddFinalizer(func(exit scope.Exit) { fmt.Println("closed, ok:", exit.OK()) })

	work := s.Fork("work", func(context.Context) error { return errors.New("no disk") })
	s.Fork("watch", func(ctx context.Context) error { // interrupted by Close
		<-ctx.Done()
		return ctx.Err()
	})

	err := work.Join(context.Background())
	cause := s.Close(scope.Exit{Cause: scope.CauseOf(err)})
	fmt.Print(cause.Pretty())
	// Output:
	// closed, ok: false
	// 1. fiber "work": no disk
}

func ExampleUninterruptible() {
	ctx, cancel := context.WithCancel(context.Background())
	masked := scope.Uninterruptible(ctx)
	cancel()
	fmt.Println(ctx.Err(), masked.Err())
	// Output: context canceled <nil>
}

func ExampleSemaphore_Ticket() {
	permits := scope.NewSemaphore(1)
	first := permits.Ticket(func(*scope.Ticket) { fmt.Println("first") })
	permits.Ticket(func(t *scope.Ticket) { fmt.Println("second"); t.Return() })
	fmt.Println("first is done")
	first.Return()
	// Output:
	// first
	// first is done
	// second
}

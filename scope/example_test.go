package scope_test

import (
	"context"
	"errors"
	"fmt"
	"time"

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

// What waits for a person stops the clock, as long as nobody is at work.
func ExampleDeadline() {
	late := make(chan struct{})
	clock := scope.NewDeadline(20*time.Millisecond, scope.NoDeadline, func() { close(late) })
	clock.Waiting(1)
	time.Sleep(40 * time.Millisecond) // somebody thinks
	clock.Waiting(-1)
	fmt.Println("stood still:", clock.Waited() >= 40*time.Millisecond)
	<-late
	fmt.Println("over")
	// Output:
	// stood still: true
	// over
}

// A cause keeps expected failures, defects and interruptions apart.
func ExampleCauseOf() {
	err := scope.Protect(func() error { panic("index out of range") })
	cause := scope.NewCause(scope.CauseOf(err), errors.New("no disk"), &scope.Interrupt{Reason: scope.Timeout})
	for _, part := range cause.Parts() {
		fmt.Printf("%T: %v\n", part, part)
	}
	fmt.Println(errors.Is(cause, context.DeadlineExceeded), cause.HasInterruptsOnly())
	// Output:
	// *scope.Die: panic: index out of range
	// *scope.Fail: no disk
	// *scope.Interrupt: interrupted: timeout
	// true false
}

// printer is a Tracer.
type printer struct{}

func (printer) FiberStarted(f scope.FiberInfo) { fmt.Println("start", f.Scope, f.Name, f.Parent > 0) }

func (printer) FiberEnded(f scope.FiberInfo, exit scope.Exit) {
	fmt.Println("end", f.Name, exit.OK(), !f.End.Before(f.Start))
}

func ExampleTracer() {
	s := scope.Open(context.Background(), scope.Options{Name: "job", Tracer: printer{}})
	outer := s.Fork("outer", func(ctx context.Context) error {
		nested := scope.Open(ctx, scope.Options{Name: "nested"})
		defer nested.Close(scope.Exit{})
		return nested.Fork("inner", func(context.Context) error { return errors.New("no disk") }).Join(ctx)
	})
	outer.Await(context.Background())
	s.Close(scope.Exit{})
	// Output:
	// start job outer false
	// start nested inner true
	// end inner false true
	// end outer false true
}

func ExampleInterruptible() {
	ctx, cancel := context.WithCancel(context.Background())
	masked := scope.Uninterruptible(ctx)
	inner, release := scope.Interruptible(masked)
	defer release()
	cancel()
	<-inner.Done()
	fmt.Println(masked.Err(), inner.Err())
	// Output: <nil> context canceled
}

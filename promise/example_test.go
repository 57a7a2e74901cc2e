package promise_test

import (
	"fmt"

	"github.com/codemode-go/codemode/promise"
)

// The language of this example is that of the tests: its functions are Go functions, its objects have properties.
func ExampleMachine() {
	w := newWorld(true)
	p := w.m.NewPromise()
	doubled := w.m.Chain(p, function(func(_ any, args []any) (any, bool) { return args[0].(int) * 2, true }), nil)
	w.m.Fulfill(p, 21)
	fmt.Println(doubled.State()) // its reaction is a job
	for w.m.RunJob() {
	}
	fmt.Println(doubled.State(), doubled.Value())
	// Output:
	// pending
	// fulfilled 42
}

// Resolving with a promise adopts it: two jobs later.
func ExampleMachine_Resolve() {
	w := newWorld(true)
	outer, inner := w.m.NewPromise(), w.m.NewPromise()
	w.m.Resolve(outer, w.Object(inner))
	w.m.Fulfill(inner, "done")
	jobs := 0
	for w.m.RunJob() {
		jobs++
	}
	fmt.Println(outer.State(), outer.Value(), jobs)
	// Output: fulfilled done 2
}

// Combinators take their items from an Iteration.
func ExampleMachine_All() {
	w := newWorld(true)
	first, second := w.m.NewPromise(), w.m.NewPromise()
	both, _ := w.m.All(w.constructor, &items{[]any{w.Object(first), w.Object(second), 3}})
	w.m.Fulfill(second, 2)
	w.m.Fulfill(first, 1)
	for w.m.RunJob() {
	}
	fmt.Println(show(w.NativePromise(both).Value()))
	// Output: [1,2,3]
}

// printing is the rest of a computation that awaits.
type printing struct{}

func (printing) Resume(v any, rejected bool) { fmt.Println("resumed with", v, rejected) }

func ExampleMachine_Await() {
	w := newWorld(true)
	p := w.m.NewPromise()
	w.m.Await(w.Object(p), printing{})
	w.m.Reject(p, "no")
	fmt.Println("suspended")
	for w.m.RunJob() {
	}
	// Output:
	// suspended
	// resumed with no true
}

// A rejection that nobody has looked at is reported when the program is over.
func ExampleMachine_Unhandled() {
	w := newWorld(true)
	seen, lost := w.m.NewPromise(), w.m.NewPromise()
	w.m.Reject(seen, "seen")
	w.m.Reject(lost, "lost")
	w.m.Then(seen, nil, function(func(any, []any) (any, bool) { return nil, true }), nil)
	for _, p := range w.m.Unhandled() {
		fmt.Println(p.Value(), p.State() == promise.Rejected)
	}
	// Output: lost true
}

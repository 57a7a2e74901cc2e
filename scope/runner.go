// This file defines the goroutines that fibers run on.

package scope

import "context"

// maxSpare is how many goroutines a scope keeps for its next fibers. The eight calls that an execution runs at a time
// then find one.
const maxSpare = 8

// task is a fiber that is to run.
type task struct {
	fiber *Fiber
	ctx   context.Context
	body  func(context.Context) error
}

// runner is a goroutine that runs one fiber after the other. Making one for each was measured to cost a tool call a
// tenth: the goroutine, and the growth of its stack.
type runner struct {
	next chan task // closed when the scope closes; made when the runner is kept for the first time
}

func (g *runner) run(t task) {
	room(1)
	for ok := true; ok && g.one(t); t, ok = <-g.next {
	}
}

// goexited is what remains if a fiber ends its goroutine with runtime.Goexit.
var goexited error = NewCause(&Die{Value: "runtime.Goexit"})

// one runs a fiber and reports whether the goroutine is kept for another.
func (g *runner) one(t task) (kept bool) {
	f, err := t.fiber, goexited
	defer func() {
		f.exit = ExitOf(t.ctx, err)
		f.exit.Cause = f.exit.Cause.named(f.name)
		if err == goexited {
			f.end(nil)
			return
		}
		kept = f.end(g)
	}()
	err = Protect(func() error { return t.body(t.ctx) })
	return kept
}

// room is a frame that makes the runtime grow a new goroutine's stack once, and
// while there is next to nothing on it to move. Growing later, under the frames
// of a tool call, was measured to cost a fifth of the call.
//
//go:noinline
func room(n int) byte {
	var frame [2 << 10]byte
	frame[n] = 1
	return frame[n/2]
}

package value

// This file defines Coroutine: a value stack, frames and, except for the main one, a Go coroutine on which an activation
// can be suspended.

import (
	"iter"
	"sync"
)

const (
	mainStack      = 256
	coroutineStack = 24

	// MaxLive is how many suspended activations an execution may have.
	MaxLive = 50_000
	// StackLimit and CallCost bound the call depth: an ordinary call costs CallCost, so 10,000 of them fit.
	StackLimit = 10_000 * CallCost
	// CallCost is the accounted Go stack of an ordinary call in bytes, a generous bound.
	CallCost = 25_600
)

// Frame is the activation of a guest function. Frames are pooled by depth; S is its window on the value stack: slots for
// names, then temporaries.
type Frame struct {
	S         []Value
	Caps      []*Cell
	This      Value
	R         *Realm
	Fn        *Function
	Co        *Coroutine
	Args      []Value // all arguments, when Code.NeedArgs
	NewTarget Value
	Ret       Value
	Label     int32 // target of a labelled break or continue under way
	Base      int
	top       int // of the coroutine before
}

// Coroutine runs activations one after another.
type Coroutine struct {
	r      *Realm
	stack  []Value
	top    int
	chunks [][]Value // chunks after the first, kept for reuse
	chunk  int       // how many of them are in use
	frames []*Frame
	fp     int
	roots  []Value
	isMain bool

	next      func() (struct{}, bool)
	stop      func()
	yield     func(struct{}) bool
	body      func() // the activation to run
	stackUsed int    // Realm.Stack share while suspended

	sent     Value // value delivered by the resumption
	SentMode SentMode
	running  bool
	resumed  bool // main: its await has been answered
	awaiting bool // main: suspended at an await
	owner    *Generator

	newTarget Value // for the activation about to begin, if it asks for it

	// Returning: a generator was resumed with a return completion, which travels as a throw until the next try, loop or
	// the end of the body takes it as a return of ReturnValue.
	Returning   bool
	ReturnValue Value
}

// SentMode is how a suspended activation is resumed.
type SentMode uint8

// The ways of resumption.
const (
	SentNext SentMode = iota
	SentThrow
	SentReturn
)

// mainMemory and coroutineMemory recycle value stacks and frames between executions; they are empty by then, and the Go
// coroutine itself never outlives its execution.
var mainMemory, coroutineMemory sync.Pool

func newCoroutine(r *Realm, n int) *Coroutine {
	r.Charge(16*n + 1024)
	if co, ok := memoryFor(n).Get().(*Coroutine); ok {
		co.r = r
		for _, f := range co.frames {
			f.R = r
		}
		return co
	}
	return &Coroutine{r: r, stack: make([]Value, n)}
}

func memoryFor(n int) *sync.Pool {
	if n == mainStack {
		return &mainMemory
	}
	return &coroutineMemory
}

// maxRecycledFrames bounds what an idle recycled coroutine holds.
const maxRecycledFrames = 64

// recycle gives the memory of an ended coroutine back. Windows were cleared when they were left.
func (co *Coroutine) recycle(n int) {
	if len(co.stack) != n || co.chunk != 0 || co.fp != 0 || len(co.frames) > maxRecycledFrames {
		return
	}
	frames := co.frames
	for _, f := range frames {
		*f = Frame{Co: co}
	}
	clear(co.stack[:cap(co.stack)])
	*co = Coroutine{stack: co.stack, frames: frames}
	memoryFor(n).Put(co)
}

// reserve makes room for the arguments of an activation about to start on an idle coroutine.
func (co *Coroutine) reserve(r *Realm, argc int) {
	if argc > len(co.stack) {
		r.Charge(16 * argc)
		co.stack = make([]Value, argc+coroutineStack)
	}
}

// Root keeps v reachable for memory measurement while a builtin holds it across a call into guest code; the result is
// the mark to give to Unroot.
func (r *Realm) Root(v Value) int {
	r.Co.roots = append(r.Co.roots, v)
	return len(r.Co.roots) - 1
}

// Unroot releases everything rooted since the mark.
func (r *Realm) Unroot(mark int) {
	clear(r.Co.roots[mark:])
	r.Co.roots = r.Co.roots[:mark]
}

// NewCoroutine takes an idle coroutine or makes one; nil means too many are live and a RangeError is pending.
func (r *Realm) NewCoroutine() *Coroutine {
	if r.live >= MaxLive {
		r.tooManyLive()
		return nil
	}
	r.live++
	if n := len(r.idle); n > 0 {
		co := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return co
	}
	co := newCoroutine(r, coroutineStack)
	r.Charge(6 << 10)
	r.all = append(r.all, co)
	co.next, co.stop = iter.Pull(co.loop)
	return co
}

// growStack makes the Go stack of a new coroutine large enough for most activations while it is almost empty: growing it
// later, under the frames of an activation, was measured to cost a fifth of a short async call.
//
//go:noinline
func growStack(n int) byte {
	var room [1 << 10]byte
	room[n] = 1
	return room[n/2]
}

func (r *Realm) tooManyLive() Value {
	return r.ThrowError(RangeError, "Too many suspended functions: at most %d async functions and generators may be suspended at once", MaxLive)
}

// loop runs one activation after another until it is stopped.
func (co *Coroutine) loop(yield func(struct{}) bool) {
	co.yield = yield
	growStack(1)
	for {
		co.body()
		co.body = nil
		r := co.r
		r.live--
		co.running = false
		co.top, co.fp, co.chunk, co.stackUsed, co.owner, co.Returning = 0, 0, 0, 0, nil, false
		r.idle = append(r.idle, co)
		if !yield(struct{}{}) || r.Terminated {
			return
		}
	}
}

// Run starts body on co and returns when it suspends or ends.
func (co *Coroutine) Run(body func()) {
	co.body = body
	co.Switch()
}

// Switch continues co until it suspends or ends. It must not be called from co itself.
func (co *Coroutine) Switch() {
	r := co.r
	prev, stack := r.Co, r.Stack
	r.Co = co
	r.Stack += co.stackUsed
	co.running = true
	co.next()
	co.running = false
	r.Co = prev
	r.Stack = stack
}

// Running tells whether co is on the running chain.
func (co *Coroutine) Running() bool { return co.running }

// Suspend gives control back to whoever resumed co; it returns the value sent by the next resumption and how.
// When the execution is ending it returns Throw.
func (co *Coroutine) Suspend() (Value, SentMode) {
	r := co.r
	co.stackUsed = CallCost * 2
	if !co.yield(struct{}{}) || r.Terminated {
		return r.Terminate(), SentThrow
	}
	v := co.sent
	co.sent = Value{}
	return v, co.SentMode
}

// Send sets what the next Suspend returns.
func (co *Coroutine) Send(v Value, mode SentMode) { co.sent, co.SentMode = v, mode }

// Resume implements promise.Continuation: it continues an activation that awaits.
func (co *Coroutine) Resume(v Value, rejected bool) {
	mode := SentNext
	if rejected {
		mode = SentThrow
	}
	co.Send(v, mode)
	if co.isMain {
		co.resumed = true
		return
	}
	co.Switch()
}

// Await is the await operator (ECMA-262 27.7.5.3): the settled value, or Throw with the reason pending.
func (r *Realm) Await(v Value) Value {
	co := r.Co
	if thrown, ok := r.Machine.Await(v, co); !ok {
		return r.ThrowValue(thrown)
	}
	if co.isMain {
		if !r.runUntilResumed(co) {
			return r.Terminate()
		}
		v = co.sent
		co.sent = Value{}
	} else {
		v, _ = co.Suspend()
		if v.IsThrow() {
			return Throw
		}
	}
	if co.SentMode == SentThrow {
		return r.ThrowValue(v)
	}
	return v
}

// Awaiting tells whether the body that runs on the main coroutine is suspended at an await.
func (co *Coroutine) Awaiting() bool { return co.awaiting }

// runUntilResumed runs jobs on behalf of the main body's await.
func (r *Realm) runUntilResumed(co *Coroutine) bool {
	co.resumed = false
	co.awaiting = true
	defer func() { co.awaiting = false }()
	for !co.resumed {
		if r.Terminated {
			return false
		}
		if r.Machine.RunJob() {
			if r.Fuel--; r.Fuel <= 0 && !r.RefuelAt(r.waitingAt(co)) {
				return false
			}
			continue
		}
		if !r.waitTurn() {
			return false
		}
	}
	return !r.Terminated
}

// waitingAt is where the body of the program waits, if co is the main coroutine.
func (r *Realm) waitingAt(co *Coroutine) int32 {
	if co.isMain {
		return r.AwaitPos
	}
	return -1
}

// Drain runs jobs and waits for host completions until nothing is left; false if the execution ended instead.
func (r *Realm) Drain() bool {
	for {
		if r.Terminated {
			return false
		}
		if r.Machine.RunJob() {
			if r.Fuel--; r.Fuel <= 0 && !r.RefuelAt(-1) {
				return false
			}
			continue
		}
		if !r.waitTurn() {
			return !r.Terminated
		}
	}
}

// Close ends every coroutine; suspended activations unwind without running catch or finally.
func (r *Realm) Close() {
	r.Terminated = true
	for _, co := range r.all {
		r.Co = co
		co.stop()
		co.recycle(coroutineStack)
	}
	r.all, r.idle, r.Co = nil, nil, nil
	r.Main.recycle(mainStack)
	r.Main = nil
}

// StartAsync is the call of an async function: the body runs at once, on a coroutine of its own if it can suspend.
func (r *Realm) StartAsync(fn *Function, this Value, co *Coroutine, base, argc int) Value {
	code := fn.Code
	p, pv := r.NewPromise()
	if !code.HasAwait {
		r.settleAsync(p, r.Enter(fn, this, base, argc))
	} else {
		own := r.NewCoroutine()
		if own == nil {
			return Throw
		}
		own.reserve(r, argc)
		copy(own.stack, co.stack[base:base+argc])
		own.Run(func() { r.settleAsync(p, r.Enter(fn, this, 0, argc)) })
	}
	if r.Terminated {
		return Throw
	}
	return pv
}

func (r *Realm) settleAsync(p *PromiseData, v Value) {
	switch {
	case r.Terminated:
	case v.IsThrow():
		r.Machine.Reject(p, r.exc)
	default:
		r.Machine.Resolve(p, v)
	}
}

// RunAsync runs a builtin's body like that of an async function: on a coroutine, so that it may Await. It returns the
// promise of its result.
func (r *Realm) RunAsync(body func() Value) Value {
	p, pv := r.NewPromise()
	own := r.NewCoroutine()
	if own == nil {
		return Throw
	}
	own.Run(func() { r.settleAsync(p, body()) })
	if r.Terminated {
		return Throw
	}
	return pv
}

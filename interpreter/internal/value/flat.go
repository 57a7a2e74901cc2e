package value

// This file defines flat activations: async functions whose awaits all stand at the beginning of a statement of their
// body, outside loops and try. They need no coroutine: between two awaits the activation is its slots and the number of
// the segment that comes next. Fanning out over many short calls is mostly such functions.

// Segment is a stretch of a flat function's body: statements, then an operand to await, whose value goes to Slot. The
// last segment has no operand.
type Segment struct {
	Run   func(f *Frame) SegmentEnd
	Await func(f *Frame) Value // nil: the last
	Slot  int
}

// SegmentEnd is how the statements of a segment ended.
type SegmentEnd uint8

// The ends: go on to the await, return Frame.Ret, or throw.
const (
	SegmentNext SegmentEnd = iota
	SegmentReturned
	SegmentThrew
)

// flatActivation is a suspended activation; it implements promise.Continuation.
type flatActivation struct {
	r       *Realm
	fn      *Function
	this    Value
	args    []Value
	promise *PromiseData
	slots   []Value
	next    int
}

const flatBytes = 160

// StartFlat is the call of an async function with segments: it runs to the first await at once.
func (r *Realm) StartFlat(fn *Function, this Value, co *Coroutine, base, argc int) Value {
	if r.live >= MaxLive {
		return r.tooManyLive()
	}
	p, pv := r.NewPromise()
	r.live++
	r.Charge(flatBytes)
	a := &flatActivation{r: r, fn: fn, this: this, promise: p}
	a.settle(r.enterFlat(a, co, base, argc))
	if r.Terminated {
		return Throw
	}
	return pv
}

// Resume continues after an await.
func (a *flatActivation) Resume(v Value, rejected bool) {
	if rejected {
		a.r.exc = v
		a.settle(Throw)
		return
	}
	co := a.r.Co
	base := co.top
	if base+a.fn.Code.Size > len(co.stack) {
		old, top := co.stack, co.top
		co.grow(a.r, a.fn.Code.Size)
		a.settle(a.proceed(co, 0, v))
		co.restore(old, top)
		return
	}
	a.settle(a.proceed(co, base, v))
}

// proceed puts the slots back on the value stack and runs the next segment.
func (a *flatActivation) proceed(co *Coroutine, base int, v Value) Value {
	copy(co.stack[base:], a.slots)
	co.stack[base+a.fn.Code.Flat[a.next-1].Slot] = v
	return a.r.enterFlat(a, co, base, 0)
}

// settle ends the activation unless it is suspended, which the absent value says.
func (a *flatActivation) settle(v Value) {
	if v.IsAbsent() {
		return
	}
	a.r.live--
	a.slots = nil
	a.r.settleAsync(a.promise, v)
}

// enterFlat runs segments in a window at base until the function ends or suspends; absent means suspended.
func (r *Realm) enterFlat(a *flatActivation, co *Coroutine, base, argc int) Value {
	code := a.fn.Code
	if r.Fuel--; r.Fuel <= 0 && !r.Refuel() {
		r.ending.near = code.Pos
		return Throw
	}
	if r.Stack += code.StackCost; r.Stack > StackLimit {
		return r.stackOverflow(code.StackCost)
	}
	end := base + code.Size
	if end > len(co.stack) {
		r.Stack -= code.StackCost
		old, top := co.stack, co.top
		args := old[base : base+argc]
		co.grow(r, max(code.Size, argc))
		copy(co.stack, args)
		v := r.enterFlat(a, co, 0, argc)
		co.restore(old, top)
		return v
	}
	if co.fp == len(co.frames) {
		co.addFrame(r)
	}
	f := co.frames[co.fp]
	co.fp++
	s := co.stack[base:end:end]
	f.S, f.Fn, f.Caps, f.This, f.Base = s, a.fn, a.fn.Caps, a.this, base
	if code.NeedNew {
		f.NewTarget = Undefined
	}
	if a.next == 0 {
		if code.NeedArgs {
			a.args = append([]Value(nil), co.stack[base:base+argc]...)
		}
		for i := min(argc, code.Params); i < code.Slots; i++ {
			s[i] = Undefined
		}
	}
	f.Args = a.args
	old := co.top
	co.top = end
	v := a.run(f)
	co.top = old
	co.fp--
	r.Stack -= code.StackCost
	clear(s)
	return v
}

// run runs segments; after an await that suspends it keeps the slots and returns the absent value.
func (a *flatActivation) run(f *Frame) Value {
	r := a.r
	seg := &a.fn.Code.Flat[a.next]
	switch seg.Run(f) {
	case SegmentReturned:
		v := f.Ret
		f.Ret = Value{}
		return v
	case SegmentThrew:
		return Throw
	}
	if seg.Await == nil {
		return Undefined
	}
	v := seg.Await(f)
	if v.IsThrow() {
		return v
	}
	a.next++
	if a.slots == nil {
		r.Charge(16 * len(f.S))
	}
	a.slots = append(a.slots[:0], f.S...)
	if thrown, ok := r.Machine.Await(v, a); !ok {
		return r.ThrowValue(thrown)
	}
	return Value{}
}

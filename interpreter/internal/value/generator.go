package value

// This file defines generator objects and async generator objects (ECMA-262 27.5, 27.6).

import "github.com/codemode-go/codemode/promise"

type generatorState uint8

const (
	suspendedStart generatorState = iota
	suspendedYield
	executing
	awaitingReturn
	completed
)

// Generator is the Ext of generator and async generator objects.
type Generator struct {
	object *Object
	fn     *Function
	this   Value
	args   []Value // until it starts
	co     *Coroutine
	state  generatorState
	async  bool
	quiet  bool // abandoned: its body unwinds unseen
	raw    bool // the yielded value is an iterator result of yield*

	out   Value // yielded or returned value, set before control goes back
	threw bool
	queue []asyncRequest // of async generators
}

type asyncRequest struct {
	mode    SentMode
	v       Value
	promise *promise.Promise[Value]
}

// Owner returns the generator that runs on co.
func (co *Coroutine) Owner() *Generator { return co.owner }

// StartGenerator is the call of a generator function: it makes the generator object, running parameter initialisers
// first if there are any.
func (r *Realm) StartGenerator(fn *Function, this Value, co *Coroutine, base, argc int) Value {
	g := &Generator{fn: fn, this: this, async: fn.Code.Kind == CodeAsyncGenerator}
	g.args = append([]Value(nil), co.stack[base:base+argc]...)
	r.Charge(128 + 16*argc)
	if !fn.Code.Simple {
		if !g.start(r) {
			return Throw
		}
		if g.threw || r.Terminated {
			return Throw
		}
	}
	id, class := GeneratorPrototype, ClassGenerator
	if g.async {
		id, class = AsyncGeneratorPrototype, ClassAsyncGenerator
	}
	proto := r.PrototypeFromConstructor(&fn.Object, id)
	if proto == nil {
		return Throw
	}
	g.object = r.NewClass(class, proto, g)
	return g.object.Value()
}

// start begins the body on a coroutine and runs it to its first suspension.
func (g *Generator) start(r *Realm) bool {
	co := r.NewCoroutine()
	if co == nil {
		return false
	}
	g.co = co
	co.owner = g
	g.state = executing
	co.Run(func() { g.run(r) })
	return true
}

func (g *Generator) run(r *Realm) {
	co := g.co
	argc := len(g.args)
	co.reserve(r, argc)
	copy(co.stack, g.args)
	g.args = nil
	v := r.Enter(g.fn, g.this, 0, argc)
	g.state = completed
	co.owner = nil
	g.co = nil
	g.threw = v.IsThrow()
	g.out = v
	if g.async && !g.quiet && !r.Terminated && len(g.queue) > 0 { // none yet if a parameter's initialiser threw
		g.finishAsync(r, v)
	}
}

// InitialYield suspends a generator after its parameters are bound.
func (r *Realm) InitialYield(f *Frame) (Value, SentMode) {
	g := f.Co.owner
	g.state = suspendedStart
	g.out = Undefined
	return f.Co.Suspend()
}

// Yield suspends a sync generator with an iterator result value.
func (r *Realm) Yield(f *Frame, v Value) (Value, SentMode) {
	g := f.Co.owner
	g.state = suspendedYield
	g.out, g.threw = v, false
	return f.Co.Suspend()
}

// Resume is GeneratorResume and GeneratorResumeAbrupt (27.5.3.3, 27.5.3.4). The result is an iterator result object.
func (g *Generator) Resume(r *Realm, v Value, mode SentMode) Value {
	out, done, raw := g.step(r, v, mode)
	if out.IsThrow() || raw {
		return out
	}
	return r.IterResult(out, done)
}

// step resumes the generator; raw tells that out is the result object of an inner iterator already.
func (g *Generator) step(r *Realm, v Value, mode SentMode) (out Value, done, raw bool) {
	switch g.state {
	case executing:
		return r.ThrowTypeError("Generator is already running"), false, false
	case suspendedStart:
		if mode != SentNext {
			g.abandon(r)
		}
	}
	if g.state == completed {
		switch mode {
		case SentThrow:
			return r.ThrowValue(v), false, false
		case SentReturn:
			return v, true, false
		}
		return Undefined, true, false
	}
	if g.co == nil {
		if !g.start(r) {
			return Throw, false, false
		}
	} else {
		g.state = executing
		g.co.Send(v, mode)
		g.co.Switch()
	}
	if r.Terminated {
		return Throw, false, false
	}
	out = g.out
	g.out = Value{}
	if g.state != completed {
		raw, g.raw = g.raw, false
		return out, false, raw
	}
	if g.threw {
		return Throw, false, false
	}
	return out, true, false
}

// abandon completes a generator that has not started.
func (g *Generator) abandon(r *Realm) {
	g.state = completed
	g.args = nil
	if co := g.co; co != nil { // parameters were bound: unwind the waiting body
		g.quiet = true
		co.Send(Undefined, SentReturn)
		co.Switch()
	}
}

// YieldRaw is Yield for yield*: v is an iterator result already.
func (r *Realm) YieldRaw(f *Frame, v Value) (Value, SentMode) {
	f.Co.owner.raw = true
	return r.Yield(f, v)
}

// AsyncEnqueue is next, return and throw of an async generator object (27.6.1.2–4); v is the argument.
func (g *Generator) AsyncEnqueue(r *Realm, v Value, mode SentMode) Value {
	p, pv := r.NewPromise()
	if g.state == suspendedStart && mode == SentThrow {
		g.abandon(r)
	}
	if g.state == completed {
		switch mode {
		case SentNext:
			r.Machine.Resolve(p, r.IterResult(Undefined, true))
			return pv
		case SentThrow:
			r.Machine.Reject(p, v)
			return pv
		}
	}
	g.queue = append(g.queue, asyncRequest{mode, v, p})
	r.Charge(64)
	switch {
	case mode == SentReturn && (g.state == suspendedStart || g.state == completed):
		if g.state == suspendedStart {
			g.abandon(r)
		}
		g.state = awaitingReturn
		g.awaitReturn(r)
	case g.state == suspendedStart || g.state == suspendedYield:
		g.resumeAsync(r)
	}
	if r.Terminated {
		return Throw
	}
	return pv
}

func (g *Generator) resumeAsync(r *Realm) {
	req := g.queue[0]
	if g.co == nil {
		if !g.start(r) {
			g.state = completed
			g.completeStep(r, r.exc, true, true)
			g.drain(r)
		}
		return
	}
	g.state = executing
	g.co.Send(req.v, req.mode)
	g.co.Switch()
}

// completeStep is AsyncGeneratorCompleteStep (27.6.3.5).
func (g *Generator) completeStep(r *Realm, v Value, threw, done bool) {
	req := g.queue[0]
	g.queue[0] = asyncRequest{}
	g.queue = g.queue[1:]
	if threw {
		r.Machine.Reject(req.promise, v)
		return
	}
	r.Machine.Resolve(req.promise, r.IterResult(v, done))
}

// finishAsync is the end of AsyncGeneratorStart (27.6.3.2).
func (g *Generator) finishAsync(r *Realm, v Value) {
	if v.IsThrow() {
		g.completeStep(r, r.exc, true, true)
	} else {
		g.completeStep(r, v, false, true)
	}
	g.drain(r)
}

// drain is AsyncGeneratorDrainQueue (27.6.3.10).
func (g *Generator) drain(r *Realm) {
	for len(g.queue) > 0 {
		req := g.queue[0]
		switch req.mode {
		case SentReturn:
			g.state = awaitingReturn
			g.awaitReturn(r)
			return
		case SentThrow:
			g.completeStep(r, req.v, true, true)
		default:
			g.completeStep(r, Undefined, false, true)
		}
	}
	g.state = completed
}

// awaitReturn is AsyncGeneratorAwaitReturn (27.6.3.9).
func (g *Generator) awaitReturn(r *Realm) {
	pv, ok := r.Machine.PromiseResolve(r.Intrinsic(PromiseConstructor).Value(), g.queue[0].v)
	if !ok {
		g.state = completed
		g.completeStep(r, pv, true, true)
		g.drain(r)
		return
	}
	r.Machine.Observe(NativePromise(pv), &returnAwaited{r, g})
}

type returnAwaited struct {
	r *Realm
	g *Generator
}

// Resume settles the request whose return value was awaited.
func (a *returnAwaited) Resume(v Value, rejected bool) {
	a.g.state = completed
	a.g.completeStep(a.r, v, rejected, true)
	a.g.drain(a.r)
}

// AsyncYield is AsyncGeneratorYield (27.6.3.8) after the value was awaited: it answers the oldest request and waits for
// the next. A return resumption is awaited before it takes effect.
func (r *Realm) AsyncYield(f *Frame, v Value) (Value, SentMode) {
	g := f.Co.owner
	g.completeStep(r, v, false, false)
	var sent Value
	var mode SentMode
	if len(g.queue) > 0 {
		sent, mode = g.queue[0].v, g.queue[0].mode
	} else {
		g.state = suspendedYield
		if sent, mode = f.Co.Suspend(); sent.IsThrow() {
			return sent, mode
		}
	}
	if mode == SentReturn {
		if sent = r.Await(sent); sent.IsThrow() {
			return r.exc, SentThrow
		}
	}
	return sent, mode
}

// Package promise defines ECMAScript promises and their job queue (ECMA-262
// 27.2 and 9.5), generic over the type of language values.
//
// A [Machine] belongs to one execution and one goroutine. It knows no
// JavaScript value: what it needs of the language it asks its [Agent]. Jobs run
// in first-in first-out order, one job per reaction, so that the order of all
// observable steps is the specification's, tick for tick.
package promise

// Agent is the language around promises. V is the type of a language value.
// All methods are called on the machine's goroutine. Where a method returns
// (V, bool), false means an abrupt completion and V is the thrown value.
type Agent[V any] interface {
	Undefined() V
	IsObject(v V) bool
	IsCallable(v V) bool
	IsConstructor(v V) bool
	SameValue(a, b V) bool
	// NativePromise is the promise that v, a promise object, stands for, or nil
	// if v is no promise object.
	NativePromise(v V) *Promise[V]
	// Object is the promise object of p, made on demand; always the same one.
	Object(p *Promise[V]) V
	TypeError(message string) V
	AggregateError(errors []V) V
	// Get is GetV(v, key); v may be a primitive.
	Get(v V, key string) (V, bool)
	// Call is Call(fn, this, args): a TypeError is thrown if fn is not callable.
	Call(fn, this V, args ...V) (V, bool)
	// Construct is Construct(ctor, args).
	Construct(ctor V, args ...V) (V, bool)
	// Function makes an anonymous built-in function object. args is only valid
	// during the call and may be shorter than length.
	Function(length int, fn func(args []V) (V, bool)) V
	// String is the string value s.
	String(s string) V
	// List makes an array, Record a plain object; both own their arguments.
	List(items []V) V
	Record(keys []string, values []V) V
	// IntrinsicConstructor is %Promise%.
	IntrinsicConstructor() V
	// Terminated reports that an ending the program cannot catch is under way:
	// no more jobs may run.
	Terminated() bool
}

// Shortcuts is what an [Agent] may implement besides, so that ordinary
// programs do not pay for what only a program that changes promises can see.
type Shortcuts[V any] interface {
	// OrdinaryConstructor reports that reading "constructor" of the promise
	// object v gives %Promise% and runs no guest code.
	OrdinaryConstructor(v V) bool
	// OrdinaryThen reports that then is %Promise.prototype.then% and that
	// SpeciesConstructor of the promise object v gives %Promise% and runs no
	// guest code.
	OrdinaryThen(v, then V) bool
}

// State is the [[PromiseState]] of a promise.
type State uint8

// The three states of a promise.
const (
	Pending State = iota
	Fulfilled
	Rejected
)

// String is "pending", "fulfilled" or "rejected".
func (s State) String() string { return [...]string{"pending", "fulfilled", "rejected"}[s] }

// Promise is the internal state of a promise object. It is created by
// [Machine.NewPromise] and belongs to the machine's goroutine.
type Promise[V any] struct {
	value       V
	first, last *reaction[V]
	// Tag is for the language: the object of the promise, where it was made.
	Tag     any
	born    uint32 // its number in the order of creation
	place   int32  // where it was rejected with nobody looking
	state   State
	handled bool
}

// State is pending, fulfilled or rejected.
func (p *Promise[V]) State() State { return p.state }

// Value is the value a settled promise was fulfilled or rejected with, and the
// zero V while it is pending.
func (p *Promise[V]) Value() V { return p.value }

// Handled reports whether a reaction was ever attached ([[PromiseIsHandled]]).
func (p *Promise[V]) Handled() bool { return p.handled }

// Place is what [Machine.Place] said when the promise was rejected without a
// reaction, otherwise 0.
func (p *Promise[V]) Place() int32 { return p.place }

// MarkHandled keeps the promise out of [Machine.Unhandled].
func (p *Promise[V]) MarkHandled() { p.handled = true }

// Continuation is the rest of a suspended computation.
type Continuation[V any] interface {
	// Resume continues with a fulfilled value or, if rejected, a thrown one. It
	// is called at most once, in a job of its own.
	Resume(v V, rejected bool)
}

// reaction is the fulfil and the reject half of a PromiseReaction. Either k is
// set, or the handlers and what receives their result.
type reaction[V any] struct {
	onFulfilled, onRejected V
	k                       Continuation[V]
	result                  *Promise[V]    // a native capability's promise
	capability              *Capability[V] // a foreign capability
	next                    *reaction[V]
	hasFulfilled            bool
	hasRejected             bool
}

// Machine holds the job queue and the rejection tracker of one execution.
type Machine[V any] struct {
	// Place says where the program is when a promise is rejected with a reason
	// and nobody looks. May be nil.
	Place func(reason V) int32
	// New makes the zero promise, for a language that keeps more beside it.
	// Nil is new.
	New func() *Promise[V]

	agent     Agent[V]
	shortcuts Shortcuts[V] // nil if the agent has none
	jobs      queue[V]
	free      *reaction[V] // spent reactions, for reuse
	rejected  []*Promise[V]
	compactAt int
	epoch     int // counts measurements
	born      uint32
}

// NewMachine makes a machine with an empty queue. If agent implements
// [Shortcuts] they are used.
func NewMachine[V any](agent Agent[V]) *Machine[V] {
	shortcuts, _ := agent.(Shortcuts[V])
	return &Machine[V]{agent: agent, shortcuts: shortcuts, compactAt: 64}
}

// NewPromise makes a pending promise.
func (m *Machine[V]) NewPromise() *Promise[V] {
	m.born++
	if m.New == nil {
		return &Promise[V]{born: m.born}
	}
	p := m.New()
	p.born = m.born
	return p
}

// Fulfill is FulfillPromise (27.2.1.4). A settled promise stays as it is.
func (m *Machine[V]) Fulfill(p *Promise[V], v V) { m.settle(p, v, Fulfilled) }

// Reject is RejectPromise (27.2.1.7). A settled promise stays as it is.
func (m *Machine[V]) Reject(p *Promise[V], reason V) { m.settle(p, reason, Rejected) }

func (m *Machine[V]) settle(p *Promise[V], v V, state State) {
	if p.state != Pending {
		return
	}
	p.state, p.value = state, v
	if state == Rejected && !p.handled {
		m.track(p)
	}
	for r := p.first; r != nil; {
		next := r.next
		m.trigger(r, v, state == Rejected)
		m.release(r)
		r = next
	}
	p.first, p.last = nil, nil
}

// Resolve does the steps of a promise resolve function (27.2.1.3.2) behind its
// alreadyResolved check: it fulfils p with v, adopts v in a job if v has a
// callable "then", or rejects p if reading that throws or v is p itself.
func (m *Machine[V]) Resolve(p *Promise[V], v V) {
	if !m.agent.IsObject(v) {
		m.Fulfill(p, v)
		return
	}
	if m.agent.NativePromise(v) == p {
		m.Reject(p, m.agent.TypeError("Chaining cycle detected for promise #<Promise>"))
		return
	}
	then, ok := m.agent.Get(v, "then")
	switch {
	case !ok:
		m.Reject(p, then)
	case !m.agent.IsCallable(then):
		m.Fulfill(p, v)
	default:
		m.jobs.push(job[V]{kind: thenableJob, result: p, value: v, handler: then})
	}
}

// resolution is the [[AlreadyResolved]] record that a pair of resolving
// functions shares, and the pair itself once it is needed.
type resolution[V any] struct {
	done            bool
	made            bool
	resolve, reject V
}

func (m *Machine[V]) pair(p *Promise[V], s *resolution[V]) (resolve, reject V) {
	if !s.made {
		s.made = true
		s.resolve = m.settler(p, s, false)
		s.reject = m.settler(p, s, true)
	}
	return s.resolve, s.reject
}

func (m *Machine[V]) settler(p *Promise[V], s *resolution[V], rejected bool) V {
	return m.agent.Function(1, func(args []V) (V, bool) {
		m.decide(p, s, m.first(args), rejected)
		return m.agent.Undefined(), true
	})
}

func (m *Machine[V]) first(args []V) V {
	if len(args) > 0 {
		return args[0]
	}
	return m.agent.Undefined()
}

func (m *Machine[V]) decide(p *Promise[V], s *resolution[V], v V, rejected bool) {
	if s.done {
		return
	}
	s.done = true
	m.complete(p, v, rejected)
}

func (m *Machine[V]) complete(p *Promise[V], v V, rejected bool) {
	if rejected {
		m.Reject(p, v)
		return
	}
	m.Resolve(p, v)
}

// ResolvingFunctions is CreateResolvingFunctions (27.2.1.3): two function
// objects, of which only the first call of either has an effect.
func (m *Machine[V]) ResolvingFunctions(p *Promise[V]) (resolve, reject V) {
	return m.pair(p, &resolution[V]{})
}

// Then is PerformPromiseThen (27.2.5.4.1). A handler that is not callable
// passes the outcome on. result may be nil.
func (m *Machine[V]) Then(p *Promise[V], onFulfilled, onRejected V, result *Capability[V]) {
	r := m.handlers(onFulfilled, onRejected)
	switch {
	case result == nil:
	case result.Native != nil:
		r.result = result.Native
	default:
		r.capability = result
	}
	m.react(p, r)
}

// Chain is Then with a new intrinsic promise for the result, which it returns:
// what %Promise.prototype.then% does where no species is in play.
func (m *Machine[V]) Chain(p *Promise[V], onFulfilled, onRejected V) *Promise[V] {
	r := m.handlers(onFulfilled, onRejected)
	r.result = m.NewPromise()
	result := r.result
	m.react(p, r)
	return result
}

func (m *Machine[V]) handlers(onFulfilled, onRejected V) *reaction[V] {
	r := m.acquire()
	if r.hasFulfilled = m.agent.IsCallable(onFulfilled); r.hasFulfilled {
		r.onFulfilled = onFulfilled
	}
	if r.hasRejected = m.agent.IsCallable(onRejected); r.hasRejected {
		r.onRejected = onRejected
	}
	return r
}

// Observe attaches k to p as a handled reaction without a result.
func (m *Machine[V]) Observe(p *Promise[V], k Continuation[V]) {
	if p.state != Pending {
		p.handled = true
		m.jobs.push(job[V]{kind: continuationJob, k: k, value: p.value, rejected: p.state == Rejected})
		return
	}
	r := m.acquire()
	r.k = k
	m.react(p, r)
}

func (m *Machine[V]) react(p *Promise[V], r *reaction[V]) {
	p.handled = true
	if p.state != Pending {
		m.trigger(r, p.value, p.state == Rejected)
		m.release(r)
		return
	}
	if p.last == nil {
		p.first = r
	} else {
		p.last.next = r
	}
	p.last = r
}

// Await is Await (27.7.5.3) up to the point where the caller suspends: k is
// resumed in a job of its own once v, or the promise that v resolves to, has
// settled. If it returns false, an abrupt completion comes from reading
// v.constructor, k is not used and the first result was thrown.
func (m *Machine[V]) Await(v V, k Continuation[V]) (thrown V, ok bool) {
	if !m.agent.IsObject(v) {
		m.jobs.push(job[V]{kind: continuationJob, k: k, value: v})
		return v, true
	}
	if p := m.agent.NativePromise(v); p != nil {
		same, thrown, ok := m.constructedBy(v, m.agent.IntrinsicConstructor(), true)
		if !ok {
			return thrown, false
		}
		if same {
			m.Observe(p, k)
			return v, true
		}
	}
	// The wrapper promise of other values is made only for a thenable; nobody
	// can tell otherwise.
	then, ok := m.agent.Get(v, "then")
	switch {
	case !ok:
		m.jobs.push(job[V]{kind: continuationJob, k: k, value: then, rejected: true})
	case !m.agent.IsCallable(then):
		m.jobs.push(job[V]{kind: continuationJob, k: k, value: v})
	default:
		wrapper := m.NewPromise()
		m.jobs.push(job[V]{kind: thenableJob, result: wrapper, value: v, handler: then})
		m.Observe(wrapper, k)
	}
	return v, true
}

// constructedBy reads v.constructor and compares it with ctor.
func (m *Machine[V]) constructedBy(v, ctor V, intrinsic bool) (same bool, thrown V, ok bool) {
	if intrinsic && m.shortcuts != nil && m.shortcuts.OrdinaryConstructor(v) {
		return true, thrown, true
	}
	own, ok := m.agent.Get(v, "constructor")
	if !ok {
		return false, own, false
	}
	return m.agent.SameValue(own, ctor), own, true
}

func (m *Machine[V]) acquire() *reaction[V] {
	r := m.free
	if r == nil {
		return &reaction[V]{}
	}
	m.free, r.next = r.next, nil
	return r
}

func (m *Machine[V]) release(r *reaction[V]) {
	*r = reaction[V]{next: m.free}
	m.free = r
}

// This file defines promise capabilities and the static methods and the
// finally of promises that rest on them.

package promise

// Capability is a PromiseCapability record (27.2.1.1). For %Promise% Native is
// set and Resolve and Reject are the zero V; [Machine.Functions] makes them
// where a program can see them.
type Capability[V any] struct {
	Promise         V
	Native          *Promise[V]
	Resolve, Reject V
	shared          *resolution[V]
}

// Capability is NewPromiseCapability (27.2.1.5). If it returns false, the
// second result was thrown.
func (m *Machine[V]) Capability(ctor V) (c Capability[V], thrown V, ok bool) {
	if m.agent.SameValue(ctor, m.agent.IntrinsicConstructor()) {
		p := m.NewPromise()
		return Capability[V]{Promise: m.agent.Object(p), Native: p, shared: &resolution[V]{}}, thrown, true
	}
	if !m.agent.IsConstructor(ctor) {
		return c, m.agent.TypeError("Promise method called on a value that is not a constructor"), false
	}
	return m.foreignCapability(ctor)
}

func (m *Machine[V]) foreignCapability(ctor V) (c Capability[V], thrown V, ok bool) {
	undefined := m.agent.Undefined()
	resolve, reject := undefined, undefined
	executor := m.agent.Function(2, func(args []V) (V, bool) {
		if !m.agent.SameValue(resolve, undefined) || !m.agent.SameValue(reject, undefined) {
			return m.agent.TypeError("Promise executor has already been invoked with non-undefined arguments"), false
		}
		resolve = m.first(args)
		if len(args) > 1 {
			reject = args[1]
		}
		return undefined, true
	})
	object, ok := m.agent.Construct(ctor, executor)
	if !ok {
		return c, object, false
	}
	if !m.agent.IsCallable(resolve) || !m.agent.IsCallable(reject) {
		return c, m.agent.TypeError("Promise resolve or reject function is not callable"), false
	}
	return Capability[V]{Promise: object, Resolve: resolve, Reject: reject}, thrown, true
}

// Functions are the resolve and reject functions of c, made on demand and the
// same ones each time.
func (m *Machine[V]) Functions(c *Capability[V]) (resolve, reject V) {
	if c.Native == nil {
		return c.Resolve, c.Reject
	}
	return m.pair(c.Native, c.shared)
}

// settleCapability calls the resolve or reject function of c.
func (m *Machine[V]) settleCapability(c *Capability[V], v V, rejected bool) (V, bool) {
	switch {
	case c.Native != nil:
		m.decide(c.Native, c.shared, v, rejected)
		return m.agent.Undefined(), true
	case rejected:
		return m.agent.Call(c.Reject, m.agent.Undefined(), v)
	}
	return m.agent.Call(c.Resolve, m.agent.Undefined(), v)
}

// PromiseResolve is PromiseResolve (27.2.4.7.1) and, with the receiver as ctor,
// Promise.resolve.
func (m *Machine[V]) PromiseResolve(ctor, x V) (V, bool) {
	intrinsic := m.agent.SameValue(ctor, m.agent.IntrinsicConstructor())
	if m.agent.NativePromise(x) != nil {
		same, thrown, ok := m.constructedBy(x, ctor, intrinsic)
		if !ok {
			return thrown, false
		}
		if same {
			return x, true
		}
	}
	if intrinsic {
		p := m.NewPromise()
		m.Resolve(p, x)
		return m.agent.Object(p), true
	}
	return m.settled(ctor, x, false)
}

// PromiseReject is Promise.reject (27.2.4.6) with the receiver as ctor.
func (m *Machine[V]) PromiseReject(ctor, reason V) (V, bool) {
	return m.settled(ctor, reason, true)
}

func (m *Machine[V]) settled(ctor, v V, rejected bool) (V, bool) {
	c, thrown, ok := m.Capability(ctor)
	if !ok {
		return thrown, false
	}
	if thrown, ok := m.settleCapability(&c, v, rejected); !ok {
		return thrown, false
	}
	return c.Promise, true
}

// Try is Promise.try (27.2.4.8) with the receiver as ctor.
func (m *Machine[V]) Try(ctor, callback V, args ...V) (V, bool) {
	c, thrown, ok := m.Capability(ctor)
	if !ok {
		return thrown, false
	}
	v, ok := m.agent.Call(callback, m.agent.Undefined(), args...)
	if thrown, ok := m.settleCapability(&c, v, !ok); !ok {
		return thrown, false
	}
	return c.Promise, true
}

// WithResolvers is Promise.withResolvers (27.2.4.9) with the receiver as ctor.
func (m *Machine[V]) WithResolvers(ctor V) (V, bool) {
	c, thrown, ok := m.Capability(ctor)
	if !ok {
		return thrown, false
	}
	resolve, reject := m.Functions(&c)
	return m.agent.Record([]string{"promise", "resolve", "reject"}, []V{c.Promise, resolve, reject}), true
}

// invokeThen is Invoke(v, "then", args).
func (m *Machine[V]) invokeThen(v V, args ...V) (V, bool) {
	then, ok := m.agent.Get(v, "then")
	if !ok {
		return then, false
	}
	return m.agent.Call(then, v, args...)
}

// Finally is Promise.prototype.finally (27.2.5.3) of the object promise, behind
// its SpeciesConstructor step, whose result is ctor.
func (m *Machine[V]) Finally(promise, ctor, onFinally V) (V, bool) {
	if !m.agent.IsCallable(onFinally) {
		return m.invokeThen(promise, onFinally, onFinally)
	}
	return m.invokeThen(promise, m.finalizer(ctor, onFinally, true), m.finalizer(ctor, onFinally, false))
}

// finalizer is the Then Finally function (outcome true) or the Catch Finally
// function (false): it runs onFinally, waits for what it returns, and passes
// the original outcome on.
func (m *Machine[V]) finalizer(ctor, onFinally V, outcome bool) V {
	return m.agent.Function(1, func(args []V) (V, bool) {
		original := m.first(args)
		v, ok := m.agent.Call(onFinally, m.agent.Undefined())
		if !ok {
			return v, false
		}
		p, ok := m.PromiseResolve(ctor, v)
		if !ok {
			return p, false
		}
		return m.invokeThen(p, m.agent.Function(0, func([]V) (V, bool) { return original, outcome }))
	})
}

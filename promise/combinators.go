// This file defines Promise.all, allSettled, any and race (27.2.4.1 to .5).

package promise

// Iteration is the iterable of a combinator. GetIterator belongs to the first
// Next, so that it comes where the specification has it; what it throws Next
// returns.
type Iteration[V any] interface {
	// Next is IteratorStepValue. If ok is false, thrown was thrown and the
	// iterator is done.
	Next() (v V, done bool, thrown V, ok bool)
	// Close is IteratorClose with a throw completion.
	Close()
}

type combination uint8

const (
	all combination = iota
	allSettled
	anyOf
	race
)

// combinator is one running call of a combinator.
type combinator[V any] struct {
	m          *Machine[V]
	capability Capability[V]
	values     []V // of all and allSettled, or the errors of any
	remaining  int
	traced     int // the measurement that saw values last
	kind       combination
}

// All is Promise.all with the receiver as ctor. The result is a promise object;
// false means that making it threw.
func (m *Machine[V]) All(ctor V, items Iteration[V]) (V, bool) { return m.combine(all, ctor, items) }

// AllSettled is Promise.allSettled. See [Machine.All].
func (m *Machine[V]) AllSettled(ctor V, items Iteration[V]) (V, bool) {
	return m.combine(allSettled, ctor, items)
}

// Any is Promise.any. See [Machine.All].
func (m *Machine[V]) Any(ctor V, items Iteration[V]) (V, bool) { return m.combine(anyOf, ctor, items) }

// Race is Promise.race. See [Machine.All].
func (m *Machine[V]) Race(ctor V, items Iteration[V]) (V, bool) { return m.combine(race, ctor, items) }

func (m *Machine[V]) combine(kind combination, ctor V, items Iteration[V]) (V, bool) {
	capability, thrown, ok := m.Capability(ctor)
	if !ok {
		return thrown, false
	}
	c := &combinator[V]{m: m, capability: capability, kind: kind, remaining: 1}
	if thrown, ok := c.start(ctor, items); !ok {
		if thrown, ok := m.settleCapability(&c.capability, thrown, true); !ok {
			return thrown, false
		}
	}
	return capability.Promise, true
}

// start is everything between IfAbruptRejectPromise and its completion.
func (c *combinator[V]) start(ctor V, items Iteration[V]) (thrown V, ok bool) {
	resolve, ok := c.m.agent.Get(ctor, "resolve")
	if !ok {
		return resolve, false
	}
	if !c.m.agent.IsCallable(resolve) {
		return c.m.agent.TypeError("resolve is not a function"), false
	}
	for index := 0; ; index++ {
		v, done, thrown, ok := items.Next()
		switch {
		case !ok:
			return thrown, false
		case done:
			return c.countDown()
		}
		if thrown, ok := c.add(ctor, resolve, v, index); !ok {
			items.Close()
			return thrown, false
		}
	}
}

// countDown ends one element, or the loop, which counts as one.
func (c *combinator[V]) countDown() (V, bool) {
	c.remaining--
	if c.remaining > 0 || c.kind == race {
		return c.m.agent.Undefined(), true
	}
	if c.kind == anyOf {
		return c.finish(c.m.agent.AggregateError(c.values), true)
	}
	return c.finish(c.m.agent.List(c.values), false)
}

func (c *combinator[V]) finish(v V, rejected bool) (V, bool) {
	return c.m.settleCapability(&c.capability, v, rejected)
}

func (c *combinator[V]) add(ctor, resolve, v V, index int) (thrown V, ok bool) {
	agent := c.m.agent
	if c.kind != race {
		c.values = append(c.values, agent.Undefined())
	}
	next, ok := agent.Call(resolve, ctor, v)
	if !ok {
		return next, false
	}
	c.remaining++
	then, ok := agent.Get(next, "then")
	if !ok {
		return then, false
	}
	if p := agent.NativePromise(next); p != nil && c.capability.Native != nil && c.m.shortcuts != nil &&
		c.m.shortcuts.OrdinaryThen(next, then) {
		c.m.Observe(p, &element[V]{c: c, index: index})
		return then, true
	}
	onFulfilled, onRejected := c.handlers(index)
	return agent.Call(then, next, onFulfilled, onRejected)
}

// handlers are the two functions that the combinator passes to then.
func (c *combinator[V]) handlers(index int) (onFulfilled, onRejected V) {
	e := &element[V]{c: c, index: index}
	switch c.kind {
	case all:
		_, reject := c.m.Functions(&c.capability)
		return e.function(false), reject
	case anyOf:
		resolve, _ := c.m.Functions(&c.capability)
		return resolve, e.function(true)
	case allSettled:
		return e.function(false), e.function(true)
	}
	return c.m.Functions(&c.capability)
}

// element is the state of one item: the [[Index]] and [[AlreadyCalled]] of its
// element functions.
type element[V any] struct {
	c      *combinator[V]
	index  int
	called bool
}

func (e *element[V]) function(rejected bool) V {
	return e.c.m.agent.Function(1, func(args []V) (V, bool) {
		if e.called {
			return e.c.m.agent.Undefined(), true
		}
		e.called = true
		return e.store(e.c.m.first(args), rejected)
	})
}

func (e *element[V]) store(v V, rejected bool) (V, bool) {
	if e.c.kind == allSettled {
		v = e.c.m.outcome(v, rejected)
	}
	e.c.values[e.index] = v
	return e.c.countDown()
}

// outcome is one item of the array that allSettled resolves to.
func (m *Machine[V]) outcome(v V, rejected bool) V {
	if rejected {
		return m.agent.Record([]string{"status", "reason"}, []V{m.agent.String("rejected"), v})
	}
	return m.agent.Record([]string{"status", "value"}, []V{m.agent.String("fulfilled"), v})
}

// Resume implements [Continuation] for the case that nobody can see the
// element functions.
func (e *element[V]) Resume(v V, rejected bool) {
	switch kind := e.c.kind; {
	case kind == race, kind == all && rejected, kind == anyOf && !rejected:
		e.c.finish(v, rejected)
	default:
		e.store(v, rejected)
	}
}

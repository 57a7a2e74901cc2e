package proptest

// This file defines a model of promises, written from ECMA-262 27.2 and 9.5 alone: closures and slices, no shortcuts.

import "slices"

type modelPromise struct {
	state     string // "pending", "fulfilled", "rejected"
	result    any
	fulfil    []modelReaction
	reject    []modelReaction
	isHandled bool
}

type modelReaction struct {
	capability *modelCapability // or nil
	kind       string           // "fulfill" or "reject"
	handler    handler          // or nil for empty
}

type modelCapability struct {
	promise         *modelPromise
	resolve, reject func(any)
}

type modelThenable struct {
	name string
	v    any
}

type model struct {
	jobs    []func()
	lines   []string
	tracked []*modelPromise // by HostPromiseRejectionTracker
}

func (m *model) log() *[]string { return &m.lines }

func (m *model) unhandled() int { return len(m.tracked) }

// HostEnqueuePromiseJob and the loop that runs jobs, 9.5.
func (m *model) job(f func()) { m.jobs = append(m.jobs, f) }

func (m *model) run() {
	for len(m.jobs) > 0 {
		next := m.jobs[0]
		m.jobs = m.jobs[1:]
		next()
	}
}

// createResolvingFunctions is 27.2.1.3.
func (m *model) createResolvingFunctions(p *modelPromise) (resolve, reject func(any)) {
	alreadyResolved := false
	resolve = func(resolution any) {
		if alreadyResolved {
			return
		}
		alreadyResolved = true
		if resolution == any(p) {
			m.rejectPromise(p, &failure{name: "TypeError"})
			return
		}
		then := m.getThen(resolution)
		if then == nil {
			m.fulfillPromise(p, resolution)
			return
		}
		// NewPromiseResolveThenableJob, 27.2.2.2.
		m.job(func() {
			resolve, reject := m.createResolvingFunctions(p)
			then(resolve, reject)
		})
	}
	reject = func(reason any) {
		if alreadyResolved {
			return
		}
		alreadyResolved = true
		m.rejectPromise(p, reason)
	}
	return resolve, reject
}

// getThen is Get(resolution, "then") where that is callable, otherwise nil.
func (m *model) getThen(resolution any) func(resolve, reject func(any)) {
	switch r := resolution.(type) {
	case *modelPromise:
		return func(resolve, reject func(any)) {
			m.performThen(r, call(resolve), call(reject), m.newCapability())
		}
	case *modelThenable:
		m.lines = append(m.lines, "get "+r.name)
		return func(resolve, _ func(any)) {
			m.lines = append(m.lines, "call "+r.name)
			resolve(r.v)
		}
	}
	return nil
}

func call(f func(any)) handler {
	return func(v any) (any, bool) { f(v); return nil, true }
}

// fulfillPromise is 27.2.1.4, rejectPromise 27.2.1.7.
func (m *model) fulfillPromise(p *modelPromise, v any) {
	reactions := p.fulfil
	p.state, p.result, p.fulfil, p.reject = "fulfilled", v, nil, nil
	m.trigger(reactions, v)
}

func (m *model) rejectPromise(p *modelPromise, reason any) {
	reactions := p.reject
	p.state, p.result, p.fulfil, p.reject = "rejected", reason, nil, nil
	if !p.isHandled {
		m.tracked = append(m.tracked, p)
	}
	m.trigger(reactions, reason)
}

func (m *model) trigger(reactions []modelReaction, argument any) {
	for _, r := range reactions {
		m.newReactionJob(r, argument)
	}
}

// newReactionJob is 27.2.2.1.
func (m *model) newReactionJob(r modelReaction, argument any) {
	m.job(func() {
		v, ok := argument, r.kind == "fulfill"
		if r.handler != nil {
			v, ok = r.handler(argument)
		}
		switch {
		case r.capability == nil:
		case ok:
			r.capability.resolve(v)
		default:
			r.capability.reject(v)
		}
	})
}

// newCapability is NewPromiseCapability(%Promise%), 27.2.1.5.
func (m *model) newCapability() *modelCapability {
	p := &modelPromise{state: "pending"}
	resolve, reject := m.createResolvingFunctions(p)
	return &modelCapability{p, resolve, reject}
}

// performThen is 27.2.5.4.1.
func (m *model) performThen(p *modelPromise, onFulfilled, onRejected handler, result *modelCapability) {
	fulfil, reject := modelReaction{result, "fulfill", onFulfilled}, modelReaction{result, "reject", onRejected}
	switch p.state {
	case "pending":
		p.fulfil, p.reject = append(p.fulfil, fulfil), append(p.reject, reject)
	case "fulfilled":
		m.newReactionJob(fulfil, p.result)
	default:
		if !p.isHandled {
			m.tracked = slices.DeleteFunc(m.tracked, func(q *modelPromise) bool { return q == p })
		}
		m.newReactionJob(reject, p.result)
	}
	p.isHandled = true
}

func (m *model) then(p any, onFulfilled, onRejected handler) any {
	c := m.newCapability()
	m.performThen(p.(*modelPromise), onFulfilled, onRejected, c)
	return c.promise
}

// resolve is PromiseResolve(%Promise%, v), 27.2.4.7.1.
func (m *model) resolve(v any) any {
	if p, ok := v.(*modelPromise); ok {
		return p
	}
	c := m.newCapability()
	c.resolve(v)
	return c.promise
}

func (m *model) reject(v any) any {
	c := m.newCapability()
	c.reject(v)
	return c.promise
}

// finally is 27.2.5.3.
func (m *model) finally(p any, onFinally handler) any {
	after := func(then handler) handler {
		return func(v any) (any, bool) {
			result, ok := onFinally(nil)
			if !ok {
				return result, false
			}
			return m.then(m.resolve(result), func(any) (any, bool) { return then(v) }, nil), true
		}
	}
	return m.then(p, after(func(v any) (any, bool) { return v, true }), after(func(v any) (any, bool) { return v, false }))
}

func (m *model) construct(executor func(resolve, reject func(any)) (any, bool)) any {
	c := m.newCapability()
	if thrown, threw := executor(c.resolve, c.reject); threw {
		c.reject(thrown)
	}
	return c.promise
}

// combine is 27.2.4.1 (all), .2 (allSettled), .3 (any) and .5 (race).
func (m *model) combine(kind string, items []any) any {
	c := m.newCapability()
	values, remaining := make([]any, len(items)), 1
	countDown := func() {
		if remaining--; remaining > 0 {
			return
		}
		switch kind {
		case "all", "allSettled":
			c.resolve(&list{values})
		case "any":
			c.reject(&failure{"AggregateError", values})
		}
	}
	for i, item := range items {
		next := m.resolve(item)
		called := false
		element := func(wrap func(any) any) handler {
			return call(func(v any) {
				if called {
					return
				}
				called = true
				values[i] = wrap(v)
				countDown()
			})
		}
		same := func(v any) any { return v }
		remaining++
		switch kind {
		case "all":
			m.then(next, element(same), call(c.reject))
		case "allSettled":
			m.then(next, element(func(v any) any { return &record{"fulfilled", "value", v} }),
				element(func(v any) any { return &record{"rejected", "reason", v} }))
		case "any":
			m.then(next, call(c.resolve), element(same))
		case "race":
			m.then(next, call(c.resolve), call(c.reject))
		}
	}
	countDown()
	return c.promise
}

func (m *model) thenable(name string, v any) any { return &modelThenable{name, v} }

// await is Await, 27.7.5.3.
func (m *model) await(v any, k func(any, bool)) {
	m.performThen(m.resolve(v).(*modelPromise), call(func(v any) { k(v, false) }), call(func(v any) { k(v, true) }), nil)
}

// async is the promise of an async function and its completion, 27.7.5.2.
func (m *model) async() (any, func(any, bool)) {
	c := m.newCapability()
	return c.promise, func(v any, rejected bool) {
		if rejected {
			c.reject(v)
		} else {
			c.resolve(v)
		}
	}
}

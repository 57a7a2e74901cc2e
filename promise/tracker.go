// This file defines the rejection tracker (HostPromiseRejectionTracker,
// 27.2.1.9) and what a measurement of live memory sees of the machine.

package promise

import (
	"cmp"
	"slices"
)

func (m *Machine[V]) track(p *Promise[V]) {
	if len(m.rejected) >= m.compactAt {
		m.rejected = slices.DeleteFunc(m.rejected, (*Promise[V]).Handled)
		m.compactAt = max(64, 2*len(m.rejected))
	}
	if m.Place != nil {
		p.place = m.Place(p.value)
	}
	m.rejected = append(m.rejected, p)
}

// Unhandled are the promises that were rejected and have no reaction up to
// now, in the order of their creation.
func (m *Machine[V]) Unhandled() []*Promise[V] {
	var unhandled []*Promise[V]
	for _, p := range m.rejected {
		if !p.handled {
			unhandled = append(unhandled, p)
		}
	}
	slices.SortFunc(unhandled, func(a, b *Promise[V]) int { return cmp.Compare(a.born, b.born) })
	return unhandled
}

// Visitor sees what a machine or promise holds.
type Visitor[V any] interface {
	Value(v V)
	Promise(p *Promise[V])
	Continuation(k Continuation[V])
}

// Trace shows all that waiting jobs and tracked rejections hold. A measurement
// begins with it: what many reactions share is shown once from one call to the
// next.
func (m *Machine[V]) Trace(visit Visitor[V]) {
	m.epoch++
	m.jobs.each(func(j *job[V]) {
		visit.Value(j.value)
		visit.Value(j.handler)
		traceEnds(visit, j.k, j.result, j.capability)
	})
	for _, p := range m.rejected {
		visit.Promise(p)
	}
}

// Trace shows the promise's value and all that its reactions hold.
func (p *Promise[V]) Trace(visit Visitor[V]) {
	visit.Value(p.value)
	for r := p.first; r != nil; r = r.next {
		visit.Value(r.onFulfilled)
		visit.Value(r.onRejected)
		traceEnds(visit, r.k, r.result, r.capability)
	}
}

func traceEnds[V any](visit Visitor[V], k Continuation[V], p *Promise[V], c *Capability[V]) {
	switch k := k.(type) {
	case nil:
	case *element[V]:
		k.c.trace(visit)
	case *adoption[V]:
		visit.Promise(k.result)
	default:
		visit.Continuation(k)
	}
	if p != nil {
		visit.Promise(p)
	}
	if c != nil {
		c.trace(visit)
	}
}

func (c *Capability[V]) trace(visit Visitor[V]) {
	visit.Value(c.Promise)
	visit.Value(c.Resolve)
	visit.Value(c.Reject)
	if c.Native != nil {
		visit.Promise(c.Native)
	}
}

func (c *combinator[V]) trace(visit Visitor[V]) {
	if c.traced == c.m.epoch && c.traced > 0 {
		return
	}
	c.traced = c.m.epoch
	c.capability.trace(visit)
	for _, v := range c.values {
		visit.Value(v)
	}
}

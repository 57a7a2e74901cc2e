// This file defines the job queue and what each kind of job does.

package promise

type jobKind uint8

const (
	reactionJob     jobKind = iota // NewPromiseReactionJob with a handler or none
	continuationJob                // the same, resuming a continuation
	thenableJob                    // NewPromiseResolveThenableJob
)

// job is one entry of the queue. It is a struct and not a closure so that
// enqueuing allocates nothing.
type job[V any] struct {
	value      V // the argument, or the thenable
	handler    V // the handler, or the thenable's then
	k          Continuation[V]
	result     *Promise[V]
	capability *Capability[V]
	kind       jobKind
	rejected   bool
	handled    bool // handler is callable
}

// queue is a first-in first-out list of chunks: it neither moves jobs when it
// grows nor keeps what it grew to.
type queue[V any] struct {
	first, last *chunk[V]
	spare       *chunk[V] // an empty one, for reuse
	head, tail  int       // where the next job is in first and goes to in last
	count       int
}

type chunk[V any] struct {
	jobs [32]job[V]
	next *chunk[V]
}

func (q *queue[V]) push(j job[V]) {
	if q.last == nil || q.tail == len(q.last.jobs) {
		q.extend()
	}
	q.last.jobs[q.tail] = j
	q.tail++
	q.count++
}

func (q *queue[V]) extend() {
	c := q.spare
	if q.spare = nil; c == nil {
		c = &chunk[V]{}
	}
	if q.tail = 0; q.last == nil {
		q.first = c
	} else {
		q.last.next = c
	}
	q.last = c
}

func (q *queue[V]) pop() job[V] {
	c := q.first
	j := c.jobs[q.head]
	c.jobs[q.head] = job[V]{}
	q.head++
	q.count--
	switch {
	case q.count == 0:
		q.head, q.tail = 0, 0 // first is last
	case q.head == len(c.jobs):
		q.first, q.head = c.next, 0
		c.next, q.spare = nil, c
	}
	return j
}

// each visits the jobs in order.
func (q *queue[V]) each(visit func(j *job[V])) {
	c, at := q.first, q.head
	for range q.count {
		if at == len(c.jobs) {
			c, at = c.next, 0
		}
		visit(&c.jobs[at])
		at++
	}
}

// Len is the number of jobs waiting.
func (m *Machine[V]) Len() int { return m.jobs.count }

type hostJob[V any] func()

func (f hostJob[V]) Resume(V, bool) { f() }

// Enqueue appends a job of the host, as queueMicrotask does.
func (m *Machine[V]) Enqueue(f func()) {
	m.jobs.push(job[V]{kind: continuationJob, k: hostJob[V](f)})
}

// RunJob runs the oldest job. It returns false if there is none or the agent
// has terminated.
func (m *Machine[V]) RunJob() bool {
	if m.jobs.count == 0 || m.agent.Terminated() {
		return false
	}
	j := m.jobs.pop()
	switch j.kind {
	case continuationJob:
		j.k.Resume(j.value, j.rejected)
	case reactionJob:
		m.runReaction(&j)
	case thenableJob:
		m.runThenable(&j)
	}
	return true
}

// trigger is TriggerPromiseReactions for one reaction.
func (m *Machine[V]) trigger(r *reaction[V], v V, rejected bool) {
	if r.k != nil {
		m.jobs.push(job[V]{kind: continuationJob, k: r.k, value: v, rejected: rejected})
		return
	}
	j := job[V]{kind: reactionJob, value: v, rejected: rejected, result: r.result, capability: r.capability}
	if rejected {
		j.handler, j.handled = r.onRejected, r.hasRejected
	} else {
		j.handler, j.handled = r.onFulfilled, r.hasFulfilled
	}
	m.jobs.push(j)
}

// runReaction is the closure of NewPromiseReactionJob (27.2.2.1).
func (m *Machine[V]) runReaction(j *job[V]) {
	v, rejected := j.value, j.rejected
	if j.handled {
		var ok bool
		v, ok = m.agent.Call(j.handler, m.agent.Undefined(), j.value)
		rejected = !ok
		if m.agent.Terminated() {
			return
		}
	}
	switch {
	case j.result != nil:
		m.complete(j.result, v, rejected)
	case j.capability != nil:
		// The job ends with the completion of the call; nobody is there to
		// see it.
		m.settleCapability(j.capability, v, rejected)
	}
}

// runThenable is the closure of NewPromiseResolveThenableJob (27.2.2.2).
func (m *Machine[V]) runThenable(j *job[V]) {
	if m.shortcuts != nil {
		if p := m.agent.NativePromise(j.value); p != nil && m.shortcuts.OrdinaryThen(j.value, j.handler) {
			m.Observe(p, &adoption[V]{m, j.result})
			return
		}
	}
	s := &resolution[V]{}
	resolve, reject := m.pair(j.result, s)
	thrown, ok := m.agent.Call(j.handler, j.value, resolve, reject)
	if !ok && !m.agent.Terminated() {
		m.decide(j.result, s, thrown, true)
	}
}

// adoption stands for the resolving functions that the job would pass to the
// intrinsic then.
type adoption[V any] struct {
	m      *Machine[V]
	result *Promise[V]
}

// Resume implements [Continuation].
func (a *adoption[V]) Resume(v V, rejected bool) { a.m.complete(a.result, v, rejected) }

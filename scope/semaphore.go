// This file defines the semaphore: permits handed out in the order of asking.

package scope

import (
	"context"
	"sync"
)

// Semaphore hands out a fixed number of permits, first come, first served. All
// methods may be called from any goroutine.
type Semaphore struct {
	mu         sync.Mutex
	size, free int
	head, tail *Ticket // waiting
	served     []*Ticket
	delivering bool
}

// NewSemaphore makes a semaphore with n permits.
func NewSemaphore(n int) *Semaphore { return &Semaphore{size: n, free: n} }

// Held is the number of permits that have been granted and not returned.
func (s *Semaphore) Held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size - s.free
}

type ticketState uint8

const (
	waiting ticketState = iota
	granted
	returned
)

// Ticket is a place in the queue of a semaphore and then a permit.
type Ticket struct {
	semaphore  *Semaphore
	serve      func(*Ticket)
	state      ticketState
	next, prev *Ticket
}

// Ticket takes the next place in the queue. serve is called once, with the
// ticket, when the permit is granted: before Ticket returns if one is free, otherwise on the
// goroutine that gives one back. Calls of serve never overlap and come in the
// order of the tickets; serve must not block.
func (s *Semaphore) Ticket(serve func(*Ticket)) *Ticket {
	t := &Ticket{semaphore: s, serve: serve}
	s.mu.Lock()
	if s.free > 0 && s.head == nil {
		s.free--
		s.grant(t)
	} else {
		s.enqueue(t)
	}
	s.deliver()
	return t
}

func (s *Semaphore) enqueue(t *Ticket) {
	if t.prev = s.tail; t.prev == nil {
		s.head = t
	} else {
		t.prev.next = t
	}
	s.tail = t
}

func (s *Semaphore) unlink(t *Ticket) {
	if t.prev == nil {
		s.head = t.next
	} else {
		t.prev.next = t.next
	}
	if t.next == nil {
		s.tail = t.prev
	} else {
		t.next.prev = t.prev
	}
	t.next, t.prev = nil, nil
}

func (s *Semaphore) grant(t *Ticket) {
	t.state = granted
	s.served = append(s.served, t)
}

// deliver calls serve for what was granted, unless another goroutine, or a
// caller further up on this one, is at it. It is called with the lock held and
// releases it.
func (s *Semaphore) deliver() {
	if s.delivering {
		s.mu.Unlock()
		return
	}
	s.delivering = true
	for len(s.served) > 0 {
		t := s.served[0]
		s.served[0] = nil
		s.served = s.served[1:]
		s.mu.Unlock()
		t.serve(t)
		s.mu.Lock()
	}
	s.served = nil
	s.delivering = false
	s.mu.Unlock()
}

// Return gives the permit back, or the place in the queue up. Only the first
// call has an effect. It reports whether the ticket had been granted.
func (t *Ticket) Return() bool {
	s := t.semaphore
	s.mu.Lock()
	was := t.state
	t.state = returned
	switch was {
	case waiting:
		s.unlink(t)
		s.mu.Unlock()
		return false
	case returned:
		s.mu.Unlock()
		return false
	}
	if next := s.head; next != nil {
		s.unlink(next)
		s.grant(next)
	} else {
		s.free++
	}
	s.deliver()
	return true
}

// Acquire waits for a permit until ctx is done; the error is why. The permit is
// given back with the ticket's Return.
func (s *Semaphore) Acquire(ctx context.Context) (*Ticket, error) {
	if i := InterruptOf(ctx); i != nil {
		return nil, i
	}
	ready := make(chan struct{})
	t := s.Ticket(func(*Ticket) { close(ready) })
	select {
	case <-ready:
		return t, nil
	case <-ctx.Done():
		t.Return()
		return nil, InterruptOf(ctx)
	}
}

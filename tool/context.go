// This file defines what a tool can do through its context.

package tool

import (
	"context"
	"sync"

	"github.com/codemode-go/codemode/scope"
)

type callKey struct{}

// Attachment is a file or image that a tool hands to the host beside its value.
type Attachment struct {
	Name     string
	MIMEType string
	Data     []byte
	URI      string // instead of Data, if it lies elsewhere
}

type attached struct {
	index int
	item  Attachment
}

// Attach hands an attachment to the host of the execution; it never enters
// values. Outside a call it does nothing. Any goroutine may call it.
func Attach(ctx context.Context, a Attachment) {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return
	}
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.state == runningCall {
		s.attachments = append(s.attachments, attached{c.record.Index, a})
	}
}

// Attachments are what tools attached, in the order of the calls.
func (s *Session) Attachments() []Attachment {
	s.mu.Lock()
	defer s.mu.Unlock()
	byCall := map[int][]Attachment{}
	last := -1
	for _, a := range s.attachments {
		byCall[a.index] = append(byCall[a.index], a.item)
		last = max(last, a.index)
	}
	var all []Attachment
	for i := 0; i <= last; i++ {
		all = append(all, byCall[i]...)
	}
	return all
}

// Waiting says that the call waits for a person from now on: it gives up its
// permit, the time of its tool's own [Timeout] stands still, and the clock of
// the execution may. The tool must call
// resume when it goes on, which waits for a permit again and returns an error if
// the call is interrupted meanwhile. A tool that waits for several people at
// once goes on with the last resume. Outside a call, or when the call is over,
// it does nothing. Any goroutine of the tool may call both.
func Waiting(ctx context.Context) (resume func() error) {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok || !c.wait() {
		return func() error { return nil }
	}
	var once sync.Once
	var err error
	return func() error {
		once.Do(func() { err = c.resume(ctx) })
		return err
	}
}

// wait takes the call off the clock and its permit back, the first time. It
// reports whether the call runs.
func (c *call) wait() bool {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.state != runningCall {
		return false
	}
	c.waiting++
	if c.waiting > 1 {
		return true
	}
	for _, d := range c.clocks() {
		d.Waiting(1)
		d.Busy(-1)
	}
	if t := c.permit; t != nil {
		// Serving the next in the queue takes the lock.
		s.mu.Unlock()
		t.Return()
		s.mu.Lock()
	}
	return true
}

func (c *call) resume(ctx context.Context) error {
	if !c.goOn() {
		return nil
	}
	t, err := c.session.permits.Acquire(ctx)
	if err != nil {
		return err
	}
	s := c.session
	s.mu.Lock()
	over := c.state != runningCall
	if !over {
		c.permit = t
	}
	s.mu.Unlock()
	if over {
		t.Return()
	}
	return nil
}

// goOn puts the call back on the clock. It reports whether the call needs a
// permit again.
func (c *call) goOn() bool {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.state != runningCall {
		return false
	}
	c.waiting--
	if c.waiting > 0 {
		return false
	}
	for _, d := range c.clocks() {
		d.Busy(1)
		d.Waiting(-1)
	}
	return c.permit != nil
}

// clocks are those that know whether the call is at work or waits.
func (c *call) clocks() []*scope.Deadline {
	var list []*scope.Deadline
	if d := c.session.options.Deadline; d != nil {
		list = append(list, d)
	}
	if c.limit != nil {
		list = append(list, c.limit)
	}
	return list
}

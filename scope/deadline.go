// This file defines the pausable deadline.

package scope

import (
	"sync"
	"time"
)

// Deadline is a clock that runs down and can stand still. It stands while
// somebody waits (for a person, say) and nobody is busy, at most for maxWait in
// all. All methods may be called from any goroutine.
type Deadline struct {
	mu       sync.Mutex
	timer    *time.Timer
	expire   func()
	left     time.Duration // of the time allowed, at since
	waitLeft time.Duration // of the waiting allowed, at since; negative is no bound
	since    time.Time
	waiting  int
	busy     int
	standing bool
	over     bool
	waited   time.Duration
	armed    int // counts timers, to know a stale one
}

// NoDeadline is the duration of a deadline that never expires by itself.
const NoDeadline time.Duration = 1<<63 - 1

// NewDeadline starts a clock of d, after which expire is called once on a
// goroutine of the timer. maxWait bounds the sum of standing still; a negative
// one is no bound.
func NewDeadline(d, maxWait time.Duration, expire func()) *Deadline {
	c := &Deadline{left: d, waitLeft: maxWait, since: time.Now(), expire: expire}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arm()
	return c
}

// Waiting changes the number of those who wait, Busy the number of those who
// are at work.
func (c *Deadline) Waiting(delta int) { c.change(delta, 0) }

// Busy changes the number of those at work. See [Deadline.Waiting].
func (c *Deadline) Busy(delta int) { c.change(0, delta) }

func (c *Deadline) change(waiting, busy int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting += waiting
	c.busy += busy
	if stand := c.waiting > 0 && c.busy <= 0 && c.waitLeft != 0; stand != c.standing {
		c.account()
		c.standing = stand
		c.arm()
	}
}

// account brings what is left up to date.
func (c *Deadline) account() {
	now := time.Now()
	passed := now.Sub(c.since)
	c.since = now
	if !c.standing {
		c.left = max(0, c.left-passed)
		return
	}
	c.waited += passed
	if c.waitLeft > 0 {
		c.waitLeft = max(0, c.waitLeft-passed)
	}
}

// arm sets the timer for whichever clock runs.
func (c *Deadline) arm() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	d := c.left
	if c.standing {
		d = c.waitLeft
	}
	if c.over || d < 0 || d == NoDeadline {
		return
	}
	c.armed++
	armed := c.armed
	c.timer = time.AfterFunc(d, func() { c.fire(armed) })
}

func (c *Deadline) fire(armed int) {
	c.mu.Lock()
	if c.over || c.timer == nil || c.armed != armed {
		c.mu.Unlock()
		return
	}
	c.account()
	if c.standing {
		c.standing = false
		c.waitLeft = 0
		c.arm()
		c.mu.Unlock()
		return
	}
	c.over = true
	c.mu.Unlock()
	c.expire()
}

// Left is the time until expiry if the clock runs from now on.
func (c *Deadline) Left() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == NoDeadline {
		return NoDeadline
	}
	c.account()
	return c.left
}

// Waited is how long the clock has stood still in all.
func (c *Deadline) Waited() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.account()
	return c.waited
}

// Stop ends the clock; expire is not called after Stop returns true.
func (c *Deadline) Stop() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	stopped := !c.over
	c.over = true
	if c.timer != nil {
		c.timer.Stop()
	}
	return stopped
}

package value

// This file defines Activity: the record of what a program does that was compiled with tracing. The compiled code of
// other programs knows nothing of it.

import "time"

// The bounds of a record. What is beyond them is counted.
const (
	MaxTracedFibers   = 50_000
	MaxTracedSuspends = 100_000
)

// Activity is told by the code of a traced program which statement runs and when activations begin, suspend and end. It
// is used on the goroutine of the program. Times are since the beginning of the record.
type Activity struct {
	Steps []int64         // by site: how often the statement was begun
	Self  []time.Duration // by site: the time in it, without that of statements inside and of what it waited for

	Fibers   []FiberRecord
	Suspends []SuspendRecord

	// Fibers and suspensions beyond the bounds.
	DroppedFibers, DroppedSuspends int

	now   func() time.Duration
	waits func(Value) (CallID int, pending bool)

	at    spot
	since time.Duration
	live  []activation
	free  []int
}

// FiberRecord is one activation of an async function, a generator or the program itself.
type FiberRecord struct {
	Code       *Code
	Parent     int // index of the record of the fiber that called it, -1 for none
	Start, End time.Duration
	State      FiberState
}

// FiberState is how an activation stands.
type FiberState uint8

// The states. What has not ended when the execution does is unfinished.
const (
	FiberUnfinished FiberState = iota
	FiberReturned
	FiberThrew
)

// SuspendRecord is one suspension of a fiber. End is negative while it lasts.
type SuspendRecord struct {
	Fiber      int // index of the record, -1 if it was dropped
	Site       *SuspendSite
	Call       int // the call of a tool that is awaited, -1 for none
	Pending    bool
	Start, End time.Duration
}

// SuspendSite is a place of a program at which it may suspend.
type SuspendSite struct {
	Pos   int32
	Text  string // of what is awaited
	Yield bool
}

// spot is what runs: a statement of an activation, each -1 for none.
type spot struct{ site, activation int }

var nowhere = spot{-1, -1}

// activation is one that has begun and not ended.
type activation struct {
	fiber    int  // index of its record, -1 if it was dropped
	resumer  spot // what ran when it was begun or resumed
	own      spot // what it ran when it was suspended
	asleep   bool
	suspend  int // index of the record of the suspension under way, -1 for none
	finished bool
}

// NewActivity makes a record for a program with the given number of sites. waits tells which call of a tool a promise is of (-1
// for none) and whether it is a pending promise at all.
func NewActivity(sites int, now func() time.Duration, waits func(Value) (int, bool)) *Activity {
	return &Activity{Steps: make([]int64, sites), Self: make([]time.Duration, sites), now: now, waits: waits, at: nowhere}
}

// Fiber is the index of the record of the fiber that runs, -1 for none.
func (a *Activity) Fiber() int {
	if a.at.activation < 0 {
		return -1
	}
	return a.live[a.at.activation].fiber
}

// move accounts the time to what ran until now and says what runs from now on.
func (a *Activity) move(to spot) {
	now := a.now()
	if a.at.site >= 0 {
		a.Self[a.at.site] += now - a.since
	}
	a.since, a.at = now, to
}

// Pause and Go are the beginning and the end of a time in which the host is waited for.
func (a *Activity) Pause() { a.move(a.at) }

// Go is the end of what Pause began.
func (a *Activity) Go() { a.since = a.now() }

// Enter begins a statement; the result is for Leave.
func (a *Activity) Enter(site int) (outer int) {
	a.Steps[site]++
	outer = a.at.site
	a.move(spot{site, a.at.activation})
	return outer
}

// Leave ends the statement.
func (a *Activity) Leave(outer int) { a.move(spot{outer, a.at.activation}) }

// Begin begins an activation. The result is its number, for the other methods.
func (a *Activity) Begin(code *Code) int {
	parent, n := a.Fiber(), len(a.live)
	if last := len(a.free) - 1; last >= 0 {
		n, a.free = a.free[last], a.free[:last]
	} else {
		a.live = append(a.live, activation{})
	}
	resumer := a.at
	a.move(spot{-1, n})
	a.live[n] = activation{fiber: -1, resumer: resumer, suspend: -1}
	if len(a.Fibers) < MaxTracedFibers {
		a.live[n].fiber = len(a.Fibers)
		a.Fibers = append(a.Fibers, FiberRecord{Code: code, Parent: parent, Start: a.since, End: -1})
	} else {
		a.DroppedFibers++
	}
	return n
}

// End ends an activation.
func (a *Activity) End(n int, s FiberState) {
	l := &a.live[n]
	if l.finished {
		return
	}
	l.finished = true
	a.wake(l)
	a.move(l.resumer)
	if l.fiber >= 0 {
		a.Fibers[l.fiber].End, a.Fibers[l.fiber].State = a.since, s
	}
	a.free = append(a.free, n)
}

// Suspend says that an activation is about to be suspended, at an await of v or a yield.
func (a *Activity) Suspend(n int, at *SuspendSite, v Value) {
	l := &a.live[n]
	l.own, l.asleep, l.suspend = a.at, true, -1
	a.move(l.resumer)
	if len(a.Suspends) >= MaxTracedSuspends {
		a.DroppedSuspends++
		return
	}
	s := SuspendRecord{Fiber: l.fiber, Site: at, Call: -1, Start: a.since, End: -1}
	if !at.Yield {
		s.Call, s.Pending = a.waits(v)
	}
	l.suspend = len(a.Suspends)
	a.Suspends = append(a.Suspends, s)
}

// Resume says that an activation goes on, if it was suspended.
func (a *Activity) Resume(n int) {
	l := &a.live[n]
	if !l.asleep {
		return
	}
	l.resumer = a.at
	a.move(l.own)
	a.wake(l)
}

func (a *Activity) wake(l *activation) {
	if l.asleep && l.suspend >= 0 {
		a.Suspends[l.suspend].End = a.since
	}
	l.asleep = false
}

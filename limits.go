package codemode

// This file defines the limits a host can set, and how those of an execution override the runtime's.

import (
	"errors"
	"fmt"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// Limits bound one execution. A nil field is no limit, which is not the same as zero: new(0) allows no call at all.
type Limits struct {
	// TimeoutMs is the time from Execute to the end of the program, compilation and pending calls included, in
	// milliseconds; at least 1.
	TimeoutMs *int
	// MaxToolCalls is how many calls may run; further ones are refused, which the program can catch, and after 1,000
	// refusals the execution ends.
	MaxToolCalls *int
	// MaxOutputBytes bounds the JSON text of the value, the warnings and the logs together. What is cut is said in
	// Result.Notes; the execution does not fail.
	MaxOutputBytes *int
	// MaxMemoryBytes bounds the data that the program holds at a time, its calls and console lines included, in bytes.
	// Garbage does not count. Console lines may take a quarter of it; further ones are dropped, which Notes say. A result or an
	// input in which something is shared counts as often as it is referred to. The process may grow by about three times as
	// much.
	MaxMemoryBytes *int
}

// maxLimit is the largest value of any limit.
const maxLimit = 1<<31 - 1

func (l Limits) check(field string) error {
	for _, f := range []struct {
		name  string
		value *int
		least int
	}{
		{"TimeoutMs", l.TimeoutMs, 1},
		{"MaxToolCalls", l.MaxToolCalls, 0},
		{"MaxOutputBytes", l.MaxOutputBytes, 0},
		{"MaxMemoryBytes", l.MaxMemoryBytes, 1},
	} {
		if f.value != nil && (*f.value < f.least || *f.value > maxLimit) {
			return fmt.Errorf("codemode: %s.%s: got %d, want %d to %d, or nil for no limit", field, f.name, *f.value, f.least, maxLimit)
		}
	}
	return nil
}

func (l Limits) overriding(base Limits) Limits {
	if l.TimeoutMs == nil {
		l.TimeoutMs = base.TimeoutMs
	}
	if l.MaxToolCalls == nil {
		l.MaxToolCalls = base.MaxToolCalls
	}
	if l.MaxOutputBytes == nil {
		l.MaxOutputBytes = base.MaxOutputBytes
	}
	if l.MaxMemoryBytes == nil {
		l.MaxMemoryBytes = base.MaxMemoryBytes
	}
	return l
}

// memory is the budget in bytes, 0 for none.
func (l Limits) memory() int64 {
	if l.MaxMemoryBytes == nil {
		return 0
	}
	return int64(*l.MaxMemoryBytes)
}

func (l Limits) timeout() time.Duration {
	if l.TimeoutMs == nil {
		return 0
	}
	return time.Duration(*l.TimeoutMs) * time.Millisecond
}

// ExecOptions configure one execution. The zero value leaves everything as the Runtime's Options say.
type ExecOptions struct {
	// Input is the program's global `input`: a Go value by its JSON form or a data.Value. Nil reads as undefined.
	Input any
	// Limits override the runtime's, field by field where they are not nil.
	Limits Limits
	// Hooks replace the runtime's if they are not nil.
	Hooks *Hooks
	// Filter leaves only the tools it accepts; the program cannot tell the others from unknown ones. It is called for
	// every tool before the program starts.
	Filter func(tool.Entry) bool
	// View is a view of this Runtime to execute in, instead of a Filter: what it costs to choose tools and to read them
	// for search is then paid once for many executions.
	View *View
	// Pending overrides the runtime's if it is not nil.
	Pending *Pending
	// Trace is filled with what the program did and when. Nil records nothing and costs nothing.
	Trace *Trace
}

// settings are what one execution goes by.
type settings struct {
	limits  Limits
	hooks   Hooks
	clock   func() time.Time
	random  func() float64
	pending Pending
	grace   time.Duration
	maxWait time.Duration // negative is no bound
	input   data.Value
	catalog *tool.Catalog
	own     *tool.Catalog // of the runtime
}

func settingsOf(o Options) settings {
	s := settings{limits: o.Limits, hooks: o.Hooks, clock: o.Clock, random: o.Random, pending: o.Pending, grace: o.InterruptGrace, maxWait: o.MaxWait}
	if s.grace == 0 {
		s.grace = DefaultInterruptGrace
	}
	if s.maxWait == 0 {
		s.maxWait = -1
	}
	return s
}

// viewOf is the view that an execution is to see, nil for everything.
func (rt *Runtime) viewOf(o ExecOptions) (*View, error) {
	switch {
	case o.View == nil && o.Filter == nil:
		return nil, nil
	case o.View == nil:
		return rt.View(o.Filter), nil
	case o.Filter != nil:
		return nil, errors.New("codemode: ExecOptions.View: got a Filter as well, want one of them")
	case o.View.runtime != rt:
		return nil, errors.New("codemode: ExecOptions.View: it is a view of another Runtime")
	}
	return o.View, nil
}

// settled are the settings of an execution with the given options. The error names the field that is wrong.
func (rt *Runtime) settled(o ExecOptions) (settings, error) {
	s := rt.settings
	s.catalog = rt.catalog
	if err := o.Limits.check("ExecOptions.Limits"); err != nil {
		return s, err
	}
	s.limits = o.Limits.overriding(s.limits)
	if o.Input != nil {
		input, err := data.From(o.Input)
		if err != nil {
			return s, fmt.Errorf("codemode: ExecOptions.Input: %w", err)
		}
		s.input = input
	}
	if o.Hooks != nil {
		s.hooks = *o.Hooks
	}
	if o.Pending != nil {
		s.pending = *o.Pending
	}
	if s.pending > Interrupt {
		return s, fmt.Errorf("codemode: ExecOptions.Pending: got %d, want Drain or Interrupt", s.pending)
	}
	v, err := rt.viewOf(o)
	if v != nil {
		s.catalog, s.own = v.tools, v.own()
	}
	return s, err
}

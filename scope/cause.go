// This file defines how things end: Exit, and Cause with its three kinds of
// part.

package scope

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sourcegraph/conc/panics"
)

// Reason says why something was interrupted.
type Reason uint8

// The reasons of interruption.
const (
	Host        Reason = iota // the host's context is done, or the host asked for it
	Timeout                   // a deadline passed
	RaceLost                  // another one won
	ScopeClosed               // the scope it belongs to closed
	Limit                     // a limit was passed
)

var reasonNames = [...]string{"host", "timeout", "race lost", "scope closed", "limit"}

// String is the reason in words.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return "unknown"
}

// Fail is an expected failure: an error that was returned.
type Fail struct {
	Err   error
	Fiber string // the name of the fiber that failed, or ""
}

// Error implements error with the text of Err.
func (f *Fail) Error() string { return f.Err.Error() }

// Unwrap returns Err.
func (f *Fail) Unwrap() error { return f.Err }

// Die is a defect: a panic.
type Die struct {
	Value any
	Stack []byte // of the panicking goroutine
	Fiber string // the name of the fiber that died, or ""
}

// Error implements error.
func (d *Die) Error() string { return fmt.Sprintf("panic: %v", d.Value) }

// Unwrap returns the value of the panic if it is an error.
func (d *Die) Unwrap() error {
	err, _ := d.Value.(error)
	return err
}

// Interrupt is an interruption. As the cause of a context it says why the
// context is done.
type Interrupt struct {
	Reason Reason
	By     string // who interrupted, in words, or ""
	Err    error  // the error of the host's context, or nil
	Fiber  string // the name of the fiber that was interrupted, or ""

	of *Interrupt // what this is a copy of, or nil
}

// Is reports whether target is the same interruption: copies that name the
// fiber they reached are.
func (i *Interrupt) Is(target error) bool {
	t, ok := target.(*Interrupt)
	return ok && t.origin() == i.origin()
}

func (i *Interrupt) origin() *Interrupt {
	if i.of != nil {
		return i.of
	}
	return i
}

// Error implements error.
func (i *Interrupt) Error() string {
	text := "interrupted: " + i.Reason.String()
	if i.By != "" {
		text += " by " + i.By
	}
	if i.Err != nil && i.Err != context.Canceled {
		text += ": " + i.Err.Error()
	}
	return text
}

// Unwrap returns the context error that stands for the interruption, so that
// errors.Is finds context.DeadlineExceeded for a timeout and context.Canceled
// for all else, unless the host's context had a cause of its own.
func (i *Interrupt) Unwrap() error {
	switch {
	case i.Err != nil:
		return i.Err
	case i.Reason == Timeout:
		return context.DeadlineExceeded
	}
	return context.Canceled
}

// InterruptOf says why ctx is done, or returns nil if it is not.
func InterruptOf(ctx context.Context) *Interrupt {
	cause := context.Cause(ctx)
	if cause == nil {
		return nil
	}
	var i *Interrupt
	if errors.As(cause, &i) {
		return i
	}
	return &Interrupt{Reason: Host, Err: cause}
}

// Cause is why something did not succeed: a flat list of parts, each a
// [*Fail], [*Die] or [*Interrupt], in the order they happened. A nil Cause is
// success. It is immutable.
type Cause struct{ parts []error }

// NewCause makes the cause of the parts of all errs, leaving out nil ones, and
// nil if nothing is left.
func NewCause(errs ...error) *Cause {
	parts := partsOfAll(errs)
	if len(parts) == 0 {
		return nil
	}
	return &Cause{parts}
}

func partsOfAll(errs []error) []error {
	var parts []error
	for _, err := range errs {
		parts = append(parts, partsOf(err)...)
	}
	return parts
}

func onlyFails(parts []error) bool {
	for _, part := range parts {
		if _, ok := part.(*Fail); !ok {
			return false
		}
	}
	return true
}

// CauseOf takes an error apart: the parts of a Cause it is or joins, itself if
// it is a part, otherwise one Fail with it. CauseOf(nil) is nil.
func CauseOf(err error) *Cause {
	if c, ok := err.(*Cause); ok {
		return c
	}
	return NewCause(err)
}

func partsOf(err error) []error {
	switch e := err.(type) {
	case nil:
		return nil
	case *Cause:
		if e == nil {
			return nil
		}
		return e.parts
	case *Fail, *Die, *Interrupt:
		return []error{err}
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		if parts := partsOfAll(joined.Unwrap()); !onlyFails(parts) {
			return parts
		}
		return []error{&Fail{Err: err}}
	}
	// A wrapper around a defect or an interruption does not change what it is.
	var die *Die
	if errors.As(err, &die) {
		return []error{die}
	}
	var i *Interrupt
	if errors.As(err, &i) {
		return []error{i}
	}
	return []error{&Fail{Err: err}}
}

// Parts are the parts in order.
func (c *Cause) Parts() []error {
	if c == nil {
		return nil
	}
	return append([]error(nil), c.parts...)
}

// Unwrap exposes the parts to errors.Is and errors.As.
func (c *Cause) Unwrap() []error { return c.Parts() }

// Error implements error: the parts on one line.
func (c *Cause) Error() string {
	if c == nil {
		return "success"
	}
	texts := make([]string, len(c.parts))
	for i, part := range c.parts {
		texts[i] = part.Error()
	}
	return strings.Join(texts, "; ")
}

// HasFails reports whether a part is a Fail.
func (c *Cause) HasFails() bool { return hasPart[*Fail](c) }

// HasDies reports whether a part is a Die.
func (c *Cause) HasDies() bool { return hasPart[*Die](c) }

// HasInterrupts reports whether a part is an Interrupt.
func (c *Cause) HasInterrupts() bool { return hasPart[*Interrupt](c) }

// HasInterruptsOnly reports whether there are parts and all are Interrupts.
func (c *Cause) HasInterruptsOnly() bool {
	return c.HasInterrupts() && !c.HasFails() && !c.HasDies()
}

func hasPart[P error](c *Cause) bool {
	if c == nil {
		return false
	}
	for _, part := range c.parts {
		if _, ok := part.(P); ok {
			return true
		}
	}
	return false
}

// Pretty is the cause over several lines for a person: each part with its fiber
// and, for a defect, its stack, the same stack only once.
func (c *Cause) Pretty() string {
	if c == nil {
		return "success"
	}
	var b strings.Builder
	stacks := map[string]int{}
	for i, part := range c.parts {
		fmt.Fprintf(&b, "%d. %s\n", i+1, describe(part))
		die, ok := part.(*Die)
		if !ok || len(die.Stack) == 0 {
			continue
		}
		stack := trimStack(string(die.Stack))
		if first, seen := stacks[stack]; seen {
			fmt.Fprintf(&b, "   stack as in %d\n", first)
			continue
		}
		stacks[stack] = i + 1
		b.WriteString("   " + strings.ReplaceAll(stack, "\n", "\n   ") + "\n")
	}
	return b.String()
}

func describe(part error) string {
	name := ""
	switch p := part.(type) {
	case *Fail:
		name = p.Fiber
	case *Die:
		name = p.Fiber
	case *Interrupt:
		name = p.Fiber
	}
	if name == "" {
		return part.Error()
	}
	return fmt.Sprintf("fiber %q: %s", name, part.Error())
}

// trimStack drops the frames above the panic: they are the catcher's.
func trimStack(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+2 < len(lines) {
			return strings.Join(lines[i+2:], "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// named returns c with the fiber's name on the parts that have none.
func (c *Cause) named(fiber string) *Cause {
	if c == nil || fiber == "" {
		return c
	}
	parts := make([]error, len(c.parts))
	for i, part := range c.parts {
		switch p := part.(type) {
		case *Fail:
			if p.Fiber == "" {
				part = &Fail{p.Err, fiber}
			}
		case *Die:
			if p.Fiber == "" {
				part = &Die{p.Value, p.Stack, fiber}
			}
		case *Interrupt:
			if p.Fiber == "" {
				part = &Interrupt{p.Reason, p.By, p.Err, fiber, p.origin()}
			}
		}
		parts[i] = part
	}
	return &Cause{parts}
}

// Exit is how a fiber or scope ended. The zero Exit is success.
type Exit struct{ Cause *Cause }

// OK reports success.
func (e Exit) OK() bool { return e.Cause == nil }

// Err is the cause as an error, nil on success.
func (e Exit) Err() error {
	if e.Cause == nil {
		return nil
	}
	return e.Cause
}

// ExitOf is the exit of a computation that ran under ctx and returned err. A
// context error of an interrupted ctx is the interruption, not a failure.
func ExitOf(ctx context.Context, err error) Exit {
	if err == nil {
		return Exit{}
	}
	if _, ok := err.(*Cause); !ok && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		var own *Interrupt
		if i := InterruptOf(ctx); i != nil && !errors.As(err, &own) {
			return Exit{NewCause(i)}
		}
	}
	return Exit{CauseOf(err)}
}

// Protect runs f and returns its error; a panic of f becomes a Cause with one
// Die. It is for the places where a computation ends.
func Protect(f func() error) (err error) {
	var catcher panics.Catcher
	catcher.Try(func() { err = f() })
	if r := catcher.Recovered(); r != nil {
		return NewCause(&Die{Value: r.Value, Stack: r.Stack})
	}
	return err
}

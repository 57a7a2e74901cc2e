package compile

// This file defines what is put around statements, functions and suspensions when a program is compiled with tracing
// (Options.Traced). Without it none of this is in the compiled code.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// site makes a place to which steps and time are accounted.
func (u *unit) site(at syntax.Pos) int {
	u.sites = append(u.sites, int32(at))
	return len(u.sites) - 1
}

// tracedStmt accounts a statement. Blocks are no steps of their own.
func (c *fn) tracedStmt(n syntax.Stmt, st stmt) stmt {
	if _, block := n.(*syntax.Block); block || st == nil || !c.Traced {
		return st
	}
	site := c.site(n.Start())
	return func(f *Frame) completion {
		a := f.R.Activity
		outer := a.Enter(site)
		k := st(f)
		a.Leave(outer)
		return k
	}
}

// turn is the body of a loop; each turn is a step at the loop's head.
func (c *fn) turn(loop, body syntax.Stmt) stmt {
	st := c.branch(body)
	if !c.Traced {
		return st
	}
	site := c.site(loop.Start())
	return func(f *Frame) completion {
		f.R.Activity.Steps[site]++
		return st(f)
	}
}

// tracedResult accounts the expression that is the whole body of a function.
func (c *fn) tracedResult(x syntax.Expr, e expr) expr {
	if !c.Traced {
		return e
	}
	c.enter()
	defer c.leave()
	site := c.site(start(x))
	return func(f *Frame) Value {
		a := f.R.Activity
		outer := a.Enter(site)
		v := e(f)
		a.Leave(outer)
		return v
	}
}

// tracedBody makes the body of an async function, a generator or the program a fiber of the record. Its number stands in
// a slot of the activation.
func (c *fn) tracedBody(code *value.Code, body func(f *Frame) Value) func(f *Frame) Value {
	if !c.fiber() {
		return body
	}
	slot := c.number
	return func(f *Frame) Value {
		a := f.R.Activity
		n := a.Begin(code)
		f.S[slot] = value.Int(n)
		v := body(f)
		switch {
		case f.R.Terminated:
			a.End(n, value.FiberUnfinished)
		case v.IsThrow():
			a.End(n, value.FiberThrew)
		default:
			a.End(n, value.FiberReturned)
		}
		return v
	}
}

// fiber tells whether activations of the function are recorded.
func (c *fn) fiber() bool { return c.Traced && (c.f.Async || c.f.Generator || c.isMain()) }

// reserveNumber keeps a slot for the number of the activation.
func (c *fn) reserveNumber() {
	if c.fiber() {
		c.number = c.temp(1)
	}
}

// suspension makes what is put around an operand whose value is about to be awaited or yielded, and around the whole
// expression. Without tracing both are what they were.
func (c *fn) suspension(pos syntax.Pos, operand syntax.Expr, yield bool) (before, after func(expr) expr) {
	if !c.fiber() {
		same := func(x expr) expr { return x }
		return same, same
	}
	slot, site := c.number, &value.SuspendSite{Pos: int32(pos), Yield: yield}
	if operand != nil {
		site.Text = describe(operand)
	}
	before = func(x expr) expr {
		return func(f *Frame) Value {
			v := x(f)
			if !v.IsThrow() {
				f.R.Activity.Suspend(int(f.S[slot].Float()), site, v)
			}
			return v
		}
	}
	after = func(x expr) expr {
		return func(f *Frame) Value {
			v := x(f)
			f.R.Activity.Resume(int(f.S[slot].Float()))
			return v
		}
	}
	return before, after
}

// awaiter is Realm.Await for what the compiler itself awaits.
func (c *fn) awaiter(pos syntax.Pos, of syntax.Expr) func(f *Frame, v Value) Value {
	if !c.fiber() {
		return func(f *Frame, v Value) Value { return f.R.Await(v) }
	}
	slot, site := c.number, &value.SuspendSite{Pos: int32(pos), Text: describe(of)}
	return func(f *Frame, v Value) Value {
		n := int(f.S[slot].Float())
		f.R.Activity.Suspend(n, site, v)
		v = f.R.Await(v)
		f.R.Activity.Resume(n)
		return v
	}
}

// asyncClose is Realm.CloseAsyncIterator, which may suspend.
func (c *fn) asyncClose(pos syntax.Pos, of syntax.Expr) func(f *Frame) func(it *value.Iterator, threw bool) bool {
	if !c.fiber() {
		return func(f *Frame) func(*value.Iterator, bool) bool { return f.R.CloseAsyncIterator }
	}
	slot, site := c.number, &value.SuspendSite{Pos: int32(pos), Text: describe(of)}
	return func(f *Frame) func(*value.Iterator, bool) bool {
		return func(it *value.Iterator, threw bool) bool {
			n := int(f.S[slot].Float())
			f.R.Activity.Suspend(n, site, value.Undefined)
			ok := f.R.CloseAsyncIterator(it, threw)
			f.R.Activity.Resume(n)
			return ok
		}
	}
}

package compile

// This file defines async functions, generators, await and yield.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// starter is how a function of a kind other than plain is called.
func starter(k value.CodeKind) func(r *value.Realm, fn *value.Function, this Value, co *value.Coroutine, base, argc int) Value {
	switch k {
	case value.CodeAsync:
		return (*value.Realm).StartAsync
	case value.CodeGenerator, value.CodeAsyncGenerator:
		return (*value.Realm).StartGenerator
	}
	return nil
}

func (c *fn) await(n *syntax.Await) expr {
	if slot, ok := c.awaited[n]; ok {
		return func(f *Frame) Value { return f.S[slot] }
	}
	before, after := c.suspension(n.Pos, n.X, false)
	x, pos := before(c.expr(n.X)), int32(n.Pos)
	main := c.isMain()
	return after(func(f *Frame) Value {
		v := x(f)
		if v.IsThrow() {
			return v
		}
		f.R.Pos = pos
		if main {
			f.R.AwaitPos = pos
		}
		return f.R.Await(v)
	})
}

// initialYield suspends a generator whose parameters have just been bound.
func (c *fn) initialYield() stmt {
	before, after := c.suspension(c.f.Pos, nil, true)
	ready := before(constant(value.Undefined))
	suspend := after(func(f *Frame) Value {
		ready(f)
		return resumed(f, f.R.InitialYield)
	})
	return func(f *Frame) completion {
		if suspend(f).IsThrow() {
			return throws
		}
		return normal
	}
}

func resumed(f *Frame, suspend func(f *Frame) (Value, value.SentMode)) Value {
	v, mode := suspend(f)
	return received(f, v, mode)
}

// received turns a resumption into the value of the yield expression. A return travels as a throw with Returning set.
func received(f *Frame, v Value, mode value.SentMode) Value {
	if v.IsThrow() {
		return v
	}
	switch mode {
	case value.SentThrow:
		return f.R.ThrowValue(v)
	case value.SentReturn:
		f.Co.Returning, f.Co.ReturnValue = true, v
		return value.Throw
	}
	return v
}

// caught takes a return completion that travels as a throw; generators call it where a completion is looked at.
func caught(f *Frame, k completion) completion {
	if k == throws && f.Co.Returning && !f.R.Terminated {
		f.Co.Returning = false
		f.Ret = f.Co.ReturnValue
		return returns
	}
	return k
}

// take wraps a statement of a generator so that its completion is final.
func (c *fn) take(s stmt) stmt {
	if !c.f.Generator {
		return s
	}
	return func(f *Frame) completion { return caught(f, s(f)) }
}

// yield compiles yield and yield*.
func (c *fn) yield(n *syntax.Yield) expr {
	x := constant(value.Undefined)
	if n.X != nil {
		x = c.expr(n.X)
	}
	before, after := c.suspension(n.Pos, n.X, true)
	x = before(x)
	async, pos := c.f.Async, int32(n.Pos)
	if n.Delegate {
		return after(c.delegate(x, pos))
	}
	return after(func(f *Frame) Value {
		v := x(f)
		if v.IsThrow() {
			return v
		}
		r := f.R
		if !async {
			s, mode := r.Yield(f, v)
			return received(f, s, mode)
		}
		if v = r.Await(v); v.IsThrow() {
			return v
		}
		s, mode := r.AsyncYield(f, v)
		return received(f, s, mode)
	})
}

// delegate is yield* (ECMA-262 15.5.5).
func (c *fn) delegate(x expr, pos int32) expr {
	async := c.f.Async
	t := c.temp(2)
	return func(f *Frame) Value {
		v := x(f)
		if v.IsThrow() {
			return v
		}
		r := f.R
		r.Pos = pos
		var it value.Iterator
		var ok bool
		if async {
			it, ok = r.GetAsyncIterator(v)
		} else {
			it, ok = r.GetIteratorPlain(v)
		}
		if !ok {
			return value.Throw
		}
		f.S[t], f.S[t+1] = it.Object, it.Next
		return delegateLoop(f, &it, async)
	}
}

func delegateLoop(f *Frame, it *value.Iterator, async bool) Value {
	r := f.R
	sent, mode := value.Undefined, value.SentNext
	for {
		res, final := delegateStep(f, it, sent, mode, async)
		if final {
			return res
		}
		if async && !res.IsThrow() {
			res = r.Await(res)
		}
		if res.IsThrow() {
			return res
		}
		o := res.Object()
		if o == nil {
			return r.ThrowTypeError("Iterator result %s is not an object", r.Describe(res))
		}
		done := r.Get(o, value.KeyDone)
		if done.IsThrow() {
			return done
		}
		if value.ToBoolean(done) {
			v := r.Get(o, value.KeyValue)
			if v.IsThrow() || mode != value.SentReturn {
				return v
			}
			return received(f, v, value.SentReturn)
		}
		if !async {
			sent, mode = r.YieldRaw(f, res)
		} else {
			v := r.Get(o, value.KeyValue)
			if v.IsThrow() {
				return v
			}
			sent, mode = r.AsyncYield(f, v)
		}
		if sent.IsThrow() {
			return sent
		}
	}
}

// delegateStep calls next, throw or return of the inner iterator; final means the result is that of the expression.
func delegateStep(f *Frame, it *value.Iterator, sent Value, mode value.SentMode, async bool) (res Value, final bool) {
	r := f.R
	switch mode {
	case value.SentThrow:
		m := r.GetMethod(it.Object, value.Name("throw"))
		if m.IsThrow() {
			return m, true
		}
		if !m.IsUndefined() {
			return r.Call(m, it.Object, sent), false
		}
		closed := false
		if async {
			closed = r.CloseAsyncIterator(it, false)
		} else {
			closed = r.CloseIterator(it, false)
		}
		if !closed {
			return value.Throw, true
		}
		return r.ThrowTypeError("The iterator does not provide a 'throw' method"), true
	case value.SentReturn:
		m := r.GetMethod(it.Object, value.Name("return"))
		if m.IsThrow() {
			return m, true
		}
		if m.IsUndefined() {
			if async {
				if sent = r.Await(sent); sent.IsThrow() {
					return sent, true
				}
			}
			return received(f, sent, value.SentReturn), true
		}
		return r.Call(m, it.Object, sent), false
	}
	return r.Call(it.Next, it.Object, sent), false
}

package compile

// This file defines loops.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// after tells a loop what to do when its body has completed: go on, leave normally, or leave with a completion.
func after(f *Frame, k completion, ids *labelSet) (completion, bool) {
	switch k {
	case normal:
		return normal, true
	case continues:
		if f.Label == 0 || ids.has(f.Label) {
			f.Label = 0
			return normal, true
		}
	case breaks:
		if f.Label == 0 || ids.has(f.Label) {
			f.Label = 0
			return normal, false
		}
	case throws:
		return left(f, ids), false
	}
	return k, false
}

// left leaves a loop by a throw, or by an ending, whose place it tells.
func left(f *Frame, ids *labelSet) completion {
	f.R.EndedIn(ids.pos)
	return throws
}

func (c *fn) while(n *syntax.While) stmt {
	ids, done := c.takeLabels(n.Pos)
	defer done()
	test, body := c.cond(n.Test), c.turn(n, n.Body)
	return func(f *Frame) completion {
		r := f.R
		for {
			switch test(f) {
			case isFalse:
				return normal
			case threw:
				return left(f, ids)
			}
			if k := body(f); k != normal {
				if k, more := after(f, k, ids); !more {
					return k
				}
			}
			if r.Fuel--; r.Fuel <= 0 && !r.RefuelAt(ids.pos) {
				return throws
			}
		}
	}
}

func (c *fn) doWhile(n *syntax.DoWhile) stmt {
	ids, done := c.takeLabels(n.Pos)
	defer done()
	body, test := c.turn(n, n.Body), c.cond(n.Test)
	return func(f *Frame) completion {
		r := f.R
		for {
			if k := body(f); k != normal {
				if k, more := after(f, k, ids); !more {
					return k
				}
			}
			if r.Fuel--; r.Fuel <= 0 && !r.RefuelAt(ids.pos) {
				return throws
			}
			switch test(f) {
			case isFalse:
				return normal
			case threw:
				return left(f, ids)
			}
		}
	}
}

func (c *fn) forLoop(n *syntax.For) stmt {
	ids, done := c.takeLabels(n.Pos)
	defer done()
	enter := c.enterScope(n.Scope)
	var init stmt
	if n.Init != nil {
		init = c.stmt(n.Init)
	}
	test := cond(func(*Frame) uint8 { return isTrue })
	if n.Test != nil {
		test = c.cond(n.Test)
	}
	body := c.turn(n, n.Body)
	update := stmt(func(*Frame) completion { return normal })
	if n.Update != nil {
		update = c.exprStmt(n.Update)
	}
	loop := func(f *Frame) completion {
		r := f.R
		for {
			switch test(f) {
			case isFalse:
				return normal
			case threw:
				return left(f, ids)
			}
			if k := body(f); k != normal {
				if k, more := after(f, k, ids); !more {
					return k
				}
			}
			if update(f) == throws {
				return throws
			}
			if r.Fuel--; r.Fuel <= 0 && !r.RefuelAt(ids.pos) {
				return throws
			}
		}
	}
	if cells := capturedSlots(n.Scope); len(cells) > 0 {
		inner := update
		update = func(f *Frame) completion {
			copyCells(f, cells)
			return inner(f)
		}
		if init != nil {
			first := init
			init = func(f *Frame) completion {
				if k := first(f); k != normal {
					return k
				}
				copyCells(f, cells)
				return normal
			}
		}
	}
	if enter == nil && init == nil {
		return loop
	}
	return func(f *Frame) completion {
		if enter != nil {
			enter(f)
		}
		if init != nil && init(f) == throws {
			return throws
		}
		return loop(f)
	}
}

// capturedSlots lists the slots of a loop's bindings that closures may hold: each iteration has its own copy
// (CreatePerIterationEnvironment, ECMA-262 14.7.4.4).
func capturedSlots(s *syntax.Scope) []int {
	var out []int
	for _, b := range s.List {
		if b.Captured && b.Kind == syntax.BindLet {
			out = append(out, int(b.Index))
		}
	}
	return out
}

func copyCells(f *Frame, slots []int) {
	for _, i := range slots {
		f.R.Charge(24)
		f.S[i] = value.NewCell(f.S[i].Cell().V).Value()
	}
}

// loopTarget compiles how one value is bound in a for-in or for-of loop.
func (c *fn) loopTarget(kind syntax.DeclKind, target syntax.Expr) func(f *Frame, v Value) bool {
	if id, ok := target.(*syntax.Ident); ok && kind != syntax.DeclNone && id.Ref.Kind == syntax.RefLocal && !id.Ref.Bind.Captured {
		at := int(id.Ref.Bind.Index)
		return func(f *Frame, v Value) bool { f.S[at] = v; return true }
	}
	if kind == syntax.DeclNone {
		return c.assignTo(target)
	}
	return c.bind(target, kind != syntax.DeclVar)
}

// headValue compiles the iterated expression with the loop's names in their dead zone.
func (c *fn) headValue(tdz *syntax.Scope, right syntax.Expr) (expr, origin) {
	enter := c.enterScope(tdz)
	x, from := c.traced(right, false)
	if enter == nil {
		return x, from
	}
	return func(f *Frame) Value {
		enter(f)
		return x(f)
	}, from
}

func (c *fn) forOf(n *syntax.ForOf) stmt {
	ids, done := c.takeLabels(n.Pos)
	defer done()
	head, from := c.headValue(n.TDZ, n.Right)
	if n.Await {
		return c.forAwait(n, head, ids)
	}
	t := c.temp(2)
	enter := c.enterScope(n.Scope)
	bind := c.loopTarget(n.Kind, n.Target)
	body := c.take(c.turn(n, n.Body))
	pos := int32(start(n.Right))
	return func(f *Frame) completion {
		v := head(f)
		if v.IsThrow() {
			return throws
		}
		f.S[t] = v
		r := f.R
		r.Pos = pos
		it, ok := r.GetIterator(v)
		if !ok {
			notIterable(r, v, from.text, from.hint(f))
			return throws
		}
		f.S[t], f.S[t+1] = it.Object, it.Next
		for {
			x, end, ok := r.IteratorStep(&it)
			if !ok {
				return throws
			}
			if end {
				return normal
			}
			if enter != nil {
				enter(f)
			}
			if !bind(f, x) {
				return closeAfter(f, &it, caught(f, throws), r.CloseIterator)
			}
			if k := body(f); k != normal {
				if k, more := after(f, k, ids); !more {
					return closeAfter(f, &it, k, r.CloseIterator)
				}
			}
			if r.Fuel--; r.Fuel <= 0 && !r.RefuelAt(ids.pos) {
				return throws
			}
		}
	}
}

// closeAfter closes the iterator of a loop left early by close, which is CloseIterator or CloseAsyncIterator.
func closeAfter(f *Frame, it *value.Iterator, k completion, close func(it *value.Iterator, threw bool) bool) completion {
	ret, lab := f.Ret, f.Label
	if !close(it, k == throws) {
		f.Ret, f.Label = Value{}, 0 // the throw takes the place of the jump
		return throws
	}
	f.Ret, f.Label = ret, lab
	return k
}

func (c *fn) forIn(n *syntax.ForIn) stmt {
	ids, done := c.takeLabels(n.Pos)
	defer done()
	head, _ := c.headValue(n.TDZ, n.Right)
	t := c.temp(1)
	enter := c.enterScope(n.Scope)
	bind := c.loopTarget(n.Kind, n.Target)
	body := c.turn(n, n.Body)
	pos := int32(start(n.Right))
	return func(f *Frame) completion {
		v := head(f)
		if v.IsThrow() {
			return throws
		}
		r := f.R
		r.Pos = pos
		if v.IsNullish() {
			return normal
		}
		r.NoteTextUse(v, "the names iterated are those of the characters of a text")
		o := r.ToObject(v)
		f.S[t] = o.Value()
		keys, ok := r.ForInKeys(o)
		if !ok {
			return throws
		}
		for _, k := range keys {
			if live, ok := r.ForInLive(o, k); !ok {
				return throws
			} else if !live {
				continue
			}
			if enter != nil {
				enter(f)
			}
			if !bind(f, k.Value()) {
				return throws
			}
			if k := body(f); k != normal {
				if k, more := after(f, k, ids); !more {
					return k
				}
			}
			if r.Fuel--; r.Fuel <= 0 && !r.RefuelAt(ids.pos) {
				return throws
			}
		}
		return normal
	}
}

// forAwait is for await (ECMA-262 14.7.5.6 with an async iterator).
func (c *fn) forAwait(n *syntax.ForOf, head expr, ids *labelSet) stmt {
	t := c.temp(2)
	enter := c.enterScope(n.Scope)
	bind := c.loopTarget(n.Kind, n.Target)
	body := c.take(c.turn(n, n.Body))
	pos := int32(start(n.Right))
	main := c.isMain()
	await, closer := c.awaiter(start(n.Right), n.Right), c.asyncClose(start(n.Right), n.Right)
	return func(f *Frame) completion {
		v := head(f)
		if v.IsThrow() {
			return throws
		}
		f.S[t] = v
		r := f.R
		r.Pos = pos
		it, ok := r.GetAsyncIterator(v)
		if !ok {
			return throws
		}
		f.S[t], f.S[t+1] = it.Object, it.Next
		for {
			res := r.Call(it.Next, it.Object)
			if !res.IsThrow() {
				if main {
					r.AwaitPos = pos
				}
				res = await(f, res)
			}
			if res.IsThrow() {
				return throws
			}
			x, end, ok := r.IteratorResult(&it, res)
			if !ok {
				return throws
			}
			if end {
				return normal
			}
			if enter != nil {
				enter(f)
			}
			if !bind(f, x) {
				return closeAfter(f, &it, caught(f, throws), closer(f))
			}
			if k := body(f); k != normal {
				if k, more := after(f, k, ids); !more {
					return closeAfter(f, &it, k, closer(f))
				}
			}
			if r.Fuel--; r.Fuel <= 0 && !r.RefuelAt(ids.pos) {
				return throws
			}
		}
	}
}

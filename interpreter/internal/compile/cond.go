package compile

// This file defines conditions: expressions compiled to their truth, comparisons above all.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// cond compiles an expression to its truth.
func (c *fn) cond(x syntax.Expr) cond {
	c.enter()
	defer c.leave()
	switch n := x.(type) {
	case *syntax.Binary:
		switch n.Op {
		case syntax.OpEq, syntax.OpNe, syntax.OpStrictEq, syntax.OpStrictNe, syntax.OpLt, syntax.OpLe, syntax.OpGt, syntax.OpGe:
			mark := c.temps
			defer c.release(mark)
			return c.comparison(n)
		}
	case *syntax.Unary:
		if n.Op == syntax.OpNot {
			test := c.cond(n.X)
			return func(f *Frame) uint8 {
				if t := test(f); t != threw {
					return 1 - t
				}
				return threw
			}
		}
	case *syntax.Logical:
		if n.Op != syntax.OpNullish {
			a, b := c.cond(n.L), c.cond(n.R)
			stop := isFalse
			if n.Op == syntax.OpOr {
				stop = isTrue
			}
			return func(f *Frame) uint8 {
				if t := a(f); t == stop || t == threw {
					return t
				}
				return b(f)
			}
		}
	}
	e := c.expr(x)
	if call, ok := asCall(x); ok && startsWork(call) {
		e = noteDecided(e, int32(call.Pos))
	}
	return func(f *Frame) uint8 {
		v := e(f)
		if v.IsBool() {
			if v.IsTrue() {
				return isTrue
			}
			return isFalse
		}
		if v.IsThrow() {
			return threw
		}
		return truth(value.ToBoolean(v))
	}
}

func asCall(x syntax.Expr) (*syntax.Call, bool) {
	if chain, ok := x.(*syntax.OptionalChain); ok {
		x = chain.X
	}
	call, ok := x.(*syntax.Call)
	return call, ok
}

// startsWork tells whether a promise that the call gives is a new one: it calls a function by its name, or a tool. A method
// such as cache.get may give one that is kept.
func startsWork(call *syntax.Call) bool {
	if _, ok := call.Callee.(*syntax.Ident); ok {
		return true
	}
	x := call.Callee
	for range maxToolPath {
		m, ok := x.(*syntax.Member)
		if !ok {
			break
		}
		x = m.Obj
	}
	id, ok := x.(*syntax.Ident)
	return ok && id.Name == "tools" && id.Ref.Kind == syntax.RefGlobal
}

// maxToolPath is how many names the path of a tool may have.
const maxToolPath = 8

// noteDecided notes a call whose promise is taken for its truth.
func noteDecided(e expr, pos int32) expr {
	return func(f *Frame) Value {
		v := e(f)
		if v.IsObject() {
			f.R.Pos = pos
			f.R.NotePromise(v, "a condition is the Promise of a call, which always counts as true", "")
		}
		return v
	}
}

func truth(b bool) uint8 {
	if b {
		return isTrue
	}
	return isFalse
}

func (c *fn) comparison(n *syntax.Binary) cond {
	switch n.Op {
	case syntax.OpStrictEq, syntax.OpStrictNe:
		return c.strictEquality(n)
	case syntax.OpEq, syntax.OpNe:
		return c.looseEquality(n)
	}
	return c.relational(n)
}

func (c *fn) strictEquality(n *syntax.Binary) cond {
	want := n.Op == syntax.OpStrictEq
	pos := int32(n.Pos)
	if lit, ok := n.R.(*syntax.StringLit); ok {
		k, x := value.NewStr(lit.Value).Freeze(), c.expr(n.L)
		return func(f *Frame) uint8 {
			v := x(f)
			if s := v.Str(); s != nil {
				return truth(s.Equal(k) == want)
			}
			if v.IsThrow() {
				return threw
			}
			if v.IsObject() {
				noteCompared(f, v, pos)
			}
			return truth(!want)
		}
	}
	if lit, ok := n.R.(*syntax.NumberLit); ok {
		k, kv, x := lit.Value, value.Num(lit.Value), c.expr(n.L)
		return func(f *Frame) uint8 {
			a := x(f)
			switch {
			case a.IsNumber():
				return truth((a.Float() == k) == want)
			case a.IsThrow():
				return threw
			case a.IsObject():
				noteCompared(f, a, pos)
				return truth(!want)
			}
			return truth(value.StrictEquals(a, kv) == want)
		}
	}
	if isNullish(n.R) {
		kv, x := value.Null, c.expr(n.L)
		if _, ok := n.R.(*syntax.UndefinedLit); ok {
			kv = value.Undefined
		}
		return func(f *Frame) uint8 {
			a := x(f)
			if a.IsThrow() {
				return threw
			}
			return truth((a == kv) == want)
		}
	}
	ops := c.pair(n.L, n.R)
	return func(f *Frame) uint8 {
		a, b, ok := ops(f)
		if !ok {
			return threw
		}
		if a.IsNumber() && b.IsNumber() {
			return truth((a.Float() == b.Float()) == want)
		}
		if a.IsObject() != b.IsObject() {
			if b.IsObject() {
				a, b = b, a
			}
			if !b.IsNullish() {
				noteCompared(f, a, pos)
			}
			return truth(!want)
		}
		return truth(f.R.StrictEquals(a, b) == want)
	}
}

func isNullish(x syntax.Expr) bool {
	switch x.(type) {
	case *syntax.NullLit, *syntax.UndefinedLit:
		return true
	}
	return false
}

// noteCompared notes that an object was compared with a value that is none, which no promise equals.
func noteCompared(f *Frame, v Value, pos int32) {
	f.R.Pos = pos
	f.R.NotePromise(v, "a Promise was compared with another value, which it never equals", "")
}

func (c *fn) looseEquality(n *syntax.Binary) cond {
	ops, want, pos := c.pair(n.L, n.R), n.Op == syntax.OpEq, int32(n.Pos)
	return func(f *Frame) uint8 {
		a, b, ok := ops(f)
		if !ok {
			return threw
		}
		f.R.Pos = pos
		eq, ok := f.R.LooseEquals(a, b)
		if !ok {
			return threw
		}
		return truth(eq == want)
	}
}

// relationalSlow compares operands that are not both numbers.
func relationalSlow(f *Frame, op syntax.Op, a, b Value, pos int32) uint8 {
	if a.IsThrow() || b.IsThrow() {
		return threw
	}
	f.R.Pos = pos
	var rel value.Relation
	negate := false
	switch op {
	case syntax.OpLt:
		rel = f.R.LessThan(a, b, true)
	case syntax.OpGt:
		rel = f.R.LessThan(b, a, false)
	case syntax.OpLe:
		rel, negate = f.R.LessThan(b, a, false), true
	default:
		rel, negate = f.R.LessThan(a, b, true), true
	}
	switch rel {
	case value.RelThrew:
		return threw
	case value.RelUndefined:
		return isFalse
	case value.RelTrue:
		return truth(!negate)
	}
	return truth(negate)
}

func (c *fn) relational(n *syntax.Binary) cond {
	op, pos := n.Op, int32(n.Pos)
	l, r := c.localSlot(n.L), c.localSlot(n.R)
	lit, isLit := n.R.(*syntax.NumberLit)
	switch {
	case l >= 0 && isLit && op == syntax.OpLt:
		k, kv := lit.Value, value.Num(lit.Value)
		return func(f *Frame) uint8 {
			if a := f.S[l]; a.IsNumber() {
				return truth(a.Float() < k)
			}
			return relationalSlow(f, op, f.S[l], kv, pos)
		}
	case l >= 0 && r >= 0 && op == syntax.OpLt:
		return func(f *Frame) uint8 {
			a, b := f.S[l], f.S[r]
			if a.IsNumber() && b.IsNumber() {
				return truth(a.Float() < b.Float())
			}
			return relationalSlow(f, op, a, b, pos)
		}
	}
	if isLit {
		return relationalConst(op, c.expr(n.L), lit.Value, pos)
	}
	if pure(n.R) {
		return relationalPure(op, c.expr(n.L), c.expr(n.R), pos)
	}
	ops := c.pair(n.L, n.R)
	switch op {
	case syntax.OpLt:
		return func(f *Frame) uint8 {
			a, b, ok := ops(f)
			if ok && a.IsNumber() && b.IsNumber() {
				return truth(a.Float() < b.Float())
			}
			return relationalSlow(f, op, a, b, pos)
		}
	case syntax.OpLe:
		return func(f *Frame) uint8 {
			a, b, ok := ops(f)
			if ok && a.IsNumber() && b.IsNumber() {
				return truth(a.Float() <= b.Float())
			}
			return relationalSlow(f, op, a, b, pos)
		}
	case syntax.OpGt:
		return func(f *Frame) uint8 {
			a, b, ok := ops(f)
			if ok && a.IsNumber() && b.IsNumber() {
				return truth(a.Float() > b.Float())
			}
			return relationalSlow(f, op, a, b, pos)
		}
	}
	return func(f *Frame) uint8 {
		a, b, ok := ops(f)
		if ok && a.IsNumber() && b.IsNumber() {
			return truth(a.Float() >= b.Float())
		}
		return relationalSlow(f, op, a, b, pos)
	}
}

// relationalConst compares with a literal on the right.
func relationalConst(op syntax.Op, x expr, k float64, pos int32) cond {
	kv := value.Num(k)
	switch op {
	case syntax.OpLt:
		return func(f *Frame) uint8 {
			a := x(f)
			if a.IsNumber() {
				return truth(a.Float() < k)
			}
			return relationalSlow(f, op, a, kv, pos)
		}
	case syntax.OpLe:
		return func(f *Frame) uint8 {
			a := x(f)
			if a.IsNumber() {
				return truth(a.Float() <= k)
			}
			return relationalSlow(f, op, a, kv, pos)
		}
	case syntax.OpGt:
		return func(f *Frame) uint8 {
			a := x(f)
			if a.IsNumber() {
				return truth(a.Float() > k)
			}
			return relationalSlow(f, op, a, kv, pos)
		}
	}
	return func(f *Frame) uint8 {
		a := x(f)
		if a.IsNumber() {
			return truth(a.Float() >= k)
		}
		return relationalSlow(f, op, a, kv, pos)
	}
}

// relationalPure compares with an operand on the right that runs no code of the program and cannot throw.
func relationalPure(op syntax.Op, x, y expr, pos int32) cond {
	switch op {
	case syntax.OpLt:
		return func(f *Frame) uint8 {
			a := x(f)
			b := y(f)
			if a.IsNumber() && b.IsNumber() {
				return truth(a.Float() < b.Float())
			}
			return relationalSlow(f, op, a, b, pos)
		}
	case syntax.OpLe:
		return func(f *Frame) uint8 {
			a := x(f)
			b := y(f)
			if a.IsNumber() && b.IsNumber() {
				return truth(a.Float() <= b.Float())
			}
			return relationalSlow(f, op, a, b, pos)
		}
	case syntax.OpGt:
		return func(f *Frame) uint8 {
			a := x(f)
			b := y(f)
			if a.IsNumber() && b.IsNumber() {
				return truth(a.Float() > b.Float())
			}
			return relationalSlow(f, op, a, b, pos)
		}
	}
	return func(f *Frame) uint8 {
		a := x(f)
		b := y(f)
		if a.IsNumber() && b.IsNumber() {
			return truth(a.Float() >= b.Float())
		}
		return relationalSlow(f, op, a, b, pos)
	}
}

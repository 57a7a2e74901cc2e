package compile

// This file defines the arithmetic binary operators and the statements that have a closure of their own.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// localSlot is the slot of a plain local name, or -1.
func (c *fn) localSlot(x syntax.Expr) int {
	id, ok := x.(*syntax.Ident)
	if !ok || id.Ref.Kind != syntax.RefLocal || id.Ref.Check || id.Ref.Bind.Captured {
		return -1
	}
	return int(id.Ref.Bind.Index)
}

// pure tells expressions that cannot run guest code and cannot throw.
func pure(x syntax.Expr) bool {
	switch n := x.(type) {
	case *syntax.NumberLit, *syntax.StringLit, *syntax.BoolLit, *syntax.NullLit, *syntax.UndefinedLit:
		return true
	case *syntax.Ident:
		return n.Ref.Kind != syntax.RefGlobal && !n.Ref.Check
	case *syntax.This:
		return n.Ref.Bind == nil
	}
	return false
}

// mayCall tells expressions whose evaluation may run other guest code, so that a temporary held across it must stand on
// the value stack.
func mayCall(x syntax.Expr) bool {
	switch n := x.(type) {
	case *syntax.Binary:
		return mayCall(n.L) || mayCall(n.R)
	case *syntax.Logical:
		return mayCall(n.L) || mayCall(n.R)
	case *syntax.Conditional:
		return mayCall(n.Test) || mayCall(n.Then) || mayCall(n.Else)
	case *syntax.Unary:
		return mayCall(n.X)
	case *syntax.Ident, *syntax.NumberLit, *syntax.StringLit, *syntax.BoolLit, *syntax.NullLit, *syntax.UndefinedLit,
		*syntax.This, *syntax.FunctionExpr:
		return false
	}
	return true
}

// pair evaluates both operands in order; ok is false if one threw. The left is spilled where the right may call.
func (c *fn) pair(l, r syntax.Expr) func(f *Frame) (a, b Value, ok bool) {
	a, b := c.expr(l), expr(nil)
	if mayCall(r) {
		t := c.temp(1)
		b = c.expr(r)
		return func(f *Frame) (Value, Value, bool) {
			x := a(f)
			if x.IsThrow() {
				return x, x, false
			}
			f.S[t] = x
			y := b(f)
			return x, y, !y.IsThrow()
		}
	}
	b = c.expr(r)
	return func(f *Frame) (Value, Value, bool) {
		x := a(f)
		if x.IsThrow() {
			return x, x, false
		}
		y := b(f)
		return x, y, !y.IsThrow()
	}
}

func (c *fn) binary(n *syntax.Binary) expr {
	switch n.Op {
	case syntax.OpAdd:
		return c.add(n)
	case syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpExp, syntax.OpShl, syntax.OpShr, syntax.OpUshr,
		syntax.OpBitAnd, syntax.OpBitOr, syntax.OpBitXor:
		return c.arith(n)
	case syntax.OpInstanceof, syntax.OpIn:
		ops := c.pair(n.L, n.R)
		pos, in := int32(n.Pos), n.Op == syntax.OpIn
		return func(f *Frame) Value {
			a, b, ok := ops(f)
			if !ok {
				return value.Throw
			}
			f.R.Pos = pos
			if in {
				has := f.R.In(a, b)
				if has.IsBool() && !has.IsTrue() {
					f.R.NotePromise(b, "a name was looked for in a Promise, which has none of it", "")
				}
				return has
			}
			return f.R.InstanceOf(a, b)
		}
	}
	test := c.comparison(n)
	return func(f *Frame) Value {
		switch test(f) {
		case isTrue:
			return value.True
		case isFalse:
			return value.False
		}
		return value.Throw
	}
}

func (c *fn) add(n *syntax.Binary) expr {
	if text := c.textSum(n); text != nil {
		return text
	}
	pos := int32(n.Pos)
	l, r := c.localSlot(n.L), c.localSlot(n.R)
	lit, isLit := n.R.(*syntax.NumberLit)
	slow := func(f *Frame, a, b Value) Value {
		if a.IsThrow() || b.IsThrow() {
			return value.Throw
		}
		f.R.Pos = pos
		return f.R.AddSlow(a, b)
	}
	switch {
	case l >= 0 && r >= 0:
		return func(f *Frame) Value {
			a, b := f.S[l], f.S[r]
			if a.IsNumber() && b.IsNumber() {
				return value.Num(a.Float() + b.Float())
			}
			return slow(f, a, b)
		}
	case isLit:
		k, kv := lit.Value, value.Num(lit.Value)
		x := c.expr(n.L)
		return func(f *Frame) Value {
			a := x(f)
			if a.IsNumber() {
				return value.Num(a.Float() + k)
			}
			return slow(f, a, kv)
		}
	case pure(n.R):
		x, y := c.expr(n.L), c.expr(n.R)
		return func(f *Frame) Value {
			a := x(f)
			b := y(f)
			if a.IsNumber() && b.IsNumber() {
				return value.Num(a.Float() + b.Float())
			}
			return slow(f, a, b)
		}
	case isNumber(n.L):
		k, kv := n.L.(*syntax.NumberLit).Value, value.Num(n.L.(*syntax.NumberLit).Value)
		y := c.expr(n.R)
		return func(f *Frame) Value {
			b := y(f)
			if b.IsNumber() {
				return value.Num(k + b.Float())
			}
			return slow(f, kv, b)
		}
	}
	x, t := c.expr(n.L), c.temp(1)
	y := c.expr(n.R)
	return func(f *Frame) Value {
		a := x(f)
		if a.IsThrow() {
			return a
		}
		f.S[t] = a
		b := y(f)
		if a = f.S[t]; a.IsNumber() && b.IsNumber() {
			return value.Num(a.Float() + b.Float())
		}
		return slow(f, a, b)
	}
}

func isNumber(x syntax.Expr) bool {
	_, ok := x.(*syntax.NumberLit)
	return ok
}

// arith compiles the numeric operators other than +.
func (c *fn) arith(n *syntax.Binary) expr {
	op := value.Operator(n.Op - syntax.OpAdd + 1)
	pos := int32(n.Pos)
	slow := func(f *Frame, a, b Value) Value {
		if a.IsThrow() || b.IsThrow() {
			return value.Throw
		}
		f.R.Pos = pos
		return f.R.Arith(op, a, b)
	}
	lit, isLit := n.R.(*syntax.NumberLit)
	if isLit {
		return arithConst(op, c.expr(n.L), lit.Value, slow)
	}
	var ops func(f *Frame) (Value, Value, bool)
	if pure(n.L) && pure(n.R) {
		x, y := c.expr(n.L), c.expr(n.R)
		return arithPure(op, x, y, slow)
	}
	ops = c.pair(n.L, n.R)
	switch op {
	case value.Sub:
		return func(f *Frame) Value {
			a, b, ok := ops(f)
			if ok && a.IsNumber() && b.IsNumber() {
				return value.Num(a.Float() - b.Float())
			}
			return slow(f, a, b)
		}
	case value.Mul:
		return func(f *Frame) Value {
			a, b, ok := ops(f)
			if ok && a.IsNumber() && b.IsNumber() {
				return value.Num(a.Float() * b.Float())
			}
			return slow(f, a, b)
		}
	case value.Div:
		return func(f *Frame) Value {
			a, b, ok := ops(f)
			if ok && a.IsNumber() && b.IsNumber() {
				return value.Num(a.Float() / b.Float())
			}
			return slow(f, a, b)
		}
	}
	number := numberOperator(op)
	return func(f *Frame) Value {
		a, b, ok := ops(f)
		if ok && a.IsNumber() && b.IsNumber() {
			return value.Num(number(a.Float(), b.Float()))
		}
		return slow(f, a, b)
	}
}

func arithPure(op value.Operator, x, y expr, slow func(f *Frame, a, b Value) Value) expr {
	switch op {
	case value.Sub:
		return func(f *Frame) Value {
			a, b := x(f), y(f)
			if a.IsNumber() && b.IsNumber() {
				return value.Num(a.Float() - b.Float())
			}
			return slow(f, a, b)
		}
	case value.Mul:
		return func(f *Frame) Value {
			a, b := x(f), y(f)
			if a.IsNumber() && b.IsNumber() {
				return value.Num(a.Float() * b.Float())
			}
			return slow(f, a, b)
		}
	case value.Mod:
		return func(f *Frame) Value {
			a, b := x(f), y(f)
			if a.IsNumber() && b.IsNumber() {
				return value.Num(value.Remainder(a.Float(), b.Float()))
			}
			return slow(f, a, b)
		}
	}
	number := numberOperator(op)
	return func(f *Frame) Value {
		a, b := x(f), y(f)
		if a.IsNumber() && b.IsNumber() {
			return value.Num(number(a.Float(), b.Float()))
		}
		return slow(f, a, b)
	}
}

// arithConst compiles an operator with a literal on the right.
func arithConst(op value.Operator, x expr, k float64, slow func(f *Frame, a, b Value) Value) expr {
	kv, ki, ku := value.Num(k), value.Int32(k), value.Uint32(k)&31
	switch op {
	case value.Sub:
		return func(f *Frame) Value {
			a := x(f)
			if a.IsNumber() {
				return value.Num(a.Float() - k)
			}
			return slow(f, a, kv)
		}
	case value.Mul:
		return func(f *Frame) Value {
			a := x(f)
			if a.IsNumber() {
				return value.Num(a.Float() * k)
			}
			return slow(f, a, kv)
		}
	case value.Mod:
		m := int64(k)
		whole := float64(m) == k && m > 0
		return func(f *Frame) Value {
			a := x(f)
			if a.IsNumber() {
				g := a.Float()
				if i := int64(g); whole && i >= 0 && float64(i) == g {
					if rem := i % m; rem != 0 || g != 0 {
						return value.Num(float64(rem))
					}
				}
				return value.Num(value.Remainder(g, k))
			}
			return slow(f, a, kv)
		}
	case value.And:
		return func(f *Frame) Value {
			a := x(f)
			if a.IsNumber() {
				return value.Num(float64(value.Int32(a.Float()) & ki))
			}
			return slow(f, a, kv)
		}
	case value.Or:
		return func(f *Frame) Value {
			a := x(f)
			if a.IsNumber() {
				return value.Num(float64(value.Int32(a.Float()) | ki))
			}
			return slow(f, a, kv)
		}
	case value.Shl:
		return func(f *Frame) Value {
			a := x(f)
			if a.IsNumber() {
				return value.Num(float64(value.Int32(a.Float()) << ku))
			}
			return slow(f, a, kv)
		}
	case value.Shr:
		return func(f *Frame) Value {
			a := x(f)
			if a.IsNumber() {
				return value.Num(float64(value.Int32(a.Float()) >> ku))
			}
			return slow(f, a, kv)
		}
	}
	number := numberOperator(op)
	return func(f *Frame) Value {
		a := x(f)
		if a.IsNumber() {
			return value.Num(number(a.Float(), k))
		}
		return slow(f, a, kv)
	}
}

func numberOperator(op value.Operator) func(x, y float64) float64 {
	return func(x, y float64) float64 { return value.ArithFloat(op, x, y) }
}

// fastStatement recognises statements worth a closure of their own.
func (c *fn) fastStatement(x syntax.Expr) stmt {
	switch n := x.(type) {
	case *syntax.Update:
		i := c.localSlot(n.X)
		if i < 0 || !writable(n.X.(*syntax.Ident)) {
			return nil
		}
		d := 1.0
		if n.Op == syntax.OpDec {
			d = -1
		}
		general := c.update(n, false)
		return func(f *Frame) completion {
			if v := f.S[i]; v.IsNumber() {
				f.S[i] = value.Num(v.Float() + d)
				return normal
			}
			if general(f).IsThrow() {
				return throws
			}
			return normal
		}
	case *syntax.Assign:
		return c.fastAssign(n)
	}
	return nil
}

// fastAssign is `local = value` and `local += value` as statements.
func (c *fn) fastAssign(n *syntax.Assign) stmt {
	i := c.localSlot(n.Target)
	if i < 0 || !writable(n.Target.(*syntax.Ident)) {
		return nil
	}
	switch n.Op {
	case syntax.OpNone:
		v := c.named(n.Value, n.Target.(*syntax.Ident).Orig)
		return func(f *Frame) completion {
			x := v(f)
			if x.IsThrow() {
				return throws
			}
			f.S[i] = x
			return normal
		}
	case syntax.OpAdd:
		t := c.temp(1)
		v, pos := c.expr(n.Value), int32(n.Pos)
		return func(f *Frame) completion {
			a := f.S[i]
			f.S[t] = a
			b := v(f)
			if a.IsNumber() && b.IsNumber() {
				f.S[i] = value.Num(a.Float() + b.Float())
				return normal
			}
			if b.IsThrow() {
				return throws
			}
			f.R.Pos = pos
			if a = f.R.AddSlow(a, b); a.IsThrow() {
				return throws
			}
			f.S[i] = a
			return normal
		}
	}
	return nil
}

func writable(id *syntax.Ident) bool {
	switch id.Ref.Bind.Kind {
	case syntax.BindConst, syntax.BindClassName, syntax.BindFuncName:
		return false
	}
	return true
}

package compile

// This file defines the unary operators, delete, ++ and --.

import (
	"math/big"

	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func (c *fn) unary(n *syntax.Unary) expr {
	switch n.Op {
	case syntax.OpTypeof:
		return c.typeof(n.X)
	case syntax.OpDelete:
		return c.deleteExpr(n)
	case syntax.OpNot:
		test := c.cond(n.X)
		return func(f *Frame) Value {
			switch test(f) {
			case isTrue:
				return value.False
			case isFalse:
				return value.True
			}
			return value.Throw
		}
	}
	x, pos := c.expr(n.X), int32(n.Pos)
	switch n.Op {
	case syntax.OpVoid:
		return func(f *Frame) Value {
			if v := x(f); v.IsThrow() {
				return v
			}
			return value.Undefined
		}
	case syntax.OpPlus:
		return func(f *Frame) Value {
			v := x(f)
			if v.IsNumber() || v.IsThrow() {
				return v
			}
			f.R.Pos = pos
			n, ok := f.R.ToNumber(v)
			if !ok {
				return value.Throw
			}
			return value.Num(n)
		}
	case syntax.OpNeg:
		if lit, ok := n.X.(*syntax.NumberLit); ok {
			return constant(value.Num(-lit.Value))
		}
		return func(f *Frame) Value {
			v := x(f)
			if v.IsNumber() {
				return value.Num(-v.Float())
			}
			return numericUnary(f, v, pos, func(n float64) float64 { return -n }, (*big.Int).Neg)
		}
	}
	return func(f *Frame) Value {
		v := x(f)
		return numericUnary(f, v, pos, func(n float64) float64 { return float64(^value.Int32(n)) }, (*big.Int).Not)
	}
}

func numericUnary(f *Frame, v Value, pos int32, num func(float64) float64, bigOp func(z, x *big.Int) *big.Int) Value {
	if v.IsThrow() {
		return v
	}
	f.R.Pos = pos
	v = f.R.ToNumeric(v)
	switch {
	case v.IsThrow():
		return v
	case v.IsBigInt():
		return f.R.NewBigInt(bigOp(new(big.Int), v.BigInt().Int))
	}
	return value.Num(num(v.Float()))
}

func (c *fn) typeof(x syntax.Expr) expr {
	if id, ok := x.(*syntax.Ident); ok && id.Ref.Kind == syntax.RefGlobal && c.Library.GlobalIndex(id.Name) < 0 {
		name := id.Orig
		return func(f *Frame) Value {
			v, _ := f.R.Alias(name)
			return value.TypeOf(v).Value()
		}
	}
	e := c.expr(x)
	return func(f *Frame) Value {
		v := e(f)
		if v.IsThrow() {
			return v
		}
		return value.TypeOf(v).Value()
	}
}

func (c *fn) deleteExpr(n *syntax.Unary) expr {
	x := n.X
	chain, optional := x.(*syntax.OptionalChain)
	if optional {
		x = chain.X
	}
	pos := int32(n.Pos)
	var ops func(f *Frame) (obj, key Value, ok bool)
	switch m := x.(type) {
	case *syntax.Member:
		obj, k := c.chainLink(m.Obj, m.Optional), value.StringKey(m.Name).Value()
		ops = func(f *Frame) (Value, Value, bool) { v := obj(f); return v, k, !v.IsThrow() }
	case *syntax.Index:
		obj, t := c.chainLink(m.Obj, m.Optional), c.temp(1)
		key := c.expr(m.Index)
		ops = func(f *Frame) (Value, Value, bool) {
			v := obj(f)
			if v.IsThrow() || v.IsHole() {
				return v, v, !v.IsThrow()
			}
			f.S[t] = v
			k := key(f)
			return v, k, !k.IsThrow()
		}
	case *syntax.SuperMember:
		return func(f *Frame) Value {
			return f.R.ThrowError(value.ReferenceError, "Unsupported reference to 'super'")
		}
	default:
		e := c.expr(n.X)
		return func(f *Frame) Value {
			if v := e(f); v.IsThrow() {
				return v
			}
			return value.True
		}
	}
	return func(f *Frame) Value {
		v, k, ok := ops(f)
		if !ok {
			return value.Throw
		}
		if v.IsHole() {
			return value.True
		}
		f.R.Pos = pos
		return f.R.DeleteStrict(v, k)
	}
}

// update compiles ++ and --; want says whether the value is used.
func (c *fn) update(n *syntax.Update, want bool) expr {
	d := 1.0
	if n.Op == syntax.OpDec {
		d = -1
	}
	prefix := n.Prefix || !want
	pos := int32(n.Pos)
	step := func(f *Frame, old Value) (was, now Value) {
		if old.IsNumber() {
			return old, value.Num(old.Float() + d)
		}
		f.R.Pos = pos
		old = f.R.ToNumeric(old)
		switch {
		case old.IsThrow():
			return old, old
		case old.IsBigInt():
			return old, f.R.NewBigInt(new(big.Int).Add(old.BigInt().Int, big.NewInt(int64(d))))
		}
		return old, value.Num(old.Float() + d)
	}
	if id, ok := n.X.(*syntax.Ident); ok {
		if i := c.localSlot(id); i >= 0 && writable(id) {
			return func(f *Frame) Value {
				if v := f.S[i]; v.IsNumber() {
					w := value.Num(v.Float() + d)
					f.S[i] = w
					if prefix {
						return w
					}
					return v
				}
				was, now := step(f, f.S[i])
				if now.IsThrow() {
					return now
				}
				f.S[i] = now
				if prefix {
					return now
				}
				return was
			}
		}
	}
	place := c.place(n.X)
	return func(f *Frame) Value {
		v := place.read(f)
		if v.IsThrow() {
			return v
		}
		was, now := step(f, v)
		if now.IsThrow() || !place.write(f, now) {
			return value.Throw
		}
		if prefix {
			return now
		}
		return was
	}
}

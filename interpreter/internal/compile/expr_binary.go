package compile

// This file defines unary, binary and update operators and conditions.

import (
	"math/big"

	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// operand is a compiled operand with what is known about it.
type operand struct {
	e     expr
	local int // slot of an unchecked, uncaptured local; -1 otherwise
	num   bool
	n     float64 // value of a number literal
}

func (c *fn) operand(x syntax.Expr) operand {
	o := operand{local: c.localSlot(x)}
	if lit, ok := x.(*syntax.NumberLit); ok {
		o.num, o.n = true, lit.Value
	}
	o.e = c.expr(x)
	return o
}

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
				return f.R.In(a, b)
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
	case pure(n.L):
		// the left value is read before the right runs, and cannot throw
		x := c.expr(n.L)
		t := c.temp(1)
		y := c.expr(n.R)
		return func(f *Frame) Value {
			a := x(f)
			f.S[t] = a
			b := y(f)
			if a.IsNumber() && b.IsNumber() {
				return value.Num(a.Float() + b.Float())
			}
			return slow(f, a, b)
		}
	}
	ops := c.pair(n.L, n.R)
	return func(f *Frame) Value {
		a, b, ok := ops(f)
		if !ok {
			return value.Throw
		}
		if a.IsNumber() && b.IsNumber() {
			return value.Num(a.Float() + b.Float())
		}
		return slow(f, a, b)
	}
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
		return constant(value.ASCII("undefined").Value())
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
			return truth(!want)
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
		return truth(value.StrictEquals(a, b) == want)
	}
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

package value

// This file defines the general path of the operators and the comparison operations (ECMA-262 7.2, 13.15).

import (
	"math"
	"math/big"
)

// Operator is a binary operator with a numeric result, or a relational or equality operator.
type Operator uint8

// The operators, in the order of syntax.Op from OpAdd on.
const (
	Add Operator = iota + 1
	Sub
	Mul
	Div
	Mod
	Exp
	Shl
	Shr
	Ushr
	And
	Or
	Xor
)

// TypeOf is the typeof operator.
func TypeOf(v Value) *Str {
	switch v.p.kind {
	case KindUndefined:
		return strUndefined
	case KindNull:
		return strObject
	case KindBool:
		return strBoolean
	case KindNumber, KindExact:
		return strNumber
	case KindString:
		return strString
	case KindSymbol:
		return strSymbol
	case KindBigInt:
		return strBigint
	}
	if v.Object().IsCallable() {
		return strFunction
	}
	return strObject
}

var (
	strObject   = ASCII("object")
	strBoolean  = ASCII("boolean")
	strNumber   = ASCII("number")
	strString   = ASCII("string")
	strSymbol   = ASCII("symbol")
	strBigint   = ASCII("bigint")
	strFunction = ASCII("function")
)

// StrictEquals (7.2.15).
func StrictEquals(a, b Value) bool {
	if a.p.kind != b.p.kind {
		if x, ok := mixedNumbers(a, b); ok {
			return x
		}
		return false
	}
	switch a.p.kind {
	case KindNumber:
		return a.Float() == b.Float()
	case KindString:
		return a.Str().Equal(b.Str())
	case KindBool:
		return a.n == b.n
	case KindBigInt:
		return a.BigInt().Int.Cmp(b.BigInt().Int) == 0
	case KindExact:
		return a.Exact().Text == b.Exact().Text
	}
	return a.p == b.p
}

func mixedNumbers(a, b Value) (equal, ok bool) {
	switch {
	case a.p.kind == KindExact && b.p.kind == KindNumber:
		return a.Exact().F == b.Float(), true
	case b.p.kind == KindExact && a.p.kind == KindNumber:
		return b.Exact().F == a.Float(), true
	}
	return false, false
}

// StrictEquals is [StrictEquals], accounted for.
func (r *Realm) StrictEquals(a, b Value) bool {
	if s, t := a.Str(), b.Str(); s != nil && t != nil && s.N == t.N {
		r.oweText(int(s.N))
	}
	return StrictEquals(a, b)
}

// SameValueZero (7.2.12).
func SameValueZero(a, b Value) bool {
	if a.p == &numTag && b.p == &numTag {
		x, y := a.Float(), b.Float()
		return x == y || x != x && y != y
	}
	return StrictEquals(a, b)
}

// SameValue (7.2.11).
func SameValue(a, b Value) bool {
	if a.p == &numTag && b.p == &numTag {
		x, y := a.Float(), b.Float()
		if x != x {
			return y != y
		}
		return x == y && math.Signbit(x) == math.Signbit(y)
	}
	return StrictEquals(a, b)
}

// LooseEquals (7.2.14); the second result is false if it threw.
func (r *Realm) LooseEquals(a, b Value) (equal, ok bool) {
	for {
		ka, kb := a.p.kind, b.p.kind
		switch {
		case ka == kb:
			return r.StrictEquals(a, b), true
		case a.IsNullish() || b.IsNullish():
			return a.IsNullish() && b.IsNullish(), true
		case ka == KindObject && kb == KindBool:
			b = Num(float64(b.n))
		case ka == KindBool:
			a = Num(float64(a.n))
		case kb == KindBool:
			b = Num(float64(b.n))
		case ka == KindObject:
			if a = r.ToPrimitive(a, HintDefault); a.IsThrow() {
				return false, false
			}
		case kb == KindObject:
			if b = r.ToPrimitive(b, HintDefault); b.IsThrow() {
				return false, false
			}
		default:
			return r.looseMixed(a, b)
		}
	}
}

func (r *Realm) looseMixed(a, b Value) (equal, ok bool) {
	if a.IsSymbol() || b.IsSymbol() {
		return false, true
	}
	if b.IsBigInt() {
		a, b = b, a
	}
	if a.IsBigInt() {
		if s := b.Str(); s != nil {
			z, _ := r.parseBigInt(s)
			return z != nil && z.Cmp(a.BigInt().Int) == 0, true
		}
		return compareBigFloat(a.BigInt().Int, floatOf(b)) == 0, true
	}
	x, ok := r.ToNumber(a)
	if !ok {
		return false, false
	}
	y, ok := r.ToNumber(b)
	return x == y, ok
}

// floatOf is ToNumber of a number or exact integer.
func floatOf(v Value) float64 {
	switch v.p.kind {
	case KindNumber:
		return v.Float()
	case KindExact:
		return v.Exact().F
	}
	return math.NaN()
}

// compareBigFloat gives -1, 0, 1, or 2 if f is NaN.
func compareBigFloat(z *big.Int, f float64) int {
	switch {
	case f != f:
		return 2
	case math.IsInf(f, 1):
		return -1
	case math.IsInf(f, -1):
		return 1
	}
	return new(big.Float).SetInt(z).Cmp(big.NewFloat(f))
}

// Relation is the outcome of a relational comparison.
type Relation uint8

// The outcomes.
const (
	RelFalse Relation = iota
	RelTrue
	RelUndefined // NaN was involved
	RelThrew
)

// LessThan is IsLessThan(a, b) (7.2.13), with the operands converted left first or right first.
func (r *Realm) LessThan(a, b Value, leftFirst bool) Relation {
	if leftFirst {
		if a = r.ToPrimitive(a, HintNumber); a.IsThrow() {
			return RelThrew
		}
		if b = r.ToPrimitive(b, HintNumber); b.IsThrow() {
			return RelThrew
		}
	} else {
		if b = r.ToPrimitive(b, HintNumber); b.IsThrow() {
			return RelThrew
		}
		if a = r.ToPrimitive(a, HintNumber); a.IsThrow() {
			return RelThrew
		}
	}
	if s, t := a.Str(), b.Str(); s != nil && t != nil {
		r.oweText(int(min(s.N, t.N)))
		return relation(s.Compare(t) < 0)
	}
	if a.IsBigInt() || b.IsBigInt() {
		return r.lessBig(a, b)
	}
	if x, y := a.Exact(), b.Exact(); x != nil && y != nil {
		p, _ := new(big.Int).SetString(x.Text, 10)
		q, _ := new(big.Int).SetString(y.Text, 10)
		return relation(p.Cmp(q) < 0)
	}
	x, ok := r.ToNumber(a)
	if !ok {
		return RelThrew
	}
	y, ok := r.ToNumber(b)
	if !ok {
		return RelThrew
	}
	if x != x || y != y {
		return RelUndefined
	}
	return relation(x < y)
}

func relation(b bool) Relation {
	if b {
		return RelTrue
	}
	return RelFalse
}

func (r *Realm) lessBig(a, b Value) Relation {
	x, y := a.BigInt(), b.BigInt()
	if x != nil && y != nil {
		return relation(x.Int.Cmp(y.Int) < 0)
	}
	other := a
	if x != nil {
		other = b
	}
	if s := other.Str(); s != nil {
		z, fits := r.parseBigInt(s)
		switch {
		case !fits:
			r.bigTooBig()
			return RelThrew
		case z == nil:
			return RelUndefined
		case x != nil:
			return relation(x.Int.Cmp(z) < 0)
		}
		return relation(z.Cmp(y.Int) < 0)
	}
	f, ok := r.ToNumber(other)
	if !ok {
		return RelThrew
	}
	if x != nil {
		c := compareBigFloat(x.Int, f)
		if c == 2 {
			return RelUndefined
		}
		return relation(c < 0)
	}
	c := compareBigFloat(y.Int, f)
	if c == 2 {
		return RelUndefined
	}
	return relation(c > 0)
}

// AddSlow is the + operator (13.15.3) where not both operands are numbers.
func (r *Realm) AddSlow(a, b Value) Value {
	if s := a.Str(); s != nil {
		if t := b.Str(); t != nil {
			return r.ConcatStr(s, t)
		}
	}
	if a.p.kind == KindObject {
		if a = r.ToPrimitive(a, HintDefault); a.IsThrow() {
			return a
		}
	}
	if b.p.kind == KindObject {
		if b = r.ToPrimitive(b, HintDefault); b.IsThrow() {
			return b
		}
	}
	if a.IsString() || b.IsString() {
		s := r.ToString(a)
		if s == nil {
			return Throw
		}
		t := r.ToString(b)
		if t == nil {
			return Throw
		}
		return r.ConcatStr(s, t)
	}
	return r.Arith(Add, a, b)
}

// ConcatStr joins two strings; a RangeError if the result were too long.
func (r *Realm) ConcatStr(a, b *Str) Value {
	if int(a.N)+int(b.N) > MaxStringLength {
		return r.ThrowError(RangeError, "Invalid string length")
	}
	if n := int(a.N + b.N); n >= largeAllotment && !r.Allot(n) { // the text that flattening will make
		return Throw
	}
	if n := a.N + b.N; n < copyBelow {
		r.Charge(32 + int(n))
	} else {
		r.Charge(ropeBytes)
	}
	s := Concat(a, b)
	if s.Flags&flagRope != 0 && s != a && s != b {
		s.rope().realm = r
	}
	return s.Value()
}

// Arith is a numeric binary operator (13.15.3 from step 5 on) for any operands.
func (r *Realm) Arith(op Operator, a, b Value) Value {
	a = r.ToNumeric(a)
	if a.IsThrow() {
		return a
	}
	b = r.ToNumeric(b)
	if b.IsThrow() {
		return b
	}
	if a.p == &numTag && b.p == &numTag {
		return Num(ArithFloat(op, a.Float(), b.Float()))
	}
	if !a.IsBigInt() || !b.IsBigInt() {
		return r.ThrowTypeError("Cannot mix BigInt and other types, use explicit conversions")
	}
	return r.arithBig(op, a.BigInt().Int, b.BigInt().Int)
}

// ArithFloat is a numeric operator on numbers.
func ArithFloat(op Operator, x, y float64) float64 {
	switch op {
	case Add:
		return x + y
	case Sub:
		return x - y
	case Mul:
		return x * y
	case Div:
		return x / y
	case Mod:
		return Remainder(x, y)
	case Exp:
		return Power(x, y)
	case Shl:
		return float64(Int32(x) << (toUint32(y) & 31))
	case Shr:
		return float64(Int32(x) >> (toUint32(y) & 31))
	case Ushr:
		return float64(toUint32(x) >> (toUint32(y) & 31))
	case And:
		return float64(Int32(x) & Int32(y))
	case Or:
		return float64(Int32(x) | Int32(y))
	}
	return float64(Int32(x) ^ Int32(y))
}

// Remainder is Number::remainder (6.1.6.1.6).
func Remainder(x, y float64) float64 {
	if i, j := int64(x), int64(y); float64(i) == x && float64(j) == y && j != 0 {
		m := i % j
		if m == 0 && (i < 0 || math.Signbit(x)) {
			return math.Copysign(0, -1)
		}
		return float64(m)
	}
	return math.Mod(x, y)
}

func (r *Realm) arithBig(op Operator, x, y *big.Int) Value {
	r.oweBig(x)
	r.oweBig(y)
	z := new(big.Int)
	switch op {
	case Add:
		z.Add(x, y)
	case Sub:
		z.Sub(x, y)
	case Mul:
		if x.BitLen()+y.BitLen() > MaxBigBits {
			return r.bigTooBig()
		}
		z.Mul(x, y)
	case Div, Mod:
		if y.Sign() == 0 {
			return r.ThrowError(RangeError, "Division by zero")
		}
		if op == Div {
			z.Quo(x, y)
		} else {
			z.Rem(x, y)
		}
	case Exp:
		return r.powBig(x, y)
	case Shl, Shr:
		return r.shiftBig(op, x, y)
	case Ushr:
		return r.ThrowTypeError("BigInts have no unsigned right shift, use >> instead")
	case And:
		z.And(x, y)
	case Or:
		z.Or(x, y)
	case Xor:
		z.Xor(x, y)
	}
	if z.BitLen() > MaxBigBits {
		return r.bigTooBig()
	}
	return r.NewBigInt(z)
}

func (r *Realm) bigTooBig() Value { return r.ThrowError(RangeError, "Maximum BigInt size exceeded") }

func (r *Realm) powBig(x, y *big.Int) Value {
	if y.Sign() < 0 {
		return r.ThrowError(RangeError, "Exponent must be non-negative")
	}
	if x.BitLen() <= 1 { // 0, 1, -1
		z := new(big.Int).Set(x)
		switch {
		case y.Sign() == 0:
			z.SetInt64(1)
		case x.Sign() < 0 && y.Bit(0) == 0:
			z.SetInt64(1)
		}
		return r.NewBigInt(z)
	}
	if !y.IsInt64() || y.Int64()*int64(x.BitLen()-1) > MaxBigBits || y.Int64() > MaxBigBits {
		return r.bigTooBig()
	}
	return r.NewBigInt(new(big.Int).Exp(x, y, nil))
}

func (r *Realm) shiftBig(op Operator, x, y *big.Int) Value {
	left := (op == Shl) == (y.Sign() >= 0)
	n := new(big.Int).Abs(y)
	if !left {
		if !n.IsInt64() || n.Int64() > MaxBigBits*2 {
			if x.Sign() < 0 {
				return r.NewBigInt(big.NewInt(-1))
			}
			return r.NewBigInt(new(big.Int))
		}
		return r.NewBigInt(new(big.Int).Rsh(x, uint(n.Int64())))
	}
	if x.Sign() == 0 {
		return r.NewBigInt(new(big.Int))
	}
	if !n.IsInt64() || n.Int64()+int64(x.BitLen()) > MaxBigBits {
		return r.bigTooBig()
	}
	return r.NewBigInt(new(big.Int).Lsh(x, uint(n.Int64())))
}

// InstanceOf is the instanceof operator (13.10.2).
func (r *Realm) InstanceOf(v, target Value) Value {
	t := target.Object()
	if t == nil {
		return r.ThrowTypeError("Right-hand side of 'instanceof' is not an object")
	}
	h := r.GetMethod(target, SymbolKey(SymHasInstance))
	if h.IsThrow() {
		return h
	}
	if !h.IsUndefined() && !(h.Function() != nil && h.Function().isBuiltin() && h == r.hasInstance()) {
		x := r.Call(h, target, v)
		if x.IsThrow() {
			return x
		}
		return Bool(ToBoolean(x))
	}
	if !t.IsCallable() {
		return r.ThrowTypeError("Right-hand side of 'instanceof' is not callable")
	}
	return r.OrdinaryHasInstance(target, v)
}

// hasInstance is the builtin Function.prototype[Symbol.hasInstance].
func (r *Realm) hasInstance() Value {
	o := r.intrinsics[FunctionPrototype]
	if i := o.Shape.lookupSymbol(SymHasInstance); i >= 0 {
		return o.Slots[i]
	}
	return Undefined
}

// OrdinaryHasInstance (7.3.22).
func (r *Realm) OrdinaryHasInstance(c, v Value) Value {
	f := c.Object()
	if f == nil || !f.IsCallable() {
		return False
	}
	if b, ok := f.Ext.(*Bound); ok {
		return r.InstanceOf(v, b.Target.Value())
	}
	o := v.Object()
	if o == nil {
		return False
	}
	p := r.Get(f, Name("prototype"))
	if p.IsThrow() {
		return p
	}
	proto := p.Object()
	if proto == nil {
		return r.ThrowTypeError("Function has non-object prototype '%s' in instanceof check", PrimitiveToString(p))
	}
	for q := o.Shape.Proto; q != nil; q = q.Shape.Proto {
		if q == proto {
			return True
		}
	}
	return False
}

// DeleteStrict is the delete operator in strict code (13.5.1.2).
func (r *Realm) DeleteStrict(v, key Value) Value {
	if v.IsNullish() {
		return r.ThrowTypeError("Cannot convert undefined or null to object")
	}
	k, ok := r.ToPropertyKey(key)
	if !ok {
		return Throw
	}
	o := r.ToObject(v)
	if o == nil {
		return Throw
	}
	switch r.Delete(o, k) {
	case OK:
		return True
	case Failed:
		return r.ThrowTypeError("Cannot delete property '%s' of %s", k, r.Describe(o.Value()))
	}
	return Throw
}

// In is the in operator.
func (r *Realm) In(k, target Value) Value {
	o := target.Object()
	if o == nil {
		return r.ThrowTypeError("Cannot use 'in' operator to search for '%s' in %s%s", r.unquoted(k), r.unquoted(target), r.TextHint(target))
	}
	key, ok := r.ToPropertyKey(k)
	if !ok {
		return Throw
	}
	has, ok := r.HasProperty(o, key)
	if !ok {
		return Throw
	}
	return Bool(has)
}

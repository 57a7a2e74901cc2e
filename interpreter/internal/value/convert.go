package value

// This file defines type conversion (ECMA-262 7.1).

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// ToBoolean (7.1.2).
func ToBoolean(v Value) bool {
	switch v.p.kind {
	case KindBool:
		return v.n != 0
	case KindNumber:
		f := v.Float()
		return f != 0 && f == f
	case KindUndefined, KindNull:
		return false
	case KindString:
		return v.p.N != 0
	case KindBigInt:
		return v.BigInt().Int.Sign() != 0
	}
	return true
}

// Hint is the preferred type of ToPrimitive.
type Hint uint8

// The hints.
const (
	HintDefault Hint = iota
	HintNumber
	HintString
)

var hintNames = [...]*Str{HintDefault: ASCII("default"), HintNumber: ASCII("number"), HintString: ASCII("string")}

// ToPrimitive (7.1.1); the result is Throw if it threw.
func (r *Realm) ToPrimitive(v Value, hint Hint) Value {
	o := v.Object()
	if o == nil {
		return v
	}
	if o.Class == ClassPromise {
		what := "a Promise was turned into text"
		if hint == HintNumber {
			what = "a Promise was used as a number"
		}
		r.NotePromise(v, what, "")
	} else if o.Class == ClassTools {
		r.noteToolText(o)
	}
	fn := r.Get(o, SymbolKey(SymToPrimitive))
	if fn.IsThrow() {
		return fn
	}
	if !fn.IsNullish() {
		if !fn.IsCallable() {
			return r.ThrowTypeError("%s is not a function", r.Describe(fn))
		}
		p := r.Call(fn, v, hintNames[hint].Value())
		if p.IsObject() {
			return r.ThrowTypeError("Cannot convert object to primitive value")
		}
		return p
	}
	first, second := Name("valueOf"), Name("toString")
	if hint == HintString {
		first, second = second, first
	}
	for _, k := range [2]Key{first, second} {
		fn := r.Get(o, k)
		if fn.IsThrow() {
			return fn
		}
		if fn.IsCallable() {
			p := r.Call(fn, v)
			if !p.IsObject() {
				return p
			}
		}
	}
	return r.ThrowTypeError("Cannot convert object to primitive value")
}

// ToNumber (7.1.4); false if it threw.
func (r *Realm) ToNumber(v Value) (float64, bool) {
	switch v.p.kind {
	case KindNumber:
		return v.Float(), true
	case KindUndefined:
		return math.NaN(), true
	case KindNull:
		return 0, true
	case KindBool:
		return float64(v.n), true
	case KindString:
		return r.numberOfText(v.Str())
	case KindExact:
		return v.Exact().F, true
	case KindSymbol:
		r.ThrowTypeError("Cannot convert a Symbol value to a number")
		return 0, false
	case KindBigInt:
		r.ThrowTypeError("Cannot convert a BigInt value to a number")
		return 0, false
	}
	p := r.ToPrimitive(v, HintNumber)
	if p.IsThrow() {
		return 0, false
	}
	return r.ToNumber(p)
}

// ToNumeric (7.1.3): a number (exact integers become ordinary ones) or a BigInt, or Throw.
func (r *Realm) ToNumeric(v Value) Value {
	switch v.p.kind {
	case KindNumber, KindBigInt:
		return v
	case KindObject:
		p := r.ToPrimitive(v, HintNumber)
		if p.IsThrow() || p.IsBigInt() {
			return p
		}
		v = p
	}
	f, ok := r.ToNumber(v)
	if !ok {
		return Throw
	}
	return Num(f)
}

// IsSpace tells WhiteSpace and LineTerminator code units (ECMA-262 12.2, 12.3).
func IsSpace(c uint16) bool {
	switch c {
	case ' ', '\t', '\n', '\r', '\v', '\f', 0xA0, 0xFEFF, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return c >= 0x2000 && c <= 0x200A
}

// Trim removes white space at the chosen ends.
func (s *Str) Trim(start, end bool) *Str {
	i, j := 0, s.Len()
	for start && i < j && IsSpace(s.At(i)) {
		i++
	}
	for end && j > i && IsSpace(s.At(j-1)) {
		j--
	}
	return s.Slice(i, j)
}

// StringToNumber (7.1.4.1.1).
func StringToNumber(s *Str) float64 {
	t := s.Trim(true, true)
	if t.N == 0 {
		return 0
	}
	if !t.IsASCII() {
		return math.NaN()
	}
	a := t.ASCII()
	if len(a) > 2 && a[0] == '0' {
		base := 0
		switch a[1] | 0x20 {
		case 'x':
			base = 16
		case 'o':
			base = 8
		case 'b':
			base = 2
		}
		if base != 0 {
			return DigitsToNumber(a[2:], base)
		}
	}
	return parseDecimal(a)
}

// DigitsToNumber reads digits of a base exactly; NaN if any is wrong.
func DigitsToNumber(a string, base int) float64 {
	for i := 0; i < len(a); i++ {
		if digitOf(a[i]) >= base {
			return math.NaN()
		}
	}
	if a = strings.TrimLeft(a, "0"); len(a) > 1100 { // at least 2^1100
		return math.Inf(1)
	} else if a == "" {
		return 0
	}
	if n, err := strconv.ParseUint(a, base, 53); err == nil {
		return float64(n)
	}
	z, ok := new(big.Int).SetString(a, base)
	if !ok {
		return math.NaN()
	}
	f, _ := new(big.Float).SetInt(z).Float64()
	return f
}

func digitOf(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 99
}

func parseDecimal(a string) float64 {
	t := a
	if t[0] == '+' || t[0] == '-' {
		t = t[1:]
	}
	if t == "Infinity" {
		if a[0] == '-' {
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	for i := 0; i < len(t); i++ { // ParseFloat also takes inf, nan, hex and underscores
		c := t[i]
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-' {
			return math.NaN()
		}
	}
	f, err := strconv.ParseFloat(a, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// ToInteger is ToIntegerOrInfinity (7.1.5).
func (r *Realm) ToInteger(v Value) (float64, bool) {
	f, ok := r.ToNumber(v)
	if !ok || f != f {
		return 0, ok
	}
	return math.Trunc(f) + 0, ok
}

// ToLength (7.1.20).
func (r *Realm) ToLength(v Value) (int, bool) {
	f, ok := r.ToInteger(v)
	if !ok || f <= 0 {
		return 0, ok
	}
	return int(math.Min(f, 1<<53-1)), true
}

// ToIndex (7.1.22); a RangeError if out of range.
func (r *Realm) ToIndex(v Value) (int, bool) {
	f, ok := r.ToInteger(v)
	if !ok {
		return 0, false
	}
	if f < 0 || f > 1<<53-1 {
		r.ThrowError(RangeError, "Invalid index")
		return 0, false
	}
	return int(f), true
}

// ToInt32 (7.1.6).
func (r *Realm) ToInt32(v Value) (int32, bool) {
	f, ok := r.ToNumber(v)
	return int32(toUint32(f)), ok
}

// ToUint32 (7.1.7).
func (r *Realm) ToUint32(v Value) (uint32, bool) {
	f, ok := r.ToNumber(v)
	return toUint32(f), ok
}

// Int32 converts a number (7.1.6).
func Int32(f float64) int32 {
	if i := int32(f); float64(i) == f {
		return i
	}
	return int32(toUint32(f))
}

// Uint32 converts a number (7.1.7).
func Uint32(f float64) uint32 { return toUint32(f) }

func toUint32(f float64) uint32 {
	if math.Abs(f) < 1<<62 { // false for NaN
		return uint32(int64(f))
	}
	if f != f || math.IsInf(f, 0) {
		return 0
	}
	f = math.Mod(math.Trunc(f), 1<<32)
	return uint32(int64(f))
}

var smallInts = makeSmallInts()

func makeSmallInts() (out [1024]*Str) {
	for i := range out {
		out[i] = ASCII(strconv.Itoa(i))
	}
	return out
}

// NumberToString (6.1.6.1.20).
func NumberToString(f float64) *Str {
	if i := int(f); i >= 0 && i < len(smallInts) && float64(i) == f {
		return smallInts[i]
	}
	if f != f {
		return strNaN
	}
	if math.IsInf(f, 0) {
		if f > 0 {
			return strInfinity
		}
		return strNegInfinity
	}
	var buf [32]byte
	return CopyASCII(data.AppendNumber(buf[:0], f))
}

var (
	strNaN         = ASCII("NaN")
	strInfinity    = ASCII("Infinity")
	strNegInfinity = ASCII("-Infinity")
	strUndefined   = ASCII("undefined")
	strNull        = ASCII("null")
	strTrue        = ASCII("true")
	strFalse       = ASCII("false")
)

// PrimitiveToString is ToString for anything but objects and symbols.
func PrimitiveToString(v Value) *Str {
	switch v.p.kind {
	case KindString:
		return v.Str()
	case KindNumber:
		return NumberToString(v.Float())
	case KindUndefined:
		return strUndefined
	case KindNull:
		return strNull
	case KindBool:
		if v.n != 0 {
			return strTrue
		}
		return strFalse
	case KindExact:
		return ASCII(v.Exact().Text)
	case KindBigInt:
		return ASCII(v.BigInt().Int.String())
	}
	return EmptyString
}

// ToString (7.1.17); nil if it threw.
func (r *Realm) ToString(v Value) *Str {
	switch v.p.kind {
	case KindString:
		return v.Str()
	case KindObject:
		r.NotePromise(v, "a Promise was turned into text", "")
		p := r.ToPrimitive(v, HintString)
		if p.IsThrow() {
			return nil
		}
		return r.ToString(p)
	case KindSymbol:
		r.ThrowTypeError("Cannot convert a Symbol value to a string")
		return nil
	case KindNumber:
		s := NumberToString(v.Float())
		r.Charge(40)
		return s
	case KindBigInt:
		r.oweBig(v.BigInt().Int)
	}
	return PrimitiveToString(v)
}

// ToPropertyKey (7.1.19); false if it threw.
func (r *Realm) ToPropertyKey(v Value) (Key, bool) {
	switch v.p.kind {
	case KindString:
		return StrKey(v.Str()), true
	case KindNumber:
		f := v.Float()
		if i := uint32(f); float64(i) == f && i != MaxIndex {
			return Key{Index: i, IsIndex: true}, true
		}
		return StringKey(NumberToString(f).ASCII()), true
	case KindSymbol:
		return Key{Sym: v.Symbol()}, true
	case KindObject:
		p := r.ToPrimitive(v, HintString)
		if p.IsThrow() {
			return Key{}, false
		}
		return r.ToPropertyKey(p)
	}
	return StrKey(PrimitiveToString(v)), true
}

// ToObject (7.1.18); nil if it threw.
func (r *Realm) ToObject(v Value) *Object {
	switch v.p.kind {
	case KindObject:
		return v.Object()
	case KindUndefined, KindNull:
		r.ThrowTypeError("Cannot convert undefined or null to object%s", r.nullArgHint("; "))
		return nil
	case KindString:
		return r.NewClass(ClassString, r.Intrinsic(StringPrototype), v.Str())
	case KindBool:
		return r.NewClass(ClassBoolean, r.Intrinsic(BooleanPrototype), v)
	case KindSymbol:
		return r.NewClass(ClassSymbol, r.Intrinsic(SymbolPrototype), v)
	case KindBigInt:
		return r.NewClass(ClassBigInt, r.Intrinsic(BigIntPrototype), v)
	}
	return r.NewClass(ClassNumber, r.Intrinsic(NumberPrototype), v)
}

// primitiveProto is the prototype that property reads of a primitive go to; nil for undefined and null.
func (r *Realm) primitiveProto(v Value) *Object {
	switch v.p.kind {
	case KindString:
		return r.Intrinsic(StringPrototype)
	case KindNumber, KindExact:
		return r.Intrinsic(NumberPrototype)
	case KindBool:
		return r.Intrinsic(BooleanPrototype)
	case KindSymbol:
		return r.Intrinsic(SymbolPrototype)
	case KindBigInt:
		return r.Intrinsic(BigIntPrototype)
	}
	return nil
}

// GetV (7.3.3): a property read on any value.
func (r *Realm) GetV(v Value, k Key) Value {
	if o := v.Object(); o != nil {
		return r.GetWith(o, k, v)
	}
	if s := v.Str(); s != nil {
		if k.IsIndex && int64(k.Index) < int64(s.N) {
			return s.CharAt(int(k.Index)).Value()
		}
		if k.S == "length" && k.Sym == nil {
			return Int(s.Len())
		}
	}
	p := r.primitiveProto(v)
	if p == nil {
		return r.ThrowTypeError("Cannot read properties of %s (reading '%s')", PrimitiveToString(v), k)
	}
	return r.GetWith(p, k, v)
}

// GetMethod (7.3.11): undefined if there is none, Throw if it is not callable.
func (r *Realm) GetMethod(v Value, k Key) Value {
	f := r.GetV(v, k)
	if f.IsThrow() || f.IsCallable() {
		return f
	}
	if f.IsNullish() {
		return Undefined
	}
	return r.ThrowTypeError("%s is not a function", r.Describe(f))
}

// Invoke method by key (7.3.20).
func (r *Realm) InvokeMethod(v Value, k Key, args ...Value) Value {
	f := r.GetV(v, k)
	if f.IsThrow() {
		return f
	}
	return r.CallArgs(f, v, args)
}

// ToBigInt (7.1.13); nil if it threw.
func (r *Realm) ToBigInt(v Value) *big.Int {
	p := r.ToPrimitive(v, HintNumber)
	switch p.p.kind {
	case KindThrow:
		return nil
	case KindBigInt:
		return p.BigInt().Int
	case KindBool:
		return big.NewInt(int64(p.n))
	case KindString:
		s := p.Str().Trim(true, true)
		z, fits := r.parseBigInt(s)
		switch {
		case !fits:
			r.bigTooBig()
		case z == nil:
			r.ThrowError(SyntaxError, "Cannot convert %s to a BigInt", clipped(p.Str()))
		}
		return z
	case KindNumber, KindExact:
		r.ThrowTypeError("Cannot convert %s to a BigInt", PrimitiveToString(p))
	case KindSymbol:
		r.ThrowTypeError("Cannot convert %s to a BigInt", p.Symbol().Descriptive())
	default:
		r.ThrowTypeError("Cannot convert %s to a BigInt", PrimitiveToString(p))
	}
	return nil
}

// NewBigInt makes a BigInt value, charged.
func (r *Realm) NewBigInt(z *big.Int) Value {
	r.Charge(48 + z.BitLen()/8)
	r.oweBig(z)
	return NewBigInt(z).Value()
}

// PrimitivePrototype is the prototype that property reads of a primitive go to; nil for undefined and null.
func (r *Realm) PrimitivePrototype(v Value) *Object { return r.primitiveProto(v) }

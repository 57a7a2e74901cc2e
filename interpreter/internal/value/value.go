// Package value holds the guest's values, the object model and the abstract operations of ECMA-262 clauses 6, 7 and 10,
// together with Realm, the state of one execution that they all need.
//
// A Value is 16 bytes: a pointer to a header that tells the kind, and a word that is the payload of numbers and
// booleans. All casts between headers and heap kinds are in this file.
//
// Conventions. An operation that can throw returns Throw (a Value of its own kind) with the thrown value kept in the
// Realm, or a false ok beside another result. The zero Value is "absent": it is never visible to guest code.
package value

import (
	"math"
	"unsafe"
)

// Kind is the kind of a value; the kinds after KindObject are internal and never visible to guest code.
type Kind uint8

// The kinds of value.
const (
	KindUndefined Kind = iota
	KindNull
	KindBool
	KindNumber
	KindExact // an exact integer that a float64 cannot hold; typeof "number"
	KindString
	KindSymbol
	KindBigInt
	KindObject
	KindHole     // missing array element
	KindTDZ      // uninitialised binding
	KindThrow    // "an exception is in Realm.exc"
	KindCell     // captured variable in a frame slot
	KindAccessor // getter and setter in a property slot
	KindLazy     // property of an intrinsic object not made yet
)

// Header is the first field of every heap value. N is the length of arrays and strings.
type Header struct {
	kind  Kind
	Class Class
	Flags Flags
	N     uint32
}

// Value is a guest value. Compare with == only where identity of heap values is meant.
type Value struct {
	p *Header
	n uint64
}

var (
	undefTag = Header{kind: KindUndefined}
	nullTag  = Header{kind: KindNull}
	boolTag  = Header{kind: KindBool}
	numTag   = Header{kind: KindNumber}
	holeTag  = Header{kind: KindHole}
	tdzTag   = Header{kind: KindTDZ}
	throwTag = Header{kind: KindThrow}
	lazyTag  = Header{kind: KindLazy}
)

// Undefined, Null and the internal markers.
var (
	Undefined = Value{p: &undefTag}
	Null      = Value{p: &nullTag}
	True      = Value{p: &boolTag, n: 1}
	False     = Value{p: &boolTag}
	Hole      = Value{p: &holeTag}
	TDZ       = Value{p: &tdzTag}
	Throw     = Value{p: &throwTag}
	NaN       = Num(math.NaN())
	Zero      = Num(0)
)

// Num makes a number.
func Num(f float64) Value { return Value{p: &numTag, n: math.Float64bits(f)} }

// Int makes a number from a Go int.
func Int(i int) Value { return Num(float64(i)) }

// Bool makes a boolean.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

func lazy(row int) Value { return Value{p: &lazyTag, n: uint64(row)} }

// IsAbsent tells the zero Value.
func (v Value) IsAbsent() bool { return v.p == nil }

// Kind returns the kind; v must not be absent.
func (v Value) Kind() Kind { return v.p.kind }

// IsNumber tells ordinary numbers (not exact integers).
func (v Value) IsNumber() bool { return v.p == &numTag }

// Float is the payload of a number.
func (v Value) Float() float64 { return math.Float64frombits(v.n) }

// IsUndefined tells undefined.
func (v Value) IsUndefined() bool { return v.p == &undefTag }

// IsNull tells null.
func (v Value) IsNull() bool { return v.p == &nullTag }

// IsNullish tells undefined and null.
func (v Value) IsNullish() bool { return v.p == &undefTag || v.p == &nullTag }

// IsBool tells booleans.
func (v Value) IsBool() bool { return v.p == &boolTag }

// IsTrue is the payload of a boolean.
func (v Value) IsTrue() bool { return v.n != 0 }

// IsThrow tells the exception marker.
func (v Value) IsThrow() bool { return v.p == &throwTag }

// IsTDZ tells the marker of an uninitialised binding.
func (v Value) IsTDZ() bool { return v.p == &tdzTag }

// IsHole tells the marker of a missing array element.
func (v Value) IsHole() bool { return v.p == &holeTag }

// IsObject tells objects, functions included.
func (v Value) IsObject() bool { return v.p.kind == KindObject }

// IsString tells strings.
func (v Value) IsString() bool { return v.p.kind == KindString }

// IsSymbol tells symbols.
func (v Value) IsSymbol() bool { return v.p.kind == KindSymbol }

// IsBigInt tells BigInts.
func (v Value) IsBigInt() bool { return v.p.kind == KindBigInt }

// IsExact tells exact integers.
func (v Value) IsExact() bool { return v.p.kind == KindExact }

// Object returns the object, or nil if v is not one.
func (v Value) Object() *Object {
	if v.p.kind == KindObject {
		return (*Object)(unsafe.Pointer(v.p))
	}
	return nil
}

// Function returns the function object, or nil if v is not one.
func (v Value) Function() *Function {
	if v.p.kind == KindObject && v.p.Class == ClassFunction {
		return (*Function)(unsafe.Pointer(v.p))
	}
	return nil
}

// Str returns the string, or nil if v is not one.
func (v Value) Str() *Str {
	if v.p.kind == KindString {
		return (*Str)(unsafe.Pointer(v.p))
	}
	return nil
}

// rope is the rest of a string that was made as one.
func (s *Str) rope() *rope { return (*rope)(unsafe.Pointer(s)) }

// Symbol returns the symbol, or nil if v is not one.
func (v Value) Symbol() *Symbol {
	if v.p.kind == KindSymbol {
		return (*Symbol)(unsafe.Pointer(v.p))
	}
	return nil
}

// BigInt returns the BigInt, or nil if v is not one.
func (v Value) BigInt() *BigInt {
	if v.p.kind == KindBigInt {
		return (*BigInt)(unsafe.Pointer(v.p))
	}
	return nil
}

// Exact returns the exact integer, or nil if v is not one.
func (v Value) Exact() *Exact {
	if v.p.kind == KindExact {
		return (*Exact)(unsafe.Pointer(v.p))
	}
	return nil
}

// Cell returns the cell in a frame slot that the resolver marked as captured.
func (v Value) Cell() *Cell { return (*Cell)(unsafe.Pointer(v.p)) }

func (v Value) accessor() *Accessor {
	if v.p.kind == KindAccessor {
		return (*Accessor)(unsafe.Pointer(v.p))
	}
	return nil
}

// Cell is a captured variable.
type Cell struct {
	Header
	V Value
}

// NewCell makes a cell; the charge for it is part of its function's activation.
func NewCell(v Value) *Cell { return &Cell{Header: Header{kind: KindCell}, V: v} }

// Value wraps the cell for a frame slot.
func (c *Cell) Value() Value { return Value{p: &c.Header} }

// Accessor is the payload of an accessor property; Get and Set are nil when undefined.
type Accessor struct {
	Header
	Get, Set *Object
}

func newAccessor(get, set *Object) *Accessor {
	return &Accessor{Header: Header{kind: KindAccessor}, Get: get, Set: set}
}

func (a *Accessor) value() Value { return Value{p: &a.Header} }

// Value wraps an object.
func (o *Object) Value() Value { return Value{p: &o.Header} }

// Value wraps a string.
func (s *Str) Value() Value { return Value{p: &s.Header} }

// Value wraps a symbol.
func (s *Symbol) Value() Value { return Value{p: &s.Header} }

// Value wraps a BigInt.
func (b *BigInt) Value() Value { return Value{p: &b.Header} }

// Value wraps an exact integer.
func (e *Exact) Value() Value { return Value{p: &e.Header} }

// ObjectOrUndefined wraps o, nil giving undefined.
func ObjectOrUndefined(o *Object) Value {
	if o == nil {
		return Undefined
	}
	return o.Value()
}

// ObjectOrNull wraps o, nil giving null.
func ObjectOrNull(o *Object) Value {
	if o == nil {
		return Null
	}
	return o.Value()
}

// asFunction is Value.Function for an object already at hand.
func (o *Object) asFunction() *Function {
	if o.Class == ClassFunction {
		return (*Function)(unsafe.Pointer(o))
	}
	return nil
}

// Function returns the function that o is, or nil.
func (o *Object) Function() *Function { return o.asFunction() }

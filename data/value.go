// Package data defines plain data: the values that JSON can carry and the only
// currency that crosses the sandbox boundary in either direction.
//
// A [Value] is one of [Null], [Bool], [Number], [String], [Array] and
// [*Object]. Values are frozen after construction and may be shared between
// goroutines freely. Object keys keep their order, and an integer that a
// float64 would lose digits of keeps its digits.
package data

import "iter"

// Kind says which of the six forms a [Value] has.
type Kind uint8

// The six kinds of value.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

var kindNames = [...]string{"null", "boolean", "number", "string", "array", "object"}

// String names the kind as JSON Schema does: "null", "boolean", "number",
// "string", "array" or "object".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// Value is plain data: [Null], [Bool], [Number], [String], [Array] or
// [*Object]. The interface is sealed. A nil Value means "no value"; functions
// that write values treat it as null.
type Value interface {
	// Kind says which form the value has.
	Kind() Kind
	sealed()
}

// Null is JSON's null.
type Null struct{}

// Bool is true or false.
type Bool bool

// String is text in WTF-8: UTF-8 in which a lone UTF-16 surrogate is kept as
// its three-byte sequence. A surrogate pair is never split in two sequences.
type String string

// Array is a frozen list of values. The zero Array is empty.
type Array struct{ items []Value }

// Member is one key and value of an [Object].
type Member struct {
	Key   string
	Value Value
}

// Object is a frozen, ordered mapping from keys to values. A nil *Object reads
// as an empty one.
type Object struct {
	members []Member
	index   map[string]int32 // nil when linear search is cheaper
}

// Kind implements [Value].
func (Null) Kind() Kind { return KindNull }

// Kind implements [Value].
func (Bool) Kind() Kind { return KindBool }

// Kind implements [Value].
func (Number) Kind() Kind { return KindNumber }

// Kind implements [Value].
func (String) Kind() Kind { return KindString }

// Kind implements [Value].
func (Array) Kind() Kind { return KindArray }

// Kind implements [Value].
func (*Object) Kind() Kind { return KindObject }

func (Null) sealed()    {}
func (Bool) sealed()    {}
func (Number) sealed()  {}
func (String) sealed()  {}
func (Array) sealed()   {}
func (*Object) sealed() {}

// NewArray makes an array of items and takes ownership of the slice. A nil
// item reads as [Null].
func NewArray(items []Value) Array {
	for i, v := range items {
		if v == nil {
			items[i] = Null{}
		}
	}
	return Array{items}
}

// Len is the number of items.
func (a Array) Len() int { return len(a.items) }

// At is the item at index i, which must be in range.
func (a Array) At(i int) Value { return a.items[i] }

// All iterates over the items in order.
func (a Array) All() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		for i, v := range a.items {
			if !yield(i, v) {
				return
			}
		}
	}
}

// linearMembers is the size up to which comparing keys one after the other
// beats a hash table, in time to build as well as to read.
const linearMembers = 12

// NewObject makes an object of members and takes ownership of the slice. Of
// members with the same key the last one's value counts, at the position of
// the first. A nil value reads as [Null].
func NewObject(members []Member) *Object {
	o := &Object{}
	if len(members) > linearMembers {
		o.index = make(map[string]int32, len(members))
	}
	kept := members[:0]
	for _, m := range members {
		if m.Value == nil {
			m.Value = Null{}
		}
		o.members = kept
		if at := o.find(m.Key); at >= 0 {
			kept[at].Value = m.Value
			continue
		}
		if o.index != nil {
			o.index[m.Key] = int32(len(kept))
		}
		kept = append(kept, m)
	}
	o.members = kept
	return o
}

func (o *Object) find(key string) int {
	if o.index != nil {
		if at, ok := o.index[key]; ok {
			return int(at)
		}
		return -1
	}
	for i := range o.members {
		if o.members[i].Key == key {
			return i
		}
	}
	return -1
}

// Len is the number of members.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.members)
}

// At is the member at position i, which must be in range.
func (o *Object) At(i int) Member { return o.members[i] }

// Get returns the value under key, and whether there is one.
func (o *Object) Get(key string) (Value, bool) {
	if o == nil {
		return nil, false
	}
	if at := o.find(key); at >= 0 {
		return o.members[at].Value, true
	}
	return nil, false
}

// All iterates over the members in order.
func (o *Object) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if o == nil {
			return
		}
		for _, m := range o.members {
			if !yield(m.Key, m.Value) {
				return
			}
		}
	}
}

// Equal reports whether a and b are the same data: the order of object keys
// does not count, 0 and -0 are the same, NaN equals NaN, and an exact integer
// equals only the same digits.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case nil, Null:
		return b == nil || b.Kind() == KindNull
	case Bool:
		b, ok := b.(Bool)
		return ok && a == b
	case String:
		b, ok := b.(String)
		return ok && a == b
	case Number:
		b, ok := b.(Number)
		return ok && a.digits == b.digits && (a.float == b.float || a.float != a.float && b.float != b.float)
	case Array:
		b, ok := b.(Array)
		return ok && equalItems(a.items, b.items)
	case *Object:
		b, ok := b.(*Object)
		return ok && equalMembers(a, b)
	}
	return false
}

func equalItems(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalMembers(a, b *Object) bool {
	if a.Len() != b.Len() {
		return false
	}
	for key, v := range a.All() {
		w, ok := b.Get(key)
		if !ok || !Equal(v, w) {
			return false
		}
	}
	return true
}

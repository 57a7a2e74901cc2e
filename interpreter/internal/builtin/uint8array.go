package builtin

// This file defines Uint8Array (ECMA-262 23.2), the one typed array: its bytes, their property behaviour, construction and
// codecs. Methods are in uint8array_methods.go. Buffers of their own do not exist: subarray shares bytes.

import (
	"github.com/codemode-go/codemode/interpreter/internal/value"
	"strconv"
)

// bytes is the Ext of a Uint8Array.
type bytes struct{ b []byte }

// MaxBytes is the greatest length of a Uint8Array.
const MaxBytes = 1 << 28

func uint8arrayTemplates() []*value.Template {
	abstract := func(r *realm, _ []val, _ *object) val {
		return r.ThrowTypeError("Abstract class TypedArray not directly constructable")
	}
	return []*value.Template{
		{ID: value.TypedArrayConstructor, Proto: value.FunctionPrototype, Name: "TypedArray", Length: 0, New: abstract, Rows: []row{
			{Name: "prototype", Ref: value.TypedArrayPrototype, Attr: value.NoAttr},
			{Name: "from", Length: 1, Fn: bytesFrom, Sig: "(items: Iterable<number> | ArrayLike<number>, map?: (item: any, index: number) => number): Uint8Array"},
			{Name: "of", Length: 0, Fn: bytesOf, Sig: "(...items: number[]): Uint8Array"},
			{Name: "@@species", Get: returnThis},
		}},
		{ID: value.TypedArrayPrototype, Proto: value.ObjectPrototype, Rows: append([]row{{Name: "constructor", Ref: value.TypedArrayConstructor}}, bytesMethods()...)},
		{ID: value.Uint8ArrayConstructor, Global: "Uint8Array", Proto: value.TypedArrayConstructor, Name: "Uint8Array", Length: 3, New: bytesNew, Rows: []row{
			{Name: "prototype", Ref: value.Uint8ArrayPrototype, Attr: value.NoAttr},
			{Name: "BYTES_PER_ELEMENT", Const: constant(value.Int(1)), Attr: value.NoAttr},
			{Name: "fromBase64", Length: 1, Fn: bytesFromBase64, Sig: "(text: string, options?: { alphabet?: 'base64' | 'base64url' }): Uint8Array"},
			{Name: "fromHex", Length: 1, Fn: bytesFromHex, Sig: "(text: string): Uint8Array"},
		}},
		{ID: value.Uint8ArrayPrototype, Proto: value.TypedArrayPrototype, Rows: []row{
			{Name: "constructor", Ref: value.Uint8ArrayConstructor},
			{Name: "BYTES_PER_ELEMENT", Const: constant(value.Int(1)), Attr: value.NoAttr},
			{Name: "toBase64", Length: 0, Fn: bytesToBase64, Sig: "(options?: { alphabet?: 'base64' | 'base64url'; omitPadding?: boolean }): string"},
			{Name: "toHex", Length: 0, Fn: bytesToHex, Sig: "(): string"},
		}},
	}
}

// newBytes makes a Uint8Array that takes over b.
func newBytes(r *realm, b []byte) val {
	return bytesObject(r, r.Intrinsic(value.Uint8ArrayPrototype), b).Value()
}

func bytesObject(r *realm, proto *object, b []byte) *object {
	r.Charge(len(b))
	return r.NewExotic(value.ClassUint8Array, proto, &bytes{b})
}

func (x *bytes) Size() int { return len(x.b) }

// Inspect prints the bytes.
func (x *bytes) Inspect(_ *value.Realm, part func(value.Value) string) Shown {
	var parts []string
	for i, c := range x.b {
		if i == inspectItems {
			parts = append(parts, moreItems(len(x.b)-i))
			break
		}
		parts = append(parts, part(value.Int(int(c))))
	}
	return Shown{Size: "(" + strconv.Itoa(len(x.b)) + ")", Parts: parts}
}

// numericKey reads a canonical numeric string (7.1.21): is says that the key is one, i is its index or -1 if invalid.
func (x *bytes) numericKey(k value.Key) (i int, is bool) {
	if k.IsIndex {
		if int(k.Index) < len(x.b) {
			return int(k.Index), true
		}
		return -1, true
	}
	if k.Sym != nil || k.S == "" {
		return 0, false
	}
	if c := k.S[0]; !isDigit(c) && c != '-' && c != 'I' && c != 'N' {
		return 0, false
	}
	if k.S == "-0" {
		return -1, true
	}
	f := value.StringToNumber(value.NewStr(k.S))
	return -1, value.NumberToString(f).String() == k.S
}

func (x *bytes) GetOwn(r *value.Realm, o *value.Object, k value.Key) (value.Desc, bool) {
	i, is := x.numericKey(k)
	switch {
	case !is:
		return r.OrdinaryGetOwn(o, k)
	case i < 0:
		return value.Desc{}, false
	}
	return value.DataDesc(value.Int(int(x.b[i])), value.AttrDefault), true
}

func (x *bytes) DefineOwn(r *value.Realm, o *value.Object, k value.Key, d value.Desc) value.Done {
	i, is := x.numericKey(k)
	switch {
	case !is:
		return r.OrdinaryDefineOwn(o, k, d)
	case i < 0 || d.IsAccessor() || d.Has&value.HasConfigurable != 0 && d.Attr&value.Configurable == 0 ||
		d.Has&value.HasEnumerable != 0 && d.Attr&value.Enumerable == 0 || d.Has&value.HasWritable != 0 && d.Attr&value.Writable == 0:
		return value.Failed
	case d.Has&value.HasValue != 0:
		return x.store(r, i, d.Value)
	}
	return value.OK
}

// store is TypedArraySetElement (10.4.5.18); i is -1 for no element.
func (x *bytes) store(r *value.Realm, i int, v val) value.Done {
	f, ok := r.ToNumber(v)
	if !ok {
		return value.Threw
	}
	if i >= 0 && i < len(x.b) {
		x.b[i] = byte(value.Uint32(f))
	}
	return value.OK
}

func (x *bytes) Has(r *value.Realm, o *value.Object, k value.Key) (has, ok bool) {
	if i, is := x.numericKey(k); is {
		return i >= 0, true
	}
	if _, own := r.OrdinaryGetOwn(o, k); own {
		return true, true
	}
	if p := o.Proto(); p != nil {
		return r.HasProperty(p, k)
	}
	return false, true
}

func (x *bytes) Get(r *value.Realm, o *value.Object, k value.Key, receiver value.Value) value.Value {
	i, is := x.numericKey(k)
	switch {
	case is && i < 0:
		return value.Undefined
	case is:
		return value.Int(int(x.b[i]))
	}
	d, own := r.OrdinaryGetOwn(o, k)
	switch {
	case own && d.IsAccessor():
		if d.Get == nil {
			return value.Undefined
		}
		return r.Call(d.Get.Value(), receiver)
	case own:
		return d.Value
	case o.Proto() == nil:
		return value.Undefined
	}
	return r.GetWith(o.Proto(), k, receiver)
}

func (x *bytes) Set(r *value.Realm, o *value.Object, k value.Key, v, receiver value.Value) value.Done {
	i, is := x.numericKey(k)
	if is && (receiver.Object() == o || i < 0) {
		if receiver.Object() != o {
			return value.OK
		}
		return x.store(r, i, v)
	}
	return r.OrdinarySet(o, k, v, receiver)
}

func (x *bytes) Delete(r *value.Realm, o *value.Object, k value.Key) value.Done {
	if i, is := x.numericKey(k); is {
		if i < 0 {
			return value.OK
		}
		return value.Failed
	}
	return r.OrdinaryDelete(o, k)
}

func (x *bytes) OwnKeys(r *value.Realm, o *value.Object) ([]value.Key, bool) {
	if !r.Take(keyBytes * len(x.b)) {
		return nil, false
	}
	keys := make([]value.Key, 0, len(x.b))
	for i := range x.b {
		keys = append(keys, value.IndexKey(i))
	}
	return append(keys, r.OrdinaryOwnKeys(o)...), r.Step(1 + len(x.b)/64)
}

func bytesNew(r *realm, args []val, newTarget *object) val {
	proto := r.PrototypeFromConstructor(newTarget, value.Uint8ArrayPrototype)
	if proto == nil {
		return value.Throw
	}
	b, ok := bytesOfValue(r, arg(args, 0))
	if !ok {
		return value.Throw
	}
	return bytesObject(r, proto, b).Value()
}

// bytesOfValue is what new Uint8Array(v) holds: zeros for a length, converted items for a list.
func bytesOfValue(r *realm, v val) ([]byte, bool) {
	o := v.Object()
	if o == nil {
		n, ok := r.ToIndex(v)
		if !ok {
			return nil, false
		}
		return makeBytes(r, n)
	}
	if x, ok := o.Ext.(*bytes); ok {
		return copyBytes(r, x.b)
	}
	m := r.GetMethod(v, value.SymbolKey(value.SymIterator))
	if m.IsThrow() {
		return nil, false
	}
	list, ok := []val(nil), false
	if m.IsUndefined() {
		list, ok = arrayLike(r, o)
	} else {
		list, ok = r.IterateToList(v)
	}
	if !ok {
		return nil, false
	}
	return convertBytes(r, list)
}

func makeBytes(r *realm, n int) ([]byte, bool) {
	if n > MaxBytes {
		r.ThrowError(value.RangeError, "Invalid typed array length: %d", n)
		return nil, false
	}
	if !r.Allot(n) || !r.Step(1+n>>12) {
		return nil, false
	}
	return make([]byte, n), true
}

// copyBytes is a copy of b; false ends the execution.
func copyBytes(r *realm, b []byte) ([]byte, bool) {
	out, ok := makeBytes(r, len(b))
	copy(out, b)
	return out, ok
}

func arrayLike(r *realm, o *object) ([]val, bool) {
	n, ok := r.LengthOf(o)
	if !ok {
		return nil, false
	}
	if n > MaxBytes {
		r.ThrowError(value.RangeError, "Invalid typed array length: %d", n)
		return nil, false
	}
	out := r.NewArray(nil)
	defer r.Unroot(r.Root(out.Value()))
	for i := range n {
		v := r.Get(o, value.IndexKey(i))
		if v.IsThrow() || !r.Step(1) {
			return nil, false
		}
		r.Push(out, v)
	}
	return out.Elems, true
}

func convertBytes(r *realm, list []val) ([]byte, bool) {
	b, ok := makeBytes(r, len(list))
	if !ok {
		return nil, false
	}
	for i, v := range list {
		f, ok := r.ToNumber(v)
		if !ok || i&1023 == 1023 && !r.Step(64) {
			return nil, false
		}
		b[i] = byte(value.Uint32(f))
	}
	return b, true
}

func bytesOf(r *realm, this val, args []val) val {
	b, ok := convertBytes(r, args)
	if !ok {
		return value.Throw
	}
	return constructBytes(r, this, b)
}

// constructBytes makes the result of the static methods: Uint8Array itself, or a class derived from it.
func constructBytes(r *realm, ctor val, b []byte) val {
	c := ctor.Object()
	if c == nil || !c.IsConstructor() {
		return r.ThrowTypeError("%s is not a constructor", r.Describe(ctor))
	}
	if c == r.Intrinsic(value.Uint8ArrayConstructor) {
		return newBytes(r, b)
	}
	v := r.Construct(c, value.Int(len(b)))
	if v.IsThrow() {
		return v
	}
	x, ok := extOf[*bytes](v)
	if !ok || len(x.b) < len(b) {
		return r.ThrowTypeError("the constructor did not make a Uint8Array of length %d", len(b))
	}
	copy(x.b, b)
	return v
}

func bytesFrom(r *realm, this val, args []val) val {
	src, fn, thisArg := arg(args, 0), arg(args, 1), arg(args, 2)
	if !fn.IsUndefined() && !fn.IsCallable() {
		return r.ThrowTypeError("%s is not a function", r.Describe(fn))
	}
	o := r.ToObject(src)
	if o == nil {
		return value.Throw
	}
	m := r.GetMethod(src, value.SymbolKey(value.SymIterator))
	if m.IsThrow() {
		return m
	}
	list, ok := []val(nil), false
	if m.IsUndefined() {
		list, ok = arrayLike(r, o)
	} else {
		list, ok = r.IterateToList(src)
	}
	if !ok {
		return value.Throw
	}
	if !fn.IsUndefined() {
		defer r.Unroot(r.Root(r.NewArray(list).Value()))
		for i, v := range list {
			if list[i] = r.Call(fn, thisArg, v, value.Int(i)); list[i].IsThrow() {
				return value.Throw
			}
		}
	}
	b, ok := convertBytes(r, list)
	if !ok {
		return value.Throw
	}
	return constructBytes(r, this, b)
}

// thisBytes is ValidateTypedArray of this; nil if it threw.
func thisBytes(r *realm, this val) *bytes {
	x, ok := extOf[*bytes](this)
	if !ok {
		r.ThrowTypeError("this is not a typed array, got %s", r.Describe(this))
		return nil
	}
	return x
}

package builtin

// This file defines the methods of Uint8Array. Those that only read are Array's, which work on anything indexed.

import (
	"slices"
	"sort"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func bytesMethods() []row {
	return []row{
		{Name: "at", Length: 1, Fn: onBytes(arrayAt), Sig: "(index: number): number | undefined"},
		{Name: "byteLength", Get: bytesLength, Sig: "number"},
		{Name: "byteOffset", Get: bytesOffset, Sig: "number"},
		{Name: "copyWithin", Length: 2, Fn: onBytes(arrayCopyWithin), Sig: "(target: number, start: number, end?: number): Uint8Array"},
		{Name: "entries", Length: 0, Fn: onBytes(arrayIterate(iterateEntries)), Sig: "(): Iterator<[number, number]>"},
		{Name: "every", Length: 1, Fn: onBytes(arrayEvery), Sig: "(test: (item: number, index: number) => boolean): boolean"},
		{Name: "fill", Length: 1, Fn: bytesFill, Sig: "(value: number, start?: number, end?: number): Uint8Array"},
		{Name: "filter", Length: 1, Fn: bytesFilter, Sig: "(test: (item: number, index: number) => boolean): Uint8Array"},
		{Name: "find", Length: 1, Fn: onBytes(arrayFind(true, false)), Sig: "(test: (item: number, index: number) => boolean): number | undefined"},
		{Name: "findIndex", Length: 1, Fn: onBytes(arrayFind(false, false)), Sig: "(test: (item: number, index: number) => boolean): number"},
		{Name: "findLast", Length: 1, Fn: onBytes(arrayFind(true, true)), Sig: "(test: (item: number, index: number) => boolean): number | undefined"},
		{Name: "findLastIndex", Length: 1, Fn: onBytes(arrayFind(false, true)), Sig: "(test: (item: number, index: number) => boolean): number"},
		{Name: "forEach", Length: 1, Fn: onBytes(arrayForEach), Sig: "(visit: (item: number, index: number) => void): void"},
		{Name: "includes", Length: 1, Fn: onBytes(arrayIncludes), Sig: "(item: number, from?: number): boolean"},
		{Name: "indexOf", Length: 1, Fn: onBytes(arrayIndexOf), Sig: "(item: number, from?: number): number"},
		{Name: "join", Length: 1, Fn: onBytes(arrayJoin), Sig: "(separator?: string): string"},
		{Name: "keys", Length: 0, Fn: onBytes(arrayIterate(iterateKeys)), Sig: "(): Iterator<number>"},
		{Name: "lastIndexOf", Length: 1, Fn: onBytes(arrayLastIndexOf), Sig: "(item: number, from?: number): number"},
		{Name: "length", Get: bytesLength, Sig: "number"},
		{Name: "map", Length: 1, Fn: bytesMap, Sig: "(map: (item: number, index: number) => number): Uint8Array"},
		{Name: "reduce", Length: 1, Fn: onBytes(arrayReduce(false)), Sig: "<U>(step: (acc: U, item: number) => U, initial?: U): U"},
		{Name: "reduceRight", Length: 1, Fn: onBytes(arrayReduce(true)), Sig: "<U>(step: (acc: U, item: number) => U, initial?: U): U"},
		{Name: "reverse", Length: 0, Fn: bytesReverse, Sig: "(): Uint8Array"},
		{Name: "set", Length: 1, Fn: bytesSet, Sig: "(source: ArrayLike<number>, offset?: number): void"},
		{Name: "slice", Length: 2, Fn: bytesSlice(false), Sig: "(start?: number, end?: number): Uint8Array"},
		{Name: "some", Length: 1, Fn: onBytes(arraySome), Sig: "(test: (item: number, index: number) => boolean): boolean"},
		{Name: "sort", Length: 1, Fn: bytesSort, Sig: "(compare?: (a: number, b: number) => number): Uint8Array"},
		{Name: "subarray", Length: 2, Fn: bytesSlice(true), Sig: "(start?: number, end?: number): Uint8Array"},
		{Name: "toLocaleString", Length: 0, Fn: onBytes(arrayToLocaleString), Sig: "(): string"},
		{Name: "toReversed", Length: 0, Fn: bytesToReversed, Sig: "(): Uint8Array"},
		{Name: "toSorted", Length: 1, Fn: bytesToSorted, Sig: "(compare?: (a: number, b: number) => number): Uint8Array"},
		{Name: "toString", Const: func(r *realm) val { return r.Get(r.Intrinsic(value.ArrayPrototype), value.Name("toString")) }},
		{Name: "values", Length: 0, Fn: onBytes(arrayIterate(iterateValues)), Sig: "(): Iterator<number>"},
		{Name: "with", Length: 2, Fn: bytesWith, Sig: "(index: number, value: number): Uint8Array"},
		{Name: "@@iterator", Alias: "values"},
		{Name: "@@toStringTag", Get: bytesTag},
	}
}

// onBytes makes a method of Array work on a Uint8Array only.
func onBytes(fn value.NativeFn) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		if thisBytes(r, this) == nil {
			return value.Throw
		}
		return fn(r, this, args)
	}
}

func bytesTag(_ *realm, this val, _ []val) val {
	if _, ok := extOf[*bytes](this); ok {
		return str("Uint8Array")
	}
	return value.Undefined
}

func bytesLength(r *realm, this val, _ []val) val {
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	return value.Int(len(x.b))
}

func bytesOffset(r *realm, this val, _ []val) val {
	if thisBytes(r, this) == nil {
		return value.Throw
	}
	return value.Zero
}

// byteSpan is this and the bounds that two relative arguments give; false if it threw.
func byteSpan(r *realm, this val, args []val, at int) (x *bytes, from, to int, ok bool) {
	if x = thisBytes(r, this); x == nil {
		return nil, 0, 0, false
	}
	if from, ok = relative(r, arg(args, at), len(x.b), 0); !ok {
		return nil, 0, 0, false
	}
	to, ok = relative(r, arg(args, at+1), len(x.b), len(x.b))
	return x, from, max(from, to), ok
}

// bytesSlice makes slice and subarray.
func bytesSlice(share bool) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		x, from, to, ok := byteSpan(r, this, args, 0)
		if !ok {
			return value.Throw
		}
		if share {
			return r.NewExotic(value.ClassUint8Array, r.Intrinsic(value.Uint8ArrayPrototype), &bytes{x.b[from:to:to]}).Value()
		}
		return newCopy(r, x.b[from:to])
	}
}

func newCopy(r *realm, b []byte) val {
	out, ok := copyBytes(r, b)
	if !ok {
		return value.Throw
	}
	return newBytes(r, out)
}

func bytesFill(r *realm, this val, args []val) val {
	if thisBytes(r, this) == nil {
		return value.Throw
	}
	f, ok := r.ToNumber(arg(args, 0))
	if !ok {
		return value.Throw
	}
	x, from, to, ok := byteSpan(r, this, args, 1)
	if !ok || !r.Step(1+(to-from)>>8) {
		return value.Throw
	}
	c := byte(value.Uint32(f))
	for i := from; i < to; i++ {
		x.b[i] = c
	}
	return this
}

func bytesMap(r *realm, this val, args []val) val {
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	fn, thisArg, ok := callback(r, args)
	if !ok {
		return value.Throw
	}
	out, ok := makeBytes(r, len(x.b))
	if !ok {
		return value.Throw
	}
	for i := range out {
		v := r.Call(fn, thisArg, value.Int(int(x.b[i])), value.Int(i), this)
		if v.IsThrow() {
			return v
		}
		f, ok := r.ToNumber(v)
		if !ok {
			return value.Throw
		}
		out[i] = byte(value.Uint32(f))
	}
	return newBytes(r, out)
}

func bytesFilter(r *realm, this val, args []val) val {
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	fn, thisArg, ok := callback(r, args)
	if !ok {
		return value.Throw
	}
	var out []byte
	for i := range x.b {
		c := x.b[i]
		v := r.Call(fn, thisArg, value.Int(int(c)), value.Int(i), this)
		if v.IsThrow() {
			return v
		}
		if value.ToBoolean(v) {
			out = append(out, c)
		}
	}
	return newBytes(r, out)
}

func reversed(r *realm, b []byte) ([]byte, bool) {
	out, ok := copyBytes(r, b)
	slices.Reverse(out)
	return out, ok
}

func bytesReverse(r *realm, this val, _ []val) val {
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	slices.Reverse(x.b)
	r.Owe(len(x.b) >> 10)
	return this
}

func bytesToReversed(r *realm, this val, _ []val) val {
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	b, ok := reversed(r, x.b)
	if !ok {
		return value.Throw
	}
	return newBytes(r, b)
}

func bytesSet(r *realm, this val, args []val) val {
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	offset, ok := r.ToInteger(arg(args, 1))
	if !ok {
		return value.Throw
	}
	if offset < 0 {
		return r.ThrowError(value.RangeError, "offset is out of bounds")
	}
	src := r.ToObject(arg(args, 0))
	if src == nil {
		return value.Throw
	}
	y, same := src.Ext.(*bytes)
	n := 0
	if same {
		n = len(y.b)
	} else if n, ok = r.LengthOf(src); !ok {
		return value.Throw
	}
	if offset+float64(n) > float64(len(x.b)) {
		return r.ThrowError(value.RangeError, "offset is out of bounds")
	}
	if same {
		copy(x.b[int(offset):], y.b)
		return value.Undefined
	}
	for i := range n {
		v := r.Get(src, value.IndexKey(i))
		if v.IsThrow() || !r.Step(1) || x.store(r, int(offset)+i, v) != value.OK {
			return value.Throw
		}
	}
	return value.Undefined
}

// countingSort takes linear time, since it cannot be interrupted.
func countingSort(b []byte) {
	var counts [256]int
	for _, c := range b {
		counts[c]++
	}
	for c, n := range counts {
		for i := range n {
			b[i] = byte(c)
		}
		b = b[n:]
	}
}

// sorted sorts a copy; false if the comparison threw.
func (x *bytes) sorted(r *realm, fn val) ([]byte, bool) {
	out, ok := copyBytes(r, x.b)
	if !ok {
		return nil, false
	}
	if fn.IsUndefined() {
		countingSort(out)
		return out, r.Step(1 + len(out)>>8)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if !ok {
			return false
		}
		v := r.Call(fn, value.Undefined, value.Int(int(out[i])), value.Int(int(out[j])))
		if v.IsThrow() {
			ok = false
			return false
		}
		var f float64
		f, ok = r.ToNumber(v)
		return ok && f < 0
	})
	return out, ok
}

func checkComparison(r *realm, fn val) bool {
	if !fn.IsUndefined() && !fn.IsCallable() {
		r.ThrowTypeError("The comparison function must be either a function or undefined")
		return false
	}
	return true
}

func bytesSort(r *realm, this val, args []val) val {
	if !checkComparison(r, arg(args, 0)) {
		return value.Throw
	}
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	b, ok := x.sorted(r, arg(args, 0))
	if !ok {
		return value.Throw
	}
	copy(x.b, b)
	return this
}

func bytesToSorted(r *realm, this val, args []val) val {
	if !checkComparison(r, arg(args, 0)) {
		return value.Throw
	}
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	b, ok := x.sorted(r, arg(args, 0))
	if !ok {
		return value.Throw
	}
	return newBytes(r, b)
}

func bytesWith(r *realm, this val, args []val) val {
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	i, ok := r.ToInteger(arg(args, 0))
	if !ok {
		return value.Throw
	}
	if i < 0 {
		i += float64(len(x.b))
	}
	f, ok := r.ToNumber(arg(args, 1))
	if !ok {
		return value.Throw
	}
	if i < 0 || i >= float64(len(x.b)) {
		return r.ThrowError(value.RangeError, "Invalid typed array index")
	}
	b, ok := copyBytes(r, x.b)
	if !ok {
		return value.Throw
	}
	b[int(i)] = byte(value.Uint32(f))
	return newBytes(r, b)
}

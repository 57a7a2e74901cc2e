package builtin

// This file defines the table of Array and Array.prototype and the constructor (ECMA-262 23.1).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func arrayTemplates() []*value.Template {
	return []*value.Template{
		{ID: value.ArrayConstructor, Global: "Array", Proto: value.FunctionPrototype, Name: "Array", Length: 1,
			Call: func(r *realm, _ val, args []val) val { return arrayNew(r, args, nil) }, New: arrayNew, Rows: []row{
				{Name: "prototype", Ref: value.ArrayPrototype, Attr: value.NoAttr},
				{Name: "from", Length: 1, Fn: arrayFrom, Sig: "<T, U>(items: Iterable<T> | ArrayLike<T>, map?: (item: T, index: number) => U): U[]"},
				{Name: "fromAsync", Length: 1, Fn: arrayFromAsync, Sig: "<T, U>(items: AsyncIterable<T> | Iterable<T> | ArrayLike<T>, map?: (item: T, index: number) => U): Promise<U[]>"},
				{Name: "isArray", Length: 1, Fn: arrayIsArray, Sig: "(value: unknown): boolean"},
				{Name: "of", Length: 0, Fn: arrayOf, Sig: "<T>(...items: T[]): T[]"},
				{Name: "@@species", Get: returnThis},
			}},
		{ID: value.ArrayPrototype, Proto: value.ObjectPrototype, Class: value.ClassArray, Rows: []row{
			{Name: "constructor", Ref: value.ArrayConstructor},
			{Name: "at", Length: 1, Fn: arrayAt, Sig: "(index: number): T | undefined"},
			{Name: "concat", Length: 1, Fn: arrayConcat, Sig: "(...items: (T | T[])[]): T[]"},
			{Name: "copyWithin", Length: 2, Fn: arrayCopyWithin, Sig: "(target: number, start: number, end?: number): T[]"},
			{Name: "entries", Length: 0, Fn: arrayIterate(iterateEntries), Sig: "(): Iterator<[number, T]>"},
			{Name: "every", Length: 1, Fn: arrayEvery, Sig: "(test: (item: T, index: number, array: T[]) => boolean, thisArg?: any): boolean"},
			{Name: "fill", Length: 1, Fn: arrayFill, Sig: "(value: T, start?: number, end?: number): T[]"},
			{Name: "filter", Length: 1, Fn: arrayFilter, Sig: "(test: (item: T, index: number, array: T[]) => boolean, thisArg?: any): T[]"},
			{Name: "find", Length: 1, Fn: arrayFind(true, false), Sig: "(test: (item: T, index: number, array: T[]) => boolean, thisArg?: any): T | undefined"},
			{Name: "findIndex", Length: 1, Fn: arrayFind(false, false), Sig: "(test: (item: T, index: number, array: T[]) => boolean, thisArg?: any): number"},
			{Name: "findLast", Length: 1, Fn: arrayFind(true, true), Sig: "(test: (item: T, index: number, array: T[]) => boolean, thisArg?: any): T | undefined"},
			{Name: "findLastIndex", Length: 1, Fn: arrayFind(false, true), Sig: "(test: (item: T, index: number, array: T[]) => boolean, thisArg?: any): number"},
			{Name: "flat", Length: 0, Fn: arrayFlat, Sig: "(depth?: number): any[]"},
			{Name: "flatMap", Length: 1, Fn: arrayFlatMap, Sig: "<U>(map: (item: T, index: number, array: T[]) => U | U[], thisArg?: any): U[]"},
			{Name: "forEach", Length: 1, Fn: arrayForEach, Sig: "(visit: (item: T, index: number, array: T[]) => void, thisArg?: any): void"},
			{Name: "includes", Length: 1, Fn: arrayIncludes, Sig: "(item: T, from?: number): boolean"},
			{Name: "indexOf", Length: 1, Fn: arrayIndexOf, Sig: "(item: T, from?: number): number"},
			{Name: "join", Length: 1, Fn: arrayJoin, Sig: "(separator?: string): string"},
			{Name: "keys", Length: 0, Fn: arrayIterate(iterateKeys), Sig: "(): Iterator<number>"},
			{Name: "lastIndexOf", Length: 1, Fn: arrayLastIndexOf, Sig: "(item: T, from?: number): number"},
			{Name: "map", Length: 1, Fn: arrayMap, Sig: "<U>(map: (item: T, index: number, array: T[]) => U, thisArg?: any): U[]"},
			{Name: "pop", Length: 0, Fn: arrayPop, Sig: "(): T | undefined"},
			{Name: "push", Length: 1, Fn: arrayPush, Sig: "(...items: T[]): number"},
			{Name: "reduce", Length: 1, Fn: arrayReduce(false), Sig: "<U>(step: (acc: U, item: T, index: number, array: T[]) => U, initial?: U): U"},
			{Name: "reduceRight", Length: 1, Fn: arrayReduce(true), Sig: "<U>(step: (acc: U, item: T, index: number, array: T[]) => U, initial?: U): U"},
			{Name: "reverse", Length: 0, Fn: arrayReverse, Sig: "(): T[]"},
			{Name: "shift", Length: 0, Fn: arrayShift, Sig: "(): T | undefined"},
			{Name: "slice", Length: 2, Fn: arraySlice, Sig: "(start?: number, end?: number): T[]"},
			{Name: "some", Length: 1, Fn: arraySome, Sig: "(test: (item: T, index: number, array: T[]) => boolean, thisArg?: any): boolean"},
			{Name: "sort", Length: 1, Fn: arraySort, Sig: "(compare?: (a: T, b: T) => number): T[]"},
			{Name: "splice", Length: 2, Fn: arraySplice, Sig: "(start: number, deleteCount?: number, ...items: T[]): T[]"},
			{Name: "toLocaleString", Length: 0, Fn: arrayToLocaleString, Sig: "(): string"},
			{Name: "toReversed", Length: 0, Fn: arrayToReversed, Sig: "(): T[]"},
			{Name: "toSorted", Length: 1, Fn: arrayToSorted, Sig: "(compare?: (a: T, b: T) => number): T[]"},
			{Name: "toSpliced", Length: 2, Fn: arrayToSpliced, Sig: "(start: number, deleteCount?: number, ...items: T[]): T[]"},
			{Name: "toString", Length: 0, Fn: arrayToString, Sig: "(): string"},
			{Name: "unshift", Length: 1, Fn: arrayUnshift, Sig: "(...items: T[]): number"},
			{Name: "values", Length: 0, Fn: arrayIterate(iterateValues), Sig: "(): Iterator<T>"},
			{Name: "with", Length: 2, Fn: arrayWith, Sig: "(index: number, value: T): T[]"},
			{Name: "@@iterator", Alias: "values"},
			{Name: "@@unscopables", Const: arrayUnscopables, Attr: value.Configurable},
		}},
	}
}

func arrayUnscopables(r *realm) val {
	o := r.NewObject(nil)
	for _, name := range []string{"at", "copyWithin", "entries", "fill", "find", "findIndex", "findLast", "findLastIndex", "flat",
		"flatMap", "includes", "keys", "toReversed", "toSorted", "toSpliced", "values"} {
		r.InitProperty(o, value.Name(name), value.True)
	}
	return o.Value()
}

func arrayNew(r *realm, args []val, newTarget *object) val {
	proto := r.PrototypeFromConstructor(newTarget, value.ArrayPrototype)
	if proto == nil {
		return value.Throw
	}
	o := r.NewArray(nil)
	r.SetPrototypeOf(o, proto)
	if len(args) != 1 {
		o.Elems = append(o.Elems, args...)
		o.N = uint32(len(args))
		r.Charge(16 * len(args))
		return o.Value()
	}
	n := args[0]
	if !n.IsNumber() {
		r.Push(o, n)
		return o.Value()
	}
	length := value.Uint32(n.Float())
	if float64(length) != n.Float() {
		return r.ThrowError(value.RangeError, "Invalid array length")
	}
	o.N = length
	if length > 0 {
		o.Flags |= value.FlagHasHoles
	}
	return o.Value()
}

func arrayIsArray(_ *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	return value.Bool(o != nil && o.Class == value.ClassArray)
}

// constructList makes the result object of Array.of and Array.from: an array, or new C(n).
func constructList(r *realm, c val, withLength bool, n int) *object {
	o := c.Object()
	if o == nil || !o.IsConstructor() || o == r.Intrinsic(value.ArrayConstructor) {
		if n > value.MaxIndex {
			r.ThrowError(value.RangeError, "Invalid array length")
			return nil
		}
		return r.NewArray(nil)
	}
	var v val
	if withLength {
		v = r.Construct(o, value.Int(n))
	} else {
		v = r.Construct(o)
	}
	return v.Object()
}

func arrayOf(r *realm, this val, args []val) val {
	o := constructList(r, this, true, len(args))
	if o == nil {
		return value.Throw
	}
	for i, v := range args {
		if !create(r, o, value.IndexKey(i), v) {
			return value.Throw
		}
	}
	if !put(r, o, value.Name("length"), value.Int(len(args))) {
		return value.Throw
	}
	return o.Value()
}

func arrayFrom(r *realm, this val, args []val) val {
	src, fn, thisArg := arg(args, 0), arg(args, 1), arg(args, 2)
	if !fn.IsUndefined() && !fn.IsCallable() {
		return r.ThrowTypeError("%s is not a function", r.Describe(fn))
	}
	if src.IsNullish() {
		return r.ThrowNullish(src, "is not iterable")
	}
	m := r.GetMethod(src, value.SymbolKey(value.SymIterator))
	if m.IsThrow() {
		return m
	}
	if m.IsUndefined() {
		return arrayFromLike(r, this, src, fn, thisArg)
	}
	o := constructList(r, this, false, 0)
	if o == nil {
		return value.Throw
	}
	defer r.Unroot(r.Root(o.Value()))
	i := 0
	ok := r.Iterate(src, func(x val) bool {
		if !fn.IsUndefined() {
			if x = r.Call(fn, thisArg, x, value.Int(i)); x.IsThrow() {
				return false
			}
		}
		i++
		return r.Push(o, x) || create(r, o, value.IndexKey(i-1), x)
	})
	if !ok || !put(r, o, value.Name("length"), value.Int(i)) {
		return value.Throw
	}
	return o.Value()
}

func arrayFromLike(r *realm, this, src, fn, thisArg val) val {
	from := r.ToObject(src)
	n, ok := r.LengthOf(from)
	if !ok {
		return value.Throw
	}
	o := constructList(r, this, true, n)
	if o == nil {
		return value.Throw
	}
	defer r.Unroot(r.Root(o.Value()))
	for i := range n {
		x := r.Get(from, value.IndexKey(i))
		if !x.IsThrow() && !fn.IsUndefined() {
			x = r.Call(fn, thisArg, x, value.Int(i))
		}
		if x.IsThrow() || !r.Step(1) || !create(r, o, value.IndexKey(i), x) {
			return value.Throw
		}
	}
	if !put(r, o, value.Name("length"), value.Int(n)) {
		return value.Throw
	}
	return o.Value()
}

// arraySpecies is ArraySpeciesCreate (10.4.2.2); nil if it threw. Ordinary arrays never run guest code here.
func arraySpecies(r *realm, o *object, n int) *object {
	if o.Class != value.ClassArray || r.OrdinaryArray(o) {
		if n > value.MaxIndex {
			r.ThrowError(value.RangeError, "Invalid array length")
			return nil
		}
		return r.NewArray(nil)
	}
	c := r.Get(o, value.Name("constructor"))
	if c.IsThrow() {
		return nil
	}
	if c.IsObject() {
		if c = r.GetV(c, value.SymbolKey(value.SymSpecies)); c.IsThrow() {
			return nil
		}
		if c.IsNull() {
			c = value.Undefined
		}
	}
	if c.IsUndefined() {
		if n > value.MaxIndex {
			r.ThrowError(value.RangeError, "Invalid array length")
			return nil
		}
		return r.NewArray(nil)
	}
	co := c.Object()
	if co == nil || !co.IsConstructor() {
		r.ThrowTypeError("object.constructor[Symbol.species] is not a constructor")
		return nil
	}
	return r.Construct(co, value.Int(n)).Object()
}

func arrayIterate(kind iterationKind) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		o := r.ToObject(this)
		if o == nil {
			return value.Throw
		}
		return newArrayIterator(r, o, kind)
	}
}

// target is ToObject(this) and its length; false if it threw.
func target(r *realm, this val) (*object, int, bool) {
	o := r.ToObject(this)
	if o == nil {
		return nil, 0, false
	}
	n, ok := r.LengthOf(o)
	return o, n, ok
}

// relative converts a relative index argument against length n; def is for undefined.
func relative(r *realm, v val, n, def int) (int, bool) {
	if v.IsUndefined() {
		return def, true
	}
	f, ok := r.ToInteger(v)
	if !ok {
		return 0, false
	}
	if f < 0 {
		return int(max(f+float64(n), 0)), true
	}
	return int(min(f, float64(n))), true
}

// callback checks a function argument and says what is wrong in the program's words.
func callback(r *realm, args []val) (fn, thisArg val, ok bool) {
	fn = arg(args, 0)
	if !fn.IsCallable() {
		r.ThrowTypeError("%s is not a function", r.Describe(fn))
		return fn, fn, false
	}
	return fn, arg(args, 1), true
}

package builtin

// This file defines Iterator and the methods of all iterators (ECMA-262 27.1.3–4).

import (
	"math"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func iteratorConstructor() []*value.Template {
	return []*value.Template{
		{ID: value.IteratorConstructor, Global: "Iterator", Proto: value.FunctionPrototype, Name: "Iterator", Length: 0, New: iteratorNew, Rows: []row{
			{Name: "prototype", Ref: value.IteratorPrototype, Attr: value.NoAttr},
			{Name: "from", Length: 1, Fn: iteratorFrom, Sig: "<T>(items: Iterable<T> | Iterator<T>): Iterator<T>"},
		}},
		{ID: value.IteratorHelperPrototype, Proto: value.IteratorPrototype, Rows: []row{
			{Name: "next", Length: 0, Fn: helperNext},
			{Name: "return", Length: 0, Fn: helperReturn},
			tagRow("Iterator Helper"),
		}},
		{ID: value.WrapForValidIteratorPrototype, Proto: value.IteratorPrototype, Rows: []row{
			{Name: "next", Length: 0, Fn: wrappedNext},
			{Name: "return", Length: 0, Fn: wrappedReturn},
		}},
	}
}

// iteratorMethods are the rows of %Iterator.prototype%.
func iteratorMethods() []row {
	return []row{
		{Name: "constructor", Get: func(r *realm, _ val, _ []val) val { return r.Intrinsic(value.IteratorConstructor).Value() },
			Set: setterThatIgnores(value.Name("constructor"))},
		{Name: "drop", Length: 1, Fn: iteratorLimit("drop"), Sig: "(count: number): Iterator<T>"},
		{Name: "every", Length: 1, Fn: iteratorEvery, Sig: "(test: (item: T, index: number) => boolean): boolean"},
		{Name: "filter", Length: 1, Fn: iteratorHelper("filter"), Sig: "(test: (item: T, index: number) => boolean): Iterator<T>"},
		{Name: "find", Length: 1, Fn: iteratorFind, Sig: "(test: (item: T, index: number) => boolean): T | undefined"},
		{Name: "flatMap", Length: 1, Fn: iteratorHelper("flatMap"), Sig: "<U>(map: (item: T, index: number) => Iterable<U>): Iterator<U>"},
		{Name: "forEach", Length: 1, Fn: iteratorForEach, Sig: "(visit: (item: T, index: number) => void): void"},
		{Name: "map", Length: 1, Fn: iteratorHelper("map"), Sig: "<U>(map: (item: T, index: number) => U): Iterator<U>"},
		{Name: "reduce", Length: 1, Fn: iteratorReduce, Sig: "<U>(step: (acc: U, item: T, index: number) => U, initial?: U): U"},
		{Name: "some", Length: 1, Fn: iteratorSome, Sig: "(test: (item: T, index: number) => boolean): boolean"},
		{Name: "take", Length: 1, Fn: iteratorLimit("take"), Sig: "(count: number): Iterator<T>"},
		{Name: "toArray", Length: 0, Fn: iteratorToArray, Sig: "(): T[]"},
		{Name: "@@iterator", Length: 0, Fn: returnThis},
		{Name: "@@toStringTag", Get: func(*realm, val, []val) val { return str("Iterator") },
			Set: setterThatIgnores(value.SymbolKey(value.SymToStringTag))},
	}
}

// setterThatIgnores is SetterThatIgnoresPrototypeProperties (7.3.35).
func setterThatIgnores(k value.Key) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		o := this.Object()
		if o == nil {
			return r.ThrowTypeError("%s is not an object", r.Describe(this))
		}
		if o == r.Intrinsic(value.IteratorPrototype) {
			return r.ThrowTypeError("Cannot assign to this property of Iterator.prototype")
		}
		if _, own := r.GetOwn(o, k); !own {
			return completed(value.Undefined, create(r, o, k, arg(args, 0)))
		}
		return completed(value.Undefined, put(r, o, k, arg(args, 0)))
	}
}

func iteratorNew(r *realm, _ []val, newTarget *object) val {
	if newTarget == nil || newTarget == r.Intrinsic(value.IteratorConstructor) {
		return r.ThrowTypeError("Abstract class Iterator not directly constructable")
	}
	proto := r.PrototypeFromConstructor(newTarget, value.IteratorPrototype)
	if proto == nil {
		return value.Throw
	}
	return r.NewObject(proto).Value()
}

// thisIterator checks the receiver; false if it threw.
func thisIterator(r *realm, this val, method string) bool {
	if !this.IsObject() {
		r.ThrowTypeError("Iterator.prototype.%s called on non-object", method)
		return false
	}
	return true
}

// withCallback is the start of the methods that take a function: a bad one closes the iterator.
func withCallback(r *realm, this val, args []val, method string) (it value.Iterator, fn val, ok bool) {
	if !thisIterator(r, this, method) {
		return it, fn, false
	}
	fn = arg(args, 0)
	if !fn.IsCallable() {
		r.ThrowTypeError("%s is not a function", r.Describe(fn))
		closeUnopened(r, this)
		return it, fn, false
	}
	it, ok = r.IteratorDirect(this)
	return it, fn, ok
}

// closeUnopened closes an iterator whose next method was not read, keeping the pending exception.
func closeUnopened(r *realm, this val) {
	r.CloseIterator(&value.Iterator{Object: this}, true)
}

// consume walks an iterator; visit says stop, which closes it. Exceptions of visit close it too.
func consume(r *realm, it *value.Iterator, visit func(x val, i int) (stop, ok bool)) bool {
	defer r.Unroot(r.Root(it.Object))
	for i := 0; ; i++ {
		x, done, ok := r.IteratorStep(it)
		if !ok || !r.Step(1) {
			return false
		}
		if done {
			return true
		}
		stop, ok := visit(x, i)
		if !ok {
			r.CloseIterator(it, true)
			return false
		}
		if stop {
			return r.CloseIterator(it, false)
		}
	}
}

func iteratorToArray(r *realm, this val, _ []val) val {
	if !thisIterator(r, this, "toArray") {
		return value.Throw
	}
	it, ok := r.IteratorDirect(this)
	if !ok {
		return value.Throw
	}
	list := r.NewArray(nil)
	defer r.Unroot(r.Root(list.Value()))
	ok = consume(r, &it, func(x val, _ int) (bool, bool) { return false, r.Push(list, x) })
	return completed(list.Value(), ok)
}

func iteratorForEach(r *realm, this val, args []val) val {
	it, fn, ok := withCallback(r, this, args, "forEach")
	if !ok {
		return value.Throw
	}
	ok = consume(r, &it, func(x val, i int) (bool, bool) {
		return false, !r.Call(fn, value.Undefined, x, value.Int(i)).IsThrow()
	})
	return completed(value.Undefined, ok)
}

// search walks until the test is as wanted, and gives that item.
func search(r *realm, this val, args []val, method string, want bool) (x val, found, ok bool) {
	it, fn, ok := withCallback(r, this, args, method)
	if !ok {
		return value.Undefined, false, false
	}
	x = value.Undefined
	ok = consume(r, &it, func(item val, i int) (bool, bool) {
		t := r.Call(fn, value.Undefined, item, value.Int(i))
		if t.IsThrow() {
			return false, false
		}
		if value.ToBoolean(t) == want {
			x, found = item, true
		}
		return found, true
	})
	return x, found, ok
}

func iteratorSome(r *realm, this val, args []val) val {
	_, found, ok := search(r, this, args, "some", true)
	return completed(value.Bool(found), ok)
}

func iteratorEvery(r *realm, this val, args []val) val {
	_, found, ok := search(r, this, args, "every", false)
	return completed(value.Bool(!found), ok)
}

func iteratorFind(r *realm, this val, args []val) val {
	x, _, ok := search(r, this, args, "find", true)
	return completed(x, ok)
}

func iteratorReduce(r *realm, this val, args []val) val {
	it, fn, ok := withCallback(r, this, args, "reduce")
	if !ok {
		return value.Throw
	}
	acc, from := arg(args, 1), 0
	if len(args) < 2 {
		x, done, ok := r.IteratorStep(&it)
		if !ok {
			return value.Throw
		}
		if done {
			return r.ThrowTypeError("Reduce of a done iterator with no initial value")
		}
		acc, from = x, 1
	}
	holder := r.NewArrayOf(acc) // keeps what was accumulated reachable while the iterator runs
	defer r.Unroot(r.Root(holder.Value()))
	ok = consume(r, &it, func(x val, i int) (bool, bool) {
		acc = r.Call(fn, value.Undefined, acc, x, value.Int(i+from))
		holder.Elems[0] = acc
		return false, !acc.IsThrow()
	})
	return completed(acc, ok)
}

// iteratorHelping is the Ext of the iterators that map, filter, take, drop and flatMap return.
type iteratorHelping struct {
	kind    string
	under   value.Iterator
	fn      val
	limit   float64
	count   int
	inner   *value.Iterator // of flatMap
	started bool
	running bool
	done    bool
}

func newHelper(r *realm, h *iteratorHelping) val {
	return r.NewClass(value.ClassIterator, r.Intrinsic(value.IteratorHelperPrototype), h).Value()
}

func iteratorHelper(kind string) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		it, fn, ok := withCallback(r, this, args, kind)
		if !ok {
			return value.Throw
		}
		return newHelper(r, &iteratorHelping{kind: kind, under: it, fn: fn})
	}
}

// iteratorLimit makes take and drop.
func iteratorLimit(kind string) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		if !thisIterator(r, this, kind) {
			return value.Throw
		}
		n, ok := r.ToNumber(arg(args, 0))
		if !ok {
			closeUnopened(r, this)
			return value.Throw
		}
		if n = math.Trunc(n); n != n || n < 0 || n > 1<<53-1 && !math.IsInf(n, 1) {
			r.ThrowError(value.RangeError, "%s must be a count", describeText(r, arg(args, 0)))
			closeUnopened(r, this)
			return value.Throw
		}
		it, ok := r.IteratorDirect(this)
		if !ok {
			return value.Throw
		}
		return newHelper(r, &iteratorHelping{kind: kind, under: it, limit: n})
	}
}

func helperNext(r *realm, this val, _ []val) val {
	h, ok := extOf[*iteratorHelping](this)
	if !ok {
		return incompatible(r, "Iterator Helper.prototype.next", this)
	}
	if h.running {
		return r.ThrowTypeError("Generator is already running")
	}
	if h.done {
		return r.IterResult(value.Undefined, true)
	}
	h.started, h.running = true, true
	v, more, ok := h.step(r)
	h.running = false
	if !ok || !more {
		h.done = true
	}
	if !ok {
		return value.Throw
	}
	return r.IterResult(v, !more)
}

// step produces the next value; more is false at the end.
func (h *iteratorHelping) step(r *realm) (v val, more, ok bool) {
	switch h.kind {
	case "take":
		return h.take(r)
	case "drop":
		for ; h.limit > 0; h.limit-- {
			if _, done, ok := r.IteratorStep(&h.under); !ok || done || !r.Step(1) {
				return value.Undefined, false, ok && !r.Terminated
			}
		}
		v, done, ok := r.IteratorStep(&h.under)
		return v, !done, ok
	case "flatMap":
		return h.flatMap(r)
	}
	for {
		x, done, ok := r.IteratorStep(&h.under)
		if !ok || done {
			return value.Undefined, false, ok
		}
		mark := r.Root(x)
		y := r.Call(h.fn, value.Undefined, x, value.Int(h.count))
		r.Unroot(mark)
		h.count++
		switch {
		case y.IsThrow() || !r.Step(1):
			r.CloseIterator(&h.under, true)
			return y, false, false
		case h.kind == "map":
			return y, true, true
		case value.ToBoolean(y):
			return x, true, true
		}
	}
}

func (h *iteratorHelping) take(r *realm) (v val, more, ok bool) {
	if h.limit <= 0 {
		return value.Undefined, false, r.CloseIterator(&h.under, false)
	}
	h.limit--
	v, done, ok := r.IteratorStep(&h.under)
	return v, !done, ok
}

func (h *iteratorHelping) flatMap(r *realm) (v val, more, ok bool) {
	for r.Step(1) {
		if h.inner != nil {
			v, done, ok := r.IteratorStep(h.inner)
			if !ok {
				r.CloseIterator(&h.under, true)
				return v, false, false
			}
			if !done {
				return v, true, true
			}
			h.inner = nil
		}
		x, done, ok := r.IteratorStep(&h.under)
		if !ok || done {
			return value.Undefined, false, ok
		}
		y := r.Call(h.fn, value.Undefined, x, value.Int(h.count))
		h.count++
		var in value.Iterator
		if !y.IsThrow() {
			in, ok = flattenable(r, y, false)
		}
		if y.IsThrow() || !ok {
			r.CloseIterator(&h.under, true)
			return y, false, false
		}
		h.inner = &in
	}
	return value.Undefined, false, false
}

// flattenable is GetIteratorFlattenable (7.4.5).
func flattenable(r *realm, v val, strings bool) (value.Iterator, bool) {
	if !v.IsObject() && !(strings && v.IsString()) {
		r.ThrowTypeError("%s is not an object", r.Describe(v))
		return value.Iterator{}, false
	}
	m := r.GetMethod(v, value.SymbolKey(value.SymIterator))
	if m.IsThrow() {
		return value.Iterator{}, false
	}
	it := v
	if !m.IsUndefined() {
		if it = r.Call(m, v); it.IsThrow() {
			return value.Iterator{}, false
		}
	}
	if !it.IsObject() {
		r.ThrowTypeError("%s is not an object", r.Describe(it))
		return value.Iterator{}, false
	}
	return r.IteratorDirect(it)
}

func helperReturn(r *realm, this val, _ []val) val {
	h, ok := extOf[*iteratorHelping](this)
	if !ok {
		return incompatible(r, "Iterator Helper.prototype.return", this)
	}
	if h.running {
		return r.ThrowTypeError("Generator is already running")
	}
	if h.done {
		return r.IterResult(value.Undefined, true)
	}
	h.done = true
	h.running = true
	if h.inner != nil && !r.CloseIterator(h.inner, false) {
		r.CloseIterator(&h.under, true)
		ok = false
	} else {
		ok = r.CloseIterator(&h.under, false)
	}
	h.running = false
	return completed(r.IterResult(value.Undefined, true), ok)
}

// iteratorFrom (27.1.3.2.1).
func iteratorFrom(r *realm, _ val, args []val) val {
	it, ok := flattenable(r, arg(args, 0), true)
	if !ok {
		return value.Throw
	}
	is := r.OrdinaryHasInstance(r.Intrinsic(value.IteratorConstructor).Value(), it.Object)
	if is.IsThrow() || value.ToBoolean(is) {
		return completed(it.Object, !is.IsThrow())
	}
	return r.NewClass(value.ClassIterator, r.Intrinsic(value.WrapForValidIteratorPrototype), &wrappedIterator{it}).Value()
}

// wrappedIterator is the Ext of %WrapForValidIteratorPrototype% objects.
type wrappedIterator struct{ it value.Iterator }

func wrappedNext(r *realm, this val, _ []val) val {
	w, ok := extOf[*wrappedIterator](this)
	if !ok {
		return incompatible(r, "next", this)
	}
	return r.Call(w.it.Next, w.it.Object)
}

func wrappedReturn(r *realm, this val, _ []val) val {
	w, ok := extOf[*wrappedIterator](this)
	if !ok {
		return incompatible(r, "return", this)
	}
	m := r.GetMethod(w.it.Object, value.Name("return"))
	if m.IsThrow() {
		return m
	}
	if m.IsUndefined() {
		return r.IterResult(value.Undefined, true)
	}
	return r.Call(m, w.it.Object)
}

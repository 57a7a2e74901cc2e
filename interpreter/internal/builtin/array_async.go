package builtin

// This file defines Array.fromAsync (ECMA-262 23.1.2.1).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func arrayFromAsync(r *realm, this val, args []val) val {
	src, fn, thisArg := arg(args, 0), arg(args, 1), arg(args, 2)
	return r.RunAsync(func() val {
		if !fn.IsUndefined() && !fn.IsCallable() {
			return r.ThrowTypeError("%s is not a function", r.Describe(fn))
		}
		m := r.GetMethod(src, value.SymbolKey(value.SymAsyncIterator))
		if m.IsThrow() {
			return m
		}
		if m.IsUndefined() {
			if m = r.GetMethod(src, value.SymbolKey(value.SymIterator)); m.IsThrow() {
				return m
			}
			if m.IsUndefined() {
				return fromAsyncLike(r, this, src, fn, thisArg)
			}
		}
		return fromAsyncIterable(r, this, src, fn, thisArg)
	})
}

func fromAsyncIterable(r *realm, this, src, fn, thisArg val) val {
	o := constructList(r, this, false, 0)
	if o == nil {
		return value.Throw
	}
	it, ok := r.GetAsyncIterator(src)
	if !ok {
		return value.Throw
	}
	mark := r.Root(o.Value())
	defer r.Unroot(mark)
	for i := 0; ; i++ {
		res := r.Call(it.Next, it.Object)
		if !res.IsThrow() {
			res = r.Await(res)
		}
		if res.IsThrow() {
			return res
		}
		x, end, ok := r.IteratorResult(&it, res)
		if !ok {
			return value.Throw
		}
		if end {
			if !setLength(r, o, i) {
				return value.Throw
			}
			return o.Value()
		}
		if !fn.IsUndefined() {
			if x = r.Call(fn, thisArg, x, value.Int(i)); !x.IsThrow() {
				x = r.Await(x)
			}
		}
		if x.IsThrow() || !create(r, o, value.IndexKey(i), x) {
			r.CloseAsyncIterator(&it, true)
			return value.Throw
		}
	}
}

func fromAsyncLike(r *realm, this, src, fn, thisArg val) val {
	from := r.ToObject(src)
	if from == nil {
		return value.Throw
	}
	n, ok := r.LengthOf(from)
	if !ok {
		return value.Throw
	}
	o := constructList(r, this, true, n)
	if o == nil {
		return value.Throw
	}
	mark := r.Root(o.Value())
	defer r.Unroot(mark)
	for i := range n {
		x := r.Get(from, value.IndexKey(i))
		if !x.IsThrow() {
			x = r.Await(x)
		}
		if !x.IsThrow() && !fn.IsUndefined() {
			if x = r.Call(fn, thisArg, x, value.Int(i)); !x.IsThrow() {
				x = r.Await(x)
			}
		}
		if x.IsThrow() || !create(r, o, value.IndexKey(i), x) {
			return value.Throw
		}
	}
	if !setLength(r, o, n) {
		return value.Throw
	}
	return o.Value()
}

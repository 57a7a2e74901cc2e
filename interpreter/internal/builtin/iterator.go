package builtin

// This file defines %Iterator.prototype%, the iterators of arrays and the adapter of for await (ECMA-262 27.1, 23.1.5).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func iteratorTemplates() []*value.Template {
	return []*value.Template{
		{ID: value.IteratorPrototype, Proto: value.ObjectPrototype, Rows: iteratorMethods()},
		{ID: value.AsyncIteratorPrototype, Proto: value.ObjectPrototype, Rows: []row{
			{Name: "@@asyncIterator", Length: 0, Fn: returnThis},
		}},
		{ID: value.ArrayIteratorPrototype, Proto: value.IteratorPrototype, Rows: []row{
			{Name: "next", Length: 0, Fn: nextOf[*arrayIterator](value.ArrayIteratorPrototype, "Array Iterator.prototype.next"), Steps: value.ArrayIteratorPrototype},
			tagRow("Array Iterator"),
		}},
		{ID: value.AsyncFromSyncIteratorPrototype, Proto: value.AsyncIteratorPrototype, Rows: []row{
			{Name: "next", Length: 1, Fn: asyncFromSync("next")},
			{Name: "return", Length: 1, Fn: asyncFromSync("return")},
			{Name: "throw", Length: 1, Fn: asyncFromSync("throw")},
		}},
	}
}

// iterationKind is what an iterator of an indexed or keyed collection yields.
type iterationKind uint8

const (
	iterateKeys iterationKind = iota
	iterateValues
	iterateEntries
)

// arrayIterator is the Ext of array iterators; object is nil once exhausted.
type arrayIterator struct {
	object *object
	at     int
	kind   iterationKind
}

func newArrayIterator(r *realm, o *object, kind iterationKind) val {
	return r.NewClass(value.ClassIterator, r.Intrinsic(value.ArrayIteratorPrototype), &arrayIterator{object: o, kind: kind}).Value()
}

// nextOf is the next of builtin iterators of a type.
func nextOf[T value.Stepper](of value.ID, name string) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		it, ok := extOf[T](this)
		if !ok || it.Steps() != of {
			return incompatible(r, name, this)
		}
		v, done, ok := it.Step(r)
		if !ok {
			return value.Throw
		}
		return r.IterResult(v, done)
	}
}

// Steps implements value.Stepper.
func (it *arrayIterator) Steps() value.ID { return value.ArrayIteratorPrototype }

// Step implements value.Stepper.
func (it *arrayIterator) Step(r *realm) (v val, done, ok bool) {
	if it.object == nil {
		return value.Undefined, true, true
	}
	n, ok := r.LengthOf(it.object)
	if !ok {
		return value.Undefined, false, false
	}
	if it.at >= n {
		it.object = nil
		return value.Undefined, true, true
	}
	i := it.at
	it.at++
	if it.kind == iterateKeys {
		return value.Int(i), false, true
	}
	if v = r.Get(it.object, value.IndexKey(i)); v.IsThrow() {
		return v, false, false
	}
	if it.kind == iterateEntries {
		v = r.NewArrayOf(value.Int(i), v).Value()
	}
	return v, false, true
}

// asyncFromSync makes the methods of %AsyncFromSyncIteratorPrototype% (27.1.6.2).
func asyncFromSync(method string) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		it := this.Object().Ext.(*value.Iterator)
		p, pv := r.NewPromise()
		res := callSync(r, it, method, args, p)
		if res.IsAbsent() {
			return pv
		}
		if r.Terminated {
			return value.Throw
		}
		continueSync(r, it, res, p, method != "return")
		return pv
	}
}

// callSync calls the method of the sync iterator; an absent result means that p is settled already.
func callSync(r *realm, it *value.Iterator, method string, args []val, p *value.PromiseData) val {
	if method == "next" {
		return r.CallArgs(it.Next, it.Object, args)
	}
	m := r.GetMethod(it.Object, value.Name(method))
	if m.IsThrow() || !m.IsUndefined() {
		if m.IsThrow() {
			return m
		}
		res := r.CallArgs(m, it.Object, args)
		if !res.IsThrow() && !res.IsObject() {
			return r.ThrowTypeError("%s is not an object", r.Describe(res))
		}
		return res
	}
	if method == "return" {
		r.Machine.Resolve(p, r.IterResult(arg(args, 0), true))
		return val{}
	}
	if it.Done = false; r.CloseIterator(it, false) {
		r.ThrowTypeError("The iterator does not provide a 'throw' method")
	}
	return value.Throw
}

// continueSync is AsyncFromSyncIteratorContinuation (27.1.6.4).
func continueSync(r *realm, it *value.Iterator, res val, p *value.PromiseData, closeOnReject bool) {
	reject := func() { r.Machine.Reject(p, r.Exception()) }
	if res.IsThrow() {
		reject()
		return
	}
	o := res.Object()
	if o == nil {
		r.ThrowTypeError("Iterator result %s is not an object", r.Describe(res))
		reject()
		return
	}
	d := r.Get(o, value.KeyDone)
	if d.IsThrow() {
		reject()
		return
	}
	finished := value.ToBoolean(d)
	v := r.Get(o, value.KeyValue)
	if v.IsThrow() {
		reject()
		return
	}
	wrapped, ok := r.Machine.PromiseResolve(r.Intrinsic(value.PromiseConstructor).Value(), v)
	if !ok {
		r.ThrowValue(wrapped)
		if !finished && closeOnReject {
			it.Done = false
			r.CloseIterator(it, true)
		}
		reject()
		return
	}
	r.Machine.Observe(value.NativePromise(wrapped), &unwrap{r, it, p, finished, closeOnReject})
}

type unwrap struct {
	r             *realm
	it            *value.Iterator
	p             *value.PromiseData
	finished      bool
	closeOnReject bool
}

// Resume settles the promise of one step once its value has settled.
func (u *unwrap) Resume(v val, rejected bool) {
	if !rejected {
		u.r.Machine.Resolve(u.p, u.r.IterResult(v, u.finished))
		return
	}
	if !u.finished && u.closeOnReject {
		u.r.ThrowValue(v)
		u.it.Done = false
		u.r.CloseIterator(u.it, true)
	}
	u.r.Machine.Reject(u.p, v)
}

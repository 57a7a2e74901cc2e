package value

// This file defines iteration (ECMA-262 7.4).

import "github.com/codemode-go/codemode/data"

// Iterator is an Iterator Record. It lives in the caller's frame; its values are rooted there or with Realm.Root.
type Iterator struct {
	Object Value
	Next   Value
	Done   bool // exhausted or threw: must not be closed
	array  *Object
	at     uint32
	direct Stepper    // what Next would step, if Next is the builtin
	gen    *Generator // the same of a generator
}

// Stepper is implemented by the Ext of builtin iterators. Where their next is the builtin, a loop asks them and needs no result
// objects.
type Stepper interface {
	// Steps is the prototype whose next steps it.
	Steps() ID
	// Step is the next value, or done; ok is false if it threw.
	Step(r *Realm) (v Value, done, ok bool)
}

// Frequent keys.
var (
	KeyDone  = Name("done")
	KeyValue = Name("value")
	keyNext  = Name("next")
)

// GetIterator is GetIterator(v, sync) (7.4.3); false if it threw. Arrays with untouched iteration are walked directly.
func (r *Realm) GetIterator(v Value) (Iterator, bool) {
	if o := v.Object(); o != nil && o.Class == ClassArray && r.arrayIterationPristine(o) {
		return Iterator{Object: v, array: o}, true
	}
	m := r.GetMethodForIteration(v, SymIterator)
	if m.IsThrow() {
		return Iterator{}, false
	}
	return r.IteratorFromMethod(v, m)
}

// GetIteratorPlain is GetIterator without the direct walk over arrays.
func (r *Realm) GetIteratorPlain(v Value) (Iterator, bool) {
	m := r.GetMethodForIteration(v, SymIterator)
	if m.IsThrow() {
		return Iterator{}, false
	}
	return r.IteratorFromMethod(v, m)
}

// GetMethodForIteration reads v[symbol] and says in the program's words when v cannot be iterated.
func (r *Realm) GetMethodForIteration(v Value, sym *Symbol) Value {
	if v.IsNullish() {
		return r.ThrowNullish(v, "is not iterable")
	}
	m := r.GetV(v, SymbolKey(sym))
	if m.IsThrow() {
		return m
	}
	r.NoteTextUse(v, "the items iterated are the characters of a text")
	if !m.IsCallable() {
		if sym == SymAsyncIterator && m.IsNullish() {
			return Undefined
		}
		return r.ThrowTypeError("%s", r.NotIterable(v))
	}
	return m
}

// NotIterable is the message about a value that cannot be iterated, where no expression is known to name it.
func (r *Realm) NotIterable(v Value) string {
	what := r.shapeText(v)
	if what == "" {
		what = r.Describe(v)
	}
	if NativePromise(v) != nil {
		return what + " is not iterable; await it first"
	}
	return what + " is not iterable" + r.IterateInstead(v, "")
}

// PendingNotIterable tells whether the pending exception is that v cannot be iterated, in the words of NotIterable.
func (r *Realm) PendingNotIterable(v Value) bool {
	e := r.exc.Object()
	if r.Terminated || e == nil || e.Class != ClassError {
		return false
	}
	m, ok := r.GetOwnValue(e, Name("message"))
	return ok && m.IsString() && m.Str().String() == r.NotIterable(v)
}

// IterateInstead is what to write in the place of the value, of which text is the expression, or "": "; use r.items".
func (r *Realm) IterateInstead(v Value, text string) string {
	o := v.Object()
	switch {
	case o == nil:
		return ""
	case o.Class == ClassPromise:
		return "; it is a Promise: await it first"
	case o.Class == ClassTools:
		if names, ok := r.ToolNames(o); ok && len(names) > 0 {
			return "; Object.keys(" + r.Describe(v) + ") lists what there is"
		}
		if !v.IsCallable() { // tools itself, without any
			return ""
		}
		return "; call it and await the result"
	case o.Class == ClassFunction && o.Flags&(FlagClass|FlagIntrinsic) == 0:
		return "; it is a function: call it first"
	case r.shapeText(v) == "":
		return ""
	}
	key, arrays := r.SoleArray(o)
	if arrays == 1 && text == "" {
		return "; use its member " + string(data.AppendQuoted(nil, key))
	} else if arrays == 1 {
		return "; use " + string(data.AppendKey([]byte(text), key))
	} else if text == "" {
		text = "…"
	}
	return "; use Object.entries(" + text + ") or Object.values"
}

// SoleArray is the member of o that is an array, and how many such members there are; no guest code runs.
func (r *Realm) SoleArray(o *Object) (key string, arrays int) {
	keys, _ := r.NamedKeys(o)
	for _, k := range keys {
		if x, ok := r.GetOwnValue(o, k); ok && k.Sym == nil {
			if xo := x.Object(); xo != nil && xo.Class == ClassArray {
				key, arrays = k.String(), arrays+1
			}
		}
	}
	return key, arrays
}

// IteratorFromMethod is GetIteratorFromMethod (7.4.2).
func (r *Realm) IteratorFromMethod(v, method Value) (Iterator, bool) {
	it := r.Call(method, v)
	if it.IsThrow() {
		return Iterator{}, false
	}
	if !it.IsObject() {
		r.ThrowTypeError("Result of the Symbol.iterator method is not an object")
		return Iterator{}, false
	}
	return r.IteratorDirect(it)
}

// IteratorDirect is GetIteratorDirect (7.4.1).
func (r *Realm) IteratorDirect(it Value) (Iterator, bool) {
	next := r.GetV(it, keyNext)
	if next.IsThrow() {
		return Iterator{}, false
	}
	rec := Iterator{Object: it, Next: next}
	if f := next.Function(); f != nil && f.native != nil && f.native.steps != NoIntrinsic {
		switch o := it.Object(); {
		case o == nil:
		case o.Class == ClassGenerator && f.native.steps == GeneratorPrototype:
			rec.gen = o.Ext.(*Generator)
		case o.Class == ClassIterator:
			if s, ok := o.Ext.(Stepper); ok && s.Steps() == f.native.steps {
				rec.direct = s
			}
		}
	}
	return rec, true
}

// arrayIterationPristine tells whether iterating the array o runs only builtin code.
func (r *Realm) arrayIterationPristine(o *Object) bool {
	p := r.intrinsics[ArrayPrototype]
	return o.Shape.Proto == p && (len(o.Slots) == 0 || o.Shape.lookupSymbol(SymIterator) < 0) && r.pristine(ArrayPrototype, SymbolKey(SymIterator), &r.arrayValues) &&
		r.pristine(ArrayIteratorPrototype, keyNext, &r.arrayNext)
}

// PlainArray returns the elements of an array whose iteration is untouched and which has no holes.
func (r *Realm) PlainArray(v Value) ([]Value, bool) {
	if o := v.Object(); o != nil && o.Class == ClassArray && r.arrayIterationPristine(o) {
		return o.Dense()
	}
	return nil, false
}

// IteratorStep is IteratorStepValue (7.4.9): a value, or done; ok is false if it threw.
func (r *Realm) IteratorStep(it *Iterator) (v Value, done, ok bool) {
	if it.array != nil {
		return r.stepArray(it)
	}
	if it.direct != nil {
		v, done, ok = it.direct.Step(r)
		it.Done = done || !ok
		return v, done, ok
	}
	if it.gen != nil {
		return r.stepGenerator(it, it.gen)
	}
	res := r.Call(it.Next, it.Object)
	if res.IsThrow() {
		it.Done = true
		return Undefined, false, false
	}
	return r.IteratorResult(it, res)
}

// IteratorResult takes an iterator result apart.
func (r *Realm) IteratorResult(it *Iterator, res Value) (v Value, done, ok bool) {
	o := res.Object()
	if o == nil {
		it.Done = true
		r.ThrowTypeError("Iterator result %s is not an object", r.Describe(res))
		return Undefined, false, false
	}
	d := r.Get(o, KeyDone)
	if d.IsThrow() {
		it.Done = true
		return Undefined, false, false
	}
	if ToBoolean(d) {
		it.Done = true
		return Undefined, true, true
	}
	v = r.Get(o, KeyValue)
	if v.IsThrow() {
		it.Done = true
		return Undefined, false, false
	}
	return v, false, true
}

func (r *Realm) stepGenerator(it *Iterator, g *Generator) (v Value, done, ok bool) {
	out, done, raw := g.step(r, Undefined, SentNext)
	switch {
	case out.IsThrow():
		it.Done = true
		return Undefined, false, false
	case raw:
		return r.IteratorResult(it, out)
	case done:
		it.Done = true
		return Undefined, true, true
	}
	return out, false, true
}

func (r *Realm) stepArray(it *Iterator) (v Value, done, ok bool) {
	o := it.array
	if it.at >= o.N {
		it.Done = true
		return Undefined, true, true
	}
	i := it.at
	it.at++
	if v, ok := o.elem(i); ok {
		return v, false, true
	}
	if v = r.Get(o, Key{Index: i, IsIndex: true}); v.IsThrow() {
		it.Done = true
		return Undefined, false, false
	}
	return v, false, true
}

// CloseIterator is IteratorClose (7.4.11). With threw set the pending exception stays; otherwise false means that
// closing threw.
func (r *Realm) CloseIterator(it *Iterator, threw bool) bool {
	if it.array != nil || it.Done || r.Terminated {
		return !r.Terminated
	}
	it.Done = true
	exc := r.exc
	m := r.GetMethod(it.Object, Name("return"))
	if !m.IsThrow() && !m.IsUndefined() {
		res := r.Call(m, it.Object)
		switch {
		case threw || res.IsThrow():
			m = res
		case !res.IsObject():
			m = r.ThrowTypeError("%s is not an object", r.Describe(res))
		}
	}
	if r.Terminated {
		return false
	}
	if threw {
		r.exc = exc
		return true
	}
	return !m.IsThrow()
}

// Iterate calls visit for each value of an iterable; visit returning false means it threw, which closes the iterator.
// The result is false if anything threw.
func (r *Realm) Iterate(v Value, visit func(Value) bool) bool {
	it, ok := r.GetIterator(v)
	if !ok {
		return false
	}
	mark := r.Root(it.Object)
	defer r.Unroot(mark)
	for {
		if !r.Step(1) {
			return false
		}
		x, done, ok := r.IteratorStep(&it)
		if !ok {
			return false
		}
		if done {
			return true
		}
		if !visit(x) {
			r.CloseIterator(&it, true)
			return false
		}
	}
}

// IterateToList collects an iterable (7.4.14); false if it threw.
func (r *Realm) IterateToList(v Value) ([]Value, bool) {
	if e, ok := r.PlainArray(v); ok {
		r.Charge(16 * len(e))
		return append(make([]Value, 0, len(e)), e...), r.Step(1 + len(e)/16)
	}
	out := r.NewArray(nil)
	defer r.Unroot(r.Root(out.Value()))
	ok := r.Iterate(v, func(x Value) bool {
		r.Push(out, x)
		return true
	})
	return out.Elems, ok
}

// IterResult makes an iterator result object (7.4.16).
func (r *Realm) IterResult(v Value, done bool) Value {
	if r.iterShape == nil {
		r.iterShape = r.plainShape.next(r, prop{name: "value", attr: AttrDefault}).next(r, prop{name: "done", attr: AttrDefault})
	}
	return r.NewWithShape(r.iterShape, []Value{v, Bool(done)}, 0).Value()
}

// LengthOf is LengthOfArrayLike (7.3.18); false if it threw.
func (r *Realm) LengthOf(o *Object) (int, bool) {
	if o.Class == ClassArray {
		return int(o.N), true
	}
	v := r.Get(o, Name("length"))
	if v.IsThrow() {
		return 0, false
	}
	return r.ToLength(v)
}

// ListFromArrayLike is CreateListFromArrayLike (7.3.19); false if it threw.
func (r *Realm) ListFromArrayLike(v Value) ([]Value, bool) {
	o := v.Object()
	if o == nil {
		r.ThrowTypeError("CreateListFromArrayLike called on non-object")
		return nil, false
	}
	if e, ok := o.Dense(); ok {
		if !r.Take(16 * len(e)) {
			return nil, false
		}
		return append([]Value(nil), e...), true
	}
	n, ok := r.LengthOf(o)
	if !ok {
		return nil, false
	}
	if n > 1<<20 {
		r.ThrowError(RangeError, "Too many arguments in function call (only %d allowed)", 1<<20)
		return nil, false
	}
	out := make([]Value, 0, n)
	for i := range n {
		x := r.Get(o, IndexKey(i))
		if x.IsThrow() || !r.Step(1) {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}

// ForInKeys lists what for-in visits: enumerable string keys of the object, then of its prototypes, each once
// (EnumerateObjectProperties, ECMA-262 14.7.5.9).
func (r *Realm) ForInKeys(o *Object) ([]Key, bool) {
	r.NoteFields(o.Value())
	var out []Key
	var seen map[string]bool
	for cur := o; cur != nil; cur = cur.Shape.Proto {
		keys, ok := r.OwnKeys(cur)
		if !ok {
			return nil, false
		}
		if cur != o && seen == nil && len(keys) > 0 {
			seen = make(map[string]bool, len(out))
			for _, k := range out {
				seen[k.text()] = true
			}
			if own, _ := r.OwnKeys(o); len(own) != len(out) {
				for _, k := range own {
					seen[k.text()] = true
				}
			}
		}
		for _, k := range keys {
			if k.Sym != nil || seen != nil && cur != o && seen[k.text()] {
				continue
			}
			if seen != nil && cur != o {
				seen[k.text()] = true
			}
			if d, ok := r.GetOwn(cur, k); ok && d.Attr&Enumerable != 0 {
				out = append(out, k)
			}
		}
		if cur.Shape.Proto != nil && cur.Shape.Proto.Flags&FlagIntrinsic != 0 && !r.hasEnumerable(cur.Shape.Proto) {
			break
		}
	}
	return out, true
}

// hasEnumerable tells whether an intrinsic prototype or one above it was given an enumerable property by the program.
func (r *Realm) hasEnumerable(o *Object) bool {
	for ; o != nil; o = o.Shape.Proto {
		if len(o.Elems) > 0 || o.Flags&(FlagIndexProps|FlagExotic) != 0 {
			return true
		}
		for i := range o.Shape.props {
			if a := o.Shape.props[i].attr; a&Enumerable != 0 && a&attrDeleted == 0 {
				return true
			}
		}
	}
	return false
}

// ForInLive tells whether a key that for-in is about to visit still exists.
func (r *Realm) ForInLive(o *Object, k Key) (live, ok bool) {
	if _, own := r.GetOwn(o, k); own {
		return true, true
	}
	return r.HasProperty(o, k)
}

// GetAsyncIterator is GetIterator(v, async) (7.4.3).
func (r *Realm) GetAsyncIterator(v Value) (Iterator, bool) {
	m := r.GetMethodForIteration(v, SymAsyncIterator)
	if m.IsThrow() {
		return Iterator{}, false
	}
	if !m.IsUndefined() {
		return r.IteratorFromMethod(v, m)
	}
	sm := r.GetMethodForIteration(v, SymIterator)
	if sm.IsThrow() {
		return Iterator{}, false
	}
	inner, ok := r.IteratorFromMethod(v, sm)
	if !ok {
		return Iterator{}, false
	}
	o := r.NewClass(ClassIterator, r.Intrinsic(AsyncFromSyncIteratorPrototype), &inner)
	return r.IteratorDirect(o.Value())
}

// CloseAsyncIterator is AsyncIteratorClose (7.4.13).
func (r *Realm) CloseAsyncIterator(it *Iterator, threw bool) bool {
	if it.Done || r.Terminated {
		return !r.Terminated
	}
	it.Done = true
	exc := r.exc
	m := r.GetMethod(it.Object, Name("return"))
	if !m.IsThrow() && !m.IsUndefined() {
		if m = r.Call(m, it.Object); !m.IsThrow() {
			if m = r.Await(m); !threw && !m.IsThrow() && !m.IsObject() {
				m = r.ThrowTypeError("%s is not an object", r.Describe(m))
			}
		}
	}
	if r.Terminated {
		return false
	}
	if threw {
		r.exc = exc
		return true
	}
	return !m.IsThrow()
}

package builtin

// This file defines the array methods that read: searches, folds, joins and copies.

import (
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// each calls fn(item, index, array) for present elements in order; visit gets the result and stops by returning false.
// The result is false if anything threw.
func each(r *realm, this val, args []val, holes bool, visit func(o *object, i int, x, res val) bool) bool {
	o, n, ok := target(r, this)
	if !ok {
		return false
	}
	fn, thisArg, ok := callback(r, args)
	if !ok {
		return false
	}
	for i := 0; i < n; i++ {
		x, present, ok := element(r, o, i)
		if !ok {
			return false
		}
		if !present && !holes {
			continue
		}
		res := r.Call(fn, thisArg, x, value.Int(i), o.Value())
		if res.IsThrow() {
			return false
		}
		if !visit(o, i, x, res) {
			return !r.Terminated
		}
	}
	return true
}

// element reads o[i] and tells whether it is present (HasProperty).
func element(r *realm, o *object, i int) (x val, present, ok bool) {
	if i < len(o.Elems) && o.Flags&value.FlagExotic == 0 {
		if x = o.Elems[i]; !x.IsHole() {
			return x, true, true
		}
	}
	if !r.Step(1) {
		return value.Undefined, false, false
	}
	k := value.IndexKey(i)
	has, ok := r.HasProperty(o, k)
	if !ok || !has {
		return value.Undefined, false, ok
	}
	x = r.Get(o, k)
	return x, true, !x.IsThrow()
}

// verdict is what a predicate says; one that answers with a promise says yes to everything.
func verdict(r *realm, res val) bool {
	if res.IsObject() {
		r.NotePromiseAnswer(res, "the function given to filter, find, some or every answered with a Promise, which counts as true",
			"these do not wait: const answers = await Promise.all(list.map(…)) first, then list.filter((_, i) => answers[i])")
	}
	return value.ToBoolean(res)
}

func arrayForEach(r *realm, this val, args []val) val {
	if !each(r, this, args, false, func(*object, int, val, val) bool { return true }) {
		return value.Throw
	}
	return value.Undefined
}

func arrayEvery(r *realm, this val, args []val) val {
	all := true
	if !each(r, this, args, false, func(_ *object, _ int, _, res val) bool { all = verdict(r, res); return all }) {
		return value.Throw
	}
	return value.Bool(all)
}

func arraySome(r *realm, this val, args []val) val {
	found := false
	if !each(r, this, args, false, func(_ *object, _ int, _, res val) bool { found = verdict(r, res); return !found }) {
		return value.Throw
	}
	return value.Bool(found)
}

func arrayMap(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	fn, thisArg, ok := callback(r, args)
	if !ok {
		return value.Throw
	}
	out := arraySpecies(r, o, n)
	if out == nil {
		return value.Throw
	}
	defer r.Unroot(r.Root(out.Value()))
	plain := out.Class == value.ClassArray && out.N == 0
	if plain && n < 1<<16 {
		out.Elems = make([]val, 0, n)
		r.Charge(16 * n)
	}
	for i := 0; i < n; i++ {
		x, present, ok := element(r, o, i)
		if !ok {
			return value.Throw
		}
		if !present {
			continue
		}
		res := r.Call(fn, thisArg, x, value.Int(i), o.Value())
		if res.IsThrow() {
			return res
		}
		if int(out.N) == i && r.Push(out, res) {
			continue
		}
		if !create(r, out, value.IndexKey(i), res) {
			return value.Throw
		}
	}
	if plain && int(out.N) < n {
		r.Set(out, value.Name("length"), value.Int(n))
	}
	return out.Value()
}

func arrayFilter(r *realm, this val, args []val) val {
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	if _, ok := r.LengthOf(o); !ok {
		return value.Throw
	}
	if _, _, ok := callback(r, args); !ok {
		return value.Throw
	}
	out := arraySpecies(r, o, 0)
	if out == nil {
		return value.Throw
	}
	defer r.Unroot(r.Root(out.Value()))
	at := 0
	failed := false
	if !each(r, o.Value(), args, false, func(_ *object, _ int, x, res val) bool {
		if verdict(r, res) {
			if !(int(out.N) == at && r.Push(out, x)) && !create(r, out, value.IndexKey(at), x) {
				failed = true
				return false
			}
			at++
		}
		return true
	}) || failed {
		return value.Throw
	}
	return out.Value()
}

func arrayFind(wantItem, last bool) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		o, n, ok := target(r, this)
		if !ok {
			return value.Throw
		}
		fn, thisArg, ok := callback(r, args)
		if !ok {
			return value.Throw
		}
		for i := range n {
			if last {
				i = n - 1 - i
			}
			x, _, ok := element(r, o, i)
			if !ok {
				return value.Throw
			}
			res := r.Call(fn, thisArg, x, value.Int(i), o.Value())
			if res.IsThrow() {
				return res
			}
			if verdict(r, res) {
				if wantItem {
					return x
				}
				return value.Int(i)
			}
		}
		if wantItem {
			return value.Undefined
		}
		return value.Int(-1)
	}
}

func arrayReduce(right bool) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		o, n, ok := target(r, this)
		if !ok {
			return value.Throw
		}
		fn, _, ok := callback(r, args)
		if !ok {
			return value.Throw
		}
		acc, have := arg(args, 1), len(args) > 1
		mark := r.Root(acc)
		defer r.Unroot(mark)
		for i := range n {
			if right {
				i = n - 1 - i
			}
			x, present, ok := element(r, o, i)
			if !ok {
				return value.Throw
			}
			if !present {
				continue
			}
			if !have {
				acc, have = x, true
				continue
			}
			if acc = r.Call(fn, value.Undefined, acc, x, value.Int(i), o.Value()); acc.IsThrow() {
				return acc
			}
		}
		if !have {
			return r.ThrowTypeError("Reduce of empty array with no initial value")
		}
		return acc
	}
}

func arrayAt(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	f, ok := r.ToInteger(arg(args, 0))
	if !ok {
		return value.Throw
	}
	if f < 0 {
		f += float64(n)
	}
	if f < 0 || f >= float64(n) {
		return value.Undefined
	}
	return r.Get(o, value.IndexKey(int(f)))
}

func arrayIncludes(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if n == 0 {
		return value.False
	}
	from, ok := relative(r, arg(args, 1), n, 0)
	if !ok {
		return value.Throw
	}
	want := arg(args, 0)
	for i := from; i < n; i++ {
		var x val
		if i < len(o.Elems) && !o.Elems[i].IsHole() && o.Flags&value.FlagExotic == 0 {
			x = o.Elems[i]
		} else if x = r.Get(o, value.IndexKey(i)); x.IsThrow() {
			return x
		}
		if value.SameValueZero(x, want) {
			return value.True
		}
		if i&63 == 63 && !r.Step(8) {
			return value.Throw
		}
	}
	noteSought(r, o, want)
	return value.False
}

func arrayIndexOf(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if n == 0 {
		return value.Int(-1)
	}
	from, ok := relative(r, arg(args, 1), n, 0)
	if !ok {
		return value.Throw
	}
	want := arg(args, 0)
	for i := from; i < n; i++ {
		x, present, ok := element(r, o, i)
		if !ok {
			return value.Throw
		}
		if present && value.StrictEquals(x, want) {
			return value.Int(i)
		}
		if i&63 == 63 && !r.Step(8) {
			return value.Throw
		}
	}
	noteSought(r, o, want)
	return value.Int(-1)
}

// noteSought notes a promise that was sought among values that are none.
func noteSought(r *realm, o *object, want val) {
	if want.IsObject() && len(o.Elems) > 0 && !o.Elems[0].IsObject() {
		r.NotePromise(want, "a Promise was looked for in a list of other values", "")
	}
}

func arrayLastIndexOf(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if n == 0 {
		return value.Int(-1)
	}
	from := n - 1
	if len(args) > 1 {
		f, ok := r.ToInteger(args[1])
		if !ok {
			return value.Throw
		}
		if f < 0 {
			from = int(max(f+float64(n), -1))
		} else {
			from = int(min(f, float64(n-1)))
		}
	}
	for i := from; i >= 0; i-- {
		x, present, ok := element(r, o, i)
		if !ok {
			return value.Throw
		}
		if present && value.StrictEquals(x, arg(args, 0)) {
			return value.Int(i)
		}
		if i&63 == 63 && !r.Step(8) {
			return value.Throw
		}
	}
	return value.Int(-1)
}

func arrayJoin(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	sep := ","
	if s := arg(args, 0); !s.IsUndefined() {
		t := r.ToString(s)
		if t == nil {
			return value.Throw
		}
		sep = t.String()
	}
	return joinElements(r, o, n, sep, func(x val) *value.Str { return r.ToString(x) })
}

// joinElements joins n elements; undefined and null are empty, and so is an object that is being joined already.
func joinElements(r *realm, o *object, n int, sep string, text func(val) *value.Str) val {
	leave, ok := r.EnterCycle(o)
	if !ok {
		return str("")
	}
	defer leave()
	var b textBuilder
	defer b.release(r)
	between := value.NewStr(sep)
	b.expect(o, between)
	for i := range n {
		if i > 0 {
			b.addStr(between)
		}
		x := r.Get(o, value.IndexKey(i))
		if x.IsThrow() || !r.Step(1) {
			return value.Throw
		}
		if !x.IsNullish() {
			s := text(x)
			if s == nil || !r.Step(1+s.Len()>>8) {
				return value.Throw
			}
			b.addStr(s)
		}
		if !b.bounded(r) {
			return value.Throw
		}
	}
	return b.value(r)
}

func arrayToString(r *realm, this val, _ []val) val {
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	j := r.Get(o, value.Name("join"))
	if j.IsThrow() {
		return j
	}
	if !j.IsCallable() {
		return objectToString(r, o.Value(), nil)
	}
	return r.Call(j, o.Value())
}

func arrayToLocaleString(r *realm, this val, _ []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	return joinElements(r, o, n, ",", func(x val) *value.Str {
		v := r.InvokeMethod(x, value.Name("toLocaleString"))
		if v.IsThrow() {
			return nil
		}
		return r.ToString(v)
	})
}

func arraySlice(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	from, ok := relative(r, arg(args, 0), n, 0)
	if !ok {
		return value.Throw
	}
	to, ok := relative(r, arg(args, 1), n, n)
	if !ok {
		return value.Throw
	}
	count := max(0, to-from)
	out := arraySpecies(r, o, count)
	if out == nil {
		return value.Throw
	}
	if e, ok := o.Dense(); ok && to <= len(e) && out.Class == value.ClassArray && out.N == 0 && r.OrdinaryArray(out) {
		if count > 0 {
			if !r.Take(16 * count) {
				return value.Throw
			}
			out.Elems = append(make([]val, 0, count), e[from:to]...)
			out.N = uint32(count)
		}
		return out.Value()
	}
	at := 0
	for i := from; i < to; i++ {
		x, present, ok := element(r, o, i)
		if !ok || present && !create(r, out, value.IndexKey(at), x) {
			return value.Throw
		}
		at++
	}
	if !put(r, out, value.Name("length"), value.Int(at)) {
		return value.Throw
	}
	return out.Value()
}

// spreadable is IsConcatSpreadable (23.1.3.2.1).
func spreadable(r *realm, v val) (yes, ok bool) {
	o := v.Object()
	if o == nil {
		return false, true
	}
	s := r.Get(o, value.SymbolKey(value.SymIsConcatSpreadable))
	if s.IsThrow() {
		return false, false
	}
	if !s.IsUndefined() {
		return value.ToBoolean(s), true
	}
	return o.Class == value.ClassArray, true
}

// noteConcat notes a promise that is added to a list of what are no promises.
func noteConcat(r *realm, o *object, item val) {
	if value.NativePromise(item) != nil && len(o.Elems) > 0 && value.NativePromise(o.Elems[0]) == nil {
		r.NotePromise(item, "a Promise was added to a list by concat", "")
	}
}

func arrayConcat(r *realm, this val, args []val) val {
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	out := arraySpecies(r, o, 0)
	if out == nil {
		return value.Throw
	}
	defer r.Unroot(r.Root(out.Value()))
	at := 0
	items := append([]val{o.Value()}, args...)
	for _, item := range items {
		spread, ok := spreadable(r, item)
		if !ok {
			return value.Throw
		}
		if !spread {
			noteConcat(r, o, item)
			if !(int(out.N) == at && r.Push(out, item)) && !create(r, out, value.IndexKey(at), item) {
				return value.Throw
			}
			at++
			continue
		}
		if at, ok = appendAll(r, out, item.Object(), at); !ok {
			return value.Throw
		}
	}
	if out.Class == value.ClassArray && int(out.N) == at {
		return out.Value()
	}
	if !put(r, out, value.Name("length"), value.Int(at)) {
		return value.Throw
	}
	return out.Value()
}

func appendAll(r *realm, out, from *object, at int) (int, bool) {
	n, ok := r.LengthOf(from)
	if !ok {
		return 0, false
	}
	if at+n > 1<<53-1 {
		r.ThrowTypeError("Invalid array length")
		return 0, false
	}
	for i := range n {
		x, present, ok := element(r, from, i)
		if !ok {
			return 0, false
		}
		if present && !(int(out.N) == at && r.Push(out, x)) && !create(r, out, value.IndexKey(at), x) {
			return 0, false
		}
		at++
		if i&31 == 31 && !r.Step(4) {
			return 0, false
		}
	}
	return at, true
}

func arrayFlat(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	depth := 1.0
	if d := arg(args, 0); !d.IsUndefined() {
		if depth, ok = r.ToInteger(d); !ok {
			return value.Throw
		}
	}
	out := arraySpecies(r, o, 0)
	if out == nil {
		return value.Throw
	}
	at := 0
	if !flatten(r, out, &at, o, n, depth, 0, nil) {
		return value.Throw
	}
	return out.Value()
}

// maxFlatten bounds the recursion of flat(Infinity).
const maxFlatten = 5000

func flatten(r *realm, out *object, at *int, o *object, n int, depth float64, level int, mapped func(x val, i int) val) bool {
	if level > maxFlatten {
		r.ThrowError(value.RangeError, "Maximum call stack size exceeded")
		return false
	}
	for i := range n {
		x, present, ok := element(r, o, i)
		if !ok || !r.Step(1) {
			return false
		}
		if !present {
			continue
		}
		if mapped != nil {
			if x = mapped(x, i); x.IsThrow() {
				return false
			}
		}
		if xo := x.Object(); depth > 0 && xo != nil && xo.Class == value.ClassArray {
			m, ok := r.LengthOf(xo)
			if !ok || !flatten(r, out, at, xo, m, depth-1, level+1, nil) {
				return false
			}
			continue
		}
		if !(int(out.N) == *at && r.Push(out, x)) && !create(r, out, value.IndexKey(*at), x) {
			return false
		}
		*at++
	}
	return true
}

func arrayFlatMap(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	fn, thisArg, ok := callback(r, args)
	if !ok {
		return value.Throw
	}
	out := arraySpecies(r, o, 0)
	if out == nil {
		return value.Throw
	}
	defer r.Unroot(r.Root(out.Value()))
	at := 0
	mapped := func(x val, i int) val { return r.Call(fn, thisArg, x, value.Int(i), o.Value()) }
	if !flatten(r, out, &at, o, n, 1, 0, mapped) {
		return value.Throw
	}
	return out.Value()
}

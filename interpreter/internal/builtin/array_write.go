package builtin

// This file defines the array methods that change the array, their copying counterparts, and sorting.

import (
	"slices"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

var keyLength = value.Name("length")

// setLength stores a length; false if it threw.
func setLength(r *realm, o *object, n int) bool { return put(r, o, keyLength, value.Int(n)) }

func arrayPush(r *realm, this val, args []val) val {
	if o := this.Object(); o != nil && o.Class == value.ClassArray && len(args) > 0 && r.ArrayProtoPlain(o) {
		for i, x := range args {
			if !r.Push(o, x) {
				return pushGeneral(r, this, args[i:])
			}
		}
		return value.Num(float64(o.N))
	}
	return pushGeneral(r, this, args)
}

func pushGeneral(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if n+len(args) > 1<<53-1 {
		return r.ThrowTypeError("Pushing %d elements on an array-like of length %d is disallowed, as the total surpasses 2**53-1", len(args), n)
	}
	for i, x := range args {
		if !put(r, o, value.IndexKey(n+i), x) {
			return value.Throw
		}
	}
	if !setLength(r, o, n+len(args)) {
		return value.Throw
	}
	return value.Int(n + len(args))
}

// loose tells arrays whose dense elements may be changed directly: ordinary, extensible, nothing frozen or sparse.
func loose(r *realm, o *object) bool {
	if o.Flags&(value.FlagNonExtensible|value.FlagReadOnlyLength|value.FlagSealedElems|value.FlagFrozenElems|value.FlagIsProto) != 0 {
		return false
	}
	_, dense := o.Dense()
	return dense && r.ArrayProtoPlain(o)
}

func arrayPop(r *realm, this val, _ []val) val {
	if o := this.Object(); o != nil && loose(r, o) && o.N > 0 {
		n := len(o.Elems) - 1
		x := o.Elems[n]
		o.Elems[n] = val{}
		o.Elems, o.N = o.Elems[:n], uint32(n)
		return x
	}
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if n == 0 {
		if !setLength(r, o, 0) {
			return value.Throw
		}
		return value.Undefined
	}
	k := value.IndexKey(n - 1)
	x := r.Get(o, k)
	if x.IsThrow() || !remove(r, o, k) || !setLength(r, o, n-1) {
		return value.Throw
	}
	return x
}

func remove(r *realm, o *object, k value.Key) bool {
	return done(r, r.Delete(o, k), "Cannot delete property '%s' of %s", k, r.Describe(o.Value()))
}

func arrayShift(r *realm, this val, _ []val) val {
	if o := this.Object(); o != nil && loose(r, o) && o.N > 0 {
		x := o.Elems[0]
		o.Elems[0] = val{}
		o.Elems, o.N = o.Elems[1:], o.N-1
		return x
	}
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if n == 0 {
		if !setLength(r, o, 0) {
			return value.Throw
		}
		return value.Undefined
	}
	first := r.Get(o, value.IndexKey(0))
	if first.IsThrow() || !move(r, o, 1, 0, n-1) || !remove(r, o, value.IndexKey(n-1)) || !setLength(r, o, n-1) {
		return value.Throw
	}
	return first
}

// move copies count elements from one index to another, deleting where the source is missing, in the safe direction.
func move(r *realm, o *object, from, to, count int) bool {
	for j := range count {
		i := j
		if to > from {
			i = count - 1 - j
		}
		x, present, ok := element(r, o, from+i)
		if !ok || !r.Step(1) {
			return false
		}
		k := value.IndexKey(to + i)
		if present {
			if !put(r, o, k, x) {
				return false
			}
		} else if !remove(r, o, k) {
			return false
		}
	}
	return true
}

func arrayUnshift(r *realm, this val, args []val) val {
	if o := this.Object(); o != nil && loose(r, o) && len(o.Elems)+len(args) < value.MaxIndex {
		if !r.Take(16 * (len(o.Elems) + len(args))) {
			return value.Throw
		}
		o.Elems = slices.Insert(o.Elems, 0, args...)
		o.N = uint32(len(o.Elems))
		if !r.Step(1 + len(o.Elems)/64) {
			return value.Throw
		}
		return value.Num(float64(o.N))
	}
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if len(args) > 0 {
		if n+len(args) > 1<<53-1 {
			return r.ThrowTypeError("Invalid array length")
		}
		if !move(r, o, 0, len(args), n) {
			return value.Throw
		}
		for i, x := range args {
			if !put(r, o, value.IndexKey(i), x) {
				return value.Throw
			}
		}
	}
	if !setLength(r, o, n+len(args)) {
		return value.Throw
	}
	return value.Int(n + len(args))
}

// spliceRange converts the start and deleteCount arguments.
func spliceRange(r *realm, args []val, n int) (start, count int, ok bool) {
	if start, ok = relative(r, arg(args, 0), n, 0); !ok {
		return 0, 0, false
	}
	switch len(args) {
	case 0:
		return start, 0, true
	case 1:
		return start, n - start, true
	}
	f, ok := r.ToInteger(args[1])
	if !ok {
		return 0, 0, false
	}
	return start, int(min(max(f, 0), float64(n-start))), true
}

func arraySplice(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	start, count, ok := spliceRange(r, args, n)
	if !ok {
		return value.Throw
	}
	items := args[min(2, len(args)):]
	if n+len(items)-count > 1<<53-1 {
		return r.ThrowTypeError("Invalid array length")
	}
	if loose(r, o) && r.OrdinaryArray(o) && n == len(o.Elems) {
		if !r.Take(16 * (count + len(items))) {
			return value.Throw
		}
		removed := r.NewArray(append([]val(nil), o.Elems[start:start+count]...))
		o.Elems = slices.Replace(o.Elems, start, start+count, items...)
		o.N = uint32(len(o.Elems))
		if !r.Step(1 + len(o.Elems)/64) {
			return value.Throw
		}
		return removed.Value()
	}
	out := arraySpecies(r, o, count)
	if out == nil {
		return value.Throw
	}
	for i := range count {
		x, present, ok := element(r, o, start+i)
		if !ok || present && !create(r, out, value.IndexKey(i), x) {
			return value.Throw
		}
	}
	if !setLength(r, out, count) || !spliceTail(r, o, n, start, count, items) {
		return value.Throw
	}
	return out.Value()
}

func spliceTail(r *realm, o *object, n, start, count int, items []val) bool {
	if len(items) != count {
		if !move(r, o, start+count, start+len(items), n-start-count) {
			return false
		}
		for i := n; i > n-count+len(items); i-- {
			if !remove(r, o, value.IndexKey(i-1)) || !r.Step(1) {
				return false
			}
		}
	}
	for i, x := range items {
		if !put(r, o, value.IndexKey(start+i), x) {
			return false
		}
	}
	return setLength(r, o, n-count+len(items))
}

func arrayReverse(r *realm, this val, _ []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if loose(r, o) {
		slices.Reverse(o.Elems)
		return o.Value()
	}
	for lo := range n / 2 {
		hi := n - 1 - lo
		a, hasA, ok := element(r, o, lo)
		if !ok {
			return value.Throw
		}
		b, hasB, ok := element(r, o, hi)
		if !ok || !assignOrRemove(r, o, lo, b, hasB, hasA) || !assignOrRemove(r, o, hi, a, hasA, hasB) {
			return value.Throw
		}
	}
	return o.Value()
}

func assignOrRemove(r *realm, o *object, i int, x val, has, had bool) bool {
	if has {
		return put(r, o, value.IndexKey(i), x)
	}
	return !had || remove(r, o, value.IndexKey(i))
}

func arrayFill(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	from, ok := relative(r, arg(args, 1), n, 0)
	if !ok {
		return value.Throw
	}
	to, ok := relative(r, arg(args, 2), n, n)
	if !ok {
		return value.Throw
	}
	v := arg(args, 0)
	for i := from; i < to; i++ {
		if i < len(o.Elems) && loose(r, o) {
			for ; i < to && i < len(o.Elems); i++ {
				o.Elems[i] = v
			}
			i--
		} else if !r.StoreNext(o, i, v) && !put(r, o, value.IndexKey(i), v) {
			return value.Throw
		}
		if !r.Step(1) {
			return value.Throw
		}
	}
	return o.Value()
}

func arrayCopyWithin(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	to, ok := relative(r, arg(args, 0), n, 0)
	if !ok {
		return value.Throw
	}
	from, ok := relative(r, arg(args, 1), n, 0)
	if !ok {
		return value.Throw
	}
	end, ok := relative(r, arg(args, 2), n, n)
	if !ok {
		return value.Throw
	}
	if count := min(end-from, n-to); count > 0 && !move(r, o, from, to, count) {
		return value.Throw
	}
	return o.Value()
}

// comparator checks the compare argument of sort; nil means the default order.
func comparator(r *realm, v val) (*val, bool) {
	if v.IsUndefined() {
		return nil, true
	}
	if !v.IsCallable() {
		r.ThrowTypeError("The comparison function must be either a function or undefined, got %s", r.Describe(v))
		return nil, false
	}
	return &v, true
}

func arraySort(r *realm, this val, args []val) val {
	cmp, ok := comparator(r, arg(args, 0))
	if !ok {
		return value.Throw
	}
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	var items []val
	for i := range n {
		x, present, ok := element(r, o, i)
		if !ok {
			return value.Throw
		}
		if present {
			items = append(items, x)
		}
	}
	if !r.Take(32 * len(items)) {
		return value.Throw
	}
	if !sortValues(r, items, cmp) {
		return value.Throw
	}
	for i, x := range items {
		if i < len(o.Elems) && o.Flags&(value.FlagExotic|value.FlagFrozenElems) == 0 && !o.Elems[i].IsHole() {
			o.Elems[i] = x
		} else if !put(r, o, value.IndexKey(i), x) {
			return value.Throw
		}
	}
	for i := len(items); i < n; i++ {
		has, ok := r.HasProperty(o, value.IndexKey(i))
		if !ok || has && !remove(r, o, value.IndexKey(i)) || !r.Step(1) {
			return value.Throw
		}
	}
	return o.Value()
}

// sortValues sorts stably: undefined last, otherwise by the comparator or as strings. It is a merge sort of our own
// because a comparator may throw, and because its steps must be interruptible.
func sortValues(r *realm, items []val, cmp *val) bool {
	defined := items[:0:len(items)]
	undefined := 0
	for _, x := range items {
		if x.IsUndefined() {
			undefined++
		} else {
			defined = append(defined, x)
		}
	}
	for i := len(defined); i < len(items); i++ {
		items[i] = value.Undefined
	}
	s := &sorter{r: r, cmp: cmp, items: defined, tmp: make([]val, len(defined))}
	if cmp == nil && !s.texts() {
		return false
	}
	mark := r.Root(r.NewArray(append([]val(nil), items...)).Value())
	defer r.Unroot(mark)
	return s.sort(0, len(defined))
}

type sorter struct {
	r     *realm
	cmp   *val
	items []val
	tmp   []val
	keys  []*value.Str // parallel to items in the default order
	tmpK  []*value.Str
}

func (s *sorter) texts() bool {
	s.keys, s.tmpK = make([]*value.Str, len(s.items)), make([]*value.Str, len(s.items))
	for i, x := range s.items {
		if s.keys[i] = s.r.ToString(x); s.keys[i] == nil || !s.r.Step(1) {
			return false
		}
	}
	return true
}

// after tells whether item i of a must come after item j; ok is false if the comparator threw.
func (s *sorter) after(a, b val, ka, kb *value.Str) (after, ok bool) {
	if s.cmp == nil {
		if s.r.Fuel--; s.r.Fuel <= 0 && !s.r.Refuel() {
			return false, false
		}
		return ka.Compare(kb) > 0, true
	}
	v := s.r.Call(*s.cmp, value.Undefined, a, b)
	if v.IsNumber() {
		return v.Float() > 0, true
	}
	if v.IsThrow() {
		return false, false
	}
	if value.NativePromise(v) != nil {
		s.r.ThrowTypeError("the sort comparator returned a Promise: compute the keys first (await Promise.all(items.map(…))), then sort by them")
		return false, false
	}
	f, ok := s.r.ToNumber(v)
	return f > 0, ok
}

func (s *sorter) key(i int) *value.Str {
	if s.keys == nil {
		return nil
	}
	return s.keys[i]
}

func (s *sorter) sort(lo, hi int) bool {
	if hi-lo <= 8 {
		return s.insertion(lo, hi)
	}
	mid := (lo + hi) / 2
	if !s.sort(lo, mid) || !s.sort(mid, hi) {
		return false
	}
	after, ok := s.after(s.items[mid-1], s.items[mid], s.key(mid-1), s.key(mid))
	if !ok || !after {
		return ok
	}
	return s.merge(lo, mid, hi)
}

func (s *sorter) insertion(lo, hi int) bool {
	for i := lo + 1; i < hi; i++ {
		x, k := s.items[i], s.key(i)
		j := i
		for j > lo {
			after, ok := s.after(s.items[j-1], x, s.key(j-1), k)
			if !ok {
				return false
			}
			if !after {
				break
			}
			s.items[j] = s.items[j-1]
			if s.keys != nil {
				s.keys[j] = s.keys[j-1]
			}
			j--
		}
		s.items[j] = x
		if s.keys != nil {
			s.keys[j] = k
		}
	}
	return true
}

func (s *sorter) merge(lo, mid, hi int) bool {
	copy(s.tmp[lo:mid], s.items[lo:mid])
	if s.keys != nil {
		copy(s.tmpK[lo:mid], s.keys[lo:mid])
	}
	i, j, at := lo, mid, lo
	for i < mid && j < hi {
		var ki *value.Str
		if s.keys != nil {
			ki = s.tmpK[i]
		}
		after, ok := s.after(s.tmp[i], s.items[j], ki, s.key(j))
		if !ok {
			return false
		}
		if after {
			s.move(at, s.items[j], s.key(j))
			j++
		} else {
			s.move(at, s.tmp[i], ki)
			i++
		}
		at++
	}
	for ; i < mid; i, at = i+1, at+1 {
		var ki *value.Str
		if s.keys != nil {
			ki = s.tmpK[i]
		}
		s.move(at, s.tmp[i], ki)
	}
	return true
}

func (s *sorter) move(at int, x val, k *value.Str) {
	s.items[at] = x
	if s.keys != nil {
		s.keys[at] = k
	}
}

// copyOf lists n elements with holes as undefined, for the copying methods.
func copyOf(r *realm, o *object, n int) ([]val, bool) {
	if n > value.MaxIndex {
		r.ThrowError(value.RangeError, "Invalid array length")
		return nil, false
	}
	if e, ok := o.Dense(); ok && len(e) == n {
		if !r.Take(16 * n) {
			return nil, false
		}
		return append(make([]val, 0, n), e...), true
	}
	out := make([]val, 0, min(n, 1<<16))
	for i := range n {
		x := r.Get(o, value.IndexKey(i))
		if x.IsThrow() || !r.Step(1) {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}

func arrayToReversed(r *realm, this val, _ []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	if n > value.MaxIndex {
		return r.ThrowError(value.RangeError, "Invalid array length")
	}
	out := make([]val, 0, min(n, 1<<16))
	for i := n - 1; i >= 0; i-- {
		x := r.Get(o, value.IndexKey(i))
		if x.IsThrow() || !r.Step(1) {
			return value.Throw
		}
		out = append(out, x)
	}
	return r.NewArray(out).Value()
}

func arrayToSorted(r *realm, this val, args []val) val {
	cmp, ok := comparator(r, arg(args, 0))
	if !ok {
		return value.Throw
	}
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	out, ok := copyOf(r, o, n)
	if !ok || !sortValues(r, out, cmp) {
		return value.Throw
	}
	return r.NewArray(out).Value()
}

func arrayToSpliced(r *realm, this val, args []val) val {
	o, n, ok := target(r, this)
	if !ok {
		return value.Throw
	}
	start, count, ok := spliceRange(r, args, n)
	if !ok {
		return value.Throw
	}
	items := args[min(2, len(args)):]
	if n+len(items)-count > 1<<53-1 {
		return r.ThrowTypeError("Invalid array length")
	}
	if n+len(items)-count > value.MaxIndex {
		return r.ThrowError(value.RangeError, "Invalid array length")
	}
	var out []val
	for i := range n - count + len(items) {
		var x val
		switch {
		case i < start:
			x = r.Get(o, value.IndexKey(i))
		case i < start+len(items):
			x = items[i-start]
		default:
			x = r.Get(o, value.IndexKey(i-len(items)+count))
		}
		if x.IsThrow() || !r.Step(1) {
			return value.Throw
		}
		out = append(out, x)
	}
	return r.NewArray(out).Value()
}

func arrayWith(r *realm, this val, args []val) val {
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
		return r.ThrowError(value.RangeError, "Invalid index : %v", f)
	}
	x := arg(args, 1)
	out, ok := copyOf(r, o, n)
	if !ok {
		return value.Throw
	}
	out[int(f)] = x
	return r.NewArray(out).Value()
}

package builtin

// This file defines matching (ECMA-262 22.2.7) and the methods that give its results.

import (
	"github.com/codemode-go/codemode/internal/ecmaregexp"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// matchAt finds a match from index on: its offsets, valid until the next match; nil without one. ok is false if it threw.
func (st *regExpState) matchAt(r *realm, x *regExp, s *value.Str, index int) (at []int, ok bool) {
	in := st.input(r, s)
	if in == nil {
		return nil, false
	}
	at, err := x.re.MatchAt(in, index, st.dst)
	if err == ecmaregexp.ErrTimeout { // what takes long starts again where it can be interrupted at any moment
		at, err = x.re.MatchPatiently(in, index, st.dst, r.Refuel)
	}
	if err != nil {
		if !r.Terminated {
			matchError(r, x, s)
		}
		return nil, false
	}
	end := s.Len()
	if at != nil {
		st.dst = at[:0]
		end = at[1]
	}
	return at, r.Step(1 + max(0, end-index)>>8)
}

// setLastIndex is Set(R, "lastIndex", n, true); false if it threw.
func setLastIndex(r *realm, o *object, st *regExpState, n int) bool {
	if o.Shape == st.shape {
		o.Slots[0] = value.Int(n)
		return true
	}
	return put(r, o, keyLastIndex, value.Int(n))
}

// builtinExec is RegExpBuiltinExec (22.2.7.2) up to the result: the offsets, or nil without a match.
func builtinExec(r *realm, o *object, x *regExp, s *value.Str) (at []int, ok bool) {
	st := regExpStateOf(r)
	last := 0
	if v := o.Slots[0]; v.IsNumber() && v.Float() >= 0 && v.Float() < 1<<31 {
		last = int(v.Float())
	} else if last, ok = r.ToLength(v); !ok {
		return nil, false
	}
	if e := o.Ext.(*regExp); e != x { // recompiled by the conversion
		x = e
	}
	f := x.re.Flags()
	moves := f.Global || f.Sticky
	if !moves {
		last = 0
	}
	if last <= s.Len() {
		if at, ok = st.matchAt(r, x, s, last); !ok {
			return nil, false
		}
	}
	switch {
	case at == nil && moves:
		return nil, setLastIndex(r, o, st, 0)
	case at != nil && moves:
		return at, setLastIndex(r, o, st, at[1])
	}
	return at, true
}

// matchResult makes the array of a match.
func matchResult(r *realm, x *regExp, s *value.Str, at []int) val {
	n := len(at) / 2
	elems := make([]val, n)
	for i := range elems {
		elems[i] = capture(r, s, at, i)
	}
	a := r.NewArray(elems)
	r.InitProperty(a, value.Name("index"), value.Int(at[0]))
	r.InitProperty(a, value.Name("input"), s.Value())
	r.InitProperty(a, value.Name("groups"), namedGroups(r, x, func(i int) val { return elems[i] }))
	if x.re.Flags().HasIndices {
		pairs := make([]val, n)
		for i := range pairs {
			pairs[i] = value.Undefined
			if at[2*i] >= 0 {
				pairs[i] = r.NewArrayOf(value.Int(at[2*i]), value.Int(at[2*i+1])).Value()
			}
		}
		ind := r.NewArray(pairs)
		r.InitProperty(ind, value.Name("groups"), namedGroups(r, x, func(i int) val { return pairs[i] }))
		r.InitProperty(a, value.Name("indices"), ind.Value())
	}
	return a.Value()
}

// capture is group i of a match, undefined if it took no part.
func capture(r *realm, s *value.Str, at []int, i int) val {
	if at[2*i] < 0 {
		return value.Undefined
	}
	return part(r, s, at[2*i], at[2*i+1])
}

// namedGroups makes the groups object, or undefined if the pattern names none.
func namedGroups(r *realm, x *regExp, group func(i int) val) val {
	names := x.re.Names()
	if len(names) == 0 {
		return value.Undefined
	}
	o := r.NewObject(nil)
	for _, n := range names {
		k, v := value.StringKey(n.Name), group(n.Group)
		if old, ok := r.GetOwnValue(o, k); ok {
			if old.IsUndefined() && !v.IsUndefined() {
				r.Put(o, k, v)
			}
			continue
		}
		r.InitProperty(o, k, v)
	}
	return o.Value()
}

// regExpExec is RegExpExec (22.2.7.1): an array-like result, null or Throw.
func regExpExec(r *realm, o *object, s *value.Str) val {
	exec := r.Get(o, value.Name("exec"))
	if exec.IsThrow() {
		return exec
	}
	x, is := o.Ext.(*regExp)
	if is && exec == regExpStateOf(r).builtins[0].value {
		return execResult(r, o, x, s)
	}
	if exec.IsCallable() {
		v := r.Call(exec, o.Value(), s.Value())
		if !v.IsThrow() && !v.IsNull() && !v.IsObject() {
			return r.ThrowTypeError("the exec method of a regular expression must return an object or null, got %s", r.Describe(v))
		}
		return v
	}
	if !is {
		return incompatible(r, "RegExp.prototype.exec", o.Value())
	}
	return execResult(r, o, x, s)
}

func execResult(r *realm, o *object, x *regExp, s *value.Str) val {
	at, ok := builtinExec(r, o, x, s)
	switch {
	case !ok:
		return value.Throw
	case at == nil:
		return value.Null
	}
	return matchResult(r, o.Ext.(*regExp), s, at)
}

func regExpExecMethod(r *realm, this val, args []val) val {
	x, ok := extOf[*regExp](this)
	if !ok {
		return incompatible(r, "RegExp.prototype.exec", this)
	}
	s := r.ToString(arg(args, 0))
	if s == nil {
		return value.Throw
	}
	return execResult(r, this.Object(), x, s)
}

// receiver is this as an object and the first argument as a string; false if it threw.
func receiver(r *realm, this val, args []val, method string) (*object, *value.Str, bool) {
	o := this.Object()
	if o == nil {
		incompatible(r, "RegExp.prototype."+method, this)
		return nil, nil, false
	}
	s := r.ToString(arg(args, 0))
	return o, s, s != nil
}

func regExpTest(r *realm, this val, args []val) val {
	o, s, ok := receiver(r, this, args, "test")
	if !ok {
		return value.Throw
	}
	if x, _ := plainRegExp(r, o); x != nil {
		at, ok := builtinExec(r, o, x, s)
		return completed(value.Bool(at != nil), ok)
	}
	v := regExpExec(r, o, s)
	if v.IsThrow() {
		return v
	}
	return value.Bool(!v.IsNull())
}

// advance is AdvanceStringIndex (22.2.7.3).
func advance(s *value.Str, i int, unicode bool) int {
	if !unicode || i+1 >= s.Len() {
		return i + 1
	}
	_, n := s.CodePointAt(i)
	return i + n
}

// flagsOf reads and converts the flags property.
func flagsOf(r *realm, o *object) (*value.Str, bool) {
	v := r.Get(o, value.Name("flags"))
	if v.IsThrow() {
		return nil, false
	}
	f := r.ToString(v)
	return f, f != nil
}

func hasFlag(f *value.Str, c string) bool { return f.Index(value.ASCII(c), 0) >= 0 }

// stepPastEmpty moves lastIndex on after an empty match of a global expression; false if it threw.
func stepPastEmpty(r *realm, o *object, s *value.Str, unicode bool) bool {
	v := r.Get(o, keyLastIndex)
	if v.IsThrow() {
		return false
	}
	i, ok := r.ToLength(v)
	return ok && put(r, o, keyLastIndex, value.Int(advance(s, i, unicode)))
}

// eachMatch walks all matches of an ordinary global expression, resetting lastIndex; visit sees the offsets.
func eachMatch(r *realm, o *object, x *regExp, st *regExpState, s *value.Str, visit func(at []int)) bool {
	f := x.re.Flags()
	setLastIndex(r, o, st, 0)
	defer r.Built(r.Building())
	for i := 0; i <= s.Len(); {
		at, ok := st.matchAt(r, x, s, i)
		if !ok {
			return false
		}
		if at == nil {
			break
		}
		if i = at[1]; at[0] == at[1] {
			i = advance(s, i, f.Unicode || f.UnicodeSets)
		}
		visit(at)
	}
	return true
}

// regExpMatch (22.2.6.8).
func regExpMatch(r *realm, this val, args []val) val {
	o, s, ok := receiver(r, this, args, "[Symbol.match]")
	if !ok {
		return value.Throw
	}
	if x, st := plainRegExp(r, o); x != nil {
		if !x.re.Flags().Global {
			return execResult(r, o, x, s)
		}
		var out []val
		if !eachMatch(r, o, x, st, s, func(at []int) { out = append(out, part(r, s, at[0], at[1])); r.Charge(24) }) {
			return value.Throw
		}
		if out == nil {
			return value.Null
		}
		return r.NewArray(out).Value()
	}
	f, ok := flagsOf(r, o)
	if !ok {
		return value.Throw
	}
	if !hasFlag(f, "g") {
		return regExpExec(r, o, s)
	}
	return matchGeneral(r, o, s, hasFlag(f, "u") || hasFlag(f, "v"))
}

func matchGeneral(r *realm, o *object, s *value.Str, unicode bool) val {
	if !put(r, o, keyLastIndex, value.Zero) {
		return value.Throw
	}
	list := r.NewArray(nil)
	defer r.Unroot(r.Root(list.Value()))
	for {
		v := regExpExec(r, o, s)
		if v.IsThrow() || !r.Step(1) {
			return value.Throw
		}
		if v.IsNull() {
			if list.N == 0 {
				return value.Null
			}
			return list.Value()
		}
		m := r.Get(v.Object(), value.IndexKey(0))
		if m.IsThrow() {
			return m
		}
		t := r.ToString(m)
		if t == nil {
			return value.Throw
		}
		r.Push(list, t.Value())
		if t.Len() == 0 && !stepPastEmpty(r, o, s, unicode) {
			return value.Throw
		}
	}
}

// speciesOf is SpeciesConstructor(o, %RegExp%) (7.3.22); nil if it threw.
func speciesOf(r *realm, o *object, def value.ID) *object {
	c := r.Get(o, value.Name("constructor"))
	if c.IsThrow() {
		return nil
	}
	if c.IsUndefined() {
		return r.Intrinsic(def)
	}
	if !c.IsObject() {
		r.ThrowTypeError("The .constructor property is not an object")
		return nil
	}
	sp := r.Get(c.Object(), value.SymbolKey(value.SymSpecies))
	switch {
	case sp.IsThrow():
		return nil
	case sp.IsNullish():
		return r.Intrinsic(def)
	case sp.IsObject() && sp.Object().IsConstructor():
		return sp.Object()
	}
	r.ThrowTypeError("object.constructor[Symbol.species] is not a constructor")
	return nil
}

// regExpIterating is the Ext of the iterators of matchAll.
type regExpIterating struct {
	o               *object
	s               *value.Str
	global, unicode bool
	done            bool
}

// regExpMatchAll (22.2.6.9).
func regExpMatchAll(r *realm, this val, args []val) val {
	o, s, ok := receiver(r, this, args, "[Symbol.matchAll]")
	if !ok {
		return value.Throw
	}
	c := speciesOf(r, o, value.RegExpConstructor)
	if c == nil {
		return value.Throw
	}
	f, ok := flagsOf(r, o)
	if !ok {
		return value.Throw
	}
	m := r.Construct(c, o.Value(), f.Value())
	if m.IsThrow() {
		return m
	}
	v := r.Get(o, keyLastIndex)
	if v.IsThrow() {
		return v
	}
	last, ok := r.ToLength(v)
	if !ok || !put(r, m.Object(), keyLastIndex, value.Int(last)) {
		return value.Throw
	}
	it := &regExpIterating{o: m.Object(), s: s, global: hasFlag(f, "g"), unicode: hasFlag(f, "u") || hasFlag(f, "v")}
	return r.NewClass(value.ClassIterator, r.Intrinsic(value.RegExpStringIteratorPrototype), it).Value()
}

// Steps implements value.Stepper.
func (it *regExpIterating) Steps() value.ID { return value.RegExpStringIteratorPrototype }

// Step implements value.Stepper (22.2.9.2.1).
func (it *regExpIterating) Step(r *realm) (v val, done, ok bool) {
	if it.done {
		return value.Undefined, true, true
	}
	v = regExpExec(r, it.o, it.s)
	if v.IsThrow() {
		it.done = true
		return v, false, false
	}
	if v.IsNull() {
		it.done = true
		return value.Undefined, true, true
	}
	if !it.global {
		it.done = true
		return v, false, true
	}
	m := r.Get(v.Object(), value.IndexKey(0))
	if m.IsThrow() {
		return m, false, false
	}
	t := r.ToString(m)
	if t == nil || t.Len() == 0 && !stepPastEmpty(r, it.o, it.s, it.unicode) {
		return value.Throw, false, false
	}
	return v, false, true
}

// regExpSearch (22.2.6.12).
func regExpSearch(r *realm, this val, args []val) val {
	o, s, ok := receiver(r, this, args, "[Symbol.search]")
	if !ok {
		return value.Throw
	}
	previous := r.Get(o, keyLastIndex)
	if previous.IsThrow() || !value.SameValue(previous, value.Zero) && !put(r, o, keyLastIndex, value.Zero) {
		return value.Throw
	}
	v := regExpExec(r, o, s)
	if v.IsThrow() {
		return v
	}
	current := r.Get(o, keyLastIndex)
	if current.IsThrow() || !value.SameValue(current, previous) && !put(r, o, keyLastIndex, previous) {
		return value.Throw
	}
	if v.IsNull() {
		return value.Int(-1)
	}
	return r.Get(v.Object(), value.Name("index"))
}

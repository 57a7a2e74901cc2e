package builtin

// This file defines RegExp.prototype[Symbol.split] (ECMA-262 22.2.6.14).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func regExpSplit(r *realm, this val, args []val) val {
	o, s, ok := receiver(r, this, args, "[Symbol.split]")
	if !ok {
		return value.Throw
	}
	x, st := plainRegExp(r, o)
	if x != nil && !x.re.Flags().Sticky && st.species.unchanged(r, r.Intrinsic(value.RegExpConstructor)) {
		lim, ok := splitLimit(r, arg(args, 1))
		if !ok {
			return value.Throw
		}
		return splitPlain(r, x, st, s, lim)
	}
	c := speciesOf(r, o, value.RegExpConstructor)
	if c == nil {
		return value.Throw
	}
	f, ok := flagsOf(r, o)
	if !ok {
		return value.Throw
	}
	newFlags := f
	if !hasFlag(f, "y") {
		newFlags = value.Concat(f, value.ASCII("y"))
	}
	splitter := r.Construct(c, o.Value(), newFlags.Value())
	if splitter.IsThrow() {
		return splitter
	}
	lim, ok := splitLimit(r, arg(args, 1))
	if !ok {
		return value.Throw
	}
	return splitGeneral(r, splitter.Object(), s, lim, hasFlag(f, "u") || hasFlag(f, "v"))
}

func splitLimit(r *realm, v val) (uint32, bool) {
	if v.IsUndefined() {
		return 1<<32 - 1, true
	}
	return r.ToUint32(v)
}

// splitPlain splits by an ordinary expression: searching gives the same places as trying each.
func splitPlain(r *realm, x *regExp, st *regExpState, s *value.Str, lim uint32) val {
	list := r.NewArray(nil)
	if lim == 0 {
		return list.Value()
	}
	defer r.Built(r.Building())
	f := x.re.Flags()
	if s.Len() == 0 {
		at, ok := st.matchAt(r, x, s, 0)
		if ok && at == nil {
			r.Push(list, s.Value())
		}
		return completed(list.Value(), ok)
	}
	p := 0
	for q := 0; q < s.Len(); {
		at, ok := st.matchAt(r, x, s, q)
		if !ok {
			return value.Throw
		}
		if at == nil || at[0] >= s.Len() {
			break
		}
		if at[1] == p || at[0] == at[1] && at[0] == p {
			q = advance(s, at[0], f.Unicode || f.UnicodeSets)
			continue
		}
		r.Push(list, part(r, s, p, at[0]))
		if list.N == lim {
			return list.Value()
		}
		p = at[1]
		for i := 1; i < len(at)/2; i++ {
			r.Push(list, capture(r, s, at, i))
			if list.N == lim {
				return list.Value()
			}
		}
		q = p
	}
	r.Push(list, part(r, s, p, s.Len()))
	return list.Value()
}

func splitGeneral(r *realm, splitter *object, s *value.Str, lim uint32, unicode bool) val {
	list := r.NewArray(nil)
	if lim == 0 {
		return list.Value()
	}
	defer r.Unroot(r.Root(list.Value()))
	if s.Len() == 0 {
		z := regExpExec(r, splitter, s)
		if z.IsNull() {
			r.Push(list, s.Value())
		}
		return completed(list.Value(), !z.IsThrow())
	}
	p := 0
	for q := 0; q < s.Len(); {
		if !put(r, splitter, keyLastIndex, value.Int(q)) {
			return value.Throw
		}
		z := regExpExec(r, splitter, s)
		if z.IsThrow() || !r.Step(1) {
			return value.Throw
		}
		if z.IsNull() {
			q = advance(s, q, unicode)
			continue
		}
		v := r.Get(splitter, keyLastIndex)
		if v.IsThrow() {
			return v
		}
		e, ok := r.ToLength(v)
		if !ok {
			return value.Throw
		}
		if e = min(e, s.Len()); e == p {
			q = advance(s, q, unicode)
			continue
		}
		r.Push(list, part(r, s, p, q))
		if list.N == lim {
			return list.Value()
		}
		p = e
		n, ok := r.LengthOf(z.Object())
		if !ok {
			return value.Throw
		}
		for i := 1; i < n; i++ {
			c := r.Get(z.Object(), value.IndexKey(i))
			if c.IsThrow() || !r.Step(1) {
				return value.Throw
			}
			r.Push(list, c)
			if list.N == lim {
				return list.Value()
			}
		}
		q = p
	}
	r.Push(list, part(r, s, p, s.Len()))
	return list.Value()
}

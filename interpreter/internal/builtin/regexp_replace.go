package builtin

// This file defines RegExp.prototype[Symbol.replace] (ECMA-262 22.2.6.11).

import (
	"math"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func regExpReplace(r *realm, this val, args []val) val {
	o, s, ok := receiver(r, this, args, "[Symbol.replace]")
	if !ok {
		return value.Throw
	}
	with := arg(args, 1)
	var template *value.Str
	if !with.IsCallable() {
		if template = r.ToString(with); template == nil {
			return value.Throw
		}
	}
	if x, st := plainRegExp(r, o); x != nil && !x.re.Flags().Sticky {
		return replacePlain(r, o, x, st, s, with, template)
	}
	return replaceGeneral(r, o, s, with, template)
}

// replacePlain replaces in an ordinary expression. All matches are found before any replacement function runs.
func replacePlain(r *realm, o *object, x *regExp, st *regExpState, s *value.Str, with val, template *value.Str) val {
	var all []int
	width := 2 * (x.re.Groups() + 1)
	if x.re.Flags().Global {
		if !eachMatch(r, o, x, st, s, func(at []int) { all = append(all, at...); r.Charge(8 * len(at)) }) {
			return value.Throw
		}
	} else {
		at, ok := st.matchAt(r, x, s, 0)
		if !ok {
			return value.Throw
		}
		all = append(all, at...)
	}
	if len(all) == 0 {
		return s.Value()
	}
	r.Hold(8 * len(all))
	defer r.Hold(-8 * len(all))
	var b textBuilder
	defer b.release(r)
	end := 0
	for ; len(all) > 0; all = all[width:] {
		at := all[:width]
		b.add(s, end, at[0])
		if !replaceMatch(r, &b, x, s, at, with, template) || !r.Step(1) {
			return value.Throw
		}
		end = at[1]
	}
	b.add(s, end, s.Len())
	return b.value(r)
}

// replaceMatch appends the replacement of one match.
func replaceMatch(r *realm, b *textBuilder, x *regExp, s *value.Str, at []int, with val, template *value.Str) bool {
	if template != nil && template.Index(dollar, 0) < 0 {
		b.addStr(template)
		return b.bounded(r)
	}
	n := len(at) / 2
	args := make([]val, n, n+3)
	for i := range args {
		args[i] = capture(r, s, at, i)
	}
	named := namedGroups(r, x, func(i int) val { return args[i] })
	if template != nil {
		return b.substitute(r, template, s, args[0].Str(), at[0], args[1:], named)
	}
	args = append(args, value.Int(at[0]), s.Value())
	if !named.IsUndefined() {
		args = append(args, named)
	}
	return b.addReplacement(r, r.CallArgs(with, value.Undefined, args), with) && b.bounded(r)
}

// replaceGeneral is the specification's way, for expressions whose methods the program has changed.
func replaceGeneral(r *realm, o *object, s *value.Str, with val, template *value.Str) val {
	f, ok := flagsOf(r, o)
	if !ok {
		return value.Throw
	}
	global := hasFlag(f, "g")
	if global && !put(r, o, keyLastIndex, value.Zero) {
		return value.Throw
	}
	results := r.NewArray(nil)
	defer r.Unroot(r.Root(results.Value()))
	for {
		v := regExpExec(r, o, s)
		if v.IsThrow() || !r.Step(1) {
			return value.Throw
		}
		if v.IsNull() {
			break
		}
		r.Push(results, v)
		if !global {
			break
		}
		m := r.Get(v.Object(), value.IndexKey(0))
		if m.IsThrow() {
			return m
		}
		t := r.ToString(m)
		if t == nil || t.Len() == 0 && !stepPastEmpty(r, o, s, hasFlag(f, "u") || hasFlag(f, "v")) {
			return value.Throw
		}
	}
	var b textBuilder
	defer b.release(r)
	next := 0
	for _, v := range results.Elems {
		position, matched, ok := replaceResult(r, &b, v.Object(), s, next, with, template)
		if !ok || !r.Step(1) {
			return value.Throw
		}
		if position >= next {
			next = position + matched
		}
	}
	b.add(s, next, s.Len())
	return b.value(r)
}

// replaceResult appends the text before a result and its replacement, unless it lies before next.
func replaceResult(r *realm, b *textBuilder, res *object, s *value.Str, next int, with val, template *value.Str) (position, matchedLen int, ok bool) {
	n, ok := r.LengthOf(res)
	if !ok {
		return 0, 0, false
	}
	m := r.Get(res, value.IndexKey(0))
	if m.IsThrow() {
		return 0, 0, false
	}
	matched := r.ToString(m)
	if matched == nil {
		return 0, 0, false
	}
	v := r.Get(res, value.Name("index"))
	if v.IsThrow() {
		return 0, 0, false
	}
	at, ok := r.ToInteger(v)
	if !ok {
		return 0, 0, false
	}
	position = int(math.Max(0, math.Min(at, float64(s.Len()))))
	args := []val{matched.Value()}
	for i := 1; i < n; i++ {
		c := r.Get(res, value.IndexKey(i))
		if c.IsThrow() || !r.Step(1) {
			return 0, 0, false
		}
		if !c.IsUndefined() {
			t := r.ToString(c)
			if t == nil {
				return 0, 0, false
			}
			c = t.Value()
		}
		args = append(args, c)
	}
	named := r.Get(res, value.Name("groups"))
	if named.IsThrow() {
		return 0, 0, false
	}
	var rep textBuilder
	defer rep.release(r)
	if template == nil {
		call := append(args, value.Int(position), s.Value())
		if !named.IsUndefined() {
			call = append(call, named)
		}
		ok = rep.addReplacement(r, r.CallArgs(with, value.Undefined, call), with)
	} else {
		if !named.IsUndefined() {
			no := r.ToObject(named)
			if no == nil {
				return 0, 0, false
			}
			named = no.Value()
		}
		ok = rep.substitute(r, template, s, matched, position, args[1:], named)
	}
	if !ok {
		return 0, 0, false
	}
	if position >= next {
		b.add(s, next, position)
		b.addStr(rep.text())
	}
	return position, matched.Len(), b.bounded(r)
}

// text is the string without charge, for parts of another builder.
func (t *textBuilder) text() *value.Str {
	if t.wide {
		return value.FromUnits(t.u)
	}
	return value.CopyASCII(t.b)
}

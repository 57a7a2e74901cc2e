package builtin

// This file defines match, matchAll, search and split of String.prototype (ECMA-262 22.1.3).

import (
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// viaRegExp makes a regular expression of a pattern and calls its method for the symbol.
func viaRegExp(r *realm, this, pattern val, flags string, sym *value.Symbol) val {
	s := r.ToString(this)
	if s == nil {
		return value.Throw
	}
	re := regExpCreate(r, pattern, flags)
	if re.IsThrow() {
		return re
	}
	return r.InvokeMethod(re, value.SymbolKey(sym), s.Value())
}

func stringMatch(r *realm, this val, args []val) val {
	if !notNullish(r, this, "match") {
		return value.Throw
	}
	if v, done := delegate(r, arg(args, 0), value.SymMatch, this); done {
		return v
	}
	return viaRegExp(r, this, arg(args, 0), "", value.SymMatch)
}

func stringMatchAll(r *realm, this val, args []val) val {
	if !notNullish(r, this, "matchAll") {
		return value.Throw
	}
	if p := arg(args, 0); p.IsObject() {
		if !needsGlobal(r, p, "matchAll") {
			return value.Throw
		}
		if v, done := delegate(r, p, value.SymMatchAll, this); done {
			return v
		}
	}
	return viaRegExp(r, this, arg(args, 0), "g", value.SymMatchAll)
}

func stringSearch(r *realm, this val, args []val) val {
	if !notNullish(r, this, "search") {
		return value.Throw
	}
	if v, done := delegate(r, arg(args, 0), value.SymSearch, this); done {
		return v
	}
	return viaRegExp(r, this, arg(args, 0), "", value.SymSearch)
}

// stringSplit (22.1.3.23).
func stringSplit(r *realm, this val, args []val) val {
	if !notNullish(r, this, "split") {
		return value.Throw
	}
	sep, limit := arg(args, 0), arg(args, 1)
	if v, done := delegate(r, sep, value.SymSplit, this, limit); done {
		return v
	}
	s := r.ToString(this)
	if s == nil {
		return value.Throw
	}
	lim := uint32(1<<32 - 1)
	if !limit.IsUndefined() {
		var ok bool
		if lim, ok = r.ToUint32(limit); !ok {
			return value.Throw
		}
	}
	t := r.ToString(sep)
	if t == nil {
		return value.Throw
	}
	switch {
	case lim == 0:
		return r.NewArray(nil).Value()
	case sep.IsUndefined():
		return r.NewArrayOf(s.Value()).Value()
	case s.Len() == 0:
		if t.Len() > 0 {
			return r.NewArrayOf(s.Value()).Value()
		}
		return r.NewArray(nil).Value()
	case t.Len() == 0:
		return splitUnits(r, s, int(min(lim, uint32(s.Len()))))
	}
	return splitText(r, s, t, lim)
}

func splitUnits(r *realm, s *value.Str, n int) val {
	size := 16
	if !s.IsASCII() {
		size += 128
	}
	if !r.Allot(size * n) {
		return value.Throw
	}
	defer r.Built(r.Building())
	out := make([]val, n)
	if !eachSpan(r, n, func(from, to int) bool {
		for i := from; i < to; i++ {
			out[i] = s.CharAt(i).Value()
		}
		r.Charge((size - 16) * (to - from))
		return true
	}) {
		return value.Throw
	}
	return r.NewArray(out).Value()
}

func splitText(r *realm, s, t *value.Str, lim uint32) val {
	defer r.Built(r.Building())
	var out []val
	if s.IsASCII() && t.IsASCII() {
		n := min(int(lim), strings.Count(s.ASCII(), t.ASCII())+1)
		if !r.Allot(16 * n) {
			return value.Throw
		}
		out = make([]val, 0, n)
	}
	from := 0
	for {
		i, ok := find(r, s, t, from)
		if !ok || !r.Step(1) {
			return value.Throw
		}
		if i < 0 {
			break
		}
		out = append(out, part(r, s, from, i))
		r.Charge(16)
		if uint32(len(out)) >= lim {
			return r.NewArray(out).Value()
		}
		from = i + t.Len()
	}
	return r.NewArray(append(out, part(r, s, from, s.Len()))).Value()
}

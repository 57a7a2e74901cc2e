package builtin

// This file defines the methods of String.prototype that look at a string (ECMA-262 22.1.3).

import (
	"math"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// textIndex is this as a string and ToIntegerOrInfinity of the first argument.
func textIndex(r *realm, this val, args []val, method string) (*value.Str, float64, bool) {
	s := this.Str()
	if s != nil && len(args) > 0 && args[0].IsNumber() {
		if f := args[0].Float(); f == math.Trunc(f) {
			return s, f, true
		}
	}
	if s == nil {
		if s = thisText(r, this, method); s == nil {
			return nil, 0, false
		}
	}
	f, ok := r.ToInteger(arg(args, 0))
	return s, f, ok
}

func stringAt(r *realm, this val, args []val) val {
	s, f, ok := textIndex(r, this, args, "at")
	if !ok {
		return value.Throw
	}
	if f < 0 {
		f += float64(s.Len())
	}
	if f < 0 || f >= float64(s.Len()) {
		return value.Undefined
	}
	return s.CharAt(int(f)).Value()
}

func stringCharAt(r *realm, this val, args []val) val {
	s, f, ok := textIndex(r, this, args, "charAt")
	if !ok {
		return value.Throw
	}
	if f < 0 || f >= float64(s.Len()) {
		return value.EmptyString.Value()
	}
	return s.CharAt(int(f)).Value()
}

func stringCharCodeAt(r *realm, this val, args []val) val {
	s, f, ok := textIndex(r, this, args, "charCodeAt")
	if !ok {
		return value.Throw
	}
	if f < 0 || f >= float64(s.Len()) {
		return value.NaN
	}
	return value.Int(int(s.At(int(f))))
}

func stringCodePointAt(r *realm, this val, args []val) val {
	s, f, ok := textIndex(r, this, args, "codePointAt")
	if !ok {
		return value.Throw
	}
	if f < 0 || f >= float64(s.Len()) {
		return value.Undefined
	}
	c, _ := s.CodePointAt(int(f))
	return value.Int(int(c))
}

// notPattern refuses regular expressions where the specification does.
func notPattern(r *realm, v val, method string) bool {
	re, ok := isRegExp(r, v)
	if ok && re {
		r.ThrowTypeError("First argument to String.prototype.%s must not be a regular expression", method)
	}
	return ok && !re
}

// isRegExp is IsRegExp (7.2.6).
func isRegExp(r *realm, v val) (is, ok bool) {
	o := v.Object()
	if o == nil {
		return false, true
	}
	m := r.Get(o, value.SymbolKey(value.SymMatch))
	if m.IsThrow() {
		return false, false
	}
	if !m.IsUndefined() {
		return value.ToBoolean(m), true
	}
	return o.Class == value.ClassRegExp, true
}

// searchArgs gives this, the text to look for and a position clamped into the string.
func searchArgs(r *realm, this val, args []val, method string, refuse bool, def int) (s, t *value.Str, at int, ok bool) {
	if s = thisText(r, this, method); s == nil {
		return nil, nil, 0, false
	}
	if refuse && !notPattern(r, arg(args, 0), method) {
		return nil, nil, 0, false
	}
	if t = r.ToString(arg(args, 0)); t == nil {
		return nil, nil, 0, false
	}
	p := arg(args, 1)
	if p.IsUndefined() {
		if def < 0 {
			def = s.Len()
		}
		return s, t, def, r.Step(1 + s.Len()>>12)
	}
	f, ok := r.ToInteger(p)
	if !ok {
		return nil, nil, 0, false
	}
	return s, t, int(math.Max(0, math.Min(f, float64(s.Len())))), r.Step(1 + s.Len()>>12)
}

func stringStartsWith(r *realm, this val, args []val) val {
	s, t, at, ok := searchArgs(r, this, args, "startsWith", true, 0)
	if !ok {
		return value.Throw
	}
	return value.Bool(hasAt(s, t, at))
}

func stringEndsWith(r *realm, this val, args []val) val {
	s, t, end, ok := searchArgs(r, this, args, "endsWith", true, -1)
	if !ok {
		return value.Throw
	}
	return value.Bool(end >= t.Len() && hasAt(s, t, end-t.Len()))
}

// hasAt tells whether t stands in s at a place.
func hasAt(s, t *value.Str, at int) bool {
	n := t.Len()
	if at+n > s.Len() {
		return false
	}
	if s.IsASCII() {
		return t.IsASCII() && s.ASCII()[at:at+n] == t.ASCII()
	}
	for i := range n {
		if s.At(at+i) != t.At(i) {
			return false
		}
	}
	return true
}

func stringIncludes(r *realm, this val, args []val) val {
	s, t, at, ok := searchArgs(r, this, args, "includes", true, 0)
	if !ok {
		return value.Throw
	}
	i, ok := find(r, s, t, at)
	return completed(value.Bool(i >= 0), ok)
}

func stringIndexOf(r *realm, this val, args []val) val {
	s, t, at, ok := searchArgs(r, this, args, "indexOf", false, 0)
	if !ok {
		return value.Throw
	}
	i, ok := find(r, s, t, at)
	return completed(value.Int(i), ok)
}

func completed(v val, ok bool) val {
	if !ok {
		return value.Throw
	}
	return v
}

// find is Str.Index in slices, so that a search through a long text can be interrupted; ASCII search is fast enough.
func find(r *realm, s, t *value.Str, at int) (int, bool) {
	const slice = 1 << 16
	if s.IsASCII() || (s.Len()-at)*min(t.Len(), slice) <= slice {
		return s.Index(t, at), true
	}
	if t.Len() > shortNeedle {
		i, ok := findLong(r, s.Units()[min(at, s.Len()):], t.Units(), false)
		if i >= 0 {
			i += at
		}
		return i, ok
	}
	for ; at <= s.Len(); at += slice {
		end := min(s.Len(), at+slice+t.Len())
		if i := s.Slice(at, end).Index(t, 0); i >= 0 {
			return at + i, true
		}
		if !r.Step(64) {
			return 0, false
		}
	}
	return -1, true
}

func stringLastIndexOf(r *realm, this val, args []val) val {
	s := thisText(r, this, "lastIndexOf")
	if s == nil {
		return value.Throw
	}
	t := r.ToString(arg(args, 0))
	if t == nil {
		return value.Throw
	}
	f, ok := r.ToNumber(arg(args, 1))
	if !ok {
		return value.Throw
	}
	at := s.Len()
	if f == f {
		at = int(math.Max(0, math.Min(math.Trunc(f), float64(s.Len()))))
	}
	i, ok := lastOf(r, s, t, at)
	return completed(value.Int(i), ok)
}

func stringIsWellFormed(r *realm, this val, _ []val) val {
	s := thisText(r, this, "isWellFormed")
	if s == nil || !r.Step(1+s.Len()>>12) {
		return value.Throw
	}
	return value.Bool(firstLone(s) < 0)
}

// firstLone finds the first lone surrogate, or -1.
func firstLone(s *value.Str) int {
	if s.IsASCII() {
		return -1
	}
	return loneIn(s.Units())
}

// loneIn finds the first lone surrogate, or -1.
func loneIn(u []uint16) int {
	for i := 0; i < len(u); i++ {
		if u[i]&0xF800 != 0xD800 {
			continue
		}
		if u[i] < 0xDC00 && i+1 < len(u) && u[i+1]&0xFC00 == 0xDC00 {
			i++
			continue
		}
		return i
	}
	return -1
}

func stringToWellFormed(r *realm, this val, _ []val) val {
	s := thisText(r, this, "toWellFormed")
	if s == nil {
		return value.Throw
	}
	i := firstLone(s)
	if i < 0 {
		return s.Value()
	}
	if !r.Allot(2*s.Len()) || !r.Step(1+s.Len()>>8) {
		return value.Throw
	}
	u := append([]uint16(nil), s.Units()...)
	for ; i < len(u); i++ {
		switch {
		case u[i]&0xF800 != 0xD800:
		case u[i] < 0xDC00 && i+1 < len(u) && u[i+1]&0xFC00 == 0xDC00:
			i++
		default:
			u[i] = 0xFFFD
		}
	}
	return newText(r, value.FromUnits(u))
}

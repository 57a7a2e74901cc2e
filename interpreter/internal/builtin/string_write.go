package builtin

// This file defines the methods of String.prototype that make new strings (ECMA-262 22.1.3).

import (
	"math"

	"golang.org/x/text/unicode/norm"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func stringConcat(r *realm, this val, args []val) val {
	s := thisText(r, this, "concat")
	if s == nil {
		return value.Throw
	}
	out := s.Value()
	for _, a := range args {
		t := r.ToString(a)
		if t == nil {
			return value.Throw
		}
		if out = r.ConcatStr(out.Str(), t); out.IsThrow() {
			return out
		}
	}
	return out
}

func stringSlice(r *realm, this val, args []val) val {
	s := thisText(r, this, "slice")
	if s == nil {
		return value.Throw
	}
	from, ok := relative(r, arg(args, 0), s.Len(), 0)
	if !ok {
		return value.Throw
	}
	to, ok := relative(r, arg(args, 1), s.Len(), s.Len())
	if !ok {
		return value.Throw
	}
	return part(r, s, from, to)
}

// part is a charged slice.
func part(r *realm, s *value.Str, from, to int) val {
	if n := to - from; n > 1 {
		size := 48
		if n < s.Len()/8 || n < 32 {
			size += n // copied
		}
		r.Charge(size)
	}
	return s.Slice(from, to).Value()
}

func stringSubstring(r *realm, this val, args []val) val {
	s := thisText(r, this, "substring")
	if s == nil {
		return value.Throw
	}
	n := float64(s.Len())
	a, ok := r.ToInteger(arg(args, 0))
	if !ok {
		return value.Throw
	}
	b := n
	if e := arg(args, 1); !e.IsUndefined() {
		if b, ok = r.ToInteger(e); !ok {
			return value.Throw
		}
	}
	a, b = math.Max(0, math.Min(a, n)), math.Max(0, math.Min(b, n))
	return part(r, s, int(math.Min(a, b)), int(math.Max(a, b)))
}

// stringSubstr (B.2.2.1).
func stringSubstr(r *realm, this val, args []val) val {
	s := thisText(r, this, "substr")
	if s == nil {
		return value.Throw
	}
	from, ok := relative(r, arg(args, 0), s.Len(), 0)
	if !ok {
		return value.Throw
	}
	n := float64(s.Len())
	if e := arg(args, 1); !e.IsUndefined() {
		if n, ok = r.ToInteger(e); !ok {
			return value.Throw
		}
	}
	return part(r, s, from, int(math.Min(float64(from)+math.Max(n, 0), float64(s.Len()))))
}

func stringTrim(method string, start, end bool) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		s := thisText(r, this, method)
		if s == nil || !r.Step(1+s.Len()>>12) {
			return value.Throw
		}
		return newText(r, s.Trim(start, end))
	}
}

func stringRepeat(r *realm, this val, args []val) val {
	s := thisText(r, this, "repeat")
	if s == nil {
		return value.Throw
	}
	n, ok := r.ToInteger(arg(args, 0))
	if !ok {
		return value.Throw
	}
	if n < 0 || math.IsInf(n, 0) {
		return r.ThrowError(value.RangeError, "Invalid count value: %s", describeText(r, arg(args, 0)))
	}
	if n == 0 || s.Len() == 0 {
		return value.EmptyString.Value()
	}
	if n*float64(s.Len()) > value.MaxStringLength {
		return tooLong(r)
	}
	return repeated(r, s, int(n)*s.Len())
}

// repeated is s over and over, cut to n units. n is within the limit of a string.
func repeated(r *realm, s *value.Str, n int) val {
	if s.IsASCII() {
		if !r.Allot(n) {
			return value.Throw
		}
		b := make([]byte, n)
		if !repeatInto(r, b, copy(b, s.ASCII())) {
			return value.Throw
		}
		return newText(r, value.TakeASCII(b))
	}
	if !r.Allot(2 * n) {
		return value.Throw
	}
	r.Charge(n)
	u := make([]uint16, n)
	if !repeatInto(r, u, copy(u, s.Units())) {
		return value.Throw
	}
	return newText(r, value.FromUnits(u))
}

// repeatInto goes on with what stands in the first at places of out; false if the execution ends.
func repeatInto[T any](r *realm, out []T, at int) bool {
	period := at
	for at < len(out) {
		if !r.Step(1 + min(at, textPart)>>6) {
			return false
		}
		chunk := min(at, max(textPart/period, 1)*period)
		at += copy(out[at:], out[:chunk])
	}
	return true
}

// stringPad makes padStart and padEnd (22.1.3.17.1).
func stringPad(start bool) value.NativeFn {
	method := "padEnd"
	if start {
		method = "padStart"
	}
	return func(r *realm, this val, args []val) val {
		s := thisText(r, this, method)
		if s == nil {
			return value.Throw
		}
		n, ok := r.ToLength(arg(args, 0))
		if !ok {
			return value.Throw
		}
		if n <= s.Len() {
			return s.Value()
		}
		fill := value.ASCII(" ")
		if f := arg(args, 1); !f.IsUndefined() {
			if fill = r.ToString(f); fill == nil {
				return value.Throw
			}
		}
		if fill.Len() == 0 {
			return s.Value()
		}
		if n > value.MaxStringLength {
			return tooLong(r)
		}
		pad := repeated(r, fill, n-s.Len())
		if pad.IsThrow() {
			return pad
		}
		if start {
			return r.ConcatStr(pad.Str(), s)
		}
		return r.ConcatStr(s, pad.Str())
	}
}

var normForms = map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}

func stringNormalize(r *realm, this val, args []val) val {
	s := thisText(r, this, "normalize")
	if s == nil {
		return value.Throw
	}
	form := norm.NFC
	if f := arg(args, 0); !f.IsUndefined() {
		name := r.ToString(f)
		if name == nil {
			return value.Throw
		}
		var ok bool
		if form, ok = normForms[name.String()]; !ok {
			return r.ThrowError(value.RangeError, "The normalization form should be one of NFC, NFD, NFKC, NFKD.")
		}
	}
	if s.IsASCII() {
		return s.Value()
	}
	if !r.Step(1 + s.Len()>>6) {
		return value.Throw
	}
	return normalized(r, s, form)
}

// normalized applies a form to the parts between lone surrogates; parts end where normalization cannot reach across.
func normalized(r *realm, s *value.Str, form norm.Form) val {
	return mapText(r, s, form.String, func(text string, all bool) int {
		if all {
			return len(text)
		}
		return form.LastBoundary([]byte(text))
	})
}

// mapText applies a function on UTF-8 text to the parts between lone surrogates. cut tells how much of the text at hand can be
// mapped by itself; all says that nothing follows. A nil cut is all of it.
func mapText(r *realm, s *value.Str, fn func(string) string, cut func(text string, all bool) int) val {
	var b textBuilder
	defer b.release(r)
	pending := ""
	flush := func(all bool) bool {
		n := len(pending)
		if cut != nil {
			if n = cut(pending, all); n <= 0 && len(pending) > 4*textPart {
				n = len(pending)
			}
		}
		if n > 0 {
			b.addStr(value.NewStr(fn(pending[:n])))
			pending = pending[n:]
		}
		return b.bounded(r)
	}
	ok := eachUnits(r, s.Units(), func(u []uint16) bool {
		for len(u) > 0 {
			n := loneIn(u)
			if n < 0 {
				pending += value.EncodeWTF8(u)
				return flush(false)
			}
			pending += value.EncodeWTF8(u[:n])
			if !flush(true) {
				return false
			}
			b.addUnit(u[n])
			u = u[n+1:]
		}
		return true
	})
	if !ok || !flush(true) {
		return value.Throw
	}
	return b.value(r)
}

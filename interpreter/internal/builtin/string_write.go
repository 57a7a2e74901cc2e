package builtin

// This file defines the methods of String.prototype that make new strings (ECMA-262 22.1.3).

import (
	"math"
	"strings"

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
	if to-from > 1 {
		r.Charge(48)
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
	r.Charge(32 + n)
	if !r.Step(1 + n>>10) {
		return value.Throw
	}
	if s.IsASCII() {
		return value.ASCII(strings.Repeat(s.ASCII(), n/s.Len()+1)[:n]).Value()
	}
	r.Charge(n)
	u := make([]uint16, n)
	for at := copy(u, s.Units()); at < n; {
		at += copy(u[at:], u[:at])
	}
	return value.FromUnits(u).Value()
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
	return mapText(r, s, form.String)
}

// mapText applies a function on UTF-8 text to the parts between lone surrogates.
func mapText(r *realm, s *value.Str, fn func(string) string) val {
	if firstLone(s) < 0 {
		return newText(r, value.NewStr(fn(s.String())))
	}
	var out []uint16
	u, from := s.Units(), 0
	flush := func(to int) {
		if from < to {
			out = append(out, value.DecodeWTF8(fn(value.EncodeWTF8(u[from:to])))...)
		}
	}
	for i := 0; i < len(u); i++ {
		switch {
		case u[i]&0xF800 != 0xD800:
		case u[i] < 0xDC00 && i+1 < len(u) && u[i+1]&0xFC00 == 0xDC00:
			i++
		default:
			flush(i)
			out = append(out, u[i])
			from = i + 1
		}
	}
	flush(len(u))
	return newText(r, value.FromUnits(out))
}

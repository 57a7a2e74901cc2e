package builtin

// This file defines how builtins work on long texts: memory is asked for first, and the work is done in parts between which the
// execution can be interrupted.

import (
	"encoding/base64"
	"unicode/utf16"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

const (
	// textPart is how many units are worked on between two checkpoints; it is divisible by 3 and 4.
	textPart = 3 << 14
	partFuel = value.FuelBatch
	keyBytes = 48 // of a property key in a list
)

// buildText makes ASCII text of at most size bytes from length units, part by part.
func buildText(r *realm, size, length int, part func(b []byte, from, to int) []byte) val {
	if size > value.MaxStringLength {
		return tooLong(r)
	}
	if !r.Allot(size) {
		return value.Throw
	}
	b := make([]byte, 0, size)
	if !eachSpan(r, length, func(from, to int) bool { b = part(b, from, to); return true }) {
		return value.Throw
	}
	return newText(r, value.TakeASCII(b))
}

// eachSpan visits [0, length) in parts; false if the execution ends or visit said so.
func eachSpan(r *realm, length int, visit func(from, to int) bool) bool {
	if length <= textPart {
		return r.Step(1+length>>8) && visit(0, length)
	}
	for from := 0; from < length; from += textPart {
		if !r.Step(partFuel) || !visit(from, min(from+textPart, length)) {
			return false
		}
	}
	return true
}

// eachPart visits the WTF-8 text of s in parts that split no character.
func eachPart(r *realm, s *value.Str, visit func(text string) bool) bool {
	if s.IsASCII() {
		text := s.ASCII()
		return eachSpan(r, len(text), func(from, to int) bool { return visit(text[from:to]) })
	}
	return eachUnits(r, s.Units(), func(u []uint16) bool { return visit(value.EncodeWTF8(u)) })
}

// eachUnits visits units in parts that split no surrogate pair.
func eachUnits(r *realm, u []uint16, visit func(u []uint16) bool) bool {
	for len(u) > 0 {
		n := len(u)
		if n > textPart {
			if n = textPart; utf16.IsSurrogate(rune(u[n-1])) && u[n-1] < 0xDC00 {
				n++
			}
		}
		if !r.Step(1+n>>6) || !visit(u[:n]) {
			return false
		}
		u = u[n:]
	}
	return true
}

// encodeBase64 encodes n bytes that get gives in spans.
func encodeBase64(r *realm, enc *base64.Encoding, n int, get func(from, to int) []byte) val {
	return buildText(r, enc.EncodedLen(n), n, func(b []byte, from, to int) []byte {
		if p := get(from, to); p != nil {
			return enc.AppendEncode(b, p)
		}
		return b
	})
}

// withoutSpace leaves ASCII white space out; false for a text that is not ASCII, or if the execution ends.
func withoutSpace(r *realm, s *value.Str) (string, bool) {
	if !s.IsASCII() {
		return "", false
	}
	text := s.ASCII()
	var b []byte
	ok := eachSpan(r, len(text), func(from, to int) bool {
		for i := from; i < to; i++ {
			switch text[i] {
			case ' ', '\t', '\n', '\f', '\r':
				if b == nil {
					b = append(make([]byte, 0, len(text)), text[:i]...)
				}
			default:
				if b != nil {
					b = append(b, text[i])
				}
			}
		}
		return true
	})
	if b != nil {
		text = string(b)
	}
	return text, ok
}

// decodeParts decodes base64 without white space; false if it is wrong, or if the execution ends.
func decodeParts(r *realm, enc *base64.Encoding, s string) ([]byte, bool) {
	out := make([]byte, 0, enc.DecodedLen(len(s)))
	ok := eachSpan(r, len(s), func(from, to int) bool {
		var err error
		out, err = enc.AppendDecode(out, []byte(s[from:to]))
		return err == nil
	})
	return out, ok
}

// lastOf is Str.LastIndex in parts; false if the execution ends.
func lastOf(r *realm, s, t *value.Str, at int) (int, bool) {
	at = min(at, s.Len()-t.Len())
	if at < 0 || t.Len() == 0 || !s.IsASCII() && t.Len() > shortNeedle {
		if at < 0 || t.Len() == 0 {
			return max(at, -1), true
		}
		return findLong(r, s.Units()[:at+t.Len()], t.Units(), true)
	}
	for {
		from := max(at-textPart, 0)
		i := s.Slice(from, at+t.Len()).LastIndex(t, at-from)
		if i >= 0 || from == 0 {
			return max(i+from, i), true
		}
		if !r.Step(partFuel / 4) {
			return 0, false
		}
		at = from - 1
	}
}

// shortNeedle is up to which length a text is compared at each place.
const shortNeedle = 16

// findLong is the first or last place of v in u, which is found in one pass whatever the two are (Knuth, Morris and
// Pratt); false if the execution ends.
func findLong(r *realm, u, v []uint16, last bool) (int, bool) {
	if len(v) > len(u) {
		return -1, true
	}
	if !r.Allot(4 * len(v)) {
		return 0, false
	}
	at := func(s []uint16, i int) uint16 {
		if last {
			i = len(s) - 1 - i
		}
		return s[i]
	}
	fall := make([]int32, len(v)+1) // how much of v a mismatch leaves
	fall[0] = -1
	for i, k := 0, int32(-1); i < len(v); i++ {
		for k >= 0 && at(v, int(k)) != at(v, i) {
			k = fall[k]
		}
		k++
		fall[i+1] = k
		if i&0xFFFF == 0xFFFF && !r.Step(partFuel) {
			return 0, false
		}
	}
	k := int32(0)
	for i := range u {
		for k >= 0 && at(v, int(k)) != at(u, i) {
			k = fall[k]
		}
		if k++; int(k) == len(v) {
			if last {
				return len(u) - 1 - i, true
			}
			return i + 1 - len(v), true
		}
		if i&0xFFFF == 0xFFFF && !r.Step(partFuel) {
			return 0, false
		}
	}
	return -1, true
}

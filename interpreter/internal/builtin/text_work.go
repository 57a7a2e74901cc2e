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

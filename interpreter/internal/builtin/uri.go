package builtin

// This file defines encodeURI, decodeURI and their kin (ECMA-262 19.2.6, B.2.1) and atob and btoa (HTML 8.3).

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func uriGlobals() []row {
	return []row{
		{Name: "encodeURIComponent", Length: 1, Fn: uriEncoder(uriUnreserved), Sig: "(text: string): string"},
		{Name: "encodeURI", Length: 1, Fn: uriEncoder(uriUnreserved + uriReserved + "#"), Sig: "(text: string): string"},
		{Name: "decodeURIComponent", Length: 1, Fn: uriDecoder(""), Sig: "(text: string): string"},
		{Name: "decodeURI", Length: 1, Fn: uriDecoder(uriReserved + "#"), Sig: "(text: string): string"},
		{Name: "escape", Length: 1, Fn: escapeText, Sig: "(text: string): string"},
		{Name: "unescape", Length: 1, Fn: unescapeText, Sig: "(text: string): string"},
		{Name: "atob", Length: 1, Fn: atob, Sig: "(base64: string): string"},
		{Name: "btoa", Length: 1, Fn: btoa, Sig: "(bytes: string): string", Doc: "characters up to U+00FF"},
	}
}

const (
	alphanumeric  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	uriUnreserved = alphanumeric + "-_.!~*'()"
	uriReserved   = ";/?:@&=+$,"
	upperHex      = "0123456789ABCDEF"
)

func byteSet(s string) (set [256]bool) {
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}

func malformed(r *realm) val { return r.ThrowError(value.URIError, "URI malformed") }

// uriEncoder makes Encode (19.2.6.5) with the characters that stay.
func uriEncoder(keep string) value.NativeFn {
	set := byteSet(keep)
	return func(r *realm, _ val, args []val) val {
		s := r.ToString(arg(args, 0))
		if s == nil || !r.Step(1+s.Len()>>8) {
			return value.Throw
		}
		if firstLone(s) >= 0 {
			return malformed(r)
		}
		var b textBuilder
		defer b.release(r)
		if !eachPart(r, s, func(text string) bool { b.b = appendEscaped(b.b, text, &set); return b.bounded(r) }) {
			return value.Throw
		}
		return b.value(r)
	}
}

func appendEscaped(b []byte, text string, keep *[256]bool) []byte {
	for i := range len(text) {
		if c := text[i]; keep[c] {
			b = append(b, c)
		} else {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return b
}

// uriDecoder makes Decode (19.2.6.6) with the escaped characters that stay escaped.
func uriDecoder(keep string) value.NativeFn {
	set := byteSet(keep)
	return func(r *realm, _ val, args []val) val {
		s := r.ToString(arg(args, 0))
		if s == nil || !r.Step(1+s.Len()>>8) {
			return value.Throw
		}
		text := s.String()
		if strings.IndexByte(text, '%') < 0 {
			return s.Value()
		}
		if !r.Allot(len(text)) {
			return value.Throw
		}
		var b strings.Builder
		due := textPart
		for i := 0; i < len(text); {
			if i >= due {
				if due += textPart; !r.Step(partFuel) {
					return value.Throw
				}
			}
			if text[i] != '%' {
				b.WriteByte(text[i])
				i++
				continue
			}
			n, ok := decodeEscape(&b, text[i:], &set)
			if !ok {
				return malformed(r)
			}
			i += n
		}
		return newText(r, value.NewStr(b.String()))
	}
}

// decodeEscape decodes the escapes of one character and tells how much text they took.
func decodeEscape(b *strings.Builder, text string, keep *[256]bool) (int, bool) {
	c, ok := escapedByte(text)
	if !ok {
		return 0, false
	}
	if c < utf8.RuneSelf {
		if keep[c] {
			b.WriteString(text[:3])
		} else {
			b.WriteByte(c)
		}
		return 3, true
	}
	n := 2
	switch {
	case c >= 0xF0:
		n = 4
	case c >= 0xE0:
		n = 3
	}
	buf := [4]byte{c}
	for i := 1; i < n; i++ {
		if 3*i >= len(text) {
			return 0, false
		}
		if buf[i], ok = escapedByte(text[3*i:]); !ok {
			return 0, false
		}
	}
	if ch, size := utf8.DecodeRune(buf[:n]); size != n || ch == utf8.RuneError && n != 3 {
		return 0, false
	}
	b.Write(buf[:n])
	return 3 * n, true
}

func escapedByte(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	hi, lo := digit(uint16(s[1])), digit(uint16(s[2]))
	return byte(hi<<4 | lo), hi < 16 && lo < 16
}

var escapeKeep = byteSet(alphanumeric + "@*_+-./")

// escapeText (B.2.1.1).
func escapeText(r *realm, _ val, args []val) val {
	s := r.ToString(arg(args, 0))
	if s == nil || !r.Step(1+s.Len()>>8) {
		return value.Throw
	}
	var b textBuilder
	defer b.release(r)
	ok := eachSpan(r, s.Len(), func(from, to int) bool {
		for i := from; i < to; i++ {
			switch c := s.At(i); {
			case c < 128 && escapeKeep[c]:
				b.b = append(b.b, byte(c))
			case c < 256:
				b.b = append(b.b, '%', upperHex[c>>4], upperHex[c&15])
			default:
				b.b = append(b.b, '%', 'u', upperHex[c>>12], upperHex[c>>8&15], upperHex[c>>4&15], upperHex[c&15])
			}
		}
		return b.bounded(r)
	})
	if !ok {
		return value.Throw
	}
	return b.value(r)
}

// unescapeText (B.2.1.2).
func unescapeText(r *realm, _ val, args []val) val {
	s := r.ToString(arg(args, 0))
	if s == nil || !r.Step(1+s.Len()>>8) {
		return value.Throw
	}
	var b textBuilder
	defer b.release(r)
	for i := 0; i < s.Len(); i++ {
		if i&0xFFFF == 0xFFFF && (!r.Step(partFuel) || !b.bounded(r)) {
			return value.Throw
		}
		c := s.At(i)
		if c == '%' {
			if i+5 < s.Len() && s.At(i+1) == 'u' {
				if n, ok := hexAt(s, i+2, 4); ok {
					b.addUnit(n)
					i += 5
					continue
				}
			} else if n, ok := hexAt(s, i+1, 2); ok {
				b.addUnit(n)
				i += 2
				continue
			}
		}
		b.addUnit(c)
	}
	return b.value(r)
}

func hexAt(s *value.Str, i, n int) (uint16, bool) {
	if i+n > s.Len() {
		return 0, false
	}
	v := 0
	for j := range n {
		d := digit(s.At(i + j))
		if d > 15 {
			return 0, false
		}
		v = v<<4 | d
	}
	return uint16(v), true
}

// throwNamed throws an Error with the name of one of the exceptions of the web platform.
func throwNamed(r *realm, name, message string) val {
	e := r.NewError(value.Error, message)
	r.DefineOwn(e, value.Name("name"), value.DataDesc(str(name), value.AttrMethod))
	return r.ThrowValue(e.Value())
}

func btoa(r *realm, _ val, args []val) val {
	if len(args) == 0 {
		return r.ThrowTypeError("btoa: 1 argument required, but only 0 present")
	}
	s := r.ToString(args[0])
	if s == nil || !r.Step(1+s.Len()>>8) {
		return value.Throw
	}
	bad := false
	var b [textPart]byte
	out := encodeBase64(r, base64.StdEncoding, s.Len(), func(from, to int) []byte {
		for i := from; i < to; i++ {
			c := s.At(i)
			if bad = bad || c > 0xFF; bad {
				return nil
			}
			b[i-from] = byte(c)
		}
		return b[:to-from]
	})
	if bad && !r.Terminated {
		return throwNamed(r, "InvalidCharacterError", "btoa: the text has characters beyond U+00FF; encode it first: new TextEncoder().encode(text).toBase64()")
	}
	return out
}

func atob(r *realm, _ val, args []val) val {
	if len(args) == 0 {
		return r.ThrowTypeError("atob: 1 argument required, but only 0 present")
	}
	s := r.ToString(args[0])
	if s == nil || !r.Step(1+s.Len()>>8) {
		return value.Throw
	}
	if !r.Allot(4 * s.Len()) {
		return value.Throw
	}
	b, ok := forgivingBase64(r, s)
	if r.Terminated {
		return value.Throw
	}
	if !ok {
		return throwNamed(r, "InvalidCharacterError", "atob: the text is not correctly encoded base64")
	}
	u := make([]uint16, len(b))
	for i, c := range b {
		u[i] = uint16(c)
	}
	return newText(r, value.FromUnits(u))
}

// forgivingBase64 is forgiving-base64 decode (Infra 7).
func forgivingBase64(r *realm, text *value.Str) ([]byte, bool) {
	s, ok := withoutSpace(r, text)
	if !ok {
		return nil, false
	}
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	}
	if len(s)%4 == 1 || strings.HasSuffix(s, "=") {
		return nil, false
	}
	return decodeParts(r, base64.RawStdEncoding, s)
}

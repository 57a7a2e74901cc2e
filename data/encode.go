// This file defines how values are written as JSON text.

package data

import "unicode/utf8"

// JSON is v as compact JSON text. See [AppendJSON].
func JSON(v Value) string { return string(AppendJSON(nil, v)) }

// AppendJSON appends v as compact JSON text, as JSON.stringify writes it: no
// HTML escaping, lone surrogates as \udXXX, NaN and infinities as null, -0 as
// 0. Exact integers are written with all their digits; nil is null.
func AppendJSON(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case Bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case Number:
		return appendJSONNumber(dst, v)
	case String:
		return AppendQuoted(dst, string(v))
	case Array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendJSON(dst, item)
		}
		return append(dst, ']')
	case *Object:
		dst = append(dst, '{')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendQuoted(dst, v.members[i].Key)
			dst = append(dst, ':')
			dst = AppendJSON(dst, v.members[i].Value)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

func appendJSONNumber(dst []byte, n Number) []byte {
	if n.digits != "" {
		return append(dst, n.digits...)
	}
	if n.float-n.float != 0 { // NaN or infinite
		return append(dst, "null"...)
	}
	return AppendNumber(dst, n.float)
}

// Indented is v as JSON text over several lines, each level indented by indent;
// empty arrays and objects stay on one line, as JSON.stringify writes them.
func Indented(v Value, indent string) string {
	return string(appendIndented(nil, v, indent, 0))
}

func appendIndented(dst []byte, v Value, indent string, depth int) []byte {
	switch v := v.(type) {
	case Array:
		if len(v.items) == 0 {
			return append(dst, "[]"...)
		}
		dst = append(dst, '[')
		for i, item := range v.items {
			dst = appendBreak(dst, indent, depth+1, i > 0)
			dst = appendIndented(dst, item, indent, depth+1)
		}
		return append(appendBreak(dst, indent, depth, false), ']')
	case *Object:
		if v.Len() == 0 {
			return append(dst, "{}"...)
		}
		dst = append(dst, '{')
		for i, m := range v.members {
			dst = appendBreak(dst, indent, depth+1, i > 0)
			dst = append(AppendQuoted(dst, m.Key), ": "...)
			dst = appendIndented(dst, m.Value, indent, depth+1)
		}
		return append(appendBreak(dst, indent, depth, false), '}')
	}
	return AppendJSON(dst, v)
}

func appendBreak(dst []byte, indent string, depth int, comma bool) []byte {
	if comma {
		dst = append(dst, ',')
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, indent...)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends s, which is WTF-8, as a JSON string literal with its
// quotes. Bytes that are no WTF-8 become U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[plain:i]...)
		if unit, ok := surrogateAt(s, i); ok {
			dst, size = appendUnit(dst, unit), 3
		} else {
			dst = appendEscape(dst, c)
		}
		i += size
		plain = i
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	}
	if c >= utf8.RuneSelf {
		return append(dst, "\uFFFD"...)
	}
	return appendUnit(dst, uint16(c))
}

func appendUnit(dst []byte, u uint16) []byte {
	return append(dst, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

// surrogateAt decodes the three-byte sequence of a lone surrogate.
func surrogateAt(s string, i int) (uint16, bool) {
	if i+2 < len(s) && s[i] == 0xED && s[i+1] >= 0xA0 && s[i+1] <= 0xBF && s[i+2]&0xC0 == 0x80 {
		return 0xD000 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F), true
	}
	return 0, false
}

// MarshalJSON implements [encoding/json.Marshaler].
func (Null) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// MarshalJSON implements [encoding/json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) { return AppendJSON(nil, n), nil }

// MarshalJSON implements [encoding/json.Marshaler].
func (s String) MarshalJSON() ([]byte, error) { return AppendJSON(nil, s), nil }

// MarshalJSON implements [encoding/json.Marshaler].
func (a Array) MarshalJSON() ([]byte, error) { return AppendJSON(nil, a), nil }

// MarshalJSON implements [encoding/json.Marshaler].
func (o *Object) MarshalJSON() ([]byte, error) { return AppendJSON(nil, o), nil }

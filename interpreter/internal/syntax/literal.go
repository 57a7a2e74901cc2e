package syntax

// This file cooks literals: strings, templates, numbers and names.

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"
)

// identText is the text of an identifier, with its escapes resolved.
func identText(data []byte) string {
	if bytes.IndexByte(data, '\\') < 0 {
		return string(data)
	}
	s, _ := cook(data)
	return s
}

// nameText is the property key that a literal name denotes.
func nameText(l *js.LiteralExpr) string {
	switch {
	case l.TokenType == js.StringToken:
		return cookString(l.Data)
	case js.IsNumeric(l.TokenType):
		if n, ok := number(At{}, l.Data).(*NumberLit); ok {
			return numberText(n.Value)
		}
		i, ok := new(big.Int).SetString(strings.TrimSuffix(string(l.Data), "n"), 0)
		if ok {
			return i.String()
		}
	}
	return identText(l.Data)
}

// cookString resolves a quoted literal.
func cookString(data []byte) string {
	s, _ := cook(data[1 : len(data)-1])
	return s
}

func cookTemplate(raw []byte) TemplateElement {
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	if bytes.IndexByte(raw, '\\') < 0 {
		s := string(raw)
		return TemplateElement{Cooked: s, Raw: s}
	}
	s, ok := cook(raw)
	return TemplateElement{Cooked: s, Raw: string(raw), Invalid: !ok}
}

// cook resolves escapes; ok is false for an escape that only tagged templates allow. Lone surrogates come out as WTF-8.
func cook(data []byte) (text string, ok bool) {
	if bytes.IndexByte(data, '\\') < 0 {
		return string(data), true
	}
	out := make([]byte, 0, len(data))
	ok = true
	for i := 0; i < len(data); {
		if data[i] != '\\' || i+1 == len(data) {
			out = append(out, data[i])
			i++
			continue
		}
		n := 0
		var good bool
		out, n, good = cookEscape(out, data[i+1:])
		ok = ok && good
		i += 1 + n
	}
	return string(out), ok
}

// cookEscape appends what the escape after a backslash means and tells how long it is.
func cookEscape(out, rest []byte) ([]byte, int, bool) {
	switch ch := rest[0]; ch {
	case 'n':
		return append(out, '\n'), 1, true
	case 't':
		return append(out, '\t'), 1, true
	case 'r':
		return append(out, '\r'), 1, true
	case 'b':
		return append(out, '\b'), 1, true
	case 'f':
		return append(out, '\f'), 1, true
	case 'v':
		return append(out, '\v'), 1, true
	case '\r':
		if len(rest) > 1 && rest[1] == '\n' {
			return out, 2, true
		}
		return out, 1, true
	case '\n':
		return out, 1, true
	case '0':
		if len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9' {
			return out, 1, false
		}
		return append(out, 0), 1, true
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return append(out, ch), 1, false
	case 'x', 'u':
		r, n := codeUnits(rest)
		if n == 0 {
			return append(out, ch), 1, false
		}
		return appendWTF8(out, r), n, true
	}
	if r, n := utf8.DecodeRune(rest); r == '\u2028' || r == '\u2029' {
		return out, n, true
	} else if n > 1 {
		return append(out, rest[:n]...), n, true
	}
	return append(out, rest[0]), 1, true
}

// codeUnits reads x41, u0041 and u{41}; n is 0 if malformed.
func codeUnits(rest []byte) (r rune, n int) {
	hex := func(from, to int) (rune, bool) {
		if to > len(rest) || from == to {
			return 0, false
		}
		v, err := strconv.ParseUint(string(rest[from:to]), 16, 32)
		return rune(v), err == nil && v <= utf8.MaxRune
	}
	from, to, end := 1, 3, 3
	if rest[0] == 'u' {
		to, end = 5, 5
		if len(rest) > 1 && rest[1] == '{' {
			closing := bytes.IndexByte(rest, '}')
			if closing < 0 {
				return 0, 0
			}
			from, to, end = 2, closing, closing+1
		}
	}
	r, ok := hex(from, to)
	if !ok {
		return 0, 0
	}
	return r, end
}

// appendWTF8 appends a code point or surrogate; a low surrogate after a high one completes the pair.
func appendWTF8(out []byte, r rune) []byte {
	if r < 0xD800 || r > 0xDFFF {
		return utf8.AppendRune(out, r)
	}
	if n := len(out); r >= 0xDC00 && n >= 3 && out[n-3] == 0xED && out[n-2] >= 0xA0 && out[n-2] < 0xB0 {
		hi := rune(0xD000) | rune(out[n-2]&0x3F)<<6 | rune(out[n-1]&0x3F)
		return utf8.AppendRune(out[:n-3], 0x10000+(hi-0xD800)<<10+(r-0xDC00))
	}
	return append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

// number converts a numeric literal.
func number(at At, data []byte) Expr {
	text := strings.ReplaceAll(string(data), "_", "")
	if strings.HasSuffix(text, "n") {
		return &BigIntLit{at, strings.TrimSuffix(text, "n")}
	}
	if len(text) > 1 && text[0] == '0' && strings.IndexByte("xXoObB", text[1]) >= 0 {
		i, ok := new(big.Int).SetString(text, 0)
		if !ok {
			return &NumberLit{at, math.NaN()}
		}
		f, _ := new(big.Float).SetInt(i).Float64()
		return &NumberLit{at, f}
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range gives an infinity, as wanted
	return &NumberLit{at, f}
}

// numberText is Number::toString (ECMA-262 6.1.6.1.20) in radix 10.
func numberText(f float64) string {
	switch {
	case f == 0:
		return "0"
	case math.IsInf(f, 0) || math.IsNaN(f):
		return strings.Replace(strconv.FormatFloat(f, 'g', -1, 64), "+Inf", "Infinity", 1)
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(s)
}

// This file defines the JSON parser.

package data

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deeply arrays and objects may be nested in JSON text and in
// Go values. It keeps recursion over foreign data far from the end of the
// stack.
const MaxDepth = 1000

// SyntaxError says where JSON text is malformed.
type SyntaxError struct {
	Message string
	Offset  int // in bytes, from 0
	Line    int // from 1
	Column  int // from 1, in UTF-16 units
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Parse reads one JSON value (RFC 8259) from text, which it does not keep. See
// [ParseString].
func Parse(text []byte) (Value, error) { return ParseString(string(text)) }

// ParseString reads one JSON value (RFC 8259). Object keys keep their order,
// of duplicates the last counts, "__proto__" is a key like any other. Integers
// without fraction and exponent keep their digits, up to [MaxDigits] of them;
// longer ones and other numbers are rounded to float64. Escaped and WTF-8 lone
// surrogates are kept, other bytes that are no UTF-8 become U+FFFD. Strings of
// the value share memory with text. The error is a [*SyntaxError].
func ParseString(text string) (Value, error) {
	p := parser{text: text}
	p.space()
	v, ok := p.value(0)
	if ok {
		p.space()
		if p.pos < len(text) {
			ok = p.fail("unexpected " + p.found() + " after the value")
		}
	}
	if !ok {
		return nil, p.err
	}
	return v, nil
}

type parser struct {
	text    string
	pos     int
	err     *SyntaxError
	items   []Value  // stacks shared by all levels, so that each array and
	members []Member // object is allocated once, at its final size
}

func (p *parser) fail(message string) bool {
	if p.err == nil {
		line, column := position(p.text, p.pos)
		p.err = &SyntaxError{Message: message, Offset: p.pos, Line: line, Column: column}
	}
	return false
}

func position(text string, offset int) (line, column int) {
	line, column = 1, 1
	for i, r := range text {
		if i >= offset {
			break
		}
		switch {
		case r == '\n':
			line, column = line+1, 1
		case r > 0xFFFF:
			column += 2
		default:
			column++
		}
	}
	return line, column
}

func (p *parser) found() string {
	if p.pos >= len(p.text) {
		return "end of text"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return "character " + strconv.QuoteRune(r)
}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) value(depth int) (Value, bool) {
	switch c := p.peek(); c {
	case '{':
		return p.object(depth + 1)
	case '[':
		return p.array(depth + 1)
	case '"':
		s, ok := p.str()
		return String(s), ok
	case 't':
		return Bool(true), p.word("true")
	case 'f':
		return Bool(false), p.word("false")
	case 'n':
		return Null{}, p.word("null")
	default:
		if c == '-' || c >= '0' && c <= '9' {
			return p.number()
		}
	}
	return nil, p.fail("expected a value, got " + p.found())
}

func (p *parser) word(w string) bool {
	for i := range len(w) {
		if p.peek() != w[i] {
			return p.fail("expected " + w + ", got " + p.found())
		}
		p.pos++
	}
	return true
}

func (p *parser) tooDeep() bool {
	return !p.fail("nested deeper than " + strconv.Itoa(MaxDepth))
}

func (p *parser) array(depth int) (Value, bool) {
	if depth > MaxDepth {
		return nil, !p.tooDeep()
	}
	p.pos++
	base := len(p.items)
	defer func() { p.items = p.items[:base] }()
	for p.space(); p.peek() != ']'; p.space() {
		if len(p.items) > base && !p.comma("]") {
			return nil, false
		}
		v, ok := p.value(depth)
		if !ok {
			return nil, false
		}
		p.items = append(p.items, v)
	}
	p.pos++
	return Array{append([]Value(nil), p.items[base:]...)}, true
}

// comma reads the separator and the white space behind it.
func (p *parser) comma(closer string) bool {
	if p.peek() != ',' || p.pos >= len(p.text) {
		return p.fail("expected \",\" or \"" + closer + "\", got " + p.found())
	}
	p.pos++
	p.space()
	return true
}

func (p *parser) object(depth int) (Value, bool) {
	if depth > MaxDepth {
		return nil, !p.tooDeep()
	}
	p.pos++
	base := len(p.members)
	defer func() { p.members = p.members[:base] }()
	for p.space(); p.peek() != '}'; p.space() {
		if len(p.members) > base && !p.comma("}") {
			return nil, false
		}
		if p.peek() != '"' {
			return nil, p.fail("expected a key in double quotes, got " + p.found())
		}
		key, ok := p.str()
		if !ok || !p.colon() {
			return nil, false
		}
		v, ok := p.value(depth)
		if !ok {
			return nil, false
		}
		p.members = append(p.members, Member{key, v})
	}
	p.pos++
	return NewObject(append([]Member(nil), p.members[base:]...)), true
}

func (p *parser) colon() bool {
	p.space()
	if p.peek() != ':' {
		return p.fail("expected \":\", got " + p.found())
	}
	p.pos++
	p.space()
	return true
}

func (p *parser) digits() bool {
	start := p.pos
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos > start || p.fail("expected a digit, got "+p.found())
}

func (p *parser) number() (Value, bool) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	zero := p.peek() == '0'
	whole := p.pos
	if !p.digits() {
		return nil, false
	}
	if zero && p.pos > whole+1 {
		p.pos = whole + 1
		return nil, p.fail("a number cannot have leading zeros")
	}
	plain := true
	if p.peek() == '.' {
		p.pos++
		if plain = false; !p.digits() {
			return nil, false
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if plain = false; !p.digits() {
			return nil, false
		}
	}
	return numberOf(p.text[start:p.pos], plain), true
}

func numberOf(text string, plain bool) Number {
	if plain && len(text) <= 15 && text[0] != '-' {
		n := 0
		for i := range len(text) {
			n = n*10 + int(text[i]-'0')
		}
		return Number{float: float64(n)}
	}
	if plain && len(text) <= MaxDigits {
		return integer(text)
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range gives an infinity, as in JSON.parse
	return Number{float: f}
}

// str reads a string literal. Without escapes it aliases the text.
func (p *parser) str() (string, bool) {
	start := p.pos + 1
	for i := start; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.pos = i + 1
			return p.text[start:i], true
		case c == '\\' || c < 0x20:
			return p.escaped(start, i)
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(p.text[i:])
			if r == utf8.RuneError && size == 1 {
				return p.escaped(start, i)
			}
			i += size - 1
		}
	}
	p.pos = len(p.text)
	return "", p.fail("unterminated string")
}

// escaped reads the rest of a string literal from i on, the first place where
// the string differs from the text.
func (p *parser) escaped(start, i int) (string, bool) {
	buf := append(make([]byte, 0, i-start+32), p.text[start:i]...)
	for p.pos = i; p.pos < len(p.text); {
		c := p.text[p.pos]
		switch {
		case c == '"':
			p.pos++
			return string(buf), true
		case c < 0x20:
			return "", p.fail(fmt.Sprintf("control character U+%04X in a string must be escaped", c))
		case c == '\\':
			p.pos++
			var ok bool
			if buf, ok = p.escape(buf); !ok {
				return "", false
			}
		case c < utf8.RuneSelf:
			buf = append(buf, c)
			p.pos++
		default:
			buf = p.wide(buf)
		}
	}
	return "", p.fail("unterminated string")
}

func (p *parser) wide(buf []byte) []byte {
	if unit, ok := surrogateAt(p.text, p.pos); ok {
		p.pos += 3
		return AppendUTF16(buf, unit)
	}
	r, size := utf8.DecodeRuneInString(p.text[p.pos:])
	p.pos += size
	return utf8.AppendRune(buf, r)
}

func (p *parser) escape(buf []byte) ([]byte, bool) {
	c := p.peek()
	p.pos++
	switch c {
	case '"', '\\', '/':
		return append(buf, c), true
	case 'b':
		return append(buf, '\b'), true
	case 'f':
		return append(buf, '\f'), true
	case 'n':
		return append(buf, '\n'), true
	case 'r':
		return append(buf, '\r'), true
	case 't':
		return append(buf, '\t'), true
	case 'u':
		if p.pos+4 <= len(p.text) {
			if unit, err := strconv.ParseUint(p.text[p.pos:p.pos+4], 16, 16); err == nil {
				p.pos += 4
				return AppendUTF16(buf, uint16(unit)), true
			}
		}
		return nil, p.fail("\\u needs four hexadecimal digits")
	}
	p.pos--
	return nil, p.fail("unknown escape in a string: " + p.found())
}

// AppendUTF16 appends one UTF-16 code unit to WTF-8 text: a low surrogate
// behind a lone high one completes the pair.
func AppendUTF16(dst []byte, unit uint16) []byte {
	if !utf16.IsSurrogate(rune(unit)) {
		return utf8.AppendRune(dst, rune(unit))
	}
	if n := len(dst) - 3; unit >= 0xDC00 && n >= 0 && dst[n] == 0xED && dst[n+1] >= 0xA0 && dst[n+1] < 0xB0 {
		high := 0xD000 | rune(dst[n+1]&0x3F)<<6 | rune(dst[n+2]&0x3F)
		return utf8.AppendRune(dst[:n], utf16.DecodeRune(high, rune(unit)))
	}
	return append(dst, 0xED, 0x80|byte(unit>>6&0x3F), 0x80|byte(unit&0x3F))
}

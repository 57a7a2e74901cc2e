package ecmaregexp

// This file reads escapes.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// escape reads an escape outside classes; the result tells whether it is an assertion.
func (t *translator) escape() (assertion bool) {
	t.i++
	if !t.more() {
		t.fail(`\ at end of pattern`)
		return false
	}
	switch ch := t.peek(); {
	case ch == 'b' || ch == 'B':
		t.i++
		t.out.WriteString(`\` + string(ch))
		return true
	case strings.ContainsRune("dDsSwW", ch):
		t.i++
		t.shorthand(ch)
	case (ch == 'p' || ch == 'P') && t.u:
		text := t.property("Invalid property name")
		t.fold(propertyPoints)
		if s := t.atomSet(atom{text: text}); text != "" && t.flags.UnicodeSets {
			text = s.one()
		}
		t.out.WriteString(text)
	case ch >= '1' && ch <= '9':
		t.backReference()
	case ch == 'k' && t.named:
		t.namedReference()
	default:
		if r, ok := t.character(false); ok {
			t.literal(r)
		}
	}
	return false
}

// shorthand writes \d and its like.
func (t *translator) shorthand(ch rune) {
	switch {
	case ch == 'W' && t.u && t.folds:
		t.fold(allPoints)
		t.out.WriteString(`\W`)
	case ch == 'D' || ch == 'S' || ch == 'W':
		t.closed(`\` + string(ch))
	default:
		t.out.WriteString(`\` + string(ch))
	}
}

// backReference reads \1 … or, without u and without such a group, an old octal escape.
func (t *translator) backReference() {
	start := t.i
	n, _ := t.number()
	if n <= t.total {
		fmt.Fprintf(&t.out, `(?:\%d)`, n)
		return
	}
	t.i = start
	if t.u {
		t.fail("Invalid escape")
		return
	}
	t.literal(t.octal())
}

// octal reads an old octal escape, or 8 and 9 as themselves.
func (t *translator) octal() rune {
	r := t.peek() - '0'
	t.i++
	if r > 7 {
		return r + '0'
	}
	for range 2 {
		d := t.peek() - '0'
		if !t.more() || d < 0 || d > 7 || r*8+d > 0o377 {
			break
		}
		r = r*8 + d
		t.i++
	}
	return r
}

func (t *translator) namedReference() {
	t.i++
	if !t.eat("<") {
		t.fail("Invalid named reference")
		return
	}
	name := t.groupName()
	if t.message != "" {
		return
	}
	t.references = append(t.references, name)
	t.out.WriteString(`\k<` + name + `>`)
}

// property reads p{…} after a backslash.
func (t *translator) property(message string) string {
	start := t.i
	t.i++
	if !t.eat("{") {
		t.fail(message)
		return ""
	}
	for t.more() && t.peek() != '}' {
		ch := t.peek()
		if ch != '_' && ch != '=' && (ch < '0' || ch > '9') && (ch < 'A' || ch > 'Z') && (ch < 'a' || ch > 'z') {
			break
		}
		t.i++
	}
	if !t.eat("}") {
		t.fail(message)
		return ""
	}
	text := string(t.src[start:t.i])
	if t.flags.UnicodeSets && stringProperties[strings.Trim(text, "pP{}")] {
		if text[0] == 'P' {
			t.fail(message)
			return ""
		}
		t.fail("this pattern is not supported: " + `\` + text + " is a property of strings; use \\p{Emoji} or list the sequences with \\q{…}")
		return ""
	}
	return `\` + text
}

// stringProperties are the properties of strings of the v flag.
var stringProperties = map[string]bool{
	"Basic_Emoji": true, "Emoji_Keycap_Sequence": true, "RGI_Modifier_Sequence": true, "RGI_Flag_Sequence": true,
	"RGI_Emoji_Modifier_Sequence": true, "RGI_Emoji_Flag_Sequence": true, "RGI_Emoji_Tag_Sequence": true, "RGI_Emoji_ZWJ_Sequence": true, "RGI_Emoji": true,
}

// character reads an escape after its backslash that stands for one character.
func (t *translator) character(class bool) (r rune, ok bool) {
	ch := t.peek()
	switch ch {
	case 'f', 'n', 'r', 't', 'v':
		t.i++
		return map[rune]rune{'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}[ch], true
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return t.decimal(class)
	case 'c':
		return t.control(class)
	case 'x':
		if v, ok := t.hex(t.i+1, 2); ok {
			t.i += 3
			return v, true
		}
	case 'u':
		if v, ok := t.unicodeEscape(t.u); ok {
			return v, true
		}
		if t.u {
			t.fail("Invalid Unicode escape")
			return 0, false
		}
	}
	if t.u && !strings.ContainsRune(`^$\.*+?()[]{}|/`, ch) && !(class && ch == '-') && !(class && t.flags.UnicodeSets && strings.ContainsRune("&-!#%,:;<=>@`~", ch)) {
		t.fail("Invalid escape")
		return 0, false
	}
	t.i++
	return ch, true
}

func (t *translator) decimal(class bool) (rune, bool) {
	if t.peek() == '0' && (t.i+1 >= len(t.src) || t.src[t.i+1] < '0' || t.src[t.i+1] > '9') {
		t.i++
		return 0, true
	}
	if !t.u {
		return t.octal(), true
	}
	if class {
		t.fail("Invalid class escape")
	} else {
		t.fail("Invalid decimal escape")
	}
	return 0, false
}

// control reads c and a letter; without u a lone \c is a backslash.
func (t *translator) control(class bool) (rune, bool) {
	if t.i+1 < len(t.src) {
		ch := t.src[t.i+1]
		letter := ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z'
		if letter || !t.u && class && (ch >= '0' && ch <= '9' || ch == '_') {
			t.i += 2
			return ch % 32, true
		}
	}
	if t.u {
		t.fail("Invalid Unicode escape")
		return 0, false
	}
	return '\\', true // the c is read next
}

func (t *translator) hex(from, n int) (rune, bool) {
	if from+n > len(t.src) || n == 0 {
		return 0, false
	}
	v, err := strconv.ParseUint(string(t.src[from:from+n]), 16, 32)
	return rune(v), err == nil
}

// unicodeEscape reads u0041, with full also u{41} and surrogate pairs. It moves on only if it succeeds.
func (t *translator) unicodeEscape(full bool) (rune, bool) {
	if t.peek() != 'u' {
		return 0, false
	}
	if full && t.i+1 < len(t.src) && t.src[t.i+1] == '{' {
		end := t.i + 2
		for end < len(t.src) && t.src[end] != '}' {
			end++
		}
		digits := strings.TrimLeft(string(t.src[t.i+2:min(end, len(t.src))]), "0")
		if end == t.i+2 || end == len(t.src) || len(digits) > 6 {
			return 0, false
		}
		v, err := strconv.ParseUint("0"+digits, 16, 32)
		if err != nil || v > 0x10FFFF {
			return 0, false
		}
		t.i = end + 1
		return rune(v), true
	}
	v, ok := t.hex(t.i+1, 4)
	if !ok {
		return 0, false
	}
	t.i += 5
	if full && v >= 0xD800 && v < 0xDC00 && t.at(`\u`) {
		if lo, ok := t.hex(t.i+2, 4); ok && isPair(v, lo) {
			t.i += 6
			return utf16.DecodeRune(v, lo), true
		}
	}
	return v, true
}

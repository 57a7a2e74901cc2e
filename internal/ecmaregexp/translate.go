package ecmaregexp

// This file checks a pattern against the grammar (ECMA-262 22.2.1 and Annex B.1.2) and prints it for the matcher.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// translator reads a pattern and writes the matcher's. Without u and v the pattern is read by UTF-16 units.
type translator struct {
	src   []rune
	i     int
	flags Flags
	u     bool // u or v
	named bool // \k is a reference: with u or v, or if there is a named group
	out   strings.Builder

	total         int // capture groups of the whole pattern
	groups        int // groups opened so far
	names         []Name
	references    []string
	depth         int
	message       string
	classProperty bool
	folds         bool // regard to case is off somewhere
	folded        int  // characters whose other cases the matcher's compiler looks up
}

// translate returns the translator with its output, or a message.
func translate(pattern string, f Flags) (*translator, string) {
	t := &translator{flags: f, u: f.fullUnicode(), folds: f.IgnoreCase, src: decode(pattern, f.fullUnicode())}
	if len(t.src) > maxPattern {
		return nil, "Regular expression too large"
	}
	t.count()
	t.disjunction()
	if t.message == "" && t.i < len(t.src) {
		t.fail("Unmatched ')'")
	}
	if t.message == "" {
		t.checkReferences()
	}
	return t, t.message
}

// decode reads WTF-8 into code points, or into UTF-16 units.
func decode(pattern string, points bool) []rune {
	out := make([]rune, 0, len(pattern))
	for i := 0; i < len(pattern); {
		r, n := utf8.DecodeRuneInString(pattern[i:])
		if r == utf8.RuneError && n == 1 && pattern[i] == 0xED && i+2 < len(pattern) {
			r, n = rune(0xD000)|rune(pattern[i+1]&0x3F)<<6|rune(pattern[i+2]&0x3F), 3
		}
		i += n
		if r > 0xFFFF && !points {
			hi, lo := utf16.EncodeRune(r)
			out = append(out, hi, lo)
			continue
		}
		out = append(out, r)
	}
	return out
}

// closed writes a set that holds with each character its other cases, so that the matcher's compiler need not look them up.
func (t *translator) closed(set string) {
	if t.folds {
		set = "(?-i:" + set + ")"
	}
	t.out.WriteString(set)
}

// fold counts n members of a class; the matcher's compiler looks up the other cases of each.
func (t *translator) fold(n int) {
	if t.folded += n; t.folds && t.folded > maxFolded {
		t.fail("Regular expression too large")
	}
}

// allPoints is how many members the complement of a small set has.
const allPoints = 0x110000

// propertyPoints is what a property counts: few of its ranges are large.
const propertyPoints = allPoints / 16

// maxFolded keeps the time of compiling below a second.
const maxFolded = 32 * allPoints

func (t *translator) fail(message string) {
	if t.message == "" {
		t.message = message
	}
	t.i = len(t.src) // ends every loop
}

// count finds the number of groups and whether one is named, which decides what \1 and \k mean before it.
func (t *translator) count() {
	class := false
	for i := 0; i < len(t.src); i++ {
		switch t.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '(':
			if class {
				continue
			}
			named := i+3 < len(t.src) && t.src[i+1] == '?' && t.src[i+2] == '<' && t.src[i+3] != '=' && t.src[i+3] != '!'
			if named || i+1 >= len(t.src) || t.src[i+1] != '?' {
				t.total++
			}
			t.named = t.named || named
		}
	}
	t.named = t.named || t.u
}

func (t *translator) more() bool { return t.i < len(t.src) }

// at tells whether the text goes on with s.
func (t *translator) at(s string) bool {
	for k, r := range s {
		if t.i+k >= len(t.src) || t.src[t.i+k] != r {
			return false
		}
	}
	return true
}

func (t *translator) eat(s string) bool {
	if !t.at(s) {
		return false
	}
	t.i += len(s)
	return true
}

// peek is the next character, -1 at the end.
func (t *translator) peek() rune {
	if t.i < len(t.src) {
		return t.src[t.i]
	}
	return -1
}

func (t *translator) disjunction() {
	t.depth++
	if t.depth > maxNesting {
		t.fail("Regular expression too large")
		return
	}
	for t.more() && t.peek() != ')' {
		if t.eat("|") {
			t.out.WriteByte('|')
			continue
		}
		t.term()
	}
	t.depth--
}

// term reads an assertion, or an atom and its quantifier.
func (t *translator) term() {
	quantifiable := true
	switch ch := t.peek(); ch {
	case '^', '$':
		t.i++
		t.out.WriteRune(ch)
		return
	case '(':
		quantifiable = t.group()
	case '[':
		t.class()
	case '\\':
		if t.escape() {
			return
		}
	case '*', '+', '?':
		t.fail("Nothing to repeat")
	case '{':
		t.brace()
	case '}', ']':
		if t.u {
			t.fail("Lone quantifier brackets")
			return
		}
		t.i++
		t.out.WriteString(`\` + string(ch))
	case '.':
		t.i++
		t.closed(".")
	default:
		t.i++
		t.literal(ch)
	}
	t.quantifier(quantifiable)
}

func (t *translator) brace() {
	start := t.i
	if _, ok := t.bounds(); ok {
		t.fail("Nothing to repeat")
		return
	}
	if t.u {
		t.fail("Lone quantifier brackets")
		return
	}
	t.i = start + 1
	t.out.WriteString(`\{`)
}

// bounds reads {n}, {n,} or {n,m} and returns its text.
func (t *translator) bounds() (text string, ok bool) {
	start := t.i
	if !t.eat("{") {
		return "", false
	}
	low, lowOK := t.number()
	high, highOK := low, lowOK
	text = fmt.Sprintf("{%d}", low)
	if t.eat(",") {
		text = fmt.Sprintf("{%d,}", low)
		if high, highOK = t.number(); highOK {
			text = fmt.Sprintf("{%d,%d}", low, high)
		}
	} else if !lowOK {
		t.i = start
		return "", false
	}
	if !lowOK || !t.eat("}") {
		t.i = start
		return "", false
	}
	if highOK && high < low {
		t.fail("numbers out of order in {} quantifier")
	}
	return text, true
}

// maxCount is where counts of repetitions saturate; no text is longer.
const maxCount = 1<<31 - 1

func (t *translator) number() (n int, ok bool) {
	for ; t.more() && t.peek() >= '0' && t.peek() <= '9'; t.i++ {
		n = min(n*10+int(t.peek()-'0'), maxCount)
		ok = true
	}
	return n, ok
}

func (t *translator) quantifier(quantifiable bool) {
	if t.message != "" || !t.more() {
		return
	}
	text := ""
	switch ch := t.peek(); ch {
	case '*', '+', '?':
		t.i++
		text = string(ch)
	case '{':
		b, ok := t.bounds()
		if !ok {
			if t.u {
				t.fail("Incomplete quantifier")
			}
			return
		}
		text = b
	default:
		return
	}
	if !quantifiable {
		t.fail("Invalid quantifier")
		return
	}
	t.out.WriteString(text)
	if t.eat("?") {
		t.out.WriteByte('?')
	}
}

// group reads a parenthesis; the result tells whether a quantifier may follow.
func (t *translator) group() bool {
	t.i++
	open, quantifiable := "(", true
	switch {
	case !t.at("?"):
		t.groups++
	case t.eat("?:"):
		open = "(?:"
	case t.at("?=") || t.at("?!"):
		open = "(?" + string(t.src[t.i+1])
		t.i += 2
		quantifiable = !t.u
	case t.at("?<=") || t.at("?<!"):
		open = "(?<" + string(t.src[t.i+2])
		t.i += 3
		quantifiable = false
	case t.eat("?<"):
		t.groups++
		name := t.groupName()
		t.names = append(t.names, Name{name, t.groups})
		open = "(?<" + name + ">"
	default:
		open = t.modifiers()
	}
	if t.groups > maxGroups {
		t.fail("Too many captures")
	}
	t.out.WriteString(open)
	t.disjunction()
	if t.message == "" && !t.eat(")") {
		t.fail("Unterminated group")
	}
	t.out.WriteByte(')')
	return quantifiable
}

// modifiers reads ?i-ms: of a group.
func (t *translator) modifiers() string {
	t.i++
	seen := map[rune]bool{}
	minus, any := false, false
	open := "(?"
	for t.more() {
		ch := t.src[t.i]
		t.i++
		switch {
		case ch == ':' && any:
			return open + ":"
		case ch == '-' && !minus:
			minus = true
		case (ch == 'i' || ch == 'm' || ch == 's') && !seen[ch]:
			seen[ch], any = true, true
			t.folds = t.folds || ch == 'i'
		default:
			t.fail("Invalid group")
			return open
		}
		open += string(ch)
	}
	t.fail("Invalid group")
	return open
}

// groupName reads up to the closing angle bracket.
func (t *translator) groupName() string {
	var name []rune
	for t.more() {
		ch := t.src[t.i]
		t.i++
		if ch == '>' {
			if len(name) == 0 {
				break
			}
			return string(name)
		}
		if ch == '\\' {
			r, ok := t.unicodeEscape(true)
			if !ok {
				t.fail("Invalid Unicode escape")
				return ""
			}
			ch = r
		} else if utf16.IsSurrogate(ch) && t.more() && isPair(ch, t.peek()) {
			ch = utf16.DecodeRune(ch, t.peek())
			t.i++
		}
		if !isNameChar(ch, len(name) == 0) {
			break
		}
		name = append(name, ch)
	}
	t.fail("Invalid capture group name")
	return ""
}

func isNameChar(r rune, first bool) bool {
	if r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r) {
		return true
	}
	return !first && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) || r == '\u200C' || r == '\u200D')
}

func (t *translator) checkReferences() {
	known := map[string]bool{}
	for _, n := range t.names {
		known[n.Name] = true
	}
	for _, name := range t.references {
		if !known[name] {
			t.fail("Invalid named capture referenced")
			return
		}
	}
}

// literal writes a character that stands for itself.
func (t *translator) literal(r rune) { t.out.WriteString(quoted(r)) }

// quoted is a character as the matcher reads it, inside or outside a class.
func quoted(r rune) string {
	switch {
	case r < 0x20 || r == 0x7F || utf16.IsSurrogate(r) || r == 0x2028 || r == 0x2029 || r == 0xFEFF:
		return fmt.Sprintf(`\u%04X`, r)
	case strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
		return `\` + string(r)
	}
	return string(r)
}

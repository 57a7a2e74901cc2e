package ecmaregexp

// This file reads character classes.

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// class reads a character class.
func (t *translator) class() {
	if t.flags.UnicodeSets {
		s, ok := t.classSet()
		if ok {
			t.out.WriteString(s.print())
		}
		return
	}
	t.i++
	t.out.WriteByte('[')
	if t.eat("^") {
		t.out.WriteByte('^')
	}
	// The matcher joins a high surrogate with a low one after it, so the low ones go first. It also loses sets of a few
	// surrogates; a range that no code unit is in makes the set a large one.
	var lows, others strings.Builder
	for t.more() && t.peek() != ']' {
		var item strings.Builder
		t.classRange(&item)
		if text := item.String(); isLowEscape(text) {
			lows.WriteString(text)
		} else {
			others.WriteString(text)
		}
	}
	t.out.WriteString(lows.String() + others.String())
	if !t.u && strings.Contains(lows.String()+others.String(), `\uD`) {
		t.out.WriteString("\U000F0000-\U000FFFFD")
	}
	if t.message == "" && !t.eat("]") {
		t.fail("Unterminated character class")
	}
	t.out.WriteByte(']')
}

// isLowEscape tells whether the printed member starts with a low surrogate.
func isLowEscape(text string) bool {
	return len(text) >= 4 && text[:3] == `\uD` && text[3] >= 'C' && text[3] <= 'F'
}

// atom is a member of a class: one character or, with text, a class escape.
type atom struct {
	r    rune
	text string
}

func (a atom) String() string {
	switch {
	case a.text != "":
		return a.text
	case a.r == '-':
		return `\-`
	}
	return quoted(a.r)
}

func (t *translator) classRange(out *strings.Builder) {
	low, ok := t.classAtom()
	if !ok {
		return
	}
	if t.peek() != '-' || t.i+1 >= len(t.src) || t.src[t.i+1] == ']' {
		out.WriteString(low.String())
		return
	}
	t.i++
	high, ok := t.classAtom()
	if !ok {
		return
	}
	if low.text != "" || high.text != "" {
		if t.u {
			t.fail("Invalid character class")
			return
		}
		out.WriteString(low.String() + `\-` + high.String())
		return
	}
	if low.r > high.r {
		t.fail("Range out of order in character class")
		return
	}
	t.fold(int(high.r - low.r))
	out.WriteString(low.String() + "-" + high.String())
}

func (t *translator) classAtom() (atom, bool) {
	ch := t.src[t.i]
	t.i++
	if ch != '\\' {
		return atom{r: ch}, true
	}
	if !t.more() {
		t.fail(`\ at end of pattern`)
		return atom{}, false
	}
	return t.classEscape()
}

// classEscape reads an escape in a class, after the backslash.
func (t *translator) classEscape() (atom, bool) {
	switch ch := t.peek(); {
	case ch == 'b':
		t.i++
		return atom{r: '\b'}, true
	case strings.ContainsRune("dDsSwW", ch):
		t.i++
		if ch < 'a' {
			t.fold(allPoints)
		}
		return atom{text: `\` + string(ch)}, true
	case (ch == 'p' || ch == 'P') && t.u:
		t.classProperty = true
		t.fold(propertyPoints)
		text := t.property("Invalid property name in character class")
		return atom{text: text}, text != ""
	}
	r, ok := t.character(true)
	return atom{r: r}, ok
}

// set is the value of a class under the v flag. Single characters are alternatives that each match exactly one code
// point; strings are listed apart.
type set struct {
	members string   // body of a plain class
	others  []string // expressions for one code point
	strings []string // texts of none or several code points
}

// one is an expression for the single code points.
func (s *set) one() string {
	if len(s.others) == 0 {
		return "[" + s.members + "]"
	}
	alts := s.others
	if s.members != "" {
		alts = append([]string{"[" + s.members + "]"}, alts...)
	}
	return "(?:" + strings.Join(alts, "|") + ")"
}

// print writes the whole set, longest strings first.
func (s *set) print() string {
	if len(s.strings) == 0 {
		return s.one()
	}
	texts := slices.Clone(s.strings)
	slices.SortStableFunc(texts, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	var parts []string
	empty := false
	for _, text := range texts {
		if text == "" {
			empty = true
			continue
		}
		var b strings.Builder
		for _, r := range text {
			b.WriteString(quoted(r))
		}
		parts = append(parts, b.String())
	}
	parts = append(parts, s.one())
	if empty {
		parts = append(parts, "")
	}
	return "(?:" + strings.Join(parts, "|") + ")"
}

func (s *set) union(o *set) {
	s.members += o.members
	s.others = append(s.others, o.others...)
	for _, text := range o.strings {
		if !slices.Contains(s.strings, text) {
			s.strings = append(s.strings, text)
		}
	}
}

// classSet reads a class of the v flag.
func (t *translator) classSet() (*set, bool) {
	t.depth++
	defer func() { t.depth-- }()
	if t.depth > maxNesting {
		t.fail("Regular expression too large")
		return nil, false
	}
	t.i++
	negated := t.eat("^")
	s := &set{}
	if t.peek() != ']' {
		var ok bool
		if s, ok = t.classContents(); !ok {
			return nil, false
		}
	}
	if !t.eat("]") {
		t.fail("Unterminated character class")
		return nil, false
	}
	if !negated {
		return s, true
	}
	if len(s.strings) > 0 {
		t.fail("Negated character class may contain strings")
		return nil, false
	}
	return &set{others: []string{"(?!" + s.one() + `)[^]`}}, true
}

// classContents reads a union, or operands of && or --.
func (t *translator) classContents() (*set, bool) {
	s, ok := t.operand()
	if !ok {
		return nil, false
	}
	operator := ""
	for ok && t.more() && t.peek() != ']' {
		next := ""
		if t.at("&&") || t.at("--") {
			next = string(t.src[t.i : t.i+2])
			t.i += 2
			if next == "&&" && t.peek() == '&' {
				t.fail("Invalid character in character class")
				return nil, false
			}
		}
		if operator != next && operator != "" || next != "" && operator == "" && s.mixed {
			t.fail("Invalid set operation in character class")
			return nil, false
		}
		var o operand
		if o, ok = t.operand(); !ok {
			return nil, false
		}
		operator = next
		if next == "" {
			s.union(&o.set)
			s.mixed = true
			continue
		}
		if o.isRange {
			t.fail("Invalid set operation in character class")
			return nil, false
		}
		s.combine(next, &o.set, t.flags.IgnoreCase)
	}
	return &s.set, ok
}

// operand is a set with what the grammar needs to know about how it was written.
type operand struct {
	set
	isRange bool
	mixed   bool // already a union or range: no operator may follow
}

// combine intersects or subtracts.
func (s *set) combine(op string, o *set, ignoreCase bool) {
	equal := func(a string) func(string) bool {
		return func(b string) bool { return a == b || ignoreCase && strings.EqualFold(a, b) }
	}
	look := "(?="
	if op == "--" {
		look = "(?!"
	}
	one := look + o.one() + ")" + s.one()
	var texts []string
	for _, text := range s.strings {
		if slices.ContainsFunc(o.strings, equal(text)) == (op == "&&") {
			texts = append(texts, text)
		}
	}
	*s = set{others: []string{one}, strings: texts}
}

// operand reads a nested class, an escape, a string disjunction, a character or a range.
func (t *translator) operand() (operand, bool) {
	switch {
	case t.at("["):
		s, ok := t.classSet()
		if !ok {
			return operand{}, false
		}
		return operand{set: *s}, true
	case t.at(`\q{`):
		return t.stringDisjunction()
	}
	low, ok := t.setAtom()
	if !ok {
		return operand{}, false
	}
	if t.peek() != '-' || t.at("--") {
		return operand{set: t.atomSet(low)}, true
	}
	t.i++
	if !t.more() {
		t.fail("Unterminated character class")
		return operand{}, false
	}
	if low.text != "" {
		t.fail("Invalid character class")
		return operand{}, false
	}
	high, ok := t.setAtom()
	if !ok {
		return operand{}, false
	}
	if high.text != "" {
		t.fail("Invalid character class")
		return operand{}, false
	}
	if low.r > high.r {
		t.fail("Range out of order in character class")
		return operand{}, false
	}
	t.fold(int(high.r - low.r))
	return operand{set: set{members: low.String() + "-" + high.String()}, isRange: true, mixed: true}, true
}

// atomSet is the set of one atom. A complement that ignores case is taken after folding, unlike in the matcher.
func (t *translator) atomSet(a atom) set {
	if t.flags.IgnoreCase && strings.HasPrefix(a.text, `\P`) {
		return set{others: []string{`(?!\p` + a.text[2:] + `)[^]`}}
	}
	return set{members: a.String()}
}

// setAtom reads a character or class escape of the v flag.
func (t *translator) setAtom() (atom, bool) {
	if !t.more() {
		t.fail("Unterminated character class")
		return atom{}, false
	}
	ch := t.src[t.i]
	switch {
	case ch == '\\':
		return t.classAtom()
	case strings.ContainsRune("()[]{}/-|", ch):
		t.fail("Invalid character in character class")
		return atom{}, false
	case strings.ContainsRune("&!#$%*+,.:;<=>?@^`~", ch) && t.i+1 < len(t.src) && t.src[t.i+1] == ch:
		t.fail("Invalid set operation in character class")
		return atom{}, false
	}
	t.i++
	return atom{r: ch}, true
}

// stringDisjunction reads \q{abc|d|}.
func (t *translator) stringDisjunction() (operand, bool) {
	t.i += 3
	var s set
	var text []rune
	finish := func() {
		if len(text) == 1 {
			s.members += atom{r: text[0]}.String()
		} else {
			s.union(&set{strings: []string{string(text)}})
		}
		text = text[:0]
	}
	for t.more() {
		switch {
		case t.eat("}"):
			finish()
			return operand{set: s}, true
		case t.eat("|"):
			finish()
			continue
		}
		a, ok := t.setAtom()
		if !ok {
			return operand{}, false
		}
		if a.text != "" {
			t.fail("Invalid escape")
			return operand{}, false
		}
		text = append(text, a.r)
	}
	t.fail("Invalid character class")
	return operand{}, false
}

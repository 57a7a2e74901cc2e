package builtin

// This file defines how the parts of a printed value are laid out: on one line where they fit, short items side by side in
// columns, the others below each other, as developers' consoles do.

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

const (
	inspectWidth  = 80
	inspectLevels = 3 // of nesting that one line may hold
	maxColumns    = 15
	groupFrom     = 7 // items are put in columns
)

// layout makes the text of a block at a depth.
func (i *inspector) layout(b block, depth int) string {
	if len(b.parts) == 0 {
		if b.bare && b.base != "" {
			return b.base
		}
		return join(b.base, b.open+b.end)
	}
	parts := b.parts
	if b.list && len(parts) >= groupFrom {
		parts = i.columns(b)
	}
	if i.deepest-depth < inspectLevels && len(parts) == len(b.parts) {
		start := len(parts) + i.indent + len(b.open) + len(b.base) + 10
		if fits(parts, start) && !strings.Contains(b.base, "\n") {
			return join(b.base, b.open+" "+strings.Join(parts, ", ")+" "+b.end)
		}
	}
	pad := "\n" + strings.Repeat(" ", i.indent)
	return join(b.base, b.open+pad+"  "+strings.Join(parts, ","+pad+"  ")+pad+b.end)
}

func fits(parts []string, start int) bool {
	total := len(parts) + start
	for _, p := range parts {
		total += unitsIn(p)
		if total > inspectWidth || strings.Contains(p, "\n") {
			return false
		}
	}
	return true
}

// columns joins the items of a list into rows of equal columns, if many of them are short.
func (i *inspector) columns(b block) []string {
	parts, items := b.parts, len(b.parts)
	if b.overflow {
		items--
	}
	widths := make([]int, items)
	total, widest := 0, 0
	for at := range items {
		widths[at] = cells(parts[at])
		total += widths[at] + 2
		widest = max(widest, widths[at])
	}
	column := widest + 2
	if column*3+i.indent >= inspectWidth || float64(total)/float64(column) <= 5 && widest > 6 {
		return parts
	}
	bias := max(float64(column)-3-math.Sqrt(float64(column)-float64(total)/float64(len(parts))), 1)
	n := int(min(math.Round(math.Sqrt(2.5*bias*float64(items))/bias), math.Floor(float64(inspectWidth-i.indent)/float64(column)), inspectLevels*4, maxColumns))
	if n <= 1 {
		return parts
	}
	var rows []string
	most := columnWidths(widths, n)
	for from := 0; from < items; from += n {
		var row strings.Builder
		to := min(from+n, items)
		for at := from; at < to; at++ {
			text, room := parts[at], most[at-from]-2-widths[at]
			if at < to-1 {
				text += ", "
			}
			switch {
			case b.numbers:
				row.WriteString(strings.Repeat(" ", room) + text)
			case at < to-1:
				row.WriteString(text + strings.Repeat(" ", room))
			default:
				row.WriteString(text)
			}
		}
		rows = append(rows, row.String())
	}
	return append(rows, parts[items:]...)
}

// columnWidths is how wide each of n columns is, with the comma and a space.
func columnWidths(widths []int, n int) []int {
	most := make([]int, n)
	for at, w := range widths {
		most[at%n] = max(most[at%n], w+2)
	}
	return most
}

// cells is how many columns of a terminal a text takes.
func cells(s string) int {
	n := 0
	for _, c := range s {
		switch k := width.LookupRune(c).Kind(); {
		case k == width.EastAsianWide || k == width.EastAsianFullwidth:
			n += 2
		case !unicode.Is(unicode.Mn, c) && !unicode.Is(unicode.Me, c) && !unicode.Is(unicode.Cf, c):
			n++
		}
	}
	return n
}

// text quotes a string inside a value. A long one with line ends is broken there, and the end of a very long one left out.
func (i *inspector) text(of *value.Str, depth int) string {
	s, rest := clipStr(of)
	if depth > 0 && len(s) > 16 && unitsIn(s) > inspectWidth-i.indent-4 && strings.Contains(s, "\n") {
		var lines []string
		for line := range strings.Lines(s) {
			lines = append(lines, quote(line))
		}
		return strings.Join(lines, " +\n"+strings.Repeat(" ", i.indent+2)) + rest
	}
	return quote(s) + rest
}

// clipStr is the beginning of a string, without half a character, and what to say of the end that is left out.
func clipStr(s *value.Str) (text, rest string) {
	n := s.Len()
	if n <= inspectText {
		return s.String(), ""
	}
	cut := inspectText
	if c := s.At(cut - 1); utf16.IsSurrogate(rune(c)) && c < 0xDC00 && utf16.IsSurrogate(rune(s.At(cut))) {
		cut--
	}
	rest = fmt.Sprintf("... %d more characters", n-inspectText)
	if n == inspectText+1 {
		rest = "... 1 more character"
	}
	return s.Slice(0, cut).String(), rest
}

// clipText is clipStr for the names and descriptions that a value consists of.
func clipText(s string) string {
	if len(s) <= inspectText {
		return s
	}
	cut := inspectText
	for cut > inspectText-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// quote puts a text into the quotes that it does not have itself.
func quote(s string) string {
	q := byte('\'')
	if strings.ContainsRune(s, '\'') {
		switch {
		case !strings.ContainsRune(s, '"'):
			q = '"'
		case !strings.ContainsRune(s, '`') && !strings.Contains(s, "${"):
			q = '`'
		}
	}
	out := append(make([]byte, 0, len(s)+2), q)
	for at := 0; at < len(s); {
		c, n := utf8.DecodeRuneInString(s[at:])
		out = appendQuotedRune(out, s[at:at+n], c, rune(q))
		at += n
	}
	return string(append(out, q))
}

var controls = map[rune]string{'\b': "\\b", '\t': "\\t", '\n': "\\n", '\f': "\\f", '\r': "\\r", '\\': "\\\\"}

func appendQuotedRune(out []byte, text string, c, q rune) []byte {
	if e, ok := controls[c]; ok {
		return append(out, e...)
	}
	switch {
	case c == '\'' && q == '\'':
		return append(out, "\\'"...)
	case c < ' ' || c >= 0x7f && c < 0xa0:
		return fmt.Appendf(out, "\\x%02X", c)
	}
	return append(out, text...)
}

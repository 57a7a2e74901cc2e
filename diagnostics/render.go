// This file defines the rendered form of a diagnostic, with a code frame.

package diagnostics

import (
	"strconv"
	"strings"
	"unicode"
)

const (
	frameWidth = 100 // cells of source shown
	tabWidth   = 4
	// longestLine is the limit of program texts; a longer line was refused and
	// has no frame.
	longestLine = 64 << 10
)

// Render is d for a person or model to read: kind and message, the place with
// a frame of source, which is the text as submitted, suggestions and related
// diagnostics. Terminal control characters of the source are made visible.
func Render(source string, d Diagnostic) string {
	var b strings.Builder
	lines := splitLines(source)
	render(&b, lines, d)
	for _, related := range d.Related {
		b.WriteByte('\n')
		render(&b, lines, related)
	}
	if more := d.RelatedCount - len(d.Related); d.RelatedCount > 0 && more > 0 {
		b.WriteString("\n… and " + strconv.Itoa(more) + " more\n")
	}
	return b.String()
}

func render(b *strings.Builder, lines []string, d Diagnostic) {
	b.WriteString(string(d.Kind) + ": " + d.Message + "\n")
	if !d.Location.IsZero() {
		frame(b, lines, d.Location)
	}
	for _, s := range d.Suggestions {
		b.WriteString("  try: " + s + "\n")
	}
}

// splitLines splits at ECMAScript's line terminators; CR LF is one.
func splitLines(source string) []string {
	var lines []string
	start := 0
	for i, r := range source {
		switch r {
		case '\n', '\u2028', '\u2029':
		case '\r':
			if strings.HasPrefix(source[i+1:], "\n") {
				continue
			}
		default:
			continue
		}
		lines = append(lines, strings.TrimSuffix(source[start:i], "\r"))
		start = i + len(string(r))
	}
	return append(lines, source[start:])
}

func frame(b *strings.Builder, lines []string, at Location) {
	number := strconv.Itoa(at.Line)
	gutter := strings.Repeat(" ", len(number)+1)
	b.WriteString(gutter + "--> " + at.String() + "\n")
	if at.Line < 1 || at.Line > len(lines) || len(lines[at.Line-1]) > longestLine {
		return
	}
	text, from, to := window(cells(lines[at.Line-1]), at)
	b.WriteString(gutter + "|\n" + number + " | " + text + "\n")
	b.WriteString(gutter + "| " + strings.Repeat(" ", from) + strings.Repeat("^", max(1, to-from)) + "\n")
}

// cell is what one character of a line looks like.
type cell struct {
	text   string
	width  int // in terminal cells
	column int // 1-based, in UTF-16 units
}

func cells(line string) []cell {
	out := make([]cell, 0, len(line)+1)
	column := 1
	for _, r := range line {
		c := cell{text: string(r), width: runeWidth(r), column: column}
		switch {
		case r == '\t':
			c.text, c.width = strings.Repeat(" ", tabWidth), tabWidth
		case r < 0x20:
			c.text = string(0x2400 + r)
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r) && r != '\u200d':
			c.text, c.width = "\uFFFD", 1
		}
		out = append(out, c)
		if column++; r > 0xFFFF {
			column++
		}
	}
	return append(out, cell{column: column})
}

// window cuts a long line down to the surroundings of the place, and returns
// the marked range in terminal cells.
func window(line []cell, at Location) (text string, from, to int) {
	end := at.EndColumn
	if at.EndLine > at.Line {
		end = line[len(line)-1].column
	}
	first, last := 0, len(line)-1
	for first < last && line[first+1].column <= at.Column {
		first++
	}
	start, shown := viewport(line, first)
	var b strings.Builder
	width := 0
	if start > 0 {
		b.WriteString("…")
		width = 1
	}
	from = -1
	for i, c := range line[start:shown] {
		if i+start == first {
			from = width
		}
		b.WriteString(c.text)
		width += c.width
		if c.column < end && i+start >= first {
			to = width
		}
	}
	if from < 0 {
		from = width
	}
	if shown < len(line)-1 {
		b.WriteString("…")
	}
	return strings.TrimRight(b.String(), " "), from, to
}

// viewport picks the cells around the marked one that fit the frame.
func viewport(line []cell, first int) (start, end int) {
	width := 0
	for start = first; start > 0 && width < frameWidth/2; start-- {
		width += line[start-1].width
	}
	if rest := line[:start]; totalWidth(rest) <= 1 {
		start = 0
	}
	width = 0
	for end = start; end < len(line) && width <= frameWidth; end++ {
		width += line[end].width
	}
	return start, end
}

func totalWidth(line []cell) int {
	width := 0
	for _, c := range line {
		width += c.width
	}
	return width
}

// wide are the ranges that terminals show in two cells: Unicode's East Asian
// Width W and F, coarsely.
var wide = [][2]rune{
	{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
	{0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD},
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200d' {
		return 0
	}
	for _, span := range wide {
		if r >= span[0] && r <= span[1] {
			return 2
		}
	}
	return 1
}

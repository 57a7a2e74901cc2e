package source

// This file defines line tables: offsets to lines and columns.

import (
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/codemode-go/codemode/diagnostics"
)

// lineTable translates byte offsets into lines and columns.
type lineTable struct {
	text   string
	starts []int
}

// load finds the lines as editors count them: LF, CR LF and CR end a line.
func (t *lineTable) load(text string) {
	t.text = text
	t.starts = append(t.starts[:0], 0)
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			t.starts = append(t.starts, i+1)
		}
	}
}

// loadSeparators is load with U+2028 and U+2029 ending lines too, as JavaScript and source maps count.
func (t *lineTable) loadSeparators(text string) {
	t.text = text
	t.starts = append(t.starts[:0], 0)
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '\n', ch == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			t.starts = append(t.starts, i+1)
		case ch == 0xE2 && i+2 < len(text) && text[i+1] == 0x80 && (text[i+2] == 0xA8 || text[i+2] == 0xA9):
			t.starts = append(t.starts, i+3)
		}
	}
}

// place gives the 0-based line and the column in UTF-16 units.
func (t *lineTable) place(off int) (line, col int) {
	line = sort.SearchInts(t.starts, off+1) - 1
	return line, units(t.text[t.starts[line]:off])
}

// offset is the inverse of place.
func (t *lineTable) offset(line, col int) int {
	if line >= len(t.starts) {
		return len(t.text)
	}
	return advance(t.text, t.starts[line], col)
}

// location is the diagnostic form of a stretch; with end -1 the name or number at off is taken.
func (t *lineTable) location(off, end int) diagnostics.Location {
	if end < 0 {
		end = wordEnd(t.text, off)
	}
	line, col := t.place(off)
	loc := diagnostics.Location{Line: line + 1, Column: col + 1}
	if end > off {
		endLine, endCol := t.place(end)
		loc.EndColumn = endCol + 1
		if endLine != line {
			loc.EndLine = endLine + 1
		}
	}
	return loc
}

// wordEnd is the end of the name or number at off, or off.
func wordEnd(text string, off int) int {
	for off < len(text) {
		r, n := utf8.DecodeRuneInString(text[off:])
		if r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		off += n
	}
	return off
}

// units counts UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// advance moves n UTF-16 units on.
func advance(s string, off, n int) int {
	for n > 0 && off < len(s) {
		if s[off] < utf8.RuneSelf {
			off++
			n--
			continue
		}
		r, size := utf8.DecodeRuneInString(s[off:])
		off += size
		n--
		if r > 0xFFFF {
			n--
		}
	}
	return off
}

package source

// This file defines Text, a program ready for parsing, and its way back to the submitted text.

import (
	"encoding/json"
	"sort"
	"strings"
	"sync"

	"github.com/codemode-go/codemode/diagnostics"
)

// Text is a prepared program. It is immutable to its users and may be shared by concurrent executions.
type Text struct {
	// JS is the stripped text: one carrier function whose body is the program, starting with a "use strict" directive.
	JS string
	// Notes say what was done to the submitted text before it was read as a program.
	Notes []string
	// Warnings are remarks on the program that do not keep it from running.
	Warnings []diagnostics.Diagnostic

	layout  layout
	wrapped string // what was given to type erasure
	lead    int    // length of what stands before the body in it
	mapping []byte // its source map
	renamed bool   // it has names
	once    sync.Once
	segs    []segment
	names   []string
	source  lineTable // of wrapped
	lines   lineTable // of the submitted text
}

// segment is one entry of the source map.
type segment struct {
	gen       int // offset into JS
	line, col int // place in wrapped, 0-based, UTF-16 units
	name      int // index into names, -1 without
}

// Locate gives the place in the submitted text that an offset into JS came from: the zero Location for a negative
// offset. The end is that of the name at the place.
func (t *Text) Locate(pos int32) diagnostics.Location {
	if pos < 0 {
		return diagnostics.Location{}
	}
	t.once.Do(t.load)
	return t.lines.location(t.origin(int(pos)), -1)
}

// Snippet gives the submitted text between two offsets into JS, or the JavaScript between them where the way back is
// unknown.
func (t *Text) Snippet(start, end int32) string {
	if start < 0 || end < start || int(end) > len(t.JS) {
		return ""
	}
	t.once.Do(t.load)
	from, to := t.origin(int(start)), t.origin(int(end)-1)+1
	if s := t.segmentAt(int(end) - 1); s == nil || s.gen != int(end)-1 || to <= from {
		return t.JS[start:end]
	}
	from, to = parenthesised(t.layout.submitted, from, to)
	return t.layout.submitted[from:to]
}

// parenthesised widens the text of an arrow function by parentheses that erasure takes away: around the one parameter,
// and around the body.
func parenthesised(text string, from, to int) (int, int) {
	head, _, arrow := strings.Cut(text[from:to], "=>")
	if !arrow {
		return from, to
	}
	before := strings.TrimRight(text[:from], " \t\r\n")
	depth, outside := balance(head)
	if depth < 0 && strings.HasSuffix(before, "(") {
		from = len(before) - 1
	} else if outside && head[0] != '(' && !strings.HasPrefix(head, "async (") && !strings.HasPrefix(head, "async(") {
		return from, to // the arrow is inside of a function or class
	}
	for depth, _ = balance(text[from:to]); depth > 0; depth-- {
		after := strings.TrimLeft(text[to:], " \t\r\n")
		if !strings.HasPrefix(after, ")") {
			break
		}
		to = len(text) - len(after) + 1
	}
	return from, to
}

// balance counts parentheses outside of strings; open reports that a brace was opened.
func balance(text string) (depth int, open bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(':
			depth++
		case ')':
			depth--
		case '{':
			open = true
		case '"', '\'', '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return depth, open
}

// Name gives the name that stood at an offset into JS before erasure renamed it, or "".
func (t *Text) Name(pos int32) string {
	if pos < 0 || !t.renamed {
		return "" // the usual case: the map need not be read
	}
	t.once.Do(t.load)
	if s := t.segmentAt(int(pos)); s != nil && s.gen == int(pos) && s.name >= 0 && s.name < len(t.names) {
		return t.names[s.name]
	}
	return ""
}

// Problem makes a diagnostic of the program at an offset into JS.
func (t *Text) Problem(kind diagnostics.Kind, pos int32, message string, suggestions ...string) diagnostics.Diagnostic {
	return diagnostics.Diagnostic{Kind: kind, Message: message, Location: t.Locate(pos), Origin: diagnostics.OriginProgram, Suggestions: suggestions}
}

// noNames is how a source map without renamed tokens looks.
var noNames = []byte(`"names": []`)

func (t *Text) segmentAt(pos int) *segment {
	i := sort.Search(len(t.segs), func(i int) bool { return t.segs[i].gen > pos })
	if i == 0 {
		return nil
	}
	return &t.segs[i-1]
}

// origin translates an offset into JS to one into the submitted text.
func (t *Text) origin(pos int) int {
	s := t.segmentAt(pos)
	if s == nil {
		return t.layout.offset(0)
	}
	off := t.source.offset(s.line, s.col)
	// Between two entries the texts usually agree; where they do not, the entry before is the place.
	if d := pos - s.gen; d > 0 && off+d < len(t.wrapped) && t.wrapped[off:off+d] == t.JS[s.gen:s.gen+d] {
		off += d
	}
	return t.layout.offset(off - t.lead)
}

func (t *Text) load() {
	t.source.loadSeparators(t.wrapped)
	t.lines.load(t.layout.submitted)
	var m struct {
		Mappings string
		Names    []string
	}
	if json.Unmarshal(t.mapping, &m) != nil {
		return
	}
	t.names = m.Names
	t.segs = decodeMappings(m.Mappings, t.JS)
}

// decodeMappings reads the VLQ entries of a source map (version 3) over the generated text.
func decodeMappings(mappings, js string) []segment {
	var lines lineTable
	lines.loadSeparators(js)
	segs := make([]segment, 0, len(mappings)/5)
	var line, genCol, off, fields int
	var field [5]int
	cur := segment{name: -1}
	nameIndex := 0
	flush := func() {
		if fields > 0 {
			off = advance(js, off, field[0])
			genCol += field[0]
		}
		if fields >= 4 {
			cur.line += field[2]
			cur.col += field[3]
			cur.gen, cur.name = off, -1
			if fields == 5 {
				nameIndex += field[4]
				cur.name = nameIndex
			}
			segs = append(segs, cur)
		}
		fields = 0
	}
	for i := 0; i < len(mappings); {
		switch mappings[i] {
		case ';':
			flush()
			line++
			genCol = 0
			off = lines.offset(line, 0)
			i++
		case ',':
			flush()
			i++
		default:
			v, n := decodeVLQ(mappings[i:])
			if fields < len(field) {
				field[fields] = v
				fields++
			}
			i += n
		}
	}
	flush()
	return segs
}

// decodeVLQ reads one base-64 variable-length number.
func decodeVLQ(s string) (value, n int) {
	shift := 0
	for n < len(s) {
		d := base64Digit(s[n])
		n++
		value |= (d & 31) << shift
		shift += 5
		if d&32 == 0 {
			break
		}
	}
	if value&1 != 0 {
		return -(value >> 1), n
	}
	return value >> 1, n
}

func base64Digit(ch byte) int {
	switch {
	case ch >= 'A' && ch <= 'Z':
		return int(ch - 'A')
	case ch >= 'a' && ch <= 'z':
		return int(ch-'a') + 26
	case ch >= '0' && ch <= '9':
		return int(ch-'0') + 52
	case ch == '+':
		return 62
	}
	return 63
}

package config

// This file defines how JSON with comments is read.

import (
	"errors"
	"fmt"
	"sort"

	"github.com/tailscale/hujson"
)

// readJSON reads JSON with comments and trailing commas. The error has the line.
func readJSON(source []byte) (*node, error) {
	if line := tooDeep(source); line > 0 {
		return nil, &syntaxError{line, fmt.Errorf("nests deeper than %d levels", maxDepth)}
	}
	v, err := hujson.Parse(source)
	lines := linesOf(source)
	if err != nil {
		return nil, jsonError(err)
	}
	return lines.node(v, 0), nil
}

// syntaxError is a mistake in the notation of a file.
type syntaxError struct {
	line int // 0 if that is not known
	err  error
}

func (e *syntaxError) Error() string { return e.err.Error() }

// jsonError takes the place out of the parser's message: "hujson: line 3, column 5: …".
func jsonError(err error) error {
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); n < 2 {
		return &syntaxError{0, err}
	}
	if cause := errors.Unwrap(err); cause != nil {
		err = cause
	}
	return &syntaxError{line, err}
}

// lines are the offsets at which lines begin.
type lines []int

func linesOf(source []byte) lines {
	l := lines{0}
	for i, c := range source {
		if c == '\n' {
			l = append(l, i+1)
		}
	}
	return l
}

// at is the line of an offset.
func (l lines) at(offset int) int {
	return sort.Search(len(l), func(i int) bool { return l[i] > offset })
}

func (l lines) node(v hujson.Value, depth int) *node {
	n := &node{line: l.at(v.StartOffset)}
	switch v := v.Value.(type) {
	case *hujson.Object:
		n.kind = object
		for _, m := range v.Members {
			key, _ := m.Name.Value.(hujson.Literal)
			n.members = append(n.members, member{key.String(), l.at(m.Name.StartOffset), l.node(m.Value, depth+1)})
		}
	case *hujson.Array:
		n.kind = array
		for _, item := range v.Elements {
			n.items = append(n.items, l.node(item, depth+1))
		}
	case hujson.Literal:
		switch v.Kind() {
		case '"':
			n.kind, n.text = text, v.String()
		case '0':
			n.kind, n.text = number, string(v)
		case 't', 'f':
			n.kind, n.text = boolean, string(v)
		}
	}
	return n
}

// tooDeep is the line at which JSON text nests too deep, 0 if none: the parser has no bound, and would use up the stack.
func tooDeep(source []byte) int {
	depth, line := 0, 1
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case '\n':
			line++
		case '[', '{':
			if depth++; depth > maxDepth {
				return line
			}
		case ']', '}':
			depth--
		case '"':
			i = afterQuoted(source, i)
		case '/':
			end := afterComment(source, i)
			for ; i < end; i++ {
				if source[i] == '\n' {
					line++
				}
			}
		}
	}
	return 0
}

// afterQuoted is the offset of the quote that ends a text.
func afterQuoted(source []byte, i int) int {
	for i++; i < len(source) && source[i] != '"'; i++ {
		if source[i] == '\\' {
			i++
		}
	}
	return i
}

// afterComment is the offset of the last character of a comment that begins at i, or i.
func afterComment(source []byte, i int) int {
	if i+1 >= len(source) {
		return i
	}
	switch source[i+1] {
	case '/':
		for i+1 < len(source) && source[i+1] != '\n' {
			i++
		}
	case '*':
		for i += 2; i+1 < len(source); i++ {
			if source[i] == '*' && source[i+1] == '/' {
				return i + 1
			}
		}
	}
	return i
}

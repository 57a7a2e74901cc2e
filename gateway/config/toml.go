package config

// This file defines how TOML is read.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// maxTOML bounds the size of a TOML file, in bytes: its parser keeps the whole path of each key.
const maxTOML = 1 << 20

// readTOML reads TOML. The parser gives no places, so that lines are those where a key seems to stand.
func readTOML(source []byte) (*node, error) {
	if len(source) > maxTOML {
		return nil, &syntaxError{0, fmt.Errorf("has %d bytes, want at most %d", len(source), maxTOML)}
	}
	if line := tooDeepTOML(source); line > 0 {
		return nil, &syntaxError{line, fmt.Errorf("nests deeper than %d levels", maxDepth)}
	}
	var root map[string]any
	meta, err := toml.Decode(string(source), &root)
	if err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return nil, &syntaxError{at.Position.Line, errors.New(at.Message)}
		}
		return nil, &syntaxError{0, err}
	}
	places := placesOf(string(source), meta)
	return places.node(root, ""), nil
}

// places are the lines of keys by their paths.
type places map[string]int

// placesOf finds keys by going through the lines in the order in which the parser met the keys.
func placesOf(source string, meta toml.MetaData) places {
	p := places{}
	all := strings.Split(source, "\n")
	line := 0
	for _, key := range meta.Keys() {
		last := key[len(key)-1]
		for at := line; at < len(all); at++ {
			trimmed := strings.TrimSpace(all[at])
			if !strings.HasPrefix(trimmed, "#") && strings.Contains(trimmed, last) {
				p[strings.Join(key, "\x00")], line = at+1, at
				break
			}
		}
	}
	return p
}

func (p places) node(v any, path string) *node {
	n := &node{line: p[path]}
	switch v := v.(type) {
	case map[string]any:
		n.kind = object
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := key
			if path != "" {
				below = path + "\x00" + key
			}
			child := p.node(v[key], below)
			n.members = append(n.members, member{key, p[below], child})
		}
		slices.SortStableFunc(n.members, func(a, b member) int { return a.line - b.line })
	case []any:
		n.kind = array
		for _, item := range v {
			n.items = append(n.items, p.node(item, path))
		}
	case []map[string]any:
		n.kind = array
		for _, item := range v {
			n.items = append(n.items, p.node(item, path))
		}
	case string:
		n.kind, n.text = text, v
	case bool:
		n.kind, n.text = boolean, strconv.FormatBool(v)
	case int64:
		n.kind, n.text = number, strconv.FormatInt(v, 10)
	case float64:
		n.kind, n.text = number, strconv.FormatFloat(v, 'g', -1, 64)
	default: // dates
		n.kind, n.text = text, fmt.Sprint(v)
	}
	return n
}

// tooDeepTOML is the line at which text nests too deep, in brackets or by the dots of a key; 0 if none.
func tooDeepTOML(source []byte) int {
	depth, dots, line := 0, 0, 1
	for i := 0; i < len(source); i++ {
		switch c := source[i]; c {
		case '\n':
			line++
			dots = 0
		case '[', '{':
			depth, dots = depth+1, 0
		case ']', '}':
			depth = max(0, depth-1)
		case '=', ',':
			dots = 0
		case '.':
			dots++
		case '#':
			for i+1 < len(source) && source[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			end := afterTOMLText(source, i)
			line += strings.Count(string(source[i:min(end+1, len(source))]), "\n")
			i = end
		}
		if depth > maxDepth || dots > maxDepth {
			return line
		}
	}
	return 0
}

// afterTOMLText is the offset of the last character of a text that begins at i, in one quote or three. One that does not
// end ends at its line, or that of the file.
func afterTOMLText(source []byte, i int) int {
	quote := source[i]
	long := i+2 < len(source) && source[i+1] == quote && source[i+2] == quote
	if long {
		i += 2
	}
	for i++; i < len(source); i++ {
		switch {
		case source[i] == '\\' && quote == '"':
			i++
		case source[i] == quote && !long, source[i] == '\n' && !long:
			if source[i] == '\n' {
				i--
			}
			return i
		case source[i] == quote && i+2 < len(source) && source[i+1] == quote && source[i+2] == quote:
			return i + 2
		}
	}
	return i
}

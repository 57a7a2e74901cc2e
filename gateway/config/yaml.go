package config

// This file defines how YAML is read.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/yamltext"
)

// maxYAML bounds the size of a YAML file, in bytes: its parser holds a hundred times as much.
const maxYAML = 1 << 20

// readYAML reads the first document of a file. An empty one is an object without members.
func readYAML(source []byte) (*node, error) {
	if len(source) > maxYAML {
		return nil, &syntaxError{0, fmt.Errorf("has %d bytes, want at most %d", len(source), maxYAML)}
	}
	lines := places{}
	v, err := yamltext.Parse(source, func(path []string, line int) {
		if len(path) <= maxDepth {
			lines[strings.Join(path, "\x00")] = line
		}
	})
	if err != nil {
		var at *yamltext.Error
		if errors.As(err, &at) {
			return nil, &syntaxError{at.Line, at.Err}
		}
		return nil, &syntaxError{0, err}
	}
	root, deep := lines.data(v, "", 0)
	if deep > 0 {
		return nil, &syntaxError{deep, fmt.Errorf("nests deeper than %d levels", maxDepth)}
	}
	return root, nil
}

// data makes the node of a value; deep is the line at which it nests too deep, or 0.
func (p places) data(v data.Value, path string, depth int) (n *node, deep int) {
	n = &node{line: p[path]}
	if depth > maxDepth {
		return n, max(n.line, 1)
	}
	switch v := v.(type) {
	case *data.Object:
		n.kind = object
		for key, value := range v.All() {
			below := key
			if path != "" {
				below = path + "\x00" + key
			}
			child, deep := p.data(value, below, depth+1)
			if deep > 0 {
				return n, deep
			}
			n.members = append(n.members, member{key, p[below], child})
		}
	case data.Array:
		n.kind = array
		for i := range v.Len() {
			child, deep := p.data(v.At(i), path, depth+1)
			if deep > 0 {
				return n, deep
			}
			n.items = append(n.items, child)
		}
	case data.String:
		n.kind, n.text = text, string(v)
	case data.Bool:
		n.kind, n.text = boolean, data.JSON(v)
	case data.Number:
		n.kind, n.text = number, data.JSON(v)
	}
	return n, 0
}

package interpreter

// This file defines the description of the standard library, read from the tables that make it.

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/builtin"
)

// Builtin describes one builtin: a global, or a property of one or of what its constructor makes.
type Builtin struct {
	// Path is how a program writes it: Math.max, Array.prototype.map, structuredClone.
	Path string
	// Kind is function, constructor, accessor, value or namespace.
	Kind string
	// Signature is TypeScript, "" where none is given.
	Signature string
	// Doc is one line, "" where the name says it all.
	Doc string
}

// Surface lists the standard library in the order of its paths. It is what documents and instructions are made of.
func Surface() []Builtin {
	var out []Builtin
	for _, e := range builtin.Describe() {
		out = append(out, Builtin(e))
	}
	slices.SortStableFunc(out, func(a, b Builtin) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Absent lists ambient names that programs expect elsewhere and that do not exist here, with what to do instead.
func Absent() map[string]string { return builtin.Absent() }

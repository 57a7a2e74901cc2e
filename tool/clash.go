// This file defines names of a catalog that are easily taken for one another.

package tool

import (
	"slices"
	"strings"
	"unicode"
)

// Clashes are groups of tools or namespaces side by side whose names differ in
// case and separators alone, such as readFile and read_file, as expressions.
// All of them can be called; whoever can rename them should.
func (c *Catalog) Clashes() [][]string {
	var all [][]string
	c.root.clashes(&all)
	return all
}

func (e *entry) clashes(all *[][]string) {
	groups := map[string][]string{}
	for _, name := range e.names {
		folded := foldedName(name)
		groups[folded] = append(groups[folded], e.children[name].expression)
	}
	for _, name := range e.names {
		folded := foldedName(name)
		if group := groups[folded]; len(group) > 1 {
			slices.Sort(group)
			*all = append(*all, group)
		}
		delete(groups, folded)
		e.children[name].clashes(all)
	}
}

// foldedName is a name without case and what separates its words; a name of
// nothing else is itself.
func foldedName(name string) string {
	folded := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	if folded == "" {
		return name
	}
	return folded
}

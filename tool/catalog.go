// This file defines resolved trees: what one execution can call.

package tool

import (
	"errors"
	"slices"
	"strings"
)

// Catalog is a resolved tree. It is immutable and may be used from any
// goroutine.
type Catalog struct {
	root  *entry
	tools []Entry
}

// Entry is one tool of a catalog.
type Entry struct {
	Path       []string // the segments
	Expression string   // the path as JavaScript
	Tool       *Tool
}

// Resolve checks a tree and makes a catalog of it. The error lists all that is
// wrong, by path: nil and unusable tools, empty names, two names for one path.
func Resolve(tree Tree) (*Catalog, error) {
	b := newBuilder()
	b.tree(b.root, tree, 0)
	if len(b.problems) > 0 {
		return nil, errors.New(strings.Join(b.problems, "; "))
	}
	return newCatalog(b.root), nil
}

func newCatalog(root *entry) *Catalog {
	root.sort()
	c := &Catalog{root: root}
	c.collect(root)
	return c
}

func (c *Catalog) collect(e *entry) {
	if e.tool != nil {
		c.tools = append(c.tools, Entry{e.path, e.expression, e.tool})
	}
	for _, name := range e.names {
		c.collect(e.children[name])
	}
}

// All are the tools sorted by path. The slice must not be changed.
func (c *Catalog) All() []Entry { return c.tools }

// Filter is the catalog of those tools that keep accepts; namespaces that lose
// all their tools are gone.
func (c *Catalog) Filter(keep func(Entry) bool) *Catalog {
	root := &entry{namespace: true, description: c.root.description, guide: c.root.guide}
	for _, e := range c.tools {
		if !keep(e) {
			continue
		}
		from, to := c.root, root
		for _, name := range e.Path {
			from, to = from.children[name], to.child(name)
			to.description, to.guide, to.concurrency = from.description, from.guide, from.concurrency
		}
		to.tool = e.Tool
	}
	return newCatalog(root)
}

// find follows a path, in which dots separate as in the names of a tree.
func (c *Catalog) find(path []string) *entry {
	e := c.root
	for _, name := range path {
		if next := e.children[name]; next != nil {
			e = next
			continue
		}
		for part := range strings.SplitSeq(name, ".") {
			if e = e.children[part]; e == nil {
				return nil
			}
		}
	}
	return e
}

// Lookup says what is at a path; it may be both.
func (c *Catalog) Lookup(path []string) (isTool, isNamespace bool) {
	e := c.find(path)
	return e != nil && e.tool != nil, e != nil && e.namespace
}

// Tool is the tool at a path, or nil.
func (c *Catalog) Tool(path []string) *Tool {
	if e := c.find(path); e != nil {
		return e.tool
	}
	return nil
}

// Keys are the names below a path, sorted; false means that there is nothing
// at the path.
func (c *Catalog) Keys(path []string) ([]string, bool) {
	e := c.find(path)
	if e == nil {
		return nil, false
	}
	return slices.Clone(e.names), true
}

// Description is the description of the namespace at a path, or "".
func (c *Catalog) Description(path []string) string {
	if e := c.find(path); e != nil {
		return e.description
	}
	return ""
}

// Guide says how the namespace at a path is to be used, or "". See [Namespace].
func (c *Catalog) Guide(path []string) string {
	if e := c.find(path); e != nil {
		return e.guide
	}
	return ""
}

// About is all that the namespace at a path says of itself: its description and its guide, and which namespaces below it have
// guides; or "".
func (c *Catalog) About(path []string) string {
	e := c.find(path)
	if e == nil {
		return ""
	}
	texts := []string{e.description, e.guide}
	if below := e.guided(nil, true); len(below) > 0 && len(path) > 0 {
		texts = append(texts, "There are guides to "+strings.Join(below, ", ")+": search in that namespace.")
	}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}

// Guided reports whether the namespace at a path or one below it has a guide.
func (c *Catalog) Guided(path []string) bool {
	e := c.find(path)
	return e != nil && (e.guide != "" || len(e.guided(nil, true)) > 0)
}

// maxGuides bounds the namespaces that About names.
const maxGuides = 10

// guided appends the expressions of the namespaces with guides: e and those below it, or those below alone.
func (e *entry) guided(list []string, below bool) []string {
	if !below && e.guide != "" {
		list = append(list, e.expression)
	}
	for _, name := range e.names {
		if len(list) == maxGuides {
			break
		}
		list = e.children[name].guided(list, false)
	}
	return list
}

// bounded is the innermost namespace around e that has a bound of its own.
func (c *Catalog) bounded(e *entry) *entry {
	at, found := c.root, (*entry)(nil)
	for _, name := range e.path {
		if at.concurrency > 0 {
			found = at
		}
		at = at.children[name]
	}
	if at.concurrency > 0 {
		found = at
	}
	return found
}

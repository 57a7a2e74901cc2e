// This file defines trees of tools and how they merge.

package tool

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// Node is a member of a tree: a [*Tool], a [Namespace] or a [Tree].
type Node interface{ node() }

// Tree maps names to tools and namespaces. Any non-empty name is legal; dots in
// it separate namespaces, so that "read.file" and a namespace "read" with a
// tool "file" are the same path.
type Tree map[string]Node

// Namespace is a tree with a description.
type Namespace struct {
	// Description says what the namespace is, in a sentence or two. Listings show its first sentence.
	Description string
	// Guide says how the namespace is to be used, such as the instructions of a server. No listing shows it; who searches
	// in the namespace gets it, and its words count in searches. Empty is none.
	Guide string
	Tools Tree
	// Self is the tool at the namespace's own path, if the path is both.
	Self *Tool
	// Concurrency bounds how many calls of the namespace run at once; zero leaves
	// it at the bound of the execution.
	Concurrency int
}

func (*Tool) node()     {}
func (Namespace) node() {}
func (Tree) node()      {}

// maxTreeDepth bounds the names of a path, and keeps a tree that contains itself from recursing for ever.
const maxTreeDepth = 64

// entry is one node of a resolved tree.
type entry struct {
	path        []string
	expression  string // the path as JavaScript
	tool        *Tool
	description string
	guide       string
	namespace   bool
	concurrency int
	children    map[string]*entry
	names       []string // of the children, sorted
}

func (e *entry) child(name string) *entry {
	if c := e.children[name]; c != nil {
		return c
	}
	if e.children == nil {
		e.children = map[string]*entry{}
	}
	c := &entry{path: append(slices.Clip(e.path), name)}
	e.children[name] = c
	e.namespace = true
	return c
}

// sort completes a tree that grows no more.
func (e *entry) sort() {
	e.expression = PathString(e.path)
	e.names = slices.Sorted(maps.Keys(e.children))
	for _, name := range e.names {
		e.children[name].sort()
	}
}

// builder collects the nodes of trees.
type builder struct {
	root     *entry
	replace  bool // the later tool wins; otherwise it is a problem
	replaced []string
	problems []string
}

func newBuilder() *builder { return &builder{root: &entry{namespace: true}} }

func (b *builder) problem(at *entry, format string, args ...any) {
	b.problems = append(b.problems, PathString(at.path)+": "+fmt.Sprintf(format, args...))
}

func (b *builder) tree(at *entry, tree Tree, depth int) {
	at.namespace = true
	if depth > maxTreeDepth {
		b.problem(at, "the path is longer than %d names; does the tree contain itself?", maxTreeDepth)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		if len(at.path)+strings.Count(key, ".") >= maxTreeDepth {
			b.problem(at, "the path of %q is longer than %d names; does the tree contain itself?", clip(key, 80), maxTreeDepth)
			continue
		}
		target := at
		for name := range strings.SplitSeq(key, ".") {
			if name == "" {
				target = nil
				break
			}
			target = target.child(name)
		}
		if target == nil {
			b.problem(at, "the name %q is empty between its dots; names are non-empty", key)
			continue
		}
		b.node(target, tree[key], depth+1)
	}
}

func (b *builder) node(at *entry, node Node, depth int) {
	switch n := node.(type) {
	case *Tool:
		b.tool(at, n)
	case Tree:
		b.tree(at, n, depth)
	case Namespace:
		b.namespace(at, n, depth)
	default:
		b.problem(at, "got nil, want a tool or a namespace")
	}
}

func (b *builder) namespace(at *entry, n Namespace, depth int) {
	b.says(at, "descriptions", &at.description, n.Description)
	b.says(at, "guides", &at.guide, n.Guide)
	if n.Concurrency < 0 {
		b.problem(at, "Concurrency: got %d, want 0 or more", n.Concurrency)
	}
	if n.Concurrency > 0 {
		at.concurrency = n.Concurrency
	}
	if n.Self != nil {
		b.tool(at, n.Self)
	}
	b.tree(at, n.Tools, depth)
}

// says is a text of a namespace, which it has once.
func (b *builder) says(at *entry, what string, text *string, said string) {
	switch {
	case said == "":
	case *text != "" && *text != said && !b.replace:
		b.problem(at, "two namespaces with different %s have this path", what)
	default:
		*text = said
	}
}

func (b *builder) tool(at *entry, t *Tool) {
	switch {
	case t == nil:
		b.problem(at, "the tool is nil")
		return
	case t.err != nil:
		b.problem(at, "%v", t.err)
	case t.prepare == nil:
		b.problem(at, "the tool was not made by a constructor of this package")
	case at.tool != nil && !b.replace:
		b.problem(at, "two names of the tree are this path; rename one, or merge two trees if the later one is to win")
	case at.tool != nil && at.tool != t:
		b.replaced = append(b.replaced, PathString(at.path))
	}
	at.tool = t
}

// Merge returns the tools of t and of later, where later wins, and the printed
// paths of the tools it replaced, sorted. Neither tree is changed.
func (t Tree) Merge(later Tree) (merged Tree, replaced []string) {
	b := newBuilder()
	b.replace = true
	b.tree(b.root, t, 0)
	b.replaced = nil
	b.tree(b.root, later, 0)
	slices.Sort(b.replaced)
	return b.root.toTree(), b.replaced
}

func (e *entry) toTree() Tree {
	tree := Tree{}
	for name, c := range e.children {
		switch {
		case c.namespace:
			tree[name] = Namespace{Description: c.description, Guide: c.guide, Tools: c.toTree(), Self: c.tool, Concurrency: c.concurrency}
		default:
			tree[name] = c.tool
		}
	}
	return tree
}

// PathString is the JavaScript expression for a path: tools.a["b c"].d. It
// always reaches that path.
func PathString(segments []string) string {
	text := []byte("tools")
	for _, s := range segments {
		text = data.AppendKey(text, s)
	}
	return string(text)
}

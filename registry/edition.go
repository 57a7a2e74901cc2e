package registry

// This file defines editions: what the registrations of one revision amount to, and the parts of it that are shown.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/tool"
)

// edition is the effective tools of one revision, shared by all steps until the next.
type edition struct {
	revision uint64
	// effective are the tools that count, sorted by path.
	effective    []*definition
	byExpression map[string]*definition
	runtime      *codemode.Runtime // of the deferred ones
	execute      string
	always       bool // offer it without deferred tools too

	mu       sync.Mutex
	surfaces map[string]*surface // by which of the effective tools are shown
}

// maxSurfaces bounds how many parts of one edition are kept; with more they are made again.
const maxSurfaces = 64

// edition is that of the present revision.
func (r *Registry) edition() (*edition, error) {
	r.building.Lock()
	defer r.building.Unlock()
	r.mu.Lock()
	e, revision := r.latest, r.revision.Load()
	if e != nil && e.revision == revision {
		r.mu.Unlock()
		return e, nil
	}
	effective, spaces := r.effective()
	r.mu.Unlock()
	e = &edition{revision: revision, execute: r.execute, always: r.always, byExpression: make(map[string]*definition, len(effective)), surfaces: map[string]*surface{}}
	e.effective = slices.SortedFunc(maps.Values(effective), func(a, b *definition) int { return slices.Compare(a.entry.Path, b.entry.Path) })
	for _, d := range e.effective {
		e.byExpression[d.entry.Expression] = d
	}
	options := r.options
	options.Tools = deferredTree(e.effective, spaces)
	var err error
	if e.runtime, err = codemode.New(options); err != nil {
		return nil, fmt.Errorf("registry: %w", err)
	}
	r.mu.Lock()
	r.latest = e
	r.mu.Unlock()
	return e, nil
}

// effective is what counts at each path, and what the deferred registrations say of namespaces.
func (r *Registry) effective() (map[string]*definition, map[string]space) {
	found, spaces := map[string]*definition{}, map[string]space{}
	for _, g := range r.list {
		maps.Copy(found, g.definitions)
		if g.mode == Deferred {
			for key, s := range g.spaces {
				spaces[key] = spaces[key].with(s)
			}
		}
	}
	return found, spaces
}

// deferredTree is the tree of what programs can call: flat, with dots in its names, and without namespaces that are empty.
func deferredTree(effective []*definition, spaces map[string]space) tool.Tree {
	tree := tool.Tree{}
	for _, d := range effective {
		if d.owner.mode == Deferred {
			tree[d.key] = d.guarded
		}
	}
	for _, d := range effective {
		if d.owner.mode != Deferred {
			continue
		}
		for i := range d.key {
			if d.key[i] != '.' {
				continue
			}
			key := d.key[:i]
			if s := spaces[key]; s != (space{}) {
				self, _ := tree[key].(*tool.Tool)
				if _, done := tree[key].(tool.Namespace); !done {
					tree[key] = tool.Namespace{Description: s.description, Guide: s.guide, Concurrency: s.concurrency, Self: self}
				}
			}
		}
	}
	return tree
}

// surface is the part of an edition that some step shows.
type surface struct {
	edition *edition
	view    *codemode.View // nil if no deferred tool is shown
	direct  []named        // sorted by name
	clashes []Clash
	// instructions describe the tool that runs programs.
	instructions func() string
}

// surface is the part of those that shown accepts.
func (e *edition) surface(shown func(*definition) bool) *surface {
	bits := make([]byte, (len(e.effective)+7)/8)
	for i, d := range e.effective {
		if shown == nil || shown(d) {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if s := e.surfaces[string(bits)]; s != nil {
		return s
	}
	if len(e.surfaces) >= maxSurfaces {
		clear(e.surfaces)
	}
	s := e.show(func(i int) bool { return bits[i/8]&(1<<(i%8)) != 0 })
	e.surfaces[string(bits)] = s
	return s
}

func (e *edition) show(shown func(int) bool) *surface {
	s := &surface{edition: e}
	visible, deferred, all := map[string]bool{}, 0, 0
	var direct []*definition
	for i, d := range e.effective {
		if d.owner.mode == Deferred {
			all++
		}
		switch {
		case !shown(i):
		case d.owner.mode == Direct:
			direct = append(direct, d)
		default:
			deferred++
			visible[d.entry.Expression] = true
		}
	}
	s.direct, s.clashes = nameAll(direct, e.execute)
	switch {
	case deferred == 0 && !e.always:
		return s
	case deferred == all:
		s.view = e.runtime.View(nil)
	default:
		s.view = e.runtime.View(func(t tool.Entry) bool { return visible[t.Expression] })
	}
	s.instructions = sync.OnceValue(s.view.Instructions)
	return s
}

// catalog is what programs see.
func (s *surface) catalog() *tool.Catalog {
	if s.view == nil {
		return nothing
	}
	return s.view.Tools()
}

var nothing = func() *tool.Catalog {
	c, err := tool.Resolve(nil)
	if err != nil {
		panic(err)
	}
	return c
}()

// expressionOf is the tool of a program that a model may mean by a name of its own.
func (s *surface) expressionOf(name string) (expression string, ok bool) {
	for _, e := range s.catalog().All() {
		if sanitised(strings.Join(e.Path, "_")) == name || e.Expression == name || strings.Join(e.Path, ".") == name {
			return e.Expression, true
		}
	}
	return "", false
}

package registry

// This file defines registrations: trees of tools that come, change and go.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// Mode says how a model reaches the tools of a registration.
type Mode uint8

const (
	// Deferred tools are called by programs.
	Deferred Mode = iota
	// Direct tools are given to the model each by itself. Programs do not see them.
	Direct
)

// Registration is a tree of tools in a Registry. Any goroutine may use it.
type Registration struct {
	registry *Registry
	mode     Mode

	// Guarded by the registry's lock.
	definitions map[string]*definition
	spaces      map[string]space
	disposed    bool
}

// definition is one tool of a registration.
type definition struct {
	owner   *Registration
	key     string     // the segments of the path, joined with dots, which none has in it
	entry   tool.Entry // with the tool as it was registered
	guarded *tool.Tool // the tool with what a step wants around it
}

// space is what a registration says of a namespace.
type space struct {
	description string
	guide       string
	concurrency int
}

// Register adds a tree of tools, which must not be changed any more. Of several tools at one path the one that was
// registered last counts, whatever its mode; of several descriptions of a namespace too. The error tells what is wrong
// with the tree: what [tool.Resolve] refuses, the namespace $codemode, and a tool whose path is the name of the tool that
// runs programs.
func (r *Registry) Register(tools tool.Tree, mode Mode) (*Registration, error) {
	reg, tell, err := r.register(tools, mode)
	if err == nil {
		tell()
	}
	return reg, err
}

// RegisterIn is Register until s closes: then the registration is disposed of. In a closed scope that is at once.
func (r *Registry) RegisterIn(s *scope.Scope, tools tool.Tree, mode Mode) (*Registration, error) {
	reg, tell, err := r.register(tools, mode)
	if err == nil {
		defer s.AddFinalizer(func(scope.Exit) { reg.Dispose() }) // also if a watcher panics
		tell()
	}
	return reg, err
}

// register adds a tree and returns what tells of it.
func (r *Registry) register(tools tool.Tree, mode Mode) (_ *Registration, tell func(), _ error) {
	if mode > Direct {
		return nil, nil, fmt.Errorf("registry: mode: got %d, want Deferred or Direct", mode)
	}
	reg := &Registration{registry: r, mode: mode}
	definitions, err := reg.define(tools)
	if err != nil {
		return nil, nil, err
	}
	reg.definitions, reg.spaces = definitions, spacesOf(tools)
	return reg, r.changed(func() bool {
		r.list = append(r.list, reg)
		return true
	}), nil
}

// Dispose takes the tools away and so reveals those that were registered earlier at the same paths. Calls that run go on.
// Doing it again does nothing.
func (g *Registration) Dispose() {
	r := g.registry
	r.change(func() bool {
		was := g.disposed
		g.disposed = true
		r.list = slices.DeleteFunc(r.list, func(other *Registration) bool { return other == g })
		return !was
	})
}

// Replace puts other tools in the place of those that were registered, without changing what is earlier and later. A
// program that has started keeps the tools it started with as long as their paths are still there. The error is as of
// Register; then, and if the registration has been disposed of, nothing changes.
func (g *Registration) Replace(tools tool.Tree) error {
	definitions, err := g.define(tools)
	if err != nil {
		return err
	}
	spaces := spacesOf(tools)
	disposed := false
	g.registry.change(func() bool {
		if disposed = g.disposed; disposed {
			return false
		}
		for key, d := range definitions { // the same tool is not made again, so that comparing finds it unchanged
			if old := g.definitions[key]; old != nil && old.entry.Tool == d.entry.Tool {
				definitions[key] = old
			}
		}
		g.definitions, g.spaces = definitions, spaces
		return true
	})
	if disposed {
		return errors.New("registry: the registration has been disposed of")
	}
	return nil
}

func (g *Registration) define(tools tool.Tree) (map[string]*definition, error) {
	catalog, err := tool.Resolve(tools)
	if err != nil {
		return nil, fmt.Errorf("registry: the tools: %w", err)
	}
	if names, _ := catalog.Keys(nil); slices.Contains(names, ownNamespace) {
		return nil, errors.New("registry: the tools: the name " + ownNamespace + " is the runtime's own")
	}
	definitions := make(map[string]*definition, len(catalog.All()))
	for _, e := range catalog.All() {
		if len(e.Path) == 1 && e.Path[0] == g.registry.execute {
			return nil, errors.New("registry: the tools: " + e.Expression + " has the name of the tool that runs programs; rename one of them")
		}
		d := &definition{owner: g, key: strings.Join(e.Path, "."), entry: e}
		d.guarded = e.Tool.Around(d.run)
		definitions[d.key] = d
	}
	return definitions, nil
}

// ownNamespace is where the runtime's own tools are.
const ownNamespace = "$codemode"

// spacesOf collects what a tree says of namespaces. That the tree resolves bounds its depth.
func spacesOf(tools tool.Tree) map[string]space {
	found := map[string]space{}
	collect(found, "", tools)
	return found
}

func collect(found map[string]space, at string, tools tool.Tree) {
	for name, node := range tools {
		key := name
		if at != "" {
			key = at + "." + name
		}
		switch n := node.(type) {
		case tool.Tree:
			collect(found, key, n)
		case tool.Namespace:
			found[key] = found[key].with(space{n.Description, n.Guide, n.Concurrency})
			collect(found, key, n.Tools)
		}
	}
}

// with is s with what later says.
func (s space) with(later space) space {
	if later.description != "" {
		s.description = later.description
	}
	if later.guide != "" {
		s.guide = later.guide
	}
	if later.concurrency > 0 {
		s.concurrency = later.concurrency
	}
	return s
}

// stale reports that the definition is not the one that counts at its path any more.
func (d *definition) stale() bool {
	r := d.owner.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range slices.Backward(r.list) {
		if g.definitions[d.key] != nil {
			return g != d.owner
		}
	}
	return true
}

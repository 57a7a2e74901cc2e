package client

// This file defines groups: many servers at once.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// Group is connections to many servers. It serves the tools of those that are
// there; the others cost theirs alone. All methods may be called from any
// goroutine.
type Group struct {
	scope     *scope.Scope
	callbacks Callbacks
	members   []*groupMember

	mu       sync.Mutex
	onChange []func()
}

// groupMember is one server of a group.
type groupMember struct {
	server Server
	client *Client // nil if the configuration is wrong
	err    error   // of the configuration, or of the last attempt to connect
	fiber  *scope.Fiber
}

// Open begins to connect to all servers at once and returns at once. Servers
// with a wrong configuration, or a name that another one has, stay out, which
// Status tells. The group lives until Close, or until the scope of ctx closes if
// there is one.
func Open(ctx context.Context, servers []Server, callbacks Callbacks) *Group {
	g := &Group{callbacks: callbacks}
	g.scope = scope.Open(context.WithoutCancel(ctx), scope.Options{Name: "mcp servers"})
	inner := g.callbacks
	inner.Changed = func(c *Client) { g.changed(c) }
	names := map[string]bool{}
	for _, server := range servers {
		m := &groupMember{server: server}
		g.members = append(g.members, m)
		if names[server.Name] {
			m.err = fmt.Errorf("mcp server %q: there are two of this name", server.Name)
			continue
		}
		names[server.Name] = true
		m.client, m.err = newClient(g.scope.Context(), server, inner)
		if m.client != nil {
			g.connect(m)
		}
	}
	return g
}

// connect connects a member on a fiber of its own.
func (g *Group) connect(m *groupMember) {
	m.fiber = g.scope.Fork("connect "+m.server.Name, func(ctx context.Context) error {
		err := m.client.connect(ctx)
		g.mu.Lock()
		m.err = err
		g.mu.Unlock()
		if err == nil {
			g.changed(m.client)
		}
		return nil
	})
}

// Wait waits until each server is connected or has failed, or ctx is done; then
// the error is why.
func (g *Group) Wait(ctx context.Context) error {
	for _, m := range g.members {
		g.mu.Lock()
		fiber := m.fiber
		g.mu.Unlock()
		if fiber == nil {
			continue
		}
		if _, err := fiber.Await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Await waits until one server is connected or has failed, or ctx is done; then the
// error is why. A name that no server has is not waited for.
func (g *Group) Await(ctx context.Context, name string) error {
	for _, m := range g.members {
		g.mu.Lock()
		fiber := m.fiber
		g.mu.Unlock()
		if m.server.Name == name && fiber != nil {
			_, err := fiber.Await(ctx)
			return err
		}
	}
	return nil
}

// Retry connects to a server again that failed, and waits for it.
func (g *Group) Retry(ctx context.Context, name string) error {
	for _, m := range g.members {
		if m.server.Name != name || m.client == nil {
			continue
		}
		g.mu.Lock()
		if m.err != nil {
			g.connect(m)
		}
		fiber := m.fiber
		g.mu.Unlock()
		if _, err := fiber.Await(ctx); err != nil {
			return err
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		return m.err
	}
	return fmt.Errorf("there is no mcp server %q", name)
}

// Clients are those of the servers that have been connected, in the order of
// the configuration.
func (g *Group) Clients() []*Client {
	var clients []*Client
	for _, m := range g.members {
		if m.client != nil && m.client.wasConnected() {
			clients = append(clients, m.client)
		}
	}
	return clients
}

// Tree has the namespaces of the servers that have been connected. Where two have
// a tool at one path, as with the servers a and a.b, that of the server that
// comes first in the configuration counts; Status has the other's among those
// left out. A later tree is made when a server comes or changes its tools.
func (g *Group) Tree() tool.Tree {
	tree := tool.Tree{}
	owners := map[string]*Client{}
	for _, c := range g.Clients() {
		tree, _ = tree.Merge(c.uncovered(owners))
	}
	return tree
}

// TreeOf is the part of Tree that comes from one of the group's clients, for hosts that register each server by itself. It
// changes as well when a server whose namespace is above or below this one's comes or changes its tools.
func (g *Group) TreeOf(c *Client) tool.Tree {
	owners := map[string]*Client{}
	for _, earlier := range g.Clients() {
		if tree := earlier.uncovered(owners); earlier == c {
			return tree
		}
	}
	return tool.Tree{}
}

// uncovered is the client's tree without the tools at paths that others own.
func (c *Client) uncovered(owners map[string]*Client) tool.Tree {
	space := c.Namespace()
	if covered := c.covered(space.Tools, owners); len(covered) > 0 {
		space.Tools = maps.Clone(space.Tools)
		maps.DeleteFunc(space.Tools, func(name string, _ tool.Node) bool { return covered[name] != nil })
	}
	return tool.Tree{c.Name(): space}
}

// covered finds the tools at paths that others own, and enters the owner of the
// rest. No segment of a path has a dot in it.
func (c *Client) covered(tools tool.Tree, owners map[string]*Client) map[string]*Client {
	covered := map[string]*Client{}
	for name := range tools {
		path := c.Name() + "." + name
		if owner := owners[path]; owner != nil {
			covered[name] = owner
			continue
		}
		owners[path] = c
	}
	return covered
}

// Status describes all servers, in the order of the configuration.
func (g *Group) Status() []Status {
	all := make([]Status, 0, len(g.members))
	owners := map[string]*Client{}
	for _, m := range g.members {
		s := Status{Name: m.server.Name, State: Failed}
		if m.client != nil {
			s = m.client.Status()
			covered := m.client.covered(m.client.Namespace().Tools, owners)
			for _, name := range slices.Sorted(maps.Keys(covered)) {
				s.Tools--
				s.LeftOut = append(s.LeftOut, LeftOut{clip(name, 200), "the server " + covered[name].Name() + " has a tool at the same path"})
			}
		}
		g.mu.Lock()
		if m.err != nil && s.Error == "" {
			s.Error = m.err.Error()
		}
		g.mu.Unlock()
		all = append(all, s)
	}
	return all
}

// Err is what is wrong with servers that are not there, nil if nothing is.
func (g *Group) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var errs []error
	for _, m := range g.members {
		errs = append(errs, m.err)
	}
	return errors.Join(errs...)
}

// OnChange calls f after the tree has changed, from a goroutine of the group.
func (g *Group) OnChange(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.onChange = append(g.onChange, f)
}

func (g *Group) changed(c *Client) {
	g.mu.Lock()
	hooks := slices.Clone(g.onChange)
	g.mu.Unlock()
	if f := g.callbacks.Changed; f != nil {
		c.guard(func() { f(c) })
	}
	for _, f := range hooks {
		c.guard(f)
	}
}

// Close closes all clients at once and waits for them. See [Client.Close].
func (g *Group) Close(ctx context.Context) error {
	closing := scope.Open(context.Background(), scope.Options{Name: "close mcp servers"})
	errs := make([]error, len(g.members))
	for i, m := range g.members {
		if m.client != nil {
			closing.Fork("close "+m.server.Name, func(context.Context) error {
				errs[i] = m.client.Close(ctx)
				return nil
			})
		}
	}
	closing.Close(scope.Exit{}) // waits; the fibers mind ctx
	errs = append(errs, closeScope(ctx, g.scope, func() {}))
	return errors.Join(errs...)
}

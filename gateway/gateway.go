// Package gateway runs the servers of configuration files: it connects to all of them at once and keeps a registry of
// their tools, which the command line and mcp/server put before a model.
//
//	c, err := config.Load(files, config.Options{})
//	g, err := gateway.Open(ctx, c, gateway.Options{})
//	defer g.Close(ctx)
//	snapshot, err := g.Registry().Snapshot(registry.Step{})
//
// A server comes into the registry when it has been connected, and its tools follow its lists. One that cannot be reached
// costs itself alone: Gateway.Status says what is wrong, without secrets of the configuration. docs/gateway.md is for
// those who write the files.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/mcp/oauth"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// CloseWithin is how long Close waits at most, whatever its context says.
const CloseWithin = 3 * time.Second

// Options configure a Gateway. The zero value is ready to use.
type Options struct {
	// Registry configures the registry of the tools.
	Registry registry.Options
	// Callbacks are the host's part in what goes on at the servers. What Log and Trouble get has no secrets of the
	// configuration.
	Callbacks client.Callbacks
	// Report is told how each entry is doing, one at a time: while Open runs of those that are not used, and of each other
	// one as soon as it has been connected or has failed. Nil tells nobody.
	Report func(Status)
	// Tokens has what people have signed in for (oauth.Login). Nil is that no server is signed in to.
	Tokens *oauth.Store
}

// Gateway is the servers of a configuration. All methods may be called from any goroutine.
type Gateway struct {
	registry *registry.Registry
	group    *client.Group
	scope    *scope.Scope
	members  []*member // in the order of the configuration
	ready    chan struct{}
	callback client.Callbacks
	told     sync.Mutex // held while Options.Report runs
	closing  atomic.Bool
	opened   chan struct{} // closed when group is set
}

// member is one entry.
type member struct {
	server       config.Server
	registration *registry.Registration // empty until there are tools; nil if the entry is not used
	replacing    sync.Mutex             // so that the tools are the latest ones
	tokens       *oauth.Tokens          // nil if the server is not signed in to

	mu       sync.Mutex
	tree     tool.Tree // what is registered
	loaded   bool      // of a document
	err      error     // why what there is could not be registered, or a document not be loaded
	skipped  []openapi.Skipped
	problems []config.Problem // of the options of an OpenAPI document
}

// Open begins to connect to all servers and returns at once. The error is about Options, or says that this process runs
// as a server of the same configuration. The gateway lives until Close, or until the scope of ctx closes if there is
// one.
func Open(ctx context.Context, c *config.Config, o Options) (*Gateway, error) {
	chain, err := chainOf(c.Files)
	if err != nil {
		return nil, err
	}
	// Programs have tools as soon as a server has connected, which the first list of a client may come before.
	o.Registry.Always = o.Registry.Always || slices.ContainsFunc(c.Servers, func(s config.Server) bool { return s.Usable() && !s.Direct })
	r, err := registry.New(o.Registry)
	if err != nil {
		return nil, err
	}
	g := &Gateway{registry: r, ready: make(chan struct{}), opened: make(chan struct{}), callback: o.Callbacks}
	g.scope = scope.Open(context.WithoutCancel(ctx), scope.Options{Name: "gateway", Grace: CloseWithin})
	var servers []client.Server
	for _, s := range c.Servers {
		m := &member{server: s}
		g.members = append(g.members, m)
		if !s.Usable() {
			continue
		}
		// Registered in the order of the files, whichever comes first.
		if m.registration, err = r.Register(tool.Tree{}, mode(s)); err != nil {
			return nil, err
		}
		if s.OpenAPI == nil {
			server := clientServer(s, chain)
			g.credentials(m, o.Tokens, &server)
			servers = append(servers, server)
		}
	}
	g.group = client.Open(g.scope.Context(), servers, g.callbacks())
	close(g.opened)
	g.report(o.Report, func(m *member) bool { return m.registration == nil })
	g.scope.Fork("wait for servers", func(ctx context.Context) error {
		defer close(g.ready)
		told := g.reportServers(o.Report)
		g.loadDocuments(ctx)
		g.report(o.Report, func(m *member) bool { return m.registration != nil && m.server.OpenAPI != nil })
		err := g.group.Wait(ctx)
		for _, f := range told {
			<-f.Done()
		}
		g.afterConnecting()
		return err
	})
	return g, nil
}

// report tells of the entries that are meant.
func (g *Gateway) report(to func(Status), meant func(*member) bool) {
	if to == nil {
		return
	}
	for i, s := range g.Status() {
		if meant(g.members[i]) {
			g.told.Lock()
			to(s)
			g.told.Unlock()
		}
	}
}

// reportServers tells of each server as soon as it has been connected or has failed.
func (g *Gateway) reportServers(to func(Status)) (told []*scope.Fiber) {
	if to == nil {
		return nil
	}
	for _, m := range g.members {
		if m.registration == nil || m.server.OpenAPI != nil {
			continue
		}
		told = append(told, g.scope.Fork("report "+m.server.Name, func(ctx context.Context) error {
			if err := g.group.Await(ctx, m.server.Namespace); err != nil {
				return err
			}
			if g.closing.Load() || ctx.Err() != nil { // it was not tried to the end
				return context.Cause(ctx)
			}
			g.report(to, func(other *member) bool { return other == m })
			return nil
		}))
	}
	return told
}

func mode(s config.Server) registry.Mode {
	if s.Direct {
		return registry.Direct
	}
	return registry.Deferred
}

// clientServer is an entry as the client takes it.
func clientServer(s config.Server, chain string) client.Server {
	out := client.Server{
		Name: s.Namespace, Description: s.Description, Dir: s.Dir, EnvFile: s.EnvFile, InheritEnv: s.InheritEnv,
		URL: s.URL.Reveal(), Transport: s.Transport, Include: s.Include, Exclude: s.Exclude, Validate: s.Validate,
		ParseJSONText: s.ParseJSONText, Roots: s.Roots, Concurrency: s.Concurrency, Protocol: s.Protocol,
		ConnectTimeout: s.ConnectTimeout, Timeout: s.Timeout, Headers: revealed(s.Headers), Hide: s.Redactor.RedactAnswer,
	}
	for _, word := range s.Command {
		out.Command = append(out.Command, word.Reveal())
	}
	if len(out.Command) > 0 {
		out.Env = revealed(s.Env)
		out.Env[chainVariable] = chain
	}
	return out
}

func revealed(secrets map[string]config.Secret) map[string]string {
	out := make(map[string]string, len(secrets)+1)
	for name, s := range secrets {
		out[name] = s.Reveal()
	}
	return out
}

// callbacks are those of the host, with the gateway's own part.
func (g *Gateway) callbacks() client.Callbacks {
	out := g.callback
	out.Changed = g.changed
	if f := g.callback.Log; f != nil {
		out.Log = func(e client.LogEntry) {
			e.Text = g.redact(e.Server, e.Text)
			f(e)
		}
	}
	if f := g.callback.Trouble; f != nil {
		out.Trouble = func(server string, t client.Trouble) {
			t.Text = g.redact(server, t.Text)
			f(server, t)
		}
	}
	return out
}

func (g *Gateway) redact(namespace, text string) string {
	if m := g.member(namespace); m != nil {
		return m.hide(text)
	}
	return text
}

// member is the entry that is used for a namespace.
func (g *Gateway) member(namespace string) *member {
	for _, m := range g.members {
		if m.registration != nil && m.server.Namespace == namespace {
			return m
		}
	}
	return nil
}

// changed puts the tools of a client into the registry.
func (g *Gateway) changed(c *client.Client) {
	<-g.opened
	for _, other := range g.group.Clients() {
		if m := g.member(other.Name()); m != nil && (other == c || meet(other.Name(), c.Name())) {
			m.replace(func() tool.Tree { return g.group.TreeOf(other) })
		}
	}
	if f := g.callback.Changed; f != nil {
		f(c)
	}
}

// meet reports whether one namespace is below the other, so that tools of both may have one path.
func meet(a, b string) bool {
	return strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// replace puts tools in the place of what the entry had. Without it being one at a time, an older tree could stay.
func (m *member) replace(tree func() tool.Tree) {
	m.replacing.Lock()
	defer m.replacing.Unlock()
	latest := tree()
	err := m.registration.Replace(latest)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err = err; err == nil {
		m.tree = latest
	}
}

// Registry has the tools of the servers that have been connected.
func (g *Gateway) Registry() *registry.Registry { return g.registry }

// Ready is closed when each server has been connected or has failed, or the gateway is closed.
func (g *Gateway) Ready() <-chan struct{} { return g.ready }

// Wait waits for Ready or until ctx is done; then the error is why.
func (g *Gateway) Wait(ctx context.Context) error {
	select {
	case <-g.ready:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Tree is the tools for programs of the servers that have been connected, for hosts that want no registry.
func (g *Gateway) Tree() tool.Tree {
	tree := tool.Tree{}
	for _, m := range g.members {
		if m.registration != nil && !m.server.Direct {
			m.mu.Lock()
			tree, _ = tree.Merge(m.tree)
			m.mu.Unlock()
		}
	}
	return tree
}

// Retry connects again to the server of an entry that could not be reached, and waits for it.
func (g *Gateway) Retry(ctx context.Context, name string) error {
	for _, m := range g.members {
		if m.server.Name != name {
			continue
		}
		switch {
		case m.server.Disabled:
			return fmt.Errorf("server %q: %s", name, m.server.Why)
		case m.registration == nil:
			return m.server.Err()
		case m.server.OpenAPI != nil:
			g.load(ctx, m)
			m.mu.Lock()
			defer m.mu.Unlock()
			if len(m.problems) > 0 {
				return errors.New(problemTexts(m.problems))
			}
			return m.err
		}
		if err := g.group.Retry(ctx, m.server.Namespace); err != nil {
			return errors.New(m.hide(err.Error()))
		}
		return nil
	}
	return fmt.Errorf("there is no server %q", name)
}

// Close ends all servers and waits for them, until ctx is done but at most [CloseWithin]. The error says what did not
// end. Closing again does nothing.
func (g *Gateway) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, CloseWithin, errors.New("gateway: the servers did not end in time"))
	defer cancel()
	g.closing.Store(true)
	err := g.group.Close(ctx)
	g.scope.Close(scope.Exit{})
	for _, m := range g.members {
		if m.registration != nil {
			m.registration.Dispose()
		}
	}
	return err
}

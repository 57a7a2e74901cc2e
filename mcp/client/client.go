// Package client defines the MCP client: it connects to an MCP server, turns
// what the server offers into a [tool.Tree], and runs the calls.
//
//	github, err := client.Connect(ctx, client.Server{Name: "github", Command: []string{"github-mcp-server", "stdio"}}, client.Callbacks{})
//	defer github.Close(ctx)
//	rt, err := codemode.New(codemode.Options{Tools: github.Tree()})
//
// The name of the server is the namespace of its tools, whose names stay as
// they are. A server may be a child process (Command), an address (URL) or any
// stream (Dial); [Open] connects many at once and serves what is there.
//
// Servers are foreign programs, and each of their oddities costs the call or
// the server it belongs to and nothing else: what is no message is kept aside,
// a tool that cannot be read is left out, a child that dies is started again by
// the next call. [Client.Status] tells what was found. docs/mcp.md has the
// whole list.
package client

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// Client is a connection to one server. It outlives sessions: when the server
// ends, the next call starts another one. All methods may be called from any
// goroutine.
type Client struct {
	server    Server
	callbacks Callbacks
	scope     *scope.Scope
	stderr    *tail
	debounce  debounce
	asking    asking
	hurry     chan struct{}                // closed when Close has no patience any more
	hurried   func()                       // closes it
	denied    atomic.Pointer[Unauthorized] // why the last request had no token that the server takes, or nil

	mu        sync.Mutex
	session   *session     // nil while there is none
	starting  *scope.Fiber // makes the next session; nil unless one is being made
	starts    []time.Time  // of sessions after the first, within the last minute
	closed    bool
	listing   listing
	tree      tool.Tree
	peer      peer
	troubles  []Trouble
	onChange  []func()
	lastError error // of the last attempt at a session
}

// closeGrace bounds how long the end of a client waits for what does not end.
const closeGrace = 5 * time.Second

// Connect connects to a server and reads its tools. The error names the server
// and is for the host: it may quote what the server wrote to its standard
// error. The client lives until Close, or until the scope of ctx closes if
// there is one; the end of ctx itself only ends the attempt.
func Connect(ctx context.Context, server Server, callbacks Callbacks) (*Client, error) {
	c, err := newClient(ctx, server, callbacks)
	if err != nil {
		return nil, err
	}
	if err := c.connect(ctx); err != nil {
		c.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return c, nil
}

func newClient(ctx context.Context, server Server, callbacks Callbacks) (*Client, error) {
	if err := server.check(); err != nil {
		return nil, err
	}
	c := &Client{server: server.withDefaults(), callbacks: callbacks}
	c.hurry = make(chan struct{})
	c.hurried = sync.OnceFunc(func() { close(c.hurry) })
	c.stderr = newTail(func(line string) { c.log(LogEntry{Source: Stderr, Text: line}) })
	c.scope = scope.Open(context.WithoutCancel(ctx), scope.Options{Name: "mcp " + server.Name, Grace: closeGrace})
	c.debounce.run = func() { c.scope.Fork("list tools", c.relist) }
	c.scope.AddFinalizer(func(scope.Exit) { c.debounce.stop() })
	return c, nil
}

// connect makes the first session.
func (c *Client) connect(ctx context.Context) error {
	exit, err := c.start(false).Await(ctx)
	if err == nil {
		err = exit.Err()
	}
	if err == nil {
		return nil
	}
	if said := c.stderr.lines(); len(said) > 0 {
		said = said[max(0, len(said)-10):]
		return fmt.Errorf("mcp server %q: %w; it wrote:\n  %s", c.server.Name, err, strings.Join(said, "\n  "))
	}
	return fmt.Errorf("mcp server %q: %w", c.server.Name, err)
}

// Name is the server's name, the namespace of its tools.
func (c *Client) Name() string { return c.server.Name }

// Tree has one member, the server's namespace. A later tree is made when the
// server changes its tools; one that was handed out stays as it is, and its
// tools stay callable.
func (c *Client) Tree() tool.Tree { return tool.Tree{c.server.Name: c.Namespace()} }

// Namespace is the server's tools with its description.
func (c *Client) Namespace() tool.Namespace {
	c.mu.Lock()
	defer c.mu.Unlock()
	return tool.Namespace{Description: c.describe(), Guide: clip(c.peer.instructions, maxGuide), Tools: c.tree, Concurrency: c.server.Concurrency}
}

// describe is the namespace's description: the configured one, else what the
// server calls itself.
func (c *Client) describe() string {
	return cmp.Or(c.server.Description, clip(c.peer.description, maxDescription), clip(c.peer.title, maxDescription))
}

// maxDescription bounds what a server calls itself, in bytes.
const maxDescription = 1 << 10

// maxGuide bounds the instructions of a server as guide of its namespace, in
// bytes. The longest ones seen have 2 kB.
const maxGuide = 4 << 10

// Instructions are what the server says about its use, "" if nothing.
func (c *Client) Instructions() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.peer.instructions
}

// OnChange calls f after the tree has changed, from a goroutine of the client,
// until the client is closed. f should return soon.
func (c *Client) OnChange(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onChange = append(c.onChange, f)
}

func (c *Client) changed() {
	c.mu.Lock()
	hooks := slices.Clone(c.onChange)
	c.mu.Unlock()
	if f := c.callbacks.Changed; f != nil {
		c.guard(func() { f(c) })
	}
	for _, f := range hooks {
		c.guard(f)
	}
}

// guardQuietly runs a function of the host and forgets its panic.
func (c *Client) guardQuietly(f func()) {
	_ = scope.Protect(func() error { f(); return nil })
}

// guard runs a function of the host; its panic must not end a goroutine that
// is not its own.
func (c *Client) guard(f func()) {
	if err := scope.Protect(func() error { f(); return nil }); err != nil {
		c.trouble("", "a callback of the host failed: %v", err)
	}
}

// Close ends the session and what belongs to it: calls that run fail, and a
// child process has a second to end by itself, is asked to end, and made to after
// half a second more, with all of its group. It waits until all has ended. A ctx
// that is done takes the patience away: the child is asked at once and made to
// end after half a second, and Close waits for at most a second;
// the error is then why ctx is done if anything is left, and otherwise what was
// left behind. Closing again does nothing. Callbacks must not call it, since it
// waits for them.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.debounce.stop()
	c.scope.Interrupt(scope.ScopeClosed)
	if err := closeScope(ctx, c.scope, c.hurried); err != nil {
		return err
	}
	if left := c.scope.Abandoned(); len(left) > 0 {
		return fmt.Errorf("mcp server %q: still runs, and ends with the process at the latest: %s", c.server.Name, strings.Join(left, ", "))
	}
	return nil
}

// closeScope closes a scope and waits for it. When ctx is done it calls hurried
// and waits no longer than the end of a child then takes.
func closeScope(ctx context.Context, s *scope.Scope, hurried func()) error {
	closing := scope.Open(context.Background(), scope.Options{Name: "close"})
	fiber := closing.Fork("close", func(context.Context) error {
		s.Close(scope.Exit{})
		return nil
	})
	if _, err := fiber.Await(ctx); err != nil {
		hurried()
		bounded, cancel := context.WithTimeout(context.Background(), 2*lastPatience)
		defer cancel()
		if _, late := fiber.Await(bounded); late != nil {
			return err
		}
	}
	closing.Close(scope.Exit{})
	return nil
}

// Package server serves a registry of tools to MCP clients: one tool that runs programs, the direct tools, and two small
// read-only ones.
//
//	r, err := registry.New(registry.Options{Runtime: server.DefaultRuntime()})
//	_, err = r.Register(tree, registry.Deferred)
//	s, err := server.New(r, server.Options{Name: "shop"})
//	defer s.Close(ctx)
//	err = s.ServeStream(ctx, os.Stdin, os.Stdout) // or s.ListenAndServe(ctx, server.HTTPOptions{Addr: "127.0.0.1:3900"})
//
// A client may speak either era of the protocol, 2025-11-25 and before or 2026-07-28. What a program or a tool did wrong is
// a result with isError; its text is that of [registry.Text] and its structured content has the value, the calls and the
// logs. A question from inside a program, of a rule or by [Server.Elicit], reaches the user of the client. docs/gateway.md
// has the whole behaviour.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
)

// Options configure a Server. The zero value is ready to use.
type Options struct {
	// Name, Title and Version are what the server tells of itself. An empty Name is "codemode", an empty Version "0".
	Name, Title, Version string
	// Instructions are what the server tells clients beside the descriptions of its tools. Most need none.
	Instructions string
	// Step is what all calls go by: Visible, Rules, Limits and the hooks. With a nil Ask the server asks the user of the
	// client what a rule asks.
	Step registry.Step
	// Absent says why there is no tool at an expression that a program called, such as tools.files.read: a server that is not
	// connected. Its text is a note for the model; empty if nothing is known. Nil knows nothing.
	Absent func(expression string) string
	// Search adds the read-only tool search.
	Search bool
	// Ready, if it is not nil, holds up lists and calls of tools until it is closed, at most for ReadyWithin after New: many
	// clients list once.
	Ready <-chan struct{}
	// ReadyWithin is 10 s if zero.
	ReadyWithin time.Duration

	// MaxPrograms bounds the programs and direct calls under way, those that wait for an answer included; further ones are
	// refused. Zero is 64.
	MaxPrograms int
	// MaxSessionPrograms bounds those of one session when three quarters of MaxPrograms are under way. Zero is 16, or MaxPrograms if that
	// is less.
	MaxSessionPrograms int
	// MaxMemory bounds the memory limits of all programs under way together, in bytes. Each program gets a part of it when it
	// starts, at most its own limit, and less the more others there are, with something kept for MaxParked of them; it waits up
	// to 10 s if there is nothing left, and is refused then. Zero is a quarter of [MachineMemory], since the process may grow by
	// three times as much; negative is no bound.
	MaxMemory int64
	// MaxParked bounds the programs that wait for a client to come back with an answer; of one session at most half as many
	// do. Zero is 32.
	MaxParked int
	// ParkedFor is how long a program waits for that before it is ended. Zero is 5 minutes.
	ParkedFor time.Duration
	// OneUser says that all clients are one person's, who may be asked by any of them: a question that does not say whose it is
	// then goes to the one program that it can be of, though another client ran something lately. See [Server.Elicit].
	OneUser bool
	// MaxRest bounds the bytes that are kept of values which were cut, for the tool that reads on. Zero is 64 MiB, negative
	// is none; then there is no such tool.
	MaxRest int
	// RestFor is how long they are kept. Zero is 10 minutes.
	RestFor time.Duration
	// MaxAttachments bounds the bytes of attachments that go with one result; further ones are named. Zero is 8 MiB.
	MaxAttachments int

	// Audit is given a JSON line for each program, call and question. Nil is none. See docs/gateway.md.
	Audit io.Writer
	// AuditInputs adds programs and inputs to those lines, which otherwise have sizes and hashes.
	AuditInputs bool
	// Log is for people. Nil discards.
	Log *slog.Logger
}

// The defaults of Options.
const (
	defaultReadyWithin    = 10 * time.Second
	defaultMaxPrograms    = 64
	defaultMaxOfSession   = 16
	defaultMaxParked      = 32
	defaultParkedFor      = 5 * time.Minute
	defaultMaxRest        = 64 << 20
	defaultRestFor        = 10 * time.Minute
	defaultMaxAttachments = 8 << 20
)

// besideParked is how many programs there is memory for beside all those that wait for an answer.
const besideParked = 8

// DefaultRuntime are the limits for servers that run what strangers' models write: 5 minutes, 512 MiB, 64 KiB of output,
// and 5 minutes of waiting for people that do not count. Programs may sleep, within the 5 minutes.
func DefaultRuntime() codemode.Options {
	return codemode.Options{
		Limits:  codemode.Limits{TimeoutMs: new(5 * 60 * 1000), MaxMemoryBytes: new(512 << 20), MaxOutputBytes: new(64 << 10)},
		MaxWait: 5 * time.Minute, AllowSleep: true,
	}
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

func (o Options) withDefaults() Options {
	o.Name, o.Version = or(o.Name, "codemode"), or(o.Version, "0")
	o.ReadyWithin = or(o.ReadyWithin, defaultReadyWithin)
	o.MaxPrograms, o.MaxParked = or(o.MaxPrograms, defaultMaxPrograms), or(o.MaxParked, defaultMaxParked)
	o.MaxSessionPrograms = or(o.MaxSessionPrograms, min(defaultMaxOfSession, o.MaxPrograms))
	if o.MaxMemory == 0 {
		o.MaxMemory = MachineMemory() / 4
	}
	o.ParkedFor, o.RestFor = or(o.ParkedFor, defaultParkedFor), or(o.RestFor, defaultRestFor)
	o.MaxRest, o.MaxAttachments = or(o.MaxRest, defaultMaxRest), or(o.MaxAttachments, defaultMaxAttachments)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func (o Options) check() error {
	for _, f := range []struct {
		name  string
		value int64
	}{
		{"ReadyWithin", int64(o.ReadyWithin)}, {"MaxPrograms", int64(o.MaxPrograms)}, {"MaxParked", int64(o.MaxParked)},
		{"MaxSessionPrograms", int64(o.MaxSessionPrograms)},
		{"ParkedFor", int64(o.ParkedFor)}, {"RestFor", int64(o.RestFor)}, {"MaxAttachments", int64(o.MaxAttachments)},
	} {
		if f.value < 0 {
			return fmt.Errorf("server: Options.%s: got %d, want 0 or more", f.name, f.value)
		}
	}
	return nil
}

// grace bounds how long the end of a server waits for what does not end.
const grace = 5 * time.Second

// Server serves a registry. It may serve any number of clients over any number of transports at once. All methods may be
// called from any goroutine.
type Server struct {
	registry *registry.Registry
	options  Options
	sdk      *mcp.Server
	scope    *scope.Scope
	audit    *audit
	parked   lot
	rest     store
	memory   budget
	guests   guests
	surface  surface
	traffic  traffic
	started  time.Time
	unwatch  func()

	mu       sync.Mutex
	closing  bool
	runs     map[*run]struct{} // that have not ended
	sessions map[*mcp.ServerSession]*session
	named    int // sessions that have been given a label
	recent   recent
}

// New makes a Server. The error names the field that is wrong.
func New(r *registry.Registry, o Options) (*Server, error) {
	if r == nil {
		return nil, errors.New("server: New: got no registry")
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Server{registry: r, options: o.withDefaults(), started: time.Now(), runs: map[*run]struct{}{}, sessions: map[*mcp.ServerSession]*session{}}
	if _, err := s.snapshot(nil); err != nil {
		return nil, err
	}
	s.audit = newAudit(s.options)
	s.scope = scope.Open(context.Background(), scope.Options{Name: "mcp server", Grace: grace})
	s.parked.limit, s.parked.keep = s.options.MaxParked, s.options.ParkedFor
	s.memory.total, s.memory.places = s.options.MaxMemory, min(s.options.MaxParked+besideParked, s.options.MaxPrograms)
	s.rest.limit, s.rest.keep = s.options.MaxRest, s.options.RestFor
	s.sdk = mcp.NewServer(
		&mcp.Implementation{Name: s.options.Name, Title: s.options.Title, Version: s.options.Version},
		&mcp.ServerOptions{
			Instructions: s.options.Instructions, Logger: quiet(s.options.Log),
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
			// What is listed may depend on who asks.
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
		})
	s.sdk.AddReceivingMiddleware(s.intercept)
	s.sdk.AddSendingMiddleware(keepReply)
	if err := s.refresh(); err != nil {
		s.scope.Close(scope.Exit{})
		return nil, err
	}
	s.watch()
	return s, nil
}

// quiet leaves out what the SDK logs of every session.
func quiet(log *slog.Logger) *slog.Logger { return slog.New(warnings{log.Handler()}) }

type warnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (w warnings) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && w.Handler.Enabled(ctx, l)
}

// Close ends the server: programs are interrupted, their clients told, and sessions closed. It waits until all has ended,
// at most some seconds or until ctx is done; the error is why ctx is done, or what was left behind. Closing again does
// nothing.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.unwatch()
	closing := scope.Open(context.Background(), scope.Options{Name: "close mcp server"})
	fiber := closing.Fork("close", func(context.Context) error {
		s.close()
		return nil
	})
	if _, err := fiber.Await(ctx); err != nil {
		return fmt.Errorf("server: what runs has not ended in time: %w", err)
	}
	closing.Close(scope.Exit{})
	return unended(s.scope.Abandoned())
}

// unended is the error of what does not react to being interrupted and still runs, by its names.
func unended(left []string) error {
	if len(left) == 0 {
		return nil
	}
	for i, name := range left {
		if name == "main" { // as an execution calls the program's own fiber
			left[i] = "a program"
		}
	}
	return fmt.Errorf("server: still runs, as it does not react to being interrupted, and ends with the process at the latest: %s", strings.Join(left, ", "))
}

// close interrupts programs, waits for their results to go out, and closes sessions.
func (s *Server) close() {
	s.scope.Interrupt(scope.ScopeClosed)
	s.parked.clear()
	going, stop := context.WithTimeout(context.Background(), grace)
	defer stop()
	s.awaitRuns(going)
	s.traffic.await(going)
	sessions := scope.Open(context.Background(), scope.Options{Name: "close sessions", Grace: grace})
	for ss := range s.sdk.Sessions() {
		sessions.Fork("session", func(context.Context) error { return ss.Close() })
	}
	sessions.Close(scope.Exit{}) // waits; closing a session waits for its calls
	s.scope.Close(scope.Exit{})
	s.rest.clear()
}

// awaitRuns waits until the runs under way have ended or ctx is done.
func (s *Server) awaitRuns(ctx context.Context) {
	s.mu.Lock()
	var left []*run
	for r := range s.runs {
		left = append(left, r)
	}
	s.mu.Unlock()
	for _, r := range left {
		select {
		case <-r.done:
		case <-ctx.Done():
			return
		}
	}
}

// isClosing reports that no program may start any more.
func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// Running is how many programs and direct calls are under way, those that wait for an answer included.
func (s *Server) Running() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.runs)
}

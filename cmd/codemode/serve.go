package main

// This file defines the command serve: the tools as an MCP server, for one client over standard input and output or for
// many over HTTP.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/cmd/codemode/internal/demo"
	"github.com/codemode-go/codemode/gateway"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/mcp/server"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
)

type serveCommand struct {
	configFlags `embed:""`

	HTTP          string   `name:"http" placeholder:"HOST:PORT" help:"Serve over HTTP at this address, such as 127.0.0.1:3900, instead of over standard input and output. Other than loopback addresses need --token-env."`
	TokenEnv      string   `placeholder:"NAME" help:"The environment variable with the token that clients have to send as Authorization: Bearer."`
	Stateless     bool     `help:"Keep no sessions over HTTP, so that any process may answer any request."`
	OneUser       bool     `name:"one-user" help:"All clients over HTTP are one person's: a question that a server does not tie to a call may reach any of them."`
	AllowedHost   []string `sep:"none" placeholder:"HOST" help:"A further name under which the server may be addressed, such as that of a proxy before it."`
	AllowedOrigin []string `sep:"none" placeholder:"ORIGIN" help:"An origin of web pages that may speak to the server, such as https://example.com."`

	Name       string `default:"execute" help:"What the tool that runs programs is called (${default})."`
	SearchTool bool   `name:"search" help:"Also offer a tool that finds tools."`

	Timeout   time.Duration `default:"5m" help:"The time a program may take; 0 for no limit (${default})."`
	Memory    int           `default:"512" placeholder:"MIB" help:"The data a program may hold at a time, in MiB; 0 for no limit (${default})."`
	AllMemory *int64        `name:"all-memory" placeholder:"MIB" help:"The data that all programs together may hold, in MiB; 0 for no limit. A quarter of the machine's memory by default. A program has less than --memory while others have it."`
	MaxCalls  *int          `placeholder:"N" help:"How many tool calls a program may make; no limit by default."`
	MaxOutput int           `default:"65536" placeholder:"BYTES" help:"How large value, warnings and logs of a program may be together (${default}); the rest can be read piece by piece."`

	Wait time.Duration `default:"10s" help:"How long after the start lists and calls wait for servers that still connect; 0 to answer with those that have (${default})."`

	Audit       string `placeholder:"FILE" help:"Append a line of JSON to this file for each program, call and question: who, what, when, how it ended, and no contents."`
	AuditInputs bool   `help:"Have programs and inputs in those lines."`
	Quiet       bool   `short:"q" xor:"level" help:"Write warnings and errors only to standard error."`
	Verbose     bool   `short:"v" xor:"level" help:"Also write what the servers say: their standard error, their log messages, and text beside the structured content of a result."`
}

// execute serves until the client closes standard input, or the process is told to end.
func (c *serveCommand) execute(ctx context.Context, s streams) int {
	if s.out == io.Writer(os.Stdout) {
		os.Stdout = os.Stderr // what else is written must not come between the messages
		// A client that reads no more is gone, which a write tells, and all is to end in order. A signal that is ignored would
		// stay so in children, one that is received does not.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
	level := slog.LevelInfo
	if c.Quiet {
		level = slog.LevelWarn
	}
	if c.Verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: level}))
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // there is no GOMEMLIMIT
		debug.SetMemoryLimit(server.MachineMemory() / 4 * 3)
	}
	o, err := c.options(log)
	if err != nil {
		return usage(s, err)
	}
	web, err := c.http(log)
	if err != nil {
		return usage(s, err)
	}
	b, err := c.open(ctx, s, o, log)
	if err != nil {
		return usage(s, err)
	}
	defer b.close(log)
	if c.HTTP != "" {
		err = b.server.ListenAndServe(ctx, web)
	} else {
		log.Info("serving over standard input and output")
		err = b.server.ServeStream(ctx, s.in, s.out)
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(s.err, "codemode:", err)
		return exitFailed
	}
	return exitOK
}

func (c *serveCommand) options(log *slog.Logger) (server.Options, error) {
	o := server.Options{Name: "codemode", Title: "Code mode", Version: strings.TrimPrefix(version(), "codemode "), Search: c.SearchTool, Log: log, AuditInputs: c.AuditInputs, OneUser: c.OneUser}
	for _, err := range []error{checkLimits(c.Timeout, c.Memory, c.MaxCalls, &c.MaxOutput), checkWait(c.Wait), checkName(c.Name)} {
		if err != nil {
			return o, err
		}
	}
	switch all := c.AllMemory; {
	case all == nil:
	case *all < 0 || *all > math.MaxInt64>>20:
		return o, fmt.Errorf("--all-memory: got %d, want 0 or more MiB", *all)
	case *all == 0:
		o.MaxMemory = -1
	default:
		o.MaxMemory = *all << 20
	}
	if c.Audit == "" {
		if c.AuditInputs {
			return o, errors.New("--audit-inputs: there is no --audit")
		}
		return o, nil
	}
	f, err := os.OpenFile(c.Audit, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return o, fmt.Errorf("--audit: %w", err)
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := f.Chmod(0o600); err != nil { // an older file may be for others too
			f.Close()
			return o, fmt.Errorf("--audit: %w", err)
		}
	}
	o.Audit = f // which lives as long as the process
	return o, nil
}

func (c *serveCommand) http(log *slog.Logger) (server.HTTPOptions, error) {
	o := server.HTTPOptions{Addr: c.HTTP, Stateless: c.Stateless, AllowedHosts: c.AllowedHost, AllowedOrigins: c.AllowedOrigin}
	if c.HTTP == "" {
		for flag, given := range map[string]bool{"token-env": c.TokenEnv != "", "stateless": c.Stateless, "allowed-host": len(c.AllowedHost) > 0, "allowed-origin": len(c.AllowedOrigin) > 0} {
			if given {
				return o, fmt.Errorf("--%s: is for --http, which is not given", flag)
			}
		}
		return o, nil
	}
	if c.TokenEnv != "" {
		if o.Token = os.Getenv(c.TokenEnv); o.Token == "" {
			return o, fmt.Errorf("--token-env: the environment variable %s is not set", c.TokenEnv)
		}
	}
	if host, _, err := net.SplitHostPort(c.HTTP); err != nil {
		return o, fmt.Errorf("--http: got %q, want HOST:PORT, such as 127.0.0.1:3900", c.HTTP)
	} else if o.Token == "" && !server.IsLoopback(host) {
		return o, fmt.Errorf("--http: got %q, which others can reach; want a loopback address, such as 127.0.0.1:3900, or --token-env", c.HTTP)
	}
	o.Listening = func(a net.Addr) { log.Info("serving over HTTP", "url", "http://"+a.String()+server.Path) }
	return o, nil
}

// runtime are the limits of programs.
func (c *serveCommand) runtime() codemode.Options {
	o := server.DefaultRuntime()
	o.Limits = codemode.Limits{MaxToolCalls: c.MaxCalls, MaxOutputBytes: &c.MaxOutput}
	if c.Memory != 0 {
		o.Limits.MaxMemoryBytes = new(c.Memory << 20)
	}
	if c.Timeout != 0 {
		o.Limits.TimeoutMs = new(int((c.Timeout + time.Millisecond - 1) / time.Millisecond))
	}
	return o
}

// backend is what serve serves: a server and what stands behind it.
type backend struct {
	server *server.Server
	behind *gateway.Gateway // nil for the demo
	scope  *scope.Scope     // of what goes on beside
}

// open makes the server of the tools that are configured, or else of the demo's.
func (c *serveCommand) open(ctx context.Context, s streams, o server.Options, log *slog.Logger) (b *backend, err error) {
	b = &backend{}
	c.address = c.HTTP
	var upstream atomic.Pointer[server.Server]
	r, err := c.registryFor(ctx, s, b, callbacks(&upstream, log), log)
	if err != nil {
		return nil, err
	}
	if b.behind != nil {
		if o.ReadyWithin = c.Wait; c.Wait > 0 {
			o.Ready = b.behind.Ready()
		}
		o.Absent = b.behind.Absent
	}
	if b.server, err = server.New(r, o); err != nil {
		b.close(log)
		return nil, err
	}
	upstream.Store(b.server)
	b.scope = scope.Open(context.WithoutCancel(ctx), scope.Options{Name: "serve"})
	if b.behind != nil {
		b.scope.Fork("report clashes", func(ctx context.Context) error {
			_ = b.behind.Wait(ctx)
			select {
			case <-b.behind.Ready(): // also if it ends at this moment
				reportClashes(b.behind, log)
			default:
			}
			return nil
		})
	}
	return b, nil
}

// reportClashes says which direct tools have other names than they would have, when all servers have been tried.
func reportClashes(g *gateway.Gateway, log *slog.Logger) {
	clashes, err := g.Clashes()
	if err != nil {
		log.Error("the tools could not be listed", "error", err)
		return
	}
	logList(clashes, func(text string) { log.Warn("two tools had one name", "tool", text) })
}

// registryFor is the registry of the tools: of the servers in the configuration, or of the demo.
func (c *serveCommand) registryFor(ctx context.Context, s streams, b *backend, callbacks client.Callbacks, log *slog.Logger) (*registry.Registry, error) {
	o := registry.Options{Runtime: c.runtime(), ExecuteName: c.Name}
	if c.given() {
		g, err := c.configFlags.open(ctx, s, gateway.Options{Registry: o, Callbacks: callbacks, Report: serverReport(log)})
		if err != nil {
			return nil, err
		}
		b.behind = g
		return g.Registry(), nil
	}
	tree, err := demo.Tree()
	if err != nil {
		return nil, err
	}
	r, err := registry.New(o)
	if err != nil {
		return nil, err
	}
	_, err = r.Register(tree, registry.Deferred)
	return r, err
}

// serverReport says how the servers are doing when they have been tried, and what may surprise about their tools.
func serverReport(log *slog.Logger) func(gateway.Status) {
	return func(s gateway.Status) {
		for _, w := range s.Warnings {
			log.Warn(visible(w.Error()))
		}
		switch {
		case s.Usable():
			log.Info("connected", "server", s.Name, "tools", s.Tools)
			reportTools(s, log)
		case s.State == gateway.Disabled:
			log.Info("not used: "+visible(s.Error), "server", s.Name, "place", s.Place.String())
		default:
			log.Warn(visible(serverError(s)))
		}
	}
}

func reportTools(s gateway.Status, log *slog.Logger) {
	if len(s.Skipped) > 0 {
		log.Info("operations of the document are no tools; codemode doctor -v says why", "server", s.Name, "skipped", len(s.Skipped))
		return
	}
	var left []string
	for _, l := range s.LeftOut {
		if l.Reason != client.Excluded {
			left = append(left, l.Tool+": "+l.Reason)
		}
	}
	logList(left, func(text string) { log.Warn("a tool is left out: "+text, "server", s.Name) })
	logList(s.Notes, func(text string) { log.Info(text, "server", s.Name) })
}

// logList logs the first ones of a list.
func logList(list []string, say func(text string)) {
	for i, text := range list {
		if i == mostFindings {
			say(fmt.Sprintf("and %d more; codemode doctor -v shows them", len(list)-mostFindings))
			return
		}
		say(visible(text))
	}
}

// callbacks bring what servers ask and tell to the client in front, once there is a server for it.
func callbacks(upstream *atomic.Pointer[server.Server], log *slog.Logger) client.Callbacks {
	return client.Callbacks{
		Elicit: func(ctx context.Context, e client.Elicitation) (client.Answer, error) {
			up := upstream.Load()
			if up == nil {
				return client.Answer{}, server.ErrUnasked
			}
			a, err := up.Elicit(ctx, server.Question{From: e.Server, Message: e.Message, Schema: e.Schema, URL: e.URL, ID: e.ID, Guessed: e.Guessed, Among: e.During})
			return client.Answer{Action: client.Action(a.Action), Content: a.Content}, err
		},
		ElicitURL: true,
		Progress: func(ctx context.Context, p client.Progress) {
			if up := upstream.Load(); up != nil {
				up.Report(ctx, progressText(p))
			}
		},
		Log: func(e client.LogEntry) {
			log.Debug(visible(e.Text), attributes(e.Server, e.Tool, "source", e.Source)...)
		},
		Trouble: func(name string, t client.Trouble) {
			log.Warn(visible(t.Text), attributes(name, t.Tool)...)
		},
	}
}

// attributes are those of a line about a server, and of its tool if it is about one.
func attributes(server, tool string, more ...any) []any {
	list := append([]any{"server", server}, more...)
	if tool != "" {
		list = append(list, "tool", tool)
	}
	return list
}

func progressText(p client.Progress) string {
	text := fmt.Sprintf("%s.%s: %g", p.Server, p.Tool, p.Done)
	if p.Total > 0 {
		text += fmt.Sprintf(" of %g", p.Total)
	}
	if p.Message != "" {
		text += " " + p.Message
	}
	return text
}

const (
	// closeWithin bounds the end, with that of the stream before it within 3 seconds. A child that ignores all that asks it to
	// end is killed before that.
	closeWithin = 1800 * time.Millisecond
	// closeLate is how long after that children are still killed: a machine may be busy, and none is to be left behind.
	closeLate = 2 * time.Second
)

// close ends the server and what stands behind it at once.
func (b *backend) close(log *slog.Logger) {
	ctx, stop := context.WithTimeout(context.Background(), closeWithin)
	defer stop()
	closing := scope.Open(context.Background(), scope.Options{Name: "close", Grace: closeWithin + closeLate})
	if b.scope != nil {
		b.scope.Close(scope.Exit{})
	}
	closing.Fork("server", func(context.Context) error {
		if b.server == nil {
			return nil
		}
		if err := b.server.Close(ctx); err != nil {
			log.Warn("not all has ended: " + visible(err.Error()))
		}
		return nil
	})
	closing.Fork("servers behind", func(context.Context) error {
		if b.behind == nil {
			return nil
		}
		if err := b.behind.Close(ctx); err != nil {
			log.Warn("a server has not ended: " + visible(err.Error()))
		}
		return nil
	})
	closing.Close(scope.Exit{})
}

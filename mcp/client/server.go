package client

// This file defines the configuration of a server.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/codemode-go/codemode/tool"
)

// Server says how to reach a server and what to take of it. Exactly one of
// Command, URL and Dial is set. It is not changed and may be used again.
type Server struct {
	// Name is the namespace of the tools. It is used exactly as it is; dots
	// separate namespaces.
	Name string
	// Description describes the namespace. Empty takes the server's, else its title.
	// The server's instructions are the guide of the namespace in any case.
	Description string

	// Command is a program and its arguments. It runs as a child process that is
	// spoken to over standard input and output, in a process group of its own.
	Command []string
	// Dir is the child's working directory; empty is that of this process.
	Dir string
	// Env are variables for the child. It otherwise gets HOME, LOGNAME, PATH,
	// SHELL, TERM and USER only (their likes on Windows), and what EnvFile and
	// InheritEnv add. Env wins over EnvFile, EnvFile over what is inherited.
	Env map[string]string
	// EnvFile is a file of lines NAME=VALUE, with comments after # at the start of
	// a line, quotes and a leading "export" as shells have them. Empty is none. It
	// is read at each start.
	EnvFile string
	// InheritEnv names variables that the child gets from this process. "*" is
	// all of them.
	InheritEnv []string

	// URL is the address of a server that speaks HTTP.
	URL string
	// Transport is how to speak to URL; the zero Auto tries streamable HTTP, then
	// SSE.
	Transport Transport
	// Headers go with each request to the origin of URL, and to no other.
	Headers map[string]string
	// Credentials give the requests their tokens; nil is that there are none but
	// what Headers say, which win.
	Credentials Credentials
	// Hide replaces what must not reach programs in the texts that the server sends:
	// results, errors, descriptions, questions, log messages. Names, keys and the
	// protocol's own words stay. It may be called from any goroutine; nil is that
	// nothing is to be replaced. See also [Credentials].
	Hide func(text string) string
	// RoundTripper sends the requests; nil is a transport of the client's own, made
	// like http.DefaultTransport, or that itself if the host has replaced it.
	RoundTripper http.RoundTripper

	// Dial opens a stream to a server, which carries one message a line. It is
	// called for each session; the client closes the stream.
	Dial func(context.Context) (io.ReadWriteCloser, error)

	// Include names the tools to take; nil is all. * stands for any text.
	Include []string
	// Exclude names the tools to leave out; it wins over Include. * stands for any
	// text.
	Exclude []string
	// Validate says what happens to inputs that do not fit the schema; the zero
	// Hint lets them go out.
	Validate Validation
	// ParseJSONText parses text results that are a JSON object or array, of tools
	// without output schema. Otherwise text stays text.
	ParseJSONText bool
	// Roots are folders or other places the server is told of. Without any the
	// client does not offer them. To some servers they are an authority: the file
	// system server replaces the folders it was started with by them.
	Roots []Root
	// Concurrency bounds the calls of one execution that run at once at this
	// server; zero leaves it at the bound of the execution.
	Concurrency int

	// Protocol pins the version of the protocol, say "2025-11-25". Empty
	// negotiates the newest both sides know.
	Protocol string
	// ConnectTimeout bounds the start of a session with its first list of tools;
	// zero is 60 s.
	ConnectTimeout time.Duration
	// DiscoverTimeout is how long a server may leave the first message of the
	// newest protocol unanswered before the client starts over with the one before;
	// zero is 5 s.
	DiscoverTimeout time.Duration
	// Timeout is how long a call may go on without a sign of progress; zero is
	// 60 s, a negative one is no bound. Waiting for a person does not count.
	Timeout time.Duration
	// MaxMessageBytes bounds one message of the server; zero is 16 MiB. A larger
	// reply fails the call it answers; anything else that is larger is dropped, with
	// a trouble.
	MaxMessageBytes int
}

// Root is a place that a server is told of.
type Root struct {
	URI  string // file:///…
	Name string // may be empty
}

// Transport is a way to speak to an address.
type Transport uint8

// The transports over HTTP.
const (
	Auto           Transport = iota // streamable HTTP, and SSE if that is refused
	StreamableHTTP                  // since protocol version 2025-03-26
	SSE                             // the one before
)

// Validation is what happens to an input that does not fit its schema. With
// all but Off, outputs are checked against the output schema, if there is one.
type Validation uint8

// The modes of validation.
const (
	Hint   Validation = iota // the call goes out; what did not fit is added if the server refuses it
	Strict                   // the call is refused before it goes out
	Off                      // nothing is looked at
)

func (v Validation) mode() tool.Validation {
	switch v {
	case Strict:
		return tool.Strict
	case Off:
		return tool.Off
	}
	return tool.Hint
}

const (
	defaultConnectTimeout  = 60 * time.Second
	defaultDiscoverTimeout = 5 * time.Second
	defaultTimeout         = 60 * time.Second
	defaultMaxMessage      = 16 << 20
)

// withDefaults replaces zero values by what they mean.
func (s Server) withDefaults() Server {
	if s.ConnectTimeout == 0 {
		s.ConnectTimeout = defaultConnectTimeout
	}
	if s.DiscoverTimeout == 0 {
		s.DiscoverTimeout = defaultDiscoverTimeout
	}
	if s.Timeout == 0 {
		s.Timeout = defaultTimeout
	}
	if s.MaxMessageBytes == 0 {
		s.MaxMessageBytes = defaultMaxMessage
	}
	s.Command = slices.Clone(s.Command)
	return s
}

// check reports what is wrong with a configuration, by field.
func (s Server) check() error {
	var problems []error
	problem := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("mcp server %q: "+format, append([]any{s.Name}, args...)...))
	}
	if badName(s.Name) {
		problem("Name: want text that is not empty between its dots")
	}
	if name, _, _ := strings.Cut(s.Name, "."); name == ownNamespace {
		problem("Name: the namespace %s is the runtime's own", ownNamespace)
	}
	ways := 0
	for _, set := range []bool{len(s.Command) > 0, s.URL != "", s.Dial != nil} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		problem("got %d of Command, URL and Dial, want one", ways)
	}
	if s.URL != "" {
		if u, err := url.Parse(s.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			problem("URL: want an absolute http or https address") // which may hold a secret
		}
	}
	if s.Transport > SSE {
		problem("Transport: got %d, want Auto, StreamableHTTP or SSE", s.Transport)
	}
	if s.Validate > Off {
		problem("Validate: got %d, want Hint, Strict or Off", s.Validate)
	}
	if s.Concurrency < 0 {
		problem("Concurrency: got %d, want 0 or more", s.Concurrency)
	}
	if s.MaxMessageBytes < 0 {
		problem("MaxMessageBytes: got %d, want 0 or more", s.MaxMessageBytes)
	}
	for field, d := range map[string]time.Duration{"ConnectTimeout": s.ConnectTimeout, "DiscoverTimeout": s.DiscoverTimeout} {
		if d < 0 {
			problem("%s: got %v, want 0 or more", field, d)
		}
	}
	return errors.Join(problems...)
}

// ownNamespace is where the runtime's own tools are.
const ownNamespace = "$codemode"

// badName reports whether a name makes no path of a tree.
func badName(name string) bool {
	return slices.Contains(strings.Split(name, "."), "")
}

// takes reports whether the configuration lets a tool in.
func (s Server) takes(name string) bool {
	if slices.ContainsFunc(s.Exclude, func(p string) bool { return matches(p, name) }) {
		return false
	}
	return s.Include == nil || slices.ContainsFunc(s.Include, func(p string) bool { return matches(p, name) })
}

// matches reports whether text fits a pattern, in which * stands for any text.
func matches(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, last)
}

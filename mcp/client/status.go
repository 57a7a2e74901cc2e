package client

// This file defines what a client tells about its server.

import (
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
)

// State is where a client stands.
type State string

// The states.
const (
	Connecting State = "connecting" // the first session is being made
	Connected  State = "connected"
	Down       State = "down" // the session ended; the next call makes another one
	Failed     State = "failed"
	// NeedsSignIn is that the server takes no request before a person has signed
	// in; Error says how.
	NeedsSignIn State = "needs sign-in"
	Closed      State = "closed"
)

// Status describes a server and how it is doing, for the host: it may quote
// the server.
type Status struct {
	Name      string
	State     State
	Transport string // stdio, streamable-http, sse, stream; "" before the first session
	Protocol  string // the version agreed on
	Server    string // what the server calls itself
	Title     string
	Version   string // of the server
	Tools     int
	// LeftOut are tools that the server lists and the tree does not have, with
	// the reason, in the order of the list.
	LeftOut []LeftOut
	// Notes are remarks about tools that are there.
	Notes []string
	// Troubles are the last ones, oldest first.
	Troubles []Trouble
	// Stderr are the last lines the server wrote to its standard error, and those
	// on its standard output that are no messages.
	Stderr []string
	// Error is why the last attempt at a session failed, "" if it did not.
	Error string
}

// LeftOut is a tool that is not in the tree.
type LeftOut struct{ Tool, Reason string }

// Excluded is the reason for tools that Server.Include and Server.Exclude leave
// out.
const Excluded = "the configuration leaves it out"

// Trouble is something that went wrong with a server.
type Trouble struct {
	Time time.Time
	Tool string // it is about, or ""
	Text string
	// Count is how often it came in a row.
	Count int
}

// String is the trouble on one line.
func (t Trouble) String() string {
	text := t.Text
	if t.Tool != "" {
		text = t.Tool + ": " + text
	}
	if t.Count > 1 {
		text += " (" + strconv.Itoa(t.Count) + " times)"
	}
	return text
}

// maxTroubles is how many troubles are kept.
const maxTroubles = 50

// peer is what a server told about itself when the session began.
type peer struct {
	transport, protocol  string
	name, title, version string
	description          string
	instructions         string
}

// Status describes the server as it is now. The first time it compiles the
// schemas of all tools, to tell which cannot be enforced.
func (c *Client) Status() Status {
	s, tools := c.status()
	for _, d := range tools {
		if note := d.unenforced(); note != "" {
			s.Notes = append(s.Notes, d.name+": "+note)
		}
	}
	return s
}

func (c *Client) status() (Status, []*definition) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Status{
		Name: c.server.Name, State: c.state(), Transport: c.peer.transport, Protocol: c.peer.protocol,
		Server: c.peer.name, Title: c.peer.title, Version: c.peer.version,
		Tools: len(c.listing.tools), LeftOut: slices.Clone(c.listing.leftOut), Notes: slices.Clone(c.listing.notes),
		Troubles: slices.Clone(c.troubles), Stderr: c.stderr.lines(),
	}
	if c.lastError != nil {
		s.Error = c.lastError.Error()
	}
	if u := c.denied.Load(); u != nil && s.State == NeedsSignIn {
		s.Error = u.Error()
	}
	return s, c.listing.tools
}

func (c *Client) state() State {
	switch {
	case c.closed:
		return Closed
	case c.needsSignIn():
		return NeedsSignIn
	case c.session != nil:
		return Connected
	case c.peer.transport != "":
		return Down
	case c.starting == nil && c.lastError != nil:
		return Failed
	}
	return Connecting
}

func (c *Client) needsSignIn() bool {
	u := c.denied.Load()
	return u != nil && u.SignIn
}

// trouble records a trouble and tells the host.
func (c *Client) trouble(tool, format string, args ...any) {
	t := Trouble{Time: time.Now(), Tool: tool, Text: clip(fmt.Sprintf(format, args...), maxMessage), Count: 1}
	c.mu.Lock()
	if n := len(c.troubles); n > 0 && c.troubles[n-1].Text == t.Text && c.troubles[n-1].Tool == t.Tool {
		t.Count += c.troubles[n-1].Count
		c.troubles = c.troubles[:n-1]
	}
	c.troubles = append(c.troubles, t)
	if len(c.troubles) > maxTroubles {
		c.troubles = slices.Delete(c.troubles, 0, len(c.troubles)-maxTroubles)
	}
	c.mu.Unlock()
	if f := c.callbacks.Trouble; f != nil {
		name := c.server.Name
		// guard would report a panic of it as another trouble.
		c.guardQuietly(func() { f(name, t) })
	}
}

// maxMessage bounds a server's text in a message, in bytes.
const maxMessage = 8 << 10

// clip bounds a text without cutting a character.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "… (" + strconv.Itoa(len(text)-cut) + " bytes more)"
}

// member reads a member of what may be an object.
func member(v data.Value, key string) data.Value {
	o, _ := v.(*data.Object)
	m, _ := o.Get(key)
	return m
}

// text reads a member that may be a string.
func text(v data.Value, key string) string {
	s, _ := member(v, key).(data.String)
	return string(s)
}

// wasConnected reports whether there has been a session.
func (c *Client) wasConnected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.peer.transport != ""
}

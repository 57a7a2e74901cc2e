package client

// This file defines sessions: how one is made, and what ends it.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// legacy is the newest version of the protocol that begins with initialize.
const legacy = "2025-11-25"

// session is one conversation with the server.
type session struct {
	sdk     *mcp.ClientSession
	wire    *wire
	process *process // nil if the server is no child
	peer    peer
	// shut ends the session, once, and waits for it, at most for the patience.
	shut func()
	// done is closed when the session has ended; then ending is how, for the model, and reason is for the host.
	done   chan struct{}
	told   chan struct{} // closed when the client knows of it as well
	ending string
	reason error
	// lifetime is done when the session is to end.
	lifetime context.Context
}

var (
	errSilent = errors.New("the server did not answer the first message")
	errSlow   = errors.New("it took too long")
)

// attempt makes a session. A server that does not know the newest protocol may
// stay silent or end; then it is started over with the one before.
func (c *Client) attempt(ctx context.Context) (*session, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.server.ConnectTimeout, errSlow)
	defer cancel()
	s, err := c.dial(ctx, c.server.Protocol)
	if err == nil || c.server.Protocol != "" || ctx.Err() != nil || !errors.Is(err, errSilent) {
		return s, c.explained(ctx, err)
	}
	c.note("it does not answer server/discover and is spoken to at protocol %s", legacy)
	c.stderr.clear() // it is about to write the same again
	s, err = c.dial(ctx, legacy)
	return s, c.explained(ctx, err)
}

// note is a remark about the server that is no trouble.
func (c *Client) note(format string, args ...any) {
	c.log(LogEntry{Source: Notice, Level: "info", Text: fmt.Sprintf(format, args...)})
}

func (c *Client) explained(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errSlow) {
		return fmt.Errorf("no session within %v: %w", c.server.ConnectTimeout, err)
	}
	return err
}

// dial makes a session over whatever transport is configured.
func (c *Client) dial(ctx context.Context, version string) (*session, error) {
	if c.server.URL == "" {
		return c.dialStream(ctx, version)
	}
	if c.server.Transport == SSE {
		s, _, err := c.dialHTTP(ctx, version, true)
		return s, err
	}
	s, status, err := c.dialHTTP(ctx, version, false)
	if err == nil || c.server.Transport == StreamableHTTP || !refusesPost(status) {
		return s, err
	}
	// A server of the older kind has no POST at this address.
	s, _, sseErr := c.dialHTTP(ctx, legacy, true)
	if sseErr != nil {
		return nil, fmt.Errorf("%w (and as a server of the older kind: %w)", err, sseErr)
	}
	return s, nil
}

// refusesPost reports whether a status may come from a server that speaks SSE.
func refusesPost(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests:
		return false
	}
	return status >= 400 && status < 500
}

func (c *Client) dialHTTP(ctx context.Context, version string, sse bool) (*session, int, error) {
	// The end of the session is a request of its own, so that it must outlive the scope's interruption.
	lifetime, stop := context.WithCancel(context.WithoutCancel(c.scope.Context()))
	w := c.newWire()
	rt, idle := c.newRoundTripper(lifetime, w, sse)
	client := &http.Client{Transport: rt}
	name := "streamable-http"
	var t mcp.Transport = &mcp.StreamableClientTransport{Endpoint: c.server.URL, HTTPClient: client, MaxEventSize: -1}
	if sse {
		name = "sse"
		t = &mcp.SSEClientTransport{Endpoint: c.server.URL, HTTPClient: client, MaxEventSize: -1}
	}
	s := &session{wire: w, peer: peer{transport: name}}
	rt.retire = func() { c.retire(s) }
	s, err := c.converse(ctx, s, t, version, func() { stop(); idle() })
	if err != nil {
		stop()
		idle()
		if denied := rt.denied.Load(); denied != nil {
			err = denied // in whatever the SDK has wrapped it
		}
	}
	return s, int(rt.status.Load()), err
}

func (c *Client) dialStream(ctx context.Context, version string) (*session, error) {
	w := c.newWire()
	if c.server.Dial != nil {
		raw, err := c.server.Dial(ctx)
		if err != nil {
			return nil, fmt.Errorf("it cannot be dialled: %w", err)
		}
		out := newOutbox(raw)
		c.scope.Fork("write", out.run)
		t := newStream(raw, w, out, raw.Close)
		return c.converse(ctx, &session{wire: w, peer: peer{transport: "stream"}}, t, version, func() { raw.Close(); out.Close() })
	}
	p, err := c.startProcess(c.scope)
	if err != nil {
		return nil, err
	}
	t := newStream(p.stdout, w, p.in, p.stdout.Close)
	s, err := c.converse(ctx, &session{wire: w, process: p, peer: peer{transport: "stdio"}}, t, version, func() { p.stop(); p.stdout.Close() })
	if err == nil {
		return s, nil
	}
	if how := p.ending(); how != "" && endedEarly(err) { // else it was ended from here
		err = fmt.Errorf("%w (%s)", err, how)
	}
	return nil, err
}

// converse begins the conversation. cut ends the transport by force.
func (c *Client) converse(ctx context.Context, s *session, t mcp.Transport, version string, cut func()) (*session, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cut = sync.OnceFunc(cut)
	if version == "" {
		silent := time.AfterFunc(c.server.DiscoverTimeout, func() {
			if !s.wire.heard.Load() {
				cancel(errSilent)
				cut() // the SDK would try to go on over a stream that is stuck
			}
		})
		defer silent.Stop()
	}
	stop := context.AfterFunc(ctx, cut)
	s.done, s.told = make(chan struct{}), make(chan struct{})
	sdk, err := c.newSDK(s).Connect(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: version})
	err = unreachedFor(err)
	if !stop() || err != nil {
		silent := !s.wire.heard.Load() && version == "" && (context.Cause(ctx) == errSilent || c.server.URL == "" && ctx.Err() == nil)
		if sdk != nil {
			sdk.Close()
		}
		cut()
		if silent {
			return nil, errors.Join(errSilent, err)
		}
		if err == nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	s.sdk = sdk
	c.begun(s, cut)
	return s, nil
}

// begun watches over a session that has begun.
func (c *Client) begun(s *session, cut func()) {
	r := s.sdk.InitializeResult()
	s.peer.protocol, s.peer.instructions = r.ProtocolVersion, r.Instructions
	if r.ServerInfo != nil {
		s.peer.name, s.peer.title, s.peer.version = r.ServerInfo.Name, r.ServerInfo.Title, r.ServerInfo.Version
		s.peer.description = r.ServerInfo.Description
	}
	lifetime, end := context.WithCancel(c.scope.Context())
	s.lifetime = lifetime
	s.shut = sync.OnceFunc(func() {
		end() // a question that waits for a person would hold the SDK up
		force := time.AfterFunc(patience, cut)
		defer force.Stop()
		if c.server.URL == "" { // HTTP has a message for the end
			cut()
		}
		s.sdk.Close()
		cut()
	})
	release := context.AfterFunc(lifetime, s.shut)
	c.scope.Fork("session", func(context.Context) error {
		err := s.sdk.Wait()
		release()
		s.shut()
		s.ending = "the connection ended"
		if s.process != nil {
			<-s.process.exited
			s.ending = "it ended with " + s.process.ending()
		} else if err != nil {
			s.ending = "the connection broke"
		}
		if s.reason = err; err == nil {
			s.reason = errors.New(s.ending)
		}
		close(s.done)
		c.lost(s)
		close(s.told)
		return nil
	})
}

// newSDK is the SDK's client for a session.
func (c *Client) newSDK(s *session) *mcp.Client {
	options := &mcp.ClientOptions{
		Logger:       slog.New(slog.DiscardHandler),
		Capabilities: &mcp.ClientCapabilities{},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			c.debounce.trigger()
		},
	}
	c.offerElicitation(s, options)
	c.offerSampling(s, options)
	c.offerRoots(options)
	client := mcp.NewClient(&mcp.Implementation{Name: "codemode", Version: Version}, options)
	c.addRoots(client)
	return client
}

// Version is what the client tells servers as its version.
const Version = "0.1.0"

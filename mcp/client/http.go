package client

// This file defines what lies between the SDK and a server that speaks HTTP.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"sync/atomic"
)

// roundTripper adds the headers, keeps to one origin, and passes replies
// through the wire.
type roundTripper struct {
	server   Server
	origin   *url.URL
	base     http.RoundTripper
	wire     *wire
	lifetime context.Context // of the session; ends what is still under way
	status   atomic.Int32    // of the last refusal before anything was heard
	sse      bool            // the older transport, whose GET lives as long as the session
	idle     func()          // closes the connections that are not used, of a transport of the client's own
	listened atomic.Bool     // the stream of what belongs to no request has been there
	// retire has the next call make another session.
	retire func()
	// unauthorized is told why the server takes no token, or nil when it took one or wants none.
	unauthorized func(*Unauthorized)
	denied       atomic.Pointer[Unauthorized] // the last of those, nil after a request that went well
}

func (c *Client) newRoundTripper(ctx context.Context, w *wire, sse bool) (t *roundTripper, idle func()) {
	origin, _ := url.Parse(c.server.URL) // checked before
	t = &roundTripper{server: c.server, origin: origin, base: c.server.RoundTripper, wire: w, lifetime: ctx, sse: sse}
	t.unauthorized = func(u *Unauthorized) {
		t.denied.Store(u)
		c.denied.Store(u)
	}
	if hides := c.server.Credentials; hides != nil {
		w.hide = hides.Hide
	}
	if t.base != nil {
		return t, func() {}
	}
	shared, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // the host has put another one in its place
		t.base = http.DefaultTransport
		return t, func() {}
	}
	own := shared.Clone()
	own.MaxIdleConnsPerHost = 16
	t.base, t.idle = own, own.CloseIdleConnections
	return t, t.idle
}

// RoundTrip implements http.RoundTripper.
func (t *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	x, body, err := t.note(req)
	if err != nil {
		return nil, err
	}
	if req.URL.Scheme != t.origin.Scheme || req.URL.Host != t.origin.Host {
		return t.unsent(req, x, "the server points to another origin, and requests do not leave their own",
			fmt.Errorf("the server points to another origin, %s://%s; requests do not leave their own", req.URL.Scheme, req.URL.Host))
	}
	ctx := req.Context()
	if t.sse && req.Method == http.MethodGet {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(t.lifetime, func() { cancel(context.Cause(t.lifetime)) })
	end := func() { release(); cancel(nil) }
	var got connection
	resp, err := t.authorized(ctx, func(authorization string) (*http.Response, error) {
		attempt := req.Clone(got.traced(ctx))
		if body != nil {
			attempt.Body = io.NopCloser(bytes.NewReader(body))
		}
		if authorization != "" {
			attempt.Header.Set("Authorization", authorization)
		}
		for name, value := range t.server.Headers {
			attempt.Header.Set(name, value)
		}
		got.begin()
		resp, err := t.base.RoundTrip(attempt)
		got.sending = err != nil
		return resp, err
	})
	var denied *Unauthorized
	switch {
	case err == nil:
		resp.Request = req.WithContext(context.WithValue(req.Context(), exchangeKey{}, x)) // for the request of a redirect
		return t.received(resp, x, end)
	case errors.As(err, &denied):
		end()
		return t.withoutToken(req, x, denied)
	case ctx.Err() != nil:
		end()
		return nil, err
	}
	end()
	switch {
	case !got.sending:
		return t.unsent(req, x, "no token for it could be had", err)
	case got.never(err, t.idle != nil):
		return t.unsent(req, x, "it cannot be reached", err)
	}
	return t.lost(req, x, err)
}

// exchangeKey is the key of the exchange in the context of the request that a
// response belongs to.
type exchangeKey struct{}

// connection is what is known of the way a request went.
type connection struct {
	sending bool        // the last attempt was at fault, and not the token
	got     atomic.Bool // it had a connection
}

func (c *connection) begin() {
	c.sending = true
	c.got.Store(false)
}

func (c *connection) traced(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { c.got.Store(true) }})
}

// never reports whether the request certainly did not go out. A transport of the
// host's need not tell of its connections.
func (c *connection) never(err error, own bool) bool {
	var dial *net.OpError
	return own && !c.got.Load() || errors.As(err, &dial) && dial.Op == "dial"
}

// withoutToken answers a request that the server did not take up for want of a
// token. The session stays.
func (t *roundTripper) withoutToken(req *http.Request, x *exchange, u *Unauthorized) (*http.Response, error) {
	resp := blank(req, http.StatusUnauthorized)
	switch {
	case x == nil:
		return t.refused(resp, nil, "")
	case t.sse && x.request == nil: // the start of the session, whose answers come on the stream
		return resp, nil
	}
	return t.answer(resp, x, u.Reason, nil), nil
}

// blank is a response without content that the server did not give.
func blank(req *http.Request, status int) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, Request: req}
}

// note reads the message of a request, and returns it with the exchange it
// opens.
func (t *roundTripper) note(req *http.Request) (*exchange, []byte, error) {
	if req.Method == http.MethodGet {
		return t.resumed(req), nil, nil
	}
	if req.Method != http.MethodPost || req.Body == nil {
		return nil, nil, nil
	}
	text, err := io.ReadAll(req.Body)
	req.Body.Close()
	req.Body = io.NopCloser(bytes.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	return t.wire.outgoing(text), text, nil
}

// resumed is the exchange that a GET belongs to: whose reply's stream it resumes,
// or whose request was sent elsewhere with this method.
func (t *roundTripper) resumed(req *http.Request) *exchange {
	if from := req.Response; from != nil && from.Request != nil {
		x, _ := from.Request.Context().Value(exchangeKey{}).(*exchange)
		return x
	}
	t.wire.mu.Lock()
	defer t.wire.mu.Unlock()
	return t.wire.streams[req.Header.Get(resumeHeader)]
}

// received looks at a response. end is to be called when its body is done.
func (t *roundTripper) received(resp *http.Response, x *exchange, end func()) (*http.Response, error) {
	resp.Body = &endingBody{resp.Body, sync.OnceFunc(end)}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.Request.Header.Get(sessionHeader) != "" {
		resp.Header.Del(sessionHeader) // another one than was agreed on would end the session
	}
	switch ok := resp.StatusCode >= 200 && resp.StatusCode < 300; {
	case !ok && follows(resp):
	case !ok:
		if !t.wire.heard.Load() {
			t.status.Store(int32(resp.StatusCode))
		}
		return t.refused(resp, x, kind)
	case kind == "text/event-stream":
		if resp.Request.Method == http.MethodGet && x == nil {
			t.listened.Store(true)
		}
		resp.Body = newEventReader(resp.Body, t.wire, x, !t.sse)
		resp.ContentLength = -1
	case x == nil, t.sse: // what answers a notification has no content, and with SSE all answers come on the stream
	case kind == "application/json":
		return t.whole(resp, x), nil
	default:
		if kind == "" {
			kind = "content of no type"
		}
		return t.answer(resp, x, "it answered with "+kind+" instead of JSON", nil), nil
	}
	return resp, nil
}

// follows reports whether a response sends the request elsewhere.
func follows(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return resp.Header.Get("Location") != ""
	}
	return false
}

// whole replaces a reply by what the SDK can read.
func (t *roundTripper) whole(resp *http.Response, x *exchange) *http.Response {
	body, err := readBody(resp.Body, t.wire.limit)
	var long *longBody
	switch {
	case errors.As(err, &long):
		return t.answer(resp, x, "its reply is too large: at most "+megabytes(t.wire.limit)+" are read", nil)
	case err != nil:
		return t.answer(resp, x, x.undone("its reply broke off"), err)
	}
	lines := t.wire.incoming(bytes.TrimSpace(body), x)
	if len(lines) == 0 || t.wire.open(x) { // nobody waits any more, or whatever else came; the SDK wants a message
		lines = append(lines, t.wire.broken(x, "its reply is no message of the protocol")...)
	}
	return replaced(resp, lines)
}

// longBody is the error of a body over the limit.
type longBody struct{}

// Error implements error.
func (*longBody) Error() string { return "the body is too large" }

func readBody(body io.ReadCloser, limit int) ([]byte, error) {
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, int64(limit)+1))
	if err == nil && len(text) > limit {
		err = &longBody{}
	}
	return text, err
}

// replaced is a response with messages instead of what came: one as JSON,
// several as events.
func replaced(resp *http.Response, lines []byte) *http.Response {
	resp.Body.Close()
	resp.StatusCode, resp.Status = http.StatusOK, http.StatusText(http.StatusOK)
	resp.Header = resp.Header.Clone()
	resp.Header.Set("Content-Type", "application/json")
	if resp.Request.Method == http.MethodGet || bytes.Count(lines, []byte{'\n'}) > 1 {
		resp.Header.Set("Content-Type", "text/event-stream")
		lines = asEvents(lines)
	}
	resp.Header.Del("Content-Length")
	resp.Body = io.NopCloser(bytes.NewReader(lines))
	resp.ContentLength = int64(len(lines))
	return resp
}

// endingBody calls end when the body is closed.
type endingBody struct {
	io.ReadCloser
	end func()
}

// Close implements io.Closer.
func (b *endingBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

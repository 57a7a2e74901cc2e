package client

// This file defines what lies between the SDK and a server that speaks HTTP.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
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
	own := http.DefaultTransport.(*http.Transport).Clone()
	own.MaxIdleConnsPerHost = 16
	t.base = own
	return t, own.CloseIdleConnections
}

// RoundTrip implements http.RoundTripper.
func (t *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != t.origin.Scheme || req.URL.Host != t.origin.Host {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, fmt.Errorf("the server points to another origin, %s://%s; requests do not leave their own", req.URL.Scheme, req.URL.Host)
	}
	x, body, err := t.note(req)
	if err != nil {
		return nil, err
	}
	ctx := req.Context()
	if t.sse && req.Method == http.MethodGet {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(t.lifetime, func() { cancel(context.Cause(t.lifetime)) })
	end := func() { release(); cancel(nil) }
	resp, err := t.authorized(ctx, func(authorization string) (*http.Response, error) {
		attempt := req.Clone(ctx)
		if body != nil {
			attempt.Body = io.NopCloser(bytes.NewReader(body))
		}
		if authorization != "" {
			attempt.Header.Set("Authorization", authorization)
		}
		for name, value := range t.server.Headers {
			attempt.Header.Set(name, value)
		}
		return t.base.RoundTrip(attempt)
	})
	var denied *Unauthorized
	if errors.As(err, &denied) {
		end()
		return t.withoutToken(req, x, denied)
	}
	if err != nil {
		end()
		if x != nil && x.request != nil && ctx.Err() == nil {
			x.request.explain("it cannot be reached")
		}
		return nil, err
	}
	resp.Request = req
	return t.received(resp, x, end)
}

// withoutToken answers a request that the server did not take up for want of a
// token. The session stays.
func (t *roundTripper) withoutToken(req *http.Request, x *exchange, u *Unauthorized) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusUnauthorized, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: http.NoBody, Request: req}
	if x == nil || t.sse { // whose answers come on the stream
		if x != nil && x.request != nil {
			x.request.explain(u.Reason)
		}
		resp.Status = http.StatusText(http.StatusUnauthorized)
		return resp, nil
	}
	return replaced(resp, http.StatusOK, t.wire.broken(x, "%s", u.Reason)), nil
}

// note reads the message of a request, and returns it with the exchange it
// opens.
func (t *roundTripper) note(req *http.Request) (*exchange, []byte, error) {
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

// received looks at a response. end is to be called when its body is done.
func (t *roundTripper) received(resp *http.Response, x *exchange, end func()) (*http.Response, error) {
	resp.Body = &endingBody{resp.Body, sync.OnceFunc(end)}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	ok := resp.StatusCode >= 200 && resp.StatusCode < 300
	switch {
	case !ok:
		if !t.wire.heard.Load() {
			t.status.Store(int32(resp.StatusCode))
		}
		return t.refused(resp, x, kind)
	case kind == "text/event-stream":
		resp.Body = newEventReader(resp.Body, t.wire, x, !t.sse)
		resp.ContentLength = -1
	case x == nil, t.sse: // what answers a notification has no content, and with SSE all answers come on the stream
	case kind == "application/json":
		return t.whole(resp, x)
	default:
		if kind == "" {
			kind = "content of no type"
		}
		return replaced(resp, http.StatusOK, t.wire.broken(x, "it answered with %s instead of JSON", kind)), nil
	}
	return resp, nil
}

// refused keeps the reason of an HTTP error. An error reply in its body is the
// server's answer, which costs no more than the call.
func (t *roundTripper) refused(resp *http.Response, x *exchange, kind string) (*http.Response, error) {
	if x == nil || x.request == nil {
		return resp, nil
	}
	if kind == "application/json" {
		if body, err := readBody(resp.Body, t.wire.limit); err == nil {
			// The wire takes an error out of it if it is one.
			line := t.wire.incoming(bytes.TrimSpace(body), x)
			resp = replaced(resp, resp.StatusCode, bytes.TrimSpace(line))
			if len(line) > 0 {
				return resp, nil
			}
		}
	}
	if resp.Request.Header.Get("Mcp-Session-Id") != "" && forgotten(resp.StatusCode, kind) {
		x.request.refused()
		return resp, nil
	}
	x.request.explain(fmt.Sprintf("it answered with HTTP %d %s", resp.StatusCode, http.StatusText(resp.StatusCode)))
	return resp, nil
}

// forgotten reports whether a refusal says that the session is unknown, as after
// a restart: with 404, as the protocol has it, or with 400 and an error that
// answers no message, as the TypeScript SDK's examples have it.
func forgotten(status int, kind string) bool {
	return status == http.StatusNotFound || status == http.StatusBadRequest && kind == "application/json"
}

// whole replaces a reply by what the SDK can read.
func (t *roundTripper) whole(resp *http.Response, x *exchange) (*http.Response, error) {
	body, err := readBody(resp.Body, t.wire.limit)
	var long *longBody
	switch {
	case errors.As(err, &long):
		return replaced(resp, http.StatusOK, t.wire.broken(x, "its reply is too large: at most %s are read", megabytes(t.wire.limit))), nil
	case err != nil:
		return replaced(resp, http.StatusOK, t.wire.broken(x, "its reply broke off")), nil
	}
	if line := t.wire.incoming(bytes.TrimSpace(body), x); len(line) > 0 {
		return replaced(resp, http.StatusOK, line), nil
	}
	return replaced(resp, http.StatusOK, t.wire.broken(x, "its reply is no message of the protocol")), nil
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

// replaced is a response with another body, which is JSON.
func replaced(resp *http.Response, status int, body []byte) *http.Response {
	resp.Body.Close()
	resp.StatusCode, resp.Status = status, http.StatusText(status)
	resp.Header = resp.Header.Clone()
	resp.Header.Set("Content-Type", "application/json")
	resp.Header.Del("Content-Length")
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
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

// eventReader passes the messages of an event stream through the wire.
type eventReader struct {
	io.Closer
	lines *bufio.Reader
	wire  *wire
	x     *exchange // whose answer the stream is, or nil
	ready []byte
	// resumes says that an event without data tells where to resume.
	resumes bool

	// Of the event that is being read.
	fields bytes.Buffer // all but its data
	data   bytes.Buffer
	name   string
	size   int
	cut    *outline // of data that are too long to be kept, or nil
}

func newEventReader(body io.ReadCloser, w *wire, x *exchange, resumes bool) *eventReader {
	return &eventReader{Closer: body, lines: bufio.NewReaderSize(body, 64<<10), wire: w, x: x, resumes: resumes}
}

// Read implements io.Reader.
func (r *eventReader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		line, err := readLine(r.lines, r.wire.limit+ends, r.cutting)
		r.line(line)
		if err != nil && len(r.ready) == 0 {
			if err == io.EOF && r.x != nil && r.x.request != nil {
				r.x.request.explain("its reply ended without an answer") // if there has been none
			}
			return 0, err // an event without its end is dropped
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// cutting makes the outline of a line that is too long: of the event's data, if
// the line is part of them.
func (r *eventReader) cutting(held []byte) *outline {
	value, ok := bytes.CutPrefix(held, []byte("data:"))
	if !ok {
		return nil
	}
	if r.cut == nil {
		r.cut = outlined(r.data.Bytes())
	}
	r.cut.write(value)
	return r.cut
}

func (r *eventReader) line(l longLine) {
	if l.size == 0 {
		return
	}
	r.size += l.size
	text := bytes.TrimRight(l.head, "\r\n")
	name, value, _ := bytes.Cut(text, []byte{':'})
	switch string(name) {
	case "": // the end, or a comment
		if len(text) == 0 {
			r.event()
		}
	case "data":
		if r.data.Len() > 0 {
			r.data.WriteByte('\n')
		}
		switch {
		case l.cut: // cutting has seen to it
		case r.cut == nil && r.data.Len()+len(value) > r.wire.limit:
			r.cut = outlined(r.data.Bytes())
			fallthrough
		case r.cut != nil:
			r.cut.write(value)
		default:
			r.data.Write(bytes.TrimPrefix(value, []byte{' '}))
		}
	case "event":
		r.name = strings.TrimSpace(string(value))
		fallthrough
	case "id", "retry":
		if !l.cut {
			r.fields.Write(text)
			r.fields.WriteByte('\n')
		}
	}
}

// event passes on the event that has been read.
func (r *eventReader) event() {
	defer func() {
		r.fields.Reset()
		r.data = bytes.Buffer{} // the next one may be small
		r.name, r.size, r.cut = "", 0, nil
	}()
	if r.name != "" && r.name != "message" {
		r.pass(r.data.Bytes())
		return
	}
	var messages []byte
	switch {
	case r.cut != nil:
		messages = r.wire.oversized(r.cut, r.size, r.x)
	case r.data.Len() > 0:
		messages = r.wire.incoming(bytes.TrimSpace(r.data.Bytes()), r.x)
	}
	if len(messages) == 0 {
		r.pass(nil)
		return
	}
	for message := range bytes.Lines(messages) {
		r.pass(bytes.TrimSpace(message))
	}
}

// pass writes an event with the fields that were read. Without data it may
// still say where to resume.
func (r *eventReader) pass(data []byte) {
	if len(data) == 0 && !r.resumes {
		return
	}
	r.ready = append(r.ready, r.fields.Bytes()...)
	if len(data) > 0 {
		r.ready = append(append(append(r.ready, "data: "...), data...), '\n')
	}
	if r.fields.Len() > 0 || len(data) > 0 {
		r.ready = append(r.ready, '\n')
	}
}

package client

// This file defines what becomes of requests that the server refuses, or that
// do not reach it. Each costs no more than itself; the SDK would end the session
// for most.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/codemode-go/codemode/data"
)

const (
	sessionHeader = "Mcp-Session-Id"
	resumeHeader  = "Last-Event-Id"
)

// undone adds to what went wrong that the call may have taken effect.
func (x *exchange) undone(trouble string) string {
	if x.request == nil || x.request.tool == "" {
		return trouble
	}
	return trouble + "; " + x.request.tool + " may have done some of its work"
}

// answer ends an exchange in place of the server and says why, to the model and,
// with err, to the host.
func (t *roundTripper) answer(resp *http.Response, x *exchange, trouble string, err error) *http.Response {
	if x.request != nil {
		x.request.because(err)
	}
	return t.ended(resp, x, t.wire.broken(x, "%s", trouble))
}

// ended is the response that ends an exchange with an error reply. Over the older
// transport the SDK takes replies from its stream alone, so that the request is
// withdrawn.
func (t *roundTripper) ended(resp *http.Response, x *exchange, reply []byte) *http.Response {
	if t.sse && x.request != nil {
		x.request.withdraw()
		resp.Body.Close()
		return blank(resp.Request, http.StatusAccepted)
	}
	return replaced(resp, reply)
}

// unsent answers a request that did not go out.
func (t *roundTripper) unsent(req *http.Request, x *exchange, trouble string, err error) (*http.Response, error) {
	if req.Body != nil {
		req.Body.Close()
	}
	if x != nil && x.request != nil && x.request.tool != "" && !x.request.asked() {
		trouble += "; " + x.request.tool + " did not run"
	}
	return t.without(req, x, trouble, err)
}

// lost answers a request whose connection broke off before there was a response.
func (t *roundTripper) lost(req *http.Request, x *exchange, err error) (*http.Response, error) {
	trouble := "the connection broke off"
	if x != nil {
		trouble = x.undone(trouble)
	}
	return t.without(req, x, trouble, err)
}

// without answers a request that has no response.
func (t *roundTripper) without(req *http.Request, x *exchange, trouble string, err error) (*http.Response, error) {
	switch {
	case x != nil && x.request != nil && (req.Header.Get(resumeHeader) == "" || x.request.again() > maxResumes):
		return t.answer(blank(req, http.StatusOK), x, trouble, err), nil
	case x == nil && req.Method == http.MethodPost && t.wire.heard.Load():
		t.wire.trouble("a message did not reach it: %v", err)
		return blank(req, http.StatusAccepted), nil
	}
	return nil, err
}

// maxResumes is how often the stream of a reply is asked for again that cannot
// be had.
const maxResumes = 2

// refused keeps the reason of an HTTP error. An error reply in its body is the
// server's answer.
func (t *roundTripper) refused(resp *http.Response, x *exchange, kind string) (*http.Response, error) {
	req := resp.Request
	stateful := req.Header.Get(sessionHeader) != ""
	says := fmt.Sprintf("it answered with HTTP %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	switch {
	case x == nil && req.Method == http.MethodPost:
		return t.ignored(resp, says), nil
	case x == nil && req.Method == http.MethodGet && !t.sse:
		return t.unheard(resp, says), nil
	case x == nil || x.request == nil:
		return resp, nil
	}
	var body []byte
	if kind == "application/json" {
		body, _ = readBody(resp.Body, t.wire.limit)
		if line := t.wire.incoming(bytes.TrimSpace(body), x); len(line) > 0 && !t.wire.open(x) {
			return t.ended(resp, x, line), nil
		}
	}
	if stateful && forgotten(resp.StatusCode, body) {
		if reply := t.wire.untaken(x, says); reply != nil {
			return t.ended(resp, x, reply), nil
		}
		says = x.undone("the server forgot the session in the middle of the call")
	}
	return t.answer(resp, x, says, nil), nil
}

// ignored passes over the refusal of a message that wants no answer.
func (t *roundTripper) ignored(resp *http.Response, says string) *http.Response {
	t.wire.trouble("%s to a message that wants no answer", says)
	resp.Body.Close()
	return blank(resp.Request, http.StatusAccepted)
}

// unheard answers for the stream of what belongs to no request. Not to have one
// is the server's right, and the protocol's way to say that is 405. If it had
// one, there is no telling what is missed: the next call makes another session,
// and those under way go on.
func (t *roundTripper) unheard(resp *http.Response, says string) *http.Response {
	resp.Body.Close()
	if !t.listened.Load() {
		return blank(resp.Request, http.StatusMethodNotAllowed)
	}
	t.wire.trouble("%s when its stream of notices was to be resumed; the next call begins another session", says)
	t.retire()
	quiet := blank(resp.Request, http.StatusOK)
	quiet.Header.Set("Content-Type", "text/event-stream")
	body, never := io.Pipe()
	context.AfterFunc(t.lifetime, func() { never.Close() })
	context.AfterFunc(resp.Request.Context(), func() { never.Close() })
	quiet.Body = body
	return quiet
}

// forgotten reports whether a refusal says that the session is unknown, as after
// a restart: with 404, as the protocol has it, or with 400 and an error that
// answers no message, as the TypeScript SDK's examples have it.
func forgotten(status int, body []byte) bool {
	if status != http.StatusBadRequest {
		return status == http.StatusNotFound
	}
	v, err := data.Parse(body)
	id := member(v, "id")
	return err == nil && text(v, "jsonrpc") == "2.0" && member(v, "error") != nil && (id == nil || id == data.Value(data.Null{}))
}

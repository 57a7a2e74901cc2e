package openapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/openapi"
)

// transport answers without a network.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func respond(status int, media, body string, more ...string) *http.Response {
	h := http.Header{}
	if media != "" {
		h.Set("Content-Type", media)
	}
	for i := 0; i < len(more); i += 2 {
		h.Add(more[i], more[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1}
}

func answering(status int, media, body string, more ...string) openapi.Options {
	return openapi.Options{Transport: transport(func(*http.Request) (*http.Response, error) { return respond(status, media, body, more...), nil })}
}

const simple = `{"openapi":"3.1.0","servers":[{"url":"http://api.test"}],"paths":{"/p":{"get":{"operationId":"op"},"head":{"operationId":"head"}},
	"/declared":{"get":{"operationId":"declared","responses":{"200":{"content":{"application/json":{}}}}}}}}`

func TestResponses(t *testing.T) {
	tests := []struct {
		status      int
		media, body string
		want        string
	}{
		{200, "application/json", `{"a":[1,12345678901234567890],"b":null}`, `{"a":[1,12345678901234567890],"b":null}`},
		{201, "application/vnd.api+json; charset=utf-8", `[1]`, `[1]`},
		{200, "application/json", "\ufeff\"x\"", `"x"`},
		{200, "application/json", " \n", `null`},
		{204, "application/json", "", `null`},
		{200, "", "", `null`},
		{200, "application/problem+json", `{"title":"t"}`, `{"title":"t"}`},
		{200, "text/plain", `{"a":1}`, `"{\"a\":1}"`},
		{200, "text/html; charset=iso-8859-1", "caf\xe9 \x80", `"café €"`},
		{200, "text/plain; charset=utf-16le", "h\x00\xe9\x00", `"hé"`},
		{200, "application/xml", "<a/>", `"<a/>"`},
		{200, "application/x-ndjson", "{\"a\":1}\n\n[2]\n", `[{"a":1},[2]]`},
		{200, "application/json-seq", "\x1e{\"a\":\n1}\n\x1e2\n", `[{"a":1},2]`},
		{200, "", "plain", `"plain"`},
		{200, "application/json", "{", `error: GET /p answered with invalid JSON at line 1, column 2`},
		{200, "text/event-stream", "data: 1\n\n", `error: GET /p answered with a stream of events, which a call cannot wait for`},
		{200, "application/json; charset=klingon", "{}", `error: GET /p answered in a character set that cannot be read: application/json; charset=klingon`},
		{200, "application/x-ndjson", "{}\n}", `error: GET /p answered with lines of which number 2 is no JSON`},
		{404, "application/problem+json", `{"title": "no such pet", "detail": "x"}`, `error: GET /p answered 404 Not Found: {"title":"no such pet","detail":"x"}`},
		{500, "text/html", "<h1>\n  oops </h1>", `error: GET /p answered 500 Internal Server Error: <h1> oops </h1>`},
		{422, "image/png", "\x89PNG", `error: GET /p answered 422 Unprocessable Entity: (image/png)`},
		{799, "", "", `error: GET /p answered 799`},
	}
	for _, test := range tests {
		p, _ := load(t, simple, answering(test.status, test.media, test.body))
		o := p.Call("op")
		got := ""
		if o.Failure != nil {
			got = "error: " + o.Failure.Message
		} else {
			got = data.JSON(o.Value)
		}
		if got != test.want && !(strings.HasPrefix(test.want, "error: ") && strings.HasPrefix(got, test.want)) {
			t.Errorf("%d %s %q: got  %s\nwant %s", test.status, test.media, test.body, got, test.want)
		}
	}
	p, _ := load(t, simple, answering(200, "application/json", "{}"))
	if o := p.Call("head"); o.Value != data.Value(data.Null{}) {
		t.Errorf("HEAD: got %s", data.JSON(o.Value))
	}
	p, _ = load(t, simple, answering(200, "", "[1]"))
	if o := p.Call("declared"); data.JSON(o.Value) != "[1]" {
		t.Errorf("without a type: got %s", data.JSON(o.Value))
	}
	// What the document says is JSON is, though it comes as plain text.
	for body, want := range map[string]string{`{"a":1}`: `{"a":1}`, `17`: `"17"`, `{`: `"{"`} {
		p, _ = load(t, simple, answering(200, "text/plain; charset=utf-8", body))
		if o := p.Call("declared"); data.JSON(o.Value) != want {
			t.Errorf("as text: got %s, want %s", data.JSON(o.Value), want)
		}
	}
}

func TestErrorsAreBounded(t *testing.T) {
	p, _ := load(t, simple, answering(429, "text/plain", strings.Repeat("é", 5000), "Retry-After", "17"))
	o := p.Call("op")
	if want := "GET /p answered 429 Too Many Requests, to be tried again after 17 s: " + strings.Repeat("é", 1024) + "…"; o.Failure == nil || o.Failure.Message != want {
		t.Errorf("got %+v", o.Failure)
	}
	var status *openapi.StatusError
	if !errors.As(o.Cause, &status) || status.Status != 429 || status.Header.Get("Retry-After") != "17" || status.Operation.ID != "op" {
		t.Errorf("the host gets %+v", o.Cause)
	}
}

func TestBytesBecomeAttachments(t *testing.T) {
	p, _ := load(t, simple, answering(200, "application/pdf; x=y", "%PDF\xff", "Content-Disposition", `attachment; filename="../../a/b.pdf"`))
	if got := data.JSON(p.Call("op").Value); got != `{"attachment":"b.pdf","type":"application/pdf","bytes":5}` {
		t.Error(got)
	}
	a := p.Attachments()
	if len(a) != 1 || a[0].Name != "b.pdf" || a[0].MIMEType != "application/pdf" || string(a[0].Data) != "%PDF\xff" {
		t.Errorf("attached %+v", a)
	}
}

// endless is a body that never ends, and counts what is read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func (*endless) Close() error { return nil }

func TestResponseLimit(t *testing.T) {
	body := &endless{}
	o := openapi.Options{MaxResponse: 100_000, Transport: transport(func(*http.Request) (*http.Response, error) {
		r := respond(200, "application/json", "")
		r.Body = body
		return r, nil
	})}
	p, _ := load(t, simple, o)
	if got := p.Fails(diagnostics.ToolFailure, "op"); got != "GET /p answered with more than 100000 bytes, the host's limit; ask for less, such as a smaller page" {
		t.Error(got)
	}
	if body.read > 400_000 {
		t.Errorf("read %d bytes", body.read)
	}
	o.Transport = transport(func(*http.Request) (*http.Response, error) {
		r := respond(200, "application/json", "")
		r.ContentLength, r.Body = 100_001, io.NopCloser(failing{})
		return r, nil
	})
	p, _ = load(t, simple, o)
	p.Fails(diagnostics.ToolFailure, "op")
	exact, _ := load(t, simple, openapi.Options{MaxResponse: 5, Transport: answering(200, "text/plain", "12345").Transport})
	if got := data.JSON(exact.Call("op").Value); got != `"12345"` {
		t.Error(got)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("10.1.2.3:443: reset") }

func TestBrokenConnections(t *testing.T) {
	internal := errors.New("dial tcp 10.1.2.3:443: refused")
	p, _ := load(t, simple, openapi.Options{Transport: transport(func(*http.Request) (*http.Response, error) { return nil, internal })})
	o := p.Call("op")
	if o.Failure == nil || o.Failure.Message != "GET /p: the server could not be reached" || !errors.Is(o.Cause, internal) {
		t.Errorf("got %+v, %v", o.Failure, o.Cause)
	}
	p, _ = load(t, simple, openapi.Options{Transport: transport(func(*http.Request) (*http.Response, error) {
		r := respond(200, "application/json", "")
		r.Body = io.NopCloser(failing{})
		return r, nil
	})})
	if got := p.Fails(diagnostics.ToolFailure, "op"); got != "GET /p: the answer broke off" {
		t.Error(got)
	}
}

func TestResponseHeaders(t *testing.T) {
	o := answering(200, "application/json", `[1]`, "Link", `<http://api.test/p?page=2>; rel="next"`, "Link", "<b>", "X-RateLimit-Remaining", "7", "Set-Cookie", "s=1")
	o.ResponseHeaders = []string{"Link", "X-RateLimit-Remaining", "X-Nothing", "Set-Cookie"}
	p, _ := load(t, simple, o)
	if got := data.JSON(p.Call("op").Value); got != `{"body":[1],"headers":{"link":"<http://api.test/p?page=2>; rel=\"next\", <b>","x-ratelimit-remaining":"7"}}` {
		t.Error(got)
	}
	if got := p.Signature("op"); got != "tools.op(): Promise<{ body: unknown; headers: Record<string, string> }>" {
		t.Error(got)
	}
}

// Requests are sent again only where the host says so, with their whole body.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bodies []string
		start := time.Now()
		o := openapi.Options{Transport: transport(func(r *http.Request) (*http.Response, error) {
			content, _ := io.ReadAll(r.Body)
			bodies = append(bodies, string(content))
			switch len(bodies) {
			case 1:
				return nil, errors.New("reset")
			case 2:
				return respond(503, "", "", "Retry-After", "7"), nil
			}
			return respond(200, "application/json", "1"), nil
		})}
		document := one("post", "/p", `requestBody: {content: {application/json: {}}}`)
		p, _ := load(t, document, o)
		p.Fails(diagnostics.ToolFailure, "op", map[string]any{"body": 5})
		bodies = nil
		var seen []string
		o.Retry = func(a openapi.Attempt) (time.Duration, bool) {
			seen = append(seen, fmt.Sprintf("%d %d %q %v", a.Number, a.Status, a.Header.Get("Retry-After"), a.Err != nil))
			return time.Minute, true
		}
		p, _ = load(t, document, o)
		if got := data.JSON(p.Call("op", map[string]any{"body": 5}).Value); got != "1" {
			t.Error(got)
		}
		if got := strings.Join(bodies, "|"); got != "5|5|5" || time.Since(start) != 2*time.Minute {
			t.Errorf("sent %s in %v", got, time.Since(start))
		}
		if got := strings.Join(seen, "; "); got != `1 0 "" true; 2 503 "7" false` {
			t.Errorf("asked %s", got)
		}
	})
}

func TestRetrySafe(t *testing.T) {
	retry := openapi.RetrySafe(3)
	get, post := openapi.Operation{Method: "GET"}, openapi.Operation{Method: "POST"}
	tests := []struct {
		a     openapi.Attempt
		wait  time.Duration
		again bool
	}{
		{openapi.Attempt{Operation: get, Number: 1, Err: io.EOF}, time.Second / 2, true},
		{openapi.Attempt{Operation: get, Number: 2, Status: 503}, time.Second, true},
		{openapi.Attempt{Operation: get, Number: 1, Status: 429, Header: http.Header{"Retry-After": {"3"}}}, 3 * time.Second, true},
		{openapi.Attempt{Operation: get, Number: 1, Status: 429, Header: http.Header{"Retry-After": {"3000"}}}, 30 * time.Second, true},
		{openapi.Attempt{Operation: get, Number: 3, Status: 503}, 2 * time.Second, false},
		{openapi.Attempt{Operation: get, Number: 1, Status: 404}, 0, false},
		{openapi.Attempt{Operation: post, Number: 1, Status: 503}, 0, false},
	}
	for _, test := range tests {
		if wait, again := retry(test.a); wait != test.wait || again != test.again {
			t.Errorf("%+v: got %v %v", test.a, wait, again)
		}
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := openapi.Options{Timeout: 3 * time.Second, Transport: transport(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}
		p, _ := load(t, simple, o)
		start := time.Now()
		if got := p.Fails(diagnostics.ToolFailure, "op"); got != "tools.op took longer than its limit of 3s and was interrupted" || time.Since(start) != 3*time.Second {
			t.Errorf("%s after %v", got, time.Since(start))
		}
		o.Transport = transport(func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded })
		p, _ = load(t, simple, o)
		if got := p.Fails(diagnostics.ToolFailure, "op"); got != "GET /p: the server did not answer in time" {
			t.Error(got)
		}
	})
}

// What a document says of answers becomes the type of the result; answers are
// not held to it.
func TestOutputs(t *testing.T) {
	tests := []struct{ responses, accept, want string }{
		{`{"200": {content: {application/json: {schema: {type: number}}}}}`, "application/json", "number"},
		{`{"200": {content: {application/json: {schema: {type: number}}}}, "202": {content: {application/json: {schema: {type: string}}}}, "204": {}}`, "application/json", "number | string | null"},
		{`{"2XX": {content: {application/json: {schema: {type: number}}}}}`, "application/json", "number"},
		{`{default: {content: {application/json: {schema: {type: number}}}}}`, "application/json", "number"},
		{`{"200": {content: {application/json: {schema: {type: number}}}}, default: {content: {application/json: {schema: {type: boolean}}}}}`, "application/json", "number"},
		{`{"200": {content: {application/json: {}}}}`, "application/json", "unknown"},
		{`{"204": {description: x}}`, "*/*", "null"},
		{`{}`, "*/*", "unknown"},
		{`{"200": {content: {text/html: {}, text/plain: {}}}}`, "text/html, text/plain", "string"},
		{`{"200": {content: {application/vnd.x.diff: {}, application/json: {schema: {type: number}}, application/hal+json: {schema: {type: string}}}}}`, "application/json, application/hal+json", "number | string"},
		{`{"200": {content: {application/octet-stream: {schema: {type: string, format: binary}}}}}`, "application/octet-stream", "{ attachment: string; type: string; bytes: number }"},
		{`{"200": {content: {application/x-ndjson: {schema: {type: object}}}}}`, "application/x-ndjson", "unknown[]"},
		{`{"200": {content: {text/event-stream: {}, application/json: {schema: {type: number}}}}}`, "application/json", "number"},
		{`{"200": {$ref: "#/components/responses/R"}}`, "application/json", "boolean"},
	}
	for _, test := range tests {
		w := newWire(t, nil)
		document := "openapi: 3.1.0\npaths: {/p: {get: {operationId: op, responses: " + test.responses + "}}}\ncomponents: {responses: {R: {content: {application/json: {schema: {type: boolean}}}}}}"
		p, skipped := load(t, document, openapi.Options{BaseURL: w.URL})
		if len(skipped) > 0 {
			t.Errorf("%s: %s", test.responses, reasons(skipped))
			continue
		}
		if got := p.Signature("op"); got != "tools.op(): Promise<"+test.want+">" {
			t.Errorf("%s: got %s, want %s", test.responses, got, test.want)
		}
		if o := p.Call("op"); data.JSON(o.Value) != "{}" || w.last(t).Header.Get("Accept") != test.accept {
			t.Errorf("%s: got %+v, accepts %s", test.responses, o, w.last(t).Header.Get("Accept"))
		}
	}
	for _, responses := range []string{`{"200": {content: {text/event-stream: {}}}}`, `{"200": {$ref: "#/nowhere"}}`} {
		_, skipped := load(t, one("get", "/p", "responses: "+responses), openapi.Options{})
		if len(skipped) != 1 || skipped[0].Parameter != "" {
			t.Errorf("%s: skipped %v", responses, skipped)
		}
	}
}

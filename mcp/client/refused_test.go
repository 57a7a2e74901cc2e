package client

// This file defines tests of what HTTP servers refuse, forget and break off. Each
// costs its call and no other.

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
)

// beside runs a call of wait while others run, and has it answered in the end.
type beside struct {
	fake    *fake
	release chan struct{}
	inits   atomic.Int32
}

func newBeside(tools ...string) *beside {
	b := &beside{release: make(chan struct{})}
	b.fake = &fake{
		tools: named(append(tools, "wait")...),
		calls: map[string]func(*talk, message){"wait": func(t *talk, m message) {
			<-b.release
			t.reply(m, `{"content":[{"type":"text","text":"waited"}]}`)
		}},
		on: map[string]func(*talk, message){methodInitialize: func(t *talk, m message) {
			b.inits.Add(1)
			t.reply(m, handshake)
		}},
	}
	return b
}

// start begins the call; the function it returns ends it and fails the test
// unless it went well.
func (b *beside) start(t *testing.T, c *Client) (end func()) {
	t.Helper()
	done := make(chan error, 1)
	p := program(t, c)
	go func() {
		o := p.Call("fake.wait")
		if o.Value != data.String("waited") {
			done <- fmt.Errorf("the call beside them got %v, %v", o.Value, o.Failure)
		}
		close(done)
	}()
	for len(c.session.wire.running()) == 0 {
		time.Sleep(time.Millisecond)
	}
	return func() {
		t.Helper()
		b.release <- struct{}{}
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// over puts something before a handler that may take a request.
func over(h http.Handler, take func(http.ResponseWriter, *http.Request, message) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m message
		r = peekIfPost(r, &m)
		if !take(w, r, m) {
			h.ServeHTTP(w, r)
		}
	})
}

func isCall(m message, tool string) bool {
	return m.method == methodCall && text(m.params, "name") == tool
}

func TestAnHTTPErrorCostsItsCall(t *testing.T) {
	b := newBeside("echo")
	var status atomic.Int32
	body := ""
	s := serveHTTP(t, over(b.fake.web(), func(w http.ResponseWriter, r *http.Request, m message) bool {
		switch {
		case isCall(m, "echo") || m.method == "notifications/cancelled" || m.method == "notifications/initialized":
			if body != "" {
				w.Header().Set("Content-Type", "application/json")
			}
			w.WriteHeader(int(max(status.Load(), 400)))
			fmt.Fprint(w, body)
		case m.id != "" || r.Method != http.MethodPost:
			return false
		}
		return true
	}))
	c := connected(t, s, Callbacks{})
	p := program(t, c)
	end := b.start(t, c)
	for _, body = range []string{"", `{"error":"no"}`} {
		for _, code := range []int{400, 401, 402, 403, 404, 405, 409, 410, 413, 422, 429, 500, 501, 502, 503, 504} {
			status.Store(int32(code))
			mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.echo"), fmt.Sprintf("MCP server fake: it answered with HTTP %d %s", code, http.StatusText(code)))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := make(chan error)
	go func() {
		_, err := c.call(ctx, c.listing.tools[1], nil)
		cancelled <- err
	}()
	for len(c.session.wire.running()) < 2 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-cancelled
	end()
	close(b.release) // for the one that was given up
	if b.inits.Load() != 1 {
		t.Errorf("%d sessions", b.inits.Load())
	}
	mustSay(t, troubles(c), "to a message that wants no answer")
}

// Calls that the server did not take up go out again, each of them.
func TestAllCallsOfAForgottenSessionGoOutAgain(t *testing.T) {
	for name, refuse := range map[string]func(http.ResponseWriter){
		"404": func(w http.ResponseWriter) { http.Error(w, "no such session", http.StatusNotFound) },
		"400": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var session, ran, refused atomic.Int32
			b := newBeside("echo")
			b.fake.calls["echo"] = func(t *talk, m message) {
				ran.Add(1)
				t.reply(m, `{"content":[{"type":"text","text":"here"}]}`)
			}
			const calls = 9
			all := make(chan struct{}) // closed when each that runs at once has come
			s := serveHTTP(t, over(b.fake.web(), func(w http.ResponseWriter, r *http.Request, m message) bool {
				current := fmt.Sprint(session.Load())
				if got := r.Header.Get(sessionHeader); got != "" && got != current {
					if refused.Add(1) == 8 {
						close(all)
					}
					<-all
					refuse(w)
					return true
				}
				w.Header().Set(sessionHeader, current)
				return false
			}))
			c := connected(t, s, Callbacks{})
			end := b.start(t, c)
			session.Add(1)
			p := program(t, c)
			var group sync.WaitGroup
			for range calls {
				group.Go(func() {
					if o := p.Call("fake.echo"); o.Value != data.String("here") {
						t.Errorf("got %v, %v", o.Value, o.Failure)
					}
				})
			}
			group.Wait()
			if ran.Load() != calls || b.inits.Load() != 2 {
				t.Errorf("%d calls ran, %d sessions", ran.Load(), b.inits.Load())
			}
			end() // it went on in the first session
		})
	}
}

func TestASessionThatIsForgottenAtOnce(t *testing.T) {
	b := newBeside("echo")
	s := serveHTTP(t, over(b.fake.web(), func(w http.ResponseWriter, r *http.Request, m message) bool {
		w.Header().Set(sessionHeader, "s")
		if isCall(m, "echo") {
			http.Error(w, "no such session", http.StatusNotFound)
			return true
		}
		return false
	}))
	mustSay(t, program(t, connected(t, s, Callbacks{})).Fails(diagnostics.ToolFailure, "fake.echo"),
		"MCP server fake: it answered with HTTP 404 Not Found, on a new session as well; echo did not run")
}

// What is said of effects is what is known of them.
func TestConnectionsThatBreakOff(t *testing.T) {
	b := newBeside("headers", "json", "events", "end")
	server := httptest.NewServer(over(b.fake.web(), func(w http.ResponseWriter, r *http.Request, m message) bool {
		if m.method != methodCall || isCall(m, "wait") {
			return false
		}
		kind := "text/event-stream"
		switch text(m.params, "name") {
		case "headers":
			panic(http.ErrAbortHandler)
		case "json":
			kind = "application/json"
			w.Header().Set("Content-Length", "500")
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(http.StatusOK)
		fmt.Fprint(w, `{"jsonrpc":`)
		w.(http.Flusher).Flush()
		if isCall(m, "end") {
			return true
		}
		panic(http.ErrAbortHandler)
	}))
	server.Config.ErrorLog = nil
	c := connected(t, Server{Name: "fake", URL: server.URL}, Callbacks{})
	p := program(t, c)
	end := b.start(t, c)
	for tool, want := range map[string]string{
		"headers": "the connection broke off; headers may have done some of its work",
		"json":    "its reply broke off; json may have done some of its work",
		"events":  "its reply broke off; events may have done some of its work",
		"end":     "its reply ended without an answer; end may have done some of its work",
	} {
		mustSay(t, p.Fails(diagnostics.ToolFailure, "fake."+tool), "MCP server fake: "+want)
	}
	end()
	if b.inits.Load() != 1 {
		t.Errorf("%d sessions", b.inits.Load())
	}
	mustSay(t, troubles(c), "the connection broke off; headers may have done some of its work: EOF")
	server.CloseClientConnections()
	server.Close()
	p.Call("fake.headers") // perhaps over a connection of before
	mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.headers"), "MCP server fake: it cannot be reached; headers did not run")
	mustSay(t, troubles(c), "refused")
}

func TestRedirectsElsewhereAreNamed(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		b := newBeside("echo", "same")
		s := serveHTTP(t, over(b.fake.web(), func(w http.ResponseWriter, r *http.Request, m message) bool {
			switch {
			case isCall(m, "echo"):
				http.Redirect(w, r, "http://elsewhere.example/?token=hunter2", code)
			case isCall(m, "same") && r.URL.Path == "/":
				http.Redirect(w, r, "/other", code)
			default:
				return false
			}
			return true
		}))
		c := connected(t, s, Callbacks{})
		p := program(t, c)
		got := p.Fails(diagnostics.ToolFailure, "fake.echo")
		mustSay(t, got, "MCP server fake: the server points to another origin, and requests do not leave their own; echo did not run")
		if strings.Contains(got, "example") || strings.Contains(troubles(c), "hunter2") {
			t.Errorf("the program is told %q, the host %q", got, troubles(c))
		}
		mustSay(t, troubles(c), "http://elsewhere.example")
		if o := p.Call("fake.same"); code > 303 { // the others make a GET of it, as the standard has it
			if o.Value != data.String("called same") {
				t.Errorf("%d: got %v, %v", code, o.Value, o.Failure)
			}
		} else if o.Failure == nil || !strings.Contains(o.Failure.Message, "it answered with HTTP 405") {
			t.Errorf("%d: got %v, %v", code, o.Value, o.Failure)
		}
		if b.inits.Load() != 1 {
			t.Errorf("%d: %d sessions", code, b.inits.Load())
		}
	}
}

// A server of the older kind answers the requests themselves with no more than
// that it has them.
func TestARefusedRequestOfTheOlderKindCostsItself(t *testing.T) {
	server := peerServer()
	h := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil)
	streams := 0
	s := serveHTTP(t, over(h, func(w http.ResponseWriter, r *http.Request, m message) bool {
		if r.Method == http.MethodGet {
			streams++
		}
		if !isCall(m, "plain") || data.JSON(member(m.params, "arguments")) != `{"a":1}` {
			return false
		}
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return true
	}))
	s.Name, s.Transport = "peer", SSE
	p := program(t, connected(t, s, Callbacks{}))
	for range 5 {
		mustSay(t, p.Fails(diagnostics.ToolFailure, "peer.plain", map[string]any{"a": 1}), "MCP server peer: it answered with HTTP 413")
		if o := p.Call("peer.plain"); o.Value != data.String(`{}`) {
			t.Errorf("got %v, %v", o.Value, o.Failure)
		}
	}
	if streams != 1 {
		t.Errorf("%d sessions", streams)
	}
}

// The stream that belongs to no call ends and cannot be had again.
func TestTheStreamOfNoticesIsRefused(t *testing.T) {
	b := newBeside("echo")
	var gets atomic.Int32
	stop, refused := make(chan struct{}), make(chan struct{})
	s := serveHTTP(t, over(b.fake.web(), func(w http.ResponseWriter, r *http.Request, m message) bool {
		if r.Method != http.MethodGet {
			return false
		}
		switch gets.Add(1) {
		case 1:
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-stop
		case 2:
			defer close(refused)
			fallthrough
		default:
			http.Error(w, "no such session", http.StatusNotFound)
		}
		return true
	}))
	c := connected(t, s, Callbacks{})
	end := b.start(t, c)
	close(stop)
	<-refused
	for c.Status().State != Down {
		time.Sleep(time.Millisecond)
	}
	if o := program(t, c).Call("fake.echo"); o.Failure != nil || b.inits.Load() != 2 {
		t.Errorf("got %v, %v, %d sessions", o.Value, o.Failure, b.inits.Load())
	}
	end()
	mustSay(t, troubles(c), "when its stream of notices was to be resumed")
}

// A reply breaks off in the middle and can be resumed, or cannot.
func TestRepliesThatAreResumed(t *testing.T) {
	for _, status := range []int{200, 404, 503, 0} {
		b := newBeside("echo")
		reply := make(chan string, 1)
		s := serveHTTP(t, over(b.fake.web(), func(w http.ResponseWriter, r *http.Request, m message) bool {
			switch {
			case isCall(m, "echo"):
				reply <- m.id
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, "id: first\nretry: 1\ndata:\n\n")
			case r.Header.Get("Last-Event-ID") != "first":
				return false
			case status == 200:
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"resumed\"}]}}\n\n", <-reply)
			case status == 0:
				panic(http.ErrAbortHandler)
			default:
				w.WriteHeader(status)
			}
			return true
		}))
		c := connected(t, s, Callbacks{})
		end := b.start(t, c)
		o := program(t, c).Call("fake.echo")
		if status == 200 {
			if o.Value != data.String("resumed") {
				t.Errorf("got %v, %v", o.Value, o.Failure)
			}
		} else if o.Failure == nil || !strings.Contains(o.Failure.Message, "MCP server fake: its reply ended without an answer; echo may have done some of its work") {
			t.Errorf("%d: got %v, %v", status, o.Value, o.Failure)
		}
		end()
		if b.inits.Load() != 1 {
			t.Errorf("%d sessions", b.inits.Load())
		}
	}
}

// A host may have replaced the default transport by one of its own.
func TestTheDefaultTransportOfTheHost(t *testing.T) {
	f := &fake{}
	s := serveHTTP(t, f.web())
	before := http.DefaultTransport
	defer func() { http.DefaultTransport = before }()
	var requests atomic.Int32
	http.DefaultTransport = roundTrip(func(r *http.Request) (*http.Response, error) {
		requests.Add(1)
		return before.RoundTrip(r)
	})
	c := connected(t, s, Callbacks{})
	if o := program(t, c).Call("fake.echo", map[string]any{"message": ""}); o.Failure != nil || requests.Load() == 0 {
		t.Errorf("got %v, %v, %d requests", o.Value, o.Failure, requests.Load())
	}
	closeClient(t, c)
	before.(*http.Transport).CloseIdleConnections()
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A reply that comes when its call has been given up is one all the same: the SDK
// ends the session for a body without a message.
func TestRepliesThatNobodyWaitsFor(t *testing.T) {
	trip := &roundTripper{wire: (&Client{server: Server{MaxMessageBytes: 1000}}).newWire()}
	request := httptest.NewRequest(http.MethodPost, "http://x.example", nil)
	for _, text := range []string{`{"jsonrpc":"2.0","id":7,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/message"}`} {
		resp := blank(request, http.StatusOK)
		resp.Body = io.NopCloser(strings.NewReader(text))
		body, err := io.ReadAll(trip.whole(resp, &exchange{id: "7", method: methodCall}).Body)
		if m, decoded := jsonrpc.DecodeMessage(body); err != nil || decoded != nil {
			t.Errorf("%s: the SDK gets %q: %v, %v", text, body, m, decoded)
		}
	}
}

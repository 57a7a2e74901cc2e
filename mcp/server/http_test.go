package server_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/mcp/server"
)

// post sends a message over HTTP and returns the status.
func post(t *testing.T, url, body string, header map[string]string) (status int, text string) {
	t.Helper()
	resp, text := posted(t, url, body, header)
	return resp.StatusCode, text
}

// sessionID begins a session over HTTP.
func sessionID(t *testing.T, url, begin string) string {
	t.Helper()
	resp, text := posted(t, url, begin, nil)
	if resp.StatusCode != 200 {
		t.Errorf("got %d %s", resp.StatusCode, text)
	}
	return resp.Header.Get("Mcp-Session-Id")
}

// posted sends a message over HTTP and reads the answer.
func posted(t *testing.T, url, body string, header map[string]string) (resp *http.Response, text string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		if r.Header.Set(k, v); k == "Host" {
			r.Host = v
		}
	}
	if resp, err = http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	read, _ := io.ReadAll(resp.Body)
	return resp, string(read)
}

var initialize, _, _ = strings.Cut(hello, "\n")

func TestWhoMaySpeak(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	open := f.web(server.HTTPOptions{MaxBody: 10_000})
	closed := f.web(server.HTTPOptions{Token: "t0ken", AllowedHosts: []string{"gate.example"}, AllowedOrigins: []string{"https://app.example"}, Stateless: true})
	host := strings.TrimSuffix(strings.TrimPrefix(open, "http://"), server.Path)
	bearer := func(more ...string) map[string]string {
		h := map[string]string{"Authorization": "Bearer t0ken"}
		for i := 0; i < len(more); i += 2 {
			h[more[i]] = more[i+1]
		}
		return h
	}
	for _, c := range []struct {
		what, url string
		header    map[string]string
		body      string
		status    int
	}{
		{what: "plain", url: open, status: 200},
		{what: "own page", url: open, header: map[string]string{"Origin": "http://" + host, "Sec-Fetch-Site": "same-origin"}, status: 200},
		{what: "foreign page", url: open, header: map[string]string{"Origin": "https://evil.example"}, status: 403},
		{what: "foreign page in a newer browser", url: open, header: map[string]string{"Sec-Fetch-Site": "cross-site"}, status: 403},
		{what: "page of no origin", url: open, header: map[string]string{"Origin": "null"}, status: 403},
		{what: "a name that leads here", url: open, header: map[string]string{"Host": "evil.example"}, status: 403},
		{what: "a name that leads here, with a port", url: open, header: map[string]string{"Host": "evil.example:80"}, status: 403},
		{what: "localhost", url: open, header: map[string]string{"Host": "localhost:99"}, status: 200},
		{what: "IPv6", url: open, header: map[string]string{"Host": "[::1]:99"}, status: 200},
		{what: "too large", url: open, body: initialize[:len(initialize)-1] + strings.Repeat(" ", 10_000) + "}", status: 413},
		{what: "no JSON", url: open, body: "hello", status: 400},
		{what: "other path", url: strings.TrimSuffix(open, server.Path), status: 404},
		{what: "no token", url: closed, status: 401},
		{what: "wrong token", url: closed, header: map[string]string{"Authorization": "Bearer t0kem"}, status: 401},
		{what: "token as another scheme", url: closed, header: map[string]string{"Authorization": "Basic t0ken"}, status: 401},
		{what: "token", url: closed, header: bearer(), status: 200},
		{what: "allowed host", url: closed, header: bearer("Host", "gate.example"), status: 200},
		{what: "allowed page", url: closed, header: bearer("Origin", "https://app.example", "Sec-Fetch-Site", "cross-site"), status: 200},
		{what: "foreign page with the token", url: closed, header: bearer("Origin", "https://evil.example"), status: 403},
	} {
		body := c.body
		if body == "" {
			body = initialize
		}
		if status, text := post(t, c.url, body, c.header); status != c.status {
			t.Errorf("%s: got %d %s, want %d", c.what, status, text, c.status)
		}
	}
	resp, err := http.Get(strings.TrimSuffix(closed, server.Path) + "/healthz")
	if err != nil || resp.StatusCode != 200 {
		t.Error(err, resp)
	}
	resp.Body.Close()
}

// A token reaches the server by the client's own means, and sessions are bounded.
func TestToken(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	url := f.web(server.HTTPOptions{Token: "t0ken", MaxSessions: 1})
	client := &http.Client{Transport: withToken{}}
	session := f.connect(older, nil, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: client})
	if r := run(t, session, `return 1`); r.text != "1" {
		t.Errorf("%+v", r)
	}
	running := make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, err := tryCall(ctx, session, "execute", map[string]any{"code": `await tools.hang({ to: "x" })`})
		running <- err
	}()
	eventually(t, "it runs", func() bool { return f.counted("x") == 1 })
	if status, _ := post(t, url, initialize, map[string]string{"Authorization": "Bearer t0ken"}); status != 503 {
		t.Errorf("got %d for one session too many", status)
	}
	stop()
	<-running
	session.Close()
	eventually(t, "the session has gone", func() bool {
		status, _ := post(t, url, initialize, map[string]string{"Authorization": "Bearer t0ken"})
		return status == 200
	})
}

type withToken struct{}

// RoundTrip implements http.RoundTripper.
func (withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer t0ken")
	return http.DefaultTransport.RoundTrip(r)
}

// A session that its client deletes ends at once, whatever runs in it.
func TestDeletedSession(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	url := f.web(server.HTTPOptions{})
	session := f.connect(older, nil, &mcp.StreamableClientTransport{Endpoint: url})
	done := make(chan struct{})
	go func() {
		defer close(done)
		tryCall(context.Background(), session, "execute", map[string]any{"code": `await tools.hang({ to: "x" })`})
	}()
	eventually(t, "it runs", func() bool { return f.counted("x") == 1 })
	start := time.Now()
	remove, err := http.NewRequest(http.MethodDelete, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	remove.Header.Set("Mcp-Session-Id", session.ID())
	resp, err := http.DefaultClient.Do(remove)
	if err != nil || resp.StatusCode != http.StatusNoContent {
		t.Fatal(err, resp)
	}
	resp.Body.Close()
	<-done
	eventually(t, "it ends", func() bool { return f.server.Running() == 0 })
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// The end of a server over HTTP lets what runs go on for a moment, tells the rest what ran, and closes all streams.
func TestListenAndServe(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	for _, o := range []server.HTTPOptions{{Addr: "0.0.0.0:0"}, {Addr: ":0"}, {Addr: "192.0.2.1:80"}} {
		if err := f.server.ListenAndServe(context.Background(), o); err == nil || !strings.Contains(err.Error(), "want a loopback address, or a Token") {
			t.Errorf("%s: %v", o.Addr, err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	address := make(chan net.Addr, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- f.server.ListenAndServe(ctx, server.HTTPOptions{Addr: "127.0.0.1:0", Listening: func(a net.Addr) { address <- a }})
	}()
	url := "http://" + (<-address).String() + server.Path
	results := make(chan result, 2)
	for _, era := range []string{older, newer} {
		session := f.connect(era, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {}}, &mcp.StreamableClientTransport{Endpoint: url})
		go func() {
			r, err := tryCall(context.Background(), session, "execute", map[string]any{"code": `await tools.mail.send({ to: "ann" }); await tools.hang({ to: "x" })`})
			if err != nil {
				t.Errorf("%s: %v", era, err)
			}
			results <- r
		}()
	}
	eventually(t, "both run", func() bool { return f.counted("x") == 2 })
	start := time.Now()
	stop()
	for range 2 {
		if r := <-results; !r.isError || !strings.Contains(r.text, `1. tools.mail.send({"to":"ann"}): completed`) {
			t.Errorf("%+v", r)
		}
	}
	if err := <-ended; err != context.Canceled {
		t.Error(err)
	}
	if took := time.Since(start); took < 400*time.Millisecond || took > 6*time.Second {
		t.Errorf("the end took %v", took)
	}
}

// A session more than there may be takes the place of the one that was idle for the longest time.
func TestTooManySessions(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	url := f.web(server.HTTPOptions{MaxSessions: 3})
	begin := func() string { return sessionID(t, url, initialize) }
	const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	first, second := begin(), begin()
	if status, _ := post(t, url, ping, map[string]string{"Mcp-Session-Id": first}); status != 200 {
		t.Errorf("got %d", status)
	}
	for range 2 {
		begin()
	}
	for id, want := range map[string]int{first: 200, second: 404} {
		if status, text := post(t, url, ping, map[string]string{"Mcp-Session-Id": id}); status != want {
			t.Errorf("got %d %s, want %d", status, text, want)
		}
	}
}

// Who sends a request byte by byte does not hold a connection for ever, with or without the token.
func TestSlowBody(t *testing.T) {
	for _, header := range []string{"", "Authorization: Bearer t0ken\r\n"} {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, server.DefaultRuntime(), server.Options{})
			handler, err := f.server.Handler(server.HTTPOptions{Token: "t0ken", AllowedHosts: []string{"x"}})
			if err != nil {
				t.Fatal(err)
			}
			l := &pipeListener{conns: make(chan net.Conn)}
			web := &http.Server{Handler: handler}
			go web.Serve(l)
			ours, theirs := net.Pipe()
			l.conns <- theirs
			sent := make(chan struct{})
			go func() {
				defer close(sent)
				io.WriteString(ours, "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nContent-Type: application/json\r\n"+header+"\r\n{")
				for {
					time.Sleep(time.Second)
					if _, err := ours.Write([]byte(" ")); err != nil {
						return
					}
				}
			}()
			start := time.Now()
			io.Copy(io.Discard, ours)
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it was held for %v", took)
			}
			close(l.conns)
			web.Close()
			ours.Close()
			<-sent
		})
	}
}

// pipeListener has connections within the process.
type pipeListener struct{ conns chan net.Conn }

func (l *pipeListener) Accept() (net.Conn, error) {
	if c, ok := <-l.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (*pipeListener) Close() error   { return nil }
func (*pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

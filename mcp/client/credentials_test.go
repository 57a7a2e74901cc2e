package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
)

// keyring are credentials whose token tests choose.
type keyring struct {
	mu       sync.Mutex
	token    string
	next     string // after a refusal; "" leaves it
	denied   error
	refusals []Refusal
	wait     chan struct{} // Token waits for it, if there is one
}

func (k *keyring) Token(ctx context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.wait != nil {
		select {
		case <-k.wait:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return k.token, nil
}

func (k *keyring) Refused(_ context.Context, r Refusal) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refusals = append(k.refusals, r)
	if k.next != "" {
		k.token = k.next
	}
	return k.next, k.denied
}

func (k *keyring) Hide(text string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return strings.ReplaceAll(text, k.token, "[hidden]")
}

func (k *keyring) set(token, next string, denied error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.token, k.next, k.denied, k.refusals = token, next, denied, nil
}

// told is what was refused since set.
func (k *keyring) told() []Refusal {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.refusals)
}

// locked is a handler behind a lock that takes one token.
type locked struct {
	http.Handler
	mu    sync.Mutex
	token string
}

func (l *locked) turn(token string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.token = token
}

// ServeHTTP implements http.Handler.
func (l *locked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	token := l.token
	l.mu.Unlock()
	if got := r.Header.Get("Authorization"); got != "Bearer "+token {
		w.Header().Set("WWW-Authenticate", `Bearer realm="here"`)
		http.Error(w, "who is "+got+"?", http.StatusUnauthorized)
		return
	}
	l.Handler.ServeHTTP(w, r)
}

// The transports of both eras ask for a token with each request, and once more after it was refused.
func TestCredentials(t *testing.T) {
	server := peerServer()
	defer func() { // the second refusal ends a session that the server does not hear of
		for session := range server.Sessions() {
			session.Close()
		}
	}()
	of := func(*http.Request) *mcp.Server { return server }
	for name, handler := range map[string]http.Handler{"streamable-http": mcp.NewStreamableHTTPHandler(of, nil), "sse": mcp.NewSSEHandler(of, nil)} {
		t.Run(name, func(t *testing.T) {
			l, k := &locked{Handler: handler, token: "first-token"}, &keyring{token: "first-token"}
			s := serveHTTP(t, l)
			s.Name, s.Credentials = "peer", k
			if name == "sse" {
				s.Transport = SSE
			}
			c := connected(t, s, Callbacks{})
			p := program(t, c)
			l.turn("second-token")
			k.set("first-token", "second-token", nil)
			if o := p.Call("peer.plain", map[string]any{"a": "of second-token"}); o.Value != data.String(`{"a":"of [hidden]"}`) {
				t.Errorf("got %v, %v", o.Value, o.Failure)
			}
			if r := k.refusals; len(r) != 1 || r[0].Status != 401 || r[0].Token != "first-token" || r[0].Again || r[0].Header.Get("WWW-Authenticate") != `Bearer realm="here"` {
				t.Errorf("got %+v", r)
			}

			// What is denied costs the call and not the session.
			l.turn("third-token")
			k.set("second-token", "", &Unauthorized{Reason: "needs sign-in: do it", SignIn: true})
			if got := p.Fails(diagnostics.ToolFailure, "peer.plain", map[string]any{"a": 1}); got != "MCP server peer: needs sign-in: do it" {
				t.Errorf("got %s", got)
			}
			if got := c.Status(); got.State != NeedsSignIn || got.Error != "needs sign-in: do it" {
				t.Errorf("got %+v", got)
			}
			k.set("third-token", "", nil)
			if o := p.Call("peer.plain", map[string]any{"a": 1}); o.Value != data.String(`{"a":1}`) || c.Status().State != Connected {
				t.Errorf("got %v, %v, %s", o.Value, o.Failure, c.Status().State)
			}

			// A second refusal is the last.
			l.turn("fourth-token")
			k.set("third-token", "wrong-token", nil)
			p.Fails(diagnostics.ToolFailure, "peer.plain", map[string]any{"a": 1})
			// Over the older transport the notice that the call is cancelled is refused as well, at any time.
			refused := k.told()
			first := func(r Refusal) bool { return r.Token == "third-token" && !r.Again }
			last := func(r Refusal) bool { return r.Token == "wrong-token" && r.Again }
			if !slices.ContainsFunc(refused, first) || !slices.ContainsFunc(refused, last) || slices.ContainsFunc(refused, func(r Refusal) bool { return r.Token == "third-token" && r.Again }) {
				t.Errorf("got %+v", refused)
			}
			k.set("fourth-token", "", nil)
		})
	}
}

func TestConnectingWithoutToken(t *testing.T) {
	server := peerServer()
	l := &locked{Handler: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil), token: "x"}
	for want, u := range map[State]*Unauthorized{NeedsSignIn: {Reason: "needs sign-in: do it", SignIn: true}, Failed: {Reason: "there is an outage"}} {
		s := serveHTTP(t, l)
		s.Credentials = &keyring{denied: u}
		g := Open(t.Context(), []Server{s}, Callbacks{})
		if err := g.Wait(within(t)); err != nil {
			t.Fatal(err)
		}
		if got := g.Status()[0]; got.State != want || got.Error != u.Reason || g.Err() == nil || g.Err().Error() != fmt.Sprintf("mcp server %q: %s", "fake", u.Reason) {
			t.Errorf("got %s: %s, %v", got.State, got.Error, g.Err())
		}
		g.Close(context.Background())
	}
}

// The headers of the configuration win, and a wait for a token ends with the connection.
func TestHeadersWinOverCredentials(t *testing.T) {
	server := peerServer()
	l := &locked{Handler: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil), token: "of-the-file"}
	s := serveHTTP(t, l)
	s.Credentials, s.Headers = &keyring{token: "another"}, map[string]string{"Authorization": "Bearer of-the-file"}
	connected(t, s, Callbacks{})

	s.Headers, s.Credentials = nil, &keyring{wait: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Connect(ctx, s, Callbacks{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

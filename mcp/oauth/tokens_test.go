package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/mcp/oauth/oauthtest"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// guarded connects to a server.
func guarded(t *testing.T, as *oauthtest.Server, store *Store) (*client.Client, error) {
	t.Helper()
	return guardedAt(t, "", as, store)
}

// guardedAt is guarded at a version of the protocol.
func guardedAt(t *testing.T, protocol string, as *oauthtest.Server, store *Store) (*client.Client, error) {
	t.Helper()
	s := scope.Open(context.Background(), scope.Options{Name: "test"})
	c, err := client.Connect(within(t), client.Server{Name: "guarded", URL: as.URL, Protocol: protocol, Credentials: NewTokens(s, store, Server{Name: "my guarded", URL: as.URL})}, client.Callbacks{})
	t.Cleanup(func() {
		if c != nil {
			c.Close(context.Background())
		}
		s.Close(scope.Exit{})
	})
	return c, err
}

// call calls a tool and returns its text, or its error's.
func call(t *testing.T, c *client.Client, name string) string {
	t.Helper()
	o := tooltest.New(t, c.Tree()).Call("guarded."+name, data.NewObject(nil))
	if o.Failure != nil {
		return o.Failure.Message
	}
	return string(o.Value.(data.String))
}

func TestTokensAreUsedAndRefreshed(t *testing.T) {
	as, store := oauthtest.New(t, oauthtest.Behaviour{}), newStore(t)
	if _, err := guarded(t, as, store); err == nil || err.Error() != `mcp server "guarded": needs sign-in: run codemode login 'my guarded'` {
		t.Fatalf("got %v", err)
	}
	first, err := signIn(t, store, Server{URL: as.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := guarded(t, as, store)
	if err != nil {
		t.Fatal(err)
	}
	if got := call(t, c, "whoami"); got != "ada" || as.Count("refresh") != 0 {
		t.Errorf("got %s after %d refreshes", got, as.Count("refresh"))
	}
	as.Expire()
	if got := call(t, c, "whoami"); got != "ada" || as.Count("refresh") != 1 {
		t.Errorf("got %s after %d refreshes", got, as.Count("refresh"))
	}
	second, err := store.Find(as.URL, "")
	if err != nil || second.AccessToken == first.AccessToken || second.RefreshToken == first.RefreshToken || second.SignedIn != first.SignedIn {
		t.Errorf("the store has %+v, %v", second, err)
	}
	if got := call(t, c, "quote"); got != "Bearer [hidden]" {
		t.Errorf("got %s", got)
	}
	if s := c.Status(); s.State != client.Connected || len(s.Troubles) != 0 || as.Leak(fmt.Sprintf("%+v", s)) != "" {
		t.Errorf("got %+v", s)
	}
}

// The authorisation server takes each refresh token once, and ends the sign-in when one comes twice.
func TestParallelCallsRefreshOnce(t *testing.T) {
	as, store := oauthtest.New(t, oauthtest.Behaviour{}), newStore(t)
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{}); err != nil {
		t.Fatal(err)
	}
	// Two clients with a store each stand for two processes.
	var clients []*client.Client
	for range 2 {
		c, err := guarded(t, as, NewStore(store.Path()))
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	for round := 1; round <= 3; round++ {
		as.Expire()
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				if got := call(t, clients[i%2], "whoami"); got != "ada" {
					t.Errorf("got %s", got)
				}
			})
		}
		wg.Wait()
		if got := as.Count("refresh"); got != round || as.Count("reused") != 0 {
			t.Fatalf("%d refreshes in round %d, %d with a token that was used", got, round, as.Count("reused"))
		}
	}
}

// Tokens whose end is known are refreshed before they are refused.
func TestTokensThatExpire(t *testing.T) {
	as, store := oauthtest.New(t, oauthtest.Behaviour{Lifetime: 5 * time.Second}), newStore(t) // less than the margin
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{}); err != nil {
		t.Fatal(err)
	}
	bare := as.Count("bare")
	c, err := guarded(t, as, store)
	if err != nil {
		t.Fatal(err)
	}
	before := as.Count("refresh")
	if got := call(t, c, "whoami"); got != "ada" || as.Count("refresh") != before+1 || as.Count("bare") != bare {
		t.Errorf("got %s after %d refreshes, %d requests without a token", got, as.Count("refresh")-before, as.Count("bare")-bare)
	}
}

func TestRefreshRefused(t *testing.T) {
	as, store := oauthtest.New(t, oauthtest.Behaviour{}), newStore(t)
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{}); err != nil {
		t.Fatal(err)
	}
	c, err := guarded(t, as, store)
	if err != nil {
		t.Fatal(err)
	}
	as.Expire()
	as.RefuseRefresh("server_error")
	want := "MCP server guarded: its token has expired and cannot be refreshed now: it answers with HTTP 503; try again later"
	if got := call(t, c, "whoami"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if s := c.Status(); s.State != client.Connected {
		t.Errorf("an outage makes the state %s", s.State)
	}
	as.RefuseRefresh("")
	if got := call(t, c, "whoami"); got != "ada" {
		t.Errorf("got %s after the outage", got)
	}
	as.Expire()
	as.RefuseRefresh("invalid_grant")
	got := call(t, c, "whoami")
	if !strings.HasPrefix(got, "MCP server guarded: needs sign-in (its authorisation server refuses to refresh: invalid_grant: refreshing ") || !strings.HasSuffix(got, ": run codemode login 'my guarded'") || as.Leak(got) != "" {
		t.Errorf("got %s", got)
	}
	refreshes := as.Count("refresh")
	if got := call(t, c, "whoami"); got != "MCP server guarded: needs sign-in: run codemode login 'my guarded'" || as.Count("refresh") != refreshes {
		t.Errorf("got %s after %d more refreshes", got, as.Count("refresh")-refreshes)
	}
	if s := c.Status(); s.State != client.NeedsSignIn || s.Error != "needs sign-in: run codemode login 'my guarded'" {
		t.Errorf("got %+v", s)
	}
	// Signing in again counts at once, for the session that there is.
	as.RefuseRefresh("")
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := call(t, c, "whoami"); got != "ada" || c.Status().State != client.Connected {
		t.Errorf("got %s, %s", got, c.Status().State)
	}
}

// A session that the server has forgotten cannot be replaced without a token.
func TestRestartWithoutToken(t *testing.T) {
	var forgotten atomic.Bool
	as := oauthtest.New(t, oauthtest.Behaviour{HandleResource: func(w http.ResponseWriter, r *http.Request) bool {
		if forgotten.Load() && r.Header.Get("Mcp-Session-Id") != "" {
			http.NotFound(w, r)
			return true
		}
		return false
	}})
	store := newStore(t)
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{}); err != nil {
		t.Fatal(err)
	}
	c, err := guardedAt(t, "2025-11-25", as, store)
	if err != nil {
		t.Fatal(err)
	}
	as.Expire()
	as.RefuseRefresh("invalid_grant")
	forgotten.Store(true)
	for range 2 {
		if got := call(t, c, "whoami"); !strings.Contains(got, "needs sign-in") || strings.Contains(got, "the host has") {
			t.Errorf("got %s", got)
		}
	}
}

func TestTooFewRights(t *testing.T) {
	as, store := oauthtest.New(t, oauthtest.Behaviour{}), newStore(t)
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{}); err != nil {
		t.Fatal(err)
	}
	c, err := guarded(t, as, store)
	if err != nil {
		t.Fatal(err)
	}
	if got := call(t, c, "admin"); got != `MCP server guarded: the sign-in lacks the scope "admin": run codemode login 'my guarded' --scope admin` {
		t.Errorf("got %s", got)
	}
	if got := call(t, c, "whoami"); got != "ada" {
		t.Errorf("then got %s", got)
	}
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{Scopes: []string{"admin"}}); err != nil {
		t.Fatal(err)
	}
	if got := call(t, c, "admin"); got != "administrated" {
		t.Errorf("got %s", got)
	}
}

// A server that takes keys, and says nowhere how to sign in, is not said to need a sign-in.
func TestServersWithoutSignIn(t *testing.T) {
	as := oauthtest.New(t, oauthtest.Behaviour{NoResource: true, NoChallenge: true, HandleResource: func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/mcp" {
			http.NotFound(w, r)
		}
		return r.URL.Path != "/mcp"
	}})
	if _, err := guarded(t, as, newStore(t)); err == nil || !strings.Contains(err.Error(), "Unauthorized") || strings.Contains(err.Error(), "sign-in") {
		t.Errorf("got %v", err)
	}
	if _, err := Wanted(within(t), Server{URL: as.URL}); !errors.Is(err, ErrNoSignIn) {
		t.Errorf("got %v", err)
	}
	http.DefaultClient.CloseIdleConnections()
}

// A sign-in for one server is of no use at another, and goes to no other origin.
func TestTokensStayWithTheirServer(t *testing.T) {
	stolen := make(chan string, 10)
	thief := oauthtest.New(t, oauthtest.Behaviour{HandleResource: func(w http.ResponseWriter, r *http.Request) bool {
		if a := r.Header.Get("Authorization"); a != "" {
			stolen <- a
		}
		return false
	}})
	redirect := false
	as := oauthtest.New(t, oauthtest.Behaviour{HandleResource: func(w http.ResponseWriter, r *http.Request) bool {
		if redirect {
			http.Redirect(w, r, thief.URL, http.StatusTemporaryRedirect)
		}
		return redirect
	}})
	store := newStore(t)
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := guarded(t, thief, store); err == nil || !strings.Contains(err.Error(), "needs sign-in") {
		t.Errorf("got %v", err)
	}
	redirect = true
	if _, err := guarded(t, as, store); err == nil || !strings.Contains(err.Error(), "another origin") {
		t.Errorf("got %v", err)
	}
	select {
	case a := <-stolen:
		t.Errorf("another server was sent %s", a)
	default:
	}
}

func TestLogout(t *testing.T) {
	for name, test := range map[string]struct {
		behaviour oauthtest.Behaviour
		server    Server
		revoked   int
		why       string
	}{
		"revoked":               {revoked: 1},
		"revoked with a secret": {behaviour: oauthtest.Behaviour{Confidential: true}, revoked: 1},
		"no revocation":         {behaviour: oauthtest.Behaviour{NoRevocation: true}, why: "offers no revocation"},
		"revocation that fails": {behaviour: oauthtest.Behaviour{Handle: func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/revoke" {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return r.URL.Path == "/revoke"
		}}, why: "does not revoke: it answers with HTTP 503"},
	} {
		t.Run(name, func(t *testing.T) {
			as, store := oauthtest.New(t, test.behaviour), newStore(t)
			s := Server{Name: "x", URL: as.URL}
			if _, err := signIn(t, store, s, Options{}); err != nil {
				t.Fatal(err)
			}
			out, err := Logout(within(t), store, s)
			if err != nil || out.Removed != 1 || out.Revoked != test.revoked || len(out.Unrevoked) != 1-test.revoked || test.why != "" && !strings.Contains(out.Unrevoked[0].Error(), test.why) {
				t.Errorf("got %+v, %v", out, err)
			}
			if access, refresh := as.Good(); test.revoked == 1 && access+refresh != 0 {
				t.Errorf("%d and %d tokens are still good", access, refresh)
			}
			if g, err := store.Find(as.URL, ""); g != nil || err != nil {
				t.Errorf("the store has %v, %v", g, err)
			}
			if out, err := Logout(within(t), store, s); err != nil || out.Removed != 0 {
				t.Errorf("again: %+v, %v", out, err)
			}
		})
	}
}

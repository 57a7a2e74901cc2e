package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/codemode-go/codemode/mcp/oauth/oauthtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func newStore(t *testing.T) *Store { return NewStore(filepath.Join(t.TempDir(), "sub", "tokens.json")) }

// browser is a person with a browser on this machine.
type browser struct {
	address string
	pages   chan string
}

func (b *browser) options(more Options) Options {
	b.pages = make(chan string, 1)
	more.Show = func(address string) {
		b.address = address
		go func() {
			page, err := oauthtest.Visit(address)
			if err != nil {
				page = err.Error()
			}
			b.pages <- page
		}()
	}
	return more
}

// signIn signs in by a browser.
func signIn(t *testing.T, store *Store, s Server, o Options) (*Grant, error) {
	t.Helper()
	var b browser
	g, err := Login(within(t), store, s, b.options(o))
	if b.address != "" {
		page := <-b.pages
		if want := map[bool]string{true: "Signed in.", false: "did not succeed"}[g != nil]; !strings.Contains(page, want) {
			t.Errorf("the page says %q, want %q", page, want)
		}
	}
	return g, err
}

func TestLogin(t *testing.T) {
	for name, test := range map[string]struct {
		behaviour oauthtest.Behaviour
		server    Server
		options   Options
		scopes    []string
		registers int
		method    string
	}{
		"a client that is registered":      {scopes: []string{"read"}, registers: 1, method: "none"},
		"one with a secret":                {behaviour: oauthtest.Behaviour{Confidential: true}, scopes: []string{"read"}, registers: 1, method: "client_secret_basic"},
		"one registered by hand":           {behaviour: oauthtest.Behaviour{NoRegistration: true, Clients: map[string]string{"mine": ""}}, server: Server{ClientID: "mine"}, scopes: []string{"read"}, method: "none"},
		"one registered by hand, secret":   {behaviour: oauthtest.Behaviour{Clients: map[string]string{"mine": "a secret&more"}}, server: Server{ClientID: "mine", ClientSecret: "a secret&more"}, scopes: []string{"read"}, method: "client_secret_basic"},
		"a metadata document":              {behaviour: oauthtest.Behaviour{NoRegistration: true, Clients: map[string]string{"https://c.example.com/id.json": ""}}, server: Server{ClientID: "https://c.example.com/id.json"}, scopes: []string{"read"}, method: "none"},
		"scopes that are configured":       {server: Server{Scopes: []string{"a", "b"}}, options: Options{Scopes: []string{"c", "a"}}, scopes: []string{"a", "b", "c"}, registers: 1, method: "none"},
		"offline access":                   {behaviour: oauthtest.Behaviour{Offline: true}, scopes: []string{"read", "offline_access"}, registers: 1, method: "none"},
		"an issuer in the answer":          {behaviour: oauthtest.Behaviour{SaysIssuer: true}, scopes: []string{"read"}, registers: 1, method: "none"},
		"a resource that is the origin":    {behaviour: oauthtest.Behaviour{ResourceName: "{origin}/"}, scopes: []string{"read"}, registers: 1, method: "none"},
		"no challenge":                     {behaviour: oauthtest.Behaviour{NoChallenge: true}, scopes: []string{"read"}, registers: 1, method: "none"},
		"a server without metadata of its": {behaviour: oauthtest.Behaviour{NoResource: true}, scopes: nil, registers: 1, method: "none"},
		"tokens that say nothing of time":  {behaviour: oauthtest.Behaviour{Lifetime: -1, TokenType: "bearer"}, scopes: []string{"read"}, registers: 1, method: "none"},
	} {
		t.Run(name, func(t *testing.T) {
			as := oauthtest.New(t, test.behaviour)
			store, s := newStore(t), test.server
			s.Name, s.URL = "guarded", as.URL
			g, err := signIn(t, store, s, test.options)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(g.Scopes, test.scopes) || as.Count("register") != test.registers || g.Client.Method != test.method || g.RefreshToken == "" || g.Expires.IsZero() != (test.behaviour.Lifetime < 0) {
				t.Errorf("got %+v, registered %d times", g, as.Count("register"))
			}
			if status, _, err := probe(within(t), http.DefaultClient, s, string(g.AccessToken)); err != nil || status == 401 {
				t.Error("the token is not good:", status, err)
			}
			if leak := as.Leak(fmt.Sprintf("%v %+v %s %q %#v", g, *g, g.AccessToken, g.RefreshToken, g.Client)); leak != "" {
				t.Errorf("printing shows %s", leak)
			}
			http.DefaultClient.CloseIdleConnections()
			found, err := store.Find(strings.Replace(as.URL, "http://", "HTTP://", 1)+"#fragment", s.ClientID)
			if err != nil || found == nil || found.AccessToken != g.AccessToken || found.RefreshToken != g.RefreshToken || !found.Expires.Equal(g.Expires) {
				t.Errorf("the store has %+v, %v", found, err)
			}
		})
	}
}

// A second login keeps the client if its port is free, and a step up keeps the scopes there were.
func TestLoginAgain(t *testing.T) {
	as := oauthtest.New(t, oauthtest.Behaviour{})
	store, s := newStore(t), Server{Name: "x", URL: as.URL}
	first, err := signIn(t, store, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	second, err := signIn(t, store, s, Options{Scopes: []string{"admin"}})
	if err != nil {
		t.Fatal(err)
	}
	if first.Client != second.Client || as.Count("register") != 1 || !slices.Equal(second.Scopes, []string{"read", "admin"}) {
		t.Errorf("got %+v after %+v", second, first)
	}
	u, _ := url.Parse(first.Client.RedirectURL)
	taken, err := net.Listen("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	third, err := signIn(t, store, s, Options{})
	if err != nil || third.Client.ID == first.Client.ID {
		t.Errorf("got %+v, %v", third, err)
	}
	if all, err := store.All(); err != nil || len(all) != 1 {
		t.Errorf("the store has %d grants, %v", len(all), err)
	}
}

func TestLoginRefused(t *testing.T) {
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	at := func(path string, f http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.URL.Path, path) {
				return false
			}
			f(w, r)
			return true
		}
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path+"?x="+r.URL.Query().Get("x")+"1", http.StatusTemporaryRedirect)
	}
	huge := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"a": "`)
		chunk := strings.Repeat("x", 1<<16)
		for {
			if _, err := io.WriteString(w, chunk); err != nil {
				return
			}
		}
	}
	html := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html>")
	}
	redirected := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+"/steal", http.StatusTemporaryRedirect)
	}
	echo := func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(400)
		fmt.Fprintf(w, `{"error": "invalid_grant", "error_description": "%s and %s"}`, r.PostForm.Get("code"), r.PostForm.Get("code_verifier"))
	}
	const resource, issuer = "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"
	for want, b := range map[string]oauthtest.Behaviour{
		"its state is another one": {AnswerState: "forged"},
		"from another authorisation server: got \"https://evil.example.com\"": {AnswerIssuer: "https://evil.example.com"},
		"refuses: access_denied: the person said no":                          {Refuse: "access_denied"},
		"does not match issuer":                                               {IssuerName: "https://evil.example.com"},
		"does not implement PKCE":                                             {Methods: []string{}},
		"does not support PKCE with S256":                                     {Methods: []string{"plain"}},
		"of another resource: got \"https:":                                   {ResourceName: "https://other.example.com/mcp"},
		"of another resource: got \"http:":                                    {ResourceName: "{origin}/mcp2"},
		"registers no clients by itself: register one there with the redirect address http://127.0.0.1:": {NoRegistration: true},
		"it is of type \"DPoP\", want Bearer":                           {TokenType: "DPoP"},
		"\"http://meta.example.com/\" is no https address":              {Pointer: "http://meta.example.com/"},
		"points to cannot be read: it redirects more than 5 times":      {HandleResource: at(resource, endless)},
		"points to cannot be read: it is too large":                     {HandleResource: at(resource, huge)},
		"points to cannot be read: it is \"text/html\"":                 {HandleResource: at(resource, html)},
		"cannot be used: Get ":                                          {Handle: at(issuer, endless)},
		"authorisation server cannot be used: bad content type":         {Handle: at(issuer, html)},
		"authorisation server cannot be used: unexpected EOF":           {Handle: at(issuer, huge)},
		"does not register a client: registration failed with status 4": {Handle: at("/register", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusForbidden) })},
		"does not register a client: failed to decode":                  {Handle: at("/register", huge)},
		"gave no token: it answers with a redirect":                     {Handle: at("/token", redirected)},
		"gave no token: invalid_grant: [hidden] and [hidden]":           {Handle: at("/token", echo)},
		"gave no token: oauth2: cannot":                                 {Handle: at("/token", huge)},
		"gave no token: invalid_client: who is this?": {Handle: at("/token", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(401)
			io.WriteString(w, `{"error":"invalid_client","error_description":"who is this?"}`)
		})},
		"it offers no sign-in": {NoResource: true, NoChallenge: true, HandleResource: at(issuer, http.NotFound)},
		"it does not ask for a sign-in (HTTP 204)": {NoResource: true, HandleResource: at("/", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(map[bool]int{true: 204, false: 404}[r.URL.Path == "/mcp"])
		})},
		"the server still answers with HTTP 401": {HandleResource: at("/mcp", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) })},
	} {
		t.Run(want, func(t *testing.T) {
			as := oauthtest.New(t, b)
			store := newStore(t)
			g, err := signIn(t, store, Server{Name: "guarded", URL: as.URL}, Options{})
			if err == nil || !strings.Contains(err.Error(), want) || as.Leak(err.Error()) != "" || len(err.Error()) > 900 {
				t.Errorf("got %v, want %s", err, want)
			}
			if all, err := store.All(); err != nil || len(all) != 0 && g == nil {
				t.Errorf("it stored %v, %v", all, err)
			}
		})
	}
}

// A server outside may not have this machine asked for anything.
func TestServersOutsideDoNotPointInside(t *testing.T) {
	asked := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer inside.Close()
	c, done := newHTTP(t.Context(), &url.URL{Scheme: "https", Host: "192.0.2.1"})
	defer done()
	if c.Transport.(*http.Transport).Proxy != nil {
		t.Setenv("NO_PROXY", "*")
	}
	if _, err := c.Get(inside.URL); err == nil || !strings.Contains(err.Error(), "private network") || asked {
		t.Errorf("got %v, asked: %v", err, asked)
	}
	c, done = newHTTP(t.Context(), &url.URL{Scheme: "https", Host: "localhost"})
	defer done()
	resp, err := c.Get(inside.URL)
	if err != nil || !asked {
		t.Fatal(err)
	}
	resp.Body.Close()
	for host, want := range map[string]bool{"127.0.0.1": true, "10.1.2.3": true, "169.254.169.254": true, "::1": true, "::ffff:192.168.0.1": true, "100.64.1.1": true, "8.8.8.8": false, "2001:4860:4860::8888": false} {
		if isInside(t.Context(), host) != want {
			t.Errorf("%s is inside: %v", host, !want)
		}
	}
}

// pasting is a person without a browser on this machine.
func pasting(t *testing.T, texts ...func(answer string) string) Options {
	answers := make(chan string, 1)
	return Options{
		Show: func(address string) {
			answer, err := oauthtest.Browse(address)
			if err != nil {
				t.Error(err)
			}
			answers <- answer
		},
		Paste: func(context.Context) (string, error) {
			if len(texts) == 0 {
				return "", errors.New("nothing was pasted")
			}
			answer := <-answers
			answers <- answer
			text := texts[0](answer)
			texts = texts[1:]
			return text, nil
		},
	}
}

func TestPaste(t *testing.T) {
	whole := func(answer string) string { return "  " + answer + "\n" }
	query := func(answer string) string { _, q, _ := strings.Cut(answer, "?"); return q }
	code := func(answer string) string { u, _ := url.Parse(answer); return u.Query().Get("code") }
	text := func(s string) func(string) string { return func(string) string { return s } }
	for name, test := range map[string]struct {
		behaviour oauthtest.Behaviour
		texts     []func(string) string
		redirect  string
		want      string // of the error
	}{
		"an address":                          {texts: []func(string) string{whole}},
		"a query":                             {texts: []func(string) string{query}},
		"a code":                              {texts: []func(string) string{code}},
		"something else first":                {texts: []func(string) string{text("https://example.com/"), text("what now?"), text(""), whole}},
		"an address that is not here":         {texts: []func(string) string{whole}, redirect: "https://example.com/done"},
		"another's state":                     {texts: []func(string) string{text("http://127.0.0.1/callback?code=x&state=y")}, want: "its state is another one"},
		"a code where the issuer is wanted":   {behaviour: oauthtest.Behaviour{SaysIssuer: true}, texts: []func(string) string{code, whole}},
		"an address where the issuer is said": {behaviour: oauthtest.Behaviour{SaysIssuer: true}, texts: []func(string) string{whole}},
		"a wrong code":                        {texts: []func(string) string{text("guess")}, want: "invalid_grant"},
		"nothing":                             {want: "nothing was pasted"},
		"a refusal":                           {behaviour: oauthtest.Behaviour{Refuse: "access_denied"}, texts: []func(string) string{whole}, want: "access_denied"},
	} {
		t.Run(name, func(t *testing.T) {
			as := oauthtest.New(t, test.behaviour)
			store := newStore(t)
			_, err := Login(within(t), store, Server{Name: "x", URL: as.URL, RedirectURL: test.redirect}, pasting(t, test.texts...))
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// Nobody comes, or comes too late; other requests to the listener are no answer.
func TestLoginEnds(t *testing.T) {
	as := oauthtest.New(t, oauthtest.Behaviour{})
	ctx, cancel := context.WithCancel(within(t))
	_, err := Login(ctx, newStore(t), Server{Name: "x", URL: as.URL}, Options{Show: func(address string) {
		u, _ := url.Parse(address)
		for path, want := range map[string]string{"/favicon.ico": "404", "/callback": "404", "/other?code=x&state=y": "404"} {
			page, err := oauthtest.Visit(strings.TrimSuffix(u.Query().Get("redirect_uri"), "/callback") + path)
			if err != nil || !strings.Contains(page, want) {
				t.Errorf("%s: %q %v", path, page, err)
			}
		}
		cancel()
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRedirectAddresses(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	as := oauthtest.New(t, oauthtest.Behaviour{NoRegistration: true, Clients: map[string]string{"mine": ""}})
	s := Server{Name: "x", URL: as.URL, ClientID: "mine", RedirectURL: "http://127.0.0.1:" + port + "/callback"}
	if _, err := signIn(t, newStore(t), s, Options{}); err == nil || !strings.Contains(err.Error(), "cannot be listened to") {
		t.Errorf("got %v", err)
	}
	free.Close()
	for _, address := range []string{"http://127.0.0.1:" + port + "/callback", "http://localhost:" + port + "/a/b", "http://localhost:" + port} {
		s.RedirectURL = address
		if g, err := signIn(t, newStore(t), s, Options{}); err != nil || g == nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, want := range map[string]string{"https://example.com/cb": "is not on this machine: use --no-browser", "ftp://x": "want an absolute http or https address", "http://x/#y": "want an absolute"} {
		s.RedirectURL = address
		if _, err := signIn(t, newStore(t), s, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

// A server of the protocol of 2025-03-26 may have no metadata at all, and the endpoints that are then meant.
func TestLoginWithoutMetadata(t *testing.T) {
	var as *oauthtest.Server
	as = oauthtest.New(t, oauthtest.Behaviour{NoResource: true, NoChallenge: true, HandleResource: func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/authorize", "/token", "/register":
			as.ServeAuthorisation(w, r)
		case "/mcp":
			return false
		default:
			http.NotFound(w, r)
		}
		return true
	}})
	g, err := signIn(t, newStore(t), Server{Name: "x", URL: as.URL}, Options{})
	if err != nil || g.Issuer+"/mcp" != as.URL || g.TokenEndpoint != g.Issuer+"/token" {
		t.Errorf("got %+v, %v", g, err)
	}
}

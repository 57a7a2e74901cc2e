// Package oauthtest is an authorisation server and an MCP server that wants its tokens, for tests of signing in. They are
// written after the RFCs and independently of package oauth; the MCP server and its check of tokens are the SDK's.
package oauthtest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// Behaviour is what a server does otherwise than a good one. The zero value is a good one that registers clients, hands
// out tokens for an hour, rotates refresh tokens and revokes.
type Behaviour struct {
	Lifetime       time.Duration // that access tokens are said to have; 0 is an hour, which they all have; negative is not said
	Scopes         []string      // of the resource; nil is read
	Clients        map[string]string
	NoRegistration bool
	NoRevocation   bool
	NoRefresh      bool // hands out no refresh tokens
	Confidential   bool // registers clients with a secret, which they prove by Basic
	Offline        bool // knows offline_access
	SaysIssuer     bool // answers with iss and says so (RFC 9207)

	// NoChallenge answers 401 without WWW-Authenticate, NoResource has no metadata of the resource, so that the
	// authorisation server is looked for at the resource's origin.
	NoChallenge, NoResource bool
	// Pointer is the text of resource_metadata.
	Pointer string
	// ResourceName is what the metadata say the resource is, {origin} for its origin.
	ResourceName string
	// IssuerName is what the metadata say the issuer is.
	IssuerName string
	// Methods of PKCE; nil is S256.
	Methods []string
	// AnswerState and AnswerIssuer are put into the answer of the browser; Refuse is its error.
	AnswerState, AnswerIssuer, Refuse string
	// TokenType is what tokens are said to be; "" is Bearer.
	TokenType string
	// Handle is asked first at the authorisation server; true is that it has answered.
	Handle func(w http.ResponseWriter, r *http.Request) bool
	// HandleResource is asked first at the MCP server.
	HandleResource func(w http.ResponseWriter, r *http.Request) bool
}

// Server is an MCP server and its authorisation server, on two origins.
type Server struct {
	// URL is the MCP server's, Issuer the authorisation server.
	URL, Issuer string
	Behaviour   Behaviour

	mcp           http.Handler
	closeSessions func()

	mu       sync.Mutex
	clients  map[string]*client
	codes    map[string]*grant
	access   map[string]*grant
	refresh  map[string]*grant
	spent    map[string]bool // refresh tokens that were used
	issued   []string        // everything secret that was ever given out
	counts   map[string]int
	refusing string // the error of refreshes
}

type client struct {
	secret    string
	redirects []string // nil is any
}

type grant struct {
	client, redirect, challenge, resource string
	scopes                                []string
	expires                               time.Time
}

// T is what is used of a test.
type T interface{ Cleanup(func()) }

// New starts both servers; they end with the test.
func New(t T, b Behaviour) *Server {
	s := &Server{
		Behaviour: b, clients: map[string]*client{}, codes: map[string]*grant{}, access: map[string]*grant{}, refresh: map[string]*grant{},
		spent: map[string]bool{}, counts: map[string]int{},
	}
	for id, secret := range b.Clients {
		s.clients[id] = &client{secret: secret}
		if secret != "" {
			s.issued = append(s.issued, secret)
		}
	}
	authorisation := httptest.NewServer(http.HandlerFunc(s.ServeAuthorisation))
	t.Cleanup(authorisation.Close)
	s.Issuer = authorisation.URL
	s.serveMCP()
	resource := httptest.NewServer(http.HandlerFunc(s.resource))
	t.Cleanup(func() {
		resource.CloseClientConnections() // streams that a client keeps open
		s.closeSessions()
		resource.Close()
	})
	s.URL = resource.URL + "/mcp"
	return s
}

// Count is how often something was asked for: register, authorize, token, refresh, revoke, a path of metadata, or a
// request of the MCP server with an Authorization (authorized) or without (bare).
func (s *Server) Count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[what]
}

func (s *Server) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[what]++
}

// Expire makes all access tokens worthless.
func (s *Server) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
}

// RefuseRefresh has refreshes fail with an error of OAuth; "" lets them succeed again.
func (s *Server) RefuseRefresh(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusing = code
}

// Secrets are all tokens and secrets that were given out.
func (s *Server) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.issued)
}

// Leak is the first of the secrets that a text has, "" if it has none.
func (s *Server) Leak(text string) string {
	for _, secret := range s.Secrets() {
		if strings.Contains(text, secret) {
			return secret
		}
	}
	return ""
}

// Good is how many access tokens are good, and how many refresh tokens.
func (s *Server) Good() (access, refresh int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.access), len(s.refresh)
}

// Browse is a browser: it goes to an address and follows where it is sent to, except to where the answer goes, which it
// returns.
func Browse(address string) (answer string, err error) {
	c := &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := c.Get(address)
	if err != nil {
		return "", err
	}
	resp.Body.Close()
	where, err := resp.Location()
	if err != nil {
		return "", err
	}
	return where.String(), nil
}

// Visit is a browser that follows an address to its end, and returns the page there.
func Visit(address string) (page string, err error) {
	c := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := c.Get(address)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var b strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := resp.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String(), nil
		}
	}
}

func origin(address string) string {
	u, _ := url.Parse(address)
	return u.Scheme + "://" + u.Host
}

// verify is the MCP server's look at a token.
func (s *Server) verify(token string) (*auth.TokenInfo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.access[token]
	if g == nil || g.resource != s.resourceName() {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{Scopes: g.scopes, Expiration: g.expires, UserID: "ada"}, nil
}

// resourceName is what tokens have to be for.
func (s *Server) resourceName() string {
	if s.Behaviour.ResourceName == "" {
		return s.URL
	}
	return strings.ReplaceAll(s.Behaviour.ResourceName, "{origin}", origin(s.URL))
}

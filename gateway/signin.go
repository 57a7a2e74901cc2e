package gateway

// This file defines how servers that are signed in to get their tokens, and come when somebody has signed in.

import (
	"context"
	"time"

	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/mcp/oauth"
)

// SignIn is an entry as it is signed in to. Nobody signs in to one that does not [config.Server.SignsIn].
func SignIn(s config.Server) oauth.Server {
	return oauth.Server{
		Name: s.Name, URL: s.URL.Reveal(), Headers: revealed(s.Headers), ClientID: s.OAuth.ClientID,
		ClientSecret: s.OAuth.ClientSecret.Reveal(), Scopes: s.OAuth.Scopes, RedirectURL: s.OAuth.RedirectURL,
	}
}

// credentials gives a server its tokens, if it is one that is signed in to.
func (g *Gateway) credentials(m *member, store *oauth.Store, s *client.Server) {
	if store == nil || !m.server.SignsIn() {
		return
	}
	m.tokens = oauth.NewTokens(g.scope, store, SignIn(m.server))
	s.Credentials = m.tokens
}

// look is how long it takes at most until a sign-in counts for a server that could not be connected for want of it.
const look = 2 * time.Second

// afterConnecting waits for the sign-ins that servers want.
func (g *Gateway) afterConnecting() {
	for _, m := range g.members {
		if !g.wantsSignIn(m) {
			continue
		}
		g.scope.Fork("await sign-in", func(ctx context.Context) error { return g.awaitSignIn(ctx, m) })
	}
}

// awaitSignIn connects to a server when somebody has signed in.
func (g *Gateway) awaitSignIn(ctx context.Context, m *member) error {
	tried := m.tokens.SignedIn() // and it was refused
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
		signedIn := m.tokens.SignedIn()
		if !signedIn.After(tried) {
			continue
		}
		tried = signedIn
		if err := g.group.Retry(ctx, m.server.Namespace); err == nil {
			return nil
		}
		if !g.wantsSignIn(m) {
			return nil // it is something else; Retry is the host's
		}
	}
}

// wantsSignIn reports that a server could not be connected before somebody has signed in.
func (g *Gateway) wantsSignIn(m *member) bool {
	s := g.stateOf(m)
	return m.tokens != nil && s.State == client.NeedsSignIn && s.Transport == ""
}

// stateOf is how the client of an entry is doing, zero if it has none.
func (g *Gateway) stateOf(m *member) client.Status {
	for _, s := range g.group.Status() {
		if s.Name == m.server.Namespace {
			return s
		}
	}
	return client.Status{}
}

// hide takes the secrets of an entry out of a text: those of its configuration, and its tokens.
func (m *member) hide(text string) string {
	if m.tokens != nil {
		text = m.tokens.Hide(text)
	}
	return m.server.Redactor.Redact(text)
}

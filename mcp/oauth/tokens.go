package oauth

// This file defines how the requests of a client get their tokens.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/scope"
)

// Tokens are the credentials of one server, as the client takes them: those of its grant in the store, refreshed when
// they expire or are refused. They see what other processes write to the store, so that a sign-in counts at once. All
// methods may be called from any goroutine.
type Tokens struct {
	scope  *scope.Scope
	store  *Store
	server Server

	mu         sync.Mutex
	grant      *Grant // as last read, nil if there is none
	read       stamp  // of the file then
	known      bool   // it has been read
	refreshing *scope.Fiber
	seen       []Secret // the last tokens, to be hidden
	offers     time.Time
	offered    bool
	offering   chan struct{} // held while it is found out whether the server offers a sign-in
}

// NewTokens are the credentials of a server. Refreshes run on fibers of the scope, which must outlive the client.
func NewTokens(s *scope.Scope, store *Store, server Server) *Tokens {
	return &Tokens{scope: s, store: store, server: server, offering: make(chan struct{}, 1)}
}

const (
	// refreshTimeout bounds a refresh, with the wait for another process that is about one.
	refreshTimeout = 40 * time.Second
	// maxSeen is how many tokens are hidden.
	maxSeen = 16
	// offerFor is how long it is remembered whether a server offers a sign-in.
	offerFor = time.Minute
)

// Token implements [client.Credentials].
func (t *Tokens) Token(ctx context.Context) (string, error) {
	g, err := t.current()
	if err != nil || g == nil {
		return "", nil // the server may want none; if it does, Refused says what is wrong
	}
	if !g.Expired() {
		return string(g.AccessToken), nil
	}
	if g.RefreshToken == "" {
		return "", nil
	}
	return t.refreshed(ctx, g)
}

// Refused implements [client.Credentials].
func (t *Tokens) Refused(ctx context.Context, r client.Refusal) (string, error) {
	g, err := t.current()
	if err != nil {
		return "", unreadable(err)
	}
	if r.Status == http.StatusForbidden {
		return "", t.lacking(g, r.Header)
	}
	if g != nil && g.Usable() && !r.Again {
		if !g.Expired() && string(g.AccessToken) != r.Token {
			return string(g.AccessToken), nil
		}
		if g.RefreshToken != "" {
			return t.refreshed(ctx, g)
		}
	}
	if g == nil {
		offered, err := t.offersSignIn(ctx, r.Header)
		if err != nil || !offered {
			return "", err
		}
	}
	return "", t.signIn("")
}

// signIn is the error that sends a person to sign in.
func (t *Tokens) signIn(why string) error {
	if why != "" {
		why = " (" + why + ")"
	}
	return &client.Unauthorized{Reason: "needs sign-in" + why + ": run " + Command(t.server.Name), SignIn: true}
}

// unreadable is the error of a store that a person has to mend. Where it is is not for programs.
func unreadable(err error) error {
	return &client.Unauthorized{Reason: "its tokens cannot be read; the host has the details", Details: err.Error(), SignIn: true}
}

// Command is the command line by which a person signs in to a server, with more words if there are some.
func Command(name string, more ...string) string {
	line := "codemode login " + quoted(name)
	for _, word := range more {
		line += " " + quoted(word)
	}
	return line
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@+,=", r))
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// lacking is the error of a token that is good and not good enough, nil if the server refuses for other reasons.
func (t *Tokens) lacking(g *Grant, h http.Header) error {
	list := challenges(h)
	wanted := strings.Fields(parameter(list, "scope"))
	code := parameter(list, "error")
	if g == nil || code != "insufficient_scope" && (code != "" || len(wanted) == 0) {
		return nil
	}
	lacks := slices.DeleteFunc(slices.Clone(wanted), func(s string) bool { return slices.Contains(g.Scopes, s) })
	if len(lacks) == 0 {
		if code == "" {
			return nil
		}
		lacks = wanted
	}
	if len(lacks) == 0 {
		return &client.Unauthorized{Reason: "the sign-in gives too few rights for this, and the server does not say which scope it wants: run " + Command(t.server.Name, "--scope", "SCOPE")}
	}
	scopes := clip(strings.Join(lacks, " "), 300)
	return &client.Unauthorized{Reason: fmt.Sprintf("the sign-in lacks the scope %s: run %s", strconv.Quote(scopes), Command(t.server.Name, "--scope", scopes))}
}

// Hide implements [client.Credentials].
func (t *Tokens) Hide(text string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.seen {
		text = strings.ReplaceAll(text, string(s), hidden)
	}
	return text
}

// SignedIn is when a person signed in, if that is still worth something; else zero.
func (t *Tokens) SignedIn() time.Time {
	g, err := t.current()
	if err != nil || g == nil || !g.Usable() {
		return time.Time{}
	}
	return g.SignedIn
}

// current is the grant as the file has it now.
func (t *Tokens) current() (*Grant, error) {
	now := t.store.stamp()
	t.mu.Lock()
	if t.known && t.read == now {
		defer t.mu.Unlock()
		return t.grant, nil
	}
	t.mu.Unlock()
	g, err := t.store.Find(t.server.URL, t.server.ClientID)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.grant != nil && g != nil && t.grant.Saved.After(g.Saved) && t.grant.SignedIn.Equal(g.SignedIn) {
		g = t.grant // which could not be written
	}
	t.adopt(g)
	t.read, t.known = now, true
	return g, nil
}

// adopt makes a grant the current one, with the lock held.
func (t *Tokens) adopt(g *Grant) {
	t.grant = g
	if g == nil {
		return
	}
	for _, s := range []Secret{g.AccessToken, g.RefreshToken, g.Client.Secret} {
		if len(s) < minHidden || slices.Contains(t.seen, s) {
			continue
		}
		if t.seen = append(t.seen, s); len(t.seen) > maxSeen {
			t.seen = slices.Delete(t.seen, 0, 1)
		}
	}
}

// minHidden is how long a text is at least that is replaced in what others say: shorter ones are in other words.
const minHidden = 6

// refreshed is the access token after a refresh, of which there is one at a time.
func (t *Tokens) refreshed(ctx context.Context, old *Grant) (string, error) {
	t.mu.Lock()
	if t.grant != nil && t.grant != old && !t.grant.Expired() && t.grant.AccessToken != old.AccessToken {
		defer t.mu.Unlock()
		return string(t.grant.AccessToken), nil // it was refreshed in between
	}
	if t.refreshing == nil {
		t.refreshing = t.scope.Fork("refresh token", func(ctx context.Context) error {
			// What it is answered replaces the refresh token: interrupting it might cost the sign-in.
			ctx, cancel := context.WithTimeout(scope.Uninterruptible(ctx), refreshTimeout)
			defer cancel()
			err := t.refresh(ctx, old)
			t.mu.Lock()
			defer t.mu.Unlock()
			t.refreshing = nil
			return err
		})
	}
	fiber := t.refreshing
	t.mu.Unlock()
	exit, err := fiber.Await(ctx)
	if err != nil {
		return "", err
	}
	var denied *client.Unauthorized
	if exit.Cause != nil {
		if errors.As(exit.Cause, &denied) {
			return "", denied
		}
		return "", exit.Cause
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.grant == nil {
		return "", t.signIn("")
	}
	return string(t.grant.AccessToken), nil
}

// refresh gets other tokens for those of a grant, unless another process has.
func (t *Tokens) refresh(ctx context.Context, old *Grant) error {
	release, err := t.store.lock(ctx, old.URL+"\x00"+old.Client.ID)
	if err != nil {
		return &client.Unauthorized{Reason: "its token has expired and cannot be refreshed now; the host has the details", Details: err.Error()}
	}
	defer release()
	g, err := t.store.Find(t.server.URL, t.server.ClientID)
	switch {
	case err != nil:
		return unreadable(err)
	case g == nil:
		t.keep(nil)
		return t.signIn("")
	case g.Saved.Before(old.Saved) && g.SignedIn.Equal(old.SignedIn): // old could not be written
		g = old
	case g.AccessToken != old.AccessToken && !g.Expired():
		t.keep(g)
		return nil
	}
	if g.RefreshToken == "" {
		t.keep(g)
		return t.signIn("")
	}
	token, err := t.ask(ctx, g)
	var refused *oauth2.RetrieveError
	switch {
	case err == nil:
		g = g.with(token)
		t.keep(g)
		_ = t.store.Put(ctx, g) // if it cannot be written, current prefers what is kept here
		return nil
	case errors.As(err, &refused) && final(refused):
		spent := *g
		spent.AccessToken, spent.RefreshToken = "", ""
		t.keep(&spent)
		_ = t.store.Put(ctx, &spent) // if it stays, it is refused again
		return t.signIn("its authorisation server refuses to refresh: " + t.Hide(said(err).Error()))
	}
	return &client.Unauthorized{Reason: fmt.Sprintf("its token has expired and cannot be refreshed now: %s; try again later", t.Hide(said(err).Error()))}
}

func (t *Tokens) keep(g *Grant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.adopt(g)
}

// ask asks for tokens with the refresh token (RFC 6749 §6). The library's own source of tokens does not name the
// resource.
func (t *Tokens) ask(ctx context.Context, g *Grant) (*oauth2.Token, error) {
	u, err := canonical(g.URL)
	if err == nil {
		err = checkSecure(g.TokenEndpoint)
	}
	if err != nil {
		return nil, err
	}
	c, done := newHTTP(ctx, u)
	defer done()
	cl := g.Client
	if cl.ID == t.server.ClientID && t.server.ClientSecret != "" {
		cl.Secret = Secret(t.server.ClientSecret)
		if cl.Method == methodNone {
			cl.Method = methodBasic
		}
	}
	token, err := cl.config("", g.TokenEndpoint, "", nil).Exchange(context.WithValue(ctx, oauth2.HTTPClient, c), "",
		oauth2.SetAuthURLParam("grant_type", "refresh_token"), oauth2.SetAuthURLParam("refresh_token", string(g.RefreshToken)),
		oauth2.SetAuthURLParam("resource", g.Resource))
	if err == nil {
		err = checkToken(token)
	}
	return token, err
}

// final reports a refusal that another try does not change.
func final(e *oauth2.RetrieveError) bool {
	return slices.Contains([]string{"invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope", "invalid_target", "unsupported_grant_type", "access_denied"}, e.ErrorCode)
}

// offersSignIn finds out whether a server without a grant can be signed in to: there are those that want a token and say
// nowhere how to come by one.
func (t *Tokens) offersSignIn(ctx context.Context, h http.Header) (bool, error) {
	list := challenges(h)
	if parameter(list, "resource_metadata") != "" {
		return true, nil
	}
	select {
	case t.offering <- struct{}{}:
		defer func() { <-t.offering }()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	if !t.offers.IsZero() && time.Since(t.offers) < offerFor {
		return t.offered, nil
	}
	u, err := canonical(t.server.URL)
	if err != nil {
		return false, nil
	}
	c, done := newHTTP(ctx, u)
	defer done()
	_, err = discover(ctx, c, t.server.URL, list)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	t.offers, t.offered = time.Now(), err == nil || !errors.Is(err, ErrNoSignIn)
	return t.offered, nil
}

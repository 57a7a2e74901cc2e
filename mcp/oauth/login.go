package oauth

// This file defines how a person signs in.

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/codemode-go/codemode/scope"
)

// Options are how Login meets the person.
type Options struct {
	// Show is told the address to open in a browser, once. It must not be nil.
	Show func(address string)
	// Paste waits for what the person pastes: the address that the browser was sent to in the end, or the code in it. It is
	// called again if that is neither. Nil is that nobody can paste; its error ends the login.
	Paste func(ctx context.Context) (string, error)
	// Scopes are asked for beside those of the server and those that were given before.
	Scopes []string
}

// answer is what the authorisation server sends by the browser (RFC 6749 §4.1.2).
type answer struct {
	code, state, issuer string
	refusal             string // what error and error_description say
	pasted              bool   // without a state, as a bare code
}

// Login has a person sign in to a server, and stores what they are granted. It ends when ctx does; until then it waits
// for the person. The error is for the person and has no secrets. The grant comes with an error if it is stored and the
// server does not take it.
func Login(ctx context.Context, store *Store, s Server, o Options) (*Grant, error) {
	u, err := canonical(s.URL)
	if err != nil {
		return nil, err
	}
	earlier, err := store.Find(s.URL, s.ClientID)
	if err != nil {
		return nil, err
	}
	c, done := newHTTP(ctx, u)
	defer done()
	status, list, err := probe(ctx, c, s, "")
	if err != nil {
		return nil, fmt.Errorf("it cannot be reached: %w", err)
	}
	e, err := discover(ctx, c, s.URL, list)
	guessed := err == ErrNoSignIn && status == http.StatusUnauthorized // and not one that says more
	if guessed {
		e, err = standard(u), nil
	}
	if errors.Is(err, ErrNoSignIn) && status != http.StatusUnauthorized {
		return nil, fmt.Errorf("it does not ask for a sign-in (HTTP %d); %w", status, err)
	}
	if err != nil {
		return nil, err
	}
	l := &login{Server: s, options: o, endpoints: e, http: c, earlier: earlier}
	g, err := l.run(ctx)
	switch {
	case errors.Is(err, errUnregistered) && guessed:
		return nil, ErrNoSignIn
	case err != nil:
		return nil, err
	}
	g.URL = u.String()
	if err := store.Put(ctx, g); err != nil {
		return nil, err
	}
	if status, _, err := probe(ctx, c, s, string(g.AccessToken)); err == nil && (status == http.StatusUnauthorized || status == http.StatusForbidden) {
		return g, fmt.Errorf("signed in, and the server still answers with HTTP %d %s", status, http.StatusText(status))
	}
	return g, nil
}

// login is one that is under way.
type login struct {
	Server
	options   Options
	endpoints *endpoints
	http      *http.Client
	earlier   *Grant // or nil
}

func (l *login) run(ctx context.Context) (*Grant, error) {
	r, err := l.listen()
	if err != nil {
		return nil, err
	}
	defer r.close()
	redirect := r.address
	cl, err := clientFor(ctx, l.http, l.Server, l.endpoints, l.earlier, redirect)
	if err != nil {
		return nil, err
	}
	scopes := l.scopes()
	cfg := cl.config(l.endpoints.meta.AuthorizationEndpoint, l.endpoints.meta.TokenEndpoint, redirect, scopes)
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	address := cfg.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", l.endpoints.resource))
	a, err := l.await(ctx, r, address, func(a *answer) error { return l.check(a, state) })
	if err != nil {
		return nil, err
	}
	token, err := cfg.Exchange(context.WithValue(ctx, oauth2.HTTPClient, l.http), a.code,
		oauth2.VerifierOption(verifier), oauth2.SetAuthURLParam("resource", l.endpoints.resource))
	if err == nil {
		err = checkToken(token)
	}
	if err != nil {
		r.tell(false)
		return nil, errors.New("the authorisation server gave no token: " + without(said(err).Error(), a.code, verifier, string(cl.Secret)))
	}
	r.tell(true)
	now := time.Now().UTC().Round(0)
	g := &Grant{
		Resource: l.endpoints.resource, Issuer: l.endpoints.meta.Issuer, TokenEndpoint: l.endpoints.meta.TokenEndpoint,
		RevocationEndpoint: l.endpoints.meta.RevocationEndpoint, Client: cl, Scopes: scopes, SignedIn: now,
	}
	return g.with(token), nil
}

// without is a text that another has written, without what he was sent.
func without(text string, secrets ...string) string {
	for _, s := range secrets {
		if len(s) >= minHidden {
			text = strings.ReplaceAll(text, s, hidden)
		}
	}
	return text
}

// with is the grant with other tokens.
func (g *Grant) with(t *oauth2.Token) *Grant {
	out := *g
	out.AccessToken, out.Expires = Secret(t.AccessToken), t.Expiry.UTC().Round(0)
	if t.Expiry.IsZero() {
		out.Expires = time.Time{}
	}
	if t.RefreshToken != "" {
		out.RefreshToken = Secret(t.RefreshToken)
	}
	if given, ok := t.Extra("scope").(string); ok && strings.TrimSpace(given) != "" {
		out.Scopes = strings.Fields(given)
	}
	out.Saved = time.Now().UTC().Round(0)
	return &out
}

func checkToken(t *oauth2.Token) error {
	switch {
	case !strings.EqualFold(t.Type(), "bearer"):
		return fmt.Errorf("it is of type %q, want Bearer", clip(t.TokenType, 80))
	case strings.ContainsFunc(t.AccessToken, func(r rune) bool { return r <= ' ' || r > '~' }): // RFC 6750 §2.1
		return errors.New("it has characters that no token has")
	}
	return nil
}

// scopes are those to ask for.
func (l *login) scopes() []string {
	scopes := l.Server.Scopes
	if len(scopes) == 0 {
		scopes = l.endpoints.scopes
	}
	if len(l.options.Scopes) > 0 { // a step up must not lose what there is
		if l.earlier != nil && l.earlier.Issuer == l.endpoints.meta.Issuer {
			scopes = union(l.earlier.Scopes, scopes)
		}
		scopes = union(scopes, l.options.Scopes)
	}
	// Without it some servers give no refresh token.
	if offline := "offline_access"; slices.Contains(l.endpoints.meta.ScopesSupported, offline) {
		scopes = union(scopes, []string{offline})
	}
	return scopes
}

// check reports an answer that is not one to this login, or refuses.
func (l *login) check(a *answer, state string) error {
	meta := l.endpoints.meta
	switch {
	case !a.pasted && subtle.ConstantTimeCompare([]byte(a.state), []byte(state)) != 1:
		return errors.New("the answer is not to this sign-in: its state is another one; start again")
	case a.issuer != "" && a.issuer != meta.Issuer:
		return fmt.Errorf("the answer is from another authorisation server: got %q, want %q", clip(a.issuer, 200), meta.Issuer)
	case a.issuer == "" && meta.AuthorizationResponseIssParameterSupported && a.pasted:
		return errNoCode
	case a.issuer == "" && meta.AuthorizationResponseIssParameterSupported:
		return fmt.Errorf("the answer does not say that it is from %s, which says that its answers do (RFC 9207)", meta.Issuer)
	case a.refusal != "":
		return fmt.Errorf("the authorisation server refuses: %s", a.refusal)
	case a.code == "":
		return errNoCode
	}
	return nil
}

// errNoCode says that what was pasted is no answer.
var errNoCode = errors.New("that is no answer of the authorisation server: paste the whole address that the browser was sent to in the end")

// await shows the address and waits for the answer, from the browser or pasted, whichever comes first.
func (l *login) await(ctx context.Context, r *redirect, address string, check func(*answer) error) (*answer, error) {
	results := make(chan result, 1)
	offer := func(a *answer, err error) bool {
		select {
		case results <- result{a, err}:
			return true
		default:
			return false
		}
	}
	r.serve(func(a *answer) bool { return offer(a, check(a)) })
	l.options.Show(address)
	// A read that nobody can end must not hold the login up.
	s := scope.Open(ctx, scope.Options{Name: "login", Grace: time.Millisecond})
	defer s.Close(scope.Exit{})
	if l.options.Paste != nil {
		s.Fork("paste", func(ctx context.Context) error {
			offer(l.paste(ctx, check))
			return nil
		})
	}
	select {
	case got := <-results:
		if got.err != nil {
			r.tell(false)
		}
		return got.answer, got.err
	case <-ctx.Done():
		return nil, fmt.Errorf("nobody signed in: %w", context.Cause(ctx))
	}
}

// result is how the wait for an answer ended.
type result struct {
	answer *answer
	err    error
}

// paste has the person paste until it is an answer.
func (l *login) paste(ctx context.Context, check func(*answer) error) (*answer, error) {
	for tries := 0; ; tries++ {
		text, err := l.options.Paste(ctx)
		if err != nil {
			return nil, err
		}
		a := pasted(text)
		if err = check(a); !errors.Is(err, errNoCode) || tries == maxPastes {
			return a, err
		}
	}
}

// maxPastes bounds how often something else is pasted.
const maxPastes = 10

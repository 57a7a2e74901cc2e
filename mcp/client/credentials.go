package client

// This file defines how requests over HTTP come by their tokens.

import (
	"context"
	"errors"
	"net/http"
)

// Credentials give the requests to a server their bearer tokens (RFC 6750).
// mcp/oauth has some that a person signs in for. All methods are called from
// any goroutine.
type Credentials interface {
	// Token is the token for a request, "" for none. It may take its time, until
	// ctx is done. An *[Unauthorized] ends the request with its reason.
	Token(ctx context.Context) (string, error)
	// Refused is told that the server answered a request with 401 or 403. It
	// returns a token for another attempt, "" to leave the answer as it is, or an
	// *[Unauthorized].
	Refused(ctx context.Context, r Refusal) (token string, err error)
	// Hide replaces the tokens in a text of the server's.
	Hide(text string) string
}

// Refusal is an answer with 401 or 403.
type Refusal struct {
	Status int
	Header http.Header // of the answer
	Token  string      // that the request had, or ""
	Again  bool        // it was the second attempt
}

// Unauthorized says why there is no token that the server takes. Programs are
// shown the reason.
type Unauthorized struct {
	Reason string
	// Details are for the host instead, if there is more to say than programs
	// should read.
	Details string
	// SignIn reports that a person has to sign in first; the state of the server
	// is then NeedsSignIn.
	SignIn bool
}

// Error is what the host is told.
func (u *Unauthorized) Error() string {
	if u.Details != "" {
		return u.Details
	}
	return u.Reason
}

// authorized sends a request with a token, and once more if there is another
// one after it was refused. send makes each attempt with the header's value.
func (t *roundTripper) authorized(ctx context.Context, send func(authorization string) (*http.Response, error)) (*http.Response, error) {
	c := t.server.Credentials
	if c == nil {
		return send("")
	}
	token, err := c.Token(ctx)
	for again := false; err == nil; again = true {
		var resp *http.Response
		authorization := ""
		if token != "" {
			authorization = "Bearer " + token
		}
		resp, err = send(authorization)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
			t.unauthorized(nil)
			return resp, nil
		}
		var next string
		next, err = c.Refused(ctx, Refusal{resp.StatusCode, resp.Header, token, again})
		if err == nil && (next == "" || again) {
			return resp, nil
		}
		resp.Body.Close()
		token = next
	}
	var denied *Unauthorized
	if errors.As(err, &denied) {
		t.unauthorized(denied)
	}
	return nil, err
}

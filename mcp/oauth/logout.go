package oauth

// This file defines the end of a sign-in.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Outcome is what Logout did.
type Outcome struct {
	// Removed is how many grants were taken out of the store.
	Removed int
	// Revoked is of how many the authorisation server was told, so that their tokens are worth nothing any more.
	Revoked int
	// Unrevoked are why the others may be used until they expire.
	Unrevoked []error
}

// Logout takes the grants for a server out of the store and has them revoked where the authorisation server offers that
// (RFC 7009). The error is about the store. What cannot be revoked is removed all the same.
func Logout(ctx context.Context, store *Store, s Server) (out Outcome, err error) {
	removed, err := store.Remove(ctx, s.URL)
	if err != nil {
		return out, err
	}
	out.Removed = len(removed)
	for _, g := range removed {
		if g.AccessToken == "" && g.RefreshToken == "" {
			continue
		}
		if err := revoke(ctx, s, g); err != nil {
			out.Unrevoked = append(out.Unrevoked, err)
			continue
		}
		out.Revoked++
	}
	return out, nil
}

// revoke revokes the tokens of a grant. Servers revoke the access token with the refresh token (RFC 7009 §2.1), or it
// expires; not all do, so that it is sent as well.
func revoke(ctx context.Context, s Server, g *Grant) error {
	if g.RevocationEndpoint == "" {
		return fmt.Errorf("%s offers no revocation", g.Issuer)
	}
	u, err := canonical(g.URL)
	if err == nil {
		err = checkSecure(g.RevocationEndpoint)
	}
	if err != nil {
		return err
	}
	c, done := newHTTP(ctx, u)
	defer done()
	for _, t := range []struct {
		hint  string
		token Secret
	}{{"refresh_token", g.RefreshToken}, {"access_token", g.AccessToken}} {
		if t.token == "" {
			continue
		}
		if err := revokeToken(ctx, c, s, g, t.hint, t.token); err != nil {
			return fmt.Errorf("%s does not revoke: %w", g.Issuer, err)
		}
	}
	return nil
}

func revokeToken(ctx context.Context, c *http.Client, s Server, g *Grant, hint string, token Secret) error {
	form := url.Values{"token": {string(token)}, "token_type_hint": {hint}}
	secret := string(g.Client.Secret)
	if g.Client.ID == s.ClientID && s.ClientSecret != "" {
		secret = s.ClientSecret
	}
	if g.Client.Method != methodBasic {
		form.Set("client_id", g.Client.ID)
		if secret != "" {
			form.Set("client_secret", secret)
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.RevocationEndpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return bare(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if g.Client.Method == methodBasic {
		r.SetBasicAuth(url.QueryEscape(g.Client.ID), url.QueryEscape(secret))
	}
	resp, err := c.Do(r)
	if err != nil {
		return bare(err)
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusNoContent {
		return nil
	}
	return errors.New("it answers with HTTP " + resp.Status)
}

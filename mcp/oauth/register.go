package oauth

// This file defines which client a login is made as.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// Methods by which clients prove themselves (RFC 7591 §2).
const (
	methodNone  = "none"
	methodPost  = "client_secret_post"
	methodBasic = "client_secret_basic"
)

// clientFor is the one that is configured, else one that was registered before for the same redirect, else a new one.
func clientFor(ctx context.Context, c *http.Client, s Server, e *endpoints, earlier *Grant, redirect string) (Client, error) {
	switch {
	case s.ClientID != "":
		return Client{ID: s.ClientID, Secret: Secret(s.ClientSecret), Method: method(s.ClientSecret, e.meta.TokenEndpointAuthMethodsSupported)}, nil
	case earlier != nil && earlier.Client.Registered && earlier.Issuer == e.meta.Issuer && earlier.Client.RedirectURL == redirect:
		return earlier.Client, nil
	case e.meta.RegistrationEndpoint == "":
		return Client{}, fmt.Errorf("its authorisation server %s registers no clients by itself: register one there with the redirect address %s, and give its id by --client-id or oauth.clientId", e.meta.Issuer, redirect)
	}
	return register(ctx, c, e.meta, redirect)
}

// method is how a client with that secret proves itself. Trying would use up codes and refresh tokens.
func method(secret string, supported []string) string {
	switch {
	case secret == "":
		return methodNone
	case slices.Contains(supported, methodBasic) || !slices.Contains(supported, methodPost):
		return methodBasic // what is meant when nothing is said (RFC 8414 §2)
	}
	return methodPost
}

// errUnregistered is within the error of a registration that failed.
var errUnregistered = errors.New("does not register a client")

// register registers a client (RFC 7591).
func register(ctx context.Context, c *http.Client, meta *oauthex.AuthServerMeta, redirect string) (Client, error) {
	want := methodNone
	if supported := meta.TokenEndpointAuthMethodsSupported; len(supported) > 0 && !slices.Contains(supported, methodNone) {
		want = method("some", supported)
	}
	r, err := oauthex.RegisterClient(ctx, meta.RegistrationEndpoint, &oauthex.ClientRegistrationMetadata{
		ClientName: "codemode", RedirectURIs: []string{redirect}, ApplicationType: "native",
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, TokenEndpointAuthMethod: want,
	}, c)
	if err != nil {
		return Client{}, fmt.Errorf("its authorisation server %s %w: %w; one that is registered by hand is given by --client-id or oauth.clientId", meta.Issuer, errUnregistered, said(err))
	}
	out := Client{ID: r.ClientID, Secret: Secret(r.ClientSecret), Registered: true, RedirectURL: redirect, Method: r.TokenEndpointAuthMethod}
	if out.Method == "" || out.Secret == "" {
		out.Method = method(r.ClientSecret, meta.TokenEndpointAuthMethodsSupported)
	}
	if out.Method != methodNone && out.Method != methodPost && out.Method != methodBasic {
		return Client{}, fmt.Errorf("its authorisation server registered a client that proves itself by %q, want none, client_secret_post or client_secret_basic", clip(out.Method, 80))
	}
	return out, nil
}

// said is what an authorisation server answered, in short and without the tokens that may be in it.
func said(err error) error {
	var registering *oauthex.ClientRegistrationError
	var retrieving *oauth2.RetrieveError
	switch {
	case errors.As(err, &registering):
		return errors.New(refusal(registering.ErrorCode, registering.ErrorDescription))
	case errors.As(err, &retrieving) && retrieving.ErrorCode != "":
		return errors.New(refusal(retrieving.ErrorCode, retrieving.ErrorDescription))
	case errors.As(err, &retrieving):
		return fmt.Errorf("it answers with HTTP %d", retrieving.Response.StatusCode)
	}
	return errors.New(clip(bare(err).Error(), 300))
}

// refusal is an error of OAuth in words.
func refusal(code, description string) string {
	if description == "" {
		return clip(code, 80)
	}
	return clip(code, 80) + ": " + clip(description, 300)
}

// config is what the library needs to ask for tokens.
func (c Client) config(authorization, token, redirect string, scopes []string) *oauth2.Config {
	style := oauth2.AuthStyleInParams
	if c.Method == methodBasic {
		style = oauth2.AuthStyleInHeader
	}
	return &oauth2.Config{
		ClientID: c.ID, ClientSecret: string(c.Secret), RedirectURL: redirect, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: authorization, TokenURL: token, AuthStyle: style},
	}
}

package oauth

// This file defines how a server says where to sign in.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// ErrNoSignIn says that a server has no metadata to sign in by.
var ErrNoSignIn = errors.New("it offers no sign-in: there is no metadata of a protected resource (RFC 9728) or an authorisation server (RFC 8414); if it takes a token, configure it as a header")

// endpoints are where to sign in to a server.
type endpoints struct {
	resource string
	scopes   []string // the server asks for
	meta     *oauthex.AuthServerMeta
}

// probe sends a request without a token, and returns how the server answers it.
func probe(ctx context.Context, c *http.Client, s Server, token string) (status int, challenge []oauthex.Challenge, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		return 0, nil, bare(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range s.Headers {
		r.Header.Set(name, value)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := c.Do(r)
	if err != nil {
		return 0, nil, bare(err)
	}
	resp.Body.Close()
	return resp.StatusCode, challenges(resp.Header), nil
}

// Wanted asks a server whether it wants a sign-in, by a request without a token. ErrNoSignIn is that it wants a token and
// says nowhere how to come by one; another error that it cannot be reached.
func Wanted(ctx context.Context, s Server) (bool, error) {
	u, err := canonical(s.URL)
	if err != nil {
		return false, err
	}
	c, done := newHTTP(ctx, u)
	defer done()
	status, list, err := probe(ctx, c, s, "")
	if err != nil {
		return false, fmt.Errorf("it cannot be reached: %w", err)
	}
	if status != http.StatusUnauthorized {
		return false, nil
	}
	_, err = discover(ctx, c, s.URL, list)
	return !errors.Is(err, ErrNoSignIn), err
}

// challenges are those of a reply that can be read.
func challenges(h http.Header) []oauthex.Challenge {
	list, err := oauthex.ParseWWWAuthenticate(h.Values("WWW-Authenticate"))
	if err != nil {
		return nil
	}
	return list
}

// parameter is one of a challenge for bearer tokens, "" if there is none.
func parameter(list []oauthex.Challenge, name string) string {
	for _, c := range list {
		if c.Scheme == "bearer" && c.Params[name] != "" {
			return c.Params[name]
		}
	}
	return ""
}

// discover finds out where to sign in to the server at an address.
func discover(ctx context.Context, c *http.Client, address string, list []oauthex.Challenge) (*endpoints, error) {
	u, err := canonical(address)
	if err != nil {
		return nil, err
	}
	resource, err := discoverResource(ctx, c, u, parameter(list, "resource_metadata"))
	if err != nil {
		return nil, err
	}
	e := &endpoints{resource: u.String(), scopes: strings.Fields(parameter(list, "scope"))}
	issuers := []string{(&url.URL{Scheme: u.Scheme, Host: u.Host}).String()} // as before 2025-06-18
	if resource != nil {
		if issuers = resource.AuthorizationServers; len(issuers) == 0 {
			return nil, errors.New("its metadata names no authorisation server")
		}
		e.resource = resource.Resource
		if len(e.scopes) == 0 {
			e.scopes = resource.ScopesSupported
		}
	}
	e.meta, err = discoverIssuer(ctx, c, issuers[:min(len(issuers), maxIssuers)])
	switch {
	case err == nil && e.meta == nil:
		return nil, ErrNoSignIn
	case err != nil && resource == nil && ctx.Err() == nil: // most likely a page that is there for every address
		return nil, fmt.Errorf("%w (%w)", ErrNoSignIn, err)
	case err != nil:
		return nil, err
	}
	return e, checkMeta(e.meta)
}

// standard are the endpoints that a server has by the protocol of 2025-03-26 if it has no metadata: it is its own
// authorisation server. Whether it is one shows when a client is registered.
func standard(server *url.URL) *endpoints {
	origin := (&url.URL{Scheme: server.Scheme, Host: server.Host}).String()
	return &endpoints{resource: server.String(), meta: &oauthex.AuthServerMeta{
		Issuer: origin, AuthorizationEndpoint: origin + "/authorize", TokenEndpoint: origin + "/token", RegistrationEndpoint: origin + "/register",
	}}
}

// maxIssuers is how many authorisation servers of one server are tried.
const maxIssuers = 4

// discoverResource reads the metadata of the protected resource: where the server says, else where RFC 9728 does. Nil is
// that there are none.
func discoverResource(ctx context.Context, c *http.Client, server *url.URL, said string) (*oauthex.ProtectedResourceMetadata, error) {
	places := []string{said}
	if said == "" {
		at := url.URL{Scheme: server.Scheme, Host: server.Host, Path: "/.well-known/oauth-protected-resource"}
		root := at.String()
		at.Path = path.Join(at.Path, server.Path)
		places = slices.Compact([]string{at.String(), root})
	}
	for _, place := range places {
		m, err := readResource(ctx, c, place)
		if err != nil && said != "" {
			return nil, fmt.Errorf("the metadata that it points to cannot be read: %w", err)
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue // what is there is something else
		}
		if !covers(m.Resource, server) {
			return nil, fmt.Errorf("its metadata are those of another resource: got %q, want what %s is part of", clip(m.Resource, 200), server.Scheme+"://"+server.Host+server.Path)
		}
		return m, nil
	}
	return nil, nil
}

// readResource reads metadata of a protected resource. The SDK's function wants the exact address for a resource, which
// servers do not keep to: many name the origin.
func readResource(ctx context.Context, c *http.Client, place string) (*oauthex.ProtectedResourceMetadata, error) {
	if err := checkSecure(place); err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return nil, bare(err)
	}
	r.Header.Set("Accept", "application/json")
	resp, err := c.Do(r)
	if err != nil {
		return nil, bare(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answers with HTTP %d", resp.StatusCode)
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "application/json" {
		return nil, fmt.Errorf("it is %q, want application/json", clip(kind, 80))
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, errors.New("it breaks off")
	case len(text) > maxReply:
		return nil, fmt.Errorf("it is too large: at most %d bytes are read", maxReply)
	}
	var m oauthex.ProtectedResourceMetadata
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&m); err != nil {
		return nil, errors.New("it is no JSON object of metadata")
	}
	return &m, nil
}

// covers reports whether a resource is the server or what it is part of: the same origin, and a path that leads to its.
func covers(resource string, server *url.URL) bool {
	u, err := canonical(resource)
	if err != nil || u.Scheme != server.Scheme || u.Host != server.Host || u.RawQuery != "" && u.RawQuery != server.RawQuery {
		return false
	}
	within := strings.TrimSuffix(u.Path, "/")
	return strings.HasPrefix(server.Path+"/", within+"/")
}

// discoverIssuer reads the metadata of the first authorisation server that has some. Nil is that none has.
func discoverIssuer(ctx context.Context, c *http.Client, issuers []string) (*oauthex.AuthServerMeta, error) {
	var first error
	for _, issuer := range issuers {
		err := checkSecure(issuer)
		if err == nil {
			if u, parsing := url.Parse(issuer); parsing == nil && u.Path == "/" {
				issuer = strings.TrimSuffix(issuer, "/") // the path of the metadata would end with another one
			}
			var meta *oauthex.AuthServerMeta
			if meta, err = auth.GetAuthServerMetadata(ctx, issuer, c); err == nil && meta != nil {
				return meta, nil
			}
		}
		if err != nil && first == nil {
			first = fmt.Errorf("its authorisation server cannot be used: %w", err)
		}
	}
	return nil, first
}

// checkMeta checks what the SDK leaves open.
func checkMeta(m *oauthex.AuthServerMeta) error {
	for _, endpoint := range []struct {
		name, address string
		needed        bool
	}{{"authorization_endpoint", m.AuthorizationEndpoint, true}, {"token_endpoint", m.TokenEndpoint, true}, {"registration_endpoint", m.RegistrationEndpoint, false}, {"revocation_endpoint", m.RevocationEndpoint, false}} {
		if endpoint.address == "" && !endpoint.needed {
			continue
		}
		if err := checkSecure(endpoint.address); err != nil {
			return fmt.Errorf("its authorisation server cannot be used: %s: %w", endpoint.name, err)
		}
	}
	if !slices.Contains(m.CodeChallengeMethodsSupported, "S256") {
		return errors.New("its authorisation server cannot be used: it does not support PKCE with S256")
	}
	return nil
}

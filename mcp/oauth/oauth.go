// Package oauth signs in to MCP servers that speak HTTP, keeps the tokens it is given in a file, and puts them under the
// requests of the client.
//
//	store := oauth.NewStore(path)
//	grant, err := oauth.Login(ctx, store, server, oauth.Options{Show: open})    // a person, once
//	tokens := oauth.NewTokens(scope, store, server)                             // client.Server.Credentials, from then on
//
// It speaks OAuth 2.1 as the MCP specification has it: the authorisation code with PKCE (S256), the metadata of RFC 9728
// and RFC 8414, dynamic registration (RFC 7591), the resource of RFC 8707, the issuer of RFC 9207, revocation (RFC 7009).
// Nobody is asked to sign in but by Login. docs/gateway.md is for those who sign in, docs/mcp.md for hosts.
package oauth

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Server is what the configuration says of a server that tokens are for. It is not changed and may be used from any
// goroutine.
type Server struct {
	// Name is what messages call it, and what a person types after codemode login.
	Name string
	// URL is its address. Tokens go to this origin alone.
	URL string
	// Headers go along with requests to URL.
	Headers map[string]string
	// ClientID is that of a client which was registered by hand, or the address of a client ID metadata document. Empty
	// registers one at the first login.
	ClientID string
	// ClientSecret belongs to ClientID; empty is a public client.
	ClientSecret string
	// Scopes are asked for; empty takes those that the server asks for.
	Scopes []string
	// RedirectURL is where the browser brings the answer, as it was registered. Empty is a free port of 127.0.0.1. The
	// answer is listened for if its host is a loopback one, else it has to be pasted.
	RedirectURL string
}

// Secret is a text that printing does not show. JSON does: it is for the file of the Store.
type Secret string

// Format hides the text whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) {
	if s != "" {
		io.WriteString(f, hidden)
	}
}

// hidden is what is printed instead of a token.
const hidden = "[hidden]"

// Grant is what an authorisation server has given for one server. A Grant is not changed once it is made.
type Grant struct {
	// URL is the canonical address of the server, by which the grant is found.
	URL string `json:"url"`
	// Resource is what the server calls itself (RFC 9728); tokens are asked for it (RFC 8707).
	Resource string `json:"resource"`
	// Issuer is the authorisation server, the endpoints are its.
	Issuer             string `json:"issuer"`
	TokenEndpoint      string `json:"tokenEndpoint"`
	RevocationEndpoint string `json:"revocationEndpoint,omitempty"`
	Client             Client `json:"client"`
	// Scopes are those that were given, as far as that is known.
	Scopes []string `json:"scopes,omitempty"`
	// AccessToken is empty once it is known to be worth nothing.
	AccessToken Secret `json:"accessToken,omitempty"`
	// RefreshToken is empty if there is none, or it was refused.
	RefreshToken Secret `json:"refreshToken,omitempty"`
	// Expires is when the access token does; zero is unknown.
	Expires time.Time `json:"expires,omitzero"`
	// SignedIn is when a person did, Saved when the grant was last written.
	SignedIn time.Time `json:"signedIn,omitzero"`
	Saved    time.Time `json:"saved,omitzero"`
}

// Client is how a grant's client is known to its authorisation server.
type Client struct {
	ID     string `json:"id"`
	Secret Secret `json:"secret,omitempty"`
	// Registered reports that Login registered it (RFC 7591), with RedirectURL.
	Registered  bool   `json:"registered,omitempty"`
	RedirectURL string `json:"redirectUrl,omitempty"`
	// Method is how it proves itself: none, client_secret_post or client_secret_basic.
	Method string `json:"method,omitempty"`
}

// margin is how long before its end a token is taken for expired: requests take time, and clocks differ.
const margin = 10 * time.Second

// Expired reports that the access token cannot be used any more.
func (g *Grant) Expired() bool {
	return g.AccessToken == "" || !g.Expires.IsZero() && time.Until(g.Expires) < margin
}

// Usable reports that requests can be made: by the access token, or by one that it is refreshed to.
func (g *Grant) Usable() bool { return !g.Expired() || g.RefreshToken != "" }

// canonical is an address as grants are found by: scheme and host in small letters, without the standard port, user and
// fragment. The query stays, since it may say which server is meant.
func canonical(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("want an absolute http or https address") // which may hold a secret
	}
	u.Host = strings.ToLower(u.Host)
	if standard := map[string]string{"http": "80", "https": "443"}[u.Scheme]; u.Port() == standard {
		u.Host = strings.TrimSuffix(u.Host, ":"+standard)
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	return u, nil
}

// union is the scopes of both lists, each once.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// clip bounds a text of another's in a message, in bytes.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

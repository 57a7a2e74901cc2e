package config

// This file defines what an entry says of signing in.

import (
	"fmt"
	"net/url"
	"strings"
)

// OAuth is how a server is signed in to. The zero value registers a client when that is needed and asks for the scopes
// that the server wants.
type OAuth struct {
	// Off is that nobody signs in, and no tokens are sent.
	Off bool
	// ClientID and ClientSecret are those of a client that was registered by hand.
	ClientID     string
	ClientSecret Secret
	Scopes       []string // nil is those that the server asks for
	RedirectURL  string   // empty is a free port of this machine
}

// HasAuthorization reports that the entry's headers have the credentials, so that nobody signs in.
func (s *Server) HasAuthorization() bool {
	for name := range s.Headers {
		if strings.EqualFold(name, "Authorization") {
			return true
		}
	}
	return false
}

// SignsIn reports that the server is one that can be signed in to: it has an address, and no credentials in its headers.
func (s *Server) SignsIn() bool {
	return s.URL.Reveal() != "" && s.OpenAPI == nil && !s.OAuth.Off && !s.HasAuthorization()
}

// oauthFields are the fields of the object oauth, under the names it has in the files of clients.
var oauthFields = []field{
	{[]string{"clientId", "client_id", "clientID", "CLIENT_ID"}, func(r *reading, n *node) (err error) { r.server.OAuth.ClientID, err = r.expanded(n); return err }},
	{[]string{"clientSecret", "client_secret", "CLIENT_SECRET"}, func(r *reading, n *node) error {
		value, err := r.expanded(n)
		r.server.OAuth.ClientSecret = Hide(value)
		r.server.Redactor.addNamed("client_secret", value)
		return err
	}},
	{[]string{"scopes", "scope"}, (*reading).scopes},
	{[]string{"callbackPort", "callback_port", "redirectPort"}, (*reading).callbackPort},
	{[]string{"redirectUri", "redirectUrl", "redirect_uri", "redirectURI", "callbackUrl"}, (*reading).redirectURL},
	{[]string{"enabled"}, func(r *reading, n *node) error {
		on, err := n.asBool()
		r.server.OAuth.Off = err == nil && !on
		return err
	}},
}

// oauth reads false, or an object.
func (r *reading) oauth(n *node) error {
	switch n.kind {
	case boolean:
		r.server.OAuth.Off = n.text == "false"
		return nil
	case object:
		for _, m := range n.members {
			r.field(oauthFields, "oauth.", m)
		}
		return nil
	}
	return n.want("an object, or false")
}

// auth is the object of one client with the same content; in the files of others it is something else.
func (r *reading) auth(n *node) error {
	if n.get("CLIENT_ID") == nil {
		return nil
	}
	return r.oauth(n)
}

// scopes reads a list of texts, or a text with spaces between them.
func (r *reading) scopes(n *node) error {
	if n.kind == text {
		r.server.OAuth.Scopes = strings.Fields(n.text)
		return nil
	}
	return r.texts(n, &r.server.OAuth.Scopes)
}

// ownScopes reads scopes that stand in the entry itself, in the files of one client.
func (r *reading) ownScopes(n *node) error {
	if n.kind != array || r.server.OAuth.Scopes != nil {
		return nil
	}
	return r.scopes(n)
}

// callback is the path of the address that a port stands for.
const callback = "/callback"

func (r *reading) callbackPort(n *node) error {
	if r.set["oauth.redirectUri"] { // which says more
		return nil
	}
	f, err := n.asNumber()
	if err == nil && (f < 1 || f > 65535 || f != float64(int(f))) {
		err = fmt.Errorf("got %s, want a port from 1 to 65535", n.text)
	}
	if err == nil {
		r.server.OAuth.RedirectURL = fmt.Sprintf("http://127.0.0.1:%d%s", int(f), callback)
	}
	return err
}

func (r *reading) redirectURL(n *node) error {
	address, err := r.expanded(n)
	if err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("got %q, want an absolute http or https address", clip(address, 80))
	}
	r.server.OAuth.RedirectURL = address
	return nil
}

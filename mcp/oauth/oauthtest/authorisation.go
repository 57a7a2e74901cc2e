package oauthtest

// This file defines the authorisation server.

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, code, description string) {
	reply(w, status, map[string]string{"error": code, "error_description": description})
}

// ServeAuthorisation is the authorisation server, for tests that put it elsewhere.
func (s *Server) ServeAuthorisation(w http.ResponseWriter, r *http.Request) {
	if h := s.Behaviour.Handle; h != nil && h(w, r) {
		return
	}
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		s.count(r.URL.Path)
		reply(w, http.StatusOK, s.metadata(s.Issuer))
	case "/authorize":
		s.authorize(w, r)
	case "/token":
		s.token(w, r)
	case "/register":
		s.register(w, r)
	case "/revoke":
		s.revoke(w, r)
	default:
		http.NotFound(w, r)
	}
}

// metadata are those of RFC 8414.
func (s *Server) metadata(issuer string) map[string]any {
	b := s.Behaviour
	m := map[string]any{
		"issuer": issuer, "authorization_endpoint": s.Issuer + "/authorize", "token_endpoint": s.Issuer + "/token",
		"response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code", "refresh_token"},
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none", "client_secret_post", "client_secret_basic"},
	}
	if b.IssuerName != "" {
		m["issuer"] = b.IssuerName
	}
	if b.Methods != nil {
		m["code_challenge_methods_supported"] = b.Methods
	}
	if b.Confidential {
		m["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"}
	}
	if !b.NoRegistration {
		m["registration_endpoint"] = s.Issuer + "/register"
	}
	if !b.NoRevocation {
		m["revocation_endpoint"] = s.Issuer + "/revoke"
	}
	if b.Offline {
		m["scopes_supported"] = []string{"read", "offline_access"}
	}
	if b.SaysIssuer {
		m["authorization_response_iss_parameter_supported"] = true
	}
	return m
}

// register is RFC 7591.
func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Redirects []string `json:"redirect_uris"`
		Method    string   `json:"token_endpoint_auth_method"`
		Grants    []string `json:"grant_types"`
	}
	s.count("register")
	if json.NewDecoder(r.Body).Decode(&m) != nil || len(m.Redirects) == 0 || !slices.Contains(m.Grants, "authorization_code") {
		refuse(w, http.StatusBadRequest, "invalid_redirect_uri", "there is none")
		return
	}
	c := &client{redirects: m.Redirects}
	id := "client-" + rand.Text()[:8]
	out := map[string]any{"client_id": id, "redirect_uris": m.Redirects, "token_endpoint_auth_method": "none"}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Behaviour.Confidential {
		if m.Method != "client_secret_basic" {
			refuse(w, http.StatusBadRequest, "invalid_client_metadata", "want client_secret_basic")
			return
		}
		c.secret = s.secret("secret")
		out["client_secret"], out["token_endpoint_auth_method"] = c.secret, m.Method
	}
	s.clients[id] = c
	reply(w, http.StatusCreated, out)
}

// secret makes something that must not be shown, with the lock held.
func (s *Server) secret(kind string) string {
	text := kind + "-" + rand.Text()
	s.issued = append(s.issued, text)
	return text
}

// authorize is RFC 6749 §4.1.1 with PKCE and RFC 8707. The person always agrees.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	s.count("authorize")
	q := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.clients[q.Get("client_id")]
	redirect, err := url.Parse(q.Get("redirect_uri"))
	if c == nil || err != nil || redirect.Host == "" || c.redirects != nil && !slices.Contains(c.redirects, redirect.String()) {
		http.Error(w, "unknown client or redirect", http.StatusBadRequest)
		return
	}
	answer := url.Values{"state": {q.Get("state")}}
	switch {
	case s.Behaviour.Refuse != "":
		answer.Set("error", s.Behaviour.Refuse)
		answer.Set("error_description", "the person said no")
	case q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" || q.Get("state") == "":
		answer.Set("error", "invalid_request")
	case q.Get("resource") != s.resourceName():
		answer.Set("error", "invalid_target")
	default:
		code := s.secret("code")
		s.codes[code] = &grant{client: q.Get("client_id"), redirect: redirect.String(), challenge: q.Get("code_challenge"), resource: q.Get("resource"), scopes: strings.Fields(q.Get("scope"))}
		answer.Set("code", code)
	}
	if s.Behaviour.AnswerState != "" {
		answer.Set("state", s.Behaviour.AnswerState)
	}
	if s.Behaviour.AnswerIssuer != "" {
		answer.Set("iss", s.Behaviour.AnswerIssuer)
	} else if s.Behaviour.SaysIssuer {
		answer.Set("iss", s.Issuer)
	}
	redirect.RawQuery = answer.Encode()
	http.Redirect(w, r, redirect.String(), http.StatusFound)
}

// known reports whether a request proves to be of its client, with the lock held.
func (s *Server) known(r *http.Request) (id string, ok bool) {
	id, secret, basic := r.BasicAuth()
	if basic {
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	}
	c := s.clients[id]
	return id, c != nil && c.secret == secret && (basic || !s.Behaviour.Confidential)
}

// token is RFC 6749 §4.1.3 and §6.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.ParseForm() != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", "")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.known(r)
	if !ok {
		refuse(w, http.StatusUnauthorized, "invalid_client", "who is this?")
		return
	}
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		s.counts["token"]++
		code := r.PostForm.Get("code")
		g := s.codes[code]
		delete(s.codes, code)
		hash := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if g == nil || g.client != id || g.redirect != r.PostForm.Get("redirect_uri") || g.resource != r.PostForm.Get("resource") || g.challenge != base64.RawURLEncoding.EncodeToString(hash[:]) {
			refuse(w, http.StatusBadRequest, "invalid_grant", "the code is not good")
			return
		}
		s.give(w, g)
	case "refresh_token":
		s.refreshToken(w, r, id)
	default:
		refuse(w, http.StatusBadRequest, "unsupported_grant_type", "")
	}
}

func (s *Server) refreshToken(w http.ResponseWriter, r *http.Request, id string) {
	s.counts["refresh"]++
	old := r.PostForm.Get("refresh_token")
	g := s.refresh[old]
	switch {
	case s.refusing == "server_error":
		refuse(w, http.StatusServiceUnavailable, "", "")
		return
	case s.refusing != "":
		refuse(w, http.StatusBadRequest, s.refusing, "refreshing "+old+" is not to be")
		return
	case s.spent[old]: // somebody has two copies: neither is trusted (RFC 9700 §4.14.2)
		s.counts["reused"]++
		clear(s.refresh)
		clear(s.access)
	}
	if g == nil || g.client != id || g.resource != r.PostForm.Get("resource") {
		refuse(w, http.StatusBadRequest, "invalid_grant", "the refresh token is not good")
		return
	}
	delete(s.refresh, old)
	s.spent[old] = true
	s.give(w, g)
}

// give hands out tokens.
func (s *Server) give(w http.ResponseWriter, g *grant) {
	lifetime := s.Behaviour.Lifetime
	if lifetime == 0 {
		lifetime = time.Hour
	}
	given := *g
	given.expires = time.Now().Add(time.Hour)
	out := map[string]any{"token_type": "Bearer", "scope": strings.Join(given.scopes, " ")}
	if s.Behaviour.TokenType != "" {
		out["token_type"] = s.Behaviour.TokenType
	}
	if s.Behaviour.Lifetime >= 0 {
		out["expires_in"] = int(lifetime / time.Second)
	}
	access := s.secret("access")
	s.access[access], out["access_token"] = &given, access
	if !s.Behaviour.NoRefresh {
		refresh := s.secret("refresh")
		s.refresh[refresh], out["refresh_token"] = &given, refresh
	}
	reply(w, http.StatusOK, out)
}

// revoke is RFC 7009.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request) {
	s.count("revoke")
	if r.ParseForm() != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", "")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.known(r); !ok {
		refuse(w, http.StatusUnauthorized, "invalid_client", "")
		return
	}
	delete(s.access, r.PostForm.Get("token"))
	delete(s.refresh, r.PostForm.Get("token"))
}

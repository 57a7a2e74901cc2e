package oauthtest

// This file defines the MCP server.

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveMCP makes the MCP server: whoami says ada, expire makes all access tokens worthless, admin wants the scope admin,
// quote says what was sent as Authorization.
func (s *Server) serveMCP() {
	server := mcp.NewServer(&mcp.Implementation{Name: "guarded", Version: "1"}, nil)
	type nothing struct{}
	add := func(name string, f func(*mcp.CallToolRequest) string) {
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: "Says " + name}, func(_ context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: f(r)}}}, nil, nil
		})
	}
	add("whoami", func(r *mcp.CallToolRequest) string { return r.Extra.TokenInfo.UserID })
	add("expire", func(*mcp.CallToolRequest) string { s.Expire(); return "expired" })
	add("admin", func(*mcp.CallToolRequest) string { return "administrated" })
	add("quote", func(r *mcp.CallToolRequest) string { return r.Extra.Header.Get("Authorization") })
	s.closeSessions = func() { // of clients whose goodbye had no token
		for session := range server.Sessions() {
			session.Close()
		}
	}
	s.mcp = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
}

func (s *Server) resource(w http.ResponseWriter, r *http.Request) {
	b := s.Behaviour
	if b.HandleResource != nil && b.HandleResource(w, r) {
		return
	}
	switch {
	case strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource"):
		s.count("/.well-known/oauth-protected-resource")
		if b.NoResource || r.URL.Path != "/.well-known/oauth-protected-resource/mcp" {
			http.NotFound(w, r)
			return
		}
		reply(w, http.StatusOK, s.resourceMetadata())
	case r.URL.Path == "/.well-known/oauth-authorization-server" && b.NoResource:
		reply(w, http.StatusOK, s.metadata(origin(s.URL)))
	case r.URL.Path == "/mcp":
		s.guard(w, r)
	default:
		http.NotFound(w, r)
	}
}

// resourceMetadata are those of RFC 9728.
func (s *Server) resourceMetadata() map[string]any {
	scopes := s.Behaviour.Scopes
	if scopes == nil {
		scopes = []string{"read"}
	}
	return map[string]any{"resource": s.resourceName(), "authorization_servers": []string{s.Issuer}, "scopes_supported": scopes}
}

// guard lets those in who have a token that is good.
func (s *Server) guard(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") == "" {
		s.count("bare")
	} else {
		s.count("authorized")
	}
	if s.Behaviour.NoChallenge {
		w = &mute{w}
	}
	pointer := s.Behaviour.Pointer
	if pointer == "" && !s.Behaviour.NoResource {
		pointer = origin(s.URL) + "/.well-known/oauth-protected-resource/mcp"
	}
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return s.verify(token)
	}
	auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{ResourceMetadataURL: pointer})(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(text))
		if info := auth.TokenInfoFromContext(r.Context()); bytes.Contains(text, []byte(`"name":"admin"`)) && !strings.Contains(strings.Join(info.Scopes, " "), "admin") {
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="read admin", resource_metadata="`+pointer+`"`)
			http.Error(w, "insufficient scope", http.StatusForbidden)
			return
		}
		s.mcp.ServeHTTP(w, r)
	})).ServeHTTP(w, r)
}

// mute is a response without challenges.
type mute struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (m *mute) WriteHeader(status int) {
	m.Header().Del("WWW-Authenticate")
	m.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (m *mute) Unwrap() http.ResponseWriter { return m.ResponseWriter }

package config

import (
	"slices"
	"strings"
	"testing"
)

// How the clients write what signing in wants.
func TestSigningInIsRead(t *testing.T) {
	type want struct {
		off                  bool
		id, secret, redirect string
		scopes               []string
		signsIn              bool
	}
	for file, test := range map[string]struct {
		source string
		want   map[string]want
	}{
		".mcp.json": {`{"mcpServers": {
			"plain": {"type": "http", "url": "https://a.example.com/mcp"},
			"client": {"type": "http", "url": "https://a.example.com/mcp", "oauth": {"clientId": "mine", "callbackPort": 3118}},
			"header": {"type": "http", "url": "https://a.example.com/mcp", "headers": {"AUTHORIZATION": "Bearer ${TOKEN}"}, "oauth": {"clientId": "mine"}},
			"key": {"type": "http", "url": "https://a.example.com/mcp", "headers": {"X-Api-Key": "k"}},
			"on": {"type": "http", "url": "https://a.example.com/mcp", "oauth": true},
			"nothing": {"type": "http", "url": "https://a.example.com/mcp", "oauth": null},
			"program": {"command": "x"}}}`,
			map[string]want{
				"plain": {signsIn: true}, "client": {id: "mine", redirect: "http://127.0.0.1:3118/callback", signsIn: true}, "header": {id: "mine"},
				"key": {signsIn: true}, "on": {signsIn: true}, "nothing": {signsIn: true}, "program": {},
			}},
		"client.jsonc": {`{"mcp": {
			"off": {"type": "remote", "url": "https://a.example.com/mcp", "oauth": false},
			"full": {"type": "remote", "url": "https://a.example.com/mcp", "oauth": {"clientId": "mine", "clientSecret": "{env:TOKEN}", "scope": "read  write", "redirectUri": "http://localhost:1/cb"}}}}`,
			map[string]want{"off": {off: true}, "full": {id: "mine", secret: "s3cr3t-token", scopes: []string{"read", "write"}, redirect: "http://localhost:1/cb", signsIn: true}}},
		".gemini/settings.json": {`{"mcpServers": {
			"on": {"httpUrl": "https://a.example.com/mcp", "oauth": {"enabled": true, "clientId": "$TOKEN", "scopes": ["a", "b"]}},
			"off": {"httpUrl": "https://a.example.com/mcp", "oauth": {"enabled": false}}}}`,
			map[string]want{"on": {id: "s3cr3t-token", scopes: []string{"a", "b"}, signsIn: true}, "off": {off: true}}},
		".cursor/mcp.json": {`{"mcpServers": {
			"auth": {"url": "https://a.example.com/mcp", "auth": {"CLIENT_ID": "mine", "CLIENT_SECRET": "${env:TOKEN}", "scopes": ["a"]}},
			"other": {"url": "https://a.example.com/mcp", "auth": {"type": "x"}}}}`,
			map[string]want{"auth": {id: "mine", secret: "s3cr3t-token", scopes: []string{"a"}, signsIn: true}, "other": {signsIn: true}}},
		"config.toml": {"[mcp_servers.a]\nurl = \"https://a.example.com/mcp\"\nscopes = [\"x\"]\n[mcp_servers.b]\nurl = \"https://a.example.com/mcp\"\nbearer_token_env_var = \"TOKEN\"",
			map[string]want{"a": {scopes: []string{"x"}, signsIn: true}, "b": {}}},
	} {
		c, err := Parse("/etc/clients/"+file, []byte(test.source), options())
		if err != nil || len(c.Servers) != len(test.want) {
			t.Fatal(file, err)
		}
		for _, s := range c.Servers {
			o := s.OAuth
			got := want{o.Off, o.ClientID, o.ClientSecret.Reveal(), o.RedirectURL, o.Scopes, s.SignsIn()}
			w := test.want[s.Name]
			if got.off != w.off || got.id != w.id || got.secret != w.secret || got.redirect != w.redirect || !slices.Equal(got.scopes, w.scopes) || got.signsIn != w.signsIn {
				t.Errorf("%s: %s: got %+v, want %+v", file, s.Name, got, w)
			}
			if len(s.Problems)+len(s.Unread) != 0 {
				t.Errorf("%s: %s: %v, not read: %q", file, s.Name, s.Err(), s.Unread)
			}
			if w.secret != "" && strings.Contains(s.Redactor.Redact("it is "+w.secret), w.secret) {
				t.Errorf("%s: %s: the secret is not known as one", file, s.Name)
			}
		}
	}
}

func TestSigningInWrittenWrongly(t *testing.T) {
	for source, want := range map[string]string{
		`"yes"`:                     `server "a": oauth: got a text, want an object, or false`,
		`{"clientId": []}`:          `server "a": oauth.clientId: got a list, want a text`,
		`{"callbackPort": 0}`:       `server "a": oauth.callbackPort: got 0, want a port from 1 to 65535`,
		`{"callbackPort": 8080.5}`:  `server "a": oauth.callbackPort: got 8080.5, want a port from 1 to 65535`,
		`{"callbackPort": "x"}`:     `server "a": oauth.callbackPort: got a text, want a number`,
		`{"redirectUri": "/x"}`:     `server "a": oauth.redirectUri: got "/x", want an absolute http or https address`,
		`{"scopes": [1]}`:           `server "a": oauth.scopes[0]: got a number, want a text`,
		`{"clientSecret": "${NO}"}`: `server "a": oauth.clientSecret: the variable NO is not set`,
		`{"enabled": 1}`:            `server "a": oauth.enabled: got a number, want true or false`,
	} {
		c, err := Parse("/etc/x.json", []byte(`{"mcpServers": {"a": {"url": "https://a.example.com", "oauth": `+source+`}, "b": {"url": "https://b.example.com"}}}`), options())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Servers[0].Err(); err == nil || !strings.Contains(err.Error(), want) || !c.Servers[1].Usable() {
			t.Errorf("%s: got %v, want %s", source, err, want)
		}
	}
	c, err := Parse("/etc/x.json", []byte(`{"mcpServers": {"a": {"url": "https://a.example.com", "oauth": {"clientId": "x", "tokenParamName": "y"}}}}`), options())
	if err != nil || !slices.Equal(c.Servers[0].Unread, []string{"oauth.tokenParamName"}) {
		t.Errorf("got %q, %v", c.Servers[0].Unread, err)
	}
}

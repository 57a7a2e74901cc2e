package config

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/mcp/client"
)

// variables are the environment of the tests.
var variables = map[string]string{
	"TOKEN": "s3cr3t-token", "EMPTY": "", "HOST": "api.example.com", "CODEMODE_INPUT_API_KEY": "typed-key", "DOLLAR": "${TOKEN}", "LINES": "a\nhidden-word",
}

func options() Options {
	return Options{
		Lookup:    func(name string) (string, bool) { v, set := variables[name]; return v, set },
		Home:      "/home/ada",
		Workspace: "/work/space", Executables: []string{"/opt/bin/codemode"},
	}
}

// expectation is what an entry comes to, in plain texts.
type expectation struct {
	command        []string
	dir, envFile   string
	env            map[string]string
	inherit        []string
	url            string
	transport      client.Transport
	headers        map[string]string
	disabled       bool
	include        []string
	exclude        []string
	timeout, start time.Duration
}

func actual(s Server) expectation {
	e := expectation{
		dir: s.Dir, envFile: s.EnvFile, inherit: s.InheritEnv, url: s.URL.Reveal(), transport: s.Transport, disabled: s.Disabled,
		include: s.Include, exclude: s.Exclude, timeout: s.Timeout, start: s.ConnectTimeout, env: reveal(s.Env), headers: reveal(s.Headers),
	}
	for _, w := range s.Command {
		e.command = append(e.command, w.Reveal())
	}
	return e
}

func reveal(secrets map[string]Secret) map[string]string {
	var out map[string]string
	for k, v := range secrets {
		if out == nil {
			out = map[string]string{}
		}
		out[k] = v.Reveal()
	}
	return out
}

func (e expectation) equal(o expectation) bool {
	return slices.Equal(e.command, o.command) && e.dir == o.dir && e.envFile == o.envFile && maps.Equal(e.env, o.env) && slices.Equal(e.inherit, o.inherit) &&
		e.url == o.url && e.transport == o.transport && maps.Equal(e.headers, o.headers) && e.disabled == o.disabled && slices.Equal(e.include, o.include) &&
		slices.Equal(e.exclude, o.exclude) && e.timeout == o.timeout && e.start == o.start
}

// The files are as the documentation of the clients shows them.
func TestDialects(t *testing.T) {
	for _, test := range []struct {
		client, file, source string
		want                 map[string]expectation
	}{
		{"Claude Desktop", "claude_desktop_config.json", `{
			"mcpServers": {"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"]},
				"brave": {"command": "npx", "args": ["-y", "server-brave"], "env": {"BRAVE_API_KEY": "abc"}}},
			"globalShortcut": ""}`,
			map[string]expectation{
				"filesystem": {command: []string{"npx", "-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"}},
				"brave":      {command: []string{"npx", "-y", "server-brave"}, env: map[string]string{"BRAVE_API_KEY": "abc"}},
			}},
		{"Claude Code", ".mcp.json", `{"mcpServers": {
				"local": {"type": "stdio", "command": "${BIN:-/opt/${NAME:-tool}}", "args": ["--host", "${HOST}"], "env": {"T": "${TOKEN}", "D": "${EMPTY:-none}"}},
				"remote": {"type": "http", "url": "https://${HOST}/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
				"old": {"type": "sse", "url": "https://old.example.com/sse"}}}`,
			map[string]expectation{
				"local":  {command: []string{"/opt/tool", "--host", "api.example.com"}, env: map[string]string{"T": "s3cr3t-token", "D": "none"}},
				"remote": {url: "https://api.example.com/mcp", transport: client.StreamableHTTP, headers: map[string]string{"Authorization": "Bearer s3cr3t-token"}},
				"old":    {url: "https://old.example.com/sse", transport: client.SSE},
			}},
		{"VS Code", ".vscode/mcp.json", `{
			// comments are allowed, and commas at the end
			"inputs": [{"type": "promptString", "id": "api-key", "description": "Key", "password": true},],
			"servers": {
				"perplexity": {"type": "stdio", "command": "npx", "args": ["-y", "server-perplexity"], "env": {"KEY": "${input:api-key}"}, "envFile": "${workspaceFolder}/.env"},
				"fetch": {"command": "uvx", "args": ["mcp-server-fetch", "${userHome}/x", "${env:HOST}"], "cwd": "${workspaceFolder}/sub"},
				"github": {"type": "http", "url": "https://api.githubcopilot.com/mcp/"}, /* the end */
			}}`,
			map[string]expectation{
				"perplexity": {command: []string{"npx", "-y", "server-perplexity"}, env: map[string]string{"KEY": "typed-key"}, envFile: "/work/space/.env"},
				"fetch":      {command: []string{"uvx", "mcp-server-fetch", "/home/ada/x", "api.example.com"}, dir: "/work/space/sub"},
				"github":     {url: "https://api.githubcopilot.com/mcp/", transport: client.Auto},
			}},
		{"VS Code settings", "settings.json", `{"mcp": {"inputs": [{"id": "api-key", "type": "promptString"}], "servers": {"x": {"command": "x", "env": {"K": "${input:api-key}"}}}}}`,
			map[string]expectation{"x": {command: []string{"x"}, env: map[string]string{"K": "typed-key"}}}},
		{"Copilot CLI", "mcp-config.json", `{"mcpServers": {"a": {"type": "local", "command": "a", "args": [], "tools": ["*"]}, "b": {"type": "http", "url": "https://b.example.com", "headers": {"X": "1"}, "tools": ["one"]}}}`,
			map[string]expectation{
				"a": {command: []string{"a"}, include: []string{"*"}},
				"b": {url: "https://b.example.com", transport: client.StreamableHTTP, headers: map[string]string{"X": "1"}, include: []string{"one"}},
			}},
		{"Cursor", ".cursor/mcp.json", `{"mcpServers": {
				"remote": {"url": "https://api.example.com/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN}"}},
				"py": {"command": "python", "args": ["${workspaceFolder}/server.py"], "env": {"API": "$env:TOKEN", "P": "${workspaceFolderBasename}${/}x"}, "envFile": ".env"}}}`,
			map[string]expectation{
				"remote": {url: "https://api.example.com/mcp", headers: map[string]string{"Authorization": "Bearer s3cr3t-token"}},
				"py":     {command: []string{"python", "/work/space/server.py"}, env: map[string]string{"API": "s3cr3t-token", "P": "space/x"}, envFile: "/etc/clients/.cursor/.env"},
			}},
		{"Windsurf", "mcp_config.json", `{"mcpServers": {"figma": {"serverUrl": "https://figma.example.com/mcp", "headers": {"A": "Bearer ${env:TOKEN}"}, "disabledTools": ["x", "y"]}}}`,
			map[string]expectation{"figma": {url: "https://figma.example.com/mcp", headers: map[string]string{"A": "Bearer s3cr3t-token"}, exclude: []string{"x", "y"}}}},
		{"Gemini CLI", ".gemini/settings.json", `{"theme": "x", "mcp": {"allowed": ["stream", "sse", "local"]}, "mcpServers": {
				"stream": {"httpUrl": "https://$HOST/mcp", "headers": {"X-Key": "$TOKEN"}, "timeout": 5000},
				"sse": {"url": "https://h.example.com/sse"},
				"local": {"command": "node", "args": ["s.js", "a$b", "$1"], "env": {"K": "$TOKEN", "L": "${TOKEN}"}, "cwd": "./srv", "timeout": 30000, "trust": true, "includeTools": ["a"], "excludeTools": ["b"]},
				"other": {"command": "x"}}}`,
			map[string]expectation{
				"stream": {url: "https://api.example.com/mcp", transport: client.StreamableHTTP, headers: map[string]string{"X-Key": "s3cr3t-token"}, timeout: 5 * time.Second},
				"sse":    {url: "https://h.example.com/sse", transport: client.SSE},
				"local": {command: []string{"node", "s.js", "ab", "$1"}, env: map[string]string{"K": "s3cr3t-token", "L": "s3cr3t-token"}, dir: "/etc/clients/.gemini/srv", timeout: 30 * time.Second,
					include: []string{"a"}, exclude: []string{"b"}},
				"other": {disabled: true},
			}},
		{"Cline", "cline_mcp_settings.json", `{"mcpServers": {
				"a": {"command": "a", "disabled": false, "timeout": 60, "autoApprove": ["x"], "alwaysAllow": ["y"]},
				"b": {"url": "https://b.example.com", "type": "streamableHttp", "disabled": true},
				"c": {"url": "https://c.example.com", "type": "streamableHttp"},
				"d": {"url": "https://d.example.com", "type": "sse"}}}`,
			map[string]expectation{
				"a": {command: []string{"a"}, timeout: time.Minute},
				"b": {disabled: true},
				"c": {url: "https://c.example.com", transport: client.StreamableHTTP},
				"d": {url: "https://d.example.com", transport: client.SSE},
			}},
		{"an mcp key", "client.jsonc", `{"$schema": "https://x", "mcp": {
				"local": {"type": "local", "command": ["bun", "x", "thing"], "environment": {"K": "{env:TOKEN}"}, "enabled": true, "timeout": 5000},
				"remote": {"type": "remote", "url": "https://r.example.com/mcp", "headers": {"A": "Bearer {env:TOKEN}"}, "oauth": false},
				"off": {"type": "local", "command": ["x", "${NOT_SET}"], "enabled": false}}}`,
			map[string]expectation{
				"local":  {command: []string{"bun", "x", "thing"}, env: map[string]string{"K": "s3cr3t-token"}, timeout: 5 * time.Second},
				"remote": {url: "https://r.example.com/mcp", headers: map[string]string{"A": "Bearer s3cr3t-token"}},
				"off":    {disabled: true},
			}},
		{"Codex", "config.toml", `
model = "x"
[mcp_servers.docs]
command = "npx"
args = ["-y", "mcp-server"]
startup_timeout_sec = 20
tool_timeout_sec = 45.5
enabled_tools = ["search"]
env_vars = ["LOCAL"]
[mcp_servers.docs.env]
API_KEY = "value"
[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { "X-Region" = "us-east-1" }
env_http_headers = { "X-Host" = "HOST" }
[mcp_servers.off]
command = "x"
enabled = false
startup_timeout_ms = 1500
[mcp_servers."with.dot"]
command = 'C:\bin\x'
startup_timeout_ms = 1500
`, map[string]expectation{
			"docs":     {command: []string{"npx", "-y", "mcp-server"}, env: map[string]string{"API_KEY": "value"}, start: 20 * time.Second, timeout: 45500 * time.Millisecond, include: []string{"search"}, inherit: []string{"LOCAL"}},
			"figma":    {url: "https://mcp.figma.com/mcp", headers: map[string]string{"Authorization": "Bearer s3cr3t-token", "X-Region": "us-east-1", "X-Host": "api.example.com"}},
			"off":      {disabled: true},
			"with.dot": {command: []string{`C:\bin\x`}, start: 1500 * time.Millisecond},
		}},
		{"an extensions key", "extensions.json", `{"extensions": {
				"github": {"name": "GitHub", "cmd": "npx", "args": ["-y", "gh"], "enabled": true, "envs": {"T": "t"}, "type": "stdio", "timeout": 300},
				"remote": {"type": "streamable_http", "uri": "https://x.example.com/mcp", "enabled": true},
				"old": {"type": "sse", "uri": "https://x.example.com/sse"},
				"developer": {"type": "builtin", "enabled": true}}}`,
			map[string]expectation{
				"github":    {command: []string{"npx", "-y", "gh"}, env: map[string]string{"T": "t"}, timeout: 5 * time.Minute},
				"remote":    {url: "https://x.example.com/mcp", transport: client.StreamableHTTP},
				"old":       {url: "https://x.example.com/sse", transport: client.SSE},
				"developer": {disabled: true},
			}},
		{"an extensions key in YAML", "config.yaml", `# settings
PROVIDER: x
extensions:
  developer: {type: builtin, enabled: true, bundled: true, name: developer}
  github:
    name: GitHub
    cmd: npx
    args:
      - -y
      - "gh"
      - 3000
    enabled: true
    envs: &tokens
      T: t
      HOST: ${HOST}
    type: stdio
    timeout: 300
    available_tools: []
  twin: {cmd: twin, envs: *tokens, type: stdio, enabled: true}
  remote:
    type: streamable_http
    uri: https://x.example.com/mcp
    headers: {Authorization: "Bearer ${TOKEN}"}
  old: {type: sse, uri: 'https://x.example.com/sse'}
  off: {type: stdio, cmd: off, enabled: false}
`,
			map[string]expectation{
				"github":    {command: []string{"npx", "-y", "gh", "3000"}, env: map[string]string{"T": "t", "HOST": "api.example.com"}, timeout: 5 * time.Minute},
				"twin":      {command: []string{"twin"}, env: map[string]string{"T": "t", "HOST": "api.example.com"}},
				"remote":    {url: "https://x.example.com/mcp", transport: client.StreamableHTTP, headers: map[string]string{"Authorization": "Bearer s3cr3t-token"}},
				"old":       {url: "https://x.example.com/sse", transport: client.SSE},
				"developer": {disabled: true},
				"off":       {disabled: true},
			}},
		{"Zed", "zed.json", `{"context_servers": {"a": {"source": "custom", "command": {"path": "a", "args": ["b"], "env": {"C": "d"}}, "settings": {}}, "b": {"command": "b", "args": ["c"]}}}`,
			map[string]expectation{"a": {command: []string{"a", "b"}, env: map[string]string{"C": "d"}}, "b": {command: []string{"b", "c"}}}},
		{"args before command, numbers and switches without quotes", "own.json", "\ufeff" + `{"mcpServers": {"a": {"args": ["--port", 3000, true], "command": "a", "env": {"PORT": 3000, "ON": true, "NOT": null}}}}`,
			map[string]expectation{"a": {command: []string{"a", "--port", "3000", "true"}, env: map[string]string{"PORT": "3000", "ON": "true"}}}},
		{"what is put in is not expanded again, and other dollars stay", "own.json", `{"mcpServers": {"a": {"command": "a", "args": ["${DOLLAR}", "$TOKEN", "$$", "${", "$5", "{env:TOKEN}", "100%"]}}}`,
			map[string]expectation{"a": {command: []string{"a", "${TOKEN}", "$TOKEN", "$$", "${", "$5", "{env:TOKEN}", "100%"}}}},
	} {
		if test.client == "Gemini CLI" {
			variables["b"] = "b"
		}
		c, err := Parse("/etc/clients/"+test.file, []byte(test.source), options())
		if err != nil {
			t.Errorf("%s: %v", test.client, err)
			continue
		}
		if len(c.Servers) != len(test.want) {
			t.Errorf("%s: got %d servers, want %d", test.client, len(c.Servers), len(test.want))
		}
		for _, s := range c.Servers {
			got, want := actual(s), test.want[s.Name]
			if len(s.Problems) > 0 || !got.equal(want) {
				t.Errorf("%s: %s\n got %+v\nwant %+v\n%v", test.client, s.Name, got, want, s.Err())
			}
			if len(s.Unread) > 0 {
				t.Errorf("%s: %s: not read: %q", test.client, s.Name, s.Unread)
			}
		}
	}
}

func TestOwnSettings(t *testing.T) {
	source := `{"mcpServers": {
		"a": {"command": "a", "codemode": {"namespace": "files.local", "description": "Files", "validate": "strict", "timeout": "90s", "connectTimeout": 7, "roots": ["sub dir", "file:///x", {"uri": "/y", "name": "Y"}],
			"inheritEnv": ["LANG"], "include": ["read_*"], "exclude": ["read_all"], "direct": true, "parseJSONText": true, "concurrency": 3, "protocol": "2025-11-25"},
			"includeTools": ["x"], "excludeTools": ["y"], "timeout": 3},
		"b": {"command": "b", "codemode": false, "someKey": 1},
		"c": {"command": "c", "codemode": {"inheritEnv": true}},
		"api": {"openapi": "./api.yaml", "url": "https://${HOST}/v1", "headers": {"X": "y"}, "credentials": {"bearerAuth": {"bearer": "${TOKEN}"}, "basic": {"user": "u", "password": "p"}, "k": {"apiKey": "k"}, "h": {"header": "X", "value": "v"}}}}}`
	c, err := Parse("/etc/own.json", []byte(source), options())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Servers {
		if !s.Usable() {
			t.Error(s.Err())
		}
	}
	a, b, api := c.Servers[0], c.Servers[1], c.Servers[3]
	if a.Namespace != "files.local" || a.Description != "Files" || a.Validate != client.Strict || a.Timeout != 90*time.Second || a.ConnectTimeout != 7*time.Second || !a.Direct || !a.ParseJSONText ||
		a.Concurrency != 3 || a.Protocol != "2025-11-25" || !slices.Equal(a.InheritEnv, []string{"LANG"}) || !slices.Equal(a.Include, []string{"read_*"}) {
		t.Errorf("got %+v", a)
	}
	if got := a.Exclude; len(got) != 2 || !slices.Contains(got, "read_all") || !slices.Contains(got, "y") {
		t.Errorf("exclude: %q", got)
	}
	if want := []client.Root{{URI: "file:///etc/sub%20dir"}, {URI: "file:///x"}, {URI: "file:///y", Name: "Y"}}; !slices.Equal(a.Roots, want) {
		t.Errorf("roots: %v", a.Roots)
	}
	if len(a.Unread) != 0 || !b.Direct || !slices.Equal(b.Unread, []string{"someKey"}) || !slices.Equal(c.Servers[2].InheritEnv, []string{"*"}) {
		t.Errorf("got %q, %v, %q", a.Unread, b.Direct, b.Unread)
	}
	if api.OpenAPI == nil || api.OpenAPI.File != filepath.FromSlash("/etc/api.yaml") || api.OpenAPI.BaseURL.Reveal() != "https://api.example.com/v1" || len(api.OpenAPI.Credentials) != 4 {
		t.Errorf("got %+v", api.OpenAPI)
	}
	if strings.Contains(api.Redactor.Redact("Bearer s3cr3t-token"), "s3cr3t") {
		t.Error("the credential is not known as a secret")
	}
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/gateway/config"
)

// weather is an MCP server over HTTP that wants a token.
func weather(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Arguments struct{ City string } }
		}
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case r.Header.Get("Authorization") != "Bearer sk-weather":
			http.Error(w, "who is "+r.Header.Get("Authorization")+"?", http.StatusUnauthorized)
			return
		case json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer := `"error": {"code": -32601, "message": "Method not found"}`
		switch m.Method {
		case "initialize":
			answer = `"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "weather", "version": "3"}}`
		case "tools/list":
			answer = `"result": {"tools": [{"name": "get-degrees", "description": "Degrees in a city", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}]}`
		case "tools/call":
			answer = fmt.Sprintf(`"result": {"content": [{"type": "text", "text": "%d degrees"}]}`, len(m.Params.Arguments.City))
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %s, %s}`, m.ID, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestCommandsOverServers(t *testing.T) {
	t.Setenv("WEATHER_TOKEN", "sk-weather")
	url := weather(t)
	good := written(t, "good.json", fmt.Sprintf(`{"mcpServers": {"weather": {"url": %q, "headers": {"Authorization": "Bearer ${WEATHER_TOKEN}"}}}}`, url))
	mixed := written(t, "mixed.json", fmt.Sprintf(`{"mcpServers": {
		"weather": {"type": "http", "url": %q, "headers": {"Authorization": "Bearer ${WEATHER_TOKEN}"}, "unknownKey": 1},
		"refused": {"type": "http", "url": %q, "headers": {"Authorization": "Bearer sk-wrong-token"}},
		"unset": {"command": "x", "env": {"K": "${CODEMODE_TEST_NOT_SET}"}},
		"off": {"command": "x", "disabled": true}}}`, url, url))
	broken := written(t, "broken.json", "{\n\"mcpServers\": {]}")
	for _, test := range []struct {
		args      []string
		code      int
		out, errs string // what they contain; "" is empty for out
	}{
		{args: []string{"run", "--config", good, "-e", `return await tools.weather["get-degrees"]({city: "Rome"})`}, out: "\"4 degrees\"\n"},
		{args: []string{"run", "-c", mixed, "-e", `return Object.keys(tools)`}, out: "[\n  \"weather\"\n]\n", errs: `mixed.json:4: server "unset": env.K: the variable CODEMODE_TEST_NOT_SET is not set`},
		{args: []string{"run", "-c", mixed, "-e", `return 1`}, out: "1\n", errs: `mixed.json:3: server "refused": `},
		{args: []string{"search", "-c", good, "degrees"}, out: `tools.weather["get-degrees"](input: { city: string })`},
		{args: []string{"catalog", "-c", good}, out: "COMPLETE: 1 of 1 tools"},
		{args: []string{"catalog", "--tokens", "-c", good}, out: "weather"},
		{args: []string{"types", "-c", good, "weather"}, out: `"get-degrees"(input: {`},
		{args: []string{"instructions", "-c", good}, out: `tools.weather["get-degrees"]`},
		{args: []string{"doctor", "-c", good}, out: "streamable-http  2025-11-25 (session)  1"},
		{args: []string{"doctor", "-c", mixed, "-v"}, code: 1, out: "unknownKey"},
		{args: []string{"doctor", "-c", mixed}, code: 1, out: "env.K: the variable CODEMODE_TEST_NOT_SET is not set"},
		{args: []string{"doctor"}, code: 2, errs: "no servers: name a file by --config"},
		{args: []string{"doctor", "-c", broken}, code: 2, errs: "broken.json:2: "},
		{args: []string{"run", "-c", broken, "-e", "1"}, code: 2, errs: "broken.json:2: "},
		{args: []string{"run", "-c", "/nonexistent.json", "-e", "1"}, code: 2, errs: "/nonexistent.json: no such file"},
		{args: []string{"run", "--from", "emacs", "-e", "1"}, code: 2, errs: "--from: got \"emacs\", want one of claude"},
		{args: []string{"search", "-c", good, "x", "--catalog", good}, code: 2, errs: "give either --catalog, or --config and --from"},
	} {
		code, out, errs := invoke(t, context.Background(), "", test.args...)
		if code != test.code || !strings.Contains(out, test.out) || test.out == "" && out != "" || !strings.Contains(errs, test.errs) || strings.Contains(out+errs, "sk-") {
			t.Errorf("%q: code %d, want %d\n%.1500s\n%s", test.args, code, test.code, out, errs)
		}
	}
}

func TestDoctorAsJSON(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	url := weather(t)
	if err := os.WriteFile(".mcp.json", fmt.Appendf(nil, `{"mcpServers": {"weather": {"url": %q, "headers": {"Authorization": "Bearer sk-weather"}}, "refused": {"url": %q}}}`, url, url), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := invoke(t, context.Background(), "", "doctor", "--json", "--from", "claude")
	var r struct {
		OK      bool
		Servers []struct {
			Name, Place, State, Transport, Protocol, Era, Server string
			Reachable                                            bool
			Tools, RawTokens                                     int
			Problems                                             []string
		}
		Tools, RawTokens, GivenTokens int
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 1 || errs != "" || len(r.Servers) != 2 {
		t.Fatal(err, code, out, errs)
	}
	a, b := r.Servers[0], r.Servers[1]
	if r.OK || a.Name != "weather" || filepath.Base(a.Place) != ".mcp.json:1" || a.State != "connected" || a.Transport != "streamable-http" || a.Protocol != "2025-11-25" || a.Era != "session" ||
		a.Server != "weather 3" || !a.Reachable || a.Tools != 1 || a.RawTokens != r.RawTokens || b.Reachable || b.State != "failed" || len(b.Problems) != 1 || r.GivenTokens < 100 {
		t.Errorf("got %s", out)
	}
}

// Whoever sits at the terminal is asked for inputs.
func TestInputsAreAskedFor(t *testing.T) {
	url := weather(t)
	file := written(t, "mcp.json", fmt.Sprintf(`{"inputs": [{"id": "token", "type": "promptString", "password": true}], "servers": {"weather": {"url": %q, "headers": {"Authorization": "Bearer ${input:token}"}}}}`, url))
	var out, errs strings.Builder
	s := streams{in: strings.NewReader(""), out: &out, err: &errs, prompt: func(i config.Input) (string, error) {
		if i.ID != "token" || !i.Password {
			return "", errors.New("unexpected")
		}
		return "sk-weather", nil
	}}
	if code := execute(t.Context(), []string{"run", "-c", file, "-e", "return Object.keys(tools)[0]"}, s); code != 0 || out.String() != "\"weather\"\n" {
		t.Error(code, out.String(), errs.String())
	}
}

// Waiting for servers can be interrupted.
func TestConnectingIsInterrupted(t *testing.T) {
	asked := make(chan struct{}, 10)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only then the end of the connection is seen
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer s.Close()
	file := written(t, "slow.json", fmt.Sprintf(`{"mcpServers": {"slow": {"url": %q}}}`, s.URL))
	for _, args := range [][]string{{"run", "-c", file, "-e", "1"}, {"doctor", "-c", file}} {
		ctx, interrupt := context.WithCancel(t.Context())
		go func() {
			<-asked
			interrupt()
		}()
		if code, out, errs := invoke(t, ctx, "", args...); code != 130 || errs != "interrupted\n" || out != "" {
			t.Error(args, code, out, errs)
		}
	}
}

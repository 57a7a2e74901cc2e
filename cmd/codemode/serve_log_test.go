package main

// This file defines tests of what serve writes for people.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// oddities is an MCP server whose names may be confused, and whose results say two things.
func oddities(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer := `"error": {"code": -32601, "message": "Method not found"}`
		switch m.Method {
		case "initialize":
			answer = `"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "odd", "version": "3"}}`
		case "tools/list":
			answer = `"result": {"tools": [{"name": "get-it", "inputSchema": {"type": "object"}}, {"name": "get_it", "inputSchema": {"type": "object"}}, {"name": "get_it", "inputSchema": {"type": "object"}}, {"name": "wipe", "inputSchema": {"type": "object"}}]}`
		case "tools/call":
			answer = `"result": {"content": [{"type": "text", "text": "it said this beside"}], "structuredContent": {"a": 1}}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %s, %s}`, m.ID, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// What may surprise about the tools is said when the servers have connected, and what a program does not get with --verbose.
func TestWhatServeSays(t *testing.T) {
	file := written(t, "odd.json", fmt.Sprintf(`{"mcpServers": {"odd": {"url": %q, "excludeTool": ["wipe"], "codemode": {"exclude": ["wipe"]}}, "wrong": {"command": "x", "codemode": {"exclde": ["wipe"]}}}}`, oddities(t)))
	frames := strings.Join([]string{helloFrame, listFrame, strings.Replace(strings.Replace(callFrame, "run_it", "execute", 1), "(await tools.repos.list()).length", "tools.odd.get_it({})", 1)}, "\n") + "\n"
	for flag, want := range map[string]map[string]bool{
		"-q": {`server \"wrong\": codemode.exclde: there is no such key; did you mean exclude?`: true, `server \"odd\": excludeTool: means nothing here; did you mean excludeTools?`: true,
			"a tool is left out: get_it: the list has it twice": true, "nearly that of": false, "it said this beside": false, "wipe: ": false, `tool=""`: false},
		"--search": {"get_it: the name is nearly that of get-it": true, "it said this beside": false, "excludeTool: means": true, `tool=""`: false},
		"-v":       {"it said this beside": true, "get_it: the name is nearly that of get-it": true, `tool=""`: false},
	} {
		code, out, errs := invoke(t, context.Background(), frames, "serve", "-c", file, flag)
		if got := replies(t, out); code != 0 || got[2] == nil || got[3] == nil {
			t.Errorf("%s: code %d\n%s\n%s", flag, code, out, errs)
		}
		for text, there := range want {
			if strings.Contains(errs, text) != there {
				t.Errorf("%s: %q is there: %v\n%s", flag, text, !there, errs)
			}
		}
	}
	_, out, _ := invoke(t, context.Background(), "", "doctor", "-c", file)
	for _, want := range []string{`server "odd": excludeTool: means nothing here; did you mean excludeTools?`, `server "wrong": codemode.exclde: there is no such key; did you mean exclude?`} {
		if strings.Count(out, want) != 1 {
			t.Errorf("doctor: want once %q\n%s", want, out)
		}
	}
	_, _, errs := invoke(t, context.Background(), "", "run", "-c", file, "-e", "1")
	if !strings.Contains(errs, "codemode: warning: "+file+`:1: server "odd": excludeTool: means nothing here`) {
		t.Error(errs)
	}
}

// Direct tools that had one name are said when all servers are there.
func TestServeSaysClashes(t *testing.T) {
	url := oddities(t)
	file := written(t, "two.json", fmt.Sprintf(`{"mcpServers": {"a.b": {"url": %q, "codemode": {"direct": true, "include": ["wipe"]}}, "a_b": {"url": %[1]q, "codemode": {"direct": true, "include": ["wipe"]}}}}`, url))
	_, _, errs := invoke(t, context.Background(), helloFrame+"\n"+listFrame+"\n", "serve", "-c", file)
	if n := strings.Count(errs, "two tools had one name"); n != 2 || !strings.Contains(errs, "would be a_b_wipe and is") {
		t.Errorf("%d times: %s", n, errs)
	}
}

// The model is told of a server that is not connected.
func TestModelIsToldOfAbsentServers(t *testing.T) {
	file := written(t, "dead.json", fmt.Sprintf(`{"mcpServers": {"odd": {"url": %q}, "dead": {"command": "codemode-test-no-such-program", "env": {"K": "sk-0123456789"}}}}`, oddities(t)))
	call := strings.Replace(strings.Replace(callFrame, "run_it", "execute", 1), "(await tools.repos.list()).length", "tools.dead.x({})", 1)
	_, out, errs := invoke(t, context.Background(), helloFrame+"\n"+call+"\n", "serve", "-c", file)
	if got := string(replies(t, out)[3]); !strings.Contains(got, "Note: the server dead is configured but not connected, so that its tools are not there") || strings.Contains(got, "no-such-program") || strings.Contains(got+errs, "sk-01") {
		t.Errorf("got %s\n%s\n%s", got, out, errs)
	}
}

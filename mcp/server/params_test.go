package server_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/mcp/server"
)

// Parameters of a wrong form are refused with -32602, as JSON-RPC 2.0 §5.1 has it, and in words of the protocol.
func TestParamsOfAWrongForm(t *testing.T) {
	cases := []struct{ method, params, want string }{
		{"initialize", `5`, "params: expected object, got number"},
		{"initialize", `{"protocolVersion":"2025-11-25","clientInfo":[],"capabilities":{}}`, "params.clientInfo: expected object, got array"},
		{"tools/call", `[]`, "params: expected object, got array"},
		{"tools/call", `{"name":5}`, "params.name: expected string, got number"},
		{"tools/call", `{"name":"execute","arguments":{"code":"1"},"_meta":true}`, "params._meta: expected object, got boolean"},
		{"tools/call", `{"name":"execute","arguments":{"code":"1"},"inputResponses":[]}`, "params.inputResponses: expected object, got array"},
		{"tools/call", `{"name":"execute","arguments":{"code":"1"},"requestState":{}}`, "params.requestState: expected string, got object"},
		{"tools/call", `{"name":"execute","inputResponses":{"x":5}}`, "params.inputResponses.x: expected object, got number"},
		{"tools/call", `{"name":"execute","inputResponses":{"x":null}}`, "params.inputResponses.x: expected object, got null"},
		{"tools/call", `{"name":"execute","inputResponses":{"a":{"action":"accept"},"x":{}}}`, "params.inputResponses.x.action: required"},
		{"tools/call", `{"name":"execute","inputResponses":{"x":{"action":5}}}`, "params.inputResponses.x.action: expected string, got number"},
		{"tools/call", `{"name":"execute","inputResponses":{"x":{"action":"accept","content":[]}}}`, "params.inputResponses.x.content: expected object, got array"},
		{"tools/list", `{"cursor":5}`, "params.cursor: expected string, got number"},
		{"resources/read", `{"uri":{}}`, "params.uri: expected string, got object"},
		{"ping", `"x"`, "params: expected object, got string"},
	}
	requests := make([]string, len(cases))
	for i, c := range cases {
		id, _ := json.Marshal(c.want)
		requests[i] = `{"jsonrpc":"2.0","id":` + string(id) + `,"method":"` + c.method + `","params":` + c.params + `}`
	}
	answered := 0
	check := func(frame map[string]any) {
		t.Helper()
		want, ok := frame["id"].(string)
		failure, failed := frame["error"].(map[string]any)
		if !ok { // that of the handshake
			return
		}
		answered++
		if !failed || failure["code"] != -32602.0 || failure["message"] != want {
			t.Errorf("got %v, want %s", frame, want)
		}
	}
	for _, frame := range lines(t, hello+strings.Join(requests, "\n")+"\n", 3*time.Second) {
		check(frame)
	}
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	url := f.web(server.HTTPOptions{Stateless: true})
	for _, r := range requests {
		status, text := post(t, url, r, nil)
		var frame map[string]any
		if err := json.Unmarshal([]byte(text), &frame); err != nil || status != 200 {
			t.Errorf("%s: %d %s", r, status, text)
		}
		check(frame)
	}
	if answered != 2*len(cases) {
		t.Errorf("%d answers to %d requests", answered, 2*len(cases))
	}
}

// What comes without a session, where there are some, is told so with 400 (2025-11-25, transports, session management 4), and a
// session that has not begun answers with a code of JSON-RPC's.
func TestBeforeASession(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	url := f.web(server.HTTPOptions{})
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`:                                            `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"there is no session: send initialize first`,
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"execute","arguments":{}}}`: `{"jsonrpc":"2.0","id":8,"error":{"code":-32600,"message":"there is no session: `,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                    `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"there is no session: `,
		`{"jsonrpc":`: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is no JSON"}}`,
	} {
		if status, text := post(t, url, body, nil); status != 400 || !strings.HasPrefix(text, want) {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	frames := lines(t, `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`+"\n", 3*time.Second)
	if len(frames) != 1 || toJSON(frames[0]) != `{"error":{"code":-32600,"message":"the session has not begun: send initialize first"},"id":7,"jsonrpc":"2.0"}` {
		t.Errorf("%v", frames)
	}
}

// What comes in the wrong order, and what is cancelled, is answered with a code, and in no words of Go.
func TestCodesOfRefusals(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	begin := strings.SplitN(hello, "\n", 2)[0]
	r := newRaw(t, f)
	r.send(begin)
	r.receive()
	r.send(strings.Replace(begin, `"id":1`, `"id":2`, 1))
	const again = `{"error":{"code":-32600,"message":"the session has begun already: initialize is sent once"},"id":2,"jsonrpc":"2.0"}`
	if got := toJSON(r.receive()); got != again {
		t.Errorf("got %s", got)
	}
	r.send(begun)
	r.send(strings.TrimSpace(executing(3, `await tools.hang({ to: "x" })`)))
	eventually(t, "it runs", func() bool { return f.counted("x") == 1 })
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	if got := toJSON(r.receive()); got != `{"error":{"code":-32000,"message":"the request was cancelled"},"id":3,"jsonrpc":"2.0"}` {
		t.Errorf("got %s", got)
	}
	url := f.web(server.HTTPOptions{})
	id := sessionID(t, url, begin)
	if _, text := post(t, url, strings.Replace(begin, `"id":1`, `"id":2`, 1), map[string]string{"Mcp-Session-Id": id}); !strings.Contains(text, `"code":-32600,"message":"the session has begun already: initialize is sent once"`) {
		t.Errorf("got %s", text)
	}
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// numbered is an MCP server over HTTP with one tool, which answers its first request when the gate opens.
func numbered(t *testing.T, number int, gate <-chan struct{}) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		select {
		case <-gate:
		case <-r.Context().Done():
			return
		}
		answer := `"error": {"code": -32601, "message": "Method not found"}`
		switch m.Method {
		case "initialize":
			answer = `"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "n", "version": "1"}}`
		case "tools/list":
			answer = `"result": {"tools": [{"name": "number", "description": "Its number", "inputSchema": {"type": "object"}}]}`
		case "tools/call":
			answer = fmt.Sprintf(`"result": {"content": [{"type": "text", "text": "%d"}]}`, number)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %s, %s}`, m.ID, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Of ten servers five connect at once. The gateway answers with those while the others still connect, tells the client when
// there are more tools, and then has all ten.
func TestServeTenServersAsTheyConnect(t *testing.T) {
	open, late := make(chan struct{}), make(chan struct{})
	close(open)
	var entries []string
	for i := range 10 {
		gate := open
		if i%2 == 1 {
			gate = late
		}
		entries = append(entries, fmt.Sprintf(`"s%d": {"url": %q}`, i, numbered(t, i, gate)))
	}
	file := written(t, "ten.json", `{"mcpServers": {`+strings.Join(entries, ", ")+`}}`)
	in, input := io.Pipe()
	var out, errs said
	done := make(chan int, 1)
	go func() {
		done <- execute(context.Background(), []string{"serve", "--config", file, "--wait", "0"}, streams{in: in, out: &out, err: &errs})
	}()
	say := func(frame string) { fmt.Fprintln(input, frame) }
	await := func(pattern string) string {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
			if found := out.find(pattern); found != "" {
				return found
			}
		}
		t.Fatalf("no %s in %s\n%s", pattern, out.find(`(?s)(.*)`), errs.find(`(?s)(.*)`))
		return ""
	}
	const program = `return (await Promise.all(Object.keys(tools).sort().map((n) => tools[n].number({})))).join('+')`
	call := func(id int) string {
		say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"execute","arguments":{"code":%q}}}`, id, program))
		return await(fmt.Sprintf(`"id":%d,[^\n]*?"(?:text|message)":"([^"]*)`, id))
	}
	say(helloFrame)
	await(`("protocolVersion")`)
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	got, id := "", 10
	for deadline := time.Now().Add(time.Minute); got != "0+2+4+6+8" && time.Now().Before(deadline); id++ {
		got = call(id) // the first may come before a server has connected
	}
	if got != "0+2+4+6+8" {
		t.Errorf("with five servers: %s", got)
	}
	close(late)
	await(`("notifications/tools/list_changed")`)
	for deadline := time.Now().Add(time.Minute); got != "0+1+2+3+4+5+6+7+8+9" && time.Now().Before(deadline); id++ {
		got = call(id)
	}
	if got != "0+1+2+3+4+5+6+7+8+9" {
		t.Errorf("with ten servers: %s", got)
	}
	input.Close()
	select {
	case code := <-done:
		if code != 0 {
			t.Errorf("code %d: %s", code, errs.find(`(?s)(.*)`))
		}
	case <-time.After(30 * time.Second):
		t.Error("it does not end")
	}
	replies(t, out.find(`(?s)(.*)`))
}

// Who starts the gateway reads on standard error which servers there are, and why others are not, without secrets.
func TestServeSaysHowItsServersDo(t *testing.T) {
	open := make(chan struct{})
	close(open)
	t.Setenv("CODEMODE_TEST_KEY", "sk-secret-key")
	file := written(t, "mixed.json", fmt.Sprintf(`{"mcpServers": {
		"good": {"url": %q, "headers": {"X": "${CODEMODE_TEST_KEY}"}},
		"unset": {"command": "x", "env": {"K": "${CODEMODE_TEST_NOT_SET}"}},
		"dead": {"command": "/nonexistent/x", "args": ["${CODEMODE_TEST_KEY}"]},
		"off": {"command": "y", "disabled": true},
		"self": {"command": %q, "args": ["serve"]}}}`, numbered(t, 1, open), os.Args[0]))
	in, input := io.Pipe()
	var out, errs said
	done := make(chan int, 1)
	go func() {
		done <- execute(context.Background(), []string{"serve", "--config", file}, streams{in: in, out: &out, err: &errs})
	}()
	for _, want := range []string{
		`level=WARN msg="[^"\n]*mixed.json:3: server \\"unset\\": env.K: the variable CODEMODE_TEST_NOT_SET is not set`,
		`level=INFO msg="not used: it is disabled in its file" server=off`, `level=INFO msg="not used: it starts this gateway itself" server=self`,
		`level=INFO msg=connected server=good tools=1`, `level=WARN msg="[^"\n]*mixed.json:4: server \\"dead\\": `,
	} {
		for deadline := time.Now().Add(time.Minute); errs.find("("+want+")") == "" && time.Now().Before(deadline); {
			time.Sleep(2 * time.Millisecond)
		}
		if errs.find("("+want+")") == "" {
			t.Errorf("no %s in\n%s", want, errs.find(`(?s)(.*)`))
		}
	}
	input.Close()
	if code := <-done; code != 0 || strings.Contains(errs.find(`(?s)(.*)`), "sk-secret") {
		t.Errorf("code %d\n%s", code, errs.find(`(?s)(.*)`))
	}
}

// One server that never answers holds nobody up for longer than he wants to wait, and what there is to say of the others is
// said at once.
func TestServersThatHang(t *testing.T) {
	open := make(chan struct{})
	close(open)
	never := make(chan struct{})
	defer close(never)
	file := written(t, "hang.json", fmt.Sprintf(`{"mcpServers": {"good": {"url": %q}, "stuck": {"url": %q}, "dead": {"command": "/nonexistent/x"}}}`, numbered(t, 1, open), numbered(t, 2, never)))
	for _, args := range [][]string{
		{"run", "-e", "return Object.keys(tools)"}, {"search", "number"}, {"catalog"}, {"types"}, {"instructions"},
	} {
		code, out, errs := invoke(t, context.Background(), "", append(args, "--config", file, "--wait", "2s")...)
		if code != 0 || !strings.Contains(out, "good") || strings.Contains(out, "stuck") || !strings.Contains(errs, `hang.json:1: server "stuck": still connecting after 2s`) || !strings.Contains(errs, `server "dead": `) {
			t.Errorf("%v: code %d\n%s\n%s", args, code, out, errs)
		}
	}
	if code, _, errs := invoke(t, context.Background(), "", "run", "-e", "1", "--config", file, "--wait=-1s"); code != 2 || !strings.Contains(errs, "--wait: got -1s, want 0 or more") {
		t.Errorf("code %d: %s", code, errs)
	}
	in, input := io.Pipe()
	var out, errs said
	done := make(chan int, 1)
	go func() {
		done <- execute(context.Background(), []string{"serve", "--config", file}, streams{in: in, out: &out, err: &errs})
	}()
	for _, want := range []string{`level=INFO msg=connected server=good`, `level=WARN msg="[^"\n]*server \\"dead\\": `} {
		for deadline := time.Now().Add(30 * time.Second); errs.find("("+want+")") == "" && time.Now().Before(deadline); { // the stuck one has 60 s
			time.Sleep(2 * time.Millisecond)
		}
		if errs.find("("+want+")") == "" {
			t.Errorf("no %s in\n%s", want, errs.find(`(?s)(.*)`))
		}
	}
	input.Close()
	<-done
}

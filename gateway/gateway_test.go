package gateway

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/tool"
)

// awaitChange waits until what is asked for holds, looking after each change of the registry.
func awaitChange(t *testing.T, g *Gateway, holds func() bool) {
	t.Helper()
	changes := make(chan struct{}, 1)
	stop := g.Registry().OnChange(func(uint64) {
		select {
		case changes <- struct{}{}:
		default:
		}
	})
	defer stop()
	ctx := within(t)
	for !holds() {
		select {
		case <-changes:
		case <-ctx.Done():
			t.Fatal("the tools did not come")
		}
	}
}

// tools is a filter for the tool at a path.
func tools(path string) func(tool.Entry) bool {
	return func(e tool.Entry) bool { return strings.Join(e.Path, ".") == path }
}

func (g *Gateway) has(path string) bool {
	s, err := g.registry.Snapshot(registry.Step{})
	if err != nil || s.View() == nil {
		return false
	}
	return slices.ContainsFunc(s.View().Tools().All(), tools(path))
}

// Each server costs itself alone, and those that are there answer while others still connect.
func TestServersComeAsTheyConnect(t *testing.T) {
	gate, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Close()
	g := opened(t, parsed(t,
		"slow", entry("gated", fmt.Sprintf(`"GATE": %q`, gate.Addr())),
		"fast", entry("plain"), "crash", entry("crash", `"SECRET": "sk-0123456789"`), "unset", entry("plain", `"X": "${CODEMODE_TEST_NOT_SET}"`),
		"missing", `{"command": "codemode-test-no-such-program"}`, "off", `{"command": "x", "disabled": true}`, "$codemode", entry("plain"),
		"nowhere", `{"url": "http://127.0.0.1:1/?key=sk-0123456789"}`))
	blocked, err := gate.Accept()
	if err != nil {
		t.Fatal(err)
	}
	awaitChange(t, g, func() bool { return g.has("fast.echo") })
	if got := run(t, g, `return await tools.fast.echo({text: "hi"})`); got != "echo hi" {
		t.Errorf("got %s", got)
	}
	if got := statusOf(t, g, "slow").State; got != client.Connecting {
		t.Errorf("slow: got %s", got)
	}
	select {
	case <-g.Ready():
		t.Error("it is ready while one still connects")
	default:
	}
	blocked.Close()
	waited(t, g)
	for name, want := range map[string][]string{
		"slow": {"connected", ""}, "fast": {"connected", ""}, "crash": {"failed", "cannot log in with [hidden]"},
		"unset": {"failed", `servers.json:4: server "unset": env.X: the variable CODEMODE_TEST_NOT_SET is not set`}, "missing": {"failed", "codemode-test-no-such-program"},
		"off": {"disabled", "disabled in its file"}, "$codemode": {"failed", "$codemode"}, "nowhere": {"failed", "?key=[hidden]"},
	} {
		s := statusOf(t, g, name)
		if string(s.State) != want[0] || !strings.Contains(s.Error, want[1]) || strings.Contains(fmt.Sprint(s), "sk-01") {
			t.Errorf("%s: got %s: %s; want %q", name, s.State, s.Error, want)
		}
	}
	if got := run(t, g, `return await Promise.all([tools.fast.echo({text: "a"}), tools.slow.echo({text: "b"})])`); !strings.Contains(got, "echo a") || !strings.Contains(got, "echo b") {
		t.Errorf("got %s", got)
	}
}

// What a server lists anew is there for the next program, and one that died is started again.
func TestServersChangeAndDie(t *testing.T) {
	g := opened(t, parsed(t, "a", entry("plain"), "b", entry("plain")))
	waited(t, g)
	if got := run(t, g, `return await tools.a.grow({text: "x"})`); got != "grow x" {
		t.Fatal(got)
	}
	awaitChange(t, g, func() bool { return g.has("a.grown") })
	if got := run(t, g, `return await tools.a.grown({text: "y"})`); got != "grown y" {
		t.Error(got)
	}
	before := run(t, g, `return await tools.b.pid({})`)
	if got := run(t, g, `await tools.b.die({})`); !strings.Contains(got, "ToolFailure") {
		t.Error(got)
	}
	if after := run(t, g, `return await tools.b.pid({})`); after == before || strings.Contains(after, "Failure") {
		t.Errorf("got %s, before %s", after, before)
	}
}

// Ten servers connect at once and end in time, whether they want to or not.
func TestTenServers(t *testing.T) {
	var entries []string
	for i := range 10 {
		how := "plain"
		if i == 7 {
			how = "stubborn"
		}
		entries = append(entries, fmt.Sprint("s", i), entry(how))
	}
	g, err := Open(t.Context(), parsed(t, entries...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	waited(t, g)
	got := run(t, g, `return (await Promise.all(Object.keys(tools).map((n) => tools[n].pid({})))).join(" ")`)
	pids := strings.Fields(got)
	if len(pids) != 10 {
		t.Fatal(got)
	}
	closed(t, g)
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(got)
		}
		if p, err := os.FindProcess(pid); err == nil && alive(p) {
			t.Errorf("process %d is still there", pid)
		}
	}
	if g.has("s0.echo") {
		t.Error("the tools of a closed gateway are there")
	}
	closed(t, g)
}

// A gateway whose servers never answer ends in time as well.
func TestClosingWhileConnecting(t *testing.T) {
	g, err := Open(t.Context(), parsed(t, "a", entry("mute"), "b", entry("mute")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	closed(t, g)
	select {
	case <-g.Ready():
	case <-time.After(10 * time.Second):
		t.Error("those who wait are not told")
	}
}

const petstore = `{"openapi": "3.0.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "http://example.invalid"}],
	"components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}}, "security": [{"key": []}],
	"paths": {"/pets/{id}": {"get": {"operationId": "pets.get", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}], "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {}}}}}},
		"delete": {"operationId": "pets.delete", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}], "responses": {"204": {"description": "gone"}}}}}}`

// An OpenAPI document stands beside servers.
func TestDocuments(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"path": %q, "right": %v, "extra": %q}`, r.URL.Path, r.Header.Get("Authorization") == "Bearer sk-0123456789", r.Header.Get("X-Extra"))
	}))
	defer api.Close()
	document := filepath.Join(t.TempDir(), "pets.json")
	if err := os.WriteFile(document, []byte(petstore), 0o600); err != nil {
		t.Fatal(err)
	}
	pets := fmt.Sprintf(`{"openapi": %q, "url": %q, "headers": {"X-Extra": "e"}, "credentials": {"key": {"bearer": "sk-0123456789"}}, "exclude": ["*.delete"]}`, document, api.URL)
	g := opened(t, parsed(t, "pets", pets, "a", entry("plain"), "lost", `{"openapi": "lost.json"}`, "bad", fmt.Sprintf(`{"openapi": %q}`, os.Args[0])))
	waited(t, g)
	got := run(t, g, `return JSON.stringify([await tools.pets.pets.get({id: "7"}), Object.keys(tools.pets.pets), Object.keys(tools)])`)
	if got != `[{"path":"/pets/7","right":true,"extra":"e"},["get"],["a","pets"]]` {
		t.Errorf("got %s", got)
	}
	s := statusOf(t, g, "pets")
	if s.State != client.Connected || s.Transport != "openapi" || s.Tools != 1 {
		t.Errorf("got %+v", s)
	}
	if s := statusOf(t, g, "lost"); s.State != client.Failed || !strings.Contains(s.Error, `servers.json:3: server "lost": openapi: `) || !strings.Contains(s.Error, "lost.json: no such file or directory") {
		t.Errorf("got %+v", s)
	}
	if s := statusOf(t, g, "bad"); s.State != client.Failed || s.Error == "" {
		t.Errorf("got %+v", s)
	}
}

// What an entry says of its document reaches the requests: all that openapi.Options has and a file can say.
func TestDocumentOptions(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Link", "next")
		fmt.Fprintf(w, `{"at": %q, "body": %q, "auth": %v, "extra": %q, "plain": %q}`, r.RequestURI, body, r.Header.Get("Authorization") == "Bearer sk-undeclared", r.Header.Get("X-Extra"), r.Header.Get("X-Plain"))
	}))
	defer api.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{"api.json": `{"openapi": "3.1.0", "servers": [{"url": "http://{host}"}], "paths": {
		"/up": {"post": {"operationId": "up", "tags": ["files"], "requestBody": {"required": true, "content": {"text/plain": {}, "application/octet-stream": {}}}}},
		"/org/{org}": {"get": {"operationId": "org", "parameters": [{"name": "org", "in": "path", "required": true, "schema": {}}, {"name": "f", "in": "query", "style": "deepObject", "schema": {"type": "array"}}, {"name": "n", "in": "query", "schema": {}}]}},
		"/more": {"$ref": "more.json#/item"}}}`, "more.json": `{"item": {"get": {"operationId": "more"}}}`, "a.txt": "alpha"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("EXTRA", "an-extra-secret")
	t.Setenv("ORG", "a-secret-org")
	entry := fmt.Sprintf(`{"headers": {"X-Extra": "${EXTRA}", "X-Plain": "2022-06-28"}, "openapi": {"file": %q, "files": %q, "variables": {"host": %q}, "refs": true,
		"fixed": {"path": {"org": "${ORG}"}, "query": {"n": 7}}, "undeclared": {"bearer": "sk-undeclared"}, "tagNamespaces": true, "maxResponse": 4096, "retry": 2,
		"responseHeaders": ["Link"], "mediaType": "application/octet-stream", "deepObjects": "indexed"}}`, filepath.Join(dir, "api.json"), dir, strings.TrimPrefix(api.URL, "http://"))
	g := opened(t, parsed(t, "api", entry, "closed", fmt.Sprintf(`{"openapi": %q, "baseUrl": "http://x.invalid"}`, filepath.Join(dir, "api.json")),
		"wrong", fmt.Sprintf(`{"headers": {"Host": "x"}, "openapi": {"file": %q, "origins": ["ftp://x"]}}`, filepath.Join(dir, "api.json")),
		"lost", fmt.Sprintf(`{"openapi": {"file": %q, "files": %q}}`, filepath.Join(dir, "api.json"), filepath.Join(dir, "none"))))
	waited(t, g)
	got := run(t, g, `return JSON.stringify([await tools.api.org({f: [1]}), await tools.api.files.up({body: "a.txt"}), "more" in tools.api, "more" in tools.closed])`)
	want := `[{"body":{"at":"/org/[secret]?f[0]=1&n=7","body":"","auth":true,"extra":"[secret]","plain":"2022-06-28"},"headers":{"link":"next"}},` +
		`{"body":{"at":"/up","body":"alpha","auth":true,"extra":"[secret]","plain":"2022-06-28"},"headers":{"link":"next"}},true,false]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	closed := statusOf(t, g, "closed")
	if text := fmt.Sprint(closed.LeftOut); !strings.Contains(text, "references to files are not allowed here; set openapi.refs") || len(closed.Skipped) == 0 {
		t.Errorf("got %s", text)
	}
	wrong := statusOf(t, g, "wrong")
	if wrong.State != client.Failed || !strings.Contains(wrong.Error, `: server "wrong": openapi.origins: want an http`) || !strings.Contains(wrong.Error, `: server "wrong": headers: the header Host`) {
		t.Errorf("got %+v", wrong)
	}
	if lost := statusOf(t, g, "lost"); lost.State != client.Failed || !strings.Contains(lost.Error, "openapi.files: there is no folder") {
		t.Errorf("got %+v", lost)
	}
}

// The tools of a direct server are given to the model and not to programs.
func TestDirect(t *testing.T) {
	direct := strings.TrimSuffix(entry("plain"), "}") + `, "codemode": false}`
	g := opened(t, parsed(t, "up", direct, "down", entry("plain")))
	waited(t, g)
	s, err := g.Registry().Snapshot(registry.Step{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Call(within(t), "1", "up_echo", data.NewObject([]data.Member{{Key: "text", Value: data.String("hi")}}))
	if err != nil || out.Text != "echo hi" {
		t.Errorf("got %v, %v", out, err)
	}
	if got := run(t, g, `return Object.keys(tools).join()`); got != "down" || len(g.Tree()) != 1 {
		t.Errorf("got %s, %v", got, g.Tree())
	}
	var names []string
	for _, given := range s.Tools() {
		names = append(names, given.Name)
	}
	if fmt.Sprint(names) != "[up_die up_echo up_env up_grow up_pid execute]" {
		t.Errorf("got %v", names)
	}
}

// A gateway that was started by itself, through whatever wrapper, does not start.
func TestStartedByItself(t *testing.T) {
	c := parsed(t, "a", entry("plain"))
	g := opened(t, c)
	waited(t, g)
	mark := run(t, g, `return await tools.a.env({text: "CODEMODE_GATEWAY"})`)
	t.Setenv("CODEMODE_GATEWAY", "0000,"+mark)
	if _, err := Open(t.Context(), c, Options{}); err == nil || !strings.Contains(err.Error(), "started as a server of the very configuration") {
		t.Errorf("got %v", err)
	}
	other := opened(t, parsed(t, "a", entry("plain")))
	waited(t, other)
	if got := run(t, other, `return await tools.a.env({text: "CODEMODE_GATEWAY"})`); !strings.HasPrefix(got, "0000,"+mark+",") {
		t.Errorf("got %s", got)
	}
}

// A server that could not be reached is tried again when the host wants it.
func TestRetry(t *testing.T) {
	file := filepath.Join(t.TempDir(), "late.json")
	g := opened(t, parsed(t, "late", fmt.Sprintf(`{"openapi": %q}`, file), "crash", entry("crash", `"SECRET": "sk-0123456789"`), "off", `{"command": "x", "enabled": false}`, "bad", `{}`))
	waited(t, g)
	if err := g.Retry(within(t), "late"); err == nil {
		t.Error("want an error")
	}
	if err := os.WriteFile(file, []byte(petstore), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := g.Retry(within(t), "late"); err != nil || !g.has("late.pets.get") || statusOf(t, g, "late").Error != "" {
		t.Error(err, statusOf(t, g, "late"))
	}
	for name, want := range map[string]string{"crash": "[hidden]", "off": "not enabled", "bad": "neither a command", "none": "no server"} {
		if err := g.Retry(within(t), name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sk-01") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestReport(t *testing.T) {
	direct := strings.TrimSuffix(entry("plain"), "}") + `, "codemode": {"direct": true, "namespace": "a.b"}, "unknownKey": 1}`
	other := strings.TrimSuffix(entry("plain"), "}") + `, "codemode": {"direct": true, "namespace": "a_b"}}`
	g := opened(t, parsed(t, "odd", entry("odd"), "one", direct, "two", other, "crash", entry("crash", `"SECRET": "sk-0123456789"`), "off", `{"command": "x", "enabled": false}`))
	waited(t, g)
	r, err := g.Report()
	if err != nil {
		t.Fatal(err)
	}
	odd, one, crash := r.Servers[0], r.Servers[1], r.Servers[3]
	if r.OK || !odd.Reachable || odd.Transport != "stdio" || odd.Protocol != "2025-11-25" || odd.Era != "session" || odd.Server != "pretender 7" || odd.Tools != 6 || odd.RawTokens < 100 {
		t.Errorf("got %+v", odd)
	}
	if len(odd.LeftOut) != 1 || !strings.Contains(fmt.Sprint(odd.Schemas), "wrong") {
		t.Errorf("got %q, %q", odd.LeftOut, odd.Schemas)
	}
	if !one.Direct || !slices.Equal(one.Unread, []string{"unknownKey"}) || crash.Reachable || strings.Contains(fmt.Sprint(r), "sk-01") {
		t.Errorf("got %+v, %+v", one, crash)
	}
	if len(r.Clashes) != 10 || r.Tools != 16 || r.RawTokens != odd.RawTokens+one.RawTokens+r.Servers[2].RawTokens || r.GivenTokens < one.RawTokens {
		t.Errorf("got %+v", r)
	}
}

// Of two servers with a tool at one path that of the first in the configuration counts, whichever connects first; the other's is
// reported.
func TestServersWhosePathsMeet(t *testing.T) {
	for _, order := range [][]string{{"corp.git", "plain", "corp", "dotted"}, {"corp", "dotted", "corp.git", "plain"}} {
		g, err := Open(t.Context(), parsed(t, order[0], entry(order[1]), order[2], entry(order[3])), Options{})
		if err != nil {
			t.Fatal(err)
		}
		waited(t, g)
		want := map[string]string{"corp.git": "echo x,git.own y", "corp": "git.echo x,git.own y"}[order[0]]
		if got := run(t, g, `return [await tools.corp.git.echo({text: "x"}), await tools.corp.git.own({text: "y"})].join(",")`); got != want {
			t.Errorf("%s first: got %s, want %s", order[0], got, want)
		}
		second := g.Status()[1]
		if len(second.LeftOut) != 1 || !strings.HasSuffix(second.LeftOut[0].Tool, "echo") || !strings.Contains(second.LeftOut[0].Reason, "the server "+order[0]+" has a tool at the same path") {
			t.Errorf("%s second: %+v", order[2], second.LeftOut)
		}
		closed(t, g)
	}
}

// What a server wrote before it ended is told once, and a folder that is not there is named.
func TestWhyAServerFailed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "none")
	g := opened(t, parsed(t, "crash", entry("crash", `"SECRET": "sk-0123456789"`), "lost", fmt.Sprintf(`{"command": "x", "cwd": %q}`, folder)))
	waited(t, g)
	s := g.Status()
	if n := strings.Count(s[0].Error, "cannot log in with"); n != 1 {
		t.Errorf("%d times: %s", n, s[0].Error)
	}
	if !strings.Contains(s[1].Error, "there is no folder "+folder+" (cwd)") {
		t.Errorf("got %s", s[1].Error)
	}
}

// What a server says of its secrets reaches no program and no model; what programs work with stays.
func TestSecretsInAnswers(t *testing.T) {
	g := opened(t, parsed(t, "leaky", entry("leaky", `"SERVICE_TOKEN": "sk-service-0123"`, `"PIN": "pin 1 2 3"`, `"ROOT": "/home/me/notes"`, `"WORD": "production"`, `"API_KEY": "swordfish"`)))
	waited(t, g)
	got := run(t, g, `
		const failures = (await Promise.allSettled([tools.leaky.echo({}), tools.leaky.die({})])).map((r) => r.reason.message)
		return JSON.stringify([await tools.leaky.env({}), ...failures])`)
	want := `[{"id":"[hidden]","type":["[hidden]"],"root":"/home/me/notes/a.txt","word":"production","key":"[hidden]"},"refused [hidden]","no [hidden] (code -32000)"]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s, err := g.Registry().Snapshot(registry.Step{})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(s.Tools())
	for _, h := range s.View().Search(discovery.Query{Text: "echo"}).Hits {
		text += h.Entry.Declaration() + h.Entry.Tool.Description()
	}
	if strings.Contains(text, "sk-service") || !strings.Contains(text, "Log in with [hidden].") {
		t.Errorf("got %s", text)
	}
}

// A program that calls what is configured and not there is told so, without what the configuration says.
func TestAbsentServers(t *testing.T) {
	g := opened(t, parsed(t, "crash", entry("crash", `"SECRET": "sk-0123456789"`), "off", `{"command": "x", "disabled": true}`, "wrong", `{"command": "x", "args": 5}`,
		"a.b-c", `{"command": "codemode-test-no-such-program"}`, "there", entry("plain")))
	waited(t, g)
	for expression, want := range map[string]string{
		"tools.crash.echo": "the server crash is configured but not connected, so that its tools are not there", "tools.crash": "the server crash is configured but not connected",
		"tools.off.x": "the server off is configured but disabled", "tools.wrong.x": "the server wrong is configured but not connected",
		`tools.a["b-c"].x`: "the server a.b-c is configured but not connected", `tools.off["x-y"]`: "the server off",
		"tools.there.nothing": "", "tools.crashes.echo": "", "tools.other": "", "": "",
	} {
		got := g.Absent(expression)
		if !strings.HasPrefix(got, want) || want == "" && got != "" || strings.Contains(got, "sk-") {
			t.Errorf("%s: got %q, want %q", expression, got, want)
		}
	}
}

// The tool that runs programs is offered before any server has connected, and though none can: a client may list once. Where no
// entry is for programs it is not.
func TestProgramsBeforeAnyServer(t *testing.T) {
	for servers, want := range map[string]bool{`{"command": "codemode-test-no-such-program"}`: true, `{"command": "codemode-test-no-such-program", "codemode": {"direct": true}}`: false} {
		g := opened(t, parsed(t, "missing", servers))
		s, err := g.Registry().Snapshot(registry.Step{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(s.Tools()) > 0; got != want {
			t.Errorf("%s: offered %v, want %v", servers, got, want)
		}
	}
}

package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/mcp/server"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

const (
	older = "2025-11-25"
	newer = "2026-07-28"
)

func TestMain(m *testing.M) {
	if os.Getenv(childMode) != "" {
		child()
		return
	}
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("os/signal.loop"))
}

type noInput struct{}

type mailIn struct {
	To string `json:"to"`
}

// fixture are tools with a server around them.
type fixture struct {
	t        testing.TB
	registry *registry.Registry
	server   *server.Server
	deferred *registry.Registration
	release  chan struct{} // lets the tool deaf end
	leaves   string        // what Close is to give up on

	mu      sync.Mutex
	running map[string]int // calls of hang that run
}

func (f *fixture) tools() tool.Tree {
	return tool.Tree{
		"mail.send": tool.New("Send mail", func(_ context.Context, in mailIn) (string, error) {
			if in.To == "nobody" {
				return "", tool.Errorf("there is no address %s", in.To)
			}
			return "sent to " + in.To, nil
		}),
		"mail.list": tool.New("List mail", func(context.Context, noInput) ([]string, error) { return []string{"a", "b"}, nil }, tool.Annotate(tool.Annotations{ReadOnly: true})),
		"cam.shot": tool.New("Take a picture", func(ctx context.Context, _ noInput) (string, error) {
			tool.Attach(ctx, tool.Attachment{Name: "shot.png", MIMEType: "image/png", Data: []byte("\x89PNG")})
			tool.Attach(ctx, tool.Attachment{Name: "notes.txt", MIMEType: "text/plain", Data: []byte("words")})
			tool.Attach(ctx, tool.Attachment{Name: "far", MIMEType: "video/mp4", URI: "https://example.com/far.mp4"})
			return "ok", nil
		}),
		"hang": tool.New("Wait until interrupted", func(ctx context.Context, in mailIn) (string, error) {
			f.count(in.To, 1)
			defer f.count(in.To, -1)
			<-ctx.Done()
			return "", ctx.Err()
		}),
		"deaf": tool.New("Wait and mind no interruption", func(context.Context, noInput) (string, error) { <-f.release; return "", nil }),
		"ask": tool.New("Ask the user", func(ctx context.Context, in mailIn) (string, error) {
			f.count("asking", 1)
			a, err := f.server.Elicit(ctx, server.Question{From: "shop", Message: in.To + "?", Schema: parsed(`{"properties":{"name":{"type":"string"}}}`)})
			if err != nil {
				return "", err
			}
			name, _ := a.Content.Get("name")
			return fmt.Sprint(a.Action, " ", name), nil
		}),
		"visit": tool.New("Have the user open a page", func(ctx context.Context, _ noInput) (string, error) {
			a, err := f.server.Elicit(ctx, server.Question{Message: "Sign in", URL: "https://example.com/in", ID: "e1"})
			return string(a.Action), err
		}),
	}
}

func (f *fixture) count(what string, delta int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running[what] += delta
}

func (f *fixture) counted(what string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.running[what]
}

func newFixture(t testing.TB, runtime codemode.Options, o server.Options) *fixture {
	t.Helper()
	r, err := registry.New(registry.Options{Runtime: runtime})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, registry: r, running: map[string]int{}, release: make(chan struct{})}
	if f.deferred, err = r.Register(f.tools(), registry.Deferred); err != nil {
		t.Fatal(err)
	}
	if f.server, err = server.New(r, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		close(f.release)
		if err := f.server.Close(context.Background()); err != nil && err.Error() != "server: still runs, as it does not react to being interrupted, and ends with the process at the latest: "+f.leaves {
			t.Error(err)
		}
	})
	return f
}

// way is a way for a client to a server: a transport at an era.
type way struct {
	name, era string
	stateless bool
	dial      func(f *fixture, o *mcp.ClientOptions) *mcp.ClientSession
}

func ways() []way {
	stream := func(era string) func(*fixture, *mcp.ClientOptions) *mcp.ClientSession {
		return func(f *fixture, o *mcp.ClientOptions) *mcp.ClientSession { return f.overStream(era, o) }
	}
	web := func(era string, stateless bool) func(*fixture, *mcp.ClientOptions) *mcp.ClientSession {
		return func(f *fixture, o *mcp.ClientOptions) *mcp.ClientSession {
			return f.connect(era, o, &mcp.StreamableClientTransport{Endpoint: f.web(server.HTTPOptions{Stateless: stateless})})
		}
	}
	return []way{
		{name: "stream, older", era: older, dial: stream(older)},
		{name: "stream, newer", era: newer, dial: stream(newer)},
		{name: "http, older", era: older, dial: web(older, false)},
		{name: "http, newer", era: newer, dial: web(newer, false)},
		{name: "stateless http, older", era: older, stateless: true, dial: web(older, true)},
		{name: "stateless http, newer", era: newer, stateless: true, dial: web(newer, true)},
	}
}

func eachWay(t *testing.T, test func(t *testing.T, w way)) {
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) { test(t, w) })
	}
}

// web is the address of a server over HTTP.
func (f *fixture) web(o server.HTTPOptions) string {
	f.t.Helper()
	h, err := f.server.Handler(o)
	if err != nil {
		f.t.Fatal(err)
	}
	web := httptest.NewServer(h)
	f.t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL + server.Path
}

// overStream connects a client over pipes.
func (f *fixture) overStream(era string, o *mcp.ClientOptions) *mcp.ClientSession {
	f.t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- f.server.ServeStream(context.Background(), fromClient, toClient)
		toClient.Close()
	}()
	session := f.connect(era, o, &mcp.IOTransport{Reader: fromServer, Writer: toServer})
	f.t.Cleanup(func() {
		session.Close()
		if err := <-served; err != nil {
			f.t.Error(err)
		}
	})
	return session
}

func (f *fixture) connect(era string, o *mcp.ClientOptions, transport mcp.Transport) *mcp.ClientSession {
	f.t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(context.Background(), transport, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != era {
		f.t.Fatalf("got protocol %s, want %s", got, era)
	}
	return session
}

func parsed(text string) *schema.Schema {
	s, err := schema.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

// result is what a call gave.
type result struct {
	text    string
	isError bool
	raw     *mcp.CallToolResult
	content map[string]any
}

func call(t testing.TB, session *mcp.ClientSession, name string, arguments any, token ...any) result {
	t.Helper()
	r, err := tryCall(context.Background(), session, name, arguments, token...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tryCall(ctx context.Context, session *mcp.ClientSession, name string, arguments any, token ...any) (r result, err error) {
	p := &mcp.CallToolParams{Name: name, Arguments: arguments}
	if len(token) > 0 {
		p.SetProgressToken(token[0])
	}
	if r.raw, err = session.CallTool(ctx, p); err != nil {
		return r, err
	}
	r.isError = r.raw.IsError
	var texts []string
	for _, c := range r.raw.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	r.text = strings.Join(texts, "\n")
	if r.raw.StructuredContent != nil {
		text, _ := json.Marshal(r.raw.StructuredContent)
		err = json.Unmarshal(text, &r.content)
	}
	return r, err
}

func run(t testing.TB, session *mcp.ClientSession, code string) result {
	t.Helper()
	return call(t, session, "execute", map[string]any{"code": code})
}

// eventually waits for what another goroutine brings about.
func eventually(t testing.TB, what string, f func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !f() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 10 s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func TestProgramsAndResults(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{Name: "shop", Version: "3", Search: true})
		session := w.dial(f, nil)
		if info := session.InitializeResult().ServerInfo; info.Name != "shop" || info.Version != "3" {
			t.Errorf("%+v", info)
		}
		list, err := session.ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tl := range list.Tools {
			names = append(names, tl.Name)
		}
		if got := strings.Join(names, " "); got != "execute execute_more search" {
			t.Errorf("got %s", got)
		}
		if execute := list.Tools[0]; !strings.Contains(execute.Description, "tools.mail.send(input: { to: string }): Promise<string>") ||
			toJSON(execute.InputSchema) != `{"properties":{"code":{"description":"the program, in JavaScript or TypeScript","type":"string"}},"required":["code"],"type":"object"}` ||
			execute.Annotations.ReadOnlyHint {
			t.Error(toJSON(execute))
		}
		r := run(t, session, `console.log("on it"); const n = (await tools.mail.list()).length; return { n, big: await tools.mail.send({ to: "ann" }) }`)
		if r.isError || r.text != "{\n  \"n\": 2,\n  \"big\": \"sent to ann\"\n}\n\nLogs:\non it" {
			t.Errorf("%+v", r)
		}
		calls, _ := r.content["calls"].([]any)
		if r.content["ok"] != true || toJSON(r.content["value"]) != `{"big":"sent to ann","n":2}` || toJSON(r.content["logs"]) != `[{"level":"log","text":"on it"}]` ||
			len(calls) != 2 || calls[1].(map[string]any)["path"] != "tools.mail.send" || calls[1].(map[string]any)["input"] != `{"to":"ann"}` || calls[1].(map[string]any)["status"] != "completed" {
			t.Error(toJSON(r.content))
		}
		if r.raw.Meta["codemode/program"] == nil || r.raw.Meta["codemode/id"] == "" {
			t.Error(toJSON(r.raw.Meta))
		}
		r = run(t, session, `await tools.mail.send({ to: "ann" }); await tools.mail.send({ to: "nobody" })`)
		if !r.isError || !strings.HasPrefix(r.text, "ToolFailure: there is no address nobody\n") || !strings.Contains(r.text, "Calls, in order:\n1. tools.mail.send({\"to\":\"ann\"}): completed\n2. ") ||
			r.content["ok"] != false || r.content["error"].(map[string]any)["kind"] != "ToolFailure" {
			t.Errorf("%+v", r)
		}
		for _, c := range []struct {
			name      string
			arguments any
			want      string
		}{
			{"execute", map[string]any{"code": 5}, `execute was not called: input.code: expected string, got number 5; want {"code":"…"}`},
			{"execute", nil, `execute was not called: input.code: required; want {"code":"…"}`},
			{"mail_send", map[string]any{"to": "ann"}, `"mail_send" is not a tool of its own; call it inside a program: execute with {"code":"return await tools.mail.send({ … })"}`},
		} {
			if r := call(t, session, c.name, c.arguments); !r.isError || r.text != c.want {
				t.Errorf("got %s, want %s", r.text, c.want)
			}
		}
		if _, err := tryCall(context.Background(), session, "bogus", nil); err == nil || !strings.Contains(err.Error(), `unknown tool "bogus"`) {
			t.Error(err)
		}
		// The session has survived all of that.
		if r := run(t, session, `return 1`); r.text != "1" {
			t.Errorf("%+v", r)
		}
	})
}

func toJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Attachments come as content of the right kind, in order, and not in the value.
func TestAttachments(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{MaxAttachments: 9})
	session := f.overStream(newer, nil)
	r := run(t, session, `return await tools.cam.shot()`)
	want := `[{"type":"text","text":"ok\n\nAttachments:\n- shot.png, image/png, 4 bytes\n- notes.txt, text/plain, 5 bytes\n- far, video/mp4, https://example.com/far.mp4"},` +
		`{"type":"image","mimeType":"image/png","data":"iVBORw=="},` +
		`{"type":"resource","resource":{"uri":"attachment:///2/notes.txt","mimeType":"text/plain","text":"words"}},` +
		`{"type":"resource_link","mimeType":"video/mp4","uri":"https://example.com/far.mp4","name":"far"}]`
	if got := toJSON(r.raw.Content); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r = run(t, session, `await tools.cam.shot(); await tools.cam.shot(); throw new Error("after all")`)
	if !r.isError || len(r.raw.Content) != 5 || !strings.HasSuffix(r.text, "Note: left out, as one result carries at most 9 bytes of attachments: shot.png, 4 bytes; notes.txt, 5 bytes.") {
		t.Errorf("%s\n%s", r.text, toJSON(r.raw.Content))
	}
}

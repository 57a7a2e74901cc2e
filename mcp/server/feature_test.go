package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/mcp/server"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// Who asks for progress is told of each call, in order and before the result; who does not is not.
func TestProgress(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{})
		reports := tool.New("Report", func(ctx context.Context, _ noInput) (string, error) {
			f.server.Report(ctx, "half of it")
			return "", nil
		})
		if _, err := f.registry.Register(tool.Tree{"reports": reports}, registry.Deferred); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		got := map[any][]string{}
		session := w.dial(f, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			got[r.Params.ProgressToken] = append(got[r.Params.ProgressToken], fmt.Sprint(r.Params.Progress, " ", r.Params.Message))
		}})
		const code = `await tools.mail.send({ to: "a" }); await tools.reports(); await tools.mail.send({ to: "nobody" }).catch(() => 0)`
		call(t, session, "execute", map[string]any{"code": code})
		call(t, session, "execute", map[string]any{"code": code}, "tok")
		want := "1 tools.mail.send running, 2 tools.mail.send completed, 3 tools.reports running, 4 half of it, 5 tools.reports completed, 6 tools.mail.send running, 7 tools.mail.send failed"
		eventually(t, "the reports", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(got["tok"]) >= 7
		})
		mu.Lock()
		defer mu.Unlock()
		if strings.Join(got["tok"], ", ") != want || len(got) != 1 {
			t.Errorf("got %v, want %s", got, want)
		}
	})
}

// Progress goes on under the same token when the client has come back with an answer.
func TestProgressAfterQuestion(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	var mu sync.Mutex
	var got []float64
	o := (&person{answer: accepting("x")}).options()
	o.ProgressNotificationHandler = func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.Params.Progress)
	}
	session := f.connect(newer, o, &mcp.StreamableClientTransport{Endpoint: f.web(server.HTTPOptions{})})
	call(t, session, "execute", map[string]any{"code": `await tools.ask({ to: "x" }); await tools.mail.list()`}, 7)
	eventually(t, "the last report", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return slices.Contains(got, 4)
	})
	mu.Lock()
	defer mu.Unlock()
	if !slices.IsSorted(got) || got[0] != 1 {
		t.Error(got)
	}
}

// What changes in the registry changes the tools, and clients are told: of the description too.
func TestListChanged(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		if w.stateless && w.era == older { // has nobody to tell
			return
		}
		f := newFixture(t, server.DefaultRuntime(), server.Options{})
		told := make(chan struct{}, 100)
		session := w.dial(f, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} }})
		look := func() map[string]*mcp.Tool {
			list, err := session.ListTools(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			byName := map[string]*mcp.Tool{}
			for _, tl := range list.Tools {
				byName[tl.Name] = tl
			}
			return byName
		}
		before := look()
		if _, err := f.registry.Register(tool.Tree{"fresh": tool.New("Fresh", func(context.Context, noInput) (int, error) { return 1, nil })}, registry.Deferred); err != nil {
			t.Fatal(err)
		}
		<-told
		after := look()
		if strings.Contains(before["execute"].Description, "tools.fresh") || !strings.Contains(after["execute"].Description, "tools.fresh") {
			t.Error("the description did not follow")
		}
		direct, err := f.registry.Register(tool.Tree{"notes.add": tool.New("Note", func(_ context.Context, in mailIn) (mailIn, error) { return in, nil })}, registry.Direct)
		if err != nil {
			t.Fatal(err)
		}
		<-told
		if tl := look()["notes_add"]; tl == nil || tl.OutputSchema == nil || tl.Annotations.ReadOnlyHint {
			t.Error(toJSON(tl))
		}
		if r := call(t, session, "notes_add", map[string]any{"to": "x"}); r.isError || r.text != "{\n  \"to\": \"x\"\n}" || toJSON(r.content) != `{"to":"x"}` {
			t.Errorf("%+v", r)
		}
		if r := call(t, session, "notes_add", map[string]any{}); !r.isError || !strings.HasPrefix(r.text, "InvalidToolInput: notes_add was not called") {
			t.Errorf("%+v", r)
		}
		direct.Dispose()
		<-told
		if look()["notes_add"] != nil {
			t.Error("it is still there")
		}
	})
}

// Without a change that shows, nobody is told.
func TestNoNeedlessNotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{Step: registry.Step{Visible: func(e tool.Entry) bool { return e.Path[0] != "hidden" }}})
		told := 0
		session := f.overStream(older, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told++ }})
		hidden := tool.New("Hidden", func(context.Context, noInput) (int, error) { return 1, nil })
		for range 3 {
			g, err := f.registry.Register(tool.Tree{"hidden": hidden}, registry.Deferred)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			g.Dispose()
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if told != 0 {
			t.Errorf("told %d times", told)
		}
		session.Close()
	})
}

// An interruption by the client reaches the program and its calls.
func TestInterruption(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{})
		session := w.dial(f, nil)
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() {
			_, err := tryCall(ctx, session, "execute", map[string]any{"code": `await Promise.all([tools.hang({ to: "x" }), tools.hang({ to: "x" })])`})
			done <- err
		}()
		eventually(t, "the calls run", func() bool { return f.counted("x") == 2 })
		stop()
		if err := <-done; err == nil {
			t.Error("no error")
		}
		eventually(t, "the calls end", func() bool { return f.counted("x") == 0 && f.server.Running() == 0 })
		if r := run(t, session, `return 1`); r.text != "1" {
			t.Errorf("%+v", r)
		}
	})
}

// Two clients at once do not mix, and neither do many programs.
func TestManyClients(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{MaxParked: 64})
		var wg sync.WaitGroup
		for _, name := range []string{"ann", "bob"} {
			p := &person{answer: accepting(name)}
			session := w.dial(f, p.options())
			for i := range 20 {
				wg.Go(func() {
					code := fmt.Sprintf(`const who = await tools.ask({ to: "%s-%d" }).catch((e) => "nobody"); console.log("%s-%d"); return [who, await tools.mail.send({ to: "%s-%d" })]`, name, i, name, i, name, i)
					r, err := tryCall(context.Background(), session, "execute", map[string]any{"code": code})
					who := "accept " + name
					if w.stateless && w.era == older {
						who = "nobody"
					}
					if want := fmt.Sprintf(`["%s","sent to %s-%d"]`, who, name, i); err != nil || toJSON(r.content["value"]) != want || toJSON(r.content["logs"]) != fmt.Sprintf(`[{"level":"log","text":"%s-%d"}]`, name, i) {
						t.Errorf("%v %+v, want %s", err, r, want)
					}
				})
			}
		}
		wg.Wait()
	})
}

// The rest of a value that was cut can be read, by its session, for a while.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, codemode.Options{Limits: codemode.Limits{MaxOutputBytes: new(4096)}}, server.Options{})
		session, other := f.overStream(newer, nil), f.overStream(newer, nil)
		const code = `return Array.from({ length: 9000 }, (_, i) => ({ i, t: "é€𝄞".repeat(3) }))`
		r := run(t, session, code)
		left, _ := r.content["rest"].(map[string]any)
		id, _ := left["id"].(string)
		if !strings.HasPrefix(r.text, "Note: the value is a text of the first ") || r.isError || left["tool"] != "execute_more" || id == "" || len(r.text) > 6000 {
			t.Fatalf("%.300s %v", r.text, left)
		}
		offset := int(left["offset"].(float64))
		if note := fmt.Sprintf("Note: the first %d of %d bytes are above. For the rest call execute_more with {\"id\":%q,\"offset\":%d}, within 10m0s", offset, int(left["total"].(float64)), id, offset); !strings.Contains(r.text, note) {
			t.Errorf("%s\nwant %s", r.text[len(r.text)-300:], note)
		}
		var whole strings.Builder
		value := r.content["value"].(string)
		whole.WriteString(value[:offset])
		for pieces := 0; ; pieces++ {
			more := call(t, session, "execute_more", map[string]any{"id": id, "offset": offset})
			if more.isError || pieces > 20 {
				t.Fatal(more.text)
			}
			piece := more.raw.Content[0].(*mcp.TextContent).Text
			whole.WriteString(piece)
			offset += len(piece)
			if len(more.raw.Content) == 1 {
				break
			}
			if want := fmt.Sprintf(`the next: {"id":%q,"offset":%d}`, id, offset); !strings.HasSuffix(more.text, want) {
				t.Fatalf("%s, want %s", more.text[len(more.text)-100:], want)
			}
		}
		var items []struct {
			I int
			T string
		}
		if err := json.Unmarshal([]byte(whole.String()), &items); err != nil || len(items) != 9000 || items[8999].I != 8999 || items[8999].T != "é€𝄞é€𝄞é€𝄞" {
			t.Error(err, len(items))
		}
		for _, c := range []struct {
			session   *mcp.ClientSession
			arguments any
			want      string
		}{
			{other, map[string]any{"id": id}, "there is no rest with this id any more"},
			{session, map[string]any{"id": id, "offset": 1 << 30}, "there is nothing at offset 1073741824"},
			{session, map[string]any{"offset": 1}, "input.id: required"},
		} {
			if r := call(t, c.session, "execute_more", c.arguments); !r.isError || !strings.HasPrefix(r.text, c.want) {
				t.Errorf("got %s, want %s", r.text, c.want)
			}
		}
		time.Sleep(11 * time.Minute)
		if r := call(t, session, "execute_more", map[string]any{"id": id}); !r.isError {
			t.Errorf("%.100s", r.text)
		}
	})
}

// The oldest rests give way to new ones.
func TestRestIsBounded(t *testing.T) {
	f := newFixture(t, codemode.Options{Limits: codemode.Limits{MaxOutputBytes: new(100)}}, server.Options{MaxRest: 3000})
	session := f.overStream(newer, nil)
	id := func(n int) string {
		left, _ := run(t, session, fmt.Sprintf(`return "x".repeat(%d)`, n)).content["rest"].(map[string]any)
		id, _ := left["id"].(string)
		return id
	}
	first, second := id(1000), id(1000)
	if id(4000) != "" {
		t.Error("it is larger than the store")
	}
	third := id(1500)
	for which, gone := range map[string]bool{first: true, second: false, third: false} {
		if r := call(t, session, "execute_more", map[string]any{"id": which}); r.isError != gone {
			t.Errorf("%.100s", r.text)
		}
	}
}

func TestSearch(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{Search: true})
	if _, err := f.registry.Register(tool.Tree{"post": tool.Namespace{Description: "Letters on paper.\nWeigh them first.", Tools: tool.Tree{
		"send": tool.New("Post a letter", func(context.Context, noInput) (int, error) { return 1, nil }),
	}}}, registry.Deferred); err != nil {
		t.Fatal(err)
	}
	session := f.overStream(newer, nil)
	for _, c := range []struct{ input, want string }{
		{`{"query":"send mail","limit":1}`, "tools.mail.send(input: { to: string }): Promise<string>\n  Send mail\n"},
		{`{"query":"send mail","limit":1}`, " more; the next with offset 1."},
		{`{"query":"tools.mail.send"}`, "/** Send mail */\ntools.mail.send("},
		{`{"namespace":"post"}`, "post: Letters on paper.\nWeigh them first.\n\ntools.post.send("},
		{`{"query":"zzzz"}`, "Nothing found; try other words, or fewer."},
		{`{"namespace":"nope"}`, `there is no namespace "nope"; the namespaces are `},
		{`{"limit":"many"}`, "input.limit: expected integer"},
	} {
		if r := call(t, session, "search", json.RawMessage(c.input)); !strings.Contains(r.text, c.want) {
			t.Errorf("%s: got\n%s\nwant %s", c.input, r.text, c.want)
		}
	}
}

// Own tools give way to direct tools that have their names.
func TestNamesOfOwnTools(t *testing.T) {
	r, err := registry.New(registry.Options{ExecuteName: "run"})
	if err != nil {
		t.Fatal(err)
	}
	one := tool.New("One", func(context.Context, noInput) (string, error) { return "mine", nil })
	for _, mode := range []registry.Mode{registry.Direct, registry.Deferred} {
		if _, err := r.Register(tool.Tree{[]string{"deferred", "search"}[mode]: one}, mode); err != nil {
			t.Fatal(err)
		}
	}
	s, err := server.New(r, server.Options{Search: true, MaxRest: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	f := &fixture{t: t, registry: r, server: s}
	session := f.overStream(newer, nil)
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tl := range list.Tools {
		names = append(names, tl.Name)
	}
	if got := strings.Join(names, " "); got != "codemode_search deferred run" && got != "codemode_search run search" {
		t.Error(got)
	}
	session.Close()
}

// Schemas that the protocol would not take are mended, and the tool can be called.
func TestOddSchemas(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	echo := func(_ context.Context, in data.Value) (data.Value, error) { return in, nil }
	tree := tool.Tree{}
	for name, text := range map[string]string{"untyped": `{}`, "nullable": `{"type":["object","null"],"properties":{"a":{}}}`, "any": `true`, "header": `{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"No good\n"}}}`} {
		tree[name] = tool.Raw(name, parsed(text), echo, tool.OutputSchema(schema.New(data.NewObject([]data.Member{{Key: "type", Value: data.String("array")}}))))
	}
	if _, err := f.registry.Register(tree, registry.Direct); err != nil {
		t.Fatal(err)
	}
	session := f.overStream(older, nil)
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, tl := range list.Tools {
		got[tl.Name] = toJSON(tl.InputSchema)
		if tl.OutputSchema != nil {
			t.Errorf("%s: %s", tl.Name, toJSON(tl.OutputSchema))
		}
	}
	if got["untyped"] != `{"type":"object"}` || got["nullable"] != `{"properties":{"a":{}},"type":"object"}` || got["any"] != `{"type":"object"}` || got["header"] != "" || got["execute"] == "" {
		t.Error(got)
	}
}

// The audit log has who ran what and how it ended, and nothing of what was in it.
func TestAudit(t *testing.T) {
	for _, inputs := range []bool{false, true} {
		var out lockedBuffer
		f := newFixture(t, server.DefaultRuntime(), server.Options{Audit: &out, AuditInputs: inputs, Step: registry.Step{Rules: []registry.Rule{{Path: "mail.list", Effect: registry.Ask}}}})
		session := f.overStream(newer, (&person{answer: accepting("secret")}).options())
		run(t, session, `const [to] = await tools.mail.list(); await tools.mail.send({ to: "secret-" + to }); return tools.mail.send({ to: "nobody" })`)
		var events []string
		hashes := map[string]bool{}
		for line := range strings.Lines(out.String()) {
			var l struct {
				Time                                                        time.Time
				Event, ID, Session, Client, Tool, Path, Status, Kind, Input any
				InputHash                                                   string
				DurationMs, InputBytes, OutputBytes, Calls                  float64
			}
			if err := json.Unmarshal([]byte(line), &l); err != nil || l.Session != "1" || time.Since(l.Time) > time.Minute || len(l.InputHash) != 16 || hashes[l.InputHash] || l.InputBytes == 0 || (l.Input != nil) != inputs {
				t.Errorf("%v %s", err, line)
			}
			hashes[l.InputHash] = true
			events = append(events, strings.TrimSpace(fmt.Sprintln(l.Event, l.Tool, l.Path, l.Status, l.Kind, l.Client, l.OutputBytes > 0, l.Calls)))
		}
		want := []string{
			"question <nil> <nil> accept <nil> <nil> false 0",
			"call <nil> tools.mail.list completed <nil> <nil> true 0",
			"call <nil> tools.mail.send completed <nil> <nil> true 0",
			"call <nil> tools.mail.send failed <nil> <nil> false 0",
			"program execute <nil> failed ToolFailure test/1 true 3",
		}
		if !slices.Equal(events, want) {
			t.Errorf("got\n%s", strings.Join(events, "\n"))
		}
		if !inputs && (strings.Contains(out.String(), "secret") || strings.Contains(out.String(), "nobody")) {
			t.Error(out.String())
		}
	}
}

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Structured content lists the calls that matter, and counts the others.
func TestManyCalls(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	r := run(t, f.overStream(newer, nil), `for (let i = 0; i < 300; i++) await tools.mail.send({ to: i % 50 === 49 ? "nobody" : "x".repeat(300) }).catch(() => 0)`)
	calls, _ := r.content["calls"].([]any)
	failed, size := 0, 0
	for _, c := range calls {
		if c.(map[string]any)["status"] == "failed" {
			failed++
		}
		size = max(size, len(c.(map[string]any)["input"].(string)))
	}
	if len(calls) != 100 || failed != 6 || size > 210 || toJSON(r.content["foldedCalls"]) != `{"tools.mail.send":200}` || r.isError {
		t.Errorf("%d calls, %d failed, %d, %s", len(calls), failed, size, toJSON(r.content["foldedCalls"]))
	}
}

// Lists wait for the tools to be there, not for ever.
func TestReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ready := make(chan struct{})
		for _, after := range []time.Duration{3 * time.Second, time.Hour} {
			if after == time.Hour {
				ready = make(chan struct{})
			}
			f := newFixture(t, server.DefaultRuntime(), server.Options{Ready: ready})
			session := f.overStream(newer, nil)
			start := time.Now()
			time.AfterFunc(after, func() { close(ready) })
			if _, err := session.ListTools(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took != min(after, 10*time.Second) {
				t.Errorf("took %v", took)
			}
			start = time.Now()
			if r := run(t, session, `return 1`); r.text != "1" || time.Since(start) > time.Second {
				t.Errorf("%+v after %v", r, time.Since(start))
			}
			session.Close()
		}
		time.Sleep(time.Hour)
	})
}

package client

// This file defines tests of child processes and of HTTP.

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// teller tells about itself.
var teller = child("teller", &fake{
	tools: named("env", "dir"),
	calls: map[string]func(*talk, message){
		"env": func(t *talk, m message) {
			v, _ := data.From(os.Environ())
			t.reply(m, `{"structuredContent":`+data.JSON(v)+`}`)
		},
		"dir": func(t *talk, m message) {
			dir, _ := os.Getwd()
			t.reply(m, `{"content":[{"type":"text","text":`+data.JSON(data.String(dir))+`}]}`)
		},
	},
})

func TestAChildGetsACleanEnvironment(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "hunter2")
	t.Setenv("WANTED", "yes")
	t.Setenv("SHELL", "() { evil; }")
	t.Setenv("TERM", "dumb")
	file := filepath.Join(t.TempDir(), "env")
	text := "# tokens\nFILE_ONLY = from file # not part of it\nexport BOTH=file\nQUOTED=\"a # b\\n\\\"c\\\"\"\nSINGLE='x\\n'\n\nEMPTY=\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := teller
	s.Dir = t.TempDir()
	s.EnvFile = file
	s.InheritEnv = []string{"WANTED", "NOT_THERE"}
	s.Env = map[string]string{fakeVariable: "teller", "BOTH": "env", "GORACE": ""}
	p := program(t, connected(t, s, Callbacks{}))
	got := map[string]string{}
	list, _ := p.Call("fake.env").Value.(data.Array)
	for _, v := range list.All() {
		name, value, _ := strings.Cut(string(v.(data.String)), "=")
		got[name] = value
	}
	want := map[string]string{"PATH": os.Getenv("PATH"), "TERM": "dumb", "WANTED": "yes", "FILE_ONLY": "from file", "BOTH": "env",
		"QUOTED": "a # b\n\"c\"", "SINGLE": `x\n`, "EMPTY": ""}
	for name, value := range want {
		if v, ok := got[name]; !ok || v != value {
			t.Errorf("%s is %q, want %q", name, v, value)
		}
	}
	for _, name := range []string{"SECRET_TOKEN", "SHELL", "NOT_THERE", "GOPATH"} {
		if v, ok := got[name]; ok {
			t.Errorf("%s is %q", name, v)
		}
	}
	dir, _ := filepath.EvalSymlinks(s.Dir)
	if o := p.Call("fake.dir"); o.Value != data.String(dir) {
		t.Errorf("got %v, want %s", o.Value, dir)
	}
}

func TestAllOfTheEnvironment(t *testing.T) {
	t.Setenv("ANYTHING", "1")
	all, err := environment(Server{InheritEnv: []string{"*"}})
	if err != nil || !strings.Contains(strings.Join(all, "\n")+"\n", "ANYTHING=1\n") {
		t.Errorf("got %q, %v", all, err)
	}
}

func TestEnvironmentFilesThatAreWrong(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"A=1\nhunter2\n":    "line 2: want NAME=VALUE",
		"A B=hunter2\n":     "line 1: want NAME=VALUE",
		"\n\nA='hunter2\n":  "line 3: the quotes of A do not end",
		"=hunter2":          "line 1: want NAME=VALUE",
		"A=\"hunter2\\\"\n": "line 1: the quotes of A do not end",
	} {
		file := filepath.Join(dir, "env")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := environment(Server{EnvFile: file})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	if _, err := environment(Server{EnvFile: filepath.Join(dir, "none")}); err == nil {
		t.Error("a missing file is no error")
	}
}

// A server whose leader ends at once when its input does, as most do.
func TestTheEndOfAnOrdinaryChildIsQuick(t *testing.T) {
	c, err := Connect(t.Context(), noisy, Callbacks{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	closeClient(t, c)
	if took := time.Since(start); took > patience {
		t.Errorf("it took %v", took)
	}
	if s := c.Status(); s.State != Closed || len(s.Troubles) != 0 {
		t.Errorf("got %+v", s)
	}
	if _, err := c.call(t.Context(), c.listing.tools[0], nil); err == nil || !strings.Contains(err.Error(), "the connection is closed") {
		t.Errorf("a call afterwards: %v", err)
	}
	closeClient(t, c)
}

// deaf reads nothing after the first messages.
var deaf = child("deaf", &fake{
	tools: named("stop"),
	calls: map[string]func(*talk, message){"stop": func(*talk, message) { select {} }},
})

func TestAServerThatDoesNotReadBlocksNobody(t *testing.T) {
	s := deaf
	s.Timeout = 500 * time.Millisecond
	c := connected(t, s, Callbacks{})
	p := program(t, c)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			// More than what a pipe holds.
			got := p.Fails(diagnostics.ToolFailure, "fake.stop", map[string]any{"x": strings.Repeat("x", 300_000)})
			mustSay(t, got, "has neither answered")
		})
	}
	all.Wait()
}

func TestCallsEndWithTheClient(t *testing.T) {
	for name, s := range map[string]Server{"child": deaf, "stream": (&fake{tools: named("stop"), calls: map[string]func(*talk, message){"stop": nothing}}).over()} {
		t.Run(name, func(t *testing.T) {
			c, err := Connect(t.Context(), s, Callbacks{})
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() {
				_, err := c.call(t.Context(), c.listing.tools[0], nil)
				done <- err
			}()
			for len(c.session.wire.running()) == 0 {
				runtime.Gosched()
			}
			closeClient(t, c)
			select {
			case err := <-done:
				mustSay(t, err.Error(), "MCP server fake: ")
			case <-within(t).Done():
				t.Fatal("the call goes on")
			}
		})
	}
}

func TestHeadersStayWithTheirOrigin(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		elsewhere.Add(1)
	}))
	defer other.Close()
	f := &fake{tools: named("echo")}
	var missing atomic.Int32
	redirect := false
	s := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer hunter2" {
			missing.Add(1)
		}
		if redirect {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
			return
		}
		f.web().ServeHTTP(w, r)
	}))
	s.Headers = map[string]string{"Authorization": "Bearer hunter2"}
	c := connected(t, s, Callbacks{})
	p := program(t, c)
	if o := p.Call("fake.echo"); o.Failure != nil {
		t.Fatal(o.Failure)
	}
	redirect = true
	got := p.Fails(diagnostics.ToolFailure, "fake.echo")
	if elsewhere.Load() != 0 || missing.Load() != 0 {
		t.Errorf("%d requests went elsewhere, %d lacked the header", elsewhere.Load(), missing.Load())
	}
	if strings.Contains(got, "hunter2") || strings.Contains(got, other.URL) || strings.Contains(troubles(c), "hunter2") {
		t.Errorf("the program is told %q, the host %q", got, troubles(c))
	}
}

func TestRefusalsOfHTTPAreNamed(t *testing.T) {
	for status, want := range map[int]string{401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 500: "Internal Server Error"} {
		s := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", status) }))
		_, err := Connect(t.Context(), s, Callbacks{})
		if err == nil {
			t.Fatalf("%d: it connected", status)
		}
		mustSay(t, err.Error(), `mcp server "fake"`, want)
	}
}

func TestAddressesWithoutServer(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	_, err := Connect(t.Context(), Server{Name: "gone", URL: s.URL}, Callbacks{})
	if err == nil {
		t.Fatal("it connected")
	}
	mustSay(t, err.Error(), `mcp server "gone"`, "refused")
}

func TestServersOfTheOlderKindOverHTTP(t *testing.T) {
	server := peerServer()
	h := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil)
	// At the address of the stream there is no POST, as with the older servers in the wild.
	only := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.RawQuery == "" {
			http.Error(w, "Cannot POST /", http.StatusNotFound)
			return
		}
		h.ServeHTTP(w, r)
	})
	for name, transport := range map[string]Transport{"auto": Auto, "pinned": SSE} {
		t.Run(name, func(t *testing.T) {
			s := serveHTTP(t, only)
			s.Name, s.Transport = "peer", transport
			s.Headers = map[string]string{"X-Key": "1"}
			c := connected(t, s, Callbacks{})
			if got := c.Status(); got.Transport != "sse" || got.Tools != 5 {
				t.Errorf("got %+v", got)
			}
			if o := program(t, c).Call("peer.plain", map[string]any{"a": 1}); o.Value != data.String(`{"a":1}`) {
				t.Errorf("got %v, %v", o.Value, o.Failure)
			}
		})
	}
	t.Run("streamable only", func(t *testing.T) {
		s := serveHTTP(t, only)
		s.Transport = StreamableHTTP
		if _, err := Connect(t.Context(), s, Callbacks{}); err == nil {
			t.Error("it connected")
		}
	})
}

func TestAWebServerThatIsSilentAtFirst(t *testing.T) {
	f := &fake{}
	web := f.web()
	s := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m message
		r = peekIfPost(r, &m)
		if m.method == methodDiscover {
			<-r.Context().Done()
			return
		}
		web.ServeHTTP(w, r)
	}))
	s.DiscoverTimeout = 200 * time.Millisecond
	if got := connected(t, s, Callbacks{}).Status(); got.Protocol != legacy {
		t.Errorf("got %+v", got)
	}
}

func peekIfPost(r *http.Request, m *message) *http.Request {
	if r.Method != http.MethodPost {
		return r
	}
	return peek(r, m)
}

func TestAServerThatEndsWhileItIsAsked(t *testing.T) {
	f := &fake{on: map[string]func(*talk, message){methodList: func(t *talk, _ message) { t.end() }}}
	_, err := Connect(t.Context(), f.over(), Callbacks{})
	if err == nil {
		t.Fatal("it connected")
	}
	mustSay(t, err.Error(), `mcp server "fake"`, "its tools cannot be listed")
}

func TestGroups(t *testing.T) {
	good, late := &fake{tools: named("a")}, &fake{tools: named("b")}
	open := make(chan struct{})
	servers := []Server{
		{Name: "good", Dial: good.dial},
		{Name: "late", Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
			select {
			case <-open:
				return late.dial(ctx)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}},
		{Name: "bad", Command: []string{"/no/such/program"}},
		{Name: "good", Dial: good.dial},
		{Name: "wrong"},
	}
	changed := make(chan string, 8)
	g := Open(t.Context(), servers, Callbacks{Changed: func(c *Client) { changed <- c.Name() }})
	defer func() {
		if err := g.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	if name := <-changed; name != "good" {
		t.Errorf("%s came first", name)
	}
	if tree := g.Tree(); len(tree) != 1 || len(tree["good"].(tool.Namespace).Tools) != 1 {
		t.Errorf("got %v", tree)
	}
	status := func() string {
		var all []string
		for _, s := range g.Status() {
			all = append(all, s.Name+" "+string(s.State))
		}
		return strings.Join(all, ", ")
	}
	if got := status(); !strings.HasPrefix(got, "good connected, late connecting, bad ") {
		t.Errorf("got %s", got)
	}
	close(open)
	if err := g.Wait(within(t)); err != nil {
		t.Fatal(err)
	}
	if tree := g.Tree(); len(tree) != 2 || len(g.Clients()) != 2 {
		t.Errorf("got %v", tree)
	}
	if got := status(); got != "good connected, late connected, bad failed, good failed, wrong failed" {
		t.Errorf("got %s", got)
	}
	mustSay(t, g.Err().Error(), `mcp server "bad": cannot be started`, "there are two of this name", `mcp server "wrong": got 0 of Command`)
	if err := g.Retry(within(t), "bad"); err == nil {
		t.Error("bad was connected")
	}
	if err := g.Retry(within(t), "nobody"); err == nil {
		t.Error("nobody was connected")
	}
}

// Servers whose names and tools make the same paths. Nothing of it costs the
// others.
func TestServersWhosePathsMeet(t *testing.T) {
	serving := func(name, tool string) Server {
		f := &fake{tools: named(tool, "own"), on: map[string]func(*talk, message){methodCall: answers(`{"content":[{"type":"text","text":"` + name + `"}]}`)}}
		return Server{Name: name, Dial: f.dial}
	}
	g := Open(t.Context(), []Server{serving("a.b", "c"), serving("a", "b.c"), serving("$codemode", "x"), serving("$codemode.y", "x"),
		serving("deep", strings.Repeat("x.", 64)+"x"), serving("a.b.c", "d")}, Callbacks{})
	defer g.Close(context.Background())
	if err := g.Wait(within(t)); err != nil {
		t.Fatal(err)
	}
	p := tooltest.New(t, g.Tree())
	for path, want := range map[string]string{"a.b.c": "a.b", "a.b.own": "a.b", "a.own": "a", "deep.own": "deep", "a.b.c.d": "a.b.c"} {
		if o := p.Call(path); o.Value != data.String(want) {
			t.Errorf("%s: got %v, %v, want %s", path, o.Value, o.Failure, want)
		}
	}
	var got []string
	for _, s := range g.Status() {
		for _, l := range s.LeftOut {
			got = append(got, fmt.Sprintf("%s: %.4s: %.60s", s.Name, l.Tool, l.Reason))
		}
		if s.Name == "a" && s.Tools != 1 || s.Name == "a.b" && s.Tools != 2 {
			t.Errorf("%s has %d tools", s.Name, s.Tools)
		}
	}
	if len(got) != 2 {
		t.Errorf("left out: %q", got)
	}
	mustSay(t, strings.Join(got, "\n"), "a: b.c: the server a.b has a tool at the same path", "deep: x.x.: its name makes no path")
	mustSay(t, g.Err().Error(), `mcp server "$codemode": Name: the namespace $codemode is the runtime's own`, `mcp server "$codemode.y": Name: `)
}

func TestAGroupThatIsClosedWhileItConnects(t *testing.T) {
	f := &fake{on: map[string]func(*talk, message){methodDiscover: nothing, methodInitialize: nothing}}
	g := Open(t.Context(), []Server{f.over(), {Name: "other", Dial: f.dial}}, Callbacks{})
	if err := g.Close(within(t)); err != nil {
		t.Error(err)
	}
}

func TestTheFailedServerComesLater(t *testing.T) {
	f := &fake{}
	var up atomic.Bool
	s := Server{Name: "fake", Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
		if !up.Load() {
			return nil, fmt.Errorf("not yet")
		}
		return f.dial(ctx)
	}}
	g := Open(t.Context(), []Server{s}, Callbacks{})
	defer g.Close(context.Background())
	g.Wait(within(t))
	if g.Err() == nil || len(g.Tree()) != 0 {
		t.Error("it is there")
	}
	up.Store(true)
	if err := g.Retry(within(t), "fake"); err != nil || len(g.Tree()) != 1 || g.Err() != nil {
		t.Errorf("got %v, %v, %v", err, g.Tree(), g.Err())
	}
}

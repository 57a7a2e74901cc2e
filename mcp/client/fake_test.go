package client

// This file defines the servers of the tests: scripts that answer messages, over
// any transport.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// stayVariable makes a fake stay when its input has ended.
const stayVariable = "CODEMODE_TEST_STAY"

// fakeVariable makes the test binary the fake of that name.
const fakeVariable = "CODEMODE_TEST_FAKE"

func TestMain(m *testing.M) {
	if name := os.Getenv(fakeVariable); name != "" {
		runFake(name)
		return
	}
	goleak.VerifyTestMain(m)
}

// message is a message as a fake reads it.
type message struct {
	id     string // as JSON text, "" for a notification
	method string
	params data.Value
	answer data.Value // of a reply to the fake's own request
	whole  data.Value
}

func readMessage(line []byte) message {
	v, err := data.Parse(line)
	if err != nil {
		panic(fmt.Sprintf("the client sent %q: %v", line, err))
	}
	m := message{method: text(v, "method"), params: member(v, "params"), whole: v, answer: member(v, "result")}
	if id := member(v, "id"); id != nil {
		m.id = data.JSON(id)
	}
	return m
}

// talk is what a fake can do in one conversation.
type talk struct {
	mu   sync.Mutex
	w    io.Writer
	end  func()
	seen []message
	more chan struct{} // holds a token when there is a new message in seen
}

// send writes lines as they are.
func (t *talk) send(lines ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, line := range lines {
		io.WriteString(t.w, line+"\n")
	}
}

// reply answers a message with a result in JSON.
func (t *talk) reply(m message, result string) {
	t.send(`{"jsonrpc":"2.0","id":` + m.id + `,"result":` + result + `}`)
}

// fake is a server. Handlers run on the reader's goroutine.
type fake struct {
	// tools is the JSON of the list.
	tools string
	// on replaces the handling of methods, calls that of tools.
	on    map[string]func(*talk, message)
	calls map[string]func(*talk, message)
	// began is called at the start of a conversation.
	began func(*talk)

	mu    sync.Mutex
	talks []*talk
}

func (f *fake) talk(w io.Writer, end func()) *talk {
	t := &talk{w: w, end: end, more: make(chan struct{}, 1)}
	f.mu.Lock()
	f.talks = append(f.talks, t)
	f.mu.Unlock()
	if f.began != nil {
		f.began(t)
	}
	return t
}

func (f *fake) starts() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.talks)
}

// last is the latest conversation.
func (f *fake) last() *talk {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.talks[len(f.talks)-1]
}

func (f *fake) serve(r io.Reader, w io.Writer, end func()) {
	t := f.talk(w, end)
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		f.handle(t, readMessage(line))
	}
}

func (t *talk) note(m message) {
	t.mu.Lock()
	t.seen = append(t.seen, m)
	t.mu.Unlock()
	select {
	case t.more <- struct{}{}:
	default:
	}
}

// messages are the messages that have come.
func (t *talk) messages() []message {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.seen)
}

// awaits waits for a message that fits.
func (t *talk) awaits(tt testing.TB, fits func(message) bool) message {
	tt.Helper()
	deadline := time.After(20 * time.Second)
	for {
		t.mu.Lock()
		for _, m := range t.seen {
			if fits(m) {
				t.mu.Unlock()
				return m
			}
		}
		t.mu.Unlock()
		select {
		case <-t.more:
		case <-deadline:
			tt.Fatal("the message did not come")
		}
	}
}

func (f *fake) handle(t *talk, m message) {
	defer t.note(m)
	if h := f.on[m.method]; h != nil {
		h(t, m)
		return
	}
	switch m.method {
	case methodDiscover:
		t.send(`{"jsonrpc":"2.0","id":` + m.id + `,"error":{"code":-32601,"message":"Method not found"}}`)
	case methodInitialize:
		t.reply(m, handshake)
	case methodList:
		list := f.tools
		if list == "" {
			list = echoTool
		}
		t.reply(m, `{"tools":[`+list+`]}`)
	case methodCall:
		if h := f.calls[text(m.params, "name")]; h != nil {
			h(t, m)
			return
		}
		t.reply(m, `{"content":[{"type":"text","text":`+data.JSON(data.String("called "+text(m.params, "name")))+`}]}`)
	}
}

const (
	handshake = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fake","version":"1.2.3"}}`
	echoTool  = `{"name":"echo","description":"Say it again","inputSchema":{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}}`
)

// named is a tool with a name and nothing else.
func named(names ...string) string {
	var list []string
	for _, name := range names {
		list = append(list, `{"name":`+data.JSON(data.String(name))+`,"inputSchema":{"type":"object"}}`)
	}
	return strings.Join(list, ",")
}

// answers is a handler that gives a result.
func answers(result string) func(*talk, message) {
	return func(t *talk, m message) { t.reply(m, result) }
}

func nothing(*talk, message) {}

// dial is a way to the fake within the process.
func (f *fake) dial(context.Context) (io.ReadWriteCloser, error) {
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		f.serve(theirs, theirs, func() { theirs.Close() })
	}()
	return ours, nil
}

// over is a server over the fake's stream.
func (f *fake) over() Server { return Server{Name: "fake", Dial: f.dial} }

// fakes are the servers that run as a child process.
var fakes = map[string]*fake{}

// child registers a fake and gives the server that runs it as a child.
func child(name string, f *fake) Server {
	fakes[name] = f
	return Server{Name: "fake", Command: []string{os.Args[0], "-test.run=^$"}, Env: map[string]string{fakeVariable: name, "GORACE": "atexit_sleep_ms=0"}}
}

func runFake(name string) {
	f := fakes[name]
	if f == nil {
		fmt.Fprintln(os.Stderr, "there is no fake", name)
		os.Exit(2)
	}
	f.serve(os.Stdin, os.Stdout, func() { os.Exit(3) })
	if os.Getenv(stayVariable) != "" {
		select {}
	}
}

// web is the fake as streamable HTTP without sessions: a message a request, all
// that is sent meanwhile as events.
func (f *fake) web() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.Error(w, "no stream", http.StatusMethodNotAllowed)
			return
		}
		body, _ := io.ReadAll(r.Body)
		m := readMessage(body)
		if m.id == "" || m.method == "" {
			f.handle(f.talk(io.Discard, nil), m)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		f.handle(f.talk(eventWriter{w}, nil), m)
	})
}

// eventWriter writes each line as an event.
type eventWriter struct{ w http.ResponseWriter }

func (e eventWriter) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		fmt.Fprintf(e.w, "event: message\ndata: %s\n\n", bytes.TrimSpace(line))
	}
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
	return len(p), nil
}

// serveHTTP starts a handler and gives its server.
func serveHTTP(t testing.TB, h http.Handler) Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return Server{Name: "fake", URL: s.URL}
}

// connected is a client that the test's end closes.
func connected(t testing.TB, s Server, callbacks Callbacks) *Client {
	t.Helper()
	c, err := Connect(t.Context(), s, callbacks)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeClient(t, c) })
	return c
}

func closeClient(t testing.TB, c *Client) {
	t.Helper()
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// program calls the tools of a client as they are now.
func program(t testing.TB, c *Client) *tooltest.Program {
	t.Helper()
	return tooltest.New(t, c.Tree())
}

// names are the tools of a client, sorted.
func names(t testing.TB, c *Client) string {
	t.Helper()
	catalog, err := tool.Resolve(c.Tree())
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range catalog.All() {
		list = append(list, strings.Join(e.Path[1:], "."))
	}
	return strings.Join(list, " ")
}

// says fails the test unless a text has all parts.
func mustSay(t testing.TB, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("got %q, want it to say %q", got, part)
		}
	}
}

// within is ctx with a bound that no test should meet.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// troubles are the troubles of a client, a line each.
func troubles(c *Client) string {
	var lines []string
	for _, t := range c.Status().Troubles {
		lines = append(lines, t.String())
	}
	return strings.Join(lines, "\n")
}

// peek reads a request's message and gives the request as it was.
func peek(r *http.Request, m *message) *http.Request {
	body, _ := io.ReadAll(r.Body)
	*m = readMessage(body)
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	return again
}

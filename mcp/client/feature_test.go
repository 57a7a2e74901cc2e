package client

// This file defines tests of what the protocol offers, at both of its eras.

//lint:file-ignore SA1019 Roots are deprecated in the newest one.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// peerServer is a server of the SDK with tools that use what there is.
func peerServer(versions ...string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "peer", Title: "A peer", Description: "Peers of tests", Version: "9"}, &mcp.ServerOptions{
		Instructions: "Use it well.", SupportedProtocolVersions: versions})
	object := json.RawMessage(`{"type":"object"}`)
	add := func(name string, h mcp.ToolHandler) { s.AddTool(&mcp.Tool{Name: name, InputSchema: object}, h) }
	add("plain", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return said(string(r.Params.Arguments)), nil
	})
	add("steps", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3, Message: "step"})
		}
		return said("done"), nil
	})
	// Written for the newest protocol; the SDK's server asks older clients itself.
	add("ask", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if answer, ok := r.Params.InputResponses["name"].(*mcp.ElicitResult); ok {
			return said(fmt.Sprint(answer.Action, " ", answer.Content["name"], " ", r.Params.RequestState)), nil
		}
		return &mcp.CallToolResult{RequestState: "state-1", InputRequests: mcp.InputRequestMap{"name": &mcp.ElicitParams{
			Mode: "form", Message: "What is your name?",
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`),
		}}}, nil
	})
	add("roots", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if roots, ok := r.Params.InputResponses["roots"].(*mcp.ListRootsResult); ok {
			return said(roots.Roots[0].URI), nil
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}}}, nil
	})
	add("grow", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddTool(&mcp.Tool{Name: "actor-x", InputSchema: object}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return said("actor"), nil
		})
		return said("grown"), nil
	})
	return s
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// ways are the ways to the peer: every transport at every era.
func ways(t *testing.T) map[string]func(*mcp.Server) Server {
	stream := func(s *mcp.Server) Server {
		return Server{Name: "peer", Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
			ours, theirs := net.Pipe()
			_, err := s.Connect(context.WithoutCancel(ctx), &mcp.IOTransport{Reader: theirs, Writer: theirs}, nil)
			return ours, err
		}}
	}
	web := func(stateless bool) func(*mcp.Server) Server {
		return func(s *mcp.Server) Server {
			h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
				&mcp.StreamableHTTPOptions{Stateless: stateless, PropagateRequestCancellation: true})
			server := serveHTTP(t, h)
			server.Name = "peer"
			return server
		}
	}
	return map[string]func(*mcp.Server) Server{"stream": stream, "http": web(false), "http stateless": web(true)}
}

const newest = "2026-07-28"

// everywhere runs a test over each transport at each era.
func everywhere(t *testing.T, f func(t *testing.T, way string, version string, s Server)) {
	t.Helper()
	inTurn(t, func(string, string) bool { return true }, f)
}

// withMessages runs a test where a server can send messages of its own and is
// told of interruptions: everywhere but without sessions at the older protocol.
func withMessages(t *testing.T, f func(t *testing.T, way string, version string, s Server)) {
	t.Helper()
	inTurn(t, func(way, version string) bool { return way != "http stateless" || version != legacy }, f)
}

func inTurn(t *testing.T, fits func(way, version string) bool, f func(t *testing.T, way string, version string, s Server)) {
	for _, version := range []string{legacy, newest} {
		for way, to := range ways(t) {
			if !fits(way, version) {
				continue
			}
			t.Run(version+" "+way, func(t *testing.T) {
				s := to(peerServer(newest, legacy))
				if version == legacy {
					s.Protocol = legacy
				}
				f(t, way, version, s)
			})
		}
	}
}

func TestDescriptionOfANamespace(t *testing.T) {
	said := peer{title: "Title", description: "What it is", instructions: "How to use it"}
	untold := said
	untold.description = ""
	for _, test := range []struct {
		configured string
		peer       peer
		want       string
	}{{"Ours", said, "Ours"}, {"", said, "What it is"}, {"", untold, "Title"}, {"", peer{instructions: "How to use it"}, ""}} {
		n := (&Client{server: Server{Description: test.configured}, peer: test.peer}).Namespace()
		if n.Description != test.want || n.Guide != "How to use it" {
			t.Errorf("%+v: got %q, %q", test, n.Description, n.Guide)
		}
	}
}

func TestBothErasOverAllTransports(t *testing.T) {
	everywhere(t, func(t *testing.T, way, version string, s Server) {
		var reports atomic.Int32
		c := connected(t, s, Callbacks{Progress: func(ctx context.Context, p Progress) {
			if p.Server != "peer" || p.Tool != "steps" || p.Total != 3 || p.Message != "step" {
				t.Errorf("got %+v", p)
			}
			reports.Add(1)
		}})
		got := c.Status()
		// Only one of the two transports over HTTP speaks the newest protocol with the SDK's server.
		if got.Protocol != version && way != "http" || got.Server != "peer" || got.Title != "A peer" || got.Version != "9" || got.Tools != 5 {
			t.Errorf("got %+v", got)
		}
		if n := c.Namespace(); c.Instructions() != "Use it well." || n.Guide != "Use it well." || n.Description != "Peers of tests" {
			t.Errorf("got %q, %+v", c.Instructions(), n)
		}
		p := program(t, c)
		if o := p.Call("peer.plain", map[string]any{"b": 1, "a": []any{true, nil}}); o.Value != data.String(`{"a":[true,null],"b":1}`) {
			t.Errorf("got %v, %v", o.Value, o.Failure)
		}
		if o := p.Call("peer.steps"); o.Value != data.String("done") || reports.Load() != 3 {
			t.Errorf("got %v, %v, %d reports", o.Value, o.Failure, reports.Load())
		}
	})
}

func TestQuestionsReachThePerson(t *testing.T) {
	withMessages(t, func(t *testing.T, way, version string, s Server) {
		c := connected(t, s, Callbacks{Elicit: func(ctx context.Context, e Elicitation) (Answer, error) {
			if e.Server != "peer" || e.Tool != "ask" || e.Message != "What is your name?" || e.Calls != 1 {
				t.Errorf("got %+v", e)
			}
			if properties := e.Schema.Properties(); len(properties) != 1 || properties[0] != "name" {
				t.Errorf("got %v", properties)
			}
			return Answer{Action: Accept, Content: data.NewObject([]data.Member{{Key: "name", Value: data.String("Ada")}})}, nil
		}})
		p := program(t, c)
		want := "accept Ada state-1"
		if o := p.Call("peer.ask"); o.Value != data.String(want) {
			t.Errorf("got %v, %v", o.Value, o.Failure)
		}
	})
}

func TestQuestionsThatAreNotAnswered(t *testing.T) {
	f := &fake{
		tools: named("ask"),
		calls: map[string]func(*talk, message){"ask": func(t *talk, m message) {
			t.mu.Lock()
			t.seen = append(t.seen, m)
			t.mu.Unlock()
			t.send(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}}}`)
		}},
	}
	// The server passes on what it was told.
	f.on = map[string]func(*talk, message){"": func(t *talk, m message) {
		call := t.awaitsNoTest(methodCall)
		t.reply(call, `{"content":[{"type":"text","text":`+data.JSON(data.String(data.JSON(m.whole)))+`}]}`)
	}}
	elicit := func(a Answer, err error) Callbacks {
		return Callbacks{Elicit: func(_ context.Context, e Elicitation) (Answer, error) {
			if got := e.Schema.Properties(); len(got) != 2 || got[0] != "z" {
				t.Errorf("the properties are %v", got)
			}
			return a, err
		}}
	}
	for name, want := range map[string]struct {
		callbacks Callbacks
		says      []string
	}{
		"declined":  {elicit(Answer{Action: Decline}, nil), []string{`"action":"decline"`}},
		"dismissed": {elicit(Answer{Action: Cancel}, nil), []string{`"action":"cancel"`}},
		"failed":    {elicit(Answer{}, errors.New("secret reason")), []string{`"error"`, "the question was not answered"}},
		"panicked": {Callbacks{Elicit: func(context.Context, Elicitation) (Answer, error) { panic("secret") }},
			[]string{`"error"`, "the question was not answered"}},
		"nonsense":    {elicit(Answer{Action: "maybe"}, nil), []string{`"error"`, "the question was not answered"}},
		"not offered": {Callbacks{}, []string{`"error"`, "does not support elicitation"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := connected(t, f.over(), want.callbacks)
			o := program(t, c).Call("fake.ask")
			got, _ := o.Value.(data.String)
			mustSay(t, string(got), want.says...)
			if strings.Contains(string(got), "secret") {
				t.Errorf("the server was told %s", got)
			}
			offered := member(member(f.last().awaits(t, func(m message) bool { return m.method == methodInitialize }).params, "capabilities"), "elicitation") != nil
			if offered != (want.callbacks.Elicit != nil) {
				t.Errorf("offered: %v", offered)
			}
		})
	}
}

// awaitsNoTest is the latest message of a method that has come.
func (t *talk) awaitsNoTest(method string) message {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := len(t.seen) - 1; i >= 0; i-- {
		if t.seen[i].method == method {
			return t.seen[i]
		}
	}
	panic("no " + method)
}

// sampler asks for a completion and passes the result on.
func sampler() *fake {
	return &fake{
		tools: named("ask"),
		calls: map[string]func(*talk, message){"ask": func(t *talk, m message) {
			t.send(`{"jsonrpc":"2.0","id":"for ` + m.id + `","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"2+2?"}}],"maxTokens":12}}`)
		}},
		on: map[string]func(*talk, message){"": func(t *talk, m message) {
			call := strings.TrimSuffix(strings.TrimPrefix(m.id, `"for `), `"`)
			t.reply(message{id: call}, `{"structuredContent":`+data.JSON(m.answer)+`}`)
		}},
	}
}

func TestSampling(t *testing.T) {
	c := connected(t, sampler().over(), Callbacks{Sample: func(_ context.Context, s Sampling) (*data.Object, error) {
		if got := data.JSON(s.Params); got != `{"messages":[{"role":"user","content":{"type":"text","text":"2+2?"}}],"maxTokens":12}` || s.Tool != "ask" {
			t.Errorf("got %s for %s", got, s.Tool)
		}
		v, err := data.ParseString(`{"role":"assistant","content":{"type":"text","text":"4"},"model":"m","stopReason":"endTurn"}`)
		return v.(*data.Object), err
	}})
	o := program(t, c).Call("fake.ask")
	if text(o.Value, "model") != "m" || text(member(o.Value, "content"), "text") != "4" {
		t.Errorf("got %v, %v", o.Value, o.Failure)
	}
}

func TestAPersonsTimeDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := sampler()
		c, err := Connect(t.Context(), f.over(), Callbacks{Sample: func(ctx context.Context, _ Sampling) (*data.Object, error) {
			select {
			case <-time.After(10 * time.Minute):
			case <-ctx.Done():
				t.Error("the question was interrupted")
			}
			v, err := data.ParseString(`{"role":"assistant","content":{"type":"text","text":"4"},"model":"m"}`)
			return v.(*data.Object), err
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		if _, err := c.call(t.Context(), c.listing.tools[0], nil); err != nil {
			t.Error(err)
		}
	})
}

// The clock of an execution stands while a server's question is open, and the
// call has its permit back when it goes on.
func TestAQuestionLetsTheCallWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := sampler()
		asked, answer := make(chan struct{}, 16), make(chan struct{})
		c, err := Connect(t.Context(), f.over(), Callbacks{Sample: func(context.Context, Sampling) (*data.Object, error) {
			asked <- struct{}{}
			<-answer
			v, err := data.ParseString(`{"role":"assistant","content":{"type":"text","text":"4"},"model":"m"}`)
			return v.(*data.Object), err
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		tree := c.Tree()
		free := make(chan struct{}, 16)
		tree["other"] = tool.New("waits for nobody", func(context.Context, struct{}) (string, error) {
			free <- struct{}{}
			return "ran", nil
		})
		p := tooltest.New(t, tree)
		var all sync.WaitGroup
		defer all.Wait()
		for range tool.MaxConcurrent { // they hold all permits until they wait
			all.Go(func() {
				if o := p.Call("fake.ask"); o.Failure != nil {
					t.Error(o.Failure)
				}
			})
			<-asked
		}
		all.Go(func() { p.Call("other") })
		<-free
		for range tool.MaxConcurrent {
			answer <- struct{}{}
			synctest.Wait()
		}
	})
}

func TestRootsAreOfferedWhenTheyAreConfigured(t *testing.T) {
	f := &fake{}
	connected(t, f.over(), Callbacks{})
	capabilities := func() string {
		return data.JSON(member(f.last().awaits(t, func(m message) bool { return m.method == methodInitialize }).params, "capabilities"))
	}
	if got := capabilities(); got != "{}" {
		t.Errorf("without roots: %s", got)
	}
	s := f.over()
	s.Roots = []Root{{URI: "file:///srv/demo", Name: "demo"}}
	connected(t, s, Callbacks{})
	if got := capabilities(); got != `{"roots":{}}` {
		t.Errorf("with roots: %s", got)
	}
	withMessages(t, func(t *testing.T, way, version string, s Server) {
		s.Roots = []Root{{URI: "file:///srv/demo"}}
		if o := program(t, connected(t, s, Callbacks{})).Call("peer.roots"); o.Value != data.String("file:///srv/demo") {
			t.Errorf("got %v, %v", o.Value, o.Failure)
		}
	})
}

func TestToolsThatAppearLater(t *testing.T) {
	withMessages(t, func(t *testing.T, way, version string, s Server) {
		changed := make(chan *Client, 8)
		c := connected(t, s, Callbacks{Changed: func(c *Client) { changed <- c }})
		before := program(t, c)
		if o := before.Call("peer.grow"); o.Value != data.String("grown") {
			t.Fatalf("got %v, %v", o.Value, o.Failure)
		}
		select {
		case <-changed:
		case <-within(t).Done():
			t.Fatal("the change was not announced")
		}
		before.Fails(diagnostics.UnknownTool, "peer.actor-x")
		if o := program(t, c).Call("peer.actor-x"); o.Value != data.String("actor") {
			t.Errorf("got %v, %v", o.Value, o.Failure)
		}
	})
}

func TestNoticesAreCollected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lists atomic.Int32
		var tools atomic.Value
		tools.Store(named("a"))
		f := &fake{on: map[string]func(*talk, message){methodList: func(t *talk, m message) {
			lists.Add(1)
			t.reply(m, `{"tools":[`+tools.Load().(string)+`]}`)
		}}}
		var changes atomic.Int32
		c, err := Connect(t.Context(), f.over(), Callbacks{Changed: func(*Client) { changes.Add(1) }})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		hooked := 0
		c.OnChange(func() { hooked++ })
		notice := func() { f.last().send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`) }
		old := c.Tree()
		tools.Store(named("a", "b"))
		for range 4 {
			notice()
			time.Sleep(100 * time.Millisecond)
		}
		if lists.Load() != 1 {
			t.Errorf("listed %d times while notices came", lists.Load())
		}
		time.Sleep(150 * time.Millisecond)
		synctest.Wait()
		if lists.Load() != 2 || changes.Load() != 1 || hooked != 1 || names(t, c) != "a b" {
			t.Errorf("%d lists, %d changes, tools %s", lists.Load(), changes.Load(), names(t, c))
		}
		if len(old["fake"].(tool.Namespace).Tools) != 1 {
			t.Error("a tree that was handed out has changed")
		}
		// Notices that never cease are heard after 2 seconds.
		for range 25 {
			notice()
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		if lists.Load() != 3 || changes.Load() != 1 {
			t.Errorf("%d lists, %d changes", lists.Load(), changes.Load())
		}
	})
}

// The tools are listed once at a time, so that the last answer is that to the
// last notice.
func TestOneListAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lists atomic.Int32
		var open, most atomic.Int32
		f := &fake{on: map[string]func(*talk, message){methodList: func(t *talk, m message) {
			n := lists.Add(1)
			most.Store(max(most.Load(), open.Add(1)))
			delay := time.Duration(0)
			if n == 2 {
				delay = 10 * time.Second // it knows of the first change alone
			}
			time.AfterFunc(delay, func() {
				open.Add(-1)
				t.reply(m, `{"tools":[`+named(fmt.Sprint("t", n))+`]}`)
			})
		}}}
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		for range 10 {
			f.last().send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			time.Sleep(500 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		if got := names(t, c); got != "t3" || lists.Load() != 3 || most.Load() != 1 {
			t.Errorf("the tools are %s after %d lists, %d at once", got, lists.Load(), most.Load())
		}
	})
}

// A server that does not answer for its tools any more is asked once at a time.
func TestListsThatAreNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lists atomic.Int32
		f := &fake{}
		f.on = map[string]func(*talk, message){methodList: func(t *talk, m message) {
			if lists.Add(1) == 1 {
				t.reply(m, `{"tools":[`+echoTool+`]}`)
			}
		}}
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		for range 50 {
			f.last().send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			time.Sleep(time.Second)
		}
		if lists.Load() != 2 {
			t.Errorf("asked %d times", lists.Load())
		}
		time.Sleep(time.Minute)
		if lists.Load() != 3 {
			t.Errorf("asked %d times", lists.Load())
		}
		mustSay(t, troubles(c), "its tools changed and cannot be listed")
	})
}

// A server that answers each list with a notice is listed ever more rarely.
func TestNoticesInACircle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lists atomic.Int32
		f := &fake{on: map[string]func(*talk, message){methodList: func(t *talk, m message) {
			lists.Add(1)
			t.reply(m, `{"tools":[`+named("a")+`]}`)
			t.send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}}}
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		time.Sleep(10 * time.Minute)
		if n := lists.Load(); n > 32 {
			t.Errorf("listed %d times in 10 minutes", n)
		}
	})
}

func TestProgressKeepsACallAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
			token := data.JSON(member(member(m.params, "_meta"), "progressToken"))
			go func() {
				for i := range 10 {
					time.Sleep(40 * time.Second)
					t.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, token, i))
				}
				time.Sleep(40 * time.Second)
				t.reply(m, `{"content":[{"type":"text","text":"slow"}]}`)
			}()
		}}}
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		v, err := c.call(t.Context(), c.listing.tools[0], nil)
		if v != data.String("slow") {
			t.Errorf("got %v, %v", v, err)
		}
	})
}

func TestInterruptionTellsTheServer(t *testing.T) {
	withMessages(t, func(t *testing.T, way, version string, s Server) {
		started, ended := make(chan struct{}), make(chan error, 1)
		server := peerServer(newest, legacy)
		server.AddTool(&mcp.Tool{Name: "hang", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			close(started)
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return said("too late"), nil
		})
		pinned := s.Protocol
		s = ways(t)[way](server)
		s.Protocol = pinned
		c := connected(t, s, Callbacks{})
		ctx, interrupt := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			for _, d := range c.listing.tools {
				if d.name == "hang" {
					_, err := c.call(ctx, d, nil)
					done <- err
				}
			}
		}()
		<-started
		interrupt()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		select {
		case <-ended:
		case <-within(t).Done():
			t.Fatal("the server goes on")
		}
		if o := program(t, c).Call("peer.plain"); o.Failure != nil {
			t.Errorf("afterwards: %v", o.Failure)
		}
	})
}

func TestLogMessagesReachTheHost(t *testing.T) {
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		t.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"db","data":{"rows":2}}}`)
		t.reply(m, `{}`)
	}}}
	logged := make(chan LogEntry, 4)
	c := connected(t, f.over(), Callbacks{Log: func(e LogEntry) {
		if e.Source == Message {
			logged <- e
		}
	}})
	program(t, c).Call("fake.echo", map[string]any{"message": ""})
	select {
	case e := <-logged:
		if e.Level != "warning" || e.Text != `db: {"rows":2}` || e.Server != "fake" {
			t.Errorf("got %+v", e)
		}
	case <-within(t).Done():
		t.Fatal("nothing was logged")
	}
}

func TestAPanicOfACallbackIsATrouble(t *testing.T) {
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		t.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`+data.JSON(member(member(m.params, "_meta"), "progressToken"))+`,"progress":1}}`)
		t.reply(m, `{"content":[{"type":"text","text":"fine"}]}`)
	}}}
	c := connected(t, f.over(), Callbacks{
		Progress: func(context.Context, Progress) { panic("progress") },
		Log:      func(LogEntry) { panic("log") },
		Trouble:  func(string, Trouble) { panic("trouble") },
	})
	if o := program(t, c).Call("fake.echo", map[string]any{"message": ""}); o.Value != data.String("fine") {
		t.Errorf("got %v, %v", o.Value, o.Failure)
	}
	mustSay(t, troubles(c), "a callback of the host failed", "progress")
}

func TestManyCallsAtOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, _, _ string, s Server) {
		c := connected(t, s, Callbacks{})
		var plain *definition
		for _, d := range c.listing.tools {
			if d.name == "plain" {
				plain = d
			}
		}
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				input := data.NewObject([]data.Member{{Key: "i", Value: data.IntOf(int64(i))}})
				if v, err := c.call(t.Context(), plain, input); v != data.String(data.JSON(input)) {
					t.Errorf("got %v, %v", v, err)
				}
			})
		}
		all.Wait()
		c.session.wire.mu.Lock()
		defer c.session.wire.mu.Unlock()
		// The newest protocol keeps one request open for notices.
		if w := c.session.wire; len(w.requests) != 0 || len(w.sent) > 1 || len(w.asks) != 0 {
			t.Errorf("%d requests, %d unanswered, %d questions are left", len(w.requests), len(w.sent), len(w.asks))
		}
	})
}

func TestInputsThatAreNoObject(t *testing.T) {
	f := &fake{tools: named("echo")}
	p := program(t, connected(t, f.over(), Callbacks{}))
	mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.echo", []int{1}), "got an array as input, want one object")
	mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.echo", "x"), "got a string as input")
	if o := p.Call("fake.echo", nil); o.Failure != nil {
		t.Errorf("null: %v", o.Failure)
	}
}

func TestValidationModes(t *testing.T) {
	calls := 0
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		calls++
		t.reply(m, `{"isError":true,"content":[{"type":"text","text":"MCP error -32602: Input validation error"}]}`)
	}}}
	for mode, want := range map[Validation]struct {
		kind  diagnostics.Kind
		says  string
		calls int
	}{
		Hint:   {diagnostics.ToolFailure, "Input validation error\nwhat does not fit the input schema: input.message", 1},
		Strict: {diagnostics.InvalidToolInput, "input.message", 0},
		Off:    {diagnostics.ToolFailure, "Input validation error", 1},
	} {
		calls = 0
		s := f.over()
		s.Validate = mode
		got := program(t, connected(t, s, Callbacks{})).Fails(want.kind, "fake.echo", map[string]any{"message": 5})
		mustSay(t, got, want.says)
		if calls != want.calls || mode == Off && strings.Contains(got, "schema") {
			t.Errorf("mode %d: %d calls, %q", mode, calls, got)
		}
	}
}

func TestIncludeAndExclude(t *testing.T) {
	f := &fake{tools: named("read_file", "read_dir", "write_file", "stat")}
	for _, c := range []struct {
		include, exclude []string
		want             string
	}{
		{nil, nil, "read_dir read_file stat write_file"},
		{[]string{"read_*", "stat"}, nil, "read_dir read_file stat"},
		{[]string{}, nil, ""},
		{nil, []string{"*_file"}, "read_dir stat"},
		{[]string{"*"}, []string{"w*e"}, "read_dir read_file stat"},
		{[]string{"*a*f*"}, nil, "read_file"},
	} {
		s := f.over()
		s.Include, s.Exclude = c.include, c.exclude
		if got := names(t, connected(t, s, Callbacks{})); got != c.want {
			t.Errorf("%q without %q: got %q, want %q", c.include, c.exclude, got, c.want)
		}
	}
}

func TestWrongConfigurationsAreNamed(t *testing.T) {
	dial := (&fake{}).dial
	for want, s := range map[string]Server{
		"Name":                           {Dial: dial},
		"Name: want text":                {Name: "a..b", Dial: dial},
		"got 0 of Command, URL and Dial": {Name: "a"},
		"got 2 of Command, URL and Dial": {Name: "a", Dial: dial, Command: []string{"x"}},
		"URL: want an absolute":          {Name: "a", URL: "localhost:80"},
		"Transport: got 9":               {Name: "a", Dial: dial, Transport: 9},
		"Validate: got 7":                {Name: "a", Dial: dial, Validate: 7},
		"Concurrency: got -1":            {Name: "a", Dial: dial, Concurrency: -1},
		"MaxMessageBytes: got -1":        {Name: "a", Dial: dial, MaxMessageBytes: -1},
		"ConnectTimeout: got -1s":        {Name: "a", Dial: dial, ConnectTimeout: -time.Second},
	} {
		c, err := Connect(t.Context(), s, Callbacks{})
		if err == nil {
			closeClient(t, c)
			t.Errorf("%s: it connected", want)
			continue
		}
		mustSay(t, err.Error(), want)
	}
}

func TestSchemasKeepTheirOrder(t *testing.T) {
	f := &fake{tools: `{"name":"t","inputSchema":{"type":"object","properties":{"zeta":{"type":"string"},"alpha":{"type":"integer"},"mid":{}}}}`}
	c := connected(t, f.over(), Callbacks{})
	got := c.Namespace().Tools["t"].(*tool.Tool).Input()
	if p := got.Properties(); fmt.Sprint(p) != "[zeta alpha mid]" {
		t.Errorf("got %v", p)
	}
	var _ *schema.Schema = got
}

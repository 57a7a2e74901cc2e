package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/mcp/server"
	"github.com/codemode-go/codemode/registry"
)

// downstream is a server of the given era that asks, reports and waits.
func downstream(era string, began, ended *atomic.Int32) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "below", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{era}, Instructions: "Ask first."})
	object := json.RawMessage(`{"type":"object"}`)
	text := func(text string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	}
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: object}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		question := &mcp.ElicitParams{Mode: "form", Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)}
		if era < newer {
			a, err := r.Session.Elicit(ctx, question)
			if err != nil {
				return nil, err
			}
			return text(fmt.Sprint(a.Action, " ", a.Content["name"])), nil
		}
		if a, ok := r.Params.InputResponses["q"].(*mcp.ElicitResult); ok {
			return text(fmt.Sprint(a.Action, " ", a.Content["name"])), nil
		}
		return &mcp.CallToolResult{RequestState: "s", InputRequests: mcp.InputRequestMap{"q": question}}, nil
	})
	s.AddTool(&mcp.Tool{Name: "wait", InputSchema: object}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		began.Add(1)
		defer ended.Add(1)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	return s
}

// A question of a server behind reaches the user in front, whichever eras the two speak; so does an interruption the other way.
func TestServerBehind(t *testing.T) {
	for _, below := range []string{older, newer} {
		eachWay(t, func(t *testing.T, w way) {
			var began, ended atomic.Int32
			behind := downstream(below, &began, &ended)
			r, err := registry.New(registry.Options{Runtime: server.DefaultRuntime()})
			if err != nil {
				t.Fatal(err)
			}
			s, err := server.New(r, server.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close(context.Background())
			c, err := client.Connect(context.Background(), client.Server{Name: "below", Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
				ours, theirs := net.Pipe()
				_, err := behind.Connect(context.WithoutCancel(ctx), &mcp.IOTransport{Reader: theirs, Writer: theirs}, nil)
				return ours, err
			}}, client.Callbacks{Elicit: func(ctx context.Context, e client.Elicitation) (client.Answer, error) {
				a, err := s.Elicit(ctx, server.Question{From: e.Server, Message: e.Message, Schema: e.Schema, Guessed: e.Guessed, Among: e.During})
				return client.Answer{Action: client.Action(a.Action), Content: a.Content}, err
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close(context.Background())
			if _, err := r.Register(c.Tree(), registry.Deferred); err != nil {
				t.Fatal(err)
			}
			f := &fixture{t: t, registry: r, server: s}
			p := &person{answer: accepting("Ann")}
			session := w.dial(f, p.options())
			defer session.Close()
			if list, err := session.ListTools(t.Context(), nil); err != nil || strings.Contains(list.Tools[0].Description, "Ask first") || !strings.Contains(list.Tools[0].Description, "GUIDE") {
				t.Errorf("the instructions of a server are not only found by search: %v %v", err, list)
			}
			got := run(t, session, `return [await tools.below.ask(), await tools.below.ask(), ...await Promise.all([tools.below.ask(), tools.below.ask()])]`)
			switch {
			case w.stateless && w.era == older:
				if !got.isError || !strings.Contains(got.text, "without a session a client of this version of the protocol cannot be asked; serve with sessions") {
					t.Errorf("%+v", got)
				}
			case toJSON(got.content["value"]) != `["accept Ann","accept Ann","accept Ann","accept Ann"]` || len(p.asked) != 4 || !strings.HasPrefix(p.asked[0], "form below asks: Who? {"):
				t.Errorf("%+v %v", got, p.asked)
			}
			if got := run(t, session, `return (await tools.$codemode.search({ namespace: "below" })).about`); toJSON(got.content["value"]) != `"Ask first."` {
				t.Errorf("%+v", got)
			}
			ctx, stop := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() {
				_, err := tryCall(ctx, session, "execute", map[string]any{"code": `await Promise.all([tools.below.wait(), tools.below.wait()])`})
				done <- err
			}()
			eventually(t, "two wait", func() bool { return began.Load() == 2 })
			stop()
			<-done
			eventually(t, "both end", func() bool { return ended.Load() == 2 })
		})
	}
}

// latecomer is a server of the older era that also asks after its call has ended.
type latecomer struct {
	*fixture
	ask    chan struct{} // closed when it is to ask
	asked  chan string   // what became of that
	held   atomic.Int32  // calls that wait
	finish chan struct{} // closed when they are to end
}

func newLatecomer(t *testing.T, o server.Options) *latecomer {
	t.Helper()
	var began, ended atomic.Int32
	behind := downstream(older, &began, &ended)
	l := &latecomer{ask: make(chan struct{}), asked: make(chan string, 1), finish: make(chan struct{})}
	object := json.RawMessage(`{"type":"object"}`)
	behind.AddTool(&mcp.Tool{Name: "late", InputSchema: object}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		go func() {
			<-l.ask
			a, err := r.Session.Elicit(context.Background(), &mcp.ElicitParams{Mode: "form", Message: "Secret of the first?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
			if err != nil {
				l.asked <- err.Error()
				return
			}
			l.asked <- a.Action
		}()
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
	})
	behind.AddTool(&mcp.Tool{Name: "hold", InputSchema: object}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		l.held.Add(1)
		<-l.finish
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "held"}}}, nil
	})
	l.fixture = newFixture(t, server.DefaultRuntime(), o)
	c, err := client.Connect(context.Background(), client.Server{Name: "below", Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		_, err := behind.Connect(context.WithoutCancel(ctx), &mcp.IOTransport{Reader: theirs, Writer: theirs}, nil)
		return ours, err
	}}, client.Callbacks{Elicit: func(ctx context.Context, e client.Elicitation) (client.Answer, error) {
		a, err := l.server.Elicit(ctx, server.Question{From: e.Server, Message: e.Message, Schema: e.Schema, Guessed: e.Guessed, Among: e.During})
		return client.Answer{Action: client.Action(a.Action), Content: a.Content}, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	if _, err := l.registry.Register(c.Tree(), registry.Deferred); err != nil {
		t.Fatal(err)
	}
	return l
}

// holding begins programs that hold a call each, and waits until they do.
func (l *latecomer) holding(session *mcp.ClientSession, n int) (results chan result) {
	l.t.Helper()
	results = make(chan result, n)
	for range n {
		go func() {
			r, err := tryCall(context.Background(), session, "execute", map[string]any{"code": `return tools.below.hold()`})
			if err != nil {
				l.t.Error(err)
			}
			results <- r
		}()
	}
	eventually(l.t, "calls are held", func() bool { return int(l.held.Load()) == n })
	return results
}

// asks has the late question asked, and wants what becomes of it.
func (l *latecomer) asks(want string) {
	l.t.Helper()
	close(l.ask)
	if got := <-l.asked; !strings.Contains(got, want) {
		l.t.Errorf("the late question: %s, want %s", got, want)
	}
}

const unanswered = "not answered"

// A question that may be for another client is shown to nobody.
func TestQuestionsOfOtherClients(t *testing.T) {
	l := newLatecomer(t, server.Options{})
	first, second := &person{answer: accepting("Ann")}, &person{answer: accepting("Bob")}
	a, b := l.overStream(older, first.options()), l.overStream(older, second.options())
	if r := run(t, a, `return [await tools.below.ask(), await tools.below.late()]`); toJSON(r.content["value"]) != `["accept Ann","done"]` {
		t.Fatalf("%+v", r)
	}
	results := l.holding(b, 1)
	l.asks(unanswered)
	const why = "Note: a question of below was not put to the user: it may be for another client, as below does not say which call it asks for"
	close(l.finish)
	if r := <-results; r.isError || r.text != "held\n\n"+why {
		t.Errorf("%+v", r)
	}
	if r := run(t, b, `return tools.below.ask()`); !r.isError || !strings.Contains(r.text, why) {
		t.Errorf("%+v", r)
	}
	if first.asked, second.asked = first.questions(), second.questions(); len(first.asked) != 1 || len(second.asked) != 0 {
		t.Errorf("asked: %v, %v", first.asked, second.asked)
	}
}

// Two clients without a session may have one name, so that each of their programs counts as another client's, unless all are one
// person's.
func TestQuestionsWithoutSessions(t *testing.T) {
	for oneUser, want := range map[bool]string{false: unanswered, true: "accept"} {
		l := newLatecomer(t, server.Options{OneUser: oneUser})
		url := l.web(server.HTTPOptions{})
		first, second := &person{answer: accepting("Ann")}, &person{answer: accepting("Bob")}
		dial := func(p *person) *mcp.ClientSession {
			return l.connect(newer, p.options(), &mcp.StreamableClientTransport{Endpoint: url})
		}
		a, b := dial(first), dial(second)
		if r := run(t, a, `return [await tools.below.ask(), await tools.below.late()]`); toJSON(r.content["value"]) != `["accept Ann","done"]` {
			t.Fatalf("%+v", r)
		}
		results := l.holding(b, 1)
		l.asks(want)
		close(l.finish)
		note := "\n\nNote: a question of below was not put to the user: it may be for another client (those without a session are not told apart), " +
			"as below does not say which call it asks for"
		if oneUser {
			note = ""
		}
		if r := <-results; r.isError || r.text != "held"+note {
			t.Errorf("%+v", r)
		}
		if len(first.questions()) != 1 || len(second.questions()) != 0 != oneUser {
			t.Errorf("asked: %v, %v", first.questions(), second.questions())
		}
	}
}

func (p *person) questions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// While a program waits for its client to come back, others of the client ask through the same server. What may be of two that
// run is asked by neither, and both results say so.
func TestQuestionsBesideAParkedProgram(t *testing.T) {
	l := newLatecomer(t, server.Options{})
	session := l.overStream(newer, manual(&person{}))
	for _, code := range []string{`return tools.below.ask()`, `return [await tools.below.ask()]`} {
		if r, err := retry(session, code, "", nil); err != nil || r.RequestState == "" || len(r.InputRequests) != 1 {
			t.Fatalf("%s: %v %s", code, err, toJSON(r))
		}
	}
	if r := run(t, session, `return tools.below.late()`); r.isError {
		t.Fatalf("%+v", r)
	}
	results := l.holding(session, 2)
	l.asks(unanswered)
	close(l.finish)
	for range 2 {
		if r := <-results; r.text != "held\n\nNote: a question of below was not put to the user: it may be for any of several programs, as below does not say which call it asks for" {
			t.Errorf("%+v", r)
		}
	}
}

// As many programs of one session wait for answers as the options say, though one server asks all the questions. The next is told
// what bounds them.
func TestManyQuestionsOfOneServer(t *testing.T) {
	l := newLatecomer(t, server.Options{MaxParked: 40})
	session := l.overStream(newer, manual(&person{}))
	for i := range 20 {
		if r, err := retry(session, fmt.Sprint("/*", i, "*/ return tools.below.ask()"), "", nil); err != nil || r.RequestState == "" {
			t.Fatalf("%d: %v %s", i, err, toJSON(r))
		}
	}
	const why = "all 20 places of programs of one session that wait for an answer are taken; ask again when one has its answer"
	if r := run(t, session, `return tools.below.ask()`); !strings.Contains(r.text, "Note: the user could not be asked: "+why) {
		t.Errorf("%+v", r)
	}
	if r := run(t, session, `return tools.ask({ to: "x" })`); !strings.HasPrefix(r.text, "ToolFailure: the user cannot be asked: "+why) {
		t.Errorf("%+v", r)
	}
}

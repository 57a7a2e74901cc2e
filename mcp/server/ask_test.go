package server_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/mcp/server"
	"github.com/codemode-go/codemode/registry"
)

// person is a client whose user answers questions.
type person struct {
	mu     sync.Mutex
	asked  []string
	answer func(*mcp.ElicitParams) (*mcp.ElicitResult, error)
}

func (p *person) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			p.mu.Lock()
			p.asked = append(p.asked, r.Params.Mode+" "+r.Params.Message+" "+r.Params.URL+toJSON(r.Params.RequestedSchema))
			p.mu.Unlock()
			return p.answer(r.Params)
		},
	}
}

func accepting(name string) func(*mcp.ElicitParams) (*mcp.ElicitResult, error) {
	return func(p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		if p.Mode == "url" {
			return &mcp.ElicitResult{Action: "accept"}, nil
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": name}}, nil
	}
}

// asking are the ways on which questions reach the user.
func asking(t *testing.T, test func(t *testing.T, w way)) {
	eachWay(t, func(t *testing.T, w way) {
		if w.stateless && w.era == older { // see TestNobodyToAsk
			return
		}
		test(t, w)
	})
}

// A program with two questions runs once, and waits for both answers.
func TestTwoQuestionsInOneProgram(t *testing.T) {
	asking(t, func(t *testing.T, w way) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{})
		p := &person{answer: accepting("Ann")}
		session := w.dial(f, p.options())
		r := run(t, session, `
			const before = Math.random();
			await tools.mail.send({ to: "ann" });
			const first = await tools.ask({ to: "first" });
			const second = await tools.ask({ to: "second" });
			const page = await tools.visit();
			return [first, second, page, typeof before]`)
		if r.isError || r.content["value"] == nil || toJSON(r.content["value"]) != `["accept Ann","accept Ann","accept","number"]` || len(r.content["calls"].([]any)) != 4 {
			t.Errorf("%+v", r)
		}
		want := `form shop asks: first? {"properties":{"name":{"type":"string"}},"type":"object"}` + "\n" +
			`form shop asks: second? {"properties":{"name":{"type":"string"}},"type":"object"}` + "\n" + `url Sign in https://example.com/innull`
		if got := strings.Join(p.asked, "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// Questions of calls that run together all get their answers, and answers go to the calls that asked.
func TestQuestionsTogether(t *testing.T) {
	asking(t, func(t *testing.T, w way) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{})
		p := &person{}
		p.answer = func(q *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": strings.ToUpper(q.Message)}}, nil
		}
		session := w.dial(f, p.options())
		r := run(t, session, `return Promise.all(["a", "b", "c", "d", "e", "f"].map((to) => tools.ask({ to })))`)
		want := `["accept SHOP ASKS: A?","accept SHOP ASKS: B?","accept SHOP ASKS: C?","accept SHOP ASKS: D?","accept SHOP ASKS: E?","accept SHOP ASKS: F?"]`
		if toJSON(r.content["value"]) != want || len(p.asked) != 6 {
			t.Errorf("%+v, %v", r, p.asked)
		}
	})
}

// What a rule asks about is put to the user.
func TestPermission(t *testing.T) {
	asking(t, func(t *testing.T, w way) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{Step: registry.Step{Rules: []registry.Rule{{Path: "mail.send", Effect: registry.Ask, Reason: "mail leaves the house"}}}})
		p := &person{answer: func(q *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			switch {
			case strings.Contains(q.Message, "ann"):
				return &mcp.ElicitResult{Action: "accept"}, nil
			case strings.Contains(q.Message, "bob"):
				return &mcp.ElicitResult{Action: "decline"}, nil
			}
			return &mcp.ElicitResult{Action: "cancel"}, nil
		}}
		session := w.dial(f, p.options())
		r := run(t, session, `const out = []; for (const to of ["ann", "bob", "cy"]) { try { out.push(await tools.mail.send({ to })) } catch (e) { out.push(e.message) } } return out`)
		want := `["sent to ann","tools.mail.send was not called: permission was asked for and refused: the user said no","tools.mail.send was not called: permission was asked for and refused: the user gave no answer"]`
		if toJSON(r.content["value"]) != want {
			t.Errorf("%+v", r)
		}
		if want := "form Allow the call tools.mail.send({\"to\":\"ann\"})?\nmail leaves the house {\"properties\":{},\"type\":\"object\"}"; p.asked[0] != want {
			t.Errorf("got %s, want %s", p.asked[0], want)
		}
	})
}

// A client that cannot ask its user is told so, and so is the program.
func TestNobodyToAsk(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{})
		session := w.dial(f, nil)
		r := run(t, session, `try { await tools.ask({ to: "x" }) } catch (e) { return e.message }`)
		want := "the user cannot be asked: the client does not support questions to its user\n\n" +
			"Note: the user could not be asked: this client does not support questions to its user (elicitation)"
		if w.stateless && w.era == older {
			want = "the user cannot be asked: without a session a client of this version of the protocol cannot be asked\n\n" +
				"Note: the user could not be asked: without a session a client of this version of the protocol cannot be asked; " +
				"serve with sessions, or take a client of 2026-07-28"
		}
		if r.text != want || r.isError {
			t.Errorf("got %s", r.text)
		}
	})
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	p := &person{answer: accepting("x")}
	o := p.options()
	o.Capabilities.Elicitation.URL = nil
	r := run(t, f.overStream(newer, o), `await tools.visit()`)
	if want := "ToolFailure: the user cannot be asked: the client does not support questions with an address to open\n"; !strings.HasPrefix(r.text, want) || !r.isError {
		t.Errorf("got %s", r.text)
	}
	if _, err := f.server.Elicit(context.Background(), server.Question{Message: "?"}); err == nil || err.Error() != "nobody can be asked: it is not known whose program the question is for" {
		t.Error(err)
	}
}

// manual is a client of the newer era that comes back by itself.
func manual(p *person) *mcp.ClientOptions {
	o := p.options()
	o.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
	return o
}

func retry(session *mcp.ClientSession, code, state string, answers mcp.InputResponseMap) (*mcp.CallToolResult, error) {
	return session.CallTool(context.Background(), &mcp.CallToolParams{Name: "execute", Arguments: map[string]any{"code": code}, RequestState: state, InputResponses: answers})
}

func textIn(r *mcp.CallToolResult) string { return r.Content[0].(*mcp.TextContent).Text }

// A state works once, for its session, for the call that it came of; answers may come in several rounds.
func TestStates(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	session, other := f.overStream(newer, manual(&person{})), f.overStream(newer, manual(&person{}))
	const code = `return Promise.all([tools.ask({ to: "a" }), tools.ask({ to: "b" })])`
	first, err := retry(session, code, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.InputRequests) != 2 || len(first.RequestState) < 26 || first.StructuredContent != nil {
		t.Fatal(toJSON(first))
	}
	accept := func(name string) mcp.InputResponse {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": name}}
	}
	lost := "there is no program to go on with: "
	for what, r := range map[string]func() (*mcp.CallToolResult, error){
		"another session":   func() (*mcp.CallToolResult, error) { return retry(other, code, first.RequestState, nil) },
		"another program":   func() (*mcp.CallToolResult, error) { return retry(session, code+" ", first.RequestState, nil) },
		"an invented state": func() (*mcp.CallToolResult, error) { return retry(session, code, "guess", nil) },
	} {
		if r, err := r(); err != nil || !r.IsError || !strings.HasPrefix(textIn(r), lost) {
			t.Errorf("%s: %v %s", what, err, toJSON(r))
		}
	}
	second, err := retry(session, code, first.RequestState, mcp.InputResponseMap{"question-1": accept("one")})
	if err != nil || len(second.InputRequests) != 1 || second.InputRequests["question-2"] == nil || second.RequestState == first.RequestState {
		t.Fatal(err, toJSON(second))
	}
	if r, err := retry(session, code, first.RequestState, nil); err != nil || !r.IsError || !strings.HasPrefix(textIn(r), lost) {
		t.Error(err, toJSON(r))
	}
	third, err := retry(session, code, second.RequestState, mcp.InputResponseMap{"question-2": accept("two"), "question-1": accept("again"), "question-9": accept("x")})
	if err != nil || third.IsError || !strings.Contains(textIn(third), "accept one") || !strings.Contains(textIn(third), "accept two") {
		t.Error(err, toJSON(third))
	}
}

// A program that nobody comes back for is ended; who comes late is told what ran.
func TestParkedExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{MaxParked: 1})
		session := f.overStream(newer, manual(&person{}))
		const code = `await tools.mail.send({ to: "ann" }); return tools.ask({ to: "a" })`
		r, err := retry(session, code, "", nil)
		if err != nil || r.RequestState == "" {
			t.Fatal(err, toJSON(r))
		}
		// There is room for one.
		if r := run(t, session, code); !r.isError || !strings.HasPrefix(r.text, "ToolFailure: the user cannot be asked: all 1 places of programs that wait for an answer are taken; ask again when one has its answer\n") {
			t.Errorf("%+v", r)
		}
		time.Sleep(5*time.Minute - time.Second)
		if got := f.counted("asking"); got != 2 {
			t.Error(got)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		late, err := retry(session, code, r.RequestState, mcp.InputResponseMap{"question-1": &mcp.ElicitResult{Action: "accept"}})
		want := "Nobody answered within 5m0s, so the program was ended.\n\nInterrupted: the host ended this before it was done.\n\n" +
			"Calls, in order:\n1. tools.mail.send({\"to\":\"ann\"}): completed\n2. tools.ask({\"to\":\"a\"}): interrupted; it may have taken effect"
		if err != nil || !late.IsError || textIn(late) != want {
			t.Errorf("%v %s", err, textIn(late))
		}
		r, err = retry(session, code, "", nil)
		if err != nil || r.RequestState == "" {
			t.Fatal(err, toJSON(r))
		}
		time.Sleep(11 * time.Minute)
		if r, err := retry(session, code, r.RequestState, nil); err != nil || !strings.HasPrefix(textIn(r), "there is no program") {
			t.Error(err, toJSON(r))
		}
	})
}

// One session cannot take all the room of the others.
func TestParkedBySession(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{MaxParked: 4})
	greedy, other := f.overStream(newer, manual(&person{})), f.overStream(newer, manual(&person{}))
	for i, want := range []bool{true, true, false} {
		if r, err := retry(greedy, `return tools.ask({ to: "x" })`, "", nil); err != nil || r.RequestState != "" != want {
			t.Errorf("%d: %v %s", i, err, toJSON(r))
		}
	}
	if r, err := retry(other, `return tools.ask({ to: "x" })`, "", nil); err != nil || r.RequestState == "" {
		t.Error(err, toJSON(r))
	}
}

// Waiting for an answer is off the clock.
func TestWaitingIsOffTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, codemode.Options{Limits: codemode.Limits{TimeoutMs: new(1000)}, MaxWait: 5 * time.Minute}, server.Options{})
		for _, era := range []string{older, newer} {
			p := &person{answer: func(*mcp.ElicitParams) (*mcp.ElicitResult, error) {
				time.Sleep(4 * time.Minute)
				return &mcp.ElicitResult{Action: "decline"}, nil
			}}
			if r := run(t, f.overStream(era, p.options()), `return tools.ask({ to: "x" })`); r.isError || r.text != "decline <nil>" {
				t.Errorf("%s: %+v", era, r)
			}
		}
	})
}

// The end of a session ends the programs that wait for it.
func TestSessionEndsParked(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	session := f.overStream(newer, manual(&person{}))
	if r, err := retry(session, `try { await tools.ask({ to: "a" }) } finally { await tools.mail.send({ to: "late" }) }`, "", nil); err != nil || r.RequestState == "" {
		t.Fatal(err, toJSON(r))
	}
	session.Close()
	eventually(t, "the program ends", func() bool { return f.server.Running() == 0 })
}

// A question is withdrawn when its call ends for another reason.
func TestQuestionWithdrawn(t *testing.T) {
	for _, era := range []string{older, newer} {
		f := newFixture(t, codemode.Options{Limits: codemode.Limits{TimeoutMs: new(300)}, MaxWait: time.Millisecond}, server.Options{})
		withdrawn := make(chan struct{})
		var once atomic.Bool
		o := (&person{}).options()
		o.ElicitationHandler = func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if era == newer { // its client cannot be told
				time.Sleep(600 * time.Millisecond)
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			<-ctx.Done()
			if !once.Swap(true) {
				close(withdrawn)
			}
			return nil, ctx.Err()
		}
		r := run(t, f.overStream(era, o), `return tools.ask({ to: "x" })`)
		if !r.isError || !strings.HasPrefix(r.text, "TimeoutExceeded: ") {
			t.Errorf("%s: %+v", era, r)
		}
		if era == older {
			<-withdrawn
		}
	}
}

// A downstream server of the older era may ask without saying for which call; with one program there is no doubt.
func TestQuestionOfTheOnlyProgram(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	p := &person{answer: accepting("Ann")}
	session := f.overStream(older, p.options())
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := tryCall(ctx, session, "execute", map[string]any{"code": `await tools.hang({ to: "x" })`})
		done <- err
	}()
	eventually(t, "the program runs", func() bool { return f.counted("x") == 1 })
	a, err := f.server.Elicit(context.Background(), server.Question{Message: "whose?"})
	if err != nil || a.Action != server.Accept || data.JSON(a.Content) != `{"name":"Ann"}` {
		t.Error(a, err)
	}
	stop()
	if err := <-done; err == nil {
		t.Error("it was not interrupted")
	}
	eventually(t, "it ends", func() bool { return f.counted("x") == 0 })
}

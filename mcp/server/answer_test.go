package server_test

// This file defines tests of answers to questions as clients should not give them.

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/mcp/server"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/tool"
)

// raw is a client that writes its messages itself.
type raw struct {
	t   *testing.T
	in  *bufio.Scanner
	out io.WriteCloser
}

func newRaw(t *testing.T, f *fixture) *raw {
	t.Helper()
	in, theirOut := io.Pipe()
	theirIn, out := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = f.server.ServeStream(context.Background(), theirIn, theirOut)
		theirOut.Close()
	}()
	t.Cleanup(func() {
		out.Close()
		go io.Copy(io.Discard, in)
		<-done
	})
	s := bufio.NewScanner(in)
	s.Buffer(nil, 64<<20)
	return &raw{t, s, out}
}

func (r *raw) send(message string) {
	r.t.Helper()
	if _, err := io.WriteString(r.out, message+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

// receive is the next message that is a request or an answer.
func (r *raw) receive() (message map[string]any) {
	r.t.Helper()
	for r.in.Scan() {
		message = nil
		if err := json.Unmarshal(r.in.Bytes(), &message); err != nil {
			r.t.Fatal(err)
		}
		if message["id"] != nil {
			return message
		}
	}
	r.t.Fatal("the stream ended")
	return nil
}

const (
	helloAsking = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"raw","version":"1"}}}`
	begun       = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	modernMeta  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
)

// answering runs a program that asks one question, gives the answer, and returns the text of the result.
func answering(t *testing.T, f *fixture, era, code, answer string) string {
	r := newRaw(t, f)
	quoted, _ := json.Marshal(code)
	if era == older {
		r.send(helloAsking)
		r.receive()
		r.send(begun)
		r.send(executing(2, code))
		question := r.receive()
		if question["method"] != "elicitation/create" {
			t.Fatal(question)
		}
		r.send(`{"jsonrpc":"2.0","id":` + toJSON(question["id"]) + `,"result":` + answer + `}`)
		return firstText(t, r.receive())
	}
	call := func(id, more string) map[string]any {
		r.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"execute","arguments":{"code":` + string(quoted) + `},` + modernMeta + more + `}}`)
		return r.receive()
	}
	first, _ := call("2", "")["result"].(map[string]any)
	state, _ := first["requestState"].(string)
	if state == "" {
		t.Fatal(first)
	}
	return firstText(t, call("3", `,"requestState":"`+state+`","inputResponses":{"question-1":`+answer+`}`))
}

func firstText(t *testing.T, message map[string]any) string {
	t.Helper()
	result, _ := message["result"].(map[string]any)
	content, _ := result["content"].([]any)
	if len(content) == 0 {
		t.Fatal(message)
	}
	return content[0].(map[string]any)["text"].(string)
}

// What a client answers that is no answer is one note, which says what was wrong with it.
func TestAnswersThatAreNone(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	form := parsed(`{"type":"object","properties":{"name":{"type":"string"},"n":{"type":"integer","default":3}},"required":["name","n"]}`)
	asks := tool.New("Ask with a form that wants a name", func(ctx context.Context, _ noInput) (string, error) {
		a, err := f.server.Elicit(ctx, server.Question{From: "shop", Message: "?", Schema: form})
		return string(a.Action) + data.JSON(a.Content), err
	})
	if _, err := f.registry.Register(tool.Tree{"form": asks}, registry.Deferred); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ answer, want string }{
		{`{"action":"accept","content":{"name":5}}`, "it does not fit the form: content.name: "},
		{`{"action":"accept","content":{"name":["a"]}}`, "it does not fit the form: content.name: "},
		{`{"action":"zzz"}`, `its action is "zzz", want accept, decline or cancel`},
		{`{"action":"accept"}`, "it does not fit the form: content.name: "},
		{`{"action":"accept","content":{"name":"a","n":"b"}}`, "it does not fit the form: content.n: "},
		{`{"action":""}`, `its action is "", want accept, decline or cancel`},
	} {
		for _, era := range []string{older, newer} {
			got := answering(t, f, era, `try { return await tools.form() } catch (e) { return e.message }`, test.answer)
			want := "Note: the client's answer to a question of shop was not used: " + test.want
			if strings.Count(got, "Note: ") != 1 || !strings.Contains(got, want) {
				t.Errorf("%s: %s: got\n%s\nwant %s", era, test.answer, got, want)
			}
		}
	}
	for _, answer := range []string{`{"action":5}`, `{"action":"accept","content":5}`, `"accept"`, `[]`} { // in the newer era the request is refused
		if got := answering(t, f, older, `try { return await tools.form() } catch (e) { return e.message }`, answer); strings.Count(got, "Note: ") != 1 || !strings.Contains(got, "was not used: it is no answer to a question") {
			t.Errorf("%s: %s", answer, got)
		}
	}
	for _, era := range []string{older, newer} {
		if got := answering(t, f, era, `return tools.form()`, `{"action":"accept","content":{"name":"a"}}`); !strings.HasPrefix(got, `accept{"name":"a","n":3}`) {
			t.Errorf("%s: %s", era, got)
		}
	}
}

// overHTTP sends a call of the newer era as a client of that name and gives its result.
func overHTTP(t *testing.T, url, name, token, params string) map[string]any {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{` + params + `,` + strings.Replace(modernMeta, `"raw"`, `"`+name+`"`, 1) + `}}`
	tool, _, _ := strings.Cut(strings.TrimPrefix(params, `"name":"`), `"`)
	header := map[string]string{"Mcp-Protocol-Version": newer, "Mcp-Method": "tools/call", "Mcp-Name": tool}
	if token != "" {
		header["Authorization"] = token
	}
	status, text := post(t, url, body, header)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "data:"))
		var message map[string]any
		if json.Unmarshal([]byte(line), &message) == nil && message["id"] == 5.0 {
			result, _ := message["result"].(map[string]any)
			return result
		}
	}
	t.Fatalf("%d %s", status, text)
	return nil
}

// Without a session, what waits for its client belongs to the client of that name and with that token.
func TestWhatBelongsToAClientWithoutASession(t *testing.T) {
	runtime := server.DefaultRuntime()
	runtime.Limits.MaxOutputBytes = new(100)
	f := newFixture(t, runtime, server.Options{OneUser: true})
	url := f.web(server.HTTPOptions{})
	const asks = `"name":"execute","arguments":{"code":"return tools.ask({ to: 1 + '' })"}`
	first := overHTTP(t, url, "ann", "Bearer a", asks)
	state, _ := first["requestState"].(string)
	answer := asks + `,"requestState":"` + state + `","inputResponses":{"question-1":{"action":"accept","content":{"name":"x"}}}`
	long := overHTTP(t, url, "ann", "Bearer a", `"name":"execute","arguments":{"code":"return 'x'.repeat(1000)"}`)
	rest, _ := long["structuredContent"].(map[string]any)["rest"].(map[string]any)
	more := `"name":"execute_more","arguments":{"id":` + toJSON(rest["id"]) + `}`
	for _, other := range []struct{ name, token string }{{"bob", "Bearer a"}, {"ann", "Bearer b"}, {"ann", ""}} {
		for params, want := range map[string]string{answer: "there is no program to go on with", more: "there is no rest with this id"} {
			if got := firstText(t, map[string]any{"result": overHTTP(t, url, other.name, other.token, params)}); !strings.HasPrefix(got, want) {
				t.Errorf("%v: %s", other, got)
			}
		}
	}
	for params, want := range map[string]string{answer: "accept x", more: `"xxx`} {
		if got := firstText(t, map[string]any{"result": overHTTP(t, url, "ann", "Bearer a", params)}); !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The result names the program that ran, unless that is long.
func TestLongProgramIsNotSentBack(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	session := f.overStream(newer, nil)
	for n, named := range map[int]bool{60 << 10: true, 70 << 10: false} {
		r := run(t, session, "/*"+strings.Repeat("x", n)+"*/ return 1")
		if _, there := r.raw.Meta["codemode/program"]; there != named || r.raw.Meta["codemode/id"] == "" {
			t.Errorf("%d bytes: named %v", n, there)
		}
	}
}

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

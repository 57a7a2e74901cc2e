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
	s := mcp.NewServer(&mcp.Implementation{Name: "below", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{era}})
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
				a, err := s.Elicit(ctx, server.Question{From: e.Server, Message: e.Message, Schema: e.Schema})
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
			got := run(t, session, `return [await tools.below.ask(), await tools.below.ask(), ...await Promise.all([tools.below.ask(), tools.below.ask()])]`)
			switch {
			case w.stateless && w.era == older:
				if !got.isError || !strings.Contains(got.text, "this client does not support questions to its user") {
					t.Errorf("%+v", got)
				}
			case toJSON(got.content["value"]) != `["accept Ann","accept Ann","accept Ann","accept Ann"]` || len(p.asked) != 4 || !strings.HasPrefix(p.asked[0], "form below asks: Who? {"):
				t.Errorf("%+v %v", got, p.asked)
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

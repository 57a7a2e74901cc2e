package registry_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

type mailIn struct {
	To string `json:"to"`
}

var mail = tool.New("Send mail", func(_ context.Context, in mailIn) (string, error) {
	if in.To == "nobody" {
		return "", tool.Errorf("there is no address %s", in.To)
	}
	return "sent to " + in.To, nil
})

func TestText(t *testing.T) {
	r := of(t, tool.Tree{"mail.send": mail})
	for _, c := range []struct {
		program, want string
		limits        codemode.Limits
	}{
		{program: `return "as it\nstands"`, want: "as it\nstands"},
		{program: `return { a: [1], b: "x" }`, want: "{\n  \"a\": [\n    1\n  ],\n  \"b\": \"x\"\n}"},
		{program: `tools`, want: "InvalidDataValue: "},
		{program: `return undefined`, want: "null (no value)"},
		{program: `return ""`, want: `"" (an empty text)`},
		{program: `console.log("one", 2); console.warn("three"); return new Map([["a", 1]])`,
			want: "{}\n\nWarnings:\nInvalidDataValue: "},
		{program: `console.log("one", 2); console.warn("three"); return 1`, want: "1\n\nLogs:\none 2\n[warn] three"},
		{program: "```js\nreturn 1\n```", want: "1\n\nNote: "},
		{program: "const rows = { items: [] };\nconst first = rows.items[0];\nreturn first.name.trim();",
			want: "ExecutionFailure: TypeError: Cannot read properties of undefined (reading 'name'): first is undefined; it is rows.items[0], and rows.items is Array(0)\n  --> 3:14\n  |\n3 | return first.name.trim();\n  |              ^^^^\n\nNo tool was called."},
		{program: `for (const to of ["a", "b", "c", "d"]) await tools.mail.send({ to }); return "sent"`, limits: codemode.Limits{MaxToolCalls: new(3)},
			want: "ToolCallLimitExceeded: tools.mail.send was not called: the limit of 3 tool calls for one execution is used up; return what there is, or make fewer calls\n" +
				"  --> 1:57\n  |\n1 | …onst to of [\"a\", \"b\", \"c\", \"d\"]) await tools.mail.send({ to }); return \"sent\"\n" +
				"  |                                                    ^^^^\n\n" +
				"Calls, in order:\n1. tools.mail.send({\"to\":\"a\"}): completed\n2. tools.mail.send({\"to\":\"b\"}): completed\n3. tools.mail.send({\"to\":\"c\"}): completed\n" +
				"4. tools.mail.send({\"to\":\"d\"}): not started"},
		{program: `await tools.mail.sent({ to: "a" })`, want: "UnknownTool: there is no tool tools.mail.sent; did you mean tools.mail.send?"},
		{program: `console.log("on it"); await tools.mail.send({ to: "nobody" })`, want: "ToolFailure: there is no address nobody\n"},
		{program: `console.log("on it"); await tools.mail.send({ to: "nobody" })`,
			want: "1. tools.mail.send({\"to\":\"nobody\"}): failed: there is no address nobody\n\nLogs:\non it"},
		{program: `for (let i = 0; i < 40; i++) await tools.mail.send({ to: i === 39 ? "nobody" : "a" })`,
			want: "\n\nCalls, by tool:\ntools.mail.send: 39 completed, 1 failed"},
	} {
		o := program(t, step(t, r, registry.Step{Limits: c.limits}), c.program)
		whole := strings.HasSuffix(c.want, "\n") || strings.HasSuffix(c.want, " ") || strings.HasPrefix(c.want, "\n") || o.IsError
		if got := o.Text; got != c.want && (!whole || !strings.Contains(got, c.want)) {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.program, got, c.want)
		}
		if o.IsError != (o.Result.Error != nil) || o.Program != c.program {
			t.Errorf("%+v", o)
		}
	}
}

// A large value is cut, the head stays useful, it is said before, and the host keeps the whole.
func TestOutputBound(t *testing.T) {
	r := of(t, tool.Tree{"a": answering("a")})
	register(t, r, tool.Tree{"big": answering(strings.Repeat("x", 100_000))}, registry.Direct)
	s := step(t, r, registry.Step{Limits: codemode.Limits{MaxOutputBytes: new(4096)}})
	o := program(t, s, `console.log("start"); return Array.from({ length: 5000 }, (_, i) => ({ i, t: "é".repeat(8) }))`)
	if !strings.HasPrefix(o.Text, "Note: the value is a text of the first ") || !strings.Contains(o.Text, "\n\n[{\"i\":0,\"t\":\"éééééééé\"}") ||
		!strings.HasSuffix(o.Text, "Logs:\nstart") || !o.Result.Truncated || len(o.Text) > 6000 || o.Whole.(data.Array).Len() != 5000 {
		t.Errorf("%.300s … %d bytes", o.Text, len(o.Text))
	}
	if o := called(t, s, "big", nil); !o.Result.Truncated || len(o.Text) > 5000 || len(o.Whole.(data.String)) != 100_000 {
		t.Errorf("%d bytes", len(o.Text))
	}
	// Without a limit it is 64 KiB; indentation gives way first.
	s = step(t, r, registry.Step{})
	if o := program(t, s, `return Array.from({ length: 25000 }, (_, i) => i % 10)`); o.Result.Truncated || len(o.Text) != 50_001 || o.Whole != nil {
		t.Errorf("%d bytes", len(o.Text))
	}
	if o := program(t, s, `return Array.from({ length: 40000 }, (_, i) => i % 10)`); !o.Result.Truncated || len(o.Text) > 70_000 {
		t.Errorf("%d bytes", len(o.Text))
	}
}

func TestAttachments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shot := doing(func(ctx context.Context, in data.Value) (data.Value, error) {
			n, _ := in.(*data.Object).Get("n")
			at := n.(data.Number).Float64()
			time.Sleep(time.Duration(10-at) * time.Second) // later ones are faster
			tool.Attach(ctx, tool.Attachment{Name: data.JSON(n) + ".png", MIMEType: "image/png", Data: make([]byte, 3<<20)})
			return data.String("ok"), nil
		})
		r := of(t, tool.Tree{"cam.shot": shot})
		register(t, r, tool.Tree{"shot": shot}, registry.Direct)
		s := step(t, r, registry.Step{})
		for _, end := range []string{`return Promise.all(all)`, `await Promise.all(all); throw new Error("after all")`} {
			o := program(t, s, `const all = [1, 2, 3].map((n) => tools.cam.shot({ n }));`+end)
			var names []string
			for _, a := range o.Attachments {
				names = append(names, a.Name)
			}
			if strings.Join(names, " ") != "1.png 2.png 3.png" || len(o.Text) > 1000 ||
				!strings.HasSuffix(o.Text, "Attachments:\n- 1.png, image/png, 3145728 bytes\n- 2.png, image/png, 3145728 bytes\n- 3.png, image/png, 3145728 bytes") {
				t.Errorf("%v\n%s", names, o.Text)
			}
		}
		if o := called(t, s, "shot", parse(t, `{"n":1}`)); len(o.Attachments) != 1 || o.Text != "ok\n\nAttachments:\n- 1.png, image/png, 3145728 bytes" {
			t.Error(o.Text)
		}
	})
}

func TestInputOfPrograms(t *testing.T) {
	s := step(t, of(t, tool.Tree{"mail.send": mail}), registry.Step{})
	for input, want := range map[string]string{
		`"return 1"`:                   "1",
		`{"code":"return 2","why":""}`: "2",
		`{}`:                           `execute was not called: input.code: required; want {"code":"…"}`,
		`{"code":5}`:                   `execute was not called: input.code: expected string, got number 5; want {"code":"…"}`,
	} {
		if o := called(t, s, "execute", parse(t, input)); o.Text != want || o.IsError != (len(want) > 1) {
			t.Errorf("got %s, want %s", o.Text, want)
		}
	}
	for name, want := range map[string]string{
		"mail_send":       `"mail_send" is not a tool of its own; call it inside a program: execute with {"code":"return await tools.mail.send({ … })"}`,
		"mail.send":       `"mail.send" is not a tool of its own; call it inside a program: execute with {"code":"return await tools.mail.send({ … })"}`,
		"tools.mail.send": `"tools.mail.send" is not a tool of its own; call it inside a program: execute with {"code":"return await tools.mail.send({ … })"}`,
		"mail_receive":    `there is no tool "mail_receive"`,
	} {
		if o := called(t, s, name, nil); o.Text != want || !o.IsError {
			t.Errorf("got %s, want %s", o.Text, want)
		}
	}
}

func TestDirect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, registry.Options{Runtime: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(5000)}, InterruptGrace: time.Hour}})
		release := make(chan struct{})
		register(t, r, tool.Tree{
			"mail.send": mail,
			"slow":      doing(func(ctx context.Context, _ data.Value) (data.Value, error) { <-ctx.Done(); return nil, ctx.Err() }),
			"deaf":      doing(func(context.Context, data.Value) (data.Value, error) { <-release; return data.Null{}, nil }),
			"dies":      doing(func(context.Context, data.Value) (data.Value, error) { panic("secret") }),
			"leaves": doing(func(ctx context.Context, _ data.Value) (data.Value, error) {
				scope.From(ctx).AddFinalizer(func(scope.Exit) { panic("secret") })
				return data.String("done"), nil
			}),
			"odd": tool.New("Odd", func(context.Context, struct{}) (any, error) { return make(chan int), nil }),
		}, registry.Direct)
		s := step(t, r, registry.Step{})
		tl, _ := s.Tool("mail_send")
		if tl.Description != "Send mail" || data.JSON(tl.InputSchema.Document()) != data.JSON(mail.Input().Document()) || tl.OutputSchema == nil || strings.Join(tl.Path, ".") != "mail.send" {
			t.Errorf("%+v", tl)
		}
		if tl, _ := s.Tool("slow"); data.JSON(tl.InputSchema.Document()) != `{"type":"object"}` {
			t.Errorf("%+v", tl)
		}
		for _, c := range []struct{ name, input, want string }{
			{"mail_send", `{"to":"ann"}`, "sent to ann"},
			{"mail_send", `{"to":"nobody"}`, "ToolFailure: there is no address nobody"},
			{"mail_send", `{"too":"x"}`, "InvalidToolInput: mail_send was not called: "},
			{"mail_send", `{"too":"x"}`, "\nsignature: mail_send(input: { to: string }): Promise<string>"},
			{"slow", `{}`, "TimeoutExceeded: slow was interrupted: it took longer than the 5000 ms it has; whether it took effect is unknown"},
			{"deaf", `{}`, "TimeoutExceeded: deaf was interrupted: it took longer than the 5000 ms it has; whether it took effect is unknown"},
			{"dies", `{}`, "ToolFailure: dies failed; the reason is internal to the host, which has the details"},
			{"odd", `{}`, "InvalidToolOutput: the call ran, but its output is not what odd promises: "},
		} {
			start := time.Now()
			o := called(t, s, c.name, parse(t, c.input))
			if took := time.Since(start); took != map[string]time.Duration{"slow": 5 * time.Second, "deaf": 10 * time.Second}[c.name] {
				t.Errorf("%s took %v", c.name, took)
			}
			if o.Text != c.want && !strings.Contains(o.Text, c.want) || o.IsError != (o.Result.Error != nil) || strings.Contains(o.Text, "tools.") {
				t.Errorf("%s: got %s, want %s", c.name, o.Text, c.want)
			}
		}
		close(release)
		var defect *codemode.Ended
		if o, err := s.Call(context.Background(), "c1", "leaves", nil); !errors.As(err, &defect) || !defect.Cause.HasDies() || o.Text != "done" {
			t.Errorf("%v, %+v", err, o)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(time.Second, func() { cancel(errors.New("closed")) })
		o, err := s.Call(ctx, "c1", "slow", nil)
		var ended *codemode.Ended
		if !errors.Is(err, context.Canceled) || !errors.As(err, &ended) || o.Result.Calls[0].Status != tool.Interrupted || o.Text != "Interrupted: the host ended this before it was done." {
			t.Errorf("%v, %+v", err, o)
		}
		if o, err := s.Call(ctx, "c1", "mail_send", parse(t, `{"to":"ann"}`)); err == nil || !o.IsError || o.Value != nil {
			t.Errorf("%v, %+v", err, o)
		}
		synctest.Wait()
	})
}

// Inside a tool of a program, the tools of a snapshot can be called as well.
func TestCallsWithinCalls(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	var s *registry.Snapshot
	var log record
	register(t, r, tool.Tree{"helper.ask": doing(func(ctx context.Context, _ data.Value) (data.Value, error) {
		o, err := s.Call(ctx, "inner", "execute", code(`return await tools.leaf()`))
		if err != nil {
			return nil, err
		}
		return o.Value, nil
	}), "leaf": answering("leaf")}, registry.Deferred)
	s = step(t, r, registry.Step{OnStatus: func(c registry.CallStatus) { log.add("%s %s", c.ID, c.Status) }})
	if o := program(t, s, `return await tools.helper.ask()`); o.Text != "leaf" || strings.Join(log.lines, ", ") != "c1/1 running, inner/1 running, inner/1 completed, c1/1 completed" {
		t.Errorf("%s, %v", o.Text, log.lines)
	}
}

// A limit around a call within a call interrupts it; it is not the failure of the inner call.
func TestLimitAroundACallWithinACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, registry.Options{})
		var s *registry.Snapshot
		inner := make(chan error, 1)
		register(t, r, tool.Tree{"helper": doing(func(ctx context.Context, _ data.Value) (data.Value, error) {
			o, err := s.Call(ctx, "inner", "slow", nil)
			if o.Result.Error != nil {
				t.Errorf("the inner call failed: %s", o.Text)
			}
			inner <- err
			return nil, err
		})}, registry.Deferred)
		register(t, r, tool.Tree{"slow": doing(func(ctx context.Context, _ data.Value) (data.Value, error) { <-ctx.Done(); return nil, ctx.Err() })}, registry.Direct)
		s = step(t, r, registry.Step{Limits: codemode.Limits{TimeoutMs: new(1000)}})
		within := step(t, r, registry.Step{})
		outer := s
		s = within
		if o := program(t, outer, `return tools.helper()`); !strings.HasPrefix(o.Text, "TimeoutExceeded: ") {
			t.Error(o.Text)
		}
		if err := <-inner; !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

func TestTextOfAResultOfARuntime(t *testing.T) {
	r := &codemode.Result{Error: &codemode.Diagnostic{Kind: diagnostics.ToolFailure, Message: "no"}, FoldedCalls: map[string]int{"tools.a": 5},
		Calls: []tool.Record{{Path: "tools.b", Status: tool.Abandoned}, {Path: "tools.a", Status: tool.Completed}}, Value: data.String("kept")}
	want := "ToolFailure: no\n\nCalls, by tool:\ntools.b: 1 interrupted, and it did not stop; it may still take effect\ntools.a: 6 completed\n\nThe value that was returned:\nkept"
	if got := registry.Text("", r, 0); got != want {
		t.Errorf("got\n%s", got)
	}
}

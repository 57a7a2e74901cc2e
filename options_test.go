package codemode_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/tool"
)

func TestBadOptions(t *testing.T) {
	for field, o := range map[string]codemode.Options{
		"Limits.TimeoutMs":      {Limits: codemode.Limits{TimeoutMs: new(0)}},
		"Limits.MaxToolCalls":   {Limits: codemode.Limits{MaxToolCalls: new(-1)}},
		"Limits.MaxOutputBytes": {Limits: codemode.Limits{MaxOutputBytes: new(1 << 40)}},
		"Limits.MaxMemoryBytes": {Limits: codemode.Limits{MaxMemoryBytes: new(0)}},
		"Options.Pending":       {Pending: 7},
		"InterruptGrace":        {InterruptGrace: -1},
		"MaxWait":               {MaxWait: -time.Second},
		"Discovery.Execute":     {Discovery: discovery.Options{Execute: "run it"}},
		"Tools":                 {Tools: tool.Tree{"a": (*tool.Tool)(nil)}},
		"empty":                 {Tools: tool.Tree{"": tool.Tree{}}},
		"$codemode":             {Tools: tool.Tree{"$codemode": tool.Tree{}}},
	} {
		if rt, err := codemode.New(o); err == nil || rt != nil || !strings.Contains(err.Error(), field) {
			t.Errorf("got %v, want an error naming %s", err, field)
		}
	}
	rt := runtime(t, codemode.Options{})
	for field, o := range map[string]codemode.ExecOptions{
		"ExecOptions.Limits.TimeoutMs":  {Limits: codemode.Limits{TimeoutMs: new(-5)}},
		"ExecOptions.Input":             {Input: make(chan int)},
		"ExecOptions.Pending":           {Pending: new(codemode.Pending(9))},
		"View: it is a view of another": {View: runtime(t, codemode.Options{}).View(nil)},
		"View: got a Filter as well":    {View: rt.View(nil), Filter: func(tool.Entry) bool { return true }},
	} {
		if r, err := rt.ExecuteWith(context.Background(), `return 1`, o); err == nil || r != nil || !strings.Contains(err.Error(), field) {
			t.Errorf("got %v, want an error naming %s", err, field)
		}
	}
}

func TestOverrides(t *testing.T) {
	var seen []string
	hooks := codemode.Hooks{OnToolCallEnd: func(e tool.CallEnd) { seen = append(seen, e.Path+" "+string(e.Outcome)) }}
	rt := runtime(t, codemode.Options{Tools: clockTree(nil), Limits: codemode.Limits{MaxToolCalls: new(0)}})
	r, err := rt.ExecuteWith(context.Background(), `return [input.name, await tools.t.echo(1), "fail" in tools.t]`, codemode.ExecOptions{
		Input: map[string]string{"name": "x"}, Limits: codemode.Limits{MaxToolCalls: new(1)}, Hooks: &hooks,
		Filter: func(e tool.Entry) bool { return e.Expression != "tools.t.fail" },
	})
	if err != nil || !r.OK || data.JSON(r.Value) != `["x",1,false]` {
		t.Fatalf("%+v %v", r, err)
	}
	if len(seen) != 1 || seen[0] != "tools.t.echo completed" {
		t.Errorf("hooks saw %v", seen)
	}
}

func TestOutputLimit(t *testing.T) {
	rt := runtime(t, codemode.Options{})
	run := func(program string, limit int) *codemode.Result {
		t.Helper()
		r, err := rt.ExecuteWith(context.Background(), program, codemode.ExecOptions{Limits: codemode.Limits{MaxOutputBytes: &limit}})
		if err != nil || !r.OK {
			t.Fatalf("%+v %v", r, err)
		}
		return r
	}
	if r := run(`console.log("a"); return "x".repeat(50)`, 1000); r.Truncated || len(r.Notes) != 0 {
		t.Errorf("cut what fits: %+v", r)
	}
	r := run(`return "é".repeat(100)`, 115)
	text := string(r.Value.(data.String))
	kept, note, _ := strings.Cut(text, "… [cut: ")
	if !r.Truncated || len(r.Notes) != 1 || !utf8.ValidString(text) || kept != `"`+strings.Repeat("é", 29) || !strings.HasPrefix(note, "59 of 202 bytes") {
		t.Errorf("got %q %v", text, r.Notes)
	}
	r = run(`for (let i = 0; i < 10; i++) console.log("line " + i); return 1`, 100)
	if !r.Truncated || data.JSON(r.Value) != "1" || len(r.Logs) != 3 || r.Logs[2].Text != "line 2" || !strings.Contains(r.Notes[0], "3 of 10 console lines") {
		t.Errorf("got %v %v", r.Logs, r.Notes)
	}
	r = run(`console.log("start"); console.log("x".repeat(500)); return "y".repeat(1000)`, 400)
	if len(r.Logs) != 1 || r.Logs[0].Text != "start" || len(data.JSON(r.Value)) < 300 || len(r.Notes) != 2 {
		t.Errorf("a long value leaves %v, %v", r.Logs, r.Notes)
	}
	for _, program := range []string{`return Array(500).fill('"\\\\')`, `return "\\n\\u0001é".repeat(400)`, `console.log("x".repeat(300)); console.log("y"); return "€".repeat(300)`} {
		for _, limit := range []int{4, 70, 200, 201, 202, 203, 500} {
			r := run(program, limit)
			size := len(data.JSON(r.Value))
			for _, l := range r.Logs {
				text, _ := json.Marshal(l)
				size += len(text)
			}
			if size > limit || !r.Truncated || limit >= 200 && size < limit-100 {
				t.Errorf("%s: %d bytes of %d", program, size, limit)
			}
		}
	}
	if r := run(`console.log(1); return {a: 1}`, 0); !r.Truncated || len(r.Logs) != 0 || len(r.Notes) != 2 {
		t.Errorf("got %+v", r)
	}
}

func TestResultJSON(t *testing.T) {
	rt := runtime(t, codemode.Options{Tools: tool.Tree{"draw": tool.New("Draw", func(ctx context.Context, _ struct{}) (string, error) {
		tool.Attach(ctx, tool.Attachment{Name: "a.png", MIMEType: "image/png", Data: []byte("1234")})
		return "<b>", nil
	})}})
	r, err := rt.Execute(context.Background(), `console.log("hi"); return {z: await tools.draw(), a: null}`)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.JSON("")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"ok":true,"value":{"z":"<b>","a":null},"logs":[{"level":"log","text":"hi"}],"calls":[{"index":0,"path":"tools.draw","input":"{}"`,
		`"attachments":[{"name":"a.png","mimeType":"image/png","size":4}]`, `"stats":{"durationMs":`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
	failed, err := rt.Execute(context.Background(), "\n  throw new Error('x')")
	if err != nil {
		t.Fatal(err)
	}
	text, err = failed.JSON("  ")
	var keys map[string]any
	if err != nil || json.Unmarshal(text, &keys) != nil {
		t.Fatal(string(text), err)
	}
	if _, has := keys["value"]; has || keys["ok"] != false || keys["error"].(map[string]any)["location"].(map[string]any)["line"] != 2.0 {
		t.Errorf("got %s", text)
	}
}

func TestCheck(t *testing.T) {
	rt := runtime(t, codemode.Options{})
	if r, err := rt.Check(context.Background(), "```ts\nconst a: number = 1\n```"); err != nil || !r.OK || r.Value != nil || len(r.Notes) == 0 {
		t.Errorf("%+v %v", r, err)
	}
	if r, err := rt.Check(context.Background(), "const a = ;"); err != nil || r.OK || r.Error.Location.Line != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestClockAndRandom(t *testing.T) {
	rt := runtime(t, codemode.Options{Clock: func() time.Time { return time.UnixMilli(86_400_000) }, Random: func() float64 { return 0.25 }})
	r, err := rt.Execute(context.Background(), `return [Date.now(), Math.random()]`)
	if err != nil || !r.OK || data.JSON(r.Value) != "[86400000,0.25]" {
		t.Fatalf("%+v %v", r, err)
	}
}

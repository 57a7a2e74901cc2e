package tool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type addIn struct {
	A int8 `json:"a"`
	B int  `json:"b,omitempty"`
}

var add = tool.New("Add two numbers", func(_ context.Context, in addIn) (int, error) { return int(in.A) + in.B, nil })

func parse(text string) data.Value {
	v, err := data.ParseString(text)
	if err != nil {
		panic(err)
	}
	return v
}

func raw(f tool.Func, options ...tool.Option) *tool.Tool { return tool.Raw("", nil, f, options...) }

func null(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil }

// bench is a session with its scope and the answers of its calls.
type bench struct {
	t       *testing.T
	scope   *scope.Scope
	session *tool.Session
	mu      sync.Mutex
	answers []string
	wait    sync.WaitGroup
}

func open(t *testing.T, tree tool.Tree, options tool.SessionOptions, grace time.Duration) *bench {
	t.Helper()
	catalog, err := tool.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	s := scope.Open(context.Background(), scope.Options{Name: "execution", Grace: grace})
	return &bench{t: t, scope: s, session: tool.NewSession(s, catalog, options)}
}

// call invokes a path written with spaces and notes the answer.
func (b *bench) call(path string, args ...string) {
	b.wait.Add(1)
	answer := func(v data.Value, err error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		text := ""
		if err != nil {
			text = "error " + string(diagnostics.From(err).Kind) + ": " + err.Error()
		} else {
			text = data.JSON(v)
		}
		b.answers = append(b.answers, text)
		b.wait.Done()
	}
	err := b.session.Invoke(tool.Call{
		Path: strings.Fields(path), Argc: len(args), Done: answer,
		At: func() diagnostics.Location { return diagnostics.Location{Line: 7, Column: 3} },
		Args: func() ([]data.Value, error) {
			var values []data.Value
			for _, arg := range args {
				values = append(values, parse(arg))
			}
			return values, nil
		},
	})
	if err != nil {
		var i *scope.Interrupt
		if d := diagnostics.From(err); d.Location.Line != 7 && !errors.As(err, &i) {
			b.t.Errorf("no location: %v", err)
		}
		answer(nil, err)
	}
}

// one makes a call in a session of its own.
func one(t *testing.T, tree tool.Tree, path string, args ...string) string {
	t.Helper()
	b := open(t, tree, tool.SessionOptions{}, 0)
	b.call(path, args...)
	b.wait.Wait()
	b.scope.Close(scope.Exit{})
	return b.answers[0]
}

func TestTypedToolsCheckBothDirections(t *testing.T) {
	type item struct {
		Tags []string `json:"tags"`
		Next *item    `json:"next"`
	}
	tree := tool.Tree{"m": tool.Tree{
		"add":    add,
		"item":   tool.New("", func(context.Context, struct{}) (item, error) { return item{}, nil }),
		"chan":   tool.New("", func(context.Context, struct{}) (any, error) { return map[string]any{"c": make(chan int)}, nil }),
		"lies":   raw(func(context.Context, data.Value) (data.Value, error) { return data.String("x"), nil }, tool.OutputSchema(schema.New(parse(`{"type":"number"}`)))),
		"strict": tool.Raw("", schema.New(parse(`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`)), func(_ context.Context, v data.Value) (data.Value, error) { return v, nil }),
		"broken": tool.Raw("", schema.New(parse(`{"type":"nonsense"}`)), func(_ context.Context, v data.Value) (data.Value, error) { return v, nil }),
	}}
	for _, c := range [][3]string{
		{"m add", `{"a":1,"b":2}`, "3"},
		{"m.add", `{"a":1}`, "1"},
		{"m add", `{"a":1,"c":2}`, `error InvalidToolInput: tools.m.add was not called: input.c: unknown field (expected fields: a, b)`},
		{"m add", `{"b":2}`, `error InvalidToolInput: tools.m.add was not called: input.a: required`},
		{"m add", `{"a":300}`, `error InvalidToolInput: tools.m.add was not called: input.a: must be ≤ 127, got number 300`},
		{"m add", `{"a":"1"}`, `error InvalidToolInput: tools.m.add was not called: input.a: expected integer, got string "1"`},
		{"m item", `{}`, `{"tags":[],"next":null}`},
		{"m chan", `{}`, `error InvalidToolOutput: the call ran, but its output is not what tools.m.chan promises: .c: a Go chan has no JSON form`},
		{"m lies", `{}`, `error InvalidToolOutput: the call ran, but its output is not what tools.m.lies promises: output: expected number, got string "x"`},
		{"m strict", `{"q":"x","more":1}`, `{"q":"x","more":1}`},
		{"m strict", `{}`, `error InvalidToolInput: tools.m.strict was not called: input.q: required`},
		{"m broken", `[1]`, `[1]`},
	} {
		got, _, _ := strings.Cut(one(t, tree, c[0], c[1]), "\nsignature: ")
		if got != c[2] {
			t.Errorf("%s(%s):\ngot  %s\nwant %s", c[0], c[1], got, c[2])
		}
	}
	if got := one(t, tree, "m item"); got != `{"tags":[],"next":null}` {
		t.Errorf("no argument: %s", got)
	}
	if got := one(t, tree, "m add", "1", "2"); !strings.HasPrefix(got, `error InvalidToolInput: tools.m.add was not called: got 2 arguments, want one object, tools.m.add({ a, b })`) {
		t.Errorf("positional: %s", got)
	}
	if got := one(t, tree, "m add", "1", "2", "[]"); !strings.Contains(got, "(x) => tools.m.add(x)") {
		t.Errorf("map: %s", got)
	}
}

func TestOnlyToolErrorsReachTheProgram(t *testing.T) {
	var ends []tool.CallEnd
	secret := errors.New("dial tcp 10.0.0.7: password 's3cr3t'")
	tree := tool.Tree{
		"told": raw(func(context.Context, data.Value) (data.Value, error) {
			return nil, fmt.Errorf("x: %w", tool.Errorf("not found: %d", 42))
		}),
		"secret":  raw(func(context.Context, data.Value) (data.Value, error) { return nil, secret }),
		"panics":  raw(func(context.Context, data.Value) (data.Value, error) { panic(secret) }),
		"cancels": raw(func(context.Context, data.Value) (data.Value, error) { return nil, context.Canceled }),
		"hints": tool.Raw("", schema.New(parse(`{"type":"object","required":["q"]}`)),
			func(context.Context, data.Value) (data.Value, error) { return nil, tool.Errorf("refused") }, tool.Validate(tool.Hint)),
	}
	b := open(t, tree, tool.SessionOptions{Hooks: tool.Hooks{OnToolCallEnd: func(e tool.CallEnd) { ends = append(ends, e) }}}, 0)
	for _, name := range []string{"told", "secret", "panics", "cancels", "hints"} {
		b.call(name)
		b.wait.Wait()
	}
	b.scope.Close(scope.Exit{})
	internal := "the reason is internal to the host, which has the details"
	want := []string{
		"error ToolFailure: not found: 42", "error ToolFailure: tools.secret failed; " + internal, "error ToolFailure: tools.panics failed; " + internal,
		"error ToolFailure: tools.cancels failed; " + internal, "error ToolFailure: refused\nwhat does not fit the input schema: input.q: required\nsignature: tools.hints(input: { q: unknown }): Promise<unknown>",
	}
	if got := strings.Join(b.answers, "|"); got != strings.Join(want, "|") {
		t.Errorf("got  %s", got)
	}
	if !errors.Is(ends[1].Cause, secret) || !ends[2].Cause.HasDies() || ends[2].Outcome != tool.Failed || ends[0].Message != "not found: 42" {
		t.Errorf("the host does not see the whole: %+v", ends)
	}
}

func TestEightAtATimeInCallOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		var mu sync.Mutex
		var order []int
		tree := tool.Tree{"wait": raw(func(context.Context, data.Value) (data.Value, error) {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			return data.Null{}, nil
		})}
		b := open(t, tree, tool.SessionOptions{Hooks: tool.Hooks{OnToolCallStart: func(s tool.CallStart) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, s.Index/tool.MaxConcurrent)
		}}}, 0)
		start := time.Now()
		for range 20 {
			b.call("wait")
		}
		b.wait.Wait()
		if took := time.Since(start); took != 3*time.Second || most.Load() != 8 {
			t.Errorf("took %v, at most %d at a time", took, most.Load())
		}
		if got := fmt.Sprint(order); got != "[0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 2 2 2 2]" {
			t.Errorf("waves %s", got)
		}
		b.scope.Close(scope.Exit{})
	})
}

func TestNamespaceConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := raw(func(context.Context, data.Value) (data.Value, error) {
			time.Sleep(time.Second)
			return data.Null{}, nil
		})
		b := open(t, tool.Tree{"one": tool.Namespace{Concurrency: 1, Tools: tool.Tree{"slow": slow}}, "free": slow}, tool.SessionOptions{}, 0)
		start := time.Now()
		for range 10 {
			b.call("one slow")
		}
		b.call("free")
		time.Sleep(1500 * time.Millisecond)
		b.mu.Lock()
		if len(b.answers) != 2 {
			t.Errorf("%d answers after 1.5 s, want one of each", len(b.answers))
		}
		b.mu.Unlock()
		b.wait.Wait()
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("took %v", took)
		}
		b.scope.Close(scope.Exit{})
	})
}

func statuses(l tool.Ledger) string {
	var out []string
	for _, r := range l.Calls {
		out = append(out, string(r.Status))
	}
	return strings.Join(out, " ")
}

func TestStatusesAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var ends []string
		var mu sync.Mutex
		tree := tool.Tree{
			"ok":       raw(null),
			"fails":    raw(func(context.Context, data.Value) (data.Value, error) { return nil, tool.Errorf("no") }),
			"polite":   raw(func(ctx context.Context, _ data.Value) (data.Value, error) { <-ctx.Done(); return nil, ctx.Err() }),
			"stubborn": raw(func(context.Context, data.Value) (data.Value, error) { <-release; return data.Null{}, nil }),
		}
		b := open(t, tree, tool.SessionOptions{Hooks: tool.Hooks{OnToolCallEnd: func(e tool.CallEnd) {
			mu.Lock()
			defer mu.Unlock()
			ends = append(ends, fmt.Sprint(e.Index, e.Outcome))
		}}}, 5*time.Second)
		b.call("ok")
		b.call("fails")
		b.wait.Wait()
		b.call("stubborn")
		for range 8 {
			b.call("polite")
		}
		synctest.Wait()
		b.session.Stop(&scope.Interrupt{Reason: scope.Timeout})
		b.scope.Interrupt(scope.Timeout)
		b.call("ok")
		b.scope.Close(scope.Exit{})
		b.session.Finish()
		want := "completed failed abandoned interrupted interrupted interrupted interrupted interrupted interrupted interrupted not_started"
		if got := statuses(b.session.Ledger()); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		close(release)
		b.wait.Wait()
		synctest.Wait()
		if len(ends) != 10 || b.session.Outstanding() != 0 || statuses(b.session.Ledger()) != want {
			t.Errorf("%d ends %v; %d outstanding", len(ends), ends, b.session.Outstanding())
		}
	})
}

func TestCallLimit(t *testing.T) {
	limit, exhausted := 2, 0
	b := open(t, tool.Tree{"ok": raw(null), "add": add}, tool.SessionOptions{MaxCalls: &limit, OnExhausted: func() { exhausted++ }}, 0)
	b.call("nothere")        // not counted
	b.call("add", `{"z":1}`) // not counted
	b.call("ok")
	b.call("ok")
	b.wait.Wait()
	for range tool.MaxRefusals {
		b.call("ok")
	}
	if exhausted != 0 || !strings.HasPrefix(b.answers[len(b.answers)-1], "error ToolCallLimitExceeded: tools.ok was not called: the limit of 2 tool calls") {
		t.Errorf("%d, %s", exhausted, b.answers[len(b.answers)-1])
	}
	b.call("ok")
	b.scope.Close(scope.Exit{})
	l := b.session.Ledger()
	if exhausted != 1 || len(l.Calls) != 3+tool.MaxRefusals || l.Calls[1].Status != tool.Completed || l.Calls[2].Status != tool.NotStarted {
		t.Errorf("exhausted %d, %d records", exhausted, len(l.Calls))
	}
}

func TestTimeoutOfATool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := one(t, tool.Tree{"slow": raw(func(ctx context.Context, _ data.Value) (data.Value, error) { <-ctx.Done(); return nil, ctx.Err() },
			tool.Timeout(3*time.Second))}, "slow")
		if got != "error ToolFailure: tools.slow took longer than its limit of 3s and was interrupted" {
			t.Error(got)
		}
	})
}

// Waiting for a person is not on the clock of the tool's own limit either; work before and after it is.
func TestTimeoutOfAToolStandsWhileItWaits(t *testing.T) {
	waits := func(after time.Duration) *tool.Tool {
		return raw(func(ctx context.Context, _ data.Value) (data.Value, error) {
			time.Sleep(2 * time.Second)
			resume := tool.Waiting(ctx)
			time.Sleep(time.Hour)
			if err := resume(); err != nil {
				return nil, err
			}
			select {
			case <-time.After(after):
				return data.Null{}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}, tool.Timeout(4*time.Second))
	}
	synctest.Test(t, func(t *testing.T) {
		if got := one(t, tool.Tree{"ask": waits(time.Second)}, "ask"); got != "null" {
			t.Error(got)
		}
		start := time.Now()
		if got := one(t, tool.Tree{"ask": waits(3 * time.Second)}, "ask"); !strings.Contains(got, "took longer than its limit of 4s") {
			t.Error(got)
		}
		if took := time.Since(start); took != time.Hour+4*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestHookPanicsAreDefectsOfTheHost(t *testing.T) {
	var defects atomic.Int32
	b := open(t, tool.Tree{"ok": raw(null)}, tool.SessionOptions{
		Hooks: tool.Hooks{OnToolCallStart: func(tool.CallStart) { panic("a") }, OnToolCallEnd: func(tool.CallEnd) { panic("b") }},
		OnDefect: func(c *scope.Cause) {
			if c.HasDies() {
				defects.Add(1)
			}
		},
	}, 0)
	b.call("ok")
	b.wait.Wait()
	b.scope.Close(scope.Exit{})
	if b.answers[0] != "null" || defects.Load() != 2 {
		t.Errorf("%v, %d defects", b.answers, defects.Load())
	}
}

func TestAttachAndWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var session *tool.Session
		tree := tool.Tree{"ask": raw(func(ctx context.Context, _ data.Value) (data.Value, error) {
			tool.Attach(ctx, tool.Attachment{Name: "a.png"})
			resume := tool.Waiting(ctx)
			time.Sleep(time.Hour) // a person
			if err := resume(); err != nil {
				return nil, err
			}
			tool.Attach(ctx, tool.Attachment{Name: "b.png"})
			return data.Null{}, nil
		}), "quick": raw(null)}
		expired := false
		deadline := scope.NewDeadline(time.Second, -1, func() { expired = true })
		b := open(t, tree, tool.SessionOptions{Deadline: deadline}, 0)
		session = b.session
		for range 9 {
			b.call("ask") // more than may run: the waiting ones hold no permit
		}
		b.call("quick")
		b.wait.Wait()
		deadline.Stop()
		if expired || deadline.Waited() != time.Hour || len(session.Attachments()) != 18 || session.Attachments()[1].Name != "b.png" {
			t.Errorf("expired %v, waited %v, %v", expired, deadline.Waited(), session.Attachments())
		}
		b.scope.Close(scope.Exit{})
	})
}

func TestTreesAreChecked(t *testing.T) {
	var none *tool.Tool
	for want, tree := range map[string]tool.Tree{
		`tools.a: the tool is nil`:                                          {"a": none},
		`tools.a: got nil, want a tool or a namespace`:                      {"a": nil},
		`tools: the name "" is empty between its dots; names are non-empty`: {"": add},
		`tools: the name "a..b" is empty`:                                   {"a..b": add},
		`tools.a.b: two names of the tree are this path`:                    {"a": tool.Tree{"b": add}, "a.b": add},
		`tools["x y"]: input type: no JSON Schema for the Go type chan int`: {"x y": tool.New("", func(context.Context, chan int) (int, error) { return 0, nil })},
		`tools.f: function: got nil`:                                        {"f": tool.New[int, int]("", nil)},
		`tools.z: timeout: got 0s, want more than 0`:                        {"z": raw(null, tool.Timeout(0))},
		`tools.v: validation: got 9, want Strict, Hint or Off`:              {"v": raw(null, tool.Validate(9))},
		`tools.n: Concurrency: got -1, want 0 or more`:                      {"n": tool.Namespace{Concurrency: -1}},
		`tools.t: the tool was not made by a constructor of this package`:   {"t": &tool.Tool{}},
	} {
		if _, err := tool.Resolve(tree); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	self := tool.Tree{}
	self["a"] = self
	if _, err := tool.Resolve(self); err == nil || !strings.Contains(err.Error(), "does the tree contain itself?") {
		t.Errorf("a tree that contains itself: %v", err)
	}
}

func TestPathsAndEnumeration(t *testing.T) {
	c, err := tool.Resolve(tool.Tree{
		"b":   tool.Namespace{Description: "bees", Self: add, Tools: tool.Tree{"z": add, "read.file": add, "__proto__": add}},
		"a/b": add, "b.x": add, "a": tool.Namespace{},
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range c.All() {
		all = append(all, e.Expression)
	}
	if got := strings.Join(all, " "); got != `tools["a/b"] tools.b tools.b.__proto__ tools.b.read.file tools.b.x tools.b.z` {
		t.Error(got)
	}
	for _, q := range []struct {
		path     []string
		tool, ns bool
		keys     string
	}{
		{nil, false, true, "[a a/b b]"}, {[]string{"b"}, true, true, "[__proto__ read x z]"}, {[]string{"b", "read.file"}, true, false, "[]"},
		{[]string{"b", "read", "file"}, true, false, "[]"}, {[]string{"a"}, false, true, "[]"}, {[]string{"q"}, false, false, "[]"},
	} {
		isTool, isNS := c.Lookup(q.path)
		keys, ok := c.Keys(q.path)
		if isTool != q.tool || isNS != q.ns || fmt.Sprint(keys) != q.keys || ok != (isTool || isNS) {
			t.Errorf("%v: %v %v %v", q.path, isTool, isNS, keys)
		}
	}
	if c.Description([]string{"b"}) != "bees" {
		t.Error("description")
	}
	few := c.Filter(func(e tool.Entry) bool { return strings.HasSuffix(e.Expression, "file") })
	if keys, _ := few.Keys([]string{"b"}); fmt.Sprint(keys) != "[read]" || len(few.All()) != 1 || few.Description([]string{"b"}) != "bees" {
		t.Errorf("filtered: %v", keys)
	}
}

func TestMerge(t *testing.T) {
	other := tool.New("other", func(context.Context, addIn) (int, error) { return 0, nil })
	base := tool.Tree{"a": tool.Namespace{Description: "A", Tools: tool.Tree{"x": add, "y": add}}, "t": add}
	merged, replaced := base.Merge(tool.Tree{"a.x": other, "a": tool.Tree{"z": add}, "t.u": add})
	c, err := tool.Resolve(merged)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(replaced) != "[tools.a.x]" || c.Tool([]string{"a", "x"}) != other || c.Description([]string{"a"}) != "A" || len(c.All()) != 5 {
		t.Errorf("replaced %v, %d tools", replaced, len(c.All()))
	}
}

func TestMissesSuggestTheRightSpelling(t *testing.T) {
	c, _ := tool.Resolve(tool.Tree{
		"github": tool.Tree{"list_issues": add, "get_issue": add, "create-comment": add}, "slack": tool.Tree{"post": add, "list_channels": add},
	})
	for path, want := range map[string]string{
		"github listIssues":    `there is no tool tools.github.listIssues; did you mean tools.github.list_issues?`,
		"Github list_isues":    `did you mean tools.github.list_issues?`,
		"github_list_issues":   `did you mean tools.github.list_issues?`,
		"list_issues":          `did you mean tools.github.list_issues?`,
		"github createComment": `did you mean tools.github["create-comment"]?`,
		"slack issues_list":    `did you mean tools.github.list_issues?`,
		"github zzz":           `there is no tool tools.github.zzz; tools.github has create-comment, get_issue, list_issues`,
		"zzz":                  `there is no tool tools.zzz; tools has github, slack`,
		"callTool":             `there is no tool tools.callTool; a tool is called by its path, such as await tools.github["create-comment"]({ … })`,
		"slack post map":       `there is no tool tools.slack.post.map; tools.slack.post is a tool, call it first: (await tools.slack.post({ … })).map(…)`,
		"slack post rows at":   `tools.slack.post is a tool, call it first: (await tools.slack.post({ … })).rows.at(…)`,
		"slack post run":       `there is no tool tools.slack.post.run; call tools.slack.post itself: await tools.slack.post({ … })`,
		"slack post":           `tools.slack.post is a tool, not a namespace; call it: await tools.slack.post({ … })`,
		"slack list channels":  `did you mean tools.slack.list_channels?`,
		"github get.issue":     `did you mean tools.github.get_issue?`,
		"slack":                `tools.slack is a namespace, not a tool; call one of its tools, such as tools.slack.list_channels`,
	} {
		e := c.Miss(strings.Fields(path))
		message, signature, signed := strings.Cut(e.Diagnostic().Message, "\n")
		if e.Diagnostic().Kind != diagnostics.UnknownTool || !strings.HasSuffix(message, want) {
			t.Errorf("%s: %s", path, message)
		}
		if suggested := e.Diagnostic().Suggestions; signed != (strings.Contains(want, "did you mean") || strings.Contains(want, "tools.slack.post")) ||
			signed && signature != "signature: "+suggested[0]+"(input: { a: number; b?: number }): Promise<number>" {
			t.Errorf("%s: %s", path, signature)
		}
	}
	empty, _ := tool.Resolve(nil)
	if got := empty.Miss([]string{"x"}).Error(); !strings.Contains(got, "has no tools") {
		t.Error(got)
	}
}

func TestLedgerIsBounded(t *testing.T) {
	b := open(t, tool.Tree{"ok": raw(null)}, tool.SessionOptions{}, 0)
	b.call("ok", `"`+strings.Repeat("é", 2000)+`"`)
	for range 11_500 {
		b.call("ok", "1")
	}
	b.wait.Wait()
	b.scope.Close(scope.Exit{})
	l := b.session.Ledger()
	if len(l.Calls) != 10_000 || l.Folded["tools.ok"] != 1501 || l.Calls[9999].Index != 11_500 {
		t.Errorf("%d records, folded %v", len(l.Calls), l.Folded)
	}
	first := open(t, tool.Tree{"ok": raw(null)}, tool.SessionOptions{}, 0)
	first.call("ok", `"`+strings.Repeat("é", 2000)+`"`)
	first.wait.Wait()
	first.scope.Close(scope.Exit{})
	if r := first.session.Ledger().Calls[0]; r.InputSize != 4002 || len(r.Input) > 1030 || !strings.HasSuffix(r.Input, "é…") {
		t.Errorf("%d bytes of %d kept", len(r.Input), r.InputSize)
	}
}

func BenchmarkTypedCall(b *testing.B) {
	catalog, _ := tool.Resolve(tool.Tree{"add": add})
	s := scope.Open(context.Background(), scope.Options{})
	session := tool.NewSession(s, catalog, tool.SessionOptions{})
	args := []data.Value{parse(`{"a":1,"b":2}`)}
	done := make(chan struct{})
	call := tool.Call{Path: []string{"add"}, Argc: 1, Args: func() ([]data.Value, error) { return args, nil }, Done: func(data.Value, error) { done <- struct{}{} }}
	b.ReportAllocs()
	for b.Loop() {
		if err := session.Invoke(call); err != nil {
			b.Fatal(err)
		}
		<-done
	}
	s.Close(scope.Exit{})
}

func TestEffectTools(t *testing.T) {
	released := 0
	effect := func(end fx.Effect[int]) *tool.Tool {
		return tool.NewEffect("", func(struct{}) fx.Effect[int] {
			resource := fx.AcquireRelease(fx.Succeed(0), func(int, scope.Exit) fx.Effect[int] { return fx.Sync(func() int { released++; return 0 }) })
			return fx.FlatMap(resource, func(int) fx.Effect[int] { return end })
		})
	}
	tree := tool.Tree{"ok": effect(fx.Succeed(5)), "told": effect(fx.Fail[int](tool.Errorf("no"))), "dies": effect(fx.Die[int]("x"))}
	for name, want := range map[string]string{
		"ok": "5", "told": "error ToolFailure: no", "dies": "error ToolFailure: tools.dies failed; the reason is internal to the host, which has the details",
	} {
		released = 0
		if got := one(t, tree, name); got != want || released != 1 {
			t.Errorf("%s: %s, released %d times", name, got, released)
		}
	}
}

func TestPathsHaveABound(t *testing.T) {
	fine := tool.New("", func(context.Context, struct{}) (int, error) { return 1, nil })
	if _, err := tool.Resolve(tool.Tree{strings.Repeat("a.", 63) + "a": fine}); err != nil {
		t.Error(err)
	}
	_, err := tool.Resolve(tool.Tree{"x": tool.Tree{strings.Repeat("a.", 100_000) + "a": fine}})
	if err == nil || !strings.Contains(err.Error(), "is longer than 64 names; does the tree") || len(err.Error()) > 300 {
		t.Error(err)
	}
}

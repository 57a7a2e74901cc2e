package registry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/tool"
)

// Which tools a pattern reaches, found by denying them.
func TestPatterns(t *testing.T) {
	tree := tool.Tree{}
	all := []string{"github.list", "github.delete_repo", "github.read.file", "gitlab.delete_repo", "github", "db.drop_table.now"}
	for _, path := range all {
		tree[path] = answering(path)
	}
	r := of(t, tree)
	for pattern, want := range map[string]string{
		"":                "github.list github.delete_repo github.read.file gitlab.delete_repo github db.drop_table.now",
		"**":              "github.list github.delete_repo github.read.file gitlab.delete_repo github db.drop_table.now",
		"github.*":        "github.list github.delete_repo github.read.file",
		"github*":         "github.list github.delete_repo github.read.file github",
		"*.delete_*":      "github.delete_repo gitlab.delete_repo",
		"github.list":     "github.list",
		"github":          "github",
		"git*.*e*":        "github.delete_repo github.read.file gitlab.delete_repo",
		"*.*_*.*":         "db.drop_table.now",
		"github.list*ist": "",
		"tools.github.*":  "",
		"GitHub.*":        "",
	} {
		s := step(t, r, registry.Step{Rules: []registry.Rule{{Path: pattern, Effect: registry.Deny}}})
		var hidden []string
		for _, path := range all {
			if s.View() == nil || s.View().Tools().Tool(strings.Split(path, ".")) == nil {
				hidden = append(hidden, path)
			}
		}
		if got := strings.Join(hidden, " "); got != want {
			t.Errorf("%q reaches %q, want %q", pattern, got, want)
		}
	}
}

func TestRules(t *testing.T) {
	reads := tool.Annotate(tool.Annotations{ReadOnly: true})
	deletes := tool.Annotate(tool.Annotations{Destructive: true, Idempotent: true})
	r := of(t, tool.Tree{"db": tool.Tree{"read": answering("rows", reads), "drop": answering("dropped", deletes), "write": answering("written")}})
	has := func(field string) func(data.Value) bool {
		return func(v data.Value) bool { _, ok := v.(*data.Object).Get(field); return ok }
	}
	deny, allow := registry.Deny, registry.Allow
	const all = `
		const answers = {};
		for (const name of Object.keys(tools.db)) answers[name] = await tools.db[name]({ force: true }).catch((e) => e.message);
		return answers;`
	for _, c := range []struct {
		name  string
		rules []registry.Rule
		want  string
	}{
		{"none", nil, `{"drop":"dropped","read":"rows","write":"written"}`},
		{"the last counts", []registry.Rule{{Effect: deny}, {Path: "db.r*", Effect: allow}}, `{"read":"rows"}`},
		{"the last counts, the other way", []registry.Rule{{Path: "db.r*", Effect: allow}, {Effect: deny}, {Path: "db.write"}}, `{"write":"written"}`},
		{"by a hint", []registry.Rule{{Hints: registry.Hints{ReadOnly: new(false)}, Effect: deny}}, `{"read":"rows"}`},
		{"by two hints", []registry.Rule{{Hints: registry.Hints{Destructive: new(true), Idempotent: new(true)}, Effect: deny}}, `{"read":"rows","write":"written"}`},
		{"by input", []registry.Rule{{Path: "*.drop", Input: has("force"), Effect: deny, Reason: "force needs a ticket"}},
			`{"drop":"tools.db.drop was not called: the host does not allow this call: force needs a ticket","read":"rows","write":"written"}`},
		{"by input that does not match", []registry.Rule{{Path: "*.drop", Input: has("ticket"), Effect: deny}}, `{"drop":"dropped","read":"rows","write":"written"}`},
		{"allowed by input", []registry.Rule{{Path: "*.drop", Effect: deny}, {Path: "*.drop", Input: has("force"), Effect: allow}},
			`{"drop":"dropped","read":"rows","write":"written"}`},
		{"refused with every input", []registry.Rule{{Path: "*.drop", Effect: deny}, {Path: "*.drop", Input: has("ticket"), Effect: deny}}, `{"read":"rows","write":"written"}`},
		{"refused without an allowing input", []registry.Rule{{Path: "*.drop", Effect: deny}, {Path: "*.drop", Input: has("ticket"), Effect: allow}},
			`{"drop":"tools.db.drop was not called: the host does not allow this call","read":"rows","write":"written"}`},
	} {
		o := program(t, step(t, r, registry.Step{Rules: c.rules}), all)
		if got := data.JSON(o.Value); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	if s := step(t, r, registry.Step{Rules: []registry.Rule{{Effect: deny}}}); s.Tools() != nil && len(s.Tools()) > 0 || s.View() != nil {
		t.Errorf("with everything denied there are %v", names(s))
	}
}

// What a step hides, by a filter or by rules, cannot be told from what was never registered.
func TestHiddenIsUnknown(t *testing.T) {
	hidden := func(path []string) bool {
		return path[0] == "memory" || path[len(path)-1] == "create_issue" || path[0] == "spare"
	}
	all, never := newRegistry(t, registry.Options{}), newRegistry(t, registry.Options{})
	for i, l := range fixture.Lists() {
		mode := registry.Mode(i % 2)
		register(t, all, tool.Tree{l.Server: tool.Namespace{Description: l.Description, Guide: l.Instructions, Tools: l.Tree()}}, mode)
		shown := tool.Tree{}
		for name, node := range l.Tree() {
			if !hidden([]string{l.Server, name}) {
				shown[name] = node
			}
		}
		if len(shown) > 0 {
			register(t, never, tool.Tree{l.Server: tool.Namespace{Description: l.Description, Guide: l.Instructions, Tools: shown}}, mode)
		}
	}
	// Hidden ones with the names of others change no name.
	register(t, all, tool.Tree{"spare.a": answering("1"), "spare_a": answering("2")}, registry.Direct)
	register(t, never, tool.Tree{"spare_a": answering("2")}, registry.Direct)
	want := step(t, never, registry.Step{})
	for what, s := range map[string]registry.Step{
		"a filter": {Visible: func(e tool.Entry) bool { return !hidden(e.Path) }},
		"rules":    {Rules: []registry.Rule{{Path: "memory.*", Effect: registry.Deny}, {Path: "*.create_issue", Effect: registry.Deny}, {Path: "spare.*", Effect: registry.Deny}}},
	} {
		got := step(t, all, s)
		if !slices.Equal(names(got), names(want)) || len(got.Clashes()) != len(want.Clashes()) {
			t.Errorf("%s: the tools are\n%v, want\n%v", what, names(got), names(want))
		}
		for i, tl := range got.Tools() {
			if tl.Description != want.Tools()[i].Description {
				t.Errorf("%s: %s is described as %q", what, tl.Name, tl.Description)
			}
		}
		for _, src := range []string{
			`return Object.keys(tools)`, `return tools.memory.read_graph()`, `return search("memory")`, `return search("knowledge graph entities")`,
			`return search("tools.memory.read_graph")`, `return search({ namespace: "memory" })`, `return (await search({ limit: 1000 })).items.map((i) => i.path)`,
			`return Object.keys(tools["official-github"])`, `return tools["official-github"].create_issue({})`, `return tools["official-github"].create_isue({})`,
			`return Object.keys(tools.memory)`, `return "memory" in tools`,
		} {
			if got, want := program(t, got, src).Text, program(t, want, src).Text; got != want {
				t.Errorf("%s, %s:\n%.300s\nwant\n%.300s", what, src, got, want)
			}
		}
		for _, name := range []string{"memory_read_graph", "official-github_create_issue", "official-gitlab_create_issue", "spare_a", "nothing"} {
			if got, want := called(t, got, name, nil).Text, called(t, want, name, nil).Text; got != want {
				t.Errorf("%s, %s: %s, want %s", what, name, got, want)
			}
		}
		if d := got.Since(want); !d.Programs.Empty() || len(d.Direct.Added)+len(d.Direct.Removed) > 0 {
			t.Errorf("%s: %v", what, d)
		}
	}
}

// asks answers questions after a time.
func asks(after time.Duration, d registry.Decision, err error) func(context.Context, registry.Question) (registry.Decision, error) {
	return func(ctx context.Context, _ registry.Question) (registry.Decision, error) {
		select {
		case <-time.After(after):
			return d, err
		case <-ctx.Done():
			return registry.Decision{}, ctx.Err()
		}
	}
}

// Waiting for answers is not on the clock of the execution, nor on that of the tool, and takes no permit.
func TestAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, registry.Options{Runtime: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(1000)}}})
		tree := tool.Tree{"mail.send": answering("sent", tool.Timeout(time.Second)), "fast": answering("fast")}
		register(t, r, tree, registry.Deferred)
		register(t, r, tool.Tree{"pay": answering("paid", tool.Timeout(time.Second))}, registry.Direct)
		var questions []registry.Question
		var statuses []registry.Status
		answer := asks(time.Hour, registry.Decision{Allow: true}, nil)
		s := step(t, r, registry.Step{
			Rules: []registry.Rule{{Path: "mail.*", Effect: registry.Ask, Reason: "mail leaves the house"}, {Path: "pay", Effect: registry.Ask}},
			Ask: func(ctx context.Context, q registry.Question) (registry.Decision, error) {
				questions = append(questions, q)
				return answer(ctx, q)
			},
			OnStatus: func(c registry.CallStatus) { statuses = append(statuses, c.Status) },
		})
		start := time.Now()
		o := program(t, s, `return [await tools.mail.send({ to: "ann" }), await tools.fast()]`)
		if o.Text != "[\n  \"sent\",\n  \"fast\"\n]" || time.Since(start) < time.Hour || o.Result.Stats.WaitedMs < 3_599_000 {
			t.Errorf("%s after %v", o.Text, time.Since(start))
		}
		if q := questions[0]; q.ID != "c1/1" || q.Parent != "c1" || q.Entry.Expression != "tools.mail.send" || data.JSON(q.Input) != `{"to":"ann"}` || q.Reason != "mail leaves the house" {
			t.Errorf("asked %+v", q)
		}
		if !slices.Equal(statuses, []registry.Status{"running", "waiting", "running", "completed", "running", "completed"}) {
			t.Error(statuses)
		}
		if o := called(t, s, "pay", nil); o.Text != "paid" || questions[1].ID != "c1" || questions[1].Parent != "" {
			t.Errorf("%s, %+v", o.Text, questions[1])
		}
	})
}

func TestAskingForManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, registry.Options{Runtime: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(1000)}}})
		register(t, r, tool.Tree{"mail.send": answering("sent"), "fast": answering("fast")}, registry.Deferred)
		s := step(t, r, registry.Step{Rules: []registry.Rule{{Path: "mail.*", Effect: registry.Ask}}, Ask: asks(time.Minute, registry.Decision{Allow: true}, nil)})
		start := time.Now()
		// 20 wait while one that needs no answer gets through.
		o := program(t, s, `
			const waiting = Array.from({ length: 20 }, () => tools.mail.send({}));
			const first = await Promise.race([...waiting, tools.fast()]);
			return [first, (await Promise.all(waiting)).length];`)
		if data.JSON(o.Value) != `["fast",20]` || time.Since(start) != time.Minute {
			t.Errorf("%s after %v", o.Text, time.Since(start))
		}
	})
}

func TestAnswersThatRefuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := of(t, tool.Tree{"drop": doing(func(context.Context, data.Value) (data.Value, error) { t.Error("it ran"); return nil, nil })})
		rules := []registry.Rule{{Effect: registry.Ask}}
		for want, ask := range map[string]func(context.Context, registry.Question) (registry.Decision, error){
			"tools.drop was not called: permission was asked for and refused: use the archive": asks(time.Second, registry.Decision{Reason: "use the archive"}, nil),
			"tools.drop was not called: permission was asked for and refused":                  asks(time.Second, registry.Decision{}, nil),
			"nobody is there": asks(time.Second, registry.Decision{Allow: true}, tool.Errorf("nobody is there")),
			"tools.drop was not called; the reason is internal to the host, which has the details": asks(time.Second, registry.Decision{Allow: true}, errors.New("smtp://secret")),
		} {
			o := program(t, step(t, r, registry.Step{Rules: rules, Ask: ask}), `try { await tools.drop() } catch (e) { return e.message }`)
			if o.Text != want {
				t.Errorf("got %s, want %s", o.Text, want)
			}
		}
	})
}

func TestInterruptedWhileAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, registry.Options{Runtime: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(1000)}, MaxWait: time.Minute}})
		register(t, r, tool.Tree{"a": answering("a")}, registry.Deferred)
		register(t, r, tool.Tree{"b": answering("b")}, registry.Direct)
		withdrawn := 0
		s := step(t, r, registry.Step{Rules: []registry.Rule{{Effect: registry.Ask}}, Ask: func(ctx context.Context, _ registry.Question) (registry.Decision, error) {
			<-ctx.Done()
			withdrawn++
			return registry.Decision{Allow: true}, nil // an answer after the end does not count
		}})
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		for _, name := range []string{"execute", "b"} {
			o, err := s.Call(ctx, "c1", name, code(`return await tools.a()`))
			var ended *codemode.Ended
			if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &ended) || !o.IsError || len(o.Result.Calls) > 1 {
				t.Errorf("%s: %v %+v", name, err, o)
			}
		}
		for _, name := range []string{"execute", "b"} {
			start := time.Now()
			o := called(t, s, name, code(`return await tools.a()`))
			if took := time.Since(start); !strings.Contains(o.Text, "TimeoutExceeded") || took != time.Minute+time.Second {
				t.Errorf("%s: %s after %v", name, o.Text, took)
			}
		}
		if withdrawn != 3 { // the second call of the interrupted context never started
			t.Errorf("%d questions were withdrawn", withdrawn)
		}
	})
}

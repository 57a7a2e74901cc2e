package registry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/tool"
)

// record collects what hooks are told, from any goroutine.
type record struct {
	mu    sync.Mutex
	lines []string
}

func (r *record) add(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

var errInternal = errors.New("row locked on db-7.internal")

func TestHooks(t *testing.T) {
	var log record
	r := newRegistry(t, registry.Options{Runtime: codemode.Options{Hooks: codemode.Hooks{
		OnToolCallStart: func(c tool.CallStart) { log.add("host start %d %s", c.Index, c.Path) },
		OnToolCallEnd:   func(c tool.CallEnd) { log.add("host end %d %s", c.Index, c.Outcome) },
	}}})
	tree := tool.Tree{
		"ok":    answering("fine"),
		"fails": doing(func(context.Context, data.Value) (data.Value, error) { return nil, errInternal }),
	}
	register(t, r, tree, registry.Deferred)
	register(t, r, tool.Tree{"one": answering("1")}, registry.Direct)
	type key struct{}
	s := step(t, r, registry.Step{
		Before: func(ctx context.Context, c registry.Call) error {
			log.add("before %s %s", c.ID, data.JSON(c.Input))
			if c.Input.(*data.Object).Len() > 0 {
				return tool.Errorf("%s: not on a Sunday", c.Entry.Expression)
			}
			return nil
		},
		After: func(ctx context.Context, c registry.Call, o registry.Outcome) {
			log.add("after %s %v %s %v %v", c.ID, ctx.Value(key{}), o.Status, o.Value, errors.Is(o.Cause, errInternal))
		},
		OnStatus: func(c registry.CallStatus) {
			log.add("status %s of %s: %s %s", c.ID, c.Parent, c.Status, c.Message)
			if ran := c.Status != registry.Running && c.Status != "not_started"; ran != (c.Duration > 0) {
				t.Errorf("%s takes %v", c.Status, c.Duration)
			}
		},
	})
	ctx := context.WithValue(context.Background(), key{}, "v")
	run := func(name string, input data.Value, want string) {
		t.Helper()
		log.lines = nil
		o, err := s.Call(ctx, "m7", name, input)
		if err != nil || o.Text != want {
			t.Errorf("got %q, %v; want %q", o.Text, err, want)
		}
	}
	expect := func(want string) {
		t.Helper()
		if got := strings.Join(log.lines, "\n"); got != strings.TrimSpace(want) {
			t.Errorf("got\n%s\nwant%s", got, want)
		}
	}
	run("execute", code(`
		const first = await tools.ok();
		const second = await tools.ok({ a: 1 }).catch((e) => e.message);
		const third = await tools.fails().catch((e) => e.kind);
		return [first, second, third].join("; ")`), "fine; tools.ok: not on a Sunday; ToolFailure")
	expect(`
status m7/1 of m7: running 
host start 0 tools.ok
before m7/1 {}
after m7/1 v completed fine false
status m7/1 of m7: completed 
host end 0 completed
status m7/2 of m7: running 
host start 1 tools.ok
before m7/2 {"a":1}
after m7/2 v not_started <nil> false
status m7/2 of m7: not_started tools.ok: not on a Sunday
host end 1 not_started
status m7/3 of m7: running 
host start 2 tools.fails
before m7/3 {}
after m7/3 v failed <nil> true
status m7/3 of m7: failed tools.fails failed; the reason is internal to the host, which has the details
host end 2 failed`)
	run("one", nil, "1")
	expect(`
status m7 of : running 
host start 0 tools.one
before m7 {}
after m7 v completed 1 false
status m7 of : completed 
host end 0 completed`)
	run("one", parse(t, `{"x":1}`), "ToolFailure: one: not on a Sunday")
}

// The ids follow the order in which a program calls, whatever the order of ends.
func TestIdsInCallOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := doing(func(_ context.Context, in data.Value) (data.Value, error) {
			n, _ := in.(*data.Object).Get("s")
			time.Sleep(time.Duration(n.(data.Number).Float64()) * time.Second)
			return n, nil
		})
		var log record
		s := step(t, of(t, tool.Tree{"wait": wait}), registry.Step{OnStatus: func(c registry.CallStatus) {
			if c.Status == "completed" {
				log.add("%s %s", c.ID, data.JSON(c.Input))
			}
		}})
		o := program(t, s, `return Promise.all([3, 1, 2].map((s) => tools.wait({ s })))`)
		if data.JSON(o.Value) != "[3,1,2]" || !slices.Equal(log.lines, []string{`c1/2 {"s":1}`, `c1/3 {"s":2}`, `c1/1 {"s":3}`}) {
			t.Errorf("%s %v", o.Text, log.lines)
		}
	})
}

// Every call that starts has one start and one end, and nothing comes after the end, also when a tool or whoever is asked
// does not react to the interruption.
func TestStatusesOfInterruptedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := newRegistry(t, registry.Options{Runtime: codemode.Options{InterruptGrace: time.Second}})
		register(t, r, tool.Tree{
			"polite": doing(func(ctx context.Context, _ data.Value) (data.Value, error) { <-ctx.Done(); return nil, ctx.Err() }),
			"deaf":   doing(func(context.Context, data.Value) (data.Value, error) { <-release; return data.Null{}, nil }),
			"asked": doing(func(context.Context, data.Value) (data.Value, error) {
				t.Error("it ran after the end")
				return nil, nil
			}),
			"judged": answering("x"),
		}, registry.Deferred)
		slow := func(data.Value) bool { <-release; return true }
		log := map[string][]string{}
		var mu sync.Mutex
		afters := map[string]tool.Status{}
		s := step(t, r, registry.Step{
			Rules: []registry.Rule{{Path: "asked", Effect: registry.Ask}, {Path: "judged", Effect: registry.Ask, Input: slow}},
			Ask: func(context.Context, registry.Question) (registry.Decision, error) {
				<-release
				return registry.Decision{Allow: true}, nil
			},
			After: func(_ context.Context, c registry.Call, o registry.Outcome) {
				mu.Lock()
				defer mu.Unlock()
				afters[c.ID] = o.Status
			},
			OnStatus: func(c registry.CallStatus) {
				mu.Lock()
				defer mu.Unlock()
				log[c.ID] = append(log[c.ID], string(c.Status))
			},
		})
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		o, err := s.Call(ctx, "c1", "execute", code(`
			return Promise.all([tools.polite(), tools.deaf(), tools.asked(), tools.judged(), ...Array.from({ length: 8 }, () => tools.polite())])`))
		if !errors.Is(err, context.DeadlineExceeded) || !o.IsError {
			t.Fatalf("%v %+v", err, o)
		}
		close(release)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		want := map[string]string{"c1/1": "running interrupted", "c1/2": "running abandoned", "c1/3": "running waiting not_started", "c1/4": "running not_started"}
		for id, w := range want {
			if got := strings.Join(log[id], " "); got != w || !strings.HasSuffix(w, string(afters[id])) {
				t.Errorf("%s: %s, then %s; want %s", id, got, afters[id], w)
			}
		}
		if len(log) != 9 || len(afters) != 9 { // the one that waits has left its permit to another
			t.Errorf("%d calls have started and %d ended", len(log), len(afters))
		}
		if !strings.HasPrefix(o.Text, "Interrupted: the host ended this before it was done.\n\nCalls, in order:\n1. tools.polite(): interrupted; it may have taken effect\n"+
			"2. tools.deaf(): interrupted, and it did not stop; it may still take effect\n3. tools.asked(): not started") || !strings.HasSuffix(o.Text, "12. tools.polite(): not started") {
			t.Error(o.Text)
		}
	})
}

// A panic in a hook is a defect of the host: the program goes on, and the host learns of it.
func TestDefectsOfHooks(t *testing.T) {
	r := of(t, tool.Tree{"a": answering("a")})
	register(t, r, tool.Tree{"b": answering("b")}, registry.Direct)
	for name, s := range map[string]registry.Step{
		"status": {OnStatus: func(registry.CallStatus) { panic("secret") }},
		"after":  {After: func(context.Context, registry.Call, registry.Outcome) { panic("secret") }},
		"before": {Before: func(context.Context, registry.Call) error { panic("secret") }},
		"ask": {Rules: []registry.Rule{{Effect: registry.Ask}}, Ask: func(context.Context, registry.Question) (registry.Decision, error) {
			panic("secret")
		}},
		"input": {Rules: []registry.Rule{{Effect: registry.Deny, Input: func(data.Value) bool { panic("secret") }}}},
	} {
		for _, tl := range step(t, r, s).Tools() {
			o, err := tl.Call(context.Background(), "c1", code(`return tools.a()`))
			if strings.Contains(o.Text, "secret") {
				t.Errorf("%s: the model reads %s", name, o.Text)
			}
			var ended *codemode.Ended
			if !errors.As(err, &ended) || !ended.Cause.HasDies() {
				t.Errorf("%s: %v, %+v", name, err, o)
			}
			before := name != "status" && name != "after" // they decide about the call, which did not run then
			status := tool.Completed
			if before {
				status = tool.NotStarted
			}
			if o.IsError != before || before != strings.Contains(o.Text, "was not called; the reason is internal") || o.Result.Calls[0].Status != status {
				t.Errorf("%s: %v, %s", name, o.Result.Calls, o.Text)
			}
		}
	}
}

// A tool that is removed while a program runs: calls that run go on, later ones are refused, and the program can catch it.
func TestRemovedMeanwhile(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	var g *registry.Registration
	g = register(t, r, tool.Tree{
		"first": doing(func(context.Context, data.Value) (data.Value, error) { g.Dispose(); return data.String("ran"), nil }),
		"later": answering("later"),
	}, registry.Deferred)
	s := step(t, r, registry.Step{})
	o := program(t, s, `
		const first = await tools.first();
		try { return [first, await tools.later()] } catch (e) { return [first, e.kind, e.message] }`)
	want := `["ran","ToolFailure","tools.later was not called: it has been removed or replaced since this step began; the next step sees the tools as they are then"]`
	if data.JSON(o.Value) != want {
		t.Errorf("got %s", o.Text)
	}
}

// An answer that comes when the tool is gone does not make it run.
func TestRemovedWhileAsking(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	asked := 0
	g := register(t, r, tool.Tree{"a": doing(func(context.Context, data.Value) (data.Value, error) { t.Error("it ran"); return nil, nil })}, registry.Deferred)
	s := step(t, r, registry.Step{Rules: []registry.Rule{{Effect: registry.Ask}}, Ask: func(context.Context, registry.Question) (registry.Decision, error) {
		asked++
		g.Dispose()
		return registry.Decision{Allow: true}, nil
	}})
	for range 2 { // the second time nobody is asked
		if o := program(t, s, `return tools.a()`); !strings.Contains(o.Text, "tools.a was not called: it has been removed") || asked != 1 {
			t.Errorf("asked %d times: %s", asked, o.Text)
		}
	}
}

// A server that sends its list again while a program runs costs the program nothing, and the next step sees what is new.
func TestListChangedMeanwhile(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	var g *registry.Registration
	list := func(names ...string) tool.Tree {
		tree := tool.Tree{}
		for _, name := range names {
			tree["actor."+name] = answering(name)
		}
		tree["actor.add"] = doing(func(context.Context, data.Value) (data.Value, error) {
			tree := tool.Tree{"actor.x": answering("new x"), "actor.y": answering("y"), "actor.add": answering("added")}
			return data.Null{}, g.Replace(tree)
		})
		return tree
	}
	g = register(t, r, list("x", "z"), registry.Deferred)
	before := step(t, r, registry.Step{})
	o := program(t, before, `
		await tools.actor.add();
		return [await tools.actor.x(), "y" in tools.actor, (await search("actor")).total, await tools.actor.z().catch((e) => e.message)]`)
	want := `["x",false,3,"tools.actor.z was not called: it has been removed or replaced since this step began; the next step sees the tools as they are then"]`
	if data.JSON(o.Value) != want {
		t.Error(o.Text)
	}
	after := step(t, r, registry.Step{})
	if o := program(t, after, `return [await tools.actor.x(), await tools.actor.y(), "z" in tools.actor]`); data.JSON(o.Value) != `["new x","y",false]` {
		t.Error(o.Text)
	}
	if d := after.Since(before); len(d.Programs.Added) != 1 || len(d.Programs.Removed) != 1 || d.Programs.Changed[1].Expression != "tools.actor.x" {
		t.Error(d)
	}
}

// What the model and the host are told of a call that did not run is that it did not, whoever turned it away.
func TestCallsThatDidNotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, registry.Options{Runtime: codemode.Options{
			Limits: codemode.Limits{TimeoutMs: new(1000)}, MaxWait: 2 * time.Second, InterruptGrace: time.Second}})
		run := doing(func(context.Context, data.Value) (data.Value, error) { t.Error("it ran"); return nil, nil })
		register(t, r, tool.Tree{"drop": run}, registry.Deferred)
		register(t, r, tool.Tree{"wipe": run}, registry.Direct)
		ask := func(f func(context.Context) error) registry.Step {
			return registry.Step{Rules: []registry.Rule{{Effect: registry.Ask}}, Ask: func(ctx context.Context, _ registry.Question) (registry.Decision, error) {
				return registry.Decision{}, f(ctx)
			}}
		}
		before := func(f func(context.Context) error) registry.Step {
			return registry.Step{Before: func(ctx context.Context, _ registry.Call) error { return f(ctx) }}
		}
		interrupted := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		failing := func(err error) func(context.Context) error { return func(context.Context) error { return err } }
		for name, s := range map[string]registry.Step{
			"asked, interrupted":  ask(interrupted),
			"asked, deaf":         ask(func(context.Context) error { time.Sleep(time.Minute); return nil }),
			"asked, told":         ask(failing(tool.Errorf("nobody is there"))),
			"asked, failed":       ask(failing(errInternal)),
			"before, interrupted": before(interrupted),
			"before, told":        before(failing(tool.Errorf("the budget is used up"))),
			"before, refused":     before(failing(tool.Refusef("the budget is used up"))),
			"before, failed":      before(failing(errInternal)),
		} {
			var last, after string
			s.OnStatus = func(c registry.CallStatus) { last = string(c.Status) }
			s.After = func(_ context.Context, _ registry.Call, o registry.Outcome) { after = string(o.Status) }
			for _, tl := range step(t, r, s).Tools() {
				o, err := tl.Call(context.Background(), "c1", code(`return tools.drop()`))
				if err != nil {
					t.Fatal(err)
				}
				if status := string(o.Result.Calls[0].Status); status != "not_started" || last != status || after != status {
					t.Errorf("%s, %s: the ledger says %s, the user interface %s, the hook %s", name, tl.Name, status, last, after)
				}
				if !o.IsError || strings.Contains(o.Text, "effect") || strings.Contains(o.Text, "internal.") {
					t.Errorf("%s, %s: the model reads %s", name, tl.Name, o.Text)
				}
			}
		}
		time.Sleep(time.Hour) // for those that are deaf
	})
}

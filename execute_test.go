package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// regexp2 keeps one clock for all timeouts of matches.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

type sleepIn struct {
	Ms int `json:"ms"`
}

// clockTree has tools that wait, fail, panic and ignore interruption.
func clockTree(release <-chan struct{}) tool.Tree {
	return tool.Tree{"t": tool.Tree{
		"sleep": tool.New("Wait", func(ctx context.Context, in sleepIn) (int, error) {
			select {
			case <-time.After(time.Duration(in.Ms) * time.Millisecond):
				return in.Ms, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}),
		"deaf": tool.New("Ignore the context", func(context.Context, struct{}) (int, error) {
			<-release
			return 1, nil
		}),
		"fail":  tool.New("Fail", func(context.Context, struct{}) (int, error) { return 0, tool.Errorf("no such thing") }),
		"panic": tool.New("Panic", func(context.Context, struct{}) (int, error) { panic("s3cr3t") }),
		"echo":  tool.New("Echo", func(_ context.Context, in data.Value) (data.Value, error) { return in, nil }),
		"person": tool.New("Ask a person", func(ctx context.Context, in sleepIn) (string, error) {
			resume := tool.Waiting(ctx)
			time.Sleep(time.Duration(in.Ms) * time.Millisecond)
			return "yes", resume()
		}),
	}}
}

func runtime(t *testing.T, o codemode.Options) *codemode.Runtime {
	t.Helper()
	rt, err := codemode.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

// virtual runs f in virtual time.
func virtual(t *testing.T, o codemode.Options, f func(t *testing.T, rt *codemode.Runtime)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		if o.Tools == nil {
			o.Tools = clockTree(release)
		}
		f(t, runtime(t, o))
	})
}

func statuses(r *codemode.Result) string {
	var all []string
	for _, c := range r.Calls {
		all = append(all, string(c.Status))
	}
	return strings.Join(all, " ")
}

func TestEndings(t *testing.T) {
	for _, test := range []struct {
		name    string
		options codemode.Options
		program string

		value    string // "" is none
		kind     diagnostics.Kind
		message  string
		line     int
		warnings int
		logs     string
		statuses string
		after    time.Duration // virtual time that passes, if not negative
	}{
		{name: "a returned value", program: `return {a: [1, "x"]}`, value: `{"a":[1,"x"]}`},
		{name: "no value", program: `const a = 1`, value: `null`},
		{name: "drain", program: `tools.t.sleep({ms: 50}).then(v => console.log("slept", v)); return 1`,
			value: `1`, logs: "slept 50", statuses: "completed", after: 50 * time.Millisecond},
		{name: "pushes in the drain are in the value", program: `const out = []; tools.t.sleep({ms: 5}).then(x => out.push(x)); return out`,
			value: `[5]`, statuses: "completed", after: 5 * time.Millisecond},
		{name: "unhandled rejection", program: "const a = 1;\ntools.t.fail({});\nreturn 7",
			value: `7`, kind: diagnostics.ToolFailure, message: "no such thing", line: 2, statuses: "failed"},
		{name: "further ones are warnings", program: `tools.t.fail({}); tools.t.fail({}); Promise.reject(new Error("x")); return 7`,
			value: `7`, kind: diagnostics.ToolFailure, message: "no such thing", line: 1, warnings: 2, statuses: "failed failed"},
		{name: "the one that was created first is the failure", program: "const a = (async () => { await 0; await 0; throw 'a' })();\nPromise.reject('b');\nreturn 7",
			value: `7`, kind: diagnostics.ExecutionFailure, message: "rejection: a", line: 1, warnings: 1},
		{name: "a rejection with a string has a place", program: "const a = 1;\nconst r = Promise.withResolvers();\nr.reject('gone');\nreturn 7",
			value: `7`, kind: diagnostics.ExecutionFailure, message: "gone", line: 3},
		{name: "a hundred rejections and their number", program: "for (let i = 0; i < 250; i++) Promise.reject(i); return 7",
			value: `7`, kind: diagnostics.ExecutionFailure, message: "rejection: 0", line: 1, warnings: 100},
		{name: "sleeping is on the clock", options: codemode.Options{AllowSleep: true, Limits: codemode.Limits{TimeoutMs: new(100), MaxToolCalls: new(0)}},
			program: `await tools.$codemode.sleep({ms: 50}); console.log("slept"); await tools.$codemode.sleep({ms: 51})`,
			kind:    diagnostics.TimeoutExceeded, logs: "slept", after: 100 * time.Millisecond},
		{name: "sleeping when the host does not allow it", program: `await tools.$codemode.sleep({ms: 50})`, kind: diagnostics.UnknownTool, line: 1},
		{name: "a bad sleep", options: codemode.Options{AllowSleep: true}, program: `await tools.$codemode.sleep({ms: -1})`, kind: diagnostics.InvalidToolInput, line: 1},
		{name: "the runtime's namespace is not enumerated", options: codemode.Options{AllowSleep: true},
			program: `return [Object.keys(tools), "$codemode" in tools, Object.keys(tools.$codemode), typeof tools.$codemode.sleep, await tools.$codemode.sleep({ms: 1})]`,
			value:   `[["t"],true,["search","sleep"],"function",null]`, after: time.Millisecond},
		{name: "a caught error tells its origin", options: codemode.Options{Limits: codemode.Limits{MaxToolCalls: new(2)}},
			program: `const of = async (f) => { try { await f() } catch (e) { return [e.kind, e.origin, JSON.stringify(e), Object.keys(e).length] } };
				return [await of(() => tools.t.fail({})), await of(() => tools.t.panic({})), await of(() => tools.t.echo({})), await of(() => tools.t.sleep({ms: "x"})), await of(() => tools.nothere()), await of(() => { throw new Error("own") })]`,
			value:    `[["ToolFailure","tool","{}",0],["ToolFailure","host","{}",0],["ToolCallLimitExceeded","runtime","{}",0],["InvalidToolInput","tool","{}",0],["UnknownTool","program","{}",0],[null,null,"{}",0]]`,
			statuses: "failed failed not_started"},
		{name: "uncaught throw", program: "tools.t.sleep({ms: 9}).then(() => console.log('late'));\nthrow new TypeError('bad')",
			kind: diagnostics.ExecutionFailure, message: "TypeError: bad", line: 2, logs: "late", statuses: "completed", after: 9 * time.Millisecond},
		{name: "a later failure does not replace it", program: `tools.t.sleep({ms: 9}).then(() => { throw new Error("second") }); throw new Error("first")`,
			kind: diagnostics.ExecutionFailure, message: "first", warnings: 1, statuses: "completed", after: 9 * time.Millisecond},
		{name: "a timeout in the drain does not either", options: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(100)}},
			program: `tools.t.sleep({ms: 1000}); throw new Error("first")`,
			kind:    diagnostics.ExecutionFailure, message: "first", warnings: 1, statuses: "interrupted", after: 100 * time.Millisecond},
		{name: "stalled", program: "const p = new Promise(() => {});\nawait p", kind: diagnostics.ExecutionFailure, message: "nothing can settle", line: 2},
		{name: "timeout", options: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(100)}},
			program: `try { await Promise.all([1000, 10, 2000].map(ms => tools.t.sleep({ms}))) } catch { console.log("catch") } finally { console.log("finally") }`,
			kind:    diagnostics.TimeoutExceeded, message: "100 ms", line: 1, statuses: "interrupted completed interrupted", after: 100 * time.Millisecond},
		{name: "timeout with a queue", options: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(100)}},
			program: `const all = Array.from({length: 9}, () => tools.t.sleep({ms: 1000}).catch(() => console.log("catch"))); await Promise.all(all)`,
			kind:    diagnostics.TimeoutExceeded, statuses: strings.Repeat("interrupted ", 8) + "not_started", after: 100 * time.Millisecond},
		{name: "timeout at an await", options: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(100)}},
			program: "const f = ms => tools.t.sleep({ms});\nawait f(60);\nreturn await f(60)",
			kind:    diagnostics.TimeoutExceeded, message: "100 ms", line: 3, statuses: "completed interrupted", after: 100 * time.Millisecond},
		{name: "a deaf tool", options: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(100)}},
			program: `await tools.t.deaf({})`, kind: diagnostics.TimeoutExceeded, statuses: "abandoned", after: 350 * time.Millisecond},
		{name: "call limit", options: codemode.Options{Limits: codemode.Limits{MaxToolCalls: new(2)}},
			program: `for (let i = 0; i < 5; i++) await tools.t.echo({i})`,
			kind:    diagnostics.ToolCallLimitExceeded, message: "limit of 2", line: 1, statuses: "completed completed not_started"},
		{name: "call limit caught", options: codemode.Options{Limits: codemode.Limits{MaxToolCalls: new(0)}},
			program: `try { await tools.t.echo({}) } catch (e) { return e instanceof Error }`, value: `true`, statuses: "not_started"},
		{name: "interrupt what is pending", options: codemode.Options{Pending: codemode.Interrupt},
			program: `return await Promise.race([tools.t.sleep({ms: 10}), tools.t.sleep({ms: 10000})])`,
			value:   `10`, statuses: "completed interrupted", after: 10 * time.Millisecond},
		{name: "a tool's failure", program: `await tools.t.fail({})`, kind: diagnostics.ToolFailure, message: "no such thing", line: 1, statuses: "failed"},
		{name: "a tool's panic", program: `try { await tools.t.panic({}) } catch (e) { return e.message.includes("s3cr3t") }`, value: `false`, statuses: "failed"},
		{name: "waiting for a person stops the clock", options: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(100)}},
			program: `return await tools.t.person({ms: 5000})`, value: `"yes"`, statuses: "completed", after: 5 * time.Second},
		{name: "but not beyond MaxWait", options: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(100)}, MaxWait: time.Second},
			program: `return await tools.t.person({ms: 1200})`, kind: diagnostics.TimeoutExceeded, statuses: "interrupted", after: 1200 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			virtual(t, test.options, func(t *testing.T, rt *codemode.Runtime) {
				start := time.Now()
				r, err := rt.Execute(context.Background(), test.program)
				if err != nil {
					t.Fatal(err)
				}
				if passed := time.Since(start); passed != test.after {
					t.Errorf("took %v, want %v", passed, test.after)
				}
				value := ""
				if r.Value != nil {
					value = data.JSON(r.Value)
				}
				if value != test.value || r.OK != (test.kind == "") {
					t.Errorf("ok %v value %s, want %s", r.OK, value, test.value)
				}
				var d codemode.Diagnostic
				if r.Error != nil {
					d = *r.Error
				}
				if d.Kind != test.kind || !strings.Contains(d.Message, test.message) || test.line > 0 && d.Location.Line != test.line {
					t.Errorf("got %v, want %s with %q in line %d", d, test.kind, test.message, test.line)
				}
				if len(r.Warnings) != test.warnings {
					t.Errorf("warnings %v, want %d", r.Warnings, test.warnings)
				}
				var logs []string
				for _, l := range r.Logs {
					logs = append(logs, l.Text)
				}
				if got := strings.Join(logs, "\n"); got != test.logs {
					t.Errorf("logs %q, want %q", got, test.logs)
				}
				if got := statuses(r); got != test.statuses {
					t.Errorf("calls %q, want %q", got, test.statuses)
				}
			})
		})
	}
}

func TestRefusalsEnd(t *testing.T) {
	virtual(t, codemode.Options{Limits: codemode.Limits{MaxToolCalls: new(1)}}, func(t *testing.T, rt *codemode.Runtime) {
		r, err := rt.Execute(context.Background(), `let n = 0; for (;;) { try { await tools.t.echo({}) } catch { n++; if (n >= 1000) console.log(n) } }`)
		if err != nil || r.Error == nil || r.Error.Kind != diagnostics.ToolCallLimitExceeded {
			t.Fatal(r.Error, err)
		}
		if len(r.Logs) != 1 || r.Logs[0].Text != "1000" {
			t.Errorf("logs %v, want exactly the 1,000th refusal", r.Logs)
		}
	})
}

func TestHostInterruption(t *testing.T) {
	program := `console.log("start"); try { await tools.t.sleep({ms: 5}); await tools.t.sleep({ms: 10000}) } catch { console.log("catch") } finally { console.log("finally") }`
	check := func(t *testing.T, err error, target error) {
		t.Helper()
		var ended *codemode.Ended
		if !errors.Is(err, target) || !errors.As(err, &ended) || ended.Result == nil {
			t.Fatalf("got %v, want an Ended by %v", err, target)
		}
		if r := ended.Result; r.OK || r.Error != nil || len(r.Logs) != 1 || statuses(r) != "completed interrupted" {
			t.Errorf("partial result %+v", r)
		}
	}
	t.Run("cancel", func(t *testing.T) {
		virtual(t, codemode.Options{}, func(t *testing.T, rt *codemode.Runtime) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(20*time.Millisecond, cancel)
			_, err := rt.Execute(ctx, program)
			check(t, err, context.Canceled)
		})
	})
	t.Run("a cause of its own", func(t *testing.T) {
		virtual(t, codemode.Options{}, func(t *testing.T, rt *codemode.Runtime) {
			ctx, cancel := context.WithCancelCause(context.Background())
			shutdown := errors.New("shutdown")
			time.AfterFunc(20*time.Millisecond, func() { cancel(shutdown) })
			_, err := rt.Execute(ctx, program)
			check(t, err, context.Canceled)
			check(t, err, shutdown)
		})
	})
	t.Run("deadline", func(t *testing.T) {
		virtual(t, codemode.Options{}, func(t *testing.T, rt *codemode.Runtime) {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			defer cancel()
			_, err := rt.Execute(ctx, program)
			check(t, err, context.DeadlineExceeded)
		})
	})
	t.Run("before the start", func(t *testing.T) {
		virtual(t, codemode.Options{}, func(t *testing.T, rt *codemode.Runtime) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if r, err := rt.Execute(ctx, program); !errors.Is(err, context.Canceled) || r == nil || len(r.Logs)+len(r.Calls) != 0 {
				t.Fatal(r, err)
			}
			if r, err := rt.Execute(context.Background(), `return 1`); err != nil || !r.OK {
				t.Fatal(r, err)
			}
		})
	})
	t.Run("an effect", func(t *testing.T) {
		virtual(t, codemode.Options{}, func(t *testing.T, rt *codemode.Runtime) {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			defer cancel()
			exit := fx.RunExit(ctx, rt.Effect(program))
			check(t, exit.Cause, context.DeadlineExceeded)
			if !exit.Cause.HasInterruptsOnly() {
				t.Error("not an interruption", exit.Cause)
			}
		})
	})
	t.Run("an effect with options", func(t *testing.T) {
		virtual(t, codemode.Options{}, func(t *testing.T, rt *codemode.Runtime) {
			r, err := fx.Run(context.Background(), rt.EffectWith(`return input + 1`, codemode.ExecOptions{Input: data.IntOf(1)}))
			if err != nil || data.JSON(r.Value) != "2" {
				t.Error(r, err)
			}
			if _, err := fx.Run(context.Background(), rt.EffectWith(`1`, codemode.ExecOptions{Limits: codemode.Limits{TimeoutMs: new(-1)}})); err == nil || !strings.Contains(err.Error(), "TimeoutMs") {
				t.Error(err)
			}
		})
	})
	t.Run("a timeout of the effect", func(t *testing.T) {
		virtual(t, codemode.Options{}, func(t *testing.T, rt *codemode.Runtime) {
			_, err := fx.Run(context.Background(), fx.Timeout(rt.Effect(program), 20*time.Millisecond))
			var e *codemode.Ended
			if !errors.Is(err, fx.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) || err.Error() != "timed out" || scope.CauseOf(err).HasInterrupts() {
				t.Fatal(err)
			}
			if !errors.As(err, &e) || len(e.Result.Calls) == 0 {
				t.Errorf("what had run is lost: %v", e)
			}
		})
	})
	t.Run("the limit of an execution around it is the host's", func(t *testing.T) {
		virtual(t, codemode.Options{}, func(t *testing.T, inner *codemode.Runtime) {
			var got error
			outer := runtime(t, codemode.Options{Limits: codemode.Limits{TimeoutMs: new(20)}, Tools: tool.Tree{
				"nested": tool.New("", func(ctx context.Context, _ struct{}) (int, error) {
					_, got = inner.Execute(ctx, program)
					return 0, got
				})}})
			r, err := outer.Execute(context.Background(), `await tools.nested()`)
			if err != nil || r.Error == nil || r.Error.Kind != diagnostics.TimeoutExceeded {
				t.Fatal(r.Error, err)
			}
			check(t, got, context.DeadlineExceeded)
		})
	})
}

func TestBusyLoopTimeout(t *testing.T) {
	rt := runtime(t, codemode.Options{Limits: codemode.Limits{TimeoutMs: new(150)}})
	for _, program := range []string{
		`while (true) {}`,
		`for (;;) { try { throw 1 } catch {} finally { continue } }`,
		`async function f() { for (;;) await null } await f()`,
		`const f = () => Promise.resolve().then(f); await f()`,
		`function* g() { for (;;) yield 1 } for (const x of g());`,
		`new Array(1e7).fill(0).sort(() => { for (;;); })`,
	} {
		start := time.Now()
		r, err := rt.Execute(context.Background(), program)
		if err != nil || r.Error == nil || r.Error.Kind != diagnostics.TimeoutExceeded {
			t.Errorf("%s: got %v %v", program, r.Error, err)
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s: took %v", program, took)
		}
		if r, err := rt.Execute(context.Background(), `return 1 + 1`); err != nil || !r.OK {
			t.Errorf("after %s: %v %v", program, r.Error, err)
		}
	}
}

func TestHostileTexts(t *testing.T) {
	rt := runtime(t, codemode.Options{Tools: clockTree(nil)})
	for name, test := range map[string]struct {
		program string
		kind    diagnostics.Kind
		message string
	}{
		"endless recursion":  {`function f() { return f() } f()`, diagnostics.ExecutionFailure, "RangeError"},
		"a returned promise": {`return {p: new Promise(() => {})}`, diagnostics.InvalidDataValue, "p"},
		"a cyclic value":     {`const a = {}; a.a = a; return a`, diagnostics.InvalidDataValue, "cycl"},
		"a deep array":       {`let a = []; for (let i = 0; i < 200000; i++) a = [a]; return a`, diagnostics.InvalidDataValue, "32"},
		"a deep argument":    {`let a = []; for (let i = 0; i < 200000; i++) a = [a]; return await tools.t.echo(a)`, diagnostics.InvalidDataValue, "32"},
		"empty":              {``, diagnostics.ParseError, ""},
		"comments":           {`// nothing`, diagnostics.ParseError, ""},
		"a megabyte":         {`return "` + strings.Repeat("x", 1<<20) + `"`, diagnostics.ParseError, ""},
		"nested brackets":    {`return ` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000), diagnostics.ParseError, ""},
	} {
		r, err := rt.Execute(context.Background(), test.program)
		if err != nil || r.Error == nil || r.Error.Kind != test.kind || !strings.Contains(r.Error.Message, test.message) {
			t.Errorf("%s: got %v %v", name, r.Error, err)
		}
		if r, err := rt.Execute(context.Background(), `return 1 + 1`); err != nil || !r.OK {
			t.Errorf("after %s: %v %v", name, r.Error, err)
		}
	}
}

func TestManyExecutionsAtOnce(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	rt := runtime(t, codemode.Options{Tools: clockTree(release), Limits: codemode.Limits{TimeoutMs: new(60000)}})
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			program := fmt.Sprintf(`Array.prototype.mine = input; const all = await Promise.all([1, 2, 3].map(i => tools.t.echo({i}))); return [input, [].mine, all.length, %d]`, i%4)
			r, err := rt.ExecuteWith(context.Background(), program, codemode.ExecOptions{Input: i})
			if want := fmt.Sprintf("[%d,%d,3,%d]", i, i, i%4); err != nil || !r.OK || data.JSON(r.Value) != want {
				t.Errorf("got %+v %v, want %s", r, err, want)
			}
		})
	}
	wg.Wait()
}

func TestPanickingHook(t *testing.T) {
	rt := runtime(t, codemode.Options{Tools: clockTree(nil), Hooks: codemode.Hooks{OnToolCallStart: func(tool.CallStart) { panic("hook") }}})
	r, err := rt.Execute(context.Background(), `return await tools.t.echo(5)`)
	var die *scope.Die
	if !errors.As(err, &die) || die.Value != "hook" || len(die.Stack) == 0 {
		t.Fatalf("got %v", err)
	}
	if !r.OK || data.JSON(r.Value) != "5" {
		t.Errorf("the program did not notice nothing: %+v", r)
	}
}

func TestMemoryLimit(t *testing.T) {
	rt := runtime(t, codemode.Options{Limits: codemode.Limits{MaxMemoryBytes: new(16 << 20)}})
	r, err := rt.Execute(context.Background(), `const a = []; try { while (true) a.push({ n: a.length }) } catch { console.log("caught") }`)
	if err != nil || r.OK || r.Error.Kind != diagnostics.MemoryLimitExceeded || len(r.Logs) != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	if r, err = rt.Execute(context.Background(), `return [..."abc"].length`); err != nil || !r.OK {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// A text that is shared a thousand times is neither written out nor counted to the end before it is cut, and its copies count
// for the memory budget.
func TestSharedTextsAreCutShort(t *testing.T) {
	rt, err := codemode.New(codemode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const src = `const b = "x".repeat(3e6); return Array(1000).fill(b)`
	bytes, memory := 1<<16, 64<<20
	r, err := rt.ExecuteWith(t.Context(), src, codemode.ExecOptions{Limits: codemode.Limits{MaxOutputBytes: &bytes}})
	if err != nil || !r.OK || !r.Truncated || len(data.JSON(r.Value)) > bytes || !strings.Contains(strings.Join(r.Notes, ""), "of more than 1073741824 bytes of its JSON") {
		t.Error(err, r.OK, r.Notes)
	}
	r, err = rt.ExecuteWith(t.Context(), src, codemode.ExecOptions{Limits: codemode.Limits{MaxOutputBytes: &bytes, MaxMemoryBytes: &memory}})
	if err != nil || r.OK || r.Error.Kind != diagnostics.MemoryLimitExceeded {
		t.Error(err, r.Error)
	}
}

// A log never fails a program, however much it writes.
func TestConsoleFloods(t *testing.T) {
	rt, err := codemode.New(codemode.Options{Limits: codemode.Limits{MaxMemoryBytes: new(16 << 20), MaxOutputBytes: new(1 << 12)}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := rt.Execute(t.Context(), `for (let i = 0; i < 3000; i++) console.log("x".repeat(10000)); return "done"`)
	if err != nil || !r.OK || data.JSON(r.Value) != `"done"` || !strings.Contains(strings.Join(r.Notes, ""), " console lines were dropped") {
		t.Error(err, r.Error, r.Notes)
	}
}

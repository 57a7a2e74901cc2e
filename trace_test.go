package codemode

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/tool"
)

// slowly are tools that take a time of the virtual clock.
func slowly() tool.Tree {
	type in struct {
		Ms int `json:"ms"`
	}
	return tool.Tree{"slow": tool.Tree{
		"wait": tool.New("Wait", func(ctx context.Context, in in) (string, error) {
			select {
			case <-time.After(time.Duration(in.Ms) * time.Millisecond):
				return "waited", nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}),
		"fail": tool.New("Fail", func(_ context.Context, in in) (string, error) {
			time.Sleep(time.Duration(in.Ms) * time.Millisecond)
			return "", tool.Errorf("no luck after %d", in.Ms)
		}),
	}}
}

// traced runs a program in virtual time.
func traced(t *testing.T, src string, o Options) (*Trace, *Result) {
	t.Helper()
	tr := &Trace{}
	var r *Result
	synctest.Test(t, func(t *testing.T) {
		rt, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = rt.ExecuteWith(t.Context(), src, ExecOptions{Trace: tr}); err != nil {
			t.Fatal(err)
		}
	})
	return tr, r
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func TestTraceOfFibersAwaitsAndCalls(t *testing.T) {
	tr, r := traced(t, `const first = await tools.slow.wait({ ms: 10 });
async function one(ms) {
  const x = await tools.slow.wait({ ms });
  console.warn("done", ms);
  return x;
}
await Promise.all([20, 30].map(one));
try { await tools.slow.fail({ ms: 5 }); } catch {}
return first`, Options{Tools: slowly()})
	if !r.OK || tr.Duration != ms(45) || tr.Incomplete {
		t.Fatalf("got %+v, duration %v, incomplete %v", r, tr.Duration, tr.Incomplete)
	}
	var fibers, awaits, calls, logs []string
	for _, f := range tr.Fibers {
		fibers = append(fibers, fmt.Sprintf("%s %s %v parent %d: %v to %v %s", f.Kind, f.Name, f.At, f.Parent, f.Start, f.End, f.Outcome))
	}
	for _, a := range tr.Awaits {
		awaits = append(awaits, fmt.Sprintf("fiber %d at %v: %s %s, call %d, %v to %v", a.Fiber, a.At, a.Kind, a.Text, a.Call, a.Start, a.End))
	}
	for _, c := range tr.Calls {
		calls = append(calls, fmt.Sprintf("%d %s%s at %v by %d: %v %v %v %s %s%s", c.Index, c.Path, c.Input, c.At, c.Fiber, c.Made, c.Started, c.Ended, c.Status, c.Output, c.Message))
	}
	for _, l := range tr.Logs {
		logs = append(logs, fmt.Sprintf("%v %s %s at %v by %d", l.Time, l.Level, l.Text, l.At, l.Fiber))
	}
	same(t, "fibers", fibers, `program  1:1 parent -1: 0s to 45ms returned
async one 2:1 parent 0: 10ms to 30ms returned
async one 2:1 parent 0: 10ms to 40ms returned`)
	same(t, "awaits", awaits, `fiber 0 at 1:15: call tools.slow.wait(...), call 0, 0s to 10ms
fiber 1 at 3:13: call tools.slow.wait(...), call 1, 10ms to 30ms
fiber 2 at 3:13: call tools.slow.wait(...), call 2, 10ms to 40ms
fiber 0 at 7:1: promise Promise.all(...), call -1, 10ms to 40ms
fiber 0 at 8:7: call tools.slow.fail(...), call 3, 40ms to 45ms`)
	same(t, "calls", calls, `0 tools.slow.wait{"ms":10} at 1:32 by 0: 0s 0s 10ms completed "waited"
1 tools.slow.wait{"ms":20} at 3:30 by 1: 10ms 10ms 30ms completed "waited"
2 tools.slow.wait{"ms":30} at 3:30 by 2: 10ms 10ms 40ms completed "waited"
3 tools.slow.fail{"ms":5} at 8:24 by 0: 40ms 40ms 45ms failed no luck after 5`)
	same(t, "logs", logs, `30ms warn done 20 at 4:11 by 1
40ms warn done 30 at 4:11 by 2`)
}

func TestTraceOfLines(t *testing.T) {
	tr, _ := traced(t, `let sum = 0;
for (let i = 0; i < 10; i++) {
  if (i % 2) continue;
  sum += [1, 2, 3].map(x =>
    x * 2).length;
}
function* count() {
  yield 1;
  yield 2;
}
for (const x of count()) sum += x;
while (sum > 18) sum--;
return sum`, Options{})
	var lines []string
	for _, l := range tr.Lines {
		lines = append(lines, fmt.Sprintf("%d: %d", l.Line, l.Steps))
	}
	// Line 2 has the loop, its declaration and its turns, 3 ten conditions and five jumps, 5 the bodies of the arrow function, 11 the loop,
	// two turns and two statements, 12 no turn.
	same(t, "lines", lines, "1: 1\n2: 12\n3: 15\n4: 5\n5: 15\n8: 1\n9: 1\n11: 5\n12: 1\n13: 1")
	var fibers []string
	for _, f := range tr.Fibers {
		fibers = append(fibers, fmt.Sprint(f.Kind, " ", f.Name, " ", f.Parent, " ", f.Outcome))
	}
	same(t, "fibers", fibers, "program  -1 returned\ngenerator count 0 returned")
	if len(tr.Awaits) != 2 || tr.Awaits[0].Kind != "yield" || tr.Awaits[1].Fiber != 1 {
		t.Errorf("got %+v", tr.Awaits)
	}
}

// TestTraceOfTime has a loop and a wait; it runs in real time.
func TestTraceOfTime(t *testing.T) {
	rt, err := New(Options{Tools: slowly()})
	if err != nil {
		t.Fatal(err)
	}
	var tr Trace
	if _, err := rt.ExecuteWith(t.Context(), `let n = 0;
for (let i = 0; i < 300000; i++) n += i;
await tools.slow.wait({ ms: 300 });
return n`, ExecOptions{Trace: &tr}); err != nil {
		t.Fatal(err)
	}
	self := map[int]time.Duration{}
	for _, l := range tr.Lines {
		self[l.Line] = l.Self
	}
	if self[2] < time.Millisecond || self[3] > ms(150) || self[2]+self[3] > tr.Duration {
		t.Errorf("got %v of %v", self, tr.Duration)
	}
}

func TestTraceOfQueuedAndRefusedCalls(t *testing.T) {
	tr, _ := traced(t, `const wait = () => tools.slow.wait({ ms: 10 });
await Promise.all(Array.from({ length: 10 }, wait));
await tools.slow.wiat({}).catch(() => 0);
await tools.slow.wait({ ms: "x" }).catch(() => 0);
await tools.$codemode.sleep({ ms: 7 });
await wait().catch(() => 0);
await wait().catch(() => 0)`, Options{Tools: slowly(), AllowSleep: true, Limits: Limits{MaxToolCalls: new(11)}})
	var calls []string
	for _, c := range tr.Calls[7:] {
		calls = append(calls, fmt.Sprintf("%d %s %v %v %v %q", c.Index, c.Path, c.Made, c.Started, c.Ended, c.Status))
	}
	same(t, "calls", calls, `7 tools.slow.wait 0s 0s 10ms "completed"
8 tools.slow.wait 0s 10ms 20ms "completed"
9 tools.slow.wait 0s 10ms 20ms "completed"
-1 tools.slow.wiat 20ms -1ns 20ms ""
-1 tools.slow.wait 20ms -1ns 20ms ""
-1 tools.$codemode.sleep 20ms 20ms 27ms "completed"
10 tools.slow.wait 27ms 27ms 37ms "completed"
11 tools.slow.wait 37ms -1ns 37ms "not_started"`)
	if !strings.Contains(tr.Calls[10].Message, "wait") || !strings.Contains(tr.Calls[11].Message, "input.ms") || !strings.Contains(tr.Calls[14].Message, "limit of 11") {
		t.Errorf("got %q, %q, %q", tr.Calls[10].Message, tr.Calls[11].Message, tr.Calls[14].Message)
	}
}

func TestTraceOfAnEndedProgram(t *testing.T) {
	tr, r := traced(t, `const all = Array.from({ length: 10 }, async () => await tools.slow.wait({ ms: 1000 }));
await Promise.all(all)`, Options{Tools: slowly(), Limits: Limits{TimeoutMs: new(50)}})
	if r.OK || tr.Incomplete || len(tr.Fibers) != 11 || len(tr.Awaits) != 11 || len(tr.Calls) != 10 {
		t.Fatalf("got %+v with %d fibers, %d awaits, %d calls", r.Error, len(tr.Fibers), len(tr.Awaits), len(tr.Calls))
	}
	for i, c := range tr.Calls {
		want := tool.Interrupted
		if i >= 8 {
			want = tool.NotStarted
		}
		if c.Status != want || c.Ended != ms(50) {
			t.Errorf("call %d: %s at %v", i, c.Status, c.Ended)
		}
	}
	for i, f := range tr.Fibers {
		if f.Outcome != "unfinished" || f.Start != 0 {
			t.Errorf("fiber %d: %+v", i, f)
		}
	}
}

func TestTraceOfAProgramThatDoesNotCompile(t *testing.T) {
	tr, r := traced(t, `let a = ;`, Options{})
	if r.OK || !tr.Incomplete || tr.Fibers != nil || tr.Calls != nil {
		t.Errorf("got %+v", tr)
	}
}

// TestTracesAreBounded has one program that exceeds every bound.
func TestTracesAreBounded(t *testing.T) {
	big := tool.New("Big", func(context.Context, struct{}) (string, error) { return strings.Repeat("x", 10_000), nil })
	rt, err := New(Options{Tools: tool.Tree{"big": big}})
	if err != nil {
		t.Fatal(err)
	}
	var tr Trace
	r, err := rt.ExecuteWith(t.Context(), `const f = async () => { await 0 };
for (let i = 0; i < 101000; i++) await f();
for (let i = 0; i < 10500; i++) console.log("y".repeat(5000));
let all = [];
for (let i = 0; i < 20100; i++) { all.push(tools.big()); if (all.length > 100) { await Promise.all(all); all = []; } }
await Promise.all(all)`, ExecOptions{Trace: &tr})
	if err != nil || !r.OK {
		t.Fatal(err, r)
	}
	text := 0
	for _, c := range tr.Calls {
		text += len(c.Input) + len(c.Output)
	}
	for _, l := range tr.Logs {
		text += len(l.Text)
	}
	if len(tr.Fibers) != 50_000 || len(tr.Awaits) != 100_000 || len(tr.Calls) != 20_000 || text > 33<<20 {
		t.Errorf("got %d fibers, %d awaits, %d calls, %d bytes", len(tr.Fibers), len(tr.Awaits), len(tr.Calls), text)
	}
	// One await a call of f, one in it, and those of the calls.
	if d := tr.Dropped; d.Fibers != 101_001-50_000 || d.Awaits != 202_000+199+1-100_000 || d.Calls != 100 || d.Logs != 10_500-len(tr.Logs) {
		t.Errorf("got %+v", d)
	}
	if got := tr.Calls[0].Output; len(got) > 4<<10+8 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %d bytes", len(got))
	}
}

// TestTracingChangesNothing compares programs that suspend in every way with and without tracing.
func TestTracingChangesNothing(t *testing.T) {
	for _, src := range []string{
		`async function* g(a = 1) { try { yield a; yield* [2, 3]; return 4 } finally { await 0 } }
		 const out = []; for await (const x of g()) { out.push(x); if (x == 2) break } return out`,
		`function* g({a} = {a: 5}) { const got = yield a; try { yield got } finally { yield 9 } }
		 const it = g(); return [it.next(), it.next(7), it.return(8), it.next(), it.next()]`,
		`const f = async x => { const y = await x; if (y > 2) throw new Error("e" + y); return y };
		 return Promise.allSettled([1, 2, 3].map(f))`,
		`const log = []; const a = async () => { log.push(1); await null; log.push(3) }; const p = a(); log.push(2); await p; log.push(4); return log`,
		`outer: for (let i = 0; ; i++) { for (const k in {a: 1, b: 2}) { if (i == 2) break outer; if (k == "a") continue outer } } 7`,
		`class A { #x = 1; static s = 2; get x() { return this.#x } async m() { return await this.x + A.s } } return new A().m()`,
		`return Array.fromAsync([1, Promise.resolve(2)], async x => x * 2)`,
		`async function* g() { return Promise.reject(new Error("late")) } for await (const x of g()) {}`,
		`switch (3) { case 1: return 1; default: { let x = 5; do { x-- } while (x > 2); return x } }`,
		`let d = 0; const f = () => { d++; f() }; try { f() } catch (e) { return e instanceof RangeError }`,
	} {
		rt, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		plain, err := rt.Execute(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		r, err := rt.ExecuteWith(t.Context(), src, ExecOptions{Trace: &Trace{}})
		if err != nil {
			t.Fatal(err)
		}
		plain.Stats, r.Stats = Stats{}, Stats{}
		want, _ := plain.JSON("")
		if got, _ := r.JSON(""); string(got) != string(want) {
			t.Errorf("%s\ngot  %s\nwant %s", src, got, want)
		}
	}
}

func same(t *testing.T, what string, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, text, want)
	}
}

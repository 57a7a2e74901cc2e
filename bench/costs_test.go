package bench

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/tool"
)

const tenLines = `const people = [{name: "Ada", age: 36}, {name: "Bob", age: 25}, {name: "Cy", age: 51}];
function label(p) {
  const old = p.age > 30;
  return {...p, old, text: p.name + (old ? "!" : "?")};
}
const labelled = people.map(label);
let sum = 0;
for (const p of labelled) sum += p.age;
const names = labelled.filter(p => p.old).map(p => p.text);
return {sum, names};`

type addIn struct {
	A int `json:"a"`
	B int `json:"b"`
}

func addRuntime(t *testing.T) *codemode.Runtime {
	t.Helper()
	rt, err := codemode.New(codemode.Options{Tools: tool.Tree{"math": tool.Tree{
		"add": tool.New("Add", func(_ context.Context, in addIn) (int, error) { return in.A + in.B, nil })}}})
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

// executed runs a program through the public API.
func executed(t *testing.T, rt *codemode.Runtime, src string, input any) (value string, took time.Duration) {
	t.Helper()
	start := time.Now()
	r, err := rt.ExecuteWith(context.Background(), src, codemode.ExecOptions{Input: input})
	took = time.Since(start)
	if err != nil || !r.OK {
		t.Fatal(r.Error, err)
	}
	return data.JSON(r.Value), took
}

func line(what string, per time.Duration, target string) {
	if testing.Verbose() {
		fmt.Printf("%-44s %10s   target %s\n", what, fmt.Sprintf("%.2f µs", float64(per.Nanoseconds())/1000), target)
	}
}

// many is n with -v and 10 otherwise.
func many(n int) int {
	if testing.Verbose() {
		return n
	}
	return 10
}

func TestRatiosOfStarts(t *testing.T) {
	rt := addRuntime(t)
	const want = `{"sum":112,"names":["Ada!","Cy!"]}`
	var cold, warm []time.Duration
	for i := range many(200) {
		value, took := executed(t, rt, fmt.Sprintf("// %d\n%s", i, tenLines), nil)
		cold = append(cold, took)
		again, took := executed(t, rt, fmt.Sprintf("// %d\n%s", i, tenLines), nil)
		warm = append(warm, took)
		if value != want || again != want {
			t.Fatal(value, again)
		}
	}
	line("first compile and run of 10 lines", median(cold), "2 ms")
	line("the same from the cache", median(warm), "100 µs")
}

func TestRatiosOfCalls(t *testing.T) {
	rt := addRuntime(t)
	n := many(20000)
	value, took := executed(t, rt, `let s = 0; for (let i = 0; i < input; i++) s += await tools.math.add({a: i, b: 1}); return s`, n)
	if want := fmt.Sprint(n * (n + 1) / 2); value != want {
		t.Errorf("got %s, want %s", value, want)
	}
	line("typed tool call", took/time.Duration(n), "10 µs")

	n = many(200000)
	value, took = executed(t, rt, `let s = 0; const p = Promise.resolve(1); for (let i = 0; i < input; i++) s += await p; return s`, n)
	if value != fmt.Sprint(n) {
		t.Errorf("got %s", value)
	}
	line("await of a settled promise", took/time.Duration(n), "0.5 µs")
}

// measuring is a host with one tool, which measures the process while the program waits for it.
type measuring struct {
	noHost
	bytes uint64
}

func (m *measuring) Lookup(path []string) (bool, bool) { return len(path) == 1, len(path) == 0 }

func (m *measuring) Invoke(c interpreter.Call) error {
	m.bytes = inUse()
	c.Done(data.Null{}, nil)
	return nil
}

func inUse() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc + s.StackInuse
}

func TestRatiosOfMemory(t *testing.T) {
	m := &measuring{}
	p := compiled(t, `let go; const gate = new Promise(r => go = r); async function f(i) { const kept = i; await gate; return kept }
		await tools.measure(); for (let i = 0; i < input; i++) f(i); await tools.measure(); go(1); return 1`)
	var before uint64
	n := many(10000)
	out := p.Run(context.Background(), interpreter.RunOptions{Host: &first{m, &before}, Input: data.NumberOf(float64(n))})
	if out.Failure != nil || data.JSON(out.Value) != "1" {
		t.Fatal(out.Failure, out.Value)
	}
	if testing.Verbose() {
		fmt.Printf("%-44s %10.0f B   target 12 KB\n", "suspended async function", (float64(m.bytes)-float64(before))/float64(n))
	}
}

// first keeps what the first call measured.
type first struct {
	*measuring
	before *uint64
}

// Invoke implements interpreter.Host.
func (f *first) Invoke(c interpreter.Call) error {
	err := f.measuring.Invoke(c)
	if *f.before == 0 {
		*f.before = f.bytes
	}
	return err
}

// TestRatiosOfGrowth prints how the time at four times the size compares with the time at the size: the shortest of
// several rounds each, since what else the machine does only adds. The collector rests while a size is measured: it
// runs in whole cycles, one or two at these sizes, so where a cycle falls moves the figure by more than what is asked
// (RATIONALE, "Growth is measured without the collector").
func TestRatiosOfGrowth(t *testing.T) {
	rt := addRuntime(t)
	run := func(src string) func(int) time.Duration {
		return func(n int) time.Duration { _, took := executed(t, rt, src, n); return took }
	}
	for _, g := range []struct {
		what string
		n    int
		cost func(n int) time.Duration
	}{
		{"program length", 400, func(n int) time.Duration {
			text := strings.Repeat("a = [a.x, `${a}`, {b: (c) => c + 1}];\n", n)
			start := time.Now()
			if _, d := interpreter.Compile("let a = 1;\n"+text, compileopt.Options{NoSizeLimit: true}); d != nil {
				t.Fatal(d)
			}
			return time.Since(start)
		}},
		{"data", 20000, run(`return Array.from({length: input}, (_, i) => ({id: i, name: "n" + i, tags: ["a", "b"]}))`)},
		{"tool calls at once", 10000, run(`return (await Promise.all(Array.from({length: input}, (_, i) => tools.math.add({a: i, b: 1})))).length`)},
		{"tool calls in turn", 10000, run(`let s = 0; for (let i = 0; i < input; i++) s += await tools.math.add({a: i, b: 1}); return s`)},
		{"string appends", 400000, run(`let s = ""; for (let i = 0; i < input; i++) s += "item " + i; return s.length`)},
		{"console lines", 20000, run(`for (let i = 0; i < input; i++) console.log("line", i, {i}); return 1`)},
		{"promises", 12000, run(`return (await Promise.all(Array.from({length: input}, async (_, i) => { await null; return i }))).length`)},
	} {
		n := many(g.n)
		var small, large []time.Duration
		for range rounds(program{}) {
			small, large = append(small, rested(g.cost, n)), append(large, rested(g.cost, 4*n))
		}
		if testing.Verbose() {
			fmt.Printf("growth 4n/n of %-28s %10.2f   target 4.6\n", g.what, float64(slices.Min(large))/float64(slices.Min(small)))
		}
	}
}

// rested is the cost of n on a collected heap, with no collection while it runs.
func rested(cost func(int) time.Duration, n int) time.Duration {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return cost(n)
}

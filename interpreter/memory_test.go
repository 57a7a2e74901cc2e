package interpreter_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

func runWithMemory(t *testing.T, src string, budget int64) *interpreter.Outcome {
	t.Helper()
	p, d := interpreter.Compile(src, compileopt.Options{})
	if d != nil {
		t.Fatal(d)
	}
	return p.Run(context.Background(), interpreter.RunOptions{Host: noTools{}, MaxMemory: budget})
}

const mib = 1 << 20

// TestWhatIsHeldCounts: whatever way a program holds on to data, the budget ends it; the process never grows by more than
// three times the budget and 32 MiB.
func TestWhatIsHeldCounts(t *testing.T) {
	for name, src := range map[string]string{
		"objects":        `const a = []; while (true) a.push({ x: a.length, y: [1, 2, 3] })`,
		"numbers":        `const a = []; while (true) a.push(1)`,
		"strings":        `const a = []; while (true) a.push("item " + a.length)`,
		"one string":     `let s = "x"; while (true) s += s`,
		"used string":    `let s = "x"; while (true) { s += s; s.charCodeAt(5) }`,
		"wide string":    `let s = "é"; while (true) { s += s; s.at(-1) }`,
		"keys":           `const o = {}; for (let i = 0; ; i++) o["k" + i] = i`,
		"index keys":     `const o = {}; for (let i = 0; ; i++) o[i * 100003] = i`,
		"closures":       `const a = []; while (true) { const x = [1, 2]; a.push(() => x) }`,
		"locals":         `function f(n) { const x = new Array(1e5).fill(n); g(n); return x } function g(n) { return f(n + 1).length } f(0)`,
		"suspended":      `const never = new Promise(() => {}), a = []; while (true) { a.push((async () => { const x = new Array(1e4).fill(0); await never; return x })()); await null }`,
		"suspended loop": `const never = new Promise(() => {}), a = []; while (true) { a.push((async () => { const x = new Array(1e4).fill(0); for (;;) await never; return x })()); await null }`,
		"generators":     `const a = []; while (true) { const g = (function* () { const x = new Array(1e4).fill(0); yield; return x })(); g.next(); a.push(g) }`,
		"promises":       `let p = Promise.resolve(); const a = []; while (true) { p = p.then(() => [1, 2, 3]); a.push(p) }`,
		"reactions":      `const p = new Promise(() => {}); while (true) { const x = new Array(100).fill(0); p.then(() => x) }`,
		"jobs":           `while (true) { const x = new Array(100).fill(0); Promise.resolve().then(() => x) }`,
		"map":            `const m = new Map(); for (let i = 0; ; i++) m.set("k" + i, { i })`,
		"set":            `const s = new Set(); for (let i = 0; ; i++) s.add("k" + i)`,
		"errors":         `const a = []; while (true) a.push(new Error("e" + a.length))`,
		"bigint":         `const a = []; for (let i = 1n; ; i++) a.push(i ** 100n)`,
		"linked list":    `let l = null; while (true) l = { l }`,
		"bound":          `const a = []; while (true) a.push(L.bind(null, [1, 2, 3])); function L() {}`,
		"classes":        `const a = []; while (true) a.push(class { #p = 1; static s = [1]; m() {} })`,
		"array spread":   `let a = [1, 2, 3]; while (true) a = [...a, ...a]`,
		"array fill":     `const a = []; while (true) a.push(new Array(1e6).fill(0))`,
		"repeat":         `const a = []; while (true) a.push("abc".repeat(1e6))`,
		"parse":          `const t = JSON.stringify(new Array(1e4).fill({ a: [1, 2] })); const a = []; while (true) a.push(JSON.parse(t))`,
		"accumulator":    `Array.from({ length: 1e9 }).keys().reduce((acc, x) => (acc.push([x]), acc), [])`,
		"map result":     `const f = () => new Array(1000).fill(0); Array.from({ length: 1e9 }).map(f)`,
		"join":           `const a = new Array(1e5).fill("xxxxxxxxxx"); const b = []; while (true) b.push(a.join(","))`,
		"private fields": `class A { #x = [1, 2, 3] } const a = []; while (true) a.push(new A())`,
	} {
		t.Run(name, func(t *testing.T) {
			const budget = 24 * mib
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			out := runWithMemory(t, src, budget)
			runtime.ReadMemStats(&after)
			if out.Failure == nil || out.Failure.Kind != diagnostics.MemoryLimitExceeded {
				t.Fatalf("got %s", clipped(text(out)))
			}
			if grown := int64(after.HeapSys+after.StackSys) - int64(before.HeapSys+before.StackSys); grown > 3*budget+32*mib {
				t.Errorf("the process grew by %d MiB", grown/mib)
			}
		})
	}
}

func clipped(s string) string {
	if len(s) > 200 {
		return s[:200]
	}
	return s
}

// TestGarbageDoesNotCount: a program may allocate any amount as long as it lets go. The values are node's.
func TestGarbageDoesNotCount(t *testing.T) {
	for src, want := range map[string]string{
		`let n = 0; for (let i = 0; i < 300000; i++) { const o = { a: [i, i + 1], s: "text " + i }; n += o.a.length } return n`:         "600000",
		`let s = ""; for (let i = 0; i < 200000; i++) { s = "x" + i; s += "y" } return s`:                                               `"x199999y"`,
		`let n = 0; for (let i = 0; i < 20000; i++) n += await Promise.all([1, 2].map(async (x) => x)).then((a) => a.length); return n`: "40000",
		`let a = []; for (let i = 0; i < 1000000; i++) { a.push(i); if (a.length > 100) a = [] } return a.length`:                       "100",
		`let t = 0; for (let i = 0; i < 100; i++) t += JSON.parse(JSON.stringify(new Array(1000).fill({ a: 1 }))).length; return t`:     "100000",
	} {
		if got := text(runWithMemory(t, src, 8*mib)); got != want {
			t.Errorf("%s\ngot %s", src, clipped(got))
		}
	}
}

// TestOutOfMemoryIsUncatchable: neither catch nor finally runs once the budget is passed.
func TestOutOfMemoryIsUncatchable(t *testing.T) {
	out := runWithMemory(t, `try { const a = []; while (true) a.push({}) } catch { console.log("catch") } finally { console.log("finally") }`, 4*mib)
	if out.Failure == nil || out.Failure.Kind != diagnostics.MemoryLimitExceeded || len(out.Logs) > 0 || !strings.Contains(out.Failure.Message, "4194304") {
		t.Errorf("got %s %v", text(out), out.Logs)
	}
}

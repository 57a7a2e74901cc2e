package interpreter_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

func TestMain(m *testing.M) {
	// regexp2 keeps a clock goroutine for match timeouts, which ends by itself.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// noTools is a host without tools.
type noTools struct{}

func (noTools) Invoke(interpreter.Call) error { return errors.New("there are no tools") }

func (noTools) Keys(path []string) ([]string, bool) { return nil, len(path) == 0 }

func (noTools) Lookup(path []string) (isTool, isNamespace bool) { return false, len(path) == 0 }

// run compiles and runs a program; a timeout of 0 is none.
func run(t *testing.T, src string, timeout time.Duration) *interpreter.Outcome {
	t.Helper()
	p, d := interpreter.Compile(src, compileopt.Options{})
	if d != nil {
		t.Fatalf("%s\n%v", src, d)
	}
	ctx := context.Background()
	if timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, timeout)
		defer stop()
	}
	return p.Run(ctx, interpreter.RunOptions{Host: noTools{}})
}

// text is the outcome on one line.
func text(o *interpreter.Outcome) string {
	switch {
	case o.Ended != nil:
		return "ended: " + o.Ended.Error()
	case o.Failure != nil:
		return o.Failure.Error()
	}
	return data.JSON(o.Value)
}

// TestEndlessProgramsAreInterrupted: whatever spins stops soon after the context has ended, and neither catch nor
// finally sees it. Real time, since nothing here waits.
func TestEndlessProgramsAreInterrupted(t *testing.T) {
	for name, src := range map[string]string{
		"while":             `while (true) {}`,
		"for":               `for (;;) ;`,
		"do":                `do {} while (true)`,
		"caught":            `while (true) { try { while (true) {} } catch { } finally { continue } }`,
		"calls":             `const f = () => {}; while (true) f()`,
		"promise chain":     `const f = () => Promise.resolve().then(f); await f()`,
		"async loop":        `while (true) await null`,
		"async recursion":   `async function f() { await null; return f() } await f()`,
		"microtasks":        `const f = () => queueMicrotask(f); f(); await new Promise(() => {})`,
		"generator":         `function* g() { while (true) yield 1 } for (const x of g()) ;`,
		"iterator":          `[...{ [Symbol.iterator]() { return { next() { return { done: false } } } }, }]`,
		"async generator":   `async function* g() { while (true) yield 1 } for await (const x of g()) ;`,
		"array fill":        `new Array(4294967295).fill(0)`,
		"array search":      `Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)`,
		"sort comparator":   `Array.from({ length: 1e5 }, (_, i) => i).sort(() => { while (true) ; })`,
		"getter":            `const o = { get x() { while (true) ; } }; return o`,
		"toString":          "const o = { toString() { while (true) ; } }; return `${o}`",
		"class field":       `class A { x = (() => { while (true) ; })() } new A()`,
		"static block":      `class A { static { while (true) ; } }`,
		"default parameter": `((x = (() => { while (true) ; })()) => x)()`,
		"labelled":          `a: while (true) { b: while (true) { continue a } }`,
		"switch":            `while (true) { switch (1) { case 1: continue } }`,
		"thenable":          `await { then() { while (true) ; } }`,
		"drain":             `(async () => { while (true) await null })(); return 1`,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			out := run(t, src, 100*time.Millisecond)
			if !errors.Is(out.Ended, context.DeadlineExceeded) || out.Failure != nil {
				t.Errorf("got %s", text(out))
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestDeepProgramsFailCatchably: depth is counted, so no program reaches the end of a Go stack; where a limit is reached
// a catchable RangeError says so.
func TestDeepProgramsFailCatchably(t *testing.T) {
	const deep = `let a = []; for (let i = 0; i < 200000; i++) a = [a]; `
	attempt := func(body string) string {
		return `try { ` + body + `; return "no" } catch (e) { return e.name }`
	}
	for name, src := range map[string]string{
		"recursion":       attempt(`function f() { return f() + 1 } f()`),
		"mutual":          attempt(`const f = () => g(), g = () => f(); f()`),
		"constructor":     attempt(`class A { constructor() { new A() } } new A()`),
		"subclass":        attempt(`class A { m() { new B() } } class B extends A { constructor() { super(); this.m() } } new B()`),
		"getter":          attempt(`const o = { get x() { return this.x } }; o.x`),
		"setter":          attempt(`const o = { set x(v) { this.x = v } }; o.x = 1`),
		"toString":        attempt("const o = { toString() { return `${this}` } }; `${o}`"),
		"valueOf":         attempt(`const o = { valueOf() { return +this } }; +o`),
		"callback":        attempt(`const f = () => [1].map(f); f()`),
		"sort":            attempt(`const f = () => [1, 2].sort(f); f()`),
		"generator":       attempt(`function* g() { yield* g() } [...g()]`),
		"async":           `async function f() { await f() } ` + attempt(`await f()`),
		"bound":           attempt(`let f = () => f2(); const f2 = (() => f()).bind(null); f2()`),
		"iterator":        attempt(`const o = { [Symbol.iterator]() { return [...this] } }; [...o]`),
		"toJSON":          attempt(`const o = { toJSON() { return JSON.stringify(this) } }; JSON.stringify(o)`),
		"stringify":       deep + attempt(`JSON.stringify(a)`),
		"flat":            deep + attempt(`a.flat(Infinity)`),
		"parse":           attempt(`JSON.parse("[".repeat(30000) + "]".repeat(30000))`),
		"deep expression": attempt(`const f = () => ((((((((((((((((((((((((((((((f()+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1)+1); f()`),
	} {
		t.Run(name, func(t *testing.T) {
			if got := text(run(t, src, 20*time.Second)); got != `"RangeError"` {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestManySuspended: long chains and wide waits are not depth. Expected values from node.
func TestManySuspended(t *testing.T) {
	for src, want := range map[string]string{
		`let p = Promise.resolve(0); for (let i = 0; i < 50000; i++) p = p.then(x => x + 1); return await p`:                                                                         "50000",
		`const xs = await Promise.all(Array.from({ length: 10000 }, async (_, i) => { await null; return i })); return xs.length`:                                                    "10000",
		`let n = 0; async function f(d) { if (d) { await null; await f(d - 1) } n++ } await f(3000); return n`:                                                                       "3001",
		`const gs = []; for (let i = 0; i < 5000; i++) { const g = (function* () { yield i; yield -i })(); g.next(); gs.push(g) } return gs.reduce((s, g) => s + g.next().value, 0)`: "-12497500",
		`let s = ""; for (let i = 0; i < 100000; i++) s += "ab"; return s.length`:                                                                                                    "200000",
		`let s = ""; for (let i = 0; i < 20000; i++) s = "é" + s + "x"; return s.length`:                                                                                             "40000",
	} {
		if got := text(run(t, src, 30*time.Second)); got != want {
			t.Errorf("%s\ngot %s, want %s", src, got, want)
		}
	}
}

// TestTooManySuspendedIsCatchable: the limit on suspended activations is a RangeError at the call.
func TestTooManySuspendedIsCatchable(t *testing.T) {
	src := `const ps = []; try { for (let i = 0; i < 60000; i++) ps.push((async () => { await new Promise(() => {}) })()); return "no" } catch (e) { return [e.name, ps.length] }`
	if got := text(run(t, src, 60*time.Second)); got != `["RangeError",50000]` {
		t.Errorf("got %s", got)
	}
}

// TestAnEndingLeavesNothingBehind: an interrupted execution does not disturb the next one of the same program.
func TestAnEndingLeavesNothingBehind(t *testing.T) {
	p, d := interpreter.Compile(`const o = { n: 0 }; for (let i = 0; i < input; i++) { o.n++; await null } return o.n`, compileopt.Options{})
	if d != nil {
		t.Fatal(d)
	}
	for i := range 50 {
		ctx, stop := context.WithTimeout(context.Background(), time.Millisecond)
		p.Run(ctx, interpreter.RunOptions{Host: noTools{}, Input: data.IntOf(1 << 40)})
		stop()
		out := p.Run(context.Background(), interpreter.RunOptions{Host: noTools{}, Input: data.IntOf(int64(i))})
		if got := text(out); got != fmt.Sprint(i) {
			t.Fatalf("run %d: %s", i, got)
		}
	}
}

// TestStalled: a body that waits for something nothing can settle ends at once, at its await.
func TestStalled(t *testing.T) {
	out := run(t, "const a = 1;\nawait new Promise(() => {});\nreturn a", 0)
	if out.Failure == nil || out.Failure.Location.Line != 2 || !strings.Contains(out.Failure.Message, "awaits a promise") {
		t.Errorf("got %s", text(out))
	}
}

package interpreter_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

// copying is a host whose tools take their arguments and answer null.
type copying struct{ noTools }

// Invoke implements interpreter.Host.
func (copying) Invoke(c interpreter.Call) error {
	_, err := c.Args()
	if err == nil {
		c.Done(data.Null{}, nil)
	}
	return err
}

// What a program holds in places that are easily forgotten counts: texts that are only put together when they are read, keys,
// what is shared and copied often, names of tools that do not exist.
func TestMemoryThatIsEasilyForgotten(t *testing.T) {
	long := `const s = "x".repeat(2 ** 20); `
	for _, test := range []struct {
		src  string
		over bool
	}{
		{long + `const o = {}; for (let i = 0; i < 1000; i++) o[s + i] = 1; return 1`, true},
		{long + `const all = []; for (let i = 0; i < 1000; i++) all.push({ [s + i]: 1 }); return 1`, true},
		{long + `const m = new Map(); for (let i = 0; i < 1000; i++) m.set(s + i, 1); return 1`, true},
		{long + `const all = []; for (let i = 0; i < 1000; i++) all.push(Object.fromEntries([[s + i, 1]])); return 1`, true},
		{long + "const all = []; for (let i = 0; i < 1000; i++) all.push(JSON.parse(`{\"${s + i}\":1}`)); return 1", true},
		{long + `const all = []; for (let i = 0; i < 1000; i++) { const t = s + i; t.charCodeAt(7); all.push(t) } return 1`, true},
		{`const s = "é".repeat(2 ** 20), all = []; for (let i = 0; i < 1000; i++) { const t = s + i; t.charCodeAt(7); all.push(t) } return 1`, true},
		{`return new URLSearchParams("a=1&".repeat(1e6)).size`, true},
		{`const b = "x".repeat(3e6); return Array(100).fill(b)`, true},
		{`let v = 1; for (let i = 0; i < 25; i++) v = [v, v]; return v`, true},
		{`return Array(1e5).fill({ a: "x".repeat(1000) })`, true},
		{`const b = "x".repeat(3e6); await tools.a({ list: Array(100).fill(b) })`, true},
		// Garbage is not held against a program, nor a large result that is there once.
		{long + `let n = 0; for (let i = 0; i < 200; i++) n += (s + i).charCodeAt(7); return n`, false},
		{`return "x".repeat(20e6)`, false},
		{`return Array.from({ length: 30000 }, (_, i) => ({ id: i, name: "n" + i, tags: ["a", "b"] }))`, false},
		{long + `for (let i = 0; i < 100; i++) { try { tools[s + i] } catch {} } return 1`, false},
		{`let n = 0; for (let i = 0; i < 300000; i++) { if (typeof tools["a" + i].b === "function") n++ } return n`, false},
	} {
		p, d := interpreter.Compile(test.src, compileopt.Options{})
		if d != nil {
			t.Fatal(test.src, d)
		}
		const budget = 48 * mib
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		out := p.Run(context.Background(), interpreter.RunOptions{Host: copying{}, MaxMemory: budget})
		runtime.ReadMemStats(&after)
		over := out.Failure != nil && out.Failure.Kind == diagnostics.MemoryLimitExceeded
		if over != test.over || !over && out.Failure != nil {
			t.Errorf("%s: got %v", test.src, out.Failure)
		}
		if grown := int64(after.HeapSys+after.StackSys) - int64(before.HeapSys+before.StackSys); grown > 3*budget+32*mib {
			t.Errorf("%s: the process grew by %d MiB", test.src, grown/mib)
		}
	}
}

package interpreter_test

import (
	"context"
	"testing"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

// stopper ends the context of the execution at the first call, which never settles.
type stopper struct {
	noTools
	stop context.CancelFunc
}

func (stopper) Lookup(path []string) (bool, bool) { return len(path) > 0, len(path) == 0 }

func (s stopper) Invoke(interpreter.Call) error { s.stop(); return nil }

// An ending by the host tells where the program was, if that is certain.
func TestThePlaceOfAnEnding(t *testing.T) {
	for src, want := range map[string]string{
		"tools.stop();\n  for (;;) {}":                                                          "2:3",
		"tools.stop();\n  while (true) ;":                                                       "2:3",
		"tools.stop();\n  do {} while (true)":                                                   "2:3",
		"tools.stop();\nwhile (true) {\n  for (let i = 0; i < 1e9; i++) ;\n}":                   "3:3",
		"tools.stop();\nwhile (true) f();\nfunction f() { return 1 }":                           "2:1",
		"tools.stop();\nwhile (f()) ;\nfunction f() { return 1 }":                               "2:1",
		"tools.stop();\nfor (let i = 0; f(); i++) ;\nfunction f() { return 1 }":                 "2:1",
		"tools.stop();\nwhile (true) [3, 1, 2].sort((a, b) => a - b)":                           "2:1",
		"tools.stop();\nconst f = n => n < 2 ? n : f(n - 1) + f(n - 2);\nf(60)":                 "2:11",
		"tools.stop();\n1;\nconst a = Array(1e6).fill(0).map((_, i) => i)":                      "3:",
		"const p = tools.stop();\n  await p":                                                    "2:3",
		"const x = 1;\nreturn tools.stop()":                                                     "2:14",
		"const x = 1; return x + (await tools.stop())":                                          "1:26",
		"const f = async () => { await 0; await tools.stop() };\nawait Promise.all([f(), f()])": "2:1",
		"for await (const x of [tools.stop()]) ;":                                               "1:23",
		"for (const x of [1]) {\n  await tools.stop();\n}":                                      "2:3",
		"tools.stop();\nconst f = async () => { for (;;) await 0 };\nawait f()":                 "3:1",
		"(async () => { try { await tools.stop() } finally { console.log(1) } })();\nreturn 1":  "",
	} {
		p, d := interpreter.Compile(src, compileopt.Options{})
		if d != nil {
			t.Fatal(src, d)
		}
		ctx, stop := context.WithCancel(context.Background())
		out := p.Run(ctx, interpreter.RunOptions{Host: stopper{stop: stop}})
		got := ""
		if !out.Place.IsZero() {
			got = out.Place.String()
		}
		if want == "3:" && len(got) > 2 {
			got = got[:2]
		}
		if out.Ended == nil || got != want {
			t.Errorf("%s\n got %q, %v\nwant %q", src, got, out.Ended, want)
		}
	}
}

func TestThePlaceWhereMemoryEnds(t *testing.T) {
	for src, want := range map[string]string{
		"const a = [];\nwhile (true) a.push({ a })":                               "2:1",
		"const a = [];\nconst f = () => { a.push([1, 2, 3]) };\nwhile (true) f()": "3:1",
		"1;\n'x'.repeat(1e8)": "2:5",
		"let a = ['abcdefghijklmnop'];\nfor (let i = 0; i < 28; i++) a = [a, a];\nreturn a": "3:8",
	} {
		f := runWithMemory(t, src, mib).Failure
		if f == nil || f.Kind != diagnostics.MemoryLimitExceeded || f.Location.String() != want {
			t.Errorf("%s: %v, want it at %s", src, f, want)
		}
	}
}

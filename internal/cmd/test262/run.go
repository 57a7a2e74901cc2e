package main

// This file defines how a test becomes a program and is judged.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/scope"
)

// harness holds the suite's include files.
type harness struct {
	dir string
	mu  sync.Mutex
	got map[string]string
}

func newHarness(dir string) *harness { return &harness{dir: dir, got: map[string]string{}} }

func (h *harness) include(name string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, ok := h.got[name]; ok {
		return s
	}
	text, err := os.ReadFile(filepath.Join(h.dir, "harness", name))
	if err != nil {
		text = []byte(fmt.Sprintf("throw new Error(%q)", err.Error()))
	}
	h.got[name] = string(text)
	return h.got[name]
}

const asyncHead = "\nlet __finish; const __finished = new Promise((r) => { __finish = r; }); function $DONE(e) { __finish(e === undefined ? [] : [e]); }\n"
const asyncTail = "\nconst __outcome = await __finished; if (__outcome.length) throw __outcome[0];\n"

// compose puts the harness before the test.
func (h *harness) compose(t test) string {
	var b strings.Builder
	b.WriteString("\"use strict\";\n")
	for _, name := range append([]string{"assert.js", "sta.js"}, t.Includes...) {
		if name == "doneprintHandle.js" || (name == "assert.js" || name == "sta.js") && strings.Contains(b.String(), h.include(name)) {
			continue
		}
		b.WriteString(h.include(name) + "\n")
	}
	if t.Async {
		b.WriteString(asyncHead)
	}
	b.WriteString("\n" + t.Source + "\n")
	if t.Async {
		b.WriteString(asyncTail)
	}
	return b.String()
}

// verdict is the outcome of one test; Problem is empty if it passed.
type verdict struct {
	test    test
	problem string
	took    time.Duration
}

func run(h *harness, tests []test, workers int, limit time.Duration) []verdict {
	out := make([]verdict, len(tests))
	var next atomic.Int64
	s := scope.Open(context.Background(), scope.Options{Name: "test262"})
	fibers := make([]*scope.Fiber, workers)
	for w := range fibers {
		fibers[w] = s.Fork("worker", func(context.Context) error {
			for i := int(next.Add(1)) - 1; i < len(tests); i = int(next.Add(1)) - 1 {
				start := time.Now()
				out[i] = verdict{test: tests[i], problem: judge(h, tests[i], limit)}
				out[i].took = time.Since(start)
			}
			return nil
		})
	}
	for _, f := range fibers {
		f.Await(context.Background())
	}
	s.Close(scope.Exit{})
	return out
}

type noTools struct{}

func (noTools) Invoke(interpreter.Call) error { return fmt.Errorf("there are no tools") }

func (noTools) Keys(path []string) ([]string, bool) { return nil, len(path) == 0 }

func (noTools) Lookup(path []string) (isTool, isNamespace bool) { return false, len(path) == 0 }

// maxMemory is what one test may hold.
const maxMemory = 256 << 20

// judge runs one test and says what was wrong.
func judge(h *harness, t test, limit time.Duration) (problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	p, d := interpreter.Compile(h.compose(t), compileopt.Options{NoSizeLimit: true, DiscardValue: true, IgnoreUnhandled: true})
	early := t.Negative != nil && t.Negative.Phase != "runtime"
	if d != nil {
		if early && t.Negative.Type == "SyntaxError" {
			return ""
		}
		return "compile: " + d.Error()
	}
	if early {
		return "compiled, want " + t.Negative.Type
	}
	out := p.Run(ctx, interpreter.RunOptions{Host: noTools{}, MaxMemory: maxMemory})
	switch {
	case out.Ended != nil:
		return "ended: " + out.Ended.Error()
	case t.Negative != nil && out.Failure == nil:
		return "ran to its end, want " + t.Negative.Type
	case t.Negative != nil:
		if !strings.Contains(out.Failure.Message, t.Negative.Type) {
			return out.Failure.Error() + ", want " + t.Negative.Type
		}
	case out.Failure != nil:
		return out.Failure.Error()
	}
	return ""
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
	"github.com/dop251/goja"
)

// noHost has no tools.
type noHost struct{}

func (noHost) Invoke(interpreter.Call) error       { return errors.New("no tools") }
func (noHost) Keys(path []string) ([]string, bool) { return nil, len(path) == 0 }
func (noHost) Lookup(path []string) (bool, bool)   { return false, len(path) == 0 }

func compiled(tb testing.TB, source string) *interpreter.Program {
	tb.Helper()
	p, d := interpreter.Compile(source, compileopt.Options{})
	if d != nil {
		tb.Fatal(d)
	}
	return p
}

// own runs a program in a fresh realm.
func own(tb testing.TB, p *interpreter.Program) (result string, took time.Duration) {
	tb.Helper()
	start := time.Now()
	out := p.Run(context.Background(), interpreter.RunOptions{Host: noHost{}})
	took = time.Since(start)
	if out.Failure != nil {
		tb.Fatal(out.Failure)
	}
	if text, ok := out.Value.(data.String); ok {
		return string(text), took
	}
	return data.JSON(out.Value), took
}

func gojaProgram(p program) *goja.Program {
	keyword := ""
	if p.async {
		keyword = "async "
	}
	return goja.MustCompile(p.name, "("+keyword+"function(){"+p.source+"})()", true)
}

// other runs a program in goja, in a fresh runtime whose making is not measured.
func other(tb testing.TB, p *goja.Program) (result string, took time.Duration) {
	tb.Helper()
	vm := goja.New()
	start := time.Now()
	v, err := vm.RunProgram(p)
	took = time.Since(start)
	if err != nil {
		tb.Fatal(err)
	}
	if promise, ok := v.Export().(*goja.Promise); ok {
		v = promise.Result()
	}
	return v.String(), took
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// rounds is how often to measure; without -v nothing is.
func rounds(p program) int {
	switch {
	case !testing.Verbose():
		return 1
	case p.rounds > 0:
		return p.rounds
	}
	return 7
}

func micros(d time.Duration) string { return fmt.Sprintf("%.0f µs", float64(d.Nanoseconds())/1000) }

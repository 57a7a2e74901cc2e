package interpreter_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

// A timer tells how long it runs until it is ended; one that does not run says nothing.
func TestConsoleTimers(t *testing.T) {
	p, problem := interpreter.Compile(`
		console.time("a"); console.time();
		console.timeLog("a", "so far", { n: 1 }, "%s"); console.timeEnd("a");
		console.timeEnd("a"); console.timeLog("a");
		console.timeEnd(); console.timeEnd("other");
		console.time("a"); console.timeEnd("a");`, compileopt.Options{})
	if problem != nil {
		t.Fatal(problem)
	}
	now := time.UnixMilli(0)
	clock := func() time.Time { now = now.Add(5 * time.Millisecond); return now }
	out := p.Run(context.Background(), interpreter.RunOptions{Host: noTools{}, Now: clock})
	var got []string
	for _, l := range out.Logs {
		got = append(got, l.Text)
	}
	if want := []string{"a: 10ms so far { n: 1 } %s", "a: 15ms", "default: 15ms", "a: 5ms"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

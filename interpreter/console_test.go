package interpreter_test

import (
	"context"
	"slices"
	"strings"
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

func TestConsoleTablesAndGroups(t *testing.T) {
	p, problem := interpreter.Compile(`
		console.table([{ a: 1, b: "x" }, { b: "y\tz", c: [1, { d: 2 }] }, 7]);
		console.table({ one: { n: 1 }, two: { n: 2, get m() { throw 1 } } }, ["n"]);
		console.table("text"); console.table([]);
		console.group("outer"); console.log("a\nb"); console.group(); console.warn("deep"); console.groupEnd(); console.groupEnd(); console.groupEnd();
		console.count(); console.count(); console.countReset(); console.count();
		console.table(Array.from({ length: 1002 }, (_, i) => i));`, compileopt.Options{})
	if problem != nil {
		t.Fatal(problem)
	}
	out := p.Run(context.Background(), interpreter.RunOptions{Host: noTools{}})
	if out.Failure != nil {
		t.Fatal(out.Failure)
	}
	want := []string{
		"(index)\ta\tb\tc\tValues\n0\t1\tx\t\t\n1\t\ty z\t[ 1, { d: 2 } ]\t\n2\t\t\t\t7", "(index)\tn\none\t1\ntwo\t2", "text", "(index)",
		"outer", "  a\n  b", "    deep", "default: 1", "default: 2", "default: 1",
	}
	for i, w := range want {
		if out.Logs[i].Text != w {
			t.Errorf("line %d: got %q, want %q", i, out.Logs[i].Text, w)
		}
	}
	if last := out.Logs[len(want)].Text; !strings.HasSuffix(last, "\n999\t999\n… and 2 more") {
		t.Errorf("got %q", last[len(last)-40:])
	}
}

// A log never fails a program, whatever it is given, and runs none of its code.
func TestALogNeverFails(t *testing.T) {
	for _, bad := range []string{`Symbol("x")`, `{ toString() { throw 1 } }`, `{ get a() { throw 1 } }`, `{ toJSON() { throw 1 } }`, `Object.create(null)`, `[, { get a() { throw 1 } }]`, `null`, `10n`, `(() => arguments)`} {
		for _, call := range []string{"count(x)", "countReset(x)", "time(x)", "timeLog(x, x)", "timeEnd(x)", "group(x)", "groupCollapsed(x)", "groupEnd(x)", "assert(false, x)", "assert(x, x)", "table(x)", "table([x], x)",
			"table([{ a: 1 }], [x])", "dir(x, x)", "dir(x, { depth: x })", "dirxml(x)", "trace(x)", `log("%s %d %i %f %j %o %O %c", x, x, x, x, x, x, x, x)`, "error(x)", "clear(x)"} {
			out := run(t, "function f() { const x = "+bad+"; console."+call+" } f(); return 1", 0)
			if out.Failure != nil || text(out) != "1" {
				t.Errorf("console.%s with %s: %s", call, bad, text(out))
			}
		}
	}
}

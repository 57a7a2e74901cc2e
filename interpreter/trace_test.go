package interpreter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
)

// answering is a host whose tool t answers at once and whose tool bad refuses.
type answering struct{}

func (answering) Invoke(c Call) error {
	if c.Path[0] == "bad" {
		return errors.New("refused")
	}
	if _, err := c.Args(); err != nil {
		return err
	}
	c.Done(data.String("x"), nil)
	return nil
}
func (answering) Keys([]string) ([]string, bool)    { return nil, true }
func (answering) Lookup(path []string) (bool, bool) { return true, false }

func recorded(t *testing.T, src string, o compileopt.Options) (*Trace, *Outcome) {
	t.Helper()
	p, d := Compile(src, o)
	if d != nil {
		t.Fatal(d)
	}
	tr := &Trace{Start: time.Now()}
	return tr, p.Run(context.Background(), RunOptions{Host: answering{}, Trace: tr})
}

// TestFibersNest has async generators, which suspend in every way, called by async functions.
func TestFibersNest(t *testing.T) {
	tr, out := recorded(t, `async function* pages() {
  try { yield await tools.t(); yield 2; yield 3 } finally { await 0 }
}
async function first() {
  for await (const p of pages()) { await 0; if (p === 2) break }
  return pages().next();
}
const arrow = async () => { await first(); throw new Error("no") };
await arrow().catch(() => 0);
await new Promise(() => {});`, compileopt.Options{Traced: true})
	if out.Failure == nil {
		t.Fatal("the program should stall")
	}
	var got []string
	for _, f := range tr.Fibers {
		got = append(got, fmt.Sprint(f.Kind, " ", f.Name, " of ", f.Parent, " ", f.Outcome, " ", f.End >= f.Start))
	}
	want := []string{"program  of -1 unfinished true", "async arrow of 0 threw true", "async first of 1 returned true",
		"async generator pages of 2 returned true", "async generator pages of 2 unfinished false"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	open := 0
	for _, a := range tr.Awaits {
		if a.End < 0 {
			open++
		} else if a.End < a.Start || a.Start < tr.Fibers[a.Fiber].Start {
			t.Errorf("await %+v", a)
		}
	}
	if open != 1 { // of the generator that nobody asks for more
		t.Errorf("%d awaits are open: %+v", open, tr.Awaits)
	}
	if len(tr.Calls) != 2 || tr.Calls[0].Fiber != 3 || tr.Calls[1].Fiber != 4 || tr.Calls[0].At.Line != 2 {
		t.Errorf("calls %+v", tr.Calls)
	}
}

// TestTimeOfWaitingIsOnNoLine has coroutines take turns on one line after the other: what is accounted is less than the whole.
func TestTimeOfWaitingIsOnNoLine(t *testing.T) {
	tr, _ := recorded(t, `const f = async n => {
  for (let i = 0; i < 100; i++) await null;
};
await Promise.all([f(1), f(2)]);
function* g() { for (let i = 0; i < 50; i++) yield i }
let sum = 0;
for (const x of g()) sum += x;
return sum`, compileopt.Options{Traced: true})
	var self time.Duration
	steps := map[int]int64{}
	for _, l := range tr.Lines {
		if l.Self < 0 {
			t.Errorf("line %d: %v", l.Line, l.Self)
		}
		self += l.Self
		steps[l.Line] = l.Steps
	}
	if self > tr.End {
		t.Errorf("%v on lines of %v in all", self, tr.End)
	}
	// Two loops with their declarations, two hundred turns and as many statements; the same with fifty in the generator, which
	// the loop of line 7 runs as often.
	if steps[2] != 404 || steps[5] != 102 || steps[7] != 101 {
		t.Errorf("got %v", steps)
	}
}

func TestProgramsThatAreNotTracedRecordCallsAndConsole(t *testing.T) {
	tr, out := recorded(t, "console.log(1);\nawait tools.bad().catch(() => 0)", compileopt.Options{})
	if out.Failure != nil || len(tr.Calls) != 1 || len(tr.Logs) != 1 || tr.Logs[0].At.Line != 1 || tr.Calls[0].At.Line != 2 || len(tr.Fibers)+len(tr.Lines) > 0 {
		t.Errorf("got %+v, %v", tr, out.Failure)
	}
}

// TestTracedProgramWithoutTrace runs a program whose code tells what nobody wants to know.
func TestTracedProgramWithoutTrace(t *testing.T) {
	p, d := Compile("let n = 0; for (const x of [1, 2]) n += await x; return n", compileopt.Options{Traced: true})
	if d != nil {
		t.Fatal(d)
	}
	if out := p.Run(context.Background(), RunOptions{Host: answering{}}); out.Failure != nil || data.JSON(out.Value) != "3" {
		t.Errorf("got %+v", out)
	}
}

package proptest

// This file defines what holds however a program ends: one row of the table of endings, a true ledger, silence
// afterwards.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"pgregory.net/rapid"
)

// circumstances are what a program meets besides its tools.
type circumstances struct {
	options     codemode.Options
	interruptAt time.Duration // by the host, or negative
	readings    int           // of the clock, until the host interrupts, or negative
	brokenClock bool
}

func drawCircumstances(t *rapid.T) circumstances {
	maybe := func(name string, least, most int) *int {
		if rapid.IntRange(0, 2).Draw(t, name+" is set") > 0 {
			return nil
		}
		return new(rapid.IntRange(least, most).Draw(t, name))
	}
	c := circumstances{interruptAt: -1, readings: -1}
	c.options.Limits = codemode.Limits{TimeoutMs: maybe("timeout", 1, 80), MaxToolCalls: maybe("calls", 0, 6), MaxMemoryBytes: maybe("memory", 1<<20, 2<<20)}
	c.options.Pending = codemode.Pending(rapid.IntRange(0, 1).Draw(t, "pending"))
	c.options.InterruptGrace = time.Duration(rapid.IntRange(1, 30).Draw(t, "grace"))*time.Millisecond + 7
	c.options.AllowSleep = true
	switch rapid.IntRange(0, 5).Draw(t, "interruption") {
	case 0:
		c.interruptAt = time.Duration(rapid.IntRange(0, 90_000).Draw(t, "µs"))*time.Microsecond + 5
	case 1:
		c.readings = rapid.IntRange(1, 12).Draw(t, "readings")
	case 2:
		c.brokenClock = rapid.IntRange(0, 3).Draw(t, "broken clock") == 0
	}
	return c
}

// ending is all that is known when Execute has returned.
type ending struct {
	circumstances
	r           *codemode.Result
	err         error
	took        time.Duration
	interrupted bool // the host's context was done before
	stage       *stage
}

// rows is the table of endings: how each shows.
var rows = []struct {
	name string
	is   func(e *ending) bool
}{
	{"returned", func(e *ending) bool {
		return e.err == nil && e.r.OK && e.r.Error == nil && e.r.Value != nil && e.cameToItsEnd()
	}},
	{"unhandled rejection", func(e *ending) bool {
		return e.failed("") && strings.HasPrefix(e.r.Error.Message, "unhandled rejection: ") && e.cameToItsEnd()
	}},
	{"uncaught throw", func(e *ending) bool {
		return e.failed("") && e.r.Value == nil && !strings.HasPrefix(e.r.Error.Message, "unhandled rejection: ") && !strings.Contains(e.r.Error.Message, "nothing can settle") &&
			e.r.Error.Location.Line > 0
	}},
	{"stalled", func(e *ending) bool {
		return e.failed(diagnostics.ExecutionFailure) && e.r.Value == nil && strings.Contains(e.r.Error.Message, "nothing can settle") && e.r.Error.Location.Line > 0 && !e.cameToItsEnd()
	}},
	{"timeout", func(e *ending) bool {
		return e.failed(diagnostics.TimeoutExceeded) && e.r.Value == nil && e.took >= time.Duration(*e.options.Limits.TimeoutMs)*time.Millisecond
	}},
	{"memory", func(e *ending) bool {
		return e.failed(diagnostics.MemoryLimitExceeded) && e.r.Value == nil && e.options.Limits.MaxMemoryBytes != nil
	}},
	{"call limit", func(e *ending) bool {
		return e.failed(diagnostics.ToolCallLimitExceeded) && e.r.Value == nil && e.r.Error.Location.Line == 0 && e.options.Limits.MaxToolCalls != nil
	}},
	{"host interruption", func(e *ending) bool {
		var ended *codemode.Ended
		return e.interrupted && errors.Is(e.err, context.Canceled) && errors.As(e.err, &ended) && ended.Result == e.r && scope.CauseOf(e.err).HasInterruptsOnly()
	}},
	{"defect", func(e *ending) bool {
		var ended *codemode.Ended
		var die *scope.Die
		return e.brokenClock && errors.As(e.err, &ended) && ended.Result == e.r && errors.As(e.err, &die) && len(die.Stack) > 0
	}},
}

// drained reports that the ending waits for all calls.
func (e *ending) drained(row string) bool {
	switch row {
	case "stalled":
		return true
	case "returned", "unhandled rejection":
		return e.options.Pending == codemode.Drain
	case "uncaught throw":
		return e.options.Pending == codemode.Drain && len(e.r.Warnings) == 0 // a limit in the drain is a warning
	}
	return false
}

func (e *ending) cameToItsEnd() bool {
	return slices.ContainsFunc(e.r.Logs, func(l codemode.Log) bool { return l.Text == lastLine })
}

// failed reports a failure of the kind, or of any that a program can catch.
func (e *ending) failed(kind diagnostics.Kind) bool {
	if e.err != nil || e.r.OK || e.r.Error == nil {
		return false
	}
	if kind == "" {
		limited := e.r.Error.Kind == diagnostics.TimeoutExceeded || e.r.Error.Kind == diagnostics.MemoryLimitExceeded ||
			e.r.Error.Kind == diagnostics.ToolCallLimitExceeded && e.r.Error.Location.Line == 0
		return !limited
	}
	return e.r.Error.Kind == kind
}

// row is the one row that was reached.
func (e *ending) row(t *rapid.T) string {
	var reached []string
	for _, row := range rows {
		if row.is(e) {
			reached = append(reached, row.name)
		}
	}
	if len(reached) != 1 {
		t.Fatalf("rows %q: %+v %v after %v", reached, e.r, e.err, e.took)
	}
	return reached[0]
}

// execute runs a program in the circumstances, in virtual time.
func execute(t *rapid.T, program string, c circumstances) (e *ending) {
	e = &ending{circumstances: c, stage: newStage()}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := c.options
	o.Tools, o.Hooks = e.stage.tree(), e.stage.hooks()
	readings := 0
	o.Clock = func() time.Time {
		if readings++; readings == c.readings {
			cancel()
		}
		if c.brokenClock {
			panic("clock")
		}
		return time.Unix(0, 0)
	}
	if c.interruptAt >= 0 {
		defer time.AfterFunc(c.interruptAt, cancel).Stop()
	}
	rt := newRuntime(t, o)
	start := time.Now()
	e.r, e.err = rt.Execute(ctx, program)
	e.took, e.interrupted = time.Since(start), ctx.Err() != nil
	return e
}

func TestEveryProgramReachesExactlyOneEnding(t *testing.T) {
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawCircumstances(t)
		program := (&author{t: t, flood: c.options.Limits.MaxToolCalls != nil && c.options.Limits.MaxMemoryBytes != nil}).program()
		t.Logf("%+v\n%s", c, program)
		rapid.SyncTest(t, func(t *rapid.T) {
			e := execute(t, program, c)
			row := e.row(t)
			reached[row]++
			e.checkLedger(t, row)
			e.checkTime(t, row)
			e.checkSilence(t)
		})
	})
	t.Log(reached)
}

// checkLedger: every call is in the ledger, with the status that the tool saw.
func (e *ending) checkLedger(t *rapid.T, row string) {
	made := 0
	for _, l := range e.r.Logs {
		if strings.HasPrefix(l.Text, "call ") {
			made++
		}
	}
	// What ends a program from outside may do so between its line and its call.
	outside := row == "timeout" || row == "memory" || row == "host interruption" || row == "defect"
	if n := len(e.r.Calls); n != made && !(outside && n == made-1) {
		t.Fatalf("%d calls in the ledger, %d were made", n, made)
	}
	e.stage.mu.Lock()
	defer e.stage.mu.Unlock()
	if limit := e.options.Limits.MaxToolCalls; limit != nil && len(e.stage.starts) > *limit {
		t.Fatalf("%d calls ran, %d are allowed", len(e.stage.starts), *limit)
	}
	for i, call := range e.r.Calls {
		if call.Index != i || id(call) != i {
			t.Fatalf("call %d is %+v", i, call)
		}
		saw, over := e.stage.ended[i]
		switch {
		case e.stage.starts[i] == 0:
			saw = tool.NotStarted
		case !over:
			saw = tool.Abandoned
		}
		if call.Status != saw {
			t.Fatalf("call %d is %s in the ledger, the tool saw %s: %+v", i, call.Status, saw, call)
		}
		if (call.Status == tool.NotStarted) != call.Started.IsZero() || call.Status == tool.Completed && call.Message != "" || strings.Contains(call.Message, "secret") {
			t.Fatalf("call %d: %+v", i, call)
		}
		if limit := e.options.Limits.MaxToolCalls; limit != nil && i >= *limit && !strings.Contains(call.Message, fmt.Sprint("limit of ", *limit)) {
			t.Fatalf("call %d was refused: %+v", i, call)
		}
		if e.drained(row) && (call.Status == tool.Interrupted || call.Status == tool.Abandoned) {
			t.Fatalf("%s, and yet call %d is %+v", row, i, call)
		}
		begun, told := e.stage.begun[i], e.stage.told[i]
		if call.Status == tool.NotStarted && (begun != 0 || told != "") || call.Status != tool.NotStarted && (begun != 1 || told != call.Status) {
			t.Fatalf("call %d is %s; hooks saw %d starts and %q", i, call.Status, begun, told)
		}
	}
}

// checkTime: limits and graces bound how long it takes.
func (e *ending) checkTime(t *rapid.T, row string) {
	grace := e.options.InterruptGrace
	if limit := e.options.Limits.TimeoutMs; limit != nil {
		if most := time.Duration(*limit)*time.Millisecond + grace + e.waited(); e.took > most {
			t.Fatalf("took %v, at most %v", e.took, most)
		}
	}
	if row == "host interruption" && e.interruptAt >= 0 && e.took > e.interruptAt+grace {
		t.Fatalf("took %v, interrupted after %v with a grace of %v", e.took, e.interruptAt, grace)
	}
}

func (e *ending) waited() time.Duration {
	return time.Duration(e.r.Stats.WaitedMs * float64(time.Millisecond))
}

// checkSilence: nothing runs after the ending but the tools that were abandoned.
func (e *ending) checkSilence(t *rapid.T) {
	e.stage.mu.Lock()
	events, calls := e.stage.events, fmt.Sprint(e.r.Calls, e.r.Logs)
	e.stage.mu.Unlock()
	time.Sleep(time.Hour)
	synctest.Wait()
	e.stage.mu.Lock()
	defer e.stage.mu.Unlock()
	if e.stage.events != events || fmt.Sprint(e.r.Calls, e.r.Logs) != calls {
		t.Fatalf("%d things happened afterwards", e.stage.events-events)
	}
}

package interpreter

// This file defines what is recorded of a traced execution.

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter/internal/value"
	"github.com/codemode-go/codemode/promise"
)

// Trace is what a program did. Start is set by the caller; all times are durations since then. The lists are bounded;
// Dropped counts what they have no room for.
type Trace struct {
	Start   time.Time
	End     time.Duration // when the program and all that it waited for had ended
	Fibers  []TraceFiber
	Awaits  []TraceAwait
	Calls   []TraceCall // in the order of Host.Invoke
	Logs    []TraceLog
	Lines   []TraceLine // those on which something ran, by line
	Dropped TraceDropped
}

// TraceFiber is one activation of an async function or a generator. The first is the program itself.
type TraceFiber struct {
	Name    string               // of the function, "" if it has none
	Kind    string               // program, async, generator or async generator
	At      diagnostics.Location // of the function
	Parent  int                  // index of the fiber that called it; -1 of the program, and where no fiber ran
	Start   time.Duration
	End     time.Duration // negative if it had not ended when the execution did
	Outcome string        // returned, threw or unfinished
}

// TraceAwait is one suspension of a fiber.
type TraceAwait struct {
	Fiber int // index of the fiber, -1 if it was dropped
	At    diagnostics.Location
	Text  string // of the expression, "" if it has no short one
	// Kind is call (of a tool), promise, settled (there was nothing to wait for) or yield.
	Kind  string
	Call  int // index of the call of a tool, -1 for none
	Start time.Duration
	End   time.Duration // negative if it lasted until the execution ended
}

// TraceCall is one call of a tool as the program made it.
type TraceCall struct {
	Path  []string
	At    diagnostics.Location
	Fiber int // index of the fiber that made it, -1 for none
	Start time.Duration
}

// TraceLog is one console line.
type TraceLog struct {
	Log
	At    diagnostics.Location
	Fiber int // index of the fiber that wrote it, -1 for none
	Time  time.Duration
}

// TraceLine is what was spent on a line of the submitted text.
type TraceLine struct {
	Line  int
	Steps int64         // statements begun and turns of loops
	Self  time.Duration // without what the line called or waited for
}

// TraceDropped counts what a Trace had no room for.
type TraceDropped struct {
	Fibers int `json:"fibers,omitempty"`
	Awaits int `json:"awaits,omitempty"`
	Calls  int `json:"calls,omitempty"`
	Logs   int `json:"logs,omitempty"`
}

// The bounds of a trace, beside those of fibers and suspensions in package value.
const (
	MaxTraceCalls = 20_000
	MaxTraceLogs  = 10_000
	// MaxTraceText bounds the text of a console line in bytes.
	MaxTraceText    = 4 << 10
	maxTraceAllText = 16 << 20
)

// recorder fills a Trace while the program runs.
type recorder struct {
	ex       *execution
	trace    *Trace
	activity *value.Activity
	made     []int32 // places of the calls
	written  []int32 // places of the console lines
	text     int     // bytes of the console lines
	pending  map[*value.PromiseData]int
}

// startTrace sets up the recording, if there is one. A program compiled for it needs a record in any case.
func (ex *execution) startTrace() {
	if ex.o.Trace == nil && !ex.p.options.Traced {
		return
	}
	t := ex.o.Trace
	if t == nil {
		t = &Trace{Start: time.Now()}
	}
	ex.trace = &recorder{ex: ex, trace: t, pending: map[*value.PromiseData]int{}}
	ex.trace.activity = value.NewActivity(len(ex.p.unit.Traced), ex.trace.now, ex.trace.awaited)
	ex.r.Activity = ex.trace.activity
}

func (t *recorder) now() time.Duration { return time.Since(t.trace.Start) }

// awaited tells what an awaited value is.
func (t *recorder) awaited(v value.Value) (call int, pending bool) {
	p := value.NativePromise(v)
	if p == nil || p.State() != promise.Pending {
		return -1, false
	}
	if n, ok := t.pending[p]; ok {
		return n, true
	}
	return -1, true
}

func (t *recorder) call(pc *pendingCall) {
	if len(t.trace.Calls) >= MaxTraceCalls {
		t.trace.Dropped.Calls++
		return
	}
	t.pending[pc.promise] = len(t.trace.Calls)
	t.trace.Calls = append(t.trace.Calls, TraceCall{Path: pc.path, Fiber: t.activity.Fiber(), Start: t.now()})
	t.made = append(t.made, pc.pos)
}

// settled forgets the promise of a call.
func (t *recorder) settled(pc *pendingCall) { delete(t.pending, pc.promise) }

func (t *recorder) log(l Log) {
	if len(t.trace.Logs) >= MaxTraceLogs || t.text >= maxTraceAllText {
		t.trace.Dropped.Logs++
		return
	}
	if len(l.Text) > MaxTraceText {
		l.Text = strings.ToValidUTF8(l.Text[:MaxTraceText], "") + "…"
	}
	t.text += len(l.Text)
	t.trace.Logs = append(t.trace.Logs, TraceLog{Log: l, Fiber: t.activity.Fiber(), Time: t.now()})
	t.written = append(t.written, t.ex.r.Pos)
}

// finish puts the record into the form of a Trace.
func (t *recorder) finish() {
	text, out := t.ex.p.text, t.trace
	out.End = t.now()
	places := map[int32]diagnostics.Location{}
	locate := func(pos int32) diagnostics.Location {
		at, known := places[pos]
		if !known {
			at = text.Locate(pos)
			places[pos] = at
		}
		return at
	}
	for i, pos := range t.made {
		out.Calls[i].At = locate(pos)
	}
	for i, pos := range t.written {
		out.Logs[i].At = locate(pos)
	}
	for _, f := range t.activity.Fibers {
		out.Fibers = append(out.Fibers, fiberOf(f, f.Code == t.ex.p.unit.Main, locate))
	}
	for _, s := range t.activity.Suspends {
		out.Awaits = append(out.Awaits, TraceAwait{
			Fiber: s.Fiber, At: locate(s.Site.Pos), Text: s.Site.Text, Kind: awaitKind(s), Call: s.Call, Start: s.Start, End: s.End,
		})
	}
	out.Dropped.Fibers, out.Dropped.Awaits = t.activity.DroppedFibers, t.activity.DroppedSuspends
	out.Lines = t.lines(locate)
}

func fiberOf(f value.FiberRecord, main bool, locate func(int32) diagnostics.Location) TraceFiber {
	out := TraceFiber{Name: f.Code.Name, Parent: f.Parent, Start: f.Start, End: f.End, At: locate(f.Code.Pos)}
	switch {
	case main:
		out.Kind, out.Name, out.At = "program", "", diagnostics.Location{Line: 1, Column: 1}
	case f.Code.Kind == value.CodeGenerator:
		out.Kind = "generator"
	case f.Code.Kind == value.CodeAsyncGenerator:
		out.Kind = "async generator"
	default:
		out.Kind = "async"
	}
	switch f.State {
	case value.FiberReturned:
		out.Outcome = "returned"
	case value.FiberThrew:
		out.Outcome = "threw"
	default:
		out.Outcome = "unfinished"
	}
	return out
}

func awaitKind(s value.SuspendRecord) string {
	switch {
	case s.Site.Yield:
		return "yield"
	case s.Call >= 0:
		return "call"
	case s.Pending:
		return "promise"
	}
	return "settled"
}

// lines sums up the sites by line.
func (t *recorder) lines(locate func(int32) diagnostics.Location) []TraceLine {
	byLine := map[int]*TraceLine{}
	for i, steps := range t.activity.Steps {
		at := locate(t.ex.p.unit.Traced[i])
		if steps == 0 || at.IsZero() {
			continue
		}
		l := byLine[at.Line]
		if l == nil {
			l = &TraceLine{Line: at.Line}
			byLine[at.Line] = l
		}
		l.Steps += steps
		l.Self += t.activity.Self[i]
	}
	out := make([]TraceLine, 0, len(byLine))
	for _, l := range byLine {
		out = append(out, *l)
	}
	slices.SortFunc(out, func(a, b TraceLine) int { return cmp.Compare(a.Line, b.Line) })
	return out
}

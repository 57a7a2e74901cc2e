package codemode

// This file defines traces: what a program did and when, for a person to look at.

import (
	"strings"
	"sync"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// Trace is the record of one execution: its fibers (the program itself and the activations of its async functions and
// generators), what they awaited, the calls of tools, console lines, and what was spent on each line of the program. Put
// one into [ExecOptions]; it is filled when the execution has ended, however it ended. It belongs to the caller and must
// not be used before that.
//
// A traced program is compiled for it, not taken from the cache, and its own statements run several times slower; calls
// of tools do not. It holds inputs and outputs of tools in clear. Times are durations since Start. A trace is at most a
// few ten megabytes: texts are cut and each list has an end, beyond which Dropped counts.
type Trace struct {
	Start    time.Time
	Duration time.Duration // until the program and the last of its calls had ended
	Fibers   []TraceFiber  // the first is the program
	Awaits   []TraceAwait
	Calls    []TraceCall // in the order of the program
	Logs     []TraceLog
	Lines    []TraceLine
	Dropped  TraceDropped
	// Incomplete reports that the program did not end within the grace of its interruption, or that it never ran, so that
	// only its calls are known.
	Incomplete bool
}

type (
	// TraceFiber is one activation of an async function or a generator. See [interpreter.TraceFiber].
	TraceFiber = interpreter.TraceFiber
	// TraceAwait is one suspension of a fiber. See [interpreter.TraceAwait].
	TraceAwait = interpreter.TraceAwait
	// TraceLog is one console line. See [interpreter.TraceLog].
	TraceLog = interpreter.TraceLog
	// TraceLine is what was spent on one line. See [interpreter.TraceLine].
	TraceLine = interpreter.TraceLine
	// TraceDropped counts what a Trace had no room for. See [interpreter.TraceDropped].
	TraceDropped = interpreter.TraceDropped
)

// TraceCall is one call of a tool.
type TraceCall struct {
	// Index is its place in Result.Calls, or -1 of a call that is not there: of the runtime's own tools, and those that were
	// refused before they counted (unknown tools, invalid inputs).
	Index int
	Path  string // as an expression
	At    diagnostics.Location
	Fiber int // index of the fiber that made it, -1 if unknown
	// Made is when the program called, Started when the tool began after its turn had come, Ended when the program was to
	// be told. Negative is never.
	Made, Started, Ended time.Duration
	Input, Output        string // JSON text, cut after 4 KiB
	// Status is as in the ledger, or "" of a call that was refused before it counted.
	Status  tool.Status
	Message string // what the program was told, "" on success
}

const (
	maxTraceText    = interpreter.MaxTraceText
	maxTraceAllText = 16 << 20
)

// tracer records the calls of an execution and, through the interpreter, what the program does.
type tracer struct {
	out   *Trace
	guest interpreter.Trace

	mu      sync.Mutex
	calls   []*TraceCall // as many as guest.Calls
	byIndex map[int]*TraceCall
	text    int // bytes of all texts
	sealed  bool
}

func newTracer(out *Trace, start time.Time) *tracer {
	*out = Trace{Start: start}
	return &tracer{out: out, guest: interpreter.Trace{Start: start}, byIndex: map[int]*TraceCall{}}
}

func (t *tracer) now() time.Duration { return time.Since(t.out.Start) }

// clip cuts a text, to nothing when the trace has no room for texts any more.
func (t *tracer) clip(text string) string {
	if t.text >= maxTraceAllText {
		return ""
	}
	if len(text) > maxTraceText {
		text = strings.ToValidUTF8(text[:maxTraceText], "") + "…"
	}
	t.text += len(text)
	return text
}

// update changes a call unless the trace has been handed over.
func (t *tracer) update(c *TraceCall, change func(c *TraceCall)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c != nil && !t.sealed {
		change(c)
	}
}

// made records a call that the program makes; nil if there is no room. index is its place in the ledger, should it get there.
func (t *tracer) made(c interpreter.Call, index int) *TraceCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.calls) >= interpreter.MaxTraceCalls || t.sealed {
		return nil
	}
	call := &TraceCall{Index: index, Path: expression(c.Path), Fiber: -1, Made: t.now(), Started: -1, Ended: -1}
	t.calls = append(t.calls, call)
	t.byIndex[index] = call
	return call
}

func expression(path []string) string {
	text := []byte("tools")
	for _, name := range path {
		text = data.AppendKey(text, name)
	}
	return string(text)
}

// hooks are h with the recording of starts and ends around them.
func (t *tracer) hooks(h Hooks) Hooks {
	return Hooks{
		OnToolCallStart: func(s tool.CallStart) {
			t.update(t.numbered(s.Index), func(c *TraceCall) { c.Started = t.now() })
			if h.OnToolCallStart != nil {
				h.OnToolCallStart(s)
			}
		},
		OnToolCallEnd: func(e tool.CallEnd) {
			t.update(t.numbered(e.Index), func(c *TraceCall) {
				c.Ended, c.Status, c.Message = t.now(), e.Outcome, t.clip(e.Message)
				if e.Outcome == tool.NotStarted {
					c.Started = -1
				}
			})
			if h.OnToolCallEnd != nil {
				h.OnToolCallEnd(e)
			}
		},
	}
}

func (t *tracer) numbered(index int) *TraceCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byIndex[index]
}

// tracedHost is a host whose calls are recorded.
type tracedHost struct {
	host
	tracer *tracer
}

// Invoke implements interpreter.Host.
func (h tracedHost) Invoke(c interpreter.Call) error {
	t := h.tracer
	next := h.session.Recorded()
	call := t.made(c, next)
	if call == nil {
		return h.host.Invoke(c)
	}
	args, done := c.Args, c.Done
	c.Args = func() ([]data.Value, error) {
		in, err := args()
		if len(in) > 0 {
			t.update(call, func(c *TraceCall) { c.Input = t.clip(preview(in[0])) })
		}
		return in, err
	}
	c.Done = func(v data.Value, err error) {
		t.update(call, func(c *TraceCall) { t.ended(c, v, err) })
		done(v, err)
	}
	err := h.host.Invoke(c)
	recorded := h.session.Recorded() > next
	t.update(call, func(c *TraceCall) {
		if !recorded {
			delete(t.byIndex, next)
			c.Index = -1
			if err == nil { // of the runtime's own tools
				c.Started = c.Made
			}
		}
		if err != nil {
			c.Ended, c.Message = t.now(), t.clip(err.Error())
			if recorded {
				c.Status = tool.NotStarted
			}
		}
	})
	return err
}

// ended records what the program is to be told.
func (t *tracer) ended(c *TraceCall, v data.Value, err error) {
	if c.Ended < 0 { // the hook of its end came before the next call could start
		c.Ended = t.now()
	}
	switch {
	case err == nil:
		c.Status, c.Output = tool.Completed, t.clip(preview(v))
	case c.Status == "" && scope.CauseOf(err).HasInterruptsOnly():
		c.Status = tool.Interrupted
		if c.Started < 0 {
			c.Status = tool.NotStarted
		}
	case c.Status == "":
		c.Status, c.Message = tool.Failed, t.clip(err.Error())
	}
}

// hand fills the Trace that the caller has given. complete says that the program has ended, so that its record may be read.
func (t *tracer) hand(complete bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sealed = true
	out := t.out
	out.Incomplete = !complete
	last := time.Duration(0)
	for _, c := range t.calls {
		out.Calls = append(out.Calls, *c)
		last = max(last, c.Ended)
	}
	if !complete {
		out.Duration = t.now()
		return
	}
	g := &t.guest
	out.Duration = max(g.End, last)
	out.Fibers, out.Awaits, out.Logs, out.Lines, out.Dropped = g.Fibers, g.Awaits, g.Logs, g.Lines, g.Dropped
	for i, c := range g.Calls {
		if i < len(out.Calls) {
			out.Calls[i].At, out.Calls[i].Fiber = c.At, c.Fiber
		}
	}
}

// maxPreviewDepth bounds how deep a value is shown; tools cannot be given or return deeper ones.
const maxPreviewDepth = 64

// preview is the JSON text of a value, without what is certainly cut.
func preview(v data.Value) string {
	if v == nil {
		return ""
	}
	return string(appendPreview(nil, v, 0))
}

func appendPreview(dst []byte, v data.Value, depth int) []byte {
	if len(dst) > maxTraceText || depth > maxPreviewDepth {
		return append(dst, "…"...)
	}
	switch x := v.(type) {
	case data.String:
		if len(x) > maxTraceText {
			x = data.String(strings.ToValidUTF8(string(x[:maxTraceText]), "")) + "…"
		}
		return data.AppendJSON(dst, x)
	case data.Array:
		dst = append(dst, '[')
		for i, item := range x.All() {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst = appendPreview(dst, item, depth+1); len(dst) > maxTraceText {
				break
			}
		}
		return append(dst, ']')
	case *data.Object:
		dst = append(dst, '{')
		first := true
		for name, item := range x.All() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(data.AppendJSON(dst, data.String(name)), ':')
			if dst = appendPreview(dst, item, depth+1); len(dst) > maxTraceText {
				break
			}
		}
		return append(dst, '}')
	}
	return data.AppendJSON(dst, v)
}

package interpreter

// This file defines Run: one execution of a program.

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter/internal/boundary"
	"github.com/codemode-go/codemode/interpreter/internal/builtin"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// RunOptions configure one execution. Host is required.
type RunOptions struct {
	Host Host
	// Input is the program's global `input`; nil reads as undefined.
	Input data.Value
	// Now is the clock; nil is the system's.
	Now func() time.Time
	// Random gives numbers in [0, 1); nil is a generator seeded from the system.
	Random func() float64
	// OnLog is told each console line as it is written, on the running goroutine. May be nil.
	OnLog func(Log)
	// MaxMemory is the budget for guest data in bytes; 0 is none.
	MaxMemory int64
	// Held tells the bytes that the host keeps for the program (its ledger), which count against MaxMemory. May be nil.
	Held func() int64
	// Interrupt: when the body has returned, work still pending is left to the caller to interrupt instead of being
	// drained.
	Interrupt bool
	// Idle is told when the guest begins (true) and ends (false) waiting for the host. May be nil.
	Idle func(idle bool)
	// Trace is filled with what the program did when Run returns or panics. Fibers, Awaits and Lines need a program that
	// was compiled with tracing. Nil records nothing.
	Trace *Trace
}

// Log is one console line.
type Log struct {
	Level string `json:"level"` // log, info, warn, error, debug
	Text  string `json:"text"`
}

// Outcome is how an execution ended. With neither Ended nor Failure the program succeeded.
type Outcome struct {
	// Value is the result after the boundary copy; also set beside a Failure that came after the body had returned.
	Value data.Value
	// Failure is why the program failed.
	Failure *diagnostics.Diagnostic
	// Ended is the context's cause when its end stopped the program. A Failure beside it came before.
	Ended error
	// Place is where the program was when Ended stopped it, zero if that is not known: where its body waited, or in which
	// loop, call or function it was.
	Place    diagnostics.Location
	Warnings []diagnostics.Diagnostic
	// Logs are the console lines. With MaxMemory they take a quarter of it at most, and a line has 2^28 bytes at most;
	// LogsDropped counts those that found no room.
	Logs        []Log
	LogsDropped int
}

// execution is the state of one run that is not the realm's.
type execution struct {
	ctx     context.Context
	done    <-chan struct{}
	p       *Program
	o       RunOptions
	r       *value.Realm
	out     *Outcome
	inbox   inbox
	pending int  // calls whose Done has not been delivered
	closed  bool // the ending is decided: no call may start
	stalled bool
	tools   *value.Object
	kept    int                       // references that are kept for reading them again
	calls   map[*pendingCall]struct{} // outstanding
	logged  int64                     // bytes of console lines
	trace   *recorder                 // nil unless traced
}

// inbox takes host completions from any goroutine.
type inbox struct {
	mu    sync.Mutex
	items []completion
	wake  chan struct{}
}

type completion struct {
	call *pendingCall
	v    data.Value
	err  error
}

// library is the library of all programs; a test puts another one in its place.
var library = builtin.Library

// Run executes the program on the calling goroutine until it has ended and everything it started has settled, or ctx
// ends. A panic is a defect of ours and passes through; all coroutines are stopped in any case.
func (p *Program) Run(ctx context.Context, o RunOptions) *Outcome {
	ex := &execution{ctx: ctx, done: ctx.Done(), p: p, o: o, out: &Outcome{Value: data.Null{}}}
	ex.inbox.wake = make(chan struct{}, 1)
	ex.r = value.NewRealm(value.Config{
		Library: library(), Checkpoint: ex.alive, WaitTurn: ex.waitTurn,
		GetSites: p.unit.GetSites, SetSites: p.unit.SetSites, AnySites: p.unit.AnySites, Env: ex.environment(),
	})
	ex.r.Agent, ex.r.Suggest, ex.r.Machine.Place = ex, builtin.Suggest, ex.place
	if o.MaxMemory > 0 {
		ex.r.LimitMemory(o.MaxMemory, ex.held)
	}
	defer ex.r.Close()
	if ex.startTrace(); ex.trace != nil {
		defer ex.trace.finish() // before Close unwinds what is suspended
	}
	ex.run()
	if ex.r.Terminated && !ex.stalled {
		ex.out.Value = data.Null{}
		if ex.r.OutOfMemory() {
			ex.out.Failure = outOfMemory(o.MaxMemory)
			ex.out.Failure.Location = p.text.Locate(ex.r.EndPos())
		} else {
			ex.out.Ended, ex.out.Place = context.Cause(ctx), p.text.Locate(ex.r.EndPos())
		}
	}
	return ex.out
}

func outOfMemory(budget int64) *diagnostics.Diagnostic {
	return &diagnostics.Diagnostic{
		Kind: diagnostics.MemoryLimitExceeded, Origin: diagnostics.OriginRuntime,
		Message: fmt.Sprintf("the program held more data than the %d bytes it may; keep less at a time: filter and map page by page, and keep only the fields that are needed", budget),
	}
}

// held shows what this execution keeps for the program outside the realm.
func (ex *execution) held(visit func(value.Value)) int64 {
	n := ex.logged
	if ex.o.Held != nil {
		n += ex.o.Held()
	}
	for c := range ex.calls {
		n += 160
		visit(ex.r.PromiseObject(c.promise))
	}
	ex.inbox.mu.Lock()
	defer ex.inbox.mu.Unlock()
	for _, c := range ex.inbox.items {
		n += boundary.Size(c.v)
	}
	return n
}

func (ex *execution) environment() value.Environment {
	now := ex.o.Now
	if now == nil {
		now = time.Now
	}
	return value.Environment{
		NowMillis: func() float64 { return float64(now().UnixMilli()) },
		Random:    ex.o.Random,
		Log:       ex.log, LogRoom: ex.logRoom, LogTooLong: func() { ex.out.LogsDropped++ },
		Tools: ex.toolsRoot,
		Input: ex.input,
		Alias: ex.alias,

		Meaning: ex.meaning,
	}
}

// lineBytes is what a console line takes beside its text.
const lineBytes = 32

// logRoom is the length of the longest line that the log still takes; negative if it takes none.
func (ex *execution) logRoom() int {
	if ex.o.MaxMemory == 0 {
		return value.MaxStringLength
	}
	return int(min(ex.o.MaxMemory/4-ex.logged-lineBytes, value.MaxStringLength))
}

func (ex *execution) log(level, text string) {
	if len(text) > ex.logRoom() {
		ex.out.LogsDropped++ // a log never fails a program
		return
	}
	l := Log{level, text}
	ex.out.Logs = append(ex.out.Logs, l)
	ex.logged += int64(lineBytes + len(text))
	ex.r.Charge(lineBytes + len(text))
	if ex.trace != nil {
		ex.trace.log(l)
	}
	if ex.o.OnLog != nil {
		ex.o.OnLog(l)
	}
}

// alive is the slow checkpoint.
func (ex *execution) alive() bool { return ex.ctx.Err() == nil }

func (ex *execution) input() value.Value {
	if ex.o.Input == nil {
		return value.Undefined
	}
	return boundary.In(ex.r, ex.o.Input)
}

// run evaluates the body, drains, and decides the outcome.
func (ex *execution) run() {
	r := ex.r
	if !ex.alive() {
		r.Terminate()
		return
	}
	fn := r.NewFunction(ex.p.unit.Main, nil)
	v := r.Enter(fn, value.Undefined, 0, 0)
	if !v.IsThrow() && v.IsObject() {
		r.AwaitPos = r.ResultPos
		v = r.Await(v) // an async function's result adopts a promise
	}
	if ex.ended() {
		return
	}
	threw := v.IsThrow()
	if threw {
		v = r.Exception()
		ex.fail(ex.uncaught(v, r.ThrowPos))
	}
	r.Root(v)
	if ex.o.Interrupt {
		ex.closed = true
	} else if !r.Drain() {
		ex.ended()
		return
	}
	ex.closed = true
	ex.unhandled()
	ex.promiseUses()
	if !threw && !ex.p.options.DiscardValue {
		ex.result(v)
	}
}

// promiseUses warns of promises, and of texts that tools answered with, that were used as if they were what is in them: the
// program went on with undefined.
func (ex *execution) promiseUses() {
	for _, u := range ex.r.PromiseUses {
		ex.out.Warnings = append(ex.out.Warnings, diagnostics.Diagnostic{
			Kind: diagnostics.InvalidDataValue, Origin: diagnostics.OriginProgram, Location: ex.p.text.Locate(u.Pos),
			Message: u.What + "; " + cmp.Or(u.Mend, "await the Promise first"),
		})
	}
	for _, u := range ex.r.TextUses {
		remark := u.Remark(ex.out.Failure != nil)
		if remark == "" {
			continue
		}
		ex.out.Warnings = append(ex.out.Warnings, diagnostics.Diagnostic{
			Kind: diagnostics.InvalidDataValue, Origin: diagnostics.OriginProgram, Location: ex.p.text.Locate(u.Pos),
			Message: remark,
		})
	}
}

// ended tells whether the execution is over early, and reports a stalled body.
func (ex *execution) ended() bool {
	if !ex.r.Terminated {
		return false
	}
	if ex.stalled {
		ex.fail(ex.stall())
		ex.unhandled()
	}
	return true
}

func (ex *execution) fail(d diagnostics.Diagnostic) {
	if ex.out.Failure == nil {
		ex.out.Failure = &d
		return
	}
	ex.out.Warnings = append(ex.out.Warnings, d)
}

func (ex *execution) stall() diagnostics.Diagnostic {
	return diagnostics.Diagnostic{
		Kind: diagnostics.ExecutionFailure, Origin: diagnostics.OriginProgram, Location: ex.p.text.Locate(ex.r.AwaitPos),
		Message: "the program awaits a promise that nothing can settle any more: no call is running and no job is left. Resolve it, or do not await it",
	}
}

// place is where the program is that rejects a promise with v: at the throw statement, if that is what threw v, or
// at the call.
func (ex *execution) place(v value.Value) int32 {
	if thrown := ex.r.Exception(); thrown != (value.Value{}) && value.SameValue(v, thrown) {
		return ex.r.ThrowPos
	}
	return ex.r.Pos
}

// maxUnhandled is how many rejections are reported one by one.
const maxUnhandled = 100

// unhandled reports rejections that nobody observed: the first fails the execution, further ones are warnings.
func (ex *execution) unhandled() {
	if ex.p.options.IgnoreUnhandled {
		return
	}
	all := ex.r.Machine.Unhandled()
	for i, p := range all {
		if i == maxUnhandled {
			ex.fail(diagnostics.Diagnostic{
				Kind: diagnostics.ExecutionFailure, Origin: diagnostics.OriginProgram,
				Message: fmt.Sprintf("and %d more unhandled rejections", len(all)-i),
			})
			return
		}
		d := ex.uncaught(p.Value(), p.Place())
		d.Message = "unhandled rejection: " + strings.TrimPrefix(d.Message, "Uncaught ")
		ex.fail(d)
	}
}

// result copies the program's value to the host side.
func (ex *execution) result(v value.Value) {
	ex.r.Pos = ex.r.ResultPos
	out := boundary.Out(ex.r, v, "result")
	if ex.r.Terminated {
		return
	}
	for _, w := range out.Warnings {
		ex.out.Warnings = append(ex.out.Warnings, diagnostics.Diagnostic{Kind: diagnostics.InvalidDataValue, Origin: diagnostics.OriginProgram, Message: w.Message, Path: w.Path})
	}
	switch {
	case out.Threw:
		ex.fail(ex.uncaught(ex.r.Exception(), ex.r.ThrowPos))
	case out.Problem != nil:
		if out.Problem.Location.IsZero() {
			out.Problem.Location = ex.p.text.Locate(ex.r.ResultPos)
		}
		ex.fail(*out.Problem)
	default:
		ex.out.Value = out.Value
	}
}

// waitTurn delivers one host completion, waiting for it if calls are outstanding; false if there is nothing to wait for
// or the execution ended.
func (ex *execution) waitTurn() bool {
	if ex.pending == 0 {
		if ex.r.Main.Awaiting() {
			ex.stalled = true
		}
		return false
	}
	c, ok := ex.inbox.take()
	if !ok {
		if ex.o.Idle != nil {
			ex.o.Idle(true)
			defer ex.o.Idle(false)
		}
		if ex.trace != nil {
			ex.r.Activity.Pause()
			defer ex.r.Activity.Go()
		}
		for !ok {
			select {
			case <-ex.inbox.wake:
				c, ok = ex.inbox.take()
			case <-ex.done:
				return ex.endWaiting()
			}
		}
	}
	// What a call says that the ending interrupted is not for the program.
	if !ex.alive() {
		return ex.endWaiting()
	}
	ex.pending--
	delete(ex.calls, c.call)
	if ex.trace != nil {
		ex.trace.settled(c.call)
	}
	c.call.settle(ex, c.v, c.err)
	return true
}

// endWaiting ends the program at the await that its body is in; false for waitTurn.
func (ex *execution) endWaiting() bool {
	at := int32(-1)
	if ex.r.Main.Awaiting() {
		at = ex.r.AwaitPos
	}
	ex.r.Terminate()
	ex.r.EndedIn(at)
	return false
}

func (b *inbox) take() (completion, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.items) == 0 {
		return completion{}, false
	}
	c := b.items[0]
	b.items[0] = completion{}
	b.items = b.items[1:]
	return c, true
}

func (b *inbox) post(c completion) {
	b.mu.Lock()
	b.items = append(b.items, c)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

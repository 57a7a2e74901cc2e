package codemode

// This file defines one execution from its text to its result, and the endings.

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// Execute runs a program to its end: until it has returned and everything it started has settled, or a limit or ctx
// ends it. What the program does wrong is in Result.Error. The error is an [*Ended] when ctx interrupted the execution
// or something was defective, and the Result then has what there was. Any goroutine may call it.
func (rt *Runtime) Execute(ctx context.Context, src string) (*Result, error) {
	return rt.ExecuteWith(ctx, src, ExecOptions{})
}

// ExecuteWith is Execute with options for this execution. The Result is nil if an option is out of range; the error then
// names it.
func (rt *Runtime) ExecuteWith(ctx context.Context, src string, o ExecOptions) (*Result, error) {
	s, err := rt.settled(o)
	if err != nil {
		return nil, err
	}
	e := open(ctx, s)
	programs := rt.cache
	if o.Trace != nil {
		e.tracer = newTracer(o.Trace, e.start)
		programs = newCache(1, compileopt.Options{Traced: true})
	}
	if program := e.compile(programs, src); program != nil {
		e.run(program)
	}
	r, err := e.close(ctx)
	if e.tracer != nil {
		e.tracer.hand(e.ran())
	}
	return r, err
}

// ran tells whether the program has run and does not any more.
func (e *execution) ran() bool {
	if e.main == nil {
		return false
	}
	select {
	case <-e.main.Done():
		return true
	default:
		return false
	}
}

// Check compiles a program without running it.
func (rt *Runtime) Check(ctx context.Context, src string) (*Result, error) {
	e := open(ctx, rt.settings)
	e.compile(rt.cache, src)
	r, err := e.close(ctx)
	r.Value = nil
	return r, err
}

// Effect is Execute as an effect. A program that fails is a success of the effect, with a Result that says so.
// Interruption and defects end the effect as such, and errors.As finds the [*Ended] with the partial Result.
func (rt *Runtime) Effect(src string) fx.Effect[*Result] { return rt.EffectWith(src, ExecOptions{}) }

// EffectWith is Effect with options for this execution. It fails if an option is out of range.
func (rt *Runtime) EffectWith(src string, o ExecOptions) fx.Effect[*Result] {
	return fx.Try(func(ctx context.Context) (*Result, error) {
		r, err := rt.ExecuteWith(ctx, src, o)
		var e *Ended
		if errors.As(err, &e) {
			return nil, e.carried()
		}
		return r, err
	})
}

// execution is the state of one execution on the goroutine of its caller.
type execution struct {
	settings settings
	start    time.Time
	scope    *scope.Scope
	deadline *scope.Deadline // nil without a timeout
	session  *tool.Session
	main     *scope.Fiber
	outcome  *interpreter.Outcome // valid when main has ended without a defect
	result   *Result

	stopped *scope.Interrupt     // what ended the execution before the program had ended, or nil
	place   diagnostics.Location // where stopped found the program, if that is known
	died    *scope.Cause         // of the compiler or the main fiber, or nil

	tracer *tracer // nil unless traced

	ledgerBytes int64 // on the program's goroutine

	mu      sync.Mutex
	limit   *scope.Interrupt // by which a limit of this execution ended it, or nil
	logs    []Log
	defects []error // of the host's hooks
}

func open(ctx context.Context, s settings) *execution {
	e := &execution{settings: s, start: time.Now(), result: &Result{}}
	e.scope = scope.Open(ctx, scope.Options{Name: "execution", Grace: s.grace})
	if d := s.limits.timeout(); d > 0 {
		e.deadline = scope.NewDeadline(d, s.maxWait, e.late)
		e.deadline.Busy(1)
	}
	return e
}

// compile gets the program, or nil when that already ends the execution. Compiling cannot be interrupted but is short;
// an ending does not wait for it.
func (e *execution) compile(c *cache, src string) *interpreter.Program {
	found, hit, err := c.load(e.scope, src)
	e.result.Stats.CompileMs, e.result.Stats.Cached = millis(time.Since(e.start)), hit
	if err != nil {
		e.scope.SetGrace(1)
		if e.stopped = scope.InterruptOf(e.scope.Context()); e.stopped == nil {
			e.died = scope.CauseOf(err)
		}
		return nil
	}
	if found.failure != nil {
		e.result.Error = e.withShell(found.failure)
		return nil
	}
	e.result.OK, e.result.Value = true, data.Null{}
	e.result.Notes = append([]string(nil), found.program.Notes()...)
	e.result.Warnings = append([]Diagnostic(nil), found.program.Warnings()...)
	return found.program
}

// run runs the program on the main fiber until it has ended or is interrupted.
func (e *execution) run(p *interpreter.Program) {
	hooks := e.settings.hooks
	if e.tracer != nil {
		hooks = e.tracer.hooks(hooks)
	}
	e.session = tool.NewSession(e.scope, e.settings.catalog, tool.SessionOptions{
		Own: e.settings.own, MaxCalls: e.settings.limits.MaxToolCalls, Hooks: hooks, Deadline: e.deadline,
		OnExhausted: e.exhausted, OnDefect: e.defect, Charge: func(bytes int) { e.ledgerBytes += int64(bytes) },
	})
	options := e.runOptions()
	// The scope's context is done before those of the calls are, so no interrupted call is told to the program.
	ctx := e.scope.Context()
	e.main = e.scope.Fork("main", func(context.Context) error {
		e.outcome = p.Run(ctx, options)
		return nil
	})
	select {
	case <-e.main.Done():
	case <-ctx.Done():
	}
}

func (e *execution) runOptions() interpreter.RunOptions {
	o := interpreter.RunOptions{
		Host: host{e.session}, Input: e.settings.input, Now: e.settings.clock, Random: e.settings.random,
		OnLog: e.log, Interrupt: e.settings.pending == Interrupt,
		MaxMemory: e.settings.limits.memory(), Held: func() int64 { return e.ledgerBytes },
	}
	if e.tracer != nil {
		o.Host, o.Trace = tracedHost{host{e.session}, e.tracer}, &e.tracer.guest
	}
	if e.deadline != nil {
		o.Idle = func(idle bool) {
			if idle {
				e.deadline.Busy(-1)
			} else {
				e.deadline.Busy(1)
			}
		}
	}
	return o
}

func (e *execution) log(l interpreter.Log) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.logs = append(e.logs, Log(l))
}

func (e *execution) defect(c *scope.Cause) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.defects = append(e.defects, c)
}

// late ends an execution whose time is over.
func (e *execution) late() {
	e.limited(&scope.Interrupt{Reason: scope.Timeout, Err: &overrun{Diagnostic{
		Kind: diagnostics.TimeoutExceeded, Origin: diagnostics.OriginRuntime,
		Message: "the program was interrupted: it took longer than the " + strconv.Itoa(*e.settings.limits.TimeoutMs) +
			" ms it has; do less at once, run independent calls together, and see in the list of calls which ones ran",
	}}})
}

// exhausted ends a program that does not stop calling beyond the limit.
func (e *execution) exhausted() {
	e.limited(&scope.Interrupt{Reason: scope.Limit, Err: Diagnostic{
		Kind: diagnostics.ToolCallLimitExceeded, Origin: diagnostics.OriginRuntime,
		Message: "the program was ended: after the limit of " + strconv.Itoa(*e.settings.limits.MaxToolCalls) +
			" tool calls had refused " + strconv.Itoa(tool.MaxRefusals) + " more, it went on calling; stop at the first refusal",
	}})
}

// overrun is a timeout's diagnostic, for tools still a context.DeadlineExceeded.
type overrun struct{ diagnostic Diagnostic }

// Diagnostic implements diagnostics.Diagnosable.
func (o *overrun) Diagnostic() Diagnostic { return o.diagnostic }

// Error implements error.
func (o *overrun) Error() string { return o.diagnostic.Message }

// Unwrap makes errors.Is find context.DeadlineExceeded.
func (*overrun) Unwrap() error { return context.DeadlineExceeded }

func (e *execution) limited(i *scope.Interrupt) {
	e.mu.Lock()
	if e.limit == nil {
		e.limit = i
	}
	e.mu.Unlock()
	e.scope.InterruptWith(i)
}

// close ends the execution: no call starts any more, what runs is interrupted and awaited, and the result is made.
func (e *execution) close(ctx context.Context) (*Result, error) {
	i := e.interruption()
	if e.session != nil {
		e.session.Stop(i)
	}
	left := e.scope.Close(scope.Exit{})
	if e.session != nil {
		e.session.Finish()
	}
	if e.main != nil {
		e.conclude(i)
	}
	if e.deadline != nil {
		e.deadline.Stop()
		e.result.Stats.WaitedMs = millis(e.deadline.Waited())
	}
	e.collect()
	return e.verdict(ctx, left)
}

// interruption is what ends that which still runs, with the grace that the reason allows.
func (e *execution) interruption() *scope.Interrupt {
	i := scope.InterruptOf(e.scope.Context())
	if i == nil {
		return &scope.Interrupt{Reason: scope.ScopeClosed, By: "the end of the program"}
	}
	if i.Reason == scope.Timeout && e.main != nil {
		e.scope.SetGrace(min(e.settings.grace, max(e.settings.limits.timeout(), 250*time.Millisecond)))
	}
	return i
}

// conclude takes over how the program ended. i is the interruption, in case it never ended.
func (e *execution) conclude(i *scope.Interrupt) {
	select {
	case <-e.main.Done():
	default:
		e.failed(nil)
		e.stopped = i
		return
	}
	if exit, _ := e.main.Await(context.Background()); e.main.Refused() || !exit.OK() {
		e.failed(nil)
		if e.main.Refused() {
			e.stopped = i
		} else {
			e.died = exit.Cause
		}
		return
	}
	o := e.outcome
	if o.LogsDropped > 0 {
		e.result.Notes = append(e.result.Notes, strconv.Itoa(o.LogsDropped)+" console lines were dropped: all lines together may take a quarter of the memory limit")
	}
	e.result.Warnings = append(e.result.Warnings, o.Warnings...)
	if o.Ended != nil {
		e.failed(o.Failure)
		e.stopped, e.place = i, o.Place
		return
	}
	if o.Failure != nil {
		e.failed(o.Failure)
	}
	if _, null := o.Value.(data.Null); !null || o.Failure == nil {
		e.result.Value = o.Value
	}
}

func (e *execution) failed(d *Diagnostic) {
	e.result.OK, e.result.Value, e.result.Error = false, nil, e.withShell(d)
}

// collect adds what the host learns of every ending.
func (e *execution) collect() {
	r := e.result
	e.mu.Lock()
	r.Logs = e.logs
	e.mu.Unlock()
	if e.session != nil {
		ledger := e.session.Ledger()
		r.Calls, r.FoldedCalls = ledger.Calls, ledger.Folded
		r.Stats.ToolCalls = len(ledger.Calls)
		for _, n := range ledger.Folded {
			r.Stats.ToolCalls += n
		}
		for _, a := range e.session.Attachments() {
			r.Attachments = append(r.Attachments, Attachment(a))
		}
	}
}

// verdict makes a diagnostic of an ending by a limit, and a Go error of an interruption by the host and of defects.
func (e *execution) verdict(ctx context.Context, left *scope.Cause) (*Result, error) {
	e.mu.Lock()
	limit, causes := e.limit, e.defects
	e.mu.Unlock()
	switch {
	case e.died != nil:
		causes = append(causes, e.died)
	case left.HasDies():
		causes = append(causes, left)
	}
	switch {
	case e.stopped == nil:
	case e.stopped == limit:
		d := diagnostics.From(limit.Err)
		d.Location = e.place
		e.overLimit(d)
	default:
		causes = append(causes, e.stopped)
	}
	if budget := e.settings.limits.MaxOutputBytes; budget != nil {
		e.result.Bound(*budget)
	}
	e.result.Stats.DurationMs = millis(time.Since(e.start))
	if cause := scope.NewCause(causes...); cause != nil {
		return e.result, ended(ctx, e.result, cause)
	}
	return e.result, nil
}

// overLimit makes d the failure, or a warning of a program that had failed before.
func (e *execution) overLimit(d Diagnostic) {
	if e.result.Error != nil {
		e.result.Warnings = append(e.result.Warnings, d)
		return
	}
	e.failed(&d)
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

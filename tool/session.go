// This file defines sessions: the calls of one execution.

package tool

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
)

// MaxConcurrent is how many calls of one execution run at a time.
const MaxConcurrent = 8

// MaxRefusals is how many calls beyond the limit are refused catchably before
// the execution ends.
const MaxRefusals = 1000

// Call is one call by a program. Its functions belong to the program's
// goroutine, but for Done.
type Call struct {
	Path []string
	Argc int
	// Args copies the arguments across the boundary.
	Args func() ([]data.Value, error)
	// At is the place of the call.
	At func() diagnostics.Location
	// Done is given the outcome, once, from any goroutine, unless Invoke returned
	// an error.
	Done func(data.Value, error)
}

// CallStart is what a host's hook learns when a call starts to run.
type CallStart struct {
	Index int    // in the order of calls, from 0
	Path  string // as an expression
	Input data.Value
}

// CallEnd is what a host's hook learns when a call has ended.
type CallEnd struct {
	Index    int
	Path     string
	Input    data.Value
	Duration time.Duration
	Outcome  Status
	Value    data.Value // what the program gets, nil unless the call completed
	Message  string     // what the program was told, "" on success
	// Cause is the whole failure, with defects and internals, nil on success.
	Cause *scope.Cause
}

// Hooks observe calls. They run on the call's fiber, concurrently for different
// calls; for one call the start comes before the end, and each start has
// exactly one end. A panic of a hook is a defect of the host.
type Hooks struct {
	OnToolCallStart func(CallStart)
	OnToolCallEnd   func(CallEnd)
}

// SessionOptions configure a session. All are optional.
type SessionOptions struct {
	// MaxCalls bounds the calls; nil is no bound, zero allows none.
	MaxCalls *int
	Hooks    Hooks
	// Deadline is told who is busy and who waits for a person.
	Deadline *scope.Deadline
	// OnExhausted is called when the program does not stop calling beyond the
	// limit; the execution must then end.
	OnExhausted func()
	// OnDefect is given the defects of hooks.
	OnDefect func(*scope.Cause)
	// Own are tools of the runtime itself. Their calls are validated, on the
	// clock and interrupted like others, but take no permit, are not counted, not
	// in the ledger and not shown to hooks. Nil is none.
	Own *Catalog
	// Charge accounts bytes that the ledger keeps. It is called on the program's
	// goroutine.
	Charge func(bytes int)
}

// Session admits, runs and records the calls of one execution. Invoke, Lookup
// and Keys belong to the program's goroutine; the other methods may be called
// from any.
type Session struct {
	scope   *scope.Scope
	catalog *Catalog
	options SessionOptions
	permits *scope.Semaphore
	spaces  map[*entry]*scope.Semaphore // of namespaces with a bound of their own
	misses  map[string]*CallError

	mu          sync.Mutex
	ledger      ledger
	live        map[*call]struct{}
	admitted    int
	refused     int
	stopped     *scope.Interrupt
	attachments []attached
}

// NewSession makes a session whose calls run as fibers of s.
func NewSession(s *scope.Scope, catalog *Catalog, options SessionOptions) *Session {
	return &Session{scope: s, catalog: catalog, options: options, permits: scope.NewSemaphore(MaxConcurrent), live: map[*call]struct{}{}}
}

// Lookup says what is at a path. See [Catalog.Lookup].
func (s *Session) Lookup(path []string) (isTool, isNamespace bool) {
	e, _ := s.find(path)
	return e != nil && e.tool != nil, e != nil && e.namespace
}

// Keys are the names below a path. See [Catalog.Keys]. The runtime's own tools
// are not among those of the root.
func (s *Session) Keys(path []string) ([]string, bool) {
	if e, own := s.find(path); own {
		return slices.Clone(e.names), true
	}
	return s.catalog.Keys(path)
}

// Meaning is what an undeclared name may mean. See [Catalog.Meaning].
func (s *Session) Meaning(name string) []string { return s.catalog.Meaning(name) }

// maxMisses bounds the unknown paths whose message is kept for the next time.
const maxMisses = 64

// Miss is the error for an unknown path. See [Catalog.Miss].
func (s *Session) Miss(path []string) *CallError {
	path = shortened(path)
	key := strings.Join(path, ".")
	if e := s.misses[key]; e != nil {
		return e
	}
	e := s.miss(path)
	if s.misses == nil {
		s.misses = map[string]*CallError{}
	}
	if len(s.misses) < maxMisses {
		s.misses[key] = e
	}
	return e
}

// maxSegment is how much of a name that is no tool's is kept and told.
const maxSegment = 256

// shortened is a path for messages, however long its names are.
func shortened(path []string) []string {
	if !slices.ContainsFunc(path, func(name string) bool { return len(name) > maxSegment }) {
		return path
	}
	short := slices.Clone(path)
	for i, name := range short {
		short[i] = strings.Clone(clip(name, maxSegment))
	}
	return short
}

func (s *Session) miss(path []string) *CallError {
	if own := s.options.Own; own != nil && len(path) > 1 && own.find(path[:1]) != nil {
		return own.Miss(path)
	}
	return s.catalog.Miss(path)
}

// Invoke admits a call. An error, which is [diagnostics.Diagnosable], refuses
// it at once; otherwise it runs on a fiber when its turn has come, at most
// MaxConcurrent at a time in the order of Invoke, and Done is called once.
func (s *Session) Invoke(c Call) error {
	e, own := s.find(c.Path)
	if e == nil || e.tool == nil {
		return located(s.Miss(c.Path), c)
	}
	input, err := argument(e, c)
	if err != nil {
		return err
	}
	run, hint, failed := e.tool.admit(input)
	if failed != nil {
		message := e.expression + " was not called: " + failed.Error() + "\nsignature: " + e.usage()
		return located(callError(diagnostics.InvalidToolInput, diagnostics.OriginTool, e.expression, message), c)
	}
	if own {
		return s.serveOwn(e, c, run, hint)
	}
	call, err := s.enter(e, c, input)
	if err != nil {
		return err
	}
	call.run, call.hint = run, hint
	s.queue(call)
	return nil
}

// find looks among the runtime's own tools first.
func (s *Session) find(path []string) (e *entry, own bool) {
	if s.options.Own != nil && len(path) > 0 {
		if e := s.options.Own.find(path); e != nil {
			return e, true
		}
	}
	return s.catalog.find(path), false
}

// serveOwn starts a call of the runtime's own tool at once.
func (s *Session) serveOwn(e *entry, c Call, run runner, hint error) error {
	made := &call{session: s, entry: e, record: &Record{Path: e.expression}, done: c.Done, run: run, hint: hint, own: true}
	s.mu.Lock()
	if s.stopped != nil {
		s.mu.Unlock()
		return s.stopped
	}
	s.live[made] = struct{}{}
	s.mu.Unlock()
	made.serve(nil)
	return nil
}

func located(e *CallError, c Call) error {
	if c.At == nil {
		return e
	}
	d := e.diagnostic
	d.Location = c.At()
	return &CallError{d}
}

// argument checks the number of arguments and copies the one.
func argument(e *entry, c Call) (data.Value, error) {
	switch c.Argc {
	case 0:
		return data.NewObject(nil), nil
	case 1:
		args, err := c.Args()
		if err != nil {
			return nil, err
		}
		return args[0], nil
	}
	return nil, located(positional(e, c.Argc), c)
}

// positional tells a call with several arguments how to pass them.
func positional(e *entry, argc int) *CallError {
	path := e.expression
	names := e.tool.input.Properties()
	form := "one argument"
	if len(names) > 0 {
		form = "one object, " + path + "({ " + strings.Join(names[:min(len(names), 6)], ", ") + " })"
	}
	message := path + " was not called: got " + strconv.Itoa(argc) + " arguments, want " + form
	if argc == 3 {
		message += "; if it was passed to map or forEach, write (x) => " + path + "(x) instead"
	}
	message += "\nsignature: " + e.usage()
	return callError(diagnostics.InvalidToolInput, diagnostics.OriginProgram, path, message)
}

// admit validates and decodes an input. hint is what did not fit if that is no
// reason to refuse.
func (t *Tool) admit(input data.Value) (run runner, hint, failed error) {
	if t.validation != Off {
		failed = t.input.Validate("input", input)
		if invalid, ok := failed.(interface {
			Suggest(func(string, []string) (string, bool))
		}); ok {
			invalid.Suggest(diagnostics.Nearest)
		}
	}
	if failed != nil && t.validation == Hint {
		hint, failed = failed, nil
	}
	if failed != nil {
		return nil, nil, failed
	}
	run, failed = t.prepare(input)
	return run, hint, failed
}

// enter counts the call and opens its ledger entry, or refuses it.
func (s *Session) enter(e *entry, c Call, input data.Value) (*call, error) {
	made, record, err := s.record(e, c, input)
	if err != nil {
		return nil, err
	}
	if s.options.Charge != nil {
		s.options.Charge(record.size())
	}
	if made == nil {
		return nil, s.refuse(record.Path, c)
	}
	return made, nil
}

// record opens the ledger entry. The call is nil if it is beyond the limit.
func (s *Session) record(e *entry, c Call, input data.Value) (*call, *Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped != nil {
		return nil, nil, s.stopped
	}
	record := s.ledger.open(e.expression, input)
	if limit := s.options.MaxCalls; limit != nil && s.admitted >= *limit {
		s.refused++
		record.Message = limitMessage(e.expression, *limit)
		return nil, record, nil
	}
	s.admitted++
	made := &call{session: s, entry: e, record: record, input: input, done: c.Done}
	s.live[made] = struct{}{}
	return made, record, nil
}

func limitMessage(path string, limit int) string {
	return path + " was not called: the limit of " + strconv.Itoa(limit) + " tool calls for one execution is used up"
}

func (s *Session) refuse(path string, c Call) error {
	if s.refused > MaxRefusals && s.options.OnExhausted != nil {
		s.options.OnExhausted()
	}
	message := limitMessage(path, *s.options.MaxCalls) + "; return what there is, or make fewer calls"
	return located(callError(diagnostics.ToolCallLimitExceeded, diagnostics.OriginRuntime, path, message), c)
}

// queue takes the call's tickets: of its namespace, if that has a bound, and
// then of the execution.
func (s *Session) queue(c *call) {
	space := s.space(c.entry)
	if space == nil {
		s.permits.Ticket(c.serve)
		return
	}
	space.Ticket(func(t *scope.Ticket) {
		c.space = t
		s.permits.Ticket(c.serve)
	})
}

func (s *Session) space(e *entry) *scope.Semaphore {
	bounded := s.catalog.bounded(e)
	if bounded == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spaces == nil {
		s.spaces = map[*entry]*scope.Semaphore{}
	}
	if s.spaces[bounded] == nil {
		s.spaces[bounded] = scope.NewSemaphore(bounded.concurrency)
	}
	return s.spaces[bounded]
}

// Outstanding is the number of calls whose Done has not been called.
func (s *Session) Outstanding() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.live)
}

// Recorded is how many calls the ledger has had so far, which is the Index of
// the next. It belongs to the program's goroutine.
func (s *Session) Recorded() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ledger.next
}

// Held is the number of permits that calls hold, those of namespaces included.
func (s *Session) Held() int {
	n := s.permits.Held()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, space := range s.spaces {
		n += space.Held()
	}
	return n
}

// Stop says that the ending of the execution is decided: no call starts any
// more, new ones and those in the queue are refused with i. It must come before
// the scope is closed.
func (s *Session) Stop(i *scope.Interrupt) {
	s.mu.Lock()
	if s.stopped != nil {
		s.mu.Unlock()
		return
	}
	s.stopped = i
	var queued []*call
	for c := range s.live {
		if c.state == queuedCall {
			c.state = overCall
			delete(s.live, c)
			queued = append(queued, c)
		}
	}
	s.mu.Unlock()
	for _, c := range queued {
		c.done(nil, i)
	}
}

// Finish gives up on the calls that still run after the scope has closed: they
// are recorded as abandoned and their late results dropped.
func (s *Session) Finish() {
	s.mu.Lock()
	var running []*call
	for c := range s.live {
		running = append(running, c)
	}
	s.mu.Unlock()
	for _, c := range running {
		c.abandon()
	}
}

// Ledger is a copy of the record of all calls so far.
func (s *Session) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ledger.copy()
}

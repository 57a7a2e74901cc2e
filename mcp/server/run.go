package server

// This file defines runs: one program or direct call under way, from the request that began it to its result.

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
)

// run is one program or direct call. It outlives the request that began it if it has to ask a client of the newer era,
// which then comes back with another request.
type run struct {
	server  *Server
	id      string // unguessable; of the call in hooks and the audit log
	name    string // of the tool
	owner   *session
	caller  [sha256.Size]byte // see callerOf
	binding [sha256.Size]byte
	client  client
	input   data.Value
	started time.Time
	fiber   *scope.Fiber
	done    chan struct{} // closed when output and err are there
	output  *registry.Output
	err     error
	changed chan struct{} // a question has come; capacity 1
	memory  int64         // its budget, 0 for no limit; of programs only
	less    bool          // the budget is less than a program usually has
	refused string        // why it did not start, for the reader of its result

	mu        sync.Mutex
	over      bool
	exchange  *exchange   // the request that waits, nil while there is none
	questions []*question // that have no answer
	asked     int         // questions so far
	told      int         // reports of progress so far
	why       string      // why it was ended, for the reader of its result
	notes     []string
}

// runKey is where the context of a call has its run.
type runKey struct{}

// runOf is the run that a context belongs to, or nil.
func (s *Server) runOf(ctx context.Context) *run {
	if r, ok := ctx.Value(runKey{}).(*run); ok && r.server == s {
		return r
	}
	return nil
}

// end is called once when the run has ended.
func (r *run) end() {
	s := r.server
	s.mu.Lock()
	delete(s.runs, r)
	s.recent.note(r.clientKey(), time.Now())
	s.mu.Unlock()
	r.mu.Lock()
	r.over = true
	left := r.questions
	r.questions = nil
	r.mu.Unlock()
	for _, q := range left {
		q.reply(nil, unasked("the program has ended"))
	}
	s.audit.run(r)
	close(r.done)
}

// interrupt ends a run early.
func (r *run) interrupt(by string) {
	r.fiber.InterruptWith(&scope.Interrupt{Reason: scope.Host, By: by})
}

// endFor is interrupt with a reason that is told to the reader of the result.
func (r *run) endFor(reason, by string) {
	r.mu.Lock()
	if !r.over && r.why == "" {
		r.why = reason
	}
	r.mu.Unlock()
	r.interrupt(by)
}

// endedFor is the reason if the run was ended by that.
func (r *run) endedFor() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status() != "interrupted" {
		return ""
	}
	return r.why
}

// status is how a run has ended, in a word.
func (r *run) status() string {
	switch {
	case r.output == nil:
		return "not started"
	case r.err != nil && scope.CauseOf(r.err).HasInterrupts():
		return "interrupted"
	case r.output.IsError:
		return "failed"
	}
	return "completed"
}

// remark adds a note for the reader of the result, once.
func (r *run) remark(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noteLocked(text)
}

// noteLocked is remark for those who hold the lock.
func (r *run) noteLocked(text string) {
	if !slices.Contains(r.notes, text) && len(r.notes) < maxRemarks {
		r.notes = append(r.notes, text)
	}
}

// maxRemarks bounds the notes of one run.
const maxRemarks = 10

func (r *run) remarks() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.notes
}

// attach has a request wait for the run. Questions that it does not answer are asked again.
func (r *run) attach(x *exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exchange = x
	if len(r.questions) > 0 {
		r.wake()
	}
}

func (r *run) detach(x *exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.exchange == x {
		r.exchange = nil
	}
}

// wake has await look at the questions.
func (r *run) wake() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// current is the request that waits, nil while the program is parked.
func (r *run) current() *exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exchange
}

// observe has a step tell the run of its calls, beside those that the host has it tell.
func (r *run) observe(step *registry.Step) {
	status, after := step.OnStatus, step.After
	step.OnStatus = func(c registry.CallStatus) {
		r.progress(c.Entry.Expression + " " + string(c.Status))
		if status != nil {
			status(c)
		}
	}
	if after == nil && r.server.audit == nil {
		return
	}
	step.After = func(ctx context.Context, c registry.Call, o registry.Outcome) {
		r.server.audit.call(r, c, o)
		if after != nil {
			after(ctx, c, o)
		}
	}
}

// Report tells the client whose program ctx belongs to how a call goes on, if it asked for that: a line such as
// "tools.mail.send 3 of 10". A client may wait longer for what reports. ctx is that of a call, such as a tool is given.
func (s *Server) Report(ctx context.Context, text string) {
	if r := s.runOf(ctx); r != nil {
		r.progress(text)
	}
}

// progress tells the client that something has happened.
func (r *run) progress(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told++
	if r.exchange != nil && !r.over {
		r.exchange.report.tell(r.told, text)
	}
}

// exchange is one request that waits for a run.
type exchange struct {
	ctx     context.Context
	session *mcp.ServerSession
	token   any // for progress, or nil
	report  *reporter
}

// newExchange is that of a request; release is to be called when it has been answered.
func newExchange(ctx context.Context, request *mcp.CallToolRequest) (x *exchange, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	release = func() { cancel(nil) }
	if carrier, ok := ctx.Value(carrierKey{}).(context.Context); ok {
		stop := context.AfterFunc(carrier, func() { cancel(context.Cause(carrier)) })
		release = func() { stop(); cancel(nil) }
	}
	return &exchange{ctx: ctx, session: request.Session, token: request.Params.GetProgressToken()}, release
}

// carrierKey is where the context of a request has that of the HTTP request which is all there is between client and
// server: when it ends nobody is there any more.
type carrierKey struct{}

// client is what a client says of itself with each request.
type client struct {
	name      string
	modern    bool // of the era in which the client comes back with answers
	form, url bool // the questions it can put to its user
}

// modernEra is the first version of the protocol in which a server cannot send requests of its own.
const modernEra = "2026-07-28"

func clientOf(request *mcp.CallToolRequest) client {
	c := client{modern: request.ProtocolVersion() >= modernEra}
	if info := request.ClientInfo(); info != nil {
		c.name = info.Name + "/" + info.Version
	}
	if can := request.ClientCapabilities(); can != nil && can.Elicitation != nil {
		c.url = can.Elicitation.URL != nil
		c.form = can.Elicitation.Form != nil || !c.url // neither is what clients say that know one kind only
	}
	return c
}

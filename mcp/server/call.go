package server

// This file defines how a request of a client becomes a run, and waits for it.

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
)

// serve handles a call of any tool. What the caller did wrong is a result; the error is for what the protocol calls one.
func (s *Server) serve(ctx context.Context, request *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	// The SDK leaves a panic to end the process.
	if died := scope.Protect(func() error {
		result, err = s.dispatch(ctx, request)
		return nil
	}); died != nil {
		s.options.Log.Error("a call died", "tool", request.Params.Name, "cause", scope.CauseOf(died).Pretty())
		return refused("codemode has a defect and could not answer this; its log has the details"), nil
	}
	return result, err
}

func (s *Server) dispatch(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	input, err := inputOf(request)
	if err != nil {
		return refused(request.Params.Name + " was not called: its arguments are not JSON: " + err.Error()), nil
	}
	owner := s.sessionOf(request)
	switch search, more := s.ownName(request.Params.Name); {
	case search:
		return s.search(input), nil
	case more:
		return s.more(holder{owner, callerOf(request)}, input), nil
	}
	x, release := newExchange(ctx, request)
	defer release()
	x.report = s.reporter(x)
	defer x.report.close()
	var r *run
	var problem string
	if state := request.Params.RequestState; state != "" {
		r, problem = s.resume(state, owner, request, x)
	} else {
		r, problem = s.start(owner, request, input, x)
	}
	if r == nil {
		return refused(problem), nil
	}
	return s.await(r, x)
}

func inputOf(request *mcp.CallToolRequest) (data.Value, error) {
	if len(request.Params.Arguments) == 0 {
		return data.NewObject(nil), nil
	}
	v, err := data.Parse(request.Params.Arguments)
	if _, null := v.(data.Null); null {
		return data.NewObject(nil), nil
	}
	return v, err
}

// bindingOf is what the retry of a call has in common with the call.
func bindingOf(request *mcp.CallToolRequest) [sha256.Size]byte {
	who := callerOf(request)
	return sha256.Sum256([]byte(string(who[:]) + request.Params.Name + "\x00" + string(request.Params.Arguments)))
}

// callerOf is what a request tells of who sends it, beside its session: the token that it comes with and the name that the client
// gives itself. Of a client without a session there is nothing else.
func callerOf(request *mcp.CallToolRequest) [sha256.Size]byte {
	token, name := "", ""
	if request.Extra != nil {
		token = request.Extra.Header.Get("Authorization")
	}
	if info := request.ClientInfo(); info != nil {
		name = info.Name
	}
	return sha256.Sum256([]byte(token + "\x00" + name))
}

// start begins a run that x waits for, or says why not.
func (s *Server) start(owner *session, request *mcp.CallToolRequest, input data.Value, x *exchange) (r *run, problem string) {
	r = &run{
		server: s, id: rand.Text()[:12], name: request.Params.Name, owner: owner, caller: callerOf(request), binding: bindingOf(request), input: input,
		client: clientOf(request), done: make(chan struct{}), changed: make(chan struct{}, 1), started: time.Now(),
		exchange: x,
	}
	problem = s.admit(r, func(ctx context.Context) error {
		defer r.end()
		r.run(context.WithValue(ctx, runKey{}, r))
		return nil
	})
	if problem != "" {
		return nil, problem
	}
	if r.fiber.Refused() {
		r.end()
	}
	return r, ""
}

// run runs the program or call with the tools that there are now.
func (r *run) run(ctx context.Context) {
	s := r.server
	if s.isProgram(r.name) {
		limit := s.programMemory()
		granted, ok := s.memory.take(ctx, limit)
		switch {
		case ctx.Err() != nil:
			return
		case !ok:
			r.refused = "nothing was run: the programs under way have all of the memory for programs; try again when one has ended"
			return
		}
		defer s.memory.give(granted)
		r.memory, r.less = granted, granted < limit
	}
	snapshot, err := s.snapshot(r)
	if err != nil {
		s.options.Log.Error("the tools could not be listed", "error", err)
		r.refused = "the tools are not there; the log of codemode has the reason"
		return
	}
	r.output, r.err = snapshot.Call(ctx, r.id, r.name, r.input)
}

// programMemory is the memory limit of a program, 0 for none.
func (s *Server) programMemory() int64 {
	limit := s.options.Step.Limits.MaxMemoryBytes
	if limit == nil {
		limit = s.registry.Limits().MaxMemoryBytes
	}
	if limit == nil {
		return 0
	}
	return int64(*limit)
}

// admit counts a run in and starts it, or says why not.
func (s *Server) admit(r *run, f func(context.Context) error) (problem string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing || r.owner != nil && r.owner.over:
		return "nothing was run: codemode is about to end"
	case len(s.runs) >= s.options.MaxPrograms:
		return "nothing was run: too many programs are under way; try again when one has ended"
	case r.owner != nil && 4*len(s.runs) >= 3*s.options.MaxPrograms && s.runsOf(r.owner) >= s.options.MaxSessionPrograms:
		return fmt.Sprintf("nothing was run: %d programs of this client are under way, its share while others run many; try again when one has ended", s.runsOf(r.owner))
	}
	s.runs[r] = struct{}{}
	s.recent.note(r.clientKey(), time.Now())
	r.fiber = s.scope.Fork(r.name+" "+r.id, f) // under the lock, for those who interrupt it
	return ""
}

// runsOf counts the runs of a session. The lock is held.
func (s *Server) runsOf(owner *session) (n int) {
	for r := range s.runs {
		if r.owner == owner {
			n++
		}
	}
	return n
}

// gatherQuestions is how long the first of several questions waits for the others, which then go out together.
const gatherQuestions = 10 * time.Millisecond

// await waits for a run on behalf of a request: for its end, or for questions that the client has to answer by another
// request.
func (s *Server) await(r *run, x *exchange) (*mcp.CallToolResult, error) {
	defer r.detach(x)
	for {
		select {
		case <-r.done:
			x.report.close() // before the result goes out
			return s.result(r), nil
		case <-x.ctx.Done():
			return nil, s.abandon(r, x)
		case <-r.changed:
		}
		if !r.asks() {
			continue
		}
		select {
		case <-r.done:
			continue
		case <-x.ctx.Done():
			continue
		case <-time.After(gatherQuestions):
		}
		if parked := s.park(r, x); parked != nil {
			return parked, nil
		}
	}
}

// abandon interrupts a run whose client has gone or does not want it any more.
func (s *Server) abandon(r *run, x *exchange) error {
	r.interrupt("the client")
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-r.done:
	case <-late.C:
	}
	return context.Cause(x.ctx)
}

// result is what came of a run that has ended.
func (s *Server) result(r *run) *mcp.CallToolResult {
	if r.refused != "" {
		return refused(r.refused)
	}
	if r.output == nil {
		return refused("nothing was run: codemode is about to end")
	}
	s.logDefects(r)
	result := s.present(r)
	if reason := r.endedFor(); reason != "" {
		result.IsError = true
		prepend(result, reason)
	}
	if failed := r.output.Result; r.less && failed != nil && failed.Error != nil && failed.Error.Kind == diagnostics.MemoryLimitExceeded {
		r.remark(fmt.Sprintf("the program had %d MiB, less than usual, as others ran; it may succeed when they have ended", r.memory>>20))
	}
	if failed := r.output.Result; failed != nil && failed.Error != nil && failed.Error.Kind == diagnostics.UnknownTool && s.options.Absent != nil {
		if why := s.options.Absent(failed.Error.Path); why != "" {
			r.remark(why)
		}
	}
	for _, note := range r.remarks() {
		appendText(result, "Note: "+note)
	}
	return result
}

// logDefects tells the log of defects, which nobody else is told of.
func (s *Server) logDefects(r *run) {
	if r.err == nil {
		return
	}
	cause := scope.CauseOf(r.err)
	if cause.HasDies() {
		s.options.Log.Error("something is defective", "tool", r.name, "run", r.id, "cause", cause.Pretty())
	}
}

func refused(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func textOf(result *mcp.CallToolResult) *mcp.TextContent {
	text, _ := result.Content[0].(*mcp.TextContent)
	return text
}

func prepend(result *mcp.CallToolResult, text string) {
	t := textOf(result)
	t.Text = text + "\n\n" + t.Text
}

func appendText(result *mcp.CallToolResult, text string) {
	t := textOf(result)
	t.Text = strings.TrimRight(t.Text, "\n") + "\n\n" + text
}

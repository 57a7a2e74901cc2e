package client

// This file defines how questions of a server reach the host.

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/scope"
)

// offerElicitation offers servers to ask a person, if the host can.
func (c *Client) offerElicitation(s *session, options *mcp.ClientOptions) {
	if c.callbacks.Elicit != nil {
		options.Capabilities.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}
		if c.callbacks.ElicitURL {
			options.Capabilities.Elicitation.URL = &mcp.URLElicitationCapabilities{}
		}
		options.ElicitationHandler = func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return c.elicit(ctx, s, r.Params)
		}
	}
}

// question is a question on its way to the host.
type question struct {
	ctx    context.Context
	params data.Value
	tool   string
	calls  int
	// guessed is set if the calls are those that happen to be under way.
	guessed bool
	during  []context.Context
	done    func()
}

// maxAsks bounds the questions of a server that are put to the host at once.
// Further ones are refused: a call that waited for its turn would wait for other
// people than its own.
const maxAsks = 256

var errAsksTooMuch = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("more than %d questions of the server are open", maxAsks)}

// asking counts the questions of a client.
type asking struct{ open atomic.Int32 }

// question finds the calls that a question belongs to and lets them wait. In the
// newest protocol the context tells the calls; before, over HTTP the stream it
// came on does, and over other transports it may be any that runs.
func (c *Client) question(ctx context.Context, s *session, meta mcp.Meta) (*question, error) {
	asked, ok := s.wire.asked(meta[askKey])
	if !ok || c.asking.open.Add(1) > maxAsks {
		if ok {
			c.asking.open.Add(-1)
		}
		return nil, c.unanswered(ctx, errAsksTooMuch)
	}
	q := &question{params: asked.params}
	var calls []*running
	if k, ok := ctx.Value(runningKey{}).(*running); ok {
		calls = []*running{k}
	} else if k := callOf(asked.request); k != nil {
		calls = []*running{k}
	} else {
		q.guessed = true
		for _, r := range s.wire.running() {
			if k := callOf(r); k != nil {
				calls = append(calls, k)
			}
		}
	}
	q.calls = len(calls)
	inner, cancel := context.WithCancelCause(ctx)
	ends := []func() bool{context.AfterFunc(s.lifetime, func() { cancel(errEnded) })}
	if len(calls) == 1 {
		q.tool = calls[0].tool
		call := calls[0].ctx
		ends = append(ends, context.AfterFunc(call, func() { cancel(context.Cause(call)) }))
		inner = &valuesContext{inner, call}
	}
	q.ctx = inner
	resumes := make([]func(), len(calls))
	for i, k := range calls {
		resumes[i] = k.wait()
		q.during = append(q.during, k.ctx)
	}
	q.done = func() {
		for _, end := range ends {
			end()
		}
		cancel(nil)
		for _, resume := range resumes {
			resume()
		}
		c.asking.open.Add(-1)
	}
	return q, nil
}

func callOf(r *request) *running {
	if r == nil || r.ctx == nil {
		return nil
	}
	k, _ := r.ctx.Value(runningKey{}).(*running)
	return k
}

// valuesContext is a context that also has the values of a call's.
type valuesContext struct {
	context.Context
	call context.Context
}

// Value implements context.Context.
func (v *valuesContext) Value(key any) any {
	if value := v.Context.Value(key); value != nil {
		return value
	}
	value := v.call.Value(key)
	if _, ok := value.(context.Context); ok { // bookkeeping of the context package
		return nil
	}
	return value
}

func (c *Client) elicit(ctx context.Context, s *session, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	q, err := c.question(ctx, s, p.Meta)
	if err != nil {
		return nil, err
	}
	defer q.done()
	e, err := elicitation(q.params, c.callbacks.ElicitURL)
	if err != nil {
		_ = c.unanswered(ctx, err)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	e.Server, e.Tool, e.Calls, e.Guessed, e.During = c.server.Name, q.tool, q.calls, q.guessed, q.during
	var a Answer
	err = scope.Protect(func() (err error) {
		a, err = c.callbacks.Elicit(q.ctx, e)
		return err
	})
	if err != nil {
		return nil, c.unanswered(ctx, err)
	}
	result := &mcp.ElicitResult{Action: string(a.Action)}
	switch a.Action {
	case Accept:
		if e.URL == "" {
			result.Content, err = e.filled(a.Content)
		}
	case Decline, Cancel:
	default:
		err = fmt.Errorf("got the action %q, want accept, decline or cancel", a.Action)
	}
	if err != nil {
		return nil, c.unanswered(ctx, err)
	}
	return result, nil
}

// unanswered records why a question has no answer, and says less to the server
// unless the reason has been made for it. In the newest protocol the call that
// asks ends with it.
func (c *Client) unanswered(ctx context.Context, err error) error {
	const plain = "the question was not answered"
	said := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: plain}
	because := ""
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		because = ": " + wire.Message
		said.Code, said.Message = wire.Code, plain+because
	}
	c.trouble("", "a question of the server was not answered: %v", reasonOf(err))
	if k, ok := ctx.Value(runningKey{}).(*running); ok {
		k.explain(k.tool + " asked a question that was not answered" + because)
	}
	return said
}

// reasonOf is an error without the code that the protocol has for it.
func reasonOf(err error) string {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return wire.Message
	}
	return err.Error()
}

// logMessage hands a log message of the protocol on.
func (c *Client) logMessage(params data.Value) {
	said := text(params, "data")
	if v := member(params, "data"); v != nil && v.Kind() != data.KindString {
		said = data.JSON(v)
	}
	if logger := text(params, "logger"); logger != "" {
		said = logger + ": " + said
	}
	c.log(LogEntry{Source: Message, Level: clip(text(params, "level"), 40), Text: clip(said, maxMessage)})
}

// aside keeps what a server wrote where only messages belong.
func (c *Client) aside(line string) {
	line = clip(line, maxTailLine)
	c.stderr.keep("(stdout) " + line)
	c.log(LogEntry{Source: Stdout, Text: line})
}

package client

// This file defines how one call runs.

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// maxRounds is how often the SDK lets a tool of the newest protocol ask for
// input in one call.
const maxRounds = 10

var (
	errTimeout = errors.New("the call took too long")
	errEnded   = errors.New("the session ended")
	errRefused = errors.New("the request was refused")
)

// running is a call that runs.
type running struct {
	*request
	client *Client
	cancel context.CancelCauseFunc
	cause  error // why the call's context was done when it ended, or nil

	mu      sync.Mutex
	timer   *time.Timer // nil without a bound
	waiting int         // how many questions to a person are open
	over    bool
}

// call calls a tool and shapes its result.
func (c *Client) call(ctx context.Context, d *definition, input data.Value) (data.Value, error) {
	arguments, err := arguments(input)
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		s, err := c.ready(ctx)
		if err != nil {
			return nil, err
		}
		k := &running{client: c}
		result, err := k.run(ctx, s, d, arguments)
		switch {
		case result != nil:
			return c.shape(ctx, d, result)
		case try == 0 && ctx.Err() == nil && k.unsent():
			// The session was over before the call went out, so that it can go out on the next one.
			c.retire(s)
			continue
		}
		return nil, k.failed(ctx, s, err)
	}
}

// run sends the call and returns the result as it came, nil if none did.
func (k *running) run(ctx context.Context, s *session, d *definition, arguments json.RawMessage) (data.Value, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	k.cancel = cancel
	k.request = &request{tool: d.name, progress: k.progressed, withdraw: func() { cancel(errRefused) }}
	k.ctx = context.WithValue(inner, runningKey{}, k)
	k.arm()
	defer k.end()
	s.wire.begin(k.request)
	defer s.wire.done(k.request)
	defer context.AfterFunc(s.lifetime, func() { cancel(errEnded) })()
	_, err := s.sdk.CallTool(k.ctx, &mcp.CallToolParams{Meta: mcp.Meta{"progressToken": k.token}, Name: d.name, Arguments: arguments})
	k.request.mu.Lock()
	defer k.request.mu.Unlock()
	k.cause = context.Cause(k.ctx)
	return k.result, err
}

// unsent reports whether the server has certainly not taken up the call.
func (k *running) unsent() bool {
	k.request.mu.Lock()
	defer k.request.mu.Unlock()
	return !k.sent && k.refusal == nil && k.trouble == "" && k.cause != errTimeout
}

// runningKey is the key of the context of a call, and what is asked during it.
type runningKey struct{}

// arguments are the input as the protocol wants it, an object.
func arguments(input data.Value) (json.RawMessage, error) {
	switch v := input.(type) {
	case nil, data.Null:
		return json.RawMessage("{}"), nil
	case *data.Object:
		return data.AppendJSON(nil, v), nil
	}
	return nil, tool.Errorf("got %s as input, want one object with the arguments", article(input.Kind()))
}

func article(k data.Kind) string {
	if k == data.KindArray {
		return "an array"
	}
	return "a " + k.String()
}

// arm starts the clock of the call.
func (k *running) arm() {
	if d := k.client.server.Timeout; d > 0 {
		k.timer = time.AfterFunc(d, func() { k.cancel(errTimeout) })
	}
}

func (k *running) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	if k.timer != nil {
		k.timer.Stop()
	}
}

// touch gives the call its whole time again, unless its clock stands.
func (k *running) touch() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.timer != nil && !k.over && k.waiting == 0 {
		k.timer.Reset(k.client.server.Timeout)
	}
}

// progressed is told that the server reports about the call.
func (k *running) progressed(params data.Value) {
	k.touch()
	f := k.client.callbacks.Progress
	if f == nil {
		return
	}
	number := func(key string) float64 {
		n, _ := member(params, key).(data.Number)
		return n.Float64()
	}
	p := Progress{Server: k.client.server.Name, Tool: k.tool, Done: number("progress"), Total: number("total"), Message: text(params, "message")}
	k.client.guard(func() { f(k.ctx, p) })
}

// wait stops the clocks, of the call and of its execution, while a person is
// asked. The function it returns lets them go on.
func (k *running) wait() (resume func()) {
	k.mu.Lock()
	k.waiting++
	if k.timer != nil {
		k.timer.Stop()
	}
	k.mu.Unlock()
	goOn := tool.Waiting(k.ctx)
	return func() {
		k.mu.Lock()
		k.waiting--
		if k.waiting == 0 && k.timer != nil && !k.over {
			k.timer.Reset(k.client.server.Timeout)
		}
		k.mu.Unlock()
		// It waits for a permit, which others may hold that need the answer first.
		k.client.scope.Fork("resume", func(context.Context) error { return goOn() })
	}
}

// failed says why a call has no result. ctx is the call's as the tool got it.
func (k *running) failed(ctx context.Context, s *session, err error) error {
	if ctx.Err() != nil {
		return scope.InterruptOf(ctx)
	}
	k.request.mu.Lock()
	refusal, trouble, rounds, sent, lost := k.refusal, k.trouble, k.rounds, k.sent, k.lost
	detail := ""
	if k.detail != nil {
		detail = ": " + k.detail.Error()
	}
	k.request.mu.Unlock()
	c := k.client
	fail := func(format string, args ...any) error {
		return &tool.Error{Message: c.says(format, args...), Err: err}
	}
	switch {
	case k.cause == errTimeout:
		c.trouble(k.tool, "no answer within %v", c.server.Timeout)
		return fail("%s has neither answered nor reported progress for %v; it was told to stop, and may have done some of its work", k.tool, c.server.Timeout)
	case trouble != "":
		c.trouble(k.tool, "%s%s", trouble, detail)
		return fail("%s", trouble)
	case refusal != nil:
		return &tool.Error{Message: refusal.text(), Err: err}
	case !sent && lost != "":
		c.trouble(k.tool, "%s, on a new session as well", lost)
		return fail("%s, on a new session as well; %s did not run", lost, k.tool)
	case rounds >= maxRounds:
		c.trouble(k.tool, "it asked for input %d times", rounds)
		return fail("%s asked for input %d times without coming to an end; it was given up, and may have done some of its work", k.tool, rounds)
	}
	select {
	case <-s.told:
	case <-time.After(patience):
	case <-ctx.Done():
	}
	select {
	case <-s.told:
		return fail("%s while %s ran, which may have done some of its work; the next call starts the server again", s.ending, k.tool)
	default:
	}
	c.trouble(k.tool, "%v", err)
	if !sent {
		return fail("%s could not be called; the host has the details", k.tool)
	}
	return fail("%s came to no result, and may have done some of its work; the host has the details", k.tool)
}

// prefix is what the SDKs put before the text of errors.
var prefix = regexp.MustCompile(`^(?:Error: )?MCP error -32[0-9]{3}: `)

func stripped(message string) string {
	return message[len(prefix.FindString(message)):]
}

// text is the refusal for the model.
func (r *refusal) text() string {
	message := stripped(clip(r.message, maxMessage))
	if message == "" {
		message = "the server refused the call without saying why"
	}
	return message + " (code " + data.IntOf(r.code).Text() + ")"
}

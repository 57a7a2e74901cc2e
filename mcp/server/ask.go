package server

// This file defines questions: how a program asks the user of the client that runs it.

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// Question is what a person is asked.
type Question struct {
	// From names who asks, such as a server behind this one; it is shown. Empty is this server.
	From    string
	Message string
	// Schema describes the object that is wanted: properties of plain types only. Nil is a form without fields, to be
	// confirmed or not.
	Schema *schema.Schema
	// URL is for the person to open, instead of a form; ID tells such a question from others.
	URL, ID string
	// Guessed is that From did not say which call it asks for: ctx does not count, and Among has the contexts of the calls that
	// it may be, such as those which are under way at that server. See client.Elicitation.
	Guessed bool
	Among   []context.Context
}

// Answer is what the person did.
type Answer struct {
	Action  Action
	Content *data.Object // with Accept; nil is an empty object
}

// Action is what a person did with a question, in the protocol's words.
type Action string

// The actions.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel" // dismissed the question
)

// ErrUnasked is wrapped by the errors of questions that no person was asked, or none could answer.
var ErrUnasked = errors.New("the question was not answered")

func unasked(why string) error { return &tool.Error{Message: why, Err: ErrUnasked} }

// Elicit asks the user of the client whose program ctx belongs to and waits for the answer, off the clock of the program.
// ctx is that of a call, as a tool is given it, or has its values; the end of ctx withdraws the question. The error wraps
// [ErrUnasked] if the client cannot be asked, or why ctx is done; a program may read its text, and the result says that there
// was a question.
//
// No client is asked what may be meant for another one. If ctx belongs to no call, the only program there is asks; if the
// question is Guessed, the only program among those calls that does not wait for its client already. Both are so only while no
// other client has run anything for some minutes, or with Options.OneUser. Requests without a session are each of another client.
//
// A client of the newer era is not sent questions. Its request is answered with them, the program stays, and goes on when
// the client comes back with the answers; see Options.ParkedFor.
func (s *Server) Elicit(ctx context.Context, q Question) (Answer, error) {
	r, err := s.asker(ctx, q)
	if err != nil {
		return Answer{}, err
	}
	resume := tool.Waiting(ctx)
	a, err := r.ask(ctx, q)
	if stopped := resume(); stopped != nil {
		return Answer{}, stopped
	}
	return a, err
}

// permit asks for permission to make a call.
func (s *Server) permit(ctx context.Context, r *run, q registry.Question) (registry.Decision, error) {
	if r == nil {
		return registry.Decision{Reason: "nobody can be asked"}, nil
	}
	message := "Allow the call " + q.Entry.Expression + "(" + clip(data.JSON(q.Input), maxAskedInput) + ")?"
	if q.Reason != "" {
		message += "\n" + q.Reason
	}
	a, err := r.ask(ctx, Question{Message: message})
	switch {
	case errors.Is(err, ErrUnasked):
		return registry.Decision{Reason: err.Error()}, nil
	case err != nil:
		return registry.Decision{}, err
	case a.Action == Accept:
		return registry.Decision{Allow: true}, nil
	case a.Action == Decline:
		return registry.Decision{Reason: "the user said no"}, nil
	}
	return registry.Decision{Reason: "the user gave no answer"}, nil
}

// maxAskedInput bounds what a question shows of an input, in characters.
const maxAskedInput = 1000

func clip(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// ask puts a question to the client in the way of its era.
func (r *run) ask(ctx context.Context, q Question) (a Answer, err error) {
	start := time.Now()
	defer func() { r.server.audit.question(r, q, a, err, time.Since(start)) }()
	if r.owner == nil && !r.client.modern {
		const why = "without a session a client of this version of the protocol cannot be asked"
		r.remark("the user could not be asked: " + why + "; serve with sessions, or take a client of " + modernEra)
		return Answer{}, unasked("the user cannot be asked: " + why)
	}
	if q.URL == "" && !r.client.form || q.URL != "" && !r.client.url {
		what := "questions to its user"
		if q.URL != "" && r.client.form {
			what = "questions with an address to open"
		}
		r.remark("the user could not be asked: this client does not support " + what + " (elicitation)")
		return Answer{}, unasked("the user cannot be asked: the client does not support " + what)
	}
	if r.client.modern {
		return r.askLater(ctx, q)
	}
	return r.askNow(ctx, q)
}

// params are those of elicitation/create.
func (q Question) params() *mcp.ElicitParams {
	p := &mcp.ElicitParams{Mode: "form", Message: q.Message}
	if q.From != "" {
		p.Message = q.From + " asks: " + q.Message
	}
	if q.URL != "" {
		p.Mode, p.URL, p.ElicitationID = "url", q.URL, q.ID
		return p
	}
	p.RequestedSchema = json.RawMessage(`{"type":"object","properties":{}}`)
	if q.Schema != nil {
		p.RequestedSchema = objectSchema(q.Schema)
	}
	return p
}

// askNow asks a client of the older era, by a request.
func (r *run) askNow(ctx context.Context, q Question) (Answer, error) {
	x := r.current()
	if x == nil {
		return Answer{}, unasked("the user cannot be asked: the client does not wait any more")
	}
	asking, stop := context.WithCancelCause(x.ctx)
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(context.Cause(ctx)) })()
	came := &reply{}
	result, err := x.session.Elicit(context.WithValue(asking, replyKey{}, came), q.params())
	var refusal *jsonrpc.Error
	switch {
	case ctx.Err() != nil:
		return Answer{}, context.Cause(ctx)
	case err != nil && came.result != nil: // it came, and the SDK takes offence at it
		result = came.result
	case err != nil && asking.Err() == nil && !errors.As(err, &refusal) && errors.Is(err, errUnreadable):
		return r.unusable(q, "it is no answer to a question")
	case err != nil:
		r.server.options.Log.Info("a question failed", "run", r.id, "error", err)
		r.remark("a question to the user failed at the client")
		return Answer{}, unasked("the user could not be asked: the question failed at the client")
	}
	return r.answer(q, result)
}

// reply is what a client of the older era has answered, before the SDK looks at it.
type reply struct{ result *mcp.ElicitResult }

// replyKey is where the context of a question has room for the reply.
type replyKey struct{}

var errUnreadable = errors.New("the answer cannot be read")

// keepReply keeps replies to questions as they came: the SDK says in its own words what does not fit.
func keepReply(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, request)
		if room, ok := ctx.Value(replyKey{}).(*reply); ok {
			var syntax *json.SyntaxError
			var wrong *json.UnmarshalTypeError
			if came, ok := result.(*mcp.ElicitResult); ok && err == nil && came != nil {
				copied := *came
				room.result = &copied
			} else if errors.As(err, &syntax) || errors.As(err, &wrong) {
				err = errUnreadable
			}
		}
		return result, err
	}
}

// answer is what a client has answered to a question, if it is an answer to that.
func (r *run) answer(q Question, result *mcp.ElicitResult) (Answer, error) {
	a := Answer{Action: Action(result.Action)}
	switch a.Action {
	case Accept:
		v, err := data.From(result.Content)
		if err != nil {
			return r.unusable(q, "its content cannot be read")
		}
		a.Content, _ = v.(*data.Object)
		if q.URL != "" || q.Schema == nil {
			return a, nil
		}
		if a.Content, err = filled(q.Schema, a.Content); err != nil {
			return r.unusable(q, "it does not fit the form: "+err.Error())
		}
	case Decline, Cancel:
	default:
		return r.unusable(q, "its action is "+strconv.Quote(clip(result.Action, maxAction))+", want accept, decline or cancel")
	}
	return a, nil
}

// maxAction bounds what is shown of an action that the protocol does not know, in characters.
const maxAction = 40

// unusable is an answer that is none, with a note for the reader of the result.
func (r *run) unusable(q Question, why string) (Answer, error) {
	r.remark("the client's answer to a question of " + or(q.From, "this server") + " was not used: " + why)
	return Answer{}, unasked("the client's answer to the question was not used: " + why)
}

// filled is the content of a form with the defaults of what is left out.
func filled(form *schema.Schema, content *data.Object) (*data.Object, error) {
	var members []data.Member
	for name, v := range content.All() {
		members = append(members, data.Member{Key: name, Value: v})
	}
	v, _ := form.Object().Get("properties")
	properties, _ := v.(*data.Object)
	for name, field := range properties.All() {
		if _, there := content.Get(name); there {
			continue
		}
		if o, ok := field.(*data.Object); ok {
			if standard, has := o.Get("default"); has {
				members = append(members, data.Member{Key: name, Value: standard})
			}
		}
	}
	whole := data.NewObject(members)
	return whole, form.Validate("content", whole)
}

// question is one that waits for the client to come back.
type question struct {
	id       string
	params   *mcp.ElicitParams
	answered chan answered // capacity 1
}

// answered is what a client came back with, or why it did not.
type answered struct {
	result mcp.InputResponse
	err    error
}

func (q *question) reply(result mcp.InputResponse, err error) {
	select {
	case q.answered <- answered{result, err}:
	default:
	}
}

// askLater has the request answered with the question, and waits until the client has come back with the answer.
func (r *run) askLater(ctx context.Context, asked Question) (Answer, error) {
	q := &question{params: asked.params(), answered: make(chan answered, 1)}
	r.mu.Lock()
	if r.over {
		r.mu.Unlock()
		return Answer{}, unasked("the program has ended")
	}
	r.asked++
	q.id = "question-" + strconv.Itoa(r.asked)
	r.questions = append(r.questions, q)
	r.wake()
	r.mu.Unlock()
	select {
	case a := <-q.answered:
		if a.err != nil {
			return Answer{}, a.err
		}
		if result, ok := a.result.(*mcp.ElicitResult); ok {
			return r.answer(asked, result)
		}
		return r.unusable(asked, "it is no answer to a question")
	case <-ctx.Done():
		r.settle(q.id, nil, context.Cause(ctx))
		return Answer{}, context.Cause(ctx)
	}
}

// asks reports whether there are questions.
func (r *run) asks() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.questions) > 0
}

// settle answers a question, if it still waits.
func (r *run) settle(id string, result mcp.InputResponse, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, q := range r.questions {
		if q.id == id {
			r.questions = append(r.questions[:i:i], r.questions[i+1:]...)
			q.reply(result, err)
			return
		}
	}
}

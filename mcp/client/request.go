package client

// This file defines requests of ours, and the messages they are: what is known
// of one while it is under way.

import (
	"context"
	"sync"

	"github.com/codemode-go/codemode/data"
)

// exchange is a message of ours that wants an answer.
type exchange struct {
	id, method string
	request    *request // nil for those that the SDK makes by itself
}

// request is a call or a list that waits for its result.
type request struct {
	token string
	// progress is told that the server reports about it.
	progress func(params data.Value)
	ctx      context.Context
	tool     string
	// withdraw ends it without an answer.
	withdraw func()

	mu      sync.Mutex
	result  data.Value // as it came, nil if none did
	refusal *refusal   // the error reply, nil if none came
	trouble string     // why there is neither, if the transport knows
	detail  error      // of the trouble, for the host
	lost    string     // how the server said that it does not know the session
	resumes int        // how often its reply's stream could not be had
	sent    bool       // it went out, and the server did not say that it was not taken up
	rounds  int        // how often the server asked for input instead of answering
	id      string
}

// refusal is an error reply.
type refusal struct {
	code    int64
	message string
}

// reply is the message that answers an exchange.
func (x *exchange) reply(result data.Value) []byte {
	out := append([]byte(`{"jsonrpc":"2.0","id":`), x.id...)
	out = append(out, `,"result":`...)
	return append(data.AppendJSON(out, result), '}', '\n')
}

// fail is the message that refuses an exchange.
func (x *exchange) fail(f refusal, details data.Value) []byte {
	members := []data.Member{{Key: "code", Value: data.IntOf(f.code)}, {Key: "message", Value: data.String(f.message)}}
	if details != nil {
		members = append(members, data.Member{Key: "data", Value: details})
	}
	out := append([]byte(`{"jsonrpc":"2.0","id":`), x.id...)
	out = append(out, `,"error":`...)
	return append(data.AppendJSON(out, data.NewObject(members)), '}', '\n')
}

// explain says why a request has no result; the first reason counts.
func (r *request) explain(trouble string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.trouble == "" {
		r.trouble = trouble
	}
}

// because keeps what the host is told of the trouble.
func (r *request) because(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.detail == nil {
		r.detail = err
	}
}

// asked reports whether the server has asked for input, so that it knows of the
// call.
func (r *request) asked() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rounds > 0
}

// again counts that the request's stream could not be had.
func (r *request) again() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.resumes++
	return r.resumes
}

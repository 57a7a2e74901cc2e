package server

// This file defines which sessions over HTTP are given up when there are too many, and how slowly a request may come.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// guests are the sessions over HTTP.
type guests struct {
	mu   sync.Mutex
	byID map[string]*guest
}

type guest struct {
	open int       // requests under way, the stream of notifications included
	used time.Time // last
}

// enter notes a request of a session; leave is to be called at its end.
func (g *guests) enter(id string) (leave func()) {
	if id == "" {
		return func() {}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.byID == nil {
		g.byID = map[string]*guest{}
	}
	if g.byID[id] == nil {
		g.byID[id] = &guest{}
	}
	g.byID[id].open++
	g.byID[id].used = time.Now()
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if one := g.byID[id]; one != nil {
			one.open--
			one.used = time.Now()
		}
	}
}

// idlest is the session of those there are that has been idle for the longest time, empty if none is. Others are forgotten.
func (g *guests) idlest(there map[string]bool) (id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for other, one := range g.byID {
		switch {
		case !there[other] && one.open == 0:
			delete(g.byID, other)
		case one.open == 0 && (id == "" || one.used.Before(g.byID[id].used)):
			id = other
		}
	}
	return id
}

// makeRoom gives up the session that has been idle for the longest time, if there are too many. It reports whether there is room.
func (s *Server) makeRoom(most int) bool {
	there := map[string]bool{}
	n := 0
	for ss := range s.sdk.Sessions() {
		n++
		there[ss.ID()] = ss.ID() != ""
	}
	if n < most {
		return true
	}
	s.mu.Lock()
	for ss, owner := range s.sessions {
		there[ss.ID()] = there[ss.ID()] && s.runsOf(owner) == 0
	}
	s.mu.Unlock()
	id := s.guests.idlest(there)
	if id == "" {
		return false
	}
	for ss := range s.sdk.Sessions() {
		if ss.ID() == id {
			s.options.Log.Info("a session was given up for a new one")
			s.deleted(id)
			return ss.Close() == nil
		}
	}
	return false
}

// bodyTime is how long the body of a request may take to come.
const bodyTime = 30 * time.Second

// slow bounds the time in which the body of a request comes, also of one that is refused: who sends a byte now and then would
// hold a connection for ever.
func slow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
		}
		next.ServeHTTP(w, r)
	})
}

// requestKey is where the context of an HTTP request has the *jsonrpc.Request in it, if it is one.
type requestKey struct{}

func requestIn(ctx context.Context) *jsonrpc.Request {
	request, _ := ctx.Value(requestKey{}).(*jsonrpc.Request)
	return request
}

func decoded(body []byte) *jsonrpc.Request {
	message, err := jsonrpc.DecodeMessage(body)
	request, _ := message.(*jsonrpc.Request)
	if err != nil {
		return nil
	}
	return request
}

// refuseRequest answers the request in a body, or null if its id cannot be told.
func refuseRequest(w http.ResponseWriter, body []byte, status int, code int64, why string) {
	var f idFinder
	f.write(body)
	id := "null"
	if len(f.ids) == 1 {
		id = f.ids[0]
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(id, code, why))
}

// gathered reads the body of a request and answers what has a wrong form, after which there is time for the answer.
func gathered(next http.Handler, most int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			http.Error(w, "the request is too large", http.StatusRequestEntityTooLarge)
			return
		case err != nil:
			w.Header().Set("Connection", "close")
			http.Error(w, "the request did not come as a whole", http.StatusRequestTimeout)
			return
		}
		if !json.Valid(body) {
			refuseRequest(w, body, http.StatusBadRequest, jsonrpc.CodeParseError, "the body is no JSON")
			return
		}
		if request := decoded(body); request != nil {
			if why := misfit(request); why != "" {
				refuseRequest(w, body, http.StatusOK, jsonrpc.CodeInvalidParams, why)
				return
			}
			r = r.WithContext(context.WithValue(r.Context(), requestKey{}, request))
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

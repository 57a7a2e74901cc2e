package server

// This file defines sessions: which requests come from the same client, and what ends with it.

import (
	"context"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is a client that stays connected. Requests of stateless HTTP belong to none.
type session struct {
	label string // for the audit log; not the id, which is a secret of the client's
	over  bool   // under the lock of the server
}

// sessionOf is the session of a request, nil if it has none.
func (s *Server) sessionOf(request *mcp.CallToolRequest) *session {
	ss := request.Session
	if request.Extra != nil && request.Extra.Header != nil && ss.ID() == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.sessions[ss]; known != nil {
		return known
	}
	s.named++
	known := &session{label: strconv.Itoa(s.named)}
	s.sessions[ss] = known
	s.scope.Fork("session "+known.label, func(context.Context) error {
		_ = ss.Wait()
		s.endSession(known, "the end of the connection")
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, ss)
		return nil
	})
	return known
}

// endSession ends what belongs to a session: nobody is there to answer or to be told.
func (s *Server) endSession(owner *session, by string) {
	s.mu.Lock()
	owner.over = true
	var left []*run
	for r := range s.runs {
		if r.owner == owner {
			left = append(left, r)
		}
	}
	s.mu.Unlock()
	s.parked.drop(owner)
	s.rest.drop(owner)
	for _, r := range left {
		r.interrupt(by)
	}
}

// deleted ends what runs in a session that its client is about to close, which otherwise would wait for it.
func (s *Server) deleted(id string) {
	s.mu.Lock()
	var owner *session
	for ss, known := range s.sessions {
		if ss.ID() == id {
			owner = known
		}
	}
	s.mu.Unlock()
	if owner != nil {
		s.endSession(owner, "the client")
	}
}

// label is how the audit log names the session of a run.
func (r *run) label() string {
	if r.owner == nil {
		return ""
	}
	return r.owner.label
}

package server

// This file defines whose question it is. A server behind that speaks the older protocol over a stream does not say which call
// it asks for, and no client is to be shown what may be meant for another one.

import (
	"context"
	"slices"
	"time"
)

// lateFor is how long after its last program a client may still be the one that a question is for.
const lateFor = 10 * time.Minute

// clientKey tells the clients apart by their sessions. Of two runs without a session nobody knows whether one client began both: a
// name may be that of many, and so may an address or a connection, behind a proxy.
func (r *run) clientKey() any {
	if r.owner != nil {
		return r.owner
	}
	return r.id
}

// recent is who ran something last: one client, and the last other one.
type recent struct{ last, other activity }

type activity struct {
	client any
	at     time.Time
}

func (a *recent) note(client any, now time.Time) {
	if a.last.client != client {
		a.other = a.last
	}
	a.last = activity{client, now}
}

// others is when a client other than that ran something last, zero if none has.
func (a *recent) others(client any) time.Time {
	if a.last.client == client {
		return a.other.at
	}
	return a.last.at
}

// asker is the run that asks a question. The error says why there is none, and the results of those it might have been do too.
func (s *Server) asker(ctx context.Context, q Question) (*run, error) {
	if r := s.runOf(ctx); r != nil && !q.Guessed {
		return r, nil
	}
	runs := s.runsAmong(q)
	idle := slices.DeleteFunc(slices.Clone(runs), func(r *run) bool { return r.current() == nil }) // one that is parked asks already
	if len(idle) == 0 {
		idle = runs
	}
	why := ""
	switch {
	case len(idle) == 0:
		return nil, unasked("nobody can be asked: it is not known whose program the question is for")
	case len(idle) > 1:
		why = "it may be for any of several programs"
	case idle[0].owner == nil && !idle[0].client.modern: // cannot be asked in any case, which it says itself
		return idle[0], nil
	case !s.options.OneUser && s.othersThan(idle[0]):
		why = "it may be for another client"
		if idle[0].owner == nil {
			why += " (those without a session are not told apart)"
		}
	default:
		return idle[0], nil
	}
	from := or(q.From, "this server")
	for _, r := range idle {
		r.remark("a question of " + from + " was not put to the user: " + why + ", as " + from + " does not say which call it asks for")
		s.audit.question(r, q, Answer{}, ErrUnasked, 0)
	}
	return nil, unasked("nobody can be asked: the question does not say which call it is for, and " + why)
}

// runsAmong are the runs that a question may be of.
func (s *Server) runsAmong(q Question) (runs []*run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !q.Guessed {
		for r := range s.runs {
			runs = append(runs, r)
		}
		return runs
	}
	for _, call := range q.Among {
		r := s.runOf(call)
		if _, under := s.runs[r]; under && !slices.Contains(runs, r) {
			runs = append(runs, r)
		}
	}
	return runs
}

// othersThan reports whether another client than that of a run has run something lately.
func (s *Server) othersThan(r *run) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.clientKey()
	for other := range s.runs {
		if other.clientKey() != key {
			return true
		}
	}
	at := s.recent.others(key)
	return !at.IsZero() && time.Since(at) < lateFor
}

package server

// This file defines parking: a program that has asked a client of the newer era stays until the client comes back.

import (
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lot has the parked runs by the state that brings one back. Each state works once.
type lot struct {
	limit int
	keep  time.Duration

	mu      sync.Mutex
	byState map[string]*parked
	waiting int // those that have not expired
}

// parked is a run in the lot. An expired one has been ended; it stays for the client that comes late.
type parked struct {
	run     *run
	timer   *time.Timer
	expired bool
}

// put parks a run, unless the lot is full, or half of it with runs of the same session; then it says so.
func (l *lot) put(r *run, expire func()) (state, full string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	const again = "; ask again when one has its answer"
	switch share := (l.limit + 1) / 2; {
	case l.waiting >= l.limit:
		return "", fmt.Sprintf("all %d places of programs that wait for an answer are taken", l.limit) + again
	case r.owner != nil && l.waitingOf(r.owner) >= share:
		return "", fmt.Sprintf("all %d places of programs of one session that wait for an answer are taken", share) + again
	}
	if l.byState == nil {
		l.byState = map[string]*parked{}
	}
	state = rand.Text()
	p := &parked{run: r}
	p.timer = time.AfterFunc(l.keep, func() {
		if l.expire(state, p) {
			expire()
		}
	})
	l.byState[state] = p
	l.waiting++
	return state, ""
}

func (l *lot) waitingOf(owner *session) (n int) {
	for _, p := range l.byState {
		if p.run.owner == owner && !p.expired {
			n++
		}
	}
	return n
}

// expire marks a run as ended for lack of an answer, and forgets it after as much time again.
func (l *lot) expire(state string, p *parked) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byState[state] != p {
		return false
	}
	p.expired = true
	l.waiting--
	p.timer = time.AfterFunc(l.keep, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.byState, state)
	})
	return true
}

// take brings a run back, if mine says that it is the caller's.
func (l *lot) take(state string, mine func(*run) bool) *run {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.byState[state]
	if p == nil || !mine(p.run) {
		return nil
	}
	l.remove(state, p)
	return p.run
}

func (l *lot) remove(state string, p *parked) {
	p.timer.Stop()
	delete(l.byState, state)
	if !p.expired {
		l.waiting--
	}
}

// drop forgets the runs of a session that has ended.
func (l *lot) drop(owner *session) {
	l.removeAll(func(p *parked) bool { return p.run.owner == owner })
}

// clear forgets all runs.
func (l *lot) clear() { l.removeAll(func(*parked) bool { return true }) }

func (l *lot) removeAll(which func(*parked) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for state, p := range l.byState {
		if which(p) {
			l.remove(state, p)
		}
	}
}

// park answers a request with the questions of its run. If there is no room the questions are refused and it is nil.
func (s *Server) park(r *run, x *exchange) *mcp.CallToolResult {
	state, why := s.parked.put(r, func() {
		r.endFor("Nobody answered within "+s.options.ParkedFor.String()+", so the program was ended.", "the limit of waiting for an answer")
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if why != "" {
		r.noteLocked("the user could not be asked: " + why)
		for _, q := range r.questions {
			q.reply(nil, unasked("the user cannot be asked: "+why))
		}
		r.questions = nil
		return nil
	}
	if len(r.questions) == 0 || r.over { // withdrawn meanwhile
		s.parked.take(state, func(*run) bool { return true })
		r.wake()
		return nil
	}
	requests := mcp.InputRequestMap{}
	for _, q := range r.questions {
		requests[q.id] = q.params
	}
	if r.exchange == x {
		r.exchange = nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{}, InputRequests: requests, RequestState: state}
}

// gone is what a client is told that comes back with a state that is not there: for good, or in this process.
const gone = "there is no program to go on with: the answer came too late, or another process has it, or the program has gone on already. " +
	"Nothing was run now. What had run before is not known here; look before doing it again"

// resume brings back the run that a request goes on with, has x wait for it and gives it the answers, or says why not.
func (s *Server) resume(state string, owner *session, request *mcp.CallToolRequest, x *exchange) (r *run, problem string) {
	binding := bindingOf(request)
	r = s.parked.take(state, func(r *run) bool { return r.owner == owner && r.binding == binding })
	if r == nil {
		return nil, gone
	}
	r.attach(x)
	for id, response := range request.Params.InputResponses {
		r.settle(id, response, nil)
	}
	return r, ""
}

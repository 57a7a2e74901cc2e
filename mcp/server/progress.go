package server

// This file defines how a client is told of progress: in order, by a fiber that may be slow without slowing the calls.

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/scope"
)

const (
	maxReports   = 64          // that wait to be sent; further ones are left out
	reportsGrace = time.Second // for those when the result is ready
)

// reporter sends reports of progress for one request. A nil reporter sends none.
type reporter struct {
	exchange *exchange
	fiber    *scope.Fiber

	mu      sync.Mutex
	reports chan *mcp.ProgressNotificationParams
	closed  bool
}

// reporter is that of a request, nil if its client did not ask for reports.
func (s *Server) reporter(x *exchange) *reporter {
	if x.token == nil {
		return nil
	}
	p := &reporter{exchange: x, reports: make(chan *mcp.ProgressNotificationParams, maxReports)}
	p.fiber = s.scope.Fork("progress", func(context.Context) error {
		for report := range p.reports {
			// It is lost if the client has gone, which is noticed elsewhere.
			_ = x.session.NotifyProgress(x.ctx, report)
		}
		return nil
	})
	return p
}

// tell takes a report; number n is larger than all before.
func (p *reporter) tell(n int, text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	select {
	case p.reports <- &mcp.ProgressNotificationParams{ProgressToken: p.exchange.token, Progress: float64(n), Message: text}:
	default:
	}
}

// close waits until the reports are sent, within bounds: none may come after the result.
func (p *reporter) close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.reports)
	}
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(p.exchange.ctx, reportsGrace)
	defer cancel()
	_, _ = p.fiber.Await(ctx)
}

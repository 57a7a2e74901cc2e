package server

// This file defines how the server knows that all answers have gone out, which the SDK does not tell: it drops those that
// are late when a session closes.

import (
	"context"
	"sync"
)

// traffic counts requests without an answer. The zero traffic is ready to use.
type traffic struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n is 0; nil while nobody waits
}

func (t *traffic) add(delta int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += delta
	if t.n == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}

// await waits until all requests have been answered or ctx is done.
func (t *traffic) await(ctx context.Context) {
	t.mu.Lock()
	if t.n == 0 {
		t.mu.Unlock()
		return
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	idle := t.idle
	t.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

package client

// This file defines writing to servers that do not read.

import (
	"context"
	"errors"
	"io"
	"sync"
)

// maxUnsent bounds what waits to be written to a server, in bytes.
const maxUnsent = 64 << 20

var errNotReading = errors.New("the server does not read its input")

// outbox writes to a stream on a fiber of its own, so that a server that reads
// nothing blocks nobody: whoever writes could not be interrupted.
type outbox struct {
	w    io.WriteCloser
	wake chan struct{} // holds a token when there is something to do

	mu     sync.Mutex
	unsent [][]byte
	size   int
	closed bool
	err    error
}

func newOutbox(w io.WriteCloser) *outbox {
	return &outbox{w: w, wake: make(chan struct{}, 1)}
}

// Write implements io.Writer.
func (o *outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.err != nil:
		return 0, o.err
	case o.closed:
		return 0, io.ErrClosedPipe
	case o.size+len(p) > maxUnsent:
		return 0, errNotReading
	}
	o.unsent = append(o.unsent, append([]byte(nil), p...))
	o.size += len(p)
	o.signal()
	return len(p), nil
}

// Close closes the stream when all has been written.
func (o *outbox) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.signal()
	return nil
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run writes until the outbox is closed. Only the end of the stream interrupts
// a write.
func (o *outbox) run(context.Context) error {
	defer o.w.Close()
	for range o.wake {
		o.mu.Lock()
		batch, closed := o.unsent, o.closed
		o.unsent = nil
		o.mu.Unlock()
		for _, p := range batch {
			if _, err := o.w.Write(p); err != nil {
				o.mu.Lock()
				o.err = err
				o.mu.Unlock()
				return nil
			}
			o.mu.Lock()
			o.size -= len(p)
			o.mu.Unlock()
		}
		if closed {
			return nil
		}
	}
	return nil
}

package client

// This file defines the end of what a server writes beside the protocol.

import (
	"bytes"
	"strings"
	"sync"
)

const (
	maxTailLines = 60
	maxTailLine  = 1 << 10 // bytes
)

// tail keeps the last lines of a text that is written to it, and hands each on.
// All methods may be called from any goroutine.
type tail struct {
	tell func(line string)

	mu      sync.Mutex
	kept    []string
	partial []byte // of a line that has not ended
}

func newTail(tell func(string)) *tail { return &tail{tell: tell} }

// Write implements io.Writer. It never fails.
func (t *tail) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			t.append(rest)
			break
		}
		t.append(rest[:i])
		t.end()
		rest = rest[i+1:]
	}
	return len(p), nil
}

func (t *tail) append(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := maxTailLine - len(t.partial); room > 0 {
		t.partial = append(t.partial, p[:min(len(p), room)]...)
	}
}

// end ends the line that was begun.
func (t *tail) end() {
	t.mu.Lock()
	line := strings.ToValidUTF8(strings.TrimRight(string(t.partial), "\r"), "\uFFFD")
	t.partial = t.partial[:0]
	t.mu.Unlock()
	if line != "" {
		t.keep(line)
		t.tell(line)
	}
}

// keep adds a line without handing it on.
func (t *tail) keep(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, clip(line, maxTailLine))
	if over := len(t.kept) - maxTailLines; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
}

// clear forgets the lines that were kept.
func (t *tail) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = nil
}

// lines are the last lines.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.kept...)
}

package client

// This file defines how lines of a server become messages for the SDK.

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
)

// lineReader gives the SDK the messages among the lines of a stream.
type lineReader struct {
	lines *bufio.Reader
	wire  *wire
	ready []byte // messages not read yet
	close func() error
}

func newLineReader(r io.Reader, w *wire, close func() error) *lineReader {
	return &lineReader{lines: bufio.NewReaderSize(r, 64<<10), wire: w, close: close}
}

// Read implements io.Reader.
func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		line, err := readLine(r.lines, r.wire.limit)
		if len(line.head) > 0 {
			r.ready = line.messages(r.wire, nil)
		}
		if err != nil && len(r.ready) == 0 {
			return 0, err
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// Close implements io.Closer.
func (r *lineReader) Close() error { return r.close() }

// ends is how much of a line that is too long is kept, of its beginning and of
// its end. An id is found there.
const ends = 4 << 10

// longLine is a line, or the ends of one that is longer than the limit.
type longLine struct {
	head, tail []byte
	size       int
	cut        bool
}

func (l longLine) messages(w *wire, during *exchange) []byte {
	if l.cut {
		w.aside("a line of " + megabytes(l.size) + ", which is more than the " + megabytes(w.limit) + " that are read")
		return w.oversized(string(l.head), string(l.tail), l.size)
	}
	line := bytes.TrimSpace(l.head)
	if len(line) == 0 {
		return nil
	}
	return w.incoming(line, during)
}

// readLine reads up to and with the next line feed, or to the end. No more than
// the limit is held.
func readLine(r *bufio.Reader, limit int) (longLine, error) {
	var l longLine
	for {
		piece, err := r.ReadSlice('\n')
		l.add(piece, limit)
		if err != bufio.ErrBufferFull {
			return l, err
		}
	}
}

func (l *longLine) add(piece []byte, limit int) {
	l.size += len(piece)
	switch {
	case l.cut:
		l.tail = append(l.tail, piece...)
		if over := len(l.tail) - ends; over > 0 {
			l.tail = append(l.tail[:0], l.tail[over:]...)
		}
	case l.size > limit:
		l.cut = true
		l.tail = append(l.tail, l.head[max(0, len(l.head)-ends):]...)
		l.tail = append(l.tail, piece...)
		l.tail = l.tail[max(0, len(l.tail)-ends):]
		l.head = bytes.Clone(append(l.head, piece...)[:min(ends, l.size)])
	default:
		l.head = append(l.head, piece...)
	}
}

var (
	idFirst = regexp.MustCompile(`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d+)"?\s*,`)
	idLast  = regexp.MustCompile(`,\s*"id"\s*:\s*"?(\d+)"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)
)

// idAt is the id of a reply of which only the ends are known, "" if they do not
// tell.
func idAt(head, tail string) string {
	if m := idFirst.FindStringSubmatch(head); m != nil {
		return m[1]
	}
	if m := idLast.FindStringSubmatch(strings.TrimSpace(tail)); m != nil {
		return m[1]
	}
	return ""
}

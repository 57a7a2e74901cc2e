package client

// This file defines how lines of a server become messages for the SDK.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stream is the SDK's transport over a stream, and the connection itself. The
// SDK's own over streams ends with the first line that is no message, and decodes
// each message three times, which was measured to cost a tenth of the rate of
// calls.
type stream struct {
	lines *bufio.Reader
	out   io.WriteCloser
	wire  *wire
	close func() error
	ready [][]byte // messages that were read with an earlier one
}

func newStream(r io.Reader, w *wire, out io.WriteCloser, close func() error) *stream {
	return &stream{lines: bufio.NewReaderSize(r, 64<<10), wire: w, out: out, close: close}
}

// Connect implements mcp.Transport.
func (s *stream) Connect(context.Context) (mcp.Connection, error) { return s, nil }

// SessionID implements mcp.Connection.
func (s *stream) SessionID() string { return "" }

// Read implements mcp.Connection. Close ends it.
func (s *stream) Read(context.Context) (jsonrpc.Message, error) {
	for {
		for len(s.ready) > 0 {
			line := s.ready[0]
			s.ready = s.ready[1:]
			if m, err := jsonrpc.DecodeMessage(line); err == nil {
				return m, nil
			}
			s.wire.aside(string(line))
		}
		line, err := readLine(s.lines, s.wire.limit, outlined)
		if len(line.head) > 0 {
			s.ready = split(line.messages(s.wire, nil))
		}
		if errors.Is(err, os.ErrDeadlineExceeded) { // of a child that has ended
			err = io.EOF
		}
		if err != nil && len(s.ready) == 0 {
			return nil, err
		}
	}
}

// split are the lines of messages.
func split(messages []byte) (lines [][]byte) {
	for line := range bytes.Lines(messages) {
		lines = append(lines, bytes.TrimSpace(line))
	}
	return lines
}

// Write implements mcp.Connection.
func (s *stream) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	s.wire.outgoing(text)
	_, err = s.out.Write(append(text, '\n'))
	return err
}

// Close implements mcp.Connection.
func (s *stream) Close() error {
	return errors.Join(s.close(), s.out.Close())
}

// ends is how much of a line that is too long is kept, of its beginning.
const ends = 4 << 10

// longLine is a line, or the beginning of one that is longer than the limit.
type longLine struct {
	head []byte
	size int
	// rest has read the line if it is too long, with what there was before the
	// limit.
	rest *outline
	cut  bool
}

func (l longLine) messages(w *wire, during *exchange) []byte {
	if l.cut {
		return w.oversized(l.rest, l.size, during)
	}
	line := bytes.TrimSpace(l.head)
	if len(line) == 0 {
		return nil
	}
	return w.incoming(line, during)
}

// readLine reads up to and with the next line feed, or to the end. No more than
// the limit is held; begin makes the outline of a longer line from what is held
// by then.
func readLine(r *bufio.Reader, limit int, begin func(held []byte) *outline) (longLine, error) {
	var l longLine
	for {
		piece, err := r.ReadSlice('\n')
		l.add(piece, limit, begin)
		if err != bufio.ErrBufferFull {
			return l, err
		}
	}
}

func (l *longLine) add(piece []byte, limit int, begin func([]byte) *outline) {
	l.size += len(piece)
	switch {
	case l.cut:
		l.rest.write(piece)
	case l.size > limit:
		l.cut = true
		l.head = append(l.head, piece...)
		l.rest = begin(l.head)
		l.head = bytes.Clone(l.head[:min(ends, l.size)])
	default:
		l.head = append(l.head, piece...)
	}
}

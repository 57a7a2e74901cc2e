package server

// This file defines serving one client over a stream, such as standard input and output: one message a line.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/scope"
)

const (
	// maxLine bounds a message of a client, in bytes.
	maxLine = 16 << 20
	// drain is how long the answers of requests are waited for that came before the end of the input.
	drain = 500 * time.Millisecond
	// streamGrace bounds the end of a stream.
	streamGrace = 300 * time.Millisecond
)

// ServeStream serves one client over a stream until the client closes it or ctx is done. What is no message is left out,
// and answered with an error; nothing but messages is written. When the client has closed its end, requests have
// 500 ms to be answered, and what still runs is interrupted; it returns within a second then, though something may not have
// ended that ignores that (see [Server.Close]). A client that reads no more has gone as well. The error is why the input broke,
// or why ctx is done;
// a client that has gone is none.
func (s *Server) ServeStream(ctx context.Context, in io.Reader, out io.Writer) error {
	if s.isClosing() {
		return errors.New("server: it has been closed")
	}
	reading := scope.Open(context.WithoutCancel(ctx), scope.Options{Name: "stream", Grace: 10 * time.Millisecond})
	defer reading.Close(scope.Exit{}) // a read that nothing ends is left behind
	c := &stream{log: s.options.Log, out: out, lines: make(chan []byte), closed: make(chan struct{}), ids: map[jsonrpc.ID]bool{}, all: &s.traffic}
	defer c.forget()
	reading.Fork("read", func(ctx context.Context) error { return c.read(ctx, in) })
	session, err := s.sdk.Connect(context.WithoutCancel(ctx), c, nil)
	if err != nil {
		return fmt.Errorf("server: %w", err)
	}
	ended := reading.Fork("session", func(context.Context) error { return session.Wait() })
	select {
	case <-ended.Done():
	case <-ctx.Done():
		s.leave(ctx, session)
		return context.Cause(ctx)
	case <-c.closed: // the answers are out or late, or it broke
		late, stop := context.WithTimeout(ctx, streamGrace)
		defer stop()
		if _, err := ended.Await(late); err != nil {
			return nil
		}
	}
	if err := c.broken(); err != nil {
		return fmt.Errorf("server: the input broke: %w", err)
	}
	return nil
}

// leave closes a session at the will of the host.
func (s *Server) leave(ctx context.Context, session *mcp.ServerSession) {
	s.mu.Lock()
	owner := s.sessions[session]
	s.mu.Unlock()
	if owner != nil {
		s.endSession(owner, "the host")
	}
	closing := scope.Open(context.WithoutCancel(ctx), scope.Options{Name: "close", Grace: streamGrace})
	closing.Fork("close", func(context.Context) error { return session.Close() })
	closing.Close(scope.Exit{})
}

// stream is a transport and its connection.
type stream struct {
	log    *slog.Logger
	lines  chan []byte   // what has been read; closed at the end
	closed chan struct{} // when nothing is read any more
	close  sync.Once
	asked  traffic  // of this stream
	all    *traffic // of the server

	writing sync.Mutex
	out     io.Writer

	mu  sync.Mutex
	ids map[jsonrpc.ID]bool // of requests without an answer
	err error
}

// Connect implements mcp.Transport.
func (c *stream) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements mcp.Connection.
func (*stream) SessionID() string { return "" }

// Close implements mcp.Connection.
func (c *stream) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

func (c *stream) broken() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *stream) breaks(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

// read reads lines until the end.
func (c *stream) read(ctx context.Context, in io.Reader) error {
	defer close(c.lines)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, long, err := readLine(r)
		switch line = bytes.TrimSpace(line); {
		case long != nil:
			c.log.Warn("a message of the client is too long and was left out", "limit", maxLine)
			c.refuse(long.ids, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is too long: want at most %d bytes", maxLine))
		case len(line) > 0:
			select {
			case c.lines <- line:
			case <-ctx.Done():
				return nil
			case <-c.closed:
				return nil
			}
		}
		if err != nil {
			if err != io.EOF && !errors.Is(err, io.ErrClosedPipe) {
				c.breaks(err)
			}
			return nil
		}
	}
}

// readLine reads a line; of one that is too long there are the ids alone.
func readLine(r *bufio.Reader) (line []byte, long *idFinder, err error) {
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case long != nil:
			long.write(part)
		case len(line)+len(part) > maxLine:
			long = &idFinder{}
			long.write(line)
			long.write(part)
			line = nil
		default:
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, long, err
		}
	}
}

// Read implements mcp.Connection. What the SDK would end the connection for does not reach it.
func (c *stream) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-c.closed:
			return nil, io.EOF
		case line, ok := <-c.lines:
			if !ok {
				c.drain(ctx)
				_ = c.Close()
				return nil, io.EOF
			}
			if message := c.decode(line); message != nil {
				return message, nil
			}
		}
	}
}

func (c *stream) decode(line []byte) jsonrpc.Message {
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil || line[0] != '{' || !json.Valid(line) { // the SDK takes no notice of what follows a message
		c.complain(line)
		return nil
	}
	// A subscription is answered when it ends.
	request, ok := message.(*jsonrpc.Request)
	switch {
	case !ok:
	case request.IsCall():
		if why := misfit(request); why != "" {
			var f idFinder
			f.write(line)
			c.refuse(f.ids, jsonrpc.CodeInvalidParams, why)
			return nil
		}
		request.ID = exactID(line, request.ID)
		if request.Method != "subscriptions/listen" {
			c.note(request.ID)
		}
	case request.Method == "notifications/cancelled":
		request.Params = exactCancel(request.Params)
	}
	return message
}

// complain answers what is no message.
func (c *stream) complain(line []byte) {
	c.log.Warn("a line of the client is no message and was left out", "bytes", len(line))
	var f idFinder
	f.write(line)
	c.refuse(f.ids, jsonrpc.CodeInvalidRequest, "want one message of JSON-RPC 2.0 a line, nested at most 10,000 deep; batches are not supported")
}

// note counts a request in.
func (c *stream) note(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids[id] {
		return // the SDK refuses it
	}
	c.ids[id] = true
	c.asked.add(1)
	c.all.add(1)
}

// answered counts a request out.
func (c *stream) answered(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids[id] {
		delete(c.ids, id)
		c.asked.add(-1)
		c.all.add(-1)
	}
}

// forget counts all requests out that will not be answered any more.
func (c *stream) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all.add(-len(c.ids))
	clear(c.ids)
}

// drain waits until all requests have been answered, within bounds.
func (c *stream) drain(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, drain)
	defer stop()
	c.asked.await(ctx)
}

// Write implements mcp.Connection.
func (c *stream) Write(ctx context.Context, message jsonrpc.Message) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	response, ok := message.(*jsonrpc.Response)
	if ok {
		response.Error = coded(response.Error)
	}
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if ok {
		text = asWritten(text, response.ID)
	}
	err = c.line(text)
	if ok {
		c.answered(response.ID)
	}
	return err
}

func (c *stream) line(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	if err != nil { // nobody reads any more
		_ = c.Close()
	}
	return err
}

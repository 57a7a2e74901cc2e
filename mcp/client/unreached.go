package client

// This file defines how it is said that there is no session. The SDK names its
// own steps, and Go's.

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"regexp"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// unreached is why there is no session, in words for people.
type unreached struct {
	text string
	err  error
}

func (u *unreached) Error() string { return u.text }
func (u *unreached) Unwrap() error { return u.err }

// steps are what the SDK puts before a reason: what it was doing.
var steps = regexp.MustCompile(`^((calling|sending) "[^"]*": |rejected by transport: |connection closed: )+`)

// endedEarly reports whether an error is that the other side is gone.
func endedEarly(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, os.ErrClosed, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	var said *jsonrpc.Error // by the SDK itself, which then keeps no more than the text of why
	return errors.Is(err, mcp.ErrConnectionClosed) || errors.As(err, &said) && said.Message == "client is closing"
}

// unreachedFor words the error of an attempt at a session; nil stays nil.
func unreachedFor(err error) error {
	var web *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &web) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return &unreached{web.URL + " cannot be reached: " + web.Err.Error(), err}
	case endedEarly(err):
		return &unreached{"it ended before it answered", err}
	case errors.Is(err, context.Canceled):
		return &unreached{"it was given up before it answered", err}
	case errors.Is(err, context.DeadlineExceeded):
		return &unreached{"it does not answer", err}
	}
	return &unreached{steps.ReplaceAllString(err.Error(), ""), err}
}

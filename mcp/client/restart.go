package client

// This file defines how a session that ended is replaced.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// A server that ends is started again by the next call, at most maxRestarts
// times within the restartWindow, after the delays.
const (
	maxRestarts   = 3
	restartWindow = time.Minute
)

var restartDelays = [maxRestarts]time.Duration{0, 500 * time.Millisecond, 2 * time.Second}

// lastWords is how many lines of a server's standard error are told when it has
// ended.
const lastWords = 5

// ready is the session for a call: the one there is, or a new one.
func (c *Client) ready(ctx context.Context) (*session, error) {
	for {
		c.mu.Lock()
		s, closed := c.session, c.closed
		c.mu.Unlock()
		switch {
		case closed:
			return nil, c.failure("the connection is closed")
		case s != nil:
			return s, nil
		}
		fiber := c.start(true)
		if fiber == nil {
			return nil, c.failure("it ended %d times within a minute and is not started again before the minute is over", maxRestarts)
		}
		exit, err := fiber.Await(ctx)
		if err != nil {
			return nil, err
		}
		var denied *Unauthorized
		if exit.Cause != nil && errors.As(exit.Cause, &denied) {
			return nil, &tool.Error{Message: c.says("%s", denied.Reason), Err: exit.Cause}
		}
		if exit.Cause != nil {
			return nil, &tool.Error{Message: c.says("it cannot be started again; the host has the details"), Err: exit.Cause}
		}
	}
}

// says words a message about the server for the model.
func (c *Client) says(format string, args ...any) string {
	return "MCP server " + c.server.Name + ": " + fmt.Sprintf(format, args...)
}

// failure is a failed call that the server is to blame for.
func (c *Client) failure(format string, args ...any) error {
	return &tool.Error{Message: c.says(format, args...)}
}

// start returns the fiber that makes the next session, forking it unless it
// runs. Nil means that there were too many.
func (c *Client) start(again bool) *scope.Fiber {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.starting != nil {
		return c.starting
	}
	var delay time.Duration
	if again {
		now := time.Now()
		for len(c.starts) > 0 && now.Sub(c.starts[0]) >= restartWindow {
			c.starts = c.starts[1:]
		}
		if len(c.starts) >= maxRestarts {
			return nil
		}
		delay = restartDelays[len(c.starts)]
		c.starts = append(c.starts, now)
	}
	c.starting = c.scope.Fork("connect", func(ctx context.Context) error {
		err := c.begin(ctx, delay, again)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.starting, c.lastError = nil, err
		return err
	})
	return c.starting
}

// begin makes a session and reads its tools.
func (c *Client) begin(ctx context.Context, delay time.Duration, again bool) error {
	if err := sleep(ctx, delay); err != nil {
		return err
	}
	s, err := c.attempt(ctx)
	if err != nil {
		if again {
			c.trouble("", "cannot be started again: %v", err)
		}
		return err
	}
	l, err := c.list(ctx, s)
	if err != nil {
		s.shut()
		return fmt.Errorf("its tools cannot be listed: %w", err)
	}
	select {
	case <-s.done:
		return fmt.Errorf("%s: %w", s.ending, s.reason)
	default:
	}
	c.mu.Lock()
	c.session, c.peer = s, s.peer
	changed := c.install(l) // at once, so that it cannot replace what is listed later
	c.mu.Unlock()
	select {
	case <-s.done: // between the two looks
		c.lost(s)
	default:
	}
	if changed && again {
		c.changed()
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return scope.InterruptOf(ctx)
	}
}

// retire has the next call make another session than s. Calls that are under way
// go on in s, which ends with the last of them.
func (c *Client) retire(s *session) {
	c.mu.Lock()
	current := c.session == s
	if current {
		c.session = nil
	}
	c.mu.Unlock()
	if !current {
		return
	}
	s.wire.retire(func() {
		c.scope.Fork("end session", func(context.Context) error {
			s.shut()
			return nil
		})
	})
}

// lost records that a session has ended.
func (c *Client) lost(s *session) {
	c.mu.Lock()
	current := c.session == s
	if current {
		c.session = nil
	}
	quiet := c.closed || c.scope.Context().Err() != nil
	c.mu.Unlock()
	if current && !quiet {
		detail := ""
		if s.reason.Error() != s.ending {
			detail = " (" + s.reason.Error() + ")"
		}
		said := ""
		if lines := c.stderr.lines(); s.process != nil && len(lines) > 0 {
			said = "; it wrote:\n  " + strings.Join(lines[max(0, len(lines)-lastWords):], "\n  ")
		}
		c.trouble("", "%s%s; the next call starts it again%s", s.ending, detail, said)
	}
}

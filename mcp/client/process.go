package client

// This file defines child processes that speak over their standard streams.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/codemode-go/codemode/scope"
)

// How long a child is given to end: after its input was closed, and after it
// was asked to. A host that has promised to end within some seconds needs their
// sum and a bit, so that it leaves no child behind.
const (
	patience     = time.Second
	lastPatience = 500 * time.Millisecond
	// rest is how long what a child left in its pipes is read after its end, since
	// something it has started may hold them open.
	rest = 500 * time.Millisecond
)

// process is a child that runs.
type process struct {
	cmd    *exec.Cmd
	stdout *os.File
	in     *outbox
	stop   func()          // ends it within the patience, once
	hurry  <-chan struct{} // closed when there is no patience any more
	read   chan struct{}   // closed when all that it wrote to its standard error has been read
	exited chan struct{}
	err    error // how it ended, valid when exited is closed
}

// startProcess starts the server's command. Its fibers belong to s, and end
// with the child.
func (c *Client) startProcess(s *scope.Scope) (*process, error) {
	env, err := environment(c.server)
	if err != nil {
		return nil, err
	}
	if dir := c.server.Dir; dir != "" { // the system's error names the command instead
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("cannot be started: there is no folder %s (cwd)", dir)
		}
	}
	cmd := exec.Command(c.server.Command[0], c.server.Command[1:]...)
	cmd.Dir, cmd.Env = c.server.Dir, env
	ownGroup(cmd)
	p := &process{cmd: cmd, exited: make(chan struct{}), read: make(chan struct{}), hurry: c.hurry}
	p.stop = sync.OnceFunc(p.end)
	stdin, stderr, err := p.pipes()
	if err != nil {
		return nil, err
	}
	if err := p.launch(); err != nil {
		stdin.Close()
		stderr.Close()
		p.stdout.Close()
		return nil, err
	}
	p.in = newOutbox(stdin)
	// The scope of its own refuses none of the fibers, so that a child that has started is waited for even if s ends just
	// now.
	own := scope.Open(context.Background(), scope.Options{Name: "child", Grace: lastPatience})
	own.Fork("write", p.in.run)
	own.Fork("stderr", func(context.Context) error {
		defer close(p.read)
		defer stderr.Close()
		io.Copy(c.stderr, stderr)
		return nil
	})
	own.Fork("wait", func(context.Context) error {
		p.err = cmd.Wait()
		killGroup(cmd.Process) // what it has started and left behind
		endReading(p.stdout)
		endReading(stderr)
		close(p.exited)
		p.in.Close()
		return nil
	})
	watch := s.Fork("child", func(context.Context) error {
		<-p.exited
		own.Close(scope.Exit{})
		return nil
	})
	if watch.Refused() {
		p.stop()
		p.stdout.Close()
		own.Close(scope.Exit{})
		return nil, errors.New("the connection is closed")
	}
	return p, nil
}

// endReading ends the reading of a pipe soon.
func endReading(f *os.File) {
	if f.SetReadDeadline(time.Now().Add(rest)) != nil { // a kind of pipe that has none
		time.AfterFunc(rest, func() { f.Close() })
	}
}

// pipes makes the streams and returns our ends of the child's input and error.
// The package os/exec would tie the reading of its own pipes to Wait.
func (p *process) pipes() (stdin, stderr *os.File, err error) {
	inTheir, inOurs, err1 := os.Pipe()
	outOurs, outTheir, err2 := os.Pipe()
	errOurs, errTheir, err3 := os.Pipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		for _, f := range []*os.File{inTheir, inOurs, outOurs, outTheir, errOurs, errTheir} {
			if f != nil {
				f.Close()
			}
		}
		return nil, nil, err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inTheir, outTheir, errTheir
	p.stdout = outOurs
	return inOurs, errOurs, nil
}

// launch starts the child and closes its ends of the pipes.
func (p *process) launch() error {
	err := p.cmd.Start()
	for _, end := range []any{p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr} {
		end.(*os.File).Close()
	}
	if err != nil {
		return fmt.Errorf("cannot be started: %w", err)
	}
	return nil
}

// end ends the child: its input is closed, then it is asked to end, then it is
// killed, with its group.
func (p *process) end() {
	p.in.Close()
	if p.within(patience, p.hurry) {
		return
	}
	interruptGroup(p.cmd.Process)
	if p.within(lastPatience, nil) {
		return
	}
	killGroup(p.cmd.Process)
	p.within(lastPatience, nil)
}

func (p *process) within(d time.Duration, hurry <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	case <-hurry:
		return false
	}
}

// ending says how the child ended, "" if it has not.
// Its last words have been read then.
func (p *process) ending() string {
	select {
	case <-p.exited:
	default:
		return ""
	}
	late := time.NewTimer(2 * rest)
	defer late.Stop()
	select {
	case <-p.read:
	case <-late.C: // a host is slow with the lines it is told
	}
	if p.err == nil {
		return "exit status 0"
	}
	return p.err.Error()
}

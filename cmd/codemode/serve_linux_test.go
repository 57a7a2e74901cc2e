package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stubborn is a shell that answers initialize, unless it is mute, and then minds neither the end of its input nor a signal,
// as does what it starts.
const stubborn = `trap '' TERM INT HUP
if [ "$1" = child ]; then sh -c "trap '' TERM; : $2; while :; do sleep 7777; done" & fi
while [ "$1" != mute ] && read -r line; do case "$line" in
*'"server/discover"'*) id=${line#*'"id":'}; id=${id%%[,\}]*}; echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no"}}';;
*'"initialize"'*) id=${line#*'"id":'}; id=${id%%[,\}]*}; echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}';;
*'"tools/list"'*) id=${line#*'"id":'}; id=${id%%[,\}]*}; echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"stuck","inputSchema":{"type":"object"}}]}}';;
esac; done
while :; do sleep 7777; done`

// ending is a serve over seven stubborn servers.
type ending struct {
	*exec.Cmd
	t     *testing.T
	mark  string // in the command lines of its servers
	in    io.WriteCloser
	out   io.ReadCloser
	lines *bufio.Scanner
	errs  *said
}

func startStubborn(t *testing.T, args ...string) *ending {
	t.Helper()
	e := &ending{t: t, mark: t.TempDir(), errs: &said{}}
	script := written(t, "stubborn.sh", stubborn)
	var entries []string
	for i, mode := range []string{"plain", "child", "plain", "child", "mute", "mute", "plain"} {
		entries = append(entries, fmt.Sprintf(`"s%d": {"command": "sh", "args": [%q, %q, %q]}`, i, script, mode, e.mark))
	}
	file := written(t, "stubborn.json", `{"mcpServers": {`+strings.Join(entries, ", ")+`}}`)
	bin, err := built() // a process of its own: what this one would still end after the command is left behind by a real one
	if err != nil {
		t.Fatal(err)
	}
	e.Cmd = exec.Command(bin, append([]string{"serve", "--wait", "100ms", "--config", file}, args...)...)
	e.Stderr = e.errs
	if e.in, err = e.StdinPipe(); err == nil {
		e.out, err = e.StdoutPipe()
	}
	if err == nil {
		err = e.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Process.Kill(); e.Wait() })
	e.lines = bufio.NewScanner(e.out)
	e.lines.Buffer(nil, 1<<20)
	return e
}

// alive are the processes of the servers.
func (e *ending) alive() (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if line, err := os.ReadFile(f); err == nil && pid != e.Process.Pid && strings.Contains(string(line), e.mark) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (e *ending) say(frame string) { fmt.Fprintln(e.in, frame) }

// until reads lines to one that has a text.
func (e *ending) until(text string) {
	e.t.Helper()
	for e.lines.Scan() {
		if strings.Contains(e.lines.Text(), text) {
			return
		}
	}
	e.t.Fatalf("no %s; %s", text, e.errs.find(`(?s)(.*)`))
}

// awaitServers waits until seven servers and two children are there.
func (e *ending) awaitServers() {
	e.t.Helper()
	for deadline := time.Now().Add(time.Minute); len(e.alive()) < 9; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			e.t.Fatalf("there are %d servers: %s", len(e.alive()), e.errs.find(`(?s)(.*)`))
		}
	}
}

// awaitLog waits until the command has written something to standard error.
func (e *ending) awaitLog(pattern string) {
	e.t.Helper()
	for deadline := time.Now().Add(time.Minute); e.errs.find(pattern) == ""; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			e.t.Fatalf("no %s in %s", pattern, e.errs.find(`(?s)(.*)`))
		}
	}
}

// gone waits for the end of the command, and fails if it has left a process behind.
func (e *ending) gone() {
	e.t.Helper()
	start := time.Now()
	if _, err := io.Copy(io.Discard, e.out); err != nil && !strings.Contains(err.Error(), "closed") {
		e.t.Error(err)
	}
	if err := e.Wait(); err != nil { // also by a signal
		e.t.Errorf("it ended with %v: %s", err, e.errs.find(`(?s)(.*)`))
	}
	e.t.Logf("the end took %v", time.Since(start))
	if took := time.Since(start); took > 20*time.Second { // 3 s, on a machine that does nothing else
		e.t.Errorf("the end took %v", took)
	}
	left := e.alive()
	for deadline := time.Now().Add(time.Second); len(left) > 0 && time.Now().Before(deadline); left = e.alive() { // a kill takes its time
		time.Sleep(50 * time.Millisecond)
	}
	for _, pid := range left {
		e.t.Errorf("process %d is left behind", pid)
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// However the end comes, no server outlives the command, not even those that mind nothing.
func TestServeLeavesNoServerBehind(t *testing.T) {
	const program = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"execute","arguments":{"code":"await Promise.all([tools.s0.stuck({}), tools.s1.stuck({})])"}}}`
	for _, c := range []struct {
		what string
		args []string
		do   func(t *testing.T, e *ending)
	}{
		{"the end of input while they start", nil, func(t *testing.T, e *ending) { e.in.Close() }},
		{"the end of input", nil, func(t *testing.T, e *ending) {
			e.say(helloFrame)
			e.until(`"protocolVersion"`)
			e.awaitServers()
			e.in.Close()
		}},
		{"the end of input while a call is stuck", nil, func(t *testing.T, e *ending) {
			e.awaitServers()
			e.say(helloFrame)
			e.until(`"protocolVersion"`)
			e.awaitLog(`(server=s0)`)
			e.awaitLog(`(server=s1)`)
			e.say(program)
			e.until(`"notifications/progress"`)
			e.in.Close()
		}},
		{"a client that reads no more", nil, func(t *testing.T, e *ending) {
			e.awaitServers()
			e.out.Close()
			e.say(helloFrame)
		}},
		{"a signal", nil, func(t *testing.T, e *ending) {
			e.awaitServers()
			e.Process.Signal(syscall.SIGTERM)
		}},
		{"a signal over HTTP", []string{"--http", "127.0.0.1:0"}, func(t *testing.T, e *ending) {
			e.awaitServers()
			e.awaitLog(`url=(\S+)`)
			e.Process.Signal(syscall.SIGTERM)
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			e := startStubborn(t, c.args...)
			c.do(t, e)
			e.gone()
		})
	}
}

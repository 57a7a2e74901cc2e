//go:build !windows

package client

// This file defines tests of process groups.

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
)

// stubborn ignores everything that asks it to end, and has a child that does so as well.
var stubborn = child("stubborn", &fake{
	tools: named("pids"),
	began: func(*talk) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGPIPE)
		grandchild = exec.Command("sh", "-c", "trap '' TERM; while :; do sleep 1; done")
		grandchild.Stdin, grandchild.Stdout, grandchild.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := grandchild.Start(); err != nil {
			panic(err)
		}
	},
	calls: map[string]func(*talk, message){"pids": func(t *talk, m message) {
		t.reply(m, fmt.Sprintf(`{"structuredContent":[%d,%d]}`, os.Getpid(), grandchild.Process.Pid))
	}},
})

var grandchild *exec.Cmd

func TestTheEndOfAChildIsBounded(t *testing.T) {
	s := stubborn
	s.Env = map[string]string{fakeVariable: "stubborn", stayVariable: "1"}
	c, err := Connect(t.Context(), s, Callbacks{})
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	list, _ := program(t, c).Call("fake.pids").Value.(data.Array)
	for _, v := range list.All() {
		pids = append(pids, int(v.(data.Number).Float64()))
	}
	if len(pids) != 2 {
		t.Fatalf("got %v", list)
	}
	start := time.Now()
	closeClient(t, c)
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
	for _, pid := range pids {
		awaitGone(t, pid)
	}
}

// awaitGone waits until a process has ended, be it only that nobody has asked for its end.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(text), ") Z ") {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("process %d is still there", pid)
}

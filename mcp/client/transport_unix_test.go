//go:build !windows

package client

// This file defines tests of process groups.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
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

// A Close whose context is done ends what cannot be asked to end, and so does
// that of a group.
func TestClosingInAHurryEndsTheChild(t *testing.T) {
	s := stubborn
	s.Env = map[string]string{fakeVariable: "stubborn", stayVariable: "1"}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	closers := map[string]func(context.Context) error{}
	pids := map[string][]int{}
	ask := func(name string, c *Client) {
		list, _ := program(t, c).Call("fake.pids").Value.(data.Array)
		for _, v := range list.All() {
			pids[name] = append(pids[name], int(v.(data.Number).Float64()))
		}
	}
	c, err := Connect(t.Context(), s, Callbacks{})
	if err != nil {
		t.Fatal(err)
	}
	ask("client", c)
	closers["client"] = c.Close
	g := Open(t.Context(), []Server{s}, Callbacks{})
	if err := errors.Join(g.Wait(within(t)), g.Err()); err != nil {
		t.Fatal(err)
	}
	ask("group", g.Clients()[0])
	closers["group"] = g.Close
	hurries := map[string]<-chan struct{}{"client": c.hurry, "group": g.Clients()[0].hurry}
	for name, end := range closers {
		if len(pids[name]) != 2 {
			t.Fatalf("%s: got %v", name, pids)
		}
		if err := end(done); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		select {
		case <-hurries[name]:
		default:
			t.Errorf("%s has patience", name)
		}
		for _, pid := range pids[name] {
			awaitGone(t, pid)
		}
		if err := end(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// parent leaves a process of another group behind, which holds its streams open.
var parent = child("parent", &fake{
	tools: named("orphan", "die"),
	calls: map[string]func(*talk, message){
		"orphan": func(t *talk, m message) {
			orphan := exec.Command("sleep", "60")
			orphan.Stdout, orphan.Stderr = os.Stdout, os.Stderr
			orphan.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			if err := orphan.Start(); err != nil {
				panic(err)
			}
			t.reply(m, fmt.Sprintf(`{"structuredContent":%d}`, orphan.Process.Pid))
		},
		"die": func(t *talk, m message) { os.Exit(7) },
	},
})

func TestTheEndOfAChildIsNoticedInSpiteOfOrphans(t *testing.T) {
	s := parent
	s.Timeout = -1 // nothing else ends the call
	c, err := Connect(t.Context(), s, Callbacks{})
	if err != nil {
		t.Fatal(err)
	}
	p := program(t, c)
	for range 2 {
		pid, ok := p.Call("fake.orphan").Value.(data.Number)
		if !ok {
			t.Fatal("there is no orphan")
		}
		defer syscall.Kill(int(pid.Float64()), syscall.SIGKILL)
	}
	mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.die"), "MCP server fake: it ended with exit status 7 while die ran")
	mustSay(t, troubles(c), "it ended with exit status 7; the next call starts it again")
	if pid, ok := p.Call("fake.orphan").Value.(data.Number); ok {
		defer syscall.Kill(int(pid.Float64()), syscall.SIGKILL)
	}
	closeClient(t, c)
	// While the orphans still hold the streams. The program's scope may keep an idle goroutine, which waits for no stream.
	if err := goleak.Find(goleak.IgnoreTopFunction("github.com/codemode-go/codemode/scope.(*runner).run")); err != nil {
		t.Error(err)
	}
}

func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hurry := make(chan struct{})
		p := &process{exited: make(chan struct{})}
		start := time.Now()
		if p.within(time.Second, hurry) || time.Since(start) != time.Second {
			t.Errorf("it took %v", time.Since(start))
		}
		close(hurry)
		if p.within(time.Second, hurry) || time.Since(start) != time.Second {
			t.Errorf("in a hurry it took %v", time.Since(start))
		}
		close(p.exited)
		if !p.within(time.Second, nil) {
			t.Error("the end was not noticed")
		}
	})
}

package mcp

// This file defines the real servers and the ways to them.

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/codemode-go/codemode/e2e/npm"
	"github.com/codemode-go/codemode/mcp/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var install = sync.OnceValue(func() error { return npm.Install("..") })

// binary is the path of an installed server.
func binary(t testing.TB, name string) string {
	t.Helper()
	if err := install(); err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(filepath.Join("..", "node_modules", ".bin", "mcp-server-"+name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// folder has a text and an image; it is what the file system server serves.
func folder(t testing.TB) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("first\nsecond\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// overStdio are the four servers as child processes.
func overStdio(t testing.TB, dir string) []client.Server {
	return []client.Server{
		{Name: "everything", Command: []string{binary(t, "everything")}},
		{Name: "files", Command: []string{binary(t, "filesystem"), dir}},
		{Name: "memory", Command: []string{binary(t, "memory")}, Env: map[string]string{"MEMORY_FILE_PATH": filepath.Join(t.TempDir(), "memory.jsonl")}},
		{Name: "thinking", Command: []string{binary(t, "sequential-thinking")}},
	}
}

// overHTTP are the four servers over streamable HTTP. One speaks it; the others
// stand behind a bridge.
func overHTTP(t testing.TB, dir string) []client.Server {
	servers := overStdio(t, dir)
	for i, s := range servers {
		url := ""
		if s.Name == "everything" {
			url = serveEverything(t, s.Command[0])
		} else {
			url = bridge(t, s)
		}
		servers[i] = client.Server{Name: s.Name, URL: url, Transport: client.StreamableHTTP}
	}
	return servers
}

// serveEverything starts the server that speaks HTTP itself.
func serveEverything(t testing.TB, path string) string {
	t.Helper()
	port := freePort(t)
	t.Cleanup(startEverything(t, path, port))
	return fmt.Sprintf("http://127.0.0.1:%d/mcp", port)
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// startEverything waits until the server listens.
func startEverything(t testing.TB, path string, port int) (stop func()) {
	t.Helper()
	cmd := exec.Command(path, "streamableHttp")
	cmd.Env = append(os.Environ(), fmt.Sprint("PORT=", port))
	ready := make(chan struct{})
	cmd.Stderr = &watcher{text: "listening", found: sync.OnceFunc(func() { close(ready) })}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	select {
	case <-ready:
	case <-time.After(30 * time.Second):
		stop()
		t.Fatal("the server does not listen")
	}
	return stop
}

// watcher calls found when a text has been written to it.
type watcher struct {
	text, seen string
	found      func()
}

func (w *watcher) Write(p []byte) (int, error) {
	w.seen += string(p)
	if strings.Contains(w.seen, w.text) {
		w.found()
	}
	return len(p), nil
}

// direct is a session of the SDK alone with a server as a child process.
func direct(t testing.TB, s client.Server, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	cmd.Env = os.Environ()
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "direct", Version: "1"}, options).
		Connect(context.WithoutCancel(t.Context()), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cs.Close() })
	return cs
}

// bridge offers a server's tools over streamable HTTP.
func bridge(t testing.TB, s client.Server) string {
	t.Helper()
	inner := direct(t, s, nil)
	outer := mcp.NewServer(&mcp.Implementation{Name: s.Name, Version: "1"}, nil)
	for tool, err := range inner.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		outer.AddTool(tool, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return inner.CallTool(ctx, &mcp.CallToolParams{Name: r.Params.Name, Arguments: json.RawMessage(r.Params.Arguments)})
		})
	}
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return outer }, nil))
	t.Cleanup(server.Close)
	return server.URL
}

// opened is a group of servers, all of which are there.
func opened(t testing.TB, servers []client.Server, callbacks client.Callbacks) *client.Group {
	t.Helper()
	g := client.Open(t.Context(), servers, callbacks)
	t.Cleanup(func() {
		if err := g.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := g.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	return g
}

// Package gateway tests the command serve with the peers that others have made: the public inspector's command line, the
// protocol's conformance scenarios, and real servers behind it.
package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/codemode-go/codemode/e2e/npm"
)

// modules is where npm has put the peers.
const modules = "../node_modules"

// prepare installs the peers and builds the command, once.
var prepare = sync.OnceValues(func() (string, error) {
	if err := npm.Install(".."); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "codemode-e2e")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "codemode")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.Command("go", "build", "-o", binary, "./cmd/codemode")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if binary, err := prepare(); err == nil {
		os.RemoveAll(filepath.Dir(binary))
	}
	os.Exit(code)
}

func binary(t *testing.T) string {
	t.Helper()
	path, err := prepare()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// realServers is a configuration with four servers. Their command lines have mark in them.
func realServers(t *testing.T) (file, mark string) {
	t.Helper()
	mark = t.TempDir()
	root, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	entry := func(name string, args ...string) map[string]any {
		return map[string]any{"command": "node", "args": append([]string{filepath.Join(root, "@modelcontextprotocol", "server-"+name, "dist", "index.js")}, args...),
			"env": map[string]string{"MEMORY_FILE_PATH": filepath.Join(mark, "memory.json")}}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"everything": entry("everything", "stdio", mark), "files": entry("filesystem", mark), "memory": entry("memory", mark), "thinking": entry("sequential-thinking", mark),
	}})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(mark, "mcp.json")
	for name, text := range map[string]string{file: string(text), filepath.Join(mark, "note.txt"): "a note\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file, mark
}

// serve starts the command over HTTP and returns its address.
func serve(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary(t), append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if runtime.GOOS == "windows" {
			cmd.Process.Kill()
		} else {
			cmd.Process.Signal(syscall.SIGTERM)
		}
		if err := cmd.Wait(); err != nil && runtime.GOOS != "windows" {
			t.Errorf("serve ended with %v", err)
		}
	})
	address := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if m := regexp.MustCompile(`url=(\S+)`).FindStringSubmatch(lines.Text()); m != nil {
				address <- m[1]
			}
		}
	}()
	select {
	case url := <-address:
		return url
	case <-time.After(30 * time.Second):
		t.Fatal("it does not listen")
	}
	return ""
}

// inspector runs the inspector's command line and decodes what it prints.
func inspector(t *testing.T, into any, args ...string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "node", append([]string{filepath.Join(modules, "@modelcontextprotocol", "inspector", "cli", "build", "cli.js"), "--cli"}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("inspector %v: %v\n%s", args, err, out)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

type result struct {
	IsError           bool
	Content           []struct{ Type, Text, MIMEType string }
	StructuredContent struct {
		OK    bool
		Value any
		Calls []struct{ Path, Status string }
	}
}

// script is what the peer does with a server at a target: list the tools, run a program, run one that fails.
func script(t *testing.T, code, want string, target ...string) {
	t.Helper()
	var list struct {
		Tools []struct {
			Name, Description string
			InputSchema       struct{ Required []string }
		}
	}
	inspector(t, &list, append(target, "--method", "tools/list")...)
	if len(list.Tools) == 0 || list.Tools[0].Name != "execute" || len(list.Tools[0].InputSchema.Required) != 1 || !strings.Contains(list.Tools[0].Description, "## Available tools") {
		t.Errorf("got %+v", list)
	}
	var r result
	inspector(t, &r, append(target, "--method", "tools/call", "--tool-name", "execute", "--tool-arg", "code="+code)...)
	value, _ := json.Marshal(r.StructuredContent.Value)
	if r.IsError || !r.StructuredContent.OK || string(value) != want {
		t.Errorf("got %+v, want %s", r, want)
	}
	r = result{}
	inspector(t, &r, append(target, "--method", "tools/call", "--tool-name", "execute", "--tool-arg", "code=throw new Error('on purpose')")...)
	if !r.IsError || !strings.HasPrefix(r.Content[0].Text, "ExecutionFailure: Error: on purpose") {
		t.Errorf("got %+v", r)
	}
}

const (
	demoProgram = "return (await tools.repos.list()).map((r) => r.name).includes('harbor/gateway')"
	realProgram = `const [sum, note, graph] = await Promise.all([tools.everything["get-sum"]({ a: 20, b: 22 }), tools.files.read_text_file({ path: "MARK/note.txt" }), tools.memory.read_graph()]);` +
		` await tools.thinking.sequentialthinking({ thought: "x", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false });` +
		` return [sum.includes("42"), note.content, graph.entities.length, Object.keys(tools).sort().join(" ")]`
	realValue = `[true,"a note\n",0,"everything files memory thinking"]`
)

func TestInspectorOverDemo(t *testing.T) {
	t.Run("stdio", func(t *testing.T) { script(t, demoProgram, "true", binary(t), "serve") })
	t.Run("http", func(t *testing.T) { script(t, demoProgram, "true", serve(t), "--transport", "http") })
	t.Run("stateless http", func(t *testing.T) { script(t, demoProgram, "true", serve(t, "--stateless"), "--transport", "http") })
}

func TestInspectorOverRealServers(t *testing.T) {
	file, mark := realServers(t)
	program := strings.Replace(realProgram, "MARK", filepath.ToSlash(mark), 1)
	for name, args := range map[string][]string{"http": {"--config", file}, "stateless http": {"--config", file, "--stateless"}} {
		t.Run(name, func(t *testing.T) { script(t, program, realValue, serve(t, args...), "--transport", "http") })
	}
	t.Run("stdio", func(t *testing.T) {
		// The inspector reads flags of its own after --, so the command stands in a file of its form.
		own, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"ours": map[string]any{"command": binary(t), "args": []string{"serve", "--config", file}}}})
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(mark, "inspector.json")
		if err := os.WriteFile(target, own, 0o600); err != nil {
			t.Fatal(err)
		}
		script(t, program, realValue, "--config", target, "--server", "ours")
	})
	left(t, mark)
}

// left fails if a process goes on that has the mark in its command line.
func left(t *testing.T, mark string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	deadline := time.Now().Add(3 * time.Second)
	for {
		var found []string
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, f := range files {
			if line, err := os.ReadFile(f); err == nil && strings.Contains(string(line), mark) {
				found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
		if len(found) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("left behind: %v", found)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// After the end of standard input everything ends, the servers behind included, also while they start and while a call
// of theirs runs.
func TestEndOfInput(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}` + "\n"
	for name, frames := range map[string]string{
		"while they start":   hello,
		"while a call runs":  hello + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n",
		"when nothing is up": "",
	} {
		t.Run(name, func(t *testing.T) {
			file, mark := realServers(t)
			cmd := exec.Command(binary(t), "serve", "--config", file)
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(stdin, frames)
			lines := bufio.NewScanner(stdout)
			lines.Buffer(nil, 1<<20)
			for range strings.Count(frames, "\n") {
				if !lines.Scan() || !json.Valid(lines.Bytes()) {
					t.Errorf("not a frame: %s", lines.Text())
				}
			}
			if strings.Count(frames, "\n") == 2 {
				fmt.Fprintln(stdin, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"execute","arguments":{"code":"await tools.everything['trigger-long-running-operation']({ duration: 60, steps: 3 })"}}}`)
				for lines.Scan() && !strings.Contains(lines.Text(), `"notifications/progress"`) {
				}
			}
			start := time.Now()
			stdin.Close()
			for lines.Scan() {
				if !json.Valid(lines.Bytes()) {
					t.Errorf("not a frame: %s", lines.Text())
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
			took := time.Since(start)
			t.Logf("the end took %v", took)
			if took > 3*time.Second {
				t.Errorf("the end took %v, want at most 3 s", took)
			}
			left(t, mark)
		})
	}
}

func TestConformance(t *testing.T) {
	for name, args := range map[string][]string{"with sessions": nil, "stateless": {"--stateless"}} {
		url := serve(t, args...)
		for _, scenario := range []string{"server-initialize", "ping", "tools-list", "server-sse-multiple-streams"} {
			if args != nil && scenario == "server-sse-multiple-streams" { // is about sessions
				continue
			}
			ctx, stop := context.WithTimeout(context.Background(), time.Minute)
			out, err := exec.CommandContext(ctx, "node", filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"), "server", "--url", url, "--scenario", scenario).CombinedOutput()
			stop()
			if err != nil || !strings.Contains(string(out), "0 failed, 0 warnings") || strings.Contains(string(out), "Passed: 0") {
				t.Errorf("%s, %s: %v\n%s", name, scenario, err, out)
			}
		}
	}
}

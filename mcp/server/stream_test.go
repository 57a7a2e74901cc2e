package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/mcp/server"
	"github.com/codemode-go/codemode/registry"
)

const childMode = "CODEMODE_TEST_CHILD"

// child serves the fixture's tools over standard input and output, as a process of its own.
func child() {
	r, err := registry.New(registry.Options{Runtime: server.DefaultRuntime()})
	if err != nil {
		panic(err)
	}
	f := &fixture{registry: r, running: map[string]int{}, release: make(chan struct{})}
	if _, err := r.Register(f.tools(), registry.Deferred); err != nil {
		panic(err)
	}
	if f.server, err = server.New(r, server.Options{}); err != nil {
		panic(err)
	}
	err = f.server.ServeStream(context.Background(), os.Stdin, os.Stdout)
	ctx, stop := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer stop()
	fmt.Fprintln(os.Stderr, "served", err, f.server.Close(ctx))
}

func childCommand(t *testing.T) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childMode+"=1")
	return cmd
}

func TestProcess(t *testing.T) {
	for _, era := range []string{older, newer} {
		f := &fixture{t: t}
		p := &person{answer: accepting("Ann")}
		session := f.connect(era, p.options(), &mcp.CommandTransport{Command: childCommand(t)})
		if r := run(t, session, `return [await tools.ask({ to: "x" }), await tools.ask({ to: "y" })]`); toJSON(r.content["value"]) != `["accept Ann","accept Ann"]` {
			t.Errorf("%+v", r)
		}
		start := time.Now()
		session.Close()
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("the end took %v", took)
		}
	}
}

// lines has a process of the server answer lines and then closes its input; it returns the lines it wrote. within bounds the
// time from there to its end.
func lines(t *testing.T, in string, within time.Duration) (out []map[string]any) {
	t.Helper()
	cmd := childCommand(t)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr lockedBuffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, in); err != nil {
		t.Error(err)
	}
	if in != "" {
		eventually(t, "the first answer", func() bool { return stdout.String() != "" })
	}
	start := time.Now()
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, stderr.String())
	}
	if took := time.Since(start); took > within {
		t.Errorf("the end took %v, want at most %v", took, within)
	}
	s := bufio.NewScanner(strings.NewReader(stdout.String()))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var frame map[string]any
		if err := json.Unmarshal(s.Bytes(), &frame); err != nil || frame["jsonrpc"] != "2.0" {
			t.Errorf("not a frame: %.200s", s.Text())
		}
		out = append(out, frame)
	}
	return out
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func executing(id int, code string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"execute","arguments":{"code":%q}}}`, id, code) + "\n"
}

// What is no message costs nothing but itself, and what was asked before the end is answered.
func TestLines(t *testing.T) {
	junk := "hello there\n\n\r\n[]\n[1]\n{\"jsonrpc\":\"1.0\",\"id\":5,\"method\":\"ping\"}\n{\"id\":\"six\"}\n[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}]\n{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}\n" +
		"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":\"" + strings.Repeat("x", 17<<20) + "\"}\n\xff\xfe\n"
	frames := lines(t, junk+hello+strings.ReplaceAll(junk, strings.Repeat("x", 17<<20), "x")+executing(2, `console.log("out"); return 42`)+`{"jsonrpc":"2.0","id":3,"method":"ping"}`, 3*time.Second)
	got := map[string]int{}
	for _, f := range frames {
		kind := "result"
		if f["error"] != nil {
			kind = "error"
		}
		got[fmt.Sprint(kind, f["id"])]++
	}
	want := map[string]int{"error<nil>": 10, "error5": 2, "errorsix": 2, "error7": 2, "error8": 2, "result1": 1, "result2": 1, "result3": 1}
	if toJSON(got) != toJSON(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// After the end of the input everything ends, whatever runs.
func TestEndOfInput(t *testing.T) {
	for _, code := range []string{`for (;;);`, `await tools.hang({ to: "x" })`, `await tools.deaf()`, `await tools.ask({ to: "x" })`} {
		lines(t, hello+executing(2, code), 3*time.Second)
	}
	lines(t, "", 2*time.Second)
}

// A client that does not read cannot keep the server from ending.
func TestClientThatDoesNotRead(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	_, stuck := io.Pipe()
	defer stuck.Close()
	done := make(chan error, 1)
	go func() {
		done <- f.server.ServeStream(context.Background(), strings.NewReader(hello+executing(2, `return "x".repeat(60000)`)), stuck)
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(3 * time.Second):
		t.Error("it did not end")
	}
	stuck.CloseWithError(io.ErrClosedPipe)
}

func TestBrokenStream(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	if err := f.server.ServeStream(context.Background(), iotest.ErrReader(io.ErrUnexpectedEOF), io.Discard); err == nil || err.Error() != "server: the input broke: unexpected EOF" {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	in, end := io.Pipe()
	defer end.Close()
	done := make(chan error, 1)
	go func() { done <- f.server.ServeStream(ctx, in, io.Discard) }()
	stop()
	if err := <-done; err != context.Canceled {
		t.Error(err)
	}
}

// Ids come back as they were written, and what is no message is answered as far as it says whom to answer.
func TestIDs(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	for _, c := range []struct{ line, id, kind string }{
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `9007199254740993`, "result"},
		{`{"jsonrpc":"2.0","id":1e20,"method":"ping"}`, `1e20`, "result"},
		{`{"jsonrpc":"2.0","method":"ping","id": -1.5}`, `-1.5`, "result"},
		{`{"jsonrpc":"2.0","id":"a\"b\u0000","method":"ping"}`, `"a\"b\u0000"`, "result"},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":` + deep + `}`, `4`, "error"},
		{`{"jsonrpc":"2.0","method":"tools/call","params":{"id":"inner","a":` + deep + `},"id":"after"}`, `"after"`, "error"},
		{`{"jsonrpc":"2.0","method":"tools/call","params":"` + strings.Repeat(`\"id\":7,`, 3<<20) + `","id":8}`, `8`, "error"},
		{`{"jsonrpc":"2.0","id":10,"method":"ping"} {"jsonrpc":"2.0","id":11,"method":"ping"}`, `10 11`, "error"},
		{`{"jsonrpc":"2.0","id":12,"method":"ping"`, `12`, "error"},
		{`{"id":`, `null`, "error"},
		{`{"jsonrpc":"2.0","id":[13],"method":"ping"}`, `null`, "error"},
	} {
		var out lockedBuffer
		if err := f.server.ServeStream(context.Background(), strings.NewReader(hello+c.line+"\n"), &out); err != nil {
			t.Error(err)
		}
		var ids []string
		for line := range strings.Lines(out.String()) {
			var m map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Errorf("%.100s: %v", line, err)
			}
			if m[c.kind] != nil && string(m["id"]) != "1" {
				ids = append(ids, string(m["id"]))
			}
		}
		if got := strings.Join(ids, " "); got != c.id {
			t.Errorf("%.80s: got the ids %s, want %s", c.line, got, c.id)
		}
	}
}

// A request whose id only a text can hold is cancelled by that id.
func TestCancelByExactID(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	in, input := io.Pipe()
	var out lockedBuffer
	done := make(chan error, 1)
	go func() { done <- f.server.ServeStream(context.Background(), in, &out) }()
	io.WriteString(input, hello+strings.Replace(executing(2, `await tools.hang({ to: "x" })`), `"id":2`, `"id":9007199254740993`, 1))
	eventually(t, "it runs", func() bool { return f.counted("x") == 1 })
	io.WriteString(input, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`+"\n")
	eventually(t, "it ends", func() bool { return f.counted("x") == 0 })
	input.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// invoke runs the command in this process.
func invoke(t *testing.T, ctx context.Context, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = execute(ctx, args, streams{in: strings.NewReader(stdin), out: &o, err: &e})
	return code, o.String(), e.String()
}

func TestCommandLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.ts")
	if err := os.WriteFile(file, []byte("const n: number = 20 + 1;\nreturn n * 2"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args      []string
		stdin     string
		code      int
		out, errs string // what they contain; "" is empty for out
	}{
		{args: []string{"run", file}, out: "42\n"},
		{args: []string{"run", "-"}, stdin: "return 7", out: "7\n"},
		{args: []string{"run", "-e", "console.log('hi'); return input.a", "--input", `{"a":[1]}`}, out: "[\n  1\n]\n", errs: "hi\n"},
		{args: []string{"run", "-e", "const a = 1;\nthrow new TypeError('no')"}, code: 1, errs: "2 | throw new TypeError('no')"},
		{args: []string{"run", "-e", "let a = ;"}, code: 1, errs: "ParseError"},
		{args: []string{"run", "-e", "for (;;);", "--timeout", "50ms"}, code: 3, errs: "TimeoutExceeded"},
		{args: []string{"run", "-e", "await tools.repos.list(); await tools.repos.list()", "--max-calls", "1"}, code: 3, errs: "1 completed, 1 not started"},
		{args: []string{"run", "-e", "return 'x'.repeat(99)", "--max-output", "20"}, out: "\"\\\"xxx", errs: "note: "},
		{args: []string{"run", "-e", "return tools.issues.get({repo: 'harbor/gateway', number: 99})"}, code: 1, errs: "harbor/gateway has no issue 99"},
		{args: []string{"check", file}},
		{args: []string{"check", "-e", "import x from 'y'"}, code: 1, errs: "UnsupportedSyntax"},
		{args: []string{"run"}, code: 2, errs: "no program"},
		{args: []string{"run", "/nonexistent/file"}, code: 2, errs: "no such file"},
		{args: []string{"run", "-e", "1", file}, code: 2, errs: "not both"},
		{args: []string{"run", "-e", "1", "--input", "{"}, code: 2, errs: "--input is not JSON"},
		{args: []string{"run", "-e", "1", "--max-calls=-3"}, code: 2, errs: "--max-calls: got -3"},
		{args: []string{"run", "-e", "1", "--timeout=-3s"}, code: 2, errs: "--timeout: got -3s"},
		{args: []string{"bogus"}, code: 2, errs: "bogus"},
		{args: []string{"--version"}, out: "codemode "},
		{args: []string{"--help"}, out: "Usage: codemode"},
	} {
		code, out, errs := invoke(t, context.Background(), test.stdin, test.args...)
		if code != test.code || !strings.Contains(out, test.out) || test.out == "" && out != "" || !strings.Contains(errs, test.errs) {
			t.Errorf("%q: code %d, want %d\n%s\n%s", test.args, code, test.code, out, errs)
		}
	}
}

func TestJSON(t *testing.T) {
	code, out, errs := invoke(t, context.Background(), "", "run", "--json", "-e", "console.log('a'); await tools.users.list({team: 'web'}); throw new Error('x')")
	var r struct {
		OK    bool
		Error struct {
			Kind     string
			Location struct{ Line, Column int }
		}
		Logs  []struct{ Level, Text string }
		Calls []struct{ Path, Status string }
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 1 || errs != "" {
		t.Fatal(err, code, out, errs)
	}
	if r.OK || r.Error.Kind != "ExecutionFailure" || r.Error.Location.Line != 1 || r.Logs[0].Text != "a" || r.Calls[0].Path != "tools.users.list" || r.Calls[0].Status != "completed" {
		t.Errorf("got %s", out)
	}
}

// trigger is a writer that acts when it has seen a text.
type trigger struct {
	seen bytes.Buffer
	text string
	act  func()
}

// Write implements io.Writer.
func (w *trigger) Write(p []byte) (int, error) {
	n, err := w.seen.Write(p)
	if strings.Contains(w.seen.String(), w.text) {
		w.act()
	}
	return n, err
}

func TestInterruption(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := &trigger{text: "< completed", act: cancel}
	s := streams{in: strings.NewReader(""), out: &bytes.Buffer{}, err: w, terminal: true}
	code := execute(ctx, []string{"run", "-e", "console.log('begun'); await tools.repos.list(); for (;;);"}, s)
	if code != exitInterrupted || !strings.Contains(w.seen.String(), "begun\n") || !strings.Contains(w.seen.String(), "interrupted\n") {
		t.Errorf("code %d, %s", code, &w.seen)
	}
}

func TestLiveCalls(t *testing.T) {
	var e bytes.Buffer
	s := streams{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &e, terminal: true}
	execute(context.Background(), []string{"run", "-e", `await tools.users.get({login: "x\x1b[2J\u009b2J"})`}, s)
	if got := e.String(); !strings.Contains(got, "1 > tools.users.get(") || !strings.Contains(got, "1 < failed") || strings.ContainsAny(got, "\x1b\u009b") {
		t.Errorf("%q", got)
	}
}

// TestBinary builds the command and runs it as a user does.
func TestBinary(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "codemode.exe")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(bin, "run", "-e", "return (await tools.repos.list()).length").Output()
	if err != nil || string(out) != "5\n" {
		t.Errorf("got %q %v", out, err)
	}
}

type triage struct {
	Open, Unassigned int
	ByLabel          map[string]int
	Urgent           []struct {
		Issue, Title, Labels, Assignee string
		Score                          int
		LastWord                       *string
	}
}

// recorded is the demo data as the file has it, for expectations that do not go through the tools.
func recorded(t *testing.T) (issues []struct {
	Repo, State string
	Number      int
	Assignee    *string
	Labels      []string
	Comments    []struct{ Body string }
}) {
	t.Helper()
	text, err := os.ReadFile("internal/demo/data.json")
	if err != nil {
		t.Fatal(err)
	}
	file := struct{ Issues any }{&issues}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return issues
}

func TestTriageExample(t *testing.T) {
	code, out, errs := invoke(t, context.Background(), "", "run", "../../examples/triage.ts")
	var got triage
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatal(code, err, out, errs)
	}
	open, unassigned, bugs := 0, 0, 0
	for _, i := range recorded(t) {
		if i.State != "open" {
			continue
		}
		open++
		if i.Assignee == nil {
			unassigned++
		}
		for _, l := range i.Labels {
			if l == "bug" {
				bugs++
			}
		}
	}
	if got.Open != open || got.Unassigned != unassigned || got.ByLabel["bug"] != bugs || len(got.Urgent) != 8 {
		t.Errorf("got %+v, want %d open, %d unassigned, %d bugs", got, open, unassigned, bugs)
	}
	for i, u := range got.Urgent {
		if i > 0 && u.Score > got.Urgent[i-1].Score {
			t.Errorf("not sorted: %+v", got.Urgent)
		}
	}
}

func TestHandoverExample(t *testing.T) {
	code, out, errs := invoke(t, context.Background(), "", "run", "../../examples/handover.ts", "--input", `{"from": "tkowal"}`)
	var got struct {
		From  string
		Moved []struct{ Issue, To string }
		Left  []string
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatal(code, err, out, errs)
	}
	want := 0
	for _, i := range recorded(t) {
		if i.State == "open" && i.Assignee != nil && *i.Assignee == "tkowal" {
			want++
		}
	}
	if got.From != "Tomasz Kowal" || len(got.Moved) != want || want == 0 || len(got.Left) != 0 || got.Moved[0].To != "mlin" {
		t.Errorf("got %+v, want %d moved", got, want)
	}
}

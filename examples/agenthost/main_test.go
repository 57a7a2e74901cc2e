package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const printed = `call_1 calls notes_add
  call_1 tools.notes.add running
  note: looking at broken orders
  call_1 tools.notes.add completed
call_1 gives:
null (no value)
call_2 calls execute
  call_2/1 tools.shop.list running
  call_2/1 tools.shop.list completed
call_2 gives:
ExecutionFailure: TypeError: orders.filter is not a function; orders is { items: Array(3) }: use orders.items.filter(…)
  --> 3:15
  |
3 | return orders.filter((o) => o.state === "broken");
  |               ^^^^^^

Calls, in order:
1. tools.shop.list(): completed
call_3 calls execute
  call_3/1 tools.shop.list running
  call_3/1 tools.shop.list completed
  call_3/2 tools.shop.refund running
  call_3/2 tools.shop.refund waiting
  asked: tools.shop.refund{"id":3}, money leaves the house? true
  call_3/2 tools.shop.refund running
  call_3/2 tools.shop.refund completed
  call_3/3 tools.shop.refund running
  call_3/3 tools.shop.refund waiting
  asked: tools.shop.refund{"id":7}, money leaves the house? false
  call_3/3 tools.shop.refund not_started
  call_3/4 tools.shop.report running
  call_3/4 tools.shop.report completed
call_3 gives:
{
  "file": "broken-orders.txt",
  "lines": [
    "Acme: 120 paid back",
    "Borea: tools.shop.refund was not called: permission was asked for and refused: Borea is in court with us"
  ]
}

Attachments:
- broken-orders.txt, text/plain, 124 bytes
told: The tools have changed.
For programs of execute:
Added:
  - tools.mail.send(input: { to: string; text: string }): Promise<string> // Send mail
call_4 calls execute
  call_4/1 tools.mail.send running
  call_4/1 tools.mail.send not_started
  call_4/2 tools.mail.send running
  call_4/2 tools.mail.send completed
call_4 gives:
[
  "tools.mail.send was not called: the host does not allow this call: mail goes to addresses of the shop only",
  "sent 31 bytes to ann@shop.example",
  false
]
answer: Acme is paid back, Borea is not; the report is attached.
`

func TestRun(t *testing.T) {
	var b bytes.Buffer
	if err := run(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	if b.String() != printed {
		t.Errorf("got\n%s", b.String())
	}
}

// What the model is sent with each request.
func TestWhatTheModelGets(t *testing.T) {
	model := script()
	h, err := newHost(context.Background(), model, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.register(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.answer(context.Background(), "Do it."); err != nil {
		t.Fatal(err)
	}
	for i, tools := range model.tools {
		if len(tools) != 2 || tools[0].Name != "notes_add" || tools[1].Name != "execute" {
			t.Errorf("request %d has %v", i, tools)
		}
		text := tools[1].Description
		if !strings.Contains(text, "tools.shop.list(): Promise<") || strings.Contains(text, "wipe") || strings.Contains(text, "tools.mail.send") != (i >= 2) {
			t.Errorf("request %d is told of\n%s", i, text)
		}
	}
	last := model.seen[3]
	var roles []string
	for _, m := range last {
		roles = append(roles, m.Role)
		if (len(m.Files) > 0) != (m.CallID == "call_3") || m.IsError != (m.CallID == "call_2") {
			t.Errorf("the message %+v", m)
		}
		if m.CallID == "call_3" && !strings.HasPrefix(string(m.Files[0].Data), "Acme: 120 paid back\nBorea: ") {
			t.Errorf("the file is %s", m.Files[0].Data)
		}
	}
	if want := strings.Fields("user assistant tool tool assistant tool system assistant tool"); !slices.Equal(roles, want) {
		t.Errorf("the conversation is %v", roles)
	}
	h.session.Close(scope.Exit{})
	snapshot, err := h.registry.Snapshot(registry.Step{})
	if err != nil || len(snapshot.Tools()) != 0 {
		t.Errorf("after the session there are %v, %v", snapshot.Tools(), err)
	}
}

// The Go code that the documentation shows is code of this folder.
func TestDocumentationQuotesThisCode(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "embedding.md"))
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, pattern := range []string{"*.go", "../quickstart/main.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(file)
		}
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	blocks := strings.Split(string(text), "```go\n")[1:]
	if len(blocks) < 8 {
		t.Errorf("only %d blocks of Go", len(blocks))
	}
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		for part := range strings.SplitSeq(block, "\n\n") {
			if !strings.Contains(squeeze(code.String()), squeeze(part)) {
				t.Errorf("not in this folder:\n%s", part)
			}
		}
	}
	// What the documentation says is printed is printed.
	for _, block := range strings.Split(string(text), "```text\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		if !strings.Contains(printed, block) {
			t.Errorf("not printed:\n%s", block)
		}
	}
}

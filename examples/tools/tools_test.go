package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

func calls(t *testing.T) *tooltest.Program {
	t.Helper()
	tracker := sample()
	tracker.issues["acme/db"] = []Issue{{Number: 9, Title: "Locked", State: "open"}}
	tree, err := tracker.tools()
	if err != nil {
		t.Fatal(err)
	}
	return tooltest.New(t, tree)
}

func TestClose(t *testing.T) {
	p := calls(t)
	issue := tooltest.Result[Issue](p, "issues.close", CloseIn{IssueIn: IssueIn{Repo: "acme/api", Number: 2}})
	if issue.State != "closed" || *issue.Closed != "you" {
		t.Errorf("got %+v", issue)
	}
	message := p.Fails(diagnostics.ToolFailure, "issues.close", map[string]any{"repo": "acme/api", "number": 99})
	if message != "there is no issue 99 in acme/api" {
		t.Errorf("got %s", message)
	}
	message = p.Fails(diagnostics.InvalidToolInput, "issues.close", map[string]any{"repo": "acme/api", "number": "2"})
	if !strings.Contains(message, `input.number: expected integer, got string "2"`) {
		t.Errorf("got %s", message)
	}
}

func TestInternalsStayInside(t *testing.T) {
	o := calls(t).Call("issues.close", CloseIn{IssueIn: IssueIn{Repo: "acme/db", Number: 9}})
	if o.Failure == nil || strings.Contains(o.Failure.Message, "db-7") {
		t.Errorf("the program is told %v", o.Failure)
	}
	if !errors.Is(o.Cause, errLocked) {
		t.Errorf("the host is told %v", o.Cause)
	}
}

func TestExport(t *testing.T) {
	p := calls(t)
	name := tooltest.Result[string](p, `tools.issues["export-file"]`, IssueIn{Repo: "acme/api", Number: 1})
	if a := p.Attachments(); len(a) != 1 || a[0].Name != name {
		t.Errorf("got %v", a)
	}
}

const printed = `tools.issues.close(input: { repo: string; number: number; comment?: string }): Promise<{ number: number; title: string; state: "open" | "closed"; labels: string[]; closed: string | null; comments?: string[] }>
tools.issues["export-file"](input: { repo: string; number: number }): Promise<string>
tools.issues.labels(input: { repo: string; prefix?: string }): Promise<unknown>
tools.issues.list(input: { repo: string; state?: "open" | "closed"; limit?: number }): Promise<{ number: number; title: string; state: "open" | "closed"; labels: string[]; closed: string | null; comments?: string[] }[]>
tools.web.fetch(input: string): Promise<string>
["Crash on start closed","Typo closed"]
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

func TestDeclaration(t *testing.T) {
	tree, err := sample().tools()
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := tool.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range catalog.All() {
		if e.Expression == "tools.issues.list" && !strings.Contains(string(text), e.Declaration()) {
			t.Errorf("docs/tools.md does not show\n%s", e.Declaration())
		}
	}
}

// The Go code that the documentation shows is code of this folder.
func TestDocumentationQuotesThisCode(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(file)
	}
	blocks := strings.Split(string(text), "```go\n")[1:]
	if len(blocks) < 5 {
		t.Errorf("only %d blocks of Go", len(blocks))
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		for part := range strings.SplitSeq(block, "\n\n") {
			if !strings.Contains(squeeze(code.String()), squeeze(part)) {
				t.Errorf("not in this folder:\n%s", part)
			}
		}
	}
}

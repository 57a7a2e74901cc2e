package diagnostics_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
)

func TestFromFindsTheClassifiedErrorAndHidesOthers(t *testing.T) {
	d := diagnostics.Diagnostic{Kind: diagnostics.UnknownTool, Message: "no tool", Origin: diagnostics.OriginTool}
	if got := diagnostics.From(fmt.Errorf("outer: %w", errors.Join(errors.New("x"), d))); got.Message != "no tool" {
		t.Errorf("wrapped: %+v", got)
	}
	got := diagnostics.From(errors.New("pq: password authentication failed for /etc/secret"))
	if got.Kind != diagnostics.ExecutionFailure || got.Origin != diagnostics.OriginHost || strings.Contains(got.Message, "secret") {
		t.Errorf("plain: %+v", got)
	}
	if got := diagnostics.From(nil); got.Kind != "" {
		t.Errorf("nil: %+v", got)
	}
}

func TestJSONFormLeavesOutWhatIsAbsent(t *testing.T) {
	text, _ := json.Marshal(diagnostics.Diagnostic{Kind: diagnostics.ParseError, Message: "m"})
	if string(text) != `{"kind":"ParseError","message":"m"}` {
		t.Errorf("%s", text)
	}
	text, _ = json.Marshal(diagnostics.Diagnostic{Kind: diagnostics.ParseError, Message: "m",
		Location: diagnostics.Location{Line: 2, Column: 3, EndColumn: 9}, Suggestions: []string{"s"}})
	if string(text) != `{"kind":"ParseError","message":"m","location":{"line":2,"column":3,"endColumn":9},"suggestions":["s"]}` {
		t.Errorf("%s", text)
	}
}

func TestRelatedIsBounded(t *testing.T) {
	d := diagnostics.Diagnostic{}.WithRelated(make([]diagnostics.Diagnostic, 33))
	if len(d.Related) != 20 || d.RelatedCount != 33 {
		t.Errorf("%d of %d", len(d.Related), d.RelatedCount)
	}
	if !strings.Contains(diagnostics.Render("", d), "and 13 more") {
		t.Error("the excess is not mentioned")
	}
}

func TestEveryKindHasARow(t *testing.T) {
	seen := map[diagnostics.Kind]bool{}
	for _, row := range diagnostics.Kinds() {
		if seen[row.Kind] || row.When == "" || row.Next == "" {
			t.Errorf("%+v", row)
		}
		seen[row.Kind] = true
	}
	if len(seen) != 11 || !seen[diagnostics.ExecutionFailure] {
		t.Errorf("%d kinds", len(seen))
	}
}

func TestCodeFrame(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		at     diagnostics.Location
		want   []string
	}{
		"plain": {"let a = 1\nlet b = ;\n", diagnostics.Location{Line: 2, Column: 9, EndColumn: 10},
			[]string{"  --> 2:9", "  |", "2 | let b = ;", "  |         ^"}},
		"CRLF and range": {"a\r\nfoo(bar)\r\n", diagnostics.Location{Line: 2, Column: 5, EndColumn: 8},
			[]string{"  --> 2:5", "  |", "2 | foo(bar)", "  |     ^^^"}},
		"tab": {"\tx", diagnostics.Location{Line: 1, Column: 2},
			[]string{"  --> 1:2", "  |", "1 |     x", "  |     ^"}},
		"wide": {"漢😀x", diagnostics.Location{Line: 1, Column: 4, EndColumn: 5},
			[]string{"  --> 1:4", "  |", "1 | 漢😀x", "  |     ^"}},
		"end of line": {"ab", diagnostics.Location{Line: 1, Column: 3},
			[]string{"  --> 1:3", "  |", "1 | ab", "  |   ^"}},
		"to a later line": {"f(`a\nb`)", diagnostics.Location{Line: 1, Column: 3, EndLine: 2, EndColumn: 3},
			[]string{"  --> 1:3", "  |", "1 | f(`a", "  |   ^^"}},
		"beyond the text": {"x", diagnostics.Location{Line: 9, Column: 1}, []string{"  --> 9:1"}},
	} {
		got := diagnostics.Render(c.source, diagnostics.Diagnostic{Kind: "K", Message: "m", Location: c.at})
		if want := "K: m\n" + strings.Join(c.want, "\n") + "\n"; got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestLongLinesAreClippedAroundThePlace(t *testing.T) {
	source := strings.Repeat("a", 500) + "HERE" + strings.Repeat("b", 500)
	got := diagnostics.Render(source, diagnostics.Diagnostic{Location: diagnostics.Location{Line: 1, Column: 501, EndColumn: 505}})
	lines := strings.Split(got, "\n")
	code, caret := []rune(lines[3]), []rune(lines[4])
	from := strings.IndexRune(string(caret), '^')
	if len(code) > 120 || string(code[from:from+4]) != "HERE" || !strings.HasSuffix(string(caret), " ^^^^") {
		t.Errorf("\n%s", got)
	}
	if got := diagnostics.Render("\x1b[31mx", diagnostics.Diagnostic{Location: diagnostics.Location{Line: 1, Column: 1}}); strings.ContainsRune(got, 0x1b) {
		t.Errorf("an escape sequence went through: %q", got)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"list_issues", "get_issue", "createIssue", "delete-file", "limit", "query", "a"}
	for name, want := range map[string]string{
		"listIssues": "list_issues", "LIST-ISSUES": "list_issues", "issues_list": "list_issues", "list_isues": "list_issues",
		"getIssue": "get_issue", "create_issue": "createIssue", "deleteFile": "delete-file", "qeury": "query", "limits": "limit",
		"zzz": "", "": "", "b": "", "completely_other": "",
	} {
		if got, ok := diagnostics.Nearest(name, names); got != want || ok != (want != "") {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if got := strings.Join(diagnostics.Words("getHTTPResponse_code-2"), " "); got != "get http response code 2" {
		t.Errorf("Words: %s", got)
	}
}

func TestFromCauseTellsFailuresApart(t *testing.T) {
	first := diagnostics.Diagnostic{Kind: diagnostics.ToolFailure, Message: "first"}
	second := diagnostics.Diagnostic{Kind: diagnostics.ExecutionFailure, Message: "second"}
	limit := diagnostics.Diagnostic{Kind: diagnostics.ToolCallLimitExceeded, Message: "limit"}
	for name, c := range map[string]struct {
		cause *scope.Cause
		want  string
	}{
		"success":       {nil, ""},
		"failures":      {scope.NewCause(first, fmt.Errorf("x: %w", second)), "ToolFailure first 1"},
		"host":          {scope.NewCause(&scope.Interrupt{Reason: scope.Host}), ""},
		"timeout":       {scope.NewCause(&scope.Interrupt{Reason: scope.Timeout}), "TimeoutExceeded"},
		"limit":         {scope.NewCause(&scope.Interrupt{Reason: scope.Limit, Err: limit}), "ToolCallLimitExceeded limit 0"},
		"defect":        {scope.NewCause(first, &scope.Die{Value: "x"}), ""},
		"internal fail": {scope.NewCause(errors.New("secret")), "ExecutionFailure " + diagnostics.HostFailure},
	} {
		d, ok := diagnostics.FromCause(c.cause)
		got := ""
		if ok {
			got = fmt.Sprintf("%s %s %d", d.Kind, d.Message, len(d.Related))
		}
		if ok != (c.want != "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
)

// lists are the files with tool lists of real servers.
func lists(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../internal/fixture/testdata/mcp/*.tools.json")
	if err != nil || len(files) != 30 {
		t.Fatal(files, err)
	}
	return files
}

func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestLookingCommands(t *testing.T) {
	github := "../../internal/fixture/testdata/mcp/official-github.tools.json"
	broken, twice := written(t, "broken.json", `{"tools":`), written(t, "twice.json", `[{"name":"a"},{"name":"a"}]`)
	reply := written(t, "my.server.json", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"do-it","title":"Does it"}]}}`)
	for _, test := range []struct {
		args      []string
		code      int
		out, errs string // what they contain; "" is empty for out
	}{
		{args: []string{"search", "find", "crashes"}, out: "tools.issues.search(input: { query: string; limit?: number })"},
		{args: []string{"search", "issues.list"}, out: "/**\n * List the issues"},
		{args: []string{"search", "-n", "issues", "--limit", "1"}, out: "5 more; --offset 1 shows the next"},
		{args: []string{"search", "isues", "--explain"}, out: "isues → issu (typo), in"},
		{args: []string{"search", "qqqqzzzz"}, out: "nothing found"},
		{args: []string{"search", "create issue", "--limit", "1", "--catalog", github}, out: "tools[\"official-github\"].create_issue(input: { owner: string"},
		{args: []string{"search", "--catalog=" + reply, "do it"}, out: `tools["my-server"]["do-it"](`},
		{args: []string{"search"}, code: 2, errs: "no words"},
		{args: []string{"search", "x", "--limit", "0"}, code: 2, errs: "--limit: got 0, want 1 or more"},
		{args: []string{"search", "x", "-n", "nope"}, code: 2, errs: "no namespace nope; there are issues, repos, tracker, users"},
		{args: []string{"search", "x", "--catalog", "/nonexistent.json"}, code: 2, errs: "/nonexistent.json: no such file"},
		{args: []string{"search", "x", "--catalog", broken}, code: 2, errs: "broken.json: "},
		{args: []string{"catalog", "--catalog", twice}, out: "COMPLETE: 1 of 1 tools", errs: `twice.json: tool 2 is called "a" like one before it; it is left out`},
		{args: []string{"catalog", "--catalog", github, github}, out: "of 26 tools", errs: "another file already is the namespace official-github; it is left out"},
		{args: []string{"search", "x", "--catalog", written(t, "odd.json", `{"a":1}`)}, code: 2, errs: "not a tool list"},
		{args: []string{"catalog", "--catalog", written(t, "nameless.json", `[{"name":"a"},{},{"name":""},7]`)}, out: "COMPLETE: 1 of 1 tools", errs: "tool 2 has no name; it is left out"},
		{args: []string{"catalog", "--catalog", written(t, "dots.json", `[{"name":"a..b"},{"name":"c.d"}]`)}, out: "COMPLETE: 1 of 1 tools", errs: `dots.json: tool 1: tools: the name "a..b" is empty`},
		{args: []string{"catalog", "--catalog", written(t, "$codemode.tools.json", `[{"name":"a"}]`), reply}, out: "COMPLETE: 1 of 1 tools", errs: "$codemode.tools.json: "},
		{args: []string{"catalog", "--catalog", written(t, ".tools.json", `[{"name":"a"}]`), reply}, out: "COMPLETE: 1 of 1 tools", errs: "gives no name of a namespace"},
		{args: []string{"run", "-e", "1", "-e", "2"}, code: 2, errs: "give one -e"},
		{args: []string{"run", "-e", "[1,'a,b'].length"}, out: "2"},
		{args: []string{"run", "-e", "await tools.$codemode.sleep({ ms: 1 })"}, out: "null"},
		{args: []string{"search", "x", "--catalog"}, code: 2, errs: "--catalog"},
		{args: []string{"search", "--json", "a.jsonl", "b.jsonl"}, code: 2, errs: "one file with queries, got 2"},
		{args: []string{"search", "--json", "/nonexistent.jsonl"}, code: 2, errs: "no such file"},
		{args: []string{"catalog"}, out: "COMPLETE: 11 of 11 tools\n- tools.issues: COMPLETE, 6 tools // Issues of the repositories\n  - tools.issues.comment("},
		{args: []string{"catalog", "--budget", "0", "--catalog", github}, out: "PARTIAL: 0 of 26 tools\n- tools[\"official-github\"]: PARTIAL, 0 of 26 tools\n"},
		{args: []string{"catalog", "--budget=-5"}, code: 2, errs: "--budget: got -5"},
		{args: []string{"instructions"}, out: "## Workflow"},
		{args: []string{"catalog", "--catalog", written(t, "near.json", `[{"name":"readFile"},{"name":"read_file"}]`)}, out: "COMPLETE: 2 of 2 tools", errs: "alone: tools.near.readFile, tools.near.read_file"},
		{args: []string{"types", "users"}, out: "readonly users: {"},
		{args: []string{"types", "users"}, out: "readonly $codemode: CodemodeTypes.Own;"},
		{args: []string{"types", "nope"}, code: 2, errs: "there is no tool at or below nope; the namespaces are issues, repos, tracker, users"},
	} {
		code, out, errs := invoke(t, context.Background(), "", test.args...)
		if code != test.code || !strings.Contains(out, test.out) || test.out == "" && out != "" || !strings.Contains(errs, test.errs) {
			t.Errorf("%q: code %d, want %d\n%.600s\n%s", test.args, code, test.code, out, errs)
		}
	}
}

// A line that is no query is told with its number and what it should be.
func TestLinesThatAreNoQueries(t *testing.T) {
	for line, want := range map[string]string{
		`{"query":"x","limit":0}`: "line 2: limit: got 0, want a whole number from 1", `{"query":"x","limit":-1}`: "limit: got -1", `{"query":"x","limit":"5"}`: `limit: got "5"`,
		`{"query":"x","limit":1.5}`: "limit: got 1.5", `{"query":"` + strings.Repeat("x", 12<<20) + `"}`: "line 2 is longer than 1048576 bytes, the limit of a query",
	} {
		code, out, errs := invoke(t, context.Background(), `{"query":"issue"}`+"\n"+line+"\n", "search", "--json")
		if code != 2 || strings.Count(out, "\n") != 1 || !strings.Contains(errs, want) || strings.Contains(errs, "bufio") {
			t.Errorf("%.60s: code %d, %.200s\n%.300s", line, code, out, errs)
		}
	}
	code, out, errs := invoke(t, context.Background(), `{"query":"x","namespace":"nope"}`, "search", "--json")
	if want := `{"query":"x","namespace":"nope","paths":[],"error":"there is no namespace nope; there are issues, repos, tracker, users"}` + "\n"; code != 0 || errs != "" || out != want {
		t.Errorf("%d %s %s", code, out, errs)
	}
}

func TestSearchAnswersQueriesLineByLine(t *testing.T) {
	queries := `{"query": "create_issue", "namespace": "official-github", "id": 7}` + "\n\n" +
		`{"query":"tools.memory.read_graph"}` + "\r\n" + `{"query":"list issues","namespace":null,"limit":3}` + "\n" + `{"query":"x","namespace":"nope"}`
	file := written(t, "queries.jsonl", queries)
	all := lists(t)
	var first string
	for _, args := range [][]string{
		append([]string{"search", "--json", "--catalog"}, all...),
		append(append([]string{"search", "--json", "--catalog"}, all...), "-"),
		append(append([]string{"search", "--json", "--catalog"}, all...), file),
		append([]string{"search", "--json", file, "--catalog"}, all...),
		append(append([]string{"search", "--catalog"}, all...), "--json", file),
	} {
		code, out, errs := invoke(t, context.Background(), queries, args...)
		if code != 0 || errs != "" || first != "" && out != first {
			t.Fatal(code, out, errs)
		}
		first = out
	}
	type answer struct {
		Query     string
		Namespace *string
		Paths     []string
	}
	var answers []answer
	for line := range strings.Lines(first) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err, line)
		}
		answers = append(answers, a)
	}
	if len(answers) != 4 || answers[0].Query != "create_issue" || *answers[0].Namespace != "official-github" || answers[0].Paths[0] != `tools["official-github"].create_issue` ||
		!slices.Equal(answers[1].Paths, []string{"tools.memory.read_graph"}) || answers[1].Namespace != nil || len(answers[2].Paths) != 3 || answers[3].Paths == nil || len(answers[3].Paths) != 0 {
		t.Error(first)
	}
	for text, want := range map[string]string{
		`{"query":"a"}` + "\n" + `{"query":`: "line 2: ", `["a"]`: "line 1: want a JSON object with a text query", `{"query":5}`: "line 1: want", `{"query":"a","namespace":5}`: "line 1: namespace",
	} {
		if code, _, errs := invoke(t, context.Background(), text, "search", "--json"); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", text, code, errs)
		}
	}
}

// The figures of catalog --tokens add up.
func TestCosts(t *testing.T) {
	code, out, errs := invoke(t, context.Background(), "", append([]string{"catalog", "--tokens", "--catalog"}, lists(t)...)...)
	if code != 0 || errs != "" {
		t.Fatal(code, errs)
	}
	rows := regexp.MustCompile(`(?m)^ *(\S+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) *$`).FindAllStringSubmatch(out, -1)
	if len(rows) != 31 {
		t.Fatal(len(rows), out)
	}
	number := func(row []string, column int) int {
		n, err := strconv.Atoi(row[column])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for column := 2; column <= 6; column++ {
		sum := 0
		for _, row := range rows[:30] {
			sum += number(row, column)
		}
		if sum != number(rows[30], column) {
			t.Errorf("column %d adds up to %d, not %d", column, sum, number(rows[30], column))
		}
	}
	if number(rows[30], 2) != 946 || number(rows[30], 3) < 200_000 || number(rows[30], 6) > 2000 {
		t.Error(rows[30])
	}
}

// A listed tool can be seen but not called, and strange members of a list do no harm.
func TestListedTools(t *testing.T) {
	v, err := data.ParseString(`{"name":"x","description":7,"title":"Words of title","annotations":{"readOnlyHint":"yes"},"inputSchema":"none"}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := listed(v); got.Description() != "Words of title" {
		t.Error(got.Description())
	}
	if _, err := refuse(t.Context(), nil); err == nil {
		t.Error("a listed tool was called")
	}
}

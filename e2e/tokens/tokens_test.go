// Package tokens measures with real tokenizers what tools cost a model: as raw lists, and as the one tool that executes
// programs.
package tokens

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/internal/fixture"
)

var update = flag.Bool("update", false, "rewrite the table in docs/discovery.md")

// raw is the answer to tools/list with the first n of the recorded tools, in the order of their paths.
func raw(t *testing.T, n int) string {
	t.Helper()
	whole := map[string]data.Value{}
	for _, l := range fixture.Lists() {
		for _, tool := range l.Tools {
			whole[l.Server+" "+tool.Name] = tool.Whole
		}
	}
	var list []data.Value
	for _, e := range fixture.Catalog().All()[:n] {
		v := whole[e.Path[0]+" "+e.Path[1]]
		if v == nil {
			t.Fatalf("no list has %s", e.Expression)
		}
		list = append(list, v)
	}
	return data.JSON(data.NewObject([]data.Member{{Key: "tools", Value: data.NewArray(list)}}))
}

// ours is the answer to tools/list with the one tool that executes programs over the same tools.
func ours(t *testing.T, n int) string {
	t.Helper()
	rt, err := codemode.New(codemode.Options{Tools: fixture.Many(n)})
	if err != nil {
		t.Fatal(err)
	}
	instructions := rt.Instructions()
	if rt.Catalog().Tools != n {
		t.Fatalf("%d tools", rt.Catalog().Tools)
	}
	schema, err := data.ParseString(`{"type":"object","properties":{"code":{"type":"string","description":"the program"}},"required":["code"],"additionalProperties":false}`)
	if err != nil {
		t.Fatal(err)
	}
	execute := data.NewObject([]data.Member{
		{Key: "name", Value: data.String("execute")}, {Key: "description", Value: data.String(instructions)}, {Key: "inputSchema", Value: schema},
	})
	return data.JSON(data.NewObject([]data.Member{{Key: "tools", Value: data.NewArray([]data.Value{execute})}}))
}

func count(t *testing.T, encoding tokenizer.Encoding, text string) int {
	t.Helper()
	codec, err := tokenizer.Get(encoding)
	if err != nil {
		t.Fatal(err)
	}
	n, err := codec.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPrompts(t *testing.T) {
	var b strings.Builder
	b.WriteString("| tools | raw lists, o200k | ours, o200k | saved | raw lists, cl100k | ours, cl100k | estimate of ours |\n|---|---|---|---|---|---|---|\n")
	for _, n := range []int{96, 251, 508, 946} {
		list, one := raw(t, n), ours(t, n)
		before, after := count(t, tokenizer.O200kBase, list), count(t, tokenizer.O200kBase, one)
		if after > 3500 || after*5 > before {
			t.Errorf("%d tools: %d tokens instead of %d", n, after, before)
		}
		fmt.Fprintf(&b, "| %d | %d | %d | %.1f %% | %d | %d | %d |\n", n, before, after, 100*float64(before-after)/float64(before),
			count(t, tokenizer.Cl100kBase, list), count(t, tokenizer.Cl100kBase, one), discovery.Estimate(one))
	}
	checkTable(t, b.String())
}

// A quarter of the characters is within a tenth of what tokenizers count for what models are shown.
func TestEstimate(t *testing.T) {
	for _, n := range []int{0, 3, 40, 400, 946} {
		rt, err := codemode.New(codemode.Options{Tools: fixture.Many(n)})
		if err != nil {
			t.Fatal(err)
		}
		text := rt.Instructions()
		for _, encoding := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase} {
			got, estimate := count(t, encoding, text), discovery.Estimate(text)
			t.Logf("%d tools, %s: %d tokens, estimated %d", n, encoding, got, estimate)
			if got*10 > estimate*11 || got*10 < estimate*9 {
				t.Errorf("%d tools, %s: %d tokens, estimated %d", n, encoding, got, estimate)
			}
		}
	}
}

// checkTable compares a table with the one between the marks in the document.
func checkTable(t *testing.T, want string) {
	t.Helper()
	const file, from, to = "../../docs/discovery.md", "<!-- tokens -->\n", "<!-- /tokens -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), from)
	got, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no marks for the table", file)
	}
	if got == want {
		return
	}
	if *update {
		if err := os.WriteFile(file, []byte(head+from+want+to+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the table in %s is not current; run go test ./tokens -update in e2e\n%s", file, want)
}

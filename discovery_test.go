package codemode_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runtimeOf(t testing.TB, o codemode.Options) *codemode.Runtime {
	t.Helper()
	rt, err := codemode.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

// named makes a tool that answers a text and takes anything.
func named(answer string) *tool.Tool {
	return tool.Raw("Answers "+answer, nil, func(context.Context, data.Value) (data.Value, error) { return data.String(answer), nil })
}

// outcome is the value of a program as JSON, or the kind and message of its failure.
func outcome(t testing.TB, rt *codemode.Runtime, src string, o codemode.ExecOptions) string {
	t.Helper()
	r, err := rt.ExecuteWith(context.Background(), src, o)
	switch {
	case err != nil:
		t.Fatal(err)
	case r.Error != nil:
		return string(r.Error.Kind) + ": " + r.Error.Message
	}
	return data.JSON(r.Value)
}

// Every spelling of search that models try gives the same answer.
func TestSpellingsOfSearch(t *testing.T) {
	rt := runtimeOf(t, codemode.Options{Tools: fixture.Many(946)})
	want := outcome(t, rt, `return await tools.$codemode.search({ query: "create issue" })`, codemode.ExecOptions{})
	if !strings.HasPrefix(want, `{"items":[{"path":"tools`) {
		t.Fatal(want)
	}
	for _, src := range []string{
		`return await tools.$codemode.search("create issue")`,
		`return await tools["$codemode"]["search"]({ query: "create issue", limit: 10, offset: 0 })`,
		`return await search({ query: "create issue" })`,
		`return await search("create issue")`,
		`return search("create issue")`,
		`return await $codemode.search("create issue")`,
		`return await tools.search({ query: "create issue" })`,
		`const find = search; return (() => find("create issue"))()`,
	} {
		if got := outcome(t, rt, src, codemode.ExecOptions{}); got != want {
			t.Errorf("%s: %.200s", src, got)
		}
	}
	for src, want := range map[string]string{
		`return [typeof search, typeof $codemode, typeof serch]`:                                                                      `["function","function","undefined"]`,
		`return ["$codemode" in tools, Object.keys(tools).includes("$codemode"), search === tools.$codemode.search]`:                  `[true,false,true]`,
		`const search = (x) => x + 1; return search(1)`:                                                                               `2`,
		`function f(search) { return search } return f(3)`:                                                                            `3`,
		`return (await search()).total`:                                                                                               `946`,
		`return (await search({ namespace: "memory", limit: 100 })).items.length`:                                                     `9`,
		`return (await search({ namespace: 'tools["nx-mcp"]' })).items[0].path`:                                                       `"tools[\"nx-mcp\"].nx_docs"`,
		`const p = await search({ namespace: "memory", limit: 4 }); return [p.items.length, p.total, p.remaining, p.next]`:            `[4,9,5,{"offset":4}]`,
		`const p = await search({ namespace: "memory", limit: 4, offset: 8 }); return [p.items.length, p.total, p.remaining, p.next]`: `[1,9,0,null]`,
		`const p = await search({ namespace: "memory", offset: 20 }); return [p.items.length, p.total, p.remaining, p.next]`:          `[0,9,0,null]`,
		`return (await search("zzzzqqq")).items`:                                                                                      `[]`,
	} {
		if got := outcome(t, rt, src, codemode.ExecOptions{}); got != want {
			t.Errorf("%s: %.300s, want %s", src, got, want)
		}
	}
	for src, want := range map[string]string{
		`return search({ q: "x" })`:                        "InvalidToolInput: tools.$codemode.search was not called: input.q: unknown field",
		`return search({ query: 5 })`:                      "input.query: expected string, got number 5",
		`return search("a", { limit: 2 })`:                 "want one object, tools.$codemode.search({ query, namespace, limit, offset })",
		`return search({ limit: 0 })`:                      "input.limit",
		`return search({ query: "a", namespace: "nope" })`: `ToolFailure: there is no namespace "nope"; the namespaces are airtable-mcp-server`,
		`return tools.$codemode.serch("x")`:                "UnknownTool: there is no tool tools.$codemode.serch; did you mean tools.$codemode.search?",
		`search = 1`:                                       "ExecutionFailure: ReferenceError: search is not defined",
	} {
		if got := outcome(t, rt, src, codemode.ExecOptions{}); !strings.Contains(got, want) {
			t.Errorf("%s: %.300s, want %s", src, got, want)
		}
	}
}

func TestPagingByNextReachesEverything(t *testing.T) {
	rt := runtimeOf(t, codemode.Options{Tools: fixture.Many(946)})
	got := outcome(t, rt, `
		const seen = new Set(); let next = {};
		while (next) {
			const page = await tools.$codemode.search({ query: "get", limit: 50, ...next });
			page.items.forEach(i => seen.add(i.path));
			if (seen.size + page.remaining !== page.total) throw new Error("lost some");
			next = page.next;
		}
		return seen.size === (await search("get")).total && seen.size > 300`, codemode.ExecOptions{})
	if got != "true" {
		t.Error(got)
	}
}

// A host's own tool or namespace of the name search wins over the alias below tools, not over the global.
func TestHostsSearchWins(t *testing.T) {
	for _, tree := range []tool.Tree{
		{"search": named("own"), "other": tool.Tree{"search": named("x")}},
		{"search": tool.Namespace{Self: named("own"), Tools: tool.Tree{"web": named("web")}}},
	} {
		rt := runtimeOf(t, codemode.Options{Tools: tree})
		if got := outcome(t, rt, `return [await tools.search("x"), (await search("answers")).total]`, codemode.ExecOptions{}); got != `["own",2]` {
			t.Error(got)
		}
	}
	rt := runtimeOf(t, codemode.Options{Tools: tool.Tree{"search": tool.Tree{"web": named("web")}}})
	if got := outcome(t, rt, `return tools.search("x")`, codemode.ExecOptions{}); !strings.Contains(got, "tools.search is a namespace") {
		t.Error(got)
	}
}

// Searching is no call of a tool: neither counted, nor in the ledger, nor shown to hooks.
func TestSearchIsNoCall(t *testing.T) {
	started := 0
	rt := runtimeOf(t, codemode.Options{Tools: fixture.Many(40), Limits: codemode.Limits{MaxToolCalls: new(0)},
		Hooks: codemode.Hooks{OnToolCallStart: func(tool.CallStart) { started++ }}})
	r, err := rt.Execute(context.Background(), `return (await search("list")).total > 0`)
	if err != nil || !r.OK || data.JSON(r.Value) != "true" || len(r.Calls) != 0 || r.Stats.ToolCalls != 0 || started != 0 {
		t.Errorf("%v %+v %d", err, r, started)
	}
}

// What a filter hides cannot be told from what never existed.
func TestSearchSeesOnlyWhatTheFilterShows(t *testing.T) {
	hide := func(e tool.Entry) bool { return e.Path[0] != "memory" && e.Path[1] != "create_issue" }
	all := runtimeOf(t, codemode.Options{Tools: fixture.Many(946)})
	shown := tool.Tree{}
	for _, l := range fixture.Lists() {
		space := tool.Tree{}
		for name, node := range l.Tree() {
			if hide(tool.Entry{Path: []string{l.Server, name}}) {
				space[name] = node
			}
		}
		if len(space) > 0 {
			shown[l.Server] = tool.Namespace{Description: l.Description, Guide: l.Instructions, Tools: space}
		}
	}
	never := runtimeOf(t, codemode.Options{Tools: shown})
	view := all.View(hide)
	for _, src := range []string{
		`return search("create issue")`, `return search("tools.memory.read_graph")`, `return search({ namespace: "memory" })`,
		`return search("knowledge graph entities")`, `return search({ limit: 1000 }).then(r => r.items.map(i => i.path))`,
		`return search("obsrvation")`, `return Object.keys(tools)`, `return tools.memory.read_graph()`,
	} {
		want := outcome(t, never, src, codemode.ExecOptions{})
		for _, o := range []codemode.ExecOptions{{Filter: hide}, {View: view}} {
			if filtered := outcome(t, all, src, o); filtered != want {
				t.Errorf("%s:\n%.300s\nwant\n%.300s", src, filtered, want)
			}
		}
	}
	if got, want := all.View(hide).Instructions(), never.Instructions(); got != want {
		t.Error("the instructions differ")
	}
}

// The index is made once, at the first search, whoever comes first.
func TestManyProgramsSearchAtOnce(t *testing.T) {
	rt := runtimeOf(t, codemode.Options{Tools: fixture.Many(300)})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			o := codemode.ExecOptions{}
			if i%2 == 1 {
				o.Filter = func(e tool.Entry) bool { return e.Path[0] == "memory" || e.Path[0] == "filesystem" }
			}
			r, err := rt.ExecuteWith(context.Background(), `return (await Promise.all(["read graph", "read file"].map(q => search(q)))).map(r => r.items[0].path)`, o)
			if err != nil || !r.OK {
				t.Error(err, r.Error)
			}
		})
	}
	wg.Wait()
}

// The path of each recorded tool, as printed, is a program that reaches that tool.
func TestEveryPrintedPathReachesItsTool(t *testing.T) {
	catalog := fixture.Catalog()
	tree, described := tool.Tree{}, 0
	for i, e := range catalog.All() {
		space, _ := tree[e.Path[0]].(tool.Tree)
		if space == nil {
			space = tool.Tree{}
			tree[e.Path[0]] = space
		}
		space[e.Path[1]] = tool.Raw(e.Tool.Description(), nil, func(context.Context, data.Value) (data.Value, error) {
			return data.IntOf(int64(i)), nil
		})
	}
	rt := runtimeOf(t, codemode.Options{Tools: tree})
	for i, e := range catalog.All() {
		if got := outcome(t, rt, "return "+e.Expression+"()", codemode.ExecOptions{}); got != strconv.Itoa(i) {
			t.Errorf("%s: %s, want %d", e.Expression, got, i)
		}
		if strings.HasPrefix(e.Signature(), e.Expression+"(") {
			described++
		}
	}
	if described != 946 {
		t.Errorf("%d signatures begin with the path", described)
	}
}

// Four tools whose names differ in punctuation and case are four tools.
func TestLikeNamesStayApart(t *testing.T) {
	rt := runtimeOf(t, codemode.Options{Tools: tool.Tree{"fs": tool.Tree{
		"read-file": named("dash"), "read_file": named("underscore"), "read.file": named("dot"), "Read_File": named("capital"),
	}}})
	if got := outcome(t, rt, `return Promise.all([tools.fs["read-file"](), tools.fs.read_file(), tools.fs.read.file(), tools.fs["read.file"](), tools.fs.Read_File()])`,
		codemode.ExecOptions{}); got != `["dash","underscore","dot","dot","capital"]` {
		t.Error(got)
	}
	for query, want := range map[string]string{
		`tools.fs["read-file"]`: `tools.fs["read-file"]`, "fs.read_file": "tools.fs.read_file", "tools.fs.read.file": "tools.fs.read.file",
		"fs.Read_File": "tools.fs.Read_File", "tools.fs['read-file']": `tools.fs["read-file"]`, "tools.fs.read_file({})": "tools.fs.read_file",
	} {
		r := rt.Search(discovery.Query{Text: query})
		if r.Total != 1 || !r.Exact || r.Hits[0].Entry.Expression != want {
			t.Errorf("%s: %+v", query, r)
		}
	}
	if r := rt.Search(discovery.Query{Text: "read file"}); r.Total != 4 || r.Exact {
		t.Errorf("got %+v", r)
	}
}

func TestMisspelledTools(t *testing.T) {
	in, err := schema.Parse([]byte(`{"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"},"number":{"type":"integer"}},"required":["owner"]}`))
	if err != nil {
		t.Fatal(err)
	}
	issue := tool.Raw("Read an issue", in, func(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil })
	rt := runtimeOf(t, codemode.Options{Tools: tool.Tree{
		"docs": tool.Tree{"resolve-library-id": named("id"), "get-library-docs": named("docs")},
		"gh":   tool.Tree{"issue": issue, "issues": named("list")},
	}})
	r, err := rt.Execute(context.Background(), `return await tools.docs.resolve_library_id({ name: "x" })`)
	if err != nil || r.Error.Kind != diagnostics.UnknownTool || len(r.Error.Suggestions) == 0 || !strings.HasPrefix(r.Error.Suggestions[0], `tools.docs["resolve-library-id"]`) {
		t.Errorf("%v %+v", err, r.Error)
	}
	if got := outcome(t, rt, `return await tools.gh.issue("octo", "hello", 5)`, codemode.ExecOptions{}); !strings.Contains(got, "tools.gh.issue({ owner, repo, number })") {
		t.Error(got)
	}
	for src, want := range map[string]string{
		`return Object.fromEntries(Object.keys(tools).map((ns) => [ns, Object.keys(tools[ns]).length]))`: `{"docs":2,"gh":2}`,
		`const all = []; for (const t in tools.gh) all.push(t); return all`:                              `["issue","issues"]`,
		`return Object.entries(tools.gh).map(([name, f]) => [name, typeof f])`:                           `[["issue","function"],["issues","function"]]`,
	} {
		if got := outcome(t, rt, src, codemode.ExecOptions{}); got != want {
			t.Errorf("%s: %s", src, got)
		}
	}
	logged, err := rt.Execute(context.Background(), `console.log(tools.gh)`)
	if err != nil || len(logged.Logs) != 1 || !strings.Contains(logged.Logs[0].Text, "issue") || !strings.Contains(logged.Logs[0].Text, "issues") {
		t.Errorf("%v %+v", err, logged.Logs)
	}
}

func TestInstructions(t *testing.T) {
	for _, n := range []int{0, 3, 40, 400, 946, 5000} {
		rt := runtimeOf(t, codemode.Options{Tools: fixture.Many(n)})
		got, listing := rt.Instructions(), rt.Catalog()
		checkListing(t, n, listing, got)
		if n == 946 {
			continue
		}
		name := filepath.Join("testdata", "instructions", strconv.Itoa(n)+".md")
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil || got != string(want) {
			t.Errorf("%s is not current (%v); see what changed and run go test . -run TestInstructions -update", name, err)
		}
	}
}

func checkListing(t *testing.T, n int, l discovery.Listing, instructions string) {
	t.Helper()
	text := l.String()
	if l.Tools != n || !strings.HasSuffix(instructions, text) {
		t.Errorf("%d: lists %d", n, l.Tools)
	}
	if cost := discovery.Estimate(text); cost > discovery.DefaultTokens {
		t.Errorf("%d: the listing costs %d", n, cost)
	}
	if rest := discovery.Estimate(strings.TrimSuffix(instructions, text)); rest > 600 {
		t.Errorf("%d: the rest costs %d", n, rest)
	}
	lines, total := strings.Count(text, "\n  - "), 0
	for _, space := range l.Namespaces {
		total += space.Tools
		if !strings.Contains("\n"+text, "\n- "+space.Expression()+": ") {
			t.Errorf("%d: %s is not named", n, space.Name)
		}
	}
	if total != n || lines != l.Shown || l.Complete() != (l.Shown == n) || n > 0 && strings.Contains(instructions, "\nCOMPLETE: ") != l.Complete() {
		t.Errorf("%d: %d in namespaces, %d lines, %d shown", n, total, lines, l.Shown)
	}
	if n > 0 && strings.Contains(instructions, "$codemode.search") == l.Complete() {
		t.Errorf("%d: search is explained if the list is complete, or not if it is partial", n)
	}
}

// code are the code spans and blocks of a text.
var code = regexp.MustCompile("(?s)```js\n(.*?)```|`([^`\n]+)`")

// What the instructions show is run, with the placeholders filled in.
func TestExamplesOfInstructionsRun(t *testing.T) {
	rt := runtimeOf(t, codemode.Options{AllowSleep: true, Discovery: discovery.Options{Tokens: -1}, Tools: tool.Tree{
		"space": tool.Namespace{Guide: "Echo first.", Tools: tool.Tree{"echo": named("a"), "dashed-name": named("b")}}}})
	text := rt.Instructions()
	if rest := discovery.Estimate(strings.TrimSuffix(text, rt.Catalog().String())); rest > 600 {
		t.Errorf("costs %d", rest)
	}
	fill := strings.NewReplacer("<namespace>", "space", "<tool>", "echo", "<tool-name>", "dashed-name", "<field>", "field", "<value>", `"value"`,
		"<what it should do>", "answers", "<number>", "1")
	found := map[string]string{}
	for _, m := range code.FindAllStringSubmatch(text, -1) {
		found[m[1]+m[2]] = fill.Replace(m[1] + m[2])
	}
	run := func(written, before, after, want string) {
		t.Helper()
		src, ok := found[written]
		if !ok {
			t.Errorf("the instructions do not show %q", written)
			return
		}
		delete(found, written)
		if got := outcome(t, rt, before+src+after, codemode.ExecOptions{}); got != want {
			t.Errorf("%s gives %.200s, want %s", src, got, want)
		}
	}
	for written := range found {
		if strings.Contains(written, "Promise.all([\n") {
			run(written, "", "", `{"first":"a","second":"b"}`)
		}
	}
	run("return await tools.$codemode.search({ query: \"<what it should do>\" })", "const f = async () => { ", " }; return (await f()).items.map(i => i.path)", `["tools.space[\"dashed-name\"]","tools.space.echo"]`)
	run("{ items: [{ path, description, signature }], total, remaining, next }", "const ", " = await search({ limit: 1 }); return [path, typeof description, typeof signature, total, remaining, next]",
		`["tools.space[\"dashed-name\"]","string","string",2,1,{"offset":1}]`)
	run("namespace: \"<namespace>\"", "return (await tools.$codemode.search({ ", " })).total", "2")
	run("about", "const { ", " } = await search({ namespace: 'space' }); return about", `"Echo first."`)
	run("...next", "const { next } = await search({ limit: 1 }); return (await search({ limit: 1, ", " })).items[0].path", `"tools.space.echo"`)
	run("Promise.all", "return await ", "([tools.space.echo(), 1])", `["a",1]`)
	run("Promise.allSettled", "return (await ", "([tools.space.echo(), tools.space.nope()])).map(r => r.status)", `["fulfilled","rejected"]`)
	run("JSON.parse", "return ", `('{"a":1}').a`, "1")
	run("Object.keys(tools)", "return ", "", `["space"]`)
	run("Object.keys(tools.<namespace>)", "return ", "", `["dashed-name","echo"]`)
	run("await tools.$codemode.sleep({ ms: <number> })", "", "; return 1", "1")
	run("Object.fromEntries(map)", "const map = new Map([['a', 1]]); return ", "", `{"a":1}`)
	run("[...set]", "const set = new Set([1, 2]); return ", "", `[1,2]`)
	run("console.log", "", "('x')", "null")
	for _, word := range []string{"await", "return", "path", "tools", "execute", "unknown", "query"} {
		delete(found, word)
	}
	if len(found) > 0 {
		t.Errorf("not run: %q", found)
	}
}

// What a namespace says about its use is found by a search in it, and is told so of it alone.
func TestInstructionsTellWhereAGuideIs(t *testing.T) {
	guided := tool.Tree{
		"one": tool.Namespace{Description: "The first", Guide: "Paths are absolute.", Tools: tool.Tree{"read": named("a")}},
		"two": tool.Tree{"read": named("b")},
	}
	for tokens, lines := range map[int][2]string{0: {"COMPLETE, 1 tool, GUIDE // The first", "COMPLETE, 1 tool"}, -1: {"PARTIAL, 0 of 1 tool, GUIDE", "PARTIAL, 0 of 1 tool"}} {
		rt := runtimeOf(t, codemode.Options{Tools: guided, Discovery: discovery.Options{Tokens: tokens}})
		text := rt.Instructions()
		for _, want := range []string{"\n- tools.one: " + lines[0] + "\n", "\n- tools.two: " + lines[1] + "\n", "\nGUIDE: "} {
			if !strings.Contains(text, want) {
				t.Errorf("%d: no %q in\n%s", tokens, want, text)
			}
		}
		if strings.Contains(text, "absolute") {
			t.Errorf("%d: the guide itself is told", tokens)
		}
	}
	rt := runtimeOf(t, codemode.Options{Tools: guided})
	_, written, _ := strings.Cut(rt.Instructions(), "\nGUIDE: `")
	written, _, _ = strings.Cut(written, "`")
	if got := outcome(t, rt, "return "+strings.ReplaceAll(written, "<namespace>", "one"), codemode.ExecOptions{}); got != `"The first\n\nPaths are absolute."` {
		t.Errorf("%s gives %s", written, got)
	}
	for _, r := range rt.Search(discovery.Query{Text: "absolute paths"}).Hits[:1] {
		if r.Entry.Expression != "tools.one.read" {
			t.Errorf("the words of a guide find %s", r.Entry.Expression)
		}
	}
	below := runtimeOf(t, codemode.Options{Tools: tool.Tree{"corp": tool.Tree{"one": guided["one"], "two": guided["two"]}}})
	if text := below.Instructions(); !strings.Contains(text, "\n- tools.corp: COMPLETE, 2 tools, GUIDE\n") {
		t.Errorf("no word of a guide further down:\n%s", text)
	}
	if got := outcome(t, below, `return (await search({ namespace: "corp" })).about`, codemode.ExecOptions{}); got != `"There are guides to tools.corp.one: search in that namespace."` {
		t.Error(got)
	}
	if plain := runtimeOf(t, codemode.Options{Tools: tool.Tree{"two": guided["two"]}}).Instructions(); strings.Contains(plain, "GUIDE") {
		t.Error("guides are told of where there is none")
	}
}

// What the instructions say in words holds.
func TestSentencesOfInstructionsHold(t *testing.T) {
	refusing := tool.Raw("Refuses", nil, func(context.Context, data.Value) (data.Value, error) { return nil, tool.Errorf("no such repository") })
	rt := runtimeOf(t, codemode.Options{Tools: tool.Tree{"space": tool.Tree{"echo": named(`{"a":1}`), "refuse": refusing}}})
	for src, want := range map[string]string{
		`const n: number = 1; enum E { A = 2 }; return n + E.A`: "3",
		`1 + 1`:                      "2",
		`return { at: new Date(0) }`: `{"at":"1970-01-01T00:00:00.000Z"}`,
		`return new Date(2024, 0, 1).toISOString()`:                                               `"2024-01-01T00:00:00.000Z"`,
		`return typeof (await tools.space.echo())`:                                                `"string"`,
		`try { await tools.space.refuse() } catch (e) { return [e instanceof Error, e.message] }`: `[true,"no such repository"]`,
		`return tools.space.ecko()`:                                                               "",
		`import fs from "fs"`:                                                                     "",
		`return require("fs")`:                                                                    "",
		`return eval("1")`:                                                                        "",
		`@sealed class A {}`:                                                                      "",
	} {
		got := outcome(t, rt, src, codemode.ExecOptions{})
		if want == "" && !regexp.MustCompile(`^[A-Z]\w+: `).MatchString(got) || want != "" && got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
	r, err := rt.Execute(context.Background(), `console.log("seen"); await tools.space.echo(); await tools.space.refuse()`)
	if err != nil || r.OK || len(r.Calls) != 2 || r.Calls[0].Status != tool.Completed || r.Calls[1].Status != tool.Failed || len(r.Logs) != 1 {
		t.Errorf("%v %+v", err, r)
	}
	text := rt.Instructions()
	for _, list := range []struct{ from, typeof string }{{"Besides ECMAScript: ", "defined"}, {"eval, decorators, ", "undefined"}} {
		_, rest, ok := strings.Cut(text, list.from)
		names, _, _ := strings.Cut(rest, ".\n")
		if !ok || len(strings.Split(names, ", ")) < 5 {
			t.Fatal("no list after " + list.from)
		}
		for name := range strings.SplitSeq(names, ", ") {
			if got := outcome(t, rt, "return typeof "+name, codemode.ExecOptions{}); (got == `"undefined"`) != (list.typeof == "undefined") {
				t.Errorf("typeof %s is %s", name, got)
			}
		}
	}
}

func TestOptionsOfDiscovery(t *testing.T) {
	rt := runtimeOf(t, codemode.Options{Tools: fixture.Many(40), Discovery: discovery.Options{Tokens: 100_000, Execute: "run_program"}})
	if text := rt.Instructions(); !strings.Contains(text, "for `run_program`") || strings.Contains(text, "`execute`") || !rt.Catalog().Complete() {
		t.Error(text)
	}
	if empty := runtimeOf(t, codemode.Options{}); !strings.Contains(empty.Instructions(), "There are no tools") || empty.Catalog().Tools != 0 {
		t.Error(empty.Instructions())
	}
	if got := runtimeOf(t, codemode.Options{}).Search(discovery.Query{Text: "x"}); got.Total != 0 {
		t.Errorf("%+v", got)
	}
	if got := outcome(t, runtimeOf(t, codemode.Options{}), `return search("x")`, codemode.ExecOptions{}); got != `{"items":[],"total":0,"remaining":0,"next":null}` {
		t.Error(got)
	}
}

func BenchmarkInstructions946(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		tree := tool.Tree{}
		for _, l := range fixture.Lists() {
			tree[l.Server] = tool.Namespace{Description: l.Instructions, Tools: l.Tree()}
		}
		rt := runtimeOf(b, codemode.Options{Tools: tree})
		b.StartTimer()
		rt.Instructions()
	}
}

func ExampleRuntime_Search() {
	rt, err := codemode.New(codemode.Options{Tools: tool.Tree{"mail": tool.Tree{
		"send_message": named("sent"), "list_messages": named("list"),
	}}})
	if err != nil {
		panic(err)
	}
	for _, h := range rt.Search(discovery.Query{Text: "post a mesage"}).Hits {
		fmt.Println(h.Entry.Expression)
	}
	// Output:
	// tools.mail.send_message
	// tools.mail.list_messages
}

func TestSearchSaysWhatANamespaceSaysOfItself(t *testing.T) {
	one := tool.New("Reads a file", func(context.Context, struct{}) (int, error) { return 1, nil })
	rt, err := codemode.New(codemode.Options{Tools: tool.Tree{
		"file-system": tool.Namespace{Description: "Files", Guide: "Paths are absolute.", Tools: tool.Tree{"read": one}},
		"described":   tool.Namespace{Description: "Files", Tools: tool.Tree{"read": one}},
		"guided":      tool.Namespace{Guide: "Paths are absolute.", Tools: tool.Tree{"read": one}},
		"plain":       tool.Tree{"read": one}}})
	if err != nil {
		t.Fatal(err)
	}
	for src, want := range map[string]string{
		`return (await search({ namespace: "file-system" })).about`:         `"Files\n\nPaths are absolute."`,
		`return (await search({ namespace: "tools.File_System" })).about`:   `"Files\n\nPaths are absolute."`,
		`return (await search({ namespace: "described" })).about`:           `"Files"`,
		`return (await search({ namespace: "guided" })).about`:              `"Paths are absolute."`,
		`return "about" in (await search({ namespace: "plain" }))`:          `false`,
		`return "about" in (await search("read"))`:                          `false`,
		`return Object.keys(await search({ namespace: "file-system" }))[0]`: `"about"`,
	} {
		if got := outcome(t, rt, src, codemode.ExecOptions{}); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
	hidden := codemode.ExecOptions{Filter: func(e tool.Entry) bool { return e.Path[0] == "plain" }}
	if got := outcome(t, rt, `return search({ namespace: "file-system" })`, hidden); strings.Contains(got, "absolute") {
		t.Error(got)
	}
}

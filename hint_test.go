package codemode_test

import (
	"context"
	"strings"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/tool"
)

func TestShellCommandsAreLedToTheToolThatRunsThem(t *testing.T) {
	type command struct {
		Command string `json:"command"`
	}
	run := func(context.Context, command) (string, error) { return "", nil }
	with := tool.Tree{"sys": tool.Tree{"read": tool.New("Reads", run), "run_command": tool.New("Runs a command", run)}}
	without := tool.Tree{"sys": tool.Tree{"read": tool.New("Reads", run)}}
	const want = "commands are run by a tool: tools.sys.run_command(input: { command: string })"
	for _, src := range []string{"ls -la /srv | grep log", "npm install left-pad", "ls -la", "$ cat notes.txt", "rm -rf /tmp/x"} {
		for _, tree := range []tool.Tree{with, without} {
			rt, err := codemode.New(codemode.Options{Tools: tree})
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for range 2 { // the same text twice gives the same answer
				r, err := rt.Execute(context.Background(), src)
				if err != nil || r.OK {
					t.Fatal(src, r.OK, err)
				}
				texts = append(texts, r.Error.Message+"\n"+strings.Join(r.Error.Suggestions, "\n"))
			}
			named := strings.Contains(texts[0], want)
			if _, has := tree["sys"].(tool.Tree)["run_command"]; named != has || texts[0] != texts[1] {
				t.Errorf("%s: %q", src, texts)
			}
		}
	}
	verb, err := codemode.New(codemode.Options{Tools: tool.Tree{"git": tool.Tree{"run": tool.New("Runs git", run)}, "shell": tool.Tree{"list": tool.New("Lists", run), "run": tool.New("Runs", run)}}})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := verb.Execute(context.Background(), "ls -la"); err != nil || !strings.Contains(strings.Join(r.Error.Suggestions, ""), "a tool: tools.shell.run(") {
		t.Error(r.Error, err)
	}
	rt, err := codemode.New(codemode.Options{Tools: with})
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{"return nothing.x", "const a = ;"} {
		if r, err := rt.Execute(context.Background(), src); err != nil || strings.Contains(strings.Join(r.Error.Suggestions, ""), "run_command") {
			t.Error(src, r.Error, err)
		}
	}
}

// Names that programs do not declare lead to what they mean.
func TestUndeclaredNamesLeadToTools(t *testing.T) {
	rt := runtime(t, codemode.Options{AllowSleep: true, Tools: tool.Tree{
		"issues": tool.Tree{"list": named("a"), "get": named("a")}, "repos": tool.Tree{"list": named("b")}, "web": tool.Tree{"fetch": named("c")},
		"docs": tool.Tree{"resolve-library-id": named("d")}}})
	for src, want := range map[string]string{
		`repos = await tools.repos.list()`:                       "repos is not defined. Declare it with const or let",
		`return repos.list()`:                                    "repos is not defined. Did you mean tools.repos?",
		`return tools.issues.list(repo="a")`:                     "repo is not defined. An argument has no name; tools take one object: ({ repo: … })",
		`return issues_list({})`:                                 "issues_list is not defined. Did you mean tools.issues.list?",
		`return mcp__issues__list({})`:                           "mcp__issues__list is not defined. Did you mean tools.issues.list?",
		`return issuesGet({})`:                                   "issuesGet is not defined. Did you mean tools.issues.get?",
		`return list({})`:                                        "list is not defined. Did you mean tools.issues.list or tools.repos.list?",
		`return tools.docs.resolve-library-id({})`:               `library is not defined. Write a name with dashes as tools.docs["resolve-library-id"]`,
		`const library = 1; return tools.docs.resolve-library-x`: `x is not defined. Write a name with dashes as tools.docs["resolve-library-x"]`,
		`return 1 - x`:                                           "x is not defined",
		`return fetch("/")`:                                      "fetch is not defined. There is no network access: call a tool instead. Did you mean tools.web.fetch?",
		`await sleep(5)`:                                         "sleep is not defined. There are no timers: await the call that you wait for. Wait for a time with await tools.$codemode.sleep({ ms: 1000 })",
	} {
		r, err := rt.Execute(context.Background(), src)
		if err != nil || r.OK || r.Error.Message != "ReferenceError: "+want {
			t.Errorf("%s: %+v %v", src, r.Error, err)
		}
	}
	hidden, err := rt.ExecuteWith(context.Background(), `return issues_list({})`, codemode.ExecOptions{Filter: func(e tool.Entry) bool { return e.Path[0] == "web" }})
	if err != nil || hidden.Error.Message != "ReferenceError: issues_list is not defined" {
		t.Errorf("a hidden tool is told of: %+v %v", hidden.Error, err)
	}
	plain := runtime(t, codemode.Options{})
	if r, err := plain.Execute(context.Background(), `setTimeout(() => {}, 5)`); err != nil || strings.Contains(r.Error.Message, "$codemode") {
		t.Errorf("%+v %v", r.Error, err)
	}
}

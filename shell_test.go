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

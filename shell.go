package codemode

// This file defines what a program that is a shell command is told: the tool that runs such commands, if there is one.

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/interpreter"
)

// shellTools are the usual names of tools that run commands, without separators.
var shellTools = []string{"bash", "sh", "shell", "exec", "terminal", "command", "runcommand", "executecommand", "execcommand", "runshell",
	"runshellcommand", "shellexec", "executeshell", "executeshellcommand", "runbash", "runterminalcommand", "runterminalcmd", "runinterminal"}

// shells are namespaces of such tools, whose own names are then verbs.
var (
	shells     = []string{"bash", "sh", "shell", "terminal", "command", "commands"}
	shellVerbs = []string{"run", "exec", "execute"}
)

func runsCommands(path []string) bool {
	plain := func(back int) string {
		if back > len(path) {
			return ""
		}
		return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(path[len(path)-back]))
	}
	return slices.Contains(shellTools, plain(1)) || slices.Contains(shells, plain(2)) && slices.Contains(shellVerbs, plain(1))
}

// withShell is d with the way to the tool that runs commands, if d is about one and the catalog has such a tool.
func (e *execution) withShell(d *Diagnostic) *Diagnostic {
	if d == nil || !interpreter.IsShell(d) {
		return d
	}
	for _, t := range e.settings.catalog.All() {
		if runsCommands(t.Path) {
			named := *d
			named.Suggestions = append(slices.Clone(d.Suggestions), "commands are run by a tool: "+t.Signature())
			return &named
		}
	}
	return d
}

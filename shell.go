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

// withShell is d with the way to the tool that runs commands, if d is about one and the catalog has such a tool.
func (e *execution) withShell(d *Diagnostic) *Diagnostic {
	if d == nil || !interpreter.IsShell(d) {
		return d
	}
	for _, t := range e.settings.catalog.All() {
		name := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(t.Path[len(t.Path)-1]))
		if slices.Contains(shellTools, name) {
			named := *d
			named.Suggestions = append(slices.Clone(d.Suggestions), "commands are run by a tool: "+t.Signature())
			return &named
		}
	}
	return d
}

package codemode

// This file defines how the interpreter reaches the tools of an execution.

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/tool"
)

// host is the interpreter's view of a session.
type host struct{ session *tool.Session }

var (
	_ interpreter.Host    = host{}
	_ interpreter.Misses  = host{}
	_ interpreter.Aliases = host{}

	_ interpreter.Meanings = host{}
)

// aliases are what the runtime's own tools are also called.
var aliases = map[string][]string{"search": {ownNamespace, "search"}, ownNamespace: {ownNamespace}}

// Alias implements interpreter.Aliases.
func (h host) Alias(name string) ([]string, bool) {
	path, ok := aliases[name]
	return path, ok
}

// waiters are names of functions that wait.
var waiters = []string{"setTimeout", "setInterval", "sleep", "delay", "wait"}

// Meaning implements interpreter.Meanings.
func (h host) Meaning(name string) string {
	if slices.Contains(waiters, name) {
		if waits, _ := h.session.Lookup([]string{ownNamespace, "sleep"}); waits {
			return "Wait for a time with await tools." + ownNamespace + ".sleep({ ms: 1000 })"
		}
	}
	if meant := h.session.Meaning(name); len(meant) > 0 {
		return "Did you mean " + strings.Join(meant, " or ") + "?"
	}
	return ""
}

// Invoke implements interpreter.Host. A call of tools.search is one of the runtime's own, if the host has nothing there.
func (h host) Invoke(c interpreter.Call) error {
	if len(c.Path) == 1 && c.Path[0] == "search" {
		if isTool, isNamespace := h.session.Lookup(c.Path); !isTool && !isNamespace {
			c.Path = aliases["search"]
		}
	}
	return h.session.Invoke(tool.Call(c))
}

// Keys implements interpreter.Host.
func (h host) Keys(path []string) ([]string, bool) { return h.session.Keys(path) }

// Lookup implements interpreter.Host.
func (h host) Lookup(path []string) (isTool, isNamespace bool) { return h.session.Lookup(path) }

// Miss implements interpreter.Misses.
func (h host) Miss(path []string) error { return h.session.Miss(path) }

package interpreter

// This file defines what is noted of tools that a program uses as if they had been called: it goes on with what a function has of
// that name.

import "github.com/codemode-go/codemode/data"

// toolAbove is the longest part of a path that is a tool and no namespace; nil if none is.
func (ex *execution) toolAbove(path []string) []string {
	for n := len(path); n > 0; n-- {
		if isTool, isNamespace := ex.o.Host.Lookup(path[:n]); isTool && !isNamespace {
			return path[:n]
		}
	}
	return nil
}

// noteUncalled notes that a property of functions was read from the reference.
func (n *node) noteUncalled(key string) {
	ex := n.ex
	what := "property '" + key + "' was read from "
	if tool := ex.toolAbove(n.path); tool != nil {
		ex.r.NoteUse(what+pathText(tool)+", a tool that was not called", "call it first: "+called(tool, append(n.path[len(tool):len(n.path):len(n.path)], key)))
	} else if names, ok := n.Names(); ok && len(names) > 0 && key == "length" {
		ex.r.NoteUse(what+pathText(n.path)+", which is a namespace of tools", "Object.keys("+pathText(n.path)+").length is how many it has")
	}
}

// NoteText notes that the reference was turned into text.
func (n *node) NoteText() {
	if tool := n.ex.toolAbove(n.path); tool != nil {
		n.ex.r.NoteUse(pathText(tool)+" was turned into text, a tool that was not called", "call it first: "+called(tool, n.path[len(tool):]))
	}
}

// called is the call of a tool and what is read from its result.
func called(tool, rest []string) string {
	if len(rest) == 0 {
		return "await " + pathText(tool) + "({ … })"
	}
	text := []byte("(await " + pathText(tool) + "({ … }))")
	for _, name := range rest {
		text = data.AppendKey(text, name)
	}
	return string(text)
}

// This file defines what a program is told that calls what is not there.

package tool

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
)

// maxSuggestions bounds the expressions that one message suggests.
const maxSuggestions = 3

// Miss is the error for a path that is no tool or, if enumerated, no namespace:
// with the nearest paths that are, as expressions.
func (c *Catalog) Miss(path []string) *CallError {
	expression := PathString(path)
	if e := c.find(path); e != nil && e.namespace {
		below := c.below(e)
		message := expression + " is a namespace, not a tool"
		if len(below) > 0 {
			message += "; call one of its tools, such as " + below[0]
		}
		return callError(diagnostics.UnknownTool, diagnostics.OriginProgram, expression, message, below...)
	}
	suggestions := c.suggest(path)
	message := "there is no tool " + expression
	if t := c.toolAbove(path); t != nil && (len(t.path) == len(path) || len(suggestions) == 0 || joined(suggestions[0]) != joined(expression)) {
		return callError(diagnostics.UnknownTool, diagnostics.OriginProgram, expression, t.callFirst(path)+"\nsignature: "+t.usage(), t.expression)
	}
	switch {
	case len(suggestions) == 1:
		message += "; did you mean " + suggestions[0] + "?" + c.usage(suggestions[0])
	case len(suggestions) > 1:
		message += "; did you mean " + strings.Join(suggestions, " or ") + "?"
	case len(c.tools) == 0:
		message += "; this execution has no tools"
	case len(path) == 1 && slices.Contains(callers, path[0]):
		message += "; a tool is called by its path, such as await " + c.tools[0].Expression + "({ … })"
	default:
		message += "; " + c.overview(path)
	}
	return callError(diagnostics.UnknownTool, diagnostics.OriginProgram, expression, message, suggestions...)
}

// toolAbove is the tool, no namespace, that a path goes on behind; nil if none is.
func (c *Catalog) toolAbove(path []string) *entry {
	e := c.root
	for _, name := range path {
		next := e.children[name]
		if next == nil {
			break
		}
		e = next
	}
	if e.tool == nil || e.namespace {
		return nil
	}
	return e
}

// callFirst is the message about a path behind the tool: what the program looks
// for there is in its result.
func (e *entry) callFirst(path []string) string {
	rest, call := path[len(e.path):], "await "+e.expression+"({ … })"
	switch {
	case len(rest) == 0:
		return e.expression + " is a tool, not a namespace; call it: " + call
	case len(rest) == 1 && slices.Contains(callers, rest[0]):
		return "there is no tool " + PathString(path) + "; call " + e.expression + " itself: " + call
	}
	text := []byte("there is no tool " + PathString(path) + "; " + e.expression + " is a tool, call it first: (" + call + ")")
	for _, name := range rest {
		text = data.AppendKey(text, name)
	}
	return string(text) + "(…)"
}

// callers are names that programs give to a function that calls a tool by its name.
var callers = []string{"call", "callTool", "call_tool", "execute", "invoke", "run", "use"}

// usage is the signature of the tool with an expression, as the end of a
// message.
func (c *Catalog) usage(expression string) string {
	for _, e := range c.tools {
		if e.Expression == expression {
			return "\nsignature: " + c.find(e.Path).usage()
		}
	}
	return ""
}

// overview names what is there at the deepest part of the path that exists.
func (c *Catalog) overview(path []string) string {
	e, at := c.root, []string{}
	for _, name := range path {
		next := e.children[name]
		if next == nil || !next.namespace {
			break
		}
		e, at = next, next.path
	}
	names := e.names
	text := PathString(at) + " has " + strings.Join(names[:min(len(names), 12)], ", ")
	if len(names) > 12 {
		text += " and more; Object.keys(" + PathString(at) + ") lists them"
	}
	return text
}

func (c *Catalog) below(e *entry) []string {
	var list []string
	for _, name := range e.names {
		if child := e.children[name]; child.tool != nil && len(list) < maxSuggestions {
			list = append(list, PathString(child.path))
		}
	}
	return list
}

func (c *Catalog) suggest(path []string) []string {
	segments := strings.Split(strings.Join(path, "."), ".")
	var list []string
	add := func(e *entry) {
		if e == nil || e.tool == nil || len(list) == maxSuggestions {
			return
		}
		if text := PathString(e.path); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	add(c.respell(segments))
	last := segments[len(segments)-1]
	whole := make([]string, len(c.tools))
	names := make([]string, len(c.tools))
	for i, e := range c.tools {
		whole[i] = strings.Join(e.Path, ".")
		names[i] = e.Path[len(e.Path)-1]
	}
	for i, name := range names { // the right name in another namespace
		if name == last {
			add(c.find(c.tools[i].Path))
		}
	}
	if near, ok := diagnostics.Nearest(strings.Join(segments, "."), whole); ok {
		add(c.find(strings.Split(near, ".")))
	}
	if len(list) > 0 {
		return list
	}
	if near, ok := diagnostics.Nearest(last, names); ok {
		add(c.find(c.tools[slices.Index(names, near)].Path))
	}
	return list
}

// Meaning are the expressions of the tools that a single name may mean, three at
// most: the whole path with whatever separators, as clients show it
// (issues_list, mcp__issues__list), else the last name of a path.
func (c *Catalog) Meaning(name string) []string {
	whole := joined(name)
	if whole == "" {
		return nil
	}
	var list, last []string
	for _, e := range c.tools {
		switch path := joined(strings.Join(e.Path, "")); {
		case path == whole || "mcp"+path == whole:
			list = append(list, e.Expression)
		case e.Path[len(e.Path)-1] == name:
			last = append(last, e.Expression)
		}
	}
	if len(list) == 0 {
		list = last
	}
	return list[:min(len(list), maxSuggestions)]
}

// joined is a name without what separates its words.
func joined(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", "/", "", ":", "").Replace(name))
}

// respell follows a path, at each step to the child of the nearest name.
func (c *Catalog) respell(segments []string) *entry {
	e := c.root
	for _, name := range segments {
		next := e.children[name]
		if next == nil {
			near, ok := diagnostics.Nearest(name, e.names)
			if !ok {
				return nil
			}
			next = e.children[near]
		}
		e = next
	}
	return e
}

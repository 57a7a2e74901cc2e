package codemode

// This file defines how tools are found: the catalog and the instructions for a model, and search for hosts and programs.

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// View is what somebody sees of a Runtime to whom some of its tools are shown. It is immutable and may be used from any
// goroutine.
type View struct {
	runtime *Runtime
	tools   *tool.Catalog
	options Options
	index   func() *discovery.Index
	own     func() *tool.Catalog // the runtime's own tools, for those who see this
}

// View is the runtime for those to whom only the tools are shown that filter accepts, as by ExecOptions.Filter. Nil
// shows all. A host that filters shows a model the instructions of a view and executes with the same filter.
func (rt *Runtime) View(filter func(tool.Entry) bool) *View {
	if filter == nil {
		return rt.view
	}
	return rt.view.narrow(rt.catalog.Filter(filter))
}

// Catalog lists what instructions show of the tools. See [discovery.List].
func (rt *Runtime) Catalog() discovery.Listing { return rt.view.Catalog() }

// Instructions tell a model how to write programs and which tools there are: the description of the one tool that
// executes programs.
func (rt *Runtime) Instructions() string { return rt.view.Instructions() }

// Search finds tools by words. The first search reads all tools, which takes about 40 µs for each.
func (rt *Runtime) Search(q discovery.Query) discovery.Results { return rt.view.Search(q) }

func newView(rt *Runtime, c *tool.Catalog, o Options, index func() *discovery.Index) *View {
	v := &View{runtime: rt, tools: c, options: o, index: sync.OnceValue(index)}
	v.own = sync.OnceValue(func() *tool.Catalog { return ownTools(v) })
	return v
}

func (v *View) narrow(c *tool.Catalog) *View {
	return newView(v.runtime, c, v.options, func() *discovery.Index { return v.index().Narrow(c) })
}

// Tools is the catalog of the tools that are shown.
func (v *View) Tools() *tool.Catalog { return v.tools }

// Catalog is [Runtime.Catalog] of the tools that are shown.
func (v *View) Catalog() discovery.Listing {
	return discovery.List(v.tools, v.options.Discovery.Tokens)
}

// Instructions is [Runtime.Instructions] for the tools that are shown.
func (v *View) Instructions() string {
	return discovery.Instructions(v.Catalog(), v.options.Discovery, language(v.options))
}

// Search is [Runtime.Search] in the tools that are shown.
func (v *View) Search(q discovery.Query) discovery.Results { return v.index().Search(q) }

// standard are the globals that every ECMAScript engine has, and what instructions treat elsewhere.
const standard = ` AggregateError Array BigInt Boolean Date Error EvalError Function Infinity Iterator JSON Map Math NaN Number Object Promise RangeError
	ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint8Array WeakMap WeakSet decodeURI decodeURIComponent
	encodeURI encodeURIComponent escape input isFinite isNaN parseFloat parseInt tools undefined unescape console `

// expected are the names that models use most though they do not exist here; the interpreter has the whole list.
const expected = "fetch setTimeout process Buffer fs globalThis Proxy Intl WeakRef"

// language is what instructions say of the language, from the tables of the interpreter.
func language(o Options) discovery.Language {
	l := discovery.Language{Sleep: o.AllowSleep}
	for _, b := range interpreter.Surface() {
		if !strings.ContainsAny(b.Path, ".[") && !slices.Contains(strings.Fields(standard), b.Path) {
			l.Extra = append(l.Extra, b.Path)
		}
	}
	absent := interpreter.Absent()
	for _, name := range strings.Fields(expected) {
		if absent[name] != "" {
			l.Missing = append(l.Missing, name)
		}
	}
	return l
}

// searchInput is what the tool search takes; a text alone is its query.
var searchInput = parsed(`{
	"type": ["object", "string"],
	"properties": {
		"query": {"type": "string", "description": "what the tool should do, or its path"},
		"namespace": {"type": "string", "description": "only tools at or below this path, and what it says of itself"},
		"limit": {"type": "integer", "minimum": 1, "default": 10},
		"offset": {"type": "integer", "minimum": 0, "default": 0}
	},
	"additionalProperties": false
}`)

var searchOutput = parsed(`{
	"type": "object",
	"properties": {
		"items": {"type": "array", "items": {
			"type": "object",
			"properties": {"path": {"type": "string"}, "description": {"type": "string"}, "signature": {"type": "string"}},
			"required": ["path", "description", "signature"]
		}},
		"about": {"type": "string"},
		"total": {"type": "integer"},
		"remaining": {"type": "integer"},
		"next": {"type": ["object", "null"], "properties": {"offset": {"type": "integer"}}, "required": ["offset"]}
	},
	"required": ["items", "total", "remaining", "next"]
}`)

func parsed(text string) *schema.Schema {
	s, err := schema.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

// searching is the tool search over what a view shows.
func searching(v *View) *tool.Tool {
	return tool.Raw("Find tools by what they do. With the path of a tool as the query it gives all there is to know about that tool.",
		searchInput, func(_ context.Context, input data.Value) (data.Value, error) {
			q, about, err := v.query(input)
			if err != nil {
				return nil, err
			}
			return found(q, about, v.Search(q)), nil
		}, tool.OutputSchema(searchOutput), tool.Annotate(tool.Annotations{ReadOnly: true}))
}

// Namespace finds the namespace that a text names: a name, a path or an expression, in any case and with any separators if
// that leaves one; "" is the root. about is its description and its guide, such as the instructions of the server behind it, and
// which namespaces below it have guides; "" for nothing. False means that nothing of this name is shown.
func (v *View) Namespace(text string) (path []string, about string, ok bool) {
	path, ok = v.index().Namespace(text)
	if !ok {
		return nil, "", false
	}
	return path, v.tools.About(path), true
}

// query reads a valid input; about is what the namespace says of itself if one is named.
func (v *View) query(input data.Value) (q discovery.Query, about string, err error) {
	q.Limit = discovery.DefaultLimit
	switch in := input.(type) {
	case data.String:
		q.Text = string(in)
	case *data.Object:
		q.Text, q.Namespace = text(in, "query"), text(in, "namespace")
		q.Limit, q.Offset = whole(in, "limit", q.Limit), whole(in, "offset", 0)
	}
	_, about, ok := v.Namespace(q.Namespace)
	if !ok {
		names, _ := v.tools.Keys(nil)
		return q, "", tool.Errorf("there is no namespace %q; %s", q.Namespace, spaces(names))
	}
	return q, about, nil
}

// maxSpaces bounds the namespaces that one message names.
const maxSpaces = 20

func spaces(names []string) string {
	if len(names) == 0 {
		return "there are no tools"
	}
	list := "the namespaces are " + strings.Join(names[:min(len(names), maxSpaces)], ", ")
	if len(names) > maxSpaces {
		list += " and more; Object.keys(tools) gives them all"
	}
	return list
}

func text(o *data.Object, name string) string {
	v, _ := o.Get(name)
	s, _ := v.(data.String)
	return string(s)
}

func whole(o *data.Object, name string, otherwise int) int {
	v, _ := o.Get(name)
	n, ok := v.(data.Number)
	if !ok {
		return otherwise
	}
	return int(min(n.Float64(), 1<<31))
}

// maxSearchDescription bounds a description among several, in characters.
const maxSearchDescription = 600

// found is the answer to a search as a program gets it.
func found(q discovery.Query, about string, r discovery.Results) data.Value {
	items := make([]data.Value, len(r.Hits))
	for i, h := range r.Hits {
		description, signature := cut(h.Entry.Tool.Description()), h.Entry.Hinted()
		if r.Exact {
			description, signature = h.Entry.Tool.Description(), h.Entry.Declaration()
		}
		items[i] = data.NewObject([]data.Member{
			{Key: "path", Value: data.String(h.Entry.Expression)},
			{Key: "description", Value: data.String(description)},
			{Key: "signature", Value: data.String(signature)},
		})
	}
	seen := min(q.Offset, r.Total) + len(r.Hits)
	var next data.Value = data.Null{}
	if seen < r.Total {
		next = data.NewObject([]data.Member{{Key: "offset", Value: data.IntOf(int64(seen))}})
	}
	answer := []data.Member{{Key: "items", Value: data.NewArray(items)}}
	if about != "" {
		answer = append([]data.Member{{Key: "about", Value: data.String(about)}}, answer...)
	}
	return data.NewObject(append(answer, []data.Member{
		{Key: "total", Value: data.IntOf(int64(r.Total))},
		{Key: "remaining", Value: data.IntOf(int64(r.Total - seen))},
		{Key: "next", Value: next},
	}...))
}

func cut(text string) string {
	if runes := []rune(text); len(runes) > maxSearchDescription {
		return string(runes[:maxSearchDescription-1]) + "…"
	}
	return text
}

package server

// This file defines the tool search: what programs have as tools.$codemode.search, for a model before it writes one.

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
)

var searchSchema = parsed(`{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "what the tool should do, or its path"},
		"namespace": {"type": "string", "description": "only tools at or below this path, and what it says of itself"},
		"limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
		"offset": {"type": "integer", "minimum": 0, "default": 0}
	},
	"additionalProperties": false
}`)

func searchTool(name string) *mcp.Tool {
	return &mcp.Tool{
		Name: name, Description: "Find tools that programs can call, by what they do or by path.",
		InputSchema: json.RawMessage(data.JSON(searchSchema.Document())),
		Annotations: &mcp.ToolAnnotations{Title: "Find tools", ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)},
	}
}

// search answers a call of the tool search.
func (s *Server) search(input data.Value) *mcp.CallToolResult {
	if err := searchSchema.Validate("input", input); err != nil {
		return refused(err.Error())
	}
	snapshot, err := s.snapshot(nil)
	if err != nil || snapshot.View() == nil {
		return refused("there are no tools for programs now")
	}
	in, _ := input.(*data.Object)
	q := discovery.Query{Text: textAt(in, "query"), Namespace: textAt(in, "namespace"), Limit: whole(in, "limit", discovery.DefaultLimit), Offset: whole(in, "offset", 0)}
	view := snapshot.View()
	if q.Namespace == "" {
		return found(q, view, "")
	}
	_, about, ok := view.Namespace(q.Namespace)
	if !ok {
		names, _ := view.Tools().Keys(nil)
		return refused(fmt.Sprintf("there is no namespace %q; %s", q.Namespace, namespaces(names)))
	}
	return found(q, view, about)
}

func namespaces(names []string) string {
	if len(names) == 0 {
		return "there are no tools now"
	}
	return "the namespaces are " + strings.Join(names[:min(len(names), maxNames)], ", ")
}

// maxNames bounds the namespaces that a message names.
const maxNames = 50

func textAt(o *data.Object, name string) string {
	v, _ := o.Get(name)
	s, _ := v.(data.String)
	return string(s)
}

// found presents what a search has found.
func found(q discovery.Query, view *codemode.View, about string) *mcp.CallToolResult {
	r := view.Search(q)
	var b strings.Builder
	if about != "" {
		fmt.Fprintf(&b, "%s: %s\n\n", q.Namespace, about)
	}
	for _, h := range r.Hits {
		if r.Exact {
			b.WriteString(h.Entry.Declaration() + "\n")
			continue
		}
		fmt.Fprintf(&b, "%s\n  %s\n", h.Entry.Hinted(), clip(strings.Join(strings.Fields(h.Entry.Tool.Description()), " "), maxFoundText))
	}
	switch seen := q.Offset + len(r.Hits); {
	case r.Total == 0:
		b.WriteString("Nothing found; try other words, or fewer.")
	case seen < r.Total:
		fmt.Fprintf(&b, "%d more; the next with offset %d.", r.Total-seen, seen)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.TrimRight(b.String(), "\n")}}}
}

// maxFoundText bounds the description of one tool among several, in characters.
const maxFoundText = 600

package client

// This file defines how one entry of a list becomes a tool.

import (
	"context"
	"fmt"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// definition is a tool of a server.
type definition struct {
	name    string
	tool    *tool.Tool
	whole   data.Value // as the server sent it
	input   *schema.Schema
	output  bool // it has an output schema
	wrapped bool // its results are wrapped, as the schema marks
	note    string
}

// read reads an entry, or says why it is no tool.
func (c *Client) read(v data.Value) (d *definition, reason string) {
	if _, ok := v.(*data.Object); !ok {
		return nil, "it is no object"
	}
	name, ok := member(v, "name").(data.String)
	switch {
	case !ok:
		return nil, "its name is no text"
	case badName(string(name)):
		return nil, "its name is empty between its dots"
	case c.server.misplaced(string(name)) != nil:
		return nil, "its name makes no path: " + c.server.misplaced(string(name)).Error()
	case appOnly(v):
		return nil, "it is for the user interface of an application only"
	}
	d = &definition{name: string(name), whole: v}
	options := []tool.Option{tool.Annotate(annotations(member(v, "annotations"))), tool.Validate(c.server.Validate.mode())}
	output := d.outputSchema(member(v, "outputSchema"))
	if output != nil {
		options = append(options, tool.OutputSchema(schema.New(output)))
	}
	input, problem := inputSchema(member(v, "inputSchema"))
	d.input = schema.New(input)
	if text(member(v, "execution"), "taskSupport") == "required" {
		problem = "it runs as a task only; the server refuses plain calls"
	}
	d.note = problem
	d.tool = tool.Raw(description(v), d.input, func(ctx context.Context, input data.Value) (data.Value, error) {
		return c.call(ctx, d, input)
	}, options...)
	return d, ""
}

// misplaced says why a tool's name makes no path below the server's, which would
// cost the whole tree.
func (s Server) misplaced(name string) error {
	_, err := tool.Resolve(tool.Tree{s.Name: tool.Tree{name: placeholder}})
	return err
}

var placeholder = tool.Raw("", nil, func(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil })

// description is what the tool does in words; the title if there are no others.
func description(v data.Value) string {
	if s := text(v, "description"); s != "" {
		return s
	}
	if s := text(v, "title"); s != "" {
		return s
	}
	return text(member(v, "annotations"), "title")
}

// appOnly reports whether the entry is marked as being for an application's
// interface and not for a model.
func appOnly(v data.Value) bool {
	list, ok := member(member(member(v, "_meta"), "ui"), "visibility").(data.Array)
	if !ok || list.Len() == 0 {
		return false
	}
	for _, who := range list.All() {
		if who != data.Value(data.String("app")) {
			return false
		}
	}
	return true
}

// annotations are those hints that are booleans.
func annotations(v data.Value) tool.Annotations {
	hint := func(key string) bool {
		b, _ := member(v, key).(data.Bool)
		return bool(b)
	}
	return tool.Annotations{ReadOnly: hint("readOnlyHint"), Destructive: hint("destructiveHint"), Idempotent: hint("idempotentHint")}
}

// inputSchema is the schema of the input, nil for none.
func inputSchema(v data.Value) (document data.Value, problem string) {
	switch v := v.(type) {
	case nil, data.Null:
		return nil, ""
	case *data.Object:
		return v, ""
	}
	return nil, fmt.Sprintf("its input schema is of kind %v and is not used", v.Kind())
}

// wrapMark is how FastMCP marks the schema of a result that is no object and is
// wrapped in one.
const (
	wrapMark   = "x-fastmcp-wrap-result"
	wrapMember = "result"
)

// outputSchema is the schema of what a program gets, nil for none.
func (d *definition) outputSchema(v data.Value) data.Value {
	o, ok := v.(*data.Object)
	if !ok {
		return nil
	}
	d.output = true
	inner, ok := member(member(o, "properties"), wrapMember).(*data.Object)
	if mark, _ := member(o, wrapMark).(data.Bool); !bool(mark) || !ok {
		return o
	}
	d.wrapped = true
	for _, key := range []string{"$defs", "definitions"} { // references go from the root
		if defs := member(o, key); defs != nil && member(inner, key) == nil {
			inner = set(inner, key, defs)
		}
	}
	return inner
}

// unenforced is a note if a schema cannot be enforced. It compiles the schemas,
// which takes half a millisecond a tool.
func (d *definition) unenforced() string {
	if err := d.input.Err(); err != nil {
		return "its input schema cannot be enforced: " + err.Error()
	}
	if err := d.tool.Output().Err(); err != nil {
		return "its output schema cannot be enforced: " + err.Error()
	}
	return ""
}

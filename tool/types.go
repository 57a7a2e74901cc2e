// This file defines the declarations of a whole catalog.

package tool

import (
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// Types is the text of a TypeScript declaration file for programs that call the
// tools of the catalog: the constant tools, with a method for each tool and a
// member for each namespace, commented. The types that the tools need besides
// stand in the namespace ToolTypes.
func (c *Catalog) Types() string {
	w := &typesWriter{}
	w.names.Reserve("Tools")
	var body strings.Builder
	w.members(&body, c.root, "    ")
	var b strings.Builder
	b.WriteString("declare namespace ToolTypes {\n")
	for _, d := range w.declarations {
		b.WriteString(indented(d, "  ") + ";\n")
	}
	b.WriteString("  interface Tools {\n" + body.String() + "  }\n}\n\ndeclare const tools: ToolTypes.Tools;\n")
	return b.String()
}

type typesWriter struct {
	names        schema.Names
	declarations []string
}

// members writes what is below a namespace.
func (w *typesWriter) members(b *strings.Builder, at *entry, indent string) {
	for _, name := range at.names {
		child := at.children[name]
		key := memberName(name)
		if !child.namespace {
			b.WriteString(w.method(child, key, indent))
			continue
		}
		if child.description != "" {
			b.WriteString(indented(schema.Comment(child.description), indent))
		}
		b.WriteString(indent + "readonly " + key + ": {\n")
		if child.tool != nil {
			b.WriteString(w.method(child, "", indent+"  "))
		}
		w.members(b, child, indent+"  ")
		b.WriteString(indent + "};\n")
	}
}

func (w *typesWriter) method(e *entry, key, indent string) string {
	text, declarations := e.tool.call(schema.Pretty, &w.names)
	w.declarations = append(w.declarations, declarations...)
	comment := Entry{e.path, e.expression, e.tool}.comment()
	return indented(comment+key+text+";\n", indent)
}

// memberName is a name as member of a type. A method called new would be a
// constructor.
func memberName(name string) string {
	if data.IsIdentifier(name) && name != "new" {
		return name
	}
	return string(data.AppendQuoted(nil, name))
}

// indented puts an indentation before each line.
func indented(text, indent string) string {
	if text == "" {
		return ""
	}
	trimmed, end := strings.CutSuffix(text, "\n")
	text = indent + strings.ReplaceAll(trimmed, "\n", "\n"+indent)
	if end {
		text += "\n"
	}
	return text
}

// This file defines how tools are shown as TypeScript.

package tool

import (
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// Signature is the tool as one line of TypeScript:
//
//	tools.github["list-issues"](input: { repo: string; state?: "open" | "closed" }): Promise<{ number: number }[]>
//
// Types that refer to themselves or are used several times follow, as in
// "…): Promise<Node>; type Node = { children: Node[] }". Without an output
// schema the result is Promise<unknown>. The text is made once for a tool; any
// goroutine may call this.
func (e Entry) Signature() string { return e.Expression + e.Tool.compact() }

// compact is the signature behind the path.
func (t *Tool) compact() string {
	t.signatureOnce.Do(func() {
		text, declarations := t.call(schema.Compact, &schema.Names{})
		t.signature = strings.Join(append([]string{text}, declarations...), "; ")
	})
	return t.signature
}

// call is parameters and result as TypeScript.
func (t *Tool) call(style schema.Style, names *schema.Names) (text string, declarations []string) {
	parameter := "("
	switch t.input.Argument() {
	case schema.Optional:
		parameter += "input?: "
	case schema.Required:
		parameter += "input: "
	}
	if parameter != "(" {
		input := t.input.Render(style, names)
		if t.input.Object().Len() > 0 && input.Type == "unknown" && t.input.Argument() == schema.Optional {
			input.Type = "Record<string, unknown>" // a document that says nothing, as some servers send
		}
		parameter += input.Type
		declarations = input.Declarations
	}
	output := t.output.Render(style, names)
	return parameter + "): Promise<" + output.Type + ">", append(declarations, output.Declarations...)
}

// Declaration is the tool as TypeScript over several lines: a JSDoc comment of
// what it does, its hints and examples; the signature with what the schemas say
// of each property; and the types that follow it. Every statement ends in a
// semicolon and a line end.
func (e Entry) Declaration() string {
	text, declarations := e.Tool.call(schema.Pretty, &schema.Names{})
	var b strings.Builder
	b.WriteString(e.comment() + e.Expression + text + ";\n")
	for _, d := range declarations {
		b.WriteString(d + ";\n")
	}
	return b.String()
}

// Destructive is the tag of tools that may destroy something, in declarations
// and wherever signatures are shown.
const Destructive = "@destructive"

// Tags are the hints as the tags of a JSDoc comment: @readOnly, @destructive and
// @idempotent, in this order.
func (a Annotations) Tags() (tags []string) {
	for _, hint := range [...]struct {
		given bool
		tag   string
	}{{a.ReadOnly, "@readOnly"}, {a.Destructive, Destructive}, {a.Idempotent, "@idempotent"}} {
		if hint.given {
			tags = append(tags, hint.tag)
		}
	}
	return tags
}

// Hinted is the signature, with the hints of the tool as a comment behind it.
func (e Entry) Hinted() string {
	tags := e.Tool.annotations.Tags()
	if len(tags) == 0 {
		return e.Signature()
	}
	return e.Signature() + " // " + strings.Join(tags, " ")
}

// maxExample bounds the text of one example.
const maxExample = 1000

// comment is the JSDoc comment of a tool with its line end, or nothing.
func (e Entry) comment() string {
	lines := append([]string{e.Tool.description}, e.Tool.annotations.Tags()...)
	for _, example := range e.Tool.examples {
		lines = append(lines, strings.TrimSpace("@example "+example.Description), "await "+e.Expression+"("+clip(data.JSON(example.Input), maxExample)+")")
	}
	return schema.Comment(lines...)
}

// maxUsage bounds a signature inside a message.
const maxUsage = 600

// usage is the signature as far as it fits a message: whole, or without what is
// inside objects, or cut.
func (e *entry) usage() string {
	text := e.expression + e.tool.compact()
	if len(text) <= maxUsage {
		return text
	}
	if e.tool.input.Argument() != schema.Unneeded {
		text = e.expression + "(input: " + e.tool.input.Outline() + ")"
	}
	return clip(text, maxUsage)
}

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// namespaced makes a text of TypeScript of a signature, in a namespace of its own.
func namespaced(b *strings.Builder, i int, e tool.Entry, signature string) {
	at := strings.Index(signature, e.Expression)
	fmt.Fprintf(b, "declare namespace t%d {\n%sfunction call%s\n}\n", i, signature[:at], signature[at+len(e.Expression):])
}

func TestSignaturesOfAllTools(t *testing.T) {
	var b strings.Builder
	for i, e := range fixture.Catalog().All() {
		if strings.Contains(e.Signature(), "\n") {
			t.Errorf("%s has more than one line", e.Expression)
		}
		namespaced(&b, i, e, e.Signature())
	}
	accept(t, b.String())
}

func TestDeclarationsOfAllTools(t *testing.T) {
	var b strings.Builder
	for i, e := range fixture.Catalog().All() {
		namespaced(&b, i, e, e.Declaration())
	}
	accept(t, b.String())
}

// define writes a namespace with what a schema rendered to, under the name Type.
func define(b *strings.Builder, name string, r schema.Rendered) {
	statements := append(r.Declarations, "export type Type = "+r.Type)
	fmt.Fprintf(b, "declare namespace %s { %s }\n", name, strings.Join(statements, "; "))
}

// Compact and pretty are the same types.
func TestStylesMeanTheSame(t *testing.T) {
	b := &strings.Builder{}
	b.WriteString("type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;\n")
	for i, e := range fixture.Catalog().All() {
		for j, s := range []*schema.Schema{e.Tool.Input(), e.Tool.Output()} {
			compact, pretty := s.Render(schema.Compact, nil), s.Render(schema.Pretty, nil)
			define(b, fmt.Sprintf("c%d_%d", i, j), compact)
			define(b, fmt.Sprintf("p%d_%d", i, j), pretty)
			fmt.Fprintf(b, "const same%d_%d: Same<c%d_%d.Type, p%d_%d.Type> = true;\n", i, j, i, j, i, j)
		}
	}
	accept(t, b.String())
}

// Every tool is in the declaration file under the very expression that calls it.
func TestTypesOfAllTools(t *testing.T) {
	c := fixture.Catalog()
	b := &strings.Builder{}
	b.WriteString(c.Types())
	for i, e := range c.All() {
		fmt.Fprintf(b, "const f%d: (...input: any) => Promise<unknown> = %s;\n", i, e.Expression)
	}
	b.WriteString("// @ts-expect-error\ntools.memory.nothing;\n// @ts-expect-error\ntools.memory = 1;\n")
	b.WriteString(`async function use() { const found = await tools.memory.search_nodes({ query: "Go" }); const name: string = found.entities[0].name; return name; }` + "\n")
	accept(t, b.String())
}

func TestTypesOfStrangePaths(t *testing.T) {
	leaf := tool.Raw("ends */ the comment", nil, func(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil })
	tree := tool.Tree{}
	for _, name := range []string{"new", "constructor", "get", "set", "readonly", "async", "static", "await", "class", "__proto__", "prototype", "toString", "then",
		"a-b", "1", "a b", "ü", "\"", "\\", "\n", "\u2028", "${x}", "[key: string]", "call", "name", "length", "?", "*/", "\xff", "default", "of", "in"} {
		tree[name] = tool.Namespace{Self: leaf, Description: "*/ " + name, Tools: tool.Tree{"inner": leaf, "new": leaf, "call": leaf}}
		tree["leaf "+name] = leaf
	}
	c, err := tool.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	b := &strings.Builder{}
	b.WriteString(c.Types())
	for i, e := range c.All() {
		fmt.Fprintf(b, "const f%d: (...input: any) => Promise<unknown> = %s;\n", i, e.Expression)
	}
	accept(t, b.String())
}

package registry_test

import (
	"context"
	"testing"

	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/tool"
)

func fixtures(b *testing.B) (*registry.Registry, []*registry.Registration) {
	r := newRegistry(b, registry.Options{})
	var all []*registry.Registration
	for _, l := range fixture.Lists() {
		tree := tool.Tree{l.Server: tool.Namespace{Description: l.Description, Guide: l.Instructions, Tools: l.Tree()}}
		all = append(all, register(b, r, tree, registry.Deferred))
	}
	return r, all
}

// BenchmarkSnapshot takes snapshots of the 946 recorded tools, with what the request to the model needs of them.
func BenchmarkSnapshot(b *testing.B) {
	r, all := fixtures(b)
	rules := []registry.Rule{
		{Path: "*.delete_*", Effect: registry.Deny}, {Hints: registry.Hints{Destructive: new(true)}, Effect: registry.Deny},
		{Path: "official-github.*"}, {Path: "*.drop*", Effect: registry.Deny}, {Path: "memory.*", Effect: registry.Deny},
	}
	for name, s := range map[string]registry.Step{
		"all":     {},
		"visible": {Visible: func(e tool.Entry) bool { return e.Path[0] != "memory" }},
		"rules":   {Rules: rules},
	} {
		b.Run(name+"/unchanged", func(b *testing.B) {
			step(b, r, s).Tools()
			for b.Loop() {
				step(b, r, s).Tools()
			}
		})
		b.Run(name+"/changed", func(b *testing.B) {
			tree := tool.Tree{"extra.x": answering("x")}
			for b.Loop() {
				register(b, r, tree, registry.Deferred).Dispose()
				step(b, r, s).Tools()
			}
		})
	}
	b.Run("replaced", func(b *testing.B) {
		l := fixture.Lists()[0]
		for b.Loop() {
			if err := all[0].Replace(tool.Tree{l.Server: l.Tree()}); err != nil {
				b.Fatal(err)
			}
			step(b, r, registry.Step{}).Tools()
		}
	})
}

// BenchmarkCall runs a small program with one call, in views of the 946 tools and one more.
func BenchmarkCall(b *testing.B) {
	r, _ := fixtures(b)
	register(b, r, tool.Tree{"fast.answer": answering("x")}, registry.Deferred)
	register(b, r, tool.Tree{"answer": answering("x")}, registry.Direct)
	src := code(`return await tools.fast.answer({})`)
	for name, s := range map[string]registry.Step{"all": {}, "filtered": {Rules: []registry.Rule{{Path: "memory.*", Effect: registry.Deny}}}} {
		snapshot := step(b, r, s)
		for _, tl := range snapshot.Tools() {
			b.Run(name+"/"+tl.Name, func(b *testing.B) {
				for b.Loop() {
					if o, err := tl.Call(context.Background(), "c", src); err != nil || o.Text != "x" {
						b.Fatal(o, err)
					}
				}
			})
		}
	}
}

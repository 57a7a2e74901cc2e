package codemode_test

import (
	"context"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/tool"
)

const tenLines = `const people = [{name: "Ada", age: 36}, {name: "Bob", age: 25}, {name: "Cy", age: 51}];
function label(p) {
  const old = p.age > 30;
  return {...p, old, text: p.name + (old ? "!" : "?")};
}
const labelled = people.map(label);
let sum = 0;
for (const p of labelled) sum += p.age;
const names = labelled.filter(p => p.old).map(p => p.text);
return {sum, names};`

// BenchmarkWarmExecution is a program from the cache: realm, scope and result included.
func BenchmarkWarmExecution(b *testing.B) {
	rt, err := codemode.New(codemode.Options{Limits: codemode.Limits{TimeoutMs: new(60000)}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if r, err := rt.Execute(context.Background(), tenLines); err != nil || !r.OK {
			b.Fatal(r.Error, err)
		}
	}
}

// BenchmarkColdExecution compiles each time: a comment makes the text a new one.
func BenchmarkColdExecution(b *testing.B) {
	rt, err := codemode.New(codemode.Options{})
	if err != nil {
		b.Fatal(err)
	}
	text := []byte("//" + "aaaaaaaaaaaa" + "\n" + tenLines)
	for b.Loop() {
		for i := 2; ; i++ {
			if text[i]++; text[i] <= 'z' {
				break
			}
			text[i] = 'a'
		}
		if r, err := rt.Execute(context.Background(), string(text)); err != nil || !r.OK || r.Stats.Cached {
			b.Fatal(r.Error, err)
		}
	}
}

// BenchmarkToolCall is one typed tool call in a loop of awaits, through everything.
func BenchmarkToolCall(b *testing.B) {
	type in struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	rt, err := codemode.New(codemode.Options{Tools: tool.Tree{"math": tool.Tree{
		"add": tool.New("Add", func(_ context.Context, in in) (int, error) { return in.A + in.B, nil })}}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	r, err := rt.ExecuteWith(context.Background(), `let s = 0; for (let i = 0; i < input; i++) s += await tools.math.add({a: i, b: 1}); return s`, codemode.ExecOptions{Input: b.N})
	if err != nil || !r.OK {
		b.Fatal(r.Error, err)
	}
}

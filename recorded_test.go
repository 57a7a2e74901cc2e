package codemode_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/tool"
)

// All 946 tools that real servers listed are raw tools, and programs call each by its printed path. Those that a client of
// MCP leaves out, since they are for an application, are among them.
func TestAllRecordedToolsAreRawTools(t *testing.T) {
	tree := tool.Tree{}
	for _, l := range fixture.Lists() {
		space := tool.Tree{}
		for name, node := range l.Tree() {
			recorded := node.(*tool.Tool)
			space[name] = tool.Raw(recorded.Description(), recorded.Input(), func(context.Context, data.Value) (data.Value, error) {
				return data.String(tool.PathString([]string{l.Server, name})), nil
			}, tool.Validate(tool.Off))
		}
		tree[l.Server] = space
	}
	rt, err := codemode.New(codemode.Options{Tools: tree})
	if err != nil {
		t.Fatal(err)
	}
	all := rt.Tools().All()
	if len(all) != 946 {
		t.Fatalf("%d tools", len(all))
	}
	for part := range slices.Chunk(all, 100) {
		var calls strings.Builder
		for _, e := range part {
			fmt.Fprintf(&calls, "%s({}),\n", e.Expression)
		}
		r, err := rt.Execute(t.Context(), "return await Promise.all([\n"+calls.String()+"])")
		if err != nil || !r.OK {
			t.Fatal(r.Error, err)
		}
		for i, v := range r.Value.(data.Array).All() {
			if v != data.Value(data.String(part[i].Expression)) {
				t.Errorf("%s reached %v", part[i].Expression, v)
			}
		}
	}
}

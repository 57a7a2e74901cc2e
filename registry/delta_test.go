package registry_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/tool"
)

func TestDelta(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	same := answering("same")
	g := register(t, r, tool.Tree{"db": tool.Namespace{Description: "Rows.", Tools: tool.Tree{"same": same, "gone": answering("gone"), "other": answering("other")}}}, registry.Deferred)
	d := register(t, r, tool.Tree{"stop": answering("stop"), "ask": answering("ask"), "kept": answering("kept")}, registry.Direct)
	before := step(t, r, registry.Step{})
	if got := before.Since(nil); len(got.Programs.Added) != 3 || len(got.Direct.Added) != 3 || got.Empty() {
		t.Errorf("since the beginning: %+v", got)
	}
	if got := step(t, r, registry.Step{}).Since(before); !got.Empty() || got.String() != "" {
		t.Errorf("without a change: %s", got)
	}
	// The same again, made anew, is no change to a model.
	if err := d.Replace(tool.Tree{"stop": answering("stop"), "ask": answering("ask"), "kept": answering("kept")}); err != nil {
		t.Fatal(err)
	}
	if got := step(t, r, registry.Step{}).Since(before); !got.Empty() {
		t.Errorf("with the same tools: %s", got)
	}
	err := g.Replace(tool.Tree{"db": tool.Namespace{Description: "Rows of all.", Tools: tool.Tree{"same": same, "new": answering("new"), "other": answering("else")}}})
	if err == nil {
		err = d.Replace(tool.Tree{"ask": answering("more"), "kept": answering("kept"), "tell": answering("tell")})
	}
	if err != nil {
		t.Fatal(err)
	}
	want := `The tools have changed.
New tools of yours: tell
Changed tools of yours: ask
Tools of yours that are gone: stop
For programs of execute:
Added:
  - tools.db.new(input?: unknown): Promise<unknown> // Answers new
Changed:
  - tools.db.other(input?: unknown): Promise<unknown> // Answers else
Removed:
  - tools.db.gone
Namespaces described anew: db
`
	if got := step(t, r, registry.Step{}).Since(before).String(); got != want {
		t.Errorf("got\n%s", got)
	}
	// Rules of a step change what is there as well.
	got := step(t, r, registry.Step{Rules: []registry.Rule{{Path: "db.*", Effect: registry.Deny}}}).Since(before)
	if len(got.Programs.Removed) != 3 || len(got.Programs.Added) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestDeltaIsBounded(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	before := step(t, r, registry.Step{})
	tree := tool.Tree{}
	for i := range 3000 {
		tree["many.t"+strconv.Itoa(i)] = answering("x")
	}
	register(t, r, tree, registry.Deferred)
	got := step(t, r, registry.Step{}).Since(before)
	if text := got.String(); len(got.Programs.Added) != 3000 || len(text) > 4000 || !strings.HasSuffix(text, "\n… and 2960 more; find what there is with tools.$codemode.search\n") {
		t.Error(text)
	}
}

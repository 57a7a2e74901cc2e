package discovery

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// leaf is a tool without input whose description makes its line as long as wanted.
func leaf(description string, options ...tool.Option) *tool.Tool {
	none, err := schema.Parse([]byte(`{"type":"object","additionalProperties":false}`))
	if err != nil {
		panic(err)
	}
	return tool.Raw(description, none, func(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil }, options...)
}

func shown(l Listing) string {
	var list []string
	for _, n := range l.Namespaces {
		for _, line := range n.Lines {
			list = append(list, strings.Join(line.Entry.Path, "."))
		}
	}
	return strings.Join(list, " ")
}

// A quarter of the characters, rounded up; the lines of namespaces count first, then the namespaces take turns with
// their cheapest tool, and one that cannot pay leaves.
func TestBudget(t *testing.T) {
	c := resolved(tool.Tree{
		"a": tool.Tree{"a1": leaf(strings.Repeat("x", 10)), "a2": leaf(strings.Repeat("x", 50)), "a3": leaf(strings.Repeat("x", 90))},
		"b": tool.Tree{"b1": leaf(strings.Repeat("x", 30)), "b2": leaf(strings.Repeat("x", 31))},
		"c": tool.Tree{"c1": leaf(strings.Repeat("x", 110))},
	})
	cost := map[string]int{}
	for _, e := range c.All() {
		cost[e.Path[1]] = Estimate(lineOf(e).String())
	}
	namespaces := Estimate("- tools.a: PARTIAL, 2 of 3 tools\n") + Estimate("- tools.b: PARTIAL, 1 of 2 tools\n") + Estimate("- tools.c: PARTIAL, 0 of 1 tool\n")
	for _, test := range []struct {
		tokens int
		want   string
	}{
		{namespaces, ""},
		{namespaces + cost["a1"] - 1, ""},
		{namespaces + cost["a1"], "a.a1"},
		{namespaces + cost["a1"] + cost["b1"], "a.a1 b.b1"},
		// c1 cannot pay and leaves; a2 comes before b2.
		{namespaces + cost["a1"] + cost["b1"] + cost["a2"], "a.a1 a.a2 b.b1"},
		{namespaces + cost["a1"] + cost["b1"] + cost["b2"], "a.a1 b.b1 b.b2"},
		{namespaces + cost["a1"] + cost["b1"] + cost["c1"] + cost["a2"] + cost["b2"] + cost["a3"], "a.a1 a.a2 a.a3 b.b1 b.b2 c.c1"},
		{-1, ""},
		{0, "a.a1 a.a2 a.a3 b.b1 b.b2 c.c1"}, // the default
	} {
		l := List(c, test.tokens)
		if got := shown(l); got != test.want {
			t.Errorf("%d tokens: %q, want %q", test.tokens, got, test.want)
		}
		if l.Complete() != (strings.Count(test.want, ".") == 6) {
			t.Errorf("%d tokens: complete is %v", test.tokens, l.Complete())
		}
	}
}

func TestListingText(t *testing.T) {
	c := resolved(tool.Tree{
		"ping": leaf("Answers.\nAlways."),
		"odd name": tool.Namespace{Description: "Things. And more things.", Tools: tool.Tree{
			"x-y": leaf(strings.Repeat("word ", 40)), "sub": tool.Tree{"deep": leaf("")},
		}},
		"both": tool.Namespace{Self: leaf("Itself"), Tools: tool.Tree{"below": leaf("  # Below\n")}},
	})
	want := "- tools: COMPLETE, 1 tool\n" +
		"  - tools.ping(): Promise<unknown> // Answers.\n" +
		"- tools.both: COMPLETE, 2 tools\n" +
		"  - tools.both(): Promise<unknown> // Itself\n" +
		"  - tools.both.below(): Promise<unknown> // Below\n" +
		"- tools[\"odd name\"]: COMPLETE, 2 tools // Things.\n" +
		"  - tools[\"odd name\"].sub.deep(): Promise<unknown>\n" +
		"  - tools[\"odd name\"][\"x-y\"](): Promise<unknown> // " + strings.Repeat("word ", 23) + "word…\n"
	if got := List(c, 0).String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := List(c, -1).String(); strings.Count(got, "\n") != 3 || !strings.Contains(got, "- tools.both: PARTIAL, 0 of 2 tools\n") {
		t.Error(got)
	}
}

func TestPinnedToolsAreAlwaysShown(t *testing.T) {
	tree := tool.Tree{}
	for i := range 50 {
		tree[fmt.Sprint("t", i)] = leaf("cheap")
	}
	tree["important"] = leaf(strings.Repeat("x", 119), tool.Pinned())
	c := resolved(tool.Tree{"ns": tree})
	for _, tokens := range []int{-1, 1, 30, 100} {
		if got := shown(List(c, tokens)); !strings.Contains(got, "ns.important") {
			t.Errorf("%d tokens: %s", tokens, got)
		}
	}
	if got := List(c, 100).Shown; got < 3 || got > 10 {
		t.Errorf("%d shown beside the pinned one", got)
	}
}

// A namespace with expensive signatures does not keep others out, and none is left unnamed.
func TestNoNamespaceStarvesAnother(t *testing.T) {
	for _, n := range []int{100, 946, 2500} {
		c := resolved(fixture.Many(n))
		l := List(c, DefaultTokens)
		some := 0
		for _, space := range l.Namespaces {
			if len(space.Lines) > 0 {
				some++
			}
		}
		if names, _ := c.Keys(nil); len(names) != len(l.Namespaces) || some < min(20, len(l.Namespaces)) {
			t.Errorf("%d tools: %d of %d namespaces, %d with tools", n, len(l.Namespaces), len(names), some)
		}
		if cost := Estimate(l.String()); cost > DefaultTokens || cost < DefaultTokens*8/10 {
			t.Errorf("%d tools: costs %d", n, cost)
		}
	}
}

// So many namespaces that naming them takes it all lose their descriptions, not their lines.
func TestManyNamespaces(t *testing.T) {
	tree := tool.Tree{}
	for i := range 60 {
		tree[fmt.Sprintf("namespace%02d", i)] = tool.Namespace{Description: strings.Repeat("Long text ", 20), Tools: tool.Tree{"tool": leaf("Does it")}}
	}
	l := List(resolved(tree), DefaultTokens)
	if len(l.Namespaces) != 60 || Estimate(l.String()) > DefaultTokens || l.Shown == 0 || l.Namespaces[0].Description != "" {
		t.Errorf("%d namespaces, %d tools, %d tokens\n%.200s", len(l.Namespaces), l.Shown, Estimate(l.String()), l)
	}
}

// The cheapest tools are found without making all signatures, as if all had been made.
func TestCheapestFirst(t *testing.T) {
	c := fixture.Catalog()
	for _, e := range c.All() {
		if least, cost := leastCost(e), Estimate(lineOf(e).String()); least > cost {
			t.Errorf("%s costs %d, thought to be at least %d", e.Expression, cost, least)
		}
	}
	for _, n := range List(c, 20_000).Namespaces {
		dearest, left := 0, []int{}
		for _, e := range c.All() {
			cost := Estimate(lineOf(e).String())
			switch {
			case e.Path[0] != n.Name:
			case slices.ContainsFunc(n.Lines, func(l Line) bool { return l.Entry.Expression == e.Expression }):
				dearest = max(dearest, cost)
			default:
				left = append(left, cost)
			}
		}
		if len(left) > 0 && slices.Min(left) < dearest {
			t.Errorf("%s shows a tool of %d and not one of %d", n.Name, dearest, slices.Min(left))
		}
	}
}

func TestListingIsOneLineEach(t *testing.T) {
	for _, n := range List(fixture.Catalog(), 1<<30).Namespaces {
		for _, line := range n.Lines {
			if text := line.String(); strings.Count(text, "\n") != 1 || !utf8.ValidString(text) || utf8.RuneCountInString(line.Description) > maxBrief {
				t.Errorf("%q", text)
			}
		}
	}
}

func TestCompare(t *testing.T) {
	same := leaf("Same")
	before := resolved(tool.Tree{
		"a": tool.Namespace{Description: "old", Tools: tool.Tree{"same": same, "gone": leaf("Gone"), "text": leaf("Before"), "equal": leaf("Equal")}},
		"z": tool.Tree{"last": leaf("Last")},
	})
	after := resolved(tool.Tree{
		"a": tool.Namespace{Description: "new", Tools: tool.Tree{"same": same, "text": leaf("After"), "equal": leaf("Equal"), "born": leaf("Born")}},
		"b": tool.Tree{"x": leaf("X", tool.Annotate(tool.Annotations{ReadOnly: true}))},
	})
	d := Compare(before, after)
	expressions := func(list []tool.Entry) string {
		var out []string
		for _, e := range list {
			out = append(out, e.Expression)
		}
		return strings.Join(out, " ")
	}
	if expressions(d.Added) != "tools.a.born tools.b.x" || expressions(d.Removed) != "tools.a.gone tools.z.last" || expressions(d.Changed) != "tools.a.text" || !slices.Equal(d.Namespaces, []string{"a"}) {
		t.Errorf("%+v", d)
	}
	want := "Added:\n  - tools.a.born(): Promise<unknown> // Born\n  - tools.b.x(): Promise<unknown> // X\nChanged:\n  - tools.a.text(): Promise<unknown> // After\nRemoved:\n  - tools.a.gone\n  - tools.z.last\n"
	if d.String() != want || d.Empty() {
		t.Errorf("got\n%s", d)
	}
	if d := Compare(before, before); !d.Empty() || d.String() != "" {
		t.Errorf("%+v", d)
	}
	back := Compare(after, before)
	if expressions(back.Added) != expressions(d.Removed) || expressions(back.Removed) != expressions(d.Added) || len(back.Changed) != 1 {
		t.Errorf("%+v", back)
	}
}

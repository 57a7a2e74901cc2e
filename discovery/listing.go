package discovery

// This file defines the listing: which tools of a catalog are shown to a model within a budget of tokens.

import (
	"cmp"
	"container/heap"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/tool"
)

// DefaultTokens is the budget of a listing unless told otherwise.
const DefaultTokens = 2000

// Estimate is about how many tokens a text costs a model: a quarter of its characters, rounded up.
func Estimate(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

// Listing is what a model is shown of a catalog: all namespaces with their counts, and of their tools what fits.
type Listing struct {
	Namespaces []Namespace // sorted by name
	Tools      int         // in all
	Shown      int         // of them
}

// Namespace is a first segment of paths with the tools below it.
type Namespace struct {
	Name        string // the segment; empty for tools that are directly below `tools`
	Description string // its first sentence, cut; empty if there is none
	Guided      bool   // it or one below it says how it is to be used; see [tool.Namespace]
	Tools       int    // in all
	Lines       []Line // those that are shown, sorted by path
}

// Line is one tool that is shown.
type Line struct {
	Entry       tool.Entry
	Signature   string
	Description string // its first sentence, cut; behind [tool.Destructive] if the tool is that
}

// Complete reports that every tool is shown.
func (l Listing) Complete() bool { return l.Shown == l.Tools }

// Complete reports that every tool of the namespace is shown.
func (n Namespace) Complete() bool { return len(n.Lines) == n.Tools }

// List chooses what to show of a catalog for an estimated number of tokens; zero is DefaultTokens, negative shows no
// tools but the pinned ones. The lines of namespaces and of pinned tools come first, even if they cost more than there
// is. Then the namespaces take turns, each with its cheapest tool that is left, until what comes next does not fit.
func List(c *tool.Catalog, tokens int) Listing {
	if tokens == 0 {
		tokens = DefaultTokens
	}
	queues := queuesOf(c)
	l := Listing{Tools: len(c.All())}
	tokens -= headers(queues, tokens)
	for _, q := range queues {
		for _, e := range q.pinned {
			tokens -= q.show(lineOf(e))
		}
	}
	playing := slices.Clone(queues)
	for len(playing) > 0 {
		playing = slices.DeleteFunc(playing, func(q *queue) bool {
			line, ok := q.next(tokens)
			if ok {
				tokens -= q.show(line)
			}
			return !ok
		})
	}
	for _, q := range queues {
		slices.SortFunc(q.space.Lines, func(a, b Line) int { return slices.Compare(a.Entry.Path, b.Entry.Path) })
		l.Shown += len(q.space.Lines)
		l.Namespaces = append(l.Namespaces, q.space)
	}
	return l
}

// queue is a namespace with its tools that are not shown yet, cheapest first.
type queue struct {
	space  Namespace
	pinned []tool.Entry
	costs  costs
}

func queuesOf(c *tool.Catalog) []*queue {
	var list []*queue
	byName := map[string]*queue{}
	for i, e := range c.All() {
		name := ""
		if _, space := c.Lookup(e.Path[:1]); space {
			name = e.Path[0]
		}
		q := byName[name]
		if q == nil {
			var path []string
			if name != "" {
				path = []string{name}
			}
			q = &queue{space: Namespace{Name: name, Description: brief(c.Description(path)), Guided: c.Guided(path)}}
			byName[name] = q
			list = append(list, q)
		}
		q.space.Tools++
		if e.Tool.Pinned() {
			q.pinned = append(q.pinned, e)
		} else {
			q.costs = append(q.costs, costed{entry: e, order: i, cost: leastCost(e)})
		}
	}
	for _, q := range list {
		heap.Init(&q.costs)
	}
	slices.SortFunc(list, func(a, b *queue) int { return cmp.Compare(a.space.Name, b.space.Name) })
	return list
}

// header is what the namespace's own line costs at its longest.
func (q *queue) header() int { return Estimate(q.space.line(q.space.Tools - 1)) }

// headers shortens the descriptions of namespaces until the namespaces' own lines cost no more than half of a budget, if
// it can, and returns what they cost.
func headers(queues []*queue, tokens int) (cost int) {
	for _, most := range []int{maxBrief, maxBrief / 2, 0} {
		cost = 0
		for _, q := range queues {
			q.space.Description = shortened(q.space.Description, most)
			cost += q.header()
		}
		if cost <= tokens/2 {
			break
		}
	}
	return cost
}

func (q *queue) show(line Line) (cost int) {
	q.space.Lines = append(q.space.Lines, line)
	return Estimate(line.String())
}

// next is the cheapest tool that is left, if it costs no more than budget. Signatures are made only of tools that may
// be it.
func (q *queue) next(budget int) (Line, bool) {
	for len(q.costs) > 0 && q.costs[0].cost <= budget {
		first := &q.costs[0]
		if first.line == nil {
			line := lineOf(first.entry)
			first.line, first.cost = &line, Estimate(line.String())
			heap.Fix(&q.costs, 0)
			continue
		}
		line := *first.line
		heap.Pop(&q.costs)
		return line, true
	}
	return Line{}, false
}

// costed is a tool with what it costs: at least, as long as there is no line.
type costed struct {
	entry tool.Entry
	order int
	cost  int
	line  *Line
}

// leastCost is no more than what a tool's line costs, found without making its signature: the path, the names of the
// parameters with the shortest types, and what is always there.
func leastCost(e tool.Entry) int {
	n := utf8.RuneCountInString(e.Expression) + len("  - (): Promise<0>\n")
	for _, p := range e.Tool.Input().Properties() {
		n += utf8.RuneCountInString(p) + len(": 0; ")
	}
	return (n + 3) / 4
}

// costs is a heap of tools, the cheapest first.
type costs []costed

// Len implements heap.Interface.
func (c costs) Len() int { return len(c) }

// Less implements heap.Interface.
func (c costs) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[i].cost, c[j].cost), cmp.Compare(c[i].order, c[j].order)) < 0
}

// Swap implements heap.Interface.
func (c costs) Swap(i, j int) { c[i], c[j] = c[j], c[i] }

// Push implements heap.Interface.
func (c *costs) Push(x any) { *c = append(*c, x.(costed)) }

// Pop implements heap.Interface.
func (c *costs) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

func lineOf(e tool.Entry) Line {
	description := brief(e.Tool.Description())
	if e.Tool.Annotations().Destructive {
		description = shortened(strings.TrimSpace(tool.Destructive+" "+description), maxBrief)
	}
	return Line{e, e.Signature(), description}
}

// maxBrief bounds a description in a listing, in characters.
const maxBrief = 120

// brief is the first sentence of a description on one line.
func brief(description string) string {
	first, _ := firstSentence(description)
	return shortened(strings.Join(strings.Fields(first), " "), maxBrief)
}

func shortened(text string, most int) string {
	runes := []rune(text)
	switch {
	case len(runes) <= most:
		return text
	case most == 0:
		return ""
	}
	return strings.TrimRight(string(runes[:most-1]), " ") + "…"
}

// String is the line as a model sees it, with its end.
func (l Line) String() string {
	text := "  - " + l.Signature
	if l.Description != "" {
		text += " // " + l.Description
	}
	return text + "\n"
}

// Expression is the namespace as a program writes it.
func (n Namespace) Expression() string {
	if n.Name == "" {
		return "tools"
	}
	return tool.PathString([]string{n.Name})
}

// line is the namespace's own line when so many of its tools are shown.
func (n Namespace) line(shown int) string {
	text := "- " + n.Expression() + ": "
	if shown == n.Tools {
		text += "COMPLETE, " + counted(n.Tools, "tool")
	} else {
		text += "PARTIAL, " + strconv.Itoa(shown) + " of " + counted(n.Tools, "tool")
	}
	if n.Guided {
		text += ", GUIDE"
	}
	if n.Description != "" {
		text += " // " + n.Description
	}
	return text + "\n"
}

// guided reports whether a namespace says how it is to be used.
func (l Listing) guided() bool {
	return slices.ContainsFunc(l.Namespaces, func(n Namespace) bool { return n.Guided })
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// String is the listing as a model sees it: each namespace with its tools below it.
func (l Listing) String() string {
	var b strings.Builder
	for _, n := range l.Namespaces {
		b.WriteString(n.line(len(n.Lines)))
		for _, line := range n.Lines {
			b.WriteString(line.String())
		}
	}
	return b.String()
}

package discovery

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/tool"
)

// query is one line of the query set: what somebody asks for, and the tools that are right.
type query struct {
	ID, Half, Kind, Query, Namespace string
	Want                             []string
}

// queries are those that measure search. It is tuned on the half "tune" only; "report" is what is claimed.
func queries(t testing.TB, name string) []query {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var list []query
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var q query
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		list = append(list, q)
	}
	return list
}

// ranker gives the expressions of tools, best first.
type ranker func(q query) []string

func ranking(q query) []string {
	var list []string
	for _, h := range recorded().Search(Query{Text: q.Query, Namespace: q.Namespace, Limit: 1000}).Hits {
		list = append(list, h.Entry.Expression)
	}
	return list
}

// place is where the first right tool is, from 1; 0 if it is not found.
func (q query) place(by ranker) int {
	return slices.IndexFunc(by(q), func(path string) bool { return slices.Contains(q.Want, path) }) + 1
}

// quality sums up how well queries were answered.
type quality struct {
	n, first, five int
	reciprocal     float64
}

func (s *quality) add(place int) {
	s.n++
	if place == 0 {
		return
	}
	if place == 1 {
		s.first++
	}
	if place <= 5 {
		s.five++
	}
	s.reciprocal += 1 / float64(place)
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// assess answers one half of the queries, by kind and, under "all", in all.
func assess(all []query, half string, by ranker) map[string]*quality {
	sums := map[string]*quality{}
	for _, q := range all {
		if q.Half != half {
			continue
		}
		place := q.place(by)
		for _, kind := range []string{q.Kind, "all"} {
			if sums[kind] == nil {
				sums[kind] = &quality{}
			}
			sums[kind].add(place)
		}
	}
	return sums
}

var update = flag.Bool("update", false, "rewrite the table in docs/discovery.md")

// The kinds of query in the order of the table.
var kinds = []string{"exact", "plural", "parameter", "typo", "words", "namespace", "paraphrase", "sentence", "all"}

// sets are the sets of queries, and what search has to reach on those it was not tuned on.
var sets = []struct {
	name        string
	first, five float64 // percent with a right tool first, and among the first five
}{
	{"natural", 78, 90},
	{"queries", 70, 80},
}

func TestQuality(t *testing.T) {
	for _, set := range sets {
		all := queries(t, set.name)
		if len(all) < 150 {
			t.Fatalf("%s: %d queries", set.name, len(all))
		}
		report, tuned, floor := assess(all, "report", ranking), assess(all, "tune", ranking), assess(all, "report", plainly)
		for _, kind := range []string{"exact", "plural", "parameter", "typo"} {
			if q := report[kind]; q == nil || q.five != q.n {
				t.Errorf("%s: %s: not every query has a right tool among the first five: %+v", set.name, kind, q)
			}
		}
		if q := report["all"]; percent(q.first, q.n) < set.first || percent(q.five, q.n) < set.five || q.first <= floor["all"].first {
			t.Errorf("%s: got %+v", set.name, q)
		}
		checkTable(t, set.name, table(report, tuned, floor))
	}
}

// table is the measured quality as docs/discovery.md has it.
func table(report, tuned, floor map[string]*quality) string {
	var b strings.Builder
	b.WriteString("| kind of query | queries | first | first five | mean reciprocal rank | with plain weights: first | first five | tuning half: first | first five |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, kind := range kinds {
		r, u, f := report[kind], tuned[kind], floor[kind]
		if r == nil {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d | %.1f %% | %.1f %% | %.3f | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", kind, r.n, percent(r.first, r.n), percent(r.five, r.n),
			r.reciprocal/float64(r.n), percent(f.first, f.n), percent(f.five, f.n), percent(u.first, u.n), percent(u.five, u.n))
	}
	return b.String()
}

// checkTable compares a table with the one between the marks in the document.
func checkTable(t *testing.T, name, want string) {
	t.Helper()
	const file = "../docs/discovery.md"
	from, to := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), from)
	got, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no marks for the table", file)
	}
	if got == want {
		return
	}
	if *update {
		if err := os.WriteFile(file, []byte(head+from+want+to+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the table in %s is not current; run go test ./discovery -run TestQuality -update\n%s", file, want)
}

// Each parameter that one tool alone has leads to it, written as its name or as words; the few single words that other
// tools have in their names may come later.
func TestUniqueParametersLeadToTheirTool(t *testing.T) {
	owners := map[string][]string{}
	for _, e := range fixture.Catalog().All() {
		names := map[string]string{}
		if in := e.Tool.Input(); in != nil {
			parameters(in.Document(), names)
		}
		for k := range names {
			owners[k] = append(owners[k], e.Expression)
		}
		for k, name := range names {
			spelled[k] = name
		}
	}
	tried, missed := 0, 0
	for k, own := range owners {
		parts := words(spelled[k], 20)
		if len(own) != 1 || len(parts) == 0 {
			continue
		}
		tried++
		if place := (query{Query: spelled[k], Want: own}).place(ranking); place == 0 || place > 5 {
			missed++
			if len(parts) > 1 {
				t.Errorf("%s: %s is number %d", spelled[k], own[0], place)
			}
		}
	}
	if tried < 500 || missed > tried/50 {
		t.Errorf("%d of %d parameters are missed", missed, tried)
	}
}

var spelled = map[string]string{}

func parameters(v data.Value, names map[string]string) {
	switch v := v.(type) {
	case data.Array:
		for _, item := range v.All() {
			parameters(item, names)
		}
	case *data.Object:
		for keyword, member := range v.All() {
			if properties, ok := member.(*data.Object); ok && keyword == "properties" {
				for name := range properties.All() {
					names[key(name)] = name
				}
			}
			parameters(member, names)
		}
	}
}

// A name with one mistake in one of its words, and one in the plural, lead to the tools of that name.
func TestNamesWithMistakes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	named := map[string][]string{}
	for _, e := range fixture.Catalog().All() {
		k := key(e.Path[1])
		named[k] = append(named[k], e.Expression)
	}
	tried, mistaken, plurals := 0, 0, 0
	for _, e := range fixture.Catalog().All() {
		parts := words(e.Path[1], 20)
		i := random.IntN(len(parts))
		if len(parts[i]) < 4 || !letters(parts[i]) {
			continue
		}
		tried++
		want := named[key(e.Path[1])]
		wrong := slices.Clone(parts)
		for wrong[i] == parts[i] {
			wrong[i] = mistype(random, parts[i])
		}
		if place := (query{Query: strings.Join(wrong, " "), Want: want}).place(ranking); place == 0 || place > 5 {
			mistaken++
		}
		parts[i] = strings.TrimSuffix(parts[i], "s") + "s"
		if place := (query{Query: strings.Join(parts, " "), Want: want}).place(ranking); place == 0 || place > 5 {
			plurals++
		}
	}
	if tried < 500 || mistaken > tried/50 || plurals > tried/200 {
		t.Errorf("of %d names %d with a mistake and %d in the plural are missed", tried, mistaken, plurals)
	}
}

func mistype(random *rand.Rand, w string) string {
	i, letter := random.IntN(len(w)), string(rune('a'+random.IntN(26)))
	switch random.IntN(4) {
	case 0:
		return w[:i] + w[i+1:]
	case 1:
		return w[:i] + letter + w[i:]
	case 2:
		return w[:i] + letter + w[i+1:]
	}
	if i+1 == len(w) {
		i--
	}
	return w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:]
}

// plainly is the floor that search is measured against: fixed points for a word that is the name (20), a word of the path
// (12), a part of the path (8), a part of the description (4), of any text about the tool (2).
func plainly(q query) []string {
	type scored struct {
		path  string
		score int
	}
	var list []scored
	terms := strings.FieldsFunc(strings.ToLower(q.Query), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	for _, e := range fixture.Catalog().All() {
		if q.Namespace != "" && e.Path[0] != q.Namespace {
			continue
		}
		dotted := strings.ToLower(strings.Join(e.Path, "."))
		parts := words(strings.Join(e.Path, "."), 100)
		description, rest := strings.ToLower(e.Tool.Description()), searchText(e)
		score := 0
		for _, term := range terms {
			forms := []string{term, strings.TrimSuffix(term, "s"), strings.TrimSuffix(term, "es")}
			any := func(f func(string) bool) bool { return slices.ContainsFunc(forms, f) }
			for _, rule := range []struct {
				points int
				holds  func(string) bool
			}{
				{20, func(f string) bool { return dotted == f || strings.HasSuffix(dotted, "."+f) }},
				{12, func(f string) bool { return slices.Contains(parts, f) }},
				{8, func(f string) bool { return strings.Contains(dotted, f) }},
				{4, func(f string) bool { return strings.Contains(description, f) }},
				{2, func(f string) bool { return strings.Contains(rest, f) }},
			} {
				if any(rule.holds) {
					score += rule.points
				}
			}
		}
		if score > 0 {
			list = append(list, scored{e.Expression, score})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var paths []string
	for _, s := range list {
		paths = append(paths, s.path)
	}
	return paths
}

var texts = map[string]string{}

// searchText is all text about a tool.
func searchText(e tool.Entry) string {
	text, ok := texts[e.Expression]
	if !ok {
		var b strings.Builder
		add := func(_ field, w []byte) { b.Write(append(w, ' ')) }
		newReader(add, func(field, []byte) {}).entry(e)
		text = b.String()
		texts[e.Expression] = text
	}
	return text
}

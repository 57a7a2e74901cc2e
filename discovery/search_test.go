package discovery

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

func resolved(tree tool.Tree) *tool.Catalog {
	c, err := tool.Resolve(tree)
	if err != nil {
		panic(err)
	}
	return c
}

// described makes a tool of a description and the text of a schema.
func described(description, input string) *tool.Tool {
	s, err := schema.Parse([]byte(input))
	if err != nil {
		panic(err)
	}
	return tool.Raw(description, s, func(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil })
}

var recorded = sync.OnceValue(func() *Index { return NewIndex(fixture.Catalog()) })

// large are 5,000 tools.
var large = sync.OnceValue(func() *tool.Catalog { return resolved(fixture.Many(5000)) })

func paths(r Results) []string {
	var list []string
	for _, h := range r.Hits {
		list = append(list, h.Entry.Expression)
	}
	return list
}

// small is a catalog in which each tool can be found by one thing only.
func small() *tool.Catalog {
	return resolved(tool.Tree{
		"billing": tool.Namespace{Description: "Money and subscriptions", Tools: tool.Tree{
			"createInvoice": described("Makes one.", `{"type":"object","properties":{"currency":{"type":"string","enum":["guilder","ducat"]}}}`),
			"refund":        described("Gives back what was paid. Needs a supervisor.", `{"type":"object","properties":{"line":{"type":"array","items":{"type":"object","properties":{"skuCode":{"type":"string","description":"from the warehouse"}}}}}}`),
		}},
		"crm": tool.Tree{"invoices_export": described("Spreadsheet of everything", `{}`), "list-contacts": described("Everybody in the address book", `{"type":"string"}`)},
	})
}

func TestEveryPartOfAToolIsFound(t *testing.T) {
	x := NewIndex(small())
	for query, want := range map[string]string{
		"refund":                 "tools.billing.refund",
		"refunds":                "tools.billing.refund",
		"createinvoice":          "tools.billing.createInvoice",
		"CREATE INVOICE":         "tools.billing.createInvoice",
		"create-invoice":         "tools.billing.createInvoice",
		"invoice create":         "tools.billing.createInvoice",
		"guilders":               "tools.billing.createInvoice",
		"currencies":             "tools.billing.createInvoice",
		"sku code":               "tools.billing.refund",
		"skucode":                "tools.billing.refund",
		"warehouse":              "tools.billing.refund",
		"supervisors":            "tools.billing.refund",
		"adress book":            "tools.crm[\"list-contacts\"]",
		"enumerate contacts":     "tools.crm[\"list-contacts\"]",
		"show me the contact":    "tools.crm[\"list-contacts\"]",
		"spreadsheets":           "tools.crm.invoices_export",
		"billing.createInvoice":  "tools.billing.createInvoice",
		"what was paid":          "tools.billing.refund",
		"can you list a contact": "tools.crm[\"list-contacts\"]",
	} {
		if got := paths(x.Search(Query{Text: query})); len(got) == 0 || got[0] != want {
			t.Errorf("%s: %v", query, got)
		}
	}
	if got := paths(x.Search(Query{Text: "subscriptions"})); len(got) != 2 || !strings.HasPrefix(got[0], "tools.billing.") {
		t.Errorf("by the namespace's description: %v", got)
	}
}

func TestExactPathsAreAlone(t *testing.T) {
	x := NewIndex(small())
	for _, text := range []string{
		`tools.crm["list-contacts"]`, "crm.list-contacts", "tools.crm.list-contacts", `crm['list-contacts']`, " tools.crm[`list-contacts`] ",
		`tools["crm"]["list-contacts"]`, `await tools.crm["list-contacts"]({})`, `tools.crm["list-contacts"]();`,
	} {
		r := x.Search(Query{Text: text, Limit: 3})
		if !r.Exact || r.Total != 1 || len(r.Hits) != 1 || r.Hits[0].Entry.Path[1] != "list-contacts" {
			t.Errorf("%s: %v", text, paths(r))
		}
	}
	for _, text := range []string{"list-contacts", "tools.crm", "tools.crm[", `tools.crm["list`, "tools..crm", `tools.crm["\q"]`, "(", "tools[list-contacts]"} {
		if r := x.Search(Query{Text: text}); r.Exact {
			t.Errorf("%s: %v", text, paths(r))
		}
	}
	for _, e := range fixture.Catalog().All() {
		for _, text := range []string{e.Expression, strings.Join(e.Path, ".")} {
			if r := recorded().Search(Query{Text: text}); !r.Exact || r.Hits[0].Entry.Expression != e.Expression {
				t.Errorf("%s: %v", text, paths(r))
			}
		}
	}
}

// Among thousands of look-alikes the tool of that name comes first.
func TestLookAlikes(t *testing.T) {
	tree := fixture.Many(2000)
	for i := range 40 {
		space := tool.Tree{}
		for _, verb := range []string{"get", "list", "update", "delete", "create"} {
			for _, noun := range []string{"Invoice", "InvoiceItem", "InvoicePayment", "DraftInvoice", "Customer"} {
				if i != 17 && verb+noun == "createInvoice" {
					continue
				}
				space[verb+noun] = leaf("Works with an invoice. Create invoice first.")
			}
		}
		tree[fmt.Sprint("shop", i)] = space
	}
	tree["shop17"].(tool.Tree)["createInvoice"] = leaf("Makes a new one")
	x := NewIndex(resolved(tree))
	for _, text := range []string{"create invoice", "createInvoice", "CREATE_INVOICE", "create-invoices", "crate invoice", "shop17 create invoice", "shop17.createInvoice"} {
		if got := paths(x.Search(Query{Text: text})); got[0] != "tools.shop17.createInvoice" {
			t.Errorf("%s: %v", text, got[:3])
		}
	}
}

func TestPagesAndNamespaces(t *testing.T) {
	x := recorded()
	whole := paths(x.Search(Query{Text: "create issue", Limit: 1000}))
	var pages []string
	for offset := 0; offset < len(whole); offset += 7 {
		r := x.Search(Query{Text: "create issue", Limit: 7, Offset: offset})
		if r.Total != len(whole) {
			t.Fatal(r.Total)
		}
		pages = append(pages, paths(r)...)
	}
	if !slices.Equal(whole, pages) {
		t.Error("the pages are not the whole")
	}
	all := x.Search(Query{Limit: 2000})
	if all.Total != 946 || !slices.IsSortedFunc(all.Hits, func(a, b Hit) int { return slices.Compare(a.Entry.Path, b.Entry.Path) }) {
		t.Error("the empty query does not list everything by path")
	}
	for _, namespace := range []string{"official-github", "tools.official-github", `tools["official-github"]`, "Official_GitHub", "officialgithub"} {
		r := x.Search(Query{Namespace: namespace, Limit: 100})
		if r.Total != 26 || slices.ContainsFunc(r.Hits, func(h Hit) bool { return h.Entry.Path[0] != "official-github" }) {
			t.Errorf("%s: %d", namespace, r.Total)
		}
	}
	if r := x.Search(Query{Text: "issue", Namespace: "nope"}); r.Total != 0 {
		t.Error("found something in an unknown namespace")
	}
	for _, e := range x.Search(Query{Text: "issue", Namespace: "official-github", Limit: 100}).Hits {
		if e.Entry.Path[0] != "official-github" {
			t.Error(e.Entry.Expression)
		}
	}
	if r := x.Search(Query{Text: "tools.memory.read_graph", Namespace: "nx-mcp"}); r.Exact || slices.Contains(paths(r), "tools.memory.read_graph") {
		t.Error("an exact path outside of the namespace was found")
	}
}

func TestReasons(t *testing.T) {
	r := NewIndex(small()).Search(Query{Text: "drop guilders kontacts", Explain: true})
	reasons := map[string]Reason{}
	for _, h := range r.Hits {
		sum := 0.0
		for _, why := range h.Why {
			reasons[why.Word] = why
			sum += why.Score
		}
		if sum < h.Score-1e-3 || h.Score <= 0 {
			t.Errorf("%s: the reasons give %v, the score is %v", h.Entry.Expression, sum, h.Score)
		}
	}
	if g := reasons["guilders"]; g.Found != base("guilder") || g.Relation != Same || !slices.Equal(g.Fields, []string{"value"}) {
		t.Errorf("%+v", g)
	}
	if k := reasons["kontacts"]; k.Found != "contact" || k.Relation != Typo || !slices.Contains(k.Fields, "name") {
		t.Errorf("%+v", k)
	}
	if NewIndex(small()).Search(Query{Text: "refund"}).Hits[0].Why != nil {
		t.Error("explained without being asked")
	}
}

// One catalog gives one order, however often it is built and searched.
func TestSearchIsDeterministic(t *testing.T) {
	x, y := recorded(), NewIndex(fixture.Catalog())
	for _, q := range queries(t, "queries") {
		a, b := paths(x.Search(Query{Text: q.Query, Limit: 50})), paths(y.Search(Query{Text: q.Query, Limit: 50}))
		if !slices.Equal(a, b) {
			t.Errorf("%s: two orders", q.Query)
		}
	}
}

// A narrowed index answers as one of the narrow catalog would: the same tools in the same order with the same scores,
// whatever is hidden.
func TestNarrow(t *testing.T) {
	for name, keep := range map[string]func(tool.Entry) bool{
		"some":      func(e tool.Entry) bool { return len(e.Expression)%3 != 0 },
		"few":       func(e tool.Entry) bool { return len(e.Expression)%11 == 0 },
		"one space": func(e tool.Entry) bool { return e.Path[0] == recorded().docs[0].entry.Path[0] },
		"the short": func(e tool.Entry) bool { return len(e.Tool.Description()) < 100 },
		"the long":  func(e tool.Entry) bool { return len(e.Tool.Description()) > 400 },
	} {
		narrow := fixture.Catalog().Filter(keep)
		x, y := recorded().Narrow(narrow), NewIndex(narrow)
		if y.count == 0 || y.count == recorded().count {
			t.Fatalf("%s: %d tools", name, y.count)
		}
		again := recorded().Narrow(fixture.Catalog().Filter(func(e tool.Entry) bool { return keep(e) || e.Path[0] > "m" })).Narrow(narrow)
		for _, q := range append(queries(t, "queries"), queries(t, "natural")...) {
			want := y.Search(Query{Text: q.Query, Limit: 1000})
			for _, x := range []*Index{x, again} {
				if got := x.Search(Query{Text: q.Query, Limit: 1000}); !sameResults(t, got, want) {
					t.Fatalf("%s: %q: other tools or scores than those of an index of the narrow catalog", name, q.Query)
				}
			}
		}
	}
	if none := recorded().Narrow(resolved(nil)).Search(Query{Text: "issue"}); none.Total != 0 {
		t.Error("found something in nothing")
	}
}

func sameResults(t *testing.T, a, b Results) bool {
	if a.Total != b.Total || a.Exact != b.Exact || len(a.Hits) != len(b.Hits) {
		t.Logf("%d of %d hits, want %d of %d", len(a.Hits), a.Total, len(b.Hits), b.Total)
		return false
	}
	for i, h := range a.Hits {
		g := b.Hits[i]
		if h.Entry.Expression != g.Entry.Expression || h.Score != g.Score {
			t.Logf("%d: %s %v, want %s %v", i, h.Entry.Expression, h.Score, g.Entry.Expression, g.Score)
			return false
		}
	}
	return true
}

func TestStrangeQueries(t *testing.T) {
	x := recorded()
	for _, text := range []string{
		strings.Repeat("issue ", 100_000), strings.Repeat("a.", 100_000), strings.Repeat(`["a"]`, 50_000), strings.Repeat("x", 1<<20), "\x00\xff", "=", "=issue",
		"the", "of the", "🙂", strings.Repeat("ß", 5000), "((((", `["`, "a\u0301\u0301", "創",
	} {
		start := time.Now()
		x.Search(Query{Text: text, Namespace: "", Limit: 5})
		x.Search(Query{Text: "issue", Namespace: text, Limit: 5})
		if passed := time.Since(start); passed > time.Minute*2 {
			t.Errorf("%.20q took %v", text, passed)
		}
	}
	if r := x.Search(Query{Text: "issue", Limit: 1 << 40, Offset: 1 << 40}); len(r.Hits) != 0 || r.Total == 0 {
		t.Errorf("%d hits", len(r.Hits))
	}
}

// Schemas of any shape and depth are read without harm.
func TestStrangeSchemas(t *testing.T) {
	tree := tool.Tree{}
	for i, text := range []string{
		`{}`, `true`, `false`, `{"properties":7}`, `{"enum":"x"}`, `{"properties":{"a":true,"":{"$ref":"#"}}}`, `{"items":[{"properties":{"inner":{}}}]}`,
		strings.Repeat(`{"items":`, 500) + `{}` + strings.Repeat(`}`, 500), `{"properties":{"deep":{"anyOf":[{"properties":{"needle":{"const":"haystack"}}}]}}}`,
	} {
		tree[fmt.Sprint("t", i)] = described("Odd.", text)
	}
	tree["none"] = tool.Raw("", nil, func(context.Context, data.Value) (data.Value, error) { return nil, nil })
	x := NewIndex(resolved(tree))
	for _, word := range []string{"needle", "haystack"} {
		if got := paths(x.Search(Query{Text: word})); len(got) != 1 || got[0] != "tools.t8" {
			t.Errorf("%s: %v", word, got)
		}
	}
	if got := paths(x.Search(Query{Text: "inner"})); len(got) != 1 || got[0] != "tools.t6" {
		t.Error(got)
	}
}

func BenchmarkIndex5000(b *testing.B) {
	c := large()
	for b.Loop() {
		NewIndex(c)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := NewIndex(c)
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/(1<<20), "MiB-kept")
	runtime.KeepAlive(x)
}

func BenchmarkSearch5000(b *testing.B) {
	x := NewIndex(large())
	all := queries(b, "queries")
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	x.Search(Query{Text: "warm up"})
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		x.Search(Query{Text: all[i%len(all)].Query})
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "ms-p95")
}

// Package discovery defines what a model learns of a catalog of tools: a listing within a budget of tokens, instructions,
// and search for what is not listed. All of it is deterministic and needs neither a model nor a network.
package discovery

// This file defines search: which tools fit a query, best first.

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/tool"
)

// DefaultLimit is how many tools a search gives unless told otherwise.
const DefaultLimit = 10

// Query is what to search for.
type Query struct {
	Text      string // words, or the path of a tool in any spelling; empty lists everything by path
	Namespace string // only tools at or below this path; empty is all
	Limit     int    // how many hits; zero is DefaultLimit
	Offset    int    // how many of the best to leave out
	Explain   bool   // fill Hit.Why
}

// Results are the tools that fit a query.
type Results struct {
	Hits  []Hit
	Total int  // of the tools that fit, shown or not
	Exact bool // the query was the path of the one tool
}

// Hit is one tool that fits.
type Hit struct {
	Entry tool.Entry
	Score float64
	Why   []Reason // by clauses of the query; only with Query.Explain
}

// Reason says what one word of a query contributes to the score of a tool.
type Reason struct {
	Word     string   // of the query, folded
	Found    string   // the base of the word that was found
	Relation Relation // between the two
	Fields   []string // where it was found
	Score    float64
}

// Search ranks the tools that have any of the query's words. A query that is a tool's path or expression gives that
// tool alone. The order depends on the query and the catalog only; tools that fit equally well are in the order of
// their paths.
func (x *Index) Search(q Query) Results {
	q.Text = clip(q.Text)
	within, ok := x.scope(q.Namespace)
	if !ok {
		return Results{}
	}
	if d, ok := x.exact(q.Text); ok && within(d) {
		r := x.page(q, []ranked{{doc: d}}, nil)
		r.Exact = true
		return r
	}
	clauses := x.clauses(q.Text)
	if len(clauses) == 0 {
		var all []ranked
		for d := range x.docs {
			if x.sees(int32(d)) && within(int32(d)) {
				all = append(all, ranked{doc: int32(d)})
			}
		}
		return x.page(q, all, nil)
	}
	return x.page(q, x.rank(clauses, q.Text, within), clauses)
}

// maxQueryBytes bounds what is read of a query: more is no question but a mistake, and reading it must end.
const maxQueryBytes = 4 << 10

// clip is the beginning of a long text, without half a character.
func clip(text string) string {
	if len(text) <= maxQueryBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxQueryBytes], "")
}

func (x *Index) sees(d int32) bool { return x.visible == nil || x.visible[d] }

// page cuts out the hits that were asked for.
func (x *Index) page(q Query, found []ranked, clauses []clause) Results {
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	from := min(max(q.Offset, 0), len(found))
	r := Results{Total: len(found)}
	for _, f := range found[from:min(len(found), from+limit)] {
		h := Hit{Entry: x.docs[f.doc].entry, Score: float64(f.score)}
		if q.Explain {
			h.Why = x.explain(clauses, f.doc)
		}
		r.Hits = append(r.Hits, h)
	}
	return r
}

// exact finds the tool that a text is the path or the expression of.
func (x *Index) exact(text string) (int32, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, false
	}
	for _, t := range []string{text, strings.TrimPrefix(text, "tools.")} {
		if d, ok := x.paths[t]; ok && x.sees(d) {
			return d, true
		}
	}
	path, ok := parsePath(text)
	if !ok {
		return 0, false
	}
	d, ok := x.paths[strings.Join(path, ".")]
	return d, ok && x.sees(d)
}

// scope tells which tools are at or below a namespace, which may be spelled in any way; false if there is none.
func (x *Index) scope(namespace string) (within func(int32) bool, ok bool) {
	if len(namespace) > maxQueryBytes {
		return nil, false
	}
	path, ok := x.Namespace(namespace)
	if !ok {
		return nil, false
	}
	return func(d int32) bool {
		at := x.docs[d].entry.Path
		return len(at) >= len(path) && slices.Equal(at[:len(path)], path)
	}, true
}

// explain says which words of the query led to a tool.
func (x *Index) explain(clauses []clause, d int32) []Reason {
	var list []Reason
	for i := range clauses {
		c := &clauses[i]
		contribution := x.contributions(c)[d]
		if contribution.score == 0 {
			continue
		}
		v := c.variants[contribution.variant]
		list = append(list, Reason{
			Word: c.text, Found: x.names[v.term], Relation: v.relation, Fields: contribution.where(), Score: float64(contribution.score),
		})
	}
	return list
}

func (c contribution) where() []string {
	var list []string
	for f, w := range weights {
		if c.fields&(1<<f) != 0 {
			list = append(list, w.name)
		}
	}
	return list
}

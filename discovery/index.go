package discovery

// This file defines the index that search uses: for each word the tools it occurs in, with how much it counts there.

import (
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/tool"
)

// Index finds the tools of a catalog by words. It is immutable and may be used from any goroutine.
type Index struct {
	catalog  *tool.Catalog
	docs     []doc
	paths    map[string]int32 // by dotted path
	terms    map[string]int32 // by base
	names    []string         // of the terms: their bases
	starts   []int32          // of each term's postings; one more at the end
	postings []posting
	surfaces []surface          // all words as they were written, folded, sorted
	roots    map[string][]int32 // the terms of each root
	lengths  [][fields]uint16   // by document
	visible  []bool             // by document; nil is all
	count    int                // of the visible documents
	norms    [][fields]float32  // by document, for the visible alone; nil where the weights of postings hold
}

// doc is what ranking needs to know of a tool.
type doc struct {
	entry            tool.Entry
	pathKey, nameKey string  // spelled without case and separators
	words            float32 // of the name
}

// posting is an occurrence of a term in a tool.
type posting struct {
	doc    int32
	weight float32 // its occurrences, weighted by field and length among all tools
	fields uint16  // where it occurs, by bit
	counts [fields]uint8
}

// surface is a word as written, for finding what a misspelled word was meant to be.
type surface struct {
	word string
	mask uint32 // of its letters
	term int32
}

// NewIndex reads all tools of a catalog, about 50 µs each, and keeps about 3 KiB for each.
func NewIndex(c *tool.Catalog) *Index {
	b := &builder{known: map[string]int32{}, terms: map[string]int32{}, spaces: map[string][]string{}}
	rd := newReader(b.word, b.occur)
	all := c.All()
	x := &Index{catalog: c, docs: make([]doc, len(all)), paths: make(map[string]int32, len(all)), count: len(all)}
	for i, e := range all {
		dotted, name := strings.Join(e.Path, "."), e.Path[len(e.Path)-1]
		x.docs[i] = doc{e, key(dotted), key(name), float32(len(words(name, maxNameWords)))}
		x.paths[dotted] = int32(i)
		b.read(rd, c, e, int32(i))
	}
	b.finish(x)
	return x
}

// occurrence is a posting before the average lengths are known.
type occurrence struct {
	doc    int32
	counts [fields]uint8
}

// builder collects occurrences.
type builder struct {
	known       map[string]int32 // the term of each word as written
	terms       map[string]int32
	names       []string
	occurrences [][]occurrence
	lengths     [][fields]uint16    // by document
	spaces      map[string][]string // the words of descriptions of namespaces, by path
	doc         int32
}

func (b *builder) read(rd *reader, c *tool.Catalog, e tool.Entry, doc int32) {
	b.doc = doc
	b.lengths = append(b.lengths, [fields]uint16{})
	rd.entry(e)
	for i := range e.Path {
		for _, w := range b.space(c, e.Path[:i]) {
			b.word(fieldNamespace, []byte(w))
		}
	}
}

// space are the words of a namespace's description, read once.
func (b *builder) space(c *tool.Catalog, path []string) []string {
	at := strings.Join(path, ".")
	list, ok := b.spaces[at]
	if !ok {
		list = words(c.Description(path)+"\n"+c.Guide(path), maxNamespaceWords)
		b.spaces[at] = list
	}
	return list
}

// word counts a word of a field.
func (b *builder) word(f field, w []byte) {
	if n := &b.lengths[b.doc][f]; *n < 1<<16-1 {
		*n++
	}
	b.occur(f, w)
}

// occur counts an occurrence that does not make the field longer.
func (b *builder) occur(f field, w []byte) {
	t := b.term(w)
	list := b.occurrences[t]
	if n := len(list); n == 0 || list[n-1].doc != b.doc {
		list = append(list, occurrence{doc: b.doc})
		b.occurrences[t] = list
	}
	if c := &list[len(list)-1].counts[f]; *c < 255 {
		*c++
	}
}

// term is the term of a word as written.
func (b *builder) term(w []byte) int32 {
	if t, ok := b.known[string(w)]; ok {
		return t
	}
	text := string(w)
	name := base(text)
	t, ok := b.terms[name]
	if !ok {
		t = int32(len(b.names))
		b.terms[name] = t
		b.names = append(b.names, name)
		b.occurrences = append(b.occurrences, nil)
	}
	b.known[text] = t
	return t
}

// finish weighs the occurrences and hands everything to the index.
func (b *builder) finish(x *Index) {
	x.terms, x.names, x.lengths = b.terms, b.names, b.lengths
	norms := x.normsOf(x.sees)
	total := 0
	for _, list := range b.occurrences {
		total += len(list)
	}
	x.postings = make([]posting, 0, total)
	x.starts = make([]int32, 1, len(b.names)+1)
	for t, list := range b.occurrences {
		for _, o := range list {
			p := posting{doc: o.doc, counts: o.counts}
			p.fields = p.occupied()
			p.weight = p.weigh(&norms[o.doc])
			x.postings = append(x.postings, p)
		}
		x.starts = append(x.starts, int32(len(x.postings)))
		b.occurrences[t] = nil
	}
	x.roots = map[string][]int32{}
	x.surfaces = make([]surface, 0, len(b.known))
	for _, w := range slices.Sorted(maps.Keys(b.known)) {
		t := b.known[w]
		if w[0] == '=' {
			continue
		}
		x.surfaces = append(x.surfaces, surface{w, letterMask(w), t})
		if r := root(w); !slices.Contains(x.roots[r], t) {
			x.roots[r] = append(x.roots[r], t)
		}
	}
	for _, list := range x.roots { // by what is the same in every catalog, not by words that may be hidden
		slices.SortFunc(list, func(a, b int32) int { return strings.Compare(x.names[a], x.names[b]) })
	}
}

// normsOf are what one occurrence counts in each field of each document, where only some documents count for what is
// usual.
func (x *Index) normsOf(counts func(int32) bool) [][fields]float32 {
	var sums, filled [fields]float32
	for d, l := range x.lengths {
		if !counts(int32(d)) {
			continue
		}
		for f, n := range l {
			if n > 0 {
				sums[f] += float32(n)
				filled[f]++
			}
		}
	}
	norms := make([][fields]float32, len(x.lengths))
	for d, l := range x.lengths {
		for f, w := range weights {
			relative := float32(1)
			if filled[f] > 0 && l[f] > 0 {
				relative = float32(l[f]) * filled[f] / sums[f]
			}
			norms[d][f] = w.weight / (1 - w.length + w.length*relative)
		}
	}
	return norms
}

// occupied are the fields that have occurrences.
func (p *posting) occupied() (occupied uint16) {
	for f, n := range p.counts {
		if n > 0 {
			occupied |= 1 << f
		}
	}
	return occupied
}

func (p *posting) weigh(norm *[fields]float32) (weight float32) {
	for rest := p.fields; rest != 0; rest &= rest - 1 {
		f := bits.TrailingZeros16(rest)
		weight += float32(p.counts[f]) * norm[f]
	}
	return weight
}

// weight is what the occurrences of a posting count, as this index sees them.
func (x *Index) weight(p *posting) float32 {
	if x.norms == nil {
		return p.weight
	}
	return p.weigh(&x.norms[p.doc])
}

// Narrow is the index as somebody sees it to whom only the tools of c are shown, a part of the index's catalog. What is
// hidden does not influence what is found, nor how rare a word is, nor which texts are longer than usual: the answers are
// those of an index of c alone. It costs a walk over the catalog.
func (x *Index) Narrow(c *tool.Catalog) *Index {
	narrow := *x
	narrow.catalog, narrow.count = c, 0
	narrow.visible = make([]bool, len(x.docs))
	d := 0
	for _, e := range c.All() {
		for d < len(x.docs) && x.docs[d].entry.Expression != e.Expression {
			d++
		}
		if d < len(x.docs) {
			narrow.visible[d] = true
			narrow.count++
		}
	}
	narrow.norms = x.normsOf(narrow.sees)
	return &narrow
}

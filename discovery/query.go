package discovery

// This file defines how a query is read: as clauses, each a word with the words it may stand for.

import (
	"slices"
	"strings"
)

// maxQueryWords bounds what is read of a query.
const maxQueryWords = 48

// How much a word counts that is not the one in the query but stands for it.
const (
	sameRoot   = 0.7 // deploy, deployment
	oneTypo    = 0.9 // for a word that does not occur
	twoTypos   = 0.7 // the same
	beginning  = 0.6 // a word that begins with one that does not occur
	neighbours = 0.7 // neighbouring words that occur as one
	phrased    = 0.8 // what a combination of words means
	parameter1 = 0.3 // the query, one word, as the whole name of a parameter
	parameter2 = 0.6 // the query, several words, as the same
	rootBeside = 0.6 // a word of the same root where the word itself occurs
	saidBeside = 0.5 // a related word where the word itself occurs
)

// clause is a word of the query.
type clause struct {
	text     string
	weight   float32
	variants []variant
	again    bool // it is words of other clauses, written as one
}

// variant is a term that a clause is looked for as.
type variant struct {
	term     int32
	weight   float32
	relation Relation
}

// Relation says what a word of a query has to do with the word that was found.
type Relation string

// The relations.
const (
	Same      Relation = "same"      // but for number and tense
	SameRoot  Relation = "root"      // deploy, deployment
	Related   Relation = "related"   // remove, delete
	Typo      Relation = "typo"      // isues, issues
	Beginning Relation = "beginning" // config, configuration
	Joined    Relation = "joined"    // pull request, pullRequest
)

// said is a word of a query as it was read.
type said struct {
	text string
	base string
}

// clauses reads a query.
func (x *Index) clauses(text string) []clause {
	var all []said
	s := splitter{emit: func(w []byte, _ bool) { all = append(all, said{string(w), base(string(w))}) }}
	s.split(text, maxQueryWords)
	r := clauseReader{index: x, seen: map[string]bool{}}
	rest := r.phrases(all)
	kept := slices.DeleteFunc(slices.Clone(rest), func(w said) bool { return english().idle[w.text] })
	if len(kept) == 0 && len(r.list) == 0 {
		kept = all
	}
	for _, w := range kept {
		r.word(w)
	}
	r.parameter(text, len(all))
	for i := 1; i < len(kept); i++ {
		r.joined(kept[i-1 : i+1])
	}
	if len(kept) > 2 {
		r.joined(kept)
	}
	return r.list
}

type clauseReader struct {
	index *Index
	list  []clause
	seen  map[string]bool
}

// phrases adds clauses for combinations and gives the words that count besides.
func (r *clauseReader) phrases(all []said) []said {
	var rest []said
	for i := 0; i < len(all); {
		p := combination(all[i:])
		if p == nil || !r.phrase(p, all[i:]) {
			rest = append(rest, all[i])
			i++
			continue
		}
		if p.keeps {
			rest = append(rest, all[i:i+len(p.words)]...)
		}
		i += len(p.words)
	}
	return rest
}

// phrase adds a clause for a combination at the beginning of words, unless none of what it means occurs.
func (r *clauseReader) phrase(p *phrase, words []said) bool {
	texts := make([]string, len(p.words))
	for i := range texts {
		texts[i] = words[i].text
	}
	c := clause{text: strings.Join(texts, " "), weight: 1}
	for _, w := range p.means {
		for _, v := range r.index.known(w, phrased, Related) {
			if !slices.ContainsFunc(c.variants, func(old variant) bool { return old.term == v.term }) {
				c.variants = append(c.variants, v)
			}
		}
	}
	if len(c.variants) == 0 {
		return false
	}
	if !r.seen[c.text] {
		r.seen[c.text] = true
		r.list = append(r.list, c)
	}
	return true
}

// combination is the longest that words begin with, or nil.
func combination(words []said) *phrase {
	list := english().combinations[words[0].base]
	for i := range list {
		if p := &list[i]; len(p.words) <= len(words) && matches(p.words, words) {
			return p
		}
	}
	return nil
}

func matches(words []string, all []said) bool {
	for i, w := range words {
		if all[i].base != w {
			return false
		}
	}
	return true
}

func (r *clauseReader) word(w said) {
	if r.seen[w.base] {
		return
	}
	r.seen[w.base] = true
	weight := float32(1)
	if english().faint[w.text] {
		weight = faintWeight
	}
	r.list = append(r.list, clause{text: w.text, weight: weight, variants: r.index.variants(w.text)})
}

// parameter adds the whole query as the name of a parameter, if there is one of this name.
func (r *clauseReader) parameter(text string, words int) {
	t, ok := r.index.terms[marked(text)]
	if !ok {
		return
	}
	weight := float32(parameter1)
	if words > 1 {
		weight = parameter2
	}
	r.list = append(r.list, clause{marked(text), weight, []variant{{t, 1, Joined}}, true})
}

// joined adds words that also occur written as one.
func (r *clauseReader) joined(words []said) {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
	}
	text := b.String()
	if t, ok := r.index.terms[base(text)]; ok && !r.seen[text] {
		r.seen[text] = true
		r.list = append(r.list, clause{text, neighbours, []variant{{t, 1, Joined}}, true})
	}
}

// variants are the terms that a word is looked for as.
func (x *Index) variants(w string) []variant {
	list := x.known(w, 1, Same)
	if len(list) > 0 || english().known[base(w)] {
		return list
	}
	for _, c := range x.corrections(w) {
		list = append(list, x.known(c.word, c.weight, c.relation)...)
	}
	return list
}

// known are the terms for a word that is spelled right.
func (x *Index) known(w string, weight float32, as Relation) []variant {
	var list []variant
	add := func(t int32, weight float32, r Relation) {
		if x.documents(t) == 0 || slices.ContainsFunc(list, func(v variant) bool { return v.term == t }) {
			return
		}
		if as != Same {
			r = as
		}
		list = append(list, variant{t, weight, r})
	}
	b := base(w)
	if t, ok := x.terms[b]; ok {
		add(t, weight, Same)
	}
	ofRoot, ofRelated := weight*sameRoot, weight
	if len(list) > 0 {
		ofRoot, ofRelated = ofRoot*rootBeside, ofRelated*saidBeside
	}
	for _, t := range x.roots[root(w)] {
		add(t, ofRoot, SameRoot)
	}
	for _, r := range english().related[b] {
		if t, ok := x.terms[r.base]; ok {
			add(t, ofRelated*r.weight, Related)
		}
		for _, t := range x.roots[r.root] {
			add(t, ofRelated*r.weight*sameRoot, Related)
		}
	}
	return list
}

// documents counts the visible tools that have a term.
func (x *Index) documents(t int32) int {
	list := x.postings[x.starts[t]:x.starts[t+1]]
	if x.visible == nil {
		return len(list)
	}
	n := 0
	for _, p := range list {
		if x.visible[p.doc] {
			n++
		}
	}
	return n
}

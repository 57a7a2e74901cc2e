package discovery

// This file defines the score of a tool for a query: BM25 over weighted fields, in which each word of the query is
// looked for as all the words it may stand for.
//
// For each word, the occurrences of a variant in a tool count by their fields and its length, and for half when they
// weigh as much as saturation; the best variant counts in full, further ones support it. The sum is multiplied by how
// rare the word is, where a variant that only resembles it makes it that much less rare. The sum over the words is
// multiplied by how much of the query was found, and by how much of the tool's name the query accounts for.

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

const (
	saturation   = 2   // the weight of occurrences at which a word has half of its effect
	support      = 0.3 // how much further variants of a word add to the best one
	ownRarity    = 0.5 // how much a word's own rarity counts beside that of all its variants together
	thoroughness = 0.8 // how much of the score depends on the part of the query that was found
	conciseness  = 0.2 // how much of the score depends on the part of the name that the query accounts for
)

// ranked is a tool with its score.
type ranked struct {
	doc   int32
	named int8 // 3: the query spells its path, 2: its name, 1: one of its parameters
	score float32
}

// tally is what the words of a query have given a tool so far.
type tally struct {
	score float32
	found float32 // the rarities of the words that were found
	name  float32 // how many words of the name they account for
}

// contribution is what one word of a query gives a tool.
type contribution struct {
	score   float32
	rest    float32 // of further variants
	weight  float32 // of the closest variant
	name    float32 // of the closest variant that is in the name
	variant int32   // the best
	fields  uint16  // where that is
}

// rank scores the tools within a scope and sorts them.
func (x *Index) rank(clauses []clause, text string, within func(int32) bool) []ranked {
	spelled := x.spelling(text)
	tallies := make([]tally, len(x.docs))
	scratch := scratch{all: make([]contribution, len(x.docs))}
	var whole float32
	for i := range clauses {
		c := &clauses[i]
		rarity := x.weigh(c, &scratch)
		if !c.again && len(scratch.touched) > 0 {
			whole += rarity
		}
		for _, d := range scratch.touched {
			got := &scratch.all[d]
			tallies[d].score += got.score
			if !c.again {
				tallies[d].found += rarity
				tallies[d].name += got.name
			}
		}
		scratch.clear()
	}
	var list []ranked
	for d, t := range tallies {
		if t.score > 0 && within(int32(d)) {
			list = append(list, x.ranked(int32(d), t, whole, spelled))
		}
	}
	slices.SortFunc(list, compareRanked)
	return list
}

// spelling is what a query spells as one identifier.
type spelling struct {
	key        string
	parameters []posting // of the parameter of this name, if the query is one identifier of several words
}

func (x *Index) spelling(text string) spelling {
	s := spelling{key: key(text)}
	identifier := !strings.ContainsFunc(strings.TrimSpace(text), unicode.IsSpace) && len(words(text, 2)) > 1
	if t, ok := x.terms[marked(text)]; ok && identifier {
		s.parameters = x.postings[x.starts[t]:x.starts[t+1]]
	}
	return s
}

func (s spelling) parameter(d int32) bool {
	_, ok := slices.BinarySearchFunc(s.parameters, d, func(p posting, d int32) int { return int(p.doc - d) })
	return ok
}

func (x *Index) ranked(d int32, t tally, whole float32, spelled spelling) ranked {
	r := ranked{doc: d, score: t.score}
	if whole > 0 {
		r.score *= 1 - thoroughness + thoroughness*t.found/whole
	}
	doc := &x.docs[d]
	r.score *= 1 - conciseness + conciseness*min(1, t.name/max(1, doc.words))
	switch {
	case spelled.key == doc.pathKey:
		r.named = 3
	case spelled.key == doc.nameKey:
		r.named = 2
	case spelled.parameter(d):
		r.named = 1
	}
	return r
}

func compareRanked(a, b ranked) int {
	switch {
	case a.named != b.named:
		return int(b.named) - int(a.named)
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return int(a.doc - b.doc)
}

// scratch holds the contributions of one word.
type scratch struct {
	all     []contribution // by document
	touched []int32
}

func (s *scratch) clear() {
	for _, d := range s.touched {
		s.all[d] = contribution{}
	}
	s.touched = s.touched[:0]
}

// weigh fills in what a word gives each tool and returns its rarity.
func (x *Index) weigh(c *clause, s *scratch) float32 {
	own := float32(-1)
	for i, v := range c.variants {
		if v.relation == Same {
			own = x.rarity(float32(x.documents(v.term)))
		}
		list := x.postings[x.starts[v.term]:x.starts[v.term+1]]
		for at := range list {
			p := &list[at]
			if !x.sees(p.doc) {
				continue
			}
			got := &s.all[p.doc]
			if got.weight == 0 {
				s.touched = append(s.touched, p.doc)
			}
			got.add(v, int32(i), x.weight(p), p.fields)
		}
	}
	var documents float32
	for _, d := range s.touched {
		documents += s.all[d].weight
	}
	rarity := x.rarity(documents)
	if own >= 0 {
		rarity = rarity*(1-ownRarity) + own*ownRarity
	}
	rarity *= c.weight
	for _, d := range s.touched {
		got := &s.all[d]
		got.score = rarity * (got.score + support*got.rest)
	}
	return rarity
}

// add counts the occurrences of one variant.
func (c *contribution) add(v variant, index int32, weight float32, where uint16) {
	w := v.weight * weight
	score := w / (w + saturation)
	if score > c.score {
		score, c.score = c.score, score
		c.variant, c.fields = index, where
	}
	c.rest += score
	c.weight = max(c.weight, v.weight)
	if where&(1<<fieldName) != 0 {
		c.name = max(c.name, v.weight)
	}
}

// contributions are what a word gives each tool.
func (x *Index) contributions(c *clause) []contribution {
	s := scratch{all: make([]contribution, len(x.docs))}
	x.weigh(c, &s)
	return s.all
}

// rarity is how much a word says that n tools have.
func (x *Index) rarity(n float32) float32 {
	return float32(math.Log(1 + (float64(x.count)-float64(n)+0.5)/(float64(n)+0.5)))
}

package discovery

// This file defines what a word that does not occur may mean: one that is spelled nearly so, longer ones that begin with
// it, or the two that it is made of.

import (
	"math/bits"
	"slices"
	"strings"
)

// maxCorrections bounds the words that one is taken for.
const maxCorrections = 6

// correction is what a word that does not occur may mean.
type correction struct {
	word     string
	weight   float32
	relation Relation
}

// corrections are what a word that does not occur may mean.
func (x *Index) corrections(w string) []correction {
	s := speller{word: w, mask: letterMask(w), most: maxTypos(w)}
	for i := range x.surfaces {
		if f := &x.surfaces[i]; s.near(f) && s.fits(f.word) && x.occurs(f) {
			s.take(f.word)
		}
	}
	everyday := english().everyday
	for i := range everyday {
		if f := &everyday[i]; s.near(f) && s.fits(f.word) {
			s.take(f.word)
		}
	}
	list := s.found
	if len(list) == 0 {
		list = append(x.longer(w), x.parts(w)...)
	}
	// Whoever mistypes a word mostly has its first letter right.
	slices.SortStableFunc(list, func(a, b correction) int {
		switch same := a.word[0] == w[0]; {
		case same == (b.word[0] == w[0]):
			return 0
		case same:
			return -1
		}
		return 1
	})
	return list[:min(len(list), maxCorrections)]
}

// speller collects the words that are the fewest mistakes away.
type speller struct {
	word  string
	mask  uint32
	most  int // mistakes; that of the nearest words once there are any
	found []correction
}

// near tells at once of most words that they are too far away.
func (s *speller) near(f *surface) bool {
	n := len(f.word) - len(s.word)
	return s.most > 0 && n <= s.most && -n <= s.most && alike(s.mask, f.mask, s.most)
}

// fits reports that a word is no further away than those that were found.
func (s *speller) fits(candidate string) bool {
	d := distance(s.word, candidate, s.most)
	first := candidate[0] == s.word[0]
	if len(s.word) == 3 { // of three letters, only one was left out
		return d <= s.most && first && len(candidate) > 3
	}
	return d <= s.most && (d < 2 || first)
}

func (s *speller) take(candidate string) {
	d := distance(s.word, candidate, s.most)
	if d < s.most {
		s.most, s.found = d, nil
	}
	weight := float32(oneTypo)
	if d > 1 {
		weight = twoTypos
	}
	s.found = append(s.found, correction{candidate, weight, Typo})
}

// occurs reports that a visible tool has the very word, not only one of the same base.
func (x *Index) occurs(f *surface) bool {
	list := x.postings[x.starts[f.term]:x.starts[f.term+1]]
	if x.visible == nil {
		return len(list) > 0
	}
	found := false
	look := func(_ field, w []byte) { found = found || string(w) == f.word }
	rd := newReader(look, look)
	for _, p := range list {
		if x.visible[p.doc] && !found {
			e := x.docs[p.doc].entry
			rd.entry(e)
			for i := range e.Path {
				rd.text(fieldNamespace, x.catalog.Description(e.Path[:i])+"\n"+x.catalog.Guide(e.Path[:i]), maxNamespaceWords)
			}
		}
	}
	return found
}

// maxTypos is how many mistakes a word may have.
func maxTypos(w string) int {
	switch n := len(w); {
	case n < 3:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// letterMask has a bit for each letter and for digits, so that words too different to be a typo are told at once.
func letterMask(w string) uint32 {
	var mask uint32
	for _, r := range w {
		switch {
		case 'a' <= r && r <= 'z':
			mask |= 1 << (r - 'a')
		case '0' <= r && r <= '9':
			mask |= 1 << 26
		default:
			mask |= 1 << (27 + uint32(r)%5)
		}
	}
	return mask
}

// alike reports that two words with these letters may be d mistakes apart: each adds and removes one letter at most.
func alike(a, b uint32, d int) bool {
	return bits.OnesCount32(a&^b) <= d && bits.OnesCount32(b&^a) <= d
}

// distance counts the letters to insert, remove, change or swap with a neighbour that make b of a; more than most is
// most+1. Letters outside ASCII count by their bytes.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most || len(b) > maxWord*2 {
		return most + 1
	}
	var rows [3][maxWord*2 + 1]int
	before, row, next := rows[0][:], rows[1][:], rows[2][:]
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			d := row[j-1]
			if a[i-1] != b[j-1] {
				d = min(d, row[j], next[j-1]) + 1
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d = min(d, before[j-2]+1)
				}
			}
			next[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], most+1)
}

// longer are the words that begin with w.
func (x *Index) longer(w string) []correction {
	if len(w) < 3 {
		return nil
	}
	var list []correction
	i, _ := slices.BinarySearchFunc(x.surfaces, w, func(s surface, w string) int { return strings.Compare(s.word, w) })
	for ; i < len(x.surfaces) && len(list) < maxCorrections && strings.HasPrefix(x.surfaces[i].word, w); i++ {
		if x.occurs(&x.surfaces[i]) {
			list = append(list, correction{x.surfaces[i].word, beginning, Beginning})
		}
	}
	return list
}

// parts are the two words that w is made of.
func (x *Index) parts(w string) []correction {
	for i := 3; i <= len(w)-3; i++ {
		a, okA := x.terms[base(w[:i])]
		b, okB := x.terms[base(w[i:])]
		if okA && okB && x.documents(a) > 0 && x.documents(b) > 0 {
			return []correction{{w[:i], neighbours, Joined}, {w[i:], neighbours, Joined}}
		}
	}
	return nil
}

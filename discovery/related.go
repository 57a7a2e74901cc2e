package discovery

// This file defines what is known about words of everyday English, from the lists in english/: which are used for one
// another, which say what tools call otherwise, and which mean little in a request. The lists know nothing of any
// catalog; adding a word because one tool was not found is a mistake.

import (
	_ "embed"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
)

var (
	//go:embed english/families.txt
	familiesText string
	//go:embed english/senses.txt
	sensesText string
	//go:embed english/phrases.txt
	phrasesText string
	//go:embed english/faint.txt
	faintText string
	//go:embed english/idle.txt
	idleText string
)

const (
	senseWeight = 0.35 // how much a word counts that tools use for one in the query
	faintWeight = 0.5  // how much a faint word of the query counts
)

// relation is another word for a word.
type relation struct {
	base, root string
	weight     float32
}

// lexicon is what the lists say, made at the first use.
type lexicon struct {
	related      map[string][]relation // the other words for each base
	combinations map[string][]phrase   // by the base of their first word, longest first
	faint        map[string]bool       // words so common that their being rare in a catalog says little
	idle         map[string]bool       // words left out of a query unless it has no others
	known        map[string]bool       // bases that are spelled right though they may not occur
	everyday     []surface             // words that a misspelled word may mean though they do not occur
}

var english = sync.OnceValue(func() *lexicon {
	l := &lexicon{related: map[string][]relation{}, combinations: map[string][]phrase{}, faint: setOf(faintText), idle: setOf(idleText)}
	weight := float32(1)
	for row := range rows(familiesText) {
		if w, err := strconv.ParseFloat(row, 32); err == nil {
			weight = float32(w)
			continue
		}
		l.relate(row, row, weight)
	}
	for row := range rows(sensesText) {
		said, meant, _ := strings.Cut(row, ":")
		l.relate(said, meant, senseWeight)
	}
	for row := range rows(phrasesText) {
		l.combine(row)
	}
	for _, list := range l.combinations {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.words) - len(a.words) })
	}
	l.known = l.spelledRight()
	l.everyday = spellings(familiesText + sensesText)
	return l
})

// relate makes all words of one text stand for all of another; what is related already stays as it is.
func (l *lexicon) relate(said, meant string, weight float32) {
	for _, from := range strings.Fields(said) {
		for _, to := range strings.Fields(meant) {
			key, r := base(from), relation{base(to), root(to), weight}
			if key != r.base && !slices.ContainsFunc(l.related[key], func(old relation) bool { return old.base == r.base }) {
				l.related[key] = append(l.related[key], r)
			}
		}
	}
}

// combine adds a phrase.
func (l *lexicon) combine(row string) {
	said, meant, _ := strings.Cut(row, ":")
	p := phrase{means: strings.Fields(meant)}
	for _, w := range strings.Fields(said) {
		p.words = append(p.words, base(w))
	}
	if p.means[0] == "+" {
		p.keeps, p.means = true, p.means[1:]
	}
	l.combinations[p.words[0]] = append(l.combinations[p.words[0]], p)
}

func (l *lexicon) spelledRight() map[string]bool {
	m := map[string]bool{}
	for b, list := range l.related {
		m[b] = true
		for _, r := range list {
			m[r.base] = true
		}
	}
	for _, set := range []map[string]bool{l.faint, l.idle} {
		for w := range set {
			m[base(w)] = true
		}
	}
	return m
}

// spellings are the words of lists, sorted.
func spellings(text string) []surface {
	var list []surface
	for row := range rows(text) {
		for _, w := range words(row, 1<<10) {
			if letters(w) {
				list = append(list, surface{word: w, mask: letterMask(w)})
			}
		}
	}
	slices.SortFunc(list, func(a, b surface) int { return strings.Compare(a.word, b.word) })
	return slices.CompactFunc(list, func(a, b surface) bool { return a.word == b.word })
}

// phrase is a combination of words and what it means.
type phrase struct {
	words []string // bases
	means []string
	keeps bool // the words count besides
}

func setOf(text string) map[string]bool {
	m := map[string]bool{}
	for row := range rows(text) {
		for _, w := range strings.Fields(row) {
			m[w] = true
		}
	}
	return m
}

// rows are the lines of a list without its comments.
func rows(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for row := range strings.Lines(text) {
			if row = strings.TrimSpace(row); row != "" && row[0] != '#' && !yield(row) {
				return
			}
		}
	}
}

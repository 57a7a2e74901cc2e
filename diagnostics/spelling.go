// This file defines how a misspelt name finds the one that was meant.

package diagnostics

import (
	"slices"
	"strings"
	"unicode"
)

// longestName bounds the names whose distance is worth computing. Of names up
// to shortName letters, another letter makes another word: max is not map, and
// data no Date.
const (
	longestName = 80
	shortName   = 4
)

// Nearest returns the candidate that name was most likely meant to be, and
// whether there is one: the same words in other spelling (case, "_", "-", camel
// case), the same words in another order, or a few letters' difference. Of
// equally near candidates it returns the first. A name of four letters or less
// may have a letter too many, too few, or two exchanged, but no other one.
func Nearest(name string, candidates []string) (string, bool) {
	folded := fold(name)
	if folded == "" {
		return "", false
	}
	length, at := len([]rune(folded)), -1
	best := min(max(2, length/4+1), 4)
	if length < 3 {
		best = 1
	}
	other := 1
	if length <= shortName {
		other = 2
	}
	sorted := wordKey(name)
	for i, candidate := range candidates {
		spelt := fold(candidate)
		d := best
		switch {
		case candidate == name:
			continue
		case spelt == folded:
			d = 0
		case len(sorted) > 0 && wordKey(candidate) == sorted:
			d = 1
		case len(spelt) <= longestName && len(folded) <= longestName:
			d = distance([]rune(folded), []rune(spelt), other, best)
		}
		if d < best || d == 0 && at < 0 {
			best, at = d, i
		}
	}
	if at < 0 {
		return "", false
	}
	return candidates[at], true
}

// fold drops what spellings differ in: case and separators.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// wordKey is the sorted words of a name of several words.
func wordKey(s string) string {
	words := Words(s)
	if len(words) < 2 {
		return ""
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Words splits a name into lower-case words at separators and at the humps of
// camel case.
func Words(s string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(s)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		startsHump := unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if startsHump {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// distance is the optimal string alignment distance of a and b, where another
// letter costs other, or limit if it is not below limit.
func distance(a, b []rune, other, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := other
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return min(above[len(b)], limit)
}

package ecmaregexp

// This file defines Input and matching.

import (
	"errors"
	"sort"
	"unicode/utf16"

	"github.com/dlclark/regexp2/v2"
)

// Input is a text to be matched, with what matching derives from it. Keeping it for as long as the same text is
// searched saves the conversion. It must not be used concurrently.
type Input struct {
	units  []rune  // one per UTF-16 unit
	points []rune  // one per code point; nil until asked for; units itself without surrogate pairs
	starts []int32 // unit at which each point starts; nil if it is the point's own index
}

// NewInput makes an input of ASCII text.
func NewInput(ascii string) *Input {
	units := make([]rune, len(ascii))
	for i := range len(ascii) {
		units[i] = rune(ascii[i])
	}
	return &Input{units: units, points: units}
}

// NewInputUnits makes an input of UTF-16 units, which may hold lone surrogates.
func NewInputUnits(text []uint16) *Input {
	units := make([]rune, len(text))
	for i, u := range text {
		units[i] = rune(u)
	}
	return &Input{units: units}
}

// Len is the length in UTF-16 units.
func (in *Input) Len() int { return len(in.units) }

// Size is about how many bytes the input occupies.
func (in *Input) Size() int {
	n := 4*len(in.units) + 4*len(in.starts)
	if in.starts != nil {
		n += 4 * len(in.points)
	}
	return n
}

// codePoints builds the view by code points.
func (in *Input) codePoints() {
	if in.points != nil {
		return
	}
	pairs := 0
	for i := 1; i < len(in.units); i++ {
		if isPair(in.units[i-1], in.units[i]) {
			pairs++
			i++
		}
	}
	if pairs == 0 {
		in.points = in.units
		return
	}
	in.points = make([]rune, 0, len(in.units)-pairs)
	in.starts = make([]int32, 0, len(in.units)-pairs+1)
	for i := 0; i < len(in.units); i++ {
		in.starts = append(in.starts, int32(i))
		r := in.units[i]
		if i+1 < len(in.units) && isPair(r, in.units[i+1]) {
			i++
			r = utf16.DecodeRune(r, in.units[i])
		}
		in.points = append(in.points, r)
	}
	in.starts = append(in.starts, int32(len(in.units)))
}

func isPair(hi, lo rune) bool { return hi >= 0xD800 && hi < 0xDC00 && lo >= 0xDC00 && lo < 0xE000 }

// MatchAt finds the first match that starts at index or later, exactly at index with the sticky flag. It returns
// start and end of the whole match and of each group in UTF-16 units, -1 for a group that took no part; nil without a
// match. The result uses dst's memory if that is large enough. index counts UTF-16 units; beyond the text there is no
// match. An error is ErrTimeout or ErrTooComplex.
func (r *Regexp) MatchAt(in *Input, index int, dst []int) ([]int, error) {
	if index < 0 || index > len(in.units) {
		return nil, nil
	}
	text, starts := in.units, []int32(nil)
	if r.flags.fullUnicode() {
		in.codePoints()
		text, starts = in.points, in.starts
		index = pointAt(starts, index)
	}
	m := match{want: -1, groups: r.groups, starts: starts, dst: dst[:0]}
	if r.flags.Sticky {
		m.want = index
	}
	if err := r.re.FindRunesMatches(text, index, m.take); err != nil {
		if errors.Is(err, regexp2.ErrBacktrackingStackLimit) {
			return nil, ErrTooComplex
		}
		return nil, ErrTimeout
	}
	if !m.found {
		return nil, nil
	}
	return m.dst, nil
}

// pointAt is the code point that unit index belongs to.
func pointAt(starts []int32, index int) int {
	if starts == nil {
		return index
	}
	return sort.Search(len(starts), func(i int) bool { return int(starts[i]) > index }) - 1
}

// match receives the first match of a search.
type match struct {
	want   int // where it must start, -1 for anywhere
	groups int
	starts []int32
	dst    []int
	found  bool
}

func (m *match) take(v regexp2.MatchView) bool {
	for g := 0; g <= m.groups; g++ {
		start, length, ok := v.GroupRange(g)
		if !ok {
			m.dst = append(m.dst, -1, -1)
			continue
		}
		if g == 0 && m.want >= 0 && start != m.want {
			return false
		}
		end := start + length
		if m.starts != nil {
			start, end = int(m.starts[start]), int(m.starts[end])
		}
		m.dst = append(m.dst, start, end)
	}
	m.found = true
	return false
}

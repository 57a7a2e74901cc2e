package discovery

// This file defines how text is cut into words: by Unicode classes, case and digits, folded so that spellings of one
// word are one text.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord cuts what is no word that anybody searches for, such as encoded data. In bytes.
const maxWord = 60

// splitter cuts a text into words.
type splitter struct {
	// emit is given each word, folded; the bytes are its own only until it returns. glued: it follows the word before
	// without a space, as the parts of an identifier do.
	emit  func(word []byte, glued bool)
	run   []byte // of the word being read, folded
	last  kind   // of the rune before
	glued bool   // the word being read is
	dense rune   // the letter before of a script without spaces, 0 if none
	count int    // of the words so far
}

// kind is what a rune is to a splitter.
type kind uint8

const (
	space kind = iota
	joiner
	lower
	upper
	digit
	dense // of a script without spaces
)

// split reads at most limit words of a text. "listOpen_issues" is three, glued together; scripts without spaces are cut
// into overlapping pairs of letters.
func (s *splitter) split(text string, limit int) {
	s.run, s.last, s.glued, s.dense, s.count = s.run[:0], space, false, 0, 0
	for i, r := range text {
		if s.count >= limit {
			return
		}
		s.read(text, i, r)
	}
	s.end()
}

// words are the folded words of a text.
func words(text string, limit int) []string {
	var list []string
	s := splitter{emit: func(w []byte, _ bool) { list = append(list, string(w)) }}
	s.split(text, limit)
	return list
}

func (s *splitter) read(text string, i int, r rune) {
	k := kindOf(r)
	switch {
	case k == lower && r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r): // an accent of its own
		return
	case (r == '\'' || r == '’') && (s.last == lower || s.last == upper):
		return // user's is users, don't is dont
	case k == dense:
		s.ideograph(r)
		return
	case k == space, k == joiner:
		s.end()
		s.glued, s.dense = k == joiner && s.last != space, 0
	default:
		if s.last == dense || s.boundary(k, text, i) {
			s.end()
			s.glued, s.dense = s.last != dense, 0
		}
		if len(s.run) < maxWord {
			s.run = appendFolded(s.run, r)
		}
	}
	s.last = k
}

// boundary tells whether a word of one identifier ends before this rune: aB, and the B of ABc.
func (s *splitter) boundary(k kind, text string, i int) bool {
	if len(s.run) == 0 || k != upper {
		return false
	}
	if s.last == lower || s.last == digit {
		return true
	}
	rest := text[i:]
	_, size := utf8.DecodeRuneInString(rest)
	next, size2 := utf8.DecodeRuneInString(rest[size:])
	after, _ := utf8.DecodeRuneInString(rest[size+size2:])
	// The plural of an acronym, IDs, is one word.
	return kindOf(next) == lower && (next != 's' || kindOf(after) == lower)
}

func (s *splitter) end() {
	if len(s.run) == 0 {
		return
	}
	s.emit(s.run, s.glued && s.count > 0)
	s.run, s.glued = s.run[:0], false
	s.count++
}

// ideograph reads a letter of a script without spaces: words are pairs of neighbours, and letters that stand alone.
func (s *splitter) ideograph(r rune) {
	s.end()
	if s.dense != 0 {
		s.emit(utf8.AppendRune(utf8.AppendRune(nil, s.dense), r), false)
	} else {
		s.emit(utf8.AppendRune(nil, r), false)
	}
	s.count++
	s.dense, s.last = r, dense
}

func kindOf(r rune) kind {
	if r < utf8.RuneSelf {
		switch {
		case 'a' <= r && r <= 'z':
			return lower
		case 'A' <= r && r <= 'Z':
			return upper
		case '0' <= r && r <= '9':
			return digit
		case r == '_' || r == '-' || r == '.' || r == '/' || r == ':':
			return joiner
		}
		return space
	}
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return dense
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return lower
	case unicode.IsDigit(r):
		return digit
	}
	return space
}

// plain maps accented Latin letters to what people type instead.
var plain = func() map[rune]string {
	m := map[rune]string{}
	for _, row := range strings.Fields(`a:àáâãäåāăąǎ ae:æ c:çćĉċč d:ďđð e:èéêëēĕėęě g:ĝğġģ h:ĥħ i:ìíîïĩīĭįı j:ĵ k:ķ l:ĺļľŀł n:ñńņňŋ
		o:òóôõöøōŏőǒ oe:œ r:ŕŗř s:śŝşšș ss:ß t:ţťŧț th:þ u:ùúûüũūŭůűųǔ w:ŵ y:ýÿŷ z:źżž`) {
		to, from, _ := strings.Cut(row, ":")
		for _, r := range from {
			m[r] = to
		}
	}
	return m
}()

// appendFolded adds a rune without its case, accent and width.
func appendFolded(run []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(run, byte(r))
	}
	if '！' <= r && r <= '～' { // full width
		return appendFolded(run, r+'!'-'！')
	}
	r = unicode.ToLower(unicode.ToUpper(r))
	if r == 'ẞ' {
		r = 'ß'
	}
	if to, ok := plain[r]; ok {
		return append(run, to...)
	}
	return utf8.AppendRune(run, r)
}

// key is what all spellings of one name share: its letters and digits, folded.
func key(name string) string {
	run := make([]byte, 0, len(name))
	for _, r := range name {
		if k := kindOf(r); k != space && k != joiner && !unicode.Is(unicode.Mn, r) {
			run = appendFolded(run, r)
		}
	}
	return string(run)
}

package openapi

// This file defines how secrets of a request are kept out of what programs get:
// servers echo requests, in errors and on purpose.

import (
	"encoding/base64"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
)

// minSecret is the length from which on secrets are looked for in answers:
// shorter ones occur by chance.
const minSecret = 8

// hidden is what stands in the place of a secret.
const hidden = "[secret]"

// secrets are the texts that must not come back.
type secrets struct{ patterns []pattern }

// secretive reports that a header or parameter of a name is likely a secret.
func secretive(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"auth", "key", "token", "secret", "cookie", "passw", "session", "signature", "credential"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// add takes note of a secret and of its parts, each of which is one by itself:
// what stands behind a scheme, and the values of name=value there.
func (s *secrets) add(text string) {
	s.part(text)
	_, rest, scheme := strings.Cut(text, " ")
	if !scheme {
		return
	}
	s.part(strings.TrimSpace(rest))
	for part := range strings.SplitSeq(rest, ",") {
		if name, value, ok := strings.Cut(part, "="); ok && secretive(name) {
			s.part(strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
}

// addHeader takes note of a header's value, of cookies each by itself.
func (s *secrets) addHeader(name, value string) {
	if !strings.EqualFold(name, "Cookie") {
		s.add(value)
		return
	}
	s.part(value)
	for c := range strings.SplitSeq(value, ";") {
		_, v, _ := strings.Cut(c, "=")
		v = strings.Trim(strings.TrimSpace(v), `"`)
		s.part(v)
		if plain, err := url.PathUnescape(v); err == nil {
			s.part(plain)
		}
	}
}

// addValue takes note of the texts of a value.
func (s *secrets) addValue(v data.Value) {
	switch v := v.(type) {
	case data.String:
		s.add(string(v))
	case data.Number:
		s.part(v.Text())
	case data.Array:
		for _, item := range v.All() {
			s.addValue(item)
		}
	case *data.Object:
		for _, member := range v.All() {
			s.addValue(member)
		}
	}
}

// part takes note of one text, also as base64 has it.
func (s *secrets) part(text string) {
	if len(text) < minSecret || slices.ContainsFunc(s.patterns, func(p pattern) bool { return p.text == text }) {
		return
	}
	whole := text[:len(text)/3*3] // what follows changes the last character of the rest
	for _, form := range []string{text, url.QueryEscape(text), base64.StdEncoding.EncodeToString([]byte(whole)), base64.URLEncoding.EncodeToString([]byte(whole))} {
		if !slices.ContainsFunc(s.patterns, func(p pattern) bool { return p.text == form }) {
			s.patterns = append(s.patterns, pattern{text: form})
		}
	}
	// What holds another one goes first.
	slices.SortStableFunc(s.patterns, func(a, b pattern) int { return len(b.text) - len(a.text) })
}

// text is a text without the secrets, written plainly or with escapes of URLs,
// JSON or HTML.
func (s *secrets) text(text string) string {
	if len(s.patterns) == 0 {
		return text
	}
	for _, p := range s.patterns {
		if strings.Contains(text, p.text) {
			text = strings.ReplaceAll(text, p.text, hidden)
		}
	}
	if !strings.ContainsAny(text, escapes) {
		return text
	}
	plain := unescaped(text)
	for _, p := range s.patterns {
		if strings.Contains(plain, p.text) {
			text, _ = p.hide(text, escapedUnit)
		}
	}
	return text
}

// cutText is a text that goes on where it could not be read: what could be the
// beginning of a secret at its end is left out.
func (s *secrets) cutText(text string) string {
	if i := strings.LastIndexAny(text, escapes); i >= 0 && i > len(text)-maxEscape {
		text = text[:i] // maybe a part of an escape
	}
	end := len(text)
	for _, p := range s.patterns {
		for _, unit := range []unit{plainUnit, escapedUnit} {
			_, at := p.hide(text, unit)
			end = min(end, at)
		}
	}
	return s.text(text[:end])
}

// value is a value without the secrets: in texts and names, and in numbers that
// are one.
func (s *secrets) value(v data.Value) data.Value {
	if len(s.patterns) > 0 {
		v, _ = s.clean(v)
	}
	return v
}

// clean is value, and whether there was a secret; what has none is not copied.
func (s *secrets) clean(v data.Value) (data.Value, bool) {
	switch v := v.(type) {
	case data.String:
		text := s.text(string(v))
		return data.String(text), text != string(v)
	case data.Number:
		if slices.ContainsFunc(s.patterns, func(p pattern) bool { return p.text == v.Text() }) {
			return data.String(hidden), true
		}
	case data.Array:
		var items []data.Value
		for i, item := range v.All() {
			clean, found := s.clean(item)
			if found && items == nil {
				items = make([]data.Value, v.Len())
				for j, item := range v.All() {
					items[j] = item
				}
			}
			if found {
				items[i] = clean
			}
		}
		if items != nil {
			return data.NewArray(items), true
		}
	case *data.Object:
		var list []data.Member
		for i := range v.Len() {
			m := v.At(i)
			clean, found := s.clean(m.Value)
			key := s.text(m.Key)
			if found = found || key != m.Key; found && list == nil {
				list = slices.Collect(members(v))
			}
			if found {
				list[i] = data.Member{Key: key, Value: clean}
			}
		}
		if list != nil {
			return data.NewObject(list), true
		}
	}
	return v, false
}

// pattern is a text to look for.
type pattern struct{ text string }

// unit reads the next byte of a text, or the character that an escape stands for.
type unit func(text string, i int) (s string, width int)

// hide replaces the pattern where unit reads it, and tells where at the end what
// could be the beginning of one more starts. The search is that of Knuth, Morris
// and Pratt, which no text makes slow.
func (p pattern) hide(text string, unit unit) (string, int) {
	fall := fallTable(p.text)
	starts := make([]int, len(p.text)) // of the last bytes, in turn
	var b strings.Builder
	done, matched, count := 0, 0, 0
	for i := 0; i < len(text); {
		s, width := unit(text, i)
		for j := range len(s) {
			starts[count%len(starts)] = i
			count++
			for matched > 0 && s[j] != p.text[matched] {
				matched = fall[matched-1]
			}
			if s[j] == p.text[matched] {
				matched++
			}
			if matched == len(p.text) {
				b.WriteString(text[done:max(done, starts[count%len(starts)])])
				b.WriteString(hidden)
				done, matched = i+width, 0
			}
		}
		i += width
	}
	end := len(text)
	if matched > 0 {
		end = max(done, starts[(count-matched)%len(starts)])
	}
	b.WriteString(text[done:])
	return b.String(), end
}

func fallTable(text string) []int {
	fall := make([]int, len(text))
	for i, k := 1, 0; i < len(text); i++ {
		for k > 0 && text[i] != text[k] {
			k = fall[k-1]
		}
		if text[i] == text[k] {
			k++
		}
		fall[i] = k
	}
	return fall
}

func plainUnit(text string, i int) (string, int) { return text[i : i+1], 1 }

// escapedUnit reads a byte, or a character behind an escape.
func escapedUnit(text string, i int) (string, int) {
	rest := text[i:min(len(text), i+maxEscape)]
	switch {
	case rest[0] == '%' && len(rest) >= 3:
		if n, err := strconv.ParseUint(rest[1:3], 16, 8); err == nil {
			return string([]byte{byte(n)}), 3
		}
	case rest[0] == '\\' && len(rest) >= 6 && rest[1] == 'u':
		if n, err := strconv.ParseUint(rest[2:6], 16, 16); err == nil {
			return string(rune(n)), 6
		}
	case rest[0] == '\\' && len(rest) >= 2 && strings.IndexByte(`"'\/`, rest[1]) >= 0:
		return rest[1:2], 2
	case rest[0] == '&':
		if end := strings.IndexByte(rest, ';'); end > 0 {
			if plain := html.UnescapeString(rest[:end+1]); utf8.RuneCountInString(plain) == 1 {
				return plain, end + 1
			}
		}
	}
	return text[i : i+1], 1
}

// unescaped is a text with what its escapes stand for.
func unescaped(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		s, width := escapedUnit(text, i)
		b.WriteString(s)
		i += width
	}
	return b.String()
}

// escapes are what escapes begin with.
const escapes = `%\&`

// maxEscape is how long the escapes of one character are at most.
const maxEscape = 12

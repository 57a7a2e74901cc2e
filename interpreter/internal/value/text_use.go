package value

// This file defines what is noted when a program uses a text that looks like JSON as what it would be parsed to: tools often
// answer with one, and nothing is parsed that was not asked for.

import "cmp"

// TextUse is such a use of a text.
type TextUse struct {
	Tool string // the expression of the tool that answered with the text, "" if it came from elsewhere
	Key  string // the field that was read and is not there, "" for another use
	Pos  int32
	what string // of another use: what the program got
	text *toolText
}

// toolText is a tool's answer that looks like JSON.
type toolText struct {
	tool string
	text bool // the program takes it for a text: it parsed it, or called a method of strings
}

// maxTextUses and maxToolTexts bound how many are kept.
const (
	maxTextUses  = 5
	maxToolTexts = 64
)

// flagAnswer marks a text that is a tool's answer and looks like JSON, until the program shows that it takes it for a text.
const flagAnswer Flags = 1 << 3 // beside those of str.go

// NoteToolText remembers that a text is a tool's answer, if it looks like JSON.
func (r *Realm) NoteToolText(v Value, tool func() string) {
	s := v.Str()
	if s == nil || !looksLikeJSON(s) {
		return
	}
	if r.toolTexts == nil || len(r.toolTexts) >= maxToolTexts {
		r.toolTexts = map[*Str]*toolText{}
	}
	r.toolTexts[s] = &toolText{tool: tool()}
	s.Flags |= flagAnswer
}

// IsAnswer tells a text that is marked as a tool's answer: what is read of it is to be noted.
func (s *Str) IsAnswer() bool { return s.Flags&flagAnswer != 0 }

// NoteParsed notes that the program takes a text for one.
func (r *Realm) NoteParsed(s *Str) {
	if !s.IsAnswer() {
		return
	}
	s.Flags &^= flagAnswer
	if t := r.toolTexts[s]; t != nil {
		t.text = true
	}
}

// NoteTextUse notes a use of v, if that is a tool's answer, which gives something else than what it would be parsed to.
func (r *Realm) NoteTextUse(v Value, what string) {
	if s := v.Str(); s != nil && s.IsAnswer() {
		if t := r.toolTexts[s]; t != nil {
			r.addTextUse(TextUse{Tool: t.tool, Pos: r.Pos, what: what, text: t})
		}
	}
}

// noteTextMiss notes that a text has no such field.
func (r *Realm) noteTextMiss(s *Str, key string) {
	if looksLikeJSON(s) {
		u := TextUse{Key: key, Pos: r.Pos}
		if t := r.toolTexts[s]; t != nil {
			u.Tool, u.text = t.tool, t
		}
		r.addTextUse(u)
	}
}

// addTextUse keeps one use for each place, and the latest fields that were missed.
func (r *Realm) addTextUse(u TextUse) {
	n := 0
	for _, old := range r.TextUses {
		if old.Pos == u.Pos && old.Key == u.Key {
			return
		}
		if (old.Key == "") == (u.Key == "") {
			n++
		}
	}
	if n < maxTextUses {
		r.TextUses = append(r.TextUses, u)
	}
}

// missedOnText is the latest use that found no such field.
func (r *Realm) missedOnText(key string) (TextUse, bool) {
	for i := len(r.TextUses) - 1; i >= 0; i-- {
		if u := r.TextUses[i]; u.Key == key && key != "" {
			return u, true
		}
	}
	return TextUse{}, false
}

// Remark is what a result says of the use, with failed beside a failure, whose message tells of fields; "" for nothing.
func (u TextUse) Remark(failed bool) string {
	switch {
	case u.Tool == "", u.Key != "" && failed, u.Key == "" && u.text.text:
		return ""
	}
	return cmp.Or(u.what, "."+u.Key+" is undefined") + ": " + u.Hint()
}

// Hint is what to do about it.
func (u TextUse) Hint() string {
	if u.Tool == "" {
		return "it is a string that looks like JSON: use JSON.parse first"
	}
	return "the result of " + u.Tool + " is a string that looks like JSON: use JSON.parse on it first"
}

// TextHint is the advice appended to a message about v when v is a text that looks like JSON.
func (r *Realm) TextHint(v Value) string {
	s := v.Str()
	if s == nil || !looksLikeJSON(s) {
		return ""
	}
	u := TextUse{}
	if t := r.toolTexts[s]; t != nil {
		u.Tool = t.tool
	}
	return "; " + u.Hint()
}

// looksLikeJSON reports that a text begins and ends like an object or array.
func looksLikeJSON(s *Str) bool {
	first, last := 0, s.Len()-1
	for first < last && IsSpace(s.At(first)) {
		first++
	}
	for first < last && IsSpace(s.At(last)) {
		last--
	}
	return first < last && (s.At(first) == '{' && s.At(last) == '}' || s.At(first) == '[' && s.At(last) == ']')
}

package value

// This file defines what is noted when a program reads a field of a text that looks like JSON: tools often answer with one,
// and nothing is parsed that was not asked for.

// TextUse is a field read from a text that looks like JSON.
type TextUse struct {
	Tool string // the expression of the tool that answered with the text, "" if it came from elsewhere
	Key  string
	Pos  int32
}

// maxTextUses and maxToolTexts bound how many are kept.
const (
	maxTextUses  = 5
	maxToolTexts = 64
)

// NoteToolText remembers that a text is a tool's answer, if it looks like JSON.
func (r *Realm) NoteToolText(v Value, tool func() string) {
	s := v.Str()
	if s == nil || !looksLikeJSON(s) {
		return
	}
	if r.toolTexts == nil || len(r.toolTexts) >= maxToolTexts {
		r.toolTexts = map[*Str]string{}
	}
	r.toolTexts[s] = tool()
}

// noteTextMiss notes that a text has no such field.
func (r *Realm) noteTextMiss(s *Str, key string) {
	if len(r.TextUses) >= maxTextUses || !looksLikeJSON(s) {
		return
	}
	for _, u := range r.TextUses {
		if u.Pos == r.Pos && u.Key == key {
			return
		}
	}
	r.TextUses = append(r.TextUses, TextUse{r.toolTexts[s], key, r.Pos})
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

// Hint is what to do about it.
func (u TextUse) Hint() string {
	if u.Tool == "" {
		return "it is a string that looks like JSON: use JSON.parse first"
	}
	return "the result of " + u.Tool + " is a string that looks like JSON: use JSON.parse on it first"
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

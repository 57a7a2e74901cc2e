// This file defines how the beginning of a long JSON text is written.

package data

import "unicode/utf8"

// JSONHead appends at most limit bytes of the beginning of v's JSON text to dst; they may end anywhere. total is how long the
// whole text is; if counted is false it is more than most, where counting stopped. The rest of the text is never made.
func JSONHead(dst []byte, v Value, limit, most int) (head []byte, total int, counted bool) {
	if leaves(v, min(limit, most)) >= 0 { // the usual case, in one go
		head = AppendJSON(dst, v)
		return head, len(head) - len(dst), true
	}
	h := headWriter{dst: dst, end: len(dst) + limit, most: most}
	counted = h.value(v)
	return h.dst, h.total, counted
}

// leaves is what at least remains of n bytes when v's JSON text has been written; negative if it may not fit.
func leaves(v Value, n int) int {
	switch v := v.(type) {
	case String:
		return n - 2 - longestEscape*len(v)
	case Array:
		n -= 2
		for i := 0; i < len(v.items) && n >= 0; i++ {
			n = leaves(v.items[i], n-1)
		}
		return n
	case *Object:
		n -= 2
		for i := 0; i < v.Len() && n >= 0; i++ {
			m := &v.members[i]
			n = leaves(m.Value, n-4-longestEscape*len(m.Key))
		}
		return n
	case Number:
		return n - max(longestNumber, len(v.digits))
	}
	return n - len("false")
}

// longestNumber is how many bytes a number without exact digits takes at most: 17 digits, sign, point and exponent, or zeros.
const longestNumber = 32

// headWriter writes the beginning of a text and counts the rest. Its methods report whether to go on.
type headWriter struct {
	dst              []byte
	end, total, most int
}

func (h *headWriter) room() int { return h.end - len(h.dst) }

// text is a part that needs no quotes.
func (h *headWriter) text(s string) bool {
	if room := h.room(); room > 0 {
		h.dst = append(h.dst, s[:min(len(s), room)]...)
	}
	h.total += len(s)
	return h.total <= h.most
}

// longestEscape is how many bytes the JSON form of one byte takes at most.
const longestEscape = 6

func (h *headWriter) quoted(s string) bool {
	if before := len(h.dst); longestEscape*len(s)+2 <= h.room() {
		h.dst = AppendQuoted(h.dst, s)
		h.total += len(h.dst) - before
		return h.total <= h.most
	}
	if room := h.room(); room > 0 {
		n := min(len(s), room)
		for n < len(s) && n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		h.dst = AppendQuoted(h.dst, s[:n])
		if n < len(s) {
			h.dst = h.dst[:len(h.dst)-1]   // the text goes on,
			h.end = min(h.end, len(h.dst)) // and the head ends here
		}
		h.dst = h.dst[:min(len(h.dst), h.end)]
	}
	return h.count(s)
}

// count adds the length of a quoted text.
func (h *headWriter) count(s string) bool {
	const part = 1 << 16
	var room [2 + 2*longestEscape]byte
	h.total += 2
	for at := 0; at < len(s) && h.total <= h.most; {
		for end := min(at+part, len(s)); at < end; {
			size := 1
			if c := s[at]; c >= utf8.RuneSelf {
				size = wtf8Len(s[at:])
			} else if c >= ' ' && c != '"' && c != '\\' {
				h.total, at = h.total+1, at+1
				continue
			}
			h.total += len(AppendQuoted(room[:0], s[at:at+size])) - 2
			at += size
		}
	}
	return h.total <= h.most
}

// wtf8Len is how many bytes the first character takes; a lone surrogate takes three.
func wtf8Len(s string) int {
	if _, ok := surrogateAt(s, 0); ok {
		return 3
	}
	_, size := utf8.DecodeRuneInString(s)
	return size
}

func (h *headWriter) value(v Value) bool {
	switch v := v.(type) {
	case String:
		return h.quoted(string(v))
	case Array:
		return h.array(v)
	case *Object:
		return h.object(v)
	}
	var room [64]byte
	before := len(h.dst)
	if h.room() < len(room) {
		return h.text(string(AppendJSON(room[:0], v)))
	}
	h.dst = AppendJSON(h.dst, v)
	h.total += len(h.dst) - before
	return h.total <= h.most
}

func (h *headWriter) array(v Array) bool {
	before := "["
	for _, item := range v.items {
		if !h.text(before) || !h.value(item) {
			return false
		}
		before = ","
	}
	if len(v.items) == 0 {
		return h.text("[]")
	}
	return h.text("]")
}

func (h *headWriter) object(v *Object) bool {
	before := "{"
	for i := range v.Len() {
		m := v.members[i]
		if !h.text(before) || !h.quoted(m.Key) || !h.text(":") || !h.value(m.Value) {
			return false
		}
		before = ","
	}
	if v.Len() == 0 {
		return h.text("{}")
	}
	return h.text("}")
}

package client

// This file defines how a message that is not read as a whole is still known.

import "bytes"

// outline reads of the text of an object the members that are not within others,
// as far as the text goes, be it too long to be kept or no JSON in the end. It
// has what is written to it only as states, so that its size is bounded.
type outline struct {
	depth   int
	begun   bool // the first character has come
	none    bool // and it is no object
	over    bool // the object has ended
	quoted  bool // within a string
	escaped bool // after a backslash in one
	valued  bool // after the colon of a member
	key     []byte
	token   []byte // of a key or value, without its quotes

	version string // of jsonrpc
	id      string
	names   [3]bool // which of method, result and error there are
}

const (
	hasMethod = iota
	hasResult
	hasError
)

// maxToken bounds what is kept of a key or value; the ones that count are
// shorter.
const maxToken = 64

// write reads on.
func (o *outline) write(p []byte) {
	if o == nil || o.none || o.over {
		return
	}
	for len(p) > 0 {
		if o.quoted && !o.escaped && o.depth != 1 { // the bulk
			i := bytes.IndexAny(p, `"\`)
			if i < 0 {
				return
			}
			p = p[i:]
		}
		o.next(p[0])
		p = p[1:]
		if o.none || o.over {
			return
		}
	}
}

func (o *outline) next(c byte) {
	switch {
	case o.escaped:
		o.escaped = false
		o.keep(c)
	case o.quoted && c == '\\':
		o.escaped = true
	case o.quoted && c == '"':
		o.quoted = false
	case o.quoted:
		o.keep(c)
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
	case !o.begun:
		o.begun, o.none, o.depth = true, c != '{', 1
	default:
		o.structure(c)
	}
}

// structure reads a character outside of strings.
func (o *outline) structure(c byte) {
	switch c {
	case '"':
		o.quoted = true
	case '{', '[':
		o.depth++
	case '}', ']':
		if o.depth == 1 {
			o.member()
		}
		o.depth--
		o.over = o.depth == 0
	case ':':
		if o.depth == 1 {
			o.key, o.token, o.valued = append(o.key[:0], o.token...), o.token[:0], true
			o.name()
		}
	case ',':
		if o.depth == 1 {
			o.member()
		}
	default:
		o.keep(c)
	}
}

func (o *outline) keep(c byte) {
	if o.depth == 1 && len(o.token) < maxToken {
		o.token = append(o.token, c)
	}
}

// name is called when the key of a member is known.
func (o *outline) name() {
	for i, name := range [...]string{"method", "result", "error"} {
		if string(o.key) == name {
			o.names[i] = true
		}
	}
}

// member is called when a member is over.
func (o *outline) member() {
	if o.valued {
		switch string(o.key) {
		case "jsonrpc":
			o.version = string(o.token)
		case "id":
			o.id = string(o.token)
		}
	}
	o.token, o.valued = o.token[:0], false
}

// reply reports whether the object is, as far as it is known, a reply.
func (o *outline) reply() bool {
	return o != nil && !o.none && o.version == "2.0" && !o.names[hasMethod] && (o.names[hasResult] || o.names[hasError])
}

// outlined is the outline of a whole text.
func outlined(text []byte) *outline {
	o := new(outline)
	o.write(text)
	return o
}

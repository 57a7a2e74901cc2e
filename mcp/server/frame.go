package server

// This file defines what the SDK does not do with lines of a client: ids that it would round, and answers to what is no
// message.

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	maxID  = 1 << 10 // bytes of an id that is answered
	maxIDs = 100     // of one line
)

// idFinder finds the ids of the messages in a text that need be neither complete nor JSON. It holds no more than an id, however
// long and deep the text is. The zero idFinder is ready to use.
type idFinder struct {
	ids []string // as they are written

	depth   int
	batch   bool // the messages are in a list
	quoted  bool // inside a text
	escaped bool
	long    bool   // the token is longer than an id
	token   []byte // that is being read, of a message's own members
	last    string // text before this
	value   bool   // the value of the member last comes now
}

func (f *idFinder) write(p []byte) {
	for _, c := range p {
		switch {
		case f.quoted:
			f.inText(c)
		case c == '"':
			f.end()
			f.quoted = true
			f.keep(c)
		case c == '{' || c == '[':
			f.end()
			if f.depth == 0 {
				f.batch = c == '['
			}
			f.depth++
			f.last, f.value = "", false
		case c == '}' || c == ']':
			f.end()
			f.depth = max(f.depth-1, 0)
			f.value = false
		case c == ':':
			f.value = f.own()
		case c == ',':
			f.end()
			f.value = false
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			f.end()
		default:
			f.keep(c)
		}
	}
}

// own reports whether a message's own members are being read.
func (f *idFinder) own() bool { return !f.batch && f.depth == 1 || f.batch && f.depth == 2 }

func (f *idFinder) inText(c byte) {
	f.keep(c)
	switch {
	case f.escaped:
		f.escaped = false
	case c == '\\':
		f.escaped = true
	case c == '"':
		f.quoted = false
		f.end()
	}
}

func (f *idFinder) keep(c byte) {
	if !f.own() {
		return
	}
	if f.long = f.long || len(f.token) >= maxID; !f.long {
		f.token = append(f.token, c)
	}
}

// end ends a token.
func (f *idFinder) end() {
	token, long := string(f.token), f.long
	f.token, f.long = f.token[:0], false
	switch {
	case token == "" || !f.own():
	case !f.value:
		f.last = token
	default:
		scalar := token[0] == '"' || token[0] == '-' || token[0] >= '0' && token[0] <= '9'
		if f.last == `"id"` && !long && scalar && len(f.ids) < maxIDs && json.Valid([]byte(token)) {
			f.ids = append(f.ids, token)
		}
		f.value = false
	}
}

// refuse answers a text that is no message the server takes: each message in it that has an id, or else, as JSON-RPC 2.0 §5
// has it, with the id null.
func (c *stream) refuse(ids []string, code int64, why string) {
	if len(ids) == 0 {
		ids = []string{"null"}
	}
	for _, id := range ids {
		_ = c.line(refusal(id, code, why))
	}
}

// refusal is the answer to a request with that id, as it is written.
func refusal(id string, code int64, why string) []byte {
	text, _ := json.Marshal(why)
	return []byte(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + strconv.FormatInt(code, 10) + `,"message":` + string(text) + `}}`)
}

// exactPrefix begins the ids by which the SDK knows those that it would round: any number but an integer of 53 bits.
const exactPrefix = "\x00exact "

// exactID is the id of a request as the SDK is to know it; own is as it has read it.
func exactID(line []byte, own jsonrpc.ID) jsonrpc.ID {
	n, number := own.Raw().(int64)
	if !number {
		return own
	}
	var f idFinder
	f.write(line)
	if len(f.ids) != 1 || f.ids[0] == strconv.FormatInt(n, 10) {
		return own
	}
	id, err := jsonrpc.MakeID(exactPrefix + f.ids[0])
	if err != nil {
		return own
	}
	return id
}

// exactCancel has a cancellation name its request as the SDK knows it.
func exactCancel(params json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(params, &members) != nil {
		return params
	}
	id := string(members["requestId"])
	n, err := strconv.ParseInt(id, 10, 64)
	if id == "" || id[0] == '"' || err == nil && int64(float64(n)) == n && strconv.FormatInt(n, 10) == id {
		return params
	}
	members["requestId"], _ = json.Marshal(exactPrefix + id)
	text, err := json.Marshal(members)
	if err != nil {
		return params
	}
	return text
}

// asWritten gives an answer the id as the client has written it.
func asWritten(text []byte, id jsonrpc.ID) []byte {
	known, _ := id.Raw().(string)
	written, exact := strings.CutPrefix(known, exactPrefix)
	if !exact {
		return text
	}
	quoted, _ := json.Marshal(known)
	return bytes.Replace(text, append([]byte(`"id":`), quoted...), []byte(`"id":`+written), 1)
}

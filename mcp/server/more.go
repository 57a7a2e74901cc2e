package server

// This file defines the rest of values that were cut: what is kept of them, and the tool that reads on.

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// store keeps texts for a while. The oldest gives way.
type store struct {
	limit int
	keep  time.Duration

	mu    sync.Mutex
	byID  map[string]*kept
	order []*kept // oldest first
	size  int
}

// kept is the JSON text of a value that was cut.
type kept struct {
	id     string
	holder holder
	text   string
	timer  *time.Timer
}

// holder is who may read on: a session, and what a request tells of who sends it. See callerOf.
type holder struct {
	owner  *session
	caller [sha256.Size]byte
}

// put keeps a text and returns its id, empty if it is too large.
func (t *store) put(who holder, text string) string {
	if len(text) > t.limit {
		return ""
	}
	k := &kept{id: rand.Text()[:16], holder: who, text: text}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID == nil {
		t.byID = map[string]*kept{}
	}
	for t.size+len(text) > t.limit {
		t.remove(t.order[0])
	}
	k.timer = time.AfterFunc(t.keep, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.remove(k)
	})
	t.byID[k.id] = k
	t.order = append(t.order, k)
	t.size += len(text)
	return k.id
}

func (t *store) remove(k *kept) {
	if t.byID[k.id] != k {
		return
	}
	k.timer.Stop()
	delete(t.byID, k.id)
	t.size -= len(k.text)
	for i, other := range t.order {
		if other == k {
			t.order = append(t.order[:i:i], t.order[i+1:]...)
			return
		}
	}
}

func (t *store) get(who holder, id string) (text string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.byID[id]
	if k == nil || k.holder != who {
		return "", false
	}
	return k.text, true
}

func (t *store) drop(owner *session) {
	t.removeAll(func(k *kept) bool { return k.holder.owner == owner })
}
func (t *store) clear() { t.removeAll(func(*kept) bool { return true }) }

func (t *store) removeAll(which func(*kept) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.byID {
		if which(k) {
			t.remove(k)
		}
	}
}

// keepRest keeps the whole of a value that was cut, and says how to read on; nil if it was not, or is too large.
func (s *Server) keepRest(r *run) *rest {
	name := s.moreName()
	if r.output.Whole == nil || name == "" {
		return nil
	}
	text := data.JSON(r.output.Whole)
	shown, _ := r.output.Value.(data.String)
	id := s.rest.put(holder{r.owner, r.caller}, text)
	if id == "" {
		return nil
	}
	return &rest{Tool: name, ID: id, Offset: common(string(shown), text), Total: len(text)}
}

// common is how many bytes two texts begin with alike, without cutting a character.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return len(cutBytes(b, n))
}

func moreInput(id string, offset int) data.Value {
	return data.NewObject([]data.Member{{Key: "id", Value: data.String(id)}, {Key: "offset", Value: data.IntOf(int64(offset))}})
}

// maxMore bounds one piece, in bytes.
const maxMore = 60 << 10

var moreSchema = parsed(`{
	"type": "object",
	"properties": {
		"id": {"type": "string", "description": "as the result says"},
		"offset": {"type": "integer", "minimum": 0, "default": 0, "description": "bytes to leave out"}
	},
	"required": ["id"],
	"additionalProperties": false
}`)

func parsed(text string) *schema.Schema {
	s, err := schema.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

func moreTool(name string) *mcp.Tool {
	return &mcp.Tool{
		Name: name, Description: "Read on in a value that a result shows only the beginning of. The result names the id.",
		InputSchema: json.RawMessage(data.JSON(moreSchema.Document())),
		Annotations: &mcp.ToolAnnotations{Title: "Read on", ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)},
	}
}

// more answers a call of the tool that reads on.
func (s *Server) more(who holder, input data.Value) *mcp.CallToolResult {
	if err := moreSchema.Validate("input", input); err != nil {
		return refused(err.Error())
	}
	in, _ := input.(*data.Object)
	v, _ := in.Get("id")
	id, _ := v.(data.String)
	text, ok := s.rest.get(who, string(id))
	if !ok {
		return refused("there is no rest with this id any more. Read what you need anew, by a program that returns less; leave out the calls that changed something, which have taken effect")
	}
	offset := whole(in, "offset", 0)
	for offset < len(text) && text[offset]&0xC0 == 0x80 { // inside a character
		offset++
	}
	if offset >= len(text) {
		return refused(fmt.Sprintf("there is nothing at offset %d: the value has %d bytes", offset, len(text)))
	}
	piece := cutBytes(text[offset:], maxMore)
	next := offset + len(piece)
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: piece}}}
	if next < len(text) {
		result.Content = append(result.Content, &mcp.TextContent{Text: fmt.Sprintf("Note: bytes %d to %d of %d; the next: %s", offset, next, len(text), data.JSON(moreInput(string(id), next)))})
	}
	return result
}

// whole is a member that is a whole number.
func whole(o *data.Object, name string, otherwise int) int {
	v, _ := o.Get(name)
	n, ok := v.(data.Number)
	if !ok {
		return otherwise
	}
	return int(min(n.Float64(), 1<<31))
}

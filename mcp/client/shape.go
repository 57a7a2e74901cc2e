package client

// This file defines what a program gets of a result.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// shape makes the value of a result: its structured content, else its text,
// else a remark about what was attached, else null. Text is not guessed to be
// anything else.
func (c *Client) shape(ctx context.Context, d *definition, result data.Value) (data.Value, error) {
	r := &reader{client: c, definition: d}
	content, _ := member(result, "content").(data.Array)
	for _, block := range content.All() {
		r.block(block)
	}
	for _, a := range r.attachments {
		tool.Attach(ctx, a)
	}
	if failed, _ := member(result, "isError").(data.Bool); bool(failed) {
		return nil, &tool.Error{Message: r.failure(member(result, "structuredContent"))}
	}
	if text(result, "resultType") == "input_required" { // the wire passes on questions that can be read
		return nil, c.failure("%s asks for input in a form this client cannot read", d.name)
	}
	if v := member(result, "structuredContent"); v != nil && v != data.Value(data.Null{}) {
		return r.structured(v), nil
	}
	return r.value(result), nil
}

// reader reads the blocks of a result.
type reader struct {
	client      *Client
	definition  *definition
	texts       []string
	attachments []tool.Attachment
	blobs       map[string]string // what stands for the data of media, by it
	unread      []string          // what cannot be read
}

func (r *reader) log(format string, args ...any) {
	r.client.log(LogEntry{Source: Result, Tool: r.definition.name, Text: clip(fmt.Sprintf(format, args...), maxMessage)})
}

// joined is the text of the result.
func (r *reader) joined() string { return strings.Join(r.texts, "\n") }

// failure is the text of a result that is an error: what it says, else its
// structured content, else what else there is.
func (r *reader) failure(structured data.Value) string {
	if message := stripped(clip(r.joined(), maxMessage)); message != "" {
		return message
	}
	if structured != nil && structured != data.Value(data.Null{}) {
		if len(r.blobs) > 0 {
			structured = r.withoutMedia(structured, 0)
		}
		return clip(data.JSON(structured), maxMessage)
	}
	if remarks := slices.Concat(r.attached(), r.unreadable()); len(remarks) > 0 {
		return r.definition.name + " failed: " + strings.Join(remarks, " ")
	}
	return r.definition.name + " failed without saying why"
}

// value is the value of a result without structured content.
func (r *reader) value(result data.Value) data.Value {
	if len(r.unread) > 0 {
		r.log("the result had content this client cannot read: %s", strings.Join(r.unread, ", "))
	}
	switch {
	case len(r.texts) > 0:
		return r.text()
	case len(r.attachments) > 0 || len(r.unread) > 0:
		return data.String(strings.Join(slices.Concat(r.attached(), r.unreadable()), "\n"))
	}
	if v := member(result, "toolResult"); v != nil { // of protocol version 2024-10-07
		return v
	}
	return data.Null{}
}

// text is the joined text, parsed if that is asked for.
func (r *reader) text() data.Value {
	joined := r.joined()
	if r.client.server.ParseJSONText && !r.definition.output {
		trimmed := strings.TrimSpace(joined)
		if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
			if v, err := data.ParseString(trimmed); err == nil {
				return v
			}
		}
	}
	return data.String(joined)
}

// attached is a remark about attachments, if there are any: "[2 images
// attached]", with names where there are names.
func (r *reader) attached() []string {
	n := len(r.attachments)
	if n == 0 {
		return nil
	}
	noun := "image"
	var names []string
	for _, a := range r.attachments {
		if !strings.HasPrefix(a.MIMEType, "image/") {
			noun = "file"
		}
		if a.Name != "" {
			names = append(names, a.Name)
		}
	}
	if n > 1 {
		noun += "s"
	}
	remark := fmt.Sprintf("[%d %s attached", n, noun)
	if len(names) == n {
		remark += ": " + strings.Join(names, ", ")
	}
	return []string{remark + "]"}
}

func (r *reader) unreadable() []string {
	if len(r.unread) == 0 {
		return nil
	}
	return []string{"[the result had content this client cannot read: " + strings.Join(r.unread, ", ") + "]"}
}

// structured is the structured content: unwrapped if the schema says that it is
// wrapped, and without the data of media, which are attached.
func (r *reader) structured(v data.Value) data.Value {
	if inner := member(v, wrapMember); r.definition.wrapped && inner != nil {
		v = inner
	}
	if beside := r.beside(v); beside != "" {
		r.log("text beside the structured content: %s", beside)
	}
	if len(r.unread) > 0 {
		r.log("the result had content this client cannot read: %s", strings.Join(r.unread, ", "))
	}
	if len(r.blobs) > 0 {
		v = r.withoutMedia(v, 0)
	}
	return v
}

// beside is the text that does not say what the structured content says.
func (r *reader) beside(v data.Value) string {
	joined := r.joined()
	if joined == "" || says(v, joined) {
		return ""
	}
	parsed, err := data.ParseString(joined)
	if err == nil && (data.Equal(parsed, v) || holds(v, parsed)) {
		return ""
	}
	return joined
}

// says reports whether a value or one of its members is a text.
func says(v data.Value, joined string) bool {
	return v == data.Value(data.String(joined)) || holds(v, data.String(joined))
}

func holds(v, wanted data.Value) bool {
	o, _ := v.(*data.Object)
	for _, m := range o.All() {
		if data.Equal(m, wanted) {
			return true
		}
	}
	return false
}

// withoutMedia replaces texts that are the data of media by remarks.
func (r *reader) withoutMedia(v data.Value, depth int) data.Value {
	if depth > data.MaxDepth {
		return v
	}
	switch v := v.(type) {
	case data.String:
		if remark, ok := r.blobs[string(v)]; ok {
			return data.String(remark)
		}
	case data.Array:
		items := make([]data.Value, 0, v.Len())
		for _, item := range v.All() {
			items = append(items, r.withoutMedia(item, depth+1))
		}
		return data.NewArray(items)
	case *data.Object:
		members := make([]data.Member, 0, v.Len())
		for key, item := range v.All() {
			members = append(members, data.Member{Key: key, Value: r.withoutMedia(item, depth+1)})
		}
		return data.NewObject(members)
	}
	return v
}

package server

// This file defines results as the protocol has them: text for the model, structure for programs, attachments.

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/tool"
)

// The keys of the metadata of a result: the id that hooks and the audit log know the run by, and what was run.
const (
	metaID      = "codemode/id"
	metaProgram = "codemode/program"
)

// maxProgram bounds the program in the metadata, in bytes. The client knows a longer one well enough.
const maxProgram = 64 << 10

// structured is the structured content of a program's result: the documented form of results, the calls bounded.
type structured struct {
	*codemode.Result
	Rest *rest `json:"rest,omitempty"`
}

// rest says how to read on in a value that was cut.
type rest struct {
	Tool   string `json:"tool"`
	ID     string `json:"id"`
	Offset int    `json:"offset"`
	Total  int    `json:"total"`
}

// present makes the result of a run that has ended.
func (s *Server) present(r *run) *mcp.CallToolResult {
	o := r.output
	result := &mcp.CallToolResult{IsError: o.IsError || r.err != nil, Content: []mcp.Content{&mcp.TextContent{Text: o.Text}},
		Meta: mcp.Meta{metaID: r.id}}
	left := s.keepRest(r)
	if left != nil {
		appendText(result, fmt.Sprintf("Note: the first %d of %d bytes are above. For the rest call %s with %s, within %v; better return less at once.",
			left.Offset, left.Total, left.Tool, data.JSON(moreInput(left.ID, left.Offset)), s.options.RestFor))
	}
	switch {
	case o.Result == nil:
	case o.Program != "":
		if len(o.Program) <= maxProgram {
			result.Meta[metaProgram] = o.Program
		}
		s.structure(result, structured{bounded(o.Result), left})
	default:
		s.structureDirect(result, o)
	}
	s.attach(result, o.Attachments)
	return result
}

// structure adds the structured content.
func (s *Server) structure(result *mcp.CallToolResult, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		s.options.Log.Error("a result has no JSON form", "error", err)
		return
	}
	result.StructuredContent = json.RawMessage(text)
}

// structureDirect adds the value of a direct tool as it is, also where its text is cut: an output schema promises it.
func (s *Server) structureDirect(result *mcp.CallToolResult, o *registry.Output) {
	v := o.Value
	if o.Whole != nil {
		v = o.Whole
	}
	if object, ok := v.(*data.Object); ok && !o.IsError {
		result.StructuredContent = json.RawMessage(data.JSON(object))
	}
}

const (
	maxCalls     = 100 // listed one by one in structured content
	maxCallInput = 200 // bytes of an input there
)

// bounded is r with no more of its calls than a reader wants. Completed ones are folded first.
func bounded(r *codemode.Result) *codemode.Result {
	b := *r
	b.Calls, b.FoldedCalls = nil, map[string]int{}
	for path, n := range r.FoldedCalls {
		b.FoldedCalls[path] = n
	}
	left := 0
	for _, c := range r.Calls {
		if c.Status != tool.Completed && left < maxCalls {
			left++
		}
	}
	for i, c := range r.Calls {
		room := maxCalls - len(b.Calls)
		switch {
		case c.Status != tool.Completed && room > 0:
			left--
		case room > left || room > 0 && len(r.Calls)-i <= room:
		case c.Status == tool.Completed:
			b.FoldedCalls[c.Path]++
			continue
		default:
			continue // the text counts them
		}
		if len(c.Input) > maxCallInput {
			c.Input = cutBytes(c.Input, maxCallInput) + "…"
		}
		b.Calls = append(b.Calls, c)
	}
	return &b
}

// cutBytes is the longest beginning of text within a number of bytes that cuts no character.
func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// attach adds attachments in their order, and names those for which there is no room.
func (s *Server) attach(result *mcp.CallToolResult, list []codemode.Attachment) {
	room := s.options.MaxAttachments
	var out []string
	for i, a := range list {
		if len(a.Data) > room {
			out = append(out, or(a.Name, "attachment "+strconv.Itoa(i+1))+", "+strconv.Itoa(len(a.Data))+" bytes")
			continue
		}
		room -= len(a.Data)
		result.Content = append(result.Content, contentOf(a, i))
	}
	if len(out) > 0 {
		appendText(result, fmt.Sprintf("Note: left out, as one result carries at most %d bytes of attachments: %s.", s.options.MaxAttachments, strings.Join(out, "; ")))
	}
}

// contentOf is an attachment as content.
func contentOf(a codemode.Attachment, i int) mcp.Content {
	kind, _, _ := strings.Cut(strings.ToLower(a.MIMEType), "/")
	name := or(a.Name, "attachment-"+strconv.Itoa(i+1))
	switch {
	case a.URI != "" && len(a.Data) == 0:
		return &mcp.ResourceLink{URI: a.URI, Name: name, MIMEType: a.MIMEType}
	case kind == "image":
		return &mcp.ImageContent{Data: a.Data, MIMEType: a.MIMEType}
	case kind == "audio":
		return &mcp.AudioContent{Data: a.Data, MIMEType: a.MIMEType}
	}
	contents := &mcp.ResourceContents{URI: "attachment:///" + strconv.Itoa(i+1) + "/" + url.PathEscape(name), MIMEType: a.MIMEType}
	if kind == "text" && utf8.Valid(a.Data) {
		contents.Text = string(a.Data)
	} else if contents.Blob = a.Data; contents.Blob == nil {
		contents.Blob = []byte{}
	}
	return &mcp.EmbeddedResource{Resource: contents}
}

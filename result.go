package codemode

// This file defines what an execution gives the host.

import (
	"bytes"
	"encoding/json"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// Result is the outcome of one execution. It belongs to the caller. Its JSON form is stable; keys are absent where they
// say nothing.
type Result struct {
	// OK reports that the program succeeded; otherwise Error says why not.
	OK bool `json:"ok"`
	// Value is what the program returned, after the data boundary: Null if nothing. After a failure it is nil, except
	// that a value whose program failed only by an unhandled rejection is kept.
	Value data.Value `json:"value,omitempty"`
	// Error is why the program failed. It is nil when the host interrupted a program that had not failed yet.
	Error *Diagnostic `json:"error,omitempty"`
	// Warnings are what did not make the program fail: further rejections nobody handled, values that lost content.
	Warnings []Diagnostic `json:"warnings,omitempty"`
	// Logs are the console lines, also of a program that failed.
	Logs []Log `json:"logs,omitempty"`
	// Calls are all calls of tools in order, also those of a program that failed.
	Calls []tool.Record `json:"calls,omitempty"`
	// FoldedCalls counts, by path, completed calls beyond 10,000 that have no record of their own.
	FoldedCalls map[string]int `json:"foldedCalls,omitempty"`
	// Attachments are what tools handed over beside their values, in the order of the calls. The JSON form has no data,
	// only its size.
	Attachments []Attachment `json:"attachments,omitempty"`
	// Truncated reports that Limits.MaxOutputBytes cut something; Notes say what.
	Truncated bool `json:"truncated,omitempty"`
	// Notes are remarks for the reader: what was unwrapped from the text, what was cut.
	Notes []string `json:"notes,omitempty"`
	Stats Stats    `json:"stats"`
}

// Log is one console line.
type Log struct {
	Level string `json:"level"` // log, info, warn, error or debug
	Text  string `json:"text"`
}

// Stats are measurements of an execution. Durations are in milliseconds.
type Stats struct {
	DurationMs float64 `json:"durationMs"`
	// CompileMs is the part until the program was there; Cached reports that it was there already.
	CompileMs float64 `json:"compileMs"`
	Cached    bool    `json:"cached,omitempty"`
	// WaitedMs is how long the clock of the timeout stood still because tools waited for a person.
	WaitedMs float64 `json:"waitedMs,omitempty"`
	// ToolCalls is the number of calls in the ledger.
	ToolCalls int `json:"toolCalls"`
}

// Attachment is a file or image from a tool. See [tool.Attachment].
type Attachment tool.Attachment

// MarshalJSON implements json.Marshaler.
func (a Attachment) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name     string `json:"name,omitempty"`
		MIMEType string `json:"mimeType,omitempty"`
		URI      string `json:"uri,omitempty"`
		Size     int    `json:"size"`
	}{a.Name, a.MIMEType, a.URI, len(a.Data)})
}

// JSON is the JSON form of r, indented by indent if that is not empty, without HTML escaping.
func (r *Result) JSON(indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Package diagnostics defines how failures are told to a model and to a host:
// a table of kinds, the Diagnostic with its place and next step, and its
// rendering with a code frame.
//
// A failure of a program is data. Errors of the other packages classify
// themselves by implementing [Diagnosable]; whatever does not is a failure of
// the host whose text never reaches the program.
package diagnostics

import (
	"errors"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/scope"
)

// Origin says who caused a failure.
type Origin string

// The origins.
const (
	OriginProgram Origin = "program" // the program threw, or is malformed
	OriginTool    Origin = "tool"    // a tool refused, or its input or output was refused
	OriginHost    Origin = "host"    // a defect or an unexplained error on the host's side
	OriginRuntime Origin = "runtime" // a limit or rule of the runtime
)

// Location is a place in the program text as it was submitted. Lines and
// columns count from 1, columns in UTF-16 units; the end is exclusive. The zero
// Location is an unknown place, a zero EndLine means the same line, a zero
// EndColumn an unknown end.
type Location struct {
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine,omitempty"`
	EndColumn int `json:"endColumn,omitempty"`
}

// IsZero reports whether the place is unknown.
func (l Location) IsZero() bool { return l == Location{} }

// String is "line:column", or "" for an unknown place.
func (l Location) String() string {
	if l.IsZero() {
		return ""
	}
	return strconv.Itoa(l.Line) + ":" + strconv.Itoa(l.Column)
}

// MaxRelated is how many related diagnostics one diagnostic carries.
const MaxRelated = 20

// Diagnostic is one failure or warning. Message says what is wrong, what was
// got and wanted, and the next step; it is safe for the model to read. The JSON
// form is stable and leaves out what is absent.
type Diagnostic struct {
	Kind     Kind     `json:"kind"`
	Message  string   `json:"message"`
	Location Location `json:"location,omitzero"`
	Origin   Origin   `json:"origin,omitempty"`
	// Suggestions are expressions or spellings to use instead, best first.
	Suggestions []string `json:"suggestions,omitempty"`
	// Path names the tool or the part of a value concerned, as an expression.
	Path string `json:"path,omitempty"`
	// Related are further places or parts, at most MaxRelated.
	Related []Diagnostic `json:"related,omitempty"`
	// RelatedCount is the number of related diagnostics before the excess was
	// cut off, and zero if nothing was.
	RelatedCount int `json:"relatedCount,omitempty"`
}

// Diagnosable is an error that classifies itself.
type Diagnosable interface {
	Diagnostic() Diagnostic
}

// Diagnostic implements [Diagnosable].
func (d Diagnostic) Diagnostic() Diagnostic { return d }

// Error implements error: kind, place and message on one line.
func (d Diagnostic) Error() string {
	var b strings.Builder
	b.WriteString(string(d.Kind))
	if !d.Location.IsZero() {
		b.WriteString(" at " + d.Location.String())
	}
	b.WriteString(": " + d.Message)
	return b.String()
}

// WithRelated returns d with related, of which it keeps the first MaxRelated.
func (d Diagnostic) WithRelated(related []Diagnostic) Diagnostic {
	d.Related, d.RelatedCount = related, 0
	if len(related) > MaxRelated {
		d.Related, d.RelatedCount = related[:MaxRelated:MaxRelated], len(related)
	}
	return d
}

// HostFailure is the sentence that stands for an error of the host whose own
// text the model must not see.
const HostFailure = "an internal failure on the host's side; the program cannot repair it, the host has the details"

// From classifies err: the diagnostic of the first error in its tree that is
// [Diagnosable], otherwise an ExecutionFailure of the host with the text of
// [HostFailure]. A nil err gives the zero Diagnostic.
func From(err error) Diagnostic {
	if err == nil {
		return Diagnostic{}
	}
	var d Diagnosable
	if errors.As(err, &d) {
		return d.Diagnostic()
	}
	return Diagnostic{Kind: ExecutionFailure, Message: HostFailure, Origin: OriginHost}
}

// FromCause is the diagnostic of an execution that ended with c, and whether
// there is one: a failure, the first with the others as related, a timeout or
// a limit. Interruption by the host and defects are Go errors, not diagnostics.
func FromCause(c *scope.Cause) (Diagnostic, bool) {
	if c == nil || c.HasDies() {
		return Diagnostic{}, false
	}
	var all []Diagnostic
	for _, part := range c.Parts() {
		switch p := part.(type) {
		case *scope.Fail:
			all = append(all, From(p.Err))
		case *scope.Interrupt:
			if d, ok := fromInterrupt(p); ok {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return Diagnostic{}, false
	}
	if len(all) > 1 {
		return all[0].WithRelated(append(all[0].Related[:len(all[0].Related):len(all[0].Related)], all[1:]...)), true
	}
	return all[0], true
}

func fromInterrupt(i *scope.Interrupt) (Diagnostic, bool) {
	var d Diagnosable
	switch {
	case i.Err != nil && errors.As(i.Err, &d):
		return d.Diagnostic(), true
	case i.Reason == scope.Timeout:
		return Diagnostic{Kind: TimeoutExceeded, Origin: OriginRuntime,
			Message: "the execution took longer than the host allows and was interrupted; do less at once, or run independent calls together"}, true
	}
	return Diagnostic{}, false
}

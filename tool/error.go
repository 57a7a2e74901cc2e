// This file defines the errors of tools: the one whose text a model may read,
// and those the runtime tells a program.

package tool

import (
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/diagnostics"
)

// Error is a tool's refusal or failure whose Message the program and the model
// may read as it stands. Any other error of a tool is replaced by a generic
// sentence. Err is for the host alone.
type Error struct {
	Message string
	Err     error
}

// Errorf makes an [*Error]. A %w operand goes into the text as usual and is
// kept for the host.
func Errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Message: err.Error(), Err: errors.Unwrap(err)}
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// CallError is what a call is rejected with. Its text is safe for the program;
// it carries nothing else of the host.
type CallError struct{ diagnostic diagnostics.Diagnostic }

// Error implements error with the message alone.
func (e *CallError) Error() string { return e.diagnostic.Message }

// Diagnostic implements [diagnostics.Diagnosable].
func (e *CallError) Diagnostic() diagnostics.Diagnostic { return e.diagnostic }

func callError(kind diagnostics.Kind, origin diagnostics.Origin, path, message string, suggestions ...string) *CallError {
	return &CallError{diagnostics.Diagnostic{Kind: kind, Origin: origin, Path: path, Message: message, Suggestions: suggestions}}
}

// This file defines the errors of tools: the one whose text a model may read,
// and those the runtime tells a program.

package tool

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
)

// Error is a tool's refusal or failure whose Message the program and the model
// may read as it stands. Any other error of a tool is replaced by a generic
// sentence. Err is for the host alone.
type Error struct {
	Message string
	Err     error
	// Refused says that the call was turned away before it did anything: the
	// ledger has it as NotStarted. For those around a tool, see [Tool.Around].
	Refused bool
}

// Errorf makes an [*Error]. A %w operand goes into the text as usual and is
// kept for the host.
func Errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Message: err.Error(), Err: errors.Unwrap(err)}
}

// Refusef makes an [*Error] of a call that was turned away before it did anything.
func Refusef(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Message: err.Error(), Err: errors.Unwrap(err), Refused: true}
}

// toldBy is the error in err whose text the program may read, or nil.
func toldBy(err error) *Error {
	var told *Error
	errors.As(err, &told)
	return told
}

// asked is an error that can be asked what it wraps. A nil pointer as an error
// is a bug of the tool; a panic on the way is one too, and the caller's to catch.
func asked(err error) error {
	toldBy(err)
	v := reflect.ValueOf(err)
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		if v.IsNil() {
			return scope.NewCause(&scope.Die{Value: fmt.Sprintf("the tool returned a nil %T as an error that is not nil", err)})
		}
	}
	return err
}

// Error implements error. Of a nil error it is "".
func (e *Error) Error() string {
	if e == nil {
		return ""
	}
	return e.Message
}

// Unwrap returns Err.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

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

// Package tool defines what a program can call: tools with schemas, trees of
// them, and the runtime that admits, runs and records the calls of one
// execution.
package tool

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// Tool is one callable: a description, schemas of input and output, and a
// function. It is immutable and may be used from any goroutine.
type Tool struct {
	description string
	input       *schema.Schema
	output      *schema.Schema
	annotations Annotations
	examples    []Example
	pinned      bool
	validation  Validation
	trusting    bool // the output is not checked
	timeout     time.Duration
	// prepare decodes an input; what it returns runs the tool.
	prepare func(input data.Value) (run func(context.Context) (data.Value, error), err error)
	typed   bool
	around  bool  // something stands around the function
	err     error // why the tool cannot be used
	// signature is the compact one without the path, made when first asked for.
	signature     string
	signatureOnce sync.Once
}

// Func is the function of a raw tool. The input is what the program passed, an
// empty object if nothing.
type Func func(ctx context.Context, input data.Value) (data.Value, error)

// Validation says what happens to an input that does not fit its schema.
type Validation uint8

// The modes of validation.
const (
	// Strict refuses the call before it runs.
	Strict Validation = iota
	// Hint lets the call go out; if the tool then refuses it, what did not fit is
	// added to its message.
	Hint
	// Off does not look.
	Off
)

// Annotations are hints about what a tool does, MCP's.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint,omitempty"`
	Destructive bool `json:"destructiveHint,omitempty"`
	Idempotent  bool `json:"idempotentHint,omitempty"`
}

// Example is an input worth imitating.
type Example struct {
	Description string
	Input       data.Value
}

// Option changes a tool under construction.
type Option func(*Tool)

// OutputSchema sets or overrides the schema of the output; nil means unknown.
func OutputSchema(s *schema.Schema) Option { return func(t *Tool) { t.output = s } }

// InputSchema overrides the schema that describes and checks the input.
func InputSchema(s *schema.Schema) Option { return func(t *Tool) { t.input = s } }

// Annotate sets the annotations.
func Annotate(a Annotations) Option { return func(t *Tool) { t.annotations = a } }

// WithExample adds an example whose input is given as a Go value.
func WithExample(description string, input any) Option {
	return func(t *Tool) {
		v, err := data.From(input)
		if err != nil {
			t.err = errors.Join(t.err, fmt.Errorf("example %q: %w", description, err))
			return
		}
		t.examples = append(t.examples, Example{description, v})
	}
}

// Pinned puts the tool first in the catalog.
func Pinned() Option { return func(t *Tool) { t.pinned = true } }

// Validate sets the mode of input validation; the default is Strict. With Off
// the output is not checked either.
func Validate(mode Validation) Option {
	return func(t *Tool) {
		if mode > Off {
			t.err = errors.Join(t.err, fmt.Errorf("validation: got %d, want Strict, Hint or Off", mode))
		}
		t.validation = mode
	}
}

// UncheckedOutput keeps the output schema a description: what the tool returns is
// not checked against it. It is for peers that do not keep to what they declare.
func UncheckedOutput() Option { return func(t *Tool) { t.trusting = true } }

// Timeout bounds each call: then its context is done, and the call fails, which
// the program can catch. A tool that ignores its context goes on all the same.
func Timeout(d time.Duration) Option {
	return func(t *Tool) {
		if d <= 0 {
			t.err = errors.Join(t.err, fmt.Errorf("timeout: got %v, want more than 0", d))
		}
		t.timeout = d
	}
}

// New makes a tool of a Go function. The schemas are inferred from In and Out
// (see [schema.FromType]); inputs with unknown fields are refused. A type
// without JSON form is reported when the tool's tree is resolved.
func New[In, Out any](description string, f func(context.Context, In) (Out, error), options ...Option) *Tool {
	t := &Tool{description: description, typed: true}
	t.input, t.err = inferred[In](schema.Input, "input")
	var err error
	t.output, err = inferred[Out](schema.Output, "output")
	t.err = errors.Join(t.err, err)
	if f == nil {
		t.err = errors.Join(t.err, errors.New("function: got nil"))
	}
	t.prepare = func(input data.Value) (func(context.Context) (data.Value, error), error) {
		var in In
		if err := data.Decode(input, &in); err != nil {
			return nil, misfit(reflect.TypeFor[In](), input)
		}
		return func(ctx context.Context) (data.Value, error) {
			out, err := f(ctx, in)
			if err != nil {
				return nil, err
			}
			v, err := fromOutput(&out)
			if err != nil {
				return nil, &badOutput{err}
			}
			return v, nil
		}, nil
	}
	return t.with(options)
}

// fromOutput is data of an output. It is addressed where methods of its pointer
// or those of its parts may say what it is.
func fromOutput[Out any](out *Out) (data.Value, error) {
	t := reflect.TypeFor[Out]()
	if k := t.Kind(); k == reflect.Struct || k == reflect.Array || k != reflect.Interface && reflect.PointerTo(t).NumMethod() > t.NumMethod() {
		if _, ok := any(*out).(data.Value); !ok {
			return data.From(out)
		}
	}
	return data.From(*out)
}

func inferred[T any](d schema.Direction, what string) (*schema.Schema, error) {
	s, err := schema.Of[T](d)
	if err != nil {
		return nil, fmt.Errorf("%s type: %w", what, err)
	}
	if s.Object().Len() == 0 {
		return nil, nil // an interface type: anything goes
	}
	return s, nil
}

// Raw makes a tool of a JSON Schema for the input, nil for none, and a function
// over plain data. The schema decides about unknown fields; one that cannot be
// compiled is shown but not enforced.
func Raw(description string, input *schema.Schema, f Func, options ...Option) *Tool {
	t := &Tool{description: description, input: input}
	if f == nil {
		t.err = errors.New("function: got nil")
	}
	t.prepare = func(input data.Value) (func(context.Context) (data.Value, error), error) {
		return func(ctx context.Context) (data.Value, error) { return f(ctx, input) }, nil
	}
	return t.with(options)
}

func (t *Tool) with(options []Option) *Tool {
	for _, option := range options {
		option(t)
	}
	return t
}

// Description is what the tool does, in words.
func (t *Tool) Description() string { return t.description }

// Input is the schema of the input, nil if there is none.
func (t *Tool) Input() *schema.Schema { return t.input }

// Output is the schema of the output, nil if it is unknown.
func (t *Tool) Output() *schema.Schema { return t.output }

// Annotations are the tool's hints.
func (t *Tool) Annotations() Annotations { return t.annotations }

// Examples are inputs worth imitating.
func (t *Tool) Examples() []Example { return append([]Example(nil), t.examples...) }

// Pinned reports whether the tool comes first in the catalog.
func (t *Tool) Pinned() bool { return t.pinned }

// badOutput is a Go value that has no data form.
type badOutput struct{ err error }

// Error implements error.
func (b *badOutput) Error() string { return b.err.Error() }

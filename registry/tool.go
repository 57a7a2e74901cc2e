package registry

// This file defines the tools that a model is given.

import (
	"context"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// Tool is a tool that a model is given: what an agent loop sends with its request, and what to do when the model calls
// it. It belongs to its Snapshot and may be used from any goroutine.
type Tool struct {
	Name        string // at most 64 letters, digits, _ and -; unique in the snapshot
	Description string
	InputSchema *schema.Schema // never nil
	// OutputSchema is nil if what comes back has no schema, as with programs.
	OutputSchema *schema.Schema
	Annotations  tool.Annotations
	// Path is that of a direct tool; nil for the one that runs programs.
	Path []string

	run func(ctx context.Context, id string, input data.Value) (*Output, error)
}

// Call runs the tool for the model's call id with its input; nil is an empty object. Whatever the model, the program or a
// tool did wrong is in the Output. The error says that ctx interrupted the call or that something was defective: it is a
// [*codemode.Ended], and the Output has what there was.
func (t Tool) Call(ctx context.Context, id string, input data.Value) (*Output, error) {
	if input == nil {
		input = data.NewObject(nil)
	}
	return t.run(ctx, id, input)
}

// Tools are the tools of the step: the direct ones sorted by name, and at the end the one that runs programs, if any
// deferred tool is shown. The tools are the same, also in their texts, as long as the same tools are registered and shown.
func (s *Snapshot) Tools() []Tool {
	list := make([]Tool, 0, len(s.surface.direct)+1)
	for _, n := range s.surface.direct {
		list = append(list, s.directTool(n))
	}
	if s.surface.view != nil {
		list = append(list, s.executeTool())
	}
	return list
}

// Tool is the tool of a name.
func (s *Snapshot) Tool(name string) (Tool, bool) {
	for _, n := range s.surface.direct {
		if n.name == name {
			return s.directTool(n), true
		}
	}
	if s.surface.view != nil && name == s.surface.edition.execute {
		return s.executeTool(), true
	}
	return Tool{}, false
}

// Call is [Tool.Call] of the tool of a name. A model that calls what it was not given is told so, and how a program calls
// a tool that it took for one of its own.
func (s *Snapshot) Call(ctx context.Context, id, name string, input data.Value) (*Output, error) {
	if t, ok := s.Tool(name); ok {
		return t.Call(ctx, id, input)
	}
	text := "there is no tool " + quoted(name)
	if expression, ok := s.surface.expressionOf(name); ok {
		text = quoted(name) + " is not a tool of its own; call it inside a program: " + s.surface.edition.execute +
			" with " + data.JSON(codeInput("return await "+expression+"({ … })"))
	}
	return failed(text), nil
}

func quoted(text string) string { return data.JSON(data.String(clip(text, 100))) }

// codeField is the field of the input that has the program.
const codeField = "code"

func codeInput(code string) data.Value {
	return data.NewObject([]data.Member{{Key: codeField, Value: data.String(code)}})
}

var executeSchema = func() *schema.Schema {
	s, err := schema.Parse([]byte(`{
		"type": "object",
		"properties": {"code": {"type": "string", "description": "the program, in JavaScript or TypeScript"}},
		"required": ["code"]
	}`))
	if err != nil {
		panic(err)
	}
	return s
}()

func (s *Snapshot) executeTool() Tool {
	return Tool{Name: s.surface.edition.execute, Description: s.surface.instructions(), InputSchema: executeSchema, run: s.execute}
}

// execute runs a program. A bare text is taken as the program.
func (s *Snapshot) execute(ctx context.Context, id string, input data.Value) (*Output, error) {
	code, bare := input.(data.String)
	if !bare {
		if err := executeSchema.Validate("input", input); err != nil {
			return failed(s.surface.edition.execute + " was not called: " + err.Error() + "; want " + data.JSON(codeInput("…"))), nil
		}
		v, _ := input.(*data.Object).Get(codeField)
		code, _ = v.(data.String)
	}
	inner, v := s.invoke(ctx, id, false)
	hooks, limits := v.hooks(), s.step.Limits
	limits.MaxOutputBytes = nil
	r, err := s.surface.edition.runtime.ExecuteWith(inner, string(code), codemode.ExecOptions{View: s.surface.view, Limits: limits, Hooks: &hooks})
	if r == nil {
		return failed("the program could not be run"), err
	}
	return s.output(string(code), r), err
}

func (s *Snapshot) outputBytes() int {
	if most := s.step.Limits.MaxOutputBytes; most != nil {
		return *most
	}
	return s.registry.outputBytes
}

//go:generate go run ../internal/cmd/support ../docs/support.md

// Package interpreter compiles and runs programs: strict ECMAScript, with TypeScript types erased, as the body of an
// async function, over a Host that offers tools.
//
// Compile gives an immutable Program that any number of executions may share. Run executes it on the calling goroutine:
// one goroutine runs guest code at a time, host completions enter through an inbox, and the context's end stops the
// guest wherever it is.
package interpreter

import (
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter/internal/builtin"
	"github.com/codemode-go/codemode/interpreter/internal/compile"
	"github.com/codemode-go/codemode/interpreter/internal/resolve"
	"github.com/codemode-go/codemode/interpreter/internal/source"
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
)

// Program is a compiled program, safe for concurrent executions.
type Program struct {
	text    *source.Text
	unit    *compile.Unit
	options compileopt.Options
}

// Notes say what was unwrapped from the submitted text, for the model to read.
func (p *Program) Notes() []string { return p.text.Notes }

// Warnings are remarks about the program that do not keep it from running.
func (p *Program) Warnings() []diagnostics.Diagnostic { return p.text.Warnings }

// Compile prepares a program. On failure the diagnostic is a ParseError or UnsupportedSyntax at its place in the
// submitted text, with all further ones related. Compile is a plain function whose cost is bounded by the size and
// nesting limits; it may be run on a fiber and abandoned.
func Compile(submitted string, o compileopt.Options) (*Program, *diagnostics.Diagnostic) {
	text, problems := source.Load(submitted, o)
	if len(problems) > 0 {
		d := source.Primary(problems)
		return nil, &d
	}
	tree, errs := syntax.Parse(text.JS, func(pos syntax.Pos) string { return text.Name(int32(pos)) })
	if len(errs) == 0 {
		errs = checkRegExps(tree)
	}
	if len(errs) > 0 {
		d := source.Primary(located(text, errs))
		return nil, &d
	}
	text.Notes = append(text.Notes, tree.Notes...)
	resolve.Program(tree, func(name string) bool { return library().GlobalIndex(name) >= 0 })
	unit := compile.Program(tree, compile.Options{
		Library: library(), Source: text.Snippet, NewRegExp: builtin.NewRegExpLiteral,
		FinalValue: !o.DiscardValue, GlobalHint: globalHint, Traced: o.Traced,
	})
	return &Program{text: text, unit: unit, options: o}, nil
}

// IsShell tells a failure of Compile or Run that is due to shell commands in the place of a program.
func IsShell(d *diagnostics.Diagnostic) bool { return source.IsShell(d) }

// globalHint explains an undeclared name.
func globalHint(name string) string {
	if hint := source.NameHint(name); hint != "" {
		return hint
	}
	return builtin.GlobalHint(name)
}

func checkRegExps(tree *syntax.Program) []syntax.Problem {
	var errs []syntax.Problem
	for _, lit := range tree.RegExps {
		if err := builtin.CheckRegExp(lit.Pattern, lit.Flags); err != nil {
			errs = append(errs, syntax.Problem{Pos: lit.Pos, End: syntax.NoPos, Message: err.Error()})
		}
	}
	return errs
}

func located(text *source.Text, errs []syntax.Problem) []diagnostics.Diagnostic {
	out := make([]diagnostics.Diagnostic, len(errs))
	for i, e := range errs {
		kind := diagnostics.ParseError
		if e.Unsupported {
			kind = diagnostics.UnsupportedSyntax
		}
		out[i] = text.Problem(kind, int32(e.Pos), e.Message, e.Suggestions...)
	}
	return out
}

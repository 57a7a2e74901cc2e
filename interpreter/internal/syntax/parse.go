package syntax

// This file defines Parse, the step from stripped text to tree.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Problem is something in the program that keeps it from running.
type Problem struct {
	Pos         Pos // offset into the stripped text
	End         Pos // just past it; NoPos if unknown
	Unsupported bool
	Message     string
	Suggestions []string
}

// maxDepth bounds the nesting of the tree: everything that walks it recurses.
const maxDepth = 5000

// Parse builds the tree of a stripped text whose only statement is the carrier function. names gives the submitted
// name of the identifier at an offset when erasure renamed it, else ""; nil means nothing was renamed. With problems
// the program must not be used. Parse keeps no state and may be called concurrently.
func Parse(text string, names func(Pos) string) (prog *Program, problems []Problem) {
	defer func() {
		if r := recover(); r != nil {
			prog, problems = nil, []Problem{{Pos: NoPos, End: NoPos, Message: fmt.Sprintf("the parser failed on this program: %v", r)}}
		}
	}()
	buf, tree, wrapped, err := parseTree(text)
	if err != nil {
		return nil, []Problem{parseProblem(text, err)}
	}
	c := &converter{names: names, wrapped: wrapped}
	c.cursor.load(buf)
	carrier, sole := carrierOf(tree)
	if carrier == nil {
		return nil, []Problem{{Pos: NoPos, End: NoPos, Message: "the program is empty"}}
	}
	main := c.funcDecl(carrier)
	if !sole {
		return nil, []Problem{{Pos: main.End - 1, End: main.End, Message: "Unexpected token '}': it closes more than was opened"}}
	}
	dropCarrierDirective(main)
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	prog = &Program{Main: main, RegExps: c.regexps}
	c.unwrap(prog)
	return prog, nil
}

// parseTree parses the text; where the third-party parser rejects a valid arrow parameter it tries again with the
// parameter defaults in parentheses. wrapped lists the inserted bytes.
func parseTree(text string) (buf []byte, tree *js.AST, wrapped []Pos, err error) {
	buf = spare(text)
	if tree, err = js.Parse(parse.NewInputBytes(buf), js.Options{Inline: true}); err == nil {
		return buf, tree, nil, nil
	}
	again, wrapped := wrapDefaults(buf)
	if len(wrapped) == 0 {
		return buf, nil, nil, err
	}
	retried, retryErr := js.Parse(parse.NewInputBytes(again), js.Options{Inline: true})
	if retryErr != nil {
		return buf, nil, nil, err
	}
	return again, retried, wrapped, nil
}

// spare copies the text into a slice with room for the terminator that the lexer writes, so that tokens alias it.
func spare(text string) []byte {
	return append(make([]byte, 0, len(text)+1), text...)
}

// carrierOf finds the carrier function. It is the sole statement unless the program closed it with a brace of its own.
func carrierOf(tree *js.AST) (carrier *js.FuncDecl, sole bool) {
	if len(tree.List) == 0 {
		return nil, false
	}
	carrier, _ = tree.List[0].(*js.FuncDecl)
	return carrier, len(tree.List) == 1
}

// dropCarrierDirective removes the "use strict" that the carrier starts with.
func dropCarrierDirective(f *Function) {
	if len(f.Body) == 0 {
		return
	}
	if s, ok := f.Body[0].(*ExprStmt); ok {
		if lit, ok := s.X.(*StringLit); ok && lit.Value == "use strict" {
			f.Body = f.Body[1:]
		}
	}
}

// parseProblem turns the third-party parser's error into a problem. Its text reaches the user only for programs that
// type erasure accepted, so it is phrased by cause.
func parseProblem(text string, err error) Problem {
	p := Problem{Pos: NoPos, End: NoPos, Message: "this program could not be parsed"}
	var perr *parse.Error
	if !errors.As(err, &perr) {
		p.Message += ": " + err.Error()
		return p
	}
	p.Pos = offsetOf(text, perr.Line, perr.Column)
	switch {
	case strings.HasPrefix(perr.Message, "too many nested"):
		p.Message = "the program is nested too deeply: at most 1000 expressions or statements"
		p.Suggestions = []string{"split the expression into several statements"}
	default:
		p.Message = "this syntax is not understood: " + perr.Message
		p.Suggestions = []string{"write the same thing in a simpler form"}
	}
	return p
}

// offsetOf finds the byte offset of a 1-based line and column (in characters).
func offsetOf(text string, line, col int) Pos {
	start := 0
	for ; line > 1; line-- {
		nl := strings.IndexByte(text[start:], '\n')
		if nl < 0 {
			break
		}
		start += nl + 1
	}
	n := 1
	for i := range text[start:] {
		if n == col {
			return Pos(start + i)
		}
		n++
	}
	return Pos(len(text))
}

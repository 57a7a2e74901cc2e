// Package source turns the text a program was submitted as into JavaScript that can be parsed, and keeps the way back:
// it alone knows lines and columns.
//
// Load normalises (code fences, export default …), guards (size, nesting, growth, forms that parsers misread) and erases
// types. The result is wrapped in a carrier function, since a program is the body of an async function.
package source

import (
	"fmt"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/internal/compileopt"
)

// Load prepares a submitted program. The diagnostics are complete and in the order they should be told; with any, the
// text is nil. It is a plain function that may be run on a fiber and abandoned: the guard bounds how long it takes.
func Load(submitted string, opt compileopt.Options) (text *Text, problems []diagnostics.Diagnostic) {
	l := layout{submitted: submitted, end: len(submitted)}
	if p := checkSize(submitted, opt); p != nil {
		return nil, l.diagnostics([]problem{*p})
	}
	body, notes, foreign := normalize(submitted, &l)
	g := scanBody(body)
	if foreign != nil && g.startsToken(foreign.mark) {
		return nil, l.diagnostics([]problem{foreign.refusal()})
	}
	if note := g.exportDefault(); note != "" {
		notes = append(notes, note)
	}
	if g.exportDeclarations() {
		notes = append(notes, "export was left out")
	}
	if ps := g.check(); len(ps) > 0 {
		return nil, l.diagnostics(ps)
	}
	lead, tail := g.anonymous()
	text, ps := strip(g.body, l, lead, tail)
	if len(ps) > 0 && foreign != nil {
		return nil, l.diagnostics([]problem{foreign.refusal()})
	} else if len(ps) > 0 {
		return nil, l.diagnostics(g.explain(ps, &l))
	}
	text.Notes = notes
	return text, nil
}

// MaxSize is the limit on a program's length in bytes of UTF-8, inclusive.
const MaxSize = 64 << 10

func checkSize(submitted string, opt compileopt.Options) *problem {
	if len(submitted) <= MaxSize || opt.NoSizeLimit {
		return nil
	}
	return &problem{off: 0, end: -1, kind: diagnostics.ParseError,
		message:     fmt.Sprintf("the program is %d bytes long; at most %d bytes (64 KiB) are allowed", len(submitted), MaxSize),
		suggestions: []string{"pass large data as tool input instead of writing it into the program"}}
}

// problem is a diagnostic whose place is still an offset into the body.
type problem struct {
	off, end    int // end is -1 if unknown; off is -1 without a place
	kind        diagnostics.Kind
	message     string
	suggestions []string
}

// maxProblems is how many problems are told; a text with more is not a program.
const maxProblems = 100

// layout says where the body lies in the submitted text: one stretch, since removed parts are blanked and not cut out.
type layout struct {
	submitted string
	base, end int // the body's first byte and the end of the stretch
}

// offset translates a place in the body; what was appended counts as the end.
func (l *layout) offset(body int) int {
	return max(0, min(l.base+body, l.end, len(l.submitted)))
}

func (l *layout) diagnostics(ps []problem) []diagnostics.Diagnostic {
	var lines lineTable
	lines.load(l.submitted)
	ps = ps[:min(len(ps), maxProblems)]
	out := make([]diagnostics.Diagnostic, 0, len(ps))
	for _, p := range ps {
		d := diagnostics.Diagnostic{Kind: p.kind, Message: p.message, Origin: diagnostics.OriginProgram, Suggestions: p.suggestions}
		if p.off >= 0 {
			end := -1
			if p.end > p.off {
				end = l.offset(p.end)
			}
			d.Location = lines.location(l.offset(p.off), end)
		}
		out = append(out, d)
	}
	return out
}

// blank replaces a stretch by spaces, keeping line breaks, so that every other place stays where it is.
func blank(body []byte, from, to int) {
	for i := from; i < to; i++ {
		if body[i] != '\n' && body[i] != '\r' {
			body[i] = ' '
		}
	}
}

// Primary makes one diagnostic of several: the first carries the others as related ones.
func Primary(ds []diagnostics.Diagnostic) diagnostics.Diagnostic {
	if len(ds) == 1 {
		return ds[0]
	}
	return ds[0].WithRelated(ds[1:])
}

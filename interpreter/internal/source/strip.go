package source

// This file defines type erasure: TypeScript to JavaScript, early errors, source map.

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/codemode-go/codemode/diagnostics"
)

// prefix starts the carrier function. The directive makes the eraser report the early errors of strict code; it stands
// on the same line, so that only columns of the first line move.
const prefix = `async function __main(){"use strict";`

const suffix = "\n}"

// maxGrowth bounds the stripped text relative to the program (with a floor for short ones): what is beyond was not
// written but multiplied.
const maxGrowth = 16

// strip erases the types of a body; lead and tail are put around it.
func strip(body string, l layout, lead, tail string) (text *Text, ps []problem) {
	defer func() {
		if r := recover(); r != nil {
			text, ps = nil, []problem{{off: -1, end: -1, kind: diagnostics.ParseError, message: fmt.Sprintf("type erasure failed on this program: %v", r)}}
		}
	}()
	lead = prefix + lead
	wrapped := lead + body + tail + suffix
	res := api.Transform(wrapped, api.TransformOptions{
		Loader: api.LoaderTS, Target: api.ESNext, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, // indentation grows with the square of the nesting
		Sourcemap:        api.SourceMapExternal, SourcesContent: api.SourcesContentExclude, LogLevel: api.LogLevelSilent,
	})
	if len(res.Errors) > 0 {
		return nil, eraserProblems(res.Errors, wrapped, len(lead), len(body))
	}
	if len(res.Code) > maxGrowth*max(len(body), 4096) {
		return nil, []problem{{off: 0, end: -1, kind: diagnostics.ParseError, message: fmt.Sprintf(
			"the program grows from %d to %d bytes when its types are erased; at most %d-fold growth is allowed", len(body), len(res.Code), maxGrowth)}}
	}
	return &Text{JS: string(res.Code), layout: l, wrapped: wrapped, lead: len(lead), mapping: res.Map, renamed: !bytes.Contains(res.Map, noNames)}, nil
}

// eraserProblems translates error messages. Their columns are bytes.
func eraserProblems(msgs []api.Message, wrapped string, lead, bodyLen int) []problem {
	var lines lineTable
	lines.loadSeparators(wrapped)
	ps := make([]problem, 0, len(msgs))
	seen := map[int]bool{}
	msgs = msgs[:min(len(msgs), maxProblems)]
	for _, m := range msgs {
		p := problem{off: -1, end: -1, kind: diagnostics.ParseError, message: reword(m.Text)}
		if loc := m.Location; loc != nil {
			off := lines.offset(loc.Line-1, 0) + loc.Column - lead
			p.off = max(0, min(off, bodyLen))
			if off >= bodyLen { // the carrier's brace is not the program's
				p.message = strings.Replace(p.message, "Unexpected token '}'", "Unexpected end of input", 1)
			}
			if loc.Length > 0 && off < bodyLen {
				p.end = min(p.off+loc.Length, bodyLen)
			}
		}
		if seen[p.off] {
			continue // one mistake, told twice
		}
		seen[p.off] = true
		ps = append(ps, p)
	}
	return ps
}

var rewordings = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`^Expected "(.*)" but found end of file$`), `Unexpected end of input: expected '$1'`},
	{regexp.MustCompile(`^Unexpected end of file$`), `Unexpected end of input`},
	{regexp.MustCompile(`^Expected "(.*)" but found "(.*)"$`), `Unexpected token '$2': expected '$1'`},
	{regexp.MustCompile(`^Expected (.*) but found "(.*)"$`), `Unexpected token '$2': expected $1`},
	{regexp.MustCompile(`^Expected (.*) but found end of file$`), `Unexpected end of input: expected $1`},
	{regexp.MustCompile(`^Unexpected "(.*)"$`), `Unexpected token '$1'`},
	{regexp.MustCompile(`^Unexpected newline before "=>"$`), `Unexpected token '=>': an arrow must stand on the line of its parameters`},
	{regexp.MustCompile(`^Syntax error "(.*)"$`), `Invalid or unexpected token '$1'`},
	{regexp.MustCompile(`^Cannot use "(break|continue)" here:?$`), `Illegal $1 statement: it is not inside a loop`},
	{regexp.MustCompile(`^The symbol "(.*)" has already been declared$`), `Identifier '$1' has already been declared`},
	{regexp.MustCompile(`^The constant "(.*)" must be initialized$`), `Missing initializer in const declaration of '$1'`},
	{regexp.MustCompile(`^Invalid assignment target$`), `Invalid left-hand side in assignment`},
	{regexp.MustCompile(`^"await" can only be used inside an "async" function$`), `await is only valid in async functions: write async before this function`},
}

// reword phrases a message of the eraser as JavaScript engines do.
func reword(text string) string {
	for _, r := range rewordings {
		if r.from.MatchString(text) {
			return r.from.ReplaceAllString(text, r.to)
		}
	}
	return strings.ReplaceAll(strings.TrimSuffix(text, ":"), `"`, "'")
}

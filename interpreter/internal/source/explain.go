package source

// This file adds next steps to the eraser's errors where the text shows what went wrong.

import (
	"fmt"
	"regexp"
	"strings"
)

var shellLine = regexp.MustCompile(`^(\$ |#!|(sudo|npm|npx|yarn|pnpm|pip3?|curl|wget|cd|ls|cat|echo|git|docker|bash|sh|mkdir|apt|brew|python3?|node) +[-\w./"'~])`)

var pythonLine = regexp.MustCompile(`^(def \w+\(.*\):|from \w[\w.]* import |import \w+( as \w+)?$|class \w+.*:$|if .*:$|for \w+ in .*:$|elif |print\()`)

var proseLine = regexp.MustCompile(`^[A-Z][\w’']*,?( [\w’']+,?){2,}`)

var jsonLine = regexp.MustCompile(`^\{\s*("[^"]*"\s*:|$)`)

// explain adds suggestions to the first problem.
func (g *guard) explain(ps []problem, l *layout) []problem {
	first := &ps[0]
	line := ""
	for _, candidate := range strings.Split(g.body, "\n") {
		if candidate = strings.TrimSpace(candidate); candidate != "" {
			line = candidate
			break
		}
	}
	switch {
	case shellLine.MatchString(line):
		first.suggestions = append(first.suggestions, "this looks like a shell command; programs are JavaScript or TypeScript")
	case pythonLine.MatchString(line):
		first.suggestions = append(first.suggestions, "this looks like Python; programs are JavaScript or TypeScript")
	case jsonLine.MatchString(line) && strings.HasPrefix(first.message, "Unexpected token ':'"):
		first.suggestions = append(first.suggestions, "this is data, not a program: write the call itself, such as return await tools.a.b({ key: value })")
	case proseLine.MatchString(line) && first.off <= strings.Index(g.body, line)+len(line):
		first.suggestions = append(first.suggestions, "the text starts with prose; send the code alone, or put it into a ``` code block")
	}
	if g.stray >= 0 && strings.HasPrefix(first.message, "Unexpected end of input") {
		first.off, first.end = g.stray, g.stray+1
		first.message = fmt.Sprintf("Unexpected token '%c': it closes more than was opened", g.body[g.stray])
	}
	if g.quotes >= 0 {
		first.suggestions = append(first.suggestions, fmt.Sprintf("replace the typographic quotes (%s) by \" or '", g.place(l, g.quotes)))
	}
	if g.unclosed >= 0 && strings.HasPrefix(first.message, "Unexpected end of input") {
		first.suggestions = append(first.suggestions, fmt.Sprintf("the '%c' at %s is never closed", g.body[g.unclosed], g.place(l, g.unclosed)))
	}
	return ps
}

func (g *guard) place(l *layout, off int) string {
	var lines lineTable
	lines.load(l.submitted)
	line, col := lines.place(l.offset(off))
	return fmt.Sprintf("line %d, column %d", line+1, col+1)
}

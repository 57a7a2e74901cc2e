package source

// This file adds next steps to the eraser's errors where the text shows what went wrong.

import (
	"fmt"
	"regexp"
	"strings"
)

var pythonLine = regexp.MustCompile(`^((async )?def \w+\(.*\).*:|from \w[\w.]* import |import \w+( as \w+)?$|class \w+.*:$|(if|while|with) [^{]*:$|for [\w, ]+ in .*:|elif |(try|else|finally):$|except\b.*:$|print\()`)

var sqlText = regexp.MustCompile(`(?is)^(select\s[^;{}]*\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|(create|alter|drop)\s+table\s|with\s+\w+\s+as\s*\()`)

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
	case isShell(line):
		first.suggestions = append(first.suggestions, looksLikeShell+programsCallTools)
	case sqlText.MatchString(strings.TrimSpace(g.body)):
		first.suggestions = append(first.suggestions, "this looks like SQL; "+programsCallTools)
	case pythonLine.MatchString(line):
		first.suggestions = append(first.suggestions, "this looks like Python; programs are JavaScript or TypeScript")
	case g.isObject() && strings.HasPrefix(first.message, "Unexpected token ':'"):
		first.suggestions = append(first.suggestions, "a statement that starts with { is a block: to return an object, write return { … }")
	case jsonLine.MatchString(line) && strings.HasPrefix(first.message, "Unexpected token ':'"):
		first.suggestions = append(first.suggestions, "this is data, not a program: write the call itself, such as return await tools.a.b({ key: value })")
	case proseLine.MatchString(line) && first.off <= strings.Index(g.body, line)+len(line):
		first.suggestions = append(first.suggestions, "the text starts with prose; send the code alone, or put it into a ``` code block")
	}
	if len(first.suggestions) == 0 {
		if advice := g.mistake(first); advice != "" {
			first.suggestions = append(first.suggestions, advice)
		}
	}
	if g.stray >= 0 && strings.HasPrefix(first.message, "Unexpected end of input") {
		first.off, first.end = g.stray, g.stray+1
		first.message = fmt.Sprintf("Unexpected token '%c': it closes more than was opened", g.body[g.stray])
	}
	if g.quotes >= 0 {
		first.suggestions = append(first.suggestions, fmt.Sprintf("replace the typographic quotes (%s) by \" or '", g.place(l, g.quotes)))
	}
	if open := g.leftOpen(first); open >= 0 {
		first.suggestions = append(first.suggestions, fmt.Sprintf("the '%c' at %s is never closed", g.body[open], g.place(l, open)))
	}
	if at, found := g.lookalike(); at >= 0 {
		first.suggestions = append(first.suggestions, fmt.Sprintf(found, g.place(l, at)))
	}
	return ps
}

// leftOpen finds the bracket whose closing one is missing where the problem is, -1 if there is none.
func (g *guard) leftOpen(p *problem) int {
	if g.strayOpen >= 0 && p.off == g.stray {
		return g.strayOpen
	}
	if g.unclosed < 0 || g.unclosed >= len(g.body) { // the text ends with what opens
		return -1
	}
	closing := map[byte]string{'(': ")", '[': "]", '{': "}"}[g.body[g.unclosed]]
	if strings.HasPrefix(p.message, "Unexpected end of input") || closing != "" && g.unclosed < p.off && strings.HasSuffix(p.message, "expected '"+closing+"'") {
		return g.unclosed
	}
	return -1
}

// isObject tells whether the whole program is written as an object, { a: … }.
func (g *guard) isObject() bool {
	n := len(g.tokens)
	return n > 3 && g.text(0) == "{" && g.tokens[1].kind == tokenName && g.text(2) == ":" && (g.text(n-1) == "}" || g.text(n-2) == "}")
}

func (g *guard) place(l *layout, off int) string {
	var lines lineTable
	lines.load(l.submitted)
	line, col := lines.place(l.offset(off))
	return fmt.Sprintf("line %d, column %d", line+1, col+1)
}

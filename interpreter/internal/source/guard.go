package source

// This file defines what the guard refuses before any parser sees the program.

import (
	"fmt"

	"github.com/codemode-go/codemode/diagnostics"
)

// The limits on the shape of a program: what the parsers can take in 0.3 s, measured at each limit.
const (
	maxNesting   = 500     // brackets and statements
	maxFunctions = 100     // functions, arrows and classes
	maxDoubts    = 9       // arrows in a ? (b) : c => …: whether (b) : c is an arrow's head with its type is tried both ways
	maxOperators = 900     // operators of one expression, links of one chain
	maxNames     = 1000000 // depth of blocks times distinct names
	maxSequence  = 4000    // commas of one statement
	maxShadowing = 20 << 20
)

// check tells everything that keeps the program from being read.
func (g *guard) check() []problem {
	if len(g.tokens) == 0 {
		return []problem{{off: 0, end: -1, kind: diagnostics.ParseError, message: "the program is empty: there is no statement in it",
			suggestions: []string{"send a JavaScript or TypeScript program, for example: return 1 + 1"}}}
	}
	if ps := g.limits(); len(ps) > 0 {
		return ps
	}
	return g.unsupported()
}

func (g *guard) limits() []problem {
	var ps []problem
	refuse := func(at int, what string, got, limit int, hint string) {
		ps = append(ps, problem{off: at, end: -1, kind: diagnostics.ParseError,
			message: fmt.Sprintf("%s: %d, at most %d are allowed", what, got, limit), suggestions: []string{hint}})
	}
	if g.maxDepth > maxNesting {
		refuse(g.deepAt, "brackets and statements are nested too deeply", g.maxDepth, maxNesting, "split the program into functions or statements")
	}
	if g.maxFuncs > maxFunctions {
		refuse(g.funcAt, "functions and classes are nested too deeply", g.maxFuncs, maxFunctions, "declare the inner functions one after another")
	}
	if g.maxDoubts > maxDoubts {
		refuse(g.doubtAt, "arrow functions after (…) in conditional expressions are nested too deeply", g.maxDoubts, maxDoubts, "put each arrow function in parentheses, or use if and else")
	}
	if g.maxOps > maxOperators {
		refuse(g.opsAt, "an expression has too many operators or links in a row", g.maxOps, maxOperators, "split the expression, or put the operands into an array")
	}
	if g.maxCommas > maxSequence {
		refuse(g.commaAt, "a statement has too many parts separated by commas", g.maxCommas, maxSequence, "write several statements, or an array")
	}
	if g.shadowing > maxShadowing {
		refuse(g.shadowAt, "the same names are used in too many nested blocks: estimated cost", g.shadowing, maxShadowing, "nest less, or use different names")
	}
	if len(ps) > 0 {
		return ps
	}
	if g.maxBlocks > 1 && g.maxBlocks*len(g.tokens) > maxNames {
		if n := g.distinctNames(); g.maxBlocks*n > maxNames {
			refuse(g.deepAt, "depth of blocks times distinct names is too large", g.maxBlocks*n, maxNames, "nest less, or use fewer names")
		}
	}
	if at, size := g.enumGrowth(); size > maxEnumGrowth {
		ps = append(ps, problem{off: at, end: -1, kind: diagnostics.ParseError, message: fmt.Sprintf(
			"the constants of this enum grow to about %d bytes; at most %d are allowed", size, maxEnumGrowth), suggestions: []string{"build long strings at run time, outside the enum"}})
	}
	return ps
}

func (g *guard) distinctNames() int {
	seen := map[string]bool{}
	for i, t := range g.tokens {
		if t.kind == tokenName {
			seen[g.text(i)] = true
		}
	}
	return len(seen)
}

// maxEnumGrowth bounds the folded constants of enums, in bytes.
const maxEnumGrowth = 1 << 20

// enumGrowth estimates what constant folding makes of enums: a member's value is copied into every place that names it.
func (g *guard) enumGrowth() (at, size int) {
	sizes := map[string]int{} // estimated size of string members
	at = -1
	for i := 0; i < len(g.tokens); i++ {
		if g.tokens[i].kind == tokenName && !g.tokens[i].member && g.text(i) == "enum" && g.text(i+2) == "{" {
			if at < 0 {
				at = g.tokens[i].off
			}
			i = g.enumBody(i+3, sizes, &size)
		}
	}
	if len(sizes) == 0 {
		return at, size
	}
	for i, t := range g.tokens {
		if t.kind == tokenName && sizes[g.text(i)] > 0 {
			size = min(size+sizes[g.text(i)], saturated)
		}
	}
	return at, size
}

const saturated = 1 << 40

// enumBody adds up the members of one enum and returns the index of its closing brace.
func (g *guard) enumBody(i int, sizes map[string]int, total *int) int {
	name, size, isText, depth := "", 0, false, 0
	finish := func() {
		if isText {
			sizes[name] = max(sizes[name], size)
			*total = min(*total+size, saturated)
		}
		name, size, isText = "", 0, false
	}
	for ; i < len(g.tokens); i++ {
		t, text := g.tokens[i], g.text(i)
		switch {
		case text == "(" || text == "[" || text == "{":
			depth++
		case text == ")" || text == "]" || text == "}":
			if depth == 0 {
				finish()
				return i
			}
			depth--
		case text == "," && depth == 0:
			finish()
		case name == "":
			name = trimQuotes(text)
		case t.kind == tokenString || t.kind == tokenTemplate:
			isText = true
			size = min(size+len(text), saturated)
			if known := sizes[trimQuotes(text)]; known > 0 { // E["member"]
				size = min(size+known, saturated)
			}
		case t.kind == tokenName && sizes[text] > 0:
			isText = true
			size = min(size+sizes[text], saturated)
		default:
			size += len(text)
		}
	}
	finish()
	return i
}

func trimQuotes(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'' || s[0] == '`') {
		return s[1 : len(s)-1]
	}
	return s
}

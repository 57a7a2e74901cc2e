package main

// This file defines the random generator's base: choices, names, expressions.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

type gen struct {
	r     *rand.Rand
	vars  []string // assignable names in scope
	n     int      // for fresh names
	depth int
	await bool // inside an async function
	yield bool // inside a generator
	loops int  // enclosing loops
	label []string
	fn    int // enclosing functions: return is allowed everywhere, but marks the function
}

func (g *gen) pick(xs ...string) string { return xs[g.r.IntN(len(xs))] }

func (g *gen) chance(percent int) bool { return g.r.IntN(100) < percent }

func (g *gen) fresh(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%d", prefix, g.n)
}

func (g *gen) variable() string {
	if len(g.vars) == 0 {
		return "0"
	}
	return g.vars[g.r.IntN(len(g.vars))]
}

// literal is a primitive or small object.
func (g *gen) literal() string {
	switch g.r.IntN(12) {
	case 0:
		return g.pick("0", "-0", "1", "2", "-1", "0.5", "1e21", "1e-7", "NaN", "Infinity", "-Infinity", "4294967295", "2147483648", "-2147483649", "9007199254740993", "123456789")
	case 1, 2:
		return fmt.Sprint(g.r.IntN(20) - 5)
	case 3:
		return g.pick(`""`, `"a"`, `"b"`, `"10"`, `" 7 "`, `"0x1f"`, `"abc"`, `"é"`, `"😀"`, `"1e3"`, `"-"`, `"null"`)
	case 4:
		return g.pick("null", "undefined", "true", "false")
	case 5:
		return g.pick("1n", "0n", "-3n", "10n")
	case 6:
		return "[" + g.list(3) + "]"
	case 7:
		return g.pick("({})", "({ a: 1 })", "({ a: 1, b: [2] })", "[]", "[[]]", "[1, , 2]")
	case 8:
		return fmt.Sprintf("O(%q, %s)", g.fresh("o"), g.pick("1", `"x"`, "null", "undefined", "({})", "2n", "NaN", "-5"))
	case 9:
		return g.pick("Symbol.iterator", "L", "(() => 1)", "(function f(a, b) {})", "new Date(0).getTime()", "/a/g.source")
	}
	return fmt.Sprint(g.r.IntN(5))
}

func (g *gen) list(n int) string {
	var parts []string
	for range g.r.IntN(n + 1) {
		parts = append(parts, g.expr())
	}
	return strings.Join(parts, ", ")
}

const maxDepth = 4

// expr is a random expression.
func (g *gen) expr() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > maxDepth {
		if g.chance(50) {
			return g.variable()
		}
		return g.literal()
	}
	switch g.r.IntN(22) {
	case 0, 1, 2:
		return g.literal()
	case 3, 4, 5:
		return g.variable()
	case 6, 7, 8:
		return fmt.Sprintf("(%s %s %s)", g.expr(), g.pick("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"), g.expr())
	case 9, 10:
		return fmt.Sprintf("(%s %s %s)", g.expr(), g.pick("==", "!=", "===", "!==", "<", "<=", ">", ">="), g.expr())
	case 11:
		return fmt.Sprintf("(%s %s %s)", g.expr(), g.pick("&&", "||", "??"), g.expr())
	case 12:
		return fmt.Sprintf("(%s ? %s : %s)", g.expr(), g.expr(), g.expr())
	case 13:
		return fmt.Sprintf("(%s (%s))", g.pick("-", "+", "!", "~", "typeof", "void"), g.expr())
	case 14:
		return fmt.Sprintf("L(%q, %s)", g.fresh("e"), g.expr())
	case 15:
		return fmt.Sprintf("`%s${%s}%s`", g.pick("", "x"), g.expr(), g.pick("", "y"))
	case 16:
		if len(g.vars) > 0 {
			return fmt.Sprintf("(%s %s %s)", g.variable(), g.pick("=", "+=", "-=", "*=", "&&=", "||=", "??=", "|="), g.expr())
		}
		return g.literal()
	case 17:
		if len(g.vars) > 0 {
			return g.pick(g.variable()+"++", "--"+g.variable(), "++"+g.variable(), g.variable()+"--")
		}
		return g.literal()
	case 18:
		return fmt.Sprintf("(%s)%s", g.expr(), g.pick("?.a", "?.[0]", "?.a?.b", "?.length", "?.toString?.()", "?.a.b"))
	case 19:
		return fmt.Sprintf("(%s, %s)", g.expr(), g.expr())
	case 20:
		return fmt.Sprintf("(%s in %s)", g.pick(`"a"`, `"length"`, "0", g.literal()), g.pick("({ a: 1 })", "[1]", g.expr()))
	}
	if g.await && g.chance(70) {
		return fmt.Sprintf("(await %s)", g.expr())
	}
	if g.yield && g.chance(70) {
		return fmt.Sprintf("(yield %s)", g.expr())
	}
	return fmt.Sprintf("((%s) => %s)(%s)", "p", g.expr(), g.expr())
}

// guard logs an expression's value or the error it throws.
func (g *gen) guard(x string) item {
	tag := g.fresh("x")
	return line(fmt.Sprintf("try { L(%q, %s) } catch (e) { L(%q, e) }", tag, x, tag+"!"))
}

func (g *gen) declare() item {
	v := g.fresh("v")
	it := line(fmt.Sprintf("let %s = %s;", v, g.literal()))
	g.vars = append(g.vars, v)
	return it
}

// expressions is a program of guarded expressions over a few variables.
func (g *gen) expressions() *block {
	b := &block{}
	for range 1 + g.r.IntN(4) {
		b.items = append(b.items, g.declare())
	}
	for range 2 + g.r.IntN(6) {
		b.items = append(b.items, g.guard(g.expr()))
	}
	b.items = append(b.items, line("L(\"end\", "+strings.Join(g.vars, ", ")+");"))
	return b
}

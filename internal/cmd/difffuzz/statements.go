package main

// This file defines random control flow, destructuring and classes.

import (
	"fmt"
	"strings"
)

// scoped generates a block with its own variables.
func (g *gen) scoped(size int) *block {
	vars := len(g.vars)
	b := &block{}
	for range 1 + g.r.IntN(size) {
		b.items = append(b.items, g.statement())
	}
	g.vars = g.vars[:vars]
	return b
}

func (g *gen) log() item { return line(fmt.Sprintf("L(%q, %s);", g.fresh("s"), g.expr())) }

func (g *gen) statement() item {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 3 {
		return g.simple()
	}
	switch g.r.IntN(14) {
	case 0, 1:
		return g.simple()
	case 2:
		return g.declare()
	case 3:
		return item{text: []string{fmt.Sprintf("if (%s) ", g.expr()), " else ", ""}, blocks: []*block{g.scoped(3), g.scoped(2)}}
	case 4, 5:
		return g.loop()
	case 6, 7, 8:
		return g.try()
	case 9:
		return g.switchStatement()
	case 10:
		l := g.fresh("l")
		g.label = append(g.label, l)
		b := g.scoped(3)
		g.label = g.label[:len(g.label)-1]
		return item{text: []string{l + ": ", ""}, blocks: []*block{b}}
	case 11:
		return g.closureInLoop()
	}
	return g.jump()
}

func (g *gen) simple() item {
	if g.chance(30) {
		return g.jump()
	}
	return g.log()
}

// jump leaves something: the loop, a label, the function, or throws.
func (g *gen) jump() item {
	cond := ""
	if g.chance(60) {
		cond = fmt.Sprintf("if (%s) ", g.expr())
	}
	switch {
	case g.loops > 0 && g.chance(40):
		return line(cond + g.pick("break;", "continue;"))
	case len(g.label) > 0 && g.chance(50):
		return line(cond + "break " + g.label[g.r.IntN(len(g.label))] + ";")
	case g.fn > 0 && g.chance(60):
		return line(cond + "return " + g.expr() + ";")
	case g.chance(40):
		return line(cond + "throw " + g.pick(`new TypeError("t")`, `"thrown"`, "1", g.expr()) + ";")
	}
	return g.log()
}

func (g *gen) loop() item {
	i := g.fresh("i")
	g.loops++
	defer func() { g.loops-- }()
	head := ""
	switch g.r.IntN(6) {
	case 0:
		head = fmt.Sprintf("for (let %s = 0; %s < %d; %s++) ", i, i, 1+g.r.IntN(4), i)
	case 1:
		head = fmt.Sprintf("for (const %s of %s) ", i, g.pick("[1, 2, 3]", `"ab"`, fmt.Sprintf("IT(%q, 3, 0)", i), fmt.Sprintf("IT(%q, 2, 1)", i), "new Set([1, 2])", "[,]"))
	case 2:
		head = fmt.Sprintf("for (const %s in %s) ", i, g.pick("({ a: 1, b: 2 })", "[5, 6]", `"xy"`, "null", "({ 2: 1, 1: 1, x: 1 })"))
	case 3:
		n := g.fresh("n")
		b := g.scoped(3)
		return item{text: []string{fmt.Sprintf("{ let %s = 0; while (%s++ < %d) ", n, n, 1+g.r.IntN(4)), " }"}, blocks: []*block{b}}
	case 4:
		n := g.fresh("n")
		b := g.scoped(3)
		return item{text: []string{fmt.Sprintf("{ let %s = 0; do ", n), fmt.Sprintf(" while (%s++ < %d) }", n, 1+g.r.IntN(3))}, blocks: []*block{b}}
	default:
		head = fmt.Sprintf("for (const [%s, w] of %s) ", i, g.pick("[[1, 2], [3]]", "new Map([[1, 2]])", `Object.entries({ a: 1 })`, "[[]]"))
	}
	vars := len(g.vars)
	b := g.scoped(3)
	g.vars = g.vars[:vars]
	l := ""
	if g.chance(25) {
		l = g.fresh("l") + ": "
	}
	return item{text: []string{l + head, ""}, blocks: []*block{b}}
}

func (g *gen) try() item {
	switch g.r.IntN(3) {
	case 0:
		return item{text: []string{"try ", " catch (e) ", ""}, blocks: []*block{g.scoped(3), g.caught()}}
	case 1:
		return item{text: []string{"try ", " finally ", ""}, blocks: []*block{g.scoped(3), g.scoped(2)}}
	}
	return item{text: []string{"try ", " catch (e) ", " finally ", ""}, blocks: []*block{g.scoped(3), g.caught(), g.scoped(2)}}
}

func (g *gen) caught() *block {
	b := g.scoped(2)
	b.items = append([]item{line(fmt.Sprintf("L(%q, e);", g.fresh("c")))}, b.items...)
	return b
}

func (g *gen) switchStatement() item {
	it := item{text: []string{fmt.Sprintf("switch (%s) { case %s: ", g.expr(), g.expr())}}
	n := 1 + g.r.IntN(3)
	g.loops++
	for i := range n {
		it.blocks = append(it.blocks, g.scoped(2))
		switch {
		case i == n-1:
			it.text = append(it.text, " }")
		case g.chance(30):
			it.text = append(it.text, " default: ")
			for len(it.blocks) < n {
				it.blocks = append(it.blocks, g.scoped(2))
				it.text = append(it.text, fmt.Sprintf(" case %s: ", g.literal()))
			}
			it.text[len(it.text)-1] = " }"
			g.loops--
			return it
		default:
			it.text = append(it.text, fmt.Sprintf(" case %s: ", g.expr()))
		}
	}
	g.loops--
	return it
}

func (g *gen) closureInLoop() item {
	fs, i := g.fresh("fs"), g.fresh("i")
	return line(fmt.Sprintf("{ const %s = []; for (let %s = 0; %s < 3; %s++) { %s.push(() => %s); %s } L(%q, %s.map((f) => f())); }",
		fs, i, i, i, fs, g.pick(i, i+" * 2", i+"++"), g.pick("", i+" += 0;", "if ("+i+" === 1) continue;"), g.fresh("k"), fs))
}

// function generates a function whose calls are logged.
func (g *gen) function(head string) []item {
	f := g.fresh("f")
	loops, label, vars := g.loops, g.label, len(g.vars)
	g.loops, g.label = 0, nil
	g.fn++
	b := g.scoped(5)
	g.fn--
	g.loops, g.label, g.vars = loops, label, g.vars[:vars]
	return []item{
		{text: []string{fmt.Sprintf(head, f), ""}, blocks: []*block{b}},
		g.guard(fmt.Sprintf("%s(%s)", f, g.list(3))),
	}
}

func (g *gen) control() *block {
	b := &block{items: []item{g.declare(), g.declare()}}
	for range 1 + g.r.IntN(3) {
		b.items = append(b.items, g.function("function %s(a, b = L(\"dflt\", a), ...r) ")...)
	}
	b.items = append(b.items, line("L(\"end\", "+strings.Join(g.vars, ", ")+");"))
	return b
}

// pattern is a destructuring target with logged defaults, keys and targets.
func (g *gen) pattern(assign bool) string {
	g.depth++
	defer func() { g.depth-- }()
	target := func() string {
		if g.depth < 3 && g.chance(30) {
			return g.pattern(assign)
		}
		if assign {
			return g.pick("t.a", "t.b", "T(\"t\").c", "t[L(\"key\", \"d\")]", g.variable())
		}
		v := g.fresh("d")
		g.vars = append(g.vars, v)
		return v
	}
	part := func() string {
		s := target()
		if assign && s[0] == '{' { // see present
			return s + " = ({ a: 1, b: 2 })"
		}
		if g.chance(50) {
			s += fmt.Sprintf(" = L(%q, %s)", g.fresh("df"), g.literal())
		}
		return s
	}
	var parts []string
	if g.chance(50) {
		for range g.r.IntN(4) {
			if g.chance(15) {
				parts = append(parts, "")
			} else {
				parts = append(parts, part())
			}
		}
		if g.chance(30) {
			parts = append(parts, "..."+target())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	for range g.r.IntN(4) {
		key := g.pick("a", "b", "c", `["a"]`, "[L(\"ck\", \"b\")]", `"x y"`, "0", "length")
		parts = append(parts, key+": "+part())
	}
	if g.chance(30) {
		v := g.fresh("r")
		if assign {
			v = "t.rest"
		} else {
			g.vars = append(g.vars, v)
		}
		parts = append(parts, "..."+v)
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func (g *gen) source() string {
	return g.pick(fmt.Sprintf("IT(%q, %d, %d)", g.fresh("it"), g.r.IntN(4), g.r.IntN(3)),
		fmt.Sprintf("G(%q, { a: 1, b: undefined, c: [1, 2], length: 3 })", g.fresh("g")), "[1, , [2, 3]]", `"xyz"`, "null", "undefined", "5", "[[1], { a: 2 }]", "{ a: { b: 1 }, b: [4] }")
}

// present is a source other than null and undefined: V8 evaluates the first target before it looks at the value, which the
// specification does not.
func (g *gen) present() string {
	for {
		if s := g.source(); s != "null" && s != "undefined" {
			return s
		}
	}
}

func (g *gen) destructuring() *block {
	b := &block{items: []item{line("const t = G(\"t\", { a: 0, b: 0, c: 0, d: 0, rest: 0 });"), line("function T(x) { L(\"T\", x); return t }"), g.declare()}}
	for range 2 + g.r.IntN(4) {
		vars := len(g.vars)
		switch g.r.IntN(4) {
		case 0:
			p := g.pattern(true)
			b.items = append(b.items, line(fmt.Sprintf("try { L(%q, (%s = %s)) } catch (e) { L(\"!\", e) }", g.fresh("a"), p, g.present())))
		case 1:
			p := g.pattern(false)
			b.items = append(b.items, line(fmt.Sprintf("try { const %s = %s; L(%q, %s) } catch (e) { L(\"!\", e) }", p, g.source(), g.fresh("c"), strings.Join(append([]string{"0"}, g.vars[vars:]...), ", "))))
		case 2:
			p := g.pattern(false)
			b.items = append(b.items, line(fmt.Sprintf("try { ((%s, z = 9) => L(%q, %s))(%s) } catch (e) { L(\"!\", e) }", p, g.fresh("p"), strings.Join(append([]string{"z"}, g.vars[vars:]...), ", "), g.source())))
		default:
			p := g.pattern(false)
			b.items = append(b.items, line(fmt.Sprintf("try { for (const %s of [%s, %s]) L(%q, %s) } catch (e) { L(\"!\", e) }", p, g.source(), g.source(), g.fresh("f"), strings.Join(append([]string{"0"}, g.vars[vars:]...), ", "))))
		}
		g.vars = g.vars[:vars]
	}
	b.items = append(b.items, line("L(\"end\", t.a, t.b, t.c, t.d);"))
	return b
}

func (g *gen) member(derived bool) item {
	name := g.pick("m", "n", "x", "y", "[L(\"ck\", \"k\")]", "#p", "#q")
	static := g.pick("", "", "static ")
	body := g.expr()
	if derived && g.chance(40) {
		body = g.pick("super.m?.()", "super.x", "super.n", "super.toString === Object.prototype.toString")
	}
	if g.chance(30) {
		body = g.pick("this.x", "this.y", "this.#p", "this.#q", "#p in this", "this.constructor.name", "new.target")
	}
	switch g.r.IntN(6) {
	case 0, 1:
		return line(fmt.Sprintf("%s%s = L(%q, %s);", static, name, g.fresh("fi"), strings.ReplaceAll(body, "new.target", "this.x")))
	case 2:
		return line(fmt.Sprintf("%s%s(a, b) { return L(%q, %s) }", static, name, g.fresh("me"), body))
	case 3:
		return line(fmt.Sprintf("%sget %s() { return L(%q, %s) }", static, name, g.fresh("ge"), body))
	case 4:
		return line(fmt.Sprintf("%sset %s(v) { L(%q, v, %s) }", static, name, g.fresh("se"), body))
	}
	return line(fmt.Sprintf("static { L(%q, %s) }", g.fresh("sb"), strings.ReplaceAll(g.expr(), "await", "")))
}

func (g *gen) class(name, base string) item {
	b := &block{items: []item{line("#p = 1; static #q = 2;")}}
	seen := map[string]bool{}
	for range 1 + g.r.IntN(5) {
		it := g.member(base != "")
		key := ""
		for _, private := range []string{" #p", " #q", "#p =", "#q =", "#p(", "#q("} {
			if strings.Contains(it.text[0][:min(12, len(it.text[0]))], private) {
				key = private
			}
		}
		if key != "" {
			continue
		}
		seen[key] = true
		b.items = append(b.items, it)
	}
	if g.chance(50) {
		body := fmt.Sprintf("L(%q, a); this.z = a;", g.fresh("ct"))
		if base != "" {
			body = g.pick("super(a); ", "super(); ", "super(...[a, 2]); ", "const s = () => super(a); s(); ", "", "try { this.z } catch (e) { L(\"tdz\", e) } super(a); ") + body
		}
		if g.chance(20) {
			body += g.pick("return { own: 1 };", "return 5;", "return;", "L(\"nt\", new.target === "+name+");")
		}
		b.items = append(b.items, line("constructor(a) { "+body+" }"))
	}
	head := "class " + name
	if base != "" {
		head += " extends " + base
	}
	return item{text: []string{head + " ", ""}, blocks: []*block{b}}
}

func (g *gen) classes() *block {
	b := &block{items: []item{g.declare()}}
	var names []string
	for range 1 + g.r.IntN(3) {
		name, base := strings.ToUpper(g.fresh("c")), ""
		if len(names) > 0 && g.chance(70) {
			base = names[g.r.IntN(len(names))]
		} else if g.chance(25) {
			base = g.pick("Array", "Error", "Object", "Map", "null", "(class { constructor() { return { x: 1 } } })")
		}
		inner := &block{items: []item{g.class(name, base)}}
		names = append(names, name)
		for range 1 + g.r.IntN(4) {
			use := g.pick("new %[1]s(1)", "new %[1]s(1).m?.()", "new %[1]s(2).x", "%[1]s.x", "%[1]s.m?.()", "(new %[1]s(3).y = 4)", "%[1]s()", "new %[1]s(1) instanceof %[1]s", "Object.keys(new %[1]s(1))", "Object.getOwnPropertyNames(%[1]s.prototype)", "(%[1]s.k = 1)")
			inner.items = append(inner.items, g.guard(fmt.Sprintf(use, name)))
		}
		if base != "" && len(names) > 1 {
			b.items = append(b.items, item{text: []string{"try ", " catch (e) { L(\"class!\", e) }"}, blocks: []*block{{items: append(append([]item{}, lines(b, names)...), inner.items...)}}})
			continue
		}
		b.items = append(b.items, item{text: []string{"try ", " catch (e) { L(\"class!\", e) }"}, blocks: []*block{inner}})
	}
	return b
}

// lines repeats the class declarations that a later class needs, since each class lives in a block of its own.
func lines(b *block, names []string) []item {
	var out []item
	for _, it := range b.items {
		for _, inner := range it.blocks {
			for _, s := range inner.items {
				for _, name := range names {
					if strings.HasPrefix(s.text[0], "class "+name+" ") {
						out = append(out, s)
					}
				}
			}
		}
	}
	return out
}

package main

// This file defines random generators and promise programs.

import (
	"fmt"
	"strings"
)

func (g *gen) generators() *block {
	b := &block{items: []item{g.declare()}}
	for range 1 + g.r.IntN(2) {
		f := g.fresh("g")
		loops, label, vars := g.loops, g.label, len(g.vars)
		g.loops, g.label, g.yield = 0, nil, true
		g.fn++
		body := g.scoped(5)
		g.fn--
		body.items = append(body.items, line(fmt.Sprintf("L(%q, yield* %s);", g.fresh("yd"), g.pick("[1, 2]", fmt.Sprintf("IT(%q, 2, %d)", g.fresh("yi"), g.r.IntN(3)), `"ab"`, "(function* () { try { yield 1; yield 2 } finally { L(\"inner fin\") } })()"))))
		g.loops, g.label, g.vars, g.yield = loops, label, g.vars[:vars], false
		b.items = append(b.items, item{text: []string{fmt.Sprintf("function* %s(a = L(\"da\", 1)) ", f), ""}, blocks: []*block{body}})
		it := g.fresh("it")
		use := []string{fmt.Sprintf("const %s = %s(%s);", it, f, g.pick("", "2"))}
		for range 1 + g.r.IntN(6) {
			use = append(use, fmt.Sprintf("try { L(%q, %s.%s) } catch (e) { L(\"!\", e) }", g.fresh("r"), it,
				g.pick("next()", "next(5)", "next(L(\"arg\", 1))", `throw(new RangeError("x"))`, "return(7)", "next()", "next()")))
		}
		if g.chance(40) {
			use = append(use, fmt.Sprintf("try { for (const x of %s()) { L(\"of\", x); %s } } catch (e) { L(\"!\", e) }", f, g.pick("", "break;", "if (x) throw 1;", "continue;")))
		}
		if g.chance(40) {
			use = append(use, fmt.Sprintf("try { const [p, q] = %s(); L(\"de\", p, q) } catch (e) { L(\"!\", e) }", f))
		}
		for _, u := range use {
			b.items = append(b.items, line(u))
		}
	}
	return b
}

// promise is a random promise-valued expression.
func (g *gen) promise() string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 3 {
		return g.pick("Promise.resolve(1)", "Promise.reject(2)", "P", "Q", "new Promise((r) => r(3))")
	}
	tag := g.fresh("t")
	switch g.r.IntN(13) {
	case 0:
		return fmt.Sprintf("Promise.resolve(%s)", g.pick("1", g.promise(), "TH(1)"))
	case 1:
		return fmt.Sprintf("Promise.reject(%s)", g.pick("1", "\"r\""))
	case 2, 3:
		return fmt.Sprintf("%s.then((v) => { L(%q, v); %s })", g.promise(), tag, g.pick("", "return v", "throw v", "return "+g.promise(), "return TH(v)"))
	case 4:
		return fmt.Sprintf("%s.catch((v) => { L(%q, v); %s })", g.promise(), tag, g.pick("", "return v", "throw 9", "return "+g.promise()))
	case 5:
		return fmt.Sprintf("%s.finally(() => { L(%q); %s })", g.promise(), tag, g.pick("", "return 1", "throw 8", "return "+g.promise()))
	case 6, 7:
		return fmt.Sprintf("Promise.%s([%s])", g.pick("all", "allSettled", "race", "any"), strings.Join([]string{g.promise(), g.pick("1", "TH(2)", g.promise()), g.promise()}, ", "))
	case 8:
		return fmt.Sprintf("new Promise((res, rej) => { L(%q); %s })", tag, g.pick("res(1)", "rej(2)", "throw 3", "res("+g.promise()+")", "res(1); rej(2)", "res(TH(4))"))
	case 9, 10, 11:
		return g.asyncCall(tag)
	}
	return fmt.Sprintf("%s.then(%s, (v) => L(%q, v))", g.promise(), g.pick("undefined", "(v) => v", "5"), tag)
}

func (g *gen) asyncCall(tag string) string {
	body := []string{fmt.Sprintf("L(%q);", tag)}
	for range 1 + g.r.IntN(3) {
		body = append(body, g.pick(
			fmt.Sprintf("L(%q, await %s);", g.fresh("aw"), g.pick("1", "TH(5)", g.promise())),
			fmt.Sprintf("try { L(%q, await %s) } catch (e) { L(\"caught\", e) } finally { %s }", g.fresh("aw"), g.promise(), g.pick("", "await null;", "L(\"fin\");")),
			fmt.Sprintf("for await (const x of [%s, 2]) L(%q, x);", g.promise(), g.fresh("fa")),
			fmt.Sprintf("for await (const x of (async function* () { yield 1; yield %s; %s })()) { L(%q, x); %s }", g.pick("2", g.promise()), g.pick("", "return 3", "throw 4"), g.fresh("ag"), g.pick("", "break;"))))
	}
	body = append(body, g.pick("", "return 1;", "throw 2;", "return "+g.promise()+";", "return await "+g.promise()+";"))
	return fmt.Sprintf("(async () => { %s })()", strings.Join(body, " "))
}

func (g *gen) promises() *block {
	b := &block{items: []item{
		line("const P = Promise.resolve(\"P\"), Q = Promise.reject(\"Q\"); Q.catch(() => {});"),
		line("function TH(v) { return { get then() { L(\"get then\"); return (res) => { L(\"then called\"); res(v) } } } }"),
	}}
	for range 2 + g.r.IntN(3) {
		tag := g.fresh("p")
		b.items = append(b.items, line(fmt.Sprintf("%s.then((v) => L(%q, v), (e) => L(%q, e));", g.promise(), tag, tag+"!")))
		if g.chance(40) {
			b.items = append(b.items, line(fmt.Sprintf("try { L(%q, await %s) } catch (e) { L(\"main\", e) }", g.fresh("m"), g.promise())))
		}
	}
	b.items = append(b.items, line("for (let i = 0; i < 60; i++) { L(\"tick\"); await null }"))
	return b
}

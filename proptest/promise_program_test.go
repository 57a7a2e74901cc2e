package proptest

// This file defines random promise programs: they can be printed as JavaScript and played on an engine.

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// engine is a realisation of promises. Values are nil (undefined), int, string, *list, *record, *failure, and whatever
// else the engine makes, such as promises. A handler returns false to throw; nil is undefined.
type engine interface {
	resolve(v any) any
	reject(v any) any
	then(p any, fulfilled, rejected handler) any
	finally(p any, f handler) any
	combine(kind string, items []any) any
	construct(executor func(resolve, reject func(any)) (thrown any, threw bool)) any
	thenable(name string, v any) any
	await(v any, k func(v any, rejected bool))
	async() (p any, settle func(v any, rejected bool))
	job(f func())
	run() // until no job is left
	unhandled() int
	log() *[]string
}

type handler func(v any) (any, bool)

type (
	list    struct{ items []any }
	record  struct{ status, key, value any }
	failure struct {
		name   string
		errors []any
	}
)

// show is the function of the same name in the prelude.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "undefined"
	case *list:
		return "[" + shown(v.items) + "]"
	case *record:
		return fmt.Sprintf("{%v %s:%s}", v.status, v.key, show(v.value))
	case *failure:
		if v.name == "AggregateError" {
			return v.name + "[" + shown(v.errors) + "]"
		}
		return v.name
	}
	return fmt.Sprint(v)
}

func shown(items []any) string {
	var parts []string
	for _, v := range items {
		parts = append(parts, show(v))
	}
	return strings.Join(parts, ",")
}

const prelude = `const log = [];
const show = (v) => Array.isArray(v) ? "[" + v.map(show).join(",") + "]"
  : v instanceof AggregateError ? "AggregateError[" + v.errors.map(show).join(",") + "]"
  : v instanceof Error ? v.name
  : v !== null && typeof v === "object" ? "{" + v.status + " " + ("value" in v ? "value:" + show(v.value) : "reason:" + show(v.reason)) + "}"
  : String(v);
const L = (tag, v) => { log.push(tag + " " + show(v)) };
const TH = (name, v) => ({ get then() { log.push("get " + name); return (res) => { log.push("call " + name); res(v) } } });
`

const ticks = 40

// epilogue lets the jobs run down, with a line for each turn.
var epilogue = fmt.Sprintf("for (let i = 0; i < %d; i++) { log.push(\"tick\"); await null }\nreturn log.join(\"\\n\");\n", ticks)

// node is an expression, statement or handler.
type node struct {
	op   string
	tag  int
	n    int // a literal, or the number of a variable
	kids []*node
}

// writer draws programs.
type writer struct {
	t     *rapid.T
	tags  int
	names []int // of variables with promises
	open  []int // of those that the program settles itself
}

func (w *writer) pick(name string, from ...string) string {
	return rapid.SampledFrom(from).Draw(w.t, name)
}

func (w *writer) make(op string, kids ...*node) *node {
	w.tags++
	return &node{op: op, tag: w.tags, n: rapid.IntRange(0, 9).Draw(w.t, "n"), kids: kids}
}

func (w *writer) program() *node {
	main := w.make("main")
	for range rapid.IntRange(1, 6).Draw(w.t, "statements") {
		main.kids = append(main.kids, w.statement(3, true))
	}
	return main
}

func (w *writer) statement(depth int, top bool) *node {
	ops := []string{"show", "show", "await", "plain", "line", "queue", "for await"}
	if top {
		ops = append(ops, "const", "pending")
	}
	if len(w.open) > 0 {
		ops = append(ops, "settle", "settle", "settle badly")
	}
	switch op := w.pick("statement", ops...); op {
	case "line":
		return w.make(op)
	case "queue":
		return w.make(op)
	case "for await":
		return w.make(op, w.promise(depth-1), w.operand(depth-1))
	case "await":
		return w.make(op, w.operand(depth))
	case "pending":
		s := w.make(op)
		w.names, w.open = append(w.names, s.tag), append(w.open, s.tag)
		return s
	case "const":
		s := w.make(op, w.promise(depth))
		w.names = append(w.names, s.tag)
		return s
	case "settle":
		s := w.make(op, w.operand(depth-1))
		s.n = rapid.SampledFrom(w.open).Draw(w.t, "which")
		return s
	case "settle badly":
		s := w.make(op)
		s.n = rapid.SampledFrom(w.open).Draw(w.t, "which")
		return s
	default:
		return w.make(op, w.promise(depth))
	}
}

// operand is a promise, a plain value or a thenable.
func (w *writer) operand(depth int) *node {
	switch op := w.pick("operand", "promise", "promise", "value", "thenable"); op {
	case "promise":
		return w.promise(depth)
	default:
		return w.make(op)
	}
}

func (w *writer) promise(depth int) *node {
	ops := []string{"reject", "resolve", "self"}
	if len(w.names) > 0 {
		ops = append(ops, "variable", "variable", "variable")
	}
	if depth > 0 {
		ops = append(ops, "then", "then", "then2", "catch", "finally", "all", "allSettled", "race", "any", "new", "async", "async", "async", "pass")
	}
	switch op := w.pick("promise", ops...); op {
	case "variable":
		e := w.make(op)
		e.n = rapid.SampledFrom(w.names).Draw(w.t, "which")
		return e
	case "resolve":
		return w.make(op, w.operand(min(depth-1, 1)))
	case "then", "catch", "finally":
		return w.make(op, w.promise(depth-1), w.handler(depth-1))
	case "then2":
		return w.make(op, w.promise(depth-1), w.handler(depth-1), w.handler(depth-1))
	case "pass":
		return w.make(op, w.promise(depth-1))
	case "all", "allSettled", "race", "any":
		e := w.make(op)
		for range rapid.IntRange(0, 3).Draw(w.t, "items") {
			e.kids = append(e.kids, w.operand(depth-1))
		}
		return e
	case "new":
		e := w.make(op)
		for range rapid.IntRange(0, 3).Draw(w.t, "steps") {
			e.kids = append(e.kids, w.make(w.pick("step", "call resolve", "call reject", "throw"), w.operand(depth-1)))
		}
		return e
	case "async":
		e := w.make(op)
		for range rapid.IntRange(0, 3).Draw(w.t, "statements") {
			e.kids = append(e.kids, w.statement(depth-1, false))
		}
		e.kids = append(e.kids, w.handler(depth-1)) // how it ends
		return e
	default: // reject, self
		return w.make(op)
	}
}

func (w *writer) handler(depth int) *node {
	switch op := w.pick("outcome", "nothing", "argument", "throw argument", "value", "throw", "promise", "thenable"); op {
	case "promise":
		return w.make(op, w.promise(depth))
	default:
		return w.make(op)
	}
}

// source is the whole program as text.
func (n *node) source() string { return prelude + n.text() + epilogue }

func (n *node) text() string {
	kid := func(i int) string { return n.kids[i].text() }
	switch n.op {
	case "main":
		return texts(n.kids, "\n") + "\n"
	case "show":
		return fmt.Sprintf("%s.then((v) => L(\"s%d\", v), (e) => L(\"s%d!\", e));", kid(0), n.tag, n.tag)
	case "await":
		return fmt.Sprintf("try { L(\"w%d\", await %s) } catch (e) { L(\"w%d!\", e) }", n.tag, kid(0), n.tag)
	case "for await":
		return fmt.Sprintf("try { for await (const x of [%s, %s]) L(\"f%d\", x) } catch (e) { L(\"f%d!\", e) }", kid(0), kid(1), n.tag, n.tag)
	case "plain":
		return kid(0) + ";"
	case "line":
		return fmt.Sprintf("L(\"l%d\");", n.tag)
	case "queue":
		return fmt.Sprintf("queueMicrotask(() => L(\"q%d\"));", n.tag)
	case "const":
		return fmt.Sprintf("const p%d = %s;", n.tag, kid(0))
	case "pending":
		return fmt.Sprintf("let r%d; const p%d = new Promise((...rs) => { r%d = rs });", n.tag, n.tag, n.tag)
	case "settle":
		return fmt.Sprintf("r%d[0](%s);", n.n, kid(0))
	case "settle badly":
		return fmt.Sprintf("r%d[1](%d);", n.n, n.tag)
	case "value":
		return fmt.Sprint(n.n)
	case "thenable":
		return fmt.Sprintf("TH(\"t%d\", %d)", n.tag, n.n)
	case "variable":
		return fmt.Sprint("p", n.n)
	case "reject":
		return fmt.Sprintf("Promise.reject(%d)", n.tag)
	case "resolve":
		return fmt.Sprintf("Promise.resolve(%s)", kid(0))
	case "self":
		return "(() => { let r; const p = new Promise((res) => { r = res }); r(p); return p })()"
	case "then":
		return fmt.Sprintf("%s.then(%s)", kid(0), n.kids[1].function())
	case "then2":
		return fmt.Sprintf("%s.then(%s, %s)", kid(0), n.kids[1].function(), n.kids[2].function())
	case "pass":
		return kid(0) + ".then(5, null)"
	case "catch":
		return fmt.Sprintf("%s.catch(%s)", kid(0), n.kids[1].function())
	case "finally":
		return fmt.Sprintf("%s.finally(%s)", kid(0), n.kids[1].function())
	case "all", "allSettled", "race", "any":
		return fmt.Sprintf("Promise.%s([%s])", n.op, texts(n.kids, ", "))
	case "new":
		return fmt.Sprintf("new Promise((res, rej) => { L(\"n%d\"); %s })", n.tag, texts(n.kids, " "))
	case "call resolve":
		return "res(" + kid(0) + ");"
	case "call reject":
		return fmt.Sprintf("rej(%d);", n.tag)
	case "throw":
		return fmt.Sprintf("throw %d;", n.tag)
	case "async":
		last := len(n.kids) - 1
		return fmt.Sprintf("(async (v) => { L(\"a%d\"); %s %s })()", n.tag, texts(n.kids[:last], " "), n.kids[last].outcome())
	}
	panic("no text for " + n.op)
}

func texts(nodes []*node, sep string) string {
	var parts []string
	for _, n := range nodes {
		parts = append(parts, n.text())
	}
	return strings.Join(parts, sep)
}

func (n *node) function() string {
	return fmt.Sprintf("(v) => { L(\"h%d\", v); %s }", n.tag, n.outcome())
}

func (n *node) outcome() string {
	switch n.op {
	case "nothing":
		return ""
	case "argument":
		return "return v;"
	case "throw argument":
		return "throw v;"
	case "value":
		return fmt.Sprintf("return %d;", n.n)
	case "throw":
		return fmt.Sprintf("throw %d;", n.tag)
	case "promise":
		return "return " + n.kids[0].text() + ";"
	}
	return fmt.Sprintf("return TH(\"t%d\", %d);", n.tag, n.n)
}

// play is one run of a program on an engine.
type play struct {
	engine
	vars  map[int]any
	ends  map[int][2]func(any)
	final string // of the program
}

// stalled stands for the log of a program that waits for ever.
const stalled = "stalled"

// run plays a program to its end and returns its log and how many rejections nobody handled.
func (n *node) run(e engine) (log string, unhandled int) {
	p := &play{e, map[int]any{}, map[int][2]func(any){}, stalled}
	_, settle := e.async()
	p.block(n.kids, func() { p.countDown(ticks, settle) })
	e.run()
	return p.final, e.unhandled()
}

func (p *play) say(format string, args ...any) {
	*p.log() = append(*p.log(), fmt.Sprintf(format, args...))
}

func (p *play) countDown(n int, settle func(any, bool)) {
	if n == 0 {
		p.final = strings.Join(*p.log(), "\n")
		settle(nil, false)
		return
	}
	p.say("tick")
	p.await(nil, func(any, bool) { p.countDown(n-1, settle) })
}

// block does statements and then the rest.
func (p *play) block(statements []*node, rest func()) {
	if len(statements) == 0 {
		rest()
		return
	}
	n := statements[0]
	next := func() { p.block(statements[1:], rest) }
	switch n.op {
	case "await":
		p.await(p.value(n.kids[0]), func(v any, rejected bool) { p.told("w", n, v, rejected); next() })
		return
	case "for await":
		p.each(n, []any{p.value(n.kids[0]), p.value(n.kids[1])}, next)
		return
	case "show":
		tell := func(rejected bool) handler {
			return func(v any) (any, bool) { p.told("s", n, v, rejected); return nil, true }
		}
		p.then(p.value(n.kids[0]), tell(false), tell(true))
	case "plain":
		p.value(n.kids[0])
	case "line":
		p.say("l%d undefined", n.tag)
	case "queue":
		p.job(func() { p.say("q%d undefined", n.tag) })
	case "const":
		p.vars[n.tag] = p.value(n.kids[0])
	case "pending":
		p.vars[n.tag] = p.construct(func(resolve, reject func(any)) (any, bool) {
			p.ends[n.tag] = [2]func(any){resolve, reject}
			return nil, false
		})
	case "settle":
		p.ends[n.n][0](p.value(n.kids[0]))
	case "settle badly":
		p.ends[n.n][1](n.tag)
	default:
		panic("no statement " + n.op)
	}
	next()
}

func (p *play) told(kind string, n *node, v any, rejected bool) {
	mark := ""
	if rejected {
		mark = "!"
	}
	p.say("%s%d%s %s", kind, n.tag, mark, show(v))
}

// each is for await over an array: the async iterator made of the sync one (27.1.6) resolves each value and then a
// result object.
func (p *play) each(n *node, values []any, next func()) {
	var v any
	if len(values) > 0 {
		v = values[0]
	}
	step := p.then(p.resolve(v), func(v any) (any, bool) { return v, true }, nil)
	p.await(step, func(v any, rejected bool) {
		switch {
		case rejected:
			p.told("f", n, v, true)
			next()
		case len(values) == 0:
			next()
		default:
			p.told("f", n, v, false)
			p.each(n, values[1:], next)
		}
	})
}

func (p *play) value(n *node) any {
	switch n.op {
	case "value":
		return n.n
	case "thenable":
		return p.thenable(fmt.Sprint("t", n.tag), n.n)
	case "variable":
		return p.vars[n.n]
	case "reject":
		return p.reject(n.tag)
	case "resolve":
		return p.resolve(p.value(n.kids[0]))
	case "self":
		var end func(any)
		self := p.construct(func(resolve, _ func(any)) (any, bool) { end = resolve; return nil, false })
		end(self)
		return self
	case "then":
		return p.then(p.value(n.kids[0]), p.handler(n.kids[1]), nil)
	case "then2":
		return p.then(p.value(n.kids[0]), p.handler(n.kids[1]), p.handler(n.kids[2]))
	case "pass":
		return p.then(p.value(n.kids[0]), nil, nil)
	case "catch":
		return p.then(p.value(n.kids[0]), nil, p.handler(n.kids[1]))
	case "finally":
		h := p.handler(n.kids[1])
		return p.finally(p.value(n.kids[0]), func(any) (any, bool) { return h(nil) })
	case "all", "allSettled", "race", "any":
		var items []any
		for _, kid := range n.kids {
			items = append(items, p.value(kid))
		}
		return p.combine(n.op, items)
	case "new":
		return p.construct(func(resolve, reject func(any)) (any, bool) { return p.execute(n, resolve, reject) })
	case "async":
		return p.function(n)
	}
	panic("no expression " + n.op)
}

func (p *play) execute(n *node, resolve, reject func(any)) (thrown any, threw bool) {
	p.say("n%d undefined", n.tag)
	for _, step := range n.kids {
		switch step.op {
		case "call resolve":
			resolve(p.value(step.kids[0]))
		case "call reject":
			reject(step.tag)
		case "throw":
			return step.tag, true
		}
	}
	return nil, false
}

func (p *play) function(n *node) any {
	result, settle := p.async()
	p.say("a%d undefined", n.tag)
	last := len(n.kids) - 1
	p.block(n.kids[:last], func() {
		v, ok := p.outcome(n.kids[last], nil)
		settle(v, !ok)
	})
	return result
}

func (p *play) handler(n *node) handler {
	return func(v any) (any, bool) {
		p.say("h%d %s", n.tag, show(v))
		return p.outcome(n, v)
	}
}

func (p *play) outcome(n *node, v any) (any, bool) {
	switch n.op {
	case "nothing":
		return nil, true
	case "argument":
		return v, true
	case "throw argument":
		return v, false
	case "value":
		return n.n, true
	case "throw":
		return n.tag, false
	case "promise":
		return p.value(n.kids[0]), true
	}
	return p.thenable(fmt.Sprint("t", n.tag), n.n), true
}

package main

// This file defines programs as trees of statements, which the minimiser takes apart, and their text.

import (
	"math/rand/v2"
	"strings"
)

// program is one random program.
type program struct {
	seed      uint64
	kind      string
	root      *block
	got, want string
}

// block is a list of statements.
type block struct{ items []item }

// item is a statement: pieces of text with blocks between them, so len(text) == len(blocks)+1.
type item struct {
	text   []string
	blocks []*block
}

func line(text string) item { return item{text: []string{text}} }

func (b *block) write(w *strings.Builder) {
	for _, it := range b.items {
		for i, t := range it.text {
			w.WriteString(t)
			if i < len(it.blocks) {
				w.WriteString("{\n")
				it.blocks[i].write(w)
				w.WriteString("}")
			}
		}
		w.WriteString("\n")
	}
}

// prelude logs: L notes a value in a canonical form, and O, IT make objects whose use is noted.
const prelude = `
const log = [];
function show(v, d = 0) {
  switch (typeof v) {
    case "string": return JSON.stringify(v);
    case "number": return Object.is(v, -0) ? "-0" : String(v);
    case "bigint": return v + "n";
    case "undefined": return "undefined";
    case "symbol": return "symbol";
    case "function": return "function " + v.name + "/" + v.length;
    case "object":
      if (v === null) return "null";
      if (d > 3) return "...";
      if (v instanceof Error) return v.name;
      if (Array.isArray(v)) { const p = []; for (let i = 0; i < v.length; i++) p.push(i in v ? show(v[i], d + 1) : "hole"); return "[" + p.join(",") + "]" }
      if (v instanceof Promise) return "promise";
      return "{" + Object.keys(v).map((k) => JSON.stringify(k) + ":" + show(v[k], d + 1)).join(",") + "}";
  }
  return String(v);
}
function L(tag, ...vs) { if (log.length < 400) log.push(tag + " " + vs.map((v) => show(v)).join(" ")); return vs[0]; }
function O(tag, v) { return { valueOf() { L(tag + ".valueOf"); return v }, toString() { L(tag + ".toString"); return "<" + tag + ">" } } }
function IT(tag, n, ret) { let i = 0; return { [Symbol.iterator]() { L(tag + ".iter"); return this }, next() { L(tag + ".next", i); return i < n ? { value: i++, done: false } : { value: "end", done: true } }, return(v) { L(tag + ".return"); if (ret === 1) throw new RangeError(tag); return ret === 2 ? 1 : {} } } }
function G(tag, o) { const r = {}; for (const k of Object.keys(o)) Object.defineProperty(r, k, { enumerable: true, get() { L(tag + ".get", k); return o[k] }, set(v) { L(tag + ".set", k, v); o[k] = v } }); return r }
`

const epilogue = `
return log.join("\n");
`

// body is the program without what all programs share.
func (p *program) body() string {
	var w strings.Builder
	p.root.write(&w)
	return w.String()
}

func (p *program) source() string { return prelude + p.body() + epilogue }

type kind struct {
	name string
	make func(g *gen) *block
}

func kinds() []kind {
	all := []kind{
		{"expressions", (*gen).expressions}, {"control", (*gen).control}, {"destructuring", (*gen).destructuring},
		{"classes", (*gen).classes}, {"generators", (*gen).generators}, {"promises", (*gen).promises},
	}
	for _, name := range libraryKinds {
		all = append(all, kind{name, func(g *gen) *block { return g.library(name) }})
	}
	return all
}

func kindNames() string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

func generate(r *rand.Rand, seed uint64, only string) *program {
	ks := kinds()
	k := ks[r.IntN(len(ks))]
	for only != "" && k.name != only {
		k = ks[r.IntN(len(ks))]
	}
	g := &gen{r: r}
	return &program{seed: seed, kind: k.name, root: k.make(g)}
}

// This file defines the TypeScript text of schemas.

package schema

import (
	"github.com/codemode-go/codemode/data"
)

// Style is how TypeScript is laid out.
type Style uint8

const (
	// Compact is one line without comments.
	Compact Style = iota
	// Pretty has one property a line, and what a schema says in words and bounds
	// as JSDoc above it.
	Pretty
)

// Rendered is the TypeScript of a schema.
type Rendered struct {
	// Type is the type. Its lines but the first are indented as for the beginning
	// of a line.
	Type string
	// Declarations are complete statements, "type Node = { … }", that Type needs:
	// of what refers to itself and of what is large and used several times. They do not
	// contain those that an earlier rendering with the same Names has made.
	Declarations []string
}

// Render writes the type of the values that fit the schema; see docs/tools.md
// for the rules. It never fails: what cannot be said in TypeScript, or is nested deeper
// than 8, is unknown, and a text beyond a bound ends in unknown or, in unions, in the base type. A nil schema is
// unknown. Names may be nil if nothing else is rendered beside.
func (s *Schema) Render(style Style, names *Names) Rendered {
	return s.render(style, names, maxDepth)
}

// Outline is Render in Compact style where objects inside objects are unknown.
func (s *Schema) Outline() string { return s.render(Compact, nil, 1).Type }

const (
	maxDepth   = 8
	maxCompact = 32 << 10
	maxPretty  = 256 << 10
)

func (s *Schema) render(style Style, names *Names, depth int) Rendered {
	if s == nil {
		return Rendered{Type: "unknown"}
	}
	if names == nil {
		names = &Names{}
	}
	t := newTranslator(s.document)
	root := t.definition(s.document, nil, "", 0)
	if len(t.order) > 1 || root.def.uses > 1 {
		for _, d := range t.order {
			breakBareCycles(d)
		}
	}
	for _, d := range t.order {
		d.measure()
	}
	r := &renderer{style: style, depth: depth, root: root, simple: simplifier{left: 4 * maxTypes}, naming: newNaming(names)}
	return r.rendered()
}

// renderer writes one document.
type renderer struct {
	style  Style
	depth  int
	root   *typ
	simple simplifier
	naming *naming
}

// rounds is how often names are tried before all are made new.
const rounds = 3

func (r *renderer) rendered() Rendered {
	for round := 0; ; round++ {
		r.naming.reset()
		rendered, texts, order := r.write()
		done := true
		for _, d := range order {
			name := r.naming.of[d]
			if r.naming.shared[d] && r.naming.names.taken[name] != texts[d] {
				r.naming.mark(d)
				done = false
			}
		}
		if !done && round < rounds {
			continue
		}
		if !done {
			for _, d := range order {
				r.naming.mark(d)
			}
			continue
		}
		for _, d := range order {
			if !r.naming.shared[d] {
				rendered.Declarations = append(rendered.Declarations, texts[d])
				r.naming.names.take(r.naming.of[d], texts[d])
			}
		}
		return rendered
	}
}

// write prints the type and all declarations that it needs.
func (r *renderer) write() (rendered Rendered, texts map[*definition]string, order []*definition) {
	limit := maxCompact
	if r.style == Pretty {
		limit = maxPretty
	}
	p := &printer{style: r.style, maxDepth: r.depth, left: limit, naming: r.naming}
	rendered.Type = p.print(r.simple.typ(r.root, 0))
	if len(p.wanted) > 0 {
		texts = map[*definition]string{}
	}
	for i := 0; i < len(p.wanted); i++ {
		d := p.wanted[i]
		if d.plain == nil {
			d.plain = r.simple.typ(d.body, 0)
		}
		text := "type " + r.naming.name(d) + " = " + p.print(d.plain)
		if r.style == Pretty {
			o, _ := d.schema.(*data.Object)
			text = comment(documentation(o), "") + text
		}
		texts[d] = text
	}
	return rendered, texts, p.wanted
}

// breakBareCycles makes unknown of a reference that leads back to itself
// without an object or array between: such an alias is nothing.
func breakBareCycles(d *definition) {
	bareWalk(d.body, map[*definition]bool{d: true}, 0)
}

func bareWalk(t *typ, above map[*definition]bool, depth int) {
	switch t.shape {
	case unionShape, intersectionShape:
		for _, p := range t.parts {
			bareWalk(p, above, depth+1)
		}
	case refShape:
		d := t.def
		if above[d] || depth > 4*maxNesting {
			*t = *unknownType
			return
		}
		if d.walked {
			return
		}
		above[d] = true
		bareWalk(d.body, above, depth+1)
		delete(above, d)
		d.walked = true
	}
}

const (
	// maxInPlace is the estimated length up to which a definition that is used
	// several times is written at each place.
	maxInPlace = 40
	// maxElsewhere is the same for targets that are no definitions.
	maxElsewhere = 400
)

// measure decides whether a definition gets a declaration.
func (d *definition) measure() {
	if d.size > 0 {
		return
	}
	d.size = 1 // also stops what measures itself
	d.size = d.body.length(0)
	limit := maxElsewhere
	if n := len(d.steps); n > 1 && (d.steps[n-2] == "$defs" || d.steps[n-2] == "definitions") {
		limit = maxInPlace
	}
	d.named = d.cyclic || d.uses > 1 && d.size > limit
}

const saturated = 1 << 20

// length estimates the length of a type's text.
func (t *typ) length(depth int) int {
	if depth > 4*maxNesting {
		return saturated
	}
	n := len(t.text) + 3
	for _, p := range t.parts {
		n += p.length(depth + 1)
	}
	for _, p := range t.fields {
		n += len(p.name) + p.typ.length(depth+1)
	}
	for _, u := range [...]*typ{t.index, t.rest} {
		if u != nil {
			n += 10 + u.length(depth+1)
		}
	}
	if t.shape == refShape {
		t.def.measure()
		n += 10
		if !t.def.cyclic && !t.def.named {
			n += t.def.size
		}
	}
	return min(n, saturated)
}

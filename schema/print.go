// This file defines how types are written.

package schema

import (
	"strings"

	"github.com/codemode-go/codemode/data"
)

// printer writes the types of one document. left bounds all it writes.
type printer struct {
	style    Style
	maxDepth int
	left     int
	naming   *naming
	wanted   []*definition // in the order they were met
	seen     map[*definition]bool
	out      []byte
}

func (p *printer) print(t *typ) string {
	p.out = p.out[:0]
	p.typ(t, 0, 0)
	return string(p.out)
}

func (p *printer) write(text string) {
	p.out = append(p.out, text...)
	p.left -= len(text)
}

// typ writes t. depth counts the objects and arrays around it, indent the
// levels of indentation.
func (p *printer) typ(t *typ, depth, indent int) {
	if p.left < 0 {
		p.write("unknown")
		return
	}
	switch t.shape {
	case wordShape, literalShape:
		p.write(t.text)
	case refShape:
		p.reference(t.def)
	case unionShape:
		p.list(t.parts, " | ", depth, indent)
	case intersectionShape:
		p.list(t.parts, " & ", depth, indent)
	default:
		if depth > p.maxDepth {
			p.write("unknown")
			return
		}
		p.composite(t, depth, indent)
	}
}

func (p *printer) reference(d *definition) {
	p.write(p.naming.name(d))
	if p.seen == nil {
		p.seen = map[*definition]bool{}
	}
	if !p.seen[d] {
		p.seen[d] = true
		p.wanted = append(p.wanted, d)
	}
}

func (p *printer) list(parts []*typ, separator string, depth, indent int) {
	for i, part := range parts {
		if i > 0 {
			p.write(separator)
		}
		if separator == " & " && part.shape == unionShape {
			p.enclosed(part, depth, indent)
			continue
		}
		p.typ(part, depth, indent)
	}
}

func (p *printer) enclosed(t *typ, depth, indent int) {
	p.write("(")
	p.typ(t, depth, indent)
	p.write(")")
}

func (p *printer) composite(t *typ, depth, indent int) {
	switch t.shape {
	case arrayShape:
		p.item(t.parts[0], depth+1, indent)
		p.write("[]")
	case tupleShape:
		p.tuple(t, depth+1, indent)
	default:
		p.object(t, depth+1, indent)
	}
}

func (p *printer) item(t *typ, depth, indent int) {
	if t.shape == unionShape || t.shape == intersectionShape {
		p.enclosed(t, depth, indent)
		return
	}
	p.typ(t, depth, indent)
}

func (p *printer) tuple(t *typ, depth, indent int) {
	p.write("[")
	for i, part := range t.parts {
		if i > 0 {
			p.write(", ")
		}
		if i < t.optional {
			p.typ(part, depth, indent)
			continue
		}
		p.item(part, depth, indent)
		p.write("?")
	}
	if t.rest != nil {
		if len(t.parts) > 0 {
			p.write(", ")
		}
		p.write("...")
		p.item(t.rest, depth, indent)
		p.write("[]")
	}
	p.write("]")
}

func (p *printer) object(t *typ, depth, indent int) {
	switch {
	case len(t.fields) > 0:
		p.fields(t, depth, indent)
	case t.index == nil:
		p.write("Record<string, never>")
	case t.keys != nil:
		p.write("{ [key in ")
		p.list(t.keys, " | ", depth, indent)
		p.write("]?: ")
		p.typ(t.index, depth, indent)
		p.write(" }")
	case t.index.refers(0):
		p.write("{ [key: string]: ")
		p.typ(t.index, depth, indent)
		p.write(" }")
	default:
		p.write("Record<string, ")
		p.typ(t.index, depth, indent)
		p.write(">")
	}
}

// refers reports that a name stands in t outside an object: in an alias that
// the name means, Record would be circular.
func (t *typ) refers(depth int) bool {
	if t.shape == refShape || depth > 4*maxNesting {
		return true
	}
	if t.shape == objectShape && len(t.fields) > 0 {
		return false
	}
	if t.index != nil && t.index.refers(depth+1) || t.rest != nil && t.rest.refers(depth+1) {
		return true
	}
	for _, part := range t.parts {
		if part.refers(depth + 1) {
			return true
		}
	}
	return false
}

func (p *printer) fields(t *typ, depth, indent int) {
	p.write("{")
	index := t.index
	for i, f := range t.fields {
		if p.left < 0 {
			index = unknownType
			break
		}
		p.separate(i > 0, indent+1)
		if p.style == Pretty && f.about != nil {
			p.write(comment(propertyDocumentation(f), strings.Repeat("  ", indent+1)))
			if p.out[len(p.out)-1] == '\n' && p.left >= 0 {
				p.write(strings.Repeat("  ", indent+1))
			}
		}
		p.key(f.name)
		if f.optional {
			p.write("?")
		}
		p.write(": ")
		p.typ(f.typ, depth, indent+1)
	}
	if index != nil {
		p.separate(true, indent+1)
		p.write("[key: string]: ")
		p.typ(index, depth, indent+1)
	}
	if p.style == Pretty {
		p.write(";\n" + strings.Repeat("  ", indent) + "}")
		return
	}
	p.write(" }")
}

func (p *printer) separate(more bool, indent int) {
	if more {
		p.write(";")
	}
	if p.style == Pretty {
		p.write("\n" + strings.Repeat("  ", indent))
		return
	}
	p.write(" ")
}

func (p *printer) key(name string) {
	if data.IsIdentifier(name) {
		p.write(name)
		return
	}
	p.write(string(data.AppendQuoted(nil, name)))
}

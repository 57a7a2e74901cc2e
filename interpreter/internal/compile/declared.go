package compile

// This file defines what a message about an undefined variable says of where its value came from. It is known from the
// declaration, and looked up when the message is made.

import (
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// declared is the declaration of a variable that is never assigned to: const first = rows.items[0].
type declared struct {
	text string // the initialiser, or what a pattern takes apart
	call bool   // the initialiser is a call
	pos  int32  // of the property in a pattern, -1 if there is no pattern

	root *syntax.Binding // the variable that the initialiser starts from
	path []link          // the properties read from it
}

// link is a property read with a key that the source tells.
type link struct {
	key  value.Key
	text string // the expression of its object
}

// declares remembers the initialiser of a variable, if messages can tell something of it.
func (c *fn) declares(b *syntax.Binding, init syntax.Expr) {
	if b == nil || b.Assigned {
		return
	}
	d := &declared{text: describe(init), pos: -1}
	if strings.HasPrefix(d.text, "(intermediate value)") || strings.Contains(d.text, "?.") {
		return
	}
	x := init
	if a, ok := x.(*syntax.Await); ok {
		x = a.X
	}
	if _, d.call = x.(*syntax.Call); !d.call && (x != init || !d.follow(x)) {
		return
	}
	c.declare(b, d)
}

// takes remembers the property that a pattern makes a variable of.
func (c *fn) takes(target syntax.Expr, p *syntax.PatternProp, from *origin) {
	id, ok := target.(*syntax.Ident)
	if !ok || id.Ref.Bind == nil || id.Ref.Bind.Assigned || p.Default != nil || p.Key.Computed != nil {
		return
	}
	d := &declared{text: from.text, pos: int32(p.Pos)}
	if strings.HasPrefix(d.text, "(intermediate value)") {
		d.text = ""
	}
	c.declare(id.Ref.Bind, d)
}

func (c *fn) declare(b *syntax.Binding, d *declared) {
	if c.declared == nil {
		c.declared = map[*syntax.Binding]*declared{}
	}
	c.declared[b] = d
}

// follow finds the variable and the properties of an initialiser such as rows.items[0].
func (d *declared) follow(x syntax.Expr) bool {
	for range maxToolPath {
		switch n := x.(type) {
		case *syntax.Member:
			d.path = append(d.path, link{value.StringKey(n.Name), describe(n.Obj)})
			x = n.Obj
		case *syntax.Index:
			switch k := n.Index.(type) {
			case *syntax.NumberLit:
				d.path = append(d.path, link{value.StringKey(describe(k)), describe(n.Obj)})
			case *syntax.StringLit:
				d.path = append(d.path, link{value.StringKey(k.Value), describe(n.Obj)})
			default:
				return false
			}
			x = n.Obj
		case *syntax.Ident:
			if n.Ref.Kind == syntax.RefLocal && !n.Ref.Bind.Assigned {
				d.root = n.Ref.Bind
			}
			return d.root != nil && len(d.path) > 0
		default:
			return false
		}
	}
	return false
}

// hint says where the undefined value came from, as far as that still holds.
func (d *declared) hint(f *Frame) string {
	switch {
	case d.pos >= 0:
		return f.R.MissedInPattern(d.pos, d.text)
	case d.call:
		return "; it is what " + d.text + " gave"
	}
	v := f.S[d.root.Index]
	if d.root.Captured {
		v = v.Cell().V
	}
	for i := len(d.path) - 1; i >= 0; i-- {
		l := &d.path[i]
		o := v.Object()
		if o == nil || o.Flags&value.FlagExotic != 0 {
			return ""
		}
		x, _ := f.R.GetOwnValue(o, l.key)
		if i == 0 {
			if shape := f.R.ShapeText(v); shape != "" && x.IsNullish() {
				return "; it is " + d.text + ", and " + l.text + " is " + shape
			}
			return ""
		}
		v = x
	}
	return ""
}

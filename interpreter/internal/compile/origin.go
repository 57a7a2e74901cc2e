package compile

// This file defines what a message about an undefined value says of the object that it was read from.

import (
	"cmp"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// origin is where a value came from.
type origin struct {
	text string // the expression, "" if it has no short form
	base string // the expression of the object it is a property of
	slot int    // where that object is kept, -1 if it is not a property
	decl *declared
}

// traced compiles an expression whose value is taken apart; what it is a property of is kept for a message.
func (c *fn) traced(x syntax.Expr, optional bool) (expr, origin) {
	o := origin{text: describe(x), slot: -1}
	if !optional {
		switch n := x.(type) {
		case *syntax.Ident:
			o.decl = c.declared[n.Ref.Bind]
		case *syntax.Member:
			c.keepObject(n.Obj, &o)
		case *syntax.Index:
			c.keepObject(n.Obj, &o)
		}
	}
	return c.chainLink(x, optional), o
}

// keepObject has the property read that is compiled next keep its object, unless a variable holds it anyway.
func (c *fn) keepObject(base syntax.Expr, o *origin) {
	o.base = describe(base)
	if o.slot = c.localSlot(base); o.slot < 0 {
		o.slot = c.temp(1)
		c.keep = o.slot + 1
	}
}

// kept compiles the object of a property read and stores its value where the reader of the property wants it.
func (c *fn) kept(x syntax.Expr, optional bool) (expr, origin) {
	slot := c.keep - 1
	c.keep = 0
	obj, o := c.traced(x, optional)
	if slot < 0 {
		return obj, o
	}
	return func(f *Frame) Value {
		v := obj(f)
		f.S[slot] = v
		return v
	}, o
}

// hint says what the object is that a value was read from.
func (o *origin) hint(f *Frame) string {
	if o.decl != nil {
		return o.decl.hint(f)
	}
	if o.slot < 0 || strings.HasPrefix(o.base, "(intermediate value)") {
		return ""
	}
	if shape := f.R.ShapeText(f.S[o.slot]); shape != "" {
		return "; " + o.base + " is " + shape
	}
	return ""
}

// takeSource is what the pattern compiled now takes apart.
func (c *fn) takeSource() origin {
	o := c.source
	c.source = origin{slot: -1}
	if o == (origin{}) {
		o.slot = -1
	}
	return o
}

// sourceOfProp tells a pattern inside of a pattern what it takes apart.
func (c *fn) sourceOfProp(p *syntax.PatternProp, whole *origin) {
	switch p.Target.(type) {
	case *syntax.ArrayPattern, *syntax.ObjectPattern:
		if p.Key.Computed == nil && whole.text != "" && !strings.HasPrefix(whole.text, "(intermediate value)") {
			c.source = origin{text: bounded(whole.text + "." + p.Key.Name), slot: -1}
		}
	}
}

// throwNullish is the TypeError of a property access on undefined or null.
func throwNullish(f *Frame, v Value, key string, from *origin, verb string) Value {
	kind := value.PrimitiveToString(v)
	form := "Cannot read properties of %s (reading '%s')"
	if verb == "set" {
		form = "Cannot set properties of %s (setting '%s')"
	}
	if from.text == "" || from.text == "(intermediate value)" {
		return f.R.ThrowTypeError(form, kind, key)
	}
	hint := f.R.NullishHint(lastKey(from.text))
	if hint == "" {
		hint = from.hint(f)
	}
	return f.R.ThrowTypeError(form+": %s is %s%s", kind, key, from.text, kind, hint)
}

// lastKey is the key that an expression ends in: "title" of "a.title", "0" of "a[0]".
func lastKey(text string) string {
	if at := strings.LastIndexByte(text, '['); at >= 0 && strings.HasSuffix(text, "]") {
		return strings.Trim(text[at+1:len(text)-1], "\"'`")
	}
	return text[strings.LastIndexByte(text, '.')+1:]
}

// needArgument are the functions that fail without their first argument.
var needArgument = map[string]map[string]bool{
	"Object":  {"keys": true, "values": true, "entries": true, "fromEntries": true, "assign": true, "groupBy": true},
	"Promise": {"all": true, "allSettled": true, "race": true, "any": true},
	"Array":   {"from": true, "fromAsync": true},
	"Map":     {"groupBy": true},
}

// needsArgument has the call of such a function tell what its first argument is, if that is undefined or null.
func (c *fn) needsArgument(n *syntax.Call, m *syntax.Member, args *arguments) {
	id, ok := m.Obj.(*syntax.Ident)
	if !ok || id.Ref.Kind != syntax.RefGlobal || len(args.list) == 0 || !needArgument[id.Name][m.Name] {
		return
	}
	from := origin{text: describe(n.Args[0]), slot: -1}
	if from.text == "" || strings.HasPrefix(from.text, "(intermediate value)") || from.text == "undefined" || from.text == "null" {
		return
	}
	switch x := n.Args[0].(type) {
	case *syntax.Member:
		from.base, from.slot = describe(x.Obj), c.localSlot(x.Obj)
	case *syntax.Index:
		from.base, from.slot = describe(x.Obj), c.localSlot(x.Obj)
	}
	first, pos := args.list[0], int32(n.Pos)
	args.list[0] = func(f *Frame) Value {
		v := first(f)
		if v.IsNullish() {
			hint := cmp.Or(f.R.NullishHint(lastKey(from.text)), from.hint(f))
			f.R.NoteNullArgument(pos, from.text, " is "+value.PrimitiveToString(v).String()+hint)
		}
		return v
	}
}

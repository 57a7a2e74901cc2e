package compile

// This file defines template literals, and sums of which a part is a text of the program, so that they are texts.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// text is what joins to one string: a literal before each part and one after the last.
type text struct {
	literals []*value.Str
	parts    []expr
	pos      []int32 // of the parts' operators, nil in a template
	hint     value.Hint
	t        int // temporaries for the parts
}

func (c *fn) template(n *syntax.TemplateLit) expr {
	x := &text{hint: value.HintString, literals: make([]*value.Str, len(n.Quasis))}
	for i, q := range n.Quasis {
		x.literals[i] = value.NewStr(q.Cooked).Freeze()
	}
	if len(n.Exprs) == 0 {
		return constant(x.literals[0].Value())
	}
	x.t = c.temp(len(n.Exprs))
	for _, e := range n.Exprs {
		x.parts = append(x.parts, c.expr(e))
	}
	return x.join
}

// textSum compiles a sum such as name + ": " + n, of which all that is added to a literal is text; nil if n has none. What stands
// before the operand in front of the first literal may be a sum of numbers and stays one.
func (c *fn) textSum(n *syntax.Binary) expr {
	var ops []*syntax.Binary // the last first
	upTo := 0                // how many of them there are from the one with the first literal on
	for at := syntax.Expr(n); ; {
		b, ok := at.(*syntax.Binary)
		if !ok || b.Op != syntax.OpAdd {
			break
		}
		if ops = append(ops, b); isText(b.L) || isLiteral(b.R) {
			upTo = len(ops)
		}
		at = b.L
	}
	if upTo == 0 {
		return nil
	}
	ops = ops[:upTo]
	first := ops[upTo-1]
	x := &text{literals: []*value.Str{value.EmptyString}, hint: value.HintDefault, t: c.temp(len(ops) + 1)}
	c.textPart(x, first.L, first)
	for i := len(ops) - 1; i >= 0; i-- {
		c.textPart(x, ops[i].R, ops[i])
	}
	if len(x.parts) == 0 {
		return constant(x.literals[0].Value())
	}
	return x.join
}

// isLiteral tells texts whose evaluation does nothing: what stands before one can become a primitive value at once, though that comes
// after the evaluation of both.
func isLiteral(x syntax.Expr) bool {
	t, ok := x.(*syntax.TemplateLit)
	return isText(x) && (!ok || len(t.Exprs) == 0)
}

func isText(x syntax.Expr) bool {
	switch x.(type) {
	case *syntax.StringLit, *syntax.TemplateLit:
		return true
	}
	return false
}

func (c *fn) textPart(x *text, part syntax.Expr, op *syntax.Binary) {
	if lit, ok := part.(*syntax.StringLit); ok {
		last := &x.literals[len(x.literals)-1]
		*last = value.Concat(*last, value.NewStr(lit.Value)).Freeze()
		return
	}
	x.parts = append(x.parts, c.expr(part))
	x.pos = append(x.pos, int32(op.Pos))
	x.literals = append(x.literals, value.EmptyString)
}

func (x *text) join(f *Frame) Value {
	for i, part := range x.parts {
		v := part(f)
		switch v.Kind() {
		case value.KindThrow:
			return v
		case value.KindObject, value.KindSymbol:
			if x.pos != nil {
				f.R.Pos = x.pos[i]
			}
			if v = f.R.JoinPart(v, x.hint); v.IsThrow() {
				return v
			}
		}
		f.S[x.t+i] = v
	}
	return x.joined(f.R, f.S[x.t:])
}

// joined makes the text of parts that are primitive values.
//
//go:noinline
func (x *text) joined(r *value.Realm, parts []Value) Value { // apart from join, whose Go frame others stand on
	var j value.Joined
	j.Begin(r)
	ok := j.Literal(x.literals[0])
	for i := range x.parts {
		if x.pos != nil {
			r.Pos = x.pos[i]
		}
		ok = ok && j.Primitive(parts[i]) && j.Literal(x.literals[i+1])
	}
	if !ok {
		return value.Throw
	}
	return j.End()
}

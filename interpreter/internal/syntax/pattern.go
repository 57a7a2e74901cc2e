package syntax

// This file converts binding patterns and assignment targets.

import "github.com/tdewolff/parse/v2/js"

// binding converts a declaration's target.
func (c *converter) binding(b js.IBinding) Expr {
	c.pass(js.CommaToken)
	start := c.here()
	if !c.enter(start) {
		c.leave()
		return &Ident{At: c.posAt(start)}
	}
	defer c.leave()
	switch b := b.(type) {
	case *js.Var:
		return c.ident(b.Data)
	case *js.BindingArray:
		return c.bindingArray(b)
	case *js.BindingObject:
		return c.bindingObject(b)
	}
	c.problem(start, false, "Invalid destructuring target")
	return &Ident{At: c.posAt(start)}
}

func (c *converter) bindingElem(e js.BindingElement) PatternElem {
	target := c.binding(e.Binding)
	return PatternElem{target, c.initialiser(e.Default)}
}

func (c *converter) bindingArray(b *js.BindingArray) Expr {
	out := &ArrayPattern{At: c.posAt(c.find(js.OpenBracketToken))}
	for i, el := range b.List {
		if i > 0 {
			c.pass(js.CommaToken)
		}
		if el.Binding == nil {
			out.Elems = append(out.Elems, PatternElem{})
			continue
		}
		out.Elems = append(out.Elems, c.bindingElem(el))
	}
	if b.Rest == nil {
		// The parser drops elisions at the end, but each takes a step of the iterator.
		if len(b.List) > 0 {
			c.pass(js.CommaToken)
		}
		for c.pass(js.CommaToken) {
			out.Elems = append(out.Elems, PatternElem{})
		}
	}
	if b.Rest != nil {
		c.find(js.EllipsisToken)
		out.Rest = c.binding(b.Rest)
	}
	c.find(js.CloseBracketToken)
	return out
}

func (c *converter) bindingObject(b *js.BindingObject) Expr {
	out := &ObjectPattern{At: c.posAt(c.find(js.OpenBraceToken))}
	for i, item := range b.List {
		if i > 0 {
			c.pass(js.CommaToken)
		}
		prop := PatternProp{At: c.posAt(c.here())}
		if v, ok := item.Value.Binding.(*js.Var); ok && (item.Key == nil || c.isShorthand(item.Key)) {
			id := c.ident(v.Data)
			prop.Key = PropName{At: id.At, Name: c.keyText(item.Key, id)}
			prop.PatternElem = PatternElem{id, c.initialiser(item.Value.Default)}
		} else {
			prop.Key = c.propName(item.Key)
			c.find(js.ColonToken)
			prop.PatternElem = c.bindingElem(item.Value)
		}
		out.Props = append(out.Props, prop)
	}
	if b.Rest != nil {
		c.find(js.EllipsisToken)
		out.Rest = c.ident(b.Rest.Data)
	}
	c.find(js.CloseBraceToken)
	return out
}

// isShorthand tells `{x}` from `{x: x}`: the parser copies the key of the former.
func (c *converter) isShorthand(key *js.PropertyName) bool {
	if key.Computed != nil || key.Literal.TokenType == js.StringToken {
		return false
	}
	_, written := c.offset(key.Literal.Data)
	return !written
}

func (c *converter) keyText(key *js.PropertyName, id *Ident) string {
	if key == nil {
		return id.Name
	}
	return identText(key.Literal.Data)
}

// target converts an assignment target.
func (c *converter) target(e js.IExpr) Expr {
	c.pass(js.CommaToken)
	start := c.here()
	if !c.enter(start) {
		c.leave()
		return &Ident{At: c.posAt(start)}
	}
	defer c.leave()
	switch e := e.(type) {
	case *js.Var:
		return c.ident(e.Data)
	case *js.ArrayExpr:
		return c.targetArray(e)
	case *js.ObjectExpr:
		return c.targetObject(e)
	case *js.GroupExpr:
		c.find(js.OpenParenToken)
		x := c.target(e.X)
		c.find(js.CloseParenToken)
		return x
	case *js.DotExpr, *js.IndexExpr:
		x, optional := c.chain(e)
		if !optional {
			return x
		}
	}
	c.problem(start, false, "Invalid left-hand side in assignment")
	return &Ident{At: c.posAt(start)}
}

// targetElem converts a target with an optional default.
func (c *converter) targetElem(e js.IExpr) PatternElem {
	if b, ok := e.(*js.BinaryExpr); ok && b.Op == js.EqToken {
		target := c.target(b.X)
		return PatternElem{target, c.initialiser(b.Y)}
	}
	return PatternElem{Target: c.target(e)}
}

func (c *converter) targetArray(e *js.ArrayExpr) Expr {
	out := &ArrayPattern{At: c.posAt(c.find(js.OpenBracketToken))}
	for i, el := range e.List {
		if i > 0 {
			c.pass(js.CommaToken)
		}
		switch {
		case el.Value == nil:
			out.Elems = append(out.Elems, PatternElem{})
		case el.Spread:
			c.find(js.EllipsisToken)
			out.Rest = c.target(el.Value)
		default:
			out.Elems = append(out.Elems, c.targetElem(el.Value))
		}
	}
	c.find(js.CloseBracketToken)
	return out
}

func (c *converter) targetObject(e *js.ObjectExpr) Expr {
	out := &ObjectPattern{At: c.posAt(c.find(js.OpenBraceToken))}
	for i, p := range e.List {
		if i > 0 {
			c.pass(js.CommaToken)
		}
		if p.Spread {
			c.find(js.EllipsisToken)
			start := c.here()
			out.Rest = c.target(p.Value)
			c.checkRestTarget(out.Rest, start)
			continue
		}
		prop := PatternProp{At: c.posAt(c.here())}
		if v, ok := p.Value.(*js.Var); ok && (p.Name == nil || c.isShorthand(p.Name)) {
			id := c.ident(v.Data)
			prop.Key = PropName{At: id.At, Name: c.keyText(p.Name, id)}
			prop.PatternElem = PatternElem{id, c.initialiser(p.Init)}
		} else if p.Name == nil {
			c.problem(c.here(), false, "Invalid destructuring assignment target")
			return out
		} else {
			prop.Key = c.propName(p.Name)
			c.find(js.ColonToken)
			prop.PatternElem = c.targetElem(p.Value)
		}
		out.Props = append(out.Props, prop)
	}
	c.find(js.CloseBraceToken)
	return out
}

package syntax

// This file converts functions, classes and object literals.

import "github.com/tdewolff/parse/v2/js"

// funcDecl converts a function declaration or expression.
func (c *converter) funcDecl(f *js.FuncDecl) *Function {
	out := &Function{At: c.posAt(c.here()), Kind: FuncNormal, Async: f.Async, Generator: f.Generator}
	return c.activation(out, func() {
		c.find(js.FunctionToken)
		if f.Name != nil {
			out.Name = c.ident(f.Name.Data)
		}
		c.params(out, f.Params)
		_, out.Body = c.braced(f.Body.List)
	})
}

// activation measures the nesting inside a function and sets its end.
func (c *converter) activation(f *Function, convert func()) *Function {
	depth, deepest := c.depth, c.deepest
	c.deepest = depth
	convert()
	f.Depth = c.deepest - depth
	c.deepest = deepest
	f.End = c.pos(c.behind())
	return f
}

func (c *converter) params(f *Function, p js.Params) {
	c.find(js.OpenParenToken)
	c.paramList(f, p)
	c.find(js.CloseParenToken)
}

func (c *converter) paramList(f *Function, p js.Params) {
	for _, el := range p.List {
		e := c.bindingElem(el)
		f.Params = append(f.Params, Param(e))
	}
	if p.Rest != nil {
		c.find(js.EllipsisToken)
		f.Rest = c.binding(p.Rest)
	}
}

func (c *converter) arrow(f *js.ArrowFunc) *Function {
	out := &Function{At: c.posAt(c.here()), Kind: FuncArrow, Async: f.Async}
	return c.activation(out, func() {
		if f.Async {
			c.find(js.AsyncToken)
		}
		if c.kind() == js.OpenParenToken {
			c.params(out, f.Params)
		} else {
			c.paramList(out, f.Params)
		}
		c.find(js.ArrowToken)
		if c.kind() == js.OpenBraceToken {
			_, out.Body = c.braced(f.Body.List)
			return
		}
		out.Concise = true
		at := c.posAt(c.here())
		if len(f.Body.List) == 1 {
			if r, ok := f.Body.List[0].(*js.ReturnStmt); ok {
				out.Body = []Stmt{&Return{at, c.expr(r.Value)}}
				return
			}
		}
		out.Concise = false
		out.Body = c.stmts(f.Body.List)
	})
}

func (c *converter) class(d *js.ClassDecl) *Class {
	out := &Class{At: c.posAt(c.find(js.ClassToken))}
	if d.Name != nil {
		out.Name = c.ident(d.Name.Data)
	}
	if d.Extends != nil {
		c.find(js.ExtendsToken)
		out.Super = c.expr(d.Extends)
	}
	c.find(js.OpenBraceToken)
	for i := range d.List {
		for c.pass(js.SemicolonToken) {
		}
		c.classElement(out, &d.List[i])
	}
	c.find(js.CloseBraceToken)
	out.End = c.pos(c.behind())
	return out
}

func (c *converter) classElement(out *Class, e *js.ClassElement) {
	switch {
	case e.StaticBlock != nil:
		out.Members = append(out.Members, c.staticBlock(e.StaticBlock))
	case e.Method != nil:
		m := c.method(e.Method)
		if isConstructor(e.Method) {
			m.Func.Kind, m.Func.Derived = FuncConstructor, out.Super != nil
			out.Ctor = m.Func
			return
		}
		out.Members = append(out.Members, m)
	default:
		out.Members = append(out.Members, c.field(&e.Field))
	}
}

func isConstructor(m *js.MethodDecl) bool {
	return !m.Static && m.Name.Private == nil && m.Name.Computed == nil && !m.Get && !m.Set && nameText(&m.Name.Literal) == "constructor"
}

func (c *converter) staticBlock(b *js.BlockStmt) ClassMember {
	at := c.posAt(c.find(js.StaticToken))
	f := &Function{At: at, Kind: FuncField}
	c.activation(f, func() { _, f.Body = c.braced(b.List) })
	return ClassMember{At: at, Kind: MemberStaticBlock, Static: true, Func: f}
}

func (c *converter) field(f *js.Field) ClassMember {
	if f.Static {
		c.find(js.StaticToken)
	}
	m := ClassMember{At: c.posAt(c.here()), Kind: MemberField, Static: f.Static}
	m.Key = c.elementName(&f.Name)
	if f.Init != nil {
		fn := &Function{At: c.posAt(c.here()), Kind: FuncField}
		c.find(js.EqToken)
		fn.At = c.posAt(c.here())
		m.Func = c.activation(fn, func() { fn.Body = []Stmt{&Return{fn.At, c.expr(f.Init)}} })
	}
	return m
}

// method converts a method, getter or setter of a class or object.
func (c *converter) method(m *js.MethodDecl) ClassMember {
	if m.Static {
		c.find(js.StaticToken)
	}
	out := ClassMember{At: c.posAt(c.here()), Kind: MemberMethod, Static: m.Static}
	f := &Function{At: out.At, Kind: FuncMethod, Async: m.Async, Generator: m.Generator}
	switch {
	case m.Get:
		out.Kind = MemberGetter
		c.find(js.GetToken)
	case m.Set:
		out.Kind = MemberSetter
		c.find(js.SetToken)
	}
	if m.Async {
		c.find(js.AsyncToken)
	}
	if m.Generator {
		c.find(js.MulToken)
	}
	out.Key = c.elementName(&m.Name)
	out.Func = c.activation(f, func() {
		c.params(f, m.Params)
		if m.Set {
			c.checkSetter(f)
		}
		_, f.Body = c.braced(m.Body.List)
	})
	return out
}

func (c *converter) elementName(n *js.ClassElementName) PropName {
	if n.Private != nil {
		return PropName{At: c.posAt(c.name(n.Private.Data)), Name: identText(n.Private.Data)[1:], Private: true}
	}
	return c.propName(&n.PropertyName)
}

// propName converts a written property name.
func (c *converter) propName(n *js.PropertyName) PropName {
	if n.Computed != nil {
		at := c.posAt(c.here())
		return PropName{At: at, Computed: c.bracketed(n.Computed)}
	}
	return PropName{At: c.posAt(c.cursor.at(n.Literal.Data)), Name: nameText(&n.Literal)}
}

func (c *converter) object(e *js.ObjectExpr) Expr {
	out := &ObjectLit{At: c.posAt(c.find(js.OpenBraceToken)), Props: make([]Property, 0, len(e.List))}
	for i := range e.List {
		if i > 0 {
			c.pass(js.CommaToken)
		}
		out.Props = append(out.Props, c.property(&e.List[i]))
	}
	c.find(js.CloseBraceToken)
	return out
}

func (c *converter) property(p *js.Property) Property {
	out := Property{At: c.posAt(c.here())}
	if p.Spread {
		c.find(js.EllipsisToken)
		out.Kind, out.Value = MemberSpread, c.expr(p.Value)
		return out
	}
	if m, ok := p.Value.(*js.MethodDecl); ok {
		cm := c.method(m)
		out.Kind, out.Key = cm.Kind, cm.Key
		out.Value = &FunctionExpr{cm.At, cm.Func}
		return out
	}
	if p.Init != nil {
		c.problem(c.here(), false, "Invalid shorthand property initializer", "write a colon instead of '=' in an object literal")
	}
	if v, ok := p.Value.(*js.Var); ok && c.isShorthand(p.Name) {
		id := c.ident(v.Data)
		out.Kind, out.Value = MemberShorthand, id
		out.Key = PropName{At: id.At, Name: c.keyText(p.Name, id)}
		return out
	}
	out.Kind, out.Key = MemberInit, c.propName(p.Name)
	if out.Key.Computed == nil && out.Key.Name == "__proto__" {
		out.Kind = MemberProto
	}
	c.find(js.ColonToken)
	out.Value = c.expr(p.Value)
	return out
}

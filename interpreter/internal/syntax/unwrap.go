package syntax

// This file recognises programs that are written as one function to be called, and makes that function's body the
// program.

import "github.com/tdewolff/parse/v2/js"

// entryNames are the names of a lone function that is meant to be called.
var entryNames = map[string]bool{"main": true, "run": true, "execute": true}

// ambient are the globals a wrapper may take as parameters; its body then means the globals themselves.
var ambient = map[string]bool{"tools": true, "input": true, "console": true}

func (c *converter) unwrap(p *Program) {
	body := p.Main.Body
	for len(body) > 0 {
		if _, empty := body[len(body)-1].(*Empty); !empty {
			break
		}
		body = body[:len(body)-1]
	}
	if len(body) == 0 || !allDeclarations(body[:len(body)-1]) {
		return
	}
	switch last := body[len(body)-1].(type) {
	case *ExprStmt:
		c.unwrapValue(p, body, last.X)
	case *Return:
		if last.X != nil {
			c.unwrapValue(p, body, last.X)
		}
	case *Block:
		if label := asObject(last); label != "" {
			p.Notes = append(p.Notes, "the braces around "+label+": … are a block and not an object: to return an object, write return { "+label+": … }")
		}
	case *FunctionDecl:
		c.callEntry(p, last.Func.Name, last.Func)
	case *VarDecl:
		if len(last.Decls) != 1 || last.Kind == DeclVar && last.Decls[0].Init == nil {
			return
		}
		name, isName := last.Decls[0].Target.(*Ident)
		if fn, ok := last.Decls[0].Init.(*FunctionExpr); ok && isName {
			c.callEntry(p, name, fn.Func)
		}
	}
}

func allDeclarations(list []Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *VarDecl, *FunctionDecl, *ClassDecl, *Empty:
		case *ExprStmt:
			if !isEnumBody(s.X) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isEnumBody recognises what erasure makes of an enum: (E=>{…})(E||(E={})).
func isEnumBody(e Expr) bool {
	call, ok := e.(*Call)
	if !ok || len(call.Args) != 1 {
		return false
	}
	arg, ok := call.Args[0].(*Logical)
	if !ok || arg.Op != OpOr {
		return false
	}
	_, assigns := arg.R.(*Assign)
	fn, ok := call.Callee.(*FunctionExpr)
	return ok && assigns && fn.Func.Kind == FuncArrow
}

// unwrapValue handles a last statement that is a function or the call of one. A wrapper that stands alone is replaced
// by its body; after declarations it is called.
func (c *converter) unwrapValue(p *Program, body []Stmt, x Expr) {
	called := false
	if a, ok := x.(*Await); ok {
		x = a.X
	}
	if call, ok := x.(*Call); ok && len(call.Args) == 0 && !call.Optional {
		x, called = call.Callee, true
	}
	fn, ok := x.(*FunctionExpr)
	if !ok || !isWrapper(fn.Func) {
		return
	}
	// Only an arrow shares this and arguments with the program around it.
	if len(body) == 1 && (fn.Func.Kind == FuncArrow || !c.mentions("arguments", fn.Func)) && (fn.Func.Name == nil || !c.mentionsTwice(fn.Func.Name.Name)) {
		p.Main.Body, p.Main.Depth = fn.Func.Body, max(p.Main.Depth, fn.Func.Depth)
		p.Notes = append(p.Notes, "the program was one wrapper function; its body was run")
		return
	}
	if called {
		return // runs as written
	}
	at := At{fn.Pos}
	body[len(body)-1] = &Return{at, &Call{At: at, Callee: fn, Args: ambientArgs(at, fn.Func)}}
	p.Main.Body = body
	p.Notes = append(p.Notes, "the function that the program ends with was called")
}

// isWrapper tells whether a function can be called without arguments and mean the same.
func isWrapper(f *Function) bool {
	if f.Generator || f.Rest != nil {
		return false
	}
	for _, p := range f.Params {
		if p.Default != nil || !isAmbient(p.Target) {
			return false
		}
	}
	return len(f.Params) == 0 || f.Kind == FuncArrow || f.Kind == FuncNormal
}

// isAmbient recognises a parameter that only names globals: tools, {tools, input}.
func isAmbient(target Expr) bool {
	switch t := target.(type) {
	case *Ident:
		return ambient[t.Name]
	case *ObjectPattern:
		for _, prop := range t.Props {
			id, ok := prop.Target.(*Ident)
			if !ok || prop.Default != nil || prop.Key.Computed != nil || prop.Key.Name != id.Name || !ambient[id.Name] {
				return false
			}
		}
		return t.Rest == nil
	}
	return false
}

// callEntry calls a lone main function, with the globals that it takes as parameters.
func (c *converter) callEntry(p *Program, name *Ident, f *Function) {
	if name == nil || c.mentionsOutside(name.Name, name.Pos, f) {
		return
	}
	if !entryNames[name.Name] || !isWrapper(f) {
		p.Notes = append(p.Notes, name.Orig+" was declared but never called, and the program has no result: end it with return "+callText(name.Orig, f))
		return
	}
	at := At{name.Pos}
	call := &Call{At: at, Callee: &Ident{At: at, Name: name.Name, Orig: name.Orig}, Args: ambientArgs(at, f)}
	p.Main.Body = append(p.Main.Body, &Return{at, call})
	p.Notes = append(p.Notes, "the program only declared "+name.Orig+"; it was called")
}

// callText is how a function is called in a note.
func callText(name string, f *Function) string {
	args := ""
	if len(f.Params) > 0 || f.Rest != nil {
		args = "…"
	}
	if f.Async && !f.Generator {
		return "await " + name + "(" + args + ")"
	}
	return name + "(" + args + ")"
}

// asObject recognises a block that was meant as an object, { a: 1 }, and gives its label.
func asObject(b *Block) string {
	if len(b.Body) != 1 {
		return ""
	}
	if l, ok := b.Body[0].(*Labeled); ok {
		if _, ok := l.Body.(*ExprStmt); ok {
			return l.Label
		}
	}
	return ""
}

// ambientArgs are the globals that a wrapper's parameters name.
func ambientArgs(at At, f *Function) []Expr {
	var args []Expr
	for _, prm := range f.Params {
		args = append(args, ambientValue(at, prm.Target))
	}
	return args
}

func ambientValue(at At, target Expr) Expr {
	if id, ok := target.(*Ident); ok {
		return &Ident{At: at, Name: id.Name, Orig: id.Name}
	}
	obj := &ObjectLit{At: at}
	for _, prop := range target.(*ObjectPattern).Props {
		value := &Ident{At: at, Name: prop.Key.Name, Orig: prop.Key.Name}
		obj.Props = append(obj.Props, Property{At: at, Kind: MemberShorthand, Key: PropName{At: at, Name: prop.Key.Name}, Value: value})
	}
	return obj
}

// mentionsOutside tells whether a name is used anywhere but at its declaration and inside the function itself.
func (c *converter) mentionsOutside(name string, declared Pos, f *Function) bool {
	return c.anyName(name, func(at Pos) bool { return at != declared && (at < f.Pos || at >= f.End) })
}

func (c *converter) mentions(name string, f *Function) bool {
	return c.anyName(name, func(at Pos) bool { return at >= f.Pos && at < f.End })
}

func (c *converter) mentionsTwice(name string) bool {
	n := 0
	return c.anyName(name, func(Pos) bool { n++; return n > 1 })
}

// anyName looks for an identifier that is not a member name.
func (c *converter) anyName(name string, match func(Pos) bool) bool {
	for i, t := range c.toks {
		if js.IsIdentifierName(t.kind) && string(c.src[t.off:t.end]) == name && !isMemberName(c.toks[:i+1]) && match(c.pos(t.off)) {
			return true
		}
	}
	return false
}

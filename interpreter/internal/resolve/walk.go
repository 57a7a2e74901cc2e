package resolve

// This file defines the walk over statements and expressions.

import "github.com/codemode-go/codemode/interpreter/internal/syntax"

func (r *resolver) stmt(st syntax.Stmt) {
	switch n := st.(type) {
	case *syntax.ExprStmt:
		r.expr(n.X)
	case *syntax.VarDecl:
		r.varDecl(n)
	case *syntax.FunctionDecl, *syntax.Empty, *syntax.Break, *syntax.Continue:
	case *syntax.ClassDecl:
		n.Class.Name.Ref = r.lookup(n.Class.Name.Name, n.Class.Name.Pos)
		r.class(n.Class)
		r.initialize(n.Class.Name)
	case *syntax.Return:
		r.opt(n.X)
	case *syntax.If:
		r.expr(n.Test)
		r.stmt(n.Then)
		if n.Else != nil {
			r.stmt(n.Else)
		}
	case *syntax.For:
		r.forLoop(n)
	case *syntax.ForIn:
		n.TDZ = r.forHead(n.Kind, n.Target, n.Right)
		n.Scope = r.forBody(n.Kind, n.Target, n.Body)
	case *syntax.ForOf:
		if n.Await {
			r.fn.info.HasAwait = true
		}
		n.TDZ = r.forHead(n.Kind, n.Target, n.Right)
		n.Scope = r.forBody(n.Kind, n.Target, n.Body)
	case *syntax.While:
		r.expr(n.Test)
		r.stmt(n.Body)
	case *syntax.DoWhile:
		r.stmt(n.Body)
		r.expr(n.Test)
	case *syntax.Block:
		n.Scope = r.block(n.Body)
	case *syntax.Throw:
		r.expr(n.X)
	case *syntax.Try:
		r.try(n)
	case *syntax.Switch:
		r.switchStmt(n)
	case *syntax.Labeled:
		r.stmt(n.Body)
	}
}

func (r *resolver) varDecl(n *syntax.VarDecl) {
	for _, d := range n.Decls {
		// An initialiser is evaluated before the target's names are initialised, a pattern's parts before its value is
		// bound; names are resolved first only to have their references.
		if d.Init != nil {
			r.expr(d.Init)
		}
		r.bindTarget(d.Target)
	}
}

// bindTarget resolves a declaration's target and marks its names initialised.
func (r *resolver) bindTarget(target syntax.Expr) {
	switch n := target.(type) {
	case *syntax.Ident:
		r.ident(n)
		n.Ref.Check = false
		r.initialize(n)
	case *syntax.ArrayPattern:
		for _, e := range n.Elems {
			if e.Target != nil {
				r.opt(e.Default)
				r.bindTarget(e.Target)
			}
		}
		if n.Rest != nil {
			r.bindTarget(n.Rest)
		}
	case *syntax.ObjectPattern:
		for _, p := range n.Props {
			r.opt(p.Key.Computed)
			r.opt(p.Default)
			r.bindTarget(p.Target)
		}
		if n.Rest != nil {
			r.bindTarget(n.Rest)
		}
	}
}

// assignTarget resolves the target of an assignment.
func (r *resolver) assignTarget(target syntax.Expr) {
	switch n := target.(type) {
	case *syntax.Ident:
		r.ident(n)
		if n.Ref.Bind != nil {
			n.Ref.Bind.Assigned = true
		}
	case *syntax.ArrayPattern:
		for _, e := range n.Elems {
			if e.Target != nil {
				r.opt(e.Default)
				r.assignTarget(e.Target)
			}
		}
		if n.Rest != nil {
			r.assignTarget(n.Rest)
		}
	case *syntax.ObjectPattern:
		for _, p := range n.Props {
			r.opt(p.Key.Computed)
			r.opt(p.Default)
			r.assignTarget(p.Target)
		}
		if n.Rest != nil {
			r.assignTarget(n.Rest)
		}
	default:
		r.expr(target)
	}
}

func (r *resolver) forLoop(n *syntax.For) {
	n.Scope = newScope(r.fn.f, r.scope)
	defer r.push(n.Scope)()
	if d, ok := n.Init.(*syntax.VarDecl); ok {
		switch d.Kind {
		case syntax.DeclLet:
			r.declareEach(n.Scope, d, syntax.BindLet)
		case syntax.DeclConst:
			r.declareEach(n.Scope, d, syntax.BindConst)
		}
	}
	if n.Init != nil {
		r.stmt(n.Init)
	}
	r.opt(n.Test)
	// The body runs before the update, and a closure made by either must not differ.
	r.stmt(n.Body)
	r.opt(n.Update)
	r.finish(n.Scope)
}

// forHead resolves the iterated expression with the loop's names in their dead zone.
func (r *resolver) forHead(kind syntax.DeclKind, target, right syntax.Expr) *syntax.Scope {
	var s *syntax.Scope
	if kind == syntax.DeclLet || kind == syntax.DeclConst {
		s = newScope(r.fn.f, r.scope)
		defer r.push(s)()
		r.declareTarget(s, target, syntax.BindLet)
	}
	r.expr(right)
	if s != nil {
		r.finish(s)
	}
	return s
}

func (r *resolver) forBody(kind syntax.DeclKind, target syntax.Expr, body syntax.Stmt) *syntax.Scope {
	s := newScope(r.fn.f, r.scope)
	defer r.push(s)()
	switch kind {
	case syntax.DeclLet:
		r.declareTarget(s, target, syntax.BindLet)
		r.bindTarget(target)
	case syntax.DeclConst:
		r.declareTarget(s, target, syntax.BindConst)
		r.bindTarget(target)
	case syntax.DeclVar:
		r.bindTarget(target)
	default:
		r.assignTarget(target)
	}
	r.stmt(body)
	r.finish(s)
	return s
}

func (r *resolver) try(n *syntax.Try) {
	n.Block.Scope = r.block(n.Block.Body)
	if n.Handler != nil {
		func() {
			n.ParamScope = newScope(r.fn.f, r.scope)
			defer r.push(n.ParamScope)()
			if n.Param != nil {
				kind := syntax.BindCatch
				r.declareTarget(n.ParamScope, n.Param, kind)
				if _, simple := n.Param.(*syntax.Ident); !simple {
					for _, b := range n.ParamScope.List {
						b.TDZ = true
					}
				}
				r.bindTarget(n.Param)
			}
			n.Handler.Scope = r.block(n.Handler.Body)
			r.finish(n.ParamScope)
		}()
	}
	if n.Finally != nil {
		n.Finally.Scope = r.block(n.Finally.Body)
	}
}

func (r *resolver) switchStmt(n *syntax.Switch) {
	r.expr(n.Disc)
	s := newScope(r.fn.f, r.scope)
	s.Switch = true
	n.Scope = s
	defer r.push(s)()
	for _, c := range n.Cases {
		r.declareLexical(c.Body, s)
	}
	r.statements(nil, s)
	for _, c := range n.Cases {
		r.opt(c.Test)
		for _, st := range c.Body {
			r.stmt(st)
		}
	}
	r.finish(s)
}

func (r *resolver) opt(x syntax.Expr) {
	if x != nil {
		r.expr(x)
	}
}

func (r *resolver) list(xs []syntax.Expr) {
	for _, x := range xs {
		r.opt(x)
	}
}

func (r *resolver) expr(x syntax.Expr) {
	switch n := x.(type) {
	case *syntax.Ident:
		r.ident(n)
	case *syntax.TemplateLit:
		r.list(n.Exprs)
	case *syntax.TaggedTemplate:
		r.expr(n.Tag)
		r.list(n.Quasi.Exprs)
	case *syntax.ArrayLit:
		r.list(n.Elems)
	case *syntax.ObjectLit:
		for i := range n.Props {
			r.opt(n.Props[i].Key.Computed)
			r.expr(n.Props[i].Value)
		}
	case *syntax.FunctionExpr:
		r.functionExpr(n.Func)
	case *syntax.ClassExpr:
		r.class(n.Class)
	case *syntax.Unary:
		r.expr(n.X)
	case *syntax.Update:
		r.assignTarget(n.X)
	case *syntax.Binary:
		r.dashed(n)
		r.expr(n.L)
		r.expr(n.R)
	case *syntax.Logical:
		r.expr(n.L)
		r.expr(n.R)
	case *syntax.Conditional:
		r.expr(n.Test)
		r.expr(n.Then)
		r.expr(n.Else)
	case *syntax.Assign:
		r.assignTarget(n.Target)
		r.expr(n.Value)
	case *syntax.Sequence:
		r.list(n.List)
	case *syntax.Call:
		r.named(n)
		r.expr(n.Callee)
		r.list(n.Args)
	case *syntax.New:
		r.expr(n.Callee)
		r.list(n.Args)
	case *syntax.Member:
		r.expr(n.Obj)
	case *syntax.Index:
		r.expr(n.Obj)
		r.expr(n.Index)
	case *syntax.PrivateMember:
		r.expr(n.Obj)
		n.Ref = r.lookup("#"+n.Name, n.Pos)
	case *syntax.PrivateIn:
		n.Ref = r.lookup("#"+n.Name, n.Pos)
		r.expr(n.Right)
	case *syntax.SuperMember:
		r.opt(n.Index)
		n.This = r.this()
		r.lexical()
	case *syntax.SuperCall:
		r.list(n.Args)
		n.This = r.this()
		r.lexical()
	case *syntax.OptionalChain:
		r.expr(n.X)
	case *syntax.This:
		n.Ref = r.this()
	case *syntax.NewTarget:
		r.lexical()
	case *syntax.Await:
		r.fn.info.HasAwait = true
		r.expr(n.X)
	case *syntax.Yield:
		r.fn.info.HasYield = true
		r.opt(n.X)
	case *syntax.Spread:
		r.expr(n.X)
	}
}

// functionExpr resolves a function expression; its own name is a binding of a scope around its parameters.
func (r *resolver) functionExpr(f *syntax.Function) {
	if f.Name == nil || f.Kind != syntax.FuncNormal {
		r.function(f, nil)
		return
	}
	s := newScope(f, r.scope)
	defer r.push(s)()
	b := &syntax.Binding{Name: f.Name.Name, Orig: f.Name.Orig, Kind: syntax.BindFuncName, Scope: s}
	s.Names[b.Name] = b
	r.function(f, b)
}

// this resolves the this of the nearest function that has one; in derived constructors it is a binding.
func (r *resolver) this() syntax.Ref {
	for st := r.fn; st != nil; st = st.outer {
		if st.f.Kind != syntax.FuncArrow {
			if b := st.f.Scope.Names[thisName]; b != nil {
				b.Used = true
				ref := r.refer(r.fn, b)
				ref.Check, b.Checked = true, true
				return ref
			}
			break
		}
	}
	for st := r.fn; st != nil && st.f.Kind == syntax.FuncArrow; st = st.outer {
		st.info.UsesThis = true
	}
	return syntax.Ref{}
}

// lexical notes that arrows from here outwards need the home object or new.target of the function around them.
func (r *resolver) lexical() {
	for st := r.fn; st != nil; st = st.outer {
		st.info.UsesLexical = true
		if st.f.Kind != syntax.FuncArrow {
			break
		}
	}
}

// class resolves a class: heritage and member keys in the class scope, in order, then the bodies.
func (r *resolver) class(c *syntax.Class) {
	s := newScope(r.fn.f, r.scope)
	c.Scope = s
	defer r.push(s)()
	if c.Name != nil {
		c.Inner = r.declare(s, c.Name.Name, c.Name.Orig, syntax.BindClassName, c.Name.Pos)
	}
	for i := range c.Members {
		if k := &c.Members[i].Key; k.Private {
			b := r.declare(s, "#"+k.Name, "#"+k.Name, syntax.BindPrivate, k.Pos)
			r.fn.inited[b] = true
			c.Members[i].Bind = b
		}
	}
	r.opt(c.Super)
	for i := range c.Members {
		r.opt(c.Members[i].Key.Computed)
	}
	// Bodies run only after the inner name has its value.
	if c.Inner != nil {
		r.fn.inited[c.Inner] = true
	}
	if c.Ctor != nil {
		r.function(c.Ctor, nil)
	}
	for i := range c.Members {
		if f := c.Members[i].Func; f != nil {
			r.function(f, nil)
		}
	}
	r.finish(s)
}

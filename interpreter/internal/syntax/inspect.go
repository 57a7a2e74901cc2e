package syntax

// This file defines a walk over the tree.

// Inspect calls visit for n and everything below it in source order; visit returning false keeps the walk out of a node.
// Bodies of functions are visited as *Function, classes through their members.
func Inspect(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	w := walker{visit}
	switch x := n.(type) {
	case Stmt:
		w.stmt(x)
	case Expr:
		w.expr(x)
	case *Function:
		w.function(x)
	}
}

type walker struct{ visit func(Node) bool }

func (w walker) opt(x Expr) {
	if x != nil {
		Inspect(x, w.visit)
	}
}

func (w walker) exprs(xs []Expr) {
	for _, x := range xs {
		w.opt(x)
	}
}

func (w walker) stmts(list []Stmt) {
	for _, s := range list {
		Inspect(s, w.visit)
	}
}

func (w walker) block(b *Block) {
	if b != nil {
		Inspect(b, w.visit)
	}
}

func (w walker) function(f *Function) {
	for _, p := range f.Params {
		w.opt(p.Target)
		w.opt(p.Default)
	}
	w.opt(f.Rest)
	w.stmts(f.Body)
}

func (w walker) class(c *Class) {
	w.opt(c.Super)
	if c.Ctor != nil {
		Inspect(c.Ctor, w.visit)
	}
	for i := range c.Members {
		w.opt(c.Members[i].Key.Computed)
		if f := c.Members[i].Func; f != nil {
			Inspect(f, w.visit)
		}
	}
}

func (w walker) stmt(s Stmt) {
	switch n := s.(type) {
	case *ExprStmt:
		w.opt(n.X)
	case *VarDecl:
		for _, d := range n.Decls {
			w.opt(d.Target)
			w.opt(d.Init)
		}
	case *FunctionDecl:
		Inspect(n.Func, w.visit)
	case *ClassDecl:
		w.class(n.Class)
	case *Return:
		w.opt(n.X)
	case *If:
		w.opt(n.Test)
		Inspect(n.Then, w.visit)
		if n.Else != nil {
			Inspect(n.Else, w.visit)
		}
	case *For:
		if n.Init != nil {
			Inspect(n.Init, w.visit)
		}
		w.opt(n.Test)
		w.opt(n.Update)
		Inspect(n.Body, w.visit)
	case *ForIn:
		w.opt(n.Target)
		w.opt(n.Right)
		Inspect(n.Body, w.visit)
	case *ForOf:
		w.opt(n.Target)
		w.opt(n.Right)
		Inspect(n.Body, w.visit)
	case *While:
		w.opt(n.Test)
		Inspect(n.Body, w.visit)
	case *DoWhile:
		Inspect(n.Body, w.visit)
		w.opt(n.Test)
	case *Block:
		w.stmts(n.Body)
	case *Throw:
		w.opt(n.X)
	case *Try:
		w.block(n.Block)
		w.opt(n.Param)
		w.block(n.Handler)
		w.block(n.Finally)
	case *Switch:
		w.opt(n.Disc)
		for _, c := range n.Cases {
			w.opt(c.Test)
			w.stmts(c.Body)
		}
	case *Labeled:
		Inspect(n.Body, w.visit)
	}
}

func (w walker) expr(x Expr) {
	switch n := x.(type) {
	case *TemplateLit:
		w.exprs(n.Exprs)
	case *TaggedTemplate:
		w.opt(n.Tag)
		w.exprs(n.Quasi.Exprs)
	case *ArrayLit:
		w.exprs(n.Elems)
	case *ObjectLit:
		for i := range n.Props {
			w.opt(n.Props[i].Key.Computed)
			w.opt(n.Props[i].Value)
		}
	case *FunctionExpr:
		Inspect(n.Func, w.visit)
	case *ClassExpr:
		w.class(n.Class)
	case *Unary:
		w.opt(n.X)
	case *Update:
		w.opt(n.X)
	case *Binary:
		w.exprs([]Expr{n.L, n.R})
	case *Logical:
		w.exprs([]Expr{n.L, n.R})
	case *Conditional:
		w.exprs([]Expr{n.Test, n.Then, n.Else})
	case *Assign:
		w.exprs([]Expr{n.Target, n.Value})
	case *Sequence:
		w.exprs(n.List)
	case *Call:
		w.opt(n.Callee)
		w.exprs(n.Args)
	case *New:
		w.opt(n.Callee)
		w.exprs(n.Args)
	case *Member:
		w.opt(n.Obj)
	case *Index:
		w.exprs([]Expr{n.Obj, n.Index})
	case *PrivateMember:
		w.opt(n.Obj)
	case *PrivateIn:
		w.opt(n.Right)
	case *SuperMember:
		w.opt(n.Index)
	case *SuperCall:
		w.exprs(n.Args)
	case *OptionalChain:
		w.opt(n.X)
	case *Await:
		w.opt(n.X)
	case *Yield:
		w.opt(n.X)
	case *Spread:
		w.opt(n.X)
	case *ArrayPattern:
		for _, e := range n.Elems {
			w.exprs([]Expr{e.Target, e.Default})
		}
		w.opt(n.Rest)
	case *ObjectPattern:
		for i := range n.Props {
			w.exprs([]Expr{n.Props[i].Key.Computed, n.Props[i].Target, n.Props[i].Default})
		}
		w.opt(n.Rest)
	}
}

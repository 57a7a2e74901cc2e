package syntax

// This file converts statements.

import "github.com/tdewolff/parse/v2/js"

// converter turns the third-party tree into ours. It visits the tree in source order, since the cursor moves forward
// only.
type converter struct {
	cursor
	names    func(Pos) string
	wrapped  []Pos // offsets of inserted parentheses, ascending
	problems []Problem
	regexps  []*RegExpLit
	depth    int32
	deepest  int32
	tooDeep  bool
}

// pos translates an offset in the parsed text to one in the stripped text.
func (c *converter) pos(p Pos) Pos {
	if len(c.wrapped) == 0 || p < 0 {
		return p
	}
	n := Pos(0)
	for _, w := range c.wrapped {
		if w >= p {
			break
		}
		n++
	}
	return p - n
}

func (c *converter) posAt(p Pos) At { return At{c.pos(p)} }

func (c *converter) enter(p Pos) bool {
	c.depth++
	c.deepest = max(c.deepest, c.depth)
	if c.depth <= maxDepth {
		return true
	}
	if !c.tooDeep {
		c.tooDeep = true
		c.problem(p, false, "the program is nested too deeply", "split it into several statements or functions")
	}
	return false
}

func (c *converter) leave() { c.depth-- }

func (c *converter) problem(p Pos, unsupported bool, message string, suggestions ...string) {
	c.problems = append(c.problems, Problem{Pos: c.pos(p), End: c.pos(c.behind()), Unsupported: unsupported, Message: message, Suggestions: suggestions})
}

func (c *converter) stmts(list []js.IStmt) []Stmt {
	out := make([]Stmt, 0, len(list))
	for _, s := range list {
		if _, ok := s.(*js.Comment); ok {
			continue
		}
		out = append(out, c.stmt(s))
	}
	return out
}

// braced converts the statements between the next pair of braces.
func (c *converter) braced(list []js.IStmt) (at Pos, body []Stmt) {
	at = c.find(js.OpenBraceToken)
	body = c.stmts(list)
	c.find(js.CloseBraceToken)
	return at, body
}

func (c *converter) block(b *js.BlockStmt) *Block {
	at, body := c.braced(b.List)
	return &Block{At: c.posAt(at), Body: body}
}

func (c *converter) stmt(s js.IStmt) Stmt {
	for c.pass(js.SemicolonToken) {
	}
	at := c.posAt(c.here())
	if !c.enter(c.here()) {
		c.leave()
		return &Empty{at}
	}
	defer c.leave()
	switch s := s.(type) {
	case *js.ExprStmt:
		return &ExprStmt{at, c.expr(s.Value)}
	case *js.VarDecl:
		return c.varDecl(s)
	case *js.BlockStmt:
		return c.block(s)
	case *js.ReturnStmt:
		c.find(js.ReturnToken)
		return &Return{at, c.optional(s.Value)}
	case *js.IfStmt:
		return c.ifStmt(s)
	case *js.FuncDecl:
		return &FunctionDecl{at, c.funcDecl(s)}
	case *js.ClassDecl:
		return &ClassDecl{at, c.class(s)}
	case *js.ThrowStmt:
		c.find(js.ThrowToken)
		return &Throw{at, c.expr(s.Value)}
	case *js.TryStmt:
		return c.tryStmt(s)
	case *js.DirectivePrologueStmt:
		c.at(s.Value)
		return &ExprStmt{at, &StringLit{at, cookString(s.Value)}}
	}
	return c.control(at, s)
}

// control converts loops, jumps and the rarer statements.
func (c *converter) control(at At, s js.IStmt) Stmt {
	switch s := s.(type) {
	case *js.ForStmt:
		return c.forStmt(at, s)
	case *js.ForInStmt:
		return c.forIn(at, s)
	case *js.ForOfStmt:
		return c.forOf(at, s)
	case *js.WhileStmt:
		c.find(js.WhileToken)
		return &While{at, c.head(s.Cond), c.stmt(s.Body)}
	case *js.DoWhileStmt:
		c.find(js.DoToken)
		body := c.stmt(s.Body)
		c.find(js.WhileToken)
		return &DoWhile{at, body, c.head(s.Cond)}
	case *js.SwitchStmt:
		return c.switchStmt(at, s)
	case *js.BranchStmt:
		return c.branch(at, s)
	case *js.LabelledStmt:
		c.cursor.at(s.Label)
		c.find(js.ColonToken)
		return &Labeled{at, identText(s.Label), c.stmt(s.Value)}
	case *js.EmptyStmt:
		return &Empty{at}
	case *js.DebuggerStmt:
		c.find(js.DebuggerToken)
		return &Empty{at}
	}
	c.problem(c.here(), true, "this statement is not supported")
	return &Empty{at}
}

// head converts the expression between the next pair of parentheses.
func (c *converter) head(e js.IExpr) Expr {
	c.find(js.OpenParenToken)
	x := c.expr(e)
	c.find(js.CloseParenToken)
	return x
}

func (c *converter) optional(e js.IExpr) Expr {
	if e == nil {
		return nil
	}
	return c.expr(e)
}

func (c *converter) varDecl(d *js.VarDecl) *VarDecl {
	at := c.find(d.TokenType)
	out := &VarDecl{At: c.posAt(at), Kind: declKind(d.TokenType), Decls: make([]Declarator, 0, len(d.List))}
	for i, el := range d.List {
		if i > 0 {
			c.pass(js.CommaToken)
		}
		target := c.binding(el.Binding)
		out.Decls = append(out.Decls, Declarator{target, c.initialiser(el.Default)})
	}
	return out
}

func declKind(tt js.TokenType) DeclKind {
	switch tt {
	case js.VarToken:
		return DeclVar
	case js.LetToken:
		return DeclLet
	case js.ConstToken:
		return DeclConst
	}
	return DeclNone
}

// initialiser converts the value after the next equals sign.
func (c *converter) initialiser(e js.IExpr) Expr {
	if e == nil {
		return nil
	}
	c.find(js.EqToken)
	return c.expr(e)
}

func (c *converter) ifStmt(s *js.IfStmt) Stmt {
	out := &If{At: c.posAt(c.find(js.IfToken))}
	out.Test = c.head(s.Cond)
	out.Then = c.stmt(s.Body)
	if s.Else != nil {
		c.find(js.ElseToken)
		out.Else = c.stmt(s.Else)
	}
	return out
}

func (c *converter) tryStmt(s *js.TryStmt) Stmt {
	out := &Try{At: c.posAt(c.find(js.TryToken))}
	out.Block = c.block(s.Body)
	if s.Catch != nil {
		c.find(js.CatchToken)
		if s.Binding != nil {
			c.find(js.OpenParenToken)
			out.Param = c.binding(s.Binding)
			c.find(js.CloseParenToken)
		}
		out.Handler = c.block(s.Catch)
	}
	if s.Finally != nil {
		c.find(js.FinallyToken)
		out.Finally = c.block(s.Finally)
	}
	return out
}

func (c *converter) switchStmt(at At, s *js.SwitchStmt) Stmt {
	c.find(js.SwitchToken)
	out := &Switch{At: at, Disc: c.head(s.Init), Cases: make([]Case, 0, len(s.List))}
	c.find(js.OpenBraceToken)
	for _, cl := range s.List {
		for c.pass(js.SemicolonToken) {
		}
		cs := Case{At: c.posAt(c.find(cl.TokenType)), Test: c.optional(cl.Cond)}
		c.find(js.ColonToken)
		cs.Body = c.stmts(cl.List)
		out.Cases = append(out.Cases, cs)
	}
	c.find(js.CloseBraceToken)
	return out
}

func (c *converter) branch(at At, s *js.BranchStmt) Stmt {
	c.find(s.Type)
	label := ""
	if s.Label != nil {
		c.cursor.at(s.Label)
		label = identText(s.Label)
	}
	if s.Type == js.BreakToken {
		return &Break{at, label}
	}
	return &Continue{at, label}
}

func (c *converter) forStmt(at At, s *js.ForStmt) Stmt {
	c.find(js.ForToken)
	c.find(js.OpenParenToken)
	out := &For{At: at}
	if d, ok := s.Init.(*js.VarDecl); ok {
		if len(d.List) > 0 { // an empty head is an empty declaration
			out.Init = c.varDecl(d)
		}
	} else if s.Init != nil {
		out.Init = &ExprStmt{c.posAt(c.here()), c.expr(s.Init)}
	}
	c.find(js.SemicolonToken)
	out.Test = c.optional(s.Cond)
	c.find(js.SemicolonToken)
	out.Update = c.optional(s.Post)
	c.find(js.CloseParenToken)
	out.Body = c.loopBody(s.Body)
	return out
}

// loopBody converts the body of a for loop, which the parser always makes a block.
func (c *converter) loopBody(b *js.BlockStmt) Stmt {
	if c.kind() == js.OpenBraceToken {
		return c.block(b)
	}
	if len(b.List) == 0 {
		return &Empty{c.posAt(c.here())}
	}
	if len(b.List) == 1 {
		return c.stmt(b.List[0])
	}
	return &Block{At: c.posAt(c.here()), Body: c.stmts(b.List)}
}

func (c *converter) forIn(at At, s *js.ForInStmt) Stmt {
	c.find(js.ForToken)
	out := &ForIn{At: at}
	out.Kind, out.Target = c.forHead(s.Init)
	c.find(js.InToken)
	out.Right = c.expr(s.Value)
	c.find(js.CloseParenToken)
	out.Body = c.loopBody(s.Body)
	return out
}

func (c *converter) forOf(at At, s *js.ForOfStmt) Stmt {
	c.find(js.ForToken)
	out := &ForOf{At: at, Await: s.Await}
	out.Kind, out.Target = c.forHead(s.Init)
	c.find(js.OfToken)
	out.Right = c.expr(s.Value)
	c.find(js.CloseParenToken)
	out.Body = c.loopBody(s.Body)
	return out
}

func (c *converter) forHead(init js.IExpr) (DeclKind, Expr) {
	c.find(js.OpenParenToken)
	if d, ok := init.(*js.VarDecl); ok && len(d.List) == 1 {
		c.find(d.TokenType)
		return declKind(d.TokenType), c.binding(d.List[0].Binding)
	}
	return DeclNone, c.target(init)
}

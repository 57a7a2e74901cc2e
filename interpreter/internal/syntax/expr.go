package syntax

// This file converts expressions.

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// expr converts an expression; a chain with an optional link ends here.
func (c *converter) expr(e js.IExpr) Expr {
	c.pass(js.CommaToken)
	start := c.here()
	if !c.enter(start) {
		c.leave()
		return &NullLit{c.posAt(start)}
	}
	defer c.leave()
	x, optional := c.chain(e)
	if optional {
		return &OptionalChain{At{x.Start()}, x}
	}
	return x
}

// chain converts member accesses and calls; optional tells whether one of the links is `?.`.
func (c *converter) chain(e js.IExpr) (x Expr, optional bool) {
	switch e := e.(type) {
	case *js.DotExpr:
		return c.dot(e)
	case *js.IndexExpr:
		return c.index(e)
	case *js.CallExpr:
		return c.call(e)
	case *js.TemplateExpr:
		return c.template(e)
	}
	return c.plain(e), false
}

// link converts the object of a chain, counting depth.
func (c *converter) link(e js.IExpr) (Expr, bool) {
	start := c.here()
	if !c.enter(start) {
		c.leave()
		return &NullLit{c.posAt(start)}, false
	}
	defer c.leave()
	return c.chain(e)
}

func isKeyword(e js.IExpr, kind js.TokenType) bool {
	lit, ok := e.(*js.LiteralExpr)
	return ok && lit.TokenType == kind
}

func (c *converter) dot(e *js.DotExpr) (Expr, bool) {
	if isKeyword(e.X, js.SuperToken) {
		c.find(js.SuperToken)
		at, name := c.memberName(e.Y)
		return &SuperMember{At: at, Name: name}, false
	}
	obj, optional := c.link(e.X)
	at, name := c.memberName(e.Y)
	if strings.HasPrefix(name, "#") {
		return &PrivateMember{At: at, Obj: obj, Name: name[1:], Optional: e.Optional}, optional || e.Optional
	}
	return &Member{at, obj, name, e.Optional}, optional || e.Optional
}

func (c *converter) memberName(y js.IExpr) (At, string) {
	switch y := y.(type) {
	case *js.Var:
		return c.posAt(c.name(y.Data)), identText(y.Data)
	case js.LiteralExpr:
		return c.posAt(c.cursor.at(y.Data)), identText(y.Data)
	case *js.LiteralExpr:
		return c.posAt(c.cursor.at(y.Data)), identText(y.Data)
	}
	return At{NoPos}, ""
}

func (c *converter) index(e *js.IndexExpr) (Expr, bool) {
	if isKeyword(e.X, js.SuperToken) {
		at := c.find(js.SuperToken)
		return &SuperMember{At: c.posAt(at), Index: c.bracketed(e.Y)}, false
	}
	obj, optional := c.link(e.X)
	return &Index{At{obj.Start()}, obj, c.bracketed(e.Y), e.Optional}, optional || e.Optional
}

func (c *converter) bracketed(e js.IExpr) Expr {
	c.find(js.OpenBracketToken)
	x := c.expr(e)
	c.find(js.CloseBracketToken)
	return x
}

func (c *converter) call(e *js.CallExpr) (Expr, bool) {
	if isKeyword(e.X, js.SuperToken) {
		at := c.find(js.SuperToken)
		return &SuperCall{At: c.posAt(at), Args: c.args(e.Args)}, false
	}
	if isKeyword(e.X, js.ImportToken) {
		at := c.find(js.ImportToken)
		c.args(e.Args)
		c.problem(at, true, "import() is not supported: programs cannot load modules", "call the functions under tools instead")
		return &NullLit{c.posAt(at)}, false
	}
	callee, optional := c.link(e.X)
	return &Call{At{callee.Start()}, callee, c.args(e.Args), e.Optional}, optional || e.Optional
}

func (c *converter) args(a js.Args) []Expr {
	c.find(js.OpenParenToken)
	var out []Expr
	if len(a.List) > 0 {
		out = make([]Expr, 0, len(a.List))
	}
	for _, arg := range a.List {
		out = append(out, c.element(arg.Value, arg.Rest))
	}
	c.find(js.CloseParenToken)
	return out
}

// element converts an argument or array element.
func (c *converter) element(e js.IExpr, spread bool) Expr {
	if !spread {
		return c.expr(e)
	}
	at := c.find(js.EllipsisToken)
	return &Spread{c.posAt(at), c.expr(e)}
}

func (c *converter) template(e *js.TemplateExpr) (Expr, bool) {
	var tag Expr
	optional := false
	if e.Tag != nil {
		tag, optional = c.link(e.Tag)
	}
	lit := &TemplateLit{At: c.posAt(c.here()), Quasis: make([]TemplateElement, 0, len(e.List)+1)}
	for _, part := range e.List {
		c.at(part.Value)
		lit.Quasis = append(lit.Quasis, cookTemplate(part.Value[1:len(part.Value)-2]))
		lit.Exprs = append(lit.Exprs, c.expr(part.Expr))
	}
	c.at(e.Tail)
	lit.Quasis = append(lit.Quasis, cookTemplate(e.Tail[1:len(e.Tail)-1]))
	if tag == nil && len(lit.Exprs) == 0 { // erasure prints strings with line breaks so
		return &StringLit{lit.At, lit.Quasis[0].Cooked}, false
	}
	if tag == nil {
		return lit, false
	}
	return &TaggedTemplate{At{tag.Start()}, tag, lit}, optional
}

// plain converts everything that is not a link of a chain.
func (c *converter) plain(e js.IExpr) Expr {
	switch e := e.(type) {
	case *js.Var:
		return c.ident(e.Data)
	case *js.LiteralExpr:
		return c.literal(e)
	case *js.BinaryExpr:
		return c.binary(e)
	case *js.UnaryExpr:
		return c.unary(e)
	case *js.GroupExpr:
		return c.head(e.X)
	case *js.ObjectExpr:
		return c.object(e)
	case *js.ArrayExpr:
		return c.array(e)
	case *js.ArrowFunc:
		return &FunctionExpr{c.posAt(c.here()), c.arrow(e)}
	case *js.FuncDecl:
		return &FunctionExpr{c.posAt(c.here()), c.funcDecl(e)}
	case *js.ClassDecl:
		return &ClassExpr{c.posAt(c.here()), c.class(e)}
	case *js.CondExpr:
		return c.conditional(e)
	case *js.NewExpr:
		return c.newExpr(e)
	}
	return c.rare(e)
}

func (c *converter) rare(e js.IExpr) Expr {
	at := c.posAt(c.here())
	switch e := e.(type) {
	case *js.CommaExpr:
		seq := &Sequence{At: at, List: make([]Expr, 0, len(e.List))}
		for _, x := range e.List {
			seq.List = append(seq.List, c.expr(x))
		}
		return seq
	case *js.YieldExpr:
		c.find(js.YieldToken)
		if e.Generator {
			c.find(js.MulToken)
		}
		return &Yield{at, c.optional(e.X), e.Generator}
	case *js.NewTargetExpr:
		c.find(js.TargetToken)
		return &NewTarget{At: at}
	case *js.ImportMetaExpr:
		p := c.here()
		c.find(js.MetaToken)
		c.problem(p, true, "import.meta is not supported: a program is not a module")
		return &NullLit{at}
	}
	c.problem(c.here(), true, "this expression is not supported")
	return &NullLit{at}
}

func (c *converter) ident(data []byte) *Ident {
	at := c.pos(c.name(data))
	id := &Ident{At: At{at}, Name: identText(data)}
	id.Orig = id.Name
	if c.names != nil && at != NoPos {
		if orig := c.names(at); orig != "" {
			id.Orig = orig
		}
	}
	return id
}

func (c *converter) literal(e *js.LiteralExpr) Expr {
	if e.TokenType == js.RegExpToken {
		at := c.posAt(c.regexp(e.Data))
		text := string(e.Data)
		slash := strings.LastIndexByte(text, '/')
		lit := &RegExpLit{at, text[1:slash], text[slash+1:]}
		c.regexps = append(c.regexps, lit)
		return lit
	}
	at := c.posAt(c.cursor.at(e.Data))
	switch e.TokenType {
	case js.StringToken:
		return &StringLit{at, cookString(e.Data)}
	case js.TrueToken, js.FalseToken:
		return &BoolLit{at, e.TokenType == js.TrueToken}
	case js.NullToken:
		return &NullLit{at}
	case js.ThisToken:
		return &This{At: at}
	}
	if js.IsNumeric(e.TokenType) {
		return number(at, e.Data)
	}
	c.problem(at.Pos, false, "Unexpected '"+string(e.Data)+"'")
	return &NullLit{at}
}

func (c *converter) binary(e *js.BinaryExpr) Expr {
	at := c.posAt(c.here())
	if op, ok := assignOps[e.Op]; ok {
		if op == OpNone {
			target := c.target(e.X)
			c.find(e.Op)
			return &Assign{at, op, target, c.expr(e.Y)}
		}
		start := c.here()
		target := c.expr(e.X)
		c.checkUpdateTarget(target, start)
		if e.Op == js.DivEqToken {
			c.divide()
		}
		c.find(e.Op)
		return &Assign{at, op, target, c.expr(e.Y)}
	}
	if v, ok := e.X.(*js.Var); ok && e.Op == js.InToken && len(v.Data) > 0 && v.Data[0] == '#' {
		c.name(v.Data)
		c.find(js.InToken)
		return &PrivateIn{At: at, Name: identText(v.Data)[1:], Right: c.expr(e.Y)}
	}
	left := c.expr(e.X)
	if e.Op == js.DivToken {
		c.divide()
	}
	c.find(e.Op)
	right := c.expr(e.Y)
	if op, ok := logicalOps[e.Op]; ok {
		return &Logical{at, op, left, right}
	}
	return &Binary{at, binaryOps[e.Op], left, right}
}

func (c *converter) unary(e *js.UnaryExpr) Expr {
	at := c.posAt(c.here())
	switch e.Op {
	case js.AwaitToken:
		c.find(js.AwaitToken)
		return &Await{At: at, X: c.expr(e.X)}
	case js.PreIncrToken, js.PreDecrToken:
		c.find(signs[e.Op])
		return &Update{at, updateOp(e.Op), true, c.expr(e.X)}
	case js.PostIncrToken, js.PostDecrToken:
		x := c.expr(e.X)
		c.find(signs[e.Op])
		return &Update{at, updateOp(e.Op), false, x}
	case js.VoidToken:
		if lit, ok := e.X.(*js.LiteralExpr); ok && js.IsNumeric(lit.TokenType) {
			c.cursor.at(lit.Data)
			return &UndefinedLit{at}
		}
	}
	if sign, ok := signs[e.Op]; ok {
		c.find(sign)
	} else {
		c.find(e.Op)
	}
	return &Unary{at, unaryOps[e.Op], c.expr(e.X)}
}

func updateOp(tt js.TokenType) Op {
	if tt == js.PreIncrToken || tt == js.PostIncrToken {
		return OpInc
	}
	return OpDec
}

func (c *converter) conditional(e *js.CondExpr) Expr {
	out := &Conditional{At: c.posAt(c.here())}
	out.Test = c.expr(e.Cond)
	c.find(js.QuestionToken)
	out.Then = c.expr(e.X)
	c.find(js.ColonToken)
	out.Else = c.expr(e.Y)
	return out
}

func (c *converter) newExpr(e *js.NewExpr) Expr {
	out := &New{At: c.posAt(c.find(js.NewToken))}
	out.Callee = c.expr(e.X)
	switch {
	case e.Args != nil:
		out.Args = c.args(*e.Args)
	case c.pass(js.OpenParenToken):
		c.find(js.CloseParenToken)
	}
	return out
}

func (c *converter) array(e *js.ArrayExpr) Expr {
	out := &ArrayLit{At: c.posAt(c.find(js.OpenBracketToken)), Elems: make([]Expr, 0, len(e.List))}
	for i, el := range e.List {
		if i > 0 {
			c.pass(js.CommaToken)
		}
		if el.Value == nil {
			out.Elems = append(out.Elems, nil)
			continue
		}
		out.Elems = append(out.Elems, c.element(el.Value, el.Spread))
	}
	c.find(js.CloseBracketToken)
	return out
}

var assignOps = map[js.TokenType]Op{
	js.EqToken: OpNone, js.AddEqToken: OpAdd, js.SubEqToken: OpSub, js.MulEqToken: OpMul, js.DivEqToken: OpDiv, js.ModEqToken: OpMod,
	js.ExpEqToken: OpExp, js.LtLtEqToken: OpShl, js.GtGtEqToken: OpShr, js.GtGtGtEqToken: OpUshr, js.BitAndEqToken: OpBitAnd,
	js.BitOrEqToken: OpBitOr, js.BitXorEqToken: OpBitXor, js.AndEqToken: OpAnd, js.OrEqToken: OpOr, js.NullishEqToken: OpNullish,
}

var logicalOps = map[js.TokenType]Op{js.AndToken: OpAnd, js.OrToken: OpOr, js.NullishToken: OpNullish}

var binaryOps = map[js.TokenType]Op{
	js.AddToken: OpAdd, js.SubToken: OpSub, js.MulToken: OpMul, js.DivToken: OpDiv, js.ModToken: OpMod, js.ExpToken: OpExp,
	js.LtLtToken: OpShl, js.GtGtToken: OpShr, js.GtGtGtToken: OpUshr, js.BitAndToken: OpBitAnd, js.BitOrToken: OpBitOr,
	js.BitXorToken: OpBitXor, js.EqEqToken: OpEq, js.NotEqToken: OpNe, js.EqEqEqToken: OpStrictEq, js.NotEqEqToken: OpStrictNe,
	js.LtToken: OpLt, js.LtEqToken: OpLe, js.GtToken: OpGt, js.GtEqToken: OpGe, js.InToken: OpIn, js.InstanceofToken: OpInstanceof,
}

var unaryOps = map[js.TokenType]Op{
	js.NegToken: OpNeg, js.PosToken: OpPlus, js.NotToken: OpNot, js.BitNotToken: OpBitNot, js.TypeofToken: OpTypeof,
	js.VoidToken: OpVoid, js.DeleteToken: OpDelete,
}

// signs are the written forms of the operators that the parser renames.
var signs = map[js.TokenType]js.TokenType{
	js.NegToken: js.SubToken, js.PosToken: js.AddToken, js.PreIncrToken: js.IncrToken, js.PostIncrToken: js.IncrToken,
	js.PreDecrToken: js.DecrToken, js.PostDecrToken: js.DecrToken,
}

package syntax

// This file prints a tree as JavaScript with every operand in parentheses, so that tests can send it through the type
// eraser again and compare texts.

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

type printer struct{ strings.Builder }

// printBody prints a function's statements.
func printBody(f *Function) string {
	p := &printer{}
	p.stmts(f.Body)
	return p.String()
}

func (p *printer) f(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func (p *printer) stmts(list []Stmt) {
	for _, s := range list {
		p.stmt(s)
		p.f("\n")
	}
}

func (p *printer) block(b *Block) {
	p.f("{\n")
	p.stmts(b.Body)
	p.f("}")
}

var declText = map[DeclKind]string{DeclVar: "var ", DeclLet: "let ", DeclConst: "const ", DeclNone: ""}

func (p *printer) varDecl(s *VarDecl) {
	p.f("%s", declText[s.Kind])
	for i, d := range s.Decls {
		if i > 0 {
			p.f(",")
		}
		p.target(d.Target)
		if d.Init != nil {
			p.f("=")
			p.expr(d.Init)
		}
	}
}

func (p *printer) opt(e Expr) {
	if e != nil {
		p.expr(e)
	}
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *ExprStmt:
		if lit, ok := s.X.(*StringLit); ok {
			p.expr(lit)
			p.f(";")
			return
		}
		if isArrow(s.X) {
			p.expr(s.X)
			p.f(";")
			return
		}
		p.f("(")
		p.expr(s.X)
		p.f(");")
	case *VarDecl:
		p.varDecl(s)
		p.f(";")
	case *FunctionDecl:
		p.function(s.Func, "")
	case *ClassDecl:
		p.class(s.Class)
	case *Return:
		p.f("return ")
		p.opt(s.X)
		p.f(";")
	case *If:
		p.f("if(")
		p.expr(s.Test)
		p.f(")")
		p.stmt(s.Then)
		if s.Else != nil {
			p.f("\nelse ")
			p.stmt(s.Else)
		}
	case *Throw:
		p.f("throw ")
		p.expr(s.X)
		p.f(";")
	case *Block:
		p.block(s)
	case *Try:
		p.f("try")
		p.block(s.Block)
		if s.Handler != nil {
			p.f("catch")
			if s.Param != nil {
				p.f("(")
				p.target(s.Param)
				p.f(")")
			}
			p.block(s.Handler)
		}
		if s.Finally != nil {
			p.f("finally")
			p.block(s.Finally)
		}
	case *Empty:
		p.f(";")
	case *Break:
		p.f("break %s;", s.Label)
	case *Continue:
		p.f("continue %s;", s.Label)
	case *Labeled:
		p.f("%s:", s.Label)
		p.stmt(s.Body)
	default:
		p.loop(s)
	}
}

func (p *printer) loop(s Stmt) {
	switch s := s.(type) {
	case *For:
		p.f("for(")
		switch i := s.Init.(type) {
		case *VarDecl:
			p.varDecl(i)
		case *ExprStmt:
			p.f("(")
			p.expr(i.X)
			p.f(")")
		}
		p.f(";")
		p.opt(s.Test)
		p.f(";")
		p.opt(s.Update)
		p.f(")")
		p.stmt(s.Body)
	case *ForIn:
		p.f("for(%s", declText[s.Kind])
		p.target(s.Target)
		p.f(" in ")
		p.expr(s.Right)
		p.f(")")
		p.stmt(s.Body)
	case *ForOf:
		p.f("for")
		if s.Await {
			p.f(" await")
		}
		p.f("(%s", declText[s.Kind])
		p.target(s.Target)
		p.f(" of ")
		p.expr(s.Right)
		p.f(")")
		p.stmt(s.Body)
	case *While:
		p.f("while(")
		p.expr(s.Test)
		p.f(")")
		p.stmt(s.Body)
	case *DoWhile:
		p.f("do ")
		p.stmt(s.Body)
		p.f("while(")
		p.expr(s.Test)
		p.f(");")
	case *Switch:
		p.f("switch(")
		p.expr(s.Disc)
		p.f("){")
		for _, c := range s.Cases {
			if c.Test == nil {
				p.f("default:")
			} else {
				p.f("case ")
				p.expr(c.Test)
				p.f(":")
			}
			p.stmts(c.Body)
		}
		p.f("}")
	default:
		panic(fmt.Sprintf("unprintable %T", s))
	}
}

func (p *printer) target(e Expr) {
	switch e := e.(type) {
	case *Ident:
		p.f("%s", e.Name)
	case *ArrayPattern:
		p.f("[")
		for _, el := range e.Elems {
			if el.Target != nil {
				p.elem(el)
			}
			p.f(",")
		}
		p.rest(e.Rest)
		p.f("]")
	case *ObjectPattern:
		p.f("{")
		for _, pr := range e.Props {
			if id, ok := pr.Target.(*Ident); !ok || pr.Key.Computed != nil || id.Name != pr.Key.Name {
				p.key(pr.Key)
				p.f(":")
			}
			p.elem(pr.PatternElem)
			p.f(",")
		}
		p.rest(e.Rest)
		p.f("}")
	default:
		p.expr(e)
	}
}

func (p *printer) rest(e Expr) {
	if e != nil {
		p.f("...")
		p.target(e)
	}
}

func (p *printer) elem(e PatternElem) {
	p.target(e.Target)
	if e.Default != nil {
		p.f("=")
		p.expr(e.Default)
	}
}

func (p *printer) key(k PropName) {
	switch {
	case k.Computed != nil:
		p.f("[")
		p.expr(k.Computed)
		p.f("]")
	case k.Private:
		p.f("#%s", k.Name)
	case isName.MatchString(k.Name):
		p.f("%s", k.Name)
	default:
		p.str(k.Name)
	}
}

var isName = regexp.MustCompile(`^([A-Za-z_$][A-Za-z0-9_$]*|0|[1-9][0-9]{0,14})$`)

// str prints WTF-8 as a string literal.
func (p *printer) str(s string) {
	p.f(`"`)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1 && s[i] == 0xED && i+2 < len(s):
			p.f(`\u%04X`, 0xD000|int(s[i+1]&0x3F)<<6|int(s[i+2]&0x3F))
			n = 3
		case r == '"' || r == '\\':
			p.f(`\%c`, r)
		case r < 32 || r == 0x2028 || r == 0x2029:
			p.f(`\u%04X`, r)
		default:
			p.f("%c", r)
		}
		i += n
	}
	p.f(`"`)
}

func (p *printer) function(f *Function, key string) {
	switch {
	case f.Kind == FuncArrow:
		if f.Async {
			p.f("async")
		}
	case key != "":
	default:
		if f.Async {
			p.f("async ")
		}
		p.f("function")
		if f.Generator {
			p.f("*")
		}
		if f.Name != nil {
			p.f(" %s", f.Name.Name)
		}
	}
	p.f("(")
	for _, a := range f.Params {
		p.elem(PatternElem(a))
		p.f(",")
	}
	p.rest(f.Rest)
	p.f(")")
	if f.Kind == FuncArrow {
		p.f("=>")
		if f.Concise {
			x := f.Body[0].(*Return).X
			if isArrow(x) {
				p.expr(x)
				return
			}
			p.operand(x)
			return
		}
	}
	p.f("{\n")
	p.stmts(f.Body)
	p.f("}")
}

func (p *printer) member(kind MemberKind, key PropName, f *Function) {
	switch kind {
	case MemberGetter:
		p.f("get ")
	case MemberSetter:
		p.f("set ")
	}
	if f.Async {
		p.f("async ")
	}
	if f.Generator {
		p.f("*")
	}
	p.key(key)
	p.function(f, "m")
}

func (p *printer) class(c *Class) {
	p.f("class ")
	if c.Name != nil {
		p.f("%s", c.Name.Name)
	}
	if c.Super != nil {
		p.f(" extends (")
		p.expr(c.Super)
		p.f(")")
	}
	p.f("{\n")
	ctor := c.Ctor
	printCtor := func(before Pos) {
		if ctor != nil && ctor.Pos < before {
			p.f("constructor")
			p.function(ctor, "constructor")
			p.f("\n")
			ctor = nil
		}
	}
	for _, m := range c.Members {
		printCtor(m.Pos)
		if m.Static {
			p.f("static ")
		}
		switch m.Kind {
		case MemberStaticBlock:
			p.f("{\n")
			p.stmts(m.Func.Body)
			p.f("}")
		case MemberField:
			p.key(m.Key)
			if m.Func != nil {
				p.f("=")
				p.expr(m.Func.Body[0].(*Return).X)
			}
			p.f(";")
		default:
			p.member(m.Kind, m.Key, m.Func)
		}
		p.f("\n")
	}
	printCtor(math.MaxInt32)
	p.f("}")
}

func (p *printer) args(list []Expr) {
	p.f("(")
	for i, a := range list {
		if i > 0 {
			p.f(",")
		}
		p.expr(a)
	}
	p.f(")")
}

// link prints the object of a member or call: chains stay bare, everything else gets parentheses.
func (p *printer) link(e Expr) {
	switch e.(type) {
	case *Member, *Index, *Call, *PrivateMember, *Ident, *SuperMember, *SuperCall, *This, *TaggedTemplate:
		p.expr(e)
	default:
		p.f("(")
		p.expr(e)
		p.f(")")
	}
}

func dot(optional bool, otherwise string) string {
	if optional {
		return "?."
	}
	return otherwise
}

func isArrow(e Expr) bool {
	fn, ok := e.(*FunctionExpr)
	return ok && fn.Func.Kind == FuncArrow
}

func (p *printer) operand(e Expr) {

	p.f("(")
	p.expr(e)
	p.f(")")
}

// branch prints a branch of a conditional; the eraser keeps parentheses around arrows.
func (p *printer) branch(e Expr) {
	if isArrow(e) {
		p.expr(e)
		return
	}
	p.operand(e)
}

func (p *printer) expr(e Expr) {
	switch e := e.(type) {
	case *Ident:
		p.f("%s", e.Name)
	case *NumberLit:
		if math.IsInf(e.Value, 0) {
			p.f("1e999")
			return
		}
		p.f("%s", strconv.FormatFloat(e.Value, 'g', -1, 64))
	case *StringLit:
		p.str(e.Value)
	case *BigIntLit:
		p.f("%sn", e.Text)
	case *BoolLit:
		p.f("%v", e.Value)
	case *NullLit:
		p.f("null")
	case *UndefinedLit:
		p.f("void 0")
	case *RegExpLit:
		p.f("/%s/%s", e.Pattern, e.Flags)
	case *TemplateLit:
		p.template(e)
	case *TaggedTemplate:
		p.link(e.Tag)
		p.template(e.Quasi)
	case *ArrayLit:
		p.f("[")
		for _, x := range e.Elems {
			p.opt(x)
			p.f(",")
		}
		p.f("]")
	case *ObjectLit:
		p.object(e)
	case *FunctionExpr:
		p.function(e.Func, "")
	case *ClassExpr:
		p.class(e.Class)
	case *This:
		p.f("this")
	case *Spread:
		p.f("...")
		p.expr(e.X)
	case *OptionalChain:
		p.expr(e.X)
	case *Member:
		p.link(e.Obj)
		p.f("%s%s", dot(e.Optional, "."), e.Name)
	case *Index:
		p.link(e.Obj)
		p.f("%s[", dot(e.Optional, ""))
		p.expr(e.Index)
		p.f("]")
	case *PrivateMember:
		p.link(e.Obj)
		p.f("%s#%s", dot(e.Optional, "."), e.Name)
	case *Call:
		p.link(e.Callee)
		p.f("%s", dot(e.Optional, ""))
		p.args(e.Args)
	case *New:
		p.f("new ")
		p.operand(e.Callee)
		p.args(e.Args)
	default:
		p.operator(e)
	}
}

func (p *printer) operator(e Expr) {
	switch e := e.(type) {
	case *Unary:
		p.f("%s ", e.Op)
		p.operand(e.X)
	case *Update:
		if e.Prefix {
			p.f("%s ", e.Op)
		}
		p.expr(e.X)
		if !e.Prefix {
			p.f("%s", e.Op)
		}
	case *Binary:
		p.f("(")
		p.operand(e.L)
		p.f(" %s ", e.Op)
		p.operand(e.R)
		p.f(")")
	case *Logical:
		p.operand(e.L)
		p.f(" %s ", e.Op)
		p.operand(e.R)
	case *Conditional:
		p.operand(e.Test)
		p.f("?")
		p.branch(e.Then)
		p.f(":")
		p.branch(e.Else)
	case *Assign:
		p.target(e.Target)
		p.f(" %s= ", e.Op)
		p.expr(e.Value)
	case *Sequence:
		p.f("(")
		for i, x := range e.List {
			if i > 0 {
				p.f(",")
			}
			p.operand(x)
		}
		p.f(")")
	case *PrivateIn:
		p.f("#%s in ", e.Name)
		p.operand(e.Right)
	case *SuperMember:
		if e.Index != nil {
			p.f("super[")
			p.expr(e.Index)
			p.f("]")
			return
		}
		p.f("super.%s", e.Name)
	case *SuperCall:
		p.f("super")
		p.args(e.Args)
	case *NewTarget:
		p.f("new.target")
	case *Await:
		p.f("await ")
		p.operand(e.X)
	case *Yield:
		p.f("yield")
		if e.Delegate {
			p.f("*")
		}
		if e.X != nil {
			p.operand(e.X)
		}
	default:
		panic(fmt.Sprintf("unprintable %T", e))
	}
}

func (p *printer) template(e *TemplateLit) {
	p.f("`")
	for i, q := range e.Quasis {
		p.f("%s", q.Raw)
		if i < len(e.Exprs) {
			p.f("${")
			p.expr(e.Exprs[i])
			p.f("}")
		}
	}
	p.f("`")
}

func (p *printer) object(e *ObjectLit) {
	p.f("{")
	for _, pr := range e.Props {
		switch pr.Kind {
		case MemberSpread:
			p.f("...")
			p.expr(pr.Value)
		case MemberShorthand:
			p.expr(pr.Value)
		case MemberInit, MemberProto:
			p.key(pr.Key)
			p.f(":")
			p.expr(pr.Value)
		default:
			p.member(pr.Kind, pr.Key, pr.Value.(*FunctionExpr).Func)
		}
		p.f(",\n")
	}
	p.f("}")
}

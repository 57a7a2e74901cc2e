package compile

// This file defines statements other than loops and try.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func (c *fn) statements(list []syntax.Stmt) []stmt {
	out := make([]stmt, 0, len(list))
	for _, s := range list {
		if st := c.stmt(s); st != nil {
			out = append(out, st)
		}
	}
	return out
}

// sequence joins statements.
func (c *fn) sequence(list []stmt) stmt {
	switch len(list) {
	case 0:
		return func(*Frame) completion { return normal }
	case 1:
		return list[0]
	case 2:
		a, b := list[0], list[1]
		return func(f *Frame) completion {
			if k := a(f); k != normal {
				return k
			}
			return b(f)
		}
	case 3:
		a, b, d := list[0], list[1], list[2]
		return func(f *Frame) completion {
			if k := a(f); k != normal {
				return k
			}
			if k := b(f); k != normal {
				return k
			}
			return d(f)
		}
	}
	return func(f *Frame) completion {
		for _, s := range list {
			if k := s(f); k != normal {
				return k
			}
		}
		return normal
	}
}

// stmt compiles one statement; nil means it does nothing.
func (c *fn) stmt(s syntax.Stmt) stmt {
	c.enter()
	defer c.leave()
	if c.Traced {
		c.enter()
		defer c.leave()
		return c.tracedStmt(s, c.plainStmt(s))
	}
	return c.plainStmt(s)
}

func (c *fn) plainStmt(s syntax.Stmt) stmt {
	mark := c.temps
	defer c.release(mark)
	switch n := s.(type) {
	case *syntax.ExprStmt:
		return c.exprStmt(n.X)
	case *syntax.VarDecl:
		return c.varDecl(n)
	case *syntax.ClassDecl:
		return c.classDecl(n)
	case *syntax.Return:
		return c.returnStmt(n)
	case *syntax.If:
		return c.ifStmt(n)
	case *syntax.Block:
		return c.block(n)
	case *syntax.Throw:
		return c.throwStmt(n)
	case *syntax.Break:
		return c.jump(n.Label, breaks)
	case *syntax.Continue:
		return c.jump(n.Label, continues)
	case *syntax.Labeled:
		return c.labeled(n)
	case *syntax.Switch:
		return c.switchStmt(n)
	case *syntax.Try:
		return c.try(n)
	case *syntax.For:
		return c.forLoop(n)
	case *syntax.ForIn:
		return c.forIn(n)
	case *syntax.ForOf:
		return c.forOf(n)
	case *syntax.While:
		return c.while(n)
	case *syntax.DoWhile:
		return c.doWhile(n)
	}
	return nil // FunctionDecl, Empty
}

func (c *fn) exprStmt(x syntax.Expr) stmt {
	if st := c.fastStatement(x); st != nil {
		return st
	}
	e := c.exprForEffect(x)
	return func(f *Frame) completion {
		if e(f).IsThrow() {
			return throws
		}
		return normal
	}
}

func (c *fn) varDecl(n *syntax.VarDecl) stmt {
	var out []stmt
	for _, d := range n.Decls {
		mark := c.temps
		if st := c.declarator(n.Kind, d); st != nil {
			out = append(out, st)
		}
		c.release(mark)
	}
	if len(out) == 0 {
		return nil
	}
	return c.sequence(out)
}

func (c *fn) declarator(kind syntax.DeclKind, d syntax.Declarator) stmt {
	id, plain := d.Target.(*syntax.Ident)
	if d.Init == nil {
		if kind == syntax.DeclVar {
			return nil
		}
		write := c.writeSlot(id.Ref.Bind)
		return func(f *Frame) completion { write(f, value.Undefined); return normal }
	}
	if plain {
		c.declares(id.Ref.Bind, d.Init)
	}
	if plain && id.Ref.Kind == syntax.RefLocal {
		init := c.named(d.Init, id.Orig)
		at := int(id.Ref.Bind.Index)
		if id.Ref.Bind.Captured {
			return func(f *Frame) completion {
				v := init(f)
				if v.IsThrow() {
					return throws
				}
				f.S[at].Cell().V = v
				return normal
			}
		}
		return func(f *Frame) completion {
			v := init(f)
			if v.IsThrow() {
				return throws
			}
			f.S[at] = v
			return normal
		}
	}
	init, from := c.traced(d.Init, false)
	if plain {
		init = c.named(d.Init, id.Orig)
	}
	t := c.temp(1)
	c.source = origin{slot: -1}
	if !plain {
		c.source = from
	}
	bind := c.bind(d.Target, true)
	return func(f *Frame) completion {
		v := init(f)
		if v.IsThrow() {
			return throws
		}
		f.S[t] = v
		if !bind(f, v) {
			return throws
		}
		return normal
	}
}

func (c *fn) returnStmt(n *syntax.Return) stmt {
	if n.X == nil {
		return func(f *Frame) completion { f.Ret = value.Undefined; return returns }
	}
	x := c.expr(n.X)
	if c.isMain() {
		x = resultAt(x, n.X)
	}
	if c.f.Async && c.f.Generator {
		inner, await := x, c.awaiter(n.Pos, n.X)
		x = func(f *Frame) Value {
			v := inner(f)
			if v.IsThrow() {
				return v
			}
			return await(f, v)
		}
	}
	return func(f *Frame) completion {
		v := x(f)
		if v.IsThrow() {
			return throws
		}
		f.Ret = v
		return returns
	}
}

// resultAt notes where the program's value comes from.
func resultAt(x expr, at syntax.Expr) expr {
	pos := int32(start(at))
	return func(f *Frame) Value {
		v := x(f)
		f.R.ResultPos = pos
		return v
	}
}

func (c *fn) ifStmt(n *syntax.If) stmt {
	test := c.cond(n.Test)
	then := c.branch(n.Then)
	if n.Else == nil {
		return func(f *Frame) completion {
			switch test(f) {
			case isTrue:
				return then(f)
			case threw:
				return throws
			}
			return normal
		}
	}
	els := c.branch(n.Else)
	return func(f *Frame) completion {
		switch test(f) {
		case isTrue:
			return then(f)
		case isFalse:
			return els(f)
		}
		return throws
	}
}

// branch is stmt, never nil.
func (c *fn) branch(s syntax.Stmt) stmt {
	if st := c.stmt(s); st != nil {
		return st
	}
	return func(*Frame) completion { return normal }
}

func (c *fn) block(n *syntax.Block) stmt {
	enter := c.enterScope(n.Scope)
	list := c.statements(n.Body)
	if len(list) == 0 && enter == nil {
		return nil
	}
	body := c.sequence(list)
	if enter == nil {
		return body
	}
	return func(f *Frame) completion {
		enter(f)
		return body(f)
	}
}

func (c *fn) throwStmt(n *syntax.Throw) stmt {
	x := c.expr(n.X)
	pos := int32(n.Pos)
	return func(f *Frame) completion {
		v := x(f)
		if !v.IsThrow() {
			f.R.Pos = pos
			f.R.ThrowFrom(v, pos)
		}
		return throws
	}
}

func (c *fn) labeled(n *syntax.Labeled) stmt {
	switch n.Body.(type) {
	case *syntax.For, *syntax.ForIn, *syntax.ForOf, *syntax.While, *syntax.DoWhile, *syntax.Labeled:
		c.pending = append(c.pending, n.Label)
		return c.branch(n.Body)
	}
	c.pending = append(c.pending, n.Label)
	ids, done := c.takeLabels(n.Pos)
	defer done()
	body := c.branch(n.Body)
	return func(f *Frame) completion {
		k := body(f)
		if k == breaks && f.Label != 0 && ids.has(f.Label) {
			f.Label = 0
			return normal
		}
		return k
	}
}

// labelSet holds the numbers of the labels of one statement, and its place.
type labelSet struct {
	ids []int32
	pos int32
}

func (s *labelSet) has(id int32) bool {
	for _, x := range s.ids {
		if x == id {
			return true
		}
	}
	return false
}

// takeLabels gives the statement about to be compiled the labels written before it.
func (c *fn) takeLabels(pos syntax.Pos) (*labelSet, func()) {
	ids := &labelSet{pos: int32(pos)}
	n := len(c.labels)
	for _, name := range c.pending {
		c.nextLab++
		ids.ids = append(ids.ids, c.nextLab)
		c.labels = append(c.labels, label{name, c.nextLab})
	}
	c.pending = nil
	return ids, func() { c.labels = c.labels[:n] }
}

func (c *fn) jump(name string, k completion) stmt {
	if name == "" {
		return func(f *Frame) completion { return k }
	}
	id := int32(0)
	for i := len(c.labels) - 1; i >= 0; i-- {
		if c.labels[i].name == name {
			id = c.labels[i].id
			break
		}
	}
	return func(f *Frame) completion {
		f.Label = id
		return k
	}
}

func (c *fn) switchStmt(n *syntax.Switch) stmt {
	ids, done := c.takeLabels(n.Pos)
	defer done()
	disc := c.expr(n.Disc)
	t := c.temp(1)
	enter := c.enterScope(n.Scope)
	tests := make([]expr, len(n.Cases))
	bodies := make([]stmt, len(n.Cases))
	def := -1
	for i, cs := range n.Cases {
		if cs.Test == nil {
			def = i
		} else {
			tests[i] = c.expr(cs.Test)
		}
		bodies[i] = c.sequence(c.statements(cs.Body))
	}
	run := func(f *Frame, from int) completion {
		for _, b := range bodies[from:] {
			switch k := b(f); k {
			case normal:
			case breaks:
				if f.Label == 0 || ids.has(f.Label) {
					f.Label = 0
					return normal
				}
				return k
			default:
				return k
			}
		}
		return normal
	}
	return func(f *Frame) completion {
		v := disc(f)
		if v.IsThrow() {
			return throws
		}
		f.S[t] = v
		if enter != nil {
			enter(f)
		}
		for i, test := range tests {
			if test == nil {
				continue
			}
			x := test(f)
			if x.IsThrow() {
				return throws
			}
			if f.R.StrictEquals(v, x) {
				return run(f, i)
			}
			if v.IsObject() && !x.IsObject() && !x.IsNullish() {
				noteCompared(f, v, int32(n.Pos))
			}
		}
		if def >= 0 {
			return run(f, def)
		}
		return normal
	}
}

// try compiles try, catch and finally. An uncatchable ending skips both.
func (c *fn) try(n *syntax.Try) stmt {
	body := c.take(c.branch(n.Block))
	if n.Handler != nil {
		body = c.take(c.catch(n, body))
	}
	if n.Finally == nil {
		return body
	}
	ret, exc := c.temp(1), c.temp(1)
	fin := c.branch(n.Finally)
	return func(f *Frame) completion {
		k := body(f)
		if f.R.Terminated {
			return throws
		}
		lab, v, pos := f.Label, f.Ret, f.R.ThrowPos
		f.Label, f.Ret = 0, Value{}
		f.S[ret], f.S[exc] = v, value.Undefined
		if k == throws {
			f.S[exc] = f.R.Exception()
		}
		if k2 := fin(f); k2 != normal {
			return k2
		}
		f.Label, f.Ret = lab, v
		if k == throws {
			f.R.ThrowValue(f.S[exc])
			f.R.ThrowPos = pos
		}
		return k
	}
}

func (c *fn) catch(n *syntax.Try, body stmt) stmt {
	enter := c.enterScope(n.ParamScope)
	bind := func(*Frame, Value) bool { return true }
	if n.Param != nil {
		bind = c.bind(n.Param, true)
	}
	handler := c.branch(n.Handler)
	return func(f *Frame) completion {
		k := body(f)
		if k != throws || f.R.Terminated {
			return k
		}
		v := f.R.Exception()
		if enter != nil {
			enter(f)
		}
		if !bind(f, v) {
			return throws
		}
		return handler(f)
	}
}

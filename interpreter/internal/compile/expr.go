package compile

// This file defines the dispatch over expressions, names and literals.

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func start(x syntax.Expr) syntax.Pos { return x.Start() }

// expr compiles an expression.
func (c *fn) expr(x syntax.Expr) expr {
	c.enter()
	defer c.leave()
	mark := c.temps
	defer c.release(mark)
	switch n := x.(type) {
	case *syntax.Ident:
		return c.ident(n)
	case *syntax.NumberLit:
		return constant(value.Num(n.Value))
	case *syntax.StringLit:
		return constant(value.NewStr(n.Value).Freeze().Value())
	case *syntax.BoolLit:
		return constant(value.Bool(n.Value))
	case *syntax.NullLit:
		return constant(value.Null)
	case *syntax.UndefinedLit:
		return constant(value.Undefined)
	case *syntax.BigIntLit:
		return c.bigint(n)
	case *syntax.RegExpLit:
		return c.regexp(n)
	case *syntax.TemplateLit:
		return c.template(n)
	case *syntax.TaggedTemplate:
		return c.tagged(n)
	case *syntax.ArrayLit:
		return c.array(n)
	case *syntax.ObjectLit:
		return c.object(n)
	case *syntax.FunctionExpr:
		return c.named(n, "")
	case *syntax.ClassExpr:
		return c.class(n.Class, "")
	case *syntax.Unary:
		return c.unary(n)
	case *syntax.Update:
		return c.update(n, true)
	case *syntax.Binary:
		return c.binary(n)
	case *syntax.Logical:
		return c.logical(n)
	case *syntax.Conditional:
		return c.conditional(n)
	case *syntax.Assign:
		return c.assign(n)
	case *syntax.Sequence:
		return c.comma(n)
	case *syntax.Call:
		return c.call(n)
	case *syntax.New:
		return c.newExpr(n)
	case *syntax.Member:
		return c.member(n)
	case *syntax.Index:
		return c.index(n)
	case *syntax.PrivateMember:
		return c.privateMember(n)
	case *syntax.PrivateIn:
		return c.privateIn(n)
	case *syntax.SuperMember:
		return c.superMember(n)
	case *syntax.SuperCall:
		return c.superCall(n)
	case *syntax.OptionalChain:
		return c.optionalChain(n)
	case *syntax.This:
		return c.this(n.Ref)
	case *syntax.NewTarget:
		return c.newTarget()
	case *syntax.Await:
		return c.await(n)
	case *syntax.Yield:
		return c.yield(n)
	}
	panic(fmt.Sprintf("compile: unexpected expression %T", x))
}

// exprForEffect is expr where the value is not used.
func (c *fn) exprForEffect(x syntax.Expr) expr {
	if u, ok := x.(*syntax.Update); ok {
		return c.update(u, false)
	}
	return c.expr(x)
}

func constant(v Value) expr { return func(*Frame) Value { return v } }

func (c *fn) comma(n *syntax.Sequence) expr {
	list := make([]expr, len(n.List))
	for i, x := range n.List {
		if i < len(n.List)-1 {
			list[i] = c.exprForEffect(x)
		} else {
			list[i] = c.expr(x)
		}
	}
	return func(f *Frame) Value {
		var v Value
		for _, x := range list {
			if v = x(f); v.IsThrow() {
				return v
			}
		}
		return v
	}
}

// ident reads a name.
func (c *fn) ident(n *syntax.Ident) expr {
	ref := n.Ref
	if ref.Kind == syntax.RefGlobal {
		return c.global(n)
	}
	read := c.readRef(ref)
	if !ref.Check {
		return read
	}
	name, pos := n.Orig, int32(n.Pos)
	return func(f *Frame) Value {
		v := read(f)
		if v.IsTDZ() {
			f.R.Pos = pos
			return f.R.ThrowError(value.ReferenceError, "Cannot access '%s' before initialization", name)
		}
		return v
	}
}

// readRef reads a binding without a check.
func (c *fn) readRef(ref syntax.Ref) expr {
	if ref.Kind == syntax.RefCaptured {
		i := int(ref.Index)
		return func(f *Frame) Value { return f.Caps[i].V }
	}
	return c.readSlot(ref.Bind)
}

// writeRef stores into a binding without a check.
func (c *fn) writeRef(ref syntax.Ref) func(f *Frame, v Value) {
	if ref.Kind == syntax.RefCaptured {
		i := int(ref.Index)
		return func(f *Frame, v Value) { f.Caps[i].V = v }
	}
	return c.writeSlot(ref.Bind)
}

func (c *fn) global(n *syntax.Ident) expr {
	i := c.Library.GlobalIndex(n.Name)
	if i >= 0 {
		return func(f *Frame) Value { return f.R.Global(i) }
	}
	name, missing := n.Orig, c.undeclared(n)
	return func(f *Frame) Value {
		if v, ok := f.R.Alias(name); ok {
			return v
		}
		return missing(f)
	}
}

// undeclared compiles the use of a name that nothing declares.
func (c *fn) undeclared(n *syntax.Ident) expr {
	name, pos, hint := n.Orig, int32(n.Pos), ""
	if c.GlobalHint != nil {
		hint = c.GlobalHint(name)
	}
	hint = cmp.Or(hint, n.Hint)
	if n.Certain {
		hint = n.Hint
	}
	return func(f *Frame) Value {
		f.R.Pos = pos
		said := hint
		if !n.Certain {
			said = f.R.Undeclared(name, hint)
		}
		if said != "" {
			return f.R.ThrowError(value.ReferenceError, "%s is not defined. %s", name, said)
		}
		return f.R.ThrowError(value.ReferenceError, "%s is not defined", name)
	}
}

func (c *fn) bigint(n *syntax.BigIntLit) expr {
	z, ok := new(big.Int).SetString(n.Text, 0)
	if !ok {
		z = value.ParseBigInt(n.Text)
	}
	return constant(value.NewBigInt(z).Value())
}

func (c *fn) regexp(n *syntax.RegExpLit) expr {
	mk, pattern, flags, site := c.NewRegExp, n.Pattern, n.Flags, c.anySite()
	return func(f *Frame) Value { return mk(f.R, pattern, flags, site) }
}

func (c *fn) this(ref syntax.Ref) expr {
	if ref.Bind != nil {
		read := c.readRef(ref)
		return func(f *Frame) Value {
			v := read(f)
			if v.IsTDZ() {
				return throwThis(f)
			}
			return v
		}
	}
	if c.f.Kind == syntax.FuncArrow {
		return func(f *Frame) Value {
			if t := f.Fn.This; !t.IsAbsent() {
				return t
			}
			return value.Undefined
		}
	}
	return func(f *Frame) Value { return f.This }
}

func (c *fn) newTarget() expr {
	return func(f *Frame) Value {
		if l := f.Fn.Lexical; l != nil {
			return l.NewTarget
		}
		if f.NewTarget.IsAbsent() {
			return value.Undefined
		}
		return f.NewTarget
	}
}

func (c *fn) conditional(n *syntax.Conditional) expr {
	test, a, b := c.cond(n.Test), c.expr(n.Then), c.expr(n.Else)
	return func(f *Frame) Value {
		switch test(f) {
		case isTrue:
			return a(f)
		case isFalse:
			return b(f)
		}
		return value.Throw
	}
}

func (c *fn) logical(n *syntax.Logical) expr {
	a, b := c.expr(n.L), c.expr(n.R)
	switch n.Op {
	case syntax.OpAnd:
		return func(f *Frame) Value {
			v := a(f)
			if v.IsThrow() || !value.ToBoolean(v) {
				return v
			}
			return b(f)
		}
	case syntax.OpOr:
		return func(f *Frame) Value {
			v := a(f)
			if v.IsThrow() || value.ToBoolean(v) {
				return v
			}
			return b(f)
		}
	}
	return func(f *Frame) Value {
		v := a(f)
		if v.IsNullish() {
			return b(f)
		}
		return v
	}
}

// templateObject is GetTemplateObject (ECMA-262 13.2.8.4), once per site and execution.
func (c *fn) templateObject(n *syntax.TemplateLit) expr {
	site := c.anySite()
	quasis := n.Quasis
	return func(f *Frame) Value {
		r := f.R
		if o, ok := r.Sites[site].(*value.Object); ok {
			return o.Value()
		}
		cooked, raw := make([]Value, len(quasis)), make([]Value, len(quasis))
		for i, q := range quasis {
			cooked[i], raw[i] = value.Undefined, value.String(q.Raw)
			if !q.Invalid {
				cooked[i] = value.String(q.Cooked)
			}
		}
		o, rawObj := r.NewArray(cooked), r.NewArray(raw)
		r.SetIntegrity(rawObj, true)
		r.DefineOwn(o, value.Name("raw"), value.DataDesc(rawObj.Value(), 0))
		r.SetIntegrity(o, true)
		r.Sites[site] = o
		return o.Value()
	}
}

func (c *fn) array(n *syntax.ArrayLit) expr {
	for _, x := range n.Elems {
		if _, spread := x.(*syntax.Spread); spread || x == nil {
			return c.arrayGeneral(n)
		}
	}
	elems := make([]expr, len(n.Elems))
	t := c.temp(len(n.Elems))
	for i, x := range n.Elems {
		elems[i] = c.expr(x)
	}
	return func(f *Frame) Value {
		for i, x := range elems {
			v := x(f)
			if v.IsThrow() {
				return v
			}
			f.S[t+i] = v
		}
		return f.R.NewArrayOf(f.S[t : t+len(elems)]...).Value()
	}
}

// arrayGeneral is for array literals with holes or spreads.
func (c *fn) arrayGeneral(n *syntax.ArrayLit) expr {
	t := c.temp(1)
	steps := make([]func(f *Frame, o *value.Object) bool, len(n.Elems))
	for i, x := range n.Elems {
		steps[i] = c.arrayElement(x)
	}
	return func(f *Frame) Value {
		o := f.R.NewArray(nil)
		f.S[t] = o.Value()
		for _, step := range steps {
			if !step(f, o) {
				return value.Throw
			}
		}
		return o.Value()
	}
}

func (c *fn) arrayElement(x syntax.Expr) func(f *Frame, o *value.Object) bool {
	switch n := x.(type) {
	case nil:
		return func(f *Frame, o *value.Object) bool { f.R.PushHole(o); return true }
	case *syntax.Spread:
		list, from := c.traced(n.X, false)
		pos := int32(start(n.X))
		return func(f *Frame, o *value.Object) bool {
			v := list(f)
			if v.IsThrow() {
				return false
			}
			f.R.Pos = pos
			if e, ok := f.R.PlainArray(v); ok {
				for _, x := range e {
					f.R.Push(o, x)
				}
				return f.R.Step(1 + len(e)/8)
			}
			if !f.R.Iterate(v, func(x Value) bool { f.R.Push(o, x); return true }) {
				notIterable(f.R, v, from.text, from.hint(f))
				return false
			}
			return true
		}
	}
	e := c.expr(x)
	return func(f *Frame, o *value.Object) bool {
		v := e(f)
		if v.IsThrow() {
			return false
		}
		f.R.Push(o, v)
		return true
	}
}

// itIs says what an expression is unless its text says so already.
func itIs(text, what string) string {
	if text == what || strings.Trim(text, "'`") == strings.Trim(what, `"`) {
		return ""
	}
	return " (it is " + what + ")"
}

// notIterable replaces the pending message "x is not iterable" by one that names the expression.
// hint is what is known of where a nullish value came from.
func notIterable(r *value.Realm, v Value, text, hint string) {
	if r.Terminated || text == "" {
		return
	}
	if v.IsNullish() {
		hint = cmp.Or(r.NullishHint(lastKey(text)), hint)
		r.ThrowTypeError("%s is not iterable%s%s", text, itIs(text, value.PrimitiveToString(v).String()), hint)
		return
	}
	if !r.PendingNotIterable(v) {
		return
	}
	instead := text
	if strings.HasPrefix(text, "(intermediate value)") || strings.HasSuffix(text, "(...)") {
		instead = ""
	}
	switch instead = r.IterateInstead(v, instead); {
	case value.NativePromise(v) != nil:
		hint = ""
	case r.ShapeText(v) != "":
		hint = itIs(text, r.ShapeText(v))
	default:
		hint = itIs(text, r.Describe(v))
	}
	if s := v.Object(); s != nil && (s.Class == value.ClassTools || s.Class == value.ClassFunction) {
		hint = ""
	}
	r.ThrowTypeError("%s is not iterable%s%s", text, hint, instead)
}

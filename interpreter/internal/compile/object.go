package compile

// This file defines object literals.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func (c *fn) object(n *syntax.ObjectLit) expr {
	if lit := c.plainObject(n); lit != nil {
		return lit
	}
	t := c.temp(1)
	steps := make([]func(f *Frame, o *value.Object) bool, len(n.Props))
	if n.Props[0].Kind == syntax.MemberSpread {
		return c.objectFrom(n, steps, t)
	}
	for i := range n.Props {
		mark := c.temps
		steps[i] = c.property(&n.Props[i])
		c.release(mark)
	}
	return func(f *Frame) Value {
		o := f.R.NewPlain(len(steps))
		f.S[t] = o.Value()
		for _, step := range steps {
			if !step(f, o) {
				return value.Throw
			}
		}
		return o.Value()
	}
}

// objectFrom compiles a literal that begins with a spread: where the source is plain, the object begins as a copy of it.
func (c *fn) objectFrom(n *syntax.ObjectLit, steps []func(f *Frame, o *value.Object) bool, t int) expr {
	source, pos := c.expr(n.Props[0].Value), int32(start(n.Props[0].Value))
	steps = steps[1:]
	for i := range steps {
		mark := c.temps
		steps[i] = c.property(&n.Props[i+1])
		c.release(mark)
	}
	return func(f *Frame) Value {
		v := source(f)
		if v.IsThrow() {
			return v
		}
		o := f.R.CopyPlain(v, nil, len(steps))
		if o == nil {
			o = f.R.NewPlain(len(steps))
			f.S[t] = o.Value()
			f.R.Pos = pos
			if !f.R.CopyDataProperties(o, v, nil) {
				return value.Throw
			}
		}
		f.S[t] = o.Value()
		for _, step := range steps {
			if !step(f, o) {
				return value.Throw
			}
		}
		return o.Value()
	}
}

// plainObject compiles a literal of distinct plain keys: values go to temporaries, the shape is found once per run.
func (c *fn) plainObject(n *syntax.ObjectLit) expr {
	seen := map[string]bool{}
	for i := range n.Props {
		p := &n.Props[i]
		if p.Kind != syntax.MemberInit && p.Kind != syntax.MemberShorthand || p.Key.Computed != nil || seen[p.Key.Name] ||
			value.StringKey(p.Key.Name).IsIndex || len(n.Props) > 32 {
			return nil
		}
		seen[p.Key.Name] = true
	}
	keys := make([]value.Key, len(n.Props))
	vals := make([]expr, len(n.Props))
	t := c.temp(len(n.Props))
	for i := range n.Props {
		keys[i] = value.Name(n.Props[i].Key.Name)
		vals[i] = c.named(n.Props[i].Value, n.Props[i].Key.Name)
	}
	site := c.setSite()
	return func(f *Frame) Value {
		for i, x := range vals {
			v := x(f)
			if v.IsThrow() {
				return v
			}
			f.S[t+i] = v
		}
		return f.R.NewLiteral(keys, f.S[t:t+len(vals)], site).Value()
	}
}

func (c *fn) property(p *syntax.Property) func(f *Frame, o *value.Object) bool {
	switch p.Kind {
	case syntax.MemberSpread:
		x, pos := c.expr(p.Value), int32(start(p.Value))
		return func(f *Frame, o *value.Object) bool {
			v := x(f)
			if v.IsThrow() {
				return false
			}
			f.R.Pos = pos
			return f.R.CopyDataProperties(o, v, nil)
		}
	case syntax.MemberProto:
		x := c.expr(p.Value)
		return func(f *Frame, o *value.Object) bool {
			v := x(f)
			if v.IsThrow() {
				return false
			}
			if v.IsObject() || v.IsNull() {
				f.R.SetPrototypeOf(o, v.Object())
			}
			return true
		}
	case syntax.MemberMethod, syntax.MemberGetter, syntax.MemberSetter:
		return c.method(&p.Key, p.Value.(*syntax.FunctionExpr).Func, p.Kind, true)
	}
	static, dynamic := c.propKey(&p.Key)
	if dynamic == nil {
		x := c.named(p.Value, p.Key.Name)
		return func(f *Frame, o *value.Object) bool {
			v := x(f)
			if v.IsThrow() {
				return false
			}
			return f.R.CreateDataProperty(o, static, v) == value.OK
		}
	}
	t := c.temp(1)
	x := c.expr(p.Value)
	anonymous := isAnonymous(p.Value)
	return func(f *Frame, o *value.Object) bool {
		k, ok := dynamic(f)
		if !ok {
			return false
		}
		f.S[t] = value.Undefined
		v := x(f)
		if v.IsThrow() {
			return false
		}
		if anonymous {
			nameFunction(f.R, v, k)
		}
		return f.R.CreateDataProperty(o, k, v) == value.OK
	}
}

// nameFunction gives an anonymous function its name from a computed key, unless a static member of that name exists.
func nameFunction(r *value.Realm, v Value, k value.Key) {
	if fn := v.Function(); fn != nil {
		if fn.ClassData != nil && r.HasOwn(&fn.Object, value.Name("name")) && fn.Flags&value.FlagLazyFunction == 0 && r.FunctionName(fn) != "" {
			return
		}
		r.SetFunctionName(fn, k.FunctionName(""))
	}
}

// method compiles a method, getter or setter and its definition on o.
func (c *fn) method(key *syntax.PropName, f *syntax.Function, kind syntax.MemberKind, enumerable bool) func(fr *Frame, o *value.Object) bool {
	static, dynamic := c.propKey(key)
	mk := c.methodFunction(f, static, kind, dynamic != nil)
	attr := value.AttrMethod
	if enumerable {
		attr = value.AttrDefault
	}
	return func(fr *Frame, o *value.Object) bool {
		k := static
		if dynamic != nil {
			var ok bool
			if k, ok = dynamic(fr); !ok {
				return false
			}
		}
		return defineMethod(fr.R, o, k, mk(fr, o, k), kind, attr)
	}
}

func defineMethod(r *value.Realm, o *value.Object, k value.Key, fn *value.Function, kind syntax.MemberKind, attr value.Attr) bool {
	var d value.Desc
	switch kind {
	case syntax.MemberGetter:
		d = value.Desc{Get: &fn.Object, Attr: attr &^ value.Writable, Has: value.HasGet | value.HasEnumerable | value.HasConfigurable}
	case syntax.MemberSetter:
		d = value.Desc{Set: &fn.Object, Attr: attr &^ value.Writable, Has: value.HasSet | value.HasEnumerable | value.HasConfigurable}
	default:
		d = value.DataDesc(fn.Value(), attr)
	}
	switch r.DefineOwn(o, k, d) {
	case value.OK:
		return true
	case value.Failed:
		r.ThrowTypeError("Cannot redefine property: %s", k)
	}
	return false
}

// methodFunction compiles the function object of a method with its home object.
func (c *fn) methodFunction(f *syntax.Function, static value.Key, kind syntax.MemberKind, dynamic bool) func(fr *Frame, home *value.Object, k value.Key) *value.Function {
	prefix := ""
	switch kind {
	case syntax.MemberGetter:
		prefix = "get"
	case syntax.MemberSetter:
		prefix = "set"
	}
	code := c.unit.function(f, nil)
	if !dynamic {
		code.Name = static.FunctionName(prefix)
	}
	mk := c.closure(code, f)
	return func(fr *Frame, home *value.Object, k value.Key) *value.Function {
		fn := mk(fr).Function()
		fn.Home = home
		if dynamic {
			fr.R.SetFunctionName(fn, k.FunctionName(prefix))
		}
		return fn
	}
}

// isAnonymous is IsAnonymousFunctionDefinition (ECMA-262 8.4.3).
func isAnonymous(x syntax.Expr) bool {
	switch n := x.(type) {
	case *syntax.FunctionExpr:
		return n.Func.Name == nil
	case *syntax.ClassExpr:
		return n.Class.Name == nil
	}
	return false
}

// named compiles x, giving an anonymous function or class the name (NamedEvaluation, ECMA-262 8.4.5).
func (c *fn) named(x syntax.Expr, name string) expr {
	switch n := x.(type) {
	case *syntax.FunctionExpr:
		c.enter()
		defer c.leave()
		code := c.unit.function(n.Func, n.Func.Name)
		if n.Func.Name == nil {
			code.Name = name
		}
		return c.closure(code, n.Func)
	case *syntax.ClassExpr:
		mark := c.temps
		defer c.release(mark)
		return c.class(n.Class, name)
	}
	return c.expr(x)
}

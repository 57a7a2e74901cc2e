package compile

// This file defines calls and construction.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// arguments compiles an argument list into consecutive temporaries from t, or, with spreads, into a list.
type arguments struct {
	list   []expr
	t      int
	spread func(f *Frame) ([]Value, bool)
}

func (c *fn) arguments(args []syntax.Expr) arguments {
	for _, a := range args {
		if _, ok := a.(*syntax.Spread); ok {
			lit := c.arrayGeneral(&syntax.ArrayLit{Elems: args})
			return arguments{spread: func(f *Frame) ([]Value, bool) {
				v := lit(f)
				if v.IsThrow() {
					return nil, false
				}
				return v.Object().Elems, true
			}}
		}
	}
	out := arguments{t: c.temp(len(args)), list: make([]expr, len(args))}
	for i, a := range args {
		out.list[i] = c.expr(a)
	}
	return out
}

// eval fills the temporaries; false if an argument threw.
func (a *arguments) eval(f *Frame) bool {
	for i, x := range a.list {
		v := x(f)
		if v.IsThrow() {
			return false
		}
		f.S[a.t+i] = v
	}
	return true
}

// callInfo is what a call site needs off the fast path.
type callInfo struct {
	pos  int32
	text string // the callee expression
	name string // the method name, for suggestions
}

// apply calls fn with the evaluated arguments.
func (ci *callInfo) apply(f *Frame, fnv, this Value, t, argc int) Value {
	r := f.R
	if fn := fnv.Function(); fn != nil {
		if code := fn.Code; code != nil && code.Start == nil {
			return r.Enter(fn, code, this, f.Co, f.Base+t, argc, value.Undefined)
		}
		r.Pos = ci.pos
		return r.Invoke(fn, this, f.Co, f.Base+t, argc)
	}
	return ci.notFunction(f, fnv, this, f.S[t:t+argc])
}

// notFunction calls other callables or says what is wrong.
func (ci *callInfo) notFunction(f *Frame, fnv, this Value, args []Value) Value {
	f.R.Pos = ci.pos
	if o := fnv.Object(); o != nil && o.IsCallable() {
		return f.R.CallArgs(fnv, this, args)
	}
	return f.R.ThrowNotFunction(ci.text, ci.name, fnv, this)
}

func (c *fn) call(n *syntax.Call) expr {
	ci := &callInfo{pos: int32(n.Pos), text: describe(n.Callee)}
	callee := n.Callee
	if oc, ok := callee.(*syntax.OptionalChain); ok { // (a?.b)() keeps its this
		if m := c.methodTarget(oc.X, ci); m != nil {
			return c.methodCall(n, ci, func(f *Frame) (Value, Value) {
				fnv, this := m(f)
				if fnv.IsHole() {
					return value.Undefined, value.Undefined
				}
				return fnv, this
			})
		}
	}
	if m := c.methodTarget(callee, ci); m != nil {
		return c.methodCall(n, ci, m)
	}
	return c.plainCall(n, ci)
}

// methodTarget compiles a callee that has a this value; nil if x is not a property reference.
func (c *fn) methodTarget(x syntax.Expr, ci *callInfo) func(f *Frame) (fnv, this Value) {
	switch m := x.(type) {
	case *syntax.Member:
		ci.name = m.Name
		return c.memberTarget(m)
	case *syntax.Index:
		t := c.temp(1)
		obj, from := c.traced(m.Obj, m.Optional)
		key := c.expr(m.Index)
		pos := int32(m.Pos)
		return func(f *Frame) (Value, Value) {
			v := obj(f)
			if v.IsThrow() || v.IsHole() {
				return v, v
			}
			f.S[t] = v
			k := key(f)
			if k.IsThrow() {
				return k, v
			}
			if x, ok := fastElement(v, k); ok {
				return x, v
			}
			f.R.Pos = pos
			if v.IsNullish() {
				return throwNullish(f, v, keyText(f.R, k), &from, "read"), v
			}
			return f.R.GetElement(v, k), v
		}
	case *syntax.PrivateMember:
		t := c.temp(1)
		obj := c.chainLink(m.Obj, m.Optional)
		name, pos := c.readRef(m.Ref), int32(m.Pos)
		return func(f *Frame) (Value, Value) {
			v := obj(f)
			if v.IsThrow() || v.IsHole() {
				return v, v
			}
			f.S[t] = v
			f.R.Pos = pos
			return f.R.PrivateGet(v, name(f).Symbol()), v
		}
	case *syntax.SuperMember:
		get, this := c.superMember(m), c.this(m.This)
		return func(f *Frame) (Value, Value) {
			v := get(f)
			if v.IsThrow() {
				return v, v
			}
			return v, this(f)
		}
	}
	return nil
}

func (c *fn) memberTarget(m *syntax.Member) func(f *Frame) (fnv, this Value) {
	t := c.temp(1)
	obj, from := c.traced(m.Obj, m.Optional)
	a := &access{key: value.StringKey(m.Name), site: c.getSite(), pos: int32(m.Pos), from: from}
	site := a.site
	return func(f *Frame) (Value, Value) {
		v := obj(f)
		f.S[t] = v
		if o := v.Object(); o != nil {
			ic := &f.R.GetCaches[site]
			if o.Shape == ic.Shape {
				if ic.Holder == nil {
					if ic.Slot >= 0 {
						return o.Slots[ic.Slot], v
					}
				} else if ic.Epoch == f.R.Epoch {
					return ic.Holder.Slots[ic.Slot], v
				}
			}
		}
		return a.slow(f, v), v
	}
}

func (c *fn) methodCall(n *syntax.Call, ci *callInfo, target func(f *Frame) (fnv, this Value)) expr {
	ft := c.temp(1)
	args := c.arguments(n.Args)
	optional := n.Optional
	if args.spread != nil {
		return func(f *Frame) Value {
			fnv, this := target(f)
			if fnv.IsThrow() || fnv.IsHole() {
				return fnv
			}
			if optional && fnv.IsNullish() {
				return value.Hole
			}
			f.S[ft] = fnv
			list, ok := args.spread(f)
			if !ok {
				return value.Throw
			}
			return ci.applyList(f, fnv, this, list)
		}
	}
	t, argc := args.t, len(args.list)
	switch argc {
	case 0:
		return func(f *Frame) Value {
			fnv, this := target(f)
			if fnv.IsThrow() || fnv.IsHole() {
				return fnv
			}
			if optional && fnv.IsNullish() {
				return value.Hole
			}
			return ci.apply(f, fnv, this, t, 0)
		}
	case 1:
		arg := args.list[0]
		return func(f *Frame) Value {
			fnv, this := target(f)
			if fnv.IsThrow() || fnv.IsHole() {
				return fnv
			}
			if optional && fnv.IsNullish() {
				return value.Hole
			}
			f.S[ft] = fnv
			v := arg(f)
			if v.IsThrow() {
				return v
			}
			f.S[t] = v
			return ci.apply(f, fnv, this, t, 1)
		}
	}
	return func(f *Frame) Value {
		fnv, this := target(f)
		if fnv.IsThrow() || fnv.IsHole() {
			return fnv
		}
		if optional && fnv.IsNullish() {
			return value.Hole
		}
		f.S[ft] = fnv
		if !args.eval(f) {
			return value.Throw
		}
		return ci.apply(f, fnv, this, t, argc)
	}
}

func (ci *callInfo) applyList(f *Frame, fnv, this Value, list []Value) Value {
	f.R.Pos = ci.pos
	if fnv.IsCallable() {
		return f.R.CallArgs(fnv, this, list)
	}
	return ci.notFunction(f, fnv, this, list)
}

func (c *fn) plainCall(n *syntax.Call, ci *callInfo) expr {
	ft := c.temp(1)
	callee := c.expr(n.Callee)
	args := c.arguments(n.Args)
	optional := n.Optional
	if args.spread != nil {
		return func(f *Frame) Value {
			fnv := callee(f)
			if fnv.IsThrow() || fnv.IsHole() {
				return fnv
			}
			if optional && fnv.IsNullish() {
				return value.Hole
			}
			f.S[ft] = fnv
			list, ok := args.spread(f)
			if !ok {
				return value.Throw
			}
			return ci.applyList(f, fnv, value.Undefined, list)
		}
	}
	t, argc := args.t, len(args.list)
	if argc == 1 {
		arg := args.list[0]
		return func(f *Frame) Value {
			fnv := callee(f)
			if fnv.IsThrow() || fnv.IsHole() {
				return fnv
			}
			if optional && fnv.IsNullish() {
				return value.Hole
			}
			f.S[ft] = fnv
			v := arg(f)
			if v.IsThrow() {
				return v
			}
			f.S[t] = v
			return ci.apply(f, fnv, value.Undefined, t, 1)
		}
	}
	return func(f *Frame) Value {
		fnv := callee(f)
		if fnv.IsThrow() || fnv.IsHole() {
			return fnv
		}
		if optional && fnv.IsNullish() {
			return value.Hole
		}
		f.S[ft] = fnv
		if !args.eval(f) {
			return value.Throw
		}
		return ci.apply(f, fnv, value.Undefined, t, argc)
	}
}

func (c *fn) newExpr(n *syntax.New) expr {
	ft := c.temp(1)
	callee := c.expr(n.Callee)
	args := c.arguments(n.Args)
	pos, text := int32(n.Pos), describe(n.Callee)
	return func(f *Frame) Value {
		fnv := callee(f)
		if fnv.IsThrow() {
			return fnv
		}
		f.S[ft] = fnv
		var list []Value
		if args.spread != nil {
			var ok bool
			if list, ok = args.spread(f); !ok {
				return value.Throw
			}
		} else if !args.eval(f) {
			return value.Throw
		}
		f.R.Pos = pos
		o := fnv.Object()
		if o == nil || !o.IsConstructor() {
			return f.R.ThrowTypeError("%s is not a constructor", text)
		}
		if args.spread != nil {
			return madeAt(o, f.R.ConstructArgs(o, list, o), pos)
		}
		return madeAt(o, f.R.ConstructAt(o.Function(), f.Co, f.Base+args.t, len(args.list), o), pos)
	}
}

// madeAt gives an error of a class of the program the place of its new: that of super(), in the class, says nothing of
// what went wrong.
func madeAt(constructor *value.Object, made Value, pos int32) Value {
	o := made.Object()
	if o == nil || o.Class != value.ClassError {
		return made
	}
	if fn := constructor.Function(); fn != nil && fn.ClassData != nil && fn.ClassData.Derived {
		if d, ok := o.Ext.(*value.ErrorData); ok {
			d.Pos = pos
		}
	}
	return made
}

// superCall is super(...) (ECMA-262 13.3.7.1).
func (c *fn) superCall(n *syntax.SuperCall) expr {
	list := c.arrayGeneral(&syntax.ArrayLit{Elems: n.Args})
	read, write, pos := c.readRef(n.This), c.writeRef(n.This), int32(n.Pos)
	return func(f *Frame) Value {
		r := f.R
		fn := homeFunc(f)
		nt := f.NewTarget
		if l := f.Fn.Lexical; l != nil {
			nt = l.NewTarget
		}
		parent := fn.Proto()
		argv := list(f)
		if argv.IsThrow() {
			return argv
		}
		r.Pos = pos
		if parent == nil || !parent.IsConstructor() {
			return r.ThrowTypeError("Super constructor %s of anonymous class is not a constructor", r.Describe(value.ObjectOrNull(parent)))
		}
		v := r.ConstructArgs(parent, argv.Object().Elems, nt.Object())
		if v.IsThrow() {
			return v
		}
		if !read(f).IsTDZ() {
			return r.ThrowError(value.ReferenceError, "Super constructor may only be called once")
		}
		write(f, v)
		if fn.ClassData != nil && !r.InitializeInstance(v.Object(), fn) {
			return value.Throw
		}
		return v
	}
}

// tagged calls a template tag (ECMA-262 13.3.11).
func (c *fn) tagged(n *syntax.TaggedTemplate) expr {
	ci := &callInfo{pos: int32(n.Pos), text: describe(n.Tag)}
	target := c.methodTarget(n.Tag, ci)
	if target == nil {
		tag := c.expr(n.Tag)
		target = func(f *Frame) (Value, Value) { return tag(f), value.Undefined }
	}
	ft := c.temp(1)
	obj := c.templateObject(n.Quasi)
	t := c.temp(1 + len(n.Quasi.Exprs))
	exprs := make([]expr, len(n.Quasi.Exprs))
	for i, x := range n.Quasi.Exprs {
		exprs[i] = c.expr(x)
	}
	return func(f *Frame) Value {
		fnv, this := target(f)
		if fnv.IsThrow() {
			return fnv
		}
		f.S[ft] = fnv
		f.S[t] = obj(f)
		for i, x := range exprs {
			v := x(f)
			if v.IsThrow() {
				return v
			}
			f.S[t+1+i] = v
		}
		return ci.apply(f, fnv, this, t, 1+len(exprs))
	}
}

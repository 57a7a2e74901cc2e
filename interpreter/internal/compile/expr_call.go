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

// callInfo is what a call site needs off the fast path, and where on the value stack function, this value and arguments stand. They
// are read back from there when all are evaluated: what a call holds on the Go stack is what deep recursion costs.
type callInfo struct {
	pos  int32
	text string // the callee expression
	name string // the method name, for suggestions

	fn, this int // temporaries; this is -1 for undefined
	t, argc  int
}

// apply calls the function with the evaluated arguments.
func (ci *callInfo) apply(f *Frame) Value {
	this := ci.receiver(f)
	if fn := f.S[ci.fn].Function(); fn != nil && fn.Code != nil && fn.Code.Start == nil {
		return f.R.Enter(fn, this, f.Base+ci.t, ci.argc)
	}
	return ci.applyOther(f)
}

func (ci *callInfo) receiver(f *Frame) Value {
	if ci.this < 0 {
		return value.Undefined
	}
	return f.S[ci.this]
}

// applyOther is apply for what is no plain function of the program.
func (ci *callInfo) applyOther(f *Frame) Value {
	f.R.Pos = ci.pos
	fnv, this := f.S[ci.fn], ci.receiver(f)
	if fn := fnv.Function(); fn != nil {
		return f.R.Invoke(fn, this, f.Base+ci.t, ci.argc)
	}
	return ci.notFunction(f, fnv, this, f.S[ci.t:ci.t+ci.argc])
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
	if m, ok := callee.(*syntax.Member); ok {
		return c.memberCall(n, m, ci)
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
	return func(f *Frame) (Value, Value) {
		v := obj(f)
		f.S[t] = v
		return a.get(f, v), v
	}
}

// get is the read of a property through its cache.
func (a *access) get(f *Frame, v Value) Value {
	if o := v.Object(); o != nil {
		ic := &f.R.GetCaches[a.site]
		if o.Shape == ic.Shape {
			if ic.Holder == nil {
				if ic.Slot >= 0 {
					return o.Slots[ic.Slot]
				}
			} else if ic.Epoch == f.R.Epoch {
				return ic.Holder.Slots[ic.Slot]
			}
		}
	}
	return a.slow(f, v)
}

// memberCall is a call of a method by its name.
func (c *fn) memberCall(n *syntax.Call, m *syntax.Member, ci *callInfo) expr {
	ci.name, ci.this, ci.fn = m.Name, c.temp(1), c.temp(1)
	obj, from := c.traced(m.Obj, m.Optional)
	a := &access{key: value.StringKey(m.Name), site: c.getSite(), pos: int32(m.Pos), from: from}
	args := c.arguments(n.Args)
	c.needsArgument(n, m, &args)
	ci.t, ci.argc = args.t, len(args.list)
	this, fn, t, list := ci.this, ci.fn, args.t, args.list
	if args.spread != nil || n.Optional {
		return c.generalCall(n, ci, &args, func(f *Frame) (Value, Value) {
			v := obj(f)
			f.S[this] = v
			return a.get(f, v), v
		})
	}
	if len(list) == 1 {
		arg := list[0]
		return func(f *Frame) Value {
			v := obj(f)
			f.S[this] = v
			fnv := a.get(f, v)
			if fnv.IsThrow() || fnv.IsHole() {
				return fnv
			}
			f.S[fn] = fnv
			if v = arg(f); v.IsThrow() {
				return v
			}
			f.S[t] = v
			if fn := f.S[fn].Function(); fn != nil && fn.Code != nil && fn.Code.Start == nil {
				return f.R.Enter(fn, f.S[this], f.Base+t, 1)
			}
			return ci.applyOther(f)
		}
	}
	return func(f *Frame) Value {
		v := obj(f)
		f.S[this] = v
		fnv := a.get(f, v)
		if fnv.IsThrow() || fnv.IsHole() {
			return fnv
		}
		f.S[fn] = fnv
		for i, x := range list {
			if v = x(f); v.IsThrow() {
				return v
			}
			f.S[t+i] = v
		}
		if fn := f.S[fn].Function(); fn != nil && fn.Code != nil && fn.Code.Start == nil {
			return f.R.Enter(fn, f.S[this], f.Base+t, len(list))
		}
		return ci.applyOther(f)
	}
}

func (c *fn) methodCall(n *syntax.Call, ci *callInfo, target func(f *Frame) (fnv, this Value)) expr {
	ci.this, ci.fn = c.temp(1), c.temp(1)
	args := c.arguments(n.Args)
	ci.t, ci.argc = args.t, len(args.list)
	return c.generalCall(n, ci, &args, target)
}

// generalCall is a call with all that a call may have.
func (c *fn) generalCall(n *syntax.Call, ci *callInfo, args *arguments, target func(f *Frame) (fnv, this Value)) expr {
	optional := n.Optional
	return func(f *Frame) Value {
		fnv, this := target(f)
		if fnv.IsThrow() || fnv.IsHole() {
			return fnv
		}
		if optional && fnv.IsNullish() {
			return value.Hole
		}
		f.S[ci.fn] = fnv
		if ci.this >= 0 {
			f.S[ci.this] = this
		}
		if args.spread != nil {
			list, ok := args.spread(f)
			if !ok {
				return value.Throw
			}
			return ci.applyList(f, fnv, this, list)
		}
		if !args.eval(f) {
			return value.Throw
		}
		return ci.apply(f)
	}
}

func (ci *callInfo) applyList(f *Frame, fnv, this Value, list []Value) Value {
	f.R.Pos = ci.pos
	if fnv.IsCallable() {
		return f.R.CallArgs(fnv, this, list)
	}
	return ci.notFunction(f, fnv, this, list)
}

// plainCall is a call without a this value.
func (c *fn) plainCall(n *syntax.Call, ci *callInfo) expr {
	ci.this, ci.fn = -1, c.temp(1)
	callee := c.expr(n.Callee)
	args := c.arguments(n.Args)
	ci.t, ci.argc = args.t, len(args.list)
	fn, t, list := ci.fn, args.t, args.list
	if args.spread != nil || n.Optional {
		return c.generalCall(n, ci, &args, func(f *Frame) (Value, Value) { return callee(f), value.Undefined })
	}
	switch len(list) {
	case 1:
		arg := list[0]
		return func(f *Frame) Value {
			v := callee(f)
			if v.IsThrow() || v.IsHole() {
				return v
			}
			f.S[fn] = v
			if v = arg(f); v.IsThrow() {
				return v
			}
			f.S[t] = v
			if fn := f.S[fn].Function(); fn != nil && fn.Code != nil && fn.Code.Start == nil {
				return f.R.Enter(fn, value.Undefined, f.Base+t, 1)
			}
			return ci.applyOther(f)
		}
	case 2:
		first, second := list[0], list[1]
		return func(f *Frame) Value {
			v := callee(f)
			if v.IsThrow() || v.IsHole() {
				return v
			}
			f.S[fn] = v
			if v = first(f); v.IsThrow() {
				return v
			}
			f.S[t] = v
			if v = second(f); v.IsThrow() {
				return v
			}
			f.S[t+1] = v
			if fn := f.S[fn].Function(); fn != nil && fn.Code != nil && fn.Code.Start == nil {
				return f.R.Enter(fn, value.Undefined, f.Base+t, 2)
			}
			return ci.applyOther(f)
		}
	}
	return func(f *Frame) Value {
		v := callee(f)
		if v.IsThrow() || v.IsHole() {
			return v
		}
		f.S[fn] = v
		for i, x := range list {
			if v = x(f); v.IsThrow() {
				return v
			}
			f.S[t+i] = v
		}
		if fn := f.S[fn].Function(); fn != nil && fn.Code != nil && fn.Code.Start == nil {
			return f.R.Enter(fn, value.Undefined, f.Base+t, len(list))
		}
		return ci.applyOther(f)
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
	ci.this, ci.fn = c.temp(1), c.temp(1)
	obj := c.templateObject(n.Quasi)
	t := c.temp(1 + len(n.Quasi.Exprs))
	ci.t, ci.argc = t, 1+len(n.Quasi.Exprs)
	exprs := make([]expr, len(n.Quasi.Exprs))
	for i, x := range n.Quasi.Exprs {
		exprs[i] = c.expr(x)
	}
	return func(f *Frame) Value {
		fnv, this := target(f)
		if fnv.IsThrow() {
			return fnv
		}
		f.S[ci.fn], f.S[ci.this] = fnv, this
		f.S[t] = obj(f)
		for i, x := range exprs {
			v := x(f)
			if v.IsThrow() {
				return v
			}
			f.S[t+1+i] = v
		}
		return ci.apply(f)
	}
}

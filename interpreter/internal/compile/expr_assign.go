package compile

// This file defines assignment: simple, compound and logical, to names and properties.

import (
	"cmp"
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func (c *fn) assign(n *syntax.Assign) expr {
	switch n.Op {
	case syntax.OpNone:
		return c.assignPlain(n)
	case syntax.OpAnd, syntax.OpOr, syntax.OpNullish:
		return c.assignLogical(n)
	}
	return c.assignCompound(n)
}

func (c *fn) assignPlain(n *syntax.Assign) expr {
	switch t := n.Target.(type) {
	case *syntax.Ident:
		v := c.named(n.Value, t.Orig)
		write := c.writeName(t)
		return func(f *Frame) Value {
			x := v(f)
			if x.IsThrow() || !write(f, x) {
				return value.Throw
			}
			return x
		}
	case *syntax.Member:
		return c.assignMember(t, n.Value)
	case *syntax.Index:
		return c.assignIndex(t, n.Value)
	case *syntax.ArrayPattern, *syntax.ObjectPattern:
		v := c.expr(n.Value)
		tmp := c.temp(1)
		bind := c.assignTo(n.Target)
		return func(f *Frame) Value {
			x := v(f)
			if x.IsThrow() {
				return x
			}
			f.S[tmp] = x
			if !bind(f, x) {
				return value.Throw
			}
			return x
		}
	}
	p := c.place(n.Target)
	v := c.expr(n.Value)
	return func(f *Frame) Value {
		if !p.prepare(f) {
			return value.Throw
		}
		x := v(f)
		if x.IsThrow() || !p.write(f, x) {
			return value.Throw
		}
		return x
	}
}

// writeName compiles a store into a name; the result is false if it threw.
func (c *fn) writeName(id *syntax.Ident) func(f *Frame, v Value) bool {
	name, pos := id.Orig, int32(id.Pos)
	if id.Ref.Kind == syntax.RefGlobal {
		if i := c.Library.GlobalIndex(id.Name); i >= 0 {
			return func(f *Frame, v Value) bool { f.R.Pos = pos; return f.R.AssignGlobal(i, v) }
		}
		hint := cmp.Or(id.Hint, "Declare it with const or let")
		return func(f *Frame, _ Value) bool {
			f.R.Pos = pos
			f.R.ThrowError(value.ReferenceError, "%s is not defined. %s", name, hint)
			return false
		}
	}
	read, write := c.readRef(id.Ref), c.writeRef(id.Ref)
	check := id.Ref.Check
	if !writable(id) {
		return func(f *Frame, _ Value) bool {
			f.R.Pos = pos
			if check && read(f).IsTDZ() {
				f.R.ThrowError(value.ReferenceError, "Cannot access '%s' before initialization", name)
			} else {
				f.R.ThrowTypeError("Assignment to constant variable '%s'. Declare it with let if it must change", name)
			}
			return false
		}
	}
	if !check {
		return func(f *Frame, v Value) bool { write(f, v); return true }
	}
	return func(f *Frame, v Value) bool {
		if read(f).IsTDZ() {
			f.R.Pos = pos
			f.R.ThrowError(value.ReferenceError, "Cannot access '%s' before initialization", name)
			return false
		}
		write(f, v)
		return true
	}
}

func (c *fn) assignMember(m *syntax.Member, val syntax.Expr) expr {
	t := c.temp(1)
	obj, from := c.traced(m.Obj, false)
	v := c.expr(val)
	k, site, pos := value.StringKey(m.Name), c.setSite(), int32(m.Pos)
	return func(f *Frame) Value {
		ov := obj(f)
		if ov.IsThrow() {
			return ov
		}
		f.S[t] = ov
		x := v(f)
		if x.IsThrow() {
			return x
		}
		if o := ov.Object(); o != nil {
			ic := &f.R.SetCaches[site]
			if o.Shape == ic.Shape {
				if ic.New == nil {
					o.Slots[ic.Slot] = x
					return x
				}
				if ic.Epoch == f.R.Epoch {
					o.AddSlot(f.R, ic.New, x)
					return x
				}
			}
		}
		f.R.Pos = pos
		if !storeMember(f, ov, k, x, site, &from) {
			return value.Throw
		}
		return x
	}
}

func storeMember(f *Frame, ov Value, k value.Key, x Value, site int, from *origin) bool {
	r := f.R
	if ov.IsNullish() {
		throwNullish(f, ov, k.String(), from, "set")
		return false
	}
	if o := ov.Object(); o != nil && !k.IsIndex {
		if done := r.Store(o, k, x, site); done != value.Failed {
			return done == value.OK
		}
	}
	return r.PutV(ov, k, x)
}

func (c *fn) assignIndex(m *syntax.Index, val syntax.Expr) expr {
	t := c.temp(2)
	obj, from := c.traced(m.Obj, false)
	key, v := c.expr(m.Index), c.expr(val)
	pos := int32(m.Pos)
	store := func(f *Frame, ov, kv, x Value) Value {
		f.R.Pos = pos
		if ov.IsNullish() {
			return throwNullish(f, ov, keyText(f.R, kv), &from, "set")
		}
		if !f.R.SetElement(ov, kv, x) {
			return value.Throw
		}
		return x
	}
	if pure(m.Obj) && pure(m.Index) && pure(val) {
		return func(f *Frame) Value {
			ov, kv, x := obj(f), key(f), v(f)
			if fastStore(f, ov, kv, x) {
				return x
			}
			return store(f, ov, kv, x)
		}
	}
	return func(f *Frame) Value {
		ov := obj(f)
		if ov.IsThrow() {
			return ov
		}
		f.S[t] = ov
		kv := key(f)
		if kv.IsThrow() {
			return kv
		}
		f.S[t+1] = kv
		x := v(f)
		if x.IsThrow() {
			return x
		}
		if fastStore(f, ov, kv, x) {
			return x
		}
		return store(f, ov, kv, x)
	}
}

// fastStore overwrites a dense element or appends one to an array.
func fastStore(f *Frame, ov, kv, x Value) bool {
	if !kv.IsNumber() {
		return false
	}
	o := ov.Object()
	if o == nil {
		return false
	}
	n := kv.Float()
	i := int(n)
	if float64(i) != n || o.Flags&(value.FlagExotic|value.FlagFrozenElems) != 0 {
		return false
	}
	if uint(i) < uint(len(o.Elems)) {
		if o.Elems[i].IsHole() {
			return false
		}
		o.Elems[i] = x
		return true
	}
	return f.R.StoreNext(o, i, x)
}

// place is an assignable place whose object and key are evaluated once.
type place struct {
	prepare func(f *Frame) bool          // evaluates object and key into temporaries
	get     func(f *Frame) Value         // reads after prepare
	write   func(f *Frame, v Value) bool // writes after prepare
}

func (p *place) read(f *Frame) Value {
	if !p.prepare(f) {
		return value.Throw
	}
	return p.get(f)
}

func (c *fn) place(x syntax.Expr) *place {
	switch n := x.(type) {
	case *syntax.Ident:
		return &place{prepare: func(*Frame) bool { return true }, get: c.ident(n), write: c.writeName(n)}
	case *syntax.Member:
		return c.memberPlace(n)
	case *syntax.Index:
		return c.indexPlace(n)
	case *syntax.PrivateMember:
		return c.privatePlace(n)
	case *syntax.SuperMember:
		return c.superPlace(n)
	}
	e := c.expr(x)
	return &place{
		prepare: func(f *Frame) bool { return !e(f).IsThrow() },
		get:     constant(value.Undefined),
		write: func(f *Frame, _ Value) bool {
			f.R.ThrowError(value.ReferenceError, "Invalid left-hand side in assignment")
			return false
		},
	}
}

func (c *fn) memberPlace(n *syntax.Member) *place {
	t := c.temp(1)
	obj, from := c.traced(n.Obj, false)
	a := &access{key: value.StringKey(n.Name), site: c.getSite(), pos: int32(n.Pos), from: from}
	setSite := c.setSite()
	return &place{
		prepare: func(f *Frame) bool {
			v := obj(f)
			f.S[t] = v
			return !v.IsThrow()
		},
		get: func(f *Frame) Value {
			v := f.S[t]
			if o := v.Object(); o != nil {
				if ic := &f.R.GetCaches[a.site]; o.Shape == ic.Shape && ic.Holder == nil && ic.Slot >= 0 {
					return o.Slots[ic.Slot]
				}
			}
			return a.slow(f, v)
		},
		write: func(f *Frame, x Value) bool {
			v := f.S[t]
			if o := v.Object(); o != nil {
				if ic := &f.R.SetCaches[setSite]; o.Shape == ic.Shape && ic.New == nil {
					o.Slots[ic.Slot] = x
					return true
				}
			}
			f.R.Pos = a.pos
			return storeMember(f, v, a.key, x, setSite, &a.from)
		},
	}
}

func (c *fn) indexPlace(n *syntax.Index) *place {
	t := c.temp(2)
	obj, from := c.traced(n.Obj, false)
	key := c.expr(n.Index)
	pos := int32(n.Pos)
	return &place{
		prepare: func(f *Frame) bool {
			v := obj(f)
			if v.IsThrow() {
				return false
			}
			f.S[t] = v
			k := key(f)
			f.S[t+1] = k
			return !k.IsThrow()
		},
		get: func(f *Frame) Value {
			v, k := f.S[t], f.S[t+1]
			if x, ok := fastElement(v, k); ok {
				return x
			}
			f.R.Pos = pos
			if v.IsNullish() {
				return throwNullish(f, v, keyText(f.R, k), &from, "read")
			}
			if k.IsObject() { // convert once
				key, ok := f.R.ToPropertyKey(k)
				if !ok {
					return value.Throw
				}
				k = key.Value()
				f.S[t+1] = k
			}
			return f.R.GetElement(v, k)
		},
		write: func(f *Frame, x Value) bool {
			v, k := f.S[t], f.S[t+1]
			if fastStore(f, v, k, x) {
				return true
			}
			f.R.Pos = pos
			if v.IsNullish() {
				throwNullish(f, v, keyText(f.R, k), &from, "set")
				return false
			}
			return f.R.SetElement(v, k, x)
		},
	}
}

func (c *fn) privatePlace(n *syntax.PrivateMember) *place {
	t := c.temp(1)
	obj, name, pos := c.expr(n.Obj), c.readRef(n.Ref), int32(n.Pos)
	return &place{
		prepare: func(f *Frame) bool {
			v := obj(f)
			f.S[t] = v
			return !v.IsThrow()
		},
		get: func(f *Frame) Value { f.R.Pos = pos; return f.R.PrivateGet(f.S[t], name(f).Symbol()) },
		write: func(f *Frame, x Value) bool {
			f.R.Pos = pos
			return f.R.PrivateSet(f.S[t], name(f).Symbol(), x)
		},
	}
}

func (c *fn) superPlace(n *syntax.SuperMember) *place {
	t := c.temp(2)
	this, key, pos := c.this(n.This), c.superKey(n), int32(n.Pos)
	return &place{
		prepare: func(f *Frame) bool {
			v := this(f)
			if v.IsThrow() {
				return false
			}
			f.S[t] = v
			k := key(f)
			f.S[t+1] = k
			return !k.IsThrow()
		},
		get: func(f *Frame) Value {
			f.R.Pos = pos
			base := superBase(f)
			if base == nil {
				return value.Throw
			}
			k, ok := f.R.ToPropertyKey(f.S[t+1])
			if !ok {
				return value.Throw
			}
			f.S[t+1] = k.Value()
			return f.R.GetWith(base, k, f.S[t])
		},
		write: func(f *Frame, x Value) bool {
			f.R.Pos = pos
			base := superBase(f)
			if base == nil {
				return false
			}
			k, ok := f.R.ToPropertyKey(f.S[t+1])
			if !ok {
				return false
			}
			switch f.R.SetWith(base, k, x, f.S[t]) {
			case value.OK:
				return true
			case value.Failed:
				f.R.ThrowTypeError("Cannot assign to read only property '%s' of object", k)
			}
			return false
		},
	}
}

func (c *fn) assignCompound(n *syntax.Assign) expr {
	p := c.place(n.Target)
	t := c.temp(1)
	v, pos, op := c.expr(n.Value), int32(n.Pos), n.Op
	vop := value.Operator(op - syntax.OpAdd + 1)
	return func(f *Frame) Value {
		a := p.read(f)
		if a.IsThrow() {
			return a
		}
		f.S[t] = a
		b := v(f)
		if b.IsThrow() {
			return b
		}
		var x Value
		switch {
		case a.IsNumber() && b.IsNumber():
			x = value.Num(value.ArithFloat(vop, a.Float(), b.Float()))
		case op == syntax.OpAdd:
			f.R.Pos = pos
			x = f.R.AddSlow(a, b)
		default:
			f.R.Pos = pos
			x = f.R.Arith(vop, a, b)
		}
		if x.IsThrow() || !p.write(f, x) {
			return value.Throw
		}
		return x
	}
}

func (c *fn) assignLogical(n *syntax.Assign) expr {
	p := c.place(n.Target)
	var v expr
	if id, ok := n.Target.(*syntax.Ident); ok {
		v = c.named(n.Value, id.Orig)
	} else {
		v = c.expr(n.Value)
	}
	op := n.Op
	return func(f *Frame) Value {
		a := p.read(f)
		if a.IsThrow() {
			return a
		}
		switch {
		case op == syntax.OpNullish && !a.IsNullish(), op == syntax.OpAnd && !value.ToBoolean(a), op == syntax.OpOr && value.ToBoolean(a):
			return a
		}
		x := v(f)
		if x.IsThrow() || !p.write(f, x) {
			return value.Throw
		}
		return x
	}
}

package compile

// This file defines property reads.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// chainLink compiles the object of a link; with optional a nullish object short-circuits the chain. A short-circuit
// travels as Hole, which no guest value is, up to the OptionalChain node.
func (c *fn) chainLink(obj syntax.Expr, optional bool) expr {
	x := c.expr(obj)
	if !optional {
		return x
	}
	return func(f *Frame) Value {
		v := x(f)
		if v.IsNullish() {
			return value.Hole
		}
		return v
	}
}

func (c *fn) optionalChain(n *syntax.OptionalChain) expr {
	x := c.expr(n.X)
	return func(f *Frame) Value {
		v := x(f)
		if v.IsHole() {
			return value.Undefined
		}
		return v
	}
}

// access is what the slow path of a property read needs for its message.
type access struct {
	key  value.Key
	site int
	pos  int32
	from origin // of the object
}

func (a *access) slow(f *Frame, v Value) Value {
	if v.IsThrow() || v.IsHole() {
		return v
	}
	f.R.Pos = a.pos
	if v.IsNullish() {
		return throwNullish(f, v, a.key.String(), &a.from, "read")
	}
	return f.R.Load(v, a.key, a.site)
}

func (c *fn) member(n *syntax.Member) expr {
	keeps := c.keep > 0
	obj, from := c.kept(n.Obj, n.Optional)
	a := &access{key: value.StringKey(n.Name), site: c.getSite(), pos: int32(n.Pos), from: from}
	if n.Name == "length" {
		return lengthOf(obj, a)
	}
	site := a.site
	if l := c.localSlot(n.Obj); l >= 0 && !n.Optional && !keeps {
		return func(f *Frame) Value {
			v := f.S[l]
			if o := v.Object(); o != nil {
				ic := &f.R.GetCaches[site]
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
	}
	return func(f *Frame) Value {
		v := obj(f)
		if o := v.Object(); o != nil {
			ic := &f.R.GetCaches[site]
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
}

func lengthOf(obj expr, a *access) expr {
	return func(f *Frame) Value {
		v := obj(f)
		if o := v.Object(); o != nil {
			if o.Class == value.ClassArray {
				return value.Num(float64(o.N))
			}
		} else if s := v.Str(); s != nil && !s.IsAnswer() {
			return value.Int(s.Len())
		}
		return a.slow(f, v)
	}
}

func (c *fn) index(n *syntax.Index) expr {
	obj, from := c.kept(n.Obj, n.Optional)
	pos := int32(n.Pos)
	slow := func(f *Frame, v, k Value) Value {
		f.R.Pos = pos
		if v.IsNullish() {
			return throwNullish(f, v, keyText(f.R, k), &from, "read")
		}
		return f.R.GetElement(v, k)
	}
	if pure(n.Index) {
		key := c.expr(n.Index)
		return func(f *Frame) Value {
			v := obj(f)
			if v.IsThrow() || v.IsHole() {
				return v
			}
			k := key(f)
			if x, ok := fastElement(v, k); ok {
				return x
			}
			return slow(f, v, k)
		}
	}
	t := c.temp(1)
	key := c.expr(n.Index)
	return func(f *Frame) Value {
		v := obj(f)
		if v.IsThrow() || v.IsHole() {
			return v
		}
		f.S[t] = v
		k := key(f)
		if k.IsThrow() {
			return k
		}
		if x, ok := fastElement(v, k); ok {
			return x
		}
		return slow(f, v, k)
	}
}

// fastElement reads a dense element by number.
func fastElement(v, k Value) (Value, bool) {
	if k.IsNumber() {
		if o := v.Object(); o != nil && o.Flags&value.FlagExotic == 0 {
			n := k.Float()
			if i := int(n); float64(i) == n && uint(i) < uint(len(o.Elems)) {
				x := o.Elems[i]
				return x, !x.IsHole()
			}
		}
	}
	return value.Undefined, false
}

func keyText(r *value.Realm, k Value) string {
	if k.IsObject() || k.IsSymbol() {
		return r.Describe(k)
	}
	return value.PrimitiveToString(k).String()
}

func (c *fn) privateMember(n *syntax.PrivateMember) expr {
	obj := c.chainLink(n.Obj, n.Optional)
	name, pos := c.readRef(n.Ref), int32(n.Pos)
	return func(f *Frame) Value {
		v := obj(f)
		if v.IsThrow() || v.IsHole() {
			return v
		}
		f.R.Pos = pos
		return f.R.PrivateGet(v, name(f).Symbol())
	}
}

func (c *fn) privateIn(n *syntax.PrivateIn) expr {
	name, x, pos := c.readRef(n.Ref), c.expr(n.Right), int32(n.Pos)
	return func(f *Frame) Value {
		v := x(f)
		if v.IsThrow() {
			return v
		}
		o := v.Object()
		if o == nil {
			f.R.Pos = pos
			return f.R.ThrowTypeError("Cannot use 'in' operator to search for '#%s' in %s", n.Name, f.R.Describe(v))
		}
		return value.Bool(f.R.HasPrivate(o, name(f).Symbol()))
	}
}

// homeFunc is the function whose home object and prototype super refers to.
func homeFunc(f *Frame) *value.Function {
	if l := f.Fn.Lexical; l != nil {
		return l.Func
	}
	return f.Fn
}

// superBase is the object that super.x reads from; nil if a TypeError is pending.
func superBase(f *Frame) *value.Object {
	h := homeFunc(f).Home
	if h == nil || h.Proto() == nil {
		f.R.ThrowTypeError("Cannot read properties of null (reading super)")
		return nil
	}
	return h.Proto()
}

// superKey compiles the key of a super property.
func (c *fn) superKey(n *syntax.SuperMember) expr {
	if n.Index != nil {
		return c.expr(n.Index)
	}
	return constant(value.StringKey(n.Name).Value())
}

func (c *fn) superMember(n *syntax.SuperMember) expr {
	this, key, pos := c.this(n.This), c.superKey(n), int32(n.Pos)
	return func(f *Frame) Value {
		t := this(f)
		if t.IsThrow() {
			return t
		}
		kv := key(f)
		if kv.IsThrow() {
			return kv
		}
		f.R.Pos = pos
		base := superBase(f)
		if base == nil {
			return value.Throw
		}
		k, ok := f.R.ToPropertyKey(kv)
		if !ok {
			return value.Throw
		}
		return f.R.GetWith(base, k, t)
	}
}

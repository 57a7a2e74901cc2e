package builtin

// This file defines structuredClone (HTML 2.7).

import "github.com/codemode-go/codemode/interpreter/internal/value"

// cloner keeps what was cloned, so that cycles and shared parts come out alike.
type cloner struct {
	r    *realm
	seen map[*object]*object
}

// cloneCost is what one level of cloning counts for in stack depth.
const cloneCost = 2 * value.CallCost

func structuredClone(r *realm, _ val, args []val) val {
	if len(args) == 0 {
		return r.ThrowTypeError("structuredClone: 1 argument required, but only 0 present")
	}
	c := &cloner{r: r, seen: map[*object]*object{}}
	defer r.Built(r.Building()) // getters may run: what they drop is held against the program until the clone is done
	return c.value(args[0])
}

func (c *cloner) refuse(v val) val {
	if value.NativePromise(v) != nil {
		return throwNamed(c.r, "DataCloneError", "a Promise could not be cloned; await it first")
	}
	return throwNamed(c.r, "DataCloneError", c.r.Describe(v)+" could not be cloned")
}

func (c *cloner) value(v val) val {
	o := v.Object()
	switch {
	case v.IsSymbol():
		return c.refuse(v)
	case o == nil:
		return v
	}
	if done := c.seen[o]; done != nil {
		return done.Value()
	}
	r := c.r
	if r.Stack += cloneCost; r.Stack > value.StackLimit {
		r.Stack -= cloneCost
		return r.ThrowError(value.RangeError, "Maximum call stack size exceeded")
	}
	out := c.object(o)
	r.Stack -= cloneCost
	return out
}

// remember registers a clone before its parts are cloned.
func (c *cloner) remember(from, to *object) *object {
	c.seen[from] = to
	return to
}

func (c *cloner) object(o *object) val {
	r := c.r
	if o.IsCallable() {
		return c.refuse(o.Value())
	}
	switch x := o.Ext.(type) {
	case *dateData:
		return c.remember(o, r.NewClass(value.ClassDate, r.Intrinsic(value.DatePrototype), &dateData{x.t})).Value()
	case *regExp:
		return c.remember(o, newRegExpObject(r, r.Intrinsic(value.RegExpPrototype), x)).Value()
	case *bytes:
		b, ok := copyBytes(r, x.b)
		if !ok {
			return value.Throw
		}
		return c.remember(o, bytesObject(r, r.Intrinsic(value.Uint8ArrayPrototype), b)).Value()
	case *mapData:
		if o.Class == value.ClassMap {
			return c.mapOf(o, x)
		}
	case *setData:
		if o.Class == value.ClassSet {
			return c.setOf(o, x)
		}
	}
	switch o.Class {
	case value.ClassBoolean, value.ClassNumber, value.ClassBigInt, value.ClassString:
		return c.remember(o, r.ToObject(primitiveOf(o))).Value()
	case value.ClassError:
		return c.errorOf(o)
	case value.ClassArray:
		a := c.remember(o, r.NewArray(nil))
		if !setLength(r, a, int(o.N)) {
			return value.Throw
		}
		return c.members(o, a)
	case value.ClassObject, value.ClassArguments:
		return c.members(o, c.remember(o, r.NewPlain(len(o.Slots))))
	}
	return c.refuse(o.Value())
}

func primitiveOf(o *object) val {
	if s, ok := o.Ext.(*value.Str); ok {
		return s.Value()
	}
	return o.Ext.(val)
}

// members clones the own enumerable string-keyed properties.
func (c *cloner) members(from, to *object) val {
	r := c.r
	keys, ok := r.OwnKeys(from)
	if !ok {
		return value.Throw
	}
	defer r.Unroot(r.Root(to.Value()))
	for _, k := range keys {
		if k.IsSymbol() {
			continue
		}
		d, ok := r.GetOwn(from, k)
		if !ok || d.Attr&value.Enumerable == 0 {
			continue
		}
		v := r.Get(from, k)
		if !v.IsThrow() {
			v = c.value(v)
		}
		if v.IsThrow() || !r.Step(1) || !create(r, to, k, v) {
			return value.Throw
		}
	}
	return to.Value()
}

func (c *cloner) mapOf(o *object, x *mapData) val {
	m := &mapData{*newCollection()}
	out := c.remember(o, c.r.NewClass(value.ClassMap, c.r.Intrinsic(value.MapPrototype), m))
	defer c.r.Unroot(c.r.Root(out.Value()))
	for _, e := range x.snapshot() {
		k := c.value(e.key)
		if k.IsThrow() {
			return k
		}
		v := c.value(e.value)
		if v.IsThrow() || !c.r.Step(1) {
			return value.Throw
		}
		m.set(c.r, k, v)
	}
	return out.Value()
}

func (c *cloner) setOf(o *object, x *setData) val {
	s := &setData{*newCollection()}
	out := c.remember(o, newSet(c.r, s))
	defer c.r.Unroot(c.r.Root(out.Value()))
	for _, e := range x.snapshot() {
		k := c.value(e.key)
		if k.IsThrow() || !c.r.Step(1) {
			return value.Throw
		}
		s.set(c.r, k, value.Undefined)
	}
	return out.Value()
}

// snapshot copies the live entries.
func (c *collection) snapshot() []collectionEntry {
	out := make([]collectionEntry, 0, c.live)
	for u := c.cursor(); ; {
		e, ok := u.step()
		if !ok {
			return out
		}
		out = append(out, *e)
	}
}

var cloneableErrors = map[string]value.ID{
	"Error": value.Error, "EvalError": value.EvalError, "RangeError": value.RangeError, "ReferenceError": value.ReferenceError,
	"SyntaxError": value.SyntaxError, "TypeError": value.TypeError, "URIError": value.URIError,
}

func (c *cloner) errorOf(o *object) val {
	r := c.r
	name := r.Get(o, value.Name("name"))
	if name.IsThrow() {
		return name
	}
	id := value.ID(value.Error)
	if s := name.Str(); s != nil {
		if known, ok := cloneableErrors[s.String()]; ok {
			id = known
		}
	}
	pos := int32(-1)
	if d, ok := o.Ext.(*value.ErrorData); ok {
		pos = d.Pos
	}
	e := c.remember(o, r.NewClass(value.ClassError, r.Intrinsic(id), &value.ErrorData{Pos: pos}))
	defer r.Unroot(r.Root(e.Value()))
	for _, k := range []value.Key{value.Name("message"), value.Name("cause")} {
		v, ok := r.GetOwnValue(o, k)
		if !ok {
			continue
		}
		if k.S == "message" {
			s := r.ToString(v)
			if s == nil {
				return value.Throw
			}
			v = s.Value()
		} else if v = c.value(v); v.IsThrow() {
			return v
		}
		r.DefineOwn(e, k, value.DataDesc(v, value.AttrMethod))
	}
	return e.Value()
}

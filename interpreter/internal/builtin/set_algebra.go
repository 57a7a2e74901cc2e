package builtin

// This file defines the Set methods that combine two sets (ECMA-262 24.2.4).

import (
	"math"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// setRecord is a Set Record (24.2.1.1): what another set-like object offers.
type setRecord struct {
	r         *realm
	o         *object
	size      float64
	has, keys val
}

// setOperands are this and the argument of a set method; false if it threw.
func setOperands(r *realm, this val, args []val, method string) (*setData, *setRecord, bool) {
	s := thisSet(r, this, method)
	if s == nil {
		return nil, nil, false
	}
	other := arg(args, 0)
	o := other.Object()
	if o == nil {
		r.ThrowTypeError("Set.prototype.%s: %s is not a Set; wrap it in new Set(...)", method, r.Describe(other))
		return nil, nil, false
	}
	rec := &setRecord{r: r, o: o}
	raw := r.Get(o, value.Name("size"))
	if raw.IsThrow() {
		return nil, nil, false
	}
	size, ok := r.ToNumber(raw)
	if !ok {
		return nil, nil, false
	}
	if size != size {
		r.ThrowTypeError("Set.prototype.%s: the size of %s is not a number; wrap a list in new Set(...)", method, r.Describe(other))
		return nil, nil, false
	}
	if rec.size = math.Trunc(size); rec.size < 0 {
		r.ThrowError(value.RangeError, "'%s' is an invalid size", value.NumberToString(rec.size))
		return nil, nil, false
	}
	for _, m := range []struct {
		name string
		to   *val
	}{{"has", &rec.has}, {"keys", &rec.keys}} {
		*m.to = r.Get(o, value.Name(m.name))
		if m.to.IsThrow() {
			return nil, nil, false
		}
		if !m.to.IsCallable() {
			r.ThrowTypeError("Set.prototype.%s: the '%s' property of %s is not a function", method, m.name, r.Describe(other))
			return nil, nil, false
		}
	}
	return s, rec, true
}

// contains asks the other set.
func (x *setRecord) contains(v val) (has, ok bool) {
	h := x.r.Call(x.has, x.o.Value(), v)
	if h.IsThrow() || !x.r.Step(1) {
		return false, false
	}
	return value.ToBoolean(h), true
}

// open starts an iteration over the other set's keys; false if it threw.
func (x *setRecord) open() (value.Iterator, bool) {
	r := x.r
	iv := r.Call(x.keys, x.o.Value())
	if iv.IsThrow() {
		return value.Iterator{}, false
	}
	if !iv.IsObject() {
		r.ThrowTypeError("%s is not an object", r.Describe(iv))
		return value.Iterator{}, false
	}
	return r.IteratorDirect(iv)
}

// each walks the other set's keys; visit says stop to end early, which closes the iterator. False if anything threw.
func (x *setRecord) each(visit func(v val) (stop bool)) bool {
	it, ok := x.open()
	return ok && x.walk(it, visit)
}

func (x *setRecord) walk(it value.Iterator, visit func(v val) (stop bool)) bool {
	r := x.r
	defer r.Unroot(r.Root(it.Object))
	for {
		v, done, ok := r.IteratorStep(&it)
		if !ok || !r.Step(1) {
			return false
		}
		if done {
			return true
		}
		if visit(v) {
			return r.CloseIterator(&it, false)
		}
	}
}

func (s *setData) copy(r *realm) *setData {
	out := &setData{*newCollection()}
	for u := s.cursor(); ; {
		e, ok := u.step()
		if !ok {
			return out
		}
		out.set(r, e.key, value.Undefined)
	}
}

func newSet(r *realm, s *setData) *object {
	return r.NewClass(value.ClassSet, r.Intrinsic(value.SetPrototype), s)
}

func setUnion(r *realm, this val, args []val) val {
	s, other, ok := setOperands(r, this, args, "union")
	if !ok {
		return value.Throw
	}
	it, ok := other.open()
	if !ok {
		return value.Throw
	}
	out := s.copy(r)
	o := newSet(r, out)
	defer r.Unroot(r.Root(o.Value()))
	ok = other.walk(it, func(v val) bool {
		out.set(r, v, value.Undefined)
		return false
	})
	return completed(o.Value(), ok)
}

func setIntersection(r *realm, this val, args []val) val {
	s, other, ok := setOperands(r, this, args, "intersection")
	if !ok {
		return value.Throw
	}
	out := &setData{*newCollection()}
	o := newSet(r, out)
	defer r.Unroot(r.Root(o.Value()))
	if float64(s.live) > other.size {
		ok = other.each(func(v val) bool {
			if s.find(v) != nil {
				out.set(r, v, value.Undefined)
			}
			return false
		})
		return completed(o.Value(), ok)
	}
	for u := s.cursor(); ; {
		e, more := u.step()
		if !more {
			return o.Value()
		}
		k := e.key
		has, ok := other.contains(k)
		if !ok {
			return value.Throw
		}
		if has {
			out.set(r, k, value.Undefined)
		}
	}
}

func setDifference(r *realm, this val, args []val) val {
	s, other, ok := setOperands(r, this, args, "difference")
	if !ok {
		return value.Throw
	}
	out := s.copy(r)
	o := newSet(r, out)
	defer r.Unroot(r.Root(o.Value()))
	if float64(s.live) > other.size {
		ok = other.each(func(v val) bool {
			out.delete(r, v)
			return false
		})
		return completed(o.Value(), ok)
	}
	for u := s.cursor(); ; {
		e, more := u.step()
		if !more {
			return o.Value()
		}
		k := e.key
		has, ok := other.contains(k)
		if !ok {
			return value.Throw
		}
		if has {
			out.delete(r, k)
		}
	}
}

func setSymmetricDifference(r *realm, this val, args []val) val {
	s, other, ok := setOperands(r, this, args, "symmetricDifference")
	if !ok {
		return value.Throw
	}
	it, ok := other.open()
	if !ok {
		return value.Throw
	}
	out := s.copy(r)
	o := newSet(r, out)
	defer r.Unroot(r.Root(o.Value()))
	ok = other.walk(it, func(v val) bool {
		if s.find(v) != nil {
			out.delete(r, v)
		} else {
			out.set(r, v, value.Undefined)
		}
		return false
	})
	return completed(o.Value(), ok)
}

func setIsSubsetOf(r *realm, this val, args []val) val {
	s, other, ok := setOperands(r, this, args, "isSubsetOf")
	if !ok {
		return value.Throw
	}
	if float64(s.live) > other.size {
		return value.False
	}
	for u := s.cursor(); ; {
		e, more := u.step()
		if !more {
			return value.True
		}
		has, ok := other.contains(e.key)
		if !ok || !has {
			return completed(value.False, ok)
		}
	}
}

func setIsSupersetOf(r *realm, this val, args []val) val {
	s, other, ok := setOperands(r, this, args, "isSupersetOf")
	if !ok {
		return value.Throw
	}
	if float64(s.live) < other.size {
		return value.False
	}
	all := true
	ok = other.each(func(v val) bool {
		all = s.find(v) != nil
		return !all
	})
	return completed(value.Bool(all), ok)
}

func setIsDisjointFrom(r *realm, this val, args []val) val {
	s, other, ok := setOperands(r, this, args, "isDisjointFrom")
	if !ok {
		return value.Throw
	}
	disjoint := true
	if float64(s.live) > other.size {
		ok = other.each(func(v val) bool {
			disjoint = s.find(v) == nil
			return !disjoint
		})
		return completed(value.Bool(disjoint), ok)
	}
	for u := s.cursor(); ; {
		e, more := u.step()
		if !more {
			return value.True
		}
		has, ok := other.contains(e.key)
		if !ok || has {
			return completed(value.False, ok)
		}
	}
}

package value

// This file defines the copy of an object's own properties (spread, rest, Object.assign-like).

// CopyDataProperties (ECMA-262 7.3.27); false if it threw.
func (r *Realm) CopyDataProperties(dst *Object, src Value, except []Key) bool {
	if src.IsNullish() {
		return true
	}
	r.NoteFields(src)
	from := r.ToObject(src)
	if from.copiesPlain() && len(except) == 0 {
		return r.copyPlain(dst, from)
	}
	keys, ok := r.OwnKeys(from)
	if !ok {
		return false
	}
next:
	for _, k := range keys {
		for _, e := range except {
			if k == e {
				continue next
			}
		}
		d, ok := r.GetOwn(from, k)
		if !ok || d.Attr&Enumerable == 0 {
			continue
		}
		v := r.GetWith(from, k, from.Value())
		if v.IsThrow() || !r.Step(1) || r.CreateDataProperty(dst, k, v) != OK {
			return false
		}
	}
	return true
}

// copiesPlain tells objects whose own properties are the slots of a shared shape.
func (o *Object) copiesPlain() bool {
	return o.Class == ClassObject && o.Flags&(FlagExotic|FlagIndexProps|FlagLazyFunction|FlagIsProto) == 0 && len(o.Elems) == 0 && !o.Shape.owned
}

// CopyPlain makes a copy of the own properties of src but some, with room for more; nil if that needs the general way.
func (r *Realm) CopyPlain(src Value, except []Key, more int) *Object {
	from := src.Object()
	if from == nil || !from.copiesPlain() || !allDefault(from.Shape.props) {
		return nil
	}
	if len(except) > 0 {
		return r.copyRest(from, except)
	}
	shape := from.Shape
	if shape.Proto != r.intrinsics[ObjectPrototype] {
		shape = shape.withProto(r, r.intrinsics[ObjectPrototype])
	}
	if shape.owned { // the tree is full
		return nil
	}
	return r.NewWithShape(shape, from.Slots, more)
}

func (r *Realm) copyRest(from *Object, except []Key) *Object {
	var slots [16]Value
	n, shape := 0, r.plainShape
next:
	for i := range from.Shape.props {
		p := &from.Shape.props[i]
		for j := range except {
			if e := &except[j]; e.S == p.name && e.Sym == p.sym && !e.IsIndex {
				continue next
			}
		}
		if n == len(slots) {
			return nil
		}
		if shape = shape.next(r, *p); shape == nil {
			return nil
		}
		slots[n] = from.Slots[i]
		n++
	}
	return r.NewWithShape(shape, slots[:n], 0)
}

// copyPlain copies a shared-shape object without looking every key up; accessors may run guest code that changes the
// source, so they take the general path.
func (r *Realm) copyPlain(dst, from *Object) bool {
	props := from.Shape.props
	for i := range props {
		if props[i].attr&AttrAccessor != 0 {
			return r.copyGeneral(dst, from)
		}
	}
	if dst.Shape == r.plainShape && len(dst.Slots) == 0 && dst.Flags&(1<<roomShift-1) == 0 && allDefault(props) {
		dst.Shape = from.Shape
		if cap(dst.Slots) < len(from.Slots) {
			dst.Slots = make([]Value, 0, len(from.Slots)+2)
			r.Charge(16 * cap(dst.Slots))
		}
		dst.Slots = append(dst.Slots, from.Slots...)
		return from.Shape.Proto == r.intrinsics[ObjectPrototype] || r.reshape(dst, from)
	}
	for i := range props {
		if p := &props[i]; p.attr&Enumerable != 0 && (p.sym == nil || !p.sym.Private) {
			if r.CreateDataProperty(dst, Key{S: p.name, Sym: p.sym}, from.Slots[i]) != OK {
				return false
			}
		}
	}
	return true
}

func allDefault(props []prop) bool {
	for i := range props {
		if props[i].attr != AttrDefault || props[i].sym != nil && props[i].sym.Private {
			return false
		}
	}
	return true
}

// reshape gives a copy of an object with another prototype the plain shape of its keys.
func (r *Realm) reshape(dst, from *Object) bool {
	dst.Shape = from.Shape.withProto(r, r.intrinsics[ObjectPrototype])
	return true
}

func (r *Realm) copyGeneral(dst, from *Object) bool {
	for _, p := range append([]prop(nil), from.Shape.props...) {
		k := Key{S: p.name, Sym: p.sym}
		d, ok := r.GetOwn(from, k)
		if !ok || d.Attr&Enumerable == 0 {
			continue
		}
		v := r.Get(from, k)
		if v.IsThrow() || r.CreateDataProperty(dst, k, v) != OK {
			return false
		}
	}
	return true
}

package value

// This file defines the copy of an object's own properties (spread, rest, Object.assign-like).

// CopyDataProperties (ECMA-262 7.3.27); false if it threw.
func (r *Realm) CopyDataProperties(dst *Object, src Value, except []Key) bool {
	if src.IsNullish() {
		return true
	}
	r.NoteFields(src)
	from := r.ToObject(src)
	if from.Flags&(FlagExotic|FlagIndexProps|FlagLazyFunction|FlagIsProto) == 0 && from.Class == ClassObject && len(from.Elems) == 0 && len(except) == 0 && !from.Shape.owned {
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

// copyPlain copies a shared-shape object without looking every key up; accessors may run guest code that changes the
// source, so they take the general path.
func (r *Realm) copyPlain(dst, from *Object) bool {
	props := from.Shape.props
	for i := range props {
		if props[i].attr&AttrAccessor != 0 {
			return r.copyGeneral(dst, from)
		}
	}
	if dst.Shape == r.plainShape && len(dst.Slots) == 0 && dst.Flags == 0 && allDefault(props) {
		dst.Shape = from.Shape
		dst.Slots = append(make([]Value, 0, len(from.Slots)+2), from.Slots...)
		r.Charge(16 * cap(dst.Slots))
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

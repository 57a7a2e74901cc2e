package value

// This file defines what tells that an array may take a fast path.

// ArrayProtoPlain tells whether storing a new element into the array o cannot meet a setter or read-only element on its
// prototypes.
func (r *Realm) ArrayProtoPlain(o *Object) bool {
	p := o.Shape.Proto
	return p == r.intrinsics[ArrayPrototype] && len(p.Elems) == 0 && p.Flags&FlagIndexProps == 0 &&
		p.Shape.Proto == r.intrinsics[ObjectPrototype] && p.Shape.Proto.Flags&FlagIndexProps == 0 && len(p.Shape.Proto.Elems) == 0
}

// StoreNext sets element i of an array whose dense elements end there, as o[i] = v does; false where that needs the general way.
func (r *Realm) StoreNext(o *Object, i int, v Value) bool {
	if i != len(o.Elems) || o.Class != ClassArray || i >= MaxIndex-1 || o.Flags&(notPlain|FlagReadOnlyLength) != 0 || !r.ArrayProtoPlain(o) {
		return false
	}
	return r.addElem(o, uint32(i), v)
}

// OrdinaryArray tells arrays for which reading constructor and Symbol.species gives the builtins and runs no guest code.
func (r *Realm) OrdinaryArray(o *Object) bool {
	p := r.intrinsics[ArrayPrototype]
	if o.Class != ClassArray || o.Shape.Proto != p || len(o.Slots) > 0 || !p.Shape.cow {
		return false
	}
	c := r.intrinsics[ArrayConstructor]
	if c != nil && !c.Shape.cow {
		return false
	}
	i := p.Shape.lookup(keyConstructor)
	v := p.Slots[i]
	return v.p == &lazyTag || c != nil && v == c.Value()
}

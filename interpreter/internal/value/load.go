package value

// This file defines property reads and writes through inline caches.

// Load reads v[k] at a get site, filling its cache. k is never an array index.
func (r *Realm) Load(v Value, k Key, site int) Value {
	o := v.Object()
	if o == nil {
		return r.loadPrimitive(v, k, site)
	}
	if k.S == "length" && k.Sym == nil && (o.Class == ClassArray || o.Class == ClassString) || o.Flags&FlagExotic != 0 {
		return r.GetWith(o, k, v)
	}
	c := &r.GetCaches[site]
	if c.Shape == o.Shape && c.Holder == nil && c.Slot < 0 && c.Epoch == r.Epoch {
		r.notePromiseMiss(o, k)
		return Undefined
	}
	return r.loadFrom(o, k, v, c)
}

func (r *Realm) loadPrimitive(v Value, k Key, site int) Value {
	s := v.Str()
	if s == nil || k.S == "length" && k.Sym == nil {
		r.NoteTextUse(v, "the length is that of a text")
		return r.GetV(v, k)
	}
	p := r.Intrinsic(StringPrototype)
	c := &r.GetCaches[site]
	if c.Shape == p.Shape && c.Holder != nil && c.Epoch == r.Epoch && !s.IsAnswer() {
		return c.Holder.Slots[c.Slot]
	}
	x := r.loadFrom(p, k, v, c)
	switch {
	case k.Sym != nil:
	case x.IsUndefined():
		r.noteTextMiss(s, k.S)
	default:
		r.NoteParsed(s)
	}
	return x
}

// loadFrom walks the prototype chain from o and caches what it finds where that is sound.
func (r *Realm) loadFrom(o *Object, k Key, receiver Value, c *GetCache) Value {
	cacheable := true
	for cur := o; cur != nil; cur = cur.Shape.Proto {
		if cur.Flags&FlagExotic != 0 || cur != o && cur.Class == ClassString {
			return r.GetWith(cur, k, receiver)
		}
		if cur != o {
			cur.Flags |= FlagIsProto
		}
		i := r.slotOf(cur, k)
		if i < 0 {
			continue
		}
		v := cur.Slots[i]
		if a := v.accessor(); a != nil {
			if a.Get == nil {
				return Undefined
			}
			return r.Call(a.Get.Value(), receiver)
		}
		if cacheable = o.cacheable(); cacheable {
			*c = GetCache{Shape: o.Shape, Slot: int32(i), Epoch: r.Epoch}
			if cur != o || o.Shape.owned {
				c.Holder = cur
			}
		}
		return v
	}
	if o.cacheable() {
		*c = GetCache{Shape: o.Shape, Slot: -1, Epoch: r.Epoch}
	}
	r.notePromiseMiss(o, k)
	return Undefined
}

func (r *Realm) notePromiseMiss(o *Object, k Key) {
	if o.Class == ClassPromise && k.Sym == nil && k.S != "toJSON" {
		r.NotePromise(o.Value(), "property '"+k.String()+"' was read from a Promise, which has none of that name", k.String())
	}
}

// cacheable: the shape alone, or the shape and the epoch, tell what own keys o has.
func (o *Object) cacheable() bool { return !o.Shape.owned || o.Flags&FlagIsProto != 0 }

// Store writes o[k] = v at a set site, filling its cache.
func (r *Realm) Store(o *Object, k Key, v Value, site int) Done {
	if o.Flags&(FlagExotic|FlagIsProto) != 0 || o.Shape.owned || o.Class == ClassArray && k.S == "length" {
		return r.Set(o, k, v)
	}
	before := o.Shape
	c := &r.SetCaches[site]
	if i := r.slotOf(o, k); i >= 0 {
		if before == o.Shape && o.Shape.props[i].attr == AttrDefault {
			*c = SetCache{Shape: before, Slot: int32(i)}
		}
		return r.Set(o, k, v)
	}
	epoch := r.Epoch
	for p := o.Shape.Proto; p != nil; p = p.Shape.Proto {
		if p.Flags&FlagExotic != 0 {
			return r.Set(o, k, v)
		}
		p.Flags |= FlagIsProto
	}
	n := len(o.Slots)
	done := r.Set(o, k, v)
	if done == OK && r.Epoch == epoch && !o.Shape.owned && len(o.Slots) == n+1 && o.Shape != before &&
		o.Shape.Proto == before.Proto && len(o.Shape.props) == len(before.props)+1 && before.lastShape == o.Shape {
		*c = SetCache{Shape: before, New: o.Shape, Slot: int32(n), Epoch: epoch}
	}
	return done
}

// AddSlot completes a cached add.
func (o *Object) AddSlot(r *Realm, shape *Shape, v Value) {
	o.Shape = shape
	if len(o.Slots) < cap(o.Slots) {
		o.Slots = append(o.Slots, v)
		return
	}
	o.appendSlot(r, v)
}

// GetElement is obj[key] for any operands.
func (r *Realm) GetElement(v, key Value) Value {
	if key.p == &numTag {
		f := key.Float()
		if i := int(f); float64(i) == f && i >= 0 {
			if s := v.Str(); s != nil && i < int(s.N) {
				if s.IsAnswer() {
					r.NoteTextUse(v, "["+PrimitiveToString(key).String()+"] is a character of a text")
				}
				return s.CharAt(i).Value()
			}
			if i < MaxIndex {
				return r.GetV(v, Key{Index: uint32(i), IsIndex: true})
			}
		}
	}
	if name, o := plainMember(v, key, FlagExotic|FlagLazyFunction|FlagIntrinsic|FlagIndexProps); o != nil {
		if i := o.Shape.lookupName(name); i >= 0 && o.Shape.props[i].attr&AttrAccessor == 0 {
			return o.Slots[i]
		}
	}
	if v.IsNullish() {
		return r.ThrowTypeError("Cannot read properties of %s (reading '%s')", PrimitiveToString(v), r.keyText(key))
	}
	k, ok := r.ToPropertyKey(key)
	if !ok {
		return Throw
	}
	return r.GetV(v, k)
}

// SetElement is obj[key] = v for any operands; false if it threw.
func (r *Realm) SetElement(obj, key, v Value) bool {
	if obj.IsNullish() {
		r.ThrowTypeError("Cannot set properties of %s (setting '%s')", PrimitiveToString(obj), r.keyText(key))
		return false
	}
	if name, o := plainMember(obj, key, notPlain); o != nil {
		switch i := o.Shape.lookupName(name); {
		case i >= 0:
			if o.Shape.props[i].attr&(Writable|AttrAccessor) == Writable {
				o.Slots[i] = v
				return true
			}
		case o.Shape.Proto == r.intrinsics[ObjectPrototype] && o.Shape.Proto.Shape.lookupName(name) < 0:
			r.addProp(o, Key{S: name}, v, AttrDefault)
			return true
		}
	}
	k, ok := r.ToPropertyKey(key)
	if !ok {
		return false
	}
	return r.PutV(obj, k, v)
}

// plainMember is the object and the name if obj is an ordinary object without the flags and key a text that is no array index; else
// nil.
func plainMember(obj, key Value, not Flags) (name string, o *Object) {
	if key.p.kind != KindString || obj.p.kind != KindObject || obj.p.Class != ClassObject || obj.p.Flags&not != 0 || key.p.N == 0 {
		return "", nil
	}
	if name = key.Str().String(); name[0]-'0' <= 9 {
		return "", nil
	}
	return name, obj.Object()
}

// PutV is a strict-mode property assignment (ECMA-262 6.2.5.6); false if it threw.
func (r *Realm) PutV(obj Value, k Key, v Value) bool {
	o := obj.Object()
	if o == nil {
		p := r.primitiveProto(obj)
		if p == nil {
			r.ThrowTypeError("Cannot set properties of %s (setting '%s')", PrimitiveToString(obj), k)
			return false
		}
		if s := obj.Str(); s != nil && (k.IsIndex && int64(k.Index) < int64(s.N) || k.S == "length" && k.Sym == nil) {
			r.ThrowTypeError("Cannot assign to read only property '%s' of string '%s'", k, s)
			return false
		}
		switch r.SetWith(p, k, v, obj) {
		case OK:
			return true
		case Failed:
			r.ThrowTypeError("Cannot create property '%s' on %s '%s'", k, TypeOf(obj), r.keyText(obj))
		}
		return false
	}
	switch r.SetWith(o, k, v, obj) {
	case OK:
		return true
	case Failed:
		r.throwReadOnly(o, k)
	}
	return false
}

// LoadFast is Load with the cache check in front, for sites that are not compiled to it.
func (r *Realm) LoadFast(v Value, k Key, site int) Value {
	if o := v.Object(); o != nil {
		if c := &r.GetCaches[site]; o.Shape == c.Shape {
			if c.Holder == nil {
				if c.Slot >= 0 {
					return o.Slots[c.Slot]
				}
			} else if c.Epoch == r.Epoch {
				return c.Holder.Slots[c.Slot]
			}
		}
	}
	return r.Load(v, k, site)
}

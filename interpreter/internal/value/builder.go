package value

// This file defines ways to make and to walk plain objects without looking every key up.

// NewLiteral makes an object of distinct string keys; the shape is remembered at the set site.
func (r *Realm) NewLiteral(keys []Key, vals []Value, site int) *Object {
	c := &r.SetCaches[site]
	if c.Shape == nil {
		s := r.plainShape
		for _, k := range keys {
			if s = s.next(r, prop{name: k.S, attr: AttrDefault}); s == nil {
				break
			}
		}
		if s == nil { // the shape tree is full
			o := r.NewPlain(len(keys))
			for i, k := range keys {
				r.addProp(o, k, vals[i], AttrDefault)
			}
			return o
		}
		c.Shape = s
	}
	return r.NewWithShape(c.Shape, vals, 0)
}

// ObjectBuilder makes an object member by member, as JSON text gives them: keys may repeat (the last wins).
type ObjectBuilder struct {
	r     *Realm
	o     *Object
	shape *Shape
	slots [12]Value
	n     int
}

// BuildObject starts an object with Object.prototype.
func (r *Realm) BuildObject() ObjectBuilder { return ObjectBuilder{r: r, shape: r.plainShape} }

// Add adds a member; name is WTF-8 text.
func (b *ObjectBuilder) Add(name string, v Value) {
	if b.o == nil {
		if s := b.shape; s.lastShape != nil && s.lastKey.name == name && s.lastKey.sym == nil && s.lastKey.attr == AttrDefault && b.n < len(b.slots) {
			b.slots[b.n] = v // the transition taken last time: no lookup, and the key cannot be there yet
			b.shape = s.lastShape
			b.n++
			return
		}
		k := StringKey(name)
		if !k.IsIndex && b.n < len(b.slots) && b.shape.lookupName(name) < 0 {
			if t := b.shape.next(b.r, prop{name: name, attr: AttrDefault}); t != nil {
				b.slots[b.n] = v
				b.shape = t
				b.n++
				return
			}
		}
		b.flush(4)
	}
	b.r.Put(b.o, StringKey(name), v)
}

func (b *ObjectBuilder) flush(extra int) {
	b.o = b.r.NewWithShape(b.shape, b.slots[:b.n], extra)
}

// Object ends the building.
func (b *ObjectBuilder) Object() *Object {
	if b.o == nil {
		b.flush(0)
	}
	return b.o
}

// EachPlain visits the string-keyed members of an object that has only shared-shape enumerable data properties, in order;
// done is false if o is not such an object. visit may run guest code, which may change o: the keys are those of
// the start, each value is read when its turn comes.
func (r *Realm) EachPlain(o *Object, visit func(k Key, v Value) bool) (done, ok bool) {
	s := o.Shape
	if o.Flags&(FlagExotic|FlagIndexProps|FlagLazyFunction|FlagIsProto) != 0 || s.owned || len(o.Elems) > 0 || o.Class == ClassString || o.Class == ClassArray {
		return false, true
	}
	for i := range s.props {
		if s.props[i].attr != AttrDefault {
			return false, true
		}
	}
	for i := range s.props {
		p := &s.props[i]
		if p.sym != nil {
			continue
		}
		var v Value
		if o.Shape == s {
			v = o.Slots[i]
		} else if v = r.Get(o, Key{S: p.name}); v.IsThrow() {
			return true, false
		}
		if !visit(Key{S: p.name}, v) {
			return true, false
		}
	}
	return true, true
}

// EachOwn visits the enumerable string-keyed members of an object, in order, when that needs no code of the program; false if it
// may need some. visit must run none either; with keys it gets the key as well. What visit says ends the walk.
func (r *Realm) EachOwn(o *Object, keys bool, visit func(k, v Value) bool) (done, ok bool) {
	if o.Flags&(notPlain&^FlagNonExtensible) != 0 || o.Class == ClassString {
		return false, true
	}
	props := o.Shape.props
	for i := range props {
		if props[i].attr&AttrAccessor != 0 {
			return false, true
		}
	}
	k := Undefined
	for i, v := range o.Elems {
		if v.p == &holeTag {
			continue
		}
		if keys {
			r.Charge(40)
			k = NumberToString(float64(i)).Value()
		}
		if !visit(k, v) {
			return true, false
		}
	}
	for i := range props {
		if p := &props[i]; p.sym != nil || p.attr&(Enumerable|attrDeleted) != Enumerable {
			continue
		}
		if keys {
			k = o.Shape.text(r, i)
		}
		if !visit(k, o.Slots[i]) {
			return true, false
		}
	}
	return true, true
}

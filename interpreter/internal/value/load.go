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
		return Undefined
	}
	return r.loadFrom(o, k, v, c)
}

func (r *Realm) loadPrimitive(v Value, k Key, site int) Value {
	s := v.Str()
	if s == nil || k.S == "length" && k.Sym == nil {
		return r.GetV(v, k)
	}
	p := r.Intrinsic(StringPrototype)
	c := &r.GetCaches[site]
	if c.Shape == p.Shape && c.Holder != nil && c.Epoch == r.Epoch {
		return c.Holder.Slots[c.Slot]
	}
	return r.loadFrom(p, k, v, c)
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
	return Undefined
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
				return s.CharAt(i).Value()
			}
			if i < MaxIndex {
				return r.GetV(v, Key{Index: uint32(i), IsIndex: true})
			}
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

func (r *Realm) keyText(key Value) string {
	switch {
	case key.IsSymbol():
		return key.Symbol().Descriptive()
	case key.IsObject():
		return r.Describe(key)
	}
	return PrimitiveToString(key).String()
}

// SetElement is obj[key] = v for any operands; false if it threw.
func (r *Realm) SetElement(obj, key, v Value) bool {
	if obj.IsNullish() {
		r.ThrowTypeError("Cannot set properties of %s (setting '%s')", PrimitiveToString(obj), r.keyText(key))
		return false
	}
	k, ok := r.ToPropertyKey(key)
	if !ok {
		return false
	}
	return r.PutV(obj, k, v)
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

func (r *Realm) throwReadOnly(o *Object, k Key) {
	if d, ok := r.lookupDesc(o, k); ok {
		if d.IsAccessor() {
			r.ThrowTypeError("Cannot set property %s of %s which has only a getter", k, r.Describe(o.Value()))
			return
		}
		r.ThrowTypeError("Cannot assign to read only property '%s' of object '%s'", k, r.Describe(o.Value()))
		return
	}
	r.ThrowTypeError("Cannot add property %s, object is not extensible", k)
}

func (r *Realm) lookupDesc(o *Object, k Key) (Desc, bool) {
	for ; o != nil; o = o.Shape.Proto {
		if d, ok := r.GetOwn(o, k); ok {
			return d, true
		}
	}
	return Desc{}, false
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
	return r.NewWithShape(c.Shape, append(make([]Value, 0, len(vals)), vals...))
}

// CopyDataProperties (ECMA-262 7.3.27); false if it threw.
func (r *Realm) CopyDataProperties(dst *Object, src Value, except []Key) bool {
	if src.IsNullish() {
		return true
	}
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

// ThrowDestructure is the TypeError of destructuring undefined or null.
func (r *Realm) ThrowDestructure(v Value, key string) Value {
	s := PrimitiveToString(v)
	if key != "" {
		return r.ThrowTypeError("Cannot destructure property '%s' of '%s' as it is %s.", key, s, s)
	}
	return r.ThrowTypeError("Cannot destructure '%s' as it is %s.", s, s)
}

// ThrowNotFunction is the TypeError of calling something that is not callable: it names the callee, what it is, and the
// method that was probably meant.
func (r *Realm) ThrowNotFunction(text, name string, fn, this Value) Value {
	if text == "" {
		text = r.Describe(fn)
	}
	msg := text + " is not a function"
	if p := NativePromise(this); p != nil && name != "" {
		return r.ThrowTypeError("%s; it is called on a Promise: await it first", msg)
	}
	if r.Suggest != nil && name != "" && fn.IsUndefined() {
		msg += r.Suggest(r, name, this)
	}
	return r.ThrowTypeError("%s", msg)
}

// ArrayProtoPlain tells whether storing a new element into the array o cannot meet a setter or read-only element on its
// prototypes.
func (r *Realm) ArrayProtoPlain(o *Object) bool {
	p := o.Shape.Proto
	return p == r.intrinsics[ArrayPrototype] && len(p.Elems) == 0 && p.Flags&FlagIndexProps == 0 &&
		p.Shape.Proto == r.intrinsics[ObjectPrototype] && p.Shape.Proto.Flags&FlagIndexProps == 0 && len(p.Shape.Proto.Elems) == 0
}

// AssignGlobal assigns to a global; constants and tools throw.
func (r *Realm) AssignGlobal(i int, v Value) bool {
	row := &r.lib.Globals[i]
	if row.Attr == NoAttr {
		r.ThrowTypeError("Cannot assign to read only property '%s' of object '#<Object>'", row.Name)
		return false
	}
	r.globals[i] = v
	return true
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

// EnterCycle notes that o is being converted to text; false if it already is, or if the nesting is too deep.
func (r *Realm) EnterCycle(o *Object) (leave func(), ok bool) {
	for _, p := range r.joining {
		if p == o {
			return nil, false
		}
	}
	r.joining = append(r.joining, o)
	return func() { r.joining = r.joining[:len(r.joining)-1] }, true
}

// ToolNames lists the children of a tool reference, for messages; false if there is nothing at its path.
func (r *Realm) ToolNames(o *Object) ([]string, bool) {
	if x, ok := o.Ext.(interface{ Names() ([]string, bool) }); ok {
		return x.Names()
	}
	return nil, false
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
	b.o = b.r.NewWithShape(b.shape, append(make([]Value, 0, b.n+extra), b.slots[:b.n]...))
}

// Object ends the building.
func (b *ObjectBuilder) Object() *Object {
	if b.o == nil {
		b.flush(0)
	}
	return b.o
}

// EachPlain visits the string-keyed members of an object that has only shared-shape enumerable data properties, in order;
// done is false if o is not such an object. visit may run guest code: each member is looked at afresh.
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
		} else if d, found := r.GetOwn(o, Key{S: p.name}); !found || d.Attr&Enumerable == 0 {
			continue // removed by guest code during the visit
		} else if v = r.Get(o, Key{S: p.name}); v.IsThrow() {
			return true, false
		}
		if !visit(Key{S: p.name}, v) {
			return true, false
		}
	}
	return true, true
}

package value

// This file defines the ordinary object internal methods (ECMA-262 10.1, 10.4.2 for arrays, 10.4.3 for strings).

import "slices"

// Desc is a property descriptor. Has says which fields are present; absent Value, Get and Set read as undefined.
type Desc struct {
	Value    Value
	Get, Set *Object
	Attr     Attr // values of the attributes; meaningful where Has says so
	Has      DescHas
}

// DescHas is the set of present descriptor fields.
type DescHas uint8

// The fields.
const (
	HasValue DescHas = 1 << iota
	HasGet
	HasSet
	HasWritable
	HasEnumerable
	HasConfigurable

	hasData = HasValue | HasWritable
	hasAcc  = HasGet | HasSet
	hasAll  = HasValue | HasWritable | HasEnumerable | HasConfigurable
)

// DataDesc is a full data descriptor.
func DataDesc(v Value, attr Attr) Desc { return Desc{Value: v, Attr: attr, Has: hasAll} }

// AccessorDesc is a full accessor descriptor.
func AccessorDesc(get, set *Object, attr Attr) Desc {
	return Desc{Get: get, Set: set, Attr: attr&^Writable | AttrAccessor, Has: hasAcc | HasEnumerable | HasConfigurable}
}

// IsAccessor tells accessor descriptors.
func (d Desc) IsAccessor() bool { return d.Has&hasAcc != 0 }

// IsData tells data descriptors.
func (d Desc) IsData() bool { return d.Has&hasData != 0 }

func (d Desc) value() Value {
	if d.Value.p == nil {
		return Undefined
	}
	return d.Value
}

func descFromSlot(v Value, attr Attr) Desc {
	if attr&AttrAccessor != 0 {
		a := v.accessor()
		return Desc{Get: a.Get, Set: a.Set, Attr: attr, Has: hasAcc | HasEnumerable | HasConfigurable}
	}
	return Desc{Value: v, Attr: attr, Has: hasAll}
}

// GetOwn is [[GetOwnProperty]].
func (r *Realm) GetOwn(o *Object, k Key) (Desc, bool) {
	if o.Flags&FlagExotic != 0 {
		return o.Ext.(Exotic).GetOwn(r, o, k)
	}
	if k.IsIndex {
		if v, ok := o.elem(k.Index); ok {
			return Desc{Value: v, Attr: o.elemAttr(), Has: hasAll}, true
		}
		if o.Class == ClassString {
			if s := o.Ext.(*Str); int64(k.Index) < int64(s.Len()) {
				return DataDesc(s.CharAt(int(k.Index)).Value(), Enumerable), true
			}
		}
	} else if k.S == "length" && k.Sym == nil {
		if o.Class == ClassArray {
			return DataDesc(Num(float64(o.N)), o.lengthAttr()), true
		}
		if o.Class == ClassString {
			return DataDesc(Int(o.Ext.(*Str).Len()), 0), true
		}
	}
	if i := r.slotOf(o, k); i >= 0 {
		return descFromSlot(o.Slots[i], o.Shape.props[i].attr), true
	}
	return Desc{}, false
}

func (o *Object) lengthAttr() Attr {
	if o.Flags&FlagReadOnlyLength != 0 {
		return 0
	}
	return Writable
}

// GetOwnValue reads an own data property without running guest code; absent if missing or an accessor.
func (r *Realm) GetOwnValue(o *Object, k Key) (Value, bool) {
	d, ok := r.GetOwn(o, k)
	if !ok || d.IsAccessor() {
		return Undefined, false
	}
	return d.Value, true
}

// Get is [[Get]] with the object itself as receiver.
func (r *Realm) Get(o *Object, k Key) Value { return r.GetWith(o, k, o.Value()) }

// GetWith is [[Get]].
func (r *Realm) GetWith(o *Object, k Key, receiver Value) Value {
	for cur := o; cur != nil; cur = cur.Shape.Proto {
		if cur.Flags&FlagExotic != 0 {
			return cur.Ext.(Exotic).Get(r, cur, k, receiver)
		}
		if k.IsIndex {
			if v, ok := cur.elem(k.Index); ok {
				return v
			}
			if cur.Class == ClassString {
				if d, ok := r.GetOwn(cur, k); ok {
					return d.Value
				}
			}
		} else if k.S == "length" && k.Sym == nil && (cur.Class == ClassArray || cur.Class == ClassString) {
			d, _ := r.GetOwn(cur, k)
			return d.Value
		}
		if i := r.slotOf(cur, k); i >= 0 {
			v := cur.Slots[i]
			if a := v.accessor(); a != nil {
				if a.Get == nil {
					return Undefined
				}
				return r.Call(a.Get.Value(), receiver)
			}
			return v
		}
	}
	if o.Class == ClassPromise {
		r.notePromiseMiss(o, k)
	}
	return Undefined
}

// HasOwn tells own properties.
func (r *Realm) HasOwn(o *Object, k Key) bool {
	_, ok := r.GetOwn(o, k)
	return ok
}

// HasProperty is [[HasProperty]]; the second result is false if it threw.
func (r *Realm) HasProperty(o *Object, k Key) (has, ok bool) {
	for cur := o; cur != nil; cur = cur.Shape.Proto {
		if cur.Flags&FlagExotic != 0 {
			return cur.Ext.(Exotic).Has(r, cur, k)
		}
		if r.HasOwn(cur, k) {
			return true, true
		}
	}
	return false, true
}

// Set is [[Set]] with the object itself as receiver.
func (r *Realm) Set(o *Object, k Key, v Value) Done { return r.SetWith(o, k, v, o.Value()) }

// SetWith is [[Set]] (ECMA-262 10.1.9).
func (r *Realm) SetWith(o *Object, k Key, v, receiver Value) Done {
	for cur := o; cur != nil; cur = cur.Shape.Proto {
		if cur.Flags&FlagExotic != 0 {
			return cur.Ext.(Exotic).Set(r, cur, k, v, receiver)
		}
		d, ok := r.GetOwn(cur, k)
		if !ok {
			continue
		}
		if d.IsAccessor() {
			if d.Set == nil {
				return Failed
			}
			if r.Call(d.Set.Value(), receiver, v).IsThrow() {
				return Threw
			}
			return OK
		}
		if d.Attr&Writable == 0 {
			return Failed
		}
		if cur.Header.kind == KindObject && receiver.p == &cur.Header {
			return r.writeOwn(cur, k, v)
		}
		break
	}
	rec := receiver.Object()
	if rec == nil {
		return Failed
	}
	if rec.Flags&FlagExotic == 0 {
		if rec == o {
			// not found anywhere on the chain, or found on a prototype as a plain data property
			if d, ok := r.GetOwn(rec, k); !ok {
				return r.createOwn(rec, k, v)
			} else if d.IsAccessor() || d.Attr&Writable == 0 {
				return Failed
			}
			return r.writeOwn(rec, k, v)
		}
	}
	if d, ok := r.GetOwn(rec, k); ok {
		if d.IsAccessor() || d.Attr&Writable == 0 {
			return Failed
		}
		return r.DefineOwn(rec, k, Desc{Value: v, Has: HasValue})
	}
	return r.DefineOwn(rec, k, DataDesc(v, AttrDefault))
}

// writeOwn stores into an existing writable own data property.
func (r *Realm) writeOwn(o *Object, k Key, v Value) Done {
	if k.IsIndex {
		if _, ok := o.elem(k.Index); ok {
			o.Elems[k.Index] = v
			return OK
		}
	} else if o.Class == ClassArray && k.S == "length" && k.Sym == nil {
		return r.arraySetLength(o, Desc{Value: v, Has: HasValue})
	}
	if i := r.slotOf(o, k); i >= 0 {
		o.Slots[i] = v
		return OK
	}
	return r.DefineOwn(o, k, Desc{Value: v, Has: HasValue})
}

// createOwn is CreateDataProperty for a key known to be missing on an ordinary object or array.
func (r *Realm) createOwn(o *Object, k Key, v Value) Done {
	if o.Flags&FlagNonExtensible != 0 {
		return Failed
	}
	if k.IsIndex {
		if o.Class == ClassArray && k.Index >= o.N && o.Flags&FlagReadOnlyLength != 0 {
			return Failed
		}
		if r.addElem(o, k.Index, v) {
			return OK
		}
		if o.Class == ClassArray && k.Index >= o.N {
			o.N = k.Index + 1
		}
		o.Flags |= FlagHasHoles
	}
	r.addProp(o, k, v, AttrDefault)
	return OK
}

// CreateDataProperty (ECMA-262 7.3.5).
func (r *Realm) CreateDataProperty(o *Object, k Key, v Value) Done {
	if o.Class == ClassObject && o.Flags&notPlain == 0 && !k.IsIndex {
		i := o.Shape.lookup(k)
		if i < 0 {
			r.addProp(o, k, v, AttrDefault)
			return OK
		}
		if o.Shape.props[i].attr == AttrDefault {
			o.Slots[i] = v
			return OK
		}
	}
	return r.DefineOwn(o, k, DataDesc(v, AttrDefault))
}

// notPlain are the flags of objects whose properties are not all plain to see in shape, slots and elements, or whose
// changes matter to others.
const notPlain = FlagExotic | FlagNonExtensible | FlagLazyFunction | FlagIsProto | FlagIndexProps | FlagIntrinsic

// Put creates or overwrites a default-attribute property of an object that guest code has not seen yet.
func (r *Realm) Put(o *Object, k Key, v Value) {
	if k.IsIndex {
		if _, ok := o.elem(k.Index); ok {
			o.Elems[k.Index] = v
			return
		}
	}
	if i := r.slotOf(o, k); i >= 0 {
		o.Slots[i] = v
		return
	}
	r.createOwn(o, k, v)
}

// InitProperty adds a property known to be missing to an object under construction.
func (r *Realm) InitProperty(o *Object, k Key, v Value) {
	if k.IsIndex {
		r.createOwn(o, k, v)
		return
	}
	r.addProp(o, k, v, AttrDefault)
}

// DefineOwn is [[DefineOwnProperty]] (ECMA-262 10.1.6, 10.4.2.1).
func (r *Realm) DefineOwn(o *Object, k Key, d Desc) Done {
	if o.Flags&FlagExotic != 0 {
		return o.Ext.(Exotic).DefineOwn(r, o, k, d)
	}
	if o.Class == ClassArray {
		if !k.IsIndex && k.S == "length" && k.Sym == nil {
			return r.arraySetLength(o, d)
		}
		if k.IsIndex && k.Index >= o.N {
			if o.Flags&FlagReadOnlyLength != 0 {
				return Failed
			}
			done := r.validateAndApply(o, k, d)
			if done == OK && k.Index >= o.N {
				if int(k.Index) >= len(o.Elems) {
					o.Flags |= FlagHasHoles
				}
				o.N = k.Index + 1
			}
			return done
		}
	}
	return r.validateAndApply(o, k, d)
}

// validateAndApply is ValidateAndApplyPropertyDescriptor (ECMA-262 10.1.6.3).
func (r *Realm) validateAndApply(o *Object, k Key, d Desc) Done {
	cur, found := r.GetOwn(o, k)
	if !found {
		if o.Flags&FlagNonExtensible != 0 {
			return Failed
		}
		r.defineNew(o, k, d)
		return OK
	}
	if d.Has == 0 {
		return OK
	}
	if cur.Attr&Configurable == 0 && !compatible(cur, d) {
		return Failed
	}
	r.applyDesc(o, k, cur, d)
	return OK
}

func compatible(cur, d Desc) bool {
	if d.Has&HasConfigurable != 0 && d.Attr&Configurable != 0 {
		return false
	}
	if d.Has&HasEnumerable != 0 && (d.Attr^cur.Attr)&Enumerable != 0 {
		return false
	}
	if !d.IsData() && !d.IsAccessor() {
		return true
	}
	if d.IsAccessor() != cur.IsAccessor() {
		return false
	}
	if cur.IsAccessor() {
		return !(d.Has&HasGet != 0 && d.Get != cur.Get) && !(d.Has&HasSet != 0 && d.Set != cur.Set)
	}
	if cur.Attr&Writable == 0 {
		if d.Has&HasWritable != 0 && d.Attr&Writable != 0 {
			return false
		}
		if d.Has&HasValue != 0 && !SameValue(d.value(), cur.Value) {
			return false
		}
	}
	return true
}

func (r *Realm) defineNew(o *Object, k Key, d Desc) {
	if d.IsAccessor() {
		if k.IsIndex && len(o.Elems) > 0 {
			r.sparsify(o)
		}
		r.addProp(o, k, newAccessor(d.Get, d.Set).value(), d.Attr&(Enumerable|Configurable)|AttrAccessor)
		if k.IsIndex {
			o.Flags |= FlagHasHoles
		}
		return
	}
	attr := d.Attr & AttrDefault
	if k.IsIndex {
		if attr == AttrDefault && r.addElem(o, k.Index, d.value()) {
			return
		}
		if len(o.Elems) > 0 {
			r.sparsify(o)
		}
		o.Flags |= FlagHasHoles
	}
	r.addProp(o, k, d.value(), attr)
}

func (r *Realm) applyDesc(o *Object, k Key, cur, d Desc) {
	attr := cur.Attr
	if d.Has&HasEnumerable != 0 {
		attr = attr&^Enumerable | d.Attr&Enumerable
	}
	if d.Has&HasConfigurable != 0 {
		attr = attr&^Configurable | d.Attr&Configurable
	}
	var v Value
	switch {
	case d.IsAccessor():
		get, set := d.Get, d.Set
		if cur.IsAccessor() {
			if d.Has&HasGet == 0 {
				get = cur.Get
			}
			if d.Has&HasSet == 0 {
				set = cur.Set
			}
		}
		attr = attr&^Writable | AttrAccessor
		v = newAccessor(get, set).value()
	case cur.IsAccessor() && !d.IsData():
		v = newAccessor(cur.Get, cur.Set).value()
	default:
		if cur.IsAccessor() {
			attr &^= AttrAccessor | Writable
			cur.Value = Undefined
		}
		if d.Has&HasWritable != 0 {
			attr = attr&^Writable | d.Attr&Writable
		}
		v = cur.Value
		if d.Has&HasValue != 0 {
			v = d.value()
		}
	}
	r.store(o, k, v, attr)
}

// store overwrites an existing own property with a value and attributes.
func (r *Realm) store(o *Object, k Key, v Value, attr Attr) {
	if k.IsIndex {
		if _, ok := o.elem(k.Index); ok {
			if attr == o.elemAttr() {
				o.Elems[k.Index] = v
				return
			}
			r.sparsify(o)
		}
	}
	i := r.slotOf(o, k)
	if i < 0 {
		return // a string's index or length: nothing can have changed
	}
	r.setAttr(o, i, attr)
	o.Slots[i] = v
}

// Delete is [[Delete]].
func (r *Realm) Delete(o *Object, k Key) Done {
	if o.Flags&FlagExotic != 0 {
		return o.Ext.(Exotic).Delete(r, o, k)
	}
	d, ok := r.GetOwn(o, k)
	if !ok {
		return OK
	}
	if d.Attr&Configurable == 0 {
		return Failed
	}
	if k.IsIndex {
		if _, ok := o.elem(k.Index); ok {
			r.changed(o)
			o.Elems[k.Index] = Hole
			o.Flags |= FlagHasHoles
			return OK
		}
	}
	if i := r.slotOf(o, k); i >= 0 {
		r.removeProp(o, i)
	}
	return OK
}

// OwnKeys is [[OwnPropertyKeys]]: indexes ascending, strings, then symbols, in order of creation. Private names never show.
func (r *Realm) OwnKeys(o *Object) ([]Key, bool) {
	if o.Flags&FlagExotic != 0 {
		return o.Ext.(Exotic).OwnKeys(r, o)
	}
	if o.Flags&FlagLazyFunction != 0 {
		r.materializeFunction(o.asFunction())
	}
	elements := len(o.Elems)
	if o.Class == ClassString {
		elements += o.Ext.(*Str).Len()
	}
	if elements > largeKeys && !(r.Take(keyListBytes*elements) && r.Step(elements>>6)) {
		return nil, false
	}
	keys := make([]Key, 0, elements+len(o.Slots)+1)
	if o.Class == ClassString {
		for i := range o.Ext.(*Str).Len() {
			keys = append(keys, Key{Index: uint32(i), IsIndex: true})
		}
	}
	for i, v := range o.Elems {
		if v.p != &holeTag {
			keys = append(keys, Key{Index: uint32(i), IsIndex: true})
		}
	}
	if o.Flags&FlagIndexProps != 0 {
		keys = o.appendIndexProps(keys)
	}
	return r.appendNamed(keys, o), true
}

// largeKeys is from how many elements on a list of keys is asked for, and keyListBytes what each takes.
const (
	largeKeys    = 1 << 12
	keyListBytes = 48
)

// NamedKeys is OwnKeys without the elements of arrays, strings and byte arrays.
func (r *Realm) NamedKeys(o *Object) ([]Key, bool) {
	switch {
	case o.Class == ClassUint8Array:
		return r.OrdinaryOwnKeys(o), true
	case o.Flags&(FlagExotic|FlagIndexProps) != 0 || o.Class != ClassArray && o.Class != ClassString:
		return r.OwnKeys(o)
	}
	return r.appendNamed(nil, o), true
}

// appendNamed adds the keys that are no elements.
func (r *Realm) appendNamed(keys []Key, o *Object) []Key {
	if o.Class == ClassArray || o.Class == ClassString {
		keys = append(keys, Key{S: "length"})
	}
	symbols := 0
	for i := range o.Shape.props {
		p := &o.Shape.props[i]
		if p.attr&attrDeleted != 0 {
			continue
		}
		if p.sym != nil {
			symbols++
			continue
		}
		if o.Flags&FlagIndexProps != 0 {
			if _, ok := parseIndex(p.name); ok {
				continue
			}
		}
		keys = append(keys, Key{S: p.name})
	}
	for i := 0; symbols > 0 && i < len(o.Shape.props); i++ {
		if p := &o.Shape.props[i]; p.sym != nil && p.attr&attrDeleted == 0 && !p.sym.Private {
			keys = append(keys, Key{Sym: p.sym})
		}
	}
	return keys
}

func (o *Object) appendIndexProps(keys []Key) []Key {
	from := len(keys)
	for i := range o.Shape.props {
		if p := &o.Shape.props[i]; p.sym == nil && p.attr&attrDeleted == 0 {
			if n, ok := parseIndex(p.name); ok {
				keys = append(keys, Key{Index: n, IsIndex: true})
			}
		}
	}
	all := keys
	if len(o.Elems) == 0 {
		all = keys[from:]
	}
	slices.SortFunc(all, func(a, b Key) int { return int(int64(a.Index) - int64(b.Index)) })
	return keys
}

// SetPrototypeOf is [[SetPrototypeOf]] (ECMA-262 10.1.2).
func (r *Realm) SetPrototypeOf(o, proto *Object) bool {
	if o.Shape.Proto == proto {
		return true
	}
	if o.Flags&FlagNonExtensible != 0 || o == r.intrinsics[ObjectPrototype] {
		return false
	}
	for p := proto; p != nil; p = p.Shape.Proto {
		if p == o {
			return false
		}
	}
	r.changed(o)
	proto.markProto()
	if o.Flags&FlagLazyFunction != 0 {
		r.materializeFunction(o.asFunction())
	}
	o.Shape = o.Shape.withProto(r, proto)
	return true
}

// PreventExtensions is [[PreventExtensions]].
func (r *Realm) PreventExtensions(o *Object) bool {
	if o.Flags&FlagLazyFunction != 0 {
		r.materializeFunction(o.asFunction())
	}
	if o.Flags&FlagExotic != 0 {
		return false
	}
	if o.Flags&FlagNonExtensible == 0 {
		r.changed(o)
		r.ownShape(o) // a cached add must not match
		o.Flags |= FlagNonExtensible
	}
	return true
}

// SetIntegrity is SetIntegrityLevel (ECMA-262 7.3.15).
func (r *Realm) SetIntegrity(o *Object, frozen bool) bool {
	if !r.PreventExtensions(o) {
		return false
	}
	if len(o.Elems) > 0 {
		o.Flags |= FlagSealedElems
		if frozen {
			o.Flags |= FlagFrozenElems
		}
	}
	s := r.ownShape(o)
	for i := range s.props {
		p := &s.props[i]
		if p.attr&attrDeleted != 0 || p.sym != nil && p.sym.Private {
			continue
		}
		p.attr &^= Configurable
		if frozen && p.attr&AttrAccessor == 0 {
			p.attr &^= Writable
		}
	}
	if frozen && o.Class == ClassArray {
		o.Flags |= FlagReadOnlyLength
	}
	r.Epoch++
	return true
}

// TestIntegrity is TestIntegrityLevel (ECMA-262 7.3.16).
func (r *Realm) TestIntegrity(o *Object, frozen bool) bool {
	if o.Flags&FlagNonExtensible == 0 {
		return false
	}
	keys, ok := r.OwnKeys(o)
	if !ok {
		return false
	}
	for _, k := range keys {
		d, ok := r.GetOwn(o, k)
		if ok && (d.Attr&Configurable != 0 || frozen && !d.IsAccessor() && d.Attr&Writable != 0) {
			return false
		}
	}
	return true
}

// arraySetLength is ArraySetLength (ECMA-262 10.4.2.4).
func (r *Realm) arraySetLength(o *Object, d Desc) Done {
	n := o.N
	if d.Has&HasValue != 0 {
		f, ok := r.ToNumber(d.Value)
		if !ok {
			return Threw
		}
		g, ok := r.ToNumber(d.Value)
		if !ok {
			return Threw
		}
		n = uint32(int64(toUint32(f)))
		if float64(n) != g {
			r.ThrowError(RangeError, "Invalid array length")
			return Threw
		}
	}
	if d.Has&HasConfigurable != 0 && d.Attr&Configurable != 0 || d.Has&HasEnumerable != 0 && d.Attr&Enumerable != 0 || d.IsAccessor() {
		return Failed
	}
	readOnly := o.Flags&FlagReadOnlyLength != 0
	if readOnly && (d.Has&HasWritable != 0 && d.Attr&Writable != 0 || n != o.N) {
		return Failed
	}
	ok := r.setLength(o, n)
	if d.Has&HasWritable != 0 && d.Attr&Writable == 0 {
		o.Flags |= FlagReadOnlyLength
	}
	if !ok {
		return Failed
	}
	return OK
}

// setLength changes the length, deleting from the end; false if an element resists.
func (r *Realm) setLength(o *Object, n uint32) bool {
	r.changed(o)
	if n >= o.N {
		if int(n) > len(o.Elems) {
			o.Flags |= FlagHasHoles
		}
		o.N = n
		return true
	}
	if o.Flags&FlagIndexProps != 0 {
		keys := o.appendIndexProps(nil)
		for i := len(keys) - 1; i >= 0 && keys[i].Index >= n; i-- {
			if r.Delete(o, keys[i]) != OK {
				o.N = keys[i].Index + 1
				return false
			}
		}
	}
	if int(n) < len(o.Elems) {
		if o.Flags&FlagSealedElems != 0 {
			for i := len(o.Elems); i > int(n); i-- {
				if o.Elems[i-1].p != &holeTag {
					o.N = uint32(i)
					return false
				}
			}
		}
		clear(o.Elems[n:])
		o.Elems = o.Elems[:n]
	}
	o.N = n
	return true
}

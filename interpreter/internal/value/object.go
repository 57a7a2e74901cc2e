package value

// This file defines Object, the layout of all guest objects, and its raw storage.

// Class tells which internal slots an object has; Ext holds them.
type Class uint8

// The classes of object.
const (
	ClassObject Class = iota
	ClassArray
	ClassFunction
	ClassError
	ClassBoolean
	ClassNumber
	ClassString
	ClassSymbol
	ClassBigInt
	ClassDate
	ClassRegExp
	ClassMap
	ClassSet
	ClassWeakMap
	ClassWeakSet
	ClassPromise
	ClassGenerator
	ClassAsyncGenerator
	ClassIterator  // builtin iterators, Ext tells which
	ClassArguments // strict arguments objects
	ClassTools     // a reference into the tool tree
	ClassURL
	ClassURLSearchParams
	ClassHeaders
	ClassTextEncoder
	ClassTextDecoder
	ClassUint8Array
	ClassNamespace // Math, JSON, console, Reflect, crypto
)

// Flags are facts about an object (or string) kept in its header.
type Flags uint16

// Object flags. They share the field with the string flags but never an object with a string.
const (
	FlagNonExtensible  Flags = 1 << iota
	FlagIsProto              // some lookup may have gone through this object: structural changes invalidate caches
	FlagIndexProps           // some array-index keys live in the shape (sparse or with attributes)
	FlagLazyFunction         // name, length and prototype of a function are not made yet
	FlagSealedElems          // dense elements are not configurable
	FlagFrozenElems          // dense elements are neither configurable nor writable
	FlagReadOnlyLength       // length of an array is not writable
	FlagExotic               // Ext implements Exotic
	FlagConstructor          // has [[Construct]]
	FlagClass                // class constructor: calling it without new throws
	FlagIntrinsic            // made from a template
	FlagHasHoles             // an array whose dense part may have holes, or is shorter than its length
	// The bits from roomShift on say for how many values there is room behind the object.
)

// Object is a guest object. Elems holds array-index properties with default attributes densely from 0 (holes allowed);
// everything else is in Slots, described by Shape. Ext holds the internal slots of the class.
type Object struct {
	Header
	Shape *Shape
	Slots []Value
	Elems []Value
	Ext   any
}

// Exotic is implemented by the Ext of objects with FlagExotic; it replaces the ordinary internal methods.
type Exotic interface {
	GetOwn(r *Realm, o *Object, k Key) (Desc, bool)
	DefineOwn(r *Realm, o *Object, k Key, d Desc) Done
	Has(r *Realm, o *Object, k Key) (bool, bool)
	Get(r *Realm, o *Object, k Key, receiver Value) Value
	Set(r *Realm, o *Object, k Key, v, receiver Value) Done
	Delete(r *Realm, o *Object, k Key) Done
	OwnKeys(r *Realm, o *Object) ([]Key, bool)
}

// Done is the outcome of an operation that the specification gives as a Boolean or an abrupt completion.
type Done uint8

// The outcomes.
const (
	Failed Done = iota
	OK
	Threw
)

const objectBytes = 80

// NewObject makes an ordinary object with the given prototype (nil: none).
func (r *Realm) NewObject(proto *Object) *Object {
	r.Charge(objectBytes)
	return &Object{Header: Header{kind: KindObject}, Shape: r.rootShape(proto)}
}

// NewClass makes an object of a class with internal slots.
func (r *Realm) NewClass(class Class, proto *Object, ext any) *Object {
	r.Charge(objectBytes + 64)
	return &Object{Header: Header{kind: KindObject, Class: class}, Shape: r.rootShape(proto), Ext: ext}
}

// NewExotic makes an object whose internal methods are ext's.
func (r *Realm) NewExotic(class Class, proto *Object, ext Exotic) *Object {
	o := r.NewClass(class, proto, ext)
	o.Flags |= FlagExotic
	return o
}

// NewArray makes an array that takes over elems.
func (r *Realm) NewArray(elems []Value) *Object {
	r.Charge(objectBytes + 16*cap(elems))
	return &Object{Header: Header{kind: KindObject, Class: ClassArray, N: uint32(len(elems))}, Shape: r.arrayShape, Elems: elems}
}

// Proto is [[Prototype]].
func (o *Object) Proto() *Object { return o.Shape.Proto }

// IsCallable tells functions and callable tool references.
func (v Value) IsCallable() bool {
	o := v.Object()
	return o != nil && o.IsCallable()
}

// Callable is implemented by the Ext of objects other than functions that can be called.
type Callable interface {
	Call(r *Realm, o *Object, this Value, args []Value) Value
}

// IsCallable tells whether o has [[Call]].
func (o *Object) IsCallable() bool {
	if o.Class == ClassFunction {
		return true
	}
	if o.Flags&FlagExotic == 0 {
		return false
	}
	_, ok := o.Ext.(Callable)
	return ok
}

// IsConstructor tells whether o has [[Construct]].
func (o *Object) IsConstructor() bool { return o.Flags&FlagConstructor != 0 }

// setProtoFlag marks o as a prototype; from now on its structural changes invalidate the caches of the run.
func (o *Object) markProto() {
	if o != nil {
		o.Flags |= FlagIsProto
	}
}

// changed is called before a structural change of o.
func (r *Realm) changed(o *Object) {
	if o.Flags&FlagIsProto != 0 {
		r.Epoch++
	}
}

// addProp adds a property that is not there; the caller has checked extensibility.
func (r *Realm) addProp(o *Object, k Key, v Value, attr Attr) {
	if o.Flags&FlagIsProto != 0 {
		r.Epoch++
	}
	p := prop{name: k.S, sym: k.Sym, attr: attr}
	if k.IsIndex {
		p.name = k.text()
		o.Flags |= FlagIndexProps
		r.ownShape(o) // shared shapes have no index keys: whoever builds along them need not look
	}
	if !o.Shape.owned {
		if t := o.Shape.next(r, p); t != nil {
			o.Shape = t
			o.appendSlot(r, v)
			return
		}
		o.Shape = o.Shape.own(r)
	}
	o.Shape.addOwned(r, p)
	o.appendSlot(r, v)
}

func (o *Object) appendSlot(r *Realm, v Value) {
	if len(o.Slots) == cap(o.Slots) {
		n := max(4, 2*cap(o.Slots))
		r.Charge(16 * (n - cap(o.Slots)))
		s := make([]Value, len(o.Slots), n)
		copy(s, o.Slots)
		o.Slots = s
	}
	o.Slots = append(o.Slots, v)
}

// ownShape makes sure that o owns its shape.
func (r *Realm) ownShape(o *Object) *Shape {
	if !o.Shape.owned {
		o.Shape = o.Shape.own(r)
	}
	o.Shape.unshare()
	return o.Shape
}

func (r *Realm) setAttr(o *Object, slot int, attr Attr) {
	if o.Shape.props[slot].attr == attr {
		return
	}
	r.changed(o)
	r.ownShape(o).props[slot].attr = attr
}

func (r *Realm) removeProp(o *Object, slot int) {
	r.changed(o)
	s := r.ownShape(o)
	s.deleteOwned(slot)
	o.Slots[slot] = Undefined
	o.Slots = s.compact(o.Slots)
}

// slotOf finds a property held in the shape, making lazy ones real first. Array-index keys are looked up by their text.
func (r *Realm) slotOf(o *Object, k Key) int {
	if k.IsIndex {
		if o.Flags&FlagIndexProps == 0 {
			return -1
		}
		return o.Shape.lookupName(k.text())
	}
	if o.Flags&FlagLazyFunction != 0 && (k.S == "length" || k.S == "name" || k.S == "prototype") && k.Sym == nil {
		r.materializeFunction(o.asFunction())
	}
	i := o.Shape.lookup(k)
	if i >= 0 && o.Slots[i].p == &lazyTag {
		r.materializeSlot(o, i)
	}
	return i
}

// elem returns the dense element i, or absent.
func (o *Object) elem(i uint32) (Value, bool) {
	if int64(i) < int64(len(o.Elems)) {
		if v := o.Elems[i]; v.p != &holeTag {
			return v, true
		}
	}
	return Value{}, false
}

func (o *Object) elemAttr() Attr {
	switch {
	case o.Flags&FlagFrozenElems != 0:
		return Enumerable
	case o.Flags&FlagSealedElems != 0:
		return Writable | Enumerable
	}
	return AttrDefault
}

// largeAllotment is the size from which an allocation asks before it is made.
const largeAllotment = 1 << 20

// sparseLimit bounds how far past its end a dense part may grow by one assignment.
func sparseLimit(n int) int { return 2*n + 1024 }

// denseAnyway is the size up to which holes are not counted.
const denseAnyway = 1 << 16

// tooSparse tells that growing to index i would leave mostly holes. It counts them only when the storage must grow, so
// that a pass over the elements is paid for by as many additions.
func (o *Object) tooSparse(i int) bool {
	if i < denseAnyway || i < cap(o.Elems) {
		return false
	}
	used := 0
	for _, v := range o.Elems {
		if v.p != &holeTag {
			used++
		}
	}
	return used < i/8
}

// addElem adds a default-attribute element at index i which is not there; it says false when it must go to the shape.
func (r *Realm) addElem(o *Object, i uint32, v Value) bool {
	n := len(o.Elems)
	if o.Flags&(FlagIndexProps|FlagSealedElems|FlagFrozenElems) != 0 || int64(i) > int64(sparseLimit(n)) || int(i) > n && o.tooSparse(int(i)) {
		return false
	}
	if o.Flags&FlagIsProto != 0 {
		r.Epoch++
	}
	switch {
	case int(i) < n:
		o.Elems[i] = v
	case int(i) == n:
		r.appendElem(o, v)
	default:
		for int(i) > len(o.Elems) && !r.Terminated {
			r.appendElem(o, Hole)
		}
		o.Flags |= FlagHasHoles
		r.appendElem(o, v)
	}
	if o.Class == ClassArray && i >= o.N {
		o.N = i + 1
	}
	return true
}

func (r *Realm) appendElem(o *Object, v Value) {
	if len(o.Elems) == cap(o.Elems) {
		n := max(4, cap(o.Elems)+cap(o.Elems)/2+1)
		if cap(o.Elems) < 4096 {
			n = max(4, 2*cap(o.Elems))
		}
		if grow := 16 * (n - cap(o.Elems)); grow < largeAllotment {
			r.Charge(grow)
		} else if !r.Allot(grow) {
			return // the execution is ending: nobody will look
		} else {
			r.Charge(grow)
		}
		e := make([]Value, len(o.Elems), n)
		copy(e, o.Elems)
		o.Elems = e
	}
	o.Elems = append(o.Elems, v)
}

// Reserve makes room for n elements in an array that has none yet. It is for small numbers.
func (r *Realm) Reserve(o *Object, n int) {
	if n > 0 && 16*n < largeAllotment {
		r.Charge(16 * n)
		o.Elems = make([]Value, 0, n)
	}
}

// Push appends to a dense array; it says false when the general path is needed.
func (r *Realm) Push(o *Object, v Value) bool {
	if o.Class != ClassArray || int(o.N) != len(o.Elems) || o.N == MaxIndex ||
		o.Flags&(FlagNonExtensible|FlagIndexProps|FlagReadOnlyLength|FlagIsProto) != 0 {
		return false
	}
	r.appendElem(o, v)
	o.N++
	return true
}

// sparsify moves the dense elements into the shape, for objects whose elements need attributes of their own.
func (r *Realm) sparsify(o *Object) {
	elems, attr := o.Elems, o.elemAttr()
	o.Elems = nil
	o.Flags &^= FlagSealedElems | FlagFrozenElems
	o.Flags |= FlagHasHoles
	r.ownShape(o)
	for i, v := range elems {
		if v.p != &holeTag {
			r.addProp(o, Key{Index: uint32(i), IsIndex: true}, v, attr)
		}
	}
	o.Flags |= FlagIndexProps
}

// Dense returns the elements of an array that has no holes, accessors or exotic parts, so that index i is Elems[i] for
// all i below its length; nil, false otherwise.
func (o *Object) Dense() ([]Value, bool) {
	if o.Class != ClassArray || int(o.N) != len(o.Elems) || o.Flags&FlagIndexProps != 0 {
		return nil, false
	}
	if o.Flags&FlagHasHoles != 0 {
		for _, v := range o.Elems {
			if v.p == &holeTag {
				return nil, false
			}
		}
		o.Flags &^= FlagHasHoles // filled since
	}
	return o.Elems, true
}

// PushHole appends a missing element to an array under construction.
func (r *Realm) PushHole(o *Object) {
	o.Flags |= FlagHasHoles
	if int(o.N) == len(o.Elems) {
		r.appendElem(o, Hole)
	}
	o.N++
}

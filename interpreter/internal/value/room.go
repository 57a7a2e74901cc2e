package value

// This file defines objects that stand in one piece of memory with room for their first slots or elements.

// maxRoom is the most values that an object has room for.
const maxRoom = 8

// roomShift is where the room stands in the flags.
const roomShift = 12

type with[R any] struct {
	Object
	room R
}

// newWithRoom makes an object without a shape, and room for n values to take as its slots or elements.
func newWithRoom(n int) (o *Object, room []Value) {
	switch n {
	case 0:
		o = &Object{}
	case 1:
		x := &with[[1]Value]{}
		o, room = &x.Object, x.room[:]
	case 2:
		x := &with[[2]Value]{}
		o, room = &x.Object, x.room[:]
	case 3:
		x := &with[[3]Value]{}
		o, room = &x.Object, x.room[:]
	case 4:
		x := &with[[4]Value]{}
		o, room = &x.Object, x.room[:]
	case 5:
		x := &with[[5]Value]{}
		o, room = &x.Object, x.room[:]
	case 6:
		x := &with[[6]Value]{}
		o, room = &x.Object, x.room[:]
	case 7:
		x := &with[[7]Value]{}
		o, room = &x.Object, x.room[:]
	case 8:
		x := &with[[8]Value]{}
		o, room = &x.Object, x.room[:]
	default:
		o, room = &Object{}, make([]Value, n)
		n = 0
	}
	o.kind, o.Flags = KindObject, Flags(n)<<roomShift
	return o, room
}

// leftRoom is the memory of a room that the object has grown out of.
func (o *Object) leftRoom() int {
	room := int(o.Flags >> roomShift)
	used := cap(o.Slots)
	if o.Class == ClassArray {
		used = cap(o.Elems)
	}
	if used == room {
		return 0
	}
	return 16 * room
}

// NewPlain makes an ordinary object with Object.prototype and room for n properties.
func (r *Realm) NewPlain(n int) *Object {
	r.Charge(objectBytes + 16*n)
	o, room := newWithRoom(n)
	o.Shape, o.Slots = r.plainShape, room[:0]
	return o
}

// NewWithShape makes an ordinary object with a copy of slots laid out by shape, and room for some more.
func (r *Realm) NewWithShape(shape *Shape, slots []Value, more int) *Object {
	n := len(slots) + more
	r.Charge(objectBytes + 16*n)
	o, room := newWithRoom(n)
	o.Shape, o.Slots = shape, room[:copy(room, slots)]
	return o
}

// NewArrayOf makes an array of a few values.
func (r *Realm) NewArrayOf(values ...Value) *Object {
	r.Charge(objectBytes + 16*len(values))
	o, room := newWithRoom(len(values))
	copy(room, values)
	o.Class, o.N, o.Shape, o.Elems = ClassArray, uint32(len(values)), r.arrayShape, room
	return o
}

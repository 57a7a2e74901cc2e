package value

// This file defines what the promise machine needs of the language.

import "github.com/codemode-go/codemode/promise"

type agent struct{ r *Realm }

// PromiseData is the Ext of promise objects.
type PromiseData = promise.Promise[Value]

var _ promise.Agent[Value] = agent{}
var _ promise.Shortcuts[Value] = agent{}

func (a agent) Undefined() Value            { return Undefined }
func (a agent) IsObject(v Value) bool       { return v.IsObject() }
func (a agent) IsCallable(v Value) bool     { return v.p != nil && v.IsCallable() }
func (a agent) SameValue(x, y Value) bool   { return SameValue(x, y) }
func (a agent) String(s string) Value       { return String(s) }
func (a agent) List(items []Value) Value    { return a.r.NewArray(items).Value() }
func (a agent) Terminated() bool            { return a.r.Terminated }
func (a agent) IntrinsicConstructor() Value { return a.r.Intrinsic(PromiseConstructor).Value() }

func (a agent) IsConstructor(v Value) bool {
	o := v.Object()
	return o != nil && o.IsConstructor()
}

func (a agent) NativePromise(v Value) *promise.Promise[Value] { return NativePromise(v) }

// NativePromise returns the promise behind a promise object, or nil.
func NativePromise(v Value) *promise.Promise[Value] {
	if o := v.Object(); o != nil && o.Class == ClassPromise {
		return o.Ext.(*promise.Promise[Value])
	}
	return nil
}

func (a agent) Object(p *promise.Promise[Value]) Value { return a.r.PromiseObject(p) }

// PromiseObject is the guest object of a promise, made on demand.
func (r *Realm) PromiseObject(p *promise.Promise[Value]) Value {
	if o, ok := p.Tag.(*Object); ok {
		return o.Value()
	}
	o := r.NewClass(ClassPromise, r.Intrinsic(PromisePrototype), p)
	p.Tag = o
	return o.Value()
}

// promiseObject is a promise and its object in one piece.
type promiseObject struct {
	Object
	promise PromiseData
}

// newPromiseData makes a promise with its object, which nearly all need.
func (r *Realm) newPromiseData() *PromiseData {
	if r.promiseShape == nil {
		r.promiseShape = r.rootShape(r.Intrinsic(PromisePrototype))
	}
	r.Charge(objectBytes + 64)
	x := &promiseObject{}
	x.kind, x.Class, x.Shape, x.Ext = KindObject, ClassPromise, r.promiseShape, &x.promise
	x.promise.Tag = &x.Object
	return &x.promise
}

// NewPromiseFor is NewPromise with another prototype.
func (r *Realm) NewPromiseFor(proto *Object) (*promise.Promise[Value], Value) {
	p, v := r.NewPromise()
	v.Object().Shape = r.rootShape(proto)
	return p, v
}

// NewPromise makes a pending promise and its object.
func (r *Realm) NewPromise() (*promise.Promise[Value], Value) {
	p := r.Machine.NewPromise()
	return p, r.PromiseObject(p)
}

func (a agent) TypeError(msg string) Value { return a.r.NewError(TypeError, msg).Value() }

func (a agent) AggregateError(errors []Value) Value {
	o := a.r.NewError(AggregateErrorPrototype, "All promises were rejected")
	a.r.addProp(o, Name("errors"), a.r.NewArray(errors).Value(), AttrMethod)
	return o.Value()
}

func (a agent) result(v Value) (Value, bool) {
	if v.IsThrow() {
		return a.r.exc, false
	}
	return v, true
}

func (a agent) Get(v Value, key string) (Value, bool) { return a.result(a.r.GetV(v, Name(key))) }

func (a agent) Call(fn, this Value, args ...Value) (Value, bool) {
	return a.result(a.r.CallArgs(fn, this, args))
}

func (a agent) Construct(ctor Value, args ...Value) (Value, bool) {
	return a.result(a.r.ConstructArgs(ctor.Object(), args, ctor.Object()))
}

func (a agent) Function(length int, fn func(args []Value) (Value, bool)) Value {
	return a.r.NewNative("", length, func(r *Realm, _ Value, args []Value) Value {
		v, ok := fn(args)
		if !ok {
			return r.ThrowValue(v)
		}
		return v
	}).Value()
}

func (a agent) Record(keys []string, values []Value) Value {
	o := a.r.NewPlain(len(keys))
	for i, k := range keys {
		a.r.addProp(o, StringKey(k), values[i], AttrDefault)
	}
	return o.Value()
}

var keyConstructor, keyThen = Name("constructor"), Name("then")

// OrdinaryConstructor: the object has no own properties and the prototype is untouched.
func (a agent) OrdinaryConstructor(v Value) bool {
	o := v.Object()
	return o.Shape.Proto == a.r.intrinsics[PromisePrototype] && len(o.Slots) == 0 && a.r.promiseIsPristine()
}

// OrdinaryThen is OrdinaryConstructor with the builtin then and species.
func (a agent) OrdinaryThen(v, then Value) bool {
	if NativePromise(v) == nil || !a.OrdinaryConstructor(v) {
		return false
	}
	f := then.Function()
	return f != nil && f.isBuiltin() && a.r.promiseThen == then
}

// promiseIsPristine tells whether Promise.prototype.constructor and Promise[Symbol.species] are the builtins; cached by epoch.
func (r *Realm) promiseIsPristine() bool {
	p := r.Intrinsic(PromisePrototype)
	c := r.Intrinsic(PromiseConstructor)
	if p.Shape.cow && c.Shape.cow { // no property was added, removed or redefined
		i := p.Shape.lookup(keyConstructor)
		if v := p.Slots[i]; v.p != &lazyTag && v != c.Value() {
			return false
		}
		if r.promiseThen.p == nil {
			if j := p.Shape.lookup(keyThen); p.Slots[j].p != &lazyTag {
				r.promiseThen = p.Slots[j]
			} else {
				r.materializeSlot(p, j)
				r.promiseThen = p.Slots[j]
			}
		}
		return true
	}
	return false
}

// OrdinaryPromise tells whether then of the promise object v makes an intrinsic promise without running guest code.
func (r *Realm) OrdinaryPromise(v Value) bool { return agent{r}.OrdinaryConstructor(v) }

package value

// This file defines how functions are called and constructed.

// Call is Call(fn, this, args) (ECMA-262 7.3.14).
func (r *Realm) Call(fn, this Value, args ...Value) Value { return r.CallArgs(fn, this, args) }

// CallArgs is Call with a slice of arguments, which it copies.
func (r *Realm) CallArgs(fn, this Value, args []Value) Value {
	f := fn.Function()
	if f == nil {
		return r.callExotic(fn, this, append([]Value(nil), args...)) // a copy, so that the others need not be on the heap
	}
	co := r.Co
	base := co.top
	argc := len(args)
	if base+argc > len(co.stack) {
		return r.callOnNewChunk(f, this, args)
	}
	copy(co.stack[base:], args)
	return r.Invoke(f, this, base, argc)
}

func (r *Realm) callExotic(fn, this Value, args []Value) Value {
	if o := fn.Object(); o != nil {
		if c, ok := o.Ext.(Callable); ok {
			return c.Call(r, o, this, args)
		}
	}
	return r.ThrowTypeError("%s is not a function", r.Describe(fn))
}

// Invoke calls f with argc arguments that stand on the value stack at base, at or above the running window's end or in
// its temporaries.
func (r *Realm) Invoke(f *Function, this Value, base, argc int) Value {
	code := f.Code
	if code != nil {
		if code.Start != nil {
			return code.Start(r, f, this, r.Co, base, argc)
		}
		return r.Enter(f, this, base, argc)
	}
	return r.invokeNative(f, this, base, argc)
}

func (r *Realm) invokeNative(f *Function, this Value, base, argc int) Value {
	if f.native.call == nil {
		return r.ThrowTypeError("Constructor %s requires 'new'", f.Name())
	}
	if r.Fuel--; r.Fuel <= 0 && !r.Refuel() {
		return Throw
	}
	if r.Stack += CallCost; r.Stack > StackLimit {
		return r.stackOverflow(CallCost)
	}
	co := r.Co
	old := co.top
	if end := base + argc; end > old {
		co.top = end
	}
	v := f.native.call(r, this, co.stack[base:base+argc:base+argc])
	if co.top != old {
		clear(co.stack[base : base+argc])
		co.top = old
	}
	r.Stack -= CallCost
	return v
}

func (r *Realm) stackOverflow(cost int) Value {
	r.Stack -= cost
	return r.ThrowError(RangeError, "Maximum call stack size exceeded")
}

// Enter runs the guest code of f, of kind CodePlain (or the body of a special kind on its own coroutine). What a call holds on the
// Go stack is what bounds recursion and what deep recursion costs, so everything that leaving needs stands in the frame.
func (r *Realm) Enter(f *Function, this Value, base, argc int) Value {
	co, code := r.Co, f.Code
	end := base + code.Size
	r.Fuel--
	r.Stack += code.StackCost
	if r.Fuel <= 0 || r.Stack > StackLimit || end > len(co.stack) || co.fp == len(co.frames) {
		return r.enterSlow(f, this, base, argc)
	}
	fr := co.frames[co.fp]
	co.fp++
	s := co.stack[base:end:end]
	fr.S, fr.Base, fr.top = s, base, co.top
	fr.Fn, fr.Caps, fr.This = f, f.Caps, this
	if code.NeedArgs || code.NeedNew {
		fr.special(argc)
	}
	for i := min(argc, code.Params); i < code.Slots; i++ {
		s[i] = Undefined
	}
	co.top = end
	v := code.Body(fr)
	fr.leave()
	return v
}

// special sets what few functions ask for.
func (f *Frame) special(argc int) {
	code := f.Fn.Code
	if code.NeedArgs {
		f.Args = append([]Value(nil), f.Co.stack[f.Base:f.Base+argc]...)
	}
	if code.NeedNew {
		if f.NewTarget = f.Co.newTarget; f.NewTarget.p == nil {
			f.NewTarget = Undefined
		}
		f.Co.newTarget = Value{}
	}
}

// leave ends the activation and clears its window, so that nothing in it is kept.
func (f *Frame) leave() {
	co := f.Co
	co.top = f.top
	co.fp--
	f.R.Stack -= f.Fn.Code.StackCost
	s := f.S
	for len(s) >= 4 {
		*(*[4]Value)(s) = [4]Value{}
		s = s[4:]
	}
	switch len(s) { // a loop would become a call
	case 3:
		s[2] = Value{}
		fallthrough
	case 2:
		s[1] = Value{}
		fallthrough
	case 1:
		s[0] = Value{}
	}
}

// enterSlow is Enter where something is missing: fuel, room or a frame. What Enter accounted for is taken back first.
func (r *Realm) enterSlow(f *Function, this Value, base, argc int) Value {
	co, code := r.Co, f.Code
	r.Stack -= code.StackCost
	if r.Fuel <= 0 && !r.Refuel() {
		r.ending.near = code.Pos // a loop around the call is told rather
		return Throw
	}
	if r.Stack+code.StackCost > StackLimit {
		return r.stackOverflow(0)
	}
	if base+code.Size > len(co.stack) {
		return r.enterOnNewChunk(f, this, base, argc)
	}
	if co.fp == len(co.frames) {
		co.addFrame(r)
	}
	r.Fuel++
	return r.Enter(f, this, base, argc)
}

// enterNew is Enter with a value for new.target.
func (r *Realm) enterNew(f *Function, this Value, co *Coroutine, base, argc int, newTarget Value) Value {
	if f.Code.NeedNew {
		co.newTarget = newTarget
	}
	v := r.Enter(f, this, base, argc)
	co.newTarget = Value{}
	return v
}

func (co *Coroutine) addFrame(r *Realm) {
	slab := make([]Frame, max(1, min(len(co.frames), 256)))
	r.Charge(176 * len(slab))
	for i := range slab {
		slab[i].R, slab[i].Co = r, co
		co.frames = append(co.frames, &slab[i])
	}
}

// callOnNewChunk and enterOnNewChunk continue on a larger chunk of value stack; the old one is restored afterwards.
func (r *Realm) callOnNewChunk(f *Function, this Value, args []Value) Value {
	co := r.Co
	old, top := co.stack, co.top
	co.grow(r, len(args))
	copy(co.stack, args)
	v := r.Invoke(f, this, 0, len(args))
	co.restore(old, top)
	return v
}

func (r *Realm) enterOnNewChunk(f *Function, this Value, base, argc int) Value {
	co := r.Co
	old, top := co.stack, co.top
	args := old[base:min(base+argc, len(old))]
	co.grow(r, max(f.Code.Size, argc))
	copy(co.stack, args)
	v := r.Enter(f, this, 0, argc)
	co.restore(old, top)
	return v
}

func (co *Coroutine) grow(r *Realm, need int) {
	if co.chunk < len(co.chunks) && len(co.chunks[co.chunk]) < need {
		co.chunks = co.chunks[:co.chunk] // too small for this call: make a larger one
	}
	if co.chunk == len(co.chunks) {
		n := max(2*len(co.stack), 2*need, 256)
		r.Charge(16 * n)
		co.chunks = append(co.chunks, make([]Value, n))
	}
	co.stack, co.top = co.chunks[co.chunk], 0
	co.chunk++
}

func (co *Coroutine) restore(old []Value, top int) {
	co.chunk--
	co.stack, co.top = old, top
}

// Construct is Construct(ctor, args, newTarget) with newTarget the constructor itself.
func (r *Realm) Construct(ctor *Object, args ...Value) Value {
	return r.ConstructArgs(ctor, args, ctor)
}

// ConstructArgs is Construct (ECMA-262 7.3.15); ctor must be a constructor.
func (r *Realm) ConstructArgs(ctor *Object, args []Value, newTarget *Object) Value {
	f := ctor.asFunction()
	if f.Code == nil {
		if r.Stack += CallCost; r.Stack > StackLimit {
			return r.stackOverflow(CallCost)
		}
		v := f.native.construct(r, args, newTarget)
		r.Stack -= CallCost
		return v
	}
	co := r.Co
	base := co.top
	if base+len(args) > len(co.stack) {
		old, top := co.stack, co.top
		co.grow(r, len(args))
		copy(co.stack, args)
		v := r.constructGuest(f, co, 0, len(args), newTarget)
		co.restore(old, top)
		return v
	}
	copy(co.stack[base:], args)
	return r.constructGuest(f, co, base, len(args), newTarget)
}

// ConstructAt is ConstructArgs with arguments standing on the value stack.
func (r *Realm) ConstructAt(f *Function, co *Coroutine, base, argc int, newTarget *Object) Value {
	if f.Code == nil {
		return r.ConstructArgs(&f.Object, append([]Value(nil), co.stack[base:base+argc]...), newTarget)
	}
	return r.constructGuest(f, co, base, argc, newTarget)
}

func (r *Realm) constructGuest(f *Function, co *Coroutine, base, argc int, newTarget *Object) Value {
	if d := f.ClassData; d != nil && d.Derived {
		v := r.enterNew(f, TDZ, co, base, argc, newTarget.Value())
		if v.IsThrow() || v.IsObject() {
			return v
		}
		// the compiled body of a derived constructor returns its this binding
		return r.ThrowTypeError("Derived constructors may only return object or undefined")
	}
	mark := co.top
	if end := base + argc; end > mark {
		co.top = end // reading newTarget.prototype may call guest code
	}
	proto := r.PrototypeFromConstructor(newTarget, ObjectPrototype)
	co.top = mark
	if proto == nil {
		return Throw
	}
	this := r.newInstance(f, proto)
	root := r.Root(this.Value())
	if f.ClassData != nil {
		co.top = max(mark, base+argc)
		ok := r.InitializeInstance(this, f)
		co.top = mark
		if !ok {
			r.Unroot(root)
			return Throw
		}
	}
	v := r.enterNew(f, this.Value(), co, base, argc, newTarget.Value())
	r.Unroot(root)
	if d := f.ClassData; d != nil && len(this.Slots) > d.room {
		d.room = min(len(this.Slots), maxRoom)
	}
	if v.IsThrow() || v.IsObject() {
		return v
	}
	return this.Value()
}

// newInstance makes the object that a constructor begins with, with room for as many fields as the ones before had.
func (r *Realm) newInstance(f *Function, proto *Object) *Object {
	d := f.ClassData
	n := 4
	var shape *Shape
	if d != nil {
		n, shape = d.room, d.shape
	}
	if shape == nil || shape.Proto != proto {
		if shape = r.rootShape(proto); d != nil {
			d.shape = shape
		}
	}
	r.Charge(objectBytes + 16*n)
	o, room := newWithRoom(n)
	o.Shape, o.Slots = shape, room[:0]
	return o
}

// PrototypeFromConstructor is GetPrototypeFromConstructor (ECMA-262 10.1.14); nil means it threw.
func (r *Realm) PrototypeFromConstructor(newTarget *Object, def ID) *Object {
	if newTarget == nil {
		return r.Intrinsic(def)
	}
	p := r.Get(newTarget, Name("prototype"))
	if p.IsThrow() {
		return nil
	}
	if o := p.Object(); o != nil {
		return o
	}
	return r.Intrinsic(def)
}

// InitializeInstance is InitializeInstanceElements (ECMA-262 7.3.34).
func (r *Realm) InitializeInstance(o *Object, ctor *Function) bool {
	d := ctor.ClassData
	for i := range d.Methods {
		m := &d.Methods[i]
		k := SymbolKey(m.Name)
		if o.Shape.lookupSymbol(m.Name) >= 0 {
			r.ThrowTypeError("Cannot initialize private methods of class %s twice on the same object", r.FunctionName(ctor))
			return false
		}
		if m.Get != nil || m.Set != nil {
			r.addProp(o, k, newAccessor(m.Get, m.Set).value(), AttrAccessor)
		} else {
			r.addProp(o, k, m.Method, 0)
		}
	}
	for i := range d.Fields {
		if !r.DefineField(o, &d.Fields[i]) {
			return false
		}
	}
	return true
}

// DefineField is DefineField (ECMA-262 7.3.33).
func (r *Realm) DefineField(o *Object, f *Field) bool {
	v := Undefined
	if f.Init != nil {
		if v = r.Call(f.Init.Value(), o.Value()); v.IsThrow() {
			return false
		}
	}
	if fn := v.Function(); f.NameAnonymous && fn != nil && r.FunctionName(fn) == "" {
		r.SetFunctionName(fn, f.Key.FunctionName(""))
	}
	if f.Private {
		return r.PrivateAdd(o, f.Key.Sym, v)
	}
	if !f.Key.IsIndex && o.Flags&FlagExotic == 0 && o.Class != ClassArray && o.Class != ClassFunction && o.Flags&FlagNonExtensible == 0 {
		if i := r.slotOf(o, f.Key); i < 0 {
			r.addProp(o, f.Key, v, AttrDefault)
			return true
		}
	}
	switch r.CreateDataProperty(o, f.Key, v) {
	case OK:
		return true
	case Failed:
		r.ThrowTypeError("Cannot define property %s, object is not extensible", f.Key)
	}
	return false
}

// PrivateAdd is PrivateFieldAdd (ECMA-262 7.3.28).
func (r *Realm) PrivateAdd(o *Object, name *Symbol, v Value) bool {
	if o.Shape.lookupSymbol(name) >= 0 {
		r.ThrowTypeError("Cannot initialize %s twice on the same object", name.Desc)
		return false
	}
	if o.Flags&FlagLazyFunction != 0 {
		r.materializeFunction(o.asFunction())
	}
	r.addProp(o, SymbolKey(name), v, Writable)
	return true
}

// PrivateGet is PrivateGet (ECMA-262 7.3.30).
func (r *Realm) PrivateGet(base Value, name *Symbol) Value {
	o := base.Object()
	i := -1
	if o != nil {
		i = o.Shape.lookupSymbol(name)
	}
	if i < 0 {
		return r.ThrowTypeError("Cannot read private member %s from an object whose class did not declare it", name.Desc)
	}
	v := o.Slots[i]
	if a := v.accessor(); a != nil {
		if a.Get == nil {
			return r.ThrowTypeError("'%s' was defined without a getter", name.Desc)
		}
		return r.Call(a.Get.Value(), base)
	}
	return v
}

// PrivateSet is PrivateSet (ECMA-262 7.3.31).
func (r *Realm) PrivateSet(base Value, name *Symbol, v Value) bool {
	o := base.Object()
	i := -1
	if o != nil {
		i = o.Shape.lookupSymbol(name)
	}
	if i < 0 {
		r.ThrowTypeError("Cannot write private member %s to an object whose class did not declare it", name.Desc)
		return false
	}
	attr := o.Shape.props[i].attr
	if a := o.Slots[i].accessor(); a != nil {
		if a.Set == nil {
			r.ThrowTypeError("'%s' was defined without a setter", name.Desc)
			return false
		}
		return !r.Call(a.Set.Value(), base, v).IsThrow()
	}
	if attr&Writable == 0 {
		r.ThrowTypeError("Private method '%s' is not writable", name.Desc)
		return false
	}
	o.Slots[i] = v
	return true
}

// HasPrivate tells whether the object has the private name.
func (r *Realm) HasPrivate(o *Object, name *Symbol) bool { return o.Shape.lookupSymbol(name) >= 0 }

// SetupConstructor completes the constructor of a class: its prototype, home object and class data.
func (r *Realm) SetupConstructor(f *Function, parent, proto *Object, data *ClassData) {
	f.ClassData = data
	f.Home = proto
	f.Flags |= FlagClass | FlagConstructor
	r.materializeFunction(f)
	if f.Shape.Proto != parent {
		parent.markProto()
		f.Shape = f.Shape.withProto(r, parent)
	}
	r.addProp(&f.Object, Name("prototype"), proto.Value(), 0)
	r.addProp(proto, Name("constructor"), f.Value(), AttrMethod)
}

// InstallStaticPrivates adds static private methods and accessors to a class constructor.
func (r *Realm) InstallStaticPrivates(o *Object, list []PrivateMethod) bool {
	for i := range list {
		m := &list[i]
		if m.Get != nil || m.Set != nil {
			r.addProp(o, SymbolKey(m.Name), newAccessor(m.Get, m.Set).value(), AttrAccessor)
		} else {
			r.addProp(o, SymbolKey(m.Name), m.Method, 0)
		}
	}
	return true
}

// RefuseCall is the Start of class constructors: calling one without new throws.
func (r *Realm) RefuseCall(f *Function, _ Value, _ *Coroutine, _, _ int) Value {
	return r.ThrowTypeError("Class constructor %s cannot be invoked without 'new'", r.FunctionName(f))
}

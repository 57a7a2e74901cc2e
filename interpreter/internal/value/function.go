package value

// This file defines function objects.

// Function is a function object: guest code (Code), a builtin (Native) or a bound function.
type Function struct {
	Object
	Code      *Code
	Caps      []*Cell
	This      Value   // captured this of an arrow function; absent otherwise
	Home      *Object // home object of a method, for super
	Lexical   *Lexical
	ClassData *ClassData // of class constructors
	native    *native    // of functions that are not the program's
}

// native is what a function of the library has that the program's have not.
type native struct {
	call      NativeFn // nil: it can only be constructed
	construct ConstructFn
	name      string
	length    int
	builtin   bool
	steps     ID // Row.Steps
}

// nativeFunction is a function with its native part.
type nativeFunction struct {
	Function
	part native
}

func newNative(n native) *Function {
	f := &nativeFunction{part: n}
	f.native = &f.part
	f.kind, f.Class = KindObject, ClassFunction
	return &f.Function
}

func (f *Function) isBuiltin() bool { return f.native != nil && f.native.builtin }

// Lexical is what an arrow function takes over from the function around it, made only where it is used.
type Lexical struct {
	NewTarget Value
	Func      *Function // the function whose home object and [[Prototype]] super refers to
}

// ClassData holds what a class constructor needs to initialise instances.
type ClassData struct {
	Derived bool
	Fields  []Field
	Methods []PrivateMethod
	Default bool // implicit constructor

	room  int    // how many slots instances were seen to need
	shape *Shape // that the last one began with
}

// Field is an instance field definition.
type Field struct {
	Key     Key
	Init    *Function // nil: undefined; called with the instance as this
	Private bool
	// NameAnonymous: the initialiser is an anonymous function that takes its name from a computed Key.
	NameAnonymous bool
}

// PrivateMethod is an instance private method or accessor.
type PrivateMethod struct {
	Name     *Symbol
	Method   Value // of a method
	Get, Set *Object
}

// Code is compiled guest code of one function; immutable and shared between executions.
type Code struct {
	Name      string
	Length    int // value of the function's length property
	Params    int // leading slots filled from the arguments
	Slots     int // slots for names, parameters included
	Size      int // Slots plus temporaries
	StackCost int // estimated bytes of Go stack of one activation
	Body      func(f *Frame) Value
	NeedArgs  bool // Frame.Args must hold all arguments
	NeedNew   bool // Frame.NewTarget must be set
	Kind      CodeKind
	Arrow     bool
	Method    bool // no [[Construct]]
	Simple    bool // parameters are plain names: starting it has no effects
	HasAwait  bool
	Source    func() string // text for Function.prototype.toString
	Pos       int32
	Start     func(r *Realm, fn *Function, this Value, co *Coroutine, base, argc int) Value // special kinds; nil for KindPlain
	Flat      []Segment                                                                     // of async functions that need no coroutine
	IsClass   bool
	HasName   bool // own name property exists (anonymous functions of classes with a static name do not)
}

// CodeKind is the kind of activation.
type CodeKind uint8

// The kinds of activation.
const (
	CodePlain CodeKind = iota
	CodeAsync
	CodeGenerator
	CodeAsyncGenerator
)

// The bytes of functions of the program and of the others.
const (
	functionBytes = 160
	nativeBytes   = 224
)

// NewFunction makes a function object for guest code.
func (r *Realm) NewFunction(code *Code, caps []*Cell) *Function {
	r.Charge(functionBytes + 8*len(caps))
	f := &Function{Code: code, Caps: caps}
	f.kind, f.Class, f.Flags = KindObject, ClassFunction, FlagLazyFunction
	switch code.Kind {
	case CodePlain:
		f.Shape = r.functionShape
		if !code.Arrow && !code.Method {
			f.Flags |= FlagConstructor
		}
	case CodeAsync:
		f.Shape = r.rootShape(r.Intrinsic(AsyncFunctionPrototype))
	case CodeGenerator:
		f.Shape = r.rootShape(r.Intrinsic(GeneratorFunctionPrototype))
	case CodeAsyncGenerator:
		f.Shape = r.rootShape(r.Intrinsic(AsyncGeneratorFunctionPrototype))
	}
	return f
}

func (r *Realm) newBuiltin(fn NativeFn, name string, length int) *Function {
	r.Charge(nativeBytes)
	f := newNative(native{call: fn, name: name, length: length, builtin: true})
	f.Flags = FlagLazyFunction
	f.Shape = r.functionShape
	return f
}

// NewNative makes a builtin function object; name may be empty.
func (r *Realm) NewNative(name string, length int, fn NativeFn) *Function {
	f := r.newBuiltin(fn, name, length)
	f.native.builtin = false
	return f
}

// Name returns the initial name of a function, for messages.
func (f *Function) Name() string {
	if f.Code != nil {
		return f.Code.Name
	}
	return f.native.name
}

// materializeFunction gives a function its own length, name and prototype properties.
func (r *Realm) materializeFunction(f *Function) {
	if f.Flags&FlagLazyFunction == 0 {
		return
	}
	f.Flags &^= FlagLazyFunction
	r.addFunctionProps(f)
}

func (r *Realm) addFunctionProps(f *Function) {
	f.Flags &^= FlagLazyFunction
	own, slots := f.Shape, f.Slots
	f.Shape, f.Slots = r.rootShape(own.Proto), nil
	var length int
	var name string
	if f.Code != nil {
		length, name = f.Code.Length, f.Code.Name
	} else {
		length, name = f.native.length, f.native.name
	}
	r.addProp(&f.Object, Name("length"), Int(length), Configurable)
	if f.Code == nil || f.Code.HasName || !f.Code.IsClass {
		r.addProp(&f.Object, Name("name"), String(name), Configurable)
	}
	if f.Code != nil {
		r.addPrototypeProp(f)
	}
	for i, p := range own.props {
		if p.attr&attrDeleted == 0 {
			r.addProp(&f.Object, Key{S: p.name, Sym: p.sym}, slots[i], p.attr)
		}
	}
}

func (r *Realm) addPrototypeProp(f *Function) {
	k := Name("prototype")
	switch {
	case f.Code.Kind == CodeGenerator:
		r.addProp(&f.Object, k, r.NewObject(r.Intrinsic(GeneratorPrototype)).Value(), Writable)
	case f.Code.Kind == CodeAsyncGenerator:
		r.addProp(&f.Object, k, r.NewObject(r.Intrinsic(AsyncGeneratorPrototype)).Value(), Writable)
	case f.Flags&FlagClass != 0:
		// added by the class definition
	case f.Flags&FlagConstructor != 0:
		p := r.NewPlain(1)
		r.addProp(p, Name("constructor"), f.Value(), AttrMethod)
		r.addProp(&f.Object, k, p.Value(), Writable)
	}
}

// SetFunctionName gives an anonymous function its name (ECMA-262 10.2.9), replacing the compiled one.
func (r *Realm) SetFunctionName(f *Function, name string) {
	r.materializeFunction(f)
	if i := f.Shape.lookupName("name"); i >= 0 {
		f.Slots[i] = String(name)
		return
	}
	r.addProp(&f.Object, Name("name"), String(name), Configurable)
}

// FunctionName reads a function's current name property if it is a plain string, for messages.
func (r *Realm) FunctionName(f *Function) string {
	if f.Flags&FlagLazyFunction != 0 {
		return f.Name()
	}
	if i := f.Shape.lookupName("name"); i >= 0 {
		if s := f.Slots[i].p; s != nil && s.kind == KindString {
			return f.Slots[i].Str().String()
		}
	}
	return ""
}

// Bound is the Ext of a bound function.
type Bound struct {
	Target *Object
	This   Value
	Args   []Value
}

// NewBound makes a bound function (ECMA-262 10.4.1.3).
func (r *Realm) NewBound(target *Object, this Value, args []Value) *Function {
	b := &Bound{Target: target, This: this, Args: args}
	f := r.NewNative("", 0, func(r *Realm, _ Value, rest []Value) Value {
		return r.CallArgs(b.Target.Value(), b.This, append(append(make([]Value, 0, len(b.Args)+len(rest)), b.Args...), rest...))
	})
	f.Ext = b
	if target.IsConstructor() {
		f.Flags |= FlagConstructor
		f.native.construct = func(r *Realm, rest []Value, newTarget *Object) Value {
			if newTarget == &f.Object {
				newTarget = b.Target
			}
			return r.ConstructArgs(b.Target, append(append(make([]Value, 0, len(b.Args)+len(rest)), b.Args...), rest...), newTarget)
		}
	}
	f.Shape = r.rootShape(target.Shape.Proto)
	return f
}

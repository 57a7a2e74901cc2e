package value

// This file defines intrinsic objects: process-wide immutable templates, built once from the builtin tables, of which each
// execution materialises a copy of an object on first touch and of a property on first read.

// ID names an intrinsic object (ECMA-262 6.1.7.4). Zero is none.
type ID uint8

// The intrinsic objects.
const (
	NoIntrinsic ID = iota
	ObjectPrototype
	ObjectConstructor
	FunctionPrototype
	FunctionConstructor
	ArrayPrototype
	ArrayConstructor
	StringPrototype
	StringConstructor
	NumberPrototype
	NumberConstructor
	BooleanPrototype
	BooleanConstructor
	SymbolPrototype
	SymbolConstructor
	BigIntPrototype
	BigIntConstructor
	DatePrototype
	DateConstructor
	RegExpPrototype
	RegExpConstructor
	MapPrototype
	MapConstructor
	SetPrototype
	SetConstructor
	WeakMapPrototype
	WeakMapConstructor
	WeakSetPrototype
	WeakSetConstructor
	PromisePrototype
	PromiseConstructor
	ErrorPrototype
	ErrorConstructor
	TypeErrorPrototype
	TypeErrorConstructor
	RangeErrorPrototype
	RangeErrorConstructor
	SyntaxErrorPrototype
	SyntaxErrorConstructor
	ReferenceErrorPrototype
	ReferenceErrorConstructor
	EvalErrorPrototype
	EvalErrorConstructor
	URIErrorPrototype
	URIErrorConstructor
	AggregateErrorPrototype
	AggregateErrorConstructor
	IteratorPrototype
	IteratorConstructor
	AsyncIteratorPrototype
	ArrayIteratorPrototype
	StringIteratorPrototype
	MapIteratorPrototype
	SetIteratorPrototype
	RegExpStringIteratorPrototype
	IteratorHelperPrototype
	WrapForValidIteratorPrototype
	AsyncFromSyncIteratorPrototype
	GeneratorFunctionPrototype
	GeneratorFunctionConstructor
	GeneratorPrototype
	AsyncFunctionPrototype
	AsyncFunctionConstructor
	AsyncGeneratorFunctionPrototype
	AsyncGeneratorFunctionConstructor
	AsyncGeneratorPrototype
	URLPrototype
	URLConstructor
	URLSearchParamsPrototype
	URLSearchParamsConstructor
	URLSearchParamsIteratorPrototype
	HeadersPrototype
	HeadersConstructor
	HeadersIteratorPrototype
	TextEncoderPrototype
	TextEncoderConstructor
	TextDecoderPrototype
	TextDecoderConstructor
	Uint8ArrayPrototype
	Uint8ArrayConstructor
	TypedArrayPrototype
	TypedArrayConstructor
	MathNamespace
	JSONNamespace
	ReflectNamespace
	ConsoleNamespace
	CryptoNamespace
	ThrowTypeErrorFunction
	intrinsicCount
)

// The error types that ThrowError takes.
const (
	Error          = ErrorPrototype
	TypeError      = TypeErrorPrototype
	RangeError     = RangeErrorPrototype
	SyntaxError    = SyntaxErrorPrototype
	ReferenceError = ReferenceErrorPrototype
	EvalError      = EvalErrorPrototype
	URIError       = URIErrorPrototype
)

// NativeFn is the code of a builtin function. args is valid only during the call.
type NativeFn func(r *Realm, this Value, args []Value) Value

// ConstructFn is [[Construct]] of a builtin constructor.
type ConstructFn func(r *Realm, args []Value, newTarget *Object) Value

// Row is one property of an intrinsic object or one global: the single place where a builtin is described.
// Exactly one of Fn, Get/Set, Const, Ref is set.
type Row struct {
	Name   string // property name; "@@name" for a well-known symbol
	Length int    // length of the function
	Fn     NativeFn
	Get    NativeFn
	Set    NativeFn
	Const  func(r *Realm) Value
	Ref    ID     // the value is that intrinsic object
	Steps  ID     // of the next of iterators that are Steppers: their prototype
	Alias  string // the value is the same function object as that earlier row of the template
	Attr   Attr   // 0: the usual attributes of its kind; NoAttr: none
	Sig    string // TypeScript signature for documents
	Doc    string // one line for documents
}

// NoAttr in Row.Attr means neither writable, enumerable nor configurable.
const NoAttr Attr = 1 << 7

// Template describes an intrinsic object.
type Template struct {
	ID     ID
	Global string // name of the global that holds it, "" if none
	Proto  ID     // prototype; NoIntrinsic: null
	Class  Class
	Name   string // function name of a constructor
	Length int
	Call   NativeFn    // [[Call]] of a constructor
	New    ConstructFn // [[Construct]]; nil: not a constructor
	Ext    func(r *Realm) any
	Rows   []Row
	Doc    string

	shape *Shape
	slots []Value
}

// Library is the full set of templates and globals, built once per process and immutable afterwards.
type Library struct {
	templates   [intrinsicCount]*Template
	Globals     []Row
	globalIndex map[string]int
}

// NewLibrary builds the templates' shapes.
func NewLibrary(templates []*Template, globals []Row) *Library {
	l := &Library{Globals: globals, globalIndex: map[string]int{}}
	for _, t := range templates {
		t.build()
		l.templates[t.ID] = t
		if t.Global != "" {
			l.Globals = append(l.Globals, Row{Name: t.Global, Ref: t.ID, Doc: t.Doc})
		}
	}
	for i, g := range l.Globals {
		l.globalIndex[g.Name] = i
	}
	return l
}

// GlobalIndex returns the index of a global name, or -1.
func (l *Library) GlobalIndex(name string) int {
	if i, ok := l.globalIndex[name]; ok {
		return i
	}
	return -1
}

// Template returns the template of an intrinsic, nil if the library has none.
func (l *Library) Template(id ID) *Template { return l.templates[id] }

func (t *Template) build() {
	s := &Shape{owned: true, cow: true}
	if t.isFunction() {
		s.props = append(s.props, prop{name: "length", attr: Configurable}, prop{name: "name", attr: Configurable})
		t.slots = append(t.slots, Int(t.Length), String(t.Name))
	}
	for i := range t.Rows {
		row := &t.Rows[i]
		p := prop{name: row.Name, attr: row.attr()}
		if len(row.Name) > 2 && row.Name[:2] == "@@" {
			p.name, p.sym = "", WellKnownSymbols[row.Name[2:]]
		}
		s.props = append(s.props, p)
		t.slots = append(t.slots, lazy(i))
	}
	s.buildNames()
	t.shape = s
}

func (t *Template) isFunction() bool { return t.Call != nil || t.New != nil }

func (row *Row) attr() Attr {
	switch {
	case row.Attr == NoAttr:
		return 0
	case row.Get != nil || row.Set != nil:
		if row.Attr != 0 {
			return row.Attr | AttrAccessor
		}
		return Configurable | AttrAccessor
	case row.Attr != 0:
		return row.Attr
	}
	return AttrMethod
}

// Intrinsic returns the realm's copy of an intrinsic object.
func (r *Realm) Intrinsic(id ID) *Object {
	if o := r.intrinsics[id]; o != nil {
		return o
	}
	return r.materialize(id)
}

func (r *Realm) materialize(id ID) *Object {
	t := r.lib.templates[id]
	if t == nil {
		panic("interpreter: intrinsic without template")
	}
	var o *Object
	if t.isFunction() {
		f := newNative(native{call: t.Call, construct: t.New, name: t.Name, length: t.Length})
		if t.New != nil {
			f.Flags |= FlagConstructor
		}
		o = &f.Object
	} else {
		o = &Object{Header: Header{kind: KindObject, Class: t.Class}}
	}
	r.intrinsics[id] = o
	shape := *t.shape
	o.Shape = &shape
	o.Flags |= FlagIsProto | FlagIntrinsic
	o.Slots = append(make([]Value, 0, len(t.slots)+2), t.slots...)
	r.Charge(objectBytes + 16*len(t.slots))
	o.Ext = t
	if t.Proto != NoIntrinsic {
		shape.Proto = r.Intrinsic(t.Proto)
	}
	if t.Ext != nil {
		o.Ext = t.Ext(r)
	}
	return o
}

// materializeSlot makes a lazy property of an intrinsic object real.
func (r *Realm) materializeSlot(o *Object, i int) {
	t := r.templateOf(o)
	row := &t.Rows[o.Slots[i].n]
	o.Slots[i] = Undefined
	o.Slots[i] = r.rowValue(t, row, o)
}

func (r *Realm) templateOf(o *Object) *Template {
	if t, ok := o.Ext.(*Template); ok {
		return t
	}
	for id, p := range r.intrinsics {
		if p == o {
			return r.lib.templates[id]
		}
	}
	panic("interpreter: lazy property outside an intrinsic object")
}

func (r *Realm) rowValue(t *Template, row *Row, o *Object) Value {
	switch {
	case row.Fn != nil:
		f := r.newBuiltin(row.Fn, row.functionName(""), row.Length)
		f.native.steps = row.Steps
		return f.Value()
	case row.Get != nil || row.Set != nil:
		var get, set *Object
		if row.Get != nil {
			get = &r.newBuiltin(row.Get, row.functionName("get"), 0).Object
		}
		if row.Set != nil {
			set = &r.newBuiltin(row.Set, row.functionName("set"), 1).Object
		}
		return newAccessor(get, set).value()
	case row.Const != nil:
		return row.Const(r)
	case row.Alias != "":
		k := StringKey(row.Alias)
		if len(row.Alias) > 2 && row.Alias[:2] == "@@" {
			k = SymbolKey(WellKnownSymbols[row.Alias[2:]])
		}
		v, _ := r.aliasTarget(t, k, o)
		return v
	default:
		return r.Intrinsic(row.Ref).Value()
	}
}

func (r *Realm) aliasTarget(t *Template, k Key, o *Object) (Value, bool) {
	if o == nil {
		return Undefined, false
	}
	return r.GetOwnValue(o, k)
}

func (row *Row) functionName(prefix string) string {
	n := row.Name
	if len(n) > 2 && n[:2] == "@@" {
		n = "[Symbol." + n[2:] + "]"
	}
	if prefix != "" {
		return prefix + " " + n
	}
	return n
}

// Global returns the value of a global by its library index, making it on first use.
func (r *Realm) Global(i int) Value {
	if v := r.globals[i]; v.p != nil {
		return v
	}
	row := &r.lib.Globals[i]
	v := r.rowValue(nil, row, nil)
	r.globals[i] = v
	return v
}

// SetGlobal assigns to a global.
func (r *Realm) SetGlobal(i int, v Value) { r.globals[i] = v }

// GlobalRow returns the row of a global.
func (r *Realm) GlobalRow(i int) *Row { return &r.lib.Globals[i] }

// builtinSlot is where a builtin stands in its object, and the builtin once it was touched.
type builtinSlot struct {
	fn    Value
	epoch uint32 // for which slot holds
	slot  int
}

// pristine tells whether an intrinsic's property still holds the builtin of its template.
func (r *Realm) pristine(id ID, k Key, b *builtinSlot) bool {
	o := r.intrinsics[id]
	if o == nil {
		return true
	}
	if b.epoch != r.Epoch {
		b.epoch, b.slot = r.Epoch, o.Shape.lookup(k)
	}
	if b.slot < 0 {
		return false
	}
	v := o.Slots[b.slot]
	if v.p == &lazyTag {
		return true
	}
	if b.fn.p == nil {
		if f := v.Function(); f == nil || !f.isBuiltin() {
			return false
		}
		b.fn = v
	}
	return b.fn == v
}

package builtin

// This file defines Object and Object.prototype (ECMA-262 20.1).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func objectTemplates() []*value.Template {
	return []*value.Template{
		{ID: value.ObjectConstructor, Global: "Object", Proto: value.FunctionPrototype, Name: "Object", Length: 1,
			Call: objectCall, New: objectNew, Rows: []row{
				{Name: "prototype", Ref: value.ObjectPrototype, Attr: value.NoAttr},
				{Name: "assign", Length: 2, Fn: objectAssign, Sig: "(target: object, ...sources: object[]): object"},
				{Name: "create", Length: 2, Fn: objectCreate, Sig: "(proto: object | null, properties?: object): object"},
				{Name: "defineProperties", Length: 2, Fn: objectDefineProperties, Sig: "(target: object, properties: object): object"},
				{Name: "defineProperty", Length: 3, Fn: objectDefineProperty, Sig: "(target: object, key: PropertyKey, descriptor: PropertyDescriptor): object"},
				{Name: "entries", Length: 1, Fn: objectEntries, Sig: "(value: object): [string, any][]"},
				{Name: "freeze", Length: 1, Fn: objectFreeze, Sig: "<T>(value: T): T"},
				{Name: "fromEntries", Length: 1, Fn: objectFromEntries, Sig: "(entries: Iterable<[PropertyKey, any]>): object"},
				{Name: "getOwnPropertyDescriptor", Length: 2, Fn: objectGetOwnPropertyDescriptor, Sig: "(value: object, key: PropertyKey): PropertyDescriptor | undefined"},
				{Name: "getOwnPropertyDescriptors", Length: 1, Fn: objectGetOwnPropertyDescriptors, Sig: "(value: object): object"},
				{Name: "getOwnPropertyNames", Length: 1, Fn: objectGetOwnPropertyNames, Sig: "(value: object): string[]"},
				{Name: "getOwnPropertySymbols", Length: 1, Fn: objectGetOwnPropertySymbols, Sig: "(value: object): symbol[]"},
				{Name: "getPrototypeOf", Length: 1, Fn: objectGetPrototypeOf, Sig: "(value: object): object | null"},
				{Name: "groupBy", Length: 2, Fn: objectGroupBy, Sig: "(items: Iterable<T>, key: (item: T, index: number) => PropertyKey): object"},
				{Name: "hasOwn", Length: 2, Fn: objectHasOwn, Sig: "(value: object, key: PropertyKey): boolean"},
				{Name: "is", Length: 2, Fn: objectIs, Sig: "(a: unknown, b: unknown): boolean"},
				{Name: "isExtensible", Length: 1, Fn: objectIsExtensible, Sig: "(value: unknown): boolean"},
				{Name: "isFrozen", Length: 1, Fn: objectIsFrozen, Sig: "(value: unknown): boolean"},
				{Name: "isSealed", Length: 1, Fn: objectIsSealed, Sig: "(value: unknown): boolean"},
				{Name: "keys", Length: 1, Fn: objectKeys, Sig: "(value: object): string[]"},
				{Name: "preventExtensions", Length: 1, Fn: objectPreventExtensions, Sig: "<T>(value: T): T"},
				{Name: "seal", Length: 1, Fn: objectSeal, Sig: "<T>(value: T): T"},
				{Name: "setPrototypeOf", Length: 2, Fn: objectSetPrototypeOf, Sig: "<T>(value: T, proto: object | null): T"},
				{Name: "values", Length: 1, Fn: objectValues, Sig: "(value: object): any[]"},
			}},
		{ID: value.ObjectPrototype, Rows: []row{
			{Name: "constructor", Ref: value.ObjectConstructor},
			{Name: "__defineGetter__", Length: 2, Fn: defineGetter},
			{Name: "__defineSetter__", Length: 2, Fn: defineSetter},
			{Name: "__lookupGetter__", Length: 1, Fn: lookupGetter},
			{Name: "__lookupSetter__", Length: 1, Fn: lookupSetter},
			{Name: "__proto__", Get: protoGet, Set: protoSet},
			{Name: "hasOwnProperty", Length: 1, Fn: objectHasOwnProperty, Sig: "(key: PropertyKey): boolean"},
			{Name: "isPrototypeOf", Length: 1, Fn: objectIsPrototypeOf, Sig: "(value: unknown): boolean"},
			{Name: "propertyIsEnumerable", Length: 1, Fn: objectPropertyIsEnumerable, Sig: "(key: PropertyKey): boolean"},
			{Name: "toLocaleString", Length: 0, Fn: objectToLocaleString, Sig: "(): string"},
			{Name: "toString", Length: 0, Fn: objectToString, Sig: "(): string"},
			{Name: "valueOf", Length: 0, Fn: objectValueOf, Sig: "(): object"},
		}},
	}
}

func objectCall(r *realm, _ val, args []val) val {
	if arg(args, 0).IsNullish() {
		return r.NewPlain(0).Value()
	}
	return r.ToObject(args[0]).Value()
}

func objectNew(r *realm, args []val, newTarget *object) val {
	if newTarget != r.Intrinsic(value.ObjectConstructor) {
		proto := r.PrototypeFromConstructor(newTarget, value.ObjectPrototype)
		if proto == nil {
			return value.Throw
		}
		return r.NewObject(proto).Value()
	}
	return objectCall(r, value.Undefined, args)
}

func objectAssign(r *realm, _ val, args []val) val {
	to := r.ToObject(arg(args, 0))
	if to == nil {
		return value.Throw
	}
	for _, src := range args[min(1, len(args)):] {
		if src.IsNullish() {
			continue
		}
		r.NoteFields(src)
		from := r.ToObject(src)
		keys, ok := r.OwnKeys(from)
		if !ok {
			return value.Throw
		}
		for _, k := range keys {
			d, ok := r.GetOwn(from, k)
			if !ok || d.Attr&value.Enumerable == 0 {
				continue
			}
			v := r.Get(from, k)
			if v.IsThrow() || !put(r, to, k, v) || !r.Step(1) {
				return value.Throw
			}
		}
	}
	return to.Value()
}

func objectCreate(r *realm, _ val, args []val) val {
	p := arg(args, 0)
	if !p.IsObject() && !p.IsNull() {
		return r.ThrowTypeError("Object prototype may only be an Object or null: %s", r.Describe(p))
	}
	o := r.NewObject(p.Object())
	if props := arg(args, 1); !props.IsUndefined() && !defineAll(r, o, props) {
		return value.Throw
	}
	return o.Value()
}

func defineAll(r *realm, o *object, props val) bool {
	from := r.ToObject(props)
	if from == nil {
		return false
	}
	keys, ok := r.OwnKeys(from)
	if !ok {
		return false
	}
	var found []value.Key
	var descs []value.Desc
	for _, k := range keys {
		if d, ok := r.GetOwn(from, k); !ok || d.Attr&value.Enumerable == 0 {
			continue
		}
		v := r.Get(from, k)
		if v.IsThrow() {
			return false
		}
		d, ok := toDescriptor(r, v)
		if !ok {
			return false
		}
		found, descs = append(found, k), append(descs, d)
	}
	for i, k := range found {
		if !defined(r, o, k, descs[i]) {
			return false
		}
	}
	return true
}

func objectDefineProperties(r *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	if o == nil {
		return notObject(r, arg(args, 0), "Object.defineProperties")
	}
	if !defineAll(r, o, arg(args, 1)) {
		return value.Throw
	}
	return o.Value()
}

func objectDefineProperty(r *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	if o == nil {
		return notObject(r, arg(args, 0), "Object.defineProperty")
	}
	k, ok := r.ToPropertyKey(arg(args, 1))
	if !ok {
		return value.Throw
	}
	d, ok := toDescriptor(r, arg(args, 2))
	if !ok || !defined(r, o, k, d) {
		return value.Throw
	}
	return o.Value()
}

// toDescriptor is ToPropertyDescriptor (6.2.6.5).
func toDescriptor(r *realm, v val) (d value.Desc, ok bool) {
	o := v.Object()
	if o == nil {
		r.ThrowTypeError("Property description must be an object: %s", r.Describe(v))
		return d, false
	}
	flag := func(name string, has value.DescHas, attr value.Attr) bool {
		x, present, ok := field(r, o, name)
		if present {
			d.Has |= has
			if value.ToBoolean(x) {
				d.Attr |= attr
			}
		}
		return ok
	}
	if !flag("enumerable", value.HasEnumerable, value.Enumerable) || !flag("configurable", value.HasConfigurable, value.Configurable) {
		return d, false
	}
	x, present, ok := field(r, o, "value")
	if !ok {
		return d, false
	}
	if present {
		d.Has |= value.HasValue
		d.Value = x
	}
	if !flag("writable", value.HasWritable, value.Writable) {
		return d, false
	}
	if d.Get, ok = accessorField(r, o, "get", value.HasGet, &d.Has); !ok {
		return d, false
	}
	if d.Set, ok = accessorField(r, o, "set", value.HasSet, &d.Has); !ok {
		return d, false
	}
	if d.IsAccessor() && d.IsData() {
		r.ThrowTypeError("Invalid property descriptor. Cannot both specify accessors and a value or writable attribute")
		return d, false
	}
	return d, true
}

func accessorField(r *realm, o *object, name string, has value.DescHas, into *value.DescHas) (*object, bool) {
	x, present, ok := field(r, o, name)
	if !ok || !present {
		return nil, ok
	}
	*into |= has
	if x.IsUndefined() {
		return nil, true
	}
	if !x.IsCallable() {
		r.ThrowTypeError("Property descriptor's %ster must be a function: %s", name, r.Describe(x))
		return nil, false
	}
	return x.Object(), true
}

func field(r *realm, o *object, name string) (v val, present, ok bool) {
	k := value.Name(name)
	has, ok := r.HasProperty(o, k)
	if !ok || !has {
		return value.Undefined, false, ok
	}
	v = r.Get(o, k)
	return v, true, !v.IsThrow()
}

// fromDescriptor is FromPropertyDescriptor (6.2.6.4).
func fromDescriptor(r *realm, d value.Desc) val {
	o := r.NewPlain(4)
	add := func(name string, v val) { r.InitProperty(o, value.Name(name), v) }
	if d.IsAccessor() {
		add("get", value.ObjectOrUndefined(d.Get))
		add("set", value.ObjectOrUndefined(d.Set))
	} else {
		add("value", d.Value)
		add("writable", value.Bool(d.Attr&value.Writable != 0))
	}
	add("enumerable", value.Bool(d.Attr&value.Enumerable != 0))
	add("configurable", value.Bool(d.Attr&value.Configurable != 0))
	return o.Value()
}

// ownEnumerable is EnumerableOwnProperties (7.3.24): visit gets each own enumerable string key, if keys are wanted, with its value,
// if values are.
func ownEnumerable(r *realm, v val, wantKey, wantValue bool, visit func(k, x val)) bool {
	r.NoteFields(v)
	o := r.ToObject(v)
	if o == nil {
		return false
	}
	step := func(k, x val) bool { visit(k, x); return r.Step(1) }
	if done, ok := r.EachOwn(o, wantKey, step); done || !ok {
		return ok
	}
	keys, ok := r.OwnKeys(o)
	if !ok {
		return false
	}
	for _, k := range keys {
		if k.IsSymbol() {
			continue
		}
		d, ok := r.GetOwn(o, k)
		if !ok || d.Attr&value.Enumerable == 0 {
			continue
		}
		x := d.Value
		if wantValue && d.IsAccessor() {
			if x = r.Get(o, k); x.IsThrow() {
				return false
			}
		}
		text := value.Undefined
		if wantKey {
			r.Charge(40)
			text = k.Value()
		}
		if !step(text, x) {
			return false
		}
	}
	return true
}

// listOwn makes the array of what one gives for each own enumerable property.
func listOwn(r *realm, v val, wantKey, wantValue bool, one func(k, x val) val) val {
	out := r.NewArray(nil)
	if o := v.Object(); o != nil {
		r.Reserve(out, len(o.Slots)+len(o.Elems))
	}
	defer r.Unroot(r.Root(out.Value()))
	if !ownEnumerable(r, v, wantKey, wantValue, func(k, x val) { r.Push(out, one(k, x)) }) {
		return value.Throw
	}
	return out.Value()
}

func objectKeys(r *realm, _ val, args []val) val {
	return listOwn(r, arg(args, 0), true, false, func(k, _ val) val { return k })
}

func objectValues(r *realm, _ val, args []val) val {
	return listOwn(r, arg(args, 0), false, true, func(_, x val) val { return x })
}

func objectEntries(r *realm, _ val, args []val) val {
	return listOwn(r, arg(args, 0), true, true, func(k, x val) val { return r.NewArrayOf(k, x).Value() })
}

func objectFromEntries(r *realm, _ val, args []val) val {
	if arg(args, 0).IsNullish() {
		return r.ThrowNullish(arg(args, 0), "is not iterable")
	}
	room := 4
	if e, ok := r.PlainArray(args[0]); ok {
		room = min(len(e), 32)
	}
	o := r.NewPlain(room)
	defer r.Unroot(r.Root(o.Value()))
	ok := r.Iterate(args[0], func(item val) bool {
		k, v, ok := entry(r, item)
		if !ok {
			return false
		}
		key, ok := r.ToPropertyKey(k)
		return ok && r.CreateDataProperty(o, key, v) == value.OK
	})
	if !ok {
		return value.Throw
	}
	return o.Value()
}

// entry takes a [key, value] pair apart.
func entry(r *realm, item val) (k, v val, ok bool) {
	o := item.Object()
	if o == nil {
		r.ThrowTypeError("Iterator value %s is not an entry object", r.Describe(item))
		return k, v, false
	}
	if e := o.Elems; len(e) >= 2 && o.Flags&value.FlagExotic == 0 && !e[0].IsHole() && !e[1].IsHole() {
		return e[0], e[1], true
	}
	if k = r.Get(o, value.IndexKey(0)); k.IsThrow() {
		return k, v, false
	}
	v = r.Get(o, value.IndexKey(1))
	return k, v, !v.IsThrow()
}

func objectFreeze(r *realm, _ val, args []val) val { return integrity(r, arg(args, 0), true) }
func objectSeal(r *realm, _ val, args []val) val   { return integrity(r, arg(args, 0), false) }

func integrity(r *realm, v val, frozen bool) val {
	o := v.Object()
	if o == nil {
		return v
	}
	if o.Flags&value.FlagExotic != 0 || !r.SetIntegrity(o, frozen) {
		return r.ThrowTypeError("Cannot freeze %s", r.Describe(v))
	}
	return v
}

func objectIsFrozen(r *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	return value.Bool(o == nil || r.TestIntegrity(o, true))
}

func objectIsSealed(r *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	return value.Bool(o == nil || r.TestIntegrity(o, false))
}

func objectIsExtensible(_ *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	return value.Bool(o != nil && o.Flags&value.FlagNonExtensible == 0)
}

func objectPreventExtensions(r *realm, _ val, args []val) val {
	if o := arg(args, 0).Object(); o != nil && !r.PreventExtensions(o) {
		return r.ThrowTypeError("Cannot prevent extensions of %s", r.Describe(o.Value()))
	}
	return arg(args, 0)
}

func objectGetOwnPropertyDescriptor(r *realm, _ val, args []val) val {
	o := r.ToObject(arg(args, 0))
	if o == nil {
		return value.Throw
	}
	k, ok := r.ToPropertyKey(arg(args, 1))
	if !ok {
		return value.Throw
	}
	d, ok := r.GetOwn(o, k)
	if !ok {
		return value.Undefined
	}
	return fromDescriptor(r, d)
}

func objectGetOwnPropertyDescriptors(r *realm, _ val, args []val) val {
	o := r.ToObject(arg(args, 0))
	if o == nil {
		return value.Throw
	}
	keys, ok := r.OwnKeys(o)
	if !ok {
		return value.Throw
	}
	out := r.NewPlain(len(keys))
	for _, k := range keys {
		if d, ok := r.GetOwn(o, k); ok {
			r.InitProperty(out, k, fromDescriptor(r, d))
		}
	}
	return out.Value()
}

func ownKeyList(r *realm, v val, symbols bool) val {
	o := r.ToObject(v)
	if o == nil {
		return value.Throw
	}
	keys, ok := r.OwnKeys(o)
	if !ok {
		return value.Throw
	}
	var out []val
	for _, k := range keys {
		if k.IsSymbol() == symbols {
			out = append(out, k.Value())
		}
	}
	return r.NewArray(out).Value()
}

func objectGetOwnPropertyNames(r *realm, _ val, args []val) val {
	return ownKeyList(r, arg(args, 0), false)
}

func objectGetOwnPropertySymbols(r *realm, _ val, args []val) val {
	return ownKeyList(r, arg(args, 0), true)
}

func objectGetPrototypeOf(r *realm, _ val, args []val) val {
	o := r.ToObject(arg(args, 0))
	if o == nil {
		return value.Throw
	}
	return value.ObjectOrNull(o.Proto())
}

func objectSetPrototypeOf(r *realm, _ val, args []val) val {
	v, p := arg(args, 0), arg(args, 1)
	if v.IsNullish() {
		return r.ThrowTypeError("Object.setPrototypeOf called on null or undefined")
	}
	if !p.IsObject() && !p.IsNull() {
		return r.ThrowTypeError("Object prototype may only be an Object or null: %s", r.Describe(p))
	}
	if o := v.Object(); o != nil && !r.SetPrototypeOf(o, p.Object()) {
		return throwProto(r, o, p)
	}
	return v
}

func throwProto(r *realm, o *object, p val) val {
	if o.Flags&value.FlagNonExtensible != 0 {
		return r.ThrowTypeError("%s is not extensible", r.Describe(o.Value()))
	}
	if o == r.Intrinsic(value.ObjectPrototype) {
		return r.ThrowTypeError("Immutable prototype object 'Object.prototype' cannot have their prototype set")
	}
	return r.ThrowTypeError("Cyclic __proto__ value")
}

// groupInto collects the items of an iterable by key in order of first appearance; coerce makes the key.
func groupInto(r *realm, items, fn val, add func(k, item val) bool) bool {
	if items.IsNullish() {
		r.ThrowNullish(items, "is not iterable")
		return false
	}
	if !fn.IsCallable() {
		r.ThrowTypeError("%s is not a function", r.Describe(fn))
		return false
	}
	i := 0
	return r.Iterate(items, func(x val) bool {
		k := r.Call(fn, value.Undefined, x, value.Int(i))
		i++
		return !k.IsThrow() && add(k, x)
	})
}

func objectGroupBy(r *realm, _ val, args []val) val {
	o := r.NewObject(nil)
	defer r.Unroot(r.Root(o.Value()))
	ok := groupInto(r, arg(args, 0), arg(args, 1), func(k, item val) bool {
		key, ok := r.ToPropertyKey(k)
		if !ok {
			return false
		}
		if list, ok := r.GetOwnValue(o, key); ok {
			return r.Push(list.Object(), item)
		}
		r.InitProperty(o, key, r.NewArrayOf(item).Value())
		return true
	})
	if !ok {
		return value.Throw
	}
	return o.Value()
}

func objectHasOwn(r *realm, _ val, args []val) val {
	o := r.ToObject(arg(args, 0))
	if o == nil {
		return value.Throw
	}
	k, ok := r.ToPropertyKey(arg(args, 1))
	if !ok {
		return value.Throw
	}
	return value.Bool(r.HasOwn(o, k))
}

func objectIs(_ *realm, _ val, args []val) val {
	return value.Bool(value.SameValue(arg(args, 0), arg(args, 1)))
}

func objectHasOwnProperty(r *realm, this val, args []val) val {
	k, ok := r.ToPropertyKey(arg(args, 0))
	if !ok {
		return value.Throw
	}
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	return value.Bool(r.HasOwn(o, k))
}

func objectIsPrototypeOf(r *realm, this val, args []val) val {
	v := arg(args, 0).Object()
	if v == nil {
		return value.False
	}
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	for p := v.Proto(); p != nil; p = p.Proto() {
		if p == o {
			return value.True
		}
	}
	return value.False
}

func objectPropertyIsEnumerable(r *realm, this val, args []val) val {
	k, ok := r.ToPropertyKey(arg(args, 0))
	if !ok {
		return value.Throw
	}
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	d, ok := r.GetOwn(o, k)
	return value.Bool(ok && d.Attr&value.Enumerable != 0)
}

func objectToLocaleString(r *realm, this val, _ []val) val {
	return r.InvokeMethod(this, value.Name("toString"))
}

var classTags = map[value.Class]string{
	value.ClassArray: "Array", value.ClassFunction: "Function", value.ClassError: "Error", value.ClassBoolean: "Boolean",
	value.ClassNumber: "Number", value.ClassString: "String", value.ClassDate: "Date", value.ClassRegExp: "RegExp",
	value.ClassArguments: "Arguments", value.ClassTools: "Tools",
}

// objectToString (20.1.3.6).
func objectToString(r *realm, this val, _ []val) val {
	switch {
	case this.IsUndefined():
		return str("[object Undefined]")
	case this.IsNull():
		return str("[object Null]")
	}
	o := r.ToObject(this)
	tag := r.Get(o, value.SymbolKey(value.SymToStringTag))
	if tag.IsThrow() {
		return tag
	}
	if s := tag.Str(); s != nil {
		return str("[object " + s.String() + "]")
	}
	name, ok := classTags[o.Class]
	if !ok {
		name = "Object"
	}
	return str("[object " + name + "]")
}

func objectValueOf(r *realm, this val, _ []val) val {
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	return o.Value()
}

func protoGet(r *realm, this val, _ []val) val {
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	return value.ObjectOrNull(o.Proto())
}

func protoSet(r *realm, this val, args []val) val {
	if this.IsNullish() {
		return r.ThrowTypeError("Object.prototype.__proto__ called on null or undefined")
	}
	p := arg(args, 0)
	o := this.Object()
	if o == nil || !p.IsObject() && !p.IsNull() {
		return value.Undefined
	}
	if !r.SetPrototypeOf(o, p.Object()) {
		return throwProto(r, o, p)
	}
	return value.Undefined
}

func defineGetter(r *realm, this val, args []val) val {
	return defineHalf(r, this, args, func(d *value.Desc, f *object) { d.Get, d.Has = f, d.Has|value.HasGet })
}

func defineSetter(r *realm, this val, args []val) val {
	return defineHalf(r, this, args, func(d *value.Desc, f *object) { d.Set, d.Has = f, d.Has|value.HasSet })
}

func defineHalf(r *realm, this val, args []val, set func(*value.Desc, *object)) val {
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	f := arg(args, 1)
	if !f.IsCallable() {
		return r.ThrowTypeError("%s is not a function", r.Describe(f))
	}
	d := value.Desc{Attr: value.Enumerable | value.Configurable, Has: value.HasEnumerable | value.HasConfigurable}
	set(&d, f.Object())
	k, ok := r.ToPropertyKey(arg(args, 0))
	if !ok || !defined(r, o, k, d) {
		return value.Throw
	}
	return value.Undefined
}

func lookupGetter(r *realm, this val, args []val) val {
	return lookupHalf(r, this, args, func(d value.Desc) *object { return d.Get })
}

func lookupSetter(r *realm, this val, args []val) val {
	return lookupHalf(r, this, args, func(d value.Desc) *object { return d.Set })
}

func lookupHalf(r *realm, this val, args []val, get func(value.Desc) *object) val {
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	k, ok := r.ToPropertyKey(arg(args, 0))
	if !ok {
		return value.Throw
	}
	for ; o != nil; o = o.Proto() {
		if d, ok := r.GetOwn(o, k); ok {
			if d.IsAccessor() {
				return value.ObjectOrUndefined(get(d))
			}
			return value.Undefined
		}
	}
	return value.Undefined
}

// defined is DefinePropertyOrThrow (7.3.8).
func defined(r *realm, o *object, k value.Key, d value.Desc) bool {
	message := "Cannot redefine property: %s"
	if o.Flags&value.FlagExotic == 0 && !r.HasOwn(o, k) {
		message = "Cannot define property %s, object is not extensible"
	}
	return done(r, r.DefineOwn(o, k, d), message, k)
}

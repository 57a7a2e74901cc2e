package builtin

// This file defines Reflect (ECMA-262 28.1).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func reflectTemplates() []*value.Template {
	return []*value.Template{{ID: value.ReflectNamespace, Global: "Reflect", Proto: value.ObjectPrototype, Class: value.ClassNamespace, Rows: []row{
		{Name: "apply", Length: 3, Fn: reflectApply, Sig: "(target: Function, thisArg: any, args: any[]): any"},
		{Name: "construct", Length: 2, Fn: reflectConstruct, Sig: "(target: Function, args: any[], newTarget?: Function): any"},
		{Name: "defineProperty", Length: 3, Fn: reflectDefineProperty, Sig: "(target: object, key: PropertyKey, descriptor: PropertyDescriptor): boolean"},
		{Name: "deleteProperty", Length: 2, Fn: reflectDeleteProperty, Sig: "(target: object, key: PropertyKey): boolean"},
		{Name: "get", Length: 2, Fn: reflectGet, Sig: "(target: object, key: PropertyKey, receiver?: any): any"},
		{Name: "getOwnPropertyDescriptor", Length: 2, Fn: reflectGetOwnPropertyDescriptor, Sig: "(target: object, key: PropertyKey): PropertyDescriptor | undefined"},
		{Name: "getPrototypeOf", Length: 1, Fn: reflectGetPrototypeOf, Sig: "(target: object): object | null"},
		{Name: "has", Length: 2, Fn: reflectHas, Sig: "(target: object, key: PropertyKey): boolean"},
		{Name: "isExtensible", Length: 1, Fn: reflectIsExtensible, Sig: "(target: object): boolean"},
		{Name: "ownKeys", Length: 1, Fn: reflectOwnKeys, Sig: "(target: object): PropertyKey[]"},
		{Name: "preventExtensions", Length: 1, Fn: reflectPreventExtensions, Sig: "(target: object): boolean"},
		{Name: "set", Length: 3, Fn: reflectSet, Sig: "(target: object, key: PropertyKey, value: any, receiver?: any): boolean"},
		{Name: "setPrototypeOf", Length: 2, Fn: reflectSetPrototypeOf, Sig: "(target: object, proto: object | null): boolean"},
		tagRow("Reflect"),
	}}}
}

// reflectTarget checks the first argument.
func reflectTarget(r *realm, args []val, what string) *object {
	o := arg(args, 0).Object()
	if o == nil {
		r.ThrowTypeError("Reflect.%s called on non-object", what)
	}
	return o
}

// reflectKey checks the first argument and converts the second to a key.
func reflectKey(r *realm, args []val, what string) (*object, value.Key, bool) {
	o := reflectTarget(r, args, what)
	if o == nil {
		return nil, value.Key{}, false
	}
	k, ok := r.ToPropertyKey(arg(args, 1))
	return o, k, ok
}

func outcome(d value.Done) val {
	if d == value.Threw {
		return value.Throw
	}
	return value.Bool(d == value.OK)
}

func reflectApply(r *realm, _ val, args []val) val {
	if !arg(args, 0).IsCallable() {
		return r.ThrowTypeError("%s is not a function", r.Describe(arg(args, 0)))
	}
	list, ok := r.ListFromArrayLike(arg(args, 2))
	if !ok {
		return value.Throw
	}
	return r.CallArgs(args[0], arg(args, 1), list)
}

func reflectConstruct(r *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	if o == nil || !o.IsConstructor() {
		return r.ThrowTypeError("%s is not a constructor", r.Describe(arg(args, 0)))
	}
	target := o
	if len(args) > 2 {
		if target = args[2].Object(); target == nil || !target.IsConstructor() {
			return r.ThrowTypeError("%s is not a constructor", r.Describe(args[2]))
		}
	}
	list, ok := r.ListFromArrayLike(arg(args, 1))
	if !ok {
		return value.Throw
	}
	return r.ConstructArgs(o, list, target)
}

func reflectDefineProperty(r *realm, _ val, args []val) val {
	o, k, ok := reflectKey(r, args, "defineProperty")
	if !ok {
		return value.Throw
	}
	d, ok := toDescriptor(r, arg(args, 2))
	if !ok {
		return value.Throw
	}
	return outcome(r.DefineOwn(o, k, d))
}

func reflectDeleteProperty(r *realm, _ val, args []val) val {
	o, k, ok := reflectKey(r, args, "deleteProperty")
	if !ok {
		return value.Throw
	}
	return outcome(r.Delete(o, k))
}

func reflectGet(r *realm, _ val, args []val) val {
	o, k, ok := reflectKey(r, args, "get")
	if !ok {
		return value.Throw
	}
	if len(args) > 2 {
		return r.GetWith(o, k, args[2])
	}
	return r.Get(o, k)
}

func reflectGetOwnPropertyDescriptor(r *realm, _ val, args []val) val {
	o, k, ok := reflectKey(r, args, "getOwnPropertyDescriptor")
	if !ok {
		return value.Throw
	}
	d, ok := r.GetOwn(o, k)
	if !ok {
		return value.Undefined
	}
	return fromDescriptor(r, d)
}

func reflectGetPrototypeOf(r *realm, _ val, args []val) val {
	o := reflectTarget(r, args, "getPrototypeOf")
	if o == nil {
		return value.Throw
	}
	return value.ObjectOrNull(o.Proto())
}

func reflectHas(r *realm, _ val, args []val) val {
	o, k, ok := reflectKey(r, args, "has")
	if !ok {
		return value.Throw
	}
	has, ok := r.HasProperty(o, k)
	if !ok {
		return value.Throw
	}
	return value.Bool(has)
}

func reflectIsExtensible(r *realm, _ val, args []val) val {
	o := reflectTarget(r, args, "isExtensible")
	if o == nil {
		return value.Throw
	}
	return value.Bool(o.Flags&value.FlagNonExtensible == 0)
}

func reflectOwnKeys(r *realm, _ val, args []val) val {
	o := reflectTarget(r, args, "ownKeys")
	if o == nil {
		return value.Throw
	}
	keys, ok := r.OwnKeys(o)
	if !ok {
		return value.Throw
	}
	out := make([]val, len(keys))
	for i, k := range keys {
		out[i] = k.Value()
	}
	return r.NewArray(out).Value()
}

func reflectPreventExtensions(r *realm, _ val, args []val) val {
	o := reflectTarget(r, args, "preventExtensions")
	if o == nil {
		return value.Throw
	}
	return value.Bool(r.PreventExtensions(o))
}

func reflectSet(r *realm, _ val, args []val) val {
	o, k, ok := reflectKey(r, args, "set")
	if !ok {
		return value.Throw
	}
	if len(args) > 3 {
		return outcome(r.SetWith(o, k, args[2], args[3]))
	}
	return outcome(r.Set(o, k, arg(args, 2)))
}

func reflectSetPrototypeOf(r *realm, _ val, args []val) val {
	o := reflectTarget(r, args, "setPrototypeOf")
	if o == nil {
		return value.Throw
	}
	p := arg(args, 1)
	if !p.IsObject() && !p.IsNull() {
		return r.ThrowTypeError("Object prototype may only be an Object or null: %s", r.Describe(p))
	}
	return value.Bool(r.SetPrototypeOf(o, p.Object()))
}

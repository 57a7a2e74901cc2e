package builtin

// This file defines Set and WeakSet (ECMA-262 24.2, 24.4); the methods that combine sets are in set_algebra.go.

import "github.com/codemode-go/codemode/interpreter/internal/value"

func setTemplates() []*value.Template {
	return []*value.Template{
		{ID: value.SetConstructor, Global: "Set", Proto: value.FunctionPrototype, Name: "Set", Length: 0, New: setNew(value.ClassSet, value.SetPrototype), Rows: []row{
			{Name: "prototype", Ref: value.SetPrototype, Attr: value.NoAttr},
			{Name: "@@species", Get: returnThis},
		}},
		{ID: value.SetPrototype, Proto: value.ObjectPrototype, Ext: adderOf(value.SetPrototype, "add"), Rows: []row{
			{Name: "constructor", Ref: value.SetConstructor},
			{Name: "add", Length: 1, Fn: setAdd, Sig: "(value: T): Set<T>"},
			{Name: "clear", Length: 0, Fn: setClear, Sig: "(): void"},
			{Name: "delete", Length: 1, Fn: setDelete, Sig: "(value: T): boolean"},
			{Name: "difference", Length: 1, Fn: setDifference, Sig: "(other: Set<T>): Set<T>"},
			{Name: "entries", Length: 0, Fn: setIterate("entries", iterateEntries), Sig: "(): Iterator<[T, T]>"},
			{Name: "forEach", Length: 1, Fn: setForEach, Sig: "(visit: (value: T, key: T, set: Set<T>) => void, thisArg?: any): void"},
			{Name: "has", Length: 1, Fn: setHas, Sig: "(value: T): boolean"},
			{Name: "intersection", Length: 1, Fn: setIntersection, Sig: "(other: Set<T>): Set<T>"},
			{Name: "isDisjointFrom", Length: 1, Fn: setIsDisjointFrom, Sig: "(other: Set<T>): boolean"},
			{Name: "isSubsetOf", Length: 1, Fn: setIsSubsetOf, Sig: "(other: Set<T>): boolean"},
			{Name: "isSupersetOf", Length: 1, Fn: setIsSupersetOf, Sig: "(other: Set<T>): boolean"},
			{Name: "size", Get: setSize, Sig: "number"},
			{Name: "symmetricDifference", Length: 1, Fn: setSymmetricDifference, Sig: "(other: Set<T>): Set<T>"},
			{Name: "union", Length: 1, Fn: setUnion, Sig: "(other: Set<T>): Set<T>"},
			{Name: "values", Length: 0, Fn: setIterate("values", iterateValues), Sig: "(): Iterator<T>"},
			{Name: "keys", Alias: "values"},
			{Name: "@@iterator", Alias: "values"},
			tagRow("Set"),
		}},
		{ID: value.SetIteratorPrototype, Proto: value.IteratorPrototype, Rows: []row{
			{Name: "next", Length: 0, Fn: nextOf[*collectionIterator](value.SetIteratorPrototype, "Set Iterator.prototype.next"), Steps: value.SetIteratorPrototype},
			tagRow("Set Iterator"),
		}},
		{ID: value.WeakSetConstructor, Global: "WeakSet", Proto: value.FunctionPrototype, Name: "WeakSet", Length: 0, New: setNew(value.ClassWeakSet, value.WeakSetPrototype), Rows: []row{
			{Name: "prototype", Ref: value.WeakSetPrototype, Attr: value.NoAttr},
		}},
		{ID: value.WeakSetPrototype, Proto: value.ObjectPrototype, Ext: adderOf(value.WeakSetPrototype, "add"), Rows: []row{
			{Name: "constructor", Ref: value.WeakSetConstructor},
			{Name: "add", Length: 1, Fn: weakSetAdd, Sig: "(value: object): WeakSet<object>"},
			{Name: "delete", Length: 1, Fn: weakSetDelete, Sig: "(value: object): boolean"},
			{Name: "has", Length: 1, Fn: weakSetHas, Sig: "(value: object): boolean"},
			tagRow("WeakSet"),
		}},
	}
}

func setNew(class value.Class, id value.ID) value.ConstructFn {
	return func(r *realm, args []val, newTarget *object) val {
		proto := r.PrototypeFromConstructor(newTarget, id)
		if proto == nil {
			return value.Throw
		}
		s := &setData{*newCollection()}
		s.weak = class == value.ClassWeakSet
		o := r.NewClass(class, proto, s)
		items := arg(args, 0)
		if items.IsNullish() {
			return o.Value()
		}
		defer r.Unroot(r.Root(o.Value()))
		fn, builtin, ok := adder(r, o, id, "add")
		if !ok || !r.Iterate(items, func(x val) bool {
			if builtin && !s.weak {
				s.set(r, x, value.Undefined)
				return true
			}
			return !r.Call(fn, o.Value(), x).IsThrow()
		}) {
			return value.Throw
		}
		return o.Value()
	}
}

// thisSet is this as a Set; nil if it threw.
func thisSet(r *realm, this val, method string) *setData {
	if o := this.Object(); o != nil && o.Class == value.ClassSet {
		return o.Ext.(*setData)
	}
	incompatible(r, "Set.prototype."+method, this)
	return nil
}

func setHas(r *realm, this val, args []val) val {
	s := thisSet(r, this, "has")
	if s == nil {
		return value.Throw
	}
	return value.Bool(s.find(arg(args, 0)) != nil)
}

func setAdd(r *realm, this val, args []val) val {
	s := thisSet(r, this, "add")
	if s == nil {
		return value.Throw
	}
	s.set(r, arg(args, 0), value.Undefined)
	return this
}

func setDelete(r *realm, this val, args []val) val {
	s := thisSet(r, this, "delete")
	if s == nil {
		return value.Throw
	}
	return value.Bool(s.delete(r, arg(args, 0)))
}

func setClear(r *realm, this val, _ []val) val {
	s := thisSet(r, this, "clear")
	if s == nil {
		return value.Throw
	}
	s.clear()
	return value.Undefined
}

func setSize(r *realm, this val, _ []val) val {
	s := thisSet(r, this, "size")
	if s == nil {
		return value.Throw
	}
	return value.Int(s.live)
}

func setForEach(r *realm, this val, args []val) val {
	s := thisSet(r, this, "forEach")
	if s == nil {
		return value.Throw
	}
	fn, thisArg, ok := callback(r, args)
	if !ok {
		return value.Throw
	}
	for u := s.cursor(); ; {
		e, ok := u.step()
		if !ok {
			return value.Undefined
		}
		if r.Call(fn, thisArg, e.key, e.key, this).IsThrow() {
			return value.Throw
		}
	}
}

func setIterate(method string, kind iterationKind) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		s := thisSet(r, this, method)
		if s == nil {
			return value.Throw
		}
		return r.NewClass(value.ClassIterator, r.Intrinsic(value.SetIteratorPrototype), &collectionIterator{u: s.cursor(), of: "Set", kind: kind, set: true}).Value()
	}
}

func thisWeakSet(r *realm, this val, method string) *setData {
	if o := this.Object(); o != nil && o.Class == value.ClassWeakSet {
		return o.Ext.(*setData)
	}
	incompatible(r, "WeakSet.prototype."+method, this)
	return nil
}

func weakSetHas(r *realm, this val, args []val) val {
	s := thisWeakSet(r, this, "has")
	if s == nil {
		return value.Throw
	}
	return value.Bool(s.find(arg(args, 0)) != nil)
}

func weakSetDelete(r *realm, this val, args []val) val {
	s := thisWeakSet(r, this, "delete")
	if s == nil {
		return value.Throw
	}
	return value.Bool(s.delete(r, arg(args, 0)))
}

func weakSetAdd(r *realm, this val, args []val) val {
	s := thisWeakSet(r, this, "add")
	if s == nil {
		return value.Throw
	}
	if k := arg(args, 0); !canBeHeldWeakly(k) {
		return r.ThrowTypeError("Invalid value used in weak set: %s", r.Describe(k))
	}
	s.set(r, args[0], value.Undefined)
	return this
}

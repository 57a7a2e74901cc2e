package builtin

// This file defines Map and WeakMap (ECMA-262 24.1, 24.3).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func mapTemplates() []*value.Template {
	return []*value.Template{
		{ID: value.MapConstructor, Global: "Map", Proto: value.FunctionPrototype, Name: "Map", Length: 0, New: mapNew(value.ClassMap, value.MapPrototype), Rows: []row{
			{Name: "prototype", Ref: value.MapPrototype, Attr: value.NoAttr},
			{Name: "groupBy", Length: 2, Fn: mapGroupBy, Sig: "<K, T>(items: Iterable<T>, key: (item: T, index: number) => K): Map<K, T[]>"},
			{Name: "@@species", Get: returnThis},
		}},
		{ID: value.MapPrototype, Proto: value.ObjectPrototype, Ext: adderOf(value.MapPrototype, "set"), Rows: []row{
			{Name: "constructor", Ref: value.MapConstructor},
			{Name: "clear", Length: 0, Fn: mapClear, Sig: "(): void"},
			{Name: "delete", Length: 1, Fn: mapDelete, Sig: "(key: K): boolean"},
			{Name: "entries", Length: 0, Fn: mapIterate("entries", iterateEntries), Sig: "(): Iterator<[K, V]>"},
			{Name: "forEach", Length: 1, Fn: mapForEach, Sig: "(visit: (value: V, key: K, map: Map<K, V>) => void, thisArg?: any): void"},
			{Name: "get", Length: 1, Fn: mapGet, Sig: "(key: K): V | undefined"},
			{Name: "has", Length: 1, Fn: mapHas, Sig: "(key: K): boolean"},
			{Name: "keys", Length: 0, Fn: mapIterate("keys", iterateKeys), Sig: "(): Iterator<K>"},
			{Name: "set", Length: 2, Fn: mapSet, Sig: "(key: K, value: V): Map<K, V>"},
			{Name: "size", Get: mapSize, Sig: "number"},
			{Name: "values", Length: 0, Fn: mapIterate("values", iterateValues), Sig: "(): Iterator<V>"},
			{Name: "@@iterator", Alias: "entries"},
			tagRow("Map"),
		}},
		{ID: value.MapIteratorPrototype, Proto: value.IteratorPrototype, Rows: []row{
			{Name: "next", Length: 0, Fn: nextOf[*collectionIterator](value.MapIteratorPrototype, "Map Iterator.prototype.next"), Steps: value.MapIteratorPrototype},
			tagRow("Map Iterator"),
		}},
		{ID: value.WeakMapConstructor, Global: "WeakMap", Proto: value.FunctionPrototype, Name: "WeakMap", Length: 0, New: mapNew(value.ClassWeakMap, value.WeakMapPrototype), Rows: []row{
			{Name: "prototype", Ref: value.WeakMapPrototype, Attr: value.NoAttr},
		}},
		{ID: value.WeakMapPrototype, Proto: value.ObjectPrototype, Ext: adderOf(value.WeakMapPrototype, "set"), Rows: []row{
			{Name: "constructor", Ref: value.WeakMapConstructor},
			{Name: "delete", Length: 1, Fn: weakMapDelete, Sig: "(key: object): boolean"},
			{Name: "get", Length: 1, Fn: weakMapGet, Sig: "(key: object): V | undefined"},
			{Name: "has", Length: 1, Fn: weakMapHas, Sig: "(key: object): boolean"},
			{Name: "set", Length: 2, Fn: weakMapSet, Sig: "(key: object, value: V): WeakMap<object, V>"},
			tagRow("WeakMap"),
		}},
	}
}

// adderOf notes the builtin that constructors look up to add entries, so that they can add directly while it is in place.
func adderOf(id value.ID, name string) func(*realm) any {
	return func(r *realm) any {
		b := ownBuiltin(r, r.Intrinsic(id), value.Name(name))
		return &b
	}
}

// adder returns the method that a constructor adds entries with, and whether it is the builtin.
func adder(r *realm, o *object, id value.ID, name string) (fn val, builtin, ok bool) {
	fn = r.Get(o, value.Name(name))
	if fn.IsThrow() {
		return fn, false, false
	}
	if !fn.IsCallable() {
		r.ThrowTypeError("'%s' returned for property '%s' of object '%s' is not a function", r.Describe(fn), name, r.Describe(o.Value()))
		return fn, false, false
	}
	return fn, fn == r.Intrinsic(id).Ext.(*builtinProp).value, true
}

func mapNew(class value.Class, id value.ID) value.ConstructFn {
	return func(r *realm, args []val, newTarget *object) val {
		proto := r.PrototypeFromConstructor(newTarget, id)
		if proto == nil {
			return value.Throw
		}
		m := &mapData{*newCollection()}
		m.weak = class == value.ClassWeakMap
		o := r.NewClass(class, proto, m)
		items := arg(args, 0)
		if items.IsNullish() {
			return o.Value()
		}
		defer r.Unroot(r.Root(o.Value()))
		fn, builtin, ok := adder(r, o, id, "set")
		if !ok || !addEntries(r, items, func(k, v val) bool {
			if builtin && !m.weak {
				m.set(r, k, v)
				return true
			}
			return !r.Call(fn, o.Value(), k, v).IsThrow()
		}) {
			return value.Throw
		}
		return o.Value()
	}
}

// addEntries is AddEntriesFromIterable (24.1.1.2).
func addEntries(r *realm, items val, add func(k, v val) bool) bool {
	return r.Iterate(items, func(item val) bool {
		o := item.Object()
		if o == nil {
			r.ThrowTypeError("Iterator value %s is not an entry object", describeText(r, item))
			return false
		}
		if e, ok := o.Dense(); ok && len(e) >= 2 {
			return add(e[0], e[1])
		}
		k := r.Get(o, value.IndexKey(0))
		if k.IsThrow() {
			return false
		}
		v := r.Get(o, value.IndexKey(1))
		return !v.IsThrow() && add(k, v)
	})
}

// thisMap is this as a Map; nil if it threw.
func thisMap(r *realm, this val, method string) *mapData {
	if o := this.Object(); o != nil && o.Class == value.ClassMap {
		return o.Ext.(*mapData)
	}
	incompatible(r, "Map.prototype."+method, this)
	return nil
}

func mapGet(r *realm, this val, args []val) val {
	m := thisMap(r, this, "get")
	if m == nil {
		return value.Throw
	}
	if e := m.find(arg(args, 0)); e != nil {
		return e.value
	}
	return value.Undefined
}

func mapHas(r *realm, this val, args []val) val {
	m := thisMap(r, this, "has")
	if m == nil {
		return value.Throw
	}
	return value.Bool(m.find(arg(args, 0)) != nil)
}

func mapSet(r *realm, this val, args []val) val {
	m := thisMap(r, this, "set")
	if m == nil {
		return value.Throw
	}
	m.set(r, arg(args, 0), arg(args, 1))
	return this
}

func mapDelete(r *realm, this val, args []val) val {
	m := thisMap(r, this, "delete")
	if m == nil {
		return value.Throw
	}
	return value.Bool(m.delete(r, arg(args, 0)))
}

func mapClear(r *realm, this val, _ []val) val {
	m := thisMap(r, this, "clear")
	if m == nil {
		return value.Throw
	}
	m.clear()
	return value.Undefined
}

func mapSize(r *realm, this val, _ []val) val {
	m := thisMap(r, this, "size")
	if m == nil {
		return value.Throw
	}
	return value.Int(m.live)
}

func mapForEach(r *realm, this val, args []val) val {
	m := thisMap(r, this, "forEach")
	if m == nil {
		return value.Throw
	}
	fn, thisArg, ok := callback(r, args)
	if !ok {
		return value.Throw
	}
	for u := m.cursor(); ; {
		e, ok := u.step()
		if !ok {
			return value.Undefined
		}
		if r.Call(fn, thisArg, e.value, e.key, this).IsThrow() {
			return value.Throw
		}
	}
}

// collectionIterator is the Ext of the iterators of Map and Set.
type collectionIterator struct {
	u    cursor
	of   string
	kind iterationKind
	set  bool
	done bool
}

func mapIterate(method string, kind iterationKind) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		m := thisMap(r, this, method)
		if m == nil {
			return value.Throw
		}
		return r.NewClass(value.ClassIterator, r.Intrinsic(value.MapIteratorPrototype), &collectionIterator{u: m.cursor(), of: "Map", kind: kind}).Value()
	}
}

// Steps implements value.Stepper.
func (it *collectionIterator) Steps() value.ID {
	if it.set {
		return value.SetIteratorPrototype
	}
	return value.MapIteratorPrototype
}

// Inspect prints what is still to come.
func (it *collectionIterator) Inspect(r *value.Realm, part func(value.Value) string) Shown {
	if it.kind == iterateEntries {
		return Shown{Title: "[" + it.of + " Entries]", Parts: it.u.inspect(it.left(r), func(e *collectionEntry) string {
			second := e.value
			if it.set {
				second = e.key
			}
			return "[ " + part(e.key) + ", " + part(second) + " ]"
		})}
	}
	return Shown{Title: "[" + it.of + " Iterator]", Parts: it.u.inspect(it.left(r), func(e *collectionEntry) string {
		if it.kind == iterateKeys || it.set {
			return part(e.key)
		}
		return part(e.value)
	})}
}

// left is how many values are still to come.
func (it *collectionIterator) left(r *realm) int {
	if it.done {
		return 0
	}
	return it.u.left(r)
}

// Step implements value.Stepper.
func (it *collectionIterator) Step(r *value.Realm) (v value.Value, done, ok bool) {
	if it.done {
		return value.Undefined, true, true
	}
	e, more := it.u.step()
	switch {
	case !more:
		it.done = true
		it.u = cursor{}
		return value.Undefined, true, true
	case it.kind == iterateKeys:
		return e.key, false, true
	case it.kind == iterateEntries && it.set:
		return r.NewArrayOf(e.key, e.key).Value(), false, true
	case it.kind == iterateEntries:
		return r.NewArrayOf(e.key, e.value).Value(), false, true
	case it.set:
		return e.key, false, true
	}
	return e.value, false, true
}

func mapGroupBy(r *realm, _ val, args []val) val {
	items, fn := arg(args, 0), arg(args, 1)
	if items.IsNullish() {
		return r.ThrowNullish(items, "is not iterable")
	}
	if !fn.IsCallable() {
		return r.ThrowTypeError("%s is not a function", r.Describe(fn))
	}
	m := &mapData{*newCollection()}
	o := r.NewClass(value.ClassMap, r.Intrinsic(value.MapPrototype), m)
	defer r.Unroot(r.Root(o.Value()))
	i := 0
	ok := r.Iterate(items, func(x val) bool {
		k := r.Call(fn, value.Undefined, x, value.Int(i))
		if k.IsThrow() {
			return false
		}
		i++
		e := m.find(k)
		if e == nil {
			m.set(r, k, r.NewArray(nil).Value())
			e = m.find(k)
		}
		return r.Push(e.value.Object(), x)
	})
	return completed(o.Value(), ok)
}

func thisWeakMap(r *realm, this val, method string) *mapData {
	if o := this.Object(); o != nil && o.Class == value.ClassWeakMap {
		return o.Ext.(*mapData)
	}
	incompatible(r, "WeakMap.prototype."+method, this)
	return nil
}

// canBeHeldWeakly (9.14).
func canBeHeldWeakly(v val) bool {
	if s := v.Symbol(); s != nil {
		return s.Key == nil
	}
	return v.IsObject()
}

func weakMapGet(r *realm, this val, args []val) val {
	m := thisWeakMap(r, this, "get")
	if m == nil {
		return value.Throw
	}
	if e := m.find(arg(args, 0)); e != nil {
		return e.value
	}
	return value.Undefined
}

func weakMapHas(r *realm, this val, args []val) val {
	m := thisWeakMap(r, this, "has")
	if m == nil {
		return value.Throw
	}
	return value.Bool(m.find(arg(args, 0)) != nil)
}

func weakMapDelete(r *realm, this val, args []val) val {
	m := thisWeakMap(r, this, "delete")
	if m == nil {
		return value.Throw
	}
	return value.Bool(m.delete(r, arg(args, 0)))
}

func weakMapSet(r *realm, this val, args []val) val {
	m := thisWeakMap(r, this, "set")
	if m == nil {
		return value.Throw
	}
	if k := arg(args, 0); !canBeHeldWeakly(k) {
		return r.ThrowTypeError("Invalid value used as weak map key: %s", r.Describe(k))
	}
	m.set(r, args[0], arg(args, 1))
	return this
}

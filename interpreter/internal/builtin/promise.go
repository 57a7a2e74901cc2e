package builtin

// This file defines Promise (ECMA-262 27.2); the machine behind it is package promise.

import (
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/interpreter/internal/value"
	"github.com/codemode-go/codemode/promise"
)

func promiseTemplates() []*value.Template {
	return []*value.Template{
		{ID: value.PromiseConstructor, Global: "Promise", Proto: value.FunctionPrototype, Name: "Promise", Length: 1,
			New: promiseNew, Call: func(r *realm, _ val, _ []val) val {
				return r.ThrowTypeError("Promise constructor cannot be invoked without 'new'")
			}, Rows: []row{
				{Name: "prototype", Ref: value.PromisePrototype, Attr: value.NoAttr},
				{Name: "all", Length: 1, Fn: combinator("all", (*promise.Machine[val]).All), Sig: "<T>(promises: Iterable<T | Promise<T>>): Promise<T[]>"},
				{Name: "allSettled", Length: 1, Fn: combinator("allSettled", (*promise.Machine[val]).AllSettled), Sig: "<T>(promises: Iterable<T | Promise<T>>): Promise<PromiseSettledResult<T>[]>"},
				{Name: "any", Length: 1, Fn: combinator("any", (*promise.Machine[val]).Any), Sig: "<T>(promises: Iterable<T | Promise<T>>): Promise<T>"},
				{Name: "race", Length: 1, Fn: combinator("race", (*promise.Machine[val]).Race), Sig: "<T>(promises: Iterable<T | Promise<T>>): Promise<T>"},
				{Name: "reject", Length: 1, Fn: promiseReject, Sig: "(reason?: any): Promise<never>"},
				{Name: "resolve", Length: 1, Fn: promiseResolve, Sig: "<T>(value?: T | Promise<T>): Promise<T>"},
				{Name: "try", Length: 1, Fn: promiseTry, Sig: "<T>(callback: (...args: any[]) => T | Promise<T>, ...args: any[]): Promise<T>"},
				{Name: "withResolvers", Length: 0, Fn: promiseWithResolvers, Sig: "<T>(): { promise: Promise<T>, resolve(value: T): void, reject(reason?: any): void }"},
				{Name: "@@species", Get: returnThis},
			}},
		{ID: value.PromisePrototype, Proto: value.ObjectPrototype, Rows: []row{
			{Name: "constructor", Ref: value.PromiseConstructor},
			{Name: "catch", Length: 1, Fn: promiseCatch, Sig: "(onRejected?: (reason: any) => any): Promise<any>"},
			{Name: "finally", Length: 1, Fn: promiseFinally, Sig: "(onFinally?: () => void): Promise<any>"},
			{Name: "then", Length: 2, Fn: promiseThen, Sig: "(onFulfilled?: (value: any) => any, onRejected?: (reason: any) => any): Promise<any>"},
			tagRow("Promise"),
		}},
	}
}

func returnThis(_ *realm, this val, _ []val) val { return this }

// result gives a (value, ok) pair of the promise machine as a completion.
func result(r *realm, v val, ok bool) val {
	if r.Terminated {
		return value.Throw
	}
	if !ok {
		return r.ThrowValue(v)
	}
	return v
}

func promiseNew(r *realm, args []val, newTarget *object) val {
	executor := arg(args, 0)
	if !executor.IsCallable() {
		return r.ThrowTypeError("Promise resolver %s is not a function", r.Describe(executor))
	}
	proto := r.PrototypeFromConstructor(newTarget, value.PromisePrototype)
	if proto == nil {
		return value.Throw
	}
	p, pv := r.NewPromiseFor(proto)
	resolve, reject := r.Machine.ResolvingFunctions(p)
	if r.Call(executor, value.Undefined, resolve, reject).IsThrow() {
		if r.Terminated || r.Call(reject, value.Undefined, r.Exception()).IsThrow() {
			return value.Throw
		}
	}
	return pv
}

// iteration adapts a guest iterator to the promise machine.
type iteration struct {
	r  *realm
	it value.Iterator
}

func (i *iteration) Next() (v val, done bool, thrown val, ok bool) {
	if !i.r.Step(1) {
		return v, false, i.r.Exception(), false
	}
	v, done, ok = i.r.IteratorStep(&i.it)
	if !ok {
		return v, false, i.r.Exception(), false
	}
	return v, done, thrown, true
}

func (i *iteration) Close() {
	if !i.r.Terminated {
		i.r.CloseIterator(&i.it, true)
	}
}

// combinator makes the function of all, allSettled, any and race: a bad iterable rejects the promise that is returned.
func combinator(name string, run func(*promise.Machine[val], val, promise.Iteration[val]) (val, bool)) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		it := &lazyIteration{r: r, source: arg(args, 0), method: name}
		it.apart = len(args) > 1 && value.NativePromise(args[0]) != nil
		v, ok := run(r.Machine, this, it)
		return result(r, v, ok)
	}
}

// lazyIteration opens the iterator at the first Next, since the combinators read C.resolve before.
type lazyIteration struct {
	r      *realm
	source val
	method string
	apart  bool // promises were given apart from each other instead of in a list
	it     *iteration
}

func (l *lazyIteration) Next() (v val, done bool, thrown val, ok bool) {
	if l.it == nil {
		if l.apart {
			l.r.ThrowTypeError("Promise.%s takes one list: Promise.%s([a, b]), not Promise.%s(a, b)", l.method, l.method, l.method)
			return v, false, l.r.Exception(), false
		}
		it, ok := l.r.GetIterator(l.source)
		if !ok {
			l.passArray()
			return v, false, l.r.Exception(), false
		}
		l.it = &iteration{l.r, it}
	}
	return l.it.Next()
}

// passArray says what to pass in the place of what is no list, if that is why the iterator cannot be opened.
func (l *lazyIteration) passArray() {
	r := l.r
	if l.source.IsNullish() || !r.PendingNotIterable(l.source) {
		return
	}
	shape := r.ShapeText(l.source)
	switch {
	case value.NativePromise(l.source) != nil:
		r.ThrowTypeError("a Promise is not iterable; pass an array: Promise.%s([a, b]), or await the Promise first if it gives one", l.method)
	case shape != "":
		use := "an array: Promise." + l.method + "(Object.values(…))"
		if key, arrays := r.SoleArray(l.source.Object()); arrays == 1 {
			use = "its member " + string(data.AppendQuoted(nil, key))
		}
		r.ThrowTypeError("%s is not iterable; pass %s", shape, use)
	}
}

func (l *lazyIteration) Close() {
	if l.it != nil {
		l.it.Close()
	}
}

func promiseResolve(r *realm, this val, args []val) val {
	if !this.IsObject() {
		return notObject(r, this, "PromiseResolve")
	}
	v, ok := r.Machine.PromiseResolve(this, arg(args, 0))
	return result(r, v, ok)
}

func promiseReject(r *realm, this val, args []val) val {
	v, ok := r.Machine.PromiseReject(this, arg(args, 0))
	return result(r, v, ok)
}

func promiseTry(r *realm, this val, args []val) val {
	if !this.IsObject() {
		return notObject(r, this, "Promise.try")
	}
	v, ok := r.Machine.Try(this, arg(args, 0), append([]val(nil), args[min(1, len(args)):]...)...)
	return result(r, v, ok)
}

func promiseWithResolvers(r *realm, this val, _ []val) val {
	v, ok := r.Machine.WithResolvers(this)
	return result(r, v, ok)
}

// species is SpeciesConstructor (7.3.23) with %Promise% as the default.
func species(r *realm, o *object, def value.ID) (*object, bool) {
	c := r.Get(o, value.Name("constructor"))
	if c.IsThrow() {
		return nil, false
	}
	if c.IsUndefined() {
		return r.Intrinsic(def), true
	}
	if !c.IsObject() {
		r.ThrowTypeError("The .constructor property is not an object")
		return nil, false
	}
	s := r.GetV(c, value.SymbolKey(value.SymSpecies))
	switch {
	case s.IsThrow():
		return nil, false
	case s.IsNullish():
		return r.Intrinsic(def), true
	case s.IsObject() && s.Object().IsConstructor():
		return s.Object(), true
	}
	r.ThrowTypeError("object.constructor[Symbol.species] is not a constructor")
	return nil, false
}

func promiseThen(r *realm, this val, args []val) val {
	p := value.NativePromise(this)
	if p == nil {
		return r.ThrowTypeError("Method Promise.prototype.then called on incompatible receiver %s", r.Describe(this))
	}
	r.Charge(128)
	if r.OrdinaryPromise(this) {
		return r.PromiseObject(r.Machine.Chain(p, arg(args, 0), arg(args, 1)))
	}
	ctor, ok := species(r, this.Object(), value.PromiseConstructor)
	if !ok {
		return value.Throw
	}
	c, thrown, ok := r.Machine.Capability(ctor.Value())
	if !ok {
		return result(r, thrown, false)
	}
	r.Machine.Then(p, arg(args, 0), arg(args, 1), &c)
	return c.Promise
}

func promiseCatch(r *realm, this val, args []val) val {
	return r.InvokeMethod(this, value.Name("then"), value.Undefined, arg(args, 0))
}

func promiseFinally(r *realm, this val, args []val) val {
	o := this.Object()
	if o == nil {
		return notObject(r, this, "Promise.prototype.finally")
	}
	ctor, ok := species(r, o, value.PromiseConstructor)
	if !ok {
		return value.Throw
	}
	v, ok := r.Machine.Finally(this, ctor.Value(), arg(args, 0))
	return result(r, v, ok)
}

// This file defines the small language that the tests run promises in.

package promise_test

import (
	"fmt"
	"iter"
	"strings"

	"github.com/codemode-go/codemode/promise"
)

// object is a promise, a function, a constructor, an array or a plain object.
type object struct {
	promise *promise.Promise[any]
	call    func(this any, args []any) (any, bool)
	newCall func(args []any) (any, bool)
	getters map[string]func() (any, bool)
	props   map[string]any
	keys    []string
	list    []any
	message string // of an error
}

// world implements promise.Agent and logs what programs see.
type world struct {
	m           *promise.Machine[any]
	constructor *object // %Promise%
	then        *object // %Promise.prototype.then%
	log         []string
	terminated  bool
}

// fastWorld has the shortcuts besides.
type fastWorld struct{ *world }

func (w fastWorld) OrdinaryConstructor(any) bool { return true }

func (w fastWorld) OrdinaryThen(_, then any) bool { return then == w.then }

func newWorld(fast bool) *world {
	w := &world{}
	var agent promise.Agent[any] = w
	if fast {
		agent = fastWorld{w}
	}
	w.m = promise.NewMachine(agent)
	w.then = function(func(this any, args []any) (any, bool) {
		args = append(args, nil, nil)
		return w.Object(w.m.Chain(w.NativePromise(this), args[0], args[1])), true
	})
	w.constructor = &object{props: map[string]any{"resolve": function(func(this any, args []any) (any, bool) {
		return w.m.PromiseResolve(this, args[0])
	})}}
	return w
}

func function(f func(this any, args []any) (any, bool)) *object { return &object{call: f} }

func (w *world) Undefined() any { return nil }

func (w *world) IsObject(v any) bool { _, ok := v.(*object); return ok }

func (w *world) IsCallable(v any) bool { o, ok := v.(*object); return ok && o.call != nil }

func (w *world) IsConstructor(v any) bool {
	o, ok := v.(*object)
	return ok && (o.newCall != nil || o == w.constructor)
}

func (w *world) SameValue(a, b any) bool { return a == b }

func (w *world) NativePromise(v any) *promise.Promise[any] {
	if o, ok := v.(*object); ok {
		return o.promise
	}
	return nil
}

func (w *world) Object(p *promise.Promise[any]) any {
	if p.Tag == nil {
		p.Tag = &object{promise: p, props: map[string]any{"constructor": w.constructor, "then": w.then}}
	}
	return p.Tag
}

func (w *world) TypeError(message string) any { return &object{message: "TypeError: " + message} }

func (w *world) AggregateError(errors []any) any {
	return &object{message: "AggregateError", list: errors}
}

func (w *world) String(s string) any { return s }

func (w *world) Get(v any, key string) (any, bool) {
	o, ok := v.(*object)
	if !ok {
		return nil, true
	}
	if get := o.getters[key]; get != nil {
		return get()
	}
	return o.props[key], true
}

func (w *world) Call(fn, this any, args ...any) (any, bool) {
	if !w.IsCallable(fn) {
		return w.TypeError("not a function"), false
	}
	return fn.(*object).call(this, args)
}

func (w *world) Construct(ctor any, args ...any) (any, bool) { return ctor.(*object).newCall(args) }

func (w *world) Function(_ int, fn func([]any) (any, bool)) any {
	return function(func(_ any, args []any) (any, bool) { return fn(args) })
}

func (w *world) List(items []any) any { return &object{list: items} }

func (w *world) Record(keys []string, values []any) any {
	o := &object{props: map[string]any{}, keys: keys}
	for i, key := range keys {
		o.props[key] = values[i]
	}
	return o
}

func (w *world) IntrinsicConstructor() any { return w.constructor }

func (w *world) Terminated() bool { return w.terminated }

// show writes a value as JSON.stringify would, errors as their text.
func show(v any) string {
	o, ok := v.(*object)
	switch {
	case !ok:
		return fmt.Sprint(v)
	case o.message != "":
		return o.message
	case o.keys != nil:
		var parts []string
		for _, key := range o.keys {
			parts = append(parts, key+":"+show(o.props[key]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	var parts []string
	for _, item := range o.list {
		parts = append(parts, show(item))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func (w *world) say(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

// drain runs all jobs and returns the log.
func (w *world) drain() string {
	for w.m.RunJob() {
	}
	return strings.Join(w.log, " ")
}

// p is a promise object with JavaScript's methods.
type p struct {
	w *world
	o any
}

func (w *world) resolve(v any) p {
	if q, ok := v.(p); ok {
		v = q.o
	}
	o, _ := w.m.PromiseResolve(w.constructor, v)
	return p{w, o}
}

func (w *world) reject(v any) p {
	o, _ := w.m.PromiseReject(w.constructor, v)
	return p{w, o}
}

// thrown makes a handler throw.
type thrown struct{ v any }

func (w *world) handler(f func(any) any) any {
	if f == nil {
		return nil
	}
	return function(func(_ any, args []any) (any, bool) {
		switch v := f(append(args, nil)[0]).(type) {
		case thrown:
			return v.v, false
		case p:
			return v.o, true
		default:
			return v, true
		}
	})
}

func (q p) then(f, r func(any) any) p {
	then, _ := q.w.Get(q.o, "then")
	o, ok := q.w.Call(then, q.o, q.w.handler(f), q.w.handler(r))
	if !ok {
		panic("then threw")
	}
	return p{q.w, o}
}

func (q p) catch(r func(any) any) p { return q.then(nil, r) }

func (q p) finally(f func(any) any) p {
	o, _ := q.w.m.Finally(q.o, q.w.constructor, q.w.handler(f))
	return p{q.w, o}
}

// log is then with a handler that logs text.
func (q p) log(text string) p {
	return q.then(func(any) any { q.w.say("%s", text); return nil }, nil)
}

// show is then with handlers that log the outcome behind a prefix.
func (q p) show(prefix string) {
	f := func(v any) any { q.w.say("%s:%s", prefix, show(v)); return nil }
	q.then(f, f)
}

// resumer drives a coroutine as an async function.
type resumer struct {
	next     func() (any, bool)
	v        any
	rejected bool
	w        *world
}

func (r *resumer) Resume(v any, rejected bool) {
	r.v, r.rejected = v, rejected
	r.step()
}

func (r *resumer) step() {
	if v, more := r.next(); more {
		if thrown, ok := r.w.m.Await(v, r); !ok {
			r.Resume(thrown, true)
		}
	}
}

// async runs body as an async function whose promise is returned.
func (w *world) async(body func(await func(any) any) any) p {
	result := w.m.NewPromise()
	r := &resumer{w: w}
	r.next, _ = iter.Pull(func(yield func(any) bool) {
		v := body(func(v any) any {
			if q, ok := v.(p); ok {
				v = q.o
			}
			yield(v)
			return r.v
		})
		if q, ok := v.(p); ok {
			v = q.o
		}
		w.m.Resolve(result, v)
	})
	r.step()
	return p{w, w.Object(result)}
}

// items is an iteration over values that are there.
type items struct{ values []any }

func (i *items) Next() (v any, done bool, thrown any, ok bool) {
	if len(i.values) == 0 {
		return nil, true, nil, true
	}
	v, i.values = i.values[0], i.values[1:]
	if q, isPromise := v.(p); isPromise {
		v = q.o
	}
	return v, false, nil, true
}

func (i *items) Close() {}

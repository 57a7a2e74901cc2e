package proptest

// This file defines the engine that is the promise machine, and that it is the model's equal.

import (
	"testing"

	"github.com/codemode-go/codemode/promise"
	"pgregory.net/rapid"
)

// machine plays programs on promise.Machine. It is its agent too; values are those of the engine, and functions.
type machine struct {
	m     *promise.Machine[any]
	lines []string
	then_ *function
}

type (
	promiseObject struct{ p *promise.Promise[any] }
	function      struct {
		call func(this any, args []any) (any, bool)
	}
	thenable struct {
		name string
		v    any
	}
	intrinsic struct{}
)

// quick has the shortcuts besides.
type quick struct{ *machine }

func (quick) OrdinaryConstructor(any) bool { return true }

func (q quick) OrdinaryThen(_, then any) bool { return then == any(q.then_) }

func newMachine(shortcuts bool) *machine {
	w := &machine{}
	w.then_ = &function{func(this any, args []any) (any, bool) {
		args = append(args, nil, nil)
		return w.Object(w.m.Chain(w.NativePromise(this), args[0], args[1])), true
	}}
	if shortcuts {
		w.m = promise.NewMachine[any](quick{w})
	} else {
		w.m = promise.NewMachine[any](w)
	}
	return w
}

func (w *machine) Undefined() any { return nil }

func (w *machine) IsObject(v any) bool {
	switch v.(type) {
	case nil, int, string:
		return false
	}
	return true
}

func (w *machine) IsCallable(v any) bool      { f, ok := v.(*function); return ok && f != nil }
func (w *machine) IsConstructor(v any) bool   { return v == intrinsic{} }
func (w *machine) SameValue(a, b any) bool    { return a == b }
func (w *machine) TypeError(string) any       { return &failure{name: "TypeError"} }
func (w *machine) AggregateError(e []any) any { return &failure{"AggregateError", e} }
func (w *machine) String(s string) any        { return s }
func (w *machine) List(items []any) any       { return &list{items} }
func (w *machine) IntrinsicConstructor() any  { return intrinsic{} }
func (w *machine) Terminated() bool           { return false }

func (w *machine) Record(keys []string, values []any) any {
	return &record{values[0], keys[1], values[1]}
}

func (w *machine) NativePromise(v any) *promise.Promise[any] {
	if o, ok := v.(*promiseObject); ok {
		return o.p
	}
	return nil
}

func (w *machine) Object(p *promise.Promise[any]) any {
	if p.Tag == nil {
		p.Tag = &promiseObject{p}
	}
	return p.Tag
}

func (w *machine) Get(v any, key string) (any, bool) {
	switch v := v.(type) {
	case *promiseObject:
		if key == "then" {
			return w.then_, true
		}
		return intrinsic{}, true
	case intrinsic:
		return &function{func(this any, args []any) (any, bool) { return w.m.PromiseResolve(this, args[0]) }}, true
	case *thenable:
		if key != "then" {
			return nil, true
		}
		w.lines = append(w.lines, "get "+v.name)
		return &function{func(_ any, args []any) (any, bool) {
			w.lines = append(w.lines, "call "+v.name)
			return w.Call(args[0], nil, v.v)
		}}, true
	}
	return nil, true
}

func (w *machine) Call(f, this any, args ...any) (any, bool) { return f.(*function).call(this, args) }

func (w *machine) Construct(any, ...any) (any, bool) { panic("no program subclasses promises") }

func (w *machine) Function(_ int, f func([]any) (any, bool)) any {
	return &function{func(_ any, args []any) (any, bool) { return f(args) }}
}

// The engine.

func (w *machine) log() *[]string { return &w.lines }

func (w *machine) unhandled() int { return len(w.m.Unhandled()) }

func (w *machine) job(f func()) { w.m.Enqueue(f) }

func (w *machine) run() {
	for w.m.RunJob() {
	}
}

func must(v any, ok bool) any {
	if !ok {
		panic(v)
	}
	return v
}

func native(h handler) any {
	if h == nil {
		return nil
	}
	return &function{func(_ any, args []any) (any, bool) { return h(append(args, nil)[0]) }}
}

func (w *machine) resolve(v any) any { return must(w.m.PromiseResolve(intrinsic{}, v)) }

func (w *machine) reject(v any) any { return must(w.m.PromiseReject(intrinsic{}, v)) }

func (w *machine) then(p any, fulfilled, rejected handler) any {
	return w.Object(w.m.Chain(w.NativePromise(p), native(fulfilled), native(rejected)))
}

func (w *machine) finally(p any, f handler) any {
	return must(w.m.Finally(p, intrinsic{}, native(f)))
}

type array struct{ items []any }

func (a *array) Next() (v any, done bool, thrown any, ok bool) {
	if len(a.items) == 0 {
		return nil, true, nil, true
	}
	v, a.items = a.items[0], a.items[1:]
	return v, false, nil, true
}

func (*array) Close() {}

func (w *machine) combine(kind string, items []any) any {
	f := map[string]func(any, promise.Iteration[any]) (any, bool){"all": w.m.All, "allSettled": w.m.AllSettled, "any": w.m.Any, "race": w.m.Race}[kind]
	return must(f(intrinsic{}, &array{items}))
}

func (w *machine) construct(executor func(resolve, reject func(any)) (any, bool)) any {
	p := w.m.NewPromise()
	resolve, reject := w.m.ResolvingFunctions(p)
	call := func(f any) func(any) { return func(v any) { must(w.Call(f, nil, v)) } }
	if thrown, threw := executor(call(resolve), call(reject)); threw {
		call(reject)(thrown)
	}
	return w.Object(p)
}

func (w *machine) thenable(name string, v any) any { return &thenable{name, v} }

type continuation func(v any, rejected bool)

func (k continuation) Resume(v any, rejected bool) { k(v, rejected) }

func (w *machine) await(v any, k func(any, bool)) {
	if thrown, ok := w.m.Await(v, continuation(k)); !ok {
		panic(thrown)
	}
}

func (w *machine) async() (any, func(any, bool)) {
	p := w.m.NewPromise()
	return w.Object(p), func(v any, rejected bool) {
		if rejected {
			w.m.Reject(p, v)
		} else {
			w.m.Resolve(p, v)
		}
	}
}

func TestPromiseMachineIsTheModel(t *testing.T) {
	for name, shortcuts := range map[string]bool{"with shortcuts": true, "to the letter": false} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := (&writer{t: t}).program()
				t.Logf("%s", p.text())
				want, wantUnhandled := p.run(&model{})
				got, unhandled := p.run(newMachine(shortcuts))
				if got != want || unhandled != wantUnhandled {
					t.Fatalf("got %d unhandled and\n%s\nwant %d and\n%s", unhandled, got, wantUnhandled, want)
				}
			})
		})
	}
}

package promise_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/promise"
)

// Each expected log is what V8 (node 20) prints for the JavaScript program that
// the Go code beside it spells out.
var programs = []struct {
	name string
	run  func(*world)
	want string
}{
	{"a promise returned from a handler is adopted after two more ticks", func(w *world) {
		w.resolve(nil).then(func(any) any { return w.resolve(1) }, nil).log("adopted")
		w.resolve(nil).log("1").log("2").log("3").log("4").log("5")
	}, "1 2 3 adopted 4 5"},

	{"await takes one turn for a promise and a plain value, three for a thenable", func(w *world) {
		f := func(name string, v any) {
			w.async(func(await func(any) any) any {
				w.say("%s0", name)
				await(v)
				w.say("%s1", name)
				await(v)
				w.say("%s2", name)
				return nil
			})
		}
		f("native", w.resolve(1))
		f("plain", 1)
		f("thenable", &object{props: map[string]any{"then": function(func(_ any, args []any) (any, bool) {
			w.say("then")
			return w.Call(args[0], nil)
		})}})
		w.resolve(nil).log("t1").log("t2").log("t3").log("t4").log("t5").log("t6")
	}, "native0 plain0 thenable0 native1 plain1 then t1 native2 plain2 thenable1 t2 then t3 thenable2 t4 t5 t6"},

	{"an async function that returns a promise settles later than one that awaits it", func(w *world) {
		f := w.async(func(func(any) any) any { return w.resolve(1) })
		g := w.async(func(func(any) any) any { return 1 })
		h := w.async(func(await func(any) any) any { return await(w.resolve(1)) })
		f.log("f")
		g.log("g")
		h.log("h")
		w.resolve(nil).log("a").log("b").log("c").log("d")
	}, "g a h b f c d"},

	{"the first call of a resolving function counts; a throw is caught downstream", func(w *world) {
		q := w.m.NewPromise()
		resolve, reject := w.m.ResolvingFunctions(q)
		w.say("exec")
		w.Call(resolve, nil, 1)
		w.Call(reject, nil, 2)
		w.Call(resolve, nil, 3)
		o := p{w, w.Object(q)}
		o.then(func(v any) any { w.say("v%v", v); return nil }, func(v any) any { w.say("r%v", v); return nil })
		w.say("sync")
		o.then(func(any) any { return thrown{"boom"} }, nil).
			catch(func(e any) any { w.say("%v", e); return "ok" }).
			then(func(v any) any { w.say("%v", v); return nil }, nil)
	}, "exec sync v1 boom ok"},

	{"then of a thenable is read once and called in a job", func(w *world) {
		w.resolve(&object{getters: map[string]func() (any, bool){"then": func() (any, bool) {
			w.say("get")
			return function(func(_ any, args []any) (any, bool) {
				w.say("call")
				w.Call(args[0], nil, "x")
				w.Call(args[1], nil, "y")
				return "z", false
			}), true
		}}}).show("v")
		w.resolve(&object{getters: map[string]func() (any, bool){"then": func() (any, bool) { return "getter", false }}}).show("e")
		q := w.m.NewPromise()
		resolve, _ := w.m.ResolvingFunctions(q)
		w.Call(resolve, nil, &object{props: map[string]any{"then": function(func(any, []any) (any, bool) { return "thrown", false })}})
		p{w, w.Object(q)}.show("e")
		w.say("sync")
	}, "get sync call e:getter v:x e:thrown"},

	{"a promise cannot be resolved with itself", func(w *world) {
		q := w.m.NewPromise()
		w.m.Resolve(q, w.Object(q))
		p{w, w.Object(q)}.show("e")
	}, "e:TypeError: Chaining cycle detected for promise #<Promise>"},

	{"combinators", func(w *world) {
		wait := func(n int) p {
			q := w.resolve(nil)
			for range n {
				q = q.then(func(any) any { return nil }, nil)
			}
			return q
		}
		P := func(v any, n int) p { return wait(n).then(func(any) any { return v }, nil) }
		R := func(v any, n int) p { return wait(n).then(func(any) any { return thrown{v} }, nil) }
		do := func(f func(any, promise.Iteration[any]) (any, bool), values ...any) p {
			o, ok := f(w.constructor, &items{values})
			if !ok {
				panic("a combinator threw")
			}
			return p{w, o}
		}
		do(w.m.All, P("a", 3), 1, P("b", 1)).show("all")
		do(w.m.All, P("a", 3), R("x", 2), R("y", 1)).show("allrej")
		do(w.m.AllSettled, P("a", 2), R("x", 1), 5).show("settled")
		do(w.m.Race, P("slow", 3), P("fast", 2)).show("race")
		do(w.m.Any, R("e1", 2), P("ok", 4)).show("any")
		do(w.m.Any, R("e1", 2), R("e2", 1)).catch(func(e any) any { w.say("anyrej:%v", e.(*object).list); return nil })
		do(w.m.All).show("empty")
		do(w.m.Any).catch(func(e any) any { w.say("anyempty:%v", len(e.(*object).list)); return nil })
		P(0, 0).log("t1").log("t2").log("t3").log("t4").log("t5")
	}, "empty:[] anyempty:0 t1 t2 allrej:y t3 settled:[{status:fulfilled,value:a},{status:rejected,reason:x},{status:fulfilled,value:5}] " +
		"race:fast anyrej:[e1 e2] t4 all:[a,1,b] t5 any:ok"},

	{"finally", func(w *world) {
		show := func(v any) any { w.say("%v", v); return nil }
		w.resolve("v1").finally(func(any) any { w.say("f1"); return nil }).then(show, nil)
		w.reject("r").finally(func(any) any { w.say("f2"); return w.resolve(9) }).catch(show)
		w.resolve(1).finally(func(any) any { return thrown{"t"} }).catch(show)
		w.resolve("n1").finally(nil).then(show, nil)
		w.resolve(nil).log("a").log("b").log("c").log("d").log("e").log("f")
	}, "f1 f2 a t n1 b c v1 r d e f"},

	{"every step of all is visible to a foreign constructor", func(w *world) {
		w.m.All(w.foreign(func(x any) (any, bool) {
			w.say("resolve%v", x)
			return &object{getters: map[string]func() (any, bool){"then": func() (any, bool) {
				w.say("getthen")
				return function(func(_ any, args []any) (any, bool) {
					w.say("then")
					w.Call(args[0], nil, fmt.Sprint("v", x))
					return w.Call(args[0], nil, "again")
				}), true
			}}}, true
		}), &noisy{w: w, length: 2})
	}, "construct getresolve open next resolve1 getthen then next resolve2 getthen then next capresolve:[v1,v2]"},

	{"a throw closes the iterator; a bad resolve does not open it", func(w *world) {
		w.m.Race(w.foreign(func(any) (any, bool) { return "no", false }), &noisy{w: w, length: 9})
		c := w.foreign(nil)
		c.getters, c.props = nil, map[string]any{"resolve": 5}
		w.m.Race(c, &noisy{w: w, length: 9})
	}, "construct getresolve open next return capreject:no construct capreject:TypeError: resolve is not a function"},
}

// foreign is a constructor of its own whose capability functions log.
func (w *world) foreign(resolve func(any) (any, bool)) *object {
	said := func(prefix string) *object {
		return function(func(_ any, args []any) (any, bool) { w.say("%s:%s", prefix, show(args[0])); return nil, true })
	}
	return &object{
		newCall: func(args []any) (any, bool) {
			w.say("construct")
			w.Call(args[0], nil, said("capresolve"), said("capreject"))
			return &object{}, true
		},
		getters: map[string]func() (any, bool){"resolve": func() (any, bool) {
			w.say("getresolve")
			return function(func(_ any, args []any) (any, bool) { return resolve(args[0]) }), true
		}},
	}
}

// noisy is an iteration that logs its steps.
type noisy struct {
	w         *world
	n, length int
}

func (i *noisy) Next() (v any, done bool, thrown any, ok bool) {
	if i.n == 0 {
		i.w.say("open")
	}
	i.w.say("next")
	i.n++
	return i.n, i.n > i.length, nil, true
}

func (i *noisy) Close() { i.w.say("return") }

func TestOrderIsV8s(t *testing.T) {
	for _, program := range programs {
		for _, fast := range []bool{false, true} {
			w := newWorld(fast)
			program.run(w)
			if got := w.drain(); got != program.want {
				t.Errorf("%s (shortcuts %v):\ngot  %s\nwant %s", program.name, fast, got, program.want)
			}
		}
	}
}

func TestUnhandledRejections(t *testing.T) {
	w := newWorld(true)
	var rejected []p
	for i := range 300 {
		rejected = append(rejected, w.reject(i))
	}
	for i, q := range rejected {
		if i != 7 && i != 250 {
			q.catch(func(any) any { return nil })
		}
	}
	derived := rejected[3].then(nil, nil) // handled itself, its result is not
	for i := 300; i < 600; i++ {
		w.reject(i).catch(func(any) any { return nil })
	}
	w.drain()
	var got []any
	for _, q := range w.m.Unhandled() {
		got = append(got, q.Value())
	}
	if want := "[7 250 3]"; fmt.Sprint(got) != want {
		t.Errorf("unhandled %v, want %s", got, want)
	}
	derived.catch(func(any) any { return nil })
	if n := len(w.m.Unhandled()); n != 2 {
		t.Errorf("%d unhandled after a late handler, want 2", n)
	}
}

func TestStatics(t *testing.T) {
	w := newWorld(false)
	o, _ := w.m.WithResolvers(w.constructor)
	record := o.(*object)
	w.Call(record.props["reject"], nil, "no")
	p{w, record.props["promise"]}.show("with")
	o, _ = w.m.Try(w.constructor, function(func(_ any, args []any) (any, bool) { return args[0], false }), "threw")
	p{w, o}.show("try")
	q := w.resolve(1)
	if again := w.resolve(q.o); again.o != q.o {
		t.Error("resolve of a promise made a new one")
	}
	if got := w.drain(); got != "with:no try:threw" {
		t.Error(got)
	}
	if v, ok := w.m.Try(&object{}, nil); ok || !strings.Contains(show(v), "not a constructor") {
		t.Errorf("%s", show(v))
	}
	for name, executor := range map[string]func(args []any){
		"not callable": func(args []any) { w.Call(args[0], nil, 1, 2) },
		"already": func(args []any) {
			w.Call(args[0], nil, w.constructor)
			if v, ok := w.Call(args[0], nil, w.constructor); ok || !strings.Contains(show(v), "already been invoked") {
				t.Errorf("second call of the executor: %s", show(v))
			}
		},
	} {
		v, ok := w.m.PromiseReject(&object{newCall: func(args []any) (any, bool) { executor(args); return &object{}, true }}, 1)
		if ok || !strings.Contains(show(v), "not callable") {
			t.Errorf("%s: %s", name, show(v))
		}
	}
}

func TestTerminationStopsJobs(t *testing.T) {
	w := newWorld(true)
	w.resolve(nil).then(func(any) any { w.say("ran"); w.terminated = true; return nil }, nil).log("after")
	w.resolve(nil).log("second")
	if got := w.drain(); got != "ran" || w.m.Len() != 1 {
		t.Errorf("%s, %d jobs left", got, w.m.Len())
	}
}

func TestHostJobsKeepTheOrder(t *testing.T) {
	w := newWorld(true)
	w.resolve(nil).log("1")
	w.m.Enqueue(func() { w.say("host") })
	w.resolve(nil).log("2")
	if got := w.drain(); got != "1 host 2" {
		t.Error(got)
	}
}

func TestLongChainsAndWideCombinators(t *testing.T) {
	w := newWorld(true)
	q := w.resolve(0)
	for range 50_000 {
		q = q.then(func(v any) any { return v.(int) + 1 }, nil)
	}
	q.show("chain")
	values := make([]any, 10_000)
	for i := range values {
		values[i] = w.async(func(await func(any) any) any { return await(i) })
	}
	o, _ := w.m.All(w.constructor, &items{values})
	p{w, o}.then(func(v any) any { w.say("all:%v", len(v.(*object).list)); return nil }, nil)
	if got := w.drain(); got != "all:10000 chain:50000" {
		t.Error(got)
	}
}

type collector struct {
	values        map[any]bool
	promises      int
	continuations int
}

func (c *collector) Value(v any) {
	if s, ok := v.(string); ok {
		c.values[s] = true
	}
}
func (c *collector) Promise(*promise.Promise[any])          { c.promises++ }
func (c *collector) Continuation(promise.Continuation[any]) { c.continuations++ }

func TestTraceShowsWhatIsHeld(t *testing.T) {
	w := newWorld(true)
	w.resolve("queued").log("x")
	w.reject("rejected")
	w.m.Await("awaited", &resumer{})
	pending := w.m.NewPromise()
	w.m.All(w.constructor, &items{[]any{w.resolve("in all"), p{w, w.Object(pending)}}})
	w.m.Observe(pending, &resumer{})
	w.m.RunJob()
	c := &collector{values: map[any]bool{}}
	w.m.Trace(c)
	pending.Trace(c)
	if !c.values["awaited"] || !c.values["in all"] || c.promises == 0 || c.continuations != 2 {
		t.Errorf("%+v", c)
	}
}

type count struct{ n int }

func (c *count) Resume(any, bool) { c.n++ }

func BenchmarkAwaitSettled(b *testing.B) {
	w := newWorld(true)
	q := w.resolve(1).o
	k := &count{}
	b.ReportAllocs()
	for b.Loop() {
		w.m.Await(q, k)
		w.m.RunJob()
	}
}

func BenchmarkAwaitPending(b *testing.B) {
	w := newWorld(true)
	k := &count{}
	b.ReportAllocs()
	for b.Loop() {
		q := w.m.NewPromise()
		w.m.Observe(q, k)
		w.m.Fulfill(q, nil)
		w.m.RunJob()
	}
}

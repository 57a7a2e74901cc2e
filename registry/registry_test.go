package registry_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answering makes a tool that takes anything and answers a text.
func answering(text string, options ...tool.Option) *tool.Tool {
	return tool.Raw("Answers "+text, nil, func(context.Context, data.Value) (data.Value, error) { return data.String(text), nil }, options...)
}

func doing(f tool.Func, options ...tool.Option) *tool.Tool {
	return tool.Raw("Does it", nil, f, options...)
}

func newRegistry(t testing.TB, o registry.Options) *registry.Registry {
	t.Helper()
	r, err := registry.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func register(t testing.TB, r *registry.Registry, tree tool.Tree, mode registry.Mode) *registry.Registration {
	t.Helper()
	g, err := r.Register(tree, mode)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// of makes a registry of one deferred tree.
func of(t testing.TB, tree tool.Tree) *registry.Registry {
	t.Helper()
	r := newRegistry(t, registry.Options{})
	register(t, r, tree, registry.Deferred)
	return r
}

func step(t testing.TB, r *registry.Registry, s registry.Step) *registry.Snapshot {
	t.Helper()
	snapshot, err := r.Snapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

func code(text string) data.Value {
	return data.NewObject([]data.Member{{Key: "code", Value: data.String(text)}})
}

// program runs a program that the host does not interrupt.
func program(t testing.TB, s *registry.Snapshot, text string) *registry.Output {
	t.Helper()
	return called(t, s, "execute", code(text))
}

func called(t testing.TB, s *registry.Snapshot, name string, input data.Value) *registry.Output {
	t.Helper()
	o, err := s.Call(context.Background(), "c1", name, input)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func parse(t testing.TB, text string) data.Value {
	t.Helper()
	v, err := data.ParseString(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func names(s *registry.Snapshot) []string {
	var list []string
	for _, t := range s.Tools() {
		list = append(list, t.Name)
	}
	return list
}

func TestMisuseNamesTheField(t *testing.T) {
	for field, o := range map[string]registry.Options{
		"Options.Runtime.Tools":    {Runtime: codemode.Options{Tools: tool.Tree{}}},
		"Options.Limits.TimeoutMs": {Runtime: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(0)}}},
		"Options.ExecuteName":      {ExecuteName: "run it"},
		"Options.ExecuteName: got \"a\", but": func() registry.Options {
			o := registry.Options{ExecuteName: "a"}
			o.Runtime.Discovery.Execute = "b"
			return o
		}(),
	} {
		if r, err := registry.New(o); r != nil || err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("got %v, want an error naming %s", err, field)
		}
	}
	r := newRegistry(t, registry.Options{ExecuteName: "run_code"})
	for what, tree := range map[string]tool.Tree{
		"tools.a: the tool is nil":    {"a": (*tool.Tool)(nil)},
		"$codemode is the runtime's":  {"$codemode.x": answering("x")},
		"tools.run_code has the name": {"run_code": answering("x")},
	} {
		if g, err := r.Register(tree, registry.Direct); g != nil || err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want %s", err, what)
		}
	}
	if _, err := r.Register(nil, 7); err == nil {
		t.Error("there is no mode 7")
	}
	g := register(t, r, tool.Tree{"execute": answering("x"), "run_code.x": answering("y")}, registry.Direct)
	if err := g.Replace(tool.Tree{"": answering("x")}); err == nil {
		t.Error("an empty name was taken")
	}
	if got := names(step(t, r, registry.Step{})); !slices.Equal(got, []string{"execute", "run_code_x"}) {
		t.Errorf("after a refusal there are %v", got)
	}
	g.Dispose()
	if err := g.Replace(nil); err == nil || r.Revision() != 2 {
		t.Errorf("replaced what is gone: %v, revision %d", err, r.Revision())
	}
	for field, s := range map[string]registry.Step{
		"Limits.MaxToolCalls":                       {Limits: codemode.Limits{MaxToolCalls: new(-1)}},
		"Step.Rules[1].Effect":                      {Rules: []registry.Rule{{}, {Effect: 9}}},
		"Step.Ask: got nil, but Step.Rules[0] asks": {Rules: []registry.Rule{{Effect: registry.Ask}}},
	} {
		if s, err := r.Snapshot(s); s != nil || err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("got %v, want an error naming %s", err, field)
		}
	}
}

// model is what registrations should amount to.
type model struct {
	list []*modelled // in the order of registration
}

type modelled struct {
	*registry.Registration
	mode  registry.Mode
	tools map[string]string // paths to answers
}

func (m *model) owner(path string) *modelled {
	for _, g := range slices.Backward(m.list) {
		if g.tools[path] != "" {
			return g
		}
	}
	return nil
}

// seen is what each path answers, by the mode in which it is reached.
func (m *model) seen(mode registry.Mode) map[string]string {
	found := map[string]string{}
	for _, path := range paths {
		if g := m.owner(path); g != nil && g.mode == mode {
			found[path] = g.tools[path]
		}
	}
	return found
}

var paths = []string{"a", "a.x", "a.y", "b.x", "b.x.deep", "c"}

func drawTools(t *rapid.T, next func() string) (tool.Tree, map[string]string) {
	tree, answers := tool.Tree{}, map[string]string{}
	for _, path := range paths {
		if rapid.Bool().Draw(t, path) {
			answers[path] = next()
			tree[path] = answering(answers[path])
		}
	}
	return tree, answers
}

// everything calls all that a program can find by enumerating.
const everything = `
const found = {};
async function walk(at, path) {
	for (const name of Object.keys(at)) {
		const below = path === "" ? name : path + "." + name;
		try { found[below] = await at[name]({}) } catch (e) { if (e.kind !== "UnknownTool") throw e }
		await walk(at[name], below);
	}
}
await walk(tools, "");
return found;`

func seenBy(t testing.TB, s *registry.Snapshot) (deferred, direct map[string]string) {
	deferred, direct = map[string]string{}, map[string]string{}
	for _, tl := range s.Tools() {
		if tl.Path == nil {
			o := program(t, s, everything)
			if o.IsError {
				t.Fatal(o.Text)
			}
			for path, v := range o.Value.(*data.Object).All() {
				deferred[path] = string(v.(data.String))
			}
			continue
		}
		direct[strings.Join(tl.Path, ".")] = called(t, s, tl.Name, nil).Text
	}
	return deferred, direct
}

// Whatever is registered, replaced and disposed of: the later wins, disposing reveals, and a snapshot taken before
// reaches a tool if and only if its registration still counts at that path.
func TestLaterWins(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r, m := newRegistry(t, registry.Options{}), &model{}
		number := 0
		next := func() string { number++; return "t" + strconv.Itoa(number) }
		pick := func(t *rapid.T) int {
			if len(m.list) == 0 {
				t.Skip("nothing is registered")
			}
			return rapid.IntRange(0, len(m.list)-1).Draw(t, "which")
		}
		var old *registry.Snapshot
		owners, answers := map[string]*modelled{}, map[string]string{}
		rt.Repeat(map[string]func(*rapid.T){
			"register": func(rt *rapid.T) {
				tree, tools := drawTools(rt, next)
				g := &modelled{mode: registry.Mode(rapid.IntRange(0, 1).Draw(rt, "mode")), tools: tools}
				g.Registration = register(t, r, tree, g.mode)
				m.list = append(m.list, g)
			},
			"dispose": func(rt *rapid.T) {
				i := pick(rt)
				m.list[i].Dispose()
				m.list[i].Dispose()
				m.list = slices.Delete(m.list, i, i+1)
			},
			"replace": func(rt *rapid.T) {
				i := pick(rt)
				tree, tools := drawTools(rt, next)
				if err := m.list[i].Replace(tree); err != nil {
					rt.Fatal(err)
				}
				m.list[i].tools = tools
			},
			"keep a snapshot": func(rt *rapid.T) {
				old = step(t, r, registry.Step{})
				clear(owners)
				for _, path := range paths {
					if g := m.owner(path); g != nil {
						owners[path], answers[path] = g, g.tools[path]
					}
				}
			},
			"": func(rt *rapid.T) {
				deferred, direct := seenBy(t, step(t, r, registry.Step{}))
				if want := m.seen(registry.Deferred); !maps.Equal(deferred, want) {
					rt.Fatalf("programs see %v, want %v", deferred, want)
				}
				if want := m.seen(registry.Direct); !maps.Equal(direct, want) {
					rt.Fatalf("direct are %v, want %v", direct, want)
				}
				for path, g := range owners {
					o := oldCall(t, old, path, g.mode)
					if want := m.owner(path) == g; want != !o.IsError || want && o.Text != answers[path] {
						rt.Fatalf("%s of an old snapshot: got %q, want it to run: %v", path, o.Text, want)
					}
					if o.IsError && !strings.Contains(o.Text, " was not called: it has been removed or replaced since this step began") {
						rt.Fatal(o.Text)
					}
				}
			},
		})
	})
}

func oldCall(t *testing.T, s *registry.Snapshot, path string, mode registry.Mode) *registry.Output {
	if mode == registry.Direct {
		return called(t, s, strings.ReplaceAll(path, ".", "_"), nil)
	}
	return program(t, s, "return await tools."+path+"({})")
}

func TestNamespacesOfRegistrations(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	space := func(description, name string) tool.Tree {
		return tool.Tree{"ns": tool.Namespace{Description: description, Tools: tool.Tree{name: answering(name)}}}
	}
	register(t, r, space("The first.", "a"), registry.Deferred)
	second := register(t, r, space("The second.", "b"), registry.Deferred)
	register(t, r, space("Of a direct one.", "c"), registry.Direct)
	register(t, r, tool.Tree{"empty": tool.Namespace{Description: "Nothing."}, "only": tool.Namespace{Tools: tool.Tree{"d": answering("d")}}}, registry.Direct)
	description := func() string { return step(t, r, registry.Step{}).View().Tools().Description([]string{"ns"}) }
	if description() != "The second." {
		t.Error(description())
	}
	if got := data.JSON(program(t, step(t, r, registry.Step{}), `return [Object.keys(tools), Object.keys(tools.ns)]`).Value); got != `[["ns"],["a","b"]]` {
		t.Error(got)
	}
	second.Dispose()
	if description() != "The first." {
		t.Error(description())
	}
}

// What is made for one step is there for the next, as long as the same is shown.
func TestStepsShare(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	tree := tool.Tree{"a.x": answering("x"), "a.y": answering("y")}
	g := register(t, r, tree, registry.Deferred)
	hide := func(e tool.Entry) bool { return e.Path[1] != "x" }
	all, part := step(t, r, registry.Step{}).View(), step(t, r, registry.Step{Visible: hide}).View()
	same := step(t, r, registry.Step{Rules: []registry.Rule{{Path: "a.x", Effect: registry.Deny}}}).View()
	if step(t, r, registry.Step{}).View() != all || same != part || part == all {
		t.Error("a view was made again")
	}
	if err := g.Replace(tree); err != nil {
		t.Fatal(err)
	}
	after := step(t, r, registry.Step{}).View()
	if path := []string{"a", "x"}; after == all || after.Tools().Tool(path) != all.Tools().Tool(path) {
		t.Error("a tool was made again")
	}
}

func TestChangesAreTold(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	var told []uint64
	stop := r.OnChange(func(revision uint64) {
		step(t, r, registry.Step{}) // it may use the registry
		told = append(told, revision)
	})
	s := scope.Open(context.Background(), scope.Options{})
	g, err := r.RegisterIn(s, tool.Tree{"a": answering("a")}, registry.Deferred)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Replace(tool.Tree{"b": answering("b")}); err != nil {
		t.Fatal(err)
	}
	if got := names(step(t, r, registry.Step{})); !slices.Equal(got, []string{"execute"}) {
		t.Error(got)
	}
	s.Close(scope.Exit{})
	g.Dispose()
	if got := names(step(t, r, registry.Step{})); got != nil {
		t.Errorf("after the scope has closed there are %v", got)
	}
	if _, err := r.RegisterIn(s, tool.Tree{"a": answering("a")}, registry.Deferred); err != nil {
		t.Fatal(err)
	}
	if got := names(step(t, r, registry.Step{})); got != nil {
		t.Errorf("registered in a closed scope: %v", got)
	}
	stop()
	register(t, r, tool.Tree{"a": answering("a")}, registry.Deferred)
	if fmt.Sprint(told) != "[1 2 3 4 5]" || r.Revision() != 6 {
		t.Errorf("told %v, the revision is %d", told, r.Revision())
	}
}

// A watcher that panics costs neither the other watchers the news nor the scope its registration.
func TestWatchersThatPanic(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	told := 0
	for i := range 9 {
		r.OnChange(func(uint64) {
			told++
			if i%3 == 0 {
				panic("boom")
			}
		})
	}
	panics := func(f func()) {
		t.Helper()
		told = 0
		defer func() {
			if recover() != "boom" || told != 9 {
				t.Errorf("%d were told", told)
			}
		}()
		f()
	}
	s := scope.Open(context.Background(), scope.Options{})
	panics(func() { r.RegisterIn(s, tool.Tree{"a": answering("a")}, registry.Deferred) })
	if len(step(t, r, registry.Step{}).Tools()) == 0 {
		t.Error("there is no tool")
	}
	told = 0
	if cause := s.Close(scope.Exit{}); !cause.HasDies() || told != 9 {
		t.Errorf("got %v, %d were told", cause, told)
	}
	if got := step(t, r, registry.Step{}).Tools(); len(got) != 0 {
		t.Errorf("%d tools are left", len(got))
	}
}

// With Always the tool that runs programs is there before there is anything for programs.
func TestAlways(t *testing.T) {
	for always, want := range map[bool]string{false: "", true: "execute"} {
		r := newRegistry(t, registry.Options{Always: always})
		names := func() (list []string) {
			s, err := r.Snapshot(registry.Step{})
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range s.Tools() {
				list = append(list, one.Name)
			}
			return list
		}
		if got := strings.Join(names(), " "); got != want {
			t.Errorf("%v: %s", always, got)
		}
		if !always {
			continue
		}
		s, err := r.Snapshot(registry.Step{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Call(t.Context(), "", "execute", data.NewObject([]data.Member{{Key: "code", Value: data.String("return 1 + 1")}}))
		if err != nil || out.IsError || out.Text != "2" {
			t.Errorf("%+v %v", out, err)
		}
		out, err = s.Call(t.Context(), "", "execute", data.NewObject([]data.Member{{Key: "code", Value: data.String("return tools.a.b()")}}))
		if err != nil || !out.IsError || !strings.Contains(out.Text, "this execution has no tools") {
			t.Errorf("%+v %v", out, err)
		}
		register(t, r, tool.Tree{"a": tool.Tree{"b": tool.Raw("", nil, func(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil })}}, registry.Direct)
		if got := strings.Join(names(), " "); !strings.Contains(got, "execute") || !strings.Contains(got, "a_b") {
			t.Errorf("beside a direct tool: %s", got)
		}
	}
}

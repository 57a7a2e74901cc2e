package interpreter

// This file defines the guest's `tools`: references into the host's tool tree that build a path without a lookup.

import (
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter/internal/boundary"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// node is the part of a reference that namespaces and tools share. It implements value.Exotic.
type node struct {
	ex       *execution
	path     []string
	children map[string]*value.Object
}

// reference is a path below the root; it can be called.
type reference struct{ node }

var (
	_ value.Exotic   = (*node)(nil)
	_ value.Callable = (*reference)(nil)
)

func (ex *execution) toolsRoot() value.Value {
	if ex.tools == nil {
		ex.tools = ex.r.NewExotic(value.ClassTools, ex.r.Intrinsic(value.ObjectPrototype), &node{ex: ex})
	}
	return ex.tools.Value()
}

// alias is the reference that the host has a second name for.
func (ex *execution) alias(name string) (value.Value, bool) {
	a, ok := ex.o.Host.(Aliases)
	if !ok {
		return value.Undefined, false
	}
	path, ok := a.Alias(name)
	if !ok {
		return value.Undefined, false
	}
	at := ex.toolsRoot()
	for _, segment := range path {
		at = at.Object().Ext.(interface{ child(string) *value.Object }).child(segment).Value()
	}
	return at, true
}

// meaning is what the host knows under an undeclared name.
func (ex *execution) meaning(name string) string {
	if m, ok := ex.o.Host.(Meanings); ok {
		return m.Meaning(name)
	}
	return ""
}

// Describe names the reference in messages.
func (n *node) Describe() string { return pathText(n.path) }

// Names lists the children, for messages.
func (n *node) Names() ([]string, bool) { return n.ex.o.Host.Keys(n.path) }

func pathText(path []string) string {
	text := "tools"
	for _, s := range path {
		text = string(data.AppendKey([]byte(text), s))
	}
	return text
}

func (n *node) at(k value.Key) []string {
	return append(append(make([]string, 0, len(n.path)+1), n.path...), k.String())
}

func (n *node) child(name string) *value.Object {
	if o := n.children[name]; o != nil {
		return o
	}
	r := n.ex.r
	path := append(append(make([]string, 0, len(n.path)+1), n.path...), name)
	o := r.NewExotic(value.ClassTools, r.Intrinsic(value.FunctionPrototype), &reference{node{ex: n.ex, path: path}})
	r.Charge(160 + 16*len(path) + len(name))
	if len(name) > maxKeptName || n.ex.kept == maxKept {
		return o
	}
	if n.children == nil {
		n.children = map[string]*value.Object{}
	}
	n.children[name] = o
	n.ex.kept++
	return o
}

// References are kept, so that one read twice is the same object, within these bounds: what is kept is not seen by the
// measurement of memory, and a program can make up names without end.
const (
	maxKept     = 10_000
	maxKeptName = 256
)

// exists tells whether the host has anything at a child.
func (n *node) exists(k value.Key) bool {
	if k.IsSymbol() {
		return false
	}
	isTool, isNamespace := n.ex.o.Host.Lookup(n.at(k))
	return isTool || isNamespace
}

// inherited tells names that mean the members of Object.prototype or Function.prototype unless the host has them.
func (n *node) inherited(r *value.Realm, o *value.Object, k value.Key) bool {
	has, _ := r.HasProperty(o.Proto(), k)
	return has
}

func (n *node) GetOwn(r *value.Realm, o *value.Object, k value.Key) (value.Desc, bool) {
	if !n.exists(k) {
		return value.Desc{}, false
	}
	return value.DataDesc(n.child(k.String()).Value(), value.Enumerable|value.Configurable), true
}

func (n *node) Has(r *value.Realm, o *value.Object, k value.Key) (has, ok bool) {
	return n.exists(k) || n.inherited(r, o, k), true
}

// maxPath is how many names a reference has at most: copying the path for each costs little then.
const maxPath = 64

func (n *node) Get(r *value.Realm, o *value.Object, k value.Key, receiver value.Value) value.Value {
	if len(n.path) >= maxPath && !k.IsSymbol() {
		return r.ThrowTypeError("no path of tools has more than %d names, this one begins with %s", maxPath, pathText(n.path[:3]))
	}
	if k.IsSymbol() {
		if k.Sym == value.SymHasInstance || k.Sym == value.SymToPrimitive {
			return r.GetWith(o.Proto(), k, receiver)
		}
		return value.Undefined
	}
	if k.S == "then" || k.S == "toJSON" {
		if isTool, _ := n.ex.o.Host.Lookup(n.at(k)); !isTool {
			return value.Undefined
		}
	} else if n.inherited(r, o, k) && !n.exists(k) {
		if k.S == "name" || k.S == "length" {
			n.noteUncalled(k.S)
		}
		if k.S == "name" && len(n.path) > 0 {
			return value.String(n.path[len(n.path)-1])
		}
		return r.GetWith(o.Proto(), k, receiver)
	}
	return n.child(k.String()).Value()
}

func (n *node) readOnly(r *value.Realm, k value.Key, verb string) value.Done {
	r.ThrowTypeError("Cannot %s %s: tools are read-only. Keep the value in a variable of your own", verb, pathText(n.at(k)))
	return value.Threw
}

func (n *node) DefineOwn(r *value.Realm, _ *value.Object, k value.Key, _ value.Desc) value.Done {
	return n.readOnly(r, k, "define")
}

func (n *node) Set(r *value.Realm, _ *value.Object, k value.Key, _, _ value.Value) value.Done {
	return n.readOnly(r, k, "assign to")
}

func (n *node) Delete(r *value.Realm, _ *value.Object, k value.Key) value.Done {
	return n.readOnly(r, k, "delete")
}

func (n *node) OwnKeys(r *value.Realm, _ *value.Object) ([]value.Key, bool) {
	names, ok := n.ex.o.Host.Keys(n.path)
	if !ok {
		r.ThrowValue(n.ex.hostError(n.ex.miss(n.path), r.Pos))
		return nil, false
	}
	keys := make([]value.Key, len(names))
	for i, s := range names {
		keys[i] = value.StringKey(s)
	}
	return keys, true
}

// miss is the host's error for an unknown path.
func (ex *execution) miss(path []string) error {
	if m, ok := ex.o.Host.(Misses); ok {
		return m.Miss(path)
	}
	return diagnostics.Diagnostic{Kind: diagnostics.UnknownTool, Origin: diagnostics.OriginTool, Path: pathText(path), Message: "there is nothing at " + pathText(path)}
}

// pendingCall is a call whose promise has not settled.
type pendingCall struct {
	promise *value.PromiseData
	path    []string
	pos     int32
}

// Call starts a tool call and returns its promise at once; whatever is wrong with it rejects the promise.
func (n *reference) Call(r *value.Realm, _ *value.Object, _ value.Value, args []value.Value) value.Value {
	ex := n.ex
	p, pv := r.NewPromise()
	pc := &pendingCall{promise: p, path: n.path, pos: r.Pos}
	if ex.closed {
		r.Machine.Reject(p, r.NewError(value.Error, "no call can start any more: the program has ended").Value())
		return pv
	}
	if ex.trace != nil {
		ex.trace.call(pc)
	}
	own := append([]value.Value(nil), args...)
	err := ex.o.Host.Invoke(Call{
		Path: n.path, Argc: len(own),
		Args: func() ([]data.Value, error) { return ex.arguments(own) },
		At:   func() diagnostics.Location { return ex.p.text.Locate(pc.pos) },
		Done: func(v data.Value, err error) { ex.inbox.post(completion{pc, v, err}) },
	})
	switch {
	case r.Terminated:
		return value.Throw
	case err != nil && !ex.alive():
		r.Terminate()
		return value.Throw
	case err != nil:
		if ex.trace != nil {
			ex.trace.settled(pc)
		}
		if t, ok := err.(thrown); ok {
			r.Machine.Reject(p, t.v)
		} else {
			r.Machine.Reject(p, ex.hostError(err, pc.pos))
		}
	default:
		ex.pending++
		if ex.calls == nil {
			ex.calls = map[*pendingCall]struct{}{}
		}
		ex.calls[pc] = struct{}{}
	}
	return pv
}

// thrown carries a guest exception from the boundary copy through Invoke.
type thrown struct{ v value.Value }

func (thrown) Error() string { return "the program's own code threw while its argument was copied" }

// arguments copies call arguments across the boundary. More than one is the host's error to tell; they are not copied.
func (ex *execution) arguments(args []value.Value) ([]data.Value, error) {
	out := make([]data.Value, len(args))
	for i, a := range args {
		if a.IsUndefined() {
			out[i] = data.NewObject(nil)
			continue
		}
		res := boundary.Out(ex.r, a, "input")
		switch {
		case res.Threw:
			return nil, thrown{ex.r.Exception()}
		case res.Problem != nil:
			return nil, *res.Problem
		}
		for _, w := range res.Warnings {
			ex.out.Warnings = append(ex.out.Warnings, diagnostics.Diagnostic{Kind: diagnostics.InvalidDataValue, Origin: diagnostics.OriginProgram, Message: w.Message, Path: w.Path})
		}
		out[i] = res.Value
	}
	return out, nil
}

// settle delivers a host completion on the guest's side.
func (pc *pendingCall) settle(ex *execution, v data.Value, err error) {
	if err != nil {
		ex.r.Machine.Reject(pc.promise, ex.hostError(err, pc.pos))
		return
	}
	x := boundary.In(ex.r, v)
	ex.r.NoteToolText(x, func() string { return pathText(pc.path) })
	ex.r.Machine.Resolve(pc.promise, x)
}

package resolve

// This file defines what a program is told about names that it does not declare.

import (
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
)

// Bounds of the search for what was meant.
const (
	maxMissing  = 32
	maxVisible  = 1000
	maxBindings = 100_000
)

// missing is a use of an undeclared name.
type missing struct {
	id    *syntax.Ident
	scope *syntax.Scope
}

// ident resolves one use of a name.
func (r *resolver) ident(n *syntax.Ident) {
	n.Ref = r.lookup(n.Name, n.Pos)
	if n.Ref.Kind == syntax.RefGlobal && len(r.missing) < maxMissing && !r.known(n.Name) {
		r.missing = append(r.missing, missing{n, r.scope})
	}
}

// say notes what is to be said of a name if nothing declares it.
func (r *resolver) say(id *syntax.Ident, hint string) {
	if r.certain == nil {
		r.certain = map[*syntax.Ident]string{}
	}
	if r.certain[id] == "" && len(r.certain) < maxMissing {
		r.certain[id] = hint
	}
}

// named looks for arguments that are written with their names, as other languages have them: list(repo="a").
func (r *resolver) named(n *syntax.Call) {
	for _, arg := range n.Args {
		a, ok := arg.(*syntax.Assign)
		if !ok || a.Op != syntax.OpNone {
			continue
		}
		if id, ok := a.Target.(*syntax.Ident); ok {
			r.say(id, "An argument has no name; tools take one object: ({ "+id.Orig+": … })")
		}
	}
}

// dashed looks for the name of a tool that is written with its dashes: tools.docs.get-page().
func (r *resolver) dashed(n *syntax.Binary) {
	var ids []*syntax.Ident
	at, name, ok := dashedName(n, &ids, 0)
	if !ok {
		return
	}
	for _, id := range ids {
		r.say(id, "Write a name with dashes as "+at+`["`+name+`"]`)
	}
}

// maxDashes bounds the dashes of a name.
const maxDashes = 20

func dashedName(x syntax.Expr, ids *[]*syntax.Ident, depth int) (at, name string, ok bool) {
	switch n := x.(type) {
	case *syntax.Member:
		at, ok = toolPath(n.Obj, 0)
		return at, n.Name, ok
	case *syntax.Binary:
		right := n.R
		if call, ok := right.(*syntax.Call); ok {
			right = call.Callee
		}
		id, isIdent := right.(*syntax.Ident)
		if n.Op != syntax.OpSub || !isIdent || depth == maxDashes {
			return "", "", false
		}
		at, name, ok = dashedName(n.L, ids, depth+1)
		*ids = append(*ids, id)
		return at, name + "-" + id.Orig, ok
	}
	return "", "", false
}

// toolPath is a path below tools as it is written, if x is one.
func toolPath(x syntax.Expr, depth int) (path string, ok bool) {
	switch n := x.(type) {
	case *syntax.Ident:
		return n.Orig, n.Orig == "tools"
	case *syntax.Member:
		if depth == maxDashes {
			return "", false
		}
		path, ok = toolPath(n.Obj, depth+1)
		return path + "." + n.Name, ok
	}
	return "", false
}

// hint gives undeclared names their hints, once all declarations are known.
func (r *resolver) hint() {
	for _, m := range r.missing {
		if hint := r.certain[m.id]; hint != "" {
			m.id.Hint, m.id.Certain = hint, true
			continue
		}
		if near, ok := diagnostics.Nearest(m.id.Orig, visible(m.scope)); ok {
			m.id.Hint = "Did you mean " + near + "?"
		}
		for i, b := range r.bindings {
			if i == maxBindings {
				break
			}
			if b.Orig == m.id.Orig {
				m.id.Hint = "It is declared in a block or function that has ended here; declare it with let before that block"
				break
			}
		}
	}
}

// visible lists the names that can be used in a scope, from the inside outwards.
func visible(s *syntax.Scope) (names []string) {
	for ; s != nil; s = s.Parent {
		for _, b := range s.List {
			if b.Orig != "" && len(names) < maxVisible {
				names = append(names, b.Orig)
			}
		}
	}
	return names
}

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

// hint gives undeclared names their hints, once all declarations are known.
func (r *resolver) hint() {
	for _, m := range r.missing {
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

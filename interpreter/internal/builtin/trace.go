package builtin

// This file defines what the memory measurement sees of the objects of this library.

import "github.com/codemode-go/codemode/interpreter/internal/value"

var _ = []value.Traced{(*mapData)(nil), (*setData)(nil), (*arrayIterator)(nil), (*collectionIterator)(nil)}

// Trace shows keys and values.
func (c *collection) Trace(visit func(val)) int {
	return c.st.trace(visit)
}

func (s *entryStore) trace(visit func(val)) int {
	for i := range s.entries {
		if e := &s.entries[i]; !e.key.IsAbsent() {
			visit(e.key)
			if !e.value.IsAbsent() {
				visit(e.value)
			}
		}
	}
	return entryBytes*cap(s.entries) + 4*cap(s.index) + 4*cap(s.removed) + 96
}

// Trace shows the array that is iterated.
func (a *arrayIterator) Trace(visit func(val)) int {
	if a.object != nil {
		visit(a.object.Value())
	}
	return 40
}

// Trace shows what is left of the collection that is iterated.
func (c *collectionIterator) Trace(visit func(val)) int { return 64 + c.u.st.trace(visit) }

// Trace shows the string that is iterated.
func (s *stringIterating) Trace(visit func(val)) int {
	if s.s != nil {
		visit(s.s.Value())
	}
	return 24
}

// Trace shows the expression and the text of matchAll.
func (x *regExpIterating) Trace(visit func(val)) int {
	visit(x.o.Value())
	visit(x.s.Value())
	return 48
}

// Trace shows the source; compiled patterns are shared by all executions.
func (x *regExp) Trace(visit func(val)) int {
	visit(x.source.Value())
	return 64
}

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

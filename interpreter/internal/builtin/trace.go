package builtin

// This file defines what the memory measurement sees of the objects of this library.

import "github.com/codemode-go/codemode/interpreter/internal/value"

var _ = []value.Traced{(*mapData)(nil), (*setData)(nil), (*arrayIterator)(nil), (*collectionIterator)(nil),
	(*stringIterating)(nil), (*regExpIterating)(nil), (*regExp)(nil), (*bytes)(nil), (*textDecoder)(nil), (*dateData)(nil),
	(*iteratorHelping)(nil), (*wrappedIterator)(nil), (*pairIterator)(nil), (*headers)(nil), (*searchParams)(nil), (*urlData)(nil),
	(*regExpState)(nil)}

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

// Trace gives the bytes. A part of another array counts as a whole one: it keeps all of it alive.
func (x *bytes) Trace(func(val)) int { return 48 + cap(x.b) }

// Trace gives what a streaming decoder keeps.
func (d *textDecoder) Trace(func(val)) int { return 48 + cap(d.pending) }

// Trace gives the size of a date.
func (*dateData) Trace(func(val)) int { return 16 }

// Trace shows the iterators and the function of a helper.
func (h *iteratorHelping) Trace(visit func(val)) int {
	visit(h.under.Object)
	visit(h.under.Next)
	visit(h.fn)
	if h.inner != nil {
		visit(h.inner.Object)
		visit(h.inner.Next)
	}
	return 256
}

// Trace shows the iterator that is wrapped.
func (w *wrappedIterator) Trace(visit func(val)) int {
	visit(w.it.Object)
	visit(w.it.Next)
	return 64
}

// Trace gives the size of the list that is iterated, which may outlive its object.
func (it *pairIterator) Trace(visit func(val)) int {
	if t, ok := it.of.(value.Traced); ok {
		return 48 + t.Trace(visit)
	}
	return 48
}

func pairBytes(list []pair) int {
	n := 32 + 32*cap(list)
	for _, p := range list {
		n += len(p.name) + len(p.value)
	}
	return n
}

// Trace gives the size of the names and values.
func (h *headers) Trace(func(val)) int { return pairBytes(h.list) + pairBytes(h.sorted) }

// Trace gives the size of the pairs.
func (p *searchParams) Trace(func(val)) int {
	n := pairBytes(p.list)
	if p.url != nil {
		n += urlBytes(p.url)
	}
	return n
}

// Trace shows the parameters of a URL.
func (x *urlData) Trace(visit func(val)) int {
	if x.params != nil {
		visit(x.params.Value())
	}
	return urlBytes(x)
}

// urlBytes is about what a parsed URL takes: its text in parts.
func urlBytes(x *urlData) int { return 512 + 2*len(x.u.Href(false)) }

// Trace shows the text that was prepared last for matching and lets go of the others: they are made again if need be.
func (st *regExpState) Trace(visit func(val)) int {
	latest := st.inputs[(st.next+len(st.inputs)-1)%len(st.inputs)]
	clear(st.inputs[:])
	st.inputs[0], st.next = latest, 1
	n := 512 + 8*cap(st.dst)
	if latest.s != nil {
		visit(latest.s.Value())
		n += latest.in.Size()
	}
	return n
}

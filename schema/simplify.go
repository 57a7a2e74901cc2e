// This file defines how types are made as short as they can be without saying
// something else.

package schema

import "slices"

// simplifier replaces references that are written in place and reduces unions
// and intersections.
type simplifier struct{ left int }

func (s *simplifier) typ(t *typ, depth int) *typ {
	s.left--
	if s.left < 0 || depth > 4*maxNesting {
		return unknownType
	}
	switch t.shape {
	case refShape:
		return s.reference(t, depth)
	case unionShape:
		return s.union(t, depth)
	case intersectionShape:
		return s.intersection(t, depth)
	case objectShape:
		return s.object(t, depth)
	case arrayShape, tupleShape:
		return s.list(t, depth)
	}
	return t
}

func (s *simplifier) list(t *typ, depth int) *typ {
	parts := s.all(t.parts, depth)
	if t.rest == nil && (len(parts) == 0 || &parts[0] == &t.parts[0]) {
		return t
	}
	u := *t
	u.parts = parts
	if t.rest != nil {
		u.rest = s.typ(t.rest, depth+1)
	}
	return &u
}

// all simplifies a list; it is the same one if nothing changes.
func (s *simplifier) all(list []*typ, depth int) []*typ {
	simple := list
	for i, t := range list {
		u := s.typ(t, depth+1)
		if u != t && &simple[0] == &list[0] {
			simple = slices.Clone(list)
		}
		simple[i] = u
	}
	return simple
}

func (s *simplifier) reference(t *typ, depth int) *typ {
	if t.def.named {
		return t
	}
	if t.def.plain == nil {
		t.def.plain = s.typ(t.def.body, depth+1)
	}
	return t.def.plain
}

func (s *simplifier) object(t *typ, depth int) *typ {
	if len(t.fields) == 0 && t.index == unknownType && t.keys == nil {
		return t
	}
	fields := t.fields
	for i, p := range t.fields {
		of := s.typ(p.typ, depth+1)
		if of != p.typ && &fields[0] == &t.fields[0] {
			fields = slices.Clone(t.fields)
		}
		fields[i].typ = of
	}
	if t.index == nil {
		if len(fields) == 0 || &fields[0] == &t.fields[0] {
			return t
		}
	}
	u := *t
	u.fields = fields
	if t.index != nil {
		u.index = s.typ(t.index, depth+1)
	}
	if len(u.fields) > 0 && u.index != nil {
		u.index = widened(u.fields, u.index)
	}
	return &u
}

// maxIndexTypes bounds how many other types the index of an object repeats.
const maxIndexTypes = 4

// widened is the index of an object that has fields: TypeScript wants their types
// to belong to it.
func widened(fields []property, index *typ) *typ {
	if index.isWord("never") {
		return nil
	}
	parts := []*typ{index}
	for _, p := range fields {
		parts = appendNew(parts, p.typ)
		if p.optional {
			parts = appendNew(parts, &typ{text: "undefined"})
		}
		if len(parts) > maxIndexTypes || p.typ.shape == objectShape && !p.typ.same(index, 0) {
			return unknownType
		}
	}
	return joined(parts)
}

func (s *simplifier) union(t *typ, depth int) *typ {
	return joined(s.all(t.parts, depth))
}

// joined is the union of simple types.
func joined(parts []*typ) *typ {
	list := make([]*typ, 0, len(parts))
	null := false
	literals := map[string]bool{}
	var add func(parts []*typ) bool
	add = func(parts []*typ) bool {
		for _, p := range parts {
			switch {
			case p.isWord("unknown"):
				return false
			case p.isWord("never"):
			case p.isWord("null"):
				null = true
			case p.shape == unionShape:
				if !add(p.parts) {
					return false
				}
			case p.shape == literalShape:
				if !literals[p.text] {
					literals[p.text] = true
					list = append(list, p)
				}
			case len(list) < 2*maxMembers:
				list = appendNew(list, p)
			default:
				return false
			}
		}
		return true
	}
	if !add(parts) {
		return unknownType
	}
	list = bothBooleans(withoutMembersOf(list))
	if null {
		list = append(list, nullType)
	}
	switch len(list) {
	case 0:
		return neverType
	case 1:
		return list[0]
	}
	return &typ{shape: unionShape, parts: list}
}

// withoutMembersOf drops few literals beside the type they belong to, and
// objects beside any object. Many are kept: they are the beginning of a longer
// list.
func withoutMembersOf(list []*typ) []*typ {
	if len(list) >= maxMembers {
		return list
	}
	var kept []*typ
	for _, t := range list {
		covered := false
		for _, u := range list {
			covered = covered || t.shape == literalShape && u.isWord(t.word)
		}
		if !covered {
			kept = append(kept, t)
		}
	}
	return kept
}

// bothBooleans writes true | false as boolean.
func bothBooleans(list []*typ) []*typ {
	first, n := -1, 0
	for i, t := range list {
		if t.shape == literalShape && t.word == "boolean" {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if n < 2 {
		return list
	}
	var kept []*typ
	for i, t := range list {
		switch {
		case i == first:
			kept = append(kept, booleanType)
		case t.shape != literalShape || t.word != "boolean":
			kept = append(kept, t)
		}
	}
	return kept
}

func (s *simplifier) intersection(t *typ, depth int) *typ {
	var list []*typ
	for _, p := range s.all(t.parts, depth) {
		switch {
		case p.isWord("unknown"):
		case p.isWord("never"):
			return neverType
		case p.shape == intersectionShape:
			for _, q := range p.parts {
				list = appendNew(list, q)
			}
		default:
			list = appendNew(list, p)
		}
	}
	list = mergedObjects(withoutBases(list))
	switch len(list) {
	case 0:
		return unknownType
	case 1:
		return list[0]
	}
	return &typ{shape: intersectionShape, parts: list}
}

// withoutBases drops a base that another part is within.
func withoutBases(list []*typ) []*typ {
	var kept []*typ
	for i, base := range list {
		covered := false
		if base.shape == wordShape || base.bare {
			for j, t := range list {
				covered = covered || i != j && t.within(base, 0)
			}
		}
		if !covered {
			kept = append(kept, base)
		}
	}
	return kept
}

// mergedObjects makes one object of those that just list fields.
func mergedObjects(list []*typ) []*typ {
	var kept []*typ
	at := -1
	for _, t := range list {
		if t.shape != objectShape || t.bare || t.keys != nil || t.index != nil && t.index != unknownType {
			kept = append(kept, t)
			continue
		}
		if at < 0 {
			at = len(kept)
			kept = append(kept, t)
			continue
		}
		if merged := merge(kept[at], t); merged != nil {
			kept[at] = merged
		} else {
			kept = append(kept, t)
		}
	}
	return kept
}

// merge is the object with the fields of both, or nil if a field differs.
func merge(a, b *typ) *typ {
	m := &typ{shape: objectShape, fields: append([]property(nil), a.fields...), index: a.index}
	if b.index != nil {
		m.index = b.index
	}
	at := make(map[string]int, len(m.fields))
	for i, p := range m.fields {
		at[p.name] = i
	}
	for _, p := range b.fields {
		i, ok := at[p.name]
		if !ok {
			m.fields = append(m.fields, p)
			continue
		}
		q := &m.fields[i]
		switch {
		case q.typ.isWord("unknown"):
			q.typ, q.about = p.typ, p.about
		case !p.typ.isWord("unknown") && !q.typ.same(p.typ, 0):
			return nil
		}
		q.optional = q.optional && p.optional
	}
	return m
}

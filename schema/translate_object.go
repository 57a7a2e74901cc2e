// This file defines the types of objects and arrays.

package schema

import (
	"slices"

	"github.com/codemode-go/codemode/data"
)

func (t *translator) objectType(o *data.Object, depth int) *typ {
	properties, _ := member(o, "properties").(*data.Object)
	required := newNameSet(stringsOf(member(o, "required")))
	index, closed := t.index(o, depth)
	n := &typ{shape: objectShape, index: index}
	if properties.Len() == 0 && len(required.names) == 0 && index == nil {
		if closed {
			return emptyObject
		}
		return anyObject
	}
	if keys := t.keys(o, properties); keys != nil && n.index != nil {
		n.keys = keys
		return n
	}
	n.fields = make([]property, 0, min(properties.Len(), maxTypes))
	for i := range properties.Len() {
		m := properties.At(i)
		if !t.room(n, m.Key) {
			return n
		}
		about, _ := m.Value.(*data.Object)
		field := property{name: m.Key, optional: !required.has(m.Key), typ: t.typ(m.Value, nil, depth), about: about}
		if field.typ.shape == refShape {
			field.of = field.typ.def
		}
		n.fields = append(n.fields, field)
	}
	t.unnamed(n, properties, required)
	return n
}

// unnamed adds the required fields that are no properties.
func (t *translator) unnamed(n *typ, properties *data.Object, required nameSet) {
	other := n.index
	if other == nil {
		other = unknownType
	}
	added := map[string]bool{}
	for _, name := range required.names {
		if _, there := properties.Get(name); there || added[name] {
			continue
		}
		if !t.room(n, name) {
			return
		}
		added[name] = true
		n.fields = append(n.fields, property{name: name, typ: other})
	}
}

// nameSet is a list of names that is searched as a set.
type nameSet struct {
	names []string
	index map[string]bool // nil for few
}

func newNameSet(names []string) nameSet {
	s := nameSet{names: names}
	if len(names) > 16 {
		s.index = make(map[string]bool, len(names))
		for _, name := range names {
			s.index[name] = true
		}
	}
	return s
}

func (s nameSet) has(name string) bool {
	if s.index != nil {
		return s.index[name]
	}
	return slices.Contains(s.names, name)
}

// room reports that an object can have one more field. If not, the rest is told
// by an index of unknown.
func (t *translator) room(n *typ, name string) bool {
	t.left--
	if t.left > 0 && len(name) <= maxKey {
		return true
	}
	n.index = unknownType
	return false
}

// index is the type of members without a name of their own, nil if the schema
// does not speak of them.
func (t *translator) index(o *data.Object, depth int) (index *typ, closed bool) {
	var parts []*typ
	if patterns, ok := member(o, "patternProperties").(*data.Object); ok {
		for _, v := range patterns.All() {
			if len(parts) < maxMembers {
				parts = append(parts, t.typ(v, nil, depth))
			}
		}
	}
	switch v := member(o, "additionalProperties").(type) {
	case data.Bool:
		closed = !bool(v)
		if v {
			return unknownType, false
		}
	case *data.Object:
		parts = append(parts, t.typ(v, nil, depth))
	}
	switch len(parts) {
	case 0:
		return nil, closed
	case 1:
		return parts[0], closed
	}
	return &typ{shape: unionShape, parts: parts}, closed
}

// keys are the only keys an object without properties may have, nil if any.
func (t *translator) keys(o, properties *data.Object) []*typ {
	names, _ := member(o, "propertyNames").(*data.Object)
	values, _ := member(names, "enum").(data.Array)
	if properties.Len() > 0 || values.Len() == 0 || values.Len() > maxMembers {
		return nil
	}
	keys := make([]*typ, 0, values.Len())
	for _, v := range values.All() {
		s, ok := v.(data.String)
		if !ok || len(s) > maxKey {
			return nil
		}
		t.left--
		keys = append(keys, literal(s, 0))
	}
	return keys
}

// smallTuple is the length up to which an array of fixed length is written as a
// tuple.
const smallTuple = 4

func (t *translator) arrayType(o *data.Object, depth int) *typ {
	items, hasItems := o.Get("items")
	prefix, isTuple := member(o, "prefixItems").(data.Array)
	if list, ok := items.(data.Array); ok { // before 2020-12
		prefix, isTuple = list, true
		items, hasItems = o.Get("additionalItems")
	}
	minItems, hasMin := count(o, "minItems")
	if isTuple && prefix.Len() > 0 {
		return t.tuple(prefix, items, hasItems, minItems, hasMin, depth)
	}
	item := unknownType
	if hasItems {
		item = t.typ(items, nil, depth)
	}
	if maxItems, ok := count(o, "maxItems"); ok && hasMin && maxItems == minItems && 1 <= maxItems && maxItems <= smallTuple && item.shape == wordShape && item != unknownType {
		fixed := &typ{shape: tupleShape, optional: minItems}
		for range minItems {
			fixed.parts = append(fixed.parts, item)
		}
		return fixed
	}
	return &typ{shape: arrayShape, parts: []*typ{item}}
}

// tuple is an array whose first items have types of their own. Without minItems
// all of them are taken to be there, and without items none to follow.
func (t *translator) tuple(prefix data.Array, items data.Value, hasItems bool, minItems int, hasMin bool, depth int) *typ {
	n := &typ{shape: tupleShape}
	for _, v := range head(prefix) {
		n.parts = append(n.parts, t.typ(v, nil, depth))
	}
	n.optional = len(n.parts)
	if hasMin {
		n.optional = min(minItems, n.optional)
	}
	if hasItems {
		n.rest = t.typ(items, nil, depth)
	}
	if prefix.Len() > maxMembers {
		n.rest = unknownType
	}
	if n.rest != nil && n.rest.isWord("never") {
		n.rest = nil
	}
	return n
}

// count is a keyword that is a small natural number.
func count(o *data.Object, key string) (int, bool) {
	n, ok := member(o, key).(data.Number)
	f := n.Float64()
	if !ok || n.Exact() || f < 0 || f > 1<<30 || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}

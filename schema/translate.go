// This file defines what each keyword of a schema means as a TypeScript type.

package schema

import (
	"slices"

	"github.com/codemode-go/codemode/data"
)

const (
	maxNesting = 100  // of schemas in a document
	maxTypes   = 6000 // that one document may make
	maxMembers = 100  // of a union
	maxKey     = 200  // bytes of a property name
)

// translator reads one document.
type translator struct {
	root  data.Value
	defs  map[string]*definition
	order []*definition
	left  int
}

func newTranslator(root data.Value) *translator {
	return &translator{root: root, left: maxTypes}
}

// typ is the type of a schema. inherited are the type names of an enclosing
// schema, which count where the schema has none.
func (t *translator) typ(v data.Value, inherited []string, depth int) *typ {
	t.left--
	if t.left < 0 || depth > maxNesting {
		return unknownType
	}
	switch v := v.(type) {
	case data.Bool:
		if !v {
			return neverType
		}
	case *data.Object:
		return t.object(v, inherited, depth+1)
	}
	return unknownType
}

// object combines what a schema says itself with its references and
// alternatives.
func (t *translator) object(o *data.Object, inherited []string, depth int) *typ {
	names := typeNames(o)
	known := names
	if len(names) == 0 {
		known = inherited
	}
	own := t.own(o, names, inherited, depth)
	if isPlain(o) {
		return own
	}
	parts := []*typ{own}
	for _, key := range [...]string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref, ok := member(o, key).(data.String); ok {
			parts = append(parts, t.reference(string(ref), depth))
		}
	}
	if all, ok := member(o, "allOf").(data.Array); ok {
		for _, v := range head(all) {
			parts = append(parts, t.typ(v, known, depth))
		}
	}
	for _, key := range [...]string{"anyOf", "oneOf"} {
		if list, ok := member(o, key).(data.Array); ok && list.Len() > 0 {
			parts = append(parts, t.union(list, known, depth))
		}
	}
	if excluded(member(o, "not")) {
		return neverType
	}
	whole := &typ{shape: intersectionShape, parts: parts}
	if len(parts) == 1 {
		whole = parts[0]
	}
	if nullable, _ := member(o, "nullable").(data.Bool); nullable {
		return &typ{shape: unionShape, parts: []*typ{whole, nullType}}
	}
	return whole
}

// isPlain reports that a schema has no references, alternatives and such.
func isPlain(o *data.Object) bool {
	for i := range o.Len() {
		switch o.At(i).Key {
		case "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "nullable":
			return false
		}
	}
	return true
}

// excluded reports that not excludes everything.
func excluded(v data.Value) bool {
	switch v := v.(type) {
	case data.Bool:
		return bool(v)
	case *data.Object:
		return v.Len() == 0
	}
	return false
}

// head is a list, cut to what one schema may have.
func head(a data.Array) []data.Value {
	list := make([]data.Value, 0, min(a.Len(), maxMembers))
	for _, v := range a.All() {
		if len(list) == maxMembers {
			break
		}
		list = append(list, v)
	}
	return list
}

// union is the type of alternatives. Beyond maxMembers they are told by their
// types alone.
func (t *translator) union(list data.Array, inherited []string, depth int) *typ {
	u := &typ{shape: unionShape}
	for _, v := range head(list) {
		u.parts = append(u.parts, t.typ(v, inherited, depth))
	}
	for i := maxMembers; i < list.Len(); i++ {
		u.parts = appendNew(u.parts, coarse(list.At(i)))
	}
	return u
}

// coarse is the type of a schema by its type names alone.
func coarse(v data.Value) *typ {
	o, _ := v.(*data.Object)
	names := typeNames(o)
	if value, ok := o.Get("const"); ok {
		return base(value)
	}
	if len(names) != 1 {
		return unknownType
	}
	return bareType(names[0])
}

func base(v data.Value) *typ {
	switch v.Kind() {
	case data.KindArray:
		return bareType("array")
	case data.KindObject:
		return anyObject
	}
	return bareType(v.Kind().String())
}

func bareType(name string) *typ {
	switch name {
	case "string":
		return stringType
	case "number", "integer":
		return numberType
	case "boolean":
		return booleanType
	case "null":
		return nullType
	case "object":
		return anyObject
	case "array":
		return &typ{shape: arrayShape, parts: []*typ{unknownType}}
	}
	return unknownType
}

func appendNew(list []*typ, t *typ) []*typ {
	if slices.ContainsFunc(list, func(u *typ) bool { return t.same(u, 0) }) {
		return list
	}
	return append(list, t)
}

// singleNames are the lists of one known name; they must not be changed.
var singleNames = map[data.String][]string{"string": {"string"}, "number": {"number"}, "integer": {"integer"}, "boolean": {"boolean"},
	"null": {"null"}, "object": {"object"}, "array": {"array"}}

// typeNames are the names under type, or what other keywords presuppose.
func typeNames(o *data.Object) []string {
	v, ok := o.Get("type")
	if name, single := v.(data.String); single {
		if names := singleNames[name]; names != nil {
			return names
		}
	}
	if ok {
		return stringsOf(v)
	}
	for _, guess := range [...]struct{ key, name string }{
		{"properties", "object"}, {"required", "object"}, {"additionalProperties", "object"}, {"patternProperties", "object"},
		{"items", "array"}, {"prefixItems", "array"}, {"pattern", "string"}, {"minLength", "string"}, {"maxLength", "string"},
	} {
		if _, ok := o.Get(guess.key); ok {
			return []string{guess.name}
		}
	}
	return nil
}

// own is what a schema says without its references and alternatives.
func (t *translator) own(o *data.Object, names, inherited []string, depth int) *typ {
	if v, ok := o.Get("const"); ok {
		return literal(v, 0)
	}
	if values, ok := member(o, "enum").(data.Array); ok && values.Len() > 0 {
		return t.enum(values, names)
	}
	if len(names) == 0 {
		if _, combined := firstOf(o, "$ref", "anyOf", "oneOf", "allOf"); combined || len(inherited) == 0 {
			return unknownType
		}
		names = inherited
	}
	if len(names) == 1 {
		return t.named(names[0], o, depth)
	}
	u := &typ{shape: unionShape}
	for _, name := range names[:min(len(names), 10)] {
		u.parts = append(u.parts, t.named(name, o, depth))
	}
	return u
}

func firstOf(o *data.Object, keys ...string) (data.Value, bool) {
	for _, key := range keys {
		if v, ok := o.Get(key); ok {
			return v, true
		}
	}
	return nil, false
}

// enum is the union of the values that fit the type names; if none does, of all.
func (t *translator) enum(values data.Array, names []string) *typ {
	fitting := make([]data.Value, 0, values.Len())
	for _, v := range values.All() {
		if len(names) == 0 || hasType(names, v) {
			fitting = append(fitting, v)
		}
	}
	if len(fitting) == 0 {
		for _, v := range values.All() {
			fitting = append(fitting, v)
		}
	}
	u := &typ{shape: unionShape, parts: make([]*typ, 0, min(len(fitting), maxMembers))}
	for _, v := range fitting[:min(len(fitting), maxMembers)] {
		t.left--
		u.parts = append(u.parts, literal(v, 0))
	}
	for _, v := range fitting[min(len(fitting), maxMembers):] {
		u.parts = appendNew(u.parts, base(v))
	}
	if len(u.parts) == 1 {
		return u.parts[0]
	}
	return u
}

func (t *translator) named(name string, o *data.Object, depth int) *typ {
	switch name {
	case "object":
		return t.objectType(o, depth)
	case "array":
		return t.arrayType(o, depth)
	}
	return bareType(name)
}

// reference is the type of a place in the document.
func (t *translator) reference(ref string, depth int) *typ {
	v, steps, key := target(t.root, ref)
	if v == nil {
		return unknownType
	}
	return t.definition(v, steps, key, depth)
}

func (t *translator) definition(v data.Value, steps []string, key string, depth int) *typ {
	def := t.defs[key]
	if def == nil {
		def = &definition{steps: steps, schema: v, open: true}
		if t.defs == nil {
			t.defs = map[string]*definition{}
		}
		t.defs[key] = def
		t.order = append(t.order, def)
		def.body = t.typ(v, nil, depth+1)
		def.open = false
	} else if def.open {
		def.cyclic = true
	}
	def.uses++
	return &typ{shape: refShape, def: def}
}

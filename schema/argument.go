// This file defines whether a call needs an argument at all.

package schema

import "github.com/codemode-go/codemode/data"

// Need says whether a call must pass an argument.
type Need uint8

// The needs.
const (
	// Unneeded is an object for which the schema names no properties.
	Unneeded Need = iota
	// Optional is anything for which an empty object will do.
	Optional
	// Required is anything else.
	Required
)

// Argument says whether a call of a tool whose input this is must pass one. A
// call without is a call with an empty object.
func (s *Schema) Argument() Need {
	if s == nil {
		return Optional
	}
	if o, ok := s.document.(*data.Object); ok && text(o, "type") == "object" && namesNothing(o) {
		return Unneeded
	}
	e := emptiness{root: s.document, left: 1000}
	if e.takes(s.document, 0) {
		return Optional
	}
	return Required
}

// namesNothing reports an object schema without properties, open to others or
// not.
func namesNothing(o *data.Object) bool {
	for key, v := range o.All() {
		switch key {
		case "$schema", "type", "title", "description", "$id", "$comment", "$defs", "definitions", "default", "examples", "maxProperties":
		case "properties", "required", "patternProperties":
			if size(v) > 0 {
				return false
			}
		case "additionalProperties":
			if v != data.Bool(false) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func size(v data.Value) int {
	switch v := v.(type) {
	case data.Array:
		return v.Len()
	case *data.Object:
		return v.Len()
	}
	return 0
}

// emptiness asks whether an empty object will do; left bounds the schemas it
// looks at.
type emptiness struct {
	root data.Value
	left int
}

// takes reports that nothing in v speaks against an empty object.
func (e *emptiness) takes(v data.Value, depth int) bool {
	e.left--
	o, ok := v.(*data.Object)
	if !ok || depth > maxNesting || e.left < 0 {
		return v != data.Bool(false)
	}
	if names := typeNames(o); len(names) > 0 && !hasType(names, (*data.Object)(nil)) {
		return false
	}
	if n, ok := count(o, "minProperties"); ok && n > 0 || size(member(o, "required")) > 0 || isConstant(o) {
		return false
	}
	if v, _, _ := target(e.root, text(o, "$ref")); v != nil && !e.takes(v, depth+1) {
		return false
	}
	if all, ok := member(o, "allOf").(data.Array); ok {
		for _, part := range head(all) {
			if !e.takes(part, depth+1) {
				return false
			}
		}
	}
	return e.anyTakes(o, "anyOf", depth) && e.anyTakes(o, "oneOf", depth)
}

func isConstant(o *data.Object) bool {
	_, ok := firstOf(o, "const", "enum")
	return ok
}

func (e *emptiness) anyTakes(o *data.Object, key string, depth int) bool {
	list, ok := member(o, key).(data.Array)
	if !ok || list.Len() == 0 {
		return true
	}
	for _, part := range head(list) {
		if e.takes(part, depth+1) {
			return true
		}
	}
	return false
}

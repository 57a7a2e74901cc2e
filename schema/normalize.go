// This file defines how nil slices and maps of Go become what their schema
// says.

package schema

import (
	"strings"

	"github.com/codemode-go/codemode/data"
)

// Normalize replaces the nulls that encoding/json writes for nil slices and
// maps by empty arrays, strings and objects, where the schema, one that was inferred
// from a Go type, wants these and no null. It returns v itself if there is
// nothing to do.
func (s *Schema) Normalize(v data.Value) data.Value {
	if s == nil || s.quick().accepts(v) {
		return v
	}
	n := normalizer{root: s.Object()}
	return n.value(s.document, v, 0)
}

type normalizer struct{ root *data.Object }

func (n normalizer) value(schema, v data.Value, depth int) data.Value {
	o, ok := schema.(*data.Object)
	if !ok || depth > data.MaxDepth {
		return v
	}
	if ref, ok := member(o, "$ref").(data.String); ok {
		defs, _ := member(n.root, "$defs").(*data.Object)
		return n.value(member(defs, strings.TrimPrefix(string(ref), defsPrefix)), v, depth+1)
	}
	switch v := v.(type) {
	case data.Null:
		switch name, _ := member(o, "type").(data.String); name {
		case "array":
			return data.NewArray(nil)
		case "string": // of a nil []byte
			return data.String("")
		case "object":
			return data.NewObject(nil)
		}
	case data.Array:
		items := make([]data.Value, v.Len())
		for i, item := range v.All() {
			items[i] = n.value(member(o, "items"), item, depth+1)
		}
		return data.NewArray(items)
	case *data.Object:
		return n.object(o, v, depth)
	}
	return v
}

func (n normalizer) object(schema, v *data.Object, depth int) data.Value {
	if branches, ok := member(schema, "anyOf").(data.Array); ok && branches.Len() > 0 {
		return n.value(branches.At(0), v, depth+1) // what nullable made
	}
	properties, _ := member(schema, "properties").(*data.Object)
	members := make([]data.Member, 0, v.Len())
	for key, item := range v.All() {
		of, ok := properties.Get(key)
		if !ok {
			of = member(schema, "additionalProperties")
		}
		members = append(members, data.Member{Key: key, Value: n.value(of, item, depth+1)})
	}
	return data.NewObject(members)
}

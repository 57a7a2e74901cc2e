// This file defines how the keyword nullable of OpenAPI 3.0, which the
// validator does not know, is read.

package schema

import "github.com/codemode-go/codemode/data"

// withNull is a schema whose parts with nullable: true allow null, and whether
// there are any; without, it is v itself.
func withNull(v data.Value, depth int) (data.Value, bool) {
	if depth > data.MaxDepth {
		return v, false
	}
	changed := false
	part := func(of data.Value) data.Value {
		of, c := withNull(of, depth+1)
		changed = changed || c
		return of
	}
	switch v := v.(type) {
	case data.Array:
		items := make([]data.Value, v.Len())
		for i, item := range v.All() {
			items[i] = part(item)
		}
		if changed {
			return data.NewArray(items), true
		}
	case *data.Object:
		members := make([]data.Member, 0, v.Len())
		for key, item := range v.All() {
			switch key {
			case "const", "enum", "default", "example", "examples": // data, no schemas
			default:
				item = part(item)
			}
			members = append(members, data.Member{Key: key, Value: item})
		}
		_, typed := member(v, "type").(data.String)
		if allowed, _ := member(v, "nullable").(data.Bool); bool(allowed) && typed {
			return nullable(data.NewObject(members)), true
		}
		if changed {
			return data.NewObject(members), true
		}
	}
	return v, false
}

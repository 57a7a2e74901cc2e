// This file defines which fields of a struct encoding/json writes and reads,
// and what their schemas become.

package schema

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// field is a struct field as encoding/json sees it.
type field struct {
	name     string
	typ      reflect.Type
	optional bool // may be absent: omitempty, omitzero, or below an embedded pointer
	text     bool // has the option string
	desc     string
	owner    reflect.Type // the struct that declares it
	goName   string
	depth    int
	tagged   bool
	alone    bool // what the reflector says of it may be wrong
}

// fieldsOf are the fields of a struct and of those it embeds, where of several
// with one name the least deep counts, then the one whose name comes from a tag,
// else none.
func fieldsOf(t reflect.Type) []field {
	all := appendFields(nil, t, false, 0)
	var fields []field
	for i, f := range all {
		dominant := true
		for j, g := range all {
			if i != j && f.name == g.name {
				f.alone = true
				dominant = dominant && (f.depth < g.depth || f.depth == g.depth && f.tagged && !g.tagged)
			}
		}
		if dominant {
			fields = append(fields, f)
		}
	}
	return fields
}

// maxEmbedded bounds the depth of embedded structs.
const maxEmbedded = 10

func appendFields(fields []field, t reflect.Type, optional bool, depth int) []field {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner, pointer := f.Type, false
		if inner.Kind() == reflect.Pointer {
			inner, pointer = inner.Elem(), true
		}
		switch {
		case f.Tag.Get("jsonschema") == "-", name == "-" && options == "" && !strings.Contains(f.Tag.Get("json"), ","):
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct && depth < maxEmbedded:
			fields = appendFields(fields, inner, optional || pointer, depth+1)
		case f.IsExported():
			tagged := name != ""
			if !tagged {
				name = f.Name
			}
			omit, text := hasOption(options, "omitempty") || hasOption(options, "omitzero"), hasOption(options, "string")
			basic := textOf(inner.Kind()) != ""
			fields = append(fields, field{name: name, typ: f.Type, optional: optional || omit, text: text && basic, alone: text && !basic,
				desc: f.Tag.Get("desc"), owner: t, goName: f.Name, depth: depth, tagged: tagged})
		}
	}
	return fields
}

func hasOption(options, option string) bool {
	return slices.Contains(strings.Split(options, ","), option)
}

// textOf is the pattern of a basic type as text, for the option string and for
// the keys of maps, or "".
func textOf(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "^(true|false)$"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "^-?(0|[1-9][0-9]{0,18})$"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return "^(0|[1-9][0-9]{0,19})$"
	case reflect.Float32, reflect.Float64:
		return `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`
	case reflect.String:
		return `^".*"$`
	}
	return ""
}

// maxFloat32 is the greatest float32 as it is written, a little more than it is.
const maxFloat32 = 3.4028235e+38

// bounded adds the bounds of a numeric type to the schema of an input.
func (in *inference) bounded(k reflect.Kind, o *data.Object) *data.Object {
	if in.direction == Output || member(o, "enum") != nil {
		return o
	}
	var low, high data.Number
	switch k {
	case reflect.Int8, reflect.Int16, reflect.Int32:
		bits := map[reflect.Kind]int{reflect.Int8: 7, reflect.Int16: 15, reflect.Int32: 31}[k]
		low, high = data.IntOf(-1<<bits), data.IntOf(1<<bits-1)
	case reflect.Int, reflect.Int64:
		low, high = data.IntOf(math.MinInt64), data.IntOf(math.MaxInt64)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		high = data.IntOf(1<<map[reflect.Kind]int{reflect.Uint8: 8, reflect.Uint16: 16, reflect.Uint32: 32}[k] - 1)
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		high, _ = data.Integer("18446744073709551615")
	case reflect.Float32:
		low, high = data.NumberOf(-maxFloat32), data.NumberOf(maxFloat32)
	default:
		return o
	}
	for _, bound := range [...]struct {
		key, other string
		value      data.Number
	}{{"minimum", "exclusiveMinimum", low}, {"maximum", "exclusiveMaximum", high}} {
		if _, given := firstOf(o, bound.key, bound.other); !given {
			o = with(o, bound.key, bound.value)
		}
	}
	return o
}

func (in *inference) mendStruct(t reflect.Type, o *data.Object) data.Value {
	properties, ok := member(o, "properties").(*data.Object)
	if !ok {
		return o
	}
	var required []data.Value
	var members []data.Member
	for _, f := range fieldsOf(t) {
		p, ok := properties.Get(f.name)
		if !ok || f.alone {
			p = in.alone(f.typ)
		}
		members = append(members, data.Member{Key: f.name, Value: in.mendField(f, p)})
		if !f.optional {
			required = append(required, data.String(f.name))
		}
	}
	o = with(o, "properties", data.NewObject(members))
	if comment := commentOn(t, t.Name()); comment != "" && member(o, "description") == nil {
		o = with(o, "description", data.String(comment))
	}
	if len(required) == 0 {
		return without(o, "required")
	}
	return with(o, "required", data.NewArray(required))
}

// alone is the schema of a field's type without what its tag says, for where
// the reflector left the field out or took another one with the same name.
func (in *inference) alone(t reflect.Type) data.Value {
	document, err := in.reflect(t)
	o, ok := document.(*data.Object)
	if err != nil || !ok {
		return data.Bool(true)
	}
	defs, _ := member(o, "$defs").(*data.Object)
	in.define(defs)
	return without(o, "$schema", "$defs")
}

func (in *inference) mendField(f field, p data.Value) data.Value {
	if f.text {
		p = in.mendText(f, p)
	} else {
		p = in.mend(f.typ, p)
	}
	o, ok := p.(*data.Object)
	if desc := f.desc; ok || p == data.Value(data.Bool(true)) {
		if desc == "" && member(o, "description") == nil {
			desc = commentOn(f.owner, f.owner.Name()+"."+f.goName)
		}
		if desc != "" {
			p = with(o, "description", data.String(desc))
		}
	}
	if f.typ.Kind() == reflect.Pointer && (!f.optional || f.typ.Elem().Kind() == reflect.Pointer) {
		p = nullable(p)
	}
	return p
}

// mendText is the schema of a field with the option string.
func (in *inference) mendText(f field, p data.Value) data.Value {
	o, ok := p.(*data.Object)
	if !ok {
		return p
	}
	o = with(o, "type", data.String("string"))
	t := f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if in.direction == Input && member(o, "pattern") == nil {
		o = with(o, "pattern", data.String(textOf(t.Kind())))
	}
	return o
}

// commentOn is what the generated method of a type says about it or a field.
func commentOn(t reflect.Type, key string) string {
	name, field, _ := strings.Cut(key, ".")
	name, _, _ = strings.Cut(name, "[") // of an instance
	if field != "" {
		name += "." + field
	}
	var comment string
	ofZero(t, func(c interface{ SchemaComments() map[string]string }) { comment = c.SchemaComments()[name] })
	return comment
}

// This file defines how Go types become schemas: by a third-party reflector
// whose output is then mended to follow what encoding/json really does.

package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/codemode-go/codemode/data"
)

// Direction says on which side of a tool a type stands.
type Direction uint8

// The directions. An input refuses unknown fields and negative unsigned
// numbers.
const (
	Input Direction = iota
	Output
)

// String is the direction in a message.
func (d Direction) String() string {
	if d == Input {
		return "input"
	}
	return "output"
}

// Of infers the schema of T. See [FromType].
func Of[T any](d Direction) (*Schema, error) { return FromType(reflect.TypeFor[T](), d) }

// FromType infers the schema of a Go type as encoding/json writes and reads it:
// struct fields in their order, required unless omitempty or omitzero, pointers
// without them nullable, also in slices and maps, named types in $defs. Field tags jsonschema and desc
// add keywords and a description; a method JSONSchema() or Enum() []any
// replaces or narrows what is inferred, and one SchemaComments, which the
// command schema/comments generates, describes what has no description. Types
// with a MarshalJSON or UnmarshalJSON of their own accept anything, those with MarshalText, and
// of an input those with UnmarshalText, are strings. time.Time is a string in the format date-time, time.Duration an
// integer of nanoseconds, []byte base64. Of an input, numbers have the bounds
// of their type, so that what is valid can be decoded. The error names a type
// that has no JSON form, or that encoding/json cannot read, and the keywords of tags that
// are unknown, do not apply to their field or have no value they can have.
func FromType(t reflect.Type, d Direction) (s *Schema, err error) {
	defer func() {
		if r := recover(); r != nil { // the reflector panics on channels and functions
			err = fmt.Errorf("no JSON Schema for the Go type %s: %v", t, r)
		}
	}()
	if loop := endless(t, d, nil, map[reflect.Type]bool{}); loop != nil {
		return nil, fmt.Errorf("no JSON Schema for the Go type %s: %s contains itself other than through the fields of a struct", t, loop)
	}
	if err := impossible(t, d, map[reflect.Type]bool{}); err != nil {
		return nil, fmt.Errorf("no JSON Schema for the Go type %s as %s: %w", t, d, err)
	}
	if err := checkTags(t, d); err != nil {
		return nil, fmt.Errorf("no JSON Schema for the Go type %s: %w", t, err)
	}
	in := &inference{direction: d, types: map[string]reflect.Type{}, names: map[reflect.Type]string{}}
	document, err := in.reflect(t)
	if err != nil {
		return nil, err
	}
	return inferredSchema(in.finish(t, document)), nil
}

// reflect is what the reflector says of a type.
func (in *inference) reflect(t reflect.Type) (data.Value, error) {
	reflector := jsonschema.Reflector{Anonymous: true, Mapper: in.mapped, Namer: in.name}
	text, err := json.Marshal(reflector.ReflectFromType(t))
	if err != nil {
		return nil, err
	}
	return data.Parse(text)
}

// endless finds a type that contains itself by elements and embedding alone;
// the reflector would follow it for ever. path is how t was reached that way.
func endless(t reflect.Type, d Direction, path []reflect.Type, seen map[reflect.Type]bool) reflect.Type {
	if slices.Contains(path, t) {
		return t
	}
	path = append(slices.Clip(path), t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return endless(t.Elem(), d, path, seen)
	case reflect.Struct:
		if seen[t] || opaque(t, d) {
			return nil
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			from := path
			if !f.Anonymous {
				from = nil
			}
			if loop := endless(f.Type, d, from, seen); loop != nil {
				return loop
			}
		}
	}
	return nil
}

type inference struct {
	direction Direction
	types     map[string]reflect.Type
	names     map[reflect.Type]string
	defs      []data.Member
}

// name gives each type a name of its own that is an identifier.
func (in *inference) name(t reflect.Type) string {
	if name := in.names[t]; name != "" {
		return name
	}
	base := identifier(t.Name())
	name := base
	for n := 2; in.types[name] != nil; n++ {
		name = base + strconv.Itoa(n)
	}
	if base != "" {
		in.names[t], in.types[name] = name, t
	}
	return name
}

// identifier drops packages and brackets of an instance: Page[a/b.Issue] is
// PageIssue.
func identifier(name string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("[],*· ", r) }) {
		part = part[strings.LastIndexAny(part, "./")+1:]
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

const defsPrefix = "#/$defs/"

// finish mends all definitions and puts the root's in the place of the
// reference to it.
func (in *inference) finish(t reflect.Type, document data.Value) data.Value {
	root, ok := document.(*data.Object)
	if !ok {
		return document
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	defs, _ := member(root, "$defs").(*data.Object)
	in.define(defs)
	body := without(root, "$schema", "$defs")
	ref, isRef := member(body, "$ref").(data.String)
	if !isRef {
		body, _ = in.mend(t, body).(*data.Object)
	}
	mended := in.mendedDefs()
	text := data.JSON(data.NewObject(append([]data.Member(nil), mended...)))
	own := strings.TrimPrefix(string(ref), defsPrefix)
	kept := make([]data.Member, 0, len(mended))
	for _, m := range mended {
		if isRef && m.Key == own {
			body, _ = m.Value.(*data.Object)
			if !strings.Contains(text, `"`+defsPrefix+own+`"`) {
				continue
			}
		}
		kept = append(kept, m)
	}
	if len(kept) > 0 {
		body = with(body, "$defs", data.NewObject(kept))
	}
	return body
}

// define adds definitions that are not there yet.
func (in *inference) define(defs *data.Object) {
	for name, def := range defs.All() {
		if !slices.ContainsFunc(in.defs, func(m data.Member) bool { return m.Key == name }) {
			in.defs = append(in.defs, data.Member{Key: name, Value: def})
		}
	}
}

// mendedDefs mends the definitions, those that come up meanwhile included.
func (in *inference) mendedDefs() []data.Member {
	var mended []data.Member
	for i := 0; i < len(in.defs); i++ {
		m := in.defs[i]
		if of := in.types[m.Key]; of != nil {
			m.Value = in.mend(of, m.Value)
		}
		mended = append(mended, m)
	}
	return mended
}

// mend follows a type and its schema side by side.
func (in *inference) mend(t reflect.Type, v data.Value) data.Value {
	o, ok := v.(*data.Object)
	if !ok {
		return v
	}
	if _, isRef := o.Get("$ref"); isRef {
		return o
	}
	if values := enumOf(t); values != nil {
		o = with(o, "enum", values)
	}
	if opaque(t, in.direction) {
		if t == reflect.TypeFor[time.Duration]() {
			return in.bounded(reflect.Int64, o)
		}
		return o
	}
	switch t.Kind() {
	case reflect.Pointer:
		return in.mend(t.Elem(), o)
	case reflect.Slice, reflect.Array:
		if items, ok := o.Get("items"); ok {
			return with(o, "items", in.element(t.Elem(), items))
		}
	case reflect.Map:
		return in.mendMap(t, o)
	case reflect.Struct:
		return in.mendStruct(t, o)
	default:
		return in.bounded(t.Kind(), o)
	}
	return o
}

func enumOf(t reflect.Type) data.Value {
	var list []any
	ofZero(t, func(e interface{ Enum() []any }) { list = e.Enum() })
	values, err := data.From(list)
	if list == nil || err != nil {
		return nil
	}
	return values
}

// ofZero calls f with the zero value of a type that has the methods. A method
// may be one of an embedded pointer, which is nil here: then it says nothing.
func ofZero[T any](t reflect.Type, f func(T)) {
	defer func() { _ = recover() }()
	if t.Kind() == reflect.Pointer {
		return
	}
	if v, ok := reflect.Zero(t).Interface().(T); ok {
		f(v)
	}
}

// element is the schema of what a slice, array or map holds.
func (in *inference) element(t reflect.Type, v data.Value) data.Value {
	v = in.mend(t, v)
	if t.Kind() == reflect.Pointer {
		return nullable(v)
	}
	return v
}

// mendMap replaces the pattern that the reflector writes for integer keys.
func (in *inference) mendMap(t reflect.Type, o *data.Object) data.Value {
	if patterns, ok := member(o, "patternProperties").(*data.Object); ok && patterns.Len() == 1 {
		o = with(without(o, "patternProperties"), "additionalProperties", patterns.At(0).Value)
	}
	if values, ok := o.Get("additionalProperties"); ok {
		values = in.element(t.Elem(), values)
		if in.direction == Output && evasive(t.Elem()) {
			values = data.Bool(true)
		}
		o = with(o, "additionalProperties", values)
	}
	if pattern := textOf(t.Key().Kind()); in.direction == Input && pattern != "" && t.Key().Kind() != reflect.String && !implements(t.Key(), textMarshaler) {
		o = with(o, "propertyNames", data.NewObject([]data.Member{{Key: "pattern", Value: data.String(pattern)}}))
	}
	return o
}

// nullable allows null besides.
func nullable(v data.Value) data.Value {
	o, ok := v.(*data.Object)
	if !ok || o.Len() == 0 {
		return v
	}
	null := data.String("null")
	if name, ok := member(o, "type").(data.String); ok {
		o = with(o, "type", data.NewArray([]data.Value{name, null}))
		if values, ok := member(o, "enum").(data.Array); ok {
			var all []data.Value
			for _, value := range values.All() {
				all = append(all, value)
			}
			o = with(o, "enum", data.NewArray(append(all, data.Null{})))
		}
		return o
	}
	description, described := o.Get("description")
	o = data.NewObject([]data.Member{{Key: "anyOf", Value: data.NewArray([]data.Value{
		without(o, "description"), data.NewObject([]data.Member{{Key: "type", Value: null}}),
	})}})
	if described {
		o = with(o, "description", description)
	}
	return o
}

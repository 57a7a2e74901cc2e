// This file defines which Go types have a JSON form that their kind does not
// tell, and which have none.

package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/codemode-go/codemode/data"
)

var (
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	described       = reflect.TypeFor[interface{ JSONSchema() *jsonschema.Schema }]()
	valueType       = reflect.TypeFor[data.Value]()
	urlType         = reflect.TypeFor[url.URL]()
)

// urlFields is a url.URL that the reflector does not know: it takes URLs for
// strings, which encoding/json neither writes nor reads.
type urlFields url.URL

// fixed are the types whose form the reflector does not know.
var fixed = map[reflect.Type]string{
	reflect.TypeFor[json.Number]():   "number",
	reflect.TypeFor[big.Int]():       "integer",
	reflect.TypeFor[data.Number]():   "number",
	reflect.TypeFor[data.String]():   "string",
	reflect.TypeFor[data.Bool]():     "boolean",
	reflect.TypeFor[data.Null]():     "null",
	reflect.TypeFor[data.Array]():    "array",
	reflect.TypeFor[data.Object]():   "object",
	reflect.TypeFor[time.Duration](): "integer",
}

func implements(t, i reflect.Type) bool {
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}

// isText reports that a type is a JSON string by methods of its own.
func isText(t reflect.Type, d Direction) bool {
	return implements(t, textMarshaler) || d == Input && implements(t, textUnmarshaler)
}

// opaque reports that a type's fields do not tell its JSON form.
func opaque(t reflect.Type, d Direction) bool {
	return fixed[t] != "" || t == reflect.TypeFor[time.Time]() || implements(t, described) || implements(t, jsonMarshaler) ||
		implements(t, jsonUnmarshaler) || isText(t, d)
}

// evasive reports that encoding/json does not see the methods of a type, or of
// a part of it, where the value cannot be addressed, as in a map.
func evasive(t reflect.Type) bool {
	for _, i := range [...]reflect.Type{jsonMarshaler, textMarshaler} {
		if reflect.PointerTo(t).Implements(i) {
			return !t.Implements(i)
		}
	}
	switch t.Kind() {
	case reflect.Array:
		return evasive(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && evasive(f.Type) {
				return true
			}
		}
	}
	return false
}

// isBytes reports a slice that encoding/json writes in base64.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 &&
		!implements(t.Elem(), jsonMarshaler) && !implements(t.Elem(), textMarshaler)
}

// mapped is the schema of a type about which the reflector is wrong, or nil.
func (in *inference) mapped(t reflect.Type) *jsonschema.Schema {
	switch {
	case fixed[t] != "":
		return &jsonschema.Schema{Type: fixed[t]}
	case t == valueType:
		return &jsonschema.Schema{}
	case t == reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case implements(t, described), t.Kind() == reflect.Interface:
		return nil
	case implements(t, jsonMarshaler), implements(t, jsonUnmarshaler):
		return &jsonschema.Schema{}
	case isText(t, in.direction):
		return &jsonschema.Schema{Type: "string"}
	case t == urlType:
		inside := jsonschema.Reflector{Anonymous: true, DoNotReference: true, Mapper: in.mapped}
		s := inside.ReflectFromType(reflect.TypeFor[urlFields]())
		s.Version = ""
		return s
	case isBytes(t):
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	case isWhole(t.Kind()) && (t.Kind() == reflect.Uintptr || isProtobuf(t)):
		return &jsonschema.Schema{Type: "integer"}
	}
	return nil
}

// isProtobuf reports an enumeration that the reflector takes for what another
// encoder makes of it.
func isProtobuf(t reflect.Type) bool {
	_, ok := t.MethodByName("EnumDescriptor")
	return ok
}

func isWhole(k reflect.Kind) bool { return reflect.Int <= k && k <= reflect.Uintptr }

// impossible says what in a type encoding/json cannot write, or of an input
// read.
func impossible(t reflect.Type, d Direction, seen map[reflect.Type]bool) error {
	if seen[t] || opaque(t, d) || t == valueType {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		if d == Input && t.NumMethod() > 0 {
			return fmt.Errorf("nothing can be decoded into the interface %s", t)
		}
	case reflect.Map:
		if !isKey(t.Key(), d) {
			return fmt.Errorf("the keys of %s are neither strings nor integers", t)
		}
		return impossible(t.Elem(), d, seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return impossible(t.Elem(), d, seen)
	case reflect.Struct:
		return impossibleField(t, d, seen)
	}
	return nil
}

func impossibleField(t reflect.Type, d Direction, seen map[reflect.Type]bool) error {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("json") == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if d == Input && f.Anonymous && !f.IsExported() && f.Type.Kind() == reflect.Pointer {
			return fmt.Errorf("encoding/json cannot set %s of %s, an embedded pointer to an unexported type", f.Name, t)
		}
		if err := impossible(f.Type, d, seen); err != nil {
			return err
		}
	}
	return nil
}

// isKey reports that encoding/json takes a type for the keys of maps.
func isKey(t reflect.Type, d Direction) bool {
	if d == Input && implements(t, textUnmarshaler) || d == Output && t.Implements(textMarshaler) {
		return true
	}
	return t.Kind() == reflect.String || isWhole(t.Kind())
}

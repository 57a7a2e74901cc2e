// This file defines codecs: plans, made once a Go type, that do what encoding/json does without the text in between.

package data

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// codec converts values of one Go type. Where a value is in any way unusual (a mismatch, an error, a key in other case)
// it gives up, and the caller goes through encoding/json, which decides; so a codec never has to word an error.
type codec struct {
	encode func(v reflect.Value, depth int) (Value, bool)
	decode func(v Value, into reflect.Value, depth int) bool
}

var codecs sync.Map // reflect.Type → *codec

// codecOf finds or makes the codec of a type.
func codecOf(t reflect.Type) *codec {
	if c, ok := codecs.Load(t); ok {
		return c.(*codec)
	}
	made := map[reflect.Type]*codec{}
	c := planned(t, made)
	for t, c := range made {
		codecs.LoadOrStore(t, c)
	}
	return c
}

// planned makes a codec; made has those under construction, which recursive types refer to.
func planned(t reflect.Type, made map[reflect.Type]*codec) *codec {
	if c, ok := codecs.Load(t); ok {
		return c.(*codec)
	}
	if c := made[t]; c != nil {
		return c
	}
	c := &codec{}
	made[t] = c
	if ownForm(t) {
		*c = leaf
		return c
	}
	switch t.Kind() {
	case reflect.Bool:
		*c = boolean
	case reflect.String:
		*c = text
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		*c = signed
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		*c = unsigned
	case reflect.Float64:
		*c = float
	case reflect.Pointer:
		*c = pointer(t, planned(t.Elem(), made))
	case reflect.Slice:
		*c = leaf
		if t.Elem().Kind() != reflect.Uint8 {
			*c = slice(t, planned(t.Elem(), made))
		}
	case reflect.Map:
		*c = leaf
		if t.Key().Kind() == reflect.String && !ownForm(t.Key()) {
			*c = mapping(t, planned(t.Elem(), made))
		}
	case reflect.Struct:
		*c = structure(t, made)
	default:
		*c = leaf
	}
	return c
}

var ownForms = []reflect.Type{
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

// ownForm reports whether encoding/json asks the type itself.
func ownForm(t reflect.Type) bool {
	if t == reflect.TypeFor[json.Number]() {
		return true
	}
	return slices.ContainsFunc(ownForms, func(i reflect.Type) bool { return t.Implements(i) || reflect.PointerTo(t).Implements(i) })
}

// leaf leaves a value to encoding/json.
var leaf = codec{
	encode: func(v reflect.Value, _ int) (Value, bool) {
		if v.CanAddr() && v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
			v = v.Addr() // a method of the pointer counts where encoding/json could reach it
		}
		text, err := json.Marshal(v.Interface())
		if err != nil {
			return nil, false
		}
		parsed, err := Parse(text)
		return parsed, err == nil
	},
	decode: func(v Value, into reflect.Value, _ int) bool {
		return json.Unmarshal(AppendJSON(nil, v), into.Addr().Interface()) == nil
	},
}

var boolean = codec{
	encode: func(v reflect.Value, _ int) (Value, bool) { return Bool(v.Bool()), true },
	decode: func(v Value, into reflect.Value, _ int) bool {
		b, ok := v.(Bool)
		if ok {
			into.SetBool(bool(b))
		}
		return ok
	},
}

var text = codec{
	encode: func(v reflect.Value, _ int) (Value, bool) { return String(v.String()), utf8.ValidString(v.String()) },
	decode: func(v Value, into reflect.Value, _ int) bool {
		s, ok := v.(String)
		if !ok || !utf8.ValidString(string(s)) {
			return false
		}
		into.SetString(string(s))
		return true
	},
}

// whole is a number that JSON text would show as an integer of few enough digits.
func whole(v Value) (float64, bool) {
	n, ok := v.(Number)
	return n.float, ok && n.digits == "" && n.float == math.Trunc(n.float) && math.Abs(n.float) <= maxSafe
}

var signed = codec{
	encode: func(v reflect.Value, _ int) (Value, bool) { return IntOf(v.Int()), true },
	decode: func(v Value, into reflect.Value, _ int) bool {
		f, ok := whole(v)
		if !ok || into.OverflowInt(int64(f)) {
			return false
		}
		into.SetInt(int64(f))
		return true
	},
}

var unsigned = codec{
	encode: func(v reflect.Value, _ int) (Value, bool) { return IntOf(int64(v.Uint())), v.Uint() <= math.MaxInt64 },
	decode: func(v Value, into reflect.Value, _ int) bool {
		f, ok := whole(v)
		if !ok || f < 0 || into.OverflowUint(uint64(f)) {
			return false
		}
		into.SetUint(uint64(f))
		return true
	},
}

var float = codec{
	encode: func(v reflect.Value, _ int) (Value, bool) {
		f := v.Float()
		return NumberOf(f), !math.IsNaN(f) && !math.IsInf(f, 0)
	},
	decode: func(v Value, into reflect.Value, _ int) bool {
		n, ok := v.(Number)
		if !ok || math.IsNaN(n.float) || math.IsInf(n.float, 0) {
			return false
		}
		into.SetFloat(n.float + 0) // text shows -0 as 0
		return true
	},
}

// null reports whether v is null as JSON text.
func null(v Value) bool {
	switch v := v.(type) {
	case nil, Null:
		return true
	case Number:
		return v.digits == "" && (math.IsNaN(v.float) || math.IsInf(v.float, 0))
	}
	return false
}

func pointer(t reflect.Type, of *codec) codec {
	return codec{
		encode: func(v reflect.Value, depth int) (Value, bool) {
			if v.IsNil() {
				return Null{}, true
			}
			return of.encode(v.Elem(), depth)
		},
		decode: func(v Value, into reflect.Value, depth int) bool {
			if null(v) {
				into.SetZero()
				return true
			}
			made := reflect.New(t.Elem())
			if !of.decode(v, made.Elem(), depth) {
				return false
			}
			into.Set(made)
			return true
		},
	}
}

func slice(t reflect.Type, of *codec) codec {
	return codec{
		encode: func(v reflect.Value, depth int) (Value, bool) {
			if v.IsNil() {
				return Null{}, true
			}
			if depth >= MaxDepth {
				return nil, false
			}
			items := make([]Value, v.Len())
			for i := range items {
				item, ok := of.encode(v.Index(i), depth+1)
				if !ok {
					return nil, false
				}
				items[i] = item
			}
			return Array{items}, true
		},
		decode: func(v Value, into reflect.Value, depth int) bool {
			a, ok := v.(Array)
			if !ok || depth >= MaxDepth {
				return false
			}
			made := reflect.MakeSlice(t, len(a.items), len(a.items))
			for i, item := range a.items {
				if !of.decode(item, made.Index(i), depth+1) {
					return false
				}
			}
			into.Set(made)
			return true
		},
	}
}

func mapping(t reflect.Type, of *codec) codec {
	return codec{
		encode: func(v reflect.Value, depth int) (Value, bool) {
			if v.IsNil() {
				return Null{}, true
			}
			if depth >= MaxDepth {
				return nil, false
			}
			members := make([]Member, 0, v.Len())
			for entries := v.MapRange(); entries.Next(); {
				item, ok := of.encode(entries.Value(), depth+1)
				if !ok || !utf8.ValidString(entries.Key().String()) {
					return nil, false
				}
				members = append(members, Member{entries.Key().String(), item})
			}
			slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Key, b.Key) })
			return NewObject(members), true
		},
		decode: func(v Value, into reflect.Value, depth int) bool {
			o, ok := v.(*Object)
			if !ok || depth >= MaxDepth {
				return false
			}
			made := reflect.MakeMapWithSize(t, o.Len())
			for key, item := range o.All() {
				element := reflect.New(t.Elem()).Elem()
				if !utf8.ValidString(key) || !of.decode(item, element, depth+1) {
					return false
				}
				made.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), element)
			}
			into.Set(made)
			return true
		},
	}
}

// field is one member of a struct.
type field struct {
	name string
	at   int
	of   *codec
	omit func(reflect.Value) bool // nil: never
}

func structure(t reflect.Type, made map[reflect.Type]*codec) codec {
	fields, ok := fieldsOf(t, made)
	if !ok {
		return leaf
	}
	index := make(map[string]int, len(fields))
	for i, f := range fields {
		index[f.name] = i
	}
	if len(index) < len(fields) {
		return leaf // which of two fields of one name counts is encoding/json's to decide
	}
	return codec{
		encode: func(v reflect.Value, depth int) (Value, bool) {
			if depth >= MaxDepth {
				return nil, false
			}
			members := make([]Member, 0, len(fields))
			for i := range fields {
				f := &fields[i]
				x := v.Field(f.at)
				if f.omit != nil && f.omit(x) {
					continue
				}
				item, ok := f.of.encode(x, depth+1)
				if !ok {
					return nil, false
				}
				members = append(members, Member{f.name, item})
			}
			return NewObject(members), true
		},
		decode: func(v Value, into reflect.Value, depth int) bool {
			o, ok := v.(*Object)
			if !ok || depth >= MaxDepth {
				return false
			}
			for key, item := range o.All() {
				i, ok := index[key]
				if !ok || !fields[i].of.decode(item, into.Field(fields[i].at), depth+1) {
					return false
				}
			}
			return true
		},
	}
}

// fieldsOf plans the fields of a struct, or gives up on what only encoding/json gets right: embedding, the string option,
// names it might not take as they stand.
func fieldsOf(t reflect.Type, made map[reflect.Type]*codec) ([]field, bool) {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		switch {
		case f.Anonymous:
			return nil, false
		case !f.IsExported() || tag == "-":
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		omit, ok := omission(f.Type, rest)
		if !ok || !plainName(name) {
			return nil, false
		}
		fields = append(fields, field{name, i, planned(f.Type, made), omit})
	}
	return fields, true
}

func plainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-.$", r)
	})
}

func omission(t reflect.Type, options string) (omit func(reflect.Value) bool, ok bool) {
	switch options {
	case "":
		return nil, true
	case "omitempty":
		return empty, true
	case "omitzero":
		_, own := t.MethodByName("IsZero")
		_, ofPointer := reflect.PointerTo(t).MethodByName("IsZero")
		return reflect.Value.IsZero, !own && !ofPointer
	}
	return nil, false
}

// empty is encoding/json's idea of empty.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

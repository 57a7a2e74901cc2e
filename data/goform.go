// This file defines how Go values become data and data becomes Go values, by
// the rules of encoding/json.

package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// PathError is a Go value that has no data form.
type PathError struct {
	Path    string // below the value given, as ".items[3].done"; "" is the value itself
	Message string
}

// Error implements error.
func (e *PathError) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// From makes data of a Go value by its JSON form: struct tags, json.Marshaler,
// json.RawMessage, json.Number and time.Time (RFC 3339) are honoured, maps are
// sorted by key, integers keep their digits, strings are repaired to UTF-8. A
// Value is returned as it is. Channels, functions, cycles, NaN and infinities
// are a [*PathError]; RawMessage that is no JSON is an error too.
func From(v any) (Value, error) {
	return from(v, 0)
}

func from(v any, depth int) (Value, error) {
	if depth > MaxDepth {
		return nil, &PathError{Message: "nested deeper than " + strconv.Itoa(MaxDepth) + ", or a cycle"}
	}
	switch v := v.(type) {
	case nil:
		return Null{}, nil
	case Value:
		return v, nil
	case bool:
		return Bool(v), nil
	case string:
		return String(strings.ToValidUTF8(v, "\uFFFD")), nil
	case int:
		return IntOf(int64(v)), nil
	case int64:
		return IntOf(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &PathError{Message: strconv.FormatFloat(v, 'g', -1, 64) + " has no JSON form"}
		}
		return NumberOf(v), nil
	case json.RawMessage:
		if len(v) == 0 {
			return Null{}, nil
		}
		return Parse(v)
	case []any:
		return fromSlice(v, depth)
	case map[string]any:
		return fromMap(v, depth)
	}
	at := reflect.ValueOf(v)
	if made, ok := codecOf(at.Type()).encode(at, depth); ok {
		return made, nil
	}
	return marshalled(v)
}

func fromSlice(s []any, depth int) (Value, error) {
	if s == nil {
		return Null{}, nil
	}
	items := make([]Value, len(s))
	for i, item := range s {
		v, err := from(item, depth+1)
		if err != nil {
			return nil, below("["+strconv.Itoa(i)+"]", err)
		}
		items[i] = v
	}
	return Array{items}, nil
}

func fromMap(m map[string]any, depth int) (Value, error) {
	if m == nil {
		return Null{}, nil
	}
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	members := make([]Member, len(keys))
	for i, key := range keys {
		v, err := from(m[key], depth+1)
		if err != nil {
			return nil, below(string(AppendKey(nil, key)), err)
		}
		members[i] = Member{strings.ToValidUTF8(key, "\uFFFD"), v}
	}
	return NewObject(members), nil
}

// maxErrorPath bounds the path that a cycle would otherwise fill.
const maxErrorPath = 120

func below(step string, err error) error {
	var at *PathError
	if !errors.As(err, &at) {
		return &PathError{Path: step, Message: err.Error()}
	}
	if len(at.Path) < maxErrorPath {
		return &PathError{Path: step + at.Path, Message: at.Message}
	}
	return &PathError{Path: step + clipPath(at.Path), Message: at.Message}
}

func clipPath(path string) string {
	path = strings.TrimSuffix(path, "…")
	cut := maxErrorPath / 2
	for cut > 0 && !utf8.RuneStart(path[cut]) {
		cut--
	}
	return path[:cut] + "…"
}

func marshalled(v any) (Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		if at := offender(reflect.ValueOf(v), nil); at != nil {
			return nil, at
		}
		return nil, &PathError{Message: strings.TrimPrefix(err.Error(), "json: ")}
	}
	return Parse(text)
}

// offender looks for what encoding/json refused, to name its path.
func offender(v reflect.Value, seen []uintptr) *PathError {
	switch v.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return &PathError{Message: "a Go " + v.Kind().String() + " has no JSON form"}
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return &PathError{Message: strconv.FormatFloat(f, 'g', -1, 64) + " has no JSON form"}
		}
	case reflect.Interface:
		return offender(v.Elem(), seen)
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if v.IsNil() {
			return nil
		}
		if slices.Contains(seen, v.Pointer()) && v.Kind() != reflect.Slice {
			return &PathError{Message: "the value contains itself"}
		}
		if len(seen) >= MaxDepth {
			return &PathError{Message: "nested deeper than " + strconv.Itoa(MaxDepth) + ", or a cycle"}
		}
		return offenderIn(v, append(seen, v.Pointer()))
	case reflect.Array, reflect.Struct:
		return offenderIn(v, seen)
	}
	return nil
}

func offenderIn(v reflect.Value, seen []uintptr) *PathError {
	switch v.Kind() {
	case reflect.Pointer:
		return offender(v.Elem(), seen)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if at := offender(v.Index(i), seen); at != nil {
				return below("["+strconv.Itoa(i)+"]", at).(*PathError)
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if at := offender(v.MapIndex(key), seen); at != nil {
				return below(string(AppendKey(nil, fmt.Sprint(key))), at).(*PathError)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, ok := fieldName(v.Type().Field(i))
			if !ok {
				continue
			}
			if at := offender(v.Field(i), seen); at != nil {
				return below(string(AppendKey(nil, name)), at).(*PathError)
			}
		}
	}
	return nil
}

func fieldName(f reflect.StructField) (string, bool) {
	if !f.IsExported() && !f.Anonymous {
		return "", false
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch name {
	case "-":
		return "", false
	case "":
		return f.Name, true
	}
	return name, true
}

// Decode stores v in the Go value that into points to, by the rules of
// encoding/json. Into *Value it stores v itself; into *any it stores maps,
// slices and float64, and a json.Number for an exact integer.
func Decode(v Value, into any) error {
	switch into := into.(type) {
	case *Value:
		*into = v
		return nil
	case *any:
		*into = goValue(v)
		return nil
	}
	if at := reflect.ValueOf(into); at.Kind() == reflect.Pointer && !at.IsNil() && at.Elem().IsZero() {
		if codecOf(at.Type().Elem()).decode(v, at.Elem(), 0) {
			return nil
		}
		at.Elem().SetZero()
	}
	return json.Unmarshal(AppendJSON(nil, v), into)
}

func goValue(v Value) any {
	switch v := v.(type) {
	case Bool:
		return bool(v)
	case String:
		return string(v)
	case Number:
		if v.Exact() {
			return json.Number(v.digits)
		}
		return v.float
	case Array:
		items := make([]any, v.Len())
		for i, item := range v.items {
			items[i] = goValue(item)
		}
		return items
	case *Object:
		m := make(map[string]any, v.Len())
		for key, item := range v.All() {
			m[key] = goValue(item)
		}
		return m
	}
	return nil
}

// AppendKey appends a property access to a path: ".key" where key is an ASCII
// identifier, otherwise `["key"]` with the key as a JSON string.
func AppendKey(dst []byte, key string) []byte {
	if IsIdentifier(key) {
		return append(append(dst, '.'), key...)
	}
	return append(AppendQuoted(append(dst, '['), key), ']')
}

// IsIdentifier reports whether key may stand behind a dot: ASCII letters,
// digits, _ and $, no digit first.
func IsIdentifier(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return key != ""
}

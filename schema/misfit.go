// This file defines where a value is that encoding/json refuses to store in a
// Go type though the schema allows it.

package schema

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// Misfit is the first place of a value that cannot be stored in its Go type.
type Misfit struct {
	Path  string // as an expression
	Name  string // of the innermost field around it, the root's if there is none
	Type  reflect.Type
	Value data.Value
	Key   bool  // it is a key of the map at Path, not a value
	Err   error // of encoding/json, or of a method of Type
}

// FindMisfit looks for the first place of v, called root, that data.Decode
// cannot store in t, or returns nil. It decodes each part of v once.
func FindMisfit(root string, t reflect.Type, v data.Value) *Misfit {
	return misfits{root, root}.find(t, v, 0)
}

// misfits is a place on the way.
type misfits struct{ path, name string }

func (m misfits) find(t reflect.Type, v data.Value, depth int) *Misfit {
	if _, null := v.(data.Null); depth > data.MaxDepth || null && nilable(t) {
		return nil
	}
	if t.Kind() == reflect.Pointer && !t.Implements(jsonUnmarshaler) && !t.Implements(textUnmarshaler) {
		return m.find(t.Elem(), v, depth+1)
	}
	if !opaque(t, Input) {
		switch v := v.(type) {
		case *data.Object:
			switch t.Kind() {
			case reflect.Struct:
				return m.fields(t, v, depth)
			case reflect.Map:
				return m.members(t, v, depth)
			}
		case data.Array:
			if k := t.Kind(); k == reflect.Slice || k == reflect.Array {
				return m.items(t, v, depth)
			}
		}
	}
	return m.leaf(t, v, data.Decode(v, reflect.New(t).Interface()))
}

func nilable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return true
	}
	return false
}

func (m misfits) leaf(t reflect.Type, v data.Value, err error) *Misfit {
	if err == nil {
		return nil
	}
	return &Misfit{Path: m.path, Name: m.name, Type: t, Value: v, Err: err}
}

func (m misfits) fields(t reflect.Type, o *data.Object, depth int) *Misfit {
	fields := fieldsOf(t)
	for key, v := range o.All() {
		f := fieldNamed(fields, key)
		if f == nil {
			continue
		}
		at := misfits{m.path + string(data.AppendKey(nil, key)), key}
		var found *Misfit
		if text, ok := v.(data.String); ok && f.text {
			found = at.leaf(f.typ, v, json.Unmarshal([]byte(text), reflect.New(f.typ).Interface()))
		} else {
			found = at.find(f.typ, v, depth+1)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// fieldNamed is the field that encoding/json takes a key for, or nil.
func fieldNamed(fields []field, key string) *field {
	for i := range fields {
		if fields[i].name == key {
			return &fields[i]
		}
	}
	for i := range fields {
		if strings.EqualFold(fields[i].name, key) {
			return &fields[i]
		}
	}
	return nil
}

func (m misfits) members(t reflect.Type, o *data.Object, depth int) *Misfit {
	keys := reflect.MapOf(t.Key(), reflect.TypeFor[bool]())
	for key, v := range o.All() {
		alone := data.NewObject([]data.Member{{Key: key, Value: data.Bool(true)}})
		if found := m.leaf(t.Key(), data.String(key), data.Decode(alone, reflect.New(keys).Interface())); found != nil {
			found.Key = true
			return found
		}
		at := misfits{m.path + string(data.AppendKey(nil, key)), m.name}
		if found := at.find(t.Elem(), v, depth+1); found != nil {
			return found
		}
	}
	return nil
}

func (m misfits) items(t reflect.Type, a data.Array, depth int) *Misfit {
	for i, v := range a.All() {
		if t.Kind() == reflect.Array && i >= t.Len() {
			break
		}
		at := misfits{m.path + "[" + strconv.Itoa(i) + "]", m.name}
		if found := at.find(t.Elem(), v, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// Got is the value in a message: its type and, if it is short, itself.
func (m *Misfit) Got() string { return show(m.Value) }

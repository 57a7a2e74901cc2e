package boundary

// This file defines the copy from plain data to guest values.

import (
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// In makes a fresh guest value of plain data. Data is never deeper than its codec allows, so the recursion is bounded.
func In(r *value.Realm, v data.Value) value.Value {
	defer r.Built(r.Building())
	return in(r, v)
}

func in(r *value.Realm, v data.Value) value.Value {
	switch x := v.(type) {
	case nil, data.Null:
		return value.Null
	case data.Bool:
		return value.Bool(bool(x))
	case data.Number:
		if x.Exact() {
			r.Charge(64)
			return value.NewExact(x.Float64(), x.Text()).Value()
		}
		return value.Num(x.Float64())
	case data.String:
		r.Charge(32 + len(x))
		return value.String(string(x))
	case data.Array:
		elems := make([]value.Value, x.Len())
		for i := range elems {
			elems[i] = in(r, x.At(i))
		}
		return r.NewArray(elems).Value()
	case *data.Object:
		o := r.NewPlain(x.Len())
		for i := range x.Len() {
			m := x.At(i)
			r.InitProperty(o, value.StringKey(m.Key), in(r, m.Value))
		}
		return o.Value()
	}
	return value.Null
}

// Size estimates the bytes that a guest copy of plain data takes.
func Size(v data.Value) int64 {
	switch x := v.(type) {
	case data.String:
		return int64(32 + len(x))
	case data.Array:
		n := int64(96)
		for i := range x.Len() {
			n += 16 + Size(x.At(i))
		}
		return n
	case *data.Object:
		n := int64(96)
		for i := range x.Len() {
			m := x.At(i)
			n += int64(16+len(m.Key)) + Size(m.Value)
		}
		return n
	}
	return 16
}

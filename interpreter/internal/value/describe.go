package value

// This file defines how values are named in messages.

import "strconv"

// Describe names a value in a message, short and without running guest code.
func (r *Realm) Describe(v Value) string {
	switch v.p.kind {
	case KindString:
		s := v.Str()
		if s.Len() > 40 {
			return strconv.Quote(s.Slice(0, 40).String()) + "…"
		}
		return strconv.Quote(s.String())
	case KindSymbol:
		return v.Symbol().Descriptive()
	case KindBigInt:
		return v.BigInt().Int.String() + "n"
	case KindObject:
		return r.describeObject(v.Object())
	}
	return PrimitiveToString(v).String()
}

func (r *Realm) describeObject(o *Object) string {
	switch o.Class {
	case ClassArray:
		return "Array(" + strconv.Itoa(int(o.N)) + ")"
	case ClassFunction:
		if n := r.FunctionName(o.asFunction()); n != "" {
			return "function " + n
		}
		return "function"
	case ClassPromise:
		return "a Promise"
	case ClassTools:
		if s, ok := o.Ext.(interface{ Describe() string }); ok {
			return s.Describe()
		}
	}
	return "#<" + r.ConstructorName(o) + ">"
}

// ConstructorName is the name of the constructor an object comes from, for messages; no guest code runs.
func (r *Realm) ConstructorName(o *Object) string {
	for p := o; p != nil; p = p.Shape.Proto {
		if p.Flags&FlagExotic != 0 {
			break
		}
		if v, ok := r.GetOwnValue(p, Name("constructor")); ok {
			if f := v.Function(); f != nil {
				if n := r.FunctionName(f); n != "" {
					return n
				}
			}
			break
		}
	}
	return "Object"
}

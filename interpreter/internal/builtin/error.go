package builtin

// This file defines the error constructors (ECMA-262 20.5).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func errorTemplates() []*value.Template {
	base := errorPair(value.ErrorConstructor, value.ErrorPrototype, "Error", value.FunctionPrototype, value.ObjectPrototype)
	base[0].Rows = append(base[0].Rows,
		row{Name: "isError", Length: 1, Fn: errorIsError, Sig: "(value: unknown): boolean"},
		row{Name: "captureStackTrace", Length: 2, Fn: errorCaptureStackTrace, Sig: "(target: object): void"},
	)
	base[1].Rows = append(base[1].Rows,
		row{Name: "toString", Length: 0, Fn: errorToString, Sig: "(): string"},
		row{Name: "stack", Get: errorStack, Set: errorSetStack, Sig: "string", Doc: "name and message; the place is on the diagnostic"},
	)
	out := base
	for _, e := range []struct {
		ctor, proto value.ID
		name        string
	}{
		{value.TypeErrorConstructor, value.TypeErrorPrototype, "TypeError"},
		{value.RangeErrorConstructor, value.RangeErrorPrototype, "RangeError"},
		{value.SyntaxErrorConstructor, value.SyntaxErrorPrototype, "SyntaxError"},
		{value.ReferenceErrorConstructor, value.ReferenceErrorPrototype, "ReferenceError"},
		{value.EvalErrorConstructor, value.EvalErrorPrototype, "EvalError"},
		{value.URIErrorConstructor, value.URIErrorPrototype, "URIError"},
		{value.AggregateErrorConstructor, value.AggregateErrorPrototype, "AggregateError"},
	} {
		out = append(out, errorPair(e.ctor, e.proto, e.name, value.ErrorConstructor, value.ErrorPrototype)...)
	}
	return out
}

func errorPair(ctor, proto value.ID, name string, ctorParent, protoParent value.ID) []*value.Template {
	length := 1
	mk := func(r *realm, args []val, newTarget *object) val { return newError(r, args, newTarget, proto) }
	if ctor == value.AggregateErrorConstructor {
		length = 2
		mk = newAggregateError
	}
	return []*value.Template{
		{ID: ctor, Global: name, Proto: ctorParent, Name: name, Length: length,
			Call: func(r *realm, _ val, args []val) val { return mk(r, args, nil) }, New: mk,
			Rows: []row{{Name: "prototype", Ref: proto, Attr: value.NoAttr}}},
		{ID: proto, Proto: protoParent, Rows: []row{
			{Name: "constructor", Ref: ctor},
			{Name: "name", Const: constant(str(name)), Attr: value.AttrMethod},
			{Name: "message", Const: constant(str("")), Attr: value.AttrMethod},
		}},
	}
}

func newError(r *realm, args []val, newTarget *object, id value.ID) val {
	proto := r.PrototypeFromConstructor(newTarget, id)
	if proto == nil {
		return value.Throw
	}
	o := r.NewClass(value.ClassError, proto, &value.ErrorData{Pos: r.Pos})
	if !errorMessage(r, o, arg(args, 0)) || !errorCause(r, o, arg(args, 1)) {
		return value.Throw
	}
	return o.Value()
}

func errorMessage(r *realm, o *object, m val) bool {
	if m.IsUndefined() {
		return true
	}
	s := r.ToString(m)
	if s == nil {
		return false
	}
	return r.DefineOwn(o, value.Name("message"), value.DataDesc(s.Value(), value.AttrMethod)) == value.OK
}

// errorCause is InstallErrorCause (20.5.8.1).
func errorCause(r *realm, o *object, options val) bool {
	opt := options.Object()
	if opt == nil {
		return true
	}
	c, present, ok := field(r, opt, "cause")
	if !ok || !present {
		return ok
	}
	return r.DefineOwn(o, value.Name("cause"), value.DataDesc(c, value.AttrMethod)) == value.OK
}

func newAggregateError(r *realm, args []val, newTarget *object) val {
	proto := r.PrototypeFromConstructor(newTarget, value.AggregateErrorPrototype)
	if proto == nil {
		return value.Throw
	}
	o := r.NewClass(value.ClassError, proto, &value.ErrorData{Pos: r.Pos})
	if !errorMessage(r, o, arg(args, 1)) || !errorCause(r, o, arg(args, 2)) {
		return value.Throw
	}
	list, ok := r.IterateToList(arg(args, 0))
	if !ok {
		return value.Throw
	}
	r.DefineOwn(o, value.Name("errors"), value.DataDesc(r.NewArray(list).Value(), value.AttrMethod))
	return o.Value()
}

func errorIsError(_ *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	return value.Bool(o != nil && o.Class == value.ClassError)
}

func errorCaptureStackTrace(r *realm, _ val, args []val) val {
	o := arg(args, 0).Object()
	if o == nil {
		return r.ThrowTypeError("Invalid argument: the target must be an object")
	}
	if o.Class == value.ClassError {
		return value.Undefined
	}
	text := errorToString(r, o.Value(), nil)
	if text.IsThrow() || !done(r, r.DefineOwn(o, value.Name("stack"), value.DataDesc(text, value.AttrMethod)), "Cannot define property stack, object is not extensible") {
		return value.Throw
	}
	return value.Undefined
}

// errorToString (20.5.3.4).
func errorToString(r *realm, this val, _ []val) val {
	o := this.Object()
	if o == nil {
		return notObject(r, this, "Error.prototype.toString")
	}
	name := stringOr(r, o, "name", "Error")
	if name == nil {
		return value.Throw
	}
	msg := stringOr(r, o, "message", "")
	if msg == nil {
		return value.Throw
	}
	if name.Len() == 0 || msg.Len() == 0 {
		return r.ConcatStr(name, msg)
	}
	v := r.ConcatStr(name, value.ASCII(": "))
	if v.IsThrow() {
		return v
	}
	return r.ConcatStr(v.Str(), msg)
}

func joinError(name, msg string) string {
	switch {
	case name == "":
		return msg
	case msg == "":
		return name
	}
	return name + ": " + msg
}

// stringOr is a property as a string; nil if it threw.
func stringOr(r *realm, o *object, key, def string) *value.Str {
	v := r.Get(o, value.Name(key))
	if v.IsThrow() {
		return nil
	}
	if v.IsUndefined() {
		return value.ASCII(def)
	}
	return r.ToString(v)
}

func errorStack(r *realm, this val, _ []val) val {
	o := this.Object()
	if o == nil || o.Class != value.ClassError {
		return value.Undefined
	}
	return str(ErrorText(r, o))
}

func errorSetStack(r *realm, this val, args []val) val {
	o := this.Object()
	if o == nil {
		return notObject(r, this, "set stack")
	}
	if !done(r, r.DefineOwn(o, value.Name("stack"), value.DataDesc(arg(args, 0), value.AttrMethod)), "Cannot define property stack, object is not extensible") {
		return value.Throw
	}
	return value.Undefined
}

// ErrorText is "name: message" of an error object, without running guest code.
func ErrorText(r *realm, o *object) string {
	return joinError(plainText(r, o, "name", "Error"), plainText(r, o, "message", ""))
}

// maxErrorText is how much of a message is reported.
const maxErrorText = 1 << 16

// ReportedText is a message as it is reported, with the end of a very long one left out.
func ReportedText(s *value.Str) string {
	if s.Len() > maxErrorText {
		return s.Slice(0, maxErrorText).String() + "…"
	}
	return s.String()
}

// plainText reads a data property along the prototype chain as text.
func plainText(r *realm, o *object, key, def string) string {
	for p := o; p != nil && p.Flags&value.FlagExotic == 0; p = p.Proto() {
		d, ok := r.GetOwn(p, value.Name(key))
		if !ok {
			continue
		}
		if d.IsAccessor() || d.Value.IsObject() || d.Value.IsUndefined() || d.Value.IsSymbol() {
			return def
		}
		return ReportedText(value.PrimitiveToString(d.Value))
	}
	return def
}

// AggregateErrors returns the parts of an AggregateError.
func AggregateErrors(r *realm, o *object) ([]val, bool) {
	v, ok := r.GetOwnValue(o, value.Name("errors"))
	if !ok || !v.IsObject() {
		return nil, false
	}
	return v.Object().Dense()
}

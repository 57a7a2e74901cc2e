package builtin

// This file defines Function.prototype and the function constructors, which refuse to make code (ECMA-262 20.2).

import (
	"math"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func functionTemplates() []*value.Template {
	refuse := func(id, proto value.ID, parent value.ID, name string) *value.Template {
		return &value.Template{ID: id, Proto: parent, Name: name, Length: 1, Call: refuseCode, New: refuseCodeNew,
			Rows: []row{{Name: "prototype", Ref: proto, Attr: value.NoAttr}}}
	}
	fn := refuse(value.FunctionConstructor, value.FunctionPrototype, value.FunctionPrototype, "Function")
	fn.Global = "Function"
	return []*value.Template{
		fn,
		{ID: value.FunctionPrototype, Proto: value.ObjectPrototype, Name: "", Call: func(*realm, val, []val) val { return value.Undefined }, Rows: []row{
			{Name: "constructor", Ref: value.FunctionConstructor},
			{Name: "apply", Length: 2, Fn: functionApply, Sig: "(thisArg: any, args?: any[]): any"},
			{Name: "bind", Length: 1, Fn: functionBind, Sig: "(thisArg: any, ...args: any[]): Function"},
			{Name: "call", Length: 1, Fn: functionCall, Sig: "(thisArg: any, ...args: any[]): any"},
			{Name: "toString", Length: 0, Fn: functionToString, Sig: "(): string"},
			{Name: "@@hasInstance", Length: 1, Fn: functionHasInstance, Attr: value.NoAttr},
			{Name: "arguments", Get: poison, Set: poison},
			{Name: "caller", Get: poison, Set: poison},
		}},
		{ID: value.ThrowTypeErrorFunction, Proto: value.FunctionPrototype, Name: "", Call: poison},
		refuse(value.AsyncFunctionConstructor, value.AsyncFunctionPrototype, value.FunctionConstructor, "AsyncFunction"),
		{ID: value.AsyncFunctionPrototype, Proto: value.FunctionPrototype, Rows: []row{
			{Name: "constructor", Ref: value.AsyncFunctionConstructor, Attr: value.Configurable},
			tagRow("AsyncFunction"),
		}},
	}
}

// poison is %ThrowTypeError% (10.2.4.1).
func poison(r *realm, _ val, _ []val) val {
	return r.ThrowTypeError("'caller', 'callee', and 'arguments' properties may not be accessed on functions or the arguments objects for calls to them")
}

// tagRow is a Symbol.toStringTag property.
func tagRow(name string) row {
	return row{Name: "@@toStringTag", Const: constant(str(name)), Attr: value.Configurable}
}

func refuseCode(r *realm, _ val, _ []val) val {
	return r.ThrowError(value.EvalError, "Code cannot be made from text here: write the function into the program")
}

func refuseCodeNew(r *realm, _ []val, _ *object) val { return refuseCode(r, value.Undefined, nil) }

func functionApply(r *realm, this val, args []val) val {
	if !this.IsCallable() {
		return r.ThrowTypeError("Function.prototype.apply was called on %s, which is not a function", r.Describe(this))
	}
	if arg(args, 1).IsNullish() {
		return r.CallArgs(this, arg(args, 0), nil)
	}
	list, ok := r.ListFromArrayLike(args[1])
	if !ok {
		return value.Throw
	}
	return r.CallArgs(this, args[0], list)
}

func functionCall(r *realm, this val, args []val) val {
	if !this.IsCallable() {
		return r.ThrowTypeError("Function.prototype.call was called on %s, which is not a function", r.Describe(this))
	}
	return r.CallArgs(this, arg(args, 0), args[min(1, len(args)):])
}

func functionBind(r *realm, this val, args []val) val {
	if !this.IsCallable() {
		return r.ThrowTypeError("Bind must be called on a function")
	}
	target := this.Object()
	length := 0.0
	if r.HasOwn(target, value.Name("length")) {
		v := r.Get(target, value.Name("length"))
		if v.IsThrow() {
			return v
		}
		if v.IsNumber() {
			length = math.Max(0, math.Trunc(v.Float())-float64(max(0, len(args)-1)))
		}
	}
	name := r.Get(target, value.Name("name"))
	if name.IsThrow() {
		return name
	}
	text := ""
	if s := name.Str(); s != nil {
		text = s.String()
	}
	f := r.NewBound(target, arg(args, 0), append([]val(nil), args[min(1, len(args)):]...))
	r.DefineOwn(&f.Object, value.Name("length"), value.DataDesc(value.Num(length+0), value.Configurable))
	r.SetFunctionName(f, "bound "+text)
	return f.Value()
}

func functionToString(r *realm, this val, _ []val) val {
	f := this.Function()
	if f == nil {
		if this.IsCallable() {
			return str("function () { [native code] }")
		}
		return r.ThrowTypeError("Function.prototype.toString requires that 'this' be a Function")
	}
	if _, bound := f.Ext.(*value.Bound); bound {
		return str("function () { [native code] }")
	}
	if f.Code != nil && f.Code.Source != nil {
		return str(f.Code.Source())
	}
	return str("function " + r.FunctionName(f) + "() { [native code] }")
}

func functionHasInstance(r *realm, this val, args []val) val {
	return r.OrdinaryHasInstance(this, arg(args, 0))
}

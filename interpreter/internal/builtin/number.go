package builtin

// This file defines Number and Boolean (ECMA-262 21.1, 20.3); formatting is in number_format.go.

import (
	"math"
	"math/big"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func numberTemplates() []*value.Template {
	num := func(name string, f float64) row {
		return row{Name: name, Const: constant(value.Num(f)), Attr: value.NoAttr, Sig: "number"}
	}
	return []*value.Template{
		{ID: value.NumberConstructor, Global: "Number", Proto: value.FunctionPrototype, Name: "Number", Length: 1, Call: numberCall, New: numberNew, Rows: []row{
			{Name: "prototype", Ref: value.NumberPrototype, Attr: value.NoAttr},
			num("EPSILON", 0x1p-52), num("MAX_SAFE_INTEGER", 1<<53-1), num("MAX_VALUE", math.MaxFloat64),
			num("MIN_SAFE_INTEGER", -(1<<53 - 1)), num("MIN_VALUE", 5e-324), num("NaN", math.NaN()),
			num("NEGATIVE_INFINITY", math.Inf(-1)), num("POSITIVE_INFINITY", math.Inf(1)),
			{Name: "isFinite", Length: 1, Fn: numberIsFinite, Sig: "(value: unknown): boolean"},
			{Name: "isInteger", Length: 1, Fn: numberIsInteger, Sig: "(value: unknown): boolean"},
			{Name: "isNaN", Length: 1, Fn: numberIsNaN, Sig: "(value: unknown): boolean"},
			{Name: "isSafeInteger", Length: 1, Fn: numberIsSafeInteger, Sig: "(value: unknown): boolean"},
			{Name: "parseFloat", Const: globalFunction("parseFloat"), Sig: "(text: string): number"},
			{Name: "parseInt", Const: globalFunction("parseInt"), Sig: "(text: string, radix?: number): number"},
		}},
		{ID: value.NumberPrototype, Proto: value.ObjectPrototype, Class: value.ClassNumber, Ext: func(*realm) any { return value.Zero }, Rows: []row{
			{Name: "constructor", Ref: value.NumberConstructor},
			{Name: "toExponential", Length: 1, Fn: numberToExponential, Sig: "(fractionDigits?: number): string"},
			{Name: "toFixed", Length: 1, Fn: numberToFixed, Sig: "(fractionDigits?: number): string"},
			{Name: "toLocaleString", Length: 0, Fn: numberToLocaleString, Sig: "(locales?: string, options?: { style?: 'decimal' | 'percent' | 'currency' | 'unit'; currency?: string; minimumFractionDigits?: number; maximumFractionDigits?: number; notation?: 'standard' | 'compact' }): string", Doc: "en-US"},
			{Name: "toPrecision", Length: 1, Fn: numberToPrecision, Sig: "(digits?: number): string"},
			{Name: "toString", Length: 1, Fn: numberToString, Sig: "(radix?: number): string"},
			{Name: "valueOf", Length: 0, Fn: numberValueOf, Sig: "(): number"},
		}},
		{ID: value.BooleanConstructor, Global: "Boolean", Proto: value.FunctionPrototype, Name: "Boolean", Length: 1, Call: booleanCall, New: booleanNew, Rows: []row{
			{Name: "prototype", Ref: value.BooleanPrototype, Attr: value.NoAttr},
		}},
		{ID: value.BooleanPrototype, Proto: value.ObjectPrototype, Class: value.ClassBoolean, Ext: func(*realm) any { return value.False }, Rows: []row{
			{Name: "constructor", Ref: value.BooleanConstructor},
			{Name: "toString", Length: 0, Fn: booleanToString, Sig: "(): string"},
			{Name: "valueOf", Length: 0, Fn: booleanValueOf, Sig: "(): boolean"},
		}},
	}
}

// globalFunction is the same function object as the global of that name.
func globalFunction(name string) func(*realm) val {
	return func(r *realm) val { return r.GlobalNamed(name) }
}

// numeric is the value of Number(args[0]).
func numeric(r *realm, args []val) val {
	if len(args) == 0 {
		return value.Zero
	}
	if args[0].IsNumber() || args[0].IsExact() {
		return args[0]
	}
	n := r.ToNumeric(args[0])
	if !n.IsBigInt() {
		return n
	}
	return value.Num(bigToFloat(n.BigInt().Int))
}

func bigToFloat(z *big.Int) float64 {
	f, _ := new(big.Float).SetInt(z).Float64()
	return f
}

func numberCall(r *realm, _ val, args []val) val { return numeric(r, args) }

func numberNew(r *realm, args []val, newTarget *object) val {
	n := numeric(r, args)
	if n.IsThrow() {
		return n
	}
	proto := r.PrototypeFromConstructor(newTarget, value.NumberPrototype)
	if proto == nil {
		return value.Throw
	}
	return r.NewClass(value.ClassNumber, proto, n).Value()
}

// float is the payload of numbers, exact integers included.
func float(v val) (float64, bool) {
	switch {
	case v.IsNumber():
		return v.Float(), true
	case v.IsExact():
		return v.Exact().F, true
	}
	return 0, false
}

func numberIsFinite(_ *realm, _ val, args []val) val {
	f, ok := float(arg(args, 0))
	return value.Bool(ok && !math.IsNaN(f) && !math.IsInf(f, 0))
}

func isInteger(f float64) bool { return f == math.Trunc(f) && !math.IsInf(f, 0) }

func numberIsInteger(_ *realm, _ val, args []val) val {
	f, ok := float(arg(args, 0))
	return value.Bool(ok && isInteger(f))
}

func numberIsNaN(_ *realm, _ val, args []val) val {
	f, ok := float(arg(args, 0))
	return value.Bool(ok && f != f)
}

func numberIsSafeInteger(_ *realm, _ val, args []val) val {
	f, ok := float(arg(args, 0))
	return value.Bool(ok && isInteger(f) && math.Abs(f) <= 1<<53-1)
}

// thisNumber is ThisNumberValue (21.1.3.7.1); absent if it threw.
func thisNumber(r *realm, this val, method string) val {
	if this.IsNumber() || this.IsExact() {
		return this
	}
	if o := this.Object(); o != nil && o.Class == value.ClassNumber {
		return o.Ext.(val)
	}
	r.ThrowTypeError("Number.prototype.%s requires that 'this' be a Number", method)
	return val{}
}

func numberValueOf(r *realm, this val, _ []val) val {
	n := thisNumber(r, this, "valueOf")
	if n.IsAbsent() {
		return value.Throw
	}
	return n
}

func booleanCall(_ *realm, _ val, args []val) val { return value.Bool(value.ToBoolean(arg(args, 0))) }

func booleanNew(r *realm, args []val, newTarget *object) val {
	b := booleanCall(r, value.Undefined, args)
	proto := r.PrototypeFromConstructor(newTarget, value.BooleanPrototype)
	if proto == nil {
		return value.Throw
	}
	return r.NewClass(value.ClassBoolean, proto, b).Value()
}

func thisBoolean(r *realm, this val, method string) val {
	if this.IsBool() {
		return this
	}
	if o := this.Object(); o != nil && o.Class == value.ClassBoolean {
		return o.Ext.(val)
	}
	return r.ThrowTypeError("Boolean.prototype.%s requires that 'this' be a Boolean", method)
}

func booleanValueOf(r *realm, this val, _ []val) val { return thisBoolean(r, this, "valueOf") }

func booleanToString(r *realm, this val, _ []val) val {
	b := thisBoolean(r, this, "toString")
	if b.IsThrow() {
		return b
	}
	return value.PrimitiveToString(b).Value()
}

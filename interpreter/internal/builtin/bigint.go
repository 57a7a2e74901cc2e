package builtin

// This file defines BigInt (ECMA-262 21.2).

import (
	"math/big"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func bigintTemplates() []*value.Template {
	return []*value.Template{
		{ID: value.BigIntConstructor, Global: "BigInt", Proto: value.FunctionPrototype, Name: "BigInt", Length: 1, Call: bigintCall,
			New: func(r *realm, _ []val, _ *object) val { return r.ThrowTypeError("BigInt is not a constructor") }, Rows: []row{
				{Name: "prototype", Ref: value.BigIntPrototype, Attr: value.NoAttr},
				{Name: "asIntN", Length: 2, Fn: bigintAsIntN, Sig: "(bits: number, value: bigint): bigint"},
				{Name: "asUintN", Length: 2, Fn: bigintAsUintN, Sig: "(bits: number, value: bigint): bigint"},
			}},
		{ID: value.BigIntPrototype, Proto: value.ObjectPrototype, Rows: []row{
			{Name: "constructor", Ref: value.BigIntConstructor},
			{Name: "toLocaleString", Length: 0, Fn: bigintToLocaleString, Sig: "(): string"},
			{Name: "toString", Length: 0, Fn: bigintToString, Sig: "(radix?: number): string"},
			{Name: "valueOf", Length: 0, Fn: bigintValueOf, Sig: "(): bigint"},
			tagRow("BigInt"),
		}},
	}
}

func bigintCall(r *realm, _ val, args []val) val {
	p := r.ToPrimitive(arg(args, 0), value.HintNumber)
	switch {
	case p.IsThrow():
		return p
	case p.IsExact():
		if z, ok := new(big.Int).SetString(p.Exact().Text, 10); ok {
			return r.NewBigInt(z)
		}
	case p.IsNumber():
		if !isInteger(p.Float()) {
			return r.ThrowError(value.RangeError, "The number %s cannot be converted to a BigInt because it is not an integer", value.PrimitiveToString(p))
		}
		z, _ := big.NewFloat(p.Float()).Int(nil)
		return r.NewBigInt(z)
	}
	z := r.ToBigInt(p)
	if z == nil {
		return value.Throw
	}
	return r.NewBigInt(z)
}

func thisBigInt(r *realm, this val, method string) *big.Int {
	if b := this.BigInt(); b != nil {
		return b.Int
	}
	if o := this.Object(); o != nil && o.Class == value.ClassBigInt {
		return o.Ext.(val).BigInt().Int
	}
	r.ThrowTypeError("BigInt.prototype.%s requires that 'this' be a BigInt", method)
	return nil
}

func bigintValueOf(r *realm, this val, _ []val) val {
	if z := thisBigInt(r, this, "valueOf"); z == nil {
		return value.Throw
	}
	if o := this.Object(); o != nil {
		return o.Ext.(val)
	}
	return this
}

func bigintToString(r *realm, this val, args []val) val {
	z := thisBigInt(r, this, "toString")
	if z == nil {
		return value.Throw
	}
	radix := 10.0
	if a := arg(args, 0); !a.IsUndefined() {
		var ok bool
		if radix, ok = r.ToInteger(a); !ok {
			return value.Throw
		}
	}
	if radix < 2 || radix > 36 {
		return r.ThrowError(value.RangeError, "toString() radix must be between 2 and 36")
	}
	if !r.Step(1 + z.BitLen()/64) {
		return value.Throw
	}
	return newText(r, value.ASCII(z.Text(int(radix))))
}

func bigintToLocaleString(r *realm, this val, args []val) val {
	z := thisBigInt(r, this, "toLocaleString")
	if z == nil {
		return value.Throw
	}
	f, ok := numberFormatOf(r, arg(args, 0), arg(args, 1))
	if !ok {
		return value.Throw
	}
	return newText(r, value.NewStr(f.text(strings.TrimPrefix(z.String(), "-"), 0, z.Sign() < 0)))
}

// bitsArgs converts the arguments of asIntN and asUintN.
func bitsArgs(r *realm, args []val) (bits int, z *big.Int, ok bool) {
	bits, ok = r.ToIndex(arg(args, 0))
	if !ok {
		return 0, nil, false
	}
	z = r.ToBigInt(arg(args, 1))
	return bits, z, z != nil
}

func bigintAsUintN(r *realm, _ val, args []val) val {
	bits, z, ok := bitsArgs(r, args)
	if !ok {
		return value.Throw
	}
	return wrapBits(r, bits, z, false)
}

func bigintAsIntN(r *realm, _ val, args []val) val {
	bits, z, ok := bitsArgs(r, args)
	if !ok {
		return value.Throw
	}
	return wrapBits(r, bits, z, true)
}

// wrapBits is z modulo 2^bits, read as a two's complement number if signed.
func wrapBits(r *realm, bits int, z *big.Int, signed bool) val {
	if z.Sign() >= 0 && z.BitLen() < bits || signed && z.BitLen() < bits {
		return r.NewBigInt(z)
	}
	if bits == 0 {
		return r.NewBigInt(new(big.Int))
	}
	if bits > value.MaxBigBits {
		return r.ThrowError(value.RangeError, "Maximum BigInt size exceeded")
	}
	mod := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	out := new(big.Int).Mod(z, mod)
	if signed && out.Bit(bits-1) == 1 {
		out.Sub(out, mod)
	}
	return r.NewBigInt(out)
}

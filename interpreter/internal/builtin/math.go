package builtin

// This file defines Math (ECMA-262 21.3).

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func mathTemplates() []*value.Template {
	num := func(name string, f float64) row {
		return row{Name: name, Const: constant(value.Num(f)), Attr: value.NoAttr, Sig: "number"}
	}
	rows := []row{
		num("E", math.E), num("LN10", math.Ln10), num("LN2", math.Ln2), num("LOG10E", math.Log10E), num("LOG2E", math.Log2E),
		num("PI", math.Pi), num("SQRT1_2", math.Sqrt2/2), num("SQRT2", math.Sqrt2),
		{Name: "atan2", Length: 2, Fn: mathAtan2, Sig: "(y: number, x: number): number"},
		{Name: "clz32", Length: 1, Fn: mathClz32, Sig: "(x: number): number"},
		{Name: "hypot", Length: 2, Fn: mathHypot, Sig: "(...values: number[]): number"},
		{Name: "imul", Length: 2, Fn: mathImul, Sig: "(a: number, b: number): number"},
		{Name: "max", Length: 2, Fn: mathMax, Sig: "(...values: number[]): number"},
		{Name: "min", Length: 2, Fn: mathMin, Sig: "(...values: number[]): number"},
		{Name: "pow", Length: 2, Fn: mathPow, Sig: "(base: number, exponent: number): number"},
		{Name: "random", Length: 0, Fn: mathRandom, Sig: "(): number"},
		{Name: "sumPrecise", Length: 1, Fn: mathSumPrecise, Sig: "(values: Iterable<number>): number"},
		tagRow("Math"),
	}
	for _, f := range mathFunctions {
		rows = append(rows, row{Name: f.name, Length: 1, Fn: mathUnary(f.fn), Sig: "(x: number): number"})
	}
	return []*value.Template{{ID: value.MathNamespace, Global: "Math", Proto: value.ObjectPrototype, Class: value.ClassNamespace, Rows: rows}}
}

var mathFunctions = []struct {
	name string
	fn   func(float64) float64
}{
	{"abs", math.Abs}, {"acos", arccosine}, {"acosh", arccosineH}, {"asin", arcsine}, {"asinh", arcsineH}, {"atan", arctangent},
	{"atanh", arctangentH}, {"cbrt", cubeRoot}, {"ceil", math.Ceil}, {"cos", cosine}, {"cosh", cosineH}, {"exp", exponentialOf},
	{"expm1", exponential1}, {"f16round", f16round}, {"floor", math.Floor}, {"fround", func(f float64) float64 { return float64(float32(f)) }},
	{"log", logarithm}, {"log10", logarithm10}, {"log1p", logarithm1}, {"log2", logarithm2}, {"round", roundNumber}, {"sign", signOf},
	{"sin", sine}, {"sinh", sineH}, {"sqrt", math.Sqrt}, {"tan", tangent}, {"tanh", tangentH}, {"trunc", math.Trunc},
}

func mathUnary(fn func(float64) float64) value.NativeFn {
	return func(r *realm, _ val, args []val) val {
		if len(args) > 0 && args[0].IsNumber() {
			return value.Num(fn(args[0].Float()))
		}
		f, ok := r.ToNumber(arg(args, 0))
		if !ok {
			return value.Throw
		}
		return value.Num(fn(f))
	}
}

func signOf(f float64) float64 {
	switch {
	case f > 0:
		return 1
	case f < 0:
		return -1
	}
	return f
}

// roundNumber rounds halves towards +∞ and keeps the sign of zero (21.3.2.28).
func roundNumber(f float64) float64 {
	if math.Abs(f) >= 1<<52 || f != f || f == 0 {
		return f
	}
	g := math.Floor(f)
	if f-g >= 0.5 {
		g++
	}
	return math.Copysign(g, f)
}

// f16round rounds to half precision, ties to even.
func f16round(f float64) float64 {
	a := math.Abs(f)
	switch {
	case f != f || math.IsInf(f, 0) || f == 0:
		return f
	case a >= 65520:
		return math.Copysign(math.Inf(1), f)
	case a < 0x1p-14:
		return math.Copysign(math.RoundToEven(a*0x1p24)*0x1p-24, f)
	}
	_, e := math.Frexp(a)
	return math.Copysign(math.Ldexp(math.RoundToEven(math.Ldexp(a, 11-e)), e-11), f)
}

// numbers converts all arguments before anything is computed.
func numbers(r *realm, args []val) ([]float64, bool) {
	out := make([]float64, len(args))
	for i, a := range args {
		f, ok := r.ToNumber(a)
		if !ok || i&1023 == 1023 && !r.Step(1024) {
			return nil, false
		}
		out[i] = f
	}
	return out, true
}

func mathMax(r *realm, _ val, args []val) val { return extreme(r, args, math.Inf(-1), math.Max) }
func mathMin(r *realm, _ val, args []val) val { return extreme(r, args, math.Inf(1), math.Min) }

func extreme(r *realm, args []val, best float64, pick func(a, b float64) float64) val {
	for i, a := range args {
		var f float64
		if a.IsNumber() {
			f = a.Float()
		} else {
			var ok bool
			if f, ok = r.ToNumber(a); !ok {
				return value.Throw
			}
		}
		if i&1023 == 1023 && !r.Step(256) {
			return value.Throw
		}
		if best == best { // NaN stays, but the rest is still converted
			if f != f {
				best = f
			} else {
				best = pick(best, f)
			}
		}
	}
	return value.Num(best)
}

func mathAtan2(r *realm, _ val, args []val) val {
	f, ok := numbers(r, []val{arg(args, 0), arg(args, 1)})
	if !ok {
		return value.Throw
	}
	return value.Num(arctangent2(f[0], f[1]))
}

func mathPow(r *realm, _ val, args []val) val {
	f, ok := numbers(r, []val{arg(args, 0), arg(args, 1)})
	if !ok {
		return value.Throw
	}
	return value.Num(value.Power(f[0], f[1]))
}

func mathImul(r *realm, _ val, args []val) val {
	a, ok := r.ToInt32(arg(args, 0))
	if !ok {
		return value.Throw
	}
	b, ok := r.ToInt32(arg(args, 1))
	if !ok {
		return value.Throw
	}
	return value.Num(float64(a * b))
}

func mathClz32(r *realm, _ val, args []val) val {
	n, ok := r.ToUint32(arg(args, 0))
	if !ok {
		return value.Throw
	}
	return value.Int(bits.LeadingZeros32(n))
}

// mathHypot (21.3.2.19), with compensated summation of the squares scaled by the largest.
func mathHypot(r *realm, _ val, args []val) val {
	fs, ok := numbers(r, args)
	if !ok {
		return value.Throw
	}
	largest, nan := 0.0, false
	for _, f := range fs {
		if math.IsInf(f, 0) {
			return value.Num(math.Inf(1))
		}
		nan = nan || f != f
		largest = math.Max(largest, math.Abs(f))
	}
	if nan {
		return value.NaN
	}
	if largest == 0 {
		return value.Zero
	}
	sum, compensation := 0.0, 0.0
	for _, f := range fs {
		n := math.Abs(f) / largest
		summand := n*n - compensation
		preliminary := sum + summand
		compensation = (preliminary - sum) - summand
		sum = preliminary
	}
	return value.Num(math.Sqrt(sum) * largest)
}

func mathRandom(r *realm, _ val, _ []val) val {
	if r.Env.Random != nil {
		return value.Num(r.Env.Random())
	}
	return value.Num(rand.Float64())
}

// mathSumPrecise adds exactly and rounds once (21.3.2.34).
func mathSumPrecise(r *realm, _ val, args []val) val {
	sum := new(big.Float).SetPrec(2200)
	plus, minus, nan, onlyNegativeZero := false, false, false, true
	term := new(big.Float)
	ok := r.Iterate(arg(args, 0), func(v val) bool {
		f, ok := float(v)
		if !ok {
			r.ThrowTypeError("Math.sumPrecise: %s is not a number", r.Describe(v))
			return false
		}
		switch {
		case f != f:
			nan = true
		case math.IsInf(f, 1):
			plus = true
		case math.IsInf(f, -1):
			minus = true
		case f != 0 || !math.Signbit(f):
			onlyNegativeZero = false
			sum.Add(sum, term.SetFloat64(f))
		}
		return true
	})
	switch {
	case !ok:
		return value.Throw
	case nan || plus && minus:
		return value.NaN
	case plus:
		return value.Num(math.Inf(1))
	case minus:
		return value.Num(math.Inf(-1))
	case onlyNegativeZero:
		return value.Num(math.Copysign(0, -1))
	}
	f, _ := sum.Float64()
	return value.Num(f + 0)
}

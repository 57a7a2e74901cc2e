package builtin

// This file defines the text forms of numbers: toString(radix), toFixed, toPrecision, toExponential (ECMA-262 21.1.3).

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// digitsArg is this and an integer argument.
func digitsArg(r *realm, this val, args []val, method string) (n val, d float64, ok bool) {
	n = thisNumber(r, this, method)
	if n.IsAbsent() {
		return n, 0, false
	}
	d, ok = r.ToInteger(arg(args, 0))
	return n, d, ok
}

func notFinite(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

func numberToString(r *realm, this val, args []val) val {
	n := thisNumber(r, this, "toString")
	if n.IsAbsent() {
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
	f, _ := float(n)
	if radix == 10 || notFinite(f) {
		return newText(r, value.PrimitiveToString(n))
	}
	if n.IsExact() {
		if z, ok := new(big.Int).SetString(n.Exact().Text, 10); ok {
			return newText(r, value.ASCII(z.Text(int(radix))))
		}
	}
	return newText(r, value.ASCII(radixText(f, int(radix))))
}

const radixDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

// radixText writes a finite number in a radix with as many digits of the fraction as tell it from its neighbours.
func radixText(f float64, radix int) string {
	if f == 0 {
		return "0"
	}
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	if f < 1<<53 && f == math.Trunc(f) {
		return sign + strconv.FormatInt(int64(f), radix)
	}
	integer := math.Floor(f)
	fraction, integer := radixFraction(f, integer, radix)
	return sign + radixInteger(integer, radix) + fraction
}

// radixFraction gives the point and the digits after it, and the integer part after a carry.
func radixFraction(f, integer float64, radix int) (string, float64) {
	fraction := f - integer
	base := float64(radix)
	delta := math.Max(5e-324, 0.5*(math.Nextafter(f, math.Inf(1))-f))
	if fraction < delta {
		return "", integer
	}
	out := []byte{'.'}
	for {
		fraction *= base
		delta *= base
		d := int(fraction)
		out = append(out, radixDigits[d])
		fraction -= float64(d)
		if (fraction > 0.5 || fraction == 0.5 && d&1 == 1) && fraction+delta > 1 {
			return carry(out, radix, integer)
		}
		if fraction < delta {
			return string(out), integer
		}
	}
}

// carry adds one to the last digit of a fraction.
func carry(out []byte, radix int, integer float64) (string, float64) {
	for i := len(out) - 1; i > 0; i-- {
		if d := digit(uint16(out[i])); d+1 < radix {
			out[i] = radixDigits[d+1]
			return string(out[:i+1]), integer
		}
	}
	return "", integer + 1
}

// radixInteger writes an integer; digits beyond the precision of a double are zeros. Where that precision is taken to end,
// the specification leaves open; this is where V8 does.
func radixInteger(f float64, radix int) string {
	var out []byte
	base := float64(radix)
	for f/base >= 1<<53 {
		f /= base
		out = append(out, '0')
	}
	for {
		d := math.Mod(f, base)
		out = append(out, radixDigits[int(d)])
		f = (f - d) / base
		if f <= 0 {
			break
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return string(out)
}

// rounded formats |f| with strconv's verb f or e; of two equally near results it takes the larger, as ECMA-262 says.
func rounded(f float64, verb byte, digits int) string {
	long := strconv.FormatFloat(f, verb, digits+1, 64)
	end := len(long)
	if verb == 'e' {
		end = strings.IndexByte(long, 'e')
	}
	if long[end-1] != '5' || !isExactly(long, f) {
		return strconv.FormatFloat(f, verb, digits, 64)
	}
	up := []byte(long[:end-1])
	if up[len(up)-1] == '.' {
		up = up[:len(up)-1]
	}
	for i := len(up) - 1; ; i-- {
		if i < 0 {
			up = append([]byte{'1'}, up...)
			break
		}
		if up[i] == '.' {
			continue
		}
		if up[i] != '9' {
			up[i]++
			break
		}
		up[i] = '0'
	}
	if verb == 'f' {
		return string(up)
	}
	if point := strings.IndexByte(string(up), '.'); point == 2 || point < 0 && len(up) == 2 { // 9.99… became 10.0…
		x, _ := strconv.Atoi(long[end+1:])
		d := strings.Replace(string(up), ".", "", 1)
		d = d[:len(d)-1]
		if len(d) > 1 {
			d = d[:1] + "." + d[1:]
		}
		return d + "e" + strconv.Itoa(x+1)
	}
	return string(up) + long[end:]
}

func isExactly(text string, f float64) bool {
	a, ok := new(big.Rat).SetString(text)
	b := new(big.Rat).SetFloat64(f)
	return ok && b != nil && a.Cmp(b) == 0
}

func signed(f float64, text func(float64) string) string {
	if f < 0 {
		return "-" + text(-f)
	}
	return text(f + 0)
}

func numberToFixed(r *realm, this val, args []val) val {
	n, d, ok := digitsArg(r, this, args, "toFixed")
	if !ok {
		return value.Throw
	}
	if d < 0 || d > 100 {
		return r.ThrowError(value.RangeError, "toFixed() digits argument must be between 0 and 100")
	}
	f, _ := float(n)
	if notFinite(f) || math.Abs(f) >= 1e21 {
		return newText(r, value.NumberToString(f))
	}
	return newText(r, value.ASCII(signed(f, func(f float64) string { return rounded(f, 'f', int(d)) })))
}

func numberToExponential(r *realm, this val, args []val) val {
	n, d, ok := digitsArg(r, this, args, "toExponential")
	if !ok {
		return value.Throw
	}
	f, _ := float(n)
	if notFinite(f) {
		return newText(r, value.NumberToString(f))
	}
	if d < 0 || d > 100 {
		return r.ThrowError(value.RangeError, "toExponential() argument must be between 0 and 100")
	}
	return newText(r, value.ASCII(signed(f, func(f float64) string {
		if arg(args, 0).IsUndefined() {
			return exponential(strconv.FormatFloat(f, 'e', -1, 64))
		}
		return exponential(rounded(f, 'e', int(d)))
	})))
}

// exponential turns strconv's exponent (e+05) into ECMAScript's (e+5).
func exponential(s string) string {
	i := strings.IndexByte(s, 'e')
	x, _ := strconv.Atoi(s[i+1:])
	if x < 0 {
		return s[:i] + "e" + strconv.Itoa(x)
	}
	return s[:i] + "e+" + strconv.Itoa(x)
}

func numberToPrecision(r *realm, this val, args []val) val {
	n := thisNumber(r, this, "toPrecision")
	if n.IsAbsent() {
		return value.Throw
	}
	if arg(args, 0).IsUndefined() {
		return newText(r, value.PrimitiveToString(n))
	}
	p, ok := r.ToInteger(args[0])
	if !ok {
		return value.Throw
	}
	f, _ := float(n)
	if notFinite(f) {
		return newText(r, value.NumberToString(f))
	}
	if p < 1 || p > 100 {
		return r.ThrowError(value.RangeError, "toPrecision() argument must be between 1 and 100")
	}
	return newText(r, value.ASCII(signed(f, func(f float64) string { return precision(f, int(p)) })))
}

func precision(f float64, p int) string {
	s := rounded(f, 'e', p-1)
	i := strings.IndexByte(s, 'e')
	e, _ := strconv.Atoi(s[i+1:])
	if e < -6 || e >= p {
		return exponential(s)
	}
	digits := strings.Replace(s[:i], ".", "", 1)
	switch {
	case e == p-1:
		return digits
	case e >= 0:
		return digits[:e+1] + "." + digits[e+1:]
	}
	return "0." + strings.Repeat("0", -e-1) + digits
}

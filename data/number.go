// This file defines numbers: a float64, or an integer with exact digits.

package data

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// MaxDigits is the length limit of an exact integer, sign not counted.
const MaxDigits = 1000

// Number is a JSON number: an ordinary float64, or an exact integer whose
// decimal digits a float64 would not give back. The zero Number is 0.
type Number struct {
	float  float64
	digits string // with sign; "" for an ordinary number
}

// NumberOf makes an ordinary number.
func NumberOf(f float64) Number { return Number{float: f} }

// maxSafe is the largest n such that every integer up to n is a float64.
const maxSafe = 1 << 53

// IntOf makes the number i, exact where a float64 would lose digits.
func IntOf(i int64) Number {
	if -maxSafe <= i && i <= maxSafe {
		return Number{float: float64(i)}
	}
	return integer(strconv.FormatInt(i, 10))
}

// Integer makes a number from decimal digits with an optional minus sign and
// no leading zeros. It is an ordinary number when the float64 nearest to it
// prints with the same digits, otherwise an exact one. The error says what is
// wrong with text that is no such integer or has more than [MaxDigits] digits.
func Integer(text string) (Number, error) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || digits[0] == '0' && len(digits) > 1 {
		return Number{}, errors.New("not a decimal integer: " + strconv.Quote(clip(text)))
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return Number{}, errors.New("not a decimal integer: " + strconv.Quote(clip(text)))
		}
	}
	if len(digits) > MaxDigits {
		return Number{}, errors.New("integer of " + strconv.Itoa(len(digits)) + " digits; the limit is " + strconv.Itoa(MaxDigits))
	}
	return integer(text), nil
}

// integer is Integer for text known to be well-formed. Digits are kept also
// where a float64 holds the integer but prints it differently, as 2^60 does:
// what counts is that the digits survive a pass-through.
func integer(text string) Number {
	f, _ := strconv.ParseFloat(text, 64)
	if len(text) <= 15 {
		return Number{float: f}
	}
	var buf [400]byte
	if !math.IsInf(f, 0) && string(strconv.AppendFloat(buf[:0], f, 'f', -1, 64)) == text {
		return Number{float: f}
	}
	return Number{float: f, digits: strings.Clone(text)}
}

// Float64 is the number as a float64, rounded to nearest if it is exact.
func (n Number) Float64() float64 { return n.float }

// Exact reports whether the number carries digits of its own.
func (n Number) Exact() bool { return n.digits != "" }

// Text is the number as ECMAScript's Number::toString writes it, or the digits
// of an exact integer.
func (n Number) Text() string {
	if n.digits != "" {
		return n.digits
	}
	return string(AppendNumber(nil, n.float))
}

// AppendNumber appends f as ECMAScript's Number::toString (ECMA-262 6.1.6.1.20)
// writes it in base 10.
func AppendNumber(dst []byte, f float64) []byte {
	switch {
	case f != f:
		return append(dst, "NaN"...)
	case f == 0:
		return append(dst, '0')
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	abs := math.Abs(f)
	if abs < 1e15 && f == math.Trunc(f) {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	if 1e-6 <= abs && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	return appendExponent(dst, f)
}

// appendExponent writes the exponent form without strconv's padding zero:
// 1e-7, not 1e-07.
func appendExponent(dst []byte, f float64) []byte {
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	n := len(dst)
	if dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

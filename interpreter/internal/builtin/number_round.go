package builtin

// This file defines how a decimal number is rounded for its locale text (ECMA-402 15.5.3, FormatNumericToString).

import (
	"math/big"
	"strings"
)

// decimal is digits × 10^exp.
type decimal struct {
	digits string
	exp    int
}

// magnitude is the exponent of the first digit.
func (d decimal) magnitude() int { return len(d.digits) + d.exp - 1 }

func (d decimal) isZero() bool { return strings.Trim(d.digits, "0") == "" }

// rounding is how a numberFormat rounds.
type rounding struct {
	mode             string // an option roundingMode
	priority         string // an option roundingPriority
	increment        int    // of the last digit; 1 for all but whole steps such as 5 cents
	minFrac, maxFrac int
	minSig, maxSig   int // 0: by fraction digits alone
	compact          bool
	strip            bool // no fraction at whole numbers
}

// apply rounds, and tells how many digits the fraction must show. negative is the sign of the number.
func (g *rounding) apply(d decimal, negative bool) (decimal, int) {
	bySig := func() (decimal, int) { return g.significant(d, negative) }
	byFrac := func() (decimal, int) { return g.at(d, -g.maxFrac, negative), g.minFrac }
	switch {
	case g.compact:
		if len(d.digits) == 0 {
			return d, 0
		}
		return g.at(d, min(0, d.magnitude()-1), negative), 0 // whole, or two digits of what is below 10
	case g.maxSig == 0:
		return byFrac()
	case g.priority == "auto":
		return bySig()
	}
	sigPlace := 1 - g.maxSig
	if len(d.digits) > 0 {
		sigPlace += d.magnitude()
	}
	if finer := sigPlace <= -g.maxFrac; finer == (g.priority == "morePrecision") {
		return bySig()
	}
	return byFrac()
}

// significant rounds to significant digits.
func (g *rounding) significant(d decimal, negative bool) (decimal, int) {
	if len(d.digits) == 0 {
		return d, g.minSig - 1
	}
	d = g.at(d, d.magnitude()+1-g.maxSig, negative)
	return d, max(0, g.minSig-1-d.magnitude())
}

// at rounds so that exp is at least place.
func (g *rounding) at(d decimal, place int, negative bool) decimal {
	if g.increment > 1 {
		return g.toStep(d, place, negative)
	}
	cut := place - d.exp
	if cut <= 0 || len(d.digits) == 0 {
		return d
	}
	if cut > len(d.digits) {
		d.digits = strings.Repeat("0", cut-len(d.digits)) + d.digits
	}
	at := len(d.digits) - cut
	keep, rest := []byte(d.digits[:at]), strings.TrimRight(d.digits[at:], "0")
	odd := at > 0 && keep[at-1]&1 == 1
	if g.up(compareHalf(rest), negative, odd) {
		keep = plusOne(keep)
	}
	return decimal{strings.TrimLeft(string(keep), "0"), place}
}

// compareHalf compares the fraction whose digits are rest with a half; -2 says that it is nothing.
func compareHalf(rest string) int {
	switch {
	case rest == "":
		return -2
	case rest < "5":
		return -1
	case rest == "5":
		return 0
	}
	return 1
}

// up tells whether a number of which half says what is cut off grows.
func (g *rounding) up(half int, negative, odd bool) bool {
	if half == -2 {
		return false
	}
	switch g.mode {
	case "ceil":
		return !negative
	case "floor":
		return negative
	case "expand":
		return true
	case "trunc":
		return false
	}
	if half != 0 {
		return half > 0
	}
	switch g.mode {
	case "halfCeil":
		return !negative
	case "halfFloor":
		return negative
	case "halfTrunc":
		return false
	case "halfEven":
		return odd
	}
	return true
}

func plusOne(digits []byte) []byte {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return digits
		}
		digits[i] = '0'
	}
	return append([]byte{'1'}, digits...)
}

// toStep rounds to a multiple of the increment at a place.
func (g *rounding) toStep(d decimal, place int, negative bool) decimal {
	n, _ := new(big.Int).SetString("0"+d.digits, 10)
	step := big.NewInt(int64(g.increment))
	ten := func(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
	if d.exp >= place {
		n.Mul(n, ten(d.exp-place))
	} else {
		step.Mul(step, ten(place-d.exp))
	}
	count, rest := n.QuoRem(n, step, new(big.Int))
	half := rest.Lsh(rest, 1).Cmp(step)
	if rest.Sign() == 0 {
		half = -2
	}
	if g.up(half, negative, count.Bit(0) == 1) {
		count.Add(count, big.NewInt(1))
	}
	count.Mul(count, big.NewInt(int64(g.increment)))
	return decimal{strings.TrimLeft(count.String(), "0"), place}
}

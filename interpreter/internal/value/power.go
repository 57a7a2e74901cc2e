package value

// This file defines exponentiation. ECMA-262 leaves its accuracy open, and results differ between libraries in the last
// digit. Engines agree on the method of FreeBSD's msun (e_pow), which has an error below 0.7 units in the last place; this
// follows it: log2(x) in two parts, times y, and 2 to that power. Products are wrapped in float64(…) so that no processor
// fuses them with a sum and rounds differently.

import "math"

// Power is Number::exponentiate (6.1.6.1.3).
func Power(x, y float64) float64 {
	switch {
	case y != y:
		return math.NaN()
	case (x == 1 || x == -1) && math.IsInf(y, 0):
		return math.NaN()
	case y == 2:
		return x * x
	case y == 1 || y == 0 || y == -1 || x == 0 || x-x != 0 || y-y != 0 || x < 0 && y != math.Trunc(y):
		return math.Pow(x, y) // nothing to round, or once
	case y == 0.5:
		return math.Sqrt(x)
	}
	z := positivePower(math.Abs(x), y)
	if x < 0 && math.Mod(y, 2) != 0 {
		return -z
	}
	return z
}

// parts is a number as the sum of a short one, whose lower 32 bits are zero, and the rest.
type parts struct{ head, tail float64 }

func head(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ (1<<32 - 1)) }

func highWord(x float64) int32 { return int32(math.Float64bits(x) >> 32) }

func withHighWord(x float64, w int32) float64 {
	return math.Float64frombits(uint64(uint32(w))<<32 | math.Float64bits(x)&(1<<32-1))
}

// positivePower is x^y for finite x > 0 and finite y.
func positivePower(x, y float64) float64 {
	var log parts
	if math.Abs(y) > 1<<31 {
		if x < 1-0x1p-20 || x > 1+0x1p-20 || math.Abs(y) > 0x1p64 {
			if (x < 1) == (y < 0) {
				return math.Inf(1)
			}
			return 0
		}
		log = log2NearOne(x)
	} else {
		log = log2(x)
	}
	y1 := head(y)
	low := float64((y-y1)*log.head) + float64(y*log.tail)
	high := y1 * log.head
	switch z := low + high; {
	case z > 1024 || z == 1024 && low+8.0085662595372944372e-17 > z-high:
		return math.Inf(1)
	case z < -1075 || z == -1075 && low <= z-high:
		return 0
	}
	return exp2(high, low)
}

// The coefficients of the series, as msun has them.
var (
	logSeries  = [...]float64{5.99999999999994648725e-01, 4.28571428578550184252e-01, 3.33333329818377432918e-01, 2.72728123808534006489e-01, 2.30660745775561754067e-01, 2.06975017800338417784e-01}
	expSeries  = [...]float64{1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05, -1.65339022054652515390e-06, 4.13813679705723846039e-08}
	ln2        = parts{6.93147182464599609375e-01, -1.90465429995776804525e-09}
	twoThirds  = parts{9.61796700954437255859e-01, -7.02846165095275826516e-09} // 2/(3 ln 2)
	inverseLn2 = parts{1.44269502162933349609e+00, 1.92596299112661746887e-08}
	log2Of3By2 = parts{5.84962487220764160156e-01, 1.35003920212974897128e-08}
)

const (
	wholeLn2        = 6.93147180559945286227e-01
	wholeTwoThirds  = 9.61796693925975554329e-01
	wholeInverseLn2 = 1.44269504088896338700e+00
)

func polynomial(x float64, c []float64) float64 {
	sum := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		sum = c[i] + float64(x*sum)
	}
	return sum
}

// log2NearOne is for |x-1| ≤ 2^-20.
func log2NearOne(x float64) parts {
	t := x - 1
	w := float64(t*t) * (0.5 - float64(t*(0.3333333333333333333333-float64(t*0.25))))
	u := inverseLn2.head * t
	v := float64(t*inverseLn2.tail) - float64(w*wholeInverseLn2)
	h := head(u + v)
	return parts{h, v - (h - u)}
}

// log2 reduces x to m·2^n with m near 1 or 1.5 and sums the series of ln m.
func log2(x float64) parts {
	n := int32(0)
	if x < 0x1p-1022 {
		x *= 0x1p53
		n = -53
	}
	w := highWord(x)
	n += w>>20 - 0x3ff
	j := w & 0xfffff
	w = j | 0x3ff00000
	near, offset, k := 1.0, parts{}, int32(0)
	switch {
	case j <= 0x3988e: // below the square root of 1.5
	case j < 0xbb67a: // below the square root of 3
		near, offset, k = 1.5, log2Of3By2, 1
	default:
		n++
		w -= 0x100000
	}
	m := withHighWord(x, w)

	// s = (m-near)/(m+near) in two parts.
	u := m - near
	v := 1 / (m + near)
	s := u * v
	sHead := head(s)
	tHead := withHighWord(0, (w>>1|0x20000000)+0x80000+k<<18)
	tTail := m - (tHead - near)
	sTail := v * ((u - float64(sHead*tHead)) - float64(sHead*tTail))

	// ln m = 2s + 2/3 s³ + …, of which 3 + s² + r is the factor.
	s2 := s * s
	r := float64(float64(s2*s2)*polynomial(s2, logSeries[:])) + float64(sTail*(sHead+s))
	s2 = sHead * sHead
	tHead = head(3 + s2 + r)
	tTail = r - ((tHead - 3) - s2)
	u = sHead * tHead
	v = float64(sTail*tHead) + float64(tTail*s)
	p := head(u + v)
	zHead := twoThirds.head * p
	zTail := float64(twoThirds.tail*p) + float64((v-(p-u))*wholeTwoThirds) + offset.tail
	t := float64(n)
	h := head(((zHead + zTail) + offset.head) + t)
	return parts{h, zTail - (((h - t) - offset.head) - zHead)}
}

// exp2 is 2^(high+low), which is in range.
func exp2(high, low float64) float64 {
	n := 0
	if z := high + low; math.Abs(z) > 0.5 {
		whole := math.Floor(math.Abs(z) + 0.5)
		n = int(math.Copysign(whole, z))
		high -= float64(n)
	}
	t := head(low + high)
	u := t * ln2.head
	v := float64((low-(t-high))*wholeLn2) + float64(t*ln2.tail)
	z := u + v
	w := v - (z - u)
	t = z * z
	q := z - float64(t*polynomial(t, expSeries[:]))
	r := float64(z*q) / ((q - 2) - (w + float64(z*w))) // V8 divides by the whole, msun subtracts the last term afterwards
	return math.Ldexp(1-(r-z), n)
}

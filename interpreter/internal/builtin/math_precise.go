package builtin

// This file defines the elementary functions of Math to about 100 bits, rounded once. Go's own differ from what engines
// give in the last place, and by machine; a program may print that place.

import (
	"math"
	"math/big"
	"sync"
)

// double is an unevaluated sum hi + lo with |lo| ≤ ulp(hi)/2.
type double struct{ hi, lo float64 }

func twoSum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

func (a double) add(b double) double {
	s := twoSum(a.hi, b.hi)
	t := twoSum(a.lo, b.lo)
	s = twoSum(s.hi, s.lo+t.hi)
	return twoSum(s.hi, s.lo+t.lo)
}

func (a double) mul(b double) double {
	p := a.hi * b.hi
	e := math.FMA(a.hi, b.hi, -p)
	return twoSum(p, e+(a.hi*b.lo+a.lo*b.hi))
}

func (a double) neg() double { return double{-a.hi, -a.lo} }

func (a double) div(b double) double {
	q := a.hi / b.hi
	r := a.add(b.mul(double{q, 0}).neg())
	s := r.hi / b.hi
	r = r.add(b.mul(double{s, 0}).neg())
	return twoSum(q, s).add(double{r.hi / b.hi, 0})
}

func (a double) scale(f float64) double { return double{a.hi * f, a.lo * f} } // f a power of two

func (a double) value() float64 { return a.hi + a.lo }

// constants are computed from integers to 1300 bits, so that any double can be reduced by π/2.
type constants struct {
	halfPi          *big.Float
	pio2            [3]float64
	ln2, invLn2     double
	invLn10         double
	inverseFactor   [30]double
	reductionPrec   uint
	halfPiAsDoubles double
}

const constantBits = 1300

var precise = sync.OnceValue(func() *constants {
	c := &constants{reductionPrec: constantBits}
	// Machin: π/4 = 4·arctan(1/5) − arctan(1/239)
	quarter := new(big.Int).Sub(new(big.Int).Lsh(arctanInverse(5), 2), arctanInverse(239))
	c.halfPi = fixed(new(big.Int).Lsh(quarter, 1))
	rest := new(big.Float).SetPrec(constantBits).Set(c.halfPi)
	for i := range c.pio2 {
		c.pio2[i], _ = rest.Float64()
		rest.Sub(rest, new(big.Float).SetFloat64(c.pio2[i]))
	}
	c.halfPiAsDoubles = toDouble(c.halfPi)
	// ln 2 = 2·artanh(1/3), ln 5/4 = 2·artanh(1/9), ln 10 = 3·ln 2 + ln 5/4
	ln2 := new(big.Int).Lsh(artanhInverse(3), 1)
	ln10 := new(big.Int).Add(new(big.Int).Mul(ln2, big.NewInt(3)), new(big.Int).Lsh(artanhInverse(9), 1))
	one := double{1, 0}
	c.ln2 = toDouble(fixed(ln2))
	c.invLn2 = one.div(c.ln2)
	c.invLn10 = one.div(toDouble(fixed(ln10)))
	f := one
	for i := range c.inverseFactor {
		if i > 1 {
			f = f.div(double{float64(i), 0})
		}
		c.inverseFactor[i] = f
	}
	return c
})

// arctanInverse is arctan(1/n)·2^constantBits, artanhInverse likewise.
func arctanInverse(n int64) *big.Int { return inverseSeries(n, -1) }

func artanhInverse(n int64) *big.Int { return inverseSeries(n, 1) }

func inverseSeries(n, sign int64) *big.Int {
	term := new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), constantBits), big.NewInt(n))
	sum := new(big.Int).Set(term)
	s := int64(1)
	for k := int64(3); term.Sign() != 0; k += 2 {
		term.Div(term, big.NewInt(n*n))
		s *= sign
		sum.Add(sum, new(big.Int).Mul(new(big.Int).Div(term, big.NewInt(k)), big.NewInt(s)))
	}
	return sum
}

func fixed(z *big.Int) *big.Float {
	f := new(big.Float).SetPrec(constantBits).SetInt(z)
	return f.SetMantExp(f, -constantBits)
}

func toDouble(f *big.Float) double {
	hi, _ := f.Float64()
	lo, _ := new(big.Float).Sub(f, new(big.Float).SetFloat64(hi)).Float64()
	return double{hi, lo}
}

// reduce gives x − n·π/2 in [−π/4, π/4] and n modulo 4.
func (c *constants) reduce(x float64) (double, int) {
	if math.Abs(x) < 1<<28 {
		n := math.RoundToEven(x / c.pio2[0])
		r := double{x, 0}
		for _, p := range c.pio2 {
			q := n * p
			r = r.add(double{-q, -math.FMA(n, p, -q)})
		}
		return r, int(int64(n) & 3)
	}
	f := new(big.Float).SetPrec(2 * c.reductionPrec).SetFloat64(x)
	q := new(big.Float).SetPrec(2*c.reductionPrec).Quo(f, c.halfPi)
	q.Add(q, new(big.Float).SetFloat64(math.Copysign(0.5, x)))
	n, _ := q.Int(nil)
	f.Sub(f, new(big.Float).SetPrec(2*c.reductionPrec).Mul(new(big.Float).SetInt(n), c.halfPi))
	return toDouble(f), int(new(big.Int).And(n, big.NewInt(3)).Int64())
}

// series sums r^k/k! for k = from, from+2 … with alternating signs. The tail is so small that plain arithmetic does.
func (c *constants) series(r double, from int) double {
	const last, split = 26, 10
	square := r.mul(r).neg()
	tail := c.inverseFactor[from+last].hi
	for k := from + last - 2; k >= from+split; k -= 2 {
		tail = tail*square.hi + c.inverseFactor[k].hi
	}
	sum := double{tail, 0}
	for k := from + split - 2; k >= from; k -= 2 {
		sum = sum.mul(square).add(c.inverseFactor[k])
	}
	if from == 1 {
		return sum.mul(r)
	}
	return sum
}

// sinCos are the sine and cosine of a finite number.
func (c *constants) sinCos(x float64) (sin, cos double) {
	r, n := c.reduce(x)
	sin, cos = c.series(r, 1), c.series(r, 0)
	switch n {
	case 1:
		return cos, sin.neg()
	case 2:
		return sin.neg(), cos.neg()
	case 3:
		return cos.neg(), sin
	}
	return sin, cos
}

// exp is e^x for |x| < 1100, as a double times a power of two.
func (c *constants) exp(x double) (double, int) {
	n := math.RoundToEven(x.hi / c.ln2.hi)
	r := x.add(c.ln2.mul(double{-n, 0}))
	r = r.scale(1.0 / 256)
	tail := 0.0
	for k := 10; k >= 5; k-- {
		tail = tail*r.hi + c.inverseFactor[k].hi
	}
	sum := double{tail, 0}
	for k := 4; k >= 0; k-- {
		sum = sum.mul(r).add(c.inverseFactor[k])
	}
	for range 8 {
		sum = sum.mul(sum)
	}
	return sum, int(n)
}

func ldexp(d double, n int) float64 { return math.Ldexp(d.value(), n) }

// log is the logarithm of a positive finite number: one step of Newton on exp.
func (c *constants) log(x double) double {
	m, e := math.Frexp(x.hi)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	a := double{m, math.Ldexp(x.lo, -e)}
	y := double{math.Log(m), 0}
	p, n := c.exp(y.neg())
	d := p.scale(math.Ldexp(1, n)).mul(a).add(double{-1, 0}) // a·e^−y − 1, small
	y = y.add(d).add(d.mul(d).scale(-0.5))
	return y.add(c.ln2.mul(double{float64(e), 0}))
}

// ordinary tells arguments for which a function needs no special case.
func ordinary(x float64) bool { return x != 0 && !notFinite(x) }

func sine(x float64) float64 {
	if !ordinary(x) || math.Abs(x) < 1e-9 {
		if math.IsInf(x, 0) {
			return math.NaN()
		}
		return x
	}
	s, _ := precise().sinCos(x)
	return s.value()
}

func cosine(x float64) float64 {
	if notFinite(x) {
		return math.NaN()
	}
	_, c := precise().sinCos(x)
	return c.value()
}

func tangent(x float64) float64 {
	if !ordinary(x) || math.Abs(x) < 1e-9 {
		return math.Tan(x)
	}
	s, c := precise().sinCos(x)
	return s.div(c).value()
}

func exponentialOf(x float64) float64 {
	if !ordinary(x) || math.Abs(x) > 750 {
		return math.Exp(x)
	}
	d, n := precise().exp(double{x, 0})
	return ldexp(d, n)
}

func arctangent(x float64) float64 {
	if !ordinary(x) || math.Abs(x) < 1e-8 || math.Abs(x) > 1e17 {
		return math.Atan(x)
	}
	return precise().atan(double{x, 0}).value()
}

// atan is one step of Newton on the tangent.
func (c *constants) atan(x double) double {
	y := math.Atan(x.hi)
	s, co := c.sinCos(y)
	// atan x = y + atan((x·cos y − sin y) / (cos y + x·sin y))
	d := x.mul(co).add(s.neg()).div(co.add(x.mul(s)))
	return double{y, 0}.add(d)
}

func arctangent2(y, x float64) float64 {
	if !ordinary(x) || !ordinary(y) {
		return math.Atan2(y, x)
	}
	q := y / x
	if math.Abs(q) < 1e-280 || math.Abs(q) > 1e280 || math.Abs(y) > 1e290 || math.Abs(x) > 1e290 || math.Abs(y) < 1e-290 || math.Abs(x) < 1e-290 {
		return math.Atan2(y, x)
	}
	c := precise()
	d := c.atan(double{y, 0}.div(double{x, 0}))
	if x < 0 {
		d = d.add(c.halfPiAsDoubles.scale(math.Copysign(2, y)))
	}
	return d.value()
}

func arcsine(x float64) float64 {
	if !ordinary(x) || math.Abs(x) < 1e-9 || math.Abs(x) >= 1 {
		return math.Asin(x)
	}
	return precise().asin(x).value()
}

func (c *constants) asin(x float64) double {
	cos2 := double{1, 0}.add(double{x, 0}.mul(double{-x, 0}))
	return c.atan(double{x, 0}.div(cos2.sqrt()))
}

func (a double) sqrt() double {
	s := math.Sqrt(a.hi)
	d := a.add(double{s, 0}.mul(double{-s, 0}))
	return twoSum(s, d.hi/(2*s))
}

func arccosine(x float64) float64 {
	if !(math.Abs(x) < 1) {
		return math.Acos(x)
	}
	c := precise()
	return c.halfPiAsDoubles.add(c.asin(x).neg()).value()
}

func logarithm2(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log2(x)
	}
	c := precise()
	return c.log(double{x, 0}).mul(c.invLn2).value()
}

func logarithm10(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log10(x)
	}
	c := precise()
	return c.log(double{x, 0}).mul(c.invLn10).value()
}

func cubeRoot(x float64) float64 {
	if !ordinary(x) || math.Abs(x) > 1e100 || math.Abs(x) < 1e-100 {
		return math.Cbrt(x)
	}
	y := math.Cbrt(x)
	d := double{y, 0}.mul(double{y, 0}).mul(double{y, 0}).neg().add(double{x, 0})
	return double{y, 0}.add(double{d.hi / (3 * y * y), 0}).value()
}

// exps are e^x and e^−x.
func exps(x float64) (up, down double) {
	c := precise()
	p, n := c.exp(double{x, 0})
	up = p.scale(math.Ldexp(1, n))
	return up, double{1, 0}.div(up)
}

func sineH(x float64) float64 {
	if !ordinary(x) || math.Abs(x) < 1e-8 || math.Abs(x) > 700 {
		return math.Sinh(x)
	}
	u, d := exps(x)
	return u.add(d.neg()).scale(0.5).value()
}

func cosineH(x float64) float64 {
	if !ordinary(x) || math.Abs(x) > 700 {
		return math.Cosh(x)
	}
	u, d := exps(x)
	return u.add(d).scale(0.5).value()
}

func tangentH(x float64) float64 {
	if !ordinary(x) || math.Abs(x) < 1e-8 || math.Abs(x) > 22 {
		return math.Tanh(x)
	}
	u, d := exps(x)
	return u.add(d.neg()).div(u.add(d)).value()
}

func logarithm(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return precise().log(double{x, 0}).value()
}

func logarithm1(x float64) float64 {
	if !(x > -1) || math.Abs(x) < 1e-9 || math.Abs(x) > 1e300 {
		return math.Log1p(x)
	}
	return precise().log(twoSum(1, x)).value()
}

func exponential1(x float64) float64 {
	if !ordinary(x) || math.Abs(x) < 1e-9 || math.Abs(x) > 700 {
		return math.Expm1(x)
	}
	up, _ := exps(x)
	return up.add(double{-1, 0}).value()
}

func arcsineH(x float64) float64 {
	a := math.Abs(x)
	if !ordinary(x) || a < 1e-8 || a > 1e150 {
		return math.Asinh(x)
	}
	d := double{a, 0}
	return math.Copysign(precise().log(d.add(d.mul(d).add(double{1, 0}).sqrt())).value(), x)
}

func arccosineH(x float64) float64 {
	if !(x > 1) || x > 1e150 {
		return math.Acosh(x)
	}
	d := double{x, 0}
	return precise().log(d.add(d.mul(d).add(double{-1, 0}).sqrt())).value()
}

func arctangentH(x float64) float64 {
	if !(math.Abs(x) < 1) || math.Abs(x) < 1e-8 {
		return math.Atanh(x)
	}
	return precise().log(twoSum(1, x).div(twoSum(1, -x))).scale(0.5).value()
}

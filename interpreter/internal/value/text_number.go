package value

// This file defines how long texts become numbers: without reading digits that cannot count, and in parts between which
// the execution can be interrupted.

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

const (
	longText    = 1 << 12 // below this a text is a number at once
	significant = 780     // decimal digits that can decide how a number rounds (767), and fewer than strconv counts
)

// numberOfText is StringToNumber of any text; false if the execution ends.
func (r *Realm) numberOfText(s *Str) (float64, bool) {
	if s.N <= longText {
		return StringToNumber(s), true
	}
	s, ok := r.trimmed(s)
	if !ok {
		return 0, false
	}
	if s.N > longText && s.IsASCII() {
		if a := s.ASCII(); a[0] != '0' || digitOf(a[1]) < 10 || a[1] == '.' || a[1]|0x20 == 'e' {
			a, ok = r.Decimal(a)
			if a == "" {
				return math.NaN(), ok
			}
			return parseDecimal(a), ok
		}
	}
	r.oweText(8 * s.Len())
	return StringToNumber(s), true
}

// trimmed is Trim at both ends, in parts.
func (r *Realm) trimmed(s *Str) (*Str, bool) {
	i, j := 0, s.Len()
	for i < j && IsSpace(s.At(i)) {
		if i++; i&0xFFFF == 0 && !r.Step(128) {
			return nil, false
		}
	}
	for j > i && IsSpace(s.At(j-1)) {
		if j--; j&0xFFFF == 0 && !r.Step(128) {
			return nil, false
		}
	}
	return s.Slice(i, j), true
}

// Decimal writes a long decimal literal with no more digits than count: the others decide no more than whether any is not
// zero. It gives "" for what is no such literal; false if the execution ends.
func (r *Realm) Decimal(a string) (string, bool) {
	d := decimalReader{r: r, a: a}
	if len(a) > 0 && (a[0] == '+' || a[0] == '-') {
		d.at = 1
	}
	d.out = append(d.out, a[:d.at]...)
	d.digits(false)
	if d.at < len(a) && a[d.at] == '.' {
		d.at++
		d.digits(true)
	}
	exponent, well := d.exponent()
	if d.stopped || !d.any || !well || d.at != len(a) {
		return "", !d.stopped
	}
	if d.rest {
		d.out = append(d.out, '1')
		d.shift--
	}
	if d.kept == 0 {
		d.out = append(d.out, '0')
	}
	return string(strconv.AppendInt(append(d.out, 'e'), int64(exponent+d.shift), 10)), true
}

type decimalReader struct {
	r       *Realm
	a       string
	at      int
	out     []byte
	kept    int // significant digits in out
	shift   int // the exponent of out
	any     bool
	rest    bool // a digit that was left out is not zero
	stopped bool
}

// digits reads a run of them, behind the point or before.
func (d *decimalReader) digits(fraction bool) {
	for ; d.at < len(d.a); d.at++ {
		c := d.a[d.at]
		if c < '0' || c > '9' {
			return
		}
		if d.at&0xFFFF == 0xFFFF && !d.r.Step(128) {
			d.stopped = true
			return
		}
		d.any = true
		switch {
		case d.kept == 0 && c == '0':
		case d.kept < significant:
			d.out = append(d.out, c)
			d.kept++
		default:
			d.rest = d.rest || c != '0'
			if !fraction {
				d.shift++
			}
			continue
		}
		if fraction {
			d.shift--
		}
	}
}

// exponent reads the part after e, within what makes a difference.
func (d *decimalReader) exponent() (n int, well bool) {
	if d.at == len(d.a) || d.a[d.at]|0x20 != 'e' {
		return 0, true
	}
	d.at++
	sign := 1
	if d.at < len(d.a) && (d.a[d.at] == '+' || d.a[d.at] == '-') {
		if d.a[d.at] == '-' {
			sign = -1
		}
		d.at++
	}
	from := d.at
	for ; d.at < len(d.a) && d.a[d.at] >= '0' && d.a[d.at] <= '9'; d.at++ {
		n = min(n*10+int(d.a[d.at]-'0'), 2*MaxStringLength)
	}
	d.r.oweText(d.at - from)
	return sign * n, d.at > from
}

// MaxBigBits bounds BigInts, so that one operation stays short.
const MaxBigBits = 1 << 20

// oweBig accounts for work on a BigInt.
func (r *Realm) oweBig(z *big.Int) {
	if n := z.BitLen(); n > 1<<12 {
		r.Fuel -= n >> 8
	}
}

// clipped is a text for a message.
func clipped(s *Str) *Str {
	if s.N <= 100 {
		return s
	}
	return Concat(s.Slice(0, 100), NewStr("…"))
}

// parseBigInt is StringToBigInt (7.1.14): nil if the text is no integer; fits is false if it is too big a one.
func (r *Realm) parseBigInt(s *Str) (z *big.Int, fits bool) {
	r.Owe(s.Len() >> 8)
	s = s.Trim(true, true)
	if !s.IsASCII() {
		return nil, true
	}
	return readBigInt(s.ASCII())
}

// ParseBigInt reads the text of a BigInt literal; nil if it is none or too big.
func ParseBigInt(s string) *big.Int {
	z, _ := readBigInt(s)
	return z
}

func readBigInt(t string) (z *big.Int, fits bool) {
	base := 10
	if len(t) > 2 && t[0] == '0' {
		switch t[1] | 0x20 {
		case 'x':
			base, t = 16, t[2:]
		case 'o':
			base, t = 8, t[2:]
		case 'b':
			base, t = 2, t[2:]
		}
	}
	negative := false
	if base == 10 && len(t) > 1 && (t[0] == '-' || t[0] == '+') {
		negative, t = t[0] == '-', t[1:]
	}
	for i := 0; i < len(t); i++ {
		if digitOf(t[i]) >= base {
			return nil, true
		}
	}
	t = strings.TrimLeft(t, "0")
	if float64(len(t)-1)*math.Log2(float64(base)) > MaxBigBits {
		return nil, false
	}
	z = bigOfDigits(t, base)
	if negative {
		z.Neg(z)
	}
	return z, z.BitLen() <= MaxBigBits
}

// bigOfDigits reads digits by halves, which costs less than one by one.
func bigOfDigits(t string, base int) *big.Int {
	z := new(big.Int)
	if t == "" {
		return z
	}
	if len(t) <= 1000 || base != 10 {
		z.SetString(t, base)
		return z
	}
	low := len(t) / 2
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(low)), nil)
	z.Mul(bigOfDigits(t[:len(t)-low], base), scale)
	return z.Add(z, bigOfDigits(t[len(t)-low:], base))
}

package builtin

// This file defines Number.prototype.toLocaleString by the rules of en-US (ECMA-402 15), with the options that programs use.

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// numberFormat are the resolved options of a number format.
type numberFormat struct {
	style, currency, display, unit, unitDisplay, notation, compact, sign string
	grouping                                                             string // "always", "auto", "min2", or "" for none
	accounting                                                           bool
	minInt                                                               int
	rounding                                                             rounding
}

// numberFormatOf reads locales and options; false if it threw.
func numberFormatOf(r *realm, locales, opts val) (*numberFormat, bool) {
	if !checkLocales(r, locales) {
		return nil, false
	}
	p, ok := readOptions(r, opts)
	if !ok {
		return nil, false
	}
	f := &numberFormat{}
	f.style = p.choice("style", "decimal", "decimal", "percent", "currency", "unit")
	if !f.readCurrency(p) || !f.readUnit(p) {
		return nil, false
	}
	f.notation = p.choice("notation", "standard", "standard", "scientific", "engineering", "compact")
	f.readDigits(p)
	f.compact = p.choice("compactDisplay", "short", "short", "long")
	f.grouping = f.readGrouping(p)
	f.sign = p.choice("signDisplay", "auto", "auto", "never", "always", "exceptZero", "negative")
	return f, !p.threw
}

func (f *numberFormat) readCurrency(p *options) bool {
	f.currency = strings.ToUpper(p.text("currency"))
	f.display = p.choice("currencyDisplay", "symbol", "code", "symbol", "narrowSymbol", "name")
	f.accounting = p.choice("currencySign", "standard", "standard", "accounting") == "accounting"
	if p.threw {
		return false
	}
	if f.currency == "" && f.style == "currency" {
		p.r.ThrowTypeError("Currency code is required with currency style.")
		return false
	}
	if f.currency != "" && !isCurrency(f.currency) {
		p.r.ThrowError(value.RangeError, "Invalid currency code : %s", f.currency)
		return false
	}
	return true
}

func isCurrency(s string) bool {
	if len(s) != 3 {
		return false
	}
	for i := range 3 {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
}

func (f *numberFormat) readUnit(p *options) bool {
	f.unit = p.text("unit")
	f.unitDisplay = p.choice("unitDisplay", "short", "short", "narrow", "long")
	if p.threw {
		return false
	}
	if f.style != "unit" {
		return true
	}
	if f.unit == "" {
		p.r.ThrowTypeError("Unit is required with unit style.")
		return false
	}
	if _, ok := units[f.unit]; !ok {
		p.r.ThrowError(value.RangeError, "Invalid unit argument for Intl.NumberFormat() '%s'", f.unit)
		return false
	}
	return true
}

// readDigits is SetNumberFormatDigitOptions (ECMA-402 15.1.3).
func (f *numberFormat) readDigits(p *options) {
	g := &f.rounding
	f.minInt = max(1, p.integer("minimumIntegerDigits", 1, 21))
	minFrac, maxFrac := p.integer("minimumFractionDigits", 0, 100), p.integer("maximumFractionDigits", 0, 100)
	minSig, maxSig := p.integer("minimumSignificantDigits", 1, 21), p.integer("maximumSignificantDigits", 1, 21)
	g.increment = max(1, p.integer("roundingIncrement", 1, 5000))
	g.mode = p.choice("roundingMode", "halfExpand", "ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven")
	g.priority = p.choice("roundingPriority", "auto", "auto", "morePrecision", "lessPrecision")
	g.strip = p.choice("trailingZeroDisplay", "auto", "auto", "stripIfInteger") == "stripIfInteger"
	hasSig, hasFrac := minSig >= 0 || maxSig >= 0, minFrac >= 0 || maxFrac >= 0
	switch {
	case p.threw:
		return
	case hasSig || g.priority != "auto":
		g.minSig, g.maxSig = max(1, minSig), maxSig
		if maxSig < 0 {
			g.maxSig = 21
		}
		if g.maxSig < g.minSig {
			p.refuse("maximumSignificantDigits value is out of range.")
			return
		}
	case !hasFrac && f.notation == "compact":
		g.compact = true
	}
	if !hasSig || g.priority != "auto" {
		f.readFraction(p, minFrac, maxFrac)
	}
	f.checkIncrement(p)
}

// readFraction resolves the digits of the fraction; -1: not given.
func (f *numberFormat) readFraction(p *options, minFrac, maxFrac int) {
	minDefault, maxDefault := 0, 3
	switch f.style {
	case "currency":
		minDefault = currencyOf(f.currency).digits
		maxDefault = minDefault
	case "percent":
		maxDefault = 0
	}
	if f.rounding.increment > 1 {
		maxDefault = minDefault
	}
	switch {
	case minFrac < 0 && maxFrac < 0:
		minFrac, maxFrac = minDefault, maxDefault
	case minFrac < 0:
		minFrac = min(minDefault, maxFrac)
	case maxFrac < 0:
		maxFrac = max(maxDefault, minFrac)
	}
	if minFrac > maxFrac {
		p.refuse("maximumFractionDigits value is out of range.")
	}
	f.rounding.minFrac, f.rounding.maxFrac = minFrac, maxFrac
}

// increments are the values of the option roundingIncrement.
var increments = []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000}

func (f *numberFormat) checkIncrement(p *options) {
	g := &f.rounding
	switch {
	case p.threw:
	case !slices.Contains(increments, g.increment):
		p.refuse("roundingIncrement value is out of range; use one of 1, 2 or 5 followed by zeros, 25, 250 or 2500")
	case g.increment == 1:
	case g.maxSig > 0 || g.compact:
		p.r.ThrowTypeError("roundingIncrement value is invalid: it goes with fraction digits only")
		p.threw = true
	case g.minFrac != g.maxFrac:
		p.refuse("roundingIncrement value is out of range: maximumFractionDigits must equal minimumFractionDigits")
	}
}

// readGrouping is the option useGrouping (ECMA-402 15.1.2).
func (f *numberFormat) readGrouping(p *options) string {
	const def = "auto"
	v := p.get("useGrouping")
	switch s := v.Str(); {
	case v.IsUndefined() || p.threw:
		return def
	case s != nil && s.Len() > 0:
		if t := p.choice("useGrouping", def, "min2", "auto", "always", "true", "false"); t != "true" && t != "false" {
			return t
		}
		return def
	case v.Kind() == value.KindBool && value.ToBoolean(v):
		return "always"
	case !value.ToBoolean(v):
		return ""
	}
	return p.choice("useGrouping", def, "min2", "auto", "always", "true", "false")
}

func numberToLocaleString(r *realm, this val, args []val) val {
	n := thisNumber(r, this, "toLocaleString")
	if n.IsAbsent() {
		return value.Throw
	}
	f, ok := numberFormatOf(r, arg(args, 0), arg(args, 1))
	if !ok {
		return value.Throw
	}
	return newText(r, value.NewStr(f.format(n)))
}

func (f *numberFormat) format(n val) string {
	if n.IsExact() {
		t := n.Exact().Text
		return f.text(strings.TrimPrefix(t, "-"), 0, strings.HasPrefix(t, "-"))
	}
	x := n.Float()
	if x != x {
		return f.dress("NaN", false, true, false)
	}
	if math.IsInf(x, 0) {
		return f.dress("∞", x < 0, false, false)
	}
	s := strconv.FormatFloat(math.Abs(x), 'e', -1, 64)
	i := strings.IndexByte(s, 'e')
	exp, _ := strconv.Atoi(s[i+1:])
	digits := strings.Replace(s[:i], ".", "", 1)
	return f.text(digits, exp+1-len(digits), math.Signbit(x))
}

// text formats the number digits × 10^exp.
func (f *numberFormat) text(digits string, exp int, negative bool) string {
	if f.style == "percent" {
		exp += 2
	}
	d := decimal{strings.TrimLeft(digits, "0"), exp}
	d, least, shift := f.scaled(d, negative)
	suffix := ""
	switch f.notation {
	case "compact":
		suffix = compactNames[f.compactForm()][shift/3]
	case "scientific", "engineering":
		suffix = "E" + strconv.Itoa(shift)
	}
	body := f.plain(d, least)
	one := strings.TrimLeft(body, "0") == "1" && shift == 0
	return f.dress(body+suffix, negative, d.isZero(), one)
}

// compactForm is the option compactDisplay; beside the symbol of a currency it is always short.
func (f *numberFormat) compactForm() string {
	if f.style == "currency" && f.display != "name" {
		return "short"
	}
	return f.compact
}

var compactNames = map[string][]string{"short": {"", "K", "M", "B", "T"}, "long": {"", " thousand", " million", " billion", " trillion"}}

// shift is the power of ten that a notation takes out of a number of a magnitude.
func (f *numberFormat) shift(magnitude int) int {
	thirds := int(math.Floor(float64(magnitude)/3)) * 3
	switch f.notation {
	case "scientific":
		return magnitude
	case "engineering":
		return thirds
	case "compact":
		return max(0, min(12, thirds))
	}
	return 0
}

// scaled takes the power of ten of the notation out of d and rounds. A number that rounding lifts to the next power, as
// 999,999 to a million, is scaled by that.
func (f *numberFormat) scaled(d decimal, negative bool) (rounded decimal, least, shift int) {
	if len(d.digits) == 0 {
		rounded, least = f.rounding.apply(d, negative)
		return rounded, least, 0
	}
	shift = f.shift(d.magnitude())
	d.exp -= shift
	rounded, least = f.rounding.apply(d, negative)
	if !rounded.isZero() && rounded.magnitude() != d.magnitude() {
		if next := f.shift(d.magnitude() + shift + 1); next != shift {
			rounded.exp -= next - shift
			rounded, least = f.rounding.apply(rounded, negative)
			shift = next
		}
	}
	return rounded, least, shift
}

// plain writes a rounded decimal with grouping and the least digits asked for.
func (f *numberFormat) plain(d decimal, least int) string {
	digits, exp := d.digits, d.exp
	if exp > 0 {
		digits, exp = digits+strings.Repeat("0", exp), 0
	}
	if len(digits) <= -exp {
		digits = strings.Repeat("0", -exp-len(digits)+1) + digits
	}
	whole, frac := digits[:len(digits)+exp], strings.TrimRight(digits[len(digits)+exp:], "0")
	if f.rounding.strip && frac == "" {
		least = 0
	}
	if len(frac) < least {
		frac += strings.Repeat("0", least-len(frac))
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) < f.minInt {
		whole = strings.Repeat("0", f.minInt-len(whole)) + whole
	}
	if least := f.leastGrouped(); least > 0 && len(whole) >= least {
		whole = grouped(whole)
	}
	if frac != "" {
		return whole + "." + frac
	}
	return whole
}

// leastGrouped is how many digits a whole number has before it is grouped; 0: it never is.
func (f *numberFormat) leastGrouped() int {
	switch {
	case f.grouping == "":
		return 0
	case f.grouping == "min2", f.grouping == "auto" && f.notation == "compact":
		return 5
	}
	return 4
}

func grouped(s string) string {
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// dress adds sign, currency, percent or unit. zero: the number shows as zero (or is NaN); one: it shows as 1.
func (f *numberFormat) dress(body string, negative, zero, one bool) string {
	sign := ""
	switch {
	case negative && (f.sign == "auto" || f.sign == "always" || (f.sign == "exceptZero" || f.sign == "negative") && !zero):
		sign = "-"
	case !negative && (f.sign == "always" || f.sign == "exceptZero" && !zero):
		sign = "+"
	}
	switch f.style {
	case "percent":
		body += "%"
	case "unit":
		body += f.unitText(one)
	case "currency":
		return f.currencyText(sign, body, one)
	}
	return sign + body
}

func (f *numberFormat) unitText(one bool) string {
	u := units[f.unit]
	switch {
	case f.unitDisplay == "narrow":
		return u[3]
	case f.unitDisplay == "long" && one:
		return u[1]
	case f.unitDisplay == "long":
		return u[2]
	case f.unit == "byte" || f.unit == "day" || f.unit == "month" || f.unit == "week" || f.unit == "year":
		if !one && f.unit != "byte" {
			return u[0] + "s"
		}
	}
	return u[0]
}

func (f *numberFormat) currencyText(sign, body string, one bool) string {
	c := currencyOf(f.currency)
	symbol := c.symbol
	switch f.display {
	case "name":
		if one {
			return sign + body + " " + c.one
		}
		return sign + body + " " + c.many
	case "narrowSymbol":
		symbol = c.narrow
	case "code":
		symbol = f.currency
	}
	last, _ := utf8.DecodeLastRuneInString(symbol)
	if unicode.IsLetter(last) && body[0] >= '0' && body[0] <= '9' {
		symbol += "\u00a0"
	}
	shortened := f.notation == "compact" && unicode.IsLetter(rune(body[len(body)-1])) // 1.2K: CLDR has no brackets for these
	if f.accounting && sign == "-" && !shortened {
		return "(" + symbol + body + ")"
	}
	return sign + symbol + body
}

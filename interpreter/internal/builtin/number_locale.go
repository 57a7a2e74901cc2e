package builtin

// This file defines Number.prototype.toLocaleString by the rules of en-US (ECMA-402 15), with the options that programs use.

import (
	"math"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// numberFormat are the resolved options of a number format.
type numberFormat struct {
	style, currency, display, unit, unitDisplay, notation, compact, sign string
	accounting, grouping                                                 bool
	minInt, minFrac, maxFrac                                             int
	minSig, maxSig                                                       int // 0: rounding by fraction digits
	compactRounding                                                      bool
}

var currencySymbols = map[string]string{
	"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CNY": "CN¥", "KRW": "₩", "CAD": "CA$", "AUD": "A$", "MXN": "MX$",
	"BRL": "R$", "NZD": "NZ$", "ILS": "₪", "VND": "₫", "HKD": "HK$", "TWD": "NT$", "XAF": "FCFA", "XOF": "F\u202fCFA", "PHP": "₱",
	"XCD": "EC$", "XPF": "CFPF",
}

var narrowSymbols = map[string]string{
	"CNY": "¥", "CAD": "$", "AUD": "$", "MXN": "$", "NZD": "$", "HKD": "$", "TWD": "$", "RUB": "₽", "TRY": "₺", "UAH": "₴", "PLN": "zł",
	"CZK": "Kč", "SEK": "kr", "NOK": "kr", "DKK": "kr", "NGN": "₦", "HUF": "Ft", "SGD": "$", "ARS": "$", "CLP": "$", "COP": "$",
}

// currencyNames: singular and plural.
var currencyNames = map[string][2]string{
	"USD": {"US dollar", "US dollars"}, "EUR": {"euro", "euros"}, "GBP": {"British pound", "British pounds"},
	"JPY": {"Japanese yen", "Japanese yen"}, "INR": {"Indian rupee", "Indian rupees"}, "CNY": {"Chinese yuan", "Chinese yuan"},
	"CAD": {"Canadian dollar", "Canadian dollars"}, "AUD": {"Australian dollar", "Australian dollars"}, "CHF": {"Swiss franc", "Swiss francs"},
}

var currencyDigits = map[string]int{
	"JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "ISK": 0, "XAF": 0, "XOF": 0, "XPF": 0, "UGX": 0, "PYG": 0, "RWF": 0, "BIF": 0, "DJF": 0,
	"GNF": 0, "KMF": 0, "VUV": 0, "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
}

// units: short form (with its space), singular, plural, narrow.
var units = map[string][4]string{
	"bit": {" bit", " bit", " bits", "bit"}, "byte": {" byte", " byte", " bytes", "B"}, "kilobyte": {" kB", " kilobyte", " kilobytes", "kB"},
	"megabyte": {" MB", " megabyte", " megabytes", "MB"}, "gigabyte": {" GB", " gigabyte", " gigabytes", "GB"},
	"terabyte": {" TB", " terabyte", " terabytes", "TB"}, "petabyte": {" PB", " petabyte", " petabytes", "PB"},
	"millisecond": {" ms", " millisecond", " milliseconds", "ms"}, "second": {" sec", " second", " seconds", "s"},
	"minute": {" min", " minute", " minutes", "m"}, "hour": {" hr", " hour", " hours", "h"}, "day": {" day", " day", " days", "d"},
	"week": {" wk", " week", " weeks", "w"}, "month": {" mth", " month", " months", "m"}, "year": {" yr", " year", " years", "y"},
	"millimeter": {" mm", " millimeter", " millimeters", "mm"}, "centimeter": {" cm", " centimeter", " centimeters", "cm"},
	"meter": {" m", " meter", " meters", "m"}, "kilometer": {" km", " kilometer", " kilometers", "km"}, "mile": {" mi", " mile", " miles", "mi"},
	"foot": {" ft", " foot", " feet", "′"}, "inch": {" in", " inch", " inches", "″"}, "yard": {" yd", " yard", " yards", "yd"},
	"gram": {" g", " gram", " grams", "g"}, "kilogram": {" kg", " kilogram", " kilograms", "kg"}, "pound": {" lb", " pound", " pounds", "#"},
	"ounce": {" oz", " ounce", " ounces", "oz"}, "liter": {" L", " liter", " liters", "L"}, "milliliter": {" mL", " milliliter", " milliliters", "mL"},
	"celsius": {"°C", " degree Celsius", " degrees Celsius", "°C"}, "fahrenheit": {"°F", " degree Fahrenheit", " degrees Fahrenheit", "°"},
	"percent": {"%", " percent", " percent", "%"}, "degree": {" deg", " degree", " degrees", "°"},
	"kilometer-per-hour": {" km/h", " kilometer per hour", " kilometers per hour", "km/h"}, "mile-per-hour": {" mph", " mile per hour", " miles per hour", "mph"},
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
	minDefault, maxDefault := 0, 3
	switch f.style {
	case "currency":
		minDefault = 2
		if d, ok := currencyDigits[f.currency]; ok {
			minDefault = d
		}
		maxDefault = minDefault
	case "percent":
		maxDefault = 0
	}
	f.minInt = max(1, p.integer("minimumIntegerDigits", 1, 21))
	minFrac, maxFrac := p.integer("minimumFractionDigits", 0, 100), p.integer("maximumFractionDigits", 0, 100)
	minSig, maxSig := p.integer("minimumSignificantDigits", 1, 21), p.integer("maximumSignificantDigits", 1, 21)
	switch {
	case p.threw:
	case minSig >= 0 || maxSig >= 0:
		f.minSig, f.maxSig = max(1, minSig), maxSig
		if maxSig < 0 {
			f.maxSig = 21
		}
		if f.maxSig < f.minSig {
			p.r.ThrowError(value.RangeError, "maximumSignificantDigits value is out of range.")
			p.threw = true
		}
	case minFrac < 0 && maxFrac < 0 && f.notation == "compact":
		f.compactRounding = true
	default:
		switch {
		case minFrac < 0 && maxFrac < 0:
			minFrac, maxFrac = minDefault, maxDefault
		case minFrac < 0:
			minFrac = min(minDefault, maxFrac)
		case maxFrac < 0:
			maxFrac = max(maxDefault, minFrac)
		}
		if minFrac > maxFrac {
			p.r.ThrowError(value.RangeError, "maximumFractionDigits value is out of range.")
			p.threw = true
		}
		f.minFrac, f.maxFrac = minFrac, maxFrac
	}
}

func (f *numberFormat) readGrouping(p *options) bool {
	v := p.get("useGrouping")
	switch s := v.Str(); {
	case v.IsUndefined():
		return true
	case s != nil:
		return s.Len() > 0 && s.String() != "false"
	}
	return value.ToBoolean(v)
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
	suffix := ""
	switch f.notation {
	case "compact":
		d, suffix = f.compacted(d)
	case "scientific", "engineering":
		shift := 0
		if len(d.digits) > 0 {
			shift = d.magnitude()
			if f.notation == "engineering" {
				shift = int(math.Floor(float64(shift)/3)) * 3
			}
		}
		d.exp -= shift
		suffix = "E" + strconv.Itoa(shift)
	}
	d = f.round(d)
	zero := strings.Trim(d.digits, "0") == ""
	body := f.plain(d)
	one := body == "1"
	return f.dress(body+suffix, negative, zero, one)
}

// decimal is digits × 10^exp.
type decimal struct {
	digits string
	exp    int
}

// magnitude is the exponent of the first digit.
func (d decimal) magnitude() int { return len(d.digits) + d.exp - 1 }

// roundAt rounds half away from zero so that exp is at least place.
func (d decimal) roundAt(place int) decimal {
	cut := place - d.exp
	if cut <= 0 {
		return d
	}
	if cut > len(d.digits) {
		return decimal{"", place}
	}
	keep := []byte(d.digits[:len(d.digits)-cut])
	if d.digits[len(keep)] >= '5' {
		i := len(keep) - 1
		for ; i >= 0 && keep[i] == '9'; i-- {
			keep[i] = '0'
		}
		if i >= 0 {
			keep[i]++
		} else {
			keep = append([]byte{'1'}, keep...)
		}
	}
	return decimal{string(keep), place}
}

func (f *numberFormat) round(d decimal) decimal {
	switch {
	case f.maxSig > 0:
		if len(d.digits) > 0 {
			return d.roundAt(d.magnitude() + 1 - f.maxSig)
		}
		return d
	case f.compactRounding:
		return roundCompact(d)
	}
	return d.roundAt(-f.maxFrac)
}

// roundCompact keeps whole numbers, or two digits of what is below 10.
func roundCompact(d decimal) decimal {
	if len(d.digits) == 0 {
		return d
	}
	return d.roundAt(min(0, d.magnitude()-1))
}

var compactShort, compactLong = []string{"", "K", "M", "B", "T"}, []string{"", " thousand", " million", " billion", " trillion"}

func (f *numberFormat) compacted(d decimal) (decimal, string) {
	if len(d.digits) == 0 {
		return d, ""
	}
	step := func(d decimal) int { return max(0, min(4, int(math.Floor(float64(d.magnitude())/3)))) }
	n := step(d)
	if r := f.round(decimal{d.digits, d.exp - 3*n}); len(r.digits) > 0 {
		n = step(decimal{r.digits, r.exp + 3*n})
	}
	names := compactShort
	if f.compact == "long" {
		names = compactLong
	}
	return decimal{d.digits, d.exp - 3*n}, names[n]
}

// plain writes a rounded decimal with grouping and the least digits asked for.
func (f *numberFormat) plain(d decimal) string {
	digits, exp := d.digits, d.exp
	if exp > 0 {
		digits, exp = digits+strings.Repeat("0", exp), 0
	}
	if len(digits) <= -exp {
		digits = strings.Repeat("0", -exp-len(digits)+1) + digits
	}
	whole, frac := digits[:len(digits)+exp], strings.TrimRight(digits[len(digits)+exp:], "0")
	least := f.minFrac
	if f.maxSig > 0 {
		n := len(strings.TrimLeft(whole+frac, "0"))
		if strings.Trim(whole, "0") != "" {
			n = len(strings.TrimLeft(whole, "0")) + len(frac)
		} else if n == 0 {
			n = 1
		}
		least = len(frac) + max(0, f.minSig-n)
	}
	if len(frac) < least {
		frac += strings.Repeat("0", least-len(frac))
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) < f.minInt {
		whole = strings.Repeat("0", f.minInt-len(whole)) + whole
	}
	if f.grouping && (f.notation != "compact" || len(whole) > 4) {
		whole = grouped(whole)
	}
	if frac != "" {
		return whole + "." + frac
	}
	return whole
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
	symbol := f.currency
	switch f.display {
	case "name":
		if n, ok := currencyNames[f.currency]; ok {
			symbol = n[1]
			if one {
				symbol = n[0]
			}
		}
		return sign + body + " " + symbol
	case "narrowSymbol":
		if s, ok := narrowSymbols[f.currency]; ok {
			symbol = s
		} else if s, ok := currencySymbols[f.currency]; ok {
			symbol = s
		}
	case "symbol":
		if s, ok := currencySymbols[f.currency]; ok {
			symbol = s
		}
	}
	if c := symbol[len(symbol)-1]; c >= 'A' && c <= 'Z' {
		symbol += "\u00a0"
	}
	if f.accounting && sign == "-" {
		return "(" + symbol + body + ")"
	}
	return sign + symbol + body
}

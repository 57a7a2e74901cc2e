package builtin

// This file defines localeCompare (ECMA-402 19.1.1) by the rules of en-US: the root order of the Unicode collation.

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// collation are the options of one comparison.
type collation struct {
	numeric     bool
	sensitivity string // base, accent, case, variant
	upperFirst  bool
	ignorePunct bool
}

// collators pools the table-driven collators, which have state, by their options.
var collators sync.Map // collation → *sync.Pool

func (c collation) pool() *sync.Pool {
	if p, ok := collators.Load(c); ok {
		return p.(*sync.Pool)
	}
	opts := []collate.Option{}
	if c.numeric {
		opts = append(opts, collate.Numeric)
	}
	switch c.sensitivity {
	case "base":
		opts = append(opts, collate.IgnoreCase, collate.IgnoreDiacritics, collate.IgnoreWidth)
	case "accent":
		opts = append(opts, collate.IgnoreCase)
	}
	p, _ := collators.LoadOrStore(c, &sync.Pool{New: func() any { return collate.New(language.AmericanEnglish, opts...) }})
	return p.(*sync.Pool)
}

func (c collation) compare(s, t *value.Str) int {
	if s.IsASCII() && t.IsASCII() {
		return c.compareASCII(s.ASCII(), t.ASCII())
	}
	a, b := s.String(), t.String()
	if c.sensitivity == "case" {
		a, b = withoutMarks(a), withoutMarks(b)
	}
	p := c.pool()
	co := p.Get().(*collate.Collator)
	defer p.Put(co)
	return co.CompareString(a, b)
}

// withoutMarks drops diacritics.
func withoutMarks(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return c
	}, norm.NFD.String(s))
}

// asciiOrder lists the ASCII characters that are not ignored, in root order; letters are added by makeASCIIWeights.
const asciiOrder = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"

var asciiWeights = makeASCIIWeights()

func makeASCIIWeights() (w [128]uint8) {
	for i := range len(asciiOrder) {
		w[asciiOrder[i]] = uint8(i + 1)
	}
	for c := 'a'; c <= 'z'; c++ {
		w[c] = uint8(len(asciiOrder) + 1 + int(c-'a'))
		w[c-32] = w[c]
	}
	return w
}

// punctuationEnd is one past the weights that ignorePunctuation ignores.
var punctuationEnd = asciiWeights['%'] + 1

func (c collation) compareASCII(a, b string) int {
	i, j, case3 := 0, 0, 0
	for {
		for i < len(a) && c.ignored(a[i]) {
			i++
		}
		for j < len(b) && c.ignored(b[j]) {
			j++
		}
		if i == len(a) || j == len(b) {
			break
		}
		x, y := a[i], b[j]
		if c.numeric && isDigit(x) && isDigit(y) {
			var d int
			if d, i, j = compareDigits(a, b, i, j); d != 0 {
				return d
			}
			continue
		}
		if p, q := asciiWeights[x], asciiWeights[y]; p != q {
			if p < q {
				return -1
			}
			return 1
		}
		if x != y && case3 == 0 {
			case3 = 1
			if x > y { // lower case comes first
				case3 = -1
			}
		}
		i, j = i+1, j+1
	}
	switch {
	case i < len(a):
		return 1
	case j < len(b):
		return -1
	case c.sensitivity == "base" || c.sensitivity == "accent":
		return 0
	case c.upperFirst:
		return -case3
	}
	return case3
}

func (c collation) ignored(x byte) bool {
	w := asciiWeights[x]
	return w == 0 || c.ignorePunct && w < punctuationEnd
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// compareDigits compares the numbers that start at i and j and steps over them.
func compareDigits(a, b string, i, j int) (d, ni, nj int) {
	x, ni := digitRun(a, i)
	y, nj := digitRun(b, j)
	if len(x) != len(y) {
		if len(x) < len(y) {
			return -1, ni, nj
		}
		return 1, ni, nj
	}
	return strings.Compare(x, y), ni, nj
}

func digitRun(s string, i int) (string, int) {
	for i < len(s) && s[i] == '0' {
		i++
	}
	from := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[from:i], i
}

func stringLocaleCompare(r *realm, this val, args []val) val {
	s := thisText(r, this, "localeCompare")
	if s == nil {
		return value.Throw
	}
	t := r.ToString(arg(args, 0))
	if t == nil || !checkLocales(r, arg(args, 1)) {
		return value.Throw
	}
	c, ok := collationOptions(r, arg(args, 2))
	if !ok || !r.Step(1+(s.Len()+t.Len())>>8) {
		return value.Throw
	}
	if s, t, ok = shorterComparison(r, s, t); !ok {
		return value.Throw
	}
	return value.Int(c.compare(s, t))
}

// maxCollated is how many units beyond a common beginning are compared: the tables cannot be interrupted.
const maxCollated = 1 << 20

// shorterComparison leaves out what long texts have in common at their beginnings; false if it threw.
func shorterComparison(r *realm, s, t *value.Str) (*value.Str, *value.Str, bool) {
	if max(s.Len(), t.Len()) < textPart {
		return s, t, true
	}
	n, same := min(s.Len(), t.Len()), 0
	ok := eachSpan(r, n, func(from, to int) bool {
		for same == from && from < to && s.At(from) == t.At(from) {
			from++
			same++
		}
		return true
	})
	if !ok {
		return nil, nil, false
	}
	if same == s.Len() && same == t.Len() {
		return value.EmptyString, value.EmptyString, true
	}
	for same--; same > 0 && !startsAnew(rune(s.At(same))); same-- {
		continue
	}
	s, t = s.Slice(max(same, 0), s.Len()), t.Slice(max(same, 0), t.Len())
	if s.IsASCII() && t.IsASCII() && max(s.Len(), t.Len()) <= 16*maxCollated {
		return s, t, true
	}
	if max(s.Len(), t.Len()) > maxCollated {
		r.ThrowError(value.RangeError, "localeCompare compares long texts only up to %d characters beyond a common beginning: "+
			"compare parts of them, or use < and >", maxCollated)
		return nil, nil, false
	}
	return s, t, true
}

// startsAnew tells whether c is weighed without regard to what stands before it.
func startsAnew(c rune) bool {
	return c < 0x80 && !isDigit(byte(c)) || unicode.Is(unicode.Latin, c)
}

func collationOptions(r *realm, v val) (collation, bool) {
	c := collation{sensitivity: "variant"}
	if v.IsUndefined() {
		return c, true
	}
	o := r.ToObject(v)
	if o == nil {
		return c, false
	}
	opt := options{r: r, o: o}
	c.numeric = opt.boolean("numeric", false)
	c.upperFirst = opt.choice("caseFirst", "false", "upper", "lower", "false") == "upper"
	c.sensitivity = opt.choice("sensitivity", "variant", "base", "accent", "case", "variant")
	c.ignorePunct = opt.boolean("ignorePunctuation", false)
	return c, !opt.threw
}

// checkLocales accepts what names locales; whatever they are, en-US is used. False if it threw.
func checkLocales(r *realm, v val) bool {
	if v.IsUndefined() {
		return true
	}
	if v.IsNull() {
		r.ThrowTypeError("Cannot convert undefined or null to object")
		return false
	}
	list := []val{v}
	if !v.IsString() {
		o := r.ToObject(v)
		if o == nil {
			return false
		}
		var ok bool
		if list, ok = r.ListFromArrayLike(o.Value()); !ok {
			return false
		}
	}
	for _, l := range list {
		if !l.IsString() {
			r.ThrowTypeError("Language ID should be string or object.")
			return false
		}
		if name := l.Str().Slice(0, min(l.Str().Len(), maxTag+1)).String(); !isLanguageTag(name) {
			r.ThrowError(value.RangeError, "Incorrect locale information provided: '%s'", clip(name, 40))
			return false
		}
	}
	return true
}

// maxTag bounds the length of a language tag.
const maxTag = 255

// isLanguageTag checks the structure of a Unicode BCP 47 locale identifier (UTS 35, 3.2); V8 knows 'default', 'system' and
// 'posix' too, which have the form of a language.
func isLanguageTag(s string) bool {
	if len(s) > maxTag {
		return false
	}
	parts := strings.Split(strings.ToLower(s), "-")
	if n := len(parts[0]); !alphabetic(parts[0]) || n < 2 || n == 4 || n > 8 {
		return false
	}
	rest := parts[1:]
	if len(rest) > 0 && len(rest[0]) == 4 && alphabetic(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) > 0 && (len(rest[0]) == 2 && alphabetic(rest[0]) || len(rest[0]) == 3 && decimalTag(rest[0])) {
		rest = rest[1:]
	}
	seen := map[string]bool{}
	for len(rest) > 0 && len(rest[0]) > 1 {
		v := rest[0]
		if !alphanumericTag(v) || len(v) > 8 || len(v) < 4 || len(v) == 4 && !isDigit(v[0]) || seen[v] {
			return false
		}
		seen[v] = true
		rest = rest[1:]
	}
	return areExtensions(rest, seen)
}

// areExtensions checks the subtags from the first singleton on.
func areExtensions(rest []string, seen map[string]bool) bool {
	for len(rest) > 0 {
		key, least := rest[0], 2
		if len(key) != 1 || !alphanumericTag(key) || seen[key] {
			return false
		}
		if seen[key] = true; key == "x" {
			least = 1
		}
		rest = rest[1:]
		n := 0
		for n < len(rest) && len(rest[n]) >= least {
			if len(rest[n]) > 8 || !alphanumericTag(rest[n]) {
				return false
			}
			n++
		}
		if n == 0 {
			return false
		}
		rest = rest[n:]
	}
	return true
}

func alphabetic(s string) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool { return c < 'a' || c > 'z' }) < 0
}

func decimalTag(s string) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool { return c < '0' || c > '9' }) < 0
}

func alphanumericTag(s string) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }) < 0
}

// firstLocale is the first locale that was asked for, "" if none.
func firstLocale(v val) string {
	if s := v.Str(); s != nil {
		return s.String()
	}
	if o := v.Object(); o != nil {
		if e, ok := o.Dense(); ok && len(e) > 0 && e[0].IsString() {
			return e[0].Str().String()
		}
	}
	return ""
}

// options reads an options object of a locale-sensitive method (ECMA-402 9.2); after a throw it reads no more.
type options struct {
	r     *realm
	o     *object // nil: no options
	threw bool
}

func readOptions(r *realm, v val) (*options, bool) {
	if v.IsUndefined() {
		return &options{r: r}, true
	}
	o := r.ToObject(v)
	return &options{r: r, o: o}, o != nil
}

func (p *options) get(name string) val {
	if p.o == nil || p.threw {
		return value.Undefined
	}
	v := p.r.Get(p.o, value.Name(name))
	if v.IsThrow() {
		p.threw = true
		return value.Undefined
	}
	return v
}

// refuse throws a RangeError about the options.
func (p *options) refuse(format string, args ...any) {
	p.r.ThrowError(value.RangeError, format, args...)
	p.threw = true
}

func (p *options) boolean(name string, def bool) bool {
	v := p.get(name)
	if v.IsUndefined() {
		return def
	}
	return value.ToBoolean(v)
}

// text reads a string option, "" if absent.
func (p *options) text(name string) string {
	v := p.get(name)
	if v.IsUndefined() {
		return ""
	}
	s := p.r.ToString(v)
	if s == nil {
		p.threw = true
		return ""
	}
	return s.String()
}

// choice reads an option that is one of a few words.
func (p *options) choice(name, def string, allowed ...string) string {
	v := p.get(name)
	if v.IsUndefined() || p.threw {
		return def
	}
	s := p.r.ToString(v)
	if s == nil {
		p.threw = true
		return def
	}
	for _, a := range allowed {
		if s.String() == a {
			return a
		}
	}
	p.r.ThrowError(value.RangeError, "Value %s out of range for options property %s; use one of %s", s, name, strings.Join(allowed, ", "))
	p.threw = true
	return def
}

// integer reads a number option between lo and hi; -1 if absent.
func (p *options) integer(name string, lo, hi int) int {
	v := p.get(name)
	if v.IsUndefined() || p.threw {
		return -1
	}
	f, ok := p.r.ToNumber(v)
	if !ok {
		p.threw = true
		return -1
	}
	if f != f || f < float64(lo) || f > float64(hi) {
		p.r.ThrowError(value.RangeError, "%s value is out of range: %s is not between %d and %d", name, value.NumberToString(f), lo, hi)
		p.threw = true
		return -1
	}
	return int(f)
}

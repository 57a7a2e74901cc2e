package builtin

// This file defines JSON.parse (ECMA-262 25.5.1): a recursive-descent parser straight into guest values.

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

type jsonParser struct {
	r     *realm
	s     string
	at    int
	depth int
	ascii bool
}

func jsonParse(r *realm, _ val, args []val) val {
	src := arg(args, 0)
	if p := value.NativePromise(src); p != nil {
		return r.ThrowError(value.SyntaxError, "JSON.parse was given a Promise: await it first")
	}
	text := r.ToString(src)
	if text == nil {
		return value.Throw
	}
	if s := text.String(); src.IsObject() && strings.HasPrefix(s, "[object ") {
		return r.ThrowError(value.SyntaxError, "%q is not valid JSON: JSON.parse was given an object, which is data already; do not parse it", clip(s, 40))
	}
	r.NoteParsed(text)
	p := &jsonParser{r: r, s: text.String(), ascii: text.IsASCII()}
	v, ok := p.document()
	if !ok {
		return value.Throw
	}
	if fn := arg(args, 1); fn.IsCallable() {
		root := r.NewPlain(1)
		r.InitProperty(root, value.Name(""), v)
		defer r.Unroot(r.Root(root.Value()))
		return revive(r, fn, root, value.Name(""), 0)
	}
	return v
}

// document parses the whole text; no guest code runs.
func (p *jsonParser) document() (val, bool) {
	defer p.r.Built(p.r.Building())
	p.space()
	v, ok := p.value()
	if !ok {
		return value.Throw, false
	}
	p.space()
	if p.at < len(p.s) {
		return p.fail(), false
	}
	return v, true
}

// fail throws the SyntaxError of the current position, worded as V8 does.
func (p *jsonParser) fail() val {
	if p.r.Terminated {
		return value.Throw
	}
	units := unitsIn(p.s[:min(p.at, len(p.s))])
	if p.at >= len(p.s) {
		if strings.TrimSpace(p.s) == "" {
			return p.r.ThrowError(value.SyntaxError, "Unexpected end of JSON input: the text is empty")
		}
		return p.r.ThrowError(value.SyntaxError, "Unexpected end of JSON input")
	}
	c, _ := utf8.DecodeRuneInString(p.s[p.at:])
	from, to := max(0, p.at-10), min(len(p.s), p.at+10)
	for from > 0 && !utf8.RuneStart(p.s[from]) {
		from--
	}
	for to < len(p.s) && !utf8.RuneStart(p.s[to]) {
		to++
	}
	near := p.s[from:to]
	if from > 0 {
		near = "..." + near
	}
	if to < len(p.s) {
		near += "..."
	}
	return p.r.ThrowError(value.SyntaxError, "Unexpected token '%c' at position %d, %s is not valid JSON", c, units, strconv.Quote(near))
}

// unitsIn counts the UTF-16 units of WTF-8 text.
func unitsIn(s string) int {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0xF0:
			n += 2
		case c&0xC0 != 0x80:
			n++
		}
	}
	return n
}

func (p *jsonParser) space() {
	for p.at < len(p.s) {
		switch p.s[p.at] {
		case ' ', '\n', '\t', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *jsonParser) value() (val, bool) {
	if p.at >= len(p.s) {
		return p.fail(), false
	}
	if p.r.Fuel--; p.r.Fuel <= 0 && !p.r.Refuel() {
		return value.Throw, false
	}
	switch c := p.s[p.at]; {
	case c == '"':
		s, ok := p.str()
		if !ok {
			return value.Throw, false
		}
		return s.Value(), true
	case c == '{':
		return p.nested(p.object)
	case c == '[':
		return p.nested(p.array)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return p.word("true", value.True)
	case c == 'f':
		return p.word("false", value.False)
	case c == 'n':
		return p.word("null", value.Null)
	}
	return p.fail(), false
}

func (p *jsonParser) word(w string, v val) (val, bool) {
	for i := range len(w) {
		if p.at >= len(p.s) || p.s[p.at] != w[i] {
			return p.fail(), false
		}
		p.at++
	}
	return v, true
}

func (p *jsonParser) nested(parse func() (val, bool)) (val, bool) {
	if p.depth++; p.depth > maxJSONDepth {
		return p.r.ThrowError(value.RangeError, "the JSON text is nested deeper than %d levels", maxJSONDepth), false
	}
	p.at++
	p.space()
	v, ok := parse()
	p.depth--
	return v, ok
}

func (p *jsonParser) array() (val, bool) {
	var elems []val
	if p.at < len(p.s) && p.s[p.at] == ']' {
		p.at++
		return p.r.NewArray(nil).Value(), true
	}
	for {
		v, ok := p.value()
		if !ok {
			return v, false
		}
		elems = append(elems, v)
		p.space()
		if p.at >= len(p.s) || p.s[p.at] != ',' && p.s[p.at] != ']' {
			return p.fail(), false
		}
		p.at++
		if p.s[p.at-1] == ']' {
			return p.r.NewArray(elems).Value(), true
		}
		p.space()
	}
}

func (p *jsonParser) object() (val, bool) {
	r := p.r
	b := r.BuildObject()
	if p.at < len(p.s) && p.s[p.at] == '}' {
		p.at++
		return b.Object().Value(), true
	}
	for {
		if p.at >= len(p.s) || p.s[p.at] != '"' {
			return p.fail(), false
		}
		key, ok := p.key()
		if !ok {
			return value.Throw, false
		}
		p.space()
		if p.at >= len(p.s) || p.s[p.at] != ':' {
			return p.fail(), false
		}
		p.at++
		p.space()
		v, ok := p.value()
		if !ok {
			return v, false
		}
		b.Add(key, v)
		p.space()
		if p.at >= len(p.s) || p.s[p.at] != ',' && p.s[p.at] != '}' {
			return p.fail(), false
		}
		p.at++
		if p.s[p.at-1] == '}' {
			return b.Object().Value(), true
		}
		p.space()
	}
}

// key reads a member name as WTF-8 text, without making a string object.
func (p *jsonParser) key() (string, bool) {
	end := p.plainEnd(p.at + 1)
	if end < len(p.s) && p.s[end] == '"' {
		k := p.s[p.at+1 : end]
		p.at = end + 1
		return k, true
	}
	s, ok := p.str()
	if !ok {
		return "", false
	}
	return s.String(), true
}

// plainEnd is the place of the first byte from i on that ends a string without escapes.
func (p *jsonParser) plainEnd(i int) int {
	for i < len(p.s) {
		if c := p.s[i]; c == '"' || c == '\\' || c < 0x20 {
			break
		}
		i++
	}
	return i
}

func (p *jsonParser) str() (*value.Str, bool) {
	from := p.at + 1
	end := p.plainEnd(from)
	if end < len(p.s) && p.s[end] == '"' {
		p.at = end + 1
		t := p.s[from:end]
		p.r.Charge(32 + len(t))
		if len(p.s) > 1<<20 && len(t) < 1<<10 {
			t = strings.Clone(t) // do not keep a large document alive for a few strings
		}
		if p.ascii {
			return value.ASCII(t), true
		}
		return value.NewStr(t), true
	}
	return p.escaped(from, end)
}

func (p *jsonParser) escaped(from, end int) (*value.Str, bool) {
	b := append(make([]byte, 0, end-from+16), p.s[from:end]...)
	p.at = end
	for p.at < len(p.s) {
		c := p.s[p.at]
		switch {
		case c == '"':
			p.at++
			p.r.Charge(32 + len(b))
			return value.NewStr(value.JoinSurrogates(string(b))), true
		case c < 0x20:
			p.fail()
			return nil, false
		case c != '\\':
			b = append(b, c)
			p.at++
			continue
		}
		p.at++
		if p.at >= len(p.s) {
			break
		}
		var ok bool
		if b, ok = p.escape(b); !ok {
			p.fail()
			return nil, false
		}
	}
	p.fail()
	return nil, false
}

func (p *jsonParser) escape(b []byte) ([]byte, bool) {
	const plain = `"\/bfnrt`
	if i := strings.IndexByte(plain, p.s[p.at]); i >= 0 {
		p.at++
		return append(b, "\"\\/\b\f\n\r\t"[i]), true
	}
	if p.s[p.at] != 'u' {
		return b, false
	}
	p.at++
	var u uint16
	for range 4 {
		if p.at >= len(p.s) {
			return b, false
		}
		d := digit(uint16(p.s[p.at]))
		if d > 15 {
			return b, false
		}
		u = u<<4 | uint16(d)
		p.at++
	}
	return append(b, value.EncodeWTF8([]uint16{u})...), true
}

func (p *jsonParser) number() (val, bool) {
	from := p.at
	if p.s[p.at] == '-' {
		p.at++
	}
	first := p.at
	digits := p.digits()
	if digits == 0 {
		return p.fail(), false
	}
	if digits > 1 && p.s[first] == '0' {
		p.at = first + 1
		return p.fail(), false
	}
	plain := true
	if p.at < len(p.s) && p.s[p.at] == '.' {
		plain = false
		p.at++
		if p.digits() == 0 {
			return p.fail(), false
		}
	}
	if p.at < len(p.s) && p.s[p.at]|0x20 == 'e' {
		plain = false
		p.at++
		if p.at < len(p.s) && (p.s[p.at] == '+' || p.s[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			return p.fail(), false
		}
	}
	return p.numberValue(p.s[from:p.at], plain, digits), true
}

func (p *jsonParser) numberValue(text string, plain bool, digits int) val {
	if plain && digits <= 15 {
		n, neg := int64(0), text[0] == '-'
		for i := range len(text) {
			if text[i] != '-' {
				n = n*10 + int64(text[i]-'0')
			}
		}
		if neg {
			return value.Num(math.Copysign(float64(n), -1))
		}
		return value.Num(float64(n))
	}
	if plain && digits <= data.MaxDigits {
		if n, err := data.Integer(text); err == nil && n.Exact() {
			p.r.Charge(64)
			return value.NewExact(n.Float64(), n.Text()).Value()
		}
	}
	f, _ := strconv.ParseFloat(text, 64)
	return value.Num(f)
}

func (p *jsonParser) digits() int {
	from := p.at
	for p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9' {
		p.at++
	}
	return p.at - from
}

// revive is InternalizeJSONProperty (25.5.1.1).
func revive(r *realm, fn val, holder *object, k value.Key, depth int) val {
	v := r.Get(holder, k)
	if v.IsThrow() {
		return v
	}
	if depth > maxJSONDepth {
		return r.ThrowError(value.RangeError, "the value is nested deeper than %d levels", maxJSONDepth)
	}
	if o := v.Object(); o != nil {
		keys, ok := reviveKeys(r, o)
		if !ok {
			return value.Throw
		}
		for _, ek := range keys {
			x := revive(r, fn, o, ek, depth+1)
			if x.IsThrow() || !r.Step(1) {
				return value.Throw
			}
			var d value.Done
			if x.IsUndefined() {
				d = r.Delete(o, ek)
			} else {
				d = r.CreateDataProperty(o, ek, x)
			}
			if d == value.Threw {
				return value.Throw
			}
		}
	}
	return r.Call(fn, holder.Value(), k.Value(), v)
}

// reviveKeys lists what a reviver visits: the indexes of an array, otherwise the enumerable string keys.
func reviveKeys(r *realm, o *object) ([]value.Key, bool) {
	if o.Class == value.ClassArray {
		n, ok := r.LengthOf(o)
		if !ok {
			return nil, false
		}
		var keys []value.Key
		for i := range n {
			keys = append(keys, value.IndexKey(i))
		}
		return keys, true
	}
	return enumerableKeys(r, o)
}

// enumerableKeys is EnumerableOwnProperties of kind key (7.3.24).
func enumerableKeys(r *realm, o *object) ([]value.Key, bool) {
	all, ok := r.OwnKeys(o)
	if !ok {
		return nil, false
	}
	var keys []value.Key
	for _, k := range all {
		if d, found := r.GetOwn(o, k); found && !k.IsSymbol() && d.Attr&value.Enumerable != 0 {
			keys = append(keys, k)
		}
	}
	return keys, true
}

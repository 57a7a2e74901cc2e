package builtin

// This file defines RegExp: its table, construction and accessors (ECMA-262 22.2.4–6). Matching is in regexp_exec.go, the
// methods behind strings in regexp_replace.go and regexp_split.go.

import (
	"strings"

	"github.com/codemode-go/codemode/internal/ecmaregexp"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// regExp is the Ext of regular expression objects.
type regExp struct {
	re     *ecmaregexp.Regexp
	source *value.Str
	flags  string
}

// Text is the literal, for Inspect.
func (x *regExp) Text() string { return "/" + escapeSource(x.source).String() + "/" + x.flags }

var regExpFlags = []struct {
	name string
	flag byte
}{{"hasIndices", 'd'}, {"global", 'g'}, {"ignoreCase", 'i'}, {"multiline", 'm'}, {"dotAll", 's'}, {"unicode", 'u'}, {"unicodeSets", 'v'}, {"sticky", 'y'}}

func regExpTemplates() []*value.Template {
	rows := []row{
		{Name: "constructor", Ref: value.RegExpConstructor},
		{Name: "compile", Length: 2, Fn: regExpCompile},
		{Name: "exec", Length: 1, Fn: regExpExecMethod, Sig: "(text: string): RegExpExecArray | null"},
		{Name: "flags", Get: regExpGetFlags, Sig: "string"},
		{Name: "source", Get: regExpGetSource, Sig: "string"},
		{Name: "test", Length: 1, Fn: regExpTest, Sig: "(text: string): boolean"},
		{Name: "toString", Length: 0, Fn: regExpToString, Sig: "(): string"},
		{Name: "@@match", Length: 1, Fn: regExpMatch},
		{Name: "@@matchAll", Length: 1, Fn: regExpMatchAll},
		{Name: "@@replace", Length: 2, Fn: regExpReplace},
		{Name: "@@search", Length: 1, Fn: regExpSearch},
		{Name: "@@split", Length: 2, Fn: regExpSplit},
	}
	for _, f := range regExpFlags {
		rows = append(rows, row{Name: f.name, Get: regExpFlag(f.name, f.flag), Sig: "boolean"})
	}
	return []*value.Template{
		{ID: value.RegExpConstructor, Global: "RegExp", Proto: value.FunctionPrototype, Name: "RegExp", Length: 2, Call: regExpCall, New: regExpNew, Rows: []row{
			{Name: "prototype", Ref: value.RegExpPrototype, Attr: value.NoAttr},
			{Name: "escape", Length: 1, Fn: regExpEscape, Sig: "(text: string): string"},
			{Name: "@@species", Get: returnThis},
		}},
		{ID: value.RegExpPrototype, Proto: value.ObjectPrototype, Ext: func(r *realm) any { return newRegExpState(r) }, Rows: rows},
		{ID: value.RegExpStringIteratorPrototype, Proto: value.IteratorPrototype, Rows: []row{
			{Name: "next", Length: 0, Fn: nextOf[*regExpIterating](value.RegExpStringIteratorPrototype, "RegExp String Iterator.prototype.next"), Steps: value.RegExpStringIteratorPrototype},
			tagRow("RegExp String Iterator"),
		}},
	}
}

// CheckRegExp tells what is wrong with a literal.
func CheckRegExp(pattern, flags string) error {
	_, err := compileRegExp(pattern, flags)
	return err
}

// NewRegExpLiteral evaluates a literal: a fresh object with the code that the site shares.
func NewRegExpLiteral(r *value.Realm, pattern, flags string, site int) value.Value {
	proto := r.Intrinsic(value.RegExpPrototype)
	if x, ok := r.Sites[site].(*regExp); ok {
		return newRegExpObject(r, proto, x).Value()
	}
	re, err := compileRegExp(pattern, flags)
	if err != nil {
		return r.ThrowError(value.SyntaxError, "%s", err)
	}
	x := &regExp{re: re, source: value.NewStr(pattern), flags: sortFlags(flags)}
	r.Sites[site] = x
	return newRegExpObject(r, proto, x).Value()
}

// sortFlags gives the flags in the order of the flags accessor.
func sortFlags(flags string) string {
	var b strings.Builder
	for _, f := range regExpFlags {
		if strings.IndexByte(flags, f.flag) >= 0 {
			b.WriteByte(f.flag)
		}
	}
	return b.String()
}

var keyLastIndex = value.Name("lastIndex")

// newRegExpObject is RegExpAlloc with the internal slots filled. lastIndex is always the first slot: it cannot be deleted.
func newRegExpObject(r *realm, proto *object, x *regExp) *object {
	st := regExpStateOf(r)
	if st.shape != nil && proto == r.Intrinsic(value.RegExpPrototype) {
		o := r.NewWithShape(st.shape, []val{value.Zero}, 0)
		o.Class, o.Ext = value.ClassRegExp, x
		return o
	}
	o := r.NewClass(value.ClassRegExp, proto, x)
	r.DefineOwn(o, keyLastIndex, value.DataDesc(value.Zero, value.Writable))
	if proto == r.Intrinsic(value.RegExpPrototype) {
		st.shape = o.Shape
	}
	return o
}

// regExpCreate is RegExpCreate (22.2.3.1) with the pattern any value.
func regExpCreate(r *realm, pattern val, flags string) val {
	x := regExpInitialize(r, pattern, str(flags))
	if x == nil {
		return value.Throw
	}
	return newRegExpObject(r, r.Intrinsic(value.RegExpPrototype), x).Value()
}

// regExpInitialize is RegExpInitialize (22.2.3.3); nil if it threw.
func regExpInitialize(r *realm, pattern, flags val) *regExp {
	p, f := value.EmptyString, value.EmptyString
	if !pattern.IsUndefined() {
		if p = r.ToString(pattern); p == nil {
			return nil
		}
	}
	if !flags.IsUndefined() {
		if f = r.ToString(flags); f == nil {
			return nil
		}
	}
	if !r.Step(1 + p.Len()/4) {
		return nil
	}
	re, err := compileRegExp(p.String(), f.String())
	if err != nil {
		r.ThrowError(value.SyntaxError, "%s", err)
		return nil
	}
	r.Charge(256 + 16*p.Len())
	return &regExp{re: re, source: p, flags: sortFlags(f.String())}
}

func regExpCall(r *realm, _ val, args []val) val {
	pattern, flags := arg(args, 0), arg(args, 1)
	is, ok := isRegExp(r, pattern)
	if !ok {
		return value.Throw
	}
	if is && flags.IsUndefined() {
		c := r.GetV(pattern, value.Name("constructor"))
		if c.IsThrow() || c == r.Intrinsic(value.RegExpConstructor).Value() {
			return completed(pattern, !c.IsThrow())
		}
	}
	return regExpConstruct(r, pattern, flags, is, nil)
}

func regExpNew(r *realm, args []val, newTarget *object) val {
	pattern := arg(args, 0)
	is, ok := isRegExp(r, pattern)
	if !ok {
		return value.Throw
	}
	return regExpConstruct(r, pattern, arg(args, 1), is, newTarget)
}

func regExpConstruct(r *realm, pattern, flags val, is bool, newTarget *object) val {
	if x, ok := extOf[*regExp](pattern); ok {
		pattern = x.source.Value()
		if flags.IsUndefined() {
			flags = str(x.flags)
		}
	} else if is {
		o := pattern
		if pattern = r.GetV(o, value.Name("source")); pattern.IsThrow() {
			return pattern
		}
		if flags.IsUndefined() {
			if flags = r.GetV(o, value.Name("flags")); flags.IsThrow() {
				return flags
			}
		}
	}
	proto := r.PrototypeFromConstructor(newTarget, value.RegExpPrototype)
	if proto == nil {
		return value.Throw
	}
	x := regExpInitialize(r, pattern, flags)
	if x == nil {
		return value.Throw
	}
	return newRegExpObject(r, proto, x).Value()
}

// regExpCompile (B.2.4.1).
func regExpCompile(r *realm, this val, args []val) val {
	if _, ok := extOf[*regExp](this); !ok {
		return incompatible(r, "RegExp.prototype.compile", this)
	}
	pattern, flags := arg(args, 0), arg(args, 1)
	if x, ok := extOf[*regExp](pattern); ok {
		if !flags.IsUndefined() {
			return r.ThrowTypeError("Invalid flags")
		}
		pattern, flags = x.source.Value(), str(x.flags)
	}
	x := regExpInitialize(r, pattern, flags)
	if x == nil {
		return value.Throw
	}
	this.Object().Ext = x
	if !put(r, this.Object(), keyLastIndex, value.Zero) {
		return value.Throw
	}
	return this
}

func regExpFlag(name string, flag byte) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		if x, ok := extOf[*regExp](this); ok {
			return value.Bool(strings.IndexByte(x.flags, flag) >= 0)
		}
		if o := this.Object(); o != nil && o == r.Intrinsic(value.RegExpPrototype) {
			return value.Undefined
		}
		return r.ThrowTypeError("RegExp.prototype.%s getter called on non-RegExp object", name)
	}
}

func regExpGetFlags(r *realm, this val, _ []val) val {
	o := this.Object()
	if o == nil {
		return r.ThrowTypeError("RegExp.prototype.flags getter called on non-object %s", r.Describe(this))
	}
	var b []byte
	for _, f := range regExpFlags {
		v := r.Get(o, value.Name(f.name))
		if v.IsThrow() {
			return v
		}
		if value.ToBoolean(v) {
			b = append(b, f.flag)
		}
	}
	return str(string(b))
}

func regExpGetSource(r *realm, this val, _ []val) val {
	if x, ok := extOf[*regExp](this); ok {
		return newText(r, escapeSource(x.source))
	}
	if o := this.Object(); o != nil && o == r.Intrinsic(value.RegExpPrototype) {
		return str("(?:)")
	}
	return r.ThrowTypeError("RegExp.prototype.source getter called on non-RegExp object")
}

// escapeSource is EscapeRegExpPattern (22.2.6.13.1): the text between the slashes of an equal literal.
func escapeSource(s *value.Str) *value.Str {
	if s.Len() == 0 {
		return value.ASCII("(?:)")
	}
	var b textBuilder
	class, changed := false, false
	for i := 0; i < s.Len(); i++ {
		c := s.At(i)
		switch {
		case c == '\\' && i+1 < s.Len():
			if i++; lineEscape(s.At(i)) == "" {
				b.addUnit('\\')
				b.addUnit(s.At(i))
				continue
			}
			c = s.At(i)
		case c == '[':
			class = true
		case c == ']':
			class = false
		}
		esc := lineEscape(c)
		if c == '/' && !class {
			esc = `\/`
		}
		if esc == "" {
			b.addUnit(c)
			continue
		}
		changed = true
		b.addASCII(esc)
	}
	if !changed {
		return s
	}
	if b.wide {
		return value.FromUnits(b.u)
	}
	return value.CopyASCII(b.b)
}

func lineEscape(c uint16) string {
	switch c {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case 0x2028:
		return `\u2028`
	case 0x2029:
		return `\u2029`
	}
	return ""
}

func regExpToString(r *realm, this val, _ []val) val {
	o := this.Object()
	if o == nil {
		return notObject(r, this, "RegExp.prototype.toString")
	}
	var b textBuilder
	defer b.release(r)
	b.addASCII("/")
	v := r.Get(o, value.Name("source"))
	if v.IsThrow() || !b.addValue(r, v) {
		return value.Throw
	}
	b.addASCII("/")
	v = r.Get(o, value.Name("flags"))
	if v.IsThrow() || !b.addValue(r, v) {
		return value.Throw
	}
	return b.value(r)
}

// regExpEscape (22.2.5.1).
func regExpEscape(r *realm, _ val, args []val) val {
	s := arg(args, 0).Str()
	if s == nil {
		return r.ThrowTypeError("RegExp.escape: %s is not a string", r.Describe(arg(args, 0)))
	}
	var b textBuilder
	defer b.release(r)
	for i, due := 0, 0; i < s.Len(); {
		if i >= due {
			if due += textPart; !b.bounded(r) || !r.Step(1+min(s.Len()-i, textPart)>>6) {
				return value.Throw
			}
		}
		c, n := s.CodePointAt(i)
		switch {
		case i == 0 && c < 128 && digit(uint16(c)) < 36:
			b.addASCII(`\x` + hex(uint16(c), 2))
		case c < 128 && strings.IndexByte(`^$\.*+?()[]{}|/`, byte(c)) >= 0:
			b.addASCII(`\` + string(c))
		case c >= '\t' && c <= '\r':
			b.addASCII(`\` + string("tnvfr"[c-'\t']))
		case c < 128 && strings.IndexByte(",-=<>#&!%:;@~'`\"", byte(c)) >= 0, n == 1 && (value.IsSpace(uint16(c)) || c >= 0xD800 && c < 0xE000):
			if c <= 0xFF {
				b.addASCII(`\x` + hex(uint16(c), 2))
			} else {
				b.addASCII(`\u` + hex(uint16(c), 4))
			}
		default:
			b.add(s, i, i+n)
		}
		i += n
	}
	return b.value(r)
}

func hex(c uint16, width int) string {
	out := make([]byte, width)
	for i := width - 1; i >= 0; i-- {
		out[i] = radixDigits[c&15]
		c >>= 4
	}
	return string(out)
}

// matchError throws for a match that needs more memory than the matcher allows itself.
func matchError(r *realm, x *regExp, s *value.Str) {
	r.ThrowError(value.Error, "The regular expression %s needs too much memory on a text of %d characters: it backtracks too much. "+
		"Avoid nested and adjacent quantifiers such as (a+)+ or .*.*, or apply it to shorter parts of the text", clip(x.Text(), 80), s.Len())
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}

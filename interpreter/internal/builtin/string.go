package builtin

// This file defines the table of String and String.prototype, the constructor and its functions (ECMA-262 22.1).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func stringTemplates() []*value.Template {
	rows := []row{
		{Name: "constructor", Ref: value.StringConstructor},
		{Name: "at", Length: 1, Fn: stringAt, Sig: "(index: number): string | undefined"},
		{Name: "charAt", Length: 1, Fn: stringCharAt, Sig: "(index: number): string"},
		{Name: "charCodeAt", Length: 1, Fn: stringCharCodeAt, Sig: "(index: number): number"},
		{Name: "codePointAt", Length: 1, Fn: stringCodePointAt, Sig: "(index: number): number | undefined"},
		{Name: "concat", Length: 1, Fn: stringConcat, Sig: "(...parts: string[]): string"},
		{Name: "endsWith", Length: 1, Fn: stringEndsWith, Sig: "(text: string, end?: number): boolean"},
		{Name: "includes", Length: 1, Fn: stringIncludes, Sig: "(text: string, from?: number): boolean"},
		{Name: "indexOf", Length: 1, Fn: stringIndexOf, Sig: "(text: string, from?: number): number"},
		{Name: "isWellFormed", Length: 0, Fn: stringIsWellFormed, Sig: "(): boolean"},
		{Name: "lastIndexOf", Length: 1, Fn: stringLastIndexOf, Sig: "(text: string, from?: number): number"},
		{Name: "localeCompare", Length: 1, Fn: stringLocaleCompare, Sig: "(other: string, locales?: string, options?: { numeric?: boolean; sensitivity?: 'base' | 'accent' | 'case' | 'variant' }): number", Doc: "en-US order"},
		{Name: "match", Length: 1, Fn: stringMatch, Sig: "(pattern: RegExp | string): RegExpMatchArray | null"},
		{Name: "matchAll", Length: 1, Fn: stringMatchAll, Sig: "(pattern: RegExp): Iterator<RegExpMatchArray>"},
		{Name: "normalize", Length: 0, Fn: stringNormalize, Sig: "(form?: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string"},
		{Name: "padEnd", Length: 1, Fn: stringPad(false), Sig: "(length: number, fill?: string): string"},
		{Name: "padStart", Length: 1, Fn: stringPad(true), Sig: "(length: number, fill?: string): string"},
		{Name: "repeat", Length: 1, Fn: stringRepeat, Sig: "(count: number): string"},
		{Name: "replace", Length: 2, Fn: stringReplace, Sig: "(pattern: string | RegExp, replacement: string | ((match: string, ...groups: any[]) => string)): string"},
		{Name: "replaceAll", Length: 2, Fn: stringReplaceAll, Sig: "(pattern: string | RegExp, replacement: string | ((match: string, ...groups: any[]) => string)): string"},
		{Name: "search", Length: 1, Fn: stringSearch, Sig: "(pattern: RegExp | string): number"},
		{Name: "slice", Length: 2, Fn: stringSlice, Sig: "(start?: number, end?: number): string"},
		{Name: "split", Length: 2, Fn: stringSplit, Sig: "(separator: string | RegExp, limit?: number): string[]"},
		{Name: "startsWith", Length: 1, Fn: stringStartsWith, Sig: "(text: string, from?: number): boolean"},
		{Name: "substr", Length: 2, Fn: stringSubstr, Sig: "(start: number, length?: number): string"},
		{Name: "substring", Length: 2, Fn: stringSubstring, Sig: "(start: number, end?: number): string"},
		{Name: "toLocaleLowerCase", Length: 0, Fn: stringLower("toLocaleLowerCase"), Sig: "(): string"},
		{Name: "toLocaleUpperCase", Length: 0, Fn: stringUpper("toLocaleUpperCase"), Sig: "(): string"},
		{Name: "toLowerCase", Length: 0, Fn: stringLower("toLowerCase"), Sig: "(): string"},
		{Name: "toString", Length: 0, Fn: stringValue("toString"), Sig: "(): string"},
		{Name: "toUpperCase", Length: 0, Fn: stringUpper("toUpperCase"), Sig: "(): string"},
		{Name: "toWellFormed", Length: 0, Fn: stringToWellFormed, Sig: "(): string"},
		{Name: "trim", Length: 0, Fn: stringTrim("trim", true, true), Sig: "(): string"},
		{Name: "trimEnd", Length: 0, Fn: stringTrim("trimEnd", false, true), Sig: "(): string"},
		{Name: "trimStart", Length: 0, Fn: stringTrim("trimStart", true, false), Sig: "(): string"},
		{Name: "trimLeft", Alias: "trimStart"},
		{Name: "trimRight", Alias: "trimEnd"},
		{Name: "valueOf", Length: 0, Fn: stringValue("valueOf"), Sig: "(): string"},
		{Name: "@@iterator", Length: 0, Fn: stringIterator, Sig: "(): Iterator<string>"},
	}
	return []*value.Template{
		{ID: value.StringConstructor, Global: "String", Proto: value.FunctionPrototype, Name: "String", Length: 1, Call: stringCall, New: stringNew, Rows: []row{
			{Name: "prototype", Ref: value.StringPrototype, Attr: value.NoAttr},
			{Name: "fromCharCode", Length: 1, Fn: stringFromCharCode, Sig: "(...units: number[]): string"},
			{Name: "fromCodePoint", Length: 1, Fn: stringFromCodePoint, Sig: "(...codePoints: number[]): string"},
			{Name: "raw", Length: 1, Fn: stringRaw, Sig: "(strings: TemplateStringsArray, ...values: any[]): string"},
		}},
		{ID: value.StringPrototype, Proto: value.ObjectPrototype, Class: value.ClassString,
			Ext: func(*realm) any { return value.EmptyString }, Rows: append(rows, stringHTMLRows()...)},
		{ID: value.StringIteratorPrototype, Proto: value.IteratorPrototype, Rows: []row{
			{Name: "next", Length: 0, Fn: nextOf[*stringIterating](value.StringIteratorPrototype, "String Iterator.prototype.next"), Steps: value.StringIteratorPrototype},
			tagRow("String Iterator"),
		}},
	}
}

// thisText is RequireObjectCoercible and ToString of this; nil if it threw.
func thisText(r *realm, this val, method string) *value.Str {
	if s := this.Str(); s != nil {
		return s
	}
	if this.IsNullish() {
		r.ThrowTypeError("String.prototype.%s called on null or undefined", method)
		return nil
	}
	return r.ToString(this)
}

// newText charges for and wraps a string made by a builtin; too long a one is a RangeError.
func newText(r *realm, s *value.Str) val {
	if s.Len() > 1 {
		r.Charge(32 + s.Len())
	}
	return s.Value()
}

func tooLong(r *realm) val { return r.ThrowError(value.RangeError, "Invalid string length") }

func stringCall(r *realm, _ val, args []val) val {
	if len(args) == 0 {
		return value.EmptyString.Value()
	}
	if s := args[0].Symbol(); s != nil {
		return str(s.Descriptive())
	}
	s := r.ToString(args[0])
	if s == nil {
		return value.Throw
	}
	return s.Value()
}

func stringNew(r *realm, args []val, newTarget *object) val {
	s := value.EmptyString
	if len(args) > 0 {
		if s = r.ToString(args[0]); s == nil {
			return value.Throw
		}
	}
	proto := r.PrototypeFromConstructor(newTarget, value.StringPrototype)
	if proto == nil {
		return value.Throw
	}
	return r.NewClass(value.ClassString, proto, s).Value()
}

func stringFromCharCode(r *realm, _ val, args []val) val {
	if len(args) == 1 && args[0].IsNumber() {
		c := uint16(value.Uint32(args[0].Float()))
		if c < 128 {
			return value.ASCII(string(rune(c))).Value()
		}
		return newText(r, value.FromUnits([]uint16{c}))
	}
	u := make([]uint16, len(args))
	for i, a := range args {
		n, ok := r.ToUint32(a)
		if !ok {
			return value.Throw
		}
		u[i] = uint16(n)
	}
	return newText(r, value.FromUnits(u))
}

func stringFromCodePoint(r *realm, _ val, args []val) val {
	u := make([]uint16, 0, len(args))
	for _, a := range args {
		f, ok := r.ToNumber(a)
		if !ok {
			return value.Throw
		}
		if f != float64(int(f)) || f < 0 || f > 0x10FFFF {
			return r.ThrowError(value.RangeError, "Invalid code point %s", describeText(r, a))
		}
		u = appendCodePoint(u, rune(f))
	}
	return newText(r, value.FromUnits(u))
}

// describeText is a value as V8 shows it in range errors: strings without quotes.
func describeText(r *realm, v val) string {
	if s := v.Str(); s != nil {
		return s.Slice(0, min(40, s.Len())).String()
	}
	return r.Describe(v)
}

func appendCodePoint(u []uint16, c rune) []uint16 {
	if c < 0x10000 {
		return append(u, uint16(c))
	}
	c -= 0x10000
	return append(u, 0xD800+uint16(c>>10), 0xDC00+uint16(c&0x3FF))
}

// stringRaw (22.1.2.4).
func stringRaw(r *realm, _ val, args []val) val {
	cooked := r.ToObject(arg(args, 0))
	if cooked == nil {
		return value.Throw
	}
	raw := r.Get(cooked, value.Name("raw"))
	if raw.IsThrow() {
		return raw
	}
	lits := r.ToObject(raw)
	if lits == nil {
		return value.Throw
	}
	n, ok := r.LengthOf(lits)
	if !ok {
		return value.Throw
	}
	var b textBuilder
	defer b.release(r)
	for i := range n {
		v := r.Get(lits, value.IndexKey(i))
		if v.IsThrow() || !r.Step(1) || !b.addValue(r, v) {
			return value.Throw
		}
		if i+1 < n && i+1 < len(args) && !b.addValue(r, args[i+1]) {
			return value.Throw
		}
	}
	return b.value(r)
}

// stringValue makes toString and valueOf.
func stringValue(method string) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		if this.IsString() {
			return this
		}
		if o := this.Object(); o != nil && o.Class == value.ClassString {
			return o.Ext.(*value.Str).Value()
		}
		return r.ThrowTypeError("String.prototype.%s requires that 'this' be a String", method)
	}
}

type stringIterating struct {
	s  *value.Str // nil once exhausted
	at int
}

func stringIterator(r *realm, this val, _ []val) val {
	s := thisText(r, this, "[Symbol.iterator]")
	if s == nil {
		return value.Throw
	}
	return r.NewClass(value.ClassIterator, r.Intrinsic(value.StringIteratorPrototype), &stringIterating{s: s}).Value()
}

// Steps implements value.Stepper.
func (it *stringIterating) Steps() value.ID { return value.StringIteratorPrototype }

// Step implements value.Stepper.
func (it *stringIterating) Step(r *realm) (v val, done, ok bool) {
	if it.s == nil || it.at >= it.s.Len() {
		it.s = nil
		return value.Undefined, true, true
	}
	_, n := it.s.CodePointAt(it.at)
	c := it.s.CharAt(it.at)
	if n == 2 {
		c = it.s.Slice(it.at, it.at+2)
		r.Charge(64)
	}
	it.at += n
	return c.Value(), false, true
}

// extOf returns the internal slots of an object if they are of type T.
func extOf[T any](v val) (x T, ok bool) {
	if o := v.Object(); o != nil {
		x, ok = o.Ext.(T)
	}
	return x, ok
}

func incompatible(r *realm, method string, this val) val {
	return r.ThrowTypeError("Method %s called on incompatible receiver %s", method, r.Describe(this))
}

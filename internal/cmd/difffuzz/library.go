package main

// This file defines programs over the library: calls of builtins, from templates whose holes are filled at random.
//
//	$S string  $I position  $N number  $V anything  $A array  $F callback  $R regular expression
//	$D date    $O object    $K key     $J JSON text $M Map    $T Set      $U URL         $B boolean

import (
	"fmt"
	"strings"
)

// calls are the templates by kind of program. What node 20 does not have yet is left out, and so is what docs/deviations.md
// lists.
var calls = map[string][]string{
	"strings": {
		"$S.at($I)", "$S.charAt($I)", "$S.charCodeAt($I)", "$S.codePointAt($I)", "$S.concat($V, $S)", "$S.endsWith($S, $I)", "$S.startsWith($S, $I)", "$S.includes($S, $I)",
		"$S.indexOf($S, $I)", "$S.lastIndexOf($S, $I)", "$S.isWellFormed()", "$S.toWellFormed()", "$S.normalize($K)", `$S.normalize("NFD")`, `$S.normalize("NFKC")`,
		"$S.padStart($I, $S)", "$S.padEnd($I, $S)", `"ab".repeat($I)`, "$S.slice($I, $I)", "$S.substring($I, $I)", "$S.substr($I, $I)", "$S.split($S, $I)", "$S.split($R, $I)",
		"$S.toUpperCase()", "$S.toLowerCase()", "$S.trim()", "$S.trimStart()", "$S.trimEnd()", "[...$S]", "$S.length", "$S[$I]", "$S.replace($S, $S)", "$S.replaceAll($S, $S)",
		"$S.replace($S, $F)", "$S.localeCompare($S)", `$S.localeCompare($S, undefined, { sensitivity: "base" })`, `$S.localeCompare($S, "en-US", { numeric: true })`,
		"String.fromCharCode($I, $I)", "String.fromCodePoint($I, $I)", "String.raw`a${$V}\\n`", "String.raw({ raw: $A }, $V, $V)", "String($V)", "$S + $V", "$S < $S", "`${$V}`",
		"encodeURIComponent($S)", "encodeURI($S)", "decodeURIComponent($S)", "decodeURI($S)", "btoa($S)", "atob($S)", "escape === undefined", "Object($S)[$K]",
		"new TextDecoder().decode(new TextEncoder().encode($S))", "Array.from(new TextEncoder().encode($S))", "$S.anchor === undefined", "[$S, $S, $S].sort()", "[$S, $S, $S].sort((a, b) => a.localeCompare(b))",
	},
	"numbers": {
		"$N.toFixed($I)", "$N.toPrecision($I)", "$N.toExponential($I)", "$N.toString($I)", "Number($V)", "parseInt($S, $I)", "parseFloat($S)", "Number.isInteger($V)", "Number.isSafeInteger($V)", "isNaN($V)", "isFinite($V)",
		"Math.round($V)", "Math.trunc($V)", "Math.sign($V)", "Math.fround($V)", "Math.clz32($V)", "Math.imul($V, $V)", "Math.hypot($I, $I)", "Math.max($V, $V)", "Math.min($V, $V)", "Math.abs($V)", "Math.floor($V)", "Math.ceil($V)",
		"Math.sqrt($N)", "$N % $N", "$N ** $I", "$N | 0", "$N >>> $I", "$N << $I", "~$V", "+$V", "String($N)", "$N + $N", "$N * $N", "$N / $N", "$N - $N", "$N < $V", "$N == $V", "Object.is($N, $N)",
		"BigInt($V)", "BigInt.asIntN($I, BigInt(Math.trunc($N) || 0))", "BigInt.asUintN($I, 7n ** 30n)", "(7n ** BigInt(Math.abs($I | 0) % 50)).toString(Math.abs($I) % 40)", "BigInt($I | 0) / 3n", "BigInt($I | 0) % 7n", "(-5n) >> BigInt($I & 7)",
		`$N.toLocaleString("en-US")`, `$N.toLocaleString("en-US", { maximumFractionDigits: 2 })`, `$N.toLocaleString("en-US", { style: "percent" })`, `$N.toLocaleString("en-US", { style: "currency", currency: "USD" })`, `$N.toLocaleString("en-US", { minimumFractionDigits: 3 })`,
	},
	"arrays": {
		"$A.at($I)", "$A.concat($V, $A)", "$A.copyWithin($I, $I, $I)", "[...$A.entries()]", "$A.every($F)", "$A.fill($V, $I, $I)", "$A.filter($F)", "$A.find($F)", "$A.findIndex($F)", "$A.findLast($F)", "$A.findLastIndex($F)",
		"$A.flat($I)", "$A.flatMap($F)", "$A.includes($V, $I)", "$A.indexOf($V, $I)", "$A.lastIndexOf($V, $I)", "$A.join($S)", "[...$A.keys()]", "$A.map($F)", "a.pop()", "a.push($V, $V)", "$A.reduce((p, c, i) => [p, c, i], $V)", "$A.reduceRight((p, c) => p + c)",
		"$A.reverse()", "a.shift()", "a.unshift($V)", "$A.slice($I, $I)", "$A.some($F)", "$A.sort()", "$A.sort((x, y) => x - y)", "$A.sort((x, y) => String(y) < String(x) ? -1 : String(y) > String(x) ? 1 : 0)", "a.splice($I, $I, $V)", "$A.toReversed()", "$A.toSorted()", "$A.toSpliced($I, $I, $V)", "$A.with($I, $V)",
		"Array.from($V, $F)", "Array.from({ length: $I }, $F)", "Array.of($V, $V)", "Array.isArray($V)", "a.length = $I", "delete a[$I]", "a[$I] = $V", "a", "Array.prototype.map.call($S, $F)", "Array.prototype.slice.call({ length: $I, 0: 1, 2: 3 }, $I)", "Array($I).length",
		"[...$A].length", "Math.max(...$A)", "Object.entries($A)", "$A.toString()", "$A == $V", "Array.prototype.concat.call($V, $A)", "$A.forEach($F)",
	},
	"json": {
		"JSON.parse($J)", "JSON.parse($J, function (k, v) { return $V })", "JSON.parse($J, (k, v) => k === \"a\" ? undefined : v)", "JSON.stringify($V)", "JSON.stringify($V, null, $I)", "JSON.stringify($O, $A)", "JSON.stringify($O, null, $K)", "JSON.stringify($O, (k, v) => typeof v === \"number\" ? v + 1 : v, 2)",
		"JSON.stringify([$S, $N, $V, undefined, $D])", "JSON.stringify({ toJSON(k) { return k + $V } })", "JSON.stringify({ a: { toJSON: (k) => k } })", "JSON.parse(JSON.stringify($O))", "JSON.parse($S)", "JSON.stringify(Object($V))", "structuredClone($O)", "structuredClone($A)", "JSON.stringify({ [$K]: $V, [$K]: 1 })",
	},
	"regexp": {
		"$R.test($S)", "$R.exec($S)", "$S.match($R)", "[...$S.matchAll($R)]", "$S.search($R)", "$S.replace($R, $S)", "$S.replace(new RegExp($R.source, \"g\"), (...m) => JSON.stringify(m.slice(0, -1)))", "$S.split($R)", "$S.split($R, $I)", "$R.source", "$R.flags", "String($R)", "(r => { r.lastIndex = $I; const m = r.exec($S); return [m, r.lastIndex] })($R)",
		`"2024-05-06 x 12:30".replace($R, "[$$&]$$1$$<n>")`, `$S.replaceAll(/./gu, (c) => c.codePointAt(0) + ";")`, "new RegExp($R, \"g\").flags", "new RegExp($S)", "(m => m && [m.index, m.groups && Object.entries(m.groups), m.indices && [...m.indices]])(new RegExp($R.source, \"d\").exec($S))", "RegExp.prototype[Symbol.split].call($R, $S)",
	},
	"dates": {
		"$D.getTime()", "$D.toISOString()", "$D.toJSON()", "$D.getUTCDay()", "$D.getFullYear()", "$D.getMonth()", "$D.getDate()", "$D.getHours()", "$D.getTimezoneOffset()", "Date.parse($S)", "Date.UTC($I, $I, $I)", "Date.UTC(2024, $I, $I, $I, $I)", "new Date($V).getTime()", "new Date(2024, $I, $I).getTime()", "(d => d.setMonth($I))($D)", "(d => d.setDate($I))($D)", "(d => d.setHours($I, $I))($D)",
		"(d => d.setFullYear($I))($D)", "(d => d.setUTCMinutes($I, $I))($D)", "(d => d.setTime($N))($D)", "$D - $D", "$D < $D", "$D.toUTCString()", "$D.toDateString()", "$D.toTimeString()", `$D.toLocaleDateString("en-US")`, `$D.toLocaleTimeString("en-US")`, `$D.toLocaleString("en-US")`, `$D.toLocaleDateString("en-US", { year: "numeric", month: "short", day: "numeric" })`,
		`$D.toLocaleDateString("en-US", { weekday: "long", month: "long", day: "numeric" })`, `$D.toLocaleTimeString("en-US", { hour: "2-digit", minute: "2-digit" })`, `$D.toLocaleTimeString("en-US", { hourCycle: "h23" })`, `$D.toLocaleDateString("en-US", { timeZone: "UTC", dateStyle: "medium" })`, "Date.parse($D.toUTCString())", "isNaN($D)", "$D.valueOf() === +$D", "new Date($D).getTime()", "Date.parse($G)", "new Date($G).getTime()",
	},
	"descriptors": {
		"Object.getOwnPropertyDescriptor($O, $K)", "Object.getOwnPropertyDescriptors($O)", "Object.defineProperty($O, $K, { value: $V, enumerable: $B })", "Object.defineProperty($O, $K, { get() { return $V }, configurable: $B })", "Object.defineProperty(o, $K, { value: $V, writable: $B, configurable: $B, enumerable: $B })", "o[$K] = $V", "delete o[$K]", "Object.keys(o)", "Object.entries(o)",
		"Object.getOwnPropertyNames(o)", "$K in o", "Object.hasOwn(o, $K)", "o.propertyIsEnumerable($K)", "Object.freeze($O)", "Object.isFrozen(Object.freeze($O))", "Object.seal(o) === o && Object.isSealed(o)", "Object.isExtensible(o)", "Object.preventExtensions($O)", "Object.assign($O, $O, $V)", "Object.fromEntries(Object.entries($O))", "Object.fromEntries($A)", "Object.create($O, { x: { value: $V, enumerable: $B } })",
		"Object.getPrototypeOf($V) === Object.prototype", "Object.setPrototypeOf($O, $V)", "Reflect.ownKeys(o).length", "Reflect.set(o, $K, $V)", "Reflect.defineProperty(o, $K, { value: $V })", "Reflect.deleteProperty(o, $K)", "Reflect.get({ get a() { return this } }, \"a\", $V)", "Reflect.has(o, $K)", "({ ...$O, ...$V })", "(({ [$K]: x = $V, ...rest }) => [x, rest])($O)", "Object.is($V, $V)", "Object.entries({ ...$S })", "(() => { let s = \"\"; for (const k in $O) s += k; return s })()",
		"Object.getOwnPropertyDescriptor(function f(a, b) {}, \"length\")", "Object.getOwnPropertyNames($V)", "(function () { return typeof this }).call($V)", "[].concat.length", "Object.prototype.toString.call($V)", "$O.toString()", "$O.valueOf() === 1",
	},
	"collections": {
		"m.set($V, $V)", "m.get($V)", "m.has($V)", "m.delete($V)", "[...m]", "[...m.keys()]", "m.size", "s.add($V)", "s.has($V)", "s.delete($V)", "[...s]", "[...s.entries()]", "s.size", "new Map($A)", "[...new Set($A)]", "[...new Map(Object.entries($O))]", "m.forEach((v, k) => L(\"each\", k, v))", "(() => { for (const x of s) { if (s.size < 9) s.add(s.size * 2); } return [...s] })()",
		"(() => { const it = m.entries(); const r = []; for (const e of it) { r.push(e); m.delete($V); if (r.length > 9) break } return r })()", "new Map([[NaN, 1], [-0, 2]]).get($N)", "new WeakMap([[o, 1]]).has($V)", "Object.fromEntries(m)", "m.clear()", "new Set($S).size", "new Map($V).size", "new Set($V).size", "Array.from(s, $F)", "[...new URLSearchParams($O)]", "new URLSearchParams($S.replaceAll(\"%\", \"\")).toString()", "new URL($U).href", "new URL($S, $U).href", "URL.canParse($S)", "new URL($U).searchParams.get($K)", "[...new Headers({ [\"x-\" + \"a\"]: $S.replace(/[^ -~]/g, \"\") })]",
	},
}

// libraryKinds are the kinds in a fixed order.
var libraryKinds = []string{"strings", "numbers", "arrays", "json", "regexp", "dates", "descriptors", "collections"}

// library is a program of guarded calls of one kind.
func (g *gen) library(kind string) *block {
	b := &block{items: []item{
		line("let a = " + g.filled("$A") + ", o = " + g.filled("$O") + ", m = new Map([[1, 2], [\"a\", [3]]]), s = new Set([1, \"1\", NaN]);"),
	}}
	for range 4 + g.r.IntN(8) {
		b.items = append(b.items, g.guard(g.filled(g.pick(calls[kind]...))))
	}
	b.items = append(b.items, line(`L("end", a, o, [...m], [...s]);`))
	return b
}

// filled replaces the holes of a template; $$ is a dollar sign.
func (g *gen) filled(template string) string {
	var w strings.Builder
	for i := 0; i < len(template); i++ {
		if template[i] != '$' || i+1 == len(template) {
			w.WriteByte(template[i])
			continue
		}
		next := template[i+1]
		if next == '$' {
			w.WriteByte('$')
			i++
		} else if fill := fillers[next]; fill != nil {
			w.WriteString(fill(g))
			i++
		} else {
			w.WriteByte('$')
		}
	}
	return w.String()
}

var fillers map[byte]func(*gen) string

func init() {
	fillers = map[byte]func(*gen) string{
		'S': (*gen).text, 'I': (*gen).position, 'N': (*gen).number, 'V': (*gen).anything, 'A': (*gen).array, 'F': (*gen).callback, 'R': (*gen).regexp,
		'D': (*gen).date, 'O': (*gen).object, 'K': (*gen).key, 'J': (*gen).json, 'U': (*gen).address, 'B': func(g *gen) string { return g.pick("true", "false") }, 'G': (*gen).timestamp,
	}
}

func (g *gen) text() string {
	if g.chance(15) {
		return fmt.Sprintf("(%s + %s)", g.text(), g.text())
	}
	return g.pick(`""`, `"a"`, `"abc"`, `"abcabc"`, `"aXbXc"`, `" x\t\n"`, `"ÄÖß"`, `"İı"`, `"e\u0301é"`, `"😀b😀"`, `"\ud83d"`, `"\ude00x"`, `"12.5e3px"`, `"-0x1F"`, `"0b101"`, `"a,b,,c"`, `"Hello World"`, `"%41%zz"`, `"%E4%BD%A0"`, `"你好 a&b=c"`, `"2024-02-30"`, `"foo-bar_baz 42"`,
		`"line1\nline2\r\nline3"`, `"$&$1$<n>"`, `"aGVsbG8="`, `"\u2028ﬁ"`, `"ǅ"`, `"ΑΣ"`, `"item10"`, `"item9"`, `"\0\x7f"`, `"http://a.b/c?d=e#f"`)
}

func (g *gen) position() string {
	return g.pick("0", "1", "2", "3", "5", "-1", "-2", "10", "16", "36", "2.7", "NaN", "undefined", "null", "Infinity", "-Infinity", `"2"`, "100", "true", "-0.5", "21")
}

func (g *gen) number() string {
	if g.chance(30) {
		return fmt.Sprintf("(%d / %d)", g.r.IntN(100000)-50000, 1+g.r.IntN(999))
	}
	if g.chance(20) {
		return fmt.Sprintf("(%de%d)", 1+g.r.IntN(99999), g.r.IntN(60)-30)
	}
	return g.pick("(0)", "(-0)", "(1)", "(0.5)", "(-1.5)", "(2.5)", "(1.005)", "(123.456)", "(1e21)", "(1e-7)", "(NaN)", "(Infinity)", "(-Infinity)", "(4294967296)", "(9007199254740991)", "(5e-324)", "(1.7976931348623157e308)", "(0.000001234)", "(255)", "(-255.99)", "(0.1 + 0.2)", "(1234567.891)")
}

func (g *gen) key() string {
	return g.pick(`"a"`, `"b"`, `"0"`, `"1"`, `"length"`, `"constructor"`, `"toString"`, `""`, `"x y"`, "1", "-1", `"__proto__"`, `"01"`)
}

func (g *gen) array() string {
	return g.pick("[]", "[1, 2, 3]", "[3, 10, 1, 2]", `["b", "a", "B", "é"]`, "[1, , 3]", "[[1, [2]], 3, []]", "[undefined, null, NaN, 0, -0]", `[["a", 1], ["b", 2]]`, "[{ a: 1 }, { a: 2 }]", `[1, "1", true, null]`, "[5, 4, 3, 2, 1, 0]", `["x", 2, [3]]`, "[,]")
}

func (g *gen) object() string {
	return g.pick("({})", "({ a: 1 })", "({ a: 1, b: [2, 3], 1: 4, 0: 5 })", "({ get a() { return 7 }, b: 2 })", "Object.freeze({ a: 1 })", `({ b: 1, a: "x", c: null, d: undefined })`, "[1, 2]", `({ "x y": 1, "": 2 })`, "Object.create({ a: 9 })", "({ a: { b: { c: [{}] } } })", "(function f() {})", "Object.create(null)")
}

func (g *gen) anything() string {
	switch g.r.IntN(7) {
	case 0:
		return g.text()
	case 1:
		return g.number()
	case 2:
		return g.array()
	case 3:
		return g.object()
	case 4:
		return g.position()
	}
	return g.pick("null", "undefined", "true", "1n", "NaN", `""`, `"0"`, "[]", "{}.x", "(() => 1)", `" 12 "`, `"1,2"`)
}

func (g *gen) callback() string {
	return g.pick("(x) => x", "(x, i) => i", "(x) => x > 1", "(x) => String(x)", "(x, i) => [x, i]", "(x) => [x, x]", "() => true", "() => undefined", "function (x) { return typeof x }", "(x) => { if (x === 2) throw new RangeError(\"r\"); return x }", "undefined", "(x, i, all) => L(\"cb\", x, i, all && all.length)")
}

func (g *gen) json() string {
	return g.pick(`'{"a":1,"b":[1,2,{"c":null}]}'`, `'[1,2.50,-0,1e3]'`, `'"\\u00e9\\n"'`, `'{"a":1,"a":2}'`, `'{"__proto__":1}'`, `' [ ] '`, `'{'`, `'[1,]'`, `'01'`, `'nul'`, `'"\t"'`, `'"\\x"'`, `'{"2":1,"1":2,"b":3}'`, `'-'`, `'1e999'`, `'"\\ud83d"'`, `''`, `'{"a":{"a":{"a":1}}}'`, `'true false'`, `'[[[]]]'`)
}

func (g *gen) date() string {
	if g.chance(40) {
		return fmt.Sprintf("new Date(%d)", g.r.Int64N(8_000_000_000_000)-2_000_000_000_000)
	}
	return g.pick("new Date(0)", "new Date(NaN)", `new Date("2024-02-29T12:34:56.789Z")`, "new Date(2024, 0, 31)", "new Date(1999, 11, 31, 23, 59, 59, 999)", "new Date(8.64e15)", "new Date(-1)", `new Date("2024-03-10")`, "new Date(-62198755200000)")
}

func (g *gen) timestamp() string {
	return g.pick(`"2024-05-06"`, `"2024-05-06T07:08"`, `"2024-05-06T07:08:09Z"`, `"2024-05-06T07:08:09.1234567Z"`, `"2024-05-06T07:08:09+02:00"`, `"2024-05"`, `"2024"`, `"2024-13-01"`, `"2024-02-30"`, `"2024-05-06T24:00:00Z"`, `"2024-05-06T25:00:00Z"`, `"+012024-05-06"`, `"Mon, 06 May 2024 07:08:09 GMT"`, `"May 6, 2024"`, `"6 May 2024 10:00 PM"`, `"5/6/2024"`, `"2024/05/06"`,
		`"2024-05-06 07:08:09"`, `"May 6 2024 07:08:09 GMT+0200"`, `"Tue May 07 2024"`, `"12:30"`, `"not a date"`, `"2024-5-6"`)
}

func (g *gen) address() string {
	return g.pick(`"https://user:pw@example.com:8080/a/b/../c?x=1&y=2&x=3#h"`, `"http://EXAMPLE.com"`, `"http://a.b/?a=%20+b"`, `"not a url"`, `"file:///c:/x"`, `"http://[::1]:80/"`, `"mailto:a@b.c"`, `"http://0x7f.1/"`, `"https://a.b/ü?é#ö"`, `"http://a.b:99999/"`)
}

// regexp is a regular expression literal.
func (g *gen) regexp() string {
	p := g.alternatives(0)
	if p == "" {
		p = "(?:)"
	}
	if first, rest, twice := strings.Cut(p, "(?<n>"); twice {
		p = first + "(?<n>" + strings.ReplaceAll(rest, "(?<n>", "(?:")
	}
	return "/" + p + "/" + g.pick("", "", "g", "i", "gi", "m", "s", "u", "y", "gu", "gm", "gy", "iu", "v")
}

func (g *gen) alternatives(depth int) string {
	var parts []string
	for range 1 + g.r.IntN(2) {
		var w strings.Builder
		for range g.r.IntN(4) {
			w.WriteString(g.term(depth))
		}
		parts = append(parts, w.String())
	}
	return strings.Join(parts, "|")
}

func (g *gen) term(depth int) string {
	atom := g.pick("a", "b", "c", "X", " ", `\d`, `\w`, `\s`, `\D`, `\W`, `\S`, ".", "[abc]", "[^a]", "[a-c0-9]", `[\w-]`, `[^\d\s]`, `é`, `\u00e9`, `\x41`, `\.`, `\n`, "-", "1", `\/`, `[\]]`, `(?<n>x)`)
	if strings.HasPrefix(atom, "(?<n>") && depth > 0 {
		atom = "x"
	}
	if depth < 2 && g.chance(35) {
		atom = g.pick("(", "(?:", "(", "(?:") + g.alternatives(depth+1) + ")"
	}
	switch {
	case depth < 2 && g.chance(10):
		return g.pick("(?=", "(?!", "(?<=", "(?<!") + g.alternatives(depth+1) + ")"
	case g.chance(10):
		return g.pick("^", "$", `\b`, `\B`)
	case g.chance(6):
		return atom + `\1`
	case g.chance(40):
		return atom + g.pick("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "??", "{0}")
	}
	return atom
}

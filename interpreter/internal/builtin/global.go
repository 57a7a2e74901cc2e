package builtin

// This file defines the global functions and values, and the hints for names that are not there.

import (
	"math"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func globals() []row {
	return append(coreGlobals(), uriGlobals()...)
}

func coreGlobals() []row {
	return []row{
		{Name: "undefined", Const: constant(value.Undefined), Attr: value.NoAttr},
		{Name: "NaN", Const: constant(value.NaN), Attr: value.NoAttr},
		{Name: "Infinity", Const: constant(value.Num(math.Inf(1))), Attr: value.NoAttr},
		{Name: "tools", Const: func(r *realm) val { return r.Env.Tools() }, Attr: value.NoAttr, Doc: "the tool tree"},
		{Name: "input", Const: func(r *realm) val { return r.Env.Input() }, Doc: "the input given to this execution"},
		{Name: "parseInt", Length: 2, Fn: parseInt, Sig: "(text: string, radix?: number): number"},
		{Name: "parseFloat", Length: 1, Fn: parseFloat, Sig: "(text: string): number"},
		{Name: "isNaN", Length: 1, Fn: isNaN, Sig: "(value: unknown): boolean"},
		{Name: "isFinite", Length: 1, Fn: isFinite, Sig: "(value: unknown): boolean"},
		{Name: "structuredClone", Length: 1, Fn: structuredClone, Sig: "<T>(value: T): T"},
		{Name: "queueMicrotask", Length: 1, Fn: queueMicrotask, Sig: "(callback: () => void): void"},
	}
}

func constant(v val) func(*realm) val { return func(*realm) val { return v } }

// parseInt (19.2.5).
func parseInt(r *realm, _ val, args []val) val {
	s := r.ToString(arg(args, 0))
	if s == nil {
		return value.Throw
	}
	radix, ok := r.ToInt32(arg(args, 1))
	if !ok {
		return value.Throw
	}
	t := s.Trim(true, true)
	i, sign := 0, 1.0
	if t.Len() > 0 && (t.At(0) == '-' || t.At(0) == '+') {
		if t.At(0) == '-' {
			sign = -1
		}
		i = 1
	}
	if radix != 0 && (radix < 2 || radix > 36) {
		return value.NaN
	}
	if (radix == 0 || radix == 16) && i+1 < t.Len() && t.At(i) == '0' && t.At(i+1)|0x20 == 'x' {
		radix, i = 16, i+2
	}
	if radix == 0 {
		radix = 10
	}
	from := i
	for i < t.Len() && digit(t.At(i)) < int(radix) {
		i++
	}
	if i == from {
		return value.NaN
	}
	r.Owe(t.Len() >> 10)
	return value.Num(sign * parseDigits(t.Slice(from, i).ASCII(), int(radix)))
}

func digit(c uint16) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 99
}

func parseDigits(s string, radix int) float64 {
	if radix == 10 {
		if s = strings.TrimLeft(s, "0"); len(s) > 400 {
			return math.Inf(1)
		} else if s == "" {
			return 0
		}
		f, _ := strconv.ParseFloat(s, 64)
		return f
	}
	return value.DigitsToNumber(s, radix)
}

// parseFloat (19.2.4).
func parseFloat(r *realm, _ val, args []val) val {
	s := r.ToString(arg(args, 0))
	if s == nil {
		return value.Throw
	}
	t := s.Trim(true, false)
	if !t.IsASCII() {
		i := 0
		for i < t.Len() && t.At(i) < 128 {
			i++
		}
		t = t.Slice(0, i)
	}
	return floatPrefix(r, t.ASCII())
}

// floatPrefix parses the longest prefix that is a StrDecimalLiteral.
func floatPrefix(r *realm, a string) val {
	i := 0
	if i < len(a) && (a[i] == '+' || a[i] == '-') {
		i++
	}
	if strings.HasPrefix(a[i:], "Infinity") {
		if a[0] == '-' {
			return value.Num(math.Inf(-1))
		}
		return value.Num(math.Inf(1))
	}
	digits := func() int {
		from := i
		for i < len(a) && a[i] >= '0' && a[i] <= '9' {
			i++
		}
		return i - from
	}
	n := digits()
	if i < len(a) && a[i] == '.' {
		i++
		n += digits()
		if n == 0 {
			return value.NaN
		}
	}
	if n == 0 {
		return value.NaN
	}
	end := i
	if i < len(a) && a[i]|0x20 == 'e' {
		i++
		if i < len(a) && (a[i] == '+' || a[i] == '-') {
			i++
		}
		if digits() > 0 {
			end = i
		}
	}
	r.Owe(len(a) >> 10)
	text, ok := r.Decimal(a[:end])
	f, _ := strconv.ParseFloat(text, 64)
	return completed(value.Num(f), ok)
}

func isNaN(r *realm, _ val, args []val) val {
	f, ok := r.ToNumber(arg(args, 0))
	if !ok {
		return value.Throw
	}
	return value.Bool(f != f)
}

func isFinite(r *realm, _ val, args []val) val {
	f, ok := r.ToNumber(arg(args, 0))
	if !ok {
		return value.Throw
	}
	return value.Bool(!math.IsNaN(f) && !math.IsInf(f, 0))
}

func queueMicrotask(r *realm, _ val, args []val) val {
	fn := arg(args, 0)
	if !fn.IsCallable() {
		return r.ThrowTypeError("queueMicrotask: the callback must be a function, got %s", r.Describe(fn))
	}
	r.Machine.Enqueue(func() {
		if r.Call(fn, value.Undefined).IsThrow() && !r.Terminated {
			p, _ := r.NewPromise() // reported like any rejection that nobody observes
			r.Machine.Reject(p, r.Exception())
		}
	})
	return value.Undefined
}

// absent explains ambient names that programs expect and that do not exist here.
var absent = map[string]string{
	"fetch":                 "There is no network access: call a tool instead",
	"XMLHttpRequest":        "There is no network access: call a tool instead",
	"WebSocket":             "There is no network access: call a tool instead",
	"require":               "There are no modules: the standard library is built in, everything else is a tool",
	"module":                "There are no modules: return the result instead of exporting it",
	"exports":               "There are no modules: return the result instead of exporting it",
	"process":               "There is no process: environment, arguments and exit do not exist here",
	"Buffer":                "Use Uint8Array, atob and btoa, or TextEncoder instead",
	"setTimeout":            "There are no timers: await the call that you wait for",
	"setInterval":           "There are no timers: use a loop with await",
	"setImmediate":          "There are no timers: use queueMicrotask or await",
	"clearTimeout":          "There are no timers",
	"clearInterval":         "There are no timers",
	"globalThis":            "There is no global object: use the names themselves",
	"window":                "There is no browser: return the result instead",
	"document":              "There is no browser: return the result instead",
	"self":                  "There is no global object: use the names themselves",
	"global":                "There is no global object: use the names themselves",
	"eval":                  "Code cannot be made from text: write it into the program",
	"alert":                 "Use console.log or return the value",
	"prompt":                "There is nobody to ask: use the values that the tools return",
	"Proxy":                 "Proxy does not exist here: use getters or functions",
	"Intl":                  "There is no Intl object: use toLocaleString, toLocaleDateString or localeCompare",
	"WeakRef":               "Weak references do not exist here: hold the object itself",
	"FinalizationRegistry":  "Finalizers do not exist here",
	"SharedArrayBuffer":     "There is no shared memory",
	"Atomics":               "There is no shared memory",
	"fs":                    "There is no file system: call a tool instead",
	"__dirname":             "There is no file system",
	"__filename":            "There is no file system",
	"performance":           "Use Date.now()",
	"localStorage":          "There is no storage: keep values in variables and return them",
	"DataView":              "Read and write the bytes of a Uint8Array with shifts: (b[0] << 8) | b[1]",
	"ArrayBuffer":           "Use new Uint8Array(length), the one array of bytes",
	"AbortController":       "Calls are not aborted by the program: the host interrupts them; use Promise.race to go on with the first result",
	"AbortSignal":           "Calls are not aborted by the program: the host interrupts them; use Promise.race to go on with the first result",
	"Temporal":              "Use Date: new Date(text), Date.UTC, toISOString",
	"Response":              "There is no network access: call a tool and use what it returns",
	"Request":               "There is no network access: call a tool instead",
	"Blob":                  "Use a string or Uint8Array",
	"File":                  "Use a string or Uint8Array",
	"FormData":              "Use a plain object or URLSearchParams",
	"FileReader":            "There is no file system: call a tool instead",
	"axios":                 "There is no network access: call a tool instead",
	"path":                  "There are no modules: join and split paths with string methods",
	"os":                    "There is no operating system: call a tool instead",
	"http":                  "There is no network access: call a tool instead",
	"https":                 "There is no network access: call a tool instead",
	"child_process":         "There are no processes: call a tool instead",
	"util":                  "There are no modules: use JSON.stringify or console.log",
	"sleep":                 "There are no timers: await the call that you wait for",
	"print":                 "Use console.log or return the value",
	"None":                  "Use null",
	"True":                  "Use true",
	"False":                 "Use false",
	"len":                   "Use x.length",
	"max":                   "Use Math.max",
	"min":                   "Use Math.min",
	"round":                 "Use Math.round",
	"floor":                 "Use Math.floor",
	"ceil":                  "Use Math.ceil",
	"abs":                   "Use Math.abs",
	"sqrt":                  "Use Math.sqrt",
	"pow":                   "Use Math.pow",
	"random":                "Use Math.random",
	"trunc":                 "Use Math.trunc",
	"sign":                  "Use Math.sign",
	"stringify":             "Use JSON.stringify",
	"isArray":               "Use Array.isArray",
	"parse":                 "Use JSON.parse",
	"log":                   "Use console.log",
	"Deno":                  "There is no Deno here: the standard library is built in, everything else is a tool",
	"Bun":                   "There is no Bun here: the standard library is built in, everything else is a tool",
	"navigator":             "There is no browser: return the result instead",
	"location":              "There is no browser: the program has no address",
	"sessionStorage":        "There is no storage: keep values in variables and return them",
	"indexedDB":             "There is no storage: keep values in variables and return them",
	"EventEmitter":          "There are no events: await the call that gives the result",
	"Event":                 "There are no events: await the call that gives the result",
	"EventTarget":           "There are no events: await the call that gives the result",
	"Worker":                "There are no workers: start calls together and await Promise.all",
	"MessageChannel":        "There are no workers: start calls together and await Promise.all",
	"ReadableStream":        "There are no streams: tools return whole values",
	"requestAnimationFrame": "There are no timers: use a loop with await",
	"WebAssembly":           "There is no WebAssembly: write the code as JavaScript",
	"moment":                "There are no modules: use Date",
	"dayjs":                 "There are no modules: use Date",
	"lodash":                "There are no modules: use array and object methods, such as Object.groupBy",
	"_":                     "There are no modules: use array and object methods, such as Object.groupBy",
	"assert":                "There are no modules: throw new Error(message) if a condition does not hold",
	"Int8Array":             "Use an array of numbers; Uint8Array is the one typed array",
	"Uint8ClampedArray":     "Use an array of numbers; Uint8Array is the one typed array",
	"Int16Array":            "Use an array of numbers; Uint8Array is the one typed array",
	"Uint16Array":           "Use an array of numbers; Uint8Array is the one typed array",
	"Int32Array":            "Use an array of numbers; Uint8Array is the one typed array",
	"Uint32Array":           "Use an array of numbers; Uint8Array is the one typed array",
	"Float32Array":          "Use an array of numbers; Uint8Array is the one typed array",
	"Float64Array":          "Use an array of numbers; Uint8Array is the one typed array",
	"BigInt64Array":         "Use an array of numbers; Uint8Array is the one typed array",
	"BigUint64Array":        "Use an array of numbers; Uint8Array is the one typed array",
}

// GlobalHint explains an undeclared name, "" if there is nothing to say.
func GlobalHint(name string) string { return absent[name] }

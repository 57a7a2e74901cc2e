package interpreter_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/diagnostics"
)

// TestBuiltinsStayWithinTheBudget: what one builtin builds, and what the objects of the library hold, counts as it comes
// about: the program ends or its process does not grow by more than three times the budget and 32 MiB.
func TestBuiltinsStayWithinTheBudget(t *testing.T) {
	for name, src := range map[string]string{
		"bytes":             `const l = []; for (;;) l.push(new Uint8Array(1e6))`,
		"encoded":           `const t = "é".repeat(1e5), l = []; for (;;) l.push(new TextEncoder().encode(t))`,
		"byte slices":       `const b = new Uint8Array(1e6), l = []; for (;;) l.push(b.slice())`,
		"base64":            `const t = "QUJD".repeat(1e5), l = []; for (;;) l.push(Uint8Array.fromBase64(t))`,
		"many matches":      `return ("ab ".repeat(3e6)).match(/\w+/g).length`,
		"all matches":       `return [...("ab ".repeat(3e5)).matchAll(/\w+/g)].length`,
		"split":             `return "a,".repeat(1e7).split(",").length`,
		"split by units":    `return "é".repeat(1e7).split("").length`,
		"split by pattern":  `return "a,".repeat(3e6).split(/,/).length`,
		"parse":             `const t = "[" + "{\"a\":[1,2]},".repeat(5e5) + "1]"; return JSON.parse(t).length`,
		"keys":              `const o = {}; for (let i = 0; i < 1e5; i++) o["k" + i] = 1; const l = []; for (;;) l.push(Object.keys(o), Object.entries(o), Object.values(o))`,
		"clone":             `const o = Array.from({ length: 1e5 }, () => [1]); const l = []; for (;;) l.push(structuredClone(o))`,
		"clone of one":      `let o = [1]; for (;;) o = structuredClone([o, o, structuredClone(o)])`,
		"list of iterables": `Math.max(...(function* () { for (;;) yield [1] })())`,
		"set of iterable":   `new Uint8Array((function* () { for (;;) yield "some text".repeat(10) })())`,
		"from array-like":   `Array.from({ length: 1e8 }, () => [1])`,
		"replacement":       `return "a".repeat(1e6).replace(/a/g, () => "0123456789".repeat(20)).length`,
		"join":              `return new Array(1e7).fill("0123456789").join("").length`,
		"stringify":         `return JSON.stringify(new Array(1e6).fill("0123456789".repeat(20))).length`,
		"repeat":            `return "x".repeat(2 ** 28).length`,
		"pad":               `return "x".padEnd(2 ** 28, "é").length`,
		"escape":            `return encodeURIComponent("é".repeat(1e7)).length`,
		"base64 text":       `return btoa("a".repeat(2e7)).length`,
		"upper":             `const t = "ß".repeat(1e7); return t.toUpperCase().length`,
		"patterns":          `const l = []; for (let i = 0; ; i++) { const t = "x".repeat(1e6) + i; /y/.test(t); l.push(t) }`,
		"iterator helpers":  `let it = [1].values(); for (;;) it = it.map((x) => x)`,
		"headers":           `const h = new Headers(); for (let i = 0; ; i++) h.append("k" + i, "value".repeat(100))`,
		"parameters":        `const p = new URLSearchParams(); for (let i = 0; ; i++) p.append("k" + i, "value".repeat(100))`,
		"addresses":         `const l = []; for (let i = 0; ; i++) l.push(new URL("https://example.org/" + "x".repeat(1000) + i))`,
		"log of shared":     `const t = "x".repeat(1e7); console.log(...new Array(100).fill(t))`,
		"log by format":     `const t = "x".repeat(1e7); console.log("%s".repeat(100), ...new Array(100).fill(t))`,
		"log of wide":       `console.log("é".repeat(1.5e7), 1)`,
		"log in groups":     `for (let i = 0; i < 20; i++) console.group(); console.log("\n".repeat(5e6))`,
		"log of symbols":    `console.log(new Array(100).fill(Symbol("x".repeat(1e7))))`,
		"log of names":      `console.log(new Array(100).fill({ ["x".repeat(1e6)]: 1 }), new Array(100).fill(Object.defineProperty(() => 1, "name", { value: "x".repeat(1e7) })))`,
		"log of texts":      `console.log(new Array(100).fill(new String("x".repeat(5e6))))`,
		"log of bytes":      `console.log(new Uint8Array(1e7))`,
		"deep log":          `const t = "x".repeat(1e4); let a = [t]; for (let i = 0; i < 90; i++) a = [a, ...new Array(99).fill(t)]; console.dir(a, { depth: null })`,
		"timers":            `const t = "x".repeat(1e7); console.time(t); console.timeLog(t, ...new Array(100).fill(t))`,
		"labels":            `const t = "x".repeat(1e6); for (let i = 0; i < 300; i++) { console.count(i + t); console.time(i + t) }`,
		"assertion":         `const t = "x".repeat(1e7); console.assert(false, ...new Array(100).fill(t))`,
		"table of shared":   `const t = "x".repeat(1e7); console.table(new Array(100).fill({ a: t, b: t }))`,
		"holes as JSON":     `const a = []; a.length = 5e7; return JSON.stringify(a).length`,
		"long key as JSON":  `const o = { ["\x01".repeat(1e7)]: 1 }; return JSON.stringify(o).length`,
		"query of shared":   `const t = "x".repeat(1e6); return new URLSearchParams(new Array(200).fill(["a", t])).toString().length`,
		"query of wide":     `const t = "é".repeat(1e6); return new URLSearchParams(new Array(200).fill(["a", t])).size`,
		"query as result":   `const t = "x".repeat(1e6); return { q: new URLSearchParams(new Array(200).fill(["a", t])) }`,
		"wide headers":      `const t = "é".repeat(1e6); return [...new Headers(new Array(200).fill(["a", t]))].length`,
		"escaped pattern":   `return RegExp.escape("-".repeat(5e7)).length`,
		"keys of a list":    `const l = new Array(1e6).fill(1), a = []; for (let i = 0; i < 50; i++) a.push(Reflect.ownKeys(l).length); return a.length`,
		"keys of a text":    `return Object.keys(new String("x".repeat(5e6))).length`,
		"dates":             `const l = []; for (;;) l.push(new Date(0))`,
	} {
		t.Run(name, func(t *testing.T) {
			const budget = 32 * mib
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			out := runWithMemory(t, src, budget)
			runtime.ReadMemStats(&after)
			if out.Failure != nil && out.Failure.Kind != diagnostics.MemoryLimitExceeded {
				t.Errorf("got %s", clipped(text(out)))
			}
			if out.Failure != nil && strings.HasPrefix(name, "log ") {
				t.Errorf("a log failed the program: %s", clipped(text(out)))
			}
			if grown := int64(after.HeapSys+after.StackSys) - int64(before.HeapSys+before.StackSys); grown > 3*budget+32*mib {
				t.Errorf("the process grew by %d MiB: %s", grown/mib, clipped(text(out)))
			}
		})
	}
}

// TestLongTextsAreInterrupted: no builtin keeps a text to itself for long.
func TestLongTextsAreInterrupted(t *testing.T) {
	for name, src := range map[string]string{
		"pad":       `for (;;) "x".padStart(2 ** 26, "abc")`,
		"wide pad":  `for (;;) "x".padStart(2 ** 25, "é")`,
		"upper":     `for (;;) "a".repeat(2 ** 26).toUpperCase()`,
		"lower":     `for (;;) "Σ'".repeat(2 ** 24).toLowerCase()`,
		"normalize": `for (;;) "é".repeat(2 ** 24).normalize("NFD")`,
		"btoa":      `for (;;) btoa("a".repeat(5e7))`,
		"escape":    `for (;;) encodeURIComponent("é".repeat(2e7))`,
		"error":     `for (;;) { try { throw new Error("x".repeat(3e7)) } catch (e) { String(e) } }`,
		"uncaught":  `throw new Error("é".repeat(3e7))`,
		"quote":     `for (;;) JSON.stringify("é\n".repeat(1e7))`,
		"join":      `const a = new Array(100).fill("é".repeat(3e5)); for (;;) a.join("-")`,
		"split":     `for (;;) "é".repeat(1e7).split("x")`,
		"compare":   `const a = "é".repeat(1e7); for (;;) a.localeCompare(a + "x")`,
		"hex":       `const b = new Uint8Array(3e7); for (;;) b.toHex()`,
		"decode":    `const b = new Uint8Array(3e7); for (;;) new TextDecoder().decode(b)`,
		"match":     `/(a+)+b/.test("a".repeat(50))`,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			out := run(t, src, 500*time.Millisecond)
			if !errors.Is(out.Ended, context.DeadlineExceeded) && name != "uncaught" {
				t.Errorf("got %s", clipped(text(out)))
			}
			// Far above what it takes on an idle machine: what is caught is a builtin that does not look at all.
			if took := time.Since(start); took > 15*time.Second {
				t.Errorf("took %v", took)
			}
			runtime.GC()
		})
	}
}

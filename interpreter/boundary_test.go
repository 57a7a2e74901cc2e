package interpreter_test

import (
	"strings"
	"testing"

	"github.com/codemode-go/codemode/diagnostics"
)

// TestResultsCrossTheBoundary: the forms of the boundary table. Where JSON.stringify has an answer it is node's.
func TestResultsCrossTheBoundary(t *testing.T) {
	for src, want := range map[string]string{
		`return { a: undefined, b: [undefined, , 1], c: null }`: `{"b":[null,null,1],"c":null}`,
		`return undefined`:                                                           `null`,
		`return [NaN, Infinity, -Infinity, -0]`:                                      `[null,null,null,0]`,
		`return [new Date(0), new Date(NaN)]`:                                        `["1970-01-01T00:00:00.000Z",null]`,
		`return [/a/g, new Map(), new Set(), new WeakMap()]`:                         `[{},{},{},{}]`,
		`return Object.assign(new TypeError("t"), { code: 5 })`:                      `{"name":"TypeError","message":"t","code":5}`,
		`return [new URL("https://a.b/c?d=1#e"), new URLSearchParams({ a: "1 2" })]`: `["https://a.b/c?d=1#e","a=1+2"]`,
		`return new Headers({ "X-A": "1", b: "2" })`:                                 `{"b":"2","x-a":"1"}`,
		`return { toJSON() { return { a: 1 } } }`:                                    `{"a":1}`,
		`return [{ toJSON(k) { return k } }]`:                                        `["0"]`,
		`return [new String("s"), new Number(1), new Boolean(false)]`:                `["s",1,false]`,
		`return JSON.parse("[9007199254740993, 123456789012345678901234567890]")`:    `[9007199254740993,123456789012345678901234567890]`,
		`return { ["__proto__"]: 1, constructor: 2, prototype: 3 }`:                  `{"__proto__":1,"constructor":2,"prototype":3}`,
		`class A { x = 1; #y = 2; get z() { return 3 } m() {} } return new A()`:      `{"x":1}`,
		`return { b: 1, a: 2, 2: 3, 1: 4 }`:                                          `{"1":4,"2":3,"b":1,"a":2}`,
		"return \"\\ud83d\\ude00 \\ud800\"":                                          `"😀 \ud800"`,
		`return Promise.resolve(Promise.resolve({ a: 1 }))`:                          `{"a":1}`,
		`const o = { x: 1 }; return [o, o]`:                                          `[{"x":1},{"x":1}]`,
	} {
		if got := text(run(t, src, 0)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", src, got, want)
		}
	}
}

// TestRefusedAtTheBoundary: what has no data form is refused with its path and what to do.
func TestRefusedAtTheBoundary(t *testing.T) {
	for src, want := range map[string]string{
		`return { a: [1, Promise.resolve(2)] }`:                     "result.a[1] | await",
		`return { a: [() => 1] }`:                                   "result.a[0] | function",
		`return { "x y": 1n }`:                                      `result["x y"] | BigInt`,
		`return [Symbol("s")]`:                                      "result[0] | symbol",
		`return [(function* () {})()]`:                              "result[0] | generator",
		`return { m: Math }`:                                        "result.m | builtin",
		`return class A {}`:                                         "result | function",
		`return new Uint8Array(2)`:                                  "result | toBase64",
		`return { t: tools.a.b }`:                                   "result.t | tools.a.b",
		`const o = {}; o.o = { o }; return o`:                       "result.o.o | cycle",
		`let a = 1; for (let i = 0; i < 40; i++) a = [a]; return a`: "result[0][0] | 32",
	} {
		out := run(t, src, 0)
		path, word, _ := strings.Cut(want, " | ")
		if d := out.Failure; d == nil || d.Kind != diagnostics.InvalidDataValue || !strings.HasPrefix(d.Path, path) || !strings.Contains(d.Message, word) {
			t.Errorf("%s\ngot %s", src, text(out))
		}
	}
}

// TestLostContentIsAWarning: a Map or Set with content arrives empty, which is said with the way out.
func TestLostContentIsAWarning(t *testing.T) {
	out := run(t, `return { m: new Map([[1, 2]]), s: [new Set([1])], empty: new Map() }`, 0)
	if got := text(out); got != `{"m":{},"s":[{}],"empty":{}}` {
		t.Errorf("got %s", got)
	}
	if w := out.Warnings; len(w) != 2 || w[0].Path != "result.m" || !strings.Contains(w[0].Message, "Object.fromEntries") || w[1].Path != "result.s[0]" {
		t.Errorf("warnings %v", w)
	}
}

// TestWhatBecomesNullIsAWarning: what JSON has no form for is told once, with the first place and how many there are.
func TestWhatBecomesNullIsAWarning(t *testing.T) {
	for src, want := range map[string]string{
		`return 0 / 0`: "result is NaN, which became null: JSON has no form for it",
		`return { a: [1, NaN], b: -Infinity, c: 1 / 0 }`:       "result.a[1] is NaN, which became null: JSON has no form for it; so did 2 more",
		`return { at: new Date("x") }`:                         "result.at is an invalid Date, which became null: JSON has no form for it",
		`return [new Number(NaN)]`:                             "result[0] is NaN, which became null: JSON has no form for it",
		`return [null, undefined, -0, { toJSON: () => null }]`: "",
		`return { r: /a/g }`:                                   "result.r is a RegExp and was copied as {}; use String(x), or x.source",
		`return new Map([[1, 2]])`:                             "result is a Map of 1 entry and was copied as {}; use Object.fromEntries(x)",
		`return [new Set([1]), 1]`:                             "result[0] is a Set of 1 value and was copied as {}; use [...x]",
		`return new Set([1, 2])`:                               "result is a Set of 2 values and was copied as {}; use [...x]",
	} {
		out := run(t, src, 0)
		got := ""
		for _, w := range out.Warnings {
			got += w.Message
		}
		if out.Failure != nil || got != want {
			t.Errorf("%s\n got %s\nwant %s", src, got, want)
		}
	}
}

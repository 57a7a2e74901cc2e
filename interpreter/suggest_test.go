package interpreter_test

import (
	"strings"
	"testing"
)

// A method that a value does not have is answered by what the value is and what to write instead.
func TestAMissingMethodNamesTheValueAndWhatToWrite(t *testing.T) {
	for src, want := range map[string]string{
		`const n = "5"; n.toFixed(2)`:                               "n.toFixed is not a function; n is a string: use Number(n).toFixed(…)",
		`const d = "2024-01-01"; d.toISOString()`:                   "d.toISOString is not a function; d is a string: use new Date(d).toISOString()",
		`const d = 5; d.getTime()`:                                  "d.getTime is not a function; d is a number: use new Date(d).getTime()",
		`const n = 5; n.padStart(3)`:                                "n.padStart is not a function; n is a number: use String(n).padStart(…)",
		`const n = 5.5; n.round()`:                                  "n.round is not a function; n is a number: use Math.round(n)",
		`const s = "a,b"; s.map(x => x)`:                            "s.map is not a function; s is a string: make it an array first, s.split(…).map(…)",
		`const s = "a"; s.append("b")`:                              "s.append is not a function; s is a string: use + or s.concat(…)",
		`[1, 2].max()`:                                              "(intermediate value).max is not a function; it is an Array(2): use Math.max(...list)",
		`const l = [1, 2]; l.sum()`:                                 "l.sum is not a function; l is an Array(2): use l.reduce((a, b) => a + b, 0)",
		`const l = [1, 2]; l.substring(1)`:                          "l.substring is not a function; l is an Array(2): use l.slice(…)",
		`const l = ["a"]; l.toUpperCase()`:                          "l.toUpperCase is not a function; l is an Array(1): use l.map(x => x.toUpperCase())",
		`const d = new Date(0); d.substring(0, 10)`:                 "d.substring is not a function; d is a Date: use d.toISOString().substring(…)",
		`const d = new Date(0); d.getYears()`:                       "d.getYears is not a function; d is a Date: use d.getUTCFullYear()",
		`const o = { a: 1 }; o.values()`:                            "o.values is not a function; o is { a: number }: use Object.values(o)",
		`const o = { a: 1 }; o.map(x => x)`:                         "o.map is not a function; o is { a: number }: use Object.values(o).map(…) or Object.entries",
		`const o = { items: [1], n: 1 }; o.filter(x => x)`:          "o.filter is not a function; o is { items: Array(1), n: number }: use o.items.filter(…)",
		`const o = { "my items": [1] }; o.forEach(x => x)`:          "o.forEach is not a function; o is { my items: Array(1) }: use Object.values(o).forEach(…) or Object.entries",
		`const o = { a: 1 }; o.json()`:                              "o.json is not a function; o is { a: number }: use it as it is, it is data already",
		`const m = new Map([[1, 2], [3, 4]]); m.add(1)`:             "m.add is not a function; m is a Map(2): use m.set(key, value)",
		`const s = new Set([1]); s.map(x => x)`:                     "s.map is not a function; s is a Set(1): use [...s].map(…)",
		`const list = () => [1]; list.map(x => x)`:                  "list.map is not a function; list is a function: call it first, list(…).map(…)",
		`const list = async () => [1]; list.map(x => x)`:            "list.map is not a function; list is a function: call it first, (await list(…)).map(…)",
		`String.isString("x")`:                                      `String.isString is not a function; use typeof x === "string"`,
		`class Dog { bark() {} } Dog.bark()`:                        "Dog.bark is not a function; it is a method of what new Dog(…) gives, not of Dog",
		`const l = [1]; l.length()`:                                 "l.length is not a function; it is a number: read it without ()",
		`const o = { f: { a: 1 } }; o.f()`:                          "o.f is not a function; it is { a: number }",
		`const p = Promise.resolve(1); p()`:                         "p is not a function; it is a Promise: await it first",
		`const o = { get f() { return 1 }, g: 1 }; o.values()`:      "o.values is not a function; o is { g: number }: use Object.values(o)",
		`await Promise.all(Promise.resolve(1), Promise.resolve(2))`: "Promise.all takes one list: Promise.all([a, b]), not Promise.all(a, b)",
		`await Promise.allSettled(Promise.resolve(1), 2)`:           "Promise.allSettled takes one list: Promise.allSettled([a, b]), not Promise.allSettled(a, b)",
		`structuredClone(Promise.resolve(1))`:                       "DataCloneError: a Promise could not be cloned; await it first",
		`JSON.parse({ a: 1 })`:                                      `SyntaxError: "[object Object]" is not valid JSON: JSON.parse was given an object, which is data already; do not parse it`,
		`total = 5`:                                                 "ReferenceError: total is not defined. Declare it with const or let",
		`const total = 1; totl = 5`:                                 "ReferenceError: totl is not defined. Did you mean total?",
		`return max(1, 2)`:                                          "ReferenceError: max is not defined. Use Math.max",
		`class P { get keys() { throw 1 } } new P().forEach()`:      "(intermediate value).forEach is not a function; it is a P",
	} {
		f := run(t, src, 0).Failure
		if f == nil || strings.TrimPrefix(f.Message, "TypeError: ") != want {
			t.Errorf("%s\n got %v\nwant %s", src, f, want)
		}
	}
}

// A slip of the fingers finds the name that was meant; another word finds none.
func TestOnlyTyposAreCorrected(t *testing.T) {
	for src, want := range map[string]string{
		`[1].puhs(2)`: "push", `[1].fliter(x => x)`: "filter", `[1].forEahc(x => x)`: "forEach", `[1].foreach(x => x)`: "forEach", `[1].includs(1)`: "includes", `[1].mpa(x => x)`: "map",
		`"a".toUppercase()`: "toUpperCase", `"a".to_upper_case()`: "toUpperCase", `"a".trimm()`: "trim", `"a".splt("")`: "split", `"a".lenght()`: "length",
		`new Date(0).toIsoString()`: "toISOString", `new Date(0).getFullYera()`: "getFullYear", `Object.kyes({})`: "keys", `Object.entires({})`: "entries", `JSON.stringfy(1)`: "stringify",
		`Math.maxx(1)`: "max", `class D { bark() {} } new D().brak()`: "bark", `new Map().gte(1)`: "get", `const total = 1; return totla`: "total",
		`const items = 1; return itmes`: "items", `return Sting(1)`: "String",

		`"abc".sum()`: "", `"abc".fold()`: "", `"abc".smaller()`: "", `"abc".lick()`: "", `"abc".bolder()`: "", `"abc".anchors()`: "", `"abc".fix()`: "", `(5).fix()`: "", `({ a: 1 }).fetch()`: "",
		`new Date(0).getYeer()`: "", `[1].pap()`: "", `[1].top()`: "", `[1].mop()`: "", `new Map().pet(1)`: "", `new Set().odd(1)`: "",
		`return data.length`: "", `return dote`: "", `const map = 1; return cap`: "", `const row = 1; return now`: "", `const x = 1; return y`: "", `return mop`: "", `const user = 1; return uses`: "",
	} {
		f := run(t, src, 0).Failure
		if f == nil {
			t.Fatal(src)
		}
		_, got, _ := strings.Cut(f.Message, "Did you mean ")
		if got = strings.TrimSuffix(got, "?"); got != want {
			t.Errorf("%s: %q, want %q (%s)", src, got, want, f.Message)
		}
	}
}

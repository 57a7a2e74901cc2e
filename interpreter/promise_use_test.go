package interpreter_test

import (
	"strings"
	"testing"
)

// Every use of a promise as if it were its value is warned of.
func TestPromiseUsedAsDataIsWarnedOf(t *testing.T) {
	for _, use := range []string{
		`JSON.stringify(p)`, `JSON.stringify({ p })`, `({ ...p })`, `Object.keys(p)`, `Object.values(p)`, `Object.entries(p)`, `Object.assign({}, p)`,
		`(() => { for (const k in p) ; })()`, `Array.from(p)`, `p['it' + 'ems']`, `p?.[0]`, `p > 5`, `p == 5`, `Math.max(p)`, `new Date(p)`,
		`[1].concat(p)`, `Number(p)`, `p * 2`, `p.length`, "`${p}`", `p + ''`, `[1].filter(async () => false)`, `[1].some(async () => false)`,
		`[1].every(async () => false)`, `[1].find(async () => false)`, `[1].findIndex(async () => false)`, `[1].findLast(async () => false)`,
		`p === 'x'`, `p !== 5`, `5 === p`, `'x' === p`, `p === true`, `(() => { switch (p) { case 'x': } })()`, `['x'].includes(p)`, `['x'].indexOf(p)`, `'x' in p`, `if (f()) 1`, `!f()`, `f() ? 1 : 2`, `while (f()) break`, `f() && 1 ? 1 : 2`,
	} {
		out := run(t, "const p = Promise.resolve([{ title: 1 }]), f = async () => false;\n"+use+";\nreturn 1", 0)
		if out.Failure != nil || len(out.Warnings) == 0 || !strings.Contains(out.Warnings[0].Message, "Promise") || !strings.Contains(out.Warnings[0].Message, "await") {
			t.Errorf("%s: %v %v", use, out.Failure, out.Warnings)
		}
	}
}

// What promises are for is not.
func TestPromiseUsedAsPromiseIsNotWarnedOf(t *testing.T) {
	out := run(t, `const p = Promise.resolve(1), list = [p], f = async x => x, cache = new Map([["a", p]]);
if (cache.get("a")) ; if (!list.find(x => x === p)) ; p === undefined; p == null; null !== p; 'then' in p; [p].includes(p); [].includes(p); switch (p) { case undefined: case p: }
const o = { p, ...{ p } }; list.push(p); list.concat(p); [].concat(p); new Map([[p, p]]).get(p); new Set(list).has(p);
p === p; Object.is(p, p); typeof p; p instanceof Promise; !p; p ? 1 : 2; list.includes(p); list.filter(x => x === p); p.then(f).catch(f).finally(f);
await Promise.all(list); await Promise.allSettled(list); await Promise.race(list); await Promise.any(list); await f(p); console.log(p, o);
for await (const x of list) ; return p`, 0)
	if out.Failure != nil || len(out.Warnings) != 0 {
		t.Errorf("%v %v", out.Failure, out.Warnings)
	}
}

func TestDefiningOnAFrozenObject(t *testing.T) {
	src := `const o = Object.freeze({ a: 1 }), say = k => { try { Object.defineProperty(o, k, { value: 2 }) } catch (e) { return e.message } }; return [say('a'), say('x')]`
	want := `["Cannot redefine property: a","Cannot define property x, object is not extensible"]`
	if got := text(run(t, src, 0)); got != want {
		t.Errorf("got %s", got)
	}
}

// Only the parts that are shown are made of an error with very many.
func TestManyAggregateErrors(t *testing.T) {
	f := run(t, `throw new AggregateError(Array(1e5).fill(new Error("x")))`, 0).Failure
	if f == nil || len(f.Related) != 20 || f.RelatedCount != 1e5 {
		t.Errorf("got %v", f)
	}
}

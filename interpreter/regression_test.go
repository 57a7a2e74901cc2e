package interpreter_test

import "testing"

// TestFoundByRandomPrograms holds programs on which the interpreter once differed from node; the values are node's.
func TestFoundByRandomPrograms(t *testing.T) {
	for src, want := range map[string]string{
		// A labelled break whose iterator fails to close left its label behind for the next use of the frame.
		`const it = { [Symbol.iterator]() { return this }, next() { return { value: 1, done: false } }, return() { throw new RangeError("r") } };
		 let n = 0; function f() { for (const c of "ab") { n++; continue } a: { for (const x of it) break a } n += 10 }
		 try { f() } catch { } try { f() } catch { } return n`: "4",
		// A captured parameter of a derived constructor lost its value when super was called from an arrow function.
		`class A { constructor(x) { this.x = x } } class B extends A { constructor(a) { const s = () => super(a); s(); this.y = a } } const b = new B(3); return [b.x, b.y]`: "[3,3]",
	} {
		if got := text(run(t, src, 0)); got != want {
			t.Errorf("%s\ngot %s, want %s", src, got, want)
		}
	}
}

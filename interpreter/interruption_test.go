package interpreter_test

import (
	"testing"
	"time"
)

// Work on long texts, numbers and bytes stops soon after the end of the context. Real time, since it spins.
func TestLongWorkIsInterrupted(t *testing.T) {
	const limit = 100 * time.Millisecond
	for _, src := range []string{
		`const a = 3n ** 600000n; for (;;) a.toString()`,
		"const a = 3n ** 600000n; for (;;) `${a}`",
		`for (;;) 3n ** 600000n`,
		`for (;;) BigInt('1'.repeat(300000))`,
		`const a = 3n ** 600000n; for (;;) a == '1'.repeat(300000)`,
		`const a = '1'.repeat(1e7); for (;;) Number(a)`,
		`const a = '1'.repeat(1e7); for (;;) parseFloat(a)`,
		`const a = '1'.repeat(1e7); for (;;) parseInt(a, 7)`,
		`const a = 'a'.repeat(1e7), b = 'a'.repeat(1e7); for (;;) a === b`,
		`const a = 'a'.repeat(1e7), b = 'a'.repeat(1e7); for (;;) a.localeCompare(b)`,
		`const a = 'a'.repeat(1e7), b = 'a'.repeat(1e7); for (;;) a < b`,
		`const a = 'a'.repeat(1e7); for (;;) atob(a)`,
		`const a = 'a'.repeat(1e7); for (;;) Uint8Array.fromBase64(a)`,
		`const a = 'ß'.repeat(1e7); for (;;) a.lastIndexOf('x')`,
		`const a = 'ß'.repeat(1e6), b = 'ß'.repeat(1e5) + 'x'; for (;;) a.lastIndexOf(b)`,
		`const a = 'ß'.repeat(1e6), b = 'ß'.repeat(1e5) + 'x'; for (;;) a.indexOf(b)`,
		`const a = new Uint8Array(1e7).fill(200); for (;;) new TextDecoder().decode(a)`,
		`const a = new Uint8Array(1e7); for (;;) a.reverse()`,
	} {
		start := time.Now()
		out := run(t, src, limit)
		if took := time.Since(start); out.Ended == nil || took > 10*limit {
			t.Errorf("%s\ngot %s after %v", src, text(out), took)
		}
	}
}

// What long texts mean. Expected values from node, but for the bound of BigInts, which is lower here.
func TestLongTexts(t *testing.T) {
	for src, want := range map[string]string{
		`return [String(Number('1'.repeat(5000))), Number('0'.repeat(5000) + '1.5'), Number('1' + '0'.repeat(5000) + 'e-4990'), Number('0.' + '0'.repeat(5000) + '12e5001')]`:                                                                        `["Infinity",1.5,10000000000,1.2]`,
		`return [String(Number('1'.repeat(5000) + 'x')), Number(' '.repeat(5000) + '7'), Number('9007199254740993' + '.' + '0'.repeat(5000) + '1'), parseFloat('1.5' + '0'.repeat(5000) + 'px')]`:                                                    `["NaN",7,9007199254740994,1.5]`,
		`return ['ßab'.repeat(50).lastIndexOf('ßab'.repeat(10)), 'ßab'.repeat(50000).indexOf('bß' + 'abß'.repeat(10) + 'x'), ('a'.repeat(100000) + 'b' + 'a'.repeat(100000)).lastIndexOf('ba'), 'abab'.lastIndexOf('ab', 1), 'abc'.lastIndexOf('')]`: `[120,-1,100000,0,3]`,
		`return ['ßab'.repeat(50000).indexOf('bß' + 'abß'.repeat(10), 5), 'ßab'.repeat(50000).lastIndexOf('ßab'.repeat(10), 100)]`:                                                                                                                   `[5,99]`,
		`const d = 123456789n ** 3000n; return BigInt(String(d)) === d && BigInt(String(-d)) === -d`:                                                                                                                                                 `true`,
		`try { BigInt('1'.repeat(4e6)) } catch (e) { return e.name + ': ' + e.message }`:                                                                                                                                                             `"RangeError: Maximum BigInt size exceeded"`,
		`return atob('YW\n' + 'JjYWJj'.repeat(20000) + ' Jj').length`:                                                                                                                                                                                `90003`,
	} {
		if got := text(run(t, src, 0)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", src, got, want)
		}
	}
}

package interpreter_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

// libraryLines reads the expressions of a file, or the answers.
func libraryLines(t *testing.T, file string, skip bool) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		if !skip || strings.TrimSpace(l) != "" && !strings.HasPrefix(l, "//") {
			out = append(out, l)
		}
	}
	return out
}

// evaluate runs one expression and gives its encoded value, or "throws Name".
func evaluate(t *testing.T, encode, expr string) string {
	p, d := interpreter.Compile(encode+"\ntry { return encode(await ("+expr+")) } catch (e) { return 'throws ' + (e && e.name) }", compileopt.Options{})
	if d != nil {
		return fmt.Sprintf("does not compile: %s", d.Message)
	}
	out := p.Run(context.Background(), interpreter.RunOptions{Host: noTools{}})
	if out.Failure != nil {
		return "fails: " + out.Failure.Message
	}
	s, _ := out.Value.(data.String)
	text := strings.ReplaceAll(string(s), "\n", "\\n")
	var b strings.Builder
	for len(text) > 0 {
		switch {
		case strings.HasPrefix(text, "\u2028"), strings.HasPrefix(text, "\u2029"):
			fmt.Fprintf(&b, "\\u%x", []rune(text[:3])[0])
			text = text[3:]
		case text[0] == 0xED && len(text) > 2 && text[1] >= 0xA0:
			fmt.Fprintf(&b, "\\u%x", 0xD000|int(text[1]&0x3F)<<6|int(text[2]&0x3F))
			text = text[3:]
		default:
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String()
}

// TestLibrary compares the standard library with what a real engine answered (testdata/library/README.md).
func TestLibrary(t *testing.T) {
	encode, err := os.ReadFile("testdata/library/encode.js")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/library/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatal("no library tests", err)
	}
	for _, golden := range files {
		source := strings.TrimSuffix(golden, ".golden") + ".js"
		t.Run(strings.TrimSuffix(filepath.Base(source), ".js"), func(t *testing.T) {
			exprs, answers := libraryLines(t, source, true), libraryLines(t, golden, false)
			if len(exprs) != len(answers) {
				t.Fatalf("%d expressions but %d answers: generate again", len(exprs), len(answers))
			}
			for i, expr := range exprs {
				if got := evaluate(t, string(encode), expr); got != answers[i] {
					t.Errorf("%s\n got  %s\n want %s", expr, got, answers[i])
				}
			}
		})
	}
}

// TestLibraryRefusals: what the library must refuse in its own words.
func TestLibraryRefusals(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`try { return 'aXb'.replace(/X/g, async () => 'y') } catch (e) { return e.name + ': ' + e.message }`, "await Promise.all"},
		{`try { return 'aXb'.replaceAll('X', async () => 'y') } catch (e) { return e.name + ': ' + e.message }`, "TypeError"},
		{`try { return 'ab'.repeat(2 ** 28) } catch (e) { return e.name + ': ' + e.message }`, "RangeError: Invalid string length"},
		{`const a = []; a.push(a); try { return structuredClone(a)[0].length } catch (e) { return e.message }`, "1"},
		{`let a = []; for (let i = 0; i < 200000; i++) a = [a]; try { return structuredClone(a).length } catch (e) { return e.name }`, "RangeError"},
		{`try { JSON.parse('['.repeat(3000)) } catch (e) { return String(e) }`, "RangeError: the JSON text is nested deeper than 2000 levels"},
		{`try { 'x' in 'y' } catch (e) { return e.message }`, "Cannot use 'in' operator to search for 'x' in y"},
		{`try { const [a] = 5 } catch (e) { return e.message }`, "5 is not iterable\""},
		{`try { for (const x of tools) ; } catch (e) { return e.message }`, "tools is not iterable\""},
		{`const p = Promise.resolve([]); try { for (const x of p) ; } catch (e) { return e.message }`, "\"p is not iterable; it is a Promise: await it first\""},
		{`return (function f() {}).bind().toString()`, "function () { [native code] }"},
		{`try { (1).toLocaleString('en_US') } catch (e) { return String(e) }`, "RangeError: Incorrect locale information provided: 'en_US'"},
		{`return String(new Date(0)) + new Date(NaN)`, "1970-01-01T00:00:00.000ZInvalid Date"},
	} {
		if got := text(run(t, c.src, 0)); !strings.Contains(got, c.want) {
			t.Errorf("%s\n got %s\n want it to contain %s", c.src, got, c.want)
		}
	}
}

// TestSlowPatternFinishes: a match that takes several slices of time is as good as a fast one.
func TestSlowPatternFinishes(t *testing.T) {
	if got := text(run(t, `return [21, 4].map((n) => /^(a+)+$/.test('a'.repeat(n) + 'b'))`, 0)); got != "[false,false]" {
		t.Error(got)
	}
}

// TestRunawayPatternIsInterrupted: the end of the context stops a match that would take ages. Real time, since it spins.
func TestRunawayPatternIsInterrupted(t *testing.T) {
	from := time.Now()
	out := run(t, `for (;;) { try { /^(a+)+$/.test('a'.repeat(40) + 'b') } catch {} }`, 300*time.Millisecond)
	if out.Ended == nil {
		t.Fatal(text(out))
	}
	if took := time.Since(from); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}

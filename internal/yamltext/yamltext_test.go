package yamltext

import (
	"errors"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
)

func TestLinesOfKeys(t *testing.T) {
	lines := map[string]int{}
	v, err := Parse([]byte("# x\na: 1\nb:\n  c: &anchor\n    d: [1, {e: 2}]\n  f: *anchor\n"), func(path []string, line int) { lines[strings.Join(path, "/")] = line })
	if err != nil || data.JSON(v) != `{"a":1,"b":{"c":{"d":[1,{"e":2}]},"f":{"d":[1,{"e":2}]}}}` {
		t.Fatal(err, v)
	}
	for path, want := range map[string]int{"a": 2, "b": 3, "b/c": 4, "b/c/d": 5, "b/c/d/e": 5, "b/f": 6, "b/f/d": 0} {
		if lines[path] != want {
			t.Errorf("%s: line %d, want %d", path, lines[path], want)
		}
	}
}

func TestErrorsHaveLines(t *testing.T) {
	for text, line := range map[string]int{"a: &a\n  - *a\n": 2, "? [a]\n: 1\n": 1, "a: 1\n<<: 3\n": 2, "a:\n\tb: 1\n": 2} {
		_, err := Parse([]byte(text), nil)
		var at *Error
		if !errors.As(err, &at) || at.Line != line || strings.Contains(at.Err.Error(), "line ") || strings.Contains(err.Error(), "yaml:") {
			t.Errorf("%q: %v, want line %d", text, err, line)
		}
	}
}

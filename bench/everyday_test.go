package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// everyday are programs of the kind that models write between calls of tools: they take lists of records apart and put
// them together again. Each is a file and has the records of rows.js.
func everyday(tb testing.TB) (all []program) {
	tb.Helper()
	files, err := filepath.Glob("testdata/*.js")
	if err != nil || len(files) < 2 {
		tb.Fatal(files, err)
	}
	rows := text(tb, "testdata/rows.js")
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".js"); name != "rows" {
			source := text(tb, f)
			all = append(all, program{name: name, async: strings.Contains(source, "await "), source: rows + source})
		}
	}
	return all
}

func text(tb testing.TB, file string) string {
	tb.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

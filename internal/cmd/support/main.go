// Command support writes docs/support.md, the list of the standard library, from the tables that make it.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/interpreter"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: support FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(document()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "support:", err)
		os.Exit(1)
	}
}

const head = `# The standard library

Generated from the tables of builtins by ` + "`go generate ./interpreter`" + `; do not edit. What differs from ECMAScript on purpose is in
[deviations.md](deviations.md).
`

func document() string {
	var b strings.Builder
	b.WriteString(head)
	family := ""
	for _, e := range interpreter.Surface() {
		root, _, _ := strings.Cut(e.Path, ".")
		root, _, _ = strings.Cut(root, "[")
		if root != family {
			family = root
			fmt.Fprintf(&b, "\n## %s\n\n", family)
		}
		fmt.Fprintf(&b, "- `%s%s`%s\n", e.Path, signature(e), note(e))
	}
	b.WriteString("\n## Names that do not exist\n\n")
	absent := interpreter.Absent()
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		fmt.Fprintf(&b, "- `%s`: %s.\n", name, absent[name])
	}
	return b.String()
}

func signature(e interpreter.Builtin) string {
	if e.Kind == "accessor" && e.Signature != "" {
		return ": " + e.Signature
	}
	return e.Signature
}

func note(e interpreter.Builtin) string {
	text := ""
	if e.Kind != "function" && e.Kind != "value" {
		text = " (" + e.Kind + ")"
	}
	if e.Doc != "" {
		text += " — " + e.Doc
	}
	return text
}

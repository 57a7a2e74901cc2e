package main

// This file defines the generated document of results.

import (
	"fmt"
	"os"
	"sort"
	"strings"
)

const documentHead = `# Conformance

The public ECMAScript suite (test262 at %s), run as strict programs: the harness and the test are the body of an async
function. Left out are tests of what this language does not promise (internal/cmd/test262/selection.go lists it).

Measured at commit %s with

    go run ./internal/cmd/test262 -dir TEST262 -baseline internal/cmd/test262/baseline.txt -doc docs/conformance.md

| area | passed | of |
|---|---|---|
`

// writeDocument writes docs/conformance.md: a table by area and the known failures by reason.
func writeDocument(path, suite, commit string, results []verdict, b *baseline) error {
	var w strings.Builder
	fmt.Fprintf(&w, documentHead, suite, commit)
	areas, reasons := map[string]*tally{}, map[string]int{}
	count := func(name string, passed bool) {
		if areas[name] == nil {
			areas[name] = &tally{}
		}
		areas[name].total++
		if passed {
			areas[name].passed++
		}
	}
	for _, v := range results {
		top, rest, _ := strings.Cut(v.test.ID, "/")
		part, _, _ := strings.Cut(rest, "/")
		count(top+"/"+part, v.problem == "")
		count("**"+top+"**", v.problem == "")
		count("**all**", v.problem == "")
		if v.problem != "" {
			reasons[b.reason[v.test.ID]]++
		}
	}
	names := make([]string, 0, len(areas))
	for name := range areas {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&w, "| %s | %d | %d |\n", name, areas[name].passed, areas[name].total)
	}
	w.WriteString("\n## Known failures\n\n| tests | reason |\n|---|---|\n")
	for _, reason := range b.order {
		if n := reasons[reason]; n > 0 {
			fmt.Fprintf(&w, "| %d | %s |\n", n, reason)
		}
	}
	return os.WriteFile(path, []byte(w.String()), 0o644)
}

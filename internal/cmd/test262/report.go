package main

// This file defines the table of results.

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"time"
)

// slow is how long a test may take without being named.
const slow = time.Second

type tally struct{ passed, total int }

func report(results []verdict, failures string) error {
	areas := map[string]*tally{}
	all, language := &tally{}, &tally{}
	var lines []string
	for _, v := range results {
		a := areas[v.test.Area]
		if a == nil {
			a = &tally{}
			areas[v.test.Area] = a
		}
		counts := []*tally{a, all}
		if strings.HasPrefix(v.test.Area, "language/") {
			counts = append(counts, language)
		}
		for _, c := range counts {
			c.total++
			if v.problem == "" {
				c.passed++
			}
		}
		if v.took > slow {
			fmt.Fprintf(os.Stderr, "%s took %v\n", v.test.ID, v.took.Round(time.Millisecond))
		}
		if v.problem != "" {
			lines = append(lines, v.test.ID+"\t"+strings.ReplaceAll(v.problem, "\n", " "))
		}
	}
	names := make([]string, 0, len(areas))
	for name := range areas {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Printf("%-50s %6d / %6d\n", name, areas[name].passed, areas[name].total)
	}
	fmt.Printf("%-50s %6d / %6d\n", "language", language.passed, language.total)
	fmt.Printf("%-50s %6d / %6d\n", "all", all.passed, all.total)
	if failures == "" {
		return nil
	}
	return os.WriteFile(failures, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// Command test262 runs the public ECMAScript suite: the tests of a checkout (-dir) that selection.go chooses. Each becomes
// a program as the suite's INTERPRETING.md says, wrapped as a strict async function body, and runs in a fresh execution.
// With a baseline it exits 1 if any test passes or fails unexpectedly.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// test is one selected test.
type test struct {
	ID       string
	Area     string
	Includes []string
	Async    bool
	Negative *negative
	Source   string
}

type negative struct {
	Phase string // parse, early, resolution or runtime
	Type  string
}

func main() {
	dir := flag.String("dir", "", "checkout of the suite")
	filter := flag.String("run", "", "only tests whose id contains this text")
	known := flag.String("baseline", "", "file of known failures with their reasons")
	failures := flag.String("failures", "", "write failing ids and what came instead to this file")
	doc := flag.String("doc", "", "write the document of results to this file")
	limit := flag.Duration("timeout", 5*time.Second, "time a test may take")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "how many tests run at a time")
	flag.Parse()
	b, err := readBaseline(*known)
	if err != nil {
		fatal(err)
	}
	tests, err := selectTests(*dir, *filter)
	if err != nil {
		fatal(err)
	}
	if len(tests) == 0 {
		fatal(fmt.Errorf("no tests: -dir must be a checkout of github.com/tc39/test262"))
	}
	start := time.Now()
	results := run(newHarness(*dir), tests, *workers, *limit)
	fmt.Printf("%d tests in %v\n", len(tests), time.Since(start).Round(time.Second))
	if err := report(results, *failures); err != nil {
		fatal(err)
	}
	if *doc != "" {
		if err := writeDocument(*doc, revision(*dir), revision("."), results, b); err != nil {
			fatal(err)
		}
	}
	if *known != "" {
		if err := b.check(results); err != nil {
			fmt.Fprintln(os.Stderr, "test262:", err)
			os.Exit(1)
		}
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "test262:", err)
	os.Exit(2)
}

// revision is the short commit of a checkout, or "an unknown revision".
func revision(dir string) string {
	out, err := exec.Command("git", "-C", dir, "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "an unknown revision"
	}
	return strings.TrimSpace(string(out))
}

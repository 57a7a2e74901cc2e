// Command test262 runs the public ECMAScript suite: a checkout (-dir) over a selection of its tests (-selection, one JSON
// object a line). Each test becomes a program as the suite's INTERPRETING.md says, wrapped as a strict async function
// body, and runs in a fresh execution.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// test is one line of a selection.
type test struct {
	ID       string    `json:"id"`
	Area     string    `json:"area"`
	Includes []string  `json:"includes"`
	Async    bool      `json:"async"`
	Negative *negative `json:"negative"`
	Source   string    `json:"src"`
}

type negative struct {
	Phase string `json:"phase"` // parse, early, resolution or runtime
	Type  string `json:"type"`
}

func main() {
	dir := flag.String("dir", "", "checkout of the suite")
	selection := flag.String("selection", "", "file of selected tests, one JSON object a line")
	filter := flag.String("run", "", "only tests whose id contains this text")
	failures := flag.String("failures", "", "write failing ids and what came instead to this file")
	limit := flag.Duration("timeout", 5*time.Second, "time a test may take")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "how many tests run at a time")
	flag.Parse()
	tests, err := load(*selection, *filter)
	if err == nil {
		err = report(run(newHarness(*dir), tests, *workers, *limit), *failures)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "test262:", err)
		os.Exit(2)
	}
}

func load(path, filter string) ([]test, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []test
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 1<<20), 16<<20)
	for lines.Scan() {
		var t test
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, err
		}
		if strings.Contains(t.ID, filter) {
			out = append(out, t)
		}
	}
	return out, lines.Err()
}

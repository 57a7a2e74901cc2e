package bench

import (
	"fmt"
	"math"
	"os"
	"testing"
	"text/tabwriter"
	"time"
)

// TestRatios runs the programs in both engines, in turns, and compares results.
func TestRatios(t *testing.T) { compareAll(t, programs) }

// TestRatiosOfEveryday does the same with everyday programs.
func TestRatiosOfEveryday(t *testing.T) { compareAll(t, everyday(t)) }

func compareAll(t *testing.T, programs []program) {
	t.Helper()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\town\tgoja\tratio\ttarget")
	logs := 0.0
	for _, p := range programs {
		mine, theirs := compare(t, p)
		ratio := float64(mine) / float64(theirs)
		logs += math.Log(ratio)
		fmt.Fprintf(w, "%s\t%s\t%s\t%.3f\t%s\n", p.name, micros(mine), micros(theirs), ratio, verdict(ratio, p.target))
	}
	if testing.Verbose() {
		fmt.Fprintf(w, "geometric mean\t\t\t%.3f\t\n", math.Exp(logs/float64(len(programs))))
		w.Flush()
	}
}

func verdict(ratio, target float64) string {
	switch {
	case target == 0:
		return ""
	case ratio <= target:
		return fmt.Sprintf("%.2f", target)
	}
	return fmt.Sprintf("%.2f missed", target)
}

// compare gives the medians of interleaved rounds.
func compare(t *testing.T, p program) (mine, theirs time.Duration) {
	t.Helper()
	a, b := compiled(t, p.source), gojaProgram(p)
	var ours, others []time.Duration
	for range rounds(p) {
		x, took := own(t, a)
		ours = append(ours, took)
		y, took := other(t, b)
		others = append(others, took)
		if x != y {
			t.Fatalf("%s: got %s, goja %s", p.name, x, y)
		}
	}
	return median(ours), median(others)
}

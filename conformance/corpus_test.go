package conformance

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/codemode-go/codemode/conformance/toolsets"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"go.uber.org/goleak"
)

var only = flag.String("only", "", "run only lines whose id contains this")

func TestMain(m *testing.M) {
	flag.Parse()
	// regexp2 keeps one clock for all timeouts of matches.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// verdict is what became of a line.
type verdict struct {
	Line
	complaint string
	broken    bool
}

// TestCorpus runs testdata against the baseline or, if CODEMODE_CORPUS lists folders, those without one.
func TestCorpus(t *testing.T) {
	if folders := os.Getenv("CODEMODE_CORPUS"); folders != "" {
		runFolders(t, filepath.SplitList(folders))
		return
	}
	verdicts := runAll(load(t, "testdata"))
	if testing.Verbose() {
		printTable(verdicts)
	}
	baseline, err := List("testdata/baseline.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		reason, known := baseline[v.ID]
		delete(baseline, v.ID)
		switch {
		case known && reason == "":
			t.Errorf("%s: baseline.txt gives no reason", v.ID)
		case known && v.complaint == "":
			t.Errorf("%s: passes, but is in baseline.txt", v.ID)
		case !known && v.complaint != "", v.broken:
			t.Errorf("%s: %s\n%s", v.ID, v.complaint, v.Program)
		}
	}
	for id := range baseline {
		if *only == "" {
			t.Errorf("%s: in baseline.txt, but not in the corpus", id)
		}
	}
}

// runFolders reports on folders; only a misbehaving runtime is a failure of the test.
func runFolders(t *testing.T, folders []string) {
	var lines []Line
	for _, dir := range folders {
		lines = append(lines, load(t, dir)...)
	}
	verdicts := runAll(lines)
	if testing.Verbose() {
		for _, v := range verdicts {
			if v.complaint != "" {
				fmt.Printf("%s (%s): %s\n", v.ID, v.Tier, strings.ReplaceAll(v.complaint, "\n", "\\n"))
			}
		}
		printTable(verdicts)
	}
	for _, v := range verdicts {
		if v.broken {
			t.Errorf("%s: %s", v.ID, v.complaint)
		}
	}
}

func load(t *testing.T, dir string) []Line {
	t.Helper()
	lines, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(lines, func(l Line) bool { return !strings.Contains(l.ID, *only) })
}

// runAll runs the lines that tell delays of a real clock apart one after another, then the others a few at a time.
func runAll(lines []Line) []verdict {
	verdicts := make([]verdict, len(lines))
	run := func(i int) {
		complaint, broken := lines[i].Run()
		verdicts[i] = verdict{lines[i], complaint, broken}
	}
	timed := func(l Line) bool { return strings.Contains(l.Program, "clock") && l.Limits.TimeoutMs == nil }
	for i, l := range lines {
		if timed(l) {
			run(i)
		}
	}
	var wg sync.WaitGroup
	permits := make(chan struct{}, 4)
	for i, l := range lines {
		if !timed(l) {
			permits <- struct{}{}
			wg.Go(func() { run(i); <-permits })
		}
	}
	wg.Wait()
	return verdicts
}

type count struct{ passed, all int }

func (c *count) add(v verdict) {
	c.all++
	if v.complaint == "" {
		c.passed++
	}
}

func (c count) String() string { return fmt.Sprintf("%d/%d", c.passed, c.all) }

func printTable(verdicts []verdict) {
	families := map[string]map[string]*count{}
	var core, beyond, diagnosed count
	var names []string
	for _, v := range verdicts {
		if families[v.Family] == nil {
			families[v.Family] = map[string]*count{"core": {}, "beyond": {}}
			names = append(names, v.Family)
		}
		families[v.Family][v.Tier].add(v)
		switch {
		case v.Family == "diagnostics":
			diagnosed.add(v)
		case v.Tier == "core":
			core.add(v)
		default:
			beyond.add(v)
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "family\tcore\tbeyond")
	for _, name := range names {
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, families[name]["core"], families[name]["beyond"])
	}
	w.Flush()
	fmt.Printf("corpus: core %s beyond %s diagnostics %s\n", core, beyond, diagnosed)
}

func TestToolSetsResolve(t *testing.T) {
	for _, name := range toolsets.Names() {
		tree, err := toolsets.Tree(name)
		if err == nil {
			_, err = tool.Resolve(tree)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDefectShowsTheStack(t *testing.T) {
	err := scope.Protect(func() error { panic("here") })
	if text := defect(errors.Join(err)); !strings.Contains(text, "here") || !strings.Contains(text, "TestDefectShowsTheStack") {
		t.Error(text)
	}
}

package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"testing"
	"text/tabwriter"
	"time"
)

// nodeScript takes programs in its first line, and in each further one the number of a program to run once. It answers each with
// the nanoseconds.
const nodeScript = `
const AsyncFunction = (async () => {}).constructor;
(async () => {
  let functions;
  for await (const line of require("readline").createInterface({input: process.stdin})) {
    if (!functions) {
      functions = JSON.parse(line).map(p =>
        p.async ? new AsyncFunction('"use strict";' + p.source) : new Function('"use strict";' + p.source));
      continue;
    }
    const f = functions[Number(line)], start = process.hrtime.bigint();
    await f();
    console.log(String(process.hrtime.bigint() - start));
  }
})();`

// nodeProcess is a running node.
type nodeProcess struct {
	in  io.Writer
	out *bufio.Scanner
}

func startNode(t *testing.T, path string, programs []program, flags ...string) *nodeProcess {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path, append(flags, "-e", nodeScript)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	var all []map[string]any
	for _, p := range programs {
		all = append(all, map[string]any{"source": p.source, "async": p.async})
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	n := &nodeProcess{in: in, out: bufio.NewScanner(out)}
	fmt.Fprintf(in, "%s\n", text)
	return n
}

func (n *nodeProcess) run(t *testing.T, program int) time.Duration {
	t.Helper()
	fmt.Fprintln(n.in, program)
	if !n.out.Scan() {
		t.Fatal("node ended", n.out.Err())
	}
	var took time.Duration
	if _, err := fmt.Sscan(n.out.Text(), &took); err != nil {
		t.Fatal(err)
	}
	return took
}

// TestRatiosToNode prints how the engine compares with node's interpreter, in turns, where there is a node. It asserts nothing.
func TestRatiosToNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || !testing.Verbose() {
		t.Log("measures nothing without node and -v")
		return
	}
	compareToNode(t, node, programs)
	compareToNode(t, node, everyday(t))
}

func compareToNode(t *testing.T, node string, programs []program) {
	t.Helper()
	jitless, jit := startNode(t, node, programs, "--jitless"), startNode(t, node, programs)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\town\tnode --jitless\tratio\tnode")
	logs := 0.0
	for i, p := range programs {
		c := compiled(t, p.source)
		var ours, interpreted, optimised []time.Duration
		for range rounds(p) {
			_, took := own(t, c)
			ours = append(ours, took)
			interpreted = append(interpreted, jitless.run(t, i))
			optimised = append(optimised, jit.run(t, i))
		}
		mine, theirs := median(ours), median(interpreted)
		ratio := float64(mine) / float64(theirs)
		logs += math.Log(ratio)
		fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%s\n", p.name, micros(mine), micros(theirs), ratio, micros(median(optimised)))
	}
	fmt.Fprintf(w, "geometric mean\t\t\t%.2f\t\n", math.Exp(logs/float64(len(programs))))
	w.Flush()
}

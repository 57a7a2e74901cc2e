package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"testing"
	"text/tabwriter"
	"time"
)

const nodeScript = `
const programs = JSON.parse(require("fs").readFileSync(0, "utf8"));
const AsyncFunction = (async () => {}).constructor;
(async () => {
  const out = [];
  for (const p of programs) {
    const f = p.async ? new AsyncFunction('"use strict";' + p.source) : new Function('"use strict";' + p.source);
    const times = [];
    for (let i = 0; i < p.rounds; i++) { const t = process.hrtime.bigint(); await f(); times.push(Number(process.hrtime.bigint() - t)) }
    times.sort((a, b) => a - b);
    out.push(times[times.length >> 1]);
  }
  console.log(JSON.stringify(out));
})();`

// TestRatiosToNode prints how the engine compares with node's interpreter, where there is a node. It asserts nothing.
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
	jitless, jit := nodeTimes(t, node, programs, "--jitless"), nodeTimes(t, node, programs)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\town\tnode --jitless\tratio\tnode")
	logs := 0.0
	for i, p := range programs {
		c := compiled(t, p.source)
		var all []time.Duration
		for range rounds(p) {
			_, took := own(t, c)
			all = append(all, took)
		}
		mine := median(all)
		ratio := float64(mine) / float64(jitless[i])
		logs += math.Log(ratio)
		fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%s\n", p.name, micros(mine), micros(jitless[i]), ratio, micros(jit[i]))
	}
	fmt.Fprintf(w, "geometric mean\t\t\t%.2f\t\n", math.Exp(logs/float64(len(programs))))
	w.Flush()
}

func nodeTimes(t *testing.T, node string, programs []program, flags ...string) []time.Duration {
	t.Helper()
	var in []map[string]any
	for _, p := range programs {
		in = append(in, map[string]any{"source": p.source, "async": p.async, "rounds": rounds(p)})
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, append(flags, "-e", nodeScript)...)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var times []time.Duration
	if err := json.Unmarshal(out, &times); err != nil {
		t.Fatal(err)
	}
	return times
}

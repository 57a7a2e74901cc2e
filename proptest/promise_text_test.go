package proptest

// This file defines that promise programs as text behave as the model, and as V8 on a golden set:
//
//	go test ./proptest -run TestPromiseProgramsAreAsInV8 -update
//
// draws the set anew and asks node for the answers.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "draw the golden programs anew and ask node for their logs")

// runText runs a program and tells its log and the number of unhandled rejections.
func runText(t rapid.TB, rt *codemode.Runtime, source string) (log string, unhandled int) {
	r, err := rt.Execute(context.Background(), source)
	if err != nil {
		t.Fatal(err)
	}
	var told []codemode.Diagnostic
	if r.Error != nil {
		told = append(told, *r.Error)
	}
	log = stalled
	if s, ok := r.Value.(data.String); ok {
		log = string(s)
	}
	for _, d := range append(told, r.Warnings...) {
		switch {
		case strings.HasPrefix(d.Message, "unhandled rejection: "):
			unhandled++
			if d.Location.Line == 0 {
				t.Fatalf("a rejection without a place: %v", d)
			}
		case log != stalled || !strings.Contains(d.Message, "nothing can settle"):
			t.Fatal(d)
		}
	}
	return log, unhandled
}

func newRuntime(t rapid.TB, o codemode.Options) *codemode.Runtime {
	rt, err := codemode.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

func TestPromiseProgramsLogTheModelsOrder(t *testing.T) {
	rt := newRuntime(t, codemode.Options{})
	rapid.Check(t, func(t *rapid.T) {
		p := (&writer{t: t}).program()
		t.Logf("%s", p.text())
		want, wantUnhandled := p.run(&model{})
		if got, unhandled := runText(t, rt, p.source()); got != want || unhandled != wantUnhandled {
			t.Fatalf("got %d unhandled and\n%s\nwant %d and\n%s", unhandled, got, wantUnhandled, want)
		}
	})
}

// golden is one program and what V8 makes of it.
type golden struct {
	Source    string `json:"source"` // without the prelude and the epilogue
	Log       string `json:"log"`
	Unhandled int    `json:"unhandled"`
}

const (
	goldenFile = "testdata/promises.jsonl"
	goldenSize = 600
)

func TestPromiseProgramsAreAsInV8(t *testing.T) {
	if *update {
		writeGolden(t)
	}
	file, err := os.Open(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rt, n := newRuntime(t, codemode.Options{}), 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for ; lines.Scan(); n++ {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		if log, unhandled := runText(t, rt, prelude+g.Source+epilogue); log != g.Log || unhandled != g.Unhandled {
			t.Errorf("%s\ngot %d unhandled and\n%s\nwant %d and\n%s", g.Source, unhandled, log, g.Unhandled, g.Log)
		}
	}
	if n < 500 || lines.Err() != nil {
		t.Errorf("%d programs, %v", n, lines.Err())
	}
}

// driver answers programs, a JSON array on standard input, with their logs.
const driver = `
const AsyncFunction = (async () => {}).constructor;
let unhandled = 0;
process.on("unhandledRejection", () => { unhandled++ });
const turn = (v) => new Promise((r) => setTimeout(r, 5, v));
(async () => {
  const out = [];
  for (const source of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
    unhandled = 0;
    const log = await Promise.race([new AsyncFunction('"use strict";' + source)(), turn("stalled")]);
    await turn();
    out.push({ log, unhandled });
  }
  require("fs").writeFileSync(1, JSON.stringify(out));
  process.exit(0);
})();
`

func writeGolden(t *testing.T) {
	var programs []golden
	var sources []string
	drawn := rapid.Custom(func(t *rapid.T) *node { return (&writer{t: t}).program() })
	seen := map[string]bool{}
	for seed := 1; len(programs) < goldenSize; seed++ {
		p := drawn.Example(seed)
		text := p.text()
		if seen[text] || len(text) < 60 || len(text) > 1500 {
			continue
		}
		seen[text] = true
		programs, sources = append(programs, golden{Source: text}), append(sources, p.source())
	}
	input, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "-e", driver)
	node.Stdin, node.Stderr = bytes.NewReader(input), os.Stderr
	answer, err := node.Output()
	if err != nil {
		t.Fatal("node is needed: ", err)
	}
	if err := json.Unmarshal(answer, &programs); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, g := range programs {
		if err := enc.Encode(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(goldenFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

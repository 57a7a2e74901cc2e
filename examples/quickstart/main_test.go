package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The README shows this program, from its imports on.
func TestReadmeShowsIt(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(program), "package main\n")
	if !strings.Contains(string(readme), "```go\npackage main\n"+body+"```") {
		t.Error("the README's example is not examples/quickstart/main.go")
	}
}

func TestOutput(t *testing.T) {
	out, err := exec.Command("go", "run", ".").Output()
	if want := "{\"warmest\":5} <nil> 2 <nil>\n"; err != nil || string(out) != want {
		t.Errorf("got %q %v, want %q", out, err, want)
	}
}

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/e2e/npm"
)

// install installs what package.json asks for, unless it is there.
var install = sync.OnceValue(func() error { return npm.Install(".") })

// check runs the TypeScript compiler over a text and returns what it complains
// about, a complaint a line, without the name of the file.
func check(t *testing.T, text string) []string {
	t.Helper()
	if err := install(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "check.ts")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// The types of other packages installed here are not ours.
	tsc := exec.Command("node", "node_modules/typescript/bin/tsc", "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom",
		"--typeRoots", t.TempDir(), "--moduleDetection", "force", "--pretty", "false", file)
	out, err := tsc.Output()
	if err == nil {
		return nil
	}
	var complaints []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if _, complaint, ok := strings.Cut(line, "check.ts"); ok {
			line = complaint
		}
		complaints = append(complaints, line)
	}
	if len(complaints) == 0 {
		t.Fatalf("tsc: %v", err)
	}
	return complaints
}

// accept fails the test for each complaint, with the line it is about.
func accept(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	complaints := check(t, text)
	for i, complaint := range complaints {
		if i == 20 {
			t.Errorf("and %d more", len(complaints)-i)
			break
		}
		var n int
		line := ""
		if json.Unmarshal([]byte(strings.TrimPrefix(strings.SplitN(complaint, ",", 2)[0], "(")), &n) == nil && n > 0 && n <= len(lines) {
			line = lines[n-1]
		}
		t.Errorf("%s\n\t%.600s", complaint, line)
	}
}

// Command mutate deletes single lines of the mechanism, one at a time in a copy of the tree, and runs the property that
// should notice. It prints the table of docs/effects.md and exits 1 if a deletion goes unnoticed.
//
//	go run ./internal/cmd/mutate
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "only deletions whose line or file contains this")
	flag.Parse()
	if err := run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(only string) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		return err
	}
	unnoticed := 0
	fmt.Println("| file | line deleted | property that fails |\n|---|---|---|")
	for _, d := range deletions {
		if !strings.Contains(d.file+" "+d.line, only) {
			continue
		}
		failed, err := d.try(dir)
		switch {
		case err != nil:
			unnoticed++
			fmt.Fprintf(os.Stderr, "%s, %s: %v\n", d.file, d.line, err)
			continue
		case failed == "":
			unnoticed++
			failed = "**none**"
		}
		fmt.Printf("| %s | `%s` | %s |\n", d.file, strings.ReplaceAll(d.line, "|", "\\|"), failed)
	}
	if unnoticed > 0 {
		return fmt.Errorf("%d deletions went unnoticed", unnoticed)
	}
	return nil
}

// deletion is a line to delete: the first that is this text in the function fn of the file.
type deletion struct {
	file, fn, line string
	property       string // the test that notices, as a pattern for go test -run
}

// try deletes the line, runs the property and puts the line back. failed names what failed, "" if nothing did.
func (d deletion) try(dir string) (failed string, err error) {
	path := filepath.Join(dir, filepath.FromSlash(d.file))
	whole, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	defer func() {
		if restored := os.WriteFile(path, whole, 0o644); err == nil {
			err = restored
		}
	}()
	mutated, err := d.without(string(whole))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(path, []byte(mutated), 0o644); err != nil {
		return "", err
	}
	return d.test(dir)
}

func (d deletion) without(text string) (string, error) {
	lines, inside := strings.Split(text, "\n"), false
	for i, line := range lines {
		if strings.HasPrefix(line, "func ") {
			inside = strings.Contains(line, d.fn+"(") || strings.Contains(line, d.fn+"[")
		}
		if inside && strings.TrimSpace(line) == d.line {
			return strings.Join(append(lines[:i:i], lines[i+1:]...), "\n"), nil
		}
	}
	return "", fmt.Errorf("there is no such line in %s", d.fn)
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

func (d deletion) test(dir string) (failed string, err error) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", filepath.Join(dir, "property.test"), "./proptest")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not compile: %s", out)
	}
	test := exec.CommandContext(ctx, filepath.Join(dir, "property.test"), "-test.run", d.property, "-test.timeout", "60s", "-test.failfast",
		"-rapid.checks", "300", "-rapid.nofailfile", "-rapid.shrinktime", "1ms")
	test.Dir = filepath.Join(dir, "proptest")
	out, err := test.CombinedOutput()
	if err == nil {
		return "", nil
	}
	if names := failure.FindAllStringSubmatch(string(out), -1); len(names) > 0 {
		return names[len(names)-1][1], nil
	}
	how := " (it never ends)"
	if !strings.Contains(string(out), "test timed out") {
		how = " (the process dies)"
	}
	return strings.Trim(d.property, "^$") + how, nil
}

// Package conformance runs programs whose right answers come from a real engine and compares the outcomes.
//
// testdata has one JSON-lines file per family, one program a line; deviations.txt lists those whose answer contradicts a
// decision of this project (docs/deviations.md), baseline.txt those that fail and why.
package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// Line is one program and what is expected of it.
type Line struct {
	ID      string
	Family  string // the name of the file
	Tier    string // core or beyond
	Program string
	Tools   string // the name of the tool set, "" for none
	Logs    *[]string
	Limits  struct {
		TimeoutMs    *int
		MaxToolCalls *int
	}
	Expect Expectation
}

// Expectation has exactly one of its fields.
type Expectation struct {
	Value      json.RawMessage
	Throws     *Throws
	Diagnostic *Diagnosis
}

// Throws expects an uncaught error.
type Throws struct{ Name, MessageContains string }

// Diagnosis expects a diagnostic of a kind, or of one of Accept. The line counts for the preferred kind only.
type Diagnosis struct {
	Kind                                string
	Accept                              []string
	Line                                int
	MessageContains, MessageNotContains string
}

// Load reads the families of a folder, without the lines that its deviations.txt lists.
func Load(dir string) ([]Line, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no *.jsonl in %s (%v)", dir, err)
	}
	deviations, err := List(filepath.Join(dir, "deviations.txt"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var lines []Line
	for _, file := range files {
		family, err := loadFamily(file)
		if err != nil {
			return nil, err
		}
		for _, l := range family {
			if _, deviates := deviations[l.ID]; !deviates {
				lines = append(lines, l)
			}
		}
	}
	return lines, nil
}

func loadFamily(file string) ([]Line, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	family := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	var lines []Line
	for row := range bytes.Lines(text) {
		if len(bytes.TrimSpace(row)) == 0 {
			continue
		}
		l := Line{Family: family}
		if err := json.Unmarshal(row, &l); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// List reads a file of ids, each with the rest of its line as the reason. Lines that begin with # are comments.
func List(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		id, reason, _ := strings.Cut(strings.TrimSpace(s.Text()), " ")
		if id != "" && !strings.HasPrefix(id, "#") {
			ids[id] = strings.TrimSpace(reason)
		}
	}
	return ids, nil
}

// same is deep equality of JSON: numbers as float64, members in any order.
func same(a, b data.Value) bool {
	switch x := a.(type) {
	case data.Number:
		y, ok := b.(data.Number)
		return ok && x.Float64() == y.Float64()
	case data.Array:
		y, ok := b.(data.Array)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for i, v := range x.All() {
			if !same(v, y.At(i)) {
				return false
			}
		}
		return true
	case *data.Object:
		y, ok := b.(*data.Object)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for k, v := range x.All() {
			if w, has := y.Get(k); !has || !same(v, w) {
				return false
			}
		}
		return true
	}
	return data.Equal(a, b)
}

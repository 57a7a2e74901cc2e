package main

import (
	"os"
	"path/filepath"
	"testing"
)

const source = `package demo

import "time"

// Issue is a report.
type Issue struct {
	// Number is unique
	// in its repository.
	Number int
	Title, Body string // said by its author
	Plain  bool
	hidden int // not shown
	time.Time // embedded
}

type (
	// Page is a part of a list.
	Page[T, U any] struct {
		Items []T // "quoted"
	}
	Bare  struct{ A int }
	Alias = Issue
	// internal has nothing to show.
	internal struct{ a int }
	Name  string
)
`

const want = `// Code generated from the comments of this package. DO NOT EDIT.

package demo

// SchemaComments describes Issue and its fields in schemas.
func (Issue) SchemaComments() map[string]string {
	return map[string]string{
		"Issue":        "Issue is a report.",
		"Issue.Number": "Number is unique\nin its repository.",
		"Issue.Title":  "said by its author",
		"Issue.Body":   "said by its author",
	}
}
`

const page = `
// SchemaComments describes Page and its fields in schemas.
func (Page[_, _]) SchemaComments() map[string]string {
	return map[string]string{
		"Page":       "Page is a part of a list.",
		"Page.Items": "\"quoted\"",
	}
}
`

func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"demo.go": source, "demo_test.go": "not Go", output: "not Go either"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		only []string
		want string
	}{{nil, want + page}, {[]string{"Issue"}, want}} {
		got, err := generate(dir, c.only)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want {
			t.Errorf("got\n%s", got)
		}
	}
	if _, err := generate(t.TempDir(), nil); err == nil {
		t.Error("an empty folder is no error")
	}
}

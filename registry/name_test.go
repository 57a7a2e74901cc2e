package registry_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/tool"
	"pgregory.net/rapid"
)

var legal = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Distinct tools whose names become one are all reached, none under a name that could mean another.
func TestNamesThatClash(t *testing.T) {
	r := newRegistry(t, registry.Options{ExecuteName: "run_it"})
	long := strings.Repeat("n", 80)
	tree := tool.Tree{"fs": tool.Tree{}}
	for _, path := range []string{"fs.read-file", "fs.read_file", "fs.read.file", "fs.Read_File", "fs.read file", "run.it", long, "日本"} {
		tree[path] = answering(path)
	}
	g := register(t, r, tree, registry.Direct)
	register(t, r, tool.Tree{"x": answering("x")}, registry.Deferred)
	s := step(t, r, registry.Step{})
	got := map[string]string{}
	for _, tl := range s.Tools() {
		if !legal.MatchString(tl.Name) {
			t.Errorf("the name %q", tl.Name)
		}
		if tl.Path != nil {
			path := strings.Join(tl.Path, ".")
			got[path] = tl.Name
			if o := called(t, s, tl.Name, nil); o.Text != path {
				t.Errorf("%s reaches %s, want %s", tl.Name, o.Text, path)
			}
		}
	}
	for path, name := range map[string]string{"fs.read-file": "fs_read-file", "fs.Read_File": "fs_Read_File", "日本": "__"} {
		if got[path] != name {
			t.Errorf("%s is %s, want %s", path, got[path], name)
		}
	}
	if _, ok := s.Tool("fs_read_file"); ok {
		t.Error("fs_read_file is one of three")
	}
	var clashes []string
	for _, c := range s.Clashes() {
		clashes = append(clashes, c.Name)
		for expression, name := range c.Tools {
			tl, ok := s.Tool(name)
			if !ok || tool.PathString(tl.Path) != expression {
				t.Errorf("%s is said to be %s", expression, name)
			}
		}
	}
	if !slices.Equal(clashes, []string{"fs_read_file", long, "run_it"}) {
		t.Error(clashes)
	}
	// A tool may have the very name that another got for a clash.
	clashing := got["fs.read_file"]
	other := register(t, r, tool.Tree{clashing: answering("other")}, registry.Direct)
	s = step(t, r, registry.Step{})
	if o := called(t, s, clashing, nil); o.Text != "other" {
		t.Errorf("%s reaches %s", clashing, o.Text)
	}
	other.Dispose()
	// When the others are gone, a name that was given before means nothing else.
	if err := g.Replace(tool.Tree{"fs.read.file": answering("fs.read.file")}); err != nil {
		t.Fatal(err)
	}
	s = step(t, r, registry.Step{})
	if _, ok := s.Tool(got["fs.read_file"]); ok || len(s.Clashes()) != 0 || !slices.Equal(names(s), []string{"fs_read_file", "run_it"}) {
		t.Errorf("%v", names(s))
	}
}

func TestNamesAreUnique(t *testing.T) {
	segment := rapid.StringMatching(`[ab_é-]{1,3}`)
	rapid.Check(t, func(rt *rapid.T) {
		r := newRegistry(t, registry.Options{})
		tree := tool.Tree{}
		for _, path := range rapid.SliceOfN(rapid.SliceOfN(segment, 1, 3), 1, 20).Draw(rt, "paths") {
			key := strings.Join(path, ".")
			tree[key] = answering(key)
		}
		register(t, r, tree, registry.Direct)
		s := step(t, r, registry.Step{})
		seen := map[string]bool{}
		for _, tl := range s.Tools() {
			if seen[tl.Name] || !legal.MatchString(tl.Name) {
				rt.Fatalf("the name %s", tl.Name)
			}
			seen[tl.Name] = true
			if o := called(t, s, tl.Name, nil); o.Text != strings.Join(tl.Path, ".") {
				rt.Fatalf("%s reaches %s", tl.Name, o.Text)
			}
		}
		if len(seen) != len(tree) || !slices.IsSorted(names(s)) {
			rt.Fatalf("%v for %d tools", names(s), len(tree))
		}
	})
}

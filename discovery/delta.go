package discovery

// This file defines what changes from one catalog to the next.

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/tool"
)

// Delta is how a catalog differs from the one before. The entries are sorted by path.
type Delta struct {
	Added   []tool.Entry
	Removed []tool.Entry // as they were
	Changed []tool.Entry // as they are: with another signature, description or declaration
	// Namespaces are the first segments of paths whose description changed, of those that are in both.
	Namespaces []string
}

// Compare tells how after differs from before. Tools that are the same *tool.Tool at the same path are not looked at.
func Compare(before, after *tool.Catalog) Delta {
	var d Delta
	old, now := before.All(), after.All()
	for len(old) > 0 || len(now) > 0 {
		switch order := comparePaths(old, now); {
		case order < 0:
			d.Removed, old = append(d.Removed, old[0]), old[1:]
		case order > 0:
			d.Added, now = append(d.Added, now[0]), now[1:]
		default:
			if changed(old[0], now[0]) {
				d.Changed = append(d.Changed, now[0])
			}
			old, now = old[1:], now[1:]
		}
	}
	d.Namespaces = redescribed(before, after)
	return d
}

// comparePaths says whose first path comes first; that of an empty list comes last.
func comparePaths(a, b []tool.Entry) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return slices.Compare(a[0].Path, b[0].Path)
}

func changed(a, b tool.Entry) bool {
	return a.Tool != b.Tool && (a.Tool.Description() != b.Tool.Description() || a.Tool.Annotations() != b.Tool.Annotations() ||
		a.Signature() != b.Signature() || a.Declaration() != b.Declaration())
}

func redescribed(before, after *tool.Catalog) []string {
	var list []string
	names, _ := after.Keys(nil)
	for _, name := range names {
		path := []string{name}
		_, was := before.Lookup(path)
		_, is := after.Lookup(path)
		if was && is && before.About(path) != after.About(path) {
			list = append(list, name)
		}
	}
	return list
}

// Empty reports that nothing a model is shown has changed.
func (d Delta) Empty() bool {
	return len(d.Added)+len(d.Removed)+len(d.Changed)+len(d.Namespaces) == 0
}

// String is the delta as a model can read it: what was added, changed and removed, a line each.
func (d Delta) String() string {
	var b strings.Builder
	part := func(title string, list []tool.Entry, line func(tool.Entry) string) {
		if len(list) > 0 {
			b.WriteString(title + ":\n")
		}
		for _, e := range list {
			b.WriteString(line(e))
		}
	}
	whole := func(e tool.Entry) string { return lineOf(e).String() }
	part("Added", d.Added, whole)
	part("Changed", d.Changed, whole)
	part("Removed", d.Removed, func(e tool.Entry) string { return "  - " + e.Expression + "\n" })
	return b.String()
}

package registry

// This file defines what changes from one step to the next.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/tool"
)

// Delta is how the tools of a snapshot differ from those of an earlier one.
type Delta struct {
	// Programs is what changed for programs.
	Programs discovery.Delta
	// Direct is what changed in the direct tools, by their names, sorted.
	Direct DirectDelta

	execute string // the name of the tool that runs programs
}

// DirectDelta are names of direct tools.
type DirectDelta struct {
	Added, Removed []string
	Changed        []string // with another description, annotation or schema
}

// Since tells how s differs from an earlier snapshot of the same registry; nil is one without tools.
func (s *Snapshot) Since(earlier *Snapshot) Delta {
	before := &surface{}
	if earlier != nil {
		before = earlier.surface
	}
	d := Delta{execute: s.registry.execute}
	if before == s.surface {
		return d
	}
	d.Programs = discovery.Compare(before.catalog(), s.surface.catalog())
	d.Direct = compareDirect(before.direct, s.surface.direct)
	return d
}

// compareDirect goes through two lists sorted by name.
func compareDirect(old, now []named) DirectDelta {
	var d DirectDelta
	for len(old) > 0 || len(now) > 0 {
		switch {
		case len(now) == 0 || len(old) > 0 && old[0].name < now[0].name:
			d.Removed, old = append(d.Removed, old[0].name), old[1:]
		case len(old) == 0 || now[0].name < old[0].name:
			d.Added, now = append(d.Added, now[0].name), now[1:]
		default:
			if differ(old[0].entry.Tool, now[0].entry.Tool) {
				d.Changed = append(d.Changed, now[0].name)
			}
			old, now = old[1:], now[1:]
		}
	}
	return d
}

func differ(a, b *tool.Tool) bool {
	return a != b && (a.Description() != b.Description() || a.Annotations() != b.Annotations() ||
		!data.Equal(a.Input().Document(), b.Input().Document()) || !data.Equal(a.Output().Document(), b.Output().Document()))
}

// Empty reports that nothing a model is shown has changed.
func (d Delta) Empty() bool {
	return d.Programs.Empty() && len(d.Direct.Added)+len(d.Direct.Removed)+len(d.Direct.Changed) == 0
}

// maxDeltaLines bounds how many tools each part of a delta's text names.
const maxDeltaLines = 40

// String tells a model what has changed, or is empty if nothing has. Long lists are cut, and search is named.
func (d Delta) String() string {
	if d.Empty() {
		return ""
	}
	var b strings.Builder
	b.WriteString("The tools have changed.\n")
	for _, part := range []struct {
		title string
		names []string
	}{{"New tools of yours", d.Direct.Added}, {"Changed tools of yours", d.Direct.Changed}, {"Tools of yours that are gone", d.Direct.Removed}} {
		if len(part.names) > 0 {
			b.WriteString(part.title + ": " + strings.Join(atMost(part.names), ", ") + more(len(part.names)) + "\n")
		}
	}
	if d.Programs.Empty() {
		return b.String()
	}
	b.WriteString("For programs of " + d.execute + ":\n")
	cut := d.Programs
	left := len(cut.Added) + len(cut.Changed) + len(cut.Removed)
	cut.Added, cut.Changed, cut.Removed = atMost(cut.Added), atMost(cut.Changed), atMost(cut.Removed)
	b.WriteString(cut.String())
	if len(cut.Namespaces) > 0 {
		b.WriteString("Namespaces described anew: " + strings.Join(atMost(cut.Namespaces), ", ") + more(len(cut.Namespaces)) + "\n")
	}
	if left -= len(cut.Added) + len(cut.Changed) + len(cut.Removed); left > 0 {
		b.WriteString("… and " + strconv.Itoa(left) + " more; find what there is with tools.$codemode.search\n")
	}
	return b.String()
}

func atMost[T any](list []T) []T { return slices.Clip(list[:min(len(list), maxDeltaLines)]) }

func more(n int) string {
	if n > maxDeltaLines {
		return " … and " + strconv.Itoa(n-maxDeltaLines) + " more"
	}
	return ""
}

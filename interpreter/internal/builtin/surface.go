package builtin

// This file defines the description of the library that documents are generated from.

import (
	"maps"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// Entry describes one builtin.
type Entry struct{ Path, Kind, Signature, Doc string }

// Describe lists every global and every property of the intrinsic objects that a path leads to.
func Describe() []Entry {
	d := &describer{names: map[value.ID]string{}, templates: map[value.ID]*value.Template{}}
	for _, t := range templates() {
		d.templates[t.ID] = t
		if t.Global != "" {
			d.names[t.ID] = t.Global
		}
	}
	for _, t := range d.templates {
		for i := range t.Rows {
			if row := &t.Rows[i]; row.Name == "prototype" && t.Global != "" {
				d.names[row.Ref] = t.Global + ".prototype"
			}
		}
	}
	for _, row := range globals() {
		d.add(row.Name, &row)
	}
	for id, name := range d.names {
		d.template(name, d.templates[id])
	}
	return d.out
}

type describer struct {
	names     map[value.ID]string
	templates map[value.ID]*value.Template
	out       []Entry
}

func (d *describer) template(name string, t *value.Template) {
	switch {
	case t == nil:
		return
	case t.New != nil:
		d.out = append(d.out, Entry{Path: name, Kind: "constructor", Doc: t.Doc})
	case t.Global != "":
		d.out = append(d.out, Entry{Path: name, Kind: "namespace", Doc: t.Doc})
	}
	for i := range t.Rows {
		row := &t.Rows[i]
		if row.Name == "constructor" || row.Name == "prototype" {
			continue
		}
		d.add(name+member(row.Name), row)
	}
}

func member(name string) string {
	if symbol, ok := strings.CutPrefix(name, "@@"); ok {
		return "[Symbol." + symbol + "]"
	}
	return "." + name
}

func (d *describer) add(path string, row *row) {
	kind := "value"
	switch {
	case row.Fn != nil, row.Alias != "":
		kind = "function"
	case row.Get != nil || row.Set != nil:
		kind = "accessor"
	}
	d.out = append(d.out, Entry{Path: path, Kind: kind, Signature: row.Sig, Doc: row.Doc})
}

// Absent lists ambient names that do not exist here, with what to do instead.
func Absent() map[string]string { return maps.Clone(absent) }

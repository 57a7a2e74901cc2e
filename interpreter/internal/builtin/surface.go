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
	d.name(templates())
	for _, row := range globals() {
		d.add(row.Name, &row)
	}
	for id, name := range d.names {
		d.template(name, d.templates[id])
	}
	return d.out
}

// Observed is a library of its own that tells which functions and accessors run, by their paths. It shows what a set of
// programs exercises; it is slower, and not for anything else.
func Observed(seen func(path string)) *value.Library {
	d := &describer{names: map[value.ID]string{}, templates: map[value.ID]*value.Template{}}
	all, rows := templates(), globals()
	d.name(all)
	for i := range rows {
		observe(&rows[i], rows[i].Name, seen)
	}
	for id, name := range d.names {
		t := d.templates[id]
		if t == nil {
			continue
		}
		t.Call = observed(t.Call, name, seen)
		if construct := t.New; construct != nil {
			t.New = func(r *realm, args []val, target *object) val {
				seen(name)
				return construct(r, args, target)
			}
		}
		separate(t.Rows)
		for i := range t.Rows {
			observe(&t.Rows[i], name+member(t.Rows[i].Name), seen)
		}
	}
	return value.NewLibrary(all, rows)
}

// separate gives second names functions of their own, so that each is seen by the name it is called by.
func separate(rows []row) {
	for i := range rows {
		for _, first := range rows[:i] {
			if rows[i].Alias != "" && first.Name == rows[i].Alias {
				rows[i].Fn, rows[i].Alias = first.Fn, ""
			}
		}
	}
}

func observe(row *row, path string, seen func(string)) {
	row.Fn, row.Get, row.Set = observed(row.Fn, path, seen), observed(row.Get, path, seen), observed(row.Set, path, seen)
}

func observed(fn value.NativeFn, path string, seen func(string)) value.NativeFn {
	if fn == nil {
		return nil
	}
	return func(r *realm, this val, args []val) val {
		seen(path)
		return fn(r, this, args)
	}
}

type describer struct {
	names     map[value.ID]string
	templates map[value.ID]*value.Template
	out       []Entry
}

// name finds the paths of the intrinsic objects.
func (d *describer) name(all []*value.Template) {
	for _, t := range all {
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

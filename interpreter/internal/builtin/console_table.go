package builtin

// This file defines console.table: one line a row, cells separated by tabs, which is what a reader of logs can use.

import (
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// The bounds of one table; rows that are left out are said.
const (
	maxTableRows    = 1000
	maxTableColumns = 100
)

// table is what console.table has gathered.
type table struct {
	columns []string
	at      map[string]int
	names   []string // of the rows
	rows    [][]string
	values  []string // of rows that are no objects
	loose   bool     // there are such rows
	only    bool     // the program chose the columns
}

func consoleTable(r *realm, this val, args []val) val {
	o := arg(args, 0).Object()
	if o == nil || o.Class == value.ClassFunction || o.Class == value.ClassTools || o.Class == value.ClassPromise {
		return consoleLine("log")(r, this, args[:min(1, len(args))])
	}
	t := &table{at: map[string]int{}}
	if c := arg(args, 1).Object(); c != nil && c.Class == value.ClassArray {
		t.only = true
		if !members(r, c, func(_ string, name val, _ bool) { t.column(lineText(r, name)) }) {
			return value.Throw
		}
	}
	rows, ok := 0, true
	done := members(r, o, func(name string, v val, getter bool) {
		if rows++; ok && rows <= maxTableRows {
			ok = t.add(r, name, v, getter)
		}
	})
	if !done || !ok {
		return value.Throw
	}
	text := t.text()
	if rows > maxTableRows {
		text += "\n… and " + value.NumberToString(float64(rows-maxTableRows)).String() + " more"
	}
	logLine(r, "log", text)
	return value.Undefined
}

// column finds or adds a column.
func (t *table) column(name string) int {
	i, ok := t.at[name]
	if !ok {
		i = len(t.columns)
		t.at[name] = i
		t.columns = append(t.columns, name)
	}
	return i
}

// members visits the enumerable properties, without running getters: a log never fails a program. It reports whether the
// execution goes on.
func members(r *realm, o *object, visit func(name string, v val, getter bool)) bool {
	keys, ok := r.OwnKeys(o)
	for _, k := range keys {
		d, has := r.GetOwn(o, k)
		if k.IsSymbol() || !has || d.Attr&value.Enumerable == 0 {
			continue
		}
		if !r.Step(1) {
			return false
		}
		visit(k.String(), d.Value, d.IsAccessor())
	}
	return ok
}

func (t *table) add(r *realm, name string, v val, getter bool) bool {
	t.names = append(t.names, name)
	o := v.Object()
	if getter || o == nil || o.Class == value.ClassFunction || o.Class == value.ClassTools {
		t.rows = append(t.rows, nil)
		t.values = append(t.values, cell(r, v, getter))
		t.loose = true
		return true
	}
	var row []string
	ok := members(r, o, func(name string, x val, getter bool) {
		if _, known := t.at[name]; t.only && !known || len(t.columns) == maxTableColumns && !known {
			return
		}
		i := t.column(name)
		for len(row) <= i {
			row = append(row, "")
		}
		row[i] = cell(r, x, getter)
	})
	t.rows, t.values = append(t.rows, row), append(t.values, "")
	return ok
}

// cell is a value without what would break the table.
func cell(r *realm, v val, getter bool) string {
	if getter {
		return "[Getter]"
	}
	text := lineText(r, v)
	if strings.ContainsAny(text, "\t\n\r") {
		return strings.NewReplacer("\t", " ", "\r", "", "\n", " ").Replace(text)
	}
	return text
}

func (t *table) text() string {
	var w strings.Builder
	write := func(first string, row []string, last string) {
		w.WriteString(first)
		for i := range t.columns {
			w.WriteByte('\t')
			if i < len(row) {
				w.WriteString(row[i])
			}
		}
		if t.loose && !t.only {
			w.WriteString("\t" + last)
		}
	}
	write("(index)", t.columns, "Values")
	for i, name := range t.names {
		w.WriteByte('\n')
		write(name, t.rows[i], t.values[i])
	}
	return w.String()
}

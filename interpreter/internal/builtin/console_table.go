package builtin

// This file defines console.table: one line a row, cells separated by tabs, which is what a reader of logs can use.

import (
	"strconv"
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
	index   string   // the title of the first column
	left    int      // rows that are left out, if positive
	line    *line
	size    int // bytes of the cells
}

func consoleTable(r *realm, this val, args []val) val {
	o := arg(args, 0).Object()
	if o == nil || o.Class == value.ClassFunction || o.Class == value.ClassTools || o.Class == value.ClassPromise {
		return consoleLine("log")(r, this, args[:min(1, len(args))])
	}
	defer r.Built(r.Building())
	t := &table{at: map[string]int{}, index: "(index)", line: newLine(r)}
	defer t.line.release()
	if c := arg(args, 1).Object(); c != nil && c.Class == value.ClassArray {
		t.only = true
		if !members(r, c, func(_ string, name val, _ bool) { t.column(t.cell(name, false)) }) {
			return value.Throw
		}
	}
	if t.collection(r, o) {
		return t.log()
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
	t.left = rows - maxTableRows
	return t.log()
}

// collection fills the table with the entries of a Map or Set, and reports whether o is one.
func (t *table) collection(r *realm, o *object) bool {
	var of *collection
	isMap := false
	switch x := o.Ext.(type) {
	case *mapData:
		of, isMap = &x.collection, true
	case *setData:
		of = &x.collection
	}
	if of == nil || of.weak {
		return false
	}
	t.index, t.loose, t.only = "(iteration index)", true, false
	u := of.cursor()
	for e, ok := u.step(); ok && len(t.rows) < maxTableRows && !t.line.over; e, ok = u.step() {
		v, row := e.key, []string(nil)
		if isMap {
			t.column("Key")
			v, row = e.value, []string{t.cell(e.key, false)}
		}
		t.names = append(t.names, strconv.Itoa(len(t.names)))
		t.rows, t.values = append(t.rows, row), append(t.values, t.cell(v, false))
	}
	t.left = of.live - maxTableRows
	return true
}

// column finds or adds a column.
func (t *table) column(name string) int {
	i, ok := t.at[name]
	if !ok {
		i = len(t.columns)
		t.at[name] = i
		t.columns = append(t.columns, name)
		t.size += len(name)
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
		v := d.Value
		if d.IsAccessor() {
			v = value.Undefined
		}
		visit(k.String(), v, d.IsAccessor())
	}
	return ok
}

func (t *table) add(r *realm, name string, v val, getter bool) bool {
	t.names = append(t.names, name)
	t.size += len(name)
	o := v.Object()
	if getter || o == nil || o.Class == value.ClassFunction || o.Class == value.ClassTools {
		t.rows = append(t.rows, nil)
		t.values = append(t.values, t.cell(v, getter))
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
		row[i] = t.cell(x, getter)
	})
	t.rows, t.values = append(t.rows, row), append(t.values, "")
	return ok
}

// cell is a value without what would break the table; none are made once the table is longer than the log takes.
func (t *table) cell(v val, getter bool) string {
	l := t.line
	if l.over = l.over || t.size > l.room || !l.r.Step(1); l.over {
		return ""
	}
	if getter {
		return "[Getter]"
	}
	text := clipped(l.r, v)
	if strings.ContainsAny(text, "\t\n\r") {
		text = strings.NewReplacer("\t", " ", "\r", "", "\n", " ").Replace(text)
	}
	t.size += len(text)
	l.r.Charge(32 + len(text))
	return text
}

// log writes the table.
func (t *table) log() val {
	w := t.line
	write := func(first string, row []string, last string) {
		w.text(first)
		for i := range t.columns {
			w.text("\t")
			if i < len(row) {
				w.text(row[i])
			}
		}
		if t.loose && !t.only {
			w.text("\t")
			w.text(last)
		}
	}
	write(t.index, t.columns, "Values")
	for i := 0; i < len(t.names) && !w.over; i++ {
		w.text("\n")
		write(t.names[i], t.rows[i], t.values[i])
	}
	if t.left > 0 {
		w.text("\n… and " + strconv.Itoa(t.left) + " more")
	}
	return w.log("log")
}

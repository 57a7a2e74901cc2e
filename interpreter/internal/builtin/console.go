package builtin

// This file defines console. Lines go to the execution's log; they survive failure.

import (
	"strconv"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func consoleTemplates() []*value.Template {
	rows := []row{}
	for _, level := range []string{"debug", "error", "info", "log", "warn"} {
		rows = append(rows, row{Name: level, Length: 0, Fn: consoleLine(level), Sig: "(...values: any[]): void"})
	}
	rows = append(rows,
		row{Name: "assert", Length: 0, Fn: consoleAssert, Sig: "(condition?: boolean, ...values: any[]): void"},
		row{Name: "dirxml", Length: 0, Fn: consoleLine("log"), Sig: "(...values: any[]): void"},
		row{Name: "dir", Length: 0, Fn: consoleDir, Sig: "(value: any, options?: { depth?: number | null }): void"},
		row{Name: "trace", Length: 0, Fn: consoleLine("log"), Sig: "(...values: any[]): void"},
		row{Name: "table", Length: 0, Fn: consoleTable, Sig: "(rows: any, columns?: string[]): void", Doc: "one line a row, cells separated by tabs"},
		row{Name: "clear", Length: 0, Fn: consoleClear, Sig: "(): void", Doc: "does nothing: what was logged stays"},
		row{Name: "group", Length: 0, Fn: consoleGroup, Sig: "(...values: any[]): void"},
		row{Name: "groupCollapsed", Length: 0, Fn: consoleGroup, Sig: "(...values: any[]): void"},
		row{Name: "groupEnd", Length: 0, Fn: consoleGroupEnd, Sig: "(): void"},
		row{Name: "count", Length: 0, Fn: consoleCount, Sig: "(label?: string): void"},
		row{Name: "countReset", Length: 0, Fn: consoleCountReset, Sig: "(label?: string): void"},
		row{Name: "time", Length: 0, Fn: consoleTime, Sig: "(label?: string): void"},
		row{Name: "timeEnd", Length: 0, Fn: consoleTimeEnd, Sig: "(label?: string): void"},
		row{Name: "timeLog", Length: 0, Fn: consoleTimeLog, Sig: "(label?: string, ...values: any[]): void"},
		tagRow("console"),
	)
	return []*value.Template{{ID: value.ConsoleNamespace, Global: "console", Proto: value.ObjectPrototype, Class: value.ClassNamespace,
		Ext: func(*realm) any { return &consoleState{counts: map[string]int{}, timers: map[string]float64{}} }, Rows: rows}}
}

type consoleState struct {
	counts map[string]int
	timers map[string]float64
	groups int // open
}

// Trace implements value.Traced: the labels count.
func (s *consoleState) Trace(func(val)) int {
	n := 0
	for label := range s.counts {
		n += labelBytes + len(label)
	}
	for label := range s.timers {
		n += labelBytes + len(label)
	}
	return n
}

const labelBytes = 64 // of an entry

func consoleOf(r *realm) *consoleState {
	return r.Intrinsic(value.ConsoleNamespace).Ext.(*consoleState)
}

// maxIndent is how many open groups are shown.
const maxIndent = 20

func consoleLine(level string) value.NativeFn {
	return func(r *realm, _ val, args []val) val {
		if len(args) == 1 && args[0].IsString() && args[0].Str().IsASCII() && consoleOf(r).groups == 0 {
			r.Env.Log(level, args[0].Str().ASCII())
			return value.Undefined
		}
		r.NoteLogged(args)
		return logValues(r, level, args)
	}
}

func logValues(r *realm, level string, args []val) val {
	l := newLine(r)
	defer l.release()
	l.values(args)
	return l.log(level)
}

// logText writes a text that is not long.
func logText(r *realm, text string) val {
	l := newLine(r)
	defer l.release()
	l.text(text)
	return l.log("log")
}

// numberText is what %d (Number), %i (parseInt) and %f (parseFloat) make of a value. Other objects than lists and dates are not
// converted: that would run their code.
func numberText(r *realm, c byte, v val) string {
	v = plainNumber(v, c)
	switch {
	case v.IsObject() || v.IsSymbol():
		return "NaN"
	case v.IsBigInt() && c != 'f':
		return v.BigInt().Int.String() + "n"
	case c == 'i':
		v = parseInt(r, value.Undefined, []val{v})
	case c == 'f':
		v = parseFloat(r, value.Undefined, []val{v})
	}
	f, _ := r.ToNumber(v)
	return Inspect(r, value.Num(f))
}

// plainNumber is a list of one number or text as that, and a date as its time.
func plainNumber(v val, c byte) val {
	if d, ok := extOf[*dateData](v); ok && c == 'd' {
		return value.Num(d.t)
	}
	o := v.Object()
	switch {
	case o == nil || o.Class != value.ClassArray || int(o.N) != len(o.Elems):
	case o.N == 0 && c == 'd':
		return value.Int(0)
	case o.N == 1 && !o.Elems[0].IsObject() && !o.Elems[0].IsHole():
		return o.Elems[0]
	}
	return v
}

func consoleGroup(r *realm, this val, args []val) val {
	v := value.Undefined
	if len(args) > 0 {
		v = consoleLine("log")(r, this, args)
	}
	consoleOf(r).groups++
	return v
}

// consoleDir prints one value, as deep as its option depth says; null is all of it.
func consoleDir(r *realm, _ val, args []val) val {
	depth := inspectDepth
	if o := arg(args, 1).Object(); o != nil && o.Class == value.ClassObject {
		switch d, ok := r.GetOwnValue(o, value.Name("depth")); {
		case !ok:
		case d.IsNull():
			depth = maxInspectDepth
		case d.IsNumber() && d.Float() == d.Float():
			depth = int(max(0, min(d.Float(), maxInspectDepth)))
		}
	}
	return logText(r, inspectDeep(r, arg(args, 0), depth))
}

// consoleClear keeps the log, as consoles that are no terminals do.
func consoleClear(*realm, val, []val) val { return value.Undefined }

func consoleGroupEnd(r *realm, _ val, _ []val) val {
	s := consoleOf(r)
	s.groups = max(s.groups-1, 0)
	return value.Undefined
}

func consoleCountReset(r *realm, _ val, args []val) val {
	s, label := consoleLabel(r, args)
	delete(s.counts, label)
	return value.Undefined
}

func consoleAssert(r *realm, _ val, args []val) val {
	if value.ToBoolean(arg(args, 0)) {
		return value.Undefined
	}
	l := newLine(r)
	defer l.release()
	l.text("Assertion failed")
	l.lead = ": "
	l.values(args[min(1, len(args)):])
	return l.log("error")
}

// consoleLabel is the label as it is printed: a log runs no code of the program and never fails it.
func consoleLabel(r *realm, args []val) (*consoleState, string) {
	label := "default"
	if v := arg(args, 0); !v.IsUndefined() {
		label = clipped(r, v)
	}
	return consoleOf(r), label
}

// clipped is the text of a value with the end of a long string left out.
func clipped(r *realm, v val) string {
	s := v.Str()
	if s == nil {
		return Inspect(r, v)
	}
	text, rest := clipStr(s)
	return text + rest
}

func consoleCount(r *realm, _ val, args []val) val {
	s, label := consoleLabel(r, args)
	s.counts[label]++
	r.Charge(labelBytes + len(label))
	return logText(r, label+": "+strconv.Itoa(s.counts[label]))
}

func consoleTime(r *realm, _ val, args []val) val {
	s, label := consoleLabel(r, args)
	s.timers[label] = r.Env.NowMillis()
	r.Charge(labelBytes + len(label))
	return value.Undefined
}

func consoleTimeEnd(r *realm, _ val, args []val) val {
	s, label := consoleLabel(r, args)
	defer delete(s.timers, label)
	return logTimer(r, s, label, nil)
}

func consoleTimeLog(r *realm, _ val, args []val) val {
	s, label := consoleLabel(r, args)
	return logTimer(r, s, label, args[min(1, len(args)):])
}

// logTimer writes how long the timer has run, with more values after it; nothing if there is no such timer.
func logTimer(r *realm, s *consoleState, label string, more []val) val {
	from, ok := s.timers[label]
	if !ok {
		return value.Undefined
	}
	l := newLine(r)
	defer l.release()
	l.text(label + ": " + value.NumberToString(r.Env.NowMillis()-from).String() + "ms")
	l.expect(more)
	for _, v := range more {
		if l.over || !r.Step(1) {
			break
		}
		l.text(" ")
		l.value(v)
	}
	return l.log("log")
}

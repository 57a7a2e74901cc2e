package builtin

// This file defines JSON and JSON.stringify (ECMA-262 25.5); the parser is in json_parse.go.

import (
	"math"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func jsonTemplates() []*value.Template {
	return []*value.Template{{ID: value.JSONNamespace, Global: "JSON", Proto: value.ObjectPrototype, Class: value.ClassNamespace, Rows: []row{
		{Name: "parse", Length: 2, Fn: jsonParse, Sig: "(text: string, reviver?: (key: string, value: any) => any): any"},
		{Name: "stringify", Length: 3, Fn: jsonStringify, Sig: "(value: any, replacer?: ((key: string, value: any) => any) | string[] | null, space?: number | string): string | undefined"},
		tagRow("JSON"),
	}}}
}

// jsonWriter is the state of one stringify.
type jsonWriter struct {
	r        *realm
	buf      []byte
	indent   string
	gap      string
	replacer val // function, absent if none
	keys     []value.Key
	filtered bool
	open     []*object
	held     int // bytes of buf that count for the memory budget
}

func jsonStringify(r *realm, _ val, args []val) val {
	w := &jsonWriter{r: r}
	defer func() { r.Hold(-w.held) }()
	if !w.configure(arg(args, 1), arg(args, 2)) {
		return value.Throw
	}
	v := arg(args, 0)
	var holder *object
	if !w.replacer.IsAbsent() {
		holder = r.NewPlain(1)
		r.InitProperty(holder, value.Name(""), v)
	}
	wrote, ok := w.value(holder, value.Name(""), v)
	if !ok {
		return value.Throw
	}
	if !wrote {
		return value.Undefined
	}
	if isASCII(w.buf) {
		return newText(r, value.TakeASCII(w.buf))
	}
	if !r.Take(32 + 3*len(w.buf)) { // the text and its units
		return value.Throw
	}
	return str(string(w.buf))
}

func (w *jsonWriter) configure(replacer, space val) bool {
	r := w.r
	if o := replacer.Object(); o != nil {
		if o.IsCallable() {
			w.replacer = replacer
		} else if o.Class == value.ClassArray && !w.allow(o) {
			return false
		}
	}
	if o := space.Object(); o != nil {
		switch o.Class {
		case value.ClassNumber:
			f, ok := r.ToNumber(space)
			if !ok {
				return false
			}
			space = value.Num(f)
		case value.ClassString:
			s := r.ToString(space)
			if s == nil {
				return false
			}
			space = s.Value()
		}
	}
	if space.IsNumber() {
		if n := math.Min(10, math.Trunc(space.Float())); n >= 1 {
			w.gap = strings.Repeat(" ", int(n))
		}
	} else if s := space.Str(); s != nil {
		w.gap = s.Slice(0, min(10, s.Len())).String()
	}
	return true
}

// allow reads the list of allowed keys.
func (w *jsonWriter) allow(o *object) bool {
	n, ok := w.r.LengthOf(o)
	if !ok {
		return false
	}
	w.filtered = true
	seen := map[value.Key]bool{}
	for i := range n {
		v := w.r.Get(o, value.IndexKey(i))
		if v.IsThrow() || !w.r.Step(1) {
			return false
		}
		vo := v.Object()
		if !v.IsString() && !v.IsNumber() && !v.IsExact() && (vo == nil || vo.Class != value.ClassString && vo.Class != value.ClassNumber) {
			continue
		}
		s := w.r.ToString(v)
		if s == nil {
			return false
		}
		if k := value.StrKey(s); !seen[k] {
			seen[k] = true
			w.keys = append(w.keys, k)
		}
	}
	return true
}

// value is SerializeJSONProperty: wrote is false for what JSON leaves out.
func (w *jsonWriter) value(holder *object, k value.Key, v val) (wrote, ok bool) {
	r := w.r
	if v.IsObject() || v.IsBigInt() {
		m := r.GetV(v, value.Name("toJSON"))
		if m.IsThrow() {
			return false, false
		}
		if m.IsCallable() {
			if v = r.Call(m, v, k.Value()); v.IsThrow() {
				return false, false
			}
		}
	}
	if !w.replacer.IsAbsent() {
		if v = r.Call(w.replacer, holder.Value(), k.Value(), v); v.IsThrow() {
			return false, false
		}
	}
	switch v.Kind() {
	case value.KindNull:
		w.buf = append(w.buf, "null"...)
	case value.KindBool:
		if v.IsTrue() {
			w.buf = append(w.buf, "true"...)
		} else {
			w.buf = append(w.buf, "false"...)
		}
	case value.KindNumber:
		w.number(v.Float())
	case value.KindExact:
		w.buf = append(w.buf, v.Exact().Text...)
	case value.KindString:
		return true, w.quoted(v.Str())
	case value.KindBigInt:
		return false, w.refuseBigInt()
	case value.KindObject:
		return w.object(v)
	default:
		return false, true
	}
	return true, w.bounded()
}

func (w *jsonWriter) refuseBigInt() bool {
	w.r.ThrowTypeError("Do not know how to serialize a BigInt: convert it with String(x) or Number(x)")
	return false
}

func (w *jsonWriter) bounded() bool {
	if len(w.buf) > value.MaxStringLength {
		w.r.ThrowError(value.RangeError, "Invalid string length")
		return false
	}
	if size := cap(w.buf); size-w.held > 1<<16 {
		w.r.Charge(size - w.held)
		w.r.Hold(size - w.held)
		w.held = size
		return w.r.Allot(0)
	}
	return true
}

// quoted writes a string; a long one in parts.
func (w *jsonWriter) quoted(s *value.Str) bool {
	if s.Len() <= textPart {
		w.buf = data.AppendQuoted(w.buf, s.String())
		return w.bounded()
	}
	w.buf = append(w.buf, '"')
	if !eachPart(w.r, s, func(text string) bool {
		at := len(w.buf)
		w.buf = data.AppendQuoted(w.buf, text)
		w.buf = append(w.buf[:at], w.buf[at+1:len(w.buf)-1]...)
		return w.bounded()
	}) {
		return false
	}
	w.buf = append(w.buf, '"')
	return true
}

func (w *jsonWriter) number(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.buf = append(w.buf, "null"...)
		return
	}
	w.buf = data.AppendNumber(w.buf, f+0)
}

func (w *jsonWriter) object(v val) (wrote, ok bool) {
	r, o := w.r, v.Object()
	switch o.Class {
	case value.ClassNumber:
		f, ok := r.ToNumber(v)
		if ok {
			w.number(f)
		}
		return ok, ok
	case value.ClassString:
		s := r.ToString(v)
		if s == nil {
			return false, false
		}
		return true, w.quoted(s)
	case value.ClassBoolean:
		w.buf = strconv.AppendBool(w.buf, o.Ext.(val).IsTrue())
		return true, true
	case value.ClassBigInt:
		return false, w.refuseBigInt()
	}
	if o.IsCallable() {
		return false, true
	}
	for _, p := range w.open {
		if p == o {
			r.ThrowTypeError("Converting circular structure to JSON: the object refers to itself; stringify only the fields that are needed")
			return false, false
		}
	}
	if len(w.open) >= maxJSONDepth {
		r.ThrowError(value.RangeError, "the value is nested deeper than %d levels", maxJSONDepth)
		return false, false
	}
	if o.Class == value.ClassPromise {
		r.NotePromise(o.Value(), "a Promise was turned into JSON", "")
	}
	w.open = append(w.open, o)
	outer := w.indent
	w.indent += w.gap
	if o.Class == value.ClassArray {
		ok = w.array(o, outer)
	} else {
		ok = w.members(o, outer)
	}
	w.open = w.open[:len(w.open)-1]
	w.indent = outer
	return true, ok && w.bounded()
}

// maxJSONDepth bounds nesting in parse and stringify.
const maxJSONDepth = 2000

func (w *jsonWriter) newline(indent string) {
	if w.gap != "" {
		w.buf = append(w.buf, '\n')
		w.buf = append(w.buf, indent...)
	}
}

func (w *jsonWriter) array(o *object, outer string) bool {
	n, ok := w.r.LengthOf(o)
	if !ok {
		return false
	}
	w.buf = append(w.buf, '[')
	for i := range n {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.newline(w.indent)
		var v val
		if i < len(o.Elems) && !o.Elems[i].IsHole() {
			v = o.Elems[i]
		} else if v = w.r.Get(o, value.IndexKey(i)); v.IsThrow() {
			return false
		}
		wrote, ok := w.value(o, value.IndexKey(i), v)
		if !ok || !w.r.Step(1) {
			return false
		}
		if !wrote {
			if w.buf = append(w.buf, "null"...); !w.bounded() {
				return false
			}
		}
	}
	if n > 0 {
		w.newline(outer)
	}
	w.buf = append(w.buf, ']')
	return w.bounded()
}

func (w *jsonWriter) members(o *object, outer string) bool {
	w.buf = append(w.buf, '{')
	any := false
	member := func(k value.Key, v val) bool {
		mark := len(w.buf)
		if any {
			w.buf = append(w.buf, ',')
		}
		w.newline(w.indent)
		if name := k.String(); len(name) <= textPart {
			w.buf = data.AppendQuoted(w.buf, name)
		} else if !w.quoted(k.Value().Str()) {
			return false
		}
		w.buf = append(w.buf, ':')
		if w.gap != "" {
			w.buf = append(w.buf, ' ')
		}
		wrote, ok := w.value(o, k, v)
		if !ok || !w.r.Step(1) {
			return false
		}
		if wrote {
			any = true
		} else {
			w.buf = w.buf[:mark]
		}
		return true
	}
	if !w.eachMember(o, member) {
		return false
	}
	if any {
		w.newline(outer)
	}
	w.buf = append(w.buf, '}')
	return true
}

func (w *jsonWriter) eachMember(o *object, member func(k value.Key, v val) bool) bool {
	r := w.r
	if w.filtered {
		for _, k := range w.keys {
			v := r.Get(o, k)
			if v.IsThrow() || !member(k, v) {
				return false
			}
		}
		return true
	}
	if done, ok := r.EachPlain(o, member); done {
		return ok
	}
	keys, ok := enumerableKeys(r, o)
	if !ok {
		return false
	}
	for _, k := range keys {
		v := r.Get(o, k)
		if v.IsThrow() || !member(k, v) {
			return false
		}
	}
	return true
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

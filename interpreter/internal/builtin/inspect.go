package builtin

// This file defines the text form of values for console lines and messages: like what a developer console prints, one
// line where it fits, bounded, and without running guest code other than nothing at all.

import (
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

const (
	inspectDepth = 4
	inspectItems = 100
	inspectWidth = 76
	inspectBytes = 16 << 10
)

// Inspect is the text form of any value. Strings are quoted; use it for parts of a console line that are no strings.
func Inspect(r *realm, v val) string {
	i := &inspector{r: r}
	return i.value(v, 0)
}

// Inspectable is implemented by the Ext of objects that say themselves what is in them.
type Inspectable interface {
	// Inspect returns a prefix ("Map(2)") and the parts to print in braces; part prints a value.
	Inspect(r *value.Realm, part func(value.Value) string) (prefix string, parts []string)
}

type inspector struct {
	r    *realm
	open []*object
	size int
}

func (i *inspector) value(v val, depth int) string {
	s := i.raw(v, depth)
	i.size += len(s)
	return s
}

func (i *inspector) raw(v val, depth int) string {
	switch v.Kind() {
	case value.KindString:
		return quote(v.Str().String())
	case value.KindNumber:
		if v.Float() == 0 && strconv.FormatFloat(v.Float(), 'g', -1, 64) == "-0" {
			return "-0"
		}
	case value.KindSymbol:
		return v.Symbol().Descriptive()
	case value.KindBigInt:
		i.r.Owe(v.BigInt().Int.BitLen() >> 8)
		return v.BigInt().Int.String() + "n"
	case value.KindObject:
		return i.object(v.Object(), depth)
	}
	return value.PrimitiveToString(v).String()
}

func quote(s string) string {
	if !strings.ContainsRune(s, '\'') {
		return "'" + escape(s) + "'"
	}
	if !strings.ContainsRune(s, '"') {
		return `"` + escape(s) + `"`
	}
	return "`" + escape(s) + "`"
}

func escape(s string) string {
	return strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r", "\t", "\\t").Replace(s)
}

func (i *inspector) object(o *object, depth int) string {
	for _, p := range i.open {
		if p == o {
			return "[Circular]"
		}
	}
	if i.size > inspectBytes {
		return "…"
	}
	if depth > inspectDepth {
		if o.Class == value.ClassArray {
			return "[Array]"
		}
		return "[" + i.r.ConstructorName(o) + "]"
	}
	i.open = append(i.open, o)
	defer func() { i.open = i.open[:len(i.open)-1] }()
	part := func(v val) string { return i.value(v, depth+1) }
	switch o.Class {
	case value.ClassArray:
		return i.array(o, depth)
	case value.ClassFunction:
		return i.function(o, depth)
	case value.ClassError:
		return i.errorText(o, depth)
	case value.ClassTools:
		return i.tools(o)
	case value.ClassPromise:
		return i.promise(o, part)
	case value.ClassBoolean, value.ClassNumber, value.ClassString, value.ClassSymbol, value.ClassBigInt:
		return i.wrapper(o, part)
	case value.ClassDate, value.ClassRegExp:
		if d, ok := o.Ext.(interface{ Text() string }); ok {
			return d.Text()
		}
	}
	if x, ok := o.Ext.(Inspectable); ok {
		prefix, parts := x.Inspect(i.r, part)
		return i.braces(prefix, append(parts, i.members(o, depth)...), depth)
	}
	return i.braces(i.prefix(o), i.members(o, depth), depth)
}

func (i *inspector) prefix(o *object) string {
	if o.Proto() == nil {
		return "[Object: null prototype]"
	}
	if o.Class == value.ClassGenerator || o.Class == value.ClassAsyncGenerator {
		return "Object [Generator]"
	}
	if n := i.r.ConstructorName(o); n != "Object" {
		return n
	}
	return ""
}

// braces prints parts between braces, on one line if they fit.
func (i *inspector) braces(prefix string, parts []string, depth int) string {
	if prefix != "" {
		prefix += " "
	}
	return prefix + layout("{", parts, "}", depth)
}

func layout(open string, parts []string, end string, depth int) string {
	if len(parts) == 0 {
		return open + end
	}
	n := 0
	multi := false
	for _, p := range parts {
		n += len(p) + 2
		multi = multi || strings.ContainsRune(p, '\n')
	}
	if n+depth*2 <= inspectWidth && !multi {
		return open + " " + strings.Join(parts, ", ") + " " + end
	}
	pad := strings.Repeat("  ", depth+1)
	return open + "\n" + pad + strings.Join(parts, ",\n"+pad) + "\n" + strings.Repeat("  ", depth) + end
}

func (i *inspector) array(o *object, depth int) string {
	var parts []string
	holes := 0
	flush := func() {
		if holes == 1 {
			parts = append(parts, "<1 empty item>")
		} else if holes > 1 {
			parts = append(parts, "<"+strconv.Itoa(holes)+" empty items>")
		}
		holes = 0
	}
	n := int(o.N)
	for at := 0; at < n; at++ {
		if at >= len(o.Elems) && o.Flags&value.FlagIndexProps == 0 {
			holes += n - at
			break
		}
		v, ok := i.r.GetOwnValue(o, value.IndexKey(at))
		if !ok {
			if holes++; holes > inspectItems {
				holes += n - at - 1
				break
			}
			continue
		}
		flush()
		if len(parts) >= inspectItems {
			parts = append(parts, "... "+strconv.Itoa(n-at)+" more items")
			holes = 0
			break
		}
		parts = append(parts, i.value(v, depth+1))
	}
	flush()
	s := layout("[", append(parts, i.members(o, depth)...), "]", depth)
	if name := i.r.ConstructorName(o); name != "Array" && name != "Object" {
		return name + "(" + strconv.Itoa(n) + ") " + s
	}
	return s
}

// members prints own enumerable properties other than array elements.
func (i *inspector) members(o *object, depth int) []string {
	keys, ok := i.r.OwnKeys(o)
	if !ok {
		return nil
	}
	var parts []string
	for _, k := range keys {
		if k.IsIndex && o.Class != value.ClassObject && o.Class != value.ClassArguments {
			continue
		}
		d, ok := i.r.GetOwn(o, k)
		if !ok || d.Attr&value.Enumerable == 0 {
			continue
		}
		if len(parts) >= inspectItems {
			return append(parts, "...")
		}
		parts = append(parts, keyLabel(k)+": "+i.member(d, depth))
	}
	return parts
}

func (i *inspector) member(d value.Desc, depth int) string {
	switch {
	case d.Get != nil && d.Set != nil:
		return "[Getter/Setter]"
	case d.Get != nil:
		return "[Getter]"
	case d.IsAccessor():
		return "[Setter]"
	}
	return i.value(d.Value, depth+1)
}

func keyLabel(k value.Key) string {
	if k.IsSymbol() {
		return "[" + k.String() + "]"
	}
	if s := k.String(); k.IsIndex || data.IsIdentifier(s) {
		return s
	}
	return quote(k.String())
}

func (i *inspector) function(o *object, depth int) string {
	f := o.Function()
	name := i.r.FunctionName(f)
	kind := "Function"
	if f.Flags&value.FlagClass != 0 {
		kind = "class"
	} else if f.Code != nil {
		kind = [...]string{"Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"}[f.Code.Kind]
	}
	s := "[" + kind + ": " + name + "]"
	switch {
	case kind == "class" && name == "":
		s = "[class (anonymous)]"
	case kind == "class":
		s = "[class " + name + "]"
	case name == "":
		s = "[" + kind + " (anonymous)]"
	}
	if parts := i.members(o, depth); len(parts) > 0 {
		return i.braces(s, parts, depth)
	}
	return s
}

func (i *inspector) errorText(o *object, depth int) string {
	s := ErrorText(i.r, o)
	parts := i.members(o, depth)
	if c, ok := i.r.GetOwnValue(o, value.Name("cause")); ok {
		parts = append(parts, "[cause]: "+i.value(c, depth+1))
	}
	if errs, ok := i.r.GetOwnValue(o, value.Name("errors")); ok {
		parts = append(parts, "[errors]: "+i.value(errs, depth+1))
	}
	if depth > 0 {
		s = "[" + s + "]"
	}
	if len(parts) == 0 {
		return s
	}
	return i.braces(s, parts, depth)
}

func (i *inspector) tools(o *object) string {
	name := i.r.Describe(o.Value())
	keys, ok := i.r.ToolNames(o)
	if !ok || len(keys) == 0 {
		return "[" + name + "]"
	}
	return i.braces("["+name+"]", keys, 0)
}

func (i *inspector) promise(o *object, part func(val) string) string {
	p := value.NativePromise(o.Value())
	switch p.State().String() {
	case "pending":
		return "Promise { <pending> }"
	case "rejected":
		return "Promise { <rejected> " + part(p.Value()) + " }"
	}
	return "Promise { " + part(p.Value()) + " }"
}

func (i *inspector) wrapper(o *object, part func(val) string) string {
	var inner string
	switch x := o.Ext.(type) {
	case *value.Str:
		inner = quote(x.String())
	case val:
		inner = part(x)
	}
	return "[" + i.r.ConstructorName(o) + ": " + inner + "]"
}

package builtin

// This file defines the text form of values for console lines and messages: what a developer console prints, bounded, and
// without running guest code.

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

const (
	inspectDepth = 4
	// maxInspectDepth bounds what a program asks for: the inspector recurses.
	maxInspectDepth = 100
	inspectItems    = 100
	inspectBytes    = 16 << 10
	inspectText     = 10000 // characters of a string inside a value, and of any name in it
	// inspectMost is after how many bytes nothing more is printed at all: what many places share is printed in each.
	inspectMost = 1 << 20
)

// Inspect is the text form of any value. Strings are quoted; use it for parts of a console line that are no strings.
func Inspect(r *realm, v val) string {
	return inspectDeep(r, v, inspectDepth)
}

// inspectDeep is Inspect for objects nested so deep.
func inspectDeep(r *realm, v val, depth int) string {
	i := &inspector{r: r, limit: depth}
	return i.value(v, 0)
}

// Inspectable is implemented by the Ext of objects that say themselves what is in them.
type Inspectable interface {
	// Inspect lists what to print between the brackets; part prints a value.
	Inspect(r *value.Realm, part func(value.Value) string) Shown
}

// Shown is what an Inspectable is made of.
type Shown struct {
	Size  string // "(2)" behind the name of the class, or ""
	Title string // instead of the class, or ""
	Parts []string
}

type inspector struct {
	r       *realm
	limit   int // how deep objects are shown
	open    []*object
	cycles  []*object // that are referred to from within, in the order found
	size    int
	indent  int
	deepest int // the depth of the object that was printed last, of those with parts
}

func (i *inspector) value(v val, depth int) string {
	if i.size > inspectMost {
		return "…"
	}
	s := i.raw(v, depth)
	i.r.Owe(len(s) >> 10)
	i.size += len(s)
	return s
}

// nested prints a value inside another.
func (i *inspector) nested(v val, depth int) string {
	i.indent += 2
	s := i.value(v, depth+1)
	i.indent -= 2
	return s
}

func (i *inspector) raw(v val, depth int) string {
	switch v.Kind() {
	case value.KindString:
		return i.text(v.Str(), depth)
	case value.KindNumber:
		if v.Float() == 0 && strconv.FormatFloat(v.Float(), 'g', -1, 64) == "-0" {
			return "-0"
		}
	case value.KindSymbol:
		return clipText(v.Symbol().Descriptive())
	case value.KindBigInt:
		i.r.Owe(v.BigInt().Int.BitLen() >> 8)
		return v.BigInt().Int.String() + "n"
	case value.KindObject:
		return i.object(v.Object(), depth)
	}
	return value.PrimitiveToString(v).String()
}

func (i *inspector) object(o *object, depth int) string {
	if slices.Contains(i.open, o) {
		return "[Circular *" + strconv.Itoa(i.cycle(o)) + "]"
	}
	if i.size > inspectBytes {
		return "…"
	}
	if depth > i.limit && i.hasParts(o) {
		return "[" + i.className(o) + "]"
	}
	i.open = append(i.open, o)
	before := i.deepest
	i.deepest = depth
	b := i.block(o, depth)
	if len(b.parts) == 0 {
		i.deepest = before
	}
	i.open = i.open[:len(i.open)-1]
	if slices.Contains(i.cycles, o) {
		b.base = join("<ref *"+strconv.Itoa(i.cycle(o))+">", b.base)
	}
	return i.layout(b, depth)
}

// className names an object in place of what is in it.
func (i *inspector) className(o *object) string {
	if o.Proto() == nil {
		return "Object: null prototype"
	}
	return clipText(i.r.ConstructorName(o))
}

// hasParts tells whether an object prints more than what it is by itself.
func (i *inspector) hasParts(o *object) bool {
	switch o.Class {
	case value.ClassArray:
		if o.N > 0 {
			return true
		}
	case value.ClassTools:
		return false
	case value.ClassPromise:
		return true
	}
	if x, ok := o.Ext.(Inspectable); ok && len(x.Inspect(i.r, func(val) string { return "" }).Parts) > 0 {
		return true
	}
	keys, _ := i.r.NamedKeys(o)
	for _, k := range keys {
		if d, ok := i.r.GetOwn(o, k); ok && d.Attr&value.Enumerable != 0 && !(k.IsIndex && o.Class == value.ClassString) {
			return true
		}
	}
	return false
}

// cycle numbers an object that is part of a cycle.
func (i *inspector) cycle(o *object) int {
	at := slices.Index(i.cycles, o)
	if at < 0 {
		at = len(i.cycles)
		i.cycles = append(i.cycles, o)
	}
	return at + 1
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// block is an object before its layout.
type block struct {
	base      string // what the object is by itself, or ""
	open, end string
	parts     []string
	list      bool // of elements that may stand side by side
	numbers   bool // all of them
	overflow  bool // the last part counts what is left out
	bare      bool // base alone, if there are no parts
}

func (i *inspector) block(o *object, depth int) block {
	part := func(v val) string { return i.nested(v, depth) }
	b := block{open: "{", end: "}", bare: true}
	switch o.Class {
	case value.ClassArray:
		return i.array(o, depth)
	case value.ClassFunction:
		b.base = i.functionName(o)
	case value.ClassError:
		return i.failure(o, depth)
	case value.ClassTools:
		return i.tools(o)
	case value.ClassPromise:
		return block{open: i.prefix(o, "") + "{", end: "}", parts: append([]string{i.promise(o, part)}, i.members(o, depth)...)}
	case value.ClassBoolean, value.ClassNumber, value.ClassString, value.ClassSymbol, value.ClassBigInt:
		b.base = i.wrapper(o, part)
	case value.ClassDate, value.ClassRegExp:
		if d, ok := o.Ext.(interface{ Text() string }); ok {
			b.base = d.Text()
		}
	case value.ClassArguments:
		return i.arguments(o, depth)
	default:
		return i.described(o, depth, part)
	}
	b.parts = i.members(o, depth)
	return b
}

// described is an object of named members, with what its Ext tells before them.
func (i *inspector) described(o *object, depth int, part func(val) string) block {
	b := block{end: "}"}
	x, ok := o.Ext.(Inspectable)
	if !ok {
		b.open, b.parts = i.prefix(o, "")+"{", i.members(o, depth)
		return b
	}
	shown := x.Inspect(i.r, part)
	b.open, b.parts = i.prefix(o, shown.Size)+"{", shown.Parts
	if shown.Title != "" {
		b.open = shown.Title + " {"
	}
	if o.Class == value.ClassUint8Array {
		b.open, b.end, b.list, b.numbers = b.open[:len(b.open)-1]+"[", "]", true, true
		b.overflow = len(b.parts) > inspectItems
	}
	b.parts = append(b.parts, i.members(o, depth)...)
	return b
}

// prefix names the class of an object, and its tag if that differs; "" for a plain object.
func (i *inspector) prefix(o *object, size string) string {
	tag := i.tag(o)
	if o.Proto() == nil {
		s := "[Object" + size + ": null prototype] "
		if tag != "" && tag != "Object" {
			s += "[" + tag + "] "
		}
		return s
	}
	name := clipText(i.r.ConstructorName(o))
	switch {
	case tag != "" && tag != name:
		return name + size + " [" + tag + "] "
	case name == "Object" && size == "":
		return ""
	}
	return name + size + " "
}

// tag is the nearest Symbol.toStringTag if it is plain data that is not printed as a member.
func (i *inspector) tag(o *object) string {
	key := value.SymbolKey(value.SymToStringTag)
	for p := o; p != nil && p.Flags&value.FlagExotic == 0; p = p.Proto() {
		d, ok := i.r.GetOwn(p, key)
		if !ok {
			continue
		}
		if d.IsAccessor() || p == o && d.Attr&value.Enumerable != 0 {
			break
		}
		if s := d.Value.Str(); s != nil {
			text, rest := clipStr(s)
			return text + rest
		}
		break
	}
	return ""
}

func (i *inspector) array(o *object, depth int) block {
	var parts []string
	holes, numbers, overflow := 0, true, false
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
			parts = append(parts, moreItems(n-at))
			overflow, holes = true, 0
			break
		}
		numbers = numbers && (v.IsNumber() || v.IsBigInt())
		parts = append(parts, i.nested(v, depth))
	}
	flush()
	b := block{open: "[", end: "]", list: true, numbers: numbers, overflow: overflow}
	if p := i.prefix(o, "("+strconv.Itoa(n)+")"); p != "Array("+strconv.Itoa(n)+") " {
		b.open = p + "["
	}
	more := i.members(o, depth)
	b.parts, b.numbers = append(parts, more...), numbers && len(more) == 0
	return b
}

func (i *inspector) arguments(o *object, depth int) block {
	return block{open: "[Arguments] {", end: "}", parts: i.members(o, depth)}
}

// moreItems says how many items are left out.
func moreItems(n int) string {
	if n == 1 {
		return "... 1 more item"
	}
	return "... " + strconv.Itoa(n) + " more items"
}

// members prints own enumerable properties other than array elements.
func (i *inspector) members(o *object, depth int) []string {
	keys, ok := i.r.NamedKeys(o)
	if !ok {
		return nil
	}
	var parts []string
	for _, k := range keys {
		if k.IsIndex && holdsElements(o.Class) {
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
	return i.nested(d.Value, depth)
}

// holdsElements reports whether index keys were printed as elements.
func holdsElements(c value.Class) bool {
	return c == value.ClassArray || c == value.ClassString || c == value.ClassUint8Array
}

func keyLabel(k value.Key) string {
	s := clipText(k.String())
	if k.IsSymbol() {
		return "[" + s + "]"
	}
	if s == "__proto__" {
		return "['__proto__']"
	}
	for at := range len(s) {
		if c := s[at]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (at == 0 || c < '0' || c > '9') {
			return quote(s)
		}
	}
	if s == "" {
		return "''"
	}
	return s
}

func (i *inspector) functionName(o *object) string {
	f := o.Function()
	name := clipText(i.r.FunctionName(f))
	kind := "Function"
	if f.Flags&value.FlagClass != 0 {
		kind = "class"
	} else if f.Code != nil {
		kind = [...]string{"Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"}[f.Code.Kind]
	}
	s := "[" + kind + ": " + name + "]"
	switch {
	case kind == "class":
		s = "[class " + cmp.Or(name, "(anonymous)") + i.heritage(o) + "]"
	case name == "":
		s = "[" + kind + " (anonymous)]"
	}
	return s
}

func (i *inspector) failure(o *object, depth int) block {
	s := ErrorText(i.r, o)
	parts := i.members(o, depth)
	if c, ok := i.r.GetOwnValue(o, value.Name("cause")); ok {
		parts = append(parts, "[cause]: "+i.nested(c, depth))
	}
	if errs, ok := i.r.GetOwnValue(o, value.Name("errors")); ok {
		parts = append(parts, "[errors]: "+i.nested(errs, depth))
	}
	if depth > 0 {
		s = "[" + s + "]"
	}
	return block{base: s, open: "{", end: "}", parts: parts, bare: true}
}

// heritage is what a class extends.
func (i *inspector) heritage(o *object) string {
	if p := o.Proto(); p != nil && p.Class == value.ClassFunction {
		if name := i.r.FunctionName(p.Function()); name != "" {
			return " extends " + clipText(name)
		}
	}
	return ""
}

func (i *inspector) tools(o *object) block {
	b := block{base: "[" + i.r.Describe(o.Value()) + "]", open: "{", end: "}", bare: true}
	if keys, ok := i.r.ToolNames(o); ok {
		b.parts = keys
	}
	return b
}

func (i *inspector) promise(o *object, part func(val) string) string {
	p := value.NativePromise(o.Value())
	switch p.State().String() {
	case "pending":
		return "<pending>"
	case "rejected":
		return "<rejected> " + part(p.Value())
	}
	return part(p.Value())
}

func (i *inspector) wrapper(o *object, part func(val) string) string {
	var inner string
	switch x := o.Ext.(type) {
	case *value.Str:
		text, rest := clipStr(x)
		inner = quote(text) + rest
	case val:
		inner = part(x)
	}
	return "[" + clipText(i.r.ConstructorName(o)) + ": " + inner + "]"
}

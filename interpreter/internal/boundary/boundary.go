// Package boundary copies values between the guest and plain data, both ways. Nothing is shared across it.
package boundary

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// MaxDepth is how deep a value may nest at the boundary.
const MaxDepth = 32

// Warning says that a value lost its content on the way.
type Warning struct{ Path, Message string }

// Result is a copied value, or why there is none.
type Result struct {
	Value    data.Value
	Warnings []Warning
	// Problem is an InvalidDataValue naming the path; Threw says that guest code run by the copy threw.
	Problem *diagnostics.Diagnostic
	Threw   bool
}

// Out copies a guest value to plain data. root names the value in paths: result, input. It runs guest code (getters,
// toJSON). The rules are JSON.stringify's but for what the design lists.
func Out(r *value.Realm, v value.Value, root string) Result {
	c := copiers.Get().(*copier)
	defer c.free()
	c.r, c.root = r, root
	out, ok := c.value(v, 0)
	if !ok {
		return Result{Problem: c.problem, Threw: c.problem == nil, Warnings: c.warnings}
	}
	if out == nil {
		out = data.Null{}
	}
	c.warnOfNulls()
	return Result{Value: out, Warnings: c.warnings}
}

// copiers are kept for the next copy: a new one was a fifth of what a tool call allocates.
var copiers = sync.Pool{New: func() any {
	c := new(copier)
	c.path, c.open = c.steps[:0], c.objects[:0]
	return c
}}

// free forgets what the copier refers to, and keeps its room.
func (c *copier) free() {
	clear(c.path[:cap(c.path)])
	clear(c.open[:cap(c.open)])
	c.r, c.root, c.path, c.open = nil, "", c.path[:0], c.open[:0]
	c.warnings, c.problem, c.size, c.nulls, c.firstNull = nil, nil, 0, 0, ""
	copiers.Put(c)
}

type copier struct {
	r        *value.Realm
	root     string
	path     []step
	open     []*value.Object
	size     int64 // of what was copied: text, and 16 for each member and item
	warnings []Warning
	problem  *diagnostics.Diagnostic

	nulls     int    // how many values became null that were none: NaN, Infinity, invalid dates
	firstNull string // the first of them
	nullPath  string

	steps   [4]step // where path and open begin; few values are deeper
	objects [4]*value.Object
}

// step is one access on the way to a value: an index, or a key if the index is negative.
type step struct {
	key   string
	index int
}

// key is the property key that led to the value.
func (c *copier) key() string {
	if len(c.path) == 0 {
		return ""
	}
	last := c.path[len(c.path)-1]
	if last.index >= 0 {
		return strconv.Itoa(last.index)
	}
	return last.key
}

func (c *copier) at() string {
	text := []byte(c.root)
	for _, s := range c.path {
		if s.index >= 0 {
			text = append(strconv.AppendInt(append(text, '['), int64(s.index), 10), ']')
		} else {
			text = data.AppendKey(text, s.key)
		}
	}
	return string(text)
}

func (c *copier) refuse(what, fix string) (data.Value, bool) {
	path := c.at()
	c.problem = &diagnostics.Diagnostic{
		Kind: diagnostics.InvalidDataValue, Origin: diagnostics.OriginProgram, Path: path,
		Message: fmt.Sprintf("%s is %s, which is not plain data; %s", path, what, fix),
	}
	return nil, false
}

func (c *copier) warn(what, fix string) {
	path := c.at()
	if len(c.warnings) < diagnostics.MaxRelated {
		c.warnings = append(c.warnings, Warning{path, fmt.Sprintf("%s is %s and was copied as {}; %s", path, what, fix)})
	}
}

// value copies one value; a nil result means undefined.
func (c *copier) value(v value.Value, depth int) (data.Value, bool) {
	switch v.Kind() {
	case value.KindUndefined:
		return nil, true
	case value.KindNull:
		return data.Null{}, true
	case value.KindBool:
		return data.Bool(v.IsTrue()), true
	case value.KindNumber:
		return c.number(v.Float()), true
	case value.KindExact:
		n, err := data.Integer(v.Exact().Text)
		if err != nil {
			return c.number(v.Exact().F), true
		}
		return n, true
	case value.KindString:
		if !c.grow(v.Str().Len()) {
			return nil, false
		}
		return data.String(v.Str().String()), true
	case value.KindSymbol:
		return c.refuse("a symbol", "use its description or a string")
	case value.KindBigInt:
		return c.refuse("a BigInt", "convert it with String(x) or Number(x)")
	}
	return c.object(v.Object(), depth)
}

// grow counts what is copied. What is shared is copied, and written, as often as it is referred to: a value that comes to
// more than the memory budget ends the execution like one that holds as much.
func (c *copier) grow(n int) bool {
	c.size += int64(n)
	return !c.r.ExceedMemory(c.size)
}

func (c *copier) number(f float64) data.Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		c.becameNull(value.NumberToString(f).String())
		return data.Null{}
	}
	return data.NumberOf(f + 0)
}

func (c *copier) becameNull(what string) {
	if c.nulls++; c.nulls == 1 {
		c.firstNull, c.nullPath = what, c.at()
	}
}

// warnOfNulls says once what JSON has no form for and became null.
func (c *copier) warnOfNulls() {
	if c.nulls == 0 {
		return
	}
	text := c.nullPath + " is " + c.firstNull + ", which became null: JSON has no form for it"
	if c.nulls > 1 {
		text += fmt.Sprintf("; so did %d more", c.nulls-1)
	}
	c.warnings = append(c.warnings, Warning{c.nullPath, text})
}

func (c *copier) object(o *value.Object, depth int) (data.Value, bool) {
	if o.Class != value.ClassTools {
		if v, done, ok := c.toJSON(o, depth); done {
			return v, ok
		}
	}
	return c.plain(o, depth)
}

// toJSON honours a toJSON method, called once.
func (c *copier) toJSON(o *value.Object, depth int) (v data.Value, done, ok bool) {
	if o.Class == value.ClassPromise {
		return nil, false, true
	}
	m := c.r.Get(o, value.Name("toJSON"))
	if m.IsThrow() {
		return nil, true, false
	}
	if !m.IsCallable() {
		return nil, false, true
	}
	x := c.r.Call(m, o.Value(), value.String(c.key()))
	if x.IsThrow() {
		return nil, true, false
	}
	if x.IsNull() && o.Class == value.ClassDate {
		c.becameNull("an invalid Date")
	}
	if xo := x.Object(); xo != nil {
		v, ok = c.plain(xo, depth)
	} else {
		v, ok = c.value(x, depth)
	}
	return v, true, ok
}

// plain copies an object whose toJSON, if any, was called.
func (c *copier) plain(o *value.Object, depth int) (data.Value, bool) {
	if v, done, ok := c.special(o); done {
		return v, ok
	}
	for _, p := range c.open {
		if p == o {
			return c.refuse("part of a cycle", "return only the fields that are needed")
		}
	}
	if depth >= MaxDepth {
		return c.refuse("nested deeper than "+strconv.Itoa(MaxDepth)+" levels", "flatten it, or return JSON.stringify(x)")
	}
	if !c.r.Step(1) {
		return nil, false
	}
	c.open = append(c.open, o)
	defer func() { c.open = c.open[:len(c.open)-1] }()
	if o.Class == value.ClassArray {
		return c.array(o, depth)
	}
	if o.Class == value.ClassError {
		return c.errorObject(o, depth)
	}
	return c.members(o, nil, depth)
}

// special handles the classes that are not copied member by member.
func (c *copier) special(o *value.Object) (v data.Value, done, ok bool) {
	refuse := func(what, fix string) (data.Value, bool, bool) {
		v, ok := c.refuse(what, fix)
		return v, true, ok
	}
	switch o.Class {
	case value.ClassPromise:
		if len(c.path) > 0 {
			return refuse("a Promise", "await it first (await Promise.all(list) for a list of them)")
		}
		return refuse("a Promise", "await it first")
	case value.ClassTools:
		return refuse("a reference to "+c.r.Describe(o.Value()), c.r.UseTool(o))
	case value.ClassFunction:
		return refuse("a function", "call it, or leave it out")
	case value.ClassGenerator, value.ClassAsyncGenerator:
		return refuse("a generator", "collect it first: [...x], or a for await loop")
	case value.ClassUint8Array:
		return refuse("a Uint8Array", "use x.toBase64() or [...x]")
	case value.ClassNamespace, value.ClassTextEncoder, value.ClassTextDecoder:
		return refuse("a builtin object", "return the values you computed with it")
	case value.ClassBoolean, value.ClassNumber, value.ClassString, value.ClassBigInt:
		return c.wrapper(o)
	case value.ClassRegExp:
		c.warn("a RegExp", "use String(x), or x.source")
		return data.NewObject(nil), true, true
	case value.ClassURLSearchParams:
		text, ok := o.Ext.(interface {
			Text(r *value.Realm) (string, bool)
		}).Text(c.r)
		return data.String(text), true, ok && c.grow(len(text))
	case value.ClassHeaders:
		return headers(o.Ext.(interface{ Entries() [][2]string }).Entries()), true, true
	case value.ClassMap, value.ClassSet, value.ClassWeakMap, value.ClassWeakSet, value.ClassIterator:
		c.collection(o)
		return data.NewObject(nil), true, true
	}
	return nil, false, true
}

// headers copies a Headers object as name → value.
func headers(entries [][2]string) data.Value {
	members := make([]data.Member, len(entries))
	for i, e := range entries {
		members[i] = data.Member{Key: e[0], Value: data.String(e[1])}
	}
	return data.NewObject(members)
}

func (c *copier) collection(o *value.Object) {
	s, ok := o.Ext.(interface{ Size() int })
	switch {
	case o.Class == value.ClassIterator:
		c.warn("an iterator", "use [...x]")
	case !ok || s.Size() == 0:
	case o.Class == value.ClassMap:
		c.warn("a Map of "+counted(s.Size(), "entry", "entries"), "use Object.fromEntries(x)")
	case o.Class == value.ClassSet:
		c.warn("a Set of "+counted(s.Size(), "value", "values"), "use [...x]")
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func (c *copier) wrapper(o *value.Object) (data.Value, bool, bool) {
	if s, ok := o.Ext.(*value.Str); ok {
		return data.String(s.String()), true, true
	}
	if p, ok := o.Ext.(value.Value); ok {
		v, ok := c.value(p, 0)
		return v, true, ok
	}
	return nil, false, true
}

func (c *copier) array(o *value.Object, depth int) (data.Value, bool) {
	n := int(o.N)
	if n > 1<<24 {
		return c.refuse(fmt.Sprintf("an array of length %d", n), "return fewer items")
	}
	items := make([]data.Value, 0, min(n, 1<<16))
	for i := range n {
		v := c.r.Get(o, value.IndexKey(i))
		if v.IsThrow() || !c.r.Step(1) || !c.grow(16) {
			return nil, false
		}
		c.path = append(c.path, step{index: i})
		x, ok := c.value(v, depth+1)
		if !ok {
			return nil, false
		}
		c.path = c.path[:len(c.path)-1]
		if x == nil {
			x = data.Null{}
		}
		items = append(items, x)
	}
	return data.NewArray(items), true
}

// errorObject copies an error as name, message and own enumerable fields.
func (c *copier) errorObject(o *value.Object, depth int) (data.Value, bool) {
	var first []data.Member
	for _, k := range []string{"name", "message"} {
		v := c.r.Get(o, value.Name(k))
		if v.IsThrow() {
			return nil, false
		}
		if s := v.Str(); s != nil {
			first = append(first, data.Member{Key: k, Value: data.String(s.String())})
		}
	}
	return c.members(o, first, depth)
}

func (c *copier) members(o *value.Object, out []data.Member, depth int) (data.Value, bool) {
	out = slices.Grow(out, len(o.Slots))
	plain, ok := c.r.EachPlain(o, func(k value.Key, v value.Value) (ok bool) {
		out, ok = c.copied(k.String(), v, out, depth)
		return ok
	})
	if !plain {
		out, ok = c.eachMember(o, out, depth)
	}
	if !ok {
		return nil, false
	}
	return data.NewObject(out), true
}

// eachMember copies the members of any object.
func (c *copier) eachMember(o *value.Object, out []data.Member, depth int) ([]data.Member, bool) {
	keys, ok := c.r.OwnKeys(o)
	for i := 0; ok && i < len(keys); i++ {
		if !keys[i].IsSymbol() {
			out, ok = c.member(o, keys[i], out, depth)
		}
	}
	return out, ok
}

// member copies the property k, if o still has it and it is enumerable.
func (c *copier) member(o *value.Object, k value.Key, out []data.Member, depth int) ([]data.Member, bool) {
	d, ok := c.r.GetOwn(o, k)
	if !ok || d.Attr&value.Enumerable == 0 {
		return out, true
	}
	v := d.Value
	if d.IsAccessor() {
		v = c.r.Get(o, k)
	}
	return c.copied(k.String(), v, out, depth)
}

// copied appends the copy of a property's value.
func (c *copier) copied(name string, v value.Value, out []data.Member, depth int) ([]data.Member, bool) {
	if v.IsThrow() || !c.r.Step(1) || !c.grow(16) {
		return nil, false
	}
	c.path = append(c.path, step{name, -1})
	x, ok := c.value(v, depth+1)
	if !ok {
		return nil, false
	}
	c.path = c.path[:len(c.path)-1]
	if x != nil {
		out = append(out, data.Member{Key: name, Value: x})
	}
	return out, true
}

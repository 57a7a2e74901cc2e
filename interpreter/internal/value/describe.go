package value

// This file defines how values are named in messages.

import (
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/diagnostics"
)

// Describe names a value in a message, short and without running guest code.
func (r *Realm) Describe(v Value) string {
	switch v.p.kind {
	case KindString:
		s := v.Str()
		if s.Len() > 40 {
			return strconv.Quote(s.Slice(0, 40).String()) + "…"
		}
		return strconv.Quote(s.String())
	case KindSymbol:
		return v.Symbol().Descriptive()
	case KindBigInt:
		return v.BigInt().Int.String() + "n"
	case KindObject:
		return r.describeObject(v.Object())
	}
	return PrimitiveToString(v).String()
}

// unquoted is Describe with the text of a string as it is.
func (r *Realm) unquoted(v Value) string {
	if s := v.Str(); s != nil {
		if s.Len() > 40 {
			return s.Slice(0, 40).String() + "…"
		}
		return s.String()
	}
	return r.Describe(v)
}

func (r *Realm) describeObject(o *Object) string {
	switch o.Class {
	case ClassArray:
		return "Array(" + strconv.Itoa(int(o.N)) + ")"
	case ClassFunction:
		if n := r.FunctionName(o.asFunction()); n != "" {
			return "function " + n
		}
		return "function"
	case ClassPromise:
		return "a Promise"
	case ClassTools:
		if s, ok := o.Ext.(interface{ Describe() string }); ok {
			return s.Describe()
		}
	}
	return "#<" + r.ConstructorName(o) + ">"
}

// ConstructorName is the name of the constructor an object comes from, for messages; no guest code runs.
func (r *Realm) ConstructorName(o *Object) string {
	for p := o; p != nil; p = p.Shape.Proto {
		if p.Class == ClassUint8Array {
			continue // its own properties are its bytes
		}
		if p.Flags&FlagExotic != 0 {
			break
		}
		if v, ok := r.GetOwnValue(p, Name("constructor")); ok {
			if f := v.Function(); f != nil {
				if made, ok := r.GetOwnValue(v.Object(), Name("prototype")); ok && p == o && made.Object() == o {
					continue // the prototype itself is none of its instances
				}
				if n := r.FunctionName(f); n != "" {
					return n
				}
			}
			break
		}
	}
	return "Object"
}

func (r *Realm) keyText(key Value) string {
	switch {
	case key.IsSymbol():
		return key.Symbol().Descriptive()
	case key.IsObject():
		return r.Describe(key)
	}
	return PrimitiveToString(key).String()
}

func (r *Realm) throwReadOnly(o *Object, k Key) {
	if d, ok := r.lookupDesc(o, k); ok {
		if d.IsAccessor() {
			r.ThrowTypeError("Cannot set property %s of %s which has only a getter", k, r.Describe(o.Value()))
			return
		}
		r.ThrowTypeError("Cannot assign to read only property '%s' of object '%s'", k, r.Describe(o.Value()))
		return
	}
	r.ThrowTypeError("Cannot add property %s, object is not extensible", k)
}

func (r *Realm) lookupDesc(o *Object, k Key) (Desc, bool) {
	for ; o != nil; o = o.Shape.Proto {
		if d, ok := r.GetOwn(o, k); ok {
			return d, true
		}
	}
	return Desc{}, false
}

// ThrowDestructure is the TypeError of destructuring undefined or null; text is the expression that gave it, "" if that
// has no short form, and hint follows the sentence.
func (r *Realm) ThrowDestructure(v Value, key, text, hint string) Value {
	s := PrimitiveToString(v).String()
	if text == "" {
		text = s
	}
	if sentence, ok := strings.CutPrefix(hint, "; "); ok {
		for _, word := range []string{"it ", "the "} {
			if rest, ok := strings.CutPrefix(sentence, word); ok {
				sentence = strings.ToUpper(word[:1]) + word[1:] + rest
			}
		}
		hint = ". " + sentence
	} else {
		hint += "."
	}
	if key != "" {
		return r.ThrowTypeError("Cannot destructure property '%s' of '%s' as it is %s%s", key, text, s, hint)
	}
	return r.ThrowTypeError("Cannot destructure '%s' as it is %s%s", text, s, hint)
}

// ThrowNotFunction is the TypeError of calling something that is not callable: it names the callee, what it is, and the
// method that was probably meant.
func (r *Realm) ThrowNotFunction(text, name string, fn, this Value) Value {
	if text == "" {
		text = r.Describe(fn)
	}
	msg := text + " is not a function"
	if p := NativePromise(this); p != nil && name != "" {
		return r.ThrowTypeError("%s; it is called on a Promise: await it first", msg)
	}
	if u, ok := r.missedOnText(name); ok && this.Str() != nil {
		return r.ThrowTypeError("%s; %s", msg, u.Hint())
	}
	switch {
	case fn.IsUndefined() && name != "" && r.Suggest != nil:
		base, ok := strings.CutSuffix(text, "."+name)
		if base = strings.TrimSuffix(base, "?"); !ok || strings.Contains(base, "(intermediate value)") || strings.HasSuffix(base, "(...)") {
			base = ""
		}
		msg += r.Suggest(r, base, name, this)
	case NativePromise(fn) != nil:
		msg += "; it is a Promise: await it first"
	case fn.IsString() || fn.IsNumber() || fn.IsBool():
		msg += "; it is a " + TypeOf(fn).String() + ": read it without ()"
	case fn.IsObject() && fn.Object().Class == ClassTools:
		msg += "; it is a namespace of tools: " + r.UseTool(fn.Object())
	case !fn.IsNullish():
		msg += "; it is " + r.kindOf(fn)
	}
	return r.ThrowTypeError("%s", msg)
}

// kindOf shows what an array or a plain object holds, and names other values.
func (r *Realm) kindOf(v Value) string {
	if s := r.ShapeText(v); s != "" {
		return s
	}
	return r.Describe(v)
}

// EnterCycle notes that o is being converted to text; false if it already is, or if the nesting is too deep.
func (r *Realm) EnterCycle(o *Object) (leave func(), ok bool) {
	for _, p := range r.joining {
		if p == o {
			return nil, false
		}
	}
	r.joining = append(r.joining, o)
	return func() { r.joining = r.joining[:len(r.joining)-1] }, true
}

// ToolNames lists the children of a tool reference, for messages; false if there is nothing at its path.
func (r *Realm) ToolNames(o *Object) ([]string, bool) {
	if x, ok := o.Ext.(interface{ Names() ([]string, bool) }); ok {
		return x.Names()
	}
	return nil, false
}

// UseTool says what to do with a reference into the tool tree that was used as a value: call it, or a tool of the namespace.
func (r *Realm) UseTool(o *Object) string {
	names, ok := r.ToolNames(o)
	if !ok || len(names) == 0 {
		return "call it and await the result"
	}
	return "call a tool of it and await the result; " + r.Describe(o.Value()) + " has " + strings.Join(names[:min(len(names), maxShapeKeys)], ", ")
}

// HasTool tells whether the tool tree has a tool or namespace of this name at its top.
func (r *Realm) HasTool(name string) bool {
	if r.Env.Tools == nil {
		return false
	}
	o := r.Env.Tools().Object()
	if o == nil {
		return false
	}
	_, ok := r.GetOwn(o, Name(name))
	return ok
}

// Undeclared is what to say of an undeclared name, hint being what its text and its program tell: sentences, or "".
func (r *Realm) Undeclared(name, hint string) string {
	if r.HasTool(name) {
		return "Did you mean tools." + name + "?"
	}
	if r.Env.Meaning != nil {
		if meant := r.Env.Meaning(name); meant != "" {
			if hint != "" {
				hint += ". "
			}
			return hint + meant
		}
	}
	if hint != "" {
		return hint
	}
	if near := r.nearGlobal(name); near != "" {
		return "Did you mean " + near + "?"
	}
	return ""
}

// nearGlobal is the tool, the namespace or the name of the library whose name is near; "" if none is.
func (r *Realm) nearGlobal(name string) string {
	if r.Env.Tools != nil {
		if o := r.Env.Tools().Object(); o != nil {
			names, _ := r.ToolNames(o)
			if near, ok := diagnostics.Nearest(name, names); ok {
				return "tools." + near
			}
		}
	}
	names := make([]string, len(r.lib.Globals))
	for i := range names {
		names[i] = r.lib.Globals[i].Name
	}
	near, _ := diagnostics.Nearest(name, names)
	return near
}

// maxShapeKeys is how many members of an object a message shows.
const maxShapeKeys = 6

// ShapeText shows what an array or a plain object holds, without values and bounded; "" for other values.
func (r *Realm) ShapeText(v Value) string {
	if o := v.Object(); o != nil && o.Class == ClassArray {
		return r.Describe(v)
	}
	return r.shapeText(v)
}

// maxShapeKey bounds the name of a member in a message.
const maxShapeKey = 40

// shapeText shows what a plain object holds, "{ items: Array(3), total: number }"; "" for other values.
func (r *Realm) shapeText(v Value) string {
	o := v.Object()
	if o == nil || o.Class != ClassObject || o.Flags&FlagExotic != 0 || o.Shape.Proto != r.intrinsics[ObjectPrototype] {
		return ""
	}
	keys, _ := r.OwnKeys(o)
	var parts []string
	for _, k := range keys {
		if len(parts) == maxShapeKeys {
			parts = append(parts, "…")
			break
		}
		if x, ok := r.GetOwnValue(o, k); ok && k.Sym == nil {
			kind := TypeOf(x).String()
			if xo := x.Object(); xo != nil && xo.Class == ClassArray {
				kind = r.Describe(x)
			} else if NativePromise(x) != nil {
				kind = "Promise"
			} else if x.IsNull() {
				kind = "null"
			}
			parts = append(parts, shortKey(k.String())+": "+kind)
		}
	}
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// nullArgument is what is known of an argument that must not be undefined or null but is, at the call that is about to fail.
type nullArgument struct {
	pos  int32
	text string
	hint string
}

// NoteNullArgument says what the argument of the call at pos is in the program, and why it may be undefined or null.
func (r *Realm) NoteNullArgument(pos int32, text, hint string) {
	r.nullArg = nullArgument{pos, text, hint}
}

// nullArgHint says which argument of the call under way is undefined or null.
func (r *Realm) nullArgHint(lead string) string {
	a := &r.nullArg
	if a.text == "" || a.pos != r.Pos {
		return ""
	}
	return lead + a.text + a.hint
}

// ThrowNullish is the TypeError about an undefined or null value that is not as said.
func (r *Realm) ThrowNullish(v Value, said string) Value {
	return r.ThrowTypeError("%s %s%s", PrimitiveToString(v), said, r.nullArgHint(": "))
}

// maxMissing is how many of the properties that patterns did not find are kept.
const maxMissing = 4

// missing is a property that a pattern did not find in a plain object.
type missing struct {
	pos   int32
	shape *Shape
}

// NoteMissing keeps what keys v has, in which the pattern at pos did not find a property.
func (r *Realm) NoteMissing(v Value, pos int32) {
	if o := v.Object(); o != nil && o.Class == ClassObject && o.Flags&FlagExotic == 0 && !o.Shape.owned {
		r.missing[uint32(pos)%maxMissing] = missing{pos, o.Shape}
	}
}

// MissedInPattern says what keys there were where the pattern at pos found no property; text is the expression of the object, or "".
func (r *Realm) MissedInPattern(pos int32, text string) string {
	m := &r.missing[uint32(pos)%maxMissing]
	if m.shape == nil || m.pos != pos {
		return ""
	}
	if text == "" {
		text = "an object"
	}
	var keys []string
	for i := range m.shape.props {
		switch p := &m.shape.props[i]; {
		case p.sym != nil || p.attr&attrDeleted != 0:
		case len(keys) == maxShapeKeys:
			keys = append(keys, "…")
		case len(keys) < maxShapeKeys:
			keys = append(keys, shortKey(p.name))
		}
	}
	if len(keys) == 0 {
		return "; it was taken from " + text + ", which is {}"
	}
	return "; it was taken from " + text + ", which has " + strings.Join(keys, ", ")
}

func shortKey(name string) string {
	if len(name) > maxShapeKey {
		return NewStr(name).Slice(0, maxShapeKey).String() + "…"
	}
	return name
}

// NullishHint is what a message about a property of undefined adds when the undefined value came from a promise; name is
// the property it was read as.
func (r *Realm) NullishHint(name string) string {
	if r.missedOnPromise(name) {
		return ", since it was read from a Promise: await the Promise first"
	}
	if u, ok := r.missedOnText(name); ok {
		return "; " + u.Hint()
	}
	return ""
}

package builtin

// This file defines what is said about a method that does not exist: what the value is, and what was probably meant. A wrong
// suggestion is worse than none.

import (
	"strings"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// maxCandidates bounds the names that a misspelt one is compared with.
const maxCandidates = 500

// Suggest is what follows "… is not a function" for a missing method of this: "; x is a string: use Number(x).toFixed(…)".
// base is the expression of this, "" if it has no short form. It runs no code of the program.
func Suggest(r *realm, base, name string, this val) string {
	m := &missedMethod{r: r, name: name, this: this, subject: base, base: base}
	m.kind, m.what = m.describe()
	if m.subject == "" {
		m.subject, m.base = "it", kindNouns[m.kind]
	}
	intro := ""
	if m.what != "" {
		intro = "; " + m.subject + " is " + m.what
	}
	if use := m.instead(); use != "" {
		if intro == "" {
			return "; " + use
		}
		return intro + ": " + use
	}
	if near := m.nearest(); near != "" {
		return intro + ". Did you mean " + near + "?"
	}
	return intro
}

type missedMethod struct {
	r       *realm
	name    string
	this    val
	kind    baseKind
	what    string // describes the value, "" for nothing to say
	subject string // names it in a sentence
	base    string // names it in code
}

func (m *missedMethod) describe() (baseKind, string) {
	switch {
	case m.this.IsString():
		return baseString, "a string"
	case m.this.IsNumber():
		return baseNumber, "a number"
	case m.this.Kind() == value.KindBool:
		return baseOther, "a boolean"
	case m.this.IsBigInt():
		return baseOther, "a bigint"
	}
	o := m.this.Object()
	if o == nil {
		return baseOther, ""
	}
	switch o.Class {
	case value.ClassArray:
		return baseArray, "an " + m.r.Describe(m.this)
	case value.ClassDate:
		return baseDate, "a Date"
	case value.ClassMap, value.ClassSet:
		kind := baseMap
		if o.Class == value.ClassSet {
			kind = baseSet
		}
		return kind, "a " + m.r.ConstructorName(o) + o.Ext.(Inspectable).Inspect(m.r, func(val) string { return "" }).Size
	case value.ClassFunction:
		f := o.Function()
		if f.Code == nil || f.Flags&value.FlagClass != 0 {
			return baseClass, ""
		}
		return baseFunction, "a function"
	case value.ClassObject:
		if shape := m.r.ShapeText(m.this); shape != "" {
			return baseObject, shape
		}
		if name := m.r.ConstructorName(o); name != "Object" {
			return baseOther, "a " + name
		}
	}
	return baseOther, ""
}

// instead is what to write, from the tables; "" if they do not know.
func (m *missedMethod) instead() string {
	if use, ok := insteadOf[m.kind][m.name]; ok {
		return m.fill(use)
	}
	r, call := m.r, m.call()
	is := func(id value.ID) bool { return hasMethod(r, r.Intrinsic(id), m.name) }
	switch m.kind {
	case baseString:
		switch {
		case is(value.DatePrototype):
			return "use new Date(" + m.base + ")" + call
		case is(value.NumberPrototype):
			return "use Number(" + m.base + ")" + call
		case is(value.ArrayPrototype):
			return "make it an array first, " + m.base + ".split(…)" + call
		}
	case baseNumber:
		switch {
		case is(value.DatePrototype):
			return "use new Date(" + m.base + ")" + call
		case is(value.StringPrototype) && !annexB[m.name]:
			return "use String(" + m.base + ")" + call
		case hasMethod(r, r.Intrinsic(value.MathNamespace), m.name):
			return "use Math." + m.name + "(" + m.base + ")"
		}
	case baseArray:
		if is(value.StringPrototype) && !annexB[m.name] {
			return "use " + m.base + ".map(x => x" + call + ")"
		}
	case baseDate:
		if is(value.StringPrototype) && !annexB[m.name] {
			return "use " + m.base + ".toISOString()" + call
		}
	case baseMap, baseSet:
		if is(value.ArrayPrototype) {
			return "use [..." + m.base + "]" + call
		}
	case baseFunction:
		return m.callFirst()
	case baseClass:
		return m.ofInstances()
	case baseObject:
		return m.ofObject()
	}
	return ""
}

// call is the call of the method on what has it.
func (m *missedMethod) call() string {
	for _, id := range []value.ID{value.ArrayPrototype, value.StringPrototype, value.NumberPrototype, value.DatePrototype} {
		if v, ok := m.r.GetOwnValue(m.r.Intrinsic(id), value.Name(m.name)); ok && v.Function() != nil {
			if n, ok := m.r.GetOwnValue(v.Object(), value.Name("length")); ok && n.IsNumber() && n.Float() == 0 {
				return "." + m.name + "()"
			}
			break
		}
	}
	return "." + m.name + "(…)"
}

// callFirst is for a method of what a function returns.
func (m *missedMethod) callFirst() string {
	r := m.r
	for _, id := range []value.ID{value.ArrayPrototype, value.StringPrototype, value.NumberPrototype, value.DatePrototype, value.PromisePrototype, value.MapPrototype} {
		if !hasMethod(r, r.Intrinsic(id), m.name) || annexB[m.name] {
			continue
		}
		call := m.base + "(…)"
		if code := m.this.Function().Code; code.Kind == value.CodeAsync && id != value.PromisePrototype {
			call = "(await " + call + ")"
		}
		return "call it first, " + call + m.call()
	}
	return ""
}

// ofInstances is for a method that the instances of a class have.
func (m *missedMethod) ofInstances() string {
	p, ok := m.r.GetOwnValue(m.this.Object(), value.Name("prototype"))
	if !ok || p.Object() == nil || !hasMethod(m.r, p.Object(), m.name) || annexB[m.name] {
		return ""
	}
	return "it is a method of what new " + m.base + "(…) gives, not of " + m.base
}

// ofObject is for a method of a collection that a plain object was taken for.
func (m *missedMethod) ofObject() string {
	if !hasMethod(m.r, m.r.Intrinsic(value.ArrayPrototype), m.name) {
		return ""
	}
	list, arrays := m.r.SoleArray(m.this.Object())
	if arrays == 1 && isIdentifier(list) {
		return "use " + m.base + member(list) + m.call()
	}
	return "use Object.values(" + m.base + ")" + m.call() + " or Object.entries"
}

func isIdentifier(s string) bool { return keyLabel(value.Name(s)) == s }

func hasMethod(r *realm, o *object, name string) bool {
	v, ok := r.GetOwnValue(o, value.Name(name))
	return ok && v.Function() != nil
}

// fill puts the expression of the value into a text of the tables.
func (m *missedMethod) fill(text string) string { return strings.ReplaceAll(text, "%", m.base) }

// nearest is the method whose name is spelt almost so.
func (m *missedMethod) nearest() string {
	r := m.r
	o := m.this.Object()
	if o == nil {
		if o = r.PrimitivePrototype(m.this); o == nil {
			return ""
		}
	}
	var names []string
	for p := o; p != nil && p.Flags&value.FlagExotic == 0; p = p.Proto() {
		keys, ok := r.NamedKeys(p)
		if !ok {
			break
		}
		for _, k := range keys {
			if name := k.String(); !k.IsSymbol() && !k.IsIndex && len(names) < maxCandidates && !annexB[name] && name != "constructor" {
				names = append(names, name)
			}
		}
	}
	near, _ := diagnostics.Nearest(m.name, names)
	return near
}

package builtin

// This file defines replace, replaceAll and the $-patterns of replacements (ECMA-262 22.1.3.19–20).

import "github.com/codemode-go/codemode/interpreter/internal/value"

// delegate calls the method that an object argument has for a well-known symbol; done is false if there is none.
func delegate(r *realm, v val, sym *value.Symbol, args ...val) (res val, done bool) {
	if !v.IsObject() {
		return value.Undefined, false
	}
	m := r.GetMethod(v, value.SymbolKey(sym))
	if m.IsThrow() {
		return m, true
	}
	if m.IsUndefined() {
		return m, false
	}
	return r.CallArgs(m, v, args), true
}

func notNullish(r *realm, this val, method string) bool {
	if this.IsNullish() {
		r.ThrowTypeError("String.prototype.%s called on null or undefined", method)
		return false
	}
	return true
}

func stringReplace(r *realm, this val, args []val) val {
	if !notNullish(r, this, "replace") {
		return value.Throw
	}
	pattern, with := arg(args, 0), arg(args, 1)
	if v, done := delegate(r, pattern, value.SymReplace, this, with); done {
		return v
	}
	return replaceText(r, this, pattern, with, false)
}

func stringReplaceAll(r *realm, this val, args []val) val {
	if !notNullish(r, this, "replaceAll") {
		return value.Throw
	}
	pattern, with := arg(args, 0), arg(args, 1)
	if pattern.IsObject() {
		if !needsGlobal(r, pattern, "replaceAll") {
			return value.Throw
		}
		if v, done := delegate(r, pattern, value.SymReplace, this, with); done {
			return v
		}
	}
	return replaceText(r, this, pattern, with, true)
}

// needsGlobal checks that a regular expression has the g flag; false if it threw.
func needsGlobal(r *realm, pattern val, method string) bool {
	re, ok := isRegExp(r, pattern)
	if !ok || !re {
		return ok
	}
	flags := r.GetV(pattern, value.Name("flags"))
	if flags.IsThrow() {
		return false
	}
	if flags.IsNullish() {
		r.ThrowTypeError("String.prototype.%s called with a regular expression without flags", method)
		return false
	}
	s := r.ToString(flags)
	if s == nil {
		return false
	}
	if s.Index(value.ASCII("g"), 0) < 0 {
		r.ThrowTypeError("String.prototype.%s called with a non-global RegExp argument: add the g flag", method)
		return false
	}
	return true
}

// replaceText replaces the first or every occurrence of a text.
func replaceText(r *realm, this, pattern, with val, all bool) val {
	s := r.ToString(this)
	if s == nil {
		return value.Throw
	}
	t := r.ToString(pattern)
	if t == nil {
		return value.Throw
	}
	var template *value.Str
	if !with.IsCallable() {
		if template = r.ToString(with); template == nil {
			return value.Throw
		}
	}
	var b textBuilder
	defer b.release(r)
	end, at := 0, 0
	for at <= s.Len() {
		i, ok := find(r, s, t, at)
		if !ok {
			return value.Throw
		}
		if i < 0 {
			break
		}
		b.add(s, end, i)
		if template != nil {
			if !b.substitute(r, template, s, t, i, nil, value.Undefined) {
				return value.Throw
			}
		} else if !b.addReplacement(r, r.Call(with, value.Undefined, t.Value(), value.Int(i), s.Value()), with) {
			return value.Throw
		}
		end = i + t.Len()
		at = i + max(1, t.Len())
		if !all {
			break
		}
		if !r.Step(1) || !b.bounded(r) {
			return value.Throw
		}
	}
	if end == 0 && b.len() == 0 {
		return s.Value()
	}
	b.add(s, end, s.Len())
	return b.value(r)
}

// addReplacement appends what a replacement function gave; a promise is a mistake that is explained.
func (t *textBuilder) addReplacement(r *realm, v, fn val) bool {
	if v.IsThrow() {
		return false
	}
	if o := v.Object(); o != nil && o.Class == value.ClassPromise {
		r.ThrowTypeError("the replacement function returned a Promise, and replace does not wait: " +
			"collect the matches first ([...text.matchAll(pattern)]), await Promise.all over them, then replace with the results")
		return false
	}
	return t.addValue(r, v)
}

// substitute appends a replacement template (GetSubstitution, 22.1.3.19.1). captures[0] is group 1.
func (t *textBuilder) substitute(r *realm, template, s, matched *value.Str, position int, captures []val, named val) bool {
	from := 0
	n := template.Len()
	for {
		i := template.Index(dollar, from)
		if i < 0 || i+1 >= n {
			t.add(template, from, n)
			return t.bounded(r)
		}
		t.add(template, from, i)
		c := template.At(i + 1)
		from = i + 2
		switch {
		case c == '$':
			t.addUnit('$')
		case c == '&':
			t.addStr(matched)
		case c == '`':
			t.add(s, 0, position)
		case c == '\'':
			t.add(s, min(position+matched.Len(), s.Len()), s.Len())
		case c >= '0' && c <= '9':
			used, ok := t.numbered(r, template, i, captures)
			if !ok {
				return false
			}
			from = i + used
		case c == '<' && !named.IsUndefined():
			used, ok := t.named(r, template, i, named)
			if !ok {
				return false
			}
			from = i + used
		default:
			t.addUnit('$')
			from = i + 1
		}
		if !t.bounded(r) {
			return false
		}
	}
}

var dollar = value.ASCII("$")

// numbered appends group $n or $nn at i and tells how many units of the template it took.
func (t *textBuilder) numbered(r *realm, template *value.Str, i int, captures []val) (used int, ok bool) {
	d := int(template.At(i+1) - '0')
	used = 2
	if i+2 < template.Len() {
		if c := template.At(i + 2); c >= '0' && c <= '9' {
			if dd := d*10 + int(c-'0'); dd >= 1 && dd <= len(captures) {
				d, used = dd, 3
			}
		}
	}
	if d < 1 || d > len(captures) {
		t.addUnit('$')
		return 1, true
	}
	if v := captures[d-1]; !v.IsUndefined() {
		return used, t.addValue(r, v)
	}
	return used, true
}

// named appends group $<name> at i.
func (t *textBuilder) named(r *realm, template *value.Str, i int, groups val) (used int, ok bool) {
	end := template.Index(value.ASCII(">"), i+2)
	if end < 0 {
		t.addUnit('$')
		return 1, true
	}
	v := r.GetV(groups, value.StrKey(template.Slice(i+2, end)))
	if v.IsThrow() {
		return 0, false
	}
	if !v.IsUndefined() && !t.addValue(r, v) {
		return 0, false
	}
	return end + 1 - i, true
}

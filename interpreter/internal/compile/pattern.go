package compile

// This file defines destructuring (ECMA-262 8.6.2, 13.15.5).

import (
	"cmp"

	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// bind compiles the binding of a declaration's target to a value; the result is false if it threw. With fresh the names
// are being initialised, otherwise (var) assigned.
func (c *fn) bind(target syntax.Expr, fresh bool) func(f *Frame, v Value) bool {
	switch n := target.(type) {
	case *syntax.Ident:
		if n.Ref.Kind == syntax.RefGlobal {
			return c.writeName(n)
		}
		write := c.writeRef(n.Ref)
		return func(f *Frame, v Value) bool { write(f, v); return true }
	case *syntax.ArrayPattern:
		return c.arrayPattern(n, c.bindElement)
	case *syntax.ObjectPattern:
		return c.objectPattern(n, c.bindElement)
	}
	return c.assignTo(target)
}

// assignTo compiles an assignment to any target, patterns included.
func (c *fn) assignTo(target syntax.Expr) func(f *Frame, v Value) bool {
	switch n := target.(type) {
	case *syntax.Ident:
		return c.writeName(n)
	case *syntax.ArrayPattern:
		return c.arrayPattern(n, c.assignElement)
	case *syntax.ObjectPattern:
		return c.objectPattern(n, c.assignElement)
	}
	p := c.place(target)
	return func(f *Frame, v Value) bool { return p.prepare(f) && p.write(f, v) }
}

// element is a compiled part of a pattern: prepare evaluates the target's object and key (before the value is taken from
// the source), store takes the value.
type element struct {
	prepare func(f *Frame) bool
	store   func(f *Frame, v Value) bool
}

type elementCompiler func(target, def syntax.Expr) element

func nothing(*Frame) bool { return true }

func (c *fn) bindElement(target, def syntax.Expr) element {
	return element{nothing, c.withDefaultStore(c.bind(target, true), def, target)}
}

func (c *fn) assignElement(target, def syntax.Expr) element {
	switch target.(type) {
	case *syntax.Ident, *syntax.ArrayPattern, *syntax.ObjectPattern:
		return element{nothing, c.withDefaultStore(c.assignTo(target), def, target)}
	}
	p := c.place(target)
	return element{p.prepare, c.withDefaultStore(p.write, def, target)}
}

// withDefault replaces undefined by a default's value.
func (c *fn) withDefault(v expr, def, target syntax.Expr) expr {
	name := ""
	if id, ok := target.(*syntax.Ident); ok {
		name = id.Orig
	}
	d := c.named(def, name)
	return func(f *Frame) Value {
		x := v(f)
		if x.IsUndefined() {
			return d(f)
		}
		return x
	}
}

func (c *fn) withDefaultStore(store func(f *Frame, v Value) bool, def, target syntax.Expr) func(f *Frame, v Value) bool {
	if def == nil {
		return store
	}
	name := ""
	if id, ok := target.(*syntax.Ident); ok {
		name = id.Orig
	}
	d := c.named(def, name)
	return func(f *Frame, v Value) bool {
		if v.IsUndefined() {
			if v = d(f); v.IsThrow() {
				return false
			}
		}
		return store(f, v)
	}
}

func (c *fn) arrayPattern(n *syntax.ArrayPattern, mk elementCompiler) func(f *Frame, v Value) bool {
	from := c.takeSource()
	t := c.temp(3) // source, next method, element
	elems := make([]element, len(n.Elems))
	for i, e := range n.Elems {
		if e.Target != nil {
			elems[i] = mk(e.Target, e.Default)
		}
	}
	var rest element
	if n.Rest != nil {
		rest = mk(n.Rest, nil)
	}
	hasRest, pos := n.Rest != nil, int32(n.Pos)
	return func(f *Frame, v Value) bool {
		r := f.R
		f.S[t] = v
		r.Pos = pos
		it, ok := r.GetIterator(v)
		if !ok {
			notIterable(r, v, from.text, from.hint(f))
			return false
		}
		f.S[t], f.S[t+1] = it.Object, it.Next
		for i := range elems {
			if !patternStep(f, &it, &elems[i], t+2) {
				return false
			}
		}
		if hasRest {
			return patternRest(f, &it, &rest, t+2)
		}
		return it.Done || r.CloseIterator(&it, false)
	}
}

// patternStep takes one element; on a throw outside the iterator it closes it.
func patternStep(f *Frame, it *value.Iterator, e *element, t int) bool {
	if e.store != nil && !e.prepare(f) {
		closeFailed(f, it)
		return false
	}
	v := value.Undefined
	if !it.Done {
		x, _, ok := f.R.IteratorStep(it)
		if !ok {
			return false
		}
		v = x
	}
	if e.store == nil {
		return true
	}
	f.S[t] = v
	if !e.store(f, v) {
		closeFailed(f, it)
		return false
	}
	return true
}

// closeFailed closes the iterator of a pattern that is left early: by a throw, or by a return that a generator was
// resumed with, which a failure to close overrides.
func closeFailed(f *Frame, it *value.Iterator) {
	if !f.Co.Returning {
		f.R.CloseIterator(it, true)
		return
	}
	ret := f.Co.ReturnValue
	f.Co.Returning = false
	if f.R.CloseIterator(it, false) {
		f.Co.Returning, f.Co.ReturnValue = true, ret
	}
}

func patternRest(f *Frame, it *value.Iterator, e *element, t int) bool {
	r := f.R
	if !e.prepare(f) {
		closeFailed(f, it)
		return false
	}
	o := r.NewArray(nil)
	f.S[t] = o.Value()
	for !it.Done {
		v, done, ok := r.IteratorStep(it)
		if !ok || !r.Step(1) {
			return false
		}
		if !done {
			r.Push(o, v)
		}
	}
	return e.store(f, o.Value())
}

// propKey compiles a property name to a key; static says it needs no evaluation.
func (c *fn) propKey(k *syntax.PropName) (static value.Key, dynamic func(f *Frame) (value.Key, bool)) {
	if k.Computed == nil {
		return value.StringKey(k.Name), nil
	}
	x := c.expr(k.Computed)
	return value.Key{}, func(f *Frame) (value.Key, bool) {
		v := x(f)
		if v.IsThrow() {
			return value.Key{}, false
		}
		return f.R.ToPropertyKey(v)
	}
}

type patternProp struct {
	key     value.Key
	dynamic func(f *Frame) (value.Key, bool)
	site    int
	pos     int32 // where a variable is made of it that has no default; else -1
	element
}

func (c *fn) objectPattern(n *syntax.ObjectPattern, mk elementCompiler) func(f *Frame, v Value) bool {
	from := c.takeSource()
	t := c.temp(2)
	props := make([]patternProp, len(n.Props))
	for i := range n.Props {
		p := &n.Props[i]
		props[i].key, props[i].dynamic = c.propKey(&p.Key)
		c.sourceOfProp(p, &from)
		c.takes(p.Target, p, &from)
		props[i].element = mk(p.Target, p.Default)
		c.source = origin{slot: -1}
		props[i].site, props[i].pos = c.getSite(), -1
		if p.Default == nil && p.Key.Computed == nil {
			props[i].pos = int32(p.Pos)
		}
	}
	var rest *element
	if n.Rest != nil {
		e := mk(n.Rest, nil)
		rest = &e
	}
	var named []value.Key // what the rest is without, if no key is computed
	for i := range props {
		if props[i].dynamic != nil {
			named = nil
			break
		}
		named = append(named, props[i].key)
	}
	static := rest != nil && len(named) == len(props)
	pos, first := int32(n.Pos), ""
	if len(n.Props) > 0 && n.Props[0].Key.Computed == nil {
		first = n.Props[0].Key.Name
	}
	return func(f *Frame, v Value) bool {
		r := f.R
		f.S[t] = v
		if !v.IsObject() {
			if r.Pos = pos; v.IsNullish() {
				r.ThrowDestructure(v, first, from.text, cmp.Or(r.NullishHint(lastKey(from.text)), from.hint(f)))
				return false
			}
		}
		taken := named
		if !static {
			taken = nil
		}
		for i := range props {
			p := &props[i]
			k := p.key
			if p.dynamic != nil {
				var ok bool
				if k, ok = p.dynamic(f); !ok {
					return false
				}
			}
			if !p.prepare(f) {
				return false
			}
			var x Value
			if k.IsIndex || p.dynamic != nil {
				x = r.GetV(v, k)
			} else {
				x = r.LoadFast(v, k, p.site)
			}
			if x.IsThrow() {
				return false
			}
			if x.IsUndefined() && p.pos >= 0 {
				r.NoteMissing(v, p.pos)
			}
			f.S[t+1] = x
			if !p.store(f, x) {
				return false
			}
			if rest != nil && !static {
				taken = append(taken, k)
			}
		}
		if rest == nil {
			return true
		}
		if !rest.prepare(f) {
			return false
		}
		if o := r.CopyPlain(v, taken, 0); o != nil {
			f.S[t+1] = o.Value()
			return rest.store(f, o.Value())
		}
		o := r.NewPlain(0)
		f.S[t+1] = o.Value()
		if !r.CopyDataProperties(o, v, taken) {
			return false
		}
		return rest.store(f, o.Value())
	}
}

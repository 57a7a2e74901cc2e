package builtin

// This file defines what regular expressions keep: compiled patterns in the process, prepared texts in the realm.

import (
	"container/list"
	"sync"
	"time"

	"github.com/codemode-go/codemode/internal/ecmaregexp"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// matchSlice is how long the fast matcher has before the patient one takes over; its clock ticks every 100 ms, so that it has up
// to a quarter of a second.
const matchSlice = 50 * time.Millisecond

// patternCache keeps the patterns compiled last, process-wide, since compiling takes longer than most matches.
type patternCache struct {
	mu    sync.Mutex
	byKey map[patternKey]*list.Element
	order *list.List // of *patternEntry, the one used last in front
}

type patternKey struct{ pattern, flags string }

type patternEntry struct {
	key patternKey
	re  *ecmaregexp.Regexp
}

const (
	maxPatterns      = 256
	maxCachedPattern = 4 << 10
)

var patterns = patternCache{byKey: map[patternKey]*list.Element{}, order: list.New()}

func compileRegExp(pattern, flags string) (*ecmaregexp.Regexp, error) {
	key := patternKey{pattern, flags}
	if re := patterns.get(key); re != nil {
		return re, nil
	}
	re, err := ecmaregexp.Compile(pattern, flags)
	if err != nil {
		return nil, err
	}
	re = re.WithTimeout(matchSlice)
	if len(pattern) <= maxCachedPattern {
		patterns.put(key, re)
	}
	return re, nil
}

func (c *patternCache) get(key patternKey) *ecmaregexp.Regexp {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*patternEntry).re
}

func (c *patternCache) put(key patternKey, re *ecmaregexp.Regexp) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[key] != nil {
		return
	}
	c.byKey[key] = c.order.PushFront(&patternEntry{key, re})
	if c.order.Len() > maxPatterns {
		last := c.order.Back()
		delete(c.byKey, last.Value.(*patternEntry).key)
		c.order.Remove(last)
	}
}

// regExpState is the Ext of %RegExp.prototype%: what one execution keeps for its regular expressions.
type regExpState struct {
	shape    *value.Shape // of regular expressions without properties of their own
	builtins []builtinProp
	species  builtinProp
	inputs   [4]struct {
		s  *value.Str
		in *ecmaregexp.Input
	}
	next int
	dst  []int
}

// builtinProp is a property of the library as it was made.
type builtinProp struct {
	key   value.Key
	value val
	get   *object
}

// newRegExpState notes the builtins that matching by the book would look up, so that it can tell when to take the direct way.
func newRegExpState(r *realm) *regExpState {
	st := &regExpState{}
	proto := r.Intrinsic(value.RegExpPrototype)
	for _, name := range []string{"exec", "flags", "constructor"} {
		st.builtins = append(st.builtins, ownBuiltin(r, proto, value.Name(name)))
	}
	for _, f := range regExpFlags {
		st.builtins = append(st.builtins, ownBuiltin(r, proto, value.Name(f.name)))
	}
	st.species = ownBuiltin(r, r.Intrinsic(value.RegExpConstructor), value.SymbolKey(value.SymSpecies))
	return st
}

func ownBuiltin(r *realm, o *object, k value.Key) builtinProp {
	d, _ := r.GetOwn(o, k)
	return builtinProp{k, d.Value, d.Get}
}

func (b *builtinProp) unchanged(r *realm, o *object) bool {
	d, ok := r.GetOwn(o, b.key)
	return ok && d.Value == b.value && d.Get == b.get
}

func regExpStateOf(r *realm) *regExpState {
	return r.Intrinsic(value.RegExpPrototype).Ext.(*regExpState)
}

// plainRegExp returns the slots of an ordinary regular expression for which no guest code can see how it is matched.
func plainRegExp(r *realm, o *object) (*regExp, *regExpState) {
	x, ok := o.Ext.(*regExp)
	if !ok {
		return nil, nil
	}
	st := regExpStateOf(r)
	if o.Shape != st.shape || !o.Slots[0].IsNumber() {
		return nil, nil
	}
	proto := o.Proto()
	for i := range st.builtins {
		if !st.builtins[i].unchanged(r, proto) {
			return nil, nil
		}
	}
	return x, st
}

// inputBytes is what a prepared text takes at most.
func inputBytes(s *value.Str) int { return 64 + 5*s.Len() }

// input prepares a text for matching; the last few are kept. Nil ends the execution.
func (st *regExpState) input(r *realm, s *value.Str) *ecmaregexp.Input {
	for i := range st.inputs {
		if st.inputs[i].s == s {
			return st.inputs[i].in
		}
	}
	if n := inputBytes(s); n > 256 && !r.Take(n) {
		return nil
	}
	var in *ecmaregexp.Input
	if s.IsASCII() {
		in = ecmaregexp.NewInput(s.ASCII())
	} else {
		in = ecmaregexp.NewInputUnits(s.Units())
	}
	st.inputs[st.next].s, st.inputs[st.next].in = s, in
	st.next = (st.next + 1) % len(st.inputs)
	return in
}

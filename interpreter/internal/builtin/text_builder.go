package builtin

// This file defines textBuilder, which collects the parts of a new string.

import "github.com/codemode-go/codemode/interpreter/internal/value"

// textBuilder collects text: bytes while all of it is ASCII, UTF-16 units from the first part that is not.
//
// While bounded is called in between, the buffer counts for the memory budget; whoever calls it defers release.
type textBuilder struct {
	b    []byte
	u    []uint16
	wide bool
	held int // bytes that bounded reported
	over bool
}

// expect makes room for the texts of a list, if it is one of texts and not large.
func (t *textBuilder) expect(o *object, between *value.Str) {
	const small = 1 << 13
	items, ok := o.Dense()
	if !ok || len(items) > small {
		return
	}
	n := 0
	for _, x := range items {
		s := x.Str()
		if s == nil || !s.IsASCII() || n > small*16 {
			return
		}
		n += s.Len() + between.Len()
	}
	t.b = make([]byte, 0, n)
}

func (t *textBuilder) len() int { return len(t.b) + len(t.u) }

func (t *textBuilder) widen() {
	if t.wide {
		return
	}
	t.wide = true
	t.u = make([]uint16, len(t.b), 2*len(t.b)+16)
	for i, c := range t.b {
		t.u[i] = uint16(c)
	}
	t.b = nil
}

// add appends units [from, to) of s. A text that is already too long does not grow: bounded and value will say so.
func (t *textBuilder) add(s *value.Str, from, to int) {
	if from >= to || t.full(to-from) {
		return
	}
	if s.IsASCII() {
		t.addASCII(s.ASCII()[from:to])
		return
	}
	t.widen()
	t.u = append(t.u, s.Units()[from:to]...)
}

func (t *textBuilder) full(more int) bool {
	t.over = t.over || t.len()+more > value.MaxStringLength
	return t.over
}

func (t *textBuilder) addStr(s *value.Str) { t.add(s, 0, s.Len()) }

func (t *textBuilder) addASCII(s string) {
	if t.full(len(s)) {
		return
	}
	if !t.wide {
		t.b = append(t.b, s...)
		return
	}
	for i := 0; i < len(s); i++ {
		t.u = append(t.u, uint16(s[i]))
	}
}

func (t *textBuilder) addUnit(c uint16) {
	if c < 0x80 && !t.wide {
		t.b = append(t.b, byte(c))
		return
	}
	t.widen()
	t.u = append(t.u, c)
}

// addValue appends ToString(v); false if it threw.
func (t *textBuilder) addValue(r *realm, v val) bool {
	s := r.ToString(v)
	if s == nil {
		return false
	}
	t.addStr(s)
	return t.bounded(r)
}

// bounded throws if the text has become too long, and accounts for what was added.
func (t *textBuilder) bounded(r *realm) bool {
	if t.over || t.len() > value.MaxStringLength {
		tooLong(r)
		return false
	}
	size := cap(t.b) + 2*cap(t.u)
	if size-t.held > 1<<16 {
		r.Charge(size - t.held)
		r.Hold(size - t.held)
		t.held = size
		if !r.Allot(0) {
			return false
		}
	}
	return true
}

// release ends the account of the buffer.
func (t *textBuilder) release(r *realm) {
	r.Hold(-t.held)
	t.held = 0
}

// value gives the string, charged; the builder is used up.
func (t *textBuilder) value(r *realm) val {
	if t.over || t.len() > value.MaxStringLength {
		return tooLong(r)
	}
	if !t.wide {
		return newText(r, value.TakeASCII(t.b))
	}
	r.Charge(len(t.u))
	return newText(r, value.FromUnits(t.u))
}

package builtin

// This file defines textBuilder, which collects the parts of a new string.

import "github.com/codemode-go/codemode/interpreter/internal/value"

// textBuilder collects text: bytes while all of it is ASCII, UTF-16 units from the first part that is not.
type textBuilder struct {
	b    []byte
	u    []uint16
	wide bool
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

// add appends units [from, to) of s.
func (t *textBuilder) add(s *value.Str, from, to int) {
	if from >= to {
		return
	}
	if s.IsASCII() {
		t.addASCII(s.ASCII()[from:to])
		return
	}
	t.widen()
	t.u = append(t.u, s.Units()[from:to]...)
}

func (t *textBuilder) addStr(s *value.Str) { t.add(s, 0, s.Len()) }

func (t *textBuilder) addASCII(s string) {
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

// bounded throws if the text has become too long, and spends fuel on what was added.
func (t *textBuilder) bounded(r *realm) bool {
	if t.len() > value.MaxStringLength {
		tooLong(r)
		return false
	}
	return true
}

// value gives the string, charged.
func (t *textBuilder) value(r *realm) val {
	if t.len() > value.MaxStringLength {
		return tooLong(r)
	}
	if !t.wide {
		return newText(r, value.ASCII(string(t.b)))
	}
	r.Charge(len(t.u))
	return newText(r, value.FromUnits(t.u))
}

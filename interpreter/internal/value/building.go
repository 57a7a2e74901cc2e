package value

// This file defines what the measurement counts of results under construction, which no root reaches yet.

// Building marks the begin of a construction that runs no guest code: until Built, what is charged counts as reached. Use it as
// defer r.Built(r.Building()). Where guest code runs in between, its garbage would count too: root the partial result instead.
func (r *Realm) Building() (mark int64) {
	m := &r.memory
	mark = m.building
	if mark == 0 {
		m.building = m.base + m.charged + 1
	}
	return mark
}

// Built ends the construction that Building began.
func (r *Realm) Built(mark int64) { r.memory.building = mark }

// Hold counts n bytes of a buffer that no root reaches until they are let go with the negative number.
func (r *Realm) Hold(n int) { r.memory.held += int64(n) }

// Take is Allot and Charge: it asks for n bytes and accounts for them; false ends the execution.
func (r *Realm) Take(n int) bool {
	if !r.Allot(n) {
		return false
	}
	r.Charge(n)
	return true
}

// unrooted is the size of what is under construction.
func (m *budget) unrooted() int64 {
	n := m.held
	if m.building != 0 {
		n += m.base + m.charged - (m.building - 1)
	}
	return n
}

// TakeASCII makes a string from ASCII text in a buffer that it takes over.
func TakeASCII(b []byte) *Str {
	if len(b) <= 64 {
		return CopyASCII(b)
	}
	return ASCII(unsafeString(b))
}

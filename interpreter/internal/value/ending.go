package value

// This file defines where a program was when something ended it that it cannot catch: its time, its budget of memory, the host.

// ending is that place, -1 if it is not known.
type ending struct {
	pos   int32 // of a loop, an await or a function, which is certain
	known bool
	near  int32 // of the last operation that could throw
}

// RefuelAt is Refuel in the loop or function at pos.
func (r *Realm) RefuelAt(pos int32) bool {
	if r.Refuel() {
		return true
	}
	r.EndedIn(pos)
	return false
}

// EndedIn notes that the ending, if one is under way, found the program at pos. The first place counts, which is the innermost.
func (r *Realm) EndedIn(pos int32) {
	if r.Terminated && !r.ending.known {
		r.ending.pos, r.ending.known = pos, true
	}
}

// EndPos is where the ending found the program, -1 if that is not known.
func (r *Realm) EndPos() int32 {
	switch {
	case r.ending.known:
		return r.ending.pos
	case r.ending.near > 0:
		return r.ending.near
	}
	return -1
}

package value

// This file defines access to globals from outside the compiled code.

// GlobalNamed returns the value of a global of the library, making it on first use; the library must have it.
func (r *Realm) GlobalNamed(name string) Value { return r.Global(r.lib.GlobalIndex(name)) }

// AssignGlobal assigns to a global; constants and tools throw.
func (r *Realm) AssignGlobal(i int, v Value) bool {
	row := &r.lib.Globals[i]
	if row.Attr == NoAttr {
		r.ThrowTypeError("Cannot assign to '%s': it is read-only. Use a variable of your own", row.Name)
		return false
	}
	r.globals[i] = v
	return true
}

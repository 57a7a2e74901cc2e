package value

// This file defines access to globals by name.

// GlobalNamed returns the value of a global of the library, making it on first use; the library must have it.
func (r *Realm) GlobalNamed(name string) Value { return r.Global(r.lib.GlobalIndex(name)) }

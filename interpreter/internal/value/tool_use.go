package value

// This file defines what is noted of promises and tools that reach an output in the place of what they stand for.

import "github.com/codemode-go/codemode/promise"

// NoteUse notes a use of what is no value yet, once for each place; mend says what to do.
func (r *Realm) NoteUse(what, mend string) {
	if len(r.PromiseUses) >= maxPromiseUses {
		return
	}
	for _, u := range r.PromiseUses {
		if u.Pos == r.Pos {
			return
		}
	}
	r.PromiseUses = append(r.PromiseUses, PromiseUse{What: what, Mend: mend, Pos: r.Pos})
}

// NoteLogged notes logged values of which nothing can be seen: promises that have not settled, and lists of them.
func (r *Realm) NoteLogged(args []Value) {
	for _, v := range args {
		if isPending(v) {
			r.NoteUse("a Promise was logged that has not settled", "await it first")
		} else if o := v.Object(); o != nil && o.Class == ClassArray && len(o.Elems) > 0 && isPending(o.Elems[0]) {
			r.NoteUse("a list of Promises was logged that have not settled", "await Promise.all(list) first")
		}
	}
}

func isPending(v Value) bool {
	p := NativePromise(v)
	return p != nil && p.State() == promise.Pending
}

// noteToolText notes a reference to a tool that is turned into text.
func (r *Realm) noteToolText(o *Object) {
	if x, ok := o.Ext.(interface{ NoteText() }); ok {
		x.NoteText()
	}
}

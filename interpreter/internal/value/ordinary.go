package value

// This file defines the ordinary internal methods for exotic objects that fall back on them for some keys.

// asOrdinary runs f with o taken for an ordinary object.
func asOrdinary(o *Object, f func()) {
	o.Flags &^= FlagExotic
	f()
	o.Flags |= FlagExotic
}

// OrdinaryGetOwn is OrdinaryGetOwnProperty (ECMA-262 10.1.5.1).
func (r *Realm) OrdinaryGetOwn(o *Object, k Key) (d Desc, ok bool) {
	asOrdinary(o, func() { d, ok = r.GetOwn(o, k) })
	return d, ok
}

// OrdinaryDefineOwn is OrdinaryDefineOwnProperty (10.1.6.1).
func (r *Realm) OrdinaryDefineOwn(o *Object, k Key, d Desc) (res Done) {
	asOrdinary(o, func() { res = r.DefineOwn(o, k, d) })
	return res
}

// OrdinaryDelete is OrdinaryDelete (10.1.10.1).
func (r *Realm) OrdinaryDelete(o *Object, k Key) (res Done) {
	asOrdinary(o, func() { res = r.Delete(o, k) })
	return res
}

// OrdinaryOwnKeys is OrdinaryOwnPropertyKeys (10.1.11.1).
func (r *Realm) OrdinaryOwnKeys(o *Object) (keys []Key) {
	asOrdinary(o, func() { keys, _ = r.OwnKeys(o) })
	return keys
}

// OrdinarySet is OrdinarySet (10.1.9.1) for an exotic object whose own properties come from OrdinaryGetOwn.
func (r *Realm) OrdinarySet(o *Object, k Key, v, receiver Value) Done {
	d, own := r.GetOwn(o, k)
	switch {
	case !own && o.Proto() != nil:
		return r.SetWith(o.Proto(), k, v, receiver)
	case own && d.IsAccessor():
		if d.Set == nil {
			return Failed
		}
		if r.Call(d.Set.Value(), receiver, v).IsThrow() {
			return Threw
		}
		return OK
	case own && d.Attr&Writable == 0:
		return Failed
	}
	to := receiver.Object()
	if to == nil {
		return Failed
	}
	if e, has := r.GetOwn(to, k); has {
		if e.IsAccessor() || e.Attr&Writable == 0 {
			return Failed
		}
		return r.DefineOwn(to, k, Desc{Value: v, Has: HasValue})
	}
	return r.CreateDataProperty(to, k, v)
}

package value

// This file defines shapes (hidden classes): which keys an object has, in which slots, with which attributes, and its prototype.

// Attr are property attributes.
type Attr uint8

// The attributes; AttrAccessor marks a slot that holds an Accessor.
const (
	Writable Attr = 1 << iota
	Enumerable
	Configurable
	AttrAccessor
	attrDeleted

	// AttrDefault is what assignment creates, AttrMethod what builtin methods have.
	AttrDefault = Writable | Enumerable | Configurable
	AttrMethod  = Writable | Configurable
)

type prop struct {
	name string
	sym  *Symbol
	attr Attr
}

// Limits that keep shape trees small: beyond them an object owns its shape.
const (
	maxSharedProps = 64
	maxTransitions = 64
	linearProps    = 8
)

// Shape lists the properties of an object. A shared shape is immutable but for its transitions; an owned one belongs to
// one object (a dictionary) and changes in place. Shapes belong to one execution.
type Shape struct {
	Proto *Object
	props []prop
	names map[string]uint32  // built when there are more than linearProps
	syms  map[*Symbol]uint32 // only in owned shapes with many symbols
	owned bool
	cow   bool // props and names are shared with a template: copy before a change
	holes int  // deleted entries of an owned shape

	lastKey   prop
	lastShape *Shape
	more      map[prop]*Shape

	texts []*Str // the string keys as values, of a shared shape that was asked for them
}

func newRootShape(proto *Object) *Shape { return &Shape{Proto: proto} }

// lookup returns the slot of a string or symbol key, or -1.
func (s *Shape) lookup(k Key) int {
	if k.Sym != nil {
		return s.lookupSymbol(k.Sym)
	}
	return s.lookupName(k.S)
}

func (s *Shape) lookupName(name string) int {
	if len(s.props) > linearProps {
		if s.names == nil {
			s.buildNames()
		}
		if i, ok := s.names[name]; ok {
			return int(i)
		}
		return -1
	}
	for i := range s.props {
		p := &s.props[i]
		if p.name == name && p.sym == nil && p.attr&attrDeleted == 0 {
			return i
		}
	}
	return -1
}

func (s *Shape) buildNames() {
	m := make(map[string]uint32, len(s.props)*2)
	for i := range s.props {
		if p := &s.props[i]; p.sym == nil && p.attr&attrDeleted == 0 {
			m[p.name] = uint32(i)
		}
	}
	s.names = m
}

func (s *Shape) lookupSymbol(sym *Symbol) int {
	if len(s.props) > 4*linearProps && s.owned {
		if s.syms == nil {
			s.syms = make(map[*Symbol]uint32)
			for i := range s.props {
				if p := &s.props[i]; p.sym != nil && p.attr&attrDeleted == 0 {
					s.syms[p.sym] = uint32(i)
				}
			}
		}
		if i, ok := s.syms[sym]; ok {
			return int(i)
		}
		return -1
	}
	for i := range s.props {
		p := &s.props[i]
		if p.sym == sym && p.attr&attrDeleted == 0 {
			return i
		}
	}
	return -1
}

// next returns the shared shape reached by adding p, or nil when the tree is full and the object must own its shape.
func (s *Shape) next(r *Realm, p prop) *Shape {
	if s.lastShape != nil && s.lastKey == p {
		return s.lastShape
	}
	if t, ok := s.more[p]; ok {
		s.lastKey, s.lastShape = p, t
		return t
	}
	if len(s.props) >= maxSharedProps || len(s.more) >= maxTransitions {
		return nil
	}
	r.Charge(160 + int(keySize(p)))
	r.keyBytes += keySize(p)
	t := &Shape{Proto: s.Proto}
	if s.lastShape == nil && len(s.more) == 0 && cap(s.props) > len(s.props) {
		t.props = append(s.props, p) // first child: shares the backing array
	} else {
		t.props = make([]prop, len(s.props)+1, len(s.props)+4)
		copy(t.props, s.props)
		t.props[len(s.props)] = p
	}
	if s.more == nil {
		s.more = make(map[prop]*Shape, 1)
	}
	s.more[p] = t
	s.lastKey, s.lastShape = p, t
	return t
}

// text is the string key of property i as a value.
func (s *Shape) text(r *Realm, i int) Value {
	p := &s.props[i]
	if s.owned {
		r.Charge(32)
		return NewStr(p.name).Value()
	}
	if s.texts == nil {
		n := 40 * len(s.props)
		r.Charge(n)
		r.keyBytes += int64(n)
		s.texts = make([]*Str, len(s.props))
	}
	if s.texts[i] == nil {
		s.texts[i] = NewStr(p.name)
	}
	return s.texts[i].Value()
}

// keySize is what the text of a key takes that is no name in the program's text.
func keySize(p prop) int64 {
	const usual = 64
	if len(p.name) <= usual {
		return 0
	}
	return int64(len(p.name))
}

// longKeys is keySize of all keys of an owned shape. The keys of shared ones stay as long as the execution (Realm.keyBytes).
func (s *Shape) longKeys() (n int64) {
	for i := range s.props {
		n += keySize(s.props[i])
	}
	return n
}

// own returns a private copy for an object that leaves the shared tree.
func (s *Shape) own(r *Realm) *Shape {
	r.Charge(128 + 32*len(s.props))
	t := &Shape{Proto: s.Proto, owned: true, holes: s.holes}
	t.props = append(make([]prop, 0, len(s.props)+4), s.props...)
	return t
}

// unshare makes an owned shape ready for a change in place.
func (s *Shape) unshare() {
	if !s.cow {
		return
	}
	s.cow = false
	s.props = append(make([]prop, 0, len(s.props)+4), s.props...)
	s.names, s.syms = nil, nil
}

func (s *Shape) addOwned(r *Realm, p prop) {
	s.unshare()
	r.Charge(48 + int(keySize(p)))
	i := uint32(len(s.props))
	s.props = append(s.props, p)
	switch {
	case p.sym != nil && s.syms != nil:
		s.syms[p.sym] = i
	case p.sym == nil && s.names != nil:
		s.names[p.name] = i
	}
}

func (s *Shape) deleteOwned(i int) {
	s.unshare()
	p := &s.props[i]
	if p.sym != nil {
		if s.syms != nil {
			delete(s.syms, p.sym)
		}
	} else if s.names != nil {
		delete(s.names, p.name)
	}
	p.attr |= attrDeleted
	s.holes++
}

// compact drops deleted entries once they are the majority; slots moves along.
func (s *Shape) compact(slots []Value) []Value {
	if s.holes < 16 || s.holes*2 < len(s.props) {
		return slots
	}
	at := 0
	for i := range s.props {
		if s.props[i].attr&attrDeleted == 0 {
			s.props[at], slots[at] = s.props[i], slots[i]
			at++
		}
	}
	clear(s.props[at:])
	clear(slots[at:])
	s.props, s.holes, s.names, s.syms = s.props[:at], 0, nil, nil
	return slots[:at]
}

// withProto returns a shape with the same keys under another prototype.
func (s *Shape) withProto(r *Realm, proto *Object) *Shape {
	if s.owned {
		s.unshare()
		s.Proto = proto
		return s
	}
	t := r.rootShape(proto)
	for _, p := range s.props {
		n := t.next(r, p)
		if n == nil {
			o := s.own(r)
			o.Proto = proto
			return o
		}
		t = n
	}
	return t
}

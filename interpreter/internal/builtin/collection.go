package builtin

// This file defines the ordered hash table behind Map, Set, WeakMap and WeakSet.

import (
	"sort"
	"strconv"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// collection is the Ext of keyed collections: keys by SameValueZero in order of insertion. Weak collections use it too:
// they hold their keys strongly, since an execution is short and nothing can observe the difference.
type collection struct {
	st   *entryStore
	live int
	weak bool
}

// entryStore is one generation of a table. Compaction and clear start a new one; cursors in the old one follow next.
type entryStore struct {
	entries []collectionEntry
	index   []uint32 // open addressing, entry number plus one; nil while there are few entries
	next    *entryStore
	removed []uint32 // once next is set: the numbers of the entries that were dropped, ascending
	cleared bool
}

type collectionEntry struct {
	key, value val // key is absent in a deleted entry
	hash       uint32
}

const (
	scanEntries = 8 // up to so many entries are searched without an index
	entryBytes  = 56
)

func newCollection() *collection { return &collection{st: &entryStore{}} }

// Size is the number of entries.
func (c *collection) Size() int { return c.live }

// find returns the entry of a key, or nil.
func (c *collection) find(key val) *collectionEntry {
	return c.st.lookup(key, key.Hash())
}

func (s *entryStore) lookup(key val, h uint32) *collectionEntry {
	if s.index == nil {
		for i := range s.entries {
			if e := &s.entries[i]; e.hash == h && sameKey(e.key, key) {
				return e
			}
		}
		return nil
	}
	mask := uint32(len(s.index) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		n := s.index[i]
		if n == 0 {
			return nil
		}
		if e := &s.entries[n-1]; e.hash == h && sameKey(e.key, key) {
			return e
		}
	}
}

// sameKey is SameValueZero; a is absent in deleted entries.
func sameKey(a, b val) bool {
	if a == b {
		return true
	}
	if a.IsAbsent() {
		return false
	}
	if s := a.Str(); s != nil {
		t := b.Str()
		return t != nil && s.Equal(t)
	}
	if a.IsObject() {
		return false
	}
	return value.SameValueZero(a, b)
}

// set adds or replaces an entry.
func (c *collection) set(r *realm, key, v val) {
	h := key.Hash()
	if e := c.st.lookup(key, h); e != nil {
		e.value = v
		return
	}
	if key.IsNumber() && key.Float() == 0 {
		key = value.Zero
	}
	s := c.st
	if len(s.entries) == cap(s.entries) {
		s = c.grow(r)
	}
	s.entries = append(s.entries, collectionEntry{key, v, h})
	c.live++
	if s.index != nil {
		s.link(h, uint32(len(s.entries)))
	} else if len(s.entries) > scanEntries {
		s.reindex()
	}
}

func (s *entryStore) link(h, number uint32) {
	mask := uint32(len(s.index) - 1)
	i := h & mask
	for s.index[i] != 0 {
		i = (i + 1) & mask
	}
	s.index[i] = number
}

// reindex makes an index that stays at most half full until the entries reach their capacity.
func (s *entryStore) reindex() {
	n := 32
	for n < 2*cap(s.entries) {
		n *= 2
	}
	s.index = make([]uint32, n)
	for i := range s.entries {
		if !s.entries[i].key.IsAbsent() {
			s.link(s.entries[i].hash, uint32(i+1))
		}
	}
}

// grow makes room for one more entry.
func (c *collection) grow(r *realm) *entryStore {
	s := c.st
	if n := len(s.entries); n >= 16 && c.live <= n/2 {
		return c.compact(r)
	}
	n := max(4, 2*cap(s.entries))
	r.Charge(entryBytes * (n - cap(s.entries)))
	entries := make([]collectionEntry, len(s.entries), n)
	copy(entries, s.entries)
	s.entries = entries
	if s.index != nil {
		s.reindex()
	}
	return s
}

// compact drops deleted entries.
func (c *collection) compact(r *realm) *entryStore {
	old := c.st
	s := &entryStore{entries: make([]collectionEntry, 0, max(8, 2*c.live))}
	r.Charge(entryBytes * cap(s.entries))
	for i := range old.entries {
		if e := &old.entries[i]; e.key.IsAbsent() {
			old.removed = append(old.removed, uint32(i))
		} else {
			s.entries = append(s.entries, *e)
		}
	}
	if len(s.entries) > scanEntries {
		s.reindex()
	}
	old.next, old.entries, old.index = s, nil, nil
	c.st = s
	return s
}

func (c *collection) delete(r *realm, key val) bool {
	e := c.find(key)
	if e == nil {
		return false
	}
	e.key, e.value = val{}, val{}
	c.live--
	if n := len(c.st.entries); n >= 32 && c.live < n/4 {
		c.compact(r)
	}
	return true
}

func (c *collection) clear() {
	old := c.st
	c.st, c.live = &entryStore{}, 0
	old.next, old.cleared, old.entries, old.index = c.st, true, nil, nil
}

// cursor is a place in a collection that survives its changes.
type cursor struct {
	st *entryStore
	at int
}

func (c *collection) cursor() cursor { return cursor{st: c.st} }

// step returns the next entry; false at the end. The entry is valid until the collection changes.
func (u *cursor) step() (*collectionEntry, bool) {
	for u.st.next != nil {
		if u.st.cleared {
			u.at = 0
		} else {
			gone := u.st.removed
			u.at -= sort.Search(len(gone), func(i int) bool { return int(gone[i]) >= u.at })
		}
		u.st = u.st.next
	}
	for u.at < len(u.st.entries) {
		e := &u.st.entries[u.at]
		u.at++
		if !e.key.IsAbsent() {
			return e, true
		}
	}
	return nil, false
}

// Inspect prints a Map or Set.
func (c *collection) inspect(entry func(e *collectionEntry) string) Shown {
	if c.weak {
		return Shown{Parts: []string{"<items unknown>"}}
	}
	return Shown{Size: "(" + strconv.Itoa(c.live) + ")", Parts: c.cursor().inspect(c.live, entry)}
}

// inspect prints what is left to iterate over, count entries; the cursor is a copy and stays where it is.
func (u cursor) inspect(count int, entry func(e *collectionEntry) string) (parts []string) {
	for e, ok := u.step(); ok; e, ok = u.step() {
		if len(parts) == inspectItems {
			return append(parts, moreItems(count-inspectItems))
		}
		parts = append(parts, entry(e))
	}
	return parts
}

// left counts what is left to iterate over.
func (u cursor) left(r *realm) (n int) {
	for _, ok := u.step(); ok; _, ok = u.step() {
		n++
	}
	r.Owe(n >> 6)
	return n
}

// mapData and setData tell the two kinds of collection apart.
type (
	mapData struct{ collection }
	setData struct{ collection }
)

func (m *mapData) Inspect(_ *value.Realm, part func(value.Value) string) Shown {
	return m.inspect(func(e *collectionEntry) string { return part(e.key) + " => " + part(e.value) })
}

func (s *setData) Inspect(_ *value.Realm, part func(value.Value) string) Shown {
	return s.inspect(func(e *collectionEntry) string { return part(e.key) })
}

// Each visits the values that the collection holds.
func (c *collection) Each(visit func(value.Value)) {
	for i := range c.st.entries {
		if e := &c.st.entries[i]; !e.key.IsAbsent() {
			visit(e.key)
			visit(e.value)
		}
	}
}

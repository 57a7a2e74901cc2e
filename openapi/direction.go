package openapi

// This file defines which properties belong to one direction only, and which
// definitions a tool needs.

import (
	"slices"

	"github.com/codemode-go/codemode/data"
)

// maxLooks bounds the schemas looked at to find out what one schema loses.
const maxLooks = 1000

// look is one such search.
type look struct {
	c    *converter
	left int
}

// more counts one schema, or reports that there have been enough.
func (l *look) more() bool {
	l.left--
	return l.left >= 0
}

// names are sets of names, shared by the schemas that have a part in common.
type names []*nameSet

type nameSet struct{ has map[string]bool }

func (n names) has(name string) bool {
	for _, set := range n {
		if set.has[name] {
			return true
		}
	}
	return false
}

// maxSets bounds the sets that one schema loses.
const maxSets = 50

// gone are the properties that a schema loses, its own and those of the parts of
// its allOf, and those that s has lost around it; needless are those it does not
// require. In alternatives all properties stay, since they tell one from another,
// but what belongs to the other direction is not required there either.
func (c *converter) gone(n node, s state) (gone, needless names) {
	if !c.active {
		return nil, nil
	}
	l := look{c, maxLooks}
	lost := l.lost(n)
	both := func(around names) names {
		if len(lost) == 0 {
			return around
		}
		all := append(slices.Clone(around), lost...)
		return all[:min(len(all), maxSets)]
	}
	if s.whole {
		return nil, both(s.needless)
	}
	gone = both(s.gone)
	return gone, gone
}

// blurred reports that alternatives of a oneOf lose what they require, so that
// several may fit what fitted one. There can be no anyOf beside it.
func (c *converter) blurred(n node) bool {
	if !c.active || n.get("anyOf").v != nil {
		return false
	}
	for _, part := range n.get("oneOf").items() {
		to, err := c.d.resolve(part)
		if err != nil {
			continue
		}
		l := look{c, maxLooks}
		if lost := l.lost(to); len(lost) > 0 && c.requiresAny(to, lost) {
			return true
		}
	}
	return false
}

// loses reports that a property does not belong to the direction.
func (c *converter) loses(property node) bool {
	l := look{c, maxLooks}
	return c.active && l.flagged(property)
}

// lost are the properties with the flag. They are found once for each schema,
// since many may have the same part.
func (l *look) lost(n node) names {
	o := n.object()
	if known, ok := l.c.lost[o]; ok || o == nil {
		return known
	}
	l.c.lost[o] = nil // while it is being looked at, and part of itself
	own := map[string]bool{}
	for name, v := range n.get("properties").object().All() {
		if l.flagged(node{v, n.in}) {
			own[name] = true
		}
	}
	var lost names
	if len(own) > 0 {
		lost = names{&nameSet{own}}
	}
	for _, part := range n.get("allOf").items() {
		if !l.more() || len(lost) > maxSets {
			break
		}
		if to, err := l.c.d.resolve(part); err == nil {
			lost = append(lost, l.lost(to)...)
		}
	}
	l.c.lost[o] = lost
	return lost
}

// flagged reports that a property's schema has the flag: itself, behind its
// reference, or in its allOf.
func (l *look) flagged(n node) bool {
	if n.flag(l.c.drop) && (l.c.d.minor > 0 || n.get("$ref").v == nil) {
		return true
	}
	if n.get("$ref").v != nil {
		to, err := l.c.d.resolve(n)
		return err == nil && l.more() && l.flagged(to)
	}
	for _, part := range n.get("allOf").items() {
		if l.more() && l.flagged(part) {
			return true
		}
	}
	return false
}

// requiresAny reports that a schema requires one of the names, itself or in its
// allOf.
func (c *converter) requiresAny(n node, gone names) bool {
	l := look{c, maxLooks}
	return l.requires(n, gone)
}

func (l *look) requires(n node, gone names) bool {
	if l.c.meet(n, gone) {
		return true
	}
	for _, part := range n.get("allOf").items() {
		if to, err := l.c.d.resolve(part); err == nil && l.more() && l.requires(to, gone) {
			return true
		}
	}
	return false
}

// meeting is a set of names and one of required ones.
type meeting struct{ required, gone *nameSet }

// meet reports that a schema itself requires one of the names. Sets are compared
// once, by the smaller one: many schemas may share both.
func (c *converter) meet(n node, gone names) bool {
	required, known := c.required[n.object()]
	if !known {
		if items := n.get("required").items(); len(items) > 0 {
			set := make(map[string]bool, len(items))
			for _, item := range items {
				set[text(item.v)] = true
			}
			required = names{&nameSet{set}}
		}
		c.required[n.object()] = required
	}
	if required == nil {
		return false
	}
	for _, set := range gone {
		key := meeting{required[0], set}
		met, known := c.meets[key]
		if !known {
			small, large := set.has, required[0].has
			if len(small) > len(large) {
				small, large = large, small
			}
			for name := range small {
				met = met || large[name]
			}
			c.meets[key] = met
		}
		if met {
			return true
		}
	}
	return false
}

// definitions are those that schemas need, directly or through others, as the
// value of $defs; nil if there are none. Not ok are more than a tool may have.
func (c *converter) definitions(uses []*definition) (defs *data.Object, ok bool) {
	if len(uses) == 0 {
		return nil, true
	}
	if c.spent > maxAllDefinitions {
		return nil, false
	}
	seen := make(map[*definition]bool, 2*len(uses))
	var list []data.Member
	queue := append([]*definition(nil), uses...)
	for i := 0; i < len(queue); i++ {
		def := queue[i]
		if seen[def] {
			continue
		}
		seen[def] = true
		c.spent++
		if len(list) >= maxDefinitions || c.spent > maxAllDefinitions {
			return nil, false
		}
		list = append(list, data.Member{Key: def.name, Value: def.value})
		for _, next := range def.uses {
			if !seen[next] {
				queue = append(queue, next)
			}
		}
	}
	return data.NewObject(list), true
}

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
type names []map[string]bool

func (n names) has(name string) bool {
	for _, set := range n {
		if set[name] {
			return true
		}
	}
	return false
}

// maxSets bounds the sets that one schema loses.
const maxSets = 50

// gone are the properties that a schema loses, its own and those of the parts of
// its allOf, and those that s has lost around it.
func (c *converter) gone(n node, s state) names {
	if s.whole {
		return nil
	}
	l := look{c, maxLooks}
	lost := l.lost(n)
	if len(lost) == 0 {
		return s.gone
	}
	all := append(slices.Clone(s.gone), lost...)
	return all[:min(len(all), maxSets)]
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
		lost = names{own}
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
	for _, item := range n.get("required").items() {
		if gone.has(text(item.v)) {
			return true
		}
	}
	for _, part := range n.get("allOf").items() {
		if to, err := l.c.d.resolve(part); err == nil && l.more() && l.requires(to, gone) {
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

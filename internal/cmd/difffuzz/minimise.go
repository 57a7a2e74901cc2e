package main

// This file defines the reduction of a program on which the engines disagree: it removes statements, then parts of them,
// as long as the disagreement stays.

// minimise reduces p in place.
func minimise(node *peer, p *program) {
	for budget := 400; budget > 0; {
		smaller := false
		for _, candidate := range p.root.reductions() {
			if budget--; budget <= 0 {
				break
			}
			undo := candidate()
			found, err := compare(node, []*program{p})
			if err == nil && len(found) == 1 && p.want != "syntax SyntaxError" {
				smaller = true
				break
			}
			undo()
		}
		if !smaller {
			break
		}
	}
	_, _ = compare(node, []*program{p})
}

// reductions lists the ways to make a tree smaller by one step, largest first; each returns how to undo it.
func (b *block) reductions() []func() (undo func()) {
	var out []func() func()
	for i := range b.items {
		out = append(out, func() func() {
			old := b.items
			b.items = append(append([]item{}, old[:i]...), old[i+1:]...)
			return func() { b.items = old }
		})
	}
	for i := range b.items {
		for _, inner := range b.items[i].blocks {
			out = append(out, func() func() { // the block alone in place of the statement
				old := b.items
				b.items = append(append(append([]item{}, old[:i]...), inner.items...), old[i+1:]...)
				return func() { b.items = old }
			})
			out = append(out, inner.reductions()...)
		}
	}
	return out
}

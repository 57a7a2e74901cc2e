package syntax

// This file checks the early errors that type erasure lets through (ECMA-262, the Static Semantics: Early Errors of
// each production).

// checkUpdateTarget reports the target of a compound assignment or of ++ and -- that is not a reference.
func (c *converter) checkUpdateTarget(x Expr, at Pos) {
	switch x.(type) {
	case *Ident, *Member, *Index, *PrivateMember, *SuperMember:
		return
	}
	c.problem(at, false, "Invalid left-hand side in assignment")
}

// checkRestTarget reports a pattern after ... in an object pattern, where only a reference may stand.
func (c *converter) checkRestTarget(x Expr, at Pos) {
	switch x.(type) {
	case *ArrayPattern, *ObjectPattern:
		c.problem(at, false, "`...` must be followed by an assignable reference in assignment contexts")
	}
}

// checkSetter reports a setter whose parameter is a rest parameter.
func (c *converter) checkSetter(f *Function) {
	if f.Rest != nil {
		c.problem(f.Rest.Start(), false, "Setter function argument must not be a rest parameter")
	}
}

package compile

// This file defines which async functions are compiled to segments (value.Segment) instead of running on a coroutine: those
// whose awaits all are the first thing that a statement of the body evaluates.

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// flatBody compiles the function's body to segments; nil if it has an await elsewhere.
func (c *fn) flatBody() []value.Segment {
	body := splitDeclarations(c.f.Body)
	for _, s := range body {
		if leads, n := leadingAwaits(s), countAwaits(s); n > leads {
			return nil
		}
	}
	prologue := c.prologue()
	var segments []value.Segment
	pending := append([]stmt(nil), prologue...)
	for _, s := range body {
		for aw := leadingAwait(s); aw != nil; aw = leadingAwait(s) {
			slot := c.temp(1)
			operand, pos := c.expr(aw.X), int32(aw.Pos)
			segments = append(segments, value.Segment{Run: segmentRun(c.sequence(pending)), Slot: slot, Await: func(f *Frame) Value {
				v := operand(f)
				f.R.Pos = pos
				return v
			}})
			pending = nil
			if c.awaited == nil {
				c.awaited = map[*syntax.Await]int{}
			}
			c.awaited[aw] = slot
			aw.Done = true
		}
		if st := c.stmt(s); st != nil {
			pending = append(pending, st)
		}
	}
	return append(segments, value.Segment{Run: segmentRun(c.sequence(pending))})
}

func segmentRun(s stmt) func(f *Frame) value.SegmentEnd {
	return func(f *Frame) value.SegmentEnd {
		switch s(f) {
		case returns:
			return value.SegmentReturned
		case throws:
			return value.SegmentThrew
		}
		return value.SegmentNext
	}
}

// splitDeclarations gives each declarator a declaration of its own, so that each can begin with an await.
func splitDeclarations(body []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range body {
		d, ok := s.(*syntax.VarDecl)
		if !ok {
			out = append(out, s)
			continue
		}
		for _, one := range d.Decls {
			out = append(out, &syntax.VarDecl{At: d.At, Kind: d.Kind, Decls: []syntax.Declarator{one}})
		}
	}
	return out
}

// leadingAwait is the await that a statement evaluates before anything that could notice, or nil.
func leadingAwait(s syntax.Stmt) *syntax.Await {
	switch n := s.(type) {
	case *syntax.ExprStmt:
		return firstAwait(n.X)
	case *syntax.VarDecl:
		if x := n.Decls[0].Init; x != nil {
			return firstAwait(x)
		}
	case *syntax.Return:
		if n.X != nil {
			return firstAwait(n.X)
		}
	case *syntax.Throw:
		return firstAwait(n.X)
	case *syntax.If:
		return firstAwait(n.Test)
	case *syntax.ForOf:
		if !n.Await && n.TDZ == nil {
			return firstAwait(n.Right)
		}
	}
	return nil
}

// leadingAwaits counts the awaits that leadingAwait gives one after the other.
func leadingAwaits(s syntax.Stmt) int {
	n := 0
	var taken []*syntax.Await
	for aw := leadingAwait(s); aw != nil; aw = leadingAwait(s) {
		n++
		aw.Done = true
		taken = append(taken, aw)
	}
	for _, aw := range taken {
		aw.Done = false
	}
	return n
}

// firstAwait follows what is evaluated first. Done awaits have their value already, like constants.
func firstAwait(x syntax.Expr) *syntax.Await {
	for {
		switch n := x.(type) {
		case *syntax.Await:
			if n.Done {
				return nil
			}
			if inner := firstAwait(n.X); inner != nil {
				return inner
			}
			return n
		case *syntax.Member:
			x = n.Obj
		case *syntax.Index:
			x = n.Obj
		case *syntax.Call:
			x = n.Callee
		case *syntax.OptionalChain:
			x = n.X
		case *syntax.Binary:
			x = n.L
		case *syntax.Logical:
			x = n.L
		case *syntax.Conditional:
			x = n.Test
		case *syntax.Unary:
			if n.Op == syntax.OpDelete || n.Op == syntax.OpTypeof {
				return nil
			}
			x = n.X
		case *syntax.Assign:
			if _, plain := n.Target.(*syntax.Ident); n.Op != syntax.OpNone || !plain {
				return nil
			}
			x = n.Value
		case *syntax.ObjectLit:
			if len(n.Props) == 0 || n.Props[0].Kind != syntax.MemberInit && n.Props[0].Kind != syntax.MemberSpread || n.Props[0].Key.Computed != nil {
				return nil
			}
			x = n.Props[0].Value
		default:
			return nil
		}
	}
}

// countAwaits counts the awaits of a statement that belong to the function itself; for await counts as one that no
// segment can hold.
func countAwaits(s syntax.Stmt) int {
	n := 0
	syntax.Inspect(s, func(node syntax.Node) bool {
		switch x := node.(type) {
		case *syntax.Await:
			n++
		case *syntax.ForOf:
			if x.Await {
				n += 1 << 20
			}
		case *syntax.Function:
			return false
		}
		return true
	})
	return n
}

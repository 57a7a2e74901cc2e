package compile

// This file defines how an expression is named in messages.

import (
	"strconv"

	"github.com/codemode-go/codemode/interpreter/internal/syntax"
)

// maxDescribed bounds the text of an expression in a message.
const maxDescribed = 60

// describe is the source form of a simple expression, "" if it has none worth printing.
func describe(x syntax.Expr) string {
	return bounded(describeDeep(x, 0))
}

func bounded(s string) string {
	if len(s) > maxDescribed {
		return "(intermediate value)"
	}
	return s
}

func describeDeep(x syntax.Expr, depth int) string {
	if depth > 8 {
		return "(intermediate value)"
	}
	switch n := x.(type) {
	case *syntax.Ident:
		return n.Orig
	case *syntax.This:
		return "this"
	case *syntax.StringLit:
		return strconv.Quote(n.Value)
	case *syntax.NumberLit:
		return strconv.FormatFloat(n.Value, 'g', -1, 64)
	case *syntax.Member:
		return describeDeep(n.Obj, depth+1) + dot(n.Optional) + n.Name
	case *syntax.PrivateMember:
		return describeDeep(n.Obj, depth+1) + dot(n.Optional) + "#" + n.Name
	case *syntax.SuperMember:
		return "(intermediate value)." + n.Name
	case *syntax.Index:
		switch k := n.Index.(type) {
		case *syntax.Ident, *syntax.StringLit, *syntax.NumberLit, *syntax.Member:
			return describeDeep(n.Obj, depth+1) + "[" + describeDeep(k, depth+1) + "]"
		}
		return describeDeep(n.Obj, depth+1) + "[...]"
	case *syntax.Call:
		return describeDeep(n.Callee, depth+1) + "(...)"
	case *syntax.OptionalChain:
		return describeDeep(n.X, depth+1)
	case *syntax.Await:
		return describeDeep(n.X, depth+1)
	}
	return "(intermediate value)"
}

func dot(optional bool) string {
	if optional {
		return "?."
	}
	return "."
}

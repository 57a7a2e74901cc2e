package builtin

// This file defines the spelling suggestion for a method that does not exist.

import (
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// otherNames are names that other languages give to methods of this library.
var otherNames = map[string]string{
	"contains": "includes", "append": "push", "add": "push", "length": "length", "size": "length", "count": "length",
	"each": "forEach", "collect": "map", "select": "filter", "where": "filter", "inject": "reduce", "fold": "reduce",
	"any": "some", "all": "every", "first": "at", "last": "at", "strip": "trim", "upper": "toUpperCase", "lower": "toLowerCase",
	"startswith": "startsWith", "endswith": "endsWith", "substitute": "replace", "sub": "replace", "remove": "splice",
}

// Suggest returns ". Did you mean …?" for a missing method of this, "" if nothing is close.
func Suggest(r *realm, name string, this val) string {
	o := this.Object()
	if o == nil {
		if o = r.PrimitivePrototype(this); o == nil {
			return ""
		}
	}
	var names []string
	known := map[string]bool{}
	for p := o; p != nil && p.Flags&value.FlagExotic == 0; p = p.Proto() {
		keys, ok := r.OwnKeys(p)
		if !ok {
			break
		}
		for _, k := range keys {
			if !k.IsSymbol() && !k.IsIndex && len(names) < 500 {
				names = append(names, k.String())
				known[k.String()] = true
			}
		}
	}
	if other := otherNames[name]; other != "" && known[other] {
		return ". Did you mean " + other + "?"
	}
	if near, ok := diagnostics.Nearest(name, names); ok {
		return ". Did you mean " + near + "?"
	}
	return ""
}

package builtin

// This file defines Symbol (ECMA-262 20.4).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func symbolTemplates() []*value.Template {
	rows := []row{
		{Name: "prototype", Ref: value.SymbolPrototype, Attr: value.NoAttr},
		{Name: "for", Length: 1, Fn: symbolFor, Sig: "(key: string): symbol"},
		{Name: "keyFor", Length: 1, Fn: symbolKeyFor, Sig: "(symbol: symbol): string | undefined"},
	}
	for _, name := range []string{"asyncIterator", "hasInstance", "isConcatSpreadable", "iterator", "match", "matchAll", "replace",
		"search", "species", "split", "toPrimitive", "toStringTag", "unscopables"} {
		rows = append(rows, row{Name: name, Const: constant(value.WellKnownSymbols[name].Value()), Attr: value.NoAttr})
	}
	return []*value.Template{
		{ID: value.SymbolConstructor, Global: "Symbol", Proto: value.FunctionPrototype, Name: "Symbol", Length: 0, Call: symbolCall,
			New: func(r *realm, _ []val, _ *object) val { return r.ThrowTypeError("Symbol is not a constructor") }, Rows: rows},
		{ID: value.SymbolPrototype, Proto: value.ObjectPrototype, Rows: []row{
			{Name: "constructor", Ref: value.SymbolConstructor},
			{Name: "description", Get: symbolDescription, Sig: "string | undefined"},
			{Name: "toString", Length: 0, Fn: symbolToString, Sig: "(): string"},
			{Name: "valueOf", Length: 0, Fn: symbolValueOf, Sig: "(): symbol"},
			{Name: "@@toPrimitive", Length: 1, Fn: symbolValueOf, Attr: value.Configurable},
			tagRow("Symbol"),
		}},
	}
}

func symbolCall(r *realm, _ val, args []val) val {
	var desc *value.Str
	if d := arg(args, 0); !d.IsUndefined() {
		if desc = r.ToString(d); desc == nil {
			return value.Throw
		}
	}
	r.Charge(48)
	return value.NewSymbol(desc).Value()
}

func symbolFor(r *realm, _ val, args []val) val {
	s := r.ToString(arg(args, 0))
	if s == nil {
		return value.Throw
	}
	return r.RegisteredSymbol(s).Value()
}

func symbolKeyFor(r *realm, _ val, args []val) val {
	s := arg(args, 0).Symbol()
	if s == nil {
		return r.ThrowTypeError("%s is not a symbol", r.Describe(arg(args, 0)))
	}
	if s.Key == nil {
		return value.Undefined
	}
	return s.Key.Value()
}

func thisSymbol(r *realm, this val) *value.Symbol {
	if s := this.Symbol(); s != nil {
		return s
	}
	if o := this.Object(); o != nil && o.Class == value.ClassSymbol {
		return o.Ext.(val).Symbol()
	}
	r.ThrowTypeError("%s is not a symbol", r.Describe(this))
	return nil
}

func symbolDescription(r *realm, this val, _ []val) val {
	s := thisSymbol(r, this)
	switch {
	case s == nil:
		return value.Throw
	case s.Desc == nil:
		return value.Undefined
	}
	return s.Desc.Value()
}

func symbolToString(r *realm, this val, _ []val) val {
	if s := thisSymbol(r, this); s != nil {
		return str(s.Descriptive())
	}
	return value.Throw
}

func symbolValueOf(r *realm, this val, _ []val) val {
	if s := thisSymbol(r, this); s != nil {
		return s.Value()
	}
	return value.Throw
}

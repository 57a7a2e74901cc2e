package value

// This file defines the smaller heap primitives: symbols, BigInts and exact integers.

import "math/big"

// Symbol is a symbol; private names of classes are symbols too, with Private set, and never show in key lists.
type Symbol struct {
	Header
	Desc    *Str // nil: no description
	Private bool
	Key     *Str // registry key of Symbol.for, nil otherwise
}

// NewSymbol makes a fresh symbol; desc may be nil.
func NewSymbol(desc *Str) *Symbol {
	return &Symbol{Header: Header{kind: KindSymbol}, Desc: desc}
}

// NewPrivateName makes the symbol behind #name.
func NewPrivateName(name string) *Symbol {
	return &Symbol{Header: Header{kind: KindSymbol}, Desc: NewStr("#" + name), Private: true}
}

// Descriptive returns "Symbol(desc)" (ECMA-262 20.4.3.3.1).
func (s *Symbol) Descriptive() string {
	if s.Desc == nil {
		return "Symbol()"
	}
	return "Symbol(" + s.Desc.String() + ")"
}

func wellKnown(name string) *Symbol { return NewSymbol(ASCII("Symbol." + name)) }

// The well-known symbols, shared by all realms (ECMA-262 6.1.5.1).
var (
	SymAsyncIterator      = wellKnown("asyncIterator")
	SymHasInstance        = wellKnown("hasInstance")
	SymIsConcatSpreadable = wellKnown("isConcatSpreadable")
	SymIterator           = wellKnown("iterator")
	SymMatch              = wellKnown("match")
	SymMatchAll           = wellKnown("matchAll")
	SymReplace            = wellKnown("replace")
	SymSearch             = wellKnown("search")
	SymSpecies            = wellKnown("species")
	SymSplit              = wellKnown("split")
	SymToPrimitive        = wellKnown("toPrimitive")
	SymToStringTag        = wellKnown("toStringTag")
	SymUnscopables        = wellKnown("unscopables")
)

// WellKnownSymbols maps the names used in builtin tables ("@@iterator" without the @@) to the symbols.
var WellKnownSymbols = map[string]*Symbol{
	"asyncIterator": SymAsyncIterator, "hasInstance": SymHasInstance, "isConcatSpreadable": SymIsConcatSpreadable,
	"iterator": SymIterator, "match": SymMatch, "matchAll": SymMatchAll, "replace": SymReplace, "search": SymSearch,
	"species": SymSpecies, "split": SymSplit, "toPrimitive": SymToPrimitive, "toStringTag": SymToStringTag,
	"unscopables": SymUnscopables,
}

// BigInt is an arbitrary-precision integer; Int is never changed after construction.
type BigInt struct {
	Header
	Int *big.Int
}

// NewBigInt takes over i.
func NewBigInt(i *big.Int) *BigInt { return &BigInt{Header: Header{kind: KindBigInt}, Int: i} }

// Exact is an integer from JSON or a tool that a float64 cannot hold: Text has its digits, F the rounded number.
type Exact struct {
	Header
	F    float64
	Text string
}

// NewExact makes an exact integer.
func NewExact(f float64, text string) *Exact {
	return &Exact{Header: Header{kind: KindExact}, F: f, Text: text}
}

// RegisteredSymbol is Symbol.for: the registry belongs to the execution.
func (r *Realm) RegisteredSymbol(key *Str) *Symbol {
	if s := r.registry[key.String()]; s != nil {
		return s
	}
	s := NewSymbol(key)
	s.Key = key
	if r.registry == nil {
		r.registry = map[string]*Symbol{}
	}
	r.registry[key.String()] = s
	r.Charge(96)
	return s
}

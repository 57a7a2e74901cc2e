package value

// This file defines property keys.

import "strconv"

// Key is a property key: an array index (IsIndex), a symbol (Sym non-nil) or a string (S, as WTF-8 text).
type Key struct {
	S       string
	Sym     *Symbol
	Index   uint32
	IsIndex bool
}

// MaxIndex is one past the largest array index.
const MaxIndex = 1<<32 - 1

// StringKey makes a key from WTF-8 text.
func StringKey(s string) Key {
	if i, ok := parseIndex(s); ok {
		return Key{Index: i, IsIndex: true}
	}
	return Key{S: s}
}

// Name makes a key from text known not to be an array index.
func Name(s string) Key { return Key{S: s} }

// SymbolKey makes a key from a symbol.
func SymbolKey(s *Symbol) Key { return Key{Sym: s} }

// IndexKey makes a key from an integer ≥ 0; beyond array indexes it is a string key.
func IndexKey(i int) Key {
	if i < MaxIndex {
		return Key{Index: uint32(i), IsIndex: true}
	}
	return Key{S: strconv.Itoa(i)}
}

// StrKey makes a key from a string value.
func StrKey(s *Str) Key {
	if s.N > 0 && s.N <= 10 && s.IsASCII() {
		return StringKey(s.ASCII())
	}
	return Key{S: s.String()}
}

func parseIndex(s string) (uint32, bool) {
	if len(s) == 0 || len(s) > 10 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	var n uint64
	for i := 0; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	return uint32(n), n < MaxIndex
}

// IsSymbol tells symbol keys.
func (k Key) IsSymbol() bool { return k.Sym != nil }

// text is the string form of index and string keys.
func (k Key) text() string {
	if k.IsIndex {
		return strconv.FormatUint(uint64(k.Index), 10)
	}
	return k.S
}

// Value gives the key as a guest value.
func (k Key) Value() Value {
	if k.Sym != nil {
		return k.Sym.Value()
	}
	return NewStr(k.text()).Value()
}

// String is the key for messages: the text, or Symbol(desc).
func (k Key) String() string {
	if k.Sym != nil {
		if k.Sym.Private {
			return k.Sym.Desc.String()
		}
		return k.Sym.Descriptive()
	}
	return k.text()
}

// FunctionName is the function name made from a key (SetFunctionName, ECMA-262 10.2.9).
func (k Key) FunctionName(prefix string) string {
	s := ""
	switch {
	case k.Sym != nil && k.Sym.Private:
		s = k.Sym.Desc.String()
	case k.Sym != nil && k.Sym.Desc != nil:
		s = "[" + k.Sym.Desc.String() + "]"
	case k.Sym == nil:
		s = k.text()
	}
	if prefix != "" {
		return prefix + " " + s
	}
	return s
}

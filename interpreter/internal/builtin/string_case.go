package builtin

// This file defines case mapping (ECMA-262 22.1.3.28–30): the full Unicode mappings, without tailoring.

import (
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// A Caser has state, so each use takes one of its own.
var (
	lowerCasers = sync.Pool{New: func() any { c := cases.Lower(language.Und); return &c }}
	upperCasers = sync.Pool{New: func() any { c := cases.Upper(language.Und); return &c }}
)

func caseMapper(pool *sync.Pool) func(string) string {
	return func(s string) string {
		c := pool.Get().(*cases.Caser)
		defer pool.Put(c)
		return c.String(s)
	}
}

var lowerText, upperText = caseMapper(&lowerCasers), caseMapper(&upperCasers)

func stringLower(method string) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		s := thisText(r, this, method)
		if s == nil || !r.Step(1+s.Len()>>8) {
			return value.Throw
		}
		if !s.IsASCII() {
			return mapText(r, s, lowerText)
		}
		return sameOrNew(r, s, strings.ToLower(s.ASCII()))
	}
}

func stringUpper(method string) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		s := thisText(r, this, method)
		if s == nil || !r.Step(1+s.Len()>>8) {
			return value.Throw
		}
		if !s.IsASCII() {
			return mapText(r, s, upperText)
		}
		return sameOrNew(r, s, strings.ToUpper(s.ASCII()))
	}
}

// sameOrNew keeps s if the mapping changed nothing.
func sameOrNew(r *realm, s *value.Str, text string) val {
	if text == s.ASCII() {
		return s.Value()
	}
	return newText(r, value.ASCII(text))
}

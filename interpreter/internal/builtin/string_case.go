package builtin

// This file defines case mapping (ECMA-262 22.1.3.28–30): the full Unicode mappings, without tailoring.

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// A Caser has state, so each use takes one of its own.
var (
	lowerCasers = sync.Pool{New: func() any { c := cases.Lower(language.Und, cases.HandleFinalSigma(false)); return &c }}
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

// finalSigmas turns each capital sigma at the end of a word into the small final one (SpecialCasing, Final_Sigma).
func finalSigmas(s string) string {
	if !strings.ContainsRune(s, 'Σ') {
		return s
	}
	out := []rune(s)
	cased := false // a cased letter, with only ignorable characters since
	for i, c := range out {
		if c == 'Σ' && cased && !casedFollows(out[i+1:]) {
			out[i] = 'ς'
		}
		if !caseIgnorable(c) {
			cased = isCased(c)
		}
	}
	return string(out)
}

func casedFollows(rest []rune) bool {
	for _, c := range rest {
		if !caseIgnorable(c) {
			return isCased(c)
		}
	}
	return false
}

func isCased(c rune) bool {
	return unicode.IsLower(c) || unicode.IsUpper(c) || unicode.IsTitle(c) || unicode.In(c, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func caseIgnorable(c rune) bool {
	return unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·՟״‧‘’․﹒＇．：﹕︓·", c)
}

func stringLower(method string) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		s := thisText(r, this, method)
		if s == nil || !r.Step(1+s.Len()>>8) {
			return value.Throw
		}
		if !s.IsASCII() {
			return mapText(r, s, func(t string) string { return lowerText(finalSigmas(t)) })
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

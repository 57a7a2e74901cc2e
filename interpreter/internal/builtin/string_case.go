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

// finalSigmas turns each capital sigma at the end of a word into the small final one (SpecialCasing, Final_Sigma); nil if the
// execution ends.
func finalSigmas(r *realm, s *value.Str) *value.Str {
	i, ok := find(r, s, sigma, 0)
	if ok && i < 0 {
		return s
	}
	if !ok || !r.Allot(2*s.Len()) {
		return nil
	}
	out := append([]uint16(nil), s.Units()...)
	cased := false // a cased letter, with only ignorable characters since
	candidate := -1
	for i := 0; i < len(out); {
		if i&1023 == 0 && !r.Step(64) {
			return nil
		}
		c, n := s.CodePointAt(i)
		if !caseIgnorable(c) {
			letter := isCased(c)
			if candidate >= 0 && !letter {
				out[candidate] = 'ς'
			}
			candidate = -1
			if c == 'Σ' && cased {
				candidate = i
			}
			cased = letter
		}
		i += n
	}
	if candidate >= 0 {
		out[candidate] = 'ς'
	}
	return value.FromUnits(out)
}

var sigma = value.FromUnits([]uint16{'Σ'})

func isCased(c rune) bool {
	return unicode.IsLower(c) || unicode.IsUpper(c) || unicode.IsTitle(c) || unicode.In(c, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func caseIgnorable(c rune) bool {
	return unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·՟״‧‘’․﹒＇．：﹕︓·", c)
}

func stringLower(method string) value.NativeFn {
	locale := strings.Contains(method, "Locale")
	return func(r *realm, this val, args []val) val {
		s := thisText(r, this, method)
		if s == nil || locale && !checkLocales(r, arg(args, 0)) || !r.Step(1+s.Len()>>8) {
			return value.Throw
		}
		if !s.IsASCII() {
			if s = finalSigmas(r, s); s == nil {
				return value.Throw
			}
			return mapText(r, s, lowerText, nil)
		}
		return mapASCII(r, s, 'A', 'Z')
	}
}

func stringUpper(method string) value.NativeFn {
	locale := strings.Contains(method, "Locale")
	return func(r *realm, this val, args []val) val {
		s := thisText(r, this, method)
		if s == nil || locale && !checkLocales(r, arg(args, 0)) || !r.Step(1+s.Len()>>8) {
			return value.Throw
		}
		if !s.IsASCII() {
			return mapText(r, s, upperText, nil)
		}
		return mapASCII(r, s, 'a', 'z')
	}
}

// mapASCII swaps the case of the letters between from and to; s itself if it has none.
func mapASCII(r *realm, s *value.Str, from, to byte) val {
	text, first := s.ASCII(), 0
	for first < len(text) && (text[first] < from || text[first] > to) {
		first++
	}
	if first == len(text) {
		return s.Value()
	}
	return buildText(r, len(text), len(text), func(b []byte, i, end int) []byte {
		b = append(b, text[i:end]...)
		for ; i < end; i++ {
			if b[i] >= from && b[i] <= to {
				b[i] ^= 0x20
			}
		}
		return b
	})
}

// This file defines the regular expressions of the keyword pattern.

package schema

import (
	"regexp"
	"time"
	"unicode/utf16"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/codemode-go/codemode/internal/ecmaregexp"
)

// patternTimeout bounds one match by the backtracking engine.
const patternTimeout = 100 * time.Millisecond

// compilePattern compiles a pattern. What Go's engine takes it matches, in
// linear time; the rest, such as lookahead, goes to the ECMAScript engine. A
// pattern that neither takes is not enforced: it must not cost the tool.
func compilePattern(pattern string) (jsonschema.Regexp, error) {
	if compiled, err := regexp.Compile(pattern); err == nil {
		return compiled, nil
	}
	for _, flags := range []string{"u", ""} {
		if compiled, err := ecmaregexp.Compile(pattern, flags); err == nil {
			return &backtracking{pattern, compiled.WithTimeout(patternTimeout)}, nil
		}
	}
	return anything(pattern), nil
}

// backtracking is a pattern for the ECMAScript engine.
type backtracking struct {
	pattern string
	regexp  *ecmaregexp.Regexp
}

// String implements fmt.Stringer.
func (b *backtracking) String() string { return b.pattern }

// MatchString matches; a text on which the engine gives up passes.
func (b *backtracking) MatchString(text string) bool {
	match, err := b.regexp.MatchAt(ecmaregexp.NewInputUnits(utf16.Encode([]rune(text))), 0, nil)
	return err != nil || match != nil
}

// anything is a pattern that is not enforced.
type anything string

// String implements fmt.Stringer.
func (a anything) String() string { return string(a) }

// MatchString matches.
func (anything) MatchString(string) bool { return true }

// This file defines the regular expressions of the keyword pattern.

package schema

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compilePattern is the seam to the regular-expression engine. A pattern that
// the engine does not take is not enforced: it must not cost the tool.
func compilePattern(pattern string) (jsonschema.Regexp, error) {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return anything(pattern), nil
	}
	return compiled, nil
}

// anything is a pattern that is not enforced.
type anything string

// String implements fmt.Stringer.
func (a anything) String() string { return string(a) }

// MatchString matches.
func (anything) MatchString(string) bool { return true }

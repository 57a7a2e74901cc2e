// Package ecmaregexp defines ECMAScript 2025 regular expressions (ECMA-262 22.2).
//
// A pattern is checked against the ECMAScript grammar here, with the messages that engines give, and translated for
// the backtracking matcher, which alone decides what matches. Text is UTF-16: all positions are code units.
package ecmaregexp

import (
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// Flags are the flags of a regular expression.
type Flags struct {
	HasIndices, Global, IgnoreCase, Multiline, DotAll, Unicode, UnicodeSets, Sticky bool
}

// fullUnicode tells whether matching goes by code points.
func (f Flags) fullUnicode() bool { return f.Unicode || f.UnicodeSets }

// Name is a named capture group.
type Name struct {
	Name  string
	Group int // number of the group; a name may occur several times, in different alternatives
}

// Regexp is a compiled regular expression. It is immutable and may be used by several goroutines.
type Regexp struct {
	flags  Flags
	groups int
	names  []Name
	re     *regexp2.Regexp
	// pattern and options are what re was compiled from.
	pattern string
	options regexp2.RegexOptions
	plan    *lazyPlan
}

// lazyPlan is a plan, or why there is none, once it has been asked for.
type lazyPlan struct {
	once sync.Once
	plan *plan
	err  error
}

// The errors of matching.
var (
	ErrTimeout    = errors.New("the regular expression took too long")
	ErrTooComplex = errors.New("the regular expression needs too much backtracking")
)

// SyntaxError is a malformed pattern or flags; its text is what engines put into a SyntaxError.
type SyntaxError struct{ Message string }

func (e *SyntaxError) Error() string { return e.Message }

// Limits on patterns: the matcher's own compiler recurses and allocates in proportion.
const (
	maxPattern = 64 << 10 // UTF-16 units
	maxNesting = 250
	maxGroups  = 32767 // as in V8
)

// maxBacktracking bounds the matcher's stack, in slots of eight bytes: 16 MiB.
const maxBacktracking = 2 << 20

// ParseFlags reads flags; ok is false for an unknown or repeated one and for u with v.
func ParseFlags(flags string) (f Flags, ok bool) {
	for _, ch := range flags {
		var bit *bool
		switch ch {
		case 'd':
			bit = &f.HasIndices
		case 'g':
			bit = &f.Global
		case 'i':
			bit = &f.IgnoreCase
		case 'm':
			bit = &f.Multiline
		case 's':
			bit = &f.DotAll
		case 'u':
			bit = &f.Unicode
		case 'v':
			bit = &f.UnicodeSets
		case 'y':
			bit = &f.Sticky
		}
		if bit == nil || *bit {
			return Flags{}, false
		}
		*bit = true
	}
	return f, !(f.Unicode && f.UnicodeSets)
}

// Compile compiles a pattern given as WTF-8 text (UTF-8 in which lone surrogates are encoded too). An error is a
// *SyntaxError.
func Compile(pattern, flags string) (*Regexp, error) {
	f, ok := ParseFlags(flags)
	if !ok {
		return nil, &SyntaxError{"Invalid flags supplied to RegExp constructor '" + flags + "'"}
	}
	if len(pattern) > 3*maxPattern { // so many units at least
		return nil, invalid(strings.ToValidUTF8(pattern[:100], "")+"…", flags, "Regular expression too large")
	}
	t, message := translate(pattern, f)
	if message != "" {
		return nil, invalid(pattern, flags, message)
	}
	text, opts := t.out.String(), options(f)
	re, err := compile(text, opts)
	if err != nil {
		return nil, invalid(pattern, flags, t.explain(err))
	}
	return &Regexp{flags: f, groups: t.groups, names: t.names, re: re, pattern: text, options: opts, plan: &lazyPlan{}}, nil
}

func invalid(pattern, flags, message string) error {
	return &SyntaxError{"Invalid regular expression: /" + pattern + "/" + flags + ": " + message}
}

func compile(pattern string, opts regexp2.RegexOptions) (re *regexp2.Regexp, err error) {
	defer func() {
		if r := recover(); r != nil {
			re, err = nil, errors.New("the matcher cannot compile this pattern")
		}
	}()
	return regexp2.Compile(pattern, opts, regexp2.OptionMaintainCaptureOrder(), regexp2.OptionMaxBacktrackingStackSize(maxBacktracking))
}

func options(f Flags) regexp2.RegexOptions {
	opts := regexp2.ECMAScript
	if f.fullUnicode() {
		opts |= regexp2.Unicode
	}
	if f.IgnoreCase {
		opts |= regexp2.IgnoreCase
	}
	if f.Multiline {
		opts |= regexp2.Multiline
	}
	if f.DotAll {
		opts |= regexp2.Singleline
	}
	return opts
}

// explain phrases what only the matcher's compiler found out.
func (t *translator) explain(err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, `\p{`) || strings.Contains(strings.ToLower(text), "property") || strings.Contains(text, "unicode category"):
		if t.classProperty {
			return "Invalid property name in character class"
		}
		return "Invalid property name"
	case strings.Contains(text, "group name"):
		return "Duplicate capture group name"
	}
	return "this pattern is not supported: " + text
}

// WithTimeout returns a copy whose matches give up with ErrTimeout after about d (the clock ticks every 100 ms). The
// compiled program is shared.
func (r *Regexp) WithTimeout(d time.Duration) *Regexp {
	own := *r.re
	own.MatchTimeout = d
	copied := *r
	copied.re = &own
	return &copied
}

// Flags returns the flags.
func (r *Regexp) Flags() Flags { return r.flags }

// Groups is the number of capture groups, without the whole match.
func (r *Regexp) Groups() int { return r.groups }

// Names lists the named groups in order of their numbers. The slice must not be changed.
func (r *Regexp) Names() []Name { return r.names }

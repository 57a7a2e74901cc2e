package registry

// This file defines permission rules: what may be called, what a person is asked about, and what does not exist.

import (
	"fmt"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// Effect is what a rule does with a call.
type Effect uint8

const (
	// Allow lets the call run.
	Allow Effect = iota
	// Ask asks the host, by Step.Ask.
	Ask
	// Deny refuses the call. A tool whose every call would be refused is not shown at all.
	Deny
)

// Rule says what becomes of calls. Of the rules that match a call the last counts; without one it is allowed.
type Rule struct {
	// Path is a pattern for paths of tools, with their segments joined by dots and without "tools.": "github.*",
	// "*.delete_*". A * stands for any text, dots included, so that a server cannot slip past a rule with a dot in the name
	// of a tool; ** is the same. Empty matches every path. "github.*" does not match a tool whose whole path is "github".
	Path string
	// Hints match by the annotations of the tool.
	Hints Hints
	// Input, if it is not nil, matches by the input, which has been found valid then. It may be called from several
	// goroutines at once.
	Input func(data.Value) bool
	// Effect is what becomes of the call.
	Effect Effect
	// Reason is told to the model when the call is refused, and given to whoever is asked.
	Reason string
}

// Hints are conditions on annotations; a nil field is none. An annotation that a tool does not have is false.
type Hints struct {
	ReadOnly, Destructive, Idempotent *bool
}

func (h Hints) match(a tool.Annotations) bool {
	is := func(want *bool, got bool) bool { return want == nil || *want == got }
	return is(h.ReadOnly, a.ReadOnly) && is(h.Destructive, a.Destructive) && is(h.Idempotent, a.Idempotent)
}

// rule is a Rule with its pattern taken apart.
type rule struct {
	Rule
	parts []string // of the pattern between its stars
}

func compiled(rules []Rule) []rule {
	list := make([]rule, len(rules))
	for i, r := range rules {
		pattern := r.Path
		if pattern == "" {
			pattern = "*"
		}
		list[i] = rule{r, strings.Split(pattern, "*")}
	}
	return list
}

// covers reports that the rule is about the tool, with some input at least.
func (r *rule) covers(d *definition) bool {
	return r.reaches(d.key) && r.Hints.match(d.entry.Tool.Annotations())
}

func (r *rule) reaches(key string) bool {
	first, last := r.parts[0], r.parts[len(r.parts)-1]
	if len(r.parts) == 1 {
		return key == first
	}
	if !strings.HasPrefix(key, first) || len(key) < len(first)+len(last) || !strings.HasSuffix(key, last) {
		return false
	}
	rest := key[len(first) : len(key)-len(last)]
	for _, part := range r.parts[1 : len(r.parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return true
}

// hides reports that the rules refuse every call of the tool.
func hides(rules []rule, d *definition) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		r := &rules[i]
		if !r.covers(d) {
			continue
		}
		if r.Effect != Deny {
			return false
		}
		if r.Input == nil {
			return true
		}
	}
	return false
}

// deciding is the rule that counts for a call, or nil.
func deciding(rules []rule, d *definition, input data.Value) *rule {
	for i := len(rules) - 1; i >= 0; i-- {
		if r := &rules[i]; r.covers(d) && (r.Input == nil || r.Input(input)) {
			return r
		}
	}
	return nil
}

func (s Step) checkRules() error {
	for i, r := range s.Rules {
		if r.Effect > Deny {
			return fmt.Errorf("registry: Step.Rules[%d].Effect: got %d, want Allow, Ask or Deny", i, r.Effect)
		}
		if r.Effect == Ask && s.Ask == nil {
			return fmt.Errorf("registry: Step.Ask: got nil, but Step.Rules[%d] asks", i)
		}
	}
	return nil
}

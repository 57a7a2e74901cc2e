package config

// This file defines the expansion of variables in values.

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// expander replaces the variables of one file. What it has put in is not looked at again.
type expander struct {
	lookup    func(name string) (string, bool) // of the environment
	input     func(id string) (string, error)
	home      string
	workspace string
	current   string // the working directory
	// bareDollar also expands $NAME, bareBraces {env:NAME}: files of some clients have them.
	bareDollar, bareBraces bool
	// outside is told each value that came from the environment or a person.
	outside func(value string)
}

// unset is the error of a variable that has no value.
type unset struct{ name string }

func (e *unset) Error() string {
	return fmt.Sprintf("the variable %[1]s is not set; set it, or write a default: ${%[1]s:-…}", e.name)
}

var (
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
	wholeName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// expand replaces ${NAME}, ${NAME:-default}, ${env:NAME}, $env:NAME, ${input:id} and the names of folders. A $ before
// anything else stays.
func (e *expander) expand(source string) (string, error) { return e.expandWithin(source, 0) }

func (e *expander) expandWithin(source string, depth int) (string, error) {
	if depth > maxDefaults {
		return "", fmt.Errorf("has defaults within defaults more than %d deep", maxDefaults)
	}
	var b strings.Builder
	for source != "" {
		at := strings.IndexAny(source, "${")
		if at < 0 {
			break
		}
		b.WriteString(source[:at])
		source = source[at:]
		value, rest, err := e.reference(source, depth)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		source = rest
	}
	b.WriteString(source)
	return b.String(), nil
}

// maxDefaults bounds defaults within defaults.
const maxDefaults = 8

// reference expands what source begins with, and returns what follows it.
func (e *expander) reference(source string, depth int) (value, rest string, err error) {
	switch {
	case strings.HasPrefix(source, "${"):
		inside, rest, ok := braced(source[len("${"):])
		if !ok && !variableName.MatchString(source[len("${"):]) {
			return source[:2], source[2:], nil
		}
		if !ok {
			return "", "", fmt.Errorf("%s has no } for its ${", clip(source, 60))
		}
		value, err = e.form(inside, depth)
		return value, rest, err
	case strings.HasPrefix(source, "$env:"):
		name := variableName.FindString(source[len("$env:"):])
		if name != "" {
			value, err = e.variable(name)
			return value, source[len("$env:")+len(name):], err
		}
	case source[0] == '$' && e.bareDollar:
		name := variableName.FindString(source[1:])
		if name != "" {
			value, err = e.variable(name)
			return value, source[1+len(name):], err
		}
	case strings.HasPrefix(source, "{env:") && e.bareBraces:
		name, rest, ok := strings.Cut(source[len("{env:"):], "}")
		if ok {
			value, err = e.form("env:"+name, depth)
			return value, rest, err
		}
	}
	return source[:1], source[1:], nil
}

// braced is the text up to the brace that closes, and what follows it.
func braced(source string) (inside, rest string, ok bool) {
	depth := 1
	for i := range len(source) {
		switch source[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return source[:i], source[i+1:], true
			}
		}
	}
	return "", "", false
}

// form is the value of what stands in ${…}.
func (e *expander) form(inside string, depth int) (string, error) {
	switch inside {
	case "workspaceFolder", "workspaceRoot":
		return e.workspace, nil
	case "workspaceFolderBasename":
		return filepath.Base(e.workspace), nil
	case "userHome":
		if e.home == "" {
			return "", fmt.Errorf("${userHome}: the home folder is not known")
		}
		return e.home, nil
	case "cwd":
		return e.current, nil
	case "pathSeparator", "/":
		return string(filepath.Separator), nil
	}
	if id, ok := strings.CutPrefix(inside, "input:"); ok {
		value, err := e.input(id)
		if err == nil {
			e.outside(value)
		}
		return value, err
	}
	name, standard, hasDefault := strings.Cut(strings.TrimPrefix(inside, "env:"), ":-")
	switch {
	case !wholeName.MatchString(name):
		return "", fmt.Errorf("${%s} is none of the forms that are known: ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:id}, ${workspaceFolder}, ${userHome}", clip(inside, 60))
	case !hasDefault:
		return e.variable(name)
	}
	if value, set := e.lookup(name); set && value != "" {
		e.outside(value)
		return value, nil
	}
	return e.expandWithin(standard, depth+1)
}

func (e *expander) variable(name string) (string, error) {
	value, set := e.lookup(name)
	if !set {
		return "", &unset{name}
	}
	e.outside(value)
	return value, nil
}

// clip bounds a text in a message, in characters.
func clip(source string, most int) string {
	if runes := []rune(source); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return source
}

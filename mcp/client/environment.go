package client

// This file defines the environment of a child.

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// variables are the variables of an environment, by the name as the system
// compares it.
type variables map[string]string // to NAME=VALUE

func (v variables) set(name, value string) {
	key := name
	if foldNames {
		key = strings.ToUpper(name)
	}
	v[key] = name + "=" + value
}

// environment is what a child of the server gets: none of our variables but
// the usual ones and those that are named.
func environment(s Server) ([]string, error) {
	v := variables{}
	all := slices.Contains(s.InheritEnv, "*")
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		same := func(other string) bool { return name == other || foldNames && strings.EqualFold(name, other) }
		// A shell function that is exported has its text as value.
		usual := slices.ContainsFunc(inherited, same) && !strings.HasPrefix(value, "()")
		if name != "" && (all || usual || slices.ContainsFunc(s.InheritEnv, same)) {
			v.set(name, value)
		}
	}
	if s.EnvFile != "" {
		text, err := os.ReadFile(s.EnvFile)
		if err != nil {
			return nil, fmt.Errorf("envFile: %w", err)
		}
		if err := v.read(string(text)); err != nil {
			return nil, fmt.Errorf("envFile %s: %w", s.EnvFile, err)
		}
	}
	for name, value := range s.Env {
		v.set(name, value)
	}
	entries := make([]string, 0, len(v))
	for _, entry := range v {
		entries = append(entries, entry)
	}
	slices.Sort(entries)
	return entries, nil
}

// read reads lines NAME=VALUE. An error names the line, not what is in it.
func (v variables) read(text string) error {
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return fmt.Errorf("line %d: want NAME=VALUE", n)
		}
		value, ok = unquoted(strings.TrimSpace(value))
		if !ok {
			return fmt.Errorf("line %d: the quotes of %s do not end", n, name)
		}
		v.set(name, value)
	}
	return nil
}

// unquoted is the text between quotes. Double ones know \n, \t, \" and \\.
func unquoted(value string) (text string, ok bool) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		if comment := strings.Index(value, " #"); comment >= 0 {
			value = strings.TrimSpace(value[:comment])
		}
		return value, true
	}
	quote := value[0]
	var b strings.Builder
	for i := 1; i < len(value); i++ {
		switch c := value[i]; {
		case c == quote:
			return b.String(), true
		case c == '\\' && quote == '"' && i+1 < len(value):
			i++
			b.WriteString(escaped(value[i]))
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

func escaped(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case '"', '\\':
		return string(c)
	}
	return `\` + string(c)
}

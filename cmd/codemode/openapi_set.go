package main

// This file defines --openapi-set: what is said of an OpenAPI document beside the common flags.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// setting is one OPTION. One with a dot at its end is followed by more of its name.
type setting struct {
	name, value string // the value as the help shows it
	set         func(o *openapi.Options, rest, value string) error
}

var settings = []setting{
	{"document-url", "URL", func(o *openapi.Options, _, value string) error { o.DocumentURL = value; return nil }},
	{"origin", "URL", func(o *openapi.Options, _, value string) error { o.Origins = append(o.Origins, value); return nil }},
	{"variable.", "VALUE", func(o *openapi.Options, name, value string) error {
		if o.ServerVariables == nil {
			o.ServerVariables = map[string]string{}
		}
		o.ServerVariables[name] = value
		return nil
	}},
	{"fixed.", "VALUE", setFixed},
	{"response-header", "NAME", func(o *openapi.Options, _, value string) error {
		o.ResponseHeaders = append(o.ResponseHeaders, value)
		return nil
	}},
	{"media-type", "TYPE", setMediaType},
	{"max-response", "BYTES", func(o *openapi.Options, _, value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if o.MaxResponse = n; err != nil || n < 1 {
			return fmt.Errorf("got %q, want a number of bytes from 1", value)
		}
		return nil
	}},
	{"retry", "N", func(o *openapi.Options, _, value string) error {
		n, err := strconv.Atoi(value)
		if o.Retry = openapi.RetrySafe(n); err != nil || n < 1 || n > 10 {
			return fmt.Errorf("got %q, want how often a request is sent at most, from 1 to 10", value)
		}
		return nil
	}},
	{"timeout", "DURATION", func(o *openapi.Options, _, value string) (err error) {
		if o.Timeout, err = time.ParseDuration(value); err != nil || o.Timeout <= 0 {
			return fmt.Errorf("got %q, want a time such as 30s", value)
		}
		return nil
	}},
	{"validate", "MODE", func(o *openapi.Options, _, value string) error {
		mode, ok := map[string]tool.Validation{"strict": tool.Strict, "hint": tool.Hint, "off": tool.Off}[value]
		if o.Validation = mode; !ok {
			return fmt.Errorf("got %q, want strict, hint or off", value)
		}
		return nil
	}},
	{"tag-namespaces", "true", func(o *openapi.Options, _, value string) (err error) {
		if o.TagNamespaces, err = strconv.ParseBool(value); err != nil {
			return fmt.Errorf("got %q, want true or false", value)
		}
		return nil
	}},
}

// settingNames are all as the help shows them.
func settingNames() string {
	shown := map[string]string{"variable.": "variable.NAME", "fixed.": "fixed.PLACE.NAME"}
	list := make([]string, len(settings))
	for i, s := range settings {
		list[i] = s.name
		if name, ok := shown[s.name]; ok {
			list[i] = name
		}
		list[i] += "=" + s.value
	}
	return strings.Join(list, ", ")
}

// setOption reads OPTION=VALUE. What it says does not repeat values that may be secrets.
func setOption(o *openapi.Options, word string) error {
	name, value, ok := strings.Cut(word, "=")
	for _, s := range settings {
		rest, long := strings.CutPrefix(name, s.name)
		if name != s.name && (!long || !strings.HasSuffix(s.name, ".")) {
			continue
		}
		switch {
		case !ok:
			return fmt.Errorf("%s: want a value behind =", name)
		case rest == "" && strings.HasSuffix(s.name, "."):
			return fmt.Errorf("%s: want a name behind the dot", name)
		}
		if err := s.set(o, rest, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	return errors.New("want one of " + settingNames())
}

// setFixed reads the value of a parameter by its place and name. It is a text; env:VARIABLE is a secret one.
func setFixed(o *openapi.Options, rest, value string) error {
	in, name, ok := strings.Cut(rest, ".")
	if !ok || name == "" || !slices.Contains([]string{"query", "header", "path", "cookie"}, in) {
		return errors.New("want fixed.PLACE.NAME, where PLACE is query, header, path or cookie")
	}
	value, hidden, err := secret(value)
	if err != nil {
		return err
	}
	o.Fixed = append(o.Fixed, openapi.Fixed{In: in, Name: name, Value: data.String(value), Secret: hidden})
	return nil
}

// setMediaType prefers a media type for bodies; of several the first that an operation declares counts.
func setMediaType(o *openapi.Options, _, value string) error {
	earlier := o.MediaType
	o.MediaType = func(op openapi.Operation, declared []string) string {
		if earlier != nil {
			if chosen := earlier(op, declared); chosen != "" {
				return chosen
			}
		}
		if slices.Contains(declared, value) {
			return value
		}
		return ""
	}
	return nil
}

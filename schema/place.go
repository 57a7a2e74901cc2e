// This file defines where a bad property name is: the validator's own path may
// point to a sibling, another one each time.

package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/codemode-go/codemode/data"
)

// placeOfName is the path of an object with a bad name: as deep as the
// validator says, below the property the schema speaks of, and not yet told.
func (r *reporter) placeOfName(e *jsonschema.ValidationError, name string) []string {
	s := search{name: name, depth: len(e.InstanceLocation), left: min(maxSearched, maxSearchedInAll-r.searched)}
	left := s.left
	s.look(r.value, nil)
	r.searched += left - s.left
	if property := lastProperty(e.SchemaURL); property != "" {
		if below := slices.DeleteFunc(slices.Clone(s.found), func(path []string) bool { return !slices.Contains(path, property) }); len(below) > 0 {
			s.found = below
		}
	}
	for _, path := range s.found {
		key := strings.Join(path, "\x00")
		if slices.Contains(r.named[name], key) {
			continue
		}
		if r.named == nil {
			r.named = map[string][]string{}
		}
		r.named[name] = append(r.named[name], key)
		return path
	}
	if len(s.found) > 0 {
		return s.found[0]
	}
	return nil
}

// These bound the values that are looked at for one name and for all: beyond,
// a name is told without its place.
const (
	maxSearched      = 10_000
	maxSearchedInAll = 200_000
)

// search finds the objects at a depth that have a name.
type search struct {
	name  string
	depth int
	left  int
	found [][]string
}

func (s *search) look(v data.Value, path []string) {
	if s.left--; s.left < 0 {
		return
	}
	o, isObject := v.(*data.Object)
	if len(path) == s.depth {
		if _, has := o.Get(s.name); has {
			s.found = append(s.found, slices.Clone(path))
		}
		return
	}
	if isObject {
		for key, item := range o.All() {
			s.look(item, append(path, key))
		}
		return
	}
	if a, ok := v.(data.Array); ok {
		for i, item := range a.All() {
			s.look(item, append(path, strconv.Itoa(i)))
		}
	}
}

// lastProperty is the last property that a schema's address goes through.
func lastProperty(address string) string {
	_, fragment, _ := strings.Cut(address, "#")
	steps, _ := pointerSteps("#" + fragment)
	for i := len(steps) - 2; i >= 0; i-- {
		if steps[i] == "properties" {
			return steps[i+1]
		}
	}
	return ""
}

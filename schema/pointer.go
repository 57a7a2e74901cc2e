// This file defines how references are followed within one document.

package schema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// maxPointer bounds the steps of one reference.
const maxPointer = 64

// pointerSteps splits a reference into this document, a JSON pointer (RFC 6901)
// as URI fragment, into its decoded steps. Another document is not ok.
func pointerSteps(ref string) (steps []string, ok bool) {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok || len(ref) > 4096 {
		return nil, false
	}
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	if fragment == "" {
		return nil, true
	}
	rest, ok := strings.CutPrefix(fragment, "/")
	if !ok || strings.Count(rest, "/") >= maxPointer {
		return nil, false
	}
	for step := range strings.SplitSeq(rest, "/") {
		steps = append(steps, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return steps, true
}

// follow is the value at the steps below v, or nil.
func follow(v data.Value, steps []string) data.Value {
	for _, step := range steps {
		switch parent := v.(type) {
		case *data.Object:
			v = member(parent, step)
		case data.Array:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= parent.Len() || strconv.Itoa(i) != step {
				return nil
			}
			v = parent.At(i)
		default:
			return nil
		}
	}
	return v
}

// target resolves a reference of a document: a pointer, or the plain name of an
// $anchor (or, before 2019-09, an $id) among the definitions. key is the same
// for all spellings of one place.
func target(root data.Value, ref string) (v data.Value, steps []string, key string) {
	steps, ok := pointerSteps(ref)
	if !ok {
		steps = anchored(root, ref)
		if steps == nil {
			return nil, nil, ""
		}
	}
	v = follow(root, steps)
	switch v.(type) {
	case *data.Object, data.Bool:
		return v, steps, strings.Join(steps, "\x00")
	}
	return nil, nil, ""
}

// definitionKeys are the keywords that hold named schemas.
var definitionKeys = []string{"$defs", "definitions"}

func anchored(root data.Value, ref string) []string {
	name, ok := strings.CutPrefix(ref, "#")
	o, _ := root.(*data.Object)
	if !ok || name == "" {
		return nil
	}
	for _, group := range definitionKeys {
		defs, _ := member(o, group).(*data.Object)
		for key, v := range defs.All() {
			def, _ := v.(*data.Object)
			if text(def, "$anchor") == name || text(def, "$id") == ref {
				return []string{group, key}
			}
		}
	}
	return nil
}

// text is a member that is a string, or "".
func text(o *data.Object, key string) string {
	s, _ := member(o, key).(data.String)
	return string(s)
}

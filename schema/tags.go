// This file defines what the field tag jsonschema may say: the reflector drops
// in silence what it does not understand.

package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keywordKinds are the keywords of a tag, with the types they apply to ("" is
// every type) and the form of what they say.
var keywordKinds = map[string]struct{ types, form string }{
	"title": {"", "text"}, "description": {"", "text"}, "type": {"", "text"}, "anchor": {"", "text"},
	"oneof_required": {"", "text"}, "anyof_required": {"", "text"}, "oneof_ref": {"", "text"}, "anyof_ref": {"", "text"},
	"oneof_type": {"", "text"}, "anyof_type": {"", "text"},
	"minLength": {"string", "size"}, "maxLength": {"string", "size"}, "pattern": {"string", "pattern"}, "format": {"string", "text"},
	"readOnly": {"string", "boolean"}, "writeOnly": {"string", "boolean"},
	"multipleOf": {"number integer", "number"}, "minimum": {"number integer", "number"}, "maximum": {"number integer", "number"},
	"exclusiveMinimum": {"number integer", "number"}, "exclusiveMaximum": {"number integer", "number"},
	"minItems": {"array", "size"}, "maxItems": {"array", "size"}, "uniqueItems": {"array", "text"},
	"enum": {"string number integer", "value"}, "example": {"string number integer", "value"},
	"default": {"string number integer boolean", "value"},
}

// checkTags says what is wrong in the tags of the structs in a type, by struct,
// field and keyword.
func checkTags(t reflect.Type, d Direction) error {
	c := tagChecker{direction: d, seen: map[reflect.Type]bool{}}
	c.look(t)
	if len(c.problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(c.problems, "; "))
}

type tagChecker struct {
	direction Direction
	seen      map[reflect.Type]bool
	problems  []string
}

func (c *tagChecker) look(t reflect.Type) {
	if c.seen[t] || opaque(t, c.direction) {
		return
	}
	c.seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		c.look(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("json") == "-" || !f.IsExported() && !f.Anonymous {
				continue
			}
			c.field(t, f)
			c.look(f.Type)
		}
	}
}

func (c *tagChecker) field(t reflect.Type, f reflect.StructField) {
	tag, ok := f.Tag.Lookup("jsonschema")
	if !ok || tag == "-" {
		return
	}
	class, items := classOf(f.Type, c.direction), ""
	if class == "array" {
		items = classOf(elementOf(f.Type), c.direction)
	}
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if hasOption(options, "string") && class != "array" && class != "" {
		class = "string"
	}
	for _, part := range tagParts(tag) {
		key, value, isPair := strings.Cut(part, "=")
		if key == "type" {
			class = value
		}
		var problem string
		switch {
		case isPair:
			problem = keywordProblem(key, value, class, items)
		case part == "required" && (hasOption(options, "omitempty") || hasOption(options, "omitzero")):
			problem = "contradicts omitempty and omitzero in the tag json, with which the field may be missing"
		case part != "required" && part != "nullable" && part != "":
			problem = `is neither a keyword with "=" nor required or nullable; a comma in a keyword is written \\,`
		}
		if problem != "" {
			c.problems = append(c.problems, fmt.Sprintf("%s.%s: jsonschema:%q: %s %s", t, f.Name, tag, key, problem))
		}
	}
}

// tagParts splits a tag at its commas but those behind a backslash.
func tagParts(tag string) []string {
	var parts []string
	for _, part := range strings.Split(tag, ",") {
		if n := len(parts); n > 0 && strings.HasSuffix(parts[n-1], `\`) {
			parts[n-1] = strings.TrimSuffix(parts[n-1], `\`) + "," + part
			continue
		}
		parts = append(parts, part)
	}
	return parts
}

// keywordProblem is what is wrong with a keyword for a type, or for the items
// of an array, or "".
func keywordProblem(key, value, class, items string) string {
	k, known := keywordKinds[key]
	if !known {
		return "is no keyword that is known here"
	}
	if k.types == "" || class == anyClass {
		return ""
	}
	of := class
	if class == "array" && k.types != "array" && key != "default" {
		of = items
	}
	if of != class || key != "default" || class != "array" {
		if !slices.Contains(strings.Fields(k.types), of) {
			return "does not apply to " + classText(of)
		}
	}
	return formProblem(k.form, value, of)
}

func classText(class string) string {
	if class == "" {
		return "a type of this form"
	}
	return "the type " + class
}

// formProblem is why a value is none for its keyword, or "".
func formProblem(form, value, class string) string {
	if form == "value" {
		form = class
	}
	switch form {
	case "size":
		if _, err := strconv.ParseUint(value, 10, 31); err != nil {
			return "is no natural number"
		}
	case "integer":
		if n, err := strconv.ParseFloat(value, 64); err != nil || n != float64(int64(n)) {
			return "is no integer"
		}
	case "number":
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			return "is no number"
		}
	case "boolean":
		if value != "true" && value != "false" {
			return "is neither true nor false"
		}
	case "pattern":
		compiled, err := compilePattern(value)
		if _, unenforced := compiled.(anything); err != nil || unenforced {
			return "is no regular expression"
		}
	}
	return ""
}

// anyClass is the class of types that describe themselves.
const anyClass = "any"

// classOf is the JSON type by which the reflector chooses keywords, "" for none.
func classOf(t reflect.Type, d Direction) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch k := t.Kind(); {
	case fixed[t] != "":
		return fixed[t]
	case implements(t, described):
		return anyClass
	case t == reflect.TypeFor[time.Time]():
		return "string"
	case implements(t, jsonMarshaler), implements(t, jsonUnmarshaler):
		return ""
	case isText(t, d), isBytes(t), k == reflect.String:
		return "string"
	case isWhole(k):
		return "integer"
	case k == reflect.Float32, k == reflect.Float64:
		return "number"
	case k == reflect.Bool:
		return "boolean"
	case k == reflect.Slice, k == reflect.Array:
		return "array"
	}
	return ""
}

func elementOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Elem()
}

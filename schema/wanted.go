// This file defines what is said of a value of another type than is wanted.

package schema

import (
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/codemode-go/codemode/data"
)

// wanted is what a place takes that has a value of another type: the constants, if there are some.
func (r *reporter) wanted(e *jsonschema.ValidationError, k *kind.Type) string {
	list, ok := at(r.schemaAt(e.SchemaURL), []string{"enum"}).(data.Array)
	if !ok || list.Len() == 0 {
		return orList(k.Want)
	}
	texts := make([]string, 0, min(list.Len(), maxConstants+1))
	for i, v := range list.All() {
		if i == maxConstants {
			texts = append(texts, moreConstants(list.Len()-i))
			break
		}
		texts = append(texts, data.JSON(v))
	}
	return orList(texts)
}

// nullText says how a null may have come about that is not wanted, and what to do instead.
func (r *reporter) nullText(e *jsonschema.ValidationError, number bool) string {
	if _, null := at(r.value, e.InstanceLocation).(data.Null); !null {
		return ""
	}
	var texts []string
	if number {
		texts = append(texts, "NaN and Infinity become null in JSON")
	}
	if r.optional(e) {
		texts = append(texts, "leave it out if there is none")
	}
	if len(texts) == 0 {
		return ""
	}
	return " (" + strings.Join(texts, "; ") + ")"
}

// optional reports that the place of an error is a property that its object need not have.
func (r *reporter) optional(e *jsonschema.ValidationError) bool {
	if len(e.InstanceLocation) == 0 {
		return false
	}
	name := e.InstanceLocation[len(e.InstanceLocation)-1]
	parent, step, ok := cutLast(e.SchemaURL, "/properties/")
	if text, err := url.PathUnescape(step); !ok || err != nil || strings.NewReplacer("~1", "/", "~0", "~").Replace(text) != name {
		return false
	}
	required, _ := at(r.schemaAt(parent), []string{"required"}).(data.Array)
	for _, v := range required.All() {
		if v == data.Value(data.String(name)) {
			return false
		}
	}
	return true
}

func cutLast(text, around string) (before, after string, ok bool) {
	i := strings.LastIndex(text, around)
	if i < 0 {
		return "", "", false
	}
	return text[:i], text[i+len(around):], true
}

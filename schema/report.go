// This file defines how findings of the validator are told.

package schema

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/codemode-go/codemode/data"
)

type reporter struct {
	document data.Value
	value    data.Value
	named    map[string][]string // places that were found for bad names, by name
	searched int                 // values, for these
}

// flatten turns the tree of errors into issues.
func (r *reporter) flatten(e *jsonschema.ValidationError) []Issue {
	if empty(e) {
		return nil
	}
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		return r.union(e)
	case *kind.OneOf:
		if len(e.Causes) > 0 {
			return r.union(e)
		}
		return r.one(e, fmt.Sprintf("fits %d alternatives of which it must fit exactly one", len(k.Subschemas)))
	case *kind.AdditionalProperties:
		return r.unknownFields(e, k.Properties)
	case *kind.Required:
		return r.missing(e, k.Missing, "required")
	case *kind.DependentRequired:
		return r.missing(e, k.Missing, "required because "+strconv.Quote(k.Prop)+" is given")
	case *kind.Dependency:
		return r.missing(e, k.Missing, "required because "+strconv.Quote(k.Prop)+" is given")
	case *kind.PropertyNames:
		keys := r.placeOfName(e, k.Property)
		return []Issue{{Path: pathText(r.value, keys), Message: "the name " + strconv.Quote(k.Property) + " is not allowed here" + namesText(e), keys: keys}}
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		return r.causes(e)
	}
	if len(e.Causes) > 0 {
		return r.causes(e)
	}
	issues := r.one(e, r.message(e))
	if k, ok := e.ErrorKind.(*kind.Enum); ok {
		issues[0].Got, issues[0].Known = textAndTexts(at(r.value, e.InstanceLocation), k.Want)
	}
	return issues
}

// empty reports that an error is only that a reference leads back to itself:
// such a schema says nothing, so that it accepts everything.
func empty(e *jsonschema.ValidationError) bool {
	switch e.ErrorKind.(type) {
	case *kind.RefCycle:
		return true
	case *kind.AnyOf, *kind.OneOf, *kind.Contains:
		return slices.ContainsFunc(e.Causes, empty)
	case *kind.Not:
		return false
	}
	return len(e.Causes) > 0 && !slices.ContainsFunc(e.Causes, func(c *jsonschema.ValidationError) bool { return !empty(c) })
}

func (r *reporter) causes(e *jsonschema.ValidationError) []Issue {
	var issues []Issue
	seen := map[[2]string]bool{}
	for _, cause := range e.Causes {
		for _, issue := range r.flatten(cause) {
			if key := [2]string{issue.Path, issue.Message}; !seen[key] {
				seen[key] = true
				issues = append(issues, issue)
			}
		}
	}
	return issues
}

func (r *reporter) one(e *jsonschema.ValidationError, message string) []Issue {
	return []Issue{{Path: pathText(r.value, e.InstanceLocation), Message: message, keys: e.InstanceLocation}}
}

func (r *reporter) missing(e *jsonschema.ValidationError, names []string, message string) []Issue {
	issues := make([]Issue, len(names))
	base := pathText(r.value, e.InstanceLocation)
	for i, name := range names {
		issues[i] = Issue{Path: base + string(data.AppendKey(nil, name)), Message: message,
			keys: append(slices.Clip(e.InstanceLocation), name)}
	}
	return issues
}

func (r *reporter) unknownFields(e *jsonschema.ValidationError, names []string) []Issue {
	if o, ok := at(r.value, e.InstanceLocation).(*data.Object); ok {
		names = inOrderOf(o, names)
	}
	known := New(r.schemaAt(e.SchemaURL)).Properties()
	issues := r.missing(e, names, "unknown field")
	for i, name := range names {
		issues[i].Got, issues[i].Known = name, known
		if len(known) == 0 {
			issues[i].Hint = "no fields are expected"
		} else if len(known) <= 8 {
			issues[i].Hint = "expected fields: " + strings.Join(known, ", ")
		}
	}
	return issues
}

// inOrderOf sorts names as they come in the value.
func inOrderOf(o *data.Object, names []string) []string {
	unknown := make(map[string]bool, len(names))
	for _, name := range names {
		unknown[name] = true
	}
	sorted := make([]string, 0, len(names))
	for key := range o.All() {
		if unknown[key] {
			sorted = append(sorted, key)
		}
	}
	return sorted
}

// schemaAt follows the fragment of a schema's address.
func (r *reporter) schemaAt(address string) data.Value {
	_, pointer, _ := strings.Cut(address, "#")
	v := r.document
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if step == "" {
			continue
		}
		if text, err := url.PathUnescape(step); err == nil {
			step = text
		}
		v = at(v, []string{strings.NewReplacer("~1", "/", "~0", "~").Replace(step)})
	}
	return v
}

// union reports inside the one alternative that was meant, if that can be told.
func (r *reporter) union(e *jsonschema.ValidationError) []Issue {
	branches := make([][]Issue, len(e.Causes))
	for i, cause := range e.Causes {
		branches[i] = r.flatten(cause)
	}
	for _, enums := range []bool{false, true} {
		var meant []int
		for i, cause := range e.Causes {
			if !ruledOut(cause, len(e.InstanceLocation), enums) {
				meant = append(meant, i)
			}
		}
		if len(meant) == 1 {
			return branches[meant[0]]
		}
	}
	if want := wantedTypes(e); want != "" {
		return r.one(e, "expected "+want+", got "+show(at(r.value, e.InstanceLocation)))
	}
	texts := make([]string, 0, len(branches))
	for _, branch := range branches {
		if len(branch) > 0 && len(texts) < 3 {
			texts = append(texts, strings.TrimPrefix(branch[0].Path, ".")+": "+branch[0].Message)
		}
	}
	return r.one(e, fmt.Sprintf("fits none of %d alternatives (%s)", len(branches), strings.Join(texts, " | ")))
}

// ruledOut reports that an alternative cannot have been meant: the type of the
// whole is wrong, or a constant, or an enumeration if these count, that tells
// alternatives apart.
func ruledOut(e *jsonschema.ValidationError, depth int, enums bool) bool {
	here := len(e.InstanceLocation) - depth
	switch e.ErrorKind.(type) {
	case *kind.Type:
		return here == 0
	case *kind.Const:
		return here <= 1
	case *kind.Enum:
		return enums && here <= 1
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		return false
	}
	return slices.ContainsFunc(e.Causes, func(c *jsonschema.ValidationError) bool { return ruledOut(c, depth, enums) })
}

// wantedTypes joins the types and constants that alternatives want, if they
// want nothing else.
func wantedTypes(e *jsonschema.ValidationError) string {
	var want []string
	for _, cause := range e.Causes {
		for len(cause.Causes) == 1 {
			cause = cause.Causes[0]
		}
		switch k := cause.ErrorKind.(type) {
		case *kind.Type:
			want = append(want, k.Want...)
		case *kind.Const:
			want = append(want, showAny(k.Want))
		case *kind.Enum:
			want = append(want, enumText(k.Want))
		default:
			return ""
		}
		if len(cause.Causes) > 0 || len(cause.InstanceLocation) != len(e.InstanceLocation) {
			return ""
		}
	}
	return orList(want)
}

func (r *reporter) message(e *jsonschema.ValidationError) string {
	value := at(r.value, e.InstanceLocation)
	got := ", got " + show(value)
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return "expected " + r.wanted(e, k) + got + r.nullText(e, slices.Contains(k.Want, "number") || slices.Contains(k.Want, "integer"))
	case *kind.Enum:
		return "expected " + enumText(k.Want) + got + r.nullText(e, false)
	case *kind.Const:
		return "expected " + showAny(k.Want) + got
	case *kind.FalseSchema:
		return "not allowed here"
	case *kind.Not:
		return "has a form that is excluded" + got
	case *kind.Pattern:
		return "must match /" + k.Want + "/" + got
	case *kind.Format:
		return "must have the format " + k.Want + got
	case *kind.ContentEncoding:
		return "must be " + k.Want + got
	case *kind.UniqueItems:
		return fmt.Sprintf("items must differ, but %d and %d are the same", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		return "has no item of the form it must contain"
	}
	if text := boundText(e.ErrorKind); text != "" {
		return text + got
	}
	return "does not satisfy " + strings.Join(e.ErrorKind.KeywordPath(), "/") + got
}

// namesText says what names must be, or "".
func namesText(e *jsonschema.ValidationError) string {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Pattern:
		switch k.Want {
		case textOf(reflect.Int):
			return ": the keys are integers"
		case textOf(reflect.Uint):
			return ": the keys are integers from 0"
		}
		return ": names must match /" + k.Want + "/"
	case *kind.Enum:
		return ": expected " + enumText(k.Want)
	}
	if text := boundText(e.ErrorKind); text != "" {
		return ": it " + text
	}
	return ""
}

func boundText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Minimum:
		return "must be ≥ " + k.Want.RatString()
	case *kind.Maximum:
		return "must be ≤ " + k.Want.RatString()
	case *kind.ExclusiveMinimum:
		return "must be > " + k.Want.RatString()
	case *kind.ExclusiveMaximum:
		return "must be < " + k.Want.RatString()
	case *kind.MultipleOf:
		return "must be a multiple of " + k.Want.RatString()
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %d characters, has %d", k.Want, k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters, has %d", k.Want, k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d items, has %d", k.Want, k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d items, has %d", k.Want, k.Got)
	case *kind.AdditionalItems:
		return fmt.Sprintf("has %d items too many", k.Count)
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %d fields, has %d", k.Want, k.Got)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %d fields, has %d", k.Want, k.Got)
	}
	return ""
}

// maxShown bounds what a message quotes of a value.
const maxShown = 60

// show is a value in a message: its type and, if it is short, itself.
func show(v data.Value) string {
	switch v := v.(type) {
	case nil, data.Null:
		return "null"
	case data.Array:
		return fmt.Sprintf("array of %d", v.Len())
	case *data.Object:
		return "object"
	}
	text := []rune(data.JSON(v))
	if len(text) > maxShown {
		text = append(text[:maxShown], '…')
	}
	return v.Kind().String() + " " + string(text)
}

func showAny(v any) string {
	value, err := data.From(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return data.JSON(value)
}

const maxConstants = 12

func moreConstants(n int) string { return fmt.Sprintf("one of %d more", n) }

func enumText(want []any) string {
	texts := make([]string, 0, len(want))
	for i, v := range want {
		if i == maxConstants {
			texts = append(texts, moreConstants(len(want)-i))
			break
		}
		texts = append(texts, showAny(v))
	}
	return orList(texts)
}

// textAndTexts is a string value and the strings among those wanted.
func textAndTexts(got data.Value, want []any) (text string, texts []string) {
	for _, v := range want {
		if s, ok := v.(string); ok {
			texts = append(texts, s)
		}
	}
	s, _ := got.(data.String)
	return string(s), texts
}

// orList is "a", "a or b", "a, b or c".
func orList(texts []string) string {
	var distinct []string
	for _, text := range texts {
		if !slices.Contains(distinct, text) {
			distinct = append(distinct, text)
		}
	}
	if n := len(distinct); n > 1 {
		return strings.Join(distinct[:n-1], ", ") + " or " + distinct[n-1]
	}
	return strings.Join(distinct, "")
}

// maxSorted bounds the work on values that are wrong all over.
const maxSorted = 200

// inOrder sorts issues as their places come in the value; what is missing comes
// behind what is there.
func (r *reporter) inOrder(issues []Issue) []Issue {
	if len(issues) > maxSorted {
		return issues
	}
	slices.SortStableFunc(issues, func(a, b Issue) int {
		return slices.Compare(r.position(a.keys), r.position(b.keys))
	})
	return issues
}

func (r *reporter) position(keys []string) []int {
	position := make([]int, len(keys))
	for i, key := range keys {
		switch parent := at(r.value, keys[:i]).(type) {
		case *data.Object:
			position[i] = parent.Len()
			for j := range parent.Len() {
				if parent.At(j).Key == key {
					position[i] = j
				}
			}
		case data.Array:
			position[i], _ = strconv.Atoi(key)
		}
	}
	return position
}

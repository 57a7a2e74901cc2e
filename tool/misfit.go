// This file defines what a program is told when an input fits its schema but
// not its Go type.

package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// misfit words what cannot be decoded, such as 300 for an int8, or what a type
// of the host refuses. The text of such a type is the host's own, as with any
// error of a tool, unless it is an [*Error].
func misfit(t reflect.Type, input data.Value) error {
	issue := schema.Issue{Path: "input", Message: "expected a value that the tool accepts"}
	if m := schema.FindMisfit("input", t, input); m != nil {
		issue = schema.Issue{Path: m.Path, Message: misfitText(m)}
	}
	return &schema.Invalid{Issues: []schema.Issue{issue}, Count: 1}
}

func misfitText(m *schema.Misfit) string {
	if told := toldBy(m.Err); told != nil {
		return told.Message
	}
	want := "a value that " + m.Name + " accepts"
	var mismatch *json.UnmarshalTypeError
	if errors.As(m.Err, &mismatch) {
		want = kindName(mismatch.Type)
	}
	if m.Key {
		return "expected keys that are " + keysName(m.Type) + ", got " + m.Got()
	}
	return "expected " + want + ", got " + m.Got()
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		article := "a"
		if t.Bits() == 8 {
			article = "an"
		}
		return fmt.Sprintf("%s %d-bit integer", article, t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprintf("an unsigned %d-bit integer", t.Bits())
	case reflect.Float32, reflect.Float64:
		return fmt.Sprintf("a %d-bit number", t.Bits())
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Bool:
		return "boolean"
	}
	return t.Kind().String()
}

func keysName(t reflect.Type) string {
	switch k := t.Kind(); {
	case reflect.Int <= k && k <= reflect.Int64:
		return fmt.Sprintf("%d-bit integers", t.Bits())
	case reflect.Uint <= k && k <= reflect.Uintptr:
		return fmt.Sprintf("unsigned %d-bit integers", t.Bits())
	}
	return "accepted"
}

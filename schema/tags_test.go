package schema_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// What a tag says is either in the schema or an error that names it.
func TestTags(t *testing.T) {
	for _, c := range []struct {
		of   any
		tag  string
		want string // in the error, or "" where there is none
		has  string // in the schema
	}{
		{"", `jsonschema:"pattern=["`, `A: jsonschema:"pattern=[": pattern is no regular expression`, ""},
		{"", `jsonschema:"pattern=^a{1,2}$"`, `2}$ is neither a keyword`, ""},
		{"", `jsonschema:"pattern=^a{1\\,2}$"`, "", `"pattern":"^a{1,2}$"`},
		{"", `jsonschema:"pattern=^(?<year>a)(?=b)"`, "", `(?=b)`},
		{0, `jsonschema:"minimum=x"`, `minimum is no number`, ""}, {0, `jsonschema:"minimun=1"`, `minimun is no keyword`, ""}, {0, `jsonschema:"default=1.5"`, "default is no integer", ""},
		{0, `jsonschema:"minimum=1.5"`, "", `"minimum":1.5`}, {0.5, `jsonschema:"enum=0.5,enum=1e3"`, "", `"enum":[0.5,1000]`},
		{"", `jsonschema:"minimum=1"`, `minimum does not apply to the type string`, ""}, {1, `jsonschema:"minLength=1"`, `minLength does not apply to the type integer`, ""},
		{"", `jsonschema:"minLength=-1"`, `minLength is no natural number`, ""}, {true, `jsonschema:"default=yes"`, `default is neither true nor false`, ""},
		{true, `jsonschema:"default=true"`, "", `"default":true`}, {true, `jsonschema:"enum=true"`, `enum does not apply to the type boolean`, ""},
		{[]string{}, `jsonschema:"minItems=1,uniqueItems=true,maxLength=3,enum=a"`, "", `"maxLength":3`}, {[]int{}, `jsonschema:"minItems=x"`, `minItems is no natural number`, ""},
		{[]int{}, `jsonschema:"maxLength=1"`, `maxLength does not apply to the type integer`, ""}, {[]string{}, `jsonschema:"default=a,default=b"`, "", `"default":["a","b"]`},
		{map[string]int{}, `jsonschema:"minimum=1"`, `minimum does not apply to a type of this form`, ""}, {struct{}{}, `jsonschema:"default=1"`, `default does not apply`, ""},
		{struct{}{}, `jsonschema:"description=a, b"`, ` b is neither`, ""}, {struct{}{}, `jsonschema:"title=T"`, "", `"title":"T"`},
		{time.Time{}, `jsonschema:"example=2020-01-01T00:00:00Z"`, "", `"examples"`}, {time.Second, `jsonschema:"minimum=1"`, "", `"minimum":1`},
		{new(int), `jsonschema:"maximum=3"`, "", `"maximum":3`}, {1, `json:",string" jsonschema:"pattern=^1$"`, "", `"pattern":"^1$"`},
		{"", `json:",omitempty" jsonschema:"required"`, `required contradicts omitempty`, ""}, {"", `json:",omitzero" jsonschema:"required"`, `required contradicts omitempty and omitzero`, ""},
		{"", `jsonschema:"required"`, "", `"required":["A"]`}, {"", `jsonschema:"needed"`, `needed is neither`, ""},
		{colour(""), `jsonschema:"default=red"`, "", `"default":"red"`}, {"", `json:"-" jsonschema:"nonsense"`, "", `{`},
		{"", `jsonschema:"format=email"`, "", `"format":"email"`}, {"", `jsonschema:"type=number,minimum=1"`, "", `"minimum":1`},
	} {
		s, err := schema.FromType(reflect.SliceOf(tagged(c.tag, c.of)), schema.Input)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%T %s: %v", c.of, c.tag, err)
		case c.want == "":
			if text := data.JSON(s.Document()); !strings.Contains(text, c.has) {
				t.Errorf("%T %s: %s", c.of, c.tag, text)
			}
		case err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "struct { A "):
			t.Errorf("%T %s: %v\nwant %s", c.of, c.tag, err, c.want)
		}
	}
}

// This file defines the full validator: a third-party one, hardened, whose
// findings are told with paths and values.

package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/codemode-go/codemode/data"
)

// location is the address of the one resource a compiler ever sees.
const location = "schema:///"

// refuse is the loader: a schema must not make us read files or the network.
type refuse struct{}

// Load implements jsonschema.URLLoader.
func (refuse) Load(url string) (any, error) {
	return nil, errors.New("a schema cannot refer to another document")
}

// dialects are the values of $schema that are kept; with another one the
// document is read as 2020-12.
var dialects = []string{"draft-04/", "draft-06/", "draft-07/", "draft/2019-09/", "draft/2020-12/"}

type validator struct {
	schema   *jsonschema.Schema
	document data.Value
}

// newValidator compiles a document. The compiler is foreign code over foreign
// data, so a panic of it counts as a refusal.
func newValidator(document data.Value, inferred bool) (v *validator, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the schema cannot be compiled: %v", r)
		}
	}()
	c := jsonschema.NewCompiler()
	c.UseLoader(refuse{})
	c.UseRegexpEngine(compilePattern)
	if inferred {
		enforceFormats(c)
	}
	enforced, _ := withNull(withoutForeignDialect(document), 0)
	if err := c.AddResource(location, plain(enforced)); err != nil {
		return nil, err
	}
	compiled, err := c.Compile(location)
	if err != nil {
		return nil, err
	}
	return &validator{compiled, document}, nil
}

func withoutForeignDialect(document data.Value) data.Value {
	o, ok := document.(*data.Object)
	if !ok {
		return document
	}
	url, ok := member(o, "$schema").(data.String)
	for _, dialect := range dialects {
		if ok && strings.Contains(string(url), "json-schema.org/"+dialect) {
			return document
		}
	}
	return without(o, "$schema")
}

// plain is v as the validator wants it. Numbers are json.Number so that large
// integers stay exact.
func plain(v data.Value) any {
	switch v := v.(type) {
	case data.Bool:
		return bool(v)
	case data.String:
		return string(v)
	case data.Number:
		text := data.JSON(v)
		if text == "null" {
			return nil
		}
		return json.Number(text)
	case data.Array:
		items := make([]any, v.Len())
		for i, item := range v.All() {
			items[i] = plain(item)
		}
		return items
	case *data.Object:
		members := make(map[string]any, v.Len())
		for key, item := range v.All() {
			members[key] = plain(item)
		}
		return members
	}
	return nil
}

// issues are all findings about v.
func (v *validator) issues(value data.Value) (issues []Issue) {
	defer func() {
		if recover() != nil {
			issues = nil
		}
	}()
	err := v.schema.Validate(plain(value))
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	r := &reporter{document: v.document, value: value}
	return r.inOrder(r.flatten(invalid))
}

// at follows the keys of a path into a value, or returns nil.
func at(v data.Value, path []string) data.Value {
	for _, key := range path {
		switch parent := v.(type) {
		case *data.Object:
			v = member(parent, key)
		case data.Array:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= parent.Len() {
				return nil
			}
			v = parent.At(i)
		default:
			return nil
		}
	}
	return v
}

// pathText writes a path into value as an expression.
func pathText(value data.Value, path []string) string {
	var text []byte
	for i, key := range path {
		if parent := at(value, path[:i]); parent != nil && parent.Kind() == data.KindArray {
			text = append(append(append(text, '['), key...), ']')
			continue
		}
		text = data.AppendKey(text, key)
	}
	return string(text)
}

func without(o *data.Object, keys ...string) *data.Object {
	members := make([]data.Member, 0, o.Len())
next:
	for key, v := range o.All() {
		for _, gone := range keys {
			if key == gone {
				continue next
			}
		}
		members = append(members, data.Member{Key: key, Value: v})
	}
	return data.NewObject(members)
}

// with sets a member, at its place if there is one, else at the end.
func with(o *data.Object, key string, v data.Value) *data.Object {
	members := make([]data.Member, 0, o.Len()+1)
	for k, old := range o.All() {
		members = append(members, data.Member{Key: k, Value: old})
	}
	return data.NewObject(append(members, data.Member{Key: key, Value: v}))
}

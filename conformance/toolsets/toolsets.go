// Package toolsets defines the tools that the conformance programs call: sets by name over the schemas and data of the
// JSON files beside it, with fresh state for every program.
package toolsets

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

//go:embed toolsets.json
var setsJSON []byte

//go:embed toolset-data.json
var dataJSON []byte

// document is a JSON file as an object.
func document(text []byte) *data.Object {
	v, err := data.Parse(text)
	if err != nil {
		panic(err)
	}
	return v.(*data.Object)
}

var (
	sets    = document(setsJSON)
	content = document(dataJSON)
)

// Names are the sets in the order of the file.
func Names() []string {
	var names []string
	for name := range object(sets, "sets").All() {
		names = append(names, name)
	}
	return names
}

// Tree makes a set with fresh state. The error says that there is no such set.
func Tree(set string) (tool.Tree, error) {
	if set == "" {
		set = "none"
	}
	namespaces, ok := object(sets, "sets").Get(set)
	if !ok {
		return nil, fmt.Errorf("no tool set %q; there are %s", set, strings.Join(Names(), ", "))
	}
	tree := tool.Tree{}
	functions := functions(newStore())
	for _, ns := range namespaces.(data.Array).All() {
		prefix := string(ns.(data.String)) + "."
		for path, spec := range object(sets, "tools").All() {
			if strings.HasPrefix(path, prefix) {
				tree[path] = made(spec.(*data.Object), functions[path])
			}
		}
	}
	return tree, nil
}

func made(spec *data.Object, f tool.Func) *tool.Tool {
	var options []tool.Option
	if output, ok := spec.Get("output"); ok {
		options = append(options, tool.OutputSchema(schema.New(output)))
	}
	input, _ := spec.Get("input")
	return tool.Raw(text(spec, "description", ""), schema.New(input), f, options...)
}

// functions are the tools by path.
func functions(s *store) map[string]tool.Func {
	constant := func(v data.Value) tool.Func {
		return func(context.Context, data.Value) (data.Value, error) { return v, nil }
	}
	wrong := func(n string) data.Value { return data.NewObject([]data.Member{{Key: "n", Value: data.String(n)}}) }
	return map[string]tool.Func{
		"math.add":           numeric(func(a, b float64) (float64, error) { return a + b, nil }),
		"math.div":           numeric(divide),
		"clock.after":        after,
		"clock.fail":         fail,
		"store.get":          s.get,
		"store.put":          s.put,
		"store.list":         s.list,
		"github.list_issues": listIssues,
		"github.get_issue":   getIssue,
		"text.json_string":   jsonString,
		"bad.wrong_output":   constant(wrong("oops")),
		"bad.missing_field":  constant(data.NewObject(nil)),
		"bad.secret_output":  constant(wrong("s3cr3t")),
		"bad.boom": func(context.Context, data.Value) (data.Value, error) {
			return nil, fmt.Errorf("s3cr3t connection string")
		},
	}
}

func get(v data.Value, key string) data.Value {
	o, _ := v.(*data.Object)
	member, _ := o.Get(key)
	return member
}

func object(v data.Value, key string) *data.Object {
	o, _ := get(v, key).(*data.Object)
	return o
}

func text(v data.Value, key, absent string) string {
	if s, ok := get(v, key).(data.String); ok {
		return string(s)
	}
	return absent
}

func number(v data.Value, key string, absent float64) float64 {
	if n, ok := get(v, key).(data.Number); ok {
		return n.Float64()
	}
	return absent
}

func numeric(f func(a, b float64) (float64, error)) tool.Func {
	return func(_ context.Context, in data.Value) (data.Value, error) {
		r, err := f(number(in, "a", 0), number(in, "b", 0))
		if err != nil {
			return nil, err
		}
		return data.NumberOf(r), nil
	}
}

func divide(a, b float64) (float64, error) {
	if b == 0 {
		return 0, tool.Errorf("division by zero")
	}
	return a / b, nil
}

func jsonString(_ context.Context, in data.Value) (data.Value, error) {
	name := text(in, "name", "user")
	s, ok := object(content, "text").Get(name)
	if !ok {
		return nil, tool.Errorf("no such text: %s", name)
	}
	return s, nil
}

// issues are those of a repository, and whether it has any.
func issues(repo string) (found []data.Value, known bool) {
	list, _ := get(content, "issues").(data.Array)
	for _, issue := range list.All() {
		if s := object(issue, "summary"); text(s, "repo", "") == repo {
			found = append(found, s)
		}
	}
	return found, len(found) > 0
}

func listIssues(_ context.Context, in data.Value) (data.Value, error) {
	repo := text(in, "repo", "")
	found, known := issues(repo)
	if !known {
		return nil, tool.Errorf("repository not found: %s", repo)
	}
	if state := text(in, "state", "open"); state != "all" {
		found = slices.DeleteFunc(found, func(s data.Value) bool { return text(s, "state", "") != state })
	}
	size := int(number(in, "per_page", 10))
	from := min((int(number(in, "page", 1))-1)*size, len(found))
	return data.NewArray(found[from:min(from+size, len(found))]), nil
}

func getIssue(_ context.Context, in data.Value) (data.Value, error) {
	wanted := number(in, "number", 0)
	list, _ := get(content, "issues").(data.Array)
	for _, issue := range list.All() {
		s := object(issue, "summary")
		if number(s, "number", -1) != wanted {
			continue
		}
		var members []data.Member
		for k, v := range s.All() {
			members = append(members, data.Member{Key: k, Value: v})
		}
		for k, v := range object(issue, "detail").All() {
			members = append(members, data.Member{Key: k, Value: v})
		}
		return data.NewObject(members), nil
	}
	return nil, tool.Errorf("issue not found: %s", data.NumberOf(wanted).Text())
}

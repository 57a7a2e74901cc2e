package openapi

// This file defines the input of a tool: one object with a field for each
// parameter, and the body.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// bodyField is the field of the body, or nothing if its properties are fields.
const bodyField = "body"

// field is one of the input.
type field struct {
	name     string
	in       string // a location, or "body"
	own      string // the name in the document
	required bool
	schema   data.Value
	about    string
}

// fields gives the inputs of the tool their names and schemas.
func (b *builder) fields() error {
	list := b.parameterFields()
	flat, err := b.bodyFields()
	if err != nil {
		return err
	}
	list = append(list, flat...)
	unclash(list)
	properties := make([]data.Member, len(list))
	var required []data.Value
	i := 0
	for _, p := range b.plan.parameters {
		if p.fixed == nil {
			p.field = list[i].name
			i++
		} else {
			p.field = p.name
		}
	}
	b.plan.bodyNames = map[string]string{}
	for i, f := range list {
		if f.in == "body" {
			b.plan.bodyNames[f.own] = f.name
		}
		properties[i] = data.Member{Key: f.name, Value: worded(f.schema, f.about)}
		if f.required {
			required = append(required, data.String(f.name))
		}
	}
	var needs data.Value
	if len(required) > 0 {
		needs = data.NewArray(required)
	}
	b.schema = object("type", data.String("object"), "properties", data.NewObject(properties), "required", needs, "additionalProperties", data.Bool(false))
	return nil
}

// unclash gives fields of different places that have the same name the place in
// front of it: path_id, query_id. A name that another field has is numbered.
func unclash(list []*field) {
	count := map[string]int{}
	for _, f := range list {
		count[f.own]++
	}
	taken := map[string]bool{}
	for _, f := range list {
		if count[f.own] == 1 {
			taken[f.own] = true
		}
	}
	for _, f := range list {
		f.name = f.own
		if count[f.own] == 1 {
			continue
		}
		base := f.in + "_" + f.own
		f.name = base
		for i := 2; taken[f.name]; i++ {
			f.name = fmt.Sprintf("%s_%d", base, i)
		}
		taken[f.name] = true
	}
}

func (b *builder) parameterFields() []*field {
	var list []*field
	for _, p := range b.plan.parameters {
		if p.fixed != nil {
			continue
		}
		f := &field{in: p.in, own: p.name, required: p.required, schema: b.converted(p.schema), about: p.description}
		list = append(list, f)
	}
	return list
}

// converted is a schema of the document; the definitions it needs are kept for
// the whole input.
func (b *builder) converted(n node) data.Value {
	c := b.in.convert(n)
	b.uses = append(b.uses, c.uses...)
	return c.value
}

// worded is a schema with the words of its parameter, if it has none or
// others.
func worded(schema data.Value, about string) data.Value {
	if about == "" {
		return schema
	}
	o, ok := schema.(*data.Object)
	if !ok {
		if schema == data.Value(data.Bool(false)) {
			return schema
		}
		return object("description", data.String(about))
	}
	list := slices.Collect(members(o))
	for i, m := range list {
		if m.Key == "description" {
			list[i].Value = data.String(about)
			return data.NewObject(list)
		}
	}
	return data.NewObject(append(list, data.Member{Key: "description", Value: data.String(about)}))
}

// bodyFields are the properties of a flat body, or the body as one field.
func (b *builder) bodyFields() ([]*field, error) {
	body := b.plan.body
	switch {
	case body == nil:
		return nil, nil
	case body.flat && body.kind == jsonBody:
		return b.flatFields(body.schema, nil), nil
	case body.kind == formBody || body.kind == multipartBody:
		if body.flat {
			return b.flatFields(body.schema, body.fields), nil
		}
		return []*field{{in: "body", own: bodyField, required: body.required, schema: b.formSchema(body), about: body.about}}, nil
	case body.kind == bytesBody:
		return []*field{{in: "body", own: bodyField, required: body.required, schema: handle(), about: words(body.about, handleWords)}}, nil
	case body.kind == textBody:
		about := words(body.about, "The text of the body, as "+body.media+".")
		return []*field{{in: "body", own: bodyField, required: body.required, schema: object("type", data.String("string")), about: about}}, nil
	}
	return []*field{{in: "body", own: bodyField, required: body.required, schema: b.converted(body.schema), about: body.about}}, nil
}

const handleWords = "The handle of a file that the host offers."

func handle() data.Value { return object("type", data.String("string")) }

func words(about, more string) string {
	if about == "" {
		return more
	}
	return strings.TrimSpace(clip(about, maxWords)) + " " + more
}

// flatFields are the properties of a closed object; of a form those in fields.
func (b *builder) flatFields(schema node, form []*formField) []*field {
	resolved, _ := b.resolve(schema)
	whole, _ := b.converted(schema).(*data.Object)
	if ref, ok := whole.Get("$ref"); ok {
		// What is flat is not referred to as a whole.
		b.uses = slices.DeleteFunc(b.uses, func(d *definition) bool { return "#/$defs/"+escapeStep(d.name) == text(ref) })
		c := b.in.convertOwn(resolved)
		whole, _ = c.value.(*data.Object)
		b.uses = append(b.uses, c.uses...)
	}
	properties, _ := whole.Get("properties")
	required := map[string]bool{}
	for _, name := range (node{whole, nil}).get("required").items() {
		required[text(name.v)] = true
	}
	byName := map[string]*formField{}
	for _, f := range form {
		byName[f.name] = f
	}
	var list []*field
	for m := range members(properties) {
		f := &field{in: "body", own: m.Key, required: required[m.Key], schema: m.Value}
		if form != nil {
			known := byName[m.Key]
			if known == nil {
				continue
			}
			if known.file {
				f.schema, f.about = fileSchema(known), words(textAt(m.Value, "description"), handleWords)
			}
		}
		list = append(list, f)
	}
	return list
}

// textAt is a member of an object that is text, or "".
func textAt(v data.Value, key string) string { return node{v, nil}.text(key) }

func fileSchema(f *formField) data.Value {
	if f.many {
		return object("type", data.String("array"), "items", handle())
	}
	return handle()
}

// formSchema is the schema of a form body as one field: the document's, unless
// fields were left out or are files.
func (b *builder) formSchema(body *body) data.Value {
	files := slices.ContainsFunc(body.fields, func(f *formField) bool { return f.file })
	if !files && len(b.left) == 0 || len(body.fields) == 0 {
		if v := b.converted(body.schema); v != data.Value(data.Bool(true)) && v.(*data.Object).Len() > 0 {
			return v
		}
		return object("type", data.String("object"))
	}
	var properties []data.Member
	var required []data.Value
	for _, f := range body.fields {
		schema := data.Value(nil)
		if f.file {
			schema = worded(fileSchema(f), words(textAt(f.schema.v, "description"), handleWords))
		} else {
			schema = b.converted(f.schema)
		}
		properties = append(properties, data.Member{Key: f.name, Value: schema})
		if body.needed[f.name] {
			required = append(required, data.String(f.name))
		}
	}
	var all data.Value
	if len(required) > 0 {
		all = data.NewArray(required)
	}
	return object("type", data.String("object"), "properties", data.NewObject(properties), "required", all, "additionalProperties", data.Bool(body.open))
}

// input is the schema of the input with its definitions.
func (b *builder) input() data.Value {
	defs, ok := b.in.definitions(b.uses)
	if !ok {
		return b.openInput()
	}
	return withDefinitions(b.schema, defs)
}

// openInput is the input with unknown fields, of a tool whose schema needs too
// many definitions.
func (b *builder) openInput() data.Value {
	all, _ := b.schema.Get("properties")
	var properties []data.Member
	for m := range members(all) {
		about := textAt(m.Value, "description")
		properties = append(properties, data.Member{Key: m.Key, Value: worded(data.Bool(true), words(about, "Its schema is too large to be shown."))})
	}
	required, _ := b.schema.Get("required")
	return object("type", data.String("object"), "properties", data.NewObject(properties), "required", required, "additionalProperties", data.Bool(false))
}

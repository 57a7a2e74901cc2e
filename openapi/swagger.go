package openapi

// This file defines how the parts of a Swagger 2.0 document are read as those of
// OpenAPI 3.0.

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// object builds one from keys and values in turn, leaving out those that are nil.
func object(pairs ...any) *data.Object {
	members := make([]data.Member, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		if v, ok := pairs[i+1].(data.Value); ok && v != nil {
			members = append(members, data.Member{Key: pairs[i].(string), Value: v})
		}
	}
	return data.NewObject(members)
}

// notSchema are the members of a Swagger parameter that are not part of its
// schema.
var notSchema = []string{"name", "in", "description", "required", "collectionFormat", "allowEmptyValue"}

// collectionStyles says what the collection formats are as style and explode.
var collectionStyles = map[string]struct {
	style   data.String
	explode data.Bool
}{
	"csv": {"form", false}, "multi": {"form", true}, "ssv": {"spaceDelimited", false}, "pipes": {"pipeDelimited", false},
	"tsv": {tabDelimited, false},
}

// styleOf is style and explode for the collection format of a parameter. An
// unknown one stays the name of a style that is unknown too.
func styleOf(p node) (style, explode data.Value) {
	format := p.text("collectionFormat")
	if format == "" {
		format = "csv"
	}
	known, ok := collectionStyles[format]
	switch {
	case !ok:
		return data.String(format), data.Bool(false)
	case p.text("in") != "path" && p.text("in") != "header":
	case format == "csv":
		return data.String("simple"), data.Bool(false)
	case format == "multi":
		return data.String(format), data.Bool(false) // for query and form only
	}
	return known.style, known.explode
}

// swaggerParameter reads a parameter in query, path or header, once for all
// operations that share it.
func (l *loader) swaggerParameter(p node) node {
	known, ok := l.translated[p.object()]
	if !ok {
		known = swaggerParameter(p)
		l.translated[p.object()] = known
	}
	return known
}

func swaggerParameter(p node) node {
	style, explode := styleOf(p)
	if p.text("type") != "array" {
		style, explode = nil, nil
	}
	required, _ := p.object().Get("required")
	return node{object("name", p.get("name").v, "in", p.get("in").v, "description", p.get("description").v, "required", required,
		"schema", swaggerSchema(p), "style", style, "explode", explode), p.in}
}

// swaggerSchema is what a parameter says of its values.
func swaggerSchema(p node) data.Value {
	var members []data.Member
	for key, v := range p.object().All() {
		if !slices.Contains(notSchema, key) && !strings.HasPrefix(key, "x-") {
			members = append(members, data.Member{Key: key, Value: v})
		}
	}
	return data.NewObject(members)
}

// swaggerTypes are the media types of an operation under consumes or produces.
func (d *document) swaggerTypes(op node, key string) []string {
	list := op.get(key)
	if list.v == nil {
		list = node{d.main.root, d.main}.get(key)
	}
	var types []string
	for _, item := range list.items() {
		if t := text(item.v); t != "" {
			types = append(types, t)
		}
	}
	return types
}

// swaggerBody reads the parameters in body and formData as a request body.
func (d *document) swaggerBody(op node, parameters []node) node {
	var form []node
	types := d.swaggerTypes(op, "consumes")
	for _, p := range parameters {
		switch p.text("in") {
		case "body":
			if len(types) == 0 {
				types = []string{"application/json"}
			}
			media := object("schema", p.get("schema").v)
			return node{object("description", p.get("description").v, "required", data.Bool(p.flag("required")), "content", contentOf(types, media)), p.in}
		case "formData":
			form = append(form, p)
		}
	}
	if len(form) == 0 {
		return node{}
	}
	return swaggerForm(form, types)
}

func contentOf(types []string, media data.Value) *data.Object {
	members := make([]data.Member, len(types))
	for i, t := range types {
		members[i] = data.Member{Key: t, Value: media}
	}
	return data.NewObject(members)
}

const (
	urlencodedType = "application/x-www-form-urlencoded"
	multipartType  = "multipart/form-data"
)

// swaggerForm reads form fields. All of them are fields of the tool, also where
// the body may be left out.
func swaggerForm(form []node, types []string) node {
	var properties, encoding []data.Member
	var required []data.Value
	file := false
	for _, p := range form {
		name := p.text("name")
		schema := swaggerSchema(p)
		if p.text("type") == "file" {
			file = true
			schema = object("type", data.String("string"), "format", data.String("binary"))
		}
		if about := p.text("description"); about != "" {
			schema = data.NewObject(append(slices.Collect(members(schema)), data.Member{Key: "description", Value: data.String(about)}))
		}
		properties = append(properties, data.Member{Key: name, Value: schema})
		if p.text("type") == "array" {
			style, explode := styleOf(p)
			encoding = append(encoding, data.Member{Key: name, Value: object("style", style, "explode", explode)})
		}
		if p.flag("required") {
			required = append(required, data.String(name))
		}
	}
	kind := urlencodedType
	if file || slices.Contains(types, multipartType) && !slices.Contains(types, urlencodedType) {
		kind = multipartType
	}
	schema := object("type", data.String("object"), "properties", data.NewObject(properties), "required", data.NewArray(required),
		"additionalProperties", data.Bool(false))
	media := object("schema", schema, "encoding", data.NewObject(encoding))
	return node{object("required", data.Bool(len(required) > 0), "content", contentOf([]string{kind}, media), flattenKey, data.Bool(true)), form[0].in}
}

// flattenKey marks the body of a Swagger form.
const flattenKey = "x-codemode-flatten"

func members(v data.Value) func(func(data.Member) bool) {
	return func(yield func(data.Member) bool) {
		o, _ := v.(*data.Object)
		for i := range o.Len() {
			if !yield(o.At(i)) {
				return
			}
		}
	}
}

// swaggerResponse reads a response, without a schema as one without content.
func (d *document) swaggerResponse(op, response node) node {
	schema := response.get("schema")
	if schema.v == nil {
		return node{object("description", response.get("description").v), response.in}
	}
	types := d.swaggerTypes(op, "produces")
	if len(types) == 0 {
		types = []string{"application/json"}
	}
	media := schema.v
	if schema.text("type") == "file" {
		media = object("type", data.String("string"), "format", data.String("binary"))
	}
	return node{object("content", contentOf(types, object("schema", media))), response.in}
}

// swaggerScheme reads a security definition.
func swaggerScheme(s node) node {
	if s.text("type") == "basic" {
		return node{object("type", data.String("http"), "scheme", data.String("basic")), s.in}
	}
	return s
}

// swaggerServers are those that schemes, host and basePath make.
func (d *document) swaggerServers(op node) node {
	top := node{d.main.root, d.main}
	schemes := op.get("schemes")
	if schemes.v == nil {
		schemes = top.get("schemes")
	}
	host, base := top.text("host"), top.text("basePath")
	if host == "" {
		if base == "" {
			base = "/"
		}
		return node{data.NewArray([]data.Value{object("url", data.String(base))}), d.main}
	}
	scheme := "https"
	if d.settings.document != nil {
		scheme = d.settings.document.Scheme
	}
	var usable []string
	for _, item := range schemes.items() {
		if s := strings.ToLower(text(item.v)); s == "https" || s == "http" {
			usable = append(usable, s)
		}
	}
	switch {
	case slices.Contains(usable, "https"):
		scheme = "https"
	case len(usable) > 0:
		scheme = usable[0]
	case len(schemes.items()) > 0:
		scheme = text(schemes.items()[0].v) // ws, wss: refused with a reason
	}
	url := scheme + "://" + host + "/" + strings.TrimPrefix(base, "/")
	return node{data.NewArray([]data.Value{object("url", data.String(url))}), d.main}
}

package openapi

// This file defines the bodies of requests: which media type is chosen and what
// its fields are.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
)

type bodyKind uint8

const (
	jsonBody bodyKind = iota + 1
	formBody
	multipartBody
	textBody
	bytesBody
)

// body is what an operation's requests carry.
type body struct {
	kind     bodyKind
	media    string // as declared
	required bool
	flat     bool // its properties are fields of the input
	always   bool // an empty one is sent too
	schema   node
	about    string
	fields   []*formField // of forms, in order
	byName   map[string]*formField
	open     bool            // a form takes further fields
	needed   map[string]bool // fields that a form requires
}

// formField is a field of a form body, or any further one.
type formField struct {
	parameter
	styled bool   // in a style, not by content type
	media  string // declared for the part, or ""
	file   bool   // bytes from a handle, or several
	schema node
	many   bool
}

// body reads the request body.
func (b *builder) body() error {
	n := b.op.get("requestBody")
	if b.swagger {
		list, err := b.swaggerParameters()
		if err != nil {
			return err
		}
		n = b.swaggerBody(b.op.node, list)
	}
	if n.v == nil {
		return nil
	}
	n, err := b.resolve(n)
	if err != nil {
		return fmt.Errorf("the request body: %w", err)
	}
	content := n.get("content")
	if content.object().Len() == 0 {
		return errors.New("the request body has no content")
	}
	if err := b.spend(content.object().Len()); err != nil {
		return err
	}
	body, err := b.choose(n, content)
	if err != nil {
		if errors.Is(err, errNoFields) {
			return nil
		}
		if n.flag("required") {
			return err
		}
		b.leave("body", "%w", err)
		return nil
	}
	body.about, body.required = n.text("description"), n.flag("required")
	body.always = n.flag(flattenKey)
	body.flat = body.always || body.required && b.closed(body.schema)
	b.plan.body = body
	if !body.flat {
		return nil
	}
	whole, err := b.resolve(body.schema)
	if err != nil {
		return err
	}
	return b.spend(whole.get("properties").object().Len())
}

// swaggerParameters are all of an operation of Swagger 2.0, what is a body too.
func (b *builder) swaggerParameters() ([]node, error) {
	var list []node
	for _, level := range []node{b.op.item, b.op.node} {
		listed, err := b.listed(level)
		if err != nil {
			return nil, err
		}
		for i, p := range listed {
			resolved, err := b.resolve(p)
			if err != nil {
				return nil, fmt.Errorf("parameter %d: %w", i+1, err)
			}
			list = append(list, resolved)
		}
	}
	return overriding(list), nil
}

// overriding are parameters where the later of two with the same place and name
// counts.
func overriding(list []node) []node {
	at := map[[2]string]int{}
	var kept []node
	for _, p := range list {
		key := [2]string{p.text("in"), p.text("name")}
		if key[0] == "body" {
			key[1] = ""
		}
		if i, ok := at[key]; ok {
			kept[i] = p
			continue
		}
		at[key] = len(kept)
		kept = append(kept, p)
	}
	return kept
}

// choose takes one of the declared media types.
func (b *builder) choose(n, content node) (*body, error) {
	var declared []string
	for media := range content.object().All() {
		declared = append(declared, media)
	}
	order := b.preferred(declared)
	var problem error
	for _, media := range order {
		body, err := b.bodyOf(media, content.get(media))
		if err == nil {
			if len(declared) > 1 {
				b.notes = append(b.notes, "The body is sent as "+body.media+".")
			}
			return body, nil
		}
		if problem == nil {
			problem = fmt.Errorf("the body as %s: %w", clip(media, 100), err)
		}
	}
	return nil, problem
}

// preferred puts declared media types in the order in which they are tried.
func (b *builder) preferred(declared []string) []string {
	rank := func(media string) int {
		switch {
		case isJSON(media):
			return 1
		case essence(media) == urlencodedType || essence(media) == multipartType:
			return 2
		case allowsJSON(media):
			return 3
		case isTextual(media):
			return 4
		}
		return 5
	}
	order := slices.Clone(declared)
	slices.SortStableFunc(order, func(x, y string) int { return rank(x) - rank(y) })
	if b.settings.MediaType != nil {
		if chosen := b.settings.MediaType(b.op.Operation, slices.Clone(declared)); slices.Contains(declared, chosen) {
			order = append([]string{chosen}, order...)
		}
	}
	return order
}

func (b *builder) bodyOf(media string, n node) (*body, error) {
	n, err := b.resolve(n)
	if err != nil {
		return nil, err
	}
	body := &body{media: media, schema: n.get("schema")}
	binary := b.isBinary(body.schema, media)
	if err := writableCharset(media, essence(media) == urlencodedType || essence(media) == multipartType); err != nil && !binary {
		return nil, err
	}
	switch {
	case isJSON(media):
		body.kind = jsonBody
		if isRange(media) {
			body.media = "application/json"
		}
	case essence(media) == urlencodedType:
		body.kind = formBody
		return body, b.form(body, n)
	case essence(media) == multipartType:
		body.kind = multipartBody
		return body, b.form(body, n)
	case strings.HasPrefix(essence(media), "multipart/"):
		return nil, errors.New("only multipart/form-data can be written")
	case allowsJSON(media) && !binary:
		body.kind, body.media = jsonBody, "application/json"
	case isTextual(media) && !binary:
		body.kind = textBody
		if isRange(media) {
			body.media = "text/plain"
		}
	case b.settings.Files == nil:
		return nil, mendable{"it is bytes from a file, and the host offers no files", []string{"Files"}}
	default:
		body.kind = bytesBody
		if isRange(media) {
			body.media = ""
		}
	}
	return body, nil
}

// isBinary reports that a schema stands for bytes.
func (b *builder) isBinary(schema node, media string) bool {
	schema, err := b.resolve(schema)
	if err != nil {
		return false
	}
	if b.minor > 0 && schema.text("contentMediaType") != "" && schema.text("contentEncoding") == "" {
		return !isTextual(schema.text("contentMediaType")) && !isJSON(schema.text("contentMediaType"))
	}
	return schema.text("format") == "binary" && (schema.text("type") == "string" || schema.get("type").v == nil)
}

// closed reports that a schema is an object of known properties and nothing else,
// so that these can be fields of the input.
func (b *builder) closed(n node) bool {
	n, err := b.resolve(n)
	if err != nil || n.text("type") != "object" || n.get("properties").object().Len() == 0 || n.flag("nullable") || n.flag("x-nullable") {
		return false
	}
	if n.get("additionalProperties").v != data.Value(data.Bool(false)) || n.get("patternProperties").v != nil {
		return false
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "minProperties", "maxProperties", "propertyNames", "unevaluatedProperties"} {
		if n.get(key).v != nil {
			return false
		}
	}
	return true
}

// form reads the fields of a form body.
func (b *builder) form(body *body, n node) error {
	schema, err := b.resolve(body.schema)
	if err != nil {
		return err
	}
	all := formParts{required: map[string]bool{}, seen: map[string]bool{}}
	if err := b.formParts(schema, &all, all.required); err != nil {
		return err
	}
	body.needed = all.required
	body.byName = make(map[string]*formField, len(all.properties))
	for _, property := range all.properties {
		f, err := b.formField(body, property.name, property.node, n.get("encoding").get(property.name))
		switch {
		case err == nil:
			body.fields = append(body.fields, f)
			body.byName[f.name] = f
		case all.required[property.name]:
			return fmt.Errorf("the field %s: %w", clip(property.name, 100), err)
		default:
			b.leave("body:"+property.name, "%w", err)
		}
	}
	additional := schema.get("additionalProperties").v
	body.open = additional != data.Value(data.Bool(false)) && (len(all.properties) == 0 || additional != nil)
	switch {
	case len(body.fields) > 0 || body.open:
		return nil
	case len(all.properties) == 0:
		return errNoFields
	}
	return errors.New("no field of the form can be written")
}

// errNoFields is about a form without fields, which is no body.
var errNoFields = errors.New("the form has no fields")

// formParts is what the parts of a form's schema say together.
type formParts struct {
	properties []namedNode
	required   map[string]bool
	seen       map[string]bool
	parts      int
}

type namedNode struct {
	name string
	node node
}

// formParts goes through a schema and its parts. What alternatives require is not
// required of the whole.
func (b *builder) formParts(schema node, all *formParts, required map[string]bool) error {
	if all.parts++; all.parts > maxLookAhead {
		return errors.New("the schema of the form has too many parts")
	}
	if err := b.spend(schema.get("properties").object().Len()); err != nil {
		return err
	}
	for _, item := range schema.get("required").items() {
		required[text(item.v)] = true
	}
	for name, v := range schema.get("properties").object().All() {
		property := node{v, schema.in}
		if !all.seen[name] && !b.in.loses(property) {
			all.seen[name] = true
			all.properties = append(all.properties, namedNode{name, property})
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		for _, part := range schema.get(key).items() {
			part, err := b.resolve(part)
			if err != nil {
				continue
			}
			needs := required
			if key != "allOf" {
				needs = map[string]bool{}
			}
			if err := b.formParts(part, all, needs); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) formField(body *body, name string, property, encoding node) (*formField, error) {
	f := &formField{schema: property}
	f.parameter = parameter{name: name, in: "body", style: encoding.text("style"), explode: encoding.flag("explode"), reserved: encoding.flag("allowReserved"), nested: b.settings.DeepObjects}
	for _, key := range []string{"style", "explode", "allowReserved"} {
		f.styled = f.styled || encoding.get(key).v != nil
	}
	if body.kind == multipartBody && b.minor == 0 && !b.swagger {
		f.styled = false // before 3.1, styles are for urlencoded bodies alone
	}
	if f.style == "" {
		f.style = "form"
	}
	if encoding.get("explode").v == nil {
		f.explode = f.style == "form"
	}
	f.media = encoding.text("contentType")
	if err := writableCharset(f.media, body.kind == formBody); err != nil {
		return nil, err
	}
	if f.styled {
		if !slices.Contains(b.styles("query"), f.style) {
			return nil, fmt.Errorf("there is no style %q for a form", clip(f.style, 50))
		}
		f.parameter.schema = property
		f.unexploded = encoding.get("explode").v == data.Value(data.Bool(false))
		return f, b.writableShape(&f.parameter)
	}
	headers := encoding.get("headers").object().Len()
	if err := b.spend(headers); err != nil {
		return nil, err
	}
	if headers > 0 && b.requiresHeader(encoding) {
		return nil, errors.New("its part requires headers, which are not supported")
	}
	var err error
	if f.file, f.many, err = b.isFile(property, f.media); err != nil {
		return nil, err
	}
	if f.file && (body.kind == formBody || b.settings.Files == nil) {
		return nil, mendable{"it is bytes from a file, and the host offers no files", []string{"Files"}}
	}
	return f, nil
}

func (b *builder) requiresHeader(encoding node) bool {
	for name, v := range encoding.get("headers").object().All() {
		h, err := b.resolve(node{v, encoding.in})
		if err == nil && !strings.EqualFold(name, "Content-Type") && h.flag("required") {
			return true
		}
	}
	return false
}

// isFile reports that a field of a form is bytes, or an array of them. What an
// array is made of decides how it is written, so arrays in arrays have an end.
func (b *builder) isFile(property node, media string) (file, many bool, err error) {
	p, err := b.resolve(property)
	if err != nil {
		return false, false, nil
	}
	depth := 0
	for ; p.text("type") == "array" && p.get("items").v != nil; depth++ {
		if depth > maxSchemaDepth {
			return false, false, errors.New("its arrays have arrays as items without end")
		}
		if p, err = b.resolve(p.get("items")); err != nil {
			return false, false, nil
		}
	}
	switch file = b.isBytes(p, media); {
	case file && depth > 1:
		return false, false, errors.New("it has arrays of arrays of bytes, which a form cannot carry")
	}
	return file, file && depth == 1, nil
}

// isBytes reports that one value of a form is bytes.
func (b *builder) isBytes(p node, media string) bool {
	if b.isBinary(p, media) {
		return true
	}
	first, _, _ := strings.Cut(media, ",")
	stringy := p.text("type") == "string" || p.object().Len() == 0
	return media != "" && stringy && p.text("contentEncoding") == "" && !isJSON(first) && !isTextual(first)
}

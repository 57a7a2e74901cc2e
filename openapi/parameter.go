package openapi

// This file defines how parameters are read.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// locations are where parameters can be, in the order of the fields of a tool.
var locations = []string{"path", "query", "header", "cookie"}

// tabDelimited is the style of the collection format tsv, which OpenAPI 3 has no
// name for.
const tabDelimited = data.String("tabDelimited")

// styles are those of each location, its own first; of swagger2 those that the
// collection formats of Swagger 2.0 come to.
var (
	styles = map[string][]string{
		"path":   {"simple", "label", "matrix"},
		"query":  {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
		"header": {"simple"},
		"cookie": {"form"},
	}
	swaggerStyles = map[string][]string{
		"path":   {"simple", "spaceDelimited", "pipeDelimited", string(tabDelimited)},
		"query":  {"form", "spaceDelimited", "pipeDelimited", string(tabDelimited)},
		"header": {"simple", "spaceDelimited", "pipeDelimited", string(tabDelimited)},
	}
)

// styles are those of the document's version.
func (d *document) styles(in string) []string {
	if d.swagger {
		return swaggerStyles[in]
	}
	return styles[in]
}

// parameter is one of an operation.
type parameter struct {
	name, in    string
	field       string // of the input
	within      string // what has the field, "" for the input itself
	required    bool
	style       string
	explode     bool
	unexploded  bool // the document says explode: false
	reserved    bool
	media       string // of content, "" for a style
	nested      DeepObjects
	schema      node
	description string
	fixed       data.Value // the host's, nil for an input
	secret      bool       // fixed must not come back
}

func (p *parameter) key() string { return placeKey(p.in, p.name) }

// placeKey tells parameters apart: by place and name, of headers without case.
func placeKey(in, name string) string {
	if in == "header" {
		name = strings.ToLower(name)
	}
	return in + ":" + name
}

func (p *parameter) String() string { return p.in + ":" + p.name }

// own reports that parameters are said to be the transport's or a credential's:
// OpenAPI ignores Accept, Content-Type and Authorization.
func ignored(name string) bool {
	switch strings.ToLower(name) {
	case "accept", "content-type", "authorization":
		return true
	}
	return false
}

// forbidden are headers that the transport writes.
func forbidden(name string) bool {
	switch lower := strings.ToLower(name); lower {
	case "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect", "cookie", "accept-encoding":
		return true
	default:
		return strings.HasPrefix(lower, "proxy-")
	}
}

// parameters reads those of the path and those of the operation, which override
// them by place and name.
func (b *builder) parameters() error {
	pieces, query, err := template(b.op.Path)
	if err != nil {
		return err
	}
	b.plan.path, b.plan.static = pieces, query
	b.places = map[string]bool{}
	for _, part := range pieces {
		if part.parameter {
			b.places[part.text] = true
		}
	}
	b.claimHosts()
	byKey := map[string]*parameter{}
	var order []string
	for _, level := range []node{b.op.item, b.op.node} {
		seen := map[string]bool{}
		listed, err := b.listed(level)
		if err != nil {
			return err
		}
		if err := b.spend(len(listed)); err != nil {
			return err
		}
		for i, n := range listed {
			p, err := b.parameter(n, i)
			if err != nil {
				return err
			}
			if p == nil {
				continue
			}
			key := p.key()
			if seen[key] {
				return fmt.Errorf("the parameter %s is declared twice", p)
			}
			seen[key] = true
			if byKey[key] == nil {
				order = append(order, key)
			}
			byKey[key] = p
		}
	}
	for _, key := range order {
		if err := b.accept(byKey[key]); err != nil {
			return err
		}
	}
	b.claimParameters()
	slices.SortStableFunc(b.plan.parameters, func(a, b *parameter) int { return slices.Index(locations, a.in) - slices.Index(locations, b.in) })
	return b.filled()
}

// listed are the parameters of a level.
func (b *builder) listed(level node) ([]node, error) {
	n := level.get("parameters")
	if _, ok := n.v.(data.Array); !ok && n.v != nil {
		return nil, errors.New("its parameters are no list")
	}
	return n.items(), nil
}

// parameter reads one; nil is one that is no parameter of the request's address
// or headers.
func (b *builder) parameter(n node, i int) (*parameter, error) {
	n, err := b.resolve(n)
	if err != nil {
		return nil, fmt.Errorf("parameter %d: %w", i+1, err)
	}
	if b.swagger {
		if in := n.text("in"); in == "body" || in == "formData" {
			return nil, nil
		}
		n = b.swaggerParameter(n)
	}
	p := &parameter{
		name: n.text("name"), in: n.text("in"), description: n.text("description"), required: n.flag("required"),
		reserved: n.flag("allowReserved"), nested: b.settings.DeepObjects, schema: n.get("schema"),
	}
	switch {
	case n.object() == nil:
		return nil, fmt.Errorf("parameter %d is no object", i+1)
	case p.name == "" || p.in == "":
		return nil, fmt.Errorf("parameter %d has no name or no place", i+1)
	case p.in == "header" && ignored(p.name):
		return nil, nil
	}
	p.required = p.required || p.in == "path"
	return p, b.serialization(n, p)
}

// serialization reads how the value of a parameter is written.
func (b *builder) serialization(n node, p *parameter) error {
	p.style, p.explode = n.text("style"), n.flag("explode")
	p.unexploded = n.get("explode").v == data.Value(data.Bool(false))
	if defaults := b.styles(p.in); p.style == "" && len(defaults) > 0 {
		p.style = defaults[0]
	}
	if n.get("explode").v == nil {
		p.explode = p.style == "form"
	}
	content := n.get("content").object()
	switch {
	case content.Len() > 1:
		return fmt.Errorf("the parameter %s has several media types", p)
	case content.Len() == 1:
		p.media = content.At(0).Key
		p.explode = false
		if defaults := b.styles(p.in); len(defaults) > 0 {
			p.style = defaults[0]
		}
		p.schema = node{content.At(0).Value, n.in}.get("schema")
	case p.schema.v == nil:
		return fmt.Errorf("the parameter %s has neither a schema nor a content", p)
	}
	return nil
}

// accept makes a parameter part of the tool, or of what the host does, or leaves
// it out.
func (b *builder) accept(p *parameter) error {
	fixed, isFixed := b.settings.fixed(p.in, p.name)
	switch {
	case isFixed:
		p.fixed, p.secret = fixed.Value, fixed.Secret || secretive(p.name)
	case p.in == "header" && b.settings.Headers.Values(p.name) != nil, p.in == "cookie" && b.settings.cookies[p.name], b.secret[p.key()]:
		return nil
	case p.in == "query" && b.plan.claims["query"].hosts[strings.ToLower(p.name)] == pathClaim:
		b.leave(p.String(), "the path has it in its own query")
		return nil
	case p.in == "header" && strings.EqualFold(p.name, "Accept-Encoding"):
		b.leave(p.String(), "the transport agrees on the encoding of answers")
		return nil
	}
	if err := b.writable(p); err != nil {
		if p.required {
			return fmt.Errorf("the parameter %s cannot be written: %w", p, err)
		}
		b.leave(p.String(), "it cannot be written: %w", err)
		return nil
	}
	if p.in == "path" && !b.places[p.name] {
		b.leave(p.String(), "the path has no {%s}", clip(p.name, 100))
		return nil
	}
	b.plan.parameters = append(b.plan.parameters, p)
	return nil
}

// writable says why values of a parameter have no defined form.
func (b *builder) writable(p *parameter) error {
	known := b.styles(p.in)
	switch {
	case p.in == "querystring":
		return errors.New("a parameter that is the whole query (in: querystring) is not supported")
	case known == nil:
		return fmt.Errorf("there is no place %q in a request", clip(p.in, 50))
	case p.in == "header" && (!isToken(p.name) || forbidden(p.name)):
		return errors.New("a request cannot have this header")
	case p.in == "cookie" && !isToken(p.name):
		return errors.New("a cookie cannot have this name")
	case p.media != "" && !isJSON(p.media) && !isTextual(p.media):
		return fmt.Errorf("its media type %s is neither JSON nor text", clip(p.media, 100))
	case p.media != "":
		return nil
	case !slices.Contains(known, p.style):
		return fmt.Errorf("there is no style %q for %s", clip(p.style, 50), p.in)
	}
	return b.writableShape(p)
}

// writableShape looks at the types of a parameter whose style is not for all.
func (b *builder) writableShape(p *parameter) error {
	switch {
	case p.explode && strings.HasSuffix(p.style, "Delimited"):
		return fmt.Errorf("OpenAPI does not define the style %s with explode", p.style)
	case p.unexploded && p.style == "deepObject":
		return errors.New("OpenAPI does not define the style deepObject without explode")
	}
	types := b.typesOf(p.schema)
	if len(types) == 0 {
		return nil // decided by each value
	}
	composite := slices.Contains(types, "array") || slices.Contains(types, "object")
	switch {
	case p.style == "deepObject" && !slices.Contains(types, "object") && (p.nested == FlatOnly || !composite):
		return mendable{"OpenAPI defines the style deepObject for objects only, not for arrays", []string{"DeepObjects"}}
	case strings.HasSuffix(p.style, "Delimited") && !composite:
		return fmt.Errorf("OpenAPI defines the style %s for arrays and objects only", p.style)
	}
	return nil
}

// typesOf are the types that a schema names, through its references and parts;
// none if they are open.
func (b *builder) typesOf(n node) []string {
	o := n.object()
	if types, ok := b.types[o]; ok {
		return types
	}
	types := b.lookForTypes(n)
	b.types[o] = types
	return types
}

func (b *builder) lookForTypes(n node) []string {
	seen := 0
	var walk func(n node) []string
	walk = func(n node) []string {
		if seen++; seen > maxLookAhead {
			return nil
		}
		n, err := b.resolve(n)
		if err != nil {
			return nil
		}
		if t := n.text("type"); t != "" {
			return []string{t}
		}
		var types []string
		for _, item := range n.get("type").items() {
			types = append(types, text(item.v))
		}
		for _, key := range []string{"allOf", "anyOf", "oneOf"} {
			for _, part := range n.get(key).items() {
				types = append(types, walk(part)...)
			}
		}
		if len(types) == 0 && n.get("properties").v != nil {
			return []string{"object"}
		}
		return types
	}
	return walk(n)
}

// maxLookAhead bounds the schemas looked at to find the types of one.
const maxLookAhead = 100

// filled checks that every place in the path has a parameter.
func (b *builder) filled() error {
	given := map[string]bool{}
	for _, p := range b.plan.parameters {
		if p.in == "path" {
			given[p.name] = true
		}
	}
	for _, part := range b.plan.path {
		if part.parameter && !given[part.text] {
			return fmt.Errorf("the path has {%s}, but no parameter of that name", clip(part.text, 100))
		}
	}
	return nil
}

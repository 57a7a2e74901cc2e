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

// styles are those of each location, its own first.
var styles = map[string][]string{
	"path":   {"simple", "label", "matrix"},
	"query":  {"form", "spaceDelimited", "pipeDelimited", "deepObject", string(tabDelimited)},
	"header": {"simple"},
	"cookie": {"form"},
}

// parameter is one of an operation.
type parameter struct {
	name, in    string
	field       string // of the input
	required    bool
	style       string
	explode     bool
	reserved    bool
	media       string // of content, "" for a style
	nested      DeepObjects
	schema      node
	description string
	fixed       data.Value // the host's, nil for an input
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
	case "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect", "cookie":
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
	byKey := map[string]*parameter{}
	var order []string
	for _, level := range []node{b.op.item, b.op.node} {
		seen := map[string]bool{}
		listed := b.listed(level)
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
	slices.SortStableFunc(b.plan.parameters, func(a, b *parameter) int { return slices.Index(locations, a.in) - slices.Index(locations, b.in) })
	return b.filled()
}

// listed are the parameters of a level.
func (b *builder) listed(level node) []node { return level.get("parameters").items() }

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
		n = swaggerParameter(n)
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
	if defaults := styles[p.in]; p.style == "" && len(defaults) > 0 {
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
		if defaults := styles[p.in]; len(defaults) > 0 {
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
	if v, ok := b.settings.fixed(p.in, p.name); ok {
		p.fixed = v
	} else if p.in == "header" && b.settings.Headers.Values(p.name) != nil || b.secret[p.key()] {
		return nil
	}
	if err := b.writable(p); err != nil {
		if p.required {
			return fmt.Errorf("the parameter %s cannot be written: %w", p, err)
		}
		b.leave(p.String(), "it cannot be written: %v", err)
		return nil
	}
	if p.in == "path" && !slices.ContainsFunc(b.plan.path, func(part piece) bool { return part.parameter && part.text == p.name }) {
		b.leave(p.String(), "the path has no {%s}", clip(p.name, 100))
		return nil
	}
	b.plan.parameters = append(b.plan.parameters, p)
	return nil
}

// writable says why values of a parameter have no defined form.
func (b *builder) writable(p *parameter) error {
	known, ok := styles[p.in]
	switch {
	case p.in == "querystring":
		return errors.New("parameters that are the whole query are not supported")
	case !ok:
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
	case p.explode && strings.HasSuffix(p.style, "Delimited"):
		return fmt.Errorf("OpenAPI does not define the style %s with explode", p.style)
	}
	return b.writableShape(p)
}

// writableShape looks at the types of a parameter whose style is not for all.
func (b *builder) writableShape(p *parameter) error {
	types := b.typesOf(p.schema)
	if len(types) == 0 {
		return nil // decided by each value
	}
	composite := slices.Contains(types, "array") || slices.Contains(types, "object")
	switch {
	case p.style == "deepObject" && !slices.Contains(types, "object") && (p.nested == FlatOnly || !composite):
		return errors.New("OpenAPI defines the style deepObject for objects only; arrays need Options.DeepObjects")
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
	for _, part := range b.plan.path {
		if part.parameter && !slices.ContainsFunc(b.plan.parameters, func(p *parameter) bool { return p.in == "path" && p.name == part.text }) {
			return fmt.Errorf("the path has {%s}, but no parameter of that name", clip(part.text, 100))
		}
	}
	return nil
}

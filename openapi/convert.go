package openapi

// This file defines how the schemas of a document become JSON Schema (2020-12)
// of their own: with definitions instead of references into the document.

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/data"
)

const (
	maxSchemaDepth = 100  // of schemas in schemas; deeper ones accept anything
	maxInlined     = 100  // references replaced by what they refer to, in all
	maxInlining    = 3    // of those, one in the other
	maxDefinitions = 3000 // of one tool, in one direction; beyond, it is unknown
	// maxAllDefinitions bounds the definitions of all tools together, since they
	// may all need the same ones.
	maxAllDefinitions = 2_000_000
)

// definition is what a reference of the document became.
type definition struct {
	name  string
	value data.Value
	uses  []*definition // directly
}

// converted is a schema with the definitions it uses directly.
type converted struct {
	value data.Value
	uses  []*definition
}

// converter makes the schemas of one direction: without the properties that
// have the flag drop ("readOnly" of inputs).
type converter struct {
	d       *document
	drop    string
	defs    map[defKey]*definition
	names   map[string]bool
	numbers map[string]int // the last number of a name that was taken
	pending []func()
	done    map[*data.Object]converted
	uses    *[]*definition // of what is being converted
	spent   int            // of maxAllDefinitions
	inlined int            // of maxInlined
	active  bool           // the flag may occur in the document
	lost    map[*data.Object]names
	// required are the names that a schema requires itself, meets whether one of
	// them is in a set.
	required map[*data.Object]names
	meets    map[meeting]bool
}

// defKey is a place; inside alternatives, where properties stay, it is another
// definition than outside.
type defKey struct {
	in      *source
	pointer string
	whole   bool
}

func newConverter(d *document, drop string) *converter {
	active := d.settings.References != nil || bytes.Contains(d.text, []byte(drop))
	return &converter{d: d, drop: drop, active: active, defs: map[defKey]*definition{}, names: map[string]bool{}, numbers: map[string]int{}, required: map[*data.Object]names{}, meets: map[meeting]bool{}, done: map[*data.Object]converted{}, lost: map[*data.Object]names{}}
}

// convert makes the schema of a place in the document. Equal places share it.
func (c *converter) convert(n node) converted {
	o, ok := n.v.(*data.Object)
	if !ok {
		if b, ok := n.v.(data.Bool); ok {
			return converted{value: b}
		}
		return converted{value: data.Bool(true)}
	}
	if known, ok := c.done[o]; ok {
		return known
	}
	result := c.collect(func() data.Value { return c.schema(n, state{whole: !c.active}) })
	c.done[o] = result
	c.settle()
	return result
}

// convertOwn is the schema of an object that is no reference, not shared.
func (c *converter) convertOwn(n node) converted {
	result := c.collect(func() data.Value { return c.own(n, state{whole: !c.active}) })
	c.settle()
	return result
}

// collect converts and notes the definitions used meanwhile.
func (c *converter) collect(f func() data.Value) converted {
	outer := c.uses
	var uses []*definition
	c.uses = &uses
	v := f()
	c.uses = outer
	return converted{v, uses}
}

// settle converts the definitions found on the way; not by recursion, since one
// may lead to the next through all of the document.
func (c *converter) settle() {
	for len(c.pending) > 0 {
		last := len(c.pending) - 1
		f := c.pending[last]
		c.pending = c.pending[:last]
		f()
	}
}

// state is where in a schema the conversion is.
type state struct {
	depth int
	whole bool  // inside an alternative: no property is dropped
	gone  names // properties dropped by a schema around this one, of allOf
	// needless are those that are not required, as they belong to the other
	// direction: those of gone, and in alternatives those that stay.
	needless names
	// inlined counts the references around this schema that were replaced.
	inlined int
}

func (s state) deeper() state { return state{depth: s.depth + 1, whole: s.whole, inlined: s.inlined} }

func (s state) alternative() state { return state{depth: s.depth + 1, whole: true, inlined: s.inlined} }

func (c *converter) schema(n node, s state) data.Value {
	o, ok := n.v.(*data.Object)
	if !ok || s.depth > maxSchemaDepth {
		if b, ok := n.v.(data.Bool); ok {
			return b
		}
		return data.Bool(true)
	}
	ref, isRef := o.Get("$ref")
	if isRef {
		target := c.reference(n, text(ref), s)
		if o.Len() == 1 {
			return target
		}
		return c.besideReference(n, target, s)
	}
	return c.own(n, s)
}

// besideReference keeps what stands beside a reference: everything since 3.1,
// before only words.
func (c *converter) besideReference(n node, target data.Value, s state) data.Value {
	var siblings []data.Member
	for key, v := range n.object().All() {
		if key != "$ref" && (c.d.minor > 0 || key == "description" || key == "title") {
			siblings = append(siblings, data.Member{Key: key, Value: v})
		}
	}
	rest, _ := c.own(node{data.NewObject(siblings), n.in}, s).(*data.Object)
	if rest.Len() == 0 {
		return target
	}
	to, ok := target.(*data.Object)
	if !ok {
		return rest
	}
	list := slices.Collect(members(rest))
	if ref, ok := to.Get("$ref"); ok && to.Len() == 1 {
		return data.NewObject(append([]data.Member{{Key: "$ref", Value: ref}}, list...))
	}
	all, _ := rest.Get("allOf")
	return data.NewObject(append(list, data.Member{Key: "allOf", Value: withItem(all, to)}))
}

func withItem(list data.Value, item data.Value) data.Array {
	a, _ := list.(data.Array)
	items := make([]data.Value, 0, a.Len()+1)
	for _, v := range a.All() {
		items = append(items, v)
	}
	return data.NewArray(append(items, item))
}

// reference makes a definition of what a reference refers to. What leads nowhere
// is anything.
func (c *converter) reference(n node, ref string, s state) data.Value {
	in, pointer, err := c.d.locate(n.in, ref)
	if err != nil {
		return data.Bool(true)
	}
	v, ok := at(in.root, pointer)
	if !ok {
		return data.Bool(true)
	}
	target := node{v, in}
	if next := target.text("$ref"); next != "" && target.object().Len() == 1 {
		if s.depth > maxSchemaDepth {
			return data.Bool(true)
		}
		s.depth++
		return c.reference(target, next, s)
	}
	if s.gone != nil && s.inlined < maxInlining && c.inlined < maxInlined && c.requiresAny(target, s.gone) {
		c.inlined++
		inner := state{depth: s.depth + 1, gone: s.gone, needless: s.gone, inlined: s.inlined + 1}
		return c.schema(target, inner)
	}
	return object("$ref", data.String("#/$defs/"+escapeStep(c.define(target, defKey{in, pointer, s.whole}).name)))
}

func escapeStep(step string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "%", "%25").Replace(step)
}

func (c *converter) define(target node, key defKey) *definition {
	def := c.defs[key]
	if def == nil {
		def = &definition{name: c.name(key)}
		c.defs[key] = def
		c.pending = append(c.pending, func() {
			made := c.collect(func() data.Value { return c.schema(target, state{whole: key.whole}) })
			def.value, def.uses = made.value, made.uses
		})
	}
	if !slices.Contains((*c.uses)[max(0, len(*c.uses)-16):], def) {
		*c.uses = append(*c.uses, def)
	}
	return def
}

// name is that of a component, or what the pointer ends with.
func (c *converter) name(key defKey) string {
	steps := strings.Split(key.pointer, "/")
	base := unescapeStep(steps[len(steps)-1])
	if (base == "schema" || base == "items" || base == "") && len(steps) > 1 {
		base = unescapeStep(steps[len(steps)-2]) + "_" + base
	}
	if base == "" {
		base = "Document"
	}
	if key.whole && c.active {
		base += "Whole"
	}
	name := base
	for c.names[name] {
		c.numbers[base] = max(2, c.numbers[base]+1)
		name = base + "_" + strconv.Itoa(c.numbers[base])
	}
	c.names[name] = true
	return name
}

// keywords says of each keyword that is kept what its value must be.
var keywords = map[string]func(data.Value) bool{
	"title": isText, "description": isText, "format": isText, "pattern": isText, "contentEncoding": isText, "contentMediaType": isText,
	"deprecated": isBool, "uniqueItems": isBool,
	"maximum": isNumber, "minimum": isNumber, "exclusiveMaximum": isNumber, "exclusiveMinimum": isNumber, "multipleOf": isPositive,
	"maxLength": isCount, "minLength": isCount, "maxItems": isCount, "minItems": isCount, "maxProperties": isCount, "minProperties": isCount,
	"minContains": isCount, "maxContains": isCount,
	"default": isAny, "const": isAny, "enum": isFilled, "dependentRequired": isObject,
}

func isAny(data.Value) bool    { return true }
func isText(v data.Value) bool { _, ok := v.(data.String); return ok }
func isBool(v data.Value) bool { _, ok := v.(data.Bool); return ok }
func isNumber(v data.Value) bool {
	_, ok := v.(data.Number)
	return ok
}
func isPositive(v data.Value) bool { n, ok := v.(data.Number); return ok && n.Float64() > 0 }
func isCount(v data.Value) bool {
	n, ok := v.(data.Number)
	return ok && n.Float64() >= 0 && n.Float64() == float64(int64(n.Float64()))
}
func isFilled(v data.Value) bool { a, ok := v.(data.Array); return ok && a.Len() > 0 }
func isObject(v data.Value) bool { _, ok := v.(*data.Object); return ok }

// own converts a schema without its reference, keyword by keyword.
func (c *converter) own(n node, s state) data.Value {
	o := n.object()
	gone, needless := c.gone(n, s)
	list := make([]data.Member, 0, o.Len())
	for key, v := range o.All() {
		if kept, ok := c.keyword(n, key, v, s, gone, needless); ok {
			if key == "oneOf" && c.blurred(n) {
				key = "anyOf"
			}
			list = append(list, data.Member{Key: key, Value: kept})
		}
	}
	if c.d.minor == 0 {
		list = older(o, list)
	}
	return data.NewObject(list)
}

// keyword converts one, or reports that it is left out.
func (c *converter) keyword(n node, key string, v data.Value, s state, gone, needless names) (data.Value, bool) {
	part := node{v, n.in}
	switch key {
	case "type":
		return knownTypes(v)
	case "required":
		return requiredNames(v, needless)
	case "properties":
		return c.properties(part, s, gone)
	case "patternProperties", "dependentSchemas":
		return c.each(part, s.deeper())
	case "items":
		if _, tuple := v.(data.Array); tuple {
			return nil, false // of drafts before 3.1, undefined since
		}
		return c.schema(part, s.deeper()), true
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames":
		return c.schema(part, s.deeper()), true
	case "not", "if", "then", "else", "contains":
		return c.schema(part, s.alternative()), true
	case "allOf":
		inner := s.deeper()
		inner.gone, inner.needless = gone, needless
		return c.list(part, inner)
	case "anyOf", "oneOf":
		return c.list(part, s.alternative())
	case "prefixItems":
		return c.list(part, s.deeper())
	}
	if check := keywords[key]; check != nil && check(v) {
		return v, true
	}
	return nil, false
}

func (c *converter) each(n node, s state) (data.Value, bool) {
	list := make([]data.Member, 0, n.object().Len())
	for name, v := range n.object().All() {
		list = append(list, data.Member{Key: name, Value: c.schema(node{v, n.in}, s)})
	}
	return data.NewObject(list), n.object() != nil
}

func (c *converter) list(n node, s state) (data.Value, bool) {
	parts := n.items()
	items := make([]data.Value, len(parts))
	for i, part := range parts {
		items[i] = c.schema(part, s)
	}
	return data.NewArray(items), len(items) > 0
}

func (c *converter) properties(n node, s state, gone names) (data.Value, bool) {
	list := make([]data.Member, 0, n.object().Len())
	for name, v := range n.object().All() {
		if !gone.has(name) {
			list = append(list, data.Member{Key: name, Value: c.schema(node{v, n.in}, s.deeper())})
		}
	}
	return data.NewObject(list), n.object() != nil
}

var typeNames = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

// knownTypes is the keyword type with the names that JSON Schema knows.
func knownTypes(v data.Value) (data.Value, bool) {
	switch v := v.(type) {
	case data.String:
		if v == "file" {
			return data.String("string"), true
		}
		return v, slices.Contains(typeNames, string(v))
	case data.Array:
		var list []data.Value
		for _, item := range v.All() {
			if slices.Contains(typeNames, text(item)) && !slices.Contains(list, item) {
				list = append(list, item)
			}
		}
		return data.NewArray(list), len(list) > 0
	}
	return nil, false
}

func requiredNames(v data.Value, gone names) (data.Value, bool) {
	a, _ := v.(data.Array)
	seen := make(map[string]bool, a.Len())
	var list []data.Value
	for _, item := range a.All() {
		name, ok := item.(data.String)
		if ok && !gone.has(string(name)) && !seen[string(name)] {
			seen[string(name)] = true
			list = append(list, name)
		}
	}
	return data.NewArray(list), len(list) > 0
}

// older applies what OpenAPI 3.0 and Swagger 2.0 say differently: nullable, and
// exclusive bounds that are flags.
func older(o *data.Object, list []data.Member) []data.Member {
	for _, bound := range [...][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		exclusive, _ := o.Get(bound[0])
		if exclusive == data.Value(data.Bool(true)) {
			for i := range list {
				if list[i].Key == bound[1] {
					list[i].Key = bound[0]
				}
			}
		}
	}
	nullable, _ := o.Get("nullable")
	extension, _ := o.Get("x-nullable")
	if nullable != data.Value(data.Bool(true)) && extension != data.Value(data.Bool(true)) {
		return list
	}
	return orNull(list)
}

// orNull makes a schema accept null too.
func orNull(list []data.Member) []data.Member {
	typed := slices.IndexFunc(list, func(m data.Member) bool { return m.Key == "type" })
	name, single := data.Value(nil), false
	if typed >= 0 {
		name, single = list[typed].Value, isText(list[typed].Value)
	}
	if single && !slices.ContainsFunc(list, func(m data.Member) bool {
		return m.Key == "allOf" || m.Key == "anyOf" || m.Key == "oneOf" || m.Key == "const"
	}) {
		list[typed].Value = data.NewArray([]data.Value{name, data.String("null")})
		for i := range list {
			if list[i].Key == "enum" && !contains(list[i].Value, data.Null{}) {
				list[i].Value = withItem(list[i].Value, data.Null{})
			}
		}
		return list
	}
	var words, rest []data.Member
	for _, m := range list {
		if m.Key == "title" || m.Key == "description" || m.Key == "default" || m.Key == "deprecated" {
			words = append(words, m)
		} else {
			rest = append(rest, m)
		}
	}
	if len(rest) == 0 {
		return list // accepts anything, null included
	}
	null := object("type", data.String("null"))
	return append(words, data.Member{Key: "anyOf", Value: data.NewArray([]data.Value{data.NewObject(rest), null})})
}

func contains(list, v data.Value) bool {
	a, _ := list.(data.Array)
	for _, item := range a.All() {
		if data.Equal(item, v) {
			return true
		}
	}
	return false
}

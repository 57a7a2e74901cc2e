// This file defines TypeScript types as trees, between reading a schema and
// writing the type.

package schema

import (
	"strings"

	"github.com/codemode-go/codemode/data"
)

type shape uint8

const (
	wordShape    shape = iota // a name such as string
	literalShape              // a literal; word is its type
	objectShape
	arrayShape
	tupleShape
	unionShape
	intersectionShape
	refShape
)

// typ is a type. It is not changed after it was made, but for the definition a
// reference points to.
type typ struct {
	shape shape
	text  string // of a word or literal
	word  string // of a literal: the type it belongs to
	parts []*typ // members, items
	// tuple
	optional int  // where optional items begin
	rest     *typ // of further items, nil for none
	// object
	fields []property
	index  *typ   // of other members, nil for none
	keys   []*typ // the literals that may be keys of index; nil is string
	bare   bool   // any object: nothing more is known
	// reference
	def *definition
}

// property is one member of an object type.
type property struct {
	name     string
	optional bool
	typ      *typ
	about    *data.Object // the schema, for documentation; may be nil
	of       *definition  // what the schema refers to, nil if nothing
}

// definition is the target of references.
type definition struct {
	steps  []string
	schema data.Value
	body   *typ
	uses   int
	cyclic bool // reaches itself
	open   bool // under construction
	plain  *typ // body after simplification
	size   int  // of body with all that is written in its place, saturating
	named  bool
	walked bool // by breakBareCycles
}

var (
	unknownType = &typ{text: "unknown"}
	neverType   = &typ{text: "never"}
	nullType    = &typ{text: "null"}
	stringType  = &typ{text: "string"}
	numberType  = &typ{text: "number"}
	booleanType = &typ{text: "boolean"}
	anyObject   = &typ{shape: objectShape, index: unknownType, bare: true}
	emptyObject = &typ{shape: objectShape, index: neverType}
)

func (t *typ) isWord(word string) bool { return t.shape == wordShape && t.text == word }

// within reports that everything of t belongs to a base, a primitive word or any object, so that t & base is t.
func (t *typ) within(base *typ, depth int) bool {
	if depth > maxNesting {
		return false
	}
	switch t.shape {
	case literalShape:
		return base.isWord(t.word)
	case wordShape:
		return base.shape == wordShape && t.text == base.text
	case objectShape:
		return base.bare
	case unionShape:
		for _, part := range t.parts {
			if !part.within(base, depth+1) {
				return false
			}
		}
		return true
	case intersectionShape:
		for _, part := range t.parts {
			if part.within(base, depth+1) {
				return true
			}
		}
	case refShape:
		return base.bare && isObjectSchema(t.def.schema) || t.def.plain != nil && t.def.plain.within(base, depth+1)
	}
	return false
}

func isObjectSchema(v data.Value) bool {
	o, _ := v.(*data.Object)
	_, hasProperties := o.Get("properties")
	return text(o, "type") == "object" || hasProperties
}

// same reports that two types are written alike.
func (t *typ) same(u *typ, depth int) bool {
	if t == u {
		return true
	}
	if depth > 12 || t.shape != u.shape || t.text != u.text || t.def != u.def || t.optional != u.optional ||
		len(t.fields) != len(u.fields) || len(t.keys) != len(u.keys) || !sameAll(t.parts, u.parts, depth) || !sameAll(t.keys, u.keys, depth) {
		return false
	}
	for i, p := range t.fields {
		q := u.fields[i]
		if p.name != q.name || p.optional != q.optional || !p.typ.same(q.typ, depth+1) {
			return false
		}
	}
	return sameOrNil(t.index, u.index, depth) && sameOrNil(t.rest, u.rest, depth)
}

func sameOrNil(t, u *typ, depth int) bool {
	if t == nil || u == nil {
		return t == u
	}
	return t.same(u, depth+1)
}

func sameAll(a, b []*typ, depth int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].same(b[i], depth+1) {
			return false
		}
	}
	return true
}

// maxLiteral bounds one literal; a longer one is written as its type.
const maxLiteral = 200

// literal is the type of exactly one value.
func literal(v data.Value, depth int) *typ {
	switch v := v.(type) {
	case data.Bool, data.Number, data.String:
		return primitiveLiteral(v)
	case data.Array:
		return literalTuple(v, depth)
	case *data.Object:
		return literalObject(v, depth)
	}
	return nullType
}

func primitiveLiteral(v data.Value) *typ {
	word := v.Kind().String()
	if s, ok := v.(data.String); ok && len(s) > maxLiteral {
		return &typ{text: word}
	}
	text := data.JSON(v)
	if len(text) > 2*maxLiteral || text == "null" { // digits without end, infinity
		return &typ{text: word}
	}
	return &typ{shape: literalShape, text: strings.ToValidUTF8(text, "\uFFFD"), word: word}
}

func literalTuple(v data.Array, depth int) *typ {
	if v.Len() > 20 || depth > 3 {
		return &typ{shape: arrayShape, parts: []*typ{unknownType}}
	}
	t := &typ{shape: tupleShape, optional: v.Len()}
	for _, item := range v.All() {
		t.parts = append(t.parts, literal(item, depth+1))
	}
	return t
}

func literalObject(v *data.Object, depth int) *typ {
	if v.Len() > 20 || depth > 3 {
		return anyObject
	}
	if v.Len() == 0 {
		return emptyObject
	}
	t := &typ{shape: objectShape}
	for key, item := range v.All() {
		if len(key) > maxKey {
			return anyObject
		}
		t.fields = append(t.fields, property{name: key, typ: literal(item, depth+1)})
	}
	return t
}

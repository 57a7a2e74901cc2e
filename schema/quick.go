// This file defines the quick check: it proves most valid values valid without
// the full validator, and never proves anything invalid.

package schema

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
)

// quick mirrors a schema. The zero quick accepts everything.
type quick struct {
	unsure     bool // has a keyword that only the full validator knows
	types      []string
	properties map[string]*quick
	required   []string
	additional *quick // nil allows everything
	items      *quick
	enum       []data.Value
	all        []*quick
	anyOf      []*quick
	hasAny     bool
	bounded    bool
	minimum    float64
	maximum    float64
	length     span // of strings, in characters
	format     func(string) bool
	count      span // of arrays
}

// span is a closed range of sizes.
type span struct {
	set      bool
	min, max int
}

func (s span) has(n func() int) bool {
	if !s.set {
		return true
	}
	size := n()
	return size >= s.min && size <= s.max
}

// bound sets one end, or reports that it cannot.
func (s *span) bound(upper bool, v data.Value) bool {
	if !s.set {
		s.set, s.max = true, math.MaxInt
	}
	n, ok := v.(data.Number)
	if upper {
		s.max = int(n.Float64())
	} else {
		s.min = int(n.Float64())
	}
	return ok && n.Float64() >= 0 && n.Float64() < 1<<40
}

var never = &quick{unsure: true}

// quickReader reads one document; refs ties recursive schemas together.
type quickReader struct {
	root     *data.Object
	refs     map[string]*quick
	inferred bool
}

func newQuick(document data.Value, inferred bool) *quick {
	root, _ := document.(*data.Object)
	r := &quickReader{root: root, refs: map[string]*quick{}, inferred: inferred}
	q := r.read(document, 0)
	r.breakCycles()
	return q
}

// breakCycles makes unsure what refers to itself without going deeper into the
// value: checking it would not end.
func (r *quickReader) breakCycles() {
	const entered, left = 1, 2
	state := map[*quick]int{}
	var visit func(q *quick)
	visit = func(q *quick) {
		switch state[q] {
		case entered:
			q.unsure = true
		case 0:
			state[q] = entered
			for _, part := range q.all {
				visit(part)
			}
			for _, part := range q.anyOf {
				visit(part)
			}
			state[q] = left
		}
	}
	for _, q := range r.refs {
		visit(q)
	}
}

func (r *quickReader) read(v data.Value, depth int) *quick {
	switch v := v.(type) {
	case data.Bool:
		if v {
			return &quick{}
		}
	case *data.Object:
		q := &quick{minimum: math.Inf(-1), maximum: math.Inf(1)}
		r.fill(q, v, depth)
		return q
	}
	return never
}

func (r *quickReader) fill(q *quick, o *data.Object, depth int) {
	for key, v := range o.All() {
		if depth > 100 || !r.keyword(q, key, v, depth+1) {
			q.unsure = true
			return
		}
	}
}

// keyword adds one keyword to q, or reports that it cannot.
func (r *quickReader) keyword(q *quick, key string, v data.Value, depth int) bool {
	switch key {
	case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$defs", "definitions",
		"$schema":
		return true
	case "format", "contentEncoding":
		if r.inferred {
			q.format = enforced[key+" "+string(stringOf(v))]
		}
		return true
	case "type":
		q.types = stringsOf(v)
		return len(q.types) > 0
	case "required":
		q.required = stringsOf(v)
		return v.Kind() == data.KindArray
	case "properties":
		o, ok := v.(*data.Object)
		q.properties = make(map[string]*quick, o.Len())
		for name, schema := range o.All() {
			q.properties[name] = r.read(schema, depth)
		}
		return ok
	case "additionalProperties":
		q.additional = r.read(v, depth)
	case "items":
		q.items = r.read(v, depth)
	case "const":
		q.enum = []data.Value{v}
	case "enum":
		values, ok := v.(data.Array)
		for _, value := range values.All() {
			q.enum = append(q.enum, value)
		}
		return ok
	case "minimum", "maximum":
		return q.bound(key, v)
	case "minLength", "maxLength":
		return q.length.bound(key == "maxLength", v)
	case "minItems", "maxItems":
		return q.count.bound(key == "maxItems", v)
	case "allOf":
		q.all = append(q.all, r.list(v, depth)...)
	case "anyOf":
		q.anyOf, q.hasAny = r.list(v, depth), true
	case "$ref":
		ref, _ := v.(data.String)
		q.all = append(q.all, r.ref(string(ref), depth))
	default:
		return false
	}
	return true
}

func (q *quick) bound(key string, v data.Value) bool {
	n, ok := v.(data.Number)
	q.bounded = true
	low, high := n.Float64(), n.Float64()
	if n.Exact() { // values that round to the bound are left to the full validator
		low, high = math.Nextafter(low, math.Inf(1)), math.Nextafter(high, math.Inf(-1))
	}
	if key == "minimum" {
		q.minimum = low
	} else {
		q.maximum = high
	}
	return ok
}

func stringOf(v data.Value) data.String {
	s, _ := v.(data.String)
	return s
}

func (r *quickReader) list(v data.Value, depth int) []*quick {
	items, _ := v.(data.Array)
	list := make([]*quick, 0, items.Len())
	for _, item := range items.All() {
		list = append(list, r.read(item, depth))
	}
	return list
}

// ref follows a reference into $defs or definitions; others stay unsure.
func (r *quickReader) ref(ref string, depth int) *quick {
	if q := r.refs[ref]; q != nil {
		return q
	}
	for _, group := range []string{"$defs", "definitions"} {
		name, ok := strings.CutPrefix(ref, "#/"+group+"/")
		if !ok || strings.ContainsAny(name, "/~%") {
			continue
		}
		defs, _ := member(r.root, group).(*data.Object)
		if target, ok := member(defs, name).(*data.Object); ok {
			q := &quick{minimum: math.Inf(-1), maximum: math.Inf(1)}
			r.refs[ref] = q
			r.fill(q, target, depth)
			return q
		}
	}
	return never
}

func stringsOf(v data.Value) []string {
	switch v := v.(type) {
	case data.String:
		return []string{string(v)}
	case data.Array:
		list := make([]string, 0, v.Len())
		for _, item := range v.All() {
			s, ok := item.(data.String)
			if !ok {
				return nil
			}
			list = append(list, string(s))
		}
		return list
	}
	return nil
}

// accepts reports that v is surely valid.
func (q *quick) accepts(v data.Value) bool {
	if q.unsure || len(q.types) > 0 && !hasType(q.types, v) || q.enum != nil && !among(q.enum, v) {
		return false
	}
	for _, part := range q.all {
		if !part.accepts(v) {
			return false
		}
	}
	if q.hasAny && !acceptedByAny(q.anyOf, v) {
		return false
	}
	switch v := v.(type) {
	case data.Number:
		return !q.bounded || v.Float64() >= q.minimum && v.Float64() <= q.maximum
	case data.String:
		return q.length.has(func() int { return utf8.RuneCountInString(string(v)) }) && (q.format == nil || q.format(string(v)))
	case data.Array:
		return q.count.has(v.Len) && q.acceptsItems(v)
	case *data.Object:
		return q.acceptsMembers(v)
	}
	return true
}

func (q *quick) acceptsItems(a data.Array) bool {
	if q.items == nil {
		return true
	}
	for _, item := range a.All() {
		if !q.items.accepts(item) {
			return false
		}
	}
	return true
}

func (q *quick) acceptsMembers(o *data.Object) bool {
	for _, name := range q.required {
		if _, ok := o.Get(name); !ok {
			return false
		}
	}
	for i := range o.Len() {
		m := o.At(i)
		member, ok := q.properties[m.Key]
		if !ok {
			member = q.additional
		}
		if member != nil && !member.accepts(m.Value) {
			return false
		}
	}
	return true
}

func acceptedByAny(list []*quick, v data.Value) bool {
	for _, q := range list {
		if q.accepts(v) {
			return true
		}
	}
	return false
}

func among(values []data.Value, v data.Value) bool {
	for _, value := range values {
		if data.Equal(value, v) {
			return true
		}
	}
	return false
}

func hasType(types []string, v data.Value) bool {
	name := v.Kind().String()
	for _, t := range types {
		if t == name || t == "integer" && isInteger(v) {
			return true
		}
	}
	return false
}

func isInteger(v data.Value) bool {
	n, ok := v.(data.Number)
	return ok && (n.Exact() || n.Float64() == math.Trunc(n.Float64()))
}

package openapi

// This file defines how values are written in the styles of OpenAPI, which are
// those of RFC 6570.

import (
	"fmt"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// maxNesting bounds deepObject values.
const maxNesting = 32

// unwritable is a value without a form in its place.
type unwritable struct{ path, message string }

func (u *unwritable) Error() string { return u.path + " " + u.message }

// pair is a name and a value, both ready for their place.
type pair struct{ name, value string }

func (p pair) String() string { return p.name + "=" + p.value }

// written is a value by its shape.
type written struct {
	scalar string
	items  []string // of an array
	fields []pair   // of an object
	kind   data.Kind
}

// plain is the text of a value that is neither array nor object.
func plain(v data.Value, path string) (string, error) {
	switch v := v.(type) {
	case data.String:
		return string(v), nil
	case data.Number:
		return v.Text(), nil
	case data.Bool:
		if v {
			return "true", nil
		}
		return "false", nil
	}
	return "", &unwritable{path, "cannot be " + described(v) + " here; want text, a number or a boolean"}
}

func described(v data.Value) string {
	switch v.Kind() {
	case data.KindNull:
		return "null"
	case data.KindArray:
		return "an array"
	case data.KindObject:
		return "an object"
	}
	return "a " + v.Kind().String()
}

// write takes a value apart and escapes its parts.
func write(v data.Value, path string, escape func(string) string) (w written, err error) {
	w.kind = v.Kind()
	switch v := v.(type) {
	case data.Array:
		for i, item := range v.All() {
			text, err := plain(item, fmt.Sprintf("%s[%d]", path, i))
			if err != nil {
				return w, err
			}
			w.items = append(w.items, escape(text))
		}
	case *data.Object:
		for key, member := range v.All() {
			text, err := plain(member, string(data.AppendKey([]byte(path), key)))
			if err != nil {
				return w, err
			}
			w.fields = append(w.fields, pair{escape(key), escape(text)})
		}
	default:
		text, err := plain(v, path)
		if err != nil {
			return w, err
		}
		w.scalar = escape(text)
	}
	return w, nil
}

// empty reports that the value has no form: RFC 6570 takes an empty list for one
// that is not there.
func (w written) empty() bool {
	return w.kind == data.KindArray && len(w.items) == 0 || w.kind == data.KindObject && len(w.fields) == 0
}

// flat is the list of items, or of names and values in turn.
func (w written) flat() []string {
	if w.kind == data.KindArray {
		return w.items
	}
	list := make([]string, 0, 2*len(w.fields))
	for _, f := range w.fields {
		list = append(list, f.name, f.value)
	}
	return list
}

func (w written) assignments() []string {
	list := make([]string, len(w.fields))
	for i, f := range w.fields {
		list[i] = f.String()
	}
	return list
}

// simple is a value in the style simple.
func (w written) simple(explode bool) string {
	switch {
	case w.kind == data.KindObject && explode:
		return strings.Join(w.assignments(), ",")
	case w.kind == data.KindArray || w.kind == data.KindObject:
		return strings.Join(w.flat(), ",")
	}
	return w.scalar
}

// inPath is a value in a path.
func (p *parameter) inPath(v data.Value) (string, error) {
	w, err := write(v, p.place(), escapedSegment)
	if err != nil {
		return "", err
	}
	name := escapedSegment(p.name)
	switch p.style {
	case "label":
		if !p.explode || w.kind != data.KindArray && w.kind != data.KindObject {
			return "." + w.simple(false), nil
		}
		if w.kind == data.KindObject {
			return "." + strings.Join(w.assignments(), "."), nil
		}
		return "." + strings.Join(w.items, "."), nil
	case "matrix":
		return w.matrix(name, p.explode), nil
	}
	return w.simple(p.explode), nil
}

func (w written) matrix(name string, explode bool) string {
	switch {
	case w.empty():
		return ""
	case explode && w.kind == data.KindObject:
		return ";" + strings.Join(w.assignments(), ";")
	case explode && w.kind == data.KindArray:
		return ";" + name + "=" + strings.Join(w.items, ";"+name+"=")
	}
	if text := w.simple(false); text != "" {
		return ";" + name + "=" + text
	}
	return ";" + name
}

// delimiters are those between the items of styles without explode.
var delimiters = map[string]string{"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C", string(tabDelimited): "%09"}

// inForm is a value as names and values of a query or a form body, in which
// escape makes texts ready and name is escaped already.
func (p *parameter) inForm(v data.Value, name string, escape func(string) string) ([]pair, error) {
	if p.style == "deepObject" {
		return p.deep(v, name, escape)
	}
	w, err := write(v, p.place(), escape)
	switch {
	case err != nil || w.empty():
		return nil, err
	case w.kind != data.KindArray && w.kind != data.KindObject:
		if p.style != "form" {
			return nil, &unwritable{p.place(), "cannot be " + described(v) + " in the style " + p.style + "; want an array or an object"}
		}
		return []pair{{name, w.scalar}}, nil
	case !p.explode:
		return []pair{{name, strings.Join(w.flat(), delimiters[p.style])}}, nil
	case w.kind == data.KindObject:
		return w.fields, nil
	}
	pairs := make([]pair, len(w.items))
	for i, item := range w.items {
		pairs[i] = pair{name, item}
	}
	return pairs, nil
}

// deep is a value in the style deepObject.
func (p *parameter) deep(v data.Value, name string, escape func(string) string) (pairs []pair, err error) {
	add := func(name string, v data.Value, path string) error {
		text, err := plain(v, path)
		pairs = append(pairs, pair{name, escape(text)})
		return err
	}
	if p.nested == FlatOnly {
		o, ok := v.(*data.Object)
		if !ok {
			return nil, &unwritable{p.place(), "cannot be " + described(v) + " in the style deepObject; want an object"}
		}
		for key, member := range o.All() {
			if err := add(name+"["+escape(key)+"]", member, string(data.AppendKey([]byte(p.place()), key))); err != nil {
				return nil, err
			}
		}
		return pairs, nil
	}
	var walk func(v data.Value, name, path string, depth int) error
	walk = func(v data.Value, name, path string, depth int) error {
		if depth > maxNesting {
			return &unwritable{path, fmt.Sprintf("is nested deeper than %d", maxNesting)}
		}
		switch v := v.(type) {
		case data.Array:
			for i, item := range v.All() {
				index := ""
				if p.nested == Indexed {
					index = fmt.Sprint(i)
				}
				if err := walk(item, name+"["+index+"]", fmt.Sprintf("%s[%d]", path, i), depth+1); err != nil {
					return err
				}
			}
			return nil
		case *data.Object:
			for key, member := range v.All() {
				if err := walk(member, name+"["+escape(key)+"]", string(data.AppendKey([]byte(path), key)), depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		return add(name, v, path)
	}
	if v.Kind() != data.KindArray && v.Kind() != data.KindObject {
		return nil, &unwritable{p.place(), "cannot be " + described(v) + " in the style deepObject; want an object or an array"}
	}
	return pairs, walk(v, name, p.place(), 0)
}

// inHeader is a value in a header, where nothing is escaped.
func (p *parameter) inHeader(v data.Value) (string, error) {
	w, err := write(v, p.place(), func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") })
	if err != nil {
		return "", err
	}
	if w.kind == data.KindArray || w.kind == data.KindObject {
		for _, part := range w.flat() {
			if strings.Contains(part, ",") || p.explode && w.kind == data.KindObject && strings.Contains(part, "=") {
				return "", &unwritable{p.place(), "has a part with a comma or an equals sign, which would separate parts in a header"}
			}
		}
	}
	text := w.simple(p.explode)
	if !isHeaderValue(text) {
		return "", &unwritable{p.place(), "has a line break, another control character, or space at an end, which a header cannot carry"}
	}
	return text, nil
}

// inCookie is a value as cookies. The parts of an exploded one are cookies of
// their own.
func (p *parameter) inCookie(v data.Value) ([]pair, error) {
	pairs, err := p.inForm(v, p.name, escapedCookie)
	for _, c := range pairs {
		if !isToken(c.name) {
			return nil, &unwritable{p.place(), "has a name that a cookie cannot have"}
		}
	}
	return pairs, err
}

// place is the field of the input, for messages.
func (p *parameter) place() string { return string(data.AppendKey([]byte("input"), p.field)) }

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
type pair struct {
	name, value string
	// own is the name as the server will read it, if the input says it and not the
	// document, and place is where; "" for a key of the value itself.
	own, place string
}

func (p pair) String() string { return p.name + "=" + p.value }

// textForm says how texts are made ready for a part of a request.
type textForm struct {
	key, value func(string) string
	bare       bool // delimiters stand as they are
}

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

// write takes a value apart and makes its parts ready. Those of arrays and
// objects cannot have the separators that stand between them.
func write(v data.Value, path string, form textForm, separators string) (w written, err error) {
	part := func(v data.Value, path string) (string, error) {
		text, err := plain(v, path)
		if err == nil && strings.ContainsAny(text, separators) {
			err = separated(path, separators)
		}
		return form.value(text), err
	}
	w.kind = v.Kind()
	switch v := v.(type) {
	case data.Array:
		for i, item := range v.All() {
			text, err := part(item, fmt.Sprintf("%s[%d]", path, i))
			if err != nil {
				return w, err
			}
			w.items = append(w.items, text)
		}
	case *data.Object:
		for key, member := range v.All() {
			at := string(data.AppendKey([]byte(path), key))
			if strings.ContainsAny(key, separators) {
				return w, separated(at, separators)
			}
			text, err := part(member, at)
			if err != nil {
				return w, err
			}
			w.fields = append(w.fields, pair{name: form.key(key), value: text, own: key})
		}
	default:
		text, err := plain(v, path)
		if err != nil {
			return w, err
		}
		w.scalar = form.value(text)
	}
	return w, nil
}

func separated(path, separators string) error {
	return &unwritable{path, fmt.Sprintf("has the character %q, which separates items here, so that the server would read several", separators)}
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
	separators := ""
	if p.style != "simple" {
		separators = delimiters[p.style]
	}
	w, err := write(v, p.place(), textForm{key: escapedSegment, value: escapedSegment}, separators)
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
	case "simple":
		return w.simple(p.explode), nil
	}
	return strings.Join(w.flat(), escapedSegment(separators)), nil
}

// matrix leaves out the equals sign before nothing (RFC 6570, 3.2.7).
func (w written) matrix(name string, explode bool) string {
	assign := func(name, value string) string {
		if value == "" {
			return ";" + name
		}
		return ";" + name + "=" + value
	}
	var b strings.Builder
	switch {
	case w.empty():
	case explode && w.kind == data.KindObject:
		for _, f := range w.fields {
			b.WriteString(assign(f.name, f.value))
		}
	case explode && w.kind == data.KindArray:
		for _, item := range w.items {
			b.WriteString(assign(name, item))
		}
	default:
		b.WriteString(assign(name, w.simple(false)))
	}
	return b.String()
}

// delimiters are those between the items of styles without explode.
var delimiters = map[string]string{"simple": ",", "form": ",", "spaceDelimited": " ", "pipeDelimited": "|", string(tabDelimited): "\t"}

// separators are the characters that items cannot have. A comma is one only where
// those of items are not percent-encoded.
func (p *parameter) separators(form textForm) string {
	if p.explode || p.style == "form" && !form.bare && !p.reserved {
		return ""
	}
	return delimiters[p.style]
}

// inForm is a value as names and values of a query, cookies or a form, for which
// form makes texts ready; name is so already.
func (p *parameter) inForm(v data.Value, name string, form textForm) ([]pair, error) {
	if p.style == "deepObject" {
		return p.deep(v, name, form)
	}
	w, err := write(v, p.place(), form, p.separators(form))
	switch {
	case err != nil || w.empty():
		return nil, err
	case w.kind != data.KindArray && w.kind != data.KindObject:
		if p.style != "form" {
			return nil, &unwritable{p.place(), "cannot be " + described(v) + " in the style " + p.style + "; want an array or an object"}
		}
		return []pair{{name: name, value: w.scalar}}, nil
	case !p.explode:
		delimiter := delimiters[p.style]
		if !form.bare && p.style != "form" {
			delimiter = escapedSegment(delimiter)
		}
		return []pair{{name: name, value: strings.Join(w.flat(), delimiter)}}, nil
	case w.kind == data.KindObject:
		return w.fields, nil
	}
	pairs := make([]pair, len(w.items))
	for i, item := range w.items {
		pairs[i] = pair{name: name, value: item}
	}
	return pairs, nil
}

// deep is a value in the style deepObject.
func (p *parameter) deep(v data.Value, name string, form textForm) ([]pair, error) {
	d := deepWriter{nested: p.nested, form: form}
	if v.Kind() != data.KindObject && (p.nested == FlatOnly || v.Kind() != data.KindArray) {
		want := "an object"
		if p.nested != FlatOnly {
			want += " or an array"
		}
		return nil, &unwritable{p.place(), "cannot be " + described(v) + " in the style deepObject; want " + want}
	}
	err := d.walk(v, name, p.name, p.place(), 0)
	return d.pairs, err
}

type deepWriter struct {
	nested DeepObjects
	form   textForm
	pairs  []pair
}

// walk writes a value; own is the name as the server will read it.
func (d *deepWriter) walk(v data.Value, name, own, place string, depth int) error {
	if depth > maxNesting {
		return &unwritable{place, fmt.Sprintf("is nested deeper than %d", maxNesting)}
	}
	if array, ok := v.(data.Array); ok && d.nested != FlatOnly {
		for i, item := range array.All() {
			index := ""
			if d.nested == Indexed {
				index = fmt.Sprint(i)
			}
			if err := d.walk(item, name+"["+index+"]", own+"["+index+"]", fmt.Sprintf("%s[%d]", place, i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if o, ok := v.(*data.Object); ok && (d.nested != FlatOnly || depth == 0) {
		for key, member := range o.All() {
			if err := d.walk(member, name+"["+d.form.key(key)+"]", own+"["+key+"]", string(data.AppendKey([]byte(place), key)), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	text, err := plain(v, place)
	d.pairs = append(d.pairs, pair{name: name, value: d.form.value(text), own: own, place: place})
	return err
}

// bareHeader writes texts into headers, where nothing is escaped.
var bareHeader = textForm{key: validText, value: validText, bare: true}

func validText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// inHeader is a value in a header, or nothing for an empty list or object.
func (p *parameter) inHeader(v data.Value) (text string, some bool, err error) {
	separators := delimiters[p.style]
	if p.explode && v.Kind() == data.KindObject {
		separators += "="
	}
	w, err := write(v, p.place(), bareHeader, separators)
	if err != nil || w.empty() {
		return "", false, err
	}
	if text = w.simple(p.explode); p.style != "simple" && w.kind == data.KindArray {
		text = strings.Join(w.items, delimiters[p.style])
	}
	if !isHeaderValue(text) {
		return "", false, &unwritable{p.place(), "has a line break, another control character, or space at an end, which a header cannot carry"}
	}
	return text, true, nil
}

// inCookie is a value as cookies. The parts of an exploded one are cookies of
// their own.
func (p *parameter) inCookie(v data.Value) ([]pair, error) {
	pairs, err := p.inForm(v, p.name, textForm{key: escapedCookie, value: escapedCookie})
	for _, c := range pairs {
		if !isToken(c.name) {
			return nil, &unwritable{p.place(), "has a name that a cookie cannot have"}
		}
	}
	return pairs, err
}

// place is the field of the input, for messages.
func (p *parameter) place() string {
	if p.within != "" {
		return string(data.AppendKey([]byte(p.within), p.field))
	}
	return string(data.AppendKey([]byte("input"), p.field))
}

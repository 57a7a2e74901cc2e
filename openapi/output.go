package openapi

// This file defines what an operation answers with, as the document has it.

import (
	"errors"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// answer is one media type of a successful response; "" is one without content.
type answer struct {
	media  string
	schema node
}

// responses reads the successful responses and decides what is asked for.
func (b *builder) responses() error {
	if b.op.get("x-websocket").v != nil {
		return errors.New("it opens a WebSocket")
	}
	list, err := b.successes()
	if err != nil {
		return err
	}
	var streams, declared int
	for _, a := range list {
		declared++
		if isEvents(a.media) {
			streams++
		}
	}
	if declared > 0 && streams == declared {
		return errors.New("it answers with a stream of events without end")
	}
	b.answers = slices.DeleteFunc(list, func(a answer) bool { return isEvents(a.media) })
	b.plan.accept = accepted(b.answers)
	b.answers = asked(b.answers)
	b.plan.declared = onlyMedia(b.answers)
	return nil
}

// successes are the contents of all responses that are not errors.
func (b *builder) successes() ([]answer, error) {
	responses, err := b.resolve(b.op.get("responses"))
	if err != nil {
		return nil, err
	}
	var codes []string
	for code := range responses.object().All() {
		if strings.HasPrefix(code, "2") && len(code) == 3 {
			codes = append(codes, code)
		}
	}
	if len(codes) == 0 && responses.get("default").v != nil {
		codes = []string{"default"}
	}
	slices.Sort(codes)
	var list []answer
	var problem error
	for _, code := range codes {
		r, err := b.resolve(responses.get(code))
		if err != nil {
			problem = err
			continue
		}
		if b.swagger {
			r = b.swaggerResponse(b.op.node, r)
		}
		content := r.get("content")
		if err := b.spend(1 + content.object().Len()); err != nil {
			return nil, err
		}
		if content.object().Len() == 0 {
			list = append(list, answer{})
		}
		for media, v := range content.object().All() {
			m, err := b.resolve(node{v, content.in})
			if err == nil {
				list = append(list, answer{media, m.get("schema")})
			}
		}
	}
	if len(list) == 0 && problem != nil {
		return nil, problem
	}
	return list, nil
}

// accepted is the header Accept: the types that are JSON if there are any,
// otherwise all.
func accepted(list []answer) string {
	var types []string
	seen := map[string]bool{"": true}
	for _, a := range asked(list) {
		if !seen[a.media] {
			seen[a.media] = true
			types = append(types, a.media)
		}
	}
	if len(types) == 0 {
		return "*/*"
	}
	return strings.Join(types, ", ")
}

// asked are the answers that the header Accept allows: with JSON, only JSON and
// nothing at all.
func asked(list []answer) []answer {
	if !slices.ContainsFunc(list, func(a answer) bool { return isJSON(a.media) }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(a answer) bool { return a.media != "" && !isJSON(a.media) })
}

// onlyMedia is the one media type of all answers, for responses that name none.
func onlyMedia(list []answer) string {
	media := ""
	for _, a := range list {
		if a.media != "" && media != "" && a.media != media {
			return ""
		}
		if a.media != "" {
			media = a.media
		}
	}
	return media
}

// maxAnswers bounds the alternatives of a result's type.
const maxAnswers = 50

// output is the schema of what a program gets, nil if it is unknown.
func (b *builder) output() *schema.Schema {
	if b.op.Method == "HEAD" {
		return b.shaped(nullSchema, nil)
	}
	var list []data.Value
	var uses []*definition
	for _, a := range b.answers {
		v, u := b.answered(a)
		if v == nil || len(list) > maxAnswers {
			return b.shaped(nil, nil)
		}
		uses = append(uses, u...)
		if !slices.ContainsFunc(list, func(w data.Value) bool { return v == w || sameReference(v, w) }) {
			list = append(list, v)
		}
	}
	switch len(list) {
	case 0:
		return b.shaped(nil, nil)
	case 1:
		return b.shaped(list[0], uses)
	}
	return b.shaped(object("anyOf", data.NewArray(list)), uses)
}

var (
	nullSchema = object("type", data.String("null"))
	textSchema = object("type", data.String("string"))
	fileAnswer = object("type", data.String("object"), "description", data.String("The bytes are handed to the host as an attachment."),
		"properties", object("attachment", textSchema, "type", textSchema, "bytes", object("type", data.String("number"))),
		"required", data.NewArray([]data.Value{data.String("attachment"), data.String("type"), data.String("bytes")}))
)

func sameReference(v, w data.Value) bool {
	a := textAt(v, "$ref")
	return a != "" && a == textAt(w, "$ref") && v.(*data.Object).Len() == w.(*data.Object).Len()
}

// answered is the schema of one answer, nil if it is unknown.
func (b *builder) answered(a answer) (data.Value, []*definition) {
	switch {
	case a.media == "":
		return nullSchema, nil
	case isJSON(a.media):
		if a.schema.v == nil {
			return nil, nil
		}
		c := b.out.convert(a.schema)
		if o, ok := c.value.(*data.Object); !ok || o.Len() == 0 {
			return nil, nil
		}
		return c.value, c.uses
	case isLines(a.media):
		return object("type", data.String("array")), nil
	case isRange(a.media):
		return nil, nil
	case isTextual(a.media):
		return textSchema, nil
	}
	return fileAnswer, nil
}

// shaped is the schema of the whole value: with headers beside it if the host
// wants them.
func (b *builder) shaped(v data.Value, uses []*definition) *schema.Schema {
	if len(b.settings.ResponseHeaders) > 0 {
		if v == nil {
			v = data.NewObject(nil)
		}
		headers := object("type", data.String("object"), "additionalProperties", textSchema)
		v = object("type", data.String("object"), "properties", object("body", v, "headers", headers),
			"required", data.NewArray([]data.Value{data.String("body"), data.String("headers")}))
	}
	o, ok := v.(*data.Object)
	if !ok {
		return nil
	}
	defs, ok := b.out.definitions(uses)
	if !ok {
		return nil
	}
	return schema.New(withDefinitions(o, defs))
}

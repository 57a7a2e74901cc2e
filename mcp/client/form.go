package client

// This file defines how a server's question is read. The SDK is given none of
// it: its validation follows references of a schema without end, which costs the
// whole process.

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

const (
	modeForm = "form"
	modeURL  = "url"
)

// plainQuestion stands for the params of a question in what the SDK is given.
func plainQuestion(method, key string) *data.Object {
	f := fields{{Key: "_meta", Value: data.NewObject([]data.Member{{Key: askKey, Value: data.String(key)}})}}
	if method == methodSample {
		f.add("messages", data.NewArray(nil))
		f.add("maxTokens", data.IntOf(1))
	} else {
		f.add("mode", data.String(modeForm))
		f.add("message", data.String(""))
	}
	return f.object()
}

// elicitation reads the params of a question to a person. The error says what is
// wrong with them and may be told to the server.
func elicitation(params data.Value, urls bool) (e Elicitation, err error) {
	if _, ok := params.(*data.Object); !ok {
		return e, errors.New("the params are no object")
	}
	e.Message = text(params, "message")
	switch mode := text(params, "mode"); mode {
	case "", modeForm:
		if member(params, "url") != nil {
			return e, errors.New("a form has no url")
		}
		form, err := form(member(params, "requestedSchema"))
		e.Schema = schema.New(form)
		return e, err
	case modeURL:
		e.URL, e.ID = text(params, "url"), text(params, "elicitationId")
		switch {
		case !urls:
			err = errors.New("questions with an address to open were not offered")
		case e.URL == "":
			err = errors.New("the address to open is missing")
		}
		return e, err
	default:
		return e, fmt.Errorf("unknown mode %q", clip(mode, 40))
	}
}

// Keywords that are taken over into a form. A form is flat, so that none of them
// refers or leads to another schema.
var (
	rootKeywords  = []string{"title", "description", "additionalProperties"}
	fieldKeywords = []string{"title", "description", "default", "const", "enum", "enumNames", "format", "pattern", "minLength", "maxLength",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems"}
	choices = []string{"oneOf", "anyOf"} // among values, each with a title
)

// form is the schema of a form, with the members that a form may have and no
// others. None is a form without fields.
func form(v data.Value) (*data.Object, error) {
	var properties []data.Member
	kept := fields{{Key: "type", Value: data.String("object")}}
	if v != nil {
		if _, ok := v.(*data.Object); !ok {
			return nil, errors.New("the schema of the form is no object")
		}
		if kind := member(v, "type"); kind != nil && kind != data.Value(data.String("object")) {
			return nil, errors.New("the schema of the form does not describe an object")
		}
		for _, key := range []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if"} {
			if member(v, key) != nil {
				return nil, fmt.Errorf("the schema of the form has %s, and a form is flat", key)
			}
		}
		kept.plain(v, rootKeywords)
	}
	list, _ := member(v, "properties").(*data.Object)
	for name, field := range list.All() {
		o, err := formField(field)
		if err != nil {
			return nil, fmt.Errorf("the field %q of the form %w", clip(name, 100), err)
		}
		properties = append(properties, data.Member{Key: name, Value: o})
	}
	kept.add("properties", data.NewObject(properties))
	if required, ok := plainValue(member(v, "required")); ok {
		kept.add("required", required)
	}
	return kept.object(), nil
}

// formField is the schema of one field: a value, a choice, or several choices.
func formField(v data.Value) (*data.Object, error) {
	var f fields
	switch kind := text(v, "type"); kind {
	case "string", "number", "integer", "boolean":
		f.str(v, "type")
	case "array":
		f.str(v, "type")
		items, err := formField(member(v, "items"))
		if err != nil || text(items, "type") == "array" {
			return nil, errors.New("is a list of something else than plain values")
		}
		f.add("items", items)
	case "":
		if member(v, "enum") == nil && member(v, "const") == nil && member(v, "oneOf") == nil && member(v, "anyOf") == nil {
			return nil, errors.New("has no type")
		}
	default:
		return nil, fmt.Errorf("has the type %q, want a plain value", clip(kind, 40))
	}
	if member(v, "properties") != nil {
		return nil, errors.New("has fields of its own, and a form is flat")
	}
	f.plain(v, fieldKeywords)
	for _, key := range choices {
		list, ok := member(v, key).(data.Array)
		if !ok {
			continue
		}
		var options []data.Value
		for _, option := range list.All() {
			var one fields
			one.plain(option, []string{"const", "title", "description"})
			if member(option, "const") == nil {
				return nil, fmt.Errorf("has an entry in %s without const, want a choice of values", key)
			}
			options = append(options, one.object())
		}
		f.add(key, data.NewArray(options))
	}
	return f.object(), nil
}

// plain copies members that are plain values or lists of those.
func (f *fields) plain(from data.Value, keys []string) {
	for _, key := range keys {
		if v, ok := plainValue(member(from, key)); ok {
			f.add(key, v)
		}
	}
}

func plainValue(v data.Value) (data.Value, bool) {
	switch v := v.(type) {
	case nil, *data.Object:
		return nil, false
	case data.Array:
		for _, item := range v.All() {
			switch item.(type) {
			case data.Array, *data.Object:
				return nil, false
			}
		}
	}
	return v, true
}

// filled is what is sent for an accepted form: the content, and the defaults of
// fields that are not in it. The error says what does not fit, for the host.
func (e Elicitation) filled(content *data.Object) (map[string]any, error) {
	members := []data.Member{}
	for name, v := range content.All() {
		members = append(members, data.Member{Key: name, Value: v})
	}
	properties, _ := member(e.Schema.Document(), "properties").(*data.Object)
	for name, field := range properties.All() {
		if _, there := content.Get(name); there {
			continue
		}
		if v := member(field, "default"); v != nil {
			members = append(members, data.Member{Key: name, Value: v})
		}
	}
	if err := e.Schema.Validate("content", data.NewObject(members)); err != nil {
		return nil, fmt.Errorf("the answer does not fit the form: %w", err)
	}
	// As text, so that no digit of an integer is lost.
	filled := make(map[string]any, len(members))
	for _, m := range members {
		filled[m.Key] = json.RawMessage(data.JSON(m.Value))
	}
	return filled, nil
}

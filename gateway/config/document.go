package config

// This file defines what an entry says of an OpenAPI document.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/openapi"
)

// Document is an API that is described by a document. Zero fields are what openapi.Options has without them.
type Document struct {
	File        string
	BaseURL     Secret // empty is the first server of the document
	DocumentURL Secret
	// Credentials are by the names of security schemes; Undeclared is sent with operations that require none.
	Credentials map[string]openapi.Credential
	Undeclared  *openapi.Credential

	References      bool     // files in the document's folder may be referred to
	Files           string   // the folder whose files programs may send, or empty
	Origins         []string // further ones that requests may go to
	ServerVariables map[string]string
	Fixed           []openapi.Fixed
	TagNamespaces   bool
	MaxResponse     int64 // bytes
	Retry           int   // how often what changes nothing is sent at most
	ResponseHeaders []string
	MediaTypes      []string // of bodies, the first that an operation has counts
	DeepObjects     openapi.DeepObjects

	// Secrets are the values of headers that variables are part of.
	Secrets []Secret
	bare    bool // the entry has the file alone
	// Lines are those of the fields, by what they are in openapi.Options.
	Lines map[string]int
}

// OptionFile is the document itself, for [Server.Problem]. openapi.Options has no such field.
const OptionFile = "File"

// documentField is a field of the object openapi, and what it is in openapi.Options.
type documentField struct {
	field
	option string
}

var documentFields = []documentField{
	{field{[]string{"file"}, (*reading).documentFile}, OptionFile},
	{field{[]string{"refs"}, func(r *reading, n *node) (err error) { r.api().References, err = n.asBool(); return err }}, "References"},
	{field{[]string{"files"}, func(r *reading, n *node) error { return r.path(n, &r.api().Files) }}, "Files"},
	{field{[]string{"origins"}, (*reading).origins}, "Origins"},
	{field{[]string{"variables"}, (*reading).serverVariables}, "ServerVariables"},
	{field{[]string{"fixed"}, (*reading).fixed}, "Fixed"},
	{field{[]string{"undeclared"}, (*reading).undeclared}, "Undeclared"},
	{field{[]string{"tagNamespaces"}, func(r *reading, n *node) (err error) { r.api().TagNamespaces, err = n.asBool(); return err }}, "TagNamespaces"},
	{field{[]string{"maxResponse"}, func(r *reading, n *node) error { return whole(n, &r.api().MaxResponse, 1, 1<<40) }}, "MaxResponse"},
	{field{[]string{"retry"}, func(r *reading, n *node) error { return whole(n, &r.api().Retry, 1, 10) }}, "Retry"},
	{field{[]string{"responseHeaders"}, func(r *reading, n *node) error { return r.texts(n, &r.api().ResponseHeaders) }}, "ResponseHeaders"},
	{field{[]string{"mediaType", "mediaTypes"}, (*reading).mediaTypes}, "MediaType"},
	{field{[]string{"deepObjects"}, (*reading).deepObjects}, "DeepObjects"},
}

// DocumentFields are what the fields of openapi.Options are called in an entry.
var DocumentFields = func() map[string]string {
	names := map[string]string{"BaseURL": "baseUrl", "DocumentURL": "documentUrl", "Headers": "headers", "Credentials": "credentials", "Timeout": "timeout", "Validation": "codemode.validate"}
	for _, f := range documentFields {
		if f.option != "" {
			names[f.option] = "openapi." + f.names[0]
		}
	}
	return names
}()

// Problem is what is wrong with a field of openapi.Options, where the entry says it.
func (s *Server) Problem(option, text string) Problem {
	line := s.OpenAPI.Lines[option]
	if line == 0 {
		line = s.Line
	}
	field, ok := DocumentFields[option]
	switch {
	case !ok:
		field = option
	case option == OptionFile && s.OpenAPI.bare:
		field = "openapi"
	}
	return Problem{Place: Place{s.File, line}, Server: s.Name, Field: field, Text: text}
}

// api is the document of the entry while it is read.
func (r *reading) api() *Document {
	if r.server.OpenAPI == nil {
		r.server.OpenAPI = &Document{Lines: map[string]int{}}
	}
	return r.server.OpenAPI
}

// openAPI reads the file, or an object with it and more.
func (r *reading) openAPI(n *node) error {
	if n.kind == text {
		r.api().bare, r.api().Lines[OptionFile] = true, n.line
		return r.documentFile(n)
	}
	if n.kind != object {
		return n.want("a file, or an object with file")
	}
	table := make([]field, len(documentFields))
	for i, f := range documentFields {
		table[i] = f.field
	}
	for _, m := range n.members {
		if i := slices.IndexFunc(table, func(f field) bool { return slices.Contains(f.names, m.key) }); i >= 0 {
			r.api().Lines[documentFields[i].option] = m.line
		}
		r.ours(table, "openapi.", m)
	}
	if r.document == "" && len(r.server.Problems) == 0 {
		return errors.New("has no file")
	}
	return nil
}

func (r *reading) documentFile(n *node) error {
	if strings.Contains(n.text, "://") {
		return errors.New("want a file; nothing is fetched")
	}
	return r.path(n, &r.document)
}

// expandedTexts reads texts in which variables are expanded, and which are no secrets.
func (r *reading) expandedTexts(n *node) (list []string, err error) {
	if n.kind != array {
		return nil, n.want("a list of texts")
	}
	for i, item := range n.items {
		word, err := r.expanded(item)
		if err != nil {
			return nil, &below{fmt.Sprintf("[%d]", i), item.line, err}
		}
		list = append(list, word)
	}
	return list, nil
}

func (r *reading) origins(n *node) (err error) {
	r.api().Origins, err = r.expandedTexts(n)
	return err
}

func (r *reading) serverVariables(n *node) error {
	if n.kind != object {
		return n.want("an object with texts")
	}
	values := map[string]string{}
	for _, m := range n.members {
		value, err := r.expanded(m.value)
		if err != nil {
			return &below{"." + m.key, m.line, err}
		}
		values[m.key] = value
	}
	r.api().ServerVariables = values
	return nil
}

// fixed reads values of parameters by place and name. A text with a variable is a secret.
func (r *reading) fixed(n *node) error {
	if n.kind != object {
		return n.want("an object with query, header, path and cookie")
	}
	for _, place := range n.members {
		if !slices.Contains([]string{"query", "header", "path", "cookie"}, place.key) {
			return &below{"." + place.key, place.line, errors.New("want query, header, path or cookie")}
		}
		if place.value.kind != object {
			return &below{"." + place.key, place.line, place.value.want("an object with values by the names of parameters")}
		}
		for _, m := range place.value.members {
			f := openapi.Fixed{In: place.key, Name: m.key}
			var err error
			if f.Value, f.Secret, err = r.fixedValue(m.value); err != nil {
				return &below{"." + place.key + "." + m.key, m.line, err}
			}
			r.api().Fixed = append(r.api().Fixed, f)
		}
	}
	return nil
}

func (r *reading) fixedValue(n *node) (v data.Value, secret bool, err error) {
	switch n.kind {
	case text:
		value, err := r.expander.expand(n.text)
		return data.String(value), r.fromOutside(value), err
	case number, boolean:
		if v, err = data.ParseString(n.text); err != nil {
			err = fmt.Errorf("got %s, want a number as JSON has it", clip(n.text, 40))
		}
		return v, false, err
	}
	return nil, false, n.want("a text, a number, true or false")
}

// fromOutside reports that a value of a variable is part of a text.
func (r *reading) fromOutside(value string) bool {
	return slices.ContainsFunc(r.outside, func(o string) bool { return o != "" && strings.Contains(value, o) })
}

// whole reads a whole number within bounds.
func whole[N int | int64](n *node, into *N, least, most float64) error {
	f, err := n.asNumber()
	if err == nil && (f < least || f > most || f != float64(int64(f))) {
		err = fmt.Errorf("got %s, want a whole number from %.0f to %.0f", clip(n.text, 40), least, most)
	}
	if err == nil {
		*into = N(f)
	}
	return err
}

func (r *reading) mediaTypes(n *node) error {
	if n.kind == text {
		r.api().MediaTypes = []string{n.text}
		return nil
	}
	return r.texts(n, &r.api().MediaTypes)
}

func (r *reading) deepObjects(n *node) error {
	ways := map[string]openapi.DeepObjects{"flat": openapi.FlatOnly, "indexed": openapi.Indexed, "bracketed": openapi.Bracketed}
	word, err := n.asText()
	if err != nil {
		return err
	}
	way, known := ways[word]
	if !known {
		return fmt.Errorf("got %q, want flat, indexed or bracketed", clip(word, 40))
	}
	r.api().DeepObjects = way
	return nil
}

func (r *reading) undeclared(n *node) error {
	if n.get("apiKey") != nil {
		return errors.New("want {bearer}, {user, password} or {header, value}: the document does not say where a key belongs")
	}
	c, err := r.credential(n)
	r.api().Undeclared = &c
	return err
}

// finishDocument makes an entry with an OpenAPI document.
func (r *reading) finishDocument() {
	s, api := &r.server, r.api()
	if len(s.Command) > 0 {
		r.fail("command", "an entry with openapi has no command")
	}
	base, name := r.urls["baseUrl"], "baseUrl"
	if base == "" {
		base, name = r.address()
	}
	api.File, api.BaseURL, api.DocumentURL = r.document, Hide(base), Hide(r.urls["documentUrl"])
	for _, name := range []string{"baseUrl", "documentUrl"} {
		if r.urls[name] != "" {
			r.checkURL(name, r.urls[name])
		}
	}
	for option, field := range map[string]string{"BaseURL": name, "DocumentURL": "documentUrl", "Headers": "headers", "Credentials": "credentials", "Timeout": "timeout"} {
		for _, m := range r.node.members {
			if f := fieldOf(fields, m.key); f != nil && f.names[0] == field {
				api.Lines[option] = m.line
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		if r.fromOutside(s.Headers[name].Reveal()) {
			api.Secrets = append(api.Secrets, s.Headers[name])
		}
	}
}

// credentials reads what an API is proved the right with, by security schemes.
func (r *reading) credentials(n *node) error {
	if n.kind != object {
		return n.want("an object by the names of security schemes")
	}
	all := map[string]openapi.Credential{}
	for _, m := range n.members {
		c, err := r.credential(m.value)
		if err != nil {
			return &below{"." + m.key, m.line, err}
		}
		all[m.key] = c
	}
	r.api().Credentials = all
	return nil
}

// credential is {bearer}, {apiKey}, {user, password} or {header, value}.
func (r *reading) credential(n *node) (c openapi.Credential, err error) {
	values, err := r.table(n)
	if err != nil {
		return c, err
	}
	is := func(keys ...string) bool {
		return len(values) == len(keys) && !slices.ContainsFunc(keys, func(k string) bool { _, has := values[k]; return !has })
	}
	switch {
	case is("bearer"):
		return openapi.Bearer(values["bearer"].Reveal()), nil
	case is("apiKey"):
		return openapi.APIKey(values["apiKey"].Reveal()), nil
	case is("user", "password"):
		return openapi.Basic(values["user"].Reveal(), values["password"].Reveal()), nil
	case is("header", "value"):
		return openapi.Header(values["header"].Reveal(), values["value"].Reveal()), nil
	}
	return c, errors.New("want {bearer}, {apiKey}, {user, password} or {header, value}")
}

package config

// This file defines what an entry says of a server that is reached over HTTP, and which transport follows from it.

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/codemode-go/codemode/mcp/client"
)

func (r *reading) url(name string, n *node) error {
	source, err := n.asText()
	if err == nil {
		r.urls[name], err = r.expander.expand(source)
	}
	return err
}

func (r *reading) headers(n *node) error {
	values, err := r.table(n)
	for _, m := range n.members {
		if value, has := values[m.key]; has && err == nil {
			err = checkHeader(m, value.Reveal())
		}
	}
	r.addHeaders(values)
	return err
}

// checkHeader checks a header as RFC 9110, 5.1 and 5.5, has them. The message does not show the value.
func checkHeader(m member, value string) error {
	wrong := func(text string) error { return &below{"." + clip(m.key, 60), m.line, errors.New(text)} }
	isToken := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", c)
	}
	switch {
	case m.key == "":
		return wrong("has no name")
	case strings.ContainsFunc(m.key, func(c rune) bool { return !isToken(c) }):
		return wrong("the name of a header has letters, digits and hyphens only")
	case strings.ContainsFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }):
		return wrong("the value of a header has no line ends and no other control characters; such may come from the end of a file")
	}
	return nil
}

func (r *reading) addHeaders(values map[string]Secret) {
	if r.server.Headers == nil {
		r.server.Headers = map[string]Secret{}
	}
	maps.Copy(r.server.Headers, values)
}

// headersOfVariables reads names of variables by headers.
func (r *reading) headersOfVariables(n *node) error {
	if n.kind != object {
		return n.want("an object with names of variables")
	}
	for _, m := range n.members {
		value, err := r.named(m.value)
		if err != nil {
			return &below{"." + m.key, m.line, err}
		}
		if err := checkHeader(m, value); err != nil {
			return err
		}
		r.addHeaders(map[string]Secret{m.key: Hide(value)})
	}
	return nil
}

func (r *reading) bearer(n *node) error {
	value, err := r.named(n)
	if err == nil && checkHeader(member{key: "Authorization"}, value) != nil {
		err = errors.New("the value of the variable has line ends or other control characters")
	}
	if err == nil {
		r.addHeaders(map[string]Secret{"Authorization": Hide("Bearer " + value)})
	}
	return err
}

// named is the value of the variable that a text names.
func (r *reading) named(n *node) (string, error) {
	name, err := n.asText()
	if err != nil {
		return "", err
	}
	value, set := r.expander.lookup(name)
	if !set {
		return "", fmt.Errorf("the variable %s is not set", name)
	}
	r.expander.outside(value)
	return value, nil
}

// way is how an entry is reached.
type way uint8

const (
	byCommand way = 1 << iota
	byURL
)

// types are the values of type.
var types = map[string]struct {
	way       way
	transport client.Transport
}{
	"":                {byCommand | byURL, client.Auto},
	"stdio":           {byCommand, client.Auto},
	"local":           {byCommand, client.Auto},
	"remote":          {byURL, client.Auto},
	"http":            {byURL, client.StreamableHTTP},
	"streamable-http": {byURL, client.StreamableHTTP},
	"streamable_http": {byURL, client.StreamableHTTP},
	"streamableHttp":  {byURL, client.StreamableHTTP},
	"streamablehttp":  {byURL, client.StreamableHTTP},
	"sse":             {byURL, client.SSE},
}

// finish decides what kind of server the fields make.
func (r *reading) finish() {
	s := &r.server
	if r.document != "" {
		r.finishDocument()
		return
	}
	if s.OpenAPI != nil { // credentials of something else
		s.OpenAPI, s.Unread = nil, append(s.Unread, "credentials")
	}
	if r.typ == "builtin" || r.typ == "platform" {
		s.Disabled, s.Why, s.Command = true, "it is a part of its client", nil
		return
	}
	t, known := types[r.typ]
	if !known {
		t, known = types[strings.ToLower(r.typ)]
	}
	address, name := r.address()
	switch {
	case !known:
		r.fail("type", fmt.Sprintf("got %q, want stdio, http, sse, local or remote", clip(r.typ, 40)))
	case len(r.program) == 0 && len(r.words) > 0:
		r.fail("args", "there is no command that they are for")
	case len(s.Command) == 0 && address == "":
		r.fail("", "has neither a command nor a url")
	case len(s.Command) > 0 && address != "" && r.typ == "":
		r.fail("", "has both a command and a url; say which by type")
	case t.way == byCommand && len(s.Command) == 0:
		r.fail("type", r.typ+" wants a command")
	case t.way == byURL && address == "":
		r.fail("type", r.typ+" wants a url")
	case t.way&byURL != 0 && address != "":
		s.Command, s.Transport = nil, t.transport
		r.chooseTransport(name)
		r.checkURL(name, address)
		s.URL = Hide(address)
	}
}

// address is the url that counts and the name of its field.
func (r *reading) address() (address, name string) {
	for _, name := range []string{"httpUrl", "url", "serverUrl"} {
		if r.urls[name] != "" {
			return r.urls[name], name
		}
	}
	return "", ""
}

// chooseTransport is what the field's name and the client say when type does not.
func (r *reading) chooseTransport(name string) {
	switch {
	case r.typ == "" && name == "httpUrl":
		r.server.Transport = client.StreamableHTTP
	case r.typ == "" && name == "url" && r.dialect.gemini:
		r.server.Transport = client.SSE
	case strings.EqualFold(r.typ, "http") && r.dialect.httpOrSSE:
		r.server.Transport = client.Auto
	}
}

func (r *reading) fail(name, message string) {
	line := r.server.Line
	for _, m := range r.node.members {
		if f := fieldOf(fields, m.key); name != "" && f != nil && f.names[0] == name {
			line = m.line
		}
	}
	r.server.problem(line, name, message)
}

// checkURL checks an address; the message does not show it.
func (r *reading) checkURL(name, address string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		r.fail(name, "want an absolute http or https address")
		return
	}
	secret := r.server.Redactor.addForms(name, address)
	if r.server.Redactor.addRandom(u.EscapedPath()) || secret { // whoever knows such an address may use the server
		r.server.Redactor.addAnswer(address)
	}
	if u.User != nil {
		r.server.Redactor.add(u.User.Username())
		password, _ := u.User.Password()
		r.server.Redactor.addNamed("password", password)
	}
	for _, values := range u.Query() {
		for _, v := range values {
			r.server.Redactor.add(v)
		}
	}
}

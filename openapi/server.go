package openapi

// This file defines where requests go.

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// server chooses the address that the operation's path is below.
func (b *builder) server() error {
	if b.settings.base != nil {
		b.plan.base = b.settings.base
		return nil
	}
	list, err := b.servers()
	if err != nil {
		return err
	}
	u, err := b.home()
	if list.v != nil {
		u, err = b.address(list)
	}
	if err != nil {
		return err
	}
	if err := b.trusted(u); err != nil {
		return err
	}
	b.plan.base = u
	return nil
}

// servers are those of the operation or its path, or nothing.
func (b *builder) servers() (node, error) {
	if b.swagger {
		if b.op.get("schemes").v != nil {
			return b.swaggerServers(b.op.node), nil
		}
		return node{}, nil
	}
	for _, n := range []node{b.op.node, b.op.item} {
		if list, err := listOfServers(n); list.v != nil || err != nil {
			return list, err
		}
	}
	return node{}, nil
}

// listOfServers are those of a level, or nothing for none.
func listOfServers(n node) (node, error) {
	list := n.get("servers")
	if a, ok := list.v.(data.Array); !ok && list.v != nil {
		return node{}, errors.New("the list of servers is no list")
	} else if a.Len() == 0 {
		return node{}, nil
	}
	return list, nil
}

// mainServers are those of the document; without any, what its own address is
// relative to.
func (l *loader) mainServers() (node, error) {
	if l.swagger {
		return l.swaggerServers(node{}), nil
	}
	list, err := listOfServers(node{l.document.main.root, l.document.main})
	if list.v == nil && err == nil {
		list = node{data.NewArray([]data.Value{object("url", data.String("/"))}), l.document.main}
	}
	return list, err
}

// address is the first of servers.
func (l *loader) address(list node) (*url.URL, error) {
	a, _ := list.v.(data.Array)
	if a.Len() == 0 {
		return nil, errors.New("the list of servers is empty")
	}
	first := node{a.At(0), list.in}
	if first.text("url") == "" {
		return nil, mendable{"the server has no URL", []string{"BaseURL"}}
	}
	text, err := l.expand(first)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the server %q is no URL", clip(text, 200))
	}
	if !u.IsAbs() {
		if l.settings.document == nil {
			return nil, mendable{fmt.Sprintf("the server %q is relative, and where the document came from is not known", clip(text, 200)), []string{"BaseURL", "DocumentURL"}}
		}
		u = l.settings.document.ResolveReference(u)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("the server %q is not http or https", clip(text, 200))
	case u.User != nil:
		return nil, errors.New("the server has user information in its URL")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("the server %q has a query or a fragment", clip(text, 200))
	case hasDots(u.Path):
		return nil, fmt.Errorf("the server %q has a segment . or .. in its path", clip(text, 200))
	}
	return u, nil
}

// expand puts values in the place of a server's variables.
func (l *loader) expand(server node) (string, error) {
	text := server.text("url")
	if err := l.spend(1 + len(text)/10); err != nil {
		return "", err
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("the server %q has an open brace", clip(server.text("url"), 200))
		}
		value, err := l.variable(server.get("variables").get(name), name)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		text = after
	}
}

func (l *loader) variable(v node, name string) (string, error) {
	value, given := l.settings.ServerVariables[name]
	if !given {
		value = spelled(v.get("default").v)
	}
	if value == "" && !given {
		return "", mendable{fmt.Sprintf("the variable %q of the server has no value", clip(name, 100)), []string{"ServerVariables", "BaseURL"}}
	}
	if !given {
		return value, nil
	}
	allowed := v.get("enum").items()
	if err := l.spend(len(allowed)); err != nil {
		return "", err
	}
	if len(allowed) > 0 && !slices.ContainsFunc(allowed, func(n node) bool { return spelled(n.v) == value }) {
		return "", fmt.Errorf("the variable %q of the server cannot have the value that the host sets", clip(name, 100))
	}
	return value, nil
}

// trusted reports whether credentials may go to an address: to the origin of the
// document's own server, and to those that the host lists. A document could
// otherwise send them anywhere with the server of one operation.
func (l *loader) trusted(u *url.URL) error {
	origin := originOf(u)
	if l.settings.origins[origin] {
		return nil
	}
	home, err := l.home()
	if err != nil {
		if l.settings.document == nil {
			return mendable{fmt.Sprintf("its server is at %s, and the document has no usable server of its own", shownOrigin(origin)), []string{"Origins"}}
		}
		home = l.settings.document
	}
	if originOf(home) != origin {
		return mendable{fmt.Sprintf("its server is at %s, another origin than the document's %s", shownOrigin(origin), shownOrigin(originOf(home))), []string{"Origins"}}
	}
	return nil
}

// shownOrigin is an origin without its usual port.
func shownOrigin(origin string) string {
	if strings.HasPrefix(origin, "https:") {
		return strings.TrimSuffix(origin, ":443")
	}
	return strings.TrimSuffix(origin, ":80")
}

// piece is a part of a path: text, or the name of a parameter.
type piece struct {
	text      string
	parameter bool
}

// template splits the path of an operation. A fragment tells operations apart and
// is not sent.
func template(path string) (list []piece, query string, err error) {
	path, _, _ = strings.Cut(path, "#")
	path, query, _ = strings.Cut(path, "?")
	if strings.ContainsAny(query, "{}") {
		return nil, "", errors.New("the path has a parameter in its query")
	}
	for text, in := range pieces(path) {
		list = append(list, piece{text, in})
	}
	if strings.Count(path, "{") != strings.Count(path, "}") {
		return nil, "", errors.New("the path has an open brace")
	}
	for i, p := range list {
		if !p.parameter {
			list[i].text = escapedPath(p.text)
		}
	}
	if hasDots(decodedPath(path)) {
		return nil, "", errors.New("the path has a segment that is only dots")
	}
	return list, escapedLiteral(query), nil
}

func hasDots(path string) bool {
	for segment := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		if segment, _, _ = strings.Cut(segment, ";"); segment == "." || segment == ".." { // ;v=1 is no part of it for some servers
			return true
		}
	}
	return false
}

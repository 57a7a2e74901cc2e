// Package openapi makes tools of an API's description: one for each operation of
// a document in OpenAPI 3.0, 3.1 or 3.2 or Swagger 2.0, in JSON or YAML.
//
// A tool sends exactly the request that the document describes: parameters in
// their styles, bodies in their media types, the credentials of one alternative
// of the security requirements. What the document leaves undefined is not
// guessed: the operation is skipped, or its optional parameter left out, with a
// reason a person understands. A mistake in one operation never costs another.
//
//	tree, skipped, err := openapi.Load(document, openapi.Options{
//		Credentials: openapi.Static(map[string]openapi.Credential{"bearerAuth": openapi.Bearer(token)}),
//	})
//
// Nothing is read or sent while a document is loaded, except files it refers to
// from a file system the host hands over. Programs see neither the addresses nor
// the credentials of the host.
package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// Operation is what callbacks of the host are told of an operation.
type Operation struct {
	Method string   // in capitals
	Path   string   // the template as in the document
	ID     string   // operationId, or ""
	Tags   []string // must not be changed
}

// String is the method and the path.
func (o Operation) String() string { return o.Method + " " + o.Path }

// Skipped says what of a document is no tool, or no part of one.
type Skipped struct {
	Method      string // in capitals; "" if all of a path is concerned
	Path        string
	OperationID string
	// Parameter is the optional parameter or field that was left out of a tool,
	// such as "query:filter" or "body:file"; "" if the whole operation is skipped.
	Parameter string
	Reason    string
	// Options are fields of [Options] of which one would mend it, such as "Origins".
	Options []string
}

// String is all of it on one line.
func (s Skipped) String() string {
	text := s.What() + ": " + s.Reason
	if mend := s.Mend(nil); mend != "" {
		text += "; set " + mend
	}
	return text
}

// Mend is what to set to mend it, in the names that a front has for fields of
// [Options]; one without a name there is left out. Nil names are the fields'. It
// is "" if nothing would.
func (s Skipped) Mend(names map[string]string) string {
	var list []string
	for _, field := range s.Options {
		name := names[field]
		if names == nil {
			name = "Options." + field
		}
		if name != "" {
			list = append(list, name)
		}
	}
	return strings.Join(list, " or ")
}

// What is the operation and the part of it, on one line.
func (s Skipped) What() string {
	text := s.Path
	if s.Method != "" {
		text = s.Method + " " + text
	}
	if s.Parameter != "" {
		text += " without " + s.Parameter
	}
	return text
}

// Load makes tools of the operations of a document. The tree has the tools by
// their names (see docs/openapi.md): operationId, where dots and slashes separate
// namespaces, or else method and path; a name that several operations claim goes
// to the first by path and method, the others are named by method and path. The
// order of the document changes no name.
//
// What is skipped is listed by path and method. The error is about a text that is
// no such document, one beyond the limits, or Options. Load does not keep document.
func Load(document []byte, o Options) (tool.Tree, []Skipped, error) {
	space, skipped, err := LoadNamespace(document, o)
	return space.Tools, skipped, err
}

// LoadNamespace is [Load] with the title and the description of the document as
// the description of a namespace.
func LoadNamespace(document []byte, o Options) (tool.Namespace, []Skipped, error) {
	settings, err := o.check()
	if err != nil {
		return tool.Namespace{}, nil, err
	}
	d, err := read(document, settings)
	if err != nil {
		return tool.Namespace{}, nil, err
	}
	l := newLoader(d, settings)
	if err := l.operations(); err != nil {
		return tool.Namespace{}, nil, err
	}
	tools := l.tree()
	slices.SortStableFunc(l.skipped, func(a, b Skipped) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(methodRank(a.Method), methodRank(b.Method)), cmp.Compare(a.Parameter, b.Parameter))
	})
	return tool.Namespace{Description: l.description(), Tools: tools}, l.skipped, nil
}

// maxInfo bounds the description of a document in bytes.
const maxInfo = 500

// description is the title and the first paragraph of what the document says of
// itself.
func (l *loader) description() string {
	info := l.main("info")
	title, about := info.text("title"), firstParagraph(info.text("description"))
	switch {
	case about == "" || about == title:
		return clip(title, maxInfo)
	case title == "":
		return clip(about, maxInfo)
	}
	return clip(title+": "+about, maxInfo)
}

// text is a value that is a string, or "".
func text(v data.Value) string {
	s, _ := v.(data.String)
	return string(s)
}

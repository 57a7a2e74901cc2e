// Package schema defines JSON Schema documents: reading them in key order,
// inferring them from Go types, and validating data with messages a model can
// act on.
package schema

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/codemode-go/codemode/data"
)

// Schema is one JSON Schema document. It is immutable and may be used from any
// goroutine. A nil *Schema accepts everything.
type Schema struct {
	document data.Value
	inferred bool // from a Go type: formats that the type cannot do without are enforced

	quickOnce sync.Once
	quickMade *quick

	once sync.Once
	full *validator
	err  error
}

// New makes a schema of a document, an object or a boolean. The document is not
// checked here; [Schema.Err] tells whether it can be enforced. Nil makes a nil
// schema.
func New(document data.Value) *Schema {
	if document == nil {
		return nil
	}
	return &Schema{document: document}
}

// inferredSchema makes a schema of the document for a Go type.
func inferredSchema(document data.Value) *Schema {
	return &Schema{document: document, inferred: true}
}

// quick is made when first needed: catalogs have many schemas that are never
// checked, some of them with hundreds of definitions.
func (s *Schema) quick() *quick {
	s.quickOnce.Do(func() { s.quickMade = newQuick(s.document, s.inferred) })
	return s.quickMade
}

// Parse makes a schema of JSON text.
func Parse(text []byte) (*Schema, error) {
	document, err := data.Parse(text)
	if err != nil {
		return nil, err
	}
	return New(document), nil
}

// Document is the document in its own key order, nil for a nil schema.
func (s *Schema) Document() data.Value {
	if s == nil {
		return nil
	}
	return s.document
}

// Object is the document if it is an object, otherwise an empty object.
func (s *Schema) Object() *data.Object {
	o, _ := s.Document().(*data.Object)
	return o
}

// Properties are the names of the root's properties in order.
func (s *Schema) Properties() []string {
	properties, _ := member(s.Object(), "properties").(*data.Object)
	names := make([]string, 0, properties.Len())
	for name := range properties.All() {
		names = append(names, name)
	}
	return names
}

// Err compiles the document and says why it cannot be enforced, or nil. A
// schema with an Err accepts everything.
func (s *Schema) Err() error {
	if s == nil {
		return nil
	}
	s.compile()
	return s.err
}

func (s *Schema) compile() {
	s.once.Do(func() { s.full, s.err = newValidator(s.document, s.inferred) })
}

// Validate checks v and returns nil or an [*Invalid] with paths below root, the
// name of what is checked, such as "input".
func (s *Schema) Validate(root string, v data.Value) error {
	if s == nil || s.quick().accepts(v) {
		return nil
	}
	s.compile()
	if s.err != nil {
		return nil
	}
	issues := s.full.issues(v)
	if len(issues) == 0 {
		return nil
	}
	invalid := &Invalid{Count: len(issues)}
	for _, issue := range issues[:min(len(issues), MaxIssues)] {
		issue.Path = root + issue.Path
		invalid.Issues = append(invalid.Issues, issue)
	}
	return invalid
}

// MaxIssues is how many issues one [Invalid] spells out.
const MaxIssues = 5

// Issue is one place where a value does not fit.
type Issue struct {
	Path    string // as an expression: input.items[3].name
	Message string // what was expected and got
	Hint    string // a next step, or ""
	// Got is a misspelt name or value and Known what it could have been, so that
	// whoever knows about spelling can suggest.
	Got   string
	Known []string

	keys []string // of the place
}

// String is the issue on one line.
func (i Issue) String() string {
	text := i.Path + ": " + i.Message
	if i.Hint != "" {
		text += " (" + i.Hint + ")"
	}
	return text
}

// Invalid is a value that does not fit its schema.
type Invalid struct {
	Issues []Issue // at most MaxIssues, in the order of the value
	Count  int     // of all issues
}

// Suggest makes hints of the names that nearest finds for misspelt ones.
func (e *Invalid) Suggest(nearest func(name string, candidates []string) (string, bool)) {
	for i := range e.Issues {
		issue := &e.Issues[i]
		if near, ok := nearest(issue.Got, issue.Known); ok {
			issue.Message += " (did you mean " + strconv.Quote(near) + "?)"
			issue.Hint = ""
		}
	}
}

// Error implements error: the issues on one line.
func (e *Invalid) Error() string {
	texts := make([]string, len(e.Issues))
	for i, issue := range e.Issues {
		texts[i] = issue.String()
	}
	text := strings.Join(texts, "; ")
	if more := e.Count - len(e.Issues); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

func member(o *data.Object, key string) data.Value {
	v, _ := o.Get(key)
	return v
}

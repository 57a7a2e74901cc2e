package openapi

// This file defines how operations are found and become tools.

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// maxOperations bounds the operations of a document.
const maxOperations = 100_000

// maxTags bounds the tags of an operation that the host is told of.
const maxTags = 100

// methods are those of a path item, in the order that names are given by.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

func methodRank(method string) int { return slices.Index(methods, strings.ToLower(method)) }

// operation is one of a document, on its way to a tool.
type operation struct {
	Operation
	node
	item node     // the path it is of
	name []string // the path of its tool
	tool *tool.Tool
}

// loader makes the tools of one document.
type loader struct {
	*document
	in, out *converter
	list    []*operation
	skipped []Skipped
	types   map[*data.Object][]string // that schemas name
	home    func() (*url.URL, error)  // the address of the document's own server
	spent   int                       // of maxParts
	told    int                       // of maxAllWords
	// translated are parameters of Swagger 2.0 as those of OpenAPI 3.0.
	translated map[*data.Object]node
}

// maxParts bounds parameters, form fields, media types and security requirements
// of all operations together: references let many have the same ones.
const maxParts = 1_000_000

// spend counts parts that are about to be looked at.
func (l *loader) spend(n int) error {
	if l.spent += n; l.spent > maxParts {
		return fmt.Errorf("the operations before it have more than %d parameters and other parts", maxParts)
	}
	return nil
}

func newLoader(d *document, s *settings) *loader {
	l := &loader{document: d, in: newConverter(d, "readOnly"), out: newConverter(d, "writeOnly"), types: map[*data.Object][]string{}, translated: map[*data.Object]node{}}
	l.home = sync.OnceValues(func() (*url.URL, error) {
		list, err := l.mainServers()
		if err != nil {
			return nil, err
		}
		return l.address(list)
	})
	return l
}

// main is a member of the document's top.
func (l *loader) main(key string) node { return node{l.document.main.root, l.document.main}.get(key) }

// operations finds all operations and makes tools of those it can.
func (l *loader) operations() error {
	for path, v := range l.main("paths").object().All() {
		if strings.HasPrefix(path, "x-") {
			continue
		}
		if err := l.path(path, node{v, l.document.main}); err != nil {
			return err
		}
	}
	if err := l.giveNames(); err != nil {
		return err
	}
	for _, op := range l.list {
		l.build(op)
	}
	return nil
}

func (l *loader) skip(op *operation, parameter string, why error) {
	s := Skipped{Method: op.Method, Path: op.Path, OperationID: op.ID, Parameter: parameter, Reason: why.Error()}
	if m, ok := errors.AsType[mendable](why); ok {
		s.Options = m.options
	}
	l.skipped = append(l.skipped, s)
}

// mendable is a reason that fields of Options can mend.
type mendable struct {
	text    string
	options []string
}

func (m mendable) Error() string { return m.text }

func (l *loader) path(path string, item node) error {
	resolved, err := l.resolve(item)
	if err == nil && resolved.object() == nil {
		err = errors.New("the path is no object")
	}
	if err == nil && !strings.HasPrefix(path, "/") {
		err = errors.New("the path does not begin with a slash")
	}
	if err != nil {
		l.skip(&operation{Operation: Operation{Path: path}}, "", err)
		return nil
	}
	for _, method := range methods {
		if n := resolved.get(method); n.v != nil && (method != "query" || l.minor >= 2) {
			if err := l.found(path, strings.ToUpper(method), resolved, n); err != nil {
				return err
			}
		}
	}
	if l.minor >= 2 {
		for method, v := range resolved.get("additionalOperations").object().All() {
			if err := l.found(path, method, resolved, node{v, resolved.in}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) found(path, method string, item, n node) error {
	op := &operation{Operation: Operation{Method: method, Path: path, ID: n.text("operationId")}, node: n, item: item}
	tags, _ := n.get("tags").v.(data.Array)
	for i := range min(tags.Len(), maxTags) {
		if name := text(tags.At(i)); name != "" {
			op.Tags = append(op.Tags, name)
		}
	}
	if n.object() == nil {
		l.skip(op, "", errors.New("the operation is no object"))
		return nil
	}
	if !isToken(method) {
		l.skip(op, "", errors.New("the method has characters that no method can have"))
		return nil
	}
	if len(l.list) >= maxOperations {
		return fmt.Errorf("openapi: the document has more than %d operations", maxOperations)
	}
	l.list = append(l.list, op)
	return nil
}

// build makes the tool of an operation, or skips it.
func (l *loader) build(op *operation) {
	if err := l.spend(0); err != nil {
		l.skip(op, "", err)
		return
	}
	b := builder{loader: l, op: op, plan: &plan{settings: l.settings, op: op.Operation}, secret: map[string]bool{}}
	if err := b.all(); err != nil {
		l.skip(op, "", err)
		return
	}
	for _, s := range b.left {
		l.skip(op, s.parameter, s.why)
	}
	p := b.plan
	options := []tool.Option{
		tool.OutputSchema(b.output()), tool.UncheckedOutput(), tool.Validate(l.settings.Validation),
		tool.Annotate(tool.Annotations{
			ReadOnly:    op.Method == "GET" || op.Method == "HEAD",
			Destructive: op.Method == "DELETE",
			Idempotent:  op.Method == "PUT" || op.Method == "DELETE",
		}),
	}
	if l.settings.Timeout > 0 {
		options = append(options, tool.Timeout(l.settings.Timeout))
	}
	op.tool = tool.Raw(b.description(), schema.New(b.input()), p.call, options...)
}

// leftOut is an optional parameter that the tool does not have.
type leftOut struct {
	parameter string
	why       error
}

// builder makes the plan of one operation.
type builder struct {
	*loader
	op   *operation
	plan *plan
	left []leftOut
	// schema is that of the input without definitions, and uses the definitions.
	schema  *data.Object
	uses    []*definition
	answers []answer
	secret  map[string]bool // places of API keys
	places  map[string]bool // parameters that the path has
	notes   []string        // what the description says beside the document
}

// all goes through the parts of an operation; the first that cannot be done is
// the reason to skip it.
func (b *builder) all() error {
	for _, part := range []func() error{b.responses, b.server, b.security, b.parameters, b.body, b.fields} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) leave(parameter, format string, args ...any) {
	b.left = append(b.left, leftOut{parameter, fmt.Errorf(format, args...)})
}

// maxWords bounds each text of a document that is put together with others, and
// maxAllWords all of those of operations, in bytes: many may share one text
// through a reference.
const (
	maxWords    = 32 << 10
	maxAllWords = 64 << 20
)

// words is a text of the operation.
func (b *builder) words(key string) string {
	limit := maxWords
	if b.told > maxAllWords {
		limit = maxInfo
	}
	text := strings.TrimSpace(clip(b.op.text(key), limit))
	b.told += len(text)
	return text
}

// description is what the document says of the operation, and what it does not.
func (b *builder) description() string {
	summary, about := b.words("summary"), b.words("description")
	if about == "" {
		about = summary
	} else if summary != "" && !strings.HasPrefix(about, strings.TrimSuffix(summary, ".")) {
		about = summary + "\n\n" + about
	}
	if about == "" {
		about = b.op.String()
	}
	if b.op.flag("deprecated") {
		b.notes = append([]string{"Deprecated."}, b.notes...)
	}
	if len(b.notes) > 0 {
		about += "\n\n" + strings.Join(b.notes, " ")
	}
	return about
}

// tree is the tools by their names.
func (l *loader) tree() tool.Tree {
	tree := tool.Tree{}
	for _, op := range l.list {
		if op.tool != nil {
			put(tree, op.name, op.tool)
		}
	}
	l.describeTags(tree)
	return tree
}

// put puts a tool at a path, which may be that of a namespace as well.
func put(tree tool.Tree, path []string, t *tool.Tool) {
	for _, name := range path[:len(path)-1] {
		space, _ := tree[name].(tool.Namespace)
		if space.Tools == nil {
			space.Tools = tool.Tree{}
			if leaf, ok := tree[name].(*tool.Tool); ok {
				space.Self = leaf
			}
			tree[name] = space
		}
		tree = space.Tools
	}
	last := path[len(path)-1]
	if space, ok := tree[last].(tool.Namespace); ok {
		space.Self = t
		tree[last] = space
		return
	}
	tree[last] = t
}

// describeTags gives namespaces the description of the tag with their name.
func (l *loader) describeTags(tree tool.Tree) {
	for _, tag := range l.main("tags").items() {
		name := identifier(tag.text("name"))
		if space, ok := tree[name].(tool.Namespace); ok && space.Description == "" {
			space.Description = clip(firstParagraph(tag.text("description")), maxInfo)
			tree[name] = space
		}
	}
}

// withDefinitions is a schema with the definitions it needs.
func withDefinitions(o *data.Object, defs *data.Object) *data.Object {
	if defs.Len() == 0 {
		return o
	}
	list := slices.Collect(members(o))
	return data.NewObject(append(list, data.Member{Key: "$defs", Value: defs}))
}

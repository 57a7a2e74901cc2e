package openapi

// This file defines how documents are read and how references in them are
// followed.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/yamltext"
)

const (
	maxDocument   = 64 << 20 // bytes of a document and, together, of the files it refers to
	maxFiles      = 500      // that a document refers to
	maxReferences = 50       // that lead from one to the next
	// maxValues bounds the values of a document and, together, of the files it refers
	// to. Real documents have one in 15 bytes and more, hostile ones one in three.
	maxValues = 4_000_000
)

// source is a document or a file it refers to.
type source struct {
	name string // in Options.References; "" for a document without a name
	root data.Value
}

// node is a value and the source that references in it start from. The zero node
// is nothing.
type node struct {
	v  data.Value
	in *source
}

func (n node) object() *data.Object {
	o, _ := n.v.(*data.Object)
	return o
}

// get is a member of an object, or nothing.
func (n node) get(key string) node {
	if v, ok := n.object().Get(key); ok {
		return node{v, n.in}
	}
	return node{}
}

func (n node) text(key string) string { return text(n.get(key).v) }

func (n node) flag(key string) bool {
	b, _ := n.get(key).v.(data.Bool)
	return bool(b)
}

// items are those of an array.
func (n node) items() []node {
	a, _ := n.v.(data.Array)
	list := make([]node, a.Len())
	for i, v := range a.All() {
		list[i] = node{v, n.in}
	}
	return list
}

// document is what a load works on.
type document struct {
	settings *settings
	main     *source
	text     []byte // of main, while it is loaded
	files    map[string]*source
	failed   map[string]error
	bytes    int // of the files
	values   int // of all
	// swagger is set for Swagger 2.0. Otherwise minor is the 1 of OpenAPI 3.1.
	swagger bool
	minor   int
}

// read parses a document and looks at its version.
func read(text []byte, s *settings) (*document, error) {
	v, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("openapi: the document: %w", err)
	}
	name := s.DocumentName
	if name == "" && s.References != nil {
		name = "."
	}
	d := &document{settings: s, main: &source{name, v}, text: text, files: map[string]*source{}, failed: map[string]error{}}
	if name != "" {
		d.files[path.Clean(name)] = d.main
	}
	if err := d.count(v); err != nil {
		return nil, fmt.Errorf("openapi: the document: %w", err)
	}
	return d, d.version()
}

func (d *document) version() error {
	top := node{d.main.root, d.main}
	if version := spelled(top.get("openapi").v); version != "" {
		rest, ok := strings.CutPrefix(version, "3.")
		minor, _, _ := strings.Cut(rest, ".")
		n, err := strconv.Atoi(minor)
		if !ok || err != nil || n > 2 {
			return fmt.Errorf("openapi: the document is in OpenAPI %s; 3.0, 3.1, 3.2 and Swagger 2.0 can be read", clip(version, 20))
		}
		d.minor = n
		return nil
	}
	switch version := spelled(top.get("swagger").v); version {
	case "2.0", "2":
		d.swagger = true
		return nil
	case "":
		return errors.New(`openapi: the document is no OpenAPI document: it has neither a member "openapi" nor "swagger"`)
	default:
		return fmt.Errorf("openapi: the document is in Swagger %s; 3.0, 3.1, 3.2 and Swagger 2.0 can be read", clip(version, 20))
	}
}

// spelled is a version, which YAML without quotes makes a number.
func spelled(v data.Value) string {
	if n, ok := v.(data.Number); ok {
		return n.Text()
	}
	return text(v)
}

// parse reads JSON or YAML.
func parse(text []byte) (data.Value, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case len(text) > maxDocument:
		return nil, fmt.Errorf("%d bytes; the limit is %d", len(text), maxDocument)
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}), bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		return nil, errors.New("it is in UTF-16; save it as UTF-8")
	}
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if len(trimmed) == 0 {
		return nil, errors.New("it is empty")
	}
	if trimmed[0] != '{' {
		return yamltext.Parse(text, nil)
	}
	if values(text) > maxValues {
		return nil, fmt.Errorf("it has more than %d values", maxValues)
	}
	v, err := data.Parse(text)
	if err != nil && len(text) < 1<<20 { // YAML has braces too
		if v, err := yamltext.Parse(text, nil); err == nil {
			return v, nil
		}
	}
	return v, err
}

// values counts those of a JSON text, without reading it.
func values(text []byte) int {
	n, inText := 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && (c == ',' || c == '[' || c == '{'):
			n++
		}
	}
	return n
}

// resolve follows the references of a node until there is something else.
func (d *document) resolve(n node) (node, error) {
	for range maxReferences {
		ref, ok := n.get("$ref").v.(data.String)
		if !ok {
			return n, nil
		}
		next, err := d.follow(n.in, string(ref))
		if err != nil {
			return node{}, err
		}
		n = next
	}
	return node{}, errors.New("its references lead from one to the next without end")
}

// follow is what a reference refers to.
func (d *document) follow(from *source, ref string) (node, error) {
	to, pointer, err := d.locate(from, ref)
	if err != nil {
		return node{}, err
	}
	v, ok := at(to.root, pointer)
	if !ok {
		return node{}, fmt.Errorf("the reference %q leads nowhere", clip(ref, 200))
	}
	return node{v, to}, nil
}

// locate splits a reference into its source and its JSON pointer.
func (d *document) locate(from *source, ref string) (to *source, pointer string, err error) {
	file, pointer, _ := strings.Cut(ref, "#")
	if decoded, err := url.PathUnescape(pointer); err == nil {
		pointer = decoded
	}
	if file == "" {
		return from, pointer, nil
	}
	to, err = d.file(from, file)
	if err != nil {
		return nil, "", fmt.Errorf("the reference %q: %w", clip(ref, 200), err)
	}
	return to, pointer, nil
}

// file is the source of another document.
func (d *document) file(from *source, ref string) (*source, error) {
	u, err := url.Parse(ref)
	switch {
	case err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || strings.Contains(ref, `\`):
		return nil, errors.New("documents elsewhere are not fetched")
	case d.settings.References == nil:
		return nil, mendable{"references to files are not allowed here", []string{"References"}}
	}
	name := path.Join(path.Dir(from.name), u.Path)
	if path.IsAbs(u.Path) || !fs.ValidPath(name) {
		return nil, errors.New("it leads out of the folder of the document")
	}
	if s := d.files[name]; s != nil {
		return s, nil
	}
	if err := d.failed[name]; err != nil {
		return nil, err
	}
	s, err := d.open(name)
	if err != nil {
		d.failed[name] = err
		return nil, err
	}
	d.files[name] = s
	return s, nil
}

func (d *document) open(name string) (*source, error) {
	if len(d.files)+len(d.failed) >= maxFiles {
		return nil, fmt.Errorf("the document refers to more than %d files", maxFiles)
	}
	f, err := d.settings.References.Open(name)
	if err != nil {
		return nil, errors.New("the file cannot be opened")
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	content, err := io.ReadAll(io.LimitReader(f, int64(maxDocument-d.bytes)+1))
	if err != nil {
		return nil, errors.New("the file cannot be read")
	}
	if d.bytes += len(content); d.bytes > maxDocument {
		return nil, fmt.Errorf("the files are larger than %d bytes together", maxDocument)
	}
	v, err := parse(content)
	if err == nil {
		err = d.count(v)
	}
	if err != nil {
		return nil, fmt.Errorf("the file: %w", err)
	}
	return &source{name, v}, nil
}

// count adds the values of a text to those before it. Its depth is bounded by
// what can be parsed.
func (d *document) count(v data.Value) error {
	if d.values++; d.values > maxValues {
		return fmt.Errorf("it has, with all before it, more than %d values", maxValues)
	}
	switch v := v.(type) {
	case data.Array:
		for _, item := range v.All() {
			if err := d.count(item); err != nil {
				return err
			}
		}
	case *data.Object:
		for _, member := range v.All() {
			if err := d.count(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// at follows a JSON pointer (RFC 6901).
func at(v data.Value, pointer string) (data.Value, bool) {
	if pointer == "" {
		return v, true
	}
	rest, ok := strings.CutPrefix(pointer, "/")
	if !ok || len(pointer) > 4096 {
		return nil, false
	}
	for step := range strings.SplitSeq(rest, "/") {
		step = unescapeStep(step)
		switch parent := v.(type) {
		case *data.Object:
			if v, ok = parent.Get(step); !ok {
				return nil, false
			}
		case data.Array:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= parent.Len() || strconv.Itoa(i) != step {
				return nil, false
			}
			v = parent.At(i)
		default:
			return nil, false
		}
	}
	return v, true
}

func unescapeStep(step string) string {
	if !strings.Contains(step, "~") {
		return step
	}
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}

// clip cuts a text to n bytes at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// firstParagraph is a text up to the first empty line, on one line.
func firstParagraph(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "\r\n", "\n")
	first, _, _ := strings.Cut(s, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

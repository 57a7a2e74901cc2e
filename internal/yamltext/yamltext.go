// Package yamltext reads YAML as data: what JSON would make of the same values, with bounds on foreign text.
package yamltext

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/scope"
)

// The bounds of one text.
const (
	MaxBytes  = 24 << 20
	maxParts  = 2_000_000 // lines, commas, brackets and dashes, which bound the nodes of the parser
	maxValues = 2_000_000 // when every alias is replaced by what it stands for
)

// Error is what is wrong with a text, and where.
type Error struct {
	Line int // from 1; 0 if that is not known
	Err  error
}

// Error is the text with the line before it.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("line %d: %v", e.Line, e.Err)
}

// Unwrap is what is wrong, without the line.
func (e *Error) Unwrap() error { return e.Err }

// Parse reads the first document of a text; an empty one is [data.Null]. Scalars are what JSON would make of them: a
// timestamp or 012 is text, integers are exact, keys are text. An alias shares the value it stands for, but counts as a copy
// of it. at, if it is not nil, is told the line of each key of a mapping by its path, which is only valid during the call;
// items of lists add nothing to a path, and what an alias stands for is told where it is written. Errors are an [Error] or
// say that the text is too large.
func Parse(text []byte, at func(path []string, line int)) (data.Value, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("%d bytes of YAML; the limit is %d", len(text), MaxBytes)
	}
	if parts(text) > maxParts {
		return nil, fmt.Errorf("more than %d lines, commas, brackets and dashes in YAML", maxParts)
	}
	var root yaml.Node
	// The parser is foreign code over foreign data: a panic of it is an error here.
	if err := scope.Protect(func() error { return yaml.Unmarshal(text, &root) }); err != nil {
		return nil, located(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) == 0 {
		return data.Null{}, nil
	}
	r := reader{at: at, left: maxValues, anchored: map[*yaml.Node]sized{}, open: map[*yaml.Node]bool{}}
	v, err := r.value(root.Content[0], 0)
	return v.value, err
}

// parts counts what nodes can begin after. Each is one byte, and - and ? are only
// before a space.
func parts(text []byte) int {
	n := 0
	for i, c := range text {
		switch c {
		case '\n', ',', '[', '{':
			n++
		case '-', '?':
			if i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') {
				n++
			}
		}
	}
	return n
}

var lineBefore = regexp.MustCompile(`^line (\d+): `)

// located takes the line out of a message of the parser.
func located(message string) error {
	e := &Error{Err: errors.New(message)}
	if m := lineBefore.FindStringSubmatch(message); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Err = errors.New(message[len(m[0]):])
	}
	return e
}

// sized is a value with its size, copies for aliases included.
type sized struct {
	value         data.Value
	values, depth int
}

type reader struct {
	at       func(path []string, line int)
	path     []string
	left     int
	aliased  bool
	anchored map[*yaml.Node]sized
	open     map[*yaml.Node]bool // anchored nodes being read
}

func wrongAt(n *yaml.Node, format string, args ...any) error {
	return &Error{n.Line, fmt.Errorf(format, args...)}
}

func (r *reader) tooMany(n *yaml.Node) error {
	if r.aliased {
		return wrongAt(n, "aliases expand to more than %d values", maxValues)
	}
	return wrongAt(n, "more than %d values", maxValues)
}

func (r *reader) value(n *yaml.Node, depth int) (sized, error) {
	if depth > data.MaxDepth {
		return sized{}, wrongAt(n, "nested deeper than %d", data.MaxDepth)
	}
	if n.Kind == yaml.AliasNode {
		return r.alias(n, depth)
	}
	if n.Anchor != "" {
		r.open[n] = true
		defer delete(r.open, n)
	}
	if r.left--; r.left < 0 {
		return sized{}, r.tooMany(n)
	}
	var v sized
	var err error
	switch n.Kind {
	case yaml.ScalarNode:
		v = sized{scalar(n), 1, 1}
	case yaml.SequenceNode:
		v, err = r.sequence(n, depth)
	case yaml.MappingNode:
		v, err = r.mapping(n, depth)
	default:
		err = wrongAt(n, "not a value")
	}
	if n.Anchor != "" && err == nil {
		r.anchored[n] = v
	}
	return v, err
}

func (r *reader) alias(n *yaml.Node, depth int) (sized, error) {
	if r.open[n.Alias] {
		return sized{}, wrongAt(n, "the alias *%s stands for what it is part of", n.Value)
	}
	v, ok := r.anchored[n.Alias]
	if !ok {
		return r.value(n.Alias, depth+1)
	}
	r.left -= v.values
	r.aliased = true
	switch {
	case r.left < 0:
		return v, r.tooMany(n)
	case depth+v.depth > data.MaxDepth:
		return v, wrongAt(n, "nested deeper than %d", data.MaxDepth)
	}
	return v, nil
}

func (v *sized) add(part sized) {
	v.values += part.values
	v.depth = max(v.depth, part.depth+1)
}

func (r *reader) sequence(n *yaml.Node, depth int) (sized, error) {
	v := sized{nil, 1, 1}
	items := make([]data.Value, len(n.Content))
	for i, c := range n.Content {
		item, err := r.value(c, depth+1)
		if err != nil {
			return v, err
		}
		items[i] = item.value
		v.add(item)
	}
	v.value = data.NewArray(items)
	return v, nil
}

func (r *reader) mapping(n *yaml.Node, depth int) (sized, error) {
	v := sized{nil, 1, 1}
	var merged []data.Member
	members := make([]data.Member, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		member, err := r.member(key, n.Content[i+1], depth+1)
		if err != nil {
			return v, err
		}
		v.add(member)
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			return v, wrongAt(key, "a key that is no text")
		case key.Value == "<<" && key.Style == 0:
			parts, err := merge(key, member.value)
			if err != nil {
				return v, err
			}
			merged = append(merged, parts...)
		default:
			members = append(members, data.Member{Key: key.Value, Value: member.value})
		}
	}
	v.value = data.NewObject(withMerged(members, merged))
	return v, nil
}

// member reads the value of a key.
func (r *reader) member(key, value *yaml.Node, depth int) (sized, error) {
	if r.at == nil {
		return r.value(value, depth)
	}
	r.path = append(r.path, key.Value)
	r.at(r.path, key.Line)
	v, err := r.value(value, depth)
	r.path = r.path[:len(r.path)-1]
	return v, err
}

// merge lists what a merge key brings, what counts more behind what counts less.
func merge(key *yaml.Node, v data.Value) (members []data.Member, err error) {
	list := []data.Value{v}
	if a, ok := v.(data.Array); ok {
		list = list[:0]
		for i := a.Len() - 1; i >= 0; i-- {
			list = append(list, a.At(i))
		}
	}
	for _, v := range list {
		o, ok := v.(*data.Object)
		if !ok {
			return nil, wrongAt(key, "the key << merges mappings only")
		}
		for i := range o.Len() {
			members = append(members, o.At(i))
		}
	}
	return members, nil
}

// withMerged adds what a mapping does not have itself.
func withMerged(members, merged []data.Member) []data.Member {
	if len(merged) == 0 {
		return members
	}
	own := make(map[string]bool, len(members))
	for _, m := range members {
		own[m.Key] = true
	}
	for _, m := range merged {
		if !own[m.Key] {
			members = append(members, m)
		}
	}
	return members
}

var (
	jsonNumber  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
	jsonInteger = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
)

// scalar reads a plain scalar as JSON would, and everything else as text.
func scalar(n *yaml.Node) data.Value {
	plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if n.Style&yaml.TaggedStyle != 0 {
		switch n.Tag {
		case "!!int", "!!float", "!!bool", "!!null":
			plain = true
		default:
			plain = false
		}
	}
	if !plain {
		return data.String(n.Value)
	}
	switch n.Value {
	case "", "~", "null", "Null", "NULL":
		return data.Null{}
	case "true", "True", "TRUE":
		return data.Bool(true)
	case "false", "False", "FALSE":
		return data.Bool(false)
	}
	if v, ok := number(n.Value); ok {
		return v
	}
	return data.String(n.Value)
}

func number(text string) (data.Value, bool) {
	if jsonInteger.MatchString(text) {
		if v, err := data.Integer(text); err == nil && text != "-0" {
			return v, true
		}
	}
	if rest, hex := strings.CutPrefix(text, "0x"); hex {
		v, err := strconv.ParseInt(rest, 16, 64)
		return data.IntOf(v), err == nil && v >= 0
	}
	plain := strings.TrimPrefix(text, "+")
	if strings.HasPrefix(plain, ".") {
		plain = "0" + plain
	}
	if !jsonNumber.MatchString(plain) {
		return nil, false
	}
	f, err := strconv.ParseFloat(plain, 64)
	return data.NumberOf(f), err == nil
}

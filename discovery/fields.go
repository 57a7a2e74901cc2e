package discovery

// This file defines what of a tool is searched: its fields, how much each counts, and the texts of one tool.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// field is a part of a tool's description that counts alike.
type field uint8

// The fields.
const (
	fieldName         field = iota // words of the last segment of the path
	fieldWhole                     // whole identifiers: the last segment and pairs of its words written as one
	fieldParameter                 // whole names of parameters, marked as such
	fieldPath                      // words of the segments before
	fieldSummary                   // the first sentence of the description
	fieldDescription               // the rest of it
	fieldParameters                // names of parameters, at any depth
	fieldParameterDoc              // descriptions of parameters
	fieldValues                    // enum values
	fieldNamespace                 // descriptions of the namespaces around
	fields
)

// weights say how much one occurrence counts in a field, and how much a field that is longer than on average is held
// against its words (0 not at all, 1 in proportion). They follow from what the fields are and were adjusted coarsely,
// on half of a query set; finer steps fit the catalog rather than the language.
var weights = [fields]struct {
	name   string
	weight float32
	length float32
}{
	fieldName:         {"name", 6, 0.6},
	fieldWhole:        {"whole name", 6, 0},
	fieldParameter:    {"whole parameter", 6, 0},
	fieldPath:         {"path", 2, 0.3},
	fieldSummary:      {"first sentence", 3, 0.5},
	fieldDescription:  {"description", 1, 0.7},
	fieldParameters:   {"parameter", 1.5, 0.6},
	fieldParameterDoc: {"parameter description", 0.6, 0.7},
	fieldValues:       {"value", 0.8, 0.7},
	fieldNamespace:    {"namespace description", 0.4, 0.7},
}

// Bounds in words of what is read of one tool; beyond them a text says nothing new.
const (
	maxNameWords        = 32
	maxSummaryWords     = 160
	maxDescriptionWords = 1500
	maxParameterWords   = 2000
	maxNamespaceWords   = 80
	maxSchemaDepth      = 32
)

// firstSentence cuts a description after its first sentence or line.
func firstSentence(description string) (first, rest string) {
	text := strings.TrimLeftFunc(description, func(r rune) bool { return unicode.IsSpace(r) || r == '#' || r == '*' })
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch r {
		case '\n':
			return strings.TrimSpace(text[:i]), text[end:]
		case '。', '！', '？':
			return text[:end], text[end:]
		case '.', '!', '?':
			if next, _ := utf8.DecodeRuneInString(text[end:]); (end == len(text) || unicode.IsSpace(next)) && !abbreviation(text[:i]) {
				return text[:end], text[end:]
			}
		}
	}
	return strings.TrimSpace(text), ""
}

// abbreviation tells whether the dot after a text does not end a sentence.
func abbreviation(text string) bool {
	word := strings.ToLower(text[strings.LastIndexAny(text, " (\t")+1:])
	switch word {
	case "e.g", "i.e", "etc", "vs", "eg", "ie", "incl", "approx", "no":
		return true
	}
	return false
}

// reader collects the words of one tool.
type reader struct {
	// add is given each word of a field, occur what counts besides without making the field longer. The bytes are the
	// caller's only until they return.
	add, occur func(f field, word []byte)
	budget     int // of words of parameters
	split      splitter
	at         field
	parts      []string // of the name being read
	run        []byte   // the words that are glued together so far
	runs       int      // how many
}

func newReader(add, occur func(f field, word []byte)) *reader {
	rd := &reader{add: add, occur: occur}
	rd.split.emit = func(w []byte, glued bool) {
		if !glued {
			rd.compound()
		}
		rd.run = append(rd.run, w...)
		rd.runs++
		rd.add(rd.at, w)
	}
	return rd
}

// entry reads all fields of a tool but those of its namespaces.
func (rd *reader) entry(e tool.Entry) {
	last := len(e.Path) - 1
	for _, segment := range e.Path[:last] {
		rd.name(fieldPath, fieldPath, segment)
	}
	rd.name(fieldName, fieldWhole, e.Path[last])
	first, rest := firstSentence(e.Tool.Description())
	rd.text(fieldSummary, first, maxSummaryWords)
	rd.text(fieldDescription, rest, maxDescriptionWords)
	rd.budget = maxParameterWords
	if input := e.Tool.Input(); input != nil {
		rd.schema(input.Object(), 0)
	}
}

func (rd *reader) text(f field, text string, limit int) int {
	if text == "" || limit <= 0 {
		return 0
	}
	rd.at = f
	rd.split.split(text, limit)
	rd.compound()
	return rd.split.count
}

// compound ends an identifier in a text; its words also count as one.
func (rd *reader) compound() {
	if rd.runs > 1 && len(rd.run) <= maxWord {
		rd.occur(rd.at, rd.run)
	}
	rd.run, rd.runs = rd.run[:0], 0
}

// name reads an identifier: its words in one field, and in the other the whole and each two neighbours as one word.
func (rd *reader) name(f, whole field, text string) {
	rd.parts = rd.parts[:0]
	s := splitter{emit: func(w []byte, _ bool) {
		rd.add(f, w)
		rd.parts = append(rd.parts, string(w))
	}}
	s.split(text, maxNameWords)
	n := len(rd.parts)
	if n == 0 || n == 1 && whole == f {
		return
	}
	rd.occur(whole, []byte(strings.Join(rd.parts, "")))
	for i := 1; i < n && n > 2; i++ {
		rd.occur(whole, []byte(rd.parts[i-1]+rd.parts[i]))
	}
}

// marked is the term for a parameter's whole name, which is none of the words of texts.
func marked(name string) string { return "=" + key(name) }

// schema reads names, descriptions and values at all depths, in the order of the document.
func (rd *reader) schema(v data.Value, depth int) {
	if depth > maxSchemaDepth || rd.budget <= 0 {
		return
	}
	switch v := v.(type) {
	case data.Array:
		for _, item := range v.All() {
			rd.schema(item, depth+1)
		}
	case *data.Object:
		for keyword, member := range v.All() {
			rd.keyword(keyword, member, depth)
		}
	}
}

func (rd *reader) keyword(keyword string, v data.Value, depth int) {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		members, _ := v.(*data.Object)
		for name, member := range members.All() {
			if keyword == "properties" {
				rd.name(fieldParameters, fieldParameters, name)
				rd.occur(fieldParameter, []byte(marked(name)))
				rd.budget--
			}
			rd.schema(member, depth+1)
		}
	case "description":
		if text, ok := v.(data.String); ok && depth > 0 {
			rd.budget -= rd.text(fieldParameterDoc, string(text), rd.budget)
		}
	case "enum":
		values, _ := v.(data.Array)
		for _, value := range values.All() {
			rd.value(value)
		}
	case "const":
		rd.value(v)
	case "items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf", "if", "then", "else", "contains":
		rd.schema(v, depth+1)
	}
}

func (rd *reader) value(v data.Value) {
	if text, ok := v.(data.String); ok {
		rd.budget -= rd.text(fieldValues, string(text), rd.budget)
	}
}

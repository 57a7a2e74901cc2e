// This file defines the comments of pretty TypeScript.

package schema

import (
	"strings"
	"unicode"

	"github.com/codemode-go/codemode/data"
)

const (
	maxDescription = 4000 // bytes
	maxTag         = 200
	maxLine        = 120
)

// doc is what a comment says.
type doc struct {
	lines []string
	tags  []string
}

// tagKeys are the keywords that become tags, in their order.
var tagKeys = [...]string{"deprecated", "default", "format", "integer", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems"}

// documentation is what a schema says about itself.
func documentation(o *data.Object) doc {
	d := doc{lines: proseLines(text(o, "description"))}
	for _, key := range tagKeys {
		if key == "integer" && text(o, "type") == key {
			d.tags = append(d.tags, "@integer")
		}
		if v, ok := o.Get(key); ok {
			if tag := tagOf(key, v); tag != "" {
				d.tags = append(d.tags, tag)
			}
		}
	}
	return d
}

// leftovers are bounds that schema libraries write for every number of a type.
var leftovers = map[string]bool{"minimum -9223372036854775808": true, "maximum 9223372036854775807": true, "maximum 18446744073709551615": true,
	"minimum -3.4028235e+38": true, "maximum 3.4028235e+38": true,
	"minimum -9007199254740991": true, "maximum 9007199254740991": true,
	"exclusiveMinimum -9007199254740991": true, "exclusiveMaximum 9007199254740991": true, "exclusiveMinimum 0": true}

func tagOf(key string, v data.Value) string {
	if key == "integer" { // no keyword
		return ""
	}
	switch v := v.(type) {
	case data.Bool:
		if key == "default" {
			break
		}
		if v && (key == "deprecated" || key == "uniqueItems") {
			return "@" + key
		}
		return ""
	case data.String:
		if key != "default" {
			if key != "format" && key != "pattern" {
				return ""
			}
			return clipped("@"+key+" "+string(v), maxTag)
		}
	case data.Number:
		if key == "format" || key == "pattern" {
			return ""
		}
	default:
		if key != "default" {
			return ""
		}
	}
	value := data.JSON(v)
	if leftovers[key+" "+value] {
		return ""
	}
	return clipped("@"+key+" "+value, maxTag)
}

// propertyDocumentation is that of a property: what its schema says, else what
// the schema says that it refers to, and what it says of the items.
func propertyDocumentation(p property) doc {
	d := documentation(p.about)
	if len(d.lines) == 0 && p.of != nil && !p.of.named {
		if of, ok := p.of.schema.(*data.Object); ok {
			d.lines = documentation(of).lines
		}
	}
	if items, ok := member(p.about, "items").(*data.Object); ok {
		of := documentation(items)
		if len(of.lines) > 0 && len(of.lines) <= 3 {
			d.lines = append(d.lines, "Each item: "+strings.Join(of.lines, " "))
		}
	}
	return d
}

// proseLines are the lines of a text without blank ones around and trailing
// space.
func proseLines(s string) []string {
	s = clipped(s, maxDescription)
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' })
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.TrimRightFunc(line, unicode.IsSpace); line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}

// clipped cuts a text to a number of bytes, at a character.
func clipped(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// harmless makes text that cannot end a comment.
func harmless(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	return strings.ReplaceAll(s, "*/", "* /")
}

// Comment writes lines as a JSDoc comment with its line end, or nothing if there
// are none. No line can end the comment.
func Comment(lines ...string) string {
	var all []string
	for _, line := range lines {
		all = append(all, proseLines(line)...)
	}
	return comment(doc{lines: all}, "")
}

// comment writes a JSDoc comment with its line end, or nothing. The first line
// is not indented.
func comment(d doc, indent string) string {
	if len(d.lines)+len(d.tags) == 0 {
		return ""
	}
	tags := strings.Join(d.tags, " ")
	if len(d.lines) <= 1 {
		line := strings.Join(d.lines, "")
		if line != "" && tags != "" && !strings.HasSuffix(line, ".") {
			line += "."
		}
		line = harmless(strings.TrimSpace(line + " " + tags))
		if len(indent)+len(line)+7 <= maxLine {
			return "/** " + line + " */\n"
		}
	}
	var b strings.Builder
	b.WriteString("/**\n")
	lines := d.lines
	if tags != "" {
		lines = append(append([]string(nil), lines...), tags)
	}
	for _, line := range lines {
		b.WriteString(indent + " * " + harmless(line) + "\n")
	}
	b.WriteString(indent + " */\n")
	return b.String()
}

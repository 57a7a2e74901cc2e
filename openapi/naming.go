package openapi

// This file defines the names of tools.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSegments bounds the namespaces of a name.
const maxSegments = 20

// reservedName is the namespace of the runtime's own tools, which a tree cannot
// have at its top.
const reservedName = "$codemode"

// identifier makes one segment of a name: what is no letter, digit, _ or $ of
// ASCII becomes _.
func identifier(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		if r < utf8.RuneSelf && (r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			if gap {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	name := strings.Trim(b.String(), "_")
	switch {
	case name == "":
		return "operation"
	case name[0] >= '0' && name[0] <= '9':
		return "_" + name
	case name == reservedName:
		return "_" + strings.TrimPrefix(name, "$")
	}
	return name
}

// byID is the name that an operationId gives: its dots and slashes separate.
func byID(id string) []string {
	parts := strings.FieldsFunc(id, func(r rune) bool { return r == '.' || r == '/' })
	if len(parts) > maxSegments {
		parts = []string{strings.Join(parts, "_")}
	}
	for i, part := range parts {
		parts[i] = identifier(part)
	}
	return parts
}

// byPath is the name that method and path give: GET /users/{id} is getUsersById.
func byPath(method, path string) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(method))
	path, _, _ = strings.Cut(path, "?")
	for word := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '#' }) {
		for piece, in := range pieces(word) {
			if in {
				b.WriteString("By")
			}
			for part := range strings.FieldsFuncSeq(piece, func(r rune) bool {
				return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r)
			}) {
				b.WriteString(strings.ToUpper(part[:1]) + part[1:])
			}
		}
	}
	return identifier(b.String())
}

// pieces are the parts of a path's segment, and whether each stands in braces.
func pieces(segment string) func(func(string, bool) bool) {
	return func(yield func(string, bool) bool) {
		for segment != "" {
			text, rest, opened := strings.Cut(segment, "{")
			if text != "" && !yield(text, false) {
				return
			}
			inside, after, closed := strings.Cut(rest, "}")
			if !opened || !closed {
				return
			}
			if !yield(inside, true) {
				return
			}
			segment = after
		}
	}
}

// byDocument puts operations in an order that does not depend on the document's.
func byDocument(a, b *operation) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(methodRank(a.Method), methodRank(b.Method)), cmp.Compare(a.Method, b.Method))
}

// giveNames names all operations, those that become no tools included, so that
// no name depends on what the host allows. Names are first given to operations
// that have an id, those first whose id is the very name; what is left over is
// named by method and path, and numbered where that is taken too.
func (l *loader) giveNames() error {
	order := slices.Clone(l.list)
	slices.SortStableFunc(order, byDocument)
	taken := map[string]*operation{}
	claim := func(op *operation, name []string) bool {
		key := strings.Join(name, ".")
		if taken[key] != nil {
			return false
		}
		taken[key], op.name = op, name
		return true
	}
	if err := l.chosenNames(order, claim); err != nil {
		return err
	}
	for _, verbatim := range []bool{true, false} {
		for _, op := range order {
			name := byID(op.ID)
			if op.name != nil || len(name) == 0 || verbatim && strings.Join(name, ".") != op.ID {
				continue
			}
			claim(op, l.grouped(op, name))
		}
	}
	next := map[string]int{} // the number that a name like it tries first
	for _, op := range order {
		base := byPath(op.Method, op.Path)
		for op.name == nil {
			name := base
			if next[base]++; next[base] > 1 {
				name = fmt.Sprintf("%s_%d", base, next[base])
			}
			claim(op, l.grouped(op, []string{name}))
		}
	}
	return nil
}

// chosenNames gives the names that the host chooses.
func (l *loader) chosenNames(order []*operation, claim func(*operation, []string) bool) error {
	if l.settings.Name == nil {
		return nil
	}
	for _, op := range order {
		name := l.settings.Name(op.Operation)
		switch {
		case len(name) == 0:
		case slices.Contains(name, "") || len(name) > maxSegments:
			return fmt.Errorf("openapi: Options.Name: for %s got %q, want up to %d names that are not empty", op, name, maxSegments)
		case !claim(op, slices.Clone(name)):
			return fmt.Errorf("openapi: Options.Name: got %q for two operations, one of them %s", name, op)
		}
	}
	return nil
}

// grouped puts a name without a namespace into that of the first tag, if the host
// wants it.
func (l *loader) grouped(op *operation, name []string) []string {
	if l.settings.TagNamespaces && len(name) == 1 && len(op.Tags) > 0 {
		return []string{identifier(op.Tags[0]), name[0]}
	}
	return name
}

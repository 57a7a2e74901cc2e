package discovery

// This file defines how the path of a tool is read that a model or a person wrote.

import (
	"strings"

	"github.com/codemode-go/codemode/data"
)

// parsePath reads tools.a["b c"].d, also without tools, with other quotes or with a call behind.
func parsePath(text string) ([]string, bool) {
	text = strings.TrimSpace(text)
	if i := strings.IndexByte(text, '('); i > 0 && strings.HasSuffix(strings.TrimRight(text, "; "), ")") {
		text = text[:i]
	}
	text = strings.TrimPrefix(text, "await ")
	var path []string
	for text != "" {
		segment, rest, ok := cutSegment(text)
		if !ok {
			return nil, false
		}
		path, text = append(path, segment), rest
	}
	if len(path) > 1 && path[0] == "tools" {
		path = path[1:]
	}
	return path, len(path) > 0
}

// cutSegment reads one step: a name, .name or ["name"].
func cutSegment(text string) (segment, rest string, ok bool) {
	if strings.HasPrefix(text, "[") {
		return cutQuoted(strings.TrimLeft(text[1:], " "))
	}
	text = strings.TrimPrefix(text, ".")
	end := strings.IndexAny(text, ".[")
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:], end > 0
}

func cutQuoted(text string) (segment, rest string, ok bool) {
	if text == "" || !strings.ContainsRune("\"'`", rune(text[0])) {
		return "", "", false
	}
	end := 1
	for end < len(text) && text[end] != text[0] {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(text) {
		return "", "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(text[end+1:], " "), "]")
	if !ok {
		return "", "", false
	}
	body := text[1:end]
	if strings.Contains(body, `\`) {
		v, err := data.ParseString(`"` + body + `"`)
		if err != nil {
			return "", "", false
		}
		s, _ := v.(data.String)
		body = string(s)
	}
	return body, rest, true
}

// Namespace is the path of the namespace that a text names: exactly, as an expression, or but for case and separators
// if that leaves one. The empty text and "tools" are the root. False means that there is none.
func (x *Index) Namespace(text string) ([]string, bool) {
	text = strings.TrimSpace(text)
	if text == "" || text == "tools" {
		return nil, true
	}
	if path := strings.Split(text, "."); x.any(path) {
		return path, true
	}
	path, ok := parsePath(text)
	if !ok {
		return nil, false
	}
	path = strings.Split(strings.Join(path, "."), ".")
	if x.any(path) {
		return path, true
	}
	return x.respelled(path)
}

// any reports whether a visible tool is at or below a path.
func (x *Index) any(path []string) bool {
	for d := range x.docs {
		if at := x.docs[d].entry.Path; len(at) >= len(path) && x.sees(int32(d)) && equal(at[:len(path)], path) {
			return true
		}
	}
	return false
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// respelled is the one namespace whose spelling differs in case and separators only.
func (x *Index) respelled(path []string) ([]string, bool) {
	var found []string
	keys := make([]string, len(path))
	for i, segment := range path {
		keys[i] = key(segment)
	}
	for d := range x.docs {
		at := x.docs[d].entry.Path
		if len(at) < len(path) || !x.sees(int32(d)) || !spelledAs(at, keys) {
			continue
		}
		if found != nil && !equal(found, at[:len(path)]) {
			return nil, false
		}
		found = at[:len(path)]
	}
	return found, found != nil
}

// spelledAs reports that a path begins with segments of these keys.
func spelledAs(path, keys []string) bool {
	for i, k := range keys {
		if key(path[i]) != k {
			return false
		}
	}
	return true
}

package source

// This file finds the program in the submitted text: byte order mark, interpreter line, code fences, export default.

import (
	"regexp"
	"strings"
)

// normalize finds the program. Removed parts are blanked, so that every place stays where it was.
func normalize(submitted string, l *layout) (body string, notes []string, foreign *fence) {
	f, ok := findFence(submitted)
	if ok {
		l.base, l.end = f.from, f.to
		note := "the program was taken from a Markdown code block"
		if f.others > 0 {
			note += "; other code blocks were left out"
		}
		notes = append(notes, note)
	} else if f.tag != "" {
		foreign = &f
	}
	text := []byte(submitted[l.base:l.end])
	if strings.HasPrefix(string(text), "\uFEFF") {
		blank(text, 0, len("\uFEFF"))
	}
	if rest := strings.TrimLeft(string(text), " \t\r\n"); strings.HasPrefix(rest, "#!") {
		from := len(text) - len(rest)
		to := from + len(rest)
		if nl := strings.IndexAny(rest, "\r\n"); nl >= 0 {
			to = from + nl
		}
		blank(text, from, to)
		notes = append(notes, "the interpreter line (#!) was left out")
	}
	return string(text), notes, foreign
}

// exportDefault blanks `export default`, or turns it into a return where an expression follows. It changes the tokens
// accordingly.
func (g *guard) exportDefault() (note string) {
	for i := range g.tokens {
		t := g.tokens[i]
		if t.kind != tokenName || t.member || g.text(i) != "export" || g.text(i+1) != "default" || i+2 >= len(g.tokens) {
			continue
		}
		body := []byte(g.body)
		last := g.tokens[i+1]
		blank(body, t.off, last.end)
		if !g.isNamedDeclaration(i + 2) {
			copy(body[t.off:], "return")
			if g.tokens[i+2].newline { // a line break after return would end the statement
				return ""
			}
			if strings.ContainsAny(string(body[t.off:g.tokens[i+2].off]), "\n\r") {
				return ""
			}
		}
		g.body = string(body)
		g.tokens[i].end = t.off + len("return")
		g.tokens = append(g.tokens[:i+1], g.tokens[i+2:]...)
		return "export default was left out"
	}
	return ""
}

// exportDeclarations blanks `export` before declarations of the program itself. It changes the tokens accordingly.
func (g *guard) exportDeclarations() (any bool) {
	kept, depth, body := g.tokens[:0:0], 0, []byte(nil)
	for i, t := range g.tokens {
		switch text := g.text(i); {
		case t.kind == tokenTemplate:
			if strings.HasPrefix(text, "}") {
				depth--
			}
			if strings.HasSuffix(text, "${") {
				depth++
			}
		case text == "(" || text == "[" || text == "{":
			depth++
		case text == ")" || text == "]" || text == "}":
			depth--
		case text == "export" && t.kind == tokenName && !t.member && depth == 0 && g.startsItem(i) && g.startsDeclaration(i+1):
			if body == nil {
				body, kept = []byte(g.body), append(kept, g.tokens[:i]...)
			}
			blank(body, t.off, t.end)
			g.tokens[i+1].newline = g.tokens[i+1].newline || t.newline
			continue
		}
		if body != nil {
			kept = append(kept, g.tokens[i])
		}
	}
	if body == nil {
		return false
	}
	g.body, g.tokens = string(body), kept
	return true
}

// startsDeclaration tells whether a declaration starts at token i.
func (g *guard) startsDeclaration(i int) bool {
	if g.isNamedDeclaration(i) {
		return true
	}
	switch g.text(i) {
	case "const", "let", "var":
		return i+1 < len(g.tokens) && (g.tokens[i+1].kind == tokenName || g.text(i+1) == "{" || g.text(i+1) == "[")
	case "type":
		return g.nameFollows(i) && (g.text(i+2) == "=" || g.text(i+2) == "<")
	}
	return false
}

// anonymous gives the parentheses that a program needs which is one function without a name; a semicolon after it is
// blanked.
func (g *guard) anonymous() (lead, tail string) {
	first := 0
	if g.text(0) == "async" {
		first = 1
	}
	if g.text(first) != "function" || g.isNamedDeclaration(first) {
		return "", ""
	}
	last := len(g.tokens) - 1
	for last > 0 && g.text(last) == ";" {
		last--
	}
	if t := g.tokens[last]; g.text(last) != "}" || t.closes != roleFunction && t.closes != roleFuncExpr || g.bodyEnd(first) != last {
		return "", ""
	}
	body := []byte(g.body)
	for i := last + 1; i < len(g.tokens); i++ {
		blank(body, g.tokens[i].off, g.tokens[i].end)
	}
	g.body = string(body)
	return "(", "\n)"
}

// bodyEnd is the token that closes the body of the function at token i, -1 if there is none.
func (g *guard) bodyEnd(i int) int {
	depth := 0
	for ; i < len(g.tokens); i++ {
		switch g.text(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 && (g.tokens[i].closes == roleFunction || g.tokens[i].closes == roleFuncExpr) {
				return i
			}
		}
	}
	return -1
}

// isNamedDeclaration tells whether a function or class declaration with a name starts at token i.
func (g *guard) isNamedDeclaration(i int) bool {
	if g.text(i) == "async" && g.text(i+1) == "function" || g.text(i) == "abstract" {
		i++
	}
	switch g.text(i) {
	case "function":
		if g.text(i+1) == "*" {
			i++
		}
	case "class", "interface", "enum":
	default:
		return false
	}
	return i+1 < len(g.tokens) && g.tokens[i+1].kind == tokenName && g.text(i+1) != "extends" && g.text(i+1) != "implements"
}

// fence is the stretch between two fence lines.
type fence struct {
	from, to int
	mark     int    // the place of the mark's first character, "`" or "~"
	length   int    // of the mark
	tag      string // the language it is marked with, in lower case
	others   int
}

func (f *fence) script() bool { return scriptTags[f.tag] }

var fenceLine = regexp.MustCompile("^[ \t]*(`{3,}|~{3,})[ \t]*([A-Za-z0-9+#-]*)[^`\r\n]*$")

var scriptTags = map[string]bool{"js": true, "javascript": true, "ts": true, "typescript": true, "jsx": true, "tsx": true, "mjs": true, "mts": true,
	"cjs": true, "cts": true, "node": true, "ecmascript": true}

// findFence finds the code block that holds the program: the last one marked as JavaScript or TypeScript, else the last
// without a mark. Lines inside template literals and comments of a program are not fences. Without such a block, the
// fence is the first one of another language, if there is any.
func findFence(text string) (fence, bool) {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return fence{}, false
	}
	blocks := fenceBlocks(text)
	best := -1
	for i, b := range blocks {
		if b.script() || b.tag == "" && (best < 0 || !blocks[best].script()) {
			best = i
		}
	}
	if best < 0 && len(blocks) > 0 {
		return blocks[0], false
	} else if best < 0 {
		return fence{}, false
	}
	f := blocks[best]
	f.others = len(blocks) - 1
	return f, true
}

func fenceBlocks(text string) []fence {
	var blocks []fence
	open := ""
	inside := codeState{}
	for at := 0; at < len(text); {
		next := at + len(text[at:])
		if nl := strings.IndexByte(text[at:], '\n'); nl >= 0 {
			next = at + nl + 1
		}
		line := strings.TrimRight(text[at:next], "\r\n")
		m := fenceLine.FindStringSubmatch(line)
		switch {
		case m != nil && open == "" && !inside.within():
			open = m[1]
			mark := at + strings.Index(line, open)
			blocks = append(blocks, fence{from: next, to: len(text), mark: mark, length: len(open), tag: strings.ToLower(m[2])})
			inside = codeState{}
		case m != nil && open != "" && m[2] == "" && strings.HasPrefix(m[1], open) && !inside.within():
			blocks[len(blocks)-1].to = at
			open = ""
			inside = codeState{}
		default:
			inside.line(text[at:next])
		}
		at = next
	}
	return blocks
}

// codeState follows templates and block comments over lines, as far as telling fences needs it.
type codeState struct {
	comment bool
	levels  []int // one per open template: -1 in its text, else the braces open in its hole
}

func (s *codeState) within() bool {
	return s.comment || len(s.levels) > 0 && s.levels[len(s.levels)-1] < 0
}

func (s *codeState) line(text string) {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case s.comment:
			if strings.HasPrefix(text[i:], "*/") {
				s.comment = false
				i++
			}
		case ch == '\\':
			i++
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case s.within():
			s.templateByte(text, &i)
		case ch == '"' || ch == '\'':
			if strings.IndexByte(text[i+1:], ch) >= 0 { // an apostrophe of prose has no partner
				quote = ch
			}
		case strings.HasPrefix(text[i:], "//"):
			return
		case strings.HasPrefix(text[i:], "/*"):
			s.comment = true
			i++
		default:
			s.codeByte(ch)
		}
	}
}

func (s *codeState) templateByte(text string, i *int) {
	if text[*i] == '`' {
		s.levels = s.levels[:len(s.levels)-1]
	} else if strings.HasPrefix(text[*i:], "${") {
		s.levels[len(s.levels)-1] = 0
		*i++
	}
}

func (s *codeState) codeByte(ch byte) {
	n := len(s.levels)
	switch {
	case ch == '`':
		s.levels = append(s.levels, -1)
	case n > 0 && ch == '{':
		s.levels[n-1]++
	case n > 0 && ch == '}':
		s.levels[n-1]-- // back to -1, the template's text, at the hole's own brace
	}
}

package source

// This file knows what programs write by the habits of other languages, where the parser stops at it.

import (
	"regexp"
	"slices"
	"strings"
)

// habits are the words and signs of other languages, and what to write: before is the token in front of the problem, at the one where
// it is.
var habits = []struct{ before, at, advice string }{
	{"", "and", "write && for and"},
	{"", "or", "write || for or"},
	{"", "is", "write === for is"},
	{"", "unless", "write if (!condition)"},
	{"not", "", "write ! for not"},
	{"lambda", "", "write x => … for lambda x: …"},
	{"raise", "", "write throw new Error(…)"},
	{"assert", "", "write if (!condition) throw new Error(…)"},
	{"del", "", "write delete for del"},
	{"def", "", "write function name() { … }"},
	{"func", "", "write function name() { … }"},
	{"fn", "", "write function name() { … }"},
	{"-", ">", "write => for ->"},
	{":", "=", "write const x = … for x := …"},
}

var jsx = regexp.MustCompile(`(^|return|[=(,?:>&\[])\s*<[A-Za-z][\w.]*(\s[^<>]*)?/?>`)

// mistake is what to write for what is at the problem; "" if that is not known.
func (g *guard) mistake(p *problem) string {
	i := slices.IndexFunc(g.tokens, func(t token) bool { return t.end > p.off })
	line := g.lineAt(p.off)
	switch {
	case strings.HasPrefix(p.message, "Unterminated string literal"):
		return "close the text with the quote it begins with; a text of several lines stands between backticks: `…`"
	case p.off > 0 && p.off <= len(g.body) && g.body[p.off-1] == '#', p.off >= 0 && p.off < len(g.body) && g.body[p.off] == '#':
		return "a comment begins with //"
	case jsx.MatchString(line) && (strings.Contains(g.body, "</") || strings.Contains(g.body, "/>")):
		return "JSX is not supported: return data, or a text between backticks"
	case i < 0:
		return ""
	}
	if advice := g.mistakeInText(i); advice != "" {
		return advice
	}
	if advice := g.mistakeInForm(i, p); advice != "" {
		return advice
	}
	if pythonLine.MatchString(strings.TrimSpace(line)) {
		return "this looks like Python; programs are JavaScript or TypeScript"
	}
	before, at := g.text(i-1), g.text(i)
	for _, h := range habits {
		if !g.tokens[i].newline && (h.before == "" || h.before == before) && (h.at == "" || h.at == at) && (h.before == "" || i > 0 && !g.tokens[i-1].member) {
			if h.before != "" && h.at != "" && g.tokens[i-1].end != g.tokens[i].off {
				continue
			}
			return h.advice
		}
	}
	return ""
}

// mistakeInText is about texts: prefixes, triple quotes, quotes inside.
func (g *guard) mistakeInText(i int) string {
	if i == 0 || g.tokens[i-1].end != g.tokens[i].off {
		return ""
	}
	before := g.text(i - 1)
	switch {
	case g.isString(i) && (before == `""` || before == "''"):
		return "a text of several lines stands between backticks: `…`"
	case g.isString(i) && (before == "f" || before == "F"):
		return "a text with values in it stands between backticks: `abc ${x}`"
	case g.isString(i) && slices.Contains([]string{"r", "R", "b", "B", "u", "U", "rb", "fr", "rf"}, before):
		return "texts have no letter in front; String.raw`…` leaves backslashes alone"
	case g.isString(i-1) && g.tokens[i].kind == tokenName:
		return "a quote inside of a text is written \\" + before[:1] + ", or the text stands between other quotes"
	}
	return ""
}

// mistakeInForm is about the forms of other languages.
func (g *guard) mistakeInForm(i int, p *problem) string {
	t, before, next := g.tokens[i], g.text(i-1), g.text(i+1)
	switch at := g.text(i); {
	case at == "for" && !t.newline && g.nameFollows(i) && next != "await" && g.onLine(i, "in"):
		if strings.HasSuffix(p.message, "expected '}'") {
			return "write Object.fromEntries(list.map(x => [key, value])) for {key: value for x in list}"
		}
		return "write list.map(x => …) for [… for x in list], with .filter(…) for its if"
	case at == "if" && !t.newline && next != "(" && g.onLine(i, "else"), at == "if" && !t.newline && before == ")" && g.onLine(i, "else"):
		return "write condition ? a : b for a if condition else b"
	case at == "not" && next == "in":
		return "write !list.includes(x), or !(key in object), for not in"
	case at == "=" && i > 0 && (g.tokens[i-1].inObject || strings.HasSuffix(p.message, "expected ':'")):
		return "in an object a colon stands between name and value: { " + before + ": … }"
	case at == "=>" && i > 0 && g.tokens[i-1].inObject:
		return "in an object a colon stands between name and value: { " + before + ": … }"
	case at == ":" && strings.HasSuffix(p.message, "expected ')'") && i > 0 && g.tokens[i-1].kind == tokenName:
		return "an argument has no name; tools take one object: ({ " + before + ": … })"
	case (at == "*" || at == "**") && (before == "(" || before == "[" || before == "{" || before == ","):
		return "write ...x for " + at + "x"
	}
	return ""
}

// onLine tells whether a word stands behind token i before the line ends.
func (g *guard) onLine(i int, word string) bool {
	for i++; i < len(g.tokens) && !g.tokens[i].newline; i++ {
		if g.text(i) == word {
			return true
		}
	}
	return false
}

// lineAt is the line of the body that off is in.
func (g *guard) lineAt(off int) string {
	off = max(0, min(off, len(g.body)))
	from := strings.LastIndexByte(g.body[:off], '\n') + 1
	line, _, _ := strings.Cut(g.body[from:], "\n")
	return line
}

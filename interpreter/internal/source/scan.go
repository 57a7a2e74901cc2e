package source

// This file defines the token scan of a submitted program: TypeScript tokens, brackets and the measures of the guard.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is the class of a token.
type tokenKind uint8

const (
	tokenName tokenKind = iota
	tokenNumber
	tokenString
	tokenTemplate // one literal chunk
	tokenRegExp
	tokenPunct
)

// token is one token; white space and comments are left out.
type token struct {
	kind     tokenKind
	newline  bool // a line break comes before it
	member   bool // a name after a dot
	inClass  bool // directly inside a class body
	inObject bool // directly inside an object literal
	closes   role // for ) and }: what the bracket held
	off, end int
}

// role is what a bracket holds; it decides what a slash after the closing one means.
type role uint8

const (
	roleNone     role = iota
	roleControl       // head of if, for, while, with, switch, catch
	roleParen         // any other parenthesis
	roleBlock         // statements
	roleFunction      // body of a function declaration, method or arrow
	roleFuncExpr      // body of a function expression
	roleClass         // class, interface, enum body
	roleObject        // object literal or type
	roleBracket       // [ ]
	roleTemplate      // ` … `
	roleHole          // ${ … }
)

// frame is one open bracket with the measures of the statement that is being read in it.
type frame struct {
	role    role
	before  int // index of the token before the bracket
	at      int
	ops     int  // operators of the running expression
	links   int  // member accesses and calls in a row
	nest    int  // control statements without braces around each other
	arrows  int  // arrow functions around each other
	doubts  int  // of those, arrows after a `? ( … ) :`
	doubt   bool // such a colon was read since the last arrow
	commas  int  // commas of the running statement, where they make a sequence
	serial  int
	names   []string // names used in this block and counted in guard.live
	pending role     // what the next brace is: set by function, class, enum …
}

// guard is the result of a scan.
type guard struct {
	body   string
	tokens []token
	stack  []frame

	depth, maxDepth   int
	funcs, maxFuncs   int
	doubts, maxDoubts int
	afterQuestion     bool // the parenthesis closed last followed a question mark
	maxOps            int
	blocks, maxBlocks int
	maxCommas         int
	serial            int
	live              map[string][]int // names in deep blocks: serials of the open blocks that use them
	shadowing         int              // estimated cost of telling equal names in nested blocks apart

	deepAt, doubtAt, funcAt, opsAt, commaAt, shadowAt int // where the maxima were reached
	quotes                                            int // offset of the first typographic quote in code, -1
	stray                                             int // offset of a closing bracket without an opening one, -1
	strayOpen                                         int // offset of the bracket of another kind that was open there, -1
	unclosed                                          int // offset of the bracket left open at the end, -1
	openText                                          bool
	newline                                           bool
	pos                                               int
}

// scanBody reads a whole program. It never fails: what cannot be a token is skipped, the eraser will complain.
func scanBody(body string) *guard {
	g := &guard{body: body, live: map[string][]int{}, quotes: -1, stray: -1, strayOpen: -1, unclosed: -1, tokens: make([]token, 0, len(body)/4+8)}
	g.stack = append(g.stack, frame{role: roleBlock, before: -1})
	for g.space(); g.pos < len(body); g.space() {
		g.next()
	}
	if top := g.top(); len(g.stack) > 1 {
		g.unclosed = top.at
	}
	return g
}

func (g *guard) top() *frame { return &g.stack[len(g.stack)-1] }

// text is the text of token i, "" if there is none.
func (g *guard) text(i int) string {
	if i < 0 || i >= len(g.tokens) {
		return ""
	}
	return g.body[g.tokens[i].off:g.tokens[i].end]
}

// space skips white space and comments.
func (g *guard) space() {
	for g.pos < len(g.body) {
		switch ch := g.body[g.pos]; {
		case ch == '\n' || ch == '\r':
			g.newline = true
			g.pos++
		case ch == ' ' || ch == '\t' || ch == '\v' || ch == '\f':
			g.pos++
		case ch == '/' && strings.HasPrefix(g.body[g.pos:], "//"):
			g.lineComment()
		case ch == '/' && strings.HasPrefix(g.body[g.pos:], "/*"):
			g.blockComment()
		case ch >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(g.body[g.pos:])
			if r == '\u2028' || r == '\u2029' {
				g.newline = true
			} else if r != '\uFEFF' && !unicode.Is(unicode.Zs, r) {
				return
			}
			g.pos += n
		default:
			return
		}
	}
}

func (g *guard) lineComment() {
	for g.pos < len(g.body) && g.body[g.pos] != '\n' && g.body[g.pos] != '\r' {
		if strings.HasPrefix(g.body[g.pos:], "\u2028") || strings.HasPrefix(g.body[g.pos:], "\u2029") {
			return
		}
		g.pos++
	}
}

func (g *guard) blockComment() {
	end := strings.Index(g.body[g.pos+2:], "*/")
	if end < 0 {
		g.pos = len(g.body)
		g.openText = true
		return
	}
	if strings.ContainsAny(g.body[g.pos:g.pos+2+end], "\n\r\u2028\u2029") {
		g.newline = true
	}
	g.pos += end + 4
}

// next reads one token.
func (g *guard) next() {
	start := g.pos
	switch ch := g.body[start]; {
	case ch == '"' || ch == '\'':
		g.quoted(ch)
		g.emit(tokenString, start)
	case ch == '`':
		g.pos++
		g.push(roleTemplate)
		g.template(start)
	case ch >= '0' && ch <= '9' || ch == '.' && start+1 < len(g.body) && isDigit(g.body[start+1]):
		g.number()
		g.emit(tokenNumber, start)
	case isNameByte(ch) || ch == '#' || ch == '\\' || ch >= utf8.RuneSelf:
		g.name(start)
	case ch == '/' && g.regExpHere():
		if g.regExp() {
			g.emit(tokenRegExp, start)
		} else {
			g.punct(start)
		}
	default:
		g.punct(start)
	}
}

func isDigit(ch byte) bool { return ch >= '0' && ch <= '9' }

func isNameByte(ch byte) bool {
	return ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || isDigit(ch) || ch == '_' || ch == '$'
}

func (g *guard) quoted(quote byte) {
	for g.pos++; g.pos < len(g.body); g.pos++ {
		switch g.body[g.pos] {
		case quote:
			g.pos++
			return
		case '\\':
			if strings.HasPrefix(g.body[g.pos+1:], "\r\n") {
				g.pos++
			}
			g.pos++
		case '\n', '\r':
			return
		}
	}
	g.pos = min(g.pos, len(g.body))
}

// template reads up to the next hole or the end of the template.
func (g *guard) template(start int) {
	for g.pos < len(g.body) {
		switch g.body[g.pos] {
		case '\\':
			g.pos = min(g.pos+2, len(g.body))
		case '`':
			g.pos++
			g.pop()
			g.emit(tokenTemplate, start)
			return
		case '$':
			g.pos++
			if g.pos < len(g.body) && g.body[g.pos] == '{' {
				g.pos++
				g.emit(tokenTemplate, start)
				g.push(roleHole)
				return
			}
		default:
			g.pos++
		}
	}
	g.openText = true
	g.emit(tokenTemplate, start)
}

func (g *guard) number() {
	hex := g.pos+1 < len(g.body) && g.body[g.pos] == '0' && (g.body[g.pos+1]|0x20) == 'x'
	dot := false
	for g.pos < len(g.body) {
		ch := g.body[g.pos]
		switch {
		case ch == '.' && !dot && !hex:
			dot = true
		case (ch == '+' || ch == '-') && !hex && (g.body[g.pos-1]|0x20) == 'e':
		case !isNameByte(ch):
			return
		}
		g.pos++
	}
}

func (g *guard) name(start int) {
	g.pos++
	for g.pos < len(g.body) && (isNameByte(g.body[g.pos]) || g.body[g.pos] == '\\' || g.body[g.pos] >= utf8.RuneSelf) {
		if g.body[g.pos] >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(g.body[g.pos:])
			if r == '\u2028' || r == '\u2029' || r == '\uFEFF' || unicode.Is(unicode.Zs, r) {
				break
			}
			g.pos += n
			continue
		}
		g.pos++
	}
	if g.body[start] >= utf8.RuneSelf {
		_, n := utf8.DecodeRuneInString(g.body[start:])
		g.pos = max(g.pos, start+n)
	}
	if i := strings.IndexAny(g.body[start:g.pos], "“”‘’"); i >= 0 && g.quotes < 0 {
		g.quotes = start + i
	}
	g.emit(tokenName, start)
}

// regExp reads a regular expression; false if it does not end on its line.
func (g *guard) regExp() bool {
	class := false
	for i := g.pos + 1; i < len(g.body); i++ {
		switch ch := g.body[i]; {
		case ch == '\n' || ch == '\r':
			return false
		case ch == '\\':
			i++
		case ch == '[':
			class = true
		case ch == ']':
			class = false
		case ch == '/' && !class:
			i++
			for i < len(g.body) && isNameByte(g.body[i]) {
				i++
			}
			g.pos = i
			return true
		}
	}
	return false
}

// operatorWords are names after which an operand follows.
var operatorWords = map[string]bool{
	"return": true, "typeof": true, "case": true, "in": true, "of": true, "instanceof": true, "new": true, "delete": true, "void": true,
	"throw": true, "await": true, "yield": true, "default": true, "as": true, "satisfies": true, "extends": true, "keyof": true, "else": true, "do": true,
}

// regExpHere tells whether a slash here starts a regular expression.
func (g *guard) regExpHere() bool {
	if len(g.tokens) == 0 {
		return true
	}
	t := g.tokens[len(g.tokens)-1]
	switch t.kind {
	case tokenName:
		return !t.member && operatorWords[g.text(len(g.tokens)-1)]
	case tokenNumber, tokenString, tokenRegExp:
		return false
	case tokenTemplate:
		return g.top().role == roleHole && g.body[t.end-1] == '{'
	}
	switch g.body[t.off] {
	case ')':
		return t.closes == roleControl
	case '}':
		return t.closes != roleObject && t.closes != roleFuncExpr
	case ']':
		return false
	case '+', '-':
		return t.end-t.off == 1
	case '!': // after an operand it asserts non-null
		n := len(g.tokens)
		return t.end-t.off > 1 || n < 2 || t.newline || !g.endsOperand(n-2)
	}
	return true
}

var operators = []string{">>>=", "...", "===", "!==", "**=", "<<=", ">>=", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??",
	"?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<"}

func (g *guard) punct(start int) {
	switch ch := g.body[start]; ch {
	case '(', '[', '{':
		g.pos++
		g.emit(tokenPunct, start)
		g.open(ch)
		return
	case ')', ']', '}':
		g.pos++
		g.close(ch, start)
		return
	}
	rest := g.body[start:]
	n := 1
	for _, op := range operators {
		if strings.HasPrefix(rest, op) && !(op == "?." && len(rest) > 2 && isDigit(rest[2])) {
			n = len(op)
			break
		}
	}
	g.pos = start + n
	g.emit(tokenPunct, start)
}

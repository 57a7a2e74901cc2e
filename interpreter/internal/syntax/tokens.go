package syntax

// This file defines the token list of a text and the cursor that restores positions from it.

import (
	"sort"
	"unsafe"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// token is one significant token: no white space, no comments.
type token struct {
	kind     js.TokenType
	off, end Pos
}

// scan lists the tokens of a text. known tells for some slashes whether they start a regular expression; elsewhere the
// tokens before decide, which is right for everything but a slash after some closing brackets.
func scan(buf []byte, known map[Pos]bool) []token {
	l := js.NewLexer(parse.NewInputBytes(buf))
	s := slashes{buf: buf}
	toks := make([]token, 0, len(buf)/3+8)
	off := Pos(0)
	for {
		kind, data := l.Next()
		if kind == js.ErrorToken {
			return toks
		}
		if kind == js.DivToken || kind == js.DivEqToken {
			starts, ok := known[off]
			if !ok {
				starts = s.startsRegExp(toks)
			}
			if starts && closesRegExp(buf[off:]) {
				kind, data = l.RegExp()
				if kind == js.ErrorToken {
					return toks
				}
			}
		}
		end := off + Pos(len(data))
		switch kind {
		case js.WhitespaceToken, js.LineTerminatorToken, js.CommentToken, js.CommentLineTerminatorToken:
		default:
			s.track(kind, toks)
			toks = append(toks, token{kind, off, end})
		}
		off = end
	}
}

// closesRegExp tells whether the regular expression that would start here ends on its line.
func closesRegExp(rest []byte) bool {
	class := false
	for i := 1; i < len(rest); i++ {
		switch ch := rest[i]; {
		case ch == '\n' || ch == '\r':
			return false
		case ch == '\\':
			i++
		case ch == '[':
			class = true
		case ch == ']':
			class = false
		case ch == '/' && !class:
			return true
		}
	}
	return false
}

// slashes decides what a slash means from the tokens before it.
type slashes struct {
	buf   []byte
	stack []bool // open brackets: whether a slash after the closing one starts a regular expression
	last  bool   // the same for the bracket closed last
}

func (s *slashes) track(kind js.TokenType, before []token) {
	switch kind {
	case js.OpenParenToken:
		s.stack = append(s.stack, isControlHead(before))
	case js.OpenBraceToken:
		s.stack = append(s.stack, opensBlock(before))
	case js.OpenBracketToken, js.TemplateStartToken:
		s.stack = append(s.stack, false)
	case js.CloseParenToken, js.CloseBraceToken, js.CloseBracketToken, js.TemplateEndToken:
		s.last = false
		if n := len(s.stack); n > 0 {
			s.last = s.stack[n-1]
			s.stack = s.stack[:n-1]
		}
	}
}

func (s *slashes) startsRegExp(before []token) bool {
	if len(before) == 0 {
		return true
	}
	switch k := before[len(before)-1].kind; {
	case k == js.CloseParenToken || k == js.CloseBraceToken:
		return s.last
	case k == js.CloseBracketToken || k == js.TemplateToken || k == js.TemplateEndToken || k == js.StringToken ||
		k == js.RegExpToken || k == js.PrivateIdentifierToken || k == js.IncrToken || k == js.DecrToken || js.IsNumeric(k):
		return false
	case js.IsReservedWord(k):
		return !isMemberName(before) && k != js.ThisToken && k != js.SuperToken && k != js.NullToken && k != js.TrueToken && k != js.FalseToken
	case js.IsIdentifier(k):
		return k == js.OfToken
	}
	return true
}

// isMemberName tells whether the last token is a name after a dot.
func isMemberName(toks []token) bool {
	if len(toks) < 2 {
		return false
	}
	k := toks[len(toks)-2].kind
	return k == js.DotToken || k == js.OptChainToken
}

// isControlHead tells whether a parenthesis after these tokens holds the head of a statement.
func isControlHead(toks []token) bool {
	if len(toks) == 0 || isMemberName(toks) {
		return false
	}
	switch toks[len(toks)-1].kind {
	case js.IfToken, js.WhileToken, js.ForToken, js.WithToken:
		return true
	case js.AwaitToken:
		return len(toks) > 1 && toks[len(toks)-2].kind == js.ForToken
	}
	return false
}

// opensBlock tells whether a brace after these tokens starts a block rather than an object literal.
func opensBlock(toks []token) bool {
	if len(toks) == 0 {
		return true
	}
	switch k := toks[len(toks)-1].kind; k {
	case js.CloseParenToken, js.SemicolonToken, js.OpenBraceToken, js.CloseBraceToken, js.ElseToken, js.DoToken, js.TryToken, js.FinallyToken, js.CatchToken:
		return true
	default:
		return js.IsIdentifier(k)
	}
}

// cursor walks the token list in step with the conversion, which visits the tree in source order.
type cursor struct {
	toks    []token
	i       int // next token
	src     []byte
	known   map[Pos]bool // slashes that the tree has decided
	misses  int
	skipped int // names and literals passed over: 0 when the walk is in step
}

func (c *cursor) load(buf []byte) {
	c.src = buf
	c.toks = scan(buf, nil)
}

// maxMisses is how often a token may be missing before the cursor stops looking, which keeps the walk linear.
const maxMisses = 16

// seek moves past the next token that match accepts and returns its index, or -1.
func (c *cursor) seek(match func(t token) bool) int {
	if c.misses > maxMisses {
		return -1
	}
	for j := c.i; j < len(c.toks); j++ {
		if !match(c.toks[j]) {
			continue
		}
		for _, t := range c.toks[c.i:j] {
			if t.kind == js.IdentifierToken || js.IsNumeric(t.kind) || t.kind == js.StringToken {
				c.skipped++
			}
		}
		c.i = j + 1
		return j
	}
	c.misses++
	return -1
}

// find moves past the next token of a kind and returns its place.
func (c *cursor) find(kind js.TokenType) Pos {
	if c.i < len(c.toks) && c.toks[c.i].kind == kind {
		c.i++
		return c.toks[c.i-1].off
	}
	if j := c.seek(func(t token) bool { return t.kind == kind }); j >= 0 {
		return c.toks[j].off
	}
	return NoPos
}

// name moves past the next identifier with a spelling and returns its place.
func (c *cursor) name(text []byte) Pos {
	j := c.seek(func(t token) bool {
		return int(t.end-t.off) == len(text) && (js.IsIdentifierName(t.kind) || t.kind == js.PrivateIdentifierToken) &&
			string(c.src[t.off:t.end]) == string(text)
	})
	if j >= 0 {
		return c.toks[j].off
	}
	return NoPos
}

// at moves past the token that holds data, a slice of the source, and returns the token's place.
func (c *cursor) at(data []byte) Pos {
	off, ok := c.offset(data)
	if !ok {
		return NoPos
	}
	j := sort.Search(len(c.toks), func(k int) bool { return c.toks[k].end > off })
	if j == len(c.toks) || c.toks[j].off > off {
		return off
	}
	if j+1 > c.i {
		for _, t := range c.toks[c.i:j] {
			if t.kind == js.IdentifierToken || js.IsNumeric(t.kind) || t.kind == js.StringToken {
				c.skipped++
			}
		}
		c.i = j + 1
	}
	return c.toks[j].off
}

// regexp moves past a regular expression, reading the tokens again if its slash had been taken for a division.
func (c *cursor) regexp(data []byte) Pos {
	off, ok := c.offset(data)
	if !ok {
		return NoPos
	}
	j := sort.Search(len(c.toks), func(k int) bool { return c.toks[k].off >= off })
	if j == len(c.toks) || c.toks[j].off != off || c.toks[j].kind != js.RegExpToken {
		c.decide(off, true)
	}
	return c.at(data)
}

// divide makes the next token a division if its slash had been taken for a regular expression.
func (c *cursor) divide() {
	if c.kind() == js.RegExpToken {
		c.decide(c.here(), false)
	}
}

// decide reads the tokens again with what is known about one more slash; the tokens before it stay.
func (c *cursor) decide(off Pos, regexp bool) {
	if len(c.known) >= maxMisses {
		return
	}
	if c.known == nil {
		c.known = map[Pos]bool{}
	}
	c.known[off] = regexp
	c.toks = scan(c.src, c.known)
}

// offset tells where a slice of the source starts. The parser's slices have no spare capacity, so the addresses decide.
func (c *cursor) offset(data []byte) (Pos, bool) {
	if len(data) == 0 {
		return 0, false
	}
	base := uintptr(unsafe.Pointer(unsafe.SliceData(c.src)))
	p := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	if p < base || p >= base+uintptr(len(c.src)) {
		return 0, false
	}
	return Pos(p - base), true
}

// kind tells what the next token is.
func (c *cursor) kind() js.TokenType {
	if c.i < len(c.toks) {
		return c.toks[c.i].kind
	}
	return js.ErrorToken
}

// pass moves past the next token if it is of the kind.
func (c *cursor) pass(kind js.TokenType) bool {
	if c.kind() == kind {
		c.i++
		return true
	}
	return false
}

// here is the place of the next token.
func (c *cursor) here() Pos {
	if c.i < len(c.toks) {
		return c.toks[c.i].off
	}
	return NoPos
}

// behind is the place just past the last token passed.
func (c *cursor) behind() Pos {
	if c.i > 0 && c.i <= len(c.toks) {
		return c.toks[c.i-1].end
	}
	return NoPos
}

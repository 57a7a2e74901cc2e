package syntax

// This file works around a gap of the third-party parser: it rejects an arrow parameter that is a pattern whose default
// holds a literal, `({x} = {x: 1}) => x`. The same default in parentheses is accepted and means the same.

import "github.com/tdewolff/parse/v2/js"

// wrapDefaults puts every value assigned to a pattern (or to an index) in parentheses. It returns the new text and the
// offsets of the inserted bytes in it, ascending; none if there was nothing to wrap.
func wrapDefaults(buf []byte) (text []byte, inserted []Pos) {
	toks := scan(buf, nil)
	opening, closing := map[Pos]int{}, map[Pos]int{}
	for i := 1; i+1 < len(toks) && len(opening) < maxWraps; i++ {
		if toks[i].kind != js.EqToken || (toks[i-1].kind != js.CloseBraceToken && toks[i-1].kind != js.CloseBracketToken) {
			continue
		}
		end := valueEnd(toks, i+1)
		if end < 0 {
			continue
		}
		opening[toks[i+1].off]++
		closing[toks[end].off]++
	}
	if len(opening) == 0 {
		return buf, nil
	}
	text = make([]byte, 0, len(buf)+2*len(opening)+1)
	put := func(b byte, n int) {
		for ; n > 0; n-- {
			inserted = append(inserted, Pos(len(text)))
			text = append(text, b)
		}
	}
	for i, b := range buf {
		put(')', closing[Pos(i)])
		put('(', opening[Pos(i)])
		text = append(text, b)
	}
	return text, inserted
}

// maxWraps keeps the search for the ends of values linear.
const maxWraps = 400

// valueEnd finds the token that ends the assignment expression starting at token i, or -1.
func valueEnd(toks []token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].kind {
		case js.OpenParenToken, js.OpenBraceToken, js.OpenBracketToken, js.TemplateStartToken:
			depth++
		case js.CloseParenToken, js.CloseBraceToken, js.CloseBracketToken, js.TemplateEndToken:
			if depth == 0 {
				return i
			}
			depth--
		case js.CommaToken, js.SemicolonToken:
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

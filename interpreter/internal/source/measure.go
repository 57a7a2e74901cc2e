package source

// This file defines how the scan keeps its bracket stack and measures nesting.

import "strings"

// emit appends the token that starts at start and ends here.
func (g *guard) emit(kind tokenKind, start int) {
	t := token{kind: kind, newline: g.newline, off: start, end: g.pos}
	g.newline = false
	f := g.top()
	t.inClass, t.inObject = f.role == roleClass, f.role == roleObject
	if last := g.text(len(g.tokens) - 1); last == "." || last == "?." {
		t.member = true
	}
	g.tokens = append(g.tokens, t)
	g.measure(f, len(g.tokens)-1)
}

// measure counts what the token adds to the running statement of its frame.
func (g *guard) measure(f *frame, i int) {
	t := g.tokens[i]
	if g.startsStatement(i) {
		g.reset(f)
	}
	text := g.text(i)
	switch t.kind {
	case tokenName:
		if !t.member {
			g.word(f, text)
		}
		if g.blocks > ordinaryDepth && !statementWords[text] && !operatorWords[text] {
			g.count(text, t.off)
		}
	case tokenTemplate:
		if f.role != roleTemplate { // complete: perhaps a tagged one
			f.links++
			g.chain(f, f.links, t.off)
		}
	case tokenPunct:
		switch text {
		case ";", ",":
			if text == "," && g.isSequence(f) {
				f.commas++
				if f.commas > g.maxCommas {
					g.maxCommas, g.commaAt = f.commas, t.off
				}
			}
			g.settle(f, text == ";")
		case ".", "?.", "(", "[":
			f.links++
			g.chain(f, f.links, t.off)
		case ":":
			f.doubt = f.doubt || g.afterQuestion && g.text(i-1) == ")"
			if g.isLabel(f, i-1) {
				f.nest++
				g.depth++
				g.peak(t.off)
			}
		case ")", "]", "{", "}", "...", "@":
		case "=>":
			f.arrows++
			f.links = 0
			if f.doubt {
				f.doubt = false
				f.doubts++
				g.doubts++
			}
			g.funcs++
			g.peak(t.off)
		default:
			f.ops++
			f.links = 0
			g.chain(f, f.ops, t.off)
		}
	}
}

// isLabel tells whether the name at token i, before a colon, labels a statement.
func (g *guard) isLabel(f *frame, i int) bool {
	if i < 0 || g.tokens[i].kind != tokenName || f.role == roleObject || f.role == roleClass {
		return false
	}
	switch g.text(i - 1) {
	case "", ";", "{", "}", ":":
		return true
	}
	return false
}

// word handles a name that may be a keyword.
func (g *guard) word(f *frame, text string) {
	switch text {
	case "if", "for", "while", "do", "with":
		f.nest++
		g.depth++
		g.peak(g.tokens[len(g.tokens)-1].off)
	case "function":
		f.pending = roleFunction
		if !g.declares(len(g.tokens) - 1) {
			f.pending = roleFuncExpr
		}
	case "class", "interface", "enum":
		f.pending = roleClass
	case "typeof", "void", "delete", "await", "new", "in", "instanceof", "yield", "as", "satisfies":
		f.ops++
		g.chain(f, f.ops, g.tokens[len(g.tokens)-1].off)
	}
}

// declares tells whether the function keyword at token i starts a declaration.
func (g *guard) declares(i int) bool {
	if i > 0 && g.text(i-1) == "async" && !g.tokens[i].newline {
		i--
	}
	if i == 0 || g.startsStatement(i) {
		return true
	}
	switch p := g.tokens[i-1]; g.text(i - 1) {
	case ";", "{":
		return g.top().role != roleObject
	case "}":
		return p.closes != roleObject
	case ")":
		return p.closes == roleControl
	case "else", "do", "default", "export":
		return true
	}
	return false
}

// startsStatement tells whether token i starts a new statement without a semicolon before it.
func (g *guard) startsStatement(i int) bool {
	if i == 0 {
		return false
	}
	prev, text := g.tokens[i-1], g.text(i)
	if prev.closes == roleControl {
		return false
	}
	if g.text(i-1) == "}" && (prev.closes == roleBlock || prev.closes == roleFunction || prev.closes == roleClass) {
		return text != "else" && text != "catch" && text != "finally" && text != ")" && text != "," && text != "."
	}
	if !g.tokens[i].newline || !g.endsOperand(i-1) {
		return false
	}
	switch g.tokens[i].kind {
	case tokenName:
		return !g.tokens[i].member && text != "in" && text != "instanceof" && text != "as" && text != "satisfies" && text != "else"
	case tokenNumber, tokenString:
		return true
	case tokenPunct:
		return text == "{" || text == "@" || text == "++" || text == "--" || text == "!" || text == "~"
	}
	return false
}

// endsOperand tells whether an expression can end with token i.
func (g *guard) endsOperand(i int) bool {
	t := g.tokens[i]
	switch t.kind {
	case tokenName:
		return t.member || !operatorWords[g.text(i)]
	case tokenPunct:
		switch g.text(i) {
		case ")", "]", "}", "++", "--":
			return true
		}
		return false
	}
	return true
}

// settle ends an expression; at a semicolon the statement too.
func (g *guard) settle(f *frame, statement bool) {
	f.ops, f.links = 0, 0
	g.funcs -= f.arrows
	g.doubts -= f.doubts
	f.arrows, f.doubts, f.doubt = 0, 0, false
	if statement {
		g.depth -= f.nest
		f.nest, f.commas, f.pending = 0, 0, roleNone
	}
}

func (g *guard) reset(f *frame) { g.settle(f, true) }

func (g *guard) chain(f *frame, n, at int) {
	if n > g.maxOps {
		g.maxOps, g.opsAt = n, at
	}
}

func (g *guard) peak(at int) {
	if g.depth > g.maxDepth {
		g.maxDepth, g.deepAt = g.depth, at
	}
	if g.doubts > g.maxDoubts {
		g.maxDoubts, g.doubtAt = g.doubts, at
	}
	if g.funcs > g.maxFuncs {
		g.maxFuncs, g.funcAt = g.funcs, at
	}
	g.maxBlocks = max(g.maxBlocks, g.blocks)
}

// ordinaryDepth is how deep blocks may be nested before names in them are counted.
const ordinaryDepth = 30

// statementWords are names that can only be keywords where a statement starts.
var statementWords = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "try": true, "catch": true, "finally": true, "break": true, "continue": true,
	"let": true, "const": true, "var": true, "function": true, "class": true, "async": true, "static": true, "this": true,
}

// count adds the cost of a name in a deep block: the eraser tries a new spelling for each enclosing block that has the
// name, and looks each up in all of them.
func (g *guard) count(name string, at int) {
	i := len(g.stack) - 1
	for i > 0 && !g.isBlock(&g.stack[i]) {
		i--
	}
	f := &g.stack[i]
	users := g.live[name]
	if n := len(users); n > 0 && users[n-1] == f.serial {
		return
	}
	g.live[name] = append(users, f.serial)
	f.names = append(f.names, name)
	if g.shadowing += len(users) * g.blocks; g.shadowing > maxShadowing && g.shadowAt == 0 {
		g.shadowAt = at
	}
}

// isFunc tells whether a bracket adds a function or class level of its own; an arrow was counted at its arrow.
func (g *guard) isFunc(f *frame) bool {
	switch f.role {
	case roleFunction, roleFuncExpr:
		return g.text(f.before) != "=>"
	case roleClass:
		return true
	}
	return false
}

func (g *guard) isBlock(f *frame) bool {
	return f.role == roleBlock || f.role == roleFunction || f.role == roleFuncExpr || f.role == roleClass
}

func (g *guard) push(r role) {
	f := frame{role: r, before: len(g.tokens) - 2, at: g.pos}
	if r != roleTemplate {
		g.depth++
		f.at = g.pos - 1
	} else {
		f.before = len(g.tokens) - 1
	}
	if g.isFunc(&f) {
		g.funcs++
	}
	g.serial++
	f.serial = g.serial
	if g.isBlock(&f) {
		g.blocks++
	}
	g.stack = append(g.stack, f)
	g.peak(f.at)
}

func (g *guard) pop() {
	f := g.top()
	if f.role != roleTemplate {
		g.depth--
	}
	if g.isFunc(f) {
		g.funcs--
	}
	if g.isBlock(f) {
		g.blocks--
	}
	for _, name := range f.names {
		g.live[name] = g.live[name][:len(g.live[name])-1]
	}
	g.depth -= f.nest
	g.funcs -= f.arrows
	g.doubts -= f.doubts
	g.afterQuestion = f.role == roleParen && g.text(f.before) == "?"
	g.stack = g.stack[:len(g.stack)-1]
}

// open pushes the frame of the bracket just emitted.
func (g *guard) open(ch byte) {
	before := len(g.tokens) - 2
	switch ch {
	case '(':
		r := roleParen
		switch word := g.text(before); word {
		case "if", "for", "while", "with", "switch", "catch":
			if !g.tokens[before].member {
				r = roleControl
			}
		case "await":
			if g.text(before-1) == "for" {
				r = roleControl
			}
		}
		g.push(r)
	case '[':
		g.push(roleBracket)
	default:
		f := g.top()
		r := g.braceRole(f, before)
		if r != roleObject {
			f.pending = roleNone
		}
		g.push(r)
	}
}

// braceRole tells what a brace after token i holds.
func (g *guard) braceRole(f *frame, i int) role {
	if i < 0 {
		return roleBlock
	}
	t := g.tokens[i]
	switch text := g.text(i); {
	case text == ")":
		if t.closes == roleControl {
			return roleBlock
		}
		if f.pending != roleNone {
			return f.pending
		}
		return roleFunction
	case text == "=>":
		return roleFunction
	case t.kind == tokenPunct && (text == ";" || text == "{" || text == "}"):
		if f.pending != roleNone {
			return f.pending
		}
		if f.role == roleObject {
			return roleObject
		}
		return roleBlock
	case t.kind == tokenName && !t.member && operatorWords[text] && text != "else" && text != "do":
		return roleObject
	case t.kind == tokenName && !t.member && (text == "else" || text == "do" || text == "try" || text == "finally" || text == "static" || text == "catch"):
		return roleBlock
	case t.kind == tokenPunct && text != ">" && text != "]":
		return roleObject
	case f.pending != roleNone:
		return f.pending
	case f.role == roleClass || f.role == roleObject:
		return roleFunction // a method with a return type
	}
	return roleBlock
}

func (g *guard) close(ch byte, start int) {
	open := len(g.stack) > 1 && matches(g.top().role, ch)
	if !open && g.stray < 0 {
		g.stray = start
		if top := g.top(); len(g.stack) > 1 && top.at < len(g.body) && strings.IndexByte("([{", g.body[top.at]) >= 0 {
			g.strayOpen = top.at
		}
	}
	r := roleNone
	if open {
		r = g.top().role
		g.pop()
	}
	if r == roleHole {
		g.template(start)
		return
	}
	g.emit(tokenPunct, start)
	g.tokens[len(g.tokens)-1].closes = r
}

func matches(r role, ch byte) bool {
	switch r {
	case roleControl, roleParen:
		return ch == ')'
	case roleBracket:
		return ch == ']'
	case roleTemplate:
		return false
	}
	return ch == '}'
}

// isSequence tells whether commas directly in a frame separate the parts of a statement or parenthesised expression.
func (g *guard) isSequence(f *frame) bool {
	switch f.role {
	case roleBlock, roleFunction, roleFuncExpr:
		return true
	case roleParen:
		return f.before < 0 || !g.endsOperand(f.before)
	}
	return false
}

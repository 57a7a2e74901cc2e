package source

// This file finds the forms of the language that are out of bounds and that parsers would reject or misread.

import "github.com/codemode-go/codemode/diagnostics"

// unsupported lists all of them.
func (g *guard) unsupported() []problem {
	var ps []problem
	inside := 0 // the first token behind the last namespace, whose exports need no word
	for i := 0; i < len(g.tokens) && len(ps) < maxProblems; i++ {
		message, hint := g.refused(i)
		if message == "" || i < inside && g.text(i) == "export" {
			continue
		}
		if word := g.text(i); word == "namespace" || word == "module" {
			inside = g.afterBlock(i)
		}
		ps = append(ps, problem{off: g.tokens[i].off, end: g.tokens[i].end, kind: diagnostics.UnsupportedSyntax, message: message, suggestions: []string{hint}})
	}
	return ps
}

// refused tells what is wrong with the form that token i starts, "" if nothing.
func (g *guard) refused(i int) (message, hint string) {
	t := g.tokens[i]
	if t.kind == tokenPunct && g.text(i) == "@" {
		return "decorators are not supported", "call the decorating function yourself: method = decorate(method)"
	}
	if t.kind != tokenName || t.member {
		return "", ""
	}
	switch g.text(i) {
	case "import":
		if g.isModuleItem(i) {
			return "import is not supported: a program cannot load modules", "everything a program can use is global: tools, console and the standard library"
		}
	case "export":
		if g.isModuleItem(i) {
			return "export is not supported: a program is not a module", "leave export out, and return the value"
		}
	case "using":
		if g.nameFollows(i) && (g.text(i+2) == "=" || g.text(i+2) == "of" || g.text(i+2) == ":") {
			return "using declarations are not supported", "write const, and release the resource in a finally block"
		}
	case "accessor":
		if t.inClass && g.startsMember(i) && (g.nameFollows(i) || g.text(i+1) == "[" || g.isString(i+1)) && g.text(i+1) != "=" {
			return "accessor fields are not supported", "write a getter and a setter around a private field"
		}
	case "with":
		if g.text(i+1) == "(" && !t.inClass && !t.inObject && g.text(i-1) != "function" {
			return "with statements are not supported", "name the object in each access"
		}
	case "namespace", "module":
		if g.nameFollows(i) && g.startsItem(i) && (g.text(i+2) == "{" || g.text(i+2) == ".") {
			return "namespaces are not supported", "declare an object or plain functions"
		}
	}
	return "", ""
}

// afterBlock is the first token behind the block that begins after token i.
func (g *guard) afterBlock(i int) int {
	for depth := 0; i < len(g.tokens); i++ {
		switch g.text(i) {
		case "{":
			depth++
		case "}":
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return i
}

// isModuleItem tells whether import or export at token i starts a module item rather than being a key or a call.
func (g *guard) isModuleItem(i int) bool {
	switch g.text(i + 1) {
	case "(", ".", ":", ",", "}", "=", "?", ";", "":
		return false
	}
	return true
}

// nameFollows tells whether the next token is a name on the same line.
func (g *guard) nameFollows(i int) bool {
	if i+1 >= len(g.tokens) || g.tokens[i+1].kind != tokenName || g.tokens[i+1].newline {
		return false
	}
	switch g.text(i + 1) {
	case "in", "of", "instanceof", "as", "satisfies":
		return g.text(i+1) == "of" && g.text(i+2) == "="
	}
	return true
}

func (g *guard) isString(i int) bool {
	return i < len(g.tokens) && g.tokens[i].kind == tokenString
}

// startsMember tells whether token i can start a class member.
func (g *guard) startsMember(i int) bool {
	switch g.text(i - 1) {
	case "{", ";", "}", "static", "public", "private", "protected", "override", "readonly", "declare", "abstract":
		return true
	}
	return g.tokens[i].newline
}

// startsItem tells whether token i can start a statement.
func (g *guard) startsItem(i int) bool {
	switch g.text(i - 1) {
	case "", ";", "{", "}", "export":
		return true
	}
	return g.tokens[i].newline
}

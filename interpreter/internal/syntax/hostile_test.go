package syntax

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter/internal/source"
)

func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func nested(open, mid, closing string, n int) string {
	return strings.Repeat(open, n) + mid + strings.Repeat(closing, n)
}

func doublingEnum(join func(prev string) string) string {
	s, prev := "enum A{a='xxxxxxxx'", "a"
	for i := range 26 {
		s += fmt.Sprintf(",b%d=%s", i, join(prev))
		prev = fmt.Sprintf("b%d", i)
	}
	return s + "}"
}

// hostile programs try to make a parser slow, large or dead. fine marks those within the limits, which must pass.
var hostile = []struct {
	name, program string
	fine          bool
}{
	{"enum doubling", doublingEnum(func(p string) string { return p + "+" + p }), false},
	{"enum doubling by template", doublingEnum(func(p string) string { return "`${" + p + "}${" + p + "}`" }), false},
	{"enum doubling by member", doublingEnum(func(p string) string { return "A." + p + "+A['" + p + "']" }), false},
	{"enum used often", "enum A{a='" + strings.Repeat("x", 20000) + "'};" + strings.Repeat("f(A.a);", 5000), false},
	{"open braces", strings.Repeat("{", 65000), false},
	{"braces", nested("{", "", "}", 32000), false},
	{"braces at the limit", nested("{", "", "}", 490), true},
	{"conditional arrows", "x = " + strings.Repeat("a ? (b, c) : d => ", 24) + "c", false},
	{"conditional arrows in parentheses", "x = " + strings.Repeat("a ? (b) : c => (", 24) + "c" + strings.Repeat(")", 24), false},
	{"arrows", strings.Repeat("a=>", 21000) + "1", false},
	{"arrows at the limit", strings.Repeat("a=>", 99) + "1", true},
	{"functions", nested("function f(){", "", "}", 4000), false},
	{"functions at the limit", nested("function f(){", "", "}", 98), true},
	{"static blocks", nested("class A{static{", "", "}}", 3000), false},
	{"static blocks at the limit", nested("class A{static{", "", "}}", 99), true},
	{"type arguments or less-than", strings.Repeat("a<", 32000) + "a", false},
	{"less-than at the limit", strings.Repeat("a<", 890) + "a", true},
	{"string sum", strings.Repeat("'a'+", 16000) + "'a'", false},
	{"string sum at the limit", strings.Repeat("'a'+", 890) + "'a'", true},
	{"legal comments", strings.Repeat("/*! */\n", 9000) + "1", true},
	{"parentheses", nested("(", "1", ")", 32000), false},
	{"parentheses at the limit", nested("(", "1", ")", 490), true},
	{"brackets at the limit", nested("[", "1", "]", 490), true},
	{"binding patterns", "let " + nested("[", "a", "]", 32000) + "=1", false},
	{"binding patterns at the limit", "let " + nested("[", "a", "]", 490) + "=1", true},
	{"nots", strings.Repeat("!", 65000) + "1", false},
	{"nots at the limit", strings.Repeat("!", 890) + "1", true},
	{"conditionals", strings.Repeat("a?b:", 16000) + "1", false},
	{"conditionals at the limit", strings.Repeat("a?b:", 440) + "1", true},
	{"templates", nested("`${", "1", "}`", 13000), false},
	{"templates at the limit", nested("`${", "1", "}`", 490), true},
	{"ifs", strings.Repeat("if(a)", 13000) + "b", false},
	{"ifs at the limit", strings.Repeat("if(a)", 490) + "b", true},
	{"else ifs", strings.Repeat("if(a){}else ", 5400) + "b", false},
	{"else ifs at the limit", strings.Repeat("if(a){}else ", 490) + "b", true},
	{"labels", strings.Repeat("a:", 32000) + "b", false},
	{"distinct labels", repeated(480, "a%d:") + "b", true},
	{"members", "a" + strings.Repeat(".a", 32000), false},
	{"members at the limit", "a" + strings.Repeat(".a", 890), true},
	{"calls", "a" + strings.Repeat("()", 32000), false},
	{"calls at the limit", "a" + strings.Repeat("()", 890), true},
	{"news", strings.Repeat("new ", 16000) + "a", false},
	{"awaits", strings.Repeat("await ", 10000) + "a", false},
	{"type arguments", "let a: " + nested("A<", "b", ">", 21000), false},
	{"array types", "let a: b" + strings.Repeat("[]", 30000), false},
	{"function types", "let a: " + strings.Repeat("()=>", 16000) + "b", false},
	{"conditional types", "type A<T> = " + strings.Repeat("T extends infer U extends a ? b : ", 1900) + "c", false},
	{"names in depth", strings.Repeat("{", 480) + repeated(9000, "a%d;") + strings.Repeat("}", 480), false},
	{"shadowing", nested("{let a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z;", "", "}", 480), false},
	{"shadowing side by side", "let a;" + strings.Repeat("{let a=1;}", 6000), true},
	{"sequence", strings.Repeat("a,", 32000) + "a", false},
	{"sequence at the limit", strings.Repeat("a,", 3990) + "a", true},
	{"long array", "[" + strings.Repeat("a,", 32000) + "]", true},
	{"assignments", strings.Repeat("a=", 32000) + "a", false},
	{"pattern assignments", strings.Repeat("[a]=", 16000) + "a", false},
	{"pattern assignments at the limit", strings.Repeat("[a]=", 440) + "a", true},
	{"semicolons", strings.Repeat(";", 65000), true},
	{"quotes", strings.Repeat("'", 65000), false},
	{"backticks", strings.Repeat("`", 65001), false},
	{"slashes", strings.Repeat("/ ", 32000), false},
	{"regular expressions", strings.Repeat("/a/;", 16000), true},
	{"zero bytes", strings.Repeat("\x00", 65000), false},
	{"bad bytes", strings.Repeat("\xff", 65000), false},
	{"decorators", strings.Repeat("@", 65000), false},
	{"object literals", nested("({a:", "1", "})", 240), true},
	{"generic calls", nested("f<a>(", "1", ")", 240), true},
	{"parameter defaults", nested("((a,b=", "1", ")=>1)", 98), true},
	{"maybe arrows", nested("((a,b=", "1", "))", 240), true},
	{"async calls", nested("async(", "1", ")", 480), true},
	{"optional chain", "a" + strings.Repeat("?.a", 21000), false},
	{"yields", "function*f(){" + strings.Repeat("yield ", 10000) + "}", false},
	{"powers", strings.Repeat("a**", 20000) + "b", false},
	{"powers at the limit", strings.Repeat("a**", 890) + "b", true},
	{"tries", nested("try{", "", "}finally{}", 480), true},
	{"fences", strings.Repeat("```js\n", 10000), false},
	{"tags", "a" + strings.Repeat("``", 32000), false},
	{"big integer", strings.Repeat("9", 65000) + "n", true},
	{"long number", strings.Repeat("9", 65000), true},
	{"long name", strings.Repeat("a", 65000), true},
	{"escapes", "'" + strings.Repeat("\\u{10ffff}", 6000) + "'", true},
	{"many variables", repeated(5000, "let a%d=1;"), true},
	{"many functions", repeated(2500, "function f%d(){}"), true},
	{"deep left operand", nested("(", "a", "+a-a*a)*a", 400), true},
	{"hidden by a string in a regular expression", "function f(){}/'/+" + nested("(", "1", ")", 10000) + "//'", false},
}

func TestHostileProgramsAreBounded(t *testing.T) {
	for _, h := range hostile {
		h.program = h.program[:min(len(h.program), source.MaxSize)]
		start := time.Now()
		ok := true
		text, ds := source.Load(h.program, compileopt.Options{})
		detail := ""
		if len(ds) > 0 {
			ok, detail = false, ds[0].Error()
		} else if _, ps := Parse(text.JS, func(p Pos) string { return text.Name(int32(p)) }); len(ps) > 0 {
			ok, detail = false, ps[0].Message
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s: took %v", h.name, took)
		} else if took > 150*time.Millisecond {
			t.Logf("%s: took %v", h.name, took)
		}
		if ok != h.fine {
			t.Errorf("%s: accepted %v, want %v; %s", h.name, ok, h.fine, detail)
		}
	}
}

func TestSizeLimit(t *testing.T) {
	fits := "//" + strings.Repeat("x", source.MaxSize-4) + "\n1"
	if _, ds := source.Load(fits, compileopt.Options{}); len(ds) > 0 {
		t.Errorf("%d bytes: %v", len(fits), ds)
	}
	if _, ds := source.Load(fits+";", compileopt.Options{}); len(ds) != 1 || !strings.Contains(ds[0].Message, "65537 bytes") {
		t.Errorf("%d bytes: %v", len(fits)+1, ds)
	}
	if _, ds := source.Load(fits+";", compileopt.Options{NoSizeLimit: true}); len(ds) > 0 {
		t.Errorf("without the limit: %v", ds)
	}
}

package syntax

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter/internal/source"
)

func load(t interface{ Fatalf(string, ...any) }, src string) *source.Text {
	text, ds := source.Load(src, compileopt.Options{NoSizeLimit: true})
	if len(ds) > 0 {
		t.Fatalf("load %q: %v", src, ds)
	}
	return text
}

func parseText(t interface{ Fatalf(string, ...any) }, text *source.Text) *Program {
	prog, ps := Parse(text.JS, func(p Pos) string { return text.Name(int32(p)) })
	if len(ps) > 0 {
		t.Fatalf("parse %q: %v", text.JS, ps)
	}
	return prog
}

// printedOtherwise are programs whose print differs in quotes or parentheses that the eraser keeps.
var printedOtherwise = map[string]bool{
	"for (async () => {};;) ;": true, "class A { 'prototype' = 1 }": true, "({ 0x10: 1, 1e3: 2, .5: 3, 1n: 4 })": true, "(a => {}) || b": true, "`a\r\nb`": true, "`a` `b`": true,
	"class A { a; b = 1; static c; static d = 2; #e; static #f = 3; 'g' = 4; 5 = 6; [h] = 7 }": true,
}

// TestTreeMeansTheText prints the tree, erases the print again and expects the text that the tree was made from.
func TestTreeMeansTheText(t *testing.T) {
	for _, src := range accepted(t) {
		text := load(t, src)
		prog := parseText(t, text)
		if len(prog.Notes) > 0 {
			continue
		}
		printed := printBody(prog.Main)
		if strings.TrimSpace(printed) == "" || printedOtherwise[src] {
			continue
		}
		if again := load(t, printed); normal(again.JS) != normal(text.JS) {
			t.Errorf("%q:\nhave %s\nwant %s", src, again.JS, text.JS)
		}
	}
}

// normal takes out what printing cannot keep.
func normal(js string) string {
	return strings.NewReplacer(",}", "}", "};", "}", ";", "", "debugger", "", `"f":`, "f:").Replace(js)
}

// TestCursorStaysInStep checks that the positions come from the very tokens of the nodes.
func TestCursorStaysInStep(t *testing.T) {
	for _, src := range accepted(t) {
		text := load(t, src)
		if msg := stepError(text.JS); msg != "" {
			t.Errorf("%q: %s", text.JS, msg)
		}
	}
}

func stepError(js string) string {
	buf, tree, wrapped, err := parseTree(js)
	if err != nil {
		return err.Error()
	}
	carrier, _ := carrierOf(tree)
	c := &converter{wrapped: wrapped}
	c.cursor.load(buf)
	c.funcDecl(carrier)
	if c.skipped > 0 || c.misses > 0 || c.i != len(c.toks) {
		return fmt.Sprintf("skipped %d, missed %d, left %d", c.skipped, c.misses, len(c.toks)-c.i)
	}
	return ""
}

func accepted(t *testing.T) []string {
	f, err := os.Open("testdata/verdicts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for s := bufio.NewScanner(f); s.Scan(); {
		var v struct{ Src, Error string }
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Error == "" && verdict(v.Src) == "" {
			out = append(out, v.Src)
		}
	}
	return out
}

// program generates programs whose names are all different and whose tokens are spread over lines.
type program struct {
	t     *rapid.T
	b     strings.Builder
	names int
	depth int
}

func (p *program) gap() {
	p.b.WriteString(rapid.SampledFrom([]string{" ", "  ", " /* é𝒳 */ ", "\t"}).Draw(p.t, "gap"))
}

func (p *program) name() {
	p.gap()
	fmt.Fprintf(&p.b, "n%d", p.names)
	p.names++
	p.gap()
}

func (p *program) text(s string) { p.b.WriteString(s) }

func (p *program) expr() {
	p.depth++
	defer func() { p.depth-- }()
	n := 12
	if p.depth > 3 {
		n = 1
	}
	switch rapid.IntRange(0, n).Draw(p.t, "expr") {
	case 0, 1:
		p.name()
	case 2:
		p.expr()
		p.text("+")
		p.expr()
	case 3:
		p.name()
		p.text("(")
		p.expr()
		p.text(",")
		p.expr()
		p.text(")")
	case 4:
		p.text("({a:")
		p.expr()
		p.text(",[")
		p.expr()
		p.text("]:1})")
	case 5:
		p.text("[")
		p.expr()
		p.text(",...")
		p.expr()
		p.text("]")
	case 6:
		p.text("((")
		p.name()
		p.text("=")
		p.expr()
		p.text(")=>{return ")
		p.expr()
		p.text("})")
	case 7:
		p.text("(")
		p.expr()
		p.text("?")
		p.expr()
		p.text(":")
		p.expr()
		p.text(")")
	case 8:
		p.text("`é${")
		p.expr()
		p.text("}x`")
	case 9:
		p.text("(")
		p.expr()
		p.text(" as string).prop /")
		p.expr()
		p.text("/ 2")
	case 10:
		p.text("new ")
		p.name()
		p.text("<T>(0, ")
		p.expr()
		p.text(")")
	case 11:
		p.text("(function*")
		p.name()
		p.text("({a:")
		p.name()
		p.text("}: X = ")
		p.expr()
		p.text("){yield ")
		p.expr()
		p.text("})")
	case 12:
		p.text("(class ")
		p.name()
		p.text("{x: number = ")
		p.expr()
		p.text(";m(){return /[/]/.test(")
		p.expr()
		p.text(")}})")
	}
}

func (p *program) stmt() {
	p.depth++
	defer func() { p.depth-- }()
	switch rapid.IntRange(0, 7).Draw(p.t, "stmt") {
	case 0:
		p.text("let ")
		p.name()
		p.text(": string = ")
		p.expr()
	case 1:
		p.text("if (")
		p.expr()
		p.text(") {")
		p.stmt()
		p.text("} else {")
		p.stmt()
		p.text("}")
	case 2:
		p.text("do {")
		p.stmt()
		p.text("} while (")
		p.expr()
		p.text(")")
	case 3:
		p.text("for (const [")
		p.name()
		p.text("] of ")
		p.expr()
		p.text(") {")
		p.stmt()
		p.text("}")
	case 4:
		p.text("try {")
		p.stmt()
		p.text("} catch (")
		p.name()
		p.text(") {")
		p.stmt()
		p.text("}")
	case 5:
		p.text("switch (")
		p.expr()
		p.text(") { case ")
		p.expr()
		p.text(":")
		p.stmt()
		p.text("}")
	default:
		p.text("void await ")
		p.expr()
	}
	p.text(";")
	p.text(rapid.SampledFrom([]string{"\n", "\r\n", " "}).Draw(p.t, "end"))
}

// TestEveryNameIsFoundAgain checks that each name of a generated program is located where it was written.
func TestEveryNameIsFoundAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &program{t: t}
		for range rapid.IntRange(1, 4).Draw(t, "stmts") {
			p.stmt()
		}
		src := p.b.String()
		text := load(t, src)
		if msg := stepError(text.JS); msg != "" {
			t.Fatalf("%q: %s", text.JS, msg)
		}
		found := 0
		_, ps := Parse(text.JS, func(pos Pos) string {
			found += nameFound(t, src, text, pos)
			return ""
		})
		if len(ps) > 0 || found != p.names {
			t.Fatalf("%q: found %d of %d names, %v", src, found, p.names, ps)
		}
	})
}

// nameFound checks one identifier; 1 if it is one of the generated names.
func nameFound(t *rapid.T, src string, text *source.Text, pos Pos) int {
	end := pos + 1
	for int(end) < len(text.JS) && text.JS[end] >= '0' && text.JS[end] <= '9' {
		end++
	}
	name := text.JS[pos:end]
	if len(name) < 2 || name[0] != 'n' {
		return 0
	}
	loc := text.Locate(int32(pos))
	if at := place(src, strings.Index(src, name+" "), strings.Index(src, name+"\t")); at != fmt.Sprint(loc.Line, loc.Column) {
		t.Fatalf("%q: %s is at %s, located at %v", src, name, at, loc)
	}
	return 1
}

// place computes line and column the slow way.
func place(src string, offs ...int) string {
	off := -1
	for _, o := range offs {
		if o >= 0 && (off < 0 || o < off) {
			off = o
		}
	}
	line, col := 1, 1
	for _, r := range src[:off] {
		switch {
		case r == '\n':
			line, col = line+1, 1
		case r == '\r':
		case r > 0xFFFF:
			col += 2
		default:
			col++
		}
	}
	return fmt.Sprint(line, col)
}

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/schema"
)

// meaning is a schema with values, as JSON, that its type must and must not
// take. The validator has to agree, unless looser says that it need not for the
// values that the type refuses.
type meaning struct {
	schema string
	fits   []string
	not    []string
	looser bool // values of not may be valid: the type is closed where the schema is open
}

var meanings = []meaning{
	{schema: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`,
		fits: []string{`{"a":"x"}`, `{"a":"x","b":1}`}, not: []string{`{}`, `{"b":1}`, `{"a":1}`, `{"a":null}`, `[]`, `"x"`}},
	{schema: `{"type":"object","properties":{"a":{"type":"string"}}}`, fits: []string{`{}`, `{"a":"x"}`}, not: []string{`{"zzz":1}`}, looser: true},
	{schema: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, fits: []string{`{"a":"x"}`}, not: []string{`{"b":1}`}},
	{schema: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}`, fits: []string{`{"a":"x","b":1}`}, not: []string{`{"a":1}`}},
	{schema: `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"number"}}`,
		fits: []string{`{"a":"x","b":1}`}, not: []string{`{"a":"x","b":true}`, `{"b":1}`}},
	{schema: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}}`, fits: []string{`{"b":1}`}, not: []string{`{"b":[]}`}},
	{schema: `{"type":"object","additionalProperties":{"type":"number"}}`, fits: []string{`{}`, `{"b":1}`}, not: []string{`{"b":"1"}`}},
	{schema: `{"type":"object","additionalProperties":{}}`, fits: []string{`{"b":[1]}`}, not: []string{`"x"`}},
	{schema: `{"type":"object","additionalProperties":false}`, fits: []string{`{}`}, not: []string{`{"b":1}`}},
	{schema: `{"type":"object","patternProperties":{"^x":{"type":"number"},"^y":{"type":"string"}},"additionalProperties":false}`,
		fits: []string{`{"x":1,"y":"s"}`}, not: []string{`{"x":true}`}},
	{schema: `{"type":"object","propertyNames":{"enum":["a","b"]},"additionalProperties":{"type":"number"}}`, fits: []string{`{}`, `{"a":1}`}, not: []string{`{"c":1}`, `{"a":"x"}`}},
	{schema: `{"type":"object","required":["a"]}`, fits: []string{`{"a":null}`}, not: []string{`{}`}},
	{schema: `{"type":"string"}`, fits: []string{`"x"`}, not: []string{`1`, `null`}},
	{schema: `{"type":"boolean"}`, fits: []string{`true`}, not: []string{`"true"`}},
	{schema: `{"type":"null"}`, fits: []string{`null`}, not: []string{`false`}},
	{schema: `{"type":["string","null"]}`, fits: []string{`"x"`, `null`}, not: []string{`1`}},
	{schema: `{"type":["array","string"],"items":{"type":"number"}}`, fits: []string{`[1]`, `"x"`}, not: []string{`["x"]`}},
	{schema: `{"enum":["open","closed"]}`, fits: []string{`"open"`}, not: []string{`"Open"`, `1`}},
	{schema: `{"type":"string","enum":["a",null]}`, fits: []string{`"a"`}, not: []string{`null`, `"b"`}},
	{schema: `{"enum":["a",1,true,null,{"k":[1,"x"]}]}`, fits: []string{`"a"`, `1`, `true`, `null`, `{"k":[1,"x"]}`}, not: []string{`"b"`, `2`, `false`, `{"k":[2,"x"]}`}},
	{schema: `{"type":"integer","enum":[1,-2,3.0]}`, fits: []string{`1`, `-2`, `3`}, not: []string{`4`}},
	{schema: `{"const":"x"}`, fits: []string{`"x"`}, not: []string{`"y"`}},
	{schema: `{"const":{}}`, fits: []string{`{}`}, not: []string{`{"a":1}`}},
	{schema: `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`, fits: []string{`"x"`, `["x"]`}, not: []string{`[1]`}},
	{schema: `{"oneOf":[{"const":true},{"const":false}]}`, fits: []string{`true`, `false`}, not: []string{`"x"`}},
	{schema: `{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"number"}},"required":["kind","n"]},{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}`,
		fits: []string{`{"kind":"a","n":1}`, `{"kind":"b"}`}, not: []string{`{"kind":"a"}`, `{"kind":"c"}`}},
	{schema: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
		fits: []string{`{"a":"x"}`, `{"b":"x"}`, `{"a":"x","b":"y"}`}, not: []string{`{}`, `{"a":1}`}},
	{schema: `{"type":"string","anyOf":[{"format":"email"},{"format":"uri"}]}`, fits: []string{`"x"`}, not: []string{`1`}},
	{schema: `{"type":"string","anyOf":[{"enum":["a"]},{"enum":["b"]}]}`, fits: []string{`"a"`, `"b"`}, not: []string{`"c"`}},
	{schema: `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"number"}},"required":["b"]}]}`,
		fits: []string{`{"a":"x","b":1}`}, not: []string{`{"a":"x"}`, `{"b":1}`}},
	{schema: `{"properties":{"a":{"type":"string"}},"allOf":[{"required":["a"]}]}`, fits: []string{`{"a":"x"}`}, not: []string{`{}`}},
	{schema: `{"allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"a":{"enum":["x","y"]}}}]}`, fits: []string{`{"a":"x"}`, `{}`}, not: []string{`{"a":"z"}`}},
	{schema: `{"type":"array","items":{"type":"string"}}`, fits: []string{`[]`, `["a","b"]`}, not: []string{`[1]`, `{"0":"a"}`}},
	{schema: `{"type":"array"}`, fits: []string{`[]`, `[1,"x"]`}, not: []string{`{"a":1}`}},
	{schema: `{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"minItems":2,"items":false}`, fits: []string{`["a",1]`}, not: []string{`["a"]`, `[1,"a"]`, `["a",1,2]`}},
	{schema: `{"type":"array","prefixItems":[{"type":"string"},{"enum":[1,2]}],"minItems":1,"items":{"type":"boolean"}}`, fits: []string{`["a"]`, `["a",1]`, `["a",1,true,false]`}, not: []string{`[]`, `["a",1,1]`, `["a",3]`}},
	{schema: `{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"type":"string"},{"type":"number"}],"minItems":2,"additionalItems":false}`,
		fits: []string{`["a",1]`}, not: []string{`["a"]`, `["a",1,2]`}},
	{schema: `{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2}`, fits: []string{`[1,2]`}, not: []string{`[1]`, `[1,2,3]`, `["x","y"]`}},
	{schema: `{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}}`, fits: []string{`["a",null]`}, not: []string{`[1]`}},
	{schema: `{"type":"object","properties":{"q":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/a~1b"}}]}}}`,
		fits: []string{`{"q":"x"}`, `{"q":["x",["y",[[]]]]}`}, not: []string{`{"q":1}`, `{"q":["x",[1]]}`}},
	{schema: `{"$ref":"#/definitions/Node","definitions":{"Node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/definitions/Node"}}},"required":["name"]}}}`,
		fits: []string{`{"name":"a","children":[{"name":"b","children":[]}]}`}, not: []string{`{"name":"a","children":[{}]}`}},
	{schema: `{"type":"object","properties":{"name":{"type":"string"},"inner":{"$ref":"#"}},"required":["name"]}`, fits: []string{`{"name":"a","inner":{"name":"b"}}`}, not: []string{`{"name":"a","inner":{}}`}},
	{schema: `{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"enum":[1,2]}},"required":["x"]},"b":{"$ref":"#/properties/a"}}}`,
		fits: []string{`{"a":{"x":1},"b":{"x":2}}`}, not: []string{`{"b":{"x":3}}`, `{"b":{}}`}},
	{schema: `{"type":"object","additionalProperties":{"$ref":"#"}}`, fits: []string{`{"a":{"b":{}}}`}, not: []string{`{"a":1}`}},
	{schema: `{"anyOf":[{"type":"number"},{"type":"object","additionalProperties":{"$ref":"#"}},{"type":"array","items":{"$ref":"#"}}]}`,
		fits: []string{`1`, `{"a":[1,{"b":2}]}`}, not: []string{`{"a":["x"]}`}},
	{schema: `{"type":"array","prefixItems":[{"type":"string"},{"anyOf":[{"$ref":"#"},{"type":"null"}]}],"minItems":2,"items":false}`,
		fits: []string{`["a",["b",null]]`}, not: []string{`["a",["b"]]`, `["a",1]`}},
	{schema: `{"type":"string","nullable":true}`, fits: []string{`"x"`, `null`}, not: []string{`1`}},
	{schema: `{"not":{}}`, not: []string{`1`, `{}`}},
	{schema: `{}`, fits: []string{`1`, `null`, `[{}]`}},
	{schema: `true`, fits: []string{`1`}},
	{schema: `false`, not: []string{`1`}},
	{schema: `{"properties":{"a-b":{"type":"string"},"x y":{},"__proto__":{"type":"number"},"constructor":{"type":"string"},"new":{"type":"string"},"\"":{"type":"string"},"\n*/":{"type":"string"},"ü":{"type":"string"},"1":{"type":"string"}},"required":["a-b"]}`,
		fits: []string{`{"a-b":"x","constructor":"x","new":"x","\"":"q","\n*/":"s","ü":"u","1":"1"}`}, not: []string{`{}`, `{"a-b":1}`, `{"a-b":"x","ü":1}`}},
	{schema: `{"type":"object","properties":{"a":false,"b":{"type":"string"}}}`, fits: []string{`{"b":"x"}`}, not: []string{`{"a":1}`}},
	{schema: `{"type":"object","properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]}}`, fits: []string{`{}`}, not: []string{`{"a":1}`}},
}

func rendered(t *testing.T, s *schema.Schema, style schema.Style) schema.Rendered {
	t.Helper()
	r := s.Render(style, nil)
	if style == schema.Compact && strings.Contains(r.Type+strings.Join(r.Declarations, ""), "\n") {
		t.Errorf("not one line: %s", r.Type)
	}
	return r
}

func valid(t *testing.T, s *schema.Schema, text string) bool {
	t.Helper()
	if err := s.Err(); err != nil {
		t.Fatalf("%s: %v", data.JSON(s.Document()), err)
	}
	v, err := data.ParseString(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s.Validate("value", v) == nil
}

func parse(t *testing.T, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

// assign writes an assignment that the compiler must accept or refuse.
func assign(b *strings.Builder, typeName, value string, fits bool) {
	if !fits {
		b.WriteString("// @ts-expect-error\n")
	}
	fmt.Fprintf(b, "(v: %s = %s) => v;\n", typeName, value)
}

func TestMeaning(t *testing.T) {
	for _, style := range []schema.Style{schema.Compact, schema.Pretty} {
		b := &strings.Builder{}
		for i, m := range meanings {
			s := parse(t, m.schema)
			name := fmt.Sprintf("m%d", i)
			define(b, name, rendered(t, s, style))
			for _, text := range m.fits {
				assign(b, name+".Type", text, true)
				if !valid(t, s, text) {
					t.Errorf("%s is not valid for %s", text, m.schema)
				}
			}
			for _, text := range m.not {
				assign(b, name+".Type", text, false)
				if !m.looser && valid(t, s, text) {
					t.Errorf("%s is valid for %s", text, m.schema)
				}
			}
		}
		accept(t, b.String())
	}
}

// What real servers were sent and answered belongs to the types of their tools.
func TestRecordedCalls(t *testing.T) {
	b := &strings.Builder{}
	n := 0
	for _, server := range []string{"everything", "filesystem", "memory", "sequential-thinking"} {
		calls, err := data.Parse(fixture.Text("mcp/calls/" + server + ".calls.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range calls.(data.Array).All() {
			call := v.(*data.Object)
			name, _ := call.Get("name")
			of := fixture.Catalog().Tool([]string{server, string(name.(data.String))})
			if of == nil {
				continue
			}
			n++
			define(b, fmt.Sprintf("in%d", n), rendered(t, of.Input(), schema.Compact))
			define(b, fmt.Sprintf("out%d", n), rendered(t, of.Output(), schema.Compact))
			arguments, _ := call.Get("arguments")
			assign(b, fmt.Sprintf("in%d.Type", n), data.JSON(arguments), valid(t, of.Input(), data.JSON(arguments)))
			answer, _ := call.Get("result")
			result, _ := answer.(*data.Object)
			if structured, ok := result.Get("structuredContent"); ok {
				assign(b, fmt.Sprintf("out%d.Type", n), data.JSON(structured), valid(t, of.Output(), data.JSON(structured)))
			}
		}
	}
	if n < 25 {
		t.Errorf("only %d calls", n)
	}
	accept(t, b.String())
}

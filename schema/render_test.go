package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/schema"
)

// compact are schemas and their types. That the types mean the same as the
// schemas is checked by the TypeScript compiler in the module e2e.
var compact = []struct{ schema, want string }{
	{`{"type":"object","properties":{"repo":{"type":"string"},"state":{"enum":["open","closed"]}},"required":["repo"]}`, `{ repo: string; state?: "open" | "closed" }`},
	{`{}`, `unknown`}, {`true`, `unknown`}, {`false`, `never`}, {`{"not":{}}`, `never`}, {`{"type":"objekt"}`, `unknown`}, {`5`, `unknown`},
	{`{"type":["string","null"]}`, `string | null`}, {`{"type":["null","string"]}`, `string | null`}, {`{"type":["integer","number"]}`, `number`},
	{`{"type":"string","nullable":true}`, `string | null`}, {`{"nullable":true,"enum":["a"],"type":"string"}`, `"a" | null`},
	{`{"anyOf":[{"type":"string"},{"type":"string","format":"uri"}]}`, `string`}, {`{"anyOf":[{"type":"string"},{}]}`, `unknown`},
	{`{"anyOf":[{"const":"a"},{"type":"string"}]}`, `string`}, {`{"oneOf":[{"const":true},{"const":false}]}`, `boolean`},
	{`{"enum":["a",1,null,true,[1],{"b":2}]}`, `"a" | 1 | true | [1] | { b: 2 } | null`}, {`{"type":"integer","enum":[1,2,3]}`, `1 | 2 | 3`},
	{`{"type":"integer","enum":["1","2"]}`, `"1" | "2"`}, {`{"const":12345678901234567890}`, `12345678901234567890`}, {`{"const":1e400}`, `number`}, {`{"const":[]}`, `[]`}, {`{"const":{}}`, `Record<string, never>`},
	{`{"type":"array"}`, `unknown[]`}, {`{"type":"array","items":{"type":["string","null"]}}`, `(string | null)[]`},
	{`{"items":{"type":"array","items":{"type":"number"}}}`, `number[][]`},
	{`{"prefixItems":[{"type":"string"},{"type":"number"}]}`, `[string, number]`}, {`{"prefixItems":[{"type":"string"},{"type":"number"}],"minItems":1}`, `[string, number?]`},
	{`{"prefixItems":[{"type":"string"}],"items":{"enum":[1,2]}}`, `[string, ...(1 | 2)[]]`}, {`{"items":[{"type":"string"}],"additionalItems":true}`, `[string, ...unknown[]]`},
	{`{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2}`, `[number, number]`}, {`{"type":"array","items":{"type":"number"},"minItems":1}`, `number[]`},
	{`{"type":"object"}`, `Record<string, unknown>`}, {`{"type":"object","additionalProperties":{}}`, `Record<string, unknown>`}, {`{"additionalProperties":{"type":"number"}}`, `Record<string, number>`},
	{`{"type":"object","additionalProperties":false}`, `Record<string, never>`}, {`{"properties":{"a":{}},"additionalProperties":false}`, `{ a?: unknown }`},
	{`{"properties":{"a":{}},"additionalProperties":true}`, `{ a?: unknown; [key: string]: unknown }`},
	{`{"properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"number"}}`, `{ a: string; [key: string]: number | string }`},
	{`{"patternProperties":{"^a":{"type":"number"}},"additionalProperties":false}`, `Record<string, number>`}, {`{"type":"object","propertyNames":{"type":"string"}}`, `Record<string, unknown>`},
	{`{"propertyNames":{"enum":["a","b"]},"additionalProperties":{"type":"number"}}`, `{ [key in "a" | "b"]?: number }`}, {`{"required":["x"]}`, `{ x: unknown }`},
	{`{"properties":{"a-b":{},"ok":{},"1":{},"__proto__":{}},"required":["ok"]}`, `{ "a-b"?: unknown; ok: unknown; "1"?: unknown; __proto__?: unknown }`},
	{`{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}}}]}`, `{ a: string; b?: string }`},
	{`{"allOf":[{"type":"string"}],"description":"x"}`, `string`}, {`{"allOf":[{"anyOf":[{"type":"string"},{"type":"number"}]},{"enum":["a",1]}]}`, `(string | number) & ("a" | 1)`},
	{`{"type":"string","anyOf":[{"format":"email"},{"format":"uri"}]}`, `string`},
	{`{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{ a?: unknown; b?: unknown } & ({ a: unknown } | { b: unknown })`},
	{`{"type":"object","oneOf":[{"properties":{"k":{"const":1}}},{"properties":{"k":{"const":2}}}]}`, `{ k?: 1 } | { k?: 2 }`},
	{`{"$ref":"http://x/y"}`, `unknown`}, {`{"$ref":"#/$defs/none"}`, `unknown`}, {`{"$ref":"#"}`, `Node; type Node = unknown`},
	{`{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"string"}}}`, `string`}, {`{"$ref":"#/%24defs/a%20b","$defs":{"a b":{"type":"string"}}}`, `string`},
	{`{"properties":{"a":{"anyOf":[{"type":"null"},{"enum":[1,2]}]},"b":{"$ref":"#/properties/a/anyOf/1"}}}`, `{ a?: 1 | 2 | null; b?: 1 | 2 }`},
	{`{"$ref":"#here","$defs":{"x":{"$anchor":"here","type":"number"}}}`, `number`},
	{`{"$ref":"#/$defs/T","$defs":{"T":{"properties":{"kids":{"items":{"$ref":"#/$defs/T"}}}}}}`, `T; type T = { kids?: T[] }`},
	{`{"title":"Tree node","properties":{"left":{"$ref":"#"},"right":{"$ref":"#"}}}`, `TreeNode; type TreeNode = { left?: TreeNode; right?: TreeNode }`},
	{`{"properties":{"a":{"$ref":"#/$defs/s"},"b":{"$ref":"#/$defs/s"}},"$defs":{"s":{"enum":["x","y"]}}}`, `{ a?: "x" | "y"; b?: "x" | "y" }`},
	{`{"properties":{"a":{"$ref":"#/$defs/Big"},"b":{"$ref":"#/$defs/Big"}},"$defs":{"Big":{"properties":{"street":{"type":"string"},"city":{"type":"string"},"postcode":{"type":"string"}}}}}`,
		`{ a?: Big; b?: Big }; type Big = { street?: string; city?: string; postcode?: string }`},
	{`{"$ref":"#/$defs/A","properties":{"extra":{"type":"number"}},"$defs":{"A":{"properties":{"a":{"type":"string"}}}}}`, `{ extra?: number; a?: string }`},
	{`{"type":"object","additionalProperties":{"$ref":"#"},"title":"Map"}`, `Map; type Map = { [key: string]: Map }`},
}

func TestCompact(t *testing.T) {
	for _, c := range compact {
		r := schema.New(parse(t, c.schema)).Render(schema.Compact, nil)
		if got := strings.Join(append([]string{r.Type}, r.Declarations...), "; "); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.schema, got, c.want)
		}
	}
	if got := (*schema.Schema)(nil).Render(schema.Pretty, nil).Type; got != "unknown" {
		t.Errorf("no schema: %s", got)
	}
}

const pretty = `{
  /** A "name" * / not ended. @deprecated @default "x" @format email @minLength 1 @maxLength 9 @pattern ^a */
  name: string;
  /**
   * One.
   * Two.
   * @integer @minimum 1 @multipleOf 2
   */
  n?: number;
  /** @minItems 1 @maxItems 3 @uniqueItems */
  "a-b"?: {
    /** @integer */
    x?: number;
  }[];
  any?: unknown;
}`

func TestPretty(t *testing.T) {
	s := schema.New(parse(t, `{"type":"object","required":["name"],"properties":{
		"name":{"type":"string","description":"A \"name\" */ not ended","default":"x","format":"email","minLength":1,"maxLength":9,"pattern":"^a","deprecated":true},
		"n":{"type":"integer","description":"\nOne.  \n\nTwo.","minimum":1,"multipleOf":2,"maximum":9007199254740991,"exclusiveMinimum":0},
		"a-b":{"type":"array","minItems":1,"maxItems":3,"uniqueItems":true,"items":{"properties":{"x":{"type":"integer","minimum":-9007199254740991}}}},
		"any":{}}}`))
	if got := s.Render(schema.Pretty, nil).Type; got != pretty {
		t.Errorf("got\n%s\nwant\n%s", got, pretty)
	}
}

func TestNamesAreShared(t *testing.T) {
	tree := `{"$ref":"#/$defs/Node","$defs":{"Node":{"properties":{"next":{"$ref":"#/$defs/Node"}}}}}`
	other := `{"$ref":"#/$defs/Node","$defs":{"Node":{"properties":{"other":{"$ref":"#/$defs/Node"},"leaf":{"$ref":"#/$defs/Leaf"}}},"Leaf":{"properties":{"leaf":{"$ref":"#/$defs/Leaf"}}}}}`
	var names schema.Names
	names.Reserve("Leaf")
	var got []string
	for _, text := range []string{tree, tree, other, tree} {
		r := schema.New(parse(t, text)).Render(schema.Compact, &names)
		got = append(got, r.Type)
		got = append(got, r.Declarations...)
	}
	want := []string{"Node", "type Node = { next?: Node }", "Node", "Node2", "type Node2 = { other?: Node2; leaf?: Leaf2 }", "type Leaf2 = { leaf?: Leaf2 }", "Node"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestDepthEnds(t *testing.T) {
	deep := schema.New(parse(t, strings.Repeat(`{"properties":{"a":`, 9)+`{"properties":{"b":{"type":"string"}}}`+strings.Repeat(`}}`, 9)))
	want := strings.Repeat(`{ a?: `, 9) + `unknown` + strings.Repeat(` }`, 9)
	if got := deep.Render(schema.Compact, nil).Type; got != want {
		t.Errorf("got %s", got)
	}
	if got := deep.Outline(); got != `{ a?: { a?: unknown } }` {
		t.Errorf("outline: %s", got)
	}
}

func TestLongUnionsEndInTheirType(t *testing.T) {
	values := ""
	for i := range 150 {
		values += `"v` + strings.Repeat("x", i) + `",`
	}
	got := schema.New(parse(t, `{"enum":[`+values+`7]}`)).Render(schema.Compact, nil).Type
	if !strings.HasPrefix(got, `"v" | "vx" | `) || !strings.HasSuffix(got, ` | string | number`) || strings.Count(got, "|") != 101 {
		t.Errorf("got %s", got)
	}
}

func TestArgument(t *testing.T) {
	for text, want := range map[string]schema.Need{
		`{"type":"object"}`: schema.Unneeded, `{"type":"object","properties":{}}`: schema.Unneeded, `{"type":"object","properties":{},"additionalProperties":false,"required":[]}`: schema.Unneeded,
		`{"$schema":"http://json-schema.org/draft-07/schema#"}`: schema.Optional, `{}`: schema.Optional, `true`: schema.Optional, `{"type":"object","additionalProperties":true}`: schema.Optional,
		`{"properties":{"a":{}}}`: schema.Optional, `{"properties":{"a":{}},"required":["a"]}`: schema.Required, `{"type":"string"}`: schema.Required, `{"type":["object","null"]}`: schema.Optional,
		`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`: schema.Required, `{"anyOf":[{"required":["a"]},{}]}`: schema.Optional, `{"allOf":[{"required":["a"]}]}`: schema.Required,
		`{"$ref":"#/$defs/a","$defs":{"a":{"required":["x"]}}}`: schema.Required, `{"$ref":"#"}`: schema.Optional, `false`: schema.Required, `{"minProperties":1}`: schema.Required, `{"const":1}`: schema.Required,
	} {
		if got := schema.New(parse(t, text)).Argument(); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
	if got := (*schema.Schema)(nil).Argument(); got != schema.Optional {
		t.Errorf("no schema: %d", got)
	}
}

// Every recorded schema renders and either compiles or says why not.
func TestRecordedSchemas(t *testing.T) {
	n, refused := 0, 0
	for _, l := range fixture.Lists() {
		for _, of := range l.Tools {
			n++
			for _, s := range []*schema.Schema{schema.New(of.Input), schema.New(of.Output)} {
				if err := s.Err(); err != nil {
					refused++
					t.Logf("%s %s: %v", l.Server, of.Name, err)
				}
				if s != nil && s.Render(schema.Compact, nil).Type == "unknown" && s.Object().Len() > 1 {
					t.Errorf("%s %s renders as unknown", l.Server, of.Name)
				}
			}
		}
	}
	if n != 946 || refused > 0 {
		t.Errorf("%d tools, %d schemas that cannot be enforced", n, refused)
	}
}

func BenchmarkRender(b *testing.B) {
	var all []*schema.Schema
	for _, l := range fixture.Lists() {
		for _, of := range l.Tools {
			all = append(all, schema.New(of.Input))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range all {
			s.Render(schema.Compact, nil)
		}
	}
}

// References that double at each step cost the document, not what it would
// expand to.
func TestReferencesThatDouble(t *testing.T) {
	var defs strings.Builder
	for i := range 200 {
		fmt.Fprintf(&defs, `"d%d":{"properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1)
	}
	s := schema.New(parse(t, `{"$ref":"#/$defs/d0","$defs":{`+defs.String()+`"d200":{"type":"string"}}}`))
	r := s.Render(schema.Compact, nil)
	if len(r.Declarations) == 0 || len(strings.Join(r.Declarations, "")) > 20000 {
		t.Errorf("%d declarations, %d bytes", len(r.Declarations), len(strings.Join(r.Declarations, "")))
	}
}

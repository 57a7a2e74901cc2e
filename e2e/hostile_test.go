package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// hostile are documents that want to break the text, the renderer or the
// compiler.
func hostile() []string {
	var bomb, chain, many, names, wide strings.Builder
	for i := range 40 {
		fmt.Fprintf(&bomb, `"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1)
		fmt.Fprintf(&chain, `"c%d":{"allOf":[{"$ref":"#/$defs/c%d"},{"$ref":"#/$defs/c%d"}]},`, i, i+1, i+1)
	}
	for i := range 30000 {
		fmt.Fprintf(&many, `"value number %d, %s",`, i, strings.Repeat("x", 20))
		fmt.Fprintf(&names, `"p%d":{"type":"object","properties":{"q":{"enum":[%d]}}},`, i, i)
		fmt.Fprintf(&wide, `{"type":"object","properties":{"q%d":{"const":%d}}},`, i, i)
	}
	return []string{
		`{"$ref":"#"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"string"}]}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"properties":{"x":{"$ref":"#/$defs/a"}}}]},"b":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"object","properties":{"y":{"type":"string"}}}]}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"array","items":{"$ref":"#/$defs/a"}}]}}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"$ref":"#/$defs/a"}}}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","propertyNames":{"enum":["x","y"]},"additionalProperties":{"$ref":"#/$defs/a"}}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":{"$ref":"#/$defs/a"}}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"array","prefixItems":[{"$ref":"#/$defs/a"}],"minItems":0,"items":{"$ref":"#/$defs/a"}}}}`,
		`{"properties":{"x":{"$ref":"#/properties/y"},"y":{"$ref":"#/properties/x"},"z":{"$ref":"#/properties/z"}}}`,
		`{"properties":{"a":{"properties":{"b":{"$ref":"#/properties/a"},"c":{"$ref":"#/properties/a/properties/c"}}}}}`,
		`{"$ref":"#/$defs/d0","$defs":{` + bomb.String() + `"d40":{"type":"string"}}}`,
		`{"$ref":"#/$defs/c0","$defs":{` + chain.String() + `"c40":{"properties":{"x":{"$ref":"#/$defs/c0"}}}}}`,
		`{"enum":[` + many.String() + `1,null]}`, `{"properties":{` + names.String() + `"last":{}},"required":["last"]}`, `{"anyOf":[` + wide.String() + `{"type":"string"}]}`,
		`{"required":[` + many.String() + `"x"]}`, `{"propertyNames":{"enum":[` + many.String() + `"x"]},"additionalProperties":{"type":"string"}}`,
		strings.Repeat(`{"type":"array","items":`, 900/1) + `{}` + strings.Repeat(`}`, 900),
		strings.Repeat(`{"properties":{"a":`, 400) + `{}` + strings.Repeat(`}}`, 400),
		strings.Repeat(`{"anyOf":[{"type":"string"},`, 400) + `{}` + strings.Repeat(`]}`, 400),
		strings.Repeat(`{"allOf":[{"properties":{"a":{"type":"string"}}},`, 400) + `{}` + strings.Repeat(`]}`, 400),
		`{"properties":{"a":{"description":"*/ } evil(); /* \u2028 */ ${x} $& // <script>","type":"string","default":"*/","pattern":"*/","format":"*/\n*/"}}}`,
		`{"title":"*/","description":"*/","$ref":"#/$defs/*~1","$defs":{"*/":{"description":"**//*/","properties":{"x":{"$ref":"#/$defs/*~1"}}}}}`,
		`{"properties":{"` + strings.Repeat("k", 100000) + `":{"type":"string"},"b":{"const":"` + strings.Repeat("v", 100000) + `"}}}`,
		`{"properties":{"a":{"$ref":"#/$defs/string"},"b":{"$ref":"#/$defs/string"},"c":{"$ref":"#/$defs/Promise"},"d":{"$ref":"#/$defs/1x"},"e":{"$ref":"#/$defs/"},"f":{"$ref":"#/$defs/Record"},"g":{"$ref":"#/$defs/Partial"}},
		 "$defs":{"string":{"properties":{"self":{"$ref":"#/$defs/string"}}},"Promise":{"properties":{"self":{"$ref":"#/$defs/Promise"}}},"1x":{"properties":{"self":{"$ref":"#/$defs/1x"}}},
		 "":{"properties":{"self":{"$ref":"#/$defs/"}}},"Record":{"additionalProperties":{"type":"array","items":{"$ref":"#/$defs/Record"}}},"Partial":{"properties":{"self":{"$ref":"#/$defs/Partial"}}}}}`,
		`{"enum":[1e400,-1e400,1e-400,12345678901234567890123,-0,0.1,1e21,-5]}`, `{"enum":["\ud800","\u2028","\u0000","\\","\"","'","` + "`" + `"]}`,
		`{"type":"objekt"}`, `{"type":5}`, `{"type":[]}`, `{"type":["string",5]}`, `{"properties":5}`, `{"properties":{"a":5}}`, `{"items":5}`, `{"required":5}`, `{"enum":5}`, `{"enum":[]}`,
		`{"anyOf":5}`, `{"anyOf":[]}`, `{"anyOf":[5]}`, `{"allOf":{"a":1}}`, `{"additionalProperties":5}`, `{"patternProperties":5}`, `{"prefixItems":5}`, `{"prefixItems":[]}`, `{"$ref":5}`,
		`{"$ref":"http://x/y"}`, `{"$ref":"#/nothing"}`, `{"$ref":"#/$defs/%zz"}`, `{"$ref":"#anchor","$defs":{"a":{"$anchor":"anchor","type":"string"}}}`, `{"$defs":{"a":5},"$ref":"#/$defs/a"}`,
		`{"patternProperties":{"[":{"type":"string"}},"not":{"type":"null"},"if":{},"then":{},"else":false,"dependentSchemas":{}}`, `[]`, `5`, `null`, `"x"`,
		`{"type":["object","null"],"properties":{"a":{"type":"string","nullable":true}}}`, `{"const":{"a":[[[[[[1]]]]]]}}`,
		`{"type":"array","items":[{"type":"string"}],"additionalItems":{"$ref":"#"},"minItems":-5,"maxItems":"x"}`,
	}
}

// longest bounds a rendering of any document.
const longest = 600 << 10

func TestHostileSchemas(t *testing.T) {
	b := &strings.Builder{}
	for i, text := range hostile() {
		s := parse(t, text)
		for _, style := range []schema.Style{schema.Compact, schema.Pretty} {
			r := rendered(t, s, style)
			define(b, fmt.Sprintf("h%d_%d", i, style), r)
			if n := len(r.Type + strings.Join(r.Declarations, "")); n > longest {
				t.Errorf("document %d, style %d: %d bytes", i, style, n)
			}
		}
	}
	accept(t, b.String())
}

// random makes schemas that TypeScript can say, and values for them.
type random struct {
	*rand.Rand
	depth int
}

func (r *random) pick(texts ...string) string { return texts[r.IntN(len(texts))] }

func (r *random) schema() string {
	r.depth++
	defer func() { r.depth-- }()
	kinds := 12
	if r.depth > 3 {
		kinds = 7
	}
	switch r.IntN(kinds) {
	case 0:
		return `{"type":"string"}`
	case 1:
		return `{"type":"number"}`
	case 2:
		return `{"type":["boolean","null"]}`
	case 3:
		return `{"enum":["a","b",1]}`
	case 4:
		return `{"const":` + r.pick(`"a"`, `true`, `null`, `{"k":"a"}`) + `}`
	case 5:
		return `{"$ref":"#/$defs/` + r.pick("A", "B", "C") + `"}`
	case 6:
		return `{"type":["string","number"]}`
	case 7:
		return `{"type":"array","items":` + r.schema() + `}`
	case 8:
		return `{"type":"array","prefixItems":[` + r.schema() + `,` + r.schema() + `],"minItems":` + r.pick("1", "2") + `,"items":` + r.pick("false", r.schema()) + `}`
	case 9:
		return `{"anyOf":[` + r.schema() + `,` + r.schema() + `]}`
	case 10:
		return `{"type":"object","additionalProperties":` + r.schema() + `}`
	}
	return `{"type":"object","properties":{"k":` + r.schema() + `,"l":` + r.schema() + `},"required":[` + r.pick(`"k"`, `"l"`, ``) + `],"additionalProperties":false}`
}

func (r *random) value() string {
	r.depth++
	defer func() { r.depth-- }()
	kinds := 10
	if r.depth > 3 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0, 1:
		return r.pick(`"a"`, `"b"`, `"c"`)
	case 2:
		return r.pick(`1`, `2`)
	case 3:
		return r.pick(`true`, `false`)
	case 4:
		return `null`
	case 5:
		return r.pick(`[]`, `{}`)
	case 6:
		return `[` + r.value() + `]`
	case 7:
		return `[` + r.value() + `,` + r.value() + `]`
	case 8:
		return `{"k":` + r.value() + `}`
	}
	return `{"k":` + r.value() + `,"l":` + r.value() + `}`
}

// What the validator takes the type takes; and what it refuses the type
// refuses, unless the type is a union, of which TypeScript mixes the members.
func TestRandomSchemas(t *testing.T) {
	r := &random{Rand: rand.New(rand.NewPCG(7, 11))}
	b := &strings.Builder{}
	fits, refused := 0, 0
	for i := range 400 {
		body := r.schema()
		text := `{"properties":{"v":` + body + `},"required":["v"],"additionalProperties":false,"$defs":{"A":` + r.schema() +
			`,"B":{"type":"array","items":` + r.schema() + `},"C":{"type":"object","properties":{"k":` + r.schema() + `},"additionalProperties":false}}}`
		s := parse(t, text)
		if s.Err() != nil {
			t.Fatalf("%s: %v", text, s.Err())
		}
		define(b, fmt.Sprintf("r%d", i), rendered(t, s, schema.Style(i%2)))
		ambiguous := strings.Contains(text, "anyOf")
		for range 12 {
			value := `{"v":` + r.value() + `}`
			v, err := data.ParseString(value)
			if err != nil {
				t.Fatal(err)
			}
			ok := s.Validate("value", v) == nil
			if !ok && (ambiguous || refused > 3*fits) {
				continue
			}
			if ok {
				fits++
			} else {
				refused++
			}
			assign(b, fmt.Sprintf("r%d.Type", i), value, ok)
		}
	}
	t.Logf("%d values fit, %d do not", fits, refused)
	if fits < 300 || refused < 300 {
		t.Error("too few values of a kind")
	}
	accept(t, b.String())
}

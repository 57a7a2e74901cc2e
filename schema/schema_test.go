package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/schema"
	"pgregory.net/rapid"
)

func parse(t *testing.T, text string) data.Value {
	t.Helper()
	v, err := data.ParseString(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

const sample = `{"type":"object","properties":{
	"query":{"type":"string","minLength":2},
	"limit":{"type":"integer","minimum":1,"maximum":100},
	"sort":{"enum":["asc","desc"]},
	"tags":{"type":"array","items":{"type":"string"}},
	"owner":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false},
	"when":{"anyOf":[{"type":"string"},{"type":"null"}]},
	"filter":{"oneOf":[
		{"type":"object","properties":{"kind":{"const":"state"},"state":{"enum":["open","closed"]}},"required":["kind","state"]},
		{"type":"object","properties":{"kind":{"const":"label"},"label":{"type":"string"}},"required":["kind","label"]}]},
	"code":{"type":"string","pattern":"^[A-Z]{3}$"},
	"big":{"type":"integer"}
},"required":["query"],"additionalProperties":false}`

func TestMessages(t *testing.T) {
	s := schema.New(parse(t, sample))
	for input, want := range map[string]string{
		`{"query":"ok","limit":5,"tags":["a"],"when":null,"filter":{"kind":"label","label":"x"},"code":"ABC"}`: ``,
		`{"query":"ok","big":12345678901234567890123}`:                                                         ``,
		`{"query":"ok","limit":"5"}`:                                                                           `input.limit: expected integer, got string "5"`,
		`{"query":"ok","limit":5.5}`:                                                                           `input.limit: expected integer, got number 5.5`,
		`{"query":"ok","limit":0}`:                                                                             `input.limit: must be ≥ 1, got number 0`,
		`{"query":"x"}`:                                                                                        `input.query: must have at least 2 characters, has 1, got string "x"`,
		`{}`:                                                                                                   `input.query: required`,
		`{"query":"ok","qeury":"x"}`:                                                                           `input.qeury: unknown field (did you mean "query"?)`,
		`{"query":"ok","sort":"acs"}`:                                                                          `input.sort: expected "asc" or "desc", got string "acs" (did you mean "asc"?)`,
		`{"query":"ok","sort":7}`:                                                                              `input.sort: expected "asc" or "desc", got number 7`,
		`{"query":"ok","tags":["a",3]}`:                                                                        `input.tags[1]: expected string, got number 3`,
		`{"query":"ok","tags":"a"}`:                                                                            `input.tags: expected array, got string "a"`,
		`{"query":"ok","owner":{"name":"x"}}`:                                                                  `input.owner.name: unknown field (expected fields: id); input.owner.id: required`,
		`{"query":"ok","when":5}`:                                                                              `input.when: expected string or null, got number 5`,
		`{"query":"ok","filter":{"kind":"state","state":"up"}}`:                                                `input.filter.state: expected "open" or "closed", got string "up"`,
		`{"query":"ok","filter":{"kind":"label"}}`:                                                             `input.filter.label: required`,
		`{"query":"ok","code":"abc"}`:                                                                          `input.code: must match /^[A-Z]{3}$/, got string "abc"`,
		`"text"`:                                                                                               `input: expected object, got string "text"`,
		`null`:                                                                                                 `input: expected object, got null`,
		`{"query":"ok","a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"limit":{}}`: `; and 2 more`,
	} {
		err := s.Validate("input", parse(t, input))
		if invalid, ok := err.(*schema.Invalid); ok {
			invalid.Suggest(diagnostics.Nearest)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if strings.HasPrefix(want, ";") && strings.HasSuffix(got, want) {
			continue
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", input, got, want)
		}
	}
}

func TestBadSchemasAreNotEnforced(t *testing.T) {
	for _, text := range []string{
		`{"type":"wrong"}`, `{"type":"object","required":"x"}`, `{"$ref":"file:///etc/passwd"}`, `{"$ref":"https://example.com/s"}`, `{"$ref":"#/$defs/none"}`,
		`{"type":"object","properties":5}`, `5`,
	} {
		s := schema.New(parse(t, text))
		if err := s.Err(); err == nil || strings.Contains(err.Error(), "root:") {
			t.Errorf("%s: Err() = %v", text, err)
		}
		if err := s.Validate("input", data.String("x")); err != nil {
			t.Errorf("%s: enforced: %v", text, err)
		}
	}
	strange := schema.New(parse(t, `{"$schema":"https://example.com/dialect","type":"string","pattern":"(?<=a)b"}`))
	if err := strange.Err(); err != nil {
		t.Errorf("a foreign dialect or pattern costs the schema: %v", err)
	}
	if err := strange.Validate("input", data.Bool(true)); err == nil {
		t.Error("the rest of the schema is not enforced")
	}
	if err := (*schema.Schema)(nil).Validate("input", data.Null{}); err != nil {
		t.Error(err)
	}
}

type level string

func (level) Enum() []any { return []any{"low", "high"} }

type Meta struct {
	Tag string `json:"tag"`
}

type page[T any] struct {
	Items []T     `json:"items"`
	Next  *string `json:"next"`
}

type node struct {
	Name string          `json:"name" desc:"a name, with a comma"`
	Kids []node          `json:"kids,omitempty"`
	ByID map[int]*node   `json:"byId"`
	Any  any             `json:"any"`
	Raw  json.RawMessage `json:"raw"`
	Num  json.Number     `json:"num"`
	At   time.Time       `json:"at"`
	Lvl  level           `json:"lvl,omitempty"`
	Cnt  uint            `json:"cnt" jsonschema:"description=how many,maximum=10"`
	Data data.Value      `json:"data"`
	Opt  *page[Meta]     `json:"opt"`
	Str  int             `json:"str,string"`
	Skip string          `json:"-"`
	*Meta
}

func TestInference(t *testing.T) {
	s, err := schema.Of[node](schema.Input)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"properties":{` +
		`"name":{"type":"string","description":"a name, with a comma"},` +
		`"kids":{"items":{"$ref":"#/$defs/Node"},"type":"array"},` +
		`"byId":{"additionalProperties":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]},"type":"object","propertyNames":{"pattern":"^-?(0|[1-9][0-9]{0,18})$"}},` +
		`"any":true,"raw":true,"num":{"type":"number"},"at":{"type":"string","format":"date-time"},` +
		`"lvl":{"type":"string","enum":["low","high"]},` +
		`"cnt":{"type":"integer","maximum":10,"description":"how many","minimum":0},` +
		`"data":true,"opt":{"anyOf":[{"$ref":"#/$defs/PageMeta"},{"type":"null"}]},` +
		`"str":{"type":"string","pattern":"^-?(0|[1-9][0-9]{0,18})$"},"tag":{"type":"string"}},` +
		`"additionalProperties":false,"type":"object",` +
		`"required":["name","byId","any","raw","num","at","cnt","data","opt","str"]}`
	document := s.Object()
	defs, _ := document.Get("$defs")
	got := map[string]any{}
	json.Unmarshal([]byte(data.JSON(document)), &got)
	delete(got, "$defs")
	expected := map[string]any{}
	if err := json.Unmarshal([]byte(want), &expected); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(expected) {
		t.Errorf("got  %s\nwant %s", data.JSON(document), want)
	}
	if names := strings.Join(s.Properties(), " "); names != "name kids byId any raw num at lvl cnt data opt str tag" {
		t.Errorf("order: %s", names)
	}
	if names := schema.New(defs).Object(); names.Len() != 3 {
		t.Errorf("$defs: %s", data.JSON(defs))
	}
	if err := s.Err(); err != nil {
		t.Errorf("the inferred schema does not compile: %v", err)
	}
	if _, err := schema.Of[struct{ C chan int }](schema.Input); err == nil || !strings.Contains(err.Error(), "chan") {
		t.Errorf("channel: %v", err)
	}
}

type record struct {
	S    string              `json:"s"`
	N    int64               `json:"n,omitempty"`
	F    float64             `json:"f"`
	P    *int                `json:"p"`
	O    *record             `json:"o,omitempty"`
	L    []record            `json:"l"`
	M    map[string][]string `json:"m"`
	B    []byte              `json:"b"`
	When time.Time           `json:"when"`
	A    [2]bool             `json:"a"`
	E    struct {
		X *Meta `json:"x"`
	} `json:"e"`
}

// What encoding/json writes of a value fits the schema of its type.
func TestValuesFitTheSchemaOfTheirType(t *testing.T) {
	s, err := schema.Of[record](schema.Output)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		v, err := data.From(draw(t, 3))
		if err != nil {
			t.Fatal(err)
		}
		v = s.Normalize(v)
		if err := s.Validate("output", v); err != nil {
			t.Fatalf("%s: %v", data.JSON(v), err)
		}
	})
}

func draw(t *rapid.T, depth int) record {
	r := record{
		S: rapid.String().Draw(t, "s"), N: rapid.Int64().Draw(t, "n"), F: rapid.Float64Range(-1e300, 1e300).Draw(t, "f"),
		M: rapid.SampledFrom([]map[string][]string{nil, {"a": nil}, {"b": {"c"}}}).Draw(t, "m"), When: time.Unix(0, 0),
	}
	if rapid.Bool().Draw(t, "p") {
		r.P = new(int)
		r.E.X = &Meta{}
		r.B = []byte("x")
	}
	if depth > 0 {
		if rapid.Bool().Draw(t, "o") {
			o := draw(t, depth-1)
			r.O = &o
		}
		for range rapid.IntRange(0, 2).Draw(t, "l") {
			r.L = append(r.L, draw(t, depth-1))
		}
	}
	return r
}

// The quick check never accepts what the full validator refuses.
func TestQuickCheckIsSound(t *testing.T) {
	plain := parse(t, sample)
	quickly := schema.New(plain)
	// An unknown format of pattern makes every quick check unsure.
	o := plain.(*data.Object)
	var members []data.Member
	for k, v := range o.All() {
		members = append(members, data.Member{Key: k, Value: v})
	}
	slowly := schema.New(data.NewObject(append(members, data.Member{Key: "minProperties", Value: data.IntOf(0)})))
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]string{`"x"`, `"ok"`, `5`, `5.5`, `0`, `null`, `[]`, `["a",1]`, `{}`, `{"id":1}`, `{"id":1,"x":2}`, `"asc"`,
			`{"kind":"label","label":"x"}`, `"ABC"`, `1e30`, `true`})
		text := "{"
		for i, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"query", "limit", "sort", "tags", "owner", "when", "filter", "code", "big", "zzz"}), 0, 5, rapid.ID).Draw(t, "keys") {
			if i > 0 {
				text += ","
			}
			text += `"` + key + `":` + value.Draw(t, key)
		}
		v, err := data.ParseString(text + "}")
		if err != nil {
			t.Fatal(err)
		}
		a, b := quickly.Validate("input", v), slowly.Validate("input", v)
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("%s}: %v / %v", text, a, b)
		}
	})
}

func BenchmarkValidate(b *testing.B) {
	s, _ := schema.Of[record](schema.Input)
	v, _ := data.ParseString(`{"s":"x","f":1.5,"p":null,"l":[],"m":{},"b":"","when":"2024-01-01T00:00:00Z","a":[true,false],"e":{"x":null}}`)
	if err := s.Validate("input", v); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Validate("input", v)
	}
}

type (
	endlessList []endlessList
	endlessMap  map[string]*endlessMap
	selfish     struct{ *selfish }
	holder      struct{ List endlessList }
	fine        struct{ Next *fine }
)

func TestTypesWithoutEndAreRefused(t *testing.T) {
	for name, of := range map[string]func(schema.Direction) (*schema.Schema, error){
		"endlessList": schema.Of[endlessList], "endlessMap": schema.Of[endlessMap], "selfish": schema.Of[selfish], "holder": schema.Of[holder],
	} {
		if _, err := of(schema.Input); err == nil || !strings.Contains(err.Error(), "contains itself") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := schema.Of[fine](schema.Input); err != nil {
		t.Error(err)
	}
}

func TestSchemasThatReferToThemselvesEnd(t *testing.T) {
	for _, text := range []string{
		`{"$ref":"#"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`,
		`{"$defs":{"a":{"properties":{"x":{"$ref":"#/$defs/b"}},"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}`,
	} {
		s := schema.New(parse(t, text))
		s.Validate("input", parse(t, `{"x":{"x":1}}`)) // must return
	}
	deep := schema.New(parse(t, `{"type":"array","items":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"array","items":{"$ref":"#/$defs/a"}}}}`))
	nest := func(core string) data.Value {
		return parse(t, strings.Repeat("[", 900)+core+strings.Repeat("]", 900))
	}
	if err := deep.Validate("input", nest("")); err != nil {
		t.Error(err)
	}
	if err := deep.Validate("input", nest("5")); err == nil || !strings.HasSuffix(err.Error(), "expected array, got number 5") {
		t.Errorf("%v", err)
	}
}

// A reference that leads back to itself says nothing: it accepts everything, as
// its rendering says, and leaves the rest of the schema in force.
func TestBareCyclesAcceptEverything(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"$ref":"#"}`, `{"a":1}`, ``}, {`{"$ref":"#"}`, `5`, ``}, {`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}`, `"x"`, ``},
		{`{"properties":{"a":{"$ref":"#/properties/a"}}}`, `{"a":[1]}`, ``}, {`{"items":{"$ref":"#/items"}}`, `[1,"a"]`, ``},
		{`{"anyOf":[{"$ref":"#"},{"type":"string"}]}`, `5`, ``}, {`{"oneOf":[{"$ref":"#"},{"type":"string"}]}`, `5`, ``},
		{`{"$ref":"#","type":"object"}`, `5`, `v: expected object, got number 5`},
		{`{"$ref":"#","required":["x"]}`, `{}`, `v.x: required`},
		{`{"properties":{"a":{"$ref":"#/properties/a"},"b":{"type":"string"}}}`, `{"a":1,"b":2}`, `v.b: expected string, got number 2`},
		{`{"properties":{"a":{"$ref":"#"},"b":{"type":"string"}}}`, `{"a":{"a":{"b":1}}}`, `v.a.a.b: expected string, got number 1`},
	} {
		got := ""
		if err := schema.New(parse(t, c.schema)).Validate("v", parse(t, c.value)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s on %s: got %s, want %s", c.schema, c.value, got, c.want)
		}
	}
	if got := schema.New(parse(t, `{"$ref":"#"}`)).Render(schema.Compact, nil); got.Type != "unknown" && (len(got.Declarations) != 1 || !strings.HasSuffix(got.Declarations[0], "= unknown")) {
		t.Errorf("%+v", got)
	}
}

// What the validator gets wrong by itself.
func TestHardening(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"properties":{"a":{"type":"string","nullable":true,"enum":["x"]},"nullable":{"type":"boolean"}}}`, `{"a":null,"nullable":true}`, ``},
		{`{"properties":{"a":{"type":"string","nullable":true}}}`, `{"a":1}`, `v.a: expected null or string, got number 1`},
		{`{"const":{"type":"string","nullable":true}}`, `{"type":"string","nullable":true}`, ``},
		{`{"properties":{"m":{"propertyNames":{"pattern":"^a"}},"z":{"propertyNames":{"pattern":"^a"}}}}`, `{"m":{"b":1},"z":{"c":1}}`,
			`v.m: the name "b" is not allowed here: names must match /^a/; v.z: the name "c" is not allowed here: names must match /^a/`},
		{`{"properties":{"m":{"propertyNames":{"pattern":"^a"}},"ok":{},"z":{"additionalProperties":{"propertyNames":{"pattern":"^a"}}}}}`,
			`{"ok":{"b":1},"m":{"b":1},"z":{"x":{"b":1},"y":{"a":1}}}`, `v.m: the name "b" is not allowed here: names must match /^a/; v.z.x: the name "b" is not allowed here: names must match /^a/`},
		{`{"type":"integer"}`, `1.0`, ``}, {`{"type":"integer"}`, `12345678901234567890123`, ``}, {`{"format":"email"}`, `"no mail"`, ``},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","minimum":1,"exclusiveMinimum":true}`, `1`, `v: must be > 1, got number 1`},
		{`{"oneOf":[{"properties":{"t":{"const":"a"},"n":{"type":"integer"}},"required":["t"]},{"properties":{"t":{"const":"b"},"s":{"type":"string"}},"required":["t"]}]}`,
			`{"t":"b","s":1,"n":"x"}`, `v.s: expected string, got number 1`},
	} {
		s := schema.New(parse(t, c.schema))
		if err := s.Err(); err != nil {
			t.Errorf("%s: %v", c.schema, err)
		}
		got := ""
		if err := s.Validate("v", parse(t, c.value)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s on %s\ngot  %s\nwant %s", c.schema, c.value, got, c.want)
		}
	}
}

func TestPatternsOfECMAScript(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		fits          bool
	}{
		{`^a(?=b)`, "ab", true}, {`^a(?=b)`, "ac", false}, {`(?<!x)y`, "xy", false}, {`^(\\w)\\1$`, "aa", true}, {`^(\\w)\\1$`, "ab", false},
		{`^(?!.*secret).*$`, "öffentlich", true}, {`[`, "not enforced", true}, {`^\\p{L}+$`, "é", true},
	} {
		s := schema.New(parse(t, `{"type":"string","pattern":"`+c.pattern+`"}`))
		if err := s.Validate("input", data.String(c.text)); (err == nil) != c.fits {
			t.Errorf("%s on %q: %v", c.pattern, c.text, err)
		}
	}
}

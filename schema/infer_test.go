package schema_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
	"pgregory.net/rapid"
)

type (
	Base struct {
		ID   string `json:"id" desc:"from base"`
		Name int
	}
	Left   struct{ Same string }
	Right  struct{ Same int }
	hidden struct {
		Seen string `json:"seen"`
	}
	colour  string
	text    struct{ s string }
	marshal struct{ s string }
)

func (colour) Enum() []any                     { return []any{"red", "blue"} }
func (t text) MarshalText() ([]byte, error)    { return []byte(t.s), nil }
func (t *text) UnmarshalText(b []byte) error   { t.s = string(b); return nil }
func (m marshal) MarshalJSON() ([]byte, error) { return json.Marshal([]string{m.s}) }

func (Base) SchemaComments() map[string]string {
	return map[string]string{"Base": "Base is the base.", "Base.ID": "not used", "Base.Name": "Name, as generated."}
}

// tagged is a struct type with fields A, B … of the types of values, all with
// one tag.
func tagged(tag string, values ...any) reflect.Type {
	var fields []reflect.StructField
	for i, v := range values {
		fields = append(fields, reflect.StructField{Name: string(rune('A' + i)), Type: reflect.TypeOf(v), Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

// What encoding/json does is what the schema says: one row for each thing that
// a reflector gets wrong.
func TestInferenceFollowsEncodingJSON(t *testing.T) {
	for _, c := range []struct {
		of   any
		in   bool
		want string // of the properties, or of the whole for types that are no structs
	}{
		{of: struct{ A *string }{}, want: `{"A":{"type":["string","null"]}}`},
		{of: struct {
			A *string `json:",omitempty"`
		}{}, want: `{"A":{"type":"string"}}`},
		{of: struct{ A []string }{}, want: `{"A":{"items":{"type":"string"},"type":"array"}}`},
		{of: struct {
			A []*int
			B map[string]*bool
		}{}, want: `{"A":{"items":{"type":["integer","null"]},"type":"array"},"B":{"additionalProperties":{"type":["boolean","null"]},"type":"object"}}`},
		{of: struct{ A map[string]int }{}, want: `{"A":{"additionalProperties":{"type":"integer"},"type":"object"}}`},
		{of: struct{ A map[int]bool }{}, want: `{"A":{"additionalProperties":{"type":"boolean"},"type":"object"}}`},
		{of: struct{ A map[uint8]bool }{}, in: true, want: `{"A":{"additionalProperties":{"type":"boolean"},"type":"object","propertyNames":{"pattern":"^(0|[1-9][0-9]{0,19})$"}}}`},
		{of: struct{ *Base }{}, want: `{"id":{"type":"string","description":"from base"},"Name":{"type":"integer","description":"Name, as generated."}}`},
		{of: struct {
			Base
			Name bool
		}{}, want: `{"id":{"type":"string","description":"from base"},"Name":{"type":"boolean"}}`},
		{of: struct {
			Name bool
			Base
		}{}, want: `{"Name":{"type":"boolean"},"id":{"type":"string","description":"from base"}}`},
		{of: struct {
			Left
			Right
			X int8
		}{}, want: `{"X":{"type":"integer"}}`},
		{of: struct{ hidden }{}, want: `{"seen":{"type":"string"}}`},
		{of: struct{ *hidden }{}, want: `{"seen":{"type":"string"}}`},
		{of: struct {
			Base `json:"base"`
		}{}, want: `{"base":{"$ref":"#/$defs/Base"}}`},
		{of: struct{ A page[int] }{}, want: `{"A":{"$ref":"#/$defs/PageInt"}}`},
		{of: struct{ A json.Number }{}, want: `{"A":{"type":"number"}}`},
		{of: struct{ A json.RawMessage }{}, want: `{"A":true}`},
		{of: struct{ A any }{}, want: `{"A":true}`},
		{of: struct {
			A any `desc:"anything"`
		}{}, want: `{"A":{"description":"anything"}}`},
		{of: struct{ A time.Duration }{}, want: `{"A":{"type":"integer"}}`},
		{of: struct{ A time.Time }{}, want: `{"A":{"type":"string","format":"date-time"}}`},
		{of: struct{ A []byte }{}, want: `{"A":{"type":"string","contentEncoding":"base64"}}`},
		{of: struct{ A [2]int }{}, want: `{"A":{"items":{"type":"integer"},"type":"array","maxItems":2,"minItems":2}}`},
		{of: struct{ A colour }{}, want: `{"A":{"type":"string","enum":["red","blue"]}}`},
		{of: struct{ A *colour }{}, want: `{"A":{"type":["string","null"],"enum":["red","blue",null]}}`},
		{of: struct{ A text }{}, want: `{"A":{"type":"string"}}`},
		{of: struct{ A netip.Addr }{}, want: `{"A":{"type":"string"}}`},
		{of: struct{ A marshal }{}, want: `{"A":true}`},
		{of: struct{ A map[text]int }{}, want: `{"A":{"additionalProperties":{"type":"integer"},"type":"object"}}`},
		{of: tagged(`json:",string"`, int(0), false, []int8{}), want: `{"A":{"type":"string"},"B":{"type":"string"},"C":{"items":{"type":"integer"},"type":"array"}}`},
		{of: tagged(`json:"-,"`, ""), want: `{"-":{"type":"string"}}`}, {of: tagged(`json:"-"`, ""), want: `{}`}, {of: tagged(`jsonschema:"-"`, ""), want: `{}`},
		{of: struct {
			A int8    `jsonschema:"minimum=1"`
			B uint16  `json:"b"`
			C int     `json:"c" jsonschema:"enum=1,enum=2"`
			D float32 `json:"d"`
		}{}, in: true, want: `{"A":{"type":"integer","minimum":1,"maximum":127},"b":{"type":"integer","minimum":0,"maximum":65535},"c":{"type":"integer","enum":[1,2]},` +
			`"d":{"type":"number","minimum":-3.4028235e+38,"maximum":3.4028235e+38}}`},
		{of: struct {
			A string `json:"a" jsonschema:"default=x,example=y,title=T" jsonschema_description:"long, with a comma"`
			d string
		}{}, want: `{"a":{"type":"string","title":"T","description":"long, with a comma","default":"x","examples":["y"]}}`},
	} {
		d := schema.Output
		if c.in {
			d = schema.Input
		}
		of, made := c.of.(reflect.Type)
		if !made {
			of = reflect.TypeOf(c.of)
		}
		s, err := schema.FromType(of, d)
		if err != nil {
			t.Errorf("%v: %v", of, err)
			continue
		}
		properties, _ := s.Object().Get("properties")
		if !data.Equal(properties, parse(t, c.want)) {
			t.Errorf("%T\ngot  %s\nwant %s", c.of, data.JSON(properties), c.want)
		}
		if err := s.Err(); err != nil {
			t.Errorf("%T: %v", c.of, err)
		}
	}
}

func TestRequiredFields(t *testing.T) {
	for _, c := range []struct {
		of   any
		want string
	}{
		{struct {
			A string
			B *string
			C string    `json:",omitempty"`
			D time.Time `json:",omitzero"`
			E []int
		}{}, `["A","B","E"]`},
		{struct{ *Base }{}, `null`}, {struct{ Base }{}, `["id","Name"]`},
	} {
		s, err := schema.FromType(reflect.TypeOf(c.of), schema.Output)
		if err != nil {
			t.Fatal(err)
		}
		required, _ := s.Object().Get("required")
		if got := data.JSON(required); got != c.want {
			t.Errorf("%T: got %s, want %s", c.of, got, c.want)
		}
	}
}

func TestTypesThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		of   any
		want string
		in   bool // only as input
	}{
		{struct{ C chan int }{}, "chan", false}, {struct{ F func() }{}, "func", false}, {struct{ C complex128 }{}, "complex128", false},
		{struct{ R io.Reader }{}, "interface io.Reader", true}, {struct{ E []error }{}, "interface error", true}, {struct{ C context.Context }{}, "interface context.Context", true},
		{struct{ *hidden }{}, "hidden", true},
	} {
		if _, err := schema.FromType(reflect.TypeOf(c.of), schema.Input); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T as input: %v", c.of, err)
		}
		if _, err := schema.FromType(reflect.TypeOf(c.of), schema.Output); (err == nil) != c.in {
			t.Errorf("%T as output: %v", c.of, err)
		}
	}
}

func TestFormatsThatDecodingNeeds(t *testing.T) {
	type in struct {
		At    time.Time   `json:"at,omitzero"`
		Data  []byte      `json:"data,omitempty"`
		N     int         `json:"n,omitempty"`
		U     uint64      `json:"u,omitempty"`
		S     int         `json:"s,string,omitempty"`
		M     map[int]int `json:"m,omitempty"`
		Email string      `json:"email,omitempty" jsonschema:"format=email"`
	}
	s, err := schema.Of[in](schema.Input)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"at":"2024-02-29T12:00:00Z","data":"aGk=","n":-9223372036854775808,"u":18446744073709551615,"s":"-12","m":{"-1":1},"email":"no mail"}`: "",
		`{"at":"yesterday"}`:        `input.at: must have the format date-time, got string "yesterday"`,
		`{"data":"?"}`:              `input.data: must be base64, got string "?"`,
		`{"n":9223372036854775808}`: `input.n: must be ≤ 9223372036854775807, got number 9223372036854775808`,
		`{"n":1e30}`:                `input.n: must be ≤ 9223372036854775807, got number 1e+30`,
		`{"u":-1}`:                  `input.u: must be ≥ 0, got number -1`,
		`{"s":"x"}`:                 `input.s: must match /^-?(0|[1-9][0-9]{0,18})$/, got string "x"`,
		`{"m":{"x":1}}`:             `input.m: the name "x" is not allowed here: the keys are integers`,
	} {
		got := ""
		if err := s.Validate("input", parse(t, text)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// kinds are types that random structs are made of.
var kinds = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int32](), reflect.TypeFor[uint](), reflect.TypeFor[uint16](),
	reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[[]byte](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[any](),
	reflect.TypeFor[json.RawMessage](), reflect.TypeFor[text](), reflect.TypeFor[node](), reflect.TypeFor[record](), reflect.TypeFor[Base](),
}

func randomType(t *rapid.T, depth int) reflect.Type {
	if depth > 0 {
		switch rapid.IntRange(0, 8).Draw(t, "shape") {
		case 0:
			return reflect.PointerTo(randomType(t, depth-1))
		case 1:
			return reflect.SliceOf(randomType(t, depth-1))
		case 2:
			key := rapid.SampledFrom([]reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[uint8]()}).Draw(t, "key")
			return reflect.MapOf(key, randomType(t, depth-1))
		case 3:
			return reflect.ArrayOf(rapid.IntRange(0, 3).Draw(t, "length"), randomType(t, depth-1))
		case 4:
			return randomStruct(t, depth-1)
		}
	}
	return rapid.SampledFrom(kinds).Draw(t, "kind")
}

func randomStruct(t *rapid.T, depth int) reflect.Type {
	var fields []reflect.StructField
	for i := range rapid.IntRange(0, 4).Draw(t, "fields") {
		tag := rapid.SampledFrom([]string{"", `json:"x%d"`, `json:"x%d,omitempty"`, `json:",omitzero"`, `json:",string"`, `json:"-"`, `json:"a b%d"`}).Draw(t, "tag")
		if strings.Contains(tag, "%d") {
			tag = fmt.Sprintf(tag, i)
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: randomType(t, depth), Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

// fill makes a random value.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "time"), rapid.Int64Range(0, 999).Draw(t, "nano")).UTC()))
		return
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(rapid.SampledFrom([]string{`null`, `{"a":[1]}`, `"x"`}).Draw(t, "raw")))
		return
	case reflect.TypeFor[json.Number]():
		v.SetString(rapid.SampledFrom([]string{`0`, `1.5`, `12345678901234567890`}).Draw(t, "number"))
		return
	case reflect.TypeFor[level]():
		v.SetString(rapid.SampledFrom([]string{"low", "high"}).Draw(t, "level"))
		return
	case reflect.TypeFor[data.Value]():
		v.Set(reflect.ValueOf(data.Value(data.String("x"))))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		bits := v.Type().Bits()
		v.SetInt(rapid.Int64Range(-1<<(bits-1), 1<<(bits-1)-1).Draw(t, "int"))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		limit := uint64(10) // node's Cnt has a maximum
		v.SetUint(rapid.Uint64Range(0, limit).Draw(t, "uint"))
	case reflect.Float32:
		v.SetFloat(float64(rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32).Draw(t, "float")))
	case reflect.Float64:
		v.SetFloat(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "float"))
	case reflect.Interface:
		v.Set(reflect.ValueOf(map[string]any{"a": []any{1.5, nil}}))
	default:
		fillParts(t, v, depth)
	}
}

func fillParts(t *rapid.T, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if depth > 0 && rapid.Bool().Draw(t, "pointer") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if depth > 0 && rapid.Bool().Draw(t, "slice") {
			v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 2).Draw(t, "length"), 2))
			for i := range v.Len() {
				fill(t, v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth > 0 && rapid.Bool().Draw(t, "map") {
			v.Set(reflect.MakeMap(v.Type()))
			key, item := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key, 0)
			fill(t, item, depth-1)
			v.SetMapIndex(key, item)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(t, f, depth)
			}
		}
	}
}

// What encoding/json writes of any value of any type is valid, in both
// directions.
func TestRandomTypesAndValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := randomStruct(t, 3)
		v := reflect.New(of)
		fill(t, v.Elem(), 3)
		text, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		written, err := data.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []schema.Direction{schema.Input, schema.Output} {
			s, err := schema.FromType(of, d)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Err(); err != nil {
				t.Fatalf("%s: %v", of, err)
			}
			if err := s.Validate("value", s.Normalize(written)); err != nil {
				t.Fatalf("%s\n%s\n%s\n%v", of, text, data.JSON(s.Document()), err)
			}
		}
	})
}

// fitting makes a value near to a schema.
func fitting(t *rapid.T, root *data.Object, v data.Value, depth int) data.Value {
	o, _ := v.(*data.Object)
	if ref, ok := o.Get("$ref"); ok && depth > 0 {
		defs, _ := root.Get("$defs")
		def, _ := defs.(*data.Object).Get(strings.TrimPrefix(string(ref.(data.String)), "#/$defs/"))
		return fitting(t, root, def, depth-1)
	}
	kind, _ := o.Get("type")
	name := strings.Trim(data.JSON(kind), `[]"`)
	name, _, _ = strings.Cut(name, `"`)
	if depth < 0 || rapid.IntRange(0, 40).Draw(t, "odd") == 40 {
		name = ""
	}
	switch name {
	case "string":
		return data.String(rapid.SampledFrom([]string{"", "x", "low", "aGk=", "2024-01-02T03:04:05Z", "2024-01-02t03:04:05z", "2016-12-31T23:59:60Z", "-7", "7", "true", "1e5", `"q"`, "a=", "a\n"}).Draw(t, "text"))
	case "integer", "number":
		return parseRapid(t, rapid.SampledFrom([]string{"0", "1", "-1", "7.0", "300", "70000", "1e10", "1e30", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551615", "1.5", "1e39", "1e-7"}).Draw(t, "n"))
	case "boolean":
		return data.Bool(true)
	case "array":
		items, _ := o.Get("items")
		var list []data.Value
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, fitting(t, root, items, depth-1))
		}
		return data.NewArray(list)
	case "object":
		return fittingObject(t, root, o, depth)
	}
	return parseRapid(t, rapid.SampledFrom([]string{"null", "{}", "[]", `"x"`, "1", `{"a":null}`}).Draw(t, "any"))
}

func fittingObject(t *rapid.T, root, o *data.Object, depth int) data.Value {
	var members []data.Member
	properties, _ := o.Get("properties")
	of, _ := properties.(*data.Object)
	for name, p := range of.All() {
		members = append(members, data.Member{Key: name, Value: fitting(t, root, p, depth-1)})
	}
	if values, ok := o.Get("additionalProperties"); ok && of.Len() == 0 {
		key := rapid.SampledFrom([]string{"0", "7", "-7", "300", "x", "99999999999999999999"}).Draw(t, "key")
		members = append(members, data.Member{Key: key, Value: fitting(t, root, values, depth-1)})
	}
	return data.NewObject(members)
}

func parseRapid(t *rapid.T, text string) data.Value {
	v, err := data.ParseString(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What is valid for the input schema of a type can be decoded, but for integers
// in texts and keys, whose pattern knows digits and no bounds.
func TestValidValuesDecode(t *testing.T) {
	decoded := 0
	rapid.Check(t, func(t *rapid.T) {
		of := randomStruct(t, 2)
		s, err := schema.FromType(of, schema.Input)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			v := fitting(t, s.Object(), s.Document(), 5)
			if s.Validate("input", v) != nil {
				continue
			}
			into := reflect.New(of)
			if err := data.Decode(v, into.Interface()); err != nil && !strings.Contains(err.Error(), "300") && !strings.Contains(err.Error(), "99999999999999999999") {
				t.Fatalf("%s\n%s\n%v", of, data.JSON(v), err)
			}
			decoded++
		}
	})
	if decoded < 20 {
		t.Errorf("only %d values were valid", decoded)
	}
}

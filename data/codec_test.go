package data

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

type odd struct {
	Name  string             `json:"name"`
	Count int8               `json:"count,omitempty"`
	Big   uint64             `json:"big"`
	Ratio float32            `json:"ratio"`
	Next  *odd               `json:"next,omitempty"`
	Tags  []string           `json:"tags"`
	Of    map[string]float64 `json:"of,omitempty"`
	When  time.Time          `json:"when,omitzero"`
	Raw   json.RawMessage    `json:"raw,omitempty"`
	Any   any                `json:"any"`
	Bytes []byte             `json:"bytes"`
	Three [3]bool            `json:"three"`
	loud
	Num  json.Number `json:"num,omitempty"`
	Text int         `json:"text,string"`
	Gone string      `json:"-"`
	Case int
}

type loud struct {
	Volume pointed `json:"volume"`
}

// pointed has its JSON form only where encoding/json can take its address.
type pointed struct{ n int }

func (p *pointed) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", p.n), nil }

type addressed struct {
	In *struct{ P pointed }
	At struct{ P pointed }
	On []pointed
	Of map[string]pointed
}

// typesOf draws types that a codec plans itself, and some that it leaves to encoding/json.
func typesOf(depth int) *rapid.Generator[reflect.Type] {
	return rapid.Custom(func(t *rapid.T) reflect.Type {
		simple := []reflect.Type{
			reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](),
			reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[any](), reflect.TypeFor[time.Time](), reflect.TypeFor[[]byte](), reflect.TypeFor[json.Number](), reflect.TypeFor[odd](),
		}
		kind := rapid.IntRange(0, 4+len(simple)).Draw(t, "kind")
		if depth == 0 || kind > 4 {
			return rapid.SampledFrom(simple).Draw(t, "simple")
		}
		switch kind {
		case 0:
			return reflect.PointerTo(typesOf(depth-1).Draw(t, "to"))
		case 1:
			return reflect.SliceOf(typesOf(depth-1).Draw(t, "item"))
		case 2:
			return reflect.MapOf(reflect.TypeFor[string](), typesOf(depth-1).Draw(t, "value"))
		}
		fields := make([]reflect.StructField, rapid.IntRange(0, 4).Draw(t, "fields"))
		for i := range fields {
			name := string(rune('A' + i))
			tag := rapid.SampledFrom([]string{"", `json:"x%d"`, `json:"x%d,omitempty"`, `json:"x%d,omitzero"`, `json:"same"`, `json:",omitempty"`, `json:"-"`, `json:"a-b%d"`, `json:"<%d"`}).Draw(t, "tag")
			fields[i] = reflect.StructField{Name: name, Type: typesOf(depth-1).Draw(t, "type"), Tag: reflect.StructTag(fmt.Sprintf(tag, i))}
			if tag == "" || tag == `json:"same"` || tag == `json:",omitempty"` || tag == `json:"-"` {
				fields[i].Tag = reflect.StructTag(tag)
			}
		}
		return reflect.StructOf(fields)
	})
}

// documents draws data that fits a type often, and not always.
func documents(t *rapid.T, of reflect.Type, depth int) Value {
	if depth == 0 || rapid.IntRange(0, 12).Draw(t, "stray") == 0 {
		return rapid.SampledFrom([]Value{Null{}, Bool(true), NumberOf(300), NumberOf(-1.5), NumberOf(math.NaN()), String("x"), String("\xed\xa0\x80"), Array{}, NewObject(nil), integer("12345678901234567890")}).Draw(t, "any")
	}
	switch of.Kind() {
	case reflect.Pointer:
		return documents(t, of.Elem(), depth)
	case reflect.Slice:
		items := make([]Value, rapid.IntRange(0, 3).Draw(t, "n"))
		for i := range items {
			items[i] = documents(t, of.Elem(), depth-1)
		}
		return NewArray(items)
	case reflect.Map:
		return NewObject([]Member{{"k", documents(t, of.Elem(), depth-1)}, {"\xed\xa0\x80", documents(t, of.Elem(), depth-1)}})
	case reflect.Struct:
		var members []Member
		for i := range of.NumField() {
			name, ok := fieldName(of.Field(i))
			if ok && rapid.Bool().Draw(t, "has") {
				members = append(members, Member{name, documents(t, of.Field(i).Type, depth-1)})
			}
		}
		if rapid.IntRange(0, 9).Draw(t, "more") == 0 {
			members = append(members, Member{"X0", NumberOf(1)})
		}
		return NewObject(members)
	case reflect.Bool:
		return Bool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		return String(rapid.SampledFrom([]string{"", "a", "é<", "\xed\xa0\x80"}).Draw(t, "string"))
	}
	return NumberOf(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 127, 128, -7, 65536, 1e21, 1 << 53, 0.1, math.MaxFloat64}).Draw(t, "number"))
}

// Decode and From are what encoding/json makes of the JSON text.
func TestCodecsDoWhatEncodingJSONDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := typesOf(3).Draw(t, "type")
		document := documents(t, of, 4)
		got, want := reflect.New(of), reflect.New(of)
		errGot, errWant := Decode(document, got.Interface()), json.Unmarshal(AppendJSON(nil, document), want.Interface())
		if of.Kind() == reflect.Interface {
			return // Decode keeps exact integers there
		}
		if fmt.Sprint(errGot) != fmt.Sprint(errWant) || !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Fatalf("%s into %v\ngot  %+v %v\nwant %+v %v", JSON(document), of, got.Elem(), errGot, want.Elem(), errWant)
		}
		for _, v := range []any{want.Elem().Interface(), want.Interface()} {
			text, err := json.Marshal(v)
			made, errMade := From(v)
			if (err == nil) != (errMade == nil) {
				t.Fatalf("%+v of %v: got %v, want %v", v, of, errMade, err)
			}
			if parsed, _ := Parse(text); err == nil && (!Equal(made, parsed) || JSON(made) != JSON(parsed)) {
				t.Fatalf("%+v of %v: got %s, want %s", v, of, JSON(made), text)
			}
		}
	})
}

func TestCodecsKeepToTheRulesOfAddresses(t *testing.T) {
	v := addressed{In: &struct{ P pointed }{pointed{1}}, At: struct{ P pointed }{pointed{2}}, On: []pointed{{3}}, Of: map[string]pointed{"k": {4}}}
	for _, v := range []any{v, &v, []addressed{v}, map[string]addressed{"v": v}, odd{loud: loud{pointed{5}}, Raw: json.RawMessage(` 1 `)}, &odd{Name: "\xff\xfe", Any: map[string]int{"b": 1, "a": 2}}} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := From(v); err != nil || !Equal(got, mustParse(t, string(text))) {
			t.Errorf("%+v: got %s %v, want %s", v, JSON(got), err, text)
		}
	}
}

// Into a value that has something already, encoding/json merges.
func TestDecodeMerges(t *testing.T) {
	got, want := odd{Name: "kept", Case: 3, Of: map[string]float64{"a": 1}}, odd{Name: "kept", Case: 3, Of: map[string]float64{"a": 1}}
	const document = `{"case":4,"of":{"b":2}}`
	if err := json.Unmarshal([]byte(document), &want); err != nil {
		t.Fatal(err)
	}
	if err := Decode(mustParse(t, document), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v %v, want %+v", got, err, want)
	}
}

func TestFromSeesCycles(t *testing.T) {
	type node struct{ Next *node }
	n := &node{}
	n.Next = n
	if v, err := From(n); err == nil {
		t.Errorf("got %v", v)
	}
}

func BenchmarkDecodeStruct(b *testing.B) {
	type in struct {
		Repo   string   `json:"repo"`
		Labels []string `json:"labels,omitempty"`
		Limit  int      `json:"limit,omitempty"`
	}
	v := mustParse(b, `{"repo":"acme/api","labels":["bug","p1"],"limit":20}`)
	b.ReportAllocs()
	for b.Loop() {
		var into in
		if err := Decode(v, &into); err != nil {
			b.Fatal(err)
		}
		if _, err := From(into); err != nil {
			b.Fatal(err)
		}
	}
}

func mustParse(t testing.TB, text string) Value {
	t.Helper()
	v, err := ParseString(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

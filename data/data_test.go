package data_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"pgregory.net/rapid"
)

// Expected texts are what V8 prints for String(x).
func TestNumberTextIsECMAScripts(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {1, "1"}, {-1, "-1"},
		{1000000000000000, "1000000000000000"}, {123456789012345680, "123456789012345680"},
		{1e+20, "100000000000000000000"}, {1e+21, "1e+21"}, {1.5e+21, "1.5e+21"}, {-1e+21, "-1e+21"},
		{0.000001, "0.000001"}, {1e-7, "1e-7"}, {1.5e-7, "1.5e-7"}, {0.1, "0.1"}, {0.000001234, "0.000001234"},
		{123.456, "123.456"}, {5e-324, "5e-324"}, {1.7976931348623157e+308, "1.7976931348623157e+308"},
		{1e+100, "1e+100"}, {1e-10, "1e-10"}, {9007199254740992, "9007199254740992"},
		{1152921504606847000, "1152921504606847000"}, {4.35, "4.35"}, {-1e-7, "-1e-7"},
		{1.0 / 3, "0.3333333333333333"}, {999999999999999.9, "999999999999999.9"},
		{1e+300, "1e+300"}, {2.5e-300, "2.5e-300"}, {math.Inf(-1), "-Infinity"}, {math.NaN(), "NaN"},
	} {
		if got := data.NumberOf(c.f).Text(); got != c.want {
			t.Errorf("Text(%g) = %s, want %s", c.f, got, c.want)
		}
	}
}

// Expected texts are what V8 prints for JSON.stringify(JSON.parse(x)).
func TestParseAndWriteAreJSONStringify(t *testing.T) {
	for _, c := range [][2]string{
		{`"a\"b\\c\n\r\t\b\f\u0001\u001f"`, `"a\"b\\c\n\r\t\b\f\u0001\u001f"`},
		{`"\u00e9\/漢😀"`, `"é/漢😀"`},
		{`"\ud83d"`, `"\ud83d"`}, {`"\ude00x"`, `"\ude00x"`}, {`"\uD83D\ud83d\ude00"`, `"\ud83d😀"`},
		{`"\u2028<>&"`, "\"\u2028<>&\""},
		{`{"a":1,"b":2,"a":3,"__proto__":4}`, `{"a":3,"b":2,"__proto__":4}`},
		{` [ 1 , -0 , 1e400, 1.50, 1E2 ] `, `[1,0,null,1.5,100]`},
		{`{"":{},"x":[]}`, `{"":{},"x":[]}`},
		{`true`, `true`}, {`null`, `null`},
	} {
		v, err := data.ParseString(c[0])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
		} else if got := data.JSON(v); got != c[1] {
			t.Errorf("%s: wrote %s, want %s", c[0], got, c[1])
		}
	}
	v, _ := data.ParseString(`{"b":[1,2.5,{}],"a":{"x":null,"y":[]},"":true}`)
	want := "{\n  \"b\": [\n    1,\n    2.5,\n    {}\n  ],\n  \"a\": {\n    \"x\": null,\n    \"y\": []\n  },\n  \"\": true\n}"
	if got := data.Indented(v, "  "); got != want {
		t.Errorf("indented: %s", got)
	}
}

func TestIntegersKeepTheirDigits(t *testing.T) {
	for _, c := range []struct {
		text  string
		exact bool
	}{
		{"9007199254740992", false}, {"9007199254740993", true}, {"-9007199254740993", true},
		{"12345678901234567890", true}, {"1152921504606846976", true}, {"9007199254740994", false},
		{strings.Repeat("7", 1000), true}, {"-5", false},
	} {
		v, err := data.ParseString(c.text)
		if err != nil {
			t.Fatal(err)
		}
		n := v.(data.Number)
		if n.Exact() != c.exact || n.Text() != c.text || data.JSON(n) != c.text {
			t.Errorf("%s: exact %v, text %s", c.text, n.Exact(), n.Text())
		}
		if want, _ := strconv.ParseFloat(c.text, 64); n.Float64() != want {
			t.Errorf("%s: float %v, want %v", c.text, n.Float64(), want)
		}
		if again, err := data.Integer(c.text); err != nil || !data.Equal(again, n) {
			t.Errorf("Integer(%s) = %v, %v", c.text, again, err)
		}
	}
	if v, _ := data.ParseString(strings.Repeat("7", 1001)); v.(data.Number).Exact() {
		t.Error("1001 digits must be an ordinary number")
	}
	if got := data.IntOf(math.MaxInt64).Text(); got != "9223372036854775807" {
		t.Errorf("IntOf(MaxInt64) = %s", got)
	}
	for _, bad := range []string{"", "-", "01", "1.5", "1e3", "+1", " 1", strings.Repeat("1", 1001)} {
		if n, err := data.Integer(bad); err == nil {
			t.Errorf("Integer(%q) = %v, want an error", bad, n)
		}
	}
}

func TestSyntaxErrorsSayWhere(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		part         string
	}{
		{"", 1, 1, "end of text"}, {"{\n  \"a\": 1,\n}", 3, 1, "double quotes"}, {"[1 2]", 1, 4, `"," or "]"`},
		{"01", 1, 2, "leading zeros"}, {"-", 1, 2, "digit"}, {"1.", 1, 3, "digit"}, {"[1,]", 1, 4, "value"},
		{`"😀" x`, 1, 6, "after the value"}, {"\"a\nb\"", 1, 3, "control character"}, {`"\x"`, 1, 3, "escape"},
		{`"\u12"`, 1, 4, "hexadecimal"}, {`"abc`, 1, 5, "unterminated"}, {"nul", 1, 4, "null"}, {"{\"a\" 1}", 1, 6, `":"`},
		{"'a'", 1, 1, "value"}, {"NaN", 1, 1, "value"}, {"[", 1, 2, "end of text"}, {"[1", 1, 3, "end of text"},
	} {
		_, err := data.ParseString(c.text)
		var at *data.SyntaxError
		if !errors.As(err, &at) {
			t.Errorf("%q: %v", c.text, err)
		} else if at.Line != c.line || at.Column != c.column || !strings.Contains(at.Message, c.part) {
			t.Errorf("%q: %v, want %d:%d …%s…", c.text, at, c.line, c.column, c.part)
		}
	}
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	if _, err := data.ParseString(deep); err == nil || !strings.Contains(err.Error(), "deeper than 1000") {
		t.Errorf("deep: %v", err)
	}
}

func TestFromGoValues(t *testing.T) {
	type inner struct {
		When time.Time `json:"when"`
		Skip string    `json:"-"`
		Opt  *int      `json:"opt,omitempty"`
	}
	type Out struct {
		ID    int64           `json:"id"`
		Raw   json.RawMessage `json:"raw"`
		Num   json.Number     `json:"num"`
		Data  data.Value      `json:"data"`
		Bytes []byte          `json:"bytes"`
		Inner inner           `json:"inner"`
	}
	exact, _ := data.Integer("12345678901234567890")
	v, err := data.From(Out{
		ID: math.MaxInt64, Raw: json.RawMessage(`{"z":1}`), Num: "1.50", Data: data.NewArray([]data.Value{exact, data.String("\xed\xa0\xbd<")}),
		Bytes: []byte("hi"), Inner: inner{When: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":9223372036854775807,"raw":{"z":1},"num":1.5,"data":[12345678901234567890,"\ud83d<"],"bytes":"aGk=","inner":{"when":"2024-02-03T04:05:06Z"}}`
	if got := data.JSON(v); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	v, err = data.From(map[string]any{"b": []any{1, nil, int64(2), "x\xff"}, "a": true, "c": []int(nil)})
	if err != nil || data.JSON(v) != `{"a":true,"b":[1,null,2,"x`+"\uFFFD"+`"],"c":null}` {
		t.Errorf("map: %s %v", data.JSON(v), err)
	}
}

func TestFromRefusesWithAPath(t *testing.T) {
	type node struct {
		Next *node `json:"next"`
	}
	loop := &node{}
	loop.Next = loop
	ring := map[string]any{}
	ring["self"] = ring
	for _, c := range []struct {
		v          any
		path, part string
	}{
		{map[string]any{"a": []any{1, func() {}}}, ".a[1]", "func"},
		{struct {
			Items []any `json:"the items"`
		}{[]any{0, make(chan int)}}, `["the items"][1]`, "chan"},
		{loop, ".next", "contains itself"},
		{ring, ".self", "cycle"},
		{math.NaN(), "", "NaN"},
		{[]float64{1, math.Inf(1)}, "[1]", "+Inf"},
	} {
		_, err := data.From(c.v)
		var at *data.PathError
		if !errors.As(err, &at) || !strings.HasPrefix(at.Path, c.path) || !strings.Contains(at.Message, c.part) {
			t.Errorf("%T: %v, want %s: …%s…", c.v, err, c.path, c.part)
		}
	}
}

func TestDecode(t *testing.T) {
	v, _ := data.ParseString(`{"n":12345678901234567890,"s":["x",1,true,null],"i":9007199254740993}`)
	var anything any
	if err := data.Decode(v, &anything); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"n": json.Number("12345678901234567890"), "s": []any{"x", 1.0, true, nil}, "i": json.Number("9007199254740993")}
	if !reflect.DeepEqual(anything, want) {
		t.Errorf("any: %#v", anything)
	}
	var typed struct {
		I int64
		S []any
	}
	if err := data.Decode(v, &typed); err != nil || typed.I != 9007199254740993 || len(typed.S) != 4 {
		t.Errorf("struct: %+v %v", typed, err)
	}
	var same data.Value
	if err := data.Decode(v, &same); err != nil || same != v {
		t.Errorf("Value: %v %v", same, err)
	}
}

func TestWideObjects(t *testing.T) {
	var members []data.Member
	for i := range 100 {
		members = append(members, data.Member{Key: strconv.Itoa(i % 50), Value: data.IntOf(int64(i))})
	}
	o := data.NewObject(members)
	if o.Len() != 50 || o.At(7).Key != "7" {
		t.Fatalf("len %d, at 7 %v", o.Len(), o.At(7))
	}
	if v, ok := o.Get("7"); !ok || v != data.IntOf(57) {
		t.Errorf("Get(7) = %v %v", v, ok)
	}
	if _, ok := o.Get("50"); ok {
		t.Error("Get(50) found something")
	}
}

func values() *rapid.Generator[data.Value] {
	return rapid.Custom(func(t *rapid.T) data.Value { return value(t, 3) })
}

func value(t *rapid.T, depth int) data.Value {
	top := 6
	if depth == 0 {
		top = 4
	}
	switch rapid.IntRange(0, top).Draw(t, "kind") {
	case 0:
		return data.Null{}
	case 1:
		return data.Bool(rapid.Bool().Draw(t, "bool"))
	case 2:
		return data.NumberOf(rapid.Float64().Draw(t, "float"))
	case 3:
		return data.IntOf(rapid.Int64().Draw(t, "int"))
	case 4:
		var units []byte
		for _, u := range rapid.SliceOfN(rapid.Uint16(), 0, 8).Draw(t, "units") {
			units = data.AppendUTF16(units, u)
		}
		return data.String(units)
	case 5:
		items := make([]data.Value, rapid.IntRange(0, 4).Draw(t, "items"))
		for i := range items {
			items[i] = value(t, depth-1)
		}
		return data.NewArray(items)
	}
	members := make([]data.Member, rapid.IntRange(0, 20).Draw(t, "members"))
	for i := range members {
		members[i] = data.Member{Key: rapid.StringN(0, 2, -1).Draw(t, "key"), Value: value(t, depth-1)}
	}
	return data.NewObject(members)
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values().Draw(t, "value")
		text := data.JSON(v)
		for _, form := range []string{text, data.Indented(v, "\t")} {
			again, err := data.ParseString(form)
			if err != nil || !data.Equal(again, v) || data.JSON(again) != text {
				t.Fatalf("%s: read back as %v, %v", form, data.JSON(again), err)
			}
		}
		if !json.Valid([]byte(text)) {
			t.Fatalf("not JSON: %s", text)
		}
	})
}

func FuzzParseAgreesWithEncodingJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x\u00e9"]}`, `[]`, `"\ud800"`, "{\"a\":\xff}", `-0`, `1e999`, `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := data.Parse(text)
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > data.MaxDepth {
			return
		}
		if (err == nil) != json.Valid(text) {
			t.Fatalf("%q: %v, encoding/json says valid=%v", text, err, json.Valid(text))
		}
		if err == nil && !json.Valid(data.AppendJSON(nil, v)) {
			t.Fatalf("%q: wrote %s", text, data.JSON(v))
		}
	})
}

func document() string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"id":` + strconv.Itoa(i) + `,"title":"Something to do with item","state":"open","labels":["bug","p1"],"score":1.25,"author":{"login":"ann","admin":false}}`)
	}
	b.WriteByte(']')
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := document()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := data.ParseString(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	v, _ := data.ParseString(document())
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = data.AppendJSON(buf[:0], v)
	}
	b.SetBytes(int64(len(buf)))
}

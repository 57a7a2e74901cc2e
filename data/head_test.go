package data_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/codemode-go/codemode/data"
)

// anyValue draws a value with texts of all kinds.
func anyValue(depth int) *rapid.Generator[data.Value] {
	return rapid.Custom(func(t *rapid.T) data.Value {
		kinds := 5
		if depth > 0 {
			kinds = 7
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return data.Null{}
		case 1:
			return data.Bool(rapid.Bool().Draw(t, "bool"))
		case 2:
			return data.NumberOf(rapid.Float64().Draw(t, "number"))
		case 3:
			return data.String(rapid.SampledFrom([]string{"", "plain", "quo\"te\\", "\n\x01\x7f", "é日本😀", "\xed\xa0\x80", "\xff", "a\xed\xb0\x80b", strings.Repeat("é", 50)}).Draw(t, "text"))
		case 4:
			return data.String(rapid.String().Draw(t, "text"))
		case 5:
			return data.NewArray(rapid.SliceOfN(anyValue(depth-1), 0, 4).Draw(t, "items"))
		}
		var members []data.Member
		for _, key := range rapid.SliceOfNDistinct(rapid.String(), 0, 4, rapid.ID).Draw(t, "keys") {
			members = append(members, data.Member{Key: key, Value: anyValue(depth-1).Draw(t, "member")})
		}
		return data.NewObject(members)
	})
}

// The head is the beginning of the whole text, and its length is counted without making it.
func TestJSONHead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(3).Draw(t, "value")
		whole := data.JSON(v)
		limit := rapid.IntRange(0, len(whole)+70).Draw(t, "limit")
		head, total, counted := data.JSONHead([]byte("x"), v, limit, len(whole))
		if !counted || total != len(whole) || len(head) > 1+limit || !strings.HasPrefix("x"+whole, string(head)) || len(whole) <= limit && string(head) != "x"+whole {
			t.Fatalf("%s: limit %d: got %q, %d, %v", whole, limit, head, total, counted)
		}
		if len(head) < 1+limit-6 && len(head) < 1+len(whole) {
			t.Fatalf("%s: limit %d: got only %q", whole, limit, head)
		}
		if most := rapid.IntRange(-1, len(whole)-1).Draw(t, "most"); most >= 0 {
			if _, total, counted := data.JSONHead(nil, v, limit, most); counted || total <= most {
				t.Fatalf("%s: most %d: got %d, %v", whole, most, total, counted)
			}
		}
	})
	text := data.Value(data.String(strings.Repeat("x", 1<<20)))
	many := make([]data.Value, 1<<20) // a terabyte of text
	for i := range many {
		many[i] = text
	}
	head, total, counted := data.JSONHead(nil, data.NewArray(many), 10, 1<<24)
	if string(head) != `["xxxxxxxx` || counted || total > 1<<26 {
		t.Error(string(head), total, counted)
	}
}

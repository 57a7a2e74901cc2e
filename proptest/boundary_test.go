package proptest

// This file defines the laws of the boundary between program and host.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
	"pgregory.net/rapid"
)

// keys are names that mean something to JavaScript, and others.
var keys = []string{"__proto__", "constructor", "prototype", "toString", "then", "length", "0", "1", "-1", "4294967295", "01", "", " ", "a", "b", "é", "a.b", "\u2028", "<", "\x00"}

var numbers = []string{"0", "-1", "1.5", "1e21", "1e-7", "123456789012345680000", "9007199254740993", "-9007199254740993", "12345678901234567890", "0.1", "5e-324", "1.7976931348623157e308", "4294967296"}

// drawData is a random value that JSON carries, as JSON text too.
func drawData(t *rapid.T, depth int) data.Value {
	kinds := []string{"null", "bool", "integer", "float", "number", "string"}
	if depth > 0 {
		kinds = append(kinds, "array", "object", "object")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "null":
		return data.Null{}
	case "bool":
		return data.Bool(rapid.Bool().Draw(t, "bool"))
	case "integer":
		return data.IntOf(rapid.Int64().Draw(t, "integer"))
	case "float":
		f := rapid.Float64().Draw(t, "float")
		if f == 0 {
			f = 0 // -0 is 0 at the boundary
		}
		if math.IsInf(f, 0) || math.IsNaN(f) {
			f = 1
		}
		return data.NumberOf(f)
	case "number":
		return parsed(t, rapid.SampledFrom(numbers).Draw(t, "number"))
	case "string":
		return data.String(rapid.OneOf(rapid.String(), rapid.SampledFrom(keys)).Draw(t, "string"))
	case "array":
		var items []data.Value
		for range rapid.IntRange(0, 4).Draw(t, "items") {
			items = append(items, drawData(t, depth-1))
		}
		return data.NewArray(items)
	}
	var members []data.Member
	seen := map[string]bool{}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		key := rapid.OneOf(rapid.String(), rapid.SampledFrom(keys)).Draw(t, "key")
		if !seen[key] {
			seen[key] = true
			members = append(members, data.Member{Key: key, Value: drawData(t, depth-1)})
		}
	}
	return data.NewObject(members)
}

func parsed(t *rapid.T, text string) data.Value {
	v, err := data.Parse([]byte(text))
	if err != nil {
		t.Fatal(text, err)
	}
	return v
}

// reference is the JSON text that encoding/json writes for a value that it parses from our text, with the two
// separators as they are.
func reference(t *rapid.T, v data.Value) string {
	dec := json.NewDecoder(strings.NewReader(data.JSON(v)))
	dec.UseNumber()
	var out bytes.Buffer
	encode(t, dec, &out)
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(out.String())
}

// encode copies a JSON text token by token through encoding/json, which keeps the order of the keys.
func encode(t *rapid.T, dec *json.Decoder, out *bytes.Buffer) {
	token, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	delim, nested := token.(json.Delim)
	if !nested {
		scalar(t, token, out)
		return
	}
	out.WriteString(delim.String())
	for i := 0; dec.More(); i++ {
		if i > 0 {
			out.WriteByte(',')
		}
		if delim == '{' {
			key, err := dec.Token()
			if err != nil {
				t.Fatal(err)
			}
			scalar(t, key, out)
			out.WriteByte(':')
		}
		encode(t, dec, out)
	}
	end, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	out.WriteString(end.(json.Delim).String())
}

func scalar(t *rapid.T, token json.Token, out *bytes.Buffer) {
	if n, ok := token.(json.Number); ok {
		// What is an integer keeps its digits; all else is a float64.
		if strings.Trim(string(n), "-0123456789") != "" {
			f, _ := n.Float64()
			token = f
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(token); err != nil {
		t.Fatal(err)
	}
	out.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func TestCopyOutOfCopyInIsTheIdentity(t *testing.T) {
	rt := newRuntime(t, codemode.Options{Tools: tool.Tree{
		"echo": tool.Raw("Give the input back", nil, func(_ context.Context, in data.Value) (data.Value, error) { return in, nil }),
	}})
	rapid.Check(t, func(t *rapid.T) {
		v := drawData(t, 4)
		program := `
const copy = (v) => Array.isArray(v) ? v.map(copy) : v && typeof v === "object" ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, copy(x)])) : v;
const back = await tools.echo({ v: input });
return { input, back: back.v, copy: copy(input), text: JSON.parse(JSON.stringify(input)), clone: structuredClone(input) };`
		r, err := rt.ExecuteWith(context.Background(), program, codemode.ExecOptions{Input: v})
		if err != nil || !r.OK {
			t.Fatal(err, r.Error)
		}
		want := canonical(t, v)
		for key, back := range r.Value.(*data.Object).All() {
			if got := data.JSON(back); got != want {
				t.Fatalf("%s: %s\nwant %s", key, got, want)
			}
		}
	})
}

// canonical is the JSON text of a value with its keys in the order of JavaScript: array indexes first, ascending.
func canonical(t *rapid.T, v data.Value) string {
	return reference(t, ordered(v))
}

func ordered(v data.Value) data.Value {
	switch v := v.(type) {
	case *data.Object:
		var indexes, rest []data.Member
		for key, value := range v.All() {
			m := data.Member{Key: key, Value: ordered(value)}
			if n, ok := index(m.Key); ok {
				at := len(indexes)
				for at > 0 && mustIndex(indexes[at-1].Key) > n {
					at--
				}
				indexes = append(indexes[:at], append([]data.Member{m}, indexes[at:]...)...)
			} else {
				rest = append(rest, m)
			}
		}
		return data.NewObject(append(indexes, rest...))
	case data.Array:
		var items []data.Value
		for _, item := range v.All() {
			items = append(items, ordered(item))
		}
		return data.NewArray(items)
	}
	return v
}

// index is the number that a key is the canonical text of, if it is an array index.
func index(key string) (uint32, bool) {
	var n uint64
	for _, c := range key {
		if c < '0' || c > '9' || n > 1<<32 {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return uint32(n), key != "" && n < 1<<32-1 && fmt.Sprint(n) == key
}

func mustIndex(key string) uint32 {
	n, _ := index(key)
	return n
}

func TestJSONTextIsTheReferenceEncoders(t *testing.T) {
	rt := newRuntime(t, codemode.Options{})
	rapid.Check(t, func(t *rapid.T) {
		v := drawData(t, 4)
		if got, want := data.JSON(v), reference(t, v); got != want {
			t.Fatalf("%s\nwant %s", got, want)
		}
		r, err := rt.ExecuteWith(context.Background(), `return JSON.stringify(input)`, codemode.ExecOptions{Input: v})
		if err != nil || !r.OK {
			t.Fatal(err, r.Error)
		}
		if got, want := string(r.Value.(data.String)), canonical(t, v); got != want {
			t.Fatalf("%s\nwant %s", got, want)
		}
	})
}

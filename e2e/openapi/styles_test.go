package openapi

// This file defines the comparison with another encoder of parameters and the
// decoding of what is sent by go-httpbin.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/mccutchen/go-httpbin/v2/httpbin"
	"github.com/oapi-codegen/runtime"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// sink keeps the target and the headers of the last request.
type sink struct {
	mu     sync.Mutex
	target string
	header http.Header
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.target, s.header = r.RequestURI, r.Header.Clone()
	w.WriteHeader(http.StatusNoContent)
}

func (s *sink) last() (string, http.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.target, s.header
}

var places = map[string]struct {
	styles []string
	at     runtime.ParamLocation
}{
	"path":   {[]string{"simple", "label", "matrix"}, runtime.ParamLocationPath},
	"query":  {[]string{"form", "spaceDelimited", "pipeDelimited", "deepObject"}, runtime.ParamLocationQuery},
	"header": {[]string{"simple"}, runtime.ParamLocationHeader},
	"cookie": {[]string{"form"}, runtime.ParamLocationCookie},
}

// values are of every shape. Keys are sorted, as the other encoder writes them.
var values = map[string]string{
	"text": `"blue"`, "number": `-12.5`, "integer": `42`, "boolean": `true`, "odd text": `"a b/c?d=e&f;g%h+é😀"`,
	"array": `["blue","black","brown"]`, "numbers": `[1,2.5,-3]`, "one": `["blue"]`, "odd array": `["a b","c/d","é&f"]`,
	"object": `{"B":150,"G":"x","R":true}`, "odd object": `{"a":"b c","d":"é/f"}`,
}

// undefined are the combinations that OpenAPI does not define; with them there is
// no tool, or the value is refused.
func undefined(style string, explode bool, shape string) bool {
	composite := strings.HasPrefix(shape, "{") || strings.HasPrefix(shape, "[")
	switch style {
	case "spaceDelimited":
		return explode || !composite || strings.Contains(shape, " ") // which would separate
	case "pipeDelimited":
		return explode || !composite
	case "deepObject":
		return !explode || !strings.HasPrefix(shape, "{")
	}
	return false
}

// silent are combinations that the other encoder has none for.
func silent(style string, explode bool, shape string) bool {
	return strings.HasSuffix(style, "Delimited") && strings.HasPrefix(shape, "{")
}

// canonical is what a decoder makes of an encoded text: what is escaped and what
// is not then makes no difference.
func canonical(in, text string) string {
	switch in {
	case "path", "cookie":
		text, _ = url.PathUnescape(text)
	case "query":
		text, _ = url.QueryUnescape(text)
	}
	return text
}

// wanted is what the other encoder writes. It joins cookies like a query and does
// not escape them.
func wanted(in, style string, explode bool, text string, v any) (string, error) {
	want, err := runtime.StyleParamWithLocation(style, explode, "color", places[in].at, v)
	if in == "cookie" && explode {
		separator := "&color="
		if strings.HasPrefix(text, "{") {
			separator = "&"
		}
		if text[0] == '{' || text[0] == '[' {
			want = strings.ReplaceAll(want, separator, strings.ReplaceAll(separator, "&", "; "))
		}
	}
	if in == "cookie" {
		return want, err
	}
	return canonical(in, want), err
}

func parameterDocument(in, style string, explode bool) string {
	path := "/p"
	if in == "path" {
		path = "/p/{color}"
	}
	return fmt.Sprintf(`{"openapi":"3.1.0","paths":{%q:{"get":{"operationId":"op","parameters":[{"name":"color","in":%q,"required":true,"style":%q,"explode":%v,"schema":{}}]}}}}`, path, in, style, explode)
}

func sent(in string, target string, header http.Header) string {
	switch in {
	case "path":
		return strings.TrimPrefix(target, "/p/")
	case "query":
		return strings.TrimPrefix(target, "/p?")
	case "header":
		return header.Get("Color")
	}
	return header.Get("Cookie")
}

// Every place, style, explode and shape, against oapi-codegen's runtime.
func TestStylesAgainstAnotherEncoder(t *testing.T) {
	s := &sink{}
	server := httptest.NewServer(s)
	defer server.Close()
	compared := 0
	for in, place := range places {
		for _, style := range place.styles {
			for _, explode := range []bool{false, true} {
				tree, skipped, err := openapi.Load([]byte(parameterDocument(in, style, explode)), openapi.Options{BaseURL: server.URL})
				if err != nil {
					t.Fatal(err)
				}
				if len(skipped) > 0 {
					if !undefined(style, explode, "{") {
						t.Errorf("%s %s explode=%v: %v", in, style, explode, skipped)
					}
					continue
				}
				p := tooltest.New(t, tree)
				for name, text := range values {
					o := p.Call("op", json.RawMessage(`{"color":`+text+`}`))
					what := fmt.Sprintf("%s %s explode=%v %s", in, style, explode, name)
					if undefined(style, explode, text) {
						if o.Failure == nil {
							t.Errorf("%s: sent, though OpenAPI does not define it", what)
						}
						continue
					}
					if o.Failure != nil {
						t.Errorf("%s: %s", what, o.Failure.Message)
						continue
					}
					if silent(style, explode, text) {
						continue
					}
					var v any
					if err := json.Unmarshal([]byte(text), &v); err != nil {
						t.Fatal(err)
					}
					want, err := wanted(in, style, explode, text, v)
					if err != nil {
						t.Errorf("%s: the other encoder: %v", what, err)
						continue
					}
					target, header := s.last()
					if got := canonical(in, sent(in, target, header)); got != want {
						t.Errorf("%s: got %s, want %s", what, got, want)
					}
					compared++
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("compared %d encodings", compared)
	}
}

// mirror is what go-httpbin says of a request.
type mirror struct {
	Args    map[string][]string `json:"args"`
	Headers map[string][]string `json:"headers"`
	Form    map[string][]string `json:"form"`
	Cookies map[string]string   `json:"cookies"`
	URL     string              `json:"url"`
}

// pairs is a multimap of names and values in turn.
func pairs(list ...string) map[string][]string {
	m := map[string][]string{}
	for i := 0; i < len(list); i += 2 {
		m[list[i]] = append(m[list[i]], list[i+1])
	}
	return m
}

// meant is what go-httpbin is to say for each operation of the document, given
// the input below. Styles of multipart bodies do not count in OpenAPI 3.0.
var meant = map[string]func(m mirror, server string) (got, want any){
	"GET /cookies":                 cookies(map[string]string{"primitive": "a%20b&c", "array": "z", "bar": "%C3%A9", "foo": "1%202"}),
	"GET /cookies#formNonExploded": cookies(map[string]string{"primitive": "a%20b&c", "array": "x%20y,z", "object": "bar,%C3%A9,foo,1%202"}),
	"GET /cookies#formExploded":    cookies(map[string]string{"primitive": "a%20b&c", "array": "z", "bar": "%C3%A9", "foo": "1%202"}),

	"GET /anything/headers":         headers("a b&c", "x y,z", "bar,é,foo,1 2"),
	"GET /anything/headers/simple":  headers("a b&c", "x y,z", "bar,é,foo,1 2"),
	"POST /anything/headers/simple": headers("a b&c", "x y,z", "bar=é,foo=1 2"),

	"GET /anything/path/{primitive}/{array}/{object}":         path("/a%20b%26c/x%20y,z/bar,%C3%A9,foo,1%202"),
	"GET /anything/path/simple/{primitive}/{array}/{object}":  path("/simple/a%20b%26c/x%20y,z/bar,%C3%A9,foo,1%202"),
	"POST /anything/path/simple/{primitive}/{array}/{object}": path("/simple/a%20b%26c/x%20y,z/bar=%C3%A9,foo=1%202"),
	"GET /anything/path/label/{primitive}/{array}/{object}":   path("/label/.a%20b%26c/.x%20y,z/.bar,%C3%A9,foo,1%202"),
	"POST /anything/path/label/{primitive}/{array}/{object}":  path("/label/.a%20b%26c/.x%20y.z/.bar=%C3%A9.foo=1%202"),
	"GET /anything/path/matrix/{primitive}/{array}/{object}":  path("/matrix/;primitive=a%20b%26c/;array=x%20y,z/;object=bar,%C3%A9,foo,1%202"),
	"POST /anything/path/matrix/{primitive}/{array}/{object}": path("/matrix/;primitive=a%20b%26c/;array=x%20y;array=z/;bar=%C3%A9;foo=1%202"),

	"GET /anything/query":                args("primitive", "a b&c", "array", "x y", "array", "z", "bar", "é", "foo", "1 2"),
	"GET /anything/query/form":           args("primitive", "a b&c", "array", "x y,z", "object", "bar,é,foo,1 2"),
	"POST /anything/query/form":          args("primitive", "a b&c", "array", "x y", "array", "z", "bar", "é", "foo", "1 2"),
	"GET /anything/query/spaceDelimited": args("array", "x-y z", "object", "bar é foo 1-2"),
	"GET /anything/query/pipeDelimited":  args("array", "x y|z", "object", "bar|é|foo|1 2"),
	"GET /anything/query/deepObject":     args("object[bar]", "é", "object[foo]", "1 2"),

	"POST /anything/form-data":                form("primitive", "a b&c", "array", "x y", "array", "z", "object", `{"bar":"é","foo":"1 2"}`),
	"POST /anything/form-data/form":           form("primitive", "a b&c", "array", "x y", "array", "z", "object", `{"bar":"é","foo":"1 2"}`),
	"PUT /anything/form-data/form":            form("primitive", "a b&c", "array", "x y", "array", "z", "object", `{"bar":"é","foo":"1 2"}`),
	"POST /anything/form-data/spaceDelimited": form("array", "x y", "array", "z", "object", `{"bar":"é","foo":"1 2"}`),
	"POST /anything/form-data/pipeDelimited":  form("array", "x y", "array", "z", "object", `{"bar":"é","foo":"1 2"}`),
	"POST /anything/form-data/deepObject":     form("primitive", "a b&c", "array", "x y", "array", "z", "object", `{"bar":"é","foo":"1 2"}`),
}

func cookies(want map[string]string) func(mirror, string) (any, any) {
	return func(m mirror, _ string) (any, any) { return m.Cookies, want }
}

func headers(primitive, array, object string) func(mirror, string) (any, any) {
	return func(m mirror, _ string) (any, any) {
		return [][]string{m.Headers["Primitive"], m.Headers["Array"], m.Headers["Object"]}, [][]string{{primitive}, {array}, {object}}
	}
}

func path(want string) func(mirror, string) (any, any) {
	return func(m mirror, server string) (any, any) { return m.URL, server + "/anything/path" + want }
}

func args(list ...string) func(mirror, string) (any, any) {
	return func(m mirror, _ string) (any, any) { return m.Args, pairs(list...) }
}

func form(list ...string) func(mirror, string) (any, any) {
	return func(m mirror, _ string) (any, any) { return m.Form, pairs(list...) }
}

// The operations of a document that shows every style, against a live go-httpbin:
// what it decodes is what was meant.
func TestStylesAgainstHttpbin(t *testing.T) {
	server := httptest.NewServer(httpbin.New())
	defer server.Close()
	tree, skipped, err := openapi.Load(fixture.Text("openapi/httpbin-parameters-style.openapi.json"), openapi.Options{
		BaseURL: server.URL, Name: func(op openapi.Operation) []string { return []string{op.String()} },
	})
	if err != nil || len(skipped) > 0 {
		t.Fatal(err, skipped)
	}
	p := tooltest.New(t, tree)
	if len(meant) != 25 || len(tree) != 25 {
		t.Errorf("%d operations and %d expectations, want 25", len(tree), len(meant))
	}
	for op, check := range meant {
		var input any = only(t, p, op, json.RawMessage(`{"primitive":"a b&c","array":["x y","z"],"object":{"foo":"1 2","bar":"é"}}`))
		if op == "GET /anything/query/spaceDelimited" { // items with spaces are refused there
			input = only(t, p, op, json.RawMessage(`{"array":["x-y","z"],"object":{"foo":"1-2","bar":"é"}}`))
		}
		if strings.Contains(op, "form-data") {
			input = map[string]any{"body": input}
		}
		o := p.Call(op, input)
		if o.Failure != nil {
			t.Errorf("%s: %s", op, o.Failure.Message)
			continue
		}
		var m mirror
		if err := json.Unmarshal([]byte(data.JSON(o.Value)), &m); err != nil {
			t.Errorf("%s: %v in %s", op, err, data.JSON(o.Value))
			continue
		}
		if got, want := check(m, server.URL); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: go-httpbin got %q, want %q", op, got, want)
		}
	}
}

// only is the part of an input that a tool has.
func only(t *testing.T, p *tooltest.Program, path string, input json.RawMessage) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(input, &all); err != nil {
		t.Fatal(err)
	}
	signature := p.Signature(path)
	for name := range all {
		if !strings.Contains(signature, name+"?:") && !strings.Contains(signature, name+":") {
			delete(all, name)
		}
	}
	return all
}

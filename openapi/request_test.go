package openapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// Parameters of path and operation, references and the body are all there; what
// the operation says wins.
func TestParametersOfPathAndOperation(t *testing.T) {
	w := newWire(t, nil)
	p, skipped := load(t, `
openapi: 3.0.3
paths:
  /orgs/{org}/items/{id}:
    parameters:
      - $ref: "#/components/parameters/Org"
      - {name: id, in: path, required: true, schema: {type: string}}
      - {name: page, in: query, schema: {type: string}}
    patch:
      operationId: items.change
      parameters:
        - {name: page, in: query, required: true, schema: {type: integer}}
        - {name: Accept, in: header, schema: {type: string}}
        - {name: id, in: path, required: true, schema: {type: integer}}
      requestBody:
        required: true
        content: {application/merge-patch+json: {schema: {type: object}}}
      responses: {"200": {description: "", content: {application/json: {schema: {type: object}}}}}
  /lost/{id}: {get: {operationId: lost, responses: {}}}
components: {parameters: {Org: {name: org, in: path, required: true, schema: {type: string}}}}
`, openapi.Options{BaseURL: w.URL + "/v1/"})
	want := "tools.items.change(input: { org: string; id: number; page: number; body: Record<string, unknown> }): Promise<Record<string, unknown>>"
	if got := p.Signature("items.change"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.Call("items.change", map[string]any{"org": "a/b?c", "id": 7, "page": 2, "body": map[string]any{"x": 1}})
	got := w.last(t)
	if got.Method != "PATCH" || got.Target != "/v1/orgs/a%2Fb%3Fc/items/7?page=2" || got.Body != `{"x":1}` || got.Header.Get("Content-Type") != "application/merge-patch+json" || got.Header.Get("Accept") != "application/json" {
		t.Errorf("sent %+v", got)
	}
	if got, want := reasons(skipped), "GET /lost/{id}: the path has {id}, but no parameter of that name"; got != want {
		t.Errorf("skipped %s, want %s", got, want)
	}
}

// The mixture of encodings that users ask for.
func TestMixedEncodings(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, one("get", "/x/{id}", `parameters: [
		{name: filter, in: query, style: deepObject, explode: true, schema: {type: object}},
		{name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}},
		{name: ids, in: query, schema: {type: array, items: {type: integer}}},
		{name: X-Flags, in: header, schema: {type: array, items: {type: string}}},
		{name: id, in: path, required: true, schema: {type: string}}]`), openapi.Options{BaseURL: w.URL})
	p.Call("op", json.RawMessage(`{"filter":{"state":"open","n":2},"tags":["a b","c&d"],"ids":[1,2],"X-Flags":["x","y"],"id":"a/b?c"}`))
	got := w.last(t)
	if want := "/x/a%2Fb%3Fc?filter[state]=open&filter[n]=2&tags=a%20b,c%26d&ids=1&ids=2"; got.Target != want {
		t.Errorf("got  %s\nwant %s", got.Target, want)
	}
	if got := got.Header["X-Flags"]; len(got) != 1 || got[0] != "x,y" {
		t.Errorf("X-Flags: %q", got)
	}
}

// The values of the tables "Style Examples" of OpenAPI 3.0.4 and 3.1.1; where the
// tables are silent, of the examples of RFC 6570.
func TestStyles(t *testing.T) {
	const (
		array  = `["blue","black","brown"]`
		fields = `{"R":100,"G":200,"B":150}`
	)
	tests := []struct{ in, style, value, exploded, plain string }{
		{"path", "matrix", `"blue"`, ";color=blue", ";color=blue"},
		{"path", "matrix", `""`, ";color", ";color"},
		{"path", "matrix", array, ";color=blue;color=black;color=brown", ";color=blue,black,brown"},
		{"path", "matrix", fields, ";R=100;G=200;B=150", ";color=R,100,G,200,B,150"},
		{"path", "matrix", `["a","",""]`, ";color=a;color;color", ";color=a,,"},
		{"path", "matrix", `{"E":"","R":1}`, ";E;R=1", ";color=E,,R,1"},
		{"path", "label", `"blue"`, ".blue", ".blue"},
		{"path", "label", array, ".blue.black.brown", ".blue,black,brown"},
		{"path", "label", fields, ".R=100.G=200.B=150", ".R,100,G,200,B,150"},
		{"path", "simple", `"blue"`, "blue", "blue"},
		{"path", "simple", array, "blue,black,brown", "blue,black,brown"},
		{"path", "simple", fields, "R=100,G=200,B=150", "R,100,G,200,B,150"},
		{"query", "form", `"blue"`, "color=blue", "color=blue"},
		{"query", "form", `""`, "color=", "color="},
		{"query", "form", array, "color=blue&color=black&color=brown", "color=blue,black,brown"},
		{"query", "form", fields, "R=100&G=200&B=150", "color=R,100,G,200,B,150"},
		{"query", "spaceDelimited", array, "", "color=blue%20black%20brown"},
		{"query", "spaceDelimited", fields, "", "color=R%20100%20G%20200%20B%20150"},
		{"query", "pipeDelimited", array, "", "color=blue%7Cblack%7Cbrown"},
		{"query", "pipeDelimited", fields, "", "color=R%7C100%7CG%7C200%7CB%7C150"},
		{"query", "deepObject", fields, "color[R]=100&color[G]=200&color[B]=150", ""},
		{"header", "simple", `"blue"`, "blue", "blue"},
		{"header", "simple", array, "blue,black,brown", "blue,black,brown"},
		{"header", "simple", fields, "R=100,G=200,B=150", "R,100,G,200,B,150"},
		{"cookie", "form", `"blue"`, "color=blue", "color=blue"},
		{"cookie", "form", array, "color=blue; color=black; color=brown", "color=blue,black,brown"},
		{"cookie", "form", fields, "R=100; G=200; B=150", "color=R,100,G,200,B,150"},
		// What the styles do with other characters.
		{"path", "simple", `"a b;c,d!'()*é"`, "a%20b%3Bc%2Cd%21%27%28%29%2A%C3%A9", "a%20b%3Bc%2Cd%21%27%28%29%2A%C3%A9"},
		{"path", "simple", `["a,b","c"]`, "a%2Cb,c", "a%2Cb,c"},
		{"query", "form", `["a,b&c","d=e+f#"]`, "color=a%2Cb%26c&color=d%3De%2Bf%23", "color=a%2Cb%26c,d%3De%2Bf%23"},
		{"query", "form", `{"a b":"c d"}`, "a%20b=c%20d", "color=a%20b,c%20d"},
		{"query", "form", `true`, "color=true", "color=true"},
		{"query", "form", `123456789012345678901`, "color=123456789012345678901", "color=123456789012345678901"},
		{"query", "deepObject", `{"a]b":"c&d"}`, "color[a%5Db]=c%26d", ""},
		{"cookie", "form", `"a;b c=/+"`, "color=a%3Bb%20c=/+", "color=a%3Bb%20c=/+"},
	}
	for _, test := range tests {
		for _, explode := range []bool{true, false} {
			want := test.plain
			if explode {
				want = test.exploded
			}
			if want == "" {
				continue
			}
			path := "/p"
			if test.in == "path" {
				path = "/p/{color}"
			}
			w := newWire(t, nil)
			parameter := map[string]any{"name": "color", "in": test.in, "required": true, "style": test.style, "explode": explode, "schema": map[string]any{}}
			text, _ := json.Marshal([]any{parameter})
			p, skipped := load(t, one("get", path, "parameters: "+string(text)), openapi.Options{BaseURL: w.URL})
			if len(skipped) > 0 {
				t.Fatal(reasons(skipped))
			}
			if o := p.Call("op", json.RawMessage(`{"color":`+test.value+`}`)); o.Failure != nil {
				t.Errorf("%v: %s", test, o.Failure.Message)
				continue
			}
			a := w.last(t)
			got := map[string]string{
				"path": strings.TrimPrefix(a.Target, "/p/"), "query": strings.TrimPrefix(a.Target, "/p?"), "header": a.Header.Get("color"), "cookie": a.Header.Get("Cookie"),
			}[test.in]
			if got != want {
				t.Errorf("%s %s explode=%v %s: got %s, want %s", test.in, test.style, explode, test.value, got, want)
			}
		}
	}
}

func TestNestedDeepObjects(t *testing.T) {
	document := one("get", "/p", `parameters: [{name: f, in: query, style: deepObject, explode: true, schema: {type: object}}, {name: expand, in: query, style: deepObject, schema: {type: array}}]`)
	input := json.RawMessage(`{"f":{"a":{"b":[1,{"c":"x y"}]}},"expand":["p","q"]}`)
	for ways, want := range map[openapi.DeepObjects]string{
		openapi.Indexed:   "/p?f[a][b][0]=1&f[a][b][1][c]=x%20y&expand[0]=p&expand[1]=q",
		openapi.Bracketed: "/p?f[a][b][]=1&f[a][b][][c]=x%20y&expand[]=p&expand[]=q",
	} {
		w := newWire(t, nil)
		p, _ := load(t, document, openapi.Options{BaseURL: w.URL, DeepObjects: ways})
		p.Call("op", input)
		if got := w.last(t).Target; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	w := newWire(t, nil)
	p, skipped := load(t, document, openapi.Options{BaseURL: w.URL})
	if got, want := reasons(skipped), "GET /p without query:expand: it cannot be written: OpenAPI defines the style deepObject for objects only, not for arrays; set Options.DeepObjects"; got != want {
		t.Errorf("got %s", got)
	}
	if got, want := p.Fails(diagnostics.ToolFailure, "op", json.RawMessage(`{"f":{"a":{"b":1}}}`)), "GET /p was not sent: input.f.a cannot be an object here; want text, a number or a boolean"; got != want || w.count() > 0 {
		t.Errorf("got %s", got)
	}
}

// What would change the request's meaning is refused before anything is sent.
func TestRefusedInputs(t *testing.T) {
	w := newWire(t, nil)
	asked := 0
	p, _ := load(t, `
openapi: 3.1.0
security: [{k: []}]
paths:
  /files/{a}/{b}:
    get:
      operationId: op
      parameters:
        - {name: a, in: path, required: true, schema: {}}
        - {name: b, in: path, required: true, style: label, schema: {}}
        - {name: X-H, in: header, schema: {}}
        - {name: free, in: query, schema: {type: object}}
        - {name: page, in: query, schema: {}}
        - {name: list, in: query, required: true, schema: {}}
components: {securitySchemes: {k: {type: apiKey, in: query, name: key}}}
`, openapi.Options{BaseURL: w.URL, Credentials: func(context.Context, openapi.Scheme) (*openapi.Credential, error) {
		asked++
		return nil, nil
	}})
	tests := []struct{ input, want string }{
		{`"a":""`, "input.a is empty, which the path cannot have"},
		{`"a":"."`, "input.a is empty, which the path cannot have"},
		{`"a":".."`, "input.a is .., which would lead to another path"},
		{`"a":["../../admin"]`, "input.a has a part . or .. between slashes"},
		{`"a":["x","/../y"]`, "input.a has a part . or .. between slashes"},
		{`"b":["./../../x"]`, "input.b has a part . or .. between slashes"},
		{`"a":"..;v=1"`, "input.a has a part . or .. between slashes"},
		{`"a":"x/../../admin"`, "input.a has a part . or .. between slashes"},
		{`"a":"x\\..\\admin"`, "input.a has a part . or .. between slashes"},
		{`"b":""`, "input.b is empty"},
		{`"b":"."`, "input.b is .., which would lead to another path"},
		{`"a":[]`, "input.a is empty"},
		{`"a":{"x":[1]}`, "input.a.x cannot be an array here"},
		{`"a":null`, "input.a is required"},
		{`"X-H":"a\r\nX-Evil: 1"`, "input[\"X-H\"] has a line break"},
		{`"X-H":"a\u0000"`, "input[\"X-H\"] has a line break, another control character"},
		{`"X-H":["a,b"]`, "input[\"X-H\"][0] has the character \",\", which separates items here"},
		{`"free":{"page":"2"}`, "input.free.page is the name of another parameter"},
		{`"free":{"key":"2"}`, "input.free.key is the name of a credential"},
		{`"free":{"x":null}`, "input.free.x cannot be null here"},
		{`"free":{"KEY":"2"}`, "input.free.KEY is the name of a credential"},
		{`"free":{"key[]":"2"}`, "input.free[\"key[]\"] is the name of a credential"},
		{`"free":{"page[x]":"2"}`, "input.free[\"page[x]\"] is the name of another parameter"},
		{`"list":[]`, "input.list is required, but an empty list or object cannot be sent"},
		{`"page":[["x"]]`, "input.page[0] cannot be an array here"},
	}
	for _, test := range tests {
		base := map[string]json.RawMessage{"a": []byte(`"x"`), "b": []byte(`"y"`), "list": []byte("1")}
		if err := json.Unmarshal([]byte("{"+test.input+"}"), &base); err != nil {
			t.Fatal(err)
		}
		if got := p.Fails(diagnostics.ToolFailure, "op", base); !strings.HasPrefix(got, "GET /files/{a}/{b} was not sent: "+test.want) {
			t.Errorf("%s: got %s", test.input, got)
		}
	}
	p.Fails(diagnostics.InvalidToolInput, "op", map[string]any{"a": "x", "b": "y"})
	p.Fails(diagnostics.InvalidToolInput, "op", map[string]any{"a": "x", "b": "y", "list": 1, "pag": 1})
	if w.count() > 0 || asked > 0 {
		t.Errorf("%d requests sent, %d credentials asked for", w.count(), asked)
	}
}

func TestAllowReserved(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, one("get", "/p", `parameters: [{name: q, in: query, allowReserved: true, schema: {}}, {name: r, in: query, schema: {}}]`), openapi.Options{BaseURL: w.URL})
	p.Call("op", map[string]any{"q": "/a?b=c&d#e[1]+f%20:@!$'()*,;", "r": "/?"})
	if got, want := w.last(t).Target, "/p?q=/a?b=c%26d%23e%5B1%5D%2Bf%2520:@!$'()*,;&r=%2F%3F"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestContentParameters(t *testing.T) {
	w := newWire(t, nil)
	p, skipped := load(t, one("get", "/p/{j}", `parameters: [
		{name: j, in: path, required: true, content: {application/json: {schema: {type: object}}}},
		{name: q, in: query, content: {application/json: {schema: {type: object}}}},
		{name: t, in: query, content: {text/plain: {schema: {type: string}}}},
		{name: X-J, in: header, content: {application/json: {schema: {}}}},
		{name: c, in: cookie, content: {application/json: {schema: {}}}},
		{name: x, in: query, content: {application/octet-stream: {schema: {}}}}]`), openapi.Options{BaseURL: w.URL})
	p.Call("op", json.RawMessage(`{"j":{"a":[1]},"q":{"x":null,"y":"é&"},"t":"a b","X-J":{"n":"é😀"},"c":[1,"2"]}`))
	got := w.last(t)
	if want := "/p/%7B%22a%22%3A%5B1%5D%7D?q=%7B%22x%22%3Anull%2C%22y%22%3A%22%C3%A9%26%22%7D&t=a%20b"; got.Target != want {
		t.Errorf("got  %s\nwant %s", got.Target, want)
	}
	if got := got.Header.Get("X-J"); got != `{"n":"\u00e9\ud83d\ude00"}` {
		t.Errorf("X-J: %s", got)
	}
	if got := got.Header.Get("Cookie"); got != "c=[1%2C%222%22]" {
		t.Errorf("Cookie: %s", got)
	}
	if got := reasons(skipped); got != "GET /p/{j} without query:x: it cannot be written: its media type application/octet-stream is neither JSON nor text" {
		t.Error(got)
	}
}

// Fields of a closed body are fields of the input; names of several places get
// their place in front.
func TestFlatBodiesAndClashes(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, one("post", "/p/{id}", `parameters: [
		{name: id, in: path, required: true, schema: {type: string}},
		{name: id, in: query, schema: {type: string}},
		{name: id, in: header, schema: {type: string}},
		{name: path_id, in: query, schema: {type: string}}],
		requestBody: {required: true, content: {application/json: {schema: {type: object, required: [id], additionalProperties: false, properties: {id: {type: number}, name: {type: string}}}}}}`),
		openapi.Options{BaseURL: w.URL})
	want := `tools.op(input: { path_id_2: string; query_id?: string; path_id?: string; header_id?: string; body_id: number; name?: string }): Promise<unknown>`
	if got := p.Signature("op"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.Call("op", json.RawMessage(`{"name":"n","path_id_2":"p","query_id":"q","path_id":"r","header_id":"h","body_id":1}`))
	got := w.last(t)
	if got.Target != "/p/p?id=q&path_id=r" || got.Body != `{"name":"n","id":1}` || got.Header.Get("Id") != "h" {
		t.Errorf("sent %+v", got)
	}
}

// A body is one field unless it is required, closed and plain.
func TestWhenBodiesAreFlat(t *testing.T) {
	tests := map[string]string{
		`required: true, S: {type: object, properties: {a: {type: string}}, additionalProperties: false}`:                      "{ a?: string }",
		`S: {type: object, properties: {a: {type: string}}, additionalProperties: false}`:                                      "{ body?: { a?: string } }",
		`required: true, S: {type: object, properties: {a: {type: string}}}`:                                                   "{ body: { a?: string } }",
		`required: true, S: {type: [object, "null"], properties: {a: {type: string}}, additionalProperties: false}`:            "{ body: { a?: string } | null }",
		`required: true, S: {type: object, properties: {a: {type: string}}, additionalProperties: false, allOf: [{title: x}]}`: "{ body: { a?: string } }",
		`required: true, S: {type: object, additionalProperties: false}`:                                                       "{ body: Record<string, never> }",
	}
	for body, want := range tests {
		body, schema, _ := strings.Cut(body, "S: ")
		p, _ := load(t, one("post", "/p", "requestBody: {"+body+"content: {application/json: {schema: "+schema+"}}}"), openapi.Options{})
		got := p.Signature("op")
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", schema, got, want)
		}
	}
}

func TestFormBodies(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, one("post", "/p", `requestBody: {required: true, content: {application/x-www-form-urlencoded: {
		schema: {type: object, properties: {a: {}, list: {type: array}, comma: {type: array}, deep: {type: object}, json: {type: object}, raw: {type: string}}},
		encoding: {comma: {style: form, explode: false}, deep: {style: deepObject, explode: true}, raw: {allowReserved: true}}}}}`), openapi.Options{BaseURL: w.URL})
	p.Call("op", json.RawMessage(`{"body":{"a":"x y&z","list":[1,"2"],"comma":["p","q,r"],"deep":{"k":"v w"},"json":{"a":[1]},"raw":"a/b:c&d","more":true}}`))
	got := w.last(t)
	want := "a=x+y%26z&list=1&list=2&comma=p,q%2Cr&deep[k]=v+w&json=%7B%22a%22%3A%5B1%5D%7D&raw=a/b:c%26d&more=true"
	if got.Body != want || got.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		t.Errorf("got  %s\nwant %s", got.Body, want)
	}
}

func TestMultipartBodies(t *testing.T) {
	w := newWire(t, nil)
	opened := 0
	files := func(_ context.Context, handle string) (openapi.File, error) {
		if handle != "report" {
			return openapi.File{}, tool.Errorf("there is no file %q", handle)
		}
		return openapi.File{Name: `re"port.txt`, Size: 5, Open: func() (io.ReadCloser, error) {
			opened++
			return io.NopCloser(strings.NewReader("hello")), nil
		}}, nil
	}
	document := one("post", "/p", `requestBody: {required: true, content: {multipart/form-data: {
		schema: {type: object, required: [file], properties: {title: {type: string}, tags: {type: array, items: {type: string}}, meta: {type: object}, file: {type: string, format: binary}, xml: {type: string}}},
		encoding: {xml: {contentType: text/xml}, file: {contentType: text/markdown}}}}}`)
	p, _ := load(t, document, openapi.Options{BaseURL: w.URL, Files: files})
	if got := p.Signature("op"); !strings.Contains(got, "file: string") {
		t.Error(got)
	}
	if o := p.Call("op", json.RawMessage(`{"body":{"title":"é","tags":["a","b"],"meta":{"n":1},"file":"report","xml":"<a/>"}}`)); o.Failure != nil {
		t.Fatal(o.Failure.Message)
	}
	got := w.last(t)
	_, parameters, err := mime.ParseMediaType(got.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for r := multipart.NewReader(strings.NewReader(got.Body), parameters["boundary"]); ; {
		part, err := r.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, _ := io.ReadAll(part)
		parts = append(parts, part.FormName()+"|"+part.FileName()+"|"+part.Header.Get("Content-Type")+"|"+string(content))
	}
	want := []string{"title|||é", "tags|||a", "tags|||b", `meta||application/json|{"n":1}`, `file|re%22port.txt|text/markdown|hello`, "xml||text/xml|<a/>"}
	if strings.Join(parts, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", parts, want)
	}
	if got := p.Fails(diagnostics.ToolFailure, "op", json.RawMessage(`{"body":{"file":"/etc/passwd"}}`)); got != `there is no file "/etc/passwd"` {
		t.Error(got)
	}
	_, skipped := load(t, document, openapi.Options{BaseURL: w.URL})
	if got := reasons(skipped); got != "POST /p: the body as multipart/form-data: the field file: it is bytes from a file, and the host offers no files; set Options.Files" {
		t.Error(got)
	}
}

func TestTextAndFileBodies(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, one("post", "/p", `requestBody: {required: true, content: {text/csv: {schema: {type: string}}}}`), openapi.Options{BaseURL: w.URL})
	for text, media := range map[string]string{"a,b\n": "text/csv", "ä,b": "text/csv; charset=utf-8"} {
		p.Call("op", map[string]any{"body": text})
		if got := w.last(t); got.Body != text || got.Header.Get("Content-Type") != media {
			t.Errorf("sent %+v", got)
		}
	}
	content := []byte{0, 1, 255}
	p, _ = load(t, one("put", "/p", `requestBody: {content: {application/zip: {}, image/png: {}}}`), openapi.Options{BaseURL: w.URL, Files: func(context.Context, string) (openapi.File, error) {
		return openapi.File{Size: -1, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}, nil
	}})
	p.Call("op", map[string]any{"body": "h"})
	if got := w.last(t); got.Body != string(content) || got.Header.Get("Content-Type") != "application/zip" {
		t.Errorf("sent %+v", got)
	}
	p.Call("op")
	if got := w.last(t); got.Body != "" || got.Header.Get("Content-Type") != "" {
		t.Errorf("sent %+v", got)
	}
}

// JSON is preferred, the choice is told, and the host may choose.
func TestChoiceOfMediaType(t *testing.T) {
	w := newWire(t, nil)
	document := one("patch", "/p", `requestBody: {required: true, content: {text/plain: {}, application/json-patch+json: {}, application/merge-patch+json: {}}}`)
	p, _ := load(t, document, openapi.Options{BaseURL: w.URL})
	p.Call("op", map[string]any{"body": 1})
	if got := w.last(t).Header.Get("Content-Type"); got != "application/json-patch+json" {
		t.Error(got)
	}
	tree, _, err := openapi.Load([]byte(document), openapi.Options{BaseURL: w.URL, MediaType: func(op openapi.Operation, declared []string) string {
		if op.Method != "PATCH" || len(declared) != 3 {
			t.Errorf("asked about %v: %v", op, declared)
		}
		return "application/merge-patch+json"
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := tree["op"].(*tool.Tool).Description(); got != "PATCH /p\n\nThe body is sent as application/merge-patch+json." {
		t.Error(got)
	}
	tooltest.New(t, tree).Call("op", map[string]any{"body": 1})
	if got := w.last(t).Header.Get("Content-Type"); got != "application/merge-patch+json" {
		t.Error(got)
	}
}

// What the host fixes is sent, and programs never see it.
func TestFixedParametersAndHeaders(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, one("get", "/orgs/{org}", `parameters: [
		{name: org, in: path, required: true, schema: {type: string}},
		{name: api-version, in: query, required: true, schema: {type: string}},
		{name: Notion-Version, in: header, required: true, schema: {type: string}}]`),
		openapi.Options{BaseURL: w.URL, Headers: map[string][]string{"notion-version": {"2022-06-28"}, "X-More": {"a", "b"}},
			Fixed: []openapi.Fixed{{In: "path", Name: "org", Value: data.String("acme")}, {In: "query", Name: "api-version", Value: data.NumberOf(7)}, {In: "query", Name: "not-declared", Value: data.NumberOf(1)}}})
	if got := p.Signature("op"); got != "tools.op(): Promise<unknown>" {
		t.Error(got)
	}
	p.Call("op")
	got := w.last(t)
	if got.Target != "/orgs/acme?api-version=7" || got.Header.Get("Notion-Version") != "2022-06-28" || len(got.Header["X-More"]) != 2 {
		t.Errorf("sent %+v", got)
	}
}

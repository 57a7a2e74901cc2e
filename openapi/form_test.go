package openapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/openapi"
)

// A closed body behind a reference is flat too, also one that contains itself.
func TestFlatBodiesBehindReferences(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, one("post", "/p", `requestBody: {$ref: '#/components/requestBodies/B'}`)+`
components:
  requestBodies: {B: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}
  schemas:
    S:
      type: object
      required: [name, id]
      additionalProperties: false
      properties: {id: {type: number, readOnly: true}, name: {type: string}, child: {$ref: '#/components/schemas/S'}}
`, openapi.Options{BaseURL: w.URL})
	if got, want := p.Signature("op"), "tools.op(input: { name: string; child?: S }): Promise<unknown>; type S = { name: string; child?: S }"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.Call("op", json.RawMessage(`{"name":"a","child":{"name":"b"}}`))
	if got := w.last(t).Body; got != `{"child":{"name":"b"},"name":"a"}` && got != `{"name":"a","child":{"name":"b"}}` {
		t.Errorf("sent %s", got)
	}
	p.Fails(diagnostics.InvalidToolInput, "op", json.RawMessage(`{"name":"a","child":{"nam":"b"}}`))
}

// The fields of a form come from all parts of its schema.
func TestComposedForms(t *testing.T) {
	w := newWire(t, nil)
	o := openapi.Options{BaseURL: w.URL, Files: func(_ context.Context, handle string) (openapi.File, error) {
		if handle == "broken" {
			return openapi.File{Size: 1, Open: func() (io.ReadCloser, error) { return nil, errors.New("/srv/files/broken: no such file") }}, nil
		}
		if handle == "none" {
			return openapi.File{}, errors.New("/srv/files/none: no such file")
		}
		return openapi.File{Name: handle + ".txt", Size: -1, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("<" + handle + ">")), nil }}, nil
	}}
	document := one("post", "/p", `requestBody: {required: true, content: {multipart/form-data: {schema: {
		allOf: [{$ref: '#/components/schemas/F'}, {properties: {note: {type: string}, id: {type: string, readOnly: true}}, required: [note]}],
		anyOf: [{properties: {extra: {type: number}}, required: [extra]}]},
		encoding: {head: {headers: {X-Part: {required: true, schema: {}}}}, soft: {headers: {X-Part: {schema: {}}}}, odd: {style: odd}, wide: {style: pipeDelimited, explode: true}}}}}`) + `
components: {schemas: {F: {type: object, properties: {files: {type: array, items: {type: string, contentMediaType: image/png}}, head: {type: string}, soft: {type: string}, odd: {type: array}, wide: {type: array}}}}}
`
	p, skipped := load(t, document, o)
	if got, want := reasons(skipped), `POST /p without body:head: its part requires headers, which are not supported
POST /p without body:odd: there is no style "odd" for a form
POST /p without body:wide: OpenAPI does not define the style pipeDelimited with explode`; got != want {
		t.Errorf("skipped %s", got)
	}
	if got, want := p.Signature("op"), "tools.op(input: { body: { files?: string[]; soft?: string; note: string; extra?: number } }): Promise<unknown>"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.Call("op", json.RawMessage(`{"body":{"note":"n","files":["a","b"],"extra":1}}`))
	body := w.last(t).Body
	for _, want := range []string{"name=\"files\"; filename=\"a.txt\"\r\nContent-Type: application/octet-stream\r\n\r\n<a>\r\n", "filename=\"b.txt\"", "name=\"note\"\r\n\r\nn\r\n", "name=\"extra\"\r\n\r\n1\r\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in %q", want, body)
		}
	}
	count := w.count()
	for handle, want := range map[string]string{"none": `input.body.files: the host cannot open the file "none"`, "broken": "POST /p was not sent: the host could not make the request"} {
		if got := p.Fails(diagnostics.ToolFailure, "op", map[string]any{"body": map[string]any{"note": "n", "files": []string{handle}}}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if w.count() != count {
		t.Error("something was sent")
	}
}

// Parameters that a request cannot have are left out, or cost the operation.
func TestImpossibleParameters(t *testing.T) {
	document := one("get", "/p", `parameters: [
		{name: Host, in: header, schema: {}}, {name: "a b", in: header, schema: {}}, {name: "c;d", in: cookie, schema: {}},
		{name: whole, in: querystring, content: {application/json: {}}}, {name: q, in: query, style: pipeDelimited, schema: {type: string}},
		{name: lost, in: path, schema: {}}]`)
	_, skipped := load(t, document, anywhere)
	want := `GET /p without cookie:c;d: it cannot be written: a cookie cannot have this name
GET /p without header:Host: it cannot be written: a request cannot have this header
GET /p without header:a b: it cannot be written: a request cannot have this header
GET /p without path:lost: the path has no {lost}
GET /p without query:q: it cannot be written: OpenAPI defines the style pipeDelimited for arrays and objects only
GET /p without querystring:whole: it cannot be written: a parameter that is the whole query (in: querystring) is not supported`
	if got := reasons(skipped); got != want {
		t.Errorf("got %s", got)
	}
	_, skipped = load(t, strings.Replace(document, "name: Host, in: header", "name: Host, in: header, required: true", 1), anywhere)
	if got := reasons(skipped); got != "GET /p: the parameter header:Host cannot be written: a request cannot have this header" {
		t.Errorf("got %s", got)
	}
}

// Nothing says how a list of lists without end is written, nor one of lists of bytes.
func TestListsInForms(t *testing.T) {
	_, skipped := load(t, withForm("application/x-www-form-urlencoded"), openapi.Options{BaseURL: "http://api.test"})
	if got, want := reasons(skipped), "POST /p without body:tree: its arrays have arrays as items without end"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	w := newWire(t, nil)
	p, skipped := load(t, one("post", "/p", `requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {
		a: {type: array, items: {type: array, items: {type: integer}}}, b: {type: array, items: {type: array, items: {type: string, format: binary}}}}}}}}`), openapi.Options{BaseURL: w.URL})
	if got, want := reasons(skipped), "POST /p without body:b: it has arrays of arrays of bytes, which a form cannot carry"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.Call("op", json.RawMessage(`{"body":{"a":[[1,2],[]]}}`))
	if got := w.last(t).Body; !strings.Contains(got, "\r\n\r\n[1,2]\r\n") || !strings.Contains(got, "\r\n\r\n[]\r\n") {
		t.Errorf("sent %s", got)
	}
}

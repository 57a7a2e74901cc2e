package openapi_test

import (
	"context"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

const petsV2 = `
swagger: "2.0"
host: pets.test
basePath: /v2
schemes: [http, https]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  key: {type: apiKey, in: header, name: X-Key}
  plain: {type: basic}
parameters:
  Limit: {name: limit, in: query, type: integer, maximum: 100}
responses:
  Pet: {description: a pet, schema: {$ref: "#/definitions/Pet"}}
paths:
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, type: string}]
    get:
      operationId: getPet
      security: [{key: []}]
      parameters:
        - {$ref: "#/parameters/Limit"}
        - {name: csv, in: query, type: array, items: {type: string}}
        - {name: multi, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: ssv, in: query, type: array, items: {type: string}, collectionFormat: ssv}
        - {name: pipes, in: query, type: array, items: {type: string}, collectionFormat: pipes}
        - {name: tsv, in: query, type: array, items: {type: string}, collectionFormat: tsv}
        - {name: X-List, in: header, type: array, items: {type: string}}
        - {name: odd, in: query, type: array, items: {type: string}, collectionFormat: odd}
      responses: {"200": {$ref: "#/responses/Pet"}, "404": {description: none}}
    put:
      operationId: putPet
      parameters: [{name: pet, in: body, required: true, description: The pet., schema: {$ref: "#/definitions/Pet"}}]
      responses: {"204": {description: done}}
    post:
      operationId: postPet
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - {name: name, in: formData, type: string, description: Its name.}
        - {name: tags, in: formData, type: array, items: {type: string}}
        - {name: more, in: formData, type: array, items: {type: string}, collectionFormat: multi}
    patch:
      operationId: upload
      consumes: [multipart/form-data]
      parameters: [{name: file, in: formData, type: file, required: true}, {name: note, in: formData, type: string}]
    delete: {operationId: deletePet, security: [{plain: []}], schemes: [wss]}
  /photo: {get: {operationId: photo, produces: [image/png], responses: {"200": {schema: {type: file}}}}}
definitions:
  Pet:
    type: object
    required: [id, name]
    properties:
      id: {type: integer, format: int64, readOnly: true}
      name: {type: string, x-nullable: true}
      tag: {type: string, x-internal: 1, example: x}
`

func TestSwagger(t *testing.T) {
	w := newWire(t, nil)
	o := openapi.Options{BaseURL: w.URL + "/v2", Credentials: openapi.Static(map[string]openapi.Credential{"key": openapi.APIKey("k"), "plain": openapi.Basic("u", "p")}),
		Files: func(context.Context, string) (openapi.File, error) {
			return openapi.File{Size: 1, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }}, nil
		}}
	p, skipped := load(t, petsV2, o)
	for path, want := range map[string]string{
		"getPet":  `(input: { id: string; limit?: number; csv?: string[]; multi?: string[]; ssv?: string[]; pipes?: string[]; tsv?: string[]; "X-List"?: string[] }): Promise<{ id: number; name: string | null; tag?: string }>`,
		"putPet":  `(input: { id: string; body: { name: string | null; tag?: string } }): Promise<null>`,
		"postPet": `(input: { id: string; name?: string; tags?: string[]; more?: string[] }): Promise<unknown>`,
		"upload":  `(input: { id: string; file: string; note?: string }): Promise<unknown>`,
		"photo":   `(): Promise<{ attachment: string; type: string; bytes: number }>`,
	} {
		if got := p.Signature(path); got != "tools."+path+want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	two := []string{"a b", "c"}
	p.Call("getPet", map[string]any{"id": "1", "csv": two, "multi": two, "ssv": []string{"a", "c"}, "pipes": two, "tsv": two, "X-List": two, "limit": 5})
	got := w.last(t)
	if want := "/v2/pets/1?limit=5&csv=a%20b,c&multi=a%20b&multi=c&ssv=a%20c&pipes=a%20b%7Cc&tsv=a%20b%09c"; got.Target != want || got.Header.Get("X-List") != "a b,c" || got.Header.Get("X-Key") != "k" {
		t.Errorf("got  %+v\nwant %s", got, want)
	}
	p.Call("postPet", map[string]any{"id": "1", "name": "x y", "tags": two, "more": two})
	if got := w.last(t); got.Body != "more=a+b&more=c&name=x+y&tags=a+b,c" {
		t.Errorf("got %s", got.Body)
	}
	p.Call("upload", map[string]any{"id": "1", "file": "h"})
	if got := w.last(t); !strings.Contains(got.Body, `name="file"; filename="h"`+"\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n") {
		t.Errorf("got %q", got.Body)
	}
	if got, want := reasons(skipped), `GET /pets/{id} without query:odd: it cannot be written: there is no style "odd" for query`; got != want {
		t.Errorf("skipped %s", got)
	}
}

// The collection formats of arrays in paths and headers, which OpenAPI 3 has no styles for. Items cannot have the separator.
func TestSwaggerCollectionFormats(t *testing.T) {
	w := newWire(t, nil)
	list := func(name, in, format string) string {
		return "{name: " + name + ", in: " + in + ", required: true, type: array, items: {type: string}, collectionFormat: " + format + "}"
	}
	p, skipped := load(t, `
swagger: "2.0"
paths:
  /{ssv}/{pipes}/{tsv}:
    get:
      operationId: op
      parameters: [`+list("ssv", "path", "ssv")+","+list("pipes", "path", "pipes")+","+list("tsv", "path", "tsv")+","+list("X-S", "header", "ssv")+","+list("X-P", "header", "pipes")+`]
  /multi: {get: {operationId: multi, parameters: [`+list("X-M", "header", "multi")+`]}}
`, openapi.Options{BaseURL: w.URL})
	if got, want := reasons(skipped), `GET /multi: the parameter header:X-M cannot be written: there is no style "multi" for header`; got != want {
		t.Errorf("skipped %s", got)
	}
	two := []string{"a,b", "c"}
	input := map[string]any{"ssv": two, "pipes": two, "tsv": two, "X-S": two, "X-P": two}
	p.Call("op", input)
	if got := w.last(t); got.Target != "/a%2Cb%20c/a%2Cb%7Cc/a%2Cb%09c" || got.Header.Get("X-S") != "a,b c" || got.Header.Get("X-P") != "a,b|c" {
		t.Errorf("sent %+v", got)
	}
	for field, item := range map[string]string{"ssv": "a b", "pipes": "a|b", "tsv": "a\tb", "X-S": "a b", "X-P": "a|b"} {
		bad := maps.Clone(input)
		bad[field] = []string{"x", item}
		if got := p.Fails(diagnostics.ToolFailure, "op", bad); !strings.Contains(got, "[1] has the character ") {
			t.Errorf("%s: got %s", field, got)
		}
	}
}

func TestSwaggerServers(t *testing.T) {
	for top, want := range map[string]string{
		"host: a.test\nbasePath: /v2\nschemes: [http, https]": "https://a.test/v2/p",
		"host: a.test\nschemes: [http]":                       "http://a.test/p",
		"host: a.test":                                        "https://a.test/p",
		"basePath: /v2":                                       "http://d.test/v2/p",
		"":                                                    "http://d.test/p",
		"host: a.test\nschemes: [ws]":                         `the server "ws://a.test/" is not http or https`,
	} {
		o := openapi.Options{}
		if !strings.Contains(top, "host") {
			o.DocumentURL = "http://d.test/api/docs.yaml"
		}
		sent := ""
		if got := sentTo(t, "swagger: '2.0'\n"+top+"\npaths: {/p: {get: {operationId: op}}}", o, &sent); got != want {
			t.Errorf("%q: got %s, want %s", top, got, want)
		}
	}
}

// YAML is read as JSON would have it: no dates, no octal numbers, no numbers as
// keys, all digits, merges.
func TestYAML(t *testing.T) {
	w := newWire(t, nil)
	tree, _, err := openapi.Load([]byte(`
openapi: 3.1.0
paths:
  /p:
    post:
      operationId: op
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: &props
                date: {enum: [2020-01-01, 012, yes, 0x1F, 1e3, .5, -0, ~, "1", !!str 1, !!int "7", 1_000, 12345678901234567890, "a\tb"]}
              patternProperties: {x: &x {const: 1}}
      responses: &r
        200: {content: {application/json: {schema: {type: object, properties: {<<: *props, more: {<<: [{const: 2}, *x]}}}}}}
`), openapi.Options{BaseURL: w.URL})
	if err != nil {
		t.Fatal(err)
	}
	got := data.JSON(tree["op"].(*tool.Tool).Output().Document())
	want := `{"type":"object","properties":{"more":{"const":2},"date":{"enum":["2020-01-01","012","yes",31,1000,0.5,0,null,"1","1",7,"1_000",12345678901234567890,"a\tb"]}}}`
	v1, _ := data.ParseString(got)
	v2, _ := data.ParseString(want)
	if !data.Equal(v1, v2) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The documents of real services: how much of them is callable.
func TestFixtureDocuments(t *testing.T) {
	for name, operations := range map[string]int{"rclone-1.75.openapi.json": 101, "powerdns-4.7.swagger.yaml": 36, "httpbin-parameters-style.openapi.json": 25, "notion.openapi.json": 24} {
		tree, skipped, err := openapi.Load(fixture.Text("openapi/"+name), openapi.Options{BaseURL: "http://api.test"})
		if err != nil {
			t.Fatal(err)
		}
		c, err := tool.Resolve(tree)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.All()) != operations {
			t.Errorf("%s: %d tools of %d operations; skipped %s", name, len(c.All()), operations, reasons(skipped))
		}
		for _, e := range c.All() {
			if err := e.Tool.Input().Err(); err != nil {
				t.Errorf("%s: the input of %s: %v", name, e.Expression, err)
			}
			if err := e.Tool.Output().Err(); err != nil {
				t.Errorf("%s: the output of %s: %v", name, e.Expression, err)
			}
		}
	}
}

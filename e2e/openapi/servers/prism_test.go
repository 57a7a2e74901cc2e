package servers

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/e2e/npm"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool/tooltest"
)

var install = sync.OnceValue(func() error { return npm.Install(".") })

// judged is a document in which schemas say what has to arrive: Prism decodes requests by it and refuses those that
// do not fit. Prism itself cannot decode arrays in the style simple in paths, spaceDelimited, the default of explode, exploded arrays in forms, arrays of
// multipart forms and what looks percent-encoded there, and colons in passwords.
const judged = `
openapi: 3.0.3
info: {title: judged, version: "1"}
paths:
  /path/{s}:
    get:
      operationId: simple
      parameters:
        - {name: s, in: path, required: true, schema: {type: string, enum: ["a b/c?é"]}}
      responses: {"200": {$ref: '#/components/responses/OK'}}
  /label/{s}/{list}:
    get:
      operationId: label
      parameters:
        - {name: s, in: path, required: true, style: label, schema: {type: integer, enum: [7]}}
        - {name: list, in: path, required: true, style: label, explode: true, schema: {$ref: '#/components/schemas/List'}}
      responses: {"200": {$ref: '#/components/responses/OK'}}
  /matrix/{s}/{list}:
    get:
      operationId: matrix
      parameters:
        - {name: s, in: path, required: true, style: matrix, schema: {type: integer, enum: [7]}}
        - {name: list, in: path, required: true, style: matrix, explode: true, schema: {$ref: '#/components/schemas/List'}}
      responses: {"200": {$ref: '#/components/responses/OK'}}
  /query:
    get:
      operationId: query
      parameters:
        - {name: s, in: query, required: true, schema: {type: string, enum: ["a&b=c#é +%41"]}}
        - {name: n, in: query, required: true, schema: {type: number, enum: [1.5]}}
        - {name: b, in: query, required: true, schema: {type: boolean, enum: [false]}}
        - {name: list, in: query, required: true, explode: true, schema: {$ref: '#/components/schemas/List'}}
        - {name: commas, in: query, required: true, explode: false, schema: {$ref: '#/components/schemas/List'}}
        - {name: pipes, in: query, required: true, style: pipeDelimited, explode: false, schema: {$ref: '#/components/schemas/List'}}
        - {name: deep, in: query, required: true, style: deepObject, explode: true, schema: {$ref: '#/components/schemas/Object'}}
        - {name: json, in: query, required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Object'}}}}
      responses: {"200": {$ref: '#/components/responses/OK'}}
  /headers:
    get:
      operationId: headers
      parameters:
        - {name: X-S, in: header, required: true, schema: {type: string, enum: ["a b; c=d"]}}
        - {name: X-List, in: header, required: true, schema: {$ref: '#/components/schemas/List'}}
      responses: {"200": {$ref: '#/components/responses/OK'}}
  /json: {post: {operationId: json, requestBody: {required: true, content: {application/json: {schema: {type: object, additionalProperties: false, required: [o, n],
    properties: {o: {$ref: '#/components/schemas/Object'}, n: {type: string, nullable: true, enum: [null]}}}}}}, responses: {"200": {$ref: '#/components/responses/OK'}}}}
  /form: {post: {operationId: form, requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Form'}, encoding: {list: {style: form, explode: false, allowReserved: true}}}}}, responses: {"200": {$ref: '#/components/responses/OK'}}}}
  /multipart: {post: {operationId: multipart, requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, required: [s], properties: {s: {type: string, enum: ["a b&c"]}}}}}}, responses: {"200": {$ref: '#/components/responses/OK'}}}}
  /text: {post: {operationId: text, requestBody: {required: true, content: {text/plain: {schema: {type: string, enum: ["é €"]}}}}, responses: {"200": {$ref: '#/components/responses/OK'}}}}
  /bearer: {get: {operationId: bearer, security: [{bearer: []}], responses: {"200": {$ref: '#/components/responses/OK'}}}}
  /basic: {get: {operationId: basic, security: [{basic: []}], responses: {"200": {$ref: '#/components/responses/OK'}}}}
  /key: {get: {operationId: key, security: [{inQuery: [], inHeader: []}], responses: {"200": {$ref: '#/components/responses/OK'}}}}
components:
  responses: {OK: {description: ok, content: {application/json: {schema: {type: object}, example: {accepted: true}}}}}
  schemas:
    List: {type: array, minItems: 3, maxItems: 3, items: {type: string, enum: ["a&b", "é/ü", "c"]}}
    Object: {type: object, additionalProperties: false, required: [r, g], properties: {r: {type: string, enum: ["x&y"]}, g: {type: string, enum: ["é"]}}}
    Form: {type: object, required: [s, list], properties: {s: {type: string, enum: ["a b&c=é+%41"]}, list: {$ref: '#/components/schemas/List'}}}
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    inQuery: {type: apiKey, in: query, name: k}
    inHeader: {type: apiKey, in: header, name: X-K}
`

// Prism, which validates requests by the same document, takes what the tools send.
func TestPrism(t *testing.T) {
	if err := install(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "judged.yaml")
	if err := os.WriteFile(file, []byte(judged), 0o600); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	start(t, url, exec.Command("node", "node_modules/@stoplight/prism-cli/dist/index.js", "mock", file, "--errors", "-h", "127.0.0.1", "-p", fmt.Sprint(port)))
	tree, skipped, err := openapi.Load([]byte(judged), openapi.Options{BaseURL: url, Credentials: openapi.Static(map[string]openapi.Credential{
		"bearer": openapi.Bearer("t"), "basic": openapi.Basic("ü", "pw"), "inQuery": openapi.APIKey("k&1"), "inHeader": openapi.APIKey("k2"),
	})})
	if err != nil || len(skipped) > 0 {
		t.Fatal(err, skipped)
	}
	p := tooltest.New(t, tree)
	const list, object = `["a&b","é/ü","c"]`, `{"r":"x&y","g":"é"}`
	const form = `{"body":{"s":"a b&c=é+%41","list":` + list + `}}`
	for name, input := range map[string]string{
		"simple":    `{"s":"a b/c?é"}`,
		"label":     `{"s":7,"list":` + list + `}`,
		"matrix":    `{"s":7,"list":` + list + `}`,
		"query":     `{"s":"a&b=c#é +%41","n":1.5,"b":false,"list":` + list + `,"commas":` + list + `,"pipes":` + list + `,"deep":` + object + `,"json":` + object + `}`,
		"headers":   `{"X-S":"a b; c=d","X-List":["c","c","c"]}`,
		"json":      `{"o":` + object + `,"n":null}`,
		"form":      form,
		"multipart": `{"body":{"s":"a b&c"}}`,
		"text":      `{"body":"é €"}`,
		"bearer":    `{}`, "basic": `{}`, "key": `{}`,
	} {
		o := p.Call(name, json.RawMessage(input))
		if o.Failure != nil {
			t.Errorf("%s: %s", name, o.Failure.Message)
		} else if got := data.JSON(o.Value); got != `{"accepted":true}` {
			t.Errorf("%s: got %s", name, got)
		}
	}
	// It does judge.
	unchecked, _, err := openapi.Load([]byte(judged), openapi.Options{BaseURL: url, Undeclared: nil})
	if err != nil {
		t.Fatal(err)
	}
	wrong := tooltest.New(t, unchecked)
	if o := wrong.Call("headers", json.RawMessage(`{"X-S":"a b; c=d","X-List":["c","c"]}`)); o.Failure == nil {
		t.Error("two items were taken for three")
	}
}

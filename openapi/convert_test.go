package openapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// bothWays is a document whose operation takes and returns a schema.
func bothWays(version, schema, schemas string) string {
	media := "{content: {application/json: {schema: " + schema + "}}}"
	return "openapi: " + version + "\npaths: {/p: {post: {operationId: op, requestBody: " + media + ", responses: {'200': " + media + "}}}}\ncomponents: {schemas: {" + schemas + "}}"
}

// Properties of one direction are missing in the other: of references, of the
// parts of allOf, and from what is required. Inside alternatives they stay, since
// taking one away changes which alternative fits.
func TestReadOnlyAndWriteOnly(t *testing.T) {
	const base = `Base: {type: object, required: [id, name], properties: {id: {type: number, readOnly: true}, name: {type: string}, pass: {type: string, writeOnly: true}}}`
	tests := []struct{ version, schema, schemas, in, out string }{
		{"3.0.3", "{$ref: '#/components/schemas/Base'}", base, "{ name: string; pass?: string }", "{ id: number; name: string }"},
		{"3.0.3", "{type: array, items: {$ref: '#/components/schemas/Base'}}", base, "{ name: string; pass?: string }[]", "{ id: number; name: string }[]"},
		{"3.0.3", "{allOf: [{$ref: '#/components/schemas/Base'}, {type: object, required: [id, x], properties: {x: {type: number}}}]}", base,
			"{ name: string; pass?: string; x: number }", "{ id: number; name: string; x: number }"},
		{"3.0.3", "{type: object, properties: {id: {$ref: '#/components/schemas/Id'}, b: {allOf: [{$ref: '#/components/schemas/Id'}]}}, required: [id, b]}", "Id: {type: number, readOnly: true}",
			"Record<string, unknown>", "{ id: number; b: number }"},
		{"3.1.0", "{type: object, properties: {a: {$ref: '#/components/schemas/N', readOnly: true}, b: {$ref: '#/components/schemas/N'}}}", "N: {type: number}", "{ b?: number }", "{ a?: number; b?: number }"},
		{"3.0.3", "{type: object, properties: {a: {$ref: '#/components/schemas/N', readOnly: true}}}", "N: {type: number}", "{ a?: number }", "{ a?: number }"},
		{"3.0.3", "{anyOf: [{$ref: '#/components/schemas/Base'}, {type: string}]}", base, "{ id?: number; name: string; pass?: string } | string", "{ id: number; name: string; pass?: string } | string"},
		// Required in one part, read-only in the other.
		{"3.0.3", "{allOf: [{type: object, properties: {id: {type: number, readOnly: true}, n: {type: number}}}, {$ref: '#/components/schemas/Needs'}]}", "Needs: {type: object, required: [id, n]}", "{ n: number }", "{ id: number; n: number }"},
		// A cycle.
		{"3.0.3", "{$ref: '#/components/schemas/Node'}", "Node: {type: object, required: [id, next], properties: {id: {type: number, readOnly: true}, next: {$ref: '#/components/schemas/Node'}}}", "Node; type Node = { next: Node }", "Node; type Node = { id: number; next: Node }"},
	}
	for _, test := range tests {
		p, _ := load(t, bothWays(test.version, test.schema, test.schemas), anywhere)
		got := p.Signature("op")
		in, inTypes, _ := strings.Cut(test.in, "; type")
		out, _, _ := strings.Cut(test.out, "; type")
		if want := "tools.op(input?: { body?: " + in + " }): Promise<" + out + ">"; inTypes == "" && got != want {
			t.Errorf("%s: got  %s\nwant %s", test.schema, got, want)
		}
		if inTypes != "" && (!strings.Contains(got, "{ next: Node }") || !strings.Contains(got, "{ id: number; next: ")) {
			t.Errorf("%s: got %s", test.schema, got)
		}
	}
}

// What OpenAPI 3.0 says differently from JSON Schema, and what documents get wrong.
func TestSchemasOfOlderVersions(t *testing.T) {
	tests := []struct {
		version, schema string
		accepts, not    []string
	}{
		{"3.0.3", "{type: string, nullable: true}", []string{`"a"`, `null`}, []string{`1`}},
		{"3.0.3", "{type: string, nullable: true, enum: [a]}", []string{`"a"`, `null`}, []string{`"b"`}},
		{"3.0.3", "{nullable: true, allOf: [{type: string}]}", []string{`"a"`, `null`}, []string{`1`}},
		{"3.0.3", "{type: string, nullable: false}", []string{`"a"`}, []string{`null`}},
		{"3.1.0", "{type: string, nullable: true}", []string{`"a"`}, []string{`null`}},
		{"3.1.0", "{type: [string, 'null']}", []string{`"a"`, `null`}, []string{`1`}},
		{"3.0.3", "{type: number, minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false}", []string{`2`, `5`}, []string{`1`, `6`}},
		{"3.1.0", "{type: number, exclusiveMinimum: 1}", []string{`2`}, []string{`1`}},
		{"3.1.0", "{const: {a: 1}}", []string{`{"a":1}`}, []string{`{"a":2}`}},
		{"3.1.0", "{type: array, prefixItems: [{type: number}, {type: string}], items: false}", []string{`[1,"a"]`}, []string{`["a"]`, `[1,"a",2]`}},
		{"3.1.0", "{if: {properties: {a: {const: 1}}}, then: {required: [b]}}", []string{`{"a":2}`, `{"a":1,"b":1}`}, []string{`{"a":1}`}},
		{"3.1.0", "{$ref: '#/components/schemas/S', minLength: 2}", []string{`"ab"`}, []string{`"a"`, `1`}},
		{"3.0.3", "{$ref: '#/components/schemas/S', minLength: 2}", []string{`"ab"`, `"a"`}, []string{`1`}},
		{"3.1.0", "{type: objekt}", []string{`1`}, nil},
		{"3.1.0", "{type: string, required: true, minLength: '3', enum: [], items: [{}]}", []string{`"a"`}, []string{`1`}},
		{"3.1.0", "{type: object, required: [a, a, 1]}", []string{`{"a":1}`}, []string{`{}`}},
		{"3.1.0", "{type: object, additionalProperties: {type: number}}", []string{`{"a":1}`}, []string{`{"a":"b"}`}},
		{"3.1.0", "{$ref: '#/nowhere'}", []string{`1`}, nil},
		{"3.1.0", "{type: string, pattern: '('}", []string{`"a"`}, nil},
		{"3.0.3", "{type: string, example: {a: 1}, xml: {}, discriminator: {}, x-more: 1, externalDocs: {}, readOnly: maybe}", []string{`"a"`}, []string{`1`}},
		{"3.1.0", "{type: number, minimum: 9007199254740993}", []string{`9007199254740993`}, []string{`9007199254740992`}},
		{"3.1.0", "{$ref: '#/components/schemas/a~1b%20c'}", []string{`true`}, []string{`1`}},
	}
	for _, test := range tests {
		p, skipped := load(t, bothWays(test.version, test.schema, "S: {type: string}, 'a/b c': {type: boolean}"), answering200)
		if len(skipped) > 0 {
			t.Error(reasons(skipped))
		}
		for _, v := range test.accepts {
			if o := p.Call("op", json.RawMessage(`{"body":`+v+`}`)); o.Failure != nil {
				t.Errorf("%s %s: %s", test.schema, v, o.Failure.Message)
			}
		}
		for _, v := range test.not {
			if o := p.Call("op", json.RawMessage(`{"body":`+v+`}`)); o.Failure == nil || o.Failure.Kind != diagnostics.InvalidToolInput {
				t.Errorf("%s accepts %s", test.schema, v)
			}
		}
	}
}

var answering200 = openapi.Options{BaseURL: "http://api.test", Transport: answering(200, "", "").Transport}

// A schema with too many definitions is unknown, and the tool stays.
func TestTooManyDefinitions(t *testing.T) {
	var schemas strings.Builder
	for i := range 3500 {
		if i > 0 {
			schemas.WriteString(", ")
		}
		n := data.NumberOf(float64(i)).Text()
		schemas.WriteString("A" + n + ": {properties: {x: {$ref: '#/components/schemas/A" + data.NumberOf(float64(i+1)).Text() + "'}}}")
	}
	p, skipped := load(t, bothWays("3.1.0", "{$ref: '#/components/schemas/A0'}", schemas.String()), answering200)
	if len(skipped) > 0 || p.Signature("op") != "tools.op(input?: { body?: unknown }): Promise<unknown>" {
		t.Errorf("got %s, skipped %v", p.Signature("op"), skipped)
	}
	if o := p.Call("op", json.RawMessage(`{"body":[1]}`)); o.Failure != nil {
		t.Error(o.Failure.Message)
	}
}

func TestHintsAndDescriptions(t *testing.T) {
	tree, _, err := openapi.Load([]byte(`
openapi: 3.1.0
paths:
  /p:
    get: {operationId: get, summary: List pets., description: "List pets of all\nkinds.", deprecated: true}
    put: {operationId: put, summary: Replace it, description: More about it.}
    delete: {operationId: delete, summary: Remove it}
    post: {operationId: post}
    head: {operationId: head}
`), anywhere)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		description string
		hints       tool.Annotations
	}{
		"get":    {"List pets of all\nkinds.\n\nDeprecated.", tool.Annotations{ReadOnly: true}},
		"put":    {"Replace it\n\nMore about it.", tool.Annotations{Idempotent: true}},
		"delete": {"Remove it", tool.Annotations{Destructive: true, Idempotent: true}},
		"post":   {"POST /p", tool.Annotations{}},
		"head":   {"HEAD /p", tool.Annotations{ReadOnly: true}},
	} {
		got := tree[name].(*tool.Tool)
		if got.Description() != want.description || got.Annotations() != want.hints {
			t.Errorf("%s: got %q, %+v", name, got.Description(), got.Annotations())
		}
	}
	space, _, err := openapi.LoadNamespace([]byte("openapi: 3.1.0\ninfo: {title: Pets, description: \"All about\\npets.\\n\\nMore.\"}"), openapi.Options{})
	if err != nil || space.Description != "Pets: All about pets." {
		t.Errorf("got %q, %v", space.Description, err)
	}
}

// The styles of multipart bodies count since OpenAPI 3.1.
func TestStylesOfMultipartBodies(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, one("post", "/p", `requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {a: {type: array}, b: {type: object}, c: {type: array}}},
		encoding: {a: {style: pipeDelimited}, b: {style: deepObject, explode: true}, c: {style: form, explode: true}}}}}`), openapi.Options{BaseURL: w.URL})
	p.Call("op", json.RawMessage(`{"body":{"a":["x y","z%"],"b":{"k":"v"},"c":[1,2]}}`))
	body := w.last(t).Body
	for _, want := range []string{"name=\"a\"\r\n\r\nx y|z%\r\n", "name=\"b[k]\"\r\n\r\nv\r\n", "name=\"c\"\r\n\r\n1\r\n", "name=\"c\"\r\n\r\n2\r\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in %q", want, body)
		}
	}
}

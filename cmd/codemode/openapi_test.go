package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const petsDocument = `
openapi: 3.1.0
info: {title: Pets, description: All about pets.}
security: [{token: []}]
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: X-Version, in: header, required: true, schema: {type: string}}
        - {name: f, in: query, style: deepObject, schema: {type: array}}
  /free: {get: {operationId: free, security: []}}
  /stream: {get: {operationId: stream, responses: {'200': {content: {text/event-stream: {}}}}}}
  /more: {$ref: 'more.yaml#/item'}
`

// A document on the command line: its tools, what is skipped and why, and calls with the headers and credentials of the
// command line.
func TestOpenAPI(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"at":%q,"auth":%q,"version":%q}`, r.RequestURI, strings.ReplaceAll(r.Header.Get("Authorization"), "-", "+"), r.Header.Get("X-Version"))
	}))
	defer server.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "pets.v2.openapi.yaml")
	for name, text := range map[string]string{file: petsDocument, filepath.Join(dir, "more.yaml"): "item: {get: {operationId: more}}"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PETS_TOKEN", "a-long-token")
	call := "return [await tools['pets-v2'].getPet({id: 7}), await tools['pets-v2'].free({})]"
	base := []string{"--openapi", file, "--base-url", server.URL, "--header", "X-Version=3"}
	with := func(args ...string) []string { return append(args, base...) }
	for _, test := range []struct {
		args      []string
		code      int
		out, errs string // what they contain
	}{
		{with("run", "-e", call, "--auth", "bearer:env:PETS_TOKEN"), 0, `"auth": "Bearer a+long+token"`, "pets-v2: operations skipped: 2, parameters left out: 1"},
		{with("run", "-e", call, "--auth", "token=bearer:b"), 0, `"at": "/pets/7"`, ""},
		{with("run", "-e", call), 1, "", "GET /pets/{id} needs credentials"},
		{with("run", "-e", call, "--auth", "other=bearer:b"), 1, "", "GET /pets/{id} needs credentials"},
		{with("run", "-e", call, "--auth", "bearer:env:NOT_SET"), 2, "", "there is no environment variable NOT_SET"},
		{with("run", "-e", call, "--auth", "hunter2"), 2, "", "--auth: want bearer:TOKEN"},
		{[]string{"run", "-e", "return Object.keys(tools.pets)", "--openapi", file + "=pets", "--base-url", server.URL, "--openapi-refs"}, 0, `"more"`, ""},
		{[]string{"run", "-e", "1", "--openapi", file, "--openapi", file}, 2, "", "two documents are called pets-v2"},
		{[]string{"run", "-e", "1", "--openapi", file, "--openapi", file + "=b", "--auth", "key:k"}, 2, "", "are for one --openapi document"},
		{[]string{"run", "-e", "1", "--openapi", filepath.Join(dir, "none.yaml")}, 2, "", "none.yaml: no such file"},
		{with("catalog", "--catalog=x.json"), 2, "", "give either --openapi"},
		{with("catalog"), 0, "COMPLETE: 2 of 2 tools", ""},
		{with("catalog"), 0, `getPet(input: { id: number })`, ""},
		{with("catalog"), 0, `
pets-v2: skipped 3
- /more: the reference "more.yaml#/item": references to files are not allowed here
- GET /pets/{id} without query:f: it cannot be written: OpenAPI defines the style deepObject for objects only; arrays need Options.DeepObjects
- GET /stream: it answers with a stream of events without end
`, ""},
		{with("types", "--deep-objects", "indexed"), 0, "f?: unknown[]", ""},
		{with("types"), 0, "free(", ""},
		{with("search", "pet"), 0, "getPet", ""},
	} {
		code, out, errs := invoke(t, context.Background(), "", test.args...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.errs) {
			t.Errorf("%q: code %d, want %d\n%s\n%s", test.args, code, test.code, out, errs)
		}
		if strings.Contains(errs, "hunter2") || strings.Contains(out+errs, "a-long-token") {
			t.Errorf("%q shows a secret: %s", test.args, errs)
		}
	}
}

// An equals sign in a file's own name does not name it.
func TestDocumentNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a=b.json")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{file: "a=b", file + "=c": "c", "x/api.v1.swagger.json": "api-v1", "api.yml=n": "n"} {
		if _, got := documentName(word); got != want {
			t.Errorf("%s: got %s, want %s", word, got, want)
		}
	}
}

package main

import (
	"context"
	"fmt"
	"io"
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
		{with("run", "-e", call, "--auth", "header:Authorization:Bearer b"), 0, `"auth": "[secret]"`, ""},
		{with("run", "-e", call, "--auth", "token=header:hunter2"), 2, "", "--auth: want header:NAME:VALUE"},
		{with("run", "-e", call, "--header", "hunter2"), 2, "", "--header: want NAME=VALUE"},
		{with("run", "-e", call, "--header", "Bearer hunter2=="), 2, "", "--header: want NAME=VALUE; what stands before"},
		{with("run", "-e", call, "--header", "Authorization: Basic aHVudGVyMg==", "--auth", "bearer:b"), 0, "", ""},
		{with("run", "-e", "return (await tools['pets-v2'].free({})).auth", "--header", "Authorization: Basic aHVudGVyMg=="), 0, `"[secret]"`, ""},
		{with("run", "-e", "1", "--header", "Host=x"), 2, "", "--header: the header Host is that of the address"},
		{[]string{"run", "-e", "1", "--openapi", file, "--base-url", "http://x?"}, 2, "", "--base-url: want no query"},
		{[]string{"run", "-e", "1", "--openapi", file + "="}, 2, "", `--openapi: got the name ""`},
		{[]string{"run", "-e", "1", "--openapi", file + "=$codemode"}, 2, "", "--openapi: the namespace $codemode is taken"},
		{[]string{"run", "-e", "1", "--openapi", file + "=a..b"}, 2, "", `--openapi: got the name "a..b"`},
		{with("run", "-e", "1", "--openapi-set", "retry=0"), 2, "", `--openapi-set: retry: got "0"`},
		{with("run", "-e", "1", "--openapi-set", "hunter2"), 2, "", "--openapi-set: want one of document-url=URL"},
		{with("run", "-e", "1", "--openapi-set", "origin=ftp://x"), 2, "", "--openapi-set origin: want an http or https URL"},
		{with("run", "-e", "1", "--openapi-set", "fixed.body.x=1"), 2, "", "--openapi-set: fixed.body.x: want fixed.PLACE.NAME"},
		{with("run", "-e", "1", "--openapi-files", filepath.Join(dir, "none")), 2, "", "--openapi-files: there is no folder"},
		{[]string{"run", "-e", "return Object.keys(tools.pets)", "--openapi", file + "=pets", "--base-url", server.URL, "--openapi-refs"}, 0, `"more"`, ""},
		{[]string{"run", "-e", "1", "--openapi", file, "--openapi", file}, 2, "", "two documents are called pets-v2"},
		{[]string{"run", "-e", "1", "--openapi", file, "--openapi", file + "=b", "--auth", "key:k"}, 2, "", "are for one --openapi document"},
		{[]string{"run", "-e", "1", "--openapi", filepath.Join(dir, "none.yaml")}, 2, "", "none.yaml: no such file"},
		{with("catalog", "--catalog=x.json"), 2, "", "give either --openapi"},
		{with("catalog"), 0, "COMPLETE: 2 of 2 tools", ""},
		{with("catalog"), 0, `getPet(input: { id: number })`, ""},
		{with("catalog"), 0, `
pets-v2: skipped 3
- /more: the reference "more.yaml#/item": references to files are not allowed here; set --openapi-refs
- GET /pets/{id} without query:f: it cannot be written: OpenAPI defines the style deepObject for objects only, not for arrays; set --deep-objects
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
		if strings.Contains(errs, "hunter2") || strings.Contains(out+errs, "aHVudGVyMg") || strings.Contains(out+errs, "a-long-token") {
			t.Errorf("%q shows a secret: %s", test.args, errs)
		}
	}
}

const optionsDocument = `
openapi: 3.1.0
servers: [{url: /v1}]
paths:
  /up: {post: {operationId: up, tags: [files], requestBody: {required: true, content: {application/octet-stream: {schema: {}}, text/plain: {schema: {}}}}}}
  /org/{org}: {get: {operationId: org, tags: [orgs], parameters: [{name: org, in: path, required: true, schema: {}}, {name: page, in: query, schema: {}}], responses: {}}}
  /far: {get: {operationId: far, servers: [{url: 'http://{host}.invalid'}], responses: {}}}
`

// Each option of --openapi-set does what it says, and files of a folder can be sent.
func TestOpenAPISettings(t *testing.T) {
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries++; r.URL.Path == "/v1/org/down" && tries < 3 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(503)
			return
		}
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Link", "next")
		fmt.Fprintf(w, `{"at":%q,"body":%q,"type":%q}`, r.RequestURI, body, r.Header.Get("Content-Type"))
	}))
	defer server.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "api.yaml")
	for name, text := range map[string]string{file: optionsDocument, filepath.Join(dir, "a.txt"): "alpha"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("ORG_TOKEN", "a-secret-organization")
	for _, test := range []struct {
		code string
		args []string
		exit int
		want string
	}{
		{"return await tools.api.org({org: 'x', page: 2})", nil, 0, `"at": "/v1/org/x?page=2"`},
		{"return await tools.api.org({page: 1})", []string{"fixed.path.org=acme"}, 0, `"at": "/v1/org/acme?page=1"`},
		{"return await tools.api.org({page: 1})", []string{"fixed.path.org=env:ORG_TOKEN"}, 0, `"at": "/v1/org/[secret]?page=1"`},
		{"return await tools.api.org({org: 'x'})", []string{"response-header=Link"}, 0, `"link": "next"`},
		{"return await tools.api.org({org: 'x'})", []string{"max-response=5"}, 1, "more than 5 bytes"},
		{"return await tools.api.org({org: 'down'})", []string{"retry=3"}, 0, `"at": "/v1/org/down"`},
		{"return await tools.api.orgs.org({org: 'x'})", []string{"tag-namespaces=true"}, 0, "/v1/org/x"},
		{"return await tools.api.org({})", []string{"validate=off"}, 1, "input.org is required"},
		{"return await tools.api.up({body: 'a.txt'})", []string{"media-type=application/octet-stream"}, 0, `"body": "alpha"`},
		{"return await tools.api.up({body: '../a.txt'})", []string{"media-type=application/octet-stream"}, 1, "is not below the folder"},
		{"return await tools.api.up({body: 'a.txt'})", []string{"media-type=nothing", "media-type=text/plain"}, 0, `"body": "a.txt"`},
		{"return await tools.api.far({})", []string{"origin=http://there.invalid", "variable.host=there", "timeout=20s"}, 1, "GET /far: the server could not be reached"},
	} {
		args := []string{"run", "-e", test.code, "--openapi", file, "--openapi-files", dir, "--openapi-set", "document-url=" + server.URL}
		for _, set := range test.args {
			args = append(args, "--openapi-set", set)
		}
		code, out, errs := invoke(t, context.Background(), "", args...)
		if code != test.exit || !strings.Contains(out+errs, test.want) || strings.Contains(out+errs, "a-secret-organization") {
			t.Errorf("%q: code %d\n%s\n%s", test.args, code, out, errs)
		}
	}
}

// Documents of a configuration file tell what of them is skipped, and list it when asked to, in the words of the file.
func TestSkippedOfConfigurations(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "c.json")
	for name, text := range map[string]string{filepath.Join(dir, "api.yaml"): optionsDocument, config: `{"mcpServers": {"api": {"openapi": "api.yaml", "documentUrl": "http://api.invalid"}}}`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const counted = "codemode: api: operations skipped: 1, parameters left out: 0; codemode catalog -v says why"
	for _, command := range [][]string{{"run", "-e", "1"}, {"catalog"}, {"search", "org"}} {
		if code, out, errs := invoke(t, context.Background(), "", append(command, "--config", config)...); code != 0 || !strings.Contains(errs, counted) {
			t.Errorf("%q: code %d\n%s\n%s", command, code, out, errs)
		}
	}
	const listed = `
api: skipped 1
- GET /far: the variable "host" of the server has no value; set openapi.variables or baseUrl
`
	if code, out, errs := invoke(t, context.Background(), "", "catalog", "--config", config, "-v"); code != 0 || !strings.Contains(out, listed) || errs != "" {
		t.Errorf("code %d\n%s\n%s", code, out, errs)
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

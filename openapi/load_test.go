package openapi_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// expressions are the tools of a document as programs call them.
func expressions(t testing.TB, document string, o openapi.Options) []string {
	t.Helper()
	tree, _, err := openapi.Load([]byte(document), o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := tool.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range c.All() {
		list = append(list, strings.TrimPrefix(e.Expression, "tools.")+" = "+firstLine(e.Tool.Description()))
	}
	return list
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

var anywhere = openapi.Options{BaseURL: "http://api.test"}

func TestNames(t *testing.T) {
	got := expressions(t, `
openapi: 3.1.0
paths:
  /a: {get: {operationId: repos/list-commits}, put: {operationId: repos.list}, post: {operationId: "get user!"}}
  /b: {get: {operationId: 2fa}, put: {operationId: group..other}, post: {operationId: "..."}}
  /users/{id}: {parameters: [{name: id, in: path, schema: {}}], get: {}, delete: {}}
  "/a-b/{x_y}/c.json": {parameters: [{name: x_y, in: path, schema: {}}], get: {}}
  /: {get: {}}
  /both: {get: {operationId: repos}, put: {operationId: repos.list.all}}
`, anywhere)
	want := []string{
		"_2fa = GET /b",
		"deleteUsersById = DELETE /users/{id}",
		"get = GET /",
		"getABByXYCJson = GET /a-b/{x_y}/c.json",
		"getUsersById = GET /users/{id}",
		"get_user = POST /a",
		"group.other = PUT /b",
		"postB = POST /b",
		"repos = GET /both",
		"repos.list = PUT /a",
		"repos.list.all = PUT /both",
		"repos.list_commits = GET /a",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A name that several operations claim goes to the one with that very id, then to
// the first by path and method.
func TestCollidingNames(t *testing.T) {
	got := expressions(t, `
openapi: 3.1.0
paths:
  /z: {get: {operationId: list_all}}
  /b: {get: {operationId: list-all}, put: {operationId: same}}
  /a: {post: {operationId: same}, put: {operationId: same}}
  /users/{id}: {parameters: &id [{name: id, in: path, schema: {}}], get: {}}
  /users/{name}: {parameters: [{name: name, in: path, schema: {}}], get: {}}
  "/users/by/{id}": {parameters: *id, get: {}}
  "/users/by-id": {get: {}}
  /taken: {get: {operationId: postA}}
`, anywhere)
	want := []string{
		"getB = GET /b",
		"getUsersById = GET /users/by-id",
		"getUsersByName = GET /users/{name}",
		"getUsersByById = GET /users/by/{id}",
		"getUsersById_2 = GET /users/{id}",
		"list_all = GET /z",
		"postA = GET /taken",
		"postA_2 = POST /a",
		"putB = PUT /b",
		"same = PUT /a",
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// shuffled is v with the members of all objects in another order.
func shuffled(v data.Value, r *rand.Rand) data.Value {
	switch v := v.(type) {
	case data.Array:
		items := make([]data.Value, v.Len())
		for i, item := range v.All() {
			items[i] = shuffled(item, r)
		}
		return data.NewArray(items)
	case *data.Object:
		members := make([]data.Member, 0, v.Len())
		for key, member := range v.All() {
			members = append(members, data.Member{Key: key, Value: shuffled(member, r)})
		}
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		return data.NewObject(members)
	}
	return v
}

// The order of a document changes no name, also where names collide.
func TestNamesSurviveReordering(t *testing.T) {
	colliding := `{"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":"x"},"put":{"operationId":"x"}},"/b":{"get":{"operationId":"x"}},"/a/{b}":{"parameters":[{"name":"b","in":"path","schema":{}}],"get":{}},"/a/{c}":{"parameters":[{"name":"c","in":"path","schema":{}}],"get":{}},"/a/by/b":{"get":{}},"/c":{"get":{"operationId":"x."},"post":{"operationId":"getA"}}}}`
	documents := []string{colliding}
	for _, name := range []string{"notion.openapi.json", "rclone-1.75.openapi.json", "httpbin-parameters-style.openapi.json"} {
		documents = append(documents, string(fixture.Text("openapi/"+name)))
	}
	for _, document := range documents {
		want := expressions(t, document, anywhere)
		v, err := data.ParseString(document)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(5) {
			got := expressions(t, data.JSON(shuffled(v, rand.New(rand.NewPCG(seed, 1)))), anywhere)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d: got %v, want %v", seed, got, want)
			}
		}
	}
}

func TestNamesOfTheHost(t *testing.T) {
	document := "openapi: 3.1.0\npaths: {/a: {get: {operationId: a, tags: [My Tag]}, put: {operationId: x.b, tags: [T]}, post: {tags: [T]}}, /b: {get: {operationId: c}}}\ntags: [{name: My Tag, description: 'About it.'}]"
	o := anywhere
	o.TagNamespaces = true
	if got, want := expressions(t, document, o), []string{"My_Tag.a = GET /a", "T.postA = POST /a", "c = GET /b", "x.b = PUT /a"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	tree, _, _ := openapi.Load([]byte(document), o)
	if got := tree["My_Tag"].(tool.Namespace).Description; got != "About it." {
		t.Errorf("got %q", got)
	}
	o.Name = func(op openapi.Operation) []string {
		if op.Path == "/a" && op.Method == "GET" {
			return []string{"mine", "first"}
		}
		return nil
	}
	if got := expressions(t, document, o); !slices.Contains(got, "mine.first = GET /a") {
		t.Errorf("got %q", got)
	}
	o.Name = func(openapi.Operation) []string { return []string{"same"} }
	if _, _, err := openapi.Load([]byte(document), o); err == nil || !strings.Contains(err.Error(), "Options.Name: got [\"same\"] for two operations") {
		t.Errorf("got %v", err)
	}
}

func TestVersions(t *testing.T) {
	for document, want := range map[string]string{
		`openapi: 3.0.0`:                   "",
		`{"openapi":"3.1.1"}`:              "",
		"\ufeffopenapi: 3.2.0":             "",
		`swagger: "2.0"`:                   "",
		`swagger: 2.0`:                     "",
		`openapi: 3.1`:                     "",
		`openapi: 3.9.0`:                   "openapi: the document is in OpenAPI 3.9.0; 3.0, 3.1, 3.2 and Swagger 2.0 can be read",
		`swagger: "1.2"`:                   "openapi: the document is in Swagger 1.2; 3.0, 3.1, 3.2 and Swagger 2.0 can be read",
		`asyncapi: 3.0.0`:                  `openapi: the document is no OpenAPI document: it has neither a member "openapi" nor "swagger"`,
		`[1]`:                              `openapi: the document is no OpenAPI document`,
		``:                                 "openapi: the document: it is empty",
		"\xff\xfeo\x00":                    "openapi: the document: it is in UTF-16; save it as UTF-8",
		`{"openapi":"3.1.0"`:               "openapi: the document: invalid JSON at line 1",
		"openapi: 3.1.0\npaths: [":         "openapi: the document: line 2:",
		`{openapi: 3.1.0, paths: {}} # y`:  "",
		"openapi: 3.1.0\npaths: {x: *no}":  "openapi: the document: unknown anchor 'no' referenced",
		"openapi: 3.1.0\nx: &a [*a]":       "openapi: the document: line 2: the alias *a stands for what it is part of",
		"openapi: 3.1.0\n? {a: 1}\n: text": "openapi: the document: line 2: a key that is no text",
	} {
		_, _, err := openapi.Load([]byte(document), anywhere)
		if err == nil && want != "" || err != nil && (want == "" || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: got %v, want %s", document, err, want)
		}
	}
}

// A mistake in one operation costs no other.
func TestMistakesStayWhereTheyAre(t *testing.T) {
	got := expressions(t, `
openapi: 3.1.0
paths:
  /good: {get: {operationId: good}}
  /no-name: {get: {operationId: noName, parameters: [{in: query, schema: {}}]}}
  /no-schema: {get: {operationId: noSchema, parameters: [{in: query, name: x}]}}
  /lost: {get: {operationId: lost, parameters: [{$ref: "#/components/parameters/None"}]}}
  /loop: {get: {operationId: loop, parameters: [{$ref: "#/components/parameters/A"}]}}
  /http: {get: {operationId: http, parameters: [{$ref: "https://evil.test/p.json"}]}}
  /file: {get: {operationId: file, parameters: [{$ref: "other.yaml#/p"}]}}
  /twice: {get: {operationId: twice, parameters: [{in: query, name: x, schema: {}}, {in: query, name: x, schema: {}}]}}
  /style: {get: {operationId: style, parameters: [{in: query, name: x, style: matrix, required: true, schema: {}}]}}
  /place: {get: {operationId: place, parameters: [{in: nowhere, name: x, required: true, schema: {}}]}}
  /body: {post: {operationId: body, requestBody: {required: true, content: {}}}}
  /text: {get: nothing}
  /number: 7
  no-slash: {get: {operationId: noSlash}}
  /open{brace: {get: {operationId: open}}
  /dots/../x: {get: {operationId: dots}}
  /schema: {post: {operationId: schema, requestBody: {content: {application/json: {schema: {$ref: "#/nowhere"}}}}}}
  x-extension: {get: {}}
components: {parameters: {A: {$ref: "#/components/parameters/B"}, B: {$ref: "#/components/parameters/A"}}}
`, anywhere)
	if want := []string{"good = GET /good", "schema = POST /schema"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestServers(t *testing.T) {
	tests := []struct {
		servers string
		o       openapi.Options
		want    string // where the request goes, or why the operation is skipped
	}{
		{`[{url: "https://a.test/v1/"}, {url: "https://b.test"}]`, openapi.Options{}, "https://a.test/v1/p"},
		{`[{url: "https://a.test/v1"}]`, openapi.Options{BaseURL: "http://mine.test:8080/x/"}, "http://mine.test:8080/x/p"},
		{`[{url: "https://{host}.test:{port}/{path}", variables: {host: {default: a}, port: {default: 8443}, path: {default: v2}}}]`, openapi.Options{}, "https://a.test:8443/v2/p"},
		{`[{url: "https://{host}.test", variables: {host: {default: a, enum: [a, b]}}}]`, openapi.Options{ServerVariables: map[string]string{"host": "b"}}, "https://b.test/p"},
		{`[{url: "https://{host}.test", variables: {host: {default: a, enum: [a, b]}}}]`, openapi.Options{ServerVariables: map[string]string{"host": "evil"}}, `the variable "host" of the server cannot have the value that the host sets`},
		{`[{url: "https://{host}.test"}]`, openapi.Options{}, `the variable "host" of the server has no value`},
		{`[{url: "/v3"}]`, openapi.Options{DocumentURL: "https://d.test/docs/openapi.json"}, "https://d.test/v3/p"},
		{`[{url: "v3"}]`, openapi.Options{DocumentURL: "https://d.test/docs/openapi.json"}, "https://d.test/docs/v3/p"},
		{`[{url: "/v3"}]`, openapi.Options{}, `the server "/v3" is relative, and where the document came from is not known`},
		{`[]`, openapi.Options{DocumentURL: "https://d.test/docs/openapi.json"}, "https://d.test/p"},
		{`[{url: "ftp://a.test"}]`, openapi.Options{}, `the server "ftp://a.test" is not http or https`},
		{`[{url: "file:///etc/passwd"}]`, openapi.Options{}, `the server "file:///etc/passwd" is not http or https`},
		{`[{url: "https://user:pass@a.test"}]`, openapi.Options{}, "the server has user information in its URL"},
		{`[{url: "https://a.test?x=1"}]`, openapi.Options{}, `the server "https://a.test?x=1" has a query or a fragment`},
		{`[{url: "https://a.test/{open"}]`, openapi.Options{}, `the server "https://a.test/{open" has an open brace`},
	}
	for _, test := range tests {
		sent := ""
		test.o.Transport = answering(200, "", "").Transport
		if got := sentTo(t, "openapi: 3.1.0\nservers: "+test.servers+"\npaths: {/p: {get: {operationId: op}}}", test.o, &sent); got != test.want {
			t.Errorf("%s: got %s, want %s", test.servers, got, test.want)
		}
	}
}

// Requests and credentials go to the origin of the document alone; servers of
// paths and operations elsewhere need the host's word.
func TestServersElsewhere(t *testing.T) {
	document := `
openapi: 3.1.0
servers: [{url: "https://a.test/v1"}]
paths:
  /p: {get: {operationId: op, servers: [{url: "https://uploads.test/x"}]}}
  /q: {servers: [{url: "https://a.test:443/v2"}], get: {operationId: q}}
`
	sent := ""
	if got, want := sentTo(t, document, openapi.Options{}, &sent), "its server is at https://uploads.test, another origin than the document's https://a.test"; got != want {
		t.Errorf("got %s", got)
	}
	if got := sentTo(t, document, openapi.Options{Origins: []string{"https://uploads.test"}}, &sent); got != "https://uploads.test/x/p" {
		t.Errorf("got %s", got)
	}
	if got := sentTo(t, strings.ReplaceAll(document, "operationId: q", "operationId: op2"), openapi.Options{BaseURL: "https://b.test"}, &sent); got != "https://b.test/p" {
		t.Errorf("got %s", got)
	}
}

func TestFragmentsAndQueriesOfPaths(t *testing.T) {
	sent := ""
	if got := sentTo(t, one("get", "/p?a=1&b={c#frag", ""), openapi.Options{}, &sent); got != "the path has a parameter in its query" {
		t.Error(got)
	}
	if got := sentTo(t, one("get", "/p a/ü?a=1 2#frag", "parameters: [{name: c, in: query, schema: {}}]"), openapi.Options{}, &sent); got != "http://api.test/p%20a/%C3%BC?a=1%202" {
		t.Error(got)
	}
}

// Files are read only from the host's file system, and only there.
func TestReferencesToFiles(t *testing.T) {
	document := `
openapi: 3.1.0
paths:
  /p: {$ref: "paths/p.yaml#/item"}
  /up: {$ref: "../outside.yaml"}
  /abs: {$ref: "/etc/passwd"}
  /missing: {$ref: "paths/none.yaml"}
`
	files := fstest.MapFS{
		"api/openapi.yaml":  {Data: []byte(document)},
		"api/paths/p.yaml":  {Data: []byte("item: {get: {operationId: op, responses: {'200': {content: {application/json: {schema: {$ref: '../schemas.json#/S'}}}}}}}")},
		"api/schemas.json":  {Data: []byte(`{"S":{"type":"object","properties":{"self":{"$ref":"#/S"},"doc":{"$ref":"openapi.yaml#/openapi"}},"required":["self"]}}`)},
		"outside.yaml":      {Data: []byte("get: {operationId: outside}")},
		"api/paths/sub.txt": {Data: []byte("no")},
	}
	o := anywhere
	o.References, o.DocumentName = files, "api/openapi.yaml"
	p, skipped := load(t, document, o)
	if got, want := p.Signature("op"), "tools.op(): Promise<S>; type S = { self: S; doc?: unknown }"; got != want {
		t.Errorf("got %s", got)
	}
	p.Signature("outside") // within the file system, which is the bound
	if got, want := reasons(skipped), `/abs: the reference "/etc/passwd": it leads out of the folder of the document
/missing: the reference "paths/none.yaml": the file cannot be opened`; got != want {
		t.Errorf("got %s", got)
	}
	o.DocumentName = ""
	_, skipped = load(t, strings.ReplaceAll(document, "paths/p.yaml", "api/paths/p.yaml"), o)
	if got := reasons(skipped); !strings.Contains(got, `/up: the reference "../outside.yaml": it leads out of the folder of the document`) {
		t.Errorf("got %s", got)
	}
	_, skipped = load(t, document, anywhere)
	if got := reasons(skipped); strings.Count(got, "references to files are not allowed here") != 4 {
		t.Errorf("got %s", got)
	}
}

// A symbolic link does not lead out of a root.
func TestLinksDoNotLeadOut(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.yaml"), []byte("get: {operationId: secret}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "secret.yaml"), filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	o := anywhere
	o.References = root.FS()
	tree, skipped, err := openapi.Load([]byte("openapi: 3.1.0\npaths: {/p: {$ref: link.yaml}}"), o)
	if err != nil || len(tree) > 0 || len(skipped) != 1 {
		t.Errorf("got %v, %v, %v", tree, skipped, err)
	}
}

// sentTo is where the tool "op" sends its request, or why there is none.
func sentTo(t *testing.T, document string, o openapi.Options, sent *string) string {
	t.Helper()
	*sent = ""
	recording := answering(204, "", "").Transport
	o.Transport = recorder{recording.(transport), sent}
	tree, skipped, err := openapi.Load([]byte(document), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := tree["op"]; !ok {
		return skipped[0].Reason
	}
	p, _ := load(t, document, o)
	p.Call("op")
	return *sent
}

func TestWrongOptions(t *testing.T) {
	key := openapi.APIKey("k")
	for want, o := range map[string]openapi.Options{
		"Options.BaseURL: want an http or https URL without user information":         {BaseURL: "ftp://x"},
		"Options.BaseURL: want no query and no fragment":                              {BaseURL: "http://x/?a=b"},
		"Options.DocumentURL: want an http or https URL":                              {DocumentURL: "openapi.json"},
		"Options.Origins: want an http or https URL":                                  {Origins: []string{"x.test"}},
		`Options.Headers: the header "X" has a name or a value`:                       {Headers: map[string][]string{"X": {"a\nb"}}},
		`Options.Fixed: want In (one of path, query, header, cookie), Name and Value`: {Fixed: []openapi.Fixed{{In: "body", Name: "x", Value: data.Null{}}}},
		"Options.Undeclared: got an API key":                                          {Undeclared: &key},
		"Options.MaxResponse: got -1, want 0 or more":                                 {MaxResponse: -1},
		"Options.Timeout: got -1ns, want 0 or more":                                   {Timeout: -1},
		"Options.DeepObjects: got 9":                                                  {DeepObjects: 9},
	} {
		if _, _, err := openapi.Load([]byte("openapi: 3.1.0"), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

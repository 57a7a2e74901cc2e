package openapi_test

// These tests are about requests that are exact, or refused.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// An input says nothing in the place of a credential, the host or the path, by whatever name.
func TestTakenNames(t *testing.T) {
	w := newWire(t, nil)
	free := `schema: {type: object, additionalProperties: {type: string}}`
	p, skipped := load(t, `
openapi: 3.0.3
paths:
  /c: {get: {operationId: c, security: [{sid: []}], parameters: [{name: prefs, in: cookie, `+free+`}, {name: org, in: cookie, schema: {}}, {name: theme, in: cookie, schema: {}}]}}
  /q: {get: {operationId: q, security: [{k: []}], parameters: [{name: f, in: query, allowReserved: true, `+free+`}, {name: 'page:size', in: query, schema: {}}]}}
  /q2?mode=safe: {get: {operationId: q2, parameters: [{name: f, in: query, `+free+`}, {name: mode, in: query, required: true, schema: {}}]}}
  /q3: {get: {operationId: q3, parameters: [{name: f, in: query, style: deepObject, `+free+`}, {name: 'f[org]', in: query, schema: {}}, {name: g, in: query, `+free+`}]}}
  /q4: {get: {operationId: q4, parameters: [{name: fixed, in: query, `+free+`}, {name: f, in: query, `+free+`}]}}
  /h: {get: {operationId: h, security: [{h: []}], parameters: [{name: prefs, in: cookie, `+free+`}]}}
components: {securitySchemes: {sid: {type: apiKey, in: cookie, name: sid}, k: {type: apiKey, in: query, name: api_key}, h: {type: http, scheme: x}}}
`, openapi.Options{BaseURL: w.URL, Headers: http.Header{"Cookie": {"theme=dark", "lang=en"}},
		Fixed: []openapi.Fixed{{In: "cookie", Name: "org", Value: data.String("acme")}, {In: "query", Name: "f[org]", Value: data.String("acme")}, {In: "query", Name: "page:size", Value: data.IntOf(10)},
			{In: "query", Name: "fixed", Value: data.NewObject([]data.Member{{Key: "own", Value: data.String("1")}})}},
		Credentials: openapi.Static(map[string]openapi.Credential{"sid": openapi.APIKey("HOSTSECRET1"), "k": openapi.APIKey("HOSTSECRET2"), "h": openapi.Header("Cookie", "auth=HOSTSECRET3")})})
	if got, want := reasons(skipped), "GET /q2?mode=safe without query:mode: the path has it in its own query"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, test := range []struct{ tool, input, want string }{
		{"c", `{"prefs":{"sid":"attacker"}}`, "input.prefs.sid is the name of a credential"},
		{"c", `{"prefs":{"org":"evil"}}`, "input.prefs.org is the name of a value of the host"},
		{"c", `{"prefs":{"theme":"evil"}}`, "input.prefs.theme is the name of a value of the host"},
		{"q", `{"f":{"page:size":"1000"}}`, `input.f["page:size"] is the name of a value of the host`},
		{"q", `{"f":{"api_key":"x"}}`, "input.f.api_key is the name of a credential"},
		{"q2", `{"f":{"mode":"danger"}}`, "input.f.mode is the name of a value in the path itself"},
		{"q3", `{"f":{"org":"evil"}}`, "input.f.org is the name of a value of the host"},
		{"q3", `{"f":{"org][x":"evil"}}`, `input.f["org][x"] is the name of a value of the host`},
		{"q3", `{"g":{"f[org]":"evil"}}`, `input.g["f[org]"] is the name of a value of the host`},
		{"q3", `{"g":{"f[x]":"evil"}}`, `input.g["f[x]"] is the name of another parameter`},
		{"q4", `{"f":{"own":"2"}}`, "input.f.own is the name of a value of the host"},
		{"h", `{"prefs":{"auth":"x"}}`, "input.prefs sets a cookie with the name of a credential"},
	} {
		if got := p.Fails(diagnostics.ToolFailure, test.tool, json.RawMessage(test.input)); !strings.HasSuffix(got, " was not sent: "+test.want) {
			t.Errorf("%s %s: got %s", test.tool, test.input, got)
		}
	}
	if w.count() > 0 {
		t.Error("something was sent")
	}
	p.Call("q", json.RawMessage(`{"f":{"api_key=attacker":"x=/y"}}`))
	if got, want := w.last(t).Target, "/q?api_key%3Dattacker=x=/y&page%3Asize=10&api_key=HOSTSECRET2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.Call("c", json.RawMessage(`{"prefs":{"a":"1"}}`))
	if got, want := w.last(t).Header["Cookie"], "theme=dark; lang=en; a=1; org=acme; sid=HOSTSECRET1"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// One item arrives as one, or is refused.
func TestItemsWithSeparators(t *testing.T) {
	w := newWire(t, nil)
	p, _ := load(t, strings.Replace(one("post", "/p", `parameters: [
		{name: s, in: query, style: spaceDelimited, explode: false, schema: {type: array}}, {name: p, in: query, style: pipeDelimited, explode: false, schema: {}},
		{name: r, in: query, allowReserved: true, explode: false, schema: {type: array}}, {name: X-L, in: header, schema: {}}],
		requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {a: {type: array}, b: {type: array}, c: {type: array}}},
			encoding: {a: {style: spaceDelimited, explode: false}, b: {style: form, explode: false}, c: {style: pipeDelimited, explode: false}}}}}`), "3.0.3", "3.1.0", 1), openapi.Options{BaseURL: w.URL})
	for input, want := range map[string]string{
		`{"s":["a b","c"]}`:          `input.s[0] has the character " "`,
		`{"p":["a","b|c"]}`:          `input.p[1] has the character "|"`,
		`{"p":{"a|b":"c"}}`:          `input.p["a|b"] has the character "|"`,
		`{"r":["a,b"]}`:              `input.r[0] has the character ","`,
		`{"body":{"a":["a b"]}}`:     `input.body.a[0] has the character " "`,
		`{"body":{"b":["a,b"]}}`:     `input.body.b[0] has the character ","`,
		`{"body":{"c":["x","a|b"]}}`: `input.body.c[1] has the character "|"`,
	} {
		if got := p.Fails(diagnostics.ToolFailure, "op", json.RawMessage(input)); !strings.HasPrefix(got, "POST /p was not sent: "+want) {
			t.Errorf("%s: got %s", input, got)
		}
	}
	if w.count() > 0 {
		t.Error("something was sent")
	}
	p.Call("op", json.RawMessage(`{"X-L":[],"body":{"a":["a%20b","100%7C","c"],"c":["%20","y"]}}`))
	got := w.last(t)
	if !strings.Contains(got.Body, "\r\n\r\na%20b 100%7C c\r\n") || !strings.Contains(got.Body, "\r\n\r\n%20|y\r\n") {
		t.Errorf("sent %s", got.Body)
	}
	if _, sent := got.Header["X-L"]; sent {
		t.Error("an empty list is a header")
	}
	required, _ := load(t, one("get", "/p", `parameters: [{name: X-L, in: header, required: true, schema: {type: array}}]`), openapi.Options{BaseURL: w.URL})
	if got := required.Fails(diagnostics.ToolFailure, "op", json.RawMessage(`{"X-L":[]}`)); !strings.Contains(got, "is required, but an empty list") {
		t.Errorf("got %s", got)
	}
}

// A null is no field of a form.
func TestNullsInForms(t *testing.T) {
	for _, media := range []string{"application/x-www-form-urlencoded", "multipart/form-data"} {
		w := newWire(t, nil)
		p, _ := load(t, one("post", "/p", `requestBody: {required: true, content: {`+media+`: {schema: {type: object, required: [r], properties: {a: {type: [string, 'null']}, l: {type: array}, r: {}, j: {}}}, encoding: {j: {contentType: application/json}}}}}`), openapi.Options{BaseURL: w.URL})
		p.Call("op", json.RawMessage(`{"body":{"a":null,"r":1,"j":null}}`))
		if got := w.last(t).Body; strings.Contains(got, `"a"`) || strings.Contains(got, "a=") || !strings.Contains(got, "null") {
			t.Errorf("sent %s", got)
		}
		for input, want := range map[string]string{
			`{"body":{"r":null}}`:             "input.body.r is required, but null cannot be sent in a form",
			`{"body":{"r":1,"l":["x",null]}}`: "input.body.l[1] cannot be null here",
		} {
			if got := p.Fails(diagnostics.ToolFailure, "op", json.RawMessage(input)); !strings.Contains(got, want) {
				t.Errorf("%s: got %s", input, got)
			}
		}
	}
}

// Texts go out in the character set that the document names.
func TestCharacterSetsOfBodies(t *testing.T) {
	for _, test := range []struct{ media, value, want string }{
		{"text/plain; charset=iso-8859-1", `"café"`, "caf\xe9"},
		{"text/plain; charset=iso-8859-1", `"€"`, `!has the character '€', which the character set iso-8859-1`},
		{"text/plain; charset=windows-1252", `"é€"`, "\xe9\x80"},
		{"text/plain; charset=us-ascii", `"é"`, "!has the character 'é'"},
		{"text/plain; charset=utf-16be", `"é😀"`, "\x00\xe9\xd8\x3d\xde\x00"},
		{"text/plain; charset=UTF-16LE", `"é"`, "\xe9\x00"},
		{"text/plain; charset=utf-16", `"é"`, "\xfe\xff\x00\xe9"},
		{"text/plain; charset=utf-8", `"é"`, "é"},
		{"application/json; charset=iso-8859-1", `{"a":"é€😀"}`, `{"a":"\u00e9\u20ac\ud83d\ude00"}`},
		{"application/json; charset=utf-16be", `"a"`, "\x00\"\x00a\x00\""},
		{"application/json; charset=utf-8", `"é"`, `"é"`},
		{"text/plain; charset=shift_jis", `"a"`, `?texts cannot be written in its character set "shift_jis"`},
		{"application/x-www-form-urlencoded; charset=iso-8859-1", `{}`, `?texts cannot be written in its character set "iso-8859-1"`},
	} {
		w := newWire(t, nil)
		p, skipped := load(t, one("post", "/p", `requestBody: {required: true, content: {'`+test.media+`': {schema: {}}}`+"}"), openapi.Options{BaseURL: w.URL})
		if want, bad := strings.CutPrefix(test.want, "?"); bad {
			if !strings.Contains(reasons(skipped), want) {
				t.Errorf("%s: skipped %s", test.media, reasons(skipped))
			}
			continue
		}
		input := json.RawMessage(`{"body":` + test.value + `}`)
		if want, refused := strings.CutPrefix(test.want, "!"); refused {
			if got := p.Fails(diagnostics.ToolFailure, "op", input); !strings.Contains(got, want) || w.count() > 0 {
				t.Errorf("%s: got %s", test.media, got)
			}
			continue
		}
		p.Call("op", input)
		if got := w.last(t); got.Body != test.want || got.Header.Get("Content-Type") != test.media {
			t.Errorf("%s: sent %q as %s", test.media, got.Body, got.Header.Get("Content-Type"))
		}
	}
}

// Ranges of media types are no media type of a body.
func TestRangesOfBodies(t *testing.T) {
	for media, want := range map[string]string{"text/*": "text/plain", "application/*+json": "application/json"} {
		w := newWire(t, nil)
		p, _ := load(t, one("post", "/p", `requestBody: {required: true, content: {'`+media+`': {schema: {type: string}}}}`), openapi.Options{BaseURL: w.URL})
		p.Call("op", map[string]any{"body": "x"})
		if got := w.last(t).Header.Get("Content-Type"); got != want {
			t.Errorf("%s: sent as %s", media, got)
		}
	}
}

// A body of GET is sent again where the redirect keeps it, and never elsewhere; another origin learns nothing of the host.
func TestRedirectedBodiesAndHeaders(t *testing.T) {
	var away http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { away = r.Header.Clone() }))
	defer other.Close()
	status, location := 0, ""
	w := newWire(t, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/p" {
			rw.Header().Set("Location", location)
			rw.WriteHeader(status)
		}
	})
	p, _ := load(t, one("get", "/p", `requestBody: {content: {application/json: {schema: {type: object}}}}`),
		openapi.Options{BaseURL: w.URL, Headers: http.Header{"User-Agent": {"host-agent"}, "Accept": {"application/json;k=1"}}})
	for _, status = range []int{301, 302, 303, 307, 308} {
		location = "/q"
		p.Call("op", json.RawMessage(`{"body":{"a":1}}`))
		if got := w.last(t); got.Target != "/q" || got.Body != `{"a":1}` || got.Header.Get("User-Agent") != "host-agent" {
			t.Errorf("%d: sent %+v", status, got)
		}
		location, away = other.URL, nil
		if got := p.Fails(diagnostics.ToolFailure, "op", json.RawMessage(`{"body":{"a":1}}`)); !strings.Contains(got, "would get the data") || away != nil {
			t.Errorf("%d: got %s", status, got)
		}
		p.Call("op")
		if away.Get("User-Agent") != "codemode" || away.Get("Accept") != "*/*" {
			t.Errorf("%d: sent %v", status, away)
		}
	}
}

// stalled is a body that begins and then waits for its end.
type stalled struct {
	ctx context.Context
	io.Reader
}

func (s stalled) Read(p []byte) (int, error) {
	if n, err := s.Reader.Read(p); err == nil {
		return n, nil
	}
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func (stalled) Close() error { return nil }

// answers answers all requests the same way.
type answers func(*http.Request) *http.Response

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// An end while the body of an error arrives is that end, not the error.
func TestInterruptionWithinAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport := answers(func(r *http.Request) *http.Response {
			return &http.Response{StatusCode: 500, Header: http.Header{"Content-Type": {"application/json"}}, Body: stalled{r.Context(), strings.NewReader("{")}}
		})
		p, _ := load(t, one("get", "/p", ""), openapi.Options{Timeout: 1500 * time.Millisecond, Transport: transport})
		if got := p.Call("op").Failure; got == nil || strings.Contains(got.Message, "500") || !strings.Contains(got.Message, "1.5") {
			t.Errorf("got %v", got)
		}
		tree, _, err := openapi.Load([]byte(one("get", "/p", "")), openapi.Options{Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		rt, err := codemode.New(codemode.Options{Tools: tree})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		r, err := rt.Execute(ctx, "return await tools.op({})")
		if !errors.Is(err, context.DeadlineExceeded) || len(r.Calls) != 1 || r.Calls[0].Status != tool.Interrupted {
			t.Errorf("got %v, %+v", err, r)
		}
	})
}

// Retry-After is a number of seconds or a date, by the server's clock.
func TestRetryAfterDates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			after, date string
			wait        time.Duration
		}{
			{"Sat, 01 Jan 2000 00:00:12 GMT", "", 12 * time.Second}, // now is midnight before it
			{"7", "", 7 * time.Second},
			{"1000000000000", "", 30 * time.Second},
			{"Wed, 21 Oct 2015 07:28:20 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", 20 * time.Second},
			{"Fri, 31 Dec 1999 07:28:20 GMT", "", 0},
			{"Wed, 21 Oct 2115 07:28:20 GMT", "", 30 * time.Second},
			{"soon", "", time.Second / 2},
		} {
			sent := 0
			p, _ := load(t, one("get", "/p", ""), openapi.Options{Retry: openapi.RetrySafe(2), Transport: answers(func(*http.Request) *http.Response {
				if sent++; sent == 1 {
					return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {test.after}, "Date": {test.date}}, Body: http.NoBody}
				}
				return &http.Response{StatusCode: 204, Header: http.Header{}, Body: http.NoBody}
			})})
			begin := time.Now()
			p.Call("op")
			if got := time.Since(begin); sent != 2 || got != test.wait {
				t.Errorf("%s: waited %v, want %v", test.after, got, test.wait)
			}
		}
	})
}

// What the document gets wrong is a reason, not a guess.
func TestWrongDocuments(t *testing.T) {
	for document, want := range map[string]string{
		one("get", "/p", "parameters: {a: 1}"):                                                                  "GET /p: its parameters are no list",
		one("get", "/p", "servers: x"):                                                                          "GET /p: the list of servers is no list",
		one("get", "/p", "servers: [{}]"):                                                                       "GET /p: the server has no URL; set Options.BaseURL",
		one("get", "/p", "servers: [{url: ''}]"):                                                                "GET /p: the server has no URL; set Options.BaseURL",
		one("get", "/p", "servers: [{url: 'http://api.test?'}]"):                                                `GET /p: the server "http://api.test?" has a query or a fragment`,
		one("get", "/p", "servers: [{url: 'http://api.test/a/../b'}]"):                                          `GET /p: the server "http://api.test/a/../b" has a segment . or .. in its path`,
		one("get", "/a/%2e%2e/secret", ""):                                                                      "GET /a/%2e%2e/secret: the path has a segment that is only dots",
		one("get", "/a/%2E./secret", ""):                                                                        "GET /a/%2E./secret: the path has a segment that is only dots",
		strings.Replace(one("get", "/p", ""), "[{url: 'http://api.test'}]", "x", 1):                             "GET /p: the list of servers is no list",
		one("get", "/p", "parameters: [{name: f, in: query, style: deepObject, explode: false, schema: {}}]"):   "GET /p without query:f: it cannot be written: OpenAPI does not define the style deepObject without explode",
		one("get", "/p", "parameters: [{name: f, in: query, style: tabDelimited, explode: false, schema: {}}]"): `GET /p without query:f: it cannot be written: there is no style "tabDelimited" for query`,
	} {
		_, skipped := load(t, document, openapi.Options{DocumentURL: "http://api.test/docs/openapi.json"})
		if got := reasons(skipped); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestMisusedHeadersAndAddresses(t *testing.T) {
	for want, o := range map[string]openapi.Options{
		"Options.BaseURL: want no query and no fragment":               {BaseURL: "http://api.test/x?"},
		"Options.BaseURL: want no segments . and ..":                   {BaseURL: "http://api.test/x/%2e%2e/y"},
		"Options.Headers: the header Host is that of the address":      {Headers: http.Header{"host": {"x"}}},
		"Options.Headers: the transport writes the header Accept-Enco": {Headers: http.Header{"Accept-Encoding": {"br"}}},
		"Options.Headers: the transport writes the header Content-Len": {Headers: http.Header{"content-length": {"3"}}},
	} {
		if _, _, err := openapi.Load([]byte(one("get", "/p", "")), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A file is sent as the host says it is, or not.
func TestFilesOfAnotherSize(t *testing.T) {
	w := newWire(t, nil)
	size := int64(0)
	p, _ := load(t, `
openapi: 3.1.0
paths:
  /p: {post: {operationId: op, requestBody: {required: true, content: {application/octet-stream: {schema: {}}}}}}
  /m: {post: {operationId: m, requestBody: {required: true, content: {multipart/form-data: {schema: {properties: {f: {type: string, format: binary}}}}}}}}
`, openapi.Options{BaseURL: w.URL, Files: func(_ context.Context, name string) (openapi.File, error) {
		return openapi.File{Name: name, Size: size, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("abcdef")), nil }}, nil
	}})
	for n, want := range map[int64]string{10: `the file "x.bin" has fewer bytes than the host said`, 3: `the file "x.bin" has more bytes than the host said`, 0: `the file "x.bin" has more bytes than the host said`, 6: "", -1: ""} {
		size = n
		for _, name := range []string{"op", "m"} {
			input := map[string]any{"body": "x.bin"}
			if name == "m" {
				input = map[string]any{"body": map[string]any{"f": "x.bin"}}
			}
			o := p.Call(name, input)
			if got := o.Failure; want == "" && got != nil || want != "" && (got == nil || !strings.HasSuffix(got.Message, want)) {
				t.Errorf("%s of %d: got %v, want %s", name, n, got, want)
			}
		}
	}
}

// The name of the runtime's own namespace would make the whole tree unusable.
func TestReservedNames(t *testing.T) {
	tree, _, err := openapi.Load([]byte("openapi: 3.1.0\npaths: {/a: {get: {operationId: $codemode.search}, put: {operationId: x, tags: [$codemode]}}}"), openapi.Options{BaseURL: "http://api.test", TagNamespaces: true})
	if err != nil {
		t.Fatal(err)
	}
	rt, err := codemode.New(codemode.Options{Tools: tree})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range rt.Tools().All() {
		got = append(got, e.Expression)
	}
	if want := "tools._codemode.search tools._codemode.x"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// What belongs to answers is not required of inputs, also in alternatives, where it stays known.
func TestReadOnlyInAlternatives(t *testing.T) {
	const schemas = `
components:
  schemas:
    Cat: {type: object, additionalProperties: false, required: [id, meow], properties: {id: {type: string, readOnly: true}, meow: {type: string}}}
    Dog: {type: object, additionalProperties: false, required: [id, name], properties: {id: {type: string, readOnly: true}, name: {type: string}}}
    Base: {type: object, required: [id], properties: {id: {type: string, readOnly: true}}}
`
	w := newWire(t, nil)
	body := func(schema string) string {
		return one("post", "/p", "requestBody: {required: true, content: {application/json: {schema: "+schema+"}}}") + schemas
	}
	for _, schema := range []string{
		"{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}",
		"{anyOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}",
		"{oneOf: [{allOf: [{$ref: '#/components/schemas/Base'}, {required: [id], properties: {meow: {type: string}}}]}, {type: object, required: [name]}]}",
	} {
		p, _ := load(t, body(schema), openapi.Options{BaseURL: w.URL})
		if o := p.Call("op", json.RawMessage(`{"body":{"meow":"x"}}`)); o.Failure != nil {
			t.Errorf("%s: %s", schema, o.Failure.Message)
		}
	}
	// Two alternatives that only differ in what is not required any more are no contradiction.
	p, _ := load(t, body("{oneOf: [{type: object, required: [a], properties: {a: {readOnly: true}}}, {type: object, required: [b], properties: {b: {readOnly: true}}}]}"), openapi.Options{BaseURL: w.URL})
	if o := p.Call("op", json.RawMessage(`{"body":{}}`)); o.Failure != nil {
		t.Error(o.Failure.Message)
	}
	p, _ = load(t, body("{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}"), openapi.Options{BaseURL: w.URL})
	p.Fails(diagnostics.InvalidToolInput, "op", json.RawMessage(`{"body":{"id":"1"}}`))
}

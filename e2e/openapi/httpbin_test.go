package openapi

// This file defines what go-httpbin answers: authentication, states, redirects,
// encodings, streams, bytes and forms.

import (
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mccutchen/go-httpbin/v2/httpbin"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool/tooltest"
)

const httpbinDocument = `
openapi: 3.1.0
components:
  securitySchemes: {token: {type: http, scheme: bearer}, login: {type: http, scheme: basic}}
  parameters:
    n: {name: n, in: path, required: true, schema: {type: integer}}
paths:
  /bearer: {get: {operationId: bearer, security: [{token: []}]}}
  /basic-auth/user/secret: {get: {operationId: basic, security: [{login: []}]}}
  /status/{n}: {parameters: [{$ref: '#/components/parameters/n'}], get: {operationId: status}, delete: {operationId: statusDelete}}
  /relative-redirect/{n}: {parameters: [{$ref: '#/components/parameters/n'}], get: {operationId: relative}}
  /absolute-redirect/{n}: {parameters: [{$ref: '#/components/parameters/n'}], get: {operationId: absolute}}
  /redirect-to: {get: {operationId: redirectTo, security: [{token: []}], parameters: [{name: url, in: query, required: true, schema: {type: string}}]}}
  /gzip: {get: {operationId: gzip}}
  /encoding/utf8: {get: {operationId: utf8, responses: {'200': {content: {text/html: {}}}}}}
  /image/png: {get: {operationId: png, responses: {'200': {content: {image/png: {schema: {type: string, format: binary}}}}}}}
  /bytes/{n}: {parameters: [{$ref: '#/components/parameters/n'}], get: {operationId: bytes}}
  /sse: {get: {operationId: sse, parameters: [{name: count, in: query, schema: {type: integer}}, {name: duration, in: query, schema: {type: string}}]}}
  /delay/{n}: {parameters: [{$ref: '#/components/parameters/n'}], get: {operationId: delay}}
  /robots.txt: {get: {operationId: robots, responses: {'200': {content: {text/plain: {}}}}}}
  /head: {head: {operationId: head}}
  /response-headers: {get: {operationId: responseHeaders, parameters: [{name: free, in: query, schema: {type: object}}]}}
  /post:
    post:
      operationId: form
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object}}}}
  /anything/upload:
    post:
      operationId: upload
      requestBody:
        content:
          multipart/form-data:
            schema: {type: object, properties: {file: {type: string, format: binary}, meta: {type: object}, tags: {type: array, items: {type: string}}}}
            encoding: {tags: {style: form, explode: false}}
  /anything/text: {put: {operationId: text, requestBody: {content: {text/plain: {}}}}}
  /anything/json: {patch: {operationId: json, requestBody: {content: {application/json: {}}}}}
`

func httpbinProgram(t *testing.T, o openapi.Options) (*tooltest.Program, string) {
	server := httptest.NewServer(httpbin.New())
	t.Cleanup(server.Close)
	o.BaseURL = server.URL
	tree, skipped, err := openapi.Load([]byte(httpbinDocument), o)
	if err != nil || o.Files != nil && len(skipped) > 0 {
		t.Fatal(err, skipped)
	}
	return tooltest.New(t, tree), server.URL
}

func TestHttpbin(t *testing.T) {
	content := "a,b\n1,2\n"
	p, url := httpbinProgram(t, openapi.Options{
		Credentials: openapi.Static(map[string]openapi.Credential{"token": openapi.Bearer("a-long-token"), "login": openapi.Basic("user", "secret")}),
		MaxResponse: 50_000,
		Files: func(context.Context, string) (openapi.File, error) {
			return openapi.File{Name: "t.csv", MIMEType: "text/csv", Size: int64(len(content)), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}, nil
		},
	})
	tests := []struct {
		tool  string
		input map[string]any
		at    string // a member of the value, "" for all of it
		want  string // its JSON, or after "error: " what the message has
	}{
		{"bearer", nil, "", `{"authenticated":true,"token":"[secret]"}`},
		{"basic", nil, "authorized", `true`},
		{"status", map[string]any{"n": 204}, "", `null`},
		{"status", map[string]any{"n": 418}, "", `error: GET /status/{n} answered 418 I'm a teapot`},
		{"statusDelete", map[string]any{"n": 404}, "", `error: DELETE /status/{n} answered 404 Not Found`},
		{"relative", map[string]any{"n": 3}, "url", `"` + url + `/get"`},
		{"absolute", map[string]any{"n": 2}, "url", `"` + url + `/get"`},
		{"relative", map[string]any{"n": 11}, "", `error: GET /relative-redirect/{n} was redirected more than 10 times`},
		{"redirectTo", map[string]any{"url": "/bearer"}, "authenticated", `true`},
		{"redirectTo", map[string]any{"url": strings.Replace(url, "127.0.0.1", "localhost", 1) + "/bearer"}, "", `error: GET /redirect-to answered 401 Unauthorized`},
		{"gzip", nil, "gzipped", `true`},
		{"robots", nil, "", `"User-agent: *\nDisallow: /deny\n"`},
		{"bytes", map[string]any{"n": 60_000}, "", `error: GET /bytes/{n} answered with more than 50000 bytes`},
		{"bytes", map[string]any{"n": 10}, "bytes", `10`},
		{"png", nil, "type", `"image/png"`},
		{"sse", map[string]any{"count": 2, "duration": "10ms"}, "", `error: GET /sse answered with a stream of events`},
		{"head", nil, "", `null`},
		{"form", map[string]any{"body": map[string]any{"a": "x y&z=é", "b": []int{1, 2}}}, "form", `{"a":["x y&z=é"],"b":["1","2"]}`},
		{"upload", map[string]any{"body": map[string]any{"file": "f", "meta": map[string]any{"n": 1}, "tags": []string{"p", "q"}}}, "form", `{"meta":["{\"n\":1}"],"tags":["p,q"]}`},
		{"upload", map[string]any{"body": map[string]any{"file": "f"}}, "files", `{"file":["a,b\n1,2\n"]}`},
		{"text", map[string]any{"body": "grüße"}, "data", `"grüße"`},
		{"json", map[string]any{"body": []any{1, nil, "é"}}, "json", `[1,null,"é"]`},
	}
	for _, test := range tests {
		if test.input == nil {
			test.input = map[string]any{}
		}
		o := p.Call(test.tool, test.input)
		if want, failure := strings.CutPrefix(test.want, "error: "); failure {
			if o.Failure == nil || !strings.HasPrefix(o.Failure.Message, want) {
				t.Errorf("%s %v: got %s %+v, want the failure %s", test.tool, test.input, data.JSON(o.Value), o.Failure, want)
			}
			continue
		}
		v := o.Value
		if test.at != "" {
			object, _ := v.(*data.Object)
			v, _ = object.Get(test.at)
		}
		if o.Failure != nil || data.JSON(v) != test.want {
			t.Errorf("%s %v: got %s of %s %+v, want %s", test.tool, test.input, data.JSON(v), data.JSON(o.Value), o.Failure, test.want)
		}
	}
	utf8 := p.Call("utf8")
	if text, _ := utf8.Value.(data.String); !strings.Contains(string(text), "∮ E⋅da = Q") {
		t.Errorf("got %s", data.JSON(utf8.Value))
	}
	if n := len(p.Attachments()); n != 2 {
		t.Errorf("%d attachments, want 2", n)
	}
}

func TestHttpbinDelays(t *testing.T) {
	p, _ := httpbinProgram(t, openapi.Options{Timeout: 100 * time.Millisecond})
	start := time.Now()
	o := p.Call("delay", map[string]any{"n": 5})
	if o.Failure == nil || o.Failure.Message != "tools.delay took longer than its limit of 100ms and was interrupted" || time.Since(start) > 3*time.Second {
		t.Errorf("got %+v after %v", o.Failure, time.Since(start))
	}
}

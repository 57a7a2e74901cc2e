package openapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

const secured = `
openapi: 3.1.0
security: [{bearer: []}, {basic: [], inQuery: []}]
paths:
  /default: {get: {operationId: default}}
  /header: {get: {operationId: header, security: [{inHeader: []}]}}
  /cookie: {get: {operationId: cookie, security: [{inCookie: []}], parameters: [{name: a, in: cookie, schema: {}}]}}
  /oauth: {get: {operationId: oauth, security: [{oauth: [read, write]}]}}
  /digest: {get: {operationId: digest, security: [{digest: []}]}}
  /mutual: {get: {operationId: mutual, security: [{mutual: []}]}}
  /open: {get: {operationId: open, security: []}}
  /optional: {get: {operationId: optional, security: [{bearer: []}, {}]}}
  /twice: {get: {operationId: twice, security: [{bearer: [], basic: []}]}}
  /lost: {get: {operationId: lost, security: [{nothing: []}]}}
  /proto: {get: {operationId: proto, security: [{__proto__: []}]}}
  /bad: {get: {operationId: bad, security: {bearer: []}}}
  /shown: {get: {operationId: shown, security: [{inQuery: []}], parameters: [{name: key, in: query, required: true, schema: {type: string}}]}}
components:
  securitySchemes:
    bearer: {type: http, scheme: Bearer}
    basic: {type: http, scheme: basic}
    digest: {type: http, scheme: digest}
    inQuery: {type: apiKey, in: query, name: key}
    inHeader: {type: apiKey, in: header, name: X-Key}
    inCookie: {type: apiKey, in: cookie, name: session}
    oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://auth.test/token', scopes: {read: ""}}}}
    mutual: {type: mutualTLS}
`

// Each scheme's credential goes where the scheme says.
func TestCredentials(t *testing.T) {
	w := newWire(t, nil)
	all := map[string]openapi.Credential{
		"bearer": openapi.Bearer("token-1"), "basic": openapi.Basic("ü", "p:w"), "inQuery": openapi.APIKey("k&1"), "inHeader": openapi.APIKey("k2"),
		"inCookie": openapi.APIKey("k 3"), "oauth": openapi.Bearer("token-4"), "digest": openapi.Header("Authorization", "Digest x"), "mutual": openapi.ByTransport(),
	}
	without := func(names ...string) map[string]openapi.Credential {
		rest := map[string]openapi.Credential{}
		for name, c := range all {
			if !strings.Contains(strings.Join(names, " "), name) {
				rest[name] = c
			}
		}
		return rest
	}
	tests := []struct {
		path                          string
		have                          map[string]openapi.Credential
		authorization, target, header string
	}{
		{"default", all, "Bearer token-1", "/default", ""},
		{"default", without("bearer"), "Basic w7w6cDp3", "/default?key=k%261", ""},
		{"header", all, "", "/header", "X-Key: k2"},
		{"cookie", all, "", "/cookie", "Cookie: a=1; session=k%203"},
		{"oauth", all, "Bearer token-4", "/oauth", ""},
		{"digest", all, "Digest x", "/digest", ""},
		{"mutual", all, "", "/mutual", ""},
		{"open", all, "", "/open", ""},
		{"optional", all, "Bearer token-1", "/optional", ""},
		{"optional", nil, "", "/optional", ""},
		{"shown", all, "", "/shown?key=k%261", ""},
	}
	for _, test := range tests {
		p, _ := load(t, secured, openapi.Options{BaseURL: w.URL, Credentials: openapi.Static(test.have)})
		var input any = map[string]any{}
		if test.path == "cookie" {
			input = map[string]any{"a": 1}
		}
		if o := p.Call(test.path, input); o.Failure != nil {
			t.Errorf("%s: %s", test.path, o.Failure.Message)
			continue
		}
		got := w.last(t)
		name, value, _ := strings.Cut(test.header, ": ")
		if got.Header.Get("Authorization") != test.authorization || got.Target != test.target || name != "" && got.Header.Get(name) != value {
			t.Errorf("%s: sent %+v", test.path, got)
		}
	}
}

func TestMissingCredentials(t *testing.T) {
	w := newWire(t, nil)
	internal := errors.New("vault at 10.0.0.7 refused")
	p, skipped := load(t, secured, openapi.Options{BaseURL: w.URL, Credentials: func(_ context.Context, s openapi.Scheme) (*openapi.Credential, error) {
		switch s.Name {
		case "inHeader":
			return nil, internal
		case "inCookie":
			return nil, tool.Errorf("the session is over; ask the user to log in")
		case "oauth":
			if s.Type != "oauth2" || strings.Join(s.Scopes, " ") != "read write" || s.Operation.Path != "/oauth" || !strings.Contains(data.JSON(s.Definition), "auth.test") {
				t.Errorf("asked for %+v", s)
			}
			c := openapi.APIKey("wrong kind")
			return &c, nil
		case "basic", "inQuery":
			if s.Operation.Path == "/twice" {
				c := openapi.Basic("a", "b")
				return &c, nil
			}
		case "bearer":
			if s.Operation.Path == "/twice" {
				c := openapi.Bearer("a")
				return &c, nil
			}
		case "digest":
			c := openapi.Header("Authorization", "a\r\nX: b")
			return &c, nil
		}
		return nil, nil
	}})
	for path, want := range map[string]string{
		"default": "GET /default needs credentials, and the host has none for it: the document names bearer, or basic with inQuery. The program cannot give them; say so to the user",
		"header":  "GET /header was not sent: the host could not get the credential for inHeader",
		"cookie":  "the session is over; ask the user to log in",
		"oauth":   "GET /oauth was not sent: the host's credential does not fit the scheme oauth",
		"twice":   "GET /twice was not sent: the host's credentials cannot be used",
		"digest":  "GET /digest was not sent: the host's credentials cannot be used",
	} {
		o := p.Call(path)
		if o.Failure == nil || o.Failure.Message != want {
			t.Errorf("%s: got %+v, want %s", path, o.Failure, want)
		}
		if path == "header" && !errors.Is(o.Cause, internal) {
			t.Errorf("the cause is %v", o.Cause)
		}
	}
	if w.count() > 0 {
		t.Error("something was sent")
	}
	want := `GET /bad: its security is no list
GET /lost: the security scheme "nothing" is not defined
GET /proto: the security scheme "__proto__" is not defined`
	if got := reasons(skipped); got != want {
		t.Errorf("skipped %s", got)
	}
}

// A server that wants credentials though its document does not say so.
func TestUndeclaredCredential(t *testing.T) {
	w := newWire(t, nil)
	c := openapi.Basic("u", "p")
	p, _ := load(t, secured, openapi.Options{BaseURL: w.URL, Undeclared: &c})
	for _, path := range []string{"open", "optional"} {
		p.Call(path)
		if got := w.last(t); got.Header.Get("Authorization") != "Basic dTpw" {
			t.Errorf("%s: sent %+v", path, got)
		}
	}
	p.Fails(diagnostics.ToolFailure, "default")
}

// Secrets do not come back, whatever a server echoes, and do not print.
func TestSecretsStayInside(t *testing.T) {
	const secret = `s3cr3t/"token"`
	echo := func(rw http.ResponseWriter, r *http.Request) {
		text := fmt.Sprintf(`{"authorization":%q,"query":%q}`, r.Header.Get("Authorization"), r.URL.RawQuery)
		rw.Header().Set("X-Echo", r.Header.Get("Authorization"))
		if strings.HasPrefix(r.URL.Path, "/digest") {
			rw.Header().Set("Content-Type", "text/plain")
			rw.WriteHeader(400)
		} else {
			rw.Header().Set("Content-Type", "application/json")
		}
		io.WriteString(rw, text)
	}
	w := newWire(t, echo)
	document := strings.ReplaceAll(secured, "{oauth: [read, write]}", "{oauth: [], inQuery: []}")
	tree, _, err := openapi.Load([]byte(document), openapi.Options{
		BaseURL: w.URL, ResponseHeaders: []string{"X-Echo"}, Headers: http.Header{"X-Api-Key": {secret + "-static"}},
		Credentials: openapi.Static(map[string]openapi.Credential{"oauth": openapi.Bearer(secret), "inQuery": openapi.APIKey(secret), "digest": openapi.Header("Authorization", secret), "basic": openapi.Basic("user", secret)}),
	})
	if err != nil {
		t.Fatal(err)
	}
	p := tooltest.New(t, tree)
	var seen []string
	for _, path := range []string{"oauth", "digest", "default"} {
		o := p.Call(path)
		seen = append(seen, data.JSON(o.Value), fmt.Sprintf("%+v %+v", o.Failure, o.Cause))
	}
	c := openapi.Bearer(secret)
	seen = append(seen, fmt.Sprintf("%v %+v %#v %s", c, c, c, c), fmt.Sprintf("%+v", p.Calls()))
	if text := strings.Join(seen, "\n"); strings.Contains(text, "s3cr3t") || !strings.Contains(text, "[secret]") {
		t.Errorf("got %s", text)
	}
}

// Redirects within the origin keep what they may; to another origin nothing of
// the host goes along.
func TestRedirects(t *testing.T) {
	elsewhere := newWire(t, nil)
	var w *wire
	w = newWire(t, func(rw http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		switch to := q.Get("to"); to {
		case "":
			rw.Header().Set("Content-Type", "application/json")
			io.WriteString(rw, "{}")
		case "loop":
			http.Redirect(rw, r, "/x?to=loop", http.StatusFound)
		default:
			target := map[string]string{"same": w.URL + "/y", "away": elsewhere.URL + "/z", "ftp": "ftp://x.test/", "relative": "../v"}[to]
			code := 302
			fmt.Sscan(q.Get("code"), &code)
			rw.Header().Set("Location", target)
			rw.WriteHeader(code)
		}
	})
	document := `
openapi: 3.1.0
security: [{k: []}]
components: {securitySchemes: {k: {type: apiKey, in: header, name: X-Api-Key}}}
paths:
  /a/x:
    parameters: [{name: to, in: query, schema: {}}, {name: code, in: query, schema: {}}, {name: c, in: cookie, schema: {}}]
    get: {operationId: get}
    post: {operationId: post, requestBody: {content: {application/json: {schema: {}}}}}
`
	p, _ := load(t, document, openapi.Options{BaseURL: w.URL, Headers: http.Header{"X-Host": {"internal"}}, Credentials: openapi.Static(map[string]openapi.Credential{"k": openapi.APIKey("key")})})

	for to, target := range map[string]string{"same": "/y", "relative": "/v"} {
		p.Call("get", map[string]any{"to": to, "c": 1})
		if got := w.last(t); got.Target != target || got.Header.Get("X-Api-Key") != "key" || got.Header.Get("X-Host") != "internal" || got.Header.Get("Cookie") != "c=1" {
			t.Errorf("%s: sent %+v", to, got)
		}
	}
	p.Call("get", map[string]any{"to": "away", "c": 1})
	got := elsewhere.last(t)
	for name := range got.Header {
		if name != "Accept" && name != "User-Agent" && name != "Accept-Encoding" {
			t.Errorf("another origin got %s: %s", name, got.Header.Get(name))
		}
	}
	p.Call("post", map[string]any{"to": "same", "code": 307, "body": []int{1}})
	if got := w.last(t); got.Method != "POST" || got.Target != "/y" || got.Body != "[1]" || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("sent %+v", got)
	}
	p.Call("post", map[string]any{"to": "same", "code": 303, "body": []int{1}})
	if got := w.last(t); got.Method != "GET" || got.Body != "" || got.Header.Get("Content-Type") != "" {
		t.Errorf("sent %+v", got)
	}
	before := elsewhere.count()
	for _, test := range []struct {
		path  string
		input map[string]any
		want  string
	}{
		{"post", map[string]any{"to": "away", "code": 307, "body": 1}, "POST /a/x was redirected to another origin, which is not followed: it would get the data of the request"},
		{"post", map[string]any{"to": "same", "code": 302, "body": 1}, "POST /a/x was redirected (HTTP 302) so that its method would be lost; that is not followed"},
		{"get", map[string]any{"to": "loop"}, "GET /a/x was redirected more than 10 times"},
		{"get", map[string]any{"to": "ftp"}, "GET /a/x answered 302 Found"},
	} {
		if got := p.Fails(diagnostics.ToolFailure, test.path, test.input); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if elsewhere.count() != before {
		t.Error("another origin got a request")
	}
}

// Once a redirect has left the origin, coming back brings no credentials back.
func TestRedirectsThatComeBack(t *testing.T) {
	var w *wire
	away := newWire(t, func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, w.URL+"/back", http.StatusFound) })
	w = newWire(t, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/back" {
			http.Redirect(rw, r, away.URL, http.StatusFound)
		}
	})
	p, _ := load(t, secured, openapi.Options{BaseURL: w.URL, Credentials: openapi.Static(map[string]openapi.Credential{"inHeader": openapi.APIKey("key")})})
	p.Call("header")
	if got := w.last(t); got.Target != "/back" || got.Header.Get("X-Key") != "" {
		t.Errorf("sent %+v", got)
	}
}

package openapi_test

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/openapi"
)

const echoing = `
openapi: 3.1.0
paths:
  /key: {get: {operationId: key, security: [{key: []}]}}
  /scheme: {get: {operationId: scheme, security: [{custom: []}]}}
  /prefixed: {get: {operationId: prefixed, security: [{prefixed: []}]}}
  /basic: {get: {operationId: basic, security: [{basic: []}]}}
  /cookie: {get: {operationId: cookie}}
  /extra: {get: {operationId: extra}}
  /fixed: {get: {operationId: fixed, parameters: [{name: api_key, in: query, schema: {type: string}}, {name: tenant, in: query, schema: {type: string}}]}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    custom: {type: http, scheme: custom}
    prefixed: {type: apiKey, in: header, name: Authorization}
    basic: {type: http, scheme: basic}
`

const oddKey = `abc/def+ghi&jkl<é>0123"\`

func echoOptions(address string) openapi.Options {
	return openapi.Options{
		BaseURL: address,
		Headers: http.Header{"Cookie": {"sid=COOKIESECRET0123; theme=dark"}, "X-Extra": {"EXTRASECRET01"}, "X-Plain": {"2022-06-28"}},
		Secrets: []string{"EXTRASECRET01"},
		Fixed: []openapi.Fixed{{In: "query", Name: "api_key", Value: data.String("FIXEDSECRET01")},
			{In: "query", Name: "tenant", Value: data.String("TENANTSECRET1"), Secret: true}},
		ResponseHeaders: []string{"X-Echo"},
		Credentials: openapi.Static(map[string]openapi.Credential{
			"key": openapi.APIKey(oddKey), "custom": openapi.Header("Authorization", `ApiKey 0123456789abcdef`),
			"prefixed": openapi.APIKey("Bearer tok0123456789"), "basic": openapi.Basic("me", "p/w+d?0123"),
		}),
	}
}

// Whatever form a server sends a secret back in, programs do not get it.
func TestEchoedSecrets(t *testing.T) {
	var answer func(w http.ResponseWriter)
	w := newWire(t, func(rw http.ResponseWriter, _ *http.Request) { answer(rw) })
	p, _ := load(t, echoing, echoOptions(w.URL))
	send := func(media string, status int, body string) func(http.ResponseWriter) {
		return func(rw http.ResponseWriter) {
			rw.Header().Set("Content-Type", media)
			rw.WriteHeader(status)
			io.WriteString(rw, body)
		}
	}
	goJSON, _ := json.Marshal(map[string]string{"k": oddKey})
	phpJSON := strings.ReplaceAll(string(goJSON), "/", `\/`)
	pyJSON := strings.ReplaceAll(string(goJSON), "é", `\u00e9`)
	encoded := base64.StdEncoding.EncodeToString([]byte("me:p/w+d?0123"))
	for _, test := range []struct {
		tool, secret string
		answer       func(http.ResponseWriter)
	}{
		{"key", oddKey, send("application/json", 200, string(goJSON))},
		{"key", oddKey, send("application/json", 200, phpJSON)},
		{"key", oddKey, send("application/json", 200, pyJSON)},
		{"key", oddKey, send("application/json", 200, strings.ReplaceAll(`{"K":[1]}`, "K", string(goJSON[6:len(goJSON)-2])))}, // in a name
		{"key", oddKey, send("application/json", 400, pyJSON)},
		{"key", oddKey, send("text/plain", 400, pyJSON)},
		{"key", oddKey, send("application/x-ndjson", 200, phpJSON+"\n"+pyJSON)},
		{"key", oddKey, send("text/html", 200, "<p>"+html.EscapeString(oddKey))},
		{"key", oddKey, send("text/html", 200, "<p>"+strings.ReplaceAll(html.EscapeString(oddKey), "/", "&#x2F;"))},
		{"key", oddKey, send("text/plain", 200, "/?k="+strings.ToLower(url.QueryEscape(oddKey)))},
		{"key", oddKey, send("text/plain", 200, "/?k="+url.PathEscape(oddKey))},
		{"key", oddKey, send("application/json", 200, `"`+base64.StdEncoding.EncodeToString([]byte(oddKey))+`"`)},
		{"key", oddKey, send("application/json; charset="+`"abc/def+ghi&jkl<é>0123\"\\"`, 200, "{}")},
		{"key", oddKey, func(rw http.ResponseWriter) {
			rw.Header().Set("X-Echo", oddKey)
			rw.Header().Set("Content-Type", "application/x"+"; k=1")
			rw.Header().Set("Content-Disposition", `attachment; filename*=UTF-8''`+url.PathEscape("x"+strings.ReplaceAll(oddKey, "/", "_")))
			rw.Write([]byte{0xff})
		}},
		{"scheme", "0123456789abcdef", send("application/json", 200, `{"t":"0123456789abcdef"}`)},
		{"scheme", "0123456789abcdef", send("application/json", 500, `{"t":"ApiKey 0123456789abcdef"}`)},
		{"scheme", "0123456789abcdef", func(rw http.ResponseWriter) {
			rw.Header().Set("Retry-After", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx0123456789abcdef")
			rw.WriteHeader(503)
		}},
		{"scheme", "0123456789abcdef", func(rw http.ResponseWriter) {
			rw.Header().Set("Content-Disposition", `attachment; filename="0123456789abcdef.bin"`)
			rw.Header().Set("Content-Type", "application/0123456789abcdef")
			rw.Write([]byte{0xff})
		}},
		{"prefixed", "tok0123456789", send("application/json", 200, `{"t":"tok0123456789"}`)},
		{"basic", encoded, send("application/json", 200, `{"t":"`+strings.ReplaceAll(encoded, "/", `\/`)+`"}`)},
		{"basic", "p/w+d?0123", send("application/json", 200, `{"t":"p\/w+d?0123"}`)},
		{"cookie", "COOKIESECRET0123", send("application/json", 200, `{"cookies":{"sid":"COOKIESECRET0123"}}`)},
		{"extra", "EXTRASECRET01", send("application/json", 200, `{"x":"EXTRASECRET01"}`)},
		{"fixed", "FIXEDSECRET01", send("application/json", 200, `{"x":"/fixed?api_key=FIXEDSECRET01"}`)},
		{"fixed", "TENANTSECRET1", send("application/json", 200, `{"x":"/fixed?tenant=TENANTSECRET1"}`)},
	} {
		answer = test.answer
		o := p.Call(test.tool)
		got := fmt.Sprint(o.Value, o.Failure)
		if o.Value != nil {
			got += data.JSON(o.Value)
			if v, err := json.Marshal(o.Value); err == nil {
				got += string(v)
			}
		}
		for _, a := range p.Attachments() {
			got += a.Name + a.MIMEType
		}
		for _, form := range []string{test.secret, test.secret[2:10], test.secret[len(test.secret)-8:]} {
			if strings.Contains(got, form) {
				t.Errorf("%s: got %s", test.tool, got)
			}
		}
	}
	// What is no secret stays.
	answer = send("application/json", 200, `{"version":"2022-06-28","theme":"dark","path":"a%2Fb &amp; \\u0041"}`)
	if got := data.JSON(p.Call("key").Value); got != `{"body":{"version":"2022-06-28","theme":"dark","path":"a%2Fb &amp; \\u0041"},"headers":{}}` {
		t.Errorf("got %s", got)
	}
}

// A secret at the place where the body of an error is cut leaves no half of it.
func TestSecretsAtTheCut(t *testing.T) {
	const secret = "0123456789abcdefghijklmnopqrst"
	forms := []string{secret, strings.ReplaceAll(secret, "5", "%35"), strings.ReplaceAll(secret, "9", "&#57;"), strings.ReplaceAll(secret, "a", `\u0061`)}
	body := ""
	w := newWire(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/plain")
		rw.WriteHeader(500)
		io.WriteString(rw, body)
	})
	p, _ := load(t, `{openapi: 3.1.0, paths: {/p: {get: {operationId: op, security: [{b: []}]}}}, components: {securitySchemes: {b: {type: http, scheme: bearer}}}}`,
		openapi.Options{BaseURL: w.URL, Credentials: openapi.Static(map[string]openapi.Credential{"b": openapi.Bearer(secret)})})
	for _, form := range forms {
		for _, kept := range []int{3, 7, 12, len(form) - 1, len(form)} {
			body = strings.Repeat(" ", 64<<10-kept) + form + " and more"
			got := p.Fails(diagnostics.ToolFailure, "op")
			if strings.Contains(got, "012") {
				t.Errorf("%d of %s: got %s", kept, form, got)
			}
		}
		for _, kept := range []int{3, 12, len(form)} { // at the cut of the message
			body = strings.Repeat("x", 1024-kept) + form + " and more"
			if got := p.Fails(diagnostics.ToolFailure, "op"); strings.Contains(got, "012") {
				t.Errorf("%d of %s: got %s", kept, form, got)
			}
		}
	}
}

// A key of digits that comes back as a number is one too, and nothing else that has its digits.
func TestSecretsThatAreNumbers(t *testing.T) {
	w := newWire(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		io.WriteString(rw, `{"key":1234567890,"at":12345678901}`)
	})
	p, _ := load(t, `{openapi: 3.1.0, paths: {/p: {get: {operationId: op, security: [{k: []}]}}}, components: {securitySchemes: {k: {type: apiKey, in: query, name: k}}}}`,
		openapi.Options{BaseURL: w.URL, Credentials: openapi.Static(map[string]openapi.Credential{"k": openapi.APIKey("1234567890")})})
	if got := data.JSON(p.Call("op").Value); got != `{"key":"[secret]","at":12345678901}` {
		t.Errorf("got %s", got)
	}
}

// No verb prints a credential, also inside other values.
func TestPrintingCredentials(t *testing.T) {
	c := openapi.Basic("user-secret", "password-secret")
	inside := struct{ c openapi.Credential }{c}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%T %v"} {
		text := fmt.Sprintf(verb, c) + fmt.Sprintf(verb, &c) + fmt.Sprintf(verb, inside) + fmt.Sprintf(verb, []openapi.Credential{c})
		if strings.Contains(text, "secret") || strings.Contains(text, fmt.Sprintf("%x", "secret")) {
			t.Errorf("%s: %s", verb, text)
		}
	}
	if text, _ := json.Marshal(map[string]any{"c": c}); strings.Contains(string(text), "secret") {
		t.Errorf("got %s", text)
	}
}

// Compressed answers of servers that were not asked, and of custom transports.
func TestContentCodings(t *testing.T) {
	coding := "gzip"
	status := 200
	w := newWire(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		rw.Header().Set("Content-Encoding", coding)
		rw.WriteHeader(status)
		z := gzip.NewWriter(rw)
		io.WriteString(z, `{"a":"`+strings.Repeat("x", 100)+`"}`)
		z.Close()
	})
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	p, skipped := load(t, one("get", "/p", "parameters: [{name: accept-encoding, in: header, required: true, schema: {type: string}}]"), openapi.Options{BaseURL: w.URL, Transport: transport})
	if got, want := reasons(skipped), "GET /p without header:accept-encoding: the transport agrees on the encoding of answers"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := data.JSON(p.Call("op").Value); !strings.HasPrefix(got, `{"a":"xxx`) {
		t.Errorf("got %s", got)
	}
	coding = "br"
	if got, want := p.Fails(diagnostics.ToolFailure, "op"), "GET /p answered in the content coding br, which was not asked for"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	status = 502
	if got, want := p.Fails(diagnostics.ToolFailure, "op"), "GET /p answered 502 Bad Gateway: (br)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p, _ = load(t, one("get", "/p", ""), openapi.Options{BaseURL: w.URL, Transport: transport, MaxResponse: 50})
	if status, coding = 200, "gzip"; !strings.Contains(p.Fails(diagnostics.ToolFailure, "op"), "more than 50 bytes") {
		t.Error("the limit counts compressed bytes")
	}
}

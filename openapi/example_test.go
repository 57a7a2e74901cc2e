package openapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

const petstore = `
openapi: 3.1.0
info: {title: Pet store}
security: [{token: []}]
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
paths:
  /pets/{id}:
    get:
      operationId: pets.get
      summary: Get one pet.
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}}
  /events: {get: {operationId: events, responses: {'200': {content: {text/event-stream: {}}}}}}
`

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"name":"pet %s for %s"}`, strings.TrimPrefix(r.URL.Path, "/pets/"), r.Header.Get("Authorization"))
	}))
	defer server.Close()
	document := []byte(petstore)

	tree, skipped, err := openapi.Load(document, openapi.Options{
		BaseURL:     server.URL,
		Credentials: openapi.Static(map[string]openapi.Credential{"token": openapi.Bearer("t0ken")}),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range skipped {
		fmt.Println("skipped", s)
	}

	catalog, err := tool.Resolve(tool.Tree{"store": tree})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range catalog.All() {
		fmt.Println(e.Signature())
	}
	// Output:
	// skipped GET /events: it answers with a stream of events without end
	// tools.store.pets.get(input: { id: number }): Promise<{ name: string }>
}

func ExampleOptions() {
	options := openapi.Options{
		// Notion wants this header on every request; programs need not know.
		Headers: http.Header{"Notion-Version": {"2022-06-28"}},
		// The organization is the host's choice.
		Fixed: []openapi.Fixed{{In: "path", Name: "org", Value: data.String("acme")}},
		// Tokens are fetched when they are needed, and never shown.
		Credentials: func(ctx context.Context, s openapi.Scheme) (*openapi.Credential, error) {
			token, err := tokenFor(ctx, s.Name, s.Scopes)
			if err != nil || token == "" {
				return nil, err
			}
			c := openapi.Bearer(token)
			return &c, nil
		},
		Retry:           openapi.RetrySafe(3),
		ResponseHeaders: []string{"Link", "X-RateLimit-Remaining"},
	}
	_, _, err := openapi.Load([]byte(petstore), options)
	fmt.Println(err)
	// Output: <nil>
}

func tokenFor(context.Context, string, []string) (string, error) { return os.Getenv("NO_TOKEN"), nil }

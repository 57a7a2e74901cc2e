package openapi

// This file defines the comparison with an independent decoder: a huma server
// describes itself and decodes what the tools send.

import (
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool/tooltest"
)

type everything struct {
	ID       string   `path:"id"`
	Text     string   `query:"text"`
	Number   float64  `query:"number"`
	Big      int64    `query:"big"`
	Flag     bool     `query:"flag"`
	List     []string `query:"list"`
	Exploded []int    `query:"exploded,explode"`
	Head     string   `header:"X-Head"`
	Heads    []string `header:"X-Heads"`
	Cookie   string   `cookie:"session"`
	Body     struct {
		Name   string            `json:"name" maxLength:"10"`
		Tags   []string          `json:"tags,omitempty"`
		Nested map[string]any    `json:"nested,omitempty"`
		Only   string            `json:"only,omitempty" readOnly:"true"`
		Labels map[string]string `json:"labels,omitempty"`
	}
}

type upload struct {
	RawBody huma.MultipartFormFiles[struct {
		File  huma.FormFile   `form:"file" contentType:"text/csv" required:"true"`
		Files []huma.FormFile `form:"files"`
		Note  string          `form:"note"`
		Sizes []int           `form:"sizes"`
	}]
}

type echoed struct{ Body any }

func humaServer(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("Echo", "1.0.0"))
	huma.Register(api, huma.Operation{OperationID: "echo", Method: "POST", Path: "/echo/{id}"}, func(_ context.Context, in *everything) (*echoed, error) {
		return &echoed{in}, nil
	})
	huma.Register(api, huma.Operation{OperationID: "upload", Method: "POST", Path: "/upload"}, func(_ context.Context, in *upload) (*echoed, error) {
		form := in.RawBody.Data()
		text := func(f io.Reader, h *multipart.FileHeader) string {
			content, _ := io.ReadAll(f)
			return h.Filename + "|" + h.Header.Get("Content-Type") + "|" + string(content)
		}
		out := []any{form.Note, form.Sizes}
		for _, f := range append([]huma.FormFile{form.File}, form.Files...) {
			out = append(out, text(f, &multipart.FileHeader{Filename: f.Filename, Header: map[string][]string{"Content-Type": {f.ContentType}}}))
		}
		return &echoed{out}, nil
	})
	huma.Register(api, huma.Operation{OperationID: "remove", Method: "DELETE", Path: "/things/{id}"}, func(_ context.Context, in *struct {
		ID string `path:"id"`
	}) (*struct{}, error) {
		return nil, huma.Error404NotFound("there is no thing " + in.ID)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func humaProgram(t *testing.T, server *httptest.Server, path string) *tooltest.Program {
	response, err := http.Get(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	document, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"one": "a,b", "two": "zwei"}
	tree, skipped, err := openapi.Load(document, openapi.Options{DocumentURL: server.URL + path, Files: func(_ context.Context, handle string) (openapi.File, error) {
		content := files[handle]
		return openapi.File{Name: handle + ".csv", MIMEType: "text/csv", Size: int64(len(content)), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}, nil
	}})
	if err != nil || len(skipped) > 0 {
		t.Fatal(err, skipped)
	}
	return tooltest.New(t, tree)
}

// What a program passes is what the server decodes, by either of its documents.
func TestHumaDecodesWhatIsMeant(t *testing.T) {
	server := humaServer(t)
	for _, path := range []string{"/openapi.json", "/openapi-3.0.json", "/openapi.yaml"} {
		p := humaProgram(t, server, path)
		in := json.RawMessage(`{"id":"a/b c?d","text":"x&y=z é+%","number":-1.5,"big":9007199254740993,"flag":true,"list":["p","q r"],"exploded":[3,2],
			"X-Head":"h: 1","X-Heads":["k","l"],"session":"abc=","name":"näme","tags":["t"],"nested":{"a":[null,{"b":1}]},"labels":{"x.y":"z"}}`)
		want := `{"ID":"a/b c?d","Text":"x&y=z é+%","Number":-1.5,"Big":9007199254740993,"Flag":true,"List":["p","q r"],"Exploded":[3,2],"Head":"h: 1","Heads":["k","l"],"Cookie":"abc=",
			"Body":{"name":"näme","tags":["t"],"nested":{"a":[null,{"b":1}]},"labels":{"x.y":"z"}}}`
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(in, &fields); err != nil {
			t.Fatal(err)
		}
		body := map[string]json.RawMessage{}
		for _, name := range []string{"name", "tags", "nested", "labels"} {
			body[name] = fields[name]
			delete(fields, name)
		}
		input := map[string]any{}
		for name, v := range fields {
			input[name] = v
		}
		if strings.Contains(p.Signature("echo"), "body: ") {
			input["body"] = body
		} else {
			for name, v := range body {
				input[name] = v
			}
		}
		o := p.Call("echo", input)
		if o.Failure != nil {
			t.Fatalf("%s: %s", path, o.Failure.Message)
		}
		expected, err := data.ParseString(want)
		if err != nil {
			t.Fatal(err)
		}
		if !data.Equal(o.Value, expected) {
			t.Errorf("%s: got  %s\nwant %s", path, data.JSON(o.Value), data.JSON(expected))
		}
		o = p.Call("upload", json.RawMessage(`{"body":{"file":"one","files":["two","one"],"note":"nöte","sizes":[1,2]}}`))
		if got, want := data.JSON(o.Value), `["nöte",[1,2],"one.csv|text/csv|a,b","two.csv|text/csv|zwei","one.csv|text/csv|a,b"]`; got != want {
			t.Errorf("%s: got %s %+v, want %s", path, got, o.Failure, want)
		}
		if o := p.Call("remove", map[string]any{"id": "7"}); o.Failure == nil || !strings.HasPrefix(o.Failure.Message, `DELETE /things/{id} answered 404 Not Found: {`) || !strings.Contains(o.Failure.Message, "there is no thing 7") {
			t.Errorf("%s: got %+v", path, o.Failure)
		}
	}
}

// An input that the server refuses is refused before it is sent.
func TestHumaRefusesWhatWeRefuse(t *testing.T) {
	p := humaProgram(t, humaServer(t), "/openapi.json")
	for _, input := range []string{`{"id":"a","number":"x","body":{"name":"n"},"name":"n"}`, `{"id":"a","name":"much too long","body":{"name":"much too long"}}`, `{"name":"n"}`} {
		if o := p.Call("echo", json.RawMessage(input)); o.Failure == nil || o.Failure.Kind != "InvalidToolInput" {
			t.Errorf("%s: got %+v", input, o)
		}
	}
}

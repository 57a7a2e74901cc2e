package openapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/openapi"
)

// Files below a folder can be sent, and none beside it.
func TestFolder(t *testing.T) {
	w := newWire(t, nil)
	top := t.TempDir()
	dir := filepath.Join(top, "offered")
	for name, text := range map[string]string{"offered/a.txt": "alpha", "offered/sub/b.txt": "beta", "secret.txt": "host"} {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused := map[string]string{
		"../secret.txt": "is not below the folder", "sub/../../secret.txt": "is not below the folder", filepath.Join(top, "secret.txt"): "is not below the folder",
		"": "is not below the folder", "sub": "is no regular file", "none.txt": "there is no file", "a.txt/x": "there is no file",
	}
	if os.Symlink("../secret.txt", filepath.Join(dir, "out")) == nil && os.Symlink("..", filepath.Join(dir, "up")) == nil && os.Symlink("a.txt", filepath.Join(dir, "in")) == nil {
		refused["out"], refused["up/secret.txt"] = "there is no file", "there is no file"
	}
	p, skipped := load(t, `
openapi: 3.1.0
paths:
  /p: {post: {operationId: op, requestBody: {required: true, content: {application/octet-stream: {schema: {}}}}}}
  /m: {post: {operationId: m, requestBody: {required: true, content: {multipart/form-data: {schema: {properties: {f: {type: string, format: binary}}}}}}}}
`, openapi.Options{BaseURL: w.URL, Files: openapi.Folder(dir)})
	if len(skipped) > 0 {
		t.Fatal(reasons(skipped))
	}
	for handle, want := range refused {
		got := p.Fails(diagnostics.ToolFailure, "op", map[string]any{"body": handle})
		if !strings.Contains(got, want) || strings.Contains(got, top) && handle[0] != top[0] {
			t.Errorf("%q: got %s", handle, got)
		}
	}
	if w.count() > 0 {
		t.Error("something was sent")
	}
	p.Call("op", map[string]any{"body": "sub/b.txt"})
	if got := w.last(t).Body; got != "beta" {
		t.Errorf("sent %s", got)
	}
	p.Call("m", map[string]any{"body": map[string]any{"f": "sub/b.txt"}})
	if got := w.last(t).Body; !strings.Contains(got, `filename="b.txt"`) {
		t.Errorf("sent %s", got)
	}
	if _, link := refused["out"]; link {
		p.Call("op", map[string]any{"body": "in"})
		if got := w.last(t).Body; got != "alpha" {
			t.Errorf("sent %s", got)
		}
	}
}

// Package archtest checks how the module is built: who imports whom, where goroutines start, how long files are. It has
// no code of its own, only the rules of docs/design.md.
package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	module   = "github.com/codemode-go/codemode"
	maxLines = 800
)

// everything is the right to import any package of ours that is public, and those of internal that are named.
const everything = "*"

// ours says what of the module each package may import, by its folder; the longest folder that fits counts.
// "." is the root package.
var ours = map[string][]string{
	"scope":                {},
	"data":                 {},
	"promise":              {},
	"internal/ecmaregexp":  {},
	"internal/compileopt":  {},
	"internal/yamltext":    {"data", "scope"},
	"fx":                   {"scope"},
	"diagnostics":          {"data", "scope"},
	"schema":               {"data", "internal/ecmaregexp"},
	"interpreter":          {"data", "diagnostics", "scope", "promise", "internal/ecmaregexp", "internal/compileopt", "interpreter"},
	"tool":                 {"data", "diagnostics", "schema", "scope", "fx"},
	"tool/tooltest":        {"tool", "data", "diagnostics", "schema", "scope"},
	"discovery":            {"data", "diagnostics", "schema", "tool"},
	".":                    {"scope", "fx", "promise", "data", "diagnostics", "schema", "tool", "discovery", "interpreter", "internal/compileopt"},
	"registry":             {".", "scope", "fx", "data", "diagnostics", "schema", "tool", "discovery"},
	"mcp/client":           {"tool", "schema", "data", "diagnostics", "scope", "fx"},
	"mcp/oauth":            {"mcp/client", "scope"},
	"openapi":              {"tool", "schema", "data", "diagnostics", "scope", "fx", "internal/yamltext"},
	"mcp/server":           {"registry", ".", "scope", "fx", "data", "diagnostics", "schema", "tool", "discovery"},
	"gateway":              {"gateway", "registry", "mcp", "openapi", ".", "scope", "fx", "data", "diagnostics", "schema", "tool", "discovery", "internal/yamltext"},
	"cmd/codemode":         {everything, "cmd/codemode"},
	"conformance":          {everything, "internal/compileopt"},
	"bench":                {everything, "internal/compileopt"},
	"proptest":             {everything, "internal/compileopt"},
	"examples":             {everything},
	"internal/cmd":         {everything, "internal", "conformance"},
	"internal/archtest":    {everything},
	"internal/fixture":     {everything},
	"interpreter/internal": {"data", "diagnostics", "scope", "promise", "internal/ecmaregexp", "internal/compileopt", "interpreter/internal"},
}

// notPublic are the folders that "everything" leaves out.
var notPublic = []string{"internal", "conformance", "bench", "proptest", "examples", "cmd", "interpreter/internal"}

// third says which folders may import a module that is not ours; tests are free to use those of testOnly.
var third = map[string][]string{
	"github.com/sourcegraph/conc":              {"scope"},
	"github.com/evanw/esbuild":                 {"interpreter/internal/source"},
	"github.com/tdewolff/parse/v2":             {"interpreter/internal/syntax"},
	"github.com/dlclark/regexp2/v2":            {"internal/ecmaregexp"},
	"golang.org/x/text":                        {"interpreter/internal/builtin"},
	"github.com/invopop/jsonschema":            {"schema"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"schema"},
	"github.com/modelcontextprotocol/go-sdk":   {"mcp"},
	"golang.org/x/oauth2":                      {"mcp/oauth"},
	"github.com/gofrs/flock":                   {"mcp/oauth"},
	"go.yaml.in/yaml/v3":                       {"internal/yamltext"},
	"github.com/alecthomas/kong":               {"cmd/codemode"},
	"golang.org/x/term":                        {"cmd/codemode"},
	"github.com/tailscale/hujson":              {"gateway"},
	"github.com/BurntSushi/toml":               {"gateway"},
	"github.com/nlnwa/whatwg-url":              {"interpreter/internal/builtin"},
	"golang.org/x/net":                         {"interpreter/internal/builtin"},
	"github.com/dop251/goja":                   {"bench", "internal/cmd"},
	"go.opentelemetry.io/otel":                 {"examples/otel"},
}

var testOnly = []string{"pgregory.net/rapid", "go.uber.org/goleak", "github.com/google/go-cmp", "github.com/dop251/goja",
	"github.com/santhosh-tekuri/jsonschema/v6", "github.com/invopop/jsonschema", "github.com/pb33f/libopenapi", "golang.org/x/net/html"}

// recovers are the only files that may call recover: around third-party parsers, and in drivers of test suites.
var recovers = []string{"schema/validate.go", "schema/infer.go", "interpreter/internal/source/strip.go",
	"interpreter/internal/syntax/parse.go", "internal/ecmaregexp/regexp.go", "internal/cmd/"}

// source is one parsed file.
type source struct {
	path string // below the module's root, with slashes
	text []byte
	file *ast.File
	set  *token.FileSet
}

func (s source) dir() string               { return filepath.ToSlash(filepath.Dir(s.path)) }
func (s source) isTest() bool              { return strings.HasSuffix(s.path, "_test.go") }
func (s source) within(folder string) bool { return within(s.dir(), folder) }

func within(dir, folder string) bool {
	return dir == folder || folder != "." && strings.HasPrefix(dir, folder+"/")
}

func sources(t *testing.T) []source {
	t.Helper()
	root := filepath.Join("..", "..")
	var all []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "e2e") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all = append(all, source{filepath.ToSlash(rel), text, file, set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("found only %d files", len(all))
	}
	return all
}

// allowance is the entry of the longest folder that a package lies in.
func allowance(dir string) (allowed []string, found bool) {
	best := -1
	for folder, list := range ours {
		if within(dir, folder) && len(folder) > best {
			best, allowed, found = len(folder), list, true
		}
	}
	return allowed, found
}

func mayImport(dir string, allowed []string, imported string) bool {
	if imported == dir {
		return true
	}
	for _, folder := range allowed {
		if folder == everything {
			if !slices.ContainsFunc(notPublic, func(f string) bool { return within(imported, f) }) {
				return true
			}
		} else if within(imported, folder) {
			return true
		}
	}
	return slices.ContainsFunc(allowed, func(f string) bool { return f == everything }) && within(imported, topFolder(dir))
}

// topFolder is where a tree of programs or tests begins, whose packages may import each other.
func topFolder(dir string) string {
	top, _, _ := strings.Cut(dir, "/")
	if top == "internal" || top == "cmd" {
		return dir
	}
	return top
}

func TestImports(t *testing.T) {
	for _, s := range sources(t) {
		allowed, found := allowance(s.dir())
		if !found {
			t.Errorf("%s: the table of imports has no row for it", s.path)
			continue
		}
		for _, spec := range s.file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			switch {
			case path == module || strings.HasPrefix(path, module+"/"):
				imported := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
				if imported == "" {
					imported = "."
				}
				if !s.isTest() && !mayImport(s.dir(), allowed, imported) {
					t.Errorf("%s imports %s", s.path, imported)
				}
			case strings.Contains(strings.Split(path, "/")[0], "."):
				checkThird(t, s, path)
			}
		}
	}
}

func checkThird(t *testing.T, s source, path string) {
	t.Helper()
	if s.isTest() && slices.ContainsFunc(testOnly, func(m string) bool { return within(path, m) }) {
		return
	}
	for m, folders := range third {
		if within(path, m) && slices.ContainsFunc(folders, s.within) {
			return
		}
	}
	t.Errorf("%s imports %s, which is not its to import", s.path, path)
}

func TestGoroutinesHaveOwners(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() || s.within("scope") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s starts a goroutine; fork a fiber of a scope instead", s.set.Position(g.Pos()))
			}
			return true
		})
	}
}

func TestRecoverIsRare(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() || s.within("scope") || slices.ContainsFunc(recovers, func(p string) bool { return strings.HasPrefix(s.path, p) }) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "recover" {
					t.Errorf("%s recovers", s.set.Position(call.Pos()))
				}
			}
			return true
		})
	}
}

func TestFilesAreShort(t *testing.T) {
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > maxLines && !bytes.Contains(s.text[:min(len(s.text), 200)], []byte("DO NOT EDIT")) {
			t.Errorf("%s has %d lines, more than %d", s.path, n, maxLines)
		}
	}
}

func TestNamesSayWhatIsInside(t *testing.T) {
	for _, s := range sources(t) {
		switch s.file.Name.Name {
		case "util", "utils", "common", "helpers", "misc":
			t.Errorf("%s: package %s says nothing", s.path, s.file.Name.Name)
		}
	}
}

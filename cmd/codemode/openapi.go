package main

// This file defines how OpenAPI documents on the command line become tools.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// openapiFlags say which documents a command is about, and how their servers are spoken to.
type openapiFlags struct {
	OpenAPI []string `name:"openapi" sep:"none" placeholder:"FILE[=NAME]" help:"An OpenAPI 3 or Swagger 2.0 document whose operations are the tools of a namespace, called like the file or NAME. May be given several times."`
	BaseURL string   `name:"base-url" placeholder:"URL" help:"The address of the server of the --openapi document, if it is not the one in the document."`
	Header  []string `sep:"none" placeholder:"NAME=VALUE" help:"A header for all requests of the --openapi document; tools do not show it. VALUE may be env:VARIABLE. May be given several times."`
	Auth    []string `sep:"none" placeholder:"[SCHEME=]KIND:VALUE" help:"A credential for the --openapi document: bearer:TOKEN, basic:USER:PASSWORD or key:KEY, for the security scheme SCHEME or all of its kind. A secret may be env:VARIABLE. May be given several times."`
	Deep    string   `name:"deep-objects" enum:"flat,indexed,bracketed" default:"flat" help:"How the --openapi document's deepObject parameters write what is nested: not at all (flat), as a[b][0] (indexed) or as a[b][] (bracketed)."`
	Refs    bool     `name:"openapi-refs" help:"Let the --openapi document refer to files in its folder."`
}

func (f openapiFlags) used() bool { return len(f.OpenAPI) > 0 }

// tree loads the documents. What of them is skipped is counted on standard error, or listed by report.
func (f openapiFlags) tree(report func(name string, skipped []openapi.Skipped)) (tool.Tree, error) {
	if len(f.OpenAPI) > 1 && (f.BaseURL != "" || len(f.Header)+len(f.Auth) > 0) {
		return nil, errors.New("--base-url, --header and --auth are for one --openapi document; put several into a file for --config")
	}
	options, err := f.options()
	if err != nil {
		return nil, err
	}
	tree := tool.Tree{}
	for _, word := range f.OpenAPI {
		file, name := documentName(word)
		if tree[name] != nil {
			return nil, fmt.Errorf("--openapi: two documents are called %s; name one, as in %s=other", name, file)
		}
		space, skipped, err := f.load(file, options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		tree[name] = space
		report(name, skipped)
	}
	return tree, nil
}

func (f openapiFlags) load(file string, o openapi.Options) (space tool.Namespace, skipped []openapi.Skipped, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return space, nil, errors.Unwrap(err) // the caller names the file
	}
	if f.Refs {
		folder, err := os.OpenRoot(filepath.Dir(file))
		if err != nil {
			return space, nil, err
		}
		defer folder.Close()
		o.References, o.DocumentName = folder.FS(), filepath.Base(file)
	}
	return openapi.LoadNamespace(text, o)
}

// documentName takes FILE=NAME apart. Dots in a name would make several.
func documentName(word string) (file, name string) {
	file = word
	if i := strings.LastIndexByte(word, '='); i > 0 {
		if _, err := os.Stat(word); err != nil {
			return word[:i], word[i+1:]
		}
	}
	name = filepath.Base(file)
	for _, ending := range []string{".json", ".yaml", ".yml", ".openapi", ".swagger"} {
		name = strings.TrimSuffix(name, ending)
	}
	return file, strings.ReplaceAll(name, ".", "-")
}

var deepObjects = map[string]openapi.DeepObjects{"indexed": openapi.Indexed, "bracketed": openapi.Bracketed}

func (f openapiFlags) options() (openapi.Options, error) {
	o := openapi.Options{BaseURL: f.BaseURL, Headers: http.Header{}, DeepObjects: deepObjects[f.Deep]}
	for _, word := range f.Header {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			if name, value, ok = strings.Cut(word, ":"); !ok {
				return o, fmt.Errorf("--header: got %q, want NAME=VALUE", word)
			}
		}
		value, err := secret(strings.TrimSpace(value))
		if err != nil {
			return o, fmt.Errorf("--header %s: %w", name, err)
		}
		o.Headers.Add(strings.TrimSpace(name), value)
	}
	return o, f.credentials(&o)
}

// login is one --auth.
type login struct {
	scheme, kind string
	credential   openapi.Credential
}

// fits reports that a credential is for a scheme.
func (l login) fits(s openapi.Scheme) bool {
	if l.scheme != "" {
		return l.scheme == s.Name
	}
	switch l.kind {
	case "basic":
		return s.HTTP == "basic"
	case "bearer":
		return s.HTTP == "bearer" || s.Type == "oauth2" || s.Type == "openIdConnect"
	}
	return s.Type == "apiKey"
}

// credentials reads --auth. One without a scheme is also sent where the document requires none: documents leave it out
// whose servers want it all the same.
func (f openapiFlags) credentials(o *openapi.Options) error {
	var logins []login
	for _, word := range f.Auth {
		l, err := readLogin(word)
		if err != nil {
			return fmt.Errorf("--auth: %w", err)
		}
		if l.scheme == "" && l.kind != "key" {
			o.Undeclared = &l.credential
		}
		logins = append(logins, l)
	}
	o.Credentials = func(_ context.Context, s openapi.Scheme) (*openapi.Credential, error) {
		for _, l := range logins {
			if l.fits(s) {
				return &l.credential, nil
			}
		}
		return nil, nil
	}
	return nil
}

// readLogin reads [SCHEME=]KIND:VALUE. Its errors do not repeat what may be a secret.
func readLogin(word string) (l login, err error) {
	if scheme, rest, ok := strings.Cut(word, "="); ok && !strings.Contains(scheme, ":") {
		l.scheme, word = scheme, rest
	}
	kind, value, _ := strings.Cut(word, ":")
	l.kind = kind
	user := ""
	switch kind {
	case "basic":
		var ok bool
		if user, value, ok = strings.Cut(value, ":"); !ok {
			return l, errors.New("want basic:USER:PASSWORD")
		}
	case "bearer", "key":
	default:
		return l, errors.New("want bearer:TOKEN, basic:USER:PASSWORD or key:KEY, with SCHEME= in front or not")
	}
	if value, err = secret(value); err != nil {
		return l, err
	}
	switch kind {
	case "basic":
		l.credential = openapi.Basic(user, value)
	case "bearer":
		l.credential = openapi.Bearer(value)
	default:
		l.credential = openapi.APIKey(value)
	}
	return l, nil
}

// secret is a value, or that of an environment variable.
func secret(value string) (string, error) {
	name, ok := strings.CutPrefix(value, "env:")
	if !ok {
		return value, nil
	}
	value, ok = os.LookupEnv(name)
	if !ok {
		return "", fmt.Errorf("there is no environment variable %s", name)
	}
	return value, nil
}

// countSkipped says on w how much of a document is no tool.
func countSkipped(w io.Writer) func(string, []openapi.Skipped) {
	return func(name string, skipped []openapi.Skipped) {
		whole := 0
		for _, s := range skipped {
			if s.Parameter == "" {
				whole++
			}
		}
		if len(skipped) > 0 {
			fmt.Fprintf(w, "codemode: %s: operations skipped: %d, parameters left out: %d; codemode catalog --openapi says why\n", visible(name), whole, len(skipped)-whole)
		}
	}
}

// listSkipped prints what of a document is no tool, and why.
func listSkipped(w io.Writer, name string, skipped []openapi.Skipped) {
	if len(skipped) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s: skipped %d\n", visible(name), len(skipped))
	for _, s := range skipped {
		fmt.Fprintf(w, "- %s\n", visible(s.String()))
	}
}

package main

// This file defines how OpenAPI documents on the command line become tools.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// openapiFlags say which documents a command is about, and how their servers are spoken to.
type openapiFlags struct {
	OpenAPI []string `name:"openapi" sep:"none" placeholder:"FILE[=NAME]" help:"An OpenAPI 3 or Swagger 2.0 document whose operations are the tools of a namespace, called like the file or NAME. May be given several times."`
	BaseURL string   `name:"base-url" placeholder:"URL" help:"The address of the server of the --openapi document, if it is not the one in the document."`
	Header  []string `sep:"none" placeholder:"NAME=VALUE" help:"A header for all requests of the --openapi document; tools do not show it. VALUE may be env:VARIABLE, which makes it a secret. May be given several times."`
	Auth    []string `sep:"none" placeholder:"[SCHEME=]KIND:VALUE" help:"A credential for the --openapi document: bearer:TOKEN, basic:USER:PASSWORD, key:KEY or header:NAME:VALUE, for the security scheme SCHEME or all of its kind. A secret may be env:VARIABLE. May be given several times."`
	Deep    string   `name:"deep-objects" enum:"flat,indexed,bracketed" default:"flat" help:"How the --openapi document's deepObject parameters write what is nested: not at all (flat), as a[b][0] (indexed) or as a[b][] (bracketed)."`
	Refs    bool     `name:"openapi-refs" help:"Let the --openapi document refer to files in its folder."`
	Files   string   `name:"openapi-files" placeholder:"DIR" help:"Let programs send the files below this folder, which they name by the path below it, where the --openapi document wants bytes."`
	Set     []string `name:"openapi-set" sep:"none" placeholder:"OPTION=VALUE" help:"A further option for the --openapi document: ${openapi_options}. May be given several times."`
}

func (f openapiFlags) used() bool { return len(f.OpenAPI) > 0 }

// tree loads the documents. What of them is skipped is counted on standard error, or listed by report.
func (f openapiFlags) tree(report func(name string, skipped []openapi.Skipped)) (tool.Tree, error) {
	if len(f.OpenAPI) > 1 && (f.BaseURL != "" || f.Files != "" || len(f.Header)+len(f.Auth)+len(f.Set) > 0) {
		return nil, errors.New("--base-url, --header, --auth, --openapi-files and --openapi-set are for one --openapi document; put several into a file for --config")
	}
	options, err := f.options()
	if err != nil {
		return nil, err
	}
	tree := tool.Tree{}
	for _, word := range f.OpenAPI {
		file, name := documentName(word)
		switch {
		case slices.Contains(strings.Split(name, "."), ""):
			return nil, fmt.Errorf("--openapi: got the name %q for %s, want text that is not empty between its dots", name, file)
		case name == "$codemode" || strings.HasPrefix(name, "$codemode."):
			return nil, fmt.Errorf("--openapi: the namespace $codemode is taken; name the document otherwise, as in %s=other", file)
		case tree[name] != nil:
			return nil, fmt.Errorf("--openapi: two documents are called %s; name one, as in %s=other", name, file)
		}
		space, skipped, err := f.load(file, options)
		if err != nil {
			return nil, flagErrors(err, file)
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

// flags are what the fields of openapi.Options are called here.
var flags = map[string]string{
	"BaseURL": "--base-url", "Headers": "--header", "Credentials": "--auth", "Undeclared": "--auth", "DeepObjects": "--deep-objects", "References": "--openapi-refs",
	"Files": "--openapi-files", "DocumentURL": "--openapi-set document-url", "Origins": "--openapi-set origin", "ServerVariables": "--openapi-set variable.NAME",
	"Fixed": "--openapi-set fixed.PLACE.NAME", "MaxResponse": "--openapi-set max-response", "Timeout": "--openapi-set timeout",
}

// flagErrors words what is wrong with options by their flags.
func flagErrors(err error, file string) error {
	problems := openapi.OptionErrors(err)
	if problems == nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var all []error
	for _, p := range problems {
		all = append(all, fmt.Errorf("%s: %s", cmp.Or(flags[p.Field], p.Field), p.Text))
	}
	return errors.Join(all...)
}

var deepObjects = map[string]openapi.DeepObjects{"indexed": openapi.Indexed, "bracketed": openapi.Bracketed}

func (f openapiFlags) options() (openapi.Options, error) {
	o := openapi.Options{BaseURL: f.BaseURL, Headers: http.Header{}, DeepObjects: deepObjects[f.Deep]}
	for _, word := range f.Header {
		if err := addHeader(&o, word); err != nil {
			return o, err
		}
	}
	if f.Files != "" {
		if info, err := os.Stat(f.Files); err != nil || !info.IsDir() {
			return o, fmt.Errorf("--openapi-files: there is no folder %s", f.Files)
		}
		o.Files = openapi.Folder(f.Files)
	}
	for _, word := range f.Set {
		if err := setOption(&o, word); err != nil {
			return o, fmt.Errorf("--openapi-set: %w", err)
		}
	}
	return o, f.credentials(&o)
}

// addHeader reads NAME=VALUE, or NAME: VALUE as it is copied from elsewhere. What it says does not repeat the word, which
// may be a secret without a name.
func addHeader(o *openapi.Options, word string) error {
	i := strings.IndexAny(word, "=:")
	if i < 0 {
		return errors.New("--header: want NAME=VALUE; there is no equals sign")
	}
	name := strings.TrimSpace(word[:i])
	if !headerName.MatchString(name) {
		return errors.New("--header: want NAME=VALUE; what stands before the first = or : is no name of a header")
	}
	value, hidden, err := secret(strings.TrimSpace(word[i+1:]))
	if err != nil {
		return fmt.Errorf("--header %s: %w", name, err)
	}
	if hidden {
		o.Secrets = append(o.Secrets, value)
	}
	o.Headers.Add(name, value)
	return nil
}

var headerName = regexp.MustCompile("^[-!#$%&'*+.^_`|~0-9A-Za-z]+$")

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
	case "header":
		return s.Type != "apiKey" && s.Type != "mutualTLS"
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
	before := "" // the secret
	switch kind {
	case "basic":
		if before, value, err = cut(value, "basic:USER:PASSWORD"); err != nil {
			return l, err
		}
	case "header":
		if before, value, err = cut(value, "header:NAME:VALUE"); err != nil {
			return l, err
		}
		if !headerName.MatchString(before) {
			return l, errors.New("want header:NAME:VALUE; NAME is no name of a header")
		}
	case "bearer", "key":
	default:
		return l, errors.New("want bearer:TOKEN, basic:USER:PASSWORD, key:KEY or header:NAME:VALUE, with SCHEME= in front or not")
	}
	if value, _, err = secret(value); err != nil {
		return l, err
	}
	switch kind {
	case "basic":
		l.credential = openapi.Basic(before, value)
	case "header":
		l.credential = openapi.Header(before, value)
	case "bearer":
		l.credential = openapi.Bearer(value)
	default:
		l.credential = openapi.APIKey(value)
	}
	return l, nil
}

func cut(value, want string) (before, after string, err error) {
	before, after, ok := strings.Cut(value, ":")
	if !ok {
		err = errors.New("want " + want)
	}
	return before, strings.TrimSpace(after), err
}

// secret is a value, or that of an environment variable, which is hidden.
func secret(value string) (plain string, hidden bool, err error) {
	name, ok := strings.CutPrefix(value, "env:")
	if !ok {
		return value, false, nil
	}
	value, ok = os.LookupEnv(name)
	if !ok {
		return "", false, fmt.Errorf("there is no environment variable %s", name)
	}
	return value, true, nil
}

// countSkipped says on w how much of a document is no tool, and what lists it.
func countSkipped(w io.Writer, list string) func(string, []openapi.Skipped) {
	return func(name string, skipped []openapi.Skipped) {
		whole := 0
		for _, s := range skipped {
			if s.Parameter == "" {
				whole++
			}
		}
		if len(skipped) > 0 {
			fmt.Fprintf(w, "codemode: %s: operations skipped: %d, parameters left out: %d; %s says why\n", visible(name), whole, len(skipped)-whole, list)
		}
	}
}

// listSkipped prints what of a document is no tool, why, and what would mend it, in the names of the front.
func listSkipped(w io.Writer, name string, skipped []openapi.Skipped, names map[string]string) {
	if len(skipped) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s: skipped %d\n", visible(name), len(skipped))
	for _, s := range skipped {
		text := s.What() + ": " + s.Reason
		if mend := s.Mend(names); mend != "" {
			text += "; set " + mend
		}
		fmt.Fprintf(w, "- %s\n", visible(text))
	}
}

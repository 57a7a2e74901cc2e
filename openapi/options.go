package openapi

// This file defines what a host decides about a document and its requests.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// DefaultMaxResponse is the limit for the body of a response if the host sets
// none, in bytes.
const DefaultMaxResponse = 50 << 20

// Options are what a host decides. The zero Options use the servers of the
// document and send no credentials. Callbacks may be called from several
// goroutines at once.
type Options struct {
	// BaseURL is the address that all paths are below, whatever servers the
	// document names: an http or https URL without query and fragment. "" takes
	// the first server of the operation, the path or the document.
	BaseURL string
	// DocumentURL is where the document came from; relative servers are resolved
	// against it. "" means that operations with relative servers are skipped.
	DocumentURL string
	// ServerVariables are values of variables in servers; those without one have
	// their defaults.
	ServerVariables map[string]string
	// Origins are further origins ("https://uploads.example.com") that requests,
	// credentials included, may go to. Without BaseURL, requests go to the origin
	// of the document's first server, or if it names none, of DocumentURL;
	// operations with a server elsewhere are skipped.
	Origins []string

	// Transport sends requests; nil is [http.DefaultTransport]. Redirects are not
	// its business.
	Transport http.RoundTripper
	// Headers are sent with every request. A parameter of the document with the
	// name of one of them, or of a cookie in them, disappears from the tools. They
	// are not sent after a redirect to another origin. Those that the transport
	// writes, such as Host and Accept-Encoding, are refused.
	Headers http.Header
	// Secrets are further texts that programs do not get in answers, such as values
	// of Headers whose names do not speak of keys, tokens and the like, which are
	// secrets without being listed. Texts under 8 bytes are not recognised.
	Secrets []string
	// Fixed are values of parameters that the tools do not show, for every
	// operation that declares the parameter.
	Fixed []Fixed
	// Credentials is asked before a request is sent, when all of the input has been
	// accepted. Nil has none.
	Credentials Credentials
	// Undeclared is sent with operations that require no credentials, as documents
	// leave them out whose servers want them all the same; nil sends none. It must
	// be of [Bearer], [Basic] or [Header].
	Undeclared *Credential

	// MaxResponse bounds the body of a response in bytes; 0 is DefaultMaxResponse.
	MaxResponse int64
	// Timeout bounds each call, retries included; 0 is no limit.
	Timeout time.Duration
	// Retry decides whether a request is sent again; nil never does.
	Retry Retry
	// ResponseHeaders are names of headers that programs get: then the value of
	// each call is {body, headers}, where headers has those that were there, in
	// lower case. Empty gives programs the body alone.
	ResponseHeaders []string

	// Name names tools: the path of a tool, or nil for the name it has without.
	// Two operations with one path are an error of Load.
	Name func(Operation) []string
	// TagNamespaces puts tools without a namespace into one of their first tag.
	TagNamespaces bool
	// MediaType chooses among the media types of a request body; "" or one that is
	// not declared, and a nil MediaType, take the first that is JSON, else a form,
	// else text, else bytes.
	MediaType func(op Operation, declared []string) string
	// Validation says what happens to inputs that do not fit the document.
	Validation tool.Validation
	// DeepObjects says how arrays and nested objects are written in the style
	// deepObject, which OpenAPI leaves open.
	DeepObjects DeepObjects

	// Files finds the file for a handle, a text that programs pass where an
	// operation wants bytes. Nil offers no files: such fields are left out, and
	// operations that require one are skipped. [Folder] offers those of a folder.
	Files func(ctx context.Context, handle string) (File, error)
	// References has the files that the document may refer to: the folder of the
	// document. Nil refuses references to files. Use [os.Root.FS] to keep
	// symbolic links from leading out. Other documents are never fetched.
	References fs.FS
	// DocumentName is the path of the document in References; "" is its top.
	DocumentName string
}

// Fixed is the value of a parameter for all requests.
type Fixed struct {
	In    string // "query", "header", "path" or "cookie"
	Name  string
	Value data.Value
	// Secret takes the texts of Value out of answers, as those of credentials. Names
	// that speak of keys, tokens, sessions and the like need no saying.
	Secret bool
}

// File is what a request can send as bytes.
type File struct {
	Name     string // for multipart; "" is the handle
	MIMEType string // "" is what the document says, or application/octet-stream
	Size     int64  // in bytes; negative if unknown
	// Open opens it from the start; a request that is sent again opens it again.
	Open func() (io.ReadCloser, error)
}

// DeepObjects says how the style deepObject writes what is nested.
type DeepObjects uint8

// The ways. OpenAPI defines the style for objects of plain values alone.
const (
	// FlatOnly refuses arrays and nested objects.
	FlatOnly DeepObjects = iota
	// Indexed writes a[b][c]=1 and a[b][0]=1.
	Indexed
	// Bracketed writes a[b][c]=1 and a[b][]=1.
	Bracketed
)

// settings are checked Options.
type settings struct {
	Options
	base     *url.URL // nil without BaseURL
	document *url.URL // nil without DocumentURL
	origins  map[string]bool
	cookies  map[string]bool // names in Headers
	hidden   map[string]bool // Secrets
}

// OptionError is what is wrong with a field of [Options]. Load joins several.
type OptionError struct {
	Field string // such as "BaseURL"
	Text  string
}

// Error names the field.
func (e *OptionError) Error() string { return "openapi: Options." + e.Field + ": " + e.Text }

// OptionErrors are all of an error of Load, for hosts that have other names for
// the fields; nil if it is about something else.
func OptionErrors(err error) []*OptionError {
	switch e := err.(type) {
	case *OptionError:
		return []*OptionError{e}
	case interface{ Unwrap() []error }:
		var all []*OptionError
		for _, err := range e.Unwrap() {
			all = append(all, OptionErrors(err)...)
		}
		return all
	case interface{ Unwrap() error }:
		return OptionErrors(e.Unwrap())
	}
	return nil
}

func (o Options) check() (*settings, error) {
	s := &settings{Options: o, origins: map[string]bool{}, cookies: map[string]bool{}, hidden: map[string]bool{}}
	var problems []error
	wrong := func(field, format string, args ...any) {
		problems = append(problems, &OptionError{field, fmt.Sprintf(format, args...)})
	}
	address := func(field, text string) *url.URL {
		if text == "" {
			return nil
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			wrong(field, "want an http or https URL without user information")
			return nil
		}
		return u
	}
	s.base, s.document = address("BaseURL", o.BaseURL), address("DocumentURL", o.DocumentURL)
	if s.base != nil {
		switch {
		case s.base.RawQuery != "" || s.base.ForceQuery || s.base.Fragment != "":
			wrong("BaseURL", "want no query and no fragment")
		case hasDots(s.base.Path):
			wrong("BaseURL", "want no segments . and .. in its path")
		}
	}
	for _, text := range o.Origins {
		if u := address("Origins", text); u != nil {
			s.origins[originOf(u)] = true
		}
	}
	for _, text := range o.Secrets {
		s.hidden[text] = true
	}
	s.checkHeaders(o.Headers, wrong)
	for _, f := range o.Fixed {
		if f.Name == "" || f.Value == nil || !slices.Contains(locations, f.In) {
			wrong("Fixed", "want In (one of %s), Name and Value", strings.Join(locations, ", "))
		}
	}
	if o.Undeclared != nil && o.Undeclared.kind == keyCredential {
		wrong("Undeclared", "got an API key; the document does not say where it belongs, so use Header")
	}
	switch {
	case o.MaxResponse < 0:
		wrong("MaxResponse", "got %d, want 0 or more", o.MaxResponse)
	case o.Timeout < 0:
		wrong("Timeout", "got %v, want 0 or more", o.Timeout)
	case o.DeepObjects > Bracketed:
		wrong("DeepObjects", "got %d", o.DeepObjects)
	}
	if s.MaxResponse == 0 {
		s.MaxResponse = DefaultMaxResponse
	}
	if s.Transport == nil {
		s.Transport = http.DefaultTransport
	}
	return s, errors.Join(problems...)
}

// checkHeaders takes the host's headers. Several cookies are one header.
func (s *settings) checkHeaders(headers http.Header, wrong func(field, format string, args ...any)) {
	s.Headers = http.Header{}
	for name, values := range headers {
		key := http.CanonicalHeaderKey(name)
		s.Headers[key] = append(s.Headers[key], values...)
		switch {
		case !isToken(name) || slices.ContainsFunc(values, func(v string) bool { return !isHeaderValue(v) }):
			wrong("Headers", "the header %q has a name or a value that no header can have", name)
		case key == "Host":
			wrong("Headers", "the header Host is that of the address; set BaseURL, or do it in Transport")
		case key != "Cookie" && forbidden(name):
			wrong("Headers", "the transport writes the header %s itself", key)
		}
	}
	if cookies := s.Headers["Cookie"]; len(cookies) > 0 {
		s.Headers["Cookie"] = []string{strings.Join(cookies, "; ")}
		for _, name := range cookieNames(s.Headers["Cookie"][0]) {
			s.cookies[name] = true
		}
	}
}

// originOf is scheme, host and port, the port also where it is the usual one.
func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// fixed is the host's value of a parameter.
func (s *settings) fixed(in, name string) (Fixed, bool) {
	for _, f := range s.Fixed {
		if f.In == in && (f.Name == name || in == "header" && strings.EqualFold(f.Name, name)) {
			return f, true
		}
	}
	return Fixed{}, false
}

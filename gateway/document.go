package gateway

// This file defines how entries with an OpenAPI document become tools.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// maxDocument bounds the size of a document, in bytes. The largest known have 20 MB.
const maxDocument = 64 << 20

func (g *Gateway) loadDocuments(ctx context.Context) {
	for _, m := range g.members {
		if m.registration != nil && m.server.OpenAPI != nil && ctx.Err() == nil {
			g.load(ctx, m)
		}
	}
}

// load reads a document and registers its tools.
func (g *Gateway) load(_ context.Context, m *member) {
	space, skipped, err := loadDocument(m.server)
	if err == nil {
		m.replace(func() tool.Tree { return tool.Tree{m.server.Namespace: space} })
	}
	m.mu.Lock()
	m.loaded, m.skipped, m.problems = true, skipped, nil
	for _, p := range openapi.OptionErrors(err) {
		m.problems = append(m.problems, m.server.Problem(p.Field, p.Text))
	}
	if err != nil {
		m.err = err
	}
	m.mu.Unlock()
}

func loadDocument(s config.Server) (space tool.Namespace, skipped []openapi.Skipped, err error) {
	api := s.OpenAPI
	info, err := os.Stat(api.File)
	switch {
	case err != nil:
		return space, nil, wrongFile(api.File, err)
	case info.IsDir():
		return space, nil, wrongFile(api.File, errors.New("is a folder, want a file"))
	case info.Size() > maxDocument:
		return space, nil, wrongFile(api.File, fmt.Errorf("has %d bytes, want at most %d", info.Size(), maxDocument))
	}
	source, err := os.ReadFile(api.File)
	if err != nil {
		return space, nil, wrongFile(api.File, err)
	}
	options, err := documentOptions(s)
	if err != nil {
		return space, nil, err
	}
	if api.References {
		folder, err := os.OpenRoot(filepath.Dir(api.File))
		if err != nil {
			return space, nil, err
		}
		defer folder.Close()
		options.References, options.DocumentName = folder.FS(), filepath.Base(api.File)
	}
	if space, skipped, err = openapi.LoadNamespace(source, options); err != nil {
		return space, skipped, fmt.Errorf("%s: %w", api.File, err)
	}
	if s.Description != "" {
		space.Description = s.Description
	}
	space.Concurrency = s.Concurrency
	space.Tools, err = chosen(space.Tools, s.Include, s.Exclude)
	return space, skipped, err
}

// wrongFile is the error of a document that cannot be read.
func wrongFile(file string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &openapi.OptionError{Field: config.OptionFile, Text: file + ": " + err.Error()}
}

func documentOptions(s config.Server) (openapi.Options, error) {
	api := s.OpenAPI
	o := openapi.Options{
		BaseURL: api.BaseURL.Reveal(), DocumentURL: api.DocumentURL.Reveal(), Headers: http.Header{},
		Credentials: openapi.Static(api.Credentials), Undeclared: api.Undeclared, Timeout: s.Timeout,
		Origins: api.Origins, ServerVariables: api.ServerVariables, Fixed: api.Fixed, TagNamespaces: api.TagNamespaces,
		MaxResponse: api.MaxResponse, ResponseHeaders: api.ResponseHeaders, DeepObjects: api.DeepObjects,
	}
	for name, value := range s.Headers {
		o.Headers.Set(name, value.Reveal())
	}
	for _, value := range api.Secrets {
		o.Secrets = append(o.Secrets, value.Reveal())
	}
	if api.Retry > 0 {
		o.Retry = openapi.RetrySafe(api.Retry)
	}
	if api.MediaTypes != nil {
		o.MediaType = func(_ openapi.Operation, declared []string) string {
			if i := slices.IndexFunc(api.MediaTypes, func(media string) bool { return slices.Contains(declared, media) }); i >= 0 {
				return api.MediaTypes[i]
			}
			return ""
		}
	}
	if api.Files != "" {
		if info, err := os.Stat(api.Files); err != nil || !info.IsDir() {
			return o, &openapi.OptionError{Field: "Files", Text: "there is no folder " + api.Files}
		}
		o.Files = openapi.Folder(api.Files)
	}
	switch s.Validate {
	case client.Strict:
		o.Validation = tool.Strict
	case client.Off:
		o.Validation = tool.Off
	case client.Hint:
		o.Validation = tool.Hint
	}
	return o, nil
}

// chosen is a tree without the tools that an entry does not take, by their paths with dots.
func chosen(tree tool.Tree, include, exclude []string) (tool.Tree, error) {
	if include == nil && exclude == nil {
		return tree, nil
	}
	catalog, err := tool.Resolve(tree)
	if err != nil {
		return nil, err
	}
	out := tool.Tree{}
	for _, e := range catalog.All() {
		path := strings.Join(e.Path, ".")
		fits := func(pattern string) bool { return matches(pattern, path) }
		if (include == nil || slices.ContainsFunc(include, fits)) && !slices.ContainsFunc(exclude, fits) {
			out[path] = e.Tool
		}
	}
	return out, nil
}

// matches reports whether a text fits a pattern, in which * stands for any text.
func matches(pattern, text string) bool {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
	fits, _ := regexp.MatchString("(?s)^"+quoted+"$", text)
	return fits
}

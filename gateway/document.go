package gateway

// This file defines how entries with an OpenAPI document become tools.

import (
	"context"
	"fmt"
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
	m.loaded, m.skipped = true, skipped
	if err != nil {
		m.err = err
	}
	m.mu.Unlock()
}

func loadDocument(s config.Server) (space tool.Namespace, skipped []openapi.Skipped, err error) {
	info, err := os.Stat(s.OpenAPI.File)
	switch {
	case err != nil:
		return space, nil, err
	case info.Size() > maxDocument:
		return space, nil, fmt.Errorf("%s has %d bytes, want at most %d", s.OpenAPI.File, info.Size(), maxDocument)
	}
	source, err := os.ReadFile(s.OpenAPI.File)
	if err != nil {
		return space, nil, err
	}
	folder, err := os.OpenRoot(filepath.Dir(s.OpenAPI.File))
	if err != nil {
		return space, nil, err
	}
	defer folder.Close()
	options := documentOptions(s)
	options.References, options.DocumentName = folder.FS(), filepath.Base(s.OpenAPI.File)
	if space, skipped, err = openapi.LoadNamespace(source, options); err != nil {
		return space, skipped, fmt.Errorf("%s: %w", s.OpenAPI.File, err)
	}
	if s.Description != "" {
		space.Description = s.Description
	}
	space.Concurrency = s.Concurrency
	space.Tools, err = chosen(space.Tools, s.Include, s.Exclude)
	return space, skipped, err
}

func documentOptions(s config.Server) openapi.Options {
	o := openapi.Options{
		BaseURL: s.OpenAPI.BaseURL.Reveal(), DocumentURL: s.OpenAPI.DocumentURL.Reveal(), Headers: http.Header{},
		Credentials: openapi.Static(s.OpenAPI.Credentials), Timeout: s.Timeout,
	}
	for name, value := range s.Headers {
		o.Headers.Set(name, value.Reveal())
	}
	switch s.Validate {
	case client.Strict:
		o.Validation = tool.Strict
	case client.Off:
		o.Validation = tool.Off
	case client.Hint:
		o.Validation = tool.Hint
	}
	return o
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

package openapi

// This file defines what a program gets of a response.

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

const (
	maxErrorBody = 1024     // characters of a body inside a message
	maxErrorRead = 64 << 10 // bytes read of it
)

// result makes a value of a response, or an error of one that is none of 2xx.
func (p *plan) result(ctx context.Context, r *request, response *http.Response) (data.Value, error) {
	decompress(response)
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, p.failed(ctx, r, response)
	}
	v, err := p.value2xx(ctx, r, response)
	if err != nil || len(p.settings.ResponseHeaders) == 0 {
		return v, err
	}
	var headers []data.Member
	for _, name := range p.settings.ResponseHeaders {
		if values := response.Header.Values(name); len(values) > 0 && !strings.EqualFold(name, "Set-Cookie") {
			headers = append(headers, data.Member{Key: strings.ToLower(name), Value: data.String(validText(strings.Join(values, ", ")))})
		}
	}
	return object("body", v, "headers", data.NewObject(headers)), nil
}

func (p *plan) value2xx(ctx context.Context, r *request, response *http.Response) (data.Value, error) {
	media := r.secrets.text(response.Header.Get("Content-Type"))
	if p.op.Method == "HEAD" || response.StatusCode == http.StatusNoContent || response.StatusCode == http.StatusResetContent {
		return data.Null{}, nil
	}
	if isEvents(media) {
		return nil, tool.Errorf("%s answered with a stream of events, which a call cannot wait for", p.op)
	}
	if coding := contentCoding(response); coding != "" {
		return nil, tool.Errorf("%s answered in the content coding %s, which was not asked for", p.op, clip(printable(r.secrets.text(coding)), 40))
	}
	content, err := p.content(ctx, response)
	if err != nil {
		return nil, err
	}
	if len(content) == 0 {
		return data.Null{}, nil
	}
	if media == "" {
		media = p.undeclared(content)
	}
	if essence(media) == "text/plain" && isJSON(p.declared) {
		// Servers that name no type are given this one by what sends the answer for
		// them; the document knows better, if it is right.
		if v, err := data.Parse(content); err == nil && (v.Kind() == data.KindObject || v.Kind() == data.KindArray) {
			return v, nil
		}
	}
	switch {
	case isJSON(media):
		return p.json(r, content, media)
	case isLines(media):
		return p.lines(r, content, media)
	case isTextual(media):
		if text, ok := decoded(content, media); ok {
			return data.String(text), nil
		}
	}
	name := attachmentName(r, response)
	tool.Attach(ctx, tool.Attachment{Name: name, MIMEType: essence(media), Data: content})
	return object("attachment", data.String(name), "type", data.String(essence(media)), "bytes", data.NumberOf(float64(len(content)))), nil
}

// undeclared is the media type of a response that names none: the only one of the
// document, or text if it is.
func (p *plan) undeclared(content []byte) string {
	switch {
	case p.declared != "" && !isRange(p.declared):
		return p.declared
	case utf8.Valid(content):
		return "text/plain"
	}
	return "application/octet-stream"
}

// content is the whole body, if it keeps to the limit.
func (p *plan) content(ctx context.Context, response *http.Response) ([]byte, error) {
	limit := p.settings.MaxResponse
	tooLarge := tool.Errorf("%s answered with more than %d bytes, the host's limit; ask for less, such as a smaller page", p.op, limit)
	if response.ContentLength > limit {
		return nil, tooLarge
	}
	var b bytes.Buffer
	if response.ContentLength > 0 {
		b.Grow(int(min(response.ContentLength, 1<<20)) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(response.Body, limit+1))
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, &tool.Error{Message: fmt.Sprintf("%s: the answer broke off", p.op), Err: err}
	case n > limit:
		return nil, tooLarge
	}
	return b.Bytes(), nil
}

func (p *plan) json(r *request, content []byte, media string) (data.Value, error) {
	text, ok := decoded(content, media)
	if !ok {
		return nil, tool.Errorf("%s answered in a character set that cannot be read: %s", p.op, clip(printable(media), 100))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return data.Null{}, nil
	}
	v, err := data.Parse(text)
	if err != nil {
		return nil, &tool.Error{Message: fmt.Sprintf("%s answered with %v", p.op, err), Err: err}
	}
	return v, nil
}

// lines are JSON values, one a line; RFC 7464 puts a record separator in front.
func (p *plan) lines(r *request, content []byte, media string) (data.Value, error) {
	text, ok := decoded(content, media)
	if !ok {
		return nil, tool.Errorf("%s answered in a character set that cannot be read: %s", p.op, clip(printable(media), 100))
	}
	var items []data.Value
	separator := "\n"
	if bytes.HasPrefix(text, []byte{0x1e}) {
		separator = "\x1e"
	}
	for line := range strings.SplitSeq(string(text), separator) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		v, err := data.ParseString(line)
		if err != nil {
			return nil, &tool.Error{Message: fmt.Sprintf("%s answered with lines of which number %d is no JSON: %v", p.op, len(items)+1, err), Err: err}
		}
		items = append(items, v)
	}
	return data.NewArray(items), nil
}

// failed is the error for a state that is no success.
func (p *plan) failed(ctx context.Context, r *request, response *http.Response) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s answered %d", p.op, response.StatusCode)
	if phrase := http.StatusText(response.StatusCode); phrase != "" {
		b.WriteString(" " + phrase)
	}
	if after := r.secrets.text(response.Header.Get("Retry-After")); after != "" {
		b.WriteString(", to be tried again after " + clip(printable(after), 40))
		if strings.Trim(after, "0123456789") == "" {
			b.WriteString(" s")
		}
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxErrorRead+1))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	cut := err != nil || len(content) > maxErrorRead
	if text := p.errorText(r, response, content[:min(len(content), maxErrorRead)], cut); text != "" {
		b.WriteString(": " + text)
	}
	return &tool.Error{Message: b.String(), Err: &StatusError{p.op, response.StatusCode, response.Header}}
}

// errorText is a body for a message: JSON without its spaces, text on one line.
// Secrets leave it before it is cut, so that none is cut in half.
func (p *plan) errorText(r *request, response *http.Response, content []byte, cut bool) string {
	media := r.secrets.text(response.Header.Get("Content-Type"))
	coding := contentCoding(response)
	if coding != "" || !isJSON(media) && !isTextual(media) && media != "" || !utf8.Valid(content) && media == "" {
		if len(content) > 0 {
			return fmt.Sprintf("(%s)", clip(printable(cmp.Or(r.secrets.text(coding), essence(media))), 100))
		}
		return ""
	}
	plain, ok := decoded(content, media)
	if !ok {
		return ""
	}
	var message string
	if v, err := data.Parse(plain); err == nil && isJSON(media) {
		message = data.JSON(r.secrets.value(v))
	} else {
		text := string(plain)
		if cut {
			text = r.secrets.cutText(text)
		} else {
			text = r.secrets.text(text)
		}
		message = strings.Join(strings.Fields(printable(text)), " ")
	}
	if runes := []rune(message); len(runes) > maxErrorBody {
		message = string(runes[:maxErrorBody]) + "…"
	}
	return message
}

// contentCoding is that of a body that nobody has decoded.
func contentCoding(response *http.Response) string {
	coding := strings.ToLower(strings.TrimSpace(response.Header.Get("Content-Encoding")))
	if coding == "identity" {
		return ""
	}
	return coding
}

// decompress reads what the transport left compressed with gzip, which every
// client has to expect (RFC 9110, 12.5.3).
func decompress(response *http.Response) {
	if coding := contentCoding(response); coding != "gzip" && coding != "x-gzip" {
		return
	}
	response.Body = &gzipBody{body: response.Body}
	response.Header = response.Header.Clone()
	response.Header.Del("Content-Encoding")
	response.ContentLength = -1
}

// gzipBody decompresses when it is read: there may be nothing in it.
type gzipBody struct {
	body   io.ReadCloser
	reader *gzip.Reader
	failed error
}

func (g *gzipBody) Read(p []byte) (n int, err error) {
	if g.reader == nil && g.failed == nil {
		g.reader, g.failed = gzip.NewReader(g.body)
	}
	if g.failed != nil {
		return 0, g.failed
	}
	return g.reader.Read(p)
}

func (g *gzipBody) Close() error { return g.body.Close() }

// StatusError is what the host finds, by errors.As, in the failure of a call that
// was answered with a state other than 2xx.
type StatusError struct {
	Operation Operation
	Status    int
	Header    http.Header // of the response; must not be changed
}

// Error implements error.
func (e *StatusError) Error() string { return fmt.Sprintf("%s answered %d", e.Operation, e.Status) }

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// attachmentName is the name that the server gives, or one of the operation.
func attachmentName(r *request, response *http.Response) string {
	op := r.op
	if _, parameters, err := mime.ParseMediaType(response.Header.Get("Content-Disposition")); err == nil {
		name := path.Base(strings.ReplaceAll(printable(r.secrets.text(parameters["filename"])), `\`, "/"))
		if name != "." && name != ".." && name != "/" {
			return clip(name, 200)
		}
	}
	if op.ID != "" {
		return identifier(op.ID)
	}
	return byPath(op.Method, op.Path)
}

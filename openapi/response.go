package openapi

// This file defines what a program gets of a response.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode/utf16"
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
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, p.failed(r, response)
	}
	v, err := p.value2xx(ctx, r, response)
	if err != nil || len(p.settings.ResponseHeaders) == 0 {
		return v, err
	}
	var headers []data.Member
	for _, name := range p.settings.ResponseHeaders {
		if values := response.Header.Values(name); len(values) > 0 && !strings.EqualFold(name, "Set-Cookie") {
			text := r.scrubbed([]byte(strings.ToValidUTF8(strings.Join(values, ", "), "\uFFFD")))
			headers = append(headers, data.Member{Key: strings.ToLower(name), Value: data.String(text)})
		}
	}
	return object("body", v, "headers", data.NewObject(headers)), nil
}

func (p *plan) value2xx(ctx context.Context, r *request, response *http.Response) (data.Value, error) {
	media := response.Header.Get("Content-Type")
	if p.op.Method == "HEAD" || response.StatusCode == http.StatusNoContent || response.StatusCode == http.StatusResetContent {
		return data.Null{}, nil
	}
	if isEvents(media) {
		return nil, tool.Errorf("%s answered with a stream of events, which a call cannot wait for", p.op)
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
		if v, err := data.Parse(r.scrubbed(content)); err == nil && (v.Kind() == data.KindObject || v.Kind() == data.KindArray) {
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
			return data.String(r.scrubbed(text)), nil
		}
	}
	name := attachmentName(response, p.op)
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
		return nil, tool.Errorf("%s answered in a character set that cannot be read: %s", p.op, clip(media, 100))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return data.Null{}, nil
	}
	v, err := data.Parse(r.scrubbed(text))
	if err != nil {
		return nil, &tool.Error{Message: fmt.Sprintf("%s answered with %v", p.op, err), Err: err}
	}
	return v, nil
}

// lines are JSON values, one a line; RFC 7464 puts a record separator in front.
func (p *plan) lines(r *request, content []byte, media string) (data.Value, error) {
	text, ok := decoded(content, media)
	if !ok {
		return nil, tool.Errorf("%s answered in a character set that cannot be read: %s", p.op, clip(media, 100))
	}
	var items []data.Value
	separator := "\n"
	if bytes.HasPrefix(text, []byte{0x1e}) {
		separator = "\x1e"
	}
	for line := range strings.SplitSeq(string(r.scrubbed(text)), separator) {
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
func (p *plan) failed(r *request, response *http.Response) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s answered %d", p.op, response.StatusCode)
	if phrase := http.StatusText(response.StatusCode); phrase != "" {
		b.WriteString(" " + phrase)
	}
	if after := response.Header.Get("Retry-After"); after != "" {
		b.WriteString(", to be tried again after " + clip(printable(after), 40))
		if strings.Trim(after, "0123456789") == "" {
			b.WriteString(" s")
		}
	}
	content, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorRead))
	if text := p.errorText(r, content, response.Header.Get("Content-Type")); text != "" {
		b.WriteString(": " + text)
	}
	return &tool.Error{Message: b.String(), Err: &StatusError{p.op, response.StatusCode, response.Header}}
}

// errorText is a body for a message: JSON without its spaces, text on one line.
func (p *plan) errorText(r *request, content []byte, media string) string {
	if !isJSON(media) && !isTextual(media) && media != "" || !utf8.Valid(content) && media == "" {
		if len(content) > 0 {
			return fmt.Sprintf("(%s)", clip(printable(essence(media)), 100))
		}
		return ""
	}
	text, ok := decoded(content, media)
	if !ok {
		return ""
	}
	text = r.scrubbed(text)
	message := strings.Join(strings.Fields(printable(string(text))), " ")
	if v, err := data.Parse(text); err == nil && isJSON(media) {
		message = data.JSON(v)
	}
	if runes := []rune(message); len(runes) > maxErrorBody {
		message = string(runes[:maxErrorBody]) + "…"
	}
	return message
}

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

// decoded is a body as UTF-8 by the character set of its type; without one it is
// UTF-8. Not ok is one that is not known.
func decoded(content []byte, media string) ([]byte, bool) {
	_, parameters, err := mime.ParseMediaType(media)
	charset := ""
	if err == nil {
		charset = strings.ToLower(parameters["charset"])
	}
	bom := []byte("\ufeff")
	switch charset {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		content = bytes.TrimPrefix(content, bom)
		if !utf8.Valid(content) {
			content = bytes.ToValidUTF8(content, []byte("\uFFFD"))
		}
		return content, true
	case "iso-8859-1", "latin1", "windows-1252", "cp1252":
		return latin(content), true
	case "utf-16", "utf-16le":
		return wide(content, charset == "utf-16" && bytes.HasPrefix(content, []byte{0xfe, 0xff})), true
	case "utf-16be":
		return wide(content, true), true
	}
	return nil, false
}

// windows1252 are the characters 80 to 9F, which the WHATWG takes for those of
// ISO 8859-1 too.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

var windowsRunes = []rune(windows1252)

func latin(content []byte) []byte {
	var b strings.Builder
	for _, c := range content {
		if 0x80 <= c && c < 0xa0 {
			b.WriteRune(windowsRunes[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return []byte(b.String())
}

func wide(content []byte, bigEndian bool) []byte {
	units := make([]uint16, 0, len(content)/2)
	for i := 0; i+1 < len(content); i += 2 {
		low, high := content[i], content[i+1]
		if bigEndian {
			low, high = high, low
		}
		units = append(units, uint16(high)<<8|uint16(low))
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\ufeff"))
}

// attachmentName is the name that the server gives, or one of the operation.
func attachmentName(response *http.Response, op Operation) string {
	if _, parameters, err := mime.ParseMediaType(response.Header.Get("Content-Disposition")); err == nil {
		name := path.Base(strings.ReplaceAll(printable(parameters["filename"]), `\`, "/"))
		if name != "." && name != ".." && name != "/" {
			return clip(name, 200)
		}
	}
	if op.ID != "" {
		return identifier(op.ID)
	}
	return byPath(op.Method, op.Path)
}

// minSecret is the length from which on secrets are looked for in answers:
// shorter ones occur by chance.
const minSecret = 8

// scrubbed is a text without the secrets of the request, which servers that echo
// requests send back.
func (r *request) scrubbed(text []byte) []byte {
	for _, secret := range r.secrets {
		if len(secret) < minSecret {
			continue
		}
		for _, form := range []string{secret, escapedQuery(secret, false), strings.Trim(string(data.AppendQuoted(nil, secret)), `"`)} {
			if bytes.Contains(text, []byte(form)) {
				text = bytes.ReplaceAll(text, []byte(form), []byte("[secret]"))
			}
		}
	}
	return text
}

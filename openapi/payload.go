package openapi

// This file defines how bodies are written.

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// payload is the body for an input, or nil.
func (p *plan) payload(ctx context.Context, input *data.Object) (*payload, error) {
	v, given := p.bodyValue(input)
	if !given {
		if p.body.required {
			return nil, &unwritable{"input." + bodyField, "is required"}
		}
		return nil, nil
	}
	switch p.body.kind {
	case jsonBody:
		return bytesPayload(p.body.media, data.AppendJSON(nil, v)), nil
	case formBody:
		return p.formPayload(v)
	case multipartBody:
		return p.multipart(ctx, v)
	case textBody:
		text, ok := v.(data.String)
		if !ok {
			return nil, &unwritable{"input." + bodyField, "cannot be " + described(v) + "; want text"}
		}
		return bytesPayload(textMedia(p.body.media, string(text)), []byte(strings.ToValidUTF8(string(text), "\uFFFD"))), nil
	}
	return p.filePayload(ctx, v)
}

// textMedia names the character set of a text that is not ASCII, unless the media
// type does.
func textMedia(media, text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf && !strings.Contains(strings.ToLower(media), "charset=") {
			return media + "; charset=utf-8"
		}
	}
	return media
}

// bodyValue is the value of the body: of its field, or put together from those
// of a flat one.
func (p *plan) bodyValue(input *data.Object) (data.Value, bool) {
	if !p.body.flat {
		return input.Get(p.bodyNames[bodyField])
	}
	own := make(map[string]string, len(p.bodyNames))
	for name, field := range p.bodyNames {
		own[field] = name
	}
	var list []data.Member
	for field, v := range input.All() {
		if name, ok := own[field]; ok {
			list = append(list, data.Member{Key: name, Value: v})
		}
	}
	return data.NewObject(list), p.body.required || len(list) > 0
}

// fieldOf is the field of a form with a name; one that is not declared is
// written like any.
func (b *body) fieldOf(name string) *formField {
	i := slices.IndexFunc(b.fields, func(f *formField) bool { return f.name == name })
	if i >= 0 {
		return b.fields[i]
	}
	return &formField{parameter: parameter{name: name, in: "body", style: "form", explode: true}}
}

// formPlaces names the fields of a form for messages.
func (p *plan) formPlace(name string) string {
	if field, ok := p.bodyNames[name]; ok && p.body.flat {
		return field
	}
	return name
}

func (p *plan) formObject(v data.Value) (*data.Object, error) {
	o, ok := v.(*data.Object)
	if !ok {
		return nil, &unwritable{"input." + bodyField, "cannot be " + described(v) + "; want an object with the fields of the form"}
	}
	return o, nil
}

// formPayload is a body of the type application/x-www-form-urlencoded, in which
// a space is a plus sign.
func (p *plan) formPayload(v data.Value) (*payload, error) {
	o, err := p.formObject(v)
	if err != nil {
		return nil, err
	}
	var parts []string
	for name, member := range o.All() {
		f := *p.body.fieldOf(name)
		f.field = p.formPlace(name)
		escape := url.QueryEscape
		if f.reserved {
			escape = func(s string) string { return escapedQuery(s, true) }
		}
		var pairs []pair
		if f.styled {
			pairs, err = f.inForm(member, url.QueryEscape(name), escape)
		} else {
			pairs, err = f.byContent(member, url.QueryEscape(name), escape)
		}
		if err != nil {
			return nil, err
		}
		for _, pair := range pairs {
			parts = append(parts, pair.String())
		}
	}
	return bytesPayload(p.body.media, []byte(strings.Join(parts, "&"))), nil
}

// byContent is a field as its content type has it: each item of an array by
// itself, objects as JSON.
func (f *formField) byContent(v data.Value, name string, escape func(string) string) ([]pair, error) {
	var pairs []pair
	for _, item := range f.itemsOf(v) {
		text, err := f.partText(item)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair{name, escape(text)})
	}
	return pairs, nil
}

// itemsOf are the values that are written one by one.
func (f *formField) itemsOf(v data.Value) []data.Value {
	a, ok := v.(data.Array)
	if !ok || isJSON(f.media) {
		return []data.Value{v}
	}
	items := make([]data.Value, 0, a.Len())
	for _, item := range a.All() {
		items = append(items, item)
	}
	return items
}

// partText is one value as text of its content type.
func (f *formField) partText(v data.Value) (string, error) {
	if isJSON(f.media) || v.Kind() == data.KindObject || v.Kind() == data.KindArray {
		return data.JSON(v), nil
	}
	text, err := plain(v, f.place())
	return strings.ToValidUTF8(text, "\uFFFD"), err
}

// part is one of a multipart body.
type part struct {
	head    string
	content string
	file    *File
}

// multipart is a body of the type multipart/form-data (RFC 7578).
func (p *plan) multipart(ctx context.Context, v data.Value) (*payload, error) {
	o, err := p.formObject(v)
	if err != nil {
		return nil, err
	}
	var parts []part
	for name, member := range o.All() {
		f := *p.body.fieldOf(name)
		f.field = p.formPlace(name)
		made, err := p.parts(ctx, &f, member)
		if err != nil {
			return nil, err
		}
		parts = append(parts, made...)
	}
	return joinParts(p.body.media, parts), nil
}

// parts are those of one field.
func (p *plan) parts(ctx context.Context, f *formField, v data.Value) ([]part, error) {
	switch {
	case f.file:
		return p.fileParts(ctx, f, v)
	case f.styled:
		pairs, err := f.inForm(v, f.name, func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") })
		var parts []part
		for _, pair := range pairs {
			value := pair.value
			if !f.explode && f.style != "form" && f.style != "deepObject" {
				value = strings.NewReplacer("%20", " ", "%7C", "|", "%09", "\t").Replace(value)
			}
			parts = append(parts, part{head: disposition(pair.name, "", ""), content: value})
		}
		return parts, err
	}
	var parts []part
	for _, item := range f.itemsOf(v) {
		text, err := f.partText(item)
		if err != nil {
			return nil, err
		}
		media, _, _ := strings.Cut(f.media, ",")
		if media == "" && (item.Kind() == data.KindObject || item.Kind() == data.KindArray) {
			media = "application/json"
		}
		parts = append(parts, part{head: disposition(f.name, "", media), content: text})
	}
	return parts, nil
}

func (p *plan) fileParts(ctx context.Context, f *formField, v data.Value) ([]part, error) {
	items := []data.Value{v}
	if a, ok := v.(data.Array); ok && f.many {
		items = f.itemsOf(a)
	}
	var parts []part
	for _, item := range items {
		file, err := p.file(ctx, item, f.place())
		if err != nil {
			return nil, err
		}
		media := file.MIMEType
		if declared, _, several := strings.Cut(f.media, ","); media == "" && !several && !strings.Contains(declared, "*") {
			media = declared
		}
		if media == "" {
			media = "application/octet-stream"
		}
		parts = append(parts, part{head: disposition(f.name, file.Name, media), file: &file})
	}
	return parts, nil
}

// disposition is the head of a part. Line breaks and quotes in names are escaped
// as browsers do.
func disposition(name, file, media string) string {
	quote := strings.NewReplacer("\r", "%0D", "\n", "%0A", `"`, "%22").Replace
	head := `Content-Disposition: form-data; name="` + quote(name) + `"`
	if file != "" {
		head += `; filename="` + quote(file) + `"`
	}
	if media = strings.TrimSpace(media); media != "" && isHeaderValue(media) {
		head += "\r\nContent-Type: " + media
	}
	return head + "\r\n\r\n"
}

func joinParts(media string, parts []part) *payload {
	var random [16]byte
	rand.Read(random[:])
	boundary := "codemode-" + hex.EncodeToString(random[:])
	size := int64(len(boundary) + 6)
	for _, p := range parts {
		length := int64(len(p.content))
		if p.file != nil {
			length = p.file.Size
		}
		if length < 0 || size < 0 {
			size = -1
			break
		}
		size += int64(len(boundary)) + 4 + int64(len(p.head)) + length + 2
	}
	open := func() (io.ReadCloser, error) {
		r := &partsReader{}
		for _, p := range parts {
			r.add(strings.NewReader("--" + boundary + "\r\n" + p.head + p.content))
			if p.file != nil {
				content, err := p.file.Open()
				if err != nil {
					r.Close()
					return nil, err
				}
				r.closers = append(r.closers, content)
				r.add(exactly(content, p.file.Size))
			}
			r.add(strings.NewReader("\r\n"))
		}
		r.add(strings.NewReader("--" + boundary + "--\r\n"))
		r.Reader = io.MultiReader(r.readers...)
		return r, nil
	}
	return &payload{media + "; boundary=" + boundary, size, open}
}

// exactly reads n bytes, or all if n is negative.
func exactly(r io.Reader, n int64) io.Reader {
	if n < 0 {
		return r
	}
	return io.LimitReader(r, n)
}

// partsReader reads parts one after the other.
type partsReader struct {
	io.Reader
	readers []io.Reader
	closers []io.Closer
}

func (r *partsReader) add(part io.Reader) { r.readers = append(r.readers, part) }

// Close closes the files.
func (r *partsReader) Close() error {
	var errs []error
	for _, c := range r.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// file is what the host has for a handle.
func (p *plan) file(ctx context.Context, v data.Value, place string) (File, error) {
	handle, ok := v.(data.String)
	if !ok || p.settings.Files == nil {
		return File{}, &unwritable{place, "cannot be " + described(v) + "; want the handle of a file"}
	}
	f, err := p.settings.Files(ctx, string(handle))
	if err != nil {
		var told *tool.Error
		if errors.As(err, &told) || ctx.Err() != nil {
			return f, err
		}
		return f, &tool.Error{Message: place + ": the host cannot open the file " + string(data.AppendQuoted(nil, clip(string(handle), 100))), Err: err}
	}
	if f.Open == nil {
		return f, errors.New("openapi: Options.Files returned a File without Open")
	}
	if f.Name == "" {
		f.Name = string(handle)
	}
	return f, nil
}

// filePayload is a body that is a file.
func (p *plan) filePayload(ctx context.Context, v data.Value) (*payload, error) {
	f, err := p.file(ctx, v, "input."+p.bodyNames[bodyField])
	if err != nil {
		return nil, err
	}
	media := p.body.media
	if media == "" {
		media = f.MIMEType
	}
	if media == "" {
		media = "application/octet-stream"
	}
	return &payload{media, f.Size, func() (io.ReadCloser, error) {
		content, err := f.Open()
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{exactly(content, f.Size), content}, nil
	}}, nil
}

// asciiJSON is JSON text with everything beyond ASCII escaped, for headers.
func asciiJSON(text string) string {
	var b bytes.Buffer
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xFFFF:
			r -= 0x10000
			b.WriteString(`\u` + hex4(0xD800+r>>10) + `\u` + hex4(0xDC00+r&0x3FF))
		default:
			b.WriteString(`\u` + hex4(r))
		}
	}
	return b.String()
}

func hex4(r rune) string { return hex.EncodeToString([]byte{byte(r >> 8), byte(r)}) }

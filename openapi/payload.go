package openapi

// This file defines how bodies are written.

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
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
		return jsonPayload(p.body.media, v, "input."+p.bodyNames[bodyField])
	case formBody:
		return p.formPayload(v)
	case multipartBody:
		return p.multipart(ctx, v)
	case textBody:
		text, ok := v.(data.String)
		if !ok {
			return nil, &unwritable{"input." + bodyField, "cannot be " + described(v) + "; want text"}
		}
		return textPayload(p.body.media, string(text), "input."+p.bodyNames[bodyField])
	}
	return p.filePayload(ctx, v)
}

// jsonPayload is JSON in the character set of the media type. All of it but UTF-16
// has ASCII in common.
func jsonPayload(media string, v data.Value, place string) (*payload, error) {
	content := data.AppendJSON(nil, v)
	if charset := charsetOf(media); charset != "" && charset != "utf-8" {
		return textPayload(media, asciiJSON(string(content)), place)
	}
	return bytesPayload(media, content), nil
}

// textPayload is a text in the character set of the media type; without one,
// utf-8 is added to what is not ASCII.
func textPayload(media, text, place string) (*payload, error) {
	content, err := encodedText(text, charsetOf(media), place)
	if err == nil && charsetOf(media) == "" && slices.ContainsFunc(content, func(c byte) bool { return c >= utf8.RuneSelf }) {
		media += "; charset=utf-8"
	}
	return bytesPayload(media, content), err
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
func (p *plan) fieldOf(name string) *formField {
	f := &formField{parameter: parameter{name: name, in: "body", style: "form", explode: true}}
	if known := p.body.byName[name]; known != nil {
		*f = *known
	}
	if f.field = name; p.body.flat {
		f.field = p.bodyNames[name]
	} else {
		f.within = string(data.AppendKey([]byte("input"), p.bodyNames[bodyField]))
	}
	return f
}

// leftOut reports that a field is null, which a form cannot say: it is left out,
// as are parameters.
func (p *plan) leftOut(f *formField, v data.Value) (bool, error) {
	if v.Kind() != data.KindNull || isJSON(f.media) {
		return false, nil
	}
	if p.body.needed[f.name] {
		return false, &unwritable{f.place(), "is required, but null cannot be sent in a form"}
	}
	return true, nil
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
		f := p.fieldOf(name)
		if out, err := p.leftOut(f, member); out || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		form := textForm{key: url.QueryEscape, value: url.QueryEscape}
		if f.reserved {
			form.value = func(s string) string { return escapedQuery(s, true) }
		}
		var pairs []pair
		if f.styled {
			pairs, err = f.inForm(member, url.QueryEscape(name), form)
		} else {
			pairs, err = f.byContent(member, url.QueryEscape(name), form.value)
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
	items, single := f.itemsOf(v)
	for i, item := range items {
		text, err := f.partText(item, f.itemPlace(i, single))
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair{name: name, value: escape(text)})
	}
	return pairs, nil
}

// itemsOf are the values that are written one by one; single is one that is no
// list of them.
func (f *formField) itemsOf(v data.Value) (items []data.Value, single bool) {
	a, ok := v.(data.Array)
	if !ok || isJSON(f.media) {
		return []data.Value{v}, true
	}
	items = make([]data.Value, 0, a.Len())
	for _, item := range a.All() {
		items = append(items, item)
	}
	return items, false
}

func (f *formField) itemPlace(i int, single bool) string {
	if single {
		return f.place()
	}
	return fmt.Sprintf("%s[%d]", f.place(), i)
}

// partText is one value as text of its content type.
func (f *formField) partText(v data.Value, place string) (string, error) {
	if isJSON(f.media) || v.Kind() == data.KindObject || v.Kind() == data.KindArray {
		return data.JSON(v), nil
	}
	text, err := plain(v, place)
	return validText(text), err
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
		f := p.fieldOf(name)
		out, err := p.leftOut(f, member)
		if out {
			continue
		}
		var made []part
		if err == nil {
			made, err = p.parts(ctx, f, member)
		}
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
		pairs, err := f.inForm(v, f.name, textForm{key: validText, value: validText, bare: true})
		var parts []part
		for _, pair := range pairs {
			parts = append(parts, part{head: disposition(pair.name, "", ""), content: pair.value})
		}
		return parts, err
	}
	var parts []part
	items, single := f.itemsOf(v)
	for i, item := range items {
		text, err := f.partText(item, f.itemPlace(i, single))
		if err != nil {
			return nil, err
		}
		media, _, _ := strings.Cut(f.media, ",")
		if media == "" && (item.Kind() == data.KindObject || item.Kind() == data.KindArray) {
			media = "application/json"
		}
		content, err := partContent(text, media, f.itemPlace(i, single))
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{head: disposition(f.name, "", media), content: content})
	}
	return parts, nil
}

// partContent is a text in the character set of its part.
func partContent(text, media, place string) (string, error) {
	charset := charsetOf(media)
	if isJSON(media) && charset != "" && charset != "utf-8" {
		text = asciiJSON(text)
	}
	content, err := encodedText(text, charset, place)
	return string(content), err
}

func (p *plan) fileParts(ctx context.Context, f *formField, v data.Value) ([]part, error) {
	items := []data.Value{v}
	if a, ok := v.(data.Array); ok && f.many {
		items, _ = f.itemsOf(a)
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
				r.add(exactly(content, p.file.Size, p.file.Name))
			}
			r.add(strings.NewReader("\r\n"))
		}
		r.add(strings.NewReader("--" + boundary + "--\r\n"))
		r.Reader = io.MultiReader(r.readers...)
		return r, nil
	}
	return &payload{media + "; boundary=" + boundary, size, open}
}

// exactly reads n bytes, or all if n is negative. A file that has fewer or more
// than the host says is not sent as if it were whole.
func exactly(r io.Reader, n int64, name string) io.Reader {
	if n < 0 {
		return r
	}
	return &exactReader{r, n, name}
}

type exactReader struct {
	from io.Reader
	left int64
	name string
}

// fileError is a file of the host that is not what the host says.
type fileError struct{ text string }

func (e *fileError) Error() string { return e.text }

// Read keeps the last bytes back until it is clear that there are no more: once
// the server has them all, it may answer as if all were well.
func (r *exactReader) Read(p []byte) (int, error) {
	n := 0
	if r.left > 0 {
		var err error
		n, err = r.from.Read(p[:min(int64(len(p)), r.left)])
		if r.left -= int64(n); err == io.EOF && r.left > 0 {
			return n, &fileError{"the file " + quoted(r.name) + " has fewer bytes than the host said"}
		}
		if err != nil || r.left > 0 {
			return n, err
		}
	}
	var more [1]byte
	switch m, err := io.ReadFull(r.from, more[:]); {
	case m > 0:
		return 0, &fileError{"the file " + quoted(r.name) + " has more bytes than the host said"}
	case err != io.EOF:
		return 0, err
	}
	return n, io.EOF
}

func quoted(name string) string { return string(data.AppendQuoted(nil, clip(name, 100))) }

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
		return f, &tool.Error{Message: place + ": the host cannot open the file " + quoted(string(handle)), Err: err}
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
		}{exactly(content, f.Size, f.Name), content}, nil
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

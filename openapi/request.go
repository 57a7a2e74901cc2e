package openapi

// This file defines requests: what a tool sends for an input.

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// plan is what all calls of one tool have in common. It is immutable once the
// tool is made.
type plan struct {
	settings   *settings
	op         Operation
	base       *url.URL
	path       []piece
	static     string // query of the path itself
	parameters []*parameter
	body       *body
	bodyNames  map[string]string // fields of the input by the names of a flat body
	security   [][]Scheme
	claims     map[string]*claims // of query and cookie
	accept     string
	declared   string // media type of the answer, if there is one
}

// request is what one call sends. Its parts are ready for the wire.
type request struct {
	op      Operation
	url     string // without query
	query   []string
	header  http.Header
	cookies []string
	// chosen are the names of cookies that the input says, with their places.
	chosen  map[string]string
	body    *payload // nil for none
	secrets secrets
	claimed map[string]bool // by credentials
}

// call runs the tool. Whatever comes of it goes through the secrets of the
// request once more, as a whole.
func (p *plan) call(ctx context.Context, v data.Value) (data.Value, error) {
	input, _ := v.(*data.Object)
	r, err := p.request(ctx, input)
	if err != nil {
		return nil, refusal(p.op, err)
	}
	v, err = p.exchanged(ctx, r)
	if err != nil {
		return nil, r.withoutSecrets(err)
	}
	return r.secrets.value(v), nil
}

func (p *plan) exchanged(ctx context.Context, r *request) (data.Value, error) {
	if err := p.authorize(ctx, r); err != nil {
		return nil, refusal(p.op, err)
	}
	response, err := p.send(ctx, r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return p.result(ctx, r, response)
}

// withoutSecrets is an error whose text for programs has no secrets.
func (r *request) withoutSecrets(err error) error {
	told, ok := errors.AsType[*tool.Error](err)
	if !ok {
		return err
	}
	if clean := r.secrets.text(told.Message); clean != told.Message {
		return &tool.Error{Message: clean, Err: err}
	}
	return err
}

// userAgent is what requests are sent by, unless the host says otherwise.
const userAgent = "codemode"

// refusal tells the program why an input cannot be sent.
func refusal(op Operation, err error) error {
	var u *unwritable
	if errors.As(err, &u) {
		return tool.Errorf("%s was not sent: %s", op, u.Error())
	}
	return err
}

// request encodes an input. Nothing has been sent and no credential asked for.
func (p *plan) request(ctx context.Context, input *data.Object) (*request, error) {
	r := &request{op: p.op, header: http.Header{"Accept": {p.accept}, "User-Agent": {userAgent}}}
	for name, values := range p.settings.Headers {
		r.header[name] = append([]string(nil), values...)
		for _, v := range values {
			if secretive(name) || p.settings.hidden[v] {
				r.secrets.addHeader(name, v)
			}
		}
	}
	for _, text := range p.settings.Secrets {
		r.secrets.add(text)
	}
	if p.static != "" {
		r.query = append(r.query, p.static)
	}
	inPath := map[string]string{}
	for _, q := range p.parameters {
		v, given := p.value(q, input)
		if !given {
			if q.required {
				return nil, &unwritable{q.place(), "is required"}
			}
			continue
		}
		if q.secret {
			r.secrets.addValue(v)
		}
		if err := p.put(r, q, v, inPath); err != nil {
			return nil, err
		}
	}
	path, err := p.filledPath(inPath)
	if err != nil {
		return nil, err
	}
	r.url = joined(p.base, path)
	if p.body == nil {
		return r, nil
	}
	r.body, err = p.payload(ctx, input)
	if r.body != nil && r.body.media != "" {
		r.header.Set("Content-Type", r.body.media)
	}
	return r, err
}

// value is the host's or the program's value of a parameter. A null is one that
// is not there, unless it is the host's.
func (p *plan) value(q *parameter, input *data.Object) (v data.Value, given bool) {
	if q.fixed != nil {
		return q.fixed, true
	}
	v, given = input.Get(q.field)
	if given && v.Kind() == data.KindNull && q.media == "" {
		return nil, false
	}
	return v, given
}

// put writes one parameter.
func (p *plan) put(r *request, q *parameter, v data.Value, inPath map[string]string) (err error) {
	if q.media != "" {
		if v, err = encoded(q, v); err != nil {
			return err
		}
	}
	switch q.in {
	case "path":
		text, err := q.inPath(v)
		if err == nil {
			err = checkSegment(q, text)
		}
		inPath[q.name] = text
		return err
	case "header":
		text, some, err := q.inHeader(v)
		if err == nil && some {
			r.header.Set(q.name, text)
		}
		return errors.Join(err, p.missing(q, err == nil && !some))
	case "cookie":
		pairs, err := q.inCookie(v)
		if err == nil {
			err = p.free(q, pairs)
		}
		for _, c := range pairs {
			r.cookies = append(r.cookies, c.String())
			r.choose(q, c)
		}
		return errors.Join(err, p.missing(q, err == nil && len(pairs) == 0))
	}
	pairs, err := q.inForm(v, escapedQuery(q.name, false), queryForm(q.reserved))
	if err == nil {
		err = p.free(q, pairs)
	}
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		r.query = append(r.query, pair.String())
	}
	return p.missing(q, len(pairs) == 0)
}

// choose notes the name of a cookie that is not the host's.
func (r *request) choose(q *parameter, c pair) {
	if q.fixed != nil {
		return
	}
	if r.chosen == nil {
		r.chosen = map[string]string{}
	}
	if c.own == "" {
		c.own = q.name
	}
	r.chosen[c.own] = q.place()
}

// queryForm makes texts ready for a query. Names keep no reserved character: an
// equals sign would end them.
func queryForm(reserved bool) textForm {
	return textForm{
		key:   func(s string) string { return escapedQuery(s, false) },
		value: func(s string) string { return escapedQuery(s, reserved) },
	}
}

// encoded is the value of a parameter with a media type, as text.
func encoded(q *parameter, v data.Value) (data.Value, error) {
	if isJSON(q.media) {
		text := data.JSON(v)
		if q.in == "header" {
			text = asciiJSON(text)
		}
		return data.String(text), nil
	}
	text, err := plain(v, q.place())
	return data.String(text), err
}

// missing refuses a required parameter of which nothing would be sent.
func (p *plan) missing(q *parameter, nothing bool) error {
	if nothing && q.required {
		return &unwritable{q.place(), "is required, but an empty list or object cannot be sent"}
	}
	return nil
}

// checkSegment refuses values that would lead to another path, as servers read
// it: a slash inside a value may be one for them.
func checkSegment(q *parameter, text string) error {
	switch plain := decodedPath(text); {
	case plain == "" || plain == ".":
		return &unwritable{q.place(), "is empty, which the path cannot have"}
	case plain == "..":
		return &unwritable{q.place(), "is .., which would lead to another path"}
	case hasDots(plain):
		return &unwritable{q.place(), "has a part . or .. between slashes, which would lead to another path"}
	}
	return nil
}

// filledPath puts values in the place of the parameters of the path.
func (p *plan) filledPath(values map[string]string) (string, error) {
	var b strings.Builder
	for _, part := range p.path {
		if part.parameter {
			b.WriteString(values[part.text])
		} else {
			b.WriteString(part.text)
		}
	}
	if hasDots(decodedPath(b.String())) {
		return "", &unwritable{"input", "would lead to another path, with a segment . or .."}
	}
	return b.String(), nil
}

// decodedPath is a path as servers read it.
func decodedPath(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// joined is the address of a path below a base.
func joined(base *url.URL, path string) string {
	u := *base
	u.RawQuery, u.Fragment = "", ""
	return strings.TrimSuffix(u.String(), "/") + path
}

// build makes the HTTP request; it can be made again.
func (r *request) build(ctx context.Context) (*http.Request, error) {
	address := r.url
	if len(r.query) > 0 {
		address += "?" + strings.Join(r.query, "&")
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("openapi: the address cannot be parsed")
	}
	req := (&http.Request{Method: r.op.Method, URL: u, Host: u.Host, Header: r.header.Clone(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	if len(r.cookies) > 0 {
		cookies := append(slices.Clone(r.header["Cookie"]), r.cookies...)
		req.Header.Set("Cookie", strings.Join(cookies, "; "))
	}
	if err := r.open(req); err != nil {
		return nil, err
	}
	return req, nil
}

// open gives a request the body, from its start.
func (r *request) open(req *http.Request) error {
	if r.body == nil {
		return nil
	}
	content, err := r.body.open()
	if err != nil {
		return err
	}
	req.Body, req.ContentLength = content, r.body.size
	if r.body.size == 0 {
		defer content.Close()
		req.Body = http.NoBody
		if _, err := io.Copy(io.Discard, content); err != nil {
			return err // of a file that is not empty
		}
	}
	return nil
}

// payload is a body that can be opened again.
type payload struct {
	media string
	size  int64 // negative if unknown
	open  func() (io.ReadCloser, error)
}

func bytesPayload(media string, content []byte) *payload {
	return &payload{media, int64(len(content)), func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(content))), nil }}
}

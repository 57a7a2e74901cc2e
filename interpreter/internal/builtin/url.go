package builtin

// This file defines URL (WHATWG URL 6.1) on a parser that follows the same standard.

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// urlData is the Ext of URL objects.
type urlData struct {
	u      *whatwg.Url
	params *object // URLSearchParams, made on demand
}

// maxURL bounds the text of a URL: parsing cannot be interrupted.
const maxURL = 1 << 20

var urlParser = whatwg.NewParser()

// Inspect prints the parts.
func (x *urlData) Inspect(r *value.Realm, part func(value.Value) string) Shown {
	var parts []string
	for _, p := range urlParts {
		if p.name == "hash" {
			params := &searchParams{list: parseQuery(x.u.Query())}
			parts = append(parts, "searchParams: "+part(r.NewClass(value.ClassURLSearchParams, r.Intrinsic(value.URLSearchParamsPrototype), params).Value()))
		}
		parts = append(parts, p.name+": "+part(str(p.get(x.u))))
	}
	return Shown{Parts: parts}
}

// urlParts are the attributes that are text; set is nil for origin.
var urlParts = []struct {
	name string
	get  func(u *whatwg.Url) string
	set  func(u *whatwg.Url, v string)
}{
	{"href", urlHref, nil},
	{"origin", urlOrigin, nil},
	{"protocol", (*whatwg.Url).Protocol, (*whatwg.Url).SetProtocol},
	{"username", (*whatwg.Url).Username, (*whatwg.Url).SetUsername},
	{"password", (*whatwg.Url).Password, (*whatwg.Url).SetPassword},
	{"host", (*whatwg.Url).Host, (*whatwg.Url).SetHost},
	{"hostname", (*whatwg.Url).Hostname, (*whatwg.Url).SetHostname},
	{"port", (*whatwg.Url).Port, (*whatwg.Url).SetPort},
	{"pathname", (*whatwg.Url).Pathname, (*whatwg.Url).SetPathname},
	{"search", (*whatwg.Url).Search, (*whatwg.Url).SetSearch},
	{"hash", (*whatwg.Url).Hash, (*whatwg.Url).SetHash},
}

func urlHref(u *whatwg.Url) string { return u.Href(false) }

// urlOrigin is the serialisation of the origin (URL 4.7).
func urlOrigin(u *whatwg.Url) string {
	switch u.Scheme() {
	case "http", "https", "ws", "wss", "ftp":
		return u.Protocol() + "//" + u.Host()
	case "blob":
		if inner, err := urlParser.Parse(u.Pathname()); err == nil && strings.HasPrefix(inner.Scheme(), "http") {
			return urlOrigin(inner)
		}
	}
	return "null"
}

func urlTemplates() []*value.Template {
	rows := []row{
		{Name: "constructor", Ref: value.URLConstructor},
		{Name: "searchParams", Get: urlGetParams, Attr: value.Enumerable | value.Configurable, Sig: "URLSearchParams"},
		{Name: "toJSON", Length: 0, Fn: urlText("toJSON"), Attr: value.AttrDefault, Sig: "(): string"},
		{Name: "toString", Length: 0, Fn: urlText("toString"), Attr: value.AttrDefault, Sig: "(): string"},
		tagRow("URL"),
	}
	for i := range urlParts {
		p := &urlParts[i]
		w := row{Name: p.name, Get: urlGetter(p.name, p.get), Attr: value.Enumerable | value.Configurable, Sig: "string"}
		if p.name == "href" {
			w.Set = urlSetHref
		} else if p.set != nil {
			w.Set = urlSetter(p.name, p.set)
		}
		rows = append(rows, w)
	}
	return []*value.Template{
		{ID: value.URLConstructor, Global: "URL", Proto: value.FunctionPrototype, Name: "URL", Length: 1, New: urlNew, Rows: []row{
			{Name: "prototype", Ref: value.URLPrototype, Attr: value.NoAttr},
			{Name: "canParse", Length: 1, Fn: urlCanParse, Attr: value.AttrDefault, Sig: "(url: string, base?: string): boolean"},
			{Name: "parse", Length: 1, Fn: urlParse, Attr: value.AttrDefault, Sig: "(url: string, base?: string): URL | null"},
		}},
		{ID: value.URLPrototype, Proto: value.ObjectPrototype, Rows: rows},
	}
}

// parseURL parses the arguments of the constructor; ok is false if a conversion threw, u nil if the URL is invalid.
func parseURL(r *realm, args []val) (u *whatwg.Url, ok bool) {
	if len(args) == 0 {
		r.ThrowTypeError("URL: 1 argument required, but only 0 present")
		return nil, false
	}
	s := wellFormed(r, args[0])
	if s == nil || !r.Step(1+s.Len()>>6) {
		return nil, false
	}
	if s.Len() > maxURL {
		return nil, true
	}
	var err error
	if b := arg(args, 1); !b.IsUndefined() {
		base := wellFormed(r, b)
		if base == nil || base.Len() > maxURL {
			return nil, base != nil
		}
		u, err = urlParser.ParseRef(base.String(), s.String())
	} else {
		u, err = urlParser.Parse(s.String())
	}
	if err != nil {
		return nil, true
	}
	r.Charge(256 + 4*s.Len())
	return u, true
}

func newURL(r *realm, proto *object, u *whatwg.Url) val {
	return r.NewClass(value.ClassURL, proto, &urlData{u: u}).Value()
}

func urlNew(r *realm, args []val, newTarget *object) val {
	u, ok := parseURL(r, args)
	if !ok {
		return value.Throw
	}
	if u == nil {
		hint := ""
		if arg(args, 1).IsUndefined() {
			hint = "; a relative URL needs a base: new URL(path, base)"
		}
		return r.ThrowTypeError("Invalid URL: %s%s", r.Describe(args[0]), hint)
	}
	proto := r.PrototypeFromConstructor(newTarget, value.URLPrototype)
	if proto == nil {
		return value.Throw
	}
	return newURL(r, proto, u)
}

func urlCanParse(r *realm, _ val, args []val) val {
	u, ok := parseURL(r, args)
	return completed(value.Bool(u != nil), ok)
}

func urlParse(r *realm, _ val, args []val) val {
	u, ok := parseURL(r, args)
	if !ok || u == nil {
		return completed(value.Null, ok)
	}
	return newURL(r, r.Intrinsic(value.URLPrototype), u)
}

func thisURL(r *realm, this val, name string) *urlData {
	x, ok := extOf[*urlData](this)
	if !ok {
		incompatible(r, "URL.prototype."+name, this)
		return nil
	}
	return x
}

func urlGetter(name string, get func(*whatwg.Url) string) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		x := thisURL(r, this, name)
		if x == nil {
			return value.Throw
		}
		return newText(r, value.NewStr(get(x.u)))
	}
}

func urlText(name string) value.NativeFn { return urlGetter(name, urlHref) }

func urlSetter(name string, set func(*whatwg.Url, string)) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		x := thisURL(r, this, name)
		if x == nil {
			return value.Throw
		}
		s := wellFormed(r, arg(args, 0))
		if s == nil || !r.Step(1+s.Len()>>6) {
			return value.Throw
		}
		if s.Len() > maxURL {
			return r.ThrowTypeError("URL.%s: the text is too long", name)
		}
		set(x.u, s.String())
		if name == "search" {
			x.refresh()
		}
		return value.Undefined
	}
}

func urlSetHref(r *realm, this val, args []val) val {
	x := thisURL(r, this, "href")
	if x == nil {
		return value.Throw
	}
	u, ok := parseURL(r, []val{arg(args, 0)})
	if !ok {
		return value.Throw
	}
	if u == nil {
		return r.ThrowTypeError("Invalid URL: %s", r.Describe(arg(args, 0)))
	}
	x.u = u
	x.refresh()
	return value.Undefined
}

// refresh brings the search parameters in line with the query.
func (x *urlData) refresh() {
	if x.params != nil {
		x.params.Ext.(*searchParams).list = parseQuery(x.u.Query())
	}
}

func urlGetParams(r *realm, this val, _ []val) val {
	x := thisURL(r, this, "searchParams")
	if x == nil {
		return value.Throw
	}
	if x.params == nil {
		p := &searchParams{list: parseQuery(x.u.Query()), url: x}
		r.Charge(64 * len(p.list))
		x.params = r.NewClass(value.ClassURLSearchParams, r.Intrinsic(value.URLSearchParamsPrototype), p)
	}
	return x.params.Value()
}

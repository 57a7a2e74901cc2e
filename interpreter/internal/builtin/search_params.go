package builtin

// This file defines URLSearchParams (WHATWG URL 5, 6.2).

import (
	"sort"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

type pair struct{ name, value string }

// searchParams is the Ext of URLSearchParams objects.
type searchParams struct {
	list []pair
	url  *urlData // whose query they are; nil if they stand alone
}

// Text is the query string.
func (p *searchParams) Text() string { return encodeQuery(p.list) }

// Size is the number of pairs.
func (p *searchParams) Size() int { return len(p.list) }

// Inspect prints the pairs.
func (p *searchParams) Inspect(_ *value.Realm, part func(value.Value) string) Shown {
	var parts []string
	for _, e := range p.list {
		parts = append(parts, part(str(e.name))+" => "+part(str(e.value)))
	}
	return Shown{Parts: parts}
}

func searchParamsTemplates() []*value.Template {
	method := func(name string, length int, fn func(r *realm, p *searchParams, this val, args []val) val, sig string) row {
		return row{Name: name, Length: length, Attr: value.AttrDefault, Sig: sig, Fn: func(r *realm, this val, args []val) val {
			p, ok := extOf[*searchParams](this)
			if !ok {
				return incompatible(r, "URLSearchParams.prototype."+name, this)
			}
			if len(args) < length {
				return r.ThrowTypeError("URLSearchParams.%s: %d arguments required, but only %d present", name, length, len(args))
			}
			return fn(r, p, this, args)
		}}
	}
	return []*value.Template{
		{ID: value.URLSearchParamsConstructor, Global: "URLSearchParams", Proto: value.FunctionPrototype, Name: "URLSearchParams", Length: 0, New: searchParamsNew, Rows: []row{
			{Name: "prototype", Ref: value.URLSearchParamsPrototype, Attr: value.NoAttr},
		}},
		{ID: value.URLSearchParamsPrototype, Proto: value.ObjectPrototype, Rows: []row{
			{Name: "constructor", Ref: value.URLSearchParamsConstructor},
			method("append", 2, paramsAppend, "(name: string, value: string): void"),
			method("delete", 1, paramsDelete, "(name: string, value?: string): void"),
			method("entries", 0, paramsIterate(iterateEntries), "(): Iterator<[string, string]>"),
			method("forEach", 1, paramsForEach, "(visit: (value: string, name: string) => void, thisArg?: any): void"),
			method("get", 1, paramsGet, "(name: string): string | null"),
			method("getAll", 1, paramsGetAll, "(name: string): string[]"),
			method("has", 1, paramsHas, "(name: string, value?: string): boolean"),
			method("keys", 0, paramsIterate(iterateKeys), "(): Iterator<string>"),
			method("set", 2, paramsSet, "(name: string, value: string): void"),
			method("sort", 0, paramsSort, "(): void"),
			method("toString", 0, paramsToString, "(): string"),
			method("values", 0, paramsIterate(iterateValues), "(): Iterator<string>"),
			{Name: "size", Get: paramsSize, Attr: value.Enumerable | value.Configurable, Sig: "number"},
			{Name: "@@iterator", Alias: "entries"},
			tagRow("URLSearchParams"),
		}},
		pairIteratorTemplate(value.URLSearchParamsIteratorPrototype, "URLSearchParams Iterator"),
	}
}

// parseQuery is the application/x-www-form-urlencoded parser (URL 5.1).
func parseQuery(s string) []pair {
	out := make([]pair, 0, strings.Count(s, "&")+1)
	for part := range strings.SplitSeq(s, "&") {
		if part != "" {
			name, v, _ := strings.Cut(part, "=")
			out = append(out, pair{decodeForm(name), decodeForm(v)})
		}
	}
	return out
}

func decodeForm(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	var b []byte
	for i := 0; i < len(s); i++ {
		switch c, ok := escapedByte(s[i:]); {
		case ok:
			b = append(b, c)
			i += 2
		case s[i] == '+':
			b = append(b, ' ')
		default:
			b = append(b, s[i])
		}
	}
	text, _ := (&textDecoder{ignoreBOM: true}).decode(nil, b, false)
	return text
}

var formKeep = byteSet(alphanumeric + "*-._")

// encodeQuery is the application/x-www-form-urlencoded serialiser (URL 5.2).
func encodeQuery(list []pair) string {
	var b strings.Builder
	write := func(s string) {
		for i := range len(s) {
			switch c := s[i]; {
			case formKeep[c]:
				b.WriteByte(c)
			case c == ' ':
				b.WriteByte('+')
			default:
				b.WriteByte('%')
				b.WriteByte(upperHex[c>>4])
				b.WriteByte(upperHex[c&15])
			}
		}
	}
	for i, e := range list {
		if i > 0 {
			b.WriteByte('&')
		}
		write(e.name)
		b.WriteByte('=')
		write(e.value)
	}
	return b.String()
}

// changed writes the pairs back into the URL.
func (p *searchParams) changed(r *realm) val {
	if !r.Step(1 + len(p.list)/16) {
		return value.Throw
	}
	if p.url != nil {
		p.url.u.SetSearch(p.Text())
	}
	return value.Undefined
}

// webText converts an argument to a well-formed string; false if it threw.
func webText(r *realm, v val) (string, bool) {
	s := wellFormed(r, v)
	if s == nil {
		return "", false
	}
	return s.String(), true
}

func searchParamsNew(r *realm, args []val, newTarget *object) val {
	proto := r.PrototypeFromConstructor(newTarget, value.URLSearchParamsPrototype)
	if proto == nil {
		return value.Throw
	}
	p := &searchParams{}
	init := arg(args, 0)
	switch o := init.Object(); {
	case init.IsUndefined():
	case o != nil:
		list, ok := pairsOf(r, init, func(v val) (string, bool) { return webText(r, v) })
		if !ok {
			return value.Throw
		}
		p.list = list
	default:
		s, ok := webText(r, init)
		if !ok || !r.Step(1+len(s)>>6) || !r.Allot(64*strings.Count(s, "&")) {
			return value.Throw
		}
		p.list = parseQuery(strings.TrimPrefix(s, "?"))
	}
	r.Charge(64 * len(p.list))
	return r.NewClass(value.ClassURLSearchParams, proto, p).Value()
}

// pairsOf reads a list of pairs, or the members of an object (WebIDL sequence<sequence> or record).
func pairsOf(r *realm, v val, text func(val) (string, bool)) ([]pair, bool) {
	var out []pair
	m := r.GetMethod(v, value.SymbolKey(value.SymIterator))
	if m.IsThrow() {
		return nil, false
	}
	if !m.IsUndefined() {
		ok := r.Iterate(v, func(item val) bool {
			if !item.IsObject() {
				r.ThrowTypeError("each entry must be a [name, value] pair, got %s", r.Describe(item))
				return false
			}
			e, ok := r.IterateToList(item)
			if !ok {
				return false
			}
			if len(e) != 2 {
				r.ThrowTypeError("each entry must be a [name, value] pair, got one of length %d", len(e))
				return false
			}
			n, ok := text(e[0])
			if !ok {
				return false
			}
			x, ok := text(e[1])
			out = append(out, pair{n, x})
			return ok
		})
		return out, ok
	}
	o := v.Object()
	keys, ok := r.OwnKeys(o)
	if !ok {
		return nil, false
	}
	for _, k := range keys {
		d, has := r.GetOwn(o, k)
		if !has || d.Attr&value.Enumerable == 0 {
			continue
		}
		n, ok := text(k.Value())
		if !ok {
			return nil, false
		}
		x := r.Get(o, k)
		if x.IsThrow() || !r.Step(1) {
			return nil, false
		}
		t, ok := text(x)
		if !ok {
			return nil, false
		}
		out = append(out, pair{n, t})
	}
	return out, true
}

// texts converts the given arguments, up to n; false if it threw.
func texts(r *realm, args []val, n int) ([]string, bool) {
	var out []string
	for i := range min(n, len(args)) {
		if i > 0 && args[i].IsUndefined() && n > 1 && i == n-1 {
			break
		}
		s, ok := webText(r, args[i])
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// twoTexts converts two required arguments.
func twoTexts(r *realm, args []val) (name, v string, ok bool) {
	if name, ok = webText(r, args[0]); !ok {
		return "", "", false
	}
	v, ok = webText(r, args[1])
	return name, v, ok
}

func paramsAppend(r *realm, p *searchParams, _ val, args []val) val {
	n, v, ok := twoTexts(r, args)
	if !ok {
		return value.Throw
	}
	r.Charge(64 + len(n) + len(v))
	p.list = append(p.list, pair{n, v})
	return p.changed(r)
}

func matches(e pair, t []string) bool { return e.name == t[0] && (len(t) < 2 || e.value == t[1]) }

func paramsDelete(r *realm, p *searchParams, _ val, args []val) val {
	t, ok := texts(r, args, 2)
	if !ok {
		return value.Throw
	}
	var kept []pair
	for _, e := range p.list {
		if !matches(e, t) {
			kept = append(kept, e)
		}
	}
	p.list = kept
	return p.changed(r)
}

func paramsHas(r *realm, p *searchParams, _ val, args []val) val {
	t, ok := texts(r, args, 2)
	if !ok {
		return value.Throw
	}
	for _, e := range p.list {
		if matches(e, t) {
			return value.True
		}
	}
	return value.False
}

func paramsGet(r *realm, p *searchParams, _ val, args []val) val {
	n, ok := webText(r, args[0])
	if !ok {
		return value.Throw
	}
	for _, e := range p.list {
		if e.name == n {
			return newText(r, value.NewStr(e.value))
		}
	}
	return value.Null
}

func paramsGetAll(r *realm, p *searchParams, _ val, args []val) val {
	n, ok := webText(r, args[0])
	if !ok {
		return value.Throw
	}
	var out []val
	for _, e := range p.list {
		if e.name == n {
			out = append(out, newText(r, value.NewStr(e.value)))
		}
	}
	return r.NewArray(out).Value()
}

func paramsSet(r *realm, p *searchParams, _ val, args []val) val {
	n, v, ok := twoTexts(r, args)
	if !ok {
		return value.Throw
	}
	var kept []pair
	found := false
	for _, e := range p.list {
		switch {
		case e.name != n:
			kept = append(kept, e)
		case !found:
			found = true
			kept = append(kept, pair{n, v})
		}
	}
	if !found {
		kept = append(kept, pair{n, v})
	}
	r.Charge(64 + len(n) + len(v))
	p.list = kept
	return p.changed(r)
}

func paramsSort(r *realm, p *searchParams, _ val, _ []val) val {
	sort.SliceStable(p.list, func(i, j int) bool {
		return value.NewStr(p.list[i].name).Compare(value.NewStr(p.list[j].name)) < 0
	})
	return p.changed(r)
}

func paramsToString(r *realm, p *searchParams, _ val, _ []val) val {
	if !r.Step(1 + len(p.list)) {
		return value.Throw
	}
	return newText(r, value.ASCII(p.Text()))
}

func paramsSize(r *realm, this val, _ []val) val {
	p, ok := extOf[*searchParams](this)
	if !ok {
		return incompatible(r, "URLSearchParams.prototype.size", this)
	}
	return value.Int(len(p.list))
}

func paramsForEach(r *realm, p *searchParams, this val, args []val) val {
	return eachPair(r, p, this, args)
}

func paramsIterate(kind iterationKind) func(r *realm, p *searchParams, this val, args []val) val {
	return func(r *realm, p *searchParams, _ val, _ []val) val {
		return r.NewClass(value.ClassIterator, r.Intrinsic(value.URLSearchParamsIteratorPrototype), &pairIterator{of: p, kind: kind}).Value()
	}
}

func (p *searchParams) pairs() []pair { return p.list }

// pairSource is what URLSearchParams and Headers iterate over, live.
type pairSource interface{ pairs() []pair }

// pairIterator is the Ext of their iterators.
type pairIterator struct {
	of   pairSource
	at   int
	kind iterationKind
}

func pairIteratorTemplate(id value.ID, tag string) *value.Template {
	return &value.Template{ID: id, Proto: value.IteratorPrototype, Rows: []row{
		{Name: "next", Length: 0, Fn: pairNext, Attr: value.AttrDefault},
		tagRow(tag),
	}}
}

func pairNext(r *realm, this val, _ []val) val {
	it, ok := extOf[*pairIterator](this)
	if !ok {
		return incompatible(r, "next", this)
	}
	list := it.of.pairs()
	if it.at >= len(list) {
		return r.IterResult(value.Undefined, true)
	}
	e := list[it.at]
	it.at++
	name, v := newText(r, value.NewStr(e.name)), newText(r, value.NewStr(e.value))
	switch it.kind {
	case iterateKeys:
		return r.IterResult(name, false)
	case iterateValues:
		return r.IterResult(v, false)
	}
	return r.IterResult(r.NewArrayOf(name, v).Value(), false)
}

func eachPair(r *realm, of pairSource, this val, args []val) val {
	fn, thisArg, ok := callback(r, args)
	if !ok {
		return value.Throw
	}
	for i := 0; i < len(of.pairs()); i++ {
		e := of.pairs()[i]
		if r.Call(fn, thisArg, newText(r, value.NewStr(e.value)), newText(r, value.NewStr(e.name)), this).IsThrow() {
			return value.Throw
		}
	}
	return value.Undefined
}

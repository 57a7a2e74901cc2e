package builtin

// This file defines URLSearchParams (WHATWG URL 5, 6.2).

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

type pair struct{ name, value string }

const pairSize = 64 // of a pair in a list, without its texts

// searchParams is the Ext of URLSearchParams objects.
type searchParams struct {
	list []pair
	url  *urlData // whose query they are; nil if they stand alone
}

// Text is the query string; false if it threw.
func (p *searchParams) Text(r *value.Realm) (string, bool) { return encodeQuery(r, p.list) }

// Size is the number of pairs.
func (p *searchParams) Size() int { return len(p.list) }

// Inspect prints the pairs.
func (p *searchParams) Inspect(_ *value.Realm, part func(value.Value) string) Shown {
	return Shown{Parts: shownPairs(p.list, func(e pair) string { return part(str(clipText(e.name))) + " => " + part(str(clipText(e.value))) })}
}

// shownPairs prints the first pairs of a list.
func shownPairs(list []pair, show func(pair) string) (parts []string) {
	for i, e := range list {
		if i == inspectItems {
			return append(parts, moreItems(len(list)-i))
		}
		parts = append(parts, show(e))
	}
	return parts
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

// encodeQuery is the application/x-www-form-urlencoded serialiser (URL 5.2); false if it threw.
func encodeQuery(r *realm, list []pair) (text string, ok bool) {
	var t textBuilder
	defer t.release(r)
	write := func(s string) bool {
		return eachSpan(r, len(s), func(from, to int) bool {
			t.b = appendForm(t.b, s[from:to])
			return t.bounded(r)
		})
	}
	for i, e := range list {
		if i > 0 {
			t.b = append(t.b, '&')
		}
		if !write(e.name) {
			return "", false
		}
		t.b = append(t.b, '=')
		if !write(e.value) {
			return "", false
		}
	}
	return value.TakeASCII(t.b).ASCII(), true
}

func appendForm(b []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; {
		case formKeep[c]:
			b = append(b, c)
		case c == ' ':
			b = append(b, '+')
		default:
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return b
}

// changed writes the pairs back into the URL.
func (p *searchParams) changed(r *realm) val {
	if !r.Step(1 + len(p.list)/16) {
		return value.Throw
	}
	if p.url != nil {
		text, ok := encodeQuery(r, p.list)
		if !ok {
			return value.Throw
		}
		if len(text) > maxURL {
			return r.ThrowTypeError("URL.searchParams: the text is too long")
		}
		p.url.u.SetSearch(text)
	}
	return value.Undefined
}

// webText converts an argument to a well-formed string; false if it threw.
func webText(r *realm, v val) (string, bool) {
	s := wellFormed(r, v)
	if s == nil {
		return "", false
	}
	return ownText(r, s)
}

// ownText is a string as text that is kept: of a wide one a copy, which counts; false ends the execution.
func ownText(r *realm, s *value.Str) (string, bool) {
	if !s.IsASCII() && !r.Take(3*s.Len()) || !r.Step(1+s.Len()>>10) {
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
	r.Charge(pairSize * len(p.list))
	return r.NewClass(value.ClassURLSearchParams, proto, p).Value()
}

// pairsOf reads a list of pairs, or the members of an object (WebIDL sequence<sequence> or record).
func pairsOf(r *realm, v val, text func(val) (string, bool)) ([]pair, bool) {
	var out []pair
	held := 0
	defer func() { r.Hold(-held) }()
	add := func(name, text string) {
		n := pairSize + len(name) + len(text)
		r.Hold(n)
		held += n
		out = append(out, pair{name, text})
	}
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
			add(n, x)
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
		add(n, t)
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
	r.Charge(pairSize + len(n) + len(v))
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
	r.Charge(pairSize + len(n) + len(v))
	p.list = kept
	return p.changed(r)
}

func paramsSort(r *realm, p *searchParams, _ val, _ []val) val {
	ended := false
	slices.SortStableFunc(p.list, func(a, b pair) int {
		if ended = ended || !r.Step(1+(len(a.name)+len(b.name))>>8); ended {
			return 0
		}
		if isASCII([]byte(a.name)) && isASCII([]byte(b.name)) {
			return strings.Compare(a.name, b.name)
		}
		return value.NewStr(a.name).Compare(value.NewStr(b.name))
	})
	if ended {
		return value.Throw
	}
	return p.changed(r)
}

func paramsToString(r *realm, p *searchParams, _ val, _ []val) val {
	if !r.Step(1 + len(p.list)) {
		return value.Throw
	}
	text, ok := encodeQuery(r, p.list)
	if !ok {
		return value.Throw
	}
	return newText(r, value.ASCII(text))
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

func (p *searchParams) pairs(*realm) []pair { return p.list }

// pairSource is what URLSearchParams and Headers iterate over, live.
type pairSource interface{ pairs(r *realm) []pair }

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
	list := it.of.pairs(r)
	if !r.Step(1) {
		return value.Throw
	}
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
	for i := 0; ; i++ {
		list := of.pairs(r)
		if !r.Step(1) {
			return value.Throw
		}
		if i >= len(list) {
			return value.Undefined
		}
		e := list[i]
		if r.Call(fn, thisArg, newText(r, value.NewStr(e.value)), newText(r, value.NewStr(e.name)), this).IsThrow() {
			return value.Throw
		}
	}
}

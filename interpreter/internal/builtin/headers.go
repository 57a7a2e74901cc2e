package builtin

// This file defines Headers (WHATWG Fetch 5.1).

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// headers is the Ext of Headers objects: names in lower case, in order of insertion.
type headers struct {
	list   []pair
	sorted []pair // as iteration shows them; nil after a change
}

// Size is the number of headers.
func (h *headers) Size() int { return len(h.list) }

// Entries lists the headers as iteration shows them.
func (h *headers) Entries() [][2]string {
	var out [][2]string
	for _, e := range h.pairs(nil) {
		out = append(out, [2]string{e.name, e.value})
	}
	return out
}

// Inspect prints the headers.
func (h *headers) Inspect(r *value.Realm, part func(value.Value) string) Shown {
	return Shown{Parts: shownPairs(h.pairs(r), func(e pair) string { return keyLabel(value.StringKey(e.name)) + ": " + part(str(clipText(e.value))) })}
}

// pairs is "sort and combine": by name, the values of a name joined, set-cookie kept apart. The time and the memory that it takes
// count; a nil realm is for whoever has counted them.
func (h *headers) pairs(r *realm) []pair {
	if h.sorted != nil {
		return h.sorted
	}
	var out []pair
	at := map[string]int{}     // where a name is in out
	more := map[int][]string{} // all values of those that have several
	for _, e := range h.list {
		i, known := at[e.name]
		if !known || e.name == "set-cookie" {
			at[e.name] = len(out)
			out = append(out, e)
			continue
		}
		if more[i] == nil {
			more[i] = []string{out[i].value}
		}
		more[i] = append(more[i], e.value)
	}
	joined := 0
	for _, vs := range more {
		for _, v := range vs {
			joined += len(v) + 2
		}
	}
	if r != nil && !r.Allot(joined) {
		return nil
	}
	for i, vs := range more {
		out[i].value = strings.Join(vs, ", ")
	}
	slices.SortStableFunc(out, func(a, b pair) int { return strings.Compare(a.name, b.name) })
	if r != nil {
		r.Owe(len(h.list))
		r.Charge(pairBytes(out))
	}
	h.sorted = out
	return out
}

func headersTemplates() []*value.Template {
	method := func(name string, length int, fn func(r *realm, h *headers, this val, args []val) val, sig string) row {
		return row{Name: name, Length: length, Attr: value.AttrDefault, Sig: sig, Fn: func(r *realm, this val, args []val) val {
			h, ok := extOf[*headers](this)
			if !ok {
				return incompatible(r, "Headers.prototype."+name, this)
			}
			if len(args) < length {
				return r.ThrowTypeError("Headers.%s: %d arguments required, but only %d present", name, length, len(args))
			}
			return fn(r, h, this, args)
		}}
	}
	iterate := func(kind iterationKind) func(r *realm, h *headers, this val, args []val) val {
		return func(r *realm, h *headers, _ val, _ []val) val {
			return r.NewClass(value.ClassIterator, r.Intrinsic(value.HeadersIteratorPrototype), &pairIterator{of: h, kind: kind}).Value()
		}
	}
	return []*value.Template{
		{ID: value.HeadersConstructor, Global: "Headers", Proto: value.FunctionPrototype, Name: "Headers", Length: 0, New: headersNew, Rows: []row{
			{Name: "prototype", Ref: value.HeadersPrototype, Attr: value.NoAttr},
		}},
		{ID: value.HeadersPrototype, Proto: value.ObjectPrototype, Rows: []row{
			{Name: "constructor", Ref: value.HeadersConstructor},
			method("append", 2, headersAppend, "(name: string, value: string): void"),
			method("delete", 1, headersDelete, "(name: string): void"),
			method("entries", 0, iterate(iterateEntries), "(): Iterator<[string, string]>"),
			method("forEach", 1, func(r *realm, h *headers, this val, args []val) val { return eachPair(r, h, this, args) }, "(visit: (value: string, name: string) => void): void"),
			method("get", 1, headersGet, "(name: string): string | null"),
			method("getSetCookie", 0, headersGetSetCookie, "(): string[]"),
			method("has", 1, headersHas, "(name: string): boolean"),
			method("keys", 0, iterate(iterateKeys), "(): Iterator<string>"),
			method("set", 2, headersSet, "(name: string, value: string): void"),
			method("values", 0, iterate(iterateValues), "(): Iterator<string>"),
			{Name: "@@iterator", Alias: "entries"},
			tagRow("Headers"),
		}},
		pairIteratorTemplate(value.HeadersIteratorPrototype, "Headers Iterator"),
	}
}

func headersNew(r *realm, args []val, newTarget *object) val {
	proto := r.PrototypeFromConstructor(newTarget, value.HeadersPrototype)
	if proto == nil {
		return value.Throw
	}
	h := &headers{}
	init := arg(args, 0)
	if !init.IsUndefined() {
		if !init.IsObject() {
			return r.ThrowTypeError("Headers: the argument must be an object or a list of pairs, got %s", r.Describe(init))
		}
		list, ok := pairsOf(r, init, func(v val) (string, bool) { return byteText(r, v) })
		if !ok {
			return value.Throw
		}
		for _, e := range list {
			name, v, ok := checkHeader(r, e.name, e.value)
			if !ok {
				return value.Throw
			}
			h.list = append(h.list, pair{name, v})
		}
	}
	r.Charge(pairSize * len(h.list))
	return r.NewClass(value.ClassHeaders, proto, h).Value()
}

// byteText converts to a string of characters up to U+00FF (WebIDL ByteString); false if it threw.
func byteText(r *realm, v val) (string, bool) {
	s := r.ToString(v)
	if s == nil {
		return "", false
	}
	if !s.IsASCII() {
		for _, c := range s.Units() {
			if c > 0xFF {
				r.ThrowTypeError("Headers: %s has characters beyond U+00FF", r.Describe(s.Value()))
				return "", false
			}
		}
	}
	return ownText(r, s)
}

const headerTokenSigns = "!#$%&'*+-.^_`|~"

// checkHeader normalises a header; false if it threw.
func checkHeader(r *realm, name, v string) (string, string, bool) {
	name, ok := headerName(r, name)
	if !ok {
		return "", "", false
	}
	v = strings.Trim(v, "\t\n\r ")
	if strings.ContainsAny(v, "\x00\n\r") {
		r.ThrowTypeError("Headers: the value of %q has a line break or NUL", name)
		return "", "", false
	}
	return name, v, true
}

func headerName(r *realm, name string) (string, bool) {
	valid := name != ""
	for _, c := range []byte(name) {
		valid = valid && (isLetter(c) || isDigit(c) || strings.IndexByte(headerTokenSigns, c) >= 0)
	}
	if !valid {
		r.ThrowTypeError("Headers: %s is an invalid header name", r.Describe(str(name)))
	}
	return strings.ToLower(name), valid
}

// headerArgs converts name and value.
func headerArgs(r *realm, args []val) (name, v string, ok bool) {
	if name, ok = byteText(r, args[0]); !ok {
		return "", "", false
	}
	if v, ok = byteText(r, args[1]); !ok {
		return "", "", false
	}
	return checkHeader(r, name, v)
}

func nameArg(r *realm, args []val) (string, bool) {
	name, ok := byteText(r, args[0])
	if !ok {
		return "", false
	}
	return headerName(r, name)
}

func headersAppend(r *realm, h *headers, _ val, args []val) val {
	name, v, ok := headerArgs(r, args)
	if !ok {
		return value.Throw
	}
	r.Charge(pairSize + len(name) + len(v))
	h.list, h.sorted = append(h.list, pair{name, v}), nil
	return value.Undefined
}

func (h *headers) remove(name string) {
	h.sorted = nil
	h.list = slices.DeleteFunc(h.list, func(e pair) bool { return e.name == name })
}

func headersSet(r *realm, h *headers, _ val, args []val) val {
	name, v, ok := headerArgs(r, args)
	if !ok {
		return value.Throw
	}
	if i := slices.IndexFunc(h.list, func(e pair) bool { return e.name == name }); i >= 0 {
		rest := h.list[i+1:]
		h.sorted = nil
		h.list = append(h.list[:i:i], pair{name, v})
		for _, e := range rest {
			if e.name != name {
				h.list = append(h.list, e)
			}
		}
		return value.Undefined
	}
	r.Charge(pairSize + len(name) + len(v))
	h.list, h.sorted = append(h.list, pair{name, v}), nil
	return value.Undefined
}

func headersDelete(r *realm, h *headers, _ val, args []val) val {
	name, ok := nameArg(r, args)
	if !ok {
		return value.Throw
	}
	h.remove(name)
	return value.Undefined
}

func headersGet(r *realm, h *headers, _ val, args []val) val {
	name, ok := nameArg(r, args)
	if !ok {
		return value.Throw
	}
	var vs []string
	size := 0
	for _, e := range h.list {
		if e.name == name {
			vs = append(vs, e.value)
			size += len(e.value) + 2
		}
	}
	switch {
	case vs == nil:
		return value.Null
	case size > value.MaxStringLength+2:
		return tooLong(r)
	case !r.Step(1+size>>10) || !r.Allot(size):
		return value.Throw
	}
	return newText(r, value.NewStr(strings.Join(vs, ", ")))
}

func headersHas(r *realm, h *headers, _ val, args []val) val {
	name, ok := nameArg(r, args)
	if !ok {
		return value.Throw
	}
	return value.Bool(slices.ContainsFunc(h.list, func(e pair) bool { return e.name == name }))
}

func headersGetSetCookie(r *realm, h *headers, _ val, _ []val) val {
	var out []val
	for _, e := range h.list {
		if e.name == "set-cookie" {
			out = append(out, newText(r, value.NewStr(e.value)))
		}
	}
	return r.NewArray(out).Value()
}

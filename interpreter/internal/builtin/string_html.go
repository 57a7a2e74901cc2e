package builtin

// This file defines the HTML methods of String.prototype (ECMA-262 B.2.2.2).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func stringHTMLRows() []row {
	var rows []row
	for _, m := range []struct{ name, tag, attribute string }{
		{"anchor", "a", "name"}, {"big", "big", ""}, {"blink", "blink", ""}, {"bold", "b", ""}, {"fixed", "tt", ""},
		{"fontcolor", "font", "color"}, {"fontsize", "font", "size"}, {"italics", "i", ""}, {"link", "a", "href"},
		{"small", "small", ""}, {"strike", "strike", ""}, {"sub", "sub", ""}, {"sup", "sup", ""},
	} {
		w := row{Name: m.name, Fn: stringHTML(m.name, m.tag, m.attribute), Sig: "(): string"}
		if m.attribute != "" {
			w.Length, w.Sig = 1, "("+m.attribute+": string): string"
		}
		rows = append(rows, w)
	}
	return rows
}

// stringHTML is CreateHTML (B.2.2.2.1).
func stringHTML(method, tag, attribute string) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		s := thisText(r, this, method)
		if s == nil {
			return value.Throw
		}
		var b textBuilder
		defer b.release(r)
		b.addASCII("<" + tag)
		if attribute != "" {
			v := r.ToString(arg(args, 0))
			if v == nil {
				return value.Throw
			}
			b.addASCII(" " + attribute + `="`)
			if !r.Allot(2 * v.Len()) {
				return value.Throw
			}
			for i := range v.Len() {
				if i%textPart == textPart-1 && (!b.bounded(r) || !r.Step(partFuel)) {
					return value.Throw
				}
				if c := v.At(i); c == '"' {
					b.addASCII("&quot;")
				} else {
					b.addUnit(c)
				}
			}
			b.addASCII(`"`)
		}
		b.addASCII(">")
		if !r.Allot(s.Len()) {
			return value.Throw
		}
		b.addStr(s)
		b.addASCII("</" + tag + ">")
		return b.value(r)
	}
}

package builtin

// This file defines TextEncoder and TextDecoder (WHATWG Encoding 8) for UTF-8.

import (
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func encodingTemplates() []*value.Template {
	return []*value.Template{
		{ID: value.TextEncoderConstructor, Global: "TextEncoder", Proto: value.FunctionPrototype, Name: "TextEncoder", Length: 0, New: textEncoderNew, Rows: []row{
			{Name: "prototype", Ref: value.TextEncoderPrototype, Attr: value.NoAttr},
		}},
		{ID: value.TextEncoderPrototype, Proto: value.ObjectPrototype, Rows: []row{
			{Name: "constructor", Ref: value.TextEncoderConstructor},
			{Name: "encode", Length: 0, Fn: textEncode, Sig: "(text?: string): Uint8Array"},
			{Name: "encodeInto", Length: 2, Fn: textEncodeInto, Sig: "(text: string, target: Uint8Array): { read: number; written: number }"},
			{Name: "encoding", Get: func(*realm, val, []val) val { return str("utf-8") }, Sig: "string"},
			tagRow("TextEncoder"),
		}},
		{ID: value.TextDecoderConstructor, Global: "TextDecoder", Proto: value.FunctionPrototype, Name: "TextDecoder", Length: 0, New: textDecoderNew, Rows: []row{
			{Name: "prototype", Ref: value.TextDecoderPrototype, Attr: value.NoAttr},
		}},
		{ID: value.TextDecoderPrototype, Proto: value.ObjectPrototype, Rows: []row{
			{Name: "constructor", Ref: value.TextDecoderConstructor},
			{Name: "decode", Length: 0, Fn: textDecode, Sig: "(bytes?: Uint8Array, options?: { stream?: boolean }): string"},
			{Name: "encoding", Get: func(*realm, val, []val) val { return str("utf-8") }, Sig: "string"},
			{Name: "fatal", Get: decoderFlag(func(d *textDecoder) bool { return d.fatal }), Sig: "boolean"},
			{Name: "ignoreBOM", Get: decoderFlag(func(d *textDecoder) bool { return d.ignoreBOM }), Sig: "boolean"},
			tagRow("TextDecoder"),
		}},
	}
}

func textEncoderNew(r *realm, _ []val, newTarget *object) val {
	proto := r.PrototypeFromConstructor(newTarget, value.TextEncoderPrototype)
	if proto == nil {
		return value.Throw
	}
	return r.NewClass(value.ClassTextEncoder, proto, nil).Value()
}

// wellFormed converts to a string without lone surrogates (WebIDL USVString); nil if it threw.
func wellFormed(r *realm, v val) *value.Str {
	s := r.ToString(v)
	if s == nil || firstLone(s) < 0 {
		return s
	}
	return stringToWellFormed(r, s.Value(), nil).Str()
}

func textEncode(r *realm, _ val, args []val) val {
	if arg(args, 0).IsUndefined() {
		return newBytes(r, nil)
	}
	s := wellFormed(r, args[0])
	if s == nil || !r.Step(1+s.Len()>>8) {
		return value.Throw
	}
	if s.IsASCII() {
		if !r.Allot(s.Len()) {
			return value.Throw
		}
		return newBytes(r, []byte(s.ASCII()))
	}
	if !r.Allot(3 * s.Len()) {
		return value.Throw
	}
	var b []byte
	ok := eachPart(r, s, func(text string) bool { b = append(b, text...); return true })
	return completed(newBytes(r, b), ok)
}

func textEncodeInto(r *realm, _ val, args []val) val {
	s := wellFormed(r, arg(args, 0))
	if s == nil || !r.Step(1+s.Len()>>8) {
		return value.Throw
	}
	x, ok := extOf[*bytes](arg(args, 1))
	if !ok {
		return r.ThrowTypeError("TextEncoder.encodeInto: the target must be a Uint8Array, got %s", r.Describe(arg(args, 1)))
	}
	read, written := 0, 0
	for i, c := range s.String() {
		if i&0xFFFF == 0xFFFF && !r.Step(partFuel) {
			return value.Throw
		}
		n := utf8.RuneLen(c)
		if written+n > len(x.b) {
			break
		}
		written += utf8.EncodeRune(x.b[written:], c)
		if read++; c > 0xFFFF {
			read++
		}
	}
	o := r.NewPlain(2)
	r.InitProperty(o, value.Name("read"), value.Int(read))
	r.InitProperty(o, value.Name("written"), value.Int(written))
	return o.Value()
}

// textDecoder is the Ext of decoders.
type textDecoder struct {
	fatal, ignoreBOM bool
	pending          []byte // an incomplete character at the end of a streamed part
	started          bool   // the byte order mark was looked for
}

func textDecoderNew(r *realm, args []val, newTarget *object) val {
	proto := r.PrototypeFromConstructor(newTarget, value.TextDecoderPrototype)
	if proto == nil {
		return value.Throw
	}
	if l := arg(args, 0); !l.IsUndefined() {
		label := r.ToString(l)
		if label == nil {
			return value.Throw
		}
		switch strings.ToLower(strings.Trim(label.String(), "\t\n\f\r ")) {
		case "utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8":
		default:
			return r.ThrowError(value.RangeError, "The encoding '%s' is not supported: only utf-8 is", clip(label.String(), 40))
		}
	}
	p, ok := readOptions(r, arg(args, 1))
	if !ok {
		return value.Throw
	}
	d := &textDecoder{fatal: p.boolean("fatal", false), ignoreBOM: p.boolean("ignoreBOM", false)}
	if p.threw {
		return value.Throw
	}
	return r.NewClass(value.ClassTextDecoder, proto, d).Value()
}

func decoderFlag(flag func(*textDecoder) bool) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		d, ok := extOf[*textDecoder](this)
		if !ok {
			return incompatible(r, "TextDecoder", this)
		}
		return value.Bool(flag(d))
	}
}

func textDecode(r *realm, this val, args []val) val {
	d, ok := extOf[*textDecoder](this)
	if !ok {
		return incompatible(r, "TextDecoder.prototype.decode", this)
	}
	var in []byte
	if v := arg(args, 0); !v.IsUndefined() {
		x, ok := extOf[*bytes](v)
		if !ok {
			return r.ThrowTypeError("TextDecoder.decode: the input must be a Uint8Array, got %s", r.Describe(v))
		}
		in = x.b
	}
	p, ok := readOptions(r, arg(args, 1))
	if !ok {
		return value.Throw
	}
	stream := p.boolean("stream", false)
	if p.threw || !r.Step(1+len(in)>>8) {
		return value.Throw
	}
	if !r.Allot(4 * len(in)) { // the text while it is made
		return value.Throw
	}
	text, ok := d.decode(r, in, stream)
	if !ok && r.Terminated {
		return value.Throw
	}
	if !ok {
		return r.ThrowTypeError("The encoded data was not valid for encoding utf-8")
	}
	return newText(r, value.NewStr(text))
}

// decode decodes one part; ok is false for an error in fatal mode, or if the
// execution ends. A nil realm is for short texts.
func (d *textDecoder) decode(r *realm, in []byte, stream bool) (string, bool) {
	b := append(d.pending, in...)
	d.pending = nil
	var out strings.Builder
	for fuel := 0; len(b) > 0; fuel++ {
		if r != nil && fuel&0x3FFF == 0x3FFF && !r.Step(partFuel/4) {
			return "", false
		}
		c, n := utf8.DecodeRune(b)
		if c == utf8.RuneError && n == 1 {
			if stream && !utf8.FullRune(b) {
				d.pending = append([]byte(nil), b...)
				break
			}
			if d.fatal {
				d.started = false
				return "", false
			}
			n = maximalSubpart(b)
		}
		if c != 0xFEFF || d.started || d.ignoreBOM {
			out.WriteRune(c)
		}
		d.started = true
		b = b[n:]
	}
	if !stream {
		d.started = false
	}
	return out.String(), true
}

// maximalSubpart is how many bytes of an ill-formed sequence one U+FFFD stands for.
func maximalSubpart(b []byte) int {
	c := b[0]
	need, lo, hi := 0, byte(0x80), byte(0xBF)
	switch {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			lo = 0xA0
		} else if c == 0xED {
			hi = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			lo = 0x90
		} else if c == 0xF4 {
			hi = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= lo && b[n] <= hi {
		lo, hi = 0x80, 0xBF
		n++
	}
	return n
}

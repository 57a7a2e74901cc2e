package builtin

// This file defines the base64 and hex methods of Uint8Array (ECMA-262, Uint8Array to and from base64).

import (
	"encoding/base64"
	hexcodec "encoding/hex"
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// alphabet reads the option of that name; false if it threw.
func alphabet(r *realm, v val) (url, ok bool, o *object) {
	if v.IsUndefined() {
		return false, true, nil
	}
	if o = v.Object(); o == nil {
		r.ThrowTypeError("options must be an object, got %s", r.Describe(v))
		return false, false, nil
	}
	a := r.Get(o, value.Name("alphabet"))
	switch s := a.Str(); {
	case a.IsThrow():
		return false, false, nil
	case a.IsUndefined(), s != nil && s.String() == "base64":
		return false, true, o
	case s != nil && s.String() == "base64url":
		return true, true, o
	}
	r.ThrowTypeError("alphabet must be 'base64' or 'base64url', got %s", r.Describe(a))
	return false, false, nil
}

func bytesToBase64(r *realm, this val, args []val) val {
	x := thisBytes(r, this)
	if x == nil {
		return value.Throw
	}
	url, ok, o := alphabet(r, arg(args, 0))
	if !ok {
		return value.Throw
	}
	enc := base64.StdEncoding
	if url {
		enc = base64.URLEncoding
	}
	if o != nil {
		omit := r.Get(o, value.Name("omitPadding"))
		if omit.IsThrow() {
			return omit
		}
		if value.ToBoolean(omit) {
			enc = enc.WithPadding(base64.NoPadding)
		}
	}
	if !r.Step(1 + len(x.b)>>10) {
		return value.Throw
	}
	return encodeBase64(r, enc, len(x.b), func(from, to int) []byte { return x.b[from:to] })
}

func bytesToHex(r *realm, this val, _ []val) val {
	x := thisBytes(r, this)
	if x == nil || !r.Step(1+len(x.b)>>10) {
		return value.Throw
	}
	if 2*len(x.b) > value.MaxStringLength {
		return tooLong(r)
	}
	return buildText(r, 2*len(x.b), len(x.b), func(b []byte, from, to int) []byte { return hexcodec.AppendEncode(b, x.b[from:to]) })
}

func bytesFromHex(r *realm, _ val, args []val) val {
	s := arg(args, 0).Str()
	if s == nil {
		return r.ThrowTypeError("Uint8Array.fromHex: %s is not a string", r.Describe(arg(args, 0)))
	}
	if !r.Allot(s.Len()) || !r.Step(1+s.Len()>>10) {
		return value.Throw
	}
	b, err := hexcodec.DecodeString(s.String())
	if err != nil {
		return r.ThrowError(value.SyntaxError, "Uint8Array.fromHex: the text must be pairs of hex digits")
	}
	return newBytes(r, b)
}

func bytesFromBase64(r *realm, _ val, args []val) val {
	s := arg(args, 0).Str()
	if s == nil {
		return r.ThrowTypeError("Uint8Array.fromBase64: %s is not a string", r.Describe(arg(args, 0)))
	}
	url, ok, o := alphabet(r, arg(args, 1))
	if !ok {
		return value.Throw
	}
	last := "loose"
	if o != nil {
		opt := options{r: r, o: o}
		v := opt.get("lastChunkHandling")
		if l := v.Str(); l != nil {
			last = l.String()
		} else if !opt.threw && !v.IsUndefined() {
			last = ""
		}
		if opt.threw {
			return value.Throw
		}
		if last != "loose" && last != "strict" && last != "stop-before-partial" {
			return r.ThrowTypeError("lastChunkHandling must be 'loose', 'strict' or 'stop-before-partial'")
		}
	}
	if !r.Allot(2*s.Len()) || !r.Step(1+s.Len()>>10) {
		return value.Throw
	}
	b, ok := decodeBase64(r, s, url, last)
	if r.Terminated {
		return value.Throw
	}
	if !ok {
		return r.ThrowError(value.SyntaxError, "Uint8Array.fromBase64: the text is not correctly encoded base64")
	}
	return newBytes(r, b)
}

// decodeBase64 is FromBase64 with what happens to an incomplete last group of four.
func decodeBase64(r *realm, text *value.Str, url bool, last string) ([]byte, bool) {
	s, ok := withoutSpace(r, text)
	if !ok {
		return nil, false
	}
	enc := base64.RawStdEncoding
	if url {
		enc = base64.RawURLEncoding
	}
	body := strings.TrimRight(s, "=")
	pad := len(s) - len(body)
	rest := len(body) % 4
	switch {
	case pad > 2 || pad > 0 && (rest < 2 || rest+pad > 4):
		return nil, false
	case pad > 0 && rest+pad < 4:
		if last != "stop-before-partial" {
			return nil, false
		}
		body = body[:len(body)-rest]
	case pad == 0 && rest > 0:
		switch {
		case last == "stop-before-partial":
			body = body[:len(body)-rest]
		case last == "strict" || rest == 1:
			return nil, false
		}
	}
	if last == "strict" {
		enc = enc.Strict()
	}
	return decodeParts(r, enc, body)
}

package builtin

// This file defines crypto (Web Cryptography 10): random values.

import (
	"crypto/rand"
	hexcodec "encoding/hex"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func cryptoTemplates() []*value.Template {
	return []*value.Template{{ID: value.CryptoNamespace, Global: "crypto", Proto: value.ObjectPrototype, Class: value.ClassNamespace, Rows: []row{
		{Name: "getRandomValues", Length: 1, Fn: getRandomValues, Sig: "(target: Uint8Array): Uint8Array"},
		{Name: "randomUUID", Length: 0, Fn: randomUUID, Sig: "(): string"},
		tagRow("Crypto"),
	}}}
}

func randomBytes(r *realm, b []byte) {
	if r.Env.RandomBytes != nil {
		r.Env.RandomBytes(b)
		return
	}
	rand.Read(b) // never fails: crypto/rand ends the process instead
}

func randomUUID(r *realm, _ val, _ []val) val {
	var b [16]byte
	randomBytes(r, b[:])
	b[6] = b[6]&0x0F | 0x40
	b[8] = b[8]&0x3F | 0x80
	h := hexcodec.EncodeToString(b[:])
	return newText(r, value.ASCII(h[:8]+"-"+h[8:12]+"-"+h[12:16]+"-"+h[16:20]+"-"+h[20:]))
}

func getRandomValues(r *realm, _ val, args []val) val {
	x, ok := extOf[*bytes](arg(args, 0))
	if !ok {
		return r.ThrowTypeError("crypto.getRandomValues: the target must be a Uint8Array, got %s", r.Describe(arg(args, 0)))
	}
	if len(x.b) > 65536 {
		return throwNamed(r, "QuotaExceededError", "crypto.getRandomValues: at most 65536 bytes at once")
	}
	randomBytes(r, x.b)
	return args[0]
}

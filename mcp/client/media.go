package client

// This file defines how the blocks of a result are read.

import (
	"encoding/base64"
	"net/url"
	"path"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// maxUnread bounds what is listed of a result's unknown content.
const maxUnread = 5

// block reads one block of content, which may be of any form.
func (r *reader) block(v data.Value) {
	switch kind := text(v, "type"); kind {
	case "text":
		if s, ok := member(v, "text").(data.String); ok {
			r.texts = append(r.texts, string(s))
			return
		}
		r.cannotRead("a text without text")
	case "image", "audio":
		r.media(member(v, "data"), text(v, "mimeType"), kind, "")
	case "resource":
		r.resource(member(v, "resource"))
	case "resource_link":
		r.link(v)
	case "":
		r.cannotRead("a block without a type")
	default:
		r.cannotRead(clip(kind, 60))
	}
}

func (r *reader) cannotRead(what string) {
	if len(r.unread) < maxUnread {
		r.unread = append(r.unread, what)
	}
}

// resource reads an embedded resource. Its text counts as text.
func (r *reader) resource(v data.Value) {
	if s, ok := member(v, "text").(data.String); ok {
		r.texts = append(r.texts, string(s))
		return
	}
	r.media(member(v, "blob"), text(v, "mimeType"), "file", baseName(text(v, "uri")))
}

// link reads a link to a resource.
func (r *reader) link(v data.Value) {
	uri := text(v, "uri")
	name := text(v, "name")
	if name == "" {
		name = text(v, "title")
	}
	switch {
	case uri == "":
		r.cannotRead("a link without an address")
	case name == "":
		r.texts = append(r.texts, uri)
	default:
		r.texts = append(r.texts, name+": "+uri)
	}
}

// baseName is the last part of an address's path.
func baseName(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Path == "" && u.Opaque == "" {
		return ""
	}
	p := u.Path
	if p == "" {
		p = u.Opaque
	}
	name := path.Base(p)
	if name == "." || name == "/" {
		return ""
	}
	return name
}

// media reads data in base64 and attaches them.
func (r *reader) media(v data.Value, mimeType, kind, name string) {
	encoded, ok := v.(data.String)
	bytes, decoded := decodeBase64(string(encoded))
	if !ok || !decoded {
		r.cannotRead(kind + " data that is no base64")
		return
	}
	if mimeType == "" && kind != "file" {
		mimeType = kind + "/*"
	}
	r.attachments = append(r.attachments, tool.Attachment{Name: name, MIMEType: mimeType, Data: bytes})
	if encoded != "" {
		if r.blobs == nil {
			r.blobs = map[string]string{}
		}
		r.blobs[string(encoded)] = "[" + kind + " attached]"
	}
}

var spaces = strings.NewReplacer(" ", "", "\n", "", "\r", "", "\t", "")

// decodeBase64 reads base64 in either alphabet, with or without padding.
func decodeBase64(s string) ([]byte, bool) {
	if strings.ContainsAny(s, " \n\r\t") {
		s = spaces.Replace(s)
	}
	s = strings.TrimRight(s, "=")
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		encoding = base64.RawURLEncoding
	}
	bytes, err := encoding.DecodeString(s)
	return bytes, err == nil
}

package openapi

// This file defines in which character sets texts are sent and read.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"mime"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// charsets are those that can be written, with the names they have.
var charsets = map[string]string{
	"": "", "utf-8": "utf-8", "utf8": "utf-8", "us-ascii": "us-ascii", "ascii": "us-ascii", "iso-8859-1": "iso-8859-1", "latin1": "iso-8859-1",
	"windows-1252": "windows-1252", "cp1252": "windows-1252", "utf-16": "utf-16", "utf-16le": "utf-16le", "utf-16be": "utf-16be",
}

// charsetOf is the character set of a media type by its first name; "" if it
// names none, or one that is not known.
func charsetOf(media string) string { return charsets[charsetName(media)] }

func charsetName(media string) string {
	_, parameters, err := mime.ParseMediaType(media)
	if err != nil {
		return ""
	}
	return strings.ToLower(parameters["charset"])
}

// writableCharset says why texts cannot be written as a media type has it. Forms
// are in UTF-8.
func writableCharset(media string, form bool) error {
	name := charsetName(media)
	known, ok := charsets[name]
	if !ok || form && known != "" && known != "utf-8" {
		return fmt.Errorf("texts cannot be written in its character set %q", clip(name, 50))
	}
	return nil
}

// encodedText is a text in a character set that can be written. What the set does
// not have is refused.
func encodedText(text, charset, place string) ([]byte, error) {
	text = validText(text)
	switch charset {
	case "us-ascii", "iso-8859-1", "windows-1252":
		return singleBytes(text, charset, place)
	case "utf-16", "utf-16be":
		return units(text, charset == "utf-16", binary.BigEndian), nil
	case "utf-16le":
		return units(text, false, binary.LittleEndian), nil
	}
	return []byte(text), nil
}

func singleBytes(text, charset, place string) ([]byte, error) {
	content := make([]byte, 0, len(text))
	for _, r := range text {
		high := slices.Index(windowsRunes, r)
		switch {
		case r < utf8.RuneSelf, charset != "us-ascii" && 0xa0 <= r && r <= 0xff:
			content = append(content, byte(r))
		case charset == "windows-1252" && high >= 0:
			content = append(content, byte(0x80+high))
		default:
			return nil, &unwritable{place, fmt.Sprintf("has the character %q, which the character set %s of the document does not have", r, charset)}
		}
	}
	return content, nil
}

// units are those of UTF-16, with a mark of their order or not.
func units(text string, mark bool, order binary.AppendByteOrder) []byte {
	content := make([]byte, 0, 2*len(text)+2)
	if mark {
		content = order.AppendUint16(content, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		content = order.AppendUint16(content, u)
	}
	return content
}

// decoded is a body as UTF-8 by the character set of its type; without one it is
// UTF-8. Not ok is one that is not known.
func decoded(content []byte, media string) ([]byte, bool) {
	charset, known := charsets[charsetName(media)]
	if !known {
		return nil, false
	}
	switch charset {
	case "iso-8859-1", "windows-1252":
		return latin(content), true
	case "utf-16", "utf-16le":
		return wide(content, charset == "utf-16" && bytes.HasPrefix(content, []byte{0xfe, 0xff})), true
	case "utf-16be":
		return wide(content, true), true
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if !utf8.Valid(content) {
		content = bytes.ToValidUTF8(content, []byte("\uFFFD"))
	}
	return content, true
}

// windows1252 are the characters 80 to 9F, which the WHATWG takes for those of
// ISO 8859-1 too.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

var windowsRunes = []rune(windows1252)

func latin(content []byte) []byte {
	var b strings.Builder
	for _, c := range content {
		if 0x80 <= c && c < 0xa0 {
			b.WriteRune(windowsRunes[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return []byte(b.String())
}

func wide(content []byte, bigEndian bool) []byte {
	units := make([]uint16, 0, len(content)/2)
	for i := 0; i+1 < len(content); i += 2 {
		low, high := content[i], content[i+1]
		if bigEndian {
			low, high = high, low
		}
		units = append(units, uint16(high)<<8|uint16(low))
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\ufeff"))
}

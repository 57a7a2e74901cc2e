package openapi

// This file defines which characters stand for themselves in the parts of a
// request.

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// escaped percent-encodes the bytes of s that keep refuses. A lone surrogate is
// sent as U+FFFD.
func escaped(s string, keep func(byte) bool) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; keep(c) {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}

// escapedQuery is a name or value in a query. With reserved, the characters that
// allowReserved is for stay, except those that would end the value or the query,
// or mean another character there: & # + [ ] and %.
func escapedQuery(s string, reserved bool) string {
	return escaped(s, func(c byte) bool { return unreserved(c) || reserved && strings.IndexByte(":/?@!$'()*,;=", c) >= 0 })
}

// escapedSegment is a value in a path.
func escapedSegment(s string) string { return escaped(s, unreserved) }

// escapedPath is the text of a path outside its parameters, in which what is
// percent-encoded already stays.
func escapedPath(s string) string {
	return escaped(s, func(c byte) bool { return unreserved(c) || strings.IndexByte("/:@!$&'()*+,;=%", c) >= 0 })
}

// escapedLiteral is the query that a path has itself.
func escapedLiteral(s string) string {
	return escaped(s, func(c byte) bool { return unreserved(c) || strings.IndexByte("/:@!$&'()*+,;=%?[]", c) >= 0 })
}

// escapedCookie is a name or value in a cookie: what RFC 6265 allows there stays.
func escapedCookie(s string) string {
	return escaped(s, func(c byte) bool { return c > 0x20 && c < 0x7f && strings.IndexByte(`",;\%`, c) < 0 })
}

// isToken reports that s can be the name of a header or a method (RFC 9110).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !unreserved(c) && strings.IndexByte("!#$%&'*+^`|", c) < 0 {
			return false
		}
	}
	return s != ""
}

// isHeaderValue reports that a header can carry s so that it arrives as it is.
func isHeaderValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 && c != '\t' || c == 0x7f {
			return false
		}
	}
	return strings.Trim(s, " \t") == s
}

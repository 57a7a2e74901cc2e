package config

// This file defines texts that are not to be printed, and how what others print is kept clean of them.

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// hidden is what is printed instead of a secret.
const hidden = "[hidden]"

// Secret is a text that printing, in whatever way, does not show: each value of a configuration may hold one once its
// variables have been expanded. The zero value is an empty text.
type Secret struct {
	text *string // a pointer, since printing may reach fields that are not exported
}

// Hide makes a Secret.
func Hide(text string) Secret { return Secret{&text} }

// Reveal is the text itself.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// String hides the text.
func (s Secret) String() string { return hidden }

// Format hides the text whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText hides the text in JSON and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue hides the text.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// minSecret is how long a text is at least that is taken for a secret when others print it, in bytes: shorter ones would
// blot out words that have nothing to do with them.
const minSecret = 6

// Redactor takes secrets out of what others print: a server quotes its environment in an error, an HTTP error has the
// address in it. The zero value takes nothing out. It may be used from any goroutine once it is made.
type Redactor struct {
	texts    forms
	answers  forms // those that are taken out of answers as well
	replacer *strings.Replacer
	answer   *strings.Replacer
}

// forms are texts in the forms in which they may be printed.
type forms []string

func (f *forms) add(text string) {
	if slices.Contains(*f, text) {
		return
	}
	quoted, _ := json.Marshal(text)
	for _, form := range []string{text, url.QueryEscape(text), url.PathEscape(text), string(quoted[1 : len(quoted)-1]), base64.StdEncoding.EncodeToString([]byte(text))} {
		if !slices.Contains(*f, form) {
			*f = append(*f, form)
		}
	}
}

// replacer takes the forms out; texts that hold others go first.
func (f forms) replacer() *strings.Replacer {
	slices.SortStableFunc(f, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(f))
	for _, text := range f {
		pairs = append(pairs, text, hidden)
	}
	return strings.NewReplacer(pairs...)
}

// add takes note of a text that is to be kept out of what others print, also as it looks in addresses, in JSON and in base64.
func (r *Redactor) add(text string) { r.addNamed("", text) }

// addNamed is add for the value of a variable, flag or header; its name may tell that it is a secret.
func (r *Redactor) addNamed(name, text string) {
	text = strings.TrimSpace(text)
	if _, token, ok := strings.Cut(text, " "); ok && !strings.ContainsAny(token, " \t\n") {
		r.addNamed(name, token) // of "Bearer token"
	}
	if len(text) < minSecret {
		return
	}
	r.texts.add(text)
	if !isPlace(text) && (telling.MatchString(name) || !isPlain(text)) {
		r.answers.add(text)
	}
}

// isPlace reports whether a text names a folder, a file or an address. Programs give such back to the server; what is secret
// in an address is noted by itself.
func isPlace(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") || strings.HasPrefix(text, ".") || strings.Contains(text, "://") ||
		strings.HasPrefix(text, `\\`) || len(text) > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/')
}

// isPlain reports whether a text consists of words, such as "production" or "application/json": taken out of answers, those
// would leave gaps that have nothing to do with secrets.
func isPlain(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("-_./, ", r) }) < 0
}

// finish makes the redactor ready.
func (r *Redactor) finish() { r.replacer, r.answer = r.texts.replacer(), r.answers.replacer() }

// Redact is the text without secrets.
func (r *Redactor) Redact(text string) string {
	if r == nil || r.replacer == nil {
		return text
	}
	return r.replacer.Replace(text)
}

// RedactAnswer is a text of a server's answer, which programs read, without secrets. Folders, files, addresses and plain words
// stay unless the name of their variable says that they are secret: programs would read wrong data, and give it back.
func (r *Redactor) RedactAnswer(text string) string {
	if r == nil || r.answer == nil {
		return text
	}
	return r.answer.Replace(text)
}

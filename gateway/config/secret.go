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
	texts    []string
	replacer *strings.Replacer
}

// add takes note of a secret, also as it looks in addresses, in JSON and in base64.
func (r *Redactor) add(text string) {
	text = strings.TrimSpace(text)
	if _, token, ok := strings.Cut(text, " "); ok && !strings.ContainsAny(token, " \t\n") {
		r.add(token) // of "Bearer token"
	}
	if len(text) < minSecret || slices.Contains(r.texts, text) {
		return
	}
	quoted, _ := json.Marshal(text)
	for _, form := range []string{text, url.QueryEscape(text), url.PathEscape(text), string(quoted[1 : len(quoted)-1]), base64.StdEncoding.EncodeToString([]byte(text))} {
		if !slices.Contains(r.texts, form) {
			r.texts = append(r.texts, form)
		}
	}
	r.replacer = nil
}

// finish makes the redactor ready; texts that hold others go first.
func (r *Redactor) finish() {
	slices.SortStableFunc(r.texts, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(r.texts))
	for _, text := range r.texts {
		pairs = append(pairs, text, hidden)
	}
	r.replacer = strings.NewReplacer(pairs...)
}

// Redact is the text without secrets.
func (r *Redactor) Redact(text string) string {
	if r == nil || r.replacer == nil {
		return text
	}
	return r.replacer.Replace(text)
}

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
	texts    forms
	answers  forms // those that are taken out of answers as well
	replacer *strings.Replacer
	answer   *strings.Replacer
}

// forms are texts in the forms in which they may be printed. The zero value is ready to use.
type forms struct {
	list []string
	has  map[string]bool
}

func (f *forms) add(text string) {
	if f.has[text] {
		return
	}
	if f.has == nil {
		f.has = map[string]bool{}
	}
	quoted, _ := json.Marshal(text)
	for _, form := range []string{text, url.QueryEscape(text), url.PathEscape(text), string(quoted[1 : len(quoted)-1]), base64.StdEncoding.EncodeToString([]byte(text))} {
		if !f.has[form] {
			f.has[form] = true
			f.list = append(f.list, form)
		}
	}
}

// replacer takes the forms out; texts that hold others go first.
func (f *forms) replacer() *strings.Replacer {
	slices.SortStableFunc(f.list, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(f.list))
	for _, text := range f.list {
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
	whole := r.addForms(name, text)
	if len(text) < minSecret {
		return
	}
	r.texts.add(text)
	if whole || !isPlace(text) && (tells(name) || !isChosen(text)) {
		r.answers.add(text)
	}
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

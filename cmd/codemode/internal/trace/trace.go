// Package trace writes the page that shows a traced execution: one HTML file that needs nothing else and asks for nothing.
//
// Everything that a program or a tool said is data in the page, as JSON in which no markup can be; its script makes texts
// of it, never elements, which the page's own content security policy enforces.
package trace

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
)

//go:embed page
var files embed.FS

// scripts are the parts of the one script, in order.
var scripts = []string{"model.js", "timeline.js", "panels.js", "main.js"}

// Page is what is shown. All fields but Err are required.
type Page struct {
	Title  string // of the program
	Source string // its text
	Trace  *codemode.Trace
	Result *codemode.Result
	Err    error // of the execution: its interruption, or a defect
}

// Write writes the page.
func Write(w io.Writer, p Page) error {
	content, err := json.Marshal(contentOf(p)) // escapes <, > and &, so that no text ends the element or begins a comment
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	style, script := part("page.css"), "\"use strict\";\n(() => {\n"
	for _, name := range scripts {
		script += part(name)
	}
	script += "})();\n"
	_, err = strings.NewReplacer(
		"{{csp}}", "default-src 'none'; script-src '"+hash(script)+"'; style-src '"+hash(style)+
			"'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
		"{{title}}", html.EscapeString(p.Title),
		"{{style}}", style, "{{script}}", script, "{{data}}", string(content),
	).WriteString(w, part("page.html"))
	return err
}

func part(name string) string {
	text, err := files.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// hash is a text as a content security policy names it.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// content is the data of the page. Records are lists, in the order that model.js reads; texts that repeat are indexes into
// Texts, -1 for none. Times are milliseconds.
type content struct {
	Title      string                `json:"title"`
	Status     string                `json:"status"`
	Headline   string                `json:"headline"`
	Failure    string                `json:"failure"`
	FailedLine int                   `json:"failedLine"`
	Value      string                `json:"value"`
	Remarks    []string              `json:"remarks"`
	Source     string                `json:"source"`
	Duration   millis                `json:"duration"`
	Compile    millis                `json:"compile"`
	Texts      []string              `json:"texts"`
	Outcomes   names                 `json:"outcomes"`
	Kinds      names                 `json:"kinds"`
	AwaitKinds names                 `json:"awaitKinds"`
	Statuses   names                 `json:"statuses"`
	Fibers     [][]any               `json:"fibers"`
	Awaits     [][]any               `json:"awaits"`
	Calls      [][]any               `json:"calls"`
	Logs       [][]any               `json:"logs"`
	Lines      [][]any               `json:"lines"`
	Dropped    codemode.TraceDropped `json:"dropped"`

	known map[string]int // of Texts
}

// names is a list of names that records have by index.
type names []string

func (n *names) index(name string) int {
	if i := slices.Index(*n, name); i >= 0 {
		return i
	}
	*n = append(*n, name)
	return len(*n) - 1
}

// millis is a time in milliseconds, to the microsecond. Negative is never.
type millis time.Duration

// MarshalJSON implements json.Marshaler.
func (m millis) MarshalJSON() ([]byte, error) {
	if m < 0 {
		return []byte("-1"), nil
	}
	return strconv.AppendFloat(nil, float64(time.Duration(m).Microseconds())/1000, 'f', -1, 64), nil
}

func (c *content) text(s string) int {
	if s == "" {
		return -1
	}
	if i, ok := c.known[s]; ok {
		return i
	}
	c.known[s] = len(c.Texts)
	c.Texts = append(c.Texts, s)
	return len(c.Texts) - 1
}

func contentOf(p Page) *content {
	r, t := p.Result, p.Trace
	c := &content{
		Title: p.Title, Source: p.Source, Duration: millis(t.Duration), Compile: millis(r.Stats.CompileMs * float64(time.Millisecond)),
		Remarks: remarks(p), Texts: []string{}, Dropped: t.Dropped, known: map[string]int{},
		Outcomes: names{}, Kinds: names{}, AwaitKinds: names{}, Statuses: names{},
		Fibers: [][]any{}, Awaits: [][]any{}, Calls: [][]any{}, Logs: [][]any{}, Lines: [][]any{},
	}
	c.Status, c.Headline = verdict(p)
	if r.Error != nil {
		c.Failure, c.FailedLine = strings.TrimRight(diagnostics.Render(p.Source, *r.Error), "\n"), r.Error.Location.Line
	}
	if r.Value != nil && r.Value.Kind() != data.KindNull {
		c.Value = clip(data.JSON(r.Value), maxValue)
	}
	for _, f := range t.Fibers {
		c.Fibers = append(c.Fibers, []any{f.Parent, millis(f.Start), millis(f.End), c.Outcomes.index(f.Outcome), c.Kinds.index(f.Kind), c.text(f.Name), f.At.Line, f.At.Column})
	}
	for _, a := range t.Awaits {
		c.Awaits = append(c.Awaits, []any{a.Fiber, millis(a.Start), millis(a.End), c.AwaitKinds.index(a.Kind), a.Call, a.At.Line, a.At.Column, c.text(a.Text)})
	}
	for _, k := range t.Calls {
		c.Calls = append(c.Calls, []any{c.text(k.Path), millis(k.Made), millis(k.Started), millis(k.Ended), c.Statuses.index(status(k)), k.Fiber,
			k.At.Line, k.At.Column, k.Index, c.text(k.Input), c.text(k.Output), c.text(k.Message)})
	}
	for _, l := range t.Logs {
		c.Logs = append(c.Logs, []any{millis(l.Time), l.Level, c.text(l.Text), l.At.Line, l.Fiber})
	}
	for _, l := range t.Lines {
		c.Lines = append(c.Lines, []any{l.Line, l.Steps, millis(l.Self)})
	}
	return c
}

func status(c codemode.TraceCall) string {
	switch {
	case c.Status == "" && c.Ended >= 0:
		return "refused"
	case c.Status == "":
		return "unfinished"
	}
	return strings.ReplaceAll(string(c.Status), "_", " ")
}

// maxValue bounds the text of the value in bytes.
const maxValue = 64 << 10

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// verdict is how the execution ended, in a word and in a sentence.
func verdict(p Page) (word, sentence string) {
	r := p.Result
	sentence = "Run on " + p.Trace.Start.Format("2 January 2006 at 15:04:05")
	switch {
	case p.Err != nil && r.Error == nil:
		return ending(p.Err)
	case r.Error == nil:
		return "succeeded", sentence
	}
	switch r.Error.Kind {
	case diagnostics.TimeoutExceeded, diagnostics.MemoryLimitExceeded, diagnostics.ToolCallLimitExceeded:
		return "limit reached", sentence
	}
	return "failed", sentence
}

// ending is what ended an execution from outside, in a word and in a sentence.
func ending(err error) (word, sentence string) {
	var e *codemode.Ended
	if !errors.As(err, &e) {
		return "ended", clip(err.Error(), 300)
	}
	if !e.Cause.HasInterruptsOnly() {
		return "ended", "A defect of codemode itself ended the program: " + clip(e.Cause.Error(), 300)
	}
	sentence = "The program was interrupted before its end"
	for _, part := range e.Cause.Parts() {
		var i *scope.Interrupt
		switch {
		case !errors.As(part, &i):
		case i.By != "":
			return "interrupted", sentence + " (" + clip(i.By, 200) + ")."
		case i.Err != nil && i.Err != context.Canceled: // which says nothing more
			return "interrupted", sentence + " (" + clip(i.Err.Error(), 200) + ")."
		}
	}
	return "interrupted", sentence + "."
}

// remarks are what a reader should know before looking.
func remarks(p Page) []string {
	r, t := p.Result, p.Trace
	list := []string{}
	if p.Err != nil && r.Error != nil {
		_, sentence := ending(p.Err)
		list = append(list, sentence)
	}
	if t.Incomplete && r.Error == nil {
		list = append(list, "The program did not end within the grace after its interruption: only its calls are shown.")
	}
	for _, w := range r.Warnings {
		at := ""
		if !w.Location.IsZero() {
			at = " (line " + strconv.Itoa(w.Location.Line) + ")"
		}
		list = append(list, "Warning: "+clip(w.Message, 300)+at)
	}
	for _, n := range r.Notes {
		list = append(list, clip(n, 300))
	}
	if d := t.Dropped; d != (codemode.TraceDropped{}) {
		for _, m := range []struct {
			n    int
			what string
		}{{d.Calls, "calls"}, {d.Fibers, "fibers"}, {d.Awaits, "awaits"}, {d.Logs, "console lines"}} {
			if m.n > 0 {
				list = append(list, fmt.Sprintf("%d more %s are not shown: a trace has room for so many.", m.n, m.what))
			}
		}
	}
	for _, a := range r.Attachments {
		list = append(list, attachment(a))
	}
	return list
}

// attachment names a file that a tool handed over; what is in it is not for the page.
func attachment(a codemode.Attachment) string {
	text := "Attachment: " + clip(a.Name, 200)
	if a.MIMEType != "" {
		text += " (" + clip(a.MIMEType, 100) + ")"
	}
	if a.URI != "" {
		return text + " at " + clip(a.URI, 300)
	}
	return text + ", " + strconv.Itoa(len(a.Data)) + " bytes"
}

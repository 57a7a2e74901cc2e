package registry

// This file defines what the model and the host get of a call, and its text.

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/tool"
)

// Output is what came of a call by the model. It belongs to the caller.
type Output struct {
	// Text is for the model: see [Text].
	Text string
	// IsError reports that the call failed.
	IsError bool
	// Value is what the program returned or the tool gave, cut to the bound of the output; nil if there is none.
	Value data.Value
	// Whole is the value before it was cut, nil if it was not.
	Whole data.Value
	// Attachments are what tools handed over beside their values, in the order of the calls, also after a failure. They are
	// not in Text, which names them.
	Attachments []codemode.Attachment
	// Result is the whole record: error, warnings, logs, calls, statistics. Call n of it has the id "parent/n+1" by its
	// Index n. It is nil if nothing was run.
	Result *codemode.Result
	// Program is the text of the program, empty for a direct call.
	Program string
}

func failed(text string) *Output { return &Output{Text: text, IsError: true} }

// output is that of a program.
func (s *Snapshot) output(program string, r *codemode.Result) *Output {
	return s.outputOf(program, r, true)
}

func (s *Snapshot) outputOf(program string, r *codemode.Result, calls bool) *Output {
	o := &Output{Result: r, IsError: !r.OK, Attachments: r.Attachments, Program: program}
	whole := r.Value
	if r.Bound(s.outputBytes()) {
		o.Whole = whole
	}
	o.Value = r.Value
	o.Text = render(program, r, s.outputBytes(), calls)
	return o
}

// Text is a result for a model to read. On success it is the value: a text as it stands, anything else as JSON, indented
// as long as that stays within a number of bytes, which bounds nothing else. On failure it is the message with the place
// in the program and suggestions, and which calls ran. Warnings, console lines, notes and the names of attachments follow;
// what was cut is said first.
func Text(program string, r *codemode.Result, indentWithin int) string {
	return render(program, r, indentWithin, true)
}

func render(program string, r *codemode.Result, indentWithin int, calls bool) string {
	var parts []string
	add := func(title, text string) {
		if text != "" {
			parts = append(parts, title+strings.TrimRight(text, "\n"))
		}
	}
	notes := lines(r.Notes, func(n string) string { return "Note: " + n })
	if r.Truncated {
		add("", notes)
	}
	if !r.OK {
		add("", failure(program, r))
		if calls {
			add("", Calls(r))
		}
	}
	if r.Value != nil {
		title := ""
		if !r.OK {
			title = "The value that was returned:\n"
		}
		add(title, valueText(r.Value, indentWithin))
	}
	add("Warnings:\n", lines(r.Warnings, func(d codemode.Diagnostic) string { return strings.TrimRight(diagnostics.Render(program, d), "\n") }))
	add("Logs:\n", lines(r.Logs, logLine))
	if !r.Truncated {
		add("", notes)
	}
	add("Attachments:\n", lines(r.Attachments, attachmentLine))
	return strings.Join(parts, "\n\n")
}

func lines[T any](list []T, line func(T) string) string {
	var b strings.Builder
	for _, item := range list {
		b.WriteString(line(item) + "\n")
	}
	return b.String()
}

func valueText(v data.Value, indentWithin int) string {
	switch v := v.(type) {
	case data.Null:
		return "null (no value)"
	case data.String:
		if v == "" {
			return `"" (an empty text)`
		}
		return string(v)
	}
	if text := data.Indented(v, "  "); len(text) <= indentWithin {
		return text
	}
	return data.JSON(v)
}

func failure(program string, r *codemode.Result) string {
	if r.Error == nil {
		return "Interrupted: the host ended this before it was done."
	}
	return diagnostics.Render(program, *r.Error)
}

func logLine(l codemode.Log) string {
	if l.Level == "log" {
		return l.Text
	}
	return "[" + l.Level + "] " + l.Text
}

func attachmentLine(a codemode.Attachment) string {
	parts := []string{a.Name, a.MIMEType, a.URI}
	if a.URI == "" {
		parts[2] = strconv.Itoa(len(a.Data)) + " bytes"
	}
	named := parts[:0]
	for _, p := range parts {
		if p != "" {
			named = append(named, p)
		}
	}
	return "- " + strings.Join(named, ", ")
}

const (
	maxCallLines = 30  // calls that are listed one by one
	maxCallInput = 100 // characters of an input in such a line
	maxCallError = 200
)

// Calls is the record of calls for a model to read: what ran and what did not, so that it repeats nothing that took
// effect. Many calls are counted by path and status.
func Calls(r *codemode.Result) string {
	switch {
	case len(r.Calls)+len(r.FoldedCalls) == 0:
		return "No tool was called."
	case len(r.Calls) > maxCallLines || len(r.FoldedCalls) > 0:
		return "Calls, by tool:\n" + counted(r)
	}
	return "Calls, in order:\n" + lines(r.Calls, callLine)
}

func callLine(c tool.Record) string {
	input := clip(c.Input, maxCallInput)
	if input == "{}" {
		input = ""
	}
	text := strconv.Itoa(c.Index+1) + ". " + c.Path + "(" + input + "): " + statusText[c.Status]
	if first, _, _ := strings.Cut(c.Message, "\n"); (c.Status == tool.Failed || c.Status == tool.NotStarted) && first != "" {
		text += ": " + clip(first, maxCallError)
	}
	return text
}

// statusText says what a status means for somebody who would call again.
var statusText = map[tool.Status]string{
	tool.Completed:   "completed",
	tool.Failed:      "failed",
	tool.Interrupted: "interrupted; it may have taken effect",
	tool.Abandoned:   "interrupted, and it did not stop; it may still take effect",
	tool.NotStarted:  "not started",
}

// counted counts calls by path and status, in the order of the first calls.
func counted(r *codemode.Result) string {
	type key struct {
		path   string
		status tool.Status
	}
	counts := map[key]int{}
	var order []string
	seen := map[string]bool{}
	for _, c := range r.Calls {
		counts[key{c.Path, c.Status}]++
		if !seen[c.Path] {
			seen[c.Path] = true
			order = append(order, c.Path)
		}
	}
	for path, n := range r.FoldedCalls {
		counts[key{path, tool.Completed}] += n
		if !seen[path] {
			seen[path] = true
			order = append(order, path)
		}
	}
	return lines(order, func(path string) string {
		var parts []string
		for _, s := range []tool.Status{tool.Completed, tool.Failed, tool.Interrupted, tool.Abandoned, tool.NotStarted} {
			if n := counts[key{path, s}]; n > 0 {
				parts = append(parts, strconv.Itoa(n)+" "+statusText[s])
			}
		}
		return path + ": " + strings.Join(parts, ", ")
	})
}

// clip cuts a text to a number of characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

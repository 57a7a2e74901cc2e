package main

// This file defines what is printed: the result, and the calls as they happen.

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/tool"
)

// report prints a result: JSON on standard output, what a person reads on standard error.
type report struct {
	streams
	src  string
	json bool
}

func (p report) result(r *codemode.Result) {
	if p.json {
		text, err := r.JSON("  ")
		if err != nil {
			fmt.Fprintln(p.err, "codemode:", err)
			return
		}
		fmt.Fprintf(p.out, "%s\n", text)
		return
	}
	for _, l := range r.Logs {
		fmt.Fprintln(p.err, visible(l.Text))
	}
	for _, n := range r.Notes {
		fmt.Fprintln(p.err, "note:", visible(n))
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(p.err, "warning:", strings.TrimRight(diagnostics.Render(p.src, w), "\n"))
	}
	if r.Error != nil {
		fmt.Fprintln(p.err, strings.TrimRight(diagnostics.Render(p.src, *r.Error), "\n"))
		p.effects(r)
	}
	if r.Value != nil {
		fmt.Fprintln(p.out, data.Indented(r.Value, "  "))
	}
}

// effects says which calls of a failed program ran.
func (p report) effects(r *codemode.Result) {
	if len(r.Calls) == 0 {
		return
	}
	count := map[tool.Status]int{}
	for _, c := range r.Calls {
		count[c.Status]++
	}
	var parts []string
	for _, s := range []tool.Status{tool.Completed, tool.Failed, tool.Interrupted, tool.Abandoned, tool.NotStarted} {
		if n := count[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(s), "_", " ")))
		}
	}
	fmt.Fprintln(p.err, "calls:", strings.Join(parts, ", "))
}

// liveCalls prints calls as they start and end, from any goroutine.
func liveCalls(w io.Writer) codemode.Hooks {
	var mu sync.Mutex
	line := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		io.WriteString(w, visible(fmt.Sprintf(format, args...))+"\n")
	}
	return codemode.Hooks{
		OnToolCallStart: func(c tool.CallStart) { line("%3d > %s(%s)", c.Index+1, c.Path, short(data.JSON(c.Input))) },
		OnToolCallEnd: func(c tool.CallEnd) {
			line("%3d < %s %s %s", c.Index+1, c.Outcome, c.Duration.Round(10*time.Microsecond), short(c.Message))
		},
	}
}

// short cuts a text for one line of a terminal.
func short(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// visible keeps a text from steering the terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsGraphic(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}

package conformance

// This file defines how one line is run and judged.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/conformance/toolsets"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/scope"
)

// watchdog ends a line that hangs.
const watchdog = 10 * time.Second

// Run runs the line. complaint is what came instead of the expectation, or ""; broken reports that the runtime itself
// misbehaved: a hang, or a panic in its own code.
func (l Line) Run() (complaint string, broken bool) {
	tree, err := toolsets.Tree(l.Tools)
	if err != nil {
		return err.Error(), true
	}
	rt, err := codemode.New(codemode.Options{Tools: tree, InterruptGrace: time.Second,
		Limits: codemode.Limits{TimeoutMs: l.Limits.TimeoutMs, MaxToolCalls: l.Limits.MaxToolCalls}})
	if err != nil {
		return err.Error(), true
	}
	ctx, cancel := context.WithTimeout(context.Background(), watchdog)
	defer cancel()
	r, err := rt.Execute(ctx, l.Program)
	if err != nil {
		return defect(err), true
	}
	if complaint := l.judge(r); complaint != "" {
		return complaint, false
	}
	return l.judgeLogs(r), false
}

func (l Line) judge(r *codemode.Result) string {
	e := l.Expect
	switch {
	case e.Throws != nil:
		return e.Throws.judge(r)
	case e.Diagnostic != nil:
		return e.Diagnostic.judge(r)
	}
	want, err := data.Parse(e.Value)
	if err != nil {
		return err.Error()
	}
	if !r.OK || !same(want, r.Value) {
		return "want " + data.JSON(want) + ", got " + outcome(r)
	}
	return ""
}

func (t *Throws) judge(r *codemode.Result) string {
	want := fmt.Sprintf("want an uncaught %s with %q, got ", t.Name, t.MessageContains)
	if r.Error == nil || r.Error.Kind != diagnostics.ExecutionFailure {
		return want + outcome(r)
	}
	text := strings.TrimPrefix(r.Error.Message, "unhandled rejection: ")
	if !strings.HasPrefix(text, t.Name) || !strings.Contains(text, t.MessageContains) {
		return want + outcome(r)
	}
	return ""
}

func (d *Diagnosis) judge(r *codemode.Result) string {
	want := fmt.Sprintf("want %s (or %v) line %d with %q without %q, got ", d.Kind, d.Accept, d.Line, d.MessageContains, d.MessageNotContains)
	if r.Error == nil {
		return want + outcome(r)
	}
	kind, message := string(r.Error.Kind), r.Error.Message
	preferred := kind == d.Kind
	switch {
	case !preferred && !slices.Contains(d.Accept, kind),
		preferred && d.Line > 0 && r.Error.Location.Line != d.Line,
		!strings.Contains(message, d.MessageContains),
		d.MessageNotContains != "" && strings.Contains(message, d.MessageNotContains):
		return want + outcome(r)
	}
	return ""
}

func (l Line) judgeLogs(r *codemode.Result) string {
	if l.Logs == nil {
		return ""
	}
	got := make([]string, len(r.Logs))
	for i, log := range r.Logs {
		got[i] = log.Text
	}
	if !slices.Equal(got, *l.Logs) {
		return fmt.Sprintf("want logs %q, got %q", *l.Logs, got)
	}
	return ""
}

func outcome(r *codemode.Result) string {
	if r.Error != nil {
		return r.Error.Error()
	}
	return data.JSON(r.Value)
}

// defect is an error of the runtime, with the stack if it was a panic.
func defect(err error) string {
	var die *scope.Die
	if errors.As(err, &die) {
		return scope.NewCause(die).Pretty()
	}
	return err.Error()
}

package main

// This file defines the commands run and check.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
)

// program is where the text comes from.
type program struct {
	File string   `arg:"" optional:"" help:"The file with the program, or - for standard input."`
	Code []string `short:"e" name:"eval" sep:"none" placeholder:"CODE" help:"The program itself; once."`
	JSON bool     `name:"json" help:"Print the whole result as JSON: value or error, logs, calls, notes."`
}

// maxText bounds what is read; the limit for programs is far below it.
const maxText = 16 << 20

func (p program) text(s streams) (string, error) {
	switch {
	case len(p.Code) > 0 && p.File != "":
		return "", errors.New("give either a file or -e, not both")
	case len(p.Code) > 1:
		return "", errors.New("give one -e: a program is one text")
	case len(p.Code) == 1:
		return p.Code[0], nil
	case p.File == "":
		return "", errors.New("no program: give a file, - for standard input, or -e CODE")
	case p.File == "-":
		return read(s.in)
	}
	f, err := os.Open(p.File)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return read(f)
}

func read(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText))
	return string(text), err
}

type runCommand struct {
	program      `embed:""`
	configFlags  `embed:""`
	openapiFlags `embed:""`
	waitFlag     `embed:""`
	Input        string        `placeholder:"JSON" help:"The program's global input."`
	Timeout      time.Duration `default:"5m" help:"The time it may take; 0 for no limit (${default})."`
	Memory       int           `default:"512" placeholder:"MIB" help:"The data it may hold at a time, in MiB; 0 for no limit (${default})."`
	MaxCalls     *int          `placeholder:"N" help:"How many tool calls it may make; no limit by default."`
	MaxOutput    *int          `placeholder:"BYTES" help:"How large value, warnings and logs may be together; no limit by default."`
	Trace        string        `placeholder:"FILE.html" help:"Write a page to this file that shows calls, awaits and functions on a time axis, console lines, and what each line of the program cost. It has inputs and outputs in clear."`
}

func (c *runCommand) options() (o codemode.ExecOptions, err error) {
	if c.Input != "" {
		v, err := data.ParseString(c.Input)
		if err != nil {
			return o, fmt.Errorf("--input is not JSON: %w", err)
		}
		o.Input = v
	}
	if err := checkLimits(c.Timeout, c.Memory, c.MaxCalls, c.MaxOutput); err != nil {
		return o, err
	}
	o.Limits = codemode.Limits{MaxToolCalls: c.MaxCalls, MaxOutputBytes: c.MaxOutput}
	if c.Memory != 0 {
		o.Limits.MaxMemoryBytes = new(c.Memory << 20)
	}
	if c.Timeout != 0 {
		// Part of a millisecond counts as one.
		o.Limits.TimeoutMs = new(int((c.Timeout + time.Millisecond - 1) / time.Millisecond))
	}
	return o, nil
}

func (c *runCommand) execute(ctx context.Context, s streams) int {
	src, err := c.text(s)
	if err != nil {
		return usage(s, err)
	}
	options, err := c.options()
	if err != nil {
		return usage(s, err)
	}
	traced, err := openTrace(c.Trace)
	if err != nil {
		return usage(s, err)
	}
	defer traced.close()
	rt, done, err := c.runtime(ctx, s)
	if err != nil {
		return unusable(s, err)
	}
	defer done()
	options.Trace = traced.record()
	r, err := rt.ExecuteWith(ctx, src, options)
	if r == nil {
		return usage(s, err)
	}
	report{s, src, c.JSON}.result(r)
	traced.write(s, c.program, src, r, err)
	if err != nil {
		return ended(s, err)
	}
	return exitCode(r)
}

// runtime offers the tools of the servers, or else those of the demo.
func (c *runCommand) runtime(ctx context.Context, s streams) (rt *codemode.Runtime, done func(), err error) {
	var o codemode.Options
	if s.terminal {
		o.Hooks = liveCalls(s.err)
	}
	return catalogFlags{configFlags: c.configFlags, openapiFlags: c.openapiFlags, waitFlag: c.waitFlag}.runtime(ctx, s, o)
}

// ended tells of an interruption or a defect.
func ended(s streams, err error) int {
	var e *codemode.Ended
	if errors.As(err, &e) && e.Cause.HasInterruptsOnly() {
		fmt.Fprintln(s.err, "interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(s.err, "codemode: a defect of codemode itself:")
	if e != nil {
		err = errors.New(e.Cause.Pretty())
	}
	fmt.Fprintln(s.err, err)
	return exitFailed
}

func exitCode(r *codemode.Result) int {
	if r.Error == nil {
		return exitOK
	}
	switch r.Error.Kind {
	case diagnostics.TimeoutExceeded, diagnostics.ToolCallLimitExceeded, diagnostics.MemoryLimitExceeded:
		return exitLimit
	}
	return exitFailed
}

type checkCommand struct {
	program `embed:""`
}

func (c *checkCommand) execute(ctx context.Context, s streams) int {
	src, err := c.text(s)
	if err != nil {
		return usage(s, err)
	}
	rt, err := codemode.New(codemode.Options{})
	if err != nil {
		return usage(s, err)
	}
	r, err := rt.Check(ctx, src)
	report{s, src, c.JSON}.result(r)
	if err != nil {
		return ended(s, err)
	}
	return exitCode(r)
}
